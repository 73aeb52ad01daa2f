//! `go`: clocks, pondering, several lines, perft, and one `bestmove` for each.

use std::{thread, time::Duration};

use tabulae_games::{AnyPosition, GameKind, RuleSet, divide};

use crate::common::{games::Numbers, ugi::EngineProcess};

/// An engine with this rule set and a move due.
fn engine_at_a_move(rules: RuleSet) -> EngineProcess {
    let mut engine = EngineProcess::start();
    engine.send(&format!("setoption name Rules value {rules}"));
    engine.send(if rules.has_sticks() {
        "position startpos moves t1"
    } else {
        "position startpos"
    });
    engine
}

/// The words of a line after a word.
fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|found| *found != word).nth(1)
}

#[test]
fn a_clock_limits_the_search_in_every_game() {
    for rules in RuleSet::ALL {
        let mut engine = engine_at_a_move(rules);
        let legal = engine.ask("query legal");
        let mover = if engine.ask("query p1turn") == "response true" { "p1" } else { "p2" };
        for clock in ["time 300", "time 1", "time 0", "time 200 MOVERinc 10", "time 90"] {
            let clock = clock.replace("MOVER", mover);
            for rest in ["", " movestogo 1", " depth 2"] {
                let go = format!("go {mover}{clock}{rest}");
                engine.send(&go);
                let best = engine.read_until("bestmove").pop().unwrap();
                let best = best.strip_prefix("bestmove ").unwrap();
                assert!(legal.split(' ').any(|mv| mv == best), "{rules}, {go}: {best}");
            }
        }
        engine.send("go p1time 100 p1inc 0 p2time 100 p2inc 0 movestogo 40");
        assert_ne!(engine.read_until("bestmove").last().unwrap(), "bestmove none");
    }
}

#[test]
fn the_answer_of_a_ponder_search_waits_for_ponderhit_or_stop() {
    for rules in RuleSet::ALL {
        let mut engine = engine_at_a_move(rules);
        // The searches end before they are released.
        for (go, release) in [
            ("go ponder depth 1", "ponderhit"),
            ("go ponder depth 1", "stop"),
            ("go ponder p1time 100 p2time 100 depth 1", "ponderhit"),
            ("go ponder infinite depth 1", "stop"),
        ] {
            engine.send(go);
            engine.read_until("info depth 1 ");
            thread::sleep(Duration::from_millis(20));
            assert_eq!(engine.ask("isready"), "readyok", "{rules}: {go}");
            engine.send(release);
            assert!(engine.read_line().starts_with("bestmove "), "{rules}: {go}");
        }
    }
}

#[test]
fn time_counts_from_ponderhit() {
    let mut engine = engine_at_a_move(RuleSet::TablutAshton);
    // A clock of one millisecond is no limit before the opponent has moved.
    engine.send("go ponder p1time 1 p2time 1");
    let mut deepest = 0;
    while deepest < 3 {
        let line = engine.read_line();
        deepest = after(&line, "depth").unwrap_or_else(|| panic!("{line}")).parse().unwrap();
    }
    engine.send("ponderhit");
    assert_ne!(engine.read_until("bestmove").last().unwrap(), "bestmove none");
    // Without a search, and twice, it has no answer.
    engine.send("ponderhit");
    engine.send("ponderhit");
    assert_eq!(engine.ask("isready"), "readyok");
    // Without limits those of the level hold.
    engine.send("setoption name Level value novice");
    engine.send("go ponder");
    engine.send("ponderhit");
    engine.read_until("bestmove");
    // `infinite` still waits for `stop`.
    engine.send("go ponder infinite");
    engine.send("ponderhit");
    engine.send("isready");
    let lines = engine.read_until("readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    engine.send("stop");
    engine.read_until("bestmove");
}

#[test]
fn a_ponder_search_is_stopped_at_the_end_of_input() {
    let mut engine = engine_at_a_move(RuleSet::Tablaaza);
    engine.send("go ponder depth 1");
    let (lines, status) = engine.close();
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    assert!(status.success());
}

#[test]
fn best_move_is_the_first_of_the_last_line() {
    let mut changed = 0;
    for rules in RuleSet::ALL {
        let mut engine = engine_at_a_move(rules);
        for nodes in (1..=24).map(|step| (450 * step).to_string()) {
            // With this depth nothing is proven without a search.
            engine.send(&format!("go depth 40 nodes {nodes}"));
            let lines = engine.read_until("bestmove");
            let [.., last, best] = lines.as_slice() else { panic!("{rules}: {lines:?}") };
            assert_eq!(after(last, "pv"), after(best, "bestmove"), "{rules}: {lines:?}");
            if rules.game() != GameKind::Tablan {
                assert_eq!(after(last, "nodes"), Some(nodes.as_str()), "{rules}: {lines:?}");
            }
            // If the last iteration has not changed the move, the one before is repeated.
            let depths: Vec<_> = lines.iter().filter_map(|line| after(line, "depth")).collect();
            changed += usize::from(depths.is_sorted_by(|one, next| one < next));
        }
    }
    assert!(changed > 0, "some searches end after they have changed the move");
}

#[test]
fn all_threads_share_the_nodes() {
    for rules in [RuleSet::TablutAshton, RuleSet::Tablaaza] {
        let mut engine = engine_at_a_move(rules);
        engine.send("setoption name Threads value 2");
        for nodes in [700_u64, 5_000, 20_000] {
            engine.send(&format!("go depth 40 nodes {nodes}"));
            let last = engine.read_until("bestmove").into_iter().rev().nth(1).unwrap();
            let found: u64 = after(&last, "nodes").unwrap().parse().unwrap();
            // A thread may end before it has used what it claimed.
            assert!((nodes - 128..=nodes).contains(&found), "{rules}, {nodes}: {last}");
        }
    }
}

#[test]
fn several_lines_have_numbers_and_different_moves() {
    for rules in RuleSet::ALL {
        let mut engine = engine_at_a_move(rules);
        let legal = engine.ask("query legal");
        let most = legal.split(' ').skip(1).count().min(3);
        engine.send("setoption name MultiPV value 3");
        // On a busy machine the time may end within the first round, or before.
        for go in ["go depth 2", "go nodes 9000", "go movetime 100", "go p1time 900 p2time 900"] {
            engine.send(go);
            let lines = engine.read_until("bestmove");
            let (best, infos) = lines.split_last().unwrap();
            let best = best.strip_prefix("bestmove ").unwrap();
            let number = |info: &String| after(info, "multipv").unwrap().parse::<usize>().unwrap();
            let rounds = infos.chunk_by(|one, next| number(one) < number(next));
            for round in rounds.clone() {
                let open = round.iter().filter(|info| !info.contains(" score mate "));
                let depths: Vec<_> = open.map(|info| after(info, "depth")).collect();
                assert!(depths.iter().all(|depth| *depth == depths[0]), "{rules}: {round:?}");
            }
            let Some(round) = rounds.last() else {
                assert!(go.contains("time"), "{rules}, {go}");
                continue;
            };
            let moves: Vec<_> = round.iter().map(|info| after(info, "pv").unwrap()).collect();
            assert_eq!(moves[0], best, "{rules}, {go}");
            assert!(moves.iter().all(|mv| legal.contains(mv)), "{moves:?}");
            assert!(moves.len() == most || go.contains("time"), "{rules}, {go}: {round:?}");
            assert!(round.iter().all(|info| info.split(' ').nth(3) == Some("multipv")));
        }
        for go in ["go infinite", "go ponder p1time 900 p2time 900"] {
            engine.send(go);
            // At the start of Tablaaza, three moves are proven to win.
            let depth = if rules == RuleSet::Tablaaza { 50 } else { 2 };
            engine.read_until(&format!("info depth {depth} multipv {most} "));
            engine.send("stop");
            engine.read_until("bestmove");
        }
        engine.send("setoption name MultiPV value 1");
        engine.send("go depth 2");
        let lines = engine.read_until("bestmove");
        assert!(lines.iter().all(|line| !line.contains("multipv")), "{lines:?}");
    }
}

#[test]
fn perft_counts_each_first_move_and_the_total() {
    for (rules, depth) in [
        (RuleSet::TablutBerkeley, 2),
        (RuleSet::TablutAshton, 3),
        (RuleSet::TablutLinnaeus, 1),
        (RuleSet::Tablaaza, 3),
    ] {
        let counts = divide(&AnyPosition::start(rules), depth);
        let mut expected: Vec<_> =
            counts.iter().map(|(mv, count)| format!("info string {mv}: {count}")).collect();
        let total: u64 = counts.iter().map(|(_, count)| count).sum();
        expected.extend([format!("info nodes {total}"), "bestmove none".to_owned()]);
        let mut engine = engine_at_a_move(rules);
        engine.send(&format!("go perft {depth}"));
        assert_eq!(engine.read_until("bestmove"), expected, "{rules}");
    }
    // A count that would take years can be stopped.
    let mut engine = engine_at_a_move(RuleSet::TablutAshton);
    engine.send("go perft 20");
    assert_eq!(engine.ask("isready"), "readyok");
    assert_eq!(engine.ask("stop"), "bestmove none");
    for moves in ["", " moves t1"] {
        engine.send("setoption name Rules value tablan");
        engine.send(&format!("position startpos{moves}"));
        let refused = engine.ask("go perft 1");
        assert!(refused.starts_with("error cannot count moves of tablan: "), "{refused}");
        assert_eq!(engine.read_line(), "bestmove none");
    }
}

/// Random words after `go`, at random moments.
#[test]
fn each_go_is_answered_by_one_best_move() {
    let mut numbers = Numbers::new(11);
    let words = [
        "depth 1",
        "depth",
        "nodes 20",
        "movetime 2",
        "infinite",
        "ponder",
        "p1time 5",
        "p2time 5",
        "p1time",
        "p2inc 1",
        "movestogo 2",
        "movestogo 0",
        "perft 2",
        "perft 20",
        "mate",
        "x",
    ];
    let others = ["ponderhit", "stop", "isready", "query legal", "", "setoption name Hash value 1"];
    let mut engine = EngineProcess::start();
    engine.send("setoption name Level value novice");
    let (mut searches, mut answers) = (0, 0);
    for round in 0..400 {
        if round % 40 == 0 {
            let rules = RuleSet::ALL[round / 40 % RuleSet::ALL.len()];
            engine.send(&format!("setoption name Rules value {rules}"));
            engine.send(&format!("setoption name MultiPV value {}", 1 + numbers.below(3)));
            if rules.has_sticks() && numbers.below(4) > 0 {
                engine.send("position startpos moves t1");
            }
        }
        if numbers.below(3) == 0 {
            engine.send(numbers.pick(&others));
        } else {
            let arguments: Vec<_> =
                (0..1 + numbers.below(3)).map(|_| numbers.pick(&words)).collect();
            engine.send(&format!("go {}", arguments.join(" ")));
            searches += 1;
        }
        if round % 20 == 19 {
            engine.send("stop");
            engine.send("query fen");
            let lines = engine.read_until("response ");
            // `query legal` may have come before.
            let mut last = lines;
            while !last.last().unwrap().contains('/') {
                answers += count_answers(&last);
                last = engine.read_until("response ");
            }
            answers += count_answers(&last);
            assert_eq!(answers, searches, "after {round} commands");
        }
    }
    engine.send("quit");
    assert!(engine.close().1.success());
}

fn count_answers(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove ")).count()
}
