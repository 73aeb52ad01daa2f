//! Replaying a game, continuing it, and analysing it.

use std::fs;

use super::*;
use tabulae::app::{core::actions::OnlineAction, game::online::OnlineTable};

#[test]
fn a_game_is_analysed_from_its_end_and_watched_from_its_start() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    for mv in ["c7", "c6"] {
        headless.play(mv);
    }
    headless.act(GameAction::Resign);
    for (action, ply) in [(ReplayAction::WatchGame, 0), (ReplayAction::AnalyseGame, 2)] {
        headless.perform(action);
        assert_eq!((headless.replay().ply, headless.analysis().enabled), (ply, ply > 0));
        let position = headless.table().history().at(ply).expect("a position").clone();
        check_scene(&mut headless, &position);
    }
}

#[test]
fn a_playing_replay_stops_at_the_end() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.play("c7 c6 a1");
    headless.act(ReplayAction::WatchGame);
    headless.act(ReplayAction::SetSpeed(4.0));
    headless.act(ReplayAction::TogglePlay);
    assert!(headless.replay().playing);
    headless.wait_until("the replay stops by itself", |world| !world.resource::<Replay>().playing);
    assert_eq!(headless.replay().ply, 3);
    headless.act(ReplayAction::Jump(2));
    headless.perform(ReplayAction::PlayFromHere);
    assert_eq!(headless.screen(), Screen::Table);
    assert_eq!(headless.table().history().len(), 2);
    headless.play("h6");
    assert_eq!(headless.table().history().len(), 3);
}

#[test]
fn a_replay_waits_while_the_menu_is_open() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.play("c7 c6 a1");
    headless.act(ReplayAction::WatchGame);
    headless.act(ReplayAction::TogglePlay);
    headless.perform(UiAction::OpenDialog(Dialog::Menu));
    let ply = headless.replay().ply;
    headless.frames(200);
    assert_eq!((headless.replay().ply, headless.replay().playing), (ply, true), "it waits");
    headless.act(UiAction::CloseDialog);
    headless.wait_until("it goes on", |world| !world.resource::<Replay>().playing);
    assert_eq!(headless.replay().ply, 3);
}

#[test]
fn a_replay_marks_squares_only_once_a_piece_is_selected() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.perform(ReplayAction::WatchGame);
    let shown = |headless: &Headless| headless.get::<Highlights>().clone();
    assert!(shown(&headless).selectable.is_empty(), "nobody has to move");
    headless.click("e4");
    let marks = shown(&headless);
    assert!(marks.selectable.is_empty() && !marks.reachable.is_empty(), "{marks:?}");
}

#[test]
fn an_engine_moves_in_a_game_continued_from_a_replay() {
    let seats = [Seat::Person, Seat::Engine(Level::Novice)];
    let mut headless = start_game(Setup { seats, ..two_people(RuleSet::Tablaaza, 1) });
    headless.act(ReplayAction::WatchGame);
    headless.perform(ReplayAction::PlayFromHere);
    headless.click("c7");
    headless.wait_until("the engine's move", |world| {
        world.resource::<Referee>().table.as_ref().is_some_and(|table| table.history().len() == 2)
    });
}

#[test]
fn the_last_ply_of_a_replay_tells_how_the_players_ended_the_game() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.play("c7");
    headless.act(GameAction::Resign);
    headless.act(ReplayAction::WatchGame);
    headless.act(ReplayAction::Jump(1));
    let told = |headless: &Headless| headless.replay().describe(headless.replay().ply);
    let last = ["Red plays c7.", "Red wins: Green resigned."];
    assert_eq!(told(&headless), last);
    headless.act(ReplayAction::Jump(0));
    assert_eq!(told(&headless), [""; 0]);
    headless.perform(ReplayAction::StepForward);
    assert_eq!(told(&headless), last);
    // A variation does not end as the game did.
    headless.act(ReplayAction::Jump(0));
    headless.act(GameAction::TypeMove("a1".to_owned()));
    assert!(!told(&headless).iter().any(|told| told.contains("wins")), "{:?}", told(&headless));
    assert_eq!(headless.replay().ending, None);
}

/// The moves and variations of the replay, without tags.
fn moves(headless: &Headless) -> String {
    let text = headless.replay().record.as_ref().expect("a record").to_string();
    text.split_once("\n\n").expect("tags").1.trim().to_owned()
}

#[test]
fn another_move_at_an_earlier_position_begins_a_variation() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.play("c7 c6 a1");
    headless.act(ReplayAction::WatchGame);
    headless.perform(ReplayAction::Jump(1));
    headless.play("b7");
    headless.perform(GameAction::TypeMove("e1".to_owned()));
    assert_eq!(moves(&headless), "1. c7 c6 (1... b7 2. e1) 2. a1 *");
    assert_eq!((headless.replay().ply, headless.replay().ply_count()), (3, 3));
    assert!(!headless.replay().is_main_line());

    // Glyphs and comments belong to the move that is shown.
    headless.press_key(KeyCode::Digit5);
    headless.perform(ReplayAction::SetComment("[%cal Ge1c7] far away".to_owned()));
    let arrows = headless.get::<Highlights>().arrows.len();
    assert_eq!(arrows, 1, "the arrow is drawn");
    assert!(moves(&headless).contains("2. e1!? {[%cal Ge1c7]} {far away}"), "{}", moves(&headless));

    // A node of the main line brings the main line back.
    let node =
        headless.replay().record.as_ref().and_then(|record| record.main_node(2)).expect("a node");
    headless.perform(ReplayAction::GoTo(node));
    assert!(headless.replay().is_main_line());
    assert_eq!(headless.table().history().len(), 3, "the game on the table is untouched");
}

#[test]
fn variations_are_promoted_deleted_and_brought_back() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.play("c7 c6");
    headless.act(ReplayAction::WatchGame);
    headless.perform(ReplayAction::Jump(1));
    headless.play("b7");
    headless.act(ReplayAction::Promote);
    assert_eq!(moves(&headless), "1. c7 b7 (1... c6) *");
    headless.act(ReplayAction::DeleteFromHere);
    assert_eq!(moves(&headless), "1. c7 c6 *");
    assert_eq!(headless.replay().ply, 1, "the move before it is shown");
    headless.press_key(KeyCode::KeyU);
    assert_eq!(moves(&headless), "1. c7 b7 (1... c6) *");
    headless.press_key(KeyCode::KeyU);
    headless.press_key(KeyCode::KeyU);
    assert_eq!(moves(&headless), "1. c7 c6 *");
    headless.press_key(KeyCode::KeyY);
    assert_eq!(moves(&headless), "1. c7 c6 (1... b7) *");
}

#[test]
fn variations_are_saved_and_opened_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.tab");
    let mut headless = start_game(two_people(RuleSet::Tablan, 3));
    headless.perform(ReplayAction::WatchGame);
    for text in ["t1", "a1-c1", "t2"] {
        headless.perform(GameAction::TypeMove(text.to_owned()));
    }
    let typed = moves(&headless);
    headless.act(ReplayAction::Jump(0));
    headless.perform(GameAction::EnterThrow(2));
    headless.act(ReplayAction::SetGlyph(Some(6)));
    let written = moves(&headless);
    assert!(written.contains("(1. t2?!") || written.contains("t2?!)"), "{typed}: {written}");
    headless.act(ReplayAction::Save(path.clone()));
    headless.act(UiAction::ShowTitle);
    headless.perform(ReplayAction::open(path));
    assert_eq!(headless.screen(), Screen::Replay);
    assert_eq!(moves(&headless), written);
}

#[test]
fn a_running_game_whose_replay_is_evaluated_counts_no_more() {
    let seats = [Seat::Person, Seat::Engine(Level::Newcomer)];
    let mut headless = start_game(Setup { seats, ..two_people(RuleSet::Tablaaza, 1) });
    headless.click("c7");
    headless.wait_until("an answer", |world| {
        let table = world.resource::<Referee>().table.as_ref();
        table.is_some_and(|table| table.history().len() == 2)
    });
    headless.settle();
    headless.perform(ReplayAction::WatchGame);
    assert!(headless.table().is_rated(), "a replay alone is no help");
    headless.perform(GameAction::LearnFromMistakes);
    assert_eq!(headless.screen(), Screen::Replay, "the game goes on");
    for help in [ViewAction::ToggleEvaluation, ViewAction::ToggleAnalysis] {
        headless.act(help);
        assert!(
            headless.table().is_rated() && headless.referee().question.is_some(),
            "it is asked first"
        );
        headless.act(GameAction::Deselect);
        assert!(headless.referee().question.is_none());
    }
    headless.act(ViewAction::ToggleEvaluation);
    headless.act(GameAction::Answer(0));
    assert!(!headless.table().is_rated() && headless.analysis().show_evaluation);
    headless.act(ViewAction::ToggleAnalysis);
    assert!(headless.analysis().enabled, "it is asked once");
}

/// A replay with a variation that is in no file.
pub(super) fn changed_replay() -> Headless {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.play("c7");
    headless.perform(ReplayAction::WatchGame);
    headless.play("c1");
    assert_eq!(moves(&headless), "1. c7 (1. c1) *");
    headless
}

#[test]
fn a_replay_with_unsaved_variations_is_left_only_when_they_are_discarded() {
    let mut headless = changed_replay();
    for action in [UiAction::ShowTitle, UiAction::ShowTable, UiAction::Quit] {
        headless.perform(action);
        assert_eq!(headless.screen(), Screen::Replay);
        assert_eq!(headless.app.should_exit(), None);
    }
    headless.perform(ReplayAction::PlayFromHere);
    assert_eq!(headless.screen(), Screen::Replay);
    // The editor leads back.
    headless.perform(EditorAction::Enter(None));
    assert_eq!(headless.screen(), Screen::Editor);
    headless.perform(EditorAction::Leave);
    assert_eq!(moves(&headless), "1. c7 (1. c1) *");

    headless.act(ReplayAction::DiscardChanges);
    headless.perform(UiAction::ShowTitle);
    assert_eq!(headless.screen(), Screen::Title);
}

#[test]
fn no_way_to_another_game_loses_unsaved_variations() {
    let link = "http://127.0.0.1:9/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA".to_owned();
    let mut headless = changed_replay();
    for action in [
        Action::Game(GameAction::Rematch),
        Action::Game(GameAction::RematchSameSides),
        Action::Game(GameAction::NextGame),
        Action::Game(GameAction::StartPuzzles(None)),
        Action::Online(OnlineAction::Join { link, name: String::new() }),
    ] {
        let name = action.name();
        headless.perform(action);
        assert_eq!(headless.screen(), Screen::Replay, "{name:?}");
        assert_eq!(headless.get::<OnlineTable>().state(), None, "{name:?}");
    }
    // An exercise leads back.
    headless.perform(GameAction::LearnFromMistakes);
    headless.perform(GameAction::LeavePractice);
    assert_eq!((headless.screen(), moves(&headless).as_str()), (Screen::Replay, "1. c7 (1. c1) *"));
    // What was to follow waits, too.
    let world = headless.app.world_mut();
    world.write_message(Action::Game(GameAction::Rematch));
    world.write_message(Action::View(ViewAction::ToggleAnalysis));
    headless.settle();
    assert!(!headless.analysis().enabled);
}

#[test]
fn a_replay_whose_changes_are_saved_or_undone_is_left_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut headless = changed_replay();
    headless.act(ReplayAction::Save(folder.path().join("study.tab")));
    headless.perform(UiAction::ShowTable);
    assert_eq!(headless.screen(), Screen::Table);

    let mut headless = changed_replay();
    headless.press_key(KeyCode::KeyU);
    headless.perform(UiAction::ShowTable);
    assert_eq!(headless.screen(), Screen::Table);
}

#[test]
fn saving_replaces_the_file_of_a_record_but_of_no_other_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |headless: &Headless| headless.get::<Replay>().file.clone();
    let one = "[Rules \"tablaaza\"]\n\n1. c7 *\n";
    for (name, text, is_replaced) in [
        ("one.tab", one.to_owned(), true),
        ("two.tab", format!("{one}\n{one}"), false),
        ("one.txt", one.to_owned(), false),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        let mut headless = Headless::new(SIZE);
        headless.perform(ReplayAction::open(path.clone()));
        assert_eq!(file(&headless), is_replaced.then_some(path), "{name}");
    }
    // What was saved is replaced from then on.
    let mut headless = changed_replay();
    assert_eq!(file(&headless), None);
    let path = folder.path().join("study.tab");
    headless.act(ReplayAction::Save(path.clone()));
    assert_eq!(file(&headless), Some(path));
}

#[test]
fn a_changed_replay_is_saved_from_the_editor_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.tab");
    let mut headless = changed_replay();
    headless.perform(EditorAction::Enter(None));
    fs::write(folder.path().join("a-file"), "").expect("written");
    headless.act(ReplayAction::Save(folder.path().join("a-file").join("study.tab")));
    headless.perform(UiAction::ShowTitle);
    assert_eq!(headless.screen(), Screen::Editor, "it is not saved");
    headless.act(ReplayAction::Save(path.clone()));
    let saved = fs::read_to_string(&path).expect("saved");
    assert!(saved.contains("(1. c1)"), "{saved}");
    headless.perform(UiAction::ShowTitle);
    assert_eq!(headless.screen(), Screen::Title, "nothing is lost");
}

#[test]
fn changes_that_were_to_be_discarded_are_kept_if_the_replay_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut headless = changed_replay();
    headless.act(ReplayAction::DiscardChanges);
    headless.perform(ReplayAction::open(folder.path().join("no-such-file.tab")));
    headless.perform(UiAction::ShowTitle);
    assert_eq!(headless.screen(), Screen::Replay, "asks again");
    // Once it is left without them, they are not asked about any more.
    headless.act(ReplayAction::DiscardChanges);
    headless.perform(UiAction::ShowTitle);
    headless.perform(GameAction::NewGame(two_people(RuleSet::Tablaaza, 1)));
    assert_eq!(headless.screen(), Screen::Table);
}

#[test]
fn closing_the_window_asks_about_unsaved_variations() {
    let mut headless = changed_replay();
    // Else the game on the table would be asked about, too.
    let folder = tempfile::tempdir().expect("a folder");
    headless.act(GameAction::Save(folder.path().join("game.tab")));
    let window = headless.window();
    let close = |headless: &mut Headless| {
        headless.app.world_mut().write_message(WindowCloseRequested { window });
        headless.frames(1);
        headless.app.should_exit()
    };
    assert_eq!(close(&mut headless), None);
    headless.act(ReplayAction::DiscardChanges);
    assert_eq!(close(&mut headless), Some(AppExit::Success));
}

#[test]
fn the_right_button_draws_on_the_board_of_a_replay() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.perform(ReplayAction::WatchGame);
    let e4 = headless.hover(square("e4"));
    headless.click_at(e4, MouseButton::Right);
    headless.settle();
    assert!(moves(&headless).starts_with("{[%csl Ge4]}"), "{}", moves(&headless));
    let camera = headless.camera_position();
    headless.drag_with(MouseButton::Right, "e4", "e7");
    headless.settle();
    assert!(moves(&headless).starts_with("{[%csl Ge4][%cal Ge4e7]}"), "{}", moves(&headless));
    assert_eq!(headless.camera_position(), camera, "the camera stays");
    headless.act(ReplayAction::ClearShapes);
    assert_eq!(moves(&headless), "*");
}

/// The page's tests open the same file and save it again.
#[test]
fn a_game_is_annotated_with_three_branches_by_the_mouse_and_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("annotated.tab");
    let names = ["Aili".to_owned(), "Piera".to_owned()];
    let mut headless = start_game(Setup { names, ..two_people(RuleSet::TablutAshton, 1) });
    let play = |headless: &mut Headless, moves: &[&str]| {
        for squares in moves {
            headless.click(squares);
            headless.settle();
        }
    };
    play(&mut headless, &["e4 f4", "d1 d4", "e3 f3"]);
    headless.perform(ReplayAction::WatchGame);
    // A plan of White's with a line of Black's in it, and another one.
    headless.press_key(KeyCode::ArrowUp);
    headless.settle();
    play(&mut headless, &["e4 d4", "d1 d3", "e3 f3"]);
    headless.press_key(KeyCode::Digit2);
    headless.press_key(KeyCode::ArrowLeft);
    headless.settle();
    headless.press_key(KeyCode::ArrowLeft);
    headless.settle();
    play(&mut headless, &["f1 f3"]);
    headless.drag_with(MouseButton::Right, "e3", "b3");
    headless.press_key(KeyCode::ArrowUp);
    headless.settle();
    play(&mut headless, &["e3 f3"]);
    headless.act(ReplayAction::SetComment("slower".to_owned()));
    headless.press_key(KeyCode::ArrowUp);
    headless.settle();
    let e5 = headless.hover(square("e5"));
    headless.click_at(e5, MouseButton::Right);
    headless.settle();
    headless.act(ReplayAction::Save(path.clone()));
    let saved = fs::read_to_string(&path).expect("saved");
    let undated = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("[Date "));
        lines.collect::<Vec<_>>().join("\n")
    };
    let expected = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/records/valid/annotated.tab");
    let expected = fs::read_to_string(expected).expect("the same game");
    assert_eq!(undated(&saved), undated(&expected), "{saved}");
}

#[test]
fn clicking_the_board_in_a_replay_says_how_to_play_on() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.click("e4 f4");
    headless.settle();
    headless.perform(ReplayAction::WatchGame);
    assert_eq!(headless.notice(), None);
    headless.play("a9");
    let notice = headless.notice().cloned().expect("a message");
    assert!(!notice.is_error && notice.text.contains("Play from here"), "{}", notice.text);
    assert_eq!(headless.table().history().len(), 1);
}

#[test]
fn the_analysis_evaluates_every_position_and_shows_the_best_move() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.play("c7 c6");
    headless.act(ReplayAction::WatchGame);
    headless.act(ViewAction::ToggleAnalysis);
    headless.wait_until("every position evaluated", |world| {
        world.resource::<Analysis>().evaluations.len() == 3
    });
    let highlights = headless.get::<Highlights>().clone();
    assert_eq!(highlights.hinted.len(), 1, "the best stone");
    let history = headless.replay().history().expect("a game").clone();
    assert!((0..=2).all(|ply| headless.analysis().value_at(&history, ply).is_some()));
    headless.perform(ViewAction::ToggleAnalysis);
    assert!(headless.get::<Highlights>().hinted.is_empty());
}

#[test]
fn a_big_file_is_announced_before_it_is_read() -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("big.tab");
    let comment = "White thinks for long. ".repeat(50_000);
    fs::write(&path, format!("[Rules \"tablut/ashton\"]\n\n1. e3-b3 {{{comment}}}\n"))?;
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.app.world_mut().write_message(Action::Replay(ReplayAction::open(path)));
    headless.frames(1);
    let notice = |headless: &Headless| headless.notice().map(|notice| notice.text.clone());
    assert_eq!(notice(&headless).as_deref(), Some("Reading big.tab…"));
    assert_eq!(headless.screen(), Screen::Table, "it is not read yet");
    headless.settle();
    assert_eq!((headless.screen(), notice(&headless)), (Screen::Replay, None));
    Ok(())
}
