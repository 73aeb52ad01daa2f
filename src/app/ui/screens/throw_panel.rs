//! The casting sticks in words and signs, under the scene: the last throw
//! counted out, and the button that throws.

use bevy_egui::egui::{Context, FontId, Rect, Ui, vec2};

use super::move_list::throws_off;
use crate::{
    app::{
        core::actions::{Action, GameAction},
        ui::{
            theme::{self, BODY, INK, LARGE, MUTED, SMALL},
            widgets,
        },
    },
    games::{AnyPosition, Event, Game, GameHistory, Ply, RuleSet, Side, Throw},
    i18n::tr,
    table::{describe_event, describe_throw, describe_throw_off, side_label},
};

/// How high the dock is.
pub(crate) const HEIGHT: f32 = 84.0;

/// The last throw that has come to rest.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Last {
    side: Side,
    throw: Throw,
    then: Vec<String>,
    /// Thrown only for who starts.
    off: bool,
}

/// The last throw among the first `shown` plies.
fn last(line: &GameHistory<AnyPosition>, shown: usize) -> Option<Last> {
    let rules = line.start().rules();
    let thrown = (1..=shown).rev().find_map(|ply| match line.ply(ply)? {
        Ply::Move(_) => None,
        Ply::Throw(throw) => {
            let events = line.events(ply);
            let side = events.iter().find_map(|event| match event {
                Event::Thrown { side, .. } => Some(*side),
                _ => None,
            })?;
            Some(Last {
                side,
                throw,
                then: consequences(rules, events),
                off: throws_off(line, ply),
            })
        }
    });
    thrown.or_else(|| begun_with(line.start()))
}

/// The throw that a game from this position begins with.
fn begun_with(start: &AnyPosition) -> Option<Last> {
    let AnyPosition::Tablan(start) = start else { return None };
    let throw = start.pending()?;
    Some(Last { side: start.side(), throw, then: Vec::new(), off: false })
}

fn consequences(rules: RuleSet, events: &[Event]) -> Vec<String> {
    events
        .iter()
        .filter(|event| {
            matches!(event, Event::Passed { .. } | Event::Lost { .. } | Event::Announced(_))
        })
        .filter_map(|event| describe_event(rules, event))
        .collect()
}

/// How sticks can be thrown here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hands {
    /// Nobody at this screen throws.
    None,
    /// A button does; whether it can be used now.
    Button(bool),
    /// Somebody throws real ones and says now what they show.
    Tells,
}

/// Shows the last throw of a game of which `shown` plies have been shown, and
/// what throws. `lot` is what it said where it was drawn for this game.
pub(crate) fn show(
    context: &Context,
    place: Rect,
    line: &GameHistory<AnyPosition>,
    shown: usize,
    hands: Hands,
    lot: Option<&str>,
    asked: &mut Vec<Action>,
) {
    let narrow = place.width() < 560.0;
    widgets::pane(context, "dock", place, theme::pane(), |ui| {
        ui.horizontal_centered(|ui| {
            if narrow {
                ui.spacing_mut().item_spacing.x = 4.0;
            }
            match hands {
                Hands::None => {}
                Hands::Button(enabled) => {
                    ui.add_enabled_ui(enabled, |ui| {
                        let size = if narrow { vec2(90.0, 52.0) } else { vec2(120.0, 52.0) };
                        let throw = widgets::main_button(ui, tr("desk.throw"), size)
                            .on_disabled_hover_text(tr("desk.not-your-throw"));
                        if throw.clicked() {
                            asked.push(Action::Game(GameAction::Throw));
                        }
                    });
                    ui.add_space(12.0);
                }
                Hands::Tells => {
                    told(ui, asked);
                    return;
                }
            }
            match last(line, shown) {
                Some(last) => counted(ui, line.start().rules(), &last, narrow),
                None => {
                    widgets::note(ui, lot.unwrap_or(tr("desk.not-thrown")));
                }
            }
        });
    });
}

/// Asks what real sticks have shown.
fn told(ui: &mut Ui, asked: &mut Vec<Action>) {
    ui.vertical(|ui| {
        widgets::note(ui, tr("desk.what-lies"));
        ui.horizontal(|ui| {
            for plain in 0..=4_u8 {
                let size = vec2(52.0, 36.0);
                if widgets::main_button(ui, &plain.to_string(), size).clicked() {
                    asked.push(Action::Game(GameAction::EnterThrow(plain)));
                }
            }
        });
    });
}

/// A throw in words; one that was only for who starts scores nothing.
fn words(last: &Last) -> String {
    if last.off { describe_throw_off(last.throw) } else { describe_throw(last.throw) }
}

fn counted(ui: &mut Ui, rules: RuleSet, last: &Last, narrow: bool) {
    widgets::sticks(ui, last.throw.plain(), if narrow { 44.0 } else { 56.0 });
    ui.add_space(if narrow { 6.0 } else { 12.0 });
    let text = format!("{}: {}", side_label(rules, last.side), words(last));
    let then = last.then.join(" ");
    let size = match (narrow, then.is_empty()) {
        (false, _) => LARGE + 2.0,
        (true, true) => BODY,
        (true, false) => SMALL,
    };
    let room = ui.available_width();
    let high = |text: &str, size: f32| {
        let font = FontId::proportional(size);
        ui.painter().layout(text.to_owned(), font, INK, room).size().y
    };
    let mut all = high(&text, size);
    if !then.is_empty() {
        all += high(&then, SMALL);
    }
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space((ui.available_height() - all).max(0.0) / 2.0);
        widgets::wrapped(ui, &text, size, INK);
        if !then.is_empty() {
            widgets::wrapped(ui, &then, SMALL, MUTED);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Ply;

    #[test]
    fn the_last_throw_shown_is_counted_out_with_what_came_of_it() {
        let mut line = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
        assert_eq!(last(&line, 0), None);
        for plain in [2, 1] {
            line.push(Ply::Throw(Throw::new(plain).unwrap())).unwrap();
        }
        let first = last(&line, 1).unwrap();
        assert_eq!((first.side, first.throw), (Side::First, Throw::ALL[2]));
        assert_eq!(words(&first), "2 plain sides up, not just one");
        let second = last(&line, 2).unwrap();
        assert_eq!((second.side, second.throw), (Side::Second, Throw::ALL[1]));
        assert_eq!(second.then, ["North has shown just one plain side and starts."]);
    }

    #[test]
    fn the_throw_a_position_begins_with_lies_there() {
        let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t4").unwrap();
        let line = GameHistory::new(start);
        let last = last(&line, 0).unwrap();
        assert_eq!((last.side, last.throw, last.off), (Side::First, Throw::ALL[4], false));
    }
}
