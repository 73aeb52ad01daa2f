//! What is told when it is asked for: hints, threats, who is ahead, draws.

use super::*;

#[test]
fn a_hint_comes_by_itself_and_is_shown_until_the_next_move() {
    for rules in [RuleSet::TablutAshton, RuleSet::Tablaaza] {
        let mut silent = at_table(persons(rules, 1));
        silent.act(Act::Hint);
        silent.until("a hint", |world| world.resource::<Advice>().hint.is_some());
        let marks = silent.app.world().resource::<Marks>().clone();
        assert!(!marks.arrows.is_empty() || !marks.advised.is_empty(), "{rules}: on the board");
        let (_, best) = silent.app.world().resource::<Advice>().hint.expect("a hint");
        assert!(silent.table().history().legal_moves().contains(&best), "{rules}");
        silent.act(Act::Type(best.to_string()));
        silent.settle();
        let marks = silent.app.world().resource::<Marks>().clone();
        assert!(marks.arrows.is_empty() && marks.advised.is_empty(), "{rules}: gone");
    }
}

#[test]
fn an_analysis_puts_the_hint_away() {
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    silent.act(Act::Hint);
    silent.until("a hint", |world| world.resource::<Advice>().hint.is_some());
    silent.act(Act::Analyse);
    assert!(silent.app.world().resource::<Advice>().hint.is_none());
}

#[test]
fn who_is_ahead_is_found_out_while_it_is_shown() {
    let mut silent = at_table(persons(RuleSet::TablutBerkeley, 1));
    assert!(silent.app.world().resource::<Advice>().known.is_empty(), "hidden until asked for");
    silent.act(Act::Value);
    silent.until("a value", |world| !world.resource::<Advice>().known.is_empty());
    let line = silent.table().history().clone();
    assert!(silent.app.world().resource::<Advice>().value_at(&line, 0).is_some());
}

#[test]
fn threats_are_shown_on_request() {
    let start = AnyPosition::parse(RuleSet::TablutBerkeley, "B8/9/9/9/9/2K6/9/9/9 w");
    let setup = Setup { start: start.ok(), ..persons(RuleSet::TablutBerkeley, 1) };
    let mut silent = at_table(setup);
    let arrows = |silent: &Silent| silent.app.world().resource::<Marks>().arrows.len();
    assert_eq!(arrows(&silent), 0);
    silent.act(Act::Threats);
    silent.settle();
    assert_eq!(arrows(&silent), 4, "the king's open ways");
    silent.act(Act::Threats);
    silent.settle();
    assert_eq!(arrows(&silent), 0);
    silent.act(Act::Threats);
    silent.act(Act::Resign);
    silent.settle();
    assert_eq!(arrows(&silent), 0, "nothing threatens once somebody has given up");
    silent.act(Act::Undo);
    silent.settle();
    assert_eq!(arrows(&silent), 4, "it is taken back");
}

#[test]
fn a_draw_is_offered_to_a_person_and_to_an_engine() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    silent.act(Act::OfferDraw);
    assert_eq!(silent.referee().question.as_ref().map(|it| it.choices.len()), Some(2));
    silent.act(Act::Answer(1));
    assert_eq!(silent.table().outcome(), None, "declined");
    silent.act(Act::OfferDraw);
    silent.act(Act::Answer(0));
    assert_eq!(silent.table().outcome(), Some(Outcome::Agreed));
    silent.act(Act::Undo);
    assert_eq!(silent.table().outcome(), None);

    // The engine has nearly lost: it accepts.
    let start = AnyPosition::parse(RuleSet::TablutAshton, "B8/9/9/9/9/2K6/9/9/9 w");
    let seats = [Seat::Person, Seat::Engine(Level::Novice)];
    let mut silent =
        at_table(Setup { seats, start: start.ok(), ..persons(RuleSet::TablutAshton, 1) });
    silent.act(Act::OfferDraw);
    silent.until("an answer", |world| {
        let referee = world.resource::<tabulae::app::referee::Referee>();
        referee.table.as_ref().is_some_and(|table| table.outcome().is_some())
    });
    assert_eq!(silent.table().outcome(), Some(Outcome::Agreed));

    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    silent.act(Act::OfferDraw);
    assert!(silent.referee().question.is_none(), "Tablaaza knows no draw");
}

#[test]
fn a_stone_that_cannot_be_played_is_refused_with_the_reason() {
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    let line = silent.table().history().clone();
    let legal: Vec<String> = line.legal_moves().iter().map(ToString::to_string).collect();
    let squares = BoardGrid::new(RuleSet::Tablaaza).squares;
    let other = squares.iter().find(|it| !legal.contains(&it.0.to_string())).expect("a lake").0;
    silent.act(Act::Touch(other));
    let notice = silent.referee().notice.clone().expect("a word about it");
    assert!(notice.is_error && notice.text.contains(&other.to_string()), "{}", notice.text);
    silent.act(Act::Type(legal[0].clone()));
    assert_eq!(silent.referee().notice, None);
}

#[test]
fn a_position_that_waits_for_a_score_shows_its_throw() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t4").ok();
    let silent = at_table(Setup { start, ..persons(RuleSet::Tablan, 1) });
    let line = silent.table().history();
    let cue = set_cue(RuleSet::Tablan, &roster_at(line, 0), line, 0);
    assert!(matches!(cue, Cue::Set { sticks: Some(throw), .. } if throw.plain() == 4));
}

#[test]
fn why_a_move_is_refused_names_its_square_once() {
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    let said = |silent: &mut Silent, text: &str| {
        silent.act(Act::Type(text.to_owned()));
        silent.referee().notice.clone().expect("a word").text
    };
    assert_eq!(said(&mut silent, "c4"), "That cannot be done: c4 is a lake.");
    let word = said(&mut silent, "b7");
    assert_eq!(word.matches("b7").count(), 1, "{word}");
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    assert!(said(&mut silent, "e4-f5").contains("e4-f5"), "a move that its reason does not name");
    let word = said(&mut silent, "castle");
    assert_eq!(word.matches("castle").count(), 1, "{word}");
}

#[test]
fn an_analysis_does_not_come_along_into_a_game() {
    let mut silent = at_table(persons(RuleSet::Tablaaza, 1));
    silent.act(Act::Type("b7".to_owned()));
    silent.act(Act::Type("a7".to_owned()));
    silent.act(Act::Watch);
    let analysed = |silent: &Silent| silent.app.world().resource::<Advice>().analysis;
    for act in [Act::Table, Act::NewGame(persons(RuleSet::TablutAshton, 1))] {
        silent.act(Act::Analyse);
        assert!(analysed(&silent), "before {act:?}");
        silent.act(act.clone());
        assert!(!analysed(&silent), "after {act:?}");
    }
}

#[test]
fn a_chosen_piece_that_cannot_go_there_says_why() {
    let said = |silent: &Silent| silent.referee().notice.as_ref().map(|it| it.text.clone());
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    for (touched, reason) in [
        ("e4 g4", None),
        ("e4 e8", Some("in the way")),
        ("d5 c4", Some("not in line")),
        ("e6 e6", None),
        // The king, who is shut in, may have been meant to be chosen.
        ("e4 e5", None),
        ("a1", None),
    ] {
        let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
        silent.click(touched);
        let said = said(&silent);
        assert_eq!(said.is_some(), reason.is_some(), "{touched}: {said:?}");
        if let (Some(said), Some(reason)) = (said, reason) {
            assert!(said.contains(reason), "{touched}: {said}");
            assert!(silent.referee().selection.is_empty());
        }
    }
    // The next ply settles it.
    silent.click("e4 e8");
    assert!(said(&silent).is_some());
    silent.click("e4 f4");
    assert_eq!(said(&silent), None);

    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/2SS8 s t1").expect("a position");
    let setup = Setup { start: Some(start), ..persons(RuleSet::Tablan, 1) };
    let mut silent = at_table(setup);
    silent.click("c1 h1");
    assert!(said(&silent).is_some_and(|it| it.contains("5 steps")), "{:?}", said(&silent));
    // Half of the score, with nobody to take the other half.
    let start = AnyPosition::parse(RuleSet::Tablan, "11S/N11/12/2S9 s t1").expect("a position");
    let mut silent = at_table(Setup { start: Some(start), ..persons(RuleSet::Tablan, 1) });
    silent.click("c1 d1");
    assert!(said(&silent).is_some_and(|it| it.contains("no pair")), "{:?}", said(&silent));
}

#[test]
fn a_touch_puts_away_only_what_was_said_of_touches() {
    let mut silent = at_table(persons(RuleSet::TablutAshton, 1));
    let folder = tempfile::tempdir().expect("a folder");
    silent.act(Act::Save(folder.path().join("kept.tab")));
    let saved = silent.referee().notice.clone().expect("a word about it");
    assert!(!saved.is_error, "{}", saved.text);
    silent.click("e4");
    assert_eq!(silent.referee().notice, Some(saved));
    silent.click("e8");
    let refused = silent.referee().notice.clone().expect("a reason");
    assert!(refused.text.contains("in the way"), "{}", refused.text);
    silent.click("e4");
    assert_eq!(silent.referee().notice, None);
}
