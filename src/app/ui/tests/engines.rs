//! The list of other engines, and choosing one as the opponent.

use std::time::Instant;

use super::*;
use crate::session::{EngineEntry, EngineList};

fn list(entries: &[(&str, &str)]) -> EngineList {
    let mut list = EngineList::default();
    for (name, command) in entries {
        let (name, command) = ((*name).to_owned(), (*command).to_owned());
        list.add(EngineEntry { name, command, ..EngineEntry::default() });
    }
    list
}

fn in_dialog(engines: EngineList) -> TestUi {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    *ui.edit::<Engines>() = Engines::of(engines);
    ui.open(Dialog::Engines);
    ui
}

/// Frames until the list is no longer this one.
fn changed_from(ui: &mut TestUi, before: &EngineList) -> EngineList {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        let list = ui.read::<Engines>().list();
        if list != before {
            return list.clone();
        }
        ui.frame(Vec::new());
        std::thread::yield_now();
    }
    panic!("the list was not changed")
}

fn enter(ui: &mut TestUi, field: &str, text: &str) {
    ui.focus(field);
    ui.frame(vec![egui::Event::Text(text.to_owned())]);
}

/// An engine with one option of each kind.
const WITH_OPTIONS: &str = "sh -c 'echo id name Sturdy; \
    echo option name Ponder type check default false; \
    echo option name Hash type spin default 16 min 1 max 64; \
    echo option name Style type combo default calm var calm var wild; \
    echo option name Rules type combo default tablan var tablan; echo ugiok; cat'";

#[test]
fn an_engine_is_added_once_it_has_started_and_its_options_are_changed() {
    let mut ui = in_dialog(EngineList::default());
    enter(&mut ui, tr("engines.name"), "Mine");
    enter(&mut ui, tr("engines.command"), WITH_OPTIONS);
    ui.press(tr("engines.add"));
    let added = changed_from(&mut ui, &EngineList::default());
    assert_eq!(added, list(&[("Mine", WITH_OPTIONS)]));
    let words = |ui: &mut TestUi| {
        let labels = ui.labels().into_iter().map(|(_, label)| label);
        labels.collect::<Vec<_>>().join("\n")
    };
    assert!(words(&mut ui).contains("Sturdy"), "{}", words(&mut ui));
    let has_rules = ui.labels().iter().any(|(_, label)| label == "Rules");
    assert!(!has_rules, "the table sets it");
    ui.press("Ponder");
    let pondering = changed_from(&mut ui, &added);
    let options = &pondering.engines[0].options;
    assert_eq!(options.get("Ponder").map(String::as_str), Some("true"));
    ui.press("Ponder");
    assert_eq!(changed_from(&mut ui, &pondering), added, "the default again");
    ui.press("Mine: Remove");
    assert_eq!(changed_from(&mut ui, &added), EngineList::default());
}

#[test]
fn what_is_no_engine_is_not_added_and_the_dialog_says_why() {
    for (name, command, reason) in [
        ("", "cat", tr("engines.no-name")),
        ("Mine", "'", tr("engines.no-command")),
        ("Taken", "cat", "Taken"),
        ("Mine", "no-such-program-here", "cannot be started"),
        ("Mine", "true", "has ended"),
    ] {
        let mut ui = in_dialog(list(&[("Taken", "cat")]));
        enter(&mut ui, tr("engines.name"), name);
        enter(&mut ui, tr("engines.command"), command);
        ui.press(tr("engines.add"));
        let start = Instant::now();
        loop {
            ui.frame(Vec::new());
            let labels = ui.labels();
            // The name in the list and in the field says nothing.
            if labels.iter().any(|(_, label)| label.contains(reason) && label != name) {
                break;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{command}: {labels:?}");
        }
        assert_eq!(*ui.read::<Engines>().list(), list(&[("Taken", "cat")]), "{command}");
    }
}

#[test]
fn an_engine_of_the_list_is_chosen_as_the_opponent() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    ui.choose_opponent(tr("title.program"));
    assert_eq!(ui.requested, [UiAction::OpenDialog(Dialog::Engines).into()]);
    assert!(!ui.read::<SelectedGame>().seats.contains(&Seat::Program), "there is none yet");
    *ui.edit::<Engines>() = Engines::of(list(&[("Mine", "cat"), ("Yours", "cat")]));
    ui.edit::<SelectedGame>().choose_side(crate::games::Side::First);
    ui.choose_opponent("Mine");
    assert_eq!(ui.read::<SelectedGame>().names[1], "Mine");
    ui.choose_opponent("Yours");
    ui.press(tr("title.play"));
    let Some(Action::Game(GameAction::NewGame(setup))) = ui.requested.pop() else {
        panic!("a game")
    };
    assert_eq!((setup.seats[1], setup.names[1].as_str()), (Seat::Program, "Yours"));
    ui.choose_opponent("6 · Club");
    let choice = ui.read::<SelectedGame>();
    assert!(matches!(choice.seats[1], Seat::Engine(_)) && choice.names[1].is_empty());
}
