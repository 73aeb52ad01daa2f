//! Thinking about Tablan: every move is weighed over the throws that may
//! follow it.
//!
//! A depth of 1 judges the position after the move; each further one looks at
//! all scores of the next throw, at the best use of each, and at the sticks
//! being passed. Beyond the root only the most promising uses are followed.

mod evaluation;

use std::sync::atomic::AtomicU64;

use evaluation::{WON, evaluate};

use super::{
    Info, Request, Score, Stop,
    clock::Clock,
    limits::Gate,
    thought::{bounded, choices, is_blurred, noise, overlooks, preferred},
};
use crate::games::{
    AnyMove, Game as _, Side, Throw, Turn,
    tablan::{Move, Position},
};

/// The throws that differ in what may be done, with their weights of 16: a null
/// score, 2, 8 and 12 (rule 8).
const CASTS: [(Throw, i32); 4] =
    [(Throw::ALL[2], 10), (Throw::ALL[1], 4), (Throw::ALL[4], 1), (Throw::ALL[0], 1)];

/// Nobody can look further; the game turns on luck by then.
const MOST_DEPTH: u32 = 12;
/// From this depth on only the best moves of the last one are weighed again.
const NARROW_DEPTH: u32 = 3;
/// How many of them.
const WIDTH: usize = 12;
/// How many uses of a later throw are followed.
const LATER_WIDTH: usize = 5;

/// Weighs positions for one side.
struct Scales<'a> {
    me: Side,
    gate: Gate<'a>,
}

impl Scales<'_> {
    /// The worth of a position that waits for a throw, or is over, with
    /// `depth` throws looked at; none when it is time to stop.
    fn expect(&mut self, position: &Position, depth: u32) -> Option<i32> {
        if !self.gate.enter() {
            return None;
        }
        match position.turn() {
            Turn::Over(end) => return Some(self.of_end(end.winner)),
            Turn::Throw(_) if depth > 0 => {}
            Turn::Throw(_) | Turn::Move(_) => return Some(evaluate(position, self.me)),
        }
        let mut sum = 0;
        for (throw, weight) in CASTS {
            let mut thrown = position.clone();
            if thrown.cast(throw).is_err() {
                return Some(evaluate(position, self.me));
            }
            let value = match thrown.turn() {
                Turn::Move(_) => self.best_use(&thrown, depth)?,
                // Passed or lost: the next throw is the next depth's.
                Turn::Throw(_) | Turn::Over(_) => self.expect(&thrown, depth - 1)?,
            };
            sum += weight * value;
        }
        Some(sum / 16)
    }

    /// The worth of the best use of a throw, for whoever has thrown.
    fn best_use(&mut self, thrown: &Position, depth: u32) -> Option<i32> {
        let sign = if thrown.side() == self.me { 1 } else { -1 };
        let mut uses = Vec::new();
        for mv in thrown.legal_moves() {
            let after = played(thrown, mv);
            uses.push((sign * self.expect(&after, 0)?, after));
        }
        if depth > 1 {
            uses.sort_by_key(|(value, _)| -value);
            uses.truncate(LATER_WIDTH);
            for (value, after) in &mut uses {
                *value = sign * self.expect(after, depth - 1)?;
            }
        }
        Some(sign * uses.iter().map(|(value, _)| *value).max().unwrap_or(0))
    }

    fn of_end(&self, winner: Option<Side>) -> i32 {
        match winner {
            None => 0,
            Some(winner) if winner == self.me => WON,
            Some(_) => -WON,
        }
    }
}

/// The position after a legal move.
fn played(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    // The move comes from this position's own list.
    let _ = after.apply(mv);
    after
}

pub(super) fn think(
    position: &Position,
    request: &Request,
    stop: &Stop,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    let (clock, helpers) = (Clock::start(), AtomicU64::new(0));
    let skill = request.settings.level.skill();
    let limits = bounded(request, skill);
    let mut rng = noise(request);
    let moves = choices(request, &mut rng, |mv| match mv {
        AnyMove::Tablan(mv) => Some(mv),
        _ => None,
    });
    let gate = Gate::new(limits, &clock, [stop, stop], &helpers, false);
    let mut scales = Scales { me: position.side(), gate };
    let mut weighed: Vec<_> = moves.into_iter().map(|mv| (mv, played(position, mv), 0)).collect();
    let mut tell = |depth, (mv, after, value): &(Move, Position, i32), gate: &Gate<'_>| {
        let score = match after.end().and_then(|end| end.winner) {
            Some(winner) if winner == position.side() => Score::Win(1),
            Some(_) => Score::Loss(1),
            None => Score::Points(*value),
        };
        let (nodes, time) = (gate.nodes(), gate.elapsed());
        on_info(&Info {
            depth,
            score,
            exact: !matches!(score, Score::Points(_)),
            nodes,
            time,
            pv: vec![AnyMove::Tablan(*mv)],
        });
    };
    let mut most = limits.depth.unwrap_or(MOST_DEPTH).clamp(1, MOST_DEPTH);
    if overlooks(skill, &mut rng) {
        most = (most - 1).max(1);
    }
    // The last depth looked at in full, and how many moves it has weighed.
    let mut done = (0, 0);
    for depth in 1..=most {
        let count = if depth < NARROW_DEPTH { weighed.len() } else { weighed.len().min(WIDTH) };
        let mut values = Vec::with_capacity(count);
        for (_, after, _) in weighed.iter().take(count) {
            let Some(value) = scales.expect(after, depth - 1) else { break };
            values.push(value);
        }
        // A depth cut short says nothing of the moves it didn't reach.
        if values.is_empty() || values.len() < count && depth > 1 {
            break;
        }
        done = (depth, values.len());
        for (entry, value) in weighed.iter_mut().zip(values) {
            entry.2 = value;
        }
        weighed[..done.1].sort_by_key(|(_, _, value)| -value);
        if !is_blurred(skill)
            && let Some(best) = weighed.first()
        {
            tell(depth, best, &scales.gate);
        }
        let forced = weighed.len() == 1 && limits.movetime.is_some();
        if forced || done.1 < count || scales.gate.is_nearly_spent() {
            break;
        }
    }
    if is_blurred(skill) {
        let values = weighed.iter().take(done.1).map(|(_, _, value)| *value);
        let chosen = preferred(values, skill, &mut rng);
        if let Some((at, one)) = chosen.and_then(|at| weighed.get(at).map(|one| (at, one))) {
            tell(done.0, one, &scales.gate);
            weighed.swap(0, at);
        }
    }
    weighed.first().map(|(mv, _, _)| AnyMove::Tablan(*mv))
}
