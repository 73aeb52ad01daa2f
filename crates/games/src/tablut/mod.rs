//! Tablut, the tafl game of Lapland, by four rule sets.
//!
//! White's king starts on the castle e5 among eight soldiers and wins on a goal
//! square; sixteen black soldiers win by capturing him. [`Rules`] has the
//! differences between the rule sets as data, and the code is the same for all.
//!
//! This module never applies the repetition rule, which needs the whole game: see
//! [`GameHistory`](super::GameHistory).

mod bitboard;
mod board;
mod key;
mod line_tables;
pub mod mailbox;
mod moves;
mod notation;
mod position;
mod rules;
#[cfg(test)]
mod tests;

use super::{Announcement, Event, Game, Illegal, Repetition, Side, Throw, Turn};

pub use bitboard::{Bitboard, SIZE};
pub use board::Board;
pub use line_tables::{BLACK, KING, LineMasks, LineTables, Lines, WHITE};
pub use moves::Move;
pub use position::{Piece, Position};
pub use rules::*;

impl Game for Position {
    type Move = Move;

    fn side(&self) -> Side {
        self.rules.side(self.to_move())
    }

    fn turn(&self) -> Turn {
        self.end().map_or(Turn::Move(self.side()), Turn::Over)
    }

    fn for_each_legal_move(&self, visit: impl FnMut(Move)) {
        self.visit_moves(visit);
    }

    fn outcomes(&self) -> &'static [(Throw, u32)] {
        &[]
    }

    /// Plays a move. The events are `Slid`, `Captured` in the order of squares,
    /// `Announced` and `Ended`.
    fn play(&mut self, mv: Move) -> Result<Vec<Event>, Illegal> {
        self.check_legal(mv)?;
        let victim = self.rules.side(self.to_move().other());
        let by_white = self.to_move() == Army::White;
        let captured = self.apply(mv);
        let mut events = vec![Event::Slid { from: mv.from(), to: mv.to() }];
        events.extend(captured.squares().map(|at| Event::Captured { at, side: victim }));
        // No announcement for a king on a goal square, but one also where the move
        // has left Black without moves.
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

    fn legal_move_count(&self) -> usize {
        if self.king_end().is_some() { 0 } else { self.board.count_moves(self.rules) as usize }
    }

    fn play_unchecked(&mut self, mv: Move) {
        self.apply(mv);
    }

    fn throw(&mut self, _: Throw) -> Result<Vec<Event>, Illegal> {
        Err(Illegal::NoSticks)
    }

    /// Parses `e4-f4`, or Berkeley's short `e4-7` (to rank 7) and `e4-g` (to file g),
    /// with or without captures: `e4-f4xf5xd4`.
    fn parse_move(&self, text: &str) -> Result<Move, Illegal> {
        self.parse_legal_move(text)
    }

    fn notation(&self, mv: Move) -> String {
        self.with_captures(mv)
    }

    fn repetition(&self) -> Repetition {
        self.rules.repetition
    }

    fn key(&self) -> u64 {
        self.board.key
    }
}
