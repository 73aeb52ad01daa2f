//! How a game stands: `tabulae play --mine`, and what servers tell whom.

use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use super::{
    clients::Server,
    raw::{RawClient, VERSION, device},
};

/// What `tabulae play` prints, with this input.
fn play(home: &Path, arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabulae"));
    command.arg("play").args(arguments).args(["--language", "en"]).env("TABULAE_HOME", home);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdin.take().expect("stdin").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn unfinished_games_are_listed_with_whose_turn_it_is() {
    let mut server = Server::start(&Server::temporary_store());
    let home = tempfile::tempdir().expect("a folder");
    let mine = || play(home.path(), &["--mine"], "");
    assert!(mine().contains("You have no unfinished online games"));
    let page = server.page.clone();
    let invite = ["--invite", &page, "--rules", "tablut/ashton", "--clock", "1/3d"];
    let printed = play(home.path(), &invite, "quit\n");
    let link =
        printed.lines().skip_while(|line| !line.contains("opponent")).nth(1).expect("a link");
    let ticket = link.split_once("#seat=").expect("a seat").1;
    assert!(mine().contains("your friend has not joined yet"), "{}", mine());
    let mut friend = RawClient::enter(server.address(), ticket, 'f');
    friend.next_of("welcome");
    let text = mine();
    assert!(text.contains("your turn.") && text.contains("tabulae play --join '"), "{text}");
    let own = text.lines().find_map(|line| line.split('\'').nth(1)).expect("a link").to_owned();
    play(home.path(), &["--join", &own], "e4-f4\nquit\n");
    let text = mine();
    assert!(text.contains("the other player's turn. Time left: 3 d 0 h."), "{text}");
    // The friend is to move, so no time of the player's runs out.
    let calendar = || play(home.path(), &["--mine", "--calendar"], "");
    assert!(!calendar().contains("BEGIN:VEVENT"), "{}", calendar());
    friend.send(&json!({"type": "move", "round": 0, "ply": 1, "move": "d1-c1"}));
    while !friend.next_of("entries").to_string().contains("d1-c1") {}
    let deadlines = calendar();
    assert!(deadlines.contains("\r\nSUMMARY:Tablut (Ashton)\r\nEND:VEVENT"), "{deadlines}");
    friend.send(&json!({"type": "resign", "round": 0}));
    while !friend.next_of("entries").to_string().contains("resigned") {}
    assert!(mine().contains("You have no unfinished online games"), "{}", mine());
    server.kill();
}

/// What a server answers to the question how a game stands, in one message.
fn status(server: &Server, ticket: &str, device_letter: char) -> Value {
    let mut client = RawClient::open(server.address()).expect("a server");
    let device = device(device_letter);
    let asked = json!({"type": "status", "version": VERSION, "ticket": ticket, "device": device});
    client.send(&asked);
    let answer = client.next().expect("an answer");
    assert_eq!(client.next(), None, "the end after {answer}");
    answer
}

#[test]
fn a_server_says_how_a_game_stands_to_its_players_alone_and_nobody_sees_it() {
    let server = Server::start(&Server::temporary_store());
    let [one, two, watch] = RawClient::create(server.address(), "tablaaza", json!("1"));
    let standing = |ticket: &str, device| status(&server, ticket, device)["standing"].clone();
    assert_eq!(standing(&one, 'a'), "waiting");
    // To ask claims no seat.
    let mut first = RawClient::enter(server.address(), &one, 'b');
    first.next_of("welcome");
    let mut second = RawClient::enter(server.address(), &two, 'c');
    second.next_of("welcome");
    assert_eq!((standing(&one, 'b'), standing(&two, 'c')), (json!("yours"), json!("theirs")));
    let refusal = |ticket: &str, device| {
        status(&server, ticket, device)["refusal"]["code"].as_str().expect("a code").to_owned()
    };
    assert_eq!(refusal(&one, 'a'), "seat-taken");
    assert_eq!(refusal(&watch, 'a'), "spectator");
    let (game, _) = one.split_once('.').expect("a ticket");
    for ticket in [&format!("{game}.AAAAAAAAAAAAAAAAAAAAAA"), game, ""] {
        assert_eq!(refusal(ticket, 'b'), "unknown-link", "{ticket}");
    }
    for (asked, code) in [
        (json!({"type": "status", "version": 1, "ticket": one, "device": device('b')}), "version"),
        (json!({"type": "status", "version": VERSION, "ticket": one}), "malformed"),
        (json!({"type": "status", "version": VERSION, "ticket": one, "device": 7}), "malformed"),
    ] {
        let mut client = RawClient::open(server.address()).expect("a server");
        client.send(&asked);
        assert_eq!(client.next().expect("an answer")["refusal"]["code"], code, "{asked}");
    }
    // In a game it is no message.
    first
        .send(&json!({"type": "status", "version": VERSION, "ticket": one, "device": device('b')}));
    let heard = |client: &mut RawClient| {
        client.send(&json!({"type": "ping", "id": 1}));
        let mut all = Vec::new();
        loop {
            match client.next().expect("a message") {
                message if message["type"] == "pong" => return all,
                message => all.push(message),
            }
        }
    };
    let to_first = heard(&mut first);
    assert!(to_first.iter().any(|it| it["refusal"]["code"] == "malformed"), "{to_first:?}");
    // Who asked was never there, and no seat was asked for.
    for message in to_first.into_iter().chain(heard(&mut second)) {
        assert_ne!(message["type"], "seat-asked");
        if message["type"] == "presence" {
            assert_eq!(message["spectators"], 0);
        }
    }
    // A clock runs out while nobody is there.
    first.send(&json!({"type": "move", "round": 0, "ply": 0, "move": "c7"}));
    while !first.next_of("entries").to_string().contains("moved") {}
    let theirs = status(&server, &one, 'b');
    assert!(
        theirs["standing"] == "theirs" && theirs["time_left"].as_u64() <= Some(1_000),
        "{theirs}"
    );
    drop((first, second));
    while standing(&two, 'c') != "over" {}
}

#[test]
fn who_asks_too_often_how_games_stand_is_told_to_wait() {
    let store = Server::temporary_store();
    let server = Server::run(Server::command("127.0.0.1:0"), &store);
    let [one, ..] = RawClient::create(server.address(), "tablaaza", json!(null));
    let answers: Vec<_> = (0..200).map(|_| status(&server, &one, 'a')).collect();
    let too_fast = answers.iter().filter(|it| it["refusal"]["code"] == "too-fast").count();
    assert!((1..=72).contains(&too_fast), "{too_fast} of 200");
}
