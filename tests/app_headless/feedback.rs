//! Hints, threats, evaluations, draw offers, and the reasons for refused moves.

use super::*;

#[test]
fn a_hint_is_shown_until_the_next_move() {
    for rules in [RuleSet::TablutAshton, RuleSet::Tablaaza] {
        let mut headless = start_game(two_people(rules, 1));
        headless.act(GameAction::Hint);
        headless.wait_until("a hint", |world| world.resource::<Analysis>().hint.is_some());
        let highlights = headless.get::<Highlights>().clone();
        assert!(
            !highlights.arrows.is_empty() || !highlights.hinted.is_empty(),
            "{rules}: on the board"
        );
        let (_, best) = headless.analysis().hint.expect("a hint");
        assert!(headless.table().history().legal_moves().contains(&best), "{rules}");
        headless.perform(GameAction::TypeMove(best.to_string()));
        let highlights = headless.get::<Highlights>().clone();
        assert!(highlights.arrows.is_empty() && highlights.hinted.is_empty(), "{rules}: gone");
    }
}

#[test]
fn switching_the_analysis_on_clears_the_hint() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.act(GameAction::Hint);
    headless.wait_until("a hint", |world| world.resource::<Analysis>().hint.is_some());
    headless.act(ViewAction::ToggleAnalysis);
    assert!(headless.analysis().hint.is_none());
}

#[test]
fn an_answer_to_a_draw_offer_does_not_reach_the_next_game() {
    let rules = RuleSet::TablutAshton;
    // White escapes at once, so that Black would accept.
    let start = AnyPosition::parse(rules, "B8/9/9/9/9/2K6/9/9/9 w").ok();
    let seats = [Seat::Person, Seat::Engine(Level::Newcomer)];
    let setup = Setup { start, seats, ..two_people(rules, 1) };
    let mut headless = start_game(setup.clone());
    headless.app.world_mut().write_message(Action::from(GameAction::OfferDraw));
    headless.frames(1);
    headless.act(GameAction::NewGame(setup));
    headless.act(GameAction::Hint);
    headless.wait_until("a hint", |world| world.resource::<Analysis>().hint.is_some());
    assert_eq!(headless.table().outcome(), None);
}

#[test]
fn positions_are_evaluated_only_while_the_evaluation_is_shown() {
    let mut headless = start_game(two_people(RuleSet::TablutBerkeley, 1));
    assert!(headless.analysis().evaluations.is_empty(), "not evaluated until it is shown");
    headless.act(ViewAction::ToggleEvaluation);
    headless
        .wait_until("an evaluation", |world| !world.resource::<Analysis>().evaluations.is_empty());
    let history = headless.table().history().clone();
    assert!(headless.analysis().value_at(&history, 0).is_some());
}

#[test]
fn help_in_a_rated_game_asks_once_before_it_is_shown() {
    let seats = [Seat::Person, Seat::Engine(Level::Newcomer)];
    let helps: [Action; 3] = [
        ViewAction::ToggleEvaluation.into(),
        ViewAction::ToggleAnalysis.into(),
        GameAction::Hint.into(),
    ];
    let shown = |headless: &Headless| {
        let analysis = headless.analysis();
        [analysis.show_evaluation, analysis.enabled, analysis.hint_pending]
    };
    for (index, help) in helps.iter().enumerate() {
        let mut headless = start_game(Setup { seats, ..two_people(RuleSet::Tablaaza, 1) });
        headless.act(help.clone());
        assert!(headless.referee().question.is_some(), "{help:?}");
        assert!(headless.table().is_rated() && shown(&headless) == [false; 3], "{help:?}");
        headless.act(GameAction::Answer(0));
        assert!(!headless.table().is_rated() && headless.referee().question.is_none());
        assert!(index == 2 || shown(&headless)[index], "{help:?}");
        for other in &helps {
            headless.act(other.clone());
            assert!(headless.referee().question.is_none(), "{help:?}, then {other:?}: once");
        }
    }
}

#[test]
fn an_evaluation_that_was_left_on_does_not_cost_the_next_game_its_rating() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.act(ViewAction::ToggleEvaluation);
    assert!(headless.analysis().show_evaluation, "guests have no rating");
    let seats = [Seat::Person, Seat::Engine(Level::Newcomer)];
    headless.perform(GameAction::NewGame(Setup { seats, ..two_people(RuleSet::Tablaaza, 2) }));
    assert!(headless.table().is_rated() && !headless.analysis().show_evaluation);
}

#[test]
fn a_game_given_up_before_both_have_moved_is_aborted_and_has_no_result() {
    let seats = [Seat::Engine(Level::Newcomer), Seat::Person];
    let mut headless = start_game(Setup { seats, ..two_people(RuleSet::Tablaaza, 1) });
    let answered = |plies: usize| {
        move |world: &World| {
            let table = world.resource::<Referee>().table.as_ref();
            table.is_some_and(|table| table.history().len() == plies)
        }
    };
    headless.wait_until("the computer's move", answered(1));
    headless.perform(GameAction::Resign);
    assert!(headless.table().is_aborted(), "only the computer has moved");
    headless.perform(GameAction::Rematch);
    headless.play("c7");
    headless.wait_until("the computer's answer", answered(2));
    headless.perform(GameAction::Resign);
    assert!(headless.table().outcome().is_some() && !headless.table().is_aborted());
}

#[test]
fn threats_are_shown_on_request() {
    let start = AnyPosition::parse(RuleSet::TablutBerkeley, "B8/9/9/9/9/2K6/9/9/9 w");
    let setup = Setup { start: start.ok(), ..two_people(RuleSet::TablutBerkeley, 1) };
    let mut headless = start_game(setup);
    let arrows = |headless: &Headless| headless.get::<Highlights>().arrows.len();
    assert_eq!(arrows(&headless), 0);
    headless.perform(ViewAction::ToggleThreats);
    assert_eq!(arrows(&headless), 4, "the king's open paths");
    headless.perform(ViewAction::ToggleThreats);
    assert_eq!(arrows(&headless), 0);
    headless.act(ViewAction::ToggleThreats);
    headless.perform(GameAction::Resign);
    assert_eq!(arrows(&headless), 0, "no threats after a resignation");
    headless.perform(GameAction::Undo);
    assert_eq!(arrows(&headless), 4, "shown again after an undo");
}

#[test]
fn a_draw_can_be_offered_to_a_person_and_to_an_engine() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    headless.act(GameAction::OfferDraw);
    assert_eq!(headless.referee().question_text().map(|question| question.choices.len()), Some(2));
    headless.act(GameAction::Answer(1));
    assert_eq!(headless.table().outcome(), None, "declined");
    headless.act(GameAction::OfferDraw);
    headless.act(GameAction::Answer(0));
    assert_eq!(headless.table().outcome(), Some(Outcome::Agreed));
    headless.act(GameAction::Undo);
    assert_eq!(headless.table().outcome(), None);

    // The engine is nearly lost, so it accepts.
    let start = AnyPosition::parse(RuleSet::TablutAshton, "B8/9/9/9/9/2K6/9/9/9 w");
    let seats = [Seat::Person, Seat::Engine(Level::Novice)];
    let mut headless =
        start_game(Setup { seats, start: start.ok(), ..two_people(RuleSet::TablutAshton, 1) });
    headless.act(GameAction::OfferDraw);
    headless.wait_until("an answer", |world| {
        let referee = world.resource::<Referee>();
        referee.table.as_ref().is_some_and(|table| table.outcome().is_some())
    });
    assert_eq!(headless.table().outcome(), Some(Outcome::Agreed));

    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.act(GameAction::OfferDraw);
    assert!(headless.referee().question.is_none(), "Tablaaza has no draws");
}

#[test]
fn an_illegal_stone_is_refused_with_a_reason() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    let history = headless.table().history().clone();
    let legal: Vec<String> = history.legal_moves().iter().map(ToString::to_string).collect();
    let squares = BoardGrid::new(RuleSet::Tablaaza).squares;
    let other =
        squares.iter().find(|square| !legal.contains(&square.0.to_string())).expect("a lake").0;
    headless.act(GameAction::SelectSquare(other));
    let notice = headless.notice().cloned().expect("a message");
    assert!(notice.text.contains(&other.to_string()), "{}", notice.text);
    headless.act(GameAction::TypeMove(other.to_string()));
    let typed = headless.notice().cloned().expect("a message");
    for refusal in [notice, typed] {
        assert!(refusal.is_refusal && !refusal.is_error, "{}", refusal.text);
    }
    headless.act(GameAction::TypeMove(legal[0].clone()));
    assert_eq!(headless.notice(), None);
}

#[test]
fn a_click_on_a_piece_that_cannot_be_moved_says_why() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let mut said = |at: &str| {
        headless.click(at);
        headless.notice().map(|notice| notice.text.clone())
    };
    // White begins; the king stands among his soldiers.
    assert_eq!(said("e5").as_deref(), Some("Not allowed: the piece on e5 cannot move now."));
    assert_eq!(said("e8").as_deref(), Some("Not allowed: the piece on e8 is the opponent's."));
    assert_eq!(said("c3"), None, "nothing stands there");
    assert_eq!(said("e4"), None, "it is picked up");
    assert_eq!(said("e5").as_deref(), Some("Not allowed: the piece on e5 cannot move now."));
}

#[test]
fn a_position_with_an_unused_throw_shows_that_throw() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t4").ok();
    let headless = start_game(Setup { start, ..two_people(RuleSet::Tablan, 1) });
    let history = headless.table().history();
    let command = set_position_command(RuleSet::Tablan, &pieces_at(history, 0), history, 0);
    let SceneCommand::SetPosition(position) = command else { panic!("{command:?}") };
    assert_eq!(position.sticks.map(Throw::plain), Some(4));
}

#[test]
fn a_refusal_names_its_square_once() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    let refusal = |headless: &mut Headless, text: &str| {
        headless.act(GameAction::TypeMove(text.to_owned()));
        headless.notice().cloned().expect("a message").text
    };
    assert_eq!(refusal(&mut headless, "c4"), "Not allowed: c4 is a lake.");
    let message = refusal(&mut headless, "b7");
    assert_eq!(message.matches("b7").count(), 1, "{message}");
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    assert!(refusal(&mut headless, "e4-f5").contains("e4-f5"), "the reason does not name the move");
    let message = refusal(&mut headless, "castle");
    assert_eq!(message.matches("castle").count(), 1, "{message}");
}

#[test]
fn returning_to_a_game_ends_the_analysis() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    headless.act(GameAction::TypeMove("b7".to_owned()));
    headless.act(GameAction::TypeMove("a7".to_owned()));
    headless.act(ReplayAction::WatchGame);
    let analysed = |headless: &Headless| headless.analysis().enabled;
    for action in [
        Action::Ui(UiAction::ShowTable),
        Action::Game(GameAction::NewGame(two_people(RuleSet::TablutAshton, 1))),
    ] {
        headless.act(ViewAction::ToggleAnalysis);
        assert!(analysed(&headless), "before {action:?}");
        headless.act(action.clone());
        assert!(!analysed(&headless), "after {action:?}");
    }
}

#[test]
fn clicking_an_unreachable_square_shows_the_reason() {
    let message = |headless: &Headless| headless.notice().map(|notice| notice.text.clone());
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    for (clicks, reason) in [
        ("e4 g4", None),
        ("e4 e8", Some("in the way")),
        ("d5 c4", Some("not in line")),
        ("e6 e6", None),
        // The click may have meant to select the king, which cannot move.
        ("e4 e5", Some("cannot move")),
        ("a1", None),
    ] {
        let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
        headless.click(clicks);
        let shown = message(&headless);
        assert_eq!(shown.is_some(), reason.is_some(), "{clicks}: {shown:?}");
        if let (Some(shown), Some(reason)) = (shown, reason) {
            assert!(shown.contains(reason), "{clicks}: {shown}");
            assert!(headless.referee().selection.is_empty());
        }
    }
    // The next ply clears the message.
    headless.click("e4 e8");
    assert!(message(&headless).is_some());
    headless.click("e4 f4");
    assert_eq!(message(&headless), None);

    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/2SS8 s t1").expect("a position");
    let setup = Setup { start: Some(start), ..two_people(RuleSet::Tablan, 1) };
    let mut headless = start_game(setup);
    headless.click("c1 h1");
    assert!(
        message(&headless).is_some_and(|message| message.contains("5 squares")),
        "{:?}",
        message(&headless)
    );
    // The second half of a pair, dropped and clicked.
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1").expect("a position");
    for click in [false, true] {
        let setup = Setup { start: Some(start.clone()), ..two_people(RuleSet::Tablan, 1) };
        let mut headless = start_game(setup);
        headless.drag("a1", "b1");
        if click {
            headless.click("e1 h1");
        } else {
            headless.drag("e1", "h1");
        }
        assert!(
            message(&headless).is_some_and(|message| message.contains("3 squares")),
            "{:?}",
            message(&headless)
        );
    }
    // Half of the score, but no other piece can move the other half.
    let start = AnyPosition::parse(RuleSet::Tablan, "11S/N11/12/2S9 s t1").expect("a position");
    let mut headless = start_game(Setup { start: Some(start), ..two_people(RuleSet::Tablan, 1) });
    headless.click("c1 d1");
    assert!(
        message(&headless).is_some_and(|message| message.contains("other half")),
        "{:?}",
        message(&headless)
    );
}

#[test]
fn a_click_clears_only_messages_about_clicks() {
    let mut headless = start_game(two_people(RuleSet::TablutAshton, 1));
    let folder = tempfile::tempdir().expect("a folder");
    headless.act(GameAction::Save(folder.path().join("kept.tab")));
    let saved = headless.notice().cloned().expect("a message");
    assert!(!saved.is_error, "{}", saved.text);
    headless.click("e4");
    assert_eq!(headless.notice(), Some(&saved));
    headless.click("e8");
    let refused = headless.notice().cloned().expect("a reason");
    assert!(refused.text.contains("in the way"), "{}", refused.text);
    headless.click("e4");
    assert_eq!(headless.notice(), None);
}

#[test]
fn the_move_that_decided_the_game_stays_drawn() {
    let start = AnyPosition::parse(RuleSet::TablutAshton, "B8/9/9/9/9/2K6/9/9/9 w").ok();
    let mut headless = start_game(Setup { start, ..two_people(RuleSet::TablutAshton, 1) });
    let drawn = |headless: &Headless| {
        let highlights = headless.get::<Highlights>().clone();
        (highlights.circles, highlights.arrows)
    };
    assert_eq!(drawn(&headless), (Vec::new(), Vec::new()));
    headless.perform(GameAction::TypeMove("c4-c1".to_owned()));
    assert!(matches!(headless.table().outcome(), Some(Outcome::Ended(_))));
    let (circles, arrows) = drawn(&headless);
    assert_eq!(circles.len(), 1, "where the king went");
    assert_eq!(arrows.len(), 1, "his way out");
    headless.perform(GameAction::Undo);
    assert_eq!(drawn(&headless), (Vec::new(), Vec::new()));
}

#[test]
fn the_corridors_of_an_enemy_square_are_lit_and_those_of_a_new_pavilion_for_a_moment() {
    let mut headless = start_game(two_people(RuleSet::Tablaaza, 1));
    let corridors = |headless: &Headless| headless.get::<LitCorridors>().0.clone();
    let square = |name: &str| name.parse::<Square>().expect("a square");
    // Red is to move: b1 is Green's, c1 Red's.
    headless.hover(square("b1"));
    headless.frames(2);
    let [lit] = &corridors(&headless)[..] else { panic!("{:?}", corridors(&headless)) };
    assert_eq!((lit.of, lit.filled(), lit.squares.len()), (square("b1"), 0, 7));
    headless.hover(square("c1"));
    headless.frames(2);
    assert_eq!(corridors(&headless), [], "an own square");

    // All but one of the squares that b1 waits for are filled.
    let history = headless.table().history().clone();
    let position = history.position().clone();
    let AnyPosition::Tablaaza(position) = position else { panic!("Tablaaza") };
    let needed: Vec<Square> =
        position.corridor_squares(square("b1")).into_iter().map(|(at, _)| at).collect();
    let mut raised = false;
    for at in needed {
        headless.perform(GameAction::TypeMove(at.to_string()));
        raised = corridors(&headless).iter().any(|corridor| corridor.of == square("b1"));
        if raised {
            break;
        }
        // Green answers anywhere else.
        let moves = headless.table().history().legal_moves();
        let elsewhere = moves.iter().find(|mv| mv.to_string() != "b1").expect("a move");
        headless.perform(GameAction::TypeMove(elsewhere.to_string()));
    }
    assert!(raised, "the corridors that made it are lit");
    headless.hover(square("c1"));
    headless.frames(60);
    assert_eq!(corridors(&headless), [], "for a moment");
}

#[test]
fn that_a_game_does_not_count_after_a_hint_is_asked_and_not_told_again() {
    let seats = [Seat::Person, Seat::Engine(Level::Newcomer)];
    let mut headless = start_game(Setup { seats, ..two_people(RuleSet::TablutBerkeley, 1) });
    headless.act(GameAction::Hint);
    assert!(headless.referee().question.is_some());
    headless.act(GameAction::Answer(0));
    assert!(headless.referee().question.is_none());
    assert_eq!(headless.notice(), None);
    assert!(headless.table().unrated_reason().is_some());
}

#[test]
fn the_end_of_a_game_of_tablan_marks_its_last_move_once() {
    let start = AnyPosition::parse(RuleSet::Tablan, "12/10NS/12/NNN9 s t1");
    let start = Some(start.expect("a position"));
    let mut headless = start_game(Setup { start, ..two_people(RuleSet::Tablan, 1) });
    let mv = headless.table().history().legal_moves()[0];
    headless.perform(GameAction::TypeMove(mv.to_string()));
    headless.frames(3);
    assert!(matches!(headless.table().outcome(), Some(Outcome::Ended(_))));
    let highlights = headless.get::<Highlights>();
    assert!(!highlights.last_move.is_empty());
    assert!(highlights.arrows.is_empty(), "{:?}", highlights.arrows);
}
