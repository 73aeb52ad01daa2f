//! Multi-PV: the best lines of a position, searched together.

use super::{EngineState, Info, Outcome, Request, SearchTask, StopSignal};
use tabulae_games::AnyMove;

/// The most lines that [`search_multi_pv`] searches.
pub const MAX_LINES: usize = 16;

/// Searches the best `lines` moves, at most [`MAX_LINES`]; returns the best one.
/// `on_info` is called for each line, with its number from 1, after each iteration:
/// best first, with different moves, all of one depth or proven, and with the nodes and
/// time of the whole search. It is called again for the last lines at the end, if more
/// nodes were searched after that iteration.
///
/// Lines of an iteration that was stopped are reported only if there are no others, or if
/// the one line asked for begins with another move by then. `None` if there is no move to
/// choose.
///
/// ```
/// use tabulae_engines::{
///     EngineOptions, EngineState, MAX_LINES, Request, SearchLimits, StopSignal,
///     search_multi_pv,
/// };
/// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
///
/// // The king can escape in three directions.
/// let start = AnyPosition::parse(RuleSet::TablutBerkeley, "4B4/9/9/9/9/9/4K4/9/9 w")?;
/// let limits = SearchLimits { depth: Some(2), ..SearchLimits::default() };
/// let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
/// let request = Request { history: GameHistory::new(start), limits, options };
/// let mut lines = vec![String::new(); MAX_LINES];
/// let (state, stop) = (EngineState::new(), StopSignal::default());
/// let best = search_multi_pv(&state, &request, 4, &stop, &mut |line, info| {
///     lines[line - 1] = format!("{} {}", info.score, info.pv[0]);
/// });
/// assert_eq!(lines[0], format!("mate 1 {}", best.unwrap()));
/// assert!(lines[..3].iter().all(|line| line.starts_with("mate 1")));
/// assert!(!lines[3].starts_with("mate 1") && lines[4].is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search_multi_pv(
    state: &EngineState,
    request: &Request,
    lines: usize,
    stop: &StopSignal,
    on_info: &mut dyn FnMut(usize, &Info),
) -> Option<AnyMove> {
    let lines = lines.clamp(1, MAX_LINES);
    let task = SearchTask { state, request, excluded: &[], lines, stop };
    let mut last: Vec<Info> = Vec::with_capacity(lines);
    let Outcome { best, nodes, time } = task.run(&mut |line, info| {
        last.truncate(line - 1);
        last.push(info.clone());
        on_info(line, info);
    });
    if last.first().is_some_and(|info| info.nodes < nodes) {
        for (line, info) in (1..).zip(last) {
            on_info(line, &Info { nodes, time, ..info });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::{cmp::Reverse, collections::BTreeSet, time::Duration};

    use super::*;
    use crate::{EngineOptions, Level, Score, SearchLimits};
    use tabulae_games::{AnyPosition, GameHistory, Ply, RuleSet, Side, Throw, Turn};

    /// Orders scores: more is better for the side to move.
    fn rank(score: Score) -> i64 {
        match score {
            Score::Points(points) => i64::from(points),
            Score::Win(plies) => (1 << 32) - i64::from(plies),
            Score::Loss(plies) => i64::from(plies) - (1 << 32),
        }
    }

    /// A game at the first move.
    fn history(rules: RuleSet) -> GameHistory<AnyPosition> {
        let mut history = GameHistory::new(AnyPosition::start(rules));
        while matches!(history.turn(), Turn::Throw(_)) {
            history.push(Ply::Throw(Throw::ALL[1])).expect("a throw is due");
        }
        history
    }

    fn request(rules: RuleSet, limits: SearchLimits) -> Request {
        let options =
            EngineOptions { level: Level::Master, hash_mib: 1, ..EngineOptions::default() };
        Request { history: history(rules), limits, options }
    }

    /// The answer, and each report as its line number, depth and info.
    fn search(request: &Request, lines: usize) -> (Option<AnyMove>, Vec<(usize, Info)>) {
        let mut reports = Vec::new();
        let (state, stop) = (EngineState::new(), StopSignal::default());
        let best = search_multi_pv(&state, request, lines, &stop, &mut |line, info| {
            reports.push((line, info.clone()));
        });
        (best, reports)
    }

    fn all_limits() -> [SearchLimits; 4] {
        let none = SearchLimits::default();
        let movetime = Some(Duration::from_millis(150));
        [
            SearchLimits { depth: Some(2), ..none },
            SearchLimits { nodes: Some(12_000), ..none },
            SearchLimits { movetime, ..none },
            SearchLimits { depth: Some(3), nodes: Some(9_000), movetime, ..none },
        ]
    }

    #[test]
    fn each_round_reports_different_moves_with_the_best_first() {
        for rules in RuleSet::ALL {
            for limits in all_limits() {
                let request = request(rules, limits);
                let legal = request.history.legal_moves();
                let lines = legal.len().min(3);
                let (best, reports) = search(&request, 3);
                // On a busy machine the time may end within a round.
                let rounds: Vec<_> = reports.chunk_by(|one, next| one.0 < next.0).collect();
                let Some(last) = rounds.last() else {
                    assert!(limits.movetime.is_some() && best.is_some(), "{rules}");
                    continue;
                };
                assert_eq!(best, last[0].1.pv.first().copied(), "{rules}: {limits:?}");
                for round in &rounds {
                    let numbers: Vec<_> = round.iter().map(|report| report.0).collect();
                    assert_eq!(numbers, (1..=round.len()).collect::<Vec<_>>(), "{rules}");
                    assert!(limits.movetime.is_some() || round.len() == lines, "{rules}");
                    let open: Vec<_> = round.iter().filter(|report| !report.1.exact).collect();
                    let depths = open.iter().map(|report| report.1.depth);
                    assert!(depths.collect::<BTreeSet<_>>().len() <= 1, "{rules}: {round:?}");
                    let mut moves: Vec<_> = round.iter().map(|report| report.1.pv[0]).collect();
                    assert!(moves.iter().all(|mv| legal.contains(mv)));
                    assert!(round.is_sorted_by_key(|report| Reverse(rank(report.1.score))));
                    moves.sort();
                    moves.dedup();
                    assert_eq!(moves.len(), round.len(), "{rules}: {limits:?}");
                }
            }
        }
    }

    #[test]
    fn one_line_is_the_ordinary_search() {
        for rules in RuleSet::ALL {
            let limits = SearchLimits { depth: Some(2), ..SearchLimits::default() };
            let request = request(rules, limits);
            let mut infos = Vec::new();
            let best = super::super::search(&request, &StopSignal::default(), &mut |info| {
                infos.push(info.clone());
            });
            let (same, reports) = search(&request, 1);
            assert_eq!(same, best, "{rules}");
            assert!(reports.iter().all(|report| report.0 == 1));
            let without_time = |info: &Info| Info { time: Duration::ZERO, ..info.clone() };
            let reports: Vec<_> = reports.iter().map(|report| without_time(&report.1)).collect();
            assert_eq!(reports, infos.iter().map(without_time).collect::<Vec<_>>(), "{rules}");
        }
    }

    #[test]
    fn all_lines_are_searched_while_pondering() {
        for rules in RuleSet::ALL {
            let limits = SearchLimits { depth: Some(2), ..SearchLimits::default() };
            let request = request(rules, limits);
            let lines = request.history.legal_moves().len().min(3);
            let (state, stop) = (EngineState::new(), StopSignal::default().pondering());
            let mut last = 0;
            search_multi_pv(&state, &request, lines, &stop, &mut |line, _| last = line);
            assert_eq!(last, lines, "{rules}");
        }
    }

    #[test]
    fn without_time_the_same_request_has_the_same_lines() {
        for limits in &all_limits()[..2] {
            for rules in [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza] {
                let request = request(rules, *limits);
                let scores = || {
                    let (best, reports) = search(&request, 4);
                    let of = |(line, info): &(usize, Info)| (*line, info.score, info.pv.clone());
                    (best, reports.iter().map(of).collect::<Vec<_>>())
                };
                assert_eq!(scores(), scores(), "{rules}");
            }
        }
    }

    #[test]
    fn no_more_lines_than_moves_and_none_when_the_game_is_over() {
        let mut line = request(RuleSet::Tablaaza, all_limits()[0]);
        let position = "8/8/2~2~2/2~2~2/2~2~2/8/r7 g";
        let position = AnyPosition::parse(RuleSet::Tablaaza, position).expect("a position");
        line.history = GameHistory::new(position);
        let (best, reports) = search(&line, 16);
        assert!(best.is_some());
        assert_eq!(reports.iter().map(|report| report.0).max(), Some(4));
        for mv in ["a4-b4", "e4-d4", "b4-a4", "d4-e4"] {
            if line.history.position().rules() != RuleSet::TablutBerkeley {
                line.history = history(RuleSet::TablutBerkeley);
            }
            let ply = line.history.parse(mv).expect("a move");
            line.history.push(ply).expect("legal");
        }
        assert_eq!(search(&line, 3), (None, Vec::new()));
    }

    #[test]
    fn little_time_or_few_nodes_still_give_a_line() {
        for rules in RuleSet::ALL {
            let limits = SearchLimits { nodes: Some(200), ..SearchLimits::default() };
            let (best, reports) = search(&request(rules, limits), 16);
            let (line, info) = reports.first().expect("a line");
            assert_eq!((*line, info.pv.first().copied()), (1, best), "{rules}");
            let limits = SearchLimits {
                movetime: Some(Duration::from_micros(1)),
                ..SearchLimits::default()
            };
            assert!(search(&request(rules, limits), 3).0.is_some(), "{rules}");
        }
    }

    #[test]
    fn a_stopped_search_still_has_an_answer() {
        for rules in RuleSet::ALL {
            let request = request(rules, SearchLimits::default());
            let stop = StopSignal::default();
            stop.stop();
            let state = EngineState::new();
            let best = search_multi_pv(&state, &request, 3, &stop, &mut |_, _| ());
            assert!(request.history.legal_moves().contains(&best.expect("a move")), "{rules}");
        }
    }

    #[test]
    fn a_search_without_limits_ends_when_nothing_is_left_to_find() {
        let mut request = request(RuleSet::Tablaaza, SearchLimits::default());
        let free = |history: &GameHistory<AnyPosition>| match history.position() {
            AnyPosition::Tablaaza(position) => {
                Side::BOTH.map(|side| position.free(side).count_ones()).iter().sum()
            }
            _ => 0_u32,
        };
        while free(&request.history) > 14 {
            let moves = request.history.legal_moves();
            let mv = moves[request.history.len() * 7_919 % moves.len()];
            request.history.push(Ply::Move(mv)).expect("legal");
        }
        let (best, reports) = search(&request, 3);
        assert!(best.is_some() && reports.last().is_some_and(|report| report.1.exact));
    }
}
