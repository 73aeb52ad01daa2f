//! State that an engine keeps from one search to the next.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use super::{
    tablaaza::SolverCache,
    tt::{MemoryOwner, TableMemory, TranspositionTable},
};

/// The tables of one player during a game. A search limited only by time continues
/// with the transposition table of the previous one, or with what Tablaaza's solver has
/// proven so far. A search limited by depth or nodes uses the same memory, cleared, so that
/// the same request has the same answer.
/// Clones share the state; a new one is empty.
#[derive(Clone, Default)]
pub struct EngineState(Arc<SharedState>);

/// What clones of a state share. Table memory returns to it when it is dropped.
#[derive(Debug, Default)]
struct SharedState(Mutex<Tables>);

#[derive(Debug, Default)]
struct Tables {
    /// The table of a game of Tablut.
    game_table: Option<Arc<TranspositionTable>>,
    /// Memory that no search is using.
    spare_memory: Option<TableMemory>,
    /// What Tablaaza's solver keeps, while no search is using it.
    solver_cache: Option<SolverCache>,
}

impl EngineState {
    /// An empty state.
    pub fn new() -> Self {
        Self::default()
    }

    /// Clears all positions. The memory is kept for the next search.
    pub fn clear(&self) {
        self.clear_game_table();
        drop(self.take_solver_cache());
    }

    /// Clears the table of a game of Tablut.
    pub(super) fn clear_game_table(&self) {
        // Dropping the table locks the state again to return its memory.
        let table = self.0.lock().game_table.take();
        drop(table);
    }

    /// Cleared memory of up to `mib` MiB for tables that need `words` words.
    pub(super) fn memory(&self, mib: usize, words: usize) -> TableMemory {
        let spare = self.0.lock().spare_memory.take();
        let memory = spare.and_then(|memory| memory.reuse(mib, words));
        let memory = memory.unwrap_or_else(|| TableMemory::new(mib, words));
        let owner: Weak<dyn MemoryOwner> = Arc::<SharedState>::downgrade(&self.0);
        memory.owned_by(owner)
    }

    /// The table that is kept during a game, or a new one if that has another size.
    pub(super) fn game_table(&self, mib: usize) -> Arc<TranspositionTable> {
        let table = self.0.lock().game_table.clone();
        if let Some(table) = table.filter(|table| table.is_of_size(mib)) {
            return table;
        }
        self.clear_game_table();
        let memory = self.memory(mib, usize::MAX);
        let table = Arc::new(TranspositionTable::new(memory, usize::MAX));
        let replaced = self.0.lock().game_table.replace(Arc::clone(&table));
        drop(replaced);
        table
    }

    /// Takes what the solver kept.
    pub(super) fn take_solver_cache(&self) -> Option<SolverCache> {
        self.0.lock().solver_cache.take()
    }

    /// Keeps it for the next search, in place of what was kept before.
    pub(super) fn keep_solver_cache(&self, cache: SolverCache) {
        let replaced = self.0.lock().solver_cache.replace(cache);
        drop(replaced);
    }
}

impl MemoryOwner for SharedState {
    /// Keeps memory for the next search, in place of what was kept before.
    fn recycle(&self, memory: TableMemory) {
        let replaced = self.lock().spare_memory.replace(memory);
        drop(replaced);
    }
}

impl SharedState {
    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for EngineState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineState").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_reuse_the_same_memory() {
        let state = EngineState::new();
        let address = |memory: &TableMemory| memory.first(1).as_ptr();
        let first = state.memory(1, 0);
        let at = address(&first);
        // Two searches at once have their own memory; the last one dropped is kept.
        let second = state.memory(1, 0);
        assert_ne!(address(&second), at);
        drop(second);
        drop(first);
        assert_eq!(address(&state.memory(1, 0)), at);
        assert!(state.memory(2, 0).is_of_size(2));
        // A table's memory returns when the game is over.
        let table = state.game_table(2);
        assert!(Arc::ptr_eq(&table, &state.game_table(2)));
        drop(table);
        state.clear();
        assert!(state.0.lock().spare_memory.as_ref().is_some_and(|memory| memory.is_of_size(2)));
        // The state is dropped before its memory.
        let memory = state.memory(2, 0);
        drop(state);
        drop(memory);
    }
}
