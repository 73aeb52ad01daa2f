//! A game in words: what happened, what to do next, how it stands.

use crate::games::{
    Announcement, AnyPosition, End, Event, GameKind, Reason, RuleSet, Side, Throw, Turn,
};

use super::{Outcome, Seat, Table};

/// An event in words, where it is worth a word of its own (a plain move or
/// stone is not).
#[must_use]
pub fn announce(rules: RuleSet, event: &Event) -> Option<String> {
    let name = |side| rules.side_name(side);
    Some(match *event {
        Event::Slid { .. } | Event::Placed { .. } => return None,
        Event::Captured { at, side } => match rules.game() {
            GameKind::Tablut | GameKind::Tablaaza => {
                format!("{} loses the piece on {at}.", name(side))
            }
            GameKind::Tablan => format!("{} captures on {at}.", name(side.other())),
        },
        Event::PavilionRaised { at, side } => format!("{} raises a pavilion on {at}.", name(side)),
        Event::Thrown { side, throw } => format!("{} throws {}.", name(side), throw_words(throw)),
        Event::Passed { side } => {
            format!("No score: {} passes the sticks to {}.", name(side), name(side.other()))
        }
        Event::Lost { side } => {
            format!("No legal way to use it: the throw is lost, {} throws again.", name(side))
        }
        Event::Announced(Announcement::Raichi) => "Raichi! The king sees a way home.".to_owned(),
        Event::Announced(Announcement::Tuichi) => "Tuichi! The king sees two ways home.".to_owned(),
        Event::Announced(Announcement::Starts(side)) => {
            format!("{} has thrown a one and starts.", name(side))
        }
        Event::Ended(end) => end_words(rules, end),
    })
}

/// A throw in words: `1 plain side up, 2 squares`.
#[must_use]
pub fn throw_words(throw: Throw) -> String {
    let sides = match throw.plain() {
        1 => "1 plain side up".to_owned(),
        plain => format!("{plain} plain sides up"),
    };
    match throw.score() {
        0 => format!("{sides}, no score"),
        score => format!("{sides}, {score} squares"),
    }
}

/// Why a game ended, in a sentence.
#[must_use]
pub fn end_words(rules: RuleSet, end: End) -> String {
    let winner = end.winner.map_or("", |side| rules.side_name(side));
    let loser = end.winner.map_or("", |side| rules.side_name(side.other()));
    let head =
        if end.winner.is_some() { format!("{winner} wins: ") } else { "A draw: ".to_owned() };
    let why = match end.reason {
        Reason::Escape => match rules {
            RuleSet::TablutLinnaeus => "the king stands on a corner.".to_owned(),
            _ => "the king has reached the edge.".to_owned(),
        },
        Reason::KingCaptured => "the king is captured.".to_owned(),
        Reason::NoMoves => match rules.game() {
            GameKind::Tablaaza => format!("{loser} has no free square left to play on."),
            GameKind::Tablut | GameKind::Tablan => format!("{loser} has no legal move."),
        },
        Reason::Repetition => match rules {
            RuleSet::TablutBerkeley => format!("{loser} brought an earlier position back."),
            RuleSet::TablutLinnaeus => "the same position stands for the third time.".to_owned(),
            _ => "the same position has come back with no capture between.".to_owned(),
        },
        Reason::AllHome => match end.winner {
            Some(_) => "a player is home with all his pieces, and more of the winner's stand on \
                        the last row."
                .to_owned(),
            None => "a player is home with all his pieces, and both have as many on the last row."
                .to_owned(),
        },
        Reason::NoPieces => format!("{loser} has no piece left."),
        Reason::Deadlock => match end.winner {
            Some(_) => "no throw can be used by either player any more, and more of the winner's \
                        pieces are home."
                .to_owned(),
            None => "no throw can be used by either player any more, and both have as many pieces \
                     home."
                .to_owned(),
        },
    };
    head + &why
}

/// How the game at a table ended, in a sentence.
#[must_use]
pub fn outcome_words(rules: RuleSet, outcome: Outcome) -> String {
    match outcome {
        Outcome::Ended(end) => end_words(rules, end),
        Outcome::Resigned(side) => {
            format!(
                "{} wins: {} has given up.",
                rules.side_name(side.other()),
                rules.side_name(side)
            )
        }
    }
}

/// Whose turn it is and what to do next, in one line.
#[must_use]
pub fn status(table: &Table) -> String {
    let rules = table.rules();
    if let Some(outcome) = table.outcome() {
        return outcome_words(rules, outcome);
    }
    let person = table.seat_to_act() == Some(Seat::Person);
    match table.turn() {
        Some(Turn::Throw(side)) => {
            let name = rules.side_name(side);
            let off = match table.line().position() {
                AnyPosition::Tablan(position) => position.throwing_off(),
                AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => false,
            };
            match (off, person) {
                (true, true) => format!("{name} throws off: whoever throws a one starts."),
                (true, false) => format!("{name} throws off."),
                (false, true) => format!("{name} to throw: touch the sticks."),
                (false, false) => format!("{name} throws."),
            }
        }
        Some(Turn::Move(side)) => {
            let name = rules.side_name(side);
            if !person {
                return format!("{name} is thinking.");
            }
            match (rules.game(), pending(table.line().position())) {
                (GameKind::Tablaaza, _) => {
                    let colour = name.to_lowercase();
                    format!("{name} to play: touch a free {colour} square.")
                }
                (_, Some(throw)) => {
                    let score = throw.score();
                    format!(
                        "{name} to move: one piece {score} squares, or two pieces {} each.",
                        score / 2
                    )
                }
                (_, None) => format!("{name} to move: touch a piece, then where it goes."),
            }
        }
        Some(Turn::Over(_)) | None => String::new(),
    }
}

fn pending(position: &AnyPosition) -> Option<Throw> {
    match position {
        AnyPosition::Tablan(position) => position.pending(),
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => None,
    }
}

/// The counts that decide the game: a label, and a figure for each side, by
/// [`Side::index`].
#[must_use]
pub fn scores(position: &AnyPosition) -> Vec<(&'static str, [String; 2])> {
    let both = |count: &dyn Fn(Side) -> u32| Side::BOTH.map(|side| count(side).to_string());
    match position {
        AnyPosition::Tablut(tablut) => {
            let (white, black) = (tablut.white_soldiers().len(), tablut.black_soldiers().len());
            let rules = position.rules();
            let count = |side| if rules.side_name(side) == "White" { white } else { black };
            vec![("Soldiers", both(&count))]
        }
        AnyPosition::Tablan(tablan) => vec![
            ("Home", both(&|side| tablan.home_count(side))),
            ("On the board", both(&|side| tablan.count(side))),
        ],
        AnyPosition::Tablaaza(tablaaza) => vec![
            ("Pavilions", both(&|side| tablaaza.pavilions(side))),
            ("Free squares", both(&|side| tablaaza.free(side).count_ones())),
        ],
    }
}
