//! The courses (rules 5 and 6): the order in which a side's pieces travel the squares.
//!
//! A *place* is the index of a square on one side's course, 0 to 47. Sets of
//! squares are `u64` bitboards with one bit per place. The two courses go through
//! the four rows in opposite order and through each row in the same direction. So
//! swapping the rows turns one side's places into the other's.

use crate::{Side, Square};

/// The number of squares of a course: all squares of the board.
pub const COURSE: usize = 48;

/// The number of files (columns).
pub(super) const FILES: u8 = 12;

/// The number of ranks (rows).
pub(super) const RANKS: u8 = 4;

/// The places of the row where a side's pieces start.
pub const START_ROW: u64 = (1 << FILES) - 1;

/// The places of the row where a side's pieces end their journey (rule 11): the
/// opponent's start row.
pub const GOAL_ROW: u64 = START_ROW << 36;

/// Every place.
pub(super) const BOARD: u64 = (1 << COURSE) - 1;

const COURSES: [[Square; COURSE]; 2] = [course_of(Side::First), course_of(Side::Second)];

const fn course_of(side: Side) -> [Square; COURSE] {
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

/// The squares in the order in which a side's pieces travel them: South a1 to l1,
/// l2 to a2, a3 to l3, l4 to a4 (rule 5); North l4 to a4, a3 to l3, l2 to a2, a1 to
/// l1 (rule 6).
pub const fn course(side: Side) -> &'static [Square; COURSE] {
    &COURSES[side.index()]
}

/// The place of a square on a side's course, 0 to 47: the number of steps from the
/// first square of the course. `None` off the board.
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

/// The squares that a piece passes from `from` to `to`, both included, in order;
/// empty if `to` is not ahead.
pub fn path(side: Side, from: Square, to: Square) -> Vec<Square> {
    match (steps(side, from), steps(side, to)) {
        (Some(from), Some(to)) if from < to => {
            course(side)[usize::from(from)..=usize::from(to)].to_vec()
        }
        _ => Vec::new(),
    }
}

/// Converts places of one side's course to places of the other's, by swapping the
/// rows.
pub const fn opposite(places: u64) -> u64 {
    (places & START_ROW) << 36
        | (places & START_ROW << 12) << 12
        | places >> 12 & START_ROW << 12
        | places >> 36 & START_ROW
}

/// The places of a set in ascending order.
pub(super) fn places(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let place = set.trailing_zeros() as u8;
            set &= set - 1;
            place
        })
    })
}

/// The places of a set in descending order, the furthest along the course first.
pub(super) fn places_descending(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let place = 63 - set.leading_zeros() as u8;
            set ^= 1 << place;
            place
        })
    })
}
