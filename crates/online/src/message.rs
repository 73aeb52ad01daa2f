//! What clients and servers of online games send each other: JSON, one object a
//! message.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Hash256;
use tabulae_games::{RuleSet, Side};
use tabulae_records::on_one_line;
use tabulae_session::{TimeControls, i18n::LocalizedMessage};

/// The version of the messages. Client and server must have the same.
pub const VERSION: u32 = 2;
/// The longest message of a client, in bytes.
pub const MAX_CLIENT_MESSAGE: usize = 2048;
/// The longest message of a server, in bytes: a whole game. The longest game has 20,000
/// entries of about 200 bytes.
pub const MAX_SERVER_MESSAGE: usize = 8 << 20;
/// The longest text of a move, in bytes.
pub(super) const MAX_MOVE_LENGTH: usize = 160;

/// Sides as 1 and 2.
mod side_number {
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    use tabulae_games::Side;

    pub(super) fn serialize<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(match side {
            Side::First => 1,
            Side::Second => 2,
        })
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Side, D::Error> {
        match u8::deserialize(from)? {
            1 => Ok(Side::First),
            2 => Ok(Side::Second),
            _ => Err(D::Error::custom("expected 1 or 2")),
        }
    }
}

/// What a game is played by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// The rule set.
    pub rules: RuleSet,
    /// The time controls; `None` plays without clocks.
    #[serde(default)]
    pub clock: Option<TimeControls>,
}

/// What a player can offer the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Offer {
    /// To undo the offering player's last move and what followed.
    Undo,
    /// A draw.
    Draw,
    /// Another game with the sides swapped, once this one has ended.
    Rematch,
}

impl Offer {
    /// All offers.
    pub const ALL: [Self; 3] = [Self::Undo, Self::Draw, Self::Rematch];
}

/// An entry of a game's log. The log is the game: server and clients apply the same
/// entries, each by the rules.
///
/// Times are in milliseconds. `at` counts from 1970, by the server's clock; `used` is
/// what the side's clock ran for this entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "kebab-case")]
pub enum Entry {
    /// The first entry.
    Created {
        /// The rules and the clocks of the game.
        terms: Terms,
        /// The server's commitment, in games with throws.
        commitment: Option<Hash256>,
        /// When the server wrote the entry.
        at: u64,
    },
    /// A device has a seat: the first one that has opened it, or one that such a device has
    /// let in. No other device may play there.
    Claimed {
        /// The player of the seat: 0 has the first side in the first round.
        player: usize,
        /// The hash of the device's secret.
        device: Hash256,
    },
    /// A player has opened a seat for the first time.
    Joined {
        /// The side of the player.
        #[serde(with = "side_number")]
        side: Side,
        /// The player's name; may be empty.
        name: String,
        /// When the server wrote the entry.
        at: u64,
    },
    /// A player's commitment, in games with throws.
    Committed {
        /// The side whose player commits.
        #[serde(with = "side_number")]
        side: Side,
        /// The end of the player's chain of reveals.
        commitment: Hash256,
        /// When the server wrote the entry.
        at: u64,
    },
    /// A player has moved.
    Moved {
        /// The move's notation.
        #[serde(rename = "move")]
        text: String,
        /// What the mover's clock ran.
        used: u64,
        /// When the server wrote the entry.
        at: u64,
    },
    /// A player's part of the throw that is due.
    Revealed {
        /// The side whose player reveals.
        #[serde(with = "side_number")]
        side: Side,
        /// The value that was committed to for this throw.
        reveal: Hash256,
        /// What that side's clock ran.
        used: u64,
        /// When the server wrote the entry.
        at: u64,
    },
    /// The server's part: with it the sticks are thrown.
    Thrown {
        /// The value that was committed to for this throw.
        reveal: Hash256,
        /// The throw that the three parts make, `t0` to `t4`.
        throw: String,
        /// When the server wrote the entry.
        at: u64,
    },
    /// A player offers something.
    Offered {
        /// The side that offers.
        #[serde(with = "side_number")]
        side: Side,
        /// What is offered.
        offer: Offer,
    },
    /// An offer of this side is off: declined, or withdrawn.
    Declined {
        /// The side that had offered.
        #[serde(with = "side_number")]
        side: Side,
        /// What was offered.
        offer: Offer,
    },
    /// The undo that a side had offered was accepted: this many plies are left.
    Undone {
        /// The number of plies that are left.
        plies: usize,
        /// When the server wrote the entry.
        at: u64,
    },
    /// The draw was accepted.
    Drawn,
    /// A side has resigned.
    Resigned {
        /// The side that has resigned.
        #[serde(with = "side_number")]
        side: Side,
    },
    /// A side's clock has run out.
    TimedOut {
        /// The side whose clock has run out.
        #[serde(with = "side_number")]
        side: Side,
    },
    /// The rematch was accepted: a new game begins with the sides swapped.
    Restarted {
        /// The server's new commitment, in games with throws.
        commitment: Option<Hash256>,
        /// When the server wrote the entry.
        at: u64,
    },
}

/// A message of a client. `round` counts the games of a series of rematches from 0;
/// with it a message that comes late or twice is recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClientMessage {
    /// The first message: who it is, and how many entries of the log it has.
    Hello {
        /// The sender's [`VERSION`].
        version: u32,
        /// The link's `ID.TOKEN`.
        ticket: String,
        /// The number of entries known.
        #[serde(default)]
        since: usize,
        /// The player's name.
        #[serde(default)]
        name: String,
        /// The secret of the player's device for this seat; a spectator's has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device: Option<Hash256>,
    },
    /// Asks for a new game, in place of `Hello`. The server then closes the connection.
    Create {
        /// The sender's [`VERSION`].
        version: u32,
        /// The rules and the clocks of the game.
        terms: Terms,
    },
    /// Asks how a game stands for a player who does not sit down, in place of `Hello`. The
    /// server then closes the connection.
    Status {
        /// The sender's [`VERSION`].
        version: u32,
        /// The link's `ID.TOKEN`.
        ticket: String,
        /// The secret of the player's device for this seat.
        device: Hash256,
    },
    /// Commits to the player's parts of this round's throws.
    Commit {
        /// The round that it is about.
        round: usize,
        /// The end of the player's chain of reveals.
        commitment: Hash256,
    },
    /// Plays a move.
    Move {
        /// The round that it is about.
        round: usize,
        /// The number of plies before it.
        ply: usize,
        /// The move's notation.
        #[serde(rename = "move")]
        text: String,
    },
    /// Gives the player's part of a throw.
    Reveal {
        /// The round that it is about.
        round: usize,
        /// The number of the throw, from 1.
        throw: usize,
        /// The value that was committed to for this throw.
        reveal: Hash256,
    },
    /// Offers something to the opponent.
    Offer {
        /// The round that it is about.
        round: usize,
        /// The number of plies before it.
        ply: usize,
        /// What is offered.
        offer: Offer,
    },
    /// Answers the opponent's offer; with `accept` false it also withdraws the own one.
    Answer {
        /// The round that it is about.
        round: usize,
        /// The number of plies before it.
        ply: usize,
        /// What was offered.
        offer: Offer,
        /// Whether it is accepted.
        accept: bool,
    },
    /// Resigns the game.
    Resign {
        /// The round that it is about.
        round: usize,
    },
    /// Lets another device play on the same seat.
    Admit {
        /// The hash of its secret.
        device: Hash256,
    },
    /// Asks for a [`ServerMessage::Pong`].
    Ping {
        /// Any number, which the answer repeats.
        id: u32,
    },
}

/// A message of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ServerMessage {
    /// The answer to [`ClientMessage::Hello`].
    Welcome {
        /// The sender's [`VERSION`].
        version: u32,
        /// The player of the link: 0 has the first side in the first round; `None` is
        /// a spectator.
        player: Option<usize>,
        /// The number of entries before these.
        from: usize,
        /// The entries that the client lacks.
        entries: Vec<Entry>,
        /// For how long the running clock has run since its last entry; 0 if none runs.
        elapsed: u64,
    },
    /// The answer to [`ClientMessage::Create`].
    Created {
        /// The links of the two seats and of the spectators.
        links: NewLinks,
    },
    /// The answer to [`ClientMessage::Status`].
    Status(GameStatus),
    /// The log has these new entries.
    Entries {
        /// The number of entries before these.
        from: usize,
        /// The new entries, in order.
        entries: Vec<Entry>,
        /// For how long the running clock has run, as in `Welcome`.
        elapsed: u64,
    },
    /// Tells who is connected.
    Presence {
        /// Whether each player is.
        players: [bool; 2],
        /// The number of spectators that are.
        spectators: usize,
    },
    /// Another device has opened the player's seat, and was refused.
    SeatAsked {
        /// The hash of its secret.
        device: Hash256,
    },
    /// A message had no effect.
    Refused {
        /// Why it had none.
        refusal: Refusal,
        /// The same as an English sentence.
        reason: String,
        /// The message; `None` if the server has not read it, or does not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<ClientMessage>,
    },
    /// The answer to [`ClientMessage::Ping`].
    Pong {
        /// The number that the ping had.
        id: u32,
    },
}

/// Why a server refuses a message or a connection.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "code", content = "detail", rename_all = "kebab-case")]
#[non_exhaustive]
#[error("{}", self.message())]
pub enum Refusal {
    /// The text is no message.
    Malformed,
    /// The client speaks another version.
    Version,
    /// The link's game or token is unknown.
    UnknownLink,
    /// Another device has the seat. The code is the one of the device that was refused.
    SeatTaken(String),
    /// Spectators only watch.
    Spectator,
    /// A player is missing.
    NotBegun,
    /// There is no connection to the server. Only clients say this, to their players.
    NotConnected,
    /// The server has fewer entries than its client, as after a restored backup. Only
    /// clients say this, to their players.
    ServerBehind,
    /// The game or its commitments are not those for which this program has given parts of
    /// throws. Only clients say this, to their players.
    ThrowsKnown,
    /// What was given cannot be saved, so it is not given. Only clients say this, to their
    /// players.
    NotSaved(String),
    /// The game has ended.
    Over,
    /// The game has not ended.
    NotOver,
    /// The other player is to act.
    NotYourTurn,
    /// The message belongs to an earlier state of the game.
    Late,
    /// The move breaks a rule.
    Illegal(String),
    /// The reveal does not belong to the commitment.
    WrongReveal,
    /// There is a commitment already, or it is the other player's.
    WrongCommitment,
    /// There is no such offer.
    NotOffered,
    /// It was offered already.
    AlreadyOffered,
    /// There is no move to undo, or the sticks were thrown since.
    CannotUndo,
    /// Draws are not possible under the rules.
    NoDraws,
    /// The game or its log is as long as the server allows.
    GameTooLong,
    /// Too many messages.
    TooFast,
    /// Too many connections or games.
    Full,
    /// The server cannot reach its store.
    Unavailable,
}

impl Refusal {
    /// The reason as a message that can be translated.
    pub fn message(&self) -> LocalizedMessage {
        LocalizedMessage::new(match self {
            Self::Malformed => "why.online-malformed",
            Self::Version => "why.online-version",
            Self::UnknownLink => "why.online-unknown-link",
            Self::SeatTaken(code) => {
                let code = on_one_line(code);
                return LocalizedMessage::new("why.online-seat-taken").with("code", code);
            }
            Self::Spectator => "why.online-spectator",
            Self::NotBegun => "why.online-not-begun",
            Self::NotConnected => "why.online-not-connected",
            Self::ServerBehind => "why.online-server-behind",
            Self::ThrowsKnown => "why.online-throws-known",
            Self::NotSaved(why) => {
                return LocalizedMessage::new("why.online-not-saved").with("error", why);
            }
            Self::Over => "illegal.game-over",
            Self::NotOver => "why.online-not-over",
            Self::NotYourTurn => "why.online-not-your-turn",
            Self::Late => "why.online-late",
            Self::Illegal(why) => {
                // The server's own words.
                return LocalizedMessage::new("why.online-illegal").with("why", on_one_line(why));
            }
            Self::WrongReveal => "why.online-wrong-reveal",
            Self::WrongCommitment => "why.online-wrong-commitment",
            Self::NotOffered => "why.online-not-offered",
            Self::AlreadyOffered => "why.online-already-offered",
            Self::CannotUndo => "why.online-cannot-undo",
            Self::NoDraws => "why.online-no-draws",
            Self::GameTooLong => "why.online-game-too-long",
            Self::TooFast => "why.online-too-fast",
            Self::Full => "why.online-full",
            Self::Unavailable => "why.online-unavailable",
        })
    }

    /// Whether the connection cannot go on, so that trying again would be no use.
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Version | Self::UnknownLink)
    }
}

/// The code by which a person tells a device from others: the first letters of the hash
/// of its secret.
pub fn device_code(device: Hash256) -> String {
    let mut code = data_encoding::BASE32_NOPAD.encode(&device.0);
    code.truncate(4);
    code
}

/// How a game stands for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameStatus {
    /// Whose turn it is.
    pub standing: Standing,
    /// The number of entries of the log: something has happened when it grows.
    pub entries: usize,
    /// What is left on the clock that runs, in milliseconds; `None` if none runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_left: Option<u64>,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// A player has not joined yet.
    Waiting,
    /// The game waits for the player who asks.
    Yours,
    /// It waits for the other player.
    Theirs,
    /// It has ended.
    Over,
}

/// The links of a new game: what stands behind the `#`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewLinks {
    /// The seats', by side of the first round.
    pub seats: [String; 2],
    /// The spectators'.
    pub watch: String,
}
