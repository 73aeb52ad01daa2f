//! The engine for Tablut, by any of its rule sets.
//!
//! From the bottom up:
//!
//! - [`rule_tables`], [`board`], [`movegen`], [`threats`]: the rules' board with what the
//!   search asks of it, and the accumulator of the network;
//! - [`network`]: the evaluation, an efficiently updatable network;
//! - [`search`] (negamax), [`quiescence`], [`root`] (iterative deepening), with
//!   their constants in [`params`] and move ordering in [`movepicker`] and
//!   [`history`]; the transposition table can be kept from one move of a game to
//!   the next;
//! - [`skill`]: the limits of each level;
//! - [`train`]: self-play and the training of the network.
//!
//! The rule set is read from the position; its name matters only where
//! the networks and the levels, which were measured for each, are chosen.

mod board;
mod contempt;
mod history;
mod movegen;
mod movepicker;
mod network;
mod node;
mod params;
mod quiescence;
mod root;
mod rule_tables;
mod search;
mod skill;
#[cfg(test)]
mod tests;
mod threats;
mod train;

use std::{
    cmp::Reverse,
    sync::{Arc, LazyLock},
};

use rand::{RngExt as _, rngs::ChaCha8Rng};

use self::{
    board::{Board, Move},
    contempt::Contempt,
    network::Network,
    node::HistoryKey,
    root::{Iteration, OnIteration, RootMove},
    rule_tables::RuleTables,
    search::Search,
    skill::{Skill, StaticChoice},
};
use super::{
    EngineState, Level, OnLine, Outcome, Request, SearchLimits, SearchTask,
    control::{SearchControl, SharedControl},
    iterative_deepening::RootSearch as _,
    rule_sets::tablut_data,
    score::{MATE, MATE_IN_MAX_PLY},
    timeman::Stopwatch,
    tt::TranspositionTable,
    worker::run_with_helpers,
};
use tabulae_games::tablut::mailbox as squares;
use tabulae_games::{
    AnyMove, AnyPosition, AnyRules, RuleSet,
    tablut::{Position, Rules},
};

pub use self::train::{
    TablutInitialNetwork, TablutTrainError, TablutTrainEvent, TablutTrainObserver, TablutTrainPlan,
    train_tablut,
};

/// Share of the move time within which an iteration may begin.
const SOFT_TIME_PERCENT: u32 = 85;

/// The rule sets with the networks that are shipped.
static RULE_TABLES: LazyLock<Vec<RuleTables>> = LazyLock::new(|| {
    let of_tablut = |rules: RuleSet| match rules.rules() {
        AnyRules::Tablut(rules) => Some(RuleTables::new(rules, shipped_network(rules))),
        AnyRules::Tablan(_) | AnyRules::Tablaaza => None,
    };
    RuleSet::ALL.into_iter().filter_map(of_tablut).collect()
});

/// Loads the networks of all rule sets, which the first search needs.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn load_networks() {
    LazyLock::force(&RULE_TABLES);
}

/// The trained network.
fn shipped_network(rules: &'static Rules) -> Network {
    let bytes = tablut_data(rules.set).map_or(&[][..], |data| data.network);
    // A test reads all of them.
    Network::read(bytes).unwrap_or_else(|_| Network::material_only())
}

fn tables_of(position: &Position) -> &'static RuleTables {
    let of_rules = |tables: &&RuleTables| tables.rules.set == position.rules().set;
    RULE_TABLES.iter().find(of_rules).unwrap_or(&RULE_TABLES[0])
}

/// The repetition key of every position of the request's game.
fn game_path(request: &Request) -> Vec<HistoryKey> {
    (0..=request.history.len())
        .filter_map(|plies| match request.history.at(plies) {
            Some(AnyPosition::Tablut(position)) => Some(HistoryKey::of(position.board())),
            _ => None,
        })
        .collect()
}

/// What every thread of a search begins with.
struct RootContext<'a> {
    tables: &'static RuleTables,
    tt: &'a TranspositionTable,
    board: Board,
    /// The moves that do not win at once.
    moves: Vec<Move>,
    /// The moves that do.
    wins: Vec<Move>,
    path: Vec<HistoryKey>,
    skill: Skill,
    /// The number of lines to find; those that win at once need no search.
    lines: usize,
}

/// The best move, or `None` without a move to choose; see
/// [`search_excluding`](super::search_excluding).
pub(super) fn search_position(
    task: &SearchTask<'_>,
    position: &Position,
    on_line: &mut OnLine<'_>,
) -> Outcome {
    let stopwatch = Stopwatch::start();
    let request = task.request;
    let tables = tables_of(position);
    let skill = Skill::of(request.options.level, tables.rules.set);
    let limits = skill.within(request.limits);
    let mut rng = request.rng();
    let mut moves = request.root_moves(task.excluded, &mut rng, |mv| match mv {
        AnyMove::Tablut(mv) => Some(Move::from_rules(mv)),
        _ => None,
    });
    let has_book = request.options.book && request.options.level == Level::Master;
    let first_moves = tablut_data(tables.rules.set).map_or(&[][..], |data| data.first_moves);
    let is_start = || *position == Position::start(tables.rules);
    if has_book && task.excluded.is_empty() && !first_moves.is_empty() && is_start() {
        moves.retain(|mv| first_moves.contains(&mv.to_rules().to_string().as_str()));
    }
    let tt = transposition_table(task.state, request, limits);
    let path = game_path(request);
    let board = Board::from_position(position, tables);
    let (wins, moves) =
        moves.into_iter().partition(|mv| board.make_move(tables, *mv).is_king_gone(tables));
    let root = RootContext { tables, tt: &tt, board, moves, wins, path, skill, lines: task.lines };
    let shared = SharedControl::new(limits, stopwatch, task.stop).with_soft_time(SOFT_TIME_PERCENT);
    let mut report = |iteration: &Iteration<'_>, control: &SearchControl<'_>| {
        let infos = iteration.infos(control.nodes(), control.elapsed(), to_any_move);
        (1..).zip(infos).for_each(|(number, info)| on_line(number, &info));
    };
    let best = if let Some(static_choice) = skill.static_choice {
        choose_at_sight(&root, static_choice, &shared, &mut rng, &mut report)
    } else if skill.is_noisy() {
        choose_with_noise(&root, &shared, &mut rng, &mut report)
    } else {
        choose_best(&root, &shared, &request.options, &mut report)
    };
    Outcome { best: best.map(to_any_move), nodes: shared.nodes(), time: shared.elapsed() }
}

fn to_any_move(mv: Move) -> AnyMove {
    AnyMove::Tablut(mv.to_rules())
}

impl RootContext<'_> {
    fn search<'s>(&'s self, control: SearchControl<'s>) -> Search<'s> {
        Search::new(self.tables, self.tt, control, self.path.clone())
    }

    /// The first lines: the moves that win at once.
    fn won_lines(&self) -> Vec<RootMove> {
        let line = |&mv: &Move| RootMove { mv, value: MATE - 1, pv: vec![mv] };
        self.wins.iter().take(self.lines).map(line).collect()
    }

    /// The number of lines that take a search.
    fn open_lines(&self) -> usize {
        (self.lines - self.lines.min(self.wins.len())).min(self.moves.len())
    }

    /// Reports lines that are found without iterations, and returns the first one's move.
    fn report_once(
        &self,
        depth: u32,
        lines: &[RootMove],
        control: &SearchControl<'_>,
        report: &mut OnIteration<'_>,
    ) -> Option<Move> {
        let best = lines.first()?.mv;
        let lines = &lines[..lines.len().min(self.lines)];
        report(&Iteration { depth, lines, is_complete: true }, control);
        Some(best)
    }
}

/// A beginner's choice: the move that looks best without searching. Even when all
/// moves seem to lose, it plays the best-looking one.
fn choose_at_sight(
    root: &RootContext<'_>,
    static_choice: StaticChoice,
    shared: &SharedControl<'_>,
    rng: &mut ChaCha8Rng,
    report: &mut OnIteration<'_>,
) -> Option<Move> {
    let mut search = root.search(shared.main_thread());
    let sees_win = rng.random_range(0..100) >= static_choice.missed_wins_percent;
    let mut lines = if sees_win { root.won_lines() } else { Vec::new() };
    if lines.len() < root.lines {
        lines.extend(moves_at_sight(root, static_choice, &mut search, rng));
    }
    let first = root.moves.first().or(root.wins.first()).copied();
    root.report_once(1, &lines, &search.control, report).or(first)
}

/// The moves that do not win at once, those that look best first.
fn moves_at_sight(
    root: &RootContext<'_>,
    static_choice: StaticChoice,
    search: &mut Search<'_>,
    rng: &mut ChaCha8Rng,
) -> impl Iterator<Item = RootMove> + use<> {
    let noise = root.skill.eval_noise;
    let mut seen: Vec<(i32, RootMove)> = Vec::with_capacity(root.moves.len());
    for &mv in &root.moves {
        let child = root.board.make_move(root.tables, mv);
        let misses_reply = rng.random_range(0..100) < static_choice.missed_replies_percent;
        let Some(value) = search.static_value(&child, misses_reply) else { break };
        let captures = i32::from(root.board.soldier_count() - child.soldier_count());
        let preference =
            value + rng.random_range(-noise..=noise) + captures * static_choice.capture_bonus;
        seen.push((preference, RootMove { mv, value, pv: vec![mv] }));
    }
    seen.sort_by_key(|(preference, _)| Reverse(*preference));
    seen.into_iter().map(|(_, line)| line)
}

/// A weak level's choice: the best move by values with random errors. Forced wins
/// and losses keep their values.
fn choose_with_noise(
    root: &RootContext<'_>,
    shared: &SharedControl<'_>,
    rng: &mut ChaCha8Rng,
    report: &mut OnIteration<'_>,
) -> Option<Move> {
    let mut search = root.search(shared.main_thread());
    let (mut lines, mut depth) = (root.won_lines(), 1);
    if root.open_lines() > 0 {
        let noise = root.skill.eval_noise;
        let (board, moves, open) = (&root.board, &root.moves, root.open_lines());
        let (reached, scored) = search.score_root_moves(board, moves, 2 * noise, open);
        let mut noisy: Vec<_> = scored
            .into_iter()
            .map(|line| {
                let error = rng.random_range(-noise..=noise);
                let is_certain = line.value.abs() >= MATE_IN_MAX_PLY;
                (if is_certain { line.value } else { line.value + error }, line)
            })
            .collect();
        // The first of equals stays first.
        noisy.sort_by_key(|(value, _)| Reverse(*value));
        lines.extend(noisy.into_iter().map(|(_, line)| line));
        depth = reached;
    }
    let first = root.moves.first().copied();
    root.report_once(depth, &lines, &search.control, report).or(first)
}

/// Full strength: Lazy SMP. Helper threads search the same root in another order
/// and only fill the transposition table; the main thread answers.
fn choose_best(
    root: &RootContext<'_>,
    shared: &SharedControl<'_>,
    options: &super::EngineOptions,
    report: &mut OnIteration<'_>,
) -> Option<Move> {
    let won = root.won_lines();
    let (win, lines) = (won.first().map(|line| line.mv), root.open_lines());
    if lines == 0 {
        return root.report_once(1, &won, &shared.main_thread(), report);
    }
    let contempt = Contempt::new(if options.contempt { root.skill.contempt } else { 0 });
    let help = |number: usize| {
        let mut moves = root.moves.clone();
        let shift = number % moves.len().max(1);
        moves.rotate_left(shift);
        let first_depth = 1 + (number as u32 % 2);
        let mut search = root.search(shared.helper_thread()).with_contempt(&contempt);
        search.iterative_deepening(&root.board, moves, first_depth, lines, &mut |_, _| ());
    };
    let mut report = |iteration: &Iteration<'_>, control: &SearchControl<'_>| {
        let lines = [won.as_slice(), iteration.lines].concat();
        report(&Iteration { lines: &lines, ..*iteration }, control);
    };
    let best = run_with_helpers(
        options.helpers(),
        help,
        || shared.finish(),
        || {
            let mut search = root.search(shared.main_thread()).with_contempt(&contempt);
            search.iterative_deepening(&root.board, root.moves.clone(), 1, lines, &mut report)
        },
    );
    win.or(best.first().copied())
}

/// The game's own table when only time limits the search; else an empty one, so
/// that the same request has the same answer.
fn transposition_table(
    state: &EngineState,
    request: &Request,
    limits: SearchLimits,
) -> Arc<TranspositionTable> {
    let mib = request.options.hash_mib;
    if limits.nodes.is_some() || limits.depth.is_some() {
        let entries = limits.useful_entries();
        let memory = state.memory(mib, TranspositionTable::<4>::words_for(entries));
        return Arc::new(TranspositionTable::new(memory, entries));
    }
    let table = state.game_table(mib);
    table.new_search();
    table
}
