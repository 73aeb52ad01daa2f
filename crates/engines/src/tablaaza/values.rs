//! Values of games in the sense of combinatorial game theory.
//!
//! Where the free squares fall apart into regions that no corridor joins, the
//! position is a disjunctive sum and each region can be evaluated alone. A value
//! is a pair of sets of options, Left's (here Red's) and Right's, in canonical
//! form: no option is dominated or reversible, so equal games share one number
//! here. See Conway, *On Numbers and Games*, or Siegel, *Combinatorial Game
//! Theory*, chapter II.
//!
//! Every position of Tablaaza that has a free square has moves for both sides
//! (the games are all-small), so every value is infinitesimal. In practice they
//! are short: a region of sixteen squares has about three options left.

use tabulae_games::splitmix64;

/// The number of a game's value in [`GameValues`]. Equal values have equal
/// numbers.
pub(super) type GameValue = u32;
/// The zero game, without moves: the player to move loses.
pub(super) const ZERO: GameValue = 0;

/// Marks an empty place in the index and a negative not computed yet.
const NONE: u32 = u32::MAX;
/// Places in the index at first; it doubles when half of them are taken.
const INITIAL_INDEX: usize = 1 << 10;

/// Where a value's options lie: Left's, then Right's.
#[derive(Clone, Copy, Debug)]
struct OptionSpan {
    start: u32,
    left: u16,
    right: u16,
}

/// All values met so far, hash-consed, with caches of their comparisons and
/// sums.
#[derive(Debug)]
pub(super) struct GameValues {
    options: Vec<GameValue>,
    spans: Vec<OptionSpan>,
    /// By value: a hash that does not depend on the order of discovery.
    fingerprints: Vec<u64>,
    /// By value: its negative, once computed.
    negatives: Vec<GameValue>,
    /// By value, its outcome class: bit 0 if Left wins moving first, bit 1 if
    /// Right does.
    outcomes: Vec<u8>,
    /// Hash index over the options, with linear probing.
    index: Vec<GameValue>,
    /// A direct-mapped cache of the results of `<=`.
    comparison_cache: Vec<u64>,
    /// A direct-mapped cache of sums, by their packed terms.
    sum_cache: Vec<(u64, GameValue)>,
    capacity: usize,
}

impl GameValues {
    /// Room for about `capacity` values, `1 << cache_bits` cached sums and four
    /// times as many comparisons.
    pub(super) fn new(capacity: usize, cache_bits: u32) -> Self {
        let mut values = Self {
            options: Vec::new(),
            spans: Vec::new(),
            fingerprints: Vec::new(),
            negatives: Vec::new(),
            outcomes: Vec::new(),
            index: vec![NONE; INITIAL_INDEX],
            comparison_cache: vec![0; 4 << cache_bits],
            sum_cache: vec![(0, ZERO); 1 << cache_bits],
            capacity,
        };
        values.intern(&[], &[]);
        values
    }

    /// Whether at least half of the room for values is left.
    pub(super) const fn has_room(&self) -> bool {
        self.spans.len() * 2 <= self.capacity
    }

    /// Left's or Right's options.
    pub(super) fn options(&self, of: GameValue, left: bool) -> &[GameValue] {
        let (start, middle, end) = self.bounds(of);
        if left { &self.options[start..middle] } else { &self.options[middle..end] }
    }

    fn bounds(&self, of: GameValue) -> (usize, usize, usize) {
        let span = self.spans[of as usize];
        let middle = span.start as usize + usize::from(span.left);
        (span.start as usize, middle, middle + usize::from(span.right))
    }

    /// Whether Left (or Right) wins moving first.
    pub(super) fn wins_moving_first(&self, value: GameValue, left: bool) -> bool {
        self.outcomes[value as usize] >> u8::from(!left) & 1 == 1
    }

    /// A hash of the value; another [`GameValues`] gives it the same one.
    pub(super) fn fingerprint(&self, value: GameValue) -> u64 {
        self.fingerprints[value as usize]
    }

    /// The game with the sides exchanged, −G.
    pub(super) fn negative(&mut self, of: GameValue) -> GameValue {
        let known = self.negatives[of as usize];
        if known != NONE {
            return known;
        }
        let mut sides = [false, true].map(|left| self.options(of, left).to_vec());
        for option in sides.iter_mut().flatten() {
            *option = self.negative(*option);
        }
        let [left, right] = &mut sides;
        left.sort_unstable();
        right.sort_unstable();
        // Exceeds `capacity` by at most a factor of two.
        let negative = self.intern(left, right);
        self.negatives[of as usize] = negative;
        self.negatives[negative as usize] = of;
        negative
    }

    /// The disjunctive sum of two games; none if there is no room for more
    /// values.
    pub(super) fn add(&mut self, one: GameValue, other: GameValue) -> Option<GameValue> {
        if one == ZERO {
            return Some(other);
        }
        if other == ZERO {
            return Some(one);
        }
        if self.negatives[one as usize] == other {
            return Some(ZERO);
        }
        let (one, other) = (one.min(other), one.max(other));
        let key = u64::from(one) << 32 | u64::from(other);
        let at = (splitmix64(key) >> 32) as usize & (self.sum_cache.len() - 1);
        if self.sum_cache[at].0 == key {
            return Some(self.sum_cache[at].1);
        }
        let mut sides = [Vec::new(), Vec::new()];
        for (side, options) in sides.iter_mut().enumerate() {
            for (moved, still) in [(one, other), (other, one)] {
                let (start, middle, end) = self.bounds(moved);
                let range = if side == 0 { start..middle } else { middle..end };
                for option in range {
                    options.push(self.add(self.options[option], still)?);
                }
            }
        }
        let [left, right] = sides;
        let sum = self.canonical(left, right)?;
        self.sum_cache[at] = (key, sum);
        Some(sum)
    }

    /// The value of the game {left | right}; none if there is no room for it.
    pub(super) fn canonical(
        &mut self,
        mut left: Vec<GameValue>,
        mut right: Vec<GameValue>,
    ) -> Option<GameValue> {
        self.remove_dominated(&mut left, true);
        self.remove_dominated(&mut right, false);
        while self.replace_reversible(&mut left, &mut right) {}
        match self.find(&left, &right) {
            Ok(value) => Some(value),
            Err(_) if self.spans.len() >= self.capacity => None,
            Err(at) => Some(self.insert(&left, &right, at)),
        }
    }

    /// Replaces one reversible option by the options of the position it reverses
    /// to; false if there is none. Left's option is reversible if Right has a
    /// reply to it that is no better for Left than the whole game.
    fn replace_reversible(
        &mut self,
        left: &mut Vec<GameValue>,
        right: &mut Vec<GameValue>,
    ) -> bool {
        for at in 0..left.len() {
            let (_, middle, end) = self.bounds(left[at]);
            for reply in middle..end {
                let reply = self.options[reply];
                if self.is_le_game(reply, left, right) {
                    left.swap_remove(at);
                    left.extend_from_slice(self.options(reply, true));
                    self.remove_dominated(left, true);
                    return true;
                }
            }
        }
        for at in 0..right.len() {
            let (start, middle, _) = self.bounds(right[at]);
            for reply in start..middle {
                let reply = self.options[reply];
                if self.is_ge_game(reply, left, right) {
                    right.swap_remove(at);
                    right.extend_from_slice(self.options(reply, false));
                    self.remove_dominated(right, false);
                    return true;
                }
            }
        }
        false
    }

    /// Removes duplicate and dominated options.
    fn remove_dominated(&mut self, options: &mut Vec<GameValue>, left: bool) {
        options.sort_unstable();
        options.dedup();
        let mut at = 0;
        while at < options.len() {
            let is_dominated = (0..options.len()).any(|other| {
                let (low, high) = if left { (at, other) } else { (other, at) };
                at != other && self.is_le(options[low], options[high])
            });
            if is_dominated {
                options.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Whether `low <= high`: `high` is at least as good for Left.
    pub(super) fn is_le(&mut self, low: GameValue, high: GameValue) -> bool {
        if low == high {
            return true;
        }
        if low == ZERO {
            return !self.wins_moving_first(high, false);
        }
        if high == ZERO {
            return !self.wins_moving_first(low, true);
        }
        let key = u64::from(low) << 32 | u64::from(high) << 1;
        let at = (splitmix64(key) >> 32) as usize & (self.comparison_cache.len() - 1);
        if self.comparison_cache[at] & !1 == key {
            return self.comparison_cache[at] & 1 == 1;
        }
        let (start, middle, _) = self.bounds(low);
        let mut is_le = !(start..middle).any(|at| self.is_le(high, self.options[at]));
        if is_le {
            let (_, middle, end) = self.bounds(high);
            is_le = !(middle..end).any(|at| self.is_le(self.options[at], low));
        }
        self.comparison_cache[at] = key | u64::from(is_le);
        is_le
    }

    /// Whether `value <= {left | right}`, a game that has no number yet.
    fn is_le_game(&mut self, value: GameValue, left: &[GameValue], right: &[GameValue]) -> bool {
        if right.iter().any(|&option| self.is_le(option, value)) {
            return false;
        }
        let (start, middle, _) = self.bounds(value);
        !(start..middle).any(|at| self.is_ge_game(self.options[at], left, right))
    }

    /// Whether `{left | right} <= value`.
    fn is_ge_game(&mut self, value: GameValue, left: &[GameValue], right: &[GameValue]) -> bool {
        if left.iter().any(|&option| self.is_le(value, option)) {
            return false;
        }
        let (_, middle, end) = self.bounds(value);
        !(middle..end).any(|at| self.is_le_game(self.options[at], left, right))
    }

    /// The number of a game in canonical form, whose options are sorted.
    fn intern(&mut self, left: &[GameValue], right: &[GameValue]) -> GameValue {
        match self.find(left, right) {
            Ok(value) => value,
            Err(at) => self.insert(left, right, at),
        }
    }

    fn hash_options(left: &[GameValue], right: &[GameValue]) -> usize {
        let both = left.iter().chain(&[NONE]).chain(right);
        both.fold(0, |hash, &option| splitmix64(hash ^ u64::from(option)).wrapping_add(1)) as usize
    }

    /// The value with these options, or where it would be in the index.
    fn find(&self, left: &[GameValue], right: &[GameValue]) -> Result<GameValue, usize> {
        let mask = self.index.len() - 1;
        let mut at = Self::hash_options(left, right) & mask;
        loop {
            let value = self.index[at];
            if value == NONE {
                return Err(at);
            }
            if self.options(value, true) == left && self.options(value, false) == right {
                return Ok(value);
            }
            at = (at + 1) & mask;
        }
    }

    fn insert(&mut self, left: &[GameValue], right: &[GameValue], at: usize) -> GameValue {
        let value = self.spans.len() as GameValue;
        let start = self.options.len() as u32;
        self.options.extend_from_slice(left);
        self.options.extend_from_slice(right);
        self.spans.push(OptionSpan { start, left: left.len() as u16, right: right.len() as u16 });
        self.negatives.push(NONE);
        let left_wins = left.iter().any(|&option| !self.wins_moving_first(option, false));
        let right_wins = right.iter().any(|&option| !self.wins_moving_first(option, true));
        self.outcomes.push(u8::from(left_wins) | u8::from(right_wins) << 1);
        let hash_set = |options: &[GameValue]| {
            let hashes = options.iter().map(|&option| splitmix64(!self.fingerprint(option)));
            hashes.fold(0, u64::wrapping_add)
        };
        // The zero game's is 0.
        self.fingerprints.push(splitmix64(hash_set(left) ^ splitmix64(hash_set(right))));
        self.index[at] = value;
        if self.spans.len() * 2 > self.index.len() {
            self.grow_index();
        }
        value
    }

    /// Doubles the index.
    fn grow_index(&mut self) {
        let mask = self.index.len() * 2 - 1;
        self.index = vec![NONE; mask + 1];
        for value in 0..self.spans.len() as GameValue {
            let mut at =
                Self::hash_options(self.options(value, true), self.options(value, false)) & mask;
            while self.index[at] != NONE {
                at = (at + 1) & mask;
            }
            self.index[at] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(values: &mut GameValues, left: &[GameValue], right: &[GameValue]) -> GameValue {
        values.canonical(left.to_vec(), right.to_vec()).expect("room")
    }

    #[test]
    fn star_and_up_have_their_textbook_values() {
        let mut values = GameValues::new(1000, 8);
        let star = make(&mut values, &[ZERO], &[ZERO]);
        assert_eq!(values.fingerprint(ZERO), 0);
        assert!(values.wins_moving_first(star, true) && values.wins_moving_first(star, false));
        assert_eq!(values.add(star, star), Some(ZERO));
        let up = make(&mut values, &[ZERO], &[star]);
        assert!(values.is_le(ZERO, up) && !values.is_le(up, ZERO));
        // Up is confused with star; two ups are greater than star.
        assert!(!values.is_le(up, star) && !values.is_le(star, up));
        let two = values.add(up, up).expect("room");
        assert!(values.is_le(star, two));
        // {0 | up} is two ups and a star.
        let other = values.add(two, star);
        assert_eq!(Some(make(&mut values, &[ZERO], &[up])), other);
        let down = values.negative(up);
        assert_eq!(values.add(up, down), Some(ZERO));
        assert_eq!(values.negative(down), up);
        assert_eq!(values.negative(star), star);
    }

    #[test]
    fn full_table_finds_known_values_only() {
        let mut values = GameValues::new(2, 8);
        let star = make(&mut values, &[ZERO], &[ZERO]);
        assert_eq!(values.canonical(vec![ZERO], vec![star]), None);
        // Known values are still found.
        assert_eq!(values.canonical(vec![ZERO], vec![ZERO]), Some(star));
    }
}
