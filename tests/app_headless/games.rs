//! Whole games with the mouse, and what stands on the table afterwards.

use super::*;

#[test]
fn a_whole_game_of_each_kind_is_played_and_watched_with_the_mouse() {
    for (rules, seed) in
        [(RuleSet::TablutAshton, 1), (RuleSet::TablanOrdered, 3), (RuleSet::Tablaaza, 1)]
    {
        let mut headless = at_table(persons(rules, seed));
        let line = play_out(&mut headless, 6, usize::MAX);
        let Some(Outcome::Ended(end)) = headless.table().outcome() else {
            panic!("{rules}: ended by the rules")
        };
        let words = tabulae::table::end_words(rules, end);
        assert_eq!(headless.referee().log.last(), Some(&words), "{rules}: it says why");
        watch(&mut headless, &line);
    }
}

#[test]
fn the_other_rule_sets_are_played_and_watched_with_the_mouse() {
    for (rules, seed) in
        [(RuleSet::TablutBerkeley, 1), (RuleSet::TablutLinnaeus, 1), (RuleSet::Tablan, 2)]
    {
        let mut headless = at_table(persons(rules, seed));
        let line = play_out(&mut headless, 4, 40);
        watch(&mut headless, &line);
    }
}

/// Plays a game with the mouse, to its end or to `most` plies, and gives it
/// back. After `checked` plies nothing is shown slowly any more.
fn play_out(headless: &mut Headless, checked: usize, most: usize) -> Line<AnyPosition> {
    while headless.table().line().len() < most {
        let plies = headless.table().line().len();
        match headless.table().turn() {
            Some(Turn::Throw(_)) => {
                let at = headless.stick();
                headless.click_at(at, MouseButton::Left);
            }
            Some(Turn::Move(_)) => {
                let mut moves = headless.table().line().legal_moves();
                moves.sort_unstable();
                let choice = moves[plies * 7_919 % moves.len()];
                click_move(headless, choice, plies);
            }
            Some(Turn::Over(_)) | None => break,
        }
        if plies == checked {
            hurry(headless);
        }
        headless.settle();
        assert_eq!(headless.table().line().len(), plies + 1, "one ply a turn");
        let position = headless.table().line().position().clone();
        check_scene(headless, &position);
    }
    headless.table().line().clone()
}

/// Watches the game on the table again: the same positions, forwards,
/// backwards and jumping.
fn watch(headless: &mut Headless, line: &Line<AnyPosition>) {
    headless.act(Action::Replay(ReplayAction::WatchGame));
    headless.settle();
    assert_eq!(headless.screen(), Screen::Replay);
    check_scene(headless, line.start());
    let names = scene(headless);
    for number in 1..=line.len().min(40) {
        headless.act(Action::Replay(ReplayAction::StepForward));
        headless.settle();
        check_scene(headless, line.at(number).expect("a position"));
    }
    for number in [line.len() / 2, 1, line.len() - 1, 0] {
        headless.act(Action::Replay(ReplayAction::Jump(number)));
        headless.settle();
        check_scene(headless, line.at(number).expect("a position"));
    }
    assert_eq!(scene(headless), names, "the pieces kept their names");
    headless.act(Action::Replay(ReplayAction::Jump(line.len())));
    headless.act(Action::Replay(ReplayAction::StepBack));
    headless.settle();
    check_scene(headless, line.at(line.len() - 1).expect("a position"));
}

#[test]
fn the_engine_answers_and_undo_goes_back_to_ones_own_turn() {
    for rules in RuleSet::ALL {
        let seats = [Seat::Person, Seat::Engine(Level::Novice)];
        let mut headless = at_table(Setup { seats, ..persons(rules, 9) });
        hurry(&mut headless);
        // Throws go on until a person is to choose.
        let mut moved = 0;
        while moved < 2 {
            headless.until("a person's turn", |world| {
                let referee = world.resource::<tabulae::app::game::referee::Referee>();
                referee.table.as_ref().is_some_and(|table| {
                    table.person_moves() || table.person_throws() || table.outcome().is_some()
                })
            });
            headless.settle();
            if headless.table().person_throws() {
                headless.act(Action::Game(GameAction::Throw));
                continue;
            }
            let mv = headless.table().line().legal_moves()[0];
            click_move(&mut headless, mv, 0);
            moved += 1;
        }
        let before = headless.table().line().len();
        headless.act(Action::Game(GameAction::Undo));
        headless.settle();
        assert!(headless.table().person_moves(), "{rules}");
        assert!(headless.table().line().len() < before, "{rules}");
        let position = headless.table().line().position().clone();
        check_scene(&mut headless, &position);
        headless.act(Action::Game(GameAction::Redo));
        headless.settle();
    }
}

#[test]
fn a_game_given_up_while_the_engine_thinks_hears_no_more_of_it() {
    let seats = [Seat::Engine(Level::Master), Seat::Person];
    let mut headless = at_table(Setup { seats, ..persons(RuleSet::TablutAshton, 1) });
    headless.until("the engine thinks", |world| {
        world.resource::<tabulae::app::game::referee::Referee>().thinking
    });
    headless.act(Action::Game(GameAction::Resign));
    assert_eq!(headless.table().outcome(), Some(Outcome::Resigned(Side::Second)));
    headless.until("the thought is dropped", |world| {
        !world.resource::<tabulae::app::game::referee::Referee>().thinking
    });
    assert_eq!(headless.referee().notice, None);
    assert!(headless.table().line().is_empty());
}
