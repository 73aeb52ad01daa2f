//! Which square the pointer means while a position is set up: the head of a
//! tall piece hides the middle of the square behind it.

use bevy::prelude::*;

use super::find;
use crate::{
    app::{
        core::states::Screen,
        editor::Editor,
        scene::{
            api::{Highlights, OnSquare},
            camera::point_on_table,
            layout::Layout,
        },
    },
    games::Square,
};

/// How far from its middle a square is pointed at, in squares each way.
const MIDDLE: f32 = 0.3;

/// The camera that shows the board.
pub(crate) type Eye<'w, 's> =
    Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<Camera3d>>;

/// What was hit belongs to the square `over`; `at` is the pointer's place in
/// the window. A free square whose middle is pointed at is meant rather than
/// the piece whose head covers it, where there is something to put down.
pub(crate) fn meant(
    over: Square,
    at: Vec2,
    eye: &Eye<'_, '_>,
    layout: &Layout,
    editor: &Editor,
) -> Square {
    let ground = eye.iter().next().and_then(|(camera, place)| point_on_table(camera, place, at));
    let behind = ground.and_then(|ground| middle(ground, layout));
    let free = |square: &Square| editor.draft.at(*square).is_none();
    let puts = editor.tool.is_some() && !free(&over);
    behind.filter(|square| puts && free(square)).unwrap_or(over)
}

/// The square that this point of the board is near the middle of.
fn middle(ground: Vec2, layout: &Layout) -> Option<Square> {
    let at = Vec2::new(ground.x, -ground.y) + layout.half_size();
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

/// What is lit up under the pointer is what a click would change.
pub(crate) fn moved(
    mut pointer: On<Pointer<Move>>,
    spots: Query<&OnSquare>,
    parents: Query<&ChildOf>,
    screen: Res<State<Screen>>,
    eye: Eye,
    (layout, editor): (Res<Layout>, Res<Editor>),
    mut marks: ResMut<Highlights>,
) {
    pointer.propagate(false);
    if *screen.get() != Screen::Editor {
        return;
    }
    let Some(OnSquare(over)) = find(pointer.entity, &spots, &parents) else { return };
    let hovered = Some(meant(over, pointer.pointer_location.position, &eye, &layout, &editor));
    if marks.hovered != hovered {
        marks.hovered = hovered;
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
            assert_eq!(middle(place, &layout), Some(square(file, rank)));
            assert_eq!(middle(place + Vec2::new(0.2, -0.2), &layout), Some(square(file, rank)));
            assert_eq!(middle(place + Vec2::new(0.4, 0.0), &layout), None);
        }
        for off in [Vec2::new(-4.8, 0.0), Vec2::new(0.0, 5.0), Vec2::new(9.0, 0.0)] {
            assert_eq!(middle(off, &layout), None, "{off}");
        }
    }
}
