//! Which keys the web page keeps from the browser.

use bevy::input::keyboard::{Key, NativeKey};

use super::KeyBindings;
use crate::app::commands::{COMMANDS, KeyPress, key_of_code};

/// A key as a browser tells of it, with the names of the event's fields.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BrowserKey<'a> {
    pub(crate) code: &'a str,
    pub(crate) key: &'a str,
    /// Control, or the command key of a Mac.
    pub(crate) command: bool,
    pub(crate) shift: bool,
    pub(crate) alt: bool,
}

/// The keys of the UI, and those that begin a search in Firefox.
const OWN_KEYS: [&str; 15] = [
    "Tab",
    " ",
    "Backspace",
    "Escape",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "PageUp",
    "PageDown",
    "Home",
    "End",
    "/",
    "'",
    "?",
];

impl KeyBindings {
    /// Whether the page keeps a key from the browser: one of the UI, or one that a command
    /// has, on whatever screen.
    pub(crate) fn keeps_from_browser(&self, pressed: BrowserKey) -> bool {
        let BrowserKey { code, key, command, shift, alt } = pressed;
        let is_character = key.chars().count() == 1;
        if !command && !alt && (OWN_KEYS.contains(&key) || is_character) {
            return OWN_KEYS.contains(&key);
        }
        if command && is_for_clipboard(code, key) {
            return false;
        }
        let Some(physical) = key_of_code(code) else { return false };
        let logical = if is_character {
            Key::Character(key.into())
        } else {
            Key::Unidentified(NativeKey::Unidentified)
        };
        let press = KeyPress::new(physical, &logical, command, shift).with_alt(alt);
        let offered = || COMMANDS.iter().filter(|command| command.exists());
        press.chords().any(|chord| offered().any(|offered| self.chords(offered).contains(&chord)))
    }
}

/// Whether the browser copies, cuts or pastes after this key with Control: by its letter, or
/// by its place on a layout of other letters.
fn is_for_clipboard(code: &str, key: &str) -> bool {
    ["c", "v", "x"].contains(&key.to_lowercase().as_str())
        || !key.is_ascii() && ["KeyC", "KeyV", "KeyX"].contains(&code)
}

#[cfg(test)]
mod tests {
    use bevy::prelude::KeyCode;

    use super::*;
    use crate::app::commands::{Command, alt, ctrl};

    fn named(code: &'static str) -> BrowserKey<'static> {
        BrowserKey { code, key: code, ..BrowserKey::default() }
    }

    fn typed(code: &'static str, key: &'static str) -> BrowserKey<'static> {
        BrowserKey { code, key, ..BrowserKey::default() }
    }

    #[test]
    fn the_page_keeps_the_keys_of_the_bindings_as_they_are_set() {
        let mut keys = KeyBindings::default();
        let with_control = |key| BrowserKey { command: true, ..key };
        for code in ["F1", "F2", "F3", "F4", "F10", "Tab", "Escape", "ArrowUp", "PageDown"] {
            assert!(keys.keeps_from_browser(named(code)), "{code}");
        }
        for (code, key) in [("KeyR", "r"), ("KeyL", "l"), ("KeyE", "E"), ("Comma", ",")] {
            assert!(keys.keeps_from_browser(with_control(typed(code, key))), "{key}");
        }
        // AZERTY has Z at the American W.
        assert!(keys.keeps_from_browser(with_control(typed("KeyW", "z"))));
        assert!(keys.keeps_from_browser(with_control(named("Enter"))), "the next game");
        for (code, key) in [("KeyC", "c"), ("KeyV", "v"), ("KeyA", "a"), ("Equal", "+")] {
            assert!(!keys.keeps_from_browser(with_control(typed(code, key))), "{key}");
        }
        // A Russian layout and a Hebrew one.
        for (code, key) in [("KeyC", "с"), ("KeyV", "М"), ("KeyX", "ס")] {
            assert!(!keys.keeps_from_browser(with_control(typed(code, key))), "{key}");
        }
        assert!(keys.keeps_from_browser(with_control(typed("KeyR", "к"))));
        for pressed in [named("F5"), named("F11"), named("F12"), typed("KeyH", "h")] {
            assert!(!keys.keeps_from_browser(pressed), "{pressed:?}");
        }
        assert!(keys.keeps_from_browser(typed("Slash", "/")), "no search");

        let hint = Command::named("hint");
        assert_eq!(keys.set(hint, 0, Some(ctrl(KeyCode::KeyJ))), Ok(()));
        assert_eq!(keys.set(hint, 1, Some(alt(KeyCode::F5))), Ok(()));
        assert!(keys.keeps_from_browser(with_control(typed("KeyJ", "j"))));
        assert!(keys.keeps_from_browser(BrowserKey { alt: true, ..named("F5") }));
        assert!(!keys.keeps_from_browser(named("F5")));
    }
}
