//! The two rule sets of Tablan, as data.

use crate::RuleSet;

/// The scores that move pieces (rule 8), of throws with 1, 4 and 0 plain sides up.
/// The pieces of a pair move half of it each.
pub const SCORES: [u8; 3] = [2, 8, 12];

/// A rule set of Tablan.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Its name.
    pub set: RuleSet,
    /// Whether the squares of the goal row must be occupied in order, the furthest
    /// first (the variation of rules 20 and 21).
    pub ordered_entry: bool,
}

/// Plain Tablan: pieces may enter any square of the goal row.
pub const PLAIN: &Rules = &Rules { set: RuleSet::Tablan, ordered_entry: false };

/// The leaflet's variation: the goal row fills from its far end.
pub const ORDERED: &Rules = &Rules { set: RuleSet::TablanOrdered, ordered_entry: true };
