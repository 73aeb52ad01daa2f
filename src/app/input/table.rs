//! What clicks and drags mean at the table.

use bevy::picking::pointer::PointerButton;

use super::pointer::{DragState, HitTargets, hand_with, picks_up};
use crate::app::{
    core::prelude::*,
    game::referee::Referee,
    scene::api::{Hand, Highlights, Holdable},
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
    hand: Res<Hand>,
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    release.propagate(false);
    if release.button == PointerButton::Primary
        && (hand.has_sticks() || targets.is_throw(release.entity))
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

/// Takes what the drag began on into the hand: the sticks that wait to be thrown, the
/// selected piece, or a stone.
fn on_drag(
    mut moved: On<Pointer<Drag>>,
    targets: HitTargets,
    (settings, highlights): (Res<Settings>, Res<Highlights>),
    drag: Res<DragState>,
    mut hand: ResMut<Hand>,
    referee: Res<Referee>,
) {
    moved.propagate(false);
    if !picks_up(&moved) || targets.is_camera_gesture() {
        return;
    }
    let may_drag = settings.move_input != MoveInput::Click;
    let taken = match targets.square(moved.entity).filter(|_| may_drag) {
        _ if drag.pressed_on_sticks && highlights.sticks_ready => Some(Holdable::Sticks),
        Some(from) if targets.has_piece(from) => {
            let is_selected =
                highlights.selected.len() % 2 == 1 && highlights.selected.last() == Some(&from);
            is_selected.then_some(Holdable::Piece(from))
        }
        Some(_) => stone_due(&referee, &highlights).map(Holdable::Stone),
        None => stone_due(&referee, &highlights)
            .filter(|side| may_drag && targets.bowl(moved.entity) == Some(*side))
            .map(Holdable::Stone),
    };
    if let Some(taken) = taken {
        hand.set_if_neq(hand_with(taken, &moved));
    }
}

/// A drop on a destination moves the piece there; a drop on another square says why it
/// may not stand there.
fn on_drag_drop(
    mut drop: On<Pointer<DragDrop>>,
    targets: HitTargets,
    (highlights, hand): (Res<Highlights>, Res<Hand>),
    mut drag: ResMut<DragState>,
    mut actions: MessageWriter<Action>,
) {
    drop.propagate(false);
    if drop.button != PointerButton::Primary || targets.is_camera_gesture() {
        return;
    }
    let (from, to) = (targets.square(drop.dropped), targets.square(drop.entity));
    // A drag that ends where it began is a click, too.
    let Some(to) = to.filter(|_| from != to) else { return };
    if hand.stone().is_some() {
        actions.write(GameAction::SelectSquare(to).into());
        return;
    }
    let Some(from) = from else { return };
    if highlights.selected.last() == Some(&from) {
        actions.write(GameAction::DropPiece(to).into());
    }
    drag.selected = None;
}
