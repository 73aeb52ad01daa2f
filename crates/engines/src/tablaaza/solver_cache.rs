//! What the solver keeps from one search to the next: proven positions and the values of
//! regions. Both hold for the board, whatever game they come from.

use std::sync::{Mutex, PoisonError};

use super::{
    super::{engine_state::EngineState, tt::TableMemory},
    graph::BoardGraph,
    proof_table::ProofTable,
    regions::RegionValues,
    solver::Solver,
};

/// Maximum memory of one thread's values, in MiB.
const MAX_VALUES_MIB: usize = 32;

/// The memory of the solver of a player.
#[derive(Debug)]
pub(in super::super) struct SolverCache {
    graph: BoardGraph,
    table: TableMemory,
    mib: usize,
    /// Those of threads that are not running.
    values: Mutex<Vec<RegionValues>>,
}

impl SolverCache {
    /// What earlier searches on this board left in a table of `mib` MiB, or an empty one.
    pub(super) fn take(state: &EngineState, graph: &BoardGraph, mib: usize) -> Self {
        let kept = state.take_solver_cache();
        let kept = kept.filter(|kept| kept.mib == mib && kept.graph.is_same_board(graph));
        kept.unwrap_or_else(|| Self::new(graph.clone(), TableMemory::new(mib, usize::MAX), mib))
    }

    /// An empty one, in the same memory if there is any of this size.
    pub(super) fn take_empty(state: &EngineState, graph: &BoardGraph, mib: usize) -> Self {
        let kept = state.take_solver_cache().filter(|kept| kept.mib == mib);
        let table = kept.and_then(|kept| kept.table.reuse(mib, usize::MAX));
        let table = table.unwrap_or_else(|| TableMemory::new(mib, usize::MAX));
        Self::new(graph.clone(), table, mib)
    }

    const fn new(graph: BoardGraph, table: TableMemory, mib: usize) -> Self {
        Self { graph, table, mib, values: Mutex::new(Vec::new()) }
    }

    pub(super) const fn graph(&self) -> &BoardGraph {
        &self.graph
    }

    /// A solver for one thread. [`Self::put_back`] keeps its values.
    pub(super) fn solver(&self) -> Solver<'_> {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let values = values.filter(RegionValues::has_room).unwrap_or_else(|| {
            let mib = (self.mib / 2).clamp(1, MAX_VALUES_MIB);
            RegionValues::in_memory(self.graph.clone(), mib)
        });
        Solver::with_values(values, ProofTable::new(self.table.first(usize::MAX)))
    }

    pub(super) fn put_back(&self, solver: Solver<'_>) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        values.push(solver.into_values());
    }
}
