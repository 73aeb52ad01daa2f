//! The two ways to play Tablan, as data.

use crate::games::RuleSet;

/// The scores that move pieces (rule 8): 1, 4 and 0 plain sides up. Half of
/// each is what the two pieces of a pair move: 1, 4 or 6 squares.
pub const SCORES: [u8; 3] = [2, 8, 12];

/// A way to play Tablan.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The name of the rule set.
    pub set: RuleSet,
    /// Whether the squares of the enemy's home row must be occupied in order,
    /// the furthest first (the variation of rules 20 and 21).
    pub ordered_entry: bool,
}

/// Plain Tablan: any square of the enemy's home row may be entered.
pub const PLAIN: &Rules = &Rules { set: RuleSet::Tablan, ordered_entry: false };

/// The leaflet's variation: the enemy's home row fills from its far end.
pub const ORDERED: &Rules = &Rules { set: RuleSet::TablanOrdered, ordered_entry: true };
