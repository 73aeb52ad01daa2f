//! What the program shows: the screen, the dialog or prompt over it, and what
//! follows from them for the game and the keyboard.

use bevy::prelude::*;
use strum::VariantArray;

/// Adds the screen, and what the UI says about itself.
pub(crate) fn plugin(app: &mut App) {
    app.init_state::<Screen>()
        .init_resource::<OpenDialog>()
        .init_resource::<ExportRunning>()
        .init_resource::<UiFocus>()
        .init_resource::<PanelsHidden>();
}

/// The screen that is shown.
#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Screen {
    /// The title, where a game is chosen.
    #[default]
    Title,
    /// The current game.
    Table,
    /// A replay of a record.
    Replay,
    /// The position editor.
    Editor,
}

/// What is on the table, whatever screen is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnTable {
    /// A game at this table, or none yet.
    #[default]
    Game,
    /// A game with a person elsewhere.
    OnlineGame,
    /// A step of a lesson.
    Lesson,
    /// A mistake of a finished game, to be done better.
    Practice,
    /// A puzzle.
    Puzzle,
}

impl OnTable {
    /// Whether it is a lesson, practice or a puzzle, while the game waits.
    pub const fn is_exercise(self) -> bool {
        matches!(self, Self::Lesson | Self::Practice | Self::Puzzle)
    }
}

/// A dialog, which can be opened over any screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum Dialog {
    /// The menu of everything besides playing.
    Menu,
    /// The command palette: all commands, searched by words.
    Commands,
    /// How to play, and the keys.
    Help,
    /// The saved games.
    Recent,
    /// The finished games, ratings and statistics.
    History,
    /// The settings.
    Settings,
    /// The throws of the game and their statistics.
    Throws,
    /// A line to type a move in.
    TypeMove,
    /// The comment on the position of a replay.
    Comment,
    /// The version, the credits and the sources of the rules.
    About,
    /// The key bindings.
    Keys,
    /// The room and the pieces, chosen beside the board that shows them.
    Look,
    /// The position in the editor, as text.
    Position,
    /// The games of the file that was opened last.
    Games,
    /// The part of the game to export, and the size.
    Export,
    /// Playing with a person elsewhere.
    Online,
    /// The list of other engines.
    Engines,
    /// Everything about a new game that the title does not ask.
    NewGame,
}

/// The dialog that is open over the screen. The UI opens and closes it.
///
/// It is a resource and no Bevy state, since states change once a frame, before
/// [`Update`]: an action opens a dialog in the frame in which it is shown, and the keyboard
/// is the board's again in the frame in which it closes.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenDialog(pub(crate) Option<Dialog>);

/// Run condition: this dialog is open.
pub(crate) fn dialog_is(dialog: Dialog) -> impl Fn(Res<OpenDialog>) -> bool + Clone {
    move |open| open.0 == Some(dialog)
}

/// Whether a picture or an animation is being exported, which quitting would lose.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExportRunning(pub(crate) bool);

/// Whether the panels beside the board are hidden. The title always has its choices.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PanelsHidden(pub bool);

/// What is open over the board, and has the keyboard in its place. The UI writes it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct UiFocus {
    /// Whether a dialog, a question for confirmation, a list or a text field has the
    /// keyboard: the board's keys do nothing.
    pub(crate) keyboard: bool,
    /// Whether the menu is open and nothing over it: the keys that it shows act.
    pub(crate) menu: bool,
    /// Whether a square of the board has the focus: the keys that else move the focus or
    /// press a button are the board's.
    pub(crate) board: bool,
    /// Whether a toast or a banner lies over the board, which
    /// [`Dismiss`](super::actions::UiAction::Dismiss) closes.
    pub(crate) dismissible: bool,
    /// Whether what moves behind the panels pauses, because something is open over it: a
    /// dialog, except the one that a move is typed in; the choice of a file; or a
    /// confirmation. The game and its clocks go on.
    pub(crate) pauses: bool,
}

/// What must be known before an action: a file, or a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum Prompt {
    /// Where to save the game; a replay has a file, usually.
    Save,
    /// Where to save the replay, whether it has a file or not.
    SaveAs,
    /// Which record to replay.
    Open,
    /// Which record to analyse.
    Analyse,
    /// What to export, and where to.
    Export,
    /// Confirm that the player resigns.
    Resign,
    /// Confirm a rematch that would replace the current game.
    Rematch,
    /// Confirm that play continues from the replay, which would replace the
    /// current game.
    PlayOn,
}
