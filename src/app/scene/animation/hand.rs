//! The piece in the player's hand: it is lifted, follows the pointer, and settles where it
//! is dropped, or glides home.

use bevy::ecs::{lifecycle::HookContext, world::DeferredWorld};

use super::{
    curves::{self, MovePath},
    motion::{Animation, Motion, MotionKind},
};
use crate::app::scene::{camera::ray_at, look::motion_step, pieces::stone_source, prelude::*};

/// How high a piece is held, in squares.
const LIFT: f32 = 0.35;
/// The height of a piece at which it is held, above its foot.
const GRIP: f32 = 0.30;
/// A finger hides what is under it: the piece is held so many logical pixels above.
const ABOVE_FINGER: f32 = 48.0;
/// In the flat diagram a held piece is drawn larger.
const FLAT_SCALE: f32 = 1.12;
/// After this time, in seconds, a held piece has made two thirds of its way to the
/// pointer: in 80 ms it is there.
const TIME_CONSTANT: f32 = 0.028;
/// A piece nearer to the pointer than this, in squares, has reached it.
const REACHED: f32 = 0.002;

/// Marks the piece in the hand. It cannot be hit: the pointer sees the square under it.
#[derive(Component)]
#[component(on_add = let_pointer_through, on_remove = catch_pointer)]
pub(super) struct Held;

fn let_pointer_through(mut world: DeferredWorld<'_>, HookContext { entity, .. }: HookContext) {
    world.commands().entity(entity).try_insert(Pickable::IGNORE);
}

fn catch_pointer(mut world: DeferredWorld<'_>, HookContext { entity, .. }: HookContext) {
    world.commands().entity(entity).try_remove::<Pickable>();
}

/// Moves the piece in the hand towards the pointer, and the piece of the first half of a pair
/// of moves to the square chosen for it. A piece that the hand has released, and that no ply
/// moves, glides home.
pub(super) fn carry_held_piece(
    mut commands: Commands,
    (hand, flat, speed): (Res<Hand>, Res<FlatView>, Res<AnimationSpeed>),
    highlights: Res<Highlights>,
    (real, clock): (Res<Time<Real>>, Res<Time<Animation>>),
    layout: Res<BoardLayout>,
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    mut pieces: Query<(Entity, &OnSquare, &mut Transform, Has<Held>, Has<Motion>), With<Piece>>,
    mut next: ResMut<NextFrame>,
) {
    for (entity, square, mut place, is_held, is_moving) in &mut pieces {
        let held = hand.0.filter(|_| hand.piece() == Some(square.0) && !is_moving);
        let goal = held.and_then(|held| held_at(held, flat.0, cameras.iter().next()?));
        let chosen = highlights.chosen_step.filter(|step| step.0 == square.0 && !is_moving);
        match goal.or_else(|| chosen.map(|step| layout.square_centre(step.1))) {
            Some(goal) => {
                let share = speed.share(motion_step(&real, is_held) / TIME_CONSTANT);
                place.translation = place.translation.lerp(goal, share);
                if place.translation.distance(goal) > REACHED {
                    next.at_once();
                }
                if !is_held {
                    place.scale = Vec3::splat(if flat.0 { FLAT_SCALE } else { 1.0 });
                    commands.entity(entity).insert(Held);
                }
            }
            None if is_held => {
                let mut entity = commands.entity(entity);
                entity.remove::<Held>();
                if !is_moving {
                    let path =
                        MovePath::from_hand(place.translation, layout.square_centre(square.0));
                    entity.insert(Motion {
                        start: clock.elapsed(),
                        length: Duration::from_secs_f32(curves::GLIDE_HOME_TIME),
                        kind: MotionKind::Slide(path),
                    });
                }
            }
            None => {}
        }
    }
}

/// Moves the stone in the hand from beside the board towards the pointer, and back once the
/// hand has let it go where it is not placed.
pub(super) fn carry_held_stone(
    mut commands: Commands,
    (hand, flat, speed): (Res<Hand>, Res<FlatView>, Res<AnimationSpeed>),
    (real, layout): (Res<Time<Real>>, Res<BoardLayout>),
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    mut stones: Query<(Entity, &StoneInHand, &mut Transform)>,
    mut next: ResMut<NextFrame>,
) {
    if let (Some(side), true) = (hand.stone(), stones.is_empty()) {
        let from = Transform::from_translation(stone_source(&layout, side));
        commands.spawn((StoneInHand(side), LooksLike(PieceKind::Stone(side)), from));
        next.at_once();
    }
    for (entity, StoneInHand(side), mut place) in &mut stones {
        let held = hand.0.filter(|_| hand.stone().is_some());
        let goal = held.and_then(|held| held_at(held, flat.0, cameras.iter().next()?));
        let source = stone_source(&layout, *side);
        let share = speed.share(motion_step(&real, true) / TIME_CONSTANT);
        place.translation = place.translation.lerp(goal.unwrap_or(source), share);
        let is_away = place.translation.distance(goal.unwrap_or(source)) > REACHED;
        if is_away {
            next.at_once();
        } else if goal.is_none() {
            commands.entity(entity).despawn();
        }
    }
}

/// Asks for frames while something moves that belongs to no ply.
pub(super) fn ask_for_frames(moving: Query<(), With<Motion>>, mut next: ResMut<NextFrame>) {
    if !moving.is_empty() {
        next.at_once();
    }
}

/// Where the foot of a held piece is: its grip is under the pointer.
fn held_at(held: InHand, flat: bool, (camera, place): (&Camera, &GlobalTransform)) -> Option<Vec3> {
    let above = if held.by_finger { ABOVE_FINGER } else { 0.0 };
    let ray = ray_at(camera, place, held.pointer - Vec2::Y * above)?;
    let (lift, grip) = if flat { (0.0, 0.0) } else { (LIFT, GRIP) };
    let distance = ray.intersect_plane(Vec3::Y * (lift + grip), InfinitePlane3d::new(Vec3::Y))?;
    Some(ray.get_point(distance).with_y(lift))
}
