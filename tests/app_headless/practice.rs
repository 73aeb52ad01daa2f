//! Learning from the mistakes of a finished game.

use super::*;
use tabulae::{
    app::{
        game::exercise::Attempt,
        practice::{PracticeSession, PractisedGame},
    },
    engines::StopSignal,
    games::Game as _,
    session::{Exercise, ExerciseResult, GameSession, Practice, PracticeTotals},
};

/// The king can escape to c1. If he does not, a2-c2 captures him.
const ESCAPE: &str = "7W1/9/9/9/9/2B6/1BKB5/B8/9 w";

fn practised(world: &World) -> Option<&PractisedGame> {
    world.resource::<PracticeSession>().game()
}

fn practice(world: &World) -> Option<&Practice> {
    practised(world).map(|game| &game.exercises.practice)
}

fn attempt(world: &World) -> Option<&Attempt> {
    practised(world).map(|game| &game.exercises.attempt)
}

/// Plays moves written as text.
fn play(headless: &mut Headless, moves: &[&str]) {
    for mv in moves {
        headless.perform(GameAction::TypeMove((*mv).to_owned()));
    }
}

fn setup(rules: RuleSet, position: &str) -> Setup {
    let start = AnyPosition::parse(rules, position).expect("a position");
    Setup { start: Some(start), ..two_people(rules, 1) }
}

/// A game of two people in which White misses the king's escape, and Black his
/// capture.
fn missed_escape() -> Headless {
    let mut headless = start_game(setup(RuleSet::TablutBerkeley, ESCAPE));
    speed_up(&mut headless);
    play(&mut headless, &["h9-h8", "a2-a1", "c3-c1"]);
    assert!(headless.table().outcome().is_some());
    headless
}

fn learn(headless: &mut Headless) {
    headless.act(GameAction::LearnFromMistakes);
    headless.wait_until("the mistakes are found", |world| {
        practised(world).is_some_and(|game| game.search.is_over())
    });
    headless.settle();
}

#[test]
fn a_mistake_is_tried_again_until_a_better_move_is_found_and_the_game_stays_as_it_was() {
    let mut headless = missed_escape();
    let (before, outcome) = (headless.table().record(None), headless.table().outcome());
    assert!(headless.camera_position().z > 5.0, "Black begins");
    learn(&mut headless);
    check_rest(&mut headless, "an exercise");
    assert!(headless.camera_position().z < -5.0, "White made the first mistake");
    let exercises = practice(headless.app.world()).expect("a practice");
    assert_eq!((exercises.len(), exercises.exercise().map(|exercise| exercise.ply)), (2, Some(1)));
    let start = exercises.before().position().clone();
    check_scene(&mut headless, &start);

    // A wrong try is answered on the board, and then taken back.
    headless.act(GameAction::TypeMove("h9-h7".to_owned()));
    headless.wait_until("the engine's answer", |world| {
        matches!(attempt(world), Some(Attempt::Refuted(..)))
    });
    assert_eq!(headless.table().history().len(), 2, "the try and the answer");
    headless.settle();
    for named in ["h9", "h8", "h7", "a2", "c2"] {
        assert!(circled(&headless).contains(&named.to_owned()), "{named} is named");
    }
    headless.act(GameAction::TypeMove("c3-c1".to_owned()));
    assert_eq!(headless.table().history().len(), 2, "nothing is played meanwhile");
    headless.wait_until("the try is undone", |world| {
        matches!(attempt(world), Some(Attempt::Missed(_)))
    });
    headless.settle();
    check_scene(&mut headless, &start);

    // Undo does not reach into the game.
    headless.act(GameAction::Undo);
    assert!(headless.table().history().is_empty() && !headless.table().can_undo());

    headless.act(GameAction::TypeMove("c3-c1".to_owned()));
    headless
        .wait_until("a better move", |world| matches!(attempt(world), Some(Attempt::Solved(_))));
    let result = practice(headless.app.world()).and_then(|practice| practice.exercise()?.result);
    assert_eq!(result, Some(ExerciseResult::Found));

    // The other side's mistake.
    headless.press_key(KeyCode::KeyN);
    headless.settle();
    assert_eq!(headless.table().history().len(), 1);
    headless.act(GameAction::TypeMove("a2-c2".to_owned()));
    headless.wait_until(
        "the king's capture",
        |world| matches!(attempt(world), Some(Attempt::Solved(Some(it))) if it.is_best()),
    );

    headless.press_key(KeyCode::KeyN);
    let exercises = practice(headless.app.world()).expect("a practice");
    assert_eq!(exercises.exercise(), None, "that was all");
    let totals = PracticeTotals { at_once: 1, later: 1, ..PracticeTotals::default() };
    assert_eq!(exercises.totals(), totals);
    headless.press_key(KeyCode::KeyN);
    headless.settle();
    assert!(practised(headless.app.world()).is_none());
    assert_eq!((headless.screen(), headless.referee().is_exercise()), (Screen::Table, false));
    assert_eq!((headless.table().record(None), headless.table().outcome()), (before, outcome));
}

#[test]
fn a_mistake_that_a_replay_shows_is_the_first_exercise() {
    let mut headless = missed_escape();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.tab");
    std::fs::write(&file, headless.table().record(None).to_string()).expect("written");
    headless.act(ReplayAction::open(file));
    headless.act(ViewAction::ToggleAnalysis);
    headless.act(ReplayAction::Jump(2));
    headless.wait_until("both mistakes", |world| {
        let replay = world.resource::<Replay>();
        let analysis = world.resource::<Analysis>();
        replay.history().is_some_and(|history| analysis.mistakes(history).len() == 2)
    });
    learn(&mut headless);
    let exercises = practice(headless.app.world()).expect("a practice");
    assert_eq!((exercises.len(), exercises.exercise().map(|exercise| exercise.ply)), (2, Some(2)));
    // The mistake before it comes after it.
    headless.act(GameAction::NextLessonStep);
    let exercises = practice(headless.app.world()).expect("a practice");
    assert_eq!(exercises.exercise().map(|exercise| exercise.ply), Some(1));
}

#[test]
fn the_first_mistake_is_tried_while_the_others_are_still_checked() {
    let mut headless = missed_escape();
    headless.act(GameAction::LearnFromMistakes);
    headless.wait_until("the first mistake, before the second one is checked", |world| {
        practised(world).is_some_and(|game| {
            let practice = &game.exercises.practice;
            practice.exercise().is_some() && practice.len() == 1 && !game.search.is_over()
        })
    });
    headless.act(GameAction::TypeMove("c3-c1".to_owned()));
    headless
        .wait_until("a better move", |world| matches!(attempt(world), Some(Attempt::Solved(_))));
    // Without another one yet, the next one comes by itself.
    headless.act(GameAction::NextLessonStep);
    headless.wait_until("the second mistake", |world| {
        let exercise = practice(world).and_then(Practice::exercise);
        exercise.is_some_and(|exercise| exercise.ply == 2)
    });
    assert_eq!(headless.table().history().len(), 1);
    assert!(headless.referee().awaits_move());
}

#[test]
fn what_was_shown_before_an_exercise_is_shown_again_after_it() {
    let mut headless = missed_escape();
    for action in [ViewAction::ToggleEvaluation, ViewAction::ToggleThreats] {
        headless.act(action);
    }
    let shown = |headless: &Headless| {
        let analysis = headless.analysis();
        [analysis.show_evaluation, analysis.show_threats]
    };
    for begin in [GameAction::LearnFromMistakes, GameAction::StartPuzzles(None)] {
        for end in [GameAction::LeavePractice.into(), Action::from(UiAction::ShowTitle)] {
            headless.act(begin.clone());
            assert_eq!(shown(&headless), [false; 2], "{begin:?}: it would give the answer away");
            headless.act(end);
            headless.act(UiAction::ShowTable);
            assert_eq!(shown(&headless), [true; 2], "{begin:?}");
        }
    }
}

#[test]
fn the_answer_is_shown_on_the_board_and_counts_as_shown() {
    let mut headless = missed_escape();
    learn(&mut headless);
    headless.press_key(KeyCode::KeyH);
    headless.settle();
    let world = headless.app.world();
    assert!(!world.resource::<Highlights>().arrows.is_empty(), "the engine's move");
    assert!(circled(&headless).is_empty(), "no ring of the person's own move is left");
    let totals = practice(world).map(Practice::totals);
    assert_eq!(totals, Some(PracticeTotals { shown: 1, open: 1, ..PracticeTotals::default() }));
    // The main menu brings the game back, too.
    headless.perform(UiAction::ShowTitle);
    assert!(practised(headless.app.world()).is_none());
    assert_eq!((headless.screen(), headless.table().history().len()), (Screen::Title, 3));
}

#[test]
fn against_an_engine_only_the_persons_mistakes_are_practised() {
    let game = missed_escape();
    let history = game.table().history().clone();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.tab");
    let engine = Seat::Engine(Level::Novice);
    for (seats, ply) in [([Seat::Person, engine], 2), ([engine, Seat::Person], 1)] {
        let session = GameSession::at(history.clone(), seats, seats.map(Seat::name), 1);
        std::fs::write(&path, session.record(None).to_string()).expect("written");
        let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
        speed_up(&mut headless);
        headless.play("c7");
        headless.act(ReplayAction::open(path.clone()));
        headless.act(ReplayAction::Jump(2));
        learn(&mut headless);
        let found = practice(headless.app.world()).expect("a practice");
        let found = (found.len(), found.exercise().map(|exercise| exercise.ply));
        assert_eq!(found, (1, Some(ply)), "{seats:?}");
        headless.perform(GameAction::LeavePractice);
        assert_eq!((headless.screen(), headless.replay().ply), (Screen::Replay, 2));
        let shown = history.at(2).expect("a position").clone();
        check_scene(&mut headless, &shown);
        headless.perform(UiAction::ShowTable);
        assert_eq!(headless.table().rules(), RuleSet::Tablaaza, "the other game");
        assert_eq!(headless.table().history().len(), 1);
    }
}

#[test]
fn in_tablan_the_choice_is_judged_and_not_the_throw() {
    let start = AnyPosition::parse(RuleSet::Tablan, "12/12/3N3N1N1S/S11 s t1").expect("legal");
    let choice = |mv: AnyMove| {
        let mut history = GameHistory::new(start.clone());
        history.push(Ply::Move(mv)).expect("legal");
        let review = tabulae::engines::tablan::review(&history, &StopSignal::default());
        review.expect("Tablan").moves[0]
    };
    let errors: Vec<_> = start.legal_moves().into_iter().map(|mv| (mv, choice(mv))).collect();
    let worst = errors.iter().max_by(|one, other| one.1.error().total_cmp(&other.1.error()));
    let &(worst, judged) = worst.expect("a move");
    assert!(judged.error() > 0.05, "a choice that matters: {errors:?}");

    // The worst choice, and then the luckiest throw: the choice is the mistake.
    let mut headless = start_game(setup(RuleSet::Tablan, "12/12/3N3N1N1S/S11 s t1"));
    speed_up(&mut headless);
    play(&mut headless, &[&worst.to_string()]);
    headless.perform(GameAction::Throw);
    headless.act(GameAction::Resign);
    learn(&mut headless);
    let exercises = practice(headless.app.world()).expect("a practice");
    assert_eq!(exercises.exercise().map(|exercise| exercise.ply), Some(1));
    play(&mut headless, &[&AnyMove::Tablan(judged.best).to_string()]);
    headless.wait_until(
        "the best choice",
        |world| matches!(attempt(world), Some(Attempt::Solved(Some(it))) if it.is_best()),
    );
}

#[test]
fn another_game_or_a_lesson_ends_the_practice() {
    let mut headless = missed_escape();
    headless.act(GameAction::LearnFromMistakes);
    assert!(practised(headless.app.world()).is_some());
    headless.perform(GameAction::StartLesson(GameKind::Tablan));
    assert!(practised(headless.app.world()).is_none() && headless.lesson().game.is_some());
    headless.perform(UiAction::ShowTitle);
    assert_eq!(headless.table().history().len(), 3, "the game from before both");
    headless.act(UiAction::ShowTable);
    headless.act(GameAction::LearnFromMistakes);
    headless.perform(GameAction::NewGame(two_people(RuleSet::Tablaaza, 1)));
    assert!(practised(headless.app.world()).is_none());
    assert!(headless.referee().awaits_move());
}

#[test]
fn a_game_without_mistakes_is_told_of_and_left_to_where_the_player_was() {
    let mut headless = start_game(setup(RuleSet::TablutBerkeley, ESCAPE));
    speed_up(&mut headless);
    play(&mut headless, &["c3-c1"]);
    assert!(headless.table().outcome().is_some());
    for from in [Screen::Table, Screen::Title] {
        if from == Screen::Title {
            headless.perform(UiAction::ShowTitle);
        }
        learn(&mut headless);
        assert!(practised(headless.app.world()).is_some_and(PractisedGame::has_no_mistakes));
        headless.perform(GameAction::LeavePractice);
        assert_eq!(headless.screen(), from);
        assert!(practised(headless.app.world()).is_none());
    }
}

#[test]
fn the_title_leads_to_the_mistakes_of_the_finished_game_and_back() {
    let mut headless = missed_escape();
    headless.perform(UiAction::ShowTitle);
    learn(&mut headless);
    assert_eq!(headless.screen(), Screen::Table);
    assert!(practice(headless.app.world()).is_some_and(|practice| !practice.is_empty()));
    headless.perform(GameAction::LeavePractice);
    assert_eq!(headless.screen(), Screen::Title);
    assert!(headless.table().outcome().is_some(), "the game is where it was");

    let mut headless = Headless::new(SIZE);
    headless.act(GameAction::LearnFromMistakes);
    assert_eq!(headless.screen(), Screen::Title);
    assert!(headless.notice().is_some(), "there is no finished game");
}

/// A game that a person has lost, as it was played: its rules, the side of the person, its plies,
/// and the ply of a blunder.
const LOST: [(RuleSet, Side, &str, usize); 4] = [
    (
        RuleSet::TablutAshton,
        Side::First,
        "g5-g8 f9-g9 d5-d4 e8-b8 e3-g3 b5-b7 c5-c2 a5-b5 e5-c5 d9-d5",
        9,
    ),
    (
        RuleSet::TablutAshton,
        Side::Second,
        "d5-d4 f1-f3 g5-g3 d9-d5 f5-f8 d1-d3 e5-g5 i6-g6 e7-g7 e8-e7 g3-g1 h5-h1 g5-g1",
        12,
    ),
    (
        RuleSet::Tablan,
        Side::First,
        "t2 t2 t0 t1 b4-a3 t2 t3 t2 t2 t3 t3 t3 t3 t2 t3 t4 a4-h3 t2 t3 t2 t4 k1-f2 t2 t2 t2 t2 \
         t1 f2-d2 t0 j1-i2+g1-l2 t2 t2 t0 d1-j1+a1-g1 t0 d2-i3 t2",
        36,
    ),
    (
        RuleSet::Tablaaza,
        Side::First,
        "e5 f7 a3 g4 c7 h7 b4 c6 f2 e2 b6 e4 c1 a4 g7 f1 b2 b1 e1 d1 h6 b5 a1 g2 a7 b7 f6 h5 e3 d3 \
         d2 d5 g1 a6 d4 h3 a5 d7 h2 h1 d6 e6 g5 g6",
        39,
    ),
];

#[test]
fn the_blunder_of_a_lost_game_is_asked_and_only_a_better_move_passes() {
    for (rules, side, plies, blunder) in LOST {
        let mut history = GameHistory::new(AnyPosition::start(rules));
        for text in plies.split_whitespace() {
            let ply = history.parse(text).expect("a ply");
            history.push(ply).expect("legal");
        }
        let mut seats = [Seat::Engine(Level::Novice); 2];
        seats[side.index()] = Seat::Person;
        let mut game = GameSession::at(history.clone(), seats, seats.map(Seat::name), 1);
        game.resign(side);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lost.tab");
        std::fs::write(&path, game.record(None).to_string()).expect("written");
        let mut headless = start_game(two_people(RuleSet::TablutSaami, 1));
        speed_up(&mut headless);
        headless.act(ReplayAction::open(path));
        let is_near = |headless: &mut Headless| headless.camera_position().z > 5.0;
        headless.act(GameAction::LearnFromMistakes);
        assert_eq!(is_near(&mut headless), side == Side::First, "{rules}: sits where they played");
        headless.wait_until("the mistakes are found", |world| {
            practised(world).is_some_and(|game| game.search.is_over())
        });
        headless.settle();
        let found: Vec<usize> = {
            let practice = practice(headless.app.world()).expect("a practice").clone();
            let each = std::iter::successors(Some(practice), |practice| {
                let mut next = practice.clone();
                next.advance().then_some(next)
            });
            each.filter_map(|practice| practice.exercise().map(|exercise| exercise.ply)).collect()
        };
        assert!(found.contains(&blunder), "{rules}: {found:?}");
        for ply in &found {
            let before = history.at(ply - 1).expect("a position");
            assert_eq!(before.side(), side, "{rules}: the person's own");
        }
        while exercise(&headless).ply != blunder {
            headless.act(GameAction::NextLessonStep);
        }
        headless.settle();
        assert_eq!(is_near(&mut headless), side == Side::First, "{rules}");
        let judgement = exercise(&headless).judgement;
        let wrong = judgement.played;
        assert_eq!(history.ply(blunder), Some(Ply::Move(wrong)));
        play(&mut headless, &[&wrong.to_string()]);
        headless.wait_until("the try is undone", |world| {
            matches!(attempt(world), Some(Attempt::Missed(Some(_))))
        });
        assert_eq!(headless.table().history().len(), blunder - 1, "{rules}");
        headless.settle();
        play(&mut headless, &[&judgement.best.to_string()]);
        headless.wait_until(
            "a better move",
            |world| matches!(attempt(world), Some(Attempt::Solved(Some(it))) if it.is_best()),
        );
        let result = exercise(&headless).result;
        assert_eq!(result, Some(ExerciseResult::Found), "{rules}");
    }
}

/// The mistake on the board.
fn exercise(headless: &Headless) -> Exercise {
    practice(headless.app.world()).and_then(Practice::exercise).expect("a mistake").clone()
}
