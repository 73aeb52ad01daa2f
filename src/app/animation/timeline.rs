//! When what moves, and where it is on its way: pure functions of time.
//!
//! A ply's effects become [`Track`]s on one [`Timeline`], in seconds at the
//! usual speed.

use std::f32::consts::PI;

use bevy::prelude::*;

use crate::{
    app::{
        board::Layout,
        pieces,
        sound::{Heard, Knock},
        sticks::throw::contacts,
    },
    games::{Event, Side, Square, Throw},
    table::{Effect, Figure, PieceId, Standing},
};

/// What one thing does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Deed {
    /// A piece goes to a square.
    Go {
        /// Which one.
        id: PieceId,
        /// Where it ends.
        to: Square,
        /// How it gets there.
        way: Way,
    },
    /// A piece leaves the board, for its side's tray if it has one.
    Leave {
        /// Which one.
        id: PieceId,
        /// From where.
        from: Vec3,
        /// Whose tray.
        side: Option<Side>,
    },
    /// A stone is put down.
    Drop(Standing),
    /// A pavilion rises.
    Rise(Standing),
    /// The sticks are thrown.
    Throw {
        /// What they show.
        throw: Throw,
        /// How they fall.
        tumble: u64,
    },
}

/// A way over the board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Way {
    points: Vec<Vec3>,
    lift: f32,
    hops: bool,
}

/// One deed and its time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Track {
    /// When it begins, in seconds.
    pub(crate) start: f32,
    /// How long it takes.
    pub(crate) length: f32,
    /// What is done.
    pub(crate) deed: Deed,
}

/// All a ply does, and how long that takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Timeline {
    /// In the order of the effects.
    pub(crate) tracks: Vec<Track>,
    /// In seconds.
    pub(crate) length: f32,
    /// What is heard and when, in the order of time.
    pub(crate) beats: Vec<(f32, Heard)>,
}

/// How long a capture takes to leave.
const LEAVING: f32 = 0.75;
/// When several are captured, the next follows after this.
const STAGGER: f32 = 0.14;
/// How long a throw takes, and how long it lies before the next thing.
const THROWING: f32 = 2.1;
const READING: f32 = 0.35;

/// The part of its time after which a stone that is put down touches the board.
const LANDING: f32 = 0.68;

impl Timeline {
    /// Lays out a ply's effects. `figure` tells what a piece is that stands
    /// already.
    pub(crate) fn of(
        effects: &[Effect],
        tumble: u64,
        layout: &Layout,
        figure: impl Fn(PieceId) -> Option<Figure>,
    ) -> Self {
        let mut timeline = Self::default();
        let mut now = 0.0;
        for effect in effects {
            // How much later the next effect begins, and how long this takes.
            let (next, length, deed) = match effect {
                Effect::Moves { id, path } => {
                    let (Some(&to), Some(figure)) = (path.last(), figure(*id)) else { continue };
                    let way = Way::of(path, figure, layout);
                    let length = way.length();
                    (length, length, Deed::Go { id: *id, to, way })
                }
                Effect::Leaves { id, at } => {
                    let side = figure(*id).and_then(pieces::tray_side);
                    let deed = Deed::Leave { id: *id, from: layout.place(*at), side };
                    (STAGGER, LEAVING, deed)
                }
                Effect::Arrives(standing) => match standing.figure {
                    Figure::Pavilion(_) => (STAGGER, 0.7, Deed::Rise(*standing)),
                    _ => (0.4, 0.45, Deed::Drop(*standing)),
                },
                Effect::Throws { throw, .. } => {
                    let deed = Deed::Throw { throw: *throw, tumble };
                    (THROWING + READING, THROWING, deed)
                }
                Effect::Says(event) => {
                    let knock = match event {
                        Event::Announced(_) => Knock::Bell,
                        Event::Ended(_) => Knock::Chime,
                        _ => continue,
                    };
                    timeline.beats.push((now, Heard { knock, at: Vec3::ZERO, force: 0.7 }));
                    continue;
                }
            };
            let beats = deed.beats(layout).into_iter();
            timeline.beats.extend(beats.map(|(part, heard)| (now + part * length, heard)));
            timeline.tracks.push(Track { start: now, length, deed });
            timeline.length = timeline.length.max(now + length.max(next));
            now += next;
        }
        timeline.beats.sort_by(|a, b| a.0.total_cmp(&b.0));
        timeline
    }
}

impl Deed {
    /// What is heard of it, and at which part of its length.
    fn beats(&self, layout: &Layout) -> Vec<(f32, Heard)> {
        let one = |part: f32, knock: Knock, at: Vec3, force: f32| {
            vec![(part, Heard { knock, at, force })]
        };
        match self {
            Self::Go { to, .. } => one(0.97, Knock::Wood, layout.place(*to), 0.9),
            Self::Leave { side: None, .. } => Vec::new(),
            Self::Leave { side: Some(side), .. } => {
                one(0.95, Knock::Tray, layout.tray(*side, 0), 0.7)
            }
            Self::Drop(standing) => one(LANDING, Knock::Stone, layout.place(standing.at), 0.8),
            Self::Rise(standing) => one(0.7, Knock::Pavilion, layout.place(standing.at), 0.9),
            Self::Throw { throw, tumble } => contacts(layout, *throw, *tumble)
                .into_iter()
                .map(|(part, force, at)| (part, Heard { knock: Knock::Stick, at, force }))
                .collect(),
        }
    }
}

impl Way {
    /// Tablut's pieces slide just over the wood; Tablan's runners are carried
    /// over the heads of the others and dip at every square, so that the
    /// squares can be counted.
    fn of(path: &[Square], figure: Figure, layout: &Layout) -> Self {
        let points = path.iter().map(|&at| layout.place(at)).collect();
        match figure {
            Figure::Runner(_) => Self { points, lift: 0.80, hops: true },
            _ => Self { points, lift: 0.10, hops: false },
        }
    }

    fn distance(&self) -> f32 {
        self.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    fn length(&self) -> f32 {
        let distance = self.distance();
        if self.hops { 0.45 + 0.15 * distance } else { 0.32 + 0.075 * distance }
    }

    /// The point `distance` along the way.
    fn at(&self, mut distance: f32) -> Vec3 {
        for pair in self.points.windows(2) {
            let step = pair[0].distance(pair[1]);
            if distance <= step {
                return pair[0].lerp(pair[1], distance / step.max(1e-6));
            }
            distance -= step;
        }
        self.points.last().copied().unwrap_or_default()
    }
}

fn ease(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// A piece on its way: lifted, carried, put down.
pub(crate) fn on_the_way(way: &Way, part: f32) -> Transform {
    let seconds = part * way.length();
    let up = if way.hops { 0.2 } else { 0.1 };
    let carried = way.length() - 2.0 * up;
    let along = ((seconds - up * 0.6) / (carried + up * 0.8)).clamp(0.0, 1.0);
    let distance = way.distance() * if way.hops { gentle(along) } else { ease(along) };
    let rise =
        ease((seconds / up).min(1.0)).min(ease(((way.length() - seconds) / up).clamp(0.0, 1.0)));
    let dip = if way.hops { 0.10 * (PI * distance).sin().abs() } else { 0.0 };
    let at = if part >= 1.0 { way.at(f32::INFINITY) } else { way.at(distance) };
    Transform::from_translation(at + Vec3::Y * (way.lift + dip) * rise)
}

/// Starts and ends softly, even in between.
fn gentle(t: f32) -> f32 {
    let soft = 0.12;
    let full = 1.0 - soft;
    if t < soft {
        t * t / (2.0 * soft * full)
    } else if t > full {
        1.0 - (1.0 - t) * (1.0 - t) / (2.0 * soft * full)
    } else {
        (t - soft / 2.0) / full
    }
}

/// A captured piece on its way to its place in the tray.
pub(crate) fn leaving(from: Vec3, there: &Transform, part: f32) -> Transform {
    let t = ease(part);
    let lift = 1.25 * (PI * part.powf(0.8)).sin().max(0.0);
    Transform::from_translation(from.lerp(there.translation, t) + Vec3::Y * lift)
        .with_scale(Vec3::ONE.lerp(there.scale, t))
}

/// A stone put down: it falls, and hardly bounces.
pub(crate) fn dropping(place: Vec3, part: f32) -> Transform {
    let height = if part < LANDING {
        let t = part / LANDING;
        1.2 * (1.0 - t * t)
    } else {
        let t = (part - LANDING) / (1.0 - LANDING);
        0.07 * 4.0 * t * (1.0 - t)
    };
    let size = 0.6 + 0.4 * (part / 0.3).min(1.0);
    Transform::from_translation(place + Vec3::Y * height).with_scale(Vec3::splat(size))
}

/// A pavilion growing out of its square, a little too high for a moment.
pub(crate) fn rising(place: Vec3, part: f32) -> Transform {
    let over = 1.3;
    let t = part - 1.0;
    let height = 1.0 + (over + 1.0) * t * t * t + over * t * t;
    let wide = 0.7 + 0.3 * ease(part);
    Transform::from_translation(place).with_scale(Vec3::new(wide, height.max(0.02), wide))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        Layout { files: 9, ranks: 9, sticks: false }
    }

    fn square(name: &str) -> Square {
        name.parse().unwrap_or(Square::new(0, 0))
    }

    #[test]
    fn a_way_begins_and_ends_on_its_squares() {
        let layout = layout();
        for figure in [Figure::King, Figure::Runner(Side::First)] {
            let path = [square("a1"), square("b1"), square("b2")];
            let way = Way::of(&path, figure, &layout);
            let begin = on_the_way(&way, 0.0).translation;
            let end = on_the_way(&way, 1.0).translation;
            assert!(begin.distance(layout.place(path[0])) < 1e-4, "{begin}");
            assert!(end.distance(layout.place(path[2])) < 1e-4, "{end}");
            for part in 1..100 {
                let here = on_the_way(&way, part as f32 / 100.0).translation;
                let before = on_the_way(&way, (part - 1) as f32 / 100.0).translation;
                assert!(here.distance(before) < 0.2, "{figure:?} leaps at {part}");
                assert!(here.y >= 0.0);
            }
        }
    }

    #[test]
    fn what_leaves_and_what_arrives_ends_in_its_place() {
        let there = Transform::from_xyz(3.0, -0.3, -6.0).with_scale(Vec3::splat(0.8));
        let end = leaving(Vec3::ZERO, &there, 1.0);
        assert!(end.translation.distance(there.translation) < 1e-4);
        assert!(end.scale.distance(there.scale) < 1e-4);
        for end in [dropping(Vec3::X, 1.0), rising(Vec3::X, 1.0)] {
            assert!(end.translation.distance(Vec3::X) < 1e-4);
            assert!(end.scale.distance(Vec3::ONE) < 1e-4);
        }
    }

    #[test]
    fn effects_follow_one_another() {
        let layout = layout();
        let effects = [
            Effect::Moves { id: PieceId(1), path: vec![square("a1"), square("a5")] },
            Effect::Leaves { id: PieceId(2), at: square("a6") },
            Effect::Leaves { id: PieceId(3), at: square("b5") },
        ];
        let figure = |_| Some(Figure::Soldier { white: false });
        let timeline = Timeline::of(&effects, 0, &layout, figure);
        let starts: Vec<f32> = timeline.tracks.iter().map(|track| track.start).collect();
        assert_eq!(starts[0], 0.0);
        assert_eq!(starts[1], timeline.tracks[0].length);
        assert!(starts[2] > starts[1] && starts[2] < starts[1] + LEAVING);
        assert_eq!(timeline.length, starts[2] + LEAVING);
        assert!(matches!(timeline.tracks[1].deed, Deed::Leave { side: Some(Side::Second), .. }));
    }

    #[test]
    fn a_ply_that_moves_nothing_takes_no_time() {
        let timeline = Timeline::of(&[], 0, &layout(), |_| None);
        assert_eq!(timeline, Timeline::default());
    }
}
