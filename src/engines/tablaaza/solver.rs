//! The exact solver: which side wins a position of Tablaaza.
//!
//! A depth-first proof search with boolean values: does the side to move win?
//! What makes it fast:
//!
//! - regions of at most [`MAX_VALUED_REGION`] squares are not searched: their
//!   combinatorial values are added up, and the outcome of a sum of values is
//!   known;
//! - equivalent positions share a table entry: positions that are equal up to
//!   the board's symmetries or have isomorphic graphs of free squares. Moves to
//!   twins, squares with the same free neighbours, are searched once;
//! - a position symmetric under a half turn is lost for the side to move;
//! - enhanced transposition cutoffs (Schaeffer and Plaat, 1996): all moves are
//!   looked up in the table before the first is searched;
//! - moves are ordered by how often they refuted positions of similar size, and
//!   by whether they refuted the previous move (countermoves).

use std::{mem, sync::Mutex};

use super::{
    graph::{BitIter, BoardGraph, splitmix64},
    proof_table::{ProofKey, ProofTable},
    regions::{RegionValues, encode_graph, has_code},
    values::{GameValue, ZERO},
};

/// Squares of the largest region that is valued, not searched.
const MAX_VALUED_REGION: u32 = 12;
/// Positions of up to this many free squares are keyed by their graph.
const MAX_GRAPH_KEY: u32 = 16;
/// Indices of a move in the ordering tables: a square, or one of these two,
/// which are no squares of the board.
const MOVE_INDICES: usize = 64;
/// The index of a move in the regions that are valued already.
const VALUED_MOVE: usize = 62;
/// The index of no move: the root has no previous one.
const NO_MOVE: usize = 63;
/// Bytes of the caches per slot: a region, a graph, four comparisons and a sum
/// take 88, a value takes less than the rest.
const BYTES_PER_SLOT: usize = 160;
/// Memory of the values in MiB at most.
const MAX_VALUES_MIB: usize = 4096;

/// Move ordering, in hundredths of a free square.
mod weights {
    /// Each free square that the opponent has more than oneself.
    pub(super) const SQUARE: i32 = 80;
    /// A free square of one's own, by its number of free neighbours.
    pub(super) const BY_NEIGHBOURS: [i32; 4] = [0, 80, 40, 20];
    /// A move that has always refuted positions of this size.
    pub(super) const SAME_SIZE: i32 = 400;
    /// A move that has always refuted positions one square smaller or larger.
    pub(super) const ONE_OFF: i32 = 200;
    /// A move that has always refuted positions two squares smaller or larger.
    pub(super) const TWO_OFF: i32 = 400;
    /// A move that has always refuted positions of any size.
    pub(super) const ANY_SIZE: i32 = 400;
    /// A move that has always refuted the previous move.
    pub(super) const COUNTERMOVE: i32 = 400;
}

/// History score of a move that has always refuted.
const MAX_HISTORY: i32 = 1 << 12;
/// The histories are moving averages: the latest trial weighs one over this.
const HISTORY_WINDOW: i32 = 4;
/// The same for the history over all sizes.
const OVERALL_WINDOW: i32 = 32;

/// A position as a sum: the free squares of large regions, and the value of the
/// small ones. Every free square has a neighbour.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolverState {
    pub(super) free: u64,
    pub(super) red_to_move: bool,
    valued: GameValue,
}

impl SolverState {
    /// A position of which nothing is valued yet. Every free square must share a
    /// corridor with a free one of the other colour.
    pub(super) const fn new(free: u64, red_to_move: bool) -> Self {
        Self { free, red_to_move, valued: ZERO }
    }

    /// The number of free squares that must be searched.
    const fn size(self) -> usize {
        self.free.count_ones() as usize
    }

    fn side_index(self) -> usize {
        usize::from(self.red_to_move)
    }
}

/// A move whose outcome must be searched, with the position after it.
#[derive(Clone, Copy, Debug)]
struct OpenMove {
    /// Lower is searched first.
    ordering: i32,
    index: usize,
    after: SolverState,
    key: ProofKey,
}

/// A proven position.
///
/// `free` are its free squares as the board's bits, with Red to move. A position
/// with Green to move is stored mirrored, with the colours exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenPosition {
    /// The free squares.
    pub free: u64,
    /// Whether the side to move wins.
    pub wins: bool,
}

/// Collects proofs of positions with at least so many free squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofSink<'a> {
    pub(super) min_squares: u32,
    pub(super) proofs: &'a Mutex<Vec<ProvenPosition>>,
}

/// Counts a position; false to stop the search.
pub(super) type CountNode<'a> = dyn FnMut() -> bool + 'a;

/// How often each move refuted a position, as moving averages up to
/// [`MAX_HISTORY`].
#[derive(Debug)]
struct History {
    /// By size of the position, side and move.
    by_size: Vec<[[i32; MOVE_INDICES]; 2]>,
    /// By side and move, over all sizes.
    overall: [[i32; MOVE_INDICES]; 2],
    /// By side, previous move and move.
    countermoves: Vec<[[i32; MOVE_INDICES]; MOVE_INDICES]>,
}

impl History {
    fn new() -> Self {
        Self {
            // Two sizes more on either side of the board's 1 to 64.
            by_size: vec![[[0; MOVE_INDICES]; 2]; 67],
            overall: [[0; MOVE_INDICES]; 2],
            countermoves: vec![[[0; MOVE_INDICES]; MOVE_INDICES]; 2],
        }
    }

    /// The ordering bonus of a move in `state`.
    fn bonus(&self, state: SolverState, previous: usize, index: usize) -> i32 {
        let (size, side) = (state.size(), state.side_index());
        let of_size = |size: usize| self.by_size[size][side][index];
        let sum = weights::SAME_SIZE * of_size(size)
            + weights::ONE_OFF * (of_size(size + 1) + of_size(size - 1))
            + weights::TWO_OFF * (of_size(size + 2) + of_size(size - 2))
            + weights::ANY_SIZE * self.overall[side][index]
            + weights::COUNTERMOVE * self.countermoves[side][previous][index];
        sum / MAX_HISTORY
    }

    fn update(&mut self, state: SolverState, previous: usize, index: usize, refuted: bool) {
        let target = if refuted { MAX_HISTORY } else { 0 };
        let side = state.side_index();
        for (average, window) in [
            (&mut self.by_size[state.size()][side][index], HISTORY_WINDOW),
            (&mut self.countermoves[side][previous][index], HISTORY_WINDOW),
            (&mut self.overall[side][index], OVERALL_WINDOW),
        ] {
            *average += (target - *average) / window;
        }
    }
}

/// One thread's solver.
pub(super) struct Solver<'a> {
    regions: RegionValues,
    table: ProofTable<'a>,
    history: History,
    /// By size: a buffer for moves, kept for its capacity.
    move_buffers: Vec<Vec<OpenMove>>,
    /// Positions searched in all.
    nodes: u64,
    /// Positions searched for each move of the root.
    root_nodes: [u64; MOVE_INDICES],
    sink: Option<ProofSink<'a>>,
}

/// What is known of a position without a search.
enum Probe {
    /// Whether the side to move wins.
    Decided(bool),
    /// It must be searched; its table key.
    Open(SolverState, ProofKey),
}

impl<'a> Solver<'a> {
    /// A solver whose values take about `mib` MiB besides the table.
    pub(super) fn new(graph: BoardGraph, table: ProofTable<'a>, mib: usize) -> Self {
        let cache_bits = ((mib.clamp(1, MAX_VALUES_MIB) << 20) / BYTES_PER_SLOT).ilog2();
        Self {
            regions: RegionValues::new(graph, cache_bits, 1 << cache_bits),
            table,
            history: History::new(),
            move_buffers: vec![Vec::new(); 65],
            nodes: 0,
            root_nodes: [0; MOVE_INDICES],
            sink: None,
        }
    }

    /// Sends proofs to `sink` from now on.
    pub(super) const fn collect_proofs(&mut self, sink: ProofSink<'a>) {
        self.sink = Some(sink);
    }

    /// Makes helper `number` search the moves in another order.
    pub(super) fn perturb_ordering(&mut self, number: usize) {
        for (row, averages) in self.history.countermoves.iter_mut().flatten().enumerate() {
            for (index, average) in averages.iter_mut().enumerate() {
                let noise = splitmix64((number * 4096 + row * MOVE_INDICES + index) as u64);
                *average = (noise % MAX_HISTORY as u64) as i32 / 4;
            }
        }
    }

    pub(super) const fn graph(&self) -> &BoardGraph {
        &self.regions.graph
    }

    /// Whether the side to move wins; none if `count_node` stopped the search.
    pub(super) fn wins(
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
        SolverState { free: state.free & !closed, red_to_move: !state.red_to_move, ..state }
    }

    /// Whether the side to move after a stone on `square` wins, if that is known
    /// without a search.
    pub(super) fn probe_child(&mut self, state: SolverState, square: u8) -> Option<bool> {
        match self.probe(self.after(state, square)) {
            Probe::Decided(wins) => Some(wins),
            Probe::Open(_, key) => self.table.probe(key),
        }
    }

    /// How many positions the last call of [`Self::wins`] searched for a move of
    /// the root. Of twins only the lowest square is searched.
    pub(super) fn root_nodes(&self, square: u8) -> u64 {
        self.root_nodes[usize::from(square) % MOVE_INDICES]
    }

    /// Splits off the regions that can be valued, and decides the position if
    /// none is left or it is symmetric.
    fn probe(&mut self, state: SolverState) -> Probe {
        let SolverState { mut free, red_to_move, mut valued } = state;
        let mut open = 0;
        while free != 0 {
            let region = self.regions.graph.component(free, free & free.wrapping_neg());
            free &= !region;
            let value = if region.count_ones() <= MAX_VALUED_REGION {
                let value = self.regions.value(region);
                value.and_then(|value| self.regions.values.add(valued, value))
            } else {
                None
            };
            match value {
                Some(value) => valued = value,
                None => open |= region,
            }
        }
        if open == 0 {
            return Probe::Decided(self.regions.values.wins_moving_first(valued, red_to_move));
        }
        if valued == ZERO && self.regions.graph.is_symmetry_loss(open) {
            return Probe::Decided(false);
        }
        let state = SolverState { free: open, red_to_move, valued };
        let key = self.key(state);
        Probe::Open(state, key)
    }

    /// The same key for equivalent positions, as seen by the side to move.
    fn key(&mut self, SolverState { free, red_to_move, valued }: SolverState) -> ProofKey {
        let regions = &mut self.regions;
        let value = if red_to_move { valued } else { regions.values.negative(valued) };
        let fingerprint = regions.values.fingerprint(value);
        let graph = &regions.graph;
        let [red, green] = graph.colours.map(|colour| colour & free);
        let (own, others) = if red_to_move { (red, green) } else { (green, red) };
        if free.count_ones() <= MAX_GRAPH_KEY && has_code(own.count_ones(), others.count_ones()) {
            return ProofKey::of_graph(encode_graph(graph, own, others), fingerprint);
        }
        let red = graph.with_lowest_twins(red, green, graph.colours[0]);
        let green = graph.with_lowest_twins(green, red, graph.colours[1]);
        match graph.canonical(red | green, red_to_move) {
            Some(free) => ProofKey::of_squares(free, fingerprint),
            // Tells positions with Green to move from those with Red.
            None => ProofKey::of_squares(free, !fingerprint),
        }
    }

    /// Whether the side to move wins; `previous` is the move that led here.
    fn search(
        &mut self,
        state: SolverState,
        key: ProofKey,
        previous: usize,
        count_node: &mut CountNode<'_>,
    ) -> Option<bool> {
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
        self.send_proof(state, wins);
        Some(wins)
    }

    fn send_proof(&self, state: SolverState, wins: bool) {
        if let Some(sink) = self.sink
            && state.size() as u32 >= sink.min_squares
            && state.valued == ZERO
            && let Some(free) = self.graph().canonical(state.free, state.red_to_move)
            && let Ok(mut proofs) = sink.proofs.lock()
        {
            proofs.push(ProvenPosition { free, wins });
        }
    }

    /// Lists the moves whose outcome is not known; true if one is known to win
    /// (an enhanced transposition cutoff).
    fn expand(&mut self, state: SolverState, previous: usize, moves: &mut Vec<OpenMove>) -> bool {
        let graph = &self.regions.graph;
        let [red, green] = graph.colours.map(|colour| colour & state.free);
        let (own, others) = if state.red_to_move { (red, green) } else { (green, red) };
        let opponent = SolverState { red_to_move: !state.red_to_move, ..state };
        for square in BitIter(graph.without_twins(own, others)) {
            let closed = self.regions.graph.closed_by(state.free, square);
            let after = SolverState { free: state.free & !closed, ..opponent };
            if self.add_move(state, previous, square, after, moves) {
                return true;
            }
        }
        let options = self.regions.values.options(state.valued, state.red_to_move).len();
        for option in 0..options {
            let valued = self.regions.values.options(state.valued, state.red_to_move)[option];
            let after = SolverState { valued, ..opponent };
            if self.add_move(state, previous, VALUED_MOVE, after, moves) {
                return true;
            }
        }
        false
    }

    /// Looks up one move and lists it if its outcome is not known; true if it
    /// wins.
    fn add_move(
        &mut self,
        state: SolverState,
        previous: usize,
        index: usize,
        after: SolverState,
        moves: &mut Vec<OpenMove>,
    ) -> bool {
        let (after, key) = match self.probe(after) {
            Probe::Decided(opponent_wins) => return !opponent_wins,
            Probe::Open(after, key) => (after, key),
        };
        if let Some(opponent_wins) = self.table.probe(key) {
            return !opponent_wins;
        }
        let ordering = self.ordering_score(after) - self.history.bonus(state, previous, index);
        moves.push(OpenMove { ordering, index, after, key });
        false
    }

    /// A static evaluation for the side to move.
    fn ordering_score(&self, state: SolverState) -> i32 {
        let graph = &self.regions.graph;
        let score = |own: u64, others: u64| {
            let by_neighbours = BitIter(own).map(|square| {
                let count = (graph.neighbours[square] & others).count_ones() as usize;
                weights::BY_NEIGHBOURS.get(count).copied().unwrap_or(0)
            });
            by_neighbours.sum::<i32>() - weights::SQUARE * own.count_ones() as i32
        };
        let [red, green] = graph.colours.map(|colour| colour & state.free);
        let balance = score(red, green) - score(green, red);
        if state.red_to_move { balance } else { -balance }
    }
}
