//! The levels as ratings: how strong each is, from measured matches.

use tabulae_games::RuleSet;

use super::Level;

/// The rating of [`Level::Casual`] by every rule set. A player of whom nothing is
/// known begins with it, as in Glicko-2.
const CASUAL: f64 = 1500.0;

/// The points of each level against the one below, in percent, from Beginner to
/// Master. Source: the first table of "Levels" in docs/benchmarks.md, which a test
/// compares.
const STEPS: [(RuleSet, [f64; 9]); 6] = [
    (RuleSet::TablutBerkeley, [78.5, 80.8, 83.9, 84.7, 95.0, 78.0, 91.0, 88.0, 96.7]),
    (RuleSet::TablutAshton, [80.4, 81.3, 65.9, 72.2, 87.4, 80.2, 64.0, 66.5, 68.3]),
    (RuleSet::TablutLinnaeus, [68.0, 73.9, 67.9, 94.5, 86.0, 87.0, 91.5, 93.0, 93.3]),
    (RuleSet::Tablan, [56.8, 55.6, 56.9, 55.2, 55.8, 55.8, 58.2, 56.8, 56.1]),
    (RuleSet::TablanOrdered, [72.8, 63.8, 59.8, 64.8, 60.8, 61.8, 61.1, 60.4, 59.4]),
    (RuleSet::Tablaaza, [71.9, 76.1, 81.9, 77.6, 71.7, 72.8, 83.5, 74.5, 85.0]),
];

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
    #[must_use]
    pub fn rating(self, rules: RuleSet) -> f64 {
        let steps = STEPS.iter().find(|(known, _)| *known == rules);
        let steps: &[f64] = steps.map_or(&[], |(_, steps)| steps);
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
    #[must_use]
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
        let after = text.split("Points of each level against the one below:").nth(1);
        let rows = after.expect("the table").lines().skip_while(|line| !line.starts_with('|'));
        let rows = rows.take_while(|line| line.starts_with('|')).skip(2);
        let value = |cell: &str| {
            let number = cell.trim().split(' ').next().unwrap_or_default();
            number.parse::<f64>().unwrap_or_else(|_| panic!("not measured: {cell}"))
        };
        rows.map(|row| row.trim_matches('|').split('|').skip(1).map(value).collect()).collect()
    }

    #[test]
    fn the_ladder_is_the_measured_one() {
        let ours: Vec<Vec<f64>> = STEPS.iter().map(|(_, steps)| steps.to_vec()).collect();
        assert_eq!(ours, measured());
        assert_eq!(STEPS.map(|(rules, _)| rules), RuleSet::ALL);
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
