//! Zobrist keys of positions, updated with every move.

use super::{Army, Rules, bitboard::COUNT};
use crate::{GOLDEN_GAMMA, splitmix64};

/// The kinds of pieces, as indices of the table of keys.
pub(super) const KING: usize = 0;
pub(super) const WHITE: usize = 1;
pub(super) const BLACK: usize = 2;

/// The `counter`-th number of a SplitMix64 generator.
const fn random(counter: u64) -> u64 {
    splitmix64(counter.wrapping_add(1).wrapping_mul(GOLDEN_GAMMA))
}

static PIECES: [[u64; COUNT]; 3] = {
    let mut keys = [[0; COUNT]; 3];
    let mut piece = 0;
    while piece < 3 {
        let mut square = 0;
        while square < COUNT {
            keys[piece][square] = random((piece * COUNT + square) as u64);
            square += 1;
        }
        piece += 1;
    }
    keys
};

/// The key part of a piece on a square.
pub(super) fn of_piece(piece: usize, square: u8) -> u64 {
    PIECES[piece][usize::from(square)]
}

/// The key part of Black being to move.
pub(super) const BLACK_TO_MOVE: u64 = random(1_000);

/// The key part of a rule set, so that positions of different rules differ.
pub(super) const fn of_rules(rules: &Rules) -> u64 {
    random(2_000 + rules.set as u64)
}

/// The table index of an army's soldiers.
pub(super) const fn soldier(army: Army) -> usize {
    match army {
        Army::White => WHITE,
        Army::Black => BLACK,
    }
}
