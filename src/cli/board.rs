//! A position for a terminal: as a drawing, and in words.

use crate::{
    games::{AnyPosition, GameKind, RuleSet, Square},
    i18n::tr,
};

/// One square of the drawing: its file and rank from 0, and the letter of the
/// position's text, `None` where nothing stands.
struct Cell {
    file: u8,
    rank: u8,
    piece: Option<char>,
}

/// The rows of the position's text, top row first.
fn rows(position: &AnyPosition) -> Vec<Vec<Cell>> {
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
        (0..).zip(pieces).map(|(file, piece)| Cell { file, rank, piece }).collect()
    };
    rows.iter().enumerate().map(expand).collect()
}

/// The board as text, with coordinates on its edges, the key below it.
pub(super) fn drawing(position: &AnyPosition) -> String {
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
            text.push(cell.piece.unwrap_or_else(|| empty(rules, cell)));
        }
        text += &format!(" {number}\n");
    }
    text + &files + "\n" + key(rules) + "\n"
}

/// How an empty square looks: Tablaaza's have a colour, Tablut's castle is
/// marked.
fn empty(rules: RuleSet, cell: &Cell) -> char {
    match rules.game() {
        GameKind::Tablaaza if (cell.file + cell.rank).is_multiple_of(2) => '.',
        GameKind::Tablaaza => ',',
        GameKind::Tablut if (cell.file, cell.rank) == (4, 4) => '+',
        GameKind::Tablut | GameKind::Tablan => '.',
    }
}

fn key(rules: RuleSet) -> &'static str {
    match rules.game() {
        GameKind::Tablut => tr("drawing.tablut"),
        GameKind::Tablan => tr("drawing.tablan"),
        GameKind::Tablaaza => tr("drawing.tablaaza"),
    }
}

/// Where everything stands, a line for each kind of piece: for a screen
/// reader, which cannot see a drawing.
pub(super) fn words(position: &AnyPosition) -> String {
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
