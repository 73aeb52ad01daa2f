//! Where nothing can be written, or no more: a word about it, and the game goes
//! on and can be saved elsewhere.
//!
//! No user can be kept from everything: an administrator writes to read-only
//! folders. So a file stands where a folder is wanted, which nobody gets by;
//! read-only folders are tried where they hold. A full disk is a limit on how
//! long files may grow, which the shell sets for anybody.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tabulae::{
    app::{AppOptions, core::actions::GameAction, headless_run, settings::Settings},
    games::{Game, RuleSet},
    records,
    table::{Seat, Setup, Shelf},
};

use crate::{
    child::{Running, command},
    common::headless::Headless,
    crash::recent,
};

/// How many plies are played.
const PLIES: usize = 220;

/// Plays a game and changes a setting, then saves elsewhere; tells whatever
/// the person is told.
pub(crate) fn run(elsewhere: &Path) {
    let mut headless = Headless::with_app(headless_run(&AppOptions::default()));
    let mut last = None;
    let mut tell = |headless: &Headless| {
        let notice = headless.referee().notice.clone();
        if notice != last
            && let Some(notice) = &notice
        {
            println!("told {} {}", notice.is_error, notice.text);
        }
        last = notice;
    };
    tell(&headless);
    if headless.referee().table.is_some() {
        println!("came up with {} plies", headless.table().line().len());
    }
    headless.change_settings(Settings { reduced_motion: true, ..Settings::default() });
    tell(&headless);
    let (rules, seats) = (RuleSet::Tablan, [Seat::Person; 2]);
    headless.act(GameAction::NewGame(Setup { seats, seed: Some(1), ..Setup::of(rules) }));
    for ply in 0..PLIES {
        if headless.table().person_throws() {
            headless.act(GameAction::Throw);
        } else {
            let moves = headless.table().line().legal_moves();
            let Some(mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            headless.act(GameAction::TypeMove(headless.table().line().position().notation(*mv)));
        }
        tell(&headless);
        headless.frames(2);
    }
    println!("played {} kept {}", headless.table().line().len(), headless.referee().kept);
    headless.act(GameAction::Save(elsewhere.to_owned()));
    tell(&headless);
}

/// Everything that was told.
fn tell(command: Command) -> Vec<String> {
    let mut program = Running::start(command);
    let lines: Vec<String> = program.lines.by_ref().map_while(Result::ok).collect();
    assert!(program.succeeded(), "{lines:?}");
    lines
}

/// The plies of the game in a file, which must be whole.
fn read(path: &Path) -> usize {
    let text = fs::read_to_string(path).expect("readable");
    records::read(&text).unwrap_or_else(|error| panic!("{error}: {text}"))[0].line().len()
}

/// How many plies were played, and whether all are kept.
fn played(lines: &[String]) -> (usize, bool) {
    let line = lines.iter().find_map(|line| line.strip_prefix("played ")).expect("it was played");
    let (plies, kept) = line.split_once(" kept ").expect("both");
    (plies.parse().expect("a number"), kept == "true")
}

fn told<'a>(lines: &'a [String], words: &str) -> Option<&'a String> {
    lines.iter().find(|line| line.starts_with("told true ") && line.contains(words))
}

/// The game goes on where its home cannot be written to, and is saved
/// elsewhere.
fn goes_on_without(home: &Path, elsewhere: &Path) -> Vec<String> {
    let lines = tell(command(home, &format!("unkept {}", elsewhere.display())));
    let (plies, kept) = played(&lines);
    assert!(plies > 20 && !kept, "{lines:?}");
    assert!(told(&lines, "The game is not kept").is_some(), "{lines:?}");
    let saved =
        lines.last().is_some_and(|_| lines.iter().any(|it| it.starts_with("told false Saved")));
    assert!(saved, "{lines:?}");
    assert_eq!(read(elsewhere), plies);
    lines
}

#[test]
fn where_no_folder_can_be_made_the_game_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a file");
    fs::write(&file, "in the way").expect("written");
    let lines = goes_on_without(&file.join("home"), &folder.path().join("mine.tab"));
    let settings = told(&lines, "settings.toml");
    assert!(settings.is_some(), "the settings are not kept either: {lines:?}");
    assert_eq!(fs::read_to_string(&file).expect("there"), "in the way");
}

/// Where this user is kept from writing by a folder's permissions.
#[cfg(unix)]
#[test]
fn in_a_read_only_home_the_last_game_comes_up_and_goes_on() {
    use std::os::unix::fs::PermissionsExt;
    let permit = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("one's own folder");
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (home, elsewhere) = (folder.path().join("home"), folder.path().join("mine.tab"));
    let shelf = recent(&home);
    fs::create_dir_all(&shelf).expect("made");
    fs::write(shelf.join("1.tab"), "[Rules \"tablaaza\"]\n\n1. c7 c6 *\n").expect("written");
    for path in [&shelf, &home] {
        permit(path, 0o555);
    }
    if fs::write(home.join("probe"), "").is_ok() {
        println!("skipped: this user may write to read-only folders");
    } else {
        let lines = goes_on_without(&home, &elsewhere);
        assert!(lines.iter().any(|line| line == "came up with 2 plies"), "{lines:?}");
        assert_eq!(read(&shelf.join("1.tab")), 2);
    }
    for path in [&home, &shelf] {
        permit(path, 0o755);
    }
}

/// No file may grow beyond a block or two: as on a disk that fills up, some
/// plies can be kept and then no more.
#[cfg(unix)]
#[test]
fn on_a_full_disk_what_was_kept_stays_whole_and_the_game_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = folder.path().join("mine.tab");
    let wanted = command(folder.path(), &format!("unkept {}", elsewhere.display()));
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]);
    limited.arg(wanted.get_program()).args(wanted.get_args());
    for (name, value) in wanted.get_envs() {
        limited.env(name, value.unwrap_or_default());
    }
    limited.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped());

    // A long record is kept before the disk is full; it stays as it is.
    let long =
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/valid/tablan.tab"));
    let long = long.expect("a sample");
    fs::create_dir_all(recent(folder.path())).expect("made");
    let old = recent(folder.path()).join("1.tab");
    fs::write(&old, &long).expect("written");

    let lines = tell(limited);
    let (plies, kept) = played(&lines);
    assert!(plies > 150 && !kept, "{lines:?}");
    assert!(told(&lines, "The game is not kept").is_some(), "{lines:?}");
    assert_eq!(fs::read(&old).expect("there"), long);
    let (list, _) = Shelf::new(recent(folder.path())).list(9);
    let mine = list.iter().find(|kept| kept.path != old).expect("some plies were kept");
    assert!((1..plies).contains(&read(&mine.path)), "{} of {plies}", read(&mine.path));
    // Saving elsewhere on the same disk is refused in words, and leaves nothing.
    assert!(told(&lines, "mine.tab").is_some(), "{lines:?}");
    let left: Vec<PathBuf> = [folder.path().to_owned(), recent(folder.path())]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().contains(".new") || *path == elsewhere)
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
