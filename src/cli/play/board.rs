//! A position in the terminal: as a diagram, and in words.

use crate::{
    games::{AnyPosition, GameKind, RuleSet, Square},
    i18n::tr,
};

/// A square of the diagram: its file and rank from 0, and the piece's letter in
/// the position's text, `None` on an empty square.
struct DiagramSquare {
    file: u8,
    rank: u8,
    piece: Option<char>,
}

/// Parses the rows of the position's text, top row first.
fn rows(position: &AnyPosition) -> Vec<Vec<DiagramSquare>> {
    let text = position.to_string();
    let board = text.split_whitespace().next().unwrap_or_default();
    let rows: Vec<&str> = board.split('/').collect();
    let top = rows.len();
    let expand = |(index, row): (usize, &&str)| {
        let (mut pieces, mut run) = (Vec::new(), 0);
        for symbol in row.chars() {
            if let Some(digit) = symbol.to_digit(10) {
                run = run * 10 + digit as usize;
            } else {
                pieces.extend(std::iter::repeat_n(None, std::mem::take(&mut run)));
                pieces.push(Some(symbol));
            }
        }
        pieces.extend(std::iter::repeat_n(None, run));
        let rank = u8::try_from(top - 1 - index).unwrap_or(u8::MAX);
        (0..).zip(pieces).map(|(file, piece)| DiagramSquare { file, rank, piece }).collect()
    };
    rows.iter().enumerate().map(expand).collect()
}

/// Draws the board with coordinates on its edges and the legend below.
pub(in crate::cli) fn diagram(position: &AnyPosition) -> String {
    let rules = position.rules();
    let rows = rows(position);
    let width = rows.first().map_or(0, Vec::len);
    let mut files = "  ".to_owned();
    for file in (b'a'..).take(width) {
        files.push(' ');
        files.push(char::from(file));
    }
    let mut text = format!("{files}\n");
    for row in &rows {
        let number = row.first().map_or(0, |cell| cell.rank + 1);
        text += &format!("{number:2}");
        for cell in row {
            text.push(' ');
            text.push(cell.piece.unwrap_or_else(|| empty_symbol(rules, cell)));
        }
        text += &format!(" {number}\n");
    }
    text + &files + "\n" + legend(rules) + "\n"
}

/// The symbol of an empty square: Tablaaza's have two colours, and Tablut's
/// castle is marked.
fn empty_symbol(rules: RuleSet, cell: &DiagramSquare) -> char {
    match rules.game() {
        GameKind::Tablaaza if (cell.file + cell.rank).is_multiple_of(2) => '.',
        GameKind::Tablaaza => ',',
        GameKind::Tablut if (cell.file, cell.rank) == (4, 4) => '+',
        GameKind::Tablut | GameKind::Tablan => '.',
    }
}

fn legend(rules: RuleSet) -> &'static str {
    match rules.game() {
        GameKind::Tablut => tr("drawing.tablut"),
        GameKind::Tablan => tr("drawing.tablan"),
        GameKind::Tablaaza => tr("drawing.tablaaza"),
    }
}

/// Lists the squares of each kind of piece, a line each, for screen readers.
pub(in crate::cli) fn describe(position: &AnyPosition) -> String {
    let rules = position.rules();
    let kinds: &[(&'static str, char)] = match rules.game() {
        GameKind::Tablut => {
            &[("drawing.king", 'K'), ("drawing.white", 'W'), ("drawing.black", 'B')]
        }
        GameKind::Tablan => &[("side.south", 'S'), ("side.north", 'N')],
        GameKind::Tablaaza => {
            &[("drawing.red", 'r'), ("drawing.green", 'g'), ("count.pavilions", 'p')]
        }
    };
    let rows = rows(position);
    let mut text = String::new();
    for (name, letter) in kinds {
        let mut squares: Vec<_> = rows
            .iter()
            .flatten()
            .filter(|cell| cell.piece == Some(*letter))
            .map(|cell| Square::new(cell.file, cell.rank))
            .collect();
        squares.sort_unstable();
        let names: Vec<_> = squares.iter().map(ToString::to_string).collect();
        let list = if names.is_empty() { tr("drawing.none").to_owned() } else { names.join(" ") };
        text += &format!("{}: {list}.\n", tr(name));
    }
    text
}
