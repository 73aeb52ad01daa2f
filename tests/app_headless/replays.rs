//! Replaying a game, continuing it, and analysing it.

use super::*;

#[test]
fn a_playing_replay_stops_at_the_end() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    for name in ["c7", "c6", "a1"] {
        headless.click(name);
        headless.settle();
    }
    headless.act(ReplayAction::WatchGame);
    headless.act(ReplayAction::SetSpeed(4.0));
    headless.act(ReplayAction::TogglePlay);
    assert!(headless.replay().playing);
    headless.wait_until("the replay stops by itself", |world| !world.resource::<Replay>().playing);
    assert_eq!(headless.replay().ply, 3);
    headless.act(ReplayAction::Jump(2));
    headless.act(ReplayAction::PlayFromHere);
    headless.settle();
    assert_eq!(headless.screen(), Screen::Table);
    assert_eq!(headless.table().history().len(), 2);
    headless.click("h6");
    headless.settle();
    assert_eq!(headless.table().history().len(), 3);
}

#[test]
fn an_engine_moves_in_a_game_continued_from_a_replay() {
    let seats = [Seat::Person, Seat::Engine(Level::Novice)];
    let mut headless = start_game(Setup { seats, ..two_people(RuleSet::Tablaaza, 1) });
    headless.act(ReplayAction::WatchGame);
    headless.act(ReplayAction::PlayFromHere);
    headless.settle();
    headless.click("c7");
    headless.wait_until("the engine's move", |world| {
        world.resource::<Referee>().table.as_ref().is_some_and(|table| table.history().len() == 2)
    });
}

#[test]
fn the_last_ply_of_a_replay_logs_how_the_players_ended_the_game() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.click("c7");
    headless.settle();
    headless.act(GameAction::Resign);
    headless.act(ReplayAction::WatchGame);
    headless.act(ReplayAction::Jump(1));
    let last = |headless: &Headless| headless.replay().log.last().cloned().unwrap_or_default();
    assert_eq!(last(&headless), "Red wins: Green resigned.");
    headless.act(ReplayAction::Jump(0));
    assert_eq!(headless.replay().log, [""; 0]);
    headless.act(ReplayAction::StepForward);
    headless.settle();
    assert_eq!(last(&headless), "Red wins: Green resigned.");
}

#[test]
fn clicking_the_board_in_a_replay_says_how_to_play_on() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.click("e4 f4");
    headless.settle();
    headless.act(ReplayAction::WatchGame);
    headless.settle();
    assert_eq!(headless.referee().notice, None);
    headless.click("e3");
    headless.settle();
    let notice = headless.referee().notice.clone().expect("a message");
    assert!(!notice.is_error && notice.text.contains("Play from here"), "{}", notice.text);
    assert_eq!(headless.table().history().len(), 1);
}

#[test]
fn the_analysis_evaluates_every_position_and_shows_the_best_move() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    for name in ["c7", "c6"] {
        headless.click(name);
        headless.settle();
    }
    headless.act(ReplayAction::WatchGame);
    headless.act(ViewAction::ToggleAnalysis);
    headless.wait_until("every position evaluated", |world| {
        world.resource::<Analysis>().evaluations.len() == 3
    });
    let highlights = headless.app.world().resource::<Highlights>().clone();
    assert_eq!(highlights.hinted.len(), 1, "the best stone");
    let history = headless.replay().history().expect("a game").clone();
    assert!((0..=2).all(|ply| headless.analysis().value_at(&history, ply).is_some()));
    headless.act(ViewAction::ToggleAnalysis);
    headless.settle();
    assert!(headless.app.world().resource::<Highlights>().hinted.is_empty());
}
