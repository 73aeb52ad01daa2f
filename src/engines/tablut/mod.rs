//! The engine for Tablut, by any of its rule sets.
//!
//! From the bottom up:
//!
//! - [`squares`], [`rule_tables`], [`board`], [`movegen`], [`threats`]: the
//!   engine's own position, made for speed from the rules' data; tests hold it equal
//!   to the rules;
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
mod squares;
#[cfg(test)]
mod tests;
mod threats;
mod train;

use std::sync::{Arc, LazyLock};

use rand::{RngExt as _, rngs::ChaCha8Rng};

use self::{
    board::{Board, Move},
    contempt::Contempt,
    network::Network,
    node::HistoryKey,
    params::MAX_DEPTH,
    rule_tables::RuleTables,
    search::Search,
    skill::{AtSight, Skill},
};
use super::{
    EngineState, Info, Level, Request, SearchLimits, StopSignal,
    control::{SearchControl, SharedControl},
    score::{MATE, MATE_IN_MAX_PLY, Score},
    timeman::Stopwatch,
    tt::TranspositionTable,
    worker::run_with_helpers,
};
use crate::games::{
    AnyMove, AnyPosition, End, Game as _, RuleSet,
    tablut::{ASHTON, BERKELEY, LINNAEUS, Position, Rules},
};

pub use self::train::{
    TablutInitialNetwork, TablutTrainError, TablutTrainEvent, TablutTrainObserver, TablutTrainPlan,
    train_tablut,
};

/// Share of the move time within which an iteration may begin.
const SOFT_TIME_PERCENT: u32 = 85;

/// White's first moves in the opening book of Ashton's rules: an inner soldier steps aside.
/// Symmetry makes all eight equal. docs/benchmarks.md has the matches that favour them.
const ASHTON_FIRST_MOVES: [&str; 8] =
    ["d5-d4", "d5-d6", "e4-d4", "e4-f4", "e6-d6", "e6-f6", "f5-f4", "f5-f6"];

/// The three rule sets with the networks that are shipped.
static RULE_TABLES: LazyLock<[RuleTables; 3]> = LazyLock::new(|| {
    [ASHTON, BERKELEY, LINNAEUS].map(|rules| RuleTables::new(rules, shipped_network(rules)))
});

/// Loads the networks of all three rule sets, which the first search needs.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn load_networks() {
    LazyLock::force(&RULE_TABLES);
}

/// The trained network; see `assets/engines/README.md`.
fn shipped_network(rules: &'static Rules) -> Network {
    let bytes: &[u8] = match rules.set {
        RuleSet::TablutBerkeley => include_bytes!("../../../assets/engines/tablut-berkeley.net"),
        RuleSet::TablutLinnaeus => include_bytes!("../../../assets/engines/tablut-linnaeus.net"),
        _ => include_bytes!("../../../assets/engines/tablut-ashton.net"),
    };
    // A test reads all three.
    Network::read(bytes).unwrap_or_else(|_| Network::material_only())
}

fn tables_of(position: &Position) -> &'static RuleTables {
    let [first, others @ ..] = &*RULE_TABLES;
    others.iter().find(|tables| tables.rules.set == position.rules().set).unwrap_or(first)
}

/// The repetition key of every position of the request's game.
fn game_path(request: &Request, tables: &RuleTables) -> Vec<HistoryKey> {
    (0..=request.history.len())
        .filter_map(|plies| match request.history.at(plies) {
            Some(AnyPosition::Tablut(position)) => {
                Some(HistoryKey::of(&Board::from_position(position, tables)))
            }
            _ => None,
        })
        .collect()
}

/// What every thread of a search begins with.
struct RootContext<'a> {
    tables: &'static RuleTables,
    tt: &'a TranspositionTable,
    board: Board,
    moves: Vec<Move>,
    path: Vec<HistoryKey>,
    skill: Skill,
}

/// The best move, or `None` without a move to choose; see
/// [`search_excluding`](super::search_excluding).
pub(super) fn search_position(
    state: &EngineState,
    position: &Position,
    request: &Request,
    excluded: &[AnyMove],
    stop: &StopSignal,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    let stopwatch = Stopwatch::start();
    let tables = tables_of(position);
    let skill = Skill::of(request.options.level, tables.rules.set);
    let limits = skill.within(request.limits);
    let mut rng = request.rng();
    let mut moves = request.root_moves(excluded, &mut rng, |mv| match mv {
        AnyMove::Tablut(mv) => Some(Move::from_rules(mv)),
        _ => None,
    });
    let has_book = request.options.book && request.options.level == Level::Master;
    if has_book && excluded.is_empty() && *position == Position::start(ASHTON) {
        moves.retain(|mv| ASHTON_FIRST_MOVES.contains(&mv.to_rules().to_string().as_str()));
    }
    let tt = transposition_table(state, request, limits);
    let path = game_path(request, tables);
    let board = Board::from_position(position, tables);
    let root = RootContext { tables, tt: &tt, board, moves, path, skill };
    let shared = SharedControl::new(limits, stopwatch, stop).with_soft_time(SOFT_TIME_PERCENT);
    let mut report = |depth, value, control: &SearchControl<'_>, pv: &[Move]| {
        let score = Score::of(value);
        on_info(&Info {
            depth,
            score,
            exact: !matches!(score, Score::Points(_)),
            nodes: control.nodes(),
            time: control.elapsed(),
            pv: pv.iter().copied().map(to_any_move).collect(),
        });
    };
    // The search looks for an immediate win before it looks at the root's moves. If
    // that win is excluded, the rules say whether there is another.
    let wins = |mv: &&Move| {
        end_after(position, **mv).is_some_and(|end| end.winner == Some(position.side()))
    };
    if let Some(&mv) = root.moves.iter().find(wins).filter(|_| !excluded.is_empty()) {
        report(1, MATE - 1, &shared.main_thread(), &[mv]);
        return Some(to_any_move(mv));
    }
    let best = if let Some(at_sight) = skill.at_sight {
        choose_at_sight(&root, at_sight, &shared, &mut rng, &mut report)
    } else if skill.is_noisy() {
        choose_with_noise(&root, &shared, &mut rng, &mut report)
    } else {
        choose_best(&root, &shared, &request.options, &mut report)
    };
    best.map(to_any_move)
}

fn to_any_move(mv: Move) -> AnyMove {
    AnyMove::Tablut(mv.to_rules())
}

/// A beginner's choice: the move that looks best without searching. Even when all
/// moves seem to lose, it plays the best-looking one.
fn choose_at_sight(
    root: &RootContext<'_>,
    at_sight: AtSight,
    shared: &SharedControl<'_>,
    rng: &mut ChaCha8Rng,
    report: &mut dyn FnMut(u32, i32, &SearchControl<'_>, &[Move]),
) -> Option<Move> {
    let mut search = Search::new(root.tables, root.tt, shared.main_thread(), root.path.clone());
    let win = root.board.winning_move(root.tables).filter(|mv| root.moves.contains(mv));
    let sees_win = rng.random_range(0..100) >= at_sight.missed_wins_percent;
    if let Some(win) = win.filter(|_| sees_win) {
        report(1, MATE - 1, &search.control, &[win]);
        return Some(win);
    }
    let noise = root.skill.eval_noise;
    let mut best: Option<(i32, i32, Move)> = None;
    for &mv in &root.moves {
        let child = root.board.make_move(root.tables, mv);
        if child.is_king_gone(root.tables) {
            // The win that it overlooks.
            continue;
        }
        let misses_reply = rng.random_range(0..100) < at_sight.missed_replies_percent;
        let Some(value) = search.value_at_sight(&child, misses_reply) else { break };
        let captures = i32::from(root.board.soldier_count() - child.soldier_count());
        let appeal = value + rng.random_range(-noise..=noise) + captures * at_sight.capture_bonus;
        if best.is_none_or(|(highest, ..)| appeal > highest) {
            best = Some((appeal, value, mv));
        }
    }
    let Some((_, value, mv)) = best else { return root.moves.first().copied() };
    report(1, value, &search.control, &[mv]);
    Some(mv)
}

/// A weak level's choice: the best move by values with random errors. Forced wins
/// and losses keep their values.
fn choose_with_noise(
    root: &RootContext<'_>,
    shared: &SharedControl<'_>,
    rng: &mut ChaCha8Rng,
    report: &mut dyn FnMut(u32, i32, &SearchControl<'_>, &[Move]),
) -> Option<Move> {
    let control = shared.main_thread();
    let max_depth = control.limits().depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    let mut search = Search::new(root.tables, root.tt, control, root.path.clone());
    let noise = root.skill.eval_noise;
    let (depth, scored) = search.score_root_moves(&root.board, &root.moves, max_depth, 2 * noise);
    let noisy = scored.iter().map(|root_move| {
        let (value, error) = (root_move.value, rng.random_range(-noise..=noise));
        if value.abs() >= MATE_IN_MAX_PLY { value } else { value + error }
    });
    // The first of equals.
    let chosen = noisy.enumerate().reduce(|a, b| if b.1 > a.1 { b } else { a });
    let Some(chosen) = chosen.and_then(|(at, _)| scored.get(at)) else {
        return root.moves.first().copied();
    };
    report(depth, chosen.value, &search.control, &chosen.pv);
    Some(chosen.mv)
}

/// Full strength: Lazy SMP. Helper threads search the same root in another order
/// and only fill the transposition table; the main thread answers.
fn choose_best(
    root: &RootContext<'_>,
    shared: &SharedControl<'_>,
    options: &super::EngineOptions,
    report: &mut dyn FnMut(u32, i32, &SearchControl<'_>, &[Move]),
) -> Option<Move> {
    let contempt = Contempt::new(if options.contempt { root.skill.contempt } else { 0 });
    let new_search = |control| Search::new(root.tables, root.tt, control, root.path.clone());
    let help = |number: usize| {
        let mut moves = root.moves.clone();
        let shift = number % moves.len().max(1);
        moves.rotate_left(shift);
        let first_depth = 1 + (number as u32 % 2);
        let mut search = new_search(shared.helper_thread());
        let board = &root.board;
        search.iterative_deepening(board, moves, first_depth, &contempt, &mut |_, _, _, _| ());
    };
    run_with_helpers(options.helpers(), help, || {
        let mut search = new_search(shared.main_thread());
        let moves = root.moves.clone();
        let best = search.iterative_deepening(&root.board, moves, 1, &contempt, report);
        shared.finish();
        best
    })
}

/// The end of the game by a legal move, if the move ends it.
fn end_after(position: &Position, mv: Move) -> Option<End> {
    let mut after = position.clone();
    after.play(mv.to_rules()).ok()?;
    after.turn().end()
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
