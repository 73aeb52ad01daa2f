//! The ledger: positions of the game from the empty board that are proven lost.
//!
//! `tabulae-lab prove tablaaza --ledger` makes it: an independent verifier plays one
//! side's moves against every reply, and the positions that arise with many free squares
//! are kept. `docs/tablaaza.md` tells what follows from them.

use std::{collections::HashSet, sync::LazyLock};

use thiserror::Error;

use super::{
    graph::BoardGraph,
    solve::{MoveOutcome, Solution, distinct_moves, position_after, solver_state},
    solver::ProvenPosition,
};
use tabulae_games::{
    Game, Side,
    tablaaza::{LAKES, Move, Position},
};

/// The first line of the file.
const HEADER: &[u8] = b"# tabulae tablaaza ledger 1\n";
/// Bits of a number's byte that hold a part of it; the highest tells that more follow.
const NUMBER_BITS: u32 = 7;

/// Positions of Tablaaza's board that are lost for the side to move. A position stands
/// for all that are symmetric to it, those with the colours exchanged among them.
///
/// ```
/// use tabulae_engines::Ledger;
/// use tabulae_games::{Game, Side, tablaaza::Position};
///
/// // Green mirrors every move.
/// let mut position = Position::start();
/// for mv in ["d4", "e4"] {
///     let mv = position.parse_move(mv)?;
///     position.play(mv)?;
/// }
/// assert!(Ledger::new(Side::Second, &[]).is_loss(&position));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ledger {
    graph: BoardGraph,
    /// By the code of the free squares, as Red to move would see them.
    lost: HashSet<u64>,
    /// The least number of free squares of these positions.
    floor: u32,
}

/// Why bytes are not a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// Another kind of file.
    #[error("not a ledger: expected '# tabulae tablaaza ledger 1' in the first line")]
    NotALedger,
    /// Bytes are missing or wrong from this position on, counted from 1.
    #[error("damaged from position {0} on")]
    Damaged(usize),
}

/// Writes positions with `side` to move that are lost, given by their free squares, as the
/// bytes of a ledger: a line of text, the side (0 is Red), then the positions in ascending
/// order, each as its difference to the one before, as LEB128.
///
/// ```
/// use tabulae_engines::{LedgerError, read_ledger, write_ledger};
/// use tabulae_games::Side;
///
/// let bytes = write_ledger(Side::Second, [0b11_1111, 0b11]);
/// assert_eq!(read_ledger(&bytes), Ok((Side::Second, vec![0b11, 0b11_1111])));
/// // The last number goes on, and there is no more.
/// let cut = [bytes, vec![0x80]].concat();
/// assert_eq!(read_ledger(&cut), Err(LedgerError::Damaged(3)));
/// assert_eq!(read_ledger(b"a text"), Err(LedgerError::NotALedger));
/// ```
pub fn write_ledger(side: Side, lost: impl IntoIterator<Item = u64>) -> Vec<u8> {
    let mut lost: Vec<u64> = lost.into_iter().collect();
    lost.sort_unstable();
    lost.dedup();
    let mut bytes = HEADER.to_vec();
    bytes.push(u8::from(side == Side::Second));
    let mut last = 0;
    for free in lost {
        let mut rest = free - last;
        last = free;
        while rest >> NUMBER_BITS != 0 {
            bytes.push(rest as u8 | 1 << NUMBER_BITS);
            rest >>= NUMBER_BITS;
        }
        bytes.push(rest as u8);
    }
    bytes
}

/// Reads the bytes of [`write_ledger`]: the side to move and the free squares.
///
/// # Errors
/// The bytes are no ledger or damaged.
pub fn read_ledger(bytes: &[u8]) -> Result<(Side, Vec<u64>), LedgerError> {
    let bytes = bytes.strip_prefix(HEADER).ok_or(LedgerError::NotALedger)?;
    let (side, mut bytes) = match bytes.split_first() {
        Some((0, rest)) => (Side::First, rest),
        Some((1, rest)) => (Side::Second, rest),
        _ => return Err(LedgerError::NotALedger),
    };
    let mut lost: Vec<u64> = Vec::new();
    while !bytes.is_empty() {
        let damaged = LedgerError::Damaged(lost.len() + 1);
        let end = bytes.iter().position(|byte| byte >> NUMBER_BITS == 0).ok_or(damaged)?;
        let (number, rest) = bytes.split_at(end + 1);
        bytes = rest;
        let bits = number.iter().rev().try_fold(0_u64, |bits, byte| {
            let low = u64::from(byte & ((1 << NUMBER_BITS) - 1));
            (bits.leading_zeros() >= NUMBER_BITS).then_some(bits << NUMBER_BITS | low)
        });
        let free = bits.and_then(|bits| lost.last().unwrap_or(&0).checked_add(bits));
        let free = free.filter(|free| free & !LAKES.playing() == 0).ok_or(damaged)?;
        if lost.last() == Some(&free) {
            return Err(damaged);
        }
        lost.push(free);
    }
    Ok((side, lost))
}

impl Ledger {
    /// The ledger of these positions with `side` to move.
    pub fn new(side: Side, lost: &[u64]) -> Self {
        let graph = BoardGraph::new(&LAKES);
        let code = |free: &u64| graph.position_code(*free, side == Side::First);
        let floor = lost.iter().map(|free| free.count_ones()).min().unwrap_or(u32::MAX);
        let lost = lost.iter().filter_map(code).collect();
        Self { graph, lost, floor }
    }

    /// The least number of free squares of its positions.
    pub(super) const fn floor(&self) -> u32 {
        self.floor
    }

    /// The ledger that comes with the program.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Ledger> = LazyLock::new(|| {
            // A page is downloaded: it has the large positions only.
            #[cfg(target_arch = "wasm32")]
            let bytes = include_bytes!("../../../../assets/engines/tablaaza-page.ledger");
            #[cfg(not(target_arch = "wasm32"))]
            let bytes = include_bytes!("../../../../assets/engines/tablaaza.ledger");
            // A test reads it.
            read_ledger(bytes).map_or_else(
                |_| Ledger::new(Side::First, &[]),
                |(side, lost)| Ledger::new(side, &lost),
            )
        });
        &SHIPPED
    }

    /// Whether the side to move is proven to lose: the position is here, or the opponent
    /// can answer each move on its mirror image. While the neighbourly rule binds the
    /// reply, all replies are looked up.
    pub fn is_loss(&self, position: &Position) -> bool {
        if *position.board() != LAKES {
            return false;
        }
        match solver_state(&self.graph, position) {
            Some(state) => {
                let is_red_to_move = position.side() == Side::First;
                let code = self.graph.position_code(state.free, is_red_to_move);
                code.is_some_and(|code| self.lost.contains(&code))
                    || self.graph.is_symmetry_loss(state.free)
            }
            None if position.is_neighbourly() => position
                .legal_moves()
                .into_iter()
                .all(|mv| self.winning_move(&position_after(position, mv)).is_some()),
            None => false,
        }
    }

    /// The first move that is proven to win.
    pub fn winning_move(&self, position: &Position) -> Option<Move> {
        let mut moves = position.legal_moves();
        moves.sort_unstable();
        moves.into_iter().find(|mv| self.is_loss(&position_after(position, *mv)))
    }

    /// What is proven of the moves of a position; none if no move is proven to win.
    pub fn solution(&self, position: &Position) -> Option<Solution> {
        let moves = distinct_moves(&self.graph, position).into_iter();
        let outcomes = moves.map(|mv| {
            let after = position_after(position, mv);
            let loses = || self.winning_move(&after).is_some().then_some(false);
            let wins = if self.is_loss(&after) { Some(true) } else { loses() };
            MoveOutcome { mv, wins, replies: Vec::new() }
        });
        let moves: Vec<_> = outcomes.collect();
        let has_win = moves.iter().any(|outcome| outcome.wins == Some(true));
        has_win.then(|| Solution { winner: Some(position.side()), moves, nodes: 0 })
    }

    /// The positions, for the solver's table.
    pub fn proofs(&self) -> Vec<ProvenPosition> {
        let lost = self
            .lost
            .iter()
            .map(|code| ProvenPosition { free: self.graph.squares_of_code(*code), wins: false });
        lost.collect()
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::*;
    use crate::tablaaza::solve::free_squares;

    fn position(moves: &[&str]) -> Position {
        moves.iter().fold(Position::start(), |position, mv| {
            position_after(&position, position.parse_move(mv).expect("legal"))
        })
    }

    #[test]
    fn by_the_shipped_ledger_three_first_moves_win() {
        let bytes = include_bytes!("../../../../assets/engines/tablaaza.ledger");
        let (side, lost) = read_ledger(bytes).expect("a ledger");
        assert_eq!((side, lost.len()), (Side::Second, 1_420_613));
        // Those of the page.
        let bytes = include_bytes!("../../../../assets/engines/tablaaza-page.ledger");
        let large: Vec<u64> = lost.into_iter().filter(|free| free.count_ones() >= 40).collect();
        assert_eq!(read_ledger(bytes), Ok((side, large)));
        let solution = Ledger::shipped().solution(&Position::start()).expect("solved");
        assert_eq!(solution.winner, Some(Side::First));
        let winning = solution.moves.iter().filter(|outcome| outcome.wins == Some(true));
        assert_eq!(
            winning.map(|outcome| outcome.mv.to_string()).collect::<Vec<_>>(),
            ["a1", "e1", "g1"]
        );
    }

    /// Down to the fewest free squares that it holds.
    #[test]
    fn the_shipped_ledger_has_an_answer_to_random_replies() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        for first in ["a1", "e1", "g1"].repeat(70) {
            let mut lost = position(&[first]);
            loop {
                let replies = lost.legal_moves();
                let answered = position_after(&lost, replies[rng.random_range(0..replies.len())]);
                // Red's stone and a pavilion may follow.
                if free_squares(&answered).count_ones() < 34 {
                    break;
                }
                let answer = Ledger::shipped().winning_move(&answered);
                lost = position_after(
                    &answered,
                    answer.unwrap_or_else(|| panic!("no answer in {answered}")),
                );
            }
        }
    }

    /// Among the positions with many free squares.
    #[test]
    fn the_shipped_ledger_has_an_answer_to_every_reply() {
        let ledger = Ledger::shipped();
        let (mut open, mut checked) =
            (["a1", "e1", "g1"].map(|first| position(&[first])).to_vec(), HashSet::new());
        while let Some(lost) = open.pop() {
            for reply in lost.legal_moves() {
                let answered = position_after(&lost, reply);
                let free = free_squares(&answered);
                // Red's stone and a pavilion may follow.
                if free.count_ones() < 41 || !checked.insert(ledger.graph.canonical_squares(free)) {
                    continue;
                }
                let answer = ledger.winning_move(&answered);
                open.push(position_after(
                    &answered,
                    answer.unwrap_or_else(|| panic!("{answered}")),
                ));
            }
        }
        assert!(checked.len() > 100, "{}", checked.len());
    }

    #[test]
    fn a_position_stands_for_its_symmetric_ones_and_for_those_before_it() {
        // As if Green to move had lost this; Red's last move was g1.
        let lost = position(&["a1", "b1", "g1"]);
        let free = lost.free(Side::First) | lost.free(Side::Second);
        let ledger = Ledger::new(Side::Second, &[free]);
        assert!(ledger.is_loss(&lost));
        // The board flipped.
        assert!(ledger.is_loss(&position(&["a7", "b7", "g7"])));
        assert!(!ledger.is_loss(&position(&["a1", "b1", "g7"])));
        let before = position(&["a1", "b1"]);
        let solution = ledger.solution(&before).expect("g1 wins");
        assert_eq!(solution.winner, Some(Side::First));
        // The columns d and e may change places with g and h.
        assert_eq!(ledger.winning_move(&before).map(|mv| mv.to_string()), Some("e1".to_owned()));
        assert_eq!(ledger.solution(&position(&["a1", "b3"])), None);
        // Green has other replies to a1, of which nothing is known.
        assert!(!ledger.is_loss(&position(&["a1"])));
    }
}
