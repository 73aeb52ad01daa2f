//! The search for games without chance: alpha-beta with iterative deepening,
//! principal variations, a transposition table, killers and history.
//!
//! It knows a game only as a [`Tree`]. Repetition is scored by the rule set's
//! own rule, over the whole game so far and the line being looked at.

use std::mem;

use super::{
    limits::Gate,
    memory::{Bound, Memo, Memory},
    score::{MATE, SURE},
};
use crate::games::Repetition;

/// How a position that ends the game ends it for the side that would move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The side to move has won.
    Won,
    /// The side to move has lost.
    Lost,
    /// Neither.
    Drawn,
}

/// A game of two sides that move in turn, as the search sees it.
pub(super) trait Tree: Clone + Send + Sync {
    type Move: Copy + PartialEq + Send + Sync;

    /// Codes of moves are below this.
    const CODES: usize;

    /// A number of the position; different positions have different ones, or
    /// so rarely not that it doesn't matter.
    fn key(&self) -> u64;

    /// The number of pieces. Positions with different numbers can't be the
    /// same, and a piece that is gone is gone for good.
    fn men(&self) -> u32;

    /// Whether the position ends the game. A side that cannot move has lost;
    /// that need not be seen here.
    fn verdict(&self) -> Option<Verdict>;

    /// Adds all legal moves, each with a promise: 0 for a quiet move, more for
    /// a capture or something else worth looking at first.
    fn moves(&self, into: &mut Vec<(Self::Move, i32)>);

    /// Adds the moves that must be looked at before a position is judged, with
    /// their promises. None by default: every position can be judged.
    fn loud_moves(&self, _into: &mut Vec<(Self::Move, i32)>) {}

    /// The position after a legal move.
    fn after(&self, mv: Self::Move) -> Self;

    /// The worth for the side to move, in hundredths of a piece.
    fn evaluate(&self) -> i32;

    /// Whether the side to move certainly wins with its next move.
    fn wins_at_once(&self) -> bool {
        false
    }

    /// A number of the move, below [`Tree::CODES`].
    fn code(mv: Self::Move) -> u16;

    /// What the rules do about positions that come back.
    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }
}

/// A position of the game so far, as far as repetition needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trace {
    key: u64,
    men: u32,
}

impl Trace {
    pub(super) fn of<T: Tree>(tree: &T) -> Self {
        Self { key: tree.key(), men: tree.men() }
    }
}

/// A move, its value and the play expected after it.
#[derive(Clone, Debug)]
pub(super) struct Weighed<M> {
    pub(super) mv: M,
    pub(super) value: i32,
    /// The move itself first.
    pub(super) line: Vec<M>,
}

/// Plies from the root at most, captures beyond the depth included.
const DEEPEST: usize = 120;
/// Iterations at most.
pub(super) const MOST_DEPTH: u32 = 100;
/// Captures in a row beyond the depth at most.
const LOUD_PLIES: usize = 8;
/// From this move on quiet moves are looked at less deeply at first.
const LATE: usize = 4;
/// No move has this code.
const NO_CODE: u16 = u16::MAX;

/// One thread's search from one root.
pub(super) struct Search<'a, T: Tree> {
    memory: &'a Memory,
    pub(super) gate: Gate<'a>,
    /// Every position from the game's start to the one being looked at.
    path: Vec<Trace>,
    /// By ply: quiet moves that refuted a neighbour.
    killers: Vec<[u16; 2]>,
    /// By code: how often a quiet move refuted something.
    history: Vec<i32>,
    /// By ply: the best play found from there.
    lines: Vec<Vec<T::Move>>,
    /// By ply: room for moves, kept for its capacity.
    rooms: Vec<Vec<(T::Move, i32)>>,
    /// How often a repetition decided a value so far.
    repeats: u64,
}

impl<'a, T: Tree> Search<'a, T> {
    /// A search from the last position of `past`.
    pub(super) fn new(memory: &'a Memory, gate: Gate<'a>, past: Vec<Trace>) -> Self {
        Self {
            memory,
            gate,
            path: past,
            killers: vec![[NO_CODE; 2]; DEEPEST + 2],
            history: vec![0; T::CODES],
            lines: vec![Vec::new(); DEEPEST + 2],
            rooms: vec![Vec::new(); DEEPEST + 2],
            repeats: 0,
        }
    }

    /// Looks deeper and deeper, from `first` plies on, telling what each depth
    /// found; returns the best move, the first of `moves` if there was no time
    /// at all.
    pub(super) fn deepen(
        &mut self,
        root: &T,
        mut moves: Vec<T::Move>,
        first: u32,
        told: &mut dyn FnMut(u32, i32, &Gate<'_>, &[T::Move]),
    ) -> Option<T::Move> {
        let mut best = *moves.first()?;
        let most = self.gate.limits().depth.unwrap_or(MOST_DEPTH).clamp(1, MOST_DEPTH);
        for depth in first.min(most)..=most {
            let Some((at, value)) = self.look(root, &moves, depth, &mut best) else { break };
            // The best stays in front; the others keep their order.
            moves[..=at].rotate_right(1);
            told(depth, value, &self.gate, &self.lines[0]);
            let known = value.abs() >= SURE && MATE - value.abs() <= depth as i32;
            let forced = moves.len() == 1 && self.gate.limits().movetime.is_some();
            if known || forced || self.gate.is_nearly_spent() {
                break;
            }
        }
        Some(best)
    }

    /// One full look at all moves: the best one's place and value, and the move
    /// itself in `best` as soon as it is known to be better.
    fn look(
        &mut self,
        root: &T,
        moves: &[T::Move],
        depth: u32,
        best: &mut T::Move,
    ) -> Option<(usize, i32)> {
        let past = self.path.len();
        let mut found = None;
        let mut alpha = -MATE;
        for (at, &mv) in moves.iter().enumerate() {
            let child = root.after(mv);
            let value = self.try_child(&child, depth as i32 - 1, 0, alpha, MATE, at == 0, 0);
            let Some(value) = value else {
                self.path.truncate(past);
                return None;
            };
            if value > alpha || found.is_none() {
                alpha = value.max(alpha);
                found = Some((at, value));
                *best = mv;
                self.extend_line(0, mv);
            }
        }
        found
    }

    /// The moves' own values, the best first, looking deeper and deeper up to
    /// `most` plies as far as time allows: for those who choose among moves
    /// that are nearly as good. Of a move worse than the best by more than
    /// `range` only that is certain.
    pub(super) fn weigh(
        &mut self,
        root: &T,
        moves: &[T::Move],
        most: u32,
        range: i32,
    ) -> (u32, Vec<Weighed<T::Move>>) {
        let mut order = moves.to_vec();
        let (mut reached, mut weighed) = (0, Vec::new());
        for depth in 1..=most {
            let deeper = self.weigh_at(root, &order, depth, range);
            if deeper.len() < order.len() && depth > 1 {
                break;
            }
            (reached, weighed) = (depth, deeper);
            weighed.sort_by_key(|one| -one.value);
            order = weighed.iter().map(|one| one.mv).collect();
            // All that is left is sure: nothing to gain from looking deeper.
            let known = |one: &Weighed<T::Move>| MATE - one.value.abs() <= depth as i32;
            if order.len() < moves.len() || weighed.iter().all(known) {
                break;
            }
        }
        (reached, weighed)
    }

    /// [`Search::weigh`] at one depth; fewer moves when time runs out.
    fn weigh_at(
        &mut self,
        root: &T,
        moves: &[T::Move],
        depth: u32,
        range: i32,
    ) -> Vec<Weighed<T::Move>> {
        let past = self.path.len();
        let mut weighed = Vec::with_capacity(moves.len());
        let mut best = -MATE;
        for &mv in moves {
            let child = root.after(mv);
            let floor = (best - range - 1).max(-MATE);
            let Some(value) = self.descend(&child, depth as i32 - 1, 1, -MATE, -floor) else {
                break;
            };
            self.extend_line(0, mv);
            best = best.max(-value);
            weighed.push(Weighed { mv, value: -value, line: self.lines[0].clone() });
        }
        self.path.truncate(past);
        weighed
    }

    /// A child's value for its parent at `ply`: in full when it is the first,
    /// else only whether it beats `alpha`, and in full if it does.
    fn try_child(
        &mut self,
        child: &T,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
        is_first: bool,
        reduced: i32,
    ) -> Option<i32> {
        if is_first {
            return Some(-self.descend(child, depth, ply + 1, -beta, -alpha)?);
        }
        let mut value = -self.descend(child, depth - reduced, ply + 1, -alpha - 1, -alpha)?;
        if value > alpha && reduced > 0 {
            value = -self.descend(child, depth, ply + 1, -alpha - 1, -alpha)?;
        }
        if value > alpha && value < beta {
            value = -self.descend(child, depth, ply + 1, -beta, -alpha)?;
        }
        Some(value)
    }

    /// The value for the side to move; none when it is time to stop.
    fn descend(
        &mut self,
        node: &T,
        depth: i32,
        ply: usize,
        mut alpha: i32,
        mut beta: i32,
    ) -> Option<i32> {
        self.lines[ply].clear();
        if !self.gate.enter() {
            return None;
        }
        if let Some(value) = self.end(node, ply) {
            return Some(value);
        }
        if node.wins_at_once() {
            return Some(MATE - ply as i32 - 1);
        }
        // No line from here can be better than winning with the next move, or
        // worse than having lost already.
        alpha = alpha.max(ply as i32 - MATE);
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return Some(alpha);
        }
        if depth <= 0 || ply >= DEEPEST - LOUD_PLIES {
            return self.settle(node, ply, alpha, beta, LOUD_PLIES);
        }
        let key = node.key();
        let memo = self.memory.recall(key);
        if beta - alpha == 1
            && let Some(memo) = memo
            && i32::from(memo.depth) >= depth
        {
            let value = from_memo(i32::from(memo.value), ply);
            match memo.bound {
                Bound::Exact => return Some(value),
                Bound::Lower if value >= beta => return Some(value),
                Bound::Upper if value <= alpha => return Some(value),
                Bound::Lower | Bound::Upper => {}
            }
        }
        let mut moves = mem::take(&mut self.rooms[ply]);
        moves.clear();
        node.moves(&mut moves);
        if moves.is_empty() {
            self.rooms[ply] = moves;
            return Some(ply as i32 - MATE);
        }
        let quiet = self.rank(&mut moves, memo.map_or(NO_CODE, |memo| memo.best), ply);
        self.path.push(Trace { key, men: node.men() });
        let repeats = self.repeats;
        let entered = alpha;
        let mut best = (-MATE, NO_CODE);
        for at in 0..moves.len() {
            let (mv, promise) = next_best(&mut moves, at);
            let is_quiet = promise <= quiet;
            let child = node.after(mv);
            let reduced = match at {
                _ if depth < 3 || !is_quiet || at < LATE => 0,
                12.. if depth > 4 => 2,
                _ => 1,
            };
            let value = self.try_child(&child, depth - 1, ply, alpha, beta, at == 0, reduced)?;
            if value > best.0 {
                best = (value, T::code(mv));
                if value > alpha {
                    alpha = value;
                    self.extend_line(ply, mv);
                }
            }
            if alpha >= beta {
                if is_quiet {
                    self.remember_killer(T::code(mv), depth, ply);
                }
                break;
            }
        }
        self.path.pop();
        self.rooms[ply] = moves;
        let (value, code) = best;
        // A sure win or loss that hangs on this line's repetitions may be none
        // when the same position is met on another line.
        if value.abs() < SURE || self.repeats == repeats {
            let bound = match value {
                _ if value >= beta => Bound::Lower,
                _ if value <= entered => Bound::Upper,
                _ => Bound::Exact,
            };
            let depth = depth.clamp(0, 255) as u8;
            self.memory.note(key, Memo { value: to_memo(value, ply), depth, bound, best: code });
        }
        Some(value)
    }

    /// The value when captures are played out.
    fn settle(
        &mut self,
        node: &T,
        ply: usize,
        mut alpha: i32,
        beta: i32,
        left: usize,
    ) -> Option<i32> {
        let standing = node.evaluate();
        if standing >= beta || left == 0 {
            return Some(standing);
        }
        let mut best = standing;
        alpha = alpha.max(standing);
        let mut moves = mem::take(&mut self.rooms[ply]);
        moves.clear();
        node.loud_moves(&mut moves);
        for at in 0..moves.len() {
            let (mv, _) = next_best(&mut moves, at);
            let child = node.after(mv);
            self.lines[ply + 1].clear();
            if !self.gate.enter() {
                return None;
            }
            // A capture makes a position that was never there before.
            let value = match child.verdict() {
                Some(verdict) => -worth(verdict, ply + 1),
                None if child.wins_at_once() => ply as i32 + 2 - MATE,
                None => -self.settle(&child, ply + 1, -beta, -alpha, left - 1)?,
            };
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    self.extend_line(ply, mv);
                }
                if value >= beta {
                    break;
                }
            }
        }
        self.rooms[ply] = moves;
        Some(best)
    }

    /// The value of a position where the game is over, by the position itself
    /// or, only then, by repetition.
    fn end(&mut self, node: &T, ply: usize) -> Option<i32> {
        if let Some(verdict) = node.verdict() {
            return Some(worth(verdict, ply));
        }
        let (times, verdict) = match node.repetition() {
            Repetition::Ignored => return None,
            // Whoever moved here loses, so whoever would move has won.
            Repetition::MoverLoses => (1, Verdict::Won),
            Repetition::Draw { times, .. } => (times.saturating_sub(1), Verdict::Drawn),
        };
        let here = Trace::of(node);
        let seen = self
            .path
            .iter()
            .rev()
            // Nothing from before the last capture can come back.
            .take_while(|trace| trace.men == here.men)
            .filter(|trace| trace.key == here.key)
            .count();
        (seen >= times).then(|| {
            self.repeats += 1;
            worth(verdict, ply)
        })
    }

    /// Turns promises into an order; returns the most that a quiet move has.
    fn rank(&self, moves: &mut [(T::Move, i32)], remembered: u16, ply: usize) -> i32 {
        const QUIET: i32 = 1_000_000;
        for (mv, promise) in moves {
            let code = T::code(*mv);
            *promise = if code == remembered {
                i32::MAX
            } else if *promise > 0 {
                QUIET + *promise
            } else if let Some(at) = self.killers[ply].iter().position(|&killer| killer == code) {
                QUIET - at as i32
            } else {
                self.history[usize::from(code)].min(QUIET - 2)
            };
        }
        QUIET
    }

    fn remember_killer(&mut self, code: u16, depth: i32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        let history = &mut self.history[usize::from(code)];
        *history = history.saturating_add(depth * depth);
    }

    /// Makes the best line from `ply` this move and what follows it.
    fn extend_line(&mut self, ply: usize, mv: T::Move) {
        let next = mem::take(&mut self.lines[ply + 1]);
        let line = &mut self.lines[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&next);
        self.lines[ply + 1] = next;
    }
}

/// Brings the most promising of the moves from `at` on to that place.
fn next_best<M: Copy>(moves: &mut [(M, i32)], at: usize) -> (M, i32) {
    let mut best = at;
    for other in at + 1..moves.len() {
        if moves[other].1 > moves[best].1 {
            best = other;
        }
    }
    moves.swap(at, best);
    moves[at]
}

/// A verdict as a value, `ply` plies from the root.
const fn worth(verdict: Verdict, ply: usize) -> i32 {
    match verdict {
        Verdict::Won => MATE - ply as i32,
        Verdict::Lost => ply as i32 - MATE,
        Verdict::Drawn => 0,
    }
}

/// Distances are counted from the root; remembered ones from the position.
fn to_memo(value: i32, ply: usize) -> i16 {
    let value = match value {
        SURE.. => value + ply as i32,
        _ if value <= -SURE => value - ply as i32,
        _ => value,
    };
    value.clamp(-MATE, MATE) as i16
}

const fn from_memo(value: i32, ply: usize) -> i32 {
    match value {
        SURE.. => value - ply as i32,
        _ if value <= -SURE => value + ply as i32,
        _ => value,
    }
}
