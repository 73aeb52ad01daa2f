//! A game so far, and its ends by repetition.

use std::{collections::HashMap, fmt, iter::successors};

use super::{End, EndReason, Event, Game, Illegal, Side, Throw, Turn};

/// A ply: a move or a throw of the sticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ply<M> {
    /// A move.
    Move(M),
    /// A throw.
    Throw(Throw),
}

impl<M: fmt::Display> fmt::Display for Ply<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(mv) => mv.fmt(f),
            Self::Throw(throw) => throw.fmt(f),
        }
    }
}

/// The rule about positions that are repeated with the same side to move.
///
/// ```
/// use tabulae_games::{AnyPosition, Game, Repetition, RuleSet};
///
/// // A stone never leaves the board, so no position of Tablaaza is repeated.
/// let repetition = AnyPosition::start(RuleSet::Tablaaza).repetition();
/// assert_eq!(repetition, Repetition::Ignored);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// Repetition has no effect.
    Ignored,
    /// The side that repeats a position loses.
    MoverLoses,
    /// The game is drawn when a position occurs for the `times`-th time.
    Draw {
        /// The number of occurrences, the first one included.
        times: usize,
    },
}

/// A ply that was played, with its events and the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PlayedPly<G: Game> {
    ply: Ply<G::Move>,
    events: Vec<Event>,
    after: G,
    /// The end by the position or by repetition.
    end: Option<End>,
    /// The throws so far, this ply included.
    throws: usize,
    /// The number of the last earlier position with the same key.
    earlier: Option<usize>,
}

/// A game so far: a start position, the plies played from it and the positions
/// between them.
///
/// It applies the repetition rule, which a position alone cannot. An end by the
/// position itself precedes the repetition rule.
///
/// ```
/// use tabulae_games::{AnyPosition, GameHistory, EndReason, RuleSet};
///
/// let mut game = GameHistory::new(AnyPosition::start(RuleSet::TablutBerkeley));
/// for text in ["a4-a3", "e4-f4", "a3-a4", "f4-e4"] {
///     let ply = game.parse(text).unwrap();
///     game.push(ply).unwrap();
/// }
/// // White has repeated the start position, which loses.
/// let end = game.turn().end().unwrap();
/// assert_eq!((end.reason, end.result()), (EndReason::Repetition, "p1win"));
/// assert!(game.legal_moves().is_empty());
///
/// game.undo();
/// assert!(game.turn().end().is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHistory<G: Game> {
    start: G,
    steps: Vec<PlayedPly<G>>,
    /// The number of the last position with each key, where repetition has an effect.
    /// [`PlayedPly::earlier`] leads on from there.
    last_with_key: HashMap<u64, usize>,
}

impl<G: Game> GameHistory<G> {
    /// A game that begins with `start`.
    pub fn new(start: G) -> Self {
        let is_counted = start.repetition() != Repetition::Ignored;
        let last_with_key = is_counted.then(|| (start.key(), 0)).into_iter().collect();
        Self { start, steps: Vec::new(), last_with_key }
    }

    /// The start position.
    pub const fn start(&self) -> &G {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &G {
        self.steps.last().map_or(&self.start, |step| &step.after)
    }

    /// The number of plies played.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing has been played.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The position after `plies` plies (0 is the start).
    pub fn at(&self, plies: usize) -> Option<&G> {
        match plies.checked_sub(1) {
            None => Some(&self.start),
            Some(index) => self.steps.get(index).map(|step| &step.after),
        }
    }

    /// The number of throws.
    pub fn throws(&self) -> usize {
        self.steps.last().map_or(0, |step| step.throws)
    }

    /// The plies, in order.
    pub fn plies(&self) -> impl ExactSizeIterator<Item = Ply<G::Move>> + '_ {
        self.steps.iter().map(|step| step.ply)
    }

    /// Ply `number` (1 is the first).
    pub fn ply(&self, number: usize) -> Option<Ply<G::Move>> {
        self.steps.get(number.checked_sub(1)?).map(|step| step.ply)
    }

    /// The events of ply `number` (1 is the first); empty if it was not played.
    pub fn events(&self, number: usize) -> &[Event] {
        number
            .checked_sub(1)
            .and_then(|index| self.steps.get(index))
            .map_or(&[], |step| &step.events)
    }

    /// What is due next, with repetition considered.
    pub fn turn(&self) -> Turn {
        match self.steps.last().and_then(|step| step.end) {
            Some(end) => Turn::Over(end),
            None => self.position().turn(),
        }
    }

    /// The legal moves; none once the game is over.
    pub fn legal_moves(&self) -> Vec<G::Move> {
        match self.turn() {
            Turn::Move(_) => self.position().legal_moves(),
            Turn::Throw(_) | Turn::Over(_) => Vec::new(),
        }
    }

    /// Parses a move, or a throw written `t0` to `t4`.
    ///
    /// # Errors
    /// See [`Game::parse_move`].
    pub fn parse(&self, text: &str) -> Result<Ply<G::Move>, Illegal> {
        match Throw::parse(text) {
            Some(throw) => Ok(Ply::Throw(throw)),
            None => self.position().parse_move(text).map(Ply::Move),
        }
    }

    /// The notation of ply `number` (1 is the first) in records.
    pub fn notation(&self, number: usize) -> Option<String> {
        let before = self.at(number.checked_sub(1)?)?;
        Some(match self.ply(number)? {
            Ply::Move(mv) => before.notation(mv),
            Ply::Throw(throw) => throw.to_string(),
        })
    }

    /// Plays a ply and returns its events.
    ///
    /// # Errors
    /// The ply is not legal here; the game is unchanged.
    pub fn push(&mut self, ply: Ply<G::Move>) -> Result<&[Event], Illegal> {
        if matches!(self.turn(), Turn::Over(_)) {
            return Err(Illegal::GameOver);
        }
        let mover = self.position().side();
        let mut after = self.position().clone();
        let mut events = match ply {
            Ply::Move(mv) => after.play(mv)?,
            Ply::Throw(throw) => after.throw(throw)?,
        };
        let is_counted = after.repetition() != Repetition::Ignored;
        let number = self.steps.len() + 1;
        let earlier =
            if is_counted { self.last_with_key.insert(after.key(), number) } else { None };
        let mut end = after.turn().end();
        if end.is_none() {
            end = self.repetition_end(&after, earlier, mover);
            events.extend(end.map(Event::Ended));
        }
        let throws = self.throws() + usize::from(matches!(ply, Ply::Throw(_)));
        self.steps.push(PlayedPly { ply, events, after, end, throws, earlier });
        Ok(self.events(number))
    }

    /// Undoes the last ply and returns it.
    pub fn undo(&mut self) -> Option<Ply<G::Move>> {
        let step = self.steps.pop()?;
        let key = step.after.key();
        match step.earlier {
            Some(number) => _ = self.last_with_key.insert(key, number),
            None => _ = self.last_with_key.remove(&key),
        }
        Some(step.ply)
    }

    /// Undoes plies until `plies` are left.
    pub fn truncate(&mut self, plies: usize) {
        while self.len() > plies {
            self.undo();
        }
    }

    /// The end by repetition that `mover` made with the ply to `after`. `earlier` is the
    /// number of the last position before it that has the same key.
    fn repetition_end(&self, after: &G, earlier: Option<usize>, mover: Side) -> Option<End> {
        let before = |&number: &usize| self.steps.get(number.checked_sub(1)?)?.earlier;
        // Different positions may have the same key.
        let same = successors(earlier, before).filter(|&number| self.at(number) == Some(after));
        let winner = match after.repetition() {
            Repetition::Ignored => return None,
            Repetition::MoverLoses => (same.count() > 0).then_some(Some(mover.other())),
            Repetition::Draw { times } => (same.count() + 1 >= times).then_some(None),
        };
        winner.map(|winner| End { winner, reason: EndReason::Repetition })
    }
}
