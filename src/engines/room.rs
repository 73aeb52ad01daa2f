//! The memory of a thought's tables: taken from the system once, cleared and
//! used again by the next thought.
//!
//! Tables of megabytes that come and go with every thought leave holes that the
//! system's allocator does not always fill again, and a program that plays for
//! hours grows by them.
//!
//! Sizes are in words of eight bytes, and MiB are what a player is given.

use std::{
    mem,
    sync::{
        Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use super::{mind::Shared, worker::drop_in_background};

/// Nobody gets more than this; of the 4 GiB that a browser's program can name
/// no more than a quarter.
const MOST_MIB: usize = if usize::BITS > 32 { 1 << 16 } else { 1 << 10 };
const MIB_WORDS: usize = (1 << 20) / size_of::<AtomicU64>();
/// What is remembered as used or not: half a MiB, so that halves are whole.
const CHUNK: usize = MIB_WORDS / 2;
/// Up to this much is taken at once, whoever is first; of more only what is
/// wanted.
const AT_ONCE: usize = 64 * MIB_WORDS;
/// From so many used chunks on new memory is had sooner than this is cleared.
const MOST_CLEARED: usize = AT_ONCE / CHUNK;

/// Words that are all zero at the beginning of a thought.
#[derive(Debug, Default)]
pub(super) struct Room {
    words: Vec<AtomicU64>,
    /// By chunk: whether a table has been there since it was all zero.
    used: Vec<AtomicBool>,
    /// What was asked for.
    mib: usize,
    /// Where it goes when it is no longer needed; nowhere, then to the system.
    home: Weak<Shared>,
}

impl Room {
    /// Room of `mib` MiB, or of what is wanted of it; less when the machine has
    /// no such memory.
    pub(super) fn new(mib: usize, wanted: usize) -> Self {
        let mut count = full(mib).min(wanted.max(AT_ONCE));
        while Vec::<u64>::new().try_reserve_exact(count).is_err() && count > MIB_WORDS {
            count /= 2;
        }
        // Zeros come from the system untouched, page by page as they are used;
        // turning them into atomics in place costs nothing.
        let words: Vec<_> = vec![0; count].into_iter().map(AtomicU64::new).collect();
        let used = (0..count.div_ceil(CHUNK)).map(|_| AtomicBool::new(false)).collect();
        Self { words, used, mib, home: Weak::new() }
    }

    /// The same room cleared, for a thought that is given `mib` MiB and wants so
    /// much of it; none when another one had better be made.
    pub(super) fn again(mut self, mib: usize, wanted: usize) -> Option<Self> {
        let is_used = |used: &&AtomicBool| used.load(Ordering::Relaxed);
        let is_long = self.used.iter().filter(is_used).count() > MOST_CLEARED;
        if self.mib != mib || self.len() < full(mib).min(wanted) || is_long {
            return None;
        }
        for (chunk, used) in self.words.chunks_mut(CHUNK).zip(&mut self.used) {
            if mem::take(used.get_mut()) {
                chunk.iter_mut().for_each(|word| *word.get_mut() = 0);
            }
        }
        Some(self)
    }

    /// The same room, which goes home when it is dropped.
    pub(super) fn living_at(mut self, home: Weak<Shared>) -> Self {
        self.home = home;
        self
    }

    /// The room for the thoughts of one who is given so much memory.
    pub(super) const fn is_of(&self, mib: usize) -> bool {
        self.mib == mib
    }

    pub(super) const fn len(&self) -> usize {
        self.words.len()
    }

    /// All of them, used or not.
    pub(super) fn words(&self) -> &[AtomicU64] {
        &self.words
    }

    /// The first words, as many as wanted and there.
    pub(super) fn first(&self, wanted: usize) -> &[AtomicU64] {
        self.part(0, wanted.min(self.words.len()))
    }

    /// Half of it: the first one from its first word on.
    pub(super) fn half(&self, second: bool, wanted: usize) -> &[AtomicU64] {
        let half = self.words.len() / 2;
        self.part(if second { half } else { 0 }, wanted.min(half))
    }

    fn part(&self, start: usize, count: usize) -> &[AtomicU64] {
        let end = start + count;
        for used in &self.used[start / CHUNK..end.div_ceil(CHUNK)] {
            used.store(true, Ordering::Relaxed);
        }
        &self.words[start..end]
    }
}

/// What a player is given.
fn full(mib: usize) -> usize {
    mib.clamp(1, MOST_MIB) * MIB_WORDS
}

impl Drop for Room {
    fn drop(&mut self) {
        let home = mem::take(&mut self.home);
        match home.upgrade() {
            Some(home) => home.keep(mem::take(self)),
            None => drop_in_background(mem::take(&mut self.words)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(words: &[AtomicU64]) {
        words.iter().for_each(|word| word.store(7, Ordering::Relaxed));
    }

    fn is_clear(words: &[AtomicU64]) -> bool {
        words.iter().all(|word| word.load(Ordering::Relaxed) == 0)
    }

    #[test]
    fn a_room_is_cleared_where_it_was_used_and_stays_where_it_is() {
        let room = Room::new(3, 0);
        assert!(room.len() == 3 * MIB_WORDS && is_clear(room.first(usize::MAX)));
        let room = room.again(3, usize::MAX).expect("the same size");
        fill(room.half(true, 1000));
        fill(room.first(CHUNK + 1));
        let place = room.words.as_ptr();
        let used: Vec<_> = room.used.iter().map(|used| used.load(Ordering::Relaxed)).collect();
        assert_eq!(used, [true, true, false, true, false, false]);
        let room = room.again(3, 0).expect("the same size");
        assert_eq!(room.words.as_ptr(), place);
        assert!(is_clear(room.first(usize::MAX)));
        assert!(room.again(4, 0).is_none());
    }

    #[test]
    fn what_is_long_to_clear_is_had_anew() {
        let room = Room::new(65, usize::MAX);
        room.half(true, 1000);
        let room = room.again(65, 1000).expect("little was used");
        room.first(usize::MAX);
        assert!(room.again(65, 1000).is_none());
    }

    #[test]
    fn of_much_only_what_is_wanted_is_taken() {
        let room = Room::new(usize::MAX, 5000);
        assert_eq!(room.len(), AT_ONCE);
        assert!(room.again(usize::MAX, AT_ONCE + 1).is_none());
        assert_eq!(Room::new(100, AT_ONCE + 5).len(), AT_ONCE + 5);
        assert_eq!(Room::new(0, 5000).len(), MIB_WORDS);
    }
}
