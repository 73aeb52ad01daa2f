//! Which keys do what: the commands that have keys, the usual ones, and those
//! that a person has chosen instead.
//!
//! A key is named by its place, with the letter that stands there on an
//! American keyboard. Keys that walk through buttons and press them (Tab,
//! arrows, Enter, Space on a button; Escape in a dialog) belong to the panels
//! and stay as they are.

mod chord;

use std::collections::BTreeMap;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use self::chord::{both, command, key, shift};
use crate::{
    app::{
        core::{
            actions::{
                Action, Direction, EditorAction, GameAction, ReplayAction, UiAction, ViewAction,
            },
            states::{Dialog, Prompt, Screen},
        },
        platform::ON_A_PAGE,
    },
    games::{RuleSet, Side},
    i18n::{lookup, tr_args},
    table::{PieceKind, PositionBuilder, knows_draws},
};

pub use self::chord::Chord;

/// Where a command counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// On every screen.
    Anywhere,
    /// Wherever there is a board.
    Board,
    /// At the table.
    Table,
    /// In a replay.
    Replay,
    /// Where squares are touched: at the table and in the editor.
    Squares,
    /// While a position is set up.
    Editor,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Anywhere, Self::Board, Self::Squares, Self::Table, Self::Replay, Self::Editor];

    /// Whether it is that screen.
    #[must_use]
    pub const fn is_on(self, screen: Screen) -> bool {
        match (self, screen) {
            (Self::Anywhere, _)
            | (Self::Board, Screen::Table | Screen::Replay | Screen::Editor)
            | (Self::Squares, Screen::Table | Screen::Editor)
            | (Self::Editor, Screen::Editor)
            | (Self::Table, Screen::Table)
            | (Self::Replay, Screen::Replay) => true,
            (Self::Board | Self::Table | Self::Replay | Self::Squares | Self::Editor, _) => false,
        }
    }

    /// Whether a key of one could be meant for the other.
    fn meets(self, other: Self) -> bool {
        let apart = |one, other| {
            matches!(
                (one, other),
                (Self::Replay, Self::Table | Self::Squares | Self::Editor)
                    | (Self::Table, Self::Editor)
            )
        };
        !apart(self, other) && !apart(other, self)
    }
}

/// Something that can be done by a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its stable name, in settings.
    pub id: &'static str,
    /// Where it counts.
    pub place: Place,
    /// Its usual keys.
    pub usual: &'static [Chord],
}

/// How many keys a command can have.
pub const SLOTS: usize = 2;

const fn anywhere(id: &'static str, usual: &'static [Chord]) -> Command {
    Command { id, place: Place::Anywhere, usual }
}

const fn board(id: &'static str, usual: &'static [Chord]) -> Command {
    Command { id, place: Place::Board, usual }
}

const fn table(id: &'static str, usual: &'static [Chord]) -> Command {
    Command { id, place: Place::Table, usual }
}

const fn replay(id: &'static str, usual: &'static [Chord]) -> Command {
    Command { id, place: Place::Replay, usual }
}

const fn squares(id: &'static str, usual: &'static [Chord]) -> Command {
    Command { id, place: Place::Squares, usual }
}

const fn editor(id: &'static str, usual: &'static [Chord]) -> Command {
    Command { id, place: Place::Editor, usual }
}

/// All commands, in the order they are listed.
pub static COMMANDS: &[Command] = &[
    anywhere("help", &[key(KeyCode::F1)]),
    anywhere("settings", &[command(KeyCode::Comma)]),
    anywhere("keys", &[key(KeyCode::F2)]),
    anywhere("about", &[]),
    anywhere("recent", &[command(KeyCode::KeyR)]),
    anywhere("open", &[command(KeyCode::KeyO)]),
    anywhere("analyse-record", &[]),
    anywhere("stop-export", &[]),
    anywhere("quit", &[command(KeyCode::KeyQ)]),
    anywhere("menu", &[key(KeyCode::F10)]),
    anywhere("back", &[key(KeyCode::Escape)]),
    board("title", &[command(KeyCode::KeyN)]),
    board("reset-view", &[key(KeyCode::KeyR), key(KeyCode::Home)]),
    board("top-view", &[key(KeyCode::KeyT)]),
    board("turn-table", &[key(KeyCode::KeyV)]),
    board("course", &[key(KeyCode::KeyC)]),
    board("threats", &[key(KeyCode::KeyX)]),
    board("value", &[key(KeyCode::KeyE)]),
    board("copy", &[command(KeyCode::KeyC)]),
    board("copy-link", &[]),
    board("hurry", &[key(KeyCode::End)]),
    board("analyse", &[key(KeyCode::KeyA)]),
    board("set-up", &[command(KeyCode::KeyP)]),
    squares("cursor-left", &[key(KeyCode::ArrowLeft)]),
    squares("cursor-right", &[key(KeyCode::ArrowRight)]),
    squares("cursor-up", &[key(KeyCode::ArrowUp)]),
    squares("cursor-down", &[key(KeyCode::ArrowDown)]),
    squares("press", &[key(KeyCode::Enter), key(KeyCode::NumpadEnter)]),
    squares("undo", &[key(KeyCode::KeyU), command(KeyCode::KeyZ)]),
    squares("redo", &[key(KeyCode::KeyY), both(KeyCode::KeyZ)]),
    table("throw", &[key(KeyCode::Space)]),
    table("put-throw-0", &[key(KeyCode::Digit0), key(KeyCode::Numpad0)]),
    table("put-throw-1", &[key(KeyCode::Digit1), key(KeyCode::Numpad1)]),
    table("put-throw-2", &[key(KeyCode::Digit2), key(KeyCode::Numpad2)]),
    table("put-throw-3", &[key(KeyCode::Digit3), key(KeyCode::Numpad3)]),
    table("put-throw-4", &[key(KeyCode::Digit4), key(KeyCode::Numpad4)]),
    table("type", &[key(KeyCode::KeyM)]),
    table("undo-turn", &[shift(KeyCode::KeyU)]),
    table("hint", &[key(KeyCode::KeyH)]),
    table("look-back", &[key(KeyCode::PageUp)]),
    table("look-on", &[key(KeyCode::PageDown)]),
    table("branch", &[command(KeyCode::KeyB)]),
    table("save", &[command(KeyCode::KeyS)]),
    table("watch", &[command(KeyCode::KeyW)]),
    table("throws", &[key(KeyCode::KeyS)]),
    table("offer-draw", &[command(KeyCode::KeyD)]),
    table("resign", &[both(KeyCode::KeyR)]),
    table("rematch", &[both(KeyCode::KeyN)]),
    table("next-step", &[key(KeyCode::KeyN)]),
    table("previous-step", &[shift(KeyCode::KeyN)]),
    table("first-step", &[]),
    replay("toggle-play", &[key(KeyCode::Space)]),
    replay("step-forward", &[key(KeyCode::ArrowRight)]),
    replay("step-back", &[key(KeyCode::ArrowLeft)]),
    replay("beginning", &[key(KeyCode::ArrowUp)]),
    replay("end", &[key(KeyCode::ArrowDown)]),
    replay("slower", &[key(KeyCode::Minus)]),
    replay("faster", &[key(KeyCode::Equal), shift(KeyCode::Equal)]),
    replay("loop", &[key(KeyCode::KeyL)]),
    replay("auto-camera", &[key(KeyCode::KeyF)]),
    replay("play-on", &[key(KeyCode::KeyP)]),
    replay("table", &[key(KeyCode::KeyB)]),
    replay("export", &[command(KeyCode::KeyE)]),
    replay("games", &[command(KeyCode::KeyG)]),
    editor("edit-tool-0", &[key(KeyCode::Digit0), key(KeyCode::Numpad0)]),
    editor("edit-tool-1", &[key(KeyCode::Digit1), key(KeyCode::Numpad1)]),
    editor("edit-tool-2", &[key(KeyCode::Digit2), key(KeyCode::Numpad2)]),
    editor("edit-tool-3", &[key(KeyCode::Digit3), key(KeyCode::Numpad3)]),
    editor("edit-side", &[key(KeyCode::KeyS)]),
    editor("edit-text", &[key(KeyCode::KeyM)]),
    editor("edit-start", &[key(KeyCode::KeyI)]),
    editor("edit-clear", &[key(KeyCode::KeyO)]),
    editor("edit-done", &[key(KeyCode::KeyB)]),
];

impl Command {
    /// Whether it can be done here: some need a window of the program's own,
    /// another a page.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        match self.id {
            "quit" | "export" | "stop-export" => !ON_A_PAGE,
            "copy-link" => ON_A_PAGE,
            _ => true,
        }
    }

    /// Whether games by these rules have a use for it.
    #[must_use]
    pub fn suits(&self, rules: RuleSet) -> bool {
        match self.id {
            "throw" | "throws" | "undo-turn" | "course" => rules.has_sticks(),
            "offer-draw" => knows_draws(rules),
            "edit-tool-3" => PositionBuilder::empty(rules).piece_kinds().len() > 2,
            other => !other.starts_with("put-throw") || rules.has_sticks(),
        }
    }

    /// What people call it, in the language spoken now.
    #[must_use]
    pub fn name(&self) -> String {
        if let Some(count) = self.id.strip_prefix("put-throw-") {
            return tr_args("key.put-throw", &[("count", count)]);
        }
        if let Some(number) = self.id.strip_prefix("edit-tool-") {
            return tr_args("key.edit-tool", &[("number", number)]);
        }
        let own = lookup(&format!("key.{}", self.id));
        own.or_else(|| lookup(&format!("act.{}", self.id))).unwrap_or(self.id).to_owned()
    }

    /// The act it stands for, as things are.
    #[must_use]
    pub fn act(&self, around: &KeyContext) -> Option<Action> {
        Some(match self.id {
            "help" => Action::Ui(UiAction::OpenDialog(Dialog::Help)),
            "settings" => Action::Ui(UiAction::OpenDialog(Dialog::Settings)),
            "keys" => Action::Ui(UiAction::OpenDialog(Dialog::Keys)),
            "about" => Action::Ui(UiAction::OpenDialog(Dialog::About)),
            "recent" => Action::Ui(UiAction::OpenDialog(Dialog::Recent)),
            "menu" => Action::Ui(UiAction::OpenDialog(Dialog::Menu)),
            "throws" => Action::Ui(UiAction::OpenDialog(Dialog::Throws)),
            "type" => Action::Ui(UiAction::OpenDialog(Dialog::TypeMove)),
            "open" => Action::Ui(UiAction::Prompt(Prompt::Open)),
            "analyse-record" => Action::Ui(UiAction::Prompt(Prompt::Analyse)),
            "save" => Action::Ui(UiAction::Prompt(Prompt::Save)),
            "export" => Action::Ui(UiAction::Prompt(Prompt::Export)),
            "resign" => Action::Ui(UiAction::Prompt(Prompt::Resign)),
            "rematch" => Action::Ui(UiAction::Prompt(Prompt::Rematch)),
            "play-on" => Action::Ui(UiAction::Prompt(Prompt::PlayOn)),
            "quit" => Action::Ui(UiAction::Quit),
            "title" => Action::Ui(UiAction::ShowTitle),
            "games" => Action::Ui(UiAction::OpenDialog(Dialog::Games)),
            "stop-export" => Action::Ui(UiAction::StopExport),
            "table" => Action::Ui(UiAction::ShowTable),
            "reset-view" => Action::View(ViewAction::ResetCamera),
            "top-view" => Action::View(ViewAction::ToggleTopView),
            "turn-table" => Action::View(ViewAction::FlipBoard),
            "course" => Action::View(ViewAction::ToggleCourse),
            "threats" => Action::View(ViewAction::ToggleThreats),
            "value" => Action::View(ViewAction::ToggleEvaluation),
            "copy" => Action::Ui(UiAction::Copy),
            "copy-link" => Action::Ui(UiAction::CopyLink),
            "hurry" => Action::View(ViewAction::FinishAnimations),
            "back" if around.covered => Action::Ui(UiAction::Dismiss),
            "back" if around.looking => Action::Game(GameAction::ViewPly(usize::MAX)),
            "back" if around.chosen => Action::Game(GameAction::Deselect),
            "back" => Action::Ui(UiAction::OpenDialog(Dialog::Menu)),
            "cursor-left" => Action::Game(GameAction::MoveCursor(Direction::Left)),
            "cursor-right" => Action::Game(GameAction::MoveCursor(Direction::Right)),
            "cursor-up" => Action::Game(GameAction::MoveCursor(Direction::Up)),
            "cursor-down" => Action::Game(GameAction::MoveCursor(Direction::Down)),
            "press" => Action::Game(GameAction::PressCursor),
            "throw" => Action::Game(GameAction::Throw),
            "undo" => Action::Game(GameAction::Undo),
            "undo-turn" => Action::Game(GameAction::UndoTurn),
            "redo" => Action::Game(GameAction::Redo),
            "hint" => Action::Game(GameAction::Hint),
            "look-back" => Action::Game(GameAction::ViewPreviousPly),
            "look-on" => Action::Game(GameAction::ViewNextPly),
            "branch" => Action::Game(GameAction::Branch),
            "watch" => Action::Replay(ReplayAction::WatchGame),
            "offer-draw" => Action::Game(GameAction::OfferDraw),
            "next-step" => Action::Game(GameAction::NextLessonStep),
            "previous-step" => Action::Game(GameAction::PreviousLessonStep),
            "first-step" => Action::Game(GameAction::FirstLessonStep),
            "toggle-play" => Action::Replay(ReplayAction::TogglePlay),
            "step-forward" => Action::Replay(ReplayAction::StepForward),
            "step-back" => Action::Replay(ReplayAction::StepBack),
            "beginning" => Action::Replay(ReplayAction::Jump(0)),
            "end" => Action::Replay(ReplayAction::Jump(around.last)),
            "slower" => Action::Replay(ReplayAction::SetSpeed((around.speed / 2.0).max(0.5))),
            "faster" => Action::Replay(ReplayAction::SetSpeed((around.speed * 2.0).min(4.0))),
            "loop" => Action::Replay(ReplayAction::ToggleLoop),
            "analyse" if around.edits => Action::Editor(EditorAction::Analyse),
            "analyse" => Action::View(ViewAction::ToggleAnalysis),
            "set-up" => Action::Editor(EditorAction::Enter(None)),
            "auto-camera" => Action::Replay(ReplayAction::ToggleAutoCamera),
            "edit-tool-1" => Action::Editor(EditorAction::SelectTool(around.kinds[0])),
            "edit-tool-2" => Action::Editor(EditorAction::SelectTool(around.kinds[1])),
            "edit-tool-3" => Action::Editor(EditorAction::SelectTool(around.kinds[2])),
            "edit-tool-0" => Action::Editor(EditorAction::SelectTool(None)),
            "edit-side" => {
                Action::Editor(EditorAction::SetSideToMove(around.other.unwrap_or(Side::First)))
            }
            "edit-text" => Action::Ui(UiAction::OpenDialog(Dialog::Position)),
            "edit-start" => Action::Editor(EditorAction::SetStartPosition),
            "edit-clear" => Action::Editor(EditorAction::Clear),
            "edit-done" => Action::Editor(EditorAction::Leave),
            other => {
                return other
                    .strip_prefix("put-throw-")?
                    .parse()
                    .ok()
                    .map(|plain| GameAction::EnterThrow(plain).into());
            }
        })
    }
}

/// How things are when a key is pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeyContext {
    /// Whether something is written over the board that can be put away.
    pub covered: bool,
    /// Whether an earlier position is looked at.
    pub looking: bool,
    /// Whether something is chosen, or asked.
    pub chosen: bool,
    /// The plies of the replay.
    pub last: usize,
    /// The speed of the replay.
    pub speed: f32,
    /// Whether a position is set up.
    pub edits: bool,
    /// What there is to put on its board.
    pub kinds: [Option<PieceKind>; 3],
    /// The side that does not act next in it.
    pub other: Option<Side>,
}

/// The keys a person has chosen, where they are not the usual ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keys(BTreeMap<String, Vec<String>>);

impl Keys {
    /// The keys of a command.
    #[must_use]
    pub fn of(&self, command: &Command) -> Vec<Chord> {
        match self.0.get(command.id) {
            Some(own) => own.iter().filter_map(|text| text.parse().ok()).take(SLOTS).collect(),
            None => command.usual.to_vec(),
        }
    }

    /// The command that a key stands for on a screen.
    #[must_use]
    pub fn command(&self, screen: Screen, chord: Chord) -> Option<&'static Command> {
        let mut offered = COMMANDS.iter().filter(|it| it.is_offered());
        offered.find(|it| it.place.is_on(screen) && self.of(it).contains(&chord))
    }

    /// Another command that has this key where it could be meant for `command`.
    #[must_use]
    pub fn taken(&self, command: &Command, chord: Chord) -> Option<&'static Command> {
        COMMANDS.iter().find(|other| {
            other.id != command.id
                && other.place.meets(command.place)
                && self.of(other).contains(&chord)
        })
    }

    /// Gives a command another key in the place of its `slot`-th, or takes
    /// that one away.
    ///
    /// # Errors
    /// The command that has the key already; nothing is changed.
    pub fn set(
        &mut self,
        command: &Command,
        slot: usize,
        chord: Option<Chord>,
    ) -> Result<(), &'static Command> {
        if let Some(other) = chord.and_then(|chord| self.taken(command, chord)) {
            return Err(other);
        }
        let mut own = self.of(command);
        if let Some(chord) = chord {
            own.retain(|known| *known != chord);
            let slot = slot.min(own.len());
            if slot < own.len() {
                own[slot] = chord;
            } else {
                own.push(chord);
            }
            own.truncate(SLOTS);
        } else if slot < own.len() {
            own.remove(slot);
        }
        if own == command.usual {
            self.0.remove(command.id);
        } else {
            self.0.insert(command.id.to_owned(), own.iter().map(ToString::to_string).collect());
        }
        Ok(())
    }

    /// Whether all are the usual ones.
    #[must_use]
    pub fn are_usual(&self) -> bool {
        self.0.is_empty()
    }

    /// Without what a file may say but no command or key is called.
    pub(crate) fn sound(mut self) -> Self {
        self.0.retain(|id, own| {
            own.retain(|text| text.parse::<Chord>().is_ok());
            own.truncate(SLOTS);
            COMMANDS.iter().any(|command| command.id == id)
        });
        self
    }
}

#[cfg(test)]
mod tests;
