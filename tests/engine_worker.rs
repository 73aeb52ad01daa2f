//! Thinking off the main thread: stopped when told, late answers dropped.

use std::{sync::mpsc::channel, thread};

use tabulae::{
    engines::{EngineOptions, Level, Reply, Request, SearchLimits, StopSignal, Worker, search},
    games::{AnyPosition, Game, Line, Ply, RuleSet, Throw},
};

/// A game that waits for a move.
fn line(rules: RuleSet) -> Line<AnyPosition> {
    let mut line = Line::new(AnyPosition::start(rules));
    if rules.has_sticks() {
        line.push(Ply::Throw(Throw::ALL[1])).expect("a throw is due");
    }
    line
}

fn endless(rules: RuleSet) -> Request {
    let options = EngineOptions { level: Level::Master, hash_mib: 4, ..EngineOptions::default() };
    Request { line: line(rules), limits: SearchLimits::default(), options }
}

fn short(rules: RuleSet) -> Request {
    Request {
        limits: SearchLimits { nodes: Some(500), ..SearchLimits::default() },
        ..endless(rules)
    }
}

/// Everything heard until the answer, the answer last.
fn replies(worker: &mut Worker) -> Vec<Reply> {
    std::iter::from_fn(|| worker.wait()).collect()
}

#[test]
fn an_endless_thought_stops_when_told() {
    for rules in RuleSet::ALL {
        let request = endless(rules);
        let stop = StopSignal::default();
        let (sender, told) = channel();
        let thought = {
            let (request, stop) = (request.clone(), stop.clone());
            thread::spawn(move || {
                search(&request, &stop, &mut |info| sender.send(info.depth).expect("listened to"))
            })
        };
        assert_eq!(told.recv(), Ok(1), "{rules}");
        stop.stop();
        let best = thought.join().expect("no panic").expect("a move is due");
        assert!(request.line.legal_moves().contains(&best), "{rules}");
    }
}

#[test]
fn a_thought_stopped_before_it_begins_has_an_answer() {
    for rules in RuleSet::ALL {
        let request = endless(rules);
        let stop = StopSignal::default();
        stop.stop();
        let best = search(&request, &stop, &mut |_| ()).expect("a move is due");
        assert!(request.line.legal_moves().contains(&best), "{rules}");
    }
}

#[test]
fn the_answer_tells_what_it_is_about() {
    let mut worker = Worker::new();
    for rules in RuleSet::ALL {
        let request = short(rules);
        let ticket = worker.ask(request.clone());
        assert!(worker.is_thinking());
        let replies = replies(&mut worker);
        let Some((Reply::Best { ticket: about, key, best }, infos)) = replies.split_last() else {
            panic!("no answer: {replies:?}")
        };
        assert_eq!((*about, *key), (ticket, request.line.position().key()));
        assert!(request.line.legal_moves().contains(&best.expect("a move is due")));
        assert!(!infos.is_empty());
        for info in infos {
            assert!(matches!(info, Reply::Info { ticket: about, .. } if *about == ticket));
        }
        assert!(!worker.is_thinking());
        assert_eq!(worker.poll(), None);
    }
}

#[test]
fn stopping_brings_the_answer_found_so_far() {
    let mut worker = Worker::new();
    worker.ask(endless(RuleSet::TablutAshton));
    assert!(matches!(worker.wait(), Some(Reply::Info { .. })));
    worker.stop();
    let replies = replies(&mut worker);
    assert!(matches!(replies.last(), Some(Reply::Best { best: Some(_), .. })));
}

#[test]
fn a_new_request_drops_the_old_answer() {
    let mut worker = Worker::new();
    let old = worker.ask(endless(RuleSet::TablutBerkeley));
    assert!(matches!(worker.wait(), Some(Reply::Info { ticket, .. }) if ticket == old));
    let new = worker.ask(short(RuleSet::Tablan));
    assert_ne!(new, old);
    let heard = replies(&mut worker);
    assert!(!heard.is_empty());
    for reply in heard {
        let (Reply::Info { ticket, .. } | Reply::Best { ticket, .. }) = reply;
        assert_eq!(ticket, new);
    }
}

#[test]
fn of_a_cancelled_thought_nothing_is_heard() {
    let mut worker = Worker::new();
    worker.ask(endless(RuleSet::TablutLinnaeus));
    worker.cancel();
    assert!(!worker.is_thinking());
    assert_eq!((worker.poll(), worker.wait()), (None, None));
    // The stopped worker is as good as new.
    worker.ask(short(RuleSet::Tablaaza));
    assert!(matches!(replies(&mut worker).last(), Some(Reply::Best { best: Some(_), .. })));
}

#[test]
fn where_there_is_no_move_the_answer_says_so() {
    let mut worker = Worker::new();
    let waiting = Line::new(AnyPosition::start(RuleSet::TablanOrdered));
    let key = waiting.position().key();
    let ticket = worker.ask(Request { line: waiting, ..endless(RuleSet::TablanOrdered) });
    assert_eq!(replies(&mut worker), [Reply::Best { ticket, key, best: None }]);
}

#[test]
fn a_worker_may_live_in_shared_places() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Worker>();
}
