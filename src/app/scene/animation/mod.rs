//! Plays queued plies one after the other.
//!
//! Architecture invariant: an animation cannot change a game. What a ply does is
//! known before its first frame. After its last frame everything stands exactly
//! as [`SceneCommand::SetPosition`] would put it.

mod curves;
mod timeline;

use std::collections::VecDeque;

use bevy::prelude::*;

use self::timeline::{Timeline, TrackKind};
use super::{
    SceneSet,
    api::{AnimationSpeed, MotionStatus, OnSquare, SceneCommand},
    layout::Layout,
    look::motion_step,
    pieces::{PieceAssets, PieceEntities, spawn_piece, tray_transform},
    sound::PlaySound,
    sticks::{Sticks, throw_animation},
};
use crate::session::Effect;

/// A ply that waits to be played.
struct QueuedPly {
    effects: Vec<Effect>,
    tumble_seed: u64,
}

/// The ply that is being played.
struct PlayingPly {
    timeline: Timeline,
    /// Seconds since its start, at usual speed.
    time: f32,
    /// How many of the timeline's sounds were played.
    sounds_played: usize,
    /// The state of each track.
    track_states: Vec<TrackState>,
    /// The sticks' transforms when their throw started.
    sticks_from: Option<[Transform; 4]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TrackState {
    Waiting,
    Running,
    Finished,
}

/// The ply that is being played, and those that wait.
#[derive(Resource, Default)]
struct AnimationQueue {
    waiting: VecDeque<QueuedPly>,
    playing: Option<PlayingPly>,
    /// How many plies to bring to their end at once.
    skipping: usize,
}

impl AnimationQueue {
    fn len(&self) -> usize {
        self.waiting.len() + usize::from(self.playing.is_some())
    }
}

/// The names of the tracks of the ply that is being played, joined by `+`. Kept
/// only where the resource was inserted, for the frame report.
#[derive(Resource, Default)]
pub(crate) struct AnimationLabel(pub(crate) String);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<AnimationQueue>();
    app.add_systems(Update, (queue_commands, play_animations).chain().in_set(SceneSet::Animation));
}

/// Queues this frame's commands.
fn queue_commands(
    mut scene_commands: MessageReader<SceneCommand>,
    mut queue: ResMut<AnimationQueue>,
    mut motion: ResMut<MotionStatus>,
) {
    for command in scene_commands.read() {
        match command {
            SceneCommand::SetPosition { .. } => {
                *queue = AnimationQueue::default();
                *motion = MotionStatus::default();
            }
            SceneCommand::PlayPly { effects, tumble_seed } => {
                let ply = QueuedPly { effects: effects.clone(), tumble_seed: *tumble_seed };
                queue.waiting.push_back(ply);
                motion.pending += 1;
            }
            SceneCommand::SkipAnimations => queue.skipping = queue.len(),
        }
    }
}

/// What tracks act on.
struct SceneParts<'a, 'w, 's> {
    commands: &'a mut Commands<'w, 's>,
    pieces: &'a mut PieceEntities,
    assets: &'a PieceAssets,
    layout: &'a Layout,
    sticks: &'a mut Sticks,
}

/// Advances the playing ply; one that ends within the frame leaves the rest of
/// the time to the next.
fn play_animations(
    mut commands: Commands,
    time: Res<Time<Real>>,
    speed: Res<AnimationSpeed>,
    layout: Res<Layout>,
    assets: Res<PieceAssets>,
    mut queue: ResMut<AnimationQueue>,
    mut motion: ResMut<MotionStatus>,
    mut pieces: ResMut<PieceEntities>,
    mut sticks: ResMut<Sticks>,
    mut sounds: MessageWriter<PlaySound>,
    mut label: Option<ResMut<AnimationLabel>>,
) {
    if queue.len() == 0 {
        return;
    }
    let instant = speed.is_instant();
    let step = motion_step(&time, queue.playing.is_some());
    let mut left = if instant { f32::INFINITY } else { step * speed.speed.max(0.0) };
    let mut parts = SceneParts {
        commands: &mut commands,
        pieces: &mut pieces,
        assets: &assets,
        layout: &layout,
        sticks: &mut sticks,
    };
    loop {
        let mut ply = match queue.playing.take() {
            Some(ply) => ply,
            None => match queue.waiting.pop_front() {
                Some(waiting) => PlayingPly::new(&waiting, &parts),
                None => return,
            },
        };
        if let Some(label) = label.as_deref_mut() {
            let names: Vec<&str> = ply.timeline.tracks.iter().map(|it| it.kind.name()).collect();
            label.0 = names.join("+");
        }
        let skipped = queue.skipping > 0;
        ply.time += if skipped { f32::INFINITY } else { left };
        ply.update_tracks(&mut parts);
        ply.play_due_sounds(&mut sounds);
        if ply.time < ply.timeline.length {
            queue.playing = Some(ply);
            return;
        }
        if skipped {
            queue.skipping -= 1;
            left = if instant { f32::INFINITY } else { 0.0 };
        } else {
            left = ply.time - ply.timeline.length;
        }
        motion.pending = motion.pending.saturating_sub(1);
    }
}

impl PlayingPly {
    fn new(ply: &QueuedPly, parts: &SceneParts<'_, '_, '_>) -> Self {
        let kind_of = |id| parts.pieces.get(id).map(|it| it.piece.kind);
        let timeline = Timeline::new(&ply.effects, ply.tumble_seed, parts.layout, kind_of);
        let track_states = vec![TrackState::Waiting; timeline.tracks.len()];
        Self { timeline, time: 0.0, sounds_played: 0, track_states, sticks_from: None }
    }

    /// Plays the sounds that are due; when skipping, only the last.
    fn play_due_sounds(&mut self, sounds: &mut MessageWriter<PlaySound>) {
        let timed = &self.timeline.sounds;
        let due = timed.partition_point(|(time, _)| *time <= self.time);
        let first = if self.time.is_finite() {
            self.sounds_played
        } else {
            self.sounds_played.max(due.saturating_sub(1))
        };
        for (_, sound) in timed.get(first..due).unwrap_or_default() {
            sounds.write(*sound);
        }
        self.sounds_played = due;
    }

    /// Starts, updates and finishes tracks.
    fn update_tracks(&mut self, parts: &mut SceneParts<'_, '_, '_>) {
        for (track, state) in self.timeline.tracks.iter().zip(&mut self.track_states) {
            if self.time < track.start || *state == TrackState::Finished {
                continue;
            }
            if *state == TrackState::Waiting {
                *state = TrackState::Running;
                start_track(&track.kind, parts, &mut self.sticks_from);
            }
            let t = ((self.time - track.start) / track.length.max(1e-6)).clamp(0.0, 1.0);
            pose_track(&track.kind, t, parts, self.sticks_from.as_ref());
            if t >= 1.0 {
                *state = TrackState::Finished;
                finish_track(&track.kind, parts);
            }
        }
    }
}

/// Starts a track. A moving piece stands for its target square from now on: a
/// click on it is a click on that square.
fn start_track(
    kind: &TrackKind,
    parts: &mut SceneParts<'_, '_, '_>,
    sticks_from: &mut Option<[Transform; 4]>,
) {
    match kind {
        TrackKind::Move { id, to, .. } => parts.pieces.set_square(parts.commands, *id, *to),
        TrackKind::Capture { id, side, .. } => {
            if let Some(known) = parts.pieces.get(*id) {
                let mut entity = parts.commands.entity(known.entity);
                entity.remove::<OnSquare>().try_insert(Pickable::IGNORE);
            }
            if let Some(side) = side {
                parts.pieces.tray_index(*id, *side);
            }
        }
        TrackKind::PlaceStone(piece) | TrackKind::RaisePavilion(piece) => {
            spawn_piece(parts.commands, parts.pieces, parts.assets, parts.layout, *piece);
        }
        TrackKind::Throw { .. } => {
            *sticks_from = Some(parts.sticks.resting_transforms(parts.layout));
        }
    }
}

/// Moves what a track animates to its place at time `t`, from 0 to 1.
fn pose_track(
    kind: &TrackKind,
    t: f32,
    parts: &mut SceneParts<'_, '_, '_>,
    sticks_from: Option<&[Transform; 4]>,
) {
    let (id, transform) = match kind {
        TrackKind::Move { id, path, .. } => (*id, curves::move_transform(path, t)),
        TrackKind::Capture { id, from, push, side: Some(side) } => {
            let index = parts.pieces.tray_index(*id, *side);
            let to = tray_transform(parts.layout, *side, index);
            (*id, curves::capture_transform(*from, *push, &to, t))
        }
        TrackKind::Capture { id, from, side: None, .. } => {
            let shrinking = Vec3::splat(1.0 - t);
            (*id, Transform::from_translation(*from).with_scale(shrinking))
        }
        TrackKind::PlaceStone(piece) => {
            (piece.id, curves::drop_transform(parts.layout.square_centre(piece.at), t))
        }
        TrackKind::RaisePavilion(piece) => {
            (piece.id, curves::rise_transform(parts.layout.square_centre(piece.at), t))
        }
        TrackKind::Throw { throw, tumble_seed } => {
            if let Some(from) = sticks_from {
                let transforms =
                    throw_animation::transforms_at(parts.layout, from, *throw, *tumble_seed, t);
                parts.sticks.set_transforms(parts.commands, &transforms);
            }
            return;
        }
    };
    if let Some(known) = parts.pieces.get(id) {
        parts.commands.entity(known.entity).try_insert(transform);
    }
}

/// Finishes a track after its last pose.
fn finish_track(kind: &TrackKind, parts: &mut SceneParts<'_, '_, '_>) {
    match kind {
        TrackKind::Throw { throw, tumble_seed } => {
            parts.sticks.shown = Some((*throw, *tumble_seed));
            let transforms = parts.sticks.resting_transforms(parts.layout);
            parts.sticks.set_transforms(parts.commands, &transforms);
        }
        TrackKind::Capture { id, side: None, .. } => parts.pieces.despawn(parts.commands, *id),
        TrackKind::Move { .. }
        | TrackKind::Capture { .. }
        | TrackKind::PlaceStone(_)
        | TrackKind::RaisePavilion(_) => {}
    }
}
