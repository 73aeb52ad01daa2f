//! A piece as the flat diagram draws it.

use bevy::{color::Luminance as _, prelude::Color};

use crate::{
    app::ui::{prelude::*, theme::WOOD},
    session::shapes::{
        CROWN, CROWN_PARTS, DOT_RADIUS, GOLD, HOUSE, HOUSE_PARTS, INK, KING_RADIUS, LINE,
        PIECE_RADIUS, RING, Rgb, SQUARE, WHITE, emblem_color,
    },
};

/// Paints a piece on a wooden square of this height around a point; without a piece, a
/// cross. Of Tablaaza's pieces both sides' are shown, since the square says whose one is.
pub(crate) fn paint(
    painter: &Painter,
    middle: Pos2,
    height: f32,
    rules: RuleSet,
    piece: Option<PieceKind>,
) {
    let Some(piece) = piece else {
        let (end, cross) = (0.25 * height, Stroke::new(0.1 * height, ERROR));
        for arm in [vec2(end, end), vec2(end, -end)] {
            painter.line_segment([middle - arm, middle + arm], cross);
        }
        return;
    };
    let square = Rect::from_center_size(middle, Vec2::splat(height));
    painter.rect_filled(square, 0.1 * height, WOOD);
    let scale = height / SQUARE;
    let half =
        |at: f32| Drawing { painter, middle: middle + Vec2::splat(at), scale: 0.6 * scale, rules };
    let offset = 0.2 * height;
    match piece {
        PieceKind::Stone(_) => {
            half(-offset).piece(PieceKind::Stone(Side::First));
            half(offset).piece(PieceKind::Stone(Side::Second));
        }
        PieceKind::Pavilion(_) => {
            half(-offset).piece(PieceKind::Pavilion(Side::First));
            half(offset).piece(PieceKind::Pavilion(Side::Second));
        }
        PieceKind::King | PieceKind::Soldier { .. } | PieceKind::Runner(_) => {
            Drawing { painter, middle, scale, rules }.piece(piece);
        }
    }
}

/// Where a piece is drawn, and how large.
struct Drawing<'a> {
    painter: &'a Painter,
    middle: Pos2,
    /// The points for a unit of the shapes.
    scale: f32,
    rules: RuleSet,
}

impl Drawing<'_> {
    fn piece(&self, piece: PieceKind) {
        match piece {
            PieceKind::Soldier { white } => {
                self.disc(PIECE_RADIUS, color(if white { WHITE } else { INK }));
            }
            PieceKind::King => {
                self.disc(KING_RADIUS, color(WHITE));
                self.polygon(&CROWN, &CROWN_PARTS, color(GOLD));
            }
            PieceKind::Runner(side) | PieceKind::Stone(side) => {
                let fill = theme::side_color(self.rules, side);
                self.disc(PIECE_RADIUS, fill);
                self.emblem(side, fill);
            }
            PieceKind::Pavilion(side) => {
                let fill = theme::side_color(self.rules, side);
                self.polygon(&HOUSE, &HOUSE_PARTS, fill);
                self.emblem(side, fill);
            }
        }
    }

    fn line(&self) -> Stroke {
        Stroke::new(LINE * self.scale, color(INK))
    }

    fn disc(&self, radius: f32, fill: Color32) {
        self.painter.circle(self.middle, radius * self.scale, fill, self.line());
    }

    /// Fills an outline by its convex parts, and draws it.
    fn polygon(&self, outline: &[(f32, f32)], parts: &[&[usize]], fill: Color32) {
        let place = |at: (f32, f32)| self.middle + self.scale * Vec2::from(at);
        for part in parts {
            let points = part.iter().map(|&index| place(outline[index])).collect();
            self.painter.add(Shape::convex_polygon(points, fill, Stroke::NONE));
        }
        let points = outline.iter().copied().map(place).collect();
        self.painter.add(Shape::closed_line(points, self.line()));
    }

    /// What tells the sides apart without colours.
    fn emblem(&self, side: Side, ground: Color32) {
        let [red, green, blue, _] = ground.to_array();
        let color = color(emblem_color(Color::srgb_u8(red, green, blue).to_linear().luminance()));
        let (radius, width) = RING;
        let stroke = Stroke::new(width * self.scale, color);
        match side {
            Side::First => self.painter.circle_filled(self.middle, DOT_RADIUS * self.scale, color),
            Side::Second => self.painter.circle_stroke(self.middle, radius * self.scale, stroke),
        };
    }
}

const fn color(Rgb(red, green, blue): Rgb) -> Color32 {
    Color32::from_rgb(red, green, blue)
}
