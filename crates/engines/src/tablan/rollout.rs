//! Rollouts: two moves compared by playing the game on after each of them, with the
//! same throws for both.
//!
//! Both sides play the best move by the network's look-ahead of one throw. The luck of
//! each throw, as that look-ahead measures it, is subtracted from the result: the mean
//! stays what it is, and the variance falls by an order of magnitude (variance
//! reduction as in backgammon programs).

use rand::{SeedableRng as _, rngs::ChaCha8Rng};

use super::{
    board::Board,
    builtin_network,
    features::inputs,
    network::{Network, equity_of},
    throws::{
        BestMove, ThrowSummary, best_moves, evaluate_logit, solve_pass_loop, throw_until_usable,
    },
};
use tabulae_games::{
    GOLDEN_GAMMA, Game as _,
    tablan::{Move, Position},
};

/// Decisions of both sides after which a rollout ends with the network's equity.
const MAX_DECISIONS: usize = 300;

/// A difference in equity between two moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutDifference {
    /// The mean, for the first move: 2 is from lost to won.
    pub mean: f32,
    /// Its standard error.
    pub error: f32,
}

/// The legal moves with their equities for the mover, by the look-ahead of one throw,
/// best first. Of the moves that lead to the same position only the first is listed.
///
/// ```
/// use tabulae_engines::tablan::rank_moves;
/// use tabulae_games::{AnyPosition, RuleSet};
///
/// let start = AnyPosition::parse(RuleSet::Tablan, "12/10NS/12/NNN9 s t1")?;
/// let AnyPosition::Tablan(position) = start else { unreachable!("those are its rules") };
/// let ranked = rank_moves(&position);
/// assert!(ranked.is_sorted_by(|(_, better), (_, worse)| better >= worse));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rank_moves(position: &Position) -> Vec<(Move, f32)> {
    let network = builtin_network(position.rules().ordered_entry);
    let mut ranked: Vec<(Move, Board, f32)> = Vec::new();
    for mv in position.legal_moves() {
        let after = Board::after_move(position, mv);
        if ranked.iter().all(|(_, other, _)| *other != after) {
            ranked.push((mv, after, look_ahead(network, after)));
        }
    }
    ranked.sort_by(|(.., one), (.., other)| other.total_cmp(one));
    ranked.into_iter().map(|(mv, _, equity)| (mv, equity)).collect()
}

/// The equity of a position with a throw due, for the side that throws, by the
/// look-ahead of one throw.
///
/// ```
/// use tabulae_engines::tablan::equity;
/// use tabulae_games::tablan::{PLAIN, Position};
///
/// let start = equity(&Position::start(PLAIN));
/// assert!(start.abs() < 0.2, "throwing first is a small advantage: {start}");
/// ```
pub fn equity(position: &Position) -> f32 {
    let network = builtin_network(position.rules().ordered_entry);
    look_ahead(network, Board::from_position(position))
}

/// Compares two legal moves of a position by `games` rollouts each.
///
/// The same seed gives the same answer.
pub fn roll_out(
    position: &Position,
    [first, second]: [Move; 2],
    games: u32,
    seed: u64,
) -> RolloutDifference {
    let network = builtin_network(position.rules().ordered_entry);
    let boards = [first, second].map(|mv| Board::after_move(position, mv));
    let mut mean = Mean::default();
    for game in 0..u64::from(games) {
        let [first, second] =
            boards.map(|board| play_out(network, board, &mut throws_of(seed, game)));
        mean.add(f64::from(first) - f64::from(second));
    }
    RolloutDifference { mean: mean.mean() as f32, error: mean.error() as f32 }
}

/// A move with its equity by rollouts, -1 (lost) to 1 (won) for the side that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveRollout {
    /// The move.
    pub mv: Move,
    /// Its mean equity, with the luck of the throws subtracted.
    pub equity: f32,
    /// The standard error of the mean.
    pub error: f32,
}

/// The equity of each of some legal moves by `games` rollouts, best first. The moves are
/// played on with the same throws. The same seed gives the same answer.
///
/// ```
/// use tabulae_engines::tablan::{rank_moves, roll_out_moves};
/// use tabulae_games::{Game as _, Throw, tablan::{PLAIN, Position}};
///
/// let mut position = Position::start(PLAIN);
/// position.throw(Throw::ALL[1])?;
/// let moves: Vec<_> = rank_moves(&position).into_iter().map(|(mv, _)| mv).collect();
/// let rolled = roll_out_moves(&position, &moves, 8, 1);
/// assert!(rolled.len() == moves.len() && rolled[0].equity >= rolled[1].equity);
/// # Ok::<(), tabulae_games::Illegal>(())
/// ```
pub fn roll_out_moves(
    position: &Position,
    moves: &[Move],
    games: u32,
    seed: u64,
) -> Vec<MoveRollout> {
    let network = builtin_network(position.rules().ordered_entry);
    let roll_out = |mv: Move| {
        let (board, mut mean) = (Board::after_move(position, mv), Mean::default());
        for game in 0..u64::from(games) {
            mean.add(f64::from(play_out(network, board, &mut throws_of(seed, game))));
        }
        MoveRollout { mv, equity: mean.mean() as f32, error: mean.error() as f32 }
    };
    let mut rolled: Vec<_> = moves.iter().copied().map(roll_out).collect();
    rolled.sort_by(|one, other| other.equity.total_cmp(&one.equity));
    rolled
}

/// The throws of a rollout.
fn throws_of(seed: u64, game: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed ^ game.wrapping_mul(GOLDEN_GAMMA))
}

/// A mean and its standard error.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    /// 0 without values.
    fn mean(self) -> f64 {
        self.sum / self.count.max(1.0)
    }

    fn error(self) -> f64 {
        let (count, mean) = (self.count.max(1.0), self.mean());
        ((self.squares / count - mean * mean).max(0.0) / count).sqrt()
    }
}

/// The equity of a board for its thrower by the look-ahead of one throw.
fn look_ahead(network: &Network, board: Board) -> f32 {
    if let Some(result) = board.result() {
        return result;
    }
    let sides = [board, board.swap_sides()];
    let [own, opponent] = sides.map(|side| {
        let accumulator = network.accumulate(inputs(side));
        let moves = best_moves(network, side, &accumulator);
        ThrowSummary::of(moves.map(|best| best.map(BestMove::equity)))
    });
    solve_pass_loop(own, opponent).map_or_else(|| board.arrivals_result(), |[equity, _]| equity)
}

/// Plays one game on; its result for the thrower of `board`, less the luck of its throws.
fn play_out(network: &Network, mut board: Board, rng: &mut ChaCha8Rng) -> f32 {
    let (mut sign, mut luck) = (1.0, 0.0);
    for _ in 0..MAX_DECISIONS {
        if let Some(result) = board.result() {
            return sign * result - luck;
        }
        let sides = [board, board.swap_sides()];
        let moves = sides.map(|side| best_moves(network, side, &network.accumulate(inputs(side))));
        let [own, opponent] =
            moves.map(|moves| ThrowSummary::of(moves.map(|best| best.map(BestMove::equity))));
        let Some([expected, _]) = solve_pass_loop(own, opponent) else {
            return sign * board.arrivals_result() - luck;
        };
        let usable = moves.map(|moves| moves.map(|best| best.is_some()));
        let (scorer, score) = throw_until_usable(rng, usable);
        let Some(best) = moves[scorer][score] else { break };
        let thrown = if scorer == 0 { best.equity() } else { -best.equity() };
        luck += sign * (thrown - expected);
        if scorer == 1 {
            sign = -sign;
        }
        board = best.after;
    }
    let parent = network.accumulate(inputs(board));
    sign * equity_of(evaluate_logit(network, &parent, board)) - luck
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::{Throw, tablan::PLAIN};

    #[test]
    fn a_rollout_of_a_move_against_itself_is_even_and_a_better_move_gains() {
        // South can capture a piece that is about to arrive.
        let mut position = Position::start(PLAIN);
        position.apply_throw(Throw::ALL[1]).unwrap();
        let ranked = rank_moves(&position);
        let (best, worst) = (ranked[0].0, ranked[ranked.len() - 1].0);
        let none = roll_out(&position, [best, best], 4, 1);
        assert_eq!((none.mean, none.error), (0.0, 0.0));
        let [there, back] =
            [[best, worst], [worst, best]].map(|moves| roll_out(&position, moves, 40, 1));
        assert!((there.mean + back.mean).abs() < 1e-6 && there.error > 0.0, "{there:?} {back:?}");
        assert_eq!(there, roll_out(&position, [best, worst], 40, 1));
        // The same throws for all moves, so the differences are those of `roll_out`.
        let rolled = roll_out_moves(&position, &[worst, best], 40, 1);
        let difference = rolled[0].equity - rolled[1].equity;
        assert!((difference - there.mean.abs()).abs() < 1e-5, "{rolled:?} {there:?}");
        assert!(
            rolled.iter().all(|rolled| rolled.error > 0.0 && rolled.equity.abs() < 1.5),
            "{rolled:?}"
        );
    }

    /// Without the luck subtracted, the result of a game is -1 or 1.
    #[test]
    fn subtracting_luck_lowers_the_standard_error() {
        let mut position = Position::start(PLAIN);
        position.apply_throw(Throw::ALL[1]).unwrap();
        let mv = rank_moves(&position)[0].0;
        let rolled = roll_out_moves(&position, &[mv], 60, 3)[0];
        let plain = ((1.0 - rolled.equity * rolled.equity) / 60.0).sqrt();
        assert!(rolled.error < plain / 2.0, "{rolled:?} against {plain}");
    }
}
