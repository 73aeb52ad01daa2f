//! OpenedFile with a clock, and who begins them.

use super::*;

fn timed(rules: RuleSet, timing: &str) -> Setup {
    Setup { clock: Some(timing.parse().expect("a time")), ..persons(rules, 1) }
}

fn left(headless: &Headless) -> [Duration; 2] {
    let clock = headless.table().clock().expect("clocks");
    Side::BOTH.map(|side| clock.left(side))
}

/// How much time goes by for each side in half a second of frames.
fn spent(headless: &mut Headless) -> [bool; 2] {
    let before = left(headless);
    headless.frames(15);
    let after = left(headless);
    [0, 1].map(|side| after[side] < before[side])
}

#[test]
fn a_clock_runs_while_its_player_can_move_and_at_no_other_time() {
    let mut headless = at_table(timed(RuleSet::TablutAshton, "60+5"));
    assert_eq!(spent(&mut headless), [true, false], "White is to move");
    for sheet in Dialog::ALL {
        headless.act(Action::Ui(UiAction::OpenDialog(sheet)));
        let pauses = sheet != Dialog::TypeMove;
        assert_eq!(spent(&mut headless)[0], !pauses, "{sheet:?}");
        headless.act(Action::Ui(UiAction::CloseDialog));
    }
    headless.act(Action::Game(GameAction::TypeMove("e4-f4".to_owned())));
    while headless.app.world().resource::<MotionStatus>().is_busy() {
        let before = left(&headless);
        headless.frames(1);
        let now_still = !headless.app.world().resource::<MotionStatus>().is_busy();
        assert!(now_still || left(&headless) == before, "what still moves costs nobody time");
    }
    headless.settle();
    assert_eq!(spent(&mut headless), [false, true], "Black is to move");
    headless.act(Action::Game(GameAction::ViewPreviousPly));
    assert_eq!(spent(&mut headless), [false, false], "the game waits");
    headless.act(Action::Game(GameAction::ViewNextPly));
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
        headless.act(Action::Ui(UiAction::ShowTable));
        headless.settle();
        let gone = before[1].saturating_sub(left(&headless)[1]);
        assert!(gone < Duration::from_millis(400), "{}: {gone:?}", away.id());
        assert_eq!(spent(&mut headless), [false, true], "and goes on");
    }
}

#[test]
fn a_table_with_a_clock_is_drawn_as_often_as_the_clock_changes() {
    let wait =
        |headless: &Headless| match headless.app.world().resource::<WinitSettings>().focused_mode {
            UpdateMode::Reactive { wait, .. } => wait,
            UpdateMode::Continuous => Duration::ZERO,
        };
    let mut headless = at_table(timed(RuleSet::Tablaaza, "60"));
    headless.until("all is still", |world| {
        let mode = world.resource::<WinitSettings>().focused_mode;
        matches!(mode, UpdateMode::Reactive { wait, .. } if wait > Duration::from_millis(60))
    });
    for _ in 0..60 {
        headless.frames(1);
        let second = Duration::from_secs(1);
        assert!(
            (Duration::from_millis(50)..=second).contains(&wait(&headless)),
            "{:?}",
            wait(&headless)
        );
        assert!(headless.app.world().resource::<NextRedraw>().0.is_some());
    }
    headless.act(Action::Ui(UiAction::OpenDialog(Dialog::Menu)));
    headless.settle();
    assert_eq!(
        headless.app.world().resource::<NextRedraw>().0,
        None,
        "nothing changes while it pauses"
    );
}

#[test]
fn who_runs_out_of_time_has_lost_and_can_have_it_back() {
    let mut headless = at_table(timed(RuleSet::TablutAshton, "1/10"));
    headless.act(Action::Game(GameAction::TypeMove("e4-f4".to_owned())));
    headless.settle();
    headless.until("the time is used up", |world| {
        let table = world.resource::<Referee>().table.as_ref();
        table.is_some_and(|table| table.outcome().is_some())
    });
    assert_eq!(headless.table().outcome(), Some(Outcome::TimedOut(Side::Second)));
    let said = headless.referee().log.last().cloned();
    assert_eq!(said.as_deref(), Some("White wins: Black has used up the time."));
    assert!(headless.app.world().resource::<Highlights>().touchable.is_empty(), "the game is over");
    headless.act(Action::Game(GameAction::Undo));
    headless.settle();
    assert_eq!(headless.table().outcome(), None);
    assert!(left(&headless)[1] > Duration::from_secs(9));
}

#[test]
fn an_engine_with_a_clock_keeps_to_it() {
    let seats = [Seat::Engine(Level::Master), Seat::Person];
    let mut headless = at_table(Setup { seats, ..timed(RuleSet::TablutAshton, "5") });
    headless.until("the engine moves", |world| {
        let table = world.resource::<Referee>().table.as_ref();
        table.is_some_and(|table| !table.line().is_empty())
    });
    headless.settle();
    assert_eq!(headless.table().outcome(), None);
    assert!(left(&headless)[0] > Duration::from_secs(4), "{:?}", left(&headless));
}

#[test]
fn the_lot_is_told_and_the_game_begins_with_whom_it_names() {
    let mut headless = at_table(persons(RuleSet::Tablan, 4));
    let lot = headless.table().lot().expect("a lot");
    assert_eq!(headless.table().turn(), Some(Turn::Throw(lot)));
    let words = tabulae::table::lot_words(headless.table()).expect("words");
    assert_eq!(headless.referee().log, [words]);
    let other = lot.other();
    headless.act(Action::Game(GameAction::NewGame(Setup {
        first: Some(other),
        ..persons(RuleSet::Tablan, 4)
    })));
    headless.settle();
    assert_eq!(headless.table().turn(), Some(Turn::Throw(other)), "chosen, not drawn");
    assert!(headless.referee().log.is_empty());
}
