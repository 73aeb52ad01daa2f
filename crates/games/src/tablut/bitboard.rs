//! Sets of squares of the 9x9 board.
//!
//! A square's index runs up the files, so the order of bits is the order of squares and of
//! their names.

use std::{
    fmt,
    ops::{BitAnd, BitOr, BitOrAssign, Not, Sub},
};

use super::mailbox::{self, BOARD, Bits, squares_in, to_square};
use crate::Square;

/// The number of files and of ranks.
pub const SIZE: u8 = 9;

/// The index of a square; `None` off the board.
pub(super) const fn index(square: Square) -> Option<u8> {
    if square.file < SIZE && square.rank < SIZE {
        Some(mailbox::index(square.file as usize, square.rank as usize))
    } else {
        None
    }
}

/// A set of squares of the Tablut board, one bit per square.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(Bits);

impl Bitboard {
    /// The set without any square.
    pub const EMPTY: Self = Self(0);
    pub(super) const ALL: Self = Self(BOARD);

    /// The set of these bits; those off the board are dropped.
    pub const fn from_bits(bits: Bits) -> Self {
        Self(bits & BOARD)
    }

    /// The bits of the set.
    pub const fn bits(self) -> Bits {
        self.0
    }

    /// The squares named in `names`, separated by single spaces, as in `"e4 e6"`.
    /// Names of squares off the board are ignored.
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
    pub const fn contains(self, square: Square) -> bool {
        match index(square) {
            Some(index) => self.has(index),
            None => false,
        }
    }

    /// Whether the set has no square.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether every square of `other` is in this set.
    pub const fn is_superset(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// The squares in the order of their names.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        squares_in(self.0).map(to_square)
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
        Self(BOARD & !self.0)
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
}
