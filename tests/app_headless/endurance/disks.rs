//! Disks that refuse writes: the app says so, and the game goes on and can be
//! saved elsewhere.
//!
//! An administrator can write to read-only folders, so one test puts a file where
//! a folder is expected, which works for any user, and the test of read-only
//! folders is skipped where they do not hold. A limit on the size of files, set by
//! the shell, stands for a full disk.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tabulae::{
    app::{AppOptions, core::actions::GameAction, headless_run, settings::Settings},
    games::{Game, RuleSet},
    records,
    session::{SaveStore, Seat, Setup, Thrower},
};

use super::{
    child::{command, run_child},
    crash::recent,
};
use crate::headless::Headless;

/// The number of plies played.
const PLIES: usize = 220;

/// The child's task: plays a game, changes a setting and saves elsewhere, and
/// prints all notices.
pub(crate) fn run(elsewhere: &Path) {
    let mut headless = Headless::with_app(headless_run(&AppOptions::default()));
    let mut last = None;
    let mut print_notice = |headless: &Headless| {
        let notice = headless.notice().cloned();
        if notice != last
            && let Some(notice) = &notice
        {
            println!("notice {} {}", notice.is_error, notice.text);
        }
        last = notice;
    };
    print_notice(&headless);
    if headless.referee().table.is_some() {
        println!("came up with {} plies", headless.table().history().len());
    }
    headless.change_settings(Settings { reduced_motion: true, ..Settings::default() });
    print_notice(&headless);
    let (rules, seats) = (RuleSet::Tablan, [Seat::Person; 2]);
    headless.act(GameAction::NewGame(Setup { seats, seed: Some(1), ..Setup::new(rules) }));
    for ply in 0..PLIES {
        if headless.table().thrower() == Some(Thrower::Person) {
            headless.act(GameAction::Throw);
        } else {
            let moves = headless.table().history().legal_moves();
            let Some(mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            headless.act(GameAction::TypeMove(headless.table().history().position().notation(*mv)));
        }
        print_notice(&headless);
        headless.frames(2);
    }
    let (autosave, referee) = headless.autosave();
    println!("played {} autosaved {}", headless.table().history().len(), autosave.keeps(referee));
    headless.act(GameAction::Save(elsewhere.to_owned()));
    print_notice(&headless);
}

/// The number of plies of the game in a file, which must be whole.
fn count_plies(path: &Path) -> usize {
    let text = fs::read_to_string(path).expect("readable");
    records::read(&text).unwrap_or_else(|error| panic!("{error}: {text}"))[0].history().len()
}

/// The number of plies played, and whether all are saved.
fn played(lines: &[String]) -> (usize, bool) {
    let line = lines.iter().find_map(|line| line.strip_prefix("played ")).expect("it was played");
    let (plies, autosaved) = line.split_once(" autosaved ").expect("both");
    (plies.parse().expect("a number"), autosaved == "true")
}

/// The error notice that contains `words`.
fn error_notice<'a>(lines: &'a [String], words: &str) -> Option<&'a String> {
    lines.iter().find(|line| line.starts_with("notice true ") && line.contains(words))
}

/// Checks that the game goes on with a home folder that cannot be written, and is
/// saved elsewhere.
fn check_game_goes_on(home: &Path, elsewhere: &Path) -> Vec<String> {
    let lines = run_child(command(home, &format!("unsaved {}", elsewhere.display())));
    let (plies, autosaved) = played(&lines);
    assert!(plies > 20 && !autosaved, "{lines:?}");
    assert!(error_notice(&lines, "The game is not being saved").is_some(), "{lines:?}");
    let saved = lines.iter().any(|line| line.starts_with("notice false Game saved"));
    assert!(saved, "{lines:?}");
    assert_eq!(count_plies(elsewhere), plies);
    lines
}

#[test]
fn where_no_folder_can_be_created_the_game_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a file");
    fs::write(&file, "in the way").expect("written");
    let lines = check_game_goes_on(&file.join("home"), &folder.path().join("mine.tab"));
    let settings = error_notice(&lines, "settings.toml");
    assert!(settings.is_some(), "the settings cannot be saved either: {lines:?}");
    assert_eq!(fs::read_to_string(&file).expect("there"), "in the way");
}

/// Skipped for users whom permissions do not keep from writing.
#[cfg(unix)]
#[test]
fn in_a_read_only_home_the_last_game_is_resumed() {
    use std::os::unix::fs::PermissionsExt;
    let permit = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("one's own folder");
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (home, elsewhere) = (folder.path().join("home"), folder.path().join("mine.tab"));
    let saves = recent(&home);
    fs::create_dir_all(&saves).expect("made");
    fs::write(saves.join("1.tab"), "[Rules \"tablaaza\"]\n\n1. c7 c6 *\n").expect("written");
    for path in [&saves, &home] {
        permit(path, 0o555);
    }
    if fs::write(home.join("probe"), "").is_ok() {
        println!("skipped: this user may write to read-only folders");
    } else {
        let lines = check_game_goes_on(&home, &elsewhere);
        assert!(lines.iter().any(|line| line == "came up with 2 plies"), "{lines:?}");
        assert_eq!(count_plies(&saves.join("1.tab")), 2);
    }
    for path in [&home, &saves] {
        permit(path, 0o755);
    }
}

/// Files are limited to a few blocks: as on a disk that fills up, some plies can
/// be saved and then no more.
#[cfg(unix)]
#[test]
fn on_a_full_disk_saved_games_stay_whole_and_the_game_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = folder.path().join("mine.tab");
    let wanted = command(folder.path(), &format!("unsaved {}", elsewhere.display()));
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]);
    limited.arg(wanted.get_program()).args(wanted.get_args());
    for (name, value) in wanted.get_envs() {
        limited.env(name, value.unwrap_or_default());
    }
    limited.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped());

    // A long record saved before the disk is full stays as it is.
    let long =
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/valid/tablan.tab"));
    let long = long.expect("a sample");
    fs::create_dir_all(recent(folder.path())).expect("made");
    let old = recent(folder.path()).join("1.tab");
    fs::write(&old, &long).expect("written");

    let lines = run_child(limited);
    let (plies, autosaved) = played(&lines);
    assert!(plies > 150 && !autosaved, "{lines:?}");
    assert!(error_notice(&lines, "The game is not being saved").is_some(), "{lines:?}");
    assert_eq!(fs::read(&old).expect("there"), long);
    let (list, _) = SaveStore::new(recent(folder.path())).list(9);
    let mine = list.iter().find(|save| save.path != old).expect("some plies were kept");
    assert!(
        (1..plies).contains(&count_plies(&mine.path)),
        "{} of {plies}",
        count_plies(&mine.path)
    );
    // Saving elsewhere on the same disk is an error and leaves no file.
    assert!(error_notice(&lines, "mine.tab").is_some(), "{lines:?}");
    let left: Vec<PathBuf> = [folder.path().to_owned(), recent(folder.path())]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().contains(".new") || *path == elsewhere)
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
