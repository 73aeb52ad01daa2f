//! Looking back, taking back, throwing by hand.

use super::*;

#[test]
fn a_look_back_leaves_the_game_alone_and_a_branch_goes_on_from_there() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    hurry(&mut silent);
    for mv in ["e4-f4", "d1-d4", "f4-f2"] {
        silent.act(Act::Type(mv.to_owned()));
        silent.settle();
    }
    let line = silent.table().history().clone();
    silent.act(Act::LookBack);
    silent.act(Act::LookBack);
    silent.settle();
    assert_eq!(silent.referee().looking, Some(1));
    check_scene(&mut silent, line.at(1).expect("a position"));
    assert!(silent.app.world().resource::<Marks>().touchable.is_empty(), "the game waits");
    // By the cursor and by the mouse.
    silent.act(Act::Press);
    let pressed = silent.referee().notice.clone().expect("how to go on");
    silent.click("d1");
    assert!(silent.referee().selection.is_empty());
    let notice = silent.referee().notice.clone().expect("how to go on");
    assert!(notice.text.contains("'Play on from here'"), "{}", notice.text);
    assert_eq!(notice, pressed);
    silent.act(Act::LookOn);
    silent.act(Act::LookOn);
    silent.settle();
    assert_eq!((silent.referee().looking, silent.table().history()), (None, &line));
    check_scene(&mut silent, line.position());

    silent.act(Act::Look(1));
    silent.act(Act::Branch);
    silent.act(Act::Type("d1-c1".to_owned()));
    silent.settle();
    assert_eq!(silent.table().history().len(), 2);
    let position = silent.table().history().position().clone();
    check_scene(&mut silent, &position);
}

#[test]
fn a_whole_turn_is_taken_back_and_real_sticks_are_told() {
    let by_hand = Setup { by_hand: true, ..persons(RuleSet::Tablan, 1) };
    let mut silent = at_table(by_hand);
    hurry(&mut silent);
    silent.act(Act::Throw);
    assert!(silent.table().history().is_empty(), "the program does not throw");
    // A one starts; it and an eight and another one are one player's turn.
    for plain in [1, 4, 1] {
        silent.act(Act::PutThrow(plain));
        let mv = silent.table().history().legal_moves()[0];
        silent.act(Act::Type(mv.to_string()));
        silent.settle();
    }
    assert_eq!(silent.table().history().len(), 6);
    silent.act(Act::PutThrow(2));
    silent.settle();
    silent.act(Act::Undo);
    assert_eq!(silent.table().history().len(), 6, "what was told wrongly is put right");
    silent.act(Act::UndoTurn);
    silent.settle();
    assert!(silent.table().history().len() <= 1, "{}", silent.table().history().len());
}

#[test]
fn a_half_that_was_only_chosen_is_taken_back_before_what_was_played() {
    let mut silent = at_table(Setup { by_hand: true, ..persons(RuleSet::Tablan, 3) });
    hurry(&mut silent);
    silent.act(Act::PutThrow(1));
    silent.settle();
    silent.click("k1 l2");
    assert_eq!(silent.table().history().len(), 2, "one piece may go all of it");
    silent.settle();
    silent.act(Act::PutThrow(1));
    silent.settle();
    silent.click("l2 k2");
    assert_eq!(silent.referee().selection.first_step(), Some(["l2", "k2"].map(square)));
    silent.act(Act::Undo);
    assert!(silent.referee().selection.is_empty());
    assert_eq!(silent.table().history().len(), 3);
    silent.act(Act::Undo);
    assert_eq!(silent.table().history().len(), 2, "then the throw");
}
