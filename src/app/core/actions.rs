//! What the player can do: one named [`Action`] for each.
//!
//! Architecture invariant: whatever a player does in a game, by a click, a key or a typed
//! move, is an [`Action`], as it is in scripts and tests. The referee alone
//! plays it.
//!
//! All inputs write [`Action`]. Each is sent on, in the same frame, as the message of its
//! concern ([`GameAction`], [`ViewAction`], ...), which the parts of the app read.

use std::path::PathBuf;

use bevy::prelude::*;
use strum::{IntoStaticStr, VariantArray, VariantNames};

use crate::{
    app::core::{
        schedule::AppSet,
        states::{Dialog, Prompt},
    },
    games::{GameKind, RuleSet, Side, Square},
    online::Terms,
    records::{NodeId, Shape},
    session::{PieceKind, Seat, Setup, ThrowState, puzzles::Theme},
};

/// Adds the messages of all concerns.
pub(super) fn plugin(app: &mut App) {
    app.add_message::<Action>()
        .add_message::<GameAction>()
        .add_message::<ViewAction>()
        .add_message::<ReplayAction>()
        .add_message::<UiAction>()
        .add_message::<EditorAction>()
        .add_message::<OnlineAction>()
        .add_systems(Update, dispatch.in_set(AppSet::Dispatch));
}

/// Sends each action on as the message of its concern.
fn dispatch(
    mut actions: MessageReader<Action>,
    mut game: MessageWriter<GameAction>,
    mut view: MessageWriter<ViewAction>,
    mut replay: MessageWriter<ReplayAction>,
    mut ui: MessageWriter<UiAction>,
    mut editor: MessageWriter<EditorAction>,
    mut online: MessageWriter<OnlineAction>,
) {
    for action in actions.read().cloned() {
        match action {
            Action::Game(action) => _ = game.write(action),
            Action::View(action) => _ = view.write(action),
            Action::Replay(action) => _ = replay.write(action),
            Action::Ui(action) => _ = ui.write(action),
            Action::Editor(action) => _ = editor.write(action),
            Action::Online(action) => _ = online.write(action),
        }
    }
}

/// A direction on the board, seen from the near seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Away from the near seat.
    Up,
    /// Towards the near seat.
    Down,
}

/// One action of the player, from any input. Read by parts that follow the order of
/// several concerns; all others read the message of theirs.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Action {
    /// Plays, browses and saves the current game.
    Game(GameAction),
    /// Changes how a position is shown, not the position.
    View(ViewAction),
    /// Opens records and steps through them.
    Replay(ReplayAction),
    /// Moves between screens, dialogs and files.
    Ui(UiAction),
    /// Sets up a position.
    Editor(EditorAction),
    /// Plays with a person elsewhere.
    Online(OnlineAction),
}

/// Plays, browses and saves the current game.
#[derive(Message, Clone, Debug, PartialEq, IntoStaticStr, VariantNames)]
pub enum GameAction {
    /// Select a square: a piece, a destination, a plot.
    SelectSquare(Square),
    /// Drop the selected piece on a square: move it there, or say why it cannot move.
    DropPiece(Square),
    /// Clear the selection.
    Deselect,
    /// Move the keyboard's cursor on the board.
    MoveCursor(Direction),
    /// Put the keyboard's cursor on a square.
    PlaceCursor(Square),
    /// Select the square under the cursor, or throw the sticks where a throw is due.
    PressCursor,
    /// Answer the open question with its n-th choice, from 0.
    Answer(usize),
    /// Throw the casting sticks.
    Throw,
    /// Let the sticks be thrown without a click, or throw them by hand again.
    ToggleAutomaticThrows,
    /// Enter a throw made by hand, as the number of plain sides that show.
    EnterThrow(u8),
    /// Play a move written as text.
    TypeMove(String),
    /// Take back the last ply (against an engine: back to the player's own turn).
    Undo,
    /// Take back the whole turn (Tablan).
    UndoTurn,
    /// Replay what was taken back.
    Redo,
    /// Resign.
    Resign,
    /// Offer a draw.
    OfferDraw,
    /// Ask the strongest level for a move.
    Hint,
    /// Show the position after this many plies without changing the game.
    ViewPly(usize),
    /// Show the position one ply earlier.
    ViewPreviousPly,
    /// Show the position one ply later.
    ViewNextPly,
    /// Start a new game from the ply shown; the old game stays saved.
    Branch,
    /// Start a game.
    NewGame(Setup),
    /// Start another game, or match, with the same setup and swapped sides.
    Rematch,
    /// Start another game, or match, with the same setup and the same sides.
    RematchSameSides,
    /// Start the next game of the match.
    NextGame,
    /// Write the game to a file.
    Save(PathBuf),
    /// Open a record and continue its game.
    ResumeFile(PathBuf),
    /// Delete a saved game.
    DeleteSave(PathBuf),
    /// Start the lesson of a game, or resume it at the last step reached.
    StartLesson(GameKind),
    /// Go to the next step of the lesson; from the last one, to the title.
    NextLessonStep,
    /// Go to the previous step of the lesson.
    PreviousLessonStep,
    /// Go to the first step of the lesson.
    FirstLessonStep,
    /// Practise on the mistakes of the game that is shown; on the title, of the last finished
    /// one that may have any.
    LearnFromMistakes,
    /// Practise on the mistakes of the finished game before the one that was practised.
    LearnFromEarlier,
    /// Practise on the mistakes of a saved game.
    LearnFromSaved(PathBuf),
    /// Leave the practice or the puzzles and go back to the game.
    LeavePractice,
    /// Play the game that a lesson has taught, or that was practised.
    PlayTaught,
    /// Solve puzzles by these rules; without, by those of the game that is shown, or
    /// else of the one that is chosen on the title.
    StartPuzzles(Option<RuleSet>),
    /// Show puzzles with this theme only; without, with any, which alone are rated.
    FilterPuzzles(Option<Theme>),
}

/// The games that the opening explorer counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray)]
pub enum ExplorerSource {
    /// Those of the shipped book.
    #[default]
    Book,
    /// The user's own saved games.
    OwnGames,
}

/// Changes how a position is shown, not the position.
#[derive(Message, Clone, Debug, PartialEq, IntoStaticStr, VariantNames)]
pub enum ViewAction {
    /// Show or hide threats.
    ToggleThreats,
    /// Show or hide the evaluation.
    ToggleEvaluation,
    /// Start or stop the analysis of every position shown.
    ToggleAnalysis,
    /// Move the camera back to the seat.
    ResetCamera,
    /// Look from above, or from the seat again.
    ToggleTopView,
    /// Show the board as a flat diagram, or as a table again.
    ToggleDiagram,
    /// Look from the other player's seat.
    FlipBoard,
    /// Show or hide the course of Tablan's pieces.
    ToggleCourse,
    /// Show or hide the opening explorer.
    ToggleExplorer,
    /// Choose whose games the explorer counts.
    SetExplorerSource(ExplorerSource),
    /// Ask this engine of the list for a second opinion; none without.
    AskEngine(Option<String>),
    /// Show or hide the panels beside the board.
    TogglePanels,
    /// Begin or end photo mode.
    TogglePhoto,
    /// Skip to the end of all running animations.
    FinishAnimations,
}

/// Opens records and steps through them.
#[derive(Message, Clone, Debug, PartialEq, IntoStaticStr, VariantNames)]
pub enum ReplayAction {
    /// Open a record as a replay.
    Open {
        /// The file.
        path: PathBuf,
        /// Whether its analysis starts at once.
        analyse: bool,
    },
    /// Open a game of a file as a replay, at this ply.
    OpenAt {
        /// The file.
        path: PathBuf,
        /// The game's number in the file, from 1.
        game: usize,
        /// The number of plies to show.
        ply: usize,
    },
    /// Choose another game of the file that was opened last, from 0.
    PickGame(usize),
    /// Watch the current game as a replay.
    WatchGame,
    /// Watch the current game as a replay with its analysis.
    AnalyseGame,
    /// Play or pause.
    TogglePlay,
    /// Step one ply forward.
    StepForward,
    /// Step one ply back.
    StepBack,
    /// Go to this number of plies.
    Jump(usize),
    /// Play at this many times the usual speed.
    SetSpeed(f32),
    /// Start over at the end, or stop there.
    ToggleLoop,
    /// Leave the replay and continue the game from the ply shown.
    PlayFromHere,
    /// Let the camera follow the moves, or keep it still.
    ToggleAutoCamera,
    /// Go to a position of the main line or of a variation.
    GoTo(NodeId),
    /// Move the variation that is shown one place up.
    Promote,
    /// Make the variation that is shown the main line.
    MakeMain,
    /// Delete the move that is shown and all behind it.
    DeleteFromHere,
    /// Set the glyph of the move that is shown (`!` is 1), or remove it.
    SetGlyph(Option<u8>),
    /// Set the comment on the position that is shown.
    SetComment(String),
    /// Draw a circle or an arrow, or remove it.
    ToggleShape(Shape),
    /// Remove the circles and arrows of the position that is shown.
    ClearShapes,
    /// Save the record with its changes to this file, on whatever screen.
    Save(PathBuf),
    /// Let the next action leave the replay although its changes are in no file.
    DiscardChanges,
}

/// What an export is, what it shows, and how large.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// What is written.
    pub form: ExportForm,
    /// The part of the game that an animation shows.
    pub part: ExportPart,
    /// The size.
    pub size: ExportSize,
    /// How long an animation rests after each move.
    pub pause: ExportPause,
    /// Whether the players, their clocks and the last move are left out.
    pub board_alone: bool,
}

/// What an export writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray)]
pub enum ExportForm {
    /// The position shown, as a PNG.
    Picture,
    /// An animation of the game, as a GIF.
    #[default]
    Animation,
    /// The pictures of the animation one by one, for a film.
    Frames,
}

impl ExportForm {
    /// The extension of the file or the folder.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Picture => "png",
            Self::Animation => "gif",
            Self::Frames => "frames",
        }
    }
}

/// How long an animation rests after each move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray)]
pub enum ExportPause {
    /// As in a replay.
    #[default]
    Short,
    /// Long enough to read the move.
    Long,
    /// Long enough to think about it.
    Longest,
}

impl ExportPause {
    /// In seconds.
    pub const fn seconds(self) -> &'static str {
        match self {
            Self::Short => "0.4",
            Self::Long => "1.5",
            Self::Longest => "4",
        }
    }
}

/// The part of a game that an animation shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray)]
pub enum ExportPart {
    /// From the start to the end.
    #[default]
    WholeGame,
    /// From the start to the ply shown.
    ToShownPly,
    /// From the ply shown to the end.
    FromShownPly,
}

/// The size of an animation or a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray)]
pub enum ExportSize {
    /// For a message.
    Small,
    /// For a page.
    #[default]
    Medium,
    /// For print.
    Large,
}

impl ExportSize {
    /// Width and height of an animation, in pixels: a larger one is too large to mail.
    pub const fn animation(self) -> &'static str {
        match self {
            Self::Small => "480x360",
            Self::Medium => "640x480",
            Self::Large => "1280x960",
        }
    }

    /// Width and height of a picture, in pixels.
    pub const fn picture(self) -> &'static str {
        match self {
            Self::Small => "800x600",
            Self::Medium => "1600x1200",
            Self::Large => "3200x2400",
        }
    }
}

/// Moves between screens, dialogs and files.
#[derive(Message, Clone, Debug, PartialEq, IntoStaticStr, VariantNames)]
pub enum UiAction {
    /// Copy the game as text.
    Copy,
    /// Copy a link that contains the game, or the position in the editor.
    CopyLink,
    /// Export the game as an animation, or the board as a picture.
    Export {
        /// The file; its extension says which of them.
        path: PathBuf,
        /// The part of the game, and the size.
        options: ExportOptions,
    },
    /// Save the picture of photo mode to this PNG file, so many pixels on its long side.
    SavePhoto {
        /// The file.
        path: PathBuf,
        /// Pixels of the long side.
        pixels: u32,
    },
    /// Cancel all exports; their partial files are deleted.
    StopExport,
    /// Go to the title screen; the game stays saved.
    ShowTitle,
    /// Go back to the current game.
    ShowTable,
    /// Open a dialog.
    OpenDialog(Dialog),
    /// Close the open dialog.
    CloseDialog,
    /// Dismiss what lies over the board: a notice, the result of the game.
    Dismiss,
    /// Ask for a file, or for confirmation, before an action.
    Prompt(Prompt),
    /// Ask whether the changes of the replay may be lost, and then do this.
    AskToDiscard(Box<Action>),
    /// Quit the program; what would be lost is asked about.
    Quit,
    /// Quit the program, whatever is lost.
    QuitAnyway,
}

/// Sets up a position.
#[derive(Message, Clone, Debug, PartialEq, IntoStaticStr, VariantNames)]
pub enum EditorAction {
    /// Open the editor with the position shown; where none is shown, with one
    /// of these rules, or with the position edited last.
    Enter(Option<RuleSet>),
    /// Change the rules.
    SetRules(RuleSet),
    /// Choose the piece that a click puts down; none removes pieces.
    SelectTool(Option<PieceKind>),
    /// Move a piece, or remove it from the board.
    MovePiece(Square, Option<Square>),
    /// Set the side to move.
    SetSideToMove(Side),
    /// Set the state of the casting sticks.
    SetSticks(ThrowState),
    /// Set who plays from here, by [`Side::index`].
    SetSeats([Seat; 2]),
    /// Clear the board.
    Clear,
    /// Set up the start of the game.
    SetStartPosition,
    /// Set up a position written as text.
    SetText(String),
    /// Analyse the position.
    Analyse,
    /// Leave the editor.
    Leave,
}

/// Plays with a person elsewhere.
#[derive(Message, Clone, Debug, PartialEq, IntoStaticStr, VariantNames)]
pub enum OnlineAction {
    /// Create a game on a server and sit down.
    Create {
        /// The address of the server's page.
        page: String,
        /// What the game is played by.
        terms: Terms,
        /// The player's side.
        side: Side,
        /// The player's name; empty for a guest.
        name: String,
    },
    /// Let another device play on the player's seat.
    Admit {
        /// The code that it shows.
        code: String,
    },
    /// Open a link: sit down, go on, or watch.
    Join {
        /// The link.
        link: String,
        /// The player's name; empty for a guest.
        name: String,
    },
    /// Leave the game; it can be joined again.
    Leave,
}

macro_rules! concerns {
    ($($concern:ident($actions:ident)),+) => {
        $(impl From<$actions> for Action {
            fn from(action: $actions) -> Self {
                Self::$concern(action)
            }
        })+

        impl Action {
            /// The names of all actions: that of the concern, and its own.
            pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
                let concerns = [$((stringify!($concern), $actions::VARIANTS)),+];
                let of = |(concern, names): (_, &'static [_])| names.iter().map(move |name| (concern, *name));
                concerns.into_iter().flat_map(of)
            }

            /// One of [`Self::names`], for tests.
            pub fn name(&self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$concern(action) => (stringify!($concern), action.into()),)+
                }
            }
        }
    };
}

concerns!(
    Game(GameAction),
    View(ViewAction),
    Replay(ReplayAction),
    Ui(UiAction),
    Editor(EditorAction),
    Online(OnlineAction)
);

impl Action {
    /// Whether it puts another game or an exercise on the table.
    pub(crate) const fn starts_game(&self) -> bool {
        use GameAction as Act;
        matches!(
            self,
            Self::Game(
                Act::NewGame(_)
                    | Act::Rematch
                    | Act::RematchSameSides
                    | Act::NextGame
                    | Act::ResumeFile(_)
                    | Act::StartLesson(_)
                    | Act::StartPuzzles(_)
            )
        )
    }

    /// Whether it opens another replay.
    pub(crate) const fn opens_replay(&self) -> bool {
        use ReplayAction as Act;
        matches!(
            self,
            Self::Replay(
                Act::Open { .. }
                    | Act::OpenAt { .. }
                    | Act::PickGame(_)
                    | Act::WatchGame
                    | Act::AnalyseGame
            )
        )
    }
}

impl ReplayAction {
    /// Opens a record as a replay, without analysis.
    pub const fn open(path: PathBuf) -> Self {
        Self::Open { path, analyse: false }
    }
}
