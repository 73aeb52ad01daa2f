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
use super::{
    ON_A_PAGE,
    acts::{Act, Asking, Sheet, Way},
    stage::Screen,
};
use crate::{
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
    pub fn act(&self, around: &Around) -> Option<Act> {
        Some(match self.id {
            "help" => Act::Show(Sheet::Help),
            "settings" => Act::Show(Sheet::Settings),
            "keys" => Act::Show(Sheet::Keys),
            "about" => Act::Show(Sheet::About),
            "recent" => Act::Show(Sheet::Recent),
            "menu" => Act::Show(Sheet::Menu),
            "throws" => Act::Show(Sheet::Throws),
            "type" => Act::Show(Sheet::TypeMove),
            "open" => Act::Ask(Asking::Open),
            "analyse-record" => Act::Ask(Asking::Analyse),
            "save" => Act::Ask(Asking::Save),
            "export" => Act::Ask(Asking::Export),
            "resign" => Act::Ask(Asking::Resign),
            "rematch" => Act::Ask(Asking::Rematch),
            "play-on" => Act::Ask(Asking::PlayOn),
            "quit" => Act::Quit,
            "title" => Act::Title,
            "games" => Act::Show(Sheet::Games),
            "stop-export" => Act::StopExport,
            "table" => Act::Table,
            "reset-view" => Act::ResetView,
            "top-view" => Act::TopView,
            "turn-table" => Act::TurnTable,
            "course" => Act::Course,
            "threats" => Act::Threats,
            "value" => Act::Value,
            "copy" => Act::Copy,
            "copy-link" => Act::CopyLink,
            "hurry" => Act::Hurry,
            "back" if around.covered => Act::Dismiss,
            "back" if around.looking => Act::Look(usize::MAX),
            "back" if around.chosen => Act::LetGo,
            "back" => Act::Show(Sheet::Menu),
            "cursor-left" => Act::Cursor(Way::Left),
            "cursor-right" => Act::Cursor(Way::Right),
            "cursor-up" => Act::Cursor(Way::Up),
            "cursor-down" => Act::Cursor(Way::Down),
            "press" => Act::Press,
            "throw" => Act::Throw,
            "undo" => Act::Undo,
            "undo-turn" => Act::UndoTurn,
            "redo" => Act::Redo,
            "hint" => Act::Hint,
            "look-back" => Act::LookBack,
            "look-on" => Act::LookOn,
            "branch" => Act::Branch,
            "watch" => Act::Watch,
            "offer-draw" => Act::OfferDraw,
            "next-step" => Act::NextStep,
            "previous-step" => Act::PreviousStep,
            "first-step" => Act::FirstStep,
            "toggle-play" => Act::TogglePlay,
            "step-forward" => Act::StepForward,
            "step-back" => Act::StepBack,
            "beginning" => Act::Jump(0),
            "end" => Act::Jump(around.last),
            "slower" => Act::Speed((around.speed / 2.0).max(0.5)),
            "faster" => Act::Speed((around.speed * 2.0).min(4.0)),
            "loop" => Act::Loop,
            "analyse" if around.edits => Act::EditAnalyse,
            "analyse" => Act::Analyse,
            "set-up" => Act::SetUp(None),
            "auto-camera" => Act::AutoCamera,
            "edit-tool-1" => Act::EditTool(around.kinds[0]),
            "edit-tool-2" => Act::EditTool(around.kinds[1]),
            "edit-tool-3" => Act::EditTool(around.kinds[2]),
            "edit-tool-0" => Act::EditTool(None),
            "edit-side" => Act::EditSide(around.other.unwrap_or(Side::First)),
            "edit-text" => Act::Show(Sheet::Position),
            "edit-start" => Act::EditStart,
            "edit-clear" => Act::EditClear,
            "edit-done" => Act::EditDone,
            other => return other.strip_prefix("put-throw-")?.parse().ok().map(Act::PutThrow),
        })
    }
}

/// How things are when a key is pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Around {
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
    pub(super) fn sound(mut self) -> Self {
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
