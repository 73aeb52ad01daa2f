use super::*;
use crate::Setup;

fn game(rules: RuleSet, start: Option<&str>, plies: &str) -> GameHistory<AnyPosition> {
    let start = start.map_or_else(
        || AnyPosition::start(rules),
        |text| AnyPosition::parse(rules, text).expect("a position"),
    );
    let mut game = GameHistory::new(start);
    for text in plies.split_whitespace() {
        let ply = game.parse(text).expect("a ply");
        game.push(ply).expect("legal");
    }
    game
}

#[test]
fn every_kind_of_ply_is_described() {
    let tablut = game(RuleSet::TablutAshton, None, "e4-f4 d1-d4 f4-f2");
    assert_eq!(describe_ply(&tablut, 1), ["White moves e4 to f4."]);
    let tablan = game(RuleSet::Tablan, Some("N11/12/12/S3S7 s t1"), "e1-f1+a1-b1");
    assert_eq!(describe_ply(&tablan, 1), ["South moves e1 to f1 and a1 to b1."]);
    let thrown = game(RuleSet::Tablan, None, "t2");
    assert_eq!(describe_ply(&thrown, 1)[0], "South throws 2 plain sides up, not just one.");
    let tablaaza = game(RuleSet::Tablaaza, None, "c7 c6");
    assert_eq!(describe_ply(&tablaaza, 2)[0], "Green plays c6.");
    for number in [0, 9] {
        assert!(describe_ply(&tablaaza, number).is_empty());
    }
}

#[test]
fn squares_are_described_with_their_pieces() {
    let start = AnyPosition::start(RuleSet::TablutAshton);
    let at = |name: &str| describe_square(&start, name.parse().expect("a square"));
    assert_eq!(at("e5"), "e5: king");
    assert_eq!(at("a4"), "a4: black soldier");
    assert_eq!(at("a1"), "a1: empty");
}

#[test]
fn the_reason_after_the_colon_begins_in_lower_case() {
    use crate::i18n::{Language, set_thread_language};
    set_thread_language(Some(Language::Italian));
    for outcome in [Outcome::Resigned(Side::Second), Outcome::TimedOut(Side::Second)] {
        let text = describe_outcome(RuleSet::Tablaaza, outcome);
        assert!(text.starts_with("Vince il Rosso: il Verde "), "{text}");
    }
    set_thread_language(None);
}

#[test]
fn the_score_of_a_match_keeps_the_order_of_the_players() {
    let setup = |names: [&str; 2]| {
        let names = names.map(str::to_owned);
        Setup { games: 3, names, ..Setup::new(RuleSet::Tablaaza) }
    };
    let scores = |names: [&str; 2]| {
        let mut game = GameSession::new(setup(names));
        let mut lines = Vec::new();
        for loser in [Side::First, Side::First, Side::Second] {
            game.resign(loser);
            lines.extend(describe_standing(&game));
            game = game.next_game().unwrap_or(game);
        }
        lines
    };
    let expected = [
        "Game 1 of 3 · Aili 0 – 1 Bruno",
        "Game 2 of 3 · Aili 1 – 1 Bruno",
        "Game 3 of 3 · Aili 2 – 1 Bruno",
    ];
    assert_eq!(scores(["Aili", "Bruno"]), expected);
    // Guests are told apart by the sides that they have now.
    assert_eq!(scores(["", ""])[1], "Game 2 of 3 · Green 1 – 1 Red");
}

#[test]
fn every_end_has_a_sentence() {
    for reason in EndReason::ALL {
        for winner in [None, Some(Side::First)] {
            let said = describe_end(RuleSet::TablutAshton, End { winner, reason: *reason });
            assert!(said.contains(' ') && !said.contains(reason.id()), "{said}");
        }
    }
}
