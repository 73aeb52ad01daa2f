//! Lessons on the real board.

use super::*;

#[test]
fn a_lesson_is_learnt_on_the_board_and_the_game_comes_back() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    hurry(&mut headless);
    headless.click("e4 f4");
    headless.settle();
    let before = headless.table().line().clone();
    for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
        headless.act(Action::Game(GameAction::StartLesson(game)));
        headless.settle();
        let steps = headless.app.world().resource::<Lesson>().steps();
        for number in 0..steps {
            let lesson = headless.app.world().resource::<Lesson>();
            assert_eq!(lesson.step, number, "{game:?}");
            let step = lesson.current_step().expect("a step");
            check_scene(&mut headless, &step.start);
            // Anything else is taken back, and said to be wrong.
            let start = Line::new(step.start.clone());
            let does = |mv: &AnyMove| {
                let mut line = start.clone();
                line.push(Ply::Move(*mv)).expect("legal");
                step.attempt(&line) == Attempt::Done
            };
            let (done, missed): (Vec<_>, Vec<_>) = start.legal_moves().into_iter().partition(does);
            if step.is_problem {
                click_move(&mut headless, missed[0], 0);
                headless.settle();
                assert!(
                    headless.app.world().resource::<Lesson>().wrong_attempt,
                    "{game:?} {}",
                    step.name
                );
                assert!(headless.table().line().is_empty());
            }
            if step.task == Task::Throw {
                headless.act(Action::Game(GameAction::Throw));
            } else if step.task != Task::Read {
                click_move(&mut headless, done[0], 0);
            }
            headless.settle();
            let lesson = headless.app.world().resource::<Lesson>();
            assert!(lesson.done && !lesson.wrong_attempt, "{game:?} {}", step.name);
            if number + 1 < steps {
                headless.act(Action::Game(GameAction::NextLessonStep));
                headless.settle();
            }
        }
    }
    headless.act(Action::Game(GameAction::NextLessonStep));
    headless.settle();
    assert_eq!(headless.screen(), Screen::Title);
    headless.act(Action::Ui(UiAction::ShowTable));
    headless.settle();
    assert_eq!(*headless.table().line(), before, "the game that was set aside");
    check_scene(&mut headless, before.position());
}

#[test]
fn the_hint_of_a_step_is_what_it_asks_for_and_a_step_done_rests() {
    let mut headless = Headless::new((900, 600));
    hurry(&mut headless);
    headless.act(Action::Game(GameAction::StartLesson(GameKind::Tablut)));
    headless.settle();
    assert!(
        headless.app.world().resource::<Highlights>().touchable.is_empty(),
        "there is only a text"
    );
    let name = |headless: &Headless| {
        headless.app.world().resource::<Lesson>().current_step().expect("one").name.clone()
    };
    while name(&headless) != "between" {
        headless.act(Action::Game(GameAction::NextLessonStep));
        headless.settle();
    }
    assert!(!headless.app.world().resource::<Highlights>().touchable.is_empty());
    headless.act(Action::Game(GameAction::Hint));
    let hint = headless.app.world().resource::<Analysis>().hint.expect("a hint at once").1;
    assert_eq!(hint.to_string(), "c7-c3");
    headless.act(Action::Game(GameAction::TypeMove(hint.to_string())));
    headless.settle();
    assert!(headless.app.world().resource::<Lesson>().done);
    assert!(headless.app.world().resource::<Highlights>().touchable.is_empty(), "it rests");
    headless.act(Action::Game(GameAction::TypeMove("b3-b4".to_owned())));
    assert_eq!(headless.table().line().len(), 1);
    headless.act(Action::Game(GameAction::Undo));
    headless.settle();
    assert!(!headless.app.world().resource::<Lesson>().done, "it can be done again");
    headless.act(Action::Game(GameAction::TypeMove("c7-c3".to_owned())));
    headless.settle();
    assert!(headless.app.world().resource::<Lesson>().done);
}

#[test]
fn a_lesson_goes_on_where_it_was_left() {
    let mut headless = Headless::new((900, 600));
    hurry(&mut headless);
    let step = |headless: &Headless| headless.app.world().resource::<Lesson>().step;
    let acts = |headless: &mut Headless, acts: &[Action]| {
        for act in acts {
            headless.act(act.clone());
            headless.settle();
        }
    };
    let learn = |game| {
        [
            Action::Game(GameAction::StartLesson(game)),
            Action::Game(GameAction::NextLessonStep),
            Action::Game(GameAction::NextLessonStep),
            Action::Ui(UiAction::ShowTitle),
        ]
    };
    acts(&mut headless, &learn(GameKind::Tablan));
    acts(&mut headless, &[Action::Game(GameAction::StartLesson(GameKind::Tablut))]);
    assert_eq!(step(&headless), 0, "each game has a place of its own");
    acts(
        &mut headless,
        &[Action::Ui(UiAction::ShowTitle), Action::Game(GameAction::StartLesson(GameKind::Tablan))],
    );
    assert_eq!(step(&headless), 2);
    check_scene(&mut headless, &lesson(GameKind::Tablan)[2].start);
    acts(
        &mut headless,
        &[
            Action::Game(GameAction::PreviousLessonStep),
            Action::Ui(UiAction::ShowTitle),
            Action::Game(GameAction::StartLesson(GameKind::Tablan)),
        ],
    );
    assert_eq!(step(&headless), 1);
    acts(&mut headless, &[Action::Game(GameAction::FirstLessonStep)]);
    assert_eq!(step(&headless), 0);
    let to_the_end = vec![Action::Game(GameAction::NextLessonStep); lesson(GameKind::Tablan).len()];
    acts(&mut headless, &to_the_end);
    assert_eq!(headless.screen(), Screen::Title);
    acts(&mut headless, &[Action::Game(GameAction::StartLesson(GameKind::Tablan))]);
    assert_eq!(step(&headless), 0, "one that was finished begins anew");
}

#[test]
fn what_was_missed_is_said_until_something_else_is_chosen() {
    let mut headless = Headless::new((900, 600));
    hurry(&mut headless);
    headless.act(Action::Game(GameAction::StartLesson(GameKind::Tablut)));
    let missed = |headless: &Headless| headless.app.world().resource::<Lesson>().wrong_attempt;
    while headless.app.world().resource::<Lesson>().current_step().expect("one").name != "between" {
        headless.act(Action::Game(GameAction::NextLessonStep));
        headless.settle();
    }
    headless.act(Action::Game(GameAction::TypeMove("c7-c6".to_owned())));
    headless.settle();
    assert!(missed(&headless));
    headless.act(Action::Game(GameAction::SelectSquare(square("c7"))));
    assert!(!missed(&headless));
}
