//! What mouse and finger have hit, and the press or drag that goes on. What a click or a
//! drag means is said by the screen: [`table`](super::table), [`editor`](super::editor),
//! [`replay`](super::replay).

use bevy::picking::pointer::{PointerAction, PointerButton, PointerId, PointerInput};
use bevy_egui::EguiContext;

use crate::app::{
    core::prelude::*,
    platform::upstream_fixes,
    scene::{
        api::{Hand, Holdable, InHand, Pointed},
        camera::TouchGesture,
        components::{Bowl, OnSquare, Piece, ThrowTarget},
    },
};

/// The state of a press and the drag that follows it.
#[derive(Resource, Default)]
pub(super) struct DragState {
    /// The square that the start of the drag has selected.
    pub(super) selected: Option<Square>,
    /// Whether the primary button was pressed on the sticks.
    pub(super) pressed_on_sticks: bool,
    /// How far the secondary button was dragged, in logical pixels.
    secondary_distance: f32,
}

/// A drag up to this many logical pixels is a click. A longer one of the secondary button
/// turns the camera, one of the primary button lifts the piece.
const CLICK_SLACK: f32 = 6.0;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<DragState>()
        .add_plugins((MeshPickingPlugin, upstream_fixes::pointer_sequence::plugin))
        .add_observer(on_press)
        .add_observer(on_over)
        .add_observer(on_out)
        .add_observer(on_drag_start)
        .add_observer(on_drag)
        .add_observer(on_drag_end);
}

/// Tells what was hit. Whatever can be hit says itself what it stands for.
#[derive(SystemParam)]
pub(super) struct HitTargets<'w, 's> {
    squares: Query<'w, 's, &'static OnSquare>,
    pieces: Query<'w, 's, &'static OnSquare, With<Piece>>,
    throw_targets: Query<'w, 's, (), With<ThrowTarget>>,
    bowls: Query<'w, 's, &'static Bowl>,
    panels: Query<'w, 's, (), With<EguiContext>>,
    gesture: Res<'w, TouchGesture>,
}

impl HitTargets<'_, '_> {
    /// The square that was hit, by its plot or its piece.
    pub(super) fn square(&self, entity: Entity) -> Option<Square> {
        self.squares.get(entity).ok().map(|found| found.0)
    }

    /// Whether a piece stands on a square.
    pub(super) fn has_piece(&self, square: Square) -> bool {
        self.pieces.iter().any(|piece| piece.0 == square)
    }

    /// Whether the sticks were hit, or the light they wait on.
    pub(super) fn is_throw(&self, entity: Entity) -> bool {
        self.throw_targets.contains(entity)
    }

    /// The side whose bowl of stones was hit.
    pub(super) fn bowl(&self, entity: Entity) -> Option<Side> {
        self.bowls.get(entity).ok().map(|bowl| bowl.0)
    }

    /// Whether the fingers move the camera.
    pub(super) fn is_camera_gesture(&self) -> bool {
        self.gesture.is_camera_gesture()
    }

    /// The button of a click on the table: not on a panel, not of fingers that move the
    /// camera, and not the end of a drag that turned it.
    pub(super) fn clicked(
        &self,
        click: &Pointer<Click>,
        drag: &mut DragState,
    ) -> Option<PointerButton> {
        if self.panels.contains(click.entity) || self.is_camera_gesture() {
            return None;
        }
        let turned_camera = click.button == PointerButton::Secondary
            && std::mem::take(&mut drag.secondary_distance) > CLICK_SLACK;
        (!turned_camera).then_some(click.button)
    }
}

/// The sticks lie side by side: a press on one and a release on another one is
/// a click on all of them.
fn on_press(mut press: On<Pointer<Press>>, targets: HitTargets, mut drag: ResMut<DragState>) {
    press.propagate(false);
    if press.button == PointerButton::Primary {
        drag.pressed_on_sticks = targets.is_throw(press.entity);
        drag.selected = None;
    }
}

fn on_over(mut over: On<Pointer<Over>>, targets: HitTargets, mut pointer: ResMut<Pointed>) {
    over.propagate(false);
    let (square, sticks) = (targets.square(over.entity), targets.is_throw(over.entity));
    pointer.set_if_neq(Pointed { square, sticks, ..*pointer });
}

fn on_out(mut out: On<Pointer<Out>>, targets: HitTargets, mut pointer: ResMut<Pointed>) {
    out.propagate(false);
    let square = targets.square(out.entity);
    if square.is_some() && pointer.square == square {
        pointer.square = None;
    }
}

fn on_drag_start(
    mut start: On<Pointer<DragStart>>,
    targets: HitTargets,
    mut drag: ResMut<DragState>,
) {
    start.propagate(false);
    if start.button == PointerButton::Secondary && !targets.is_camera_gesture() {
        drag.secondary_distance = 0.0;
    }
}

fn on_drag(mut moved: On<Pointer<Drag>>, mut drag: ResMut<DragState>) {
    moved.propagate(false);
    if moved.button == PointerButton::Secondary {
        drag.secondary_distance = drag.secondary_distance.max(moved.distance.length());
    }
}

/// Whether a drag is longer than a click, and so picks up what it began on.
pub(super) fn picks_up(drag: &Pointer<Drag>) -> bool {
    drag.button == PointerButton::Primary && drag.distance.length() > CLICK_SLACK
}

/// The hand of a drag that holds something.
pub(super) fn hand_with(what: Holdable, drag: &Pointer<Drag>) -> Hand {
    Hand(Some(InHand {
        what,
        pointer: drag.pointer_location.position,
        by_finger: matches!(drag.pointer_id, PointerId::Touch(_)),
    }))
}

/// Ends a drag. The click or the drop that belongs to it comes before.
fn on_drag_end(mut end: On<Pointer<DragEnd>>, mut drag: ResMut<DragState>, mut hand: ResMut<Hand>) {
    end.propagate(false);
    hand.set_if_neq(Hand::default());
    match end.button {
        PointerButton::Secondary => drag.secondary_distance = 0.0,
        PointerButton::Primary => drag.selected = None,
        PointerButton::Middle => {}
    }
}

/// A second finger turns a drag into a camera gesture, and the system may cancel a touch:
/// what the drag has selected is deselected.
pub(super) fn cancel_selection(
    mut inputs: MessageReader<PointerInput>,
    gesture: Res<TouchGesture>,
    mut drag: ResMut<DragState>,
    mut hand: ResMut<Hand>,
    mut actions: MessageWriter<Action>,
) {
    let is_cancelled =
        inputs.read().filter(|input| matches!(input.action, PointerAction::Cancel)).count() > 0;
    if is_cancelled {
        drag.pressed_on_sticks = false;
    }
    if is_cancelled || gesture.is_camera_gesture() {
        hand.set_if_neq(Hand::default());
        if drag.selected.take().is_some() {
            actions.write(GameAction::Deselect.into());
        }
    }
}
