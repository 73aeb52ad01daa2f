//! A new network from games that the engine plays with itself: each quiet
//! position is to be worth what came of it and what the search found.

use std::{
    iter, mem,
    ops::ControlFlow,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use thiserror::Error;

use super::{
    super::worker::alongside,
    ground::Ground,
    network::Network,
    positions,
    selfplay::{Game, Terms, play},
    shipped_network,
    training::{SCALE, Sample, sigmoid, train},
};
use crate::games::{RuleSet, tablut};

/// By what network the games are played.
#[derive(Clone, Debug)]
pub enum TablutInitialNetwork {
    /// The one that is shipped.
    Shipped,
    /// One that only counts soldiers.
    Counting,
    /// One of the bytes that an earlier fit has made.
    Bytes(Vec<u8>),
}

/// How a network of Tablut's is to be made.
#[derive(Clone, Debug)]
pub struct TablutTrainPlan {
    /// Which of the three rule sets.
    pub rules: RuleSet,
    /// Games to learn from.
    pub games: u64,
    /// Nodes a move in them.
    pub nodes: u64,
    /// Games of the new network against the old, to see which is better.
    pub match_games: u64,
    /// Where all that is random comes from.
    pub seed: u64,
    /// By what network the games are played.
    pub initial: TablutInitialNetwork,
    /// Threads to play them on; what comes of them is the same for any number.
    pub threads: usize,
    /// Positions of games played before, as an earlier fit has told them: they
    /// are learnt from too, and those of the plan's games whose seeds are among
    /// theirs are not played again.
    pub dataset: Vec<u8>,
}

/// What a fit tells on its way.
#[derive(Clone, Copy, Debug)]
pub enum TablutTrainEvent<'a> {
    /// How it goes.
    Progress(&'a str),
    /// Positions of games that were played, to be kept behind those known.
    Positions(&'a [u8]),
    /// Of the known positions only so many bytes are sound: what is behind them
    /// was cut short and has to go before more is put there.
    TruncatePositions(usize),
    /// The new network, before it is compared with the old.
    Network(&'a [u8]),
}

/// Is told the news and says whether to go on.
pub type TablutTrainObserver<'a> = dyn FnMut(TablutTrainEvent<'_>) -> ControlFlow<()> + 'a;

/// Why there is no network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TablutTrainError {
    /// The rules are no Tablut.
    #[error("{0} has no such network")]
    Rules(RuleSet),
    /// The bytes to begin with are no network of Tablut.
    #[error("no network to begin with: {0}")]
    Network(String),
    /// The bytes of the known positions are none by these rules.
    #[error("no positions to learn from: {0}")]
    Positions(String),
    /// The games are too few, or too short.
    #[error("the games have no quiet position to learn from: play more")]
    NoPositions,
    /// Who was told the news said so.
    #[error("told to stop")]
    Stopped,
}

/// How much of a position's target is the game's result; the rest is what the
/// search thought of it.
const RESULT_SHARE: f32 = 0.5;
/// Random plies at the start of a game, at least and at most.
const OPENING: (usize, usize) = (2, 9);
/// Every so many-th game begins with some of the men gone.
const THINNED: u32 = 5;
/// How often the progress is told.
const TOLD: usize = 500;
/// Every so many-th game is held back, to see what was learnt.
const HELD: usize = 20;

/// Plays the plan's games, learns from them, tells the network and compares it
/// with the one before.
///
/// ```
/// use std::ops::ControlFlow;
/// use tabulae::engines::{
///     TablutTrainError, TablutTrainEvent, TablutTrainPlan, TablutInitialNetwork, TablutTrainObserver, train_tablut,
/// };
/// use tabulae::games::RuleSet;
///
/// let (rules, initial, dataset) = (RuleSet::Tablan, TablutInitialNetwork::Shipped, Vec::new());
/// let (games, nodes, match_games, seed, threads) = (1, 100, 0, 1, 1);
/// let plan = TablutTrainPlan { rules, games, nodes, match_games, seed, initial, threads, dataset };
/// let tell: &mut TablutTrainObserver<'_> = &mut |_: TablutTrainEvent<'_>| ControlFlow::Continue(());
/// // Tablan has no such network.
/// assert_eq!(train_tablut(&plan, tell), Err(TablutTrainError::Rules(RuleSet::Tablan)));
/// ```
///
/// # Errors
/// The rules are no Tablut, the bytes of the network or of the positions are
/// none of theirs, there is nothing to learn from, or it was told to stop.
pub fn train_tablut(
    plan: &TablutTrainPlan,
    tell: &mut TablutTrainObserver<'_>,
) -> Result<(), TablutTrainError> {
    let rules = [tablut::ASHTON, tablut::BERKELEY, tablut::LINNAEUS]
        .into_iter()
        .find(|rules| rules.set == plan.rules)
        .ok_or(TablutTrainError::Rules(plan.rules))?;
    let start = match &plan.initial {
        TablutInitialNetwork::Shipped => shipped_network(rules),
        TablutInitialNetwork::Counting => Network::counting(),
        TablutInitialNetwork::Bytes(bytes) => {
            Network::read(bytes).map_err(TablutTrainError::Network)?
        }
    };
    let ground = Ground::new(rules, start);
    let games = gather(plan, &ground, tell)?;
    // Whole games are held back: positions of one game are much alike.
    let (mut held, mut learnt) = (Vec::new(), Vec::new());
    for (number, (_, game)) in (1..).zip(&games) {
        let into = if number % HELD == 0 { &mut held } else { &mut learnt };
        into.extend(samples_of(game));
    }
    if learnt.is_empty() {
        return Err(TablutTrainError::NoPositions);
    }
    // Once all is played there is no stopping half way.
    let say =
        |tell: &mut TablutTrainObserver<'_>, line: &str| _ = tell(TablutTrainEvent::Progress(line));
    let network = train(&learnt, &held, plan.seed, &mut |line| say(tell, line));
    let fitted = Ground::new(rules, network);
    if tell(TablutTrainEvent::Network(&fitted.network.to_bytes())).is_break() {
        return Err(TablutTrainError::Stopped);
    }
    if plan.match_games > 0 {
        compare(plan, [&fitted, &ground], &mut |line| say(tell, line));
    }
    Ok(())
}

fn samples_of(game: &Game) -> impl Iterator<Item = Sample> + use<'_> {
    game.seen.iter().map(|seen| {
        let thought = sigmoid(seen.value as f32 / SCALE);
        Sample::new(&seen.state, RESULT_SHARE * game.result + (1.0 - RESULT_SHARE) * thought)
    })
}

/// The known games and the plan's, in the order of their seeds.
fn gather(
    plan: &TablutTrainPlan,
    ground: &Ground,
    tell: &mut TablutTrainObserver<'_>,
) -> Result<Vec<(u64, Game)>, TablutTrainError> {
    let (mut known, whole) =
        positions::read(&plan.dataset, ground).map_err(TablutTrainError::Positions)?;
    let begun = match plan.dataset.len() {
        0 => tell(TablutTrainEvent::Positions(&positions::head(ground))),
        all if whole < all => tell(TablutTrainEvent::TruncatePositions(whole)),
        _ => ControlFlow::Continue(()),
    };
    let is_known = |seed| known.binary_search_by_key(&seed, |(known, _)| *known).is_ok();
    let terms = Terms { nodes: plan.nodes, opening: OPENING, thinned: THINNED };
    let (next, done) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let stopped = AtomicBool::new(begun.is_break());
    let take = || mem::take(&mut *done.lock().unwrap_or_else(PoisonError::into_inner));
    // Plays the next game that is not known; false when there is none.
    let turn = || {
        let mut numbers = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let seed = numbers
            .by_ref()
            .take_while(|number| *number < plan.games && !stopped.load(Ordering::Relaxed))
            .map(|number| plan.seed.wrapping_add(number))
            .find(|seed| !is_known(*seed));
        let game = seed.map(|seed| (seed, play([ground; 2], terms, seed)));
        let is_one = game.is_some();
        done.lock().unwrap_or_else(PoisonError::into_inner).extend(game);
        is_one
    };
    let mut played = Vec::new();
    let mut report = |new: Vec<(u64, Game)>, is_last: bool| {
        for (seed, game) in &new {
            if tell(TablutTrainEvent::Positions(&positions::write(game, *seed))).is_break() {
                stopped.store(true, Ordering::Relaxed);
                return;
            }
        }
        let before = played.len() / TOLD;
        played.extend(new);
        if is_last || played.len() / TOLD > before {
            _ = tell(TablutTrainEvent::Progress(&told(&played)));
        }
    };
    alongside(
        plan.threads.max(1) - 1,
        |_| while turn() {},
        || {
            while turn() {
                report(take(), false);
            }
        },
    );
    if !stopped.load(Ordering::Relaxed) {
        report(take(), true);
    }
    if stopped.into_inner() {
        return Err(TablutTrainError::Stopped);
    }
    known.extend(played);
    known.sort_by_key(|(seed, _)| *seed);
    Ok(known)
}

/// How the games ended so far.
fn told(games: &[(u64, Game)]) -> String {
    let of = |result: f32| games.iter().filter(|(_, game)| game.result == result).count();
    format!(
        "{} games: White {}, drawn {}, Black {}; {} positions",
        games.len(),
        of(1.0),
        of(0.5),
        of(0.0),
        games.iter().map(|(_, game)| game.seen.len()).sum::<usize>()
    )
}

/// Lets the first ground's network play the second's, both colours each
/// opening.
fn compare(plan: &TablutTrainPlan, grounds: [&Ground; 2], say: &mut dyn FnMut(&str)) {
    let terms = Terms { nodes: plan.nodes, opening: (3, 6), thinned: 0 };
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    for number in 0..plan.match_games {
        let seed = plan.seed.wrapping_add(1 << 40).wrapping_add(number / 2);
        let changed = number % 2 == 1;
        let [first, second] = grounds;
        let game = play(if changed { [second, first] } else { [first, second] }, terms, seed);
        let points = if changed { 1.0 - game.result } else { game.result };
        match points {
            0.5 => draws += 1,
            points if points > 0.5 => wins += 1,
            _ => losses += 1,
        }
    }
    let mean = (f64::from(wins) + f64::from(draws) / 2.0) / plan.match_games.max(1) as f64;
    say(&format!(
        "new network against old, {} nodes a move: +{wins} ={draws} -{losses} ({:.1} %)",
        plan.nodes,
        mean * 100.0
    ));
}
