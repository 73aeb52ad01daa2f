//! Self-play: games of the engine against itself at a fixed number of nodes per
//! move, to train a network or to compare two.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng, seq::SliceRandom as _};

use super::super::{
    super::{
        SearchLimits, StopSignal,
        control::{SearchControl, SharedControl},
        iterative_deepening::RootSearch as _,
        score::{MATE, MATE_IN_MAX_PLY},
        timeman::Stopwatch,
        tt::TranspositionTable,
    },
    board::{Board, Move},
    node::HistoryKey,
    root::Iteration,
    rule_tables::RuleTables,
    search::Search,
    squares::{Bits, NO_SQUARE, bit, squares_in},
};
use tabulae_games::{Repetition, tablut::Position};

/// A game this long is a draw.
const MAX_GAME_PLIES: usize = 240;
/// Size of one player's transposition table.
const TABLE_MIB: usize = 2;
const TABLE_ENTRIES: usize = 1 << 16;
/// Maximum number of openings tried for one that does not decide the game.
const MAX_OPENINGS: usize = 50;
/// Maximum number of random plies after one of the given openings.
const MAX_PLIES_AFTER_OPENING: usize = 2;

/// A position of a game, with its value.
#[derive(Clone, Debug)]
pub(super) struct ScoredPosition {
    pub(super) board: Board,
    /// The search's value for White.
    pub(super) value: i32,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub(in super::super) struct SelfPlayGame {
    /// The quiet positions.
    pub(super) positions: Vec<ScoredPosition>,
    /// 1 for White's win, 0 for Black's, a half for a draw.
    pub(in super::super) result: f32,
}

/// How both sides play.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct SelfPlayOptions<'a> {
    /// Nodes per move.
    pub(in super::super) nodes: u64,
    /// Minimum and maximum number of random plies from the start position.
    pub(in super::super) random_plies: (usize, usize),
    /// Of the games from the start position, on average one in this many begins with some
    /// soldiers removed; 0 for none.
    pub(in super::super) thinned_interval: u32,
    /// Positions with which half of the games begin; none if all begin with the start.
    pub(in super::super) openings: &'a [Board],
}

/// Plays one game, White with the network of the first tables and Black with
/// that of the second. All randomness comes from the seed.
pub(in super::super) fn play_game(
    tables: [&RuleTables; 2],
    options: SelfPlayOptions<'_>,
    seed: u64,
) -> SelfPlayGame {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut board, mut path) = opening(tables[0], options, &mut rng);
    let tts = [(); 2].map(|()| TranspositionTable::with_size(TABLE_MIB, TABLE_ENTRIES));
    let mut positions = Vec::new();
    let mut result = 0.5;
    for _ in 0..MAX_GAME_PLIES {
        let mover = usize::from(board.black_to_move);
        let tables = tables[mover];
        // The accumulator depends on the network, and that on the side to move.
        let root = board.with_network(tables);
        let white_wins = |wins: bool| if wins { 1.0 } else { 0.0 };
        let choice = choose_move(tables, &tts[mover], &root, &path, options.nodes, &mut rng);
        let Some((mv, value)) = choice else {
            result = white_wins(board.black_to_move);
            break;
        };
        let for_white = value.map(|value| if board.black_to_move { -value } else { value });
        if let Some(decided) = for_white.filter(|value| value.abs() >= MATE_IN_MAX_PLY) {
            result = white_wins(decided > 0);
            break;
        }
        if let Some(value) = for_white.filter(|_| is_quiet(tables, &root, mv)) {
            positions.push(ScoredPosition { board: root, value });
        }
        board = root.make_move(tables, mv);
        if let Some(end) = result_by_repetition(tables, &path, &board) {
            result = end;
            break;
        }
        path.push(HistoryKey::of(&board));
    }
    SelfPlayGame { positions, result }
}

/// The best move, and its value for the side to move if the nodes sufficed for one
/// iteration.
fn choose_move(
    tables: &RuleTables,
    tt: &TranspositionTable,
    root: &Board,
    path: &[HistoryKey],
    nodes: u64,
    rng: &mut ChaCha8Rng,
) -> Option<(Move, Option<i32>)> {
    if let Some(mv) = root.winning_move(tables) {
        return Some((mv, Some(MATE - 1)));
    }
    let mut moves = Vec::new();
    root.for_each_move(tables, |mv| moves.push(mv));
    moves.shuffle(rng);
    let stop = StopSignal::default();
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
    let shared = SharedControl::new(limits, Stopwatch::start(), &stop);
    tt.new_search();
    let mut search = Search::new(tables, tt, shared.main_thread(), path.to_vec());
    let mut value = None;
    let mut keep =
        |iteration: &Iteration<'_>, _: &SearchControl<'_>| value = Some(iteration.lines[0].value);
    let best = *search.iterative_deepening(root, moves, 1, 1, &mut keep).first()?;
    Some((best, value))
}

/// Whether the position is quiet, so that the static evaluation should predict its
/// value.
fn is_quiet(tables: &RuleTables, board: &Board, best: Move) -> bool {
    !board.is_threatened(tables) && board.capture_squares(tables) & bit(best.to()) == 0
}

/// White's result, if the game ends by repetition.
fn result_by_repetition(tables: &RuleTables, path: &[HistoryKey], board: &Board) -> Option<f32> {
    let current = HistoryKey::of(board);
    let earlier = path.iter().filter(|key| **key == current).count();
    match tables.repetition {
        Repetition::Ignored => None,
        // The side to move has won.
        Repetition::MoverLoses => {
            (earlier > 0).then_some(f32::from(u8::from(!board.black_to_move)))
        }
        Repetition::Draw { times, .. } => (earlier + 1 >= times).then_some(0.5),
    }
}

/// A position after some random plies, from the start or one of the openings, that is
/// not won and offers neither side an immediate win.
fn opening(
    tables: &RuleTables,
    options: SelfPlayOptions<'_>,
    rng: &mut ChaCha8Rng,
) -> (Board, Vec<HistoryKey>) {
    let start = Board::from_position(&Position::start(tables.rules), tables);
    let is_decided =
        |board: &Board| board.king == NO_SQUARE || tables.goals.bits() & bit(board.king) != 0;
    // Drawn once: positions of records are won more often than those near the start.
    let is_from_opening = !options.openings.is_empty() && rng.random();
    for _ in 0..MAX_OPENINGS {
        let (mut board, mut random_plies) = (start, options.random_plies);
        if is_from_opening {
            board = options.openings[rng.random_range(0..options.openings.len())];
            random_plies = (0, MAX_PLIES_AFTER_OPENING);
        } else if options.thinned_interval > 0 && rng.random_range(0..options.thinned_interval) == 0
        {
            board = thinned(tables, &start, rng);
        }
        let mut path = vec![HistoryKey::of(&board)];
        for _ in 0..rng.random_range(random_plies.0..=random_plies.1) {
            let mut moves = Vec::new();
            board.for_each_move(tables, |mv| moves.push(mv));
            if moves.is_empty() {
                break;
            }
            board = board.make_move(tables, moves[rng.random_range(0..moves.len())]);
            path.push(HistoryKey::of(&board));
            if is_decided(&board) {
                break;
            }
        }
        let is_open = !is_decided(&board)
            && board.has_legal_move(tables)
            && board.winning_move(tables).is_none()
            && board.null_move().winning_move(tables).is_none();
        if is_open {
            return (board, path);
        }
    }
    (start, vec![HistoryKey::of(&start)])
}

/// The board with a random share of each side's soldiers removed, up to most of
/// them.
fn thinned(tables: &RuleTables, board: &Board, rng: &mut ChaCha8Rng) -> Board {
    let mut thin = |soldiers: Bits| {
        let removed = rng.random_range(0.0..0.8);
        squares_in(soldiers)
            .filter(|_| !rng.random_bool(removed))
            .fold(0, |left, at| left | bit(at))
    };
    let (white, black) = (thin(board.white), thin(board.black));
    Board::from_bitboards(tables, white, black, board.king, board.black_to_move)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablut::tables_of;
    use tabulae_games::tablut::ASHTON;

    #[test]
    fn half_of_the_games_begin_with_a_given_opening() {
        let tables = tables_of(&Position::start(ASHTON));
        let start = Board::from_position(&Position::start(ASHTON), tables);
        let mut moves = Vec::new();
        start.for_each_move(tables, |mv| moves.push(mv));
        let given = start.make_move(tables, moves[0]);
        // Three of four openings are over.
        let over = Board::from_bitboards(tables, start.white, start.black, NO_SQUARE, false);
        let openings = [over, over, given, over];
        let options = SelfPlayOptions {
            nodes: 1,
            random_plies: (5, 9),
            thinned_interval: 0,
            openings: &openings,
        };
        let from_given = (0..400).filter(|&seed| {
            let (_, path) = opening(tables, options, &mut ChaCha8Rng::seed_from_u64(seed));
            let is_given = path[0] == HistoryKey::of(&given);
            assert!(is_given || path[0] == HistoryKey::of(&start));
            let plies = if is_given { 0..=2 } else { 5..=9 };
            assert!(plies.contains(&(path.len() - 1)), "{}", path.len());
            is_given
        });
        let count = from_given.count();
        assert!((150..=250).contains(&count), "{count}");
    }
}
