//! Touch input: taps, drags and two-finger gestures.

use bevy::input::touch::TouchPhase;

use super::*;

#[test]
fn taps_move_pieces_and_throw_sticks() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.tap("e4 f4");
    headless.settle();
    assert_eq!(headless.table().history().notation(1).as_deref(), Some("e4-f4"));
    let mut headless = start_game(two_people(RuleSet::Tablan, 1));
    let stick = headless.stick_position();
    headless.touch(0, TouchPhase::Started, stick);
    headless.touch(0, TouchPhase::Ended, stick);
    headless.settle();
    assert_eq!(headless.table().history().len(), 1, "the sticks are thrown");
}

#[test]
fn a_piece_can_be_dragged_with_a_finger() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let [from, to] = ["e4", "f4"].map(|name| headless.square_position(square(name)));
    headless.touch(7, TouchPhase::Started, from);
    for part in [0.3, 0.6, 1.0] {
        headless.touch(7, TouchPhase::Moved, from.lerp(to, part));
    }
    headless.touch(7, TouchPhase::Ended, to);
    headless.settle();
    assert_eq!(headless.table().history().notation(1).as_deref(), Some("e4-f4"));
}

#[test]
fn two_fingers_move_the_camera_and_play_nothing() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let seat = headless.camera_position();
    let [from, to] = ["e4", "f4"].map(|name| headless.square_position(square(name)));
    let aside = Vec2::new(80.0, 0.0);
    // The first finger moves from a piece to a square that the piece can reach.
    headless.two_fingers([from, from - aside], [to, to - aside]);
    assert!((headless.camera_position() - seat).length() > 0.3, "moving together they orbit");
    headless.two_fingers([to, to - aside], [from, from - aside]);
    assert!((headless.camera_position() - seat).length() < 0.1, "and back, without zooming");
    assert!(headless.table().history().is_empty() && headless.referee().selection.is_empty());
    headless.act(ViewAction::ResetCamera);
    headless.two_fingers([from - aside, from + aside], [from - 2.0 * aside, from + 2.0 * aside]);
    assert!(headless.camera_position().length() < seat.length() * 0.7, "moving apart they zoom in");
    assert!(headless.table().history().is_empty() && headless.referee().selection.is_empty());
    headless.act(ViewAction::ResetCamera);
    headless.tap("e4 f4");
    headless.settle();
    assert_eq!(headless.table().history().len(), 1, "afterwards taps play again");
}

#[test]
fn a_touch_that_the_system_cancels_does_not_swallow_the_next_tap() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let [from, to] = ["e4", "f4"].map(|name| headless.square_position(square(name)));
    headless.touch(7, TouchPhase::Started, from);
    headless.touch(7, TouchPhase::Moved, from.lerp(to, 0.6));
    assert_eq!(headless.referee().selection.squares(), [square("e4")]);
    headless.touch(7, TouchPhase::Canceled, from.lerp(to, 0.6));
    assert!(headless.referee().selection.is_empty(), "the drag is undone");
    headless.tap("e4");
    assert_eq!(headless.referee().selection.squares(), [square("e4")]);
}
