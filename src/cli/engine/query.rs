//! What `query` answers.

use crate::games::{Announcement, AnyPosition, Event, Game, GameHistory, Side};

/// The answer to `query WHAT`, or nothing when there is no such query.
///
/// - `gameover`: whether the game has ended, repetition considered.
/// - `p1turn`: whether the side that moves first by the rules is on turn, to
///   move or to throw.
/// - `result`: `p1win`, `p2win`, `draw`, or `none` while the game goes on.
/// - `fen`: the position's text.
/// - `legal`: the legal moves, sorted as text; none when a throw is due.
/// - `events`: what the last ply did, as [`event_word`] says.
pub(super) fn answer(line: &GameHistory<AnyPosition>, what: &str) -> Option<String> {
    Some(match what {
        "gameover" => line.turn().end().is_some().to_string(),
        "p1turn" => (line.position().side() == Side::First).to_string(),
        "result" => line.turn().end().map_or("none", |end| end.result()).to_owned(),
        "fen" => line.position().to_string(),
        "legal" => {
            let mut moves: Vec<_> = line.legal_moves().iter().map(ToString::to_string).collect();
            moves.sort_unstable();
            moves.join(" ")
        }
        "events" => {
            let words: Vec<_> = line.events(line.len()).iter().filter_map(event_word).collect();
            words.join(" ")
        }
        _ => return None,
    })
}

/// The protocol's word for an event; none for the plain movement itself.
fn event_word(event: &Event) -> Option<String> {
    Some(match event {
        Event::Captured { at, .. } => format!("captured:{at}"),
        Event::PavilionRaised { at, .. } => format!("pavilion:{at}"),
        Event::Announced(Announcement::Raichi) => "raichi".to_owned(),
        Event::Announced(Announcement::Tuichi) => "tuichi".to_owned(),
        Event::Passed { .. } => "passed".to_owned(),
        Event::Lost { .. } => "lost".to_owned(),
        Event::Ended(end) => format!("ended:{}", end.reason),
        Event::Slid { .. }
        | Event::Placed { .. }
        | Event::Thrown { .. }
        | Event::Announced(Announcement::Starts(_)) => return None,
    })
}
