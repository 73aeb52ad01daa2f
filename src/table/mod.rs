//! One game being played: seats, the throw of the sticks, undo.
//!
//! Architecture invariant: no Bevy here, and no rule; a [`Table`] asks the
//! rules for everything and remembers who sits where.

mod roster;
mod view;

pub use roster::{Effect, Figure, PieceId, Roster, Standing};
pub use view::{Board, Ground};
