//! The director: plays cued plies one after the other.
//!
//! Architecture invariant: an animation can change no game. What a ply does
//! is known before its first frame; the director only shows it, and after
//! its last frame everything stands exactly as [`SceneCommand::Set`] would put it.
//!
//! All of the scene runs in [`AppSet::Scene`], after whatever writes cues: a
//! cue is taken up in the frame that writes it.

mod curves;
pub(crate) mod timeline;

use std::collections::VecDeque;

use bevy::prelude::*;

use super::{
    api::{AnimationSpeed, MotionStatus, OnSquare, SceneCommand},
    layout::Layout,
    pieces::{self, PieceEntities, Shapes},
    sound::PlaySound,
    sticks::{self, Sticks},
};
use crate::{app::core::schedule::AppSet, table::Effect};

use timeline::{Timeline, TrackKind};

/// The order in which the scene follows its cues in a frame.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SceneSet {
    /// A board is built.
    Board,
    /// Figures are set.
    Pieces,
    /// Sticks are set.
    Sticks,
    /// Plies are played.
    Play,
    /// Highlights are drawn.
    Highlights,
}

/// Above this speed everything happens at once.
const AT_ONCE: f32 = 100.0;

/// A ply that waits to be played.
struct Waiting {
    effects: Vec<Effect>,
    tumble: u64,
}

/// The ply that is being played.
struct Running {
    timeline: Timeline,
    clock: f32,
    /// How many of the timeline's beats were heard.
    heard: usize,
    /// For each track: begun, ended.
    state: Vec<(bool, bool)>,
    /// How the sticks lay when they were taken up.
    sticks_from: Option<[Transform; 4]>,
}

/// What is played, and what waits.
#[derive(Resource, Default)]
struct AnimationQueue {
    waiting: VecDeque<Waiting>,
    running: Option<Running>,
    /// So many plies are to be brought to their end at once.
    hurried: usize,
}

impl AnimationQueue {
    fn len(&self) -> usize {
        self.waiting.len() + usize::from(self.running.is_some())
    }
}

/// What the ply that is shown does, in words for who measures it; kept only
/// where somebody does.
#[derive(Resource, Default)]
pub(crate) struct Playing(pub(crate) String);

/// Plays cues.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<AnimationQueue>();
    app.configure_sets(
        Update,
        (SceneSet::Board, SceneSet::Pieces, SceneSet::Sticks, SceneSet::Play, SceneSet::Highlights)
            .chain()
            .in_set(AppSet::Scene),
    );
    app.add_systems(Update, (read, play).chain().in_set(SceneSet::Play));
}

/// Takes this frame's cues in their order.
fn read(
    mut cues: MessageReader<SceneCommand>,
    mut programme: ResMut<AnimationQueue>,
    mut motion: ResMut<MotionStatus>,
) {
    for cue in cues.read() {
        match cue {
            SceneCommand::Set { .. } => {
                *programme = AnimationQueue::default();
                *motion = MotionStatus::default();
            }
            SceneCommand::Play { effects, tumble } => {
                programme.waiting.push_back(Waiting { effects: effects.clone(), tumble: *tumble });
                motion.waiting += 1;
            }
            SceneCommand::Finish => programme.hurried = programme.len(),
        }
    }
}

/// What tracks act on.
struct SceneParts<'a, 'w, 's> {
    commands: &'a mut Commands<'w, 's>,
    cast: &'a mut PieceEntities,
    shapes: &'a Shapes,
    layout: &'a Layout,
    sticks: &'a mut Sticks,
}

fn play(
    mut commands: Commands,
    time: Res<Time>,
    pace: Res<AnimationSpeed>,
    layout: Res<Layout>,
    shapes: Res<Shapes>,
    mut programme: ResMut<AnimationQueue>,
    mut motion: ResMut<MotionStatus>,
    mut cast: ResMut<PieceEntities>,
    mut sticks: ResMut<Sticks>,
    mut sounds: MessageWriter<PlaySound>,
    mut playing: Option<ResMut<Playing>>,
) {
    if programme.len() == 0 {
        return;
    }
    let at_once = pace.speed > AT_ONCE;
    let mut left = if at_once { f32::INFINITY } else { time.delta_secs() * pace.speed.max(0.0) };
    let mut hands = SceneParts {
        commands: &mut commands,
        cast: &mut cast,
        shapes: &shapes,
        layout: &layout,
        sticks: &mut sticks,
    };
    loop {
        let mut running = match programme.running.take() {
            Some(running) => running,
            None => match programme.waiting.pop_front() {
                Some(waiting) => Running::of(&waiting, &hands),
                None => return,
            },
        };
        if let Some(playing) = playing.as_deref_mut() {
            let deeds: Vec<&str> =
                running.timeline.tracks.iter().map(|it| it.deed.name()).collect();
            playing.0 = deeds.join("+");
        }
        let hurried = programme.hurried > 0;
        running.clock += if hurried { f32::INFINITY } else { left };
        running.show(&mut hands);
        running.sound(&mut sounds);
        if running.clock < running.timeline.length {
            programme.running = Some(running);
            return;
        }
        if hurried {
            programme.hurried -= 1;
            left = if at_once { f32::INFINITY } else { 0.0 };
        } else {
            left = running.clock - running.timeline.length;
        }
        motion.waiting = motion.waiting.saturating_sub(1);
        motion.shown += 1;
    }
}

impl Running {
    fn of(waiting: &Waiting, hands: &SceneParts<'_, '_, '_>) -> Self {
        let figure = |id| hands.cast.actor(id).map(|actor| actor.standing.kind);
        let timeline = Timeline::of(&waiting.effects, waiting.tumble, hands.layout, figure);
        let state = vec![(false, false); timeline.tracks.len()];
        Self { timeline, clock: 0.0, heard: 0, state, sticks_from: None }
    }

    /// Lets be heard what has happened by this clock. Of what happens all at
    /// once only the last is heard.
    fn sound(&mut self, sounds: &mut MessageWriter<PlaySound>) {
        let beats = &self.timeline.beats;
        let now = beats.partition_point(|(time, _)| *time <= self.clock);
        let first =
            if self.clock.is_finite() { self.heard } else { self.heard.max(now - now.min(1)) };
        for (_, heard) in beats.get(first..now).unwrap_or_default() {
            sounds.write(*heard);
        }
        self.heard = now;
    }

    /// Puts everything where it belongs at this clock.
    fn show(&mut self, hands: &mut SceneParts<'_, '_, '_>) {
        for (track, (begun, ended)) in self.timeline.tracks.iter().zip(&mut self.state) {
            if self.clock < track.start || *ended {
                continue;
            }
            if !*begun {
                *begun = true;
                begin(&track.deed, hands, &mut self.sticks_from);
            }
            let part = ((self.clock - track.start) / track.length.max(1e-6)).clamp(0.0, 1.0);
            pose(&track.deed, part, hands, self.sticks_from.as_ref());
            if part >= 1.0 {
                *ended = true;
                end(&track.deed, hands);
            }
        }
    }
}

/// The first moment of a track. Where a piece stands is said now: touching
/// it on its way is touching the square it goes to.
fn begin(
    deed: &TrackKind,
    hands: &mut SceneParts<'_, '_, '_>,
    sticks_from: &mut Option<[Transform; 4]>,
) {
    match deed {
        TrackKind::Go { id, to, .. } => hands.cast.stand(hands.commands, *id, *to),
        TrackKind::Leave { id, side, .. } => {
            if let Some(actor) = hands.cast.actor(*id) {
                hands
                    .commands
                    .entity(actor.entity)
                    .remove::<OnSquare>()
                    .try_insert(Pickable::IGNORE);
            }
            if let Some(side) = side {
                hands.cast.capture(*id, *side);
            }
        }
        TrackKind::Drop(standing) | TrackKind::Rise(standing) => {
            pieces::spawn(hands.commands, hands.cast, hands.shapes, hands.layout, *standing);
        }
        TrackKind::Throw { .. } => *sticks_from = Some(hands.sticks.lie(hands.layout)),
    }
}

/// A moment of a track, `part` of its length after its begin.
fn pose(
    deed: &TrackKind,
    part: f32,
    hands: &mut SceneParts<'_, '_, '_>,
    sticks_from: Option<&[Transform; 4]>,
) {
    let pose = match deed {
        TrackKind::Go { way, .. } => curves::on_the_way(way, part),
        TrackKind::Leave { id, from, push, side } => match side {
            Some(side) => {
                let place = hands.cast.capture(*id, *side);
                let there = pieces::tray_stance(hands.layout, *side, place);
                curves::leaving(*from, *push, &there, part)
            }
            None => Transform::from_translation(*from).with_scale(Vec3::splat(1.0 - part)),
        },
        TrackKind::Drop(standing) => curves::dropping(hands.layout.place(standing.at), part),
        TrackKind::Rise(standing) => curves::rising(hands.layout.place(standing.at), part),
        TrackKind::Throw { throw, tumble } => {
            if let Some(from) = sticks_from {
                let places = sticks::throw::at(hands.layout, from, *throw, *tumble, part);
                hands.sticks.put(hands.commands, &places);
            }
            return;
        }
    };
    let id = match deed {
        TrackKind::Go { id, .. } | TrackKind::Leave { id, .. } => *id,
        TrackKind::Drop(standing) | TrackKind::Rise(standing) => standing.id,
        TrackKind::Throw { .. } => return,
    };
    if let Some(actor) = hands.cast.actor(id) {
        hands.commands.entity(actor.entity).try_insert(pose);
    }
}

/// After the last moment of a track.
fn end(deed: &TrackKind, hands: &mut SceneParts<'_, '_, '_>) {
    match deed {
        TrackKind::Throw { throw, tumble } => {
            hands.sticks.shown = Some((*throw, *tumble));
            let places = hands.sticks.lie(hands.layout);
            hands.sticks.put(hands.commands, &places);
        }
        TrackKind::Leave { id, side: None, .. } => hands.cast.dismiss(hands.commands, *id),
        TrackKind::Go { .. }
        | TrackKind::Leave { .. }
        | TrackKind::Drop(_)
        | TrackKind::Rise(_) => {}
    }
}
