//! Mirror images and rotations of a position, to fold puzzles that are the same.

use tabulae_games::{AnyPosition, Game as _, Square, Throw, tablaaza};

/// A text that is the same for positions that the board's symmetries make equal.
///
/// ```
/// use tabulae_games::{AnyPosition, RuleSet};
/// use tabulae_session::puzzles::canonical;
///
/// let texts = ["4B4/9/9/9/9/9/4K4/9/9 w", "9/9/9/9/B5K2/9/9/9/9 w"];
/// let [one, other] =
///     texts.map(|text| AnyPosition::parse(RuleSet::TablutBerkeley, text).unwrap());
/// assert_eq!(canonical(&one), canonical(&other));
/// ```
#[must_use]
pub fn canonical(position: &AnyPosition) -> String {
    match position {
        AnyPosition::Tablut(_) => {
            let text = position.to_string();
            let (rows, side) = text.split_once(' ').unwrap_or((&text, ""));
            let grid = Grid::of_rows(rows);
            let images = grid.reflections().into_iter();
            let images = images.flat_map(|image| [image.transposed(), image]);
            let least = images.map(|image| image.0.concat()).min();
            format!("{} {side}", least.unwrap_or_default())
        }
        AnyPosition::Tablaaza(position) => {
            // Only the free squares and their sides matter.
            let (files, ranks) = (position.board().files(), position.board().ranks());
            let cell = |square: Square| match position.at(square) {
                tablaaza::Cell::Free if position.colour(square) == Some(position.side()) => 'm',
                tablaaza::Cell::Free => 'o',
                _ => '.',
            };
            let row = |rank| (0..files).map(|file| cell(Square::new(file, rank))).collect();
            let grid = Grid((0..ranks).map(row).collect());
            grid.reflections().map(|image| image.0.concat()).into_iter().min().unwrap_or_default()
        }
        AnyPosition::Tablan(position) => {
            let (own, other) = (position.side(), position.side().other());
            let throw = position.pending().map_or(0, Throw::score);
            format!("{:x} {:x} {throw}", position.places(own), position.places(other))
        }
    }
}

/// A board of characters.
#[derive(Clone)]
struct Grid(Vec<String>);

impl Grid {
    /// The rows of a position's text.
    fn of_rows(rows: &str) -> Self {
        let expand = |row: &str| {
            let cells = row.chars().map(|mark| match mark.to_digit(10) {
                Some(run) => ".".repeat(run as usize),
                None => mark.to_string(),
            });
            cells.collect()
        };
        Self(rows.split('/').map(expand).collect())
    }

    /// Itself and its three reflections.
    fn reflections(&self) -> [Self; 4] {
        let flipped = Self(self.0.iter().rev().cloned().collect());
        let mirror =
            |grid: &Self| Self(grid.0.iter().map(|row| row.chars().rev().collect()).collect());
        let [one, two] = [mirror(self), mirror(&flipped)];
        [self.clone(), flipped, one, two]
    }

    fn transposed(&self) -> Self {
        let width = self.0.first().map_or(0, String::len);
        let column =
            |at: usize| self.0.iter().map(|row| row.as_bytes()[at] as char).collect::<String>();
        Self((0..width).map(column).collect())
    }
}
