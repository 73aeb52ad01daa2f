use super::*;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn time_per_game_runs_out_and_grows_by_the_increment() {
    let mut clock = Clock::new("60+5".parse().expect("a time"));
    assert!(!clock.run(Side::First, 0, 20 * SECOND, false));
    assert_eq!(clock.left(Side::First), 40 * SECOND);
    assert_eq!(clock.left(Side::Second), 60 * SECOND);
    clock.ply_played(1, Some(Side::First), false);
    assert_eq!(clock.left(Side::First), 45 * SECOND);
    clock.ply_played(2, None, false);
    assert_eq!(clock.after_ply(2), [45 * SECOND, 60 * SECOND], "a throw changes nothing");
    assert!(!clock.run(Side::Second, 2, 59 * SECOND, false));
    assert!(clock.run(Side::Second, 2, 2 * SECOND, false));
    assert_eq!(clock.left(Side::Second), Duration::ZERO);
}

#[test]
fn time_per_move_starts_afresh_with_each_move() {
    let mut clock = Clock::new("1/30".parse().expect("a time"));
    clock.run(Side::First, 0, 29 * SECOND, false);
    clock.ply_played(1, Some(Side::First), false);
    assert_eq!(clock.after_ply(1), [30 * SECOND; 2]);
    assert!(clock.run(Side::Second, 1, 31 * SECOND, false));
    assert_eq!(clock.comment(1, Side::First), None);
}

#[test]
fn undo_restores_the_clock_and_redo_takes_the_time_again() {
    let mut clock = Clock::new("60+5".parse().expect("a time"));
    let spend = |clock: &mut Clock, side, plies| {
        clock.run(side, plies, 10 * SECOND, false);
        clock.ply_played(plies + 1, Some(side), false);
    };
    spend(&mut clock, Side::First, 0);
    spend(&mut clock, Side::Second, 1);
    clock.run(Side::First, 2, 30 * SECOND, false);
    clock.restore(1);
    assert_eq!(clock.left, [55 * SECOND, 60 * SECOND]);
    clock.restore(2);
    assert_eq!(clock.left, [55 * SECOND; 2], "and takes it again");
    clock.restore(0);
    spend(&mut clock, Side::First, 0);
    assert_eq!(clock.after_ply(2), clock.after_ply(1), "another ply, another time");
    clock.truncate(0);
    assert_eq!((clock.left, clock.after_plies.len()), ([60 * SECOND; 2], 1));
}

#[test]
fn an_engine_that_keeps_to_its_allowance_never_loses_on_time() {
    for control in TimeControl::MOVES.into_iter().chain(TimeControl::GAMES) {
        let mut clock = Clock::new(TimeControls::both(control));
        for plies in 0..2_000 {
            let allowed = clock.allowance(Side::First);
            assert!(allowed < clock.left(Side::First), "{control}: {plies}");
            // The machine was busy with other work for a second.
            assert!(!clock.run(Side::First, plies, allowed + SECOND, true));
            assert!(clock.left(Side::First) >= Duration::from_nanos(1), "{control}: {plies}");
            clock.ply_played(plies + 1, Some(Side::First), false);
        }
    }
}

#[test]
fn clocks_show_tenths_only_in_the_last_seconds() {
    let face = |millis| format_clock(Duration::from_millis(millis));
    assert_eq!(face(86_399_000), "23:59:59");
    assert_eq!(face(3 * 86_400_000 + 4 * 3_600_000), "3 d 4 h");
    assert_eq!(face(3_723_000), "1:02:03");
    assert_eq!(face(300_000), "5:00");
    assert_eq!(face(299_001), "5:00");
    assert_eq!(face(299_000), "4:59");
    assert_eq!(face(10_001), "0:11");
    assert_eq!(face(10_000), "10.0");
    assert_eq!(face(9_301), "9.4");
    assert_eq!(face(1), "0.1");
    assert_eq!(face(0), "0.0");
}

#[test]
fn the_next_change_of_the_display_is_predicted() {
    for millis in [1, 99, 100, 101, 9_350, 10_000, 10_001, 10_500, 59_000, 61_234] {
        let left = Duration::from_millis(millis);
        let wait = next_clock_change(left);
        assert!(wait <= SECOND && !wait.is_zero());
        let just = Duration::from_millis(1);
        if let Some(before) = left.checked_sub(wait.saturating_sub(just)) {
            assert_eq!(format_clock(before), format_clock(left), "{millis}: not before");
        }
        if let Some(then) = left.checked_sub(wait + just) {
            assert_ne!(format_clock(then), format_clock(left), "{millis}: but then");
        }
    }
}

#[test]
fn clock_commands_are_parsed_and_stripped_from_comments() {
    let left = Duration::from_millis(272_100);
    assert_eq!(clock_command(left), "[%clk 0:04:32.1]");
    assert_eq!(clock_in(&clock_command(left)), Some(left));
    assert_eq!(clock_command(Duration::from_millis(1)), "[%clk 0:00:00.1]");
    assert_eq!(clock_command(Duration::from_secs(3_600)), "[%clk 1:00:00]");
    assert_eq!(strip_clock_command("[%clk 0:04:32.1]"), None);
    assert_eq!(strip_clock_command("well [%clk 0:04:32] done").as_deref(), Some("well done"));
    for other in ["[%clk]", "[%clk 1:2]", "[%clk a:b:c]", "[%clk 0:0:-1]", "[%clk 0:0:1", ""] {
        assert_eq!(clock_in(other), None, "{other}");
    }
    assert_eq!(strip_clock_command("[%clk what]").as_deref(), Some("[%clk what]"));
}
