//! Alpha-beta search for Tablaaza: iterative deepening, principal-variation search,
//! a transposition table, killer moves, the history heuristic and late-move
//! reductions.
//!
//! Every move closes a square, so no position repeats and no line is longer
//! than the board has squares.

use std::mem;

use super::{
    super::{
        control::SearchControl,
        history::with_bonus,
        iterative_deepening::{self, RootSearch},
        score::{MATE, MAX_PLY, value_to_tt},
        tt::{Bound, TranspositionTable, TtEntry},
    },
    node::Node,
};

/// Squares of a bitboard; a move is a square.
const SQUARES: usize = 64;

/// Late-move reductions: minimum depth.
const LMR_MIN_DEPTH: i32 = 3;
/// Late-move reductions: index of the first reduced move.
const LMR_MIN_MOVE: usize = 4;
/// Late-move reductions: minimum depth of a reduction by two plies instead of one.
const LMR_DEEP_MIN_DEPTH: i32 = 5;
/// Late-move reductions: index of the first move reduced by two plies.
const LMR_DEEP_MIN_MOVE: usize = 12;

/// Ordering score of the transposition table's move.
const TT_MOVE_SCORE: i32 = i32::MAX;
/// Ordering score of the first killer move. The second has one less, and all other
/// moves score lower.
const KILLER_SCORE: i32 = 1_000_000;

/// History: maximum of a value in either direction.
const MAX_HISTORY: i32 = 16_000;
/// History: maximum bonus; the bonus is the square of the depth.
const MAX_HISTORY_BONUS: i32 = 1600;

/// The transposition table's code for no move; those of the squares follow.
const NO_MOVE: u16 = 0;
/// A killer slot that is empty: no square.
const NO_KILLER: u8 = u8::MAX;

/// The alpha and beta bounds.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    const FULL: Self = Self { alpha: -MATE, beta: MATE };

    /// The window as the opponent sees it.
    const fn negated(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// The null window that asks whether a value is above alpha.
    const fn null(self) -> Self {
        Self { beta: self.alpha + 1, ..self }
    }

    const fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }
}

/// A move with its score in the move ordering.
#[derive(Clone, Copy, Debug)]
struct ScoredMove {
    square: u8,
    score: i32,
}

pub(super) type RootMove = iterative_deepening::RootMove<u8>;
pub(super) type Iteration<'a> = iterative_deepening::Iteration<'a, u8>;

/// One thread's search from one root.
pub(super) struct Search<'a> {
    table: &'a TranspositionTable<1>,
    pub(super) control: SearchControl<'a>,
    /// By ply: moves that refuted a sibling.
    killers: Vec<[u8; 2]>,
    /// By square: how well the move has done in this search.
    history: [i32; SQUARES],
    /// By ply: the principal variation from there.
    pv: Vec<Vec<u8>>,
    /// By ply: a buffer for moves, kept for its capacity.
    move_buffers: Vec<Vec<ScoredMove>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(table: &'a TranspositionTable<1>, control: SearchControl<'a>) -> Self {
        Self {
            table,
            control,
            killers: vec![[NO_KILLER; 2]; MAX_PLY + 2],
            history: [0; SQUARES],
            pv: vec![Vec::new(); MAX_PLY + 2],
            move_buffers: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// Searches root moves to one depth and returns the best one's index. Updates `best`
    /// as soon as a move beats alpha. None after a stop.
    fn search_root(
        &mut self,
        root: &Node,
        moves: &[u8],
        depth: u32,
        best: &mut Option<RootMove>,
    ) -> Option<usize> {
        let mut best_index = 0;
        let mut window = Window::FULL;
        for (index, &square) in moves.iter().enumerate() {
            let child = root.after(square);
            let reduction = (index > 0).then_some(0);
            let value = self.search_child(&child, depth as i32 - 1, 0, window, reduction)?;
            if value > window.alpha || best.is_none() {
                window.alpha = value.max(window.alpha);
                best_index = index;
                self.update_pv(0, square);
                *best = Some(RootMove { mv: square, value, pv: self.pv[0].clone() });
            }
        }
        Some(best_index)
    }

    /// Principal-variation search of a child, as a value for its parent at
    /// `ply`. The first child (no `reduction`) has the full window; the others
    /// are searched with a null window and `reduction` plies less, and again
    /// without these limits if they beat alpha.
    fn search_child(
        &mut self,
        child: &Node,
        depth: i32,
        ply: usize,
        window: Window,
        reduction: Option<i32>,
    ) -> Option<i32> {
        let Some(reduction) = reduction else {
            return Some(-self.negamax(child, depth, ply + 1, window.negated())?);
        };
        let null = window.null().negated();
        let mut value = -self.negamax(child, depth - reduction, ply + 1, null)?;
        if value > window.alpha && reduction > 0 {
            value = -self.negamax(child, depth, ply + 1, null)?;
        }
        if value > window.alpha && value < window.beta {
            value = -self.negamax(child, depth, ply + 1, window.negated())?;
        }
        Some(value)
    }

    /// The value for the side to move, fail-soft; none after a stop.
    fn negamax(&mut self, node: &Node, depth: i32, ply: usize, window: Window) -> Option<i32> {
        self.pv[ply].clear();
        if !self.control.count_node() {
            return None;
        }
        if let Some(value) = decided_value(node, ply) {
            return Some(value);
        }
        // Mate-distance pruning: no line from here is better than winning with
        // the next move or worse than having lost.
        let window = Window {
            alpha: window.alpha.max(ply as i32 - MATE),
            beta: window.beta.min(MATE - ply as i32 - 1),
        };
        if window.alpha >= window.beta {
            return Some(window.alpha);
        }
        if depth <= 0 {
            return Some(node.evaluate());
        }
        let entry = self.table.probe(node.key());
        if window.is_null()
            && let Some(value) =
                entry.and_then(|entry| entry.cutoff(depth, ply, window.alpha, window.beta))
        {
            return Some(value);
        }
        let tt_move = entry.map_or(NO_MOVE, |entry| entry.best_move);
        self.search_moves(node, depth, ply, window, tt_move)
    }

    /// The move loop of a node; stores its value in the transposition table.
    fn search_moves(
        &mut self,
        node: &Node,
        depth: i32,
        ply: usize,
        mut window: Window,
        tt_move: u16,
    ) -> Option<i32> {
        let mut moves = mem::take(&mut self.move_buffers[ply]);
        self.score_moves(node, tt_move, ply, &mut moves);
        let alpha = window.alpha;
        let (mut best_value, mut best_move) = (-MATE, NO_MOVE);
        for index in 0..moves.len() {
            let ScoredMove { square, score } = pick_next(&mut moves, index);
            let is_tt_move = score == TT_MOVE_SCORE;
            let reduction = (index > 0).then(|| late_move_reduction(depth, index, is_tt_move));
            let child = node.after(square);
            let value = self.search_child(&child, depth - 1, ply, window, reduction)?;
            if value > best_value {
                (best_value, best_move) = (value, move_code(square));
                if value > window.alpha {
                    window.alpha = value;
                    self.update_pv(ply, square);
                }
            }
            if window.alpha >= window.beta {
                if !is_tt_move {
                    self.record_cutoff(&moves[..=index], depth, ply);
                }
                break;
            }
        }
        self.move_buffers[ply] = moves;
        let entry = TtEntry {
            value: value_to_tt(best_value, ply),
            depth: depth.clamp(0, 255) as u8,
            bound: Bound::of(best_value, alpha, window.beta),
            best_move,
            static_eval: 0,
        };
        self.table.store(node.key(), entry);
        Some(best_value)
    }

    /// Lists the legal moves with their ordering scores.
    fn score_moves(&self, node: &Node, tt_move: u16, ply: usize, moves: &mut Vec<ScoredMove>) {
        let killers = self.killers[ply];
        moves.clear();
        moves.extend(node.moves().map(|square| {
            let killer = killers.iter().position(|&killer| killer == square);
            let score = match killer {
                _ if move_code(square) == tt_move => TT_MOVE_SCORE,
                Some(index) => KILLER_SCORE - index as i32,
                None => self.history[usize::from(square)],
            };
            ScoredMove { square, score }
        }));
    }

    /// Updates killers and history after a beta cutoff by the last of the moves that
    /// were searched.
    fn record_cutoff(&mut self, searched: &[ScoredMove], depth: i32, ply: usize) {
        let Some((&ScoredMove { square, .. }, earlier)) = searched.split_last() else { return };
        let killers = &mut self.killers[ply];
        if killers[0] != square {
            *killers = [square, killers[0]];
        }
        let bonus = (depth * depth).min(MAX_HISTORY_BONUS);
        self.add_history(square, bonus);
        for refuted in earlier {
            self.add_history(refuted.square, -bonus);
        }
    }

    fn add_history(&mut self, square: u8, bonus: i32) {
        let value = &mut self.history[usize::from(square)];
        *value = with_bonus(*value, bonus, MAX_HISTORY);
    }

    /// Makes the principal variation at `ply` this move and the one after it.
    fn update_pv(&mut self, ply: usize, square: u8) {
        let rest = mem::take(&mut self.pv[ply + 1]);
        let pv = &mut self.pv[ply];
        pv.clear();
        pv.push(square);
        pv.extend_from_slice(&rest);
        self.pv[ply + 1] = rest;
    }
}

impl RootSearch for Search<'_> {
    type Position = Node;
    type Move = u8;

    const FORESIGHT: u32 = 0;

    fn control(&self) -> &SearchControl<'_> {
        &self.control
    }

    fn search_line(
        &mut self,
        root: &Node,
        moves: &mut [u8],
        depth: u32,
        _expected: i32,
    ) -> Option<RootMove> {
        let mut best = None;
        if let Some(index) = self.search_root(root, moves, depth, &mut best) {
            // The best move is searched first in the next iteration.
            moves[..=index].rotate_right(1);
        }
        best
    }

    fn score_move(
        &mut self,
        root: &Node,
        square: u8,
        depth: u32,
        alpha: Option<i32>,
    ) -> Option<RootMove> {
        let alpha = alpha.map_or(-MATE, |alpha| alpha.max(-MATE));
        let window = Window { alpha, beta: MATE }.negated();
        let value = -self.negamax(&root.after(square), depth as i32 - 1, 1, window)?;
        self.update_pv(0, square);
        Some(RootMove { mv: square, value, pv: self.pv[0].clone() })
    }
}

/// A move as the transposition table stores it.
const fn move_code(square: u8) -> u16 {
    square as u16 + 1
}

/// The value of a node that needs no search: the game is over, or the side to move
/// has an immediate win.
const fn decided_value(node: &Node, ply: usize) -> Option<i32> {
    if node.is_lost() {
        Some(ply as i32 - MATE)
    } else if node.wins_at_once() {
        Some(MATE - ply as i32 - 1)
    } else {
        None
    }
}

/// Late-move reduction: plies by which the first search of a late move is reduced.
const fn late_move_reduction(depth: i32, index: usize, is_tt_move: bool) -> i32 {
    if depth < LMR_MIN_DEPTH || index < LMR_MIN_MOVE || is_tt_move {
        0
    } else if depth >= LMR_DEEP_MIN_DEPTH && index >= LMR_DEEP_MIN_MOVE {
        2
    } else {
        1
    }
}

/// Swaps the best of the moves from `index` on to that place: one step of a selection
/// sort.
fn pick_next(moves: &mut [ScoredMove], index: usize) -> ScoredMove {
    let mut best = index;
    for other in index + 1..moves.len() {
        if moves[other].score > moves[best].score {
            best = other;
        }
    }
    moves.swap(index, best);
    moves[index]
}
