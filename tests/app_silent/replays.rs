//! Watching a game again, and analysing it.

use super::*;

#[test]
fn a_replay_plays_by_itself_and_stops_at_the_end() {
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    for name in ["c7", "c6", "a1"] {
        silent.click(name);
        silent.settle();
    }
    silent.act(Act::Watch);
    silent.act(Act::Speed(4.0));
    silent.act(Act::TogglePlay);
    assert!(silent.replay().playing);
    silent.until("the replay stops by itself", |world| {
        !world.resource::<tabulae::app::replay::Replay>().playing
    });
    assert_eq!(silent.replay().at, 3);
    silent.act(Act::Jump(2));
    silent.act(Act::PlayOn);
    silent.settle();
    assert_eq!(silent.screen(), Screen::Table);
    assert_eq!(silent.table().history().len(), 2);
    silent.click("h6");
    silent.settle();
    assert_eq!(silent.table().history().len(), 3);
}

#[test]
fn an_engine_answers_where_a_game_against_it_goes_on() {
    let seats = [Seat::Person, Seat::Engine(Level::Novice)];
    let mut silent = at_table(Setup { seats, ..persons(RuleSet::Tablaaza, 1) });
    silent.act(Act::Watch);
    silent.act(Act::PlayOn);
    silent.settle();
    silent.click("c7");
    silent.until("the engine's stone", |world| {
        world.resource::<Referee>().table.as_ref().is_some_and(|table| table.history().len() == 2)
    });
}

#[test]
fn the_end_of_a_replay_says_how_the_players_ended_the_game() {
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    silent.click("c7");
    silent.settle();
    silent.act(Act::Resign);
    silent.act(Act::Watch);
    silent.act(Act::Jump(1));
    let last = |silent: &Silent| silent.replay().said.last().cloned().unwrap_or_default();
    assert_eq!(last(&silent), "Red wins: Green has given up.");
    silent.act(Act::Jump(0));
    assert_eq!(silent.replay().said, [""; 0]);
    silent.act(Act::StepForward);
    silent.settle();
    assert_eq!(last(&silent), "Red wins: Green has given up.");
}

#[test]
fn a_touch_on_a_game_that_is_watched_says_how_to_play() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    silent.click("e4 f4");
    silent.settle();
    silent.act(Act::Watch);
    silent.settle();
    assert_eq!(silent.referee().notice, None);
    silent.click("e3");
    silent.settle();
    let notice = silent.referee().notice.clone().expect("a word about it");
    assert!(!notice.is_error && notice.text.contains("Play on from here"), "{}", notice.text);
    assert_eq!(silent.table().history().len(), 1);
}

#[test]
fn an_analysis_judges_every_position_and_shows_the_best_move() {
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    for name in ["c7", "c6"] {
        silent.click(name);
        silent.settle();
    }
    silent.act(Act::Watch);
    silent.act(Act::Analyse);
    silent.until("all judged", |world| world.resource::<Advice>().known.len() == 3);
    let marks = silent.app.world().resource::<Marks>().clone();
    assert_eq!(marks.advised.len(), 1, "the best stone");
    let line = silent.replay().history().expect("a game").clone();
    assert!(
        (0..=2).all(|ply| silent.app.world().resource::<Advice>().value_at(&line, ply).is_some())
    );
    silent.act(Act::Analyse);
    silent.settle();
    assert!(silent.app.world().resource::<Marks>().advised.is_empty());
}
