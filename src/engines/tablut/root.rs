//! The search at its root: deeper step by step, for the best move or for the
//! worth of each.

use super::{
    super::{
        control::SearchControl,
        score::{INFINITY, MATE, MATE_IN_MAX_PLY},
    },
    search::Search,
    state::{Move, State},
};

/// Iterations at most.
pub(super) const MOST_DEPTH: u32 = 100;
/// Half the width of the first window round the last value.
const WINDOW: i32 = 30;

/// A move, its value and the play expected after it, the move itself first.
#[derive(Clone, Debug)]
pub(super) struct Weighed {
    pub(super) mv: Move,
    pub(super) value: i32,
    pub(super) line: Vec<Move>,
}

impl Search<'_> {
    /// Looks deeper and deeper, from `first` plies on, telling what each depth
    /// found; returns the best move, the first of `moves` if there was no time
    /// at all.
    pub(super) fn deepen(
        &mut self,
        root: &State,
        mut moves: Vec<Move>,
        first: u32,
        told: &mut dyn FnMut(u32, i32, &SearchControl<'_>, &[Move]),
    ) -> Option<Move> {
        let mut best = *moves.first()?;
        if let Some(mv) = root.winning_move(self.ground).filter(|mv| moves.contains(mv)) {
            told(1, MATE - 1, &self.control, &[mv]);
            return Some(mv);
        }
        // The root itself is on the path already.
        let most = self.control.limits().depth.unwrap_or(MOST_DEPTH).clamp(1, MOST_DEPTH);
        let mut last = 0;
        for depth in first.min(most)..=most {
            self.aim = depth as usize;
            let Some(value) = self.aspire(root, &mut moves, depth, last, &mut best) else { break };
            last = value;
            told(depth, value, &self.control, &self.lines[0]);
            let known = value.abs() >= MATE_IN_MAX_PLY && MATE - value.abs() <= depth as i32 + 1;
            let forced = moves.len() == 1 && self.control.limits().movetime.is_some();
            if known || forced || self.control.is_nearly_spent() {
                break;
            }
        }
        Some(best)
    }

    /// One full look, with a window that opens until the value lies in it.
    fn aspire(
        &mut self,
        root: &State,
        moves: &mut [Move],
        depth: u32,
        last: i32,
        best: &mut Move,
    ) -> Option<i32> {
        let (mut below, mut above) = (WINDOW, WINDOW);
        if depth < 5 || last.abs() >= MATE_IN_MAX_PLY {
            (below, above) = (2 * INFINITY, 2 * INFINITY);
        }
        loop {
            let alpha = (last - below).max(-INFINITY);
            let beta = (last + above).min(INFINITY);
            let value = self.look_at_all(root, moves, depth, alpha, beta, best)?;
            if value <= alpha && alpha > -INFINITY {
                below = if below > 400 { 2 * INFINITY } else { 3 * below };
            } else if value >= beta && beta < INFINITY {
                above = if above > 400 { 2 * INFINITY } else { 3 * above };
            } else {
                return Some(value);
            }
        }
    }

    /// One look at all moves: the best value, and the move itself in `best` as
    /// soon as it is known to be better. The best comes to the front.
    fn look_at_all(
        &mut self,
        root: &State,
        moves: &mut [Move],
        depth: u32,
        mut alpha: i32,
        beta: i32,
        best: &mut Move,
    ) -> Option<i32> {
        let depth = depth as i32;
        let entered = alpha;
        let mut found = -INFINITY;
        let mut costs = Vec::with_capacity(moves.len());
        let mut front = 0;
        for (at, &mv) in moves.iter().enumerate() {
            let child = root.after(self.ground, mv);
            let before = self.control.own_nodes();
            let mut value = 0;
            let mut full = at == 0;
            if !full {
                let reduced = i32::from(at > 3 && depth > 3) + i32::from(at > 15 && depth > 6);
                value = -self.descend(&child, depth - 1 - reduced, 1, -alpha - 1, -alpha, mv);
                if value > alpha && reduced > 0 && !self.control.is_stopped() {
                    value = -self.descend(&child, depth - 1, 1, -alpha - 1, -alpha, mv);
                }
                full = value > alpha && !self.control.is_stopped();
            }
            if full {
                value = -self.descend(&child, depth - 1, 1, -beta, -alpha, mv);
            }
            if self.control.is_stopped() {
                return None;
            }
            costs.push(self.control.own_nodes() - before);
            found = found.max(value);
            if value > alpha {
                alpha = value;
                front = at;
                *best = mv;
                self.extend_line(0, mv);
                if alpha >= beta {
                    break;
                }
            }
        }
        // Those that were hard to refute come first next time.
        if found > entered {
            let mut order: Vec<_> = (1..costs.len()).filter(|at| *at != front).collect();
            if front != 0 {
                order.push(0);
            }
            order.sort_by_key(|at| std::cmp::Reverse(costs[*at]));
            let rest = (costs.len()..moves.len()).collect::<Vec<_>>();
            let sorted: Vec<_> =
                [front].into_iter().chain(order).chain(rest).map(|at| moves[at]).collect();
            moves.copy_from_slice(&sorted);
        }
        Some(found)
    }

    /// The moves' own values, the best first, looking deeper and deeper up to
    /// `most` plies as far as time allows: for those who choose among moves
    /// that are nearly as good. Of a move worse than the best by more than
    /// `range` only that is certain.
    pub(super) fn weigh(
        &mut self,
        root: &State,
        moves: &[Move],
        most: u32,
        range: i32,
    ) -> (u32, Vec<Weighed>) {
        if let Some(mv) = root.winning_move(self.ground).filter(|mv| moves.contains(mv)) {
            return (1, vec![Weighed { mv, value: MATE - 1, line: vec![mv] }]);
        }
        let mut order = moves.to_vec();
        let (mut reached, mut weighed) = (0, Vec::new());
        for depth in 1..=most {
            self.aim = depth as usize;
            let deeper = self.weigh_at(root, &order, depth, range);
            if deeper.len() < order.len() && depth > 1 {
                break;
            }
            (reached, weighed) = (depth, deeper);
            weighed.sort_by_key(|one| -one.value);
            order = weighed.iter().map(|one| one.mv).collect();
            // All that is left is sure: nothing to gain from looking deeper.
            let known = |one: &Weighed| MATE - one.value.abs() <= depth as i32;
            if order.len() < moves.len() || weighed.iter().all(known) {
                break;
            }
        }
        (reached, weighed)
    }

    /// [`Search::weigh`] at one depth; fewer moves when time runs out.
    fn weigh_at(&mut self, root: &State, moves: &[Move], depth: u32, range: i32) -> Vec<Weighed> {
        let mut weighed = Vec::with_capacity(moves.len());
        let mut best = -INFINITY;
        for &mv in moves {
            let child = root.after(self.ground, mv);
            let floor = (best - range - 1).max(-INFINITY);
            let value = -self.descend(&child, depth as i32 - 1, 1, -INFINITY, -floor, mv);
            if self.control.is_stopped() {
                break;
            }
            self.extend_line(0, mv);
            best = best.max(value);
            weighed.push(Weighed { mv, value, line: self.lines[0].clone() });
        }
        weighed
    }
}
