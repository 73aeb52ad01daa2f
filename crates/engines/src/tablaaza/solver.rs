//! The exact solver: which side wins a position of Tablaaza.
//!
//! A depth-first proof search with boolean values: does the side to move win?
//! What makes it fast:
//!
//! - regions of at most [`MAX_SMALL_REGION`] squares are not searched: their
//!   combinatorial values are added, and the outcome of a sum of values is known;
//! - equivalent positions share a table entry: positions that are equal up to
//!   the board's symmetries or have isomorphic graphs of free squares. Moves to
//!   twins, squares with the same free neighbours, are searched once;
//! - a position that is its own mirror image is lost for the side to move;
//! - enhanced transposition cutoffs (Plaat, Schaeffer, Pijls and de Bruin,
//!   1996): all moves are looked up in the table before the first is searched;
//! - in large positions the replies to each move are looked up, too: a move with a
//!   known refutation is dropped, a move all of whose replies fail wins, and moves
//!   with few open replies are searched first;
//! - moves are ordered by how often they refuted positions of similar size, and
//!   by whether they refuted the previous move (countermoves).

use std::{mem, sync::Mutex};

use super::{
    bits::BitIter,
    graph::BoardGraph,
    ordering::{History, MOVE_INDICES, NO_MOVE, OPEN_REPLY, REGION_SUM_MOVE, ordering_score},
    proof_table::{ProofKey, ProofTable},
    regions::{MAX_HASHED_NODES, RegionValues, hash_graph},
    state::{MAX_SIZE, SolverState},
    values::ZERO,
};

/// Regions of at most this many squares are small: their values are computed, not
/// searched. With larger ones the values take longer than the positions they save.
const MAX_SMALL_REGION: u32 = 11;
/// Positions of up to this many free squares that are searched are also looked up by
/// their graph.
const MAX_GRAPH_KEY_SQUARES: u32 = 22;
const _: () = assert!(MAX_GRAPH_KEY_SQUARES <= MAX_HASHED_NODES);
/// With this many free squares or more the replies are looked up before the search.
const MIN_TWO_PLY_SQUARES: usize = 18;

/// A move that no table decides, so that the position after it must be searched.
#[derive(Clone, Copy, Debug)]
struct UnprovenMove {
    /// Lower is searched first.
    ordering: i32,
    index: usize,
    after: SolverState,
    key: ProofKey,
}

/// A proven position with Red to move. A position with Green to move is stored
/// mirrored, with the colours exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenPosition {
    /// The free squares, as the board's bits.
    pub free: u64,
    /// Whether the side to move wins.
    pub wins: bool,
}

/// Collects proofs of positions with at least `min_squares` free squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofSink<'a> {
    pub(super) min_squares: u32,
    pub(super) proofs: &'a Mutex<Vec<ProvenPosition>>,
}

/// Counts a position; false to stop the search.
pub(super) type CountNode<'a> = dyn FnMut() -> bool + 'a;

/// One thread's solver.
pub(super) struct Solver<'a> {
    regions: RegionValues,
    table: ProofTable<'a>,
    history: History,
    /// By size: a buffer for moves, kept for its capacity.
    move_buffers: Vec<Vec<UnprovenMove>>,
    /// A buffer for the replies to a move, kept for its capacity.
    reply_keys: Vec<ProofKey>,
    /// Positions searched so far.
    nodes: u64,
    /// Positions searched for each move of the root.
    root_nodes: [u64; MOVE_INDICES],
    sink: Option<ProofSink<'a>>,
}

/// What is known of a position without a search.
enum Probe {
    /// Whether the side to move wins.
    Decided(bool),
    /// The position must be searched. This is its key in the table.
    Open(SolverState, ProofKey),
}

impl<'a> Solver<'a> {
    /// A solver whose values take about `mib` MiB, in addition to the table.
    pub(super) fn new(graph: BoardGraph, table: ProofTable<'a>, mib: usize) -> Self {
        Self::with_values(RegionValues::in_memory(graph, mib), table)
    }

    /// A solver that knows these values already.
    pub(super) fn with_values(regions: RegionValues, table: ProofTable<'a>) -> Self {
        Self {
            regions,
            table,
            history: History::new(),
            move_buffers: vec![Vec::new(); MAX_SIZE + 1],
            reply_keys: Vec::new(),
            nodes: 0,
            root_nodes: [0; MOVE_INDICES],
            sink: None,
        }
    }

    /// Its values, for another solver.
    pub(super) fn into_values(self) -> RegionValues {
        self.regions
    }

    /// Sends proofs to `sink` from now on.
    pub(super) const fn collect_proofs(&mut self, sink: ProofSink<'a>) {
        self.sink = Some(sink);
    }

    /// Makes helper `number` search the moves in another order.
    pub(super) fn perturb_ordering(&mut self, thread: usize) {
        self.history.perturb(thread);
    }

    pub(super) const fn graph(&self) -> &BoardGraph {
        &self.regions.graph
    }

    /// Whether the side to move wins; none if `count_node` stopped the search.
    pub(super) fn solve(
        &mut self,
        state: SolverState,
        count_node: &mut CountNode<'_>,
    ) -> Option<bool> {
        self.root_nodes = [0; MOVE_INDICES];
        match self.probe(state) {
            Probe::Decided(wins) => Some(wins),
            Probe::Open(state, key) => match self.table.probe(key) {
                Some(wins) => Some(wins),
                None => self.search(state, key, NO_MOVE, count_node),
            },
        }
    }

    /// Stores a proof of an earlier run in the table.
    pub(super) fn add_proof(&mut self, proof: ProvenPosition) {
        if let Probe::Open(_, key) = self.probe(SolverState::new(proof.free, true)) {
            self.table.store(key, proof.wins);
        }
    }

    /// The position after a stone on `square`.
    pub(super) fn after(&self, state: SolverState, square: u8) -> SolverState {
        let closed = self.graph().closed_by(state.free, usize::from(square));
        SolverState {
            free: state.free & !closed,
            red_to_move: !state.red_to_move,
            is_connected: false,
            ..state
        }
    }

    /// Whether the side to move after a stone on `square` wins, if that is known
    /// without a search.
    pub(super) fn probe_child(&mut self, state: SolverState, square: u8) -> Option<bool> {
        match self.probe(self.after(state, square)) {
            Probe::Decided(wins) => Some(wins),
            Probe::Open(_, key) => self.table.probe(key),
        }
    }

    /// A winning move of the side to move; none if it has none. The outer option is none
    /// if `count_node` stopped the search.
    pub(super) fn winning_move(
        &mut self,
        state: SolverState,
        count_node: &mut CountNode<'_>,
    ) -> Option<Option<u8>> {
        let [own, _] = state.own_and_others(self.graph().colours);
        let known_win = |solver: &mut Self| {
            let square = BitIter(own)
                .find(|&square| solver.probe_child(state, square as u8) == Some(false))?;
            Some(square as u8)
        };
        if let Some(square) = known_win(self) {
            return Some(Some(square));
        }
        // The search orders the moves, and leaves the winning one in the table.
        if let Probe::Open(open, key) = self.probe(state) {
            if self.table.probe(key) == Some(false)
                || !self.search(open, key, NO_MOVE, count_node)?
            {
                return Some(None);
            }
            if let Some(square) = known_win(self) {
                return Some(Some(square));
            }
        }
        // The table has lost it, or the win is in the sum of the small regions, whose
        // moves are simplified.
        for square in BitIter(own) {
            if !self.solve(self.after(state, square as u8), count_node)? {
                return Some(Some(square as u8));
            }
        }
        Some(None)
    }

    /// How many positions the last call of [`Self::solve`] searched for a root move.
    /// Of twins only the lowest square is searched.
    pub(super) fn root_nodes(&self, square: u8) -> u64 {
        self.root_nodes[usize::from(square) % MOVE_INDICES]
    }

    /// Splits off the small regions, and decides the position if no other is left or
    /// it is symmetric.
    fn probe(&mut self, state: SolverState) -> Probe {
        let SolverState { mut free, red_to_move, is_connected, mut region_sum } = state;
        let (mut open, mut open_regions) = (0, 0);
        while free != 0 {
            let region = if is_connected {
                free
            } else {
                self.regions.graph.component(free, free & free.wrapping_neg())
            };
            free &= !region;
            let value = if region.count_ones() <= MAX_SMALL_REGION {
                let value = self.regions.value(region);
                value.and_then(|value| self.regions.values.add(region_sum, value))
            } else {
                None
            };
            match value {
                Some(value) => region_sum = value,
                None => {
                    open |= region;
                    open_regions += 1;
                }
            }
        }
        if open == 0 {
            return Probe::Decided(self.regions.values.wins_moving_first(region_sum, red_to_move));
        }
        if region_sum == ZERO && self.regions.graph.is_symmetry_loss(open) {
            return Probe::Decided(false);
        }
        let is_connected = open_regions == 1;
        let state = SolverState { free: open, red_to_move, is_connected, region_sum };
        let key = self.key(state);
        Probe::Open(state, key)
    }

    /// What stands for the sum of the small regions, as seen by the side to move.
    fn fingerprint(&mut self, SolverState { red_to_move, region_sum, .. }: SolverState) -> u64 {
        let values = &mut self.regions.values;
        let value = if red_to_move { region_sum } else { values.negative(region_sum) };
        values.fingerprint(value)
    }

    /// The same key for equivalent positions, as seen by the side to move.
    fn key(&mut self, state: SolverState) -> ProofKey {
        let fingerprint = self.fingerprint(state);
        // Only what symmetry keeps may enter, so that stored proofs are found again.
        match self.graph().position_code(state.free, state.red_to_move) {
            Some(free) => ProofKey::of_squares(free, fingerprint),
            // Distinguishes positions with Green to move from those with Red.
            None => ProofKey::of_squares(state.free, !fingerprint),
        }
    }

    /// The key by the graph alone, the same for more positions than [`Self::key`]. It
    /// takes ten times as long, so only positions that are searched are looked up by it.
    fn graph_key(&mut self, state: SolverState) -> Option<ProofKey> {
        let squares = state.free.count_ones();
        if squares > MAX_GRAPH_KEY_SQUARES {
            return None;
        }
        let fingerprint = self.fingerprint(state);
        let graph = self.graph();
        let [own, others] = state.own_and_others(graph.colours);
        Some(ProofKey::of_graph_hash(hash_graph(graph, own, others), squares, fingerprint))
    }

    /// Whether the side to move wins; `previous` is the move that led here.
    fn search(
        &mut self,
        state: SolverState,
        key: ProofKey,
        previous: usize,
        count_node: &mut CountNode<'_>,
    ) -> Option<bool> {
        let graph_key = self.graph_key(state);
        if let Some(wins) = graph_key.and_then(|graph_key| self.table.probe(graph_key)) {
            self.table.store(key, wins);
            return Some(wins);
        }
        if !count_node() {
            return None;
        }
        self.nodes += 1;
        let size = state.size();
        let mut moves = mem::take(&mut self.move_buffers[size]);
        moves.clear();
        let mut wins = self.expand(state, previous, &mut moves);
        if !wins {
            moves.sort_unstable_by_key(|mv| (mv.ordering, mv.index));
            for mv in &moves {
                // Searching the moves before may have proven it.
                let known = self.table.probe(mv.key);
                let nodes = self.nodes;
                let refuted = match known {
                    Some(opponent_wins) => !opponent_wins,
                    None => !self.search(mv.after, mv.key, mv.index, count_node)?,
                };
                self.history.update(state, previous, mv.index, refuted);
                if previous == NO_MOVE {
                    self.root_nodes[mv.index] = self.nodes - nodes;
                }
                if refuted {
                    wins = true;
                    break;
                }
            }
        }
        self.move_buffers[size] = moves;
        self.table.store(key, wins);
        if let Some(graph_key) = graph_key {
            self.table.store(graph_key, wins);
        }
        self.send_proof(state, wins);
        Some(wins)
    }

    fn send_proof(&self, state: SolverState, wins: bool) {
        if let Some(sink) = self.sink
            && state.size() as u32 >= sink.min_squares
            && state.region_sum == ZERO
            && let Some(free) = self.graph().canonical(state.free, state.red_to_move)
            && let Ok(mut proofs) = sink.proofs.lock()
        {
            proofs.push(ProvenPosition { free, wins });
        }
    }

    /// Lists the moves whose outcome is not known; true if one is known to win
    /// (an enhanced transposition cutoff).
    fn expand(
        &mut self,
        state: SolverState,
        previous: usize,
        moves: &mut Vec<UnprovenMove>,
    ) -> bool {
        let wins = self.any_move(state, &mut |_, index, after| match after {
            Probe::Decided(opponent_wins) => !opponent_wins,
            Probe::Open(after, key) => {
                moves.push(UnprovenMove { ordering: 0, index, after, key });
                false
            }
        });
        if wins {
            return true;
        }
        self.table.prefetch(moves.iter().map(|mv| mv.key));
        let mut wins = false;
        moves.retain_mut(|mv| match self.table.probe(mv.key) {
            Some(opponent_wins) => {
                wins |= !opponent_wins;
                false
            }
            None => {
                let score = ordering_score(&self.regions.graph, mv.after);
                mv.ordering = score - self.history.bonus(state, previous, mv.index);
                true
            }
        });
        wins || state.size() >= MIN_TWO_PLY_SQUARES && self.look_up_replies(moves)
    }

    /// Looks up the replies to each move: drops the moves with a known refutation and
    /// puts those with few open replies first. True if all replies to a move fail, so
    /// that it wins.
    fn look_up_replies(&mut self, moves: &mut Vec<UnprovenMove>) -> bool {
        let mut at = 0;
        while let Some(&UnprovenMove { after, key, .. }) = moves.get(at) {
            let mut keys = mem::take(&mut self.reply_keys);
            keys.clear();
            let mut is_refuted = self.any_move(after, &mut |_, _, reply| match reply {
                Probe::Decided(wins) => !wins,
                Probe::Open(_, key) => {
                    keys.push(key);
                    false
                }
            });
            let mut open_replies = 0;
            if !is_refuted {
                self.table.prefetch(keys.iter().copied());
                is_refuted = keys.iter().any(|&key| {
                    let wins = self.table.probe(key);
                    open_replies += i32::from(wins.is_none());
                    wins == Some(false)
                });
            }
            self.reply_keys = keys;
            if is_refuted {
                self.table.store(key, true);
                moves.swap_remove(at);
            } else if open_replies == 0 {
                self.table.store(key, false);
                return true;
            } else {
                moves[at].ordering += OPEN_REPLY * open_replies;
                at += 1;
            }
        }
        false
    }

    /// Whether `test` is true for any move of the side to move. It is called with the
    /// move's index and the position after it, and of twins only with the lowest square.
    fn any_move(
        &mut self,
        state: SolverState,
        test: &mut impl FnMut(&mut Self, usize, Probe) -> bool,
    ) -> bool {
        let graph = &self.regions.graph;
        let [own, others] = state.own_and_others(graph.colours);
        let opponent = SolverState { red_to_move: !state.red_to_move, ..state };
        let leaves = graph.leaves(own, others);
        for square in BitIter(graph.without_twins(own, others)) {
            let closed = 1 << square | self.regions.graph.neighbours[square] & leaves;
            let free = state.free & !closed;
            // A region falls apart only if the neighbours of the stone do.
            let graph = &self.regions.graph;
            let is_connected =
                state.is_connected && graph.connects(free, graph.neighbours[square] & free);
            let after = self.probe(SolverState { free, is_connected, ..opponent });
            if test(self, square, after) {
                return true;
            }
        }
        let options = self.regions.values.options(state.region_sum, state.red_to_move).len();
        for option in 0..options {
            let region_sum =
                self.regions.values.options(state.region_sum, state.red_to_move)[option];
            let after = self.probe(SolverState { region_sum, ..opponent });
            if test(self, REGION_SUM_MOVE, after) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests;
