//! Everything can be reached and pressed with the keyboard.

use bevy::input::keyboard::NativeKey;

use crate::app::{input::KeyPresses, settings::key_bindings::KeyPress, ui::tests::*};

#[test]
fn the_title_starts_resumes_opens_and_quits() {
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    panels.app.world_mut().resource_mut::<Referee>().table = Some(table(RuleSet::Tablaaza, 0));
    let (asked, opened) = panels.press_all();
    for id in ["new-game", "table", "learn", "quit"] {
        assert!(asks(&asked, id), "{id} among {asked:?}");
    }
    for sheet in [Dialog::Help, Dialog::Recent, Dialog::Settings, Dialog::About] {
        assert!(
            asked.contains(&Action::Ui(UiAction::OpenDialog(sheet))),
            "{sheet:?} among {asked:?}"
        );
    }
    assert_eq!(opened, [false, true], "no yes, files");
    let chosen = asked.iter().find_map(|act| match act {
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
    panels.app.world_mut().resource_mut::<Referee>().table = Some({
        let mut table = table(RuleSet::Tablan, 3);
        table.undo();
        while !table.person_throws() {
            let first = table.history().legal_moves()[0];
            assert!(table.play(first).is_ok());
        }
        table
    });
    let (asked, opened) = panels.press_all();
    for id in ["undo", "undo-turn", "redo", "top-view", "reset-view", "throw", "threats", "value"] {
        assert!(asks(&asked, id), "{id} among {asked:?}");
    }
    for ply in [1, 2] {
        assert!(
            asked.contains(&Action::Game(GameAction::ViewPly(ply))),
            "looking back at {ply} among {asked:?}"
        );
    }
    for sheet in [Dialog::Help, Dialog::Menu] {
        assert!(
            asked.contains(&Action::Ui(UiAction::OpenDialog(sheet))),
            "{sheet:?} among {asked:?}"
        );
    }
    assert_eq!(opened, [false; 2], "nothing else opens by itself");
}

#[test]
fn the_menu_of_the_table_has_the_rest() {
    let mut panels = at_table(RuleSet::TablutAshton, 3, SIZES[0]);
    panels.app.world_mut().resource_mut::<Referee>().kept = true;
    let (asked, opened) = press_sheet(&mut panels, Dialog::Menu);
    for id in
        ["title", "rematch", "copy", "watch", "analyse", "set-up", "offer-draw", "quit", "close"]
    {
        assert!(asks(&asked, id), "{id} among {asked:?}");
    }
    for sheet in [Dialog::TypeMove, Dialog::Recent, Dialog::Settings, Dialog::Help] {
        assert!(
            asked.contains(&Action::Ui(UiAction::OpenDialog(sheet))),
            "{sheet:?} among {asked:?}"
        );
    }
    assert_eq!(opened, [true; 2], "the yes to resigning, files");
    assert!(!asks(&asked, "resign"), "resigning wants a yes");
}

#[test]
fn the_settings_can_be_chosen_with_the_keyboard() {
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    press_sheet(&mut panels, Dialog::Settings);
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
    panels.app.world_mut().resource_mut::<UiState>().open = Some(Dialog::TypeMove);
    panels.frame(Vec::new());
    panels.frame(Vec::new());
    panels.frame(vec![egui::Event::Text("e4-f4".to_owned())]);
    let asked = panels.key(Key::Enter);
    assert_eq!(asked, [Action::Game(GameAction::TypeMove("e4-f4".to_owned()))]);
    assert_eq!(panels.app.world().resource::<UiState>().open, None);
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
    panels.app.world_mut().resource_mut::<UiState>().recent = shelf.list(9);
    let (asked, opened) = press_sheet(&mut panels, Dialog::Recent);
    assert!(
        asked.contains(&Action::Game(GameAction::ResumeFile(slot.path().to_owned()))),
        "{asked:?}"
    );
    assert!(
        asked.contains(&Action::Replay(ReplayAction::Open(slot.path().to_owned()))),
        "{asked:?}"
    );
    assert!(opened[0] && !asks(&asked, "forget"), "one is asked before a game is thrown away");
}

#[test]
fn a_kept_game_is_thrown_away_once_it_was_said_yes_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let shelf = crate::table::SaveStore::new(folder.path().to_owned());
    let slot = shelf.create().expect("a place");
    slot.write(&table(RuleSet::Tablaaza, 2).record(None).to_string()).expect("written");
    let path = slot.path().to_owned();
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    panels.app.insert_resource(Autosave::in_folder(folder.path().to_owned()));
    let mut desk = panels.app.world_mut().resource_mut::<UiState>();
    (desk.open, desk.stale) = (Some(Dialog::Recent), true);
    panels.frame(Vec::new());
    panels.press("Remove: Tablaaza, ply 2");
    assert_eq!(panels.asked, [], "not at once");
    panels.frame(Vec::new());
    assert_eq!(panels.sight().count("Remove this game for good?"), 1);
    panels.press("Remove");
    assert_eq!(panels.asked, [Action::Game(GameAction::DeleteSave(path.clone()))]);
    drop(slot);
    assert_eq!(shelf.remove(&path).ok(), Some(true));
    panels.app.world_mut().resource_mut::<UiState>().stale = true;
    let heard = panels.heard();
    assert!(!heard.iter().any(|(_, words)| words.starts_with("Remove")), "{heard:?}");
}

#[test]
fn every_button_of_the_replay_can_be_reached() {
    let mut panels = in_replay(RuleSet::TablutLinnaeus, 4, 2, SIZES[0]);
    panels.app.world_mut().resource_mut::<Referee>().table = Some(table(RuleSet::Tablaaza, 0));
    let (asked, opened) = panels.press_all();
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
        assert!(asks(&asked, id), "{id} among {asked:?}");
    }
    for to in [0, 1, 3, 4] {
        assert!(
            asked.contains(&Action::Replay(ReplayAction::Jump(to))),
            "jump to {to} among {asked:?}"
        );
    }
    assert_eq!(opened, [false; 2], "nothing else opens by itself");
    let (asked, opened) = press_sheet(&mut panels, Dialog::Menu);
    for id in ["title", "copy", "loop", "auto-camera", "set-up", "analyse", "quit"] {
        assert!(asks(&asked, id), "{id} among {asked:?}");
    }
    assert!(opened[1], "a file for the animation");
}

#[test]
fn playing_on_over_an_unsaved_game_wants_a_yes() {
    let mut panels = in_replay(RuleSet::TablutAshton, 4, 2, SIZES[0]);
    panels.app.world_mut().resource_mut::<Referee>().table = Some(table(RuleSet::Tablaaza, 2));
    let (asked, opened) = panels.press_all();
    assert!(opened[0] && !asks(&asked, "play-on"));
}

#[test]
fn the_end_offers_another_game_and_can_be_put_away() {
    let mut table = table(RuleSet::TablutBerkeley, 2);
    assert!(table.resign(crate::games::Side::First));
    let mut panels = Panels::new(Screen::Table, SIZES[0]);
    panels.app.world_mut().resource_mut::<Referee>().table = Some(table);
    let (asked, _) = panels.press_all();
    for id in ["rematch", "watch", "title"] {
        assert!(asks(&asked, id), "{id} among {asked:?}");
    }
    let desk = panels.app.world().resource::<UiState>();
    assert_eq!(desk.end_seen, Some(2), "See the board");
    assert!(desk.analyse, "Analyse");
}

#[test]
fn the_end_makes_way_for_the_dialog_of_files() {
    let mut table = table(RuleSet::TablutBerkeley, 2);
    assert!(table.resign(crate::games::Side::First));
    let mut panels = Panels::new(Screen::Table, SIZES[0]);
    panels.app.world_mut().resource_mut::<Referee>().table = Some(table);
    panels.frame(Vec::new());
    assert_eq!(panels.app.world().resource::<UiState>().banner, Some(2));
    panels.app.world_mut().resource_mut::<Files>().save(RuleSet::TablutBerkeley);
    panels.frame(Vec::new());
    assert_eq!(panels.app.world().resource::<UiState>().banner, None);
}

#[test]
fn help_opens_with_a_question_mark_and_closes_with_escape() {
    let mut panels = at_table(RuleSet::Tablaaza, 0, SIZES[0]);
    panels.frame(Vec::new());
    panels.key(Key::Questionmark);
    assert_eq!(panels.app.world().resource::<UiState>().open, Some(Dialog::Help));
    panels.key(Key::Escape);
    assert_eq!(panels.app.world().resource::<UiState>().open, None);
}

#[test]
fn a_throw_that_still_tumbles_is_not_given_away() {
    let mut panels = at_table(RuleSet::Tablan, 1, SIZES[0]);
    panels.app.world_mut().resource_mut::<MotionStatus>().pending = 1;
    let (asked, _) = panels.press_all();
    assert!(!asks(&asked, "throw"), "no throw while one tumbles");
    let referee = panels.app.world().resource::<Referee>();
    let line = referee.table.as_ref().map(|table| table.history().ply(1));
    assert!(matches!(line, Some(Some(Ply::Throw(_)))));
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
    let asked = panels.frame(vec![button(true), button(false)]);
    assert!(matches!(asked[..], [Action::Replay(ReplayAction::Jump(3..9))]), "{asked:?}");
}

#[test]
fn enter_on_a_first_start_plays() {
    for size in SIZES {
        let mut panels = Panels::new(Screen::Title, size);
        panels.frame(Vec::new());
        // Large text has less room: everything is laid out anew.
        panels.size = LARGEST_TEXT;
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        let asked = panels.key(Key::Enter);
        assert!(asks(&asked, "new-game"), "{size:?}: {asked:?}");
    }
}

#[test]
fn a_key_is_changed_and_a_conflict_is_told() {
    let mut panels = Panels::new(Screen::Title, SIZES[0]);
    panels.app.init_resource::<KeyPresses>();
    panels.app.world_mut().resource_mut::<UiState>().open = Some(Dialog::Keys);
    panels.frame(Vec::new());
    let catch = |panels: &mut Panels, key: KeyCode, heard: Key| {
        panels.press("Ask for a hint: H");
        let typed = bevy::input::keyboard::Key::Unidentified(NativeKey::Unidentified);
        let press = KeyPress::new(key, &typed, false, false);
        panels.app.insert_resource(KeyPresses(vec![press]));
        let asked = panels.key(heard);
        panels.app.insert_resource(KeyPresses::default());
        asked
    };
    catch(&mut panels, KeyCode::KeyJ, Key::J);
    let wanted = panels.changed.pop().expect("settings");
    let hint = crate::app::settings::key_bindings::KEY_COMMANDS
        .iter()
        .find(|it| it.id == "hint")
        .expect("a command");
    let keys: Vec<String> =
        wanted.key_bindings.chords(hint).iter().map(ToString::to_string).collect();
    assert_eq!(keys, ["J"]);

    let asked = catch(&mut panels, KeyCode::KeyU, Key::U);
    assert_eq!(asked, [], "it is another's");
    let heard = panels.heard();
    assert!(heard.iter().any(|(_, it)| it == "U is taken: Take back."), "{heard:?}");

    let asked = catch(&mut panels, KeyCode::Escape, Key::Escape);
    assert_eq!(asked, []);
    assert_eq!(panels.app.world().resource::<UiState>().open, Some(Dialog::Keys), "it stays open");
    assert!(panels.heard().iter().any(|(_, it)| it == "Ask for a hint: H"));
}

#[test]
fn a_record_chosen_for_analysis_is_analysed_at_once() {
    let mut panels = in_replay(RuleSet::Tablaaza, 2, 0, SIZES[0]);
    panels.app.world_mut().resource_mut::<UiState>().analyse = true;
    assert_eq!(panels.frame(Vec::new()), [Action::View(ViewAction::ToggleAnalysis)]);
    assert_eq!(panels.frame(Vec::new()), [], "once");
}

#[test]
fn every_button_of_the_editor_can_be_reached() {
    for size in [SIZES[0], LARGEST_TEXT] {
        let mut panels = Panels::new(Screen::Editor, size);
        let draft = crate::table::PositionBuilder::start(RuleSet::Tablan);
        panels.app.world_mut().resource_mut::<Editor>().draft = draft;
        let (asked, _) = panels.press_all();
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
            assert!(asks(&asked, id), "{size:?}: {id} among {asked:?}");
        }
    }
}

#[test]
fn who_plays_from_a_position_changes_nothing_on_the_title() {
    let mut panels = Panels::new(Screen::Editor, SIZES[0]);
    let draft = crate::table::PositionBuilder::start(RuleSet::TablutAshton);
    panels.app.world_mut().resource_mut::<Editor>().draft = draft;
    let title = panels.app.world().resource::<UiState>().choice.clone();
    let novice = crate::table::Seat::Engine(crate::engines::Level::Novice);
    panels.press("Novice");
    let seats = [novice, title.seats[1]];
    assert_eq!(panels.asked, [Action::Editor(EditorAction::SetSeats(seats))]);
    panels.app.world_mut().resource_mut::<Editor>().seats = Some(seats);
    panels.press("Play from here");
    let [Action::Game(GameAction::NewGame(setup))] = &panels.asked[..] else {
        panic!("{:?}", panels.asked)
    };
    assert_eq!(setup.seats, seats);
    assert_eq!(panels.app.world().resource::<UiState>().choice, title);
}

#[test]
fn a_position_is_typed_and_taken_over_and_a_wrong_one_stays_to_be_mended() {
    let mut panels = Panels::new(Screen::Editor, SIZES[0]);
    panels.app.world_mut().resource_mut::<UiState>().open = Some(Dialog::Position);
    panels.frame(Vec::new());
    panels.frame(Vec::new());
    let all = |panels: &mut Panels| {
        panels.app.world_mut().resource_mut::<UiState>().typed.clear();
        panels.frame(Vec::new());
    };
    all(&mut panels);
    panels.frame(vec![egui::Event::Text("9/9 w".to_owned())]);
    assert_eq!(panels.key(Key::Enter), []);
    panels.frame(Vec::new());
    let desk = panels.app.world().resource::<UiState>();
    assert_eq!((desk.open, desk.typed.as_str()), (Some(Dialog::Position), "9/9 w"));
    let why = desk.mistyped.clone().expect("what is wrong");
    assert!(why.contains("9 rows") && why.contains("found 2"), "{why}");
    all(&mut panels);
    let right = "9/9/9/9/4K4/9/9/9/4B4 w";
    panels.frame(vec![egui::Event::Text(right.to_owned())]);
    assert_eq!(panels.key(Key::Enter), [Action::Editor(EditorAction::SetText(right.to_owned()))]);
    assert_eq!(panels.app.world().resource::<UiState>().open, None);
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
    let (asked, _) = press_sheet(&mut panels, Dialog::Games);
    for number in 0..3 {
        assert!(
            asked.contains(&Action::Replay(ReplayAction::PickGame(number))),
            "{number} among {asked:?}"
        );
    }
    panels.app.world_mut().resource_mut::<UiState>().open = Some(Dialog::Games);
    let heard = panels.heard();
    let said = |words: &str| heard.iter().any(|(_, text)| text.contains(words));
    assert!(said("three.tab: 3 games") && said("2. Tablaaza") && said("Berkeley"), "{heard:?}");
    let (asked, _) = press_sheet(&mut panels, Dialog::Menu);
    assert!(asked.contains(&Action::Ui(UiAction::OpenDialog(Dialog::Games))), "{asked:?}");
}
