//! The screen of a game being played: lays out its panels.

mod headline;
mod layout;

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{Context, Rect},
};

use self::{
    headline::{Headline, game_headline, second_half_status, throw_under_way, viewed_status},
    layout::Layout,
};
use super::{
    analysis_panel, clocks::Clocks, lesson_panel, move_list::MoveList, practice_panel,
    puzzle_panel, side_panel, status_pill, throw_panel, toolbar,
};
use crate::{
    app::{
        analysis::{Analysis, Evaluation},
        core::{
            actions::{Action, GameAction},
            states::{OnTable, PanelsHidden, Screen},
        },
        game::{
            online::OnlineTable,
            referee::{EngineThinking, GameLog, Question, Referee},
        },
        lesson::Lesson,
        practice::{PracticeSession, PractisedGame},
        puzzles::PuzzleTrainer,
        scene::api::{BoardOrientation, Highlights, MotionStatus, ViewportInsets},
        ui::{
            UiSet, dialogs,
            overlays::{callout::Callout, end_banner::EndBanner, question::TutorQuestion},
            reserve_insets,
            widgets::evaluation_bar,
        },
    },
    games::{AnyPosition, Game, GameHistory, Side, Square, Turn},
    i18n::{tr, tr_args},
    online::OnlineState,
    session::{
        GameSession, LessonGoal, LessonStep, Seat, describe_lot, describe_ply, describe_standing,
        player_label,
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
    (referee, online): (Res<Referee>, Res<OnlineTable>),
    (log, thinking): (Res<GameLog>, Res<EngineThinking>),
    (lesson, practice, trainer): (Res<Lesson>, Res<PracticeSession>, Res<PuzzleTrainer>),
    analysis: Res<Analysis>,
    (highlights, orientation): (Res<Highlights>, Res<BoardOrientation>),
    (motion, hidden): (Res<MotionStatus>, Res<PanelsHidden>),
    (mut insets, mut banner): (ResMut<ViewportInsets>, ResMut<EndBanner>),
    mut tutor: ResMut<TutorQuestion>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some(table) = &referee.table else { return };
    let window = context.content_rect();
    list.close_for_analysis(analysis.enabled, toolbar::is_tight(window.width()));
    let asks_for_tutor = referee.question.as_ref().is_some_and(Question::is_tutors);
    let screen = TableScreen {
        table,
        referee: &referee,
        log: &log.0,
        thinking: thinking.0,
        online: &online,
        lesson: &lesson,
        step: lesson.current_step().filter(|_| referee.on_table == OnTable::Lesson),
        practice: practice.game().filter(|_| referee.on_table == OnTable::Practice),
        trainer: Some(&*trainer)
            .filter(|it| it.current().is_some() && referee.on_table == OnTable::Puzzle),
        analysis: &analysis,
        near: orientation.near_side(),
        cursor: highlights.cursor,
        motion: &motion,
        shown: shown_plies(table, &motion),
        is_tight: toolbar::is_tight(window.width()),
        end_height: banner.is_due(&referee, &motion).then(|| banner.height(window.height())),
        question_height: asks_for_tutor.then(|| tutor.height(window.height())),
    };
    let mut requested = Vec::new();
    if hidden.0 {
        (banner.room, tutor.room) = (None, None);
        reserve_insets(context, &mut insets, ViewportInsets::default());
    } else {
        let layout = screen.layout(window, list.is_open);
        (banner.room, tutor.room) = (layout.end, layout.question);
        reserve_insets(context, &mut insets, layout.insets(window));
        screen.show_panels(context, &layout, &mut list, &mut requested);
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
    /// The log of the game.
    log: &'a [String],
    /// Whether an engine is thinking.
    thinking: bool,
    online: &'a OnlineTable,
    lesson: &'a Lesson,
    /// The step of the lesson that is on.
    step: Option<&'static LessonStep>,
    /// The game whose mistakes are practised.
    practice: Option<&'a PractisedGame>,
    /// The trainer, while a puzzle is on the board.
    trainer: Option<&'a PuzzleTrainer>,
    analysis: &'a Analysis,
    /// The side that sits near: its plate is the lower one.
    near: Side,
    /// The square under the keyboard's cursor.
    cursor: Option<Square>,
    motion: &'a MotionStatus,
    /// How many plies have been shown to their end.
    shown: usize,
    is_tight: bool,
    /// How much height the panel at the end of the game takes, if it is due.
    end_height: Option<f32>,
    /// How much height the tutor's question takes, if it is asked.
    question_height: Option<f32>,
}

impl TableScreen<'_> {
    /// The ply that is looked at.
    fn current(&self) -> usize {
        self.referee.viewed_ply.unwrap_or(self.shown)
    }

    /// Whether a text about the position stands in place of the list of moves.
    const fn is_lesson(&self) -> bool {
        self.step.is_some() || self.practice.is_some() || self.trainer.is_some()
    }

    fn layout(&self, window: Rect, list: bool) -> Layout {
        let has_sticks = self.table.rules().has_sticks();
        if self.is_lesson() {
            return Layout::for_lesson(window, has_sticks);
        }
        let mut layout = Layout::new(window, has_sticks, list);
        if self.table.match_standing().is_some() {
            layout = layout.with_score();
        }
        if let Some(height) = self.end_height {
            layout = layout.with_end(window, height);
        } else if let Some(height) = self.question_height {
            layout = layout.with_question(window, height);
        }
        if self.analysis.show_evaluation && layout.has_pill {
            layout = layout.with_evaluation(window);
        }
        if !self.analysis.enabled {
            return layout;
        }
        let throw_due = matches!(self.table.turn(), Some(Turn::Throw(_)));
        layout.with_analysis(window, list, throw_due && self.referee.viewed_ply.is_none())
    }

    /// Whose turn it is, in words and for the disc and the dots.
    fn headline(&self) -> Headline {
        let Referee { viewed_ply, locked, selection, .. } = self.referee;
        let side = self.table.turn().and_then(Turn::side);
        let still = |text: &str| Headline { text: text.to_owned(), ..Headline::default() };
        if let Some([from, to]) = selection.first_step() {
            let text = second_half_status(self.table, from, to);
            return Headline { text, side, awaits_player: true, thinking: false };
        }
        match viewed_ply {
            Some(plies) => {
                let history = self.table.history();
                let text = viewed_status(history, *plies);
                let side = history.at(*plies).and_then(|it| it.turn().side());
                Headline { text, side, ..Headline::default() }
            }
            None if let Some(text) = dialogs::online::waiting_text(self.online, self.table) => {
                still(text)
            }
            None if self.table.is_online() => game_headline(self.table, self.shown, false),
            None if *locked && let Some(game) = self.practice => {
                still(practice_panel::status(game))
            }
            None if *locked && let Some(puzzle) = self.trainer.and_then(PuzzleTrainer::current) => {
                still(puzzle_panel::status(puzzle))
            }
            None if *locked => {
                let reads = self.step.is_some_and(|step| step.goal == LessonGoal::Read);
                let is_last = self.lesson.step + 1 == self.lesson.steps();
                if is_last {
                    let button = [("button", tr("lesson.to-play"))];
                    return still(&tr_args("status.lesson-end", &button));
                }
                still(tr(if reads { "status.read" } else { "status.step" }))
            }
            None if self.referee.awaits_verdict() => {
                let is_judged = self.referee.question.is_some();
                still(tr(if is_judged { "tutor.waits" } else { "tutor.judging" }))
            }
            None => game_headline(self.table, self.shown, self.thinking),
        }
    }

    fn show_panels(
        &self,
        context: &Context,
        layout: &Layout,
        list: &mut MoveList,
        actions: &mut Vec<Action>,
    ) {
        self.show_status(context, layout, list, actions);
        if let (Some(strip), Some(score)) = (layout.score, describe_standing(self.table)) {
            status_pill::show_score(context, strip, &score);
        }
        if let Some(rect) = layout.evaluation {
            self.show_evaluation(context, rect);
        }
        if let Some(rect) = layout.side {
            self.show_side(context, rect, list, actions);
        }
        if let Some(rect) = layout.analysis {
            analysis_panel::show(context, rect, &self.analysed_game(), actions);
        }
        if let Some(rect) = layout.throw_panel {
            self.show_throw_panel(context, rect, actions);
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
        let (history, referee) = (self.table.history(), self.referee);
        let headline = self.headline();
        // The side panel warns otherwise.
        let is_latest = self.shown == history.len() && referee.viewed_ply.is_none();
        let warns = self.is_tight && !list.is_open && is_latest;
        let status = toolbar::Status {
            text: &headline.text,
            thinking: headline.thinking,
            awaits_player: headline.awaits_player,
            views_earlier: referee.viewed_ply.is_some(),
            move_due: referee.awaits_move(),
            can_undo: self.can_undo(),
            half_selected: referee.selection.first_step().is_some(),
            turn: headline.side,
            warning: warns.then(|| crate::session::warning(history.position())).flatten(),
            clocks: Clocks::new(self.table, referee.viewed_ply),
            lesson: self.is_lesson(),
            exercise: self.is_lesson() && self.step.is_none(),
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
        let (history, current) = (self.table.history(), self.current());
        let is_over = current == history.len() && self.table.outcome().is_some();
        let is_old = !is_over && self.analysis.is_old_at(history, current);
        let (rules, near) = (self.table.rules(), self.near);
        evaluation_bar::show_beside(context, rect, rules, near, self.value(), is_old);
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
        if let Some((trainer, puzzle)) = self.trainer.and_then(|it| Some((it, it.current()?))) {
            puzzle_panel::show(context, rect, trainer, puzzle, actions);
            return;
        }
        let comment = |ply| table.comments(ply).join("\n");
        let outcome = table.outcome().filter(|_| current == history.len());
        let headline = self.headline();
        let played = self.online.game().filter(|_| table.is_online());
        let connection = played.and_then(dialogs::online::connection_text).unwrap_or_default();
        let game = side_panel::Game {
            history,
            listed: self.shown,
            current,
            players: Side::BOTH.map(|side| player_label(table, side)),
            away: Side::BOTH.map(|side| self.is_away(side)),
            near: self.near,
            turn: headline.side,
            clocks: Clocks::new(table, self.referee.viewed_ply).filter(|_| !self.is_tight),
            thinking: headline.thinking,
            viewer: table.only_person(),
            subtitle: &connection,
            comment: &comment,
            // The panel at the end says the same.
            announced: match self.end_height {
                Some(_) => &[],
                None => announced_until(self.log, history, current),
            },
            cursor: self.cursor,
            result: outcome.map(|it| Evaluation::ended(it.winner())),
            analysis: self.analysis,
            evaluation_beside: !self.is_tight,
            tools: (!self.is_tight).then(|| side_panel::Tools {
                views_earlier: self.referee.viewed_ply.is_some(),
                can_undo: self.can_undo() || self.referee.selection.first_step().is_some(),
                can_hint: self.referee.awaits_move()
                    && !self.referee.forbids_help()
                    && !self.analysis.hint_pending,
                after_end: self.after_end(),
            }),
            tree: None,
            explorer: None,
            analysed: Some(self.analysed_game()).filter(|_| {
                let window = context.content_rect().size();
                self.analysis.enabled && analysis_panel::stands_beside(window)
            }),
        };
        if let Some(ply) = side_panel::show(context, rect, &game, list, actions) {
            actions.push(GameAction::ViewPly(ply).into());
        }
    }

    /// Whether a side's player is not connected, in an online game.
    fn is_away(&self, side: Side) -> bool {
        let game = self.online.game().filter(|_| self.table.is_online());
        game.is_some_and(|game| {
            game.state() != OnlineState::Connecting
                && game.side() != Some(side)
                && !game.is_present(side)
        })
    }

    fn after_end(&self) -> Option<side_panel::AfterEnd> {
        // Until the last move has been shown, nothing tells that it was the last.
        let is_shown = self.end_height.is_none() && !self.motion.is_busy();
        if self.table.outcome().is_none() || !is_shown {
            return None;
        }
        let is_next = self.table.awaits_next_game();
        Some(if is_next { side_panel::AfterEnd::NextGame } else { side_panel::AfterEnd::Rematch })
    }

    fn can_undo(&self) -> bool {
        let puzzle = self.trainer.and_then(PuzzleTrainer::current);
        // What is solved of a puzzle stays.
        if puzzle.is_some_and(|it| self.table.history().len() <= it.played.len()) {
            return false;
        }
        if self.table.is_online() { self.online.can_undo() } else { self.table.can_undo() }
    }

    fn analysed_game(&self) -> analysis_panel::AnalysedGame<'_> {
        analysis_panel::AnalysedGame {
            history: self.table.history(),
            current: self.current(),
            revealed: self.shown,
            analysis: self.analysis,
            reviews: false,
            first_text: "",
            go_to: |ply| GameAction::ViewPly(ply).into(),
            usage: analysis_panel::Usage::default(),
        }
    }

    fn show_throw_panel(&self, context: &Context, rect: Rect, actions: &mut Vec<Action>) {
        let (table, referee) = (self.table, self.referee);
        let is_free = !self.motion.is_busy() && referee.viewed_ply.is_none();
        let control = if table.by_hand() && !table.is_online() {
            if table.hand_throws() && is_free {
                throw_panel::ThrowControl::Enter
            } else {
                throw_panel::ThrowControl::None
            }
        } else if table.seats().contains(&Seat::Person) || table.is_online() {
            throw_panel::ThrowControl::Button { enabled: referee.awaits_throw() && is_free }
        } else {
            throw_panel::ThrowControl::None
        };
        let (history, current) = (table.history(), self.current());
        let flies = referee.viewed_ply.is_none() && throw_under_way(history, self.shown);
        let note = if flies {
            Some(tr("status.sticks-fly").to_owned())
        } else {
            describe_lot(table).filter(|_| throw_panel::last_throw(history, current).is_none())
        };
        throw_panel::show(context, rect, history, current, control, note.as_deref(), actions);
    }
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

/// How many plies of the game on the table have been shown to their end.
pub(crate) fn shown_plies(table: &GameSession, motion: &MotionStatus) -> usize {
    table.history().len().saturating_sub(motion.pending)
}
