//! Plays queued plies one after the other: each piece or stick that moves has a [`Motion`].
//!
//! Architecture invariant: an animation cannot change a game. What a ply does is
//! known before its first frame. After its last frame everything stands exactly
//! as [`SceneCommand::SetPosition`] would put it.

mod curves;
mod hand;
mod motion;
mod shaking;
mod timeline;

use std::collections::VecDeque;

use bevy::ecs::world::EntityWorldMut;

use self::{
    curves::MovePath,
    hand::{Held, ask_for_frames, carry_held_piece, carry_held_stone},
    motion::{Animation, Motion, MotionKind, advance_motions, show_throw},
    shaking::carry_held_sticks,
    timeline::{Timeline, Track, TrackKind, passes},
};
use super::{
    look::motion_step,
    pieces::{stone_source, tray_transform},
    sticks::throw_animation::stick_flights,
};
use crate::{
    app::scene::prelude::*,
    session::{PieceId, PlacedPiece},
};

/// The ply that is being played.
struct PlayingPly {
    /// What has not begun yet.
    timeline: Timeline,
    /// When it started, on the clock of [`Animation`].
    start: Duration,
    /// When the whole ply has been played.
    end: Duration,
    /// Whether it throws the sticks.
    is_throw: bool,
    /// Whether that brings nothing.
    passes: bool,
}

/// The ply that is being played, and those that wait: the order of the motions.
#[derive(Resource, Default)]
struct AnimationQueue {
    waiting: VecDeque<ShownPly>,
    playing: Option<PlayingPly>,
    /// How many plies to bring to their end at once.
    skipping: usize,
    /// Until when the eye rests on the ply that has come to its end, since the program's start.
    rest_until: Option<Duration>,
    /// Whether the ply that is being played, or was played last, throws the sticks.
    throws: bool,
    /// Whether the ply that was played last is a throw that brought nothing.
    passed: bool,
}

/// How long the eye rests on a ply before the computer answers.
const REST_TIME: Duration = Duration::from_millis(250);
/// The same after a throw, whose score is told on the table, also without motion.
const THROW_REST_TIME: Duration = Duration::from_millis(800);
/// The same after a throw that brings nothing.
const PASSED_REST_TIME: Duration = Duration::from_millis(500);
/// A throw that brings nothing after another such throw: the share of the time that it takes,
/// and how long the eye rests on it. Most throws bring nothing, and only the first is news.
const PASSED_AGAIN: (f32, Duration) = (0.4, Duration::from_millis(300));

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
    let has_plies = |queue: Res<AnimationQueue>| queue.len() > 0;
    app.init_resource::<AnimationQueue>()
        .init_resource::<Time<Animation>>()
        .add_observer(show_throw)
        .add_systems(
            Update,
            (
                run_clock,
                queue_commands,
                play_plies.run_if(has_plies),
                report_motion,
                advance_motions,
                carry_held_piece,
                carry_held_stone,
                carry_held_sticks,
                ask_for_frames,
            )
                .chain()
                .in_set(SceneSet::Animation),
        );
}

/// More seconds than any motion takes: without animation it ends in its first frame.
const AT_ONCE: f32 = 60.0;

/// Advances the clock of all motion.
fn run_clock(
    real: Res<Time<Real>>,
    speed: Res<AnimationSpeed>,
    queue: Res<AnimationQueue>,
    moving: Query<(), With<Motion>>,
    mut clock: ResMut<Time<Animation>>,
) {
    let was_moving = queue.playing.is_some() || !moving.is_empty();
    let step = speed.0.map_or(AT_ONCE, |speed| motion_step(&real, was_moving) * speed.max(0.0));
    clock.advance_by(Duration::try_from_secs_f32(step).unwrap_or_default());
}

/// Queues this frame's commands. A position that is set up ends all motion.
fn queue_commands(
    mut commands: Commands,
    mut scene_commands: MessageReader<SceneCommand>,
    mut queue: ResMut<AnimationQueue>,
    real: Res<Time<Real>>,
    moving: Query<Entity, With<Motion>>,
) {
    for command in scene_commands.read() {
        match command {
            SceneCommand::SetPosition(position) => {
                // Sticks that lie there already are read, too.
                let rest = position.sticks.map(|_| real.elapsed() + THROW_REST_TIME);
                let rest_until = rest.or(queue.rest_until);
                *queue = AnimationQueue { rest_until, ..default() };
                for entity in &moving {
                    commands.entity(entity).remove::<Motion>();
                }
            }
            SceneCommand::PlayPly(ply) => queue.waiting.push_back(ply.clone()),
            SceneCommand::SkipAnimations => queue.skipping = queue.len(),
        }
    }
}

/// Reports what still moves, and whether the eye still rests on the last ply.
fn report_motion(
    real: Res<Time<Real>>,
    queue: Res<AnimationQueue>,
    mut motion: ResMut<MotionStatus>,
    mut next: ResMut<NextFrame>,
) {
    let left =
        queue.rest_until.map_or(Duration::ZERO, |until| until.saturating_sub(real.elapsed()));
    let rests = !left.is_zero();
    if rests {
        next.within(left);
    }
    let throws = queue.throws && (rests || queue.playing.is_some());
    motion.set_if_neq(MotionStatus { pending: queue.len(), rests, throws });
}

/// Starts the motions that are due. A ply that ends within the frame leaves the rest of
/// the time to the next.
fn play_plies(world: &mut World) {
    world.resource_scope(|world, mut queue: Mut<AnimationQueue>| {
        let clock = world.resource::<Time<Animation>>();
        let mut next_start = clock.elapsed().saturating_sub(clock.delta());
        let is_instant = world.resource::<AnimationSpeed>().0.is_none();
        let mut rest = None;
        loop {
            let mut ply = match queue.playing.take() {
                Some(ply) => ply,
                None => match queue.waiting.pop_front() {
                    Some(waiting) => PlayingPly::new(&waiting, next_start, queue.passed, world),
                    None => {
                        let now = world.resource::<Time<Real>>().elapsed();
                        queue.rest_until = rest.map(|rest| now + rest).or(queue.rest_until);
                        return;
                    }
                },
            };
            let is_skipped = is_instant || queue.skipping > 0;
            let mut clock = world.resource_mut::<Time<Animation>>();
            if is_skipped && clock.elapsed() < ply.end {
                clock.advance_to(ply.end);
            }
            let now = clock.elapsed();
            ply.start_tracks(now, world);
            ply.play_due_sounds(now, is_skipped, world);
            if now < ply.end {
                (queue.throws, queue.rest_until) = (ply.is_throw, None);
                queue.playing = Some(ply);
                return;
            }
            // Its motions are over, too, and the next ply finds everything in its place.
            if let Err(error) = world.run_system_cached(advance_motions) {
                error!("{error}");
            }
            queue.skipping = queue.skipping.saturating_sub(1);
            rest = match (ply.is_throw, ply.passes) {
                (true, true) if queue.passed => Some(PASSED_AGAIN.1),
                (true, true) => Some(PASSED_REST_TIME),
                (true, false) => Some(THROW_REST_TIME),
                (false, _) => (!is_skipped).then_some(REST_TIME),
            };
            queue.passed = ply.passes;
            next_start = ply.end;
        }
    });
}

impl PlayingPly {
    /// Begins a ply; `passed` tells that the ply before it was a throw that brought nothing.
    fn new(ply: &ShownPly, start: Duration, passed: bool, world: &mut World) -> Self {
        let pieces: Vec<Piece> = world.query::<&Piece>().iter(world).copied().collect();
        let kind_of = |id| pieces.iter().find(|piece| piece.id == id).map(|piece| piece.kind);
        let mut held = world.query_filtered::<(&Piece, &Transform), With<Held>>();
        let held: Vec<_> =
            held.iter(world).map(|(piece, place)| (piece.id, place.translation)).collect();
        let mut stones = world.query_filtered::<&Transform, With<StoneInHand>>();
        let held_stone = stones.iter(world).next().map(|place| place.translation);
        let layout = world.resource::<BoardLayout>();
        let mut timeline =
            Timeline::new(&ply.effects, ply.tumble_seed, layout, kind_of, &held, held_stone);
        let passes = passes(&ply.effects);
        if passes && passed {
            timeline = timeline.shortened(PASSED_AGAIN.0);
        }
        if let Some(mut label) = world.get_resource_mut::<AnimationLabel>() {
            let names: Vec<&str> = timeline.tracks.iter().map(|track| track.kind.name()).collect();
            label.0 = names.join("+");
        }
        let is_throw = |track: &Track| matches!(track.kind, TrackKind::Throw { .. });
        let is_throw = timeline.tracks.iter().any(is_throw);
        let ends = timeline.tracks.iter().map(|track| {
            let [start, length] = [track.start, track.length].map(Duration::from_secs_f32);
            start + length
        });
        let end = start + ends.fold(Duration::from_secs_f32(timeline.length), Duration::max);
        Self { timeline, start, end, is_throw, passes }
    }

    /// How many of these times, in seconds since the ply's start and in order, have come.
    fn count_due(&self, now: Duration, times: impl Iterator<Item = f32>) -> usize {
        let passed = now.saturating_sub(self.start);
        times.take_while(|time| Duration::from_secs_f32(*time) <= passed).count()
    }

    /// Plays the sounds that are due; when skipping, only the last.
    fn play_due_sounds(&mut self, now: Duration, is_skipped: bool, world: &mut World) {
        let due = self.count_due(now, self.timeline.sounds.iter().map(|timed| timed.0));
        let skipped = if is_skipped { due.saturating_sub(1) } else { 0 };
        for (_, sound) in self.timeline.sounds.drain(..due).skip(skipped) {
            world.write_message(sound);
        }
    }

    fn start_tracks(&mut self, now: Duration, world: &mut World) {
        let due = self.count_due(now, self.timeline.tracks.iter().map(|track| track.start));
        for track in self.timeline.tracks.drain(..due) {
            start_track(&track, self.start + Duration::from_secs_f32(track.start), world);
        }
    }
}

/// The entity of a piece.
fn find_piece(world: &mut World, id: PieceId) -> Option<EntityWorldMut<'_>> {
    let mut pieces = world.query::<(Entity, &Piece)>();
    let entity = pieces.iter(world).find(|(_, piece)| piece.id == id)?.0;
    world.get_entity_mut(entity).ok()
}

/// Starts a track. A moving piece stands for its target square from now on: a
/// click on it is a click on that square.
fn start_track(track: &Track, start: Duration, world: &mut World) {
    let length = Duration::from_secs_f32(track.length);
    let layout = *world.resource::<BoardLayout>();
    let motion = |kind| Motion { start, length, kind };
    match &track.kind {
        TrackKind::Move { id, to, path } => {
            if let Some(mut piece) = find_piece(world, *id) {
                let here = piece.get::<Transform>().map(|place| place.translation);
                let path = path.starting_at(here.unwrap_or_default());
                piece.insert((OnSquare(*to), motion(MotionKind::Slide(path))));
            }
        }
        TrackKind::Capture { id, from, push, side } => {
            let owner = Owner(*side);
            let mut in_trays = world.query_filtered::<&Owner, With<Captured>>();
            let captured =
                Captured { slot: in_trays.iter(world).filter(|other| **other == owner).count() };
            let to = tray_transform(&layout, owner, captured);
            let kind = MotionKind::Capture { from: *from, push: *push, to };
            if let Some(mut piece) = find_piece(world, *id) {
                piece.insert((captured, motion(kind)));
            }
        }
        TrackKind::PlaceStone { piece, hand } => {
            let (at, Owner(side)) = (layout.square_centre(piece.at), piece.kind.into());
            let kind = match hand {
                Some(hand) => MotionKind::Slide(MovePath::from_hand(*hand, at)),
                None => MotionKind::Place { from: stone_source(&layout, side), at },
            };
            let mut held = world.query_filtered::<Entity, With<StoneInHand>>();
            for held in held.iter(world).collect::<Vec<_>>() {
                world.despawn(held);
            }
            place_piece(world, *piece, motion(kind));
        }
        TrackKind::RaisePavilion(piece) => {
            let at = layout.square_centre(piece.at);
            place_piece(world, *piece, motion(MotionKind::Rise { at }));
        }
        TrackKind::Throw { throw, tumble_seed } => {
            let flights = stick_flights(*throw, *tumble_seed);
            let mut sticks = world.query::<(Entity, &CastingStick, &Transform)>();
            let sticks: Vec<_> =
                sticks.iter(world).map(|(entity, stick, at)| (entity, stick.index, *at)).collect();
            for (entity, index, from) in sticks {
                let kind = MotionKind::Tumble { from, flight: flights[index] };
                world.entity_mut(entity).insert(motion(kind));
            }
        }
    }
}

fn place_piece(world: &mut World, piece: PlacedPiece, motion: Motion) {
    world.spawn((Piece::from(piece), OnSquare(piece.at), motion));
}
