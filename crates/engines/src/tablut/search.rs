//! The search: principal-variation search (negamax, alpha-beta) over a
//! transposition table. Immediate wins are detected before they are played.
//!
//! A node where the side to move wins with its next move is not searched: White
//! wins if the king has an open escape, and Black if it can capture him. One open
//! direction must be blocked, so only the moves that block it are searched; two
//! cannot be blocked. The pruning rules and their sources are in [`params`](super::params)
//! and on chessprogramming.org under the same names.

use std::mem;

use super::{
    super::{
        control::SearchControl,
        score::{INFINITY, MATE, MATE_IN_MAX_PLY, MAX_PLY, value_to_tt},
        tt::{Bound, TranspositionTable, TtEntry},
    },
    board::{Board, Move},
    contempt::Contempt,
    history::{History, QuietsTried},
    movepicker::{MoveOrdering, MovePicker},
    node::{BestMove, HistoryKey, NodeContext},
    params::*,
    rule_tables::RuleTables,
    threats::Threat,
};
use tabulae_games::{GOLDEN_GAMMA, Repetition};

/// One thread's search from one root.
pub(super) struct Search<'a> {
    pub(super) tables: &'a RuleTables,
    pub(super) tt: &'a TranspositionTable,
    pub(super) control: SearchControl<'a>,
    /// Every position from the start of the game to the current node.
    pub(super) path: Vec<HistoryKey>,
    /// The index of the root in `path`.
    root_index: usize,
    /// The index in `path` of the first position after the last null move. A null move
    /// is no move of the game, so no position before it can be repeated after it.
    repetition_start: usize,
    pub(super) ordering: MoveOrdering,
    /// By ply: the principal variation from there.
    pub(super) pv: Vec<Vec<Move>>,
    /// The iteration's depth.
    pub(super) root_depth: usize,
    /// The contempt of the whole search, which every iteration follows.
    pub(super) contempt: Option<&'a Contempt>,
    /// How much less than 0 a draw is worth to the side to move at the root.
    draw_loss: i32,
    /// XORed with keys, so that searches with another contempt, which value draws
    /// differently, do not share entries of the transposition table.
    key_salt: u64,
    /// By ply: the static evaluation for the side to move there; infinity where a
    /// threat makes it meaningless.
    static_evals: Vec<i32>,
    /// How often a repetition has decided a value so far.
    repetitions: u64,
}

impl<'a> Search<'a> {
    /// A search from the last position of `path`.
    pub(super) fn new(
        tables: &'a RuleTables,
        tt: &'a TranspositionTable,
        control: SearchControl<'a>,
        path: Vec<HistoryKey>,
    ) -> Self {
        Self {
            tables,
            tt,
            control,
            root_index: path.len().saturating_sub(1),
            repetition_start: 0,
            path,
            ordering: MoveOrdering {
                history: History::new(MAX_PLY + 2),
                moves: Vec::with_capacity(4096),
            },
            pv: vec![Vec::new(); MAX_PLY + 2],
            root_depth: 0,
            contempt: None,
            draw_loss: 0,
            key_salt: 0,
            static_evals: vec![INFINITY; MAX_PLY + 2],
            repetitions: 0,
        }
    }

    /// The same search with a contempt that all its threads share.
    pub(super) const fn with_contempt(mut self, contempt: &'a Contempt) -> Self {
        self.contempt = Some(contempt);
        self
    }

    /// Makes a draw worth `contempt` points less than 0 for the side to move at
    /// `root`.
    pub(super) fn set_contempt(&mut self, contempt: i32, root: &Board) {
        self.draw_loss = contempt;
        let signed = if root.black_to_move { -contempt } else { contempt };
        self.key_salt = (signed as u64).wrapping_mul(GOLDEN_GAMMA);
    }

    /// The value for the side to move; invalid after a stop.
    /// `previous_move` is none after a null move.
    pub(super) fn negamax(
        &mut self,
        board: &Board,
        mut depth: i32,
        ply: usize,
        mut alpha: i32,
        mut beta: i32,
        previous_move: Move,
    ) -> i32 {
        self.pv[ply].clear();
        if !self.control.count_node() {
            return 0;
        }
        let is_pv = beta - alpha > 1;
        if let Some(value) = self.decided_value(board, ply, is_pv) {
            return value;
        }
        // Mate-distance pruning: no line from here is better than winning with the next
        // move, which leaves the opponent without one, or worse than having lost already.
        alpha = alpha.max(ply as i32 - MATE);
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let threat = board.threat(self.tables);
        if threat == Threat::TwoEscapes {
            return ply as i32 + 2 - MATE;
        }
        if threat.is_any() && ply < EXTENSION_PLY_FACTOR * self.root_depth {
            depth += 1;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence(board, ply, alpha, beta, 0, threat);
        }
        let entry = self.tt.probe(board.key ^ self.key_salt);
        if !is_pv
            && let Some(entry) = entry
            && let Some(value) = entry.cutoff(depth, ply, alpha, beta)
        {
            return value;
        }
        let tt_move = entry.map_or(Move::NONE, |entry| Move(entry.best_move));
        let (static_eval, is_improving) = self.static_eval(board, ply, entry, threat);
        #[rustfmt::skip]
        let mut node = NodeContext {
            board, ply, depth, alpha, beta, is_pv, previous_move, tt_move, static_eval,
            is_improving, threat,
        };
        if let Some(value) = self.prune_node(&node) {
            return value;
        }
        // Internal iterative reduction.
        if tt_move == Move::NONE && depth >= IIR_MIN_DEPTH {
            node.depth -= 1;
        }
        self.ordering.history.clear_killers(ply + 1);
        self.search_moves(&node)
    }

    /// The static evaluation of a node, stored or computed, and whether it is better
    /// than it was two plies before.
    #[inline]
    fn static_eval(
        &mut self,
        board: &Board,
        ply: usize,
        entry: Option<TtEntry>,
        threat: Threat,
    ) -> (i32, bool) {
        let value =
            entry.map_or_else(|| board.evaluate(self.tables), |entry| i32::from(entry.static_eval));
        if threat.is_any() {
            self.static_evals[ply] = INFINITY;
            return (value, false);
        }
        self.static_evals[ply] = value;
        (value, ply >= 2 && value > self.static_evals[ply - 2])
    }

    /// The value of a node that needs no search: the position is repeated, or the
    /// side to move has an immediate win.
    #[inline]
    fn decided_value(&mut self, board: &Board, ply: usize, is_pv: bool) -> Option<i32> {
        if let Some(value) = self.repetition_value(board, ply) {
            return Some(value);
        }
        let mv = board.winning_move(self.tables)?;
        if is_pv {
            self.pv[ply].push(mv);
        }
        Some(MATE - ply as i32 - 1)
    }

    /// The value of a position that ends the game by repetition. The position is not
    /// on the path yet.
    pub(super) fn repetition_value(&mut self, board: &Board, ply: usize) -> Option<i32> {
        let (times, value) = match self.tables.repetition {
            Repetition::Ignored => return None,
            // The side that moved here loses, so the side to move has won.
            Repetition::MoverLoses => (1, MATE - ply as i32),
            Repetition::Draw { times, .. } => {
                let value = if ply.is_multiple_of(2) { -self.draw_loss } else { self.draw_loss };
                (times.saturating_sub(1), value)
            }
        };
        let current = HistoryKey::of(board);
        let mut seen = 0;
        for (at, earlier) in self.path.iter().enumerate().skip(self.repetition_start).rev() {
            if earlier.soldiers != current.soldiers {
                break;
            }
            if earlier.key == current.key {
                seen += 1;
                // A repetition within the search can be repeated again.
                if seen >= times || at > self.root_index {
                    self.repetitions += 1;
                    return Some(value);
                }
            }
        }
        None
    }

    /// The value of a node that is pruned before its move loop: by reverse futility
    /// pruning, razoring or null-move pruning.
    pub(super) fn prune_node(&mut self, node: &NodeContext<'_>) -> Option<i32> {
        let &NodeContext { board, ply, depth, alpha, beta, static_eval, .. } = node;
        if node.is_pv || node.threat.is_any() || beta.abs() >= MATE_IN_MAX_PLY {
            return None;
        }
        // Reverse futility pruning: the static evaluation is far above beta.
        let margin = REVERSE_FUTILITY_MARGIN * (depth - i32::from(node.is_improving));
        if depth <= REVERSE_FUTILITY_MAX_DEPTH && static_eval - margin >= beta {
            return Some(static_eval);
        }
        // Razoring: the static evaluation is far below alpha, so only captures can help.
        let margin = RAZORING_MARGIN + RAZORING_DEPTH_MARGIN * depth;
        if depth <= RAZORING_MAX_DEPTH && static_eval + margin <= alpha {
            let value = self.quiescence(board, ply, alpha, beta, 0, Threat::None);
            if value <= alpha || self.control.is_stopped() {
                return Some(value);
            }
        }
        // Null-move pruning: even passing the turn fails high.
        let may_pass = depth >= NULL_MOVE_MIN_DEPTH
            && static_eval >= beta
            && node.previous_move != Move::NONE
            && board.has_legal_moves(self.tables, NULL_MOVE_MIN_MOVES);
        if may_pass {
            let eval_reduction = (static_eval - beta) / NULL_MOVE_EVAL_DIVISOR;
            let reduced = depth
                - NULL_MOVE_REDUCTION
                - depth / NULL_MOVE_DEPTH_DIVISOR
                - eval_reduction.min(NULL_MOVE_MAX_EVAL_REDUCTION);
            self.path.push(HistoryKey::of(board));
            let repetition_start = mem::replace(&mut self.repetition_start, self.path.len());
            let after = board.null_move();
            let value = -self.negamax(&after, reduced, ply + 1, -beta, 1 - beta, Move::NONE);
            self.repetition_start = repetition_start;
            self.path.pop();
            if value >= beta || self.control.is_stopped() {
                // A win after a null move is not proven.
                return Some(value.min(MATE_IN_MAX_PLY - 1));
            }
        }
        None
    }

    /// The move loop of a node.
    fn search_moves(&mut self, node: &NodeContext<'_>) -> i32 {
        let &NodeContext { board, ply, .. } = node;
        let tables = self.tables;
        let repetitions = self.repetitions;
        let mut best = BestMove { value: -INFINITY, mv: Move::NONE, alpha: node.alpha, count: 0 };
        let mut quiets = QuietsTried::new();
        let mut picker = MovePicker::new(&self.ordering, node);
        self.path.push(HistoryKey::of(board));
        while let Some((mv, is_quiet)) = picker.next(&mut self.ordering, tables, board) {
            let is_late_quiet = best.count > 0 && is_quiet && !node.threat.is_any();
            let is_pruned = is_late_quiet && is_prunable(node, &best);
            if is_pruned && !board.may_threaten_win(mv) {
                best.count += 1;
                continue;
            }
            let child = board.make_move(tables, mv);
            if is_pruned && !child.is_threatened(tables) {
                best.count += 1;
                continue;
            }
            let reduction = if is_late_quiet {
                self.late_move_reduction(node, mv, &child, best.count)
            } else {
                0
            };
            let value = self.search_child(node, &child, mv, &best, reduction);
            best.count += 1;
            if self.control.is_stopped() {
                break;
            }
            if value > best.value {
                (best.value, best.mv) = (value, mv);
                if value > best.alpha {
                    best.alpha = value;
                    if node.is_pv {
                        self.update_pv(ply, mv);
                    }
                }
                if best.alpha >= node.beta {
                    if is_quiet {
                        self.ordering.history.update(node, mv, quiets.as_slice());
                    }
                    break;
                }
            }
            if is_quiet {
                quiets.push(mv);
            }
        }
        self.path.pop();
        picker.release(&mut self.ordering);
        self.finish_node(node, &mut best, repetitions)
    }

    /// The node's value after the move loop; stores it in the transposition table.
    /// `repetitions` is the count before the loop.
    fn finish_node(&self, node: &NodeContext<'_>, best: &mut BestMove, repetitions: u64) -> i32 {
        if self.control.is_stopped() {
            return 0;
        }
        if best.count == 0 {
            return self.value_without_moves(node);
        }
        // Where every block loses at once, because it repeats a position, a move that does
        // not block loses later.
        let unblocked = node.ply as i32 + 2 - MATE;
        let may_not_block = || node.board.has_legal_moves(self.tables, best.count as u32 + 1);
        if best.value < unblocked && node.threat.targets().is_some() && may_not_block() {
            best.value = unblocked;
        }
        // A win or loss that depends on repetitions of this path need not hold when
        // another path reaches the same position.
        if best.value.abs() < MATE_IN_MAX_PLY || self.repetitions == repetitions {
            self.store(node, best);
        }
        best.value
    }

    /// Late-move reduction: plies by which the first search of a late quiet move is
    /// reduced.
    fn late_move_reduction(
        &self,
        node: &NodeContext<'_>,
        mv: Move,
        child: &Board,
        number: usize,
    ) -> i32 {
        if node.depth < LMR_MIN_DEPTH || number < LMR_MIN_MOVES {
            return 0;
        }
        let history = self.ordering.history.value(node.board.black_to_move, mv);
        let depth = node.depth.clamp(0, 63) as usize;
        let mut reduction = i32::from(LMR_TABLE[depth][number.min(63)]);
        reduction -= history / LMR_HISTORY_DIVISOR;
        reduction += i32::from(!node.is_improving) - i32::from(node.is_pv);
        if reduction > 0 && child.is_threatened(self.tables) {
            reduction -= 1;
        }
        reduction.clamp(0, node.depth - 1)
    }

    /// Principal-variation search of a child: the first with the full window, the
    /// others with a null window and a reduction, and again without these limits if
    /// they beat alpha.
    #[inline]
    fn search_child(
        &mut self,
        node: &NodeContext<'_>,
        child: &Board,
        mv: Move,
        best: &BestMove,
        reduction: i32,
    ) -> i32 {
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        let (alpha, beta) = (best.alpha, node.beta);
        if best.count == 0 {
            return -self.negamax(child, depth, ply, -beta, -alpha, mv);
        }
        let mut value = -self.negamax(child, depth - reduction, ply, -alpha - 1, -alpha, mv);
        if value > alpha && reduction > 0 {
            value = -self.negamax(child, depth, ply, -alpha - 1, -alpha, mv);
        }
        if value > alpha && value < beta {
            value = -self.negamax(child, depth, ply, -beta, -alpha, mv);
        }
        value
    }

    /// The value of a node where no move was searched.
    fn value_without_moves(&self, node: &NodeContext<'_>) -> i32 {
        // Without a legal move the side to move has lost; without one that blocks the
        // king it loses in two plies.
        let is_stuck = node.threat.targets().is_none() || !node.board.has_legal_move(self.tables);
        node.ply as i32 - MATE + if is_stuck { 0 } else { 2 }
    }

    fn store(&self, node: &NodeContext<'_>, best: &BestMove) {
        let best_move = if best.value > node.alpha { best.mv } else { Move::NONE };
        let entry = TtEntry {
            value: value_to_tt(best.value, node.ply),
            depth: node.depth.clamp(0, 255) as u8,
            bound: Bound::of(best.value, node.alpha, node.beta),
            best_move: best_move.0,
            static_eval: node.static_eval.clamp(-MATE_IN_MAX_PLY, MATE_IN_MAX_PLY) as i16,
        };
        self.tt.store(node.board.key ^ self.key_salt, entry);
    }

    /// Makes the principal variation from `ply` this move and the one after it.
    pub(super) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.pv.split_at_mut(ply + 1);
        if let (Some(line), Some(next)) = (before.last_mut(), after.first()) {
            line.clear();
            line.push(mv);
            line.extend_from_slice(next);
        }
    }
}

/// Late-move pruning and futility pruning: whether a late quiet move is skipped if
/// it does not threaten to win.
#[inline]
fn is_prunable(node: &NodeContext<'_>, best: &BestMove) -> bool {
    let &NodeContext { depth, alpha, static_eval, .. } = node;
    if node.is_pv || best.value <= -MATE_IN_MAX_PLY {
        return false;
    }
    let divisor = if node.is_improving { 1 } else { 2 };
    let max_moves = (LMP_BASE + LMP_DEPTH_FACTOR * depth * depth) / divisor;
    let exceeds_move_count = depth <= LMP_MAX_DEPTH && best.count as i32 >= max_moves;
    let margin = FUTILITY_MARGIN + FUTILITY_DEPTH_MARGIN * depth;
    exceeds_move_count || depth <= FUTILITY_MAX_DEPTH && static_eval + margin <= alpha
}
