//! The puzzle trainer.

use super::*;
use tabulae::{
    app::puzzles::{PuzzleAttempt, PuzzleTrainer, TrainedPuzzle},
    table::puzzles::shipped,
};

fn current(world: &World) -> Option<&TrainedPuzzle> {
    world.resource::<PuzzleTrainer>().current()
}

fn puzzle(headless: &Headless) -> &TrainedPuzzle {
    current(headless.app.world()).expect("a puzzle")
}

fn attempt_is(test: fn(&PuzzleAttempt) -> bool) -> impl Fn(&World) -> bool {
    move |world| current(world).is_some_and(|it| test(&it.attempt))
}

fn train(rules: RuleSet) -> Headless {
    let mut headless = Headless::new(SIZE);
    speed_up(&mut headless);
    headless.act(GameAction::StartPuzzles(Some(rules)));
    headless.settle();
    headless
}

/// Plays the solution, move by move, by clicks.
fn solve_by_clicks(headless: &mut Headless) {
    for _ in 0..puzzle(headless).puzzle.own_moves() {
        let solution = puzzle(headless).solution().expect("a move");
        click_move(headless, solution, 0);
        headless.wait_until(
            "the reply",
            attempt_is(|it| matches!(it, PuzzleAttempt::Waiting | PuzzleAttempt::Solved)),
        );
        headless.settle();
    }
    assert_eq!(puzzle(headless).attempt, PuzzleAttempt::Solved, "{}", puzzle(headless).puzzle);
}

/// A legal move that is not the solution.
fn wrong_move(headless: &Headless) -> AnyMove {
    let current = puzzle(headless);
    let moves = current.played.legal_moves();
    let wrong = moves.into_iter().find(|mv| !current.puzzle.accepts(&current.played, *mv));
    wrong.expect("another move")
}

#[test]
fn a_puzzle_of_each_rule_set_is_solved_by_clicks_and_raises_the_rating() {
    for rules in RuleSet::ALL {
        let mut headless = train(rules);
        let trainer = headless.app.world().resource::<PuzzleTrainer>();
        let before = trainer.progress().rating(rules).rating;
        assert_eq!(puzzle(&headless).rules(), rules);
        let start = puzzle(&headless).puzzle.start.clone();
        check_scene(&mut headless, &start);
        solve_by_clicks(&mut headless);
        let trainer = headless.app.world().resource::<PuzzleTrainer>();
        assert!(trainer.progress().rating(rules).rating > before, "{rules}");
        assert_eq!((trainer.progress().streak(), trainer.due()), (1, 0));
        let first = puzzle(&headless).puzzle.id();
        headless.press_key(KeyCode::KeyN);
        headless.settle();
        assert_ne!(puzzle(&headless).puzzle.id(), first, "the next one");
        assert_eq!(puzzle(&headless).attempt, PuzzleAttempt::Waiting);
    }
}

#[test]
fn a_wrong_move_is_answered_on_the_board_and_the_puzzle_comes_back() {
    let mut headless = train(RuleSet::Tablaaza);
    let (missed, start) = (puzzle(&headless).puzzle.id(), puzzle(&headless).puzzle.start.clone());
    let before =
        headless.app.world().resource::<PuzzleTrainer>().progress().rating(RuleSet::Tablaaza);
    let wrong = wrong_move(&headless);
    headless.act(GameAction::TypeMove(wrong.to_string()));
    headless.wait_until("the answer", attempt_is(|it| matches!(it, PuzzleAttempt::Refuted(..))));
    assert_eq!(headless.table().history().len(), 2, "the try and the answer");
    headless.wait_until("the undo", attempt_is(|it| matches!(it, PuzzleAttempt::Missed(_))));
    headless.settle();
    check_scene(&mut headless, &start);
    let trainer = headless.app.world().resource::<PuzzleTrainer>();
    assert!(trainer.progress().rating(RuleSet::Tablaaza).rating < before.rating);
    assert_eq!((trainer.progress().streak(), trainer.due()), (0, 1));
    // It may still be solved, which is not rated again.
    let rating = trainer.progress().rating(RuleSet::Tablaaza);
    solve_by_clicks(&mut headless);
    let trainer = headless.app.world().resource::<PuzzleTrainer>();
    assert_eq!(trainer.progress().rating(RuleSet::Tablaaza), rating);
    // After two others it is there again.
    for number in 0..3 {
        headless.act(GameAction::NextLessonStep);
        headless.settle();
        let is_back = puzzle(&headless).puzzle.id() == missed;
        assert_eq!(is_back, number == 2, "{number}");
        assert_eq!(puzzle(&headless).came_back, is_back);
    }
    solve_by_clicks(&mut headless);
    let trainer = headless.app.world().resource::<PuzzleTrainer>();
    assert_eq!((trainer.due(), trainer.progress().streak()), (0, 1), "not before tomorrow");
}

#[test]
fn the_solution_is_shown_by_an_arrow_and_counts_as_a_miss() {
    let mut headless = train(RuleSet::Tablan);
    headless.press_key(KeyCode::KeyH);
    headless.settle();
    let world = headless.app.world();
    assert!(!world.resource::<Highlights>().arrows.is_empty());
    assert!(matches!(puzzle(&headless).result, Some((false, change)) if change < 0));
    solve_by_clicks(&mut headless);
    assert_eq!(headless.app.world().resource::<PuzzleTrainer>().progress().streak(), 0);
    // Undo does not reach into what is solved.
    headless.act(GameAction::Undo);
    headless.settle();
    assert_eq!(puzzle(&headless).attempt, PuzzleAttempt::Solved);
    assert_eq!(headless.table().history().len(), 1);
}

#[test]
fn a_theme_shows_its_puzzles_only_and_is_not_rated() {
    let mut headless = train(RuleSet::Tablaaza);
    let trainer = headless.app.world().resource::<PuzzleTrainer>();
    let (theme, rating) =
        (trainer.next_theme(), trainer.progress().rating(RuleSet::Tablaaza).rating);
    headless.act(GameAction::FilterPuzzles(theme));
    headless.settle();
    for _ in 0..3 {
        assert!(puzzle(&headless).puzzle.themes.contains(&theme.expect("a theme")));
        solve_by_clicks(&mut headless);
        headless.act(GameAction::NextLessonStep);
        headless.settle();
    }
    let trainer = headless.app.world().resource::<PuzzleTrainer>();
    assert_eq!(trainer.progress().rating(RuleSet::Tablaaza).rating, rating);
    assert_eq!(trainer.progress().streak(), 3);
}

#[test]
fn the_suspended_game_returns_and_other_games_end_the_trainer() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    speed_up(&mut headless);
    headless.click("e4 f4");
    headless.settle();
    let before = headless.table().history().clone();
    // Without rules those of the game are meant.
    headless.act(GameAction::StartPuzzles(None));
    headless.settle();
    assert_eq!(puzzle(&headless).rules(), RuleSet::TablutAshton);
    headless.press_key(KeyCode::KeyB);
    headless.settle();
    assert!(current(headless.app.world()).is_none());
    assert_eq!((headless.screen(), headless.table().history()), (Screen::Table, &before));
    headless.act(GameAction::StartPuzzles(Some(RuleSet::Tablan)));
    headless.act(UiAction::ShowTitle);
    headless.settle();
    assert!(current(headless.app.world()).is_none());
    assert_eq!((headless.screen(), headless.table().history()), (Screen::Title, &before));
    headless.act(GameAction::StartPuzzles(Some(RuleSet::Tablan)));
    headless.act(GameAction::StartLesson(GameKind::Tablut));
    headless.settle();
    assert!(current(headless.app.world()).is_none() && headless.lesson().game.is_some());
    headless.act(GameAction::StartPuzzles(Some(RuleSet::Tablan)));
    headless.act(GameAction::NewGame(two_people(RuleSet::Tablaaza, 1)));
    headless.settle();
    assert!(current(headless.app.world()).is_none() && headless.referee().awaits_move());
}

#[test]
fn every_rule_set_has_puzzles_of_several_themes() {
    for rules in RuleSet::ALL {
        let puzzles = shipped(rules);
        let mut themes: Vec<_> = puzzles.iter().flat_map(|it| it.themes.clone()).collect();
        themes.sort_unstable();
        themes.dedup();
        assert!(themes.len() >= 3, "{rules}: {themes:?}");
    }
}
