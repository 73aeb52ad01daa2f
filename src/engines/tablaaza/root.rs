//! The search at its root: deeper step by step, for the best move or for the
//! worth of each.

use super::{
    super::{
        control::SearchControl,
        score::{MATE, MATE_IN_MAX_PLY},
    },
    search::Search,
    tree::Tree,
};

/// Iterations at most.
pub(super) const MOST_DEPTH: u32 = 100;

/// A move, its value and the play expected after it.
#[derive(Clone, Debug)]
pub(super) struct Weighed<M> {
    pub(super) mv: M,
    pub(super) value: i32,
    /// The move itself first.
    pub(super) line: Vec<M>,
}

impl<T: Tree> Search<'_, T> {
    /// Looks deeper and deeper, from `first` plies on, telling what each depth
    /// found; returns the best move, the first of `moves` if there was no time
    /// at all.
    pub(super) fn deepen(
        &mut self,
        root: &T,
        mut moves: Vec<T::Move>,
        first: u32,
        told: &mut dyn FnMut(u32, i32, &SearchControl<'_>, &[T::Move]),
    ) -> Option<T::Move> {
        let mut best = *moves.first()?;
        let most = self.control.limits().depth.unwrap_or(MOST_DEPTH).clamp(1, MOST_DEPTH);
        for depth in first.min(most)..=most {
            let Some((at, value)) = self.look(root, &moves, depth, &mut best) else { break };
            // The best stays in front; the others keep their order.
            moves[..=at].rotate_right(1);
            told(depth, value, &self.control, &self.lines[0]);
            let known = value.abs() >= MATE_IN_MAX_PLY && MATE - value.abs() <= depth as i32;
            let forced = moves.len() == 1 && self.control.limits().movetime.is_some();
            if known || forced || self.control.is_nearly_spent() {
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
}
