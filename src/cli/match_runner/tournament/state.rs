//! State files: the results so far, from which a later run continues.

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions, TryLockError},
    io::{Read as _, Seek as _, SeekFrom},
    thread,
};

use serde::{Deserialize, de::DeserializeOwned};

use crate::cli::{
    files::{cannot_write, is_same_file},
    prelude::*,
};

use super::{
    super::{config::MatchConfig, records_out::RecordEnd, stats::PlayerResult},
    Args,
    schedule::Schedule,
};

/// What makes two runs the same tournament. Another value of any of these would make
/// the results so far meaningless.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    /// What the file is.
    tabulae: String,
    version: u32,
    pub(super) rules: String,
    pub(super) format: String,
    players: Vec<String>,
    games: usize,
    pub(super) limits: String,
    openings: usize,
    threads: usize,
    hash: usize,
    plies: usize,
    /// Of Bologna's referee, if it watches the games.
    #[serde(default)]
    permitted_errors: Option<u32>,
    out: Option<String>,
    pub(super) seed: u64,
}

const KIND: &str = "tournament";
const VERSION: u32 = 1;

impl Settings {
    pub(super) fn new(config: &MatchConfig, args: &Args, schedule: &Schedule) -> Self {
        Self {
            tabulae: KIND.to_owned(),
            version: VERSION,
            rules: config.rules.id().to_owned(),
            format: args.format.id().to_owned(),
            players: args.players.iter().map(|player| player.spec.clone()).collect(),
            games: schedule.games_per_pairing,
            limits: config.limits.to_string(),
            openings: config.opening_moves,
            threads: config.threads,
            hash: config.hash_mib,
            plies: config.max_plies,
            permitted_errors: args.game.permitted_errors(),
            out: args.out.as_ref().map(|path| path.to_string_lossy().into_owned()),
            seed: config.seed,
        }
    }

    /// Whether Bologna's referee watches the games.
    pub(super) const fn is_refereed(&self) -> bool {
        self.permitted_errors.is_some()
    }

    /// The first setting that differs, with both values.
    fn difference(&self, other: &Self) -> Option<String> {
        let same_out = match (&self.out, &other.out) {
            (Some(ours), Some(theirs)) => {
                ours == theirs || is_same_file(Path::new(ours), Path::new(theirs))
            }
            (ours, theirs) => ours == theirs,
        };
        if !same_out {
            let flag = |out: &Option<String>| match out {
                Some(path) => format!("--out {path}"),
                None => "no --out".to_owned(),
            };
            return Some(format!("{}, not {}", flag(&other.out), flag(&self.out)));
        }
        let value = |settings: &Self| serde_json::to_value(settings).unwrap_or_default();
        let (ours, theirs) = (value(self), value(other));
        let differs = |(name, ours): (&String, &serde_json::Value)| {
            let theirs = &theirs[name];
            (name != "out" && ours != theirs).then(|| format!("{name} {theirs}, not {ours}"))
        };
        ours.as_object()?.iter().find_map(differs)
    }
}

/// A counted game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameOutcome {
    /// The result for the pairing's first player.
    pub(super) result: PlayerResult,
    /// The player of the pairing that forfeited the game, 0 or 1.
    pub(super) forfeit: Option<usize>,
}

/// The line of a game.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameLine {
    /// The game's number, from 1.
    game: usize,
    /// Half points of the pairing's first player.
    half_points: usize,
    forfeit: Option<usize>,
    /// Length of the file of the records with this game.
    records: u64,
}

/// An open state file. It is locked: a second run on the same file is refused.
///
/// Each line is a JSON object: the [`Settings`], then one for each game, appended when
/// it ends. A last line without an end is one that a killed run began to write; it is
/// cut off, and its game is played again.
pub(super) struct StateFile {
    path: PathBuf,
    file: File,
    /// The tournament's seed.
    pub(super) seed: u64,
    /// The results that were in the file, by the games' indices from 0.
    pub(super) results: BTreeMap<usize, GameOutcome>,
    /// Where the records of the games that were in the file end in the file of the records,
    /// in the order in which the games ended.
    pub(super) record_ends: Vec<RecordEnd>,
}

impl StateFile {
    /// Opens the state of the tournament, or creates it. `seed` is that of the command
    /// line; without one, that of the file holds.
    ///
    /// # Errors
    /// The file cannot be read or written, is in use, is damaged or not a state file,
    /// or belongs to another tournament; the text names it.
    pub(super) fn open(
        path: &Path,
        settings: &Settings,
        seed: Option<u64>,
        games: usize,
    ) -> Result<Self, CommandError> {
        let open = || {
            let mut options = OpenOptions::new();
            let mut file =
                options.read(true).write(true).create(true).truncate(false).open(path)?;
            if !file.metadata()?.is_file() {
                return Err(io::Error::other("expected a file, not a pipe or a device"));
            }
            lock(&file)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok((file, bytes))
        };
        let refuse = |text: String| {
            let path = shown(path);
            CommandError::Failed(format!("cannot use the state file {path}: {text}"))
        };
        let (file, bytes) = open().map_err(|error: io::Error| refuse(error.to_string()))?;
        let mut state = Self {
            path: path.to_owned(),
            file,
            seed: settings.seed,
            results: BTreeMap::new(),
            record_ends: Vec::new(),
        };
        if bytes.is_empty() {
            state.append(settings)?;
            return Ok(state);
        }
        let length = state.read(&bytes, settings, seed, games).map_err(refuse)?;
        let mut cut = || {
            state.file.set_len(length)?;
            state.file.seek(SeekFrom::End(0))
        };
        cut().map_err(|error| cannot_write(path, &error))?;
        Ok(state)
    }

    /// Reads the file's content and returns the length of its complete lines.
    ///
    /// # Errors
    /// The line that is wrong, and what was expected.
    fn read(
        &mut self,
        bytes: &[u8],
        settings: &Settings,
        seed: Option<u64>,
        games: usize,
    ) -> Result<u64, String> {
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut lines = bytes[..end].split_inclusive(|&byte| byte == b'\n').zip(1..);
        let foreign = "line 1: expected the settings of a tournament; delete the file, or name \
                       another one";
        let (line, _) = lines.next().ok_or(foreign)?;
        let found: Settings = parse(line).ok_or(foreign)?;
        if (found.tabulae.as_str(), found.version) != (KIND, VERSION) {
            return Err(foreign.to_owned());
        }
        let expected = Settings { seed: seed.unwrap_or(found.seed), ..settings.clone() };
        if let Some(difference) = expected.difference(&found) {
            return Err(format!("it belongs to another tournament, with {difference}"));
        }
        self.seed = found.seed;
        for (line, at) in lines {
            let game: GameLine = parse(line).ok_or_else(|| {
                format!("line {at}: expected the result of a game; the file is damaged")
            })?;
            let outcome = outcome(&game).filter(|_| (1..=games).contains(&game.game));
            let outcome = outcome.ok_or_else(|| {
                format!("line {at}: expected a game from 1 to {games} with its result")
            })?;
            if self.results.insert(game.game - 1, outcome).is_some() {
                return Err(format!("line {at}: game {} stands twice", game.game));
            }
            self.record_ends.push(RecordEnd { game: game.game, end: game.records });
        }
        Ok(end as u64)
    }

    /// Saves the result of a game. The file of the records has this length with it.
    ///
    /// # Errors
    /// The file cannot be written; the text names it.
    pub(super) fn add(
        &mut self,
        game: usize,
        outcome: GameOutcome,
        records: u64,
    ) -> Result<(), CommandError> {
        let half_points = outcome.result.half_points();
        let forfeit = outcome.forfeit;
        self.append(&GameLine { game: game + 1, half_points, forfeit, records })
    }

    fn append(&mut self, line: &impl Serialize) -> Result<(), CommandError> {
        let mut write = || {
            let mut text = serde_json::to_string(line)?;
            text.push('\n');
            self.file.write_all(text.as_bytes())?;
            self.file.sync_data()
        };
        write().map_err(|error| cannot_write(&self.path, &error))
    }
}

/// How often and how long to wait for a run that was killed just now to end.
const LOCK_ATTEMPTS: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(100);

/// Locks the file until it is closed.
fn lock(file: &File) -> io::Result<()> {
    for _ in 1..LOCK_ATTEMPTS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(error),
            Ok(()) => return Ok(()),
        }
    }
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => io::Error::other("another tournament is using it"),
        TryLockError::Error(error) => error,
    })
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    serde_json::from_slice(line).ok()
}

fn outcome(line: &GameLine) -> Option<GameOutcome> {
    let results = [PlayerResult::Loss, PlayerResult::Draw, PlayerResult::Win];
    let result = *results.get(line.half_points)?;
    let forfeit = line.forfeit;
    forfeit.is_none_or(|player| player < 2).then_some(GameOutcome { result, forfeit })
}
