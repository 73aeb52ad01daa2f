use super::*;
use crate::Setup;
use tabulae_games::{GameHistory, RuleSet};

#[test]
fn a_finishing_move_that_would_lose_or_draw_gives_a_warning() {
    let position = |text| AnyPosition::parse(RuleSet::Tablan, text).expect("a position");
    // South's last piece reaches its goal row with a two; North has three there.
    let loses = position("12/10NS/12/NNN9 s t1");
    assert_eq!(warning(&loses), Some(tr("count.finish-loses")));
    let draws = position("12/10NS/12/N11 s t1");
    assert_eq!(warning(&draws), Some(tr("count.finish-draws")));
    let wins = position("SS10/10NS/12/N11 s t1");
    assert_eq!(warning(&wins), None);
    assert_eq!(warning(&position("12/10NS/12/NNN9 s -")), None, "a throw is due");
    let start = AnyPosition::start(RuleSet::TablutAshton);
    assert_eq!(warning(&start), None);
}

#[test]
fn captures_are_counted_from_the_start_position() {
    let start = AnyPosition::parse(RuleSet::TablutAshton, "9/9/9/9/4K4/9/1B7/9/9 w");
    let mut game = GameHistory::new(start.expect("a position"));
    game.push(game.parse("e5-e6").expect("a move")).expect("legal");
    let counts = scores(game.start(), game.position());
    assert_eq!(counts[1].1, ["0".to_owned(), "0".to_owned()]);
}

#[test]
fn the_status_of_the_second_stone_names_the_neighbourly_rule() {
    let seats = [Seat::Person; 2];
    let mut session = GameSession::new(Setup { seats, ..Setup::new(RuleSet::Tablaaza) });
    let mut said = vec![status(&session)];
    for _ in 0..2 {
        session.play(session.history().legal_moves()[0]).expect("legal");
        said.push(status(&session));
    }
    let near: Vec<bool> = said.iter().map(|text| text.contains("near Red's stone")).collect();
    assert_eq!(near, [false, true, false], "{said:?}");
}

#[test]
fn the_headline_of_tablan_has_the_score() {
    let start = AnyPosition::parse(RuleSet::Tablan, "12/10NS/12/NNN9 s t1").expect("a position");
    for (seats, said) in [
        ([Seat::Person; 2], "North wins 3–1"),
        ([Seat::Person, Seat::Engine(tabulae_engines::Level::Novice)], "You lost 3–1"),
    ] {
        let setup = Setup { seats, start: Some(start.clone()), ..Setup::new(RuleSet::Tablan) };
        let mut session = GameSession::new(setup);
        session.play(session.history().legal_moves()[0]).expect("legal");
        assert_eq!(headline(&session).as_deref(), Some(said));
        let setup = Setup { seats, ..Setup::new(RuleSet::Tablan) };
        let mut session = GameSession::new(setup);
        assert!(session.resign(Side::Second));
        let resigned = headline(&session).expect("an end");
        assert!(!resigned.contains(|it: char| it.is_ascii_digit()), "{resigned}");
    }
}

#[test]
fn the_status_says_which_score_lets_a_side_throw_again() {
    let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t4").expect("a position");
    for (seats, said) in [
        ([Seat::Person; 2], "South scored 8: throw again."),
        (
            [Seat::Person, Seat::Engine(tabulae_engines::Level::Novice)],
            "You scored 8: throw again.",
        ),
    ] {
        let setup = Setup { seats, start: Some(start.clone()), ..Setup::new(RuleSet::Tablan) };
        let mut session = GameSession::new(setup);
        session.play(session.history().legal_moves()[0]).expect("legal");
        assert_eq!(status(&session), said);
    }
}
