//! Move generation (rules 4, 10 to 16, 20 and 21).
//!
//! Bitboards are in places of the mover's course, so a step forward is a shift.
//! Pieces pass over others freely (rule 4), so only landing squares matter. A piece
//! that has not ended its journey is at place 35 or less, and the longest step is 12,
//! so no step leads off the course.

use crate::{Side, Square};

use super::{
    course::{BOARD, GOAL_ROW, START_ROW, course, places_descending},
    rules::SCORES,
};

const NO_PIECE: u8 = u8::MAX;

/// The fields of a [`Move`] in their order, as serde writes them.
#[cfg(feature = "serde")]
type MoveParts = (Side, u8, u8, u8, [bool; 2]);

#[cfg(feature = "serde")]
impl From<Move> for MoveParts {
    fn from(mv: Move) -> Self {
        (mv.side, mv.leader, mv.follower, mv.step, mv.captures)
    }
}

#[cfg(feature = "serde")]
impl TryFrom<MoveParts> for Move {
    type Error = &'static str;

    fn try_from((side, leader, follower, step, captures): MoveParts) -> Result<Self, Self::Error> {
        let stays_on_course = |from: u8| usize::from(from) + usize::from(step) < course(side).len();
        if stays_on_course(leader) && (follower == NO_PIECE || stays_on_course(follower)) {
            Ok(Self { side, leader, follower, step, captures })
        } else {
            Err("a move of Tablan that leaves the course")
        }
    }
}

/// A move: one piece moving the whole score, or a pair of different pieces moving
/// half of it each (rule 10).
///
/// Moves are equal when the same side's pieces do the same, captures included.
/// `Display` writes the canonical text: the piece further along its course first,
/// with `x` for a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "MoveParts", into = "MoveParts"))]
pub struct Move {
    side: Side,
    /// The place of the leading piece.
    leader: u8,
    /// The place of the other piece of a pair, or [`NO_PIECE`].
    follower: u8,
    /// The squares that each piece moves.
    step: u8,
    /// Whether the leader and the follower capture.
    captures: [bool; 2],
}

/// What one piece does in a [`Move`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PieceMove {
    /// The square before.
    pub from: Square,
    /// The square after.
    pub to: Square,
    /// Whether it captures a piece there.
    pub captures: bool,
}

impl Move {
    pub(super) const fn single(side: Side, from: u8, score: u8, captures: bool) -> Self {
        Self { side, leader: from, follower: NO_PIECE, step: score, captures: [captures, false] }
    }

    pub(super) const fn pair(
        side: Side,
        leader: u8,
        follower: u8,
        half: u8,
        captures: [bool; 2],
    ) -> Self {
        Self { side, leader, follower, step: half, captures }
    }

    /// The side that moves.
    pub const fn side(self) -> Side {
        self.side
    }

    /// The squares that each piece moves: 2, 8 or 12 for one piece, 1, 4 or 6 for
    /// each piece of a pair.
    pub const fn step(self) -> u8 {
        self.step
    }

    /// The score it uses: 2, 8 or 12.
    pub const fn score(self) -> u8 {
        if self.is_pair() { 2 * self.step } else { self.step }
    }

    /// Whether two pieces move.
    pub const fn is_pair(self) -> bool {
        self.follower != NO_PIECE
    }

    /// The number of captured pieces.
    pub const fn captures(self) -> u32 {
        self.captures[0] as u32 + self.captures[1] as u32
    }

    /// The move of the only piece, or of the pair's piece further along its course.
    pub fn leader(self) -> PieceMove {
        self.piece_move(self.leader, self.captures[0])
    }

    /// The move of the other piece of a pair.
    pub fn follower(self) -> Option<PieceMove> {
        self.is_pair().then(|| self.piece_move(self.follower, self.captures[1]))
    }

    /// The moves of the one or two pieces, in the order in which they are played.
    pub fn piece_moves(self) -> impl Iterator<Item = PieceMove> {
        [Some(self.leader()), self.follower()].into_iter().flatten()
    }

    fn piece_move(self, from: u8, captures: bool) -> PieceMove {
        let squares = course(self.side);
        PieceMove {
            from: squares[usize::from(from)],
            to: squares[usize::from(from + self.step)],
            captures,
        }
    }

    /// The places that its pieces leave.
    pub(super) const fn origins(self) -> u64 {
        if self.is_pair() { 1 << self.leader | 1 << self.follower } else { 1 << self.leader }
    }

    /// The places that its pieces land on.
    pub(super) const fn landings(self) -> u64 {
        self.origins() << self.step
    }
}

/// Both sides' pieces, by places of the mover's course: what its moves depend on.
///
/// ```
/// use tabulae_games::tablan::{MoverBoard, START_ROW};
///
/// // Three pieces at the end of the start row, and an opponent ahead of them.
/// let board = MoverBoard { own: 0b1110 << 8, opponent: 1 << 13, ordered: false };
/// assert_eq!(board.landings(2), 0b110 << 11);
/// assert_eq!(board.stepped(1 << 13, 2).opponent, 0, "captured");
/// assert_eq!(MoverBoard { own: START_ROW, ..board }.landings(2), 0b11 << 12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoverBoard {
    /// The mover's pieces.
    pub own: u64,
    /// The opponent's pieces.
    pub opponent: u64,
    /// Whether the goal row fills in order.
    pub ordered: bool,
}

/// The place of the goal row that the ordered variation fills next, as a bit: the furthest
/// one without a piece of `own`. 0 when the row is full.
///
/// ```
/// use tabulae_games::tablan::next_entry;
///
/// assert_eq!(next_entry(1 << 47), 1 << 46);
/// ```
pub const fn next_entry(own: u64) -> u64 {
    let free = GOAL_ROW & !own;
    if free == 0 { 0 } else { 1 << (63 - free.leading_zeros()) }
}

impl MoverBoard {
    /// The places where a piece can land after `step` squares. Each has one origin,
    /// `step` places behind.
    pub const fn landings(self, step: u8) -> u64 {
        // Rule 11: a piece on the goal row never moves again.
        let ahead = (self.own & !GOAL_ROW) << step & BOARD;
        // Rule 12: not onto an own piece. Rule 16: no capture on the start row.
        let open = ahead & !self.own & !(self.opponent & START_ROW);
        if self.ordered { open & (!GOAL_ROW | next_entry(self.own)) } else { open }
    }

    /// The board after a piece moved `step` squares to the place of the bit `landing`.
    #[must_use]
    pub const fn stepped(self, landing: u64, step: u8) -> Self {
        Self {
            own: self.own & !(landing >> step) | landing,
            opponent: self.opponent & !landing,
            ordered: self.ordered,
        }
    }

    /// The places where a piece behind the leader can land after the leader moved
    /// `half` squares to the place `to`.
    pub(super) const fn followers(self, to: u8, half: u8) -> u64 {
        self.stepped(1 << to, half).landings(half) & ((1 << to) - 1)
    }

    /// Whether a score has any legal use (rule 13).
    pub(super) fn can_use(self, score: u8) -> bool {
        let half = score / 2;
        self.landings(score) != 0
            || places_descending(self.landings(half)).any(|to| self.followers(to, half) != 0)
    }

    /// Whether any score has a legal use.
    pub(super) fn can_move(self) -> bool {
        // Single pieces decide it nearly always, and are faster to test than pairs.
        SCORES.iter().any(|&score| self.landings(score) != 0)
            || SCORES.iter().any(|&score| self.can_use(score))
    }

    /// Calls `visit` with every legal move of `side`, the mover, for a score.
    pub(super) fn for_each_move(self, side: Side, score: u8, mut visit: impl FnMut(Move)) {
        let captures = |to: u8| self.opponent >> to & 1 != 0;
        for to in places_descending(self.landings(score)) {
            visit(Move::single(side, to - score, score, captures(to)));
        }
        let half = score / 2;
        for to in places_descending(self.landings(half)) {
            for second in places_descending(self.followers(to, half)) {
                let captures = [captures(to), captures(second)];
                visit(Move::pair(side, to - half, second - half, half, captures));
            }
        }
    }
}
