//! The puzzle trainer.

use super::*;
use tabulae::{
    app::{
        game::exercise::Attempt,
        puzzles::{PuzzleTrainer, TrainedPuzzle},
    },
    session::puzzles::{describe_why, shipped},
};

fn current(world: &World) -> Option<&TrainedPuzzle> {
    world.resource::<PuzzleTrainer>().current()
}

fn puzzle(headless: &Headless) -> &TrainedPuzzle {
    current(headless.app.world()).expect("a puzzle")
}

fn attempt_is(test: fn(&Attempt) -> bool) -> impl Fn(&World) -> bool {
    move |world| current(world).is_some_and(|puzzle| test(&puzzle.attempt))
}

fn train(rules: RuleSet) -> Headless {
    let mut headless = Headless::new(SIZE);
    speed_up(&mut headless);
    headless.perform(GameAction::StartPuzzles(Some(rules)));
    headless
}

/// Plays the solution, move by move, by clicks.
fn solve_by_clicks(headless: &mut Headless) {
    for _ in 0..puzzle(headless).puzzle.own_moves() {
        let solution = puzzle(headless).solution().expect("a move");
        click_move(headless, solution, 0);
        headless.wait_until(
            "the reply",
            attempt_is(|attempt| matches!(attempt, Attempt::Waiting | Attempt::Solved(_))),
        );
        headless.settle();
    }
    assert_eq!(puzzle(headless).attempt, Attempt::Solved(None), "{}", puzzle(headless).puzzle);
}

/// A legal move that is not the solution.
fn wrong_move(headless: &Headless) -> AnyMove {
    let current = puzzle(headless);
    let moves = current.played.legal_moves();
    let wrong = moves.into_iter().find(|mv| !current.puzzle.accepts(&current.played, *mv));
    wrong.expect("another move")
}

#[test]
fn twenty_puzzles_of_each_rule_set_are_solved_by_clicks_and_raise_the_rating() {
    for rules in RuleSet::ALL {
        let mut headless = train(rules);
        assert_eq!(puzzle(&headless).rules(), rules);
        let mut seen = Vec::new();
        for number in 1..=20 {
            let before = headless.get::<PuzzleTrainer>().training().progress().rating(rules);
            let start = puzzle(&headless).puzzle.start.clone();
            if number % 10 == 1 {
                check_scene(&mut headless, &start);
            }
            solve_by_clicks(&mut headless);
            let progress = headless.get::<PuzzleTrainer>().training().progress();
            assert!(progress.rating(rules).rating > before.rating, "{rules}");
            assert_eq!(progress.streak(), number);
            seen.push(puzzle(&headless).puzzle.id());
            headless.press_key(KeyCode::KeyN);
            headless.settle();
            assert!(!seen.contains(&puzzle(&headless).puzzle.id()), "the next one");
            assert_eq!(puzzle(&headless).attempt, Attempt::Waiting);
        }
        assert_eq!(headless.get::<PuzzleTrainer>().training().due(), 0);
    }
}

#[test]
fn a_solved_puzzle_says_why_and_the_board_shows_the_squares_that_it_names() {
    for rules in [RuleSet::TablutBerkeley, RuleSet::Tablan, RuleSet::Tablaaza] {
        let mut headless = train(rules);
        assert!(circled(&headless).is_empty(), "nothing is given away");
        let first = puzzle(&headless).solution().expect("a move");
        solve_by_clicks(&mut headless);
        headless.frames(3);
        let why = describe_why(&puzzle(&headless).puzzle);
        let circled = circled(&headless);
        for square in click_sequences(&first).into_iter().flatten() {
            let square = square.to_string();
            assert!(why.contains(&square) && circled.contains(&square), "{square}: {why}");
        }
        headless.press_key(KeyCode::KeyN);
        headless.settle();
        assert!(self::circled(&headless).is_empty(), "the next one names none");
    }
}

#[test]
fn puzzles_take_the_place_of_a_practice_and_are_left() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.play("c7");
    headless.act(GameAction::Resign);
    headless.perform(GameAction::LearnFromMistakes);
    assert!(headless.referee().is_exercise());
    headless.perform(GameAction::StartPuzzles(Some(RuleSet::Tablaaza)));
    let trainer = headless.get::<PuzzleTrainer>();
    assert!(trainer.current().is_some(), "a puzzle");
    headless.perform(UiAction::ShowTitle);
    assert_eq!(headless.screen(), Screen::Title);
    assert!(!headless.referee().is_exercise());
}

#[test]
fn nothing_gives_a_puzzle_away() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    for action in [ViewAction::ToggleEvaluation, ViewAction::ToggleThreats] {
        headless.act(action);
    }
    headless.perform(GameAction::StartPuzzles(Some(RuleSet::TablutAshton)));
    for action in
        [ViewAction::ToggleEvaluation, ViewAction::ToggleThreats, ViewAction::ToggleAnalysis]
    {
        let analysis = headless.get::<Analysis>();
        let shown = (analysis.show_evaluation, analysis.show_threats, analysis.enabled);
        assert_eq!(shown, (false, false, false), "before {action:?}");
        headless.perform(action);
    }
    let analysis = headless.get::<Analysis>();
    assert!(!analysis.show_evaluation && !analysis.show_threats && !analysis.enabled);
}

#[test]
fn a_wrong_move_is_answered_on_the_board_and_the_puzzle_comes_back() {
    let mut headless = train(RuleSet::Tablaaza);
    let (missed, start) = (puzzle(&headless).puzzle.id(), puzzle(&headless).puzzle.start.clone());
    let before = headless.get::<PuzzleTrainer>().training().progress().rating(RuleSet::Tablaaza);
    let wrong = wrong_move(&headless);
    headless.act(GameAction::TypeMove(wrong.to_string()));
    headless
        .wait_until("the answer", attempt_is(|attempt| matches!(attempt, Attempt::Refuted(..))));
    assert_eq!(headless.table().history().len(), 2, "the try and the answer");
    headless.wait_until("the undo", attempt_is(|attempt| matches!(attempt, Attempt::Missed(_))));
    headless.settle();
    check_scene(&mut headless, &start);
    let trainer = headless.get::<PuzzleTrainer>();
    assert!(trainer.training().progress().rating(RuleSet::Tablaaza).rating < before.rating);
    assert_eq!((trainer.training().progress().streak(), trainer.training().due()), (0, 1));
    // It may still be solved, which is not rated again.
    let rating = trainer.training().progress().rating(RuleSet::Tablaaza);
    solve_by_clicks(&mut headless);
    let trainer = headless.get::<PuzzleTrainer>();
    assert_eq!(trainer.training().progress().rating(RuleSet::Tablaaza), rating);
    // After two others it is there again.
    for number in 0..3 {
        headless.perform(GameAction::NextLessonStep);
        let is_back = puzzle(&headless).puzzle.id() == missed;
        assert_eq!(is_back, number == 2, "{number}");
        assert_eq!(puzzle(&headless).came_back, is_back);
    }
    solve_by_clicks(&mut headless);
    let trainer = headless.get::<PuzzleTrainer>();
    assert_eq!(
        (trainer.training().due(), trainer.training().progress().streak()),
        (0, 1),
        "not before tomorrow"
    );
}

#[test]
fn next_leaves_a_puzzle_that_was_not_tried_without_counting_it() {
    let mut headless = train(RuleSet::Tablan);
    let before = headless.get::<PuzzleTrainer>().training().progress().clone();
    let mut seen = vec![puzzle(&headless).puzzle.id()];
    for _ in 0..5 {
        headless.perform(GameAction::NextLessonStep);
        let id = puzzle(&headless).puzzle.id();
        assert!(!seen.contains(&id), "{id} among {seen:?}");
        seen.push(id);
    }
    let trainer = headless.get::<PuzzleTrainer>();
    assert_eq!(trainer.training().progress(), &before);
}

#[test]
fn the_solution_plays_itself_and_counts_as_a_miss() {
    let mut headless = train(RuleSet::TablutBerkeley);
    let is_long = |puzzle: &TrainedPuzzle| puzzle.puzzle.own_moves() > 1;
    while !is_long(puzzle(&headless)) {
        headless.perform(GameAction::NextLessonStep);
    }
    let shows = |headless: &mut Headless| {
        headless.press_key(KeyCode::KeyH);
        headless.wait_until("the end", attempt_is(|attempt| matches!(attempt, Attempt::Solved(_))));
        let plies = puzzle(headless).played.len();
        assert_eq!(plies, 2 * puzzle(headless).puzzle.own_moves() - 1, "with the replies");
        assert_eq!(headless.table().history().len(), plies, "each on the board");
    };
    shows(&mut headless);
    assert!(matches!(puzzle(&headless).result, Some((false, change)) if change < 0));
    assert_eq!(headless.get::<PuzzleTrainer>().training().progress().streak(), 0);
    // Undo does not reach into what is solved.
    headless.perform(GameAction::Undo);
    assert!(puzzle(&headless).is_solved() && headless.table().history().len() > 1);
    // It can be tried once more, and nothing plays by itself then.
    headless.perform(GameAction::FirstLessonStep);
    headless.frames(30);
    assert!(headless.table().history().is_empty());
    solve_by_clicks(&mut headless);
    // It goes on from what was found.
    headless.perform(GameAction::FirstLessonStep);
    let solution = puzzle(&headless).solution().expect("a move");
    click_move(&mut headless, solution, 0);
    headless.wait_until("the reply", attempt_is(|attempt| *attempt == Attempt::Waiting));
    headless.settle();
    shows(&mut headless);
}

#[test]
fn a_theme_shows_its_puzzles_only_and_is_not_rated() {
    let mut headless = train(RuleSet::Tablaaza);
    let trainer = headless.get::<PuzzleTrainer>();
    let (theme, rating) = (
        trainer.training().themes().next(),
        trainer.training().progress().rating(RuleSet::Tablaaza).rating,
    );
    headless.perform(GameAction::FilterPuzzles(theme));
    for _ in 0..3 {
        assert!(puzzle(&headless).puzzle.themes.contains(&theme.expect("a theme")));
        solve_by_clicks(&mut headless);
        headless.perform(GameAction::NextLessonStep);
    }
    let trainer = headless.get::<PuzzleTrainer>();
    assert_eq!(trainer.training().progress().rating(RuleSet::Tablaaza).rating, rating);
    assert_eq!(trainer.training().progress().streak(), 3);
}

#[test]
fn the_suspended_game_returns_and_other_games_end_the_trainer() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    speed_up(&mut headless);
    headless.click("e4 f4");
    headless.settle();
    let before = headless.table().history().clone();
    // Without rules those of the game are meant.
    headless.perform(GameAction::StartPuzzles(None));
    assert_eq!(puzzle(&headless).rules(), RuleSet::TablutAshton);
    headless.press_key(KeyCode::KeyB);
    headless.settle();
    assert!(current(headless.app.world()).is_none());
    assert_eq!((headless.screen(), headless.table().history()), (Screen::Table, &before));
    headless.act(GameAction::StartPuzzles(Some(RuleSet::Tablan)));
    headless.perform(UiAction::ShowTitle);
    assert!(current(headless.app.world()).is_none());
    assert_eq!((headless.screen(), headless.table().history()), (Screen::Title, &before));
    headless.act(GameAction::StartPuzzles(Some(RuleSet::Tablan)));
    headless.perform(GameAction::StartLesson(GameKind::Tablut));
    assert!(current(headless.app.world()).is_none() && headless.lesson().game.is_some());
    headless.act(GameAction::StartPuzzles(Some(RuleSet::Tablan)));
    headless.perform(GameAction::NewGame(two_people(RuleSet::Tablaaza, 1)));
    assert!(current(headless.app.world()).is_none() && headless.referee().awaits_move());
}

#[test]
fn without_rules_those_of_the_game_on_the_screen_are_meant() {
    let mut settings = Settings::default();
    settings.new_game.rules = RuleSet::Tablaaza;
    let mut app = tabulae::app::headless(SIZE);
    app.insert_resource(settings);
    let mut headless = Headless::with_app(app);
    assert_eq!(headless.screen(), Screen::Title);
    headless.perform(GameAction::StartPuzzles(None));
    assert_eq!(puzzle(&headless).rules(), RuleSet::Tablaaza, "chosen on the title");
    headless.perform(GameAction::NewGame(two_people(RuleSet::TablutBerkeley, 1)));
    headless.perform(GameAction::TypeMove("a4-a3".to_owned()));
    headless.perform(ReplayAction::WatchGame);
    assert_eq!(headless.screen(), Screen::Replay);
    headless.perform(GameAction::StartPuzzles(None));
    assert_eq!(puzzle(&headless).rules(), RuleSet::TablutBerkeley, "of the replay");
}

#[test]
fn every_rule_set_has_puzzles_of_several_themes() {
    for rules in RuleSet::ALL {
        let puzzles = shipped(rules);
        let mut themes: Vec<_> = puzzles.iter().flat_map(|puzzle| puzzle.themes.clone()).collect();
        themes.sort_unstable();
        themes.dedup();
        assert!(themes.len() >= 3, "{rules}: {themes:?}");
    }
}

#[test]
fn the_board_is_seen_from_the_side_that_solves_the_puzzle() {
    let mut headless = train(RuleSet::TablutAshton);
    let mut seen = [false; 2];
    while seen != [true; 2] {
        headless.settle();
        let side = puzzle(&headless).side();
        let is_near = headless.camera_position().z > 5.0;
        assert_eq!(is_near, side == Side::First, "{}", puzzle(&headless).puzzle);
        seen[side.index()] = true;
        headless.perform(GameAction::NextLessonStep);
    }
}
