//! Messages between a page and its engine worker, one JSON text each.
//!
//! `tests/web/speed.mjs` also uses this format, and `web/engine-worker.js` sends
//! `failed`.

use serde::{Deserialize, Serialize};

use crate::{Request, SearchEvent, tablan::Review};
use tabulae_games::{AnyPosition, GameHistory};

/// A request from a page to its worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WorkerRequest {
    /// Find so many best moves. A worker has one thread, so the number of threads is not
    /// sent.
    Search { ticket: u64, request: Request, lines: usize },
    /// Review this game.
    Review(GameHistory<AnyPosition>),
}

/// A response from a worker to its page.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WorkerResponse {
    /// An iteration or the search is finished.
    Search(SearchEvent),
    /// The review; none if the game cannot be reviewed.
    Review(Option<Review>),
    /// The request failed, and why.
    Failed(String),
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde::de::DeserializeOwned;

    use super::*;
    use crate::{
        EngineOptions, EngineState, Level, SearchLimits, StopSignal, search_multi_pv,
        tablan::review,
    };
    use tabulae_games::{AnyMove, Ply, RuleSet, Throw};

    /// A game with a move to choose, a few plies after its start.
    fn game(rules: RuleSet) -> GameHistory<AnyPosition> {
        let mut history = GameHistory::new(AnyPosition::start(rules));
        for number in 0..9 {
            let ply = match history.legal_moves().into_iter().min() {
                Some(mv) => Ply::Move(mv),
                None => Ply::Throw(Throw::ALL[1 + number % 2]),
            };
            history.push(ply).expect("legal");
        }
        while history.legal_moves().is_empty() {
            history.push(Ply::Throw(Throw::ALL[1])).expect("a throw is due");
        }
        history
    }

    /// The message as the other end reads it.
    fn send<T: Serialize + DeserializeOwned>(message: &T) -> T {
        serde_json::from_str(&serde_json::to_string(message).expect("a text"))
            .expect("it reads back")
    }

    #[test]
    fn search_request_round_trips() {
        for rules in RuleSet::ALL {
            let history = game(rules);
            let movetime = Some(Duration::from_micros(1_234_567));
            let nodes = Some(u64::MAX);
            let limits = SearchLimits { movetime, depth: Some(7), nodes, solver_nodes: Some(9) };
            let (level, seed) = (Level::Expert, u64::MAX - 1);
            let (contempt, book) = (true, true);
            let options = EngineOptions { level, threads: 1, hash_mib: 5, seed, contempt, book };
            let request = Request { history, limits, options };
            let message = WorkerRequest::Search { ticket: 3, request: request.clone(), lines: 4 };
            let WorkerRequest::Search { ticket, request: read, lines } = send(&message) else {
                unreachable!("a search was sent")
            };
            assert_eq!((ticket, lines), (3, 4));
            assert_eq!(read.history, request.history, "{rules}");
            assert_eq!(read.limits, limits);
            assert_eq!(read.options, request.options);
        }
    }

    #[test]
    fn search_events_round_trip() {
        for rules in RuleSet::ALL {
            let limits = SearchLimits { nodes: Some(2_000), ..SearchLimits::default() };
            let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
            let request = Request { history: game(rules), limits, options };
            let mut events = Vec::new();
            let (state, stop) = (EngineState::new(), StopSignal::default());
            let best = search_multi_pv(&state, &request, 2, &stop, &mut |line, info| {
                events.push(SearchEvent::Info { ticket: 9, line, info: info.clone() });
            });
            assert!(events.len() > 1 && best.is_some(), "{rules}");
            events.push(SearchEvent::BestMove { ticket: 9, key: u64::MAX, best });
            events.push(SearchEvent::BestMove { ticket: 9, key: 0, best: None });
            for event in events {
                let message = send(&WorkerResponse::Search(event.clone()));
                assert!(
                    matches!(&message, WorkerResponse::Search(read) if *read == event),
                    "{rules}: {message:?}"
                );
            }
        }
    }

    #[test]
    fn messages_have_the_shape_that_scripts_expect() {
        let text = r#"{"search": {"ticket": 1, "lines": 1, "request": {
            "history": {
                "start": {"rules": "tablan", "position": "NNNNNNNNNNNN/12/12/SSSSSSSSSSSS s t1"},
                "plies": []},
            "limits": {"movetime": {"secs": 5, "nanos": 0}},
            "options": {"level": "master", "hash_mib": 64, "seed": 0, "contempt": true}}}}"#;
        let WorkerRequest::Search { request, .. } = serde_json::from_str(text).expect("valid")
        else {
            unreachable!("it asks for a move")
        };
        assert_eq!((request.options.threads, request.options.level), (1, Level::Master));
        assert_eq!(request.limits.movetime, Some(Duration::from_secs(5)));
        let info = crate::Info {
            depth: 4,
            score: crate::Score::Points(7),
            nodes: 9,
            time: Duration::from_millis(1500),
            pv: Vec::new(),
            exact: false,
        };
        let info = WorkerResponse::Search(SearchEvent::Info { ticket: 1, line: 2, info });
        let info = serde_json::to_value(&info).expect("a message");
        assert_eq!(info["search"]["info"]["line"], 2);
        let info = &info["search"]["info"]["info"];
        assert_eq!((&info["nodes"], &info["depth"]), (&9.into(), &4.into()));
        assert_eq!(info["time"], serde_json::json!({"secs": 1, "nanos": 500_000_000}));
        let best = SearchEvent::BestMove { ticket: 1, key: 2, best: None };
        let best = serde_json::to_value(WorkerResponse::Search(best)).expect("a message");
        assert!(best["search"]["best-move"].is_object());
        let failed = serde_json::from_str::<WorkerResponse>(r#"{"failed": "no memory"}"#);
        assert!(matches!(failed, Ok(WorkerResponse::Failed(why)) if why == "no memory"));
    }

    #[test]
    fn review_round_trips() {
        let found = review(&game(RuleSet::Tablan), &StopSignal::default());
        let moves = found.as_ref().map_or(0, |found| found.moves.len());
        assert!(moves > 0 && !found.as_ref().expect("Tablan").throws.is_empty());
        let message = send(&WorkerResponse::Review(found.clone()));
        assert!(matches!(message, WorkerResponse::Review(read) if read == found));
    }

    #[test]
    fn invalid_message_is_rejected_with_its_fault() {
        let request = Request {
            history: game(RuleSet::TablutAshton),
            limits: SearchLimits::default(),
            options: EngineOptions::default(),
        };
        let message = WorkerRequest::Search { ticket: 1, request, lines: 1 };
        let message = serde_json::to_value(message).expect("a message");
        let fault = |path: &str, value: serde_json::Value| {
            let mut message = message.clone();
            *message.pointer_mut(path).expect("a field") = value;
            serde_json::from_value::<WorkerRequest>(message).expect_err("invalid").to_string()
        };
        let start = "/search/request/history/start";
        assert!(fault(&format!("{start}/rules"), "tablut".into()).contains("`tablut`"));
        assert!(!fault(&format!("{start}/position"), "9 w".into()).is_empty());
        let plies = serde_json::json!([{"Throw": 1}]);
        assert!(fault("/search/request/history/plies", plies).contains("illegal ply 1"));
        let plies = serde_json::json!([{"Throw": 5}]);
        assert!(fault("/search/request/history/plies", plies).contains("4 sticks"));
        assert!(fault("/search/request/options/level", "god".into()).contains("`god`"));
        assert!(serde_json::from_str::<WorkerRequest>("{\"search\": 3}").is_err());
        let off_course = serde_json::json!({"Tablan": ["First", 47, 255, 2, [false, false]]});
        assert!(serde_json::from_value::<AnyMove>(off_course).is_err());
    }
}
