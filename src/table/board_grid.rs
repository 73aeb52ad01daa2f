//! What a board looks like, for whoever draws one: its squares and their
//! kinds, what stands on it, the way a piece takes.

use crate::games::{AnyPosition, GameKind, RuleSet, Side, Square, tablaaza, tablan, tablut};

use super::PieceKind;

/// What kind of square it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SquareKind {
    /// Nothing special.
    Plain,
    /// Tablut's castle, e5.
    Castle,
    /// An Ashton camp.
    Camp,
    /// Where a Tablut king is home: an edge square or a corner.
    Goal,
    /// A Tablan home row.
    StartRow(Side),
    /// A plot of Tablaaza, by the side that may build there.
    Plot(Side),
    /// Water.
    Lake,
}

/// A board: its size and its squares.
///
/// ```
/// use tabulae::games::RuleSet;
/// use tabulae::table::{BoardGrid, SquareKind};
///
/// let board = BoardGrid::new(RuleSet::TablutAshton);
/// assert_eq!((board.files, board.ranks, board.squares.len()), (9, 9, 81));
/// assert_eq!(board.kind("e5".parse()?), Some(SquareKind::Castle));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardGrid {
    /// Columns.
    pub files: u8,
    /// Rows.
    pub ranks: u8,
    /// Every square with its kind, row by row from `a1`.
    pub squares: Vec<(Square, SquareKind)>,
}

impl BoardGrid {
    /// The board a rule set is played on.
    #[must_use]
    pub fn new(rules: RuleSet) -> Self {
        let (files, ranks) = match rules.game() {
            GameKind::Tablut => (9, 9),
            GameKind::Tablan => (12, 4),
            GameKind::Tablaaza => (8, 7),
        };
        let squares = (0..ranks)
            .flat_map(|rank| (0..files).map(move |file| Square::new(file, rank)))
            .map(|square| (square, ground(rules, square)))
            .collect();
        Self { files, ranks, squares }
    }

    /// The kind of a square; `None` off the board.
    #[must_use]
    pub fn kind(&self, square: Square) -> Option<SquareKind> {
        if square.file >= self.files || square.rank >= self.ranks {
            return None;
        }
        let index = usize::from(square.rank) * usize::from(self.files) + usize::from(square.file);
        self.squares.get(index).map(|&(_, ground)| ground)
    }
}

fn ground(rules: RuleSet, square: Square) -> SquareKind {
    let tablut = |rules: &'static tablut::Rules| {
        if square == tablut::CASTLE {
            SquareKind::Castle
        } else if rules.is_camp(square) {
            SquareKind::Camp
        } else if rules.is_goal(square) {
            SquareKind::Goal
        } else {
            SquareKind::Plain
        }
    };
    match rules {
        RuleSet::TablutBerkeley => tablut(tablut::BERKELEY),
        RuleSet::TablutAshton => tablut(tablut::ASHTON),
        RuleSet::TablutLinnaeus => tablut(tablut::LINNAEUS),
        RuleSet::Tablan | RuleSet::TablanOrdered => match square.rank {
            0 => SquareKind::StartRow(Side::First),
            3 => SquareKind::StartRow(Side::Second),
            _ => SquareKind::Plain,
        },
        RuleSet::Tablaaza => {
            tablaaza::LAKES.colour(square).map_or(SquareKind::Lake, SquareKind::Plot)
        }
    }
}

/// What stands on the board, square by square.
///
/// ```
/// use tabulae::games::{AnyPosition, RuleSet};
/// use tabulae::table::{PieceKind, pieces_on};
///
/// let start = pieces_on(&AnyPosition::start(RuleSet::TablutAshton));
/// assert_eq!(start.len(), 25);
/// assert!(start.contains(&("e5".parse()?, PieceKind::King)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn pieces_on(position: &AnyPosition) -> Vec<(Square, PieceKind)> {
    match position {
        AnyPosition::Tablut(position) => position
            .pieces()
            .map(|(square, piece)| {
                let figure = match piece {
                    tablut::Piece::King => PieceKind::King,
                    tablut::Piece::White => PieceKind::Soldier { white: true },
                    tablut::Piece::Black => PieceKind::Soldier { white: false },
                };
                (square, figure)
            })
            .collect(),
        AnyPosition::Tablan(position) => {
            position.pieces().map(|(square, side)| (square, PieceKind::Runner(side))).collect()
        }
        AnyPosition::Tablaaza(position) => position
            .squares()
            .filter_map(|square| {
                let figure = match position.at(square) {
                    tablaaza::Cell::Stone(side) => PieceKind::Stone(side),
                    tablaaza::Cell::Pavilion(side) => PieceKind::Pavilion(side),
                    tablaaza::Cell::Free | tablaaza::Cell::Lake => return None,
                };
                Some((square, figure))
            })
            .collect(),
    }
}

/// The squares a piece passes from `from` to `to`, both included: along its
/// course in Tablan, straight elsewhere. `before` is the position it moves in.
///
/// ```
/// use tabulae::games::{AnyPosition, RuleSet, Square};
/// use tabulae::table::path;
///
/// let position = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S11 s t1")?;
/// let passed: Vec<Square> = path(&position, "a1".parse()?, "c1".parse()?);
/// assert_eq!(passed, [Square::new(0, 0), Square::new(1, 0), Square::new(2, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn path(before: &AnyPosition, from: Square, to: Square) -> Vec<Square> {
    match before {
        AnyPosition::Tablan(position) => match position.piece(from) {
            Some(side) => tablan::path(side, from, to),
            None => vec![from, to],
        },
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => vec![from, to],
    }
}
