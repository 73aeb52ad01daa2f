//! Lessons on the real board.

use super::*;

#[test]
fn a_lesson_can_be_completed_and_the_suspended_game_returns() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    speed_up(&mut headless);
    headless.click("e4 f4");
    headless.settle();
    let before = headless.table().history().clone();
    for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
        headless.perform(GameAction::StartLesson(game));
        let steps = headless.lesson().steps();
        for number in 0..steps {
            let lesson = headless.lesson();
            assert_eq!(lesson.step, number, "{game:?}");
            let step = lesson.current_step().expect("a step");
            check_scene(&mut headless, &step.start);
            // Any other move is undone and reported as wrong.
            let start = GameHistory::new(step.start.clone());
            let solves = |mv: &AnyMove| {
                let mut history = start.clone();
                history.push(Ply::Move(*mv)).expect("legal");
                step.attempt(&history) == Attempt::Done
            };
            let (right, wrong): (Vec<_>, Vec<_>) =
                start.legal_moves().into_iter().partition(solves);
            if step.is_problem {
                click_move(&mut headless, wrong[0], 0);
                headless.settle();
                assert!(headless.lesson().missed.is_some(), "{game:?} {}", step.name);
                assert!(headless.table().history().is_empty());
            }
            if step.goal == LessonGoal::Throw {
                headless.act(GameAction::Throw);
            } else if step.goal != LessonGoal::Read {
                click_move(&mut headless, right[0], 0);
            }
            headless.settle();
            let lesson = headless.lesson();
            assert!(lesson.done && lesson.missed.is_none(), "{game:?} {}", step.name);
            if number + 1 < steps {
                headless.perform(GameAction::NextLessonStep);
            }
        }
    }
    headless.perform(GameAction::NextLessonStep);
    assert_eq!(headless.screen(), Screen::Title);
    headless.perform(UiAction::ShowTable);
    assert_eq!(*headless.table().history(), before, "the suspended game");
    check_scene(&mut headless, before.position());
}

#[test]
fn a_step_is_done_or_missed_once_what_was_played_has_been_seen() {
    let mut headless = Headless::new((900, 600));
    let mut step_seen = |game, goal: LessonGoal, action: GameAction, wrong: bool| {
        headless.perform(GameAction::StartLesson(game));
        while headless.lesson().current_step().expect("a step").goal != goal {
            headless.perform(GameAction::NextLessonStep);
        }
        headless.app.world_mut().write_message(Action::from(action));
        let told =
            |headless: &Headless| headless.lesson().done || headless.lesson().missed.is_some();
        headless.frames(1);
        let mut moving = 0;
        while headless.get::<MotionStatus>().is_busy() {
            assert!(!told(&headless), "{game:?}: before it was seen");
            assert!(headless.referee().locked, "nothing else is played meanwhile");
            moving += 1;
            headless.frames(1);
        }
        headless.frames(1);
        assert!(moving > 5 && told(&headless), "{game:?} after {moving} frames");
        assert_eq!(headless.lesson().missed.is_some(), wrong);
        headless.perform(UiAction::ShowTitle);
    };
    step_seen(GameKind::Tablan, LessonGoal::Throw, GameAction::Throw, false);
    let typed = |mv: &str| GameAction::TypeMove(mv.to_owned());
    step_seen(GameKind::Tablut, LessonGoal::Capture, typed("g3-d3"), false);
    step_seen(GameKind::Tablut, LessonGoal::Capture, typed("g3-f3"), true);
}

#[test]
fn corridors_are_lit_once_the_lesson_has_explained_them() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.act(GameAction::StartLesson(GameKind::Tablaaza));
    for (name, at, is_lit) in [("stone", "b1", false), ("pavilion", "a7", true)] {
        while headless.lesson().current_step().expect("one").name != name {
            headless.act(GameAction::NextLessonStep);
        }
        headless.settle();
        headless.hover(at.parse().expect("a square"));
        headless.frames(2);
        let LitCorridors(lit) = headless.app.world().resource::<LitCorridors>();
        assert_eq!(!lit.is_empty(), is_lit, "{name}: {lit:?}");
    }
}

#[test]
fn a_lesson_hint_is_the_solution_and_a_finished_step_is_locked() {
    let mut headless = Headless::new((900, 600));
    speed_up(&mut headless);
    headless.perform(GameAction::StartLesson(GameKind::Tablut));
    assert!(headless.get::<Highlights>().selectable.is_empty(), "a step with only a text");
    let name = |headless: &Headless| headless.lesson().current_step().expect("one").name.clone();
    while name(&headless) != "between" {
        headless.perform(GameAction::NextLessonStep);
    }
    assert!(!headless.get::<Highlights>().selectable.is_empty());
    headless.act(GameAction::Hint);
    let hint = headless.analysis().hint.expect("a hint at once").1;
    assert_eq!(hint.to_string(), "c7-c3");
    headless.perform(GameAction::TypeMove(hint.to_string()));
    assert!(headless.lesson().done);
    assert!(headless.get::<Highlights>().selectable.is_empty(), "the step is locked");
    headless.act(GameAction::TypeMove("b3-b4".to_owned()));
    assert_eq!(headless.table().history().len(), 1);
    headless.perform(GameAction::Undo);
    assert!(!headless.lesson().done, "it can be tried again");
    headless.perform(GameAction::TypeMove("c7-c3".to_owned()));
    assert!(headless.lesson().done);
}

#[test]
fn a_lesson_resumes_at_the_step_where_it_was_left() {
    let mut headless = Headless::new((900, 600));
    speed_up(&mut headless);
    let step = |headless: &Headless| headless.lesson().step;
    let actions = |headless: &mut Headless, actions: &[Action]| {
        for action in actions {
            headless.perform(action.clone());
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
    actions(&mut headless, &learn(GameKind::Tablan));
    actions(&mut headless, &[Action::Game(GameAction::StartLesson(GameKind::Tablut))]);
    assert_eq!(step(&headless), 0, "each game has its own progress");
    actions(
        &mut headless,
        &[Action::Ui(UiAction::ShowTitle), Action::Game(GameAction::StartLesson(GameKind::Tablan))],
    );
    assert_eq!(step(&headless), 2);
    check_scene(&mut headless, &lesson_steps(GameKind::Tablan)[2].start);
    actions(
        &mut headless,
        &[
            Action::Game(GameAction::PreviousLessonStep),
            Action::Ui(UiAction::ShowTitle),
            Action::Game(GameAction::StartLesson(GameKind::Tablan)),
        ],
    );
    assert_eq!(step(&headless), 1);
    actions(&mut headless, &[Action::Game(GameAction::FirstLessonStep)]);
    assert_eq!(step(&headless), 0);
    let all_steps =
        vec![Action::Game(GameAction::NextLessonStep); lesson_steps(GameKind::Tablan).len()];
    actions(&mut headless, &all_steps);
    assert_eq!(headless.screen(), Screen::Title);
    actions(&mut headless, &[Action::Game(GameAction::StartLesson(GameKind::Tablan))]);
    assert_eq!(step(&headless), 0, "a finished lesson starts over");
}

#[test]
fn a_wrong_attempt_is_reported_until_the_next_selection() {
    let mut headless = Headless::new((900, 600));
    speed_up(&mut headless);
    headless.act(GameAction::StartLesson(GameKind::Tablut));
    let wrong_attempt = |headless: &Headless| headless.lesson().missed.is_some();
    while headless.lesson().current_step().expect("one").name != "between" {
        headless.perform(GameAction::NextLessonStep);
    }
    headless.perform(GameAction::TypeMove("c7-c6".to_owned()));
    assert!(wrong_attempt(&headless));
    headless.act(GameAction::SelectSquare(square("c7")));
    assert!(!wrong_attempt(&headless));
}

/// What an analysis knows of a step is not shown with it, nor are threats.
#[test]
fn no_marks_of_the_analysis_are_shown_in_a_lesson() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    speed_up(&mut headless);
    for game in [GameKind::Tablut, GameKind::Tablaaza] {
        for number in 0..lesson_steps(game).len() {
            let step = &lesson_steps(game)[number];
            headless.act(GameAction::StartLesson(game));
            while headless.lesson().step < number {
                headless.act(GameAction::NextLessonStep);
            }
            headless.act(ViewAction::ToggleThreats);
            headless.act(ViewAction::ToggleEvaluation);
            headless.act(ViewAction::ToggleAnalysis);
            headless.settle();
            let plain = headless.get::<Highlights>().clone();
            let mut analysis = headless.app.world_mut().resource_mut::<Analysis>();
            assert!(!analysis.enabled && !analysis.show_threats && !analysis.show_evaluation);
            (analysis.enabled, analysis.show_threats) = (true, true);
            let best = step.start.legal_moves().first().copied();
            let value = Evaluation::Points(0);
            let known = PositionEvaluation { value, best, variation: String::new(), depth: 1 };
            analysis.evaluations.insert(step.start.key(), known);
            headless.frames(2);
            assert_eq!(*headless.get::<Highlights>(), plain, "{game:?} {}", step.name);
        }
    }
}

#[test]
fn a_finished_lesson_goes_on_to_a_game_against_the_opponent_of_the_title() {
    for (game, last) in [(GameKind::Tablut, "problem-3"), (GameKind::Tablan, "ordered")] {
        let mut headless = Headless::new((900, 600));
        speed_up(&mut headless);
        headless.act(GameAction::StartLesson(game));
        while headless.lesson().current_step().expect("one").name != last {
            headless.perform(GameAction::NextLessonStep);
        }
        let rules = headless.lesson().current_step().expect("one").start.rules();
        headless.perform(GameAction::PlayTaught);
        headless.settle();
        assert!(headless.lesson().game.is_none() && headless.screen() == Screen::Table);
        let table = headless.table();
        assert_eq!(table.rules(), rules);
        let opponent = Seat::Engine(NewGameChoice::default().engine_level());
        assert!(table.seats().contains(&opponent) && table.seats().contains(&Seat::Person));
        headless.act(GameAction::StartLesson(game));
        assert_eq!(headless.lesson().step, 0, "the lesson was finished");
    }
}

#[test]
fn corridors_are_lit_only_after_the_pointer_has_moved_in_the_game() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    speed_up(&mut headless);
    headless.settle();
    let is_lit = |headless: &Headless| !headless.get::<LitCorridors>().0.is_empty();
    headless.hover(square("b1"));
    headless.frames(2);
    assert!(is_lit(&headless));
    // The same place is a square of the next game by chance.
    headless.act(GameAction::Rematch);
    headless.settle();
    headless.frames(2);
    assert_eq!(headless.get::<Pointed>().square, Some(square("b1")));
    assert!(!is_lit(&headless), "the pointer has rested");
    headless.hover(square("d1"));
    headless.frames(2);
    assert!(is_lit(&headless));
}

#[test]
fn a_step_that_is_skipped_is_not_done_and_one_that_was_done_stays_so() {
    let mut headless = Headless::new((900, 600));
    speed_up(&mut headless);
    let game = GameKind::Tablut;
    let done = |headless: &Headless| -> Vec<usize> {
        let lessons = headless.get::<Settings>().lessons;
        (0..20).filter(|step| lessons.is_done(game, *step)).collect()
    };
    headless.perform(GameAction::StartLesson(game));
    headless.perform(GameAction::NextLessonStep);
    headless.perform(GameAction::NextLessonStep);
    assert_eq!(done(&headless), [0], "the first step is only read");
    let step = headless.lesson().current_step().expect("a step");
    let right = step.solution(headless.table().history()).expect("a move");
    click_move(&mut headless, right, 0);
    headless.settle();
    headless.perform(GameAction::FirstLessonStep);
    assert_eq!(done(&headless), [0, 2]);
}

#[test]
fn a_problem_of_two_moves_is_played_out_and_can_be_tried_again() {
    let mut headless = Headless::new((900, 600));
    speed_up(&mut headless);
    headless.perform(GameAction::StartLesson(GameKind::Tablut));
    while headless.lesson().current_step().expect("a step").name != "problem-2" {
        headless.perform(GameAction::NextLessonStep);
    }
    let step = headless.lesson().current_step().expect("a step");
    let right = step.solution(headless.table().history()).expect("a move");
    click_move(&mut headless, right, 0);
    headless.wait_until("the capture of the king", |world| {
        let table = world.resource::<Referee>().table.as_ref();
        table.is_some_and(|table| table.outcome().is_some())
    });
    headless.settle();
    assert_eq!(headless.table().history().len(), 3);
    headless.perform(GameAction::Undo);
    headless.settle();
    assert!(!headless.lesson().done && headless.table().history().is_empty());
    assert!(headless.referee().awaits_move());
}
