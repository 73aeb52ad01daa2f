//! What the commands depend on, read from the whole app.

use crate::app::{
    analysis::Analysis,
    commands::CommandContext,
    core::{
        prelude::*,
        states::{ExportRunning, PanelsHidden},
    },
    explorer::Explorer,
    game::{files::OpenedFile, online::OnlineTable, suspended::SuspendedGame},
    lesson::Lesson,
    on_screen::OnScreen,
    practice::{PracticeSession, PractisedGame},
    puzzles::PuzzleTrainer,
    scene::api::{CourseShown, Photo, Pointed},
    settings::Settings,
};

/// The state of the app as the commands see it.
#[derive(SystemParam)]
pub(crate) struct CommandState<'w> {
    shown: OnScreen<'w>,
    suspended: Res<'w, SuspendedGame>,
    online: Res<'w, OnlineTable>,
    lesson: Res<'w, Lesson>,
    practice: Res<'w, PracticeSession>,
    trainer: Res<'w, PuzzleTrainer>,
    analysis: Res<'w, Analysis>,
    explorer: Res<'w, Explorer>,
    opened_file: Res<'w, OpenedFile>,
    focus: Res<'w, UiFocus>,
    panels: Res<'w, PanelsHidden>,
    photo: Res<'w, Photo>,
    course: Res<'w, CourseShown>,
    pointer: Res<'w, Pointed>,
    exports: Res<'w, ExportRunning>,
}

impl CommandState<'_> {
    /// What the commands depend on in this frame.
    pub(crate) fn context(&self, settings: &Settings) -> CommandContext {
        let screen = self.shown.screen();
        let OnScreen { referee, replay, editor, .. } = &self.shown;
        let table = referee.table.as_ref();
        let at_table = screen == Screen::Table;
        let on_table = if at_table { referee.on_table } else { OnTable::Game };
        let is_exercise = on_table.is_exercise();
        let has_outcome = table.is_some_and(|table| table.outcome().is_some());
        let half_chosen = at_table && referee.selection.first_step().is_some();
        let (can_undo, can_redo) = self.can_undo_redo();
        let pieces = editor.draft.piece_kinds();
        CommandContext {
            screen,
            rules: self.shown.rules().unwrap_or(settings.new_game.rules),
            dismissible: self.focus.dismissible,
            panels_hidden: self.panels.0 && screen != Screen::Title,
            photographing: self.photo.0.is_some(),
            views_earlier_ply: at_table && referee.viewed_ply.is_some(),
            has_selection: at_table
                && (!referee.selection.is_empty() || referee.question.is_some())
                || screen == Screen::Replay && !replay.selection.is_empty(),
            on_table,
            golden: if is_exercise { self.golden() } else { None },
            has_steps: if is_exercise { self.has_steps() } else { [false; 2] },
            ends_lesson: on_table == OnTable::Lesson && self.lesson.ends_part(),
            ends_practice: on_table == OnTable::Practice
                && self.practice.game().is_some_and(PractisedGame::is_over),
            has_earlier_game: on_table == OnTable::Practice && self.practice.offers_earlier_game(),
            cursor_waits: !referee.locked && self.pointer.cursor.is_some(),
            has_game: self.suspended.game(referee).is_some(),
            has_plies: self.shown.history().is_some_and(|history| !history.is_empty()),
            is_over: at_table && !is_exercise && has_outcome,
            is_online: referee.is_online(),
            awaits_next_game: table.is_some_and(GameSession::awaits_next_game),
            has_moves_by_person: table.is_some_and(GameSession::has_moves_by_person),
            move_due: at_table && referee.awaits_move(),
            throw_due: at_table && referee.awaits_throw(),
            by_hand: table.is_some_and(GameSession::by_hand),
            throws_by_itself: settings.automatic_throws,
            can_hint: at_table
                && referee.awaits_move()
                && !referee.forbids_help()
                && !self.analysis.hint_pending,
            can_undo: can_undo || half_chosen,
            can_redo,
            replay_plies: replay.ply_count(),
            replay_ply: replay.ply,
            replay_speed: replay.speed.0,
            playing: replay.playing,
            looping: replay.looping,
            auto_camera: replay.auto_camera,
            in_variation: replay
                .record
                .as_ref()
                .is_some_and(|record| !record.is_main(replay.node())),
            several_games: self.opened_file.games.len() > 1,
            is_playable: editor.draft.playable().is_ok(),
            editor_pieces: [0, 1, 2].map(|number| pieces.get(number).copied()),
            editor_other_side: Some(editor.draft.side.other()).filter(|_| screen == Screen::Editor),
            shows_threats: self.analysis.show_threats,
            shows_evaluation: self.analysis.show_evaluation,
            analyses: self.analysis.enabled,
            explores: self.explorer.is_open,
            diagram: settings.diagram,
            shows_course: self.course.is_on(),
            exports: self.exports.0,
            saves_in_place: screen == Screen::Replay && replay.file.is_some(),
        }
    }

    /// What follows when the exercise is done.
    fn golden(&self) -> Option<&'static str> {
        let [_, goes_on] = self.has_steps();
        let is_done = match self.shown.referee.on_table {
            OnTable::Lesson => self.lesson.done,
            OnTable::Practice => self.practice.game().is_some_and(|game| {
                let exercise = game.exercises.practice.exercise();
                game.is_over() || exercise.is_some_and(|exercise| exercise.result.is_some())
            }),
            OnTable::Puzzle => {
                self.trainer.current().is_some_and(|puzzle| puzzle.is_solved() || puzzle.was_shown)
            }
            OnTable::Game | OnTable::OnlineGame => false,
        };
        is_done.then_some(match self.shown.referee.on_table {
            OnTable::Lesson if self.lesson.ends_part() => "play-taught",
            OnTable::Practice if self.practice.offers_earlier_game() => "earlier-game",
            _ if goes_on => "next-step",
            _ => "leave-exercise",
        })
    }

    /// Whether the exercise has a step before this one, and one after it.
    fn has_steps(&self) -> [bool; 2] {
        match self.shown.referee.on_table {
            OnTable::Lesson => {
                let step = self.lesson.step;
                [step > 0, step + 1 < self.lesson.steps()]
            }
            OnTable::Practice => self.practice.game().map_or([false; 2], |game| {
                let practice = &game.exercises.practice;
                [practice.current() > 0, practice.exercise().is_some()]
            }),
            // The same one again, and another one.
            OnTable::Puzzle => [true; 2],
            OnTable::Game | OnTable::OnlineGame => [false; 2],
        }
    }

    fn can_undo_redo(&self) -> (bool, bool) {
        let table = match self.shown.screen() {
            Screen::Title => None,
            Screen::Replay => return self.shown.replay.can_undo_redo(),
            Screen::Editor => return self.shown.editor.can_undo_redo(),
            Screen::Table => self.shown.referee.table.as_ref(),
        };
        let Some(table) = table else { return (false, false) };
        let puzzle = self.trainer.current().filter(|_| self.shown.referee.is_exercise());
        // What is solved of a puzzle stays.
        let is_solved = puzzle.is_some_and(|puzzle| table.history().len() <= puzzle.played.len());
        let can_undo = if table.is_online() { self.online.can_undo() } else { table.can_undo() };
        (can_undo && !is_solved, table.can_redo())
    }
}
