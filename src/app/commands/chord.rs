//! A key chord: its text, and which chords a key press can stand for.

use std::{fmt, str::FromStr};

use bevy::{input::keyboard::Key, prelude::*};

use crate::app::platform::IS_WEB;

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chord {
    /// The key, named by what it types on an American keyboard: `KeyA` is the
    /// key that types an A, wherever it stands on the player's keyboard.
    pub key: KeyCode,
    /// Whether Control, or the Mac's command key, is held.
    pub command: bool,
    /// Whether Shift is held.
    pub shift: bool,
    /// Whether Alt is held.
    pub alt: bool,
}

pub(crate) const fn plain(key: KeyCode) -> Chord {
    Chord { key, command: false, shift: false, alt: false }
}

pub(crate) const fn ctrl(key: KeyCode) -> Chord {
    Chord { key, command: true, shift: false, alt: false }
}

pub(crate) const fn shift(key: KeyCode) -> Chord {
    Chord { key, command: false, shift: true, alt: false }
}

pub(crate) const fn ctrl_shift(key: KeyCode) -> Chord {
    Chord { key, command: true, shift: true, alt: false }
}

/// A key with Alt.
#[cfg(test)]
pub(crate) const fn alt(key: KeyCode) -> Chord {
    Chord { alt: true, ..plain(key) }
}

/// The keys that can be bound, with their names in the settings file.
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

/// What the keys of [`UNSHIFTED`] type with Shift on an American keyboard.
const SHIFTED: &str = "!@#$%^&*()_+{}|:\"<>?~";
const UNSHIFTED: &str = "1234567890-=[]\\;',./`";

fn named(name: &str) -> Option<KeyCode> {
    NAMES.iter().find(|(_, known)| *known == name).map(|(key, _)| *key)
}

/// The key with this code in browsers, if it can be bound.
#[cfg(any(test, target_arch = "wasm32"))]
pub(crate) fn key_of_code(code: &str) -> Option<KeyCode> {
    NAMES.iter().map(|(key, _)| *key).find(|key| format!("{key:?}") == code)
}

/// The key that types an ASCII character on an American keyboard, and whether
/// it needs Shift for it.
fn american_key(typed: char) -> Option<(KeyCode, bool)> {
    let base = SHIFTED.chars().zip(UNSHIFTED.chars()).find(|(shifted, _)| *shifted == typed);
    let (base, needs_shift) = base.map_or((typed, false), |(_, base)| (base, true));
    let mut name = [0; 4];
    named(base.to_ascii_uppercase().encode_utf8(&mut name)).map(|key| (key, needs_shift))
}

/// Whether `names` has it as a letter of an American keyboard.
pub(crate) fn is_letter_key(key: KeyCode) -> bool {
    let name = NAMES.iter().find(|(known, _)| *known == key).map(|(_, name)| *name);
    name.is_some_and(|name| {
        name.len() == 1 && name.starts_with(|first: char| first.is_ascii_uppercase())
    })
}

impl Chord {
    /// Whether a command can have this chord.
    pub fn is_bindable(self) -> bool {
        NAMES.iter().any(|(key, _)| *key == self.key) && !(IS_WEB && self.is_kept_by_browsers())
    }

    /// Whether browsers keep the chord for themselves: a page never gets those that open
    /// and close windows and tabs.
    pub(crate) const fn is_kept_by_browsers(self) -> bool {
        self.command && matches!(self.key, KeyCode::KeyN | KeyCode::KeyT | KeyCode::KeyW)
    }

    /// The text shown to the player: the key of `=` and `+` is called plus, with
    /// Shift or without.
    pub fn label(self) -> String {
        match self {
            Self { key: KeyCode::Equal, command: false, alt: false, .. } => "+".to_owned(),
            chord => chord.to_string(),
        }
    }
}

impl fmt::Display for Chord {
    /// The text in the settings file, such as `Ctrl+Shift+R`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.command {
            f.write_str("Ctrl+")?;
        }
        if self.alt {
            f.write_str("Alt+")?;
        }
        if self.shift {
            f.write_str("Shift+")?;
        }
        let name = NAMES.iter().find(|(key, _)| *key == self.key).map_or("?", |named| named.1);
        f.write_str(name)
    }
}

impl FromStr for Chord {
    type Err = ();

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (command, rest) = text.strip_prefix("Ctrl+").map_or((false, text), |rest| (true, rest));
        let (alt, rest) = rest.strip_prefix("Alt+").map_or((false, rest), |rest| (true, rest));
        let (shift, rest) = rest.strip_prefix("Shift+").map_or((false, rest), |rest| (true, rest));
        Ok(Self { key: named(rest).ok_or(())?, command, shift, alt })
    }
}

/// A key that was pressed, as the chords it can stand for.
///
/// Shortcuts follow the keyboard layout: a letter is the letter that is typed
/// (on AZERTY and QWERTZ, too), never the key at its American place. Where a
/// digit or a symbol is typed, the key at that place also counts if it has a
/// digit or a symbol on an American keyboard: the digits of AZERTY work without
/// Shift. Where the layout types no ASCII character (Cyrillic, Greek), the key
/// at the American place is meant. The keys of the numeric pad have no layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPress(Vec<Chord>);

impl KeyPress {
    /// The chords of a key with these modifiers held.
    pub fn new(physical: KeyCode, logical: &Key, command: bool, shift: bool) -> Self {
        let chord = |key, shift| Chord { key, command, shift, alt: false };
        let in_place = chord(physical, shift);
        let is_numpad = in_place.to_string().contains("Num");
        let typed = match logical {
            Key::Character(text) if text.chars().count() == 1 => text.chars().next(),
            _ => None,
        };
        Self(match typed.filter(char::is_ascii_graphic).and_then(american_key) {
            Some(_) if is_numpad => vec![in_place],
            Some((key, _)) if is_letter_key(key) => vec![chord(key, shift)],
            Some((key, american_shift)) => {
                let mut chords = vec![chord(key, shift || american_shift)];
                // This layout needs Shift to type the character.
                if shift && !american_shift {
                    chords.push(chord(key, false));
                }
                if !is_letter_key(physical) && !chords.contains(&in_place) {
                    chords.push(in_place);
                }
                chords
            }
            None if is_numpad => vec![in_place],
            None => vec![chord(navigation_key(logical).unwrap_or(physical), shift)],
        })
    }

    /// The same with Alt held, or without.
    #[must_use]
    pub(crate) fn with_alt(mut self, alt: bool) -> Self {
        self.0.iter_mut().for_each(|chord| chord.alt = alt);
        self
    }

    /// The chords, the one to prefer first. Never empty.
    pub fn chords(&self) -> impl Iterator<Item = Chord> {
        self.0.iter().copied()
    }

    /// The key of the preferred chord.
    pub fn key(&self) -> Option<KeyCode> {
        self.0.first().map(|chord| chord.key)
    }
}

/// The key of a logical key that moves or confirms; layouts may swap it with
/// another one (Escape and Caps Lock).
const fn navigation_key(logical: &Key) -> Option<KeyCode> {
    Some(match logical {
        Key::Enter => KeyCode::Enter,
        Key::Escape => KeyCode::Escape,
        Key::Space => KeyCode::Space,
        Key::ArrowLeft => KeyCode::ArrowLeft,
        Key::ArrowRight => KeyCode::ArrowRight,
        Key::ArrowUp => KeyCode::ArrowUp,
        Key::ArrowDown => KeyCode::ArrowDown,
        Key::Home => KeyCode::Home,
        Key::End => KeyCode::End,
        Key::PageUp => KeyCode::PageUp,
        Key::PageDown => KeyCode::PageDown,
        Key::Insert => KeyCode::Insert,
        Key::Backspace => KeyCode::Backspace,
        Key::Delete => KeyCode::Delete,
        _ => return None,
    })
}
