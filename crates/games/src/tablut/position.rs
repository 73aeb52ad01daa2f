//! The state of a game: pieces and army to move.

use std::hash::{Hash, Hasher};

use crate::{End, EndReason, Square};

use super::{
    Army, Bitboard, Board, Rules,
    bitboard::index,
    line_tables::KING,
    mailbox::{NO_SQUARE, bit, squares_in, to_square},
    rules::{CAMPS, CASTLE_INDEX, WHITE_START},
};

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece {
    /// White's king.
    King,
    /// A white soldier.
    White,
    /// A black soldier.
    Black,
}

impl Piece {
    /// Its army.
    pub const fn army(self) -> Army {
        match self {
            Self::King | Self::White => Army::White,
            Self::Black => Army::Black,
        }
    }
}

/// A position of Tablut by one of its rule sets.
///
/// `Eq` and `Hash` mean the same rule set, army to move and pieces as the text
/// shows them. Where the text still shows a captured king (see
/// [`Rules::shows_captured_king`]), that finished position equals the one in which
/// he stands there.
///
/// ```
/// use tabulae_games::{Game, tablut};
///
/// let mut position = tablut::Position::start(tablut::ASHTON);
/// assert_eq!(
///     position.to_string(),
///     "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/4W4/4B4/3BBB3 w"
/// );
/// let mv = position.parse_move("e4-g4")?;
/// position.play(mv)?;
/// assert_eq!(
///     position.to_string(),
///     "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B5W1B/4W4/4B4/3BBB3 b"
/// );
/// # Ok::<(), tabulae_games::Illegal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) rules: &'static Rules,
    pub(super) board: Board,
    /// The square where the king was captured, if the rule set's texts show him. He is in
    /// the key, too.
    pub(super) captured_king: Option<u8>,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        let (board, others) = (&self.board, &other.board);
        board.key == others.key
            && board.black == others.black
            && board.white == others.white
            && self.shown_king() == other.shown_king()
            && board.black_to_move == others.black_to_move
            && self.rules.set == other.rules.set
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.board.key);
    }
}

impl Position {
    /// The start position.
    pub fn start(rules: &'static Rules) -> Self {
        Self::from_parts(rules, WHITE_START, CAMPS, Some(CASTLE_INDEX), rules.first)
    }

    pub(super) fn from_parts(
        rules: &'static Rules,
        white: Bitboard,
        black: Bitboard,
        king: Option<u8>,
        to_move: Army,
    ) -> Self {
        let (king, black_to_move) = (king.unwrap_or(NO_SQUARE), to_move == Army::Black);
        let board = Board::new(rules, white.bits(), black.bits(), king, black_to_move);
        Self { rules, board, captured_king: None }
    }

    /// The rule set.
    pub const fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The army to move; once the game is over, the one that would be.
    pub const fn to_move(&self) -> Army {
        if self.board.black_to_move { Army::Black } else { Army::White }
    }

    /// The pieces as engines search on them.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The king's square; `None` once he is captured.
    pub fn king(&self) -> Option<Square> {
        self.standing_king().map(to_square)
    }

    /// The squares of the white soldiers, without the king.
    pub const fn white_soldiers(&self) -> Bitboard {
        Bitboard::from_bits(self.board.white)
    }

    /// The squares of the black soldiers.
    pub const fn black_soldiers(&self) -> Bitboard {
        Bitboard::from_bits(self.board.black)
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.piece_at(index(square)?)
    }

    pub(super) const fn piece_at(&self, at: u8) -> Option<Piece> {
        if self.board.black & bit(at) != 0 {
            Some(Piece::Black)
        } else if self.board.white & bit(at) != 0 {
            Some(Piece::White)
        } else if self.board.king == at {
            Some(Piece::King)
        } else {
            None
        }
    }

    /// All pieces in the order of their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        squares_in(self.board.occupied())
            .filter_map(|at| self.piece_at(at).map(|piece| (to_square(at), piece)))
    }

    /// The squares with pieces.
    pub const fn occupied(&self) -> Bitboard {
        Bitboard::from_bits(self.board.occupied())
    }

    /// The squares of an army's pieces, the king included.
    pub const fn army(&self, army: Army) -> Bitboard {
        Bitboard::from_bits(match army {
            Army::White => self.board.white | self.board.king_bit(),
            Army::Black => self.board.black,
        })
    }

    /// The index of the king's square; `None` once he is captured.
    const fn standing_king(&self) -> Option<u8> {
        if self.board.king == NO_SQUARE { None } else { Some(self.board.king) }
    }

    /// The king's square as texts show it: where he was captured, if the rule set's texts
    /// leave him there.
    pub fn shown_king(&self) -> Option<Square> {
        self.standing_king().or(self.captured_king).map(to_square)
    }

    /// The end by the king: he is on a goal square or captured. Faster than
    /// [`Self::end`], which also tests whether the side to move has a move.
    pub fn king_end(&self) -> Option<End> {
        let (winner, reason) = match self.standing_king() {
            None => (Army::Black, EndReason::KingCaptured),
            Some(king) if self.rules.goals.has(king) => (Army::White, EndReason::Escape),
            Some(_) => return None,
        };
        Some(End { winner: Some(self.rules.side(winner)), reason })
    }

    /// The end; `None` while the game goes on.
    pub fn end(&self) -> Option<End> {
        self.king_end().or_else(|| {
            let stuck = !self.can_move();
            let winner = Some(self.rules.side(self.to_move().other()));
            stuck.then_some(End { winner, reason: EndReason::NoMoves })
        })
    }

    /// The number of goal squares that the king could reach in one move with White to
    /// move. With [`LINNAEUS`](super::LINNAEUS) one is Raichi and two are Tuichi.
    pub fn king_escapes(&self) -> u32 {
        let escapes = |king| self.board.destination_set(self.rules, KING, king) & self.rules.goals;
        self.standing_king().map_or(0, |king| escapes(king).len())
    }
}
