//! Tests of the solver from within, and the measurement of its speed.
//!
//! The measurement solves a fixed set of positions, each with an empty table, and
//! prints positions searched and processor seconds:
//!
//! ```sh
//! cargo test --release --no-default-features --lib measure_the_solver -- \
//!     --ignored --nocapture
//! ```
//!
//! It also solves positions of the engine's games against itself, with up to 34 and up to
//! 30 free squares, from `tests/vectors/tablaaza-selfplay.jsonl`, and prints how many of a
//! hundred a second of processor time is enough for:
//!
//! ```sh
//! cargo test --release --no-default-features --lib count_positions_solved_in_a_second -- \
//!     --ignored --nocapture
//! ```
//!
//! To compare two solvers, it solves the first `COUNT` of them with `FREE` free squares to
//! the end, and prints positions searched, which the load of the machine does not change,
//! and processor seconds:
//!
//! ```sh
//! FREE=30 COUNT=50 cargo test --release --no-default-features --lib \
//!     measure_the_solver_on_self_play -- --ignored --nocapture
//! ```
//!
//! `STONES=16,14` measures these numbers of stones instead of all, and `MEMORY` sets
//! the memory in MiB. The positions with few stones are in `tests/vectors/tablaaza-midgames.jsonl`.

use std::{env, fs, time::Instant};

use super::{
    super::solve::{SolverMemory, solver_state},
    *,
};
use tabulae_games::{
    Game, Side,
    tablaaza::{LAKES, Position},
};

/// A position of the measurement.
#[derive(serde::Deserialize)]
struct Midgame {
    stones: u32,
    fen: String,
    /// `R` or `G`; none if no solver has found it yet.
    winner: Option<char>,
}

fn midgames() -> Vec<Midgame> {
    include_str!("../../../../../tests/vectors/tablaaza-midgames.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a position as JSON"))
        .collect()
}

/// Whether the side to move wins, and the positions searched.
fn solved(position: &Position, mib: usize) -> (bool, u64) {
    let graph = BoardGraph::new(position.board());
    let state = solver_state(&graph, position).expect("two stones or more");
    let memory = SolverMemory::new(mib);
    let mut solver = Solver::new(graph, memory.table(), memory.values_mib);
    let wins = solver.solve(state, &mut || true).expect("not stopped");
    (wins, solver.nodes)
}

/// Processor seconds of this thread; by the clock where the system does not tell.
fn processor_seconds(clock: Instant) -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    nanoseconds.map_or_else(|| clock.elapsed().as_secs_f64(), |count| count as f64 / 1e9)
}

#[test]
#[ignore = "many minutes; wants a release build"]
fn measure_the_solver() {
    let variable = |name: &str| env::var(name).ok();
    let mib = variable("MEMORY").map_or(1024, |text| text.parse().expect("a number of MiB"));
    let stones: Vec<u32> = variable("STONES").map_or_else(
        || vec![16, 14, 12],
        |text| text.split(',').map(|number| number.parse().expect("a number")).collect(),
    );
    let (midgames, clock) = (midgames(), Instant::now());
    for stones in stones {
        let (mut count, mut all_nodes, mut all_seconds) = (0.0, 0.0, 0.0);
        for midgame in midgames.iter().filter(|midgame| midgame.stones == stones) {
            let position = Position::parse(&midgame.fen).expect("a position");
            let start = processor_seconds(clock);
            let (wins, nodes) = solved(&position, mib);
            let seconds = processor_seconds(clock) - start;
            let winner = if wins { position.side() } else { position.side().other() };
            let winner = if winner == Side::First { 'R' } else { 'G' };
            println!("{stones} stones: {nodes} positions, {seconds:.1} s, {winner}, {position}");
            assert!(midgame.winner.is_none_or(|known| known == winner), "{position}");
            count += 1.0;
            all_nodes += nodes as f64;
            all_seconds += seconds;
        }
        let (nodes, seconds) = (all_nodes / count, all_seconds / count);
        println!("{stones} stones, mean of {count}: {nodes:.0} positions, {seconds:.2} s");
    }
}

/// A position of self-play, the first of its game with at most `most_free` free squares.
#[derive(serde::Deserialize)]
struct SelfPlayPosition {
    most_free: u32,
    fen: String,
}

fn self_play_positions() -> Vec<SelfPlayPosition> {
    include_str!("../../../../../tests/vectors/tablaaza-selfplay.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a position as JSON"))
        .collect()
}

#[test]
#[ignore = "minutes; wants a release build"]
fn count_positions_solved_in_a_second() {
    const NODES_BETWEEN_CHECKS: u64 = 64;
    let (mib, clock) =
        (env::var("MEMORY").map_or(64, |text| text.parse().expect("MiB")), Instant::now());
    for most_free in [34, 30] {
        let mut seconds = Vec::new();
        for SelfPlayPosition { fen, .. } in
            self_play_positions().iter().filter(|position| position.most_free == most_free)
        {
            let position = Position::parse(fen).expect("a position");
            let graph = BoardGraph::new(position.board());
            let state = solver_state(&graph, &position).expect("many stones");
            let memory = SolverMemory::new(mib);
            let mut solver = Solver::new(graph, memory.table(), memory.values_mib);
            let (start, mut nodes) = (processor_seconds(clock), 0);
            let wins = solver.solve(state, &mut || {
                nodes += 1;
                nodes % NODES_BETWEEN_CHECKS != 0 || processor_seconds(clock) - start < 1.0
            });
            seconds.push(wins.map_or(f64::INFINITY, |_| processor_seconds(clock) - start));
        }
        seconds.sort_by(f64::total_cmp);
        let solved = seconds.iter().filter(|seconds| seconds.is_finite()).count();
        let (count, median) = (seconds.len(), seconds[seconds.len() / 2]);
        println!(
            "{most_free} free squares: {solved} of {count} solved in a second, half in {median:.2} s"
        );
    }
}

#[test]
#[ignore = "minutes; wants a release build"]
fn measure_the_solver_on_self_play() {
    let number = |name: &str, default| {
        env::var(name).map_or(default, |text| text.parse::<usize>().expect("a number"))
    };
    let (most_free, count) = (number("FREE", 30), number("COUNT", 100));
    let (all, clock) = (self_play_positions(), Instant::now());
    let chosen: Vec<_> =
        all.iter().filter(|case| case.most_free as usize == most_free).take(count).collect();
    let (mut all_nodes, mut all_logs, start) = (0, 0.0, processor_seconds(clock));
    for SelfPlayPosition { fen, .. } in &chosen {
        let position = Position::parse(fen).expect("a position");
        let (_, nodes) = solved(&position, number("MEMORY", 64));
        all_nodes += nodes;
        all_logs += (nodes.max(1) as f64).ln();
    }
    let (count, seconds) = (chosen.len(), processor_seconds(clock) - start);
    let mean = (all_logs / count as f64).exp();
    println!(
        "{count} positions with {most_free} free squares: {all_nodes} searched, {mean:.0} each \
         in the geometric mean, {seconds:.2} s"
    );
}

#[test]
#[ignore = "prints new positions for the measurement"]
fn generate_midgames() {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
    let mut rng = ChaCha8Rng::seed_from_u64(2026);
    for (stones, count) in [(16, 6), (14, 4), (12, 3), (10, 2), (8, 2)] {
        for _ in 0..count {
            let mut position = Position::start();
            for _ in 0..stones {
                let moves = position.legal_moves();
                position.play(moves[rng.random_range(0..moves.len())]).expect("legal");
            }
            println!("{{\"stones\":{stones},\"fen\":\"{position}\",\"winner\":null}}");
        }
    }
}

#[test]
fn midgames_have_the_stones_they_claim() {
    for midgame in midgames() {
        let position = Position::parse(&midgame.fen).expect("a position");
        let stones = position.stones(Side::First) | position.stones(Side::Second);
        assert_eq!(stones.count_ones(), midgame.stones, "{position}");
        assert!(solver_state(&BoardGraph::new(&LAKES), &position).is_some(), "{position}");
    }
}

#[test]
fn self_play_positions_have_the_free_squares_they_claim() {
    for most_free in [34, 30] {
        let all = self_play_positions();
        let chosen: Vec<_> = all.iter().filter(|case| case.most_free == most_free).collect();
        assert_eq!(chosen.len(), 100, "{most_free}");
        for SelfPlayPosition { fen, .. } in chosen {
            let position = Position::parse(fen).expect("a position");
            let graph = BoardGraph::new(position.board());
            let size = solver_state(&graph, &position).expect("many stones").size() as u32;
            // A move closes its square and seldom more than two others.
            assert!((most_free - 3..=most_free).contains(&size), "{fen}: {size}");
        }
    }
}
