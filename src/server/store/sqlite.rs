//! The store of a single server: one file.

use std::{path::Path, time::Duration};

use futures_util::future::BoxFuture;
use sqlx::{
    QueryBuilder, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::sync::{mpsc, oneshot};

use super::{News, Store, StoreError, StoredGame, common_queries};
use crate::online::{Entry, GameId};

/// The most appends in one transaction.
const BATCH: usize = 256;

pub(super) struct SqliteStore {
    pool: SqlitePool,
    appends: mpsc::Sender<Append>,
}

/// Entries to add, and where to say how it went.
struct Append {
    id: String,
    from: i64,
    entries: Vec<String>,
    done: oneshot::Sender<Result<(), StoreError>>,
}

impl SqliteStore {
    pub(super) async fn open(file: &Path) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A ply that was answered survives a power failure.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(10));
        let pool = SqlitePoolOptions::new().max_connections(4).connect_with(options).await?;
        super::migrator(&[include_str!("migrations/sqlite/0001_games.sql")]).run(&pool).await?;
        let (appends, waiting) = mpsc::channel(4 * BATCH);
        tokio::spawn(write(pool.clone(), waiting));
        Ok(Self { pool, appends })
    }
}

/// Adds what waits in common transactions: a disk syncs a hundred times a second, and
/// a transaction with many plies takes hardly longer than one with a single ply.
async fn write(pool: SqlitePool, mut waiting: mpsc::Receiver<Append>) {
    let mut batch = Vec::with_capacity(BATCH);
    while waiting.recv_many(&mut batch, BATCH).await > 0 {
        match write_batch(&pool, &batch).await {
            Ok(results) => {
                for (append, result) in batch.drain(..).zip(results) {
                    // The receiver is dropped if its connection has ended.
                    _ = append.done.send(result);
                }
            }
            Err(error) => {
                let text = error.to_string();
                for append in batch.drain(..) {
                    let error = StoreError::Failed(sqlx::Error::Protocol(text.clone()));
                    _ = append.done.send(Err(error));
                }
            }
        }
    }
}

async fn write_batch(
    pool: &SqlitePool,
    batch: &[Append],
) -> Result<Vec<Result<(), StoreError>>, sqlx::Error> {
    let mut transaction = pool.begin_with("BEGIN IMMEDIATE").await?;
    let mut results = Vec::with_capacity(batch.len());
    for append in batch {
        // One statement, so that all its entries are added or none.
        let mut query = QueryBuilder::new("INSERT INTO entries ");
        query.push_values((append.from..).zip(&append.entries), |mut row, (number, entry)| {
            row.push_bind(&append.id).push_bind(number).push_bind(entry);
        });
        let result = query.build().execute(&mut *transaction).await;
        results.push(result.map(drop).map_err(super::conflict_or));
    }
    transaction.commit().await?;
    Ok(results)
}

impl Store for SqliteStore {
    common_queries!();

    fn append<'a>(
        &'a self,
        id: GameId,
        from: usize,
        entries: &'a [Entry],
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let entries: Result<Vec<_>, _> = entries.iter().map(super::to_text).collect();
            let (done, answer) = oneshot::channel();
            let from = super::signed(from);
            let append = Append { id: id.to_string(), from, entries: entries?, done };
            let closed = || StoreError::Failed(sqlx::Error::PoolClosed);
            self.appends.send(append).await.map_err(|_| closed())?;
            answer.await.map_err(|_| closed())?
        })
    }

    fn announce(&self, _: News) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async { Ok(()) })
    }

    fn listen(&self) -> BoxFuture<'_, Result<Option<mpsc::Receiver<News>>, StoreError>> {
        Box::pin(async { Ok(None) })
    }
}
