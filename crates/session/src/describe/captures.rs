//! Why a piece of Tablut is captured, in a sentence.

use tabulae_games::{
    Square,
    tablut::{self, CASTLE, KingCapture, Piece},
};

use super::side_label;
use crate::{
    board_grid::{SquareKind, square_kind},
    i18n::{tr, tr_args},
};

/// The capture of the piece on `at` by this move: between which two pieces or squares it
/// stands, or what closes the king in.
pub(super) fn describe_capture(before: &tablut::Position, mv: tablut::Move, at: Square) -> String {
    let captors = before.to_move();
    let stands_on = |square: Square| {
        let stood = before.piece(square).filter(|_| square != mv.from());
        square == mv.to() || stood.is_some_and(|piece| piece.army() == captors)
    };
    let is_king = before.piece(at) == Some(Piece::King);
    let around = neighbours(at);
    let is_enclosed = before.rules().king_capture == KingCapture::Enclosed;
    let place = at.to_string();
    if is_king && (is_enclosed || at == CASTLE || around.contains(&Some(CASTLE))) {
        let closers = around.map(|square| match square {
            Some(square) if stands_on(square) => square.to_string(),
            Some(square) => special_square(before, square),
            None => tr("said.the-edge").to_owned(),
        });
        let closers = closers.join(", ");
        return tr_args("said.king-enclosed", &[("at", &place), ("squares", &closers)]);
    }
    let opposite = around.iter().position(|square| *square == Some(mv.to()));
    let opposite = opposite.and_then(|index| around[index ^ 1]);
    let other = opposite.map_or_else(String::new, |square| match stands_on(square) {
        true => square.to_string(),
        false => special_square(before, square),
    });
    let loser = side_label(before.rules().set, before.rules().side(captors.other()));
    let names = [("side", loser), ("at", &place), ("one", &mv.to().to_string()), ("other", &other)];
    tr_args(if is_king { "said.king-captured" } else { "said.loses-between" }, &names)
}

/// The squares beside this one, each followed by the opposite one; none beyond the edge.
fn neighbours(at: Square) -> [Option<Square>; 4] {
    [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|(files, ranks)| {
        let file = at.file.checked_add_signed(files).filter(|file| *file < 9)?;
        let rank = at.rank.checked_add_signed(ranks).filter(|rank| *rank < 9)?;
        Some(Square::new(file, rank))
    })
}

/// A square that helps to capture although no captor stands there.
fn special_square(position: &tablut::Position, square: Square) -> String {
    match square_kind(position.rules().set, square) {
        SquareKind::Castle => tr("said.the-castle").to_owned(),
        SquareKind::Camp => tr_args("said.the-camp", &[("at", &square.to_string())]),
        _ => tr_args("said.the-corner", &[("at", &square.to_string())]),
    }
}
