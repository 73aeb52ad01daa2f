//! Learning from mistakes, and the tutor.

use crate::{
    app::{game::exercise::Attempt, headless, settings::options::TutorMode, ui::tests::*},
    session::{
        FinishedGame, GameAnalysis, LessonGoal,
        puzzles::{shipped, theme_label},
    },
};

#[test]
fn the_end_of_a_persons_game_and_its_replay_offer_to_learn_from_the_mistakes() {
    let engine = Seat::Engine(Level::Novice);
    for (seats, offers) in [([Seat::Person, engine], true), ([engine; 2], false)] {
        let mut ui = at_table(RuleSet::TablutAshton, 4, SIZES[1]);
        let mut referee = ui.edit::<Referee>();
        let history = referee.table.as_ref().map(|table| table.history().clone()).expect("a game");
        let mut table = GameSession::at(history, seats, seats.map(Seat::name), 1);
        table.resign(Side::Second);
        referee.table = Some(table);
        let labels = ui.labels();
        let offered = labels.iter().any(|(_, words)| words == "Learn from your mistakes");
        assert_eq!(offered, offers, "{seats:?}: {labels:?}");
        if offers {
            ui.press("Learn from your mistakes");
            assert_eq!(ui.requested, [Action::Game(GameAction::LearnFromMistakes)]);
        }
    }
    let mut ui = TestUi::new(Screen::Title, SIZES[1]);
    ui.press("Learn from your mistakes");
    assert_eq!(ui.requested, [Action::Game(GameAction::LearnFromMistakes)]);
    let mut ui = in_replay(RuleSet::TablutAshton, 6, 3, SIZES[1]);
    ui.press("Learn from your mistakes");
    assert_eq!(ui.requested, [Action::Game(GameAction::LearnFromMistakes)]);
    let mut ui = in_replay(RuleSet::Tablan, 6, 3, LARGEST_TEXT);
    let (requested, _) = press_dialog(&mut ui, Dialog::Menu);
    assert!(requests(&requested, "LearnFromMistakes"), "{requested:?}");
}

#[test]
fn a_solved_puzzle_says_so_and_cannot_be_undone() {
    let mut ui = TestUi::new(Screen::Table, SIZES[1]);
    let puzzle = shipped(RuleSet::Tablaaza).into_iter().find(|puzzle| puzzle.line.len() == 1);
    let puzzle = puzzle.expect("a puzzle of one move");
    let mut history = GameHistory::new(puzzle.start.clone());
    history.push(Ply::Move(puzzle.line[0])).expect("legal");
    let mut referee = ui.edit::<Referee>();
    (referee.on_table, referee.locked) = (OnTable::Puzzle, true);
    referee.table = Some(GameSession::exercise(history.clone()));
    *ui.edit::<PuzzleTrainer>() = PuzzleTrainer::solved(puzzle, history);
    let labels = ui.labels();
    assert!(labels.iter().any(|(_, it)| it == "Puzzle solved. Press Next."), "{labels:?}");
    ui.press("Undo");
    assert!(ui.requested.is_empty(), "{:?}", ui.requested);
}

#[test]
fn an_exercise_tells_the_mistake_and_leaves_the_board_free() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for rules in [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza] {
            let mut ui = at_table(rules, 14, size);
            practise(&mut ui, Some(|_| Attempt::Waiting));
            let labels = ui.labels();
            let tells = |words: &str| labels.iter().any(|(_, label)| label.contains(words));
            assert!(tells("Learn from your mistakes") && tells("1 / 1"), "{labels:?}");
            assert!(tells("This move "), "{rules}: {labels:?}");
            let (requested, _) = ui.press_all();
            for id in ["NextLessonStep", "Hint", "LeavePractice"] {
                assert!(requests(&requested, id), "{size:?} {rules}: {id} among {requested:?}");
            }
            let (scene, rect) = (ui.scene(), ui.panel_rect("exercise"));
            assert!(ui.window().expand(0.5).contains_rect(rect), "{size:?}: {rect}");
            let shared = scene.intersect(rect);
            assert!(scene.height() > 50.0, "{size:?}: {scene}");
            assert!(shared.width() < 1.0 || shared.height() < 1.0, "{size:?}: {scene} {rect}");
            ui.frame(Vec::new());
            let bars = ui.nodes.iter().filter(|(_, node)| node.role() == Role::ScrollBar).count();
            assert!(bars == 0 || size.1 < 700.0, "{size:?} {rules}: a short task is not scrolled");
        }
    }
}

#[test]
fn the_end_of_a_practice_names_the_game_and_says_what_is_next() {
    let mut ui = at_table(RuleSet::Tablaaza, 14, SIZES[1]);
    practise(&mut ui, None);
    ui.edit::<PracticeSession>().end_without_mistakes();
    let labels = ui.labels();
    let has = |start: &str| labels.iter().any(|(_, words)| words.starts_with(start));
    assert!(
        has("Tablaaza · ") && has("No mistakes that a player could have seen. Well played!"),
        "{labels:?}"
    );
    for (words, action) in [
        ("Check an earlier game", GameAction::LearnFromEarlier),
        ("Play a game", GameAction::PlayTaught),
    ] {
        ui.press(words);
        assert_eq!(ui.requested, [action.into()]);
    }
}

#[test]
fn an_answer_that_is_shown_leads_to_the_next_mistake() {
    let told = |ui: &mut TestUi| ui.labels().iter().any(|(_, it)| it.ends_with("Press Next."));
    let mut ui = at_table(RuleSet::Tablaaza, 14, SIZES[1]);
    practise(&mut ui, Some(|_| Attempt::Waiting));
    assert!(!told(&mut ui));
    let mut session = ui.edit::<PracticeSession>();
    session.exercises_mut().expect("a practice").practice.show();
    assert!(told(&mut ui));
}

#[test]
fn the_tutor_is_chosen_in_the_settings() {
    let mut ui = at_table(RuleSet::TablutAshton, 4, SIZES[1]);
    ui.edit::<OpenDialog>().0 = Some(Dialog::Settings);
    ui.settle();
    for (words, mode) in [
        ("After the move", TutorMode::AfterMove),
        ("Before the move is played", TutorMode::BeforeMove),
    ] {
        ui.press(&format!("Tutor: {words}"));
        assert_eq!(ui.changed.last().map(|settings| settings.tutor), Some(mode));
    }
}

#[test]
fn the_tutors_question_leaves_the_board_free() {
    for size in SIZES.into_iter().chain([LARGEST_TEXT]) {
        for rules in [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza] {
            let mut ui = at_table(rules, 4, size);
            let what = LocalizedMessage::new("tutor.gives-soldier");
            ui.edit::<Referee>().warn_of_last_move(what);
            ui.settle();
            let (scene, rect) = (ui.scene(), ui.panel_rect("question"));
            assert!(ui.window().expand(0.5).contains_rect(rect), "{size:?}: {rect}");
            let shared = scene.intersect(rect);
            assert!(scene.height() > 50.0, "{size:?} {rules}: {scene}");
            assert!(shared.width() < 1.0 || shared.height() < 1.0, "{size:?}: {scene} {rect}");
        }
    }
}

#[test]
fn the_tutors_question_has_two_answers_and_nothing_to_cancel() {
    let mut ui = at_table(RuleSet::TablutAshton, 4, SIZES[1]);
    ui.edit::<Referee>().warn_of_last_move(LocalizedMessage::new("tutor.gives-soldier"));
    let labels = ui.labels();
    assert!(!labels.iter().any(|(_, words)| words == "Cancel"), "{labels:?}");
    for (number, words) in ["tutor.take-back", "tutor.keep"].map(tr).into_iter().enumerate() {
        ui.press(words);
        assert_eq!(ui.requested, [Action::Game(GameAction::Answer(number))]);
    }
}

/// The trainer with this attempt at a puzzle of Tablaaza.
fn puzzle(attempt: Attempt) -> TestUi {
    let mut ui = TestUi::new(Screen::Table, SIZES[1]);
    let puzzle = shipped(RuleSet::Tablaaza).remove(0);
    let mut referee = ui.edit::<Referee>();
    referee.on_table = OnTable::Puzzle;
    referee.table = Some(GameSession::exercise(GameHistory::new(puzzle.start.clone())));
    *ui.edit::<PuzzleTrainer>() = PuzzleTrainer::at(puzzle, attempt);
    ui
}

#[test]
fn a_step_is_called_complete_once_its_throw_has_been_seen() {
    let steps = crate::session::lesson_steps(GameKind::Tablan);
    let throws = |step: &&crate::session::LessonStep| step.goal == LessonGoal::Throw;
    let (number, step) =
        steps.iter().enumerate().find(|(_, step)| throws(step)).expect("a step with a throw");
    for done in [false, true] {
        let setup = Setup { start: Some(step.start.clone()), ..Setup::new(step.start.rules()) };
        let mut table = GameSession::new(setup);
        table.throw().expect("a throw is due");
        let mut ui = at_table(RuleSet::Tablan, 0, SIZES[1]);
        let mut referee = ui.edit::<Referee>();
        (referee.table, referee.on_table, referee.locked) = (Some(table), OnTable::Lesson, true);
        let mut lesson = ui.edit::<Lesson>();
        (lesson.game, lesson.step, lesson.done) = (Some(GameKind::Tablan), number, done);
        ui.edit::<MotionStatus>().pending = usize::from(!done);
        ui.settle();
        assert_eq!(ui.visible_text().count(tr("status.step")), usize::from(done));
        assert_eq!(ui.visible_text().count(" throws the sticks") > 0, !done);
    }
}

#[test]
fn a_missed_puzzle_says_what_the_miss_has_cost() {
    let mut ui = puzzle(Attempt::Missed(None));
    let told = "This puzzle counts as missed. Your rating: 1000?. The ? means a first guess.";
    let tells = |ui: &mut TestUi| ui.labels().iter().any(|(_, it)| it.contains(told));
    assert!(tells(&mut ui));
    ui.edit::<PuzzleTrainer>().miss_again();
    assert!(!tells(&mut ui), "it was told once");
}

#[test]
fn a_solution_that_is_shown_says_why() {
    let mut ui = TestUi::new(Screen::Table, SIZES[1]);
    let mut found = shipped(RuleSet::Tablaaza).remove(0);
    found.line.truncate(1);
    let why = crate::session::puzzles::describe_why(&found);
    let mut referee = ui.edit::<Referee>();
    referee.on_table = OnTable::Puzzle;
    referee.table = Some(GameSession::exercise(GameHistory::new(found.start.clone())));
    *ui.edit::<PuzzleTrainer>() = PuzzleTrainer::at(found, Attempt::Waiting);
    let says_why = |ui: &mut TestUi| ui.labels().iter().any(|(_, words)| words.contains(&why));
    assert!(!says_why(&mut ui), "it is still to be found");
    ui.edit::<PuzzleTrainer>().show_solution();
    assert!(says_why(&mut ui));
}

#[test]
fn the_theme_of_the_puzzles_is_chosen_from_a_list() {
    let mut ui = puzzle(Attempt::Waiting);
    let theme = ui.read::<PuzzleTrainer>().training().themes().next().expect("a theme");
    assert!(!ui.labels().iter().any(|(_, words)| words.contains("Your rating")), "folded");
    ui.press("Rating and themes");
    assert!(ui.labels().iter().any(|(_, words)| words.contains("Your rating")));
    ui.press("Theme: all (1)");
    ui.press(&format!("{} (1)", theme_label(theme)));
    assert_eq!(ui.requested, [Action::Game(GameAction::FilterPuzzles(Some(theme)))]);
}

#[test]
fn an_answer_that_is_shown_says_what_it_gains_and_what_the_played_move_lost() {
    for rules in [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza] {
        let mut ui = at_table(rules, 14, SIZES[1]);
        practise(&mut ui, Some(|_| Attempt::Waiting));
        let tells = |ui: &mut TestUi, words: &str| {
            ui.labels().iter().filter(|(_, label)| label.contains(words)).count()
        };
        assert_eq!((tells(&mut ui, "is best ("), tells(&mut ui, "Find a better")), (0, 1));
        let mut session = ui.edit::<PracticeSession>();
        let exercises = session.exercises_mut().expect("a practice");
        exercises.practice.show();
        let judgement = exercises.practice.exercise().expect("a mistake").judgement.clone();
        let before = exercises.practice.before();
        let [best, played] =
            [judgement.best, judgement.played].map(|mv| before.position().notation(mv));
        assert_eq!(tells(&mut ui, &format!("{best} is best (")), 1, "{rules}");
        assert_eq!(tells(&mut ui, &format!("{played}? This move ")), 1, "{rules}");
        assert_eq!(tells(&mut ui, "After that: "), 1, "{rules}");
        assert_eq!(tells(&mut ui, "Find a better move"), 0, "{rules}: nothing is asked any more");
    }
}

#[test]
fn a_solution_is_offered_only_where_there_is_a_mistake() {
    let waiting: fn(Judgement) -> Attempt = |_| Attempt::Waiting;
    for at in [None, Some(waiting)] {
        let mut ui = at_table(RuleSet::Tablaaza, 14, SIZES[1]);
        practise(&mut ui, at);
        let _ = ui.labels();
        let show = ui.nodes.iter().find(|(_, node)| node.label() == Some("Show"));
        let is_offered = show.is_some_and(|(_, node)| !node.is_disabled());
        assert_eq!(is_offered, at.is_some());
    }
}

/// A resigned game against a level, saved as `id` in a folder, with so many mistakes of
/// the person if it is analysed.
fn finished(folder: &Path, id: &str, rules: RuleSet, mistakes: Option<usize>) -> FinishedGame {
    let seats = [Seat::Person, Seat::Engine(Level::Novice)];
    let setup = Setup { seats, seed: Some(1), ..Setup::new(rules) };
    let mut session = GameSession::new(setup);
    while session.can_abort() {
        match session.history().legal_moves().first() {
            Some(mv) => session.play(*mv).map(drop),
            None => session.throw().map(drop),
        }
        .expect("legal");
    }
    assert!(session.resign(Side::First));
    let text = session.saved_text(Some("2026.11.20".to_owned()));
    std::fs::write(folder.join(format!("{id}.tab")), text).expect("written");
    let mut game = FinishedGame::new(id, &session, None).expect("it is over");
    game.analysis = mistakes.map(|count| GameAnalysis {
        mistakes: Some([count, 3]),
        ..GameAnalysis::from_losses([], None)
    });
    game
}

#[test]
fn the_title_takes_the_newest_game_in_which_the_person_may_have_made_a_mistake() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |id, rules, mistakes| finished(folder.path(), id, rules, mistakes);
    let games = vec![
        of("1", RuleSet::Tablaaza, None),
        of("2", RuleSet::TablutAshton, Some(2)),
        of("3", RuleSet::Tablan, Some(0)),
        of("4", RuleSet::Tablaaza, Some(1)),
    ];
    std::fs::remove_file(folder.path().join("4.tab")).expect("deleted");
    let mut app = headless((900, 600));
    app.insert_resource(GameResults::of(games));
    app.insert_resource(Autosave::in_folder(folder.path().to_owned()));
    app.update();
    let mut practised = |action: GameAction| {
        app.world_mut().write_message(Action::from(action));
        app.update();
        app.update();
        let session = app.world().resource::<PracticeSession>();
        let rules = session.game().map(|game| game.game().rules());
        (rules, session.earlier_games(), *app.world().resource::<State<Screen>>().get())
    };
    let table = Screen::Table;
    let newest = practised(GameAction::LearnFromMistakes);
    assert_eq!(newest, (Some(RuleSet::TablutAshton), 1, table), "none was clean or deleted");
    let earlier = practised(GameAction::LearnFromEarlier);
    assert_eq!(earlier, (Some(RuleSet::Tablaaza), 0, table));
    assert_eq!(practised(GameAction::LeavePractice), (None, 0, Screen::Title));
}

#[test]
fn where_no_game_has_a_mistake_the_title_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let clean = finished(folder.path(), "1", RuleSet::Tablaaza, Some(0));
    for (games, key) in [(vec![clean], "practice.all-clean"), (vec![], "practice.no-game")] {
        let mut app = headless((900, 600));
        app.insert_resource(GameResults::of(games));
        app.insert_resource(Autosave::in_folder(folder.path().to_owned()));
        app.update();
        app.world_mut().write_message(Action::from(GameAction::LearnFromMistakes));
        app.update();
        let told = app.world().resource::<Notices>().shown.as_ref().map(|it| it.text.clone());
        assert_eq!(told, Some(LocalizedMessage::new(key).localized()));
    }
}

#[test]
fn a_button_of_every_exercise_has_one_place() {
    let mut practised = at_table(RuleSet::Tablaaza, 14, SIZES[1]);
    practise(&mut practised, Some(|_| Attempt::Waiting));
    let mut lesson = at_table(RuleSet::Tablaaza, 0, SIZES[1]);
    lesson.edit::<Referee>().on_table = OnTable::Lesson;
    lesson.edit::<Lesson>().game = Some(GameKind::Tablaaza);
    let mut places = Vec::new();
    for (ui, names) in [
        (&mut practised, ["Back", "Next", "Show"]),
        (&mut lesson, ["Back", "Next", "Hint"]),
        (&mut puzzle(Attempt::Waiting), ["Start over", "Next", "Show"]),
    ] {
        places.push(names.map(|name| ui.place(name)));
    }
    assert!(places.iter().all(|place| *place == places[0]), "{places:?}");
}
