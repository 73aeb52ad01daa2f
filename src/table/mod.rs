//! One game being played: seats, the throw of the sticks, undo, and the game
//! as whoever draws it needs it.
//!
//! Architecture invariant: no Bevy here, and no rule; a [`Table`] asks the
//! rules for everything and remembers who sits where.

mod dice;
mod game;
mod record;
mod roster;
mod selection;
mod store;
mod view;
mod words;

pub use dice::{Dice, fresh_seed};
pub use game::{Outcome, ParseSeatError, Seat, Setup, Table};
pub use record::today;
pub use roster::{Effect, Figure, PieceId, Roster, Standing};
pub use selection::{Selection, Touched, scripts};
pub use store::write_whole;
pub use view::{Board, Ground, figures, path};
pub use words::{announce, end_words, outcome_words, scores, status, throw_words};
