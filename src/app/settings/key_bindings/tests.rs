use std::collections::BTreeSet;

use crate::{app::settings::key_bindings::*, i18n::Language};

fn named(id: &str) -> &'static Command {
    COMMANDS.iter().find(|command| command.id == id).expect("a command")
}

#[test]
fn every_command_has_an_act_a_name_and_no_key_of_another() {
    let ids: BTreeSet<_> = COMMANDS.iter().map(|command| command.id).collect();
    assert_eq!(ids.len(), COMMANDS.len());
    let keys = Keys::default();
    for command in COMMANDS {
        assert!(command.act(&KeyContext::default()).is_some(), "{}", command.id);
        assert!(command.usual.len() <= SLOTS, "{}", command.id);
        for language in Language::ALL {
            let texts = language.texts();
            let own = ["key", "act"].iter().any(|it| {
                let id = command.id.trim_end_matches(|it: char| it.is_ascii_digit());
                texts.contains_key(&format!("{it}.{}", id.trim_end_matches('-')))
            });
            assert!(own, "{} in {}", command.id, language.name());
        }
        for &chord in command.usual {
            assert_eq!(chord.to_string().parse(), Ok(chord));
            assert_eq!(keys.taken(command, chord), None, "{}: {chord}", command.id);
        }
    }
    let names: BTreeSet<_> = COMMANDS.iter().map(Command::name).collect();
    assert_eq!(names.len(), COMMANDS.len(), "names tell them apart");
}

#[test]
fn keys_are_changed_kept_and_never_taken_from_another() {
    let (mut keys, undo, hint) = (Keys::default(), named("undo"), named("hint"));
    let free = key(KeyCode::KeyJ);
    assert_eq!(keys.set(undo, 0, Some(free)), Ok(()));
    assert_eq!(keys.of(undo), [free, command(KeyCode::KeyZ)]);
    assert_eq!(keys.command(Screen::Table, free), Some(undo));
    assert_eq!(keys.command(Screen::Table, key(KeyCode::KeyU)), None);
    assert_eq!(keys.set(hint, 0, Some(free)), Err(undo));
    assert_eq!(keys.of(hint), hint.usual);
    assert_eq!(keys.set(hint, 1, Some(key(KeyCode::KeyU))), Ok(()), "it is free now");

    let text = toml::to_string(&keys).expect("a text");
    assert_eq!(toml::from_str::<Keys>(&text).map(Keys::sound), Ok(keys.clone()));

    assert_eq!(keys.set(hint, 1, None), Ok(()));
    assert_eq!(keys.set(undo, 0, Some(key(KeyCode::KeyU))), Ok(()));
    assert!(keys.are_usual(), "{keys:?}");
    assert_eq!(keys.set(undo, 1, None), Ok(()));
    assert_eq!(keys.set(undo, 0, None), Ok(()));
    assert_eq!(keys.of(undo), [], "a command can do without");
}

#[test]
fn a_key_may_mean_one_thing_at_the_table_and_another_in_a_replay() {
    let mut keys = Keys::default();
    let space = key(KeyCode::Space);
    assert_eq!(keys.command(Screen::Table, space), Some(named("throw")));
    assert_eq!(keys.command(Screen::Replay, space), Some(named("toggle-play")));
    assert_eq!(keys.command(Screen::Title, space), None);
    assert_eq!(keys.set(named("loop"), 0, Some(key(KeyCode::KeyH))), Ok(()));
    let threats = named("threats");
    assert_eq!(keys.set(named("loop"), 0, Some(key(KeyCode::KeyX))), Err(threats));
}

#[test]
fn what_a_file_cannot_mean_is_left_out() {
    let text = "undo = [\"J\", \"Ctrl+Nothing\", \"K\", \"L\"]\nnobody = [\"A\"]\n";
    let keys = toml::from_str::<Keys>(text).expect("keys").sound();
    assert_eq!(keys.of(named("undo")), [key(KeyCode::KeyJ), key(KeyCode::KeyK)]);
    assert_eq!(keys.0.len(), 1);
}
