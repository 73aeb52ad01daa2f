//! A match at the table: next games, the score, and what the end offers.

use super::*;

#[test]
fn a_match_goes_on_at_the_table_with_swapped_sides() {
    let mut headless = start_game(Setup { games: 2, ..two_people(RuleSet::TablutAshton, 1) });
    assert!(headless.table().match_standing().is_some());
    headless.act(GameAction::NextGame);
    assert_eq!(
        headless.table().match_standing().map(|standing| standing.round),
        Some(1),
        "it is not over"
    );
    headless.perform(GameAction::TypeMove("e4-f4".to_owned()));
    headless.act(GameAction::Resign);
    headless.perform(GameAction::NextGame);
    let standing = headless.table().match_standing().expect("a match");
    assert_eq!((standing.round, standing.ended), (2, 1));
    // Black resigned and plays White now.
    assert_eq!(standing.half_points, [0, 2]);
    assert!(headless.table().history().is_empty() && headless.table().outcome().is_none());
    headless.act(GameAction::Resign);
    headless.act(GameAction::NextGame);
    assert_eq!(
        headless.table().match_standing().map(|standing| standing.ended),
        Some(2),
        "it was the last"
    );
    headless.act(GameAction::Rematch);
    assert_eq!(
        headless.table().match_standing().map(|standing| (standing.round, standing.ended)),
        Some((1, 0))
    );
}

#[test]
fn threats_are_off_in_a_new_game_and_in_a_lesson() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let shown = |headless: &Headless| headless.get::<Analysis>().show_threats;
    for start in [
        Action::Game(GameAction::Rematch),
        Action::Game(GameAction::RematchSameSides),
        Action::Game(GameAction::StartLesson(GameKind::Tablut)),
    ] {
        headless.act(ViewAction::ToggleThreats);
        assert!(shown(&headless));
        headless.act(start.clone());
        assert!(!shown(&headless), "{start:?}");
    }
}

#[test]
fn a_ghost_takes_the_place_of_the_captured_piece() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/4SN6/12/S11 s t1");
    let start = Some(start.expect("a position"));
    let mut headless = start_game(Setup { start, ..two_people(RuleSet::Tablan, 1) });
    let captured = |headless: &mut Headless| {
        let world = headless.app.world_mut();
        let mut pieces = world.query_filtered::<(&OnSquare, &Visibility), With<Piece>>();
        let at_f3 = pieces.iter(world).find(|(at, _)| at.0 == square("f3"));
        at_f3.map(|(_, visibility)| *visibility)
    };
    assert_eq!(captured(&mut headless), Some(Visibility::Inherited));
    for square in ["e3", "f3"] {
        headless.act(GameAction::SelectSquare(super::square(square)));
    }
    headless.frames(2);
    assert_eq!(captured(&mut headless), Some(Visibility::Hidden));
    headless.act(GameAction::Deselect);
    headless.frames(2);
    assert_eq!(captured(&mut headless), Some(Visibility::Inherited));
}

#[test]
fn the_first_half_of_a_pair_stands_on_its_square_until_the_pair_is_played() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1");
    let start = Some(start.expect("a position"));
    let mut headless = start_game(Setup { start, ..two_people(RuleSet::Tablan, 1) });
    let ghosts = |headless: &mut Headless| {
        let world = headless.app.world_mut();
        let mut names = world.query::<&Name>();
        let ghosts = names.iter(world).filter(|name| name.starts_with("ghost "));
        ghosts.map(|name| name.as_str().to_owned()).collect::<Vec<_>>()
    };
    let place = |headless: &mut Headless| headless.piece_place(super::square("e1"));
    let home = place(&mut headless);
    for square in ["e1", "f1"] {
        assert!(ghosts(&mut headless).is_empty(), "before {square}");
        headless.act(GameAction::SelectSquare(super::square(square)));
    }
    headless.wait_for_rest();
    assert_eq!(ghosts(&mut headless), ["ghost e1"]);
    let moved = place(&mut headless) - home;
    assert!((moved.length() - 1.0).abs() < 0.01, "it stands a square further: {moved}");
    headless.act(GameAction::Deselect);
    headless.wait_for_rest();
    assert!(ghosts(&mut headless).is_empty());
    assert_eq!(place(&mut headless), home);
}

#[test]
fn the_piece_of_a_pair_that_was_moved_first_stays_where_it_stands() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1");
    let start = Some(start.expect("a position"));
    for confirm in [false, true] {
        let mut headless =
            start_game(Setup { start: start.clone(), ..two_people(RuleSet::Tablan, 1) });
        headless.change_settings(Settings { confirm_moves: confirm, ..Settings::default() });
        let goal = headless.square_centre(square("b1"));
        let placed = |headless: &mut Headless| {
            let world = headless.app.world_mut();
            let mut pieces = world.query_filtered::<&Transform, With<Piece>>();
            pieces.iter(world).any(|place| place.translation.distance(goal) < 0.05)
        };
        for square in ["a1", "b1", "e1"] {
            headless.act(GameAction::SelectSquare(super::square(square)));
            headless.wait_for_rest();
        }
        assert!(placed(&mut headless));
        headless.act(GameAction::SelectSquare(square("f1")));
        if confirm {
            headless.frames(20);
            assert!(placed(&mut headless), "it stands there while the question is asked");
            headless.act(GameAction::Answer(0));
        }
        let mut frames = 0;
        while headless.table().history().is_empty() || headless.get::<MotionStatus>().is_busy() {
            headless.frames(1);
            assert!(placed(&mut headless), "frame {frames}: the piece on b1 jumped back");
            frames += 1;
        }
        assert!(frames > 3, "the second piece moved");
        // The record has the order of the rules.
        assert_eq!(headless.table().history().notation(1).as_deref(), Some("e1-f1+a1-b1"));
    }
}

#[test]
fn the_wheel_does_not_move_the_board_of_the_title() {
    let mut headless = Headless::new(SIZE);
    let before = headless.camera_position();
    headless.wheel(5.0);
    let after = headless.camera_position();
    assert!(before.distance(after) < 0.5, "{before} {after}");
}
