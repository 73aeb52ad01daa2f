//! What a person can do, under one name each.
//!
//! Architecture invariant: a click, a key, a typed move, a script and a test
//! all become the same [`Act`]; nothing else changes a game.

use std::path::PathBuf;

use bevy::prelude::*;

use super::settings::Settings;
use crate::{
    games::{GameKind, RuleSet, Side, Square},
    i18n::lookup,
    table::{PieceKind, Seat, Setup, ThrowState},
};

/// A sheet that can be opened over any screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sheet {
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

impl Sheet {
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
pub enum Asking {
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

impl Asking {
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

/// A way over the board, as the near seat sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Away from the near seat.
    Up,
    /// Towards the near seat.
    Down,
}

macro_rules! acts {
    ($($(#[$doc:meta])+ $name:ident $(($($held:ty),+))? => $id:literal,)+) => {
        /// One act of a person.
        #[derive(Message, Clone, Debug, PartialEq)]
        pub enum Act {
            $($(#[$doc])+ $name $(($($held),+))?,)+
        }

        impl Act {
            /// The stable names of all acts.
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

acts! {
    /// Touch a square: choose a piece, a destination, a plot.
    Touch(Square) => "touch",
    /// Let go of what is chosen.
    LetGo => "let-go",
    /// Move the cursor on the board.
    Cursor(Way) => "cursor",
    /// Touch the square under the cursor, or throw where a throw is due.
    Press => "press",
    /// Answer the question on the table with its n-th choice.
    Answer(usize) => "answer",
    /// Throw the casting sticks.
    Throw => "throw",
    /// Tell how many plain sides the sticks thrown by hand show.
    PutThrow(u8) => "put-throw",
    /// Play a move written as text.
    Type(String) => "type",
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
    /// Show or hide what can happen next.
    Threats => "threats",
    /// Show or hide who is ahead.
    Value => "value",
    /// Look at the game after so many plies, while it stands.
    Look(usize) => "look",
    /// Look one ply further back.
    LookBack => "look-back",
    /// Look one ply further on.
    LookOn => "look-on",
    /// Play on from the ply looked at; the game as it was is kept.
    Branch => "branch",
    /// Begin a game.
    NewGame(Setup) => "new-game",
    /// Begin the same game anew.
    Rematch => "rematch",
    /// Write the game to a file.
    Save(PathBuf) => "save",
    /// Open a record as a replay.
    Open(PathBuf) => "open",
    /// Take another game of the file that was opened last.
    Pick(usize) => "pick",
    /// Open a record and play on from where it ends.
    Resume(PathBuf) => "resume",
    /// Throw a kept game away.
    Forget(PathBuf) => "forget",
    /// Copy the game as text.
    Copy => "copy",
    /// Copy a link that carries the game, or the position being set up.
    CopyLink => "copy-link",
    /// Write the game as an animation, or the board as a picture.
    Export(PathBuf) => "export",
    /// Stop writing animations and pictures; nothing of them is left.
    StopExport => "stop-export",
    /// Begin the lesson of a game, or go on with it where it was left.
    Learn(GameKind) => "learn",
    /// Lesson: the next step, or after the last one back to the title.
    NextStep => "next-step",
    /// Lesson: the step before.
    PreviousStep => "previous-step",
    /// Lesson: from the first step on.
    FirstStep => "first-step",
    /// Go to the title screen; the game is kept.
    Title => "title",
    /// Go back to the game on the table.
    Table => "table",
    /// Watch the game on the table as a replay.
    Watch => "watch",
    /// Replay: play or pause.
    TogglePlay => "toggle-play",
    /// Replay: one ply on.
    StepForward => "step-forward",
    /// Replay: one ply back.
    StepBack => "step-back",
    /// Replay: to this number of plies.
    Jump(usize) => "jump",
    /// Replay: this many times the usual speed.
    Speed(f32) => "speed",
    /// Replay: begin again at the end, or not.
    Loop => "loop",
    /// Have an engine judge every position and show the best lines, or no
    /// longer.
    Analyse => "analyse",
    /// Replay: leave it and play on from the ply shown.
    PlayOn => "play-on",
    /// Replay: have the camera follow what happens, or no longer.
    AutoCamera => "auto-camera",
    /// Set a position up: the one looked at; where none is, one by these
    /// rules, or what was set up last.
    SetUp(Option<RuleSet>) => "set-up",
    /// Set-up: by these rules.
    EditRules(RuleSet) => "edit-rules",
    /// Set-up: what a touch puts down; none takes off.
    EditTool(Option<PieceKind>) => "edit-tool",
    /// Set-up: move a piece, or take it off the board.
    EditMove(Square, Option<Square>) => "edit-move",
    /// Set-up: who acts next.
    EditSide(Side) => "edit-side",
    /// Set-up: what the sticks wait for.
    EditSticks(ThrowState) => "edit-sticks",
    /// Set-up: who is to play from here, by [`Side::index`].
    EditSeats([Seat; 2]) => "edit-seats",
    /// Set-up: nothing on the board.
    EditClear => "edit-clear",
    /// Set-up: the start of the game.
    EditStart => "edit-start",
    /// Set-up: a position as text.
    EditText(String) => "edit-text",
    /// Set-up: analyse the position.
    EditAnalyse => "edit-analyse",
    /// Set-up: leave it.
    EditDone => "edit-done",
    /// Put the camera back to the seat.
    ResetView => "reset-view",
    /// Look from above, or back.
    TopView => "top-view",
    /// Look from the other player's seat.
    TurnTable => "turn-table",
    /// Show or hide the course of Tablan's pieces.
    Course => "course",
    /// Show all running animations' ends at once.
    Hurry => "hurry",
    /// Open a sheet.
    Show(Sheet) => "show",
    /// Close the sheet that is open.
    Close => "close",
    /// Put away what is written over the board: a notice, the end of the game.
    Dismiss => "dismiss",
    /// Ask for what is needed before something can be done.
    Ask(Asking) => "ask",
    /// Set the program up so.
    Configure(Settings) => "configure",
    /// Leave the program.
    Quit => "quit",
}

impl Act {
    /// What people call it, in the language spoken now.
    #[must_use]
    pub fn name(&self) -> &'static str {
        lookup(&format!("act.{}", self.id())).unwrap_or_else(|| self.id())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::i18n::Language;

    #[test]
    fn every_act_has_an_id_and_a_name_of_its_own_in_each_language() {
        let ids: BTreeSet<_> = Act::IDS.iter().collect();
        assert_eq!(ids.len(), Act::IDS.len());
        for language in Language::ALL {
            let names: BTreeSet<_> = Act::IDS
                .iter()
                .map(|id| {
                    language.texts().get(&format!("act.{id}")).unwrap_or_else(|| panic!("{id}"))
                })
                .collect();
            assert_eq!(names.len(), Act::IDS.len(), "{}", language.name());
        }
        assert_eq!(Act::Undo.name(), "Take back");
    }
}
