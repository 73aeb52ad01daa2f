//! Games with a clock, and who begins them.

use super::*;

fn timed(rules: RuleSet, timing: &str) -> Setup {
    Setup { clock: Some(timing.parse().expect("a time")), ..persons(rules, 1) }
}

fn left(silent: &Silent) -> [Duration; 2] {
    let clock = silent.table().clock().expect("clocks");
    Side::BOTH.map(|side| clock.left(side))
}

/// How much time goes by for each side in half a second of frames.
fn spent(silent: &mut Silent) -> [bool; 2] {
    let before = left(silent);
    silent.frames(15);
    let after = left(silent);
    [0, 1].map(|side| after[side] < before[side])
}

#[test]
fn a_clock_runs_while_its_player_can_move_and_at_no_other_time() {
    let mut silent = at_table(timed(RuleSet::TablutAshton, "60+5"));
    assert_eq!(spent(&mut silent), [true, false], "White is to move");
    for sheet in Sheet::ALL {
        silent.act(Act::Show(sheet));
        let pauses = sheet != Sheet::TypeMove;
        assert_eq!(spent(&mut silent)[0], !pauses, "{sheet:?}");
        silent.act(Act::Close);
    }
    silent.act(Act::Type("e4-f4".to_owned()));
    while silent.app.world().resource::<Motion>().is_busy() {
        let before = left(&silent);
        silent.frames(1);
        let now_still = !silent.app.world().resource::<Motion>().is_busy();
        assert!(now_still || left(&silent) == before, "what still moves costs nobody time");
    }
    silent.settle();
    assert_eq!(spent(&mut silent), [false, true], "Black is to move");
    silent.act(Act::LookBack);
    assert_eq!(spent(&mut silent), [false, false], "the game waits");
    silent.act(Act::LookOn);
    assert_eq!(spent(&mut silent), [false, true]);
    for (away, back) in [
        (Act::Title, Act::Table),
        (Act::Watch, Act::Table),
        (Act::Learn(GameKind::Tablaaza), Act::Title),
    ] {
        let before = left(&silent);
        silent.act(away.clone());
        silent.frames(15);
        silent.act(back);
        silent.act(Act::Table);
        silent.settle();
        let gone = before[1].saturating_sub(left(&silent)[1]);
        assert!(gone < Duration::from_millis(400), "{}: {gone:?}", away.id());
        assert_eq!(spent(&mut silent), [false, true], "and goes on");
    }
}

#[test]
fn a_table_with_a_clock_is_drawn_as_often_as_the_clock_changes() {
    let wait = |silent: &Silent| match silent.app.world().resource::<WinitSettings>().focused_mode {
        UpdateMode::Reactive { wait, .. } => wait,
        UpdateMode::Continuous => Duration::ZERO,
    };
    let mut silent = at_table(timed(RuleSet::Tablaaza, "60"));
    silent.until("all is still", |world| {
        let mode = world.resource::<WinitSettings>().focused_mode;
        matches!(mode, UpdateMode::Reactive { wait, .. } if wait > Duration::from_millis(60))
    });
    for _ in 0..60 {
        silent.frames(1);
        let second = Duration::from_secs(1);
        assert!(
            (Duration::from_millis(50)..=second).contains(&wait(&silent)),
            "{:?}",
            wait(&silent)
        );
        assert!(silent.app.world().resource::<Due>().0.is_some());
    }
    silent.act(Act::Show(Sheet::Menu));
    silent.settle();
    assert_eq!(silent.app.world().resource::<Due>().0, None, "nothing changes while it pauses");
}

#[test]
fn who_runs_out_of_time_has_lost_and_can_have_it_back() {
    let mut silent = at_table(timed(RuleSet::TablutAshton, "1/10"));
    silent.act(Act::Type("e4-f4".to_owned()));
    silent.settle();
    silent.until("the time is used up", |world| {
        let table = world.resource::<Referee>().table.as_ref();
        table.is_some_and(|table| table.outcome().is_some())
    });
    assert_eq!(silent.table().outcome(), Some(Outcome::TimedOut(Side::Second)));
    let said = silent.referee().said.last().cloned();
    assert_eq!(said.as_deref(), Some("White wins: Black has used up the time."));
    assert!(silent.app.world().resource::<Marks>().touchable.is_empty(), "the game is over");
    silent.act(Act::Undo);
    silent.settle();
    assert_eq!(silent.table().outcome(), None);
    assert!(left(&silent)[1] > Duration::from_secs(9));
}

#[test]
fn an_engine_with_a_clock_keeps_to_it() {
    let seats = [Seat::Engine(Level::Master), Seat::Person];
    let mut silent = at_table(Setup { seats, ..timed(RuleSet::TablutAshton, "5") });
    silent.until("the engine moves", |world| {
        let table = world.resource::<Referee>().table.as_ref();
        table.is_some_and(|table| !table.history().is_empty())
    });
    silent.settle();
    assert_eq!(silent.table().outcome(), None);
    assert!(left(&silent)[0] > Duration::from_secs(4), "{:?}", left(&silent));
}

#[test]
fn the_lot_is_told_and_the_game_begins_with_whom_it_names() {
    let mut silent = at_table(persons(RuleSet::Tablan, 4));
    let lot = silent.table().lot().expect("a lot");
    assert_eq!(silent.table().turn(), Some(Turn::Throw(lot)));
    let words = tabulae::table::describe_lot(silent.table()).expect("words");
    assert_eq!(silent.referee().said, [words]);
    let other = lot.other();
    silent.act(Act::NewGame(Setup { first: Some(other), ..persons(RuleSet::Tablan, 4) }));
    silent.settle();
    assert_eq!(silent.table().turn(), Some(Turn::Throw(other)), "chosen, not drawn");
    assert!(silent.referee().said.is_empty());
}
