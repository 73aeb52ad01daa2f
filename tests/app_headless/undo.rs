//! Viewing earlier plies, branching, undo, and throws made by hand.

use super::*;

#[test]
fn viewing_an_earlier_ply_keeps_the_game_and_a_branch_continues_from_it() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    speed_up(&mut headless);
    for mv in ["e4-f4", "d1-d4", "f4-f2"] {
        headless.perform(GameAction::TypeMove(mv.to_owned()));
    }
    let history = headless.table().history().clone();
    headless.act(GameAction::ViewPreviousPly);
    headless.perform(GameAction::ViewPreviousPly);
    assert_eq!(headless.referee().viewed_ply, Some(1));
    check_scene(&mut headless, history.at(1).expect("a position"));
    assert!(headless.get::<Highlights>().selectable.is_empty(), "no move can be selected");
    // With the cursor and with the mouse.
    headless.act(GameAction::PressCursor);
    let pressed = headless.notice().cloned().expect("how to go on");
    headless.click("d1");
    assert!(headless.referee().selection.is_empty());
    let notice = headless.notice().cloned().expect("how to go on");
    assert!(notice.text.contains("“Play from here”"), "{}", notice.text);
    assert_eq!(notice, pressed);
    headless.act(GameAction::ViewNextPly);
    headless.perform(GameAction::ViewNextPly);
    assert_eq!((headless.referee().viewed_ply, headless.table().history()), (None, &history));
    check_scene(&mut headless, history.position());

    headless.act(GameAction::ViewPly(1));
    headless.act(GameAction::Branch);
    headless.perform(GameAction::TypeMove("d1-c1".to_owned()));
    assert_eq!(headless.table().history().len(), 2);
    let position = headless.table().history().position().clone();
    check_scene(&mut headless, &position);
}

#[test]
fn a_whole_turn_is_undone_and_hand_throws_are_entered() {
    let by_hand = Setup { by_hand: true, ..two_people(RuleSet::Tablan, 1) };
    let mut headless = start_game(by_hand);
    speed_up(&mut headless);
    headless.act(GameAction::Throw);
    assert!(headless.table().history().is_empty(), "the app does not throw");
    // A throw of one starts. The throws one, eight and one are one player's turn.
    for plain in [1, 4, 1] {
        headless.act(GameAction::EnterThrow(plain));
        let mv = headless.table().history().legal_moves()[0];
        headless.perform(GameAction::TypeMove(mv.to_string()));
    }
    assert_eq!(headless.table().history().len(), 6);
    headless.perform(GameAction::EnterThrow(2));
    headless.act(GameAction::Undo);
    assert_eq!(headless.table().history().len(), 6, "a wrong entry is undone");
    headless.perform(GameAction::UndoTurn);
    assert!(headless.table().history().len() <= 1, "{}", headless.table().history().len());
}

#[test]
fn undo_clears_a_selected_half_move_before_it_undoes_plies() {
    let mut headless = start_game(Setup { by_hand: true, ..two_people(RuleSet::Tablan, 3) });
    speed_up(&mut headless);
    headless.perform(GameAction::EnterThrow(1));
    headless.click("k1 l2");
    assert_eq!(headless.table().history().len(), 2, "one piece may move the whole score");
    headless.settle();
    headless.perform(GameAction::EnterThrow(1));
    headless.click("l2 k2");
    assert_eq!(headless.referee().selection.first_step(), Some(["l2", "k2"].map(square)));
    headless.act(GameAction::Undo);
    assert!(headless.referee().selection.is_empty());
    assert_eq!(headless.table().history().len(), 3);
    headless.act(GameAction::Undo);
    assert_eq!(headless.table().history().len(), 2, "then the throw is undone");
}
