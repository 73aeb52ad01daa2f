//! The shelf of kept games.

use std::fs::{self, File};

use super::*;
use crate::{games::Side, table::Setup};

fn shelf() -> (tempfile::TempDir, SaveStore) {
    let folder = tempfile::tempdir().expect("a folder");
    let shelf = SaveStore::new(folder.path().join("games"));
    (folder, shelf)
}

fn game(plies: usize) -> GameSession {
    let setup = Setup { seed: Some(1), ..Setup::new(RuleSet::Tablaaza) };
    let mut table = GameSession::new(setup);
    for _ in 0..plies {
        let first = table.history().legal_moves()[0];
        table.play(first).expect("legal");
    }
    table
}

fn keep(slot: &SaveLock, table: &GameSession) {
    slot.write(&table.record(None).to_string()).expect("written");
}

#[test]
fn a_game_on_one_table_cannot_be_taken_to_another() {
    let (_folder, shelf) = shelf();
    let one = shelf.create().expect("a place");
    keep(&one, &game(3));
    let two = shelf.create().expect("another place");
    assert_ne!(one.path(), two.path());
    keep(&two, &game(1));
    assert!(shelf.lock(one.path()).expect("asked").is_none(), "it is on a table");
    assert!(shelf.latest_unfinished().is_none(), "both are");

    let path = one.path().to_owned();
    drop(one);
    assert_eq!(shelf.latest_unfinished().map(|(last, _)| last), Some(path.clone()));
    let again = shelf.lock(&path).expect("asked").expect("free now");
    assert_eq!(again.path(), path);
    assert!(shelf.lock(Path::new("elsewhere.tab")).expect("asked").is_none());
}

#[test]
fn a_game_is_thrown_away_with_all_that_belongs_to_it() {
    let (folder, shelf) = shelf();
    let slot = shelf.create().expect("a place");
    keep(&slot, &game(2));
    let path = slot.path().to_owned();
    assert_eq!(shelf.remove(&path).ok(), Some(false), "it is on a table");
    drop(slot);
    let other = folder.path().join("other.tab");
    fs::write(&other, "mine").expect("written");
    assert_eq!(shelf.remove(&other).ok(), Some(false), "it is not on the shelf");
    assert_eq!(shelf.remove(&path).ok(), Some(true));
    assert_eq!(fs::read_dir(shelf.folder()).expect("the shelf").count(), 0);
    assert_eq!(shelf.remove(&path).ok(), Some(false), "it is gone");
    assert!(other.is_file());
}

#[test]
fn a_copy_that_is_just_being_killed_is_waited_for() {
    let (_folder, shelf) = shelf();
    let dying = shelf.create().expect("a place");
    keep(&dying, &game(2));
    let (path, mut dying, mut waited) = (dying.path().to_owned(), Some(dying), 0);
    let last = shelf.last_after(|| {
        waited += 1;
        if waited == 3 {
            dying = None;
        }
        true
    });
    assert_eq!((last.map(|it| it.0), waited), (Some(path), 3));
}

/// A folder in the place of the lock stands for one where nothing can be
/// written, which a test cannot make for every user.
#[test]
fn where_nothing_can_be_written_the_last_game_is_found_all_the_same() {
    let (_folder, shelf) = shelf();
    let slot = shelf.create().expect("a place");
    keep(&slot, &game(2));
    let path = slot.path().to_owned();
    drop(slot);
    fs::remove_file(path.with_extension("lock")).expect("it was there");
    fs::create_dir(path.with_extension("lock")).expect("a folder");
    let (last, slot) = shelf.latest_unfinished().expect("found");
    assert!(last == path && slot.is_none());
}

#[test]
fn the_list_names_what_was_played_last_and_what_cannot_be_read() {
    let (_folder, shelf) = shelf();
    assert_eq!(shelf.list(9), (Vec::new(), false), "no folder yet");
    let slots: Vec<SaveLock> = (0..3)
        .map(|plies| {
            let slot = shelf.create().expect("a place");
            let mut table = game(plies + 1);
            if plies == 2 {
                table.resign(Side::First);
            }
            keep(&slot, &table);
            slot
        })
        .collect();
    fs::write(slots[0].path(), "not a record").expect("written");
    fs::write(shelf.folder().join("note.txt"), "mine").expect("written");
    // Times of files may be coarser than this test is fast.
    for (age, slot) in slots.iter().enumerate() {
        let time = UNIX_EPOCH + Duration::from_secs(1_000 + age as u64);
        File::options().write(true).open(slot.path()).expect("there").set_modified(time).ok();
    }
    let (list, more) = shelf.list(9);
    assert!(!more && list.len() == 3);
    let plies: Vec<_> = list.iter().map(|it| it.game.clone().map(|it| it.plies)).collect();
    assert_eq!(plies[..2], [Ok(3), Ok(2)]);
    assert!(plies[2].as_ref().is_err_and(|why| why.contains("1:")), "{plies:?}");
    assert!(list[0].game.as_ref().is_ok_and(|it| it.outcome.is_some()));
    assert!(shelf.list(2).1);

    // The last one has ended: the one before is gone on with.
    let before = slots[1].path().to_owned();
    drop(slots);
    assert_eq!(shelf.latest_unfinished().map(|it| it.0), Some(before.clone()));
    let mut table = game(2);
    table.resign(Side::First);
    fs::write(&before, table.record(None).to_string()).expect("written");
    fs::remove_file(&list[2].path).expect("there");
    assert!(shelf.latest_unfinished().is_none(), "none is left to go on with");
    fs::write(&list[2].path, "not a record").expect("written");
    let aside = set_aside(&list[2].path).expect("moved");
    assert_eq!(fs::read_to_string(aside).expect("kept"), "not a record");
    assert_eq!(shelf.list(9).0.len(), 2);
}
