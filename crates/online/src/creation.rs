//! Creating a game on a server.

use thiserror::Error;

use super::{
    ClientMessage, GameId, GameLink, LinkProblem, NewLinks, Refusal, ServerMessage, Terms, Ticket,
    Token, VERSION,
};
use tabulae_records::on_one_line;

/// Why no game was created.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CreateError {
    /// The address is no server's.
    #[error(transparent)]
    Address(#[from] LinkProblem),
    /// The server cannot be reached.
    #[error("{0}")]
    Network(String),
    /// The server refuses.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// The address of the WebSocket of a server's page (`https://host/`).
///
/// # Errors
/// The address is no page's.
///
/// ```
/// use tabulae_online::{LinkProblem, socket_of_page};
///
/// assert_eq!(socket_of_page("https://play.example").as_deref(), Ok("wss://play.example/play"));
/// assert_eq!(socket_of_page("play.example"), Err(LinkProblem::Scheme));
/// ```
pub fn socket_of_page(page: &str) -> Result<String, LinkProblem> {
    // Any ticket: only the address is of interest.
    let ticket = Ticket { game: GameId::random(), token: Token::random() };
    Ok(GameLink::new(page, ticket, false)?.socket_address())
}

/// The message that asks a server for a new game, as text.
pub fn create_message(terms: Terms) -> String {
    let message = ClientMessage::Create { version: VERSION, terms };
    serde_json::to_string(&message).unwrap_or_default()
}

/// The links in a server's answer to [`create_message`]: the first side's, the second
/// side's, and the spectators'.
///
/// # Errors
/// The server refuses, or does not speak this protocol.
pub fn created_links(page: &str, answer: &str) -> Result<[GameLink; 3], CreateError> {
    match serde_json::from_str(answer) {
        Ok(ServerMessage::Created { links: NewLinks { seats: [one, two], watch } }) => {
            let link = |text: &str, is_spectator| {
                let ticket = Ticket::parse(text).ok_or(LinkProblem::Damaged)?;
                GameLink::new(page, ticket, is_spectator)
            };
            Ok([link(&one, false)?, link(&two, false)?, link(&watch, true)?])
        }
        Ok(ServerMessage::Refused { refusal, .. }) => Err(refusal.into()),
        Ok(_) => Err(Refusal::Malformed.into()),
        // It may quote the server.
        Err(error) => Err(CreateError::Network(on_one_line(&error.to_string()))),
    }
}
