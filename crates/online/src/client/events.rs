//! What a connection reports, and what has happened in a game.

use std::time::Duration;

use tabulae_games::Side;

use crate::{Offer, Refusal};

/// What a connection reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// It is open.
    Opened,
    /// A message has arrived.
    Text(String),
    /// It was lost, or could not be opened, for this reason. It is tried again.
    Closed(String),
}

/// What has happened, for the front end to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnlineEvent {
    /// The server has answered: the state is known, and which side is ours.
    Connected,
    /// A player has sat down for the first time.
    Joined(Side),
    /// Both players are there: the game begins.
    Begun,
    /// A ply was played: its number in the history, from 1.
    Played(usize),
    /// Plies were undone; so many are left.
    Undone(usize),
    /// A side has offered something.
    Offered(Side, Offer),
    /// The offer of a side was declined or withdrawn.
    Declined(Side, Offer),
    /// The game has ended; see
    /// [`GameSession::outcome`](tabulae_session::GameSession::outcome).
    Ended,
    /// A rematch begins: a new game, with the sides swapped.
    Restarted,
    /// Who is connected has changed.
    Presence,
    /// Another device with this code wants to play on our seat; see
    /// [`OnlineGame::admit`](super::OnlineGame::admit).
    SeatAsked(String),
    /// The latency was measured.
    Latency(Duration),
    /// The server has refused something.
    Refused(Refusal),
    /// The server has broken the rules of the game or of the throws. Nothing that it
    /// says is believed any more.
    Untrusted(String),
    /// Our seat's throws are made with another secret than ours: the seat was first
    /// opened by another program, and the game can only go on there.
    OtherSecret,
}
