//! Other engines at the table: as a player, for a second opinion, in their dialog, and
//! broken ones.

use super::*;
use tabulae::{
    app::settings::Engines,
    session::{EngineEntry, EngineList},
};

const NAME: &str = "Other";

/// This program's own engine.
fn sound() -> String {
    format!("'{}' engine", env!("CARGO_BIN_EXE_tabulae"))
}

/// A shell script that answers as UGI wants until it is asked for a move.
fn script(at_go: &str) -> String {
    let answers = "case \"$line\" in ugi) echo ugiok;; isready) echo readyok;;";
    format!("sh -c 'while read line; do {answers} go*) {at_go};; esac; done'")
}

/// A table with this engine in the list.
fn with_engine(command: String) -> Headless {
    let mut headless = Headless::new((1280, 720));
    let entry = EngineEntry { name: NAME.to_owned(), command, ..EngineEntry::default() };
    let mut list = EngineList::default();
    list.add(entry);
    assert_eq!(headless.app.world_mut().resource_mut::<Engines>().replace(list), Ok(()));
    headless.frames(2);
    headless
}

/// A game of Tablaaza of a person against the engine of the list.
fn against_engine(command: String) -> Headless {
    let mut headless = with_engine(command);
    let names = [String::new(), NAME.to_owned()];
    let seats = [Seat::Person, Seat::Program];
    let setup = Setup { seats, names, ..Setup::new(RuleSet::Tablaaza) };
    headless.perform(GameAction::NewGame(setup));
    headless
}

fn plies(world: &World) -> usize {
    world.resource::<Referee>().table.as_ref().map_or(0, |table| table.history().len())
}

#[test]
fn another_engine_plays_a_side_and_its_game_goes_on_with_it() {
    let mut headless = against_engine(sound());
    for text in ["c7", "a1"] {
        let before = headless.table().history().len();
        headless.act(GameAction::TypeMove(text.to_owned()));
        headless.wait_until("an answer", |world| plies(world) == before + 2);
        headless.settle();
    }
    assert!(headless.notice().is_none(), "{:?}", headless.notice());
    assert!(!headless.table().is_rated());
    // It is no person: an undo takes its move back, too, and it does not answer offers.
    headless.act(GameAction::Undo);
    assert_eq!(headless.table().history().len(), 2);
    // What is saved says who plays.
    let record = headless.table().record(None);
    let again = tabulae::session::GameSession::from_record(&record);
    assert_eq!(again.seats(), [Seat::Person, Seat::Program]);
    assert_eq!(again.names()[1], NAME);
}

#[test]
fn an_engine_that_fails_leaves_its_side_to_the_person() {
    for (at_go, reason) in [
        ("exit", "has ended"),
        ("echo bestmove c7", "plays 'c7'"),
        ("echo bestmove none", "plays 'none'"),
        ("echo error no", "says 'error no'"),
    ] {
        let mut headless = against_engine(script(at_go));
        headless.act(GameAction::TypeMove("c7".to_owned()));
        headless.wait_until(reason, |world| {
            let referee = world.resource::<Referee>();
            referee.table.as_ref().is_some_and(|table| table.seats() == [Seat::Person; 2])
        });
        let notice = headless.notice().cloned().expect("a notice");
        assert!(notice.is_error && notice.text.contains(reason), "{notice:?}");
        assert!(notice.text.starts_with(NAME), "{notice:?}");
        headless.settle();
        headless.act(GameAction::TypeMove("b7".to_owned()));
        assert_eq!(plies(headless.app.world()), 2, "{:?}", headless.notice());
    }
}

#[test]
fn an_engine_that_is_in_no_list_leaves_its_side_to_the_person() {
    let mut headless = against_engine(sound());
    assert_eq!(
        headless.app.world_mut().resource_mut::<Engines>().replace(EngineList::default()),
        Ok(())
    );
    headless.perform(GameAction::TypeMove("c7".to_owned()));
    assert_eq!(headless.table().seats(), [Seat::Person; 2]);
    let notice = headless.notice().cloned().expect("a notice");
    assert!(notice.text.contains(NAME), "{notice:?}");
}

#[test]
fn a_hanging_engine_can_be_left_and_keeps_nothing_waiting() {
    let mut headless = against_engine(script("sleep 600"));
    headless.act(GameAction::TypeMove("c7".to_owned()));
    headless.wait_until("it thinks", |world| world.resource::<EngineThinking>().0);
    headless.act(GameAction::Undo);
    assert_eq!(plies(headless.app.world()), 0);
    assert!(!headless.is_engine_thinking());
    headless.act(GameAction::Resign);
    assert!(headless.table().outcome().is_some());
}

#[test]
fn another_engine_gives_a_second_opinion() {
    let mut headless = with_engine(sound());
    let seats = [Seat::Person; 2];
    headless.perform(GameAction::NewGame(Setup { seats, ..Setup::new(RuleSet::Tablaaza) }));
    headless.act(ViewAction::ToggleAnalysis);
    headless.act(ViewAction::AskEngine(Some("unknown".to_owned())));
    assert_eq!(headless.analysis().second_opinion.engine, None);
    headless.act(ViewAction::AskEngine(Some(NAME.to_owned())));
    let has_line = |world: &World| {
        let table = world.resource::<Referee>().table.as_ref().expect("a game");
        let opinion = &world.resource::<Analysis>().second_opinion;
        opinion.line_of(table.history().position()).is_some_and(|line| line.depth > 0)
    };
    headless.wait_until("a line", has_line);
    headless.perform(GameAction::TypeMove("c7".to_owned()));
    assert_eq!(headless.table().history().len(), 1);
    headless.wait_until("a line of the next position", has_line);
}

#[test]
fn an_analyst_that_ends_is_asked_no_more() {
    let mut headless = with_engine(script("exit"));
    headless.perform(GameAction::NewGame(Setup::new(RuleSet::Tablaaza)));
    headless.act(ViewAction::ToggleAnalysis);
    headless.act(ViewAction::AskEngine(Some(NAME.to_owned())));
    headless.wait_until("it has ended", |world| {
        world.resource::<Analysis>().second_opinion.engine.is_none()
    });
    let notice = headless.notice().cloned().expect("a notice");
    assert!(notice.text.contains("has ended"), "{notice:?}");
    assert_eq!(headless.get::<Engines>().list().engines.len(), 1);
}
