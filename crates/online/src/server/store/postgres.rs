//! The store of several servers. They tell each other by NOTIFY that a game has new
//! entries, so that each can hold any player.

use std::time::Duration;

use sqlx::{
    PgPool, QueryBuilder,
    postgres::{PgListener, PgPoolOptions},
};
use tokio::sync::mpsc;

use super::{News, StoreError, StoredGame, common_queries, insert_game, note_beat};
use crate::{Entry, GameId, Hash256};

const CHANNEL: &str = "tabulae";

pub(in crate::server) struct PostgresStore {
    pool: PgPool,
}

impl PostgresStore {
    pub(super) async fn open(address: &str) -> Result<Self, StoreError> {
        let pool = PgPoolOptions::new()
            .max_connections(16)
            .acquire_timeout(Duration::from_secs(5))
            .connect(address)
            .await?;
        super::migrator(&[include_str!("migrations/postgres/0001_games.sql")]).run(&pool).await?;
        Ok(Self { pool })
    }

    common_queries!();

    pub(super) async fn create(
        &self,
        id: GameId,
        game: &StoredGame,
        first: &Entry,
    ) -> Result<(), StoreError> {
        let (id, first) = (id.to_string(), super::to_text(first)?);
        let mut transaction = self.pool.begin().await?;
        insert_game!(transaction, &id, game, &first).await?;
        Ok(transaction.commit().await?)
    }

    pub(super) async fn heartbeat(
        &self,
        now: Option<u64>,
        longest_gap: u64,
    ) -> Result<u64, StoreError> {
        let mut transaction = self.pool.begin().await?;
        // All servers go by the database's clock.
        let query = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
        let (clock,): (i64,) = sqlx::query_as(query).fetch_one(&mut *transaction).await?;
        let now = now.map_or(clock, |now| super::signed(now).max(clock));
        let now = note_beat!(transaction, now, super::signed(longest_gap)).await?;
        transaction.commit().await?;
        Ok(super::unsigned(now))
    }

    pub(super) async fn append(
        &self,
        id: GameId,
        from: usize,
        entries: &[Entry],
    ) -> Result<(), StoreError> {
        let (id, from) = (id.to_string(), super::signed(from));
        let entries: Result<Vec<_>, _> = entries.iter().map(super::to_text).collect();
        // The others are told when the entries are durable, not before.
        let mut transaction = self.pool.begin().await?;
        let mut query = QueryBuilder::new("INSERT INTO entries ");
        query.push_values((from..).zip(entries?), |mut row, (number, entry)| {
            row.push_bind(id.clone()).push_bind(number).push_bind(entry);
        });
        query.build().execute(&mut *transaction).await.map_err(super::append_error)?;
        sqlx::query("SELECT pg_notify($1, $2)")
            .bind(CHANNEL)
            .bind(format!("e {id}"))
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }

    pub(super) async fn announce(&self, news: News) -> Result<(), StoreError> {
        let text = match news {
            News::Presence { game, server, players: [one, two], spectators } => {
                let (one, two) = (u8::from(one), u8::from(two));
                format!("p {game} {server} {one} {two} {spectators}")
            }
            News::Asked { game, player, device } => format!("a {game} {player} {device}"),
            News::Entries(_) | News::Missed => return Ok(()),
        };
        sqlx::query("SELECT pg_notify($1, $2)")
            .bind(CHANNEL)
            .bind(text)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    pub(super) async fn listen(&self) -> Result<mpsc::Receiver<News>, StoreError> {
        let mut listener = PgListener::connect_with(&self.pool).await?;
        listener.listen(CHANNEL).await?;
        let (sender, receiver) = mpsc::channel(1024);
        tokio::spawn(async move {
            loop {
                let news = match listener.try_recv().await {
                    Ok(Some(notice)) => parse(notice.payload()),
                    // It connects again by itself.
                    Ok(None) => Some(News::Missed),
                    Err(_) => {
                        tokio::time::sleep(Duration::from_millis(500)).await;
                        Some(News::Missed)
                    }
                };
                if let Some(news) = news
                    && sender.send(news).await.is_err()
                {
                    return;
                }
            }
        });
        Ok(receiver)
    }
}

/// Parses what [`PostgresStore`] sends; anything else is nobody's news.
fn parse(payload: &str) -> Option<News> {
    let mut words = payload.split(' ');
    let (kind, game) = (words.next()?, GameId::parse(words.next()?)?);
    match kind {
        "e" => Some(News::Entries(game)),
        "a" => {
            let player = words.next()?.parse().ok()?;
            Some(News::Asked { game, player, device: Hash256::parse(words.next()?)? })
        }
        "p" => {
            let server = words.next()?.parse().ok()?;
            let players = [words.next()? == "1", words.next()? == "1"];
            Some(News::Presence { game, server, players, spectators: words.next()?.parse().ok()? })
        }
        _ => None,
    }
}
