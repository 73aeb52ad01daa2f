//! Regions of free squares, and the values of small ones.
//!
//! A region is a connected component of the graph of free squares. Only its
//! graph matters, not where on the board it lies. Values are therefore cached
//! twice: by the squares up to symmetry, which is fast, and by the graph as
//! [`encode_labelled`] writes it, which many regions share.

use super::{
    bits::BitIter,
    graph::BoardGraph,
    values::{GameValue, GameValues, ZERO},
};
use tabulae_games::splitmix64;

/// A graph's adjacency matrix under a canonical labelling. Graphs with the same
/// code are isomorphic; isomorphic graphs mostly have the same code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GraphCode {
    /// One row of bits for each column node: its neighbours among row nodes.
    pub(super) edges: u64,
    /// The numbers of row nodes and of column nodes.
    pub(super) nodes: [u8; 2],
}

/// Nodes that [`hash_graph`] can hash: the matrix of 11 by 11 nodes has fewer than
/// 128 bits.
pub(super) const MAX_HASHED_NODES: u32 = 22;
/// Nodes of one colour at most.
const MAX_NODES: usize = MAX_HASHED_NODES as usize;

/// Rounds of colour refinement.
const REFINEMENT_ROUNDS: usize = 3;

/// Labels the nodes by colour refinement (the one-dimensional Weisfeiler–Leman
/// algorithm), starting with their degrees. Corresponding nodes of isomorphic
/// graphs have equal labels.
fn refine_labels(graph: &BoardGraph, free: u64) -> [u64; 64] {
    let mut labels = [0; 64];
    for square in BitIter(free) {
        labels[square] = u64::from((graph.neighbours[square] & free).count_ones()) + 1;
    }
    for _ in 0..REFINEMENT_ROUNDS {
        let mut hashes = [0; 64];
        for square in BitIter(free) {
            hashes[square] = splitmix64(labels[square]);
        }
        for square in BitIter(free) {
            let around = BitIter(graph.neighbours[square] & free).map(|other| hashes[other]);
            labels[square] = around.fold(labels[square].wrapping_mul(3), u64::wrapping_add);
        }
    }
    labels
}

/// The code of the graph of the squares `rows` and `columns`. Nodes with equal
/// labels are taken as they come, so a few isomorphic graphs get different
/// codes.
fn encode_labelled(graph: &BoardGraph, rows: u64, columns: u64, labels: &[u64; 64]) -> GraphCode {
    let (edges, nodes) = encode_edges(graph, rows, columns, labels);
    GraphCode { edges: edges as u64, nodes }
}

/// The adjacency matrix, and the numbers of row nodes and of column nodes.
fn encode_edges(
    graph: &BoardGraph,
    rows: u64,
    columns: u64,
    labels: &[u64; 64],
) -> (u128, [u8; 2]) {
    let mut row_order = [(0, 0); MAX_NODES];
    let mut row_count = 0;
    for square in BitIter(rows) {
        row_order[row_count] = (labels[square], square);
        row_count += 1;
    }
    row_order[..row_count].sort_unstable();
    let mut row_index = [0_u8; 64];
    for (index, (_, square)) in row_order[..row_count].iter().enumerate() {
        row_index[*square] = index as u8;
    }
    let mut adjacency = [(0, 0_u64); MAX_NODES];
    let mut column_count = 0;
    for square in BitIter(columns) {
        let neighbours = BitIter(graph.neighbours[square] & rows);
        let bits = neighbours.fold(0, |bits, other| bits | 1 << row_index[other]);
        adjacency[column_count] = (labels[square], bits);
        column_count += 1;
    }
    adjacency[..column_count].sort_unstable();
    let mut edges = 0;
    for (index, (_, bits)) in adjacency[..column_count].iter().enumerate() {
        edges |= u128::from(*bits) << (index * row_count);
    }
    (edges, [row_count as u8, column_count as u8])
}

/// A graph of up to [`MAX_HASHED_NODES`] nodes, hashed to 128 bits. Everything else
/// is as in [`encode_labelled`].
pub(super) fn hash_graph(graph: &BoardGraph, rows: u64, columns: u64) -> [u64; 2] {
    let labels = refine_labels(graph, rows | columns);
    let (edges, [row_count, column_count]) = encode_edges(graph, rows, columns, &labels);
    let (low, high) = (edges as u64, (edges >> 64) as u64);
    let nodes = u64::from(row_count) << 8 | u64::from(column_count);
    let nodes = splitmix64(nodes);
    [
        splitmix64(low ^ splitmix64(high.wrapping_add(nodes))),
        splitmix64(high ^ splitmix64(low ^ splitmix64(!nodes))),
    ]
}

/// [`encode_labelled`] for a region up to exchanging the colours. The second value
/// is whether they were exchanged.
fn encode_region(graph: &BoardGraph, region: u64) -> (GraphCode, bool) {
    let labels = refine_labels(graph, region);
    let [red, green] = graph.colours.map(|colour| colour & region);
    let weight = |nodes: u64| {
        let hashes = BitIter(nodes).map(|square| splitmix64(labels[square]));
        (nodes.count_ones(), hashes.fold(0, u64::wrapping_add))
    };
    let swapped = weight(green) > weight(red);
    let (rows, columns) = if swapped { (green, red) } else { (red, green) };
    (encode_labelled(graph, rows, columns, &labels), swapped)
}

/// An entry of the cache by graph.
#[derive(Clone, Copy, Debug, Default)]
struct GraphEntry {
    code: GraphCode,
    value: GameValue,
}

/// Entries in a bucket of the cache by graph.
const BUCKET: usize = 4;

/// Bytes of the caches per slot: a region, a graph, four comparisons and a sum
/// take 88, a value takes less than the rest.
const BYTES_PER_SLOT: usize = 160;
/// Maximum memory of the values, in MiB.
const MAX_VALUES_MIB: usize = 4096;

/// The values of regions, computed on demand.
#[derive(Debug)]
pub(super) struct RegionValues {
    pub(super) graph: BoardGraph,
    pub(super) values: GameValues,
    /// By the squares' code; direct-mapped.
    by_squares: Vec<(u64, GameValue)>,
    /// By graph; set-associative, [`BUCKET`] entries each.
    by_graph: Vec<GraphEntry>,
}

impl RegionValues {
    /// Caches of `1 << cache_bits` regions and as many graphs, and up to `capacity`
    /// values.
    pub(super) fn new(graph: BoardGraph, cache_bits: u32, capacity: usize) -> Self {
        Self {
            graph,
            values: GameValues::new(capacity, cache_bits),
            by_squares: vec![(0, ZERO); 1 << cache_bits],
            by_graph: vec![GraphEntry::default(); 1 << cache_bits],
        }
    }

    /// Caches and values that take about `mib` MiB.
    pub(super) fn in_memory(graph: BoardGraph, mib: usize) -> Self {
        let cache_bits = ((mib.clamp(1, MAX_VALUES_MIB) << 20) / BYTES_PER_SLOT).ilog2();
        Self::new(graph, cache_bits, 1 << cache_bits)
    }

    /// Whether at least half of the room for values is left.
    pub(super) const fn has_room(&self) -> bool {
        self.values.has_room()
    }

    /// The value of all free squares together; none if there is no room for
    /// more values. Every square must have a neighbour.
    pub(super) fn sum(&mut self, mut free: u64) -> Option<GameValue> {
        let mut sum = ZERO;
        while free != 0 {
            let region = self.graph.component(free, free & free.wrapping_neg());
            free &= !region;
            let value = self.value(region)?;
            sum = self.values.add(sum, value)?;
        }
        Some(sum)
    }

    /// The value of one region, of at most sixteen squares.
    pub(super) fn value(&mut self, region: u64) -> Option<GameValue> {
        let squares = self.graph.code(region);
        let at = (splitmix64(squares) >> 32) as usize & (self.by_squares.len() - 1);
        if self.by_squares[at].0 == squares {
            return Some(self.by_squares[at].1);
        }
        let (code, swapped) = encode_region(&self.graph, region);
        // Values in the cache are those of the graph as encoded.
        let orient = |values: &mut GameValues, value| {
            if swapped { values.negative(value) } else { value }
        };
        let nodes = u64::from(code.nodes[0]) << 8 | u64::from(code.nodes[1]);
        let hash = splitmix64(code.edges ^ splitmix64(nodes)) >> 32;
        let first = hash as usize & (self.by_graph.len() - BUCKET);
        let bucket = first..first + BUCKET;
        let found = self.by_graph[bucket.clone()].iter().find(|entry| entry.code == code);
        if let Some(entry) = found {
            let value = orient(&mut self.values, entry.value);
            self.by_squares[at] = (squares, value);
            return Some(value);
        }
        let value = self.compute(region)?;
        self.by_squares[at] = (squares, value);
        // The smallest graph is the cheapest to compute again.
        let size = |entry: &GraphEntry| entry.code.nodes[0] + entry.code.nodes[1];
        if let Some(slot) = self.by_graph[bucket].iter_mut().min_by_key(|entry| size(entry)) {
            *slot = GraphEntry { code, value: orient(&mut self.values, value) };
        }
        Some(value)
    }

    /// The value from the values of all options.
    fn compute(&mut self, region: u64) -> Option<GameValue> {
        let [red, green] = self.graph.colours.map(|colour| colour & region);
        let mut sides = [Vec::new(), Vec::new()];
        for (options, (own, others)) in sides.iter_mut().zip([(red, green), (green, red)]) {
            for square in BitIter(self.graph.without_twins(own, others)) {
                options.push(self.sum(region & !self.graph.closed_by(region, square))?);
            }
        }
        let [left, right] = sides;
        self.values.canonical(left, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::tablaaza::LAKES;

    fn mask(squares: &str) -> u64 {
        squares.split(' ').fold(0, |mask, name| {
            let at = name.parse().expect("a square");
            mask | LAKES.bit(at).expect("on the board")
        })
    }

    #[test]
    fn regions_have_the_values_of_their_graphs() {
        let mut regions = RegionValues::new(BoardGraph::new(&LAKES), 8, 1000);
        // One red and one green square that see each other are a star; two
        // such pairs in different regions add up to zero.
        let star = regions.value(mask("a1 b1")).expect("room");
        assert!(
            regions.values.wins_moving_first(star, true)
                && regions.values.wins_moving_first(star, false)
        );
        assert_eq!(regions.sum(mask("a1 b1 g5 h5")), Some(ZERO));
        // One red between two greens is up, a win for Red moving first or second.
        let up = regions.value(mask("a1 b1 d1")).expect("room");
        assert!(regions.values.is_le(ZERO, up) && up != ZERO);
        let down = regions.value(mask("b1 c1 e1")).expect("room");
        assert_eq!(regions.values.add(up, down), Some(ZERO));
        assert_eq!(regions.value(mask("a7 b7 d7")), Some(up));
    }

    #[test]
    fn graph_code_does_not_depend_on_the_squares() {
        let graph = BoardGraph::new(&LAKES);
        let codes = |squares: &str| {
            let region = mask(squares);
            let [red, green] = graph.colours.map(|colour| colour & region);
            (hash_graph(&graph, red, green), encode_region(&graph, region).0)
        };
        // Three in a row, straight and round a corner; four in a row form a cycle.
        assert_eq!(codes("a1 b1 d1"), codes("e7 e6 d7"));
        assert_ne!(codes("a1 b1 c1 d1").0, codes("a1 b1 b2").0);
        assert_eq!(codes("a1 b1 d1").1, codes("b1 a1 c1").1);
    }
}
