//! The panel of the casting sticks under the board: the last throw and what it
//! scored, and the button that throws.

use super::plies::throws_off;
use crate::{
    app::ui::{prelude::*, widgets},
    session::{describe_event, describe_throw, describe_throw_off},
};

/// How high the panel is.
pub(super) const HEIGHT: f32 = 96.0;

/// The last throw that has come to rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LastThrow {
    side: Side,
    throw: Throw,
    /// What it led to, in sentences.
    consequences: Vec<String>,
    /// Whether it only decided who starts.
    is_throw_off: bool,
}

/// The last throw among the first `shown` plies.
pub(super) fn last_throw(history: &GameHistory<AnyPosition>, shown: usize) -> Option<LastThrow> {
    let rules = history.start().rules();
    let thrown = (1..=shown).rev().find_map(|ply| match history.ply(ply)? {
        Ply::Move(_) => None,
        Ply::Throw(throw) => {
            let events = history.events(ply);
            let side = events.iter().find_map(|event| match event {
                Event::Thrown { side, .. } => Some(*side),
                _ => None,
            })?;
            Some(LastThrow {
                side,
                throw,
                consequences: consequences(rules, events),
                is_throw_off: throws_off(history, ply),
            })
        }
    });
    thrown.or_else(|| start_throw(history.start()))
}

/// The throw that a game from this position begins with.
fn start_throw(start: &AnyPosition) -> Option<LastThrow> {
    let AnyPosition::Tablan(start) = start else { return None };
    let throw = start.pending()?;
    Some(LastThrow { side: start.side(), throw, consequences: Vec::new(), is_throw_off: false })
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

/// How the sticks can be thrown now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThrowControl {
    /// Not by a person.
    None,
    /// With a button.
    Button {
        /// Whether it can be pressed now.
        enabled: bool,
        /// Whether it is pressed for the person.
        by_itself: bool,
    },
    /// With real sticks; buttons enter what they show.
    Enter,
}

/// Shows the last of the first `shown` plies that was a throw, and the control
/// that throws; nothing where there is neither, nor a note. A `note` stands in place of
/// the throw: that the sticks fly, or whom the lot lets begin.
pub(super) fn show(
    context: &Context,
    rect: Rect,
    history: &GameHistory<AnyPosition>,
    shown: usize,
    control: ThrowControl,
    note: Option<&str>,
    actions: &mut Vec<Action>,
) {
    let last = last_throw(history, shown);
    if control == ThrowControl::None && last.is_none() && note.is_none() {
        return;
    }
    let narrow = rect.width() < 560.0;
    let (rect, frame) = theme::foot_frame(rect);
    widgets::panel(context, "throw-panel", rect, frame, |ui| {
        ui.horizontal_centered(|ui| {
            if narrow {
                ui.spacing_mut().item_spacing.x = 4.0;
            }
            match control {
                ThrowControl::None => {}
                ThrowControl::Button { enabled, by_itself } => {
                    throw_button(ui, enabled, by_itself, actions);
                    ui.add_space(12.0);
                }
                ThrowControl::Enter => {
                    enter_buttons(ui, actions);
                    return;
                }
            }
            match (note, last) {
                (None, Some(last)) => {
                    // Once it has passed the sticks, the next one is due.
                    let is_used = matches!(control, ThrowControl::Button { enabled: true, .. });
                    let color = if is_used { MUTED } else { TEXT };
                    show_throw(ui, history.start().rules(), &last, narrow, color);
                }
                (note, _) => {
                    let note = note.unwrap_or(tr("desk.not-thrown"));
                    show_lines(ui, [(note, SMALL, MUTED)]);
                }
            }
        });
    });
}

/// The button, and below it whether it is pressed for the person.
fn throw_button(ui: &mut Ui, enabled: bool, mut by_itself: bool, actions: &mut Vec<Action>) {
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = space(1);
        let text = tr("act.toggle-automatic-throws");
        let width = widgets::text_width(ui, text, SMALL) + space(7);
        let size = vec2(width.max(BUTTON.x), BUTTON.y);
        ui.add_enabled_ui(enabled, |ui| {
            let throw = widgets::primary_button(ui, tr("act.throw"), size)
                .on_disabled_hover_text(tr("act.throw-off"));
            if throw.clicked() {
                actions.push(GameAction::Throw.into());
            }
        });
        let switch = ui.checkbox(&mut by_itself, RichText::new(text).size(SMALL));
        if switch.on_hover_text(tr("act.toggle-automatic-throws-hint")).changed() {
            actions.push(GameAction::ToggleAutomaticThrows.into());
        }
    });
}

/// The least size of the button.
const BUTTON: Vec2 = vec2(90.0, 38.0);

/// Buttons for what real sticks show.
fn enter_buttons(ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.vertical(|ui| {
        widgets::note(ui, tr("desk.what-lies"));
        ui.horizontal(|ui| {
            for plain in 0..=4_u8 {
                let number = RichText::new(plain.to_string()).size(LARGE);
                if ui.add(Button::new(number).min_size(vec2(52.0, 36.0))).clicked() {
                    actions.push(GameAction::EnterThrow(plain).into());
                }
            }
        });
    });
}

/// A throw in words; one that only decides who starts scores nothing.
fn text(last: &LastThrow) -> String {
    if last.is_throw_off { describe_throw_off(last.throw) } else { describe_throw(last.throw) }
}

/// The sticks as they lie, and the throw in words.
fn show_throw(ui: &mut Ui, rules: RuleSet, last: &LastThrow, narrow: bool, color: Color32) {
    widgets::casting_sticks(ui, last.throw.plain(), if narrow { 44.0 } else { 56.0 });
    ui.add_space(if narrow { 6.0 } else { 12.0 });
    let text = format!("{}: {}", side_label(rules, last.side), text(last));
    let consequences = last.consequences.join(" ");
    let size = match (narrow, consequences.is_empty()) {
        (false, _) => HEADING,
        (true, true) => BODY,
        (true, false) => SMALL,
    };
    show_lines(ui, [(&text, size, color), (&consequences, SMALL, MUTED)]);
}

/// Lines of text, vertically centred, over the one that tells what throws score; that one
/// only where it has room.
fn show_lines<const N: usize>(ui: &mut Ui, lines: [(&str, f32, Color32); N]) {
    let (room, height) = (ui.available_width(), ui.available_height());
    let of_line = |(text, size, _): &(&str, f32, Color32)| {
        let font = FontId::proportional(*size);
        ui.painter().layout((*text).to_owned(), font, TEXT, room).size().y
    };
    let scores = (tr("desk.scores"), SMALL, MUTED);
    let mut lines: Vec<_> = lines.into_iter().filter(|line| !line.0.is_empty()).collect();
    let mut total: f32 = lines.iter().map(of_line).sum();
    if total + of_line(&scores) <= height {
        total += of_line(&scores);
        lines.push(scores);
    }
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space((height - total).max(0.0) / 2.0);
        for (text, size, color) in lines {
            widgets::wrapped(ui, text, size, color);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_throw_is_shown_with_its_consequences() {
        let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
        assert_eq!(last_throw(&history, 0), None);
        for plain in [2, 1] {
            history.push(Ply::Throw(Throw::new(plain).unwrap())).unwrap();
        }
        let first = last_throw(&history, 1).unwrap();
        assert_eq!((first.side, first.throw), (Side::First, Throw::ALL[2]));
        assert_eq!(text(&first), "2 plain sides up, not just one");
        let second = last_throw(&history, 2).unwrap();
        assert_eq!((second.side, second.throw), (Side::Second, Throw::ALL[1]));
        assert_eq!(second.consequences, ["North starts, and uses this throw."]);
    }

    #[test]
    fn the_throw_that_a_position_begins_with_is_shown() {
        let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t4").unwrap();
        let history = GameHistory::new(start);
        let last = last_throw(&history, 0).unwrap();
        assert_eq!((last.side, last.throw, last.is_throw_off), (Side::First, Throw::ALL[4], false));
    }
}
