//! Other programs as players and analysts: one in another language, and broken ones.

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader, Read as _},
    os::unix::process::ExitStatusExt as _,
    path::PathBuf,
    process::{Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use tabulae_engines::{Score, SearchLimits, set_waker};
use tabulae_games::{AnyPosition, GameHistory, RuleSet};
use tabulae_session::{EngineEntry, EngineList, ProgramEvent, ProgramLimits, ProgramWorker};

use crate::common::program::{fail, path_arg, run_tabulae_in, succeed, succeed_with};

fn python_player() -> String {
    format!("python3 '{}/tests/programs/tablaaza.py'", env!("CARGO_MANIFEST_DIR"))
}

/// A shell script that answers as UGI wants until it is asked for a move.
fn script(at_go: &str) -> String {
    let answers = "case \"$line\" in ugi) echo ugiok;; isready) echo readyok;;";
    format!("sh -c 'while read line; do {answers} go*) {at_go};; esac; done'")
}

const SECOND: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(60);

fn worker(command: String, patience: Duration) -> ProgramWorker {
    let entry = EngineEntry { name: "Foreign".to_owned(), command, ..EngineEntry::default() };
    ProgramWorker::start(entry, patience)
}

fn start() -> GameHistory<AnyPosition> {
    GameHistory::new(AnyPosition::start(RuleSet::Tablaaza))
}

#[test]
fn what_a_program_does_wakes_the_caller() {
    let (sender, wakes) = mpsc::channel();
    set_waker(move || _ = sender.send(()));
    let worker = worker(script("echo bestmove c7"), PATIENCE);
    let event = || wakes.iter().find_map(|()| worker.poll());
    assert!(matches!(event(), Some(ProgramEvent::Ready(..))));
    let limits = ProgramLimits::PerMove(SearchLimits::default());
    worker.search(1, start(), limits, PATIENCE);
    let event = || wakes.iter().find_map(|()| worker.poll());
    assert!(matches!(event(), Some(ProgramEvent::Move(1, _))));
}

#[test]
fn a_program_in_another_language_plays_a_whole_game_at_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.tab");
    let player = format!("cmd:{}", python_player());
    let play = ["play", "--rules", "tablaaza", "--first", "newcomer", "--second", &player];
    let out = succeed_with(&play, "");
    assert!(out.contains("Green: python3."), "{out}");
    assert!(out.contains("wins"), "{out}");
    // Against a person it answers at once, and an undo takes its move back, too.
    let play = ["play", "--rules", "tablaaza", "--second", &player];
    let out = succeed_with(&play, &format!("c7\nundo\na1\nsave {}\nquit", path_arg(&file)));
    assert!(out.contains("Green plays b7.") && out.contains("Green plays a2."), "{out}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("1. a1 a2 *") && text.contains("[Green \"python3\"]"), "{text}");
}

#[test]
fn programs_in_two_languages_lose_a_tournament() {
    let one = format!("first=cmd:{}", python_player());
    let two = format!("last=cmd:{} last", python_player());
    let run = ["tournament", "--rules", "tablaaza", "--player", "master", "--player", &one];
    let more = ["--player", &two, "--games", "2", "--nodes", "2000", "--seed", "1", "--quiet"];
    let out = succeed(&[&run[..], &more].concat());
    let rows: Vec<_> = out.lines().filter(|line| line.contains("master")).collect();
    assert!(rows[0].trim_start().starts_with("1  master"), "{out}");
    // Nobody lost by a fault.
    assert!(out.contains("forfeits") && !out.contains("illegal"), "{out}");
}

#[test]
fn a_broken_program_is_named_and_the_game_goes_on() {
    for (at_go, fault) in [
        ("echo bestmove a9", "plays 'a9': "),
        ("echo bestmove", "plays '': "),
        ("exit", "has ended"),
        ("echo error no time", "says 'error no time'"),
    ] {
        let player = format!("cmd:{}", script(at_go));
        let play = ["play", "--rules", "tablaaza", "--second", &player];
        let out = succeed_with(&play, "c7\nc6\na1\nquit");
        assert!(out.contains(&format!("sh {fault}")), "{fault}: {out}");
        assert!(out.contains("Green plays c6.") && out.contains("Red plays a1."), "{fault}: {out}");
    }
    let missing = ["play", "--rules", "tablaaza", "--second", "cmd:no-such-program"];
    let out = succeed_with(&missing, "c7\nquit");
    assert!(out.contains("no-such-program cannot be started: "), "{out}");
    fail(2, &["play", "--rules", "tablaaza", "--second", "cmd:'"]);
    fail(2, &["play", "--rules", "tablaaza", "--second", "engine:unknown"]);
}

#[test]
fn a_worker_analyses_and_answers_with_the_ticket() {
    let worker = worker(python_player(), PATIENCE);
    let Some(ProgramEvent::Ready(name, options)) = worker.wait() else { panic!("not ready") };
    assert_eq!((name.as_deref(), options.len()), (Some("Python player"), 2));
    let limits = SearchLimits { movetime: Some(SECOND), ..SearchLimits::default() };
    worker.search(7, start(), ProgramLimits::PerMove(limits), PATIENCE);
    let Some(ProgramEvent::Info(7, info)) = worker.wait() else { panic!("no info") };
    assert_eq!((info.line, info.info.score), (1, Score::Points(25)));
    let Some(ProgramEvent::Move(7, mv)) = worker.wait() else { panic!("no move") };
    assert_eq!((mv.to_string().as_str(), info.info.pv), ("a1", vec![mv]));
    worker.search(8, start(), ProgramLimits::Infinite, PATIENCE);
    worker.stop();
}

#[test]
fn a_search_stopped_before_it_begins_is_dropped() {
    // The program answers this command when the gate is open, and says that it waits.
    for slow in ["ugi", "isready"] {
        let folder = tempfile::tempdir().unwrap();
        let [gate, waits, log] = ["gate", "waits", "log"].map(|name| folder.path().join(name));
        let program = folder.path().join("program.sh");
        let text = format!(
            "while read line; do\n\
             echo \"$line\" >> '{log}'\n\
             if [ \"$line\" = {slow} ]; then\n\
             touch '{waits}'; until [ -e '{gate}' ]; do sleep 0.01; done\n\
             fi\n\
             case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; go*) echo bestmove a1;; \
             esac\ndone\n",
            log = path_arg(&log),
            waits = path_arg(&waits),
            gate = path_arg(&gate),
        );
        fs::write(&program, text).unwrap();
        let worker = worker(format!("sh '{}'", path_arg(&program)), PATIENCE);
        let limits = SearchLimits { movetime: Some(SECOND), ..SearchLimits::default() };
        for ticket in 1..=5 {
            worker.search(ticket, start(), ProgramLimits::PerMove(limits), PATIENCE);
            while !waits.exists() {
                std::thread::yield_now();
            }
            worker.stop();
        }
        worker.search(6, start(), ProgramLimits::PerMove(limits), PATIENCE);
        fs::write(&gate, "").unwrap();
        let answered = std::iter::from_fn(|| worker.wait()).find_map(|event| match event {
            ProgramEvent::Move(ticket, _) => Some(ticket),
            ProgramEvent::Failed(error) => panic!("{slow}: {error}"),
            ProgramEvent::Ready(..) | ProgramEvent::Info(..) => None,
        });
        assert_eq!(answered, Some(6), "{slow}");
        let heard = fs::read_to_string(&log).unwrap();
        let begun = heard.lines().filter(|line| line.starts_with("go ")).count();
        assert_eq!((begun, heard.contains("stop")), (1, false), "{slow}: {heard}");
    }
}

#[test]
fn a_worker_stops_the_search_that_has_begun() {
    // It reports a line and searches on until it is told to stop.
    let report = "echo info depth 1 score cp 5 pv a1; read line; [ \"$line\" = stop ] || exit";
    let worker = worker(script(&format!("{report}; echo bestmove a1")), PATIENCE);
    let Some(ProgramEvent::Ready(..)) = worker.wait() else { panic!("not ready") };
    for ticket in [1, 2] {
        worker.search(ticket, start(), ProgramLimits::Infinite, PATIENCE);
        let Some(ProgramEvent::Info(..)) = worker.wait() else { panic!("no info") };
        worker.stop();
        let Some(ProgramEvent::Move(answered, _)) = worker.wait() else { panic!("no move") };
        assert_eq!(answered, ticket);
    }
}

#[test]
fn a_worker_names_faults_and_never_waits_longer_than_allowed() {
    let limits = SearchLimits { movetime: Some(SECOND), ..SearchLimits::default() };
    for (command, deadline, fault) in [
        (script("exec sleep 600"), Duration::from_millis(50), "does not answer bestmove in 0.1 s"),
        (script("echo bestmove t1"), PATIENCE, "answers 't1', which is a throw"),
        (script("exit 1"), PATIENCE, "has ended"),
        ("sh -c 'exit 0'".to_owned(), PATIENCE, "has ended"),
        ("sh -c '".to_owned(), PATIENCE, "has no command"),
        (script("while :; do echo flood; done"), Duration::from_millis(50), "does not answer"),
    ] {
        let worker = worker(command.clone(), PATIENCE);
        worker.search(1, start(), ProgramLimits::PerMove(limits), deadline);
        let events = std::iter::from_fn(|| worker.wait());
        let failed = events.filter_map(|event| match event {
            ProgramEvent::Failed(error) => Some(error.to_string()),
            ProgramEvent::Move(..) => panic!("{command}"),
            ProgramEvent::Ready(..) | ProgramEvent::Info(..) => None,
        });
        let failed: Vec<_> = failed.collect();
        assert!(failed.len() == 1 && failed[0].starts_with(fault), "{command}: {failed:?}");
    }
}

#[test]
fn the_list_of_engines_is_kept_beside_the_settings() {
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| run_tabulae_in(home.path(), arguments, "c7\nquit");
    let add = format!("Snake={}", python_player());
    let added = run(&["engines", "--add", &add, "--set", "Style=last", "--set", "Depth=3"]);
    assert_eq!(added.code, 0, "{}", added.stderr);
    assert!(added.stdout.ends_with("  Depth = 3\n  Style = last\n"), "{}", added.stdout);
    let list = EngineList::read(&home.path().join("engines.toml")).unwrap();
    assert_eq!(list.find("Snake").unwrap().command, python_player());
    let options = run(&["engines", "--options", "Snake"]).stdout;
    let shown =
        "Style: one of first, last, default first\nDepth: a number from 1 to 9, default 1\n";
    assert_eq!(options, shown);
    // Its option holds in the game.
    let played = run(&["play", "--rules", "tablaaza", "--second", "engine:Snake"]);
    assert!(played.stdout.contains("Green: Snake.") && played.stdout.contains("plays d7."));
    for (wrong, why) in [
        (["--add", &add, "--set", "Depth=10"], "expected Depth: a number from 1 to 9"),
        (["--add", &add, "--set", "Colour=red"], "Snake has no option 'Colour'"),
        (["--add", "Other=no-such-program", "--set", "a=b"], "Other cannot be started"),
    ] {
        let run = run(&[&["engines"], &wrong[..]].concat());
        assert!(run.code == 1 && run.stderr.contains(why), "{}", run.stderr);
    }
    assert_eq!(run(&["engines", "--remove", "Nobody"]).code, 1);
    let again = run(&["engines", "--add", &add]);
    assert!(again.stderr.contains("Snake was in the list already, as '"), "{}", again.stderr);
    assert_eq!(run(&["engines", "--add", &add]).stderr, "", "nothing is lost");
    let removed = run(&["engines", "--remove", "Snake"]);
    assert_eq!((removed.code, removed.stdout.as_str()), (0, ""));
    fs::write(home.path().join("engines.toml"), "engine = 1").unwrap();
    assert!(run(&["engines"]).stderr.contains("not a list of engines"));
}

/// A named pipe that programs open and never write to again: it ends when the last of them
/// has.
struct Witness {
    path: PathBuf,
    /// A message when the first has opened it, and one when all have ended.
    events: Receiver<()>,
}

impl Witness {
    fn new(folder: &tempfile::TempDir) -> Self {
        let path = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let (sender, events) = mpsc::channel();
        let pipe = path.clone();
        thread::spawn(move || {
            let mut pipe = BufReader::new(File::open(pipe).unwrap());
            pipe.read_line(&mut String::new()).unwrap();
            sender.send(()).unwrap();
            pipe.read_to_end(&mut Vec::new()).unwrap();
            sender.send(()).unwrap();
        });
        Self { path, events }
    }

    /// A launcher as students write it, without `exec`, of a program that never ends.
    fn launcher(&self) -> String {
        let program = "trap \"\" TERM INT HUP; while :; do sleep 60; done";
        format!("exec 3>{}; echo >&3; sh -c '{program}'; true", path_arg(&self.path))
    }

    fn expect(&self, what: &str) {
        assert!(self.events.recv_timeout(PATIENCE).is_ok(), "{what}");
    }
}

#[test]
fn a_program_that_hangs_is_ended_with_all_that_it_has_started() {
    // A client of the competition has a minute to connect; this one ends at once.
    let client = |pipe: &str| format!("exec 3>{pipe}; echo >&3; sleep 600 &");
    for kind in ["cmd", "bologna"] {
        let folder = tempfile::tempdir().unwrap();
        let witness = Witness::new(&folder);
        let file = folder.path().join("launcher.sh");
        let is_client = kind == "bologna";
        let script = if is_client { client(path_arg(&witness.path)) } else { witness.launcher() };
        fs::write(&file, script).unwrap();
        let player = format!("{kind}:sh '{}' {{port}}", path_arg(&file));
        let run = ["match", "--rules", "tablut/ashton", "--first", &player, "--second", "random"];
        let more = ["--games", "1", "--movetime", "1", "--patience", "2000", "--quiet"];
        let out = succeed(&[&run[..], &more].concat());
        assert!(out.contains("forfeit"), "{kind}: {out}");
        witness.expect("it has started");
        witness.expect("nothing is left of it");
    }
}

#[test]
fn a_match_that_is_ended_ends_its_programs() {
    let folder = tempfile::tempdir().unwrap();
    let witness = Witness::new(&folder);
    let file = folder.path().join("launcher.sh");
    fs::write(&file, witness.launcher()).unwrap();
    let player = format!("cmd:sh '{}'", path_arg(&file));
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabulae"))
        .args(["match", "--rules", "tablaaza", "--second", "random", "--first", &player])
        .args(["--movetime", "1", "--patience", "600000"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    witness.expect("it has started");
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    witness.expect("nothing is left of it");
    let terminated = 15;
    assert_eq!(child.wait().unwrap().signal(), Some(terminated));
}
