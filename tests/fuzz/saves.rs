//! Saved games: from any content of the latest save file, the store restores a
//! game that can be continued and saved again, or says what is wrong.

use std::{fs, path::PathBuf, thread};

use tabulae_games::Turn;
use tabulae_records::read_bytes;
use tabulae_session::{GameSession, Outcome, SaveLock, SaveStore, set_aside};
use tempfile::TempDir;

use crate::{
    common::games::Numbers,
    runner::{Target, files, message_kind},
};

/// A store with one file.
pub(crate) struct Saves {
    store: SaveStore,
    path: PathBuf,
    _folder: TempDir,
}

impl Saves {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SaveStore::new(folder.path().to_owned());
        Self { store, path: folder.path().join("1.tab"), _folder: folder }
    }
}

impl Target for Saves {
    fn seeds(&self) -> Vec<Vec<u8>> {
        let mut seeds = files("fuzz/corpus", ".save");
        seeds.extend(files("records/valid", ".tab"));
        seeds
    }

    fn words(&self) -> &'static [&'static str] {
        &[
            "[Rules \"tablan/ordered\"]\n",
            "[Seed \"18446744073709551615\"]\n",
            "[Sticks \"by hand\"]\n",
            "[BlackLevel \"master\"]\n",
            "[SouthLevel \"novice\"]\n",
            "[WhiteLevel \"god\"]\n",
            "[Result \"1/2-1/2\"]\n",
            "[Termination \"resignation\"]\n",
            "[Termination \"agreement\"]\n",
            "[Termination \"time forfeit\"]\n",
            "[TimeControl \"600+5\"]\n",
            "{[%clk 0:09:58]}",
            "{a word}",
            "t0",
            "t3",
            "e4-f4",
            "1-0",
            "0-1",
            "1/2-1/2",
            "*",
        ]
    }

    fn check(&mut self, input: &[u8]) -> String {
        fs::write(&self.path, input).unwrap();
        let (mut list, more) = self.store.list(9);
        assert!(list.len() == 1 && !more);
        let saved = list.remove(0);
        assert_eq!(saved.path, self.path);
        let last = self.store.wait_for_unfinished();
        let summary = match saved.game {
            Ok(summary) => summary,
            Err(reason) => {
                // It still counts as the latest game, so that the user is told.
                assert!(last.is_some());
                drop(last);
                let aside = set_aside(&self.path).unwrap();
                assert_eq!(fs::read(&aside).unwrap(), input);
                assert!(self.store.wait_for_unfinished().is_none());
                fs::remove_file(aside).unwrap();
                let spoken = reason.split_once("1.tab").map_or("", |parts| parts.1);
                assert!(spoken.len() > 2, "{reason}");
                return message_kind(spoken);
            }
        };
        let mut session = GameSession::from_record(&read_bytes(input).unwrap()[0]);
        assert_eq!((session.history().len(), session.outcome()), (summary.plies, summary.outcome));
        assert_eq!(last.is_some(), summary.outcome.is_none());
        play_on(&mut session, input.len() as u64);

        // Saved and read again it is the same game.
        let lock = last.and_then(|(_, lock)| lock).unwrap_or_else(|| self.lock());
        lock.write(&session.record(None).to_string()).unwrap();
        let again =
            GameSession::from_record(&read_bytes(&fs::read(&self.path).unwrap()).unwrap()[0]);
        assert_eq!(again.history(), session.history());
        assert_eq!(again.outcome(), session.outcome());
        assert_eq!((again.seats(), again.names()), (session.seats(), session.names()));
        assert_eq!(again.by_hand(), session.by_hand());
        if session.rules().has_sticks() {
            assert_eq!(again.seed(), session.seed());
        }
        let seats = session.seats();
        format!("{} {} {:?} {seats:?}", session.rules(), summary.plies.min(20), session.outcome())
    }
}

impl Saves {
    /// Locks the file. A process that another test starts holds a copy of a lock
    /// until it runs its own program, so the first attempt may fail.
    fn lock(&self) -> SaveLock {
        loop {
            if let Some(lock) = self.store.lock(&self.path).unwrap() {
                return lock;
            }
            thread::yield_now();
        }
    }
}

/// Plays a few plies and takes one back.
fn play_on(session: &mut GameSession, seed: u64) {
    let mut numbers = Numbers::new(seed);
    for _ in 0..4 {
        match session.turn() {
            Some(Turn::Move(_)) => {
                let moves = session.history().legal_moves();
                session.play(numbers.pick(&moves)).unwrap();
            }
            Some(Turn::Throw(_)) if !session.by_hand() => {
                session.throw().unwrap();
            }
            _ => {}
        }
    }
    let (before, plies) = (session.history().clone(), session.history().len());
    let agreed = matches!(
        session.outcome(),
        Some(Outcome::Agreed | Outcome::Resigned(_) | Outcome::TimedOut(_))
    );
    if session.undo() {
        // `undo` first takes back an end by agreement, resignation or time.
        assert!(session.history().len() < plies || agreed && session.outcome().is_none());
        while session.redo() {}
        assert_eq!(*session.history(), before);
    }
}
