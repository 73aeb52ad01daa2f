//! Opponent model: recognises a weak playing style from the moves of a game.
//!
//! Against a sound player the best move is the one that is best against every
//! reply. A player who always plays greedily, or at random, does not find the
//! best reply, and other moves exploit that. So when Master plays a game, it
//! infers the opponent's style from the opponent's moves, and once a weak style
//! is likely enough it evaluates with networks trained against that style (see
//! [`super::best_response`]). The test `measure_opponent_modelling` shows what
//! the constants here are worth.

use std::sync::LazyLock;

use thiserror::Error;

use super::{
    board::Board,
    builtin_network,
    features::inputs,
    network::{Network, equity_of},
    parse_builtin,
    throws::evaluate_raw,
};
use tabulae_games::{AnyPosition, Game as _, GameHistory, Ply, Side};

/// A way to play without looking ahead.
///
/// ```
/// use tabulae_engines::tablan::{ParseStyleError, Style};
///
/// assert_eq!("greedy".parse(), Ok(Style::Greedy));
/// assert_eq!(Style::Random.to_string(), "random");
/// assert_eq!("bold".parse::<Style>(), Err(ParseStyleError("bold".to_owned())));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(
    serialize_all = "lowercase",
    parse_err_ty = ParseStyleError,
    parse_err_fn = unknown_style
)]
pub enum Style {
    /// Maximises captures, then arrivals, then the furthest place reached;
    /// chooses at random among equal moves.
    Greedy,
    /// Plays any legal move.
    Random,
}

impl Style {
    /// The boards after the moves that the style chooses from, all equally
    /// likely.
    pub(super) fn choices(self, board: Board, score: u8) -> Vec<Board> {
        let mut choices = board.successors(score);
        if self == Self::Greedy {
            let best = choices.iter().map(|after| after.greedy_key(board)).max();
            choices.retain(|after| Some(after.greedy_key(board)) == best);
        }
        choices
    }
}

/// The text is not the name of a style.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown style '{0}' (one of greedy, random)")]
pub struct ParseStyleError(pub String);

fn unknown_style(text: &str) -> ParseStyleError {
    ParseStyleError(text.to_owned())
}

/// An opponent of a known style, and the networks that exploit it.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpponentModel {
    pub(super) style: Style,
    /// Evaluates boards for the engine when the engine throws.
    pub(super) own_network: &'static Network,
    /// Evaluates boards for the opponent when the opponent throws.
    pub(super) opponent_network: &'static Network,
}

impl OpponentModel {
    /// The model of `side`, inferred from its moves in the game; none if it may
    /// be sound, or if there are no networks against its style.
    pub(super) fn infer(history: &GameHistory<AnyPosition>, side: Side) -> Option<Self> {
        let AnyPosition::Tablan(start) = history.start() else { return None };
        let ordered = start.rules().ordered_entry;
        Self::new(infer_style(history, side, ordered)?, ordered)
    }

    pub(super) fn new(style: Style, ordered: bool) -> Option<Self> {
        let [own_network, opponent_network] = networks_against(style, ordered)?;
        Some(Self { style, own_network, opponent_network })
    }
}

/// The built-in networks against a style. There are none against random play of
/// ordered Tablan, which loses 995 of 1,000 games anyway.
fn networks_against(style: Style, ordered: bool) -> Option<[&'static Network; 2]> {
    type Pair = LazyLock<[Network; 2]>;
    static PLAIN_GREEDY: Pair = LazyLock::new(|| {
        parse_pair(include_bytes!("../../../../assets/engines/tablan-plain-greedy.net"))
    });
    static PLAIN_RANDOM: Pair = LazyLock::new(|| {
        parse_pair(include_bytes!("../../../../assets/engines/tablan-plain-random.net"))
    });
    static ORDERED_GREEDY: Pair = LazyLock::new(|| {
        parse_pair(include_bytes!("../../../../assets/engines/tablan-ordered-greedy.net"))
    });
    let pair = match (style, ordered) {
        (Style::Greedy, false) => &*PLAIN_GREEDY,
        (Style::Random, false) => &*PLAIN_RANDOM,
        (Style::Greedy, true) => &*ORDERED_GREEDY,
        (Style::Random, true) => return None,
    };
    Some(pair.each_ref())
}

/// Parses two networks of equal length, one after the other.
fn parse_pair(bytes: &[u8]) -> [Network; 2] {
    let (own, opponent) = bytes.split_at(bytes.len() / 2);
    [own, opponent].map(parse_builtin)
}

/// Maximum number of the opponent's latest moves that are observed; most games have
/// fewer.
const MAX_OBSERVED_MOVES: usize = 64;
/// Factor on the log-likelihood of all earlier moves when one more is observed,
/// since people change their play.
const FORGETTING_FACTOR: f32 = 0.98;
/// The share of moves that a player of any style makes at random.
const RANDOM_MOVE_RATE: f32 = 0.1;
/// Softmax temperatures, in equity, of the sound and of the blundering player.
const TEMPERATURES: [f32; 2] = [0.01, 0.02];
/// Prior probabilities of the sound, blundering, greedy and random player.
const PRIOR: [f32; 4] = [0.3, 0.3, 0.2, 0.2];
/// The posterior probability above which a player counts as greedy, and as
/// random. Greedy play is quickly recognised; random play is hard to tell from
/// blundering.
const DECISION_THRESHOLDS: [f32; 2] = [0.9, 0.6];

/// The style of a side's moves in the game; none if it is undecided.
fn infer_style(history: &GameHistory<AnyPosition>, side: Side, ordered: bool) -> Option<Style> {
    let network = builtin_network(ordered);
    let latest: Vec<_> = (1..=history.len())
        .rev()
        .filter_map(|ply| observed_move(history, ply, side))
        .take(MAX_OBSERVED_MOVES)
        .collect();
    let mut posterior = StylePosterior::new();
    for observed in latest.into_iter().rev() {
        posterior.update(network, observed);
    }
    posterior.style()
}

/// A move of the observed side: the board before it, the score, and the board
/// after it, both seen by the mover.
#[derive(Clone, Copy)]
struct ObservedMove {
    before: Board,
    score: u8,
    after: Board,
}

/// The probabilities of the kinds of player after the moves observed so far.
#[derive(Clone, Copy, Debug)]
struct StylePosterior {
    /// Unnormalised log-probabilities, in the order of [`PRIOR`].
    log_weights: [f32; 4],
}

impl StylePosterior {
    fn new() -> Self {
        Self { log_weights: PRIOR.map(libm::logf) }
    }

    /// Bayesian update with one more move.
    fn update(&mut self, network: &Network, observed: ObservedMove) {
        if let Some(likelihoods) = likelihoods(network, observed) {
            for (weight, likelihood) in self.log_weights.iter_mut().zip(likelihoods) {
                *weight = FORGETTING_FACTOR * *weight + libm::logf(likelihood);
            }
        }
    }

    /// The weak style whose probability is above its threshold.
    fn style(self) -> Option<Style> {
        let largest = self.log_weights.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let weights = self.log_weights.map(|weight| libm::expf(weight - largest));
        let total = weights.iter().sum::<f32>();
        let thresholds = DECISION_THRESHOLDS.map(|threshold| threshold * total);
        match weights {
            [_, _, greedy, _] if greedy > thresholds[0] => Some(Style::Greedy),
            [_, _, _, random] if random > thresholds[1] => Some(Style::Random),
            _ => None,
        }
    }
}

/// The move of a ply, if `side` made one.
fn observed_move(
    history: &GameHistory<AnyPosition>,
    ply: usize,
    side: Side,
) -> Option<ObservedMove> {
    let (Some(Ply::Move(_)), Some(AnyPosition::Tablan(before)), Some(AnyPosition::Tablan(after))) =
        (history.ply(ply), history.at(ply.checked_sub(1)?), history.at(ply))
    else {
        return None;
    };
    if before.side() != side {
        return None;
    }
    let [own, opponent] = [side, side.other()].map(|side| after.places(side));
    let score = before.pending()?.score();
    let before = Board::from_position(before);
    Some(ObservedMove { before, score, after: Board { own, opponent, ..before } })
}

/// The likelihood of a move for each kind of player, in the order of [`PRIOR`];
/// none for a forced move.
fn likelihoods(network: &Network, observed: ObservedMove) -> Option<[f32; 4]> {
    let ObservedMove { before, score, after } = observed;
    let successors = before.successors(score);
    let played = successors.iter().position(|&one| one == after)?;
    if successors.len() < 2 {
        return None;
    }
    let parent = network.accumulate(inputs(before));
    let equities: Vec<_> =
        successors.iter().map(|&one| equity_of(evaluate_raw(network, &parent, one))).collect();
    let played = equities[played];
    let best = equities.iter().copied().fold(-1.0, f32::max);
    let softmax = TEMPERATURES.map(|temperature| {
        let share = |equity: f32| libm::expf((equity - best) / temperature);
        share(played) / equities.iter().copied().map(share).sum::<f32>()
    });
    let choices = Style::Greedy.choices(before, score);
    let greedy = if choices.contains(&after) { (choices.len() as f32).recip() } else { 0.0 };
    let random = (equities.len() as f32).recip();
    Some(
        [softmax[0], softmax[1], greedy, random]
            .map(|share| (1.0 - RANDOM_MOVE_RATE) * share + RANDOM_MOVE_RATE * random),
    )
}

#[cfg(test)]
mod tests;
