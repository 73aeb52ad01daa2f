//! Positions and moves of any of the three games, as closed enums.

use std::fmt;

#[cfg(feature = "serde")]
use crate::serde_forms::PositionText;
use crate::{Reason, for_each_rule_set, reasons};

use super::{
    Event, Game, GameHistory, Illegal, PositionError, Repetition, RuleSet, Side, Throw, Turn,
    tablaaza, tablan, tablut,
};

/// A position of any game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "PositionText", into = "PositionText"))]
pub enum AnyPosition {
    /// A position of Tablut.
    Tablut(tablut::Position),
    /// A position of Tablan.
    Tablan(tablan::Position),
    /// A position of Tablaaza.
    Tablaaza(tablaaza::Position),
}

/// A move of any game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AnyMove {
    /// A Tablut move.
    Tablut(tablut::Move),
    /// A Tablan move.
    Tablan(tablan::Move),
    /// A Tablaaza move.
    Tablaaza(tablaaza::Move),
}

/// What a position or a move answers, whichever game it is of.
macro_rules! in_its_game {
    ($any:expr, $inner:ident => $answer:expr) => {
        match $any {
            Self::Tablut($inner) => $answer,
            Self::Tablan($inner) => $answer,
            Self::Tablaaza($inner) => $answer,
        }
    };
}

impl fmt::Display for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        in_its_game!(self, mv => mv.fmt(f))
    }
}

/// The rules of a rule set, as its game has them.
///
/// ```
/// use tabulae_games::{AnyRules, RuleSet, tablut};
///
/// assert_eq!(RuleSet::TablutAshton.rules(), AnyRules::Tablut(tablut::ASHTON));
/// assert_eq!(RuleSet::Tablaaza.rules(), AnyRules::Tablaaza);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyRules {
    /// Rules of Tablut.
    Tablut(&'static tablut::Rules),
    /// Rules of Tablan.
    Tablan(&'static tablan::Rules),
    /// Tablaaza has one rule set.
    Tablaaza,
}

macro_rules! rules_of {
    ($($(#[$doc:meta])* $set:ident: $id:literal, $file:literal, $title:literal, $game:ident
        ($($rules:ident)?);)*) => {
        impl RuleSet {
            /// Its rules.
            pub const fn rules(self) -> AnyRules {
                use {tablan::*, tablut::*};
                match self { $(Self::$set => AnyRules::$game $(($rules))?,)* }
            }
        }
    };
}

for_each_rule_set!(rules_of);

impl RuleSet {
    /// The English name of a side, as in records.
    pub const fn side_name(self, side: Side) -> &'static str {
        match (self.rules(), side) {
            (AnyRules::Tablut(rules), side) => match rules.army(side) {
                tablut::Army::White => "White",
                tablut::Army::Black => "Black",
            },
            (AnyRules::Tablan(_), Side::First) => "South",
            (AnyRules::Tablan(_), Side::Second) => "North",
            (AnyRules::Tablaaza, Side::First) => "Red",
            (AnyRules::Tablaaza, Side::Second) => "Green",
        }
    }

    /// Its repetition rule.
    pub const fn repetition(self) -> Repetition {
        match self.rules() {
            AnyRules::Tablut(rules) => rules.repetition,
            AnyRules::Tablan(_) | AnyRules::Tablaaza => Repetition::Ignored,
        }
    }

    /// Whether a game can end in a draw.
    ///
    /// ```
    /// use tabulae_games::RuleSet;
    ///
    /// assert!(RuleSet::TablutAshton.knows_draws());
    /// // In Tablaaza the side without a move loses.
    /// assert!(!RuleSet::Tablaaza.knows_draws());
    /// ```
    pub const fn knows_draws(self) -> bool {
        match self.rules() {
            AnyRules::Tablut(rules) => matches!(rules.repetition, Repetition::Draw { .. }),
            AnyRules::Tablan(_) => true,
            AnyRules::Tablaaza => false,
        }
    }
}

/// Numbers the moves of a line as records do: Tablan numbers turns, the other games
/// pairs of moves.
///
/// ```
/// use tabulae_games::{MoveNumbering, RuleSet, Side};
///
/// let mut numbering = MoveNumbering::default();
/// assert!(numbering.advance(RuleSet::Tablan, Side::First), "a turn begins");
/// assert!(!numbering.advance(RuleSet::Tablan, Side::First), "the same turn");
/// assert!(numbering.advance(RuleSet::Tablan, Side::Second));
/// assert_eq!(numbering.number(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveNumbering {
    number: usize,
    /// The side of the last ply.
    side: Option<Side>,
}

impl MoveNumbering {
    /// Counts a ply of `side`; returns whether its turn begins with it.
    pub fn advance(&mut self, rules: RuleSet, side: Side) -> bool {
        let new_turn = self.side != Some(side);
        let is_counted = new_turn && (rules.has_sticks() || side == Side::First);
        self.number += usize::from(self.side.is_none() || is_counted);
        self.side = Some(side);
        new_turn
    }

    /// The number of the last ply's move; 0 before the first.
    pub const fn number(self) -> usize {
        self.number
    }
}

impl GameHistory<AnyPosition> {
    /// The number of the move that each ply belongs to, in order, as records
    /// number them: Tablan numbers turns, the other games pairs of moves.
    pub fn move_numbers(&self) -> impl Iterator<Item = usize> + '_ {
        let mut numbering = MoveNumbering::default();
        (0..self.len()).map(move |plies| {
            let side = self.at(plies).map_or(Side::First, Game::side);
            numbering.advance(self.start().rules(), side);
            numbering.number()
        })
    }

    /// The number of the move that ply `plies` belongs to; 0 before the first.
    ///
    /// ```
    /// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
    ///
    /// let mut game = GameHistory::new(AnyPosition::start(RuleSet::TablutBerkeley));
    /// for text in ["a4-a3", "e4-f4", "a3-a4"] {
    ///     let ply = game.parse(text).unwrap();
    ///     game.push(ply).unwrap();
    /// }
    /// assert_eq!([0, 1, 2, 3].map(|plies| game.move_number(plies)), [0, 1, 1, 2]);
    /// ```
    pub fn move_number(&self, plies: usize) -> usize {
        self.move_numbers().take(plies).last().unwrap_or(0)
    }
}

impl AnyPosition {
    /// The start position. In Tablan South throws off first.
    pub fn start(rules: RuleSet) -> Self {
        match rules.rules() {
            AnyRules::Tablut(rules) => Self::Tablut(tablut::Position::start(rules)),
            AnyRules::Tablan(rules) => Self::Tablan(tablan::Position::start(rules)),
            AnyRules::Tablaaza => Self::Tablaaza(tablaaza::Position::start()),
        }
    }

    /// Parses a position's text.
    ///
    /// ```
    /// use tabulae_games::{AnyPosition, Game, RuleSet};
    ///
    /// let error = AnyPosition::parse(RuleSet::TablutAshton, "9/9 w").unwrap_err();
    /// assert_eq!(error.text, "9/9 w");
    ///
    /// let text = "9/9/4W4/3WKW3/4W4/4B4/9/9/9 w";
    /// let position = AnyPosition::parse(RuleSet::TablutAshton, text).unwrap();
    /// assert!(position.parse_move("e5-e9").is_err());
    /// ```
    ///
    /// # Errors
    /// The text is not a position of this game.
    pub fn parse(rules: RuleSet, text: &str) -> Result<Self, PositionError> {
        Ok(match rules.rules() {
            AnyRules::Tablut(rules) => Self::Tablut(tablut::Position::parse(rules, text)?),
            AnyRules::Tablan(rules) => Self::Tablan(tablan::Position::parse(rules, text)?),
            AnyRules::Tablaaza => Self::Tablaaza(tablaaza::Position::parse(text)?),
        })
    }

    /// The rule set.
    pub fn rules(&self) -> RuleSet {
        match self {
            Self::Tablut(position) => position.rules().set,
            Self::Tablan(position) => position.rules().set,
            Self::Tablaaza(_) => RuleSet::Tablaaza,
        }
    }
}

impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        in_its_game!(self, position => position.fmt(f))
    }
}

fn wrong_game() -> Illegal {
    Illegal::Rule(Reason::new(reasons::OTHER_GAME))
}

impl Game for AnyPosition {
    type Move = AnyMove;

    fn side(&self) -> Side {
        in_its_game!(self, position => position.side())
    }

    fn turn(&self) -> Turn {
        in_its_game!(self, position => position.turn())
    }

    fn for_each_legal_move(&self, mut visit: impl FnMut(AnyMove)) {
        match self {
            Self::Tablut(position) => {
                position.for_each_legal_move(|mv| visit(AnyMove::Tablut(mv)));
            }
            Self::Tablan(position) => {
                position.for_each_legal_move(|mv| visit(AnyMove::Tablan(mv)));
            }
            Self::Tablaaza(position) => {
                position.for_each_legal_move(|mv| visit(AnyMove::Tablaaza(mv)));
            }
        }
    }

    fn outcomes(&self) -> &'static [(Throw, u32)] {
        in_its_game!(self, position => position.outcomes())
    }

    fn play(&mut self, mv: AnyMove) -> Result<Vec<Event>, Illegal> {
        match (self, mv) {
            (Self::Tablut(position), AnyMove::Tablut(mv)) => position.play(mv),
            (Self::Tablan(position), AnyMove::Tablan(mv)) => position.play(mv),
            (Self::Tablaaza(position), AnyMove::Tablaaza(mv)) => position.play(mv),
            _ => Err(wrong_game()),
        }
    }

    fn play_unchecked(&mut self, mv: AnyMove) {
        match (self, mv) {
            (Self::Tablut(position), AnyMove::Tablut(mv)) => position.play_unchecked(mv),
            (Self::Tablan(position), AnyMove::Tablan(mv)) => position.play_unchecked(mv),
            (Self::Tablaaza(position), AnyMove::Tablaaza(mv)) => position.play_unchecked(mv),
            _ => {}
        }
    }

    fn throw(&mut self, throw: Throw) -> Result<Vec<Event>, Illegal> {
        in_its_game!(self, position => position.throw(throw))
    }

    fn parse_move(&self, text: &str) -> Result<AnyMove, Illegal> {
        match self {
            Self::Tablut(position) => position.parse_move(text).map(AnyMove::Tablut),
            Self::Tablan(position) => position.parse_move(text).map(AnyMove::Tablan),
            Self::Tablaaza(position) => position.parse_move(text).map(AnyMove::Tablaaza),
        }
    }

    fn notation(&self, mv: AnyMove) -> String {
        match (self, mv) {
            (Self::Tablut(position), AnyMove::Tablut(mv)) => position.notation(mv),
            (Self::Tablan(position), AnyMove::Tablan(mv)) => position.notation(mv),
            (Self::Tablaaza(position), AnyMove::Tablaaza(mv)) => position.notation(mv),
            (_, mv) => mv.to_string(),
        }
    }

    fn repetition(&self) -> Repetition {
        in_its_game!(self, position => position.repetition())
    }

    fn key(&self) -> u64 {
        in_its_game!(self, position => position.key())
    }

    fn perft(&self, depth: u32) -> u64 {
        in_its_game!(self, position => position.perft(depth))
    }
}
