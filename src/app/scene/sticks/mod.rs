//! The four casting sticks in front of a Tablan board.

mod assets;
pub(crate) mod throw_animation;

use bevy::camera::visibility::RenderLayers;

pub(super) use self::assets::StickAssets;
use super::look::{CASTER_LAYERS, GroundShadows, ShadowOf, TableMaterial};
use crate::app::scene::prelude::*;

/// The place of the sticks among the shadows of Tablan.
const SHADOW: usize = 2;

/// The pool of light under sticks that wait to be thrown.
#[derive(Component)]
#[require(Pickable = Pickable::IGNORE)]
struct Halo;

/// The sticks and their glow.
pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(assets::plugin);
    app.add_observer(dress_stick).add_systems(
        Update,
        (
            apply_set_position.in_set(SceneSet::Sticks),
            update_glow
                .run_if(
                    resource_changed::<Highlights>
                        .or_else(resource_changed::<BoardLayout>)
                        .or_else(any_match_filter::<Added<CastingStick>>),
                )
                .in_set(SceneSet::Highlights),
        ),
    );
}

/// Carries out the frame's last [`SceneCommand::SetPosition`](super::api::SceneCommand::SetPosition).
fn apply_set_position(
    mut commands: Commands,
    mut position: NewPosition,
    layout: Res<BoardLayout>,
    mut sticks: Query<(Entity, &mut CastingStick, &mut Transform)>,
) {
    let Some(&ShownPosition { rules, sticks: throw, .. }) = position.read() else { return };
    if !rules.has_sticks() {
        for (entity, ..) in &sticks {
            commands.entity(entity).despawn();
        }
        return;
    }
    let shows = throw.map(|throw| (throw, 0));
    if sticks.is_empty() {
        for index in 0..4 {
            let stick = CastingStick { index, shows };
            let transform = throw_animation::resting_transform(&layout, index, shows);
            commands.spawn((stick, transform));
        }
    }
    for (_, mut stick, mut transform) in &mut sticks {
        // If the throw is the same, the sticks stay as they fell.
        if stick.shows.map(|show| show.0) != throw {
            stick.shows = shows;
        }
        *transform = throw_animation::resting_transform(&layout, stick.index, stick.shows);
    }
}

/// Gives a new stick its name, body and shadow.
fn dress_stick(
    added: On<Add, CastingStick>,
    mut commands: Commands,
    sticks: Query<&CastingStick>,
    (assets, shadows): (Res<StickAssets>, Res<GroundShadows>),
) {
    let Ok(stick) = sticks.get(added.entity) else { return };
    commands
        .entity(added.entity)
        .insert((
            Name::new(format!("Stick {}", stick.index + 1)),
            Mesh3d(assets.mesh.clone()),
            MeshMaterial3d(assets.material.clone()),
            RenderLayers::from_layers(&CASTER_LAYERS),
        ))
        .with_child((Name::new("Shadow"), ShadowOf::STICK, shadows.of(GameKind::Tablan, SHADOW)));
}

/// Makes sticks that wait for the user shine, on a pool of light that can be
/// clicked too.
fn update_glow(
    mut commands: Commands,
    highlights: Res<Highlights>,
    layout: Res<BoardLayout>,
    assets: Res<StickAssets>,
    mut sticks: Query<&mut MeshMaterial3d<TableMaterial>, With<CastingStick>>,
    halos: Query<Entity, With<Halo>>,
) {
    let shines = highlights.sticks_ready && layout.sticks;
    // An entity under a pressed button must not be respawned: it would lose the
    // click.
    let keep = shines && !layout.is_changed();
    for halo in halos.iter().filter(|_| !keep) {
        commands.entity(halo).despawn();
    }
    let material = if shines { &assets.shining_material } else { &assets.material };
    for mut stick in &mut sticks {
        stick.set_if_neq(MeshMaterial3d(material.clone()));
    }
    let is_there = keep && !halos.is_empty();
    if shines && !is_there {
        let halo = (
            Halo,
            Name::new("Waiting sticks"),
            Mesh3d(assets.halo_mesh.clone()),
            MeshMaterial3d(assets.halo_material.clone()),
            Transform::from_translation(layout.sticks_centre() + Vec3::Y * 0.006),
        );
        // A mesh without a material is invisible, but can be picked.
        let click_area = (
            ThrowTarget,
            Name::new("Click area of the sticks"),
            Mesh3d(assets.click_area_mesh.clone()),
            Transform::default(),
        );
        commands.spawn(halo).with_child(click_area);
    }
}
