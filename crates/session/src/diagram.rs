//! A position as a flat drawing in SVG, for print and for pages.

pub mod shapes;

use std::fmt::Write as _;

use self::shapes::{
    CROWN, DOT_RADIUS, GOLD, HOUSE, INK, KING_RADIUS, LINE, MARK_OPACITY, PIECE_RADIUS, RING,
    SQUARE, WHITE, square_color, square_mark,
};
use super::{BoardGrid, MoveStep, PieceKind, SquareKind, pieces_on, rules_label};
use tabulae_games::{AnyPosition, RuleSet, Side, Square};

/// The width of the strip with the coordinates, on each side.
const MARGIN: f32 = 24.0;
/// The colour of the last move.
const MARK: &str = "#c98a1b";
/// How far the ways of a pair of pieces lie beside the middle of their squares.
const WAY_OFFSET: f32 = 5.0;
/// How far the cross on a captured piece's square stays away from its edges.
const CROSS_INSET: f32 = 12.0;

/// Draws a position as an SVG file. The side `near` sits at the lower edge. The squares
/// that the steps of `last_move` went to are framed, those they left have a dashed frame;
/// where there is more than one step, a thin arrow ties each end to its start. The squares
/// `captured` have a cross. Colours differ in shape, too: the first side's pieces have a dot,
/// the second side's a ring, so a print without colours can be read.
///
/// Each piece is a group with the attribute `data-piece`, such as `king e5`.
///
/// ```
/// use tabulae_games::{AnyPosition, RuleSet, Side};
/// use tabulae_session::{MoveStep, svg_diagram};
///
/// let start = AnyPosition::start(RuleSet::TablutAshton);
/// let last_move = MoveStep { from: None, to: "e4".parse()? };
/// let svg = svg_diagram(&start, &[last_move], &[], Side::First);
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// assert_eq!(svg.matches("data-piece=").count(), 25);
/// assert!(svg.contains("data-piece=\"king e5\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn svg_diagram(
    position: &AnyPosition,
    last_move: &[MoveStep],
    captured: &[Square],
    near: Side,
) -> String {
    let rules = position.rules();
    let mut drawing = Drawing { board: BoardGrid::new(rules), rules, near, svg: String::new() };
    drawing.begin(position);
    for index in 0..drawing.board.squares.len() {
        let (square, kind) = drawing.board.squares[index];
        drawing.square(square, kind);
    }
    drawing.coordinates();
    drawing.last_move(last_move);
    for &square in captured {
        drawing.cross(square);
    }
    for (square, piece) in pieces_on(position) {
        drawing.piece(square, piece);
    }
    drawing.svg.push_str("</svg>\n");
    drawing.svg
}

struct Drawing {
    board: BoardGrid,
    rules: RuleSet,
    near: Side,
    svg: String,
}

impl Drawing {
    fn begin(&mut self, position: &AnyPosition) {
        let width = f32::from(self.board.files) * SQUARE + 2.0 * MARGIN;
        let height = f32::from(self.board.ranks) * SQUARE + 2.0 * MARGIN;
        let (title, text) = (escape(rules_label(self.rules)), escape(&position.to_string()));
        self.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>{title}</title>\n<desc>{text}</desc>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{WHITE}\"/>"
        ));
    }

    /// Adds a line.
    fn add(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.svg, "{line}").expect("a String takes everything");
    }

    /// The column and row of a square in the drawing, from the upper left.
    fn place(&self, square: Square) -> (u8, u8) {
        let (files, ranks) = (self.board.files, self.board.ranks);
        match self.near {
            Side::First => (square.file, ranks - 1 - square.rank),
            Side::Second => (files - 1 - square.file, square.rank),
        }
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (f32, f32) {
        let (column, row) = self.place(square);
        (f32::from(column).mul_add(SQUARE, MARGIN), f32::from(row).mul_add(SQUARE, MARGIN))
    }

    fn square(&mut self, square: Square, kind: SquareKind) {
        let (x, y) = self.corner(square);
        let fill = square_color(kind);
        self.add(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\" \
             stroke=\"{INK}\" stroke-width=\"1\"/>"
        ));
        // What the square is must be seen without colours.
        let lines = square_mark(kind);
        if lines.is_empty() {
            return;
        }
        let mark: String = lines.iter().map(|line| path(line)).collect();
        self.add(format_args!(
            "<path transform=\"translate({x} {y})\" d=\"{mark}\" fill=\"none\" \
             stroke=\"{INK}\" stroke-opacity=\"{MARK_OPACITY}\" stroke-width=\"{LINE}\"/>"
        ));
    }

    fn coordinates(&mut self) {
        let (files, ranks) = (self.board.files, self.board.ranks);
        let bottom = f32::from(ranks).mul_add(SQUARE, MARGIN) + 17.0;
        self.add(format_args!(
            "<g font-family=\"sans-serif\" font-size=\"13\" fill=\"{INK}\" text-anchor=\"middle\">"
        ));
        for file in 0..files {
            let x = self.corner(Square::new(file, 0)).0 + SQUARE / 2.0;
            let letter = char::from(b'a' + file);
            self.add(format_args!("<text x=\"{x}\" y=\"{bottom}\">{letter}</text>"));
        }
        for rank in 0..ranks {
            let y = self.corner(Square::new(0, rank)).1 + SQUARE / 2.0 + 4.5;
            let (x, number) = (MARGIN / 2.0, rank + 1);
            self.add(format_args!("<text x=\"{x}\" y=\"{y}\">{number}</text>"));
        }
        self.add(format_args!("</g>"));
    }

    fn last_move(&mut self, steps: &[MoveStep]) {
        let left = MoveStep::left_squares(steps);
        for &square in &left {
            self.frame(square, " stroke-dasharray=\"5 5\" stroke-opacity=\"0.7\"");
        }
        for step in steps.iter().filter(|step| !left.contains(&step.to)) {
            self.frame(step.to, "");
        }
        if let [first, second] = steps {
            for (step, side) in [(first, -1.0), (second, 1.0)] {
                if let Some(from) = step.from {
                    self.way(from, step.to, side);
                }
            }
        }
    }

    fn frame(&mut self, square: Square, style: &str) {
        let (x, y) = self.corner(square);
        let (x, y, size) = (x + 2.5, y + 2.5, SQUARE - 5.0);
        self.add(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" fill=\"none\" \
             stroke=\"{MARK}\" stroke-width=\"3\"{style}/>"
        ));
    }

    /// A cross on a square that a capture has emptied.
    fn cross(&mut self, square: Square) {
        let (x, y) = self.corner(square);
        let ((left, right), (top, bottom)) = (
            (x + CROSS_INSET, x + SQUARE - CROSS_INSET),
            (y + CROSS_INSET, y + SQUARE - CROSS_INSET),
        );
        let (falling, rising) =
            (path(&[(left, top), (right, bottom)]), path(&[(left, bottom), (right, top)]));
        self.add(format_args!(
            "<path data-captured=\"{square}\" d=\"{falling}{rising}\" fill=\"none\" \
             stroke=\"{MARK}\" stroke-width=\"3\"/>"
        ));
    }

    /// A thin arrow from the middle of one square to the edge of another. `side` is -1
    /// or 1: the ways of a pair of pieces must not fall on the same line.
    fn way(&mut self, from: Square, to: Square, side: f32) {
        let middle = |square| {
            let (x, y) = self.corner(square);
            (x + SQUARE / 2.0, y + SQUARE / 2.0)
        };
        let ((x, y), (to_x, to_y)) = (middle(from), middle(to));
        let length = (to_x - x).hypot(to_y - y);
        let (along_x, along_y) = ((to_x - x) / length, (to_y - y) / length);
        let (across_x, across_y) = (-along_y, along_x);
        let sign = if 0.5f32.mul_add(across_x, across_y) < 0.0 { -1.0 } else { 1.0 };
        let shift = sign * side * WAY_OFFSET;
        let tip = length - SQUARE / 2.0 / along_x.abs().max(along_y.abs());
        let neck = tip - 7.0;
        let at = |forward: f32, sideways: f32| {
            let (forward, sideways) = (forward, sideways + shift);
            let x = across_x.mul_add(sideways, along_x.mul_add(forward, x));
            let y = across_y.mul_add(sideways, along_y.mul_add(forward, y));
            ((x * 10.0).round() / 10.0, (y * 10.0).round() / 10.0)
        };
        let (shaft, head) = (
            path(&[at(0.0, 0.0), at(neck, 0.0)]),
            path(&[at(neck, 4.0), at(tip, 0.0), at(neck, -4.0)]),
        );
        let (dot_x, dot_y) = at(0.0, 0.0);
        self.add(format_args!(
            "<g data-step=\"{from} {to}\" fill=\"{MARK}\" stroke=\"{MARK}\">\
             <circle cx=\"{dot_x}\" cy=\"{dot_y}\" r=\"2.5\" stroke=\"none\"/>\
             <path d=\"{shaft}\" stroke-width=\"2\"/><path d=\"{head}Z\" stroke=\"none\"/></g>"
        ));
    }

    fn piece(&mut self, square: Square, piece: PieceKind) {
        let (x, y) = self.corner(square);
        let (x, y) = (x + SQUARE / 2.0, y + SQUARE / 2.0);
        let name = match piece {
            PieceKind::King => "king",
            PieceKind::Soldier { white: true } => "white",
            PieceKind::Soldier { white: false } => "black",
            PieceKind::Runner(Side::First) => "south",
            PieceKind::Runner(Side::Second) => "north",
            PieceKind::Stone(Side::First) => "red-stone",
            PieceKind::Stone(Side::Second) => "green-stone",
            PieceKind::Pavilion(Side::First) => "red-pavilion",
            PieceKind::Pavilion(Side::Second) => "green-pavilion",
        };
        self.add(format_args!(
            "<g data-piece=\"{name} {square}\" transform=\"translate({x} {y})\" \
             stroke=\"{INK}\" stroke-width=\"{LINE}\">"
        ));
        match piece {
            PieceKind::Soldier { white } => {
                let fill = if white { WHITE } else { INK };
                self.add(format_args!("<circle r=\"{PIECE_RADIUS}\" fill=\"{fill}\"/>"));
            }
            PieceKind::King => {
                self.add(format_args!("<circle r=\"{KING_RADIUS}\" fill=\"{WHITE}\"/>"));
                let crown = path(&CROWN);
                self.add(format_args!("<path d=\"{crown}Z\" fill=\"{GOLD}\"/>"));
            }
            PieceKind::Runner(side) | PieceKind::Stone(side) => {
                let fill = self.color(side);
                self.add(format_args!("<circle r=\"{PIECE_RADIUS}\" fill=\"{fill}\"/>"));
                self.emblem(side);
            }
            PieceKind::Pavilion(side) => {
                let fill = self.color(side);
                let house = path(&HOUSE);
                self.add(format_args!("<path d=\"{house}Z\" fill=\"{fill}\"/>"));
                self.emblem(side);
            }
        }
        self.add(format_args!("</g>"));
    }

    /// What tells the sides apart without colours.
    fn emblem(&mut self, side: Side) {
        let (radius, width) = RING;
        match side {
            Side::First => self
                .add(format_args!("<circle r=\"{DOT_RADIUS}\" fill=\"{WHITE}\" stroke=\"none\"/>")),
            Side::Second => self.add(format_args!(
                "<circle r=\"{radius}\" fill=\"none\" stroke=\"{WHITE}\" stroke-width=\"{width}\"/>"
            )),
        }
    }

    const fn color(&self, side: Side) -> &'static str {
        match (self.rules, side) {
            (RuleSet::Tablaaza, Side::First) => "#b3402f",
            (RuleSet::Tablaaza, Side::Second) => "#3f7d47",
            (_, Side::First) => "#cc5730",
            (_, Side::Second) => "#3d62a8",
        }
    }
}

/// The path through these points.
fn path(points: &[(f32, f32)]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x} {y}")).collect();
    format!("M{}", points.join(" "))
}

/// A text for use in XML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{last_captures, last_move_steps};
    use tabulae_games::GameHistory;

    /// The value of an attribute in a line.
    fn value<'a>(line: &'a str, name: &str) -> &'a str {
        let begin = line.find(&format!("{name}=\"")).unwrap() + name.len() + 2;
        line[begin..].split('"').next().unwrap()
    }

    #[test]
    fn each_piece_is_drawn_once_on_its_square_from_both_seats() {
        for rules in RuleSet::ALL {
            let position = AnyPosition::start(rules);
            let mut places = Vec::new();
            for near in Side::BOTH {
                let svg = svg_diagram(&position, &[], &[], near);
                let drawn: Vec<&str> =
                    svg.lines().filter(|line| line.contains("data-piece")).collect();
                assert_eq!(drawn.len(), pieces_on(&position).len(), "{rules}");
                let squares = svg.lines().filter(|line| line.contains("width=\"40\" height"));
                assert_eq!(squares.count(), BoardGrid::new(rules).squares.len());
                let opened = svg.matches("<g ").count();
                assert_eq!(opened, svg.matches("</g>").count());
                places.push(drawn.first().map(|line| value(line, "transform").to_owned()));
            }
            assert!(places[0] != places[1] || pieces_on(&position).is_empty(), "{rules}");
        }
    }

    #[test]
    fn the_lower_left_square_is_a1_of_the_near_side() {
        let start = AnyPosition::start(RuleSet::Tablan);
        let a1 = |near| {
            let svg = svg_diagram(&start, &[], &[], near);
            let line = svg.lines().find(|line| line.contains("data-piece=\"south a1\"")).unwrap();
            value(line, "transform").to_owned()
        };
        // Four ranks below a margin of 24.
        assert_eq!(a1(Side::First), "translate(44 164)");
        assert_eq!(a1(Side::Second), "translate(484 44)");
    }

    #[test]
    fn the_last_move_is_framed() {
        let start = AnyPosition::start(RuleSet::Tablaaza);
        let framed = |steps: &[MoveStep]| {
            svg_diagram(&start, steps, &[], Side::First).matches("#c98a1b").count()
        };
        let [a1, b1] = [Square::new(0, 0), Square::new(1, 0)];
        assert_eq!(framed(&[]), 0);
        assert_eq!(framed(&[MoveStep { from: None, to: a1 }]), 1);
        assert_eq!(framed(&[MoveStep { from: Some(a1), to: b1 }]), 2);
    }

    #[test]
    fn a_pavilion_that_the_last_move_raised_is_framed_with_it() {
        let text = "rgrgrgrg/grgrgrgr/rg~gr~rg/gr~rg~gr/rg~gr~rg/grgrgrgr/2rgrgrg r";
        let start = AnyPosition::parse(RuleSet::Tablaaza, text).expect("a position");
        let mut history = GameHistory::new(start);
        let ply = history.parse("a1").expect("a move");
        history.push(ply).expect("legal");
        let steps = last_move_steps(&history, 1);
        let [a1, b1] = [0, 1].map(|file| MoveStep { from: None, to: Square::new(file, 0) });
        assert_eq!(steps, [a1, b1]);
        let svg = svg_diagram(history.position(), &steps, &[], Side::First);
        assert_eq!(svg.matches(MARK).count(), 2);
    }

    #[test]
    fn a_captured_square_has_a_cross() {
        let text = "9/9/9/4K4/9/9/2W6/1B2B4/3B5 b";
        let start = AnyPosition::parse(RuleSet::TablutAshton, text).expect("a position");
        let mut history = GameHistory::new(start);
        for (text, crosses) in [("b2-b3", 0), ("e6-f6", 0), ("d1-d3", 1)] {
            history.push(history.parse(text).expect("a move")).expect("legal");
            let captured = last_captures(&history, history.len());
            let svg = svg_diagram(history.position(), &[], &captured, Side::First);
            assert_eq!(svg.matches("data-captured").count(), crosses, "{text}");
            assert_eq!(svg.matches("data-captured=\"c3\"").count(), crosses, "{text}");
        }
    }

    /// The lines of a drawing that belong to the last move.
    fn marks(steps: &[MoveStep]) -> Vec<String> {
        let svg = svg_diagram(&AnyPosition::start(RuleSet::Tablan), steps, &[], Side::First);
        svg.lines().filter(|line| line.contains(MARK)).map(str::to_owned).collect()
    }

    #[test]
    fn an_origin_differs_from_its_destination_and_a_pair_is_tied() {
        let [a1, b1, c1, d1] = [0, 1, 2, 3].map(|file| Square::new(file, 0));
        let step = |from, to| MoveStep { from: Some(from), to };
        let single = marks(&[step(a1, c1)]);
        let dashed = |line: &&String| line.contains("stroke-dasharray");
        assert_eq!((single.len(), single.iter().filter(dashed).count()), (2, 1));
        // In one row, in the same direction, in opposite ones, and one after the other.
        for pair in [[step(a1, c1), step(b1, d1)], [step(a1, c1), step(d1, b1)]] {
            let pair = marks(&pair);
            assert_eq!(pair.iter().filter(dashed).count(), 2);
            let ways: Vec<&String> =
                pair.iter().filter(|line| line.contains("data-step")).collect();
            assert_eq!(ways.len(), 2);
            assert_ne!(value(ways[0], "cy"), value(ways[1], "cy"), "on the same line");
        }
        let chain = marks(&[step(a1, b1), step(b1, d1)]);
        assert_eq!(chain.iter().filter(dashed).count(), 2);
        assert_eq!(chain.iter().filter(|line| line.contains("<rect")).count(), 3);
    }
}
