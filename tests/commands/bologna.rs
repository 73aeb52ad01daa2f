//! `tabulae bologna`, against a small server in the test.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    thread,
};

use serde_json::{Value, json};
use tabulae_games::{AnyPosition, Game as _, GameHistory, Ply, RuleSet, Side, Turn};
use tabulae_records as records;

use crate::common::program::{ProgramOutput, fail, line, path_arg, run_tabulae, succeed};

/// The server's end of the connection.
struct Server {
    stream: TcpStream,
}

impl Server {
    /// Sends a message, with its length before it.
    fn send(&mut self, text: &str) {
        let length = u32::try_from(text.len()).unwrap();
        self.stream.write_all(&length.to_be_bytes()).unwrap();
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    fn receive(&mut self) -> Value {
        self.next().expect("a message")
    }

    /// The next message; none once the connection is closed.
    fn next(&mut self) -> Option<Value> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length).ok()?;
        let mut text = vec![0; u32::from_be_bytes(length) as usize];
        self.stream.read_exact(&mut text).unwrap();
        Some(serde_json::from_slice(&text).unwrap())
    }
}

/// The competition server's message for a game.
fn state_message(line: &GameHistory<AnyPosition>) -> String {
    let turn = match line.turn() {
        Turn::Move(Side::First) | Turn::Throw(Side::First) => "WHITE",
        Turn::Move(Side::Second) | Turn::Throw(Side::Second) => "BLACK",
        Turn::Over(end) => match end.winner {
            Some(Side::First) => "WHITEWIN",
            Some(Side::Second) => "BLACKWIN",
            None => "DRAW",
        },
    };
    let text = line.position().to_string();
    let rows: Vec<Vec<&str>> = text.split(' ').next().unwrap().rsplit('/').map(cells).collect();
    let mut board = json!(rows);
    if board[4][4] == "EMPTY" {
        board[4][4] = json!("THRONE");
    }
    json!({ "board": board, "turn": turn }).to_string()
}

fn cells(row: &str) -> Vec<&'static str> {
    let mut cells = Vec::new();
    for symbol in row.chars() {
        match symbol {
            'K' => cells.push("KING"),
            'W' => cells.push("WHITE"),
            'B' => cells.push("BLACK"),
            _ => cells.extend(vec!["EMPTY"; symbol.to_digit(10).unwrap() as usize]),
        }
    }
    cells
}

/// Runs the client against a server that reads its name and then does `serve`.
fn run_with_server(role: &str, serve: impl FnOnce(Server) + Send + 'static) -> ProgramOutput {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let server = thread::spawn(move || {
        let mut server = Server { stream: listener.accept().unwrap().0 };
        assert_eq!(server.receive(), "tester");
        serve(server);
    });
    let run = run_tabulae(
        &line(
            "bologna --role {} --host 127.0.0.1 --port {} --name tester --time 0.15 \
             --hash 4",
            &[role, &port],
        ),
        "",
    );
    server.join().unwrap();
    run
}

fn start() -> GameHistory<AnyPosition> {
    GameHistory::new(AnyPosition::start(RuleSet::TablutAshton))
}

/// Reads the client's move, which must be legal, and plays it.
fn receive_move(server: &mut Server, line: &mut GameHistory<AnyPosition>) {
    let word = server.receive();
    let side = if line.turn() == Turn::Move(Side::First) { "WHITE" } else { "BLACK" };
    assert_eq!(word["turn"], side);
    let text = format!("{}-{}", word["from"].as_str().unwrap(), word["to"].as_str().unwrap());
    line.push(line.parse(&text).unwrap()).unwrap();
}

/// Plays a poor move for the opponent: the first in sorted order.
fn play_poor_move(line: &mut GameHistory<AnyPosition>) {
    let mut moves = line.legal_moves();
    moves.sort_unstable();
    line.push(Ply::Move(moves[0])).unwrap();
}

#[test]
fn the_client_plays_a_whole_game_on_either_side() {
    for (role, own) in [("white", Side::First), ("black", Side::Second)] {
        let run = run_with_server(role, move |mut server| {
            let mut line = start();
            server.send(&state_message(&line));
            while line.turn().end().is_none() {
                if line.turn() == Turn::Move(own) {
                    receive_move(&mut server, &mut line);
                } else {
                    play_poor_move(&mut line);
                }
                server.send(&state_message(&line));
            }
            assert_eq!(line.turn().end().unwrap().winner, Some(own), "against poor moves");
        });
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
        let first = run.stdout.lines().next().unwrap();
        let name = if own == Side::First { "White" } else { "Black" };
        assert!(first.starts_with(&format!("tester plays {name} at 127.0.0.1:")), "{first}");
        assert!(
            run.stdout.ends_with(&format!("the game is over: {name} has won\n")),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn a_message_that_arrives_byte_by_byte_is_understood() {
    let run = run_with_server("white", |mut server| {
        server.stream.set_nodelay(true).unwrap();
        let mut line = start();
        let text = state_message(&line);
        let length = u32::try_from(text.len()).unwrap().to_be_bytes();
        for byte in length.iter().chain(text.as_bytes()) {
            server.stream.write_all(&[*byte]).unwrap();
        }
        receive_move(&mut server, &mut line);
        let mut over: Value = serde_json::from_str(&state_message(&line)).unwrap();
        over["turn"] = json!("DRAW");
        server.send(&over.to_string());
    });
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.ends_with("the game is over: a draw\n"), "{}", run.stdout);
}

#[test]
fn a_refused_move_is_not_sent_again() {
    let run = run_with_server("white", |mut server| {
        let mut line = start();
        server.send(&state_message(&line));
        let first = server.receive();
        server.send(&state_message(&line));
        let second = server.receive();
        assert_ne!(first, second);
        play_poor_move(&mut line);
        let mut over: Value = serde_json::from_str(&state_message(&line)).unwrap();
        over["turn"] = json!("BLACKWIN");
        server.send(&over.to_string());
    });
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.starts_with("tabulae: the server refused the move "), "{}", run.stderr);
}

#[test]
fn a_broken_server_gives_an_error_that_says_what_it_did() {
    let cases: [(&str, fn(Server), &str); 6] = [
        ("gone", drop, "after 0 plies: the connection was closed"),
        (
            "cut off",
            |mut server| server.stream.write_all(b"\0\0\x01\0{\"board\"").unwrap(),
            "closed in the middle of a message",
        ),
        (
            "absurd length",
            |mut server| server.stream.write_all(&[0xff; 8]).unwrap(),
            "invalid message length of 4294967295 bytes",
        ),
        (
            "no json",
            |mut server| server.send("hello"),
            "invalid message 'hello': expected the state of a game",
        ),
        (
            "a board of eight rows",
            |mut server| server.send(r#"{"board":[],"turn":"WHITE"}"#),
            "expected the state of a game",
        ),
        (
            "two kings",
            |mut server| {
                server.send(&state_message(&start()).replacen("WHITE", "KING", 1));
            },
            "invalid board from the server: ",
        ),
    ];
    for (name, serve, words) in cases {
        let run = run_with_server("white", serve);
        assert_eq!(run.code, 1, "{name}");
        assert!(run.stderr.contains(words), "{name}: {}", run.stderr);
    }
}

#[test]
fn an_unreachable_server_is_an_error() {
    // A port on which nothing listens.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let arguments =
        ["bologna", "--role", "black", "--host", "127.0.0.1", "--port", &port, "--patience", "0"];
    let run = run_tabulae(&arguments, "");
    assert_eq!(run.code, 1);
    let words = format!("cannot reach the server at 127.0.0.1:{port}: ");
    assert!(run.stderr.contains(&words), "{}", run.stderr);
    assert!(fail(2, &["bologna", "--role", "red"]).contains("red"));
    assert!(fail(2, &["bologna", "--role", "white", "--time", "soon"]).contains("soon"));
    assert!(fail(2, &["bologna", "--role", "white", "--port", "0"]).contains("--port"));
}

#[test]
fn a_competition_client_can_play_a_match() {
    let client = format!(
        "bologna:\"{}\" bologna --role {{role}} --host {{host}} --port {{port}} --time 0.12 \
         --level novice",
        env!("CARGO_BIN_EXE_tabulae")
    );
    let arguments = line(
        "match --rules tablut/ashton --first {} --second casual --games 2 \
         --movetime 120 --plies 24 --seed 1",
        &[&client],
    );
    let out = succeed(&arguments);
    assert!(!out.contains("forfeit"), "{out}");
    assert!(out.contains("score of ") && out.contains("time of casual: "), "{out}");
    let other = fail(2, &["match", "--rules", "tablan", "--first", &client, "--second", "club"]);
    assert!(other.contains("it plays tablut/ashton only"), "{other}");
}

#[test]
fn a_competition_client_can_play_from_random_openings() {
    let client = format!(
        "bologna:\"{}\" bologna --role {{role}} --host {{host}} --port {{port}} --time 0.12 \
         --level novice",
        env!("CARGO_BIN_EXE_tabulae")
    );
    for openings in [3, 4] {
        let dir = tempfile::tempdir().unwrap();
        let (file, moves) = (dir.path().join("games.tab"), openings.to_string());
        let mut arguments = vec!["match", "--rules", "tablut/ashton", "--first", &client];
        arguments.extend(["--second", "casual", "--games", "2", "--movetime", "120"]);
        arguments.extend(["--plies", "12", "--seed", "1", "--openings", &moves]);
        arguments.extend(["--out", path_arg(&file)]);
        let out = succeed(&arguments);
        assert!(!out.contains("forfeit"), "{out}");
        let records = records::read(&fs::read_to_string(&file).unwrap()).unwrap();
        let [first, second] =
            [0, 1].map(|game| records[game].history().plies().take(openings).collect::<Vec<_>>());
        assert_eq!(first, second, "both games of the pair have the same opening");
        assert!(records[0].history().len() > openings);
    }
}

/// The position of a server's message.
#[cfg(unix)]
fn position_of(state: &Value) -> GameHistory<AnyPosition> {
    let symbol = |cell: &Value| match cell.as_str().unwrap() {
        "KING" => 'K',
        "WHITE" => 'W',
        "BLACK" => 'B',
        _ => '1',
    };
    let rows = state["board"].as_array().unwrap().iter().rev();
    let rows: Vec<String> =
        rows.map(|row| row.as_array().unwrap().iter().map(symbol).collect()).collect();
    let side = if state["turn"] == "WHITE" { 'w' } else { 'b' };
    let text = format!("{} {side}", rows.join("/"));
    GameHistory::new(AnyPosition::parse(RuleSet::TablutAshton, &text).unwrap())
}

/// The first state that a client gets is the one after the random moves; then it gets one
/// after each move.
#[cfg(unix)]
#[test]
fn a_competition_client_gets_each_state_after_the_opening_once() {
    const OPENINGS: usize = 3;
    let dir = tempfile::tempdir().unwrap();
    let [script, port, file] = ["client.sh", "port", "game.tab"].map(|name| dir.path().join(name));
    fs::write(&script, "echo $1 > \"$2\"; exec sleep 600\n").unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&port).status().unwrap().success());
    let client = format!("bologna:sh \"{}\" {{port}} \"{}\"", script.display(), port.display());
    let states = thread::spawn(move || {
        let port: u16 = fs::read_to_string(port).unwrap().trim().parse().unwrap();
        let mut server = Server { stream: TcpStream::connect(("127.0.0.1", port)).unwrap() };
        server.send("\"tester\"");
        let mut states = Vec::new();
        while let Some(state) = server.next() {
            if state["turn"] == "WHITE" {
                let line = position_of(&state);
                let mv = line.position().notation(line.legal_moves()[0]);
                let (from, to) = mv.split_once('-').unwrap();
                server.send(&json!({ "from": from, "to": to, "turn": "WHITE" }).to_string());
            }
            states.push(state);
        }
        states
    });
    let mut arguments = vec!["match", "--rules", "tablut/ashton", "--first", &client];
    arguments.extend(["--second", "newcomer", "--games", "1", "--movetime", "10"]);
    arguments.extend(["--openings", "3", "--plies", "9", "--seed", "1"]);
    arguments.extend(["--out", path_arg(&file)]);
    let out = succeed(&arguments);
    assert!(!out.contains("forfeit"), "{out}");
    let records = records::read(&fs::read_to_string(&file).unwrap()).unwrap();
    let mut line = start();
    let mut expected: Vec<Value> = Vec::new();
    for (ply, played) in records[0].history().plies().enumerate() {
        if ply >= OPENINGS {
            expected.push(serde_json::from_str(&state_message(&line)).unwrap());
        }
        line.push(played).unwrap();
    }
    assert_eq!(line.len(), 9);
    // The ply limit draws the game, which the client is told.
    let mut last: Value = serde_json::from_str(&state_message(&line)).unwrap();
    last["turn"] = json!("DRAW");
    expected.push(last);
    assert_eq!(states.join().unwrap(), expected);
}

#[test]
fn a_competition_client_that_ends_loses_the_game() {
    let gone = format!("bologna:\"{}\" rules {{port}}", env!("CARGO_BIN_EXE_tabulae"));
    let out = succeed(&line(
        "match --rules tablut/ashton --first {} --second novice --games 1 \
         --movetime 1",
        &[&gone],
    ));
    assert!(out.contains("has ended before it connected"), "{out}");
    assert!(out.contains("+0 =0 -1"), "{out}");
}

/// The players are not to blame for a port that another program uses.
#[test]
fn a_taken_port_is_an_error_and_no_forfeit() {
    // Already taken if this fails.
    let _taken = TcpListener::bind("127.0.0.1:5800");
    let client = format!("bologna:\"{}\" rules", env!("CARGO_BIN_EXE_tabulae"));
    let arguments = ["match", "--rules", "tablut/ashton", "--first", &client, "--second", "novice"];
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.tab");
    fs::write(&file, "old games").unwrap();
    let more = ["--games", "1", "--movetime", "1", "--out", path_arg(&file)];
    let run = run_tabulae(&[&arguments[..], &more].concat(), "");
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert_eq!(fs::read_to_string(&file).unwrap(), "old games", "no game was played");
    assert!(run.stderr.contains("cannot listen at port 5800"), "{}", run.stderr);
    assert!(run.stderr.contains("write {port} in the command"), "{}", run.stderr);
    assert!(!run.stdout.contains("forfeit"), "{}", run.stdout);
}

#[test]
fn a_quiet_client_prints_only_how_the_game_ended() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let server = thread::spawn(move || {
        let mut server = Server { stream: listener.accept().unwrap().0 };
        server.receive();
        let mut line = start();
        server.send(&state_message(&line));
        receive_move(&mut server, &mut line);
        let mut over: Value = serde_json::from_str(&state_message(&line)).unwrap();
        over["turn"] = json!("DRAW");
        server.send(&over.to_string());
    });
    let arguments = ["bologna", "--role", "white", "--host", "127.0.0.1", "--port", &port];
    let out = succeed(&[&arguments[..], &["--time", "0.15", "--hash", "4", "--quiet"]].concat());
    server.join().unwrap();
    assert_eq!(out, "the game is over: a draw\n");
}

#[test]
fn a_position_without_a_legal_move_is_named() {
    let run = run_with_server("white", |mut server| {
        let mut board = vec![vec!["EMPTY"; 9]; 9];
        board[4][4] = "KING";
        for (rank, file) in [(3, 4), (5, 4), (4, 3), (4, 5)] {
            board[rank][file] = "BLACK";
        }
        server.send(&json!({ "board": board, "turn": "WHITE" }).to_string());
        assert_eq!(server.next(), None);
    });
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.contains("no move is legal in the server's position '"), "{}", run.stderr);
}
