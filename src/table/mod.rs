//! One game being played: seats, the throw of the sticks, the clocks, undo, and
//! the game as whoever draws it needs it.
//!
//! Architecture invariant: no Bevy here, and no rule; a [`GameSession`] asks the
//! rules for everything and remembers who sits where.

mod clock;
mod describe;
mod dice;
pub(crate) mod disk;
mod draft;
mod game;
mod kept;
mod lessons;
mod record;
mod roster;
mod selection;
mod setup;
mod standing;
mod statistics;
mod store;
mod threats;
mod view;

pub use crate::games::tablan::ThrowState;
pub use clock::{
    Clock, ParseTimeControlError, TimeControl, format_clock, is_low_on_time, next_clock_change,
    strip_clock_command,
};
pub use describe::{
    describe_end, describe_event, describe_illegal, describe_lot, describe_move, describe_outcome,
    describe_ply, describe_square, describe_throw, describe_throw_off, piece_label, rules_label,
    seat_label, side_key, side_label,
};
pub use dice::{Dice, random_seed};
pub use draft::{PositionBuilder, Unplayable};
pub use game::{GameSession, knows_draws};
pub use kept::{GameSummary, SaveLock, SaveStore, SavedGame, set_aside};
pub use lessons::{Attempt, LessonGoal, LessonStep, lesson_steps};
pub use record::today;
pub use roster::{Effect, PieceId, PieceKind, PieceTracker, PlacedPiece};
pub use selection::{ClickOutcome, Selection, click_sequences};
pub use setup::{Outcome, ParseSeatError, Seat, Setup};
pub use standing::{scores, status, warning};
pub use statistics::{ThrowCounts, count_throws};
pub use store::{
    autosave_folder, preferred_language, saves_folder, settings_path, system_language, write_atomic,
};
pub use threats::{Threats, threats};
pub use view::{BoardGrid, SquareKind, path, pieces_on};
