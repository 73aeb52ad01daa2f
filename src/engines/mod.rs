//! Thinking: one interface for all three games.
//!
//! [`think`] answers a [`Request`] in the caller's thread; a [`Worker`] does it
//! on a thread of its own and never blocks. Each game has its own folder and
//! its own kind of search: Tablut an alpha-beta that knows the king's threats,
//! Tablan an expectation over the throws with a learnt judgement, Tablaaza an
//! alpha-beta and an exact solver.
//!
//! Architecture invariants: a thought works on its own copy of the game, never
//! changes it, and stops when told. With one thread and no clock, the same
//! request has the same answer. Threads are made in `worker` only, the clock is
//! read in `clock` only.

mod clock;
mod level;
mod limits;
mod memory;
mod mind;
mod room;
mod score;
mod tablaaza;
pub mod tablan;
mod tablut;
mod thought;
mod worker;

pub use level::{Level, ParseLevelError};
pub use limits::{Limits, Stop};
pub use mind::Mind;
pub use score::{Info, Score};
pub use tablaaza::{MoveOutcome, Proof, Solution, SolveProgress, SolveSettings, prove, solve};
pub use tablut::{TablutFitError, TablutNews, TablutPlan, TablutStart, TablutTell, fit_tablut};
#[cfg(target_arch = "wasm32")]
pub use worker::serve;
pub use worker::{Reply, Reviewer, Worker};

use crate::games::{AnyMove, AnyPosition, GameHistory, Turn};

/// How to think.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How well to play.
    pub level: Level,
    /// Threads at most; more than one make answers depend on chance.
    pub threads: usize,
    /// Memory for positions already looked at, in MiB at most.
    pub hash_mib: usize,
    /// What weaker levels' errors, and the choice among equal moves, are drawn
    /// from.
    pub seed: u64,
    /// Whether the strongest level plays on where it could have a draw, for a
    /// game that is to be won. Without it a draw is worth an even game, as
    /// befits a judgement.
    pub contempt: bool,
    /// Whether the strongest level plays against the other side as it has played
    /// so far, where that is known to be weak (Tablan only), and not against the
    /// best play.
    pub adapt: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            level: Level::default(),
            threads: 1,
            hash_mib: 64,
            seed: 0,
            contempt: true,
            adapt: true,
        }
    }
}

impl Settings {
    /// The strongest level as a judge, on one thread.
    #[must_use]
    pub const fn judge(hash_mib: usize) -> Self {
        Self { level: Level::Master, threads: 1, hash_mib, seed: 0, contempt: false, adapt: false }
    }
}

/// What to think about, how long and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game so far; the question is its last position.
    pub line: GameHistory<AnyPosition>,
    /// When to end. The level's own bounds hold besides.
    pub limits: Limits,
    /// How to think.
    pub settings: Settings,
}

/// Thinks in the caller's thread, telling after each depth what it has found,
/// with a mind that knows nothing yet: see [`think_on`].
///
/// ```
/// use tabulae::engines::{Level, Limits, Request, Score, Settings, Stop, think};
/// use tabulae::games::{AnyPosition, GameHistory, RuleSet};
///
/// // The king is one move from the edge.
/// let start = AnyPosition::parse(RuleSet::TablutBerkeley, "4B4/9/9/9/9/9/4K4/9/9 w")?;
/// let request = Request {
///     line: GameHistory::new(start),
///     limits: Limits { depth: Some(2), ..Limits::default() },
///     settings: Settings { level: Level::Master, hash_mib: 1, ..Settings::default() },
/// };
/// let mut last = None;
/// let best = think(&request, &Stop::default(), &mut |info| last = Some(info.score));
/// assert!(["e3-a3", "e3-i3", "e3-e1"].contains(&best.unwrap().to_string().as_str()));
/// assert_eq!(last, Some(Score::Win(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn think(request: &Request, stop: &Stop, on_info: &mut dyn FnMut(&Info)) -> Option<AnyMove> {
    think_on(&Mind::new(), request, stop, on_info)
}

/// Thinks in the caller's thread, telling after each depth what it has found;
/// `mind` is what it knows from the game's earlier moves.
///
/// None when there is no move to choose: the game is over, or a throw is due.
/// Without limits it ends when told to, or when there is nothing more to find.
///
/// ```
/// use tabulae::engines::{Info, Limits, Mind, Request, Settings, Stop, think_on};
/// use tabulae::games::{AnyPosition, Game, GameHistory, RuleSet};
///
/// let mind = Mind::new();
/// let request = Request {
///     line: GameHistory::new(AnyPosition::start(RuleSet::Tablaaza)),
///     limits: Limits { nodes: Some(500), ..Limits::default() },
///     settings: Settings { hash_mib: 1, ..Settings::default() },
/// };
/// let mut told: Vec<Info> = Vec::new();
/// let best = think_on(&mind, &request, &Stop::default(), &mut |info| told.push(info.clone()));
/// assert!(request.line.legal_moves().contains(&best.unwrap()));
/// assert!(told.iter().all(|info| info.nodes <= 1_500));
/// // Told to stop before it begins, it still has an answer.
/// let stop = Stop::default();
/// stop.stop();
/// assert!(stop.is_stopped() && think_on(&mind, &request, &stop, &mut |_| ()).is_some());
/// ```
pub fn think_on(
    mind: &Mind,
    request: &Request,
    stop: &Stop,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    think_beside(mind, request, &[], stop, on_info)
}

/// Thinks as [`think_on`] does, but chooses none of the moves in `without`: so
/// the second best move is found once the best is known, and the third after
/// it.
///
/// None too when no other move is left.
///
/// ```
/// use tabulae::engines::{Limits, Mind, Request, Settings, Stop, think_beside};
/// use tabulae::games::{AnyPosition, GameHistory, RuleSet};
///
/// // The king can go home by three ways.
/// let line = GameHistory::new(AnyPosition::parse(RuleSet::TablutBerkeley, "4B4/9/9/9/9/9/4K4/9/9 w")?);
/// let limits = Limits { depth: Some(2), ..Limits::default() };
/// let settings = Settings { hash_mib: 1, ..Settings::default() };
/// let request = Request { line, limits, settings };
/// let mut found = Vec::new();
/// for _ in 0..3 {
///     let best = think_beside(&Mind::new(), &request, &found, &Stop::default(), &mut |_| ());
///     found.extend(best);
/// }
/// let mut ways: Vec<_> = found.iter().map(ToString::to_string).collect();
/// ways.sort();
/// assert_eq!(ways, ["e3-a3", "e3-e1", "e3-i3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn think_beside(
    mind: &Mind,
    request: &Request,
    without: &[AnyMove],
    stop: &Stop,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    if !matches!(request.line.turn(), Turn::Move(_)) {
        return None;
    }
    let position = request.line.position();
    if !matches!(position, AnyPosition::Tablut(_)) {
        // Another game has begun: what is kept of Tablut is of no more use.
        mind.forget();
    }
    match position {
        AnyPosition::Tablut(position) => {
            tablut::think(mind, position, request, without, stop, on_info)
        }
        AnyPosition::Tablan(position) => tablan::think(position, request, without, stop, on_info),
        AnyPosition::Tablaaza(position) => {
            tablaaza::think(mind, position, request, without, stop, on_info)
        }
    }
}
