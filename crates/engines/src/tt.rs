//! The transposition table, and the memory it lives in.
//!
//! A fixed number of buckets, shared by all threads without locks. A slot is two
//! words: the entry, and the key XORed with the entry, so that a torn write by
//! two threads reads as a miss (Hyatt and Mann, "A lock-less transposition table
//! implementation for parallel search"). With each new search the entries of
//! earlier ones lose priority against deeper ones.
//!
//! The memory is allocated once, then cleared and reused by the next search. A new
//! table of megabytes for every search would fragment the heap, and a program that
//! plays for hours would grow.

use std::{
    fmt::Debug,
    mem,
    sync::{
        Weak,
        atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering},
    },
};

use bytemuck::allocation::try_zeroed_vec;

use super::{score::value_from_tt, worker::drop_in_background};

/// How a stored value relates to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The stored value is the true value.
    Exact,
    /// The true value is at least the stored one (fail high).
    Lower,
    /// The true value is at most the stored one (fail low).
    Upper,
}

impl Bound {
    /// What the value of a search between `alpha` and `beta` says.
    pub(super) const fn of(value: i32, alpha: i32, beta: i32) -> Self {
        if value >= beta {
            Self::Lower
        } else if value <= alpha {
            Self::Upper
        } else {
            Self::Exact
        }
    }
}

/// What the table stores of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TtEntry {
    /// The value, as [`value_to_tt`](super::score::value_to_tt) converts it.
    pub(super) value: i16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// The best move as the game encodes it; 0 for none.
    pub(super) best_move: u16,
    /// The static evaluation of the position.
    pub(super) static_eval: i16,
}

impl TtEntry {
    /// The value for a node at `ply`, if it is deep enough and causes a cutoff.
    #[inline]
    pub(super) fn cutoff(self, depth: i32, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
        if i32::from(self.depth) < depth {
            return None;
        }
        let value = value_from_tt(self.value, ply);
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        decides.then_some(value)
    }

    /// From the lowest bit: value 16, depth 8, bound 2, generation 6, move 16,
    /// static evaluation 16.
    fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(self.value as u16)
            | u64::from(self.depth) << 16
            | u64::from(bound | generation << 2) << 24
            | u64::from(self.best_move) << 32
            | u64::from(self.static_eval as u16) << 48
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
            depth: depth_of(word),
            bound,
            best_move: (word >> 32) as u16,
            static_eval: (word >> 48) as u16 as i16,
        })
    }
}

/// The depth of a packed entry.
const fn depth_of(word: u64) -> u8 {
    (word >> 16) as u8
}

/// The generation of a packed entry.
const fn generation_of(word: u64) -> u8 {
    (word >> 26) as u8 & (GENERATIONS - 1)
}

/// Generations are counted modulo this.
const GENERATIONS: u8 = 64;
/// Replacement: an entry counts as this many plies shallower for each search since
/// it was stored.
const DEPTH_PER_GENERATION: i32 = 8;
/// Replacement: a bound does not replace an entry of the same position that is deeper
/// by more than this.
const MAX_DEPTH_LOSS: u8 = 3;
/// Minimum number of entries that a table is made for.
const MIN_ENTRIES: usize = 1024;

/// A transposition table of buckets with `SLOTS` slots each. Four fill a cache line.
#[derive(Debug)]
pub(super) struct TranspositionTable<const SLOTS: usize = 4> {
    memory: TableMemory,
    /// Words before the first bucket, so that a bucket is one cache line.
    skipped: usize,
    buckets: usize,
    generation: AtomicU8,
}

impl<const SLOTS: usize> TranspositionTable<SLOTS> {
    const BUCKET_WORDS: usize = 2 * SLOTS;
    /// Aligning buckets of several slots costs up to one bucket.
    const LOST_BUCKETS: usize = if SLOTS > 1 { 1 } else { 0 };

    /// A table in new memory of up to `mib` MiB, for up to `entries` positions.
    pub(super) fn with_size(mib: usize, entries: usize) -> Self {
        Self::new(TableMemory::new(mib, Self::words_for(entries)), entries)
    }

    /// The number of words that a table for `entries` positions needs.
    pub(super) fn words_for(entries: usize) -> usize {
        entries.max(MIN_ENTRIES).div_ceil(SLOTS).saturating_mul(Self::BUCKET_WORDS)
    }

    /// A table in this memory, for up to `entries` positions.
    pub(super) fn new(memory: TableMemory, entries: usize) -> Self {
        let fitting = memory.len().min(Self::words_for(entries)) / Self::BUCKET_WORDS;
        let buckets = fitting.max(1 + Self::LOST_BUCKETS) - Self::LOST_BUCKETS;
        let lost = Self::LOST_BUCKETS * (Self::BUCKET_WORDS - 1);
        let words = memory.first(buckets * Self::BUCKET_WORDS + lost);
        let address = words.as_ptr() as usize / size_of::<AtomicU64>();
        let skipped = address.wrapping_neg() % Self::BUCKET_WORDS * Self::LOST_BUCKETS;
        Self { memory, skipped, buckets, generation: AtomicU8::new(0) }
    }

    /// Whether the table was made for this size.
    pub(super) const fn is_of_size(&self, mib: usize) -> bool {
        self.memory.is_of_size(mib)
    }

    /// Begins the next generation: entries stored so far lose priority.
    pub(super) fn new_search(&self) {
        let generation = self.generation.load(Ordering::Relaxed);
        self.generation.store((generation + 1) % GENERATIONS, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        // The key's upper bits, scaled to the number of buckets.
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let first = self.skipped + index * Self::BUCKET_WORDS;
        self.memory.words.get(first..first + Self::BUCKET_WORDS).unwrap_or(&[])
    }

    /// The entry of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<TtEntry> {
        self.bucket(key).chunks_exact(2).find_map(|slot| {
            let word = slot[1].load(Ordering::Relaxed);
            let is_same = slot[0].load(Ordering::Relaxed) ^ word == key;
            is_same.then(|| TtEntry::unpack(word)).flatten()
        })
    }

    /// Stores an entry in place of the same position's, an empty one, or the
    /// shallowest and oldest of the bucket. A much deeper entry of the same
    /// position and search stays, unless the new score is exact.
    pub(super) fn store(&self, key: u64, mut entry: TtEntry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let (mut replaced, mut lowest_priority) = (None, i32::MAX);
        for slot in self.bucket(key).chunks_exact(2) {
            let word = slot[1].load(Ordering::Relaxed);
            if slot[0].load(Ordering::Relaxed) ^ word == key {
                if let Some(old) = TtEntry::unpack(word) {
                    let is_deeper = old.depth > entry.depth.saturating_add(MAX_DEPTH_LOSS);
                    let is_current = generation_of(word) == generation;
                    if entry.bound != Bound::Exact && is_current && is_deeper {
                        return;
                    }
                    if entry.best_move == 0 {
                        entry.best_move = old.best_move;
                    }
                }
                replaced = Some(slot);
                break;
            }
            let age = i32::from(generation.wrapping_sub(generation_of(word)) % GENERATIONS);
            let priority = i32::from(depth_of(word)) - DEPTH_PER_GENERATION * age;
            if priority < lowest_priority || word == 0 {
                lowest_priority = if word == 0 { i32::MIN } else { priority };
                replaced = Some(slot);
            }
        }
        if let Some([check, data]) = replaced {
            let word = entry.pack(generation);
            data.store(word, Ordering::Relaxed);
            check.store(word ^ key, Ordering::Relaxed);
        }
    }
}

/// Maximum memory in MiB: in a browser a quarter of the 4 GiB that a program can
/// address.
const MAX_MIB: usize = if usize::BITS > 32 { 1 << 16 } else { 1 << 10 };
const WORDS_PER_MIB: usize = (1 << 20) / size_of::<AtomicU64>();
/// Use is recorded by chunks of half a MiB.
const CHUNK_WORDS: usize = WORDS_PER_MIB / 2;
/// Allocate this much eagerly; beyond it, only what is requested.
const EAGER_WORDS: usize = 64 * WORDS_PER_MIB;
/// With more used chunks than this, allocating new memory is faster than clearing.
const MAX_CLEARED_CHUNKS: usize = EAGER_WORDS / CHUNK_WORDS;

/// Takes memory back that a table no longer uses.
pub(super) trait MemoryOwner: Debug + Send + Sync {
    /// Keeps the memory for the next table.
    fn recycle(&self, memory: TableMemory);
}

/// Words of eight bytes, all zero when a search begins.
#[derive(Debug, Default)]
pub(super) struct TableMemory {
    words: Vec<AtomicU64>,
    /// By chunk: whether a table has used it since it was cleared.
    used: Vec<AtomicBool>,
    /// The size that was requested.
    mib: usize,
    /// Where the memory goes when it is dropped; without an owner it is freed.
    owner: Option<Weak<dyn MemoryOwner>>,
}

impl TableMemory {
    /// Allocates `mib` MiB, or `words` if that is less. Halves the size as long as the
    /// allocation fails; a table without memory finds nothing.
    pub(super) fn new(mib: usize, words: usize) -> Self {
        let mut count = words_in(mib).min(words.max(EAGER_WORDS));
        let words = loop {
            match try_zeroed_vec::<u64>(count) {
                Ok(words) => break words,
                Err(()) => count /= 2,
            }
        };
        // The system provides zeros page by page as they are used; turning them
        // into atomics in place costs nothing.
        let words: Vec<_> = words.into_iter().map(AtomicU64::new).collect();
        let used = (0..count.div_ceil(CHUNK_WORDS)).map(|_| AtomicBool::new(false)).collect();
        Self { words, used, mib, owner: None }
    }

    /// The same memory, cleared, for a search with `mib` MiB that needs `words`;
    /// `None` when allocating is better.
    pub(super) fn reuse(mut self, mib: usize, words: usize) -> Option<Self> {
        let is_used = |used: &&AtomicBool| used.load(Ordering::Relaxed);
        let is_slow = self.used.iter().filter(is_used).count() > MAX_CLEARED_CHUNKS;
        if self.mib != mib || self.len() < words_in(mib).min(words) || is_slow {
            return None;
        }
        for (chunk, used) in self.words.chunks_mut(CHUNK_WORDS).zip(&mut self.used) {
            if mem::take(used.get_mut()) {
                chunk.iter_mut().for_each(|word| *word.get_mut() = 0);
            }
        }
        Some(self)
    }

    /// The same memory, returned to its owner when it is dropped.
    pub(super) fn owned_by(mut self, owner: Weak<dyn MemoryOwner>) -> Self {
        self.owner = Some(owner);
        self
    }

    /// Whether this size was requested.
    pub(super) const fn is_of_size(&self, mib: usize) -> bool {
        self.mib == mib
    }

    pub(super) const fn len(&self) -> usize {
        self.words.len()
    }

    /// The first `count` words, or all if there are fewer; recorded as used.
    pub(super) fn first(&self, count: usize) -> &[AtomicU64] {
        let end = count.min(self.words.len());
        for used in &self.used[..end.div_ceil(CHUNK_WORDS)] {
            used.store(true, Ordering::Relaxed);
        }
        &self.words[..end]
    }
}

fn words_in(mib: usize) -> usize {
    mib.clamp(1, MAX_MIB) * WORDS_PER_MIB
}

impl Drop for TableMemory {
    fn drop(&mut self) {
        let owner = mem::take(&mut self.owner);
        match owner.and_then(|owner| owner.upgrade()) {
            Some(owner) => owner.recycle(mem::take(self)),
            None => drop_in_background(mem::take(&mut self.words)),
        }
    }
}

#[cfg(test)]
mod tests;
