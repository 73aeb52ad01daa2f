//! What a ply looks like in lists and lines: its text, who made it, whether it stands out.

use crate::{app::ui::prelude::*, games::Announcement};

/// Whether a ply captures, raises a pavilion or ends the game.
pub(super) fn stands_out(history: &GameHistory<AnyPosition>, ply: usize) -> bool {
    let stands_out = |event: &Event| {
        matches!(event, Event::Captured { .. } | Event::PavilionRaised { .. } | Event::Ended(_))
    };
    history.events(ply).iter().any(stands_out)
}

/// How many plain sides a throw showed.
pub(super) fn plain_sides(history: &GameHistory<AnyPosition>, ply: usize) -> Option<u8> {
    match history.ply(ply)? {
        Ply::Throw(throw) => Some(throw.plain()),
        Ply::Move(_) => None,
    }
}

/// Whether a ply is a throw that brought nothing and passed the sticks.
pub(super) fn passes(history: &GameHistory<AnyPosition>, ply: usize) -> bool {
    history.events(ply).iter().any(|event| matches!(event, Event::Passed { .. }))
}

/// A ply as the list writes it: moves as in records, of throws what they brought.
pub(super) fn text(history: &GameHistory<AnyPosition>, ply: usize) -> String {
    let events = history.events(ply);
    match history.ply(ply) {
        Some(Ply::Throw(throw)) => {
            if events.iter().any(|event| matches!(event, Event::Lost { .. })) {
                tr("desk.lost").to_owned()
            } else if throws_off(history, ply) {
                let starts = throw.score() == 2;
                tr(if starts { "desk.starts" } else { "desk.no-start" }).to_owned()
            } else if passes(history, ply) {
                tr("desk.no-score").to_owned()
            } else {
                throw.score().to_string()
            }
        }
        Some(Ply::Move(_)) => {
            let mark = events.iter().find_map(|event| match event {
                Event::Announced(Announcement::Raichi) => Some(" R!"),
                Event::Announced(Announcement::Tuichi) => Some(" T!"),
                Event::Ended(_) => Some(" #"),
                _ => None,
            });
            history.notation(ply).unwrap_or_default() + mark.unwrap_or("")
        }
        None => String::new(),
    }
}

/// The text of a pair with its follower first: `a1-b1+e1-f1 #` for `e1-f1+a1-b1 #`.
pub(super) fn follower_first(text: &str) -> String {
    let (pair, mark) = text.find(' ').map_or((text, ""), |at| text.split_at(at));
    let (leader, follower) = pair.split_once('+').unwrap_or((pair, ""));
    format!("{follower}+{leader}{mark}")
}

/// Whether a ply is a throw that only decides who starts.
pub(super) fn throws_off(history: &GameHistory<AnyPosition>, ply: usize) -> bool {
    match ply.checked_sub(1).and_then(|before| history.at(before)) {
        Some(AnyPosition::Tablan(position)) => position.throwing_off(),
        _ => false,
    }
}

/// Who made a ply.
pub(super) fn mover(history: &GameHistory<AnyPosition>, ply: usize) -> Option<Side> {
    history
        .events(ply)
        .iter()
        .find_map(|event| match event {
            Event::Thrown { side, .. } => Some(*side),
            _ => None,
        })
        .or_else(|| Some(history.at(ply.checked_sub(1)?)?.side()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throw_is_written_as_what_it_brought() {
        let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
        for text in ["t2", "t1", "a4-b3", "t2"] {
            let ply = history.parse(text).unwrap();
            history.push(ply).unwrap();
        }
        assert_eq!((plain_sides(&history, 1), plain_sides(&history, 3)), (Some(2), None));
        assert_eq!(text(&history, 1), "no start");
        assert_eq!(text(&history, 2), "starts");
        assert_eq!(text(&history, 4), "no score");
        assert!(throws_off(&history, 2) && !throws_off(&history, 4));
        assert_eq!(mover(&history, 1), Some(Side::First));
        assert_eq!(mover(&history, 3), Some(Side::Second));
        assert_eq!(history.ply(4), Throw::new(2).map(Ply::Throw));
    }
}
