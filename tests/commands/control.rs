//! Control characters in names, files, arguments and programs, and what reaches the
//! terminal.

use std::{fs, path::Path};

use crate::common::program::{path_arg, run_tabulae_in};

/// A title for the window of the terminal, a new line of a file name, and a colour in
/// eight bits.
const NASTY: &str = "\u{1b}]0;title\u{7}\n\u{9b}31m\u{7f}";

/// Runs a command and looks for control characters in all that it prints.
fn check(home: &Path, arguments: &[&str], input: &str) -> String {
    let run = run_tabulae_in(home, arguments, input);
    let text = run.stdout + &run.stderr;
    let is_harmless = |sign: char| !sign.is_control() || sign == '\n' || sign == '\t';
    assert!(text.chars().all(is_harmless), "{arguments:?}: {text:?}");
    text
}

#[test]
fn no_control_character_of_a_stranger_reaches_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let game = format!(
        "[Rules \"tablaaza\"]\n[Red \"a\u{1b}[31m\u{9b}b\"]\n[Event \"{}\"]\n\n\
         {{\u{1b}[2J}} 1. c7 c6 *\n",
        NASTY.replace('\n', "")
    );
    let write = |name: &str, text: &str| {
        let path = home.join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let valid = write("valid.tab", &game);
    let broken = write("broken.tab", &format!("{game}\n[Rules \"\u{1b}[31m\"]\n"));
    let illegal = write("illegal.tab", &game.replace("c6", "\u{1b}[31mc6"));
    let otg = write("game.otg", "[rules: \u{1b}[31m\u{7}]\n");
    let puzzles = write("puzzles.txt", "\u{1b}[31m;\u{9b}\n");
    write("engines.toml", "[[engine]]\nname = 'a\u{9b}b'\ncommand = 'no-\u{7f}'\n");
    let [valid, broken, illegal, otg, puzzles] =
        [&valid, &broken, &illegal, &otg, &puzzles].map(|path| path_arg(path));
    let missing = home.join(format!("no{NASTY}.tab"));
    let missing = path_arg(&missing);
    for file in [valid, broken, illegal, otg, puzzles, missing] {
        check(home, &["check", file], "");
        check(home, &["check", "--json", file], "");
        check(home, &["analyse", file, "--movetime", "1", "--quiet", "--json"], "");
        check(home, &["analyse", file, "--report"], "");
        check(home, &["convert", file, "--game", "9"], "");
        check(home, &["convert", file, "--to", "otg"], "");
        check(home, &["diagram", file, "--ply", "99"], "");
        check(home, &["render", file, "--ply", "99", "--out", "none.png"], "");
        check(home, &["play", "--record", file], "said\nwhere\nshow\nmoves\n");
        check(home, &["book", "--rules", "tablaaza", "--show", "--book", file], "");
        check(home, &["book", "--rules", "tablaaza", "--show", "--search", path_arg(home)], "");
        if file != missing {
            check(home, &["solve", "tablaaza", "--checkpoint", file], "");
        }
        check(home, &["post", file], "");
        check(home, &[file, "--rules"], "");
    }
    let typed = format!(
        "{nasty}\nsave {missing}/{nasty}\nopen {nasty}\nmoves {nasty}\nopen {broken}\nopen {valid}\n",
        nasty = NASTY.replace('\n', "")
    );
    check(home, &["play", "--rules", "tablaaza", "--first-name", NASTY], &typed);
    check(home, &["train", "--rules", "tablaaza", "--name", NASTY], &typed);
    check(home, &["engine"], &typed);
    check(home, &["engines"], "");
    check(home, &["engines", "--options", "a\u{9b}b"], "");
    check(home, &["engines", "--add", &format!("{NASTY}=no{NASTY}")], "");
    check(home, &["bologna", "white", "--host", NASTY, "--patience", "1"], "");
    check(home, &[NASTY, NASTY], "");
    check(home, &["check", &format!("--{NASTY}")], "");
    check(home, &["play", "--join", &format!("https://{NASTY}/#seat=x")], "");
}

#[cfg(unix)]
#[test]
fn no_control_character_of_a_program_reaches_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let nasty = r"\033[31m\302\2337m";
    for (at_ugi, at_go) in [
        (format!("id name a{nasty}\\nugiok"), format!("bestmove {nasty}")),
        (
            format!("option name {nasty} type string default {nasty}\\nugiok"),
            format!("error {nasty}"),
        ),
        (format!("error {nasty}"), String::new()),
    ] {
        let path = home.join("program.sh");
        let text = format!(
            "while read line; do case \"$line\" in ugi) printf '{at_ugi}\\n';; \
             isready) echo readyok;; go*) printf '{at_go}\\n';; esac; done"
        );
        fs::write(&path, text).unwrap();
        let command = format!("cmd:sh '{}'", path_arg(&path));
        let named = format!("A={command}");
        check(home, &["play", "--rules", "tablaaza", "--second", &command], "c7\nquit\n");
        check(home, &["engines", "--add", &format!("A=sh '{}'", path_arg(&path))], "");
        check(home, &["engines", "--options", "A"], "");
        let game = ["--rules", "tablaaza", "--games", "1", "--movetime", "1", "--patience", "9000"];
        let pair = ["--first", &command, "--second", "random"];
        check(home, &[&["match"], &game[..], &pair].concat(), "");
        check(home, &[&["match", "--json"], &game[..], &pair].concat(), "");
        let players = ["--player", &named, "--player", "random"];
        check(home, &[&["tournament"], &game[..], &players].concat(), "");
    }
}
