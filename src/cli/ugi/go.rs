//! The arguments of `go`.

use std::num::IntErrorKind;

use crate::{cli::prelude::*, engines::PlayerClock};

use super::{perft, search::Release};

/// The words that may follow `go`, for errors.
const WORDS: &str = "movetime, depth, nodes, infinite, ponder, p1time, p1inc, p2time, p2inc, \
                     movestogo or perft";

/// The arguments of `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GoCommand {
    /// Search for the best move.
    Search(SearchCommand),
    /// Count the sequences of this many moves.
    Perft(u32),
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchCommand {
    /// The limits named, the hard limit of the clock included; `None` if none was: then
    /// the level's limits apply.
    pub(super) limits: Option<SearchLimits>,
    /// The soft limit of the clock.
    pub(super) soft_limit: Option<Duration>,
    /// Whether the search goes on until `stop`.
    pub(super) infinite: bool,
    /// Whether the search is during the opponent's turn.
    pub(super) ponder: bool,
}

/// The clocks as `go` names them, by [`Side::index`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Clocks {
    remaining: [Option<Duration>; 2],
    increment: [Option<Duration>; 2],
    moves_to_go: Option<u32>,
}

impl GoCommand {
    /// Parses the arguments for the side to move. With several limits, the search
    /// stops at the first that it reaches.
    ///
    /// # Errors
    /// The text names the value and what was expected.
    pub(super) fn parse(text: &str, mover: Side) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        if let Some(depth) = text.strip_prefix("perft").filter(|_| words.next() == Some("perft")) {
            return parse_perft(depth.trim()).map(Self::Perft);
        }
        let mut words = text.split_whitespace();
        let none = SearchLimits::default();
        let (mut limits, mut clocks) = (none, Clocks::default());
        let (mut infinite, mut ponder) = (false, false);
        while let Some(word) = words.next() {
            let mut number = |min| parse_number(word, words.next().unwrap_or_default(), min);
            match word {
                "movetime" => limits.movetime = Some(Duration::from_millis(number(1)?)),
                "depth" => limits.depth = Some(clamp_to_u32(number(1)?)),
                "nodes" => limits.nodes = Some(number(1)?),
                "p1time" => clocks.remaining[0] = Some(Duration::from_millis(number(0)?)),
                "p2time" => clocks.remaining[1] = Some(Duration::from_millis(number(0)?)),
                "p1inc" => clocks.increment[0] = Some(Duration::from_millis(number(0)?)),
                "p2inc" => clocks.increment[1] = Some(Duration::from_millis(number(0)?)),
                "movestogo" => clocks.moves_to_go = Some(clamp_to_u32(number(1)?)),
                "infinite" => infinite = true,
                "ponder" => ponder = true,
                "perft" => return Err("invalid go: expected perft alone".to_owned()),
                _ => return Err(format!("unknown limit '{word}' in go: expected {WORDS}")),
            }
        }
        let allotted = clocks.of(mover)?.map(PlayerClock::allot);
        let limits = limits.within(allotted.map(|time| time.hard));
        Ok(Self::Search(SearchCommand {
            limits: (limits != none || infinite).then_some(limits),
            soft_limit: allotted.map(|time| time.soft),
            infinite,
            ponder,
        }))
    }
}

impl SearchCommand {
    /// When `bestmove` may be printed.
    pub(super) const fn release(self) -> Release {
        match self {
            Self { infinite: true, .. } => Release::Stop,
            Self { ponder: true, .. } => Release::PonderHit,
            _ => Release::SearchEnd,
        }
    }
}

impl Clocks {
    /// The clock of the side to move; `None` if no clock is named at all.
    fn of(self, mover: Side) -> Result<Option<PlayerClock>, String> {
        if self == Self::default() {
            return Ok(None);
        }
        let Some(remaining) = self.remaining[mover.index()] else {
            let name = ["p1", "p2"][mover.index()];
            return Err(format!("no clock in go: expected {name}time, as {name} is to move"));
        };
        let increment = self.increment[mover.index()].unwrap_or_default();
        Ok(Some(PlayerClock { remaining, increment, moves_to_go: self.moves_to_go }))
    }
}

/// Parses the depth after `perft`.
fn parse_perft(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|depth| (1..=perft::MAX_DEPTH).contains(depth));
    depth.ok_or_else(|| {
        let most = perft::MAX_DEPTH;
        format!("invalid value '{text}' for go perft: expected a number from 1 to {most}")
    })
}

/// Parses the number after `word`.
fn parse_number(word: &str, text: &str, min: u64) -> Result<u64, String> {
    let number = text.parse::<u64>();
    let is_too_large =
        number.as_ref().is_err_and(|error| *error.kind() == IntErrorKind::PosOverflow);
    number.ok().filter(|number| *number >= min).ok_or_else(|| {
        let expected = match min {
            _ if is_too_large => format!("a number from {min} to {}", u64::MAX),
            0 => "a number from 0".to_owned(),
            _ => "a number above 0".to_owned(),
        };
        format!("invalid value '{text}' for go {word}: expected {expected}")
    })
}

fn clamp_to_u32(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(text: &str, mover: Side) -> SearchCommand {
        match GoCommand::parse(text, mover) {
            Ok(GoCommand::Search(command)) => command,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn the_clock_of_the_side_to_move_counts() {
        let text = "p1time 60000 p1inc 1000 p2time 5000 p2inc 0 movestogo 10";
        for (mover, remaining, increment) in [(Side::First, 60, 1), (Side::Second, 5, 0)] {
            let clock = PlayerClock {
                remaining: Duration::from_secs(remaining),
                increment: Duration::from_secs(increment),
                moves_to_go: Some(10),
            };
            let command = search(text, mover);
            let limits = SearchLimits { movetime: Some(clock.allot().hard), ..Default::default() };
            assert_eq!(command.limits, Some(limits));
            assert_eq!(command.soft_limit, Some(clock.allot().soft));
            assert_eq!(command.release(), Release::SearchEnd);
        }
        // The opponent's clock and the increments may be missing.
        assert_eq!(search("p2time 5000", Side::Second).limits.unwrap().depth, None);
    }

    #[test]
    fn the_least_limit_holds() {
        let limits = search("p1time 60000 movetime 5 depth 3 nodes 7", Side::First).limits;
        let movetime = Some(Duration::from_millis(5));
        let expected =
            SearchLimits { movetime, depth: Some(3), nodes: Some(7), ..SearchLimits::default() };
        assert_eq!(limits, Some(expected));
        let movetime = search("p1time 100 movetime 60000", Side::First).limits.unwrap().movetime;
        assert!(movetime.unwrap() < Duration::from_millis(100));
        for text in ["", "ponder"] {
            assert_eq!(search(text, Side::First).limits, None, "{text}");
        }
        assert_eq!(search("infinite", Side::First).limits, Some(SearchLimits::default()));
    }

    #[test]
    fn ponder_and_infinite_hold_the_answer_back() {
        assert_eq!(search("ponder p1time 5", Side::First).release(), Release::PonderHit);
        assert_eq!(search("infinite ponder", Side::First).release(), Release::Stop);
        assert_eq!(search("infinite", Side::First).release(), Release::Stop);
    }

    #[test]
    fn errors_name_the_value_and_what_was_expected() {
        for (text, error) in [
            ("depth", "invalid value '' for go depth: expected a number above 0"),
            ("p1time", "invalid value '' for go p1time: expected a number from 0"),
            ("p1time -5", "invalid value '-5' for go p1time: expected a number from 0"),
            ("p1time 5 p2inc x", "invalid value 'x' for go p2inc: expected a number from 0"),
            ("movestogo 0", "invalid value '0' for go movestogo: expected a number above 0"),
            ("p2time 5", "no clock in go: expected p1time, as p1 is to move"),
            ("p1inc 5", "no clock in go: expected p1time, as p1 is to move"),
            ("movestogo 5", "no clock in go: expected p1time, as p1 is to move"),
            (
                "depth 99999999999999999999",
                "invalid value '99999999999999999999' for go depth: expected a number from 1 to \
                 18446744073709551615",
            ),
            ("perft", "invalid value '' for go perft: expected a number from 1 to 20"),
            ("perft 0", "invalid value '0' for go perft: expected a number from 1 to 20"),
            ("perft 99", "invalid value '99' for go perft: expected a number from 1 to 20"),
            ("perft 3 3", "invalid value '3 3' for go perft: expected a number from 1 to 20"),
            ("depth 3 perft 3", "invalid go: expected perft alone"),
        ] {
            assert_eq!(GoCommand::parse(text, Side::First), Err(error.to_owned()), "{text}");
        }
        let error = GoCommand::parse("wtime 5", Side::First).unwrap_err();
        assert!(error.starts_with("unknown limit 'wtime' in go: expected movetime, "), "{error}");
        assert_eq!(GoCommand::parse("perft  3", Side::First), Ok(GoCommand::Perft(3)));
    }
}
