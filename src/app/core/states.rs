//! What the program shows: the screen, and the dialog or prompt over it.

use bevy::prelude::*;

/// Where the program is.
#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Screen {
    /// Choosing a game.
    #[default]
    Title,
    /// A game on the table.
    Table,
    /// A record being watched.
    Replay,
    /// A position being set up.
    Editor,
}

/// A sheet that can be opened over any screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialog {
    /// What can be done besides playing.
    Menu,
    /// How to play, and the keys.
    Help,
    /// The games that are kept.
    Recent,
    /// The settings.
    Settings,
    /// The throws of the game and their statistics.
    Throws,
    /// A line to type a move in.
    TypeMove,
    /// What the program is, and where its rules come from.
    About,
    /// Which keys do what, to be changed.
    Keys,
    /// The position being set up, as text.
    Position,
    /// The games of the file that was opened.
    Games,
}

impl Dialog {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Menu,
        Self::Help,
        Self::Recent,
        Self::Settings,
        Self::Throws,
        Self::TypeMove,
        Self::About,
        Self::Keys,
        Self::Position,
        Self::Games,
    ];
}

/// What has to be asked before it is done: where a file is, or for a yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prompt {
    /// Where to save the game.
    Save,
    /// Which record to watch.
    Open,
    /// Which record to analyse.
    Analyse,
    /// Where to write an animation or a picture.
    Export,
    /// Whether the game is given up.
    Resign,
    /// Whether the same game is begun anew, where the one on the table would
    /// be lost.
    Rematch,
    /// Whether to play on from the replay, where the game on the table would
    /// be lost.
    PlayOn,
}

impl Prompt {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Save,
        Self::Open,
        Self::Analyse,
        Self::Export,
        Self::Resign,
        Self::Rematch,
        Self::PlayOn,
    ];
}
