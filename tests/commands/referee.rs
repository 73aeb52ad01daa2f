//! `tabulae bologna serve`, with clients of the test.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread,
};

use serde_json::{Value, json};
use tabulae_games::Side;
use tabulae_records::{GameResult, Record, read_any};

use crate::common::program::{fail, line, path_arg, succeed};

/// A client of the competition.
struct Client(TcpStream);

impl Client {
    fn connect(address: &str, name: &str) -> Self {
        let mut client = Self(TcpStream::connect(address).expect("the referee listens"));
        client.send(&json!(name));
        client
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let length = u32::try_from(text.len()).unwrap();
        self.0.write_all(&length.to_be_bytes()).unwrap();
        self.0.write_all(text.as_bytes()).unwrap();
    }

    fn play(&mut self, from: &str, to: &str) {
        self.send(&json!({ "from": from, "to": to, "turn": "WHITE" }));
    }

    /// The turn of the next state, and the squares of row 4.
    fn state(&mut self) -> (String, Value) {
        let mut length = [0; 4];
        self.0.read_exact(&mut length).expect("a state");
        let mut text = vec![0; u32::from_be_bytes(length) as usize];
        self.0.read_exact(&mut text).expect("a state");
        let state: Value = serde_json::from_slice(&text).expect("JSON");
        (state["turn"].as_str().expect("a turn").to_owned(), state["board"][3].clone())
    }

    fn turn(&mut self) -> String {
        self.state().0
    }
}

/// A referee that waits for clients, and their addresses.
struct Waiting {
    process: Child,
    output: BufReader<std::process::ChildStdout>,
    addresses: [String; 2],
}

impl Waiting {
    fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tabulae"))
            .args(["bologna", "serve", "--white-port", "0", "--black-port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        let mut output = BufReader::new(process.stdout.take().expect("its output"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        let (white, black) = line
            .trim_end()
            .strip_prefix("waiting for White at ")
            .and_then(|line| line.split_once(" and for Black at "))
            .unwrap_or_else(|| panic!("{line}"));
        let addresses = [white.to_owned(), black.to_owned()];
        Self { process, output, addresses }
    }

    /// The rest of the output.
    fn finish(mut self) -> String {
        let mut text = String::new();
        self.output.read_to_string(&mut text).expect("text");
        assert!(self.process.wait().expect("ended").success(), "{text}");
        text
    }
}

#[test]
fn clients_that_connect_play_one_game_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let (logs, records) = (folder.path().join("logs"), folder.path().join("games.tab"));
    let referee = Waiting::start(&line(
        "--games 2 --errors 1 --time 0.3 --logs {} --out {}",
        &[path_arg(&logs), path_arg(&records)],
    ));
    let [white_address, black_address] = referee.addresses.clone();

    // An error is permitted, and both are sent the state again. Then Black is too late.
    let black = thread::spawn({
        let address = black_address.clone();
        move || {
            let mut black = Client::connect(&address, "Bruno");
            [black.turn(), black.turn(), black.turn(), black.turn()]
        }
    });
    let mut white = Client::connect(&white_address, "Elsa");
    let (turn, before) = white.state();
    assert_eq!((turn.as_str(), &before[5]), ("WHITE", &json!("EMPTY")));
    white.play("d1", "d2");
    assert_eq!(white.state(), ("WHITE".to_owned(), before));
    white.play("E4", "f4");
    let (turn, after) = white.state();
    assert_eq!((turn.as_str(), &after[4], &after[5]), ("BLACK", &json!("EMPTY"), &json!("WHITE")));
    assert_eq!(white.turn(), "WHITEWIN");
    assert_eq!(black.join().unwrap(), ["WHITE", "WHITE", "BLACK", "WHITEWIN"]);

    // A second error loses.
    let black = thread::spawn(move || {
        let mut black = Client::connect(&black_address, "Bruno");
        [black.turn(), black.turn(), black.turn()]
    });
    let mut white = Client::connect(&white_address, "Elsa");
    for _ in 0..2 {
        assert_eq!(white.turn(), "WHITE");
        white.play("e4", "e1");
    }
    assert_eq!(white.turn(), "BLACKWIN");
    assert_eq!(black.join().unwrap(), ["WHITE", "WHITE", "BLACKWIN"]);

    let output = referee.finish();
    assert!(output.contains("game 1 of 2: Elsa (White) - Bruno (Black): 1-0"), "{output}");
    assert!(output.contains("game 2: Elsa (White) plays 'e4-e1': "), "{output}");
    let rows: Vec<Vec<_>> = output.lines().map(|line| line.split_whitespace().collect()).collect();
    let row = |name: &str| rows.iter().find(|row| row.get(1) == Some(&name)).expect("a row");
    assert_eq!((row("Elsa")[2], row("Bruno")[2]), ("1", "1"), "{output}");

    let records = read_any(&fs::read_to_string(records).unwrap()).unwrap();
    let results = |records: &[Record]| records.iter().map(Record::result).collect::<Vec<_>>();
    let expected = [GameResult::Won(Side::First), GameResult::Won(Side::Second)];
    assert_eq!(results(&records), expected);
    let mut files: Vec<_> =
        fs::read_dir(logs).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 2, "{files:?}");
    let logged: Vec<_> = files
        .iter()
        .flat_map(|file| read_any(&fs::read_to_string(file).unwrap()).expect("the server's form"))
        .collect();
    assert_eq!(results(&logged), expected);
    assert_eq!(logged[0].termination(), Some("time forfeit"));
    assert_eq!(logged[1].termination(), Some("illegal move"));
    assert_eq!(logged[0].history().len(), 1, "the refused move is no ply");
}

/// What two clients in Java sent, which the competition's source calls `TablutRandomClient`:
/// their names and their first ten moves.
const JAVA: [&[u8]; 2] = [include_bytes!("java/white.bytes"), include_bytes!("java/black.bytes")];

/// Sends what a client in Java sent, at the times when it would: its name, and a move in each
/// of its turns. A length goes before its message, as Java writes it.
fn replay(address: &str, mut sent: &[u8], own_turn: &str) -> Client {
    let mut client = Client(TcpStream::connect(address).expect("the referee listens"));
    client.0.set_nodelay(true).unwrap();
    let mut send_next = |client: &mut Client| {
        let (length, rest) = sent.split_at(4);
        let (text, rest) = rest.split_at(u32::from_be_bytes(length.try_into().unwrap()) as usize);
        client.0.write_all(length).unwrap();
        client.0.write_all(text).unwrap();
        sent = rest;
        !rest.is_empty()
    };
    assert!(send_next(&mut client), "it moves");
    while client.turn() != own_turn || send_next(&mut client) {}
    client
}

#[test]
fn clients_in_java_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("games.tab");
    let referee = Waiting::start(&line("--time 20 --out {}", &[path_arg(&records)]));
    let players: Vec<_> = referee
        .addresses
        .clone()
        .into_iter()
        .zip(JAVA)
        .zip(["WHITE", "BLACK"])
        .map(|((address, sent), turn)| thread::spawn(move || replay(&address, sent, turn)))
        .collect();
    // They leave when both have sent all.
    let clients: Vec<_> = players.into_iter().map(|player| player.join().unwrap()).collect();
    drop(clients);
    let output = referee.finish();
    assert!(output.contains("game 1 of 1: random (White) - random_2 (Black): "), "{output}");
    let records = read_any(&fs::read_to_string(records).unwrap()).unwrap();
    assert_eq!(records[0].history().len(), 20, "all moves were taken: {output}");
}

#[test]
fn a_list_of_programs_plays_a_tournament_that_can_be_continued() {
    let folder = tempfile::tempdir().unwrap();
    let [list, state, logs] =
        ["programs.txt", "night.state", "logs"].map(|name| folder.path().join(name));
    let program = env!("CARGO_BIN_EXE_tabulae");
    let client = "bologna --role {role} --host {host} --port {port} --time {time} --hash 1 --quiet";
    let text = format!(
        "# two programs\nweak='{program}' {client} --level newcomer\n\nstrong=level:club\n"
    );
    fs::write(&list, text).unwrap();
    let run = line(
        "bologna serve --list {} --time 1 --hash 1 --state {} --logs {}",
        &[path_arg(&list), path_arg(&state), path_arg(&logs)],
    );
    let output = succeed(&run);
    let table = output.split("#  player").nth(1).expect("a table");
    assert!(table.lines().nth(1).unwrap().contains("strong"), "{output}");
    assert!(table.contains("time of weak: "), "{output}");
    assert_eq!(fs::read_dir(&logs).unwrap().count(), 2);
    let again = succeed(&run);
    assert!(again.contains("continuing after 2 games"), "{again}");
    assert_eq!(fs::read_dir(&logs).unwrap().count(), 2, "nothing is played again");
}

#[test]
fn wrong_players_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("programs.txt");
    fs::write(&list, "one=level:club\ntwo=level:nobody\n").unwrap();
    let list = path_arg(&list);
    let error = fail(1, &["bologna", "serve", "--list", list]);
    assert!(error.contains("programs.txt:2: 'two=level:nobody': expected a level"), "{error}");
    let error = fail(2, &["bologna", "serve", "--player", "level:club"]);
    assert!(error.contains("cannot play a tournament of one player"), "{error}");
    let error = fail(2, &["bologna", "serve", "--player", "bad='"]);
    assert!(error.contains("unclosed quote"), "{error}");
    let error = fail(2, &["bologna", "serve", "--state", "night.state"]);
    assert!(error.contains("--state needs --player or --list"), "{error}");
    let error = fail(2, &["bologna"]);
    assert!(error.contains("--role"), "{error}");
}
