//! The players' clocks: those that run out, and the times in which no server ran and none
//! counts.

use std::{
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use super::{ANNOUNCE, BELIEVE, Games};
use crate::Refusal;

/// Without a beat for so long, no server ran.
pub(super) const OUTAGE: u64 = 3_000;

impl Games {
    /// Ends the games whose clocks have run out.
    pub(super) async fn watch_clocks(self: Arc<Self>) {
        let mut ticks = tokio::time::interval(Duration::from_millis(100));
        loop {
            ticks.tick().await;
            if self.is_interrupted() {
                continue;
            }
            for game in self.all() {
                // A game that is busy will see to its clock itself.
                let Ok(mut state) = game.state.try_lock() else { continue };
                if let Some(entry) = state.time_out(self.now()) {
                    // Tried again at the next tick.
                    _ = self.add(&game, &mut state, vec![entry]).await;
                }
            }
        }
    }

    /// Whether the store has not taken this server's beats for so long that the players'
    /// clocks stand until it does.
    pub(super) fn is_interrupted(&self) -> bool {
        let last = *self.last_beat.lock().unwrap_or_else(PoisonError::into_inner);
        last.elapsed() > Duration::from_millis(OUTAGE)
    }

    /// Tells the store that a server runs, and follows its clock. If no server could run for
    /// a while, no clock counts that time.
    pub(super) async fn note_heartbeat(&self) -> Result<(), Refusal> {
        let sent = Instant::now();
        let time = self.health.note(self.store.heartbeat(Some(self.now()), OUTAGE).await)?;
        let outages = past(self.health.note(self.store.outages().await)?, time);
        let is_new = {
            let mut known = self.outages.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *known, outages.clone()) != outages
        };
        if is_new {
            for game in self.all() {
                game.state.lock().await.referee.set_outages(outages.clone());
            }
        }
        self.clock.advance_to(time, Instant::now());
        *self.last_beat.lock().unwrap_or_else(PoisonError::into_inner) = sent;
        Ok(())
    }

    pub(super) async fn heartbeat(self: Arc<Self>) {
        let mut ticks = tokio::time::interval(Duration::from_secs(1));
        let mut announced = Instant::now();
        loop {
            ticks.tick().await;
            // Tried again at the next tick.
            _ = self.note_heartbeat().await;
            // Games that nobody has entered after all.
            self.all().iter().for_each(|game| self.leave_if_empty(game));
            self.forget_unread();
            if !self.has_others || announced.elapsed() < ANNOUNCE {
                continue;
            }
            announced = Instant::now();
            for game in self.all() {
                let mut state = game.state.lock().await;
                state.others.retain(|_, others| others.heard.elapsed() < BELIEVE);
                state.note_presence();
            }
        }
    }
}

/// Times without overlaps, since each is taken off the clocks.
pub(super) fn merged(mut times: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    times.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (from, to) in times {
        match merged.last_mut() {
            Some((_, end)) if from <= *end => *end = to.max(*end),
            _ => merged.push((from, to)),
        }
    }
    merged
}

/// The outages that have ended. A server whose clock was wrong may have noted others.
pub(super) fn past(times: Vec<(u64, u64)>, now: u64) -> Vec<(u64, u64)> {
    merged(times.into_iter().filter(|(_, to)| *to <= now).collect())
}
