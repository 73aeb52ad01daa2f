//! What clicks and drags mean in a replay: moves of variations, circles and arrows.

use bevy::picking::pointer::PointerButton;

use super::pointer::{DragState, HitTargets};
use crate::{
    app::{core::prelude::*, scene::api::IsDrawing},
    records::{Shape, ShapeColor},
};

pub(super) fn plugin(app: &mut App) {
    let in_replay = in_state(Screen::Replay);
    app.add_observer(on_click.run_if(in_replay.clone()))
        .add_observer(on_press)
        .add_observer(on_drag_drop.run_if(in_replay));
}

/// A primary click selects a square, whose moves are variations; a secondary click draws.
fn on_click(
    mut click: On<Pointer<Click>>,
    targets: HitTargets,
    keys: Res<ButtonInput<KeyCode>>,
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    click.propagate(false);
    let button = targets.clicked(&click, &mut drag);
    let action = match (button, targets.square(click.entity)) {
        (Some(PointerButton::Secondary), Some(from)) => draw(from, None, &keys),
        (Some(PointerButton::Secondary), None) => GameAction::Deselect.into(),
        (Some(PointerButton::Primary), Some(square)) => GameAction::SelectSquare(square).into(),
        _ => return,
    };
    actions.write(action);
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

/// A secondary press on a square begins a drawing; any other one turns the camera.
fn on_press(
    mut press: On<Pointer<Press>>,
    targets: HitTargets,
    screen: Res<State<Screen>>,
    mut drawing: ResMut<IsDrawing>,
) {
    press.propagate(false);
    if press.button == PointerButton::Secondary {
        drawing.0 = *screen.get() == Screen::Replay && targets.square(press.entity).is_some();
    }
}

/// Draws an arrow.
fn on_drag_drop(
    mut drop: On<Pointer<DragDrop>>,
    targets: HitTargets,
    keys: Res<ButtonInput<KeyCode>>,
    mut actions: MessageWriter<Action>,
) {
    drop.propagate(false);
    let ends = targets.square(drop.dropped).zip(targets.square(drop.entity));
    if let Some((from, to)) = ends.filter(|(from, to)| from != to)
        && drop.button == PointerButton::Secondary
    {
        actions.write(draw(from, Some(to), &keys));
    }
}
