//! Tablaaza (in the making).
#![allow(missing_docs)]
use super::{Event, Game, Illegal, PositionError, Repetition, Side, Throw, Turn};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {}
impl Position {
    pub fn start() -> Self {
        Self {}
    }
    pub fn parse(text: &str) -> Result<Self, PositionError> {
        Err(PositionError::new(text, ""))
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
