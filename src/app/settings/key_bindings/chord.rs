//! A key with what is held besides, and how it is written.

use std::{fmt, str::FromStr};

use bevy::prelude::*;

/// A key with what is held besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chord {
    /// The key.
    pub key: KeyCode,
    /// With Control, or the Mac's command key.
    pub command: bool,
    /// With Shift.
    pub shift: bool,
}

pub(crate) const fn key(key: KeyCode) -> Chord {
    Chord { key, command: false, shift: false }
}

pub(crate) const fn command(key: KeyCode) -> Chord {
    Chord { key, command: true, shift: false }
}

pub(crate) const fn shift(key: KeyCode) -> Chord {
    Chord { key, command: false, shift: true }
}

pub(crate) const fn both(key: KeyCode) -> Chord {
    Chord { key, command: true, shift: true }
}

/// The keys that commands can have, with their names.
const NAMES: &[(KeyCode, &str)] = &[
    (KeyCode::KeyA, "A"),
    (KeyCode::KeyB, "B"),
    (KeyCode::KeyC, "C"),
    (KeyCode::KeyD, "D"),
    (KeyCode::KeyE, "E"),
    (KeyCode::KeyF, "F"),
    (KeyCode::KeyG, "G"),
    (KeyCode::KeyH, "H"),
    (KeyCode::KeyI, "I"),
    (KeyCode::KeyJ, "J"),
    (KeyCode::KeyK, "K"),
    (KeyCode::KeyL, "L"),
    (KeyCode::KeyM, "M"),
    (KeyCode::KeyN, "N"),
    (KeyCode::KeyO, "O"),
    (KeyCode::KeyP, "P"),
    (KeyCode::KeyQ, "Q"),
    (KeyCode::KeyR, "R"),
    (KeyCode::KeyS, "S"),
    (KeyCode::KeyT, "T"),
    (KeyCode::KeyU, "U"),
    (KeyCode::KeyV, "V"),
    (KeyCode::KeyW, "W"),
    (KeyCode::KeyX, "X"),
    (KeyCode::KeyY, "Y"),
    (KeyCode::KeyZ, "Z"),
    (KeyCode::Digit0, "0"),
    (KeyCode::Digit1, "1"),
    (KeyCode::Digit2, "2"),
    (KeyCode::Digit3, "3"),
    (KeyCode::Digit4, "4"),
    (KeyCode::Digit5, "5"),
    (KeyCode::Digit6, "6"),
    (KeyCode::Digit7, "7"),
    (KeyCode::Digit8, "8"),
    (KeyCode::Digit9, "9"),
    (KeyCode::Numpad0, "Num0"),
    (KeyCode::Numpad1, "Num1"),
    (KeyCode::Numpad2, "Num2"),
    (KeyCode::Numpad3, "Num3"),
    (KeyCode::Numpad4, "Num4"),
    (KeyCode::Numpad5, "Num5"),
    (KeyCode::Numpad6, "Num6"),
    (KeyCode::Numpad7, "Num7"),
    (KeyCode::Numpad8, "Num8"),
    (KeyCode::Numpad9, "Num9"),
    (KeyCode::NumpadEnter, "NumEnter"),
    (KeyCode::F1, "F1"),
    (KeyCode::F2, "F2"),
    (KeyCode::F3, "F3"),
    (KeyCode::F4, "F4"),
    (KeyCode::F5, "F5"),
    (KeyCode::F6, "F6"),
    (KeyCode::F7, "F7"),
    (KeyCode::F8, "F8"),
    (KeyCode::F9, "F9"),
    (KeyCode::F10, "F10"),
    (KeyCode::F11, "F11"),
    (KeyCode::F12, "F12"),
    (KeyCode::Space, "Space"),
    (KeyCode::Enter, "Enter"),
    (KeyCode::Escape, "Esc"),
    (KeyCode::ArrowLeft, "←"),
    (KeyCode::ArrowRight, "→"),
    (KeyCode::ArrowUp, "↑"),
    (KeyCode::ArrowDown, "↓"),
    (KeyCode::Home, "Home"),
    (KeyCode::End, "End"),
    (KeyCode::PageUp, "PgUp"),
    (KeyCode::PageDown, "PgDn"),
    (KeyCode::Insert, "Ins"),
    (KeyCode::Comma, ","),
    (KeyCode::Period, "."),
    (KeyCode::Minus, "-"),
    (KeyCode::Equal, "="),
    (KeyCode::Slash, "/"),
    (KeyCode::Semicolon, ";"),
    (KeyCode::Quote, "'"),
    (KeyCode::BracketLeft, "["),
    (KeyCode::BracketRight, "]"),
    (KeyCode::Backslash, "\\"),
    (KeyCode::Backquote, "`"),
];

impl Chord {
    /// Whether a command can have this key.
    #[must_use]
    pub fn is_named(self) -> bool {
        NAMES.iter().any(|(key, _)| *key == self.key)
    }
}

impl Chord {
    /// As people read it: what is for more is called plus, with Shift or
    /// without.
    #[must_use]
    pub fn shown(self) -> String {
        match self {
            Self { key: KeyCode::Equal, command: false, .. } => "+".to_owned(),
            chord => chord.to_string(),
        }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.command {
            f.write_str("Ctrl+")?;
        }
        if self.shift {
            f.write_str("Shift+")?;
        }
        let name = NAMES.iter().find(|(key, _)| *key == self.key).map_or("?", |it| it.1);
        f.write_str(name)
    }
}

impl FromStr for Chord {
    type Err = ();

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (command, rest) = text.strip_prefix("Ctrl+").map_or((false, text), |it| (true, it));
        let (shift, rest) = rest.strip_prefix("Shift+").map_or((false, rest), |it| (true, it));
        let (key, _) = NAMES.iter().find(|(_, name)| *name == rest).ok_or(())?;
        Ok(Self { key: *key, command, shift })
    }
}
