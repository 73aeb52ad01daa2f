//! What fingers on the screen do.

use bevy::input::touch::TouchPhase;

use super::*;

#[test]
fn a_game_goes_on_by_taps() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    headless.tap("e4 f4");
    headless.settle();
    assert_eq!(headless.table().history().notation(1).as_deref(), Some("e4-f4"));
    let mut headless = at_table(persons(RuleSet::Tablan, 1));
    let stick = headless.stick();
    headless.finger(0, TouchPhase::Started, stick);
    headless.finger(0, TouchPhase::Ended, stick);
    headless.settle();
    assert_eq!(headless.table().history().len(), 1, "the sticks are thrown");
}

#[test]
fn a_piece_is_dragged_by_a_finger() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    let [from, to] = ["e4", "f4"].map(|it| headless.place(square(it)));
    headless.finger(7, TouchPhase::Started, from);
    for part in [0.3, 0.6, 1.0] {
        headless.finger(7, TouchPhase::Moved, from.lerp(to, part));
    }
    headless.finger(7, TouchPhase::Ended, to);
    headless.settle();
    assert_eq!(headless.table().history().notation(1).as_deref(), Some("e4-f4"));
}

#[test]
fn two_fingers_turn_the_view_and_near_it_and_play_nothing() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    let seat = headless.eye();
    let [from, to] = ["e4", "f4"].map(|it| headless.place(square(it)));
    let aside = Vec2::new(80.0, 0.0);
    // The first finger goes from a piece to where it could move.
    headless.two_fingers([from, from - aside], [to, to - aside]);
    assert!((headless.eye() - seat).length() > 0.3, "together they turn the view");
    headless.two_fingers([to, to - aside], [from, from - aside]);
    assert!((headless.eye() - seat).length() < 0.1, "and back, and do not near it");
    assert!(headless.table().history().is_empty() && headless.referee().selection.is_empty());
    headless.act(Action::View(ViewAction::ResetCamera));
    headless.two_fingers([from - aside, from + aside], [from - 2.0 * aside, from + 2.0 * aside]);
    assert!(headless.eye().length() < seat.length() * 0.7, "parting they near it");
    assert!(headless.table().history().is_empty() && headless.referee().selection.is_empty());
    headless.act(Action::View(ViewAction::ResetCamera));
    headless.tap("e4 f4");
    headless.settle();
    assert_eq!(headless.table().history().len(), 1, "then fingers play again");
}
