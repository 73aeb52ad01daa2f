//! `tabulae post`: what it prints is what the other player can open.

use tabulae_online::PostGame;

use crate::common::program::run_tabulae_in;

/// Runs the command for the user with this home, and returns the line to send.
fn send(home: &tempfile::TempDir, arguments: &[&str]) -> String {
    let run = run_tabulae_in(home.path(), arguments, "");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}: {}", run.stdout);
    let lines: Vec<_> = run.stdout.lines().collect();
    let [said, line] = lines[..] else { panic!("{lines:?}") };
    assert_eq!(said, "Send this text to the other player:");
    line.to_owned()
}

#[test]
fn the_printed_command_can_be_run_and_links_can_be_opened() {
    let homes = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let first = send(&homes[0], &["post", "--rules", "tablaaza", "--move", "c7"]);
    let words = shlex::split(&first).expect("a command of a shell");
    let [program, command, game] = &words[..] else { panic!("{words:?}") };
    assert_eq!((program.as_str(), command.as_str()), ("tabulae", "post"));
    assert!(game.starts_with("turn="), "{game}");
    let record = run_tabulae_in(homes[1].path(), &["post", game, "--record"], "");
    assert!(record.stdout.contains("1. c7"), "{}", record.stdout);
    // The whole line as one argument, and links.
    let link = format!("http://localhost:8000/#{game}");
    let (start, end) = game.split_at(game.len() / 2);
    let wrapped = format!("> {start}\n> {end}\n>\n> Yours, A.");
    let in_a_line = format!("See <http://localhost:8000/%23{game}>.");
    for text in [&first, &link, &format!("  {link}\n"), &format!("#{game}"), &wrapped, &in_a_line] {
        let same = run_tabulae_in(homes[1].path(), &["post", text, "--record"], "");
        assert_eq!(same.stdout, record.stdout, "{text:?}");
    }
    let second = send(&homes[1], &["post", game, "--move", "c6"]);
    let legal = PostGame::from_fragment(&second).unwrap().legal_moves();
    let page = ["post", &second, "--move", &legal[0], "--page", "https://play.example/x/"];
    let link = send(&homes[0], &page);
    assert!(link.starts_with("https://play.example/x/#turn="), "{link}");
    let third = run_tabulae_in(homes[1].path(), &["post", &link, "--record"], "");
    assert!(third.stdout.contains(&format!(" {}", legal[0])), "{}", third.stdout);
    // What is kept of a game has the secret of its throws.
    #[cfg(unix)]
    for file in std::fs::read_dir(homes[0].path().join("games/online")).unwrap().flatten() {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}
