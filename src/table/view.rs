//! What a board looks like, for whoever draws one: its squares and their
//! kinds, what stands on it, the way a piece takes.

use crate::games::{AnyPosition, Event, Game, GameKind, RuleSet, Side, Square, tablaaza, tablan, tablut};

use super::Figure;

/// What kind of square it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ground {
    /// Nothing special.
    Plain,
    /// Tablut's castle, e5.
    Castle,
    /// An Ashton camp.
    Camp,
    /// Where a Tablut king is home: an edge square or a corner.
    Home,
    /// A Tablan home row.
    HomeRow(Side),
    /// A plot of Tablaaza, by the side that may build there.
    Plot(Side),
    /// Water.
    Lake,
}

/// A board: its size and its squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Columns.
    pub files: u8,
    /// Rows.
    pub ranks: u8,
    /// Every square with its kind, row by row from `a1`.
    pub squares: Vec<(Square, Ground)>,
}
