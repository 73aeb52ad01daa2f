//! The board as a bipartite graph, for the exact solver.
//!
//! Only free and closed squares matter to the outcome. The free squares are the
//! nodes of a graph in two colours, with an edge where a red and a green square
//! share a corridor. A move deletes a node of the mover's colour, and with it
//! every node of the opponent's that loses its last edge.

use super::{bits::BitIter, symmetry::Symmetries};
use tabulae_games::{GOLDEN_GAMMA, Side, tablaaza::Board};

/// An odd multiplier that spreads sets of squares over the top bits.
const TWIN_MULTIPLIER: u64 = GOLDEN_GAMMA;

/// A board's graph and its symmetries. Sets of squares are bitboards, bit
/// `8 * rank + file`.
#[derive(Clone, Debug)]
pub(super) struct BoardGraph {
    /// By square: the squares of the other colour that share a corridor.
    pub(super) neighbours: [u64; 64],
    /// Red's squares and Green's.
    pub(super) colours: [u64; 2],
    ranks: u32,
    files: u32,
    /// Whether flipping the ranks maps the board onto itself, colours included.
    is_flip_symmetric: bool,
    /// Whether mirroring the files maps the board onto itself with the colours
    /// exchanged.
    mirror_swaps_colours: bool,
    /// The graph's own symmetries; none if the board lacks one of them.
    symmetries: Option<&'static Symmetries>,
}

impl BoardGraph {
    pub(super) fn new(board: &Board) -> Self {
        let colours = Side::BOTH.map(|side| board.coloured(side));
        let mut neighbours = [0; 64];
        for (square, neighbours) in neighbours.iter_mut().enumerate() {
            let is_red = colours[0] >> square & 1 == 1;
            *neighbours = board.corridors_at(square as u32) & colours[usize::from(is_red)];
        }
        let mut graph = Self {
            neighbours,
            colours,
            ranks: u32::from(board.ranks()),
            files: u32::from(board.files()),
            is_flip_symmetric: false,
            mirror_swaps_colours: false,
            symmetries: Symmetries::of(board, &neighbours, colours),
        };
        // A map that preserves the squares also preserves the corridors.
        let maps_onto = |map: &dyn Fn(u64) -> u64, [red, green]: [u64; 2]| {
            map(colours[0]) == red && map(colours[1]) == green
        };
        let [red, green] = colours;
        graph.is_flip_symmetric = maps_onto(&|squares| graph.flip_ranks(squares), [red, green]);
        graph.mirror_swaps_colours =
            maps_onto(&|squares| graph.mirror_files(squares), [green, red]);
        graph
    }

    /// Whether the other graph is of the same board.
    pub(super) fn is_same_board(&self, other: &Self) -> bool {
        self.neighbours == other.neighbours && self.colours == other.colours
    }

    /// The top rank becomes the bottom one.
    const fn flip_ranks(&self, squares: u64) -> u64 {
        squares.swap_bytes() >> (64 - 8 * self.ranks)
    }

    /// The first file becomes the last one.
    const fn mirror_files(&self, squares: u64) -> u64 {
        squares.swap_bytes().reverse_bits() >> (8 - self.files)
    }

    /// The squares as Red to move sees them: with Green to move mirrored, with the
    /// colours exchanged. None if Green is to move and no mirror exchanges them.
    fn seen_by_red(&self, free: u64, red_to_move: bool) -> Option<u64> {
        match (red_to_move, self.mirror_swaps_colours) {
            (true, _) => Some(free),
            (false, true) => Some(self.mirror_files(free)),
            (false, false) => None,
        }
    }

    /// The canonical representative of a position under the symmetries, with Red to
    /// move. None if Green is to move and no symmetry exchanges the colours.
    pub(super) fn canonical(&self, free: u64, red_to_move: bool) -> Option<u64> {
        Some(self.canonical_squares(self.seen_by_red(free, red_to_move)?))
    }

    /// The canonical representative under the symmetries that keep the colours.
    pub(super) fn canonical_squares(&self, squares: u64) -> u64 {
        self.squares_of_code(self.code(squares))
    }

    /// One of the symmetric sets of squares with this code.
    pub(super) fn squares_of_code(&self, code: u64) -> u64 {
        if self.symmetries.is_some() { Symmetries::decode(code) } else { code }
    }

    /// The code of [`Self::code`] for a position, with Red to move.
    #[inline]
    pub(super) fn position_code(&self, free: u64, red_to_move: bool) -> Option<u64> {
        Some(self.code(self.seen_by_red(free, red_to_move)?))
    }

    /// The same code for symmetric sets of squares, with one bit for each square and
    /// no more bits than the board's.
    #[inline]
    pub(super) fn code(&self, squares: u64) -> u64 {
        match self.symmetries {
            Some(symmetries) => symmetries.code(squares),
            None => self.upright(squares),
        }
    }

    /// The lesser of a set of squares and its flip, if the flip keeps the board: equal
    /// for sets that look alike on the drawn board.
    pub(super) fn upright(&self, squares: u64) -> u64 {
        if self.is_flip_symmetric { squares.min(self.flip_ranks(squares)) } else { squares }
    }

    /// Whether the side to move loses because the opponent answers each move on
    /// its mirror image (the Tweedledum and Tweedledee strategy of *Winning Ways*).
    /// That square is always free unless a stone closes both at once, so no free
    /// square may share a corridor with its own image.
    #[inline]
    pub(super) fn is_symmetry_loss(&self, free: u64) -> bool {
        self.symmetries.is_some_and(|symmetries| symmetries.is_mirrored(free))
    }

    /// The free squares closed by a stone on `square`, its own included.
    #[inline]
    pub(super) fn closed_by(&self, free: u64, square: usize) -> u64 {
        let played = 1 << square;
        let left = free & !played;
        let mut closed = played;
        for other in BitIter(free & self.neighbours[square]) {
            if self.neighbours[other] & left == 0 {
                closed |= 1 << other;
            }
        }
        closed
    }

    /// The squares of `others` that only one square of `own` keeps open: a stone there
    /// closes them.
    #[inline]
    pub(super) fn leaves(&self, own: u64, others: u64) -> u64 {
        let is_leaf = |square: usize| (self.neighbours[square] & own).is_power_of_two();
        BitIter(others).fold(0, |leaves, square| leaves | u64::from(is_leaf(square)) << square)
    }

    /// The connected component of the squares `from`.
    #[inline]
    pub(super) fn component(&self, free: u64, from: u64) -> u64 {
        let (mut found, mut frontier) = (from, from);
        // Mostly all squares are connected, and found before each of them was visited.
        while frontier != 0 && found != free {
            let square = frontier.trailing_zeros() as usize;
            frontier &= frontier - 1;
            let new = self.neighbours[square] & free & !found;
            found |= new;
            frontier |= new;
        }
        found
    }

    /// Whether the squares `these` are connected with each other by free squares.
    #[inline]
    pub(super) fn connects(&self, free: u64, these: u64) -> bool {
        let from = these & these.wrapping_neg();
        let (mut found, mut frontier) = (from, from);
        while frontier != 0 && these & !found != 0 {
            let square = frontier.trailing_zeros() as usize;
            frontier &= frontier - 1;
            let new = self.neighbours[square] & free & !found;
            found |= new;
            frontier |= new;
        }
        these & !found == 0
    }

    /// One square of each class of twins, the lowest: squares with the same
    /// free neighbours are interchangeable, and moves to them equal.
    #[inline]
    pub(super) fn without_twins(&self, own: u64, others: u64) -> u64 {
        let mut distinct = 0;
        // Most squares have a hash of their own and need no comparison.
        let mut hashes = [0_u64; 4];
        for square in BitIter(own) {
            let neighbours = self.neighbours[square] & others;
            let hash = neighbours.wrapping_mul(TWIN_MULTIPLIER) >> 56;
            let (word, bit) = ((hash >> 6) as usize, 1 << (hash & 63));
            let is_twin = hashes[word] & bit != 0
                && BitIter(distinct).any(|twin| self.neighbours[twin] & others == neighbours);
            hashes[word] |= bit;
            distinct |= u64::from(!is_twin) << square;
        }
        distinct
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::*;
    use tabulae_games::tablaaza::LAKES;

    #[test]
    fn shortcuts_of_the_solver_agree_with_their_definitions() {
        let graph = BoardGraph::new(&LAKES);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut parted, mut kept, mut twins) = (0, 0, 0);
        for number in 0..2000 {
            // Fewer squares in every other position, so that regions fall apart.
            let mut free = LAKES.playing() & rng.random::<u64>();
            if number % 2 == 0 {
                free |= LAKES.playing() & rng.random::<u64>();
            }
            // A position of the solver is one region, or several.
            let region = graph.component(free, free & free.wrapping_neg());
            let free = if number % 3 == 0 { free } else { region };
            let is_one_region = |free: u64| {
                let from = free & free.wrapping_neg();
                (0..64).fold(from, |found, _| {
                    BitIter(found).fold(found, |all, square| all | graph.neighbours[square] & free)
                }) == free
            };
            assert!(free != region || is_one_region(region), "{region:x}");
            let [red, green] = graph.colours.map(|colour| colour & free);
            for (own, others) in [(red, green), (green, red)] {
                let leaves = graph.leaves(own, others);
                let distinct = graph.without_twins(own, others);
                for square in BitIter(own) {
                    let around = graph.neighbours[square] & others;
                    let closed = 1 << square | around & leaves;
                    assert_eq!(closed, graph.closed_by(free, square), "{free:x} {square}");
                    let is_twin = |lower: &usize| graph.neighbours[*lower] & others == around;
                    let has_twin = BitIter(own & ((1 << square) - 1)).any(|lower| is_twin(&lower));
                    assert_eq!(distinct >> square & 1 == 0, has_twin, "{free:x} {square}");
                    twins += u32::from(has_twin);
                    if free == region {
                        let left = free & !closed;
                        let is_connected = graph.connects(left, around & left);
                        assert_eq!(is_connected, is_one_region(left), "{free:x} {square}");
                        (parted, kept) =
                            (parted + u32::from(!is_connected), kept + u32::from(is_connected));
                    }
                }
            }
        }
        assert!(parted > 500 && kept > 5000 && twins > 500, "{parted} {kept} {twins}");
    }

    #[test]
    fn graph_is_invariant_under_the_board_s_symmetries() {
        let graph = BoardGraph::new(&LAKES);
        assert!(graph.is_flip_symmetric && graph.mirror_swaps_colours);
        assert!(graph.symmetries.is_some());
        for square in BitIter(LAKES.playing()) {
            for other in BitIter(graph.neighbours[square]) {
                let keeps_edge = |map: &dyn Fn(u64) -> u64| {
                    let [one, two] =
                        [square, other].map(|square| map(1 << square).trailing_zeros() as usize);
                    graph.neighbours[one] >> two & 1 == 1
                };
                assert!(keeps_edge(&|squares| graph.flip_ranks(squares)));
                assert!(keeps_edge(&|squares| graph.mirror_files(squares)));
            }
        }
    }
}
