//! What the solver remembers of positions: who wins them.
//!
//! Slots are shared by all threads without locks, as in the common table; the
//! key is whole, so no position is ever taken for another one.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{bits::mix, regions::Code};

/// A position's key, for the side to move: all of it, but for values' prints,
/// of which more than forty bits are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    head: u64,
    /// 56 bits; the lowest tells the two forms apart.
    tail: u64,
}

const TAIL: u32 = 56;

impl Key {
    /// By the free squares (bits 56 and up are none) and the print of the
    /// value besides.
    pub(super) const fn of_squares(free: u64, print: u64) -> Self {
        Self { head: free | print << TAIL, tail: (print >> 8 << 1) & ((1 << TAIL) - 1) }
    }

    /// By the free squares' graph and the print of the value besides.
    pub(super) const fn of_graph(code: Code, print: u64) -> Self {
        let nodes = (code.nodes[0] as u64) << 1 | (code.nodes[1] as u64) << 5;
        Self { head: code.edges, tail: 1 | nodes | (print << 9 & ((1 << TAIL) - 1)) }
    }

    /// The number of free squares, the value's not counted: what the position
    /// was worth looking at.
    const fn size(self) -> u32 {
        if self.tail & 1 == 0 {
            (self.head & ((1 << TAIL) - 1)).count_ones()
        } else {
            (self.tail >> 1 & 15) as u32 + (self.tail >> 5 & 15) as u32
        }
    }
}

/// Slots that one position may lie in: one line of a cache.
const WAYS: usize = 4;

/// The memory: two words a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'a> {
    words: &'a [AtomicU64],
}

impl<'a> Table<'a> {
    /// A table in these words, all of them zero, or in the first half of them:
    /// its slots are a power of two.
    pub(super) fn of(words: &'a [AtomicU64]) -> Self {
        let slots = (words.len() / 2).max(1).ilog2();
        Self { words: words.get(..2 << slots).unwrap_or(words) }
    }

    fn slots(&self, key: Key) -> impl Iterator<Item = (&'a AtomicU64, &'a AtomicU64, Key, u64)> {
        let count = self.words.len() / 2;
        let first = mix(key.head ^ mix(key.tail)) as usize & (count - 1) & !(WAYS - 1);
        self.words[2 * first..(2 * (first + WAYS)).min(self.words.len())].chunks_exact(2).map(
            |words| {
                let data = words[1].load(Ordering::Relaxed);
                let head = words[0].load(Ordering::Relaxed) ^ data;
                (&words[0], &words[1], Key { head, tail: data >> 8 }, data)
            },
        )
    }

    /// Whether the side to move wins, if that is known.
    pub(super) fn recall(&self, key: Key) -> Option<bool> {
        let mut slots = self.slots(key);
        slots.find(|(_, _, found, data)| *found == key && data & 3 != 0).map(|slot| slot.3 & 3 == 2)
    }

    /// Remembers; the smallest position of the line is forgotten for it.
    pub(super) fn note(&self, key: Key, wins: bool) {
        let worth = |(_, _, found, data): &(&AtomicU64, &AtomicU64, Key, u64)| match data & 3 {
            0 => 0,
            _ if *found == key => 0,
            _ => 1 + found.size(),
        };
        let Some((one, two, _, _)) = self.slots(key).min_by_key(worth) else { return };
        let data = key.tail << 8 | if wins { 2 } else { 1 };
        one.store(key.head ^ data, Ordering::Relaxed);
        two.store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::tt::TableMemory;

    #[test]
    fn what_is_noted_is_recalled_and_large_ones_stay() {
        let memory = TableMemory::new(1, 0);
        let table = Table::of(memory.first(usize::MAX));
        let key = |free| Key::of_squares(free, 0);
        table.note(key(u64::MAX >> 8), true);
        for free in 1..2_000_000 {
            table.note(key(free), false);
        }
        assert_eq!(table.recall(key(u64::MAX >> 8)), Some(true));
        assert_eq!(table.recall(key(1_999_999)), Some(false));
        assert_eq!(table.recall(key(2_000_001)), None);
        assert_eq!(table.recall(Key::of_squares(u64::MAX >> 8, 1)), None);
        let code = Code { edges: 7, nodes: [3, 1] };
        table.note(Key::of_graph(code, 9), true);
        assert_eq!(table.recall(Key::of_graph(code, 9)), Some(true));
        assert_eq!(table.recall(Key::of_graph(code, 8)), None);
    }
}
