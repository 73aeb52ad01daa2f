//! The timeline of a ply: what moves when. Pure functions of the ply's effects.
//!
//! Each effect becomes a [`Track`] on one [`Timeline`]. Times are seconds at the
//! usual speed.

use super::curves::{DROP_IMPACT, FROM_HAND_TIME, MovePath};
use crate::{
    app::scene::{
        prelude::*,
        sound::{PlaySound, SoundKind},
        sticks::throw_animation::{deciding_stick, table_contacts},
    },
    session::{Effect, PieceId, PlacedPiece},
};

/// What a track animates.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TrackKind {
    /// A piece moves to a square.
    Move { id: PieceId, to: Square, path: MovePath },
    /// A piece leaves the board.
    Capture {
        id: PieceId,
        from: Vec3,
        /// The direction in which its captor pushes it.
        push: Vec3,
        /// Whose tray it goes to.
        side: Side,
    },
    /// A stone is placed, perhaps by the hand that holds it there.
    PlaceStone { piece: PlacedPiece, hand: Option<Vec3> },
    /// A pavilion rises.
    RaisePavilion(PlacedPiece),
    /// The sticks are thrown.
    Throw { throw: Throw, tumble_seed: u64 },
}

/// One animation and its time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Track {
    pub(super) start: f32,
    pub(super) length: f32,
    pub(super) kind: TrackKind,
}

/// All animations and sounds of a ply.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Timeline {
    /// In the order of the effects.
    pub(super) tracks: Vec<Track>,
    /// The time at which everything has ended.
    pub(super) length: f32,
    /// The sounds and their times, ordered by time.
    pub(super) sounds: Vec<(f32, PlaySound)>,
}

/// Length of a capture.
const CAPTURE_TIME: f32 = 1.1;
/// Time between the starts of two captures, or of other simultaneous effects.
const STAGGER: f32 = 0.14;
/// Length of a stone's placement, and time until the next effect starts.
const PLACE_TIME: (f32, f32) = (0.8, 0.7);
/// Length of a pavilion's rise.
const RISE_TIME: f32 = 0.7;
/// Length of a throw.
const THROW_TIME: f32 = 2.1;
/// The same of one that brings nothing.
const PASSED_THROW_TIME: f32 = 1.2;
/// Additional length of a throw whose last stick decides.
const DECIDING_TIME: f32 = 0.7;
/// Pause after a throw, before its score is told.
const READ_TIME: f32 = 0.15;

impl Timeline {
    /// Lays out the effects of a ply; `kind_of` tells what a piece on the board
    /// is. Effects on unknown pieces are left out. The pieces that are `held` at a point
    /// are set down from there, and so is a stone in the hand.
    pub(super) fn new(
        effects: &[Effect],
        tumble_seed: u64,
        layout: &BoardLayout,
        kind_of: impl Fn(PieceId) -> Option<PieceKind>,
        held: &[(PieceId, Vec3)],
        held_stone: Option<Vec3>,
    ) -> Self {
        let mut timeline = Self::default();
        let mut now = 0.0;
        // The last step of the piece that moved last.
        let mut last_step: Option<[Vec3; 2]> = None;
        for effect in effects {
            // Time until the next effect starts, and length of this one.
            let (next, length, kind) = match effect {
                Effect::Move { id, path } => {
                    let (Some(&to), Some(piece)) = (path.last(), kind_of(*id)) else { continue };
                    let mut path = MovePath::new(path, piece, layout);
                    last_step = path.last_step();
                    if let Some((_, at)) = held.iter().find(|held| held.0 == *id) {
                        path = MovePath::from_hand(*at, layout.square_centre(to));
                    }
                    let length = path.duration();
                    (length, length, TrackKind::Move { id: *id, to, path })
                }
                Effect::Remove { id, at } => {
                    let Some(Owner(side)) = kind_of(*id).map(Owner::from) else { continue };
                    let from = layout.square_centre(*at);
                    let push = push_direction(last_step, from);
                    (STAGGER, CAPTURE_TIME, TrackKind::Capture { id: *id, from, push, side })
                }
                Effect::Place(piece) => match piece.kind {
                    PieceKind::Pavilion(_) => {
                        (STAGGER, RISE_TIME, TrackKind::RaisePavilion(*piece))
                    }
                    _ => {
                        let (length, next) =
                            held_stone.map_or(PLACE_TIME, |_| (FROM_HAND_TIME, FROM_HAND_TIME));
                        let kind = TrackKind::PlaceStone { piece: *piece, hand: held_stone };
                        (next, length, kind)
                    }
                },
                Effect::Throw { throw, .. } => {
                    let decides = deciding_stick(*throw, tumble_seed).is_some();
                    let length = match (decides, passes(effects)) {
                        (true, _) => THROW_TIME + DECIDING_TIME,
                        (false, true) => PASSED_THROW_TIME,
                        (false, false) => THROW_TIME,
                    };
                    (length + READ_TIME, length, TrackKind::Throw { throw: *throw, tumble_seed })
                }
                Effect::Event(event) => {
                    let kind = match event {
                        Event::Announced(_) => SoundKind::Bell,
                        Event::Ended(_) => SoundKind::Chime,
                        _ => continue,
                    };
                    timeline.sounds.push((now, PlaySound { kind, at: Vec3::ZERO, force: 0.7 }));
                    continue;
                }
            };
            let sounds = kind.sounds(layout).into_iter();
            timeline.sounds.extend(sounds.map(|(t, sound)| (now + t * length, sound)));
            timeline.tracks.push(Track { start: now, length, kind });
            timeline.length = timeline.length.max(now + length.max(next));
            now += next;
        }
        timeline.sounds.sort_by(|a, b| a.0.total_cmp(&b.0));
        timeline
    }

    /// The same in this share of the time.
    pub(super) fn shortened(mut self, share: f32) -> Self {
        for track in &mut self.tracks {
            (track.start, track.length) = (share * track.start, share * track.length);
        }
        for (time, _) in &mut self.sounds {
            *time *= share;
        }
        Self { length: share * self.length, ..self }
    }
}

/// Whether the ply is a throw that brings nothing.
pub(super) fn passes(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::Event(Event::Passed { .. })))
}

/// The direction in which a captured piece is pushed: away from a captor that
/// stopped beside it, or onwards by one that landed on it.
fn push_direction(last_step: Option<[Vec3; 2]>, at: Vec3) -> Vec3 {
    let Some([before, captor]) = last_step else { return Vec3::ZERO };
    let from_captor = at - captor;
    let push = if from_captor.length() > 0.5 { from_captor } else { captor - before };
    push.with_y(0.0).normalize_or_zero()
}

impl TrackKind {
    /// Its name in the frame report.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Move { .. } => "move",
            Self::Capture { .. } => "capture",
            Self::PlaceStone { .. } => "stone",
            Self::RaisePavilion(_) => "pavilion",
            Self::Throw { .. } => "throw",
        }
    }

    /// Its sounds and their times, from 0 to 1.
    fn sounds(&self, layout: &BoardLayout) -> Vec<(f32, PlaySound)> {
        let one = |t: f32, kind: SoundKind, at: Vec3, force: f32| {
            vec![(t, PlaySound { kind, at, force })]
        };
        match self {
            Self::Move { to, path, .. } => {
                one(path.landing(), SoundKind::Wood, layout.square_centre(*to), 0.9)
            }
            Self::Capture { side, .. } => {
                one(0.95, SoundKind::Cloth, layout.tray_position(*side, 0), 0.7)
            }
            Self::PlaceStone { piece, hand } => {
                let impact = if hand.is_some() { 1.0 } else { DROP_IMPACT };
                one(impact, SoundKind::Stone, layout.square_centre(piece.at), 0.8)
            }
            Self::RaisePavilion(piece) => {
                one(0.7, SoundKind::Pavilion, layout.square_centre(piece.at), 0.9)
            }
            Self::Throw { throw, tumble_seed } => table_contacts(layout, *throw, *tumble_seed)
                .into_iter()
                .map(|contact| {
                    let (at, force) = (contact.at, contact.force);
                    (contact.time, PlaySound { kind: SoundKind::Stick, at, force })
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::{
        animation::curves::{KNOCK_TIME, capture_transform},
        components::Captured,
        pieces::tray_transform,
    };

    fn layout() -> BoardLayout {
        BoardLayout { files: 9, ranks: 9, sticks: false }
    }

    fn square(name: &str) -> Square {
        name.parse().unwrap_or(Square::new(0, 0))
    }

    #[test]
    fn a_captured_piece_is_pushed_away_from_its_captor() {
        let layout = layout();
        let captor = Effect::Move { id: PieceId(1), path: vec![square("a1"), square("a5")] };
        let kind_of = |_| Some(PieceKind::Soldier { white: false });
        for (at, direction) in [("a6", Vec3::NEG_Z), ("b5", Vec3::X), ("a5", Vec3::NEG_Z)] {
            let leaves = Effect::Remove { id: PieceId(2), at: square(at) };
            let timeline = Timeline::new(&[captor.clone(), leaves], 0, &layout, kind_of, &[], None);
            let TrackKind::Capture { push, from, .. } = timeline.tracks[1].kind else {
                unreachable!()
            };
            assert!(push.distance(direction) < 1e-5, "{at}: {push}");
            let tray = tray_transform(&layout, Owner(Side::Second), Captured { slot: 0 });
            let knocked = capture_transform(from, push, &tray, KNOCK_TIME);
            assert!((knocked.translation - from).dot(direction) > 0.2, "{at}");
            let up = knocked.rotation * Vec3::Y;
            assert!(up.dot(direction) > 0.3, "{at}: {up}");
        }
    }

    #[test]
    fn tracks_follow_one_another_and_captures_overlap() {
        let layout = layout();
        let effects = [
            Effect::Move { id: PieceId(1), path: vec![square("a1"), square("a5")] },
            Effect::Remove { id: PieceId(2), at: square("a6") },
            Effect::Remove { id: PieceId(3), at: square("b5") },
        ];
        let kind_of = |_| Some(PieceKind::Soldier { white: false });
        let timeline = Timeline::new(&effects, 0, &layout, kind_of, &[], None);
        let starts: Vec<f32> = timeline.tracks.iter().map(|track| track.start).collect();
        assert_eq!(starts[0], 0.0);
        assert_eq!(starts[1], timeline.tracks[0].length);
        assert!(starts[2] > starts[1] && starts[2] < starts[1] + CAPTURE_TIME);
        assert!((timeline.length - starts[2] - CAPTURE_TIME).abs() < 1e-5);
        assert!(matches!(timeline.tracks[1].kind, TrackKind::Capture { side: Side::Second, .. }));
    }

    #[test]
    fn a_throw_that_brings_nothing_is_over_sooner() {
        let layout = BoardLayout { files: 12, ranks: 4, sticks: true };
        let length =
            |effects: &[Effect]| Timeline::new(effects, 7, &layout, |_| None, &[], None).length;
        // Two of four never hang on the last stick.
        let throw = Throw::new(2).expect("a throw");
        let thrown = Effect::Throw { side: Side::First, throw };
        let passed = Effect::Event(Event::Passed { side: Side::First });
        let (usual, short) =
            (length(std::slice::from_ref(&thrown)), length(&[thrown.clone(), passed]));
        assert!(short < 0.7 * usual, "{short} of {usual}");
        assert!(short > 1.0, "the flight is seen");
    }

    #[test]
    fn a_ply_without_effects_takes_no_time() {
        let timeline = Timeline::new(&[], 0, &layout(), |_| None, &[], None);
        assert_eq!(timeline, Timeline::default());
    }
}
