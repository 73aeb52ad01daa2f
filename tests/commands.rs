//! The commands from outside: what they write, where, and how they end.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};

use common::{
    program::{arg, fail, succeed, succeed_with, tabulae},
    ugi::Engine,
};
use tabulae::{
    games::{Ply, RuleSet, Side},
    records::{Outcome, Record, read},
};

const COMMANDS: [&str; 8] =
    ["play", "engine", "perft", "match", "check", "analyse", "render", "rules"];

fn record(kind: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records").join(kind).join(name)
}

fn read_file(path: &Path) -> Vec<Record> {
    read(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_command_has_help() {
    let all = succeed(&["--help"]);
    for command in COMMANDS {
        assert!(all.contains(&format!("  {command} ")), "{command} is not in the list");
        let help = succeed(&[command, "--help"]);
        assert!(help.contains(&format!("Usage: tabulae {command}")), "{help}");
    }
    assert!(succeed(&["--version"]).starts_with("tabulae "));
}

#[test]
fn bad_usage_is_code_two() {
    for arguments in [
        &["dance"] as &[&str],
        &["--rules", "chess"],
        &["perft"],
        &["perft", "tablut", "3"],
        &["perft", "tablaaza", "deep"],
        &["rules", "chess"],
        &["check"],
        &["play"],
        &["play", "--rules", "tablaaza", "--first", "champion"],
        &["match", "--rules", "tablaaza", "--first", "club"],
        &["match", "--rules", "tablaaza", "--first", "club", "--second", "nobody"],
        &["match", "--rules", "tablaaza", "--first", "club", "--second", "cmd:"],
        &["match", "--rules", "tablaaza", "--first", "club", "--second", "club", "--games", "0"],
        &["analyse", "x.tab", "--movetime", "0"],
        &["render", "x.tab"],
        &["render", "x.tab", "--out", "x.png", "--size", "huge"],
        &["render", "x.tab", "--out", "x.png", "--size", "0x100"],
    ] {
        fail(2, arguments);
    }
    let error = fail(2, &["perft", "chess", "1"]);
    assert!(error.contains("tablut/berkeley, tablut/ashton, tablut/linnaeus"), "{error}");
}

#[cfg(not(feature = "app"))]
#[test]
fn without_the_app_it_says_what_to_do() {
    let error = fail(1, &[]);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("`tabulae play") && error.contains("--features app"), "{error}");
    let game = record("valid", "tablaaza.tab");
    let error = fail(1, &["render", arg(&game), "--out", "none.png"]);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("none.png") && error.contains("--features app"), "{error}");
}

#[test]
fn render_looks_at_the_record_first() {
    let game = record("valid", "tablaaza.tab");
    let plies = read_file(&game)[0].line().len();
    let beyond = (plies + 1).to_string();
    let error = fail(1, &["render", arg(&game), "--out", "none.png", "--ply", &beyond]);
    assert!(error.contains(&format!("has {plies} plies")), "{error}");
    let bad = record("invalid", "no-rules.tab");
    let error = fail(1, &["render", arg(&bad), "--out", "none.png"]);
    assert!(error.contains("no-rules.tab:4:1: expected a tag"), "{error}");
    assert!(!Path::new("none.png").exists());
}

#[test]
fn perft_counts() {
    for (rules, counts) in [
        ("tablut/berkeley", [80, 4_400]),
        ("tablut/ashton", [56, 4_408]),
        ("tablut/linnaeus", [56, 3_968]),
        ("tablaaza", [25, 163]),
    ] {
        assert_eq!(succeed(&["perft", rules, "0"]), "1\n");
        for (depth, count) in (1..).zip(counts) {
            let depth = depth.to_string();
            assert_eq!(succeed(&["perft", rules, &depth]), format!("{count}\n"));
            let divided = succeed(&["perft", rules, &depth, "--divide"]);
            let lines: Vec<_> = divided.lines().collect();
            let (total, moves) = lines.split_last().unwrap();
            assert_eq!(*total, count.to_string());
            assert_eq!(moves.len(), counts[0]);
            let numbers = moves.iter().map(|line| line.split(' ').nth(1).unwrap());
            assert_eq!(numbers.map(|count| count.parse::<usize>().unwrap()).sum::<usize>(), count);
        }
    }
    let position = "8/8/2~2~2/2~2~2/2~2~2/8/r7 g";
    assert_eq!(succeed(&["perft", "tablaaza", "1", "--position", position]), "4\n");
}

#[test]
fn perft_refuses_dice_and_bad_positions() {
    for rules in ["tablan", "tablan/ordered"] {
        let error = fail(2, &["perft", rules, "2"]);
        assert!(error.contains("not for dice"), "{error}");
    }
    let error = fail(1, &["perft", "tablaaza", "1", "--position", "8/8 r"]);
    assert!(error.contains("unreadable position '8/8 r'"), "{error}");
}

#[test]
fn check_says_what_is_in_good_files() {
    let mut arguments = vec!["check".to_owned()];
    let mut games = 0;
    for entry in fs::read_dir(record("valid", "")).unwrap() {
        let path = entry.unwrap().path();
        games += fs::read_to_string(&path).unwrap().matches("[Rules ").count();
        arguments.push(path.to_str().unwrap().to_owned());
    }
    let out = succeed(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(out.lines().count(), games);
    assert!(out.lines().all(|line| line.contains(".tab: tabl") && line.contains(" plies, ")));
    assert!(out.contains("tablaaza.tab: tablaaza, 46 plies, 0-1 (no-moves)"), "{out}");
}

#[test]
fn check_names_the_first_thing_wrong_in_each_bad_file() {
    let (good, bad) = (record("valid", "tablaaza.tab"), record("invalid", "illegal-move.tab"));
    let (none, worse) = (Path::new("no-such-file.tab"), record("invalid", "open-comment.tab"));
    let run = tabulae(&["check", arg(&bad), arg(&good), arg(none), arg(&worse)], "");
    assert_eq!(run.code, 1);
    let errors: Vec<_> = run.err.lines().collect();
    assert_eq!(errors.len(), 3, "{errors:?}");
    let expected = fs::read_to_string(bad.with_extension("error")).unwrap();
    assert!(errors[0].ends_with(expected.trim_end()), "{errors:?}");
    assert!(errors[0].starts_with(arg(bad.parent().unwrap())), "{errors:?}");
    assert!(errors[1].starts_with("cannot read no-such-file.tab: "), "{errors:?}");
    assert!(errors[2].contains("open-comment.tab:3:7: '{'"), "{errors:?}");
    assert!(run.out.lines().all(|line| line.contains("tablaaza.tab: ")), "{}", run.out);

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("latin.tab");
    fs::write(&path, b"[Rules \"tablaaza\"]\n[Red \"J\xf6rg\"]\n*\n").unwrap();
    let error = fail(1, &["check", arg(&path)]);
    assert!(error.contains("latin.tab:2:8: expected text in UTF-8"), "{error}");
}

#[test]
fn check_reads_move_lists() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("moves.txt");
    fs::write(&path, "1. i6-g d5-7\n2. i4-g\n").unwrap();
    let out = succeed(&["check", arg(&path)]);
    assert!(out.ends_with("moves.txt: tablut/berkeley, 3 plies, *\n"), "{out}");
}

#[test]
fn rules_are_there_to_read() {
    let list = succeed(&["rules"]);
    for rules in RuleSet::ALL {
        assert!(list.contains(rules.id()));
        let text = succeed(&["rules", rules.id()]);
        assert!(text.starts_with(&format!("# {}\n", rules.title())), "{text}");
        for chapter in ["## The board", "## The end", "## Writing moves"] {
            assert!(text.contains(chapter), "{rules} has no {chapter}");
        }
        assert!(text.lines().all(|line| line.len() <= 80), "{rules}");
    }
}

#[test]
fn a_match_is_played_counted_and_recorded() {
    let dir = tempfile::tempdir().unwrap();
    for rules in RuleSet::ALL {
        let path = dir.path().join("games.tab");
        let out = succeed(&[
            "match",
            "--rules",
            rules.id(),
            "--first",
            "novice",
            "--second",
            "casual",
            "--games",
            "4",
            "--movetime",
            "1",
            "--concurrency",
            "2",
            "--plies",
            "40",
            "--seed",
            "7",
            "--out",
            arg(&path),
        ]);
        let lines: Vec<_> = out.lines().collect();
        assert_eq!(lines.len(), 1 + 4 + 2, "{out}");
        assert!(lines[0].ends_with("4 games, 1 ms a move, seed 7"), "{out}");
        assert!(lines[5].starts_with("score of novice against casual: +"), "{out}");
        assert!(lines[5].contains(" of 4 ("), "{out}");
        assert!(lines[6].starts_with("Elo difference: "), "{out}");
        let records = read_file(&path);
        assert_eq!(records.len(), 4);
        let mut points = [0.0, 0.0];
        for (number, record) in records.iter().enumerate() {
            let novice = if number % 2 == 0 { Side::First } else { Side::Second };
            assert_eq!(record.players[novice.index()], "novice");
            assert_eq!(record.players[novice.other().index()], "casual");
            assert_eq!(record.seed, rules.has_sticks().then_some(7 + number as u64 / 2));
            assert!(lines[1 + number].starts_with(&format!("game {} of 4: ", number + 1)));
            match record.result() {
                Outcome::Won(side) => points[usize::from(side != novice)] += 1.0,
                Outcome::Drawn => points = points.map(|points| points + 0.5),
                Outcome::Open => panic!("no result: {record}"),
            }
        }
        assert!(lines[5].contains(&format!(", {} of 4 (", points[0])), "{out}");
        // A pair has the same opening, another pair another one.
        let opening = |record: &Record| {
            let plies = record.line().plies();
            plies.filter(|ply| matches!(ply, Ply::Move(_))).take(4).collect::<Vec<_>>()
        };
        assert_eq!(opening(&records[0]), opening(&records[1]));
        assert_ne!(opening(&records[0]), opening(&records[2]));
    }
}

#[test]
fn any_program_that_speaks_the_protocol_may_play() {
    let engine = format!("cmd:\"{}\" engine", env!("CARGO_BIN_EXE_tabulae"));
    for rules in ["tablaaza", "tablan", "tablut/linnaeus"] {
        let out = succeed(&[
            "match",
            "--rules",
            rules,
            "--first",
            &engine,
            "--second",
            "novice",
            "--games",
            "2",
            "--movetime",
            "2",
            "--plies",
            "30",
        ]);
        assert!(!out.contains("forfeit"), "{out}");
    }
}

#[test]
fn a_player_that_fails_loses_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.tab");
    // It ends at once; and it is no program at all.
    let ends = format!("cmd:\"{}\" rules", env!("CARGO_BIN_EXE_tabulae"));
    for (player, words) in [(ends.as_str(), "has ended"), ("cmd:no-such-engine", "cannot be")] {
        let out = succeed(&[
            "match",
            "--rules",
            "tablaaza",
            "--first",
            player,
            "--second",
            "novice",
            "--games",
            "2",
            "--movetime",
            "1",
            "--out",
            arg(&path),
        ]);
        assert!(out.contains(words), "{out}");
        assert!(out.contains("+0 =0 -2"), "{out}");
        assert!(out.contains("forfeits of "), "{out}");
        for record in read_file(&path) {
            assert_eq!(record.termination(), Some("forfeit"));
            assert!(record.comments(record.line().len())[0].contains(words), "{record}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_illegal_move_loses_the_game() {
    let script = r#"cmd:sh -c 'echo ugiok; echo readyok; echo bestmove a1-z9; cat >/dev/null'"#;
    let out = succeed(&[
        "match",
        "--rules",
        "tablut/ashton",
        "--first",
        "novice",
        "--second",
        script,
        "--games",
        "2",
        "--movetime",
        "1",
    ]);
    assert!(out.contains("plays 'a1-z9': "), "{out}");
    assert!(out.contains("+2 =0 -0") && out.contains("Elo difference: +inf"), "{out}");
}

#[test]
fn a_match_that_cannot_be_recorded_is_not_played() {
    let error = fail(
        1,
        &[
            "match",
            "--rules",
            "tablaaza",
            "--first",
            "novice",
            "--second",
            "novice",
            "--out",
            "no/such/folder/games.tab",
        ],
    );
    assert!(error.contains("cannot write no/such/folder/games.tab"), "{error}");
}

#[test]
fn analyse_comments_every_choice() {
    let path = record("valid", "commented.tab");
    let before = &read_file(&path)[0];
    let out = succeed(&["analyse", arg(&path), "--movetime", "5"]);
    let after = &read(&out).unwrap()[0];
    assert_eq!(after.line(), before.line());
    assert_eq!(after.result(), before.result());
    for number in 0..=before.line().len() {
        let said = after.comments(number).iter().filter(|text| text.contains("best ")).count();
        assert_eq!(said, 1, "position {number}: {out}");
        for comment in before.comments(number) {
            assert!(after.comments(number).contains(comment), "{comment} is lost");
        }
    }
    let bad = record("invalid", "illegal-move.tab");
    assert!(fail(1, &["analyse", arg(&bad)]).contains("illegal-move.tab:"));
}

#[test]
fn two_persons_play_to_the_end() {
    let out = succeed_with(
        &["play", "--rules", "tablut/berkeley", "--second", "person"],
        "moves a4\na4-b4\nmove e4-d4\nb4-a4\nd4-e4\nundo\nredo\ne2-f2\nquit\nnever read",
    );
    for words in [
        "Tablut (Berkeley). Black: Person. White: Person.",
        " 5 B B W W K W W B B 5",
        "a4-b4",
        "Black moves a4 to b4.",
        "White moves e4 to d4.",
        "Black wins: White brought an earlier position back.",
        "Taken back.",
        "Played again.",
        "That cannot be done: the game is over.",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

#[test]
fn mistakes_are_answered_and_change_nothing() {
    let out = succeed_with(
        &["play", "--rules", "tablut/ashton", "--second", "person"],
        "e4-e5\nmove\nfrobnicate\nt1\nthrow\nundo\nredo\nmoves z\nopen nowhere.tab\nsave\n\
         save no/such/folder/x.tab\nopen\nhelp\nwhere\nshow\n\n",
    );
    for words in [
        "That cannot be done: ",
        "Which move?",
        "not a move: ",
        "Say throw to throw the sticks.",
        "this game has no sticks",
        "Nothing to take back.",
        "Nothing to redo.",
        "There is no such move now.",
        "cannot read nowhere.tab",
        "Save where?",
        "cannot write no/such/folder/x.tab",
        "Open what?",
        "hint        ",
        "King: e5.\nWhite soldiers: c5 d5 e3 e4 e6 e7 f5 g5.",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(!out.contains("White moves"), "{out}");
    assert!(out.trim_end().ends_with('>'), "the end of input ends it: {out}");
}

#[test]
fn a_game_is_saved_and_opened_again_with_its_throws() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (dir.path().join("one.tab"), dir.path().join("two.tab"));
    let throws = "throw\n".repeat(40);
    let table = ["play", "--rules", "tablan", "--second", "person", "--seed", "11"];
    let out = succeed_with(&table, &format!("{throws}save {}\n", arg(&one)));
    assert!(out.contains("The sticks' seed is 11."), "{out}");
    assert!(out.contains("plain sides up, no score."), "{out}");
    assert!(out.contains("is to move one piece 2 squares, or two pieces 1 each."), "{out}");
    assert!(out.contains("That cannot be done: a move is due, not a throw."), "{out}");
    let saved = &read_file(&one)[0];
    assert_eq!(saved.seed, Some(11));
    assert!(saved.line().plies().all(|ply| matches!(ply, Ply::Throw(_))));

    // Opened again it goes on as the game that was never closed.
    let more = "hint\nl1-k2\na4-b3\nthrow\nthrow\nthrow\nresign\n";
    let on = format!("{more}save {}\n", arg(&two));
    succeed_with(&["play", "--record", arg(&one)], &on);
    let reopened = read_file(&two).remove(0);
    succeed_with(&table, &format!("{throws}{on}"));
    assert_eq!(read_file(&two), [reopened.clone()]);
    assert!(reopened.line().len() > saved.line().len());
    assert_eq!(reopened.termination(), Some("resignation"));
    let out = succeed_with(&["play", "--record", arg(&two)], "undo\nshow\n");
    assert!(out.contains("has given up.") && out.contains("Taken back."), "{out}");
}

#[test]
fn engines_play_by_themselves() {
    let table =
        ["play", "--rules", "tablaaza", "--first", "novice", "--second", "novice", "--seed", "3"];
    let out = succeed(&table);
    let last = out.lines().last().unwrap();
    assert!(last.contains("has no free square left to play on."), "{out}");
    assert!(out.contains("raises a pavilion on "), "{out}");
    assert!(!out.contains('>'), "nobody is asked: {out}");
}

#[test]
fn a_person_plays_against_an_engine() {
    let table = ["play", "--rules", "tablaaza", "--second", "novice"];
    let out = succeed_with(&table, "a1\nhint\nundo\nnew\nresign\nresign\nquit\n");
    for words in [
        "Red: Person. Green: Tabulae Novice.",
        "Red plays a1.",
        "Green plays ",
        "A club player would play ",
        "Taken back.\nRed is to play a stone.",
        "Green wins: Red has given up.",
        "The game is over already.",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

/// Whoever closes our output early has read enough.
#[test]
fn a_closed_stdout_is_no_panic() {
    use std::{
        io::Write,
        process::{Command, Stdio},
    };
    for arguments in
        [&["engine"] as &[&str], &["play", "--rules", "tablaaza", "--second", "person"]]
    {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabulae"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        // It may have ended before it reads this.
        _ = child.stdin.take().unwrap().write_all(b"isready\nisready\nisready\n");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.stderr, b"", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}");
    }
    assert_eq!(Engine::start().ask("isready"), "readyok");
}
