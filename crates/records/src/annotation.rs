//! What people add to a move: comments, glyphs, and shapes drawn on the board.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use tabulae_games::{RuleSet, Square};

/// A numeric annotation glyph of PGN, such as 1 for a good move.
///
/// `Display` writes `!`, `?`, `!!`, `??`, `!?` and `?!` for 1 to 6, and `$n` for the
/// others.
///
/// ```
/// use tabulae_records::Glyph;
///
/// assert_eq!(Glyph::parse("!?"), Some(Glyph(5)));
/// assert_eq!(Glyph::parse("$5"), Some(Glyph(5)));
/// assert_eq!(Glyph(14).to_string(), "$14");
/// assert_eq!(Glyph::parse("!!!"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Glyph(pub u8);

impl Glyph {
    /// The glyphs with a suffix of their own: good, poor, very good and very poor
    /// move, speculative and questionable move.
    pub const WITH_SUFFIX: [Self; 6] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];

    /// Parses a suffix or `$0` to `$255`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix('$') {
            Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                number.parse().ok().map(Self)
            }
            Some(_) => None,
            None => Self::WITH_SUFFIX.into_iter().find(|glyph| glyph.suffix() == Some(text)),
        }
    }

    /// The glyph of a symbol that other programs write as a word of its own, such as `+=`
    /// for 14 and `N` (a novelty) for 146.
    pub fn of_symbol(text: &str) -> Option<Self> {
        SYMBOLS.iter().find(|(symbol, _)| *symbol == text).map(|&(_, number)| Self(number))
    }

    /// The suffix that stands behind a move, for the six glyphs that have one.
    pub const fn suffix(self) -> Option<&'static str> {
        Some(match self.0 {
            1 => "!",
            2 => "?",
            3 => "!!",
            4 => "??",
            5 => "!?",
            6 => "?!",
            _ => return None,
        })
    }

    /// The symbol that books print for the glyph, where there is one: that of chess, for
    /// White as the first side.
    pub const fn symbol(self) -> Option<&'static str> {
        Some(match self.0 {
            7 => "□",
            10..=12 => "=",
            13 => "∞",
            14 => "+=",
            15 => "=+",
            16 => "±",
            17 => "∓",
            18 | 20 => "+−",
            19 | 21 => "−+",
            22 | 23 => "⨀",
            32 | 33 => "⟳",
            36 | 37 => "↑",
            40 | 41 => "→",
            132 | 133 => "⇆",
            138 | 139 => "⊕",
            146 => "N",
            _ => return self.suffix(),
        })
    }
}

impl fmt::Display for Glyph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.suffix() {
            Some(suffix) => f.write_str(suffix),
            None => write!(f, "${}", self.0),
        }
    }
}

/// Symbols in place of PGN's numbers, with hyphens for minus signs.
const SYMBOLS: [(&str, u8); 15] = [
    ("\u{25a1}", 7),
    ("=", 10),
    ("\u{221e}", 13),
    ("+=", 14),
    ("\u{2a72}", 14),
    ("=+", 15),
    ("\u{2a71}", 15),
    ("+/-", 16),
    ("\u{b1}", 16),
    ("-/+", 17),
    ("\u{2213}", 17),
    ("+-", 18),
    ("-+", 19),
    ("N", 146),
    ("TN", 146),
];

/// The colour of a [`Shape`], as on lichess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ShapeColor {
    /// `G`.
    Green,
    /// `R`.
    Red,
    /// `Y`.
    Yellow,
    /// `B`.
    Blue,
}

impl ShapeColor {
    /// All four colours.
    pub const ALL: [Self; 4] = [Self::Green, Self::Red, Self::Yellow, Self::Blue];

    /// Its letter in records.
    pub const fn letter(self) -> char {
        match self {
            Self::Green => 'G',
            Self::Red => 'R',
            Self::Yellow => 'Y',
            Self::Blue => 'B',
        }
    }
}

/// A circle or an arrow that is drawn on the board.
///
/// `Display` writes it as the commands `[%csl]` and `[%cal]` do.
///
/// ```
/// use tabulae_games::Square;
/// use tabulae_records::{Shape, ShapeColor};
///
/// let (e4, f4) = (Square::new(4, 3), Square::new(5, 3));
/// assert_eq!(Shape { from: e4, to: None, color: ShapeColor::Red }.to_string(), "Re4");
/// assert_eq!(Shape { from: e4, to: Some(f4), color: ShapeColor::Green }.to_string(), "Ge4f4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The square of a circle, or the one where an arrow begins.
    pub from: Square,
    /// The square that an arrow points to; `None` for a circle.
    pub to: Option<Square>,
    /// The colour.
    pub color: ShapeColor,
}

impl Shape {
    /// Parses what `Display` writes; `None` unless it lies on the board of `rules`.
    fn parse(text: &str, rules: RuleSet) -> Option<Self> {
        let mut rest = text.trim().chars();
        let letter = rest.next()?;
        let color = ShapeColor::ALL.into_iter().find(|color| color.letter() == letter)?;
        let (from, to) = match rest.as_str() {
            circle if circle.len() == 2 => (circle, None),
            arrow => (arrow.get(..2)?, Some(arrow.get(2..)?)),
        };
        let to = to.map(str::parse::<Square>).transpose().ok()?;
        let shape = Self { from: from.parse().ok()?, to, color };
        shape.fits(rules).then_some(shape)
    }

    /// Whether it lies on the board of `rules` and an arrow has two ends.
    fn fits(&self, rules: RuleSet) -> bool {
        let (files, ranks) = rules.board_size();
        let is_on_board = |square: Square| square.file < files && square.rank < ranks;
        is_on_board(self.from) && self.to.is_none_or(|to| is_on_board(to) && to != self.from)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.color.letter(), self.from)?;
        self.to.map_or(Ok(()), |to| write!(f, "{to}"))
    }
}

/// The comments, glyphs and shapes of one node of a [`GameTree`](super::GameTree).
///
/// ```
/// use tabulae_records::{Annotation, Glyph, read};
///
/// let text = "[Rules \"tablaaza\"]\n\n1. c7! {[%csl Gc6] keeps c6 free} *";
/// let record = &read(text).unwrap()[0];
/// let note: &Annotation = record.tree().annotation(record.main_node(1).unwrap());
/// assert_eq!(note.comments(), ["keeps c6 free"]);
/// assert_eq!(note.glyphs().collect::<Vec<_>>(), [Glyph(1)]);
/// assert_eq!(note.shapes().next().unwrap().to_string(), "Gc6");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation {
    pub(super) before: Vec<String>,
    pub(super) comments: Vec<String>,
    pub(super) glyphs: BTreeSet<Glyph>,
    /// The colour of each shape, by its squares.
    shapes: BTreeMap<(Square, Option<Square>), ShapeColor>,
}

impl Annotation {
    /// The comments before the move; only the first move of a variation has any.
    pub fn comments_before(&self) -> &[String] {
        &self.before
    }

    /// The comments behind the move, without the commands that draw shapes.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// The glyphs, by number.
    pub fn glyphs(&self) -> impl Iterator<Item = Glyph> + '_ {
        self.glyphs.iter().copied()
    }

    /// The shapes, by their squares.
    pub fn shapes(&self) -> impl Iterator<Item = Shape> + '_ {
        self.shapes.iter().map(|(&(from, to), &color)| Shape { from, to, color })
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds a comment behind the move, or before it, with the shapes that it draws.
    /// Returns whether there was anything to add.
    pub(super) fn add_comment(&mut self, text: &str, is_before: bool, rules: RuleSet) -> bool {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let (text, shapes) = take_shapes(&text, rules);
        let text = text.trim();
        if text.is_empty() && shapes.is_empty() {
            return false;
        }
        for shape in shapes {
            self.shapes.insert((shape.from, shape.to), shape.color);
        }
        if !text.is_empty() {
            let comments = if is_before { &mut self.before } else { &mut self.comments };
            comments.push(text.to_owned());
        }
        true
    }

    /// Draws a shape, or removes the same shape of the same colour. Refused, with
    /// `false`, if it is not on the board.
    pub(super) fn toggle_shape(&mut self, shape: Shape, rules: RuleSet) -> bool {
        if !shape.fits(rules) {
            return false;
        }
        let place = (shape.from, shape.to);
        if self.shapes.get(&place) == Some(&shape.color) {
            self.shapes.remove(&place);
        } else {
            self.shapes.insert(place, shape.color);
        }
        true
    }

    /// Adds what another one has.
    pub(super) fn merge(&mut self, other: &Self) {
        self.comments.extend(other.comments.iter().cloned());
        self.glyphs.extend(&other.glyphs);
        self.shapes.extend(&other.shapes);
    }

    pub(super) fn clear_shapes(&mut self) {
        self.shapes.clear();
    }

    /// The commands that draw the shapes, as records write them; empty if there
    /// are none.
    pub(super) fn shape_commands(&self) -> String {
        let mut text = String::new();
        for (command, is_arrow) in [(CIRCLES, false), (ARROWS, true)] {
            let shapes = self.shapes().filter(|shape| shape.to.is_some() == is_arrow);
            let shapes: Vec<_> = shapes.map(|shape| shape.to_string()).collect();
            if !shapes.is_empty() {
                text += &format!("[{command} {}]", shapes.join(","));
            }
        }
        text
    }
}

/// The command that draws circles (coloured squares), as on lichess.
const CIRCLES: &str = "%csl";
/// The command that draws arrows.
const ARROWS: &str = "%cal";

/// Takes the commands that draw shapes out of a comment. A malformed command stays
/// in the text. What is left contains no command, also if removing one has joined
/// another.
fn take_shapes(text: &str, rules: RuleSet) -> (String, Vec<Shape>) {
    let (mut rest, mut shapes) = (String::with_capacity(text.len()), Vec::new());
    // Where brackets that may still become a command are open in `rest`.
    let mut open = Vec::new();
    let mut after_command = false;
    for symbol in text.chars() {
        match symbol {
            '[' => open.push(rest.len()),
            ']' => {
                let found = open
                    .pop()
                    .and_then(|at: usize| Some((at, parse_command(rest.get(at + 1..)?, rules)?)));
                if let Some((at, drawn)) = found {
                    rest.truncate(at);
                    shapes.extend(drawn);
                    after_command = true;
                    continue;
                }
                open.clear();
            }
            // The spaces around a command become one.
            ' ' if after_command && (rest.is_empty() || rest.ends_with(' ')) => continue,
            _ => {}
        }
        after_command = false;
        rest.push(symbol);
    }
    (rest, shapes)
}

/// Parses a command without its brackets, `%csl Ge4,Rd5`.
fn parse_command(text: &str, rules: RuleSet) -> Option<Vec<Shape>> {
    let (command, list) = text.split_once(char::is_whitespace)?;
    let is_arrow = match command {
        CIRCLES => false,
        ARROWS => true,
        _ => return None,
    };
    let parse = |text| Shape::parse(text, rules).filter(|shape| shape.to.is_some() == is_arrow);
    list.split(',').map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str) -> (String, String) {
        let (rest, shapes) = take_shapes(text, RuleSet::TablutAshton);
        let shapes: Vec<_> = shapes.iter().map(ToString::to_string).collect();
        (rest, shapes.join(" "))
    }

    #[test]
    fn shapes_are_taken_out_of_a_comment() {
        for (text, rest, shapes) in [
            ("[%csl Ge4,Rd5][%cal Be4f4] quiet", "quiet", "Ge4 Rd5 Be4f4"),
            ("a [%csl Y\u{61}1] b", "a b", "Ya1"),
            ("[%cal\tGE4f4, Re1e9]", "", "Ge4f4 Re1e9"),
            ("[%clk 0:09:41.3]", "[%clk 0:09:41.3]", ""),
            ("[%csl ] [%csl] [%csl Ge4f4]", "[%csl ] [%csl] [%csl Ge4f4]", ""),
            ("[%csl Gj1] [%csl Xe4] [%cal Ge4e4]", "[%csl Gj1] [%csl Xe4] [%cal Ge4e4]", ""),
            ("[%csl Ge4", "[%csl Ge4", ""),
            // Removing the inner command makes the outer one whole.
            ("[%csl [%csl Ge4]Ge5]", "", "Ge4 Ge5"),
            ("[%csl []Ge5]", "[%csl []Ge5]", ""),
            ("[%csl Gé4]", "[%csl Gé4]", ""),
        ] {
            assert_eq!(taken(text), (rest.to_owned(), shapes.to_owned()), "{text}");
            assert_eq!(taken(rest), (rest.to_owned(), String::new()), "{text}: nothing is left");
        }
    }

    #[test]
    fn the_same_shape_is_removed_and_another_color_replaces_it() {
        let rules = RuleSet::Tablan;
        let mut note = Annotation::default();
        let shape = |color| Shape { from: Square::new(0, 0), to: Some(Square::new(2, 0)), color };
        assert!(note.toggle_shape(shape(ShapeColor::Green), rules));
        assert!(note.toggle_shape(shape(ShapeColor::Blue), rules));
        assert_eq!(note.shape_commands(), "[%cal Ba1c1]");
        assert!(note.toggle_shape(shape(ShapeColor::Blue), rules));
        assert!(note.is_empty());
        let outside = Shape { from: Square::new(0, 4), to: None, color: ShapeColor::Red };
        assert!(!note.toggle_shape(outside, rules) && note.is_empty());
    }
}
