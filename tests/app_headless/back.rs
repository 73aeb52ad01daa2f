//! Looking back, taking back, throwing by hand.

use super::*;

#[test]
fn a_look_back_leaves_the_game_alone_and_a_branch_goes_on_from_there() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    hurry(&mut headless);
    for mv in ["e4-f4", "d1-d4", "f4-f2"] {
        headless.act(Action::Game(GameAction::TypeMove(mv.to_owned())));
        headless.settle();
    }
    let line = headless.table().line().clone();
    headless.act(Action::Game(GameAction::ViewPreviousPly));
    headless.act(Action::Game(GameAction::ViewPreviousPly));
    headless.settle();
    assert_eq!(headless.referee().viewed_ply, Some(1));
    check_scene(&mut headless, line.at(1).expect("a position"));
    assert!(headless.app.world().resource::<Highlights>().touchable.is_empty(), "the game waits");
    // By the cursor and by the mouse.
    headless.act(Action::Game(GameAction::PressCursor));
    let pressed = headless.referee().notice.clone().expect("how to go on");
    headless.click("d1");
    assert!(headless.referee().selection.is_empty());
    let notice = headless.referee().notice.clone().expect("how to go on");
    assert!(notice.text.contains("'Play on from here'"), "{}", notice.text);
    assert_eq!(notice, pressed);
    headless.act(Action::Game(GameAction::ViewNextPly));
    headless.act(Action::Game(GameAction::ViewNextPly));
    headless.settle();
    assert_eq!((headless.referee().viewed_ply, headless.table().line()), (None, &line));
    check_scene(&mut headless, line.position());

    headless.act(Action::Game(GameAction::ViewPly(1)));
    headless.act(Action::Game(GameAction::Branch));
    headless.act(Action::Game(GameAction::TypeMove("d1-c1".to_owned())));
    headless.settle();
    assert_eq!(headless.table().line().len(), 2);
    let position = headless.table().line().position().clone();
    check_scene(&mut headless, &position);
}

#[test]
fn a_whole_turn_is_taken_back_and_real_sticks_are_told() {
    let by_hand = Setup { by_hand: true, ..persons(RuleSet::Tablan, 1) };
    let mut headless = at_table(by_hand);
    hurry(&mut headless);
    headless.act(Action::Game(GameAction::Throw));
    assert!(headless.table().line().is_empty(), "the program does not throw");
    // A one starts; it and an eight and another one are one player's turn.
    for plain in [1, 4, 1] {
        headless.act(Action::Game(GameAction::EnterThrow(plain)));
        let mv = headless.table().line().legal_moves()[0];
        headless.act(Action::Game(GameAction::TypeMove(mv.to_string())));
        headless.settle();
    }
    assert_eq!(headless.table().line().len(), 6);
    headless.act(Action::Game(GameAction::EnterThrow(2)));
    headless.settle();
    headless.act(Action::Game(GameAction::Undo));
    assert_eq!(headless.table().line().len(), 6, "what was told wrongly is put right");
    headless.act(Action::Game(GameAction::UndoTurn));
    headless.settle();
    assert!(headless.table().line().len() <= 1, "{}", headless.table().line().len());
}

#[test]
fn a_half_that_was_only_chosen_is_taken_back_before_what_was_played() {
    let mut headless = at_table(Setup { by_hand: true, ..persons(RuleSet::Tablan, 3) });
    hurry(&mut headless);
    headless.act(Action::Game(GameAction::EnterThrow(1)));
    headless.settle();
    headless.click("k1 l2");
    assert_eq!(headless.table().line().len(), 2, "one piece may go all of it");
    headless.settle();
    headless.act(Action::Game(GameAction::EnterThrow(1)));
    headless.settle();
    headless.click("l2 k2");
    assert_eq!(headless.referee().selection.half(), Some(["l2", "k2"].map(square)));
    headless.act(Action::Game(GameAction::Undo));
    assert!(headless.referee().selection.is_empty());
    assert_eq!(headless.table().line().len(), 3);
    headless.act(Action::Game(GameAction::Undo));
    assert_eq!(headless.table().line().len(), 2, "then the throw");
}
