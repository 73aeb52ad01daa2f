//! Playing a position out until it can be judged: open ways shut, forks tried,
//! captures made.

use super::{
    super::score::{MATE, MAX_PLY},
    ground::Ground,
    order::{Ranked, bring_best},
    search::{Search, Trace},
    squares::each,
    state::{Move, State},
};

/// Plies beyond the depth in which the king gets out of danger by any move.
const RESCUES: usize = 2;
/// Plies beyond the depth in which the king tries forks.
const FORKS: usize = 3;
/// Plies beyond the depth at most.
const MOST: usize = 12;

impl Search<'_> {
    /// The value when the position is played out. The side to move cannot win
    /// on the spot; `only` are the squares that shut an open way, if one is
    /// open; `in_danger`: the opponent threatens to win on the spot.
    pub(super) fn settle(
        &mut self,
        state: &State,
        ply: usize,
        mut alpha: i32,
        beta: i32,
        beyond: usize,
        only: Option<u128>,
        in_danger: bool,
    ) -> i32 {
        let ground = self.ground;
        if ply >= MAX_PLY || beyond >= MOST {
            return state.evaluate(ground);
        }
        let first = self.moves.len();
        let mut best;
        if only.is_some() || (in_danger && beyond < RESCUES) {
            // Lost, unless a move helps.
            best = ply as i32 + 2 - MATE;
            if best >= beta {
                return best;
            }
            self.add_rescues(ground, state, only);
        } else {
            best = state.evaluate(ground);
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            self.add_loud(ground, state, beyond);
        }
        self.path.push(Trace::of(state));
        let mut next = first;
        while let Some(mv) = self.moves.get_mut(next..).and_then(bring_best) {
            next += 1;
            let child = state.after(ground, mv);
            let value = -self.enter(&child, ply + 1, -beta, -alpha, beyond + 1);
            if self.control.is_stopped() {
                break;
            }
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        self.path.pop();
        self.moves.truncate(first);
        best
    }

    /// A position on the way: what ends the game or nearly does is seen before
    /// anything is played.
    fn enter(&mut self, state: &State, ply: usize, alpha: i32, beta: i32, beyond: usize) -> i32 {
        if !self.control.enter() {
            return 0;
        }
        if let Some(value) = self.repeated(state, ply) {
            return value;
        }
        let ground = self.ground;
        if state.black_to_move {
            if state.king_taker(ground).is_some() {
                return MATE - ply as i32 - 1;
            }
            let mut only = None;
            if state.king_is_free(ground) {
                let ways = state.king_ways(ground);
                if ways.open > 1 && state.has_move(ground) {
                    return ply as i32 + 2 - MATE;
                }
                only = Some(ways.squares);
            }
            self.settle(state, ply, alpha, beta, beyond, only, only.is_some())
        } else {
            if state.king_is_free(ground) {
                return MATE - ply as i32 - 1;
            }
            let in_danger = beyond < RESCUES && state.king_taker(ground).is_some();
            self.settle(state, ply, alpha, beta, beyond, None, in_danger)
        }
    }

    fn add_rescues(&mut self, ground: &Ground, state: &State, only: Option<u128>) {
        let black = state.black_to_move;
        let loud = state.capture_squares(ground);
        let (history, moves) = (&self.history, &mut self.moves);
        let call = |mv: Move| {
            let takes = loud & super::squares::bit(mv.to()) != 0;
            let rank = history.value(black, mv) + if takes { 16_000 } else { 0 };
            moves.push(Ranked::new(mv, rank));
        };
        match only {
            Some(only) => state.each_move_to(ground, only, call),
            None => state.each_move(ground, call),
        }
    }

    fn add_loud(&mut self, ground: &Ground, state: &State, beyond: usize) {
        let black = state.black_to_move;
        let (history, moves) = (&self.history, &mut self.moves);
        if !black && beyond < FORKS {
            for to in each(state.king_prospects(ground).1) {
                moves.push(Ranked::new(Move::new(state.king, to), 32_000));
            }
        }
        state.each_move_to(ground, state.capture_squares(ground), |mv| {
            moves.push(Ranked::new(mv, history.value(black, mv)));
        });
    }
}
