//! Tablut (in the making).
#![allow(missing_docs)]
use super::{Event, Game, Illegal, PositionError, Repetition, RuleSet, Side, Throw, Turn};
use std::fmt;

#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    pub set: RuleSet,
}
pub const BERKELEY: &Rules = &Rules { set: RuleSet::TablutBerkeley };
pub const ASHTON: &Rules = &Rules { set: RuleSet::TablutAshton };
pub const LINNAEUS: &Rules = &Rules { set: RuleSet::TablutLinnaeus };
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    rules: &'static Rules,
}
impl Position {
    pub fn start(rules: &'static Rules) -> Self {
        Self { rules }
    }
    pub fn parse(_rules: &'static Rules, text: &str) -> Result<Self, PositionError> {
        Err(PositionError::new(text, ""))
    }
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {}
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("")
    }
}
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("")
    }
}
impl Game for Position {
    type Move = Move;
    fn side(&self) -> Side {
        Side::First
    }
    fn turn(&self) -> Turn {
        Turn::Move(Side::First)
    }
    fn legal_moves(&self) -> Vec<Move> {
        vec![]
    }
    fn outcomes(&self) -> &'static [(Throw, u32)] {
        &[]
    }
    fn play(&mut self, _: Move) -> Result<Vec<Event>, Illegal> {
        Err(Illegal::GameOver)
    }
    fn throw(&mut self, _: Throw) -> Result<Vec<Event>, Illegal> {
        Err(Illegal::NoSticks)
    }
    fn parse_move(&self, text: &str) -> Result<Move, Illegal> {
        Err(Illegal::Unreadable(text.to_owned()))
    }
    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }
    fn key(&self) -> u64 {
        0
    }
}
