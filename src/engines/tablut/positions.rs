//! Positions of self-play as bytes, so that games once played can be learnt
//! from again.
//!
//! A head, a line of text, says by which rules; then game after game, all
//! numbers little-endian. A game begins with eleven bytes: its seed (eight), its
//! result (0 for Black's win, 1 for a draw, 2 for White's), and how many
//! positions follow (two). A position is 36 bytes: the white soldiers and the
//! black ones, sets of sixteen bytes by the numbers of
//! [`squares`](super::squares); the king's square; 1 when Black is to move; what
//! the search found, two bytes, in points for White.

use super::{
    ground::{BOARD, Ground},
    selfplay::{Game, Seen},
    squares::bit,
    state::State,
};

/// Bytes of a game without its positions, and of a position.
const GAME: usize = 8 + 1 + 2;
const POSITION: usize = 16 + 16 + 1 + 1 + 2;

/// What such bytes begin with.
pub(super) fn head(ground: &Ground) -> Vec<u8> {
    format!("positions of {}\n", ground.rules.set).into_bytes()
}

/// A game and its positions.
pub(super) fn write(game: &Game, seed: u64) -> Vec<u8> {
    // A game has fewer plies than two bytes can count.
    let seen = &game.seen[..game.seen.len().min(usize::from(u16::MAX))];
    let mut bytes = Vec::with_capacity(GAME + seen.len() * POSITION);
    bytes.extend(seed.to_le_bytes());
    bytes.push((game.result * 2.0) as u8);
    bytes.extend((seen.len() as u16).to_le_bytes());
    for Seen { state, value } in seen {
        bytes.extend([state.white, state.black].into_iter().flat_map(u128::to_le_bytes));
        bytes.extend([state.king, u8::from(state.black_to_move)]);
        bytes.extend((*value as i16).to_le_bytes());
    }
    bytes
}

/// The games of such bytes with their seeds, in the order of these, and how many
/// of the bytes they are: a last game that was cut short is left out.
///
/// # Errors
/// The bytes are no positions by these rules; the text says why.
pub(super) fn read(bytes: &[u8], ground: &Ground) -> Result<(Vec<(u64, Game)>, usize), String> {
    if bytes.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let head = head(ground);
    let Some(mut rest) = bytes.strip_prefix(head.as_slice()) else {
        return Err(format!("it does not begin with '{}'", String::from_utf8_lossy(&head).trim()));
    };
    let mut games: Vec<(u64, Game)> = Vec::new();
    while let Some((seed, result, positions, behind)) = next(rest) {
        let wrong = || format!("game {} is none", games.len() + 1);
        let seen = positions.iter().map(|bytes| position(bytes, ground)).collect::<Option<_>>();
        let seen = seen.filter(|_| result < 3).ok_or_else(wrong)?;
        games.push((seed, Game { seen, result: f32::from(result) / 2.0 }));
        rest = behind;
    }
    games.sort_by_key(|(seed, _)| *seed);
    games.dedup_by_key(|(seed, _)| *seed);
    Ok((games, bytes.len() - rest.len()))
}

/// The next game's seed, result and positions, and what is behind it; none
/// where it is not all there.
fn next(bytes: &[u8]) -> Option<(u64, u8, &[[u8; POSITION]], &[u8])> {
    let (seed, rest) = bytes.split_first_chunk()?;
    let (&[result], rest) = rest.split_first_chunk()?;
    let (count, rest) = rest.split_first_chunk()?;
    let count = usize::from(u16::from_le_bytes(*count));
    let (positions, rest) = rest.split_at_checked(count * POSITION)?;
    Some((u64::from_le_bytes(*seed), result, positions.as_chunks().0, rest))
}

fn position(bytes: &[u8; POSITION], ground: &Ground) -> Option<Seen> {
    let (white, rest) = bytes.split_first_chunk()?;
    let (black, rest) = rest.split_first_chunk()?;
    let (&[king, turn], rest) = rest.split_first_chunk()?;
    let (value, _) = rest.split_first_chunk()?;
    let (white, black) = (u128::from_le_bytes(*white), u128::from_le_bytes(*black));
    let king_bit = if king < 128 { bit(king) & BOARD } else { 0 };
    let is_sound = king_bit != 0
        && (white | black) & !BOARD == 0
        && white & black == 0
        && (white | black) & king_bit == 0
        && turn < 2;
    is_sound.then(|| Seen {
        state: State::new(ground, white, black, king, turn == 1),
        value: i32::from(i16::from_le_bytes(*value)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engines::tablut::{ground_of, selfplay},
        games::tablut::{ASHTON, BERKELEY, Position},
    };

    fn some() -> (&'static Ground, Vec<u8>, Vec<Game>) {
        let ground = ground_of(&Position::start(ASHTON));
        let terms = selfplay::Terms { nodes: 40, opening: (2, 9), thinned: 2 };
        let games: Vec<_> = (5..8).map(|seed| selfplay::play([ground; 2], terms, seed)).collect();
        let written = (5..).zip(&games).flat_map(|(seed, game)| write(game, seed));
        (ground, head(ground).into_iter().chain(written).collect(), games)
    }

    fn told(game: &Game) -> Vec<(u64, [u128; 2], i32)> {
        let told = |seen: &Seen| (seen.state.key, [seen.state.white, seen.state.black], seen.value);
        game.seen.iter().map(told).collect()
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let (ground, bytes, games) = some();
        let (read, whole) = read(&bytes, ground).unwrap();
        assert_eq!(whole, bytes.len());
        assert_eq!(read.iter().map(|(seed, _)| *seed).collect::<Vec<_>>(), [5, 6, 7]);
        for ((_, read), game) in read.iter().zip(&games) {
            assert_eq!((told(read), read.result), (told(game), game.result));
            assert!(!game.seen.is_empty());
        }
    }

    #[test]
    fn a_game_without_positions_is_remembered() {
        let (ground, ..) = some();
        let game = Game { seen: Vec::new(), result: 0.5 };
        let bytes = [head(ground), write(&game, 9)].concat();
        let (read, _) = read(&bytes, ground).unwrap();
        assert_eq!((read.len(), read[0].0, read[0].1.seen.len(), read[0].1.result), (1, 9, 0, 0.5));
    }

    #[test]
    fn a_game_that_was_cut_short_is_left_out_and_no_other() {
        let (ground, bytes, games) = some();
        let last = bytes.len() - write(&games[2], 7).len();
        for end in [last + 1, last + GAME, bytes.len() - 1] {
            let (read, whole) = read(&bytes[..end], ground).unwrap();
            assert_eq!((read.len(), whole), (2, last), "{end}");
        }
    }

    #[test]
    fn what_is_no_position_is_refused_with_a_reason() {
        let (ground, mut bytes, _) = some();
        let other = ground_of(&Position::start(BERKELEY));
        let reason = read(&bytes, other).expect_err("by other rules");
        assert_eq!(reason, "it does not begin with 'positions of tablut/berkeley'");
        let king = head(ground).len() + GAME + POSITION + 32;
        bytes[king] = 0;
        assert_eq!(read(&bytes, ground).expect_err("no king"), "game 1 is none");
        assert!(read(&[], ground).unwrap().0.is_empty());
    }
}
