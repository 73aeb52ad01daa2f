//! What the search remembers of positions: the transposition table.
//!
//! A fixed number of buckets of four slots, one cache line each, shared by all
//! threads without locks. A slot is two words, the second the key mixed with
//! the first, so a slot half written by two threads at once is seen as a
//! stranger's. What an earlier thought left is the first to give way.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::{
    super::{memory::Bound, room::Room},
    state::Move,
};

/// What is remembered of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Memo {
    pub(super) value: i16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    pub(super) best: Move,
    /// The evaluation, whatever the search found.
    pub(super) standing: i16,
}

const SLOTS: usize = 4;
const BUCKET_WORDS: usize = 2 * SLOTS;
/// Ages are counted round.
const AGES: u8 = 64;

impl Memo {
    fn pack(self, age: u8) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(self.value as u16)
            | u64::from(self.depth) << 16
            | u64::from(bound | age << 2) << 24
            | u64::from(self.best.0) << 32
            | u64::from(self.standing as u16) << 48
    }

    const fn unpack(word: u64) -> Option<Self> {
        let bound = match word >> 24 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        Some(Self {
            value: word as u16 as i16,
            depth: (word >> 16) as u8,
            bound,
            best: Move((word >> 32) as u16),
            standing: (word >> 48) as u16 as i16,
        })
    }
}

/// The table.
#[derive(Debug)]
pub(crate) struct Table {
    room: Room,
    /// Words before the first bucket, so that buckets are whole cache lines.
    skip: usize,
    buckets: usize,
    age: AtomicU8,
}

impl Table {
    /// A table of its own of at most `mib` MiB, and of no more positions than
    /// `wanted`; a smaller one when the machine has no such memory.
    pub(super) fn new(mib: usize, wanted: usize) -> Self {
        Self::of(Room::new(mib, Self::words(wanted)), wanted)
    }

    /// The words that a table of no more positions than `wanted` needs.
    pub(super) fn words(wanted: usize) -> usize {
        wanted.max(1024).div_ceil(SLOTS).saturating_mul(BUCKET_WORDS)
    }

    /// A table in this room, of no more positions than `wanted`.
    pub(in super::super) fn of(room: Room, wanted: usize) -> Self {
        let most = room.len() / BUCKET_WORDS;
        let buckets = most.min(Self::words(wanted) / BUCKET_WORDS).max(2) - 1;
        let words = room.first(buckets * BUCKET_WORDS + BUCKET_WORDS - 1);
        let skip = (words.as_ptr() as usize / 8).wrapping_neg() % BUCKET_WORDS;
        Self { room, skip, buckets, age: AtomicU8::new(0) }
    }

    /// Whether it was made for this much memory.
    pub(in super::super) const fn is_of(&self, mib: usize) -> bool {
        self.room.is_of(mib)
    }

    /// A new thought begins: what is there by now may give way to it.
    pub(super) fn grow_older(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    fn bucket(&self, key: u64) -> &[AtomicU64] {
        // The key's upper bits scaled to the number of buckets.
        let at = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let first = self.skip + at * BUCKET_WORDS;
        self.room.words().get(first..first + BUCKET_WORDS).unwrap_or(&[])
    }

    pub(super) fn recall(&self, key: u64) -> Option<Memo> {
        self.bucket(key).chunks_exact(2).find_map(|slot| {
            let word = slot[1].load(Ordering::Relaxed);
            (slot[0].load(Ordering::Relaxed) ^ word == key).then(|| Memo::unpack(word)).flatten()
        })
    }

    pub(super) fn note(&self, key: u64, mut memo: Memo) {
        let age = self.age.load(Ordering::Relaxed);
        let mut least = (i32::MAX, None);
        for slot in self.bucket(key).chunks_exact(2) {
            let word = slot[1].load(Ordering::Relaxed);
            if slot[0].load(Ordering::Relaxed) ^ word == key {
                // The same position: a shallow look does not replace a deep one.
                if let Some(old) = Memo::unpack(word) {
                    let fresh = (word >> 26) as u8 & (AGES - 1) == age;
                    if memo.bound != Bound::Exact && fresh && old.depth > memo.depth + 3 {
                        return;
                    }
                    if memo.best == Move::NONE {
                        memo.best = old.best;
                    }
                }
                least = (i32::MIN, Some(slot));
                break;
            }
            let years = i32::from(age.wrapping_sub((word >> 26) as u8) % AGES);
            let worth = i32::from((word >> 16) as u8) - 8 * years;
            if worth < least.0 || word == 0 {
                least = (if word == 0 { i32::MIN + 1 } else { worth }, Some(slot));
            }
        }
        if let (_, Some([check, slot])) = least {
            let word = memo.pack(age);
            slot.store(word, Ordering::Relaxed);
            check.store(word ^ key, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memo(depth: u8, bound: Bound) -> Memo {
        Memo { value: -29_999, depth, bound, best: Move::new(12, 108), standing: -250 }
    }

    #[test]
    fn what_is_noted_is_recalled() {
        let table = Table::new(1, usize::MAX);
        assert!(table.room.len() * 8 <= 1 << 20);
        for (key, bound) in [(7, Bound::Lower), (u64::MAX, Bound::Exact), (1 << 63, Bound::Upper)] {
            assert_eq!(table.recall(key), None);
            table.note(key, memo(9, bound));
            assert_eq!(table.recall(key), Some(memo(9, bound)));
        }
    }

    #[test]
    fn the_old_and_shallow_give_way() {
        let table = Table::new(1, 1);
        // Keys this close share a bucket.
        let keys = [1, 2, 3, 4];
        for key in keys {
            table.note(key, memo(20 + key as u8, Bound::Exact));
        }
        table.note(5, memo(1, Bound::Exact));
        assert_eq!(table.recall(1), None);
        assert!(table.recall(5).is_some() && table.recall(4).is_some());
        (0..4).for_each(|_| table.grow_older());
        for key in 10..14 {
            table.note(key, memo(1, Bound::Exact));
        }
        assert!(keys.iter().all(|key| table.recall(*key).is_none()));
    }

    #[test]
    fn a_shallow_look_keeps_a_deep_one() {
        let table = Table::new(1, 1);
        table.note(9, memo(12, Bound::Lower));
        table.note(9, memo(3, Bound::Lower));
        assert_eq!(table.recall(9).map(|memo| memo.depth), Some(12));
        table.note(9, memo(3, Bound::Exact));
        assert_eq!(table.recall(9).map(|memo| memo.depth), Some(3));
    }

    #[test]
    fn an_absurd_size_is_no_crash() {
        let table = Table::new(usize::MAX, 5000);
        assert!(table.buckets * SLOTS <= 5004);
    }
}
