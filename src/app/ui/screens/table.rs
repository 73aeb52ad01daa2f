//! The screen of a game being played: lays out its panels.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{Rect, pos2},
};

use super::{
    analysis_panel, clocks::Clocks, lesson_panel, move_list, side_panel, throw_panel, toolbar,
};
use crate::{
    app::{
        analysis::{Analysis, Evaluation},
        core::actions::{Action, GameAction},
        game::referee::Referee,
        lesson::Lesson,
        scene::api::{Highlights, MotionStatus, ViewportInsets},
        ui::{
            send,
            state::{Call, UiState},
        },
    },
    games::{
        Announcement, AnyPosition, Event, Game, GameHistory, Ply, RuleSet, Side, Square, Turn,
    },
    i18n::{tr, tr_args},
    table::{
        GameSession, LessonGoal, Seat, describe_lot, describe_ply, seat_label, side_label, status,
    },
};

/// Shows the panels of the table.
pub(crate) fn show(
    mut contexts: EguiContexts<'_, '_>,
    mut desk: ResMut<'_, UiState>,
    referee: Res<'_, Referee>,
    lesson: Res<'_, Lesson>,
    advice: Res<'_, Analysis>,
    marks: Res<'_, Highlights>,
    motion: Res<'_, MotionStatus>,
    mut margins: ResMut<'_, ViewportInsets>,
    mut acts: MessageWriter<'_, Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some(table) = &referee.table else { return };
    let desk = &mut *desk;
    let screen = context.content_rect();
    desk.make_room(advice.enabled, toolbar::is_tight(screen.width()));
    let step = lesson.current_step().filter(|_| referee.lesson);
    let sticks = table.rules().has_sticks();
    let places = match step {
        Some(_) => Places::of_a_lesson(screen, sticks),
        None => Places::of(screen, sticks, desk.list),
    };
    let places = if advice.enabled && step.is_none() {
        let throw = matches!(table.turn(), Some(Turn::Throw(_))) && referee.viewed_ply.is_none();
        places.with_study(screen, desk.list, throw)
    } else {
        places
    };
    crate::app::ui::leave(context, &mut margins, places.margins(screen));

    let line = table.history();
    let last = shown(table, &motion);
    let current = referee.viewed_ply.unwrap_or(last);
    let clocks = Clocks::of(table, referee.viewed_ply);
    let mut asked = Vec::new();
    let tight = toolbar::is_tight(screen.width());
    let beside_no_panel = tight && !desk.list && last == line.len() && referee.viewed_ply.is_none();
    let telling = match referee.viewed_ply {
        Some(plies) => (looking_back(line, plies), false),
        None if referee.locked => {
            let reads = step.is_some_and(|step| step.goal == LessonGoal::Read);
            (tr(if reads { "status.read" } else { "status.step" }).to_owned(), false)
        }
        None => telling(table, last, referee.thinking),
    };
    let half = referee.selection.first_step();
    let telling = match half {
        Some([from, to]) => (second_half(table, from, to), true),
        None => telling,
    };
    let telling = toolbar::Telling {
        status: &telling.0,
        thinking: referee.thinking,
        calls: telling.1,
        looking: referee.viewed_ply.is_some(),
        plays: referee.awaits_move(),
        half: half.is_some(),
        turn: line
            .at(current)
            .and_then(|it| it.turn().side())
            .filter(|_| current < line.len() || table.outcome().is_none())
            .filter(|_| !referee.locked),
        warning: beside_no_panel
            .then(|| crate::table::warning(table.history().position()))
            .flatten(),
        clocks,
        lesson: step.is_some(),
    };
    toolbar::show(context, places.bar, table, &telling, &advice, desk, &mut asked);
    if let (Some(place), Some(step)) = (places.side, step) {
        lesson_panel::show(context, place, &lesson, step, line, &mut asked);
    } else if let Some(place) = places.side {
        let comment = |ply| table.comments(ply).join("\n");
        let sheet = side_panel::Dialog {
            line,
            listed: last,
            shown: current,
            players: names(table),
            turn: match line.at(current).filter(|_| current < line.len()) {
                Some(position) => position.turn().side(),
                None => table.turn().and_then(Turn::side),
            },
            clocks: clocks.filter(|_| !tight),
            thinking: referee.thinking,
            subtitle: "",
            comment: &comment,
            said: told(&referee.log, line, current),
            cursor: marks.cursor,
            end: table
                .outcome()
                .filter(|_| current == line.len())
                .map(|it| Evaluation::ended(it.winner())),
            advice: &advice,
        };
        if let Some(ply) = side_panel::show(context, place, &sheet, &mut desk.scrolled) {
            asked.push(Action::Game(GameAction::ViewPly(ply)));
        }
    }
    if let Some(place) = places.study {
        let (at, told, advice) = (current, last, &*advice);
        let studied = analysis_panel::Studied {
            line,
            at,
            told,
            advice,
            reviews: false,
            told_first: "",
            go: |ply| GameAction::ViewPly(ply).into(),
        };
        analysis_panel::show(context, place, &studied, &mut asked);
    }
    if let Some(place) = places.dock {
        let free = !motion.is_busy() && referee.viewed_ply.is_none();
        let hands = if table.by_hand() {
            if table.hand_throws() && free {
                throw_panel::Hands::Tells
            } else {
                throw_panel::Hands::None
            }
        } else if table.seats().contains(&Seat::Person) {
            throw_panel::Hands::Button(referee.awaits_throw() && free)
        } else {
            throw_panel::Hands::None
        };
        let lot = describe_lot(table);
        throw_panel::show(context, place, line, current, hands, lot.as_deref(), &mut asked);
    }
    let now = context.input(|input| input.time);
    draw_lot(&mut desk.call, table, now);
    listen(&mut desk.call, line, current, false, now);
    send(asked, &mut acts);
}

/// What is said while an earlier position is looked at.
fn looking_back(line: &GameHistory<AnyPosition>, plies: usize) -> String {
    let Some(ply) = line.ply(plies) else { return tr("status.looking-start").to_owned() };
    let throw = matches!(ply, Ply::Throw(_)).then(|| ply.to_string());
    let played = throw.or_else(|| line.notation(plies)).unwrap_or_default();
    let side = move_list::mover(line, plies).map_or("", |it| side_label(line.start().rules(), it));
    tr_args("status.looking", &[("side", side), ("move", &played)])
}

/// How many plies of the game on the table have been shown to their end.
pub(crate) fn shown(table: &GameSession, motion: &MotionStatus) -> usize {
    table.history().len().saturating_sub(motion.pending)
}

/// The status line, and whether it calls on the person who looks on. While a
/// throw still tumbles the line does not give its outcome away, and while a
/// move is under way it says which.
fn telling(table: &GameSession, shown: usize, thinking: bool) -> (String, bool) {
    let tumbling = (shown + 1..=table.history().len())
        .any(|ply| matches!(table.history().ply(ply), Some(Ply::Throw(_))));
    if tumbling {
        return (tr("status.sticks-fly").to_owned(), false);
    }
    let line = table.history();
    if shown < line.len()
        && !thinking
        && let (Some(side), Some(mv)) =
            (move_list::mover(line, line.len()), line.notation(line.len()))
    {
        let names = [("side", side_label(table.rules(), side)), ("move", mv.as_str())];
        return (tr_args("status.plays", &names), false);
    }
    (status(table), !thinking && (table.person_moves() || table.person_throws()))
}

/// What is to be done when one piece of a pair has been told where to go.
fn second_half(table: &GameSession, from: Square, to: Square) -> String {
    let half = match table.history().position() {
        AnyPosition::Tablan(position) => position.pending().map_or(0, |throw| throw.score() / 2),
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => 0,
    };
    tr_args("status.second-half", &[("move", &format!("{from}-{to}")), ("half", &half.to_string())])
}

/// What was said of the plies that have been shown: `said` without the words
/// for the plies still moving.
fn told<'a>(said: &'a [String], line: &GameHistory<AnyPosition>, shown: usize) -> &'a [String] {
    let early: usize = (shown + 1..=line.len()).map(|ply| describe_ply(line, ply).len()).sum();
    &said[..said.len().saturating_sub(early)]
}

fn names(table: &GameSession) -> [String; 2] {
    Side::BOTH.map(|side| {
        let (name, seat) = (&table.names()[side.index()], table.seats()[side.index()]);
        if name == "?" || *name == seat.name() { seat_label(seat) } else { name.clone() }
    })
}

/// Calls the lot out that was drawn for a new game, once.
fn draw_lot(call: &mut Call, table: &GameSession, now: f64) {
    if let Some(words) = describe_lot(table).filter(|_| table.history().is_empty())
        && call.lot != Some(table.seed())
    {
        call.lot = Some(table.seed());
        call.words = Some((words, now));
        call.heard = 0;
    }
}

/// Notes what the ply shown last calls out; the end of the game too where
/// `ends` says so.
pub(crate) fn listen(
    call: &mut Call,
    line: &GameHistory<AnyPosition>,
    shown: usize,
    ends: bool,
    now: f64,
) {
    if shown == call.heard + 1 {
        let rules = line.start().rules();
        let words = line.events(shown).iter().find_map(|event| called_out(rules, event, ends));
        call.words = words.map(|words| (words, now));
    } else if shown != call.heard {
        call.words = None;
    }
    call.heard = shown;
}

fn called_out(rules: RuleSet, event: &Event, ends: bool) -> Option<String> {
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

/// Where the panels of the table stand.
struct Places {
    bar: Rect,
    side: Option<Rect>,
    dock: Option<Rect>,
    study: Option<Rect>,
    /// How much of the scene the panel at the right takes.
    right: f32,
}

impl Places {
    /// In a tight window the list of moves stands beside the board when it is
    /// wanted, and the sticks on the table are touched instead of the dock's
    /// button.
    fn of(screen: Rect, sticks: bool, list: bool) -> Self {
        let tight = toolbar::is_tight(screen.width());
        let under = screen.top() + toolbar::height(screen.width());
        let shows_list = !tight || list;
        let right = if shows_list { side_panel::width(screen.width()) } else { 0.0 };
        let left = screen.right() - right;
        let bar = screen.with_max_y(under);
        let side = shows_list.then(|| Rect::from_min_max(pos2(left, under), screen.max));
        let dock = (sticks && !(tight && list)).then(|| {
            let top = screen.bottom() - throw_panel::HEIGHT;
            Rect::from_min_max(pos2(screen.left(), top), pos2(left, screen.bottom()))
        });
        Self { bar, side, dock, study: None, right }
    }

    /// The analysis stands under the board, over the sticks; where there is
    /// little room it gives way to the list of moves.
    fn with_study(mut self, screen: Rect, list: bool, throw: bool) -> Self {
        let tight = toolbar::is_tight(screen.width());
        let low = tight || analysis_panel::is_low(screen.height());
        // Before a throw there is nothing to analyse, but something to press.
        if tight && list || low && throw {
            return self;
        }
        if low {
            self.dock = None;
        }
        let floor = self.dock.map_or(screen.bottom(), |dock| dock.top());
        let right = screen.right() - self.right;
        let high = analysis_panel::height(screen.size());
        let top = (floor - high).max(self.bar.bottom());
        self.study = Some(Rect::from_min_max(pos2(screen.left(), top), pos2(right, floor)));
        self
    }

    /// A lesson's text stands where the moves do. Where there is little room
    /// the bar says nothing that the lesson does not.
    fn of_a_lesson(screen: Rect, sticks: bool) -> Self {
        let mut places = Self::of(screen, sticks, true);
        if toolbar::is_tight(screen.width()) {
            let under = screen.top() + toolbar::BUTTONS;
            places.bar = screen.with_max_y(under);
            places.side = places.side.map(|side| side.with_min_y(under));
        }
        places
    }

    fn margins(&self, screen: Rect) -> ViewportInsets {
        let dock = self.dock.map_or(0.0, |dock| dock.height())
            + self.study.map_or(0.0, |study| study.height());
        ViewportInsets {
            left: 0.0,
            right: self.right,
            top: self.bar.height().min(screen.height()),
            bottom: dock,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Throw;

    #[test]
    fn a_ply_is_called_out_once_when_it_is_shown_and_not_after_a_jump() {
        let mut line = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
        for plain in [2, 1] {
            line.push(Ply::Throw(Throw::new(plain).unwrap())).unwrap();
        }
        let mut call = Call::default();
        listen(&mut call, &line, 1, false, 1.0);
        assert_eq!(call.words, None);
        listen(&mut call, &line, 2, false, 2.0);
        listen(&mut call, &line, 2, false, 3.0);
        assert_eq!(call.words, Some(("North starts".to_owned(), 2.0)));
        listen(&mut call, &line, 0, false, 4.0);
        assert_eq!(call.words, None);
        listen(&mut call, &line, 2, false, 5.0);
        assert_eq!(call.words, None, "two plies at once are a jump");
    }

    #[test]
    fn the_end_is_called_out_only_where_no_banner_says_it() {
        let end = crate::games::End {
            winner: Some(Side::First),
            reason: crate::games::EndReason::Escape,
        };
        let event = Event::Ended(end);
        let says = |ends| called_out(RuleSet::TablutAshton, &event, ends);
        assert_eq!(says(true), Some("White wins".to_owned()));
        assert_eq!(says(false), None);
    }

    #[test]
    fn the_status_tells_the_ply_under_way_before_it_calls_for_the_next() {
        let mut table = GameSession::new(crate::table::Setup::new(RuleSet::Tablaaza));
        let first = table.history().parse("d4").unwrap();
        let Ply::Move(first) = first else { panic!("a move") };
        table.play(first).unwrap();
        assert_eq!(telling(&table, 0, false), ("Red plays d4.".to_owned(), false));
        assert!(telling(&table, 1, false).1, "Green is called on");
        assert_eq!(telling(&table, 0, true).0, status(&table), "the other one thinks already");
    }
}
