//! Positions of self-play as bytes, so that games once played can be learnt
//! from again.
//!
//! A head, a line of text, says by which rules; then 45 bytes a position, all
//! numbers little-endian: the white soldiers and the black ones, sets of
//! sixteen bytes by the numbers of [`squares`](super::squares); the king's
//! square; 1 when Black is to move; what the search found, two bytes, in points
//! for White; the game's result, 0 for Black's win, 1 for a draw, 2 for
//! White's; the game's seed, eight bytes. A game of which there is no position
//! has one where nothing stands and no king is.

use super::{
    ground::{BOARD, Ground},
    selfplay::{Game, Seen},
    squares::{NOWHERE, bit},
    state::State,
};

/// Bytes of a position.
const SIZE: usize = 16 + 16 + 1 + 1 + 2 + 1 + 8;

/// What such bytes begin with.
pub(super) fn head(ground: &Ground) -> Vec<u8> {
    format!("positions of {}\n", ground.rules.set).into_bytes()
}

/// A game's positions.
pub(super) fn write(game: &Game, seed: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(game.seen.len().max(1) * SIZE);
    let mut put = |men: [u128; 2], rest: [u8; 2], value: i16| {
        bytes.extend(men.into_iter().flat_map(u128::to_le_bytes));
        bytes.extend(rest);
        bytes.extend(value.to_le_bytes());
        bytes.push((game.result * 2.0) as u8);
        bytes.extend(seed.to_le_bytes());
    };
    if game.seen.is_empty() {
        put([0; 2], [NOWHERE, 0], 0);
    }
    for Seen { state, value } in &game.seen {
        let turn = u8::from(state.black_to_move);
        put([state.white, state.black], [state.king, turn], *value as i16);
    }
    bytes
}

/// The games of such bytes with their seeds, in the order of these, and how many
/// of the bytes they are: where the last position was cut short, its game is
/// left out.
///
/// # Errors
/// The bytes are no positions by these rules; the text says why.
pub(super) fn read(bytes: &[u8], ground: &Ground) -> Result<(Vec<(u64, Game)>, usize), String> {
    if bytes.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let head = head(ground);
    let Some(rest) = bytes.strip_prefix(head.as_slice()) else {
        return Err(format!("it does not begin with '{}'", String::from_utf8_lossy(&head).trim()));
    };
    let (positions, cut) = rest.as_chunks::<SIZE>();
    let mut games: Vec<(u64, Game)> = Vec::new();
    for (number, bytes) in positions.iter().enumerate() {
        let (seed, result, seen) =
            position(bytes, ground).ok_or_else(|| format!("position {} is none", number + 1))?;
        match games.last_mut().filter(|(last, game)| *last == seed && game.result == result) {
            Some((_, game)) => game.seen.extend(seen),
            None => games.push((seed, Game { seen: Vec::from_iter(seen), result })),
        }
    }
    let mut whole = bytes.len();
    if !cut.is_empty() {
        let last = games.pop().map_or(0, |(_, game)| game.seen.len().max(1));
        whole -= cut.len() + last * SIZE;
    }
    games.sort_by_key(|(seed, _)| *seed);
    games.dedup_by_key(|(seed, _)| *seed);
    Ok((games, whole))
}

fn position(bytes: &[u8; SIZE], ground: &Ground) -> Option<(u64, f32, Option<Seen>)> {
    let (white, rest) = bytes.split_first_chunk()?;
    let (black, rest) = rest.split_first_chunk()?;
    let (&[king, turn], rest) = rest.split_first_chunk()?;
    let (value, rest) = rest.split_first_chunk()?;
    let (&[result], rest) = rest.split_first_chunk()?;
    let (seed, _) = rest.split_first_chunk()?;
    let (white, black) = (u128::from_le_bytes(*white), u128::from_le_bytes(*black));
    let value = i32::from(i16::from_le_bytes(*value));
    let seed = u64::from_le_bytes(*seed);
    let king_bit = if king < 128 { bit(king) & BOARD } else { 0 };
    let is_empty = king == NOWHERE && white | black == 0;
    let is_sound = (king_bit != 0 || is_empty)
        && (white | black) & !BOARD == 0
        && white & black == 0
        && (white | black) & king_bit == 0
        && turn < 2
        && result < 3;
    is_sound.then(|| {
        let state = State::new(ground, white, black, king, turn == 1);
        (seed, f32::from(result) / 2.0, (!is_empty).then_some(Seen { state, value }))
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
    fn a_game_that_was_cut_short_is_left_out() {
        let (ground, bytes, games) = some();
        let (read, whole) = read(&bytes[..bytes.len() - 7], ground).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(whole, bytes.len() - games[2].seen.len() * SIZE);
    }

    #[test]
    fn what_is_no_position_is_refused_with_a_reason() {
        let (ground, mut bytes, _) = some();
        let other = ground_of(&Position::start(BERKELEY));
        let reason = read(&bytes, other).expect_err("by other rules");
        assert_eq!(reason, "it does not begin with 'positions of tablut/berkeley'");
        let king = head(ground).len() + SIZE + 32;
        bytes[king] = 0;
        assert_eq!(read(&bytes, ground).expect_err("no king"), "position 2 is none");
        assert!(read(&[], ground).unwrap().0.is_empty());
    }
}
