//! What a person can do, under one name each.
//!
//! Architecture invariant: a click, a key, a typed move, a script and a test
//! all become the same [`Action`]; nothing else changes a game.

use std::path::PathBuf;

use bevy::prelude::*;

use crate::{
    app::core::states::{Dialog, Prompt},
    games::{GameKind, RuleSet, Side, Square},
    table::{Figure, Seat, Setup, Waiting},
    words::find,
};

/// A way over the board, as the near seat sees it.
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

macro_rules! actions {
    (
        $(#[$enum_doc:meta])+ $enum:ident {
            $(
                $(#[$doc:meta])+
                $name:ident $(($($held:ty),+))? $({ $($(#[$about:meta])+ $field:ident: $type:ty,)+ })?
                    => $id:literal,
            )+
        }
    ) => {
        $(#[$enum_doc])+
        #[derive(Clone, Debug, PartialEq)]
        pub enum $enum {
            $($(#[$doc])+ $name $(($($held),+))? $({ $($(#[$about])+ $field: $type,)+ })?,)+
        }

        impl $enum {
            /// The stable names of these actions.
            pub const IDS: &'static [&'static str] = &[$($id),+];

            /// A stable name for keys, scripts and logs.
            #[must_use]
            pub const fn id(&self) -> &'static str {
                match self {
                    $(Self::$name { .. } => $id,)+
                }
            }
        }
    };
}

/// One action of a person, whatever input it came from.
#[derive(Message, Clone, Debug, PartialEq)]
pub enum Action {
    /// Plays, views and keeps the game on the table.
    Game(GameAction),
    /// Changes what is shown of a position, not the position.
    View(ViewAction),
    /// Opens records and steps through them.
    Replay(ReplayAction),
    /// Moves between screens, dialogs and files.
    Ui(UiAction),
    /// Sets up a position.
    Editor(EditorAction),
}

impl From<GameAction> for Action {
    fn from(action: GameAction) -> Self {
        Self::Game(action)
    }
}

impl From<ViewAction> for Action {
    fn from(action: ViewAction) -> Self {
        Self::View(action)
    }
}

impl From<ReplayAction> for Action {
    fn from(action: ReplayAction) -> Self {
        Self::Replay(action)
    }
}

impl From<UiAction> for Action {
    fn from(action: UiAction) -> Self {
        Self::Ui(action)
    }
}

impl From<EditorAction> for Action {
    fn from(action: EditorAction) -> Self {
        Self::Editor(action)
    }
}

actions! {
    /// Plays, views and keeps the game on the table.
    GameAction {
        /// Touch a square: choose a piece, a destination, a plot.
        SelectSquare(Square) => "touch",
        /// Let go of what is chosen.
        Deselect => "let-go",
        /// Move the cursor on the board.
        MoveCursor(Direction) => "cursor",
        /// Touch the square under the cursor, or throw where a throw is due.
        PressCursor => "press",
        /// Answer the question on the table with its n-th choice.
        Answer(usize) => "answer",
        /// Throw the casting sticks.
        Throw => "throw",
        /// Tell how many plain sides the sticks thrown by hand show.
        EnterThrow(u8) => "put-throw",
        /// Play a move written as text.
        TypeMove(String) => "type",
        /// Take the last ply back (against an engine: back to one's own turn).
        Undo => "undo",
        /// Take the whole turn back (Tablan).
        UndoTurn => "undo-turn",
        /// Play again what was taken back.
        Redo => "redo",
        /// Give the game up.
        Resign => "resign",
        /// Offer a draw.
        OfferDraw => "offer-draw",
        /// Ask the strongest level for a move.
        Hint => "hint",
        /// Look at the game after so many plies, while it stands.
        ViewPly(usize) => "look",
        /// Look one ply further back.
        ViewPreviousPly => "look-back",
        /// Look one ply further on.
        ViewNextPly => "look-on",
        /// Play on from the ply looked at; the game as it was is kept.
        Branch => "branch",
        /// Begin a game.
        NewGame(Setup) => "new-game",
        /// Begin the same game anew.
        Rematch => "rematch",
        /// Write the game to a file.
        Save(PathBuf) => "save",
        /// Open a record and play on from where it ends.
        ResumeFile(PathBuf) => "resume",
        /// Throw a kept game away.
        DeleteSave(PathBuf) => "forget",
        /// Begin the lesson of a game, or go on with it where it was left.
        StartLesson(GameKind) => "learn",
        /// Lesson: the next step, or after the last one back to the title.
        NextLessonStep => "next-step",
        /// Lesson: the step before.
        PreviousLessonStep => "previous-step",
        /// Lesson: from the first step on.
        FirstLessonStep => "first-step",
    }
}

actions! {
    /// Changes what is shown of a position, not the position.
    ViewAction {
        /// Show or hide what can happen next.
        ToggleThreats => "threats",
        /// Show or hide who is ahead.
        ToggleEvaluation => "value",
        /// Have an engine judge every position and show the best lines, or no
        /// longer.
        ToggleAnalysis => "analyse",
        /// Put the camera back to the seat.
        ResetCamera => "reset-view",
        /// Look from above, or back.
        ToggleTopView => "top-view",
        /// Look from the other player's seat.
        FlipBoard => "turn-table",
        /// Show or hide the course of Tablan's pieces.
        ToggleCourse => "course",
        /// Show all running animations' ends at once.
        FinishAnimations => "hurry",
    }
}

actions! {
    /// Opens records and steps through them.
    ReplayAction {
        /// Open a record as a replay.
        Open {
            /// The file.
            path: PathBuf,
            /// Whether its analysis starts at once.
            analyse: bool,
        } => "open",
        /// Take another game of the file that was opened last.
        PickGame(usize) => "pick",
        /// Watch the game on the table as a replay.
        WatchGame => "watch",
        /// Replay: play or pause.
        TogglePlay => "toggle-play",
        /// Replay: one ply on.
        StepForward => "step-forward",
        /// Replay: one ply back.
        StepBack => "step-back",
        /// Replay: to this number of plies.
        Jump(usize) => "jump",
        /// Replay: this many times the usual speed.
        SetSpeed(f32) => "speed",
        /// Replay: begin again at the end, or not.
        ToggleLoop => "loop",
        /// Replay: leave it and play on from the ply shown.
        PlayFromHere => "play-on",
        /// Replay: have the camera follow what happens, or no longer.
        ToggleAutoCamera => "auto-camera",
    }
}

actions! {
    /// Moves between screens, dialogs and files.
    UiAction {
        /// Copy the game as text.
        Copy => "copy",
        /// Copy a link that carries the game, or the position being set up.
        CopyLink => "copy-link",
        /// Write the game as an animation, or the board as a picture.
        Export(PathBuf) => "export",
        /// Stop writing animations and pictures; nothing of them is left.
        StopExport => "stop-export",
        /// Go to the title screen; the game is kept.
        ShowTitle => "title",
        /// Go back to the game on the table.
        ShowTable => "table",
        /// Open a sheet.
        OpenDialog(Dialog) => "show",
        /// Close the sheet that is open.
        CloseDialog => "close",
        /// Put away what is written over the board: a notice, the end of the game.
        Dismiss => "dismiss",
        /// Ask for what is needed before something can be done.
        Prompt(Prompt) => "ask",
        /// Leave the program.
        Quit => "quit",
    }
}

actions! {
    /// Sets up a position.
    EditorAction {
        /// Set a position up: the one looked at; where none is, one by these
        /// rules, or what was set up last.
        Enter(Option<RuleSet>) => "set-up",
        /// Set-up: by these rules.
        SetRules(RuleSet) => "edit-rules",
        /// Set-up: what a touch puts down; none takes off.
        SelectTool(Option<Figure>) => "edit-tool",
        /// Set-up: move a piece, or take it off the board.
        MovePiece(Square, Option<Square>) => "edit-move",
        /// Set-up: who acts next.
        SetSideToMove(Side) => "edit-side",
        /// Set-up: what the sticks wait for.
        SetSticks(Waiting) => "edit-sticks",
        /// Set-up: who is to play from here, by [`Side::index`].
        SetSeats([Seat; 2]) => "edit-seats",
        /// Set-up: nothing on the board.
        Clear => "edit-clear",
        /// Set-up: the start of the game.
        SetStartPosition => "edit-start",
        /// Set-up: a position as text.
        SetText(String) => "edit-text",
        /// Set-up: analyse the position.
        Analyse => "edit-analyse",
        /// Set-up: leave it.
        Leave => "edit-done",
    }
}

impl ReplayAction {
    /// Opens a record as a replay, without analysis.
    #[must_use]
    pub const fn open(path: PathBuf) -> Self {
        Self::Open { path, analyse: false }
    }
}

impl Action {
    /// The stable names of all actions.
    pub fn ids() -> impl Iterator<Item = &'static str> {
        [GameAction::IDS, ViewAction::IDS, ReplayAction::IDS, UiAction::IDS, EditorAction::IDS]
            .into_iter()
            .flatten()
            .copied()
    }

    /// A stable name for keys, scripts and logs.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Game(action) => action.id(),
            Self::View(action) => action.id(),
            Self::Replay(action) => action.id(),
            Self::Ui(action) => action.id(),
            Self::Editor(action) => action.id(),
        }
    }

    /// What people call it, in the language spoken now.
    #[must_use]
    pub fn name(&self) -> &'static str {
        find(&format!("act.{}", self.id())).unwrap_or_else(|| self.id())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::words::Language;

    #[test]
    fn every_act_has_an_id_and_a_name_of_its_own_in_each_language() {
        let ids: BTreeSet<_> = Action::ids().collect();
        assert_eq!(ids.len(), Action::ids().count());
        for language in Language::ALL {
            let names: BTreeSet<_> = Action::ids()
                .map(|id| {
                    language.texts().get(&format!("act.{id}")).unwrap_or_else(|| panic!("{id}"))
                })
                .collect();
            assert_eq!(names.len(), Action::ids().count(), "{}", language.name());
        }
        assert_eq!(Action::from(GameAction::Undo).name(), "Take back");
    }
}
