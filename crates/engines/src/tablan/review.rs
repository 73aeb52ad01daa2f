//! Luck and errors of a finished game, measured as backgammon programs do.
//!
//! A throw's luck is the equity after it with the best move, minus the average
//! over all throws. A move's error is the equity of the best move minus that of
//! the move played. Both are for the side that threw or moved. The expected
//! luck of a throw is 0.

use serde::{Deserialize, Serialize};

use super::{
    bearoff::BearoffSolver,
    board::{Board, SCORES},
    builtin_network,
    search::{Search, Stopped},
    throws::{ThrowSummary, solve_pass_loop},
};
use crate::{SearchLimits, StopSignal, control::SharedControl, timeman::Stopwatch};
use tabulae_games::{
    AnyMove, AnyPosition, Game as _, GameHistory, Ply, Side, Throw, Turn,
    tablan::{Move, Position},
};

/// Decisions of look-ahead.
const DEPTH: u32 = 2;
/// Memory of the bearoff solver, in MiB.
const BEAROFF_MIB: usize = 64;

/// A throw and its equities, -1 (lost) to 1 (won) for the side that threw.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThrowReview {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The side that threw.
    pub side: Side,
    /// The throw.
    pub throw: Throw,
    /// The average over all throws.
    pub equity_before: f32,
    /// The equity with this throw and the best move.
    pub equity_after: f32,
}

impl ThrowReview {
    /// How lucky the throw was, in equity.
    pub const fn luck(&self) -> f32 {
        self.equity_after - self.equity_before
    }
}

/// A move and its equities, -1 (lost) to 1 (won) for the side that moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveReview {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The side that moved.
    pub side: Side,
    /// The move played.
    pub played: Move,
    /// The best move.
    pub best: Move,
    /// The equity after the best move.
    pub best_equity: f32,
    /// The equity after the move played.
    pub played_equity: f32,
    /// How many legal moves there were.
    pub move_count: usize,
    /// Whether the equities are proven by solving the endgame.
    pub exact: bool,
}

impl MoveReview {
    /// The equity that the move lost, 0 or more.
    pub const fn error(&self) -> f32 {
        self.best_equity - self.played_equity
    }
}

/// The totals of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReviewTotals {
    /// The luck of its throws.
    pub luck: f32,
    /// The equity that its moves lost.
    pub error: f32,
    /// Its moves that had an alternative.
    pub unforced_moves: usize,
}

/// The review of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// Every throw, in the game's order.
    pub throws: Vec<ThrowReview>,
    /// Every move, in the game's order.
    pub moves: Vec<MoveReview>,
}

impl Review {
    /// The totals of a side.
    pub fn totals(&self, side: Side) -> ReviewTotals {
        let throws = self.throws.iter().filter(|throw| throw.side == side);
        let moves = self.moves.iter().filter(|mv| mv.side == side);
        ReviewTotals {
            luck: throws.map(ThrowReview::luck).sum(),
            error: moves.clone().map(MoveReview::error).sum(),
            unforced_moves: moves.filter(|mv| mv.move_count > 1).count(),
        }
    }

    /// The move of a ply.
    pub fn move_at(&self, ply: usize) -> Option<&MoveReview> {
        let at = self.moves.binary_search_by_key(&ply, |mv| mv.ply).ok()?;
        self.moves.get(at)
    }

    /// The throw of a ply.
    pub fn throw_at(&self, ply: usize) -> Option<&ThrowReview> {
        let at = self.throws.binary_search_by_key(&ply, |throw| throw.ply).ok()?;
        self.throws.get(at)
    }
}

/// Reviews a game of Tablan. None for other games, or if it is stopped.
pub fn review(history: &GameHistory<AnyPosition>, stop: &StopSignal) -> Option<Review> {
    let AnyPosition::Tablan(start) = history.start() else { return None };
    let ordered = start.rules().ordered_entry;
    let shared = SharedControl::new(SearchLimits::default(), Stopwatch::start(), stop);
    let mut bearoff = BearoffSolver::default();
    bearoff.prepare(ordered, BEAROFF_MIB);
    let control = shared.main_thread();
    let network = builtin_network(ordered);
    let mut search = Search { network, control, bearoff: &mut bearoff };
    let mut review = Review::default();
    let mut ranked = Vec::new();
    for ply in 1..=history.len() {
        let (Some(AnyPosition::Tablan(before)), Some(AnyPosition::Tablan(after))) =
            (history.at(ply - 1), history.at(ply))
        else {
            return None;
        };
        match history.ply(ply)? {
            Ply::Throw(throw) => {
                ranked = search.ranked_moves(after).ok()?;
                let thrown = ReviewedThrow { ply, throw, before, after, ranked: &ranked };
                review.throws.push(search.review_throw(&thrown).ok()?);
            }
            Ply::Move(AnyMove::Tablan(played)) => {
                // A record may begin with a pending throw.
                if ranked.is_empty() {
                    ranked = search.ranked_moves(before).ok()?;
                }
                let exact = search.bearoff.probe(Board::from_position(before)).is_some();
                review.moves.extend(review_move(ply, before.side(), played, &ranked, exact));
                ranked.clear();
            }
            Ply::Move(_) => return None,
        }
    }
    Some(review)
}

/// A move and its equity for the mover.
type RankedMove = (Move, f32);

/// The review of a move among the legal ones, best first.
fn review_move(
    ply: usize,
    side: Side,
    played: Move,
    ranked: &[RankedMove],
    exact: bool,
) -> Option<MoveReview> {
    let &(_, played_equity) = ranked.iter().find(|(mv, _)| *mv == played)?;
    let &(best, best_equity) = ranked.first()?;
    // Several moves may be equally good.
    let best = if played_equity >= best_equity { played } else { best };
    let move_count = ranked.len();
    Some(MoveReview { ply, side, played, best, best_equity, played_equity, move_count, exact })
}

/// A throw of the reviewed game.
struct ReviewedThrow<'a> {
    ply: usize,
    throw: Throw,
    before: &'a Position,
    after: &'a Position,
    /// The legal moves after it, best first.
    ranked: &'a [RankedMove],
}

impl Search<'_, '_> {
    /// The legal moves of a position with their equities, best first.
    fn ranked_moves(&mut self, position: &Position) -> Result<Vec<RankedMove>, Stopped> {
        if matches!(position.turn(), Turn::Move(_)) {
            self.solve_if_covered(Board::from_position(position));
        }
        let mut ranked = Vec::new();
        for mv in position.legal_moves() {
            ranked.push((mv, self.equity(Board::after_move(position, mv), DEPTH - 1)?));
        }
        ranked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        Ok(ranked)
    }

    /// Solves the board if possible, so that later searches probe the result.
    fn solve_if_covered(&mut self, board: Board) {
        if BearoffSolver::covers(board) {
            let control = &mut self.control;
            // If there are too many boards, the search has to do.
            _ = self.bearoff.solve(board, &mut || control.count_node());
        }
    }

    fn review_throw(&mut self, thrown: &ReviewedThrow<'_>) -> Result<ThrowReview, Stopped> {
        let [equity_before, equity_after] = if thrown.before.throwing_off() {
            self.throw_off_equities(thrown)?
        } else {
            self.throw_equities(thrown)?
        };
        let (side, throw) = (thrown.before.side(), thrown.throw);
        Ok(ThrowReview { ply: thrown.ply, side, throw, equity_before, equity_after })
    }

    /// The equities before and after a throw for the start: the side that throws
    /// a 1 first begins, and moves with it.
    fn throw_off_equities(&mut self, thrown: &ReviewedThrow<'_>) -> Result<[f32; 2], Stopped> {
        let board = Board::from_position(thrown.before);
        let start = self.move_equities(board, DEPTH)?[0];
        let start = start.map_or_else(|| self.equity(board, DEPTH), Ok)?;
        // With the chance `p` of a 1 the side that throws first begins in 1 / (2 - p) of
        // all cases, so its equity is p / (2 - p) of the starter's: a seventh.
        let chance = SCORES[0].1 / 16.0;
        let share = (2.0 - chance) / chance;
        let after = match thrown.ranked.first() {
            Some(&(_, best)) => best,
            None if thrown.throw.plain() == 1 => start,
            None => -start / share,
        };
        Ok([start / share, after])
    }

    /// The equities before and after any other throw.
    fn throw_equities(&mut self, thrown: &ReviewedThrow<'_>) -> Result<[f32; 2], Stopped> {
        let board = Board::from_position(thrown.before);
        self.solve_if_covered(board);
        let mut own = self.move_equities(board, DEPTH)?;
        let score = SCORES.iter().position(|&(score, _)| score == thrown.throw.score());
        if let (Some(score), Some(&(_, best))) = (score, thrown.ranked.first()) {
            own[score] = Some(best);
        }
        let opponent = self.move_equities(board.swap_sides(), DEPTH)?;
        let result = board.arrivals_result();
        let [before, passed] = solve_pass_loop(ThrowSummary::of(own), ThrowSummary::of(opponent))
            .unwrap_or([result, -result]);
        let after = match score {
            None => -passed,
            // A score without moves changes nothing.
            Some(_) if thrown.after.pending().is_none() => before,
            Some(score) => own[score].unwrap_or(before),
        };
        Ok([before, after])
    }
}
