//! A player's or spectator's side of an online game.
//!
//! Architecture invariant: no sockets and no clock. The front end connects to
//! [`GameLink::socket_address`], hands over what arrives with the time of its own
//! clock, sends what [`OnlineGame::outgoing`] returns, and shows the events.

mod answers;
mod events;
mod requests;

use std::{collections::VecDeque, time::Duration};

use tabulae_games::{Side, Turn};
use tabulae_session::GameSession;

use super::{
    Chain, ClientMessage, GameLink, GameLog, Hash256, Offer, SavedSeat, SeatSecret, VERSION,
};

pub use events::{Incoming, OnlineEvent};

/// Time between two measurements of the latency.
const PING_INTERVAL: Duration = Duration::from_secs(5);
/// Time after which what the server could not take is sent again.
const RETRY: Duration = Duration::from_secs(1);
/// A connection on which an answer is overdue for so long is taken as lost.
const SILENCE: Duration = Duration::from_secs(20);

/// How an online game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnlineState {
    /// No answer yet, or the connection was lost; the front end connects again.
    Connecting,
    /// A player has not joined yet.
    Waiting,
    /// The game is on.
    Playing,
    /// The game is over.
    Over,
    /// The server refuses us for good, or is not trusted.
    Refused,
}

/// A player's or spectator's side of an online game.
///
/// The secret makes the player's part of all throws. Keep it, by the link's game, and
/// give the same one whenever the link is opened again: without it no throw can be
/// made, and the clock runs on.
#[derive(Debug)]
pub struct OnlineGame {
    link: GameLink,
    name: String,
    secret: SeatSecret,
    log: Option<GameLog>,
    player: Option<usize>,
    chain: Option<Chain>,
    outgoing: VecDeque<ClientMessage>,
    /// The move that the server has not confirmed, with its round and ply.
    pending_move: Option<(usize, usize, String)>,
    /// The throw that the player wants to be made: round and number.
    wanted_throw: Option<(usize, usize)>,
    /// The part of a throw that was sent on this connection.
    sent_reveal: Option<(usize, usize)>,
    sent_commitment: Option<usize>,
    /// The opponent's offers that were answered, until the log says so.
    answered: Vec<Offer>,
    /// The devices that ask for our seat: the hashes of their secrets, the latest last.
    asking: Vec<Hash256>,
    /// Whether the player knows that another device has the seat.
    is_seat_taken: bool,
    /// When to send again what the server could not take.
    retry: Option<Duration>,
    is_connected: bool,
    is_refused: bool,
    players: [bool; 2],
    spectators: usize,
    latency: Option<Duration>,
    ping: Option<(u32, Duration)>,
    pings: u32,
    last_ping: Option<Duration>,
    last_heard: Option<Duration>,
    /// The front end's time at which the running clock began to run.
    running_since: Duration,
    /// For how long it had run by then.
    elapsed: Duration,
}

impl OnlineGame {
    /// The game of a link, before connecting. `name` may be empty. The secret is the one of
    /// a [`SeatStore`](super::SeatStore), or one that is saved nowhere.
    pub fn new(link: GameLink, name: &str, secret: impl Into<SeatSecret>) -> Self {
        Self {
            link,
            name: name.to_owned(),
            secret: secret.into(),
            log: None,
            player: None,
            chain: None,
            outgoing: VecDeque::new(),
            pending_move: None,
            wanted_throw: None,
            sent_reveal: None,
            sent_commitment: None,
            answered: Vec::new(),
            asking: Vec::new(),
            is_seat_taken: false,
            retry: None,
            is_connected: false,
            is_refused: false,
            players: [false; 2],
            spectators: 0,
            latency: None,
            ping: None,
            pings: 0,
            last_ping: None,
            last_heard: None,
            running_since: Duration::ZERO,
            elapsed: Duration::ZERO,
        }
    }

    /// The link.
    pub const fn link(&self) -> &GameLink {
        &self.link
    }

    /// The secret of the player's throws.
    pub const fn secret(&self) -> Hash256 {
        self.secret.secret()
    }

    /// How the game stands.
    pub fn state(&self) -> OnlineState {
        match &self.log {
            _ if self.is_refused => OnlineState::Refused,
            Some(_) | None if !self.is_connected => OnlineState::Connecting,
            None => OnlineState::Connecting,
            Some(log) if log.session().outcome().is_some() => OnlineState::Over,
            Some(log) if log.has_begun() => OnlineState::Playing,
            Some(_) => OnlineState::Waiting,
        }
    }

    /// The game; `None` before the server's first answer.
    pub fn session(&self) -> Option<&GameSession> {
        self.log.as_ref().map(GameLog::session)
    }

    /// The log's state: offers, commitments, the round.
    pub const fn log(&self) -> Option<&GameLog> {
        self.log.as_ref()
    }

    /// Our side; `None` for a spectator, and before the server's first answer.
    pub fn side(&self) -> Option<Side> {
        Some(self.log.as_ref()?.side_of(self.player?))
    }

    /// Whether the player of a side is connected.
    pub fn is_present(&self, side: Side) -> bool {
        self.is_connected && self.log.as_ref().is_some_and(|log| self.players[log.player_of(side)])
    }

    /// The number of spectators.
    pub const fn spectators(&self) -> usize {
        self.spectators
    }

    /// The time of a message to the server and back; `None` if not measured yet.
    pub const fn latency(&self) -> Option<Duration> {
        self.latency
    }

    /// The side that the game waits for.
    pub fn waits_for(&self) -> Option<Side> {
        self.log.as_ref()?.waits_for()
    }

    /// The side whose clock runs: none before the first ply.
    pub fn clock_runs_for(&self) -> Option<Side> {
        self.log.as_ref()?.clock_runs_for()
    }

    /// The time left to a side at a time of the front end's clock; `None` in an
    /// untimed game.
    pub fn time_left(&self, side: Side, now: Duration) -> Option<Duration> {
        let log = self.log.as_ref()?;
        let left = log.session().clock()?.left(side);
        Some(if log.clock_runs_for() == Some(side) {
            left.saturating_sub(self.elapsed + now.saturating_sub(self.running_since))
        } else {
            left
        })
    }

    /// The game for a table, with our seat and the other player's; `None` before the
    /// server's first answer.
    pub fn table_session(&self) -> Option<GameSession> {
        self.log.as_ref().map(|log| log.table_session(self.player))
    }

    /// The seat for a list of games that can be joined again, with the links of a game that
    /// was created here; `None` for a spectator, and before the server's first answer.
    pub fn saved_seat(&self, links: Option<&[GameLink; 3]>) -> Option<SavedSeat> {
        let (session, side) = (self.session()?, self.side()?);
        Some(SavedSeat {
            link: self.link.to_string(),
            rules: session.rules(),
            opponent: session.person_names()[side.other().index()].clone(),
            is_over: session.outcome().is_some(),
            links: links.map(|links| links.each_ref().map(ToString::to_string)),
        })
    }

    /// Whether a move of ours is on its way to the server.
    pub const fn is_move_pending(&self) -> bool {
        self.pending_move.is_some()
    }

    /// Whether the player is to throw the sticks and has not done so.
    pub fn may_throw(&self) -> bool {
        let due = self.session().and_then(GameSession::turn);
        let (Some(log), Some(side)) = (&self.log, self.side()) else { return false };
        due == Some(Turn::Throw(side))
            && log.throw_due().is_some_and(|throw| self.wanted_throw != Some((log.round(), throw)))
            && !log.has_revealed(side)
    }

    /// A connection is open: queues the greeting.
    pub fn opened(&mut self, now: Duration) {
        self.outgoing.clear();
        (self.sent_reveal, self.sent_commitment, self.ping) = (None, None, None);
        self.answered.clear();
        self.retry = None;
        self.last_heard = Some(now);
        let since = self.log.as_ref().map_or(0, GameLog::entries);
        self.outgoing.push_back(ClientMessage::Hello {
            version: VERSION,
            ticket: self.link.ticket.to_string(),
            since,
            name: self.name.clone(),
            device: (!self.link.is_spectator).then(|| self.secret.device()),
        });
    }

    /// The connection was lost.
    pub fn closed(&mut self) {
        self.is_connected = false;
        self.players = [false; 2];
        (self.latency, self.ping, self.last_heard) = (None, None, None);
        self.outgoing.clear();
    }

    /// How soon the front end should [tick](Self::tick) again.
    pub const fn tick_interval(&self) -> Duration {
        if self.retry.is_some() { RETRY } else { PING_INTERVAL.saturating_mul(3) }
    }

    /// Measures the latency now and then, and repeats what the server could not take.
    /// Returns `false` when an answer is overdue for so long that the front end should
    /// connect again.
    pub fn tick(&mut self, now: Duration) -> bool {
        let since = |then: Option<Duration>| then.map(|then| now.saturating_sub(then));
        if self.is_connected
            && self.ping.is_none()
            && since(self.last_ping).is_none_or(|since| since >= PING_INTERVAL)
        {
            self.pings = self.pings.wrapping_add(1);
            self.last_ping = Some(now);
            self.ping = Some((self.pings, now));
            self.outgoing.push_back(ClientMessage::Ping { id: self.pings });
        }
        if self.is_connected && self.retry.is_some_and(|retry| retry <= now) {
            (self.retry, self.sent_reveal, self.sent_commitment) = (None, None, None);
            self.resend_move();
            // What cannot be given is said with the next message, or the next throw.
            _ = self.send_due();
        }
        let is_awaited = !self.is_connected || self.ping.is_some();
        // Nothing was asked of the server before the ping.
        let asked = self.ping.map(|(_, sent)| sent).max(self.last_heard);
        let is_alive = !is_awaited || since(asked).is_none_or(|since| since < SILENCE);
        if !is_alive {
            // The front end connects again once, not at every tick.
            self.last_heard = Some(now);
        }
        is_alive
    }

    /// The messages to send, as text.
    pub fn outgoing(&mut self) -> Vec<String> {
        let texts = self.outgoing.drain(..).map(|message| serde_json::to_string(&message));
        texts.filter_map(Result::ok).collect()
    }
}
