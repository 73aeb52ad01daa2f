//! The two rule sets of Tablan, as data.

use crate::{RuleSet, Throw};

/// The scores that move pieces (rule 8), of throws with 1, 4 and 0 plain sides up.
/// The pieces of a pair move half of it each.
pub const SCORES: [u8; 3] = [2, 8, 12];

/// The throws with their weights, of 16 (rule 8).
///
/// ```
/// use tabulae_games::tablan::{OUTCOMES, score_weight};
///
/// assert_eq!(OUTCOMES.map(|(_, weight)| weight), [1, 4, 6, 4, 1]);
/// assert_eq!([0, 2, 8, 12].map(score_weight), [10, 4, 1, 1]);
/// ```
pub static OUTCOMES: [(Throw, u32); 5] = THROWS;

const THROWS: [(Throw, u32); 5] = [
    (Throw::ALL[0], 1),
    (Throw::ALL[1], 4),
    (Throw::ALL[2], 6),
    (Throw::ALL[3], 4),
    (Throw::ALL[4], 1),
];

/// The throw that a random word stands for: as often as its weight, and exactly so, since
/// 16 divides 2^32.
///
/// ```
/// use tabulae_games::tablan::throw_of;
///
/// let plain: Vec<u8> = (0..16).map(|word| throw_of(word).plain()).collect();
/// assert_eq!(plain, [0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4]);
/// ```
pub const fn throw_of(word: u32) -> Throw {
    let (mut rest, mut at) = (word % 16, 0);
    while rest >= THROWS[at].1 {
        rest -= THROWS[at].1;
        at += 1;
    }
    THROWS[at].0
}

/// The weight of the throws with this score, of 16; 0 is the null score.
pub const fn score_weight(score: u8) -> u32 {
    let (mut sum, mut at) = (0, 0);
    while at < THROWS.len() {
        let (throw, weight) = THROWS[at];
        if throw.score() == score {
            sum += weight;
        }
        at += 1;
    }
    sum
}

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
