//! Training of the evaluation network by self-play: the target of each quiet
//! position is a mixture of the game's result and the search's value.

mod dataset;
mod optimizer;
pub(super) mod selfplay;

use std::{
    iter, mem,
    ops::ControlFlow,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use thiserror::Error;

use self::{
    optimizer::{Sample, train},
    selfplay::{SelfPlayGame, SelfPlayOptions, play_game},
};
use super::{
    super::{score::Score, worker::run_with_helpers},
    board::Board,
    network::Network,
    rule_tables::RuleTables,
    shipped_network,
};
use tabulae_games::{AnyPosition, AnyRules, Game as _, GameKind, RuleSet, tablut};

/// The network that plays the training games.
#[derive(Clone, Debug)]
pub enum TablutInitialNetwork {
    /// The one that is shipped.
    Shipped,
    /// One that only counts soldiers.
    MaterialOnly,
    /// The bytes of a network that was trained before.
    Bytes(Vec<u8>),
}

/// How to train a network for Tablut.
#[derive(Clone, Debug)]
pub struct TablutTrainPlan {
    /// Which of the rule sets.
    pub rules: RuleSet,
    /// Number of self-play games to train on.
    pub games: u64,
    /// Nodes per move in these games.
    pub nodes: u64,
    /// Number of games of the new network against the old one, to compare them.
    pub match_games: u64,
    /// The source of all randomness.
    pub seed: u64,
    /// The network that plays the training games.
    pub initial: TablutInitialNetwork,
    /// Threads to play the games on. The result does not depend on the number.
    pub threads: usize,
    /// Positions of earlier games, as an earlier training reported them. They are part
    /// of the training data, and games of the plan with the same seeds are not played
    /// again.
    pub dataset: Vec<u8>,
    /// If there are any, half of the games begin with one of these positions instead of
    /// the start. Those that are over or of other rules are left out; if none is left,
    /// nothing is played.
    pub openings: Vec<AnyPosition>,
}

/// What a training reports while it runs.
#[derive(Clone, Copy, Debug)]
pub enum TablutTrainEvent<'a> {
    /// A line about its progress.
    Progress(&'a str),
    /// Positions of games that were played, to be appended to the data set.
    Positions(&'a [u8]),
    /// The number of valid bytes of the data set, whose last game was cut short.
    /// Truncate it before appending.
    TruncatePositions(usize),
    /// The new network, before it is compared with the old one.
    Network(&'a [u8]),
}

/// Called with each event; returns whether to continue.
pub type TablutTrainObserver<'a> = dyn FnMut(TablutTrainEvent<'_>) -> ControlFlow<()> + 'a;

/// Why no network was trained.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TablutTrainError {
    /// The rules are not Tablut's.
    #[error("{0} has no such network")]
    Rules(RuleSet),
    /// The bytes of the initial network are invalid.
    #[error("no network to begin with: {0}")]
    Network(String),
    /// The bytes of the data set are invalid, or by other rules.
    #[error("no positions to learn from: {0}")]
    Positions(String),
    /// All of the plan's openings are over or of other rules.
    #[error("no opening can be played: all are over or of other rules")]
    NoOpenings,
    /// The games are too few, or too short.
    #[error("the games have no quiet position to learn from: play more")]
    NoPositions,
    /// The observer stopped it.
    #[error("told to stop")]
    Stopped,
}

/// Share of the game's result in a position's target; the rest is the search's
/// value. Like λ in TD(λ), it weighs the end of the game against a near estimate.
const RESULT_SHARE: f32 = 0.5;
/// Minimum and maximum number of random plies at the start of a game.
const OPENING_PLIES: (usize, usize) = (2, 9);
/// Minimum and maximum number of random plies at the start of a game between two networks.
const MATCH_OPENING_PLIES: (usize, usize) = (3, 6);
/// One game in this many begins with some soldiers removed.
const THINNED_GAME_INTERVAL: u32 = 5;
/// Games between two progress reports.
const GAMES_PER_REPORT: usize = 500;
/// One game in this many is held back for validation.
const VALIDATION_INTERVAL: usize = 20;

/// Plays the plan's games, trains a network on them, reports it and compares it
/// with the one before.
///
/// ```
/// use std::ops::ControlFlow;
/// use tabulae_engines::{
///     TablutInitialNetwork, TablutTrainError, TablutTrainEvent, TablutTrainObserver,
///     TablutTrainPlan, train_tablut,
/// };
/// use tabulae_games::RuleSet;
///
/// let plan = TablutTrainPlan {
///     rules: RuleSet::Tablan,
///     games: 1,
///     nodes: 100,
///     match_games: 0,
///     seed: 1,
///     initial: TablutInitialNetwork::Shipped,
///     threads: 1,
///     dataset: Vec::new(),
///     openings: Vec::new(),
/// };
/// let observe: &mut TablutTrainObserver<'_> =
///     &mut |_: TablutTrainEvent<'_>| ControlFlow::Continue(());
/// // Tablan has no such network.
/// assert_eq!(train_tablut(&plan, observe), Err(TablutTrainError::Rules(RuleSet::Tablan)));
/// ```
///
/// # Errors
/// The rules are not Tablut's, the bytes of the network or of the data set are
/// invalid, no game can begin with the openings, there is nothing to train on, or the
/// observer stopped it.
pub fn train_tablut(
    plan: &TablutTrainPlan,
    observe: &mut TablutTrainObserver<'_>,
) -> Result<(), TablutTrainError> {
    let AnyRules::Tablut(rules) = plan.rules.rules() else {
        return Err(TablutTrainError::Rules(plan.rules));
    };
    let initial = match &plan.initial {
        TablutInitialNetwork::Shipped => shipped_network(rules),
        TablutInitialNetwork::MaterialOnly => Network::material_only(),
        TablutInitialNetwork::Bytes(bytes) => {
            Network::read(bytes).map_err(TablutTrainError::Network)?
        }
    };
    let tables = RuleTables::new(rules, initial);
    let games = play_games(plan, &tables, observe)?;
    // Whole games are held back: positions of one game are much alike.
    let (mut validation, mut training) = (Vec::new(), Vec::new());
    for (number, (_, game)) in (1..).zip(&games) {
        let set = if number % VALIDATION_INTERVAL == 0 { &mut validation } else { &mut training };
        set.extend(samples_of(game));
    }
    if training.is_empty() {
        return Err(TablutTrainError::NoPositions);
    }
    // After the games the training always runs to its end.
    let report = |observe: &mut TablutTrainObserver<'_>, line: &str| {
        _ = observe(TablutTrainEvent::Progress(line));
    };
    let network = train(&training, &validation, plan.seed, &mut |line| report(observe, line));
    let trained = RuleTables::new(rules, network);
    if observe(TablutTrainEvent::Network(&trained.network.to_bytes())).is_break() {
        return Err(TablutTrainError::Stopped);
    }
    if plan.match_games > 0 {
        play_match(plan, [&trained, &tables], &mut |line| report(observe, line));
    }
    Ok(())
}

fn samples_of(game: &SelfPlayGame) -> impl Iterator<Item = Sample> + use<'_> {
    game.positions.iter().map(|position| {
        let expected = Score::of(position.value).win_share(GameKind::Tablut);
        let target = RESULT_SHARE * game.result + (1.0 - RESULT_SHARE) * expected;
        Sample::new(&position.board, target)
    })
}

/// The games of the data set and of the plan, sorted by their seeds.
fn play_games(
    plan: &TablutTrainPlan,
    tables: &RuleTables,
    observe: &mut TablutTrainObserver<'_>,
) -> Result<Vec<(u64, SelfPlayGame)>, TablutTrainError> {
    let (mut known, valid) =
        dataset::read(&plan.dataset, tables).map_err(TablutTrainError::Positions)?;
    let is_open = |position: &&tablut::Position| {
        position.rules().set == plan.rules && position.turn().end().is_none()
    };
    let openings: Vec<_> = plan
        .openings
        .iter()
        .filter_map(|position| match position {
            AnyPosition::Tablut(position) => Some(position),
            _ => None,
        })
        .filter(is_open)
        .map(|position| Board::from_position(position, tables))
        .collect();
    if openings.is_empty() && !plan.openings.is_empty() {
        return Err(TablutTrainError::NoOpenings);
    }
    let begun = match plan.dataset.len() {
        0 => observe(TablutTrainEvent::Positions(&dataset::header(tables))),
        all if valid < all => observe(TablutTrainEvent::TruncatePositions(valid)),
        _ => ControlFlow::Continue(()),
    };
    let is_known = |seed| known.binary_search_by_key(&seed, |(known, _)| *known).is_ok();
    let options = SelfPlayOptions {
        nodes: plan.nodes,
        random_plies: OPENING_PLIES,
        thinned_interval: THINNED_GAME_INTERVAL,
        openings: &openings,
    };
    let (next, finished) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let stopped = AtomicBool::new(begun.is_break());
    let take = || mem::take(&mut *finished.lock().unwrap_or_else(PoisonError::into_inner));
    // Plays the next game that is not known; false when there is none.
    let play_next = || {
        let seed = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed))
            .take_while(|number| *number < plan.games && !stopped.load(Ordering::Relaxed))
            .map(|number| plan.seed.wrapping_add(number))
            .find(|seed| !is_known(*seed));
        let game = seed.map(|seed| (seed, play_game([tables; 2], options, seed)));
        let is_played = game.is_some();
        finished.lock().unwrap_or_else(PoisonError::into_inner).extend(game);
        is_played
    };
    let mut played = Vec::new();
    let mut report = |new: Vec<(u64, SelfPlayGame)>, is_last: bool| {
        for (seed, game) in &new {
            let event = TablutTrainEvent::Positions(&dataset::write(game, *seed));
            if observe(event).is_break() {
                stopped.store(true, Ordering::Relaxed);
                return;
            }
        }
        let reports = played.len() / GAMES_PER_REPORT;
        played.extend(new);
        if is_last || played.len() / GAMES_PER_REPORT > reports {
            _ = observe(TablutTrainEvent::Progress(&summary(&played)));
        }
    };
    let play_and_report = || {
        while play_next() {
            report(take(), false);
        }
    };
    // The helpers end with the last game.
    run_with_helpers(plan.threads.max(1) - 1, |_| while play_next() {}, || (), play_and_report);
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

/// A summary of the games so far.
fn summary(games: &[(u64, SelfPlayGame)]) -> String {
    let count = |result: f32| games.iter().filter(|(_, game)| game.result == result).count();
    format!(
        "{} games: White {}, drawn {}, Black {}; {} positions",
        games.len(),
        count(1.0),
        count(0.5),
        count(0.0),
        games.iter().map(|(_, game)| game.positions.len()).sum::<usize>()
    )
}

/// A match of the first tables' network against the second's, each opening with
/// both colours.
fn play_match(plan: &TablutTrainPlan, tables: [&RuleTables; 2], report: &mut dyn FnMut(&str)) {
    let options = SelfPlayOptions {
        nodes: plan.nodes,
        random_plies: MATCH_OPENING_PLIES,
        thinned_interval: 0,
        openings: &[],
    };
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    for number in 0..plan.match_games {
        let seed = plan.seed.wrapping_add(1 << 40).wrapping_add(number / 2);
        let is_swapped = number % 2 == 1;
        let [first, second] = tables;
        let colours = if is_swapped { [second, first] } else { [first, second] };
        let game = play_game(colours, options, seed);
        let points = if is_swapped { 1.0 - game.result } else { game.result };
        match points {
            0.5 => draws += 1,
            points if points > 0.5 => wins += 1,
            _ => losses += 1,
        }
    }
    let mean = (f64::from(wins) + f64::from(draws) / 2.0) / plan.match_games.max(1) as f64;
    report(&format!(
        "new network against old, {} nodes a move: +{wins} ={draws} -{losses} ({:.1} %)",
        plan.nodes,
        mean * 100.0
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_of_other_rules_are_refused_before_anything_is_reported() {
        let plan = TablutTrainPlan {
            rules: RuleSet::TablutBerkeley,
            games: 1,
            nodes: 10,
            match_games: 0,
            seed: 1,
            initial: TablutInitialNetwork::MaterialOnly,
            threads: 1,
            dataset: Vec::new(),
            openings: vec![AnyPosition::start(RuleSet::TablutAshton)],
        };
        let mut reports = 0;
        let trained = train_tablut(&plan, &mut |_| {
            reports += 1;
            ControlFlow::Continue(())
        });
        assert_eq!((trained, reports), (Err(TablutTrainError::NoOpenings), 0));
    }
}
