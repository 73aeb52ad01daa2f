//! What fingers on the screen do.

use bevy::input::touch::TouchPhase;

use super::*;

#[test]
fn a_game_goes_on_by_taps() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    silent.tap("e4 f4");
    silent.settle();
    assert_eq!(silent.table().history().notation(1).as_deref(), Some("e4-f4"));
    let mut silent = at_table(persons(RuleSet::Tablan, 1));
    let stick = silent.stick();
    silent.finger(0, TouchPhase::Started, stick);
    silent.finger(0, TouchPhase::Ended, stick);
    silent.settle();
    assert_eq!(silent.table().history().len(), 1, "the sticks are thrown");
}

#[test]
fn a_piece_is_dragged_by_a_finger() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    let [from, to] = ["e4", "f4"].map(|it| silent.place(square(it)));
    silent.finger(7, TouchPhase::Started, from);
    for part in [0.3, 0.6, 1.0] {
        silent.finger(7, TouchPhase::Moved, from.lerp(to, part));
    }
    silent.finger(7, TouchPhase::Ended, to);
    silent.settle();
    assert_eq!(silent.table().history().notation(1).as_deref(), Some("e4-f4"));
}

#[test]
fn two_fingers_turn_the_view_and_near_it_and_play_nothing() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    let seat = silent.eye();
    let [from, to] = ["e4", "f4"].map(|it| silent.place(square(it)));
    let aside = Vec2::new(80.0, 0.0);
    // The first finger goes from a piece to where it could move.
    silent.two_fingers([from, from - aside], [to, to - aside]);
    assert!((silent.eye() - seat).length() > 0.3, "together they turn the view");
    silent.two_fingers([to, to - aside], [from, from - aside]);
    assert!((silent.eye() - seat).length() < 0.1, "and back, and do not near it");
    assert!(silent.table().history().is_empty() && silent.referee().selection.is_empty());
    silent.act(Act::ResetView);
    silent.two_fingers([from - aside, from + aside], [from - 2.0 * aside, from + 2.0 * aside]);
    assert!(silent.eye().length() < seat.length() * 0.7, "parting they near it");
    assert!(silent.table().history().is_empty() && silent.referee().selection.is_empty());
    silent.act(Act::ResetView);
    silent.tap("e4 f4");
    silent.settle();
    assert_eq!(silent.table().history().len(), 1, "then fingers play again");
}
