//! The table itself.

use std::str::FromStr;

use thiserror::Error;

use crate::{
    engines::Level,
    games::{
        AnyMove, AnyPosition, End, Event, Game, GameKind, Illegal, Line, Ply, RuleSet, Side, Turn,
        tablan,
    },
};

use super::dice::{Dice, fresh_seed};

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// A person at this screen.
    Person,
    /// An engine of this level.
    Engine(Level),
}

impl Seat {
    /// What the seat is called in records and on screen.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Person => "Person".to_owned(),
            Self::Engine(level) => format!("Tabulae {}", level.title()),
        }
    }
}

/// A text that names no seat.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown player '{0}' (person, novice, casual, club, expert or master)")]
pub struct ParseSeatError(pub String);

impl FromStr for Seat {
    type Err = ParseSeatError;

    /// Reads `person` or a level's name.
    fn from_str(text: &str) -> Result<Self, ParseSeatError> {
        if text == "person" {
            return Ok(Self::Person);
        }
        text.parse().map(Self::Engine).map_err(|_| ParseSeatError(text.to_owned()))
    }
}

/// What a game begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The rules.
    pub rules: RuleSet,
    /// Who plays which side, by [`Side::index`].
    pub seats: [Seat; 2],
    /// The sticks' seed; none takes one from the system's randomness.
    pub seed: Option<u64>,
    /// Where to begin; none is the rules' own start, and in Tablan the lot,
    /// drawn from the seed, says who throws off first.
    pub start: Option<AnyPosition>,
}

/// How a game at a table ended: by the rules, or by a person's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The rules ended it.
    Ended(End),
    /// This side gave up.
    Resigned(Side),
}

impl Outcome {
    /// The winner; none for a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Ended(end) => end.winner,
            Self::Resigned(side) => Some(side.other()),
        }
    }
}

/// One game being played.
#[derive(Clone, Debug)]
pub struct Table {
    rules: RuleSet,
    seats: [Seat; 2],
    names: [String; 2],
    dice: Dice,
    line: Line<AnyPosition>,
    undone: Vec<Ply<AnyMove>>,
    resigned: Option<Side>,
}

impl Table {
    /// A table set for a new game.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let seed = setup.seed.unwrap_or_else(fresh_seed);
        let start = setup.start.unwrap_or_else(|| opening(setup.rules, seed));
        Self::at(Line::new(start), setup.seats, setup.seats.map(Seat::name), seed)
    }

    /// A table where a game already stands.
    #[must_use]
    pub fn at(line: Line<AnyPosition>, seats: [Seat; 2], names: [String; 2], seed: u64) -> Self {
        let rules = line.start().rules();
        let dice = Dice::new(seed);
        Self { rules, seats, names, dice, line, undone: Vec::new(), resigned: None }
    }

    /// The game so far.
    #[must_use]
    pub const fn line(&self) -> &Line<AnyPosition> {
        &self.line
    }

    /// The rules played by.
    #[must_use]
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Who plays which side, by [`Side::index`].
    #[must_use]
    pub const fn seats(&self) -> [Seat; 2] {
        self.seats
    }

    /// The players' names, by [`Side::index`].
    #[must_use]
    pub const fn names(&self) -> &[String; 2] {
        &self.names
    }

    /// The sticks' seed.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.dice.seed()
    }

    /// The set-up to play the same game again; the sticks get a new seed.
    #[must_use]
    pub fn rematch(&self) -> Setup {
        let start = self.line.start();
        let usual = *start == AnyPosition::start(self.rules) || is_throwing_off(start);
        Setup {
            rules: self.rules,
            seats: self.seats,
            seed: None,
            start: if usual { None } else { Some(start.clone()) },
        }
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self.line.turn() {
            Turn::Over(end) => Some(Outcome::Ended(end)),
            Turn::Move(_) | Turn::Throw(_) => self.resigned.map(Outcome::Resigned),
        }
    }

    /// Who acts next; nobody once the game has ended or a side gave up.
    #[must_use]
    pub fn turn(&self) -> Option<Turn> {
        match self.outcome() {
            Some(_) => None,
            None => Some(self.line.turn()),
        }
    }

    /// The seat that acts next.
    #[must_use]
    pub fn seat_to_act(&self) -> Option<Seat> {
        let side = self.turn()?.side()?;
        Some(self.seats[side.index()])
    }

    /// Whether a person may choose a move now.
    #[must_use]
    pub fn person_moves(&self) -> bool {
        matches!(self.turn(), Some(Turn::Move(_))) && self.seat_to_act() == Some(Seat::Person)
    }

    /// Whether a person may throw now.
    #[must_use]
    pub fn person_throws(&self) -> bool {
        matches!(self.turn(), Some(Turn::Throw(_))) && self.seat_to_act() == Some(Seat::Person)
    }

    /// Plays a move for the side to move.
    ///
    /// # Errors
    /// The move is not legal; the game is unchanged.
    pub fn play(&mut self, mv: AnyMove) -> Result<&[Event], Illegal> {
        self.push(Ply::Move(mv))
    }

    /// Throws the sticks for the side whose throw is due.
    ///
    /// # Errors
    /// No throw is due; the game is unchanged.
    pub fn throw(&mut self) -> Result<&[Event], Illegal> {
        let thrown = self.line.plies().filter(|ply| matches!(ply, Ply::Throw(_))).count();
        let throw = self.dice.throw(thrown);
        self.push(Ply::Throw(throw))
    }

    fn push(&mut self, ply: Ply<AnyMove>) -> Result<&[Event], Illegal> {
        if self.resigned.is_some() {
            return Err(Illegal::GameOver);
        }
        self.line.push(ply)?;
        if self.undone.last() == Some(&ply) {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        Ok(self.line.events(self.line.len()))
    }

    /// Gives the game up for `side`; nothing once it has ended.
    pub fn resign(&mut self, side: Side) -> bool {
        if self.outcome().is_some() {
            return false;
        }
        self.resigned = Some(side);
        true
    }

    /// Whether [`Self::undo`] would do anything.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        self.resigned.is_some() || !self.line.is_empty()
    }

    /// Whether [`Self::redo`] would do anything.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.resigned.is_none() && !self.undone.is_empty()
    }

    /// Takes back: a resignation, or else plies up to the last one that a
    /// person decided (with two engines, or no such ply, a single one). A
    /// throw alone is never what is taken back: the sticks would fall the same
    /// again.
    pub fn undo(&mut self) -> bool {
        if self.resigned.take().is_some() {
            return true;
        }
        if self.line.is_empty() {
            return false;
        }
        let target = (0..self.line.len()).rev().find(|&n| self.decided_by_person(n));
        let target = target.unwrap_or(self.line.len() - 1);
        while self.line.len() > target {
            match self.line.undo() {
                Some(ply) => self.undone.push(ply),
                None => break,
            }
        }
        true
    }

    /// Whether the ply after `plies` plies was a move that a person chose.
    fn decided_by_person(&self, plies: usize) -> bool {
        let side = self.line.at(plies).and_then(|position| match position.turn() {
            Turn::Move(side) => Some(side),
            Turn::Throw(_) | Turn::Over(_) => None,
        });
        side.is_some_and(|side| self.seats[side.index()] == Seat::Person)
    }

    /// Plays again what was taken back, up to a person's next choice.
    pub fn redo(&mut self) -> bool {
        if self.resigned.is_some() {
            return false;
        }
        let mut done = false;
        while let Some(&ply) = self.undone.last() {
            if self.line.push(ply).is_err() {
                self.undone.clear();
                break;
            }
            self.undone.pop();
            done = true;
            if self.person_moves() {
                break;
            }
        }
        done
    }
}

/// The start by the rules, with the lot drawn where one is.
fn opening(rules: RuleSet, seed: u64) -> AnyPosition {
    match rules.game() {
        GameKind::Tablan => {
            let data = if rules == RuleSet::Tablan { tablan::PLAIN } else { tablan::ORDERED };
            AnyPosition::Tablan(tablan::Position::with_first_thrower(data, Dice::lot(seed)))
        }
        GameKind::Tablut | GameKind::Tablaaza => AnyPosition::start(rules),
    }
}

fn is_throwing_off(position: &AnyPosition) -> bool {
    match position {
        AnyPosition::Tablan(position) => {
            let other = position.side();
            *position == tablan::Position::with_first_thrower(position.rules(), other)
        }
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => false,
    }
}
