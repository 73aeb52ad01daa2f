//! Saved games and their locks.

use std::fs::{self, File};

use super::*;
use crate::Setup;
use tabulae_games::Side;

fn store() -> (tempfile::TempDir, SaveStore) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SaveStore::new(folder.path().join("games"));
    (folder, store)
}

fn game(plies: usize) -> GameSession {
    let setup = Setup { seed: Some(1), ..Setup::new(RuleSet::Tablaaza) };
    let mut session = GameSession::new(setup);
    for _ in 0..plies {
        let first = session.history().legal_moves()[0];
        session.play(first).expect("legal");
    }
    session
}

fn save(lock: &SaveLock, session: &GameSession) {
    lock.write(&session.record(None).to_string()).expect("written");
}

#[test]
fn a_locked_game_cannot_be_locked_again() {
    let (_folder, store) = store();
    let one = store.create().expect("a place");
    save(&one, &game(3));
    let two = store.create().expect("another place");
    assert_ne!(one.path(), two.path());
    save(&two, &game(1));
    assert!(store.lock(one.path()).expect("asked").is_none(), "it is locked");
    assert!(store.latest_unfinished().is_none(), "both are locked");

    let path = one.path().to_owned();
    drop(one);
    assert_eq!(store.latest_unfinished().map(|(last, _)| last), Some(path.clone()));
    let again = store.lock(&path).expect("asked").expect("free now");
    assert_eq!(again.path(), path);
    assert!(store.lock(Path::new("elsewhere.tab")).expect("asked").is_none());
}

#[test]
fn a_removed_game_leaves_no_lock_file() {
    let (folder, store) = store();
    let lock = store.create().expect("a place");
    save(&lock, &game(2));
    let path = lock.path().to_owned();
    assert_eq!(store.remove(&path).ok(), Some(false), "it is locked");
    drop(lock);
    let other = folder.path().join("other.tab");
    fs::write(&other, "mine").expect("written");
    assert_eq!(store.remove(&other).ok(), Some(false), "it is not in the store");
    assert_eq!(store.remove(&path).ok(), Some(true));
    assert_eq!(fs::read_dir(store.folder()).expect("the folder").count(), 0);
    assert_eq!(store.remove(&path).ok(), Some(false), "it is gone");
    assert!(other.is_file());
}

#[test]
fn the_lock_of_a_process_that_is_being_killed_is_waited_for() {
    let (_folder, store) = store();
    let dying = store.create().expect("a place");
    save(&dying, &game(2));
    let (path, mut dying, mut pauses) = (dying.path().to_owned(), Some(dying), 0);
    let last = store.wait_with(|| {
        pauses += 1;
        if pauses == 3 {
            dying = None;
        }
        true
    });
    assert_eq!((last.map(|found| found.0), pauses), (Some(path), 3));
}

#[test]
fn a_game_that_another_copy_plays_is_passed_over_without_waiting() {
    let (_folder, store) = store();
    let older = store.create().expect("a place");
    save(&older, &game(1));
    let older_path = older.path().to_owned();
    File::options()
        .write(true)
        .open(&older_path)
        .and_then(|file| file.set_modified(UNIX_EPOCH))
        .expect("an older time");
    drop(older);
    assert_eq!(store.held_latest(), None);
    let playing = store.create().expect("a place");
    save(&playing, &game(2));
    // Whether to wait is the caller's choice; the file to wait for is returned.
    assert_eq!(store.held_latest().as_deref(), Some(playing.path()));
    let held = store.latest_unfinished_unless_held().expect_err("it is held");
    assert_eq!(held, playing.path());
    assert_eq!(store.latest_unfinished().map(|save| save.0), Some(older_path));
    drop(playing);
    assert_eq!(store.held_latest(), None);
}

/// A folder in the place of the lock file stands for a read-only store, which a
/// test cannot make for every user.
#[test]
fn a_read_only_store_gives_the_latest_game_without_a_lock() {
    let (_folder, store) = store();
    let lock = store.create().expect("a place");
    save(&lock, &game(2));
    let path = lock.path().to_owned();
    drop(lock);
    fs::remove_file(path.with_extension("lock")).expect("it was there");
    fs::create_dir(path.with_extension("lock")).expect("a folder");
    let (last, lock) = store.latest_unfinished().expect("found");
    assert!(last == path && lock.is_none());
}

#[test]
fn the_list_is_sorted_by_time_and_says_why_a_file_cannot_be_read() {
    let (_folder, store) = store();
    assert_eq!(store.list(9), (Vec::new(), false), "no folder yet");
    let locks: Vec<SaveLock> = (0..3)
        .map(|plies| {
            let lock = store.create().expect("a place");
            let mut session = game(plies + 1);
            if plies == 2 {
                session.resign(Side::First);
            }
            save(&lock, &session);
            lock
        })
        .collect();
    fs::write(locks[0].path(), "not a record").expect("written");
    fs::write(store.folder().join("note.txt"), "mine").expect("written");
    // The file system's times may be too coarse to tell these writes apart.
    for (age, lock) in locks.iter().enumerate() {
        let time = UNIX_EPOCH + Duration::from_secs(1_000 + age as u64);
        File::options().write(true).open(lock.path()).expect("there").set_modified(time).ok();
    }
    let (list, more) = store.list(9);
    assert!(!more && list.len() == 3);
    let plies: Vec<_> =
        list.iter().map(|saved| saved.game.clone().map(|game| game.plies)).collect();
    assert_eq!(plies[..2], [Ok(3), Ok(2)]);
    assert!(plies[2].as_ref().is_err_and(|why| why.contains("1:")), "{plies:?}");
    assert!(list[0].game.as_ref().is_ok_and(|game| game.outcome.is_some()));
    assert!(store.list(2).1);

    // The last one has ended, so the one before is the latest unfinished game.
    let before = locks[1].path().to_owned();
    drop(locks);
    assert_eq!(store.latest_unfinished().map(|save| save.0), Some(before.clone()));
    let mut session = game(2);
    session.resign(Side::First);
    fs::write(&before, session.record(None).to_string()).expect("written");
    fs::remove_file(&list[2].path).expect("there");
    assert!(store.latest_unfinished().is_none(), "no unfinished game is left");
    fs::write(&list[2].path, "not a record").expect("written");
    let aside = set_aside(&list[2].path).expect("moved");
    assert_eq!(fs::read_to_string(aside).expect("kept"), "not a record");
    assert_eq!(store.list(9).0.len(), 2);
}
