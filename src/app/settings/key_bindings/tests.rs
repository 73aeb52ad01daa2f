use std::collections::BTreeSet;

use bevy::{
    input::keyboard::{Key, NativeKey},
    prelude::KeyCode,
};

use super::*;
use crate::{
    app::commands::{CommandContext, KeyPress, alt, ctrl, ctrl_shift, plain, shift},
    i18n::Language,
};

fn named(id: &str) -> &'static Command {
    Command::named(id)
}

#[test]
fn every_command_has_an_action_its_texts_and_its_own_keys() {
    let ids: BTreeSet<_> = COMMANDS.iter().map(|command| command.id).collect();
    assert_eq!(ids.len(), COMMANDS.len());
    let keys = KeyBindings::default();
    let context = CommandContext::default();
    for command in COMMANDS {
        assert!(command.default_chords().len() <= MAX_KEYS, "{}", command.id);
        assert_ne!(command.name(), command.id, "a name");
        let is_off = command.refusal(&context);
        assert_ne!(is_off, Some(""), "{}: why it is off", command.id);
        for &chord in command.default_chords() {
            assert_eq!(chord.to_string().parse(), Ok(chord));
            assert_eq!(keys.conflict(command, chord), None, "{}: {chord}", command.id);
        }
    }
    let names: BTreeSet<_> = COMMANDS.iter().map(Command::name).collect();
    assert_eq!(names.len(), COMMANDS.len(), "names tell them apart");
}

/// A command whose row and texts do not fit each other would show an id, or nothing.
#[test]
fn every_text_of_a_command_belongs_to_one_that_shows_it() {
    let known = |key: &str, end: &str| {
        let id = key.strip_suffix(end).unwrap_or(key);
        let series = |command: &&Command| {
            command.id.strip_prefix(id).is_some_and(|rest| rest.starts_with('-'))
        };
        Command::find(id).or_else(|| COMMANDS.iter().find(series))
    };
    for language in Language::ALL {
        let keys = language.texts().keys().filter_map(|key| key.strip_prefix("act."));
        for key in keys {
            let ends =
                ["-also", "-hint", "-off", "-on", "-series", "-short", "-solution", "-other-rules"];
            let end = ends.into_iter().find(|end| key.ends_with(end));
            let whole = Command::find(key);
            let command = whole.or_else(|| known(key, end.unwrap_or_default()));
            assert!(command.is_some(), "act.{key}: no such command");
        }
    }
}

#[test]
fn the_names_of_earlier_versions_are_read() {
    for (old, id) in OLD_IDS {
        assert!(Command::find(old).is_none() && Command::find(id).is_some(), "{old}: {id}");
        let text = format!("{old} = [\"Ctrl+Shift+F9\"]\n");
        let keys = toml::from_str::<KeyBindings>(&text).expect("keys").sanitized();
        assert_eq!(keys.chords(named(id)), [ctrl_shift(KeyCode::F9)], "{old}");
        let text = toml::to_string(&keys).expect("a text");
        assert!(!text.lines().any(|line| line.starts_with(&format!("{old} ="))), "{text}");
    }
}

#[test]
fn commands_are_found_by_words_of_each_language() {
    let found = |words: &str| -> Vec<&str> {
        COMMANDS.iter().filter(|command| command.matches(words)).map(|command| command.id).collect()
    };
    assert!(found("top view").contains(&"toggle-top-view"));
    assert!(found("dall'alto").contains(&"toggle-top-view"), "{:?}", found("dall'alto"));
    assert!(found("view top").contains(&"toggle-top-view"), "in any order");
    assert!(found("xyzzy").is_empty());
    assert_eq!(found("").len(), COMMANDS.len());
}

#[test]
fn on_a_page_no_command_has_a_key_that_browsers_keep_and_each_its_own() {
    let on_page = |command: &Command| command.default_chords_on(true).to_vec();
    for command in COMMANDS {
        for chord in on_page(command) {
            assert!(!chord.is_kept_by_browsers(), "{}: {chord}", command.id);
            let others = COMMANDS.iter().filter(|other| *other != command);
            let mut clashing = others.filter(|other| other.scope.overlaps(command.scope));
            let clash = clashing.find(|clashing| on_page(clashing).contains(&chord));
            assert_eq!(clash, None, "{}: {chord}", command.id);
        }
        let lost =
            command.default_chords_on(false).iter().filter(|chord| chord.is_kept_by_browsers());
        assert!(lost.count() == 0 || !on_page(command).is_empty(), "{}", command.id);
    }
    assert!(
        ctrl(KeyCode::KeyW).is_kept_by_browsers()
            && ctrl_shift(KeyCode::KeyN).is_kept_by_browsers()
    );
}

#[test]
fn a_command_may_depend_on_what_another_has_done() {
    let depends =
        COMMANDS.iter().filter(|command| command.depends_on_context()).map(|command| command.id);
    let depends: Vec<_> = depends.collect();
    for id in ["back", "slower", "faster", "set-side-to-move"] {
        assert!(depends.contains(&id), "{id}");
    }
    assert!(!depends.contains(&"move-cursor-left") && !depends.contains(&"undo"));
}

#[test]
fn a_chord_with_alt_is_written_and_read() {
    for (chord, text) in [
        (alt(KeyCode::KeyH), "Alt+H"),
        (Chord { alt: true, ..ctrl_shift(KeyCode::F4) }, "Ctrl+Alt+Shift+F4"),
    ] {
        assert_eq!(chord.to_string(), text);
        assert_eq!(text.parse(), Ok(chord));
    }
    let keys = KeyBindings::default();
    assert_eq!(keys.command(Screen::Table, alt(KeyCode::KeyH)), None);
    assert_eq!(keys.command(Screen::Table, alt(KeyCode::F4)), None);
}

#[test]
fn keys_are_changed_saved_and_never_taken_from_another_command() {
    let (mut keys, undo, hint) = (KeyBindings::default(), named("undo"), named("hint"));
    let free = plain(KeyCode::KeyJ);
    assert_eq!(keys.set(undo, 0, Some(free)), Ok(()));
    assert_eq!(keys.chords(undo), [free, ctrl(KeyCode::KeyZ)]);
    assert_eq!(keys.command(Screen::Table, free), Some(undo));
    assert_eq!(keys.command(Screen::Table, plain(KeyCode::KeyU)), None);
    assert_eq!(keys.set(hint, 0, Some(free)), Err(undo));
    assert_eq!(keys.chords(hint), hint.default_chords());
    assert_eq!(keys.set(hint, 1, Some(plain(KeyCode::KeyU))), Ok(()), "it is free now");

    let text = toml::to_string(&keys).expect("a text");
    assert_eq!(toml::from_str::<KeyBindings>(&text).map(KeyBindings::sanitized), Ok(keys.clone()));

    assert_eq!(keys.set(hint, 1, None), Ok(()));
    assert_eq!(keys.set(undo, 0, Some(plain(KeyCode::KeyU))), Ok(()));
    assert!(keys.is_default(), "{keys:?}");
    assert_eq!(keys.set(undo, 1, None), Ok(()));
    assert_eq!(keys.set(undo, 0, None), Ok(()));
    assert_eq!(keys.chords(undo), [], "a command needs no key");
}

#[test]
fn a_key_can_mean_one_command_in_the_game_and_another_in_a_replay() {
    let mut keys = KeyBindings::default();
    let space = plain(KeyCode::Space);
    assert_eq!(keys.command(Screen::Table, space), Some(named("throw")));
    assert_eq!(keys.command(Screen::Replay, space), Some(named("toggle-play")));
    assert_eq!(keys.command(Screen::Title, space), None);
    assert_eq!(keys.set(named("toggle-loop"), 0, Some(plain(KeyCode::KeyH))), Ok(()));
    let threats = named("toggle-threats");
    assert_eq!(keys.set(named("toggle-loop"), 0, Some(plain(KeyCode::KeyX))), Err(threats));
}

#[test]
fn unknown_commands_and_keys_of_a_file_are_dropped() {
    let text = "undo = [\"J\", \"Ctrl+Nothing\", \"K\", \"L\"]\nnobody = [\"A\"]\n";
    let keys = toml::from_str::<KeyBindings>(text).expect("keys").sanitized();
    assert_eq!(keys.chords(named("undo")), [plain(KeyCode::KeyJ), plain(KeyCode::KeyK)]);
    assert_eq!(keys.0.len(), 1);
}

/// The chords of the key at this place when it types this text.
fn typed(place: KeyCode, text: &str, command: bool, shift: bool) -> Vec<Chord> {
    KeyPress::new(place, &Key::Character(text.into()), command, shift).chords().collect()
}

#[test]
fn a_letter_is_the_one_the_layout_types() {
    // AZERTY has A at the American Q, QWERTZ has Z at the American Y, Dvorak an
    // apostrophe at the American Q.
    assert_eq!(typed(KeyCode::KeyQ, "a", true, false), [ctrl(KeyCode::KeyA)]);
    assert_eq!(typed(KeyCode::KeyA, "q", true, false), [ctrl(KeyCode::KeyQ)]);
    assert_eq!(typed(KeyCode::KeyY, "z", true, false), [ctrl(KeyCode::KeyZ)]);
    assert_eq!(typed(KeyCode::KeyY, "Z", true, true), [ctrl_shift(KeyCode::KeyZ)]);
    assert_eq!(typed(KeyCode::KeyQ, "'", true, false), [ctrl(KeyCode::Quote)]);
    assert_eq!(typed(KeyCode::Semicolon, "m", false, false), [plain(KeyCode::KeyM)]);
    assert_eq!(typed(KeyCode::KeyM, ",", false, false), [plain(KeyCode::Comma)]);
}

#[test]
fn a_letter_that_is_not_latin_means_the_key_at_its_place() {
    assert_eq!(typed(KeyCode::KeyZ, "я", true, false), [ctrl(KeyCode::KeyZ)]);
    assert_eq!(typed(KeyCode::KeyU, "θ", false, false), [plain(KeyCode::KeyU)]);
    let unknown = Key::Unidentified(NativeKey::Unidentified);
    let press = KeyPress::new(KeyCode::KeyU, &unknown, false, false);
    assert_eq!(press.chords().collect::<Vec<_>>(), [plain(KeyCode::KeyU)]);
    let dead = KeyPress::new(KeyCode::BracketLeft, &Key::Dead(Some('^')), false, false);
    assert_eq!(dead.chords().collect::<Vec<_>>(), [plain(KeyCode::BracketLeft)]);
}

#[test]
fn digits_and_symbols_are_found_on_every_layout() {
    let command = |screen, place, text, shift| {
        let keys = KeyBindings::default();
        let found = typed(place, text, false, shift);
        found.into_iter().find_map(|chord| keys.command(screen, chord)).map(|found| found.id)
    };
    // American: the shifted characters are what they were.
    assert_eq!(command(Screen::Table, KeyCode::Digit1, "1", false), Some("enter-throw-1"));
    assert_eq!(command(Screen::Table, KeyCode::Digit1, "!", true), None);
    assert_eq!(command(Screen::Replay, KeyCode::Equal, "=", false), Some("faster"));
    assert_eq!(command(Screen::Replay, KeyCode::Equal, "+", true), Some("faster"));
    // AZERTY types digits with Shift; without it the place counts.
    assert_eq!(command(Screen::Table, KeyCode::Digit1, "1", true), Some("enter-throw-1"));
    assert_eq!(command(Screen::Table, KeyCode::Digit1, "&", false), Some("enter-throw-1"));
    assert_eq!(command(Screen::Table, KeyCode::Digit2, "é", false), Some("enter-throw-2"));
    // QWERTZ has plus and minus elsewhere.
    assert_eq!(command(Screen::Replay, KeyCode::BracketRight, "+", false), Some("faster"));
    assert_eq!(command(Screen::Replay, KeyCode::Slash, "-", false), Some("slower"));
    // The numeric pad has no layout.
    assert_eq!(typed(KeyCode::Numpad1, "1", false, false), [plain(KeyCode::Numpad1)]);
    let off = KeyPress::new(KeyCode::Numpad1, &Key::End, false, false);
    assert_eq!(off.chords().collect::<Vec<_>>(), [plain(KeyCode::Numpad1)]);
    assert_eq!(typed(KeyCode::Minus, "_", false, true), [shift(KeyCode::Minus)]);
}

#[test]
fn a_swapped_escape_is_escape() {
    let press = KeyPress::new(KeyCode::CapsLock, &Key::Escape, false, false);
    assert_eq!(press.chords().collect::<Vec<_>>(), [plain(KeyCode::Escape)]);
}

/// The keys that the rows of the guide's tables name are those of commands, and the page
/// about the web names the keys that differ there.
#[test]
fn the_guides_name_keys_that_commands_have() {
    let guide = include_str!("../../../../docs/manual.md");
    let named = |text: &str| {
        let text = text.trim();
        let arrows = [("Right", "→"), ("Left", "←"), ("Up", "↑"), ("Down", "↓")];
        let whole = [("Page Up", "PgUp"), ("Page Down", "PgDn"), ("+", "=")];
        let known =
            whole.into_iter().find(|(name, _)| *name == text).map(|whole| whole.1.to_owned());
        let text = known.unwrap_or_else(|| {
            let (held, key) = text.rsplit_once('+').map_or(("", text), |(held, key)| (held, key));
            let key = arrows.iter().find(|(name, _)| *name == key).map_or(key, |arrow| arrow.1);
            if held.is_empty() { key.to_owned() } else { format!("{held}+{key}") }
        });
        text.parse::<Chord>().ok()
    };
    let rows = guide.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let keys: Vec<Chord> = rows
        .flat_map(|cell| cell.split(", ").flat_map(|cell| cell.split(" or ")))
        .filter_map(named)
        .collect();
    assert!(keys.len() > 50, "{}", keys.len());
    for key in keys {
        let is_known =
            COMMANDS.iter().any(|command| command.default_chords_on(false).contains(&key));
        assert!(is_known, "{key} is no command's key");
    }
    let page = include_str!("../../../../docs/web.md").replace('\n', " ");
    for command in COMMANDS
        .iter()
        .filter(|command| command.default_chords_on(true) != command.default_chords_on(false))
    {
        for chord in command.default_chords_on(true) {
            assert!(page.contains(&chord.to_string()), "{}: {chord}", command.id);
        }
    }
}
