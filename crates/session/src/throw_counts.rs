//! Statistics of a game's throws, compared with fair sticks.

use tabulae_games::{AnyPosition, Event, GameHistory, Side};

/// How often each throw came up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThrowCounts {
    /// By the number of plain sides, 0 to 4.
    pub seen: [u32; 5],
}

/// How many of 16 fair throws show each number of plain sides (rule 8).
const OF_SIXTEEN: [u32; 5] = [1, 4, 6, 4, 1];

/// The throws of each side among the first `plies` plies, by [`Side::index`].
///
/// ```
/// use tabulae_games::{AnyPosition, GameHistory, Ply, RuleSet, Throw};
/// use tabulae_session::{ThrowCounts, count_throws};
///
/// let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
/// history.push(Ply::Throw(Throw::ALL[2]))?;
/// let [south, north]: [ThrowCounts; 2] = count_throws(&history, history.len());
/// assert_eq!((south.seen, north.count()), ([0, 0, 1, 0, 0], 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn count_throws(history: &GameHistory<AnyPosition>, plies: usize) -> [ThrowCounts; 2] {
    let mut counts = [ThrowCounts::default(); 2];
    for number in 1..=plies.min(history.len()) {
        for event in history.events(number) {
            if let Event::Thrown { side, throw } = event {
                counts[Side::index(*side)].seen[usize::from(throw.plain())] += 1;
            }
        }
    }
    counts
}

impl ThrowCounts {
    /// The number of throws.
    pub fn count(&self) -> u32 {
        self.seen.iter().sum()
    }

    /// The sum of both counts.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        for (mine, others) in self.seen.iter_mut().zip(other.seen) {
            *mine += others;
        }
        self
    }

    /// How many of these throws fair sticks would show with `plain` plain sides.
    pub fn expected(&self, plain: usize) -> f64 {
        f64::from(self.count()) * f64::from(OF_SIXTEEN.get(plain).copied().unwrap_or(0)) / 16.0
    }

    /// The p-value of Pearson's chi-squared test that the sticks are fair: how
    /// likely fair sticks deviate at least as much. With four degrees of freedom
    /// it is `exp(-x/2) (1 + x/2)`. `None` while fewer than five throws of the
    /// rarest kind are expected, where the test says nothing.
    pub fn p_value(&self) -> Option<f64> {
        let rarest = self.expected(0);
        if rarest < 5.0 {
            return None;
        }
        let chi_squared: f64 = (0..5)
            .map(|plain| {
                let expected = self.expected(plain);
                (f64::from(self.seen[plain]) - expected).powi(2) / expected
            })
            .sum();
        Some((-chi_squared / 2.0).exp() * (1.0 + chi_squared / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dice, GameSession, Setup};
    use tabulae_games::{RuleSet, Turn};

    #[test]
    fn throws_are_counted_by_side() {
        let setup = Setup { seed: Some(1), ..Setup::new(RuleSet::Tablan) };
        let mut session = GameSession::new(setup);
        let mut thrown = [0; 2];
        for _ in 0..60 {
            match session.turn() {
                Some(Turn::Throw(side)) => {
                    thrown[side.index()] += 1;
                    session.throw().expect("a throw");
                }
                Some(Turn::Move(_)) => {
                    let first = session.history().legal_moves()[0];
                    session.play(first).expect("legal");
                }
                Some(Turn::Over(_)) | None => break,
            }
        }
        let counts = count_throws(session.history(), session.history().len());
        assert_eq!(counts.map(|throws| throws.count()), thrown);
        assert_eq!(count_throws(session.history(), 0), [ThrowCounts::default(); 2]);
    }

    #[test]
    fn the_test_accepts_the_generator_and_rejects_loaded_sticks() {
        let mut fair = ThrowCounts::default();
        let dice = Dice::new(3);
        for n in 0..800 {
            fair.seen[usize::from(dice.throw(n).plain())] += 1;
        }
        let chance = fair.p_value().expect("throws enough");
        assert!(chance > 0.01, "{fair:?}: {chance}");
        let loaded = ThrowCounts { seen: [10, 20, 30, 20, 80] };
        assert!(loaded.p_value().expect("throws enough") < 1e-6);
        assert_eq!(ThrowCounts { seen: [1, 4, 6, 4, 1] }.p_value(), None, "too few to tell");
        let just = ThrowCounts { seen: [10, 40, 60, 40, 10] };
        assert!((just.p_value().expect("enough") - 1.0).abs() < 1e-12);
    }
}
