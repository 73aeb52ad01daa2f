//! One game being played: seats, the throw of the sticks, the clocks, undo, and
//! the game as whoever draws it needs it.
//!
//! Architecture invariant: no Bevy here, and no rule; a [`Table`] asks the
//! rules for everything and remembers who sits where.

mod clock;
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
mod words;

pub use clock::{
    Clock, ParseTimingError, Timing, clock_face, is_short, plain_comment, until_it_changes,
};
pub use dice::{Dice, fresh_seed};
pub use draft::{Draft, Unplayable, Waiting};
pub use game::{Table, knows_draws};
pub use kept::{Kept, Shelf, Slot, Summary, set_aside};
pub use lessons::{Attempt, Step, Task, lesson};
pub use record::today;
pub use roster::{Effect, Figure, PieceId, Roster, Standing};
pub use selection::{Selection, Touched, scripts};
pub use setup::{Outcome, ParseSeatError, Seat, Setup};
pub use standing::{scores, status, warning};
pub use statistics::{Throws, throws};
pub use store::{
    kept_folder, liked_language, saves_folder, settings_path, system_language, write_whole,
};
pub use threats::{Threats, threats};
pub use view::{Board, Ground, figures, path};
pub use words::{
    account, announce, end_words, figure_words, illegal_words, lot_words, move_words,
    outcome_words, rules_words, seat_words, side_key, side_words, square_words, throw_off_words,
    throw_words,
};
