//! What a score between two players says about their strength.

use std::str::FromStr;

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

/// A sequential probability ratio test between two Elo differences, with 5 % of
/// error either way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sprt {
    /// What the difference is if the first player is no better than thought.
    pub(super) low: f64,
    /// What it is if the player is as good as hoped.
    pub(super) high: f64,
}

/// What a test has found so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The lower difference fits.
    Low,
    /// Not known yet.
    Open,
    /// The higher one does.
    High,
}

impl Sprt {
    /// The logarithm of 0.95 to 0.05: beyond it, either way, the test is over.
    pub(super) const BOUND: f64 = 2.944_439;

    /// The logarithm of how much likelier the score is at the higher difference
    /// than at the lower, by the normal approximation of the generalised test:
    /// half the games, times the difference of the two expected scores, times
    /// how far the mean lies beyond their middle, over the variance.
    pub(super) fn ratio(self, score: Score) -> f64 {
        let (mean, games) = (score.mean(), f64::from(score.games()));
        let spread = |points: f64, count: u32| f64::from(count) * (points - mean).powi(2);
        // Half a win, a draw and a loss more than there were: few games that
        // end alike prove nothing yet.
        let squares =
            spread(1.0, score.wins) + spread(0.5, score.draws) + spread(0.0, score.losses);
        let variance = (squares + 0.25) / (games + 1.5);
        let (low, high) = (expected(self.low), expected(self.high));
        games * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// What the score says.
    pub(super) fn verdict(self, score: Score) -> Verdict {
        match self.ratio(score) {
            ratio if ratio >= Self::BOUND => Verdict::High,
            ratio if ratio <= -Self::BOUND => Verdict::Low,
            _ => Verdict::Open,
        }
    }
}

/// The mean score at an Elo difference.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once(',')
            .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
        match numbers {
            Some((low, high)) if f64::is_finite(low) && f64::is_finite(high) && low < high => {
                Ok(Self { low, high })
            }
            _ => Err("expected two Elo differences, the lower first, as 0,20".to_owned()),
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
    fn a_test_ends_when_enough_is_known() {
        let test: Sprt = "0,20".parse().unwrap();
        assert_eq!(test, Sprt { low: 0.0, high: 20.0 });
        let verdict = |wins, draws, losses| test.verdict(Score { wins, draws, losses });
        assert_eq!(verdict(0, 0, 0), Verdict::Open);
        assert_eq!(verdict(5, 0, 0), Verdict::Open);
        assert_eq!(verdict(30, 40, 30), Verdict::Open);
        assert_eq!(verdict(600, 300, 500), Verdict::High);
        assert_eq!(verdict(500, 300, 600), Verdict::Low);
        // By hand: games 1400, mean 0.535714, variance 0.194908, expected
        // scores 0.5 and 0.528750.
        let ratio = test.ratio(Score { wins: 600, draws: 300, losses: 500 });
        assert!((ratio - 4.4).abs() < 0.1, "{ratio}");
        for bad in ["", "5", "5,5", "20,0", "a,b", "0,inf", "0,NaN"] {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
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
