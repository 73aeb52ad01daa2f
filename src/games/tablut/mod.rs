//! Tablut, the tafl game of Lapland, by three rule sets.
//!
//! White's king starts on the castle e5 among eight soldiers and wants home;
//! sixteen black soldiers want to take him. [`Rules`] holds everything in
//! which the sets differ as data; the code that moves and captures is one.
//!
//! What this module never does: apply repetition. That is a matter of a whole
//! game and belongs to [`GameHistory`](super::Line); a position only says which rule
//! holds.

mod bitboard;
mod key;
mod moves;
mod notation;
mod position;
mod rules;
#[cfg(test)]
mod tests;

use super::{Announcement, Event, Game, Illegal, Repetition, Side, Throw, Turn};

pub use bitboard::{Bitboard, SIZE};
pub use moves::Move;
pub use position::{Piece, Position};
pub use rules::{
    ASHTON, Army, BERKELEY, CAMPS, CASTLE, CORNERS, EDGE, KingCapture, LINNAEUS, Rules, is_camp,
};

impl Game for Position {
    type Move = Move;

    fn side(&self) -> Side {
        self.rules.side(self.to_move)
    }

    fn turn(&self) -> Turn {
        self.end().map_or(Turn::Move(self.side()), Turn::Over)
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.moves()
    }

    fn outcomes(&self) -> &'static [(Throw, u32)] {
        &[]
    }

    /// Plays a move: `Slid`, then `Captured` in the order of the squares, then
    /// what is announced, then how the game ended.
    fn play(&mut self, mv: Move) -> Result<Vec<Event>, Illegal> {
        self.check(mv)?;
        let prey = self.rules.side(self.to_move.other());
        let by_white = self.to_move == Army::White;
        let taken = self.apply(mv);
        let mut events = vec![Event::Slid { from: mv.from(), to: mv.to() }];
        events.extend(taken.squares().map(|at| Event::Captured { at, side: prey }));
        // A king who is home announces nothing; one whose side has just shut
        // in the opponent still does.
        if by_white && self.rules.announces && self.king_end().is_none() {
            events.extend(match self.king_escapes() {
                0 => None,
                1 => Some(Event::Announced(Announcement::Raichi)),
                _ => Some(Event::Announced(Announcement::Tuichi)),
            });
        }
        events.extend(self.end().map(Event::Ended));
        Ok(events)
    }

    fn throw(&mut self, _: Throw) -> Result<Vec<Event>, Illegal> {
        Err(Illegal::NoSticks)
    }

    /// Reads `e4-f4`, or Berkeley's short `e4-7` (to row 7) and `e4-g` (to
    /// column g), with or without captures: `e4-f4xf5xd4`.
    fn parse_move(&self, text: &str) -> Result<Move, Illegal> {
        self.read_move(text)
    }

    fn notation(&self, mv: Move) -> String {
        self.write_move(mv)
    }

    fn repetition(&self) -> Repetition {
        self.rules.repetition
    }

    fn key(&self) -> u64 {
        self.key
    }
}
