//! The four casting sticks in front of a Tablan board.

mod assets;
mod shadow;
pub(crate) mod throw_animation;

use bevy::{light::NotShadowCaster, prelude::*};

use self::assets::StickAssets;
use super::{
    SceneSet,
    api::{Highlights, SceneCommand, Stick, ThrowTarget},
    layout::Layout,
    look::Surface,
};
use crate::games::Throw;

/// The sticks' entities, and what they show.
#[derive(Resource, Default)]
pub(crate) struct Sticks {
    entities: Vec<Entity>,
    /// The last throw and its tumble seed; `None` before the first throw.
    pub(crate) shown: Option<(Throw, u64)>,
}

impl Sticks {
    /// The transforms of the sticks at rest.
    pub(crate) fn resting_transforms(&self, layout: &Layout) -> [Transform; 4] {
        match self.shown {
            Some((throw, seed)) => throw_animation::resting_transforms(layout, throw, seed),
            None => throw_animation::bundled_transforms(layout),
        }
    }

    /// Moves the sticks.
    pub(crate) fn set_transforms(&self, commands: &mut Commands, transforms: &[Transform; 4]) {
        for (&entity, &transform) in self.entities.iter().zip(transforms) {
            commands.entity(entity).try_insert(transform);
        }
    }
}

/// The pool of light under sticks that wait to be thrown.
#[derive(Component)]
struct Halo;

/// The sticks and their glow.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Sticks>();
    app.add_plugins((assets::plugin, shadow::plugin));
    app.add_systems(
        Update,
        (apply_set_position.in_set(SceneSet::Sticks), update_glow.in_set(SceneSet::Highlights)),
    );
}

/// Carries out the frame's last [`SceneCommand::SetPosition`].
fn apply_set_position(
    mut commands: Commands,
    mut scene_commands: MessageReader<SceneCommand>,
    mut sticks: ResMut<Sticks>,
    layout: Res<Layout>,
    assets: Res<StickAssets>,
) {
    let positions = scene_commands.read().filter_map(|command| match command {
        SceneCommand::SetPosition { rules, sticks, .. } => Some((*rules, *sticks)),
        SceneCommand::PlayPly { .. } | SceneCommand::SkipAnimations => None,
    });
    let Some((rules, shown)) = positions.last() else { return };
    if !rules.has_sticks() {
        for entity in sticks.entities.drain(..) {
            commands.entity(entity).despawn();
        }
        sticks.shown = None;
        return;
    }
    if sticks.entities.is_empty() {
        sticks.entities = (0..4)
            .map(|number| {
                commands
                    .spawn((
                        Name::new(format!("Stick {}", number + 1)),
                        Stick(number),
                        Mesh3d(assets.mesh.clone()),
                        Surface(assets.material.clone()),
                        Transform::default(),
                    ))
                    .with_child(shadow::shadow(&assets))
                    .id()
            })
            .collect();
    }
    // If the throw is the same, the sticks stay as they fell.
    if sticks.shown.map(|it| it.0) != shown {
        sticks.shown = shown.map(|throw| (throw, 0));
    }
    let transforms = sticks.resting_transforms(&layout);
    sticks.set_transforms(&mut commands, &transforms);
}

/// Makes sticks that wait for the user shine, on a pool of light that can be
/// clicked too.
fn update_glow(
    mut commands: Commands,
    highlights: Res<Highlights>,
    layout: Res<Layout>,
    assets: Res<StickAssets>,
    sticks: Query<Entity, With<Stick>>,
    added: Query<(), Added<Stick>>,
    halos: Query<Entity, With<Halo>>,
) {
    if !highlights.is_changed() && added.is_empty() && !layout.is_changed() {
        return;
    }
    let shines = highlights.sticks_ready && layout.sticks;
    // An entity under a pressed button must not be respawned: it would lose the
    // click.
    let keep = shines && !layout.is_changed();
    for halo in halos.iter().filter(|_| !keep) {
        commands.entity(halo).despawn();
    }
    let material = if shines { &assets.shining_material } else { &assets.material };
    for stick in &sticks {
        commands.entity(stick).try_insert(Surface(material.clone()));
    }
    let is_there = keep && !halos.is_empty();
    if shines && !is_there {
        let halo = (
            Halo,
            Name::new("Waiting sticks"),
            Mesh3d(assets.halo_mesh.clone()),
            Surface(assets.halo_material.clone()),
            Transform::from_translation(layout.sticks_centre() + Vec3::Y * 0.006),
            Pickable::IGNORE,
            NotShadowCaster,
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
