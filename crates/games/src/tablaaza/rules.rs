//! The rules of a stone: where Green may answer Red's first one, and which squares a stone
//! closes with pavilions.
//!
//! Sets of squares are bitboards, bit `8 * rank + file`.

use crate::Side;

/// Whether the neighbourly rule binds the next move: Green answers Red's first stone.
pub(super) const fn is_neighbourly(side: Side, stones: [u64; 2]) -> bool {
    matches!(side, Side::Second) && stones[0].count_ones() == 1 && stones[1] == 0
}

/// The neighbourly squares of a square: the adjacent ones, and those a knight's move away
/// that one of the two L-shaped paths reaches over the squares of `playing` only.
pub(super) const fn neighbourly_of(playing: u64, file: i8, rank: i8) -> u64 {
    let mut mask = 0;
    let mut df = -2;
    while df <= 2_i8 {
        let mut dr = -2;
        while dr <= 2_i8 {
            let near = match (df.abs(), dr.abs()) {
                (1, 0) | (0, 1) => true,
                (1, 2) | (2, 1) => {
                    is_path_open(playing, file, rank, df, 0, dr)
                        || is_path_open(playing, file, rank, 0, dr, df)
                }
                _ => false,
            };
            if near && bit_of(file + df, rank + dr) & playing != 0 {
                mask |= bit_of(file + df, rank + dr);
            }
            dr += 1;
        }
        df += 1;
    }
    mask
}

/// Whether the L-shaped path that goes `(df, dr)`, then `then` squares along the other
/// axis, has playing squares only.
const fn is_path_open(playing: u64, file: i8, rank: i8, df: i8, dr: i8, then: i8) -> bool {
    let (mut f, mut r) = (file, rank);
    while f != file + df || r != rank + dr {
        f += df.signum();
        r += dr.signum();
        if bit_of(f, r) & playing == 0 {
            return false;
        }
    }
    let mut left = then;
    while left != 0 {
        if dr == 0 {
            r += then.signum();
        } else {
            f += then.signum();
        }
        if bit_of(f, r) & playing == 0 {
            return false;
        }
        left -= then.signum();
    }
    true
}

/// The squares where a side raises pavilions with a move: those of the opponent's colour,
/// `others`, that see no square of its own that is left, `own`. `corridors` has the squares
/// that each square sees.
pub(super) const fn raised(corridors: &[u64; 64], own: u64, others: u64) -> u64 {
    let (mut rest, mut mask) = (others, 0);
    while rest != 0 {
        if corridors[rest.trailing_zeros() as usize % 64] & own == 0 {
            mask |= rest & rest.wrapping_neg();
        }
        rest &= rest - 1;
    }
    mask
}

/// The bit of a square; none for coordinates off the largest board, of 8 by 8.
pub(super) const fn bit_of(file: i8, rank: i8) -> u64 {
    if file < 0 || rank < 0 || file >= 8 || rank >= 8 { 0 } else { 1 << (8 * rank + file) }
}
