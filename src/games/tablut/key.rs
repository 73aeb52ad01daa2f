//! 64-bit keys of positions, kept up to date move by move.

use super::{Army, Rules, bitboard::COUNT};

/// What stands on a square, as far as a key tells pieces apart.
pub(super) const KING: usize = 0;
pub(super) const WHITE: usize = 1;
pub(super) const BLACK: usize = 2;

/// SplitMix64: a well mixed number for every counter.
const fn mixed(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

static PIECES: [[u64; COUNT]; 3] = {
    let mut keys = [[0; COUNT]; 3];
    let mut piece = 0;
    while piece < 3 {
        let mut square = 0;
        while square < COUNT {
            keys[piece][square] = mixed((piece * COUNT + square) as u64);
            square += 1;
        }
        piece += 1;
    }
    keys
};

/// The part of a key that `piece` on `square` brings.
pub(super) fn of_piece(piece: usize, square: u8) -> u64 {
    PIECES[piece][usize::from(square)]
}

/// The part that changes with every move: Black is to move.
pub(super) const BLACK_TO_MOVE: u64 = mixed(1_000);

/// The part of a board without pieces: positions of different rules differ.
pub(super) const fn of_rules(rules: &Rules) -> u64 {
    mixed(2_000 + rules.set as u64)
}

/// The soldiers' number in a key's table.
pub(super) const fn soldier(army: Army) -> usize {
    match army {
        Army::White => WHITE,
        Army::Black => BLACK,
    }
}
