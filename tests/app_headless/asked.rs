//! What is told when it is asked for: hints, threats, who is ahead, draws.

use super::*;

#[test]
fn a_hint_comes_by_itself_and_is_shown_until_the_next_move() {
    for rules in [RuleSet::TablutAshton, RuleSet::Tablaaza] {
        let mut headless = at_table(persons(rules, 1));
        headless.act(Action::Game(GameAction::Hint));
        headless.until("a hint", |world| world.resource::<Analysis>().hint.is_some());
        let marks = headless.app.world().resource::<Highlights>().clone();
        assert!(!marks.arrows.is_empty() || !marks.advised.is_empty(), "{rules}: on the board");
        let (_, best) = headless.app.world().resource::<Analysis>().hint.expect("a hint");
        assert!(headless.table().line().legal_moves().contains(&best), "{rules}");
        headless.act(Action::Game(GameAction::TypeMove(best.to_string())));
        headless.settle();
        let marks = headless.app.world().resource::<Highlights>().clone();
        assert!(marks.arrows.is_empty() && marks.advised.is_empty(), "{rules}: gone");
    }
}

#[test]
fn an_analysis_puts_the_hint_away() {
    let mut headless = at_table(persons(RuleSet::Tablaaza, 1));
    headless.act(Action::Game(GameAction::Hint));
    headless.until("a hint", |world| world.resource::<Analysis>().hint.is_some());
    headless.act(Action::View(ViewAction::ToggleAnalysis));
    assert!(headless.app.world().resource::<Analysis>().hint.is_none());
}

#[test]
fn who_is_ahead_is_found_out_while_it_is_shown() {
    let mut headless = at_table(persons(RuleSet::TablutBerkeley, 1));
    assert!(
        headless.app.world().resource::<Analysis>().evaluations.is_empty(),
        "hidden until asked for"
    );
    headless.act(Action::View(ViewAction::ToggleEvaluation));
    headless.until("a value", |world| !world.resource::<Analysis>().evaluations.is_empty());
    let line = headless.table().line().clone();
    assert!(headless.app.world().resource::<Analysis>().value_at(&line, 0).is_some());
}

#[test]
fn threats_are_shown_on_request() {
    let start = AnyPosition::parse(RuleSet::TablutBerkeley, "B8/9/9/9/9/2K6/9/9/9 w");
    let setup = Setup { start: start.ok(), ..persons(RuleSet::TablutBerkeley, 1) };
    let mut headless = at_table(setup);
    let arrows = |headless: &Headless| headless.app.world().resource::<Highlights>().arrows.len();
    assert_eq!(arrows(&headless), 0);
    headless.act(Action::View(ViewAction::ToggleThreats));
    headless.settle();
    assert_eq!(arrows(&headless), 4, "the king's open ways");
    headless.act(Action::View(ViewAction::ToggleThreats));
    headless.settle();
    assert_eq!(arrows(&headless), 0);
    headless.act(Action::View(ViewAction::ToggleThreats));
    headless.act(Action::Game(GameAction::Resign));
    headless.settle();
    assert_eq!(arrows(&headless), 0, "nothing threatens once somebody has given up");
    headless.act(Action::Game(GameAction::Undo));
    headless.settle();
    assert_eq!(arrows(&headless), 4, "it is taken back");
}

#[test]
fn a_draw_is_offered_to_a_person_and_to_an_engine() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    headless.act(Action::Game(GameAction::OfferDraw));
    assert_eq!(headless.referee().question.as_ref().map(|it| it.choices.len()), Some(2));
    headless.act(Action::Game(GameAction::Answer(1)));
    assert_eq!(headless.table().outcome(), None, "declined");
    headless.act(Action::Game(GameAction::OfferDraw));
    headless.act(Action::Game(GameAction::Answer(0)));
    assert_eq!(headless.table().outcome(), Some(Outcome::Agreed));
    headless.act(Action::Game(GameAction::Undo));
    assert_eq!(headless.table().outcome(), None);

    // The engine has nearly lost: it accepts.
    let start = AnyPosition::parse(RuleSet::TablutAshton, "B8/9/9/9/9/2K6/9/9/9 w");
    let seats = [Seat::Person, Seat::Engine(Level::Novice)];
    let mut headless =
        at_table(Setup { seats, start: start.ok(), ..persons(RuleSet::TablutAshton, 1) });
    headless.act(Action::Game(GameAction::OfferDraw));
    headless.until("an answer", |world| {
        let referee = world.resource::<tabulae::app::game::referee::Referee>();
        referee.table.as_ref().is_some_and(|table| table.outcome().is_some())
    });
    assert_eq!(headless.table().outcome(), Some(Outcome::Agreed));

    let mut headless = at_table(persons(RuleSet::Tablaaza, 1));
    headless.act(Action::Game(GameAction::OfferDraw));
    assert!(headless.referee().question.is_none(), "Tablaaza knows no draw");
}

#[test]
fn a_stone_that_cannot_be_played_is_refused_with_the_reason() {
    let mut headless = at_table(persons(RuleSet::Tablaaza, 1));
    let line = headless.table().line().clone();
    let legal: Vec<String> = line.legal_moves().iter().map(ToString::to_string).collect();
    let squares = Board::of(RuleSet::Tablaaza).squares;
    let other = squares.iter().find(|it| !legal.contains(&it.0.to_string())).expect("a lake").0;
    headless.act(Action::Game(GameAction::SelectSquare(other)));
    let notice = headless.referee().notice.clone().expect("a word about it");
    assert!(notice.is_error && notice.text.contains(&other.to_string()), "{}", notice.text);
    headless.act(Action::Game(GameAction::TypeMove(legal[0].clone())));
    assert_eq!(headless.referee().notice, None);
}

#[test]
fn a_position_that_waits_for_a_score_shows_its_throw() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t4").ok();
    let headless = at_table(Setup { start, ..persons(RuleSet::Tablan, 1) });
    let line = headless.table().line();
    let cue = set_cue(RuleSet::Tablan, &roster_at(line, 0), line, 0);
    assert!(matches!(cue, SceneCommand::Set { sticks: Some(throw), .. } if throw.plain() == 4));
}

#[test]
fn why_a_move_is_refused_names_its_square_once() {
    let mut headless = at_table(persons(RuleSet::Tablaaza, 1));
    let said = |headless: &mut Headless, text: &str| {
        headless.act(Action::Game(GameAction::TypeMove(text.to_owned())));
        headless.referee().notice.clone().expect("a word").text
    };
    assert_eq!(said(&mut headless, "c4"), "That cannot be done: c4 is a lake.");
    let word = said(&mut headless, "b7");
    assert_eq!(word.matches("b7").count(), 1, "{word}");
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    assert!(said(&mut headless, "e4-f5").contains("e4-f5"), "a move that its reason does not name");
    let word = said(&mut headless, "castle");
    assert_eq!(word.matches("castle").count(), 1, "{word}");
}

#[test]
fn an_analysis_does_not_come_along_into_a_game() {
    let mut headless = at_table(persons(RuleSet::Tablaaza, 1));
    headless.act(Action::Game(GameAction::TypeMove("b7".to_owned())));
    headless.act(Action::Game(GameAction::TypeMove("a7".to_owned())));
    headless.act(Action::Replay(ReplayAction::WatchGame));
    let analysed = |headless: &Headless| headless.app.world().resource::<Analysis>().enabled;
    for act in [
        Action::Ui(UiAction::ShowTable),
        Action::Game(GameAction::NewGame(persons(RuleSet::TablutAshton, 1))),
    ] {
        headless.act(Action::View(ViewAction::ToggleAnalysis));
        assert!(analysed(&headless), "before {act:?}");
        headless.act(act.clone());
        assert!(!analysed(&headless), "after {act:?}");
    }
}

#[test]
fn a_chosen_piece_that_cannot_go_there_says_why() {
    let said = |headless: &Headless| headless.referee().notice.as_ref().map(|it| it.text.clone());
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    for (touched, reason) in [
        ("e4 g4", None),
        ("e4 e8", Some("in the way")),
        ("d5 c4", Some("not in line")),
        ("e6 e6", None),
        // The king, who is shut in, may have been meant to be chosen.
        ("e4 e5", None),
        ("a1", None),
    ] {
        let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
        headless.click(touched);
        let said = said(&headless);
        assert_eq!(said.is_some(), reason.is_some(), "{touched}: {said:?}");
        if let (Some(said), Some(reason)) = (said, reason) {
            assert!(said.contains(reason), "{touched}: {said}");
            assert!(headless.referee().selection.is_empty());
        }
    }
    // The next ply settles it.
    headless.click("e4 e8");
    assert!(said(&headless).is_some());
    headless.click("e4 f4");
    assert_eq!(said(&headless), None);

    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/2SS8 s t1").expect("a position");
    let setup = Setup { start: Some(start), ..persons(RuleSet::Tablan, 1) };
    let mut headless = at_table(setup);
    headless.click("c1 h1");
    assert!(said(&headless).is_some_and(|it| it.contains("5 steps")), "{:?}", said(&headless));
    // Half of the score, with nobody to take the other half.
    let start = AnyPosition::parse(RuleSet::Tablan, "11S/N11/12/2S9 s t1").expect("a position");
    let mut headless = at_table(Setup { start: Some(start), ..persons(RuleSet::Tablan, 1) });
    headless.click("c1 d1");
    assert!(said(&headless).is_some_and(|it| it.contains("no pair")), "{:?}", said(&headless));
}

#[test]
fn a_touch_puts_away_only_what_was_said_of_touches() {
    let mut headless = at_table(persons(RuleSet::TablutAshton, 1));
    let folder = tempfile::tempdir().expect("a folder");
    headless.act(Action::Game(GameAction::Save(folder.path().join("kept.tab"))));
    let saved = headless.referee().notice.clone().expect("a word about it");
    assert!(!saved.is_error, "{}", saved.text);
    headless.click("e4");
    assert_eq!(headless.referee().notice, Some(saved));
    headless.click("e8");
    let refused = headless.referee().notice.clone().expect("a reason");
    assert!(refused.text.contains("in the way"), "{}", refused.text);
    headless.click("e4");
    assert_eq!(headless.referee().notice, None);
}
