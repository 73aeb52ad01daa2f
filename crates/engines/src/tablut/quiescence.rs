//! The quiescence search: searches captures, the king's forks and the moves that
//! block an open escape, until the position is quiet enough to evaluate.

use super::{
    super::score::{MATE, MAX_PLY},
    board::{Board, Move},
    movepicker::{ScoredMove, select_best},
    node::HistoryKey,
    params::{MAX_HISTORY, QS_EVASION_PLIES, QS_FORK_PLIES, QS_MAX_PLY},
    search::Search,
    squares::Bits,
    threats::Threat,
};

impl Search<'_> {
    /// The value of a position in which the side to move has no immediate win.
    /// `qs_ply` counts the plies beyond the search depth.
    pub(super) fn quiescence(
        &mut self,
        board: &Board,
        ply: usize,
        mut alpha: i32,
        beta: i32,
        qs_ply: usize,
        threat: Threat,
    ) -> i32 {
        let tables = self.tables;
        if ply >= MAX_PLY || qs_ply >= QS_MAX_PLY {
            return board.evaluate(tables);
        }
        let first = self.ordering.moves.len();
        let targets = threat.targets();
        let mut best;
        if targets.is_some() || (threat.is_any() && qs_ply < QS_EVASION_PLIES) {
            // Lost, unless a move averts it.
            best = ply as i32 + 2 - MATE;
            if best >= beta {
                return best;
            }
            self.push_evasions(board, targets);
        } else {
            // Stand pat.
            best = board.evaluate(tables);
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            let tries_forks = !board.black_to_move && qs_ply < QS_FORK_PLIES;
            let forks = if tries_forks { board.king_forks(tables) } else { 0 };
            self.ordering.push_noisy(tables, board, board.capture_squares(tables), forks);
        }
        self.path.push(HistoryKey::of(board));
        let mut next = first;
        while let Some(mv) = self.ordering.moves.get_mut(next..).and_then(select_best) {
            next += 1;
            let child = board.make_move(tables, mv);
            let value = -self.quiescence_child(&child, ply + 1, -beta, -alpha, qs_ply + 1);
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
        self.ordering.moves.truncate(first);
        best
    }

    /// The value of a child: the end of the game, or one that is certain, is detected
    /// before any move is made.
    fn quiescence_child(
        &mut self,
        board: &Board,
        ply: usize,
        alpha: i32,
        beta: i32,
        qs_ply: usize,
    ) -> i32 {
        if !self.control.count_node() {
            return 0;
        }
        if let Some(value) = self.repetition_value(board, ply) {
            return value;
        }
        if board.can_win(self.tables) {
            return MATE - ply as i32 - 1;
        }
        let sees_threats = board.black_to_move || qs_ply < QS_EVASION_PLIES;
        let threat = if sees_threats { board.threat(self.tables) } else { Threat::None };
        if threat == Threat::TwoEscapes {
            return ply as i32 + 2 - MATE;
        }
        self.quiescence(board, ply, alpha, beta, qs_ply, threat)
    }

    fn push_evasions(&mut self, board: &Board, targets: Option<Bits>) {
        let (tables, black) = (self.tables, board.black_to_move);
        let captures = board.capture_squares(tables);
        let (history, moves) = (&self.ordering.history, &mut self.ordering.moves);
        let push = |mv: Move| {
            let is_capture = board.is_capture(tables, captures, mv);
            let bonus = if is_capture { MAX_HISTORY } else { 0 };
            moves.push(ScoredMove::new(mv, history.value(black, mv) + bonus));
        };
        match targets {
            Some(targets) => board.for_each_move_to(tables, targets, push),
            None => board.for_each_move(tables, push),
        }
    }
}
