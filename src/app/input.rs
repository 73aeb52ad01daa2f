//! Mouse and keys become acts.
//!
//! The mouse goes through `bevy::picking` (what was bevy_mod_picking): every
//! square, piece and stick of the scene is hit by its mesh, and what a click
//! or a drag means is decided here. Panels catch the pointer before the scene
//! does.

use bevy::{picking::pointer::PointerButton, prelude::*};
use bevy_egui::{EguiContext, input::EguiWantsInput};

use super::{
    acts::Act,
    stage::{Figurine, Marks, Screen, Spot, Stick},
};
use crate::games::Square;

/// A drag that began on a piece.
#[derive(Resource, Default)]
struct Drag {
    /// The square that the beginning of the drag already touched.
    touched: Option<Square>,
    /// How far a right-button drag went, in logical pixels: a short one is a
    /// click.
    right: f32,
}

/// Beyond this many logical pixels a right click is an orbit.
const CLICK_SLACK: f32 = 6.0;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Drag>()
        .add_plugins(MeshPickingPlugin)
        .add_observer(clicked)
        .add_observer(entered)
        .add_observer(left)
        .add_observer(drag_started)
        .add_observer(dragged)
        .add_observer(dropped)
        .add_observer(drag_ended)
        .add_systems(
            Update,
            keys.run_if(not(super::panels::holds_keys)).in_set(super::Steps::Input),
        );
}

fn clicked(
    mut click: On<Pointer<Click>>,
    spots: Query<&Spot>,
    sticks: Query<&Stick>,
    panels: Query<(), With<EguiContext>>,
    parents: Query<&ChildOf>,
    screen: Res<State<Screen>>,
    mut drag: ResMut<Drag>,
    mut acts: MessageWriter<Act>,
) {
    let target = click.entity;
    click.propagate(false);
    if panels.contains(target) {
        return;
    }
    match click.button {
        PointerButton::Secondary => {
            if std::mem::take(&mut drag.right) <= CLICK_SLACK {
                acts.write(Act::LetGo);
            }
        }
        PointerButton::Primary if *screen.get() == Screen::Table => {
            if let Some(Spot(square)) = find(target, &spots, &parents) {
                if drag.touched.take() != Some(square) {
                    acts.write(Act::Touch(square));
                }
            } else if find(target, &sticks, &parents).is_some() {
                acts.write(Act::Throw);
            } else {
                acts.write(Act::LetGo);
            }
        }
        PointerButton::Primary | PointerButton::Middle => {}
    }
}

fn entered(
    mut over: On<Pointer<Over>>,
    spots: Query<&Spot>,
    sticks: Query<&Stick>,
    parents: Query<&ChildOf>,
    mut marks: ResMut<Marks>,
) {
    over.propagate(false);
    let hovered = find(over.entity, &spots, &parents).map(|spot| spot.0);
    let sticks_hovered = find(over.entity, &sticks, &parents).is_some();
    if (marks.hovered, marks.sticks_hovered) != (hovered, sticks_hovered) {
        marks.hovered = hovered;
        marks.sticks_hovered = sticks_hovered;
    }
}

fn left(
    mut out: On<Pointer<Out>>,
    spots: Query<&Spot>,
    parents: Query<&ChildOf>,
    mut marks: ResMut<Marks>,
) {
    out.propagate(false);
    let spot = find(out.entity, &spots, &parents).map(|spot| spot.0);
    if spot.is_some() && marks.hovered == spot {
        marks.hovered = None;
    }
}

/// A drag on a piece chooses it, so that its destinations light up at once.
fn drag_started(
    mut start: On<Pointer<DragStart>>,
    spots: Query<&Spot>,
    figurines: Query<&Figurine>,
    parents: Query<&ChildOf>,
    marks: Res<Marks>,
    mut drag: ResMut<Drag>,
    mut acts: MessageWriter<Act>,
) {
    start.propagate(false);
    drag.touched = None;
    if start.button == PointerButton::Secondary {
        drag.right = 0.0;
    }
    if start.button != PointerButton::Primary {
        return;
    }
    let Some(Spot(square)) = find(start.entity, &spots, &parents) else { return };
    let carries = figurines.iter().any(|figurine| figurine.0.at == square);
    // After whole steps a piece is due, and may well be one of those lit up.
    let piece_due = marks.chosen.len().is_multiple_of(2);
    let free =
        (piece_due || !marks.reachable.contains(&square)) && marks.chosen.last() != Some(&square);
    if carries && free {
        drag.touched = Some(square);
        acts.write(Act::Touch(square));
    }
}

fn dragged(mut moved: On<Pointer<bevy::picking::events::Drag>>, mut drag: ResMut<Drag>) {
    moved.propagate(false);
    if moved.button == PointerButton::Secondary {
        drag.right = drag.right.max(moved.distance.length());
    }
}

/// What a drag left behind ends with it (a click or a drop comes before).
fn drag_ended(mut end: On<Pointer<DragEnd>>, mut drag: ResMut<Drag>) {
    end.propagate(false);
    match end.button {
        PointerButton::Secondary => drag.right = 0.0,
        PointerButton::Primary => drag.touched = None,
        PointerButton::Middle => {}
    }
}

/// A drop where the piece can go is a touch there; anywhere else the piece
/// stays chosen.
fn dropped(
    mut drop: On<Pointer<DragDrop>>,
    spots: Query<&Spot>,
    parents: Query<&ChildOf>,
    marks: Res<Marks>,
    mut drag: ResMut<Drag>,
    mut acts: MessageWriter<Act>,
) {
    drop.propagate(false);
    if drop.button != PointerButton::Primary {
        return;
    }
    let from = find(drop.dropped, &spots, &parents).map(|spot| spot.0);
    let to = find(drop.entity, &spots, &parents).map(|spot| spot.0);
    let (Some(from), Some(to)) = (from, to) else { return };
    if from != to && marks.chosen.last() == Some(&from) && marks.reachable.contains(&to) {
        acts.write(Act::Touch(to));
    }
    if from != to {
        drag.touched = None;
    }
}

/// The component on the entity or the nearest of its ancestors.
fn find<C: Component + Copy>(
    entity: Entity,
    having: &Query<&C>,
    parents: &Query<&ChildOf>,
) -> Option<C> {
    std::iter::once(entity)
        .chain(parents.iter_ancestors(entity))
        .find_map(|entity| having.get(entity).ok().copied())
}

fn keys(
    keys: Res<ButtonInput<KeyCode>>,
    egui: Option<Res<EguiWantsInput>>,
    screen: Res<State<Screen>>,
    replay: Res<super::replay::Replay>,
    mut acts: MessageWriter<Act>,
) {
    if egui.is_some_and(|egui| egui.wants_keyboard_input()) {
        return;
    }
    let held = |codes: [KeyCode; 2]| keys.any_pressed(codes);
    let command = held([KeyCode::ControlLeft, KeyCode::ControlRight])
        || held([KeyCode::SuperLeft, KeyCode::SuperRight]);
    let shift = held([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    for &key in keys.get_just_pressed() {
        let act = match (*screen.get(), key) {
            (Screen::Title, _) => None,
            (_, KeyCode::Home) => Some(Act::ResetView),
            (_, KeyCode::KeyR) if !command => Some(Act::ResetView),
            (_, KeyCode::KeyT) if !command => Some(Act::TopView),
            (Screen::Table, KeyCode::Escape) => Some(Act::LetGo),
            (Screen::Table, KeyCode::Space | KeyCode::Enter) => Some(Act::Throw),
            (Screen::Table, KeyCode::KeyZ) if command && shift => Some(Act::Redo),
            (Screen::Table, KeyCode::KeyZ) if command => Some(Act::Undo),
            (Screen::Table, KeyCode::KeyU) if !command => Some(Act::Undo),
            (Screen::Table, KeyCode::KeyY) => Some(Act::Redo),
            (Screen::Replay, KeyCode::Space) => Some(Act::TogglePlay),
            (Screen::Replay, KeyCode::ArrowRight) => Some(Act::StepForward),
            (Screen::Replay, KeyCode::ArrowLeft) => Some(Act::StepBack),
            (Screen::Replay, KeyCode::ArrowUp) => Some(Act::Jump(0)),
            (Screen::Replay, KeyCode::ArrowDown) => Some(Act::Jump(replay.line_len())),
            (Screen::Replay, KeyCode::Escape) => Some(Act::Title),
            _ => None,
        };
        if let Some(act) = act {
            acts.write(act);
        }
    }
}
