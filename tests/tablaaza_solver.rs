//! The exact solver of Tablaaza against looking at everything.

use std::collections::HashMap;

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use serde_json::Value;
use tabulae::{
    engines::{
        EngineOptions, Info, Level, Proof, Request, Score, SearchLimits, Solution, SolveProgress,
        SolveSettings, StopSignal, search, solve,
    },
    games::{
        AnyPosition, Game, Line, Ply, RuleSet, Side, Turn,
        tablaaza::{Move, Position},
    },
};

const SETTINGS: SolveSettings =
    SolveSettings { memory_mib: 8, threads: 1, told_from: 20, first_only: false };

fn solved(position: &Position, settings: SolveSettings, known: &[Proof]) -> (Solution, Vec<Proof>) {
    let mut proofs = Vec::new();
    let mut keep = |progress: &SolveProgress| proofs.extend_from_slice(&progress.proofs);
    let solution = solve(position, settings, known, &StopSignal::default(), &mut keep);
    (solution, proofs)
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = *position;
    next.play(mv).expect("legal");
    next
}

fn free(position: &Position) -> u32 {
    (position.free(Side::First) | position.free(Side::Second)).count_ones()
}

/// Whether the side to move wins, by looking at everything.
fn wins(position: &Position, known: &mut HashMap<(u64, Side), bool>) -> bool {
    let key = (position.closed(), position.side());
    if let Some(wins) = known.get(&key) {
        return *wins;
    }
    let won = position.legal_moves().into_iter().any(|mv| !wins(&after(position, mv), known));
    known.insert(key, won);
    won
}

/// A position after random moves, with so many squares free or fewer.
fn random_position(most: u32, rng: &mut ChaCha8Rng) -> Option<Position> {
    let mut position = Position::start();
    while free(&position) > most {
        let moves = position.legal_moves();
        position = after(&position, moves[rng.random_range(0..moves.len())]);
    }
    matches!(position.turn(), Turn::Move(_)).then_some(position)
}

/// The moves that a solution leaves out because symmetry makes them equal to
/// others are not checked.
fn check(position: &Position, solution: &Solution, known: &mut HashMap<(u64, Side), bool>) {
    assert!(!solution.moves.is_empty(), "{position}");
    for outcome in &solution.moves {
        let expected = !wins(&after(position, outcome.mv), known);
        assert_eq!(outcome.wins, Some(expected), "{position}: {}", outcome.mv);
    }
    let side = position.side();
    let winner = if wins(position, known) { side } else { side.other() };
    assert_eq!(solution.winner, Some(winner), "{position}");
}

#[test]
fn thousands_of_ends_are_solved_as_by_looking_at_everything() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut positions, mut moves) = (0, 0);
    for _ in 0..400 {
        let most = rng.random_range(4..=15);
        let Some(position) = random_position(most, &mut rng) else { continue };
        let solution = solved(&position, SolveSettings { memory_mib: 1, ..SETTINGS }, &[]).0;
        check(&position, &solution, &mut HashMap::new());
        positions += 1;
        moves += solution.moves.len();
    }
    assert!(positions > 350 && moves > 1500, "{positions} {moves}");
}

#[test]
fn larger_ends_are_solved_as_by_looking_at_everything() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for most in [17, 18, 19] {
        let position = random_position(most, &mut rng).expect("goes on");
        check(&position, &solved(&position, SETTINGS, &[]).0, &mut HashMap::new());
    }
}

#[test]
#[ignore = "minutes; wants a release build: cargo test --release --test tablaaza_solver -- --ignored"]
fn many_larger_ends_are_solved_as_by_looking_at_everything() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..300 {
        let most = rng.random_range(16..=24);
        let position = random_position(most, &mut rng).expect("goes on");
        check(&position, &solved(&position, SETTINGS, &[]).0, &mut HashMap::new());
    }
}

#[test]
fn the_vectors_are_solved() {
    let mut cases = 0;
    for line in include_str!("vectors/tablaaza-endgames.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect("a case is JSON");
        let position = Position::parse(case["fen"].as_str().expect("text")).expect("a position");
        let solution = solved(&position, SETTINGS, &[]).0;
        let winner = if case["winner"] == "R" { Side::First } else { Side::Second };
        assert_eq!(solution.winner, Some(winner), "{position}");
        for outcome in &solution.moves {
            let listed = case["winning_moves"].as_array().expect("moves");
            let wins = listed.iter().any(|mv| *mv == outcome.mv.to_string());
            assert_eq!(outcome.wins, Some(wins), "{position}: {}", outcome.mv);
        }
        cases += 1;
    }
    assert_eq!(cases, 6);
}

#[test]
fn squares_without_neighbours_and_odd_boards_are_solved_by_the_rules() {
    // Stones taken off leave squares without a neighbour that are free all the
    // same, which no game leads to: the other side's next move closes them.
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut lonely = 0;
    for _ in 0..400 {
        let Some(position) = random_position(8, &mut rng) else { continue };
        let stones: String =
            position
                .to_string()
                .chars()
                .map(|mark| {
                    if mark.is_ascii_lowercase() && rng.random_range(0..9) == 0 {
                        '1'
                    } else {
                        mark
                    }
                })
                .collect();
        let Ok(position) = Position::parse(&format!("{} r", &stones[..stones.len() - 2])) else {
            continue;
        };
        if free(&position) > 14 || !matches!(position.turn(), Turn::Move(_)) {
            continue;
        }
        lonely += 1;
        check(&position, &solved(&position, SETTINGS, &[]).0, &mut HashMap::new());
    }
    assert!(lonely > 50, "{lonely}");
}

#[test]
fn several_threads_find_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..3 {
        let position = random_position(20, &mut rng).expect("goes on");
        let one = solved(&position, SETTINGS, &[]).0;
        let three = solved(&position, SolveSettings { threads: 3, ..SETTINGS }, &[]).0;
        assert_eq!((one.winner, one.moves), (three.winner, three.moves), "{position}");
    }
}

#[test]
fn what_was_proven_helps_and_changes_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let position = random_position(23, &mut rng).expect("goes on");
    let (cold, proofs) = solved(&position, SETTINGS, &[]);
    assert!(!proofs.is_empty());
    let (warm, _) = solved(&position, SETTINGS, &proofs);
    assert_eq!((&warm.winner, &warm.moves), (&cold.winner, &cold.moves));
    assert!(warm.nodes < cold.nodes / 2, "{} {}", warm.nodes, cold.nodes);
}

#[test]
fn who_was_stopped_goes_on_and_finds_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let position = random_position(23, &mut rng).expect("goes on");
    let (whole, _) = solved(&position, SETTINGS, &[]);
    let (stop, mut known) = (StopSignal::default(), Vec::new());
    let mut keep = |progress: &SolveProgress| {
        known.extend_from_slice(&progress.proofs);
        stop.stop();
    };
    let part = solve(&position, SETTINGS, &[], &stop, &mut keep);
    for (part, whole) in part.moves.iter().zip(&whole.moves) {
        assert!(part.wins.is_none() || part.wins == whole.wins, "{position}: {}", part.mv);
    }
    let (rest, _) = solved(&position, SETTINGS, &known);
    assert_eq!((rest.winner, rest.moves), (whole.winner, whole.moves), "{position}");
}

#[test]
fn who_can_answer_across_the_middle_wins_from_the_first_move_on() {
    // After 1. d4 e4 Green answers every move on the square a half turn away.
    let start = Position::start();
    let position = after(&start, start.parse_move("d4").expect("legal"));
    let (stop, settings) = (StopSignal::default(), SolveSettings { first_only: true, ..SETTINGS });
    // The other answers are not to be searched for long.
    let mut limit = |progress: &SolveProgress| {
        if progress.nodes > 2_000_000 {
            stop.stop();
        }
    };
    let solution = solve(&position, settings, &[], &stop, &mut limit);
    assert_eq!(solution.winner, Some(Side::Second));
    let e4 = solution.moves.iter().find(|outcome| outcome.mv.to_string() == "e4");
    assert_eq!(e4.and_then(|outcome| outcome.wins), Some(true));
}

/// What the engine says of a position.
fn master(position: Position, limits: SearchLimits) -> (Option<String>, Option<Info>) {
    let line = Line::new(AnyPosition::Tablaaza(position));
    let options = EngineOptions { level: Level::Master, hash_mib: 16, ..EngineOptions::default() };
    let mut last = None;
    let best = search(&Request { line, limits, options }, &StopSignal::default(), &mut |info| {
        last = Some(info.clone());
    });
    (best.map(|mv| mv.to_string()), last)
}

#[test]
fn the_engine_is_exact_and_says_so() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let limits = SearchLimits { nodes: Some(3_000_000), ..SearchLimits::default() };
    for most in [8, 14, 17, 18, 20, 21] {
        let position = random_position(most, &mut rng).expect("goes on");
        let solution = solved(&position, SETTINGS, &[]).0;
        let (best, info) = master(position, limits);
        let info = info.expect("one look at least");
        assert!(info.exact, "{position}");
        let won = solution.winner == Some(position.side());
        match info.score {
            Score::Win(plies) => assert!(won && plies <= free(&position), "{position}"),
            Score::Loss(plies) => assert!(!won && plies <= free(&position), "{position}"),
            Score::Points(_) => panic!("{position} is not judged but known"),
        }
        if won {
            let replied =
                after(&position, position.parse_move(&best.expect("a move")).expect("legal"));
            let reply = solved(&replied, SETTINGS, &[]).0;
            assert_eq!(reply.winner, Some(position.side()), "{position}");
        }
    }
    // With fifty squares free it is not.
    let (_, info) =
        master(Position::start(), SearchLimits { nodes: Some(1000), ..SearchLimits::default() });
    assert!(!info.expect("one look").exact);
}

/// A game of the Master with itself, quickly, and its positions.
fn own_game(seed: u64) -> Vec<Position> {
    let mut line = Line::new(AnyPosition::start(RuleSet::Tablaaza));
    let mut positions = Vec::new();
    while matches!(line.turn(), Turn::Move(_))
        && let AnyPosition::Tablaaza(position) = *line.position()
    {
        positions.push(position);
        let limits = SearchLimits { nodes: Some(2000), ..SearchLimits::default() };
        let options =
            EngineOptions { level: Level::Master, hash_mib: 16, seed, ..EngineOptions::default() };
        let request = Request { line: line.clone(), limits, options };
        let best = search(&request, &StopSignal::default(), &mut |_| ()).expect("a move is due");
        line.push(Ply::Move(best)).expect("legal");
    }
    positions
}

/// Prints how many of a hundred positions of the engine's own games with about
/// thirty free squares, and about twenty-six, are exact within a second, and how
/// long they take.
#[test]
#[ignore = "minutes, and a clock: cargo test --release --test tablaaza_solver -- --ignored --nocapture hundred"]
fn a_hundred_positions_of_own_games() {
    let second = std::time::Duration::from_secs(1);
    for most in [30, 26] {
        let (mut exact, mut times) = (0, Vec::new());
        for seed in 0..100 {
            let positions = own_game(seed);
            let Some(position) = positions.into_iter().find(|position| free(position) <= most)
            else {
                continue;
            };
            let limits = SearchLimits { movetime: Some(second), ..SearchLimits::default() };
            let (_, info) = master(position, limits);
            let info = info.expect("one look");
            exact += u32::from(info.exact);
            times.push(info.time.as_millis());
        }
        times.sort_unstable();
        let at = |part: usize| times[times.len() * part / 100];
        println!(
            "{most} free squares: {exact} of {} exact within a second; half within {} ms, 95 % within {} ms",
            times.len(),
            at(50),
            at(95)
        );
    }
}
