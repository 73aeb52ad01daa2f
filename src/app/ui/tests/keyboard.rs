//! Every button can be reached and pressed with the keyboard.

use bevy::input::keyboard::NativeKey;

use crate::app::{
    commands::{Command, KeyPress},
    input::KeyPresses,
    ui::{dialogs::keys::KeyCapture, tests::*},
};

#[test]
fn every_button_of_the_title_can_be_reached() {
    let mut ui = TestUi::new(Screen::Title, SIZES[0]);
    ui.edit::<Referee>().table = Some(table(RuleSet::Tablaaza, 0));
    let (requested, opened) = ui.press_all();
    for id in ["NewGame", "ShowTable", "StartLesson", "Quit"] {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    for dialog in [Dialog::NewGame, Dialog::Help, Dialog::Recent, Dialog::Settings, Dialog::About] {
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
    let seats = [Seat::Person, Seat::Engine(Level::Casual)];
    assert_eq!(chosen.1, seats, "Red has it easier");
}

/// Each opponent and each side can be chosen without the mouse.
#[test]
fn the_opponent_and_the_side_are_chosen_from_lists() {
    let mut ui = TestUi::new(Screen::Title, SIZES[0]);
    let casual = Seat::Engine(Level::Casual);
    assert_eq!(ui.read::<SelectedGame>().seats, [casual, Seat::Person], "Black has it easier");
    ui.press("You play: Black, the easier side");
    ui.press("You play: White, the harder side");
    assert_eq!(ui.read::<SelectedGame>().seats, [Seat::Person, casual]);
    for level in Level::ALL {
        let name = format!("{} · {}", level.number(), crate::session::level_label(level));
        ui.choose_opponent(&name);
        assert_eq!(ui.read::<SelectedGame>().seats, [Seat::Person, Seat::Engine(level)]);
    }
    ui.press("Against: Master, level 10 of 10");
    let words = ui.labels();
    assert!(words.iter().any(|(_, it)| it == "Against: 1 · Newcomer"), "{words:?}");
    let text = ui.visible_text();
    assert_eq!(text.count("Knows the rules, but overlooks a lot"), 1, "strength in words");
    // In a usual window, the list leaves what is said of the game free.
    let mut usual = TestUi::new(Screen::Title, (1280.0, 720.0));
    usual.press("Against: Casual, level 4 of 10");
    usual.settle();
    assert_eq!(usual.visible_text().count(game_texts::summary(GameKind::Tablut)), 1);
    // It opens at the level that is chosen; the arrow keys go to the others.
    ui.key(Key::ArrowUp);
    ui.key(Key::Enter);
    let candidate = Seat::Engine(Level::Candidate);
    assert_eq!(ui.read::<SelectedGame>().seats, [Seat::Person, candidate]);
    ui.choose_opponent("Watch");
    assert_eq!(ui.read::<SelectedGame>().seats, [candidate; 2]);
    ui.choose_opponent("Two players");
    assert_eq!(ui.read::<SelectedGame>().seats, [Seat::Person; 2]);
    ui.choose_opponent("A friend");
    assert_eq!(ui.read::<SelectedGame>().seats, [Seat::Person, Seat::Remote]);
    ui.press("Invite or join");
    assert_eq!(ui.requested, [UiAction::OpenDialog(Dialog::Online).into()]);
}

#[test]
fn the_first_move_of_a_first_game_is_two_clicks_away() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    ui.press("Tablaaza");
    ui.press("Play");
    let [Action::Game(GameAction::NewGame(setup))] = &ui.requested[..] else {
        panic!("{:?}", ui.requested)
    };
    assert_eq!(setup.rules, RuleSet::Tablaaza);
    assert_eq!(setup.seats, [Seat::Person, Seat::Engine(Level::Casual)], "Red begins");
    assert_eq!(ui.visible_text().count("Setting up…"), 1, "in the same frame");
}

#[test]
fn play_says_at_once_that_the_board_is_set_up() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    ui.focus("Play");
    let event = |pressed| egui::Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    };
    let requested = ui.frame(vec![event(true)]);
    assert!(requests(&requested, "NewGame"), "{requested:?}");
    assert_eq!(ui.visible_text().count("Setting up…"), 1, "in the frame of the click");
    assert_eq!(ui.frame(vec![event(false), event(true), event(false)]), [], "once");
}

#[test]
fn every_button_of_the_table_can_be_reached() {
    let mut ui = at_table(RuleSet::Tablan, 0, SIZES[0]);
    ui.edit::<Referee>().table = Some({
        let mut table = table(RuleSet::Tablan, 3);
        table.undo();
        while table.thrower() != Some(Thrower::Person) {
            let first = table.history().legal_moves()[0];
            assert!(table.play(first).is_ok());
        }
        table
    });
    let (requested, opened) = ui.press_all();
    for id in ["Undo", "Throw", "ToggleEvaluation"] {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    for ply in [1, 2] {
        assert!(
            requested.contains(&Action::Game(GameAction::ViewPly(ply))),
            "looking back at {ply} among {requested:?}"
        );
    }
    assert!(
        requested.contains(&Action::Ui(UiAction::OpenDialog(Dialog::Menu))),
        "the menu among {requested:?}"
    );
    assert_eq!(opened, [false; 2], "nothing else opens by itself");
    // The menu has what is not among the tools.
    let (requested, _) = press_dialog(&mut ui, Dialog::Menu);
    for id in
        ["UndoTurn", "Redo", "ToggleTopView", "ResetCamera", "ToggleThreats", "ToggleEvaluation"]
    {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    assert!(
        requested.contains(&Action::Ui(UiAction::OpenDialog(Dialog::Help))),
        "the help among {requested:?}"
    );
}

#[test]
fn every_entry_of_the_table_menu_can_be_reached() {
    let mut ui = at_table(RuleSet::TablutAshton, 3, SIZES[0]);
    let referee = ui.app.world().resource::<Referee>();
    let saved = Autosave::with_saved(referee);
    *ui.edit::<Autosave>() = saved;
    let (requested, opened) = press_dialog(&mut ui, Dialog::Menu);
    for id in [
        "ShowTitle",
        "Rematch",
        "Copy",
        "WatchGame",
        "ToggleAnalysis",
        "Enter",
        "OfferDraw",
        "TogglePanels",
        "ToggleDiagram",
        "Quit",
        "CloseDialog",
    ] {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    for dialog in [Dialog::TypeMove, Dialog::Recent, Dialog::Settings, Dialog::Help] {
        assert!(
            requested.contains(&Action::Ui(UiAction::OpenDialog(dialog))),
            "{dialog:?} among {requested:?}"
        );
    }
    assert_eq!(opened, [true; 2], "the yes to resigning, files");
    assert!(!requests(&requested, "Resign"), "resigning wants a yes");
}

#[test]
fn the_room_and_the_colours_can_be_chosen_with_the_keyboard() {
    use crate::app::settings::options::{Palette, Room};

    let mut ui = at_table(RuleSet::Tablan, 4, SIZES[0]);
    let (requested, _) = press_dialog(&mut ui, Dialog::Settings);
    assert!(requested.contains(&Action::Ui(UiAction::OpenDialog(Dialog::Look))));
    ui.changed.clear();
    press_dialog(&mut ui, Dialog::Look);
    let chosen = std::mem::take(&mut ui.changed);
    let has = |wanted: &dyn Fn(&Settings) -> bool| chosen.iter().any(wanted);
    assert!(
        has(&|settings| settings.room == Room::Cabin)
            && has(&|settings| settings.palette == Palette::BlueOrange)
    );
}

#[test]
fn the_settings_can_be_chosen_with_the_keyboard() {
    let mut ui = TestUi::new(Screen::Title, SIZES[0]);
    press_dialog(&mut ui, Dialog::Settings);
    let chosen = std::mem::take(&mut ui.changed);
    let has = |wanted: &dyn Fn(&Settings) -> bool| chosen.iter().any(wanted);
    assert!(
        has(&|settings| settings.text_size == 200) && has(&|settings| settings.text_size == 75)
    );
    assert!(has(&|settings| settings.language == Some(crate::i18n::Language::Italian)));
    assert!(
        has(&|settings| settings.reduced_motion)
            && has(&|settings| !settings.coordinates)
            && has(&|settings| settings.confirm_moves)
    );
    assert!(
        has(&|settings| settings.palette == crate::app::settings::options::Palette::BlueOrange)
    );
    assert!(
        has(&|settings| settings.move_input == crate::app::settings::options::MoveInput::Drag)
            && has(&|settings| settings.animation_speed > 2.0)
    );
}

#[test]
fn a_move_is_typed_and_entered() {
    let mut ui = at_table(RuleSet::TablutAshton, 0, SIZES[0]);
    ui.open(Dialog::TypeMove);
    ui.frame(Vec::new());
    ui.frame(vec![egui::Event::Text("e4-f4".to_owned())]);
    let requested = ui.key(Key::Enter);
    assert_eq!(requested, [Action::Game(GameAction::TypeMove("e4-f4".to_owned()))]);
    assert_eq!(ui.read::<OpenDialog>().0, None);
}

#[test]
fn the_recent_games_can_be_played_on_and_watched() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = crate::session::SaveStore::new(folder.path().to_owned());
    let lock = store.create().expect("a place");
    lock.write(&table(RuleSet::Tablaaza, 2).record(None).to_string()).expect("written");
    std::fs::write(folder.path().join("0.tab"), "nothing").expect("written");
    let mut ui = TestUi::new(Screen::Title, SIZES[0]);
    ui.app.insert_resource(Autosave::in_folder(folder.path().to_owned()));
    ui.list_recent(&store);
    let (requested, opened) = press_dialog(&mut ui, Dialog::Recent);
    assert!(
        requested.contains(&Action::Game(GameAction::ResumeFile(lock.path().to_owned()))),
        "{requested:?}"
    );
    assert!(
        requested.contains(&ReplayAction::open(lock.path().to_owned()).into()),
        "{requested:?}"
    );
    assert!(
        opened[0] && !requests(&requested, "DeleteSave"),
        "deleting asks for confirmation first"
    );
}

#[test]
fn a_saved_game_is_deleted_only_after_confirmation() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = crate::session::SaveStore::new(folder.path().to_owned());
    let lock = store.create().expect("a place");
    lock.write(&table(RuleSet::Tablaaza, 2).record(None).to_string()).expect("written");
    let path = lock.path().to_owned();
    let mut ui = TestUi::new(Screen::Title, SIZES[0]);
    ui.app.insert_resource(Autosave::in_folder(folder.path().to_owned()));
    ui.edit::<OpenDialog>().0 = Some(Dialog::Recent);
    ui.edit::<RecentGames>().is_stale = true;
    ui.frame(Vec::new());
    ui.press("Delete: Tablaaza, 1 move");
    assert_eq!(ui.requested, [], "not at once");
    ui.frame(Vec::new());
    assert_eq!(ui.visible_text().count("Delete this game permanently?"), 1);
    ui.press("Delete");
    assert_eq!(ui.requested, [Action::Game(GameAction::DeleteSave(path.clone()))]);
    drop(lock);
    assert_eq!(store.remove(&path).ok(), Some(true));
    ui.edit::<RecentGames>().is_stale = true;
    let labels = ui.labels();
    assert!(!labels.iter().any(|(_, words)| words.starts_with("Delete")), "{labels:?}");
}

#[test]
fn every_button_of_the_replay_can_be_reached() {
    let mut ui = in_replay(RuleSet::TablutLinnaeus, 4, 2, SIZES[0]);
    ui.edit::<Referee>().table = Some(table(RuleSet::Tablaaza, 0));
    let (requested, opened) = ui.press_all();
    for id in [
        "TogglePlay",
        "StepForward",
        "StepBack",
        "SetSpeed",
        "ToggleAnalysis",
        "PlayFromHere",
        "ShowTable",
        "ToggleTopView",
        "OpenDialog",
    ] {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    let replay = ui.read::<Replay>();
    let moves = (1..=4).map(|ply| ReplayAction::GoTo(replay.node_at(ply)));
    for to in moves.chain([ReplayAction::Jump(0), ReplayAction::Jump(4)]) {
        assert!(requested.contains(&to.clone().into()), "{to:?} among {requested:?}");
    }
    assert_eq!(opened, [false; 2], "nothing else opens by itself");
    let (requested, opened) = press_dialog(&mut ui, Dialog::Menu);
    for id in
        ["ShowTitle", "Copy", "ToggleLoop", "ToggleAutoCamera", "Enter", "ToggleAnalysis", "Quit"]
            .into_iter()
            .chain(["DeleteFromHere"])
    {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
    // The main line cannot be promoted.
    for id in ["Promote", "MakeMain"] {
        assert!(!requests(&requested, id), "{id} among {requested:?}");
    }
    assert!(opened[1], "a file for the animation");
}

#[test]
fn playing_on_asks_before_an_unsaved_game_is_lost() {
    let mut ui = in_replay(RuleSet::TablutAshton, 4, 2, SIZES[0]);
    ui.edit::<Referee>().table = Some(table(RuleSet::Tablaaza, 2));
    let (requested, opened) = ui.press_all();
    assert!(opened[0] && !requests(&requested, "PlayFromHere"));
}

/// The table of a game that has ended.
fn at_the_end(rules: RuleSet, size: (f32, f32)) -> TestUi {
    let mut table = table(rules, 2);
    assert!(table.resign(crate::games::Side::First));
    let mut ui = TestUi::new(Screen::Table, size);
    ui.edit::<Referee>().table = Some(table);
    for _ in 0..8 {
        ui.frame(Vec::new());
    }
    ui
}

#[test]
fn the_end_panel_offers_another_game_and_can_be_closed() {
    let mut ui = at_the_end(RuleSet::TablutBerkeley, SIZES[0]);
    let (requested, _) = ui.press_all();
    for id in ["Rematch", "AnalyseGame", "Dismiss"] {
        assert!(requests(&requested, id), "{id} among {requested:?}");
    }
}

#[test]
fn the_end_panel_is_hidden_under_dialogs() {
    let mut ui = at_the_end(RuleSet::TablutBerkeley, SIZES[0]);
    assert_eq!(ui.read::<EndBanner>().shown, Some((0, 2)));
    ui.open(Dialog::Menu);
    assert_eq!(ui.read::<EndBanner>().shown, None, "the menu does not pile up on it");
    ui.edit::<OpenDialog>().0 = None;
    ui.frame(Vec::new());
    assert_eq!(ui.read::<EndBanner>().shown, Some((0, 2)));
    ui.edit::<FileChooser>().save(RuleSet::TablutBerkeley);
    ui.frame(Vec::new());
    assert_eq!(ui.read::<EndBanner>().shown, None);
}

#[test]
fn the_end_panel_stands_under_the_board() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for rules in [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza] {
            let ui = at_the_end(rules, size);
            let (panel, scene) = (ui.panel_rect("end"), ui.scene());
            assert!(scene.height() > 60.0, "{rules} {size:?}: {scene}");
            let shared = panel.intersect(scene);
            assert!(shared.height() < 1.0, "{rules} {size:?}: {panel} over {scene}");
        }
    }
}

#[test]
fn help_opens_with_a_question_mark_and_closes_with_escape() {
    let mut ui = at_table(RuleSet::Tablaaza, 0, SIZES[0]);
    ui.frame(Vec::new());
    ui.key(Key::Questionmark);
    assert_eq!(ui.read::<OpenDialog>().0, Some(Dialog::Help));
    ui.key(Key::Escape);
    assert_eq!(ui.read::<OpenDialog>().0, None);
}

#[test]
fn no_throw_can_be_made_while_one_tumbles() {
    let mut ui = at_table(RuleSet::Tablan, 1, SIZES[0]);
    ui.edit::<MotionStatus>().pending = 1;
    let (requested, _) = ui.press_all();
    assert!(!requests(&requested, "Throw"), "no throw while one tumbles");
    let referee = ui.read::<Referee>();
    let ply = referee.table.as_ref().map(|table| table.history().ply(1));
    assert!(matches!(ply, Some(Some(Ply::Throw(_)))));
}

#[test]
fn a_slow_click_is_a_click() {
    let mut ui = at_table(RuleSet::TablutAshton, 0, SIZES[0]);
    ui.frame(Vec::new());
    ui.frame(Vec::new());
    let menu = |(_, node): &&(NodeId, Node)| node.label() == Some("Menu");
    let rect = ui.nodes.iter().find(menu).and_then(|(_, node)| node.bounds()).expect("a button");
    #[expect(clippy::cast_possible_truncation, reason = "a place in a window")]
    let pos = pos2(rect.x0 as f32, rect.y0 as f32) + egui::vec2(8.0, 8.0);
    ui.frame(vec![egui::Event::PointerMoved(pos)]);
    let button = |pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    assert_eq!(ui.frame(vec![button(true)]), []);
    ui.time += 3.0;
    assert_eq!(
        ui.frame(vec![button(false)]),
        [Action::Ui(UiAction::OpenDialog(Dialog::Menu))],
        "the button of the menu"
    );
}

#[test]
fn a_click_on_the_timeline_jumps_however_short_it_is() {
    let mut ui = in_replay(RuleSet::Tablaaza, 9, 2, SIZES[0]);
    ui.frame(Vec::new());
    let bar = ui.panel_rect("replay-bar");
    let pos = bar.min + egui::vec2(bar.width() * 0.5, 22.0);
    let button = |pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    ui.frame(vec![egui::Event::PointerMoved(pos)]);
    let requested = ui.frame(vec![button(true), button(false)]);
    assert!(matches!(requested[..], [Action::Replay(ReplayAction::Jump(3..9))]), "{requested:?}");
}

#[test]
fn enter_on_the_title_plays_at_once() {
    for size in SIZES {
        let mut ui = TestUi::new(Screen::Title, size);
        ui.frame(Vec::new());
        // Large text has less room: everything is laid out again.
        ui.size = LARGEST_TEXT;
        ui.frame(Vec::new());
        ui.frame(Vec::new());
        let requested = ui.key(Key::Enter);
        assert!(requests(&requested, "NewGame"), "{size:?}: {requested:?}");
    }
}

#[test]
fn a_key_is_changed_and_a_conflict_is_shown() {
    let mut ui = TestUi::new(Screen::Title, SIZES[0]);
    ui.open(Dialog::Keys);
    let catch = |ui: &mut TestUi, key: KeyCode, labels: Key| {
        ui.press("Hint: H");
        let typed = bevy::input::keyboard::Key::Unidentified(NativeKey::Unidentified);
        ui.edit::<KeyPresses>().0 = vec![KeyPress::new(key, &typed, false, false)];
        let requested = ui.key(labels);
        ui.edit::<KeyPresses>().0.clear();
        requested
    };
    catch(&mut ui, KeyCode::KeyJ, Key::J);
    let wanted = ui.changed.pop().expect("settings");
    let hint = Command::named("hint");
    let keys: Vec<String> =
        wanted.key_bindings.chords(hint).iter().map(ToString::to_string).collect();
    assert_eq!(keys, ["J"]);

    let requested = catch(&mut ui, KeyCode::KeyU, Key::U);
    assert_eq!(requested, [], "it is another's");
    let labels = ui.labels();
    assert!(labels.iter().any(|(_, it)| it == "U is already used: Undo."), "{labels:?}");

    let requested = catch(&mut ui, KeyCode::Escape, Key::Escape);
    assert_eq!(requested, []);
    assert_eq!(ui.read::<OpenDialog>().0, Some(Dialog::Keys), "it stays open");
    assert!(ui.labels().iter().any(|(_, it)| it == "Hint: H"));
}

/// On a French keyboard W stands where Z is on an American one.
#[test]
fn a_key_is_bound_to_the_letter_it_types() {
    let mut ui = TestUi::new(Screen::Title, SIZES[0]);
    ui.open(Dialog::Keys);
    ui.press("Hint: H");
    let typed = bevy::input::keyboard::Key::Character("w".into());
    ui.edit::<KeyPresses>().0 = vec![KeyPress::new(KeyCode::KeyZ, &typed, false, false)];
    ui.key(Key::W);
    let wanted = ui.changed.pop().expect("settings");
    let hint = Command::named("hint");
    let keys: Vec<String> =
        wanted.key_bindings.chords(hint).iter().map(ToString::to_string).collect();
    assert_eq!(keys, ["W"]);
}

#[test]
fn no_key_is_waited_for_after_the_dialog_was_closed() {
    let mut ui = TestUi::new(Screen::Title, SIZES[0]);
    ui.open(Dialog::Keys);
    ui.press("Hint: H");
    assert!(ui.read::<KeyCapture>().is_active());
    ui.edit::<OpenDialog>().0 = None;
    ui.frame(Vec::new());
    assert!(!ui.read::<KeyCapture>().is_active());
}

#[test]
fn every_button_of_the_editor_can_be_reached() {
    for size in [SIZES[0], LARGEST_TEXT] {
        let mut ui = TestUi::new(Screen::Editor, size);
        let draft = crate::session::PositionBuilder::start(RuleSet::Tablan);
        ui.edit::<Editor>().draft = draft;
        let (requested, _) = ui.press_all();
        for id in [
            "Analyse",
            "NewGame",
            "Leave",
            "SelectTool",
            "SetSideToMove",
            "SetSticks",
            "SetStartPosition",
            "Clear",
            "OpenDialog",
            "Copy",
            "SetRules",
        ] {
            assert!(requests(&requested, id), "{size:?}: {id} among {requested:?}");
        }
    }
}

#[test]
fn who_plays_from_a_position_changes_nothing_on_the_title() {
    let mut ui = TestUi::new(Screen::Editor, SIZES[0]);
    let draft = crate::session::PositionBuilder::start(RuleSet::TablutAshton);
    ui.edit::<Editor>().draft = draft;
    let title = ui.read::<SelectedGame>().0.clone();
    assert_eq!(title.seats, [Seat::Engine(Level::Casual), Seat::Person]);
    ui.press("Weaker");
    let seats = [Seat::Engine(Level::Novice), Seat::Person];
    assert_eq!(ui.requested, [Action::Editor(EditorAction::SetSeats(seats))]);
    ui.edit::<Editor>().seats = Some(seats);
    ui.press("Play from here");
    let [Action::Game(GameAction::NewGame(setup))] = &ui.requested[..] else {
        panic!("{:?}", ui.requested)
    };
    assert_eq!(setup.seats, seats);
    assert_eq!(ui.read::<SelectedGame>().0, title);
}

#[test]
fn a_typed_position_is_set_and_a_wrong_one_stays_to_be_corrected() {
    let mut ui = TestUi::new(Screen::Editor, SIZES[0]);
    ui.open(Dialog::Position);
    ui.frame(Vec::new());
    let select_all = |ui: &mut TestUi| {
        ui.edit::<PositionText>().text.clear();
        ui.frame(Vec::new());
    };
    select_all(&mut ui);
    ui.frame(vec![egui::Event::Text("9/9 w".to_owned())]);
    assert_eq!(ui.key(Key::Enter), []);
    ui.frame(Vec::new());
    assert_eq!(ui.read::<OpenDialog>().0, Some(Dialog::Position));
    let typed = ui.read::<PositionText>();
    assert_eq!(typed.text, "9/9 w");
    let error = typed.error.clone().expect("what is wrong");
    assert!(error.contains("9 rows") && error.contains("found 2"), "{error}");
    select_all(&mut ui);
    let right = "9/9/9/9/4K4/9/9/9/4B4 w";
    ui.frame(vec![egui::Event::Text(right.to_owned())]);
    assert_eq!(ui.key(Key::Enter), [Action::Editor(EditorAction::SetText(right.to_owned()))]);
    assert_eq!(ui.read::<OpenDialog>().0, None);
}

#[test]
fn each_game_of_a_file_can_be_chosen_with_the_keyboard() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("three.tab");
    let game = |rules| table(rules, 1).record(None).to_string() + "\n";
    let [one, two] = [RuleSet::TablutBerkeley, RuleSet::Tablaaza].map(game);
    std::fs::write(&path, format!("{one}{two}{one}")).expect("written");
    let mut ui = in_replay(RuleSet::Tablaaza, 1, 1, SIZES[0]);
    let opened_file = crate::app::game::files::OpenedFile::read(&path).expect("games");
    ui.app.insert_resource(opened_file);
    let (requested, _) = press_dialog(&mut ui, Dialog::Games);
    for number in 0..3 {
        assert!(
            requested.contains(&Action::Replay(ReplayAction::PickGame(number))),
            "{number} among {requested:?}"
        );
    }
    ui.edit::<OpenDialog>().0 = Some(Dialog::Games);
    let labels = ui.labels();
    let shows = |words: &str| labels.iter().any(|(_, text)| text.contains(words));
    assert!(shows("three.tab: 3 games") && shows("2. Tablaaza") && shows("Berkeley"), "{labels:?}");
    let (requested, _) = press_dialog(&mut ui, Dialog::Menu);
    assert!(requested.contains(&Action::Ui(UiAction::OpenDialog(Dialog::Games))), "{requested:?}");
}

#[test]
fn a_file_of_thousands_of_games_lays_out_those_in_sight() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("many.tab");
    let game = table(RuleSet::Tablaaza, 1).record(None).to_string() + "\n";
    std::fs::write(&path, game.repeat(3_000)).expect("written");
    let mut ui = in_replay(RuleSet::Tablaaza, 1, 1, SIZES[0]);
    let mut opened_file = crate::app::game::files::OpenedFile::read(&path).expect("games");
    opened_file.shown_game = Some(2_000);
    ui.app.insert_resource(opened_file);
    ui.edit::<OpenDialog>().0 = Some(Dialog::Games);
    ui.settle();
    let listed = |ui: &TestUi| {
        let labels = ui.nodes.iter().filter_map(|(_, node)| node.label());
        labels.filter(|label| label.contains(". Tablaaza · ")).count()
    };
    assert!((2..20).contains(&listed(&ui)), "{}", listed(&ui));
    let focused = |ui: &TestUi| {
        ui.context.memory(egui::Memory::focused).and_then(|focused| {
            let node = ui.nodes.iter().find(|(id, _)| *id == focused.accesskit_id());
            node.and_then(|(_, node)| node.label().map(str::to_owned))
        })
    };
    let begins =
        |ui: &TestUi, number: &str| focused(ui).is_some_and(|label| label.starts_with(number));
    assert!(begins(&ui, "2001. "), "the game that is shown: {:?}", focused(&ui));
    for number in 2_002..2_020 {
        ui.key(Key::Tab);
        ui.settle();
        assert!(begins(&ui, &format!("{number}. ")), "{number}: {:?}", focused(&ui));
    }
    // The wheel leaves it where it is.
    let turned = egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, -4_000.0),
        phase: egui::TouchPhase::Move,
        modifiers: egui::Modifiers::NONE,
    };
    let middle = ui.window().center();
    ui.frame(vec![egui::Event::PointerMoved(middle), turned]);
    for _ in 0..60 {
        ui.frame(Vec::new());
    }
    let labels = ui.nodes.iter().filter_map(|(_, node)| node.label());
    let numbers = labels.filter_map(|label| label.split_once(". Tablaaza · ")?.0.parse().ok());
    let first: Option<usize> = numbers.min();
    assert!(first > Some(2_030), "{first:?}");
}

#[test]
fn a_command_is_found_by_its_words_and_runs_with_enter() {
    let mut ui = at_table(RuleSet::TablutAshton, 3, SIZES[0]);
    let type_in = |ui: &mut TestUi, words: &str| {
        ui.open(Dialog::Commands);
        ui.frame(Vec::new());
        ui.frame(vec![egui::Event::Text(words.to_owned())]);
        ui.frame(Vec::new());
    };
    type_in(&mut ui, "flip bo");
    let requested = ui.key(Key::Enter);
    assert_eq!(requested, [UiAction::CloseDialog.into(), ViewAction::FlipBoard.into()]);
    // The arrow keys choose another command of those found.
    let mut ui = at_table(RuleSet::TablutAshton, 3, SIZES[0]);
    type_in(&mut ui, "board");
    let found = ["Flip board", "Board editor…"].map(str::to_owned);
    let labels = ui.labels();
    assert!(found.iter().all(|name| labels.iter().any(|(_, words)| words == name)), "{labels:?}");
    ui.key(Key::ArrowDown);
    let requested = ui.key(Key::Enter);
    assert!(!requested.is_empty() && !requested.contains(&EditorAction::Enter(None).into()));
}

#[test]
fn a_command_that_is_off_says_why_and_does_nothing() {
    let mut ui = at_table(RuleSet::TablutAshton, 0, SIZES[0]);
    ui.open(Dialog::Commands);
    ui.frame(Vec::new());
    ui.frame(vec![egui::Event::Text("redo".to_owned())]);
    ui.frame(Vec::new());
    assert_eq!(ui.visible_text().count("Nothing to redo"), 1);
    assert_eq!(ui.key(Key::Enter), []);
    assert_eq!(ui.read::<OpenDialog>().0, Some(Dialog::Commands), "it stays open");
}
