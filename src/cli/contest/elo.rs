//! What a score between two players says about their strength.

/// Wins, draws and losses of the first of two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    pub(super) wins: u32,
    pub(super) draws: u32,
    pub(super) losses: u32,
}

/// A difference in Elo points and the interval it lies in with 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Difference {
    pub(super) elo: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Two-sided 95 % of the normal distribution, in standard deviations.
const SIGMAS: f64 = 1.959_964;

impl Score {
    pub(super) const fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// A win counts one, a draw half.
    pub(super) fn points(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// The points per game, 0 to 1; half when nothing was played.
    pub(super) fn mean(self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => self.points() / f64::from(games),
        }
    }

    /// Whether all games ended alike: then nothing can be said about an
    /// interval.
    pub(super) const fn uniform(self) -> bool {
        let games = self.games();
        self.wins == games || self.draws == games || self.losses == games
    }

    /// The Elo difference by the logistic curve. The interval is the normal
    /// approximation on the mean score: the mean plus and minus 1.96 times the
    /// standard deviation of a game's points over the root of the number of
    /// games, each end put through the curve.
    pub(super) fn difference(self) -> Difference {
        let (mean, games) = (self.mean(), f64::from(self.games()));
        let spread = |points: f64, count: u32| f64::from(count) * (points - mean).powi(2);
        let squares = spread(1.0, self.wins) + spread(0.5, self.draws) + spread(0.0, self.losses);
        let error = if games > 0.0 { (squares / games / games).sqrt() } else { f64::INFINITY };
        Difference {
            elo: elo(mean),
            low: elo(mean - SIGMAS * error),
            high: elo(mean + SIGMAS * error),
        }
    }
}

/// The difference at which the stronger side scores `mean` per game.
fn elo(mean: f64) -> f64 {
    let mean = mean.clamp(0.0, 1.0);
    if mean == 0.5 { 0.0 } else { 400.0 * (mean / (1.0 - mean)).log10() }
}

/// A difference as people write it: `+35`, `-120`, `+inf`.
pub(super) fn signed(elo: f64) -> String {
    // Adding zero turns a minus zero into a plain one.
    if elo.is_infinite() { format!("{elo:+}") } else { format!("{:+.0}", elo.round() + 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_are_191_points() {
        let difference = Score { wins: 75, draws: 0, losses: 25 }.difference();
        assert!((difference.elo - 190.85).abs() < 0.01, "{difference:?}");
        // 0.75 ± 1.96·√(0.75·0.25/100) = 0.6651 and 0.8349
        assert!((difference.low - 119.2).abs() < 0.1, "{difference:?}");
        assert!((difference.high - 281.5).abs() < 0.1, "{difference:?}");
    }

    #[test]
    fn draws_narrow_the_interval() {
        let sharp = Score { wins: 50, draws: 0, losses: 50 }.difference();
        let drawn = Score { wins: 10, draws: 80, losses: 10 }.difference();
        assert_eq!((sharp.elo, drawn.elo), (0.0, 0.0));
        assert!(drawn.high < sharp.high && drawn.low > sharp.low);
        assert!((drawn.high + drawn.low).abs() < 1e-9);
    }

    #[test]
    fn all_won_is_beyond_measure() {
        let difference = Score { wins: 5, draws: 0, losses: 0 }.difference();
        assert_eq!(signed(difference.elo), "+inf");
        assert_eq!(signed(-difference.elo), "-inf");
        assert_eq!(signed(-0.2), "+0");
        assert_eq!(signed(34.6), "+35");
        let nothing = Score::default().difference();
        assert_eq!((nothing.low, nothing.high), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
