//! Two copies of the program at once do not touch each other's games.

use std::process::Stdio;

use tabulae::{
    records,
    session::{GameSession, SaveStore},
};

use super::{
    child::{RunningChild, command},
    crash::recent,
    play::{SETTINGS, plies},
};

#[test]
fn two_copies_at_once_keep_all_games_of_both() {
    let home = tempfile::tempdir().expect("a folder");
    std::fs::write(home.path().join("settings.toml"), SETTINGS).expect("written");
    let mut copies = [1, 2].map(|seed| {
        let mut command = command(home.path(), &format!("play {seed} 2"));
        command.stdin(Stdio::piped());
        RunningChild::start(command)
    });
    // A copy that starts later would find a game that the first has ended.
    let came = copies.each_mut().map(|copy| copy.read_until("came "));
    for copy in &mut copies {
        copy.go();
    }
    let listeners: Vec<_> = copies
        .into_iter()
        .zip(came)
        .map(|(mut copy, mut lines)| {
            std::thread::spawn(move || {
                lines.extend(copy.lines.by_ref().map_while(Result::ok));
                assert!(copy.succeeded(), "{lines:?}");
                lines
            })
        })
        .collect();

    let (list, _) = loop {
        if listeners.iter().all(std::thread::JoinHandle::is_finished) {
            break SaveStore::new(recent(home.path())).list(1_000);
        }
        // Read at any time, all files hold whole games.
        let (list, _) = SaveStore::new(recent(home.path())).list(1_000);
        for save in list {
            assert!(save.game.is_ok(), "{:?}", save.game);
        }
    };
    let saves: Vec<Vec<String>> = list
        .iter()
        .map(|save| {
            let text = std::fs::read_to_string(&save.path).expect("readable");
            plies(&GameSession::from_record(&records::read(&text).expect("a record")[0]))
        })
        .collect();
    let mut games = 0;
    for listener in listeners {
        let lines = listener.join().expect("no panic");
        assert_eq!(lines.iter().filter(|line| *line == "came 0 ").count(), 1, "its own game only");
        // The last ply shown before each end of a game, and its number.
        for (at, _) in lines.iter().enumerate().filter(|(_, line)| *line == "over") {
            let last = lines[..at].iter().rfind(|line| line.starts_with("shown "));
            let (number, ply) = last.expect("a ply")[6..].split_once(' ').expect("two words");
            let number: usize = number.parse().expect("a number");
            let is_it = |plies: &Vec<String>| {
                plies.len() == number && plies.last().is_some_and(|last| last == ply)
            };
            assert!(saves.iter().any(is_it), "{number} {ply} is not kept");
            games += 1;
        }
    }
    assert_eq!(games, 4);
}
