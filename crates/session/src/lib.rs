//! One game in progress: seats, throws, clocks, undo, saving, and what a
//! front end needs to show and describe it.
//!
//! Architecture invariant: no Bevy and no rules. A [`GameSession`] asks
//! [`games`](tabulae_games) for everything that the rules decide.

mod board_grid;
mod book;
mod clock;
mod describe;
mod diagram;
mod dice;
mod full_rules;
mod giveaway;
pub mod i18n;
mod lessons;
mod matches;
mod piece_tracker;
mod position_builder;
mod practice;
mod programs;
pub mod puzzles;
mod ratings;
mod results;
mod saves;
mod selection;
mod session;
mod setup;
mod shipped;
mod status;
pub mod storage;
mod symmetry;
mod threats;
mod throw_counts;
mod time_control;

pub use board_grid::{
    BoardGrid, MoveStep, SquareKind, last_captures, last_move_squares, last_move_steps, path,
    pieces_on,
};
pub use book::{Book, BookCounts, BookEntry, BookError, BookMove, DamagedFile, GameHit, GameIndex};
pub use clock::{Clock, format_clock, is_low_on_time, next_clock_change, strip_clock_command};
pub use describe::{
    describe_end, describe_event, describe_hint, describe_illegal, describe_lot,
    describe_match_result, describe_move, describe_outcome, describe_ply, describe_ply_of,
    describe_square, describe_standing, describe_throw, describe_throw_off, level_label,
    piece_label, player_label, rules_label, seat_label, side_key, side_label,
};
pub use diagram::shapes;
pub use diagram::svg_diagram;
pub use dice::{Dice, random_seed};
pub use full_rules::full_rules;
pub use giveaway::describe_giveaway;
pub use lessons::{Attempt, LessonGoal, LessonStep, lesson_steps};
pub use matches::{MatchResult, MatchStanding, is_match_length};
pub use piece_tracker::{Effect, PieceId, PieceKind, PieceTracker, PlacedPiece};
pub use position_builder::{PositionBuilder, Unplayable};
pub use practice::{Exercise, ExerciseResult, Practice, PracticeTotals};
#[cfg(not(target_arch = "wasm32"))]
pub use programs::end_programs;
pub use programs::{
    EngineEntry, EngineList, EngineListError, OptionKind, PROGRAM_PATIENCE, ProcessTree,
    ProgramError, ProgramEvent, ProgramInfo, ProgramLimits, ProgramOption, ProgramWorker,
    UgiProgram, engines_path, split_command,
};
pub use ratings::{Performance, Rating, Ratings, performance};
pub use results::{FinishedGame, GameAnalysis, ResultStore, Results, move_accuracy};
pub use saves::{GameSummary, SaveLock, SaveStore, SavedGame, game_id, set_aside};
pub use selection::{ClickOutcome, Selection, click_sequences, hinted_squares};
pub use session::{GameSession, Thrower, UnratedReason, date_at, days_between, today};
pub use setup::{MAX_NAME_LENGTH, Outcome, ParseSeatError, Seat, Setup, clean_name};
pub use status::{headline, leader, scores, status, used_score, warning};
pub use storage::{
    autosave_folder, preferred_language, saves_folder, settings_path, system_language, write_atomic,
};
pub use symmetry::position_key;
pub use tabulae_games::tablan::ThrowState;
pub use threats::{Threats, threats};
pub use throw_counts::{ThrowCounts, count_throws};
pub use time_control::{ParseTimeControlError, TimeControl, TimeControls};
