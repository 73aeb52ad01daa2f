//! The store of a single server: one file.
//!
//! All that is written goes through one task and one connection. After an error that
//! connection is replaced: SQLite may have rolled back or not, and what is written in a
//! transaction that never ends is lost. So nothing is reported as stored but what a
//! `COMMIT` has confirmed.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use sqlx::{
    ConnectOptions as _, Connection as _, QueryBuilder, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::sync::{mpsc, oneshot};

use super::{Fault, StoreError, StoredGame, append_error, common_queries, insert_game, note_beat};
use crate::{Entry, GameId};

/// The most writes in one transaction.
const BATCH: usize = 256;
/// How long a file that another program has locked is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

pub(in crate::server) struct SqliteStore {
    /// The connections that read.
    pool: SqlitePool,
    writes: mpsc::Sender<Write>,
    /// Locked for as long as this server runs.
    _lock: File,
}

/// Something to write, and where to say how it went.
struct Write {
    what: What,
    done: oneshot::Sender<Result<i64, StoreError>>,
}

enum What {
    /// A game with its first entry.
    Create { id: String, game: StoredGame, first: String },
    /// Entries behind the first `from`.
    Append { id: String, from: i64, entries: Vec<String> },
    /// A sign of life at a time.
    Beat { now: i64, longest_gap: i64 },
    /// Nothing more.
    End,
}

impl SqliteStore {
    pub(super) async fn open(file: &Path) -> Result<Self, StoreError> {
        let lock = lock(file)?;
        keep_private(file)?;
        let options = SqliteConnectOptions::new()
            .filename(file)
            .journal_mode(SqliteJournalMode::Wal)
            // A ply that was answered survives a power failure.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(PATIENCE);
        let mut connection = options.connect().await?;
        let migrations = [include_str!("migrations/sqlite/0001_games.sql")];
        super::migrator(&migrations).run(&mut connection).await?;
        let pool = SqlitePoolOptions::new()
            .max_connections(4)
            .acquire_timeout(PATIENCE)
            .connect_with(options.clone())
            .await?;
        let (writes, waiting) = mpsc::channel(4 * BATCH);
        let writer = Writer { options, connection: Some(connection) };
        tokio::spawn(writer.run(waiting));
        Ok(Self { pool, writes, _lock: lock })
    }

    /// Stores nothing more, and puts all that is stored into the file itself.
    pub(super) async fn close(&self) {
        _ = self.write(What::End).await;
        self.writes.closed().await;
    }

    async fn write(&self, what: What) -> Result<i64, StoreError> {
        let (done, answer) = oneshot::channel();
        let closed = || StoreError::Failed(Fault::Unreachable, "the server stops".to_owned());
        self.writes.send(Write { what, done }).await.map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }
}

/// Locks the file beside a store that says that a server uses it. Two servers would not
/// hear of each other's plies.
fn lock(store: &Path) -> Result<File, StoreError> {
    let path = with_ending(store, ".lock");
    keep_private(&path)?;
    let open = |error| StoreError::Open(path.clone(), error);
    let file = OpenOptions::new().write(true).open(&path).map_err(open)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(store.to_owned())),
        // Some network file systems cannot lock.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(open(error)),
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// Creates a file that only this user can read, or takes it from all others: the secrets
/// in a store foretell throws. The files that SQLite puts beside it get the same rights.
fn keep_private(path: &Path) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let error = |error| StoreError::Open(path.to_owned(), error);
    // It is closed before SQLite locks it: closing it later would take those locks away.
    options.open(path).map_err(error)?;
    #[cfg(unix)]
    for path in ["", "-wal", "-shm"].map(|ending| with_ending(path, ending)) {
        use std::os::unix::fs::PermissionsExt as _;

        let Ok(metadata) = path.metadata() else { continue };
        let mut rights = metadata.permissions();
        if rights.mode() & 0o077 != 0 {
            rights.set_mode(rights.mode() & 0o700);
            std::fs::set_permissions(&path, rights).map_err(error)?;
        }
    }
    Ok(())
}

/// Writes what waits in common transactions: a disk syncs a hundred times a second, and
/// a transaction with many plies takes hardly longer than one with a single ply.
struct Writer {
    options: SqliteConnectOptions,
    /// `None` after an error, until the next write.
    connection: Option<SqliteConnection>,
}

impl Writer {
    async fn run(mut self, mut waiting: mpsc::Receiver<Write>) {
        let mut batch = Vec::with_capacity(BATCH);
        let mut is_last = false;
        while !is_last && waiting.recv_many(&mut batch, BATCH).await > 0 {
            is_last = batch.iter().any(|item| matches!(item.what, What::End));
            let results = self.write(&batch).await.map_err(|error| {
                let (fault, text) = (Fault::of(&error), error.to_string());
                move || StoreError::Failed(fault, text.clone())
            });
            match results {
                Ok(results) => {
                    for (write, result) in batch.drain(..).zip(results) {
                        // The receiver is dropped if its connection has ended.
                        _ = write.done.send(result);
                    }
                }
                Err(error) => batch.drain(..).for_each(|item| _ = item.done.send(Err(error()))),
            }
        }
        if let Some(mut connection) = self.connection {
            // Into the file itself, so that it can be copied without those beside it.
            let all = "PRAGMA wal_checkpoint(TRUNCATE)";
            _ = sqlx::raw_sql(all).execute(&mut connection).await;
            _ = connection.close().await;
        }
    }

    async fn write(
        &mut self,
        batch: &[Write],
    ) -> Result<Vec<Result<i64, StoreError>>, sqlx::Error> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.options.connect().await?,
        };
        let results = carry_out(&mut connection, batch).await;
        if results.is_ok() {
            self.connection = Some(connection);
        } else {
            // Closed for good, so that its transaction cannot hinder the next one.
            _ = connection.close().await;
        }
        results
    }
}

/// Writes all of a batch that is possible. After an error nothing of it is stored.
async fn carry_out(
    connection: &mut SqliteConnection,
    batch: &[Write],
) -> Result<Vec<Result<i64, StoreError>>, sqlx::Error> {
    // One statement is a transaction of its own: the connection's thread is woken once.
    let appends: Option<Vec<_>> = batch.iter().map(|item| rows(&item.what)).collect();
    if let Some(appends) = appends {
        match insert(connection, appends.into_iter().flatten()).await {
            Ok(()) => return Ok(batch.iter().map(|_| Ok(0)).collect()),
            // An append of the batch is not possible; the others are.
            Err(error) if is_refused(&error) => {}
            Err(error) => return Err(error),
        }
    }
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let mut results = Vec::with_capacity(batch.len());
    for write in batch {
        let result = match &write.what {
            What::Create { id, game, first } => {
                insert_game!(connection, id, game, first).await.map(|()| 0)
            }
            append @ What::Append { .. } => {
                let rows = rows(append).into_iter().flatten();
                insert(connection, rows).await.map(|()| 0)
            }
            What::Beat { now, longest_gap } => note_beat!(connection, *now, *longest_gap).await,
            What::End => Ok(0),
        };
        results.push(match result {
            Err(error) if !is_refused(&error) => return Err(error),
            other => other.map_err(append_error),
        });
    }
    sqlx::raw_sql("COMMIT").execute(&mut *connection).await?;
    Ok(results)
}

/// Whether a statement was refused for what it wants to store: its transaction goes on.
fn is_refused(error: &sqlx::Error) -> bool {
    let error = error.as_database_error();
    error.is_some_and(|error| error.is_unique_violation() || error.is_foreign_key_violation())
}

/// The rows of an append: game, number and entry. `None` if it is something else.
fn rows(what: &What) -> Option<impl Iterator<Item = (&String, i64, &String)>> {
    let What::Append { id, from, entries } = what else { return None };
    Some((*from..).zip(entries).map(move |(number, entry)| (id, number, entry)))
}

/// Adds rows in one statement, so that all are added or none.
async fn insert(
    connection: &mut SqliteConnection,
    rows: impl Iterator<Item = (&String, i64, &String)>,
) -> Result<(), sqlx::Error> {
    let mut query = QueryBuilder::new("INSERT INTO entries ");
    query.push_values(rows, |mut row, (id, number, entry)| {
        row.push_bind(id).push_bind(number).push_bind(entry);
    });
    query.build().execute(connection).await.map(drop)
}

impl SqliteStore {
    common_queries!();

    pub(super) async fn create(
        &self,
        id: GameId,
        game: &StoredGame,
        first: &Entry,
    ) -> Result<(), StoreError> {
        let (id, game, first) = (id.to_string(), game.clone(), super::to_text(first)?);
        self.write(What::Create { id, game, first }).await.map(drop)
    }

    pub(super) async fn append(
        &self,
        id: GameId,
        from: usize,
        entries: &[Entry],
    ) -> Result<(), StoreError> {
        let entries = entries.iter().map(super::to_text).collect::<Result<Vec<_>, _>>()?;
        if entries.is_empty() {
            return Ok(());
        }
        let (id, from) = (id.to_string(), super::signed(from));
        self.write(What::Append { id, from, entries }).await.map(drop)
    }

    pub(super) async fn heartbeat(
        &self,
        now: Option<u64>,
        longest_gap: u64,
    ) -> Result<u64, StoreError> {
        let now = super::signed(now.unwrap_or_else(system_time));
        let longest_gap = super::signed(longest_gap);
        self.write(What::Beat { now, longest_gap }).await.map(super::unsigned)
    }
}

/// Milliseconds since 1970 by the system's clock.
fn system_time() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hash256, Offer, Referee, Terms};
    use tabulae_games::{RuleSet, Side};

    #[tokio::test]
    async fn of_two_entries_with_a_number_one_is_added_and_others_are_not_harmed() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("games.db")).await.expect("a store");
        let ids = [GameId::random(), GameId::random()];
        let terms = Terms { rules: RuleSet::Tablaaza, clock: None };
        let first = Referee::created(terms, Hash256([1; 32]), 0);
        for id in ids {
            let game = StoredGame { secret: Hash256([1; 32]), tokens: [Hash256([2; 32]); 3] };
            store.create(id, &game, &first).await.expect("a new game");
        }
        let entry = |offer| [Entry::Offered { side: Side::First, offer }];
        let (undo, draw) = (entry(Offer::Undo), entry(Offer::Draw));
        // All wait together, so that they come into one batch.
        let (one, two, other) = tokio::join!(
            store.append(ids[0], 1, &undo),
            store.append(ids[0], 1, &draw),
            store.append(ids[1], 1, &draw),
        );
        assert!(one.is_ok() && other.is_ok(), "{one:?} {other:?}");
        assert!(matches!(two, Err(StoreError::Conflict)), "{two:?}");
        let stored = |id| store.entries(id, 0);
        assert_eq!(stored(ids[0]).await.expect("entries"), [first.clone(), undo[0].clone()]);
        assert_eq!(stored(ids[1]).await.expect("entries"), [first, draw[0].clone()]);
        assert!(matches!(store.append(ids[0], 0, &undo).await, Err(StoreError::Conflict)));
        assert!(store.append(ids[0], 2, &[]).await.is_ok());
    }

    #[tokio::test]
    async fn after_a_full_disk_everything_is_stored_again_and_nothing_else_was_confirmed() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games.db");
        let mut store = SqliteStore::open(&file).await.expect("a store");
        let terms = Terms { rules: RuleSet::Tablaaza, clock: None };
        let first = Referee::created(terms, Hash256([1; 32]), 0);
        let game = StoredGame { secret: Hash256([1; 32]), tokens: [Hash256([2; 32]); 3] };
        let id = GameId::random();
        store.create(id, &game, &first).await.expect("a new game");
        // As if the disk had no room for another page: SQLite reports the same error, and
        // rolls back by itself. The writer is replaced by one with that limit.
        let (writes, waiting) = mpsc::channel(4 * BATCH);
        let options = SqliteConnectOptions::new().filename(&file).foreign_keys(true);
        let mut connection = options.connect().await.expect("the file");
        sqlx::raw_sql("PRAGMA max_page_count = 1").execute(&mut connection).await.expect("set");
        tokio::spawn(Writer { options, connection: Some(connection) }.run(waiting));
        store.writes = writes;
        let mut confirmed = 1;
        let mut failures = Vec::new();
        for _ in 0..4 {
            // Many in one transaction, as when all players move.
            let text = "x".repeat(20_000);
            let joined = [Entry::Joined { side: Side::First, name: text, at: 0 }];
            let beat = store.heartbeat(Some(1), 3_000);
            match tokio::join!(store.append(id, confirmed, &joined), beat) {
                (Ok(()), _) => confirmed += 1,
                (Err(error), _) => failures.push(error),
            }
        }
        let full = |error: &StoreError| matches!(error, StoreError::Failed(Fault::Full, _));
        // The connection with the limit was replaced after its first error.
        assert!(failures.len() == 1 && full(&failures[0]), "{failures:?}");
        assert_eq!(confirmed, 4);
        // By another connection: what was confirmed is in the file.
        drop(store);
        let again = SqliteStore::open(&file).await.expect("a store");
        assert_eq!(again.entries(id, 0).await.expect("a store").len(), confirmed);
    }

    #[tokio::test]
    async fn a_second_server_on_the_same_file_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games.db");
        let store = SqliteStore::open(&file).await.expect("a store");
        let second = SqliteStore::open(&file).await.map(drop).expect_err("in use");
        assert!(matches!(&second, StoreError::InUse(path) if *path == file), "{second}");
        drop(store);
        SqliteStore::open(&file).await.expect("a store");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn nobody_else_may_read_a_store_whatever_its_rights_were() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games.db");
        std::fs::write(&file, "").expect("written");
        let open = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(&file, open).expect("set");
        let store = SqliteStore::open(&file).await.expect("a store");
        store.heartbeat(None, 3_000).await.expect("a store");
        for entry in std::fs::read_dir(folder.path()).expect("a folder") {
            let entry = entry.expect("a file");
            let mode = entry.metadata().expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{:?}", entry.file_name());
        }
    }

    /// The guide tells to use programs of SQLite beside a server: before 3.51.3 two
    /// processes could lose what both had stored.
    #[tokio::test]
    async fn sqlite_has_no_known_bug_that_loses_pages() {
        let options = SqliteConnectOptions::new().in_memory(true);
        let mut connection = options.connect().await.expect("SQLite");
        let (version,): (String,) = sqlx::query_as("SELECT sqlite_version()")
            .fetch_one(&mut connection)
            .await
            .expect("its version");
        let numbers: Vec<u32> = version.split('.').filter_map(|part| part.parse().ok()).collect();
        assert!(numbers >= vec![3, 51, 3], "{version}");
    }

    #[tokio::test]
    async fn a_heartbeat_that_comes_late_or_by_a_slow_clock_makes_no_outage() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("games.db")).await.expect("a store");
        let beat = async |now| store.heartbeat(Some(now), 3_000).await.expect("a store");
        let outages = async || store.outages().await.expect("a store");
        // Two servers, of which the second comes late each time.
        for now in [100_000, 101_000, 102_000] {
            assert_eq!(beat(now).await, now);
            assert_eq!(beat(now - 5_000).await, now, "the time never goes back");
        }
        assert_eq!(outages().await, []);
        assert_eq!(beat(105_001).await, 105_001);
        assert_eq!(outages().await, [(102_000, 105_001)]);
        beat(108_001).await;
        assert_eq!(outages().await.len(), 1);
    }

    #[tokio::test]
    async fn a_deleted_game_harms_no_other_and_old_games_are_deleted_as_the_guide_says() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("games.db")).await.expect("a store");
        let ids = [GameId::random(), GameId::random()];
        let terms = Terms { rules: RuleSet::Tablaaza, clock: None };
        let now = system_time();
        for (id, at) in ids.into_iter().zip([now - 91 * 86_400_000, now - 89 * 86_400_000]) {
            let first = Referee::created(terms, Hash256([1; 32]), at);
            let game = StoredGame { secret: Hash256([1; 32]), tokens: [Hash256([2; 32]); 3] };
            store.create(id, &game, &first).await.expect("a new game");
        }
        // An entry without a time does not count.
        let resigned = [Entry::Resigned { side: Side::First }];
        store.append(ids[0], 1, &resigned).await.expect("stored");
        let guide = include_str!("../../../../../docs/server.md");
        let (_, section) = guide.split_once("### Delete old games\n").expect("how");
        let block = section.split("```").nth(1).expect("the commands for SQLite");
        let commands = block.strip_prefix("text\n").expect("a block");
        sqlx::raw_sql(commands).execute(&store.pool).await.expect("deleted");
        assert!(store.load(ids[0]).await.expect("a store").is_none());
        assert!(store.entries(ids[0], 0).await.expect("a store").is_empty());
        assert!(store.load(ids[1]).await.expect("a store").is_some());
        // Both come into one batch.
        let (deleted, other) =
            tokio::join!(store.append(ids[0], 2, &resigned), store.append(ids[1], 1, &resigned));
        assert!(matches!(deleted, Err(StoreError::Deleted)), "{deleted:?}");
        assert!(other.is_ok(), "{other:?}");
        assert_eq!(store.entries(ids[1], 0).await.expect("a store").len(), 2);
    }
}
