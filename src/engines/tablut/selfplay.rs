//! Games of the engine against itself, at so many nodes a move: what a network
//! learns from, and how two are compared.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng, seq::SliceRandom as _};

use super::{
    super::{
        SearchLimits, StopSignal, control::SharedControl, score::MATE_IN_MAX_PLY,
        timeman::Stopwatch, tt::TranspositionTable,
    },
    ground::Ground,
    search::{Search, Trace},
    squares::{NOWHERE, bit, each},
    state::{Move, State},
};
use crate::games::{Repetition, tablut::Position};

/// A game this long is a draw.
const MOST_PLIES: usize = 240;
/// Memory of one player.
const MIB: usize = 2;
/// Openings that decide the game are drawn again, this often at most.
const TRIES: usize = 50;

/// A position on the way.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) state: State,
    /// What the search found, for White.
    pub(super) value: i32,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub(super) struct Game {
    /// The positions that were judged and are quiet.
    pub(super) seen: Vec<Seen>,
    /// 1 for White's win, 0 for Black's, a half for a draw.
    pub(super) result: f32,
}

/// How both sides play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// Nodes a move.
    pub(super) nodes: u64,
    /// Random plies at the start, at least and at most.
    pub(super) opening: (usize, usize),
    /// Every so many-th game, about, begins with some of the men gone; none
    /// where it is nothing.
    pub(super) thinned: u32,
}

/// One game, White by the network of the first ground and Black by that of the
/// second. The seed says all that is random about it.
pub(super) fn play(grounds: [&Ground; 2], terms: Terms, seed: u64) -> Game {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut state, mut past) = opening(grounds[0], terms, &mut rng);
    let tables =
        [TranspositionTable::with_size(MIB, 1 << 16), TranspositionTable::with_size(MIB, 1 << 16)];
    let mut seen = Vec::new();
    let mut result = 0.5;
    for _ in 0..MOST_PLIES {
        let mover = usize::from(state.black_to_move);
        let ground = grounds[mover];
        // Sums hang on the network, and that on the side that thinks.
        let root = state.rejudged(ground);
        let white_wins = |wins: bool| if wins { 1.0 } else { 0.0 };
        let Some((mv, value)) = choose(ground, &tables[mover], &root, &past, terms.nodes, &mut rng)
        else {
            result = white_wins(state.black_to_move);
            break;
        };
        let for_white = value.map(|value| if state.black_to_move { -value } else { value });
        if let Some(sure) = for_white.filter(|value| value.abs() >= MATE_IN_MAX_PLY) {
            result = white_wins(sure > 0);
            break;
        }
        if let Some(value) = for_white.filter(|_| is_quiet(ground, &root, mv)) {
            seen.push(Seen { state: root, value });
        }
        state = root.after(ground, mv);
        if let Some(end) = repeated(ground, &past, &state) {
            result = end;
            break;
        }
        past.push(Trace::of(&state));
    }
    Game { seen, result }
}

/// The best move and its value for the side to move, if there were nodes enough
/// to find one.
fn choose(
    ground: &Ground,
    table: &TranspositionTable,
    root: &State,
    past: &[Trace],
    nodes: u64,
    rng: &mut ChaCha8Rng,
) -> Option<(Move, Option<i32>)> {
    let mut moves = Vec::new();
    root.each_move(ground, |mv| moves.push(mv));
    moves.shuffle(rng);
    let stop = StopSignal::default();
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
    let shared = SharedControl::new(limits, Stopwatch::start(), &stop);
    table.new_search();
    let mut search = Search::new(ground, table, shared.main_thread(), past.to_vec());
    let mut value = None;
    let best = search.deepen(root, moves, 1, &mut |_, found, _, _| value = Some(found))?;
    Some((best, value))
}

/// Whether the evaluation alone should know what the position is worth.
fn is_quiet(ground: &Ground, state: &State, best: Move) -> bool {
    let in_danger = if state.black_to_move {
        state.king_is_free(ground)
    } else {
        state.king_taker(ground).is_some()
    };
    !in_danger && state.capture_squares(ground) & bit(best.to()) == 0
}

/// White's result when the position has come back as often as it may.
fn repeated(ground: &Ground, past: &[Trace], state: &State) -> Option<f32> {
    let here = Trace::of(state);
    let seen = past.iter().filter(|trace| **trace == here).count();
    match ground.repetition {
        Repetition::Ignored => None,
        // Whoever would move has won.
        Repetition::MoverLoses => (seen > 0).then_some(f32::from(u8::from(!state.black_to_move))),
        Repetition::Draw { times, .. } => (seen + 1 >= times).then_some(0.5),
    }
}

/// A position after some random plies in which nobody has won or wins at once.
fn opening(ground: &Ground, terms: Terms, rng: &mut ChaCha8Rng) -> (State, Vec<Trace>) {
    let start = State::of(&Position::start(ground.rules), ground);
    for _ in 0..TRIES {
        let mut state = start;
        if terms.thinned > 0 && rng.random_range(0..terms.thinned) == 0 {
            state = thinned(ground, &start, rng);
        }
        let mut past = vec![Trace::of(&state)];
        for _ in 0..rng.random_range(terms.opening.0..=terms.opening.1) {
            let mut moves = Vec::new();
            state.each_move(ground, |mv| moves.push(mv));
            if moves.is_empty() {
                break;
            }
            state = state.after(ground, moves[rng.random_range(0..moves.len())]);
            past.push(Trace::of(&state));
            if state.king == NOWHERE || bit(state.king) & ground.homes != 0 {
                break;
            }
        }
        let goes_on = state.king != NOWHERE
            && bit(state.king) & ground.homes == 0
            && state.has_move(ground)
            && state.winning_move(ground).is_none()
            && state.passed().winning_move(ground).is_none();
        if goes_on {
            return (state, past);
        }
    }
    (start, vec![Trace::of(&start)])
}

/// The state without some of each side's soldiers, sometimes without most.
fn thinned(ground: &Ground, state: &State, rng: &mut ChaCha8Rng) -> State {
    let mut thin = |men: u128| {
        let gone = rng.random_range(0.0..0.8);
        each(men).filter(|_| !rng.random_bool(gone)).fold(0, |left, at| left | bit(at))
    };
    let (white, black) = (thin(state.white), thin(state.black));
    State::new(ground, white, black, state.king, state.black_to_move)
}
