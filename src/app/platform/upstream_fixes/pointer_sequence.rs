//! Spreads the pointer events of one frame over several frames, so that every
//! click and drop hits the right thing.
//!
//! `bevy_picking` 0.19 decides what is pressed by the pointer's position at the
//! end of a frame, and what is released by its position at the end of the frame
//! before; a drag is dropped where the pointer is at the end. Where frames are
//! slow, a pointer arrives, presses and releases in one frame, or drops a piece
//! and moves on: the click or the drop would be missed. So an event that would
//! change the meaning of an earlier one waits for the next frame.

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
    app.init_resource::<DelayedInputs>()
        .add_systems(First, delay_inputs.in_set(PickingSystems::PostInput));
}

/// Events that wait for the next frame.
#[derive(Resource, Default)]
struct DelayedInputs(VecDeque<PointerInput>);

fn delay_inputs(
    mut inputs: ResMut<Messages<PointerInput>>,
    mut delayed: ResMut<DelayedInputs>,
    mut cursor: Local<MessageCursor<PointerInput>>,
    mut redraw: MessageWriter<RequestRedraw>,
) {
    let new: Vec<PointerInput> = cursor.read(&inputs).cloned().collect();
    if new.is_empty() && delayed.0.is_empty() {
        return;
    }
    // The events of the frame before have been read.
    inputs.clear();
    delayed.0.extend(new);
    let count = count_for_frame(delayed.0.iter().map(|input| &input.action));
    inputs.write_batch(delayed.0.drain(..count));
    cursor.clear(&inputs);
    if !delayed.0.is_empty() {
        redraw.write(RequestRedraw);
    }
}

/// How many of these events one frame can handle.
fn count_for_frame<'a>(actions: impl Iterator<Item = &'a PointerAction>) -> usize {
    let (mut count, mut pressed, mut released, mut changed) = (0, false, false, false);
    for action in actions {
        match action {
            PointerAction::Release(_) if changed => break,
            // A later position would change what was pressed.
            PointerAction::Move { .. } if pressed => break,
            // A later position would change where the drop was.
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
    fn a_frame_takes_the_events_whose_meaning_it_keeps() {
        let there = PointerAction::Move { delta: Vec2::X };
        let (down, up) = (PointerAction::Press(Primary), PointerAction::Release(Primary));
        let frames = |actions: &[&PointerAction]| {
            let (mut rest, mut frames) = (actions, Vec::new());
            while !rest.is_empty() {
                let count = count_for_frame(rest.iter().copied());
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
