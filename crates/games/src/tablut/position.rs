//! The state of a game: pieces and army to move.

use std::hash::{Hash, Hasher};

use crate::{End, EndReason, Square};

use super::{
    Army, Bitboard, Rules,
    bitboard::{index, square},
    key,
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
    #[must_use]
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
    pub(super) white: Bitboard,
    pub(super) black: Bitboard,
    pub(super) king: Option<u8>,
    /// The square where the king was captured, if the rule set's texts show him.
    pub(super) captured_king: Option<u8>,
    pub(super) to_move: Army,
    pub(super) key: u64,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.black == other.black
            && self.white == other.white
            && self.shown_king() == other.shown_king()
            && self.to_move == other.to_move
            && self.rules.set == other.rules.set
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

impl Position {
    /// The start position.
    #[must_use]
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
        let mut position = Self { rules, white, black, king, captured_king: None, to_move, key: 0 };
        position.key = position.full_key();
        position
    }

    /// The key computed from scratch; moves update it incrementally.
    fn full_key(&self) -> u64 {
        let pieces = [
            (Bitboard::maybe(self.shown_king()), key::KING),
            (self.white, key::WHITE),
            (self.black, key::BLACK),
        ];
        let turn = if self.to_move == Army::Black { key::BLACK_TO_MOVE } else { 0 };
        pieces
            .into_iter()
            .flat_map(|(bits, piece)| bits.indices().map(move |at| key::of_piece(piece, at)))
            .fold(key::of_rules(self.rules) ^ turn, |key, part| key ^ part)
    }

    /// The rule set.
    #[must_use]
    pub const fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The army to move; once the game is over, the one that would be.
    #[must_use]
    pub const fn to_move(&self) -> Army {
        self.to_move
    }

    /// The king's square; `None` once he is captured.
    #[must_use]
    pub fn king(&self) -> Option<Square> {
        self.king.map(square)
    }

    /// The squares of the white soldiers, without the king.
    #[must_use]
    pub const fn white_soldiers(&self) -> Bitboard {
        self.white
    }

    /// The squares of the black soldiers.
    #[must_use]
    pub const fn black_soldiers(&self) -> Bitboard {
        self.black
    }

    /// The piece on a square.
    #[must_use]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.piece_at(index(square)?)
    }

    pub(super) fn piece_at(&self, at: u8) -> Option<Piece> {
        if self.black.has(at) {
            Some(Piece::Black)
        } else if self.white.has(at) {
            Some(Piece::White)
        } else if self.king == Some(at) {
            Some(Piece::King)
        } else {
            None
        }
    }

    /// All pieces in the order of their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.occupied()
            .indices()
            .filter_map(|at| self.piece_at(at).map(|piece| (square(at), piece)))
    }

    /// The squares with pieces.
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.white | self.black | self.king_bit()
    }

    /// The squares of an army's pieces, the king included.
    #[must_use]
    pub fn army(&self, army: Army) -> Bitboard {
        match army {
            Army::White => self.white | self.king_bit(),
            Army::Black => self.black,
        }
    }

    pub(super) fn king_bit(&self) -> Bitboard {
        Bitboard::maybe(self.king)
    }

    /// The king's square as the text shows it.
    pub(super) const fn shown_king(&self) -> Option<u8> {
        match self.king {
            None => self.captured_king,
            standing => standing,
        }
    }

    /// The end by the king: he is on a goal square or captured. Faster than
    /// [`Self::end`], which also tests whether the side to move has a move.
    #[must_use]
    pub fn king_end(&self) -> Option<End> {
        let (winner, reason) = match self.king {
            None => (Army::Black, EndReason::KingCaptured),
            Some(king) if self.rules.goals.has(king) => (Army::White, EndReason::Escape),
            Some(_) => return None,
        };
        Some(End { winner: Some(self.rules.side(winner)), reason })
    }

    /// The end; `None` while the game goes on.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        self.king_end().or_else(|| {
            let stuck = !self.can_move();
            let winner = Some(self.rules.side(self.to_move.other()));
            stuck.then_some(End { winner, reason: EndReason::NoMoves })
        })
    }

    /// The number of goal squares that the king could reach in one move with White to
    /// move. With [`LINNAEUS`](super::LINNAEUS) one is Raichi and two are Tuichi.
    #[must_use]
    pub fn king_escapes(&self) -> u32 {
        self.king.map_or(0, |king| (self.destinations_of(king) & self.rules.goals).len())
    }
}
