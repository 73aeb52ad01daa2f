//! The engines: one interface for the three games.
//!
//! [`search`] answers a [`Request`] in the caller's thread; a [`SearchWorker`] does so
//! on a thread of its own and never blocks. Each game has its own folder and
//! its own kind of search:
//!
//! - Tablut: principal-variation search (negamax, alpha-beta) with a
//!   transposition table, evaluated by an efficiently updatable network;
//! - Tablan: expectimax over the throws, evaluated by a TD(λ) network;
//! - Tablaaza: alpha-beta, and an exact solver for the endgame.
//!
//! Architecture invariants: a search works on its own copy of the game, never
//! changes it, and stops when told. With one thread and no time limit, the same
//! request has the same answer. Threads are made in `worker` only, the clock is
//! read in `timeman` only.

mod control;
mod engine_state;
mod history;
mod iterative_deepening;
mod judge;
mod judgement;
mod ladder;
mod level;
mod multi_pv;
mod rule_sets;
mod score;
mod tablaaza;
pub mod tablan;
mod tablut;
mod timeman;
mod tt;
mod waker;
mod worker;
mod yardstick;

pub use control::{SearchLimits, StopSignal};
pub use engine_state::EngineState;
pub use judge::MoveJudge;
pub use judgement::{Judgement, Verdict, visible_loss};
pub use level::{Level, ParseLevelError};
pub use multi_pv::{MAX_LINES, search_multi_pv};
pub use rule_sets::favoured_side;
pub use score::{Info, Score};
pub use tablaaza::symmetry_code as tablaaza_symmetry_code;
pub use tablaaza::{
    Ledger, LedgerError, MoveOracle, MoveOutcome, ProvenPosition, Solution, SolveOptions,
    SolveProgress, read_ledger, solve, with_move_oracle, write_ledger,
};
pub use tablut::{
    TablutInitialNetwork, TablutTrainError, TablutTrainEvent, TablutTrainObserver, TablutTrainPlan,
    train_tablut,
};
pub use timeman::{PlayerClock, TimeLimits};
pub use waker::WakeOnDrop;
pub use waker::{set_waker, wake};
#[cfg(target_arch = "wasm32")]
pub use worker::serve;
pub use worker::{ReviewWorker, SearchEvent, SearchWorker};
pub use yardstick::{ParseYardstickError, Yardstick};

use std::time::Duration;

use rand::{SeedableRng as _, rngs::ChaCha8Rng, seq::SliceRandom as _};
use serde::{Deserialize, Serialize};

use tabulae_games::{AnyMove, AnyPosition, Game as _, GameHistory, Turn};

/// More threads than this do not help.
const MAX_THREADS: usize = 64;

/// The most threads that a search uses, whatever its options say: as many as can run at
/// the same time on this machine.
///
/// ```
/// assert!((1..=64).contains(&tabulae_engines::max_threads()));
/// ```
pub fn max_threads() -> usize {
    worker::cores().min(MAX_THREADS)
}

/// How an engine searches and plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineOptions {
    /// Playing strength.
    pub level: Level,
    /// Maximum number of threads; no more than [`max_threads`] are used. With more than
    /// one, answers depend on timing.
    /// Not serialized: it belongs to the machine.
    #[serde(skip, default = "one_thread")]
    pub threads: usize,
    /// Maximum size of the transposition table, in MiB.
    pub hash_mib: usize,
    /// Seed for the errors of the weaker levels and for the choice among equal
    /// moves.
    pub seed: u64,
    /// Contempt: whether the strongest level avoids draws. Without it a draw counts as
    /// even, as an analysis needs.
    pub contempt: bool,
    /// Opening book (Tablut by Ashton's rules only): whether the strongest level, as White,
    /// begins with one of the first moves that did best in matches.
    #[serde(default)]
    pub book: bool,
}

const fn one_thread() -> usize {
    1
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            level: Level::default(),
            threads: 1,
            hash_mib: 64,
            seed: 0,
            contempt: true,
            book: false,
        }
    }
}

impl EngineOptions {
    /// The strongest level on one thread, without contempt or book: its scores are meant
    /// as evaluations.
    pub const fn for_analysis(hash_mib: usize) -> Self {
        Self { level: Level::Master, threads: 1, hash_mib, seed: 0, contempt: false, book: false }
    }

    /// The number of threads besides the one that answers.
    fn helpers(&self) -> usize {
        self.threads.clamp(1, max_threads()) - 1
    }
}

/// Loads what the searches by a rule set share: its network, or the ledger of proven
/// positions. Otherwise the first search does so, which takes up to a tenth of a second of
/// that search's time.
///
/// ```
/// use tabulae_engines::{Ledger, preload};
/// use tabulae_games::{RuleSet, tablaaza::Position};
///
/// preload(RuleSet::Tablaaza);
/// assert!(Ledger::shipped().winning_move(&Position::start()).is_some());
/// ```
#[cfg(not(target_arch = "wasm32"))]
pub fn preload(rules: tabulae_games::RuleSet) {
    use tabulae_games::AnyRules;

    match rules.rules() {
        AnyRules::Tablut(_) => tablut::load_networks(),
        AnyRules::Tablan(rules) => tablan::load_network(rules.ordered_entry),
        AnyRules::Tablaaza => _ = Ledger::shipped(),
    }
}

/// A position to search, when to stop, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// The game so far; its last position is searched.
    pub history: GameHistory<AnyPosition>,
    /// When to stop. The level's own limits apply as well.
    pub limits: SearchLimits,
    /// How to search.
    pub options: EngineOptions,
}

impl Request {
    /// The random generator of the request: the same for the same position and
    /// seed.
    fn rng(&self) -> ChaCha8Rng {
        let key = self.history.position().key();
        ChaCha8Rng::seed_from_u64(self.options.seed ^ key.rotate_left(17))
    }

    /// The legal moves except `excluded`, converted to the game's move type and in
    /// random order: of equal moves the first is played.
    fn root_moves<M>(
        &self,
        excluded: &[AnyMove],
        rng: &mut ChaCha8Rng,
        convert: impl Fn(AnyMove) -> Option<M>,
    ) -> Vec<M> {
        let mut moves = self.history.legal_moves();
        moves.sort_unstable();
        moves.shuffle(rng);
        moves.into_iter().filter(|mv| !excluded.contains(mv)).filter_map(convert).collect()
    }
}

/// Searches in the caller's thread with a new [`EngineState`] and returns the
/// best move; see [`search_with_state`].
///
/// ```
/// use tabulae_engines::{EngineOptions, Level, Request, Score, SearchLimits, StopSignal, search};
/// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
///
/// // The king is one move from the edge.
/// let start = AnyPosition::parse(RuleSet::TablutBerkeley, "4B4/9/9/9/9/9/4K4/9/9 w")?;
/// let request = Request {
///     history: GameHistory::new(start),
///     limits: SearchLimits { depth: Some(2), ..SearchLimits::default() },
///     options: EngineOptions { level: Level::Master, hash_mib: 1, ..EngineOptions::default() },
/// };
/// let mut last = None;
/// let best = search(&request, &StopSignal::default(), &mut |info| last = Some(info.score));
/// assert!(["e3-a3", "e3-i3", "e3-e1"].contains(&best.unwrap().to_string().as_str()));
/// assert_eq!(last, Some(Score::Win(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search(
    request: &Request,
    stop: &StopSignal,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    search_with_state(&EngineState::new(), request, stop, on_info)
}

/// Searches in the caller's thread and returns the best move; `on_info` is
/// called after each iteration, and `state` holds the tables of the game's earlier
/// searches. The move is the first of the last iteration's principal variation: one that
/// is stopped, but has found a better move by then, is reported as well.
///
/// Returns `None` when there is no move to choose: the game is over, or a throw
/// is due. Without limits it ends when told to, or when nothing is left to
/// search.
///
/// ```
/// use tabulae_engines::{
///     EngineOptions, EngineState, Info, Request, SearchLimits, StopSignal, search_with_state,
/// };
/// use tabulae_games::{AnyPosition, Game, GameHistory, RuleSet};
///
/// let state = EngineState::new();
/// let request = Request {
///     history: GameHistory::new(AnyPosition::start(RuleSet::Tablaaza)),
///     limits: SearchLimits { nodes: Some(500), ..SearchLimits::default() },
///     options: EngineOptions { hash_mib: 1, ..EngineOptions::default() },
/// };
/// let mut infos: Vec<Info> = Vec::new();
/// let mut on_info = |info: &Info| infos.push(info.clone());
/// let best = search_with_state(&state, &request, &StopSignal::default(), &mut on_info);
/// assert!(request.history.legal_moves().contains(&best.unwrap()));
/// assert!(infos.iter().all(|info| info.nodes <= 1_500));
/// // Told to stop before it begins, it still has an answer.
/// let stop = StopSignal::default();
/// stop.stop();
/// assert!(stop.is_stopped());
/// assert!(search_with_state(&state, &request, &stop, &mut |_| ()).is_some());
/// ```
pub fn search_with_state(
    state: &EngineState,
    request: &Request,
    stop: &StopSignal,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    search_excluding(state, request, &[], stop, on_info)
}

/// Searches as [`search_with_state`] does, but leaves the moves in `excluded`
/// out at the root: excluding the best move finds the second best, and so on. The best
/// lines together are what [`search_multi_pv`] finds.
///
/// Returns `None` also when no other move is left.
///
/// ```
/// use tabulae_engines::{
///     EngineOptions, EngineState, Request, SearchLimits, StopSignal, search_excluding,
/// };
/// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
///
/// // The king can escape in three directions.
/// let history = GameHistory::new(AnyPosition::parse(RuleSet::TablutBerkeley, "4B4/9/9/9/9/9/4K4/9/9 w")?);
/// let limits = SearchLimits { depth: Some(2), ..SearchLimits::default() };
/// let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
/// let request = Request { history, limits, options };
/// let (state, stop) = (EngineState::new(), StopSignal::default());
/// let mut found = Vec::new();
/// for _ in 0..3 {
///     let best = search_excluding(&state, &request, &found, &stop, &mut |_| ());
///     found.extend(best);
/// }
/// let mut escapes: Vec<_> = found.iter().map(ToString::to_string).collect();
/// escapes.sort();
/// assert_eq!(escapes, ["e3-a3", "e3-e1", "e3-i3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search_excluding(
    state: &EngineState,
    request: &Request,
    excluded: &[AnyMove],
    stop: &StopSignal,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    let task = SearchTask { state, request, excluded, lines: 1, stop };
    task.run(&mut |_, info| on_info(info)).best
}

/// A search by the engine of its game.
#[derive(Clone, Copy)]
struct SearchTask<'a> {
    state: &'a EngineState,
    request: &'a Request,
    /// Moves left out at the root.
    excluded: &'a [AnyMove],
    /// The number of best lines to find, at least one.
    lines: usize,
    stop: &'a StopSignal,
}

/// Called with the number of a line, from 1, and what an iteration has found. An
/// iteration reports all its lines, best first.
type OnLine<'a> = dyn FnMut(usize, &Info) + 'a;

/// How a search has ended.
struct Outcome {
    /// The best move, if there is one to choose.
    best: Option<AnyMove>,
    /// Nodes of all threads.
    nodes: u64,
    time: Duration,
}

impl SearchTask<'_> {
    fn run(&self, on_line: &mut OnLine<'_>) -> Outcome {
        let history = &self.request.history;
        if !matches!(history.turn(), Turn::Move(_)) {
            return Outcome { best: None, nodes: 0, time: Duration::ZERO };
        }
        let position = history.position();
        // Another game has begun, so what was kept of the one before is no longer needed.
        match position {
            AnyPosition::Tablut(_) => drop(self.state.take_solver_cache()),
            AnyPosition::Tablan(_) => self.state.clear(),
            AnyPosition::Tablaaza(_) => self.state.clear_game_table(),
        }
        match position {
            AnyPosition::Tablut(position) => tablut::search_position(self, position, on_line),
            AnyPosition::Tablan(position) => tablan::search_position(self, position, on_line),
            AnyPosition::Tablaaza(position) => tablaaza::search_position(self, position, on_line),
        }
    }
}
