//! Asking how a game stands without sitting down: nobody sees it, and no clock minds.

use std::time::Duration;

use super::{
    ClientMessage, Deadline, GameLink, GameStatus, Refusal, SavedSeat, SeatSecret, ServerMessage,
    Standing, VERSION,
};
use tabulae_records::on_one_line;
use tabulae_session::{
    format_clock,
    i18n::{tr, tr_args},
    rules_label, storage,
};

/// The message that asks the server of a link how the game stands, as text.
pub fn status_message(link: &GameLink, secret: &SeatSecret) -> String {
    let ticket = link.ticket.to_string();
    let message = ClientMessage::Status { version: VERSION, ticket, device: secret.device() };
    serde_json::to_string(&message).unwrap_or_default()
}

/// How the game stands by the server's answer to [`status_message`].
///
/// # Errors
/// The server refuses; one that does not know the message is of another version.
///
/// ```
/// use tabulae_online::{Refusal, Standing, read_status};
///
/// let answer = r#"{"type": "status", "standing": "yours", "entries": 7, "time_left": 9000}"#;
/// assert_eq!(read_status(answer).map(|it| it.standing), Ok(Standing::Yours));
/// assert_eq!(read_status("?"), Err(Refusal::Version));
/// ```
pub fn read_status(answer: &str) -> Result<GameStatus, Refusal> {
    match serde_json::from_str(answer) {
        Ok(ServerMessage::Status(status)) => Ok(status),
        Ok(ServerMessage::Refused { refusal: Refusal::Malformed, .. }) => Err(Refusal::Version),
        Ok(ServerMessage::Refused { refusal, .. }) => Err(refusal),
        Ok(_) | Err(_) => Err(Refusal::Version),
    }
}

/// How a game stands, in sentences for a list. Without an answer it says why.
pub fn describe_status(status: &Result<GameStatus, Refusal>) -> String {
    let status = match status {
        Ok(status) => status,
        Err(refusal) => {
            // A server's words are a stranger's.
            let why = on_one_line(&refusal.message().localized());
            return tr_args("online.mine-unknown", &[("why", &why)]);
        }
    };
    let standing = tr(match status.standing {
        Standing::Waiting => "online.mine-waiting",
        Standing::Yours => "online.mine-yours",
        Standing::Theirs => "online.mine-theirs",
        Standing::Over => "online.mine-over",
    });
    let Some(left) = status.time_left else { return standing.to_owned() };
    let left = format_clock(Duration::from_millis(left));
    format!("{standing} {}", tr_args("online.mine-time", &[("time", &left)]))
}

impl SavedSeat {
    /// The game and the other player.
    pub fn label(&self) -> String {
        let rules = rules_label(self.rules);
        if self.opponent.is_empty() {
            return rules.to_owned();
        }
        tr_args("friend.game-with", &[("rules", rules), ("name", &self.opponent)])
    }

    /// When the player's time runs out in the game, which stands so now; `None` if the
    /// player's clock does not run.
    pub fn deadline(&self, status: &GameStatus) -> Option<Deadline> {
        let link = self.link.parse().ok().filter(|_| status.standing == Standing::Yours)?;
        Deadline::new(&link, status, &self.label(), storage::now())
    }
}
