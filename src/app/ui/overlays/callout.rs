//! What happens on the board, called out over it in large letters: Raichi and
//! Tuichi, who starts, a throw that is lost, the end of a replay.

use std::time::Duration;

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{Context, FontId, Rect},
};

use super::below_top;
use crate::{
    app::{
        core::{redraw::NextFrame, states::Screen},
        scene::api::ViewportInsets,
        ui::{
            UiSet,
            dock::scene_rect,
            theme::{ACCENT, DISPLAY, SMALL},
            widgets,
        },
    },
    games::{Announcement, AnyPosition, Event, Game as _, GameHistory, RuleSet},
    i18n::{tr, tr_args},
    session::{GameSession, describe_lot, side_label},
};

/// How long a callout is shown (seconds).
const DURATION: f64 = 2.6;
/// How long of that it fades out (seconds).
const FADE: f64 = 0.6;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Callout>().add_systems(
        EguiPrimaryContextPass,
        show.run_if(not(in_state(Screen::Title))).in_set(UiSet::Callout),
    );
}

/// What is called out.
#[derive(Resource, Debug, Default)]
pub(crate) struct Callout {
    /// How many plies were shown in the last frame, and the key of the position then.
    shown: Option<(usize, u64)>,
    /// The seed of the game whose draw for the start was called out.
    seed: Option<u64>,
    /// The text, and when it was first shown (seconds).
    text: Option<(String, f64)>,
}

impl Callout {
    /// Calls out, once, who starts a new game if that was drawn at random.
    pub(crate) fn announce_lot(&mut self, table: &GameSession, now: f64) {
        if let Some(text) = describe_lot(table).filter(|_| table.history().is_empty())
            && self.seed != Some(table.seed())
        {
            let shown = Some((0, table.history().position().key()));
            *self = Self { shown, seed: Some(table.seed()), text: Some((text, now)) };
        }
    }

    /// Calls out what the ply shown last brought; with `ends` the end of the
    /// game, too. A jump of several plies calls out nothing.
    pub(crate) fn follow(
        &mut self,
        history: &GameHistory<AnyPosition>,
        shown: usize,
        ends: bool,
        now: f64,
    ) {
        let position = |ply| Some((ply, history.at(ply)?.key()));
        let (before, now_shown) = (shown.checked_sub(1).and_then(position), position(shown));
        if before.is_some() && before == self.shown {
            let rules = history.start().rules();
            let text = history.events(shown).iter().find_map(|event| text(rules, event, ends));
            self.text = text.map(|text| (text, now));
        } else if now_shown != self.shown {
            self.text = None;
        }
        self.shown = now_shown;
    }
}

fn text(rules: RuleSet, event: &Event, ends: bool) -> Option<String> {
    match event {
        Event::Announced(Announcement::Raichi) => Some(tr("desk.raichi").to_owned()),
        Event::Announced(Announcement::Tuichi) => Some(tr("desk.tuichi").to_owned()),
        Event::Announced(Announcement::Starts(side)) => {
            Some(tr_args("desk.side-starts", &[("side", side_label(rules, *side))]))
        }
        Event::Lost { .. } => Some(tr("desk.throw-lost").to_owned()),
        Event::Ended(end) if ends => Some(match end.winner {
            Some(side) => tr_args("desk.side-wins", &[("side", side_label(rules, side))]),
            None => tr("desk.a-draw").to_owned(),
        }),
        _ => None,
    }
}

fn show(
    mut contexts: EguiContexts,
    mut callout: ResMut<Callout>,
    insets: Res<ViewportInsets>,
    mut next: ResMut<NextFrame>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some((text, since)) = &callout.text else { return };
    let age = context.input(|input| input.time) - since;
    if age > DURATION {
        callout.text = None;
        return;
    }
    #[expect(clippy::cast_possible_truncation, reason = "an opacity")]
    let opacity = ((DURATION - age) / FADE).clamp(0.0, 1.0) as f32;
    let scene = scene_rect(context, &insets);
    let top = below_top(scene, (scene.height() * 0.25).min(70.0));
    widgets::callout(context, "call", top, text, fitting_size(context, scene, text), opacity);
    let until_it_fades = Duration::try_from_secs_f64(DURATION - FADE - age);
    next.within(until_it_fades.unwrap_or_default());
}

/// The largest size at which the text has room in one line.
fn fitting_size(context: &Context, scene: Rect, text: &str) -> f32 {
    let font = FontId::proportional(DISPLAY);
    let width =
        context.fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font, ACCENT).size().x);
    (DISPLAY * (scene.width() - 56.0) / width).clamp(SMALL, DISPLAY).floor()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Ply, Side, Throw};

    #[test]
    fn a_ply_is_called_out_once_when_it_is_shown_and_not_after_a_jump() {
        let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
        for plain in [2, 1] {
            history.push(Ply::Throw(Throw::new(plain).unwrap())).unwrap();
        }
        let mut callout = Callout::default();
        callout.follow(&history, 1, false, 1.0);
        assert_eq!(callout.text, None);
        callout.follow(&history, 2, false, 2.0);
        callout.follow(&history, 2, false, 3.0);
        assert_eq!(callout.text, Some(("North starts".to_owned(), 2.0)));
        callout.follow(&history, 0, false, 4.0);
        assert_eq!(callout.text, None);
        callout.follow(&history, 2, false, 5.0);
        assert_eq!(callout.text, None, "two plies at once are a jump");
    }

    #[test]
    fn a_ply_of_another_game_is_not_called_out() {
        let [one, other] = [&[1][..], &[2, 1]].map(|throws| {
            let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
            for plain in throws {
                history.push(Ply::Throw(Throw::new(*plain).unwrap())).unwrap();
            }
            history
        });
        let mut callout = Callout::default();
        callout.follow(&one, 1, false, 1.0);
        callout.follow(&other, 2, false, 2.0);
        assert_eq!(callout.text, None);
    }

    #[test]
    fn the_end_is_called_out_only_where_no_banner_says_it() {
        let end = crate::games::End {
            winner: Some(Side::First),
            reason: crate::games::EndReason::Escape,
        };
        let event = Event::Ended(end);
        let says = |ends| text(RuleSet::TablutAshton, &event, ends);
        assert_eq!(says(true), Some("White wins".to_owned()));
        assert_eq!(says(false), None);
    }
}
