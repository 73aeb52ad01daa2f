//! The screen of a game being played: lays out its panels.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{Context, Rect, pos2},
};

use super::{
    analysis_panel,
    clocks::Clocks,
    lesson_panel,
    move_list::{self, MoveList},
    practice_panel, side_panel, status_pill, throw_panel, toolbar,
};
use crate::{
    app::{
        analysis::{Analysis, Evaluation},
        core::{
            actions::{Action, GameAction},
            states::Screen,
        },
        game::referee::Referee,
        lesson::Lesson,
        practice::{PracticeSession, PractisedGame},
        scene::api::{Highlights, MotionStatus, ViewportInsets},
        ui::{UiSet, overlays::callout::Callout, reserve_insets, widgets::evaluation_bar},
    },
    games::{AnyPosition, Game, GameHistory, Ply, Side, Square, Turn},
    i18n::{tr, tr_args},
    table::{
        GameSession, LessonGoal, LessonStep, Seat, describe_lot, describe_ply, seat_label,
        side_label, status,
    },
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        show.run_if(in_state(Screen::Table)).in_set(UiSet::Screens),
    );
}

fn show(
    mut contexts: EguiContexts,
    (mut list, mut callout): (ResMut<MoveList>, ResMut<Callout>),
    referee: Res<Referee>,
    (lesson, practice): (Res<Lesson>, Res<PracticeSession>),
    analysis: Res<Analysis>,
    highlights: Res<Highlights>,
    motion: Res<MotionStatus>,
    mut insets: ResMut<ViewportInsets>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some(table) = &referee.table else { return };
    let window = context.content_rect();
    list.close_for_analysis(analysis.enabled, toolbar::is_tight(window.width()));
    let screen = TableScreen {
        table,
        referee: &referee,
        lesson: &lesson,
        step: lesson.current_step().filter(|_| referee.lesson),
        practice: practice.game().filter(|_| referee.lesson),
        analysis: &analysis,
        cursor: highlights.cursor,
        motion: &motion,
        shown: shown_plies(table, &motion),
        is_tight: toolbar::is_tight(window.width()),
    };
    let layout = screen.layout(window, list.is_open);
    reserve_insets(context, &mut insets, layout.insets(window));
    let mut requested = Vec::new();
    screen.show_status(context, &layout, &mut list, &mut requested);
    if let Some(rect) = layout.evaluation {
        screen.show_evaluation(context, rect);
    }
    if let Some(rect) = layout.side {
        screen.show_side(context, rect, &mut list, &mut requested);
    }
    if let Some(rect) = layout.analysis {
        screen.show_analysis(context, rect, &mut requested);
    }
    if let Some(rect) = layout.throw_panel {
        screen.show_throw_panel(context, rect, &mut requested);
    }
    let now = context.input(|input| input.time);
    callout.announce_lot(table, now);
    callout.follow(table.history(), screen.current(), false, now);
    actions.write_batch(requested);
}

/// What the panels of the table are about.
struct TableScreen<'a> {
    table: &'a GameSession,
    referee: &'a Referee,
    lesson: &'a Lesson,
    /// The step of the lesson that is on.
    step: Option<&'static LessonStep>,
    /// The game whose mistakes are practised.
    practice: Option<&'a PractisedGame>,
    analysis: &'a Analysis,
    /// The square under the keyboard's cursor.
    cursor: Option<Square>,
    motion: &'a MotionStatus,
    /// How many plies have been shown to their end.
    shown: usize,
    is_tight: bool,
}

impl TableScreen<'_> {
    /// The ply that is looked at.
    fn current(&self) -> usize {
        self.referee.viewed_ply.unwrap_or(self.shown)
    }

    /// Whether a text about the position stands in place of the list of moves.
    const fn is_lesson(&self) -> bool {
        self.step.is_some() || self.practice.is_some()
    }

    fn layout(&self, window: Rect, list: bool) -> Layout {
        let has_sticks = self.table.rules().has_sticks();
        if self.is_lesson() {
            return Layout::for_lesson(window, has_sticks);
        }
        let mut layout = Layout::new(window, has_sticks, list);
        if self.analysis.show_evaluation && layout.has_pill {
            layout = layout.with_evaluation(window);
        }
        if !self.analysis.enabled {
            return layout;
        }
        let throw_due = matches!(self.table.turn(), Some(Turn::Throw(_)));
        layout.with_analysis(window, list, throw_due && self.referee.viewed_ply.is_none())
    }

    /// The status line, and whether it calls on the player.
    fn status(&self) -> (String, bool) {
        let Referee { viewed_ply, locked, thinking, selection, .. } = self.referee;
        if let Some([from, to]) = selection.first_step() {
            return (second_half_status(self.table, from, to), true);
        }
        match viewed_ply {
            Some(plies) => (viewed_status(self.table.history(), *plies), false),
            None if *locked && let Some(game) = self.practice => {
                (practice_panel::status(game).to_owned(), false)
            }
            None if *locked => {
                let reads = self.step.is_some_and(|step| step.goal == LessonGoal::Read);
                (tr(if reads { "status.read" } else { "status.step" }).to_owned(), false)
            }
            None if self.referee.awaits_verdict() => (tr("tutor.judging").to_owned(), false),
            None => game_status(self.table, self.shown, *thinking),
        }
    }

    /// The pill, or the toolbar.
    fn show_status(
        &self,
        context: &Context,
        layout: &Layout,
        list: &mut MoveList,
        actions: &mut Vec<Action>,
    ) {
        let (history, referee, current) = (self.table.history(), self.referee, self.current());
        let (text, awaits_player) = self.status();
        // The side panel warns otherwise.
        let is_latest = self.shown == history.len() && referee.viewed_ply.is_none();
        let warns = self.is_tight && !list.is_open && is_latest;
        let status = toolbar::Status {
            text: &text,
            thinking: referee.thinking,
            awaits_player,
            views_earlier: referee.viewed_ply.is_some(),
            move_due: referee.awaits_move(),
            half_selected: referee.selection.first_step().is_some(),
            turn: history
                .at(current)
                .and_then(|it| it.turn().side())
                .filter(|_| current < history.len() || self.table.outcome().is_none())
                .filter(|_| !referee.locked),
            warning: warns.then(|| crate::table::warning(history.position())).flatten(),
            clocks: Clocks::new(self.table, referee.viewed_ply),
            lesson: self.is_lesson(),
        };
        if layout.has_pill {
            status_pill::show(context, layout.bar, self.table.rules(), &status);
        } else {
            toolbar::show(context, layout.bar, self.table, &status, self.analysis, list, actions);
        }
    }

    /// The evaluation of the position that is shown.
    fn value(&self) -> Option<Evaluation> {
        let (history, current) = (self.table.history(), self.current());
        let outcome = self.table.outcome().filter(|_| current == history.len());
        let result = outcome.map(|it| Evaluation::ended(it.winner()));
        result.or_else(|| self.analysis.value_at(history, current))
    }

    fn show_evaluation(&self, context: &Context, rect: Rect) {
        evaluation_bar::show_beside(context, rect, self.table.rules(), self.near(), self.value());
    }

    /// The side whose plate is the lower one: the person's against an engine.
    fn near(&self) -> Side {
        match self.table.seats() {
            [Seat::Engine(_), Seat::Person] => Side::Second,
            _ => Side::First,
        }
    }

    /// The lesson's text, or the game.
    fn show_side(
        &self,
        context: &Context,
        rect: Rect,
        list: &mut MoveList,
        actions: &mut Vec<Action>,
    ) {
        let (table, history, current) = (self.table, self.table.history(), self.current());
        if let Some(step) = self.step {
            lesson_panel::show(context, rect, self.lesson, step, history, actions);
            return;
        }
        if let Some(game) = self.practice {
            practice_panel::show(context, rect, game, self.analysis, actions);
            return;
        }
        let comment = |ply| table.comments(ply).join("\n");
        let outcome = table.outcome().filter(|_| current == history.len());
        let game = side_panel::Game {
            history,
            listed: self.shown,
            current,
            players: player_names(table),
            near: self.near(),
            turn: match history.at(current).filter(|_| current < history.len()) {
                Some(position) => position.turn().side(),
                None => table.turn().and_then(Turn::side),
            },
            clocks: Clocks::new(table, self.referee.viewed_ply).filter(|_| !self.is_tight),
            thinking: self.referee.thinking,
            subtitle: "",
            comment: &comment,
            announced: announced_until(&self.referee.log, history, current),
            cursor: self.cursor,
            result: outcome.map(|it| Evaluation::ended(it.winner())),
            analysis: self.analysis,
            evaluation_beside: !self.is_tight,
            tools: (!self.is_tight).then(|| side_panel::Tools {
                views_earlier: self.referee.viewed_ply.is_some(),
                can_undo: table.can_undo() || self.referee.selection.first_step().is_some(),
                can_hint: self.referee.awaits_move() && !self.analysis.hint_pending,
            }),
            tree: None,
        };
        if let Some(ply) = side_panel::show(context, rect, &game, list, actions) {
            actions.push(GameAction::ViewPly(ply).into());
        }
    }

    fn show_analysis(&self, context: &Context, rect: Rect, actions: &mut Vec<Action>) {
        let game = analysis_panel::AnalysedGame {
            history: self.table.history(),
            current: self.current(),
            revealed: self.shown,
            analysis: self.analysis,
            reviews: false,
            first_text: "",
            go_to: |ply| GameAction::ViewPly(ply).into(),
        };
        analysis_panel::show(context, rect, &game, actions);
    }

    fn show_throw_panel(&self, context: &Context, rect: Rect, actions: &mut Vec<Action>) {
        let (table, referee) = (self.table, self.referee);
        let is_free = !self.motion.is_busy() && referee.viewed_ply.is_none();
        let control = if table.by_hand() {
            if table.hand_throws() && is_free {
                throw_panel::ThrowControl::Enter
            } else {
                throw_panel::ThrowControl::None
            }
        } else if table.seats().contains(&Seat::Person) {
            throw_panel::ThrowControl::Button { enabled: referee.awaits_throw() && is_free }
        } else {
            throw_panel::ThrowControl::None
        };
        let (history, current, lot) = (table.history(), self.current(), describe_lot(table));
        throw_panel::show(context, rect, history, current, control, lot.as_deref(), actions);
    }
}

/// The status line while an earlier position is looked at.
fn viewed_status(history: &GameHistory<AnyPosition>, plies: usize) -> String {
    let Some(ply) = history.ply(plies) else { return tr("status.looking-start").to_owned() };
    let throw = matches!(ply, Ply::Throw(_)).then(|| ply.to_string());
    let played = throw.or_else(|| history.notation(plies)).unwrap_or_default();
    let side =
        move_list::mover(history, plies).map_or("", |it| side_label(history.start().rules(), it));
    tr_args("status.looking", &[("side", side), ("move", &played)])
}

/// How many plies of the game on the table have been shown to their end.
pub(crate) fn shown_plies(table: &GameSession, motion: &MotionStatus) -> usize {
    table.history().len().saturating_sub(motion.pending)
}

/// The status line of the game, and whether it calls on the player. It does not
/// reveal a throw that still tumbles, and names a move that is still under way.
fn game_status(table: &GameSession, shown: usize, thinking: bool) -> (String, bool) {
    let tumbles = (shown + 1..=table.history().len())
        .any(|ply| matches!(table.history().ply(ply), Some(Ply::Throw(_))));
    if tumbles {
        return (tr("status.sticks-fly").to_owned(), false);
    }
    let history = table.history();
    if shown < history.len()
        && !thinking
        && let (Some(side), Some(mv)) =
            (move_list::mover(history, history.len()), history.notation(history.len()))
    {
        let names = [("side", side_label(table.rules(), side)), ("move", mv.as_str())];
        return (tr_args("status.plays", &names), false);
    }
    (status(table), !thinking && (table.person_moves() || table.person_throws()))
}

/// The status line when one of a pair of moves has been chosen.
fn second_half_status(table: &GameSession, from: Square, to: Square) -> String {
    let half = match table.history().position() {
        AnyPosition::Tablan(position) => position.pending().map_or(0, |throw| throw.score() / 2),
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => 0,
    };
    tr_args("status.second-half", &[("move", &format!("{from}-{to}")), ("half", &half.to_string())])
}

/// What was announced of the first `shown` plies.
fn announced_until<'a>(
    announced: &'a [String],
    history: &GameHistory<AnyPosition>,
    shown: usize,
) -> &'a [String] {
    let later: usize =
        (shown + 1..=history.len()).map(|ply| describe_ply(history, ply).len()).sum();
    &announced[..announced.len().saturating_sub(later)]
}

fn player_names(table: &GameSession) -> [String; 2] {
    Side::BOTH.map(|side| {
        let (name, seat) = (&table.names()[side.index()], table.seats()[side.index()]);
        if name == "?" || *name == seat.name() { seat_label(seat) } else { name.clone() }
    })
}

/// Where the panels of the table stand.
struct Layout {
    /// Whether a pill over the board says whose turn it is; else a toolbar.
    has_pill: bool,
    /// The toolbar, or the strip in which the pill stands.
    bar: Rect,
    /// The evaluation at the left of the board.
    evaluation: Option<Rect>,
    side: Option<Rect>,
    throw_panel: Option<Rect>,
    analysis: Option<Rect>,
    /// How much of the scene the panel at the right takes.
    right: f32,
}

impl Layout {
    /// In a tight window the list of moves stands beside the board only when it
    /// is open, and then the sticks on the board replace the throw panel.
    fn new(screen: Rect, sticks: bool, list: bool) -> Self {
        let tight = toolbar::is_tight(screen.width());
        let high = if tight { toolbar::height(screen.width()) } else { status_pill::HEIGHT };
        let under = screen.top() + high;
        let shows_list = !tight || list;
        let right = if shows_list { side_panel::width(screen.width()) } else { 0.0 };
        let left = screen.right() - right;
        let bar = screen.with_max_y(under).with_max_x(if tight { screen.right() } else { left });
        let top = if tight { under } else { screen.top() };
        let side = shows_list.then(|| Rect::from_min_max(pos2(left, top), screen.max));
        let throw_panel = (sticks && !(tight && list)).then(|| {
            let top = screen.bottom() - throw_panel::HEIGHT;
            Rect::from_min_max(pos2(screen.left(), top), pos2(left, screen.bottom()))
        });
        Self { has_pill: !tight, bar, evaluation: None, side, throw_panel, analysis: None, right }
    }

    /// The evaluation stands between the pill and the throw panel.
    fn with_evaluation(mut self, screen: Rect) -> Self {
        let floor = self.throw_panel.map_or(screen.bottom(), |it| it.top());
        let corner = pos2(screen.left() + evaluation_bar::WIDTH, floor);
        self.evaluation = Some(Rect::from_min_max(pos2(screen.left(), self.bar.bottom()), corner));
        self
    }

    /// The analysis stands under the board, above the throw panel; where there
    /// is little room it gives way to the list of moves.
    fn with_analysis(mut self, screen: Rect, list: bool, throw: bool) -> Self {
        let tight = toolbar::is_tight(screen.width());
        let low = tight || analysis_panel::is_low(screen.height());
        // Before a throw there is nothing to analyse, and the button is needed.
        if tight && list || low && throw {
            return self;
        }
        if low {
            self.throw_panel = None;
        }
        let floor = self.throw_panel.map_or(screen.bottom(), |it| it.top());
        let right = screen.right() - self.right;
        let high = analysis_panel::height(screen.size());
        let top = (floor - high).max(self.bar.bottom());
        self.analysis = Some(Rect::from_min_max(pos2(screen.left(), top), pos2(right, floor)));
        self.evaluation = self.evaluation.map(|it| it.with_max_y(top.max(it.top())));
        self
    }

    /// A lesson's text stands in place of the moves. Where there is little room
    /// the toolbar has no status line.
    fn for_lesson(screen: Rect, sticks: bool) -> Self {
        let mut layout = Self::new(screen, sticks, true);
        let high = if toolbar::is_tight(screen.width()) {
            toolbar::BUTTONS_HEIGHT
        } else {
            toolbar::height(screen.width())
        };
        let under = screen.top() + high;
        layout.has_pill = false;
        layout.bar = screen.with_max_y(under);
        layout.side = layout.side.map(|side| side.with_min_y(under));
        layout
    }

    fn insets(&self, screen: Rect) -> ViewportInsets {
        let bottom = self.throw_panel.map_or(0.0, |it| it.height())
            + self.analysis.map_or(0.0, |analysis| analysis.height());
        ViewportInsets {
            left: self.evaluation.map_or(0.0, |it| it.width()),
            right: self.right,
            top: self.bar.height().min(screen.height()),
            bottom,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::RuleSet;

    #[test]
    fn the_status_names_the_ply_under_way_before_it_calls_on_the_next_player() {
        let mut table = GameSession::new(crate::table::Setup::new(RuleSet::Tablaaza));
        let first = table.history().parse("d4").unwrap();
        let Ply::Move(first) = first else { panic!("a move") };
        table.play(first).unwrap();
        assert_eq!(game_status(&table, 0, false), ("Red plays d4.".to_owned(), false));
        assert!(game_status(&table, 1, false).1, "Green is called on");
        assert_eq!(game_status(&table, 0, true).0, status(&table), "the other side thinks already");
    }
}
