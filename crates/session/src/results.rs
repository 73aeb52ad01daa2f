//! The results of finished games: one line of JSON for each game in one file.
//!
//! Lines are only ever added. A line counts once for each game: the first one with
//! its id says how the game ended, later ones only add what its analysis found. So a
//! line that was written twice, or a game that was taken back and ended again, does
//! no harm. A damaged line is skipped and its number reported.

#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use tabulae_engines::Level;
use tabulae_games::{RuleSet, Side};
use tabulae_records::GameResult;

use super::{GameSession, SaveStore, Seat, saves::game_id, storage};

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinishedGame {
    /// Its [`GameSession::result_id`].
    #[serde(rename = "game")]
    pub id: String,
    /// The day it began, as `2026.11.20`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The rule set.
    pub rules: RuleSet,
    /// The names of persons and programs, by [`Side::index`]; empty for a guest and for
    /// an engine.
    pub names: [String; 2],
    /// Who played, by [`Side::index`].
    #[serde(flatten, with = "seats")]
    pub seats: [Seat; 2],
    /// Whether the engine's level followed the person's rating.
    #[serde(default)]
    pub adaptive: bool,
    /// The result.
    #[serde(with = "known_result")]
    pub result: GameResult,
    /// Why it ended, as in the record's tag `Termination`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub termination: Option<String>,
    /// The number of plies.
    pub plies: usize,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The first plies, as in the record.
    pub opening: String,
    /// What its analysis found; none before. It has a line of its own.
    #[serde(skip)]
    pub analysis: Option<GameAnalysis>,
}

/// What the analysis of a game found, by [`Side::index`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameAnalysis {
    /// The average loss of a move in win share, from 0 to 1.
    pub error: [f32; 2],
    /// The accuracy in percent.
    pub accuracy: [f32; 2],
    /// The luck of the throws in equity, in Tablan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<[f32; 2]>,
    /// The number of mistakes; none in lines of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mistakes: Option<[usize; 2]>,
}

impl GameAnalysis {
    /// From the loss of every move, in win share, with the side that moved.
    ///
    /// ```
    /// use tabulae_games::Side;
    /// use tabulae_session::GameAnalysis;
    ///
    /// let losses = [(Side::First, 0.0), (Side::Second, 0.2), (Side::First, 0.1)];
    /// let analysis = GameAnalysis::from_losses(losses, None);
    /// assert_eq!(analysis.error, [0.05, 0.2]);
    /// assert!(analysis.accuracy[0] > analysis.accuracy[1]);
    /// ```
    pub fn from_losses(
        losses: impl IntoIterator<Item = (Side, f32)>,
        luck: Option<[f32; 2]>,
    ) -> Self {
        let (mut count, mut error, mut accuracy) = ([0.0_f32; 2], [0.0; 2], [0.0; 2]);
        for (side, loss) in losses {
            count[side.index()] += 1.0;
            error[side.index()] += loss;
            accuracy[side.index()] += move_accuracy(loss);
        }
        // A side without a move made no error.
        let mean = |sums: [f32; 2], none: f32| {
            [0, 1].map(|side| if count[side] > 0.0 { sums[side] / count[side] } else { none })
        };
        Self { error: mean(error, 0.0), accuracy: mean(accuracy, 100.0), luck, mistakes: None }
    }
}

/// Stands between the name of a match's save and the number of the game.
const ROUND_SEPARATOR: char = '#';

impl GameSession {
    /// The id of this game's result, where the game is saved at `path`: the name of the
    /// save, and in a match the number of the game, because its games share a file.
    ///
    /// ```
    /// use std::path::Path;
    /// use tabulae_games::RuleSet;
    /// use tabulae_session::{GameSession, Setup};
    ///
    /// let id = |games| {
    ///     let session = GameSession::new(Setup { games, ..Setup::new(RuleSet::Tablan) });
    ///     session.result_id(Path::new("recent/1764-12-0.tab"))
    /// };
    /// assert_eq!([id(1), id(2)], ["1764-12-0", "1764-12-0#1"]);
    /// ```
    pub fn result_id(&self, path: &Path) -> String {
        let mut id = game_id(path);
        if let Some(standing) = self.match_standing() {
            id.push(ROUND_SEPARATOR);
            id += &standing.round.to_string();
        }
        id
    }
}

/// How many plies [`FinishedGame::opening`] has.
const OPENING_PLIES: usize = 4;

impl FinishedGame {
    /// The result of the game with this [`GameSession::result_id`]; none while it is
    /// unfinished, of an aborted game, and of a game between two engines.
    pub fn new(id: &str, session: &GameSession, date: Option<String>) -> Option<Self> {
        let record = session.record(date);
        let seats = session.seats();
        let is_known = session.outcome().is_some() && record.result() != GameResult::Unknown;
        if !is_known || session.is_aborted() || !seats.contains(&Seat::Person) {
            return None;
        }
        // Afterwards it does not matter where a person sat.
        let seats = seats.map(|seat| if seat == Seat::Remote { Seat::Person } else { seat });
        let names = session.person_names();
        let history = session.history();
        let plies = 1..=history.len().min(OPENING_PLIES);
        let opening: Vec<String> = plies.filter_map(|ply| history.notation(ply)).collect();
        let rated = session.unrated_reason().is_none();
        Some(Self {
            id: id.to_owned(),
            date: record.date.clone(),
            rules: session.rules(),
            seats,
            names,
            adaptive: session.is_adaptive(),
            result: record.result(),
            termination: record.termination().map(str::to_owned),
            plies: history.len(),
            rated,
            opening: opening.join(" "),
            analysis: None,
        })
    }

    /// The name of its save, without folder and extension.
    pub fn save_name(&self) -> &str {
        self.id.split(ROUND_SEPARATOR).next().unwrap_or_default()
    }

    /// The number of the game in its match; none for a single game.
    pub fn round(&self) -> Option<usize> {
        self.id.split_once(ROUND_SEPARATOR)?.1.parse().ok()
    }

    /// The points of a side: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub fn points(&self, side: Side) -> f64 {
        match self.result {
            GameResult::Won(winner) if winner == side => 1.0,
            GameResult::Won(_) => 0.0,
            GameResult::Drawn | GameResult::Unknown => 0.5,
        }
    }

    /// The sides that this person played, or all persons; a guest's name is empty.
    pub fn sides_of(&self, name: Option<&str>) -> impl Iterator<Item = Side> {
        Side::BOTH.into_iter().filter(move |side| {
            self.seats[side.index()] == Seat::Person
                && name.is_none_or(|name| self.names[side.index()] == name)
        })
    }

    /// Whether its persons may have made a mistake: always before it is analysed.
    pub fn may_have_mistakes(&self) -> bool {
        let mistakes = self.analysis.and_then(|analysis| analysis.mistakes);
        mistakes.is_none_or(|count| self.sides_of(None).any(|side| count[side.index()] > 0))
    }
}

/// Seats as a line says them.
#[derive(Serialize, Deserialize)]
struct SeatsLine {
    levels: [Option<Level>; 2],
    #[serde(default, skip_serializing_if = "no_programs")]
    programs: [bool; 2],
}

/// Whether no other program played, which older lines do not tell.
const fn no_programs(programs: &[bool; 2]) -> bool {
    !programs[0] && !programs[1]
}

mod seats {
    use super::*;

    pub(super) fn serialize<S: Serializer>(seats: &[Seat; 2], to: S) -> Result<S::Ok, S::Error> {
        let levels = seats.map(|seat| match seat {
            Seat::Person | Seat::Remote | Seat::Program => None,
            Seat::Engine(level) => Some(level),
        });
        SeatsLine { levels, programs: seats.map(|seat| seat == Seat::Program) }.serialize(to)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<[Seat; 2], D::Error> {
        let SeatsLine { levels, programs } = SeatsLine::deserialize(from)?;
        Ok(Side::BOTH.map(|side| match levels[side.index()] {
            Some(level) => Seat::Engine(level),
            None if programs[side.index()] => Seat::Program,
            None => Seat::Person,
        }))
    }
}

mod known_result {
    use super::*;

    pub(super) fn serialize<S: Serializer>(result: &GameResult, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(result)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<GameResult, D::Error> {
        GameResult::parse(&String::deserialize(from)?)
            .filter(|result| *result != GameResult::Unknown)
            .ok_or_else(|| D::Error::custom("no result"))
    }
}

/// What the analysis of an earlier line's game found.
#[derive(Serialize, Deserialize)]
struct AnalysisLine {
    game: String,
    analysis: GameAnalysis,
}

/// A line of the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Analysis(AnalysisLine),
    Game(FinishedGame),
}

/// The file of results.
///
/// ```
/// use tabulae_games::{RuleSet, Side};
/// use tabulae_session::{FinishedGame, GameSession, Results, ResultStore, Setup};
///
/// let folder = tempfile::tempdir()?;
/// let store = ResultStore::new(folder.path().join("results.jsonl"));
/// let mut session = GameSession::new(Setup::new(RuleSet::Tablaaza));
/// assert_eq!(FinishedGame::new("1", &session, None), None, "it is not finished");
/// for _ in 0..2 {
///     let first = session.history().legal_moves()[0];
///     session.play(first).expect("legal");
/// }
/// session.resign(Side::First);
/// let game = FinishedGame::new("1", &session, None).expect("a result");
/// store.add(&game)?;
/// store.add(&game)?;
/// let Results { games, damaged } = store.load()?;
/// assert_eq!((games, damaged), (vec![game], vec![]), "it counts once");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultStore {
    path: PathBuf,
}

/// What the file of results says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// The games, in the order in which they ended.
    pub games: Vec<FinishedGame>,
    /// The numbers, from 1, of lines that cannot be read.
    pub damaged: Vec<usize>,
}

impl ResultStore {
    /// The store in the file at `path`, which is created with the first result.
    pub const fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The store beside the saves.
    pub fn beside(saves: &SaveStore) -> Self {
        let folder = saves.folder().parent().unwrap_or(saves.folder());
        Self::new(folder.join("results.jsonl"))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads all results; none if there is no file yet.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn load(&self) -> io::Result<Results> {
        let bytes = storage::read_if_there(&self.path)?;
        Ok(bytes.map(|bytes| Results::read(&bytes)).unwrap_or_default())
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// The file cannot be written; no other line is harmed.
    pub fn add(&self, game: &FinishedGame) -> io::Result<()> {
        self.append(game)
    }

    /// Adds what the analysis of a game found.
    ///
    /// # Errors
    /// The file cannot be written; no other line is harmed.
    pub fn add_analysis(&self, id: &str, analysis: GameAnalysis) -> io::Result<()> {
        self.append(&AnalysisLine { game: id.to_owned(), analysis })
    }

    fn append(&self, line: &impl Serialize) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            storage::create_dir_all(folder)?;
        }
        storage::append_line(&self.path, &serde_json::to_string(line).map_err(io::Error::other)?)
    }

    /// Adds the finished games of `saves` that have no result yet: a kill between the
    /// save and its result, or games of a version without results. Looks at the newest
    /// games only, unless there are no results at all. Returns how many it added.
    ///
    /// # Errors
    /// The results cannot be read or written.
    pub fn recover(&self, saves: &SaveStore) -> io::Result<usize> {
        let known = self.load()?;
        let most = if known.games.is_empty() { usize::MAX } else { RECOVERY_DEPTH };
        let is_known = |id: &str| known.games.iter().any(|game| game.id == id);
        let mut added = 0;
        for (path, session, date) in saves.finished(most, &is_known) {
            let game = FinishedGame::new(&session.result_id(&path), &session, date);
            if let Some(game) = game.filter(|game| !is_known(&game.id)) {
                self.add(&game)?;
                added += 1;
            }
        }
        Ok(added)
    }
}

/// How many of the newest saves [`ResultStore::recover`] looks at.
const RECOVERY_DEPTH: usize = 40;

impl Results {
    fn read(bytes: &[u8]) -> Self {
        let mut results = Self::default();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            if line.trim_ascii().is_empty() {
                continue;
            }
            match serde_json::from_slice::<Line>(line) {
                Ok(Line::Game(game)) => {
                    let next = results.games.len();
                    if *known.entry(game.id.clone()).or_insert(next) == next {
                        results.games.push(game);
                    }
                }
                Ok(Line::Analysis(line)) => {
                    // The game's own line may be the damaged one.
                    if let Some(&index) = known.get(&line.game) {
                        results.games[index].analysis = Some(line.analysis);
                    }
                }
                Err(_) => results.damaged.push(number),
            }
        }
        results
    }

    /// The game with this id.
    pub fn game(&self, id: &str) -> Option<&FinishedGame> {
        self.games.iter().find(|game| game.id == id)
    }
}

/// The accuracy, in percent, of a move that lost this much win share, as lichess
/// computes it from the win percentages before and after the move.
///
/// ```
/// use tabulae_session::move_accuracy;
///
/// assert_eq!(move_accuracy(0.0), 100.0);
/// assert!(move_accuracy(0.1) > 60.0 && move_accuracy(0.1) < 70.0);
/// assert_eq!(move_accuracy(1.0), 0.0);
/// ```
pub fn move_accuracy(loss: f32) -> f32 {
    let percent = 100.0 - 103.1669 * (1.0 - (-0.04354 * 100.0 * loss).exp());
    percent.clamp(0.0, 100.0)
}
