//! Delays pointer input that `bevy_picking` cannot tell apart in one frame.
//!
//! `bevy_picking` 0.19 (`pointer_events`) attributes a press to the pointer's
//! position at the end of the frame, a release to that of the frame before, and a
//! drop to that at the end. When a pointer moves to a piece, presses and
//! releases in one slow frame, nothing is clicked; when it drops a piece and
//! moves on, the drop misses. Here such input is split over several frames. No
//! upstream issue is known. Delete this file when `bevy_picking` computes hits
//! for every `PointerInput` rather than once a frame.

use std::collections::VecDeque;

use bevy::{
    ecs::message::MessageCursor,
    picking::{
        PickingSystems,
        pointer::{PointerAction, PointerInput},
    },
    prelude::*,
};

use crate::app::core::redraw::NextFrame;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<DelayedInput>().add_systems(First, delay.in_set(PickingSystems::PostInput));
}

/// The input left for the next frames, oldest first.
#[derive(Resource, Default)]
struct DelayedInput(VecDeque<PointerInput>);

fn delay(
    mut inputs: ResMut<Messages<PointerInput>>,
    mut delayed: ResMut<DelayedInput>,
    mut cursor: Local<MessageCursor<PointerInput>>,
    mut next: ResMut<NextFrame>,
) {
    let new: Vec<PointerInput> = cursor.read(&inputs).cloned().collect();
    if new.is_empty() && delayed.0.is_empty() {
        return;
    }
    // The messages of the last frame have been read.
    inputs.clear();
    delayed.0.extend(new);
    let count = count_for_one_frame(delayed.0.iter().map(|input| &input.action));
    inputs.write_batch(delayed.0.drain(..count));
    cursor.clear(&inputs);
    if !delayed.0.is_empty() {
        next.at_once();
    }
}

/// How many of these actions one frame can tell apart.
fn count_for_one_frame<'a>(actions: impl Iterator<Item = &'a PointerAction>) -> usize {
    let (mut count, mut pressed, mut released, mut changed) = (0, false, false, false);
    for action in actions {
        match action {
            PointerAction::Release(_) if changed => break,
            // It would change what was pressed.
            PointerAction::Move { .. } if pressed => break,
            // It would change where the drag is dropped.
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
    fn a_frame_takes_only_what_it_can_tell_apart() {
        let there = PointerAction::Move { delta: Vec2::X };
        let (down, up) = (PointerAction::Press(Primary), PointerAction::Release(Primary));
        let frames = |actions: &[&PointerAction]| {
            let (mut rest, mut frames) = (actions, Vec::new());
            while !rest.is_empty() {
                let count = count_for_one_frame(rest.iter().copied());
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
