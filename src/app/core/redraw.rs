//! When the next frame is needed although no input comes.
//!
//! A frame may take a second of processor time, so none is drawn for its own sake. Each
//! part that will have something new to show asks [`NextFrame`] for the frame in which it
//! shows it; the scene's frame pacing asks for motion, and has the frame drawn. Answers of
//! engines, other programs and servers are not asked for: they wake the event loop
//! ([`wake`](crate::engines::wake)).

use std::time::Duration;

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<NextFrame>();
}

/// Who needs the next frame, and when. Each part that needs one asks again in each frame.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NextFrame {
    asked: Option<Duration>,
    due: Option<Duration>,
}

impl NextFrame {
    /// Asks for the next frame at once.
    pub fn at_once(&mut self) {
        self.within(Duration::ZERO);
    }

    /// Asks for the next frame after so much time, counted from this one, or before;
    /// [`Duration::MAX`] asks for none.
    pub fn within(&mut self, time: Duration) {
        self.asked = self.asked.into_iter().chain(Some(time)).min();
        self.asked.take_if(|asked| *asked == Duration::MAX);
    }

    /// How soon after the last frame the next one is due; none while it is not needed.
    pub const fn due(&self) -> Option<Duration> {
        self.due
    }

    /// Ends the questions of a frame.
    pub(crate) const fn settle(&mut self) -> Option<Duration> {
        self.due = self.asked.take();
        self.due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_that_is_needed_first_is_due() {
        let [soon, late] = [1, 5].map(Duration::from_secs);
        let mut next = NextFrame::default();
        assert_eq!(next.settle(), None);
        next.within(late);
        next.within(soon);
        next.within(late);
        assert_eq!((next.settle(), next.due()), (Some(soon), Some(soon)));
        assert_eq!(next.settle(), None, "each frame asks again");
        next.within(soon);
        next.at_once();
        assert_eq!(next.settle(), Some(Duration::ZERO));
        next.within(Duration::MAX);
        assert_eq!(next.settle(), None, "never");
    }
}
