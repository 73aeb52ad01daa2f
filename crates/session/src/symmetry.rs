//! Which positions are the same: those that the symmetries of a game make equal have one
//! key. Books, the index of games and puzzles look positions up by it.

use tabulae_engines::tablaaza_symmetry_code;
use tabulae_games::{AnyPosition, Game as _, Side, Throw, splitmix64, tablaaza};

/// Bits of a key. With 100,000 positions, one of a thousand million lookups finds
/// a position that is not there.
pub(crate) const KEY_BITS: u32 = 48;

/// The key of a position among those of its rules.
///
/// Tablut is folded by the eight symmetries of the square. In Tablan the side to move
/// sees the board from its own side. In Tablaaza only the free squares matter, folded
/// by the symmetries of the corridors; until Green has answered Red's first stone, the
/// neighbourly rule depends on the true squares, and only the flip of the rows is used.
///
/// ```
/// use tabulae_games::{AnyPosition, RuleSet};
/// use tabulae_session::position_key;
///
/// let texts = ["4B4/9/9/9/9/9/4K4/9/9 w", "9/9/9/9/B5K2/9/9/9/9 w"];
/// let [one, other] =
///     texts.map(|text| AnyPosition::parse(RuleSet::TablutBerkeley, text).unwrap());
/// assert_eq!(position_key(&one), position_key(&other));
/// ```
pub fn position_key(position: &AnyPosition) -> u64 {
    let words = match position {
        AnyPosition::Tablut(position) => {
            let text = least_image(&position.to_string());
            return hash(text.bytes().map(u64::from));
        }
        AnyPosition::Tablan(position) => {
            let (own, other) = (position.side(), position.side().other());
            let throw = position.pending().map_or(0, |throw: Throw| u64::from(throw.score()) + 1);
            [position.places(own), position.places(other), throw]
        }
        AnyPosition::Tablaaza(position) => tablaaza_words(position),
    };
    hash(words.into_iter())
}

/// The least of the images of a position of Tablut: its squares from the top, then the side.
fn least_image(text: &str) -> String {
    let (rows, side) = text.split_once(' ').unwrap_or((text, ""));
    let cells: Vec<char> = rows
        .chars()
        .filter(|mark| *mark != '/')
        .flat_map(|mark| match mark.to_digit(10) {
            Some(run) => vec!['.'; run as usize],
            None => vec![mark],
        })
        .collect();
    let image = |symmetry: usize| -> String {
        let cell = |at: usize| {
            let [mut row, mut column] = [at / 9, at % 9];
            if symmetry & 1 != 0 {
                row = 8 - row;
            }
            if symmetry & 2 != 0 {
                column = 8 - column;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            cells.get(9 * row + column).copied().unwrap_or('.')
        };
        (0..81).map(cell).collect()
    };
    format!("{} {side}", (0..8).map(image).min().unwrap_or_default())
}

fn tablaaza_words(position: &tablaaza::Position) -> [u64; 3] {
    let side = position.side().index() as u64;
    let stones = Side::BOTH.map(|side| position.stones(side));
    if stones[1] == 0 && stones[0].count_ones() <= 1 {
        let flip = |squares: u64| {
            let ranks = u32::from(position.board().ranks());
            (0..ranks).fold(0, |image, rank| {
                image | (squares >> (8 * rank) & 0xff) << (8 * (ranks - 1 - rank))
            })
        };
        let closed = position.closed();
        let (upright, flipped) = ((stones[0], closed), (flip(stones[0]), flip(closed)));
        let (stone, closed) = upright.min(flipped);
        return [stone, closed, 2 | side];
    }
    let free = position.free(Side::First) | position.free(Side::Second);
    [tablaaza_symmetry_code(free), 0, side]
}

fn hash(words: impl Iterator<Item = u64>) -> u64 {
    let hash = words.fold(0, |hash, word| splitmix64(splitmix64(hash) ^ word));
    hash >> (u64::BITS - KEY_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::{GameHistory, RuleSet};

    fn after(rules: RuleSet, moves: &str) -> u64 {
        let mut game = GameHistory::new(AnyPosition::start(rules));
        for text in moves.split_whitespace() {
            let ply = game.parse(text).unwrap();
            game.push(ply).unwrap();
        }
        position_key(game.position())
    }

    #[test]
    fn the_four_rotations_of_a_first_move_of_tablut_are_one_position() {
        let rules = RuleSet::TablutAshton;
        let keys = ["e4-f4", "e4-d4", "d5-d6", "f5-f4", "e6-d6"].map(|mv| after(rules, mv));
        assert!(keys.iter().all(|key| *key == keys[0]), "{keys:x?}");
        assert_ne!(after(rules, "e4-g4"), keys[0]);
    }

    #[test]
    fn before_green_has_answered_only_the_flip_folds_tablaaza() {
        let rules = RuleSet::Tablaaza;
        // a1 and its flip a7; e1 is its image by the corridors, but has other neighbours.
        assert_eq!(after(rules, "a1"), after(rules, "a7"));
        assert_ne!(after(rules, "a1"), after(rules, "e1"));
        // Afterwards the columns of the pairs a and b, e and d are exchanged.
        assert_eq!(after(rules, "a1 b1"), after(rules, "e1 d1"));
    }

    #[test]
    fn the_sides_of_tablan_are_folded() {
        let texts = ["12/10NS/12/NNN9 s t1", "12/10NS/12/NNN9 s t4"];
        let keys =
            texts.map(|text| position_key(&AnyPosition::parse(RuleSet::Tablan, text).unwrap()));
        assert_ne!(keys[0], keys[1], "the throw counts");
        let mut mirrored = AnyPosition::start(RuleSet::Tablan).to_string();
        let south = position_key(&AnyPosition::parse(RuleSet::Tablan, &mirrored).unwrap());
        mirrored = mirrored.replace("?s", "?n");
        assert_eq!(position_key(&AnyPosition::parse(RuleSet::Tablan, &mirrored).unwrap()), south);
    }
}
