//! Every button can be reached and pressed with the keyboard.

use bevy::input::keyboard::NativeKey;

use crate::app::{
    input::KeyPresses,
    settings::key_bindings::{KEY_COMMANDS, KeyPress},
    ui::{dialogs::keys::KeyCapture, tests::*},
};

#[test]
fn every_button_of_the_title_can_be_reached() {
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    panels.edit::<Referee>().table = Some(table(RuleSet::Tablaaza, 0));
    let (requested, opened) = panels.press_all();
    for id in ["new-game", "table", "learn", "quit"] {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    for dialog in [Dialog::Help, Dialog::Recent, Dialog::Settings, Dialog::About] {
        assert!(
            requested.contains(&Action::Ui(UiAction::OpenDialog(dialog))),
            "{dialog:?} among {requested:?}"
        );
    }
    assert_eq!(opened, [false, true], "no yes, files");
    let chosen = requested.iter().find_map(|act| match act {
        Action::Game(GameAction::NewGame(setup)) => Some((setup.rules.game(), setup.seats)),
        _ => None,
    });
    let chosen = chosen.expect("a game");
    assert_eq!(chosen.0, GameKind::Tablaaza, "the last card pressed before Play");
    assert_eq!(chosen.1, [Seat::Engine(Level::Master); 2], "the last seats pressed before Play");
}

#[test]
fn every_button_of_the_table_can_be_reached() {
    let mut panels = at_table(RuleSet::Tablan, 0, SIZES[0]);
    panels.edit::<Referee>().table = Some({
        let mut table = table(RuleSet::Tablan, 3);
        table.undo();
        while !table.person_throws() {
            let first = table.history().legal_moves()[0];
            assert!(table.play(first).is_ok());
        }
        table
    });
    let (requested, opened) = panels.press_all();
    for id in ["undo", "undo-turn", "redo", "top-view", "reset-view", "throw", "threats", "value"] {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    for ply in [1, 2] {
        assert!(
            requested.contains(&Action::Game(GameAction::ViewPly(ply))),
            "looking back at {ply} among {requested:?}"
        );
    }
    for dialog in [Dialog::Help, Dialog::Menu] {
        assert!(
            requested.contains(&Action::Ui(UiAction::OpenDialog(dialog))),
            "{dialog:?} among {requested:?}"
        );
    }
    assert_eq!(opened, [false; 2], "nothing else opens by itself");
}

#[test]
fn every_entry_of_the_table_menu_can_be_reached() {
    let mut panels = at_table(RuleSet::TablutAshton, 3, SIZES[0]);
    panels.edit::<Referee>().autosaved = true;
    let (requested, opened) = press_dialog(&mut panels, Dialog::Menu);
    for id in
        ["title", "rematch", "copy", "watch", "analyse", "set-up", "offer-draw", "quit", "close"]
    {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    for dialog in [Dialog::TypeMove, Dialog::Recent, Dialog::Settings, Dialog::Help] {
        assert!(
            requested.contains(&Action::Ui(UiAction::OpenDialog(dialog))),
            "{dialog:?} among {requested:?}"
        );
    }
    assert_eq!(opened, [true; 2], "the yes to resigning, files");
    assert!(!requests(&requested, "resign"), "resigning wants a yes");
}

#[test]
fn the_settings_can_be_chosen_with_the_keyboard() {
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    press_dialog(&mut panels, Dialog::Settings);
    let chosen = std::mem::take(&mut panels.changed);
    let has = |wanted: &dyn Fn(&Settings) -> bool| chosen.iter().any(wanted);
    assert!(has(&|it| it.text_size == 200) && has(&|it| it.text_size == 75));
    assert!(has(&|it| it.language == Some(crate::i18n::Language::Italian)));
    assert!(
        has(&|it| it.reduced_motion) && has(&|it| !it.coordinates) && has(&|it| it.confirm_moves)
    );
    assert!(has(&|it| it.palette == crate::app::settings::options::Palette::BlueOrange));
    assert!(
        has(&|it| it.move_input == crate::app::settings::options::MoveInput::Drag)
            && has(&|it| it.animation_speed > 2.0)
    );
}

#[test]
fn a_move_is_typed_and_entered() {
    let mut panels = at_table(RuleSet::TablutAshton, 0, SIZES[0]);
    panels.edit::<OpenDialog>().0 = Some(Dialog::TypeMove);
    panels.frame(Vec::new());
    panels.frame(Vec::new());
    panels.frame(vec![egui::Event::Text("e4-f4".to_owned())]);
    let requested = panels.key(Key::Enter);
    assert_eq!(requested, [Action::Game(GameAction::TypeMove("e4-f4".to_owned()))]);
    assert_eq!(panels.read::<OpenDialog>().0, None);
}

#[test]
fn the_recent_games_can_be_played_on_and_watched() {
    let folder = tempfile::tempdir().expect("a folder");
    let shelf = crate::table::SaveStore::new(folder.path().to_owned());
    let slot = shelf.create().expect("a place");
    slot.write(&table(RuleSet::Tablaaza, 2).record(None).to_string()).expect("written");
    std::fs::write(folder.path().join("0.tab"), "nothing").expect("written");
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    panels.app.insert_resource(Autosave::in_folder(folder.path().to_owned()));
    panels.list_recent(&shelf);
    let (requested, opened) = press_dialog(&mut panels, Dialog::Recent);
    assert!(
        requested.contains(&Action::Game(GameAction::ResumeFile(slot.path().to_owned()))),
        "{requested:?}"
    );
    assert!(
        requested.contains(&ReplayAction::open(slot.path().to_owned()).into()),
        "{requested:?}"
    );
    assert!(opened[0] && !requests(&requested, "forget"), "deleting asks for confirmation first");
}

#[test]
fn a_saved_game_is_deleted_only_after_confirmation() {
    let folder = tempfile::tempdir().expect("a folder");
    let shelf = crate::table::SaveStore::new(folder.path().to_owned());
    let slot = shelf.create().expect("a place");
    slot.write(&table(RuleSet::Tablaaza, 2).record(None).to_string()).expect("written");
    let path = slot.path().to_owned();
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    panels.app.insert_resource(Autosave::in_folder(folder.path().to_owned()));
    panels.edit::<OpenDialog>().0 = Some(Dialog::Recent);
    panels.edit::<RecentGames>().is_stale = true;
    panels.frame(Vec::new());
    panels.press("Remove: Tablaaza, ply 2");
    assert_eq!(panels.requested, [], "not at once");
    panels.frame(Vec::new());
    assert_eq!(panels.visible_text().count("Remove this game for good?"), 1);
    panels.press("Remove");
    assert_eq!(panels.requested, [Action::Game(GameAction::DeleteSave(path.clone()))]);
    drop(slot);
    assert_eq!(shelf.remove(&path).ok(), Some(true));
    panels.edit::<RecentGames>().is_stale = true;
    let labels = panels.labels();
    assert!(!labels.iter().any(|(_, words)| words.starts_with("Remove")), "{labels:?}");
}

#[test]
fn every_button_of_the_replay_can_be_reached() {
    let mut panels = in_replay(RuleSet::TablutLinnaeus, 4, 2, SIZES[0]);
    panels.edit::<Referee>().table = Some(table(RuleSet::Tablaaza, 0));
    let (requested, opened) = panels.press_all();
    for id in [
        "toggle-play",
        "step-forward",
        "step-back",
        "speed",
        "analyse",
        "play-on",
        "table",
        "top-view",
        "show",
    ] {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    for to in [0, 1, 3, 4] {
        assert!(
            requested.contains(&Action::Replay(ReplayAction::Jump(to))),
            "jump to {to} among {requested:?}"
        );
    }
    assert_eq!(opened, [false; 2], "nothing else opens by itself");
    let (requested, opened) = press_dialog(&mut panels, Dialog::Menu);
    for id in ["title", "copy", "loop", "auto-camera", "set-up", "analyse", "quit"] {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    assert!(opened[1], "a file for the animation");
}

#[test]
fn playing_on_asks_before_an_unsaved_game_is_lost() {
    let mut panels = in_replay(RuleSet::TablutAshton, 4, 2, SIZES[0]);
    panels.edit::<Referee>().table = Some(table(RuleSet::Tablaaza, 2));
    let (requested, opened) = panels.press_all();
    assert!(opened[0] && !requests(&requested, "play-on"));
}

#[test]
fn the_end_banner_offers_another_game_and_can_be_closed() {
    let mut table = table(RuleSet::TablutBerkeley, 2);
    assert!(table.resign(crate::games::Side::First));
    let mut panels = Panels::new(Screen::Table, SIZES[0]);
    panels.edit::<Referee>().table = Some(table);
    let (requested, _) = panels.press_all();
    for id in ["rematch", "watch", "analyse", "title"] {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    assert_eq!(panels.read::<EndBanner>().closed, Some(2), "See the board");
}

#[test]
fn the_end_banner_is_hidden_under_the_file_dialog() {
    let mut table = table(RuleSet::TablutBerkeley, 2);
    assert!(table.resign(crate::games::Side::First));
    let mut panels = Panels::new(Screen::Table, SIZES[0]);
    panels.edit::<Referee>().table = Some(table);
    panels.frame(Vec::new());
    assert_eq!(panels.read::<EndBanner>().shown, Some(2));
    panels.edit::<FileChooser>().save(RuleSet::TablutBerkeley);
    panels.frame(Vec::new());
    assert_eq!(panels.read::<EndBanner>().shown, None);
}

#[test]
fn help_opens_with_a_question_mark_and_closes_with_escape() {
    let mut panels = at_table(RuleSet::Tablaaza, 0, SIZES[0]);
    panels.frame(Vec::new());
    panels.key(Key::Questionmark);
    assert_eq!(panels.read::<OpenDialog>().0, Some(Dialog::Help));
    panels.key(Key::Escape);
    assert_eq!(panels.read::<OpenDialog>().0, None);
}

#[test]
fn no_throw_can_be_made_while_one_tumbles() {
    let mut panels = at_table(RuleSet::Tablan, 1, SIZES[0]);
    panels.edit::<MotionStatus>().pending = 1;
    let (requested, _) = panels.press_all();
    assert!(!requests(&requested, "throw"), "no throw while one tumbles");
    let referee = panels.read::<Referee>();
    let history = referee.table.as_ref().map(|table| table.history().ply(1));
    assert!(matches!(history, Some(Some(Ply::Throw(_)))));
}

#[test]
fn a_slow_click_is_a_click() {
    let mut panels = at_table(RuleSet::TablutAshton, 0, SIZES[0]);
    panels.frame(Vec::new());
    let pos = panels.place("bar").min + egui::vec2(40.0, 22.0);
    panels.frame(vec![egui::Event::PointerMoved(pos)]);
    let button = |pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    assert_eq!(panels.frame(vec![button(true)]), []);
    panels.time += 3.0;
    assert_eq!(
        panels.frame(vec![button(false)]),
        [Action::Ui(UiAction::OpenDialog(Dialog::Menu))],
        "the first button"
    );
}

#[test]
fn a_click_on_the_timeline_jumps_however_short_it_is() {
    let mut panels = in_replay(RuleSet::Tablaaza, 9, 2, SIZES[0]);
    panels.frame(Vec::new());
    let bar = panels.place("replay-bar");
    let pos = bar.min + egui::vec2(bar.width() * 0.5, 22.0);
    let button = |pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    panels.frame(vec![egui::Event::PointerMoved(pos)]);
    let requested = panels.frame(vec![button(true), button(false)]);
    assert!(matches!(requested[..], [Action::Replay(ReplayAction::Jump(3..9))]), "{requested:?}");
}

#[test]
fn enter_on_the_title_plays_at_once() {
    for size in SIZES {
        let mut panels = Panels::new(Screen::Title, size);
        panels.frame(Vec::new());
        // Large text has less room: everything is laid out again.
        panels.size = LARGEST_TEXT;
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        let requested = panels.key(Key::Enter);
        assert!(requests(&requested, "new-game"), "{size:?}: {requested:?}");
    }
}

#[test]
fn a_key_is_changed_and_a_conflict_is_shown() {
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    panels.edit::<OpenDialog>().0 = Some(Dialog::Keys);
    panels.frame(Vec::new());
    let catch = |panels: &mut Panels, key: KeyCode, labels: Key| {
        panels.press("Ask for a hint: H");
        let typed = bevy::input::keyboard::Key::Unidentified(NativeKey::Unidentified);
        panels.edit::<KeyPresses>().0 = vec![KeyPress::new(key, &typed, false, false)];
        let requested = panels.key(labels);
        panels.edit::<KeyPresses>().0.clear();
        requested
    };
    catch(&mut panels, KeyCode::KeyJ, Key::J);
    let wanted = panels.changed.pop().expect("settings");
    let hint = KEY_COMMANDS.iter().find(|it| it.id == "hint").expect("a command");
    let keys: Vec<String> =
        wanted.key_bindings.chords(hint).iter().map(ToString::to_string).collect();
    assert_eq!(keys, ["J"]);

    let requested = catch(&mut panels, KeyCode::KeyU, Key::U);
    assert_eq!(requested, [], "it is another's");
    let labels = panels.labels();
    assert!(labels.iter().any(|(_, it)| it == "U is taken: Take back."), "{labels:?}");

    let requested = catch(&mut panels, KeyCode::Escape, Key::Escape);
    assert_eq!(requested, []);
    assert_eq!(panels.read::<OpenDialog>().0, Some(Dialog::Keys), "it stays open");
    assert!(panels.labels().iter().any(|(_, it)| it == "Ask for a hint: H"));
}

/// On a German keyboard Z stands where Y is on an American one.
#[test]
fn a_key_is_bound_to_the_letter_it_types() {
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    panels.edit::<OpenDialog>().0 = Some(Dialog::Keys);
    panels.frame(Vec::new());
    panels.press("Ask for a hint: H");
    let typed = bevy::input::keyboard::Key::Character("z".into());
    panels.edit::<KeyPresses>().0 = vec![KeyPress::new(KeyCode::KeyY, &typed, false, false)];
    panels.key(Key::Z);
    let wanted = panels.changed.pop().expect("settings");
    let hint = KEY_COMMANDS.iter().find(|it| it.id == "hint").expect("a command");
    let keys: Vec<String> =
        wanted.key_bindings.chords(hint).iter().map(ToString::to_string).collect();
    assert_eq!(keys, ["Z"]);
}

#[test]
fn no_key_is_waited_for_after_the_dialog_was_closed() {
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    panels.edit::<OpenDialog>().0 = Some(Dialog::Keys);
    panels.frame(Vec::new());
    panels.press("Ask for a hint: H");
    assert!(panels.read::<KeyCapture>().is_active());
    panels.edit::<OpenDialog>().0 = None;
    panels.frame(Vec::new());
    assert!(!panels.read::<KeyCapture>().is_active());
}

#[test]
fn every_button_of_the_editor_can_be_reached() {
    for size in [SIZES[0], LARGEST_TEXT] {
        let mut panels = Panels::new(Screen::Editor, size);
        let draft = crate::table::PositionBuilder::start(RuleSet::Tablan);
        panels.edit::<Editor>().draft = draft;
        let (requested, _) = panels.press_all();
        for id in [
            "edit-analyse",
            "new-game",
            "edit-done",
            "edit-tool",
            "edit-side",
            "edit-sticks",
            "edit-start",
            "edit-clear",
            "show",
            "copy",
            "edit-rules",
        ] {
            assert!(requests(&requested, id), "{size:?}: {id} among {requested:?}");
        }
    }
}

#[test]
fn who_plays_from_a_position_changes_nothing_on_the_title() {
    let mut panels = Panels::new(Screen::Editor, SIZES[0]);
    let draft = crate::table::PositionBuilder::start(RuleSet::TablutAshton);
    panels.edit::<Editor>().draft = draft;
    let title = panels.read::<SelectedGame>().0.clone();
    let novice = crate::table::Seat::Engine(crate::engines::Level::Novice);
    panels.press("Novice");
    let seats = [novice, title.seats[1]];
    assert_eq!(panels.requested, [Action::Editor(EditorAction::SetSeats(seats))]);
    panels.edit::<Editor>().seats = Some(seats);
    panels.press("Play from here");
    let [Action::Game(GameAction::NewGame(setup))] = &panels.requested[..] else {
        panic!("{:?}", panels.requested)
    };
    assert_eq!(setup.seats, seats);
    assert_eq!(panels.read::<SelectedGame>().0, title);
}

#[test]
fn a_typed_position_is_set_and_a_wrong_one_stays_to_be_corrected() {
    let mut panels = Panels::new(Screen::Editor, SIZES[0]);
    panels.edit::<OpenDialog>().0 = Some(Dialog::Position);
    panels.frame(Vec::new());
    panels.frame(Vec::new());
    let all = |panels: &mut Panels| {
        panels.edit::<PositionText>().text.clear();
        panels.frame(Vec::new());
    };
    all(&mut panels);
    panels.frame(vec![egui::Event::Text("9/9 w".to_owned())]);
    assert_eq!(panels.key(Key::Enter), []);
    panels.frame(Vec::new());
    assert_eq!(panels.read::<OpenDialog>().0, Some(Dialog::Position));
    let typed = panels.read::<PositionText>();
    assert_eq!(typed.text, "9/9 w");
    let why = typed.error.clone().expect("what is wrong");
    assert!(why.contains("9 rows") && why.contains("found 2"), "{why}");
    all(&mut panels);
    let right = "9/9/9/9/4K4/9/9/9/4B4 w";
    panels.frame(vec![egui::Event::Text(right.to_owned())]);
    assert_eq!(panels.key(Key::Enter), [Action::Editor(EditorAction::SetText(right.to_owned()))]);
    assert_eq!(panels.read::<OpenDialog>().0, None);
}

#[test]
fn each_game_of_a_file_can_be_chosen_with_the_keyboard() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("three.tab");
    let game = |rules| table(rules, 1).record(None).to_string() + "\n";
    let [one, two] = [RuleSet::TablutBerkeley, RuleSet::Tablaaza].map(game);
    std::fs::write(&path, format!("{one}{two}{one}")).expect("written");
    let mut panels = in_replay(RuleSet::Tablaaza, 1, 1, SIZES[0]);
    let games = crate::app::game::referee::OpenedFile::read(&path).expect("games");
    panels.app.insert_resource(games);
    let (requested, _) = press_dialog(&mut panels, Dialog::Games);
    for number in 0..3 {
        assert!(
            requested.contains(&Action::Replay(ReplayAction::PickGame(number))),
            "{number} among {requested:?}"
        );
    }
    panels.edit::<OpenDialog>().0 = Some(Dialog::Games);
    let labels = panels.labels();
    let said = |words: &str| labels.iter().any(|(_, text)| text.contains(words));
    assert!(said("three.tab: 3 games") && said("2. Tablaaza") && said("Berkeley"), "{labels:?}");
    let (requested, _) = press_dialog(&mut panels, Dialog::Menu);
    assert!(requested.contains(&Action::Ui(UiAction::OpenDialog(Dialog::Games))), "{requested:?}");
}
