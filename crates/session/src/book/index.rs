//! The user's games by the positions that they reached.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
};

use super::{BookCounts, BookMove, lookup};
use crate::{storage, symmetry::position_key};
use tabulae_games::{AnyPosition, RuleSet};
use tabulae_records::{GameResult, Record, read_games};

/// A game that reached a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHit {
    /// Its file.
    pub path: PathBuf,
    /// Its number in the file, from 1.
    pub game: usize,
    /// The plies after which it first reached the position.
    pub ply: usize,
    /// The names of the players, by [`Side::index`](tabulae_games::Side::index).
    pub players: [String; 2],
    /// The date, as in the record.
    pub date: Option<String>,
    /// The result.
    pub result: GameResult,
}

/// A file, or a game of it, that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedFile {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it, and where.
    pub reason: String,
}

/// An index of games by position. Positions that symmetry makes equal are one, as in a
/// [`Book`](super::Book). Only the moves that were played count, no variations.
///
/// ```
/// use tabulae_games::{AnyPosition, RuleSet};
/// use tabulae_session::{DamagedFile, GameHit, GameIndex};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("one.tab"), "[Rules \"tablaaza\"]\n\n1. c7 c6 *\n")?;
/// std::fs::write(folder.path().join("two.tab"), "[Rules \"chess\"]\n\n1. e4 *\n")?;
/// let mut index = GameIndex::default();
/// let damaged: Vec<DamagedFile> = index.add_folder(folder.path());
/// assert!(damaged[0].path.ends_with("two.tab") && damaged[0].reason.contains("chess"));
///
/// let start = AnyPosition::start(RuleSet::Tablaaza);
/// let hits: Vec<GameHit> = index.games(&start);
/// assert_eq!((hits.len(), hits[0].ply, index.len()), (1, 0, 1));
/// // c7, or the symmetric c1.
/// assert_eq!(index.lookup(&start)[0].mv.to_string(), "c1");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct GameIndex {
    /// As hits of their first positions.
    games: Vec<GameHit>,
    /// By rules and key: the games, by their place above, each with the first ply.
    positions: HashMap<(RuleSet, u64), Vec<(usize, usize)>>,
}

impl GameIndex {
    /// Adds the games of all `.tab` files in a folder, in the order of their names.
    /// Returns what cannot be read.
    pub fn add_folder(&mut self, folder: &Path) -> Vec<DamagedFile> {
        let mut paths: Vec<_> = storage::files(folder).into_iter().map(|(_, path)| path).collect();
        paths.retain(|path| {
            path.extension().is_some_and(|extension| extension == "tab") && storage::is_file(path)
        });
        paths.sort_unstable();
        paths.iter().flat_map(|path| self.add_file(path)).collect()
    }

    /// Adds the games of a file. Returns an entry for each game that is invalid, or one
    /// for a file that cannot be read.
    pub fn add_file(&mut self, path: &Path) -> Vec<DamagedFile> {
        let damaged = |reason| DamagedFile { path: path.to_owned(), reason };
        let bytes = match storage::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return vec![damaged(error.to_string())],
        };
        let mut left_out = Vec::new();
        for (number, game) in (1..).zip(read_games(&bytes)) {
            match game {
                Ok(record) => self.add(path, number, &record),
                Err(error) => left_out.push(damaged(error.to_string())),
            }
        }
        left_out
    }

    /// Adds game `number` of a file.
    pub fn add(&mut self, path: &Path, number: usize, record: &Record) {
        let (history, mut seen) = (record.history(), HashSet::new());
        let place = self.games.len();
        self.games.push(GameHit {
            path: path.to_owned(),
            game: number,
            ply: 0,
            players: record.players.clone(),
            date: record.date.clone(),
            result: record.result(),
        });
        for ply in 0..=history.len() {
            let Some(position) = history.at(ply) else { break };
            let key = position_key(position);
            if seen.insert(key) {
                self.positions.entry((record.rules(), key)).or_default().push((place, ply));
            }
        }
    }

    /// The number of games.
    pub const fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are no games.
    pub const fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// All games that reached a position, in the order in which they were added.
    pub fn games(&self, position: &AnyPosition) -> Vec<GameHit> {
        let hits = self.found(position).iter().filter_map(|(place, ply)| {
            Some(GameHit { ply: *ply, ..self.games.get(*place)?.clone() })
        });
        hits.collect()
    }

    /// The moves of a position whose positions games have reached, as
    /// [`Book::lookup`](super::Book::lookup) lists them, without values.
    pub fn lookup(&self, position: &AnyPosition) -> Vec<BookMove> {
        lookup(position, |after| Some((self.counts(after)?, None)))
    }

    /// The games that reached a position, and who won them; none if none did.
    pub fn counts(&self, position: &AnyPosition) -> Option<BookCounts> {
        let found = self.found(position);
        let mut counts = BookCounts::default();
        for game in found.iter().filter_map(|(place, _)| self.games.get(*place)) {
            counts.games += 1;
            if let GameResult::Won(winner) = game.result {
                counts.wins[winner.index()] += 1;
            }
        }
        (!found.is_empty()).then_some(counts)
    }

    fn found(&self, position: &AnyPosition) -> &[(usize, usize)] {
        self.positions.get(&(position.rules(), position_key(position))).map_or(&[], Vec::as_slice)
    }
}
