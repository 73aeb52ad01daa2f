//! Which square the pointer means in the editor, where the head of a tall piece
//! can hide the middle of the square behind it.

use bevy::prelude::*;

use super::pointer::HitTargets;
use crate::{
    app::{
        core::states::Screen,
        editor::Editor,
        scene::{api::Highlights, camera::point_on_table, layout::Layout},
    },
    games::Square,
};

/// The half side of the part of a square that counts as its middle, in squares.
const MIDDLE: f32 = 0.3;

/// The camera that shows the board.
pub(super) type BoardCamera<'w, 's> =
    Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<Camera3d>>;

/// The square a click means that has hit the square `hit` at this point of the
/// window. With a piece to put down, a free square whose middle is pointed at
/// is preferred to the piece whose head hides it.
pub(super) fn editor_target(
    hit: Square,
    at: Vec2,
    camera: &BoardCamera<'_, '_>,
    layout: &Layout,
    editor: &Editor,
) -> Square {
    let point = camera.iter().next().and_then(|(camera, place)| point_on_table(camera, place, at));
    let behind = point.and_then(|point| square_at(point, layout));
    let is_free = |square: &Square| editor.draft.at(*square).is_none();
    let hides = editor.tool.is_some() && !is_free(&hit);
    behind.filter(|square| hides && is_free(square)).unwrap_or(hit)
}

/// The square that has this point of the board near its middle.
fn square_at(point: Vec2, layout: &Layout) -> Option<Square> {
    let at = Vec2::new(point.x, -point.y) + layout.half_size();
    let corner = at.floor();
    let off = (at - corner - 0.5).abs();
    let inside = corner.cmpge(Vec2::ZERO).all()
        && corner.x < f32::from(layout.files)
        && corner.y < f32::from(layout.ranks);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole numbers of a board's columns and rows"
    )]
    let square = || Square::new(corner.x as u8, corner.y as u8);
    (inside && off.max_element() < MIDDLE).then(square)
}

/// Highlights the square that a click would change.
pub(super) fn on_move(
    mut pointer: On<Pointer<Move>>,
    targets: HitTargets,
    screen: Res<State<Screen>>,
    camera: BoardCamera,
    (layout, editor): (Res<Layout>, Res<Editor>),
    mut highlights: ResMut<Highlights>,
) {
    pointer.propagate(false);
    if *screen.get() != Screen::Editor {
        return;
    }
    let Some(hit) = targets.square(pointer.entity) else { return };
    let at = pointer.pointer_location.position;
    let hovered = Some(editor_target(hit, at, &camera, &layout, &editor));
    if highlights.hovered != hovered {
        highlights.hovered = hovered;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_pointed_at_near_its_middle_only() {
        let layout = Layout::default();
        let square = |file, rank| Square::new(file, rank);
        for (file, rank) in [(0, 0), (4, 5), (8, 8)] {
            let place = layout.square_centre(square(file, rank)).xz();
            assert_eq!(square_at(place, &layout), Some(square(file, rank)));
            assert_eq!(square_at(place + Vec2::new(0.2, -0.2), &layout), Some(square(file, rank)));
            assert_eq!(square_at(place + Vec2::new(0.4, 0.0), &layout), None);
        }
        for off in [Vec2::new(-4.8, 0.0), Vec2::new(0.0, 5.0), Vec2::new(9.0, 0.0)] {
            assert_eq!(square_at(off, &layout), None, "{off}");
        }
    }
}
