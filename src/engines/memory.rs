//! What a search remembers of positions it has seen: the transposition table.
//!
//! A fixed number of slots, shared by all threads of one thought without
//! locks. A slot is two words, the second the key mixed with the first, so a
//! slot half written by two threads at once is seen as a stranger's.

use std::sync::atomic::{AtomicU64, Ordering};

/// What is known of a position's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is this.
    Exact,
    /// It is this or more.
    Lower,
    /// It is this or less.
    Upper,
}

/// What is remembered of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Memo {
    pub(super) value: i16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// The best move's code.
    pub(super) best: u16,
}

impl Memo {
    const fn pack(self) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        (self.value as u16 as u64)
            | (self.depth as u64) << 16
            | (self.best as u64) << 24
            | bound << 40
    }

    const fn unpack(word: u64) -> Option<Self> {
        let bound = match word >> 40 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        Some(Self {
            value: word as u16 as i16,
            depth: (word >> 16) as u8,
            bound,
            best: (word >> 24) as u16,
        })
    }
}

/// The table: two words a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory<'a> {
    words: &'a [AtomicU64],
}

impl<'a> Memory<'a> {
    /// The words that a table of no more slots than `wanted` needs.
    pub(super) fn words(wanted: usize) -> usize {
        wanted.max(1024).saturating_mul(2)
    }

    /// A table in these words, all of them zero.
    pub(super) const fn of(words: &'a [AtomicU64]) -> Self {
        Self { words }
    }

    fn slot(&self, key: u64) -> Option<[&'a AtomicU64; 2]> {
        // The key's upper bits scaled to the number of slots.
        let at = ((u128::from(key) * (self.words.len() / 2) as u128) >> 64) as usize;
        Some([self.words.get(2 * at)?, self.words.get(2 * at + 1)?])
    }

    pub(super) fn recall(&self, key: u64) -> Option<Memo> {
        let [check, word] = self.slot(key)?;
        let word = word.load(Ordering::Relaxed);
        (check.load(Ordering::Relaxed) ^ word == key).then(|| Memo::unpack(word))?
    }

    /// Remembers; what was in the slot is forgotten unless it is the same
    /// position looked at more deeply.
    pub(super) fn note(&self, key: u64, memo: Memo) {
        let Some([check, word]) = self.slot(key) else { return };
        if memo.bound != Bound::Exact
            && self.recall(key).is_some_and(|old| old.depth > memo.depth.saturating_add(3))
        {
            return;
        }
        let packed = memo.pack();
        word.store(packed, Ordering::Relaxed);
        check.store(packed ^ key, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{super::room::Room, *};

    #[test]
    fn what_is_noted_is_recalled() {
        let room = Room::new(1, 0);
        let memory = Memory::of(room.first(Memory::words(usize::MAX)));
        assert_eq!(memory.words.len() * 8, 1 << 20);
        for (key, value, bound) in
            [(7, -29_999, Bound::Lower), (u64::MAX, 12, Bound::Exact), (1 << 63, 0, Bound::Upper)]
        {
            let memo = Memo { value, depth: 9, bound, best: 6560 };
            assert_eq!(memory.recall(key), None);
            memory.note(key, memo);
            assert_eq!(memory.recall(key), Some(memo));
        }
    }

    #[test]
    fn it_is_no_larger_than_wanted() {
        let room = Room::new(1, 0);
        assert_eq!(Memory::of(room.first(Memory::words(5000))).words.len(), 10_000);
        assert_eq!(Memory::of(room.first(Memory::words(0))).words.len(), 2048);
    }
}
