//! The throws of the casting sticks, from a seeded generator.
//!
//! The n-th throw of a game is a function of the seed and n. So undo never
//! changes later throws, and a saved game goes on with the same throws. The
//! generator must never change: ChaCha8 seeded by `seed_from_u64`, one 32-bit
//! word per throw, which [`throw_of`] names.

// Both versions of this crate need their browser feature, which Cargo.toml sets.
#[cfg(target_arch = "wasm32")]
use getrandom as _;
#[cfg(target_arch = "wasm32")]
use getrandom_03 as _;
use rand::{Rng, SeedableRng, rngs::ChaCha8Rng};

use tabulae_games::{Side, Throw, tablan::throw_of};

/// The throws of one game, drawn from its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    seed: u64,
}

impl Dice {
    /// The throws of a game with this seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The seed.
    pub const fn seed(self) -> u64 {
        self.seed
    }

    /// The `n`-th throw of the game, from 0.
    pub fn throw(self, n: usize) -> Throw {
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        generator.set_word_pos(n as u128);
        throw_of(generator.next_u32())
    }

    /// The side that throws off first, drawn at random from a stream of its own.
    pub fn lot(seed: u64) -> Side {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(1);
        if generator.next_u32() & 1 == 0 { Side::First } else { Side::Second }
    }
}

/// A seed from the system's randomness.
///
/// ```
/// use tabulae_session::{Dice, random_seed};
///
/// let dice = Dice::new(random_seed());
/// assert_eq!(dice.throw(7), Dice::new(dice.seed()).throw(7), "the same, however often");
/// ```
pub fn random_seed() -> u64 {
    rand::random()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_throws_of_a_seed_never_change() {
        let dice = Dice::new(20_261_120);
        let drawn: Vec<u8> = (0..24).map(|n| dice.throw(n).plain()).collect();
        assert_eq!(drawn, [0, 4, 3, 1, 2, 1, 1, 3, 1, 1, 2, 1, 1, 3, 3, 4, 2, 2, 4, 3, 3, 1, 2, 2]);
        let lots: Vec<Side> = (0..6).map(Dice::lot).collect();
        use Side::{First, Second};
        assert_eq!(lots, [Second, Second, Second, First, First, Second]);
    }

    #[test]
    fn the_nth_throw_is_the_nth_word_of_the_generator() {
        let dice = Dice::new(7);
        let mut generator = ChaCha8Rng::seed_from_u64(7);
        for n in 0..50 {
            assert_eq!(dice.throw(n), throw_of(generator.next_u32()), "throw {n}");
        }
    }
}
