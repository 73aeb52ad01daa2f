//! What a hand on mouse or keys does.

use super::*;

#[test]
fn hovering_choosing_and_letting_go_are_shown() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    let marks = |silent: &Silent| silent.app.world().resource::<Marks>().clone();
    assert!(marks(&silent).touchable.contains(&square("e4")));
    assert!(!marks(&silent).touchable.contains(&square("e5")), "the king cannot move yet");
    silent.aim(square("e4"));
    assert_eq!(marks(&silent).hovered, Some(square("e4")));

    silent.click("e4");
    assert_eq!(marks(&silent).chosen, [square("e4")]);
    assert!(marks(&silent).reachable.contains(&square("f4")));
    let aside = silent.aim(square("a1"));
    silent.click_at(aside, MouseButton::Right);
    assert!(marks(&silent).chosen.is_empty(), "a right click lets go");

    silent.click("e4");
    silent.act(Act::LetGo);
    assert!(marks(&silent).chosen.is_empty());

    silent.click("e4 e4");
    assert!(marks(&silent).chosen.is_empty(), "a second click lets go");

    silent.click("e4 f4");
    silent.settle();
    assert_eq!(marks(&silent).last, [square("e4"), square("f4")]);
}

#[test]
fn the_view_turns_nears_shifts_and_comes_back() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    silent.aim(square("b2"));
    let seat = silent.eye();
    silent.click("e4");
    silent.drag_by(MouseButton::Right, Vec2::new(120.0, 0.0));
    let turned = silent.eye();
    assert!((turned - seat).length() > 1.0, "the right button turns the view");
    assert_eq!(silent.referee().selection.squares(), [square("e4")], "and lets nothing go");
    silent.act(Act::ResetView);
    assert!((silent.eye() - seat).length() < 0.05, "back at the seat");
    let b2 = silent.aim(square("b2"));
    silent.wheel(3.0);
    assert!(silent.eye().length() < seat.length() - 1.0, "the wheel nears");
    assert!(silent.place(square("b2")).distance(b2) < 12.0, "what the pointer is on stays there");
    silent.act(Act::ResetView);
    silent.drag_by(MouseButton::Middle, Vec2::new(60.0, 0.0));
    assert!((silent.eye().x - seat.x).abs() > 0.2, "the middle button shifts");
    silent.act(Act::ResetView);
    silent.act(Act::TopView);
    let above = silent.eye();
    assert!(above.y > seat.y && above.xz().length() < seat.xz().length() / 2.0, "from above");
    let apart = |silent: &mut Silent, one: &str, other: &str| {
        silent.place(square(one)).distance(silent.place(square(other)))
    };
    let (near, far) = (apart(&mut silent, "a1", "i1"), apart(&mut silent, "a9", "i9"));
    assert!((near - far).abs() < 0.5, "without perspective: {near} {far}");
    silent.act(Act::TopView);
    assert!((silent.eye() - seat).length() < 0.05, "and back");
    silent.act(Act::TurnTable);
    let across = silent.eye();
    assert!(across.z < -5.0 && (across.y - seat.y).abs() < 2.0, "{across}: the other seat");
    silent.act(Act::TopView);
    assert!(silent.place(square("a1")).y < silent.place(square("a9")).y, "its own side is near");
    silent.act(Act::TurnTable);
    assert!(silent.place(square("a1")).y > silent.place(square("a9")).y, "turned from above too");
    silent.act(Act::ResetView);
    assert!((silent.eye() - seat).length() < 0.05, "and back");
}

#[test]
fn a_piece_can_be_dragged() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    silent.drag("e4", "f4");
    silent.settle();
    assert_eq!(silent.table().history().notation(1).as_deref(), Some("e4-f4"));
    // Dropped where it cannot go, it stays where it was, and chosen.
    silent.drag("d1", "d9");
    silent.settle();
    assert_eq!(silent.table().history().len(), 1);
    assert_eq!(silent.referee().selection.squares(), [square("d1")]);
}

#[test]
fn a_pair_can_be_dragged_piece_by_piece() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1").expect("a position");
    let mut silent = at_table(Setup { start: Some(start), ..persons(RuleSet::Tablan, 1) });
    silent.drag("a1", "b1");
    assert_eq!(silent.referee().selection.squares(), [square("a1"), square("b1")]);
    silent.drag("e1", "f1");
    silent.settle();
    assert_eq!(silent.table().history().notation(1).as_deref(), Some("e1-f1+a1-b1"));
}

#[test]
fn what_is_ambiguous_asks() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/2SS8 s t1").expect("a position");
    let setup = Setup { start: Some(start), ..persons(RuleSet::Tablan, 1) };
    let mut silent = at_table(setup.clone());
    silent.click("c1 d1");
    let question = silent.referee().question.clone().expect("a question");
    assert_eq!(question.choices.len(), 2);
    silent.act(Act::Answer(0));
    silent.click("d1 e1");
    silent.settle();
    assert_eq!(silent.table().history().notation(1).as_deref(), Some("d1-e1+c1-d1"));

    let mut silent = at_table(setup);
    silent.click("c1 d1");
    silent.act(Act::Answer(1));
    silent.click("f1");
    silent.settle();
    assert_eq!(silent.table().history().notation(1).as_deref(), Some("d1-f1"));
}

#[test]
fn a_game_is_played_with_the_keyboard_alone() {
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    silent.key(KeyCode::ArrowUp);
    let cursor = |silent: &Silent| silent.app.world().resource::<Marks>().cursor;
    let middle = cursor(&silent).expect("a cursor");
    silent.key(KeyCode::ArrowRight);
    let next = cursor(&silent).expect("a cursor");
    assert_eq!((next.file, next.rank), (middle.file + 1, middle.rank));
    for _ in 0..3 {
        let legal = silent.referee().legal().to_vec();
        let AnyMove::Tablaaza(mv) = legal[0] else { panic!("a stone") };
        let goal = mv.square();
        for _ in 0..20 {
            let at = cursor(&silent).expect("a cursor");
            match (at.file.cmp(&goal.file), at.rank.cmp(&goal.rank)) {
                (std::cmp::Ordering::Less, _) => silent.key(KeyCode::ArrowRight),
                (std::cmp::Ordering::Greater, _) => silent.key(KeyCode::ArrowLeft),
                (_, std::cmp::Ordering::Less) => silent.key(KeyCode::ArrowUp),
                (_, std::cmp::Ordering::Greater) => silent.key(KeyCode::ArrowDown),
                _ => break,
            }
        }
        let plies = silent.table().history().len();
        silent.key(KeyCode::Enter);
        silent.settle();
        assert_eq!(silent.table().history().len(), plies + 1);
    }
    silent.key(KeyCode::KeyU);
    silent.settle();
    assert_eq!(silent.table().history().len(), 2);
    silent.key(KeyCode::PageUp);
    assert_eq!(silent.referee().looking, Some(1));
    silent.key(KeyCode::Escape);
    assert_eq!(silent.referee().looking, None);
}

#[test]
fn moves_wait_for_a_yes_where_that_is_wanted_and_only_drags_move_where_that_is() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    silent.act(Act::Configure(Settings { confirm: true, ..Settings::default() }));
    silent.click("e4 f4");
    assert!(silent.table().history().is_empty() && silent.referee().question.is_some());
    silent.act(Act::Answer(0));
    silent.settle();
    assert_eq!(silent.table().history().len(), 1);

    silent.act(Act::Configure(Settings { moves: Means::Drag, ..Settings::default() }));
    silent.click("d1 d4");
    silent.settle();
    assert_eq!(silent.table().history().len(), 1, "a click does not move");
    silent.act(Act::LetGo);
    silent.drag("d1", "d4");
    silent.settle();
    assert_eq!(silent.table().history().len(), 2);

    silent.act(Act::Configure(Settings { moves: Means::Click, ..Settings::default() }));
    silent.drag("f4", "f2");
    silent.settle();
    assert_eq!(silent.table().history().len(), 2, "a drag does not move");
    silent.act(Act::LetGo);
    silent.click("f4 f2");
    silent.settle();
    assert_eq!(silent.table().history().len(), 3);
}

#[test]
fn a_click_right_after_one_on_a_button_is_not_lost() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    let e4 = silent.aim(square("e4"));
    // The bar is over the board; a board behind it is not touched.
    silent.click_at(Vec2::new(640.0, 8.0), MouseButton::Left);
    assert!(silent.app.world().resource::<Marks>().hovered.is_none());
    silent.act(Act::Hint);
    silent.click_at_once(e4);
    assert_eq!(silent.referee().selection.squares(), [square("e4")], "while it is thought");
    silent.act(Act::LetGo);
    silent.until("a hint", |world| world.resource::<Advice>().hint.is_some());
    silent.point(Vec2::new(640.0, 8.0));
    silent.click_at_once(e4);
    assert_eq!(silent.referee().selection.squares(), [square("e4")], "and when it has come");
    silent.point(Vec2::new(640.0, 8.0));
    silent.click_at_once(Vec2::new(640.0, 8.0));
    assert_eq!(silent.referee().selection.squares(), [square("e4")], "a panel keeps its clicks");
}

#[test]
fn a_tap_that_is_over_within_a_frame_is_a_touch() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    let e4 = silent.aim(square("e4"));
    silent.tap_at_once(e4);
    assert_eq!(silent.referee().selection.squares(), [square("e4")]);
    let f4 = silent.aim(square("f4"));
    silent.tap_at_once(f4);
    silent.settle();
    assert_eq!(silent.table().history().len(), 1);
}

#[test]
fn escape_puts_away_what_lies_on_top_and_then_opens_the_menu_on_every_screen() {
    let mut silent = Silent::new(SIZE);
    silent.key(KeyCode::Escape);
    assert_eq!(pauses(&mut silent), Some(Sheet::Menu), "on the title");
    silent.act(Act::Close);
    silent.act(Act::NewGame(persons(RuleSet::TablutAshton, 1)));
    silent.act(Act::Type("e4-f4".to_owned()));
    silent.settle();
    for screen in [Act::Table, Act::Watch, Act::SetUp(None)] {
        silent.act(screen.clone());
        silent.settle();
        let before = silent.screen();
        // A word about something that cannot be done.
        silent.act(Act::Resume("no-such-file.tab".into()));
        silent.frames(3);
        silent.act(Act::Show(Sheet::Settings));
        silent.frames(3);
        silent.key(KeyCode::Escape);
        silent.key(KeyCode::Escape);
        assert_eq!(pauses(&mut silent), None, "{}: the notice, then the sheet", screen.id());
        silent.act(Act::Resume("no-such-file.tab".into()));
        silent.frames(3);
        silent.key(KeyCode::Escape);
        assert_eq!(pauses(&mut silent), None, "{}: only the notice", screen.id());
        silent.key(KeyCode::Escape);
        assert_eq!(pauses(&mut silent), Some(Sheet::Menu), "{}", screen.id());
        silent.key(KeyCode::Escape);
        assert_eq!((pauses(&mut silent), silent.screen()), (None, before), "{}", screen.id());
    }
    silent.act(Act::Table);
    silent.act(Act::Resign);
    silent.frames(3);
    silent.key(KeyCode::Escape);
    assert_eq!(pauses(&mut silent), None, "the end of the game is put away");
    silent.key(KeyCode::Escape);
    assert_eq!(pauses(&mut silent), Some(Sheet::Menu));
}

/// The sheet that is open.
fn pauses(silent: &mut Silent) -> Option<Sheet> {
    silent.frames(2);
    tabulae::app::open_sheet(silent.app.world())
}

#[test]
fn the_light_that_waiting_sticks_lie_on_throws_them_too() {
    let mut silent = at_table(persons(RuleSet::Tablan, 12_851));
    for plies in 1..=3 {
        let at = silent.light_of_the_sticks();
        silent.point(at);
        assert!(silent.app.world().resource::<Marks>().sticks_hovered);
        silent.click_at(at, MouseButton::Left);
        assert_eq!(silent.table().history().len(), plies);
        silent.settle();
    }
}
