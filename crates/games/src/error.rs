//! Errors of moves and of position texts.

use crate::reasons;
use thiserror::Error;

use super::Square;
use crate::Reason;

/// Why a move, a throw or its text is refused. Callers add the offending text if the
/// message does not contain it.
///
/// ```
/// use tabulae_games::{AnyPosition, Game, Illegal, RuleSet};
///
/// let start = AnyPosition::start(RuleSet::TablutAshton);
/// assert_eq!(start.parse_move("a2-a3"), Err(Illegal::NoPiece("a2".parse().unwrap())));
/// assert_eq!(start.parse_move("d1-d4"), Err(Illegal::NotYours("d1".parse().unwrap())));
/// assert!(matches!(start.parse_move("castle"), Err(Illegal::Unreadable(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Illegal {
    /// The text does not have the form of a move.
    #[error("not a move: {0}")]
    Unreadable(Reason),
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// A move was played where a throw is due.
    #[error("a throw is due, not a move")]
    ThrowDue,
    /// A throw was played where a move is due.
    #[error("a move is due, not a throw")]
    MoveDue,
    /// The game has no sticks.
    #[error("this game has no sticks to throw")]
    NoSticks,
    /// The square is not on this board.
    #[error("{0} is not on the board")]
    OffBoard(Square),
    /// There is no piece on the move's first square.
    #[error("no piece stands on {0}")]
    NoPiece(Square),
    /// The piece belongs to the opponent.
    #[error("the piece on {0} is the opponent's")]
    NotYours(Square),
    /// A rule forbids the move; the message says which one.
    #[error("{0}")]
    Rule(Reason),
    /// The move is legal, but its text has the wrong captures or pavilions.
    #[error("the move is legal but is written '{expected}' here")]
    WrongCaptures {
        /// The right notation.
        expected: String,
    },
}

impl Illegal {
    /// The error as a message that can be translated by its key.
    pub fn message(&self) -> Reason {
        match self {
            Self::Unreadable(why) => {
                Reason::new(reasons::UNREADABLE).with_reason("text", why.clone())
            }
            Self::GameOver => Reason::new(reasons::GAME_OVER),
            Self::ThrowDue => Reason::new(reasons::THROW_DUE),
            Self::MoveDue => Reason::new(reasons::MOVE_DUE),
            Self::NoSticks => Reason::new(reasons::NO_STICKS),
            Self::OffBoard(at) => Reason::new(reasons::OFF_BOARD).with("square", at),
            Self::NoPiece(at) => Reason::new(reasons::NO_PIECE).with("square", at),
            Self::NotYours(at) => Reason::new(reasons::NOT_YOURS).with("square", at),
            Self::Rule(message) => message.clone(),
            Self::WrongCaptures { expected } => {
                Reason::new(reasons::WRITTEN).with("expected", expected)
            }
        }
    }
}

/// Why a position's text cannot be parsed.
///
/// ```
/// use tabulae_games::{AnyPosition, PositionError, RuleSet};
///
/// let error: PositionError = AnyPosition::parse(RuleSet::Tablaaza, "8/8 r").unwrap_err();
/// assert_eq!(error.text, "8/8 r");
/// assert!(!error.reason.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("invalid position '{text}': {reason}")]
pub struct PositionError {
    /// The whole text.
    pub text: String,
    /// What is wrong and what was expected, in English.
    pub reason: String,
    /// The reason as a message that can be translated by its key.
    pub message: Reason,
}

impl PositionError {
    /// An error about `text`.
    pub fn new(text: &str, message: Reason) -> Self {
        Self { text: text.to_owned(), reason: message.to_string(), message }
    }
}
