use super::*;

fn entry(depth: u8, bound: Bound) -> TtEntry {
    TtEntry { value: -29_999, depth, bound, best_move: 6560, static_eval: -250 }
}

fn probes_what_was_stored<const SLOTS: usize>() {
    let table = TranspositionTable::<SLOTS>::with_size(1, usize::MAX);
    assert!(table.memory.len() * 8 == 1 << 20);
    for (key, bound) in [(7, Bound::Lower), (u64::MAX, Bound::Exact), (1 << 63, Bound::Upper)] {
        assert_eq!(table.probe(key), None);
        table.store(key, entry(9, bound));
        assert_eq!(table.probe(key), Some(entry(9, bound)));
    }
}

#[test]
fn stored_entries_are_probed_in_buckets_of_one_slot() {
    probes_what_was_stored::<1>();
}

#[test]
fn stored_entries_are_probed_in_buckets_of_four_slots() {
    probes_what_was_stored::<4>();
}

#[test]
fn a_table_is_no_larger_than_its_entries_need() {
    let buckets = |entries| TranspositionTable::<1>::with_size(1, entries).buckets;
    assert_eq!(buckets(5000), 5000);
    assert_eq!(buckets(0), 1024);
    let table = TranspositionTable::<1>::with_size(1, usize::MAX);
    assert_eq!(2 * table.buckets, table.memory.len());
}

#[test]
fn old_and_shallow_entries_are_replaced_first() {
    let table = TranspositionTable::<4>::with_size(1, 1);
    // Keys this close share a bucket.
    let keys = [1, 2, 3, 4];
    for key in keys {
        table.store(key, entry(20 + key as u8, Bound::Exact));
    }
    table.store(5, entry(1, Bound::Exact));
    assert_eq!(table.probe(1), None);
    assert!(table.probe(5).is_some() && table.probe(4).is_some());
    (0..4).for_each(|_| table.new_search());
    for key in 10..14 {
        table.store(key, entry(1, Bound::Exact));
    }
    assert!(keys.iter().all(|key| table.probe(*key).is_none()));
}

#[test]
fn a_shallow_bound_does_not_replace_a_deep_one() {
    let table = TranspositionTable::<4>::with_size(1, 1);
    table.store(9, entry(12, Bound::Lower));
    table.store(9, entry(3, Bound::Lower));
    assert_eq!(table.probe(9).map(|entry| entry.depth), Some(12));
    table.store(9, entry(3, Bound::Exact));
    assert_eq!(table.probe(9).map(|entry| entry.depth), Some(3));
}

#[test]
fn a_store_without_a_move_keeps_the_old_move() {
    let table = TranspositionTable::<4>::with_size(1, 1);
    table.store(9, entry(3, Bound::Lower));
    table.store(9, TtEntry { best_move: 0, ..entry(4, Bound::Upper) });
    assert_eq!(table.probe(9), Some(entry(4, Bound::Upper)));
}

#[test]
fn an_absurd_size_does_not_crash() {
    let table = TranspositionTable::<4>::with_size(usize::MAX, 5000);
    assert!(table.buckets * 4 <= 5004);
}

fn fill(words: &[AtomicU64]) {
    words.iter().for_each(|word| word.store(7, Ordering::Relaxed));
}

fn is_clear(words: &[AtomicU64]) -> bool {
    words.iter().all(|word| word.load(Ordering::Relaxed) == 0)
}

#[test]
fn reused_memory_is_cleared_where_it_was_used_and_stays_in_place() {
    let memory = TableMemory::new(3, 0);
    assert!(memory.len() == 3 * WORDS_PER_MIB && is_clear(memory.first(usize::MAX)));
    let memory = memory.reuse(3, usize::MAX).expect("the same size");
    fill(memory.first(CHUNK_WORDS + 1));
    let address = memory.words.as_ptr();
    let used: Vec<_> = memory.used.iter().map(|used| used.load(Ordering::Relaxed)).collect();
    assert_eq!(used, [true, true, false, false, false, false]);
    let memory = memory.reuse(3, 0).expect("the same size");
    assert_eq!(memory.words.as_ptr(), address);
    assert!(is_clear(memory.first(usize::MAX)));
    assert!(memory.reuse(4, 0).is_none());
}

#[test]
fn memory_that_is_slow_to_clear_is_not_reused() {
    let memory = TableMemory::new(65, usize::MAX);
    memory.first(1000);
    let memory = memory.reuse(65, 1000).expect("little was used");
    memory.first(usize::MAX);
    assert!(memory.reuse(65, 1000).is_none());
}

#[test]
fn a_large_memory_is_only_as_large_as_needed() {
    let memory = TableMemory::new(usize::MAX, 5000);
    assert_eq!(memory.len(), EAGER_WORDS);
    assert!(memory.reuse(usize::MAX, EAGER_WORDS + 1).is_none());
    assert_eq!(TableMemory::new(100, EAGER_WORDS + 5).len(), EAGER_WORDS + 5);
    assert_eq!(TableMemory::new(0, 5000).len(), WORDS_PER_MIB);
}

#[test]
fn a_table_without_memory_finds_nothing() {
    let entry = TtEntry { value: 5, depth: 3, bound: Bound::Exact, best_move: 1, static_eval: 2 };
    let table = TranspositionTable::<4>::new(TableMemory::default(), 5000);
    table.store(7, entry);
    assert_eq!(table.probe(7), None);
    let table = TranspositionTable::<1>::new(TableMemory::default(), 5000);
    table.store(7, entry);
    assert_eq!(table.probe(7), None);
}
