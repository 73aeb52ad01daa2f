//! Squares and lines of the board as the engine numbers them.
//!
//! The nine by nine squares lie in a frame one square wide, eleven by eleven in
//! all, numbered up the columns: a step up is 1, a step to the right 11, and a
//! step off the board ends on a square of the frame instead of another line. A
//! set of squares is a `u128`. A row or column by itself is nine bits, and what
//! a rook sees on it comes from a table.

use crate::games::Square;

/// Numbers of squares are below this.
pub(super) const NUMBERS: usize = 128;
/// The number of no square of the board: a corner of the frame.
pub(super) const NOWHERE: u8 = 0;
/// From a square to the next one up, and to the next one right.
pub(super) const UP: u8 = 1;
pub(super) const RIGHT: u8 = 11;

/// The number of the square in a column and a row, both from 0.
pub(super) const fn number(file: usize, rank: usize) -> u8 {
    (file as u8 + 1) * RIGHT + rank as u8 + 1
}

/// The number of a square of the board.
pub(super) const fn of(square: Square) -> u8 {
    number(square.file as usize % 9, square.rank as usize % 9)
}

/// The square with this number.
pub(super) const fn square(number: u8) -> Square {
    Square::new(FILE[number as usize & 127], RANK[number as usize & 127])
}

pub(super) const fn bit(number: u8) -> u128 {
    1 << (number & 127)
}

/// By number: the column, 0 outside the board.
pub(super) static FILE: [u8; NUMBERS] = coordinates(true);
/// By number: the row, 0 outside the board.
pub(super) static RANK: [u8; NUMBERS] = coordinates(false);

const fn coordinates(files: bool) -> [u8; NUMBERS] {
    let mut table = [0; NUMBERS];
    let mut file = 0;
    while file < 9 {
        let mut rank = 0;
        while rank < 9 {
            table[number(file, rank) as usize] = if files { file } else { rank } as u8;
            rank += 1;
        }
        file += 1;
    }
    table
}

pub(super) fn file(number: u8) -> usize {
    usize::from(FILE[usize::from(number & 127)])
}

pub(super) fn rank(number: u8) -> usize {
    usize::from(RANK[usize::from(number & 127)])
}

/// The frame round the board.
pub(super) const FRAME: u128 = {
    let mut set = (1 << 121) - 1;
    let mut file = 0;
    while file < 9 {
        let mut rank = 0;
        while rank < 9 {
            set &= !bit(number(file, rank));
            rank += 1;
        }
        file += 1;
    }
    set
};

/// The four squares next to one, in a [`window`].
pub(super) const BESIDE: u32 = 1 | 1 << 10 | 1 << 12 | 1 << 22;
pub(super) const ON_LEFT: u32 = 1;
pub(super) const BELOW: u32 = 1 << 10;
pub(super) const ABOVE: u32 = 1 << 12;
pub(super) const ON_RIGHT: u32 = 1 << 22;

/// What of a set lies next to a square of the board: left of it, below, above
/// and right of it.
pub(super) fn window(set: u128, around: u8) -> u32 {
    (set >> (around.wrapping_sub(RIGHT) & 127)) as u32 & BESIDE
}

/// The squares next to a square.
pub(super) const fn beside(number: u8) -> u128 {
    bit(number - RIGHT) | bit(number - UP) | bit(number + UP) | bit(number + RIGHT)
}

/// The numbers in a set, from the lowest.
pub(super) fn each(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let next = set.trailing_zeros() as u8;
            set &= set - 1;
            next
        })
    })
}

/// The places in a line of nine, from the lowest.
pub(super) fn places(mut line: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (line != 0).then(|| {
            let next = line.trailing_zeros() as usize;
            line &= line - 1;
            next
        })
    })
}

const LINES: usize = 16 << 9;

/// What a rook sees on a line, by its place and what stands on the line.
const fn seen(hits: bool) -> [u16; LINES] {
    let mut table = [0; LINES];
    let mut place = 0;
    while place < 9 {
        let mut line = 0;
        while line < 512 {
            let mut set = 0;
            let mut at = place + 1;
            while at < 9 {
                if line >> at & 1 == 1 {
                    set |= if hits { 1 << at } else { 0 };
                    break;
                }
                set |= if hits { 0 } else { 1 << at };
                at += 1;
            }
            at = place;
            while at > 0 {
                at -= 1;
                if line >> at & 1 == 1 {
                    set |= if hits { 1 << at } else { 0 };
                    break;
                }
                set |= if hits { 0 } else { 1 << at };
            }
            table[place << 9 | line] = set;
            line += 1;
        }
        place += 1;
    }
    table
}

static REACH: [u16; LINES] = seen(false);
static HITS: [u16; LINES] = seen(true);

/// Where a rook at `place` of a line can go when `line` is what blocks it.
pub(super) fn reach(place: usize, line: u16) -> u16 {
    REACH[(place << 9 | usize::from(line)) & (LINES - 1)]
}

/// What it meets first, one square either way.
pub(super) fn hits(place: usize, line: u16) -> u16 {
    HITS[(place << 9 | usize::from(line)) & (LINES - 1)]
}
