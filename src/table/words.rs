//! A game in words: who plays, what happened and how it ended, in the language
//! spoken now.

use crate::{
    games::{
        Announcement, AnyMove, AnyPosition, End, Event, Game, GameKind, Illegal, Line, Ply, Reason,
        RuleSet, Side, Square, Throw,
    },
    words::{fill, find, say},
};

use super::{Figure, Outcome, Seat, Table, view::figures};

/// What a side is called at the table, to be read (records have
/// [`RuleSet::side_name`]).
#[must_use]
pub fn side_words(rules: RuleSet, side: Side) -> &'static str {
    say(side_key(rules, side))
}

/// The key of a side's name.
///
/// ```
/// use tabulae::games::{RuleSet, Side};
/// use tabulae::table::side_key;
///
/// assert_eq!(side_key(RuleSet::Tablaaza, Side::First), "side.red");
/// ```
#[must_use]
pub fn side_key(rules: RuleSet, side: Side) -> &'static str {
    match rules.side_name(side) {
        "White" => "side.white",
        "Black" => "side.black",
        "South" => "side.south",
        "North" => "side.north",
        "Red" => "side.red",
        _ => "side.green",
    }
}

/// What a rule set is called, to be read.
///
/// ```
/// use tabulae::engines::Level;
/// use tabulae::games::{RuleSet, Side, Throw};
/// use tabulae::table::{Seat, rules_words, seat_words, side_words, throw_off_words, throw_words};
///
/// assert_eq!(side_words(RuleSet::Tablan, Side::First), "South");
/// assert!(rules_words(RuleSet::TablutAshton).contains("Ashton"));
/// assert!(seat_words(Seat::Engine(Level::Club)).contains("Club"));
/// assert_ne!(seat_words(Seat::Person), seat_words(Seat::Engine(Level::Club)));
/// assert_ne!(throw_words(Throw::ALL[4]), throw_off_words(Throw::ALL[4]));
/// ```
#[must_use]
pub fn rules_words(rules: RuleSet) -> &'static str {
    find(&format!("rules.{}", rules.id().replace('/', "-"))).unwrap_or(rules.title())
}

/// What a seat is called, to be read.
#[must_use]
pub fn seat_words(seat: Seat) -> String {
    match seat {
        Seat::Person => say("seat.person").to_owned(),
        Seat::Engine(level) => {
            let title = find(&format!("seat.{}", level.id())).unwrap_or(level.title());
            fill("seat.engine", &[("level", title)])
        }
    }
}

/// An event in words, where it is worth a word of its own (a plain move or
/// stone is not; [`account`] has those too).
#[must_use]
pub fn announce(rules: RuleSet, event: &Event) -> Option<String> {
    let name = |side| side_words(rules, side);
    Some(match *event {
        Event::Slid { .. } | Event::Placed { .. } => return None,
        Event::Captured { at, side } => match rules.game() {
            GameKind::Tablut | GameKind::Tablaaza => {
                fill("said.loses-piece", &[("side", name(side)), ("at", &at.to_string())])
            }
            GameKind::Tablan => {
                fill("said.captures", &[("side", name(side.other())), ("at", &at.to_string())])
            }
        },
        Event::PavilionRaised { at, side } => {
            fill("said.pavilion", &[("side", name(side)), ("at", &at.to_string())])
        }
        Event::Thrown { side, throw } => threw(rules, side, &throw_words(throw)),
        Event::Passed { side } => {
            fill("said.passes", &[("side", name(side)), ("other", name(side.other()))])
        }
        Event::Lost { side } => fill("said.lost", &[("side", name(side))]),
        Event::Announced(Announcement::Raichi) => say("said.raichi").to_owned(),
        Event::Announced(Announcement::Tuichi) => say("said.tuichi").to_owned(),
        Event::Announced(Announcement::Starts(side)) => {
            fill("said.starts", &[("side", name(side))])
        }
        Event::Ended(end) => end_words(rules, end),
    })
}

fn threw(rules: RuleSet, side: Side, throw: &str) -> String {
    fill("said.throws", &[("side", side_words(rules, side)), ("throw", throw)])
}

/// Whether the next throw only says who starts.
pub(super) fn throws_off(position: &AnyPosition) -> bool {
    match position {
        AnyPosition::Tablan(position) => position.throwing_off(),
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => false,
    }
}

/// Everything ply `number` did (1 is the first), sentence by sentence: the
/// move itself, and then what came of it.
///
/// ```
/// use tabulae::games::{AnyPosition, Game, Line, Ply, RuleSet, Side};
/// use tabulae::table::{account, announce, move_words, square_words};
///
/// let rules = RuleSet::TablutAshton;
/// let mut line = Line::new(AnyPosition::start(rules));
/// assert_eq!(square_words(line.position(), "e5".parse()?), "e5: king");
/// let mv = line.position().parse_move("e4-f4")?;
/// line.push(Ply::Move(mv))?;
/// assert_eq!(account(&line, 1), ["White moves e4 to f4."]);
/// assert_eq!(move_words(rules, Side::First, mv), account(&line, 1)[0]);
/// // A plain move needs no word besides.
/// assert!(line.events(1).iter().all(|event| announce(rules, event).is_none()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn account(line: &Line<AnyPosition>, number: usize) -> Vec<String> {
    let rules = line.start().rules();
    let before = number.checked_sub(1).and_then(|before| line.at(before));
    let moved = match (before, line.ply(number)) {
        (Some(before), Some(Ply::Move(mv))) => Some(move_words(rules, before.side(), mv)),
        _ => None,
    };
    let off = before.is_some_and(throws_off);
    let events = line.events(number).iter().filter_map(|event| match *event {
        Event::Thrown { side, throw } if off => Some(threw(rules, side, &throw_off_words(throw))),
        _ => announce(rules, event),
    });
    moved.into_iter().chain(events).collect()
}

/// What stands on a square, in words, for those who hear the board.
#[must_use]
pub fn square_words(position: &AnyPosition, square: Square) -> String {
    let rules = position.rules();
    let figure = figures(position).into_iter().find(|(at, _)| *at == square).map(|it| it.1);
    let what = figure
        .map_or_else(|| say("figure.nothing").to_owned(), |figure| figure_words(rules, figure));
    fill("figure.at", &[("square", &square.to_string()), ("what", &what)])
}

/// What a figure is called.
///
/// ```
/// use tabulae::{games::RuleSet, table::{Figure, figure_words}};
///
/// assert_eq!(figure_words(RuleSet::TablutAshton, Figure::King), "king");
/// ```
#[must_use]
pub fn figure_words(rules: RuleSet, figure: Figure) -> String {
    let of = |key, side| fill(key, &[("side", side_words(rules, side))]);
    match figure {
        Figure::King => say("figure.king").to_owned(),
        Figure::Soldier { white: true } => say("figure.white-soldier").to_owned(),
        Figure::Soldier { white: false } => say("figure.black-soldier").to_owned(),
        Figure::Runner(side) => of("figure.piece", side),
        Figure::Stone(side) => of("figure.stone", side),
        Figure::Pavilion(side) => of("figure.pavilion", side),
    }
}

/// A move in words.
#[must_use]
pub fn move_words(rules: RuleSet, side: Side, mv: AnyMove) -> String {
    let name = side_words(rules, side);
    let steps: Vec<(String, String)> = match mv {
        AnyMove::Tablaaza(mv) => {
            let at = mv.square().to_string();
            return fill("said.places", &[("side", name), ("at", &at)]);
        }
        AnyMove::Tablut(mv) => vec![(mv.from().to_string(), mv.to().to_string())],
        AnyMove::Tablan(mv) => std::iter::once(mv.leader())
            .chain(mv.follower())
            .map(|step| (step.from.to_string(), step.to.to_string()))
            .collect(),
    };
    match steps.as_slice() {
        [(from, to), (from2, to2), ..] => fill(
            "said.moves-two",
            &[("side", name), ("from", from), ("to", to), ("from2", from2), ("to2", to2)],
        ),
        [(from, to)] => fill("said.moves", &[("side", name), ("from", from), ("to", to)]),
        [] => String::new(),
    }
}

/// A throw in words: `1 plain side up, 2 squares`.
#[must_use]
pub fn throw_words(throw: Throw) -> String {
    let sides = sides_words(throw);
    match throw.score() {
        0 => fill("throw.no-score", &[("sides", &sides)]),
        score => fill("throw.score", &[("sides", &sides), ("score", &score.to_string())]),
    }
}

/// A throw that only says who starts, in words.
#[must_use]
pub fn throw_off_words(throw: Throw) -> String {
    match throw.plain() {
        1 => throw_words(throw),
        _ => fill("throw.not-a-one", &[("sides", &sides_words(throw))]),
    }
}

fn sides_words(throw: Throw) -> String {
    match throw.plain() {
        1 => say("throw.one").to_owned(),
        plain => fill("throw.sides", &[("count", &plain.to_string())]),
    }
}

/// Why a game ended, in a sentence.
#[must_use]
pub fn end_words(rules: RuleSet, end: End) -> String {
    let loser = end.winner.map_or("", |side| side_words(rules, side.other()));
    let why = match end.reason {
        Reason::Escape => match rules {
            RuleSet::TablutLinnaeus => say("end.corner").to_owned(),
            _ => say("end.edge").to_owned(),
        },
        Reason::KingCaptured => say("end.king-captured").to_owned(),
        Reason::NoMoves => match rules.game() {
            GameKind::Tablaaza => fill("end.no-squares", &[("loser", loser)]),
            GameKind::Tablut | GameKind::Tablan => fill("end.no-moves", &[("loser", loser)]),
        },
        Reason::Repetition => match rules {
            RuleSet::TablutBerkeley => fill("end.repeated-berkeley", &[("loser", loser)]),
            RuleSet::TablutLinnaeus => say("end.repeated-linnaeus").to_owned(),
            _ => say("end.repeated-ashton").to_owned(),
        },
        Reason::AllHome if end.winner.is_some() => say("end.all-home").to_owned(),
        Reason::AllHome => say("end.all-home-draw").to_owned(),
        Reason::NoPieces => fill("end.no-pieces", &[("loser", loser)]),
        Reason::Deadlock if end.winner.is_some() => say("end.deadlock").to_owned(),
        Reason::Deadlock => say("end.deadlock-draw").to_owned(),
    };
    sentence(rules, end.winner, &why)
}

fn sentence(rules: RuleSet, winner: Option<Side>, why: &str) -> String {
    match winner {
        Some(side) => fill("end.wins", &[("side", side_words(rules, side)), ("why", why)]),
        None => fill("end.draw", &[("why", why)]),
    }
}

/// How the game at a table ended, in a sentence.
///
/// ```
/// use tabulae::games::{End, Illegal, Reason, RuleSet, Side};
/// use tabulae::table::{Outcome, end_words, illegal_words, outcome_words};
///
/// let rules = RuleSet::Tablaaza;
/// let end = End { winner: Some(Side::First), reason: Reason::NoMoves };
/// assert_eq!(outcome_words(rules, Outcome::Ended(end)), end_words(rules, end));
/// assert!(end_words(rules, end).contains("Red"));
/// assert!(outcome_words(rules, Outcome::Resigned(Side::First)).contains("Red"));
/// assert_eq!(illegal_words(&Illegal::GameOver), "the game is over");
/// ```
#[must_use]
pub fn outcome_words(rules: RuleSet, outcome: Outcome) -> String {
    match outcome {
        Outcome::Ended(end) => end_words(rules, end),
        Outcome::Resigned(side) => {
            let why = fill("end.given-up", &[("loser", side_words(rules, side))]);
            sentence(rules, Some(side.other()), &why)
        }
        Outcome::Agreed => sentence(rules, None, say("end.agreed")),
        Outcome::TimedOut(side) => {
            let why = fill("end.timed-out", &[("loser", side_words(rules, side))]);
            sentence(rules, Some(side.other()), &why)
        }
    }
}

/// What the lot said where it was drawn at this table.
///
/// ```
/// use tabulae::games::RuleSet;
/// use tabulae::table::{Setup, Table, lot_words};
///
/// let drawn = Table::new(Setup { seed: Some(1), ..Setup::of(RuleSet::Tablan) });
/// assert!(lot_words(&drawn).is_some_and(|words| !words.is_empty()));
/// assert_eq!(lot_words(&Table::new(Setup::of(RuleSet::Tablaaza))), None, "it has no lot");
/// ```
#[must_use]
pub fn lot_words(table: &Table) -> Option<String> {
    let side = side_words(table.rules(), table.lot()?);
    Some(fill("said.lot", &[("side", side)]))
}

/// Why a move or a throw was refused, in words.
#[must_use]
pub fn illegal_words(reason: &Illegal) -> String {
    reason.why().words()
}

#[cfg(test)]
mod tests;
