//! Kept games: whatever stands in the file of the game played last, the shelf
//! gives the game, to be gone on with and kept again, or says what is wrong.

use std::{fs, path::PathBuf};

use tabulae::{
    games::Turn,
    records::read_bytes,
    table::{GameSession, Outcome, SaveStore, set_aside},
};
use tempfile::TempDir;

use crate::{
    common::games::Numbers,
    runner::Target,
    targets::{files, kind},
};

/// A shelf with one file on it.
pub(crate) struct Saves {
    shelf: SaveStore,
    path: PathBuf,
    _folder: TempDir,
}

impl Saves {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let shelf = SaveStore::new(folder.path().to_owned());
        Self { shelf, path: folder.path().join("1.tab"), _folder: folder }
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
        let (mut list, more) = self.shelf.list(9);
        assert!(list.len() == 1 && !more);
        let kept = list.remove(0);
        assert_eq!(kept.path, self.path);
        let last = self.shelf.latest_unfinished();
        let summary = match kept.game {
            Ok(summary) => summary,
            Err(reason) => {
                // It is taken up all the same, for somebody to say so.
                assert!(last.is_some());
                drop(last);
                let aside = set_aside(&self.path).unwrap();
                assert_eq!(fs::read(&aside).unwrap(), input);
                assert!(self.shelf.latest_unfinished().is_none());
                fs::remove_file(aside).unwrap();
                let spoken = reason.split_once("1.tab").map_or("", |it| it.1);
                assert!(spoken.len() > 2, "{reason}");
                return kind(spoken);
            }
        };
        let mut table = GameSession::from_record(&read_bytes(input).unwrap()[0]);
        assert_eq!((table.history().len(), table.outcome()), (summary.plies, summary.outcome));
        assert_eq!(last.is_some(), summary.outcome.is_none());
        play_on(&mut table, input.len() as u64);

        // What is kept of it now is the same game.
        let slot = last.map_or_else(|| self.shelf.lock(&self.path).unwrap(), |(_, slot)| slot);
        slot.unwrap().write(&table.record(None).to_string()).unwrap();
        let again =
            GameSession::from_record(&read_bytes(&fs::read(&self.path).unwrap()).unwrap()[0]);
        assert_eq!(again.history(), table.history());
        assert_eq!(again.outcome(), table.outcome());
        assert_eq!((again.seats(), again.names()), (table.seats(), table.names()));
        assert_eq!(again.by_hand(), table.by_hand());
        if table.rules().has_sticks() {
            assert_eq!(again.seed(), table.seed());
        }
        let seats = table.seats();
        format!("{} {} {:?} {seats:?}", table.rules(), summary.plies.min(20), table.outcome())
    }
}

/// A few plies, one taken back.
fn play_on(table: &mut GameSession, seed: u64) {
    let mut numbers = Numbers::new(seed);
    for _ in 0..4 {
        match table.turn() {
            Some(Turn::Move(_)) => {
                let moves = table.history().legal_moves();
                table.play(numbers.pick(&moves)).unwrap();
            }
            Some(Turn::Throw(_)) if !table.by_hand() => {
                table.throw().unwrap();
            }
            _ => {}
        }
    }
    let (before, plies) = (table.history().clone(), table.history().len());
    let agreed = matches!(
        table.outcome(),
        Some(Outcome::Agreed | Outcome::Resigned(_) | Outcome::TimedOut(_))
    );
    if table.undo() {
        // An end that no ply made is what is taken back first.
        assert!(table.history().len() < plies || agreed && table.outcome().is_none());
        while table.redo() {}
        assert_eq!(*table.history(), before);
    }
}
