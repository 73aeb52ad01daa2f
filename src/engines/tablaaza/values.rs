//! Values of games in the sense of combinatorial game theory.
//!
//! Where the free squares fall apart into regions that no corridor joins, the
//! position is a sum of games and each can be looked at alone. A value is a
//! pair of sets of options, Left's (here Red's) and Right's, in canonical form:
//! no option is dominated by another or reversible, so equal games have one
//! and the same number here. See Conway, *On Numbers and Games*, or Siegel,
//! *Combinatorial Game Theory*, chapter II.
//!
//! Every position of Tablaaza that has a free square has moves for both sides,
//! so all values are infinitesimal and in practice small: a region of sixteen
//! squares has about three options left.

use super::bits::mix;

/// A value's number; [`ZERO`] is the game without moves.
pub(super) type Value = u32;
/// The game in which whoever is to move has lost.
pub(super) const ZERO: Value = 0;

const NONE: u32 = u32::MAX;

/// Where a value's options lie: Left's, and Right's behind them.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    left: u16,
    right: u16,
}

/// All values met so far, and what is known of how they compare and add up.
#[derive(Debug)]
pub(super) struct Values {
    options: Vec<Value>,
    spans: Vec<Span>,
    /// By value: a fingerprint that does not depend on the order of discovery.
    prints: Vec<u64>,
    /// By value: its negative, once asked for.
    negatives: Vec<Value>,
    /// By value: bit 0, Left wins when he begins; bit 1, Right does.
    outcomes: Vec<u8>,
    /// Open addressing over the options.
    index: Vec<Value>,
    /// Comparisons made, forgotten one over the other.
    compared: Vec<u64>,
    /// Sums made, likewise.
    added: Vec<(u64, Value)>,
    most: usize,
}

impl Values {
    /// Room for about `most` values; memories of `1 << memory` comparisons and
    /// as many sums.
    pub(super) fn new(most: usize, memory: u32) -> Self {
        let mut values = Self {
            options: Vec::new(),
            spans: Vec::new(),
            prints: Vec::new(),
            negatives: Vec::new(),
            outcomes: Vec::new(),
            index: vec![NONE; 1 << 10],
            compared: vec![0; 1 << memory],
            added: vec![(0, ZERO); 1 << memory],
            most,
        };
        values.intern(&[], &[]);
        values
    }

    /// Left's or Right's options.
    pub(super) fn options(&self, of: Value, left: bool) -> &[Value] {
        let (start, middle, end) = self.bounds(of);
        if left { &self.options[start..middle] } else { &self.options[middle..end] }
    }

    fn bounds(&self, of: Value) -> (usize, usize, usize) {
        let span = self.spans[of as usize];
        let middle = span.start as usize + usize::from(span.left);
        (span.start as usize, middle, middle + usize::from(span.right))
    }

    /// Whether the side that begins wins.
    pub(super) fn first_wins(&self, value: Value, left: bool) -> bool {
        self.outcomes[value as usize] >> u8::from(!left) & 1 == 1
    }

    /// A number of the value that any other [`Values`] gives it, too.
    pub(super) fn print(&self, value: Value) -> u64 {
        self.prints[value as usize]
    }

    /// The game with the sides exchanged.
    pub(super) fn negative(&mut self, of: Value) -> Value {
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
        // Not bounded by `most`: there are never more than twice as many.
        let negative = self.intern(left, right);
        self.negatives[of as usize] = negative;
        self.negatives[negative as usize] = of;
        negative
    }

    /// The sum of two games; none when there is no room for more values.
    pub(super) fn add(&mut self, one: Value, other: Value) -> Option<Value> {
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
        let at = (mix(key) >> 32) as usize & (self.added.len() - 1);
        if self.added[at].0 == key {
            return Some(self.added[at].1);
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
        self.added[at] = (key, sum);
        Some(sum)
    }

    /// The value of the game with these options; none when there is no room.
    pub(super) fn canonical(
        &mut self,
        mut left: Vec<Value>,
        mut right: Vec<Value>,
    ) -> Option<Value> {
        self.drop_dominated(&mut left, true);
        self.drop_dominated(&mut right, false);
        while self.bypass(&mut left, &mut right) {}
        match self.find(&left, &right) {
            Ok(value) => Some(value),
            Err(_) if self.spans.len() >= self.most => None,
            Err(at) => Some(self.insert(&left, &right, at)),
        }
    }

    /// Replaces one reversible option by what it reverses to; false when there
    /// is none.
    fn bypass(&mut self, left: &mut Vec<Value>, right: &mut Vec<Value>) -> bool {
        for at in 0..left.len() {
            let (_, middle, end) = self.bounds(left[at]);
            for reply in middle..end {
                let reply = self.options[reply];
                if self.is_below_pair(reply, left, right) {
                    left.swap_remove(at);
                    left.extend_from_slice(self.options(reply, true));
                    self.drop_dominated(left, true);
                    return true;
                }
            }
        }
        for at in 0..right.len() {
            let (start, middle, _) = self.bounds(right[at]);
            for reply in start..middle {
                let reply = self.options[reply];
                if self.is_above_pair(reply, left, right) {
                    right.swap_remove(at);
                    right.extend_from_slice(self.options(reply, false));
                    self.drop_dominated(right, false);
                    return true;
                }
            }
        }
        false
    }

    /// Leaves one of equal options and none that another one dominates.
    fn drop_dominated(&mut self, options: &mut Vec<Value>, left: bool) {
        options.sort_unstable();
        options.dedup();
        let mut at = 0;
        while at < options.len() {
            let worse = (0..options.len()).any(|other| {
                let (low, high) = if left { (at, other) } else { (other, at) };
                at != other && self.is_below(options[low], options[high])
            });
            if worse {
                options.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Whether `low <= high`: Left likes `high` at least as much.
    pub(super) fn is_below(&mut self, low: Value, high: Value) -> bool {
        if low == high {
            return true;
        }
        if low == ZERO {
            return !self.first_wins(high, false);
        }
        if high == ZERO {
            return !self.first_wins(low, true);
        }
        let key = u64::from(low) << 32 | u64::from(high) << 1;
        let at = (mix(key) >> 32) as usize & (self.compared.len() - 1);
        if self.compared[at] & !1 == key {
            return self.compared[at] & 1 == 1;
        }
        let (start, middle, _) = self.bounds(low);
        let mut below = !(start..middle).any(|at| self.is_below(high, self.options[at]));
        if below {
            let (_, middle, end) = self.bounds(high);
            below = !(middle..end).any(|at| self.is_below(self.options[at], low));
        }
        self.compared[at] = key | u64::from(below);
        below
    }

    /// Whether `value <= {left | right}`, which has no number yet.
    fn is_below_pair(&mut self, value: Value, left: &[Value], right: &[Value]) -> bool {
        if right.iter().any(|&option| self.is_below(option, value)) {
            return false;
        }
        let (start, middle, _) = self.bounds(value);
        !(start..middle).any(|at| self.is_above_pair(self.options[at], left, right))
    }

    /// Whether `{left | right} <= value`.
    fn is_above_pair(&mut self, value: Value, left: &[Value], right: &[Value]) -> bool {
        if left.iter().any(|&option| self.is_below(value, option)) {
            return false;
        }
        let (_, middle, end) = self.bounds(value);
        !(middle..end).any(|at| self.is_below_pair(self.options[at], left, right))
    }

    fn intern(&mut self, left: &[Value], right: &[Value]) -> Value {
        match self.find(left, right) {
            Ok(value) => value,
            Err(at) => self.insert(left, right, at),
        }
    }

    fn slot(left: &[Value], right: &[Value]) -> usize {
        let both = left.iter().chain(&[NONE]).chain(right);
        both.fold(0, |hash, &option| mix(hash ^ u64::from(option)).wrapping_add(1)) as usize
    }

    /// The value with these options, or where it would be in the index.
    fn find(&self, left: &[Value], right: &[Value]) -> Result<Value, usize> {
        let mask = self.index.len() - 1;
        let mut at = Self::slot(left, right) & mask;
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

    fn insert(&mut self, left: &[Value], right: &[Value], at: usize) -> Value {
        let value = self.spans.len() as Value;
        let start = self.options.len() as u32;
        self.options.extend_from_slice(left);
        self.options.extend_from_slice(right);
        self.spans.push(Span { start, left: left.len() as u16, right: right.len() as u16 });
        self.negatives.push(NONE);
        let left_wins = left.iter().any(|&option| !self.first_wins(option, false));
        let right_wins = right.iter().any(|&option| !self.first_wins(option, true));
        self.outcomes.push(u8::from(left_wins) | u8::from(right_wins) << 1);
        let print = |options: &[Value]| {
            options.iter().fold(0_u64, |sum, &option| sum.wrapping_add(mix(!self.print(option))))
        };
        // The empty game's is 0.
        let print = mix(print(left) ^ mix(print(right)));
        self.prints.push(print);
        self.index[at] = value;
        if self.spans.len() * 2 > self.index.len() {
            self.grow();
        }
        value
    }

    fn grow(&mut self) {
        let mask = self.index.len() * 2 - 1;
        self.index = vec![NONE; mask + 1];
        for value in 0..self.spans.len() as Value {
            let mut at = Self::slot(self.options(value, true), self.options(value, false)) & mask;
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

    fn make(values: &mut Values, left: &[Value], right: &[Value]) -> Value {
        values.canonical(left.to_vec(), right.to_vec()).expect("room")
    }

    #[test]
    fn star_and_up_behave_as_the_books_say() {
        let mut values = Values::new(1000, 8);
        let star = make(&mut values, &[ZERO], &[ZERO]);
        assert_eq!(values.print(ZERO), 0);
        assert!(values.first_wins(star, true) && values.first_wins(star, false));
        assert_eq!(values.add(star, star), Some(ZERO));
        let up = make(&mut values, &[ZERO], &[star]);
        assert!(values.is_below(ZERO, up) && !values.is_below(up, ZERO));
        // Up and star are confused, two ups are above star.
        assert!(!values.is_below(up, star) && !values.is_below(star, up));
        let two = values.add(up, up).expect("room");
        assert!(values.is_below(star, two));
        // {0 | up} is two ups and a star.
        let other = values.add(two, star);
        assert_eq!(Some(make(&mut values, &[ZERO], &[up])), other);
        let down = values.negative(up);
        assert_eq!(values.add(up, down), Some(ZERO));
        assert_eq!(values.negative(down), up);
        assert_eq!(values.negative(star), star);
    }

    #[test]
    fn without_room_there_is_no_answer() {
        let mut values = Values::new(2, 8);
        let star = make(&mut values, &[ZERO], &[ZERO]);
        assert_eq!(values.canonical(vec![ZERO], vec![star]), None);
        // What is known stays known.
        assert_eq!(values.canonical(vec![ZERO], vec![ZERO]), Some(star));
    }
}
