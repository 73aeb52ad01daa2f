//! Key bindings: the commands that can have keys, their default keys, and those
//! that the player has chosen instead.
//!
//! The keys that move between buttons and press them (Tab, arrows, Enter, Space
//! on a button; Escape in a dialog) belong to the UI and cannot be changed.

#[cfg(any(test, target_arch = "wasm32"))]
pub(crate) mod browser;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::app::{
    commands::{COMMANDS, Chord, Command},
    core::states::Screen,
};

/// The number of chords that a command can have.
pub const MAX_KEYS: usize = 2;

/// The chords of the commands whose keys the player has changed, by command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyBindings(BTreeMap<String, Vec<String>>);

impl KeyBindings {
    /// The chords of a command.
    pub fn chords(&self, command: &Command) -> Vec<Chord> {
        match self.0.get(command.id) {
            Some(own) => own.iter().filter_map(|text| text.parse().ok()).take(MAX_KEYS).collect(),
            None => command.default_chords().to_vec(),
        }
    }

    /// The command of a chord on a screen.
    pub fn command(&self, screen: Screen, chord: Chord) -> Option<&'static Command> {
        let mut offered = COMMANDS.iter().filter(|command| command.exists());
        offered.find(|offered| offered.scope.is_on(screen) && self.chords(offered).contains(&chord))
    }

    /// Another command that has this chord on a screen where `command` has its
    /// keys, too.
    pub fn conflict(&self, command: &Command, chord: Chord) -> Option<&'static Command> {
        COMMANDS.iter().find(|other| {
            *other != command
                && other.exists()
                && other.scope.overlaps(command.scope)
                && self.chords(other).contains(&chord)
        })
    }

    /// Sets the chord of a command in a slot, counted from 0, or removes it.
    ///
    /// # Errors
    /// The command that already has the chord; nothing is changed.
    pub fn set(
        &mut self,
        command: &Command,
        slot: usize,
        chord: Option<Chord>,
    ) -> Result<(), &'static Command> {
        if let Some(other) = chord.and_then(|chord| self.conflict(command, chord)) {
            return Err(other);
        }
        let mut own = self.chords(command);
        if let Some(chord) = chord {
            own.retain(|known| *known != chord);
            let slot = slot.min(own.len());
            if slot < own.len() {
                own[slot] = chord;
            } else {
                own.push(chord);
            }
            own.truncate(MAX_KEYS);
        } else if slot < own.len() {
            own.remove(slot);
        }
        if own == command.default_chords() {
            self.0.remove(command.id);
        } else {
            self.0.insert(command.id.to_owned(), own.iter().map(ToString::to_string).collect());
        }
        Ok(())
    }

    /// Whether all commands have their default chords.
    pub fn is_default(&self) -> bool {
        self.0.is_empty()
    }

    /// Without unknown commands and chords, which a file may contain; the commands with
    /// their names of today.
    pub(super) fn sanitized(mut self) -> Self {
        self.0 = with_current_ids(self.0).collect();
        self.0.retain(|id, own| {
            own.retain(|text| text.parse::<Chord>().is_ok());
            own.truncate(MAX_KEYS);
            COMMANDS.iter().any(|command| command.id == id)
        });
        self
    }
}

/// The entries of a file with the names that the commands have today; of two for one
/// command, that of today's name.
pub(super) fn with_current_ids<V>(
    entries: impl IntoIterator<Item = (String, V)>,
) -> impl Iterator<Item = (String, V)> {
    let id = |old: &str| OLD_IDS.iter().find(|(it, _)| *it == old).map(|(_, id)| *id);
    let (old, current): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|(name, _)| id(name).is_some());
    let old = old.into_iter().map(move |(name, it)| (id(&name).unwrap_or_default().to_owned(), it));
    old.chain(current)
}

/// The names that commands had in files of earlier versions, each with the name of today.
const OLD_IDS: &[(&str, &str)] = &[
    ("analyse", "toggle-analysis"),
    ("auto-camera", "toggle-auto-camera"),
    ("beginning", "jump-to-start"),
    ("branch", "play-from-here"),
    ("clear-drawing", "clear-shapes"),
    ("course", "toggle-course"),
    ("cursor-down", "move-cursor-down"),
    ("cursor-left", "move-cursor-left"),
    ("cursor-right", "move-cursor-right"),
    ("cursor-up", "move-cursor-up"),
    ("diagram", "toggle-diagram"),
    ("edit-clear", "clear-board"),
    ("edit-done", "leave-editor"),
    ("edit-side", "set-side-to-move"),
    ("edit-start", "set-start-position"),
    ("edit-tool-0", "select-tool-0"),
    ("edit-tool-1", "select-tool-1"),
    ("edit-tool-2", "select-tool-2"),
    ("edit-tool-3", "select-tool-3"),
    ("end", "jump-to-end"),
    ("explorer", "toggle-explorer"),
    ("hurry", "finish-animations"),
    ("learn-mistakes", "learn-from-mistakes"),
    ("leave-practice", "leave-exercise"),
    ("line-comment", "comment"),
    ("line-redo", "redo"),
    ("line-save", "save"),
    ("line-type", "type-move"),
    ("line-undo", "undo"),
    ("look-back", "view-previous-ply"),
    ("look-on", "view-next-ply"),
    ("loop", "toggle-loop"),
    ("panels", "toggle-panels"),
    ("photo", "toggle-photo"),
    ("play-on", "play-from-here"),
    ("press", "press-cursor"),
    ("put-throw-0", "enter-throw-0"),
    ("put-throw-1", "enter-throw-1"),
    ("put-throw-2", "enter-throw-2"),
    ("put-throw-3", "enter-throw-3"),
    ("put-throw-4", "enter-throw-4"),
    ("puzzles", "start-puzzles"),
    ("reset-view", "reset-camera"),
    ("room", "look"),
    ("table", "show-table"),
    ("threats", "toggle-threats"),
    ("title", "show-title"),
    ("top-view", "toggle-top-view"),
    ("turn-table", "flip-board"),
    ("type", "type-move"),
    ("value", "toggle-evaluation"),
    ("watch", "watch-game"),
];

#[cfg(test)]
mod tests;
