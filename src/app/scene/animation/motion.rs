//! Motion as a component: the way of a piece or a stick to where it stands.

use super::curves::{self, MovePath};
use crate::app::scene::{prelude::*, sticks::throw_animation::StickFlight};

/// The clock of all motion, `Time<Animation>`: real time at the speed of the animations.
#[derive(Default)]
pub(super) struct Animation;

/// The way of an entity to where it stands. It is removed at its end.
#[derive(Component, Clone, Debug)]
#[require(Transform)]
pub(super) struct Motion {
    /// When it starts, on the clock of [`Animation`].
    pub(super) start: Duration,
    /// How long it takes.
    pub(super) length: Duration,
    pub(super) kind: MotionKind,
}

/// How something moves.
#[derive(Clone, Debug)]
pub(super) enum MotionKind {
    /// A piece is carried along squares.
    Slide(MovePath),
    /// A piece is knocked aside and carried to its tray.
    Capture {
        from: Vec3,
        /// The direction in which its captor pushes it.
        push: Vec3,
        /// Its place in the tray.
        to: Transform,
    },
    /// A stone is brought to its square.
    Place { from: Vec3, at: Vec3 },
    /// A pavilion rises out of its square.
    Rise { at: Vec3 },
    /// A stick is picked up and thrown.
    Tumble { from: Transform, flight: StickFlight },
}

/// A motion has ended: the entity stands where it was to go.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub(super) struct MotionEnded {
    entity: Entity,
}

/// Moves everything that has a [`Motion`], and ends those whose time is over.
pub(super) fn advance_motions(
    mut commands: Commands,
    clock: Res<Time<Animation>>,
    layout: Res<BoardLayout>,
    mut moving: Query<(Entity, &mut Transform, &Motion)>,
) {
    for (entity, mut transform, motion) in &mut moving {
        let passed = clock.elapsed().saturating_sub(motion.start);
        let is_over = passed >= motion.length;
        let t = if is_over { 1.0 } else { passed.div_duration_f32(motion.length) };
        *transform = motion.kind.transform(t, &layout);
        if is_over {
            commands.trigger(MotionEnded { entity });
            commands.entity(entity).remove::<Motion>();
        }
    }
}

/// A stick shows its throw when it has come to rest.
pub(super) fn show_throw(ended: On<MotionEnded>, mut sticks: Query<(&mut CastingStick, &Motion)>) {
    if let Ok((mut stick, Motion { kind: MotionKind::Tumble { flight, .. }, .. })) =
        sticks.get_mut(ended.entity)
    {
        stick.shows = Some(flight.thrown);
    }
}

impl MotionKind {
    /// The transform at time `t`, from 0 to 1.
    fn transform(&self, t: f32, layout: &BoardLayout) -> Transform {
        match self {
            Self::Slide(path) => curves::move_transform(path, t),
            Self::Capture { from, push, to } => curves::capture_transform(*from, *push, to, t),
            Self::Place { from, at } => curves::place_transform(*from, *at, t),
            Self::Rise { at } => curves::rise_transform(*at, t),
            Self::Tumble { from, flight } => flight.transform(layout, from, t),
        }
    }
}
