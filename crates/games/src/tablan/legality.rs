//! Why a move is illegal: the rules of the move generator, checked for one move
//! with an error for each.

use crate::reasons;
use crate::{Game, Illegal, Reason, Side, Square, Throw, Turn};

use super::{
    course::{GOAL_ROW, START_ROW, course, steps},
    moves::{Move, MoverBoard, next_entry},
    position::Position,
};

/// One piece's origin and destination, as the move's text has them.
type Part = (Square, Square);

/// A [`Part`] in places of the mover's course.
#[derive(Clone, Copy)]
struct Run {
    from: u8,
    to: u8,
}

impl Position {
    /// The legal move with these parts; those of a pair come in either order.
    ///
    /// # Errors
    /// There is none; the error names the rule.
    pub(super) fn legal_move(&self, first: Part, second: Option<Part>) -> Result<Move, Illegal> {
        let side = match self.turn() {
            Turn::Over(_) => return Err(Illegal::GameOver),
            Turn::Throw(_) => return Err(Illegal::ThrowDue),
            Turn::Move(side) => side,
        };
        let score = self.pending().map_or(0, Throw::score);
        let board = self.mover_board(side);
        match second {
            None => {
                let run = self.run(side, first, score, false)?;
                let captures = self.land(board, side, run)?;
                Ok(Move::single(side, run.from, score, captures))
            }
            Some(second) => {
                self.check_two_pieces(side, first, second)?;
                let half = score / 2;
                let runs =
                    [self.run(side, first, score, true)?, self.run(side, second, score, true)?];
                let [leader, follower] =
                    if runs[0].from > runs[1].from { runs } else { [runs[1], runs[0]] };
                let captures = [
                    self.land(board, side, leader)?,
                    self.land(board.stepped(1 << leader.to, half), side, follower)?,
                ];
                Ok(Move::pair(side, leader.from, follower.from, half, captures))
            }
        }
    }

    /// Checks that the parts of a pair belong to different pieces (rule 10).
    fn check_two_pieces(&self, side: Side, first: Part, second: Part) -> Result<(), Illegal> {
        let own = |square| self.piece(square) == Some(side);
        let continues = |part: Part, next: Part| own(part.0) && part.1 == next.0 && !own(next.0);
        let is_same_piece = own(first.0) && first.0 == second.0;
        if is_same_piece || continues(first, second) || continues(second, first) {
            return Err(Illegal::Rule(Reason::new(reasons::BOTH_HALVES)));
        }
        Ok(())
    }

    /// Checks one part: the mover's piece has not arrived, and it moves as far as the
    /// score demands.
    fn run(&self, side: Side, part: Part, score: u8, pair: bool) -> Result<Run, Illegal> {
        let place = |square| steps(side, square).ok_or(Illegal::OffBoard(square));
        let run = Run { from: place(part.0)?, to: place(part.1)? };
        match self.piece(part.0) {
            None => return Err(Illegal::NoPiece(part.0)),
            Some(owner) if owner != side => return Err(Illegal::NotYours(part.0)),
            Some(_) => {}
        }
        if GOAL_ROW >> run.from & 1 != 0 {
            return Err(Illegal::Rule(Reason::new(reasons::JOURNEY_ENDED).with("at", part.0)));
        }
        if run.to <= run.from {
            let key = match side {
                Side::First => reasons::NOT_AHEAD_SOUTH,
                Side::Second => reasons::NOT_AHEAD_NORTH,
            };
            return Err(Illegal::Rule(Reason::new(key).with("to", part.1).with("from", part.0)));
        }
        let required = if pair { score / 2 } else { score };
        let distance = run.to - run.from;
        if distance != required {
            let key = if distance == 1 { reasons::ONE_STEP } else { reasons::STEPS };
            let message =
                Reason::new(key).with("from", part.0).with("to", part.1).with("gone", distance);
            return Err(Illegal::Rule(message.with("score", score).with("half", score / 2)));
        }
        Ok(run)
    }

    /// Checks the landing square and returns whether the landing captures.
    fn land(&self, board: MoverBoard, side: Side, run: Run) -> Result<bool, Illegal> {
        let name = |place: u8| course(side)[usize::from(place)];
        let landing = 1 << run.to;
        let square = name(run.to);
        if board.own & landing != 0 {
            return Err(Illegal::Rule(Reason::new(reasons::OWN_PIECE).with("at", square)));
        }
        if board.opponent & START_ROW & landing != 0 {
            return Err(Illegal::Rule(Reason::new(reasons::ARRIVED).with("at", square)));
        }
        let next = next_entry(board.own);
        if board.ordered && landing & GOAL_ROW != 0 && landing != next {
            let next = name(next.trailing_zeros() as u8);
            return Err(Illegal::Rule(Reason::new(reasons::OUT_OF_ORDER).with("next", next)));
        }
        Ok(board.opponent & landing != 0)
    }
}
