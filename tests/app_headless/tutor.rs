//! The tutor, in games against an engine.

use super::*;
use tabulae::app::{practice::PracticeSession, settings::options::TutorMode};

/// The king can escape to c1; if he does not, a2-c2 captures him. White, a person, moves.
fn with_tutor(tutor: TutorMode) -> Headless {
    let text = "7W1/9/9/9/9/2B6/1BKB5/B8/9 w";
    let start = AnyPosition::parse(RuleSet::TablutBerkeley, text).expect("a position");
    let seats = [Seat::Engine(Level::Novice), Seat::Person];
    let setup = Setup { start: Some(start), seats, ..two_people(RuleSet::TablutBerkeley, 1) };
    let mut headless = start_game(setup);
    headless.change_settings(Settings { tutor, ..Settings::default() });
    speed_up(&mut headless);
    headless
}

fn plies(headless: &Headless) -> usize {
    headless.table().history().len()
}

fn is_asked(world: &World) -> bool {
    world.resource::<Referee>().question.is_some()
}

/// Gives the king's escape away, and waits for the question.
fn blunder(headless: &mut Headless) {
    headless.act(GameAction::TypeMove("h9-h8".to_owned()));
    headless.wait_until("the tutor's question", is_asked);
}

const MODES: [TutorMode; 2] = [TutorMode::AfterMove, TutorMode::BeforeMove];

#[test]
fn a_move_that_gives_something_away_is_asked_about_before_the_opponent_answers() {
    for tutor in MODES {
        let mut headless = with_tutor(tutor);
        blunder(&mut headless);
        let played = usize::from(tutor == TutorMode::AfterMove);
        headless.frames(60);
        assert_eq!(plies(&headless), played, "{tutor:?}: the opponent waits");
        assert!(!headless.is_engine_thinking());
        let question = headless.referee().question_text().expect("a question");
        assert!(question.text.contains("the king"), "{}", question.text);
        assert!(!question.text.contains("c1"), "it names no better move");
        assert_eq!(circled(&headless), ["h8", "h9"], "{}", question.text);
        headless.perform(GameAction::Answer(0));
        assert_eq!(plies(&headless), 0, "{tutor:?}: taken back");
        assert!(headless.referee().awaits_move() && !is_asked(headless.app.world()));

        blunder(&mut headless);
        headless.act(GameAction::Answer(1));
        headless.wait_until("the opponent's answer", |world| {
            let table = world.resource::<Referee>().table.as_ref();
            table.is_some_and(|table| table.history().len() == 2)
        });
        assert_eq!(headless.table().history().ply(1).expect("kept").to_string(), "h9-h8");
    }
}

#[test]
fn a_blunder_that_was_kept_is_put_before_the_player_after_the_game() {
    for tutor in MODES {
        let mut headless = with_tutor(tutor);
        blunder(&mut headless);
        headless.act(GameAction::Answer(1));
        headless.wait_until("the opponent's answer", |world| {
            let table = world.resource::<Referee>().table.as_ref();
            table.is_some_and(|table| table.history().len() == 2)
        });
        headless.settle();
        if headless.table().outcome().is_none() {
            headless.act(GameAction::Resign);
        }
        headless.act(GameAction::LearnFromMistakes);
        let practice = |world: &World| {
            world
                .resource::<PracticeSession>()
                .game()
                .filter(|it| it.search.is_over())
                .map(|it| it.exercises.practice.clone())
        };
        headless.wait_until("the mistakes", |world| practice(world).is_some());
        let found = practice(headless.app.world()).expect("a practice");
        let exercise = found.exercise().expect("the blunder");
        let played = exercise.judgement.played.to_string();
        assert_eq!((exercise.ply, played.as_str()), (1, "h9-h8"), "{tutor:?}");
    }
}

#[test]
fn a_good_move_is_played_without_a_question() {
    for tutor in MODES {
        let mut headless = with_tutor(tutor);
        headless.act(GameAction::TypeMove("c3-c1".to_owned()));
        headless.wait_until("the king's escape", |world| {
            let table = world.resource::<Referee>().table.as_ref();
            table.is_some_and(|table| table.outcome().is_some())
        });
        assert!(!is_asked(headless.app.world()));
    }
}

#[test]
fn the_question_can_be_left_by_undo_resignation_the_menu_and_earlier_positions() {
    for tutor in MODES {
        let played = usize::from(tutor == TutorMode::AfterMove);
        let mut headless = with_tutor(tutor);
        blunder(&mut headless);
        headless.perform(GameAction::Undo);
        assert_eq!(plies(&headless), 0, "{tutor:?}");
        assert!(headless.referee().awaits_move() && !is_asked(headless.app.world()));

        // It comes back after another screen.
        blunder(&mut headless);
        headless.act(UiAction::ShowTitle);
        headless.act(UiAction::ShowTable);
        headless.wait_until("the question again", is_asked);
        assert_eq!(plies(&headless), played);
        if played == 1 {
            headless.act(GameAction::ViewPly(0));
            headless.frames(5);
            assert!(!is_asked(headless.app.world()), "an earlier position is viewed");
            headless.act(GameAction::ViewPly(usize::MAX));
            headless.wait_until("the question again", is_asked);
        }

        headless.perform(GameAction::Resign);
        assert_eq!(headless.table().outcome(), Some(Outcome::Resigned(Side::Second)));
        assert_eq!(plies(&headless), played, "{tutor:?}");
        assert!(!is_asked(headless.app.world()));
        assert!(!headless.referee().awaits_verdict());
        headless.act(GameAction::Undo);
        let resigned = Some(Outcome::Resigned(Side::Second));
        assert_ne!(headless.table().outcome(), resigned, "the game goes on");
    }
}

#[test]
fn escape_leaves_the_game_as_it_is() {
    for tutor in MODES {
        let mut headless = with_tutor(tutor);
        blunder(&mut headless);
        headless.perform(GameAction::Deselect);
        assert!(!headless.referee().awaits_verdict());
        let first = headless.table().history().ply(1).map(|ply| ply.to_string());
        let kept = (tutor == TutorMode::AfterMove).then(|| "h9-h8".to_owned());
        assert_eq!(first, kept, "{tutor:?}");
    }
}

#[test]
fn the_clock_stops_while_the_tutor_asks() {
    let text = "7W1/9/9/9/9/2B6/1BKB5/B8/9 w";
    let start = AnyPosition::parse(RuleSet::TablutBerkeley, text).expect("a position");
    let seats = [Seat::Engine(Level::Novice), Seat::Person];
    let clock = "600+0".parse().ok();
    let rules = RuleSet::TablutBerkeley;
    let setup = Setup { start: Some(start), seats, clock, ..two_people(rules, 1) };
    let mut headless = start_game(setup);
    let settings = Settings { tutor: TutorMode::AfterMove, ..Settings::default() };
    headless.change_settings(settings);
    speed_up(&mut headless);
    blunder(&mut headless);
    let left = |headless: &Headless| {
        let clock = headless.table().clock().expect("a clock").clone();
        Side::BOTH.map(|side| clock.left(side))
    };
    let before = left(&headless);
    headless.frames(60);
    assert_eq!(left(&headless), before);
}

#[test]
fn with_the_tutor_a_hint_first_shows_the_piece() {
    let mut headless = with_tutor(TutorMode::AfterMove);
    headless.act(GameAction::Hint);
    headless.wait_until("a hint", |world| world.resource::<Analysis>().hint.is_some());
    headless.settle();
    let highlights = headless.get::<Highlights>();
    assert_eq!((highlights.hinted.len(), highlights.arrows.len()), (1, 0), "the king");
    headless.perform(GameAction::Hint);
    let highlights = headless.get::<Highlights>();
    assert!(!highlights.arrows.is_empty(), "where he goes");
}
