//! Differential test: the rules against their second implementation ([`literal`])
//! over random games. At every ply it compares the position, the
//! legal moves with their captures, the turn, the events, the result and repetition.
//!
//! Some games begin at made-up positions with few pieces, and some prefer plies that
//! lead to rare rules. The second implementation counts every rule that it applies; a
//! rule that no game applied fails the test.
//!
//! `cargo differential` runs the full 10,000 games of each rule set.

mod starts;

use std::collections::{BTreeMap, BTreeSet};

use tabulae_games::{
    Announcement, AnyMove, AnyPosition, End, Event, Game, GameHistory, Ply, RuleSet, Side, Throw,
    Turn, for_each_rule_set,
};

use crate::{
    literal::{
        Preference, ReferenceGame, Tally, tablaaza, tablan,
        tablut::{self, Laws},
    },
    random_games::Numbers,
};
use starts::start;

const PREFERENCES: [Preference; 4] =
    [Preference::Nothing, Preference::Captures, Preference::Ahead, Preference::Again];
/// The number of games within which every rule must be applied.
const MAX_GAMES: u64 = 1000;
/// Maximum length of a game, in plies.
const MAX_PLIES: usize = 300;
/// The same for games without sticks in a short run.
const SHORT_GAME_PLIES: usize = 100;

/// A side by the first letter of its name.
fn letter(rules: RuleSet, side: Side) -> char {
    rules.side_name(side).to_ascii_lowercase().chars().next().unwrap()
}

fn end_text(rules: RuleSet, end: End) -> String {
    let winner = end.winner.map_or('-', |side| letter(rules, side));
    format!("{winner} {}", end.reason)
}

/// An event's text, as the second implementation writes it.
fn event_text(rules: RuleSet, event: &Event) -> String {
    let name = |side: Side| letter(rules, side);
    match *event {
        Event::Slid { from, to } => format!("slid {from} {to}"),
        Event::Captured { at, side } => format!("captured {at} {}", name(side)),
        Event::Placed { at, side } => format!("placed {at} {}", name(side)),
        Event::PavilionRaised { at, side } => format!("pavilion {at} {}", name(side)),
        Event::Thrown { side, throw } => format!("thrown {} {throw}", name(side)),
        Event::Passed { side } => format!("passed {}", name(side)),
        Event::Lost { side } => format!("lost {}", name(side)),
        Event::Announced(Announcement::Raichi) => "raichi".to_owned(),
        Event::Announced(Announcement::Tuichi) => "tuichi".to_owned(),
        Event::Announced(Announcement::Starts(side)) => format!("starts {}", name(side)),
        Event::Ended(end) => format!("ended {}", end_text(rules, end)),
        _ => panic!("{event:?} has no second implementation"),
    }
}

/// What is due next, as the second implementation writes it.
fn turn_text(history: &GameHistory<AnyPosition>) -> String {
    let rules = history.position().rules();
    match history.turn() {
        Turn::Move(side) => format!("move {}", letter(rules, side)),
        Turn::Throw(side) => format!("throw {}", letter(rules, side)),
        Turn::Over(end) => format!("over {}", end_text(rules, end)),
    }
}

/// The squares of a move's captures or pavilions, from its notation.
fn captures(position: &AnyPosition, mv: AnyMove) -> BTreeSet<String> {
    let (text, notation) = (mv.to_string(), position.notation(mv));
    let rest = notation.strip_prefix(&text).unwrap();
    let parts: Vec<_> = rest.split(['x', '^']).skip(1).map(str::to_owned).collect();
    let set: BTreeSet<_> = parts.iter().cloned().collect();
    assert_eq!(set.len(), parts.len(), "{notation}");
    set
}

/// A game by both implementations.
struct Pair {
    fast: GameHistory<AnyPosition>,
    reference: Box<dyn ReferenceGame>,
}

impl Pair {
    fn new(rules: RuleSet, reference: Box<dyn ReferenceGame>) -> Self {
        let start = AnyPosition::parse(rules, &reference.text()).unwrap();
        Self { fast: GameHistory::new(start), reference }
    }

    /// Compares both implementations and returns the legal moves, with how well each
    /// fits the preference.
    fn compare(&self, preference: Preference) -> Vec<(AnyMove, i32)> {
        let position = self.fast.position();
        assert_eq!(position.to_string(), self.reference.text(), "{}", self.context());
        assert_eq!(turn_text(&self.fast), self.reference.due(), "{}", self.context());
        let expected = self.reference.moves(preference);
        let mut moves = BTreeMap::new();
        for mv in self.fast.legal_moves() {
            assert_eq!(moves.insert(mv.to_string(), mv), None, "twice {mv}: {}", self.context());
        }
        assert!(moves.keys().eq(expected.keys()), "{moves:?}\n{expected:?}\n{}", self.context());
        moves
            .into_iter()
            .map(|(text, mv)| {
                let reference = &expected[&text];
                assert_eq!(captures(position, mv), reference.with, "{text}: {}", self.context());
                (mv, reference.appeal)
            })
            .collect()
    }

    fn push(&mut self, ply: Ply<AnyMove>, tally: &mut Tally) {
        let rules = self.fast.position().rules();
        let reference = self.reference.play(&ply.to_string(), tally);
        let events = self.fast.push(ply).unwrap().to_vec();
        let ended = events.iter().position(|event| matches!(event, Event::Ended(_)));
        assert!(ended.is_none_or(|index| index + 1 == events.len()), "{}", self.context());
        let mut fast: Vec<_> = events.iter().map(|event| event_text(rules, event)).collect();
        fast.sort();
        assert_eq!(fast, reference, "{}", self.context());
    }

    /// The game so far, for a failure message.
    fn context(&self) -> String {
        let plies: Vec<_> = self.fast.plies().map(|ply| ply.to_string()).collect();
        format!("{} | {}", self.fast.start(), plies.join(" "))
    }
}

/// A random move, mostly one that fits the preference.
fn choose(numbers: &mut Numbers, moves: &[(AnyMove, i32)]) -> AnyMove {
    let best = moves.iter().map(|(_, appeal)| *appeal).max().unwrap();
    let fitting: Vec<_> =
        moves.iter().filter(|(_, appeal)| *appeal == best).map(|(mv, _)| *mv).collect();
    if numbers.below(4) == 0 { numbers.pick(moves).0 } else { numbers.pick(&fitting) }
}

/// Of a few random moves, the one after which the opponent has the fewest replies.
fn choose_restricting(
    numbers: &mut Numbers,
    position: &AnyPosition,
    moves: &[(AnyMove, i32)],
) -> AnyMove {
    let sample: Vec<_> = (0..8).map(|_| numbers.pick(moves).0).collect();
    let left = |mv: &AnyMove| {
        let mut after = position.clone();
        after.play(*mv).unwrap();
        if after.turn().end().is_some_and(|end| end.reason.id() != "no-moves") {
            return usize::MAX;
        }
        after.legal_moves().len()
    };
    sample.into_iter().min_by_key(left).unwrap()
}

fn throw(numbers: &mut Numbers, position: &AnyPosition, preference: Preference) -> Throw {
    let outcomes = position.outcomes();
    assert_eq!(
        outcomes,
        &[0, 1, 2, 3, 4].map(|n| (Throw::new(n).unwrap(), [1, 4, 6, 4, 1][usize::from(n)]))
    );
    // Rarely a null score, so that games make progress.
    if preference == Preference::Nothing {
        let weighted: Vec<_> =
            outcomes.iter().flat_map(|(throw, weight)| vec![*throw; *weight as usize]).collect();
        numbers.pick(&weighted)
    } else {
        numbers
            .pick(&Throw::ALL.map(|throw| if throw.plain() == 3 { Throw::ALL[1] } else { throw }))
    }
}

/// Plays and compares one game.
fn game(rules: RuleSet, seed: u64, max_plies: usize, tally: &mut Tally) -> usize {
    let mut numbers = Numbers::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d));
    let preference = PREFERENCES[usize::try_from(seed % 4).unwrap()];
    let made_up = seed % 8 >= 4;
    let mut pair = Pair::new(rules, start(rules, &mut numbers, preference, made_up));
    let restricts = made_up && preference == Preference::Nothing;
    while pair.fast.len() < max_plies {
        let moves = pair.compare(preference);
        let ply = match pair.fast.turn() {
            Turn::Over(_) => {
                assert!(moves.is_empty() && pair.fast.push(Ply::Throw(Throw::ALL[0])).is_err());
                break;
            }
            Turn::Throw(_) => {
                assert!(moves.is_empty());
                Ply::Throw(throw(&mut numbers, pair.fast.position(), preference))
            }
            Turn::Move(_) if restricts => {
                Ply::Move(choose_restricting(&mut numbers, pair.fast.position(), &moves))
            }
            Turn::Move(_) => Ply::Move(choose(&mut numbers, &moves)),
        };
        pair.push(ply, tally);
    }
    pair.fast.len()
}

/// Compares `games` games, and more until every rule was applied. Prints how often
/// each was applied.
fn compare(rules: RuleSet, games: u64) {
    let known = match rules {
        RuleSet::TablutBerkeley => tablut::rules(Laws::Berkeley),
        RuleSet::TablutAshton => tablut::rules(Laws::Ashton),
        RuleSet::TablutLinnaeus => tablut::rules(Laws::Linnaeus),
        RuleSet::TablutSaami => tablut::rules(Laws::Saami),
        RuleSet::Tablan => tablan::rules(false),
        RuleSet::TablanOrdered => tablan::rules(true),
        RuleSet::Tablaaza => tablaaza::rules(),
        _ => panic!("{rules} has no second implementation"),
    };
    let (mut tally, mut played, mut plies) = (Tally::new(), 0, 0);
    let missed = |tally: &Tally| {
        known.iter().copied().filter(|rule| !tally.contains_key(rule)).collect::<Vec<_>>()
    };
    let max_plies =
        if games < MAX_GAMES && !rules.has_sticks() { SHORT_GAME_PLIES } else { MAX_PLIES };
    while played < games || !missed(&tally).is_empty() && played < MAX_GAMES {
        plies += game(rules, played, max_plies, &mut tally);
        played += 1;
    }
    println!("{rules}: {played} games, {plies} plies, no difference");
    for (rule, times) in &tally {
        println!("{times:>10}  {rule}");
    }
    assert_eq!(missed(&tally), [""; 0], "never met in {rules}");
    let new: Vec<_> = tally.keys().filter(|rule| !known.contains(rule)).collect();
    assert!(new.is_empty(), "met and not known in {rules}: {new:?}");
}

macro_rules! both_implementations_agree {
    ($($(#[$doc:meta])* $set:ident: $id:literal, $file:literal, $title:literal, $game:ident
        ($($rules:ident)?);)*) => {$(
        #[allow(non_snake_case, reason = "tests are named as the rule sets")]
        mod $set {
            use super::*;

            #[test]
            fn agrees() {
                compare(RuleSet::$set, 60);
            }

            /// `cargo differential`.
            #[test]
            #[ignore = "minutes"]
            fn agrees_in_10000_games() {
                compare(RuleSet::$set, 10_000);
            }
        }
    )*};
}

for_each_rule_set!(both_implementations_agree);
