//! Games over a network: links, messages, fair throws, and both ends' view of a game.
//!
//! A server keeps a log of [`Entry`]s for each game. The [`Referee`] decides what a
//! [`ClientMessage`] adds to it, the clients get the same entries, and each
//! [`GameLog`] checks every one by the rules. An [`OnlineGame`] is what a front end
//! drives.
//!
//! Architecture invariant: no Bevy and no rules; sockets only in `connection`.

mod calendar;
mod client;
#[cfg(feature = "client")]
#[cfg_attr(target_arch = "wasm32", path = "connection_web.rs")]
pub mod connection;
mod creation;
mod fair;
mod fair_throws;
mod link;
mod log;
mod message;
mod post;
mod referee;
mod secrets;
#[cfg(all(feature = "server", not(target_arch = "wasm32")))]
pub mod server;
mod status;
#[cfg(test)]
mod tests;

pub use calendar::{Deadline, calendar};
pub use client::{Incoming, OnlineEvent, OnlineGame, OnlineState};
pub use creation::{CreateError, create_message, created_links, socket_of_page};
pub use fair::{
    CHAIN_LENGTH, COMMITMENTS_TAG, Chain, Hash256, ProofError, REVEALS_TAG, fair_throw,
    verify_throws,
};
pub use link::{GameId, GameLink, LinkProblem, MAX_LINK_LENGTH, Ticket, Token};
pub use log::{GameLog, InvalidEntry};
pub use message::{
    ClientMessage, Entry, GameStatus, MAX_CLIENT_MESSAGE, MAX_SERVER_MESSAGE, NewLinks, Offer,
    Refusal, ServerMessage, Standing, Terms, VERSION, device_code,
};
pub use post::{PostError, PostGame};
pub use referee::Referee;
#[cfg(feature = "server")]
pub(crate) use referee::TIMEOUT_GRACE;
pub use secrets::{SavedSeat, SeatSecret, SeatStore};
pub use status::{describe_status, read_status, status_message};
