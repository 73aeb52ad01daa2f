//! The state of a game: stones, pavilions and side to move.

use super::{
    Move,
    board::{Board, LAKES, squares_of},
    rules,
};
use crate::reasons;
use crate::{
    End, EndReason, Event, GOLDEN_GAMMA, Game, Illegal, Reason, Repetition, Side, Square, Throw,
    Turn, splitmix64,
};

/// What a square holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// No stone or pavilion.
    Free,
    /// A stone of this side.
    Stone(Side),
    /// A pavilion of this side, on a square of the opponent's colour.
    Pavilion(Side),
    /// A lake, or off the board.
    Lake,
}

/// A position of Tablaaza.
///
/// `Eq` and `Hash` mean the same board, stones, pavilions and side to move. Stones
/// never leave the board, so there is no repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) board: &'static Board,
    pub(super) stones: [u64; 2],
    pub(super) pavilions: [u64; 2],
    pub(super) side: Side,
}

impl Position {
    /// The start position: the empty board with Red to move.
    pub fn start() -> Self {
        Self::empty(&LAKES)
    }

    /// An empty board of any geometry with Red to move.
    pub const fn empty(board: &'static Board) -> Self {
        Self { board, stones: [0; 2], pavilions: [0; 2], side: Side::First }
    }

    /// The board.
    pub const fn board(&self) -> &'static Board {
        self.board
    }

    /// The playing squares, rank by rank from `a1`.
    pub fn squares(&self) -> impl Iterator<Item = Square> + Clone + use<> {
        self.board.squares()
    }

    /// The side that may play on a square; `None` on a lake and off the board.
    pub fn colour(&self, square: Square) -> Option<Side> {
        self.board.colour(square)
    }

    /// Whether a square is a lake.
    pub fn is_lake(&self, square: Square) -> bool {
        self.board.is_lake(square)
    }

    /// What a square holds; [`Cell::Lake`] off the board.
    pub fn at(&self, square: Square) -> Cell {
        let Some(bit) = self.board.bit(square).filter(|bit| self.board.playing() & bit != 0) else {
            return Cell::Lake;
        };
        for side in Side::BOTH {
            if self.stones[side.index()] & bit != 0 {
                return Cell::Stone(side);
            }
            if self.pavilions[side.index()] & bit != 0 {
                return Cell::Pavilion(side);
            }
        }
        Cell::Free
    }

    /// The number of pavilions of a side.
    pub const fn pavilions(&self, side: Side) -> u32 {
        self.pavilions[side.index()].count_ones()
    }

    /// The squares of a side's stones, as a bitboard.
    pub const fn stones(&self, side: Side) -> u64 {
        self.stones[side.index()]
    }

    /// The squares with a stone or a pavilion, as a bitboard.
    pub const fn closed(&self) -> u64 {
        self.stones[0] | self.stones[1] | self.pavilions[0] | self.pavilions[1]
    }

    /// A side's free squares, as a bitboard, without the neighbourly rule.
    pub const fn free(&self, side: Side) -> u64 {
        self.board.coloured(side) & !self.closed()
    }

    /// Whether the neighbourly rule binds: Green answers Red's first stone.
    pub const fn is_neighbourly(&self) -> bool {
        rules::is_neighbourly(self.side, self.stones)
    }

    /// The squares that the side to move may play on, as a bitboard.
    pub fn targets(&self) -> u64 {
        let free = self.free(self.side);
        match squares_of(self.stones[0]).next() {
            Some(first) if self.is_neighbourly() => free & self.board.neighbourly(first),
            _ => free,
        }
    }

    /// The squares where the side to move would raise pavilions by playing on
    /// `square`, as a bitboard. The move should be legal.
    pub fn raised_by(&self, square: Square) -> u64 {
        let closed = self.closed() | self.board.bit(square).unwrap_or(0);
        self.board.raised(closed, self.side)
    }

    /// The squares that the other side has to fill before it raises a pavilion on a square:
    /// its own in the corridors through it, each with whether it is filled.
    ///
    /// ```
    /// use tabulae_games::tablaaza::Position;
    ///
    /// let start = Position::start();
    /// let corridors = start.corridor_squares("b1".parse()?);
    /// assert_eq!(corridors.len(), 7);
    /// assert!(corridors.iter().all(|&(_, is_filled)| !is_filled));
    /// # Ok::<(), tabulae_games::ParseSquareError>(())
    /// ```
    pub fn corridor_squares(&self, square: Square) -> Vec<(Square, bool)> {
        let Some(owner) = self.colour(square) else { return Vec::new() };
        let squares = self.board.corridors(square) & self.board.coloured(owner.other());
        let is_filled = |at| self.board.bit(at).is_some_and(|bit| self.closed() & bit != 0);
        squares_of(squares).map(|at| (at, is_filled(at))).collect()
    }

    /// Puts a stone of the side to move on the square of a bit, and returns the squares of
    /// the pavilions that it raises.
    const fn place(&mut self, bit: u64) -> u64 {
        let side = self.side;
        self.stones[side.index()] |= bit;
        let pavilions = self.board.raised(self.closed(), side);
        self.pavilions[side.index()] |= pavilions;
        self.side = side.other();
        pavilions
    }

    /// Checks a move and returns the bitboard of its square.
    ///
    /// # Errors
    /// The rule that forbids it.
    fn check_legal(&self, square: Square) -> Result<u64, Illegal> {
        let board = self.board;
        let bit = board.bit(square).ok_or(Illegal::OffBoard(square))?;
        let rule = |key| Err(Illegal::Rule(Reason::new(key).with("at", square)));
        let wrong_colour = match self.side {
            Side::First => reasons::GREEN_SQUARE,
            Side::Second => reasons::RED_SQUARE,
        };
        if self.targets() & bit != 0 {
            return Ok(bit);
        }
        match self.at(square) {
            Cell::Lake => rule(reasons::LAKE),
            Cell::Stone(_) => rule(reasons::STONE),
            Cell::Pavilion(_) => rule(reasons::PAVILION),
            Cell::Free if board.coloured(self.side) & bit == 0 => rule(wrong_colour),
            Cell::Free => rule(reasons::NOT_NEIGHBOURLY),
        }
    }
}

/// The squares of a bitboard in the order in which they are written: by file, then
/// by rank.
fn by_file(mask: u64) -> Vec<Square> {
    let mut squares: Vec<_> = squares_of(mask).collect();
    squares.sort();
    squares
}

impl Game for Position {
    type Move = Move;

    fn side(&self) -> Side {
        self.side
    }

    fn turn(&self) -> Turn {
        if self.targets() == 0 {
            Turn::Over(End { winner: Some(self.side.other()), reason: EndReason::NoMoves })
        } else {
            Turn::Move(self.side)
        }
    }

    fn for_each_legal_move(&self, visit: impl FnMut(Move)) {
        squares_of(self.targets()).map(Move::new).for_each(visit);
    }

    fn outcomes(&self) -> &'static [(Throw, u32)] {
        &[]
    }

    fn play(&mut self, mv: Move) -> Result<Vec<Event>, Illegal> {
        if self.targets() == 0 {
            return Err(Illegal::GameOver);
        }
        let side = self.side;
        let bit = self.check_legal(mv.square())?;
        let pavilions = self.place(bit);
        let mut events = vec![Event::Placed { at: mv.square(), side }];
        events.extend(by_file(pavilions).into_iter().map(|at| Event::PavilionRaised { at, side }));
        events.extend(self.turn().end().map(Event::Ended));
        Ok(events)
    }

    fn play_unchecked(&mut self, mv: Move) {
        self.place(self.board.bit(mv.square()).unwrap_or(0));
    }

    fn throw(&mut self, _throw: Throw) -> Result<Vec<Event>, Illegal> {
        Err(if self.targets() == 0 { Illegal::GameOver } else { Illegal::NoSticks })
    }

    fn parse_move(&self, text: &str) -> Result<Move, Illegal> {
        let mut squares = text.trim().split('^').map(|part| {
            part.parse::<Square>().map_err(|error| {
                Illegal::Unreadable(Reason::new(reasons::SQUARE_TEXT).with_excerpt("text", error.0))
            })
        });
        let first = match squares.next() {
            Some(square) => square?,
            None => {
                return Err(Illegal::Unreadable(
                    Reason::new(reasons::TEXT).with_excerpt("text", text),
                ));
            }
        };
        let mut named = squares.collect::<Result<Vec<_>, _>>()?;
        if self.targets() == 0 {
            return Err(Illegal::GameOver);
        }
        self.check_legal(first)?;
        named.sort();
        if !named.is_empty() && named != by_file(self.raised_by(first)) {
            return Err(Illegal::WrongCaptures { expected: self.notation(Move::new(first)) });
        }
        Ok(Move::new(first))
    }

    fn notation(&self, mv: Move) -> String {
        let mut text = mv.to_string();
        for square in by_file(self.raised_by(mv.square())) {
            text.push('^');
            text.push_str(&square.to_string());
        }
        text
    }

    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }

    fn key(&self) -> u64 {
        let words = [self.stones[0], self.stones[1], self.pavilions[0], self.pavilions[1]];
        words.into_iter().fold(self.side.index() as u64, |key, word| {
            splitmix64(key.wrapping_add(GOLDEN_GAMMA) ^ splitmix64(word))
        })
    }
}
