//! Games with a clock, and the choice of the first player.

use super::*;
use strum::VariantArray as _;

fn timed(rules: RuleSet, timing: &str) -> Setup {
    Setup { clock: Some(timing.parse().expect("a time")), ..two_people(rules, 1) }
}

fn left(headless: &Headless) -> [Duration; 2] {
    let clock = headless.table().clock().expect("clocks");
    Side::BOTH.map(|side| clock.left(side))
}

/// Whether each side's clock ran during half a second of frames.
fn spent(headless: &mut Headless) -> [bool; 2] {
    let before = left(headless);
    headless.frames(15);
    let after = left(headless);
    [0, 1].map(|side| after[side] < before[side])
}

#[test]
fn a_clock_runs_only_while_its_player_can_move() {
    let mut headless = start_game(timed(RuleSet::TablutAshton, "60+5"));
    assert_eq!(spent(&mut headless), [true, false], "White is to move");
    for dialog in Dialog::VARIANTS.iter().copied() {
        headless.act(UiAction::OpenDialog(dialog));
        assert_eq!(spent(&mut headless), [true, false], "{dialog:?} is no pause");
        headless.act(UiAction::CloseDialog);
    }
    headless.act(GameAction::TypeMove("e4-f4".to_owned()));
    while headless.get::<MotionStatus>().is_busy() {
        let before = left(&headless);
        headless.frames(1);
        let finished = !headless.get::<MotionStatus>().is_busy();
        assert!(finished || left(&headless) == before, "animations cost nobody time");
    }
    headless.settle();
    assert_eq!(spent(&mut headless), [false, true], "Black is to move");
    headless.act(GameAction::ViewPreviousPly);
    assert_eq!(spent(&mut headless), [false, true], "an earlier position is no pause");
    headless.act(GameAction::ViewNextPly);
    assert_eq!(spent(&mut headless), [false, true]);
    for (away, back) in [
        (Action::Ui(UiAction::ShowTitle), Action::Ui(UiAction::ShowTable)),
        (Action::Replay(ReplayAction::WatchGame), Action::Ui(UiAction::ShowTable)),
        (
            Action::Game(GameAction::StartLesson(GameKind::Tablaaza)),
            Action::Ui(UiAction::ShowTitle),
        ),
    ] {
        let before = left(&headless);
        headless.act(away.clone());
        headless.frames(15);
        headless.act(back);
        headless.perform(UiAction::ShowTable);
        let gone = before[1].saturating_sub(left(&headless)[1]);
        assert!(gone < Duration::from_millis(400), "{:?}: {gone:?}", away.name());
        assert_eq!(spent(&mut headless), [false, true], "the clock continues");
    }
}

#[test]
fn the_window_is_redrawn_when_the_clock_display_changes() {
    let due = |world: &World| world.resource::<NextFrame>().due();
    let mut headless = start_game(timed(RuleSet::Tablaaza, "60"));
    headless.wait_until("the scene is settled", |world| {
        due(world).is_some_and(|due| due > Duration::from_millis(60))
    });
    for _ in 0..60 {
        headless.frames(1);
        let due = due(headless.app.world()).expect("a frame for the clock");
        assert!((Duration::from_millis(50)..=Duration::from_secs(1)).contains(&due), "{due:?}");
    }
    headless.act(UiAction::ShowTitle);
    headless.wait_until("no frame is needed while no clock runs", |world| due(world).is_none());
}

#[test]
fn a_player_out_of_time_loses_and_undo_restores_the_time() {
    let mut headless = start_game(timed(RuleSet::TablutAshton, "1/10"));
    headless.perform(GameAction::TypeMove("e4-f4".to_owned()));
    headless.wait_until("the flag falls", |world| {
        let table = world.resource::<Referee>().table.as_ref();
        table.is_some_and(|table| table.outcome().is_some())
    });
    assert_eq!(headless.table().outcome(), Some(Outcome::TimedOut(Side::Second)));
    let said = headless.told().last().cloned();
    assert_eq!(said.as_deref(), Some("White wins: Black ran out of time."));
    assert!(headless.get::<Highlights>().selectable.is_empty(), "the game is over");
    headless.perform(GameAction::Undo);
    assert_eq!(headless.table().outcome(), None);
    assert!(left(&headless)[1] > Duration::from_secs(9));
}

#[test]
fn an_engine_does_not_run_out_of_time() {
    let seats = [Seat::Engine(Level::Master), Seat::Person];
    let mut headless = start_game(Setup { seats, ..timed(RuleSet::TablutAshton, "5") });
    headless.wait_until("the engine moves", |world| {
        let table = world.resource::<Referee>().table.as_ref();
        table.is_some_and(|table| !table.history().is_empty())
    });
    headless.settle();
    assert_eq!(headless.table().outcome(), None);
    assert!(left(&headless)[0] > Duration::from_secs(4), "{:?}", left(&headless));
}

/// In a player's first game nobody throws for the start.
#[test]
fn the_first_game_of_tablan_begins_with_a_move_of_who_was_drawn() {
    let mut headless = Headless::new(SIZE);
    let choice = NewGameChoice { rules: RuleSet::Tablan, ..NewGameChoice::default() };
    headless.perform(GameAction::NewGame(Setup { seats: [Seat::Person; 2], ..choice.setup() }));
    let Some(Turn::Move(side)) = headless.table().turn() else {
        panic!("{:?}", headless.table().turn());
    };
    let starter = if side == Side::First { "South" } else { "North" };
    assert_eq!(headless.told(), [format!("By random choice, {starter} starts.")]);
    let history = headless.table().history();
    assert_eq!(headless.table().drawn_throws(), history.len());
}

#[test]
fn the_drawn_first_player_is_logged_and_starts() {
    let mut headless = start_game(two_people(RuleSet::Tablan, 4));
    let first = headless.table().lot().expect("a drawn first player");
    assert_eq!(headless.table().turn(), Some(Turn::Throw(first)));
    let words = tabulae::session::describe_lot(headless.table()).expect("words");
    assert_eq!(headless.told(), [words]);
    let other = first.other();
    headless
        .act(GameAction::NewGame(Setup { first: Some(other), ..two_people(RuleSet::Tablan, 4) }));
    headless.settle();
    assert_eq!(headless.table().turn(), Some(Turn::Throw(other)), "chosen, not drawn");
    assert!(headless.told().is_empty());
}
