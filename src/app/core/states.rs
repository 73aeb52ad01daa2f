//! What the program shows: the screen, the dialog or prompt over it, and what
//! follows from them for the game and the keyboard.

use bevy::prelude::*;

/// Adds the screen, and what the UI says about itself.
pub(crate) fn plugin(app: &mut App) {
    app.init_state::<Screen>()
        .init_resource::<OpenDialog>()
        .init_resource::<Paused>()
        .init_resource::<UiFocus>();
}

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

/// The dialog that is open over the screen. The UI opens and closes it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenDialog(pub(crate) Option<Dialog>);

/// Run condition: this dialog is open.
pub(crate) fn dialog_is(dialog: Dialog) -> impl Fn(Res<OpenDialog>) -> bool + Clone {
    move |open| open.0 == Some(dialog)
}

/// Whether the game waits because something is open over it: every dialog
/// except the one a move is typed in, or the choice of a file. The UI writes it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Paused(pub(crate) bool);

/// What the UI keeps from the keys of the board. The UI writes it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct UiFocus {
    /// Whether a dialog or a question for confirmation has the keyboard: the
    /// board's keys do nothing.
    pub(crate) keyboard: bool,
    /// Whether a toast or a banner lies over the board, which
    /// [`Dismiss`](super::actions::UiAction::Dismiss) closes.
    pub(crate) dismissible: bool,
}

/// Run condition: no dialog has the keyboard.
pub(crate) fn board_has_keyboard(focus: Res<UiFocus>) -> bool {
    !focus.keyboard
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
