//! The exact solver of Tablaaza against exhaustive search.

use std::collections::HashMap;

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use tabulae_engines::{
    EngineOptions, Info, Level, ProvenPosition, Request, Score, SearchLimits, Solution,
    SolveOptions, SolveProgress, StopSignal, search, solve,
};
use tabulae_games::{
    AnyPosition, Game, GameHistory, Ply, RuleSet, Side, Turn,
    tablaaza::{Move, Position},
};

use crate::vectors::cases;

const OPTIONS: SolveOptions =
    SolveOptions { memory_mib: 8, threads: 1, min_proof_squares: 20, first_win_only: false };

fn solved(
    position: &Position,
    options: SolveOptions,
    known: &[ProvenPosition],
) -> (Solution, Vec<ProvenPosition>) {
    let mut proofs = Vec::new();
    let mut collect = |progress: &SolveProgress| proofs.extend_from_slice(&progress.new_proofs);
    let solution = solve(position, options, known, &StopSignal::default(), &mut collect);
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

/// Outcomes already found, by closed squares and side to move.
type Outcomes = HashMap<(u64, Side), bool>;

/// Whether the side to move wins, by exhaustive search.
fn wins(position: &Position, known: &mut Outcomes) -> bool {
    let key = (position.closed(), position.side());
    if let Some(wins) = known.get(&key) {
        return *wins;
    }
    let won = position.legal_moves().into_iter().any(|mv| !wins(&after(position, mv), known));
    known.insert(key, won);
    won
}

/// A position after random moves with at most this many free squares; none if
/// the game is over by then.
fn random_position(max_free: u32, rng: &mut ChaCha8Rng) -> Option<Position> {
    let mut position = Position::start();
    while free(&position) > max_free {
        let moves = position.legal_moves();
        position = after(&position, moves[rng.random_range(0..moves.len())]);
    }
    matches!(position.turn(), Turn::Move(_)).then_some(position)
}

/// Compares a solution with exhaustive search. The moves that it leaves out
/// because they are symmetric to others are not checked.
fn check(position: &Position, solution: &Solution, known: &mut Outcomes) {
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
fn solver_agrees_with_exhaustive_search_on_thousands_of_endgames() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut positions, mut moves) = (0, 0);
    for _ in 0..400 {
        let most = rng.random_range(4..=15);
        let Some(position) = random_position(most, &mut rng) else { continue };
        let solution = solved(&position, SolveOptions { memory_mib: 1, ..OPTIONS }, &[]).0;
        check(&position, &solution, &mut Outcomes::new());
        positions += 1;
        moves += solution.moves.len();
    }
    assert!(positions > 350 && moves > 1500, "{positions} {moves}");
}

#[test]
fn solver_agrees_with_exhaustive_search_on_larger_endgames() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for most in [17, 18, 19] {
        let position = random_position(most, &mut rng).expect("the game is not over");
        check(&position, &solved(&position, OPTIONS, &[]).0, &mut Outcomes::new());
    }
}

#[test]
#[ignore = "minutes; wants a release build: cargo test --release -p tabulae-engines --test engines -- --ignored larger_endgames"]
fn solver_agrees_with_exhaustive_search_on_many_larger_endgames() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..300 {
        let most = rng.random_range(16..=24);
        let position = random_position(most, &mut rng).expect("the game is not over");
        check(&position, &solved(&position, OPTIONS, &[]).0, &mut Outcomes::new());
    }
}

#[test]
fn solver_solves_the_endgame_vectors() {
    let mut solved_cases = 0;
    for case in cases("tablaaza-endgames.jsonl") {
        let position = Position::parse(case["fen"].as_str().expect("text")).expect("a position");
        let solution = solved(&position, OPTIONS, &[]).0;
        let winner = if case["winner"] == "R" { Side::First } else { Side::Second };
        assert_eq!(solution.winner, Some(winner), "{position}");
        for outcome in &solution.moves {
            let listed = case["winning_moves"].as_array().expect("moves");
            let wins = listed.iter().any(|mv| *mv == outcome.mv.to_string());
            assert_eq!(outcome.wins, Some(wins), "{position}: {}", outcome.mv);
        }
        solved_cases += 1;
    }
    assert_eq!(solved_cases, 6);
}

#[test]
fn isolated_squares_are_solved_by_the_rules() {
    // Removing stones leaves free squares without a free neighbour, which no
    // game leads to: the other side's next move closes them.
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut isolated = 0;
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
        isolated += 1;
        check(&position, &solved(&position, OPTIONS, &[]).0, &mut Outcomes::new());
    }
    assert!(isolated > 50, "{isolated}");
}

#[test]
fn several_threads_find_the_same_solution() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..3 {
        let position = random_position(20, &mut rng).expect("the game is not over");
        let one = solved(&position, OPTIONS, &[]).0;
        let three = solved(&position, SolveOptions { threads: 3, ..OPTIONS }, &[]).0;
        assert_eq!((one.winner, one.moves), (three.winner, three.moves), "{position}");
    }
}

#[test]
fn known_proofs_save_nodes_and_keep_the_solution() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let position = random_position(23, &mut rng).expect("the game is not over");
    let (cold, proofs) = solved(&position, OPTIONS, &[]);
    assert!(!proofs.is_empty());
    let (warm, _) = solved(&position, OPTIONS, &proofs);
    assert_eq!((&warm.winner, &warm.moves), (&cold.winner, &cold.moves));
    assert!(warm.nodes < cold.nodes / 2, "{} {}", warm.nodes, cold.nodes);
}

#[test]
fn stopped_solve_continues_to_the_same_solution() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let position = random_position(23, &mut rng).expect("the game is not over");
    let (whole, _) = solved(&position, OPTIONS, &[]);
    let (stop, mut known) = (StopSignal::default(), Vec::new());
    let mut collect = |progress: &SolveProgress| {
        known.extend_from_slice(&progress.new_proofs);
        stop.stop();
    };
    let part = solve(&position, OPTIONS, &[], &stop, &mut collect);
    for (part, whole) in part.moves.iter().zip(&whole.moves) {
        assert!(part.wins.is_none() || part.wins == whole.wins, "{position}: {}", part.mv);
    }
    let (rest, _) = solved(&position, OPTIONS, &known);
    assert_eq!((rest.winner, rest.moves), (whole.winner, whole.moves), "{position}");
}

#[test]
fn symmetric_replies_win_from_the_first_move() {
    // After 1. d4 e4 Green answers every move on the square a half turn away.
    let start = Position::start();
    let position = after(&start, start.parse_move("d4").expect("legal"));
    let (stop, options) = (StopSignal::default(), SolveOptions { first_win_only: true, ..OPTIONS });
    // Do not search the other replies for long.
    let mut limit = |progress: &SolveProgress| {
        if progress.nodes > 2_000_000 {
            stop.stop();
        }
    };
    let solution = solve(&position, options, &[], &stop, &mut limit);
    assert_eq!(solution.winner, Some(Side::Second));
    let e4 = solution.moves.iter().find(|outcome| outcome.mv.to_string() == "e4");
    assert_eq!(e4.and_then(|outcome| outcome.wins), Some(true));
}

/// The engine's move for a position and its last report.
fn master(position: Position, limits: SearchLimits) -> (Option<String>, Option<Info>) {
    let history = GameHistory::new(AnyPosition::Tablaaza(position));
    let options = EngineOptions { level: Level::Master, hash_mib: 16, ..EngineOptions::default() };
    let mut last = None;
    let best = search(&Request { history, limits, options }, &StopSignal::default(), &mut |info| {
        last = Some(info.clone());
    });
    (best.map(|mv| mv.to_string()), last)
}

#[test]
fn engine_reports_exact_endgame_scores() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let limits = SearchLimits { nodes: Some(3_000_000), ..SearchLimits::default() };
    for most in [8, 14, 17, 18, 20, 21] {
        let position = random_position(most, &mut rng).expect("the game is not over");
        let solution = solved(&position, OPTIONS, &[]).0;
        let (best, info) = master(position, limits);
        let info = info.expect("one iteration at least");
        assert!(info.exact, "{position}");
        let won = solution.winner == Some(position.side());
        match info.score {
            Score::Win(plies) => assert!(won && plies <= free(&position), "{position}"),
            Score::Loss(plies) => assert!(!won && plies <= free(&position), "{position}"),
            Score::Points(_) => panic!("{position} is decided, not evaluated"),
        }
        if won {
            let replied =
                after(&position, position.parse_move(&best.expect("a move")).expect("legal"));
            let reply = solved(&replied, OPTIONS, &[]).0;
            assert_eq!(reply.winner, Some(position.side()), "{position}");
        }
    }
    // With 49 squares free, and nothing of it in the ledger, the score is not exact.
    let start = Position::start();
    let open = after(&start, start.parse_move("f2").expect("legal"));
    let limits = SearchLimits { nodes: Some(1000), ..SearchLimits::default() };
    assert!(!master(open, limits).1.expect("one iteration").exact);
}

/// By the ledger, while it reaches, whatever Green plays.
#[test]
fn engine_wins_for_certain_from_the_empty_board() {
    let limits = SearchLimits { nodes: Some(1000), ..SearchLimits::default() };
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    for _ in 0..20 {
        let mut position = Position::start();
        while free(&position) > 34 {
            let (best, info) = master(position, limits);
            let info = info.expect("a report");
            assert!(info.exact && matches!(info.score, Score::Win(_)), "{position}: {info:?}");
            let mv = position.parse_move(&best.expect("a move")).expect("legal");
            position = after(&position, mv);
            let moves = position.legal_moves();
            position = after(&position, moves[rng.random_range(0..moves.len())]);
        }
    }
}

#[test]
fn engine_wins_for_certain_where_it_can_mirror() {
    let limits = SearchLimits { nodes: Some(2000), ..SearchLimits::default() };
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for first in ["b4", "d4", "h4"] {
        let start = Position::start();
        let mut position = after(&start, start.parse_move(first).expect("legal"));
        // Green answers every move; the smaller positions are the solver's.
        while free(&position) > 24 {
            let (best, info) = master(position, limits);
            let info = info.expect("a report");
            assert!(info.exact && matches!(info.score, Score::Win(_)), "{position}: {info:?}");
            let reply = position.parse_move(&best.expect("a move")).expect("legal");
            position = after(&position, reply);
            let (_, info) = master(position, limits);
            let info = info.expect("a report");
            assert!(info.exact && matches!(info.score, Score::Loss(_)), "{position}: {info:?}");
            let moves = position.legal_moves();
            position = after(&position, moves[rng.random_range(0..moves.len())]);
        }
    }
}

/// The positions of a fast game of Master against itself.
fn self_play(seed: u64) -> Vec<Position> {
    let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
    let mut positions = Vec::new();
    while matches!(history.turn(), Turn::Move(_))
        && let AnyPosition::Tablaaza(position) = *history.position()
    {
        positions.push(position);
        let limits = SearchLimits { nodes: Some(2000), ..SearchLimits::default() };
        let options =
            EngineOptions { level: Level::Master, hash_mib: 16, seed, ..EngineOptions::default() };
        let request = Request { history: history.clone(), limits, options };
        let best = search(&request, &StopSignal::default(), &mut |_| ()).expect("a move is due");
        history.push(Ply::Move(best)).expect("legal");
    }
    positions
}

/// Prints how many of a hundred positions of self-play with about 30 free
/// squares, and with about 26, are solved within a second, and how long they
/// take.
#[test]
#[ignore = "minutes, and a clock: cargo test --release -p tabulae-engines --test engines -- --ignored --nocapture hundred"]
fn solve_rate_of_a_hundred_self_play_positions() {
    let second = std::time::Duration::from_secs(1);
    for most in [30, 26] {
        let (mut exact, mut times) = (0, Vec::new());
        for seed in 0..100 {
            let positions = self_play(seed);
            let Some(position) = positions.into_iter().find(|position| free(position) <= most)
            else {
                continue;
            };
            let limits = SearchLimits { movetime: Some(second), ..SearchLimits::default() };
            let (_, info) = master(position, limits);
            let info = info.expect("one iteration");
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
