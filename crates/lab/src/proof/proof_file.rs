//! Proof files and their verifier.
//!
//! Architecture invariant: the verifier is independent of the engine. By the
//! rules alone, it plays the winner's moves from the file against every reply
//! of the loser, down to positions small enough for an exhaustive search.

use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

use tabulae_engines::MoveOracle;
use tabulae_games::{
    Game, Side, Square, Turn,
    tablaaza::{Move, Position},
};

use super::{free_squares::FreeSquaresGame, verifier::ExhaustiveSearch};

const TITLE: &str = "tabulae solve tablaaza proof 1";

/// A proof that a side wins: its move in each position that can arise.
///
/// As text: the title, `position POSITION`, `winner r` or `g`, `floor N`, then
/// a line for each position with the winner to move and more than N free
/// squares: the free squares in hexadecimal (bit 0 is a1, bit 8 a2) and the
/// move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProofFile {
    pub(crate) position: Position,
    pub(crate) winner: Side,
    /// Positions with at most this many free squares are searched exhaustively.
    pub(crate) floor: u32,
    pub(crate) moves: Vec<(u64, Move)>,
}

const fn side_letter(side: Side) -> char {
    match side {
        Side::First => 'r',
        Side::Second => 'g',
    }
}

/// The free squares of both colours.
pub(crate) fn free_squares(position: &Position) -> u64 {
    position.free(Side::First) | position.free(Side::Second)
}

/// Time between two calls of the progress report.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

impl ProofFile {
    /// Fills in the winner's moves, as the oracle names them. `on_progress` is called now and
    /// then with the number of moves. False if they are more than `max_moves`, or if the
    /// oracle knows none somewhere.
    pub(crate) fn find_moves(
        &mut self,
        max_moves: usize,
        oracle: &mut MoveOracle<'_>,
        on_progress: &mut dyn FnMut(usize),
    ) -> bool {
        let game = FreeSquaresGame::new(self.position.board());
        let mut last_report = Instant::now();
        let (mut open, mut seen) = (vec![self.position], HashSet::new());
        while let Some(position) = open.pop() {
            let free = free_squares(&position);
            let is_searched = free.count_ones() <= self.floor && is_decided(&game, &position);
            if is_searched || !seen.insert((free, position.side())) {
                continue;
            }
            if position.side() != self.winner {
                open.extend(position.legal_moves().into_iter().map(|mv| after(&position, mv)));
                continue;
            }
            let Some(mv) = winning_move(&game, &position, oracle) else { return false };
            self.moves.push((free, mv));
            if self.moves.len() > max_moves {
                return false;
            }
            open.push(after(&position, mv));
            if last_report.elapsed() >= PROGRESS_INTERVAL {
                last_report = Instant::now();
                on_progress(self.moves.len());
            }
        }
        true
    }

    pub(crate) fn write(&self) -> String {
        let mut moves = self.moves.clone();
        moves.sort_unstable();
        let lines: String = moves.iter().map(|(free, mv)| format!("{free:014x} {mv}\n")).collect();
        let (position, winner, floor) = (self.position, side_letter(self.winner), self.floor);
        format!("{TITLE}\nposition {position}\nwinner {winner}\nfloor {floor}\n{lines}")
    }

    /// Reads what [`ProofFile::write`] wrote.
    ///
    /// # Errors
    /// The line that is wrong, and what was expected.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().zip(1..);
        if lines.next().map(|(line, _)| line) != Some(TITLE) {
            return Err(format!("line 1: expected '{TITLE}'"));
        }
        let mut value = |name: &str| {
            let (line, at) = lines
                .next()
                .ok_or_else(|| format!("unexpected end of the file: expected '{name} …'"))?;
            let value = line.strip_prefix(name).and_then(|value| value.strip_prefix(' '));
            value
                .map(|value| (value, at))
                .ok_or_else(|| format!("line {at}: expected '{name} …', found '{line}'"))
        };
        let (text, at) = value("position")?;
        let position = Position::parse(text).map_err(|error| format!("line {at}: {error}"))?;
        let (text, at) = value("winner")?;
        let winner = Side::BOTH.into_iter().find(|side| text == side_letter(*side).to_string());
        let winner = winner.ok_or_else(|| format!("line {at}: expected r or g, found '{text}'"))?;
        let (text, at) = value("floor")?;
        let floor =
            text.parse().map_err(|_| format!("line {at}: expected a number, found '{text}'"))?;
        let mut moves = Vec::new();
        for (line, at) in lines {
            let read = line.split_once(' ').and_then(|(free, square)| {
                let square: Square = square.parse().ok()?;
                Some((u64::from_str_radix(free, 16).ok()?, Move::new(square)))
            });
            moves.push(read.ok_or_else(|| {
                format!(
                    "line {at}: expected free squares in hexadecimal and a move, found '{line}'"
                )
            })?);
        }
        Ok(Self { position, winner, floor, moves })
    }

    /// Plays the proof against every reply.
    ///
    /// # Errors
    /// Where the proof has no move, an illegal one, or ends in a loss.
    pub(crate) fn verify(&self) -> Result<VerifiedCount, String> {
        let moves: HashMap<u64, Move> = self.moves.iter().copied().collect();
        let game = FreeSquaresGame::new(self.position.board());
        let (mut search, mut seen, mut searched) = (ExhaustiveSearch::new(), HashSet::new(), 0);
        let mut open = vec![self.position];
        while let Some(position) = open.pop() {
            let free = free_squares(&position);
            // Within one game the free squares determine whether the neighbourly
            // rule applies.
            if !seen.insert((free, position.side())) {
                continue;
            }
            let is_winner_to_move = position.side() == self.winner;
            if let Turn::Over(end) = position.turn() {
                if end.winner != Some(self.winner) {
                    return Err(format!("the winner loses '{position}'"));
                }
            } else if free.count_ones() <= self.floor && !is_neighbourly_phase(&position) {
                searched += 1;
                if search.wins(&game, free, position.side()) != is_winner_to_move {
                    return Err(format!("the winner loses '{position}'"));
                }
            } else if is_winner_to_move {
                let mv = moves.get(&free).ok_or_else(|| format!("no move for '{position}'"))?;
                let mut next = position;
                next.play(*mv)
                    .map_err(|illegal| format!("illegal move {mv} in '{position}': {illegal}"))?;
                open.push(next);
            } else {
                for mv in position.legal_moves() {
                    let mut next = position;
                    next.play(mv).map_err(|illegal| {
                        format!("illegal move {mv} in '{position}': {illegal}")
                    })?;
                    open.push(next);
                }
            }
        }
        Ok(VerifiedCount { played: seen.len() - searched, searched })
    }
}

/// Whether the neighbourly rule applies to this move or the next one.
pub(super) fn is_neighbourly_phase(position: &Position) -> bool {
    position.is_neighbourly() || position.stones(Side::First) | position.stones(Side::Second) == 0
}

/// Whether the free squares alone decide what is legal, as the oracle needs it.
fn is_decided(game: &FreeSquaresGame, position: &Position) -> bool {
    !is_neighbourly_phase(position) && !game.has_isolated(free_squares(position))
}

/// The position after a legal move.
fn after(position: &Position, mv: Move) -> Position {
    let mut after = *position;
    _ = after.play(mv);
    after
}

/// A winning move of the side to move, if it has one.
fn winning_move(
    game: &FreeSquaresGame,
    position: &Position,
    oracle: &mut MoveOracle<'_>,
) -> Option<Move> {
    if is_decided(game, position) {
        let square = oracle(free_squares(position), position.side())? as u8;
        return Some(Move::new(Square::new(square % 8, square / 8)));
    }
    let mut moves = position.legal_moves();
    moves.sort_unstable();
    moves.into_iter().find(|&mv| winning_move(game, &after(position, mv), oracle).is_none())
}

/// How a proof was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VerifiedCount {
    /// Positions played through.
    pub(crate) played: usize,
    /// Positions searched exhaustively.
    pub(crate) searched: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four moves from the end: Red plays a1 or loses.
    fn proof_file() -> ProofFile {
        let position =
            Position::parse("rgrgrgrg/grgrgrgr/rg~gr~rg/gr~rg~gr/rg~gr~r1/grgrgrg1/1g1grgr1 r")
                .expect("a position");
        ProofFile { position, winner: Side::First, floor: 2, moves: Vec::new() }
    }

    #[test]
    fn proof_file_round_trips_and_malformed_one_is_rejected_with_its_line() {
        let mut proof = proof_file();
        proof.moves = vec![(5, Move::new(Square::new(0, 0)))];
        assert_eq!(ProofFile::read(&proof.write()), Ok(proof.clone()));
        let text = proof.write();
        for (from, to, error) in [
            ("proof 1", "proof 2", "line 1"),
            ("winner r", "winner x", "line 3: expected r or g"),
            ("floor 2", "floor", "line 4"),
            (" a1", " 1a", "line 5"),
        ] {
            let found = ProofFile::read(&text.replace(from, to)).expect_err("it is malformed");
            assert!(found.contains(error), "{found}");
        }
    }

    #[test]
    fn proof_without_moves_or_with_the_wrong_winner_is_rejected() {
        let mut proof = proof_file();
        assert!(proof.verify().expect_err("no moves").contains("no move for '"));
        // The whole position is searched: exactly one side wins.
        proof.floor = 50;
        let one = proof.verify().is_ok();
        proof.winner = Side::Second;
        assert_ne!(proof.verify().is_ok(), one);
    }
}
