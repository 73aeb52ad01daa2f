//! What goes over the wire of Bologna's competition.
//!
//! A message is its length in bytes, four of them with the highest first, and
//! as much UTF-8 JSON. A client says its name, a JSON string; the server sends
//! a [`State`] at the start and after each move; who is on turn answers with an
//! [`Action`]. The board's first row is row 1, and squares are named from there,
//! as we name them.

use std::{
    fmt,
    io::{self, Read, Write},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::games::{
    AnyPosition, RuleSet, Side, Turn,
    tablut::{Move, Piece},
};

/// The only rules the server plays.
pub(in crate::cli) const RULES: RuleSet = RuleSet::TablutAshton;

/// The port the server waits at for a side: 5800 for White, 5801 for Black.
pub(in crate::cli) const fn port(side: Side) -> u16 {
    match side {
        Side::First => 5800,
        Side::Second => 5801,
    }
}

/// A longer message is no state and no move.
const LONGEST: usize = 1 << 16;

/// What is wrong with a message, or why there is none.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum WireError {
    /// The other end is gone; nothing was being said.
    #[error("the connection was closed")]
    Closed,
    /// It went amid a message.
    #[error("the connection was closed in the middle of a message")]
    CutOff,
    /// Nothing came in time.
    #[error("no message came in time")]
    Late,
    /// The length can't be meant.
    #[error("a message of {0} bytes was announced; at most {LONGEST} can be meant")]
    TooLong(usize),
    /// Not the JSON that was expected.
    #[error("expected {expected}, not '{text}': {reason}")]
    Unread {
        /// What should have come.
        expected: &'static str,
        /// The message, its beginning at least.
        text: String,
        /// What the reader of JSON says.
        reason: String,
    },
    /// The machine's own error.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for WireError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::CutOff,
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Self::Late,
            io::ErrorKind::BrokenPipe
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted => Self::Closed,
            _ => Self::Io(error),
        }
    }
}

/// Sends a message.
pub(in crate::cli) fn send(
    out: &mut impl Write,
    message: &impl Serialize,
) -> Result<(), WireError> {
    let text = serde_json::to_vec(message).map_err(|error| WireError::Io(error.into()))?;
    let length = u32::try_from(text.len()).map_err(|_| WireError::TooLong(text.len()))?;
    // One piece, so that no half of it waits for the other.
    let mut bytes = length.to_be_bytes().to_vec();
    bytes.extend(text);
    out.write_all(&bytes)?;
    Ok(out.flush()?)
}

/// Waits for a message; `expected` says what it should be.
pub(in crate::cli) fn receive<T: DeserializeOwned>(
    from: &mut impl Read,
    expected: &'static str,
) -> Result<T, WireError> {
    let bytes = receive_bytes(from)?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let text = String::from_utf8_lossy(&bytes).chars().take(80).collect();
        WireError::Unread { expected, text, reason: error.to_string() }
    })
}

/// Waits for a client's name. Some leave its quotes out, and the competition's
/// server doesn't mind.
pub(in crate::cli) fn receive_name(from: &mut impl Read) -> Result<String, WireError> {
    let bytes = receive_bytes(from)?;
    Ok(serde_json::from_slice(&bytes)
        .unwrap_or_else(|_| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Waits for a message of whatever kind.
fn receive_bytes(from: &mut impl Read) -> Result<Vec<u8>, WireError> {
    let mut length = [0; 4];
    match from.read(&mut length[..1]) {
        Ok(0) => return Err(WireError::Closed),
        Ok(_) => from.read_exact(&mut length[1..])?,
        Err(error) => return Err(error.into()),
    }
    let length = u32::from_be_bytes(length) as usize;
    if length > LONGEST {
        return Err(WireError::TooLong(length));
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// What a square of the server's board holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(in crate::cli) enum Cell {
    /// Nothing.
    Empty,
    /// A white soldier.
    White,
    /// A black soldier.
    Black,
    /// The king.
    King,
    /// The castle, when nobody stands there.
    Throne,
}

/// Whose turn it is, or how the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(in crate::cli) enum Phase {
    /// White is to move.
    White,
    /// Black is to move.
    Black,
    /// White has won.
    WhiteWin,
    /// Black has won.
    BlackWin,
    /// Nobody has won.
    Draw,
}

impl Phase {
    /// The side to move; none when the game is over.
    pub(in crate::cli) const fn side(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::First),
            Self::Black => Some(Side::Second),
            Self::WhiteWin | Self::BlackWin | Self::Draw => None,
        }
    }

    fn of(turn: Turn) -> Self {
        match turn {
            Turn::Move(Side::First) | Turn::Throw(Side::First) => Self::White,
            Turn::Move(Side::Second) | Turn::Throw(Side::Second) => Self::Black,
            Turn::Over(end) => match end.winner {
                Some(Side::First) => Self::WhiteWin,
                Some(Side::Second) => Self::BlackWin,
                None => Self::Draw,
            },
        }
    }
}

/// The server's word about the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cli) struct State {
    /// Row 1 first, in each row file a.
    pub(in crate::cli) board: [[Cell; 9]; 9],
    /// Whose turn it is, or the end.
    pub(in crate::cli) turn: Phase,
}

impl State {
    /// What the server would say of a position; `turn` knows of repetitions,
    /// which the position alone doesn't. None for another game's position.
    pub(in crate::cli) fn of(position: &AnyPosition, turn: Turn) -> Option<Self> {
        let AnyPosition::Tablut(position) = position else { return None };
        let mut board = [[Cell::Empty; 9]; 9];
        board[4][4] = Cell::Throne;
        for (square, piece) in position.pieces() {
            board[usize::from(square.rank)][usize::from(square.file)] = match piece {
                Piece::King => Cell::King,
                Piece::White => Cell::White,
                Piece::Black => Cell::Black,
            };
        }
        Some(Self { board, turn: Phase::of(turn) })
    }

    /// The position of a state whose game goes on, as text and by the rules.
    ///
    /// # Errors
    /// The board cannot be: the text says why.
    pub(in crate::cli) fn position(&self) -> Result<AnyPosition, String> {
        let side = match self.turn.side() {
            Some(Side::First) => 'w',
            Some(Side::Second) => 'b',
            None => return Err("the game is over".to_owned()),
        };
        let rows = self.board.iter().rev().map(|row| {
            let mut text = String::new();
            let mut empty = 0;
            for cell in row {
                let symbol = match cell {
                    Cell::Empty | Cell::Throne => {
                        empty += 1;
                        continue;
                    }
                    Cell::White => 'W',
                    Cell::Black => 'B',
                    Cell::King => 'K',
                };
                text.extend((empty > 0).then(|| empty.to_string()));
                empty = 0;
                text.push(symbol);
            }
            text.extend((empty > 0).then(|| empty.to_string()));
            text
        });
        let text = format!("{} {side}", rows.collect::<Vec<_>>().join("/"));
        AnyPosition::parse(RULES, &text).map_err(|error| error.to_string())
    }
}

/// A player's move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cli) struct Action {
    /// The square left.
    pub(in crate::cli) from: String,
    /// The square reached.
    pub(in crate::cli) to: String,
    /// Who moves. Not every client says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) turn: Option<Phase>,
}

impl Action {
    /// A move of one side.
    pub(in crate::cli) fn new(mv: Move, side: Side) -> Self {
        let turn = Some(if side == Side::First { Phase::White } else { Phase::Black });
        Self { from: mv.from().to_string(), to: mv.to().to_string(), turn }
    }
}

impl fmt::Display for Action {
    /// As the rules' texts write it; clients differ in the case of letters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from.to_lowercase(), self.to.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameHistory, Ply};

    #[test]
    fn a_game_goes_over_the_wire_and_comes_back() {
        let mut line = GameHistory::new(AnyPosition::start(RULES));
        for text in ["e4-f4", "d1-d3", "e5-e4"] {
            line.push(line.parse(text).unwrap()).unwrap();
            let state = State::of(line.position(), line.turn()).unwrap();
            let mut bytes = Vec::new();
            send(&mut bytes, &state).unwrap();
            let read: State = receive(&mut bytes.as_slice(), "a state").unwrap();
            assert_eq!(read, state);
            assert_eq!(read.position().as_ref(), Ok(line.position()));
        }
        let state = State::of(line.position(), line.turn()).unwrap();
        assert_eq!((state.board[3][4], state.board[4][4]), (Cell::King, Cell::Throne));
        assert_eq!(state.turn, Phase::Black);
    }

    #[test]
    fn the_words_are_the_servers() {
        let Ok(Ply::Move(crate::games::AnyMove::Tablut(mv))) =
            GameHistory::new(AnyPosition::start(RULES)).parse("e4-f4")
        else {
            panic!("a legal move")
        };
        let mut bytes = Vec::new();
        send(&mut bytes, &Action::new(mv, Side::First)).unwrap();
        assert_eq!(bytes[..4], [0, 0, 0, 38]);
        assert_eq!(&bytes[4..], br#"{"from":"e4","to":"f4","turn":"WHITE"}"#);
        assert_eq!(serde_json::to_string(&Phase::BlackWin).unwrap(), "\"BLACKWIN\"");
        let action: Action = serde_json::from_str(r#"{"from":"E4","to":"f4","x":1}"#).unwrap();
        assert_eq!(action.to_string(), "e4-f4");
    }

    #[test]
    fn what_is_broken_is_named() {
        let say = |bytes: &[u8]| receive::<Action>(&mut &*bytes, "a move").unwrap_err().to_string();
        assert_eq!(say(&[]), "the connection was closed");
        assert!(say(&[0, 0]).contains("middle of a message"));
        assert!(say(&[0, 0, 0, 9, b'{']).contains("middle of a message"));
        assert!(say(b"HTTP/1.1 200").contains("1213486160 bytes"));
        assert_eq!(receive_name(&mut &b"\0\0\0\x04Elsa"[..]).unwrap(), "Elsa");
        assert_eq!(receive_name(&mut &b"\0\0\0\x06\"Elsa\""[..]).unwrap(), "Elsa");
        let odd = say(b"\0\0\0\x05hello");
        assert!(odd.starts_with("expected a move, not 'hello'"), "{odd}");
    }
}
