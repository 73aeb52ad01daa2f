//! The file format of the training data: positions of self-play, so that a game is
//! played once and used in several trainings.
//!
//! The header is a line of text that names the rules. The games follow; all numbers
//! are little-endian. A game begins with eleven bytes: its seed (eight), its
//! result (0 for Black's win, 1 for a draw, 2 for White's), and the number of
//! its positions (two). A position is 36 bytes: the white soldiers and the black
//! ones, bitboards of sixteen bytes by the indices of
//! [`squares`](super::super::squares); the king's square; 1 when Black is to
//! move; the search's value, two bytes, in points for White.

use super::{
    super::{
        board::Board,
        rule_tables::RuleTables,
        squares::{BOARD, bit},
    },
    selfplay::{ScoredPosition, SelfPlayGame},
};

/// Bytes of a game without its positions.
const GAME_BYTES: usize = 8 + 1 + 2;
const POSITION_BYTES: usize = 16 + 16 + 1 + 1 + 2;

/// The first line of such a file.
pub(super) fn header(tables: &RuleTables) -> Vec<u8> {
    format!("positions of {}\n", tables.rules.set).into_bytes()
}

/// The bytes of a game and its positions.
pub(super) fn write(game: &SelfPlayGame, seed: u64) -> Vec<u8> {
    // A game has fewer plies than two bytes can count.
    let count = game.positions.len().min(usize::from(u16::MAX));
    let mut bytes = Vec::with_capacity(GAME_BYTES + count * POSITION_BYTES);
    bytes.extend(seed.to_le_bytes());
    bytes.push((game.result * 2.0) as u8);
    bytes.extend((count as u16).to_le_bytes());
    for ScoredPosition { board, value } in &game.positions[..count] {
        bytes.extend([board.white, board.black].into_iter().flat_map(u128::to_le_bytes));
        bytes.extend([board.king, u8::from(board.black_to_move)]);
        bytes.extend((*value as i16).to_le_bytes());
    }
    bytes
}

/// The games with their seeds, sorted by seed, and the number of bytes they take. A
/// last game that was cut short is left out.
///
/// # Errors
/// The bytes are not positions by these rules; the text says why.
pub(super) fn read(
    bytes: &[u8],
    tables: &RuleTables,
) -> Result<(Vec<(u64, SelfPlayGame)>, usize), String> {
    if bytes.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let header = header(tables);
    let Some(mut rest) = bytes.strip_prefix(header.as_slice()) else {
        return Err(format!(
            "it does not begin with '{}'",
            String::from_utf8_lossy(&header).trim()
        ));
    };
    let mut games: Vec<(u64, SelfPlayGame)> = Vec::new();
    while let Some((seed, result, positions, after)) = split_game(rest) {
        let invalid = || format!("game {} is none", games.len() + 1);
        let positions =
            positions.iter().map(|bytes| read_position(bytes, tables)).collect::<Option<_>>();
        let positions = positions.filter(|_| result < 3).ok_or_else(invalid)?;
        games.push((seed, SelfPlayGame { positions, result: f32::from(result) / 2.0 }));
        rest = after;
    }
    games.sort_by_key(|(seed, _)| *seed);
    games.dedup_by_key(|(seed, _)| *seed);
    Ok((games, bytes.len() - rest.len()))
}

/// The next game's seed, result and positions, and the bytes after it; `None`
/// where it is incomplete.
fn split_game(bytes: &[u8]) -> Option<(u64, u8, &[[u8; POSITION_BYTES]], &[u8])> {
    let (seed, rest) = bytes.split_first_chunk()?;
    let (&[result], rest) = rest.split_first_chunk()?;
    let (count, rest) = rest.split_first_chunk()?;
    let count = usize::from(u16::from_le_bytes(*count));
    let (positions, rest) = rest.split_at_checked(count * POSITION_BYTES)?;
    Some((u64::from_le_bytes(*seed), result, positions.as_chunks().0, rest))
}

fn read_position(bytes: &[u8; POSITION_BYTES], tables: &RuleTables) -> Option<ScoredPosition> {
    let (white, rest) = bytes.split_first_chunk()?;
    let (black, rest) = rest.split_first_chunk()?;
    let (&[king, turn], rest) = rest.split_first_chunk()?;
    let (value, _) = rest.split_first_chunk()?;
    let (white, black) = (u128::from_le_bytes(*white), u128::from_le_bytes(*black));
    let king_bit = if king < 128 { bit(king) & BOARD } else { 0 };
    let is_valid = king_bit != 0
        && (white | black) & !BOARD == 0
        && white & black == 0
        && (white | black) & king_bit == 0
        && turn < 2;
    is_valid.then(|| ScoredPosition {
        board: Board::from_bitboards(tables, white, black, king, turn == 1),
        value: i32::from(i16::from_le_bytes(*value)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablut::{
        squares::Bits,
        tables_of,
        train::selfplay::{SelfPlayOptions, play_game},
    };
    use tabulae_games::tablut::{ASHTON, BERKELEY, Position};

    fn sample() -> (&'static RuleTables, Vec<u8>, Vec<SelfPlayGame>) {
        let tables = tables_of(&Position::start(ASHTON));
        let options =
            SelfPlayOptions { nodes: 40, random_plies: (2, 9), thinned_interval: 2, openings: &[] };
        // Games with a quiet position.
        let games: Vec<_> = (0..)
            .map(|seed| play_game([tables; 2], options, seed))
            .filter(|game| !game.positions.is_empty())
            .take(3)
            .collect();
        let written = (5..).zip(&games).flat_map(|(seed, game)| write(game, seed));
        (tables, header(tables).into_iter().chain(written).collect(), games)
    }

    fn contents(game: &SelfPlayGame) -> Vec<(u64, [Bits; 2], i32)> {
        let content = |ScoredPosition { board, value }: &ScoredPosition| {
            (board.key, [board.white, board.black], *value)
        };
        game.positions.iter().map(content).collect()
    }

    #[test]
    fn written_games_read_back() {
        let (tables, bytes, games) = sample();
        let (read, whole) = read(&bytes, tables).unwrap();
        assert_eq!(whole, bytes.len());
        assert_eq!(read.iter().map(|(seed, _)| *seed).collect::<Vec<_>>(), [5, 6, 7]);
        for ((_, read), game) in read.iter().zip(&games) {
            assert_eq!((contents(read), read.result), (contents(game), game.result));
            assert!(!game.positions.is_empty());
        }
    }

    #[test]
    fn a_game_without_positions_reads_back() {
        let (tables, ..) = sample();
        let game = SelfPlayGame { positions: Vec::new(), result: 0.5 };
        let bytes = [header(tables), write(&game, 9)].concat();
        let (read, _) = read(&bytes, tables).unwrap();
        let (seed, game) = &read[0];
        assert_eq!((read.len(), *seed, game.positions.len(), game.result), (1, 9, 0, 0.5));
    }

    #[test]
    fn only_a_game_that_was_cut_short_is_left_out() {
        let (tables, bytes, games) = sample();
        let last = bytes.len() - write(&games[2], 7).len();
        for end in [last + 1, last + GAME_BYTES, bytes.len() - 1] {
            let (read, whole) = read(&bytes[..end], tables).unwrap();
            assert_eq!((read.len(), whole), (2, last), "{end}");
        }
    }

    #[test]
    fn invalid_positions_are_refused_with_a_reason() {
        let (tables, mut bytes, _) = sample();
        let other = tables_of(&Position::start(BERKELEY));
        let reason = read(&bytes, other).expect_err("by other rules");
        assert_eq!(reason, "it does not begin with 'positions of tablut/berkeley'");
        let king = header(tables).len() + GAME_BYTES + POSITION_BYTES + 32;
        bytes[king] = 0;
        assert_eq!(read(&bytes, tables).expect_err("no king"), "game 1 is none");
        assert!(read(&[], tables).unwrap().0.is_empty());
    }
}
