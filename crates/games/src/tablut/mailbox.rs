//! The numbers of squares, sets of them as words, and what a rook sees on a line: what
//! rules and engines are fast by.
//!
//! A mailbox of eleven by eleven: the nine by nine board in a frame one square
//! wide, numbered up the columns. A step up is 1, a step to the right 11, and a
//! step off the board ends on the frame instead of on another line. A row or
//! column by itself is nine bits; a table says what a rook sees on it.
//!
//! ```
//! use tabulae_games::tablut::mailbox::{UP, bit, from_square, rook_reach, squares_in, to_square};
//!
//! let e4 = from_square("e4".parse().unwrap());
//! assert_eq!(to_square(e4 + UP).to_string(), "e5");
//! assert_eq!(squares_in(bit(e4) | bit(e4 + UP)).collect::<Vec<_>>(), [e4, e4 + UP]);
//! // From the third place of a line with pieces on the first and the sixth.
//! assert_eq!(rook_reach(2, 0b10_0001), 0b01_1010);
//! ```

use crate::Square;

/// A set of squares: bit `n` is the square with index `n`.
pub type Bits = u128;

/// Square indices are below this.
pub const MAILBOX_SIZE: usize = 128;
/// The index of no board square: a corner of the frame.
pub const NO_SQUARE: u8 = 0;
/// From a square to the next one up.
pub const UP: u8 = 1;
/// From a square to the next one to the right.
pub const RIGHT: u8 = 11;

/// The index of the square in a column and a row, both from 0.
#[inline]
pub const fn index(file: usize, rank: usize) -> u8 {
    (file as u8 + 1) * RIGHT + rank as u8 + 1
}

/// The index of a square, which must be on the board.
#[inline]
pub const fn from_square(square: Square) -> u8 {
    index(square.file as usize % 9, square.rank as usize % 9)
}

/// The square with this index, which must be on the board.
#[inline]
pub const fn to_square(at: u8) -> Square {
    Square::new(FILE[at as usize & 127], RANK[at as usize & 127])
}

/// The set of one square.
#[inline]
pub const fn bit(at: u8) -> Bits {
    1 << (at & 127)
}

/// By index: the column, 0 outside the board.
const FILE: [u8; MAILBOX_SIZE] = coordinates(true);
/// By index: the row, 0 outside the board.
const RANK: [u8; MAILBOX_SIZE] = coordinates(false);

const fn coordinates(files: bool) -> [u8; MAILBOX_SIZE] {
    let mut table = [0; MAILBOX_SIZE];
    let mut file = 0;
    while file < 9 {
        let mut rank = 0;
        while rank < 9 {
            table[index(file, rank) as usize] = if files { file } else { rank } as u8;
            rank += 1;
        }
        file += 1;
    }
    table
}

/// The column of a square, 0 to 8.
#[inline]
pub const fn file(at: u8) -> usize {
    FILE[at as usize & 127] as usize
}

/// The row of a square, 0 to 8.
#[inline]
pub const fn rank(at: u8) -> usize {
    RANK[at as usize & 127] as usize
}

/// The frame around the board: a step off the board ends on it.
pub const FRAME: Bits = {
    let mut set = (1 << 121) - 1;
    let mut file = 0;
    while file < 9 {
        let mut rank = 0;
        while rank < 9 {
            set &= !bit(index(file, rank));
            rank += 1;
        }
        file += 1;
    }
    set
};

/// All squares of the board.
pub const BOARD: Bits = !FRAME & ((1 << 121) - 1);

/// The four squares next to one, in a [`window`].
pub const ADJACENT: u32 = ON_LEFT | BELOW | ABOVE | ON_RIGHT;
/// The square to the left, in a [`window`].
pub const ON_LEFT: u32 = 1;
/// The square below, in a [`window`].
pub const BELOW: u32 = 1 << 10;
/// The square above, in a [`window`].
pub const ABOVE: u32 = 1 << 12;
/// The square to the right, in a [`window`].
pub const ON_RIGHT: u32 = 1 << 22;

/// The part of a set that is next to a square: to its left, below, above and to
/// its right.
#[inline]
pub fn window(set: Bits, around: u8) -> u32 {
    (set >> (around.wrapping_sub(RIGHT) & 127)) as u32 & ADJACENT
}

/// The four squares next to a square.
#[inline]
pub const fn neighbours(at: u8) -> Bits {
    bit(at - RIGHT) | bit(at - UP) | bit(at + UP) | bit(at + RIGHT)
}

/// The squares of a set, from the lowest index.
#[inline]
pub fn squares_in(mut set: Bits) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let next = set.trailing_zeros() as u8;
            set &= set - 1;
            next
        })
    })
}

/// The places of a set on a line of nine, from the lowest.
#[inline]
pub fn line_bits(mut line: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (line != 0).then(|| {
            let next = line.trailing_zeros() as usize;
            line &= line - 1;
            next
        })
    })
}

/// By place in the line and what stands on the line.
const LINES: usize = 16 << 9;

/// Rook attacks on a line: the first blockers, or the empty squares before them.
const fn rook_table(blockers: bool) -> [u16; LINES] {
    let mut table = [0; LINES];
    let mut place = 0;
    while place < 9 {
        let mut line = 0;
        while line < 512 {
            let mut set = 0;
            let mut at = place + 1;
            while at < 9 {
                if line >> at & 1 == 1 {
                    set |= if blockers { 1 << at } else { 0 };
                    break;
                }
                set |= if blockers { 0 } else { 1 << at };
                at += 1;
            }
            at = place;
            while at > 0 {
                at -= 1;
                if line >> at & 1 == 1 {
                    set |= if blockers { 1 << at } else { 0 };
                    break;
                }
                set |= if blockers { 0 } else { 1 << at };
            }
            table[place << 9 | line] = set;
            line += 1;
        }
        place += 1;
    }
    table
}

static REACH: [u16; LINES] = rook_table(false);
static BLOCKERS: [u16; LINES] = rook_table(true);

/// Where a rook at `place` of a line can go when `line` blocks it.
#[inline]
pub fn rook_reach(place: usize, line: u16) -> u16 {
    REACH[(place << 9 | usize::from(line)) & (LINES - 1)]
}

/// The first blocker on each side of a rook at `place`.
#[inline]
pub fn first_blockers(place: usize, line: u16) -> u16 {
    BLOCKERS[(place << 9 | usize::from(line)) & (LINES - 1)]
}
