//! Zobrist keys of positions, updated with every move.

use super::{
    Rules,
    mailbox::{MAILBOX_SIZE, index},
};
use crate::{GOLDEN_GAMMA, splitmix64};

/// The `counter`-th number of a SplitMix64 generator.
const fn random(counter: usize) -> u64 {
    splitmix64((counter as u64).wrapping_add(1).wrapping_mul(GOLDEN_GAMMA))
}

/// By kind of piece and index of its square: the key part.
pub(super) static PIECES: [[u64; MAILBOX_SIZE]; 3] = {
    let mut keys = [[0; MAILBOX_SIZE]; 3];
    let mut at = 0;
    while at < 81 {
        let square = index(at / 9, at % 9) as usize;
        let mut kind = 0;
        while kind < 3 {
            // The king's keys come first.
            keys[kind][square] = random((kind + 1) % 3 * 81 + at);
            kind += 1;
        }
        at += 1;
    }
    keys
};

/// The key part of Black being to move.
pub(super) const BLACK_TO_MOVE: u64 = random(1_000);

/// The key part of a rule set, so that positions of different rules differ.
pub(super) const fn of_rules(rules: &Rules) -> u64 {
    random(2_000 + rules.set.index())
}
