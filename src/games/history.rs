//! A game so far, and its ends by repetition.

use std::fmt;

use super::{End, EndReason, Event, Game, Illegal, Side, Throw, Turn};

/// A ply: a move or a throw of the sticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
/// use tabulae::games::{AnyPosition, Game, Repetition, RuleSet};
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
        /// Whether a capture restarts the count.
        since_capture: bool,
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
}

/// A game so far: a start position, the plies played from it and the positions
/// between them.
///
/// It applies the repetition rule, which a position alone cannot. An end by the
/// position itself precedes the repetition rule.
///
/// ```
/// use tabulae::games::{AnyPosition, GameHistory, EndReason, RuleSet};
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
}

impl<G: Game> GameHistory<G> {
    /// A game that begins with `start`.
    pub const fn new(start: G) -> Self {
        Self { start, steps: Vec::new() }
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
        let mut end = after.turn().end();
        if end.is_none() {
            end = self.repetition_end(&after, &events, mover);
            events.extend(end.map(Event::Ended));
        }
        self.steps.push(PlayedPly { ply, events, after, end });
        Ok(self.events(self.steps.len()))
    }

    /// Undoes the last ply and returns it.
    pub fn undo(&mut self) -> Option<Ply<G::Move>> {
        self.steps.pop().map(|step| step.ply)
    }

    /// Undoes plies until `plies` are left.
    pub fn truncate(&mut self, plies: usize) {
        self.steps.truncate(plies);
    }

    /// The end by repetition that `mover` made with the ply to `after`.
    fn repetition_end(&self, after: &G, events: &[Event], mover: Side) -> Option<End> {
        let captured =
            |events: &[Event]| events.iter().any(|event| matches!(event, Event::Captured { .. }));
        let end = |winner| Some(End { winner, reason: EndReason::Repetition });
        match after.repetition() {
            Repetition::Ignored => None,
            Repetition::MoverLoses => {
                let seen = (0..=self.len()).any(|n| self.at(n) == Some(after));
                if seen { end(Some(mover.other())) } else { None }
            }
            Repetition::Draw { times, since_capture } => {
                if since_capture && captured(events) {
                    return None;
                }
                let mut seen = 1;
                for number in (0..=self.len()).rev() {
                    seen += usize::from(self.at(number) == Some(after));
                    if since_capture && captured(self.events(number)) {
                        break;
                    }
                }
                if seen >= times { end(None) } else { None }
            }
        }
    }
}
