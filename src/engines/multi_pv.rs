//! Multi-PV: the best lines of a position, each found by excluding the moves of the
//! lines before it.
//!
//! The search goes in rounds, each with more depth, time or nodes than the one
//! before. A round searches every line once and then reports them all, best first.

use std::{cmp::Reverse, time::Duration};

use super::{
    EngineState, Info, Level, Request, Score, SearchLimits, StopSignal, search_excluding,
    search_with_state, timeman::Stopwatch,
};
use crate::games::AnyMove;

/// The most lines that [`search_multi_pv`] searches.
pub const MAX_LINES: usize = 16;

/// A line's time in the first round, at least.
const MIN_TIME: Duration = Duration::from_millis(20);
/// A line's nodes in the first round, at least.
const MIN_NODES: u64 = 500;
/// No more rounds than this share a limit; each has twice the budget of the last.
const MAX_SHARED_ROUNDS: u32 = 8;
/// Time of a line in the first round of a search without limits.
const FIRST_UNLIMITED_TIME: Duration = Duration::from_millis(50);

/// Searches the best `lines` moves, at most [`MAX_LINES`]; returns the best one.
/// `on_info` is called for each line, with its number from 1, at the end of each round:
/// best first, with different moves, and with the nodes and time of the whole search.
///
/// With one line, or while pondering, it is [`search_with_state`]. More lines share the
/// limits, and only the first round is reported if it is cut short. `None` if there is
/// no move to choose.
///
/// ```
/// use tabulae::engines::{
///     EngineOptions, EngineState, MAX_LINES, Request, SearchLimits, StopSignal,
///     search_multi_pv,
/// };
/// use tabulae::games::{AnyPosition, GameHistory, RuleSet};
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
    let lines = lines.min(MAX_LINES).min(request.history.legal_moves().len());
    if lines <= 1 || stop.is_pondering() {
        return search_with_state(state, request, stop, &mut |info| on_info(1, info));
    }
    MultiPvSearch {
        state,
        request,
        lines,
        stop,
        on_info,
        stopwatch: Stopwatch::start(),
        nodes: 0,
        found: Vec::new(),
        fallback: None,
    }
    .run()
}

/// A search for several lines.
struct MultiPvSearch<'a> {
    state: &'a EngineState,
    request: &'a Request,
    lines: usize,
    stop: &'a StopSignal,
    on_info: &'a mut dyn FnMut(usize, &Info),
    stopwatch: Stopwatch,
    /// Nodes of the searches so far.
    nodes: u64,
    /// The lines of the last round, best first.
    found: Vec<Line>,
    /// The answer if no iteration is finished.
    fallback: Option<AnyMove>,
}

/// A move with its last iteration.
struct Line {
    mv: AnyMove,
    info: Info,
    /// Whether the search ended by itself, not by its limit of time or nodes.
    ended_early: bool,
}

impl MultiPvSearch<'_> {
    fn run(mut self) -> Option<AnyMove> {
        for limits in self.schedule() {
            if !self.round(limits) {
                break;
            }
        }
        let limits = self.request.limits;
        if limits == SearchLimits::default() && !self.stop.is_stopped() {
            // With a time limit, an engine may have ended at its own maximum (Tablan).
            self.round(limits);
        }
        if self.found.is_empty()
            && let Some(line) = self.search_line(limits, &[])
        {
            // The parts were too short, but one line may still be found.
            (self.on_info)(1, &line.info);
            return Some(line.mv);
        }
        self.found.first().map(|line| line.mv).or(self.fallback)
    }

    /// The limits of one line in each round.
    fn schedule(&self) -> Box<dyn Iterator<Item = SearchLimits>> {
        let none = SearchLimits::default();
        let SearchLimits { depth, nodes, .. } = self.request.limits;
        let time = self.stop.planned_time(self.request.limits);
        if nodes.is_none() && time.is_none() {
            return match depth {
                Some(depth) => Box::new(
                    (1..=depth.max(1))
                        .map(move |depth| SearchLimits { depth: Some(depth), ..none }),
                ),
                None => Box::new((0..u32::BITS).map(move |round| {
                    let time = FIRST_UNLIMITED_TIME.saturating_mul(1 << round);
                    SearchLimits { movetime: Some(time), ..none }
                })),
            };
        }
        // The rounds have 1, 2, 4, ... parts of the whole.
        let parts_of = |rounds: u32| self.lines as u32 * ((1 << rounds) - 1);
        let suffices = |rounds: &u32| {
            let parts = parts_of(*rounds);
            time.is_none_or(|time| time / parts >= MIN_TIME)
                && nodes.is_none_or(|nodes| nodes / u64::from(parts) >= MIN_NODES)
        };
        let rounds = (1..=MAX_SHARED_ROUNDS).rev().find(suffices).unwrap_or(1);
        let parts = parts_of(rounds);
        Box::new((0..rounds).map(move |round| SearchLimits {
            depth,
            movetime: time.map(|time| time / parts * (1 << round)),
            nodes: nodes.map(|nodes| (nodes / u64::from(parts) * (1 << round)).max(1)),
            ..none
        }))
    }

    /// Searches every line once and reports them. A round that is cut short is
    /// dropped, unless it is the first. Returns whether another round may find more.
    fn round(&mut self, limits: SearchLimits) -> bool {
        let mut lines: Vec<Line> = Vec::with_capacity(self.lines);
        while lines.len() < self.lines {
            let excluded: Vec<_> = lines.iter().map(|line| line.mv).collect();
            let Some(line) = self.search_line(limits, &excluded) else { break };
            lines.push(line);
        }
        let is_complete = lines.len() == self.lines;
        let may_go_on = !self.stop.is_stopped();
        if lines.is_empty() || !is_complete && !self.found.is_empty() {
            return may_go_on;
        }
        // A weak level's choice comes first, whatever its score.
        if self.request.options.level == Level::Master {
            lines.sort_by_key(|line| Reverse(rank(line.info.score)));
        }
        let time = self.stopwatch.elapsed();
        for (index, line) in lines.iter_mut().enumerate() {
            (line.info.nodes, line.info.time) = (self.nodes, time);
            (self.on_info)(index + 1, &line.info);
        }
        let total_depth = |lines: &[Line]| lines.iter().map(|line| line.info.depth).sum::<u32>();
        let is_deeper = total_depth(&lines) > total_depth(&self.found);
        let is_limited = lines.iter().any(|line| !line.ended_early);
        self.found = lines;
        may_go_on && (!is_complete || is_deeper || is_limited)
    }

    /// Searches the best line without the moves in `excluded`; `None` if the search
    /// has to stop first.
    fn search_line(&mut self, limits: SearchLimits, excluded: &[AnyMove]) -> Option<Line> {
        let is_first = self.fallback.is_none();
        let time_left =
            self.request.limits.movetime.map(|time| time.saturating_sub(self.stopwatch.elapsed()));
        let is_over = self.stop.is_stopped() || time_left.is_some_and(|left| left.is_zero());
        if is_over && !is_first {
            return None;
        }
        let limits = limits.within(time_left);
        let request = Request { limits, ..self.request.clone() };
        let (time_before, nodes_before) = (self.stopwatch.elapsed(), self.nodes);
        let mut last = None;
        let best = search_excluding(self.state, &request, excluded, self.stop, &mut |info| {
            let (nodes, time) = (nodes_before + info.nodes, time_before + info.time);
            last = Some(Info { nodes, time, ..info.clone() });
        })?;
        if is_first {
            self.fallback = Some(best);
        }
        // An interrupted search is no line of its own unless it is the only one.
        if self.stop.is_stopped() && !(is_first && excluded.is_empty()) {
            return None;
        }
        let info: Info = last?;
        self.nodes = info.nodes;
        let used_time = self.stopwatch.elapsed() - time_before;
        let used_nodes = info.nodes - nodes_before;
        let is_limited = limits.movetime.is_some_and(|time| used_time >= time / 2)
            || limits.nodes.is_some_and(|nodes| used_nodes >= nodes / 2);
        let mv = info.pv.first().copied().unwrap_or(best);
        Some(Line { mv, info, ended_early: !is_limited })
    }
}

/// Orders scores: more is better for the side to move.
const fn rank(score: Score) -> i64 {
    /// Above any number of points.
    const WIN: i64 = 1 << 32;
    match score {
        Score::Points(points) => points as i64,
        Score::Win(plies) => WIN - plies as i64,
        Score::Loss(plies) => plies as i64 - WIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engines::EngineOptions,
        games::{AnyPosition, GameHistory, Ply, RuleSet, Side, Throw, Turn},
    };

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
