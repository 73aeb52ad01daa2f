//! Searches off the main thread: stopping, cancelling and dropping late answers.

use std::{sync::mpsc::channel, thread};

use tabulae_engines::{
    EngineOptions, Level, Request, SearchEvent, SearchLimits, SearchWorker, StopSignal, search,
};
use tabulae_games::{AnyPosition, Game, GameHistory, Ply, RuleSet, Throw};

/// A game with a move to choose, after a search: Tablaaza has a first stone, because
/// the empty board is solved and answered at once.
fn history(rules: RuleSet) -> GameHistory<AnyPosition> {
    let mut history = GameHistory::new(AnyPosition::start(rules));
    if rules.has_sticks() {
        history.push(Ply::Throw(Throw::ALL[1])).expect("a throw is due");
    } else if rules == RuleSet::Tablaaza {
        let first = history.legal_moves().pop().expect("a move");
        history.push(Ply::Move(first)).expect("a legal move");
    }
    history
}

fn endless_request(rules: RuleSet) -> Request {
    let options = EngineOptions { level: Level::Master, hash_mib: 4, ..EngineOptions::default() };
    Request { history: history(rules), limits: SearchLimits::default(), options }
}

fn short_request(rules: RuleSet) -> Request {
    Request {
        limits: SearchLimits { nodes: Some(500), ..SearchLimits::default() },
        ..endless_request(rules)
    }
}

/// All events up to and including the answer.
fn events(worker: &mut SearchWorker) -> Vec<SearchEvent> {
    std::iter::from_fn(|| worker.wait()).collect()
}

#[test]
fn unlimited_search_stops_on_signal() {
    for rules in RuleSet::ALL {
        let request = endless_request(rules);
        let stop = StopSignal::default();
        let (sender, depths) = channel();
        let handle = {
            let (request, stop) = (request.clone(), stop.clone());
            thread::spawn(move || {
                search(&request, &stop, &mut |info| {
                    sender.send(info.depth).expect("the receiver is alive");
                })
            })
        };
        assert_eq!(depths.recv(), Ok(1), "{rules}");
        stop.stop();
        let best = handle.join().expect("no panic").expect("a move is due");
        assert!(request.history.legal_moves().contains(&best), "{rules}");
    }
}

#[test]
fn search_stopped_before_its_start_still_answers() {
    for rules in RuleSet::ALL {
        let request = endless_request(rules);
        let stop = StopSignal::default();
        stop.stop();
        let best = search(&request, &stop, &mut |_| ()).expect("a move is due");
        assert!(request.history.legal_moves().contains(&best), "{rules}");
    }
}

#[test]
fn events_carry_the_request_s_ticket_and_key() {
    let mut worker = SearchWorker::new();
    for rules in RuleSet::ALL {
        let request = short_request(rules);
        let ticket = worker.start(request.clone());
        assert!(worker.is_searching());
        let events = events(&mut worker);
        let Some((SearchEvent::BestMove { ticket: about, key, best }, infos)) = events.split_last()
        else {
            panic!("no answer: {events:?}")
        };
        assert_eq!((*about, *key), (ticket, request.history.position().key()));
        assert!(request.history.legal_moves().contains(&best.expect("a move is due")));
        assert!(!infos.is_empty());
        for info in infos {
            assert!(matches!(info, SearchEvent::Info { ticket: about, .. } if *about == ticket));
        }
        assert!(!worker.is_searching());
        assert_eq!(worker.poll(), None);
    }
}

#[test]
fn stop_returns_the_best_move_so_far() {
    let mut worker = SearchWorker::new();
    worker.start(endless_request(RuleSet::TablutAshton));
    assert!(matches!(worker.wait(), Some(SearchEvent::Info { .. })));
    worker.stop();
    let events = events(&mut worker);
    assert!(matches!(events.last(), Some(SearchEvent::BestMove { best: Some(_), .. })));
}

#[test]
fn new_request_drops_the_old_one_s_events() {
    let mut worker = SearchWorker::new();
    let old = worker.start(endless_request(RuleSet::TablutBerkeley));
    assert!(matches!(worker.wait(), Some(SearchEvent::Info { ticket, .. }) if ticket == old));
    let new = worker.start(short_request(RuleSet::Tablan));
    assert_ne!(new, old);
    let received = events(&mut worker);
    assert!(!received.is_empty());
    for event in received {
        let (SearchEvent::Info { ticket, .. } | SearchEvent::BestMove { ticket, .. }) = event;
        assert_eq!(ticket, new);
    }
}

#[test]
fn cancelled_search_sends_no_events() {
    let mut worker = SearchWorker::new();
    worker.start(endless_request(RuleSet::TablutLinnaeus));
    worker.cancel();
    assert!(!worker.is_searching());
    assert_eq!((worker.poll(), worker.wait()), (None, None));
    // The worker can be used again.
    worker.start(short_request(RuleSet::Tablaaza));
    assert!(matches!(
        events(&mut worker).last(),
        Some(SearchEvent::BestMove { best: Some(_), .. })
    ));
}

#[test]
fn answer_without_legal_moves_is_none() {
    let mut worker = SearchWorker::new();
    let waiting = GameHistory::new(AnyPosition::start(RuleSet::TablanOrdered));
    let key = waiting.position().key();
    let ticket =
        worker.start(Request { history: waiting, ..endless_request(RuleSet::TablanOrdered) });
    assert_eq!(events(&mut worker), [SearchEvent::BestMove { ticket, key, best: None }]);
}

#[test]
fn worker_is_send_and_sync() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<SearchWorker>();
}
