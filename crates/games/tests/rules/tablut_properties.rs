//! Properties of every Tablut game, on seeded random games.

use std::collections::{HashMap, HashSet};

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use tabulae_games::{
    End, EndReason, Event, Game, GameHistory, Ply, RuleSet, Square, Turn,
    tablut::{Move, Position, Rules, rule_sets},
};

const GAMES: u64 = 40;
const PLIES: usize = 160;

/// Plays seeded random games and calls `look` before each ply and at the end.
fn random_games(rules: &'static Rules, mut look: impl FnMut(&GameHistory<Position>)) {
    for seed in 0..GAMES {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut line = GameHistory::new(Position::start(rules));
        look(&line);
        while line.len() < PLIES {
            let moves = line.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            line.push(Ply::Move(mv)).unwrap();
            look(&line);
        }
    }
}

fn in_all_rules(check: impl Fn(&'static Rules)) {
    rule_sets().for_each(check);
}

fn board() -> impl Iterator<Item = Square> {
    (0..9).flat_map(|file| (0..9).map(move |rank| Square::new(file, rank)))
}

#[test]
fn legal_moves_play_and_all_others_are_refused_and_change_nothing() {
    in_all_rules(|rules| {
        random_games(rules, |line| {
            // 6561 pairs each: not at every ply.
            if line.len() % 40 != 17 {
                return;
            }
            let position = line.position();
            let legal: HashSet<_> = position.legal_moves().into_iter().collect();
            assert_eq!(
                legal.len(),
                position.legal_moves().len(),
                "twice the same move: {position}"
            );
            for from in board() {
                for to in board() {
                    let mv = Move::new(from, to);
                    let mut after = position.clone();
                    let played = after.play(mv);
                    assert_eq!(played.is_ok(), legal.contains(&mv), "{position} {mv}: {played:?}");
                    assert_eq!(played.is_err(), after == *position, "{position} {mv}");
                    assert_eq!(played.is_ok(), position.parse_move(&mv.to_string()).is_ok());
                }
            }
            for mv in [
                Move::new(Square::new(9, 0), Square::new(0, 0)),
                Move::new(Square::new(0, 0), Square::new(0, 200)),
            ] {
                assert!(position.clone().play(mv).is_err());
            }
        });
    });
}

#[test]
fn events_describe_every_change() {
    in_all_rules(|rules| {
        random_games(rules, |line| {
            let Some(number) = line.len().checked_sub(1) else { return };
            let before = line.at(number).unwrap();
            let after = line.at(number + 1).unwrap();
            let mut pieces: HashMap<_, _> = before.pieces().collect();
            let mut ended = None;
            for event in line.events(number + 1) {
                assert_eq!(ended, None, "nothing comes after the end");
                match *event {
                    Event::Slid { from, to } => {
                        let piece = pieces.remove(&from).unwrap();
                        assert_eq!(rules.side(piece.army()), before.side());
                        assert_eq!(pieces.insert(to, piece), None);
                    }
                    Event::Captured { at, side } => {
                        assert_eq!(side, before.side().other());
                        assert_eq!(rules.side(pieces.remove(&at).unwrap().army()), side);
                    }
                    Event::Announced(_) => assert_eq!(rules.set, RuleSet::TablutLinnaeus),
                    Event::Ended(end) => ended = Some(end),
                    other => panic!("{other:?} in Tablut"),
                }
            }
            assert_eq!(pieces, after.pieces().collect());
            assert_eq!(ended, line.turn().end(), "{before} to {after}");
        });
    });
}

#[test]
fn undo_restores_every_position() {
    in_all_rules(|rules| {
        random_games(rules, |line| {
            if line.len() % 40 != 0 && line.turn().end().is_none() {
                return;
            }
            let mut back = line.clone();
            while let Some(ply) = back.undo() {
                assert_eq!(Some(back.position()), line.at(back.len()));
                assert_eq!(Some(ply), line.ply(back.len() + 1));
                assert!(matches!(back.turn(), Turn::Move(side) if side == back.position().side()));
            }
            assert_eq!(back, GameHistory::new(Position::start(rules)));
        });
    });
}

#[test]
fn texts_round_trip_and_keys_are_updated() {
    in_all_rules(|rules| {
        let mut by_text: HashMap<String, Position> = HashMap::new();
        let mut by_key: HashMap<u64, String> = HashMap::new();
        random_games(rules, |line| {
            let position = line.position();
            let text = position.to_string();
            let read = Position::parse(rules, &text).unwrap();
            assert_eq!(read, *position);
            assert_eq!(read.key(), position.key(), "{text}");
            assert_eq!(read.to_string(), text);
            let known = by_text.entry(text.clone()).or_insert_with(|| position.clone());
            assert_eq!((known.key(), &*known), (position.key(), position));
            // Keys may collide, but not among a few thousand positions.
            assert_eq!(*by_key.entry(position.key()).or_insert_with(|| text.clone()), text);
        });
    });
}

#[test]
fn a_parsed_position_continues_like_its_game() {
    in_all_rules(|rules| {
        random_games(rules, |line| {
            let position = line.position();
            let read = Position::parse(rules, &position.to_string()).unwrap();
            // A captured king that the text shows parses as a standing one.
            if !matches!(position.king_end(), Some(End { reason: EndReason::KingCaptured, .. })) {
                assert_eq!(read.turn(), position.turn());
                assert_eq!(read.legal_moves(), position.legal_moves());
            }
        });
    });
}

#[test]
fn move_texts_round_trip_with_and_without_captures() {
    in_all_rules(|rules| {
        random_games(rules, |line| {
            let position = line.position();
            for mv in position.legal_moves() {
                assert_eq!(position.parse_move(&mv.to_string()), Ok(mv));
                let notation = position.notation(mv);
                assert_eq!(position.parse_move(&notation), Ok(mv));
                assert!(notation.starts_with(&mv.to_string()));
                let more = format!("{notation}xe1xe9");
                assert!(position.parse_move(&more).is_err(), "{position} {more}");
            }
        });
    });
}

#[test]
fn an_unchecked_move_is_the_same_as_one_by_play() {
    in_all_rules(|rules| {
        random_games(rules, |line| {
            let position = line.position();
            for mv in position.legal_moves() {
                let (mut played, mut applied) = (position.clone(), position.clone());
                let events = played.play(mv).unwrap();
                let taken = position.captures(mv);
                applied.play_unchecked(mv);
                assert_eq!(played, applied);
                let captured =
                    events.iter().filter(|event| matches!(event, Event::Captured { .. }));
                assert_eq!(taken.len() as usize, captured.count());
            }
        });
    });
}
