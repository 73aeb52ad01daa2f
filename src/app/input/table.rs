//! What clicks and drags mean at the table.

use bevy::picking::pointer::{PointerButton, PointerId};

use super::pointer::{DragState, HitTargets, held_piece, picks_up};
use crate::app::{
    core::prelude::*,
    game::referee::Referee,
    scene::api::{Hand, HeldSticks, HeldStone, Highlights, TakenStone},
    settings::{Settings, options::MoveInput},
};

pub(super) fn plugin(app: &mut App) {
    let at_table = in_state(Screen::Table);
    app.add_observer(on_click.run_if(at_table.clone()))
        .add_observer(on_release.run_if(at_table.clone()))
        .add_observer(on_drag_start.run_if(at_table.clone()))
        .add_observer(on_drag.run_if(at_table.clone()))
        .add_observer(on_drag_drop.run_if(at_table));
}

fn on_click(
    mut click: On<Pointer<Click>>,
    targets: HitTargets,
    (settings, highlights): (Res<Settings>, Res<Highlights>),
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    click.propagate(false);
    let Some(button) = targets.clicked(&click, &mut drag) else { return };
    match (button, targets.square(click.entity)) {
        (PointerButton::Secondary, _) => _ = actions.write(GameAction::Deselect.into()),
        (PointerButton::Primary, Some(square)) => {
            // Where pieces are only dragged, a click selects but does not move.
            let is_move =
                highlights.selected.len() % 2 == 1 && highlights.reachable.contains(&square);
            let allowed = settings.move_input != MoveInput::Drag || !is_move;
            if drag.selected.take() != Some(square) && allowed {
                actions.write(GameAction::SelectSquare(square).into());
            }
        }
        (PointerButton::Primary, None) if !targets.is_throw(click.entity) => {
            actions.write(GameAction::Deselect.into());
        }
        _ => {}
    }
}

/// Throws the sticks: where they were clicked, or from the hand that holds them.
fn on_release(
    mut release: On<Pointer<Release>>,
    targets: HitTargets,
    held: Res<HeldSticks>,
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    release.propagate(false);
    if release.button == PointerButton::Primary
        && (held.0.is_some() || targets.is_throw(release.entity))
        && std::mem::take(&mut drag.pressed_on_sticks)
        && !targets.is_camera_gesture()
    {
        actions.write(GameAction::Throw.into());
    }
}

/// A drag on a piece selects it, so that its destinations light up at once.
fn on_drag_start(
    mut start: On<Pointer<DragStart>>,
    targets: HitTargets,
    (settings, highlights): (Res<Settings>, Res<Highlights>),
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    start.propagate(false);
    if targets.is_camera_gesture() {
        return;
    }
    drag.selected = None;
    if start.button != PointerButton::Primary || settings.move_input == MoveInput::Click {
        return;
    }
    let Some(square) = targets.square(start.entity) else { return };
    // After a whole step the next selection is a piece, which may stand on a
    // square that is lit as a destination.
    let piece_is_next = highlights.selected.len().is_multiple_of(2);
    let selectable = (piece_is_next || !highlights.reachable.contains(&square))
        && highlights.selected.last() != Some(&square);
    if targets.has_piece(square) && selectable {
        drag.selected = Some(square);
        actions.write(GameAction::SelectSquare(square).into());
    }
}

/// The side that is to place a stone now.
fn stone_due(referee: &Referee, highlights: &Highlights) -> Option<Side> {
    let is_due = referee.awaits_move() && !highlights.selectable.is_empty();
    let position = referee.table.as_ref().filter(|_| is_due)?.history().position();
    matches!(position, AnyPosition::Tablaaza(_)).then(|| position.side())
}

/// Holds a stone, the selected piece, or the sticks that wait to be thrown.
fn on_drag(
    mut moved: On<Pointer<Drag>>,
    targets: HitTargets,
    (settings, highlights): (Res<Settings>, Res<Highlights>),
    drag: Res<DragState>,
    (mut hand, mut sticks, mut stone): (ResMut<Hand>, ResMut<HeldSticks>, ResMut<HeldStone>),
    referee: Res<Referee>,
) {
    moved.propagate(false);
    let takes_sticks = drag.pressed_on_sticks && highlights.sticks_ready && picks_up(&moved);
    if takes_sticks && !targets.is_camera_gesture() {
        sticks.set_if_neq(HeldSticks(Some(moved.pointer_location.position)));
    }
    let takes_stone = settings.move_input != MoveInput::Click
        && picks_up(&moved)
        && !targets.is_camera_gesture()
        && targets.square(moved.entity).is_some_and(|from| !targets.has_piece(from));
    if let Some(side) = stone_due(&referee, &highlights).filter(|_| takes_stone) {
        let pointer = moved.pointer_location.position;
        let by_finger = matches!(moved.pointer_id, PointerId::Touch(_));
        stone.set_if_neq(HeldStone(Some(TakenStone { side, pointer, by_finger })));
    }
    let is_piece = highlights.selected.len() % 2 == 1 && settings.move_input != MoveInput::Click;
    let from = targets.square(moved.entity).filter(|from| {
        is_piece && highlights.selected.last() == Some(from) && targets.has_piece(*from)
    });
    if let Some(from) = from.filter(|_| !targets.is_camera_gesture()) {
        let held = held_piece(&moved, from);
        hand.set_if_neq(Hand(held));
    }
}

/// A drop on a destination moves the piece there; a drop on another square says why it
/// may not stand there, and leaves it selected.
fn on_drag_drop(
    mut drop: On<Pointer<DragDrop>>,
    targets: HitTargets,
    (highlights, stone): (Res<Highlights>, Res<HeldStone>),
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    drop.propagate(false);
    if drop.button != PointerButton::Primary || targets.is_camera_gesture() {
        return;
    }
    let ends = targets.square(drop.dropped).zip(targets.square(drop.entity));
    // A drag that ends where it began is a click, too.
    if let (true, Some((from, to))) = (stone.0.is_some(), ends) {
        if from != to {
            actions.write(GameAction::SelectSquare(to).into());
        }
        return;
    }
    let Some((from, to)) = ends.filter(|(from, to)| from != to) else { return };
    if highlights.selected.last() == Some(&from) {
        actions.write(GameAction::DropPiece(to).into());
    }
    drag.selected = None;
}
