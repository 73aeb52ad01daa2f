//! Makes a book from games.

use std::collections::{HashMap, HashSet};

use rand::{RngExt as _, rngs::ChaCha8Rng};

use super::self_play::{play_game, random_numbers};
use tabulae_engines::{
    EngineOptions, EngineState, Info, Request, Score, SearchLimits, StopSignal, search_excluding,
    search_with_state,
    tablan::{equity, rank_moves},
};
use tabulae_games::{AnyMove, AnyPosition, Game as _, GameHistory, GameKind, Ply, RuleSet, Turn};
use tabulae_records::GameResult;
use tabulae_session::{Book, BookEntry, Dice, position_key};

/// The best moves that self-play chooses from; of those that symmetry makes equal, one.
const CHOICES: usize = 4;
/// The longest game of self-play, in plies.
const MAX_PLIES: usize = 400;
/// Size of the transposition table, in MiB.
const HASH_MIB: usize = 8;

/// How to make a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookPlan {
    /// The rules.
    pub rules: RuleSet,
    /// The seed of self-play.
    pub seed: u64,
    /// How many plies of a game the book counts. In Tablan throws are plies.
    pub plies: usize,
    /// Nodes of a search of self-play, and of that of a position's value.
    pub nodes: u64,
    /// The fewest games that a position of the book has been reached in.
    pub min_games: u32,
    /// The most positions of the book; those with the most games are taken.
    pub max_positions: usize,
}

#[derive(Debug)]
struct Counted {
    position: AnyPosition,
    entry: BookEntry,
}

/// Counts games and makes a book of them. The same plan and the same games give the
/// same book.
///
/// In self-play the strongest level chooses among its best moves, no two of them equal by
/// symmetry; worse moves are chosen less often. After the plies of the book it plays the best
/// one.
///
/// ```
/// use tabulae_games::{AnyPosition, RuleSet};
/// use tabulae_lab::{BookBuilder, BookPlan};
/// use tabulae_session::Book;
///
/// let plan = BookPlan {
///     rules: RuleSet::Tablaaza,
///     seed: 1,
///     plies: 4,
///     nodes: 100,
///     min_games: 1,
///     max_positions: 100,
/// };
/// let mut builder = BookBuilder::new(plan);
/// builder.play_game();
/// let book = builder.finish("one game", |_| true);
/// assert_eq!(book.len(), 5);
/// assert_eq!(book.lookup(&AnyPosition::start(plan.rules)).len(), 1);
/// assert_eq!(Book::read(&book.write()), Ok(book));
/// ```
#[derive(Debug)]
pub struct BookBuilder {
    plan: BookPlan,
    state: EngineState,
    games: u64,
    counted: HashMap<u64, Counted>,
}

impl BookBuilder {
    /// A builder without games.
    pub fn new(plan: BookPlan) -> Self {
        Self { plan, state: EngineState::new(), games: 0, counted: HashMap::new() }
    }

    /// Plays a game of self-play and counts it.
    pub fn play_game(&mut self) {
        self.games += 1;
        let mut rng = random_numbers(self.plan.seed, self.games);
        let dice = Dice::new(rng.random());
        let history = play_game(self.plan.rules, dice, MAX_PLIES, |history| {
            if history.len() < self.plan.plies {
                self.vary(history, &mut rng)
            } else {
                self.best(history)
            }
        });
        let result = history.turn().end().map_or(GameResult::Drawn, GameResult::from);
        self.take_game(&history, result);
    }

    /// Counts the positions of a game: the start, and those that moves led to. A game of
    /// other rules is left out; returns whether it was counted.
    pub fn take_game(&mut self, history: &GameHistory<AnyPosition>, result: GameResult) -> bool {
        if history.start().rules() != self.plan.rules {
            return false;
        }
        let mut seen = HashSet::new();
        for plies in 0..=history.len().min(self.plan.plies) {
            let is_reached = plies == 0 || matches!(history.ply(plies), Some(Ply::Move(_)));
            let Some(position) = history.at(plies).filter(|_| is_reached) else { continue };
            let key = position_key(position);
            if !seen.insert(key) {
                continue;
            }
            let counted = self.counted.entry(key).or_insert_with(|| Counted {
                position: position.clone(),
                entry: BookEntry { key, games: 0, wins: [0; 2], value: None },
            });
            counted.entry.games += 1;
            if let GameResult::Won(winner) = result {
                counted.entry.wins[usize::from(winner != position.side())] += 1;
            }
        }
        true
    }

    /// The number of positions that the book would have.
    pub fn positions(&self) -> usize {
        let enough = |counted: &&Counted| counted.entry.games >= self.plan.min_games;
        self.counted.values().filter(enough).count().min(self.plan.max_positions)
    }

    /// Searches the values and makes the book. `origin` tells how the games were made, in
    /// a line. `on_value` is called after each position with the number of those left;
    /// false leaves the rest without a value.
    pub fn finish(mut self, origin: &str, mut on_value: impl FnMut(usize) -> bool) -> Book {
        let mut chosen: Vec<_> = std::mem::take(&mut self.counted).into_values().collect();
        chosen.retain(|position| position.entry.games >= self.plan.min_games);
        chosen.sort_unstable_by_key(|chosen| {
            (std::cmp::Reverse(chosen.entry.games), chosen.entry.key)
        });
        chosen.truncate(self.plan.max_positions);
        let (mut left, mut goes_on) = (chosen.len(), true);
        for counted in &mut chosen {
            if goes_on {
                counted.entry.value = self.value(&counted.position);
                left -= 1;
                goes_on = on_value(left);
            }
        }
        let entries = chosen.into_iter().map(|chosen| chosen.entry).collect();
        Book::new(self.plan.rules, origin, entries)
    }

    /// The engine's value of a position for its side to move. With a throw due, it is the
    /// average over the throws.
    fn value(&self, position: &AnyPosition) -> Option<Score> {
        match (position.turn(), position) {
            (Turn::Over(end), _) => Some(match end.winner {
                Some(winner) if winner == position.side() => Score::Win(0),
                Some(_) => Score::Loss(0),
                None => Score::Points(0),
            }),
            (Turn::Throw(_), AnyPosition::Tablan(position)) => Some(points(equity(position))),
            (Turn::Throw(_), _) => None,
            (Turn::Move(_), _) => {
                // A table without older searches, so that the order of positions does
                // not matter.
                let request = self.request(&GameHistory::new(position.clone()));
                let mut value = None;
                let mut on_info = |info: &Info| value = Some(info.score);
                let state = EngineState::new();
                search_with_state(&state, &request, &StopSignal::default(), &mut on_info)?;
                value
            }
        }
    }

    fn request(&self, history: &GameHistory<AnyPosition>) -> Request {
        let limits = SearchLimits { nodes: Some(self.plan.nodes), ..SearchLimits::default() };
        Request { history: history.clone(), limits, options: EngineOptions::for_analysis(HASH_MIB) }
    }

    /// The best move.
    fn best(&self, history: &GameHistory<AnyPosition>) -> Option<AnyMove> {
        let request = self.request(history);
        search_with_state(&self.state, &request, &StopSignal::default(), &mut |_| ())
    }

    /// One of the best moves.
    fn vary(&self, history: &GameHistory<AnyPosition>, rng: &mut ChaCha8Rng) -> Option<AnyMove> {
        let mut choices: Vec<(AnyMove, f64)> = Vec::new();
        if let AnyPosition::Tablan(position) = history.position() {
            let ranked = rank_moves(position).into_iter().take(CHOICES);
            choices
                .extend(ranked.map(|(mv, equity)| (AnyMove::Tablan(mv), number(points(equity)))));
        } else {
            let (request, stop) = (self.request(history), StopSignal::default());
            let keys: Vec<(AnyMove, Option<u64>)> =
                history.legal_moves().into_iter().map(|mv| (mv, key_after(history, mv))).collect();
            let mut excluded = Vec::new();
            while choices.len() < CHOICES {
                let mut value = None;
                let mut on_info = |info: &Info| value = Some(number(info.score));
                let best = search_excluding(&self.state, &request, &excluded, &stop, &mut on_info);
                let Some(mv) = best else { break };
                // A search of too few nodes has no value; the move is no better than the last.
                let last = choices.last().map_or(0.0, |(_, value)| *value);
                choices.push((mv, value.unwrap_or(last)));
                // Those that symmetry makes equal to it are no other choice.
                let chosen = key_after(history, mv);
                excluded.extend(keys.iter().filter(|(_, key)| *key == chosen).map(|(mv, _)| mv));
            }
        }
        let most = choices.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        let scale = temperature(self.plan.rules.game());
        let weights = choices.iter().map(|(_, value)| libm::exp((value - most) / scale));
        let weights: Vec<f64> = weights.collect();
        let mut drawn = rng.random::<f64>() * weights.iter().sum::<f64>();
        for ((mv, _), weight) in choices.iter().zip(weights) {
            drawn -= weight;
            if drawn < 0.0 {
                return Some(*mv);
            }
        }
        choices.first().map(|(mv, _)| *mv)
    }
}

/// The key of the position after a legal move.
fn key_after(history: &GameHistory<AnyPosition>, mv: AnyMove) -> Option<u64> {
    let mut after = history.position().clone();
    after.play(mv).ok()?;
    Some(position_key(&after))
}

/// By how many points less a move is *e* times as seldom.
const fn temperature(game: GameKind) -> f64 {
    match game {
        GameKind::Tablut | GameKind::Tablaaza => 50.0,
        // The throws vary the games.
        GameKind::Tablan => 2.0,
    }
}

/// A score on one scale.
fn number(score: Score) -> f64 {
    match score {
        Score::Points(points) => f64::from(points),
        Score::Win(plies) => 20_000.0 - f64::from(plies),
        Score::Loss(plies) => f64::from(plies) - 20_000.0,
    }
}

/// An equity as the engine's score.
fn points(equity: f32) -> Score {
    Score::Points((100.0 * equity).round() as i32)
}
