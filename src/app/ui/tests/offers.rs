//! What is offered and what is not, the file dialog, and notices.

use crate::{
    app::{
        core::{
            actions::{ExportForm, ExportOptions, ExportPart, ExportPause, ExportSize},
            notice::{Notice, Notices},
            states::Prompt,
        },
        game::referee::{Help, Question, Undo},
        headless,
        ui::{
            overlays::{progress::PROGRESS, toast::Toast},
            tests::*,
        },
    },
    i18n::{LocalizedMessage, set_thread_language},
};

/// The number of buttons that resume a saved game.
fn played_on(folder: &std::path::Path) -> usize {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    let store = crate::session::SaveStore::new(folder.to_owned());
    ui.app.insert_resource(Autosave::in_folder(folder.to_owned()));
    ui.list_recent(&store);
    ui.edit::<OpenDialog>().0 = Some(Dialog::Recent);
    let labels = ui.labels();
    assert!(labels.iter().any(|(_, words)| words.starts_with("Watch: Tablaaza")), "{labels:?}");
    labels.iter().filter(|(_, words)| words.starts_with("Continue: ")).count()
}

#[test]
fn a_resigned_game_can_be_watched_and_not_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let lock = crate::session::SaveStore::new(folder.path().to_owned()).create().expect("a place");
    let mut game = table(RuleSet::Tablaaza, 2);
    lock.write(&game.record(None).to_string()).expect("written");
    assert_eq!(played_on(folder.path()), 1);
    assert!(game.resign(Side::First));
    lock.write(&game.record(None).to_string()).expect("written");
    assert_eq!(played_on(folder.path()), 0);
}

#[test]
fn the_title_does_not_offer_a_game_that_just_begins() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    let offers = |ui: &mut TestUi, words: &str| {
        ui.frame(Vec::new());
        ui.frame(Vec::new());
        ui.visible_text().count(words)
    };
    ui.edit::<NextState<Screen>>().set(Screen::Table);
    ui.edit::<Referee>().table = Some(table(RuleSet::TablutAshton, 0));
    assert_eq!(offers(&mut ui, "Continue"), 0, "it begins in the next frame");
    ui.edit::<NextState<Screen>>().reset();
    assert_eq!(offers(&mut ui, "Continue Tablut"), 1);
    let mut referee = ui.edit::<Referee>();
    assert!(referee.table.as_mut().is_some_and(|table| table.resign(Side::First)));
    assert_eq!(offers(&mut ui, "Continue"), 0, "it is over");
    assert_eq!(offers(&mut ui, "See the finished game"), 1);
    assert_eq!(offers(&mut ui, "Game aborted"), 1, "and how it ended");
}

/// Three unfinished games and a finished one in a folder of saves, as the title lists them.
pub(super) fn with_unfinished(ui: &mut TestUi, folder: &std::path::Path) {
    let store = crate::session::SaveStore::new(folder.to_owned());
    if store.list(1).0.is_empty() {
        for (rules, plies) in [
            (RuleSet::TablutAshton, 3),
            (RuleSet::Tablan, 8),
            (RuleSet::TablutLinnaeus, 2),
            (RuleSet::Tablaaza, 5),
        ] {
            let mut game = table(rules, plies);
            if rules == RuleSet::TablutLinnaeus {
                assert!(game.resign(Side::First));
            }
            let lock = store.create().expect("a place");
            lock.write(&game.record(None).to_string()).expect("written");
        }
    }
    *ui.edit::<Autosave>() = Autosave::in_folder(folder.to_owned());
    ui.list_unfinished();
}

#[test]
fn the_title_offers_the_unfinished_games_and_a_new_player_a_lesson() {
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    let cards = |ui: &mut TestUi, words: &str| {
        let labels = ui.labels();
        labels.iter().filter(|(role, it)| *role == Role::Button && it.starts_with(words)).count()
    };
    assert_eq!(cards(&mut ui, "New to Tablut?"), 1);
    ui.press("New to Tablut?: Learn it in a few minutes");
    assert_eq!(ui.requested, [GameAction::StartLesson(GameKind::Tablut).into()]);

    let folder = tempfile::tempdir().expect("a folder");
    with_unfinished(&mut ui, folder.path());
    assert_eq!(cards(&mut ui, "New to"), 0, "a game of Tablut is begun");
    assert_eq!(cards(&mut ui, "Continue"), 3, "the resigned one is over");
    let labels = ui.labels();
    let tablan = labels.iter().find(|(_, it)| it.starts_with("Continue Tablan: Two players · "));
    ui.press(&tablan.expect("a card").1);
    let [Action::Game(GameAction::ResumeFile(path))] = &ui.requested[..] else {
        panic!("{:?}", ui.requested)
    };
    assert!(path.starts_with(folder.path()));
    // The game on the table comes first.
    ui.edit::<Referee>().table = Some(table(RuleSet::TablanOrdered, 1));
    assert_eq!(cards(&mut ui, "Continue"), 4);

    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    let mut lost = table(RuleSet::TablutAshton, 2);
    assert!(lost.resign(Side::First));
    let lost = FinishedGame::new("1", &lost, None).expect("a result");
    ui.app.insert_resource(GameResults::of(vec![lost]));
    assert_eq!(cards(&mut ui, "New to Tablut?"), 1, "a lost game makes it wanted most");
    ui.press("Do not offer this lesson again");
    assert!(ui.requested.is_empty(), "{:?}", ui.requested);
    let put_away = ui.changed.iter().any(|wanted| wanted.lessons.is_answered(GameKind::Tablut));
    assert!(put_away, "{:?}", ui.changed);
    ui.press("Game: Tablan");
    assert_eq!(cards(&mut ui, "New to Tablan?"), 1);
    ui.edit::<Referee>().table = Some(table(RuleSet::TablanOrdered, 1));
    assert_eq!(cards(&mut ui, "New to"), 0, "a game of Tablan is begun");
    ui.edit::<Referee>().table = None;
    ui.edit::<Settings>().lessons.answer(GameKind::Tablan);
    assert_eq!(cards(&mut ui, "New to"), 0, "the lesson was begun");
}

#[test]
fn an_analysed_position_leads_back_to_the_editor() {
    let mut ui = in_replay(RuleSet::Tablan, 0, 0, SIZES[1]);
    ui.edit::<Referee>().table = Some(table(RuleSet::Tablaaza, 2));
    ui.edit::<Replay>().from_editor = true;
    let (requested, _) = ui.press_all();
    assert!(
        requested.contains(&Action::Editor(EditorAction::Enter(None)))
            && !requested.contains(&Action::Ui(UiAction::ShowTable)),
        "{requested:?}"
    );
}

#[test]
fn leaving_unsaved_variations_is_asked_about_and_then_done() {
    let mut ui = in_replay(RuleSet::Tablaaza, 2, 2, SIZES[1]);
    let held = [UiAction::ShowTitle.into(), ViewAction::FlipBoard.into()];
    for action in held.map(|action: Action| Action::from(UiAction::AskToDiscard(Box::new(action))))
    {
        ui.app.world_mut().write_message(action);
    }
    // A window finds its size first.
    ui.settle();
    assert_eq!(ui.visible_text().count("changes that are not saved"), 1);
    ui.press("Continue without saving");
    let requested = &ui.requested;
    let wanted = [
        ReplayAction::DiscardChanges.into(),
        UiAction::ShowTitle.into(),
        ViewAction::FlipBoard.into(),
    ];
    assert!(requested.ends_with(&wanted), "{requested:?}");
}

#[test]
fn what_waits_for_a_file_to_be_saved_is_done_once_it_is_chosen() {
    let mut ui = in_replay(RuleSet::Tablaaza, 2, 2, SIZES[1]);
    let held = UiAction::AskToDiscard(Box::new(UiAction::Quit.into()));
    ui.app.world_mut().write_message(Action::from(held));
    ui.settle();
    assert!(ui.read::<UiFocus>().pauses, "the question lies over the board");
    ui.press("Save first…");
    assert!(ui.read::<FileChooser>().is_open());
    assert_eq!(ui.read::<Confirmation>().0, None);
    let saves = ui.edit::<FileChooser>().choose("study.tab".into());
    assert_eq!(saves, ReplayAction::Save("study.tab".into()).into());
    let requested = ui.frame(Vec::new());
    assert_eq!(requested, [UiAction::Quit.into()], "asked about again if it is still unsaved");
    assert_eq!(ui.frame(Vec::new()), []);
}

#[test]
fn a_replay_of_a_file_is_saved_in_place_or_as_another_file() {
    let mut ui = in_replay(RuleSet::Tablaaza, 2, 2, SIZES[1]);
    ui.edit::<Replay>().file = Some("study.tab".into());
    let save = ReplayAction::Save("study.tab".into()).into();
    ui.frame(Vec::new());
    let prompt = |ui: &mut TestUi, prompt| {
        ui.app.world_mut().write_message(Action::from(UiAction::Prompt(prompt)));
        [ui.frame(Vec::new()), ui.frame(Vec::new())].concat()
    };
    assert!(prompt(&mut ui, Prompt::Save).contains(&save));
    assert!(!ui.read::<FileChooser>().is_open());
    assert!(!prompt(&mut ui, Prompt::SaveAs).contains(&save));
    assert!(ui.read::<FileChooser>().is_open());
}

/// The file dialog for an export, after some frames.
fn exporting(size: (f32, f32)) -> TestUi {
    let mut ui = in_replay(RuleSet::TablutAshton, 4, 2, size);
    ui.edit::<FileChooser>().export(RuleSet::TablutAshton, default());
    ui.settle();
    ui
}

#[test]
fn an_export_asks_for_its_form_the_part_and_the_size_first() {
    let mut ui = in_replay(RuleSet::TablutAshton, 4, 2, SIZES[1]);
    ui.edit::<OpenDialog>().0 = Some(Dialog::Export);
    ui.settle();
    // A picture has no parts.
    ui.press("Export: Picture");
    ui.frame(Vec::new());
    assert_eq!(ui.visible_text().count("From here on"), 0);
    ui.press("Export: Film frames");
    ui.frame(Vec::new());
    ui.press("Show: From here on");
    ui.press("Pixels: 1280 × 960");
    ui.press("Time per move: 4 s");
    ui.press("Names, clocks and result");
    assert_eq!(ui.read::<FileChooser>().export_options(), None);
    ui.press("Choose a file…");
    let chosen = ui.read::<FileChooser>().export_options();
    let wanted = ExportOptions {
        form: ExportForm::Frames,
        part: ExportPart::FromShownPly,
        size: ExportSize::Large,
        pause: ExportPause::Longest,
        board_alone: true,
    };
    assert_eq!(chosen, Some(wanted));
    assert_eq!(ui.read::<OpenDialog>().0, None);
}

#[test]
fn escape_closes_the_file_dialog_from_the_name_field_too() {
    let mut ui = exporting(SIZES[1]);
    assert!(ui.context.text_edit_focused(), "the name is written at once");
    ui.key(Key::Escape);
    assert!(!ui.read::<FileChooser>().is_open());
    // From elsewhere the dialog first leaves what is written there.
    let mut ui = exporting(SIZES[1]);
    ui.context.memory_mut(|memory| memory.focused().map(|focused| memory.surrender_focus(focused)));
    ui.key(Key::Slash);
    ui.frame(Vec::new());
    assert!(ui.context.text_edit_focused(), "the folder is written");
    ui.key(Key::Escape);
    assert!(ui.read::<FileChooser>().is_open());
}

#[test]
fn the_name_field_of_the_file_dialog_is_wide_at_the_largest_text() {
    set_thread_language(Some(Language::Italian));
    let mut ui = exporting(LARGEST_TEXT);
    ui.frame(Vec::new());
    let field = |(_, node): &&(NodeId, Node)| node.role() == Role::TextInput;
    let (_, field) = ui.nodes.iter().find(field).expect("a name to write");
    let wide = field.bounds().map_or(0.0, |rect| rect.x1 - rect.x0);
    assert!(wide > 240.0, "{wide} points");
    assert!(ui.visible_text().top_of("Esporta").is_some(), "the title is whole");
    set_thread_language(None);
}

#[test]
fn the_file_dialog_opens_in_the_remembered_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("mine.tab"), "").expect("written");
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    let folder = Some(folder.path().to_owned());
    ui.app.insert_resource(Settings { last_folder: folder.clone(), ..Settings::default() });
    ui.frame(Vec::new());
    ui.edit::<FileChooser>().open();
    // The dialog reads the folder beside the frames.
    let seen = (0..500).any(|_| {
        ui.frame(Vec::new());
        std::thread::yield_now();
        ui.visible_text().count("mine.tab") == 1
    });
    assert!(seen, "what is in {folder:?}");
}

#[test]
fn the_move_list_in_a_small_window_has_one_scroll_bar() {
    let mut ui = in_replay(RuleSet::TablutAshton, 32, 23, LARGEST_TEXT);
    ui.edit::<MoveList>().is_open = true;
    ui.settle();
    let bars = ui.nodes.iter().filter(|(_, node)| node.role() == Role::ScrollBar).count();
    assert_eq!(bars, 1);
    let history = ui.read::<Replay>().history().cloned().expect("a game");
    let played = history.notation(23).expect("a move");
    assert_eq!(ui.visible_text().count(&played), 1, "the ply shown is in sight");
}

#[test]
fn a_notice_is_shown_for_a_while_and_again_when_it_is_set_again() {
    let message = LocalizedMessage::new("notice.no-hint");
    let text = message.localized();
    for notice in [Notice::refusal(message.clone()), Notice::new(message, false)] {
        let mut ui = at_table(RuleSet::TablutAshton, 0, SIZES[0]);
        ui.edit::<Notices>().set(notice.clone());
        ui.labels();
        assert_eq!(ui.visible_text().count(&text), 1);
        for _ in 0..300 {
            ui.frame(Vec::new());
        }
        assert_eq!(ui.visible_text().count(&text), 0, "it has been read");
        let square = "e8".parse().expect("a square");
        for action in [GameAction::SelectSquare(square), GameAction::PressCursor] {
            ui.app.world_mut().write_message(Action::Game(action));
            ui.labels();
            assert_eq!(ui.visible_text().count(&text), 0, "a click alone says nothing");
        }
        ui.edit::<Notices>().set(notice);
        ui.labels();
        assert_eq!(ui.visible_text().count(&text), 1, "the game says the same again");
    }
}

/// Applies an action; whether the toast is visible then.
fn is_visible_after(app: &mut App, action: impl Into<Action>) -> bool {
    app.world_mut().write_message(action.into());
    for _ in 0..4 {
        app.update();
    }
    app.world().resource::<Toast>().is_visible
}

#[test]
fn a_notice_that_is_set_again_is_shown_again() {
    let mut app = headless((900, 600));
    app.insert_resource(PageAddress(Some("https://example.org/".to_owned())));
    app.update();
    let setup = Setup::new(RuleSet::Tablaaza);
    assert!(!is_visible_after(&mut app, GameAction::NewGame(setup)));
    let lake = "c4".parse().expect("a square");
    let actions: [Action; 6] = [
        UiAction::Copy.into(),
        UiAction::CopyLink.into(),
        UiAction::Export { path: "game.unknown".into(), options: default() }.into(),
        GameAction::TypeMove("nonsense".to_owned()).into(),
        GameAction::ResumeFile("no-such-file.tab".into()).into(),
        GameAction::SelectSquare(lake).into(),
    ];
    for action in actions {
        for _ in 0..2 {
            assert!(is_visible_after(&mut app, action.clone()), "{action:?}");
            assert!(!is_visible_after(&mut app, UiAction::Dismiss), "{action:?}");
        }
    }
    assert!(!is_visible_after(&mut app, GameAction::Deselect), "nothing was set");
}

/// A person's game against Casual, resigned after this change.
fn ended(names: [&str; 2], seats: [Seat; 2], change: fn(&mut GameSession)) -> TestUi {
    let names = names.map(str::to_owned);
    let setup = Setup { seats, names, seed: Some(1), ..Setup::new(RuleSet::Tablaaza) };
    let mut session = GameSession::new(setup);
    for _ in 0..2 {
        session.play(session.history().legal_moves()[0]).expect("legal");
    }
    change(&mut session);
    assert!(session.resign(Side::First));
    let mut ui = TestUi::new(Screen::Table, SIZES[2]);
    ui.edit::<Referee>().table = Some(session);
    ui.frame(Vec::new());
    ui.frame(Vec::new());
    ui
}

#[test]
fn the_end_of_an_unrated_game_says_why_it_is_not_rated() {
    let (engine, persons) = ([Seat::Person, Seat::Engine(Level::Casual)], [Seat::Person; 2]);
    let told = |names, seats, change: fn(&mut GameSession)| {
        let labels = ended(names, seats, change).labels();
        assert!(labels.iter().all(|(_, it)| !it.contains(". ·")), "{labels:?}");
        let parts = labels.iter().flat_map(|(_, it)| it.split(" · "));
        parts.filter(|it| it.contains("rated")).map(str::to_owned).collect::<Vec<_>>()
    };
    let nothing: fn(&mut GameSession) = |_| ();
    let helped: fn(&mut GameSession) =
        |session| assert!(session.set_unrated(crate::session::UnratedReason::Help));
    let undone: fn(&mut GameSession) = |session| assert!(session.undo());
    assert!(told(["", ""], engine, nothing).is_empty());
    assert!(told(["Aili", "Bruno"], persons, nothing).is_empty());
    assert_eq!(told(["", ""], engine, helped), ["Not rated: help was used."]);
    assert_eq!(told(["", ""], engine, undone), ["Not rated: a move was undone."]);
    assert_eq!(
        told(["", ""], persons, nothing),
        ["Not rated: both players have the same name, or none."]
    );
}

#[test]
fn the_end_says_once_who_has_won() {
    let mut ui = ended(["", ""], [Seat::Person, Seat::Engine(Level::Casual)], |_| ());
    let headline = ui.read::<Referee>().table.as_ref().and_then(crate::session::headline);
    let headline = headline.expect("it has ended");
    let told = |ui: &mut TestUi| {
        ui.settle();
        ui.visible_text().words().iter().filter(|words| words.contains(&headline)).count()
    };
    assert_eq!(told(&mut ui), 1);
    ui.edit::<EndBanner>().closed = Some((0, 2));
    assert_eq!(told(&mut ui), 1, "once its panel is closed");
}

#[test]
fn the_rematch_names_a_side() {
    let offered = |names, seats| {
        let labels = ended(names, seats, |_| ()).labels();
        let found = labels.into_iter().map(|(_, it)| it).filter(|it| it.starts_with("Rematch"));
        found.collect::<Vec<_>>()
    };
    let engine = [Seat::Person, Seat::Engine(Level::Casual)];
    assert_eq!(offered(["", ""], engine), ["Rematch as Green"]);
    let named = offered(["Aili", "Bruno"], [Seat::Person; 2]);
    assert_eq!(named, ["Rematch, Bruno as Red"]);
    let guests = offered(["", ""], [Seat::Person; 2]);
    assert_eq!(guests, ["Rematch, sides swapped"]);
}

#[test]
fn at_the_end_what_follows_stands_in_place_of_undo_and_hint() {
    let mut ui = ended(["", ""], [Seat::Person, Seat::Engine(Level::Casual)], |_| ());
    let tools = |ui: &mut TestUi| {
        let labels = ui.labels().into_iter().map(|(_, it)| it).collect::<Vec<_>>();
        ["act.rematch", "act.watch-game", "act.undo", "act.hint"]
            .map(|key| labels.iter().any(|label| label == tr(key)))
    };
    let [rematch, replay, help] =
        [[true, false, false, false], [false, true, false, false], [false, false, true, true]];
    assert_eq!(tools(&mut ui), replay, "while the panel offers rematches");
    ui.edit::<EndBanner>().closed = Some((0, 2));
    ui.edit::<MotionStatus>().pending = 1;
    assert_eq!(tools(&mut ui), help, "before the last move has been shown");
    ui.edit::<MotionStatus>().pending = 0;
    assert_eq!(tools(&mut ui), rematch);
    ui.press(tr("act.rematch"));
    ui.requested.retain(|requested| *requested != Action::Ui(UiAction::Prompt(Prompt::Rematch)));
    assert_eq!(ui.requested, [GameAction::Rematch.into()]);
    ui.press(tr("act.analyse-game"));
    assert_eq!(ui.requested, [ReplayAction::AnalyseGame.into()]);
}

#[cfg(unix)]
#[test]
fn the_progress_of_an_export_stands_above_every_screen() {
    use crate::app::{
        capture::export::ExportJobs,
        scene::api::{Photo, PhotoLens},
    };

    let folder = tempfile::tempdir().expect("a folder");
    for size in [SIZES[1], (900.0, 600.0)] {
        for photographs in [false, true] {
            let mut ui = at_table(RuleSet::Tablan, 2, size);
            *ui.edit::<ExportJobs>() = ExportJobs::example(folder.path());
            if photographs {
                ui.edit::<Photo>().0 = Some(PhotoLens::default());
            }
            ui.settle();
            let progress = ui.panel_rect(PROGRESS);
            assert!(progress.height() < 60.0, "{progress:?}");
            let panels = if photographs { ["photo"].as_slice() } else { &["bar", "side"] };
            for panel in panels.iter().map(|id| ui.panel_rect(id)) {
                assert!(panel.top() >= progress.bottom(), "{panel:?} {progress:?}");
            }
            // A photograph is framed in the whole window.
            let is_free = ui.scene().top() >= progress.bottom();
            assert!(photographs || is_free, "{progress:?} {:?}", ui.scene());
            *ui.edit::<ExportJobs>() = ExportJobs::default();
            ui.settle();
            assert!(photographs || ui.panel_rect("side").top() < progress.bottom());
        }
        for screen in [Screen::Title, Screen::Replay, Screen::Editor] {
            let mut ui = TestUi::new(screen, size);
            if screen == Screen::Replay {
                ui = in_replay(RuleSet::TablutAshton, 4, 2, size);
            }
            *ui.edit::<ExportJobs>() = ExportJobs::example(folder.path());
            ui.settle();
            let (progress, scene) = (ui.panel_rect(PROGRESS), ui.scene());
            assert!(scene.top() >= progress.bottom(), "{screen:?} {size:?}: {scene:?}");
        }
    }
}

#[test]
fn the_first_games_of_a_kind_say_how_they_are_won() {
    let seats = [Seat::Engine(Level::Casual), Seat::Person];
    for (rules, goal) in [
        (RuleSet::TablutAshton, "goal.black"),
        (RuleSet::Tablan, "goal.tablan"),
        (RuleSet::Tablaaza, "goal.tablaaza"),
    ] {
        let mut session = GameSession::new(Setup { seats, seed: Some(1), ..Setup::new(rules) });
        let mut ui = TestUi::new(Screen::Table, SIZES[1]);
        ui.edit::<Referee>().table = Some(session.clone());
        let told = |ui: &mut TestUi| {
            ui.settle();
            ui.visible_text().count(tr(goal))
        };
        assert_eq!(told(&mut ui), 1, "{rules}");
        while session.can_abort() || !session.resign(Side::First) {
            match session.history().legal_moves().first() {
                Some(mv) => session.play(*mv).map(drop),
                None => session.throw().map(drop),
            }
            .expect("legal");
        }
        let finished = FinishedGame::new("1", &session, None).expect("it is over");
        for (games, times) in [(2, 1), (3, 0)] {
            ui.app.insert_resource(GameResults::of(vec![finished.clone(); games]));
            assert_eq!(told(&mut ui), times, "{rules}: after {games} games");
        }
    }
}

/// What comes and goes over the board, at each size of window and text.
#[test]
fn a_notice_covers_neither_the_line_nor_the_sticks_nor_any_button() {
    for language in Language::ALL {
        set_thread_language(Some(language));
        for (width, height) in [(800.0, 540.0), (960.0, 600.0), (1280.0, 720.0)] {
            for percent in [75.0, 100.0, 125.0, 150.0, 200.0] {
                let size = (width * 100.0 / percent, height * 100.0 / percent);
                let mut ui = at_table(RuleSet::Tablan, 2, size);
                let text = tr("notice.no-hint").to_owned();
                ui.edit::<Notices>().set(Notice::new(text, true));
                ui.settle();
                let (notice, scene) = (ui.panel_rect("notice"), ui.scene());
                assert!(ui.window().contains_rect(notice), "{language:?} {size:?}: {notice}");
                for id in ["bar", "throw-panel"] {
                    let panel = ui.context.memory(|memory| memory.area_rect(Id::new(id)));
                    let covers = panel.is_some_and(|panel| panel.intersects(notice));
                    assert!(!covers, "{language:?} {size:?}: {notice} over {id} {panel:?}");
                }
                // The sticks lie in the lower half.
                let is_free =
                    notice.bottom() < scene.center().y || notice.intersect(scene).width() < 1.0;
                assert!(is_free || scene.height() < 200.0, "{size:?}: {notice} in {scene}");
            }
        }
        set_thread_language(None);
    }
}

/// The letters of the board stay in view, and nothing under the pointer moves.
#[test]
fn a_notice_stands_beside_the_board_and_moves_no_widget() {
    let pressed = |ui: &TestUi| {
        let is_pressed = |node: &Node| matches!(node.role(), Role::Button | Role::CheckBox);
        let places = ui.nodes.iter().filter(|(_, node)| is_pressed(node));
        let close = tr("popup.close");
        let places = places.filter(|(_, node)| node.label() != Some(close));
        let place = |(_, node): &(NodeId, Node)| format!("{:?} {:?}", node.label(), node.bounds());
        let mut places: Vec<String> = places.map(place).collect();
        places.sort_unstable();
        places
    };
    let shows = |name: &str, ui: &mut TestUi| {
        ui.settle();
        let before = pressed(ui);
        let text = tr("notice.throw-first").to_owned();
        for text in [tr("notice.no-hint").to_owned(), text] {
            ui.edit::<Notices>().set(Notice::new(text, true));
            ui.frame(Vec::new());
            let (notice, scene) = (ui.panel_rect("notice"), ui.scene());
            let shared = notice.intersect(scene);
            assert!(shared.width() < 1.0, "{name} {:?}: {notice} over {scene}", ui.size);
            assert!(ui.window().contains_rect(notice), "{name} {:?}: {notice}", ui.size);
            assert_eq!(pressed(ui), before, "{name} {:?}", ui.size);
            // What is scrolled in the editor goes on under the notice.
            let faults = ui.visible_text().faults();
            assert!(name == "editor" || faults.is_empty(), "{name} {:?}: {faults:?}", ui.size);
        }
    };
    for language in Language::ALL {
        set_thread_language(Some(language));
        for size in [(960.0, 600.0), (1280.0, 720.0), (1600.0, 900.0)] {
            for rules in [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza] {
                shows("table", &mut at_table(rules, 4, size));
                shows("replay", &mut in_replay(rules, 4, 2, size));
                let mut exercise = at_table(rules, 14, size);
                practise(&mut exercise, Some(|_| Attempt::Waiting));
                shows("exercise", &mut exercise);
            }
            shows("editor", &mut TestUi::new(Screen::Editor, size));
        }
        set_thread_language(None);
    }
}

#[test]
fn a_question_about_a_move_stands_over_the_board_and_covers_none_of_it() {
    for language in Language::ALL {
        set_thread_language(Some(language));
        for size in [(960.0, 600.0), (1280.0, 720.0), (1600.0, 900.0)] {
            for question in
                [Question::Draw(Side::First), Question::Help(Help::Hint), Question::Undo(Undo::Ply)]
            {
                let mut ui = at_table(RuleSet::TablutAshton, 4, size);
                ui.edit::<Referee>().ask(question);
                ui.settle();
                let (asked, scene) = (ui.panel_rect("question"), ui.scene());
                assert!(ui.window().contains_rect(asked), "{language:?} {size:?}: {asked}");
                let is_over = asked.bottom() <= scene.top() + 0.5;
                assert!(is_over, "{language:?} {size:?} {question:?}: {asked} in {scene}");
            }
        }
        set_thread_language(None);
    }
}

#[test]
fn a_notice_and_a_question_do_not_touch() {
    for language in Language::ALL {
        set_thread_language(Some(language));
        for (width, height) in [(900.0, 600.0), (1280.0, 720.0), (390.0, 844.0), (844.0, 390.0)] {
            for percent in [100.0, 150.0, 200.0] {
                let size = (width * 100.0 / percent, height * 100.0 / percent);
                for question in [Question::Draw(Side::First), Question::Tutor] {
                    let mut ui = at_table(RuleSet::TablutAshton, 4, size);
                    if question == Question::Tutor {
                        let what = LocalizedMessage::new("tutor.gives-soldier");
                        ui.edit::<Referee>().warn_of_last_move(what);
                    } else {
                        ui.edit::<Referee>().ask(question);
                    }
                    let text = tr("notice.no-hint").to_owned();
                    ui.edit::<Notices>().set(Notice::new(text, true));
                    for _ in 0..5 {
                        ui.frame(Vec::new());
                    }
                    let [notice, asked] = ["notice", "question"].map(|id| ui.panel_rect(id));
                    let is_free = !notice.intersects(asked);
                    // Where there is no room for both, the notice can be closed.
                    let has_room = notice.height() + asked.height() + 24.0 < ui.scene().height();
                    assert!(is_free || !has_room, "{language:?} {size:?}: {notice} over {asked}");
                }
            }
        }
        set_thread_language(None);
    }
}

#[test]
fn the_panels_say_what_follows_a_selection_and_tell_a_hint_in_words() {
    let mut ui = at_table(RuleSet::TablutAshton, 0, (1280.0, 720.0));
    let table = ui.read::<Referee>().table.as_ref().expect("a game");
    let (position, moves) = (table.history().position().clone(), table.history().legal_moves());
    let hint = position.parse_move("e4-f4").expect("a move");
    ui.edit::<Analysis>().hint = Some((position.key(), hint));
    let tells = |ui: &mut TestUi, words: &str| {
        let labels = ui.labels();
        assert!(labels.iter().any(|(_, label)| label.contains(words)), "{words}: {labels:?}");
    };
    tells(&mut ui, "select a piece, then a square");
    tells(&mut ui, "Hint: move the white soldier from e4 to f4.");
    let from = "e4".parse().expect("a square");
    let _ = ui.edit::<Referee>().selection.click(from, &moves);
    tells(&mut ui, "now choose a square for the piece on e4");
}

#[test]
fn the_legend_of_the_analysis_opens_with_all_of_its_texts() {
    let mut ui = in_replay(RuleSet::TablutAshton, 6, 3, (900.0, 600.0));
    ui.edit::<Analysis>().enabled = true;
    ui.frame(Vec::new());
    ui.press("Explain the analysis");
    let labels = ui.labels();
    for words in ["Numbers: + means that White is ahead", "Graph: above", "On the graph, mistakes"]
    {
        assert!(labels.iter().any(|(_, label)| label.starts_with(words)), "{words}: {labels:?}");
    }
}

#[test]
fn a_notice_of_a_game_ends_with_its_screen() {
    let mut app = headless((900, 600));
    app.update();
    assert!(!is_visible_after(&mut app, GameAction::NewGame(Setup::new(RuleSet::Tablaaza))));
    for is_error in [false, true] {
        is_visible_after(&mut app, UiAction::ShowTable);
        let notice = Notice::new("The game is saved".to_owned(), is_error);
        app.world_mut().resource_mut::<Notices>().set(notice);
        for _ in 0..3 {
            app.update();
        }
        assert!(app.world().resource::<Toast>().is_visible);
        assert_eq!(is_visible_after(&mut app, UiAction::ShowTitle), is_error);
    }
}

#[test]
fn the_dialog_of_a_new_game_plays_it_and_that_of_a_friend_plays_here() {
    for (dialog, button, seats) in [
        (Dialog::NewGame, "Play", [Seat::Engine(Level::Casual), Seat::Person]),
        (Dialog::Online, "Play here", [Seat::Person; 2]),
    ] {
        let mut ui = TestUi::new(Screen::Title, SIZES[1]);
        ui.edit::<OpenDialog>().0 = Some(dialog);
        ui.settle();
        ui.press(button);
        let [Action::Game(GameAction::NewGame(setup))] = &ui.requested[..] else {
            panic!("{:?}", ui.requested)
        };
        let count = |seats: [Seat; 2]| seats.iter().filter(|seat| **seat == Seat::Person).count();
        assert_eq!(count(setup.seats), count(seats), "{dialog:?}: {:?}", setup.seats);
    }
}
