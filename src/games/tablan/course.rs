//! The courses (rules 5 and 6): the way each side's pieces travel the board.
//!
//! A *place* is a square's number along one side's course, 0 to 47. The two
//! courses go through the four rows in opposite order but through each row in
//! the same direction, so one side's place becomes the other's by swapping
//! rows alone. Sets of squares are `u64`s with one bit a place.

use crate::games::{Side, Square};

/// The number of squares of a course, which is every square of the board.
pub const COURSE: usize = 48;

/// Squares in a row.
pub(super) const FILES: u8 = 12;

/// Rows of the board.
pub(super) const RANKS: u8 = 4;

/// The places of a side's own home row, where its pieces start.
pub const START_ROW: u64 = (1 << FILES) - 1;

/// The places of the enemy's home row, where journeys end (rule 11).
pub const GOAL_ROW: u64 = START_ROW << 36;

/// Every place.
pub(super) const BOARD: u64 = (1 << COURSE) - 1;

const COURSES: [[Square; COURSE]; 2] = [lay(Side::First), lay(Side::Second)];

const fn lay(side: Side) -> [Square; COURSE] {
    let mut squares = [Square::new(0, 0); COURSE];
    let mut place = 0;
    while place < COURSE as u8 {
        let row = place / FILES;
        let rank = match side {
            Side::First => row,
            Side::Second => RANKS - 1 - row,
        };
        let along = place % FILES;
        // Rows 1 and 3 are travelled from a to l, rows 2 and 4 from l to a.
        let file = if rank.is_multiple_of(2) { along } else { FILES - 1 - along };
        squares[place as usize] = Square::new(file, rank);
        place += 1;
    }
    squares
}

/// The squares in the order in which `side`'s pieces travel them: South a1 to
/// l1, l2 to a2, a3 to l3, l4 to a4 (rule 5), North l4 to a4, a3 to l3, l2 to
/// a2, a1 to l1 (rule 6).
#[must_use]
pub const fn course(side: Side) -> &'static [Square; COURSE] {
    &COURSES[side.index()]
}

/// The place of `square` on `side`'s course, 0 to 47, which is the number of
/// steps from the course's first square; `None` off the board.
#[must_use]
pub const fn steps(side: Side, square: Square) -> Option<u8> {
    if square.file >= FILES || square.rank >= RANKS {
        return None;
    }
    let row = match side {
        Side::First => square.rank,
        Side::Second => RANKS - 1 - square.rank,
    };
    let along = if square.rank.is_multiple_of(2) { square.file } else { FILES - 1 - square.file };
    Some(row * FILES + along)
}

/// The squares a piece of `side` goes over from `from` to `to`, both included,
/// in order; empty where `to` does not lie ahead.
#[must_use]
pub fn path(side: Side, from: Square, to: Square) -> Vec<Square> {
    match (steps(side, from), steps(side, to)) {
        (Some(from), Some(to)) if from < to => {
            course(side)[usize::from(from)..=usize::from(to)].to_vec()
        }
        _ => Vec::new(),
    }
}

/// The same squares numbered along the other side's course: rows swap, the
/// order within a row stays.
#[must_use]
pub const fn opposite(places: u64) -> u64 {
    (places & START_ROW) << 36
        | (places & START_ROW << 12) << 12
        | places >> 12 & START_ROW << 12
        | places >> 36 & START_ROW
}

/// The places of a set, in order along the course.
pub(super) fn places(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let place = set.trailing_zeros() as u8;
            set &= set - 1;
            place
        })
    })
}

/// The places of a set, the furthest first.
pub(super) fn places_from_far(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let place = 63 - set.leading_zeros() as u8;
            set ^= 1 << place;
            place
        })
    })
}
