//! `tabulae play --mine`: the list of unfinished online games.

use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::json;

use super::{clients::Server, raw::RawClient};

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
    friend.send(&json!({"type": "resign", "round": 0}));
    while !friend.next_of("entries").to_string().contains("resigned") {}
    assert!(mine().contains("You have no unfinished online games"), "{}", mine());
    server.kill();
}
