//! The time of a frame is that of its own start.
//!
//! `time_system` of `bevy_time` 0.19 takes the time that the renderer has sent at the end of
//! an earlier frame, one or two frames ago where drawing is pipelined
//! (bevyengine/bevy#20412). After a rest the first frame counts the step before it, and the
//! second the whole rest: a motion that begins then is over at once. Here each frame counts
//! to its start. Delete this file when `Time<Real>` does so where frames are drawn only when
//! they are needed.

use bevy::{
    platform::time::Instant,
    prelude::*,
    time::{TimeSystems, TimeUpdateStrategy},
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(First, count_to_now.before(TimeSystems));
}

fn count_to_now(mut strategy: ResMut<TimeUpdateStrategy>) {
    *strategy = TimeUpdateStrategy::ManualInstant(Instant::now());
}

#[cfg(test)]
mod tests {
    use std::hint;

    use bevy::time::{TimePlugin, create_time_channels};

    use super::*;

    #[test]
    fn a_frame_after_a_rest_counts_the_rest() {
        let (sender, receiver) = create_time_channels();
        let mut app = App::new();
        app.add_plugins((TimePlugin, plugin)).insert_resource(receiver);
        let mut last_end = None;
        for _ in 0..3 {
            // At the end of the last frame.
            let sent = Instant::now();
            sender.0.send(sent).expect("a receiver");
            while Instant::now() == sent {
                hint::spin_loop();
            }
            let start = Instant::now();
            app.update();
            let time = app.world().resource::<Time<Real>>();
            assert!(time.last_update().is_some_and(|update| update >= start));
            if let Some(last_end) = last_end {
                assert!(time.delta() >= start - last_end, "the rest between two frames counts");
            }
            last_end = Some(Instant::now());
        }
        assert!(sender.0.is_empty(), "what the renderer sends is taken");
    }
}
