//! Who is connected, here and elsewhere, and what else other servers say.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{sync::mpsc, time::MissedTickBehavior};

use super::{
    Games, LoadedGame,
    state::{RemotePresence, to_text},
};
use crate::server::store::News;

impl Games {
    /// Says who is connected, here and to other servers, where that has changed: once a
    /// second, however often players come and go. These messages share a client's queue
    /// with the moves.
    pub(super) async fn tell_presence(self: Arc<Self>) {
        let mut ticks = tokio::time::interval(Duration::from_secs(1));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.tell_due_presence().await;
        }
    }

    pub(super) async fn tell_due_presence(&self) {
        for game in self.all() {
            // A game that is busy is told at the next tick.
            let Ok(mut state) = game.state.try_lock() else { continue };
            if std::mem::take(&mut state.is_presence_due) {
                let text = to_text(&state.presence());
                state.send(&text);
            }
            if !std::mem::take(&mut state.is_announcement_due) || !self.has_others {
                continue;
            }
            let (players, spectators) = state.here();
            drop(state);
            let news = News::Presence { game: game.id, server: self.number, players, spectators };
            // Repeated soon.
            _ = self.store.announce(news).await;
        }
    }

    /// Takes in the news of other servers.
    pub(super) async fn follow_news(self: Arc<Self>, mut news: mpsc::Receiver<News>) {
        while let Some(news) = news.recv().await {
            match news {
                News::Entries(id) => {
                    if let Some(game) = self.find(id) {
                        self.refresh(&game).await;
                    }
                }
                News::Missed => {
                    for game in self.all() {
                        self.refresh(&game).await;
                    }
                }
                News::Asked { game, player, device } => {
                    let Some(game) = self.find(game).filter(|_| player < 2) else { continue };
                    game.state.lock().await.tell_asked(player, device);
                }
                News::Presence { server, .. } if server == self.number => {}
                News::Presence { game, server, players, spectators } => {
                    let Some(game) = self.find(game) else { continue };
                    let mut state = game.state.lock().await;
                    let others = RemotePresence { players, spectators, heard: Instant::now() };
                    let is_new = state.others.insert(server, others).is_none();
                    state.is_presence_due = true;
                    // A server that is new to us does not know who is here.
                    state.is_announcement_due |= is_new;
                }
            }
        }
    }

    pub(super) async fn refresh(&self, game: &LoadedGame) {
        let mut state = game.state.lock().await;
        if let Err(refusal) = self.catch_up(game, &mut state).await {
            state.is_unsure = true;
            eprintln!("tabulae: game {}: {refusal}", game.id);
        }
    }
}
