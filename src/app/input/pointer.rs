//! What clicks and drags of the mouse or a finger mean on each screen.

use bevy::{
    ecs::system::SystemParam,
    picking::pointer::{PointerAction, PointerButton, PointerInput},
    prelude::*,
};
use bevy_egui::EguiContext;

use super::hit_test;
use crate::{
    app::{
        core::{
            actions::{Action, EditorAction, GameAction, ReplayAction},
            states::Screen,
        },
        editor::Editor,
        platform::upstream_fixes,
        scene::{
            api::{Highlights, IsDrawing},
            camera::TouchGesture,
            components::{OnSquare, Piece, ThrowTarget},
            layout::Layout,
        },
        settings::{Settings, options::MoveInput},
    },
    games::Square,
    records::{Shape, ShapeColor},
};

/// The state of a press and the drag that follows it.
#[derive(Resource, Default)]
pub(super) struct DragState {
    /// The square that the start of the drag has selected.
    selected: Option<Square>,
    /// Whether the primary button was pressed on the sticks.
    pressed_on_sticks: bool,
    /// How far the secondary button was dragged, in logical pixels.
    secondary_distance: f32,
}

/// A secondary drag up to this many logical pixels is a click, a longer one
/// turns the camera.
const CLICK_SLACK: f32 = 6.0;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<DragState>()
        .add_plugins((MeshPickingPlugin, upstream_fixes::pointer_sequence::plugin))
        .add_observer(on_click)
        .add_observer(on_press)
        .add_observer(on_release)
        .add_observer(on_over)
        .add_observer(on_out)
        .add_observer(hit_test::on_move)
        .add_observer(on_drag_start)
        .add_observer(on_drag)
        .add_observer(on_drag_drop)
        .add_observer(on_drag_end);
}

/// Finds what an entity that was hit belongs to: itself, or its ancestors.
#[derive(SystemParam)]
pub(super) struct HitTargets<'w, 's> {
    squares: Query<'w, 's, &'static OnSquare>,
    throw_targets: Query<'w, 's, (), With<ThrowTarget>>,
    parents: Query<'w, 's, &'static ChildOf>,
}

impl HitTargets<'_, '_> {
    fn with_ancestors(&self, entity: Entity) -> impl Iterator<Item = Entity> {
        std::iter::once(entity).chain(self.parents.iter_ancestors(entity))
    }

    /// The square that was hit, by its plot or its piece.
    pub(super) fn square(&self, entity: Entity) -> Option<Square> {
        self.with_ancestors(entity).find_map(|it| self.squares.get(it).ok()).map(|it| it.0)
    }

    /// Whether the sticks were hit, or the light they wait on.
    fn is_throw(&self, entity: Entity) -> bool {
        self.with_ancestors(entity).any(|it| self.throw_targets.contains(it))
    }
}

fn on_click(
    mut click: On<Pointer<Click>>,
    targets: HitTargets,
    panels: Query<(), With<EguiContext>>,
    screen: Res<State<Screen>>,
    settings: Res<Settings>,
    highlights: Res<Highlights>,
    gesture: Res<TouchGesture>,
    camera: hit_test::BoardCamera,
    (layout, editor, keys): (Res<Layout>, Res<Editor>, Res<ButtonInput<KeyCode>>),
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    click.propagate(false);
    if panels.contains(click.entity) || gesture.is_camera_gesture() {
        return;
    }
    let hit = targets.square(click.entity);
    if click.button == PointerButton::Secondary {
        if std::mem::take(&mut drag.secondary_distance) <= CLICK_SLACK {
            if let (Screen::Replay, Some(from)) = (screen.get(), hit) {
                actions.write(draw(from, None, &keys));
                return;
            }
            // In the editor it removes the piece.
            let removed = hit.filter(|_| *screen.get() == Screen::Editor);
            actions.write(removed.map_or_else(
                || GameAction::Deselect.into(),
                |square| EditorAction::MovePiece(square, None).into(),
            ));
        }
        return;
    }
    if click.button != PointerButton::Primary {
        return;
    }
    match (screen.get(), hit) {
        (Screen::Editor, Some(hit)) if drag.selected.take() != Some(hit) => {
            let at = click.pointer_location.position;
            let square = hit_test::editor_target(hit, at, &camera, &layout, &editor);
            actions.write(GameAction::SelectSquare(square).into());
        }
        (Screen::Table, Some(square)) => {
            // Where pieces are only dragged, a click selects but does not move.
            let is_move =
                highlights.selected.len() % 2 == 1 && highlights.reachable.contains(&square);
            let allowed = settings.move_input != MoveInput::Drag || !is_move;
            if drag.selected.take() != Some(square) && allowed {
                actions.write(GameAction::SelectSquare(square).into());
            }
        }
        (Screen::Table, None) if !targets.is_throw(click.entity) => {
            actions.write(GameAction::Deselect.into());
        }
        // The game answers why nothing can be played in a replay.
        (Screen::Replay, Some(square)) => {
            actions.write(GameAction::SelectSquare(square).into());
        }
        _ => {}
    }
}

/// Draws a circle, or an arrow `to` another square. As on lichess, Shift or Control
/// makes it red, Alt blue, and both yellow.
fn draw(from: Square, to: Option<Square>, keys: &ButtonInput<KeyCode>) -> Action {
    use KeyCode::{AltLeft, AltRight, ControlLeft, ControlRight, ShiftLeft, ShiftRight};
    let red = keys.any_pressed([ShiftLeft, ShiftRight, ControlLeft, ControlRight]);
    let color = match (red, keys.any_pressed([AltLeft, AltRight])) {
        (false, false) => ShapeColor::Green,
        (true, false) => ShapeColor::Red,
        (false, true) => ShapeColor::Blue,
        (true, true) => ShapeColor::Yellow,
    };
    ReplayAction::ToggleShape(Shape { from, to, color }).into()
}

/// The sticks lie side by side: a press on one and a release on another one is
/// a click on all of them.
fn on_press(
    mut press: On<Pointer<Press>>,
    targets: HitTargets,
    screen: Res<State<Screen>>,
    mut drag: ResMut<DragState>,
    mut drawing: ResMut<IsDrawing>,
) {
    press.propagate(false);
    if press.button == PointerButton::Secondary {
        drawing.0 = *screen.get() == Screen::Replay && targets.square(press.entity).is_some();
    }
    if press.button == PointerButton::Primary {
        drag.pressed_on_sticks = targets.is_throw(press.entity);
        drag.selected = None;
    }
}

fn on_release(
    mut release: On<Pointer<Release>>,
    targets: HitTargets,
    screen: Res<State<Screen>>,
    gesture: Res<TouchGesture>,
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    release.propagate(false);
    let in_game = release.button == PointerButton::Primary && *screen.get() == Screen::Table;
    if in_game
        && targets.is_throw(release.entity)
        && std::mem::take(&mut drag.pressed_on_sticks)
        && !gesture.is_camera_gesture()
    {
        actions.write(GameAction::Throw.into());
    }
}

fn on_over(mut over: On<Pointer<Over>>, targets: HitTargets, mut highlights: ResMut<Highlights>) {
    over.propagate(false);
    let hovered = targets.square(over.entity);
    let sticks_hovered = targets.is_throw(over.entity);
    if (highlights.hovered, highlights.sticks_hovered) != (hovered, sticks_hovered) {
        highlights.hovered = hovered;
        highlights.sticks_hovered = sticks_hovered;
    }
}

fn on_out(mut out: On<Pointer<Out>>, targets: HitTargets, mut highlights: ResMut<Highlights>) {
    out.propagate(false);
    let square = targets.square(out.entity);
    if square.is_some() && highlights.hovered == square {
        highlights.hovered = None;
    }
}

/// A drag on a piece selects it, so that its destinations light up at once.
fn on_drag_start(
    mut start: On<Pointer<DragStart>>,
    targets: HitTargets,
    pieces: Query<&OnSquare, With<Piece>>,
    highlights: Res<Highlights>,
    settings: Res<Settings>,
    screen: Res<State<Screen>>,
    gesture: Res<TouchGesture>,
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    start.propagate(false);
    if gesture.is_camera_gesture() {
        return;
    }
    drag.selected = None;
    if start.button == PointerButton::Secondary {
        drag.secondary_distance = 0.0;
    }
    let in_editor = *screen.get() == Screen::Editor;
    let drags_pieces = in_editor || settings.move_input != MoveInput::Click;
    if start.button != PointerButton::Primary || !drags_pieces {
        return;
    }
    let Some(square) = targets.square(start.entity) else { return };
    let has_piece = pieces.iter().any(|piece| piece.0 == square);
    if in_editor {
        // The drop decides what happens to the piece.
        drag.selected = has_piece.then_some(square);
        return;
    }
    if *screen.get() != Screen::Table {
        return;
    }
    // After a whole step the next selection is a piece, which may stand on a
    // square that is lit as a destination.
    let piece_is_next = highlights.selected.len().is_multiple_of(2);
    let selectable = (piece_is_next || !highlights.reachable.contains(&square))
        && highlights.selected.last() != Some(&square);
    if has_piece && selectable {
        drag.selected = Some(square);
        actions.write(GameAction::SelectSquare(square).into());
    }
}

fn on_drag(mut moved: On<Pointer<Drag>>, mut drag: ResMut<DragState>) {
    moved.propagate(false);
    if moved.button == PointerButton::Secondary {
        drag.secondary_distance = drag.secondary_distance.max(moved.distance.length());
    }
}

/// Ends a drag. The click or the drop that belongs to it comes before.
fn on_drag_end(mut end: On<Pointer<DragEnd>>, mut drag: ResMut<DragState>) {
    end.propagate(false);
    match end.button {
        PointerButton::Secondary => drag.secondary_distance = 0.0,
        PointerButton::Primary => drag.selected = None,
        PointerButton::Middle => {}
    }
}

/// A drop on a destination moves the piece there; a drop anywhere else leaves
/// it selected.
fn on_drag_drop(
    mut drop: On<Pointer<DragDrop>>,
    targets: HitTargets,
    highlights: Res<Highlights>,
    screen: Res<State<Screen>>,
    (gesture, keys): (Res<TouchGesture>, Res<ButtonInput<KeyCode>>),
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    drop.propagate(false);
    if drop.button == PointerButton::Secondary && *screen.get() == Screen::Replay {
        let ends = targets.square(drop.dropped).zip(targets.square(drop.entity));
        if let Some((from, to)) = ends.filter(|(from, to)| from != to) {
            actions.write(draw(from, Some(to), &keys));
        }
        return;
    }
    if drop.button != PointerButton::Primary || gesture.is_camera_gesture() {
        return;
    }
    let to = targets.square(drop.entity);
    if *screen.get() == Screen::Editor {
        if let Some(from) = drag.selected.filter(|&from| to != Some(from)) {
            actions.write(EditorAction::MovePiece(from, to).into());
        }
        return;
    }
    let (Some(from), Some(to)) = (targets.square(drop.dropped), to) else { return };
    if from != to && highlights.selected.last() == Some(&from) && highlights.reachable.contains(&to)
    {
        actions.write(GameAction::SelectSquare(to).into());
    }
    if from != to {
        drag.selected = None;
    }
}

/// A second finger turns a drag into a camera gesture, and the system may cancel a touch:
/// what the drag has selected is deselected.
pub(super) fn cancel_selection(
    mut inputs: MessageReader<PointerInput>,
    gesture: Res<TouchGesture>,
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    let is_cancelled =
        inputs.read().filter(|it| matches!(it.action, PointerAction::Cancel)).count() > 0;
    if is_cancelled {
        drag.pressed_on_sticks = false;
    }
    if (is_cancelled || gesture.is_camera_gesture()) && drag.selected.take().is_some() {
        actions.write(GameAction::Deselect.into());
    }
}
