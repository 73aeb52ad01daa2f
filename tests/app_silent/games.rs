//! Whole games with the mouse, and what stands on the table afterwards.

use super::*;

#[test]
fn a_whole_game_of_each_kind_is_played_and_watched_with_the_mouse() {
    for (rules, seed) in
        [(RuleSet::TablutAshton, 1), (RuleSet::TablanOrdered, 3), (RuleSet::Tablaaza, 1)]
    {
        let mut silent = at_table(persons(rules, seed));
        let line = play_out(&mut silent, 6, usize::MAX);
        let Some(Outcome::Ended(end)) = silent.table().outcome() else {
            panic!("{rules}: ended by the rules")
        };
        let words = tabulae::table::describe_end(rules, end);
        assert_eq!(silent.referee().said.last(), Some(&words), "{rules}: it says why");
        watch(&mut silent, &line);
    }
}

#[test]
fn the_other_rule_sets_are_played_and_watched_with_the_mouse() {
    for (rules, seed) in
        [(RuleSet::TablutBerkeley, 1), (RuleSet::TablutLinnaeus, 1), (RuleSet::Tablan, 2)]
    {
        let mut silent = at_table(persons(rules, seed));
        let line = play_out(&mut silent, 4, 40);
        watch(&mut silent, &line);
    }
}

/// Plays a game with the mouse, to its end or to `most` plies, and gives it
/// back. After `checked` plies nothing is shown slowly any more.
fn play_out(silent: &mut Silent, checked: usize, most: usize) -> GameHistory<AnyPosition> {
    while silent.table().history().len() < most {
        let plies = silent.table().history().len();
        match silent.table().turn() {
            Some(Turn::Throw(_)) => {
                let at = silent.stick();
                silent.click_at(at, MouseButton::Left);
            }
            Some(Turn::Move(_)) => {
                let mut moves = silent.table().history().legal_moves();
                moves.sort_unstable();
                let choice = moves[plies * 7_919 % moves.len()];
                click_move(silent, choice, plies);
            }
            Some(Turn::Over(_)) | None => break,
        }
        if plies == checked {
            hurry(silent);
        }
        silent.settle();
        assert_eq!(silent.table().history().len(), plies + 1, "one ply a turn");
        let position = silent.table().history().position().clone();
        check_scene(silent, &position);
    }
    silent.table().history().clone()
}

/// Watches the game on the table again: the same positions, forwards,
/// backwards and jumping.
fn watch(silent: &mut Silent, line: &GameHistory<AnyPosition>) {
    silent.act(Act::Watch);
    silent.settle();
    assert_eq!(silent.screen(), Screen::Replay);
    check_scene(silent, line.start());
    let names = scene(silent);
    for number in 1..=line.len().min(40) {
        silent.act(Act::StepForward);
        silent.settle();
        check_scene(silent, line.at(number).expect("a position"));
    }
    for number in [line.len() / 2, 1, line.len() - 1, 0] {
        silent.act(Act::Jump(number));
        silent.settle();
        check_scene(silent, line.at(number).expect("a position"));
    }
    assert_eq!(scene(silent), names, "the pieces kept their names");
    silent.act(Act::Jump(line.len()));
    silent.act(Act::StepBack);
    silent.settle();
    check_scene(silent, line.at(line.len() - 1).expect("a position"));
}

#[test]
fn the_engine_answers_and_undo_goes_back_to_ones_own_turn() {
    for rules in RuleSet::ALL {
        let seats = [Seat::Person, Seat::Engine(Level::Novice)];
        let mut silent = at_table(Setup { seats, ..persons(rules, 9) });
        hurry(&mut silent);
        // Throws go on until a person is to choose.
        let mut moved = 0;
        while moved < 2 {
            silent.until("a person's turn", |world| {
                let referee = world.resource::<tabulae::app::referee::Referee>();
                referee.table.as_ref().is_some_and(|table| {
                    table.person_moves() || table.person_throws() || table.outcome().is_some()
                })
            });
            silent.settle();
            if silent.table().person_throws() {
                silent.act(Act::Throw);
                continue;
            }
            let mv = silent.table().history().legal_moves()[0];
            click_move(&mut silent, mv, 0);
            moved += 1;
        }
        let before = silent.table().history().len();
        silent.act(Act::Undo);
        silent.settle();
        assert!(silent.table().person_moves(), "{rules}");
        assert!(silent.table().history().len() < before, "{rules}");
        let position = silent.table().history().position().clone();
        check_scene(&mut silent, &position);
        silent.act(Act::Redo);
        silent.settle();
    }
}

#[test]
fn a_game_given_up_while_the_engine_thinks_hears_no_more_of_it() {
    let seats = [Seat::Engine(Level::Master), Seat::Person];
    let mut silent = at_table(Setup { seats, ..persons(RuleSet::TablutAshton, 1) });
    silent.until("the engine thinks", |world| {
        world.resource::<tabulae::app::referee::Referee>().thinking
    });
    silent.act(Act::Resign);
    assert_eq!(silent.table().outcome(), Some(Outcome::Resigned(Side::Second)));
    silent.until("the thought is dropped", |world| {
        !world.resource::<tabulae::app::referee::Referee>().thinking
    });
    assert_eq!(silent.referee().notice, None);
    assert!(silent.table().history().is_empty());
}
