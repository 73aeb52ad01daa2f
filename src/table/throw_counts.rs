//! The throws of a game against what sticks are expected to show.

use crate::games::{AnyPosition, Event, GameHistory, Side};

/// How often each number of plain sides came up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThrowCounts {
    /// By the number of plain sides, 0 to 4.
    pub seen: [u32; 5],
}

/// How many of 16 throws show so many plain sides: each stick falls either way
/// with the same chance.
const OF_SIXTEEN: [u32; 5] = [1, 4, 6, 4, 1];

/// The throws of each side among the first `plies` plies, by [`Side::index`].
///
/// ```
/// use tabulae::games::{AnyPosition, GameHistory, Ply, RuleSet, Throw};
/// use tabulae::table::{ThrowCounts, count_throws};
///
/// let mut line = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
/// line.push(Ply::Throw(Throw::ALL[2]))?;
/// let [south, north]: [ThrowCounts; 2] = count_throws(&line, line.len());
/// assert_eq!((south.seen, north.count()), ([0, 0, 1, 0, 0], 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn count_throws(line: &GameHistory<AnyPosition>, plies: usize) -> [ThrowCounts; 2] {
    let mut counts = [ThrowCounts::default(); 2];
    for number in 1..=plies.min(line.len()) {
        for event in line.events(number) {
            if let Event::Thrown { side, throw } = event {
                counts[Side::index(*side)].seen[usize::from(throw.plain())] += 1;
            }
        }
    }
    counts
}

impl ThrowCounts {
    /// All of them.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.seen.iter().sum()
    }

    /// Both together.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        for (mine, others) in self.seen.iter_mut().zip(other.seen) {
            *mine += others;
        }
        self
    }

    /// How often so many plain sides are expected among as many throws.
    #[must_use]
    pub fn expected(&self, plain: usize) -> f64 {
        f64::from(self.count()) * f64::from(OF_SIXTEEN.get(plain).copied().unwrap_or(0)) / 16.0
    }

    /// The chance that fair sticks spread at least as unevenly: Pearson's
    /// chi-squared with four degrees of freedom, whose tail is
    /// `exp(-x/2) (1 + x/2)`. None before there are throws enough for it to
    /// mean anything (five expected of the rarest).
    #[must_use]
    pub fn fairness(&self) -> Option<f64> {
        let rarest = self.expected(0);
        if rarest < 5.0 {
            return None;
        }
        let off: f64 = (0..5)
            .map(|plain| {
                let expected = self.expected(plain);
                (f64::from(self.seen[plain]) - expected).powi(2) / expected
            })
            .sum();
        Some((-off / 2.0).exp() * (1.0 + off / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::{RuleSet, Turn},
        table::{Dice, GameSession, Setup},
    };

    #[test]
    fn each_side_s_throws_are_counted() {
        let setup = Setup { seed: Some(1), ..Setup::new(RuleSet::Tablan) };
        let mut table = GameSession::new(setup);
        let mut thrown = [0; 2];
        for _ in 0..60 {
            match table.turn() {
                Some(Turn::Throw(side)) => {
                    thrown[side.index()] += 1;
                    table.throw().expect("a throw");
                }
                Some(Turn::Move(_)) => {
                    let first = table.history().legal_moves()[0];
                    table.play(first).expect("legal");
                }
                Some(Turn::Over(_)) | None => break,
            }
        }
        let counts = count_throws(table.history(), table.history().len());
        assert_eq!(counts.map(|throws| throws.count()), thrown);
        assert_eq!(count_throws(table.history(), 0), [ThrowCounts::default(); 2]);
    }

    #[test]
    fn the_generator_is_fair_and_a_loaded_stick_is_found() {
        let mut fair = ThrowCounts::default();
        let dice = Dice::new(3);
        for n in 0..800 {
            fair.seen[usize::from(dice.throw(n).plain())] += 1;
        }
        let chance = fair.fairness().expect("throws enough");
        assert!(chance > 0.01, "{fair:?}: {chance}");
        let loaded = ThrowCounts { seen: [10, 20, 30, 20, 80] };
        assert!(loaded.fairness().expect("throws enough") < 1e-6);
        assert_eq!(ThrowCounts { seen: [1, 4, 6, 4, 1] }.fairness(), None, "too few to tell");
        let just = ThrowCounts { seen: [10, 40, 60, 40, 10] };
        assert!((just.fairness().expect("enough") - 1.0).abs() < 1e-12);
    }
}
