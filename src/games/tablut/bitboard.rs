//! Sets of squares of the 9x9 board, and the ways over it.
//!
//! A square's index runs up the columns (a1 is 0, a9 is 8, i9 is 80), so the
//! order of bits, of squares and of squares' names is one order.

use std::{
    fmt,
    ops::{BitAnd, BitOr, BitOrAssign, Not, Sub},
};

use crate::games::Square;

/// Columns and rows of the board.
pub const SIZE: u8 = 9;

pub(super) const COUNT: usize = 81;
const ALL: u128 = (1 << COUNT) - 1;

/// The index of a square, if it is on the board.
pub(super) const fn index(square: Square) -> Option<u8> {
    if square.file < SIZE && square.rank < SIZE {
        Some(square.file * SIZE + square.rank)
    } else {
        None
    }
}

/// The square with an index below 81.
pub(super) const fn square(index: u8) -> Square {
    Square::new(index / SIZE, index % SIZE)
}

/// A set of squares of the Tablut board.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// The squares whose names are in `names`, separated by single spaces, as
    /// in `"e4 e6"`. Names of no square of the board are left out.
    #[must_use]
    pub const fn of(names: &str) -> Self {
        let bytes = names.as_bytes();
        let mut bits = Self::EMPTY;
        let mut at = 0;
        while at + 1 < bytes.len() {
            let name = (bytes[at].wrapping_sub(b'a'), bytes[at + 1].wrapping_sub(b'1'));
            if let Some(index) = index(Square::new(name.0, name.1)) {
                bits = bits.or(Self::one(index));
            }
            at += 3;
        }
        bits
    }

    pub(super) const fn one(index: u8) -> Self {
        Self(1 << index)
    }

    pub(super) fn maybe(index: Option<u8>) -> Self {
        index.map_or(Self::EMPTY, Self::one)
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) const fn has(self, index: u8) -> bool {
        self.0 >> index & 1 == 1
    }

    /// Whether `square` is in the set; squares off the board never are.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        match index(square) {
            Some(index) => self.has(index),
            None => false,
        }
    }

    /// Whether the set has no square.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the two sets share a square.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of `other` is in this set.
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// The squares, in the order of their names.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        self.indices().map(square)
    }

    pub(super) fn indices(self) -> impl Iterator<Item = u8> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let next = u8::try_from(rest.trailing_zeros()).ok().filter(|&next| next < 128)?;
            rest &= rest - 1;
            Some(next)
        })
    }

    /// Where a rook on the square `from` can go when the squares in `walls`
    /// stop it in front of them.
    pub(super) fn slides(from: u8, walls: Self) -> Self {
        let mut reached = 0;
        for (way, &ray) in RAYS[usize::from(from)].iter().enumerate() {
            let hits = ray & walls.0;
            reached |= ray;
            if hits != 0 {
                let first = match way {
                    UP | RIGHT => hits.trailing_zeros(),
                    _ => 127 - hits.leading_zeros(),
                };
                reached &= !(RAYS[first as usize][way] | 1 << first);
            }
        }
        Self(reached)
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.or(other)
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Self) {
        *self = self.or(other);
    }
}

impl Sub for Bitboard {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.without(other)
    }
}

impl Not for Bitboard {
    type Output = Self;
    fn not(self) -> Self {
        Self(ALL & !self.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Self {
        squares.into_iter().fold(Self::EMPTY, |bits, square| bits | Self::maybe(index(square)))
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.squares().map(|square| square.to_string())).finish()
    }
}

const UP: usize = 0;
const RIGHT: usize = 2;
/// Up, down, right, left; a way and its opposite differ in the last bit.
const WAYS: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

/// The square one step from `index` along `WAYS[way]`.
const fn step(index: u8, way: usize) -> Option<u8> {
    let (file, rank) = (index / SIZE, index % SIZE);
    let (right, up) = WAYS[way];
    match (file.checked_add_signed(right), rank.checked_add_signed(up)) {
        (Some(file), Some(rank)) => self::index(Square::new(file, rank)),
        _ => None,
    }
}

static RAYS: [[u128; 4]; COUNT] = {
    let mut rays = [[0; 4]; COUNT];
    let mut from = 0;
    while from < COUNT {
        let mut way = 0;
        while way < 4 {
            let mut at = step(from as u8, way);
            while let Some(index) = at {
                rays[from][way] |= 1 << index;
                at = step(index, way);
            }
            way += 1;
        }
        from += 1;
    }
    rays
};

/// What lies next to every square, up, down, right and left of it.
static NEIGHBOURS: [[Option<u8>; 4]; COUNT] = {
    let mut table = [[None; 4]; COUNT];
    let mut from = 0;
    while from < COUNT {
        let mut way = 0;
        while way < 4 {
            table[from][way] = step(from as u8, way);
            way += 1;
        }
        from += 1;
    }
    table
};

/// The squares next to `index`, each with the square beyond it.
pub(super) fn around(index: u8) -> impl Iterator<Item = (u8, Option<u8>)> {
    NEIGHBOURS[usize::from(index)].iter().enumerate().filter_map(|(way, &near)| {
        let near = near?;
        Some((near, NEIGHBOURS[usize::from(near)][way]))
    })
}

/// The squares next to `index`.
pub(super) fn beside(index: u8) -> Bitboard {
    NEIGHBOURS[usize::from(index)]
        .iter()
        .fold(Bitboard::EMPTY, |bits, &near| bits | Bitboard::maybe(near))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_squares_and_names_share_one_order() {
        let names = "a1 a9 b1 e5 i1 i9";
        let squares: Vec<_> =
            Bitboard::of(names).squares().map(|square| square.to_string()).collect();
        assert_eq!(squares.join(" "), names);
        assert_eq!(Bitboard::of(names).len(), 6);
    }

    #[test]
    fn names_of_other_boards_are_no_squares() {
        assert_eq!(Bitboard::of("j1 e0 A1"), Bitboard::EMPTY);
        assert!(!(!Bitboard::EMPTY).contains(Square::new(9, 0)));
        assert!(!(!Bitboard::EMPTY).contains(Square::new(0, 9)));
    }

    #[test]
    fn slides_end_in_front_of_walls_and_at_the_edge() {
        let index = |name: &str| name.parse().ok().and_then(index).unwrap();
        let walls = Bitboard::of("e8 e2 c5 i5 a1");
        let free = Bitboard::of("e6 e7 e4 e3 d5 f5 g5 h5");
        assert_eq!(Bitboard::slides(index("e5"), walls), free);
        let cross = Bitboard::slides(index("a1"), Bitboard::EMPTY);
        assert_eq!(cross.len(), 16);
        assert!(cross.covers(Bitboard::of("a9 i1")));
    }

    #[test]
    fn corners_have_two_neighbours_and_edges_three() {
        let count = |name: &str| beside(name.parse().ok().and_then(index).unwrap()).len();
        assert_eq!((count("a1"), count("a5"), count("e5")), (2, 3, 4));
    }
}
