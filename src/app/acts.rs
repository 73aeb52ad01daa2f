//! What a person can do, under one name each.
//!
//! Architecture invariant: a click, a key, a typed move, a script and a test
//! all become the same [`Act`]; nothing else changes a game.

use std::path::PathBuf;

use bevy::prelude::*;

use crate::{games::Square, table::Setup};

/// One act of a person.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Act {
    /// Touch a square: choose a piece, a destination, a plot.
    Touch(Square),
    /// Let go of what is chosen.
    LetGo,
    /// Answer the question on the table with its n-th choice.
    Answer(usize),
    /// Throw the casting sticks.
    Throw,
    /// Play a move written as text.
    Type(String),
    /// Take the last ply back (against an engine: back to one's own turn).
    Undo,
    /// Play again what was taken back.
    Redo,
    /// Give the game up.
    Resign,
    /// Begin a game.
    NewGame(Setup),
    /// Begin the same game anew.
    Rematch,
    /// Write the game to a file.
    Save(PathBuf),
    /// Open a record as a replay.
    Open(PathBuf),
    /// Open a record and play on from where it ends.
    Resume(PathBuf),
    /// Go to the title screen; the game is kept.
    Title,
    /// Go back to the game on the table.
    Table,
    /// Watch the game on the table as a replay.
    Watch,
    /// Replay: play or pause.
    TogglePlay,
    /// Replay: one ply on.
    StepForward,
    /// Replay: one ply back.
    StepBack,
    /// Replay: to this number of plies.
    Jump(usize),
    /// Replay: this many times the usual speed.
    Speed(f32),
    /// Replay: leave it and play on from the ply shown.
    PlayOn,
    /// Put the camera back to the seat.
    ResetView,
    /// Look from above, or back.
    TopView,
    /// Show all running animations' ends at once.
    Hurry,
    /// Leave the program.
    Quit,
}

impl Act {
    /// A stable name for keys, scripts and logs.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Touch(_) => "touch",
            Self::LetGo => "let-go",
            Self::Answer(_) => "answer",
            Self::Throw => "throw",
            Self::Type(_) => "type",
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Resign => "resign",
            Self::NewGame(_) => "new-game",
            Self::Rematch => "rematch",
            Self::Save(_) => "save",
            Self::Open(_) => "open",
            Self::Resume(_) => "resume",
            Self::Title => "title",
            Self::Table => "table",
            Self::Watch => "watch",
            Self::TogglePlay => "toggle-play",
            Self::StepForward => "step-forward",
            Self::StepBack => "step-back",
            Self::Jump(_) => "jump",
            Self::Speed(_) => "speed",
            Self::PlayOn => "play-on",
            Self::ResetView => "reset-view",
            Self::TopView => "top-view",
            Self::Hurry => "hurry",
            Self::Quit => "quit",
        }
    }
}
