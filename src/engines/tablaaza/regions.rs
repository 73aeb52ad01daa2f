//! Regions of free squares, and the values of small ones.
//!
//! A region is a set of free squares that corridors join. What matters is its
//! graph alone, not where on the board it lies, so values are remembered twice:
//! by the very squares, which is quick, and by the graph as [`encode`] writes
//! it, which many regions share.

use super::{
    bits::{Bits, Geometry, mix},
    values::{Value, Values, ZERO},
};

/// A graph written down: two graphs with the same code are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Code {
    /// A row of bits for each column node: which row nodes are its neighbours.
    pub(super) edges: u64,
    /// How many row nodes and column nodes.
    pub(super) nodes: [u8; 2],
}

/// Whether the graph of so many nodes of either colour has a [`Code`].
pub(super) const fn has_code(red: u32, green: u32) -> bool {
    red * green <= 64 && red < 16 && green < 16
}

/// Rounds in which a node's mark takes in its neighbours'.
const ROUNDS: usize = 3;

/// Marks the nodes of a graph by what lies around them. Nodes that look alike
/// in two equal graphs have equal marks.
fn marks(board: &Geometry, free: u64, mut start: impl FnMut(usize) -> u64) -> [u64; 64] {
    let mut marks = [0; 64];
    for at in Bits(free) {
        marks[at] = start(at);
    }
    for _ in 0..ROUNDS {
        let mut spread = [0; 64];
        for at in Bits(free) {
            spread[at] = mix(marks[at]);
        }
        for at in Bits(free) {
            let around = Bits(board.near[at] & free).map(|other| spread[other]);
            marks[at] = around.fold(marks[at].wrapping_mul(3), u64::wrapping_add);
        }
    }
    marks
}

/// The graph of `rows` and `columns` written down. Equal graphs mostly have
/// the same code: nodes that cannot be told apart are taken as they come.
pub(super) fn encode(board: &Geometry, rows: u64, columns: u64) -> Code {
    let free = rows | columns;
    let marks = marks(board, free, |at| u64::from((board.near[at] & free).count_ones()) + 1);
    code(board, rows, columns, &marks)
}

fn code(board: &Geometry, rows: u64, columns: u64, marks: &[u64; 64]) -> Code {
    let mut order = [(0, 0); 16];
    let mut count = 0;
    for at in Bits(rows) {
        order[count] = (marks[at], at);
        count += 1;
    }
    order[..count].sort_unstable();
    let mut place = [0_u8; 64];
    for (index, (_, at)) in order[..count].iter().enumerate() {
        place[*at] = index as u8;
    }
    let mut across = [(0, 0_u64); 16];
    let mut others = 0;
    for at in Bits(columns) {
        let row = Bits(board.near[at] & rows).fold(0, |row, other| row | 1 << place[other]);
        across[others] = (marks[at], row);
        others += 1;
    }
    across[..others].sort_unstable();
    let mut edges = 0;
    for (index, (_, row)) in across[..others].iter().enumerate() {
        edges |= row << (index * count);
    }
    Code { edges, nodes: [count as u8, others as u8] }
}

/// [`encode`] for a region on its own: the colours are exchanged where that
/// helps to find equals. The second is whether they were.
fn encode_either(board: &Geometry, region: u64) -> (Code, bool) {
    let marks = marks(board, region, |at| u64::from((board.near[at] & region).count_ones()) + 1);
    let [red, green] = board.colours.map(|colour| colour & region);
    let weight = |nodes: u64| {
        let sum = Bits(nodes).fold(0_u64, |sum, at| sum.wrapping_add(mix(marks[at])));
        (nodes.count_ones(), sum)
    };
    let swapped = weight(green) > weight(red);
    let (rows, columns) = if swapped { (green, red) } else { (red, green) };
    (code(board, rows, columns, &marks), swapped)
}

/// What is remembered of a graph.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    code: Code,
    value: Value,
}

/// Slots that one graph may lie in.
const WAYS: usize = 4;

/// The values of regions.
#[derive(Debug)]
pub(super) struct Regions {
    pub(super) board: Geometry,
    pub(super) values: Values,
    /// By squares.
    seen: Vec<(u64, Value)>,
    /// By graph.
    known: Vec<Known>,
}

impl Regions {
    /// Memories of `1 << bits` regions and as many graphs; `most` values.
    pub(super) fn new(board: Geometry, bits: u32, most: usize) -> Self {
        Self {
            board,
            values: Values::new(most, bits),
            seen: vec![(0, ZERO); 1 << bits],
            known: vec![Known::default(); 1 << bits],
        }
    }

    /// The value of all free squares together; none when there is no room for
    /// more values. Every square must have a neighbour.
    pub(super) fn sum(&mut self, mut free: u64) -> Option<Value> {
        let mut sum = ZERO;
        while free != 0 {
            let region = self.board.joined(free, free & free.wrapping_neg());
            free &= !region;
            let value = self.value(region)?;
            sum = self.values.add(sum, value)?;
        }
        Some(sum)
    }

    /// The value of one region, of at most sixteen squares.
    pub(super) fn value(&mut self, region: u64) -> Option<Value> {
        let region = self.board.region(region);
        let at = (mix(region) >> 32) as usize & (self.seen.len() - 1);
        if self.seen[at].0 == region {
            return Some(self.seen[at].1);
        }
        let (code, swapped) = encode_either(&self.board, region);
        let of_known = |values: &mut Values, value| {
            if swapped { values.negative(value) } else { value }
        };
        let nodes = u64::from(code.nodes[0]) << 8 | u64::from(code.nodes[1]);
        let first = (mix(code.edges ^ mix(nodes)) >> 32) as usize & (self.known.len() - WAYS);
        let ways = first..first + WAYS;
        if let Some(known) = self.known[ways.clone()].iter().find(|known| known.code == code) {
            let value = of_known(&mut self.values, known.value);
            self.seen[at] = (region, value);
            return Some(value);
        }
        let value = self.work_out(region)?;
        self.seen[at] = (region, value);
        // Small graphs are soon worked out again.
        let size = |known: &Known| known.code.nodes[0] + known.code.nodes[1];
        if let Some(slot) = self.known[ways].iter_mut().min_by_key(|known| size(known)) {
            *slot = Known { code, value: of_known(&mut self.values, value) };
        }
        Some(value)
    }

    fn work_out(&mut self, region: u64) -> Option<Value> {
        let [red, green] = self.board.colours.map(|colour| colour & region);
        let mut sides = [Vec::new(), Vec::new()];
        for (options, (own, others)) in sides.iter_mut().zip([(red, green), (green, red)]) {
            for at in Bits(self.board.distinct(own, others)) {
                options.push(self.sum(region & !self.board.closed_by(region, at))?);
            }
        }
        let [left, right] = sides;
        self.values.canonical(left, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tablaaza::LAKES;

    fn mask(squares: &str) -> u64 {
        squares.split(' ').fold(0, |mask, name| {
            let at = name.parse().expect("a square");
            mask | LAKES.bit(at).expect("on the board")
        })
    }

    #[test]
    fn a_region_has_the_value_of_its_graph() {
        let mut regions = Regions::new(Geometry::of(&LAKES), 8, 1000);
        // One red and one green square that see each other are a star, two
        // such pairs apart from each other nothing.
        let star = regions.value(mask("a1 b1")).expect("room");
        assert!(regions.values.first_wins(star, true) && regions.values.first_wins(star, false));
        assert_eq!(regions.sum(mask("a1 b1 g5 h5")), Some(ZERO));
        // One red among two greens is up: good for Red, whoever begins.
        let up = regions.value(mask("a1 b1 d1")).expect("room");
        assert!(regions.values.is_below(ZERO, up) && up != ZERO);
        let down = regions.value(mask("b1 c1 e1")).expect("room");
        assert_eq!(regions.values.add(up, down), Some(ZERO));
        assert_eq!(regions.value(mask("a7 b7 d7")), Some(up));
    }

    #[test]
    fn a_code_is_the_graph_wherever_it_lies() {
        let board = Geometry::of(&LAKES);
        let path = |squares: &str| {
            let region = mask(squares);
            let [red, green] = board.colours.map(|colour| colour & region);
            (encode(&board, red, green), encode_either(&board, region).0)
        };
        // Three in a row, and round a corner; a row of four is a square.
        assert_eq!(path("a1 b1 d1"), path("e7 e6 d7"));
        assert_ne!(path("a1 b1 c1 d1").0, path("a1 b1 b2").0);
        assert_eq!(path("a1 b1 d1").1, path("b1 a1 c1").1);
    }
}
