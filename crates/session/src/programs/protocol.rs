//! The lines of UGI: what a program is sent, and what it reports.

use std::time::Duration;

use tabulae_engines::{Info, PlayerClock, Score, SearchLimits};
use tabulae_games::{AnyPosition, GameHistory, Ply};

/// How long a program may think.
#[derive(Clone, Copy, Debug)]
pub enum ProgramLimits {
    /// The limits of this move.
    PerMove(SearchLimits),
    /// The clocks of both sides, the first side's first.
    Clocks([PlayerClock; 2]),
    /// Until it is told to stop.
    Infinite,
}

/// What a program reports while it searches.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramInfo {
    /// The number of the line, from 1 (`multipv`).
    pub line: usize,
    /// Depth, score and moves. Moves that are not legal are left out.
    pub info: Info,
}

/// The `position` command of a game.
pub(super) fn position_command(history: &GameHistory<AnyPosition>) -> String {
    let start = history.start();
    let mut position = if *start == AnyPosition::start(start.rules()) {
        "position startpos".to_owned()
    } else {
        format!("position fen {start}")
    };
    if !history.is_empty() {
        position += " moves";
    }
    for ply in history.plies() {
        position += &format!(" {ply}");
    }
    position
}

/// The `go` command of a move.
pub(super) fn go_command(limits: &ProgramLimits) -> String {
    let mut go = "go".to_owned();
    match limits {
        ProgramLimits::Infinite => go += " infinite",
        ProgramLimits::PerMove(limits) => {
            let time = limits.movetime.map(|time| format!(" movetime {}", time.as_millis()));
            let depth = limits.depth.map(|depth| format!(" depth {depth}"));
            let nodes = limits.nodes.map(|nodes| format!(" nodes {nodes}"));
            go.extend([time, depth, nodes].into_iter().flatten());
        }
        ProgramLimits::Clocks(clocks) => {
            for (number, clock) in (1..).zip(clocks) {
                let (time, increment) = (clock.remaining.as_millis(), clock.increment.as_millis());
                go += &format!(" p{number}time {time} p{number}inc {increment}");
            }
        }
    }
    go
}

/// The bounds of what a program reports: points, moves to a win, and plies of a line.
const MAX_POINTS: i32 = 1_000_000;
const MAX_MATE: u32 = 1000;
const MAX_PV: usize = 256;

/// Parses what follows `info`; `None` without a score.
pub(super) fn parse_info(history: &GameHistory<AnyPosition>, text: &str) -> Option<ProgramInfo> {
    let mut words = text.split_whitespace();
    let (mut line, mut depth, mut nodes, mut time) = (1, 0, 0, 0);
    let (mut score, mut pv) = (None, Vec::new());
    let number = |word: Option<&str>| word.and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    while let Some(word) = words.next() {
        match word {
            "depth" => depth = number(words.next()).min(1000) as u32,
            "multipv" => line = number(words.next()).clamp(1, 1000) as usize,
            "nodes" => nodes = number(words.next()),
            "time" => time = number(words.next()),
            "score" => {
                let (kind, value) = (words.next(), words.next());
                let value: i32 = value.and_then(|value| value.parse().ok())?;
                let moves = value.unsigned_abs().min(MAX_MATE);
                score = match kind {
                    Some("cp") => Some(Score::Points(value.clamp(-MAX_POINTS, MAX_POINTS))),
                    // Own moves to the win; plies are twice as many, less one.
                    Some("mate") if value > 0 => Some(Score::Win(2 * moves - 1)),
                    Some("mate") => Some(Score::Loss(2 * moves)),
                    _ => None,
                };
            }
            "pv" => {
                let mut line = history.clone();
                for text in words.by_ref().take(MAX_PV) {
                    let Ok(Ply::Move(mv)) = line.parse(text) else { break };
                    if line.push(Ply::Move(mv)).is_err() {
                        break;
                    }
                    pv.push(mv);
                }
            }
            _ => {}
        }
    }
    let time = Duration::from_millis(time);
    let info = Info { depth, score: score?, nodes, time, pv, exact: false };
    Some(ProgramInfo { line, info })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::RuleSet;

    #[test]
    fn go_names_every_limit() {
        let limits = SearchLimits {
            movetime: Some(Duration::from_millis(20)),
            depth: Some(3),
            nodes: Some(400),
            ..SearchLimits::default()
        };
        let go = go_command(&ProgramLimits::PerMove(limits));
        assert_eq!(go, "go movetime 20 depth 3 nodes 400");
        let clock = |seconds| PlayerClock {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_millis(500),
            moves_to_go: None,
        };
        let clocks = ProgramLimits::Clocks([clock(60), clock(30)]);
        assert_eq!(go_command(&clocks), "go p1time 60000 p1inc 500 p2time 30000 p2inc 500");
    }

    #[test]
    fn what_a_program_reports_is_read_leniently() {
        let history = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
        let read = |text| parse_info(&history, text);
        let info = read("depth 5 multipv 2 score cp -35 nodes 900 time 12 nps x pv c7 c6 nonsense");
        let ProgramInfo { line, info } = info.expect("a score");
        assert_eq!((line, info.depth, info.score), (2, 5, Score::Points(-35)));
        assert_eq!((info.nodes, info.time, info.pv.len()), (900, Duration::from_millis(12), 2));
        let score = |text| read(text).map(|line| line.info.score);
        assert_eq!(score("score mate 2"), Some(Score::Win(3)));
        assert_eq!(score("score mate -1"), Some(Score::Loss(2)));
        assert_eq!(score("score mate 2147483647"), Some(Score::Win(1999)));
        assert_eq!(score("score mate -2147483648"), Some(Score::Loss(2000)));
        assert_eq!(score("score cp -2147483648"), Some(Score::Points(-1_000_000)));
        for nothing in ["", "depth", "score", "score cp", "score cp many", "string score cp"] {
            assert_eq!(score(nothing), None, "{nothing}");
        }
    }
}
