//! What a mouse or a finger did in one frame, handed on step by step.
//!
//! `bevy_picking` 0.19 tells what is pressed from where the pointer is at the
//! end of a frame, and what is let go from where it was at the end of the frame
//! before; a drag is dropped where it is at the end. Where frames are slow, or a
//! hand is quick, a pointer comes to a piece, presses and lets go in one frame, or
//! drops one and goes on; then nothing would be clicked, and the drop missed. So
//! what a frame cannot tell apart is handed on in the next one.

use std::collections::VecDeque;

use bevy::{
    ecs::message::MessageCursor,
    picking::{
        PickingSystems,
        pointer::{PointerAction, PointerInput},
    },
    prelude::*,
    window::RequestRedraw,
};

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Held>().add_systems(First, hold_back.in_set(PickingSystems::PostInput));
}

/// What they did besides.
#[derive(Resource, Default)]
struct Held(VecDeque<PointerInput>);

fn hold_back(
    mut inputs: ResMut<Messages<PointerInput>>,
    mut held: ResMut<Held>,
    mut cursor: Local<MessageCursor<PointerInput>>,
    mut redraw: MessageWriter<RequestRedraw>,
) {
    let new: Vec<PointerInput> = cursor.read(&inputs).cloned().collect();
    if new.is_empty() && held.0.is_empty() {
        return;
    }
    // Those of the frame before were read in it.
    inputs.clear();
    held.0.extend(new);
    let count = steps(held.0.iter().map(|input| &input.action));
    inputs.write_batch(held.0.drain(..count));
    cursor.clear(&inputs);
    if !held.0.is_empty() {
        redraw.write(RequestRedraw);
    }
}

/// How many of these fit into one frame.
fn steps<'a>(actions: impl Iterator<Item = &'a PointerAction>) -> usize {
    let (mut count, mut pressed, mut released, mut changed) = (0, false, false, false);
    for action in actions {
        match action {
            PointerAction::Release(_) if changed => break,
            // Whatever follows a press would change what was pressed.
            PointerAction::Move { .. } if pressed => break,
            // What is dragged would be dropped where the pointer went next.
            PointerAction::Move { .. } if released => break,
            PointerAction::Press(_) => (pressed, changed) = (true, true),
            PointerAction::Move { .. } => changed = true,
            PointerAction::Release(_) => released = true,
            PointerAction::Scroll { .. } | PointerAction::Cancel => {}
        }
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use bevy::picking::pointer::PointerButton::Primary;

    use super::*;

    #[test]
    fn a_frame_takes_what_is_told_rightly_in_it() {
        let there = PointerAction::Move { delta: Vec2::X };
        let (down, up) = (PointerAction::Press(Primary), PointerAction::Release(Primary));
        let frames = |actions: &[&PointerAction]| {
            let (mut rest, mut frames) = (actions, Vec::new());
            while !rest.is_empty() {
                let count = steps(rest.iter().copied());
                frames.push(count);
                rest = &rest[count..];
            }
            frames
        };
        assert_eq!(frames(&[&there, &there, &down]), [3]);
        assert_eq!(frames(&[&there, &down, &up]), [2, 1], "a quick click");
        assert_eq!(frames(&[&down, &there, &up]), [1, 1, 1], "a quick drag");
        assert_eq!(frames(&[&up, &there, &down, &up]), [1, 2, 1], "a drop, and the next click");
        assert_eq!(frames(&[&down, &up, &down, &up]), [1, 2, 1], "twice");
    }
}
