//! The state of a game with a connection: its referee, and who is connected.

use std::{collections::HashMap, sync::Arc, time::Instant};

use tokio::sync::mpsc;

use super::LoadedGame;
use crate::{Entry, Hash256, Referee, ServerMessage, TIMEOUT_GRACE};

pub(super) struct State {
    pub(super) referee: Referee,
    pub(super) peers: Vec<Peer>,
    /// When the last one has left, if none is there.
    pub(super) empty_since: Instant,
    /// Whether this server holds the game no longer.
    pub(super) is_evicted: bool,
    /// Whether the last append may have been stored without our knowing.
    pub(super) is_unsure: bool,
    pub(super) others: HashMap<u64, RemotePresence>,
    /// Whether the clients have yet to be told who is connected.
    pub(super) is_presence_due: bool,
    /// Whether other servers have yet to be told who is connected here.
    pub(super) is_announcement_due: bool,
    /// When a player was last told that another device asks for the seat.
    pub(super) last_asked: [Option<Instant>; 2],
}

/// Who is connected elsewhere.
pub(super) struct RemotePresence {
    pub(super) players: [bool; 2],
    pub(super) spectators: usize,
    pub(super) heard: Instant,
}

/// A connection of a player or a spectator to this server.
pub(super) struct Peer {
    pub(super) number: u64,
    pub(super) player: Option<usize>,
    pub(super) sender: mpsc::Sender<Arc<str>>,
}

impl State {
    /// The entry of the clock that has run out, after the [`TIMEOUT_GRACE`].
    pub(super) fn time_out(&self, now: u64) -> Option<Entry> {
        self.referee.time_out(now.saturating_sub(TIMEOUT_GRACE))
    }

    /// Who is connected here.
    pub(super) fn here(&self) -> ([bool; 2], usize) {
        let players =
            [0, 1].map(|player| self.peers.iter().any(|peer| peer.player == Some(player)));
        (players, self.peers.iter().filter(|peer| peer.player.is_none()).count())
    }

    /// Who is connected, here and elsewhere.
    pub(super) fn presence(&self) -> ServerMessage {
        let (mut players, mut spectators) = self.here();
        for others in self.others.values() {
            for (player, is_there) in players.iter_mut().zip(others.players) {
                *player |= is_there;
            }
            spectators += others.spectators;
        }
        ServerMessage::Presence { players, spectators }
    }

    /// Notes that who is connected here has changed.
    pub(super) const fn note_presence(&mut self) {
        (self.is_presence_due, self.is_announcement_due) = (true, true);
    }

    /// Tells the programs of a player that another device has opened the seat.
    pub(super) fn tell_asked(&mut self, player: usize, device: Hash256) {
        let text = to_text(&ServerMessage::SeatAsked { device });
        self.peers.retain(|peer| {
            peer.player != Some(player) || peer.sender.try_send(Arc::clone(&text)).is_ok()
        });
    }

    pub(super) fn send(&mut self, text: &Arc<str>) {
        // A client that does not read is disconnected: its sender is dropped.
        self.peers.retain(|peer| peer.sender.try_send(Arc::clone(text)).is_ok());
    }
}

/// Applies stored entries and sends them to all.
pub(super) fn take_in(game: &LoadedGame, state: &mut State, entries: Vec<Entry>, now: u64) {
    if entries.is_empty() {
        return;
    }
    let from = state.referee.log().entries();
    for entry in &entries {
        if let Err(error) = state.referee.apply(entry) {
            eprintln!("tabulae: game {}: {error}", game.id);
            return;
        }
    }
    let elapsed = state.referee.elapsed(now);
    let text = to_text(&ServerMessage::Entries { from, entries, elapsed });
    state.send(&text);
}

pub(in crate::server) fn to_text(message: &ServerMessage) -> Arc<str> {
    serde_json::to_string(message).unwrap_or_default().into()
}
