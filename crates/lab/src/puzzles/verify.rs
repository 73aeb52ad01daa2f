//! Whether the solution of a puzzle is right, and the only one.

use std::collections::HashMap;

use thiserror::Error;

use super::themes::themes;
use tabulae_engines::{
    EngineOptions, EngineState, Info, Request, Score, SearchLimits, SolveOptions, StopSignal,
    search_excluding, solve,
    tablan::{RolloutDifference, rank_moves, roll_out},
};
use tabulae_games::{AnyMove, AnyPosition, Game as _, GameHistory, Ply, Side, tablaaza, tablan};
use tabulae_session::puzzles::{ForcedWins, Goal, Puzzle};

/// Plies in which a move that does not defend loses.
pub(super) const LOSS_PLIES: u32 = 3;
/// Of the other moves in Tablan, how many of the best are rolled out.
const ROLLED_OUT: usize = 3;
/// The least difference between two moves of Tablan in rollouts, in standard errors.
const MIN_STANDARD_ERRORS: f32 = 3.0;
/// Free squares in Tablaaza up to which the plain search answers.
pub(super) const MAX_FREE_SQUARES: u32 = 18;

/// How hard [`verify`] tries to find a second solution.
///
/// What is found has to hold with something to spare, so that a deeper search confirms
/// it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Nodes of each search of the engine in Tablut.
    pub nodes: u64,
    /// A defence in Tablut that leaves less than this, in points, does not save the game:
    /// -300 is a win share of 12 %, -600 one of 2 %.
    pub min_points: i32,
    /// Rollouts for each of two moves in Tablan.
    pub rollouts: u32,
    /// The least difference between two moves of Tablan in rollouts, in equity.
    pub min_gain: f32,
    /// Whether this is the check: it tries all other moves of Tablut for as many plies
    /// as the solution needs, draws other throws in Tablan, and asks Tablaaza's exact
    /// solver instead of the plain search.
    pub is_check: bool,
}

impl Effort {
    /// The effort that finds puzzles, for searches of `nodes` nodes.
    pub fn mining(nodes: u64) -> Self {
        Self {
            nodes: nodes.saturating_mul(8),
            min_points: -300,
            rollouts: rollouts(nodes / 80),
            min_gain: 0.10,
            is_check: false,
        }
    }

    /// The effort that checks them: deeper, and in Tablaaza by another program.
    pub fn checking(nodes: u64) -> Self {
        Self {
            nodes,
            min_points: -600,
            rollouts: rollouts(nodes / 800),
            min_gain: 0.05,
            is_check: true,
        }
    }
}

fn rollouts(games: u64) -> u32 {
    u32::try_from(games).unwrap_or(u32::MAX).max(12)
}

/// Why a puzzle is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Flaw {
    /// It has no goal that its game knows, or no move is due.
    #[error("the goal does not fit the position")]
    Goal,
    /// The solution does not win by force, or loses.
    #[error("the solution does not reach the goal")]
    Solution,
    /// Another move is as good.
    #[error("{0} is another solution")]
    SecondSolution(AnyMove),
    /// The line is not what follows from the solution.
    #[error("the line does not end the game")]
    Line,
    /// The themes are not what the detectors find.
    #[error("the themes are not those of the position")]
    Themes,
}

/// Verifies that a puzzle has its solution and no other.
///
/// - Tablut, [`Goal::Win`]: the rules alone show that the solution wins against every
///   reply in time, and that no other move does so; the engine finds no longer win by
///   any other move.
/// - Tablut, [`Goal::Defend`]: the rules alone show that every other move loses; the
///   engine finds no loss after the solution.
/// - Tablan: rollouts put the solution above each of the next three moves, by at least
///   [`Effort::min_gain`] and three standard errors.
/// - Tablaaza: all moves are solved.
///
/// The same effort gives the same answer.
///
/// # Errors
/// The first flaw that is found.
///
/// ```
/// use tabulae_engines::EngineState;
/// use tabulae_games::RuleSet;
/// use tabulae_lab::puzzles::{Effort, Flaw, verify};
/// use tabulae_session::puzzles::Puzzle;
///
/// // The king stands between two black soldiers as soon as one comes to d3.
/// let verify = |moves: &str| {
///     let position = "4B4/9/2B1B4/3B5/B6BB/3B5/4KB3/9/5B3 b";
///     let line = format!("969;win 1;king-hunt;{position};{moves};130.44");
///     let puzzle = Puzzle::parse(RuleSet::TablutBerkeley, &line).unwrap();
///     verify(&EngineState::new(), &puzzle, Effort::checking(500))
/// };
/// assert_eq!(verify("d4-d3"), Ok(()));
/// assert!(matches!(verify("d4-c4"), Err(Flaw::SecondSolution(_))));
/// ```
pub fn verify(state: &EngineState, puzzle: &Puzzle, effort: Effort) -> Result<(), Flaw> {
    let &solution = puzzle.line.first().ok_or(Flaw::Goal)?;
    match (&puzzle.start, solution, puzzle.goal) {
        (AnyPosition::Tablut(_), _, Goal::Win(plies)) if plies % 2 == 1 => {
            verify_win(state, puzzle, plies, effort)?;
        }
        (AnyPosition::Tablut(_), _, Goal::Defend) => verify_defence(state, puzzle, effort)?,
        (AnyPosition::Tablan(position), AnyMove::Tablan(mv), Goal::Gain(_)) => {
            verify_gain(position, mv, effort)?;
        }
        (AnyPosition::Tablaaza(position), AnyMove::Tablaaza(mv), Goal::OnlyWin) => {
            verify_only_win(position, mv, effort)?;
        }
        _ => return Err(Flaw::Goal),
    }
    let found = themes(&puzzle.start, &puzzle.line, puzzle.goal);
    if found == puzzle.themes { Ok(()) } else { Err(Flaw::Themes) }
}

fn verify_win(
    state: &EngineState,
    puzzle: &Puzzle,
    plies: u32,
    effort: Effort,
) -> Result<(), Flaw> {
    let (solution, side) = (puzzle.line[0], puzzle.side());
    let mut history = GameHistory::new(puzzle.start.clone());
    let mut prover = ForcedWins::default();
    let within = if effort.is_check { plies } else { plies.min(3) };
    let winning = prover.winning_moves(&mut history, within).unwrap_or_default();
    if let Some(other) = winning.iter().find(|mv| **mv != solution) {
        return Err(Flaw::SecondSolution(*other));
    }
    let mut after = history.clone();
    after.push(Ply::Move(solution)).map_err(|_| Flaw::Solution)?;
    if prover.wins_after(&mut after, side, plies - 1) != Some(true) {
        return Err(Flaw::Solution);
    }
    for &mv in &puzzle.line[1..] {
        after.push(Ply::Move(mv)).map_err(|_| Flaw::Line)?;
    }
    let is_won = after.turn().end().is_some_and(|end| end.winner == Some(side));
    // Where each reply of the opponent ends the game, the line ends before it.
    if !is_won {
        let ends = |reply| {
            let mut last = after.clone();
            last.push(Ply::Move(reply)).is_ok()
                && last.turn().end().is_some_and(|end| end.winner == Some(side))
        };
        if !after.legal_moves().into_iter().all(ends) {
            return Err(Flaw::Line);
        }
    }
    match search(state, &history, &[solution], effort.nodes) {
        Some((other, info)) if matches!(info.score, Score::Win(_)) => {
            Err(Flaw::SecondSolution(other))
        }
        _ => Ok(()),
    }
}

fn verify_defence(state: &EngineState, puzzle: &Puzzle, effort: Effort) -> Result<(), Flaw> {
    let (solution, side) = (puzzle.line[0], puzzle.side());
    let mut history = GameHistory::new(puzzle.start.clone());
    let mut prover = ForcedWins::default();
    for other in history.legal_moves() {
        if other == solution {
            continue;
        }
        history.push(Ply::Move(other)).map_err(|_| Flaw::Solution)?;
        let loses = match history.turn().end() {
            Some(end) => end.winner == Some(side.other()),
            None => prover.can_win(&mut history, side.other(), LOSS_PLIES) == Some(true),
        };
        history.undo();
        if !loses {
            return Err(Flaw::SecondSolution(other));
        }
    }
    history.push(Ply::Move(solution)).map_err(|_| Flaw::Solution)?;
    if let Some(end) = history.turn().end() {
        return if end.winner == Some(side.other()) { Err(Flaw::Solution) } else { Ok(()) };
    }
    if prover.can_win(&mut history, side.other(), LOSS_PLIES) == Some(true) {
        return Err(Flaw::Solution);
    }
    let holds = |score: Score| match score {
        Score::Points(points) => -points >= effort.min_points,
        Score::Win(_) => false,
        Score::Loss(_) => true,
    };
    match search(state, &history, &[], effort.nodes) {
        Some((_, info)) if !holds(info.score) => Err(Flaw::Solution),
        _ => Ok(()),
    }
}

/// The best move and its last iteration in an analysis without contempt.
pub(super) fn search(
    state: &EngineState,
    history: &GameHistory<AnyPosition>,
    excluded: &[AnyMove],
    nodes: u64,
) -> Option<(AnyMove, Info)> {
    let request = Request {
        history: history.clone(),
        limits: SearchLimits { nodes: Some(nodes), ..SearchLimits::default() },
        options: EngineOptions::for_analysis(32),
    };
    let mut last = None;
    let stop = StopSignal::default();
    let best =
        search_excluding(state, &request, excluded, &stop, &mut |info| last = Some(info.clone()));
    best.zip(last)
}

fn verify_gain(
    position: &tablan::Position,
    solution: tablan::Move,
    effort: Effort,
) -> Result<(), Flaw> {
    let ranked = rank_moves(position);
    let is_solution = |mv| after(position, mv) == after(position, solution);
    let mut others = ranked.iter().map(|(mv, _)| *mv).filter(|mv| !is_solution(*mv)).peekable();
    if others.peek().is_none() {
        return Err(Flaw::Goal);
    }
    let seed = position.key() ^ u64::from(effort.is_check);
    for other in others.take(ROLLED_OUT) {
        let moves = [solution, other];
        let RolloutDifference { mean, error } = roll_out(position, moves, effort.rollouts, seed);
        if mean < effort.min_gain || mean < MIN_STANDARD_ERRORS * error {
            return Err(Flaw::SecondSolution(AnyMove::Tablan(other)));
        }
    }
    Ok(())
}

fn after(position: &tablan::Position, mv: tablan::Move) -> Option<tablan::Position> {
    let mut after = position.clone();
    after.apply(mv).ok().map(|()| after)
}

fn verify_only_win(
    position: &tablaaza::Position,
    solution: tablaaza::Move,
    effort: Effort,
) -> Result<(), Flaw> {
    let mut plain = PlainSearch::default();
    for mv in position.legal_moves() {
        let mut after = *position;
        after.play(mv).map_err(|_| Flaw::Solution)?;
        let wins =
            if effort.is_check { is_lost_exactly(&after) } else { Some(!plain.wins(&after)) };
        match (wins, mv == solution) {
            (Some(true), true) | (Some(false), false) => {}
            (_, true) => return Err(Flaw::Solution),
            (_, false) => return Err(Flaw::SecondSolution(AnyMove::Tablaaza(mv))),
        }
    }
    Ok(())
}

/// Whether the side to move loses, by the engine's exact solver.
fn is_lost_exactly(position: &tablaaza::Position) -> Option<bool> {
    let options = SolveOptions {
        memory_mib: 8,
        threads: 1,
        min_proof_squares: u32::MAX,
        first_win_only: true,
    };
    let solution = solve(position, options, &[], &StopSignal::default(), &mut |_| ());
    solution.winner.map(|winner| winner != position.side())
}

/// A plain search of Tablaaza to the end of the game, by the rules alone.
#[derive(Debug, Default)]
pub(super) struct PlainSearch {
    /// By the free squares of each side and the side to move: whether it wins.
    known: HashMap<([u64; 2], Side), bool>,
}

impl PlainSearch {
    /// Whether the side to move wins. For positions after the first two stones, with
    /// few free squares.
    pub(super) fn wins(&mut self, position: &tablaaza::Position) -> bool {
        let key = (Side::BOTH.map(|side| position.free(side)), position.side());
        if let Some(&wins) = self.known.get(&key) {
            return wins;
        }
        let wins = position.legal_moves().into_iter().any(|mv| {
            let mut after = *position;
            after.play(mv).is_ok() && !self.wins(&after)
        });
        self.known.insert(key, wins);
        wins
    }
}
