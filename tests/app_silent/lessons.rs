//! Lessons on the real board.

use super::*;

#[test]
fn a_lesson_is_learnt_on_the_board_and_the_game_comes_back() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    hurry(&mut silent);
    silent.click("e4 f4");
    silent.settle();
    let before = silent.table().history().clone();
    for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
        silent.act(Act::Learn(game));
        silent.settle();
        let steps = silent.app.world().resource::<Lesson>().steps();
        for number in 0..steps {
            let lesson = silent.app.world().resource::<Lesson>();
            assert_eq!(lesson.step, number, "{game:?}");
            let step = lesson.now().expect("a step");
            check_scene(&mut silent, &step.start);
            // Anything else is taken back, and said to be wrong.
            let start = GameHistory::new(step.start.clone());
            let does = |mv: &AnyMove| {
                let mut line = start.clone();
                line.push(Ply::Move(*mv)).expect("legal");
                step.attempt(&line) == Attempt::Done
            };
            let (done, missed): (Vec<_>, Vec<_>) = start.legal_moves().into_iter().partition(does);
            if step.is_problem {
                click_move(&mut silent, missed[0], 0);
                silent.settle();
                assert!(silent.app.world().resource::<Lesson>().missed, "{game:?} {}", step.name);
                assert!(silent.table().history().is_empty());
            }
            if step.goal == LessonGoal::Throw {
                silent.act(Act::Throw);
            } else if step.goal != LessonGoal::Read {
                click_move(&mut silent, done[0], 0);
            }
            silent.settle();
            let lesson = silent.app.world().resource::<Lesson>();
            assert!(lesson.done && !lesson.missed, "{game:?} {}", step.name);
            if number + 1 < steps {
                silent.act(Act::NextStep);
                silent.settle();
            }
        }
    }
    silent.act(Act::NextStep);
    silent.settle();
    assert_eq!(silent.screen(), Screen::Title);
    silent.act(Act::Table);
    silent.settle();
    assert_eq!(*silent.table().history(), before, "the game that was set aside");
    check_scene(&mut silent, before.position());
}

#[test]
fn the_hint_of_a_step_is_what_it_asks_for_and_a_step_done_rests() {
    let mut silent = Silent::new((900, 600));
    hurry(&mut silent);
    silent.act(Act::Learn(GameKind::Tablut));
    silent.settle();
    assert!(silent.app.world().resource::<Marks>().touchable.is_empty(), "there is only a text");
    let name =
        |silent: &Silent| silent.app.world().resource::<Lesson>().now().expect("one").name.clone();
    while name(&silent) != "between" {
        silent.act(Act::NextStep);
        silent.settle();
    }
    assert!(!silent.app.world().resource::<Marks>().touchable.is_empty());
    silent.act(Act::Hint);
    let hint = silent.app.world().resource::<Advice>().hint.expect("a hint at once").1;
    assert_eq!(hint.to_string(), "c7-c3");
    silent.act(Act::Type(hint.to_string()));
    silent.settle();
    assert!(silent.app.world().resource::<Lesson>().done);
    assert!(silent.app.world().resource::<Marks>().touchable.is_empty(), "it rests");
    silent.act(Act::Type("b3-b4".to_owned()));
    assert_eq!(silent.table().history().len(), 1);
    silent.act(Act::Undo);
    silent.settle();
    assert!(!silent.app.world().resource::<Lesson>().done, "it can be done again");
    silent.act(Act::Type("c7-c3".to_owned()));
    silent.settle();
    assert!(silent.app.world().resource::<Lesson>().done);
}

#[test]
fn a_lesson_goes_on_where_it_was_left() {
    let mut silent = Silent::new((900, 600));
    hurry(&mut silent);
    let step = |silent: &Silent| silent.app.world().resource::<Lesson>().step;
    let acts = |silent: &mut Silent, acts: &[Act]| {
        for act in acts {
            silent.act(act.clone());
            silent.settle();
        }
    };
    let learn = |game| [Act::Learn(game), Act::NextStep, Act::NextStep, Act::Title];
    acts(&mut silent, &learn(GameKind::Tablan));
    acts(&mut silent, &[Act::Learn(GameKind::Tablut)]);
    assert_eq!(step(&silent), 0, "each game has a place of its own");
    acts(&mut silent, &[Act::Title, Act::Learn(GameKind::Tablan)]);
    assert_eq!(step(&silent), 2);
    check_scene(&mut silent, &lesson_steps(GameKind::Tablan)[2].start);
    acts(&mut silent, &[Act::PreviousStep, Act::Title, Act::Learn(GameKind::Tablan)]);
    assert_eq!(step(&silent), 1);
    acts(&mut silent, &[Act::FirstStep]);
    assert_eq!(step(&silent), 0);
    let to_the_end = vec![Act::NextStep; lesson_steps(GameKind::Tablan).len()];
    acts(&mut silent, &to_the_end);
    assert_eq!(silent.screen(), Screen::Title);
    acts(&mut silent, &[Act::Learn(GameKind::Tablan)]);
    assert_eq!(step(&silent), 0, "one that was finished begins anew");
}

#[test]
fn what_was_missed_is_said_until_something_else_is_chosen() {
    let mut silent = Silent::new((900, 600));
    hurry(&mut silent);
    silent.act(Act::Learn(GameKind::Tablut));
    let missed = |silent: &Silent| silent.app.world().resource::<Lesson>().missed;
    while silent.app.world().resource::<Lesson>().now().expect("one").name != "between" {
        silent.act(Act::NextStep);
        silent.settle();
    }
    silent.act(Act::Type("c7-c6".to_owned()));
    silent.settle();
    assert!(missed(&silent));
    silent.act(Act::Touch(square("c7")));
    assert!(!missed(&silent));
}
