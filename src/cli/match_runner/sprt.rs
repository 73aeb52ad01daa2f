//! The sequential probability ratio test (SPRT) of a match.
//!
//! Source: M. Van den Bergh, "A practical introduction to the GSPRT".

use std::str::FromStr;

use super::stats::Pentanomial;

/// A sequential probability ratio test between two logistic Elo differences,
/// with 5 % of error either way (α = β = 0.05).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sprt {
    /// The Elo difference of the null hypothesis H0.
    pub(super) elo0: f64,
    /// The Elo difference of the alternative H1.
    pub(super) elo1: f64,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// H0 is accepted.
    AcceptH0,
    /// More games are needed.
    Continue,
    /// H1 is accepted.
    AcceptH1,
}

impl Sprt {
    /// ln(0.95 / 0.05): the test ends when the log-likelihood ratio reaches it,
    /// or falls to its negative.
    pub(super) const BOUND: f64 = 2.944_439;
    /// Fewer pairs decide nothing, however they end.
    const MIN_PAIRS: u32 = 2;
    /// Added to the variance's sum of squares and to its count: half a pair each
    /// with 0, 1 and 2 points. Without it a few pairs that end alike have a
    /// variance near 0 and end the test at once; with many it makes no
    /// difference.
    const PRIOR_SQUARES: f64 = 0.25;
    const PRIOR_PAIRS: f64 = 1.5;

    /// The log-likelihood ratio of H1 to H0, by the normal approximation of the
    /// generalised test (GSPRT): N (s1 − s0) (2 mean − s0 − s1) / 2 variance,
    /// with N pairs and scores per game of a pair.
    pub(super) fn log_likelihood_ratio(self, pairs: Pentanomial) -> f64 {
        let count = f64::from(pairs.count());
        let variance = (pairs.sum_of_squares() + Self::PRIOR_SQUARES) / (count + Self::PRIOR_PAIRS);
        let (score0, score1) = (score_of_elo(self.elo0), score_of_elo(self.elo1));
        count * (score1 - score0) * (2.0 * pairs.mean() - score0 - score1) / (2.0 * variance)
    }

    /// Whether the pairs decide the test.
    pub(super) fn verdict(self, pairs: Pentanomial) -> Verdict {
        match self.log_likelihood_ratio(pairs) {
            _ if pairs.count() < Self::MIN_PAIRS => Verdict::Continue,
            ratio if ratio >= Self::BOUND => Verdict::AcceptH1,
            ratio if ratio <= -Self::BOUND => Verdict::AcceptH0,
            _ => Verdict::Continue,
        }
    }
}

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once(',')
            .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
        match numbers {
            Some((elo0, elo1)) if f64::is_finite(elo0) && f64::is_finite(elo1) && elo0 < elo1 => {
                Ok(Self { elo0, elo1 })
            }
            _ => Err("expected two Elo differences, the lower first, like 0,20".to_owned()),
        }
    }
}

/// The expected score per game at an Elo difference.
fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::{super::stats::in_equal_pairs, *};

    /// Pull requests #2971 and #2950 of Stockfish and #2951's long test, as
    /// fishtest reported them with logistic bounds; and fastchess' own tests
    /// ("logistic pentanomial", app/tests/sprt_test.cpp). They use the exact
    /// likelihood, this is its normal approximation.
    #[test]
    fn the_ratio_agrees_with_fishtest_and_fastchess() {
        for (pairs, elo0, elo1, published) in [
            ([17, 253, 1042, 337, 39], -0.5, 1.5, 2.96),
            ([11, 407, 3238, 513, 11], 0.25, 1.75, 2.93),
            ([133, 1751, 5094, 1849, 165], -0.5, 1.5, 2.94),
            ([33, 1185, 8378, 1302, 50], 0.25, 1.75, 2.95),
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98),
        ] {
            let ratio = Sprt { elo0, elo1 }.log_likelihood_ratio(Pentanomial(pairs));
            assert!((ratio - published).abs() < 0.02, "{pairs:?}: {ratio}, not {published}");
        }
    }

    #[test]
    fn a_test_ends_when_the_ratio_reaches_a_bound() {
        let test: Sprt = "0,20".parse().unwrap();
        assert_eq!(test, Sprt { elo0: 0.0, elo1: 20.0 });
        let verdict = |wins, draws, losses| test.verdict(in_equal_pairs(wins, draws, losses).pairs);
        assert_eq!(verdict(0, 0, 0), Verdict::Continue);
        assert_eq!(verdict(5, 0, 0), Verdict::Continue);
        assert_eq!(verdict(30, 40, 30), Verdict::Continue);
        assert_eq!(verdict(1200, 600, 1000), Verdict::AcceptH1);
        assert_eq!(verdict(1000, 600, 1200), Verdict::AcceptH0);
        // By hand: 1400 pairs, mean 0.535714, variance 0.194908, expected scores
        // 0.5 and 0.528750.
        let ratio = test.log_likelihood_ratio(in_equal_pairs(1200, 600, 1000).pairs);
        assert!((ratio - 4.4).abs() < 0.1, "{ratio}");
        for bad in ["", "5", "5,5", "20,0", "a,b", "0,inf", "0,NaN"] {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
    }

    #[test]
    fn one_pair_ends_no_test_however_far_apart_the_hypotheses_are() {
        let test: Sprt = "-400,0".parse().unwrap();
        let verdict = |wins| test.verdict(in_equal_pairs(wins, 0, 0).pairs);
        assert_eq!((verdict(2), verdict(3)), (Verdict::Continue, Verdict::Continue));
        assert_eq!(verdict(4), Verdict::AcceptH1);
    }
}
