//! One thought from request to answer.

use std::{
    ops::RangeInclusive,
    sync::{MutexGuard, PoisonError, TryLockError},
    time::Duration,
};

use rand::{RngExt as _, rngs::ChaCha8Rng};

use super::{
    SOLVED,
    features::{inputs, overlook},
    network::Network,
    rival::Rival,
    run_in::RunIn,
    search::Search,
    skill::Skill,
    state::State,
    throws::judge,
    weights,
};
use crate::engines::{
    Info, Request, Score, SearchLimits, StopSignal,
    control::{SearchControl, SharedControl},
    timeman::Stopwatch,
};
use crate::games::{
    AnyMove, Game as _,
    tablan::{Move, Position},
};

/// It looks no further than this, which may take minutes;
const MOST_DEPTH: u32 = 6;
/// under the clock no further than this,
const PLAYED_DEPTH: u32 = 3;
/// and no longer than this, even if it may: a game has a hundred moves.
const PLAYED_TIME: Duration = Duration::from_millis(45);
/// The depth that is told where it has seen the end.
const END_DEPTH: u32 = 100;
/// Which moves are looked at more deeply: those that are at most so much worse
/// than the best, in equity, and so many at most.
#[derive(Clone, Copy)]
struct Choosy {
    margin: f32,
    count: usize,
}

/// After depth 1.
const FIRST: Choosy = Choosy { margin: 0.10, count: 24 };
/// Later, in the plain game: depth 3 seldom sees what depth 2 doesn't (see the
/// test `what_depth_is_worth`).
const PLAIN: Choosy = Choosy { margin: 0.006, count: 4 };
/// Later, in the ordered game, where the way home has to be planned.
const ORDERED: Choosy = Choosy { margin: 0.04, count: 8 };

/// A move, the board after it, and its worth for the mover.
#[derive(Clone, Copy, Debug)]
struct Weighed {
    mv: Move,
    after: State,
    value: f32,
}

/// Who is told of a thought.
struct Voice<'a> {
    on_info: &'a mut dyn FnMut(&Info),
}

impl Voice<'_> {
    fn tell(&mut self, depth: u32, exact: bool, best: &Weighed, control: &SearchControl<'_>) {
        let score = match best.after.result() {
            Some(result) if result > 0.0 => Score::Win(1),
            Some(result) if result < 0.0 => Score::Loss(1),
            _ => Score::Points((100.0 * best.value).round() as i32),
        };
        (self.on_info)(&Info {
            depth,
            score,
            nodes: control.nodes(),
            time: control.elapsed(),
            pv: vec![AnyMove::Tablan(best.mv)],
            exact: exact || best.after.result().is_some_and(|result| result > 0.0),
        });
    }
}

pub(in crate::engines) fn think(
    position: &Position,
    request: &Request,
    without: &[AnyMove],
    stop: &StopSignal,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    let stopwatch = Stopwatch::start();
    let root = State::of(position);
    let skill = Skill::of(request.options.level, root.ordered);
    let mut rng = request.rng();
    let moves = request.root_moves(without, &mut rng, |mv| match mv {
        AnyMove::Tablan(mv) => Some(mv),
        _ => None,
    });
    let mut weighed: Vec<_> = moves
        .into_iter()
        .map(|mv| Weighed { mv, after: after(position, mv), value: 0.0 })
        .collect();
    let limits = limits(request.limits, skill);
    let shared = SharedControl::new(limits, stopwatch, stop);
    let control = shared.main_thread();
    let mut voice = Voice { on_info };
    if skill.doubt > 0.0 {
        return guess(root, &weighed, skill, control, &mut rng, &mut voice);
    }
    // What was solved for earlier moves depends on the clock's mercy; without a
    // clock the answer is to be the same each time.
    let (mut own, mut shared);
    let run_in = match limits.movetime.and_then(|_| solved()) {
        Some(guard) => {
            shared = guard;
            &mut *shared
        }
        None => {
            own = RunIn::default();
            &mut own
        }
    };
    run_in.prepare(root.ordered, request.options.hash_mib);
    let mut search = Search { network: weights(root.ordered), control, run_in, rival: None };
    if !glance(root, &mut weighed, &mut search) {
        return weighed.first().map(|one| AnyMove::Tablan(one.mv));
    }
    let forced = weighed.len() == 1 && limits.movetime.is_some();
    // There is an answer: now it may take the time to read the other side.
    if !forced && skill.reads && request.options.adapt && search.control.enter() {
        meet(Rival::of(&request.line, position.side().other()), root, &mut weighed, &mut search);
    }
    voice.tell(1, false, weighed.first()?, &search.control);
    if forced || !search.control.enter() {
        return Some(AnyMove::Tablan(weighed.first()?.mv));
    }
    // First a look that takes no time, so that there is an answer if the end
    // is too far off to be worked out.
    let most = limits.depth.unwrap_or(MOST_DEPTH);
    let mut live = weighed.len();
    let more = deepen(&mut weighed, &mut live, 2..=most.min(2), &mut search, &mut voice);
    let solves = skill.solves && request.limits.depth.is_none() && RunIn::covers(root);
    if solves && solve(&mut weighed, &mut search) {
        voice.tell(END_DEPTH, true, weighed.first()?, &search.control);
    } else if more {
        deepen(&mut weighed, &mut live, 3..=most, &mut search, &mut voice);
    }
    Some(AnyMove::Tablan(weighed.first()?.mv))
}

/// The board after a legal move, seen by the mover, who throws again.
fn after(position: &Position, mv: Move) -> State {
    let mut after = position.clone();
    // The move comes from this position's own list.
    let _ = after.apply(mv);
    State::of(&after)
}

/// The request's limits within the skill's and what is worth the time.
fn limits(limits: SearchLimits, skill: Skill) -> SearchLimits {
    let most = if limits.movetime.is_some() { PLAYED_DEPTH } else { MOST_DEPTH };
    SearchLimits {
        depth: Some(limits.depth.unwrap_or(most).min(skill.depth).clamp(1, MOST_DEPTH)),
        movetime: limits.movetime.map(|time| time.min(PLAYED_TIME)),
        ..limits
    }
}

/// The boards solved so far, unless another thought is using them.
fn solved() -> Option<MutexGuard<'static, RunIn>> {
    match SOLVED.try_lock() {
        Ok(guard) => Some(guard),
        // Boards are entered whole: whatever happened, what is there is right.
        Err(TryLockError::Poisoned(poisoned)) => Some(PoisonError::into_inner(poisoned)),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// A move as a weaker level chooses it: by a glance and with doubts. An end of
/// the game is seen for what it is.
fn guess(
    root: State,
    weighed: &[Weighed],
    skill: Skill,
    mut control: SearchControl<'_>,
    rng: &mut ChaCha8Rng,
    voice: &mut Voice<'_>,
) -> Option<AnyMove> {
    let network: &Network = weights(root.ordered);
    let mut best: Option<(f32, Weighed)> = None;
    for one in weighed {
        if !control.enter() {
            break;
        }
        let (value, felt) = match one.after.result() {
            Some(result) => (result, 2.0 * result),
            None => {
                let mut seen = inputs(one.after);
                if skill.blind {
                    overlook(&mut seen);
                }
                let value = network.sum(&network.layer(seen).sums).tanh();
                (value, value + rng.random_range(-skill.doubt..=skill.doubt))
            }
        };
        if best.is_none_or(|(most, _)| felt > most) {
            best = Some((felt, Weighed { value, ..*one }));
        }
    }
    let Some((_, best)) = best else {
        return weighed.first().map(|one| AnyMove::Tablan(one.mv));
    };
    voice.tell(1, false, &best, &control);
    Some(AnyMove::Tablan(best.mv))
}

/// Weighs every move by the network's word, the best first. Moves that time
/// does not allow to be looked at stay behind; false when that is all of them.
fn glance(root: State, weighed: &mut [Weighed], search: &mut Search<'_, '_>) -> bool {
    let layer = search.network.layer(inputs(root));
    for one in weighed.iter_mut() {
        one.value = if search.control.enter() {
            judge(search.network, &layer, one.after).tanh()
        } else {
            f32::NEG_INFINITY
        };
    }
    sort(weighed);
    weighed.first().is_some_and(|one| one.value.is_finite())
}

/// Weighs every move anew against a rival, if there is one and time for it.
fn meet(
    rival: Option<Rival>,
    root: State,
    weighed: &mut Vec<Weighed>,
    search: &mut Search<'_, '_>,
) {
    let Some(rival) = rival else { return };
    let (sound, before) = (search.network, weighed.clone());
    (search.network, search.rival) = (rival.own, Some(rival));
    glance(root, weighed, search);
    if weighed.iter().any(|one| one.value == f32::NEG_INFINITY) {
        (search.network, search.rival) = (sound, None);
        *weighed = before;
    }
}

/// Weighs every move by solving all that can follow; false when it was too
/// much, and then nothing has changed.
fn solve(weighed: &mut [Weighed], search: &mut Search<'_, '_>) -> bool {
    let mut values = Vec::with_capacity(weighed.len());
    for one in weighed.iter() {
        match search.run_in.solve(one.after, &mut || search.control.enter()) {
            Ok(value) => values.push(value as f32),
            Err(_) => return false,
        }
    }
    for (one, value) in weighed.iter_mut().zip(values) {
        one.value = value;
    }
    sort(weighed);
    true
}

/// Looks deeper and deeper at the best moves, of which `live` have been looked
/// at so far; false when there is no more to find or no time.
fn deepen(
    weighed: &mut [Weighed],
    live: &mut usize,
    depths: RangeInclusive<u32>,
    search: &mut Search<'_, '_>,
    voice: &mut Voice<'_>,
) -> bool {
    for depth in depths {
        let Some(best) = weighed.first() else { return false };
        let choosy = match depth {
            ..=2 => FIRST,
            _ if best.after.ordered => ORDERED,
            _ => PLAIN,
        };
        let bar = best.value - choosy.margin;
        let rest = &mut weighed[..*live];
        *live = rest.iter().take(choosy.count).take_while(|one| one.value >= bar).count();
        let rest = &mut rest[..*live];
        if rest.len() == 1 && search.control.limits().movetime.is_some() {
            return false;
        }
        let mut values = Vec::with_capacity(rest.len());
        for one in rest.iter() {
            match search.worth(one.after, depth - 1) {
                Ok(value) => values.push(value),
                // A depth cut short says nothing of the moves it didn't reach.
                Err(_) => return false,
            }
        }
        for (one, value) in rest.iter_mut().zip(values) {
            one.value = value;
        }
        sort(rest);
        if let Some(best) = rest.first() {
            voice.tell(depth, false, best, &search.control);
        }
        if search.control.is_nearly_spent() {
            return false;
        }
    }
    true
}

/// The best first; equal ones stay in their order.
fn sort(weighed: &mut [Weighed]) {
    weighed.sort_by(|one, other| other.value.total_cmp(&one.value));
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;
    use crate::engines::{EngineOptions, Level};
    use crate::games::{
        AnyPosition, GameHistory, Throw, Turn,
        tablan::{ORDERED, PLAIN},
    };

    /// What a level answers, and how much that is worse than the best by the
    /// network's word.
    fn loss(position: &Position, level: Level, seed: u64) -> f32 {
        let line = GameHistory::new(AnyPosition::Tablan(position.clone()));
        let options = EngineOptions { level, seed, ..EngineOptions::default() };
        let limits = SearchLimits { depth: Some(1), ..SearchLimits::default() };
        let request = Request { line, limits, options };
        let best = think(position, &request, &[], &StopSignal::default(), &mut |_| ());
        let Some(AnyMove::Tablan(best)) = best else { panic!("{position}") };
        let layer = weights(position.rules().ordered_entry).layer(inputs(State::of(position)));
        let judge =
            |mv| judge(weights(position.rules().ordered_entry), &layer, after(position, mv)).tanh();
        let most = position.legal_moves().into_iter().map(judge).fold(-1.0, f32::max);
        most - judge(best)
    }

    #[test]
    fn levels_err_within_their_bounds_and_weaker_ones_more() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for rules in [PLAIN, ORDERED] {
            let mut sums = [0.0; 5];
            let mut position = Position::start(rules);
            for seed in 0..400 {
                match position.turn() {
                    Turn::Over(_) => position = Position::start(rules),
                    Turn::Throw(_) => {
                        let throw = Throw::ALL[rng.random_range(0..Throw::ALL.len())];
                        position.apply_throw(throw).unwrap();
                    }
                    Turn::Move(_) => {
                        for level in Level::ALL {
                            let (skill, loss) = (
                                Skill::of(level, rules.ordered_entry),
                                loss(&position, level, seed),
                            );
                            let bound = if skill.blind { 2.0 } else { 2.0 * skill.doubt };
                            assert!(loss <= bound + 1e-6, "{level} {position}: {loss}");
                            sums[level as usize] += loss;
                        }
                        let moves = position.legal_moves();
                        position.apply(moves[rng.random_range(0..moves.len())]).unwrap();
                    }
                }
            }
            assert!(sums.is_sorted_by(|weak, strong| weak > strong), "{sums:?}");
            assert!(sums[4] < 1e-4, "{sums:?}");
        }
    }
}
