//! The engine's answers, one conversation after the other.

use crate::common::{games::Numbers, ugi::EngineProcess};

#[test]
fn ugi_lists_name_author_and_options() {
    let mut engine = EngineProcess::start();
    engine.send("ugi");
    let lines = engine.read_until("ugiok");
    assert!(lines[0].starts_with("id name Tabulae "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    let options: Vec<_> = lines.iter().filter(|line| line.starts_with("option name ")).collect();
    for expected in [
        "option name Rules type combo default tablut/berkeley var tablut/berkeley \
         var tablut/ashton var tablut/linnaeus var tablut/saami var tablan var tablan/ordered var tablaaza",
        "option name Level type combo default master var newcomer var beginner var novice \
         var casual var regular var club var advanced var expert var candidate var master",
        "option name Contempt type check default true",
        "option name OwnBook type check default false",
        "option name MultiPV type spin default 1 min 1 max 16",
        "option name Threads type spin default 1 min 1 max ",
        "option name Hash type spin default 16 min 1 max ",
    ] {
        assert!(options.iter().any(|line| line.starts_with(expected)), "{options:?}");
    }
    assert_eq!(engine.ask("isready"), "readyok");
    engine.send("quit");
    let (rest, status) = engine.close();
    assert!(rest.is_empty() && status.success());
}

#[test]
fn a_wrong_line_is_answered_with_an_error_and_changes_nothing() {
    let mut engine = EngineProcess::start();
    engine.send("setoption name Rules value tablut/ashton");
    engine.send("position startpos moves e4-f4 d1-d3");
    let fen = engine.ask("query fen");
    assert_eq!(fen, "response 3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B4W2B/3BW4/4B4/4BB3 w");
    for (line, answer) in [
        ("position startpos moves e4-f4 e4-f4", "error illegal move e4-f4 at ply 2: "),
        ("position startpos moves e4-f4 t1", "error illegal move t1 at ply 2: "),
        ("position startpos moves e4-f4xf5", "error illegal move e4-f4xf5 at ply 1: "),
        ("position startpos moves xyz", "error illegal move xyz at ply 1: "),
        ("position fen 9/9 w", "error invalid position '9/9 w': "),
        ("position fen", "error invalid position '': "),
        ("position startpos e4-f4", "error expected moves after startpos, found 'e4-f4'"),
        ("position", "error expected startpos or fen after position, found ''"),
        (
            "setoption name Rules value tablut/brandub",
            "error invalid value 'tablut/brandub' for option Rules: ",
        ),
        (
            "setoption name Level value grandmaster",
            "error invalid value 'grandmaster' for option Level: ",
        ),
        (
            "setoption name Threads value 0",
            "error invalid value '0' for option Threads: expected a number",
        ),
        (
            "setoption name Hash value -1",
            "error invalid value '-1' for option Hash: expected a number from",
        ),
        ("setoption name Ponder value true", "error unknown option 'Ponder'"),
        ("setoption", "error unknown option ''"),
        (
            "setoption name MultiPV value 17",
            "error invalid value '17' for option MultiPV: expected a number from 1 to 16",
        ),
        (
            "setoption name Adapt value perhaps",
            "error invalid value 'perhaps' for option Adapt: expected one of true, false",
        ),
        (
            "setoption name OwnBook value 1",
            "error invalid value '1' for option OwnBook: expected one of true, false",
        ),
        ("setoption name Level value", "error invalid value '' for option Level: expected one of"),
        ("go depth", "error invalid value '' for go depth: expected a number above 0"),
        (
            "go movetime never",
            "error invalid value 'never' for go movetime: expected a number above 0",
        ),
        ("go p1time -1", "error invalid value '-1' for go p1time: expected a number from 0"),
        ("go p2time 1000", "error no clock in go: expected p1time, as p1 is to move"),
        ("go perft", "error invalid value '' for go perft: expected a number from 1 to 20"),
        ("go fishing", "error unknown limit 'fishing' in go: expected movetime, "),
        ("query everything", "error unknown query 'everything'"),
        ("query", "error unknown query ''"),
        ("hello", "error unknown command 'hello': expected ugi, "),
    ] {
        let found = engine.ask(line);
        assert!(found.starts_with(answer), "{line}: {found}");
        if line.starts_with("go") {
            assert_eq!(engine.read_line(), "bestmove none", "{line}");
        }
        assert_eq!(engine.ask("query fen"), fen, "{line}");
    }
    engine.send_bytes(b"query \xff\xfe");
    assert!(engine.read_line().starts_with("error unknown query "));
    engine.send("\r");
    engine.send("");
    assert_eq!(engine.ask("  isready \r"), "readyok");
}

#[test]
fn moves_are_accepted_with_and_without_the_capture() {
    let mut engine = EngineProcess::start();
    engine.send("setoption name Rules value tablan");
    engine.send("position fen 3N8/2N9/12/SS10 s - moves t1");
    let legal = engine.ask("query legal");
    assert!(legal.contains("a1-c1"), "{legal}");
    // On the third row South travels from a to l.
    engine.send("position fen 11N/2N9/S11/12 s - moves t1");
    let legal = engine.ask("query legal");
    assert_eq!(legal, "response a2-b3");
    engine.send("position fen 11N/1N10/S11/12 s - moves t1");
    assert_eq!(engine.ask("query legal"), "response a2xb3");
    for mv in ["a2xb3", "a2-b3"] {
        engine.send(&format!("position fen 11N/1N10/S11/12 s - moves t1 {mv}"));
        assert_eq!(engine.ask("query events"), "response captured:b3", "{mv}");
    }
}

#[test]
fn go_with_a_limit_gives_a_legal_move() {
    let mut engine = EngineProcess::start();
    for rules in ["tablut/berkeley", "tablut/ashton", "tablut/linnaeus", "tablaaza", "tablan"] {
        engine.send(&format!("setoption name Rules value {rules}"));
        let throw = if rules == "tablan" { " moves t1" } else { "" };
        engine.send(&format!("position startpos{throw}"));
        let legal = engine.ask("query legal");
        for go in ["go depth 1", "go nodes 50", "go movetime 20", "go depth 2 movetime 50"] {
            engine.send(go);
            let lines = engine.read_until("bestmove");
            let (best, infos) = lines.split_last().unwrap();
            let best = best.strip_prefix("bestmove ").unwrap();
            assert!(legal.split(' ').any(|mv| mv == best), "{rules}, {go}: {best} of {legal}");
            for info in infos {
                let words: Vec<_> = info.split(' ').collect();
                assert_eq!((words[0], words[1], words[3]), ("info", "depth", "score"), "{info}");
                for word in ["nodes", "nps", "time"] {
                    let at = words.iter().position(|found| *found == word).unwrap();
                    assert!(words[at + 1].parse::<u64>().is_ok(), "{info}");
                }
            }
        }
    }
}

#[test]
fn more_threads_than_cores_are_told() {
    let mut engine = EngineProcess::start();
    engine.send("ugi");
    let lines = engine.read_until("ugiok");
    let threads = "option name Threads type spin default 1 min 1 max ";
    let most: usize =
        lines.iter().find_map(|line| line.strip_prefix(threads)).unwrap().parse().unwrap();
    engine.send(&format!("setoption name Threads value {most}"));
    assert_eq!(engine.ask("isready"), "readyok");
    let told = engine.ask("setoption name Threads value 1000");
    let text = "threads are used: more do not help on this machine";
    assert_eq!(told, format!("info string {most} of 1000 {text}"));
}

#[test]
fn go_without_limits_uses_those_of_the_level() {
    let mut engine = EngineProcess::start();
    engine.send("setoption name Rules value tablaaza");
    engine.send("setoption name Level value Novice");
    engine.send("go");
    assert!(engine.read_until("bestmove").last().unwrap().len() > "bestmove ".len());
}

#[test]
fn commands_are_answered_during_a_search() {
    let mut engine = EngineProcess::start();
    engine.send("setoption name Rules value tablut/ashton");
    engine.send("go infinite");
    engine.send("isready");
    engine.send("query p1turn");
    engine.send("query gameover");
    engine.send("go depth 1");
    // The search goes on, so only `info` lines come between these answers.
    for answer in ["readyok", "response true", "response false", "error a search is running"] {
        let lines = engine.read_until(answer);
        assert!(lines[..lines.len() - 1].iter().all(|line| line.starts_with("info")), "{lines:?}");
    }
    engine.send("stop");
    assert!(engine.read_until("bestmove").last().unwrap().contains('-'));
    // The refused `go` is answered after the search.
    assert_eq!(engine.read_line(), "bestmove none");
    // `stop` without a search has no answer.
    engine.send("stop");
    assert_eq!(engine.ask("isready"), "readyok");
}

#[test]
fn the_option_of_earlier_versions_is_accepted_and_changes_nothing() {
    let mut engine = EngineProcess::start();
    engine.send("setoption name Rules value tablan");
    engine.send("position startpos moves t1");
    let mut best = |adapt: &str| {
        engine.send(&format!("setoption name Adapt value {adapt}"));
        assert_eq!(engine.ask("isready"), "readyok");
        engine.send("go depth 2");
        let lines = engine.read_until("bestmove");
        let score = lines
            .iter()
            .rev()
            .find_map(|line| line.split_once(" cp "))
            .map(|score| score.1.split(' ').next().map(str::to_owned));
        (lines.last().cloned(), score)
    };
    assert_eq!(best("true"), best("false"));
}

#[test]
fn a_draw_is_even_in_an_analysis_and_without_contempt() {
    // White can repeat the position with i9-h9, a draw, and is worse off otherwise.
    let game = "e6-d6 f1-f4 g5-g9 d9-b9 e3-f3 i6-g6 f5-f8 g6-g7 d6-g6 h5-g5 e5-f5 a6-g6 f5-f7 \
                i5-i8 g9-h9 i8-h8 e4-g4 d1-d3 d5-d8 e2-g2 c5-c6 g2-g3 f3-f4 i4-i6 h9-i9 i6-i4";
    let mut engine = EngineProcess::start();
    engine.send("setoption name Rules value tablut/ashton");
    engine.send(&format!("position startpos moves {game}"));
    let mut draws = |go: &str, contempt: bool| -> bool {
        engine.send(&format!("setoption name Contempt value {contempt}"));
        engine.send(go);
        let told = engine.read_until("info depth 1 ").pop().unwrap();
        engine.send("stop");
        engine.read_until("bestmove");
        told.contains(" score cp 0 ") && told.ends_with(" pv i9-h9")
    };
    assert!(draws("go infinite", true) && draws("go depth 1", false));
    assert!(!draws("go depth 1", true));
}

#[test]
fn own_book_chooses_whites_first_move_by_ashtons_rules_in_a_game() {
    let mut engine = EngineProcess::start();
    engine.send("setoption name Rules value tablut/ashton");
    let first_moves = |engine: &mut EngineProcess, go: &str| -> Vec<String> {
        (0..4)
            .map(|seed| {
                engine.send(&format!("setoption name Seed value {seed}"));
                engine.send(go);
                let info = engine.read_until("info depth 1 ").pop().unwrap();
                engine.send("stop");
                engine.read_until("bestmove");
                info.rsplit_once(" pv ").unwrap().1.to_owned()
            })
            .collect()
    };
    let is_in_book = |mv: &String| {
        ["d5-d4", "d5-d6", "e4-d4", "e4-f4", "e6-d6", "e6-f6", "f5-f4", "f5-f6"]
            .contains(&mv.as_str())
    };
    let best = first_moves(&mut engine, "go depth 1");
    assert!(!best.iter().all(is_in_book), "off by default: {best:?}");
    engine.send("setoption name OwnBook value true");
    let played = first_moves(&mut engine, "go depth 1");
    assert!(played.iter().all(is_in_book), "{played:?}");
    assert_eq!(first_moves(&mut engine, "go infinite"), best, "an analysis looks at all moves");
}

#[test]
fn a_change_of_position_stops_the_search() {
    let mut engine = EngineProcess::start();
    for change in ["position startpos", "uginewgame", "setoption name Rules value tablaaza"] {
        engine.send("go infinite");
        engine.send(change);
        engine.send("isready");
        let lines = engine.read_until("readyok");
        let bests = lines.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(bests, 1, "{change}: {lines:?}");
    }
}

#[test]
fn random_commands_do_not_end_the_engine() {
    let mut numbers = Numbers::new(9);
    let words = [
        "ugi",
        "setoption",
        "name",
        "value",
        "Rules",
        "tablan",
        "Hash",
        "position",
        "fen",
        "startpos",
        "moves",
        "t1",
        "a1-c1",
        "l1-l2+k1-l1",
        "go",
        "depth",
        "-1",
        "query",
        "legal",
        "events",
        "stop",
        "99999999999999999999",
        "?n",
        "12/12",
        "K",
        "é",
        "+",
        "x",
        "\0",
        "t5",
    ];
    let mut engine = EngineProcess::start();
    for round in 0..300 {
        let mut line: Vec<u8> = Vec::new();
        for _ in 0..numbers.below(7) {
            line.extend(numbers.pick(&words).as_bytes());
            line.push(b' ');
        }
        if round % 5 == 0 {
            line.extend(
                (0..8).map(|_| numbers.next().to_le_bytes()[0]).filter(|byte| *byte != b'\n'),
            );
        }
        // `go` with random arguments may start a long search.
        if !line.starts_with(b"go") {
            engine.send_bytes(&line);
        }
    }
    engine.send("isready");
    let lines = engine.read_until("readyok");
    assert!(lines.iter().filter(|line| line.starts_with("error ")).count() > 150);
    engine.send("quit");
    assert!(engine.close().1.success());
}

#[test]
fn a_limited_search_finishes_after_the_end_of_input() {
    let mut engine = EngineProcess::start();
    engine.send("setoption name Rules value tablaaza");
    engine.send("go depth 2");
    let (lines, status) = engine.close();
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    assert!(status.success());

    let mut engine = EngineProcess::start();
    engine.send("go infinite");
    let (lines, status) = engine.close();
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    assert!(status.success());
}

#[test]
fn go_is_an_error_when_a_throw_is_due() {
    let mut engine = EngineProcess::start();
    engine.send("setoption name Rules value tablan");
    assert_eq!(engine.ask("query legal"), "response");
    let refused = engine.ask("go depth 1");
    assert!(refused.starts_with("error a throw is due"), "{refused}");
    assert_eq!(engine.read_line(), "bestmove none");
    // South throws no 1 to start, then North throws, then South.
    for (throws, p1) in [("t2", "false"), ("t2 t3", "true"), ("t2 t1", "false")] {
        engine.send(&format!("position startpos moves {throws}"));
        assert_eq!(engine.ask("query p1turn"), format!("response {p1}"), "{throws}");
    }
    engine.send("go depth 1");
    assert!(engine.read_until("bestmove").last().unwrap().len() > "bestmove ".len());
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut engine = EngineProcess::start();
    engine.send("setoption name Rules value tablut/berkeley");
    engine.send("position startpos moves a4-b4 e4-d4 b4-a4 d4-e4");
    assert_eq!(engine.ask("query events"), "response ended:repetition");
    assert_eq!(engine.ask("query result"), "response p1win");
    assert_eq!(engine.ask("query gameover"), "response true");
    assert_eq!(engine.ask("query legal"), "response");
    for go in ["go depth 3", "go infinite", "go ponder", "go p1time 1000 p2time 1000", "go perft 2"]
    {
        assert_eq!(engine.ask(go), "bestmove none", "{go}");
    }
    let after = engine.ask("position startpos moves a4-b4 e4-d4 b4-a4 d4-e4 a4-b4");
    assert_eq!(after, "error illegal move a4-b4 at ply 5: the game is over");
}
