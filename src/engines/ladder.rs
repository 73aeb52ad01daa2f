//! The levels as ratings: how strong each is, from measured matches.

use crate::games::RuleSet;

use super::Level;

/// The rating of [`Level::Casual`] by every rule set. A player of whom nothing is
/// known begins with it, as in Glicko-2.
const CASUAL: f64 = 1500.0;
/// The points taken where a step is not measured, in percent.
const UNMEASURED: f64 = 70.0;

/// The points of each level against the one below, in percent, from Beginner to
/// Master; none where they are not measured. Source: the first table of "Levels" in
/// docs/benchmarks.md, which a test compares.
const STEPS: [(RuleSet, [Option<f64>; 9]); 6] = [
    (
        RuleSet::TablutBerkeley,
        [
            Some(71.5),
            Some(81.0),
            Some(84.5),
            Some(86.0),
            Some(94.0),
            Some(86.0),
            Some(84.0),
            Some(89.0),
            Some(94.2),
        ],
    ),
    (
        RuleSet::TablutAshton,
        [
            Some(74.0),
            Some(79.0),
            Some(72.2),
            Some(71.5),
            Some(85.0),
            Some(81.0),
            None,
            None,
            Some(82.5),
        ],
    ),
    (
        RuleSet::TablutLinnaeus,
        [
            Some(71.8),
            Some(71.5),
            Some(75.8),
            Some(92.5),
            Some(84.5),
            Some(79.5),
            Some(87.5),
            Some(95.5),
            None,
        ],
    ),
    (
        RuleSet::Tablan,
        [
            Some(55.9),
            Some(54.1),
            Some(57.1),
            Some(56.6),
            Some(55.8),
            Some(54.8),
            Some(59.5),
            Some(58.2),
            Some(56.2),
        ],
    ),
    (
        RuleSet::TablanOrdered,
        [
            Some(72.2),
            Some(64.5),
            Some(57.6),
            Some(65.4),
            Some(58.0),
            Some(62.2),
            Some(60.8),
            Some(60.9),
            None,
        ],
    ),
    (
        RuleSet::Tablaaza,
        [
            Some(74.0),
            Some(76.0),
            Some(85.0),
            Some(80.5),
            Some(69.0),
            Some(77.5),
            Some(82.0),
            Some(75.0),
            None,
        ],
    ),
];

/// The difference in rating that scores so many percent of the points.
fn difference(percent: f64) -> f64 {
    400.0 * (percent / (100.0 - percent)).log10()
}

impl Level {
    /// Its rating by these rules. Ratings by different rules cannot be compared.
    ///
    /// ```
    /// use tabulae::{engines::Level, games::RuleSet};
    ///
    /// let rating = |level: Level| level.rating(RuleSet::Tablan);
    /// assert_eq!(rating(Level::Casual), 1500.0);
    /// // 57.1 % of the points.
    /// assert_eq!(rating(Level::Novice).round(), 1450.0);
    /// assert!(rating(Level::Regular) < rating(Level::Master));
    /// ```
    #[must_use]
    pub fn rating(self, rules: RuleSet) -> f64 {
        let steps = STEPS.iter().find(|(known, _)| *known == rules);
        let steps = steps.map_or([None; 9], |(_, steps)| *steps);
        let height = |level: Self| -> f64 {
            let below = &steps[..usize::from(level.number()) - 1];
            below.iter().map(|step| difference(step.unwrap_or(UNMEASURED))).sum()
        };
        CASUAL + height(self) - height(Self::Casual)
    }

    /// The level whose rating is nearest: a player of this rating should score about
    /// half of the points against it.
    ///
    /// ```
    /// use tabulae::{engines::Level, games::RuleSet};
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
    fn measured() -> Vec<Vec<Option<f64>>> {
        let text = include_str!("../../docs/benchmarks.md");
        let after = text.split("Points of each level against the one below:").nth(1);
        let rows = after.expect("the table").lines().skip_while(|line| !line.starts_with('|'));
        let rows = rows.take_while(|line| line.starts_with('|')).skip(2);
        let value = |cell: &str| {
            cell.trim().split(' ').next().and_then(|number| number.parse::<f64>().ok())
        };
        rows.map(|row| row.trim_matches('|').split('|').skip(1).map(value).collect()).collect()
    }

    #[test]
    fn the_ladder_is_the_measured_one() {
        let ours: Vec<Vec<Option<f64>>> = STEPS.iter().map(|(_, steps)| steps.to_vec()).collect();
        assert_eq!(ours, measured());
        assert_eq!(STEPS.map(|(rules, _)| rules), RuleSet::ALL);
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
