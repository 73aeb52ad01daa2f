//! Lessons on the real board.

use super::*;

#[test]
fn a_lesson_is_learnt_on_the_board_and_the_game_comes_back() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    hurry(&mut silent);
    silent.click("e4 f4");
    silent.settle();
    let before = silent.table().line().clone();
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
            let start = Line::new(step.start.clone());
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
                assert!(silent.table().line().is_empty());
            }
            if step.task == Task::Throw {
                silent.act(Act::Throw);
            } else if step.task != Task::Read {
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
    assert_eq!(*silent.table().line(), before, "the game that was set aside");
    check_scene(&mut silent, before.position());
}
