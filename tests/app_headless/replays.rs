//! Watching a game again, and analysing it.

use super::*;

#[test]
fn a_replay_plays_by_itself_and_stops_at_the_end() {
    let mut headless = at_table(persons(RuleSet::Tablaaza, 1));
    for name in ["c7", "c6", "a1"] {
        headless.click(name);
        headless.settle();
    }
    headless.act(Action::Replay(ReplayAction::WatchGame));
    headless.act(Action::Replay(ReplayAction::SetSpeed(4.0)));
    headless.act(Action::Replay(ReplayAction::TogglePlay));
    assert!(headless.replay().playing);
    headless.until("the replay stops by itself", |world| {
        !world.resource::<tabulae::app::replay::Replay>().playing
    });
    assert_eq!(headless.replay().ply, 3);
    headless.act(Action::Replay(ReplayAction::Jump(2)));
    headless.act(Action::Replay(ReplayAction::PlayFromHere));
    headless.settle();
    assert_eq!(headless.screen(), Screen::Table);
    assert_eq!(headless.table().line().len(), 2);
    headless.click("h6");
    headless.settle();
    assert_eq!(headless.table().line().len(), 3);
}

#[test]
fn an_engine_answers_where_a_game_against_it_goes_on() {
    let seats = [Seat::Person, Seat::Engine(Level::Novice)];
    let mut headless = at_table(Setup { seats, ..persons(RuleSet::Tablaaza, 1) });
    headless.act(Action::Replay(ReplayAction::WatchGame));
    headless.act(Action::Replay(ReplayAction::PlayFromHere));
    headless.settle();
    headless.click("c7");
    headless.until("the engine's stone", |world| {
        world.resource::<Referee>().table.as_ref().is_some_and(|table| table.line().len() == 2)
    });
}

#[test]
fn the_end_of_a_replay_says_how_the_players_ended_the_game() {
    let mut headless = at_table(persons(RuleSet::Tablaaza, 1));
    headless.click("c7");
    headless.settle();
    headless.act(Action::Game(GameAction::Resign));
    headless.act(Action::Replay(ReplayAction::WatchGame));
    headless.act(Action::Replay(ReplayAction::Jump(1)));
    let last = |headless: &Headless| headless.replay().log.last().cloned().unwrap_or_default();
    assert_eq!(last(&headless), "Red wins: Green has given up.");
    headless.act(Action::Replay(ReplayAction::Jump(0)));
    assert_eq!(headless.replay().log, [""; 0]);
    headless.act(Action::Replay(ReplayAction::StepForward));
    headless.settle();
    assert_eq!(last(&headless), "Red wins: Green has given up.");
}

#[test]
fn a_touch_on_a_game_that_is_watched_says_how_to_play() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    headless.click("e4 f4");
    headless.settle();
    headless.act(Action::Replay(ReplayAction::WatchGame));
    headless.settle();
    assert_eq!(headless.referee().notice, None);
    headless.click("e3");
    headless.settle();
    let notice = headless.referee().notice.clone().expect("a word about it");
    assert!(!notice.is_error && notice.text.contains("Play on from here"), "{}", notice.text);
    assert_eq!(headless.table().line().len(), 1);
}

#[test]
fn an_analysis_judges_every_position_and_shows_the_best_move() {
    let mut headless = at_table(persons(RuleSet::Tablaaza, 1));
    for name in ["c7", "c6"] {
        headless.click(name);
        headless.settle();
    }
    headless.act(Action::Replay(ReplayAction::WatchGame));
    headless.act(Action::View(ViewAction::ToggleAnalysis));
    headless.until("all judged", |world| world.resource::<Analysis>().evaluations.len() == 3);
    let marks = headless.app.world().resource::<Highlights>().clone();
    assert_eq!(marks.advised.len(), 1, "the best stone");
    let line = headless.replay().line().expect("a game").clone();
    assert!(
        (0..=2).all(|ply| headless
            .app
            .world()
            .resource::<Analysis>()
            .value_at(&line, ply)
            .is_some())
    );
    headless.act(Action::View(ViewAction::ToggleAnalysis));
    headless.settle();
    assert!(headless.app.world().resource::<Highlights>().advised.is_empty());
}
