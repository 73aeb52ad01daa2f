//! Multi-PV: the second best move and the third, found by excluding the ones
//! before.

use std::time::Duration;

use tabulae_engines::{
    EngineOptions, EngineState, Info, Level, Request, ReviewWorker, Score, SearchEvent,
    SearchLimits, SearchWorker, StopSignal, search, search_excluding,
};
use tabulae_games::{
    AnyMove, AnyPosition, Game as _, GameHistory, Ply, RuleSet, Side, Throw, Turn,
};

/// A game that waits for a move, some plies from the start.
fn waiting(rules: RuleSet) -> GameHistory<AnyPosition> {
    let mut history = GameHistory::new(AnyPosition::start(rules));
    while history.len() < 6 || !matches!(history.turn(), Turn::Move(_)) {
        let ply = match history.legal_moves().first() {
            Some(&mv) => Ply::Move(mv),
            None => Ply::Throw(Throw::ALL[1]),
        };
        history.push(ply).expect("legal");
    }
    history
}

fn request(history: GameHistory<AnyPosition>, depth: u32) -> Request {
    let limits = SearchLimits { depth: Some(depth), ..SearchLimits::default() };
    let options = EngineOptions { level: Level::Master, hash_mib: 2, ..EngineOptions::default() };
    Request { history, limits, options }
}

fn search_without(request: &Request, excluded: &[AnyMove]) -> (Option<AnyMove>, Option<Info>) {
    let mut last = None;
    let best = search_excluding(
        &EngineState::new(),
        request,
        excluded,
        &StopSignal::default(),
        &mut |info| {
            last = Some(info.clone());
        },
    );
    (best, last)
}

#[test]
fn excluding_the_best_moves_finds_others_until_none_is_left() {
    for rules in RuleSet::ALL {
        let request = request(waiting(rules), 2);
        let mut left: Vec<AnyMove> = request.history.legal_moves();
        let first = search(&request, &StopSignal::default(), &mut |_| ());
        let mut excluded = Vec::new();
        for number in 0..3.min(left.len()) {
            let (best, info) = search_without(&request, &excluded);
            let best = best.expect("a move");
            assert!(number > 0 || Some(best) == first, "{rules}: the first line is the answer");
            assert!(left.contains(&best), "{rules}: {best} was left out");
            assert_eq!(info.expect("an iteration").pv.first(), Some(&best), "{rules}");
            left.retain(|mv| *mv != best);
            excluded.push(best);
        }
        if let Some(last) = left.pop() {
            excluded.extend(left);
            assert_eq!(
                search_without(&request, &excluded).0,
                Some(last),
                "{rules}: the only one left"
            );
            excluded.push(last);
        }
        assert_eq!(search_without(&request, &excluded).0, None, "{rules}");
    }
}

#[test]
fn further_wins_in_one_are_found_by_exclusion() {
    let start = AnyPosition::parse(RuleSet::TablutBerkeley, "B8/9/9/9/9/2K6/9/9/9 w");
    let request = request(GameHistory::new(start.expect("a position")), 2);
    let mut excluded = Vec::new();
    for _ in 0..4 {
        let (best, info) = search_without(&request, &excluded);
        assert_eq!(info.map(|info| info.score), Some(Score::Win(1)), "after {excluded:?}");
        excluded.extend(best);
    }
    let (_, info) = search_without(&request, &excluded);
    assert_ne!(info.map(|info| info.score), Some(Score::Win(1)), "four moves reach the edge");
}

/// With contempt a draw is worth less than an even game. Searches that differ in
/// this share a transposition table, but no values.
#[test]
fn a_draw_is_even_only_without_contempt() {
    let moves = ["e3-d3", "d1-c1", "d3-c3", "c1-b1", "c3-b3", "b1-c1"];
    let mut history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
    for text in moves {
        let ply = history.parse(text).expect("a move");
        history.push(ply).expect("legal");
    }
    let draws = history.position().parse_move("b3-c3").expect("legal");
    let others: Vec<AnyMove> =
        history.legal_moves().into_iter().filter(|mv| *mv != draws).collect();
    let engine_state = EngineState::new();
    let score_with = |contempt| {
        // Only a search limited by time alone keeps its table. With one move left
        // it ends after the first iteration, however busy the machine is.
        let mut request = request(history.clone(), 1);
        let hour = Some(Duration::from_secs(3600));
        request.limits = SearchLimits { movetime: hour, ..SearchLimits::default() };
        request.options.contempt = contempt;
        let mut last = None;
        search_excluding(&engine_state, &request, &others, &StopSignal::default(), &mut |info| {
            last = Some(info.score);
        });
        last.expect("an iteration")
    };
    assert_eq!(score_with(false), Score::Points(0));
    let Score::Points(points) = score_with(true) else { panic!("no draw") };
    assert!(points < -100, "{points}");
    assert_eq!(score_with(false), Score::Points(0));
}

/// The free squares of a game of Tablaaza.
fn free(history: &GameHistory<AnyPosition>) -> u32 {
    let AnyPosition::Tablaaza(position) = history.position() else { return 0 };
    Side::BOTH.map(|side| position.free(side).count_ones()).iter().sum()
}

#[test]
fn a_solved_position_without_its_winning_moves_is_lost() {
    // Few squares are free, but more than the alpha-beta search exhausts.
    let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
    while free(&history) > 20 {
        let moves = history.legal_moves();
        let mv = moves[history.len() * 7_919 % moves.len()];
        history.push(Ply::Move(mv)).expect("legal");
    }
    assert!(free(&history) > 17, "{}", free(&history));
    let limits = SearchLimits { nodes: Some(3_000_000), ..SearchLimits::default() };
    let options = EngineOptions { level: Level::Master, hash_mib: 8, ..EngineOptions::default() };
    let request = Request { history, limits, options };
    let mut excluded = Vec::new();
    let mut results = Vec::new();
    for _ in 0..request.history.legal_moves().len() {
        let (best, info) = search_without(&request, &excluded);
        excluded.extend(best);
        results.extend(info.map(|info| (info.score, info.exact)));
    }
    let wins: Vec<bool> = results.iter().map(|(score, _)| matches!(score, Score::Win(_))).collect();
    assert!(results.iter().all(|result| result.1), "all is proven: {results:?}");
    assert!(wins.is_sorted_by(|one, next| one >= next), "wins come before losses: {results:?}");
}

#[test]
fn a_worker_reports_all_lines_of_each_iteration() {
    let history = waiting(RuleSet::TablutAshton);
    let mut worker = SearchWorker::new();
    worker.start_lines(request(history, 4), 3);
    let events: Vec<SearchEvent> = std::iter::from_fn(|| worker.wait()).collect();
    let reports = events.iter().filter_map(|event| match event {
        SearchEvent::Info { line, info, .. } => Some((*line, info.depth, info.pv[0])),
        SearchEvent::BestMove { .. } => None,
    });
    let reports: Vec<_> = reports.collect();
    let rounds: Vec<_> = reports.chunk_by(|one, next| one.0 < next.0).collect();
    assert!(rounds.len() >= 4, "{reports:?}");
    for round in &rounds {
        assert_eq!(round.iter().map(|report| report.0).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(round.iter().all(|report| report.1 == round[0].1), "of one depth: {round:?}");
        assert!(round[0].2 != round[1].2 && round[1].2 != round[2].2 && round[2].2 != round[0].2);
    }
    let best = events.last().expect("an answer");
    let first = rounds[rounds.len() - 1][0].2;
    assert!(matches!(best, SearchEvent::BestMove { best: Some(best), .. } if *best == first));
}

#[test]
fn a_reviewer_reviews() {
    let mut reviewer = ReviewWorker::default();
    reviewer.start(waiting(RuleSet::Tablan));
    let review = loop {
        if let Some(review) = reviewer.poll() {
            break review;
        }
        std::thread::yield_now();
    };
    assert!(!review.expect("a game of Tablan").throws.is_empty());
    assert!(!reviewer.is_reviewing());
}
