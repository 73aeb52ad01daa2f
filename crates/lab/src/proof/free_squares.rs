//! Tablaaza once the neighbourly rule no longer binds, as free squares and their corridors.
//!
//! Architecture invariant: it knows the rules alone, and finds the symmetries of the
//! corridors by itself.

use std::iter;

use tabulae_games::{Side, tablaaza::Board};

/// Squares of a bitboard.
const BITS: usize = 64;
/// Bits of a bitboard above the seven ranks of the board.
const UNUSED_BITS: u32 = 8;
/// Large regions of at most this many squares together are compared by their graph.
pub(super) const MAX_GRAPH_SQUARES: u32 = 22;
/// Rounds of colour refinement in [`FreeSquaresGame::graph_code`].
const REFINEMENT_ROUNDS: usize = 3;

/// The squares of a bitboard, lowest first.
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    iter::from_fn(move || {
        let square = (set != 0).then_some(set.trailing_zeros());
        set &= set.wrapping_sub(1);
        square
    })
}

/// The squares after half a turn of the board, which exchanges the colours and keeps the
/// corridors.
pub(super) const fn half_turn(free: u64) -> u64 {
    free.reverse_bits() >> UNUSED_BITS
}

/// A map of the squares that keeps the game, as a table: by byte of a bitboard and its
/// value, the squares that these become.
type SymmetryTable = Vec<[u64; 256]>;

/// The game once the neighbourly rule no longer binds: the free squares and the side to
/// move decide what is legal. Sets of squares are bitboards, bit `8 * rank + file`.
pub(super) struct FreeSquaresGame {
    board: &'static Board,
    neighbours: [u64; BITS],
    symmetries: Vec<SymmetryTable>,
}

/// A graph of at most 22 squares: the adjacency matrix, a row for each square of the other
/// side, and how many columns and rows it has. Equal codes mean isomorphic graphs, and
/// most isomorphic graphs have equal codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct GraphCode {
    pub(super) edges: u128,
    pub(super) size: [u8; 2],
}

impl FreeSquaresGame {
    pub(super) fn new(board: &'static Board) -> Self {
        let symmetries = symmetries(board);
        let table = |images: &[usize; BITS]| {
            let mut table = vec![[0; 256]; usize::from(board.ranks())];
            for square in squares(board.playing()) {
                let square = square as usize;
                for (byte, becomes) in table[square / 8].iter_mut().enumerate() {
                    *becomes |= u64::from(byte >> (square % 8) & 1 == 1) << images[square];
                }
            }
            table
        };
        let symmetries = symmetries.iter().map(table).collect();
        Self { board, neighbours: neighbours(board), symmetries }
    }

    /// Whether a free square has no free neighbour. No such position arises by play.
    pub(super) fn has_isolated(&self, free: u64) -> bool {
        squares(free).any(|at| self.neighbours[at as usize] & free == 0)
    }

    /// The squares on which the side may play.
    pub(super) const fn own(&self, free: u64, side: Side) -> u64 {
        free & self.board.coloured(side)
    }

    /// The free squares after a stone of the side on one of them.
    pub(super) fn after(&self, free: u64, square: u32, side: Side) -> u64 {
        let left = free & !(1 << square);
        left & !self.board.raised(!left, side)
    }

    /// Equal for symmetric sets of squares: the least of all images.
    pub(super) fn canonical(&self, free: u64) -> u64 {
        let image = |table: &SymmetryTable| {
            let bytes = table.iter().zip(free.to_le_bytes());
            bytes.fold(0, |image, (becomes, byte)| image | becomes[usize::from(byte)])
        };
        self.symmetries.iter().map(image).min().unwrap_or(free)
    }

    /// The free squares that are connected with the lowest of them.
    pub(super) fn region(&self, free: u64) -> u64 {
        let mut region = free & free.wrapping_neg();
        let mut open = region;
        while open != 0 {
            let found = self.neighbours[open.trailing_zeros() as usize] & free & !region;
            region |= found;
            open = open & (open - 1) | found;
        }
        region
    }

    /// The graph of at most 22 free squares, as the side sees it. The squares are ordered
    /// by colour refinement, which starts with their degrees.
    pub(super) fn graph_code(&self, free: u64, side: Side) -> GraphCode {
        let mut labels = [0_u64; BITS];
        for at in squares(free) {
            labels[at as usize] = u64::from((self.neighbours[at as usize] & free).count_ones());
        }
        for _ in 0..REFINEMENT_ROUNDS {
            let mut mixed = [0_u64; BITS];
            for at in squares(free) {
                let product = (labels[at as usize] + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                mixed[at as usize] = (product ^ product >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            }
            for at in squares(free) {
                let around = squares(self.neighbours[at as usize] & free);
                let sum = around.fold(0, |sum: u64, at| sum.wrapping_add(mixed[at as usize]));
                labels[at as usize] = mixed[at as usize].rotate_left(7).wrapping_add(sum);
            }
        }
        let mut columns = [(0, 0); MAX_GRAPH_SQUARES as usize];
        let own = self.own(free, side);
        let width = own.count_ones() as usize;
        for (column, at) in columns.iter_mut().zip(squares(own)) {
            *column = (labels[at as usize], at);
        }
        columns[..width].sort_unstable();
        let mut rows = [(0, 0); MAX_GRAPH_SQUARES as usize];
        let others = self.own(free, side.other());
        let height = others.count_ones() as usize;
        debug_assert!(width + height <= MAX_GRAPH_SQUARES as usize, "the edges fit 128 bits");
        for (row, at) in rows.iter_mut().zip(squares(others)) {
            let sees = self.neighbours[at as usize];
            let bits = columns[..width].iter().rev();
            let bits =
                bits.fold(0, |bits: u32, (_, column)| bits << 1 | (sees >> column & 1) as u32);
            *row = (labels[at as usize], bits);
        }
        rows[..height].sort_unstable();
        let edges = rows[..height].iter();
        let edges = edges.fold(0, |edges, (_, bits)| edges << width | u128::from(*bits));
        GraphCode { edges, size: [width as u8, height as u8] }
    }
}

/// By square, the squares of the other colour that share a corridor with it. They alone
/// decide when a pavilion closes it.
fn neighbours(board: &Board) -> [u64; BITS] {
    let mut neighbours = [0; BITS];
    for side in Side::BOTH {
        for square in squares(board.coloured(side)) {
            neighbours[square as usize] = board.corridors_at(square) & board.coloured(side.other());
        }
    }
    neighbours
}

/// All maps of the squares onto themselves that keep colours and neighbours, as the image
/// of each square. So a legal move becomes a legal one and closes the images of the squares
/// that it closed. The neighbourly rule is not kept.
fn symmetries(board: &Board) -> Vec<[usize; BITS]> {
    let neighbours = neighbours(board);
    // Each square follows one of its neighbours, so that few images fit it.
    let (mut order, mut open) = (Vec::new(), Vec::new());
    for first in squares(board.playing()) {
        open.push(first);
        while let Some(square) = open.pop() {
            if !order.contains(&square) {
                order.push(square);
                open.extend(squares(neighbours[square as usize]));
            }
        }
    }
    let mut found = Vec::new();
    map_next(board, &neighbours, &order, &mut Vec::new(), &mut found);
    found
}

/// Adds all maps that begin with these images of the first squares of the order.
fn map_next(
    board: &Board,
    neighbours: &[u64; BITS],
    order: &[u32],
    images: &mut Vec<u32>,
    found: &mut Vec<[usize; BITS]>,
) {
    let Some(&square) = order.get(images.len()) else {
        let mut map = [0; BITS];
        for (&square, &image) in order.iter().zip(&*images) {
            map[square as usize] = image as usize;
        }
        found.push(map);
        return;
    };
    let sees = |one: u32, other: u32| neighbours[one as usize] >> other & 1;
    let is_red = |square: u32| board.coloured(Side::First) >> square & 1;
    for image in squares(board.playing()) {
        let fits = is_red(square) == is_red(image)
            && !images.contains(&image)
            && order.iter().zip(&*images).all(|(&earlier, &earlier_image)| {
                sees(square, earlier) == sees(image, earlier_image)
            });
        if fits {
            images.push(image);
            map_next(board, neighbours, order, images, found);
            images.pop();
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashSet;

    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::*;
    use tabulae_games::tablaaza::LAKES;

    /// Free squares after random moves, with Red to move and about this many left.
    pub(in super::super) fn random_squares(
        game: &FreeSquaresGame,
        count: u32,
        rng: &mut ChaCha8Rng,
    ) -> u64 {
        let mut free = LAKES.playing();
        while free.count_ones() > count {
            for side in Side::BOTH {
                let own = game.own(free, side);
                let number = own.count_ones() as usize;
                if number == 0 {
                    return free;
                }
                let square = squares(own).nth(rng.random_range(0..number)).expect("free");
                free = game.after(free, square, side);
            }
        }
        free
    }

    #[test]
    fn half_a_turn_exchanges_the_colours_and_keeps_moves() {
        let game = FreeSquaresGame::new(&LAKES);
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for count in [40, 30, 20, 10].repeat(10) {
            let free = random_squares(&game, count, &mut rng);
            for side in Side::BOTH {
                let turned = half_turn(game.own(free, side));
                assert_eq!(turned, game.own(half_turn(free), side.other()));
                for square in squares(game.own(free, side)) {
                    let to = half_turn(1 << square).trailing_zeros();
                    let after = game.after(half_turn(free), to, side.other());
                    assert_eq!(after, half_turn(game.after(free, square, side)));
                }
            }
        }
    }

    #[test]
    fn ninety_six_symmetries_keep_moves_and_what_they_close() {
        let symmetries = symmetries(&LAKES);
        assert_eq!(symmetries.iter().collect::<HashSet<_>>().len(), 96);
        let game = FreeSquaresGame::new(&LAKES);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for count in [40, 30, 20, 10].repeat(10) {
            let free = random_squares(&game, count, &mut rng);
            for map in &symmetries {
                let image = |set| squares(set).fold(0, |all, at| all | 1 << map[at as usize]);
                assert_eq!(game.canonical(image(free)), game.canonical(free));
                for side in Side::BOTH {
                    assert_eq!(game.own(image(free), side), image(game.own(free, side)));
                    for square in squares(game.own(free, side)) {
                        let mapped = map[square as usize] as u32;
                        let after = game.after(image(free), mapped, side);
                        assert_eq!(after, image(game.after(free, square, side)));
                    }
                }
            }
        }
    }
}
