//! Properties of every Tablaaza game, on seeded random games.

use std::collections::HashSet;

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use tabulae_games::{
    EndReason, Event, Game, GameHistory, Illegal, Ply, Side, Square, Turn,
    tablaaza::{Cell, LAKES, Move, Position},
};

const GAMES: u64 = 200;

/// A random game to its end.
fn random_game(seed: u64) -> GameHistory<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut line = GameHistory::new(Position::start());
    loop {
        let moves = line.legal_moves();
        if moves.is_empty() {
            return line;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        line.push(Ply::Move(mv)).expect("a legal move plays");
    }
}

#[test]
fn the_pavilion_theorem_holds_at_the_end() {
    for seed in 0..2000 {
        let line = random_game(seed);
        let position = line.position();
        let end = line.turn().end().expect("over");
        assert_eq!(end.reason, EndReason::NoMoves);
        let (red, green) = (position.pavilions(Side::First), position.pavilions(Side::Second));
        let winner = if (red + green) % 2 == 1 {
            assert_eq!(red, green + 1, "seed {seed}: {position}");
            Side::First
        } else {
            assert_eq!(red, green, "seed {seed}: {position}");
            Side::Second
        };
        assert_eq!(end.winner, Some(winner), "seed {seed}: {position}");
        assert_eq!(position.closed(), LAKES.playing(), "seed {seed}: {position}");
    }
}

#[test]
fn every_square_is_legal_or_refused_without_a_change() {
    for seed in 0..GAMES {
        let line = random_game(seed);
        for number in 0..=line.len() {
            let position = line.at(number).expect("within the game");
            let legal: HashSet<_> = position.legal_moves().into_iter().collect();
            assert_eq!(legal.is_empty(), matches!(position.turn(), Turn::Over(_)));
            for file in 0..10 {
                for rank in 0..10 {
                    let mv = Move::new(Square::new(file, rank));
                    let mut after = *position;
                    match after.play(mv) {
                        Ok(events) => {
                            assert!(legal.contains(&mv));
                            let side = position.side();
                            assert_eq!(events[0], Event::Placed { at: mv.square(), side });
                            assert_eq!(after.at(mv.square()), Cell::Stone(side));
                            assert_eq!(after.side(), side.other());
                        }
                        Err(error) => {
                            assert!(!legal.contains(&mv), "{position}: {mv}: {error}");
                            assert_eq!(after, *position);
                            assert_eq!(legal.is_empty(), error == Illegal::GameOver);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn pavilions_rise_exactly_where_corridors_are_closed() {
    for seed in 0..GAMES {
        let line = random_game(seed);
        for number in 1..=line.len() {
            let (before, after) = (line.at(number - 1).unwrap(), line.at(number).unwrap());
            let side = before.side();
            let raised: Vec<_> = line
                .events(number)
                .iter()
                .filter_map(|event| match event {
                    Event::PavilionRaised { at, side: by } if *by == side => Some(*at),
                    _ => None,
                })
                .collect();
            assert!(raised.is_sorted());
            for square in after.squares().filter(|square| before.at(*square) == Cell::Free) {
                let closed = after.squares().all(|other| {
                    !in_one_corridor(after, square, other)
                        || after.colour(other) != Some(side)
                        || after.at(other) != Cell::Free
                });
                let theirs = after.colour(square) == Some(side.other());
                assert_eq!(theirs && closed, raised.contains(&square), "{after}: {square}");
            }
        }
    }
}

/// Whether two squares are in one rank or file with no lake between, without the
/// bitboards.
fn in_one_corridor(position: &Position, one: Square, other: Square) -> bool {
    let between = |from: u8, to: u8| from.min(to)..=from.max(to);
    one != other
        && if one.rank == other.rank {
            between(one.file, other.file).all(|file| !position.is_lake(Square::new(file, one.rank)))
        } else {
            one.file == other.file
                && between(one.rank, other.rank)
                    .all(|rank| !position.is_lake(Square::new(one.file, rank)))
        }
}

#[test]
fn texts_and_keys_round_trip() {
    for seed in 0..GAMES {
        let line = random_game(seed);
        for number in 0..=line.len() {
            let position = line.at(number).expect("within the game");
            let read = Position::parse(&position.to_string()).expect("its own text");
            assert_eq!(read, *position);
            assert_eq!(read.key(), position.key());
            for mv in position.legal_moves() {
                assert_eq!(position.parse_move(&mv.to_string()), Ok(mv));
                assert_eq!(position.parse_move(&position.notation(mv)), Ok(mv));
            }
        }
    }
}

#[test]
fn keys_of_different_positions_differ() {
    let mut texts = HashSet::new();
    let mut keys = HashSet::new();
    for seed in 0..GAMES {
        let line = random_game(seed);
        for number in 0..=line.len() {
            let position = line.at(number).expect("within the game");
            texts.insert(position.to_string());
            keys.insert(position.key());
        }
    }
    assert_eq!(texts.len(), keys.len());
}

#[test]
fn undo_restores_every_position() {
    for seed in 0..GAMES {
        let mut line = random_game(seed);
        let played: Vec<_> = line.plies().collect();
        let texts: Vec<_> = (0..=line.len()).map(|n| line.at(n).unwrap().to_string()).collect();
        for number in (0..played.len()).rev() {
            assert_eq!(line.undo(), Some(played[number]));
            assert_eq!(line.position().to_string(), texts[number]);
        }
        assert_eq!(line.undo(), None);
        for ply in played {
            line.push(ply).expect("it played before");
        }
        assert_eq!(line.position().to_string(), *texts.last().unwrap());
    }
}
