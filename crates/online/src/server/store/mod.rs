//! Where the server keeps its games: SQLite for one server, PostgreSQL for several.
//!
//! A game is its log of entries. An entry's number is part of its key, so two servers,
//! or a message that comes twice, can never add the same entry.

mod postgres;
mod sqlite;

use std::{borrow::Cow, path::Path, sync::Arc};

use futures_util::future::BoxFuture;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use thiserror::Error;
use tokio::sync::mpsc;

use crate::{Entry, GameId, Hash256};

/// Why the store did not do something.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Another server has added an entry with that number.
    #[error("the game has moved on")]
    Conflict,
    /// What is stored is damaged.
    #[error("the store holds what no server wrote: {0}")]
    Damaged(String),
    /// The store cannot be reached, or the disk is full.
    #[error("the store does not answer: {0}")]
    Failed(#[from] sqlx::Error),
    /// The tables cannot be set up.
    #[error("the store's tables cannot be set up: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The address is of no known store.
    #[error("unknown store '{0}' (sqlite:FILE or postgres://USER@HOST/DATABASE)")]
    Unknown(String),
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
    /// News may have been missed: the connection to the store was lost.
    Missed,
}

/// A place to keep games.
pub trait Store: Send + Sync {
    /// Adds a game with its first entry.
    fn create<'a>(
        &'a self,
        id: GameId,
        game: &'a StoredGame,
        first: &'a Entry,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// A game without its entries; `None` if it is unknown.
    fn load(&self, id: GameId) -> BoxFuture<'_, Result<Option<StoredGame>, StoreError>>;

    /// The entries of a game behind the first `from`.
    fn entries(&self, id: GameId, from: usize) -> BoxFuture<'_, Result<Vec<Entry>, StoreError>>;

    /// Adds entries behind the first `from`: all of them, durably, or none.
    fn append<'a>(
        &'a self,
        id: GameId,
        from: usize,
        entries: &'a [Entry],
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Notes that a server runs, by its clock. If none has for longer than `longest_gap`,
    /// that time becomes an outage.
    fn heartbeat(&self, now: u64, longest_gap: u64) -> BoxFuture<'_, Result<(), StoreError>>;

    /// The times in which no server ran.
    fn outages(&self) -> BoxFuture<'_, Result<Vec<(u64, u64)>, StoreError>>;

    /// Tells other servers who is connected to a game here.
    fn announce(&self, news: News) -> BoxFuture<'_, Result<(), StoreError>>;

    /// The news of other servers; `None` where there can be no others.
    fn listen(&self) -> BoxFuture<'_, Result<Option<mpsc::Receiver<News>>, StoreError>>;
}

/// Opens the store of an address: `sqlite:FILE`, or `postgres://...`.
///
/// # Errors
/// It cannot be opened, or its tables cannot be set up.
pub async fn open(address: &str) -> Result<Arc<dyn Store>, StoreError> {
    if let Some(file) = address.strip_prefix("sqlite:") {
        let file = file.strip_prefix("//").unwrap_or(file);
        return Ok(Arc::new(sqlite::SqliteStore::open(Path::new(file)).await?));
    }
    if address.starts_with("postgres:") || address.starts_with("postgresql:") {
        return Ok(Arc::new(postgres::PostgresStore::open(address).await?));
    }
    // The address may hold a password.
    let scheme = address.split(':').next().unwrap_or_default();
    Err(StoreError::Unknown(scheme.to_owned()))
}

fn migrator(sources: &[&'static str]) -> Migrator {
    let migration = |(version, sql): (i64, &&'static str)| {
        let (name, kind) = (Cow::Borrowed("games"), MigrationType::Simple);
        Migration::new(version, name, kind, Cow::Borrowed(*sql), false)
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

/// A number of rows or milliseconds as databases have it.
fn signed(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// An error of adding an entry whose number may be taken.
fn conflict_or(error: sqlx::Error) -> StoreError {
    match &error {
        sqlx::Error::Database(it) if it.is_unique_violation() => StoreError::Conflict,
        _ => StoreError::Failed(error),
    }
}

/// What both databases do with the same words, reading by `self.pool` and writing by
/// `self.writer`.
macro_rules! common_queries {
    () => {
        fn create<'a>(
            &'a self,
            id: GameId,
            game: &'a StoredGame,
            first: &'a Entry,
        ) -> BoxFuture<'a, Result<(), StoreError>> {
            Box::pin(async move {
                let mut transaction = self.writer.begin().await?;
                let [one, two, watch] = game.tokens.map(|it| it.0.to_vec());
                sqlx::query("INSERT INTO games VALUES ($1, $2, $3, $4, $5)")
                    .bind(id.to_string())
                    .bind(game.secret.0.to_vec())
                    .bind(one)
                    .bind(two)
                    .bind(watch)
                    .execute(&mut *transaction)
                    .await?;
                sqlx::query("INSERT INTO entries VALUES ($1, $2, $3)")
                    .bind(id.to_string())
                    .bind(0_i64)
                    .bind(super::to_text(first)?)
                    .execute(&mut *transaction)
                    .await?;
                Ok(transaction.commit().await?)
            })
        }

        fn load(&self, id: GameId) -> BoxFuture<'_, Result<Option<StoredGame>, StoreError>> {
            Box::pin(async move {
                let query = "SELECT secret, first_token, second_token, watch_token \
                             FROM games WHERE id = $1";
                let row: Option<(Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>)> =
                    sqlx::query_as(query).bind(id.to_string()).fetch_optional(&self.pool).await?;
                let Some((secret, one, two, watch)) = row else { return Ok(None) };
                let tokens = [super::hash(&one)?, super::hash(&two)?, super::hash(&watch)?];
                Ok(Some(StoredGame { secret: super::hash(&secret)?, tokens }))
            })
        }

        fn entries(
            &self,
            id: GameId,
            from: usize,
        ) -> BoxFuture<'_, Result<Vec<Entry>, StoreError>> {
            Box::pin(async move {
                let query = "SELECT entry FROM entries WHERE game = $1 AND number >= $2 \
                             ORDER BY number";
                let rows: Vec<(String,)> = sqlx::query_as(query)
                    .bind(id.to_string())
                    .bind(super::signed(from))
                    .fetch_all(&self.pool)
                    .await?;
                rows.iter().map(|(text,)| super::from_text(text)).collect()
            })
        }

        fn heartbeat(&self, now: u64, longest_gap: u64) -> BoxFuture<'_, Result<(), StoreError>> {
            Box::pin(async move {
                let mut transaction = self.writer.begin().await?;
                // The update locks the row: other servers wait until the end.
                let query = "UPDATE beats SET at = at WHERE id = 1 RETURNING at";
                let last: Option<(i64,)> =
                    sqlx::query_as(query).fetch_optional(&mut *transaction).await?;
                if let Some((last,)) = last
                    && now.saturating_sub(super::unsigned(last)) > longest_gap
                {
                    let query = "INSERT INTO outages VALUES ($1, $2) ON CONFLICT DO NOTHING";
                    let query = sqlx::query(query).bind(last).bind(super::signed(now));
                    query.execute(&mut *transaction).await?;
                }
                // Seldom back: the clocks of servers differ by seconds, and a slow one comes
                // late. A clock that was a minute ahead has been put right.
                let query = "INSERT INTO beats VALUES (1, $1) \
                             ON CONFLICT (id) DO UPDATE SET at = excluded.at \
                             WHERE excluded.at > beats.at OR excluded.at < beats.at - 60000";
                sqlx::query(query).bind(super::signed(now)).execute(&mut *transaction).await?;
                Ok(transaction.commit().await?)
            })
        }

        fn outages(&self) -> BoxFuture<'_, Result<Vec<(u64, u64)>, StoreError>> {
            Box::pin(async move {
                let query = "SELECT started, ended FROM outages ORDER BY started";
                let rows: Vec<(i64, i64)> = sqlx::query_as(query).fetch_all(&self.pool).await?;
                let times = |(from, to)| (super::unsigned(from), super::unsigned(to));
                Ok(rows.into_iter().map(times).collect())
            })
        }
    };
}
use common_queries;
