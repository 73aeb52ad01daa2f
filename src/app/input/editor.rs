//! What clicks and drags mean in the editor. The head of a tall piece can hide the middle
//! of the square behind it.

use bevy::picking::pointer::PointerButton;

use super::pointer::{DragState, HitTargets, hand_with, picks_up};
use crate::app::{
    core::prelude::*,
    editor::Editor,
    scene::{
        api::{Hand, Holdable, Pointed},
        camera::point_on_table,
        layout::BoardLayout,
    },
};

/// The half side of the part of a square that counts as its middle, in squares.
const MIDDLE: f32 = 0.3;

pub(super) fn plugin(app: &mut App) {
    let in_editor = in_state(Screen::Editor);
    app.add_observer(on_click.run_if(in_editor.clone()))
        .add_observer(on_move.run_if(in_editor.clone()))
        .add_observer(on_drag_start.run_if(in_editor.clone()))
        .add_observer(on_drag.run_if(in_editor.clone()))
        .add_observer(on_drag_drop.run_if(in_editor));
}

/// Finds the square that a click means.
#[derive(SystemParam)]
struct PointedSquare<'w, 's> {
    camera: Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<Camera3d>>,
    layout: Res<'w, BoardLayout>,
    editor: Res<'w, Editor>,
}

impl PointedSquare<'_, '_> {
    /// The square a click means that has hit the square `hit` at this point of the
    /// window. With a piece to put down, a free square whose middle is pointed at
    /// is preferred to the piece whose head hides it.
    fn find(&self, hit: Square, at: Vec2) -> Square {
        let camera = self.camera.iter().next();
        let point = camera.and_then(|(camera, place)| point_on_table(camera, place, at));
        let behind = point.and_then(|point| square_at(point, &self.layout));
        let is_free = |square: &Square| self.editor.draft.at(*square).is_none();
        let hides = self.editor.tool.is_some() && !is_free(&hit);
        behind.filter(|square| hides && is_free(square)).unwrap_or(hit)
    }
}

/// The square that has this point of the board near its middle.
fn square_at(point: Vec2, layout: &BoardLayout) -> Option<Square> {
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

/// Puts a piece down; the secondary button removes it.
fn on_click(
    mut click: On<Pointer<Click>>,
    targets: HitTargets,
    pointed: PointedSquare,
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    click.propagate(false);
    let button = targets.clicked(&click, &mut drag);
    let Some(hit) = targets.square(click.entity) else { return };
    match button {
        Some(PointerButton::Secondary) => {
            actions.write(EditorAction::MovePiece(hit, None).into());
        }
        Some(PointerButton::Primary) if drag.selected.take() != Some(hit) => {
            let square = pointed.find(hit, click.pointer_location.position);
            actions.write(GameAction::SelectSquare(square).into());
        }
        _ => {}
    }
}

/// Highlights the square that a click would change.
fn on_move(
    mut moved: On<Pointer<Move>>,
    targets: HitTargets,
    pointed: PointedSquare,
    mut pointer: ResMut<Pointed>,
) {
    moved.propagate(false);
    let Some(hit) = targets.square(moved.entity) else { return };
    let square = Some(pointed.find(hit, moved.pointer_location.position));
    pointer.set_if_neq(Pointed { square, ..*pointer });
}

/// Picks up a piece. The drop decides what happens to it.
fn on_drag_start(
    mut start: On<Pointer<DragStart>>,
    targets: HitTargets,
    mut drag: ResMut<DragState>,
) {
    start.propagate(false);
    if targets.is_camera_gesture() {
        return;
    }
    let square = targets.square(start.entity).filter(|_| start.button == PointerButton::Primary);
    drag.selected = square.filter(|square| targets.has_piece(*square));
}

/// Holds the piece.
fn on_drag(
    mut moved: On<Pointer<Drag>>,
    targets: HitTargets,
    drag: Res<DragState>,
    mut hand: ResMut<Hand>,
) {
    moved.propagate(false);
    if let Some(from) = drag.selected.filter(|_| picks_up(&moved) && !targets.is_camera_gesture()) {
        hand.set_if_neq(hand_with(Holdable::Piece(from), &moved));
    }
}

/// A drop moves the piece, or removes it from the board.
fn on_drag_drop(
    mut drop: On<Pointer<DragDrop>>,
    targets: HitTargets,
    drag: Res<DragState>,
    mut actions: MessageWriter<Action>,
) {
    drop.propagate(false);
    if drop.button != PointerButton::Primary || targets.is_camera_gesture() {
        return;
    }
    let to = targets.square(drop.entity);
    if let Some(from) = drag.selected.filter(|from| to != Some(*from)) {
        actions.write(EditorAction::MovePiece(from, to).into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_pointed_at_near_its_middle_only() {
        let layout = BoardLayout::default();
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
