//! The protocol of Bologna's Tablut competition.
//!
//! A message is its length in bytes (four bytes, big-endian) and as many bytes
//! of UTF-8 JSON. A client first sends its name, a JSON string. The server sends
//! a [`StateMessage`] at the start and after each move; the client to move
//! answers with a [`MoveMessage`]. The board's first row is row 1, and squares
//! are named as in [`crate::games`].

use std::{
    fmt::{self, Write as _},
    io::Read,
    net::TcpStream,
};

use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    cli::prelude::*,
    games::{
        tablut::{Move, Piece},
        write_ranks,
    },
};

/// The only rule set of the competition.
pub(in crate::cli) const COMPETITION_RULES: RuleSet = RuleSet::TablutAshton;

/// The port at which the server listens for a side's client.
pub(in crate::cli) const fn default_port(side: Side) -> u16 {
    match side {
        Side::First => 5800,
        Side::Second => 5801,
    }
}

/// The longest message that is accepted, in bytes. States and moves are far
/// shorter, so a longer one is no message of this protocol.
const MAX_MESSAGE_BYTES: usize = 1 << 16;

/// Why a message could not be sent or received.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum ProtocolError {
    /// The other end closed the connection between two messages.
    #[error("the connection was closed")]
    Closed,
    /// The other end closed the connection within a message.
    #[error("the connection was closed in the middle of a message")]
    CutOff,
    /// No message arrived in time.
    #[error("no message arrived in time")]
    TimedOut,
    /// The announced length in bytes is too large.
    #[error("invalid message length of {0} bytes: expected at most {MAX_MESSAGE_BYTES}")]
    TooLong(usize),
    /// The message is not the expected JSON.
    #[error("invalid message '{text}': expected {expected}: {reason}")]
    Malformed {
        /// What was expected.
        expected: &'static str,
        /// The beginning of the message.
        text: String,
        /// The JSON parser's message.
        reason: String,
    },
    /// Another input or output error.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for ProtocolError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::CutOff,
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Self::TimedOut,
            io::ErrorKind::BrokenPipe
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted => Self::Closed,
            _ => Self::Io(error),
        }
    }
}

/// A connection on which one whole message must pass in time, in however many parts.
pub(in crate::cli) struct TimedStream<'a> {
    stream: &'a TcpStream,
    /// When the time is over; `None` if that is too far in the future to matter.
    deadline: Option<Instant>,
}

impl<'a> TimedStream<'a> {
    pub(in crate::cli) fn new(stream: &'a TcpStream, time: Duration) -> Self {
        Self { stream, deadline: Instant::now().checked_add(time) }
    }

    /// The time left.
    ///
    /// # Errors
    /// There is none.
    fn left(&self) -> io::Result<Option<Duration>> {
        let Some(deadline) = self.deadline else { return Ok(None) };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Read for TimedStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(buffer)
    }
}

impl Write for TimedStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Sends a message and flushes.
pub(in crate::cli) fn send(
    out: &mut impl Write,
    message: &impl Serialize,
) -> Result<(), ProtocolError> {
    let text = serde_json::to_vec(message).map_err(|error| ProtocolError::Io(error.into()))?;
    let length = u32::try_from(text.len()).map_err(|_| ProtocolError::TooLong(text.len()))?;
    // One write, so that length and text travel together.
    let mut bytes = length.to_be_bytes().to_vec();
    bytes.extend(text);
    out.write_all(&bytes)?;
    Ok(out.flush()?)
}

/// Waits for a message; `expected` names it in errors.
pub(in crate::cli) fn receive<T: DeserializeOwned>(
    from: &mut impl Read,
    expected: &'static str,
) -> Result<T, ProtocolError> {
    let bytes = receive_bytes(from)?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let text = String::from_utf8_lossy(&bytes).chars().take(80).collect();
        ProtocolError::Malformed { expected, text, reason: error.to_string() }
    })
}

/// Waits for a client's name. Some clients leave out its quotes, which the
/// competition's server accepts.
pub(in crate::cli) fn receive_name(from: &mut impl Read) -> Result<String, ProtocolError> {
    let bytes = receive_bytes(from)?;
    Ok(serde_json::from_slice(&bytes)
        .unwrap_or_else(|_| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Waits for a message and returns its text.
fn receive_bytes(from: &mut impl Read) -> Result<Vec<u8>, ProtocolError> {
    let mut length = [0; 4];
    match from.read(&mut length[..1]) {
        Ok(0) => return Err(ProtocolError::Closed),
        Ok(_) => from.read_exact(&mut length[1..])?,
        Err(error) => return Err(error.into()),
    }
    let length = u32::from_be_bytes(length) as usize;
    if length > MAX_MESSAGE_BYTES {
        return Err(ProtocolError::TooLong(length));
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// A square's content on the server's board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(in crate::cli) enum Cell {
    /// An empty square other than the castle.
    Empty,
    /// A white soldier.
    White,
    /// A black soldier.
    Black,
    /// The king.
    King,
    /// The empty castle.
    Throne,
}

/// The side to move, or the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(in crate::cli) enum TurnField {
    /// White is to move.
    White,
    /// Black is to move.
    Black,
    /// White has won.
    WhiteWin,
    /// Black has won.
    BlackWin,
    /// The game is a draw.
    Draw,
}

impl TurnField {
    /// The side to move; none when the game is over.
    pub(in crate::cli) const fn side(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::First),
            Self::Black => Some(Side::Second),
            Self::WhiteWin | Self::BlackWin | Self::Draw => None,
        }
    }

    pub(in crate::cli) const fn new(turn: Turn) -> Self {
        match turn {
            Turn::Move(Side::First) | Turn::Throw(Side::First) => Self::White,
            Turn::Move(Side::Second) | Turn::Throw(Side::Second) => Self::Black,
            Turn::Over(end) => match end.winner {
                Some(winner) => Self::of_result(GameResult::Won(winner)),
                None => Self::Draw,
            },
        }
    }

    /// A game without a result counts as a draw.
    pub(in crate::cli) const fn of_result(result: GameResult) -> Self {
        match result {
            GameResult::Won(Side::First) => Self::WhiteWin,
            GameResult::Won(Side::Second) => Self::BlackWin,
            GameResult::Drawn | GameResult::Unknown => Self::Draw,
        }
    }
}

/// The game's state, which the server sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object with board and turn")]
pub(in crate::cli) struct StateMessage {
    /// Row 1 first, and in each row file a first.
    pub(in crate::cli) board: [[Cell; 9]; 9],
    /// The side to move, or the result.
    pub(in crate::cli) turn: TurnField,
}

impl StateMessage {
    /// The server's message for a position; `turn` also knows of an end by
    /// repetition. A captured king stays on the board. `None` for a position of another
    /// game.
    pub(in crate::cli) fn new(position: &AnyPosition, turn: Turn) -> Option<Self> {
        let AnyPosition::Tablut(position) = position else { return None };
        let mut board = [[Cell::Empty; 9]; 9];
        board[4][4] = Cell::Throne;
        let king = position.shown_king().map(|square| (square, Piece::King));
        for (square, piece) in position.pieces().chain(king) {
            board[usize::from(square.rank)][usize::from(square.file)] = match piece {
                Piece::King => Cell::King,
                Piece::White => Cell::White,
                Piece::Black => Cell::Black,
            };
        }
        Some(Self { board, turn: TurnField::new(turn) })
    }

    /// The position, of a game that is not over.
    ///
    /// # Errors
    /// The board is impossible by the rules, or the game is over; the text says
    /// why.
    pub(in crate::cli) fn position(&self) -> Result<AnyPosition, String> {
        let side = match self.turn.side() {
            Some(Side::First) => 'w',
            Some(Side::Second) => 'b',
            None => return Err("the game is over".to_owned()),
        };
        let letter =
            |square: Square| match self.board[usize::from(square.rank)][usize::from(square.file)] {
                Cell::Empty | Cell::Throne => None,
                Cell::White => Some('W'),
                Cell::Black => Some('B'),
                Cell::King => Some('K'),
            };
        let mut text = String::new();
        // Writing to a text cannot fail.
        _ = write_ranks(&mut text, (9, 9), letter).and_then(|()| write!(text, " {side}"));
        AnyPosition::parse(COMPETITION_RULES, &text).map_err(|error| error.to_string())
    }
}

/// A move, which a client sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object with from and to")]
pub(in crate::cli) struct MoveMessage {
    /// The square of departure.
    pub(in crate::cli) from: String,
    /// The square of arrival.
    pub(in crate::cli) to: String,
    /// The side that moves. It is sent only: the competition's server ignores what
    /// clients write here.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) turn: Option<TurnField>,
}

impl MoveMessage {
    /// A move of one side.
    pub(in crate::cli) fn new(mv: Move, side: Side) -> Self {
        let turn = Some(if side == Side::First { TurnField::White } else { TurnField::Black });
        Self { from: mv.from().to_string(), to: mv.to().to_string(), turn }
    }
}

impl fmt::Display for MoveMessage {
    /// Writes the move in lower case, as the rules do; clients may send capitals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from.to_lowercase(), self.to.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;
    use crate::games::{GameHistory, Ply};

    /// The byte could be read, but the time for the whole message is over.
    #[test]
    fn the_time_is_that_of_the_whole_message() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let mut client = TcpStream::connect(listener.local_addr().expect("one")).expect("it");
        let (stream, _) = listener.accept().expect("a client");
        client.write_all(b"ab").expect("sent");
        let mut byte = [0];
        let mut timed = TimedStream::new(&stream, Duration::from_secs(600));
        timed.read_exact(&mut byte).expect("in time");
        timed.deadline = Some(Instant::now());
        let late = timed.read(&mut byte).expect_err("too late");
        assert!(matches!(ProtocolError::from(late), ProtocolError::TimedOut));
        let late = timed.write(b"c").expect_err("too late");
        assert!(matches!(ProtocolError::from(late), ProtocolError::TimedOut));
    }

    #[test]
    fn a_position_survives_sending_and_receiving() {
        let mut history = GameHistory::new(AnyPosition::start(COMPETITION_RULES));
        for text in ["e4-f4", "d1-d3", "e5-e4"] {
            history.push(history.parse(text).unwrap()).unwrap();
            let state = StateMessage::new(history.position(), history.turn()).unwrap();
            let mut bytes = Vec::new();
            send(&mut bytes, &state).unwrap();
            let read: StateMessage = receive(&mut bytes.as_slice(), "a state").unwrap();
            assert_eq!(read, state);
            assert_eq!(read.position().as_ref(), Ok(history.position()));
        }
        let state = StateMessage::new(history.position(), history.turn()).unwrap();
        assert_eq!((state.board[3][4], state.board[4][4]), (Cell::King, Cell::Throne));
        assert_eq!(state.turn, TurnField::Black);
    }

    #[test]
    fn messages_are_the_servers_json() {
        let Ok(Ply::Move(crate::games::AnyMove::Tablut(mv))) =
            GameHistory::new(AnyPosition::start(COMPETITION_RULES)).parse("e4-f4")
        else {
            panic!("a legal move")
        };
        let mut bytes = Vec::new();
        send(&mut bytes, &MoveMessage::new(mv, Side::First)).unwrap();
        assert_eq!(bytes[..4], [0, 0, 0, 38]);
        assert_eq!(&bytes[4..], br#"{"from":"e4","to":"f4","turn":"WHITE"}"#);
        assert_eq!(serde_json::to_string(&TurnField::BlackWin).unwrap(), "\"BLACKWIN\"");
        let action: MoveMessage = serde_json::from_str(r#"{"from":"E4","to":"f4","x":1}"#).unwrap();
        assert_eq!(action.to_string(), "e4-f4");
        // Some clients write their own names of the sides.
        let named = r#"{"from":"e4","to":"f4","turn":"Player.Black"}"#;
        assert_eq!(serde_json::from_str::<MoveMessage>(named).unwrap().to_string(), "e4-f4");
    }

    #[test]
    fn a_broken_message_is_an_error_that_says_how() {
        let error =
            |bytes: &[u8]| receive::<MoveMessage>(&mut &*bytes, "a move").unwrap_err().to_string();
        assert_eq!(error(&[]), "the connection was closed");
        assert!(error(&[0, 0]).contains("middle of a message"));
        assert!(error(&[0, 0, 0, 9, b'{']).contains("middle of a message"));
        assert!(error(b"HTTP/1.1 200").contains("1213486160 bytes"));
        assert_eq!(receive_name(&mut &b"\0\0\0\x04Elsa"[..]).unwrap(), "Elsa");
        assert_eq!(receive_name(&mut &b"\0\0\0\x06\"Elsa\""[..]).unwrap(), "Elsa");
        let odd = error(b"\0\0\0\x05hello");
        assert!(odd.starts_with("invalid message 'hello': expected a move: "), "{odd}");
        for message in ["[]", "5", "null"] {
            let framed = [&[0, 0, 0, message.len() as u8], message.as_bytes()].concat();
            let odd = error(&framed);
            assert!(odd.contains("expected an object with from and to"), "{odd}");
            assert!(!odd.contains("Message"), "{odd}");
        }
    }
}
