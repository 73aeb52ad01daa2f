//! What a hand on mouse or keys does.

use super::*;

#[test]
fn hovering_choosing_and_letting_go_are_shown() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    let marks = |headless: &Headless| headless.app.world().resource::<Highlights>().clone();
    assert!(marks(&headless).touchable.contains(&square("e4")));
    assert!(!marks(&headless).touchable.contains(&square("e5")), "the king cannot move yet");
    headless.aim(square("e4"));
    assert_eq!(marks(&headless).hovered, Some(square("e4")));

    headless.click("e4");
    assert_eq!(marks(&headless).chosen, [square("e4")]);
    assert!(marks(&headless).reachable.contains(&square("f4")));
    let aside = headless.aim(square("a1"));
    headless.click_at(aside, MouseButton::Right);
    assert!(marks(&headless).chosen.is_empty(), "a right click lets go");

    headless.click("e4");
    headless.act(Action::Game(GameAction::Deselect));
    assert!(marks(&headless).chosen.is_empty());

    headless.click("e4 e4");
    assert!(marks(&headless).chosen.is_empty(), "a second click lets go");

    headless.click("e4 f4");
    headless.settle();
    assert_eq!(marks(&headless).last, [square("e4"), square("f4")]);
}

#[test]
fn the_view_turns_nears_shifts_and_comes_back() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    headless.aim(square("b2"));
    let seat = headless.eye();
    headless.click("e4");
    headless.drag_by(MouseButton::Right, Vec2::new(120.0, 0.0));
    let turned = headless.eye();
    assert!((turned - seat).length() > 1.0, "the right button turns the view");
    assert_eq!(headless.referee().selection.touched(), [square("e4")], "and lets nothing go");
    headless.act(Action::View(ViewAction::ResetCamera));
    assert!((headless.eye() - seat).length() < 0.05, "back at the seat");
    let b2 = headless.aim(square("b2"));
    headless.wheel(3.0);
    assert!(headless.eye().length() < seat.length() - 1.0, "the wheel nears");
    assert!(headless.place(square("b2")).distance(b2) < 12.0, "what the pointer is on stays there");
    headless.act(Action::View(ViewAction::ResetCamera));
    headless.drag_by(MouseButton::Middle, Vec2::new(60.0, 0.0));
    assert!((headless.eye().x - seat.x).abs() > 0.2, "the middle button shifts");
    headless.act(Action::View(ViewAction::ResetCamera));
    headless.act(Action::View(ViewAction::ToggleTopView));
    let above = headless.eye();
    assert!(above.y > seat.y && above.xz().length() < seat.xz().length() / 2.0, "from above");
    let apart = |headless: &mut Headless, one: &str, other: &str| {
        headless.place(square(one)).distance(headless.place(square(other)))
    };
    let (near, far) = (apart(&mut headless, "a1", "i1"), apart(&mut headless, "a9", "i9"));
    assert!((near - far).abs() < 0.5, "without perspective: {near} {far}");
    headless.act(Action::View(ViewAction::ToggleTopView));
    assert!((headless.eye() - seat).length() < 0.05, "and back");
    headless.act(Action::View(ViewAction::FlipBoard));
    let across = headless.eye();
    assert!(across.z < -5.0 && (across.y - seat.y).abs() < 2.0, "{across}: the other seat");
    headless.act(Action::View(ViewAction::ToggleTopView));
    assert!(
        headless.place(square("a1")).y < headless.place(square("a9")).y,
        "its own side is near"
    );
    headless.act(Action::View(ViewAction::FlipBoard));
    assert!(
        headless.place(square("a1")).y > headless.place(square("a9")).y,
        "turned from above too"
    );
    headless.act(Action::View(ViewAction::ResetCamera));
    assert!((headless.eye() - seat).length() < 0.05, "and back");
}

#[test]
fn a_piece_can_be_dragged() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    headless.drag("e4", "f4");
    headless.settle();
    assert_eq!(headless.table().line().notation(1).as_deref(), Some("e4-f4"));
    // Dropped where it cannot go, it stays where it was, and chosen.
    headless.drag("d1", "d9");
    headless.settle();
    assert_eq!(headless.table().line().len(), 1);
    assert_eq!(headless.referee().selection.touched(), [square("d1")]);
}

#[test]
fn a_pair_can_be_dragged_piece_by_piece() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1").expect("a position");
    let mut headless = at_table(Setup { start: Some(start), ..persons(RuleSet::Tablan, 1) });
    headless.drag("a1", "b1");
    assert_eq!(headless.referee().selection.touched(), [square("a1"), square("b1")]);
    headless.drag("e1", "f1");
    headless.settle();
    assert_eq!(headless.table().line().notation(1).as_deref(), Some("e1-f1+a1-b1"));
}

#[test]
fn what_is_ambiguous_asks() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/2SS8 s t1").expect("a position");
    let setup = Setup { start: Some(start), ..persons(RuleSet::Tablan, 1) };
    let mut headless = at_table(setup.clone());
    headless.click("c1 d1");
    let question = headless.referee().question.clone().expect("a question");
    assert_eq!(question.choices.len(), 2);
    headless.act(Action::Game(GameAction::Answer(0)));
    headless.click("d1 e1");
    headless.settle();
    assert_eq!(headless.table().line().notation(1).as_deref(), Some("d1-e1+c1-d1"));

    let mut headless = at_table(setup);
    headless.click("c1 d1");
    headless.act(Action::Game(GameAction::Answer(1)));
    headless.click("f1");
    headless.settle();
    assert_eq!(headless.table().line().notation(1).as_deref(), Some("d1-f1"));
}

#[test]
fn a_game_is_played_with_the_keyboard_alone() {
    let mut headless = at_table(persons(RuleSet::Tablaaza, 1));
    headless.key(KeyCode::ArrowUp);
    let cursor = |headless: &Headless| headless.app.world().resource::<Highlights>().cursor;
    let middle = cursor(&headless).expect("a cursor");
    headless.key(KeyCode::ArrowRight);
    let next = cursor(&headless).expect("a cursor");
    assert_eq!((next.file, next.rank), (middle.file + 1, middle.rank));
    for _ in 0..3 {
        let legal = headless.referee().legal_moves().to_vec();
        let AnyMove::Tablaaza(mv) = legal[0] else { panic!("a stone") };
        let goal = mv.square();
        for _ in 0..20 {
            let at = cursor(&headless).expect("a cursor");
            match (at.file.cmp(&goal.file), at.rank.cmp(&goal.rank)) {
                (std::cmp::Ordering::Less, _) => headless.key(KeyCode::ArrowRight),
                (std::cmp::Ordering::Greater, _) => headless.key(KeyCode::ArrowLeft),
                (_, std::cmp::Ordering::Less) => headless.key(KeyCode::ArrowUp),
                (_, std::cmp::Ordering::Greater) => headless.key(KeyCode::ArrowDown),
                _ => break,
            }
        }
        let plies = headless.table().line().len();
        headless.key(KeyCode::Enter);
        headless.settle();
        assert_eq!(headless.table().line().len(), plies + 1);
    }
    headless.key(KeyCode::KeyU);
    headless.settle();
    assert_eq!(headless.table().line().len(), 2);
    headless.key(KeyCode::PageUp);
    assert_eq!(headless.referee().viewed_ply, Some(1));
    headless.key(KeyCode::Escape);
    assert_eq!(headless.referee().viewed_ply, None);
}

#[test]
fn moves_wait_for_a_yes_where_that_is_wanted_and_only_drags_move_where_that_is() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    headless.change_settings(Settings { confirm: true, ..Settings::default() });
    headless.click("e4 f4");
    assert!(headless.table().line().is_empty() && headless.referee().question.is_some());
    headless.act(Action::Game(GameAction::Answer(0)));
    headless.settle();
    assert_eq!(headless.table().line().len(), 1);

    headless.change_settings(Settings { moves: Means::Drag, ..Settings::default() });
    headless.click("d1 d4");
    headless.settle();
    assert_eq!(headless.table().line().len(), 1, "a click does not move");
    headless.act(Action::Game(GameAction::Deselect));
    headless.drag("d1", "d4");
    headless.settle();
    assert_eq!(headless.table().line().len(), 2);

    headless.change_settings(Settings { moves: Means::Click, ..Settings::default() });
    headless.drag("f4", "f2");
    headless.settle();
    assert_eq!(headless.table().line().len(), 2, "a drag does not move");
    headless.act(Action::Game(GameAction::Deselect));
    headless.click("f4 f2");
    headless.settle();
    assert_eq!(headless.table().line().len(), 3);
}

#[test]
fn a_click_right_after_one_on_a_button_is_not_lost() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    let e4 = headless.aim(square("e4"));
    // The bar is over the board; a board behind it is not touched.
    headless.click_at(Vec2::new(640.0, 8.0), MouseButton::Left);
    assert!(headless.app.world().resource::<Highlights>().hovered.is_none());
    headless.act(Action::Game(GameAction::Hint));
    headless.click_at_once(e4);
    assert_eq!(headless.referee().selection.touched(), [square("e4")], "while it is thought");
    headless.act(Action::Game(GameAction::Deselect));
    headless.until("a hint", |world| world.resource::<Analysis>().hint.is_some());
    headless.point(Vec2::new(640.0, 8.0));
    headless.click_at_once(e4);
    assert_eq!(headless.referee().selection.touched(), [square("e4")], "and when it has come");
    headless.point(Vec2::new(640.0, 8.0));
    headless.click_at_once(Vec2::new(640.0, 8.0));
    assert_eq!(headless.referee().selection.touched(), [square("e4")], "a panel keeps its clicks");
}

#[test]
fn a_tap_that_is_over_within_a_frame_is_a_touch() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    let e4 = headless.aim(square("e4"));
    headless.tap_at_once(e4);
    assert_eq!(headless.referee().selection.touched(), [square("e4")]);
    let f4 = headless.aim(square("f4"));
    headless.tap_at_once(f4);
    headless.settle();
    assert_eq!(headless.table().line().len(), 1);
}

#[test]
fn escape_puts_away_what_lies_on_top_and_then_opens_the_menu_on_every_screen() {
    let mut headless = Headless::new(SIZE);
    headless.key(KeyCode::Escape);
    assert_eq!(pauses(&mut headless), Some(Dialog::Menu), "on the title");
    headless.act(Action::Ui(UiAction::CloseDialog));
    headless.act(Action::Game(GameAction::NewGame(persons(RuleSet::TablutAshton, 1))));
    headless.act(Action::Game(GameAction::TypeMove("e4-f4".to_owned())));
    headless.settle();
    for screen in [
        Action::Ui(UiAction::ShowTable),
        Action::Replay(ReplayAction::WatchGame),
        Action::Editor(EditorAction::Enter(None)),
    ] {
        headless.act(screen.clone());
        headless.settle();
        let before = headless.screen();
        // A word about something that cannot be done.
        headless.act(Action::Game(GameAction::ResumeFile("no-such-file.tab".into())));
        headless.frames(3);
        headless.act(Action::Ui(UiAction::OpenDialog(Dialog::Settings)));
        headless.frames(3);
        headless.key(KeyCode::Escape);
        headless.key(KeyCode::Escape);
        assert_eq!(pauses(&mut headless), None, "{}: the notice, then the sheet", screen.id());
        headless.act(Action::Game(GameAction::ResumeFile("no-such-file.tab".into())));
        headless.frames(3);
        headless.key(KeyCode::Escape);
        assert_eq!(pauses(&mut headless), None, "{}: only the notice", screen.id());
        headless.key(KeyCode::Escape);
        assert_eq!(pauses(&mut headless), Some(Dialog::Menu), "{}", screen.id());
        headless.key(KeyCode::Escape);
        assert_eq!((pauses(&mut headless), headless.screen()), (None, before), "{}", screen.id());
    }
    headless.act(Action::Ui(UiAction::ShowTable));
    headless.act(Action::Game(GameAction::Resign));
    headless.frames(3);
    headless.key(KeyCode::Escape);
    assert_eq!(pauses(&mut headless), None, "the end of the game is put away");
    headless.key(KeyCode::Escape);
    assert_eq!(pauses(&mut headless), Some(Dialog::Menu));
}

/// The sheet that is open.
fn pauses(headless: &mut Headless) -> Option<Dialog> {
    headless.frames(2);
    tabulae::app::open_sheet(headless.app.world())
}

#[test]
fn the_light_that_waiting_sticks_lie_on_throws_them_too() {
    let mut headless = at_table(persons(RuleSet::Tablan, 12_851));
    for plies in 1..=3 {
        let at = headless.light_of_the_sticks();
        headless.point(at);
        assert!(headless.app.world().resource::<Highlights>().sticks_hovered);
        headless.click_at(at, MouseButton::Left);
        assert_eq!(headless.table().line().len(), plies);
        headless.settle();
    }
}
