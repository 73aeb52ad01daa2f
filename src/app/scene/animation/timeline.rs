//! When what moves: pure functions of what a ply does.
//!
//! A ply's effects become [`Track`]s on one [`Timeline`], in seconds at the
//! usual speed.

use bevy::prelude::*;

use super::curves::{LANDING, MovePath, SETTLING};
use crate::{
    app::scene::{
        layout::Layout,
        pieces,
        sound::{PlaySound, SoundKind},
        sticks::throw::{contacts, slow_stick},
    },
    games::{Event, Side, Square, Throw},
    table::{Effect, PieceId, PieceKind, PlacedPiece},
};

/// What one thing does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TrackKind {
    /// A piece goes to a square.
    Go {
        /// Which one.
        id: PieceId,
        /// Where it ends.
        to: Square,
        /// How it gets there.
        way: MovePath,
    },
    /// A piece leaves the board, for its side's tray if it has one.
    Leave {
        /// Which one.
        id: PieceId,
        /// From where.
        from: Vec3,
        /// Which way what captured it came.
        push: Vec3,
        /// Whose tray.
        side: Option<Side>,
    },
    /// A stone is put down.
    Drop(PlacedPiece),
    /// A pavilion rises.
    Rise(PlacedPiece),
    /// The sticks are thrown.
    Throw {
        /// What they show.
        throw: Throw,
        /// How they fall.
        tumble: u64,
    },
}

/// One deed and its time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Track {
    /// When it begins, in seconds.
    pub(crate) start: f32,
    /// How long it takes.
    pub(crate) length: f32,
    /// What is done.
    pub(crate) deed: TrackKind,
}

/// All a ply does, and how long that takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Timeline {
    /// In the order of the effects.
    pub(crate) tracks: Vec<Track>,
    /// In seconds.
    pub(crate) length: f32,
    /// What is heard and when, in the order of time.
    pub(crate) beats: Vec<(f32, PlaySound)>,
}

/// How long a capture takes to leave.
const LEAVING: f32 = 0.95;
/// When several are captured, the next follows after this.
const STAGGER: f32 = 0.14;
/// How long a throw takes, and how long it lies before the next thing.
const THROWING: f32 = 2.1;
const READING: f32 = 0.35;
/// How much longer it takes when the last stick decides.
const WAITING: f32 = 0.7;

impl Timeline {
    /// Lays out a ply's effects. `figure` tells what a piece is that stands
    /// already.
    pub(crate) fn of(
        effects: &[Effect],
        tumble: u64,
        layout: &Layout,
        figure: impl Fn(PieceId) -> Option<PieceKind>,
    ) -> Self {
        let mut timeline = Self::default();
        let mut now = 0.0;
        // Where the piece that moved last came from and stands.
        let mut moved: Option<[Vec3; 2]> = None;
        for effect in effects {
            // How much later the next effect begins, and how long this takes.
            let (next, length, deed) = match effect {
                Effect::Move { id, path } => {
                    let (Some(&to), Some(figure)) = (path.last(), figure(*id)) else { continue };
                    let way = MovePath::of(path, figure, layout);
                    moved = way.last_step();
                    let length = way.length();
                    (length, length, TrackKind::Go { id: *id, to, way })
                }
                Effect::Remove { id, at } => {
                    let side = figure(*id).and_then(pieces::tray_side);
                    let from = layout.place(*at);
                    let deed = TrackKind::Leave { id: *id, from, push: push(moved, from), side };
                    (STAGGER, LEAVING, deed)
                }
                Effect::Place(standing) => match standing.kind {
                    PieceKind::Pavilion(_) => (STAGGER, 0.7, TrackKind::Rise(*standing)),
                    _ => (0.4, 0.45, TrackKind::Drop(*standing)),
                },
                Effect::Throw { throw, .. } => {
                    let deed = TrackKind::Throw { throw: *throw, tumble };
                    let slow = if slow_stick(*throw, tumble).is_some() { WAITING } else { 0.0 };
                    (THROWING + slow + READING, THROWING + slow, deed)
                }
                Effect::Event(event) => {
                    let knock = match event {
                        Event::Announced(_) => SoundKind::Bell,
                        Event::Ended(_) => SoundKind::Chime,
                        _ => continue,
                    };
                    timeline.beats.push((now, PlaySound { knock, at: Vec3::ZERO, force: 0.7 }));
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

/// Which way a captured piece is knocked: away from the one that stopped beside
/// it, or on the way of the one that landed on it.
fn push(moved: Option<[Vec3; 2]>, at: Vec3) -> Vec3 {
    let Some([before, here]) = moved else { return Vec3::ZERO };
    let beside = at - here;
    let way = if beside.length() > 0.5 { beside } else { here - before };
    way.with_y(0.0).normalize_or_zero()
}

impl TrackKind {
    /// What it is called in reports.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Go { .. } => "move",
            Self::Leave { .. } => "capture",
            Self::Drop(_) => "stone",
            Self::Rise(_) => "pavilion",
            Self::Throw { .. } => "throw",
        }
    }

    /// What is heard of it, and at which part of its length.
    fn beats(&self, layout: &Layout) -> Vec<(f32, PlaySound)> {
        let one = |part: f32, knock: SoundKind, at: Vec3, force: f32| {
            vec![(part, PlaySound { knock, at, force })]
        };
        match self {
            Self::Go { to, way, .. } => {
                let landing = 1.0 - SETTLING / way.length();
                one(landing, SoundKind::Wood, layout.place(*to), 0.9)
            }
            Self::Leave { side: None, .. } => Vec::new(),
            Self::Leave { side: Some(side), .. } => {
                one(0.95, SoundKind::Tray, layout.tray(*side, 0), 0.7)
            }
            Self::Drop(standing) => one(LANDING, SoundKind::Stone, layout.place(standing.at), 0.8),
            Self::Rise(standing) => one(0.7, SoundKind::Pavilion, layout.place(standing.at), 0.9),
            Self::Throw { throw, tumble } => contacts(layout, *throw, *tumble)
                .into_iter()
                .map(|(part, force, at)| (part, PlaySound { knock: SoundKind::Stick, at, force }))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::animation::curves::{KNOCKED, leaving};

    fn layout() -> Layout {
        Layout { files: 9, ranks: 9, sticks: false }
    }

    fn square(name: &str) -> Square {
        name.parse().unwrap_or(Square::new(0, 0))
    }

    /// What captures is seen to: the piece is knocked away from it.
    #[test]
    fn a_captured_piece_is_knocked_away_from_its_captor() {
        let layout = layout();
        let captor = Effect::Move { id: PieceId(1), path: vec![square("a1"), square("a5")] };
        let figure = |_| Some(PieceKind::Soldier { white: false });
        for (at, way) in [("a6", Vec3::NEG_Z), ("b5", Vec3::X), ("a5", Vec3::NEG_Z)] {
            let leaves = Effect::Remove { id: PieceId(2), at: square(at) };
            let timeline = Timeline::of(&[captor.clone(), leaves], 0, &layout, figure);
            let TrackKind::Leave { push, from, .. } = timeline.tracks[1].deed else {
                unreachable!()
            };
            assert!(push.distance(way) < 1e-5, "{at}: {push}");
            let there = pieces::tray_stance(&layout, Side::Second, 0);
            let knocked = leaving(from, push, &there, KNOCKED);
            assert!((knocked.translation - from).dot(way) > 0.2, "{at}");
            let leans = knocked.rotation * Vec3::Y;
            assert!(leans.dot(way) > 0.3, "{at}: {leans}");
        }
    }

    #[test]
    fn effects_follow_one_another() {
        let layout = layout();
        let effects = [
            Effect::Move { id: PieceId(1), path: vec![square("a1"), square("a5")] },
            Effect::Remove { id: PieceId(2), at: square("a6") },
            Effect::Remove { id: PieceId(3), at: square("b5") },
        ];
        let figure = |_| Some(PieceKind::Soldier { white: false });
        let timeline = Timeline::of(&effects, 0, &layout, figure);
        let starts: Vec<f32> = timeline.tracks.iter().map(|track| track.start).collect();
        assert_eq!(starts[0], 0.0);
        assert_eq!(starts[1], timeline.tracks[0].length);
        assert!(starts[2] > starts[1] && starts[2] < starts[1] + LEAVING);
        assert!((timeline.length - starts[2] - LEAVING).abs() < 1e-5);
        assert!(matches!(
            timeline.tracks[1].deed,
            TrackKind::Leave { side: Some(Side::Second), .. }
        ));
    }

    #[test]
    fn a_ply_that_moves_nothing_takes_no_time() {
        let timeline = Timeline::of(&[], 0, &layout(), |_| None);
        assert_eq!(timeline, Timeline::default());
    }
}
