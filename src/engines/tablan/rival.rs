//! How the other side plays, so far as its choices tell.
//!
//! Against a sound player the best move is the one that is best against every
//! answer. Who always grasps what is nearest, or moves at random, does not find
//! the best answer, and can be made to pay for it, but not by the same moves.
//! So the strongest level, when it plays a game, reads the other side's choices
//! in it so far, and once such a player is the likeliest explanation it judges
//! by networks that have learnt against him (see [`super::replies`]). What the
//! constants here are worth is told by the test `what_reading_is_worth`.

use std::{fmt, str::FromStr, sync::LazyLock};

use thiserror::Error;

use super::{features::inputs, network::Network, state::State, throws::judge, weights};
use crate::games::{AnyPosition, Game as _, GameHistory, Ply, Side};

/// A way to play without looking ahead.
///
/// ```
/// use tabulae::engines::tablan::{ParseStyleError, Style};
///
/// assert_eq!("greedy".parse(), Ok(Style::Greedy));
/// assert_eq!(Style::Random.to_string(), "random");
/// assert_eq!("bold".parse::<Style>(), Err(ParseStyleError("bold".to_owned())));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Takes most, then brings most home, then goes furthest; among equal moves
    /// any.
    Greedy,
    /// Any legal move.
    Random,
}

impl Style {
    /// The name people and commands use, in lower case.
    const fn id(self) -> &'static str {
        match self {
            Self::Greedy => "greedy",
            Self::Random => "random",
        }
    }

    /// The boards among which it draws lots.
    pub(super) fn choices(self, state: State, score: u8) -> Vec<State> {
        let mut choices = state.uses(score);
        if self == Self::Greedy {
            let most = choices.iter().map(|after| after.greed(state)).max();
            choices.retain(|after| Some(after.greed(state)) == most);
        }
        choices
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A text that names no style.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown style '{0}' (one of greedy, random)")]
pub struct ParseStyleError(pub String);

impl FromStr for Style {
    type Err = ParseStyleError;

    fn from_str(text: &str) -> Result<Self, ParseStyleError> {
        [Self::Greedy, Self::Random]
            .into_iter()
            .find(|style| style.id() == text)
            .ok_or_else(|| ParseStyleError(text.to_owned()))
    }
}

/// What judges against a player of a style.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rival {
    pub(super) style: Style,
    /// A board's worth for the engine that throws.
    pub(super) own: &'static Network,
    /// A board's worth for the other side that throws.
    pub(super) theirs: &'static Network,
}

impl Rival {
    /// The other side as it has shown itself; none where it may be sound, or
    /// nothing is known about paying it back.
    pub(super) fn of(line: &GameHistory<AnyPosition>, side: Side) -> Option<Self> {
        let AnyPosition::Tablan(start) = line.start() else { return None };
        let ordered = start.rules().ordered_entry;
        Self::new(style(line, side, ordered)?, ordered)
    }

    pub(super) fn new(style: Style, ordered: bool) -> Option<Self> {
        let [own, theirs] = weights_against(style, ordered)?;
        Some(Self { style, own, theirs })
    }
}

/// The weights against a style that come with the program. In the ordered game
/// who plays at random loses 995 of 1,000 games anyhow, so there are none.
fn weights_against(style: Style, ordered: bool) -> Option<[&'static Network; 2]> {
    type Pair = LazyLock<[Network; 2]>;
    static PLAIN_GREEDY: Pair =
        LazyLock::new(|| unpack(include_bytes!("../../../assets/engines/tablan-plain-greedy.net")));
    static PLAIN_RANDOM: Pair =
        LazyLock::new(|| unpack(include_bytes!("../../../assets/engines/tablan-plain-random.net")));
    static ORDERED_GREEDY: Pair = LazyLock::new(|| {
        unpack(include_bytes!("../../../assets/engines/tablan-ordered-greedy.net"))
    });
    let pair = match (style, ordered) {
        (Style::Greedy, false) => &*PLAIN_GREEDY,
        (Style::Random, false) => &*PLAIN_RANDOM,
        (Style::Greedy, true) => &*ORDERED_GREEDY,
        (Style::Random, true) => return None,
    };
    Some(pair.each_ref())
}

/// Reads two networks, one after the other.
fn unpack(bytes: &[u8]) -> [Network; 2] {
    let (own, theirs) = bytes.split_at(bytes.len() / 2);
    [own, theirs].map(super::unpack)
}

/// Of the other side's moves this many are read, the last ones: in most games
/// all of them.
const MOVES: usize = 64;
/// What an older choice still tells when one more has been made: people change.
const MEMORY: f32 = 0.98;
/// The share of choices in which a player may do anything, whatever his style.
const SLIP: f32 = 0.1;
/// How far off the judgements are, in equity, of players who are sound and of
/// players who blunder.
const DOUBTS: [f32; 2] = [0.01, 0.02];
/// How likely the kinds of player are before anything is known: the sound, the
/// blundering, the greedy, the random.
const BEFORE: [f32; 4] = [0.3, 0.3, 0.2, 0.2];
/// The share of all that may be which a style must have before it is believed:
/// who is greedy shows it at once, and who moves at random is never quite told
/// from a player who blunders.
const SURE: [f32; 2] = [0.9, 0.6];

/// How a side plays; none while that may be anything.
fn style(line: &GameHistory<AnyPosition>, side: Side, ordered: bool) -> Option<Style> {
    let network = weights(ordered);
    let known: Vec<_> =
        (1..=line.len()).rev().filter_map(|ply| choice(line, ply, side)).take(MOVES).collect();
    let mut reading = Reading::new();
    for (before, score, after) in known.into_iter().rev() {
        reading.see(network, before, score, after);
    }
    reading.style()
}

/// What the choices seen so far tell.
#[derive(Clone, Copy, Debug)]
struct Reading {
    /// For each kind of player the logarithm of how likely it is that he is of
    /// that kind, but for a summand that all have in common.
    told: [f32; 4],
}

impl Reading {
    fn new() -> Self {
        Self { told: BEFORE.map(f32::ln) }
    }

    /// Reads one more choice.
    fn see(&mut self, network: &Network, before: State, score: u8, chosen: State) {
        if let Some(chances) = chances(network, before, score, chosen) {
            for (told, chance) in self.told.iter_mut().zip(chances) {
                *told = MEMORY * *told + chance.ln();
            }
        }
    }

    /// The style that is believed.
    fn style(self) -> Option<Style> {
        let most = self.told.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let shares = self.told.map(|told| (told - most).exp());
        let sure = SURE.map(|sure| sure * shares.iter().sum::<f32>());
        match shares {
            [_, _, greedy, _] if greedy > sure[0] => Some(Style::Greedy),
            [_, _, _, random] if random > sure[1] => Some(Style::Random),
            _ => None,
        }
    }
}

/// The move that a ply was, where a side made one: the board before it, the
/// score and the board after it, both seen by the mover.
fn choice(line: &GameHistory<AnyPosition>, ply: usize, side: Side) -> Option<(State, u8, State)> {
    let (Some(Ply::Move(_)), Some(AnyPosition::Tablan(before)), Some(AnyPosition::Tablan(after))) =
        (line.ply(ply), line.at(ply.checked_sub(1)?), line.at(ply))
    else {
        return None;
    };
    if before.side() != side {
        return None;
    }
    let [own, enemy] = [side, side.other()].map(|side| after.places(side));
    let before_it = State::of(before);
    Some((before_it, before.pending()?.score(), State { own, enemy, ..before_it }))
}

/// How likely each kind of player chooses so; none where nothing was to be
/// chosen.
fn chances(network: &Network, state: State, score: u8, chosen: State) -> Option<[f32; 4]> {
    let uses = state.uses(score);
    let its = uses.iter().position(|&after| after == chosen)?;
    if uses.len() < 2 {
        return None;
    }
    let layer = network.layer(inputs(state));
    let values: Vec<_> = uses.iter().map(|&after| judge(network, &layer, after).tanh()).collect();
    let its = values[its];
    let best = values.iter().copied().fold(-1.0, f32::max);
    let sound = DOUBTS.map(|doubt| {
        let share = |value: f32| ((value - best) / doubt).exp();
        share(its) / values.iter().copied().map(share).sum::<f32>()
    });
    let grasped = Style::Greedy.choices(state, score);
    let greedy = if grasped.contains(&chosen) { (grasped.len() as f32).recip() } else { 0.0 };
    let random = (values.len() as f32).recip();
    Some([sound[0], sound[1], greedy, random].map(|share| (1.0 - SLIP) * share + SLIP * random))
}

#[cfg(test)]
mod tests;
