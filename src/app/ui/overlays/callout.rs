//! What happens on the board, called out over it in large letters: Raichi and
//! Tuichi, who starts, a throw that is lost, the end of a replay.

use super::{below_top, board_points::BoardPoints};
use crate::{
    app::ui::{prelude::*, widgets},
    games::Announcement,
    session::describe_lot,
};

/// How long a callout is shown (seconds).
const DURATION: f64 = 2.6;
/// How long of that it fades out (seconds).
const FADE: f64 = 0.6;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Callout>().add_systems(
        EguiPrimaryContextPass,
        (show, show_score).run_if(not(in_state(Screen::Title))).in_set(UiSet::Callout),
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
    /// Whether the text stays while the next plies are shown.
    stays: bool,
    /// The score of a throw, and when it was first shown (seconds).
    disc: Option<(ThrowScore, f64)>,
}

/// What a throw brought, as the disc beside the sticks shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ThrowScore {
    /// The score; none if it brought nothing.
    score: Option<u8>,
    /// The side that throws next, if the sticks pass to the other one.
    passes_to: Option<Side>,
}

impl ThrowScore {
    /// The score of the throw `shown` plies after the start; none for a move.
    fn of(history: &GameHistory<AnyPosition>, shown: usize) -> Option<Self> {
        let Some(Ply::Throw(throw)) = history.ply(shown) else { return None };
        let events = history.events(shown);
        let thrower = events.iter().find_map(|event| match event {
            Event::Thrown { side, .. } => Some(*side),
            _ => None,
        })?;
        let next = history.at(shown).and_then(|position| position.turn().side());
        let passes_to = next.filter(|next| *next != thrower);
        let score = (passes_to.is_none() && throw.score() > 0).then(|| throw.score());
        Some(Self { score, passes_to })
    }
}

impl Callout {
    /// Calls out, once, who starts a new game if that was drawn at random.
    pub(crate) fn announce_lot(&mut self, table: &GameSession, now: f64) {
        if let Some(text) =
            describe_lot(table).filter(|_| table.history().len() == table.drawn_throws())
            && self.seed != Some(table.seed())
        {
            let shown = Some((table.history().len(), table.history().position().key()));
            *self = Self {
                shown,
                seed: Some(table.seed()),
                text: Some((text, now)),
                stays: true,
                disc: None,
            };
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
            if text.is_some() || !self.stays {
                (self.text, self.stays) = (text.map(|text| (text, now)), false);
            }
            self.disc = ThrowScore::of(history, shown).map(|score| (score, now));
        } else if now_shown != self.shown {
            (self.text, self.stays, self.disc) = (None, false, None);
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

/// How long the score of a throw is shown (seconds).
const DISC_DURATION: f64 = 0.8;
/// The radius of its disc.
const DISC_RADIUS: f32 = space(8);

/// Shows the score of a throw on the table beside the sticks: a number, or that there is none
/// and who throws next.
fn show_score(
    mut contexts: EguiContexts,
    mut callout: ResMut<Callout>,
    table: BoardPoints,
    (referee, insets): (Res<Referee>, Res<ViewportInsets>),
    mut next: ResMut<NextFrame>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some((score, since)) = &callout.disc else { return };
    let age = context.input(|input| input.time) - since;
    if age > DISC_DURATION {
        callout.disc = None;
        return;
    }
    next.within(Duration::try_from_secs_f64(DISC_DURATION - age).unwrap_or_default());
    let rules = referee.table.as_ref().map_or(RuleSet::Tablan, GameSession::rules);
    let Some(sticks) = table.sticks(context) else { return };
    paint_score(context, scene_rect(context, &insets), sticks, score, rules);
}

/// Where something of this size stands beside the sticks, or over them where the scene is
/// too narrow.
fn beside_sticks(scene: Rect, sticks: Rect, size: Vec2) -> Rect {
    let right = Rect::from_min_size(
        pos2(sticks.right() + space(1), sticks.center().y - size.y / 2.0),
        size,
    );
    if right.right() <= scene.right() {
        return right;
    }
    Rect::from_center_size(sticks.center_top() - vec2(0.0, size.y / 2.0), size)
}

fn paint_score(context: &Context, scene: Rect, sticks: Rect, score: &ThrowScore, rules: RuleSet) {
    let painter = context.layer_painter(LayerId::new(Order::Foreground, Id::new("throw-score")));
    let line = Stroke::new(2.0, ACCENT);
    let layout = |text: String, font, color| painter.layout_no_wrap(text, font, color);
    if let Some(score) = score.score {
        let middle = beside_sticks(scene, sticks, Vec2::splat(2.0 * DISC_RADIUS)).center();
        painter.circle(middle, DISC_RADIUS, GROUND, line);
        let number = layout(score.to_string(), theme::strong(context, DISPLAY), ACCENT);
        painter.galley(middle - number.size() / 2.0, number, ACCENT);
        return;
    }
    let mut lines =
        vec![layout(tr("throw.nothing").to_owned(), theme::strong(context, LARGE), TEXT)];
    if let Some(side) = score.passes_to {
        let text = tr_args("throw.sticks-to", &[("side", side_label(rules, side))]);
        lines.push(layout(text, FontId::proportional(SMALL), MUTED));
    }
    let width = lines.iter().map(|line| line.size().x).fold(0.0, f32::max) + space(8);
    let height = lines.iter().map(|line| line.size().y).sum::<f32>() + space(4);
    let pill = beside_sticks(scene, sticks, vec2(width, height));
    painter.rect(pill, height / 2.0, GROUND, line, StrokeKind::Inside);
    let mut top = pill.top() + space(2);
    for line in lines {
        let size = line.size();
        painter.galley(pos2(pill.center().x - size.x / 2.0, top), line, TEXT);
        top += size.y;
    }
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
    fn a_start_that_was_drawn_is_called_out_once() {
        for draws_start in [false, true] {
            let setup = crate::session::Setup {
                draws_start,
                seed: Some(3),
                ..crate::session::Setup::new(RuleSet::Tablan)
            };
            let game = GameSession::new(setup);
            let mut callout = Callout::default();
            callout.announce_lot(&game, 1.0);
            let mut history = game.history().clone();
            callout.follow(&history, history.len(), false, 1.0);
            let next = history
                .legal_moves()
                .first()
                .map_or(Ply::Throw(Throw::ALL[2]), |mv| Ply::Move(*mv));
            history.push(next).unwrap();
            callout.follow(&history, history.len(), false, 1.2);
            assert_eq!(callout.text, Some((describe_lot(&game).unwrap(), 1.0)), "it can be read");
            callout.text = None;
            callout.announce_lot(&game, 9.0);
            assert_eq!(callout.text, None);
        }
    }

    #[test]
    fn every_throw_shows_its_score_or_to_whom_the_sticks_pass() {
        let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
        let mut callout = Callout::default();
        callout.follow(&history, 0, false, 0.0);
        let (south, north) = (Side::First, Side::Second);
        // Both throw off; North starts with 2, moves, and throws nothing.
        for (plain, score, passes_to) in [
            (4, None, Some(north)),
            (1, Some(2), None),
            (1, Some(2), None),
            (4, Some(8), None),
            (0, Some(12), None),
            (2, None, Some(south)),
        ] {
            history.push(Ply::Throw(Throw::new(plain).unwrap())).unwrap();
            let shown = history.len();
            callout.follow(&history, shown, false, 1.0);
            let expected = ThrowScore { score, passes_to };
            assert_eq!(callout.disc, Some((expected, 1.0)), "{plain} plain sides");
            if let Some(mv) = history.legal_moves().first().copied() {
                history.push(Ply::Move(mv)).unwrap();
                callout.follow(&history, history.len(), false, 2.0);
                assert_eq!(callout.disc, None, "a move has no score");
            }
        }
    }

    #[test]
    fn the_score_stands_beside_the_sticks_and_in_the_scene() {
        let size = vec2(120.0, 50.0);
        for width in [390.0, 700.0, 1000.0] {
            let scene = Rect::from_min_size(pos2(0.0, 40.0), vec2(width, 600.0));
            let sticks = Rect::from_center_size(pos2(width / 2.0, 550.0), vec2(0.66 * width, 90.0));
            let place = beside_sticks(scene, sticks, size);
            assert!(scene.contains_rect(place) && !place.shrink(0.1).intersects(sticks), "{width}");
        }
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
