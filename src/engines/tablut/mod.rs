//! Thinking about Tablut, by any of its rule sets.
//!
//! The engine has its own position ([`state`]), fast enough to be looked at by
//! the million, made from the rules' data ([`ground`]) and held equal to them
//! by tests. Over it runs a principal-variation search ([`search`], [`settle`],
//! [`root`]) with a transposition table ([`table`]) that may live on from one
//! move of a game to the next, and a judgement that a small network has learnt
//! from the engine's games with itself ([`network`], [`training`]). The rule set
//! is read from the position; it is asked for by name only where the networks and
//! the levels, which were measured for each, are chosen.

mod evaluation;
mod fit;
mod ground;
mod moves;
mod network;
mod order;
mod positions;
mod root;
mod search;
mod selfplay;
mod settle;
mod skill;
mod squares;
mod state;
#[cfg(test)]
mod tests;
mod threats;
mod training;

use std::sync::{Arc, LazyLock};

use rand::RngExt as _;

use self::{
    ground::Ground,
    network::Network,
    search::{Search, Trace},
    skill::Skill,
    state::{Move, State},
};
use super::{
    EngineState, Info, Request, SearchLimits, StopSignal,
    control::{SearchControl, SharedControl},
    score::{MATE, MATE_IN_MAX_PLY, Score},
    timeman::Stopwatch,
    tt::TranspositionTable,
    worker::alongside,
};
use crate::games::{
    AnyMove, AnyPosition, End, Game as _, RuleSet,
    tablut::{ASHTON, BERKELEY, LINNAEUS, Position, Rules},
};

pub use self::fit::{
    TablutInitialNetwork, TablutTrainError, TablutTrainEvent, TablutTrainObserver, TablutTrainPlan,
    train_tablut,
};

/// Share of the move time within which an iteration may begin.
const SOFT_TIME_PERCENT: u32 = 85;

/// The three rule sets with the networks that are shipped.
static GROUNDS: LazyLock<[Ground; 3]> = LazyLock::new(|| {
    [ASHTON, BERKELEY, LINNAEUS].map(|rules| Ground::new(rules, shipped_network(rules)))
});

/// What was learnt, see `assets/engines/README.md`.
fn shipped_network(rules: &'static Rules) -> Network {
    let bytes: &[u8] = match rules.set {
        RuleSet::TablutBerkeley => include_bytes!("../../../assets/engines/tablut-berkeley.net"),
        RuleSet::TablutLinnaeus => include_bytes!("../../../assets/engines/tablut-linnaeus.net"),
        _ => include_bytes!("../../../assets/engines/tablut-ashton.net"),
    };
    // A test reads them all.
    Network::read(bytes).unwrap_or_else(|_| Network::counting())
}

fn ground_of(position: &Position) -> &'static Ground {
    let [first, others @ ..] = &*GROUNDS;
    others.iter().find(|ground| ground.rules.set == position.rules().set).unwrap_or(first)
}

/// Every position of the request's game, as far as repetition needs them.
fn past(request: &Request, ground: &Ground) -> Vec<Trace> {
    (0..=request.line.len())
        .filter_map(|plies| match request.line.at(plies) {
            Some(AnyPosition::Tablut(position)) => Some(Trace::of(&State::of(position, ground))),
            _ => None,
        })
        .collect()
}

/// The limits within what a skill can do.
fn bounded(limits: SearchLimits, skill: Skill) -> SearchLimits {
    let least = |ours: Option<u64>, theirs: Option<u64>| ours.into_iter().chain(theirs).min();
    let depth = least(limits.depth.map(u64::from), skill.depth.map(u64::from));
    SearchLimits {
        depth: depth.and_then(|depth| u32::try_from(depth).ok()),
        nodes: least(limits.nodes, skill.nodes),
        ..limits
    }
}

pub(super) fn think(
    mind: &EngineState,
    position: &Position,
    request: &Request,
    without: &[AnyMove],
    stop: &StopSignal,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    let stopwatch = Stopwatch::start();
    let ground = ground_of(position);
    let root = State::of(position, ground);
    let mut rng = request.rng();
    let skill = Skill::of(request.options.level, ground.rules.set);
    let limits = bounded(request.limits, skill);
    let moves = request.root_moves(without, &mut rng, |mv| match mv {
        AnyMove::Tablut(mv) => Some(Move::of(mv)),
        _ => None,
    });
    let any = |mv: Move| AnyMove::Tablut(mv.to_rules());
    let table = table_for(mind, request, limits);
    let past = past(request, ground);
    let shared = SharedControl::new(limits, stopwatch, stop).with_soft_time(SOFT_TIME_PERCENT);
    let mut tell = |depth, value, control: &SearchControl<'_>, line: &[Move]| {
        let score = Score::of(value);
        on_info(&Info {
            depth,
            score,
            exact: !matches!(score, Score::Points(_)),
            nodes: control.nodes(),
            time: control.elapsed(),
            pv: line.iter().copied().map(any).collect(),
        });
    };
    // The search looks for a win on the spot before it looks at moves. Where
    // that one is left out, the rules say which other is.
    let wins =
        |mv: &&Move| ends(position, **mv).is_some_and(|end| end.winner == Some(position.side()));
    if let Some(&mv) = moves.iter().find(wins).filter(|_| !without.is_empty()) {
        tell(1, MATE - 1, &shared.main_thread(), &[mv]);
        return Some(any(mv));
    }
    if skill.is_blurred() {
        let depth = limits.depth.unwrap_or(root::MOST_DEPTH).clamp(1, root::MOST_DEPTH);
        let mut search = Search::new(ground, &table, shared.main_thread(), past);
        search.blind = (skill.blind, rng.random());
        let (depth, weighed) = search.weigh(&root, &moves, depth, 2 * skill.doubt);
        let blurred = weighed.iter().map(|one| {
            let doubt = rng.random_range(-skill.doubt..=skill.doubt);
            if one.value.abs() >= MATE_IN_MAX_PLY { one.value } else { one.value + doubt }
        });
        // The first of equals.
        let chosen = blurred.enumerate().reduce(|a, b| if b.1 > a.1 { b } else { a });
        let Some(chosen) = chosen.and_then(|(at, _)| weighed.get(at)) else {
            return moves.first().copied().map(any);
        };
        tell(depth, chosen.value, &search.control, &chosen.line);
        return Some(any(chosen.mv));
    }
    let contempt = if request.options.contempt { skill.contempt } else { 0 };
    // Helpers fill the table; only this thread answers.
    let helper = |number: usize| {
        let mut search = Search::new(ground, &table, shared.helper_thread(), past.clone());
        search.disdain_draws(contempt, &root);
        let mut moves = moves.clone();
        let turned = number % moves.len().max(1);
        moves.rotate_left(turned);
        let first = 1 + (number as u32 % 2);
        search.deepen(&root, moves, first, &mut |_, _, _, _| ());
    };
    alongside(request.options.helpers(), helper, || {
        let mut search = Search::new(ground, &table, shared.main_thread(), past.clone());
        search.disdain_draws(contempt, &root);
        let best = search.deepen(&root, moves.clone(), 1, &mut tell);
        shared.finish();
        best.map(any)
    })
}

/// The end that a legal move makes, if it does.
fn ends(position: &Position, mv: Move) -> Option<End> {
    let mut after = position.clone();
    after.play(mv.to_rules()).ok()?;
    after.turn().end()
}

/// The mind's own table when only time limits the thought; else a fresh one,
/// so that the same request has the same answer.
fn table_for(
    mind: &EngineState,
    request: &Request,
    limits: SearchLimits,
) -> Arc<TranspositionTable> {
    let mib = request.options.hash_mib;
    let is_free = limits.nodes.is_none() && limits.depth.is_none();
    if !is_free {
        let entries = limits.useful_entries();
        let memory = mind.memory(mib, TranspositionTable::<4>::words_for(entries));
        return Arc::new(TranspositionTable::new(memory, entries));
    }
    let table = mind.game_table(mib);
    table.new_search();
    table
}
