//! The symmetries of the board's graph, of which there are more than of its drawing.
//!
//! Outside the two columns with lakes, the columns form three pairs of neighbours:
//! a and b, e and d, g and h. The first of each pair has the same colours, and so has
//! the second. These maps keep the colours and every edge of the graph:
//!
//! - a permutation of the pairs;
//! - the exchange of rows 3 and 5 within one pair, since those rows have no corridor
//!   that leaves the pair;
//! - a flip of all rows.
//!
//! They generate 96 symmetries. Exchanging the two columns of every pair, and c with
//! f, keeps the edges and exchanges the colours.
//!
//! The neighbourly rule depends on the true coordinates. It is kept by the flip only.

use std::sync::LazyLock;

use super::bits::BitIter;
use tabulae_games::tablaaza::Board;

/// The pairs of columns, and last the two columns with lakes.
const PAIRS: [[usize; 2]; 4] = [[0, 1], [4, 3], [6, 7], [2, 5]];
/// Rows of the board.
const ROWS: usize = 7;
/// The lakes' rows, from 0: in them a corridor is one pair wide.
const LOW_ROW: usize = 2;
const MIDDLE_ROW: usize = 3;
const HIGH_ROW: usize = 4;
/// Bits of the code of a pair: the squares of its first column from the bottom, then
/// those of its second.
const PAIR_BITS: u32 = 14;
const PAIR_MASK: usize = (1 << PAIR_BITS) - 1;
/// The first column of a bitboard.
const COLUMN: u64 = 0x01_0101_0101_0101;
/// Gathers the bits of the first column from bit [`GATHERED`] on, without carries.
const GATHER: u64 = 1 << 49 | 1 << 42 | 1 << 35 | 1 << 28 | 1 << 21 | 1 << 14 | 1 << 7;
const GATHERED: u32 = 49;

/// What becomes of the squares of one pair.
#[derive(Clone, Copy, Debug)]
struct PairImages {
    /// The lesser code of the pair and of the pair with rows 3 and 5 exchanged.
    least: u16,
    /// The same after the flip.
    least_flipped: u16,
    /// The same after the flip and the exchange of the colours.
    least_mirrored: u16,
    /// Whether the flip with the exchange of colours maps the pair onto itself, and
    /// no square onto one that it sees.
    is_own_mirror: bool,
}

/// Tables for the symmetries, by the code of a pair.
#[derive(Debug)]
pub(super) struct Symmetries {
    pairs: Vec<PairImages>,
    /// The columns with lakes, flipped.
    flipped: Vec<u16>,
}

/// Made once, since every board with these symmetries has the same tables.
static TABLES: LazyLock<Symmetries> = LazyLock::new(Symmetries::new);

/// The bit of a square in the code of a pair.
const fn code_bit(column: usize, row: usize) -> usize {
    1 << (column * ROWS + row)
}

/// The code with each bit's column and row moved by `to`.
fn map_code(code: usize, to: impl Fn(usize, usize) -> (usize, usize)) -> usize {
    BitIter(code as u64).fold(0, |image, bit| {
        let (column, row) = to(bit / ROWS, bit % ROWS);
        image | code_bit(column, row)
    })
}

const fn exchange_rows(row: usize) -> usize {
    match row {
        LOW_ROW => HIGH_ROW,
        HIGH_ROW => LOW_ROW,
        other => other,
    }
}

impl Symmetries {
    /// The symmetries of a board with these edges; none if it lacks one of them.
    pub(super) fn of(
        board: &Board,
        neighbours: &[u64; 64],
        colours: [u64; 2],
    ) -> Option<&'static Self> {
        if (usize::from(board.ranks()), board.files()) != (ROWS, 8) {
            return None;
        }
        let swap = |from: usize, to: usize| {
            move |pair: usize| {
                if pair == from {
                    to
                } else if pair == to {
                    from
                } else {
                    pair
                }
            }
        };
        let flip = |row: usize| ROWS - 1 - row;
        let [red, green] = colours;
        // Permutations, exchanges and flips of all kinds are products of these.
        let generators: [(&dyn Fn(usize, usize, usize) -> [usize; 3], _); 5] = [
            (&|pair, column, row| [swap(0, 1)(pair), column, row], [red, green]),
            (&|pair, column, row| [swap(1, 2)(pair), column, row], [red, green]),
            (
                &|pair, column, row| {
                    [pair, column, if pair == 0 { exchange_rows(row) } else { row }]
                },
                [red, green],
            ),
            (&|pair, column, row| [pair, column, flip(row)], [red, green]),
            (&|pair, column, row| [pair, 1 - column, row], [green, red]),
        ];
        for (map, images) in generators {
            let image = |squares: u64| {
                BitIter(squares).fold(0, |image, square| {
                    let (file, row) = (square % 8, square / 8);
                    let Some(pair) = PAIRS.iter().position(|pair| pair.contains(&file)) else {
                        return image;
                    };
                    let column = usize::from(PAIRS[pair][1] == file);
                    let [pair, column, row] = map(pair, column, row);
                    image | 1_u64 << (8 * row + PAIRS[pair][column])
                })
            };
            let keeps_edges = BitIter(red | green).all(|square| {
                let to = image(1 << square).trailing_zeros() as usize;
                neighbours[to] == image(neighbours[square])
            });
            if !keeps_edges || image(red) != images[0] || image(green) != images[1] {
                return None;
            }
        }
        Some(&TABLES)
    }

    fn new() -> Self {
        let flip = |row: usize| ROWS - 1 - row;
        let least = |code: usize| {
            code.min(map_code(code, |column, row| (column, exchange_rows(row)))) as u16
        };
        let flipped = |code| map_code(code, |column, row| (column, flip(row)));
        let middle = code_bit(0, MIDDLE_ROW) | code_bit(1, MIDDLE_ROW);
        let pairs = (0..=PAIR_MASK).map(|code| {
            let mirrored = map_code(code, |column, row| (1 - column, flip(row)));
            PairImages {
                least: least(code),
                least_flipped: least(flipped(code)),
                least_mirrored: least(mirrored),
                // Only in the middle row do a square and its image share a corridor.
                is_own_mirror: mirrored == code && code & middle == 0,
            }
        });
        let pairs = pairs.collect();
        Self { pairs, flipped: (0..=PAIR_MASK).map(|code| flipped(code) as u16).collect() }
    }

    /// The same code, of 56 bits, for all symmetric positions, one bit for each square.
    #[inline]
    pub(super) fn code(&self, free: u64) -> u64 {
        let [one, two, three, lakes] = pair_codes(free);
        let pairs = [one, two, three].map(|code| &self.pairs[code]);
        let one = pack(pairs.map(|pair| pair.least), lakes as u16);
        let other = pack(pairs.map(|pair| pair.least_flipped), self.flipped[lakes]);
        one.min(other)
    }

    /// The squares with this code, one of the symmetric sets.
    pub(super) fn decode(code: u64) -> u64 {
        BitIter(code).fold(0, |squares, bit| {
            let (pair, bit) = (bit / PAIR_BITS as usize, bit % PAIR_BITS as usize);
            squares | 1 << (8 * (bit % ROWS) + PAIRS[pair][bit / ROWS])
        })
    }

    /// Whether a symmetry of order two that exchanges the colours maps the squares
    /// onto themselves, and none of them onto one that it sees.
    #[inline]
    pub(super) fn is_mirrored(&self, free: u64) -> bool {
        let [one, two, three, lakes] = pair_codes(free);
        if !self.pairs[lakes].is_own_mirror {
            return false;
        }
        let [one, two, three] = [one, two, three].map(|code| &self.pairs[code]);
        // Two pairs may be each other's image. No square of one sees one of the
        // other in the same row of the lakes, and the flip moves the other rows.
        let own = |pair: &PairImages| pair.is_own_mirror;
        let each_other = |pair: &PairImages, other: &PairImages| pair.least == other.least_mirrored;
        own(one) && (own(two) && own(three) || each_other(two, three))
            || own(two) && each_other(one, three)
            || own(three) && each_other(one, two)
    }
}

/// The codes of the pairs, the lakes' columns last.
#[inline]
fn pair_codes(free: u64) -> [usize; 4] {
    let column = |file: usize| ((free >> file & COLUMN).wrapping_mul(GATHER) >> GATHERED) & 0x7f;
    PAIRS.map(|[first, second]| (column(first) | column(second) << ROWS) as usize)
}

/// One code of all the pairs, in any order, and the lakes' columns.
#[inline]
fn pack([mut one, mut two, mut three]: [u16; 3], lakes: u16) -> u64 {
    if one > two {
        (one, two) = (two, one);
    }
    if two > three {
        (two, three) = (three, two);
    }
    if one > two {
        (one, two) = (two, one);
    }
    u64::from(one)
        | u64::from(two) << PAIR_BITS
        | u64::from(three) << (2 * PAIR_BITS)
        | u64::from(lakes) << (3 * PAIR_BITS)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::*;
    use crate::tablaaza::graph::BoardGraph;
    use tabulae_games::tablaaza::LAKES;

    /// All symmetries that keep the colours, as the image of each square.
    fn symmetries() -> Vec<[usize; 64]> {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let mut all = Vec::new();
        for (order, rows) in orders.iter().flat_map(|order| (0..16).map(move |rows| (order, rows)))
        {
            let mut image = [0; 64];
            for square in BitIter(LAKES.playing()) {
                let (file, mut row) = (square % 8, square / 8);
                let pair = PAIRS.iter().position(|pair| pair.contains(&file)).expect("a column");
                let column = usize::from(PAIRS[pair][1] == file);
                if rows >> pair & 1 == 1 && pair < 3 {
                    row = exchange_rows(row);
                }
                if rows >> 3 == 1 {
                    row = ROWS - 1 - row;
                }
                let to = if pair < 3 { order[pair] } else { pair };
                image[square] = 8 * row + PAIRS[to][column];
            }
            all.push(image);
        }
        all
    }

    fn image(map: &[usize; 64], squares: u64) -> u64 {
        BitIter(squares).fold(0, |image, square| image | 1 << map[square])
    }

    #[test]
    fn ninety_six_symmetries_keep_codes_and_closed_squares() {
        let graph = BoardGraph::new(&LAKES);
        let symmetries = symmetries();
        assert_eq!(symmetries.iter().collect::<HashSet<_>>().len(), 96);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..200 {
            let free = LAKES.playing() & (rng.random::<u64>() | rng.random::<u64>());
            let code = graph.code(free);
            assert_eq!(graph.code(Symmetries::decode(code)), code, "{free:x}");
            assert_eq!(code.count_ones(), free.count_ones(), "{free:x}");
            let mut images = HashSet::new();
            for map in &symmetries {
                let mapped = image(map, free);
                images.insert(mapped);
                assert_eq!(graph.code(mapped), code, "{free:x}");
                assert_eq!(mapped & graph.colours[0], image(map, free & graph.colours[0]));
                // A legal move becomes a legal move that closes the same squares.
                for square in BitIter(free) {
                    let closed = graph.closed_by(free, square);
                    assert_eq!(graph.closed_by(mapped, map[square]), image(map, closed));
                }
            }
            assert!(images.contains(&Symmetries::decode(code)), "{free:x}");
        }
    }

    #[test]
    fn different_orbits_have_different_codes() {
        let graph = BoardGraph::new(&LAKES);
        let symmetries = symmetries();
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..2000 {
            // Few squares, so that many sets are symmetric.
            let [one, two] = [(); 2].map(|()| {
                let mut squares = LAKES.playing();
                for _ in 0..4 {
                    squares &= rng.random::<u64>();
                }
                squares
            });
            let is_image = symmetries.iter().any(|map| image(map, one) == two);
            assert_eq!(graph.code(one) == graph.code(two), is_image, "{one:x} {two:x}");
        }
    }

    /// All symmetries of order two that exchange the colours.
    fn mirrors() -> Vec<[usize; 64]> {
        let exchanged = |square: usize| {
            let (file, row) = (square % 8, square / 8);
            let pair = PAIRS.iter().find(|pair| pair.contains(&file)).expect("a column");
            8 * row + if pair[0] == file { pair[1] } else { pair[0] }
        };
        let all = symmetries().into_iter().map(|map| {
            let mut mirror = [0; 64];
            for square in BitIter(LAKES.playing()) {
                mirror[square] = exchanged(map[square]);
            }
            mirror
        });
        all.filter(|map| BitIter(LAKES.playing()).all(|square| map[map[square]] == square))
            .collect()
    }

    #[test]
    fn mirrored_positions_are_lost_to_the_mirrored_replies() {
        let graph = BoardGraph::new(&LAKES);
        let mirrors = mirrors();
        assert_eq!(mirrors.len(), 40);
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut mirrored = 0;
        for _ in 0..4000 {
            // Symmetric under one of the mirrors, and often with a square missing.
            let map = &mirrors[rng.random_range(0..mirrors.len())];
            let half = LAKES.playing() & rng.random::<u64>();
            let mut free = half | image(map, half);
            if rng.random_range(0..4) == 0 {
                free &= free.wrapping_sub(1);
            }
            let allows = |map: &&[usize; 64]| {
                let sees_image = |square: usize| graph.neighbours[square] >> map[square] & 1 == 1;
                image(map, free) == free && !BitIter(free).any(sees_image)
            };
            let Some(map) = mirrors.iter().find(allows) else {
                assert!(!graph.is_symmetry_loss(free), "{free:x}");
                continue;
            };
            // The table knows all mirrors with the flip; without it rows 1, 2, 6 and
            // 7 must be closed, and every region is small.
            let outer_rows = 0x00ff_ff00_0000_ffff & LAKES.playing();
            assert!(graph.is_symmetry_loss(free) || free & outer_rows == 0, "{free:x}");
            mirrored += 1;
            // Whatever the side to move plays, its opponent has a reply.
            let mut left = free;
            let mut own = graph.colours[rng.random_range(0..2)];
            while left & own != 0 {
                let count = (left & own).count_ones() as usize;
                let square = BitIter(left & own).nth(rng.random_range(0..count)).expect("free");
                left &= !graph.closed_by(left, square);
                assert!(left >> map[square] & 1 == 1, "{free:x}: no reply on the image");
                left &= !graph.closed_by(left, map[square]);
                assert_eq!(image(map, left), left, "{free:x}");
                // Isolated squares are left out, as in the solver.
                own &= left;
            }
        }
        assert!(mirrored > 200, "{mirrored}");
    }
}
