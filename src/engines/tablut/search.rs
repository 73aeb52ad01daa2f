//! The search: principal variations over a transposition table, with the
//! king's threats seen before they are carried out.
//!
//! A side that can win on the spot is never searched: the king with an open
//! way has won, and so has Black who can take him. One open way must be shut,
//! so only the moves that shut it are looked at; two cannot be shut.

use super::{
    super::{
        control::SearchControl,
        score::{INFINITY, MATE, MATE_IN_MAX_PLY, MAX_PLY, value_from_tt, value_to_tt},
        tt::{Bound, TranspositionTable, TtEntry},
    },
    ground::Ground,
    order::{History, Picker, Ranked},
    state::{Move, State},
};
use crate::games::Repetition;

/// A position of the game so far, as far as repetition needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trace {
    pub(super) key: u64,
    pub(super) men: u8,
}

impl Trace {
    pub(super) const fn of(state: &State) -> Self {
        Self { key: state.key, men: state.men() }
    }
}

/// One thread's search from one root.
pub(super) struct Search<'a> {
    pub(super) ground: &'a Ground,
    pub(super) table: &'a TranspositionTable,
    pub(super) control: SearchControl<'a>,
    /// Every position from the game's start to the one being looked at.
    pub(super) path: Vec<Trace>,
    /// Where in the path the search began.
    root: usize,
    pub(super) history: History,
    /// Moves of all positions on the way, one list.
    pub(super) moves: Vec<Ranked>,
    /// By ply: the best play found from there.
    pub(super) lines: Vec<Vec<Move>>,
    /// Plies of the look under way.
    pub(super) aim: usize,
    /// How much less than an even game a draw is worth to the side that thinks.
    contempt: i32,
    /// Told apart by this, the table's entries of thoughts that value draws in
    /// another way are not met.
    salt: u64,
    /// How often of 100 replies that come from far away are not noticed, and
    /// which ones.
    pub(super) blind: (u32, u64),
    /// By ply: what the position there is worth as it stands, to its side to
    /// move; endless where a threat makes that mean nothing.
    standings: Vec<i32>,
    /// How often a repetition decided a value so far.
    repeats: u64,
    /// By depth and number of the move: how much less deep a late move is
    /// looked at.
    reductions: Vec<i32>,
}

impl<'a> Search<'a> {
    /// A search from the last position of `past`.
    pub(super) fn new(
        ground: &'a Ground,
        table: &'a TranspositionTable,
        control: SearchControl<'a>,
        past: Vec<Trace>,
    ) -> Self {
        let reduction = |at: usize| {
            let (depth, number) = ((at / 64) as f32, (at % 64) as f32);
            if at < 64 || number < 1.0 { 0 } else { (0.6 + depth.ln() * number.ln() / 2.2) as i32 }
        };
        Self {
            ground,
            table,
            control,
            root: past.len().saturating_sub(1),
            path: past,
            history: History::new(MAX_PLY + 2),
            moves: Vec::with_capacity(4096),
            lines: vec![Vec::new(); MAX_PLY + 2],
            aim: 0,
            contempt: 0,
            salt: 0,
            blind: (0, 0),
            standings: vec![INFINITY; MAX_PLY + 2],
            repeats: 0,
            reductions: (0..64 * 64).map(reduction).collect(),
        }
    }

    /// Values a draw less than an even game, for whoever is to move at `root`.
    pub(super) const fn disdain_draws(&mut self, contempt: i32, root: &State) {
        self.contempt = contempt;
        let signed = if root.black_to_move { -contempt } else { contempt };
        self.salt = (signed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn reduction(&self, depth: i32, number: usize) -> i32 {
        self.reductions[(depth.clamp(0, 63) as usize) * 64 + number.min(63)]
    }

    /// The value when the position, only now, ends the game by repetition. The
    /// position itself is not on the path yet.
    pub(super) fn repeated(&mut self, state: &State, ply: usize) -> Option<i32> {
        let (times, value) = match self.ground.repetition {
            Repetition::Ignored => return None,
            // Whoever moved here loses, so whoever would move has won.
            Repetition::MoverLoses => (1, MATE - ply as i32),
            Repetition::Draw { times, .. } => {
                let value = if ply.is_multiple_of(2) { -self.contempt } else { self.contempt };
                (times.saturating_sub(1), value)
            }
        };
        let here = Trace::of(state);
        // Nothing from before the last capture can come back, and only every
        // second position has the same side to move.
        let mut seen = 0;
        for (back, trace) in self.path.iter().enumerate().rev() {
            if trace.men != here.men {
                break;
            }
            if trace.key == here.key {
                seen += 1;
                // What comes back within the search would come back again.
                if seen >= times || back > self.root {
                    self.repeats += 1;
                    return Some(value);
                }
            }
        }
        None
    }

    /// The value for the side to move; of no meaning once the watch is over.
    /// `before` is the move that led here, none when a side passed.
    pub(super) fn descend(
        &mut self,
        state: &State,
        mut depth: i32,
        ply: usize,
        mut alpha: i32,
        mut beta: i32,
        before: Move,
    ) -> i32 {
        self.lines[ply].clear();
        if !self.control.enter() {
            return 0;
        }
        if let Some(value) = self.repeated(state, ply) {
            return value;
        }
        let ground = self.ground;
        let is_main = beta - alpha > 1;
        if let Some(mv) = state.winning_move(ground)
            && !self.overlooks(state, mv, ply)
        {
            if is_main {
                self.lines[ply].push(mv);
            }
            return MATE - ply as i32 - 1;
        }
        // No line from here can be better than winning in three plies, or worse
        // than having lost already.
        alpha = alpha.max(ply as i32 - MATE);
        beta = beta.min(MATE - ply as i32 - 3);
        if alpha >= beta {
            return alpha;
        }
        let mut only = None;
        let in_danger = if state.black_to_move {
            let ways = state.king_ways(ground);
            if ways.open > 1 && state.has_move(ground) {
                return ply as i32 + 2 - MATE;
            }
            only = (ways.open == 1).then_some(ways.squares);
            ways.open > 0
        } else {
            state.king_taker(ground).is_some()
        };
        if in_danger && ply < 2 * self.aim {
            depth += 1;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.settle(state, ply, alpha, beta, 0, only, in_danger);
        }
        let memo = self.table.probe(state.key ^ self.salt);
        if let Some(memo) = memo
            && !is_main
            && i32::from(memo.depth) >= depth
        {
            let value = value_from_tt(memo.value, ply);
            match memo.bound {
                Bound::Exact => return value,
                Bound::Lower if value >= beta => return value,
                Bound::Upper if value <= alpha => return value,
                Bound::Lower | Bound::Upper => {}
            }
        }
        let standing =
            memo.map_or_else(|| state.evaluate(ground), |memo| i32::from(memo.static_eval));
        self.standings[ply] = if in_danger { INFINITY } else { standing };
        if !is_main
            && !in_danger
            && beta.abs() < MATE_IN_MAX_PLY
            && let Some(value) = self.glance(state, depth, ply, alpha, beta, standing, before)
        {
            return value;
        }
        let remembered = memo.map_or(Move::NONE, |memo| Move(memo.best_move));
        if remembered == Move::NONE && depth >= 5 {
            depth -= 1;
        }
        self.history.forget_killers(ply + 1);
        self.look(state, depth, ply, (alpha, beta), before, standing, remembered, only, in_danger)
    }

    /// Whether the side to move stands better than two plies before.
    fn is_better(&self, ply: usize, standing: i32) -> bool {
        ply >= 2 && standing > self.standings[ply - 2]
    }

    /// Whether the opponent's reply escapes the one who thinks: only those from
    /// far away do, and the same ones all through a thought.
    fn overlooks(&self, state: &State, mv: Move, ply: usize) -> bool {
        const FAR: usize = 4;
        let (percent, seed) = self.blind;
        percent > 0
            && ply == 1
            && mv.length() >= FAR
            && (state.key ^ seed ^ u64::from(mv.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
                < u64::from(percent) * (1 << 32) / 100
    }

    /// A value that needs no look at the moves: so far above what is asked that
    /// even doing nothing is enough, or so far below that only captures could
    /// help and they do not.
    fn glance(
        &mut self,
        state: &State,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
        standing: i32,
        before: Move,
    ) -> Option<i32> {
        let better = self.is_better(ply, standing);
        if depth <= 6 && standing - 80 * (depth - i32::from(better)) >= beta {
            return Some(standing);
        }
        if depth <= 2 && standing + 150 + 150 * depth <= alpha {
            let value = self.settle(state, ply, alpha, beta, 0, None, false);
            if value <= alpha || self.control.is_stopped() {
                return Some(value);
            }
        }
        if depth >= 3 && standing >= beta && before != Move::NONE {
            let reduced = depth - 3 - depth / 4 - ((standing - beta) / 150).min(2);
            self.path.push(Trace::of(state));
            let passed = state.passed();
            let value = -self.descend(&passed, reduced, ply + 1, -beta, 1 - beta, Move::NONE);
            self.path.pop();
            if value >= beta || self.control.is_stopped() {
                // A win found by doing nothing is not a proof.
                return Some(value.min(MATE_IN_MAX_PLY - 1));
            }
        }
        None
    }

    /// Looks at the moves.
    fn look(
        &mut self,
        state: &State,
        depth: i32,
        ply: usize,
        (mut alpha, beta): (i32, i32),
        before: Move,
        standing: i32,
        remembered: Move,
        only: Option<u128>,
        in_danger: bool,
    ) -> i32 {
        let ground = self.ground;
        let is_main = beta - alpha > 1;
        let black = state.black_to_move;
        let repeats = self.repeats;
        let entered = alpha;
        let mut best = (-INFINITY, Move::NONE);
        // Where things go downhill, late moves deserve less of a look.
        let better = !in_danger && self.is_better(ply, standing);
        let mut picker = Picker::new(self, state, remembered, before, ply, only);
        let (mut number, mut tried, mut tried_len) = (0, [Move::NONE; 32], 0);
        self.path.push(Trace::of(state));
        while let Some((mv, quiet)) = picker.next(self, ground, state) {
            if self.overlooks(state, mv, ply) {
                continue;
            }
            let can_wait = number > 0 && quiet && !in_danger;
            let late = number as i32 >= (5 + 2 * depth * depth) / if better { 1 } else { 2 };
            let futile = depth <= 4 && standing + 90 + 90 * depth <= alpha;
            let skips = can_wait
                && !is_main
                && best.0 > -MATE_IN_MAX_PLY
                && ((depth <= 4 && late) || futile);
            if skips && !state.could_threaten(mv) {
                number += 1;
                continue;
            }
            let child = state.after(ground, mv);
            let mut reduced = 0;
            if can_wait {
                let threatens = || {
                    if black {
                        child.king_taker(ground).is_some()
                    } else {
                        child.king_is_free(ground)
                    }
                };
                let history = self.history.value(black, mv);
                if skips && !threatens() {
                    number += 1;
                    continue;
                }
                if depth >= 2 && number >= 2 {
                    reduced = self.reduction(depth, number) - history / 6000;
                    reduced += i32::from(!better) - i32::from(is_main);
                    if reduced > 0 && threatens() {
                        reduced -= 1;
                    }
                    reduced = reduced.clamp(0, depth - 1);
                }
            }
            let mut value;
            if number == 0 {
                value = -self.descend(&child, depth - 1, ply + 1, -beta, -alpha, mv);
            } else {
                value = -self.descend(&child, depth - 1 - reduced, ply + 1, -alpha - 1, -alpha, mv);
                if value > alpha && reduced > 0 {
                    value = -self.descend(&child, depth - 1, ply + 1, -alpha - 1, -alpha, mv);
                }
                if value > alpha && value < beta {
                    value = -self.descend(&child, depth - 1, ply + 1, -beta, -alpha, mv);
                }
            }
            number += 1;
            if self.control.is_stopped() {
                break;
            }
            if value > best.0 {
                best = (value, mv);
                if value > alpha {
                    alpha = value;
                    if is_main {
                        self.extend_line(ply, mv);
                    }
                }
                if alpha >= beta {
                    if quiet {
                        let tried = &tried[..tried_len];
                        self.history.reward(black, mv, before, tried, depth, ply);
                    }
                    break;
                }
            }
            if quiet && tried_len < tried.len() {
                tried[tried_len] = mv;
                tried_len += 1;
            }
        }
        self.path.pop();
        picker.end(self);
        if self.control.is_stopped() {
            return 0;
        }
        if number == 0 && ply == 1 && self.blind.0 > 0 {
            // Nothing is noticed that could be played.
            return standing;
        }
        if number == 0 {
            // No move at all, or none that keeps the king from going home.
            let stuck = only.is_none() || !state.has_move(ground);
            return ply as i32 - MATE + if stuck { 0 } else { 2 };
        }
        let (value, mv) = best;
        // A sure win or loss that hangs on this line's repetitions may be none
        // when the same position is met on another line.
        if value.abs() < MATE_IN_MAX_PLY || self.repeats == repeats {
            let bound = match value {
                _ if value >= beta => Bound::Lower,
                _ if value <= entered => Bound::Upper,
                _ => Bound::Exact,
            };
            let best = if value > entered { mv } else { Move::NONE };
            let memo = TtEntry {
                value: value_to_tt(value, ply),
                depth: depth.clamp(0, 255) as u8,
                bound,
                best_move: best.0,
                static_eval: standing.clamp(-MATE_IN_MAX_PLY, MATE_IN_MAX_PLY) as i16,
            };
            self.table.store(state.key ^ self.salt, memo);
        }
        value
    }

    /// Makes the best line from `ply` this move and what follows it.
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        if let (Some(line), Some(next)) = (before.last_mut(), after.first()) {
            line.clear();
            line.push(mv);
            line.extend_from_slice(next);
        }
    }
}
