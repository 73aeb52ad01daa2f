//! Extracts the winner's strategy from the solver: a move for each position that
//! can arise.

use std::{collections::HashSet, time::Duration};

use super::{
    super::{StopSignal, timeman::Stopwatch},
    graph::BoardGraph,
    node::move_index,
    solve::{SolveOptions, SolverMemory, free_squares, position_after, solver_state},
    solver::{CountNode, ProvenPosition, Solver},
    state::SolverState,
};
use tabulae_games::{
    Game, Side,
    tablaaza::{Board, Move, Position},
};

/// Nodes between stop checks.
const STOP_CHECK_NODES: u64 = 1024;
/// Time between progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// What to extract from a won position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrategyRequest {
    /// The position to begin with.
    pub position: Position,
    /// The side whose moves are extracted.
    pub winner: Side,
    /// Positions with at most this many free squares get no move: they are small
    /// enough to search.
    pub max_searched_squares: u32,
    /// Give up when the strategy has more moves than this.
    pub max_moves: usize,
}

/// The winner's strategy: the free squares, as the board's bits, of each
/// position with the winner to move that can arise against it, and the move.
///
/// None if it was stopped, if there would be too many moves, or if
/// [`StrategyRequest::winner`] does not win. `known` are proofs of earlier runs;
/// `on_progress` is called from time to time with the number of moves.
///
/// ```
/// use tabulae_engines::{ProvenPosition, SolveOptions, StopSignal, StrategyRequest, extract_strategy};
/// use tabulae_games::{AnyPosition, RuleSet, Side};
///
/// let text = "rgrgrgrg/grgrgrgr/rg~gr~rg/gr~rg~gr/rg~gr~rg/grgrgrgr/1grgrg1g r";
/// let AnyPosition::Tablaaza(position) = AnyPosition::parse(RuleSet::Tablaaza, text)? else {
///     unreachable!("those are its rules")
/// };
/// let options = SolveOptions {
///     memory_mib: 8,
///     threads: 1,
///     min_proof_squares: 99,
///     first_win_only: true,
/// };
/// let known: [ProvenPosition; 0] = [];
/// let strategy_of = |winner| {
///     let request =
///         StrategyRequest { position, winner, max_searched_squares: 0, max_moves: 100 };
///     extract_strategy(request, options, &known, &StopSignal::default(), &mut |_| ())
/// };
/// // Exactly one side wins, and only the winner has a strategy.
/// assert_ne!(strategy_of(Side::First).is_some(), strategy_of(Side::Second).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn extract_strategy(
    request: StrategyRequest,
    options: SolveOptions,
    known: &[ProvenPosition],
    stop: &StopSignal,
    on_progress: &mut dyn FnMut(usize),
) -> Option<Vec<(u64, Move)>> {
    let StrategyRequest { position, winner, max_searched_squares, max_moves } = request;
    let stopwatch = Stopwatch::start();
    let memory = SolverMemory::new(options.memory_mib);
    let graph = BoardGraph::new(position.board());
    let mut solver = Solver::new(graph.clone(), memory.table(), memory.values_mib);
    for &proof in known {
        solver.add_proof(proof);
    }
    let mut nodes = 0_u64;
    let mut count_node = || {
        nodes += 1;
        !nodes.is_multiple_of(STOP_CHECK_NODES) || !stop.is_stopped()
    };
    let (mut moves, mut seen) = (Vec::new(), HashSet::new());
    let (mut open, mut last_report) = (vec![position], Duration::ZERO);
    while let Some(position) = open.pop() {
        let free = free_squares(&position);
        let is_small = free.count_ones() <= max_searched_squares;
        let is_searched = is_small && solver_state(&graph, &position).is_some();
        if is_searched || !seen.insert((free, position.side())) {
            continue;
        }
        if position.side() != winner {
            let replies = position.legal_moves().into_iter();
            open.extend(replies.map(|mv| position_after(&position, mv)));
            continue;
        }
        let mv = winning_move(&mut solver, &position, &mut count_node)?;
        moves.push((free, mv));
        if moves.len() > max_moves || stop.is_stopped() {
            return None;
        }
        open.push(position_after(&position, mv));
        if stopwatch.elapsed() >= last_report + PROGRESS_INTERVAL {
            last_report = stopwatch.elapsed();
            on_progress(moves.len());
        }
    }
    Some(moves)
}

/// A winning move of the side to move, if it has one; none after a stop.
fn winning_move(
    solver: &mut Solver<'_>,
    position: &Position,
    count_node: &mut CountNode<'_>,
) -> Option<Move> {
    let mut moves = position.legal_moves();
    moves.sort_unstable();
    if let Some(state) = solver_state(solver.graph(), position) {
        let square = solver.winning_move(state, count_node)??;
        return moves.into_iter().find(|mv| move_index(*mv) == square);
    }
    for mv in moves {
        if !side_to_move_wins(solver, &position_after(position, mv), count_node)? {
            return Some(mv);
        }
    }
    None
}

/// Names the square of a winning move in a position, given by its free squares, as the
/// board's bits, and the side to move; none if no move wins.
pub type MoveOracle<'a> = dyn FnMut(u64, Side) -> Option<u32> + 'a;

/// Calls `body` with an oracle that solves the positions it is asked about. It keeps what
/// it proves for the next question. The neighbourly rule must no longer bind, and each free
/// square must share a corridor with a free one of the other colour, as in all positions
/// that arise. `known` are proofs of earlier runs; of the options the memory counts.
///
/// ```
/// use tabulae_engines::{MoveOracle, SolveOptions, with_move_oracle};
/// use tabulae_games::{Side, tablaaza::LAKES};
///
/// let options = SolveOptions {
///     memory_mib: 8,
///     threads: 1,
///     min_proof_squares: 99,
///     first_win_only: true,
/// };
/// // a1 and b1 are free. Whoever is to move closes both.
/// let answers = with_move_oracle(&LAKES, options, &[], |oracle: &mut MoveOracle<'_>| {
///     [oracle(0b11, Side::First), oracle(0b11, Side::Second)]
/// });
/// assert_eq!(answers, [Some(0), Some(1)]);
/// ```
pub fn with_move_oracle<R>(
    board: &Board,
    options: SolveOptions,
    known: &[ProvenPosition],
    body: impl FnOnce(&mut MoveOracle<'_>) -> R,
) -> R {
    let memory = SolverMemory::new(options.memory_mib);
    let mut solver = Solver::new(BoardGraph::new(board), memory.table(), memory.values_mib);
    for &proof in known {
        solver.add_proof(proof);
    }
    body(&mut |free, side| {
        let state = SolverState::new(free, side == Side::First);
        solver.winning_move(state, &mut || true)?.map(u32::from)
    })
}

/// Whether the side to move wins; none after a stop.
fn side_to_move_wins(
    solver: &mut Solver<'_>,
    position: &Position,
    count_node: &mut CountNode<'_>,
) -> Option<bool> {
    if let Some(state) = solver_state(solver.graph(), position) {
        return solver.solve(state, count_node);
    }
    for mv in position.legal_moves() {
        if !side_to_move_wins(solver, &position_after(position, mv), count_node)? {
            return Some(true);
        }
    }
    Some(false)
}
