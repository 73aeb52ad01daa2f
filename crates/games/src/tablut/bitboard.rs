//! Bitboards of the 9x9 board, rays and neighbours.
//!
//! A square's index runs up the files (a1 is 0, a9 is 8, i9 is 80), so the order of
//! bits is the order of squares and of their names.

use std::{
    fmt,
    ops::{BitAnd, BitOr, BitOrAssign, Not, Sub},
};

use crate::Square;

/// The number of files and of ranks.
pub const SIZE: u8 = 9;

pub(super) const COUNT: usize = 81;
const ALL: u128 = (1 << COUNT) - 1;

/// The index of a square; `None` off the board.
pub(super) const fn index(square: Square) -> Option<u8> {
    if square.file < SIZE && square.rank < SIZE {
        Some(square.file * SIZE + square.rank)
    } else {
        None
    }
}

/// The square with this index, which must be below 81.
pub(super) const fn square(index: u8) -> Square {
    Square::new(index / SIZE, index % SIZE)
}

/// A set of squares of the Tablut board, one bit per square.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// The squares named in `names`, separated by single spaces, as in `"e4 e6"`.
    /// Names of squares off the board are ignored.
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
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of `other` is in this set.
    #[must_use]
    pub const fn is_superset(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// The squares in the order of their names.
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

    /// The squares that a rook on `from` reaches if the squares of `blockers` stop it
    /// before them.
    pub(super) fn rook_moves(from: u8, blockers: Self) -> Self {
        let mut reached = 0;
        for (direction, &ray) in RAYS[usize::from(from)].iter().enumerate() {
            let hits = ray & blockers.0;
            reached |= ray;
            if hits != 0 {
                let first = match direction {
                    UP | RIGHT => hits.trailing_zeros(),
                    _ => 127 - hits.leading_zeros(),
                };
                reached &= !(RAYS[first as usize][direction] | 1 << first);
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
/// Up, down, right and left as steps of file and rank.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

/// The square one step from `index` along `DIRECTIONS[direction]`.
const fn step(index: u8, direction: usize) -> Option<u8> {
    let (file, rank) = (index / SIZE, index % SIZE);
    let (right, up) = DIRECTIONS[direction];
    match (file.checked_add_signed(right), rank.checked_add_signed(up)) {
        (Some(file), Some(rank)) => self::index(Square::new(file, rank)),
        _ => None,
    }
}

/// By square and direction, the squares from there to the edge.
static RAYS: [[u128; 4]; COUNT] = {
    let mut rays = [[0; 4]; COUNT];
    let mut from = 0;
    while from < COUNT {
        let mut direction = 0;
        while direction < 4 {
            let mut at = step(from as u8, direction);
            while let Some(index) = at {
                rays[from][direction] |= 1 << index;
                at = step(index, direction);
            }
            direction += 1;
        }
        from += 1;
    }
    rays
};

/// By square and direction, the next square.
static NEIGHBOURS: [[Option<u8>; 4]; COUNT] = {
    let mut table = [[None; 4]; COUNT];
    let mut from = 0;
    while from < COUNT {
        let mut direction = 0;
        while direction < 4 {
            table[from][direction] = step(from as u8, direction);
            direction += 1;
        }
        from += 1;
    }
    table
};

/// The neighbours of a square, each with the square beyond it.
pub(super) fn neighbours_and_beyond(index: u8) -> impl Iterator<Item = (u8, Option<u8>)> {
    NEIGHBOURS[usize::from(index)].iter().enumerate().filter_map(|(direction, &near)| {
        let near = near?;
        Some((near, NEIGHBOURS[usize::from(near)][direction]))
    })
}

/// The neighbours of a square.
pub(super) fn neighbours(index: u8) -> Bitboard {
    NEIGHBOURS[usize::from(index)]
        .iter()
        .fold(Bitboard::EMPTY, |bits, &near| bits | Bitboard::maybe(near))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_squares_and_names_have_the_same_order() {
        let names = "a1 a9 b1 e5 i1 i9";
        let squares: Vec<_> =
            Bitboard::of(names).squares().map(|square| square.to_string()).collect();
        assert_eq!(squares.join(" "), names);
        assert_eq!(Bitboard::of(names).len(), 6);
    }

    #[test]
    fn squares_off_the_board_are_ignored() {
        assert_eq!(Bitboard::of("j1 e0 A1"), Bitboard::EMPTY);
        assert!(!(!Bitboard::EMPTY).contains(Square::new(9, 0)));
        assert!(!(!Bitboard::EMPTY).contains(Square::new(0, 9)));
    }

    #[test]
    fn rook_moves_end_before_blockers_and_at_the_edge() {
        let index = |name: &str| name.parse().ok().and_then(index).unwrap();
        let blockers = Bitboard::of("e8 e2 c5 i5 a1");
        let free = Bitboard::of("e6 e7 e4 e3 d5 f5 g5 h5");
        assert_eq!(Bitboard::rook_moves(index("e5"), blockers), free);
        let cross = Bitboard::rook_moves(index("a1"), Bitboard::EMPTY);
        assert_eq!(cross.len(), 16);
        assert!(cross.is_superset(Bitboard::of("a9 i1")));
    }

    #[test]
    fn corners_have_two_neighbours_and_edges_three() {
        let count = |name: &str| neighbours(name.parse().ok().and_then(index).unwrap()).len();
        assert_eq!((count("a1"), count("a5"), count("e5")), (2, 3, 4));
    }
}
