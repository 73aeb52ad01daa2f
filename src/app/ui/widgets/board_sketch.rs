//! A small flat drawing of a board, on the cards of the title screen.

use bevy_egui::egui::{Color32, Painter, Rect, Stroke, pos2, vec2};

use crate::{
    app::ui::theme,
    games::{AnyPosition, RuleSet, Side},
    table::{BoardGrid, PieceKind, SquareKind, pieces_on},
};

/// Draws the board of `rules` with its start position into the upper right
/// corner of `rect`, in its own proportions.
pub(crate) fn paint(painter: &Painter, rect: Rect, rules: RuleSet) {
    let board = BoardGrid::new(rules);
    let (files, ranks) = (f32::from(board.files), f32::from(board.ranks));
    let square_size = (rect.width() / files).min(rect.height() / ranks);
    let all = vec2(files, ranks) * square_size;
    let corner = pos2(rect.right() - all.x, rect.top());
    let at = |file: u8, rank: u8| {
        let up = f32::from(board.ranks - 1 - rank);
        Rect::from_min_size(
            corner + vec2(f32::from(file), up) * square_size,
            vec2(square_size, square_size),
        )
    };
    for &(square, kind) in &board.squares {
        painter.rect_filled(
            at(square.file, square.rank).shrink(0.5),
            0.0,
            square_color(rules, kind),
        );
    }
    for (square, piece) in pieces_on(&AnyPosition::start(rules)) {
        let middle = at(square.file, square.rank).center();
        let (color, size) = match piece {
            PieceKind::King => (theme::ACCENT, 0.42),
            PieceKind::Soldier { white: true } => (Color32::from_rgb(244, 236, 216), 0.34),
            PieceKind::Soldier { white: false } => (Color32::from_rgb(18, 15, 14), 0.34),
            PieceKind::Runner(side) | PieceKind::Stone(side) | PieceKind::Pavilion(side) => {
                (theme::side_color(rules, side), 0.34)
            }
        };
        painter.circle(middle, square_size * size, color, Stroke::new(0.5, theme::LINE));
    }
}

fn square_color(rules: RuleSet, kind: SquareKind) -> Color32 {
    match kind {
        SquareKind::Plain => Color32::from_rgb(150, 122, 88),
        SquareKind::Castle => Color32::from_rgb(112, 62, 42),
        SquareKind::Camp => Color32::from_rgb(112, 96, 80),
        SquareKind::Goal => Color32::from_rgb(176, 148, 92),
        SquareKind::StartRow(Side::First | Side::Second) => Color32::from_rgb(124, 100, 74),
        SquareKind::Plot(side) => theme::side_color(rules, side).gamma_multiply(0.72),
        SquareKind::Lake => Color32::from_rgb(58, 92, 118),
    }
}
