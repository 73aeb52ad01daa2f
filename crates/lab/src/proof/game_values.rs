//! Values of small regions, for the verifier.
//!
//! Where no corridor joins the free squares, the position is a sum of independent games.
//! Each has a value in the sense of Conway, *On Numbers and Games*: Red's options and
//! Green's, in canonical form, without dominated and reversible ones. Two sums with the
//! same value have the same winner, whatever else is on the board.
//!
//! Architecture invariant: it shares no code with the engine's values, so that an error in
//! either is found out.

use foldhash::{HashMap, HashMapExt as _};

use super::free_squares::{FreeSquaresGame, GraphCode, squares};
use tabulae_games::Side;

/// Cached comparisons, sums and regions, each. Cleared when full.
const MAX_CACHED: usize = 1 << 23;
/// Regions of at most this many squares have their values computed.
pub(super) const MAX_SMALL_REGION: u32 = 11;

/// The index of a value. Equal values have equal indices.
pub(super) type Value = u32;
/// The value of a game without moves.
pub(super) const ZERO: Value = 0;

/// Red's options and Green's, sorted.
type Options = [Box<[Value]>; 2];

/// A position as a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    /// The squares of the large regions.
    pub(super) large: u64,
    /// The value of all small regions together.
    pub(super) small: Value,
}

/// All values met so far.
#[derive(Debug)]
pub(super) struct Values {
    /// By index, in canonical form.
    options: Vec<Options>,
    indices: HashMap<Options, Value>,
    /// Whether one value is at most another.
    comparisons: HashMap<(Value, Value), bool>,
    sums: HashMap<(Value, Value), Value>,
    by_graph: HashMap<GraphCode, Value>,
    by_squares: HashMap<u64, Value>,
}

/// Adds to a cache of limited size.
fn cache<K: Eq + std::hash::Hash, V>(cache: &mut HashMap<K, V>, key: K, value: V) {
    if cache.len() >= MAX_CACHED {
        cache.clear();
    }
    cache.insert(key, value);
}

impl Values {
    pub(super) fn new() -> Self {
        let mut values = Self {
            options: Vec::new(),
            indices: HashMap::new(),
            comparisons: HashMap::new(),
            sums: HashMap::new(),
            by_graph: HashMap::new(),
            by_squares: HashMap::new(),
        };
        values.index([Box::default(), Box::default()]);
        values
    }

    /// Splits the free squares into large regions and the value of the small ones.
    pub(super) fn split(&mut self, game: &FreeSquaresGame, mut free: u64) -> Sum {
        let mut sum = Sum { large: 0, small: ZERO };
        while free != 0 {
            let region = game.region(free);
            free &= !region;
            if region.count_ones() <= MAX_SMALL_REGION {
                let value = self.region(game, region);
                sum.small = self.add(sum.small, value);
            } else {
                sum.large |= region;
            }
        }
        sum
    }

    /// The value of one small region.
    fn region(&mut self, game: &FreeSquaresGame, region: u64) -> Value {
        if let Some(value) = self.by_squares.get(&region) {
            return *value;
        }
        let code = game.graph_code(region, Side::First);
        let value = match self.by_graph.get(&code) {
            Some(value) => *value,
            None => {
                let [red, green] = Side::BOTH.map(|side| {
                    let own = squares(game.own(region, side));
                    own.map(|at| self.split(game, game.after(region, at, side)).small).collect()
                });
                let value = self.canonical(red, green);
                self.by_graph.insert(code, value);
                value
            }
        };
        cache(&mut self.by_squares, region, value);
        value
    }

    /// Whether the side wins when it moves first.
    pub(super) fn wins_moving_first(&mut self, value: Value, side: Side) -> bool {
        match side {
            Side::First => !self.is_at_most(value, ZERO),
            Side::Second => !self.is_at_most(ZERO, value),
        }
    }

    /// Whether the side likes `one` at least as much as `other`.
    pub(super) fn is_no_worse(&mut self, side: Side, one: Value, other: Value) -> bool {
        match side {
            Side::First => self.is_at_most(other, one),
            Side::Second => self.is_at_most(one, other),
        }
    }

    /// Red likes `high` at least as much as `low`: Red has no move from `low` to a value
    /// that is at least `high`, and Green none from `high` to a value that is at most `low`.
    fn is_at_most(&mut self, low: Value, high: Value) -> bool {
        if low == high {
            return true;
        }
        if let Some(known) = self.comparisons.get(&(low, high)) {
            return *known;
        }
        let reds = self.options[low as usize][0].clone();
        let greens = self.options[high as usize][1].clone();
        let is_at_most = !reds.iter().any(|&option| self.is_at_most(high, option))
            && !greens.iter().any(|&option| self.is_at_most(option, low));
        cache(&mut self.comparisons, (low, high), is_at_most);
        is_at_most
    }

    /// The value of two games side by side: a player moves in one of them.
    fn add(&mut self, one: Value, other: Value) -> Value {
        let (one, other) = (one.min(other), one.max(other));
        if one == ZERO {
            return other;
        }
        if let Some(sum) = self.sums.get(&(one, other)) {
            return *sum;
        }
        let [red, green] = [0, 1].map(|side| {
            let mut options = Vec::new();
            for (moved, still) in [(one, other), (other, one)] {
                for option in self.options[moved as usize][side].clone() {
                    options.push(self.add(option, still));
                }
            }
            options
        });
        let sum = self.canonical(red, green);
        cache(&mut self.sums, (one, other), sum);
        sum
    }

    /// The value of the game with these options.
    fn canonical(&mut self, mut red: Vec<Value>, mut green: Vec<Value>) -> Value {
        loop {
            self.remove_dominated(&mut red, Side::First);
            self.remove_dominated(&mut green, Side::Second);
            if !self.bypass_reversible([&mut red, &mut green]) {
                break self.index([red.into(), green.into()]);
            }
        }
    }

    /// Keeps the options that the side likes best, sorted.
    fn remove_dominated(&mut self, options: &mut Vec<Value>, side: Side) {
        options.sort_unstable();
        options.dedup();
        let mut best: Vec<Value> = Vec::new();
        for &option in &*options {
            if !best.iter().any(|&kept| self.is_no_worse(side, kept, option)) {
                best.retain(|&kept| !self.is_no_worse(side, option, kept));
                best.push(option);
            }
        }
        *options = best;
    }

    /// Replaces the first option after which the opponent has a reply to something that
    /// the opponent likes at least as much as the game: by the options after that reply.
    fn bypass_reversible(&mut self, options: [&mut Vec<Value>; 2]) -> bool {
        for side in Side::BOTH {
            let (own, opponent) = (side as usize, side.other() as usize);
            for at in 0..options[own].len() {
                for reply in self.options[options[own][at] as usize][opponent].clone() {
                    let [red, green] = [&*options[0], &*options[1]];
                    let reverses = match side {
                        Side::First => self.is_at_most_game(reply, red, green),
                        Side::Second => self.is_at_least_game(reply, red, green),
                    };
                    if reverses {
                        options[own].remove(at);
                        options[own].extend_from_slice(&self.options[reply as usize][own]);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether a value is at most the game with these options, which has no index yet.
    fn is_at_most_game(&mut self, value: Value, red: &[Value], green: &[Value]) -> bool {
        let reds = self.options[value as usize][0].clone();
        !green.iter().any(|&option| self.is_at_most(option, value))
            && !reds.iter().any(|&option| self.is_at_least_game(option, red, green))
    }

    fn is_at_least_game(&mut self, value: Value, red: &[Value], green: &[Value]) -> bool {
        let greens = self.options[value as usize][1].clone();
        !red.iter().any(|&option| self.is_at_most(value, option))
            && !greens.iter().any(|&option| self.is_at_most_game(option, red, green))
    }

    /// The index of a game in canonical form.
    fn index(&mut self, options: Options) -> Value {
        if let Some(index) = self.indices.get(&options) {
            return *index;
        }
        let index = self.options.len() as Value;
        self.options.push(options.clone());
        self.indices.insert(options, index);
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn star_and_up_have_their_textbook_values() {
        let mut values = Values::new();
        let star = values.canonical(vec![ZERO], vec![ZERO]);
        assert_eq!(values.add(star, star), ZERO);
        let up = values.canonical(vec![ZERO], vec![star]);
        let down = values.canonical(vec![star], vec![ZERO]);
        assert_eq!(values.add(up, down), ZERO);
        assert!(values.is_at_most(ZERO, up) && !values.is_at_most(up, ZERO));
        // Up is confused with star; two ups are more than star.
        assert!(!values.is_at_most(up, star) && !values.is_at_most(star, up));
        let two = values.add(up, up);
        assert!(values.is_at_most(star, two) && !values.wins_moving_first(two, Side::Second));
        // {0 | up} is two ups and a star; {up | down} is star: both options reverse.
        let sum = values.add(two, star);
        assert_eq!(values.canonical(vec![ZERO], vec![up]), sum);
        assert_eq!(values.canonical(vec![up], vec![down]), star);
    }
}
