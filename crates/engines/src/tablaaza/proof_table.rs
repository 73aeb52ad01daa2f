//! The solver's table: proven positions and whether the side to move wins.
//!
//! All threads share it without locks, as the transposition table does: one word of
//! a slot is XORed with the other, so that a torn write reads as a miss.
//! The key is the whole position or 111 bits of its hash, so that no other position is
//! taken for it.

use std::{
    hint,
    sync::atomic::{AtomicU64, Ordering},
};

use tabulae_games::splitmix64;

/// A position from the view of the side to move, in full except for the value of the
/// small regions, of which it has more than 40 bits of the fingerprint, or as a hash of
/// the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofKey {
    head: u64,
    /// [`TAIL_BITS`] bits; the lowest distinguishes the two kinds of key.
    tail: u64,
}

/// Bits of a key's second word; also the bits of a board's squares.
const TAIL_BITS: u32 = 56;
const TAIL_MASK: u64 = (1 << TAIL_BITS) - 1;

impl ProofKey {
    /// By the free squares (bits 56 and up are none) and the fingerprint of the
    /// value.
    pub(super) const fn of_squares(free: u64, fingerprint: u64) -> Self {
        let head = free | fingerprint << TAIL_BITS;
        Self { head, tail: (fingerprint >> 8 << 1) & TAIL_MASK }
    }

    /// By the hash of the graph of this many free squares and the fingerprint of the
    /// value. A key keeps 111 bits of the hash.
    pub(super) const fn of_graph_hash(hash: [u64; 2], squares: u32, fingerprint: u64) -> Self {
        let mixed = splitmix64(!fingerprint);
        let half = squares as u64 / 2;
        let nodes = half << 1 | (squares as u64 - half) << 5;
        let tail = hash[1] ^ mixed.rotate_left(32);
        Self { head: hash[0] ^ mixed, tail: 1 | nodes | (tail << 9 & TAIL_MASK) }
    }

    /// The number of free squares in large regions: larger positions take longer to
    /// prove.
    const fn size(self) -> u32 {
        if self.tail & 1 == 0 {
            (self.head & TAIL_MASK).count_ones()
        } else {
            (self.tail >> 1 & 15) as u32 + (self.tail >> 5 & 15) as u32
        }
    }
}

/// Slots in a bucket: four fill a cache line.
const BUCKET_SLOTS: usize = 4;
const BUCKET_WORDS: usize = 2 * BUCKET_SLOTS;
/// The outcome in the lowest bits of a slot's data; 0 is an empty slot.
const OUTCOME_MASK: u64 = 3;
const LOSS: u64 = 1;
const WIN: u64 = 2;

/// A slot and what it holds.
struct Slot<'a> {
    /// The key's head XOR the data.
    head: &'a AtomicU64,
    /// The key's tail above eight bits that hold the outcome.
    data: &'a AtomicU64,
    key: ProofKey,
    outcome: u64,
}

/// The table; two words a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofTable<'a> {
    words: &'a [AtomicU64],
}

impl<'a> ProofTable<'a> {
    /// A table in these words, all of them zero. Its buckets begin where cache lines do,
    /// and wherever the words lie in memory there are as many: searches are repeatable.
    pub(super) fn new(words: &'a [AtomicU64]) -> Self {
        let address = words.as_ptr() as usize / size_of::<AtomicU64>();
        let skipped = address.wrapping_neg() % BUCKET_WORDS;
        let buckets = words.len().saturating_sub(BUCKET_WORDS - 1) / BUCKET_WORDS;
        let aligned = words.get(skipped..skipped + buckets * BUCKET_WORDS);
        // Of fewer words than two buckets take, the first that there are.
        Self { words: aligned.filter(|words| !words.is_empty()).unwrap_or(words) }
    }

    /// The first word of the key's bucket.
    fn bucket_start(&self, key: ProofKey) -> usize {
        let buckets = (self.words.len() / BUCKET_WORDS) as u128;
        let hash = splitmix64(key.head ^ splitmix64(key.tail));
        BUCKET_WORDS * ((u128::from(hash) * buckets) >> 64) as usize
    }

    /// Loads the buckets of these keys into the processor's cache, all at the same time,
    /// for the probes that follow.
    pub(super) fn prefetch(&self, keys: impl Iterator<Item = ProofKey>) {
        let load = |word: &AtomicU64| word.load(Ordering::Relaxed);
        let first = |key| self.words.get(self.bucket_start(key)).map_or(0, load);
        // Nothing waits for a single load: only all of them together have a use.
        hint::black_box(keys.map(first).fold(0, |all, word| all | word));
    }

    fn bucket(&self, key: ProofKey) -> impl Iterator<Item = Slot<'a>> + use<'a> {
        let start = self.bucket_start(key);
        let end = (start + BUCKET_WORDS).min(self.words.len());
        self.words[start..end].chunks_exact(2).map(|words| {
            let data = words[1].load(Ordering::Relaxed);
            let head = words[0].load(Ordering::Relaxed) ^ data;
            let key = ProofKey { head, tail: data >> 8 };
            Slot { head: &words[0], data: &words[1], key, outcome: data & OUTCOME_MASK }
        })
    }

    /// Whether the side to move wins, if that is stored.
    pub(super) fn probe(&self, key: ProofKey) -> Option<bool> {
        let slot = self.bucket(key).find(|slot| slot.key == key && slot.outcome != 0);
        slot.map(|slot| slot.outcome == WIN)
    }

    /// Stores a proof in place of the same position's, an empty slot, or the bucket's
    /// smallest position.
    pub(super) fn store(&self, key: ProofKey, wins: bool) {
        let priority = |slot: &Slot<'_>| match slot.outcome {
            0 => 0,
            _ if slot.key == key => 0,
            _ => 1 + slot.key.size(),
        };
        let Some(slot) = self.bucket(key).min_by_key(priority) else { return };
        let data = key.tail << 8 | if wins { WIN } else { LOSS };
        slot.head.store(key.head ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tt::TableMemory;

    #[test]
    fn buckets_begin_where_cache_lines_do() {
        const LINE: usize = 64;
        let memory = TableMemory::new(1, 0);
        let words = memory.first(usize::MAX);
        for count in [32, 100, words.len() - 8] {
            let len = ProofTable::new(&words[..count]).words.len();
            for skipped in 0..8 {
                let table = ProofTable::new(&words[skipped..skipped + count]);
                assert_eq!(table.words.as_ptr() as usize % LINE, 0, "{skipped}");
                assert_eq!(table.words.len(), len, "{skipped}");
                // The number of slots need not be a power of two.
                assert!(table.words.len() + 2 * BUCKET_WORDS > count, "{skipped}");
                assert_eq!(table.words.len() % BUCKET_WORDS, 0, "{skipped}");
            }
        }
        for count in 0..16 {
            let key = ProofKey::of_squares(1, 0);
            let table = ProofTable::new(&words[..count]);
            table.prefetch([key].into_iter());
            table.store(key, true);
            assert_eq!(table.probe(key), (count > 1).then_some(true), "{count}");
            words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        }
    }

    #[test]
    fn stored_proofs_are_found_and_large_positions_are_kept() {
        let memory = TableMemory::new(1, 0);
        let table = ProofTable::new(memory.first(usize::MAX));
        let key = |free| ProofKey::of_squares(free, 0);
        table.store(key(u64::MAX >> 8), true);
        for free in 1..2_000_000 {
            table.store(key(free), false);
        }
        assert_eq!(table.probe(key(u64::MAX >> 8)), Some(true));
        assert_eq!(table.probe(key(1_999_999)), Some(false));
        assert_eq!(table.probe(key(2_000_001)), None);
        assert_eq!(table.probe(ProofKey::of_squares(u64::MAX >> 8, 1)), None);
        let of_graph = |value| ProofKey::of_graph_hash([7, 3], 13, value);
        table.store(of_graph(9), true);
        assert_eq!(table.probe(of_graph(9)), Some(true));
        assert_eq!(table.probe(of_graph(8)), None);
    }
}
