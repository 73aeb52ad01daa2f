//! Finds puzzles in games: those of self-play between levels of all kinds, and given
//! ones.

use std::collections::HashSet;

use rand::RngExt as _;

use super::{
    rating::rate,
    themes::themes,
    verify::{Effort, MAX_FREE_SQUARES, PlainSearch, search, verify},
};
use crate::self_play::{play_game, random_numbers};
use tabulae_engines::{
    EngineOptions, EngineState, Level, Request, Score, SearchLimits, StopSignal, search_with_state,
    tablan::rank_moves,
};
use tabulae_games::{AnyMove, AnyPosition, Game as _, GameHistory, RuleSet, Side, Turn, tablaaza};
use tabulae_session::{
    Dice, position_key,
    puzzles::{ForcedWins, Goal, MAX_WIN_PLIES, Puzzle},
};

/// How many times the nodes of the search that finds a puzzle are spent on its check.
const CHECKING_FACTOR: u64 = 50;
/// Plies that the search of a forced win may play before it gives up.
const PROOF_BUDGET: u64 = 3_000_000;
/// The least gap in equity to the second best move of Tablan, before rollouts.
const MIN_GAP: f32 = 0.12;
/// The fewest free squares in Tablaaza: below, everybody counts.
const MIN_FREE_SQUARES: u32 = 5;
/// Plies between two puzzles of a game, at least.
const MIN_PLIES_APART: usize = 5;
/// The most puzzles of one game.
const MAX_OF_GAME: usize = 4;
/// The longest game of self-play, in plies.
const MAX_PLIES: usize = 400;
/// Random moves at the start of a game of self-play, at most.
const MAX_RANDOM_MOVES: u32 = 5;
/// Nodes of a move of self-play.
const SELF_PLAY_NODES: u64 = 2_000;
/// The largest share of one side, in percent.
const MAX_SIDE_PERCENT: usize = 60;
/// The largest share of wins in one move, and of each other kind of goal, in percent.
const MAX_QUICK_PERCENT: usize = 10;
const MAX_GOAL_PERCENT: usize = 65;

/// What to mine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinePlan {
    /// The rules.
    pub rules: RuleSet,
    /// The seed of self-play.
    pub seed: u64,
    /// How many puzzles.
    pub count: usize,
    /// Nodes of the search that looks for a puzzle in a position.
    pub nodes: u64,
}

/// Finds puzzles game by game. The same plan and the same games give the same puzzles.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_lab::puzzles::{MinePlan, Miner};
/// use tabulae_session::puzzles::Goal;
///
/// let plan = MinePlan { rules: RuleSet::Tablaaza, seed: 1, count: 2, nodes: 500 };
/// let mut miner = Miner::new(plan);
/// while !miner.is_full() && miner.games() < 40 {
///     miner.play_game();
/// }
/// assert_eq!(miner.puzzles().len(), 2);
/// assert!(miner.puzzles().iter().all(|puzzle| puzzle.goal == Goal::OnlyWin));
/// ```
#[derive(Debug)]
pub struct Miner {
    plan: MinePlan,
    state: EngineState,
    games: u64,
    seen: HashSet<u64>,
    puzzles: Vec<Puzzle>,
}

impl Miner {
    /// A miner without puzzles.
    pub fn new(plan: MinePlan) -> Self {
        Self {
            plan,
            state: EngineState::new(),
            games: 0,
            seen: HashSet::new(),
            puzzles: Vec::new(),
        }
    }

    /// The puzzles found so far.
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.puzzles
    }

    /// The number of games of self-play so far.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Whether there are as many puzzles as planned.
    pub const fn is_full(&self) -> bool {
        self.puzzles.len() >= self.plan.count
    }

    /// Plays a game of self-play and takes its puzzles.
    pub fn play_game(&mut self) {
        self.games += 1;
        let history = self_play(&self.state, self.plan, self.games);
        let source = self.games.to_string();
        self.take_game(&history, &source);
    }

    /// Takes the puzzles of a game; `source` names it.
    pub fn take_game(&mut self, history: &GameHistory<AnyPosition>, source: &str) {
        if history.start().rules() != self.plan.rules {
            return;
        }
        let (mut next, mut taken) = (0, 0);
        for ply in 0..=history.len() {
            if self.is_full() || taken == MAX_OF_GAME {
                return;
            }
            let Some(position) = history.at(ply).filter(|_| ply >= next) else { continue };
            if !matches!(position.turn(), Turn::Move(_)) || !self.wants(position.side()) {
                continue;
            }
            let key = position_key(position);
            if self.seen.contains(&key) {
                continue;
            }
            if let Some(puzzle) = self.puzzle_of(position, format!("{source}.{ply}")) {
                self.seen.insert(key);
                self.puzzles.push(puzzle);
                (next, taken) = (ply + MIN_PLIES_APART, taken + 1);
            }
        }
    }

    /// Whether a side has not more than its share.
    fn wants(&self, side: Side) -> bool {
        let of_side = self.puzzles.iter().filter(|puzzle| puzzle.side() == side).count();
        100 * of_side < MAX_SIDE_PERCENT * self.plan.count || self.plan.count < 10
    }

    /// Whether a kind of goal has not more than its share.
    fn wants_goal(&self, goal: Goal) -> bool {
        let percent = match goal {
            Goal::OnlyWin | Goal::Gain(_) => return true,
            Goal::Win(1) => MAX_QUICK_PERCENT,
            Goal::Win(_) | Goal::Defend => MAX_GOAL_PERCENT,
        };
        let kind = std::mem::discriminant(&goal);
        let is_quick = |goal: Goal| goal == Goal::Win(1);
        let same = self.puzzles.iter().filter(|puzzle| {
            std::mem::discriminant(&puzzle.goal) == kind
                && (is_quick(puzzle.goal) || !is_quick(goal))
        });
        100 * same.count() < percent * self.plan.count || self.plan.count < 10
    }

    /// The puzzle of a position, verified; none if it is none.
    fn puzzle_of(&self, position: &AnyPosition, source: String) -> Option<Puzzle> {
        let (goal, line) = match position {
            AnyPosition::Tablut(_) => self.tablut(position)?,
            AnyPosition::Tablan(inner) => {
                let ranked = rank_moves(inner);
                let [(best, first), (_, second), ..] = ranked[..] else { return None };
                if first - second < MIN_GAP {
                    return None;
                }
                let gain = (100.0 * (first - second)).round() as u32;
                (Goal::Gain(gain), vec![AnyMove::Tablan(best)])
            }
            AnyPosition::Tablaaza(inner) => (Goal::OnlyWin, only_win(inner)?),
        };
        if !self.wants_goal(goal) {
            return None;
        }
        let themes = themes(position, &line, goal);
        let start = position.clone();
        let mut puzzle = Puzzle { start, line, goal, themes, rating: 0, source };
        let nodes = self.plan.nodes;
        for effort in [Effort::mining(nodes), Effort::checking(CHECKING_FACTOR * nodes)] {
            verify(&self.state, &puzzle, effort).ok()?;
        }
        puzzle.rating = rate(&puzzle);
        Some(puzzle)
    }

    /// A forced win or an only defence in Tablut, by a short search.
    fn tablut(&self, position: &AnyPosition) -> Option<(Goal, Vec<AnyMove>)> {
        let mut history = GameHistory::new(position.clone());
        let (best, info) = search(&self.state, &history, &[], self.plan.nodes)?;
        match info.score {
            Score::Win(plies) if plies <= MAX_WIN_PLIES => {
                let mut prover = ForcedWins::new(PROOF_BUDGET);
                for within in (1..=MAX_WIN_PLIES).step_by(2) {
                    match prover.winning_moves(&mut history, within)?[..] {
                        [] => {}
                        [only] => {
                            let goal = Goal::Win(within);
                            if !self.wants_goal(goal) {
                                return None;
                            }
                            return Some((goal, prover.line(position, only, within)?));
                        }
                        _ => return None,
                    }
                }
                None
            }
            Score::Points(_) if self.wants_goal(Goal::Defend) => {
                let (_, second) = search(&self.state, &history, &[best], self.plan.nodes)?;
                matches!(second.score, Score::Loss(plies) if plies <= 4)
                    .then(|| (Goal::Defend, vec![best]))
            }
            _ => None,
        }
    }
}

/// The only winning move of a position of Tablaaza, and the line after it while the
/// winner has one move only; none if there is no such move.
fn only_win(start: &tablaaza::Position) -> Option<Vec<AnyMove>> {
    let free = start.free(Side::First) | start.free(Side::Second);
    if !(MIN_FREE_SQUARES..=MAX_FREE_SQUARES).contains(&free.count_ones())
        || start.stones(Side::Second) == 0
    {
        return None;
    }
    let mut search = PlainSearch::default();
    let moves = start.legal_moves();
    let only = winning(&mut search, start, 2);
    let [first] = only[..] else { return None };
    // A choice among two is no puzzle.
    if moves.len() < 3 {
        return None;
    }
    let (mut line, mut position) = (vec![first], *start);
    position.play(first).ok()?;
    while line.len() < 5 {
        let mut replies = position.legal_moves();
        replies.sort_unstable();
        let next = replies.into_iter().find_map(|reply| {
            let mut after = position;
            after.play(reply).ok()?;
            let moves = after.legal_moves().len();
            match winning(&mut search, &after, 2)[..] {
                [only] if moves > 1 => Some((reply, only)),
                _ => None,
            }
        });
        let Some((reply, only)) = next else { break };
        for mv in [reply, only] {
            position.play(mv).ok()?;
            line.push(mv);
        }
    }
    Some(line.into_iter().map(AnyMove::Tablaaza).collect())
}

/// At most `limit` winning moves of a position.
fn winning(
    search: &mut PlainSearch,
    position: &tablaaza::Position,
    limit: usize,
) -> Vec<tablaaza::Move> {
    let mut moves = position.legal_moves();
    moves.sort_unstable();
    let wins = |mv: &tablaaza::Move| {
        let mut after = *position;
        after.play(*mv).is_ok() && !search.wins(&after)
    };
    moves.into_iter().filter(wins).take(limit).collect()
}

/// A game between two levels: weak ones blunder, which makes puzzles, and strong ones
/// make positions worth looking at.
fn self_play(state: &EngineState, plan: MinePlan, game: u64) -> GameHistory<AnyPosition> {
    let mut rng = random_numbers(plan.seed, game);
    let dice = Dice::new(rng.random());
    let levels = [0, 1].map(|_| Level::ALL[rng.random_range(0..8)]);
    let mut random_moves = rng.random_range(0..=MAX_RANDOM_MOVES);
    play_game(plan.rules, dice, MAX_PLIES, |history| {
        if random_moves > 0 {
            random_moves -= 1;
            let mut moves = history.legal_moves();
            moves.sort_unstable();
            return Some(moves[rng.random_range(0..moves.len())]);
        }
        let limits = SearchLimits { nodes: Some(SELF_PLAY_NODES), ..SearchLimits::default() };
        let options = EngineOptions {
            level: levels[history.position().side().index()],
            seed: rng.random(),
            hash_mib: 8,
            ..EngineOptions::default()
        };
        let request = Request { history: history.clone(), limits, options };
        search_with_state(state, &request, &StopSignal::default(), &mut |_| ())
    })
}
