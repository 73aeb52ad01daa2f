//! The levels as ratings: how strong each is, from measured matches.

use tabulae_games::RuleSet;

use super::{Level, rule_sets::data_of};

/// The rating of [`Level::Casual`] by every rule set. A player of whom nothing is
/// known begins with it, as in Glicko-2.
const CASUAL: f64 = 1500.0;

/// The difference in rating that scores so many percent of the points.
fn difference(percent: f64) -> f64 {
    400.0 * libm::log10(percent / (100.0 - percent))
}

impl Level {
    /// Its rating by these rules. Ratings by different rules cannot be compared.
    ///
    /// ```
    /// use tabulae_engines::Level;
    /// use tabulae_games::RuleSet;
    ///
    /// let rating = |level: Level| level.rating(RuleSet::Tablan);
    /// assert_eq!(rating(Level::Casual), 1500.0);
    /// // 56.9 % of the points.
    /// assert_eq!(rating(Level::Novice).round(), 1452.0);
    /// assert!(rating(Level::Regular) < rating(Level::Master));
    /// ```
    pub fn rating(self, rules: RuleSet) -> f64 {
        let steps = &data_of(rules).steps;
        let height = |level: Self| -> f64 {
            let below = steps.iter().take(usize::from(level.number()) - 1);
            below.map(|&step| difference(step)).sum()
        };
        CASUAL + height(self) - height(Self::Casual)
    }

    /// The level whose rating is nearest: a player of this rating should score about
    /// half of the points against it.
    ///
    /// ```
    /// use tabulae_engines::Level;
    /// use tabulae_games::RuleSet;
    ///
    /// let nearest = |rating| Level::nearest(RuleSet::TablutAshton, rating);
    /// assert_eq!(nearest(1500.0), Level::Casual);
    /// assert_eq!(nearest(0.0), Level::Newcomer);
    /// assert_eq!(nearest(9000.0), Level::Master);
    /// ```
    pub fn nearest(rules: RuleSet, rating: f64) -> Self {
        let distance = |level: &Self| (level.rating(rules) - rating).abs();
        Self::ALL.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of the measured table, as written in the document.
    fn measured() -> Vec<Vec<f64>> {
        let text = include_str!("../../../docs/benchmarks.md");
        let levels = Level::ALL[1..].iter().map(|level| format!(" {} |", level.title()));
        let head = format!("| rules |{}", levels.collect::<String>());
        let table = text.lines().skip_while(|line| *line != head);
        let rows = table.take_while(|line| line.starts_with('|')).skip(2);
        let value = |cell: &str| {
            let number = cell.trim().split(' ').next().unwrap_or_default();
            number.parse::<f64>().unwrap_or_else(|_| panic!("not measured: {cell}"))
        };
        rows.map(|row| row.trim_matches('|').split('|').skip(1).map(value).collect()).collect()
    }

    #[test]
    fn the_ladder_is_the_measured_one() {
        let ours = RuleSet::ALL.map(|rules| data_of(rules).steps.to_vec());
        assert_eq!(ours.to_vec(), measured());
    }

    #[test]
    fn the_manual_has_the_ratings() {
        let manual = include_str!("../../../docs/manual.md");
        for rules in RuleSet::ALL {
            let ratings = Level::ALL.map(|level| format!(" {:.0} |", level.rating(rules)));
            let row = format!("| `{rules}` |{}\n", ratings.concat());
            assert!(manual.contains(&row), "{row}");
        }
    }

    #[test]
    fn ratings_rise_with_the_levels() {
        for rules in RuleSet::ALL {
            let ratings = Level::ALL.map(|level| level.rating(rules));
            assert!(ratings.is_sorted(), "{rules}: {ratings:?}");
            for level in Level::ALL {
                assert_eq!(Level::nearest(rules, level.rating(rules) + 5.0), level);
            }
        }
    }
}
