//! Mouse and keyboard: selecting, dragging, the camera, confirmations, Escape.

use bevy::input::ButtonState;
use tabulae::app::scene::components::{Bowl, StoneInHand};

use super::*;

#[test]
fn hovering_selecting_and_deselecting_are_highlighted() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let highlights = |headless: &Headless| headless.get::<Highlights>().clone();
    assert!(highlights(&headless).selectable.contains(&square("e4")));
    assert!(!highlights(&headless).selectable.contains(&square("e5")), "the king cannot move yet");
    headless.hover(square("e4"));
    assert_eq!(headless.get::<Pointed>().square, Some(square("e4")));

    headless.click("e4");
    assert_eq!(highlights(&headless).selected, [square("e4")]);
    assert!(highlights(&headless).reachable.contains(&square("f4")));
    let aside = headless.hover(square("a1"));
    headless.click_at(aside, MouseButton::Right);
    assert!(highlights(&headless).selected.is_empty(), "a right click deselects");

    headless.click("e4");
    headless.act(GameAction::Deselect);
    assert!(highlights(&headless).selected.is_empty());

    headless.click("e4 e4");
    assert!(highlights(&headless).selected.is_empty(), "a second click deselects");

    headless.click("e4 f4");
    headless.settle();
    assert_eq!(
        highlights(&headless).last_move,
        [MoveStep { from: Some(square("e4")), to: square("f4") }]
    );
}

#[test]
fn the_camera_orbits_zooms_pans_and_resets() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.hover(square("b2"));
    let seat = headless.camera_position();
    headless.click("e4");
    headless.drag_by(MouseButton::Right, Vec2::new(120.0, 0.0));
    let turned = headless.camera_position();
    assert!((turned - seat).length() > 1.0, "the right button orbits");
    assert_eq!(headless.referee().selection.squares(), [square("e4")], "and keeps the selection");
    headless.act(ViewAction::ResetCamera);
    assert!((headless.camera_position() - seat).length() < 0.05, "back at the seat");
    let b2 = headless.hover(square("b2"));
    headless.wheel(3.0);
    assert!(headless.camera_position().length() < seat.length() - 1.0, "the wheel zooms in");
    assert!(
        headless.square_position(square("b2")).distance(b2) < 12.0,
        "zooming keeps the point under the pointer"
    );
    headless.act(ViewAction::ResetCamera);
    headless.drag_by(MouseButton::Middle, Vec2::new(60.0, 0.0));
    assert!((headless.camera_position().x - seat.x).abs() > 0.2, "the middle button pans");
    headless.act(ViewAction::ResetCamera);
    headless.act(ViewAction::ToggleTopView);
    let above = headless.camera_position();
    assert!(above.y > seat.y && above.xz().length() < seat.xz().length() / 2.0, "from above");
    let apart = |headless: &mut Headless, one: &str, other: &str| {
        headless.square_position(square(one)).distance(headless.square_position(square(other)))
    };
    let (near, far) = (apart(&mut headless, "a1", "i1"), apart(&mut headless, "a9", "i9"));
    assert!((near - far).abs() < 0.5, "without perspective: {near} {far}");
    headless.act(ViewAction::ToggleTopView);
    assert!((headless.camera_position() - seat).length() < 0.05, "and back");
    headless.act(ViewAction::FlipBoard);
    let across = headless.camera_position();
    assert!(across.z < -5.0 && (across.y - seat.y).abs() < 2.0, "{across}: the other seat");
    headless.act(ViewAction::ToggleTopView);
    assert!(
        headless.square_position(square("a1")).y < headless.square_position(square("a9")).y,
        "its own side is near"
    );
    headless.act(ViewAction::FlipBoard);
    assert!(
        headless.square_position(square("a1")).y > headless.square_position(square("a9")).y,
        "flipped in the top view, too"
    );
    headless.act(ViewAction::ResetCamera);
    assert!((headless.camera_position() - seat).length() < 0.05, "and back");
}

#[test]
fn a_piece_can_be_dragged() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.drag("e4", "f4");
    headless.settle();
    assert_eq!(headless.table().history().notation(1).as_deref(), Some("e4-f4"));
    // Dropped on an unreachable square, the piece stays where it was.
    headless.drag("d1", "d9");
    headless.settle();
    assert_eq!(headless.table().history().len(), 1);
    assert!(headless.referee().selection.is_empty());
    assert_eq!(headless.notice(), None, "it was dropped on a piece of its side");
    // A drag and clicks do the same.
    for drags in [true, false] {
        if drags {
            headless.drag("d1", "h8");
        } else {
            headless.click("d1 h8");
        };
        assert!(headless.referee().selection.is_empty(), "{drags}");
        assert!(headless.notice().is_some(), "the player is told why it cannot stand there");
    }
}

#[test]
fn a_dragged_piece_is_in_the_hand_and_its_ghost_on_its_square() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let home = headless.square_centre(square("e4"));
    let beside = headless.square_centre(square("f4"));
    let square_width = {
        let [from, to] = [home, beside].map(|at| headless.project(at));
        from.distance(to)
    };
    let to = headless.hover(square("f4"));
    let from = headless.hover(square("e4"));
    headless.button(MouseButton::Left, ButtonState::Pressed);
    headless.move_pointer(from + Vec2::new(3.0, 0.0));
    assert_eq!(headless.piece_place(square("e4")), home, "a small movement lifts nothing");

    for at in [from.lerp(to, 0.6), to, to + Vec2::new(0.0, -1.5 * square_width)] {
        headless.move_pointer(at);
        headless.wait_for_rest();
        let place = headless.piece_place(square("e4"));
        assert!(place.y > 0.3, "it is lifted: {place}");
        let seen = headless.project(place + Vec3::Y * 0.3);
        assert!(seen.distance(at) < 0.5 * square_width, "{seen} is not near the pointer at {at}");
        assert!(headless.has_entity("ghost e4"), "a ghost stands on its square");
    }

    headless.move_pointer(to);
    headless.button(MouseButton::Left, ButtonState::Released);
    headless.settle();
    assert_eq!(headless.table().history().notation(1).as_deref(), Some("e4-f4"));
    assert_eq!(headless.piece_place(square("f4")), beside);
    assert!(!headless.has_entity("ghost e4"), "it is gone");
}

#[test]
fn a_piece_dropped_where_it_may_not_stand_glides_home() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let home = headless.square_centre(square("e4"));
    let far = headless.hover(square("h8"));
    let from = headless.hover(square("e4"));
    headless.button(MouseButton::Left, ButtonState::Pressed);
    headless.move_pointer(from.lerp(far, 0.5));
    headless.move_pointer(far);
    assert!(headless.piece_place(square("e4")).distance(home) > 0.5, "it left its square");
    headless.button(MouseButton::Left, ButtonState::Released);
    headless.wait_for_rest();
    assert_eq!(headless.piece_place(square("e4")), home);
    assert!(headless.table().history().is_empty());
}

#[test]
fn a_pair_can_be_dragged_piece_by_piece() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1").expect("a position");
    let mut headless = start_game(Setup { start: Some(start), ..two_people(RuleSet::Tablan, 1) });
    headless.drag("a1", "b1");
    assert_eq!(headless.referee().selection.squares(), [square("a1"), square("b1")]);
    headless.drag("e1", "f1");
    headless.settle();
    assert_eq!(headless.table().history().notation(1).as_deref(), Some("e1-f1+a1-b1"));
}

#[test]
fn an_ambiguous_click_asks_a_question() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/2SS8 s t1").expect("a position");
    let setup = Setup { start: Some(start), ..two_people(RuleSet::Tablan, 1) };
    let mut headless = start_game(setup.clone());
    headless.click("c1 d1");
    let question = headless.referee().question_text().expect("a question");
    assert_eq!(question.choices.len(), 2);
    headless.act(GameAction::Answer(0));
    headless.click("d1 e1");
    headless.settle();
    assert_eq!(headless.table().history().notation(1).as_deref(), Some("d1-e1+c1-d1"));

    let mut headless = start_game(setup);
    headless.click("c1 d1");
    headless.act(GameAction::Answer(1));
    headless.play("f1");
    assert_eq!(headless.table().history().notation(1).as_deref(), Some("d1-f1"));
}

#[test]
fn the_cursor_moves_as_seen_from_the_far_side() {
    let seats = [Seat::Engine(Level::Newcomer), Seat::Person];
    let mut headless = start_game(Setup { seats, ..two_people(RuleSet::Tablaaza, 1) });
    headless.press_key(KeyCode::ArrowUp);
    let cursor = |headless: &Headless| headless.get::<Pointed>().cursor;
    let middle = cursor(&headless).expect("a cursor");
    headless.press_key(KeyCode::ArrowRight);
    let right = cursor(&headless).expect("a cursor");
    assert_eq!((right.file, right.rank), (middle.file - 1, middle.rank));
    headless.press_key(KeyCode::ArrowUp);
    let up = cursor(&headless).expect("a cursor");
    assert_eq!((up.file, up.rank), (right.file, right.rank - 1));
}

#[test]
fn a_game_can_be_played_with_the_keyboard_alone() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.press_key(KeyCode::ArrowUp);
    let cursor = |headless: &Headless| headless.get::<Pointed>().cursor;
    let middle = cursor(&headless).expect("a cursor");
    headless.press_key(KeyCode::ArrowRight);
    let next = cursor(&headless).expect("a cursor");
    assert_eq!((next.file, next.rank), (middle.file + 1, middle.rank));
    for _ in 0..3 {
        let legal = headless.referee().legal_moves().to_vec();
        let AnyMove::Tablaaza(mv) = legal[0] else { panic!("a stone") };
        let goal = mv.square();
        for _ in 0..20 {
            let at = cursor(&headless).expect("a cursor");
            match (at.file.cmp(&goal.file), at.rank.cmp(&goal.rank)) {
                (std::cmp::Ordering::Less, _) => headless.press_key(KeyCode::ArrowRight),
                (std::cmp::Ordering::Greater, _) => headless.press_key(KeyCode::ArrowLeft),
                (_, std::cmp::Ordering::Less) => headless.press_key(KeyCode::ArrowUp),
                (_, std::cmp::Ordering::Greater) => headless.press_key(KeyCode::ArrowDown),
                _ => break,
            }
        }
        let plies = headless.table().history().len();
        headless.press_key(KeyCode::Enter);
        headless.settle();
        assert_eq!(headless.table().history().len(), plies + 1);
    }
    headless.press_key(KeyCode::KeyU);
    headless.settle();
    assert_eq!(headless.table().history().len(), 2);
    headless.press_key(KeyCode::PageUp);
    assert_eq!(headless.referee().viewed_ply, Some(1));
    headless.press_key(KeyCode::Escape);
    assert_eq!(headless.referee().viewed_ply, None);
}

#[test]
fn settings_require_confirmation_or_restrict_moves_to_clicks_or_drags() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.change_settings(Settings { confirm_moves: true, ..Settings::default() });
    headless.click("e4 f4");
    assert!(headless.table().history().is_empty() && headless.referee().question.is_some());
    headless.perform(GameAction::Answer(0));
    assert_eq!(headless.table().history().len(), 1);

    headless.change_settings(Settings { move_input: MoveInput::Drag, ..Settings::default() });
    headless.click("d1 d4");
    headless.settle();
    assert_eq!(headless.table().history().len(), 1, "a click does not move");
    headless.act(GameAction::Deselect);
    headless.drag("d1", "d4");
    headless.settle();
    assert_eq!(headless.table().history().len(), 2);

    headless.change_settings(Settings { move_input: MoveInput::Click, ..Settings::default() });
    headless.drag("f4", "f2");
    headless.settle();
    assert_eq!(headless.table().history().len(), 2, "a drag does not move");
    headless.act(GameAction::Deselect);
    headless.click("f4 f2");
    headless.settle();
    assert_eq!(headless.table().history().len(), 3);
}

#[test]
fn a_click_right_after_a_click_on_a_button_is_not_lost() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let e4 = headless.hover(square("e4"));
    // The toolbar covers the board and takes the click.
    headless.click_at(Vec2::new(640.0, 8.0), MouseButton::Left);
    assert!(headless.get::<Pointed>().square.is_none());
    headless.act(GameAction::Hint);
    headless.click_within_a_frame(e4);
    assert_eq!(headless.referee().selection.squares(), [square("e4")], "during the search");
    headless.act(GameAction::Deselect);
    headless.wait_until("a hint", |world| world.resource::<Analysis>().hint.is_some());
    headless.move_pointer(Vec2::new(640.0, 8.0));
    headless.click_within_a_frame(e4);
    assert_eq!(headless.referee().selection.squares(), [square("e4")], "and after it");
    headless.move_pointer(Vec2::new(640.0, 8.0));
    headless.click_within_a_frame(Vec2::new(640.0, 8.0));
    assert_eq!(
        headless.referee().selection.squares(),
        [square("e4")],
        "a click on a panel does not reach the board"
    );
}

#[test]
fn a_tap_within_one_frame_selects_the_piece() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let e4 = headless.hover(square("e4"));
    headless.tap_within_a_frame(e4);
    assert_eq!(headless.referee().selection.squares(), [square("e4")]);
    let f4 = headless.hover(square("f4"));
    headless.tap_within_a_frame(f4);
    headless.settle();
    assert_eq!(headless.table().history().len(), 1);
}

#[test]
fn escape_closes_the_topmost_overlay_then_opens_the_menu_on_every_screen() {
    let mut headless = Headless::new(SIZE);
    headless.press_key(KeyCode::Escape);
    assert_eq!(open_dialog(&mut headless), Some(Dialog::Menu), "on the title");
    headless.act(UiAction::CloseDialog);
    headless.act(GameAction::NewGame(two_people(RuleSet::TablutAshton, 1)));
    headless.perform(GameAction::TypeMove("e4-f4".to_owned()));
    for screen in [
        Action::Ui(UiAction::ShowTable),
        Action::Replay(ReplayAction::WatchGame),
        Action::Editor(EditorAction::Enter(None)),
    ] {
        headless.perform(screen.clone());
        let before = headless.screen();
        // Shows an error notice.
        headless.act(GameAction::ResumeFile("no-such-file.tab".into()));
        headless.frames(3);
        headless.act(UiAction::OpenDialog(Dialog::Settings));
        headless.frames(3);
        headless.press_key(KeyCode::Escape);
        headless.press_key(KeyCode::Escape);
        assert_eq!(
            open_dialog(&mut headless),
            None,
            "{:?}: the notice, then the dialog",
            screen.name()
        );
        headless.act(GameAction::ResumeFile("no-such-file.tab".into()));
        headless.frames(3);
        headless.press_key(KeyCode::Escape);
        assert_eq!(open_dialog(&mut headless), None, "{:?}: only the notice", screen.name());
        headless.press_key(KeyCode::Escape);
        assert_eq!(open_dialog(&mut headless), Some(Dialog::Menu), "{:?}", screen.name());
        headless.press_key(KeyCode::Escape);
        assert_eq!(
            (open_dialog(&mut headless), headless.screen()),
            (None, before),
            "{:?}",
            screen.name()
        );
    }
    headless.act(UiAction::ShowTable);
    headless.act(GameAction::Resign);
    headless.frames(3);
    headless.press_key(KeyCode::Escape);
    assert_eq!(open_dialog(&mut headless), None, "the panel of the finished game is closed");
    headless.press_key(KeyCode::Escape);
    assert_eq!(open_dialog(&mut headless), Some(Dialog::Menu));
}

#[test]
fn a_key_that_the_open_menu_shows_acts_and_closes_the_menu() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.perform(GameAction::TypeMove("c7".to_owned()));
    let menu = |headless: &mut Headless| {
        headless.press_key(KeyCode::Escape);
        assert_eq!(open_dialog(headless), Some(Dialog::Menu));
    };
    menu(&mut headless);
    headless.press_key(KeyCode::KeyY);
    assert_eq!(open_dialog(&mut headless), Some(Dialog::Menu), "there is nothing to redo");
    headless.press_key(KeyCode::PageUp);
    assert_eq!(headless.referee().viewed_ply, None, "the menu does not show this key");
    headless.press_key(KeyCode::KeyU);
    assert_eq!((open_dialog(&mut headless), headless.table().history().len()), (None, 0));
    menu(&mut headless);
    headless.press_key(KeyCode::F1);
    assert_eq!(open_dialog(&mut headless), Some(Dialog::Help), "in place of the menu");
    headless.act(UiAction::CloseDialog);
    menu(&mut headless);
    headless.send_key(KeyCode::ControlLeft, ButtonState::Pressed);
    headless.press_key(KeyCode::KeyN);
    headless.send_key(KeyCode::ControlLeft, ButtonState::Released);
    assert_eq!((open_dialog(&mut headless), headless.screen()), (None, Screen::Title));
}

/// The dialog that is open.
fn open_dialog(headless: &mut Headless) -> Option<Dialog> {
    headless.frames(2);
    tabulae::app::open_dialog(headless.app.world())
}

#[test]
fn clicking_the_light_around_waiting_sticks_throws_them() {
    let mut headless = start_game(two_people(RuleSet::Tablan, 12_851));
    for plies in 1..=3 {
        let at = headless.throw_target_position();
        headless.move_pointer(at);
        assert!(headless.get::<Pointed>().sticks);
        headless.click_at(at, MouseButton::Left);
        assert_eq!(headless.table().history().len(), plies);
        headless.settle();
    }
}

#[test]
fn sticks_that_are_dragged_follow_the_hand_and_are_thrown_where_it_lets_go() {
    let mut headless = start_game(two_people(RuleSet::Tablan, 12_851));
    let sticks = |headless: &mut Headless| {
        let world = headless.app.world_mut();
        let mut sticks =
            world.query::<(&tabulae::app::scene::components::CastingStick, &Transform)>();
        sticks.iter(world).map(|(_, place)| place.translation.y).fold(f32::MAX, f32::min)
    };
    let lying = sticks(&mut headless);
    let at = headless.throw_target_position();
    headless.move_pointer(at);
    headless.button(MouseButton::Left, ButtonState::Pressed);
    // Up to the board, where no stick and no light lies.
    for step in 1..=6_u8 {
        headless.move_pointer(at - Vec2::Y * 20.0 * f32::from(step));
    }
    headless.frames(20);
    assert!(sticks(&mut headless) > lying + 0.5, "they are in the hand");
    assert_eq!(headless.table().history().len(), 0);
    headless.button(MouseButton::Left, ButtonState::Released);
    headless.frames(3);
    assert_eq!(headless.table().history().len(), 1, "thrown once");
    headless.settle();
    assert!(sticks(&mut headless) < lying + 0.2, "they lie on the table");
}

#[test]
fn a_key_with_alt_is_no_command_and_a_focus_change_lets_go_of_control() {
    use bevy::{
        input::ButtonState,
        window::{WindowEvent, WindowFocused},
    };

    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.perform(GameAction::TypeMove("c7".to_owned()));
    headless.send_key(KeyCode::AltLeft, ButtonState::Pressed);
    headless.press_key(KeyCode::KeyU);
    headless.press_key(KeyCode::F4);
    headless.settle();
    assert_eq!(headless.table().history().len(), 1, "nothing is undone");
    assert!(!headless.app.world().resource::<ButtonInput<KeyCode>>().pressed(KeyCode::KeyU));
    headless.send_key(KeyCode::AltLeft, ButtonState::Released);
    headless.send_key(KeyCode::ControlLeft, ButtonState::Pressed);
    headless.frames(1);
    // Within one frame, as happens where frames are slow.
    let window = headless.window();
    for focused in [false, true] {
        let change = WindowFocused { window, focused };
        headless.app.world_mut().write_message(WindowEvent::WindowFocused(change.clone()));
        headless.app.world_mut().write_message(change);
    }
    headless.press_key(KeyCode::KeyZ);
    headless.settle();
    assert_eq!(headless.table().history().len(), 1, "Z hides the panels");
    let keys = headless.app.world().resource::<ButtonInput<KeyCode>>();
    assert!(!keys.pressed(KeyCode::ControlLeft));
}

#[test]
fn two_escapes_in_one_frame_do_two_things() {
    use tabulae::app::scene::api::Photo;

    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.perform(GameAction::TypeMove("c7".to_owned()));
    headless.act(GameAction::ViewPly(0));
    headless.act(ViewAction::TogglePhoto);
    let photographs = |headless: &Headless| headless.get::<Photo>().0.is_some();
    assert!(photographs(&headless) && headless.referee().viewed_ply == Some(0));
    headless.press_keys_within_a_frame(&[KeyCode::Escape; 2]);
    headless.settle();
    assert!(!photographs(&headless), "the first leaves photo mode");
    assert_eq!(headless.referee().viewed_ply, None, "the second, the earlier position");
}

#[test]
fn a_key_means_what_it_does_on_the_screen_that_the_key_before_it_shows() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.perform(GameAction::TypeMove("c7".to_owned()));
    headless.press_keys_within_a_frame(&[KeyCode::F1, KeyCode::KeyU]);
    assert_eq!(headless.table().history().len(), 1, "nothing is undone behind the dialog");
    headless.act(UiAction::CloseDialog);
    headless.perform(ReplayAction::WatchGame);
    // In a replay, this key is no command.
    headless.press_keys_within_a_frame(&[KeyCode::KeyB, KeyCode::PageUp]);
    assert_eq!((headless.screen(), headless.referee().viewed_ply), (Screen::Table, Some(0)));
}

/// The place of the stone in the hand.
fn held_stone(headless: &mut Headless) -> Option<Vec3> {
    let world = headless.app.world_mut();
    let mut stones = world.query_filtered::<&Transform, With<StoneInHand>>();
    stones.iter(world).next().map(|place| place.translation)
}

#[test]
fn a_stone_comes_from_beside_the_board_into_the_hand_and_to_the_square() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    let beside = |at: Vec3| at.x.abs() > 4.5;
    // A click: the stone starts beside the board.
    headless.click("c7");
    assert!(beside(headless.piece_place(square("c7"))), "{}", headless.piece_place(square("c7")));
    headless.settle();
    let c7 = headless.square_centre(square("c7"));
    assert!(headless.piece_place(square("c7")).distance(c7) < 1e-3);

    // A drag from a free square takes a stone under the pointer.
    let (from, to) = (headless.hover(square("e4")), headless.hover(square("d7")));
    headless.move_pointer(from);
    headless.button(MouseButton::Left, ButtonState::Pressed);
    headless.move_pointer(from + (to - from) * 0.1);
    let taken = held_stone(&mut headless).expect("a stone");
    assert!(taken.y > 0.0, "it is lifted: {taken}");
    headless.move_pointer(to);
    headless.wait_for_rest();
    let held = held_stone(&mut headless).expect("a stone");
    let (above, pointed) = (headless.project(held), headless.project(c7 + Vec3::X));
    let size =
        headless.square_position(square("d7")).distance(headless.square_position(square("e7")));
    assert!(above.distance(pointed) < size / 2.0, "{above} {pointed} {size}");
    headless.button(MouseButton::Left, ButtonState::Released);
    assert_eq!(held_stone(&mut headless), None, "it is on the board now");
    headless.settle();
    assert_eq!(headless.table().history().len(), 2);
    let d7 = headless.square_centre(square("d7"));
    assert!(headless.piece_place(square("d7")).distance(d7) < 1e-3);

    // A drag from the bowl of the side to move takes one, too; from the other bowl none.
    for side in [Side::Second, Side::First] {
        let world = headless.app.world_mut();
        let mut bowls = world.query::<(&Bowl, &Transform)>();
        let bowl = bowls.iter(world).find(|bowl| bowl.0.0 == side).expect("a bowl");
        let (from, plies) = (bowl.1.translation, headless.table().history().len());
        let (from, to) = (headless.project(from), headless.hover(square("e5")));
        headless.move_pointer(from);
        headless.button(MouseButton::Left, ButtonState::Pressed);
        headless.move_pointer(from.lerp(to, 0.5));
        assert_eq!(held_stone(&mut headless).is_some(), side == Side::First, "{side:?}");
        headless.hover(square("e4"));
        headless.frames(2);
        let LitCorridors(lit) = headless.get::<LitCorridors>();
        assert_eq!(lit.is_empty(), side == Side::First, "nothing covers a stone in the hand");
        headless.move_pointer(to);
        headless.button(MouseButton::Left, ButtonState::Released);
        headless.settle();
        let played = headless.table().history().len() - plies;
        assert_eq!(played, usize::from(side == Side::First), "{side:?}");
    }

    // Dropped where it may not stand, it goes back, and the player is told why.
    headless.drag("e4", "c7");
    headless.wait_for_rest();
    assert_eq!((held_stone(&mut headless), headless.table().history().len()), (None, 3));
    assert!(headless.notice().is_some(), "why not");
}
