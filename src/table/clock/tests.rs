use super::*;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn times_are_written_as_pgn_writes_them_and_read_back() {
    for timing in TimeControl::MOVES.into_iter().chain(TimeControl::GAMES) {
        assert_eq!(timing.to_string().parse(), Ok(timing), "{timing}");
    }
    assert_eq!(TimeControl::MOVES[1].to_string(), "1/30");
    assert_eq!(TimeControl::GAMES[2].to_string(), "600+5");
    assert_eq!(TimeControl::GAMES[1].to_string(), "300");
    for text in
        ["", "0", "-", "?", "40/9000", "*180", "1/0", "0+5", "5+", "+5", "1/+5", "9999999", "1e3"]
    {
        assert_eq!(
            text.parse::<TimeControl>(),
            Err(ParseTimeControlError(text.to_owned())),
            "{text}"
        );
    }
}

#[test]
fn a_game_s_time_runs_out_and_each_move_adds_to_it() {
    let mut clock = Clock::new("60+5".parse().expect("a time"));
    assert!(!clock.run(Side::First, 0, 20 * SECOND, false));
    assert_eq!(clock.left(Side::First), 40 * SECOND);
    assert_eq!(clock.left(Side::Second), 60 * SECOND);
    clock.played(1, Some(Side::First), true);
    assert_eq!(clock.left(Side::First), 45 * SECOND);
    clock.played(2, None, true);
    assert_eq!(clock.stood(2), [45 * SECOND, 60 * SECOND], "a throw changes nothing");
    assert!(!clock.run(Side::Second, 2, 59 * SECOND, false));
    assert!(clock.run(Side::Second, 2, 2 * SECOND, false));
    assert_eq!(clock.left(Side::Second), Duration::ZERO);
}

#[test]
fn each_move_has_its_own_time_where_that_is_so() {
    let mut clock = Clock::new("1/30".parse().expect("a time"));
    clock.run(Side::First, 0, 29 * SECOND, false);
    clock.played(1, Some(Side::First), true);
    assert_eq!(clock.stood(1), [30 * SECOND; 2]);
    assert!(clock.run(Side::Second, 1, 31 * SECOND, false));
    assert_eq!(clock.note(1, Side::First), None);
}

#[test]
fn what_is_taken_back_gives_its_time_back() {
    let mut clock = Clock::new("60+5".parse().expect("a time"));
    let spend = |clock: &mut Clock, side, plies| {
        clock.run(side, plies, 10 * SECOND, false);
        clock.played(plies + 1, Some(side), true);
    };
    spend(&mut clock, Side::First, 0);
    spend(&mut clock, Side::Second, 1);
    clock.run(Side::First, 2, 30 * SECOND, false);
    clock.set(1);
    assert_eq!(clock.left, [55 * SECOND, 60 * SECOND]);
    clock.set(2);
    assert_eq!(clock.left, [55 * SECOND; 2], "and takes it again");
    clock.set(0);
    spend(&mut clock, Side::First, 0);
    assert_eq!(clock.stood(2), clock.stood(1), "another ply, another time");
    clock.cut(0);
    assert_eq!((clock.left, clock.stood.len()), ([60 * SECOND; 2], 1));
}

#[test]
fn an_engine_that_keeps_to_its_allowance_never_loses_on_time() {
    for timing in TimeControl::MOVES.into_iter().chain(TimeControl::GAMES) {
        let mut clock = Clock::new(timing);
        for plies in 0..2_000 {
            let allowed = clock.allowance(Side::First);
            assert!(allowed < clock.left(Side::First), "{timing}: {plies}");
            // The machine was busy besides: that is not counted.
            assert!(!clock.run(Side::First, plies, allowed + SECOND, true));
            assert!(clock.left(Side::First) >= Duration::from_nanos(1), "{timing}: {plies}");
            clock.played(plies + 1, Some(Side::First), true);
        }
    }
}

#[test]
fn clocks_are_read_at_a_glance() {
    let face = |millis| format_clock(Duration::from_millis(millis));
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
fn a_clock_is_looked_at_again_when_it_shows_something_else() {
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
fn clock_commands_are_found_in_comments_and_left_out_for_people() {
    let left = Duration::from_millis(272_100);
    assert_eq!(note(left), "[%clk 0:04:32.1]");
    assert_eq!(noted(&note(left)), Some(left));
    assert_eq!(note(Duration::from_millis(1)), "[%clk 0:00:00.1]");
    assert_eq!(note(Duration::from_secs(3_600)), "[%clk 1:00:00]");
    assert_eq!(strip_clock_command("[%clk 0:04:32.1]"), None);
    assert_eq!(strip_clock_command("well [%clk 0:04:32] done").as_deref(), Some("well done"));
    for other in ["[%clk]", "[%clk 1:2]", "[%clk a:b:c]", "[%clk 0:0:-1]", "[%clk 0:0:1", ""] {
        assert_eq!(noted(other), None, "{other}");
    }
    assert_eq!(strip_clock_command("[%clk what]").as_deref(), Some("[%clk what]"));
}
