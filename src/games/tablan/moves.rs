//! Moves, and which of them a score allows (rules 4 and 10 to 16, 20, 21).
//!
//! Everything is seen from the mover's course: a step forward is a shift of
//! the bits. Pieces pass over others freely (rule 4), so only landing squares
//! are looked at. A piece that has not yet ended its journey stands at place
//! 35 at most, and the longest step is 12: no step leads off the course.

use crate::games::{Side, Square};

use super::{
    course::{BOARD, GOAL_ROW, START_ROW, course, places_from_far},
    rules::SCORES,
};

const NO_PIECE: u8 = u8::MAX;

/// One way to use a score: one piece moving all of it, or two different pieces
/// moving half each (rule 10).
///
/// Two moves are equal when the same side's pieces do the same, captures
/// included. `Display` is the canonical text: the piece further along its own
/// course first, `x` where it captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    side: Side,
    leader: u8,
    follower: u8,
    step: u8,
    captures: [bool; 2],
}

/// What one piece does in a [`Move`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PieceMove {
    /// Where the piece stands.
    pub from: Square,
    /// Where it lands.
    pub to: Square,
    /// Whether it captures an enemy there.
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

    /// Whose move it is.
    #[must_use]
    pub const fn side(self) -> Side {
        self.side
    }

    /// How many squares each piece goes: 2, 8 or 12 for one piece, 1, 4 or 6
    /// for each of two.
    #[must_use]
    pub const fn step(self) -> u8 {
        self.step
    }

    /// The score it uses: 2, 8 or 12.
    #[must_use]
    pub const fn score(self) -> u8 {
        if self.is_pair() { 2 * self.step } else { self.step }
    }

    /// Whether two pieces move.
    #[must_use]
    pub const fn is_pair(self) -> bool {
        self.follower != NO_PIECE
    }

    /// The number of enemies it captures.
    #[must_use]
    pub const fn captures(self) -> u32 {
        self.captures[0] as u32 + self.captures[1] as u32
    }

    /// The piece that moves, or of a pair the one further along its course.
    #[must_use]
    pub fn leader(self) -> PieceMove {
        self.half(self.leader, self.captures[0])
    }

    /// The other piece of a pair.
    #[must_use]
    pub fn follower(self) -> Option<PieceMove> {
        self.is_pair().then(|| self.half(self.follower, self.captures[1]))
    }

    /// The one or two halves, in an order in which they can be played.
    pub fn halves(self) -> impl Iterator<Item = PieceMove> {
        [Some(self.leader()), self.follower()].into_iter().flatten()
    }

    fn half(self, from: u8, captures: bool) -> PieceMove {
        let squares = course(self.side);
        PieceMove {
            from: squares[usize::from(from)],
            to: squares[usize::from(from + self.step)],
            captures,
        }
    }

    /// The places its pieces leave.
    pub(super) const fn origins(self) -> u64 {
        if self.is_pair() { 1 << self.leader | 1 << self.follower } else { 1 << self.leader }
    }

    /// The places its pieces land on.
    pub(super) const fn landings(self) -> u64 {
        self.origins() << self.step
    }
}

/// The board as the mover sees it: both sides' pieces along his own course.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) own: u64,
    pub(super) enemy: u64,
    pub(super) ordered: bool,
}

impl View {
    /// Every place where some piece can land after `step` squares. Each has
    /// one origin, `step` places behind.
    pub(super) const fn landings(self, step: u8) -> u64 {
        // Rule 11: who has arrived never moves again.
        let ahead = (self.own & !GOAL_ROW) << step & BOARD;
        // Rule 12: not onto an own piece. Rule 16: no capture at home.
        let open = ahead & !self.own & !(self.enemy & START_ROW);
        if self.ordered { open & (!GOAL_ROW | self.next_entry()) } else { open }
    }

    /// The square of the last row that must be occupied next in the ordered
    /// variation: the furthest without an own piece.
    pub(super) const fn next_entry(self) -> u64 {
        let free = GOAL_ROW & !self.own;
        if free == 0 { 0 } else { 1 << (63 - free.leading_zeros()) }
    }

    /// The board after a piece went `step` squares to the place `to`.
    pub(super) const fn stepped(self, to: u8, step: u8) -> Self {
        let landing = 1 << to;
        Self {
            own: self.own & !(landing >> step) | landing,
            enemy: self.enemy & !landing,
            ordered: self.ordered,
        }
    }

    /// Where a piece behind the leader can land once the leader has gone
    /// `half` squares to the place `to`.
    pub(super) const fn followers(self, to: u8, half: u8) -> u64 {
        self.stepped(to, half).landings(half) & ((1 << to) - 1)
    }

    /// Whether there is any legal way to use the whole score (rule 13).
    pub(super) fn can_use(self, score: u8) -> bool {
        let half = score / 2;
        self.landings(score) != 0
            || places_from_far(self.landings(half)).any(|to| self.followers(to, half) != 0)
    }

    /// Whether any score at all can be used.
    pub(super) fn can_move(self) -> bool {
        // A single step shows it nearly always; pairs are looked at last.
        SCORES.iter().any(|&score| self.landings(score) != 0)
            || SCORES.iter().any(|&score| self.can_use(score))
    }

    /// Adds every legal move of `side`, whose view this is, for a score.
    pub(super) fn fill(self, side: Side, score: u8, moves: &mut Vec<Move>) {
        let captures = |to: u8| self.enemy >> to & 1 != 0;
        for to in places_from_far(self.landings(score)) {
            moves.push(Move::single(side, to - score, score, captures(to)));
        }
        let half = score / 2;
        for to in places_from_far(self.landings(half)) {
            for second in places_from_far(self.followers(to, half)) {
                let captures = [captures(to), captures(second)];
                moves.push(Move::pair(side, to - half, second - half, half, captures));
            }
        }
    }

    /// Whether `mv`, of the side whose view this is, is legal for a score.
    pub(super) fn allows(self, mv: Move, score: u8) -> bool {
        let to = mv.leader + mv.step;
        let captures = |place: u8| self.enemy >> place & 1 != 0;
        mv.score() == score
            && self.landings(mv.step) >> to & 1 != 0
            && captures(to) == mv.captures[0]
            && (!mv.is_pair() || {
                let second = mv.follower + mv.step;
                self.followers(to, mv.step) >> second & 1 != 0 && captures(second) == mv.captures[1]
            })
    }
}
