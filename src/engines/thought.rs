//! One thought from request to answer, for games without chance.

use std::sync::atomic::AtomicU64;

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng, seq::SliceRandom as _};

use super::{
    Info, Limits, Request, Stop,
    clock::Clock,
    level::Skill,
    limits::Gate,
    memory::Memory,
    root::MOST_DEPTH,
    score::{SURE, Score},
    search::Search,
    tree::{Trace, Tree},
    worker::alongside,
};
use crate::games::{AnyMove, Game};

/// More threads than this are no help.
pub(super) const MOST_THREADS: usize = 64;

/// The request's limits within what a skill can do.
pub(super) fn bounded(request: &Request, skill: Skill) -> Limits {
    let depths = [request.limits.depth, skill.depth];
    Limits { depth: depths.into_iter().flatten().min(), ..request.limits }
}

/// The request's own generator: the same for the same position and seed.
pub(super) fn noise(request: &Request) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(request.settings.seed ^ request.line.position().key().rotate_left(17))
}

/// The legal moves of the request, in an order drawn from its seed: among equal
/// ones the first is played.
pub(super) fn choices<M>(
    request: &Request,
    rng: &mut ChaCha8Rng,
    own: impl Fn(AnyMove) -> Option<M>,
) -> Vec<M> {
    let mut moves = request.line.legal_moves();
    moves.sort_unstable();
    moves.shuffle(rng);
    moves.into_iter().filter_map(own).collect()
}

/// Whether this skill chooses by its own, blurred judgement.
pub(super) const fn is_blurred(skill: Skill) -> bool {
    skill.doubt > 0 || skill.oversights > 0
}

/// Which of the values a blurred judgement prefers. What is sure, it knows.
pub(super) fn preferred(
    values: impl Iterator<Item = i32>,
    skill: Skill,
    rng: &mut ChaCha8Rng,
) -> Option<usize> {
    values
        .map(|value| {
            let doubt = rng.random_range(-skill.doubt..=skill.doubt);
            if value.abs() >= SURE { value } else { value + doubt }
        })
        .enumerate()
        // The first of equals.
        .reduce(|best, other| if other.1 > best.1 { other } else { best })
        .map(|(at, _)| at)
}

/// Whether the skill overlooks something this time.
pub(super) fn overlooks(skill: Skill, rng: &mut ChaCha8Rng) -> bool {
    rng.random_range(0..100) < skill.oversights
}

/// How many slots a thought within these limits can fill: making more of them
/// would only take time.
pub(super) fn slots_wanted(limits: Limits) -> usize {
    /// More than any machine looks at.
    const A_MILLISECOND: u128 = 4000;
    let by_nodes = limits.nodes.map_or(u128::MAX, |nodes| 2 * u128::from(nodes));
    let by_time = limits.movetime.map_or(u128::MAX, |time| time.as_millis() * A_MILLISECOND);
    let by_depth = if matches!(limits.depth, Some(0..=3)) { 1 << 17 } else { u128::MAX };
    usize::try_from(by_nodes.min(by_time).min(by_depth)).unwrap_or(usize::MAX)
}

/// Thinks about a game without chance. `root` is its last position as the
/// search sees it, `past` all of them, `own` and `any` turn moves into the
/// search's and back. `sees_end`: however little the level looks ahead, it
/// looks to the end here, unless it overlooks that.
pub(super) fn run<T: Tree>(
    root: &T,
    past: Vec<Trace>,
    (own, any): (impl Fn(AnyMove) -> Option<T::Move>, impl Fn(T::Move) -> AnyMove),
    sees_end: bool,
    request: &Request,
    stop: &Stop,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    let clock = Clock::start();
    let mut rng = noise(request);
    let mut skill = request.settings.level.skill();
    if overlooks(skill, &mut rng) {
        skill.depth = skill.depth.map(|depth| (depth - 1).max(1));
    } else if sees_end {
        skill.depth = None;
    }
    let limits = bounded(request, skill);
    let moves = choices(request, &mut rng, own);
    let memory = Memory::new(request.settings.hash_mib, slots_wanted(limits));
    let (finished, helpers) = (Stop::default(), AtomicU64::new(0));
    let gate = |is_helper| Gate::new(limits, &clock, [stop, &finished], &helpers, is_helper);
    let mut tell = |depth, value, gate: &Gate<'_>, line: &[T::Move]| {
        on_info(&Info {
            depth,
            score: Score::of(value),
            nodes: gate.nodes(),
            time: gate.elapsed(),
            pv: line.iter().copied().map(&any).collect(),
        });
    };
    if is_blurred(skill) {
        let depth = limits.depth.unwrap_or(MOST_DEPTH).clamp(1, MOST_DEPTH);
        let mut search = Search::new(&memory, gate(false), past);
        let (depth, weighed) = search.weigh(root, &moves, depth, 2 * skill.doubt);
        let at = preferred(weighed.iter().map(|one| one.value), skill, &mut rng);
        let Some(chosen) = at.and_then(|at| weighed.get(at)) else {
            return moves.first().copied().map(any);
        };
        tell(depth, chosen.value, &search.gate, &chosen.line);
        return Some(any(chosen.mv));
    }
    // Helpers fill the memory; only this thread answers.
    let others = request.settings.threads.clamp(1, MOST_THREADS) - 1;
    let helper = |number: usize| {
        let mut search = Search::new(&memory, gate(true), past.clone());
        let mut moves = moves.clone();
        let turned = number % moves.len().max(1);
        moves.rotate_left(turned);
        let first = 1 + (number as u32 % 2);
        search.deepen(root, moves, first, &mut |_, _, _, _| ());
    };
    alongside(others, helper, || {
        let mut search = Search::new(&memory, gate(false), past.clone());
        let best = search.deepen(root, moves.clone(), 1, &mut tell);
        finished.stop();
        best.map(&any)
    })
}
