//! Key bindings: the commands that can have keys, their default keys, and those
//! that the player has chosen instead.
//!
//! The keys that move between buttons and press them (Tab, arrows, Enter, Space
//! on a button; Escape in a dialog) belong to the UI and cannot be changed.

#[cfg(any(test, target_arch = "wasm32"))]
pub(crate) mod browser;
mod chord;
mod commands;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::app::core::{actions::Action, states::Screen};

pub(crate) use self::chord::is_letter_key;
pub use self::{
    chord::{Chord, KeyPress},
    commands::{KEY_COMMANDS, KeyCommand, KeyContext, KeyScope},
};

/// The number of chords that a command can have.
pub const MAX_KEYS: usize = 2;

/// The chords of the commands whose keys the player has changed, by command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyBindings(BTreeMap<String, Vec<String>>);

impl KeyBindings {
    /// The chords of a command.
    #[must_use]
    pub fn chords(&self, command: &KeyCommand) -> Vec<Chord> {
        match self.0.get(command.id) {
            Some(own) => own.iter().filter_map(|text| text.parse().ok()).take(MAX_KEYS).collect(),
            None => command.default_chords().to_vec(),
        }
    }

    /// The command of a chord on a screen.
    #[must_use]
    pub fn command(&self, screen: Screen, chord: Chord) -> Option<&'static KeyCommand> {
        let mut offered = KEY_COMMANDS.iter().filter(|it| it.is_offered());
        offered.find(|it| it.scope.is_on(screen) && self.chords(it).contains(&chord))
    }

    /// The first chord that requests an action on a screen.
    #[must_use]
    pub fn chord_of(&self, screen: Screen, action: &Action) -> Option<Chord> {
        let context = KeyContext::default();
        let offered = KEY_COMMANDS.iter().filter(|it| it.is_offered() && it.scope.is_on(screen));
        let mut requests = offered.filter(|it| it.action(&context) == *action);
        requests.find_map(|it| self.chords(it).first().copied())
    }

    /// Another command that has this chord on a screen where `command` has its
    /// keys, too.
    #[must_use]
    pub fn conflict(&self, command: &KeyCommand, chord: Chord) -> Option<&'static KeyCommand> {
        KEY_COMMANDS.iter().find(|other| {
            *other != command
                && other.is_offered()
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
        command: &KeyCommand,
        slot: usize,
        chord: Option<Chord>,
    ) -> Result<(), &'static KeyCommand> {
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
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.0.is_empty()
    }

    /// Without unknown commands and chords, which a file may contain.
    pub(super) fn sanitized(mut self) -> Self {
        self.0.retain(|id, own| {
            own.retain(|text| text.parse::<Chord>().is_ok());
            own.truncate(MAX_KEYS);
            KEY_COMMANDS.iter().any(|command| command.id == id)
        });
        self
    }
}

#[cfg(test)]
mod tests;
