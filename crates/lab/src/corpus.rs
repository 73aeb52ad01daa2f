//! Games of self-play with the engine's values, for learning programs.

use rand::{RngExt as _, rngs::ChaCha8Rng};
use serde::Serialize;

use super::self_play::{play_game, random_numbers};
use tabulae_engines::{
    EngineOptions, EngineState, Info, Request, SearchLimits, StopSignal, search_with_state,
};
use tabulae_games::{AnyMove, AnyPosition, GameHistory, Ply, RuleSet};
use tabulae_records::GameResult;
use tabulae_session::Dice;

/// Size of the transposition table, in MiB.
const HASH_MIB: usize = 4;

/// How to play the games of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorpusPlan {
    /// The rules.
    pub rules: RuleSet,
    /// The seed of the games.
    pub seed: u64,
    /// Nodes of the search for each move.
    pub nodes: u64,
    /// How many random moves begin a game.
    pub random_moves: usize,
    /// The longest game, in plies; a longer one is a draw.
    pub max_plies: usize,
}

/// A game of self-play.
#[derive(Clone, Debug, Serialize)]
pub struct CorpusGame {
    /// The rules.
    pub rules: &'static str,
    /// The game's number, from 1.
    pub game: u64,
    /// Moves with their captures, and throws.
    pub plies: Vec<String>,
    /// For each ply the engine's value of the position before it: the share of a win for
    /// the side to move, from 0 to 1. None for throws and random moves.
    pub values: Vec<Option<f32>>,
    /// `1-0`, `0-1` or `1/2-1/2`, for the side that moves first by the rules.
    pub result: String,
    /// Why the game ended, such as `escape`; `length` if it was too long.
    pub reason: &'static str,
}

/// Plays a game: the strongest level against itself after random moves. The same plan and
/// number give the same game.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_lab::{CorpusGame, CorpusPlan, play_corpus_game};
///
/// let rules = RuleSet::TablutSaami;
/// let plan = CorpusPlan { rules, seed: 1, nodes: 100, random_moves: 2, max_plies: 400 };
/// let game: CorpusGame = play_corpus_game(plan, 1);
/// assert_eq!(game.plies.len(), game.values.len());
/// assert!(game.values[..2].iter().all(Option::is_none) && game.values[2].is_some());
/// assert_eq!(game.plies, play_corpus_game(plan, 1).plies);
/// assert_ne!(game.plies, play_corpus_game(plan, 2).plies);
/// ```
pub fn play_corpus_game(plan: CorpusPlan, number: u64) -> CorpusGame {
    let mut rng = random_numbers(plan.seed, number);
    let dice = Dice::new(rng.random());
    let state = EngineState::new();
    let (mut values, mut random) = (Vec::new(), plan.random_moves);
    let history = play_game(plan.rules, dice, plan.max_plies, |history| {
        if random > 0 {
            random -= 1;
            return random_move(history, &mut rng);
        }
        let (best, value) = search(plan, &state, history);
        values.resize(history.len(), None);
        values.push(value);
        best
    });
    values.resize(history.len(), None);
    let end = history.turn().end();
    CorpusGame {
        rules: plan.rules.id(),
        game: number,
        plies: (1..=history.len()).filter_map(|number| history.notation(number)).collect(),
        values,
        result: end.map_or(GameResult::Drawn, GameResult::from).to_string(),
        reason: end.map_or("length", |end| end.reason.id()),
    }
}

/// A random move, if possible one that does not end the game.
fn random_move(history: &GameHistory<AnyPosition>, rng: &mut ChaCha8Rng) -> Option<AnyMove> {
    let goes_on = |mv: &AnyMove| {
        let mut after = history.clone();
        after.push(Ply::Move(*mv)).is_ok() && after.turn().end().is_none()
    };
    let mut all = history.legal_moves();
    all.sort_unstable();
    let quiet: Vec<_> = all.iter().copied().filter(goes_on).collect();
    let moves = if quiet.is_empty() { all } else { quiet };
    (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
}

fn search(
    plan: CorpusPlan,
    state: &EngineState,
    history: &GameHistory<AnyPosition>,
) -> (Option<AnyMove>, Option<f32>) {
    let request = Request {
        history: history.clone(),
        limits: SearchLimits { nodes: Some(plan.nodes), ..SearchLimits::default() },
        options: EngineOptions::for_analysis(HASH_MIB),
    };
    let mut score = None;
    let mut on_info = |info: &Info| score = Some(info.score);
    let best = search_with_state(state, &request, &StopSignal::default(), &mut on_info);
    (best, score.map(|score| score.win_share(plan.rules.game())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_all_rules_replay_to_their_results() {
        for rules in RuleSet::ALL {
            let plan = CorpusPlan { rules, seed: 7, nodes: 50, random_moves: 4, max_plies: 300 };
            let game = play_corpus_game(plan, 3);
            let mut history = GameHistory::new(AnyPosition::start(rules));
            for text in &game.plies {
                let ply = history.parse(text).unwrap_or_else(|why| panic!("{rules} {text}: {why}"));
                history.push(ply).expect("legal");
            }
            let end = history.turn().end();
            assert_eq!(end.map_or("length", |end| end.reason.id()), game.reason, "{rules}");
            assert_eq!(game.plies.len(), game.values.len(), "{rules}");
            let values = || game.values.iter().flatten();
            assert!(values().count() > 0 && values().all(|value| (0.0..=1.0).contains(value)));
        }
    }
}
