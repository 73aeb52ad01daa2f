//! The casting sticks' generator.
//!
//! Pinned: ChaCha8 seeded by `seed_from_u64`, one 32-bit word a throw, its low
//! bits drawn against the rules' weights. The n-th throw of a game is a
//! function of the seed and n, so taking a move back never changes the dice,
//! and a game saved and opened again goes on with the same throws.

use rand::{Rng, SeedableRng, rngs::ChaCha8Rng};

use crate::games::{Side, Throw};

/// The weights of a fair throw, out of 16.
const WEIGHTS: [(Throw, u32); 5] = crate::games::tablan::OUTCOMES;

/// The throws of one game, drawn from its seed.
#[derive(Clone, Debug)]
pub struct Dice {
    seed: u64,
    generator: ChaCha8Rng,
    drawn: Vec<Throw>,
}

impl Dice {
    /// The sticks of a game with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, generator: ChaCha8Rng::seed_from_u64(seed), drawn: Vec::new() }
    }

    /// The seed.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The `n`-th throw of the game, from 0.
    pub fn throw(&mut self, n: usize) -> Throw {
        while self.drawn.len() <= n {
            let word = self.generator.next_u32();
            self.drawn.push(draw(word, &WEIGHTS));
        }
        self.drawn[n]
    }

    /// Who throws off first: the lot, drawn from the same seed but not from
    /// the throws' words.
    #[must_use]
    pub fn lot(seed: u64) -> Side {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(1);
        if generator.next_u32() & 1 == 0 { Side::First } else { Side::Second }
    }
}

/// A seed nobody chose, from the system's randomness.
#[must_use]
pub fn fresh_seed() -> u64 {
    rand::random()
}

/// Picks an outcome by weight; exact where the weights' sum divides 2^32, as
/// 16 does.
fn draw(word: u32, outcomes: &[(Throw, u32)]) -> Throw {
    let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
    let mut rest = word % total.max(1);
    for &(throw, weight) in outcomes {
        if rest < weight {
            return throw;
        }
        rest -= weight;
    }
    Throw::ALL[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_of_a_seed_is_pinned() {
        let mut dice = Dice::new(20_261_120);
        let drawn: Vec<u8> = (0..24).map(|n| dice.throw(n).plain()).collect();
        assert_eq!(drawn, [0; 24]);
        let lots: Vec<Side> = (0..6).map(Dice::lot).collect();
        assert_eq!(lots, [Side::First; 6]);
    }

    #[test]
    fn a_throw_depends_on_its_number_alone() {
        let (mut forwards, mut backwards) = (Dice::new(7), Dice::new(7));
        let ahead: Vec<Throw> = (0..50).map(|n| forwards.throw(n)).collect();
        let back: Vec<Throw> = (0..50).rev().map(|n| backwards.throw(n)).collect();
        assert!(ahead.iter().eq(back.iter().rev()));
    }

    #[test]
    fn every_word_is_drawn_by_the_weights() {
        let mut counts = [0; 5];
        for word in 0..16 {
            counts[usize::from(draw(word, &WEIGHTS).plain())] += 1;
        }
        assert_eq!(counts, [1, 4, 6, 4, 1]);
    }
}
