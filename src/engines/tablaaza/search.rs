//! The search for games without chance: alpha-beta with iterative deepening,
//! principal variations, a transposition table, killers and history.
//!
//! It knows a game only as a [`Tree`]. Repetition is scored by the rule set's
//! own rule, over the whole game so far and the line being looked at.

use std::mem;

use super::{
    super::{
        control::SearchControl,
        score::{MATE, MATE_IN_MAX_PLY, MAX_PLY, value_from_tt, value_to_tt},
        tt::{Bound, TranspositionTable, TtEntry},
    },
    tree::{Trace, Tree, Verdict},
};
use crate::games::Repetition;

/// Captures in a row beyond the depth at most.
const LOUD_PLIES: usize = 8;
/// From this move on quiet moves are looked at less deeply at first.
const LATE: usize = 4;
/// No move has this code.
const NO_CODE: u16 = u16::MAX;

/// One thread's search from one root.
pub(super) struct Search<'a, T: Tree> {
    table: &'a TranspositionTable<1>,
    pub(super) control: SearchControl<'a>,
    /// Every position from the game's start to the one being looked at.
    pub(super) path: Vec<Trace>,
    /// By ply: quiet moves that refuted a neighbour.
    killers: Vec<[u16; 2]>,
    /// By code: how often a quiet move refuted something.
    history: Vec<i32>,
    /// By ply: the best play found from there.
    pub(super) lines: Vec<Vec<T::Move>>,
    /// By ply: room for moves, kept for its capacity.
    rooms: Vec<Vec<(T::Move, i32)>>,
    /// How often a repetition decided a value so far.
    repeats: u64,
}

impl<'a, T: Tree> Search<'a, T> {
    /// A search from the last position of `past`.
    pub(super) fn new(
        table: &'a TranspositionTable<1>,
        control: SearchControl<'a>,
        past: Vec<Trace>,
    ) -> Self {
        Self {
            table,
            control,
            path: past,
            killers: vec![[NO_CODE; 2]; MAX_PLY + 2],
            history: vec![0; T::CODES],
            lines: vec![Vec::new(); MAX_PLY + 2],
            rooms: vec![Vec::new(); MAX_PLY + 2],
            repeats: 0,
        }
    }

    /// A child's value for its parent at `ply`: in full when it is the first,
    /// else only whether it beats `alpha`, and in full if it does.
    pub(super) fn try_child(
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
    pub(super) fn descend(
        &mut self,
        node: &T,
        depth: i32,
        ply: usize,
        mut alpha: i32,
        mut beta: i32,
    ) -> Option<i32> {
        self.lines[ply].clear();
        if !self.control.enter() {
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
        if depth <= 0 || ply >= MAX_PLY - LOUD_PLIES {
            return self.settle(node, ply, alpha, beta, LOUD_PLIES);
        }
        let key = node.key();
        let entry = self.table.probe(key);
        if beta - alpha == 1
            && let Some(entry) = entry
            && i32::from(entry.depth) >= depth
        {
            let value = value_from_tt(entry.value, ply);
            match entry.bound {
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
        let quiet = self.rank(
            &mut moves,
            entry.map_or(NO_CODE, |entry| entry.best_move.wrapping_sub(1)),
            ply,
        );
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
        if value.abs() < MATE_IN_MAX_PLY || self.repeats == repeats {
            let bound = match value {
                _ if value >= beta => Bound::Lower,
                _ if value <= entered => Bound::Upper,
                _ => Bound::Exact,
            };
            let depth = depth.clamp(0, 255) as u8;
            let entry = TtEntry {
                value: value_to_tt(value, ply),
                depth,
                bound,
                // 0 is no move.
                best_move: code.wrapping_add(1),
                static_eval: 0,
            };
            self.table.store(key, entry);
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
            if !self.control.enter() {
                return None;
            }
            // A capture makes a position that was never there before.
            let value = match child.verdict() {
                Some(verdict) => -verdict.value(ply + 1),
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
            return Some(verdict.value(ply));
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
            verdict.value(ply)
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
    pub(super) fn extend_line(&mut self, ply: usize, mv: T::Move) {
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
