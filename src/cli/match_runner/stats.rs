//! Statistics of a match: the score, and the Elo difference with its error bars.
//!
//! The two games of a pair share an opening and the seed of the sticks, with
//! the sides swapped, so their results depend on each other. The unit of all
//! statistics is therefore the pair, with five outcomes (the pentanomial model
//! of fishtest and fastchess), not the game. A last game without a partner
//! counts in the score but not in the statistics: it favours the player who had
//! the better side.
//!
//! Source: M. Van den Bergh, "A practical introduction to the GSPRT";
//! <https://github.com/official-stockfish/fishtest/tree/master/server/fishtest/stats>.

/// How a game ended for the match's first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayerResult {
    Loss,
    Draw,
    Win,
}

impl PlayerResult {
    /// Points in halves: 0, 1 or 2.
    pub(super) const fn half_points(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}

/// Wins, draws and losses of the match's first player, and the same games
/// counted by pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    pub(super) wins: u32,
    pub(super) draws: u32,
    pub(super) losses: u32,
    pub(super) pairs: Pentanomial,
    /// The first game of a pair whose second game is not over.
    unpaired: Option<PlayerResult>,
}

impl Score {
    /// Counts a game. Games must come in the order in which they were
    /// scheduled, because every two in a row are a pair.
    pub(super) fn add(&mut self, result: PlayerResult) {
        match result {
            PlayerResult::Loss => self.losses += 1,
            PlayerResult::Draw => self.draws += 1,
            PlayerResult::Win => self.wins += 1,
        }
        match self.unpaired.take() {
            Some(first) => self.pairs.add(first, result),
            None => self.unpaired = Some(result),
        }
    }

    /// The same games for the other player.
    #[must_use]
    pub(super) fn reversed(self) -> Self {
        let mut pairs = self.pairs;
        pairs.0.reverse();
        let unpaired = self.unpaired.map(|result| match result {
            PlayerResult::Loss => PlayerResult::Win,
            PlayerResult::Draw => PlayerResult::Draw,
            PlayerResult::Win => PlayerResult::Loss,
        });
        Self { wins: self.losses, losses: self.wins, pairs, unpaired, ..self }
    }

    /// Adds the games of another match, of complete pairs, by the same player.
    pub(super) fn merge(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (sum, count) in self.pairs.0.iter_mut().zip(other.pairs.0) {
            *sum += count;
        }
    }

    /// The number of games.
    pub(super) const fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win, ½ for a draw.
    pub(super) fn points(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Points per game, from 0 to 1; ½ before the first game.
    pub(super) fn mean(self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => self.points() / f64::from(games),
        }
    }

    /// The Elo difference, measured by complete pairs. Before the first complete
    /// pair it is that of the games' mean score, without an interval.
    pub(super) fn elo(self) -> EloEstimate {
        match self.pairs.count() {
            0 => EloEstimate { elo: elo_of_score(self.mean()), interval: None },
            _ => self.pairs.elo(),
        }
    }
}

/// Pairs of games by their points: 0, ½, 1, 1½ or 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pentanomial(pub(super) [u32; 5]);

impl Pentanomial {
    /// The points per game of the five outcomes.
    const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    fn add(&mut self, first: PlayerResult, second: PlayerResult) {
        self.0[first.half_points() + second.half_points()] += 1;
    }

    /// The number of pairs.
    pub(super) fn count(self) -> u32 {
        self.0.iter().sum()
    }

    fn weighted(self) -> impl Iterator<Item = (f64, f64)> {
        Self::SCORES.into_iter().zip(self.0.map(f64::from))
    }

    /// The mean of the pairs' scores, from 0 to 1; ½ before the first pair.
    pub(super) fn mean(self) -> f64 {
        match self.count() {
            0 => 0.5,
            pairs => {
                self.weighted().map(|(score, count)| score * count).sum::<f64>() / f64::from(pairs)
            }
        }
    }

    /// The sum of the squared deviations from the mean.
    pub(super) fn sum_of_squares(self) -> f64 {
        let mean = self.mean();
        self.weighted().map(|(score, count)| count * (score - mean).powi(2)).sum()
    }

    /// The logistic Elo difference. Its 95 % interval is the normal
    /// approximation on the mean score of a pair: the mean ± 1.96 standard
    /// errors, each end mapped to Elo. No interval while all pairs scored alike.
    fn elo(self) -> EloEstimate {
        let (mean, pairs, squares) = (self.mean(), f64::from(self.count()), self.sum_of_squares());
        let margin = Z_95 * (squares / pairs / pairs).sqrt();
        let interval = (squares > 0.0).then(|| [mean - margin, mean + margin].map(elo_of_score));
        EloEstimate { elo: elo_of_score(mean), interval }
    }
}

/// An Elo difference with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EloEstimate {
    pub(super) elo: f64,
    /// The lower and the upper end; `None` when the games do not give one.
    pub(super) interval: Option<[f64; 2]>,
}

/// The two-sided 95 % quantile of the normal distribution, in standard
/// deviations.
const Z_95: f64 = 1.959_964;

/// The Elo difference at which the stronger player scores `score` per game.
fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    if score == 0.5 { 0.0 } else { 400.0 * (score / (1.0 - score)).log10() }
}

/// Formats an Elo difference: `+35`, `-120`, `+inf`.
pub(super) fn format_elo(elo: f64) -> String {
    // Adding zero turns a minus zero into a plain one.
    if elo.is_infinite() { format!("{elo:+}") } else { format!("{:+.0}", elo.round() + 0.0) }
}

/// The score after so many games of each result, the two of a pair with the same one.
#[cfg(test)]
pub(super) fn in_equal_pairs(wins: usize, draws: usize, losses: usize) -> Score {
    use PlayerResult::{Draw, Loss, Win};
    let mut score = Score::default();
    for (result, count) in [(Win, wins), (Draw, draws), (Loss, losses)] {
        (0..count).for_each(|_| score.add(result));
    }
    score
}

#[cfg(test)]
mod tests {
    use super::{PlayerResult::*, *};

    /// The score after these games, in their order.
    fn score(games: impl IntoIterator<Item = PlayerResult>) -> Score {
        let mut score = Score::default();
        games.into_iter().for_each(|result| score.add(result));
        score
    }

    #[test]
    fn a_score_of_three_quarters_is_191_elo() {
        let score = score((0..50).flat_map(|pair| [Win, if pair % 2 == 0 { Win } else { Loss }]));
        assert_eq!((score.wins, score.losses), (75, 25));
        assert_eq!(score.pairs, Pentanomial([0, 0, 25, 0, 25]));
        let EloEstimate { elo, interval: Some([low, high]) } = score.elo() else { panic!() };
        assert!((elo - 190.85).abs() < 0.01, "{elo}");
        // 0.75 ± 1.96·√(0.25²/50) = 0.6807 and 0.8193
        assert!((low - 131.5).abs() < 0.1, "{low}");
        assert!((high - 262.6).abs() < 0.1, "{high}");
        // Games that were all independent would say 0.75 ± 1.96·√(0.75·0.25/100).
        let equal = in_equal_pairs(74, 0, 26).elo().interval.unwrap();
        assert!(high - low < equal[1] - equal[0], "{equal:?}");
    }

    #[test]
    fn draws_narrow_the_interval() {
        let decisive = in_equal_pairs(50, 0, 50).elo();
        let drawn = in_equal_pairs(10, 80, 10).elo();
        assert_eq!((decisive.elo, drawn.elo), (0.0, 0.0));
        let ([low, high], [drawn_low, drawn_high]) =
            (decisive.interval.unwrap(), drawn.interval.unwrap());
        assert!(drawn_high < high && drawn_low > low);
        assert!((drawn_high + drawn_low).abs() < 1e-9);
    }

    /// Every pair is one win and one loss: the side decides each game, and the
    /// players are equal. Games taken as independent would give ±69 Elo.
    #[test]
    fn swapped_results_of_a_pair_are_not_independent() {
        let mut score = score((0..49).flat_map(|_| [Win, Loss]));
        assert_eq!(score.pairs, Pentanomial([0, 0, 49, 0, 0]));
        assert_eq!(score.elo(), EloEstimate { elo: 0.0, interval: None });
        score.add(Win);
        score.add(Draw);
        let [low, high] = score.elo().interval.unwrap();
        assert!(low > -4.0 && high < 11.0, "{low} {high}");
    }

    #[test]
    fn a_last_game_without_a_partner_counts_in_the_score_only() {
        let even = score([Win, Draw, Loss, Win]);
        let odd = score([Win, Draw, Loss, Win, Loss]);
        assert_eq!((odd.games(), odd.points()), (5, 2.5));
        assert_eq!(odd.pairs, Pentanomial([0, 0, 1, 1, 0]));
        assert_eq!(odd.elo(), even.elo());
        // One game alone has a direction, and no interval.
        assert_eq!(score([Loss]).elo(), EloEstimate { elo: f64::NEG_INFINITY, interval: None });
    }

    #[test]
    fn scores_are_reversed_and_merged() {
        let first = score([Win, Win, Win, Draw, Loss, Draw]);
        let second = score([Loss, Loss, Loss, Draw, Win, Draw]);
        assert_eq!(first.reversed(), second);
        let mut both = first;
        both.merge(second);
        assert_eq!((both.wins, both.draws, both.losses), (4, 4, 4));
        assert_eq!(both.pairs, Pentanomial([1, 2, 0, 2, 1]));
        assert_eq!(score([Win]).reversed(), score([Loss]));
    }

    #[test]
    fn a_perfect_score_has_an_infinite_elo() {
        let difference = in_equal_pairs(6, 0, 0).elo();
        assert_eq!(difference.interval, None);
        assert_eq!(format_elo(difference.elo), "+inf");
        assert_eq!(format_elo(-difference.elo), "-inf");
        assert_eq!(format_elo(-0.2), "+0");
        assert_eq!(format_elo(34.6), "+35");
        assert_eq!(Score::default().elo(), EloEstimate { elo: 0.0, interval: None });
    }
}
