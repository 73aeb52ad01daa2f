//! Where the server keeps its games: SQLite for one server, PostgreSQL for several.
//!
//! A game is its log of entries. An entry's number is part of its key, so two servers,
//! or a message that comes twice, can never add the same entry.

mod postgres;
mod sqlite;

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use sqlx::{
    SqlSafeStr as _,
    error::ErrorKind,
    migrate::{Migration, MigrationType, Migrator},
};
use thiserror::Error;
use tokio::sync::mpsc;

use self::{postgres::PostgresStore, sqlite::SqliteStore};
use crate::{Entry, GameId, Hash256};

/// What is wrong with a store that does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// There is no room for more.
    #[error("the disk is full")]
    Full,
    /// Another program holds the file.
    #[error("another program has locked the file")]
    Locked,
    /// The file, its folder or the database takes no writes.
    #[error("the file or its folder cannot be written")]
    ReadOnly,
    /// The disk reports errors.
    #[error("the disk does not read or write")]
    Disk,
    /// The file is not a whole database.
    #[error("the file is damaged")]
    Damaged,
    /// The database cannot be reached, or does not do what it should.
    #[error("the database does not answer")]
    Unreachable,
}

impl Fault {
    fn of(error: &sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
        match code.as_deref() {
            // PostgreSQL has five characters.
            Some("53100") => Self::Full,
            Some("25006") => Self::ReadOnly,
            Some(code) if code.len() < 5 => match code.parse().unwrap_or(0) & 0xff {
                3 | 8 | 14 | 23 => Self::ReadOnly,
                5 | 6 => Self::Locked,
                10 => Self::Disk,
                11 | 26 => Self::Damaged,
                13 => Self::Full,
                _ => Self::Unreachable,
            },
            _ => Self::Unreachable,
        }
    }
}

/// Why the store did not do something.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Another server has added an entry with that number.
    #[error("the game has moved on")]
    Conflict,
    /// What is stored is damaged.
    #[error("the store holds what no server wrote: {0}")]
    Damaged(String),
    /// The store cannot be reached, or the disk is full: nothing was stored. The text says
    /// more.
    #[error("the store does not answer: {0} ({1})")]
    Failed(Fault, String),
    /// The game was deleted.
    #[error("the game was deleted")]
    Deleted,
    /// Another server has the file open.
    #[error("{} is in use by another server; use PostgreSQL for several servers", .0.display())]
    InUse(PathBuf),
    /// The file cannot be opened or created.
    #[error("cannot open {}: {}", .0.display(), .1)]
    Open(PathBuf, std::io::Error),
    /// The tables cannot be set up.
    #[error("the store's tables cannot be set up: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The address is of no known store.
    #[error("unknown store '{0}' (sqlite:FILE or postgres://USER@HOST/DATABASE)")]
    Unknown(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(Fault::of(&error), error.to_string())
    }
}

/// What a store has of a game besides its entries.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// The server's part of all throws.
    pub secret: Hash256,
    /// The hashes of the tokens: first seat, second seat, spectators.
    pub tokens: [Hash256; 3],
}

/// News from another server on the same store.
#[derive(Clone, Debug)]
pub enum News {
    /// A game has new entries.
    Entries(GameId),
    /// Who is connected to a game on another server.
    Presence {
        /// The game.
        game: GameId,
        /// The server's number.
        server: u64,
        /// The seats that are open there.
        players: [bool; 2],
        /// The spectators there.
        spectators: usize,
    },
    /// Another device has opened a player's seat, and was refused.
    Asked {
        /// The game.
        game: GameId,
        /// The player of the seat.
        player: usize,
        /// The hash of the device's secret.
        device: Hash256,
    },
    /// News may have been missed: the connection to the store was lost.
    Missed,
}

/// A place to keep games.
pub(super) enum Store {
    /// One file, for one server.
    Sqlite(SqliteStore),
    /// A database, for several servers.
    Postgres(PostgresStore),
}

/// What either store answers.
macro_rules! ask {
    ($self:ident, $store:ident => $answer:expr) => {
        match $self {
            Self::Sqlite($store) => $answer.await,
            Self::Postgres($store) => $answer.await,
        }
    };
}

impl Store {
    /// Opens the store of an address: `sqlite:FILE`, or `postgres://...`.
    ///
    /// # Errors
    /// It cannot be opened, or its tables cannot be set up.
    pub(super) async fn open(address: &str) -> Result<Self, StoreError> {
        if let Some(file) = address.strip_prefix("sqlite:") {
            let file = file.strip_prefix("//").unwrap_or(file);
            return Ok(Self::Sqlite(SqliteStore::open(Path::new(file)).await?));
        }
        if address.starts_with("postgres:") || address.starts_with("postgresql:") {
            return Ok(Self::Postgres(PostgresStore::open(address).await?));
        }
        // The address may hold a password.
        let scheme = address.split(':').next().unwrap_or_default();
        Err(StoreError::Unknown(scheme.to_owned()))
    }

    /// Adds a game with its first entry.
    pub(super) async fn create(
        &self,
        id: GameId,
        game: &StoredGame,
        first: &Entry,
    ) -> Result<(), StoreError> {
        ask!(self, store => store.create(id, game, first))
    }

    /// A game without its entries; `None` if it is unknown.
    pub(super) async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        ask!(self, store => store.load(id))
    }

    /// The entries of a game behind the first `from`.
    pub(super) async fn entries(&self, id: GameId, from: usize) -> Result<Vec<Entry>, StoreError> {
        ask!(self, store => store.entries(id, from))
    }

    /// Adds entries behind the first `from`: all of them, durably, or none.
    pub(super) async fn append(
        &self,
        id: GameId,
        from: usize,
        entries: &[Entry],
    ) -> Result<(), StoreError> {
        ask!(self, store => store.append(id, from, entries))
    }

    /// Notes that a server runs, and returns the store's time, in milliseconds since 1970:
    /// the latest of `now`, of what any server has noted before, and of the clock of a
    /// database that several servers share. It never goes back. A server that has just
    /// started knows no time. If no server has run for longer than `longest_gap`, that time
    /// becomes an outage.
    pub(super) async fn heartbeat(
        &self,
        now: Option<u64>,
        longest_gap: u64,
    ) -> Result<u64, StoreError> {
        ask!(self, store => store.heartbeat(now, longest_gap))
    }

    /// The times in which no server ran.
    pub(super) async fn outages(&self) -> Result<Vec<(u64, u64)>, StoreError> {
        ask!(self, store => store.outages())
    }

    /// Stores nothing more. A file holds all games without the files beside it then.
    pub(super) async fn close(&self) {
        if let Self::Sqlite(store) = self {
            store.close().await;
        }
    }

    /// Tells other servers who is connected to a game here, or asks for a seat.
    pub(super) async fn announce(&self, news: News) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(store) => store.announce(news).await,
        }
    }

    /// The news of other servers; `None` where there can be no others.
    pub(super) async fn listen(&self) -> Result<Option<mpsc::Receiver<News>>, StoreError> {
        match self {
            Self::Sqlite(_) => Ok(None),
            Self::Postgres(store) => store.listen().await.map(Some),
        }
    }
}

fn migrator(sources: &[&'static str]) -> Migrator {
    let migration = |(version, sql): (i64, &&'static str)| {
        let (name, kind) = (Cow::Borrowed("games"), MigrationType::Simple);
        Migration::new(version, name, kind, (*sql).into_sql_str(), false)
    };
    let migrations: Vec<_> = (1..).zip(sources).map(migration).collect();
    Migrator { migrations: Cow::Owned(migrations), ..Migrator::DEFAULT }
}

fn to_text(entry: &Entry) -> Result<String, StoreError> {
    serde_json::to_string(entry).map_err(|error| StoreError::Damaged(error.to_string()))
}

fn from_text(text: &str) -> Result<Entry, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Damaged(error.to_string()))
}

fn hash(bytes: &[u8]) -> Result<Hash256, StoreError> {
    let bytes = bytes.try_into().map_err(|_| StoreError::Damaged("a hash".to_owned()))?;
    Ok(Hash256(bytes))
}

/// Does what may take long on a thread of its own, so that other games go on.
pub(super) async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let stopped = |error| StoreError::Damaged(format!("{error}"));
    tokio::task::spawn_blocking(work).await.map_err(stopped)?
}

/// A number of rows or milliseconds as databases have it.
fn signed(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// An error of adding an entry whose number may be taken, or whose game deleted.
fn append_error(error: sqlx::Error) -> StoreError {
    match error.as_database_error().map(sqlx::error::DatabaseError::kind) {
        Some(ErrorKind::UniqueViolation) => StoreError::Conflict,
        Some(ErrorKind::ForeignKeyViolation) => StoreError::Deleted,
        _ => error.into(),
    }
}

/// Adds a game, in a transaction.
macro_rules! insert_game {
    ($connection:expr, $id:expr, $game:expr, $first:expr) => {
        async {
            let [one, two, watch] = $game.tokens.map(|token| token.0.to_vec());
            sqlx::query("INSERT INTO games VALUES ($1, $2, $3, $4, $5)")
                .bind($id)
                .bind($game.secret.0.to_vec())
                .bind(one)
                .bind(two)
                .bind(watch)
                .execute(&mut *$connection)
                .await?;
            let query = "INSERT INTO entries VALUES ($1, 0, $2)";
            sqlx::query(query).bind($id).bind($first).execute(&mut *$connection).await?;
            Ok::<(), sqlx::Error>(())
        }
    };
}
use insert_game;

/// Notes that a server runs at a time, in a transaction; see [`Store::heartbeat`].
macro_rules! note_beat {
    ($connection:expr, $now:expr, $longest_gap:expr) => {
        async {
            // The update locks the row: other servers wait until the end.
            let query = "UPDATE beats SET at = at WHERE id = 1 RETURNING at";
            let last: Option<(i64,)> =
                sqlx::query_as(query).fetch_optional(&mut *$connection).await?;
            let now: i64 = last.map_or($now, |(last,)| last.max($now));
            if let Some((last,)) = last
                && now - last > $longest_gap
            {
                let query = "INSERT INTO outages VALUES ($1, $2) ON CONFLICT DO NOTHING";
                sqlx::query(query).bind(last).bind(now).execute(&mut *$connection).await?;
            }
            let query = "INSERT INTO beats VALUES (1, $1) \
                         ON CONFLICT (id) DO UPDATE SET at = excluded.at";
            sqlx::query(query).bind(now).execute(&mut *$connection).await?;
            Ok::<i64, sqlx::Error>(now)
        }
    };
}
use note_beat;

/// What both databases do with the same words, reading by `self.pool`.
macro_rules! common_queries {
    () => {
        pub(super) async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
            let query = "SELECT secret, first_token, second_token, watch_token \
                         FROM games WHERE id = $1";
            let row: Option<(Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>)> =
                sqlx::query_as(query).bind(id.to_string()).fetch_optional(&self.pool).await?;
            let Some((secret, one, two, watch)) = row else { return Ok(None) };
            let tokens = [super::hash(&one)?, super::hash(&two)?, super::hash(&watch)?];
            Ok(Some(StoredGame { secret: super::hash(&secret)?, tokens }))
        }

        pub(super) async fn entries(
            &self,
            id: GameId,
            from: usize,
        ) -> Result<Vec<Entry>, StoreError> {
            let query = "SELECT entry FROM entries WHERE game = $1 AND number >= $2 \
                         ORDER BY number";
            let rows: Vec<(String,)> = sqlx::query_as(query)
                .bind(id.to_string())
                .bind(super::signed(from))
                .fetch_all(&self.pool)
                .await?;
            let parse = move || rows.iter().map(|(text,)| super::from_text(text)).collect();
            super::beside(parse).await
        }

        pub(super) async fn outages(&self) -> Result<Vec<(u64, u64)>, StoreError> {
            let query = "SELECT started, ended FROM outages ORDER BY started";
            let rows: Vec<(i64, i64)> = sqlx::query_as(query).fetch_all(&self.pool).await?;
            let times = |(from, to)| (super::unsigned(from), super::unsigned(to));
            Ok(rows.into_iter().map(times).collect())
        }
    };
}
use common_queries;
