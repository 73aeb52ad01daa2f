//! How hard a puzzle is.

use tabulae_engines::{
    EngineOptions, EngineState, Level, Request, SearchLimits, StopSignal, search_with_state,
};
use tabulae_games::{Game as _, GameHistory};
use tabulae_session::puzzles::Puzzle;

/// How often each level below Master tries a puzzle.
const TRIES: u64 = 3;
/// Nodes of a try.
const NODES: u64 = 5_000;
/// The rating of a puzzle with one legal move that every level finds.
const BASE: f64 = 500.0;
/// Rating of each of the 27 tries that misses.
const PER_MISS: f64 = 40.0;
/// Rating of each further move of the solver.
const PER_MOVE: f64 = 100.0;
/// Rating of each doubling of the number of legal moves.
const PER_DOUBLING: f64 = 40.0;

/// The rating of a puzzle, by what it takes to solve it:
///
/// `500 + 40 · misses + 100 · (moves of the solver − 1) + 40 · log2(legal moves)`
///
/// Each of the nine levels below Master tries the first move three times; misses are
/// the tries that play another. The same puzzle has the same rating.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_lab::puzzles::rate;
/// use tabulae_session::puzzles::Puzzle;
///
/// let line = "0;win 1;king-hunt;4B4/9/2B1B4/3B5/B6BB/3B5/4KB3/9/5B3 b;d4-d3;130.44";
/// assert_eq!(rate(&Puzzle::parse(RuleSet::TablutBerkeley, line)?), 969);
/// # Ok::<(), tabulae_session::puzzles::PuzzleError>(())
/// ```
pub fn rate(puzzle: &Puzzle) -> u32 {
    let state = EngineState::new();
    let history = GameHistory::new(puzzle.start.clone());
    let tries = Level::ALL[..Level::ALL.len() - 1]
        .iter()
        .flat_map(|&level| (0..TRIES).map(move |seed| (level, seed)));
    let finds = |(level, seed): (Level, u64)| {
        let limits = SearchLimits { nodes: Some(NODES), ..SearchLimits::default() };
        let options = EngineOptions { level, seed, hash_mib: 8, ..EngineOptions::default() };
        let request = Request { history: history.clone(), limits, options };
        let best = search_with_state(&state, &request, &StopSignal::default(), &mut |_| ());
        best.is_some_and(|mv| puzzle.accepts(&history, mv))
    };
    let misses = tries.filter(|one| !finds(*one)).count() as f64;
    let further_moves = puzzle.own_moves().saturating_sub(1) as f64;
    let legal_moves = puzzle.start.legal_moves().len().max(1) as f64;
    let rating = PER_MISS.mul_add(misses, BASE)
        + PER_MOVE.mul_add(further_moves, PER_DOUBLING * libm::log2(legal_moves));
    rating.round() as u32
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;
    use tabulae_games::RuleSet;
    use tabulae_session::puzzles::shipped;

    /// `cargo test --release -p tabulae-lab --lib rate_the_shipped_puzzles -- --ignored`
    #[test]
    #[ignore = "writes the ratings of assets/puzzles, after an engine has changed"]
    fn rate_the_shipped_puzzles_again() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/puzzles");
        for rules in RuleSet::ALL {
            let path = folder.join(rules.file_name()).with_extension("txt");
            let text = fs::read_to_string(&path).expect("a file of puzzles");
            let mut puzzles = shipped(rules).into_iter();
            let rated = |line: &str| match line.split_once(';') {
                Some((_, rest)) if !line.starts_with('#') => {
                    let puzzle = puzzles.next().expect("a puzzle for each line");
                    format!("{};{rest}\n", rate(&puzzle))
                }
                _ => format!("{line}\n"),
            };
            let text: String = text.lines().map(rated).collect();
            assert!(puzzles.next().is_none(), "{rules}");
            fs::write(&path, text).expect("written");
        }
    }
}
