//! The store of a single server: one file.

use std::{path::Path, time::Duration};

use futures_util::future::BoxFuture;
use sqlx::{
    QueryBuilder, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::sync::{mpsc, oneshot};

use super::{News, Store, StoreError, StoredGame, common_queries};
use crate::{Entry, GameId};

/// The most appends in one transaction.
const BATCH: usize = 256;

pub(super) struct SqliteStore {
    /// The connections that read.
    pool: SqlitePool,
    /// The one connection that writes. Writers wait for it in turn: for a lock of the
    /// file they would sleep.
    writer: SqlitePool,
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
        let connect =
            |most, options| SqlitePoolOptions::new().max_connections(most).connect_with(options);
        let writer = connect(1, options.clone()).await?;
        super::migrator(&[include_str!("migrations/sqlite/0001_games.sql")]).run(&writer).await?;
        let pool = connect(4, options).await?;
        let (appends, waiting) = mpsc::channel(4 * BATCH);
        tokio::spawn(write(writer.clone(), waiting));
        Ok(Self { pool, writer, appends })
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
    writer: &SqlitePool,
    batch: &[Append],
) -> Result<Vec<Result<(), StoreError>>, sqlx::Error> {
    // One statement is a transaction of its own: the connection's thread is woken once.
    match insert(batch, writer).await {
        Ok(()) => return Ok(batch.iter().map(|_| Ok(())).collect()),
        // An append of the batch is not possible; the others are.
        Err(sqlx::Error::Database(_)) => {}
        Err(error) => return Err(error),
    }
    let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await?;
    let mut results = Vec::with_capacity(batch.len());
    for append in batch {
        let result = insert(std::slice::from_ref(append), &mut *transaction).await;
        results.push(result.map_err(super::conflict_or));
    }
    transaction.commit().await?;
    Ok(results)
}

/// Adds the entries of all these in one statement, so that all are added or none.
async fn insert(
    batch: &[Append],
    executor: impl sqlx::SqliteExecutor<'_>,
) -> Result<(), sqlx::Error> {
    let rows = batch.iter().flat_map(|append| {
        (append.from..).zip(&append.entries).map(move |(number, entry)| (&append.id, number, entry))
    });
    let mut query = QueryBuilder::new("INSERT INTO entries ");
    query.push_values(rows, |mut row, (id, number, entry)| {
        row.push_bind(id).push_bind(number).push_bind(entry);
    });
    query.build().execute(executor).await.map(drop)
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
            if entries.as_ref().is_ok_and(Vec::is_empty) {
                return Ok(());
            }
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
    async fn a_heartbeat_that_comes_late_or_by_a_slow_clock_makes_no_outage() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("games.db")).await.expect("a store");
        let beat = async |now| store.heartbeat(now, 3_000).await.expect("a store");
        let outages = async || store.outages().await.expect("a store");
        // Two servers, of which the second has a clock that is 5 s slow.
        for now in [100_000, 101_000, 102_000] {
            beat(now).await;
            beat(now - 5_000).await;
        }
        assert_eq!(outages().await, []);
        beat(105_001).await;
        assert_eq!(outages().await, [(102_000, 105_001)]);
        beat(100_002).await;
        beat(108_001).await;
        assert_eq!(outages().await.len(), 1);
        // A clock that was an hour ahead is put right, and outages are noted again.
        beat(3_700_000).await;
        beat(109_000).await;
        beat(119_000).await;
        assert!(outages().await.contains(&(109_000, 119_000)));
    }

    #[tokio::test]
    async fn a_deleted_game_harms_no_other_and_old_games_are_deleted_as_the_guide_says() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("games.db")).await.expect("a store");
        let ids = [GameId::random(), GameId::random()];
        let terms = Terms { rules: RuleSet::Tablaaza, clock: None };
        let now = crate::server::games::now();
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
        sqlx::raw_sql(commands).execute(&store.writer).await.expect("deleted");
        assert!(store.load(ids[0]).await.expect("a store").is_none());
        assert!(store.entries(ids[0], 0).await.expect("a store").is_empty());
        assert!(store.load(ids[1]).await.expect("a store").is_some());
        // Both come into one batch.
        let (deleted, other) =
            tokio::join!(store.append(ids[0], 2, &resigned), store.append(ids[1], 1, &resigned));
        assert!(matches!(deleted, Err(StoreError::Failed(_))), "{deleted:?}");
        assert!(other.is_ok(), "{other:?}");
        assert_eq!(store.entries(ids[1], 0).await.expect("a store").len(), 2);
    }
}
