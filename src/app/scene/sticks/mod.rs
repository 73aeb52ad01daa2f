//! The four casting sticks beside a Tablan board.

mod shape;
pub(crate) mod throw;

use bevy::prelude::*;

use super::{
    animation::SceneSet,
    api::{Highlights, SceneCommand, Stick, ThrowTarget},
    layout::Layout,
    look::MeshBuilder,
};
use crate::games::Throw;

/// The sticks on the table, and what they show.
#[derive(Resource, Default)]
pub(crate) struct Sticks {
    entities: Vec<Entity>,
    /// The throw they lie in, with its tumble; gathered in a bundle if none.
    pub(crate) shown: Option<(Throw, u64)>,
}

impl Sticks {
    /// How they lie now, when nothing moves them.
    pub(crate) fn lie(&self, layout: &Layout) -> [Transform; 4] {
        match self.shown {
            Some((throw, tumble)) => throw::rest(layout, throw, tumble),
            None => throw::bundle(layout),
        }
    }

    /// Puts them there.
    pub(crate) fn put(&self, commands: &mut Commands, places: &[Transform; 4]) {
        for (&entity, &place) in self.entities.iter().zip(places) {
            commands.entity(entity).try_insert(place);
        }
    }
}

/// The light pool under sticks that wait for a hand.
#[derive(Component)]
struct Halo;

/// What of it can be touched, where it shines most: long, high and deep.
const REACH: Vec3 = Vec3::new(6.0, 0.04, 1.8);

/// Sticks and their glow.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Sticks>();
    app.add_plugins(shape::plugin);
    app.add_systems(Update, (set.in_set(SceneSet::Sticks), glow.in_set(SceneSet::Highlights)));
}

fn set(
    mut commands: Commands,
    mut cues: MessageReader<SceneCommand>,
    mut sticks: ResMut<Sticks>,
    layout: Res<Layout>,
    look: Res<shape::Look>,
) {
    let Some((rules, shows)) = cues
        .read()
        .filter_map(|cue| match cue {
            SceneCommand::Set { rules, sticks, .. } => Some((*rules, *sticks)),
            SceneCommand::Play { .. } | SceneCommand::Finish => None,
        })
        .last()
    else {
        return;
    };
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
                        Mesh3d(look.mesh.clone()),
                        MeshMaterial3d(look.material.clone()),
                        Transform::default(),
                    ))
                    .id()
            })
            .collect();
    }
    // The same throw goes on lying as it fell.
    if sticks.shown.map(|it| it.0) != shows {
        sticks.shown = shows.map(|throw| (throw, 0));
    }
    let places = sticks.lie(&layout);
    sticks.put(&mut commands, &places);
}

/// Sticks that wait for a person shine a little, on a pool of light.
fn glow(
    mut commands: Commands,
    marks: Res<Highlights>,
    layout: Res<Layout>,
    look: Res<shape::Look>,
    sticks: Query<Entity, With<Stick>>,
    added: Query<(), Added<Stick>>,
    halos: Query<Entity, With<Halo>>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    if !marks.is_changed() && added.is_empty() && !layout.is_changed() {
        return;
    }
    let shine = marks.sticks && layout.sticks;
    // It stays under a hand that is pressing on it.
    let stays = shine && !layout.is_changed();
    for halo in halos.iter().filter(|_| !stays) {
        commands.entity(halo).despawn();
    }
    let material = if shine { &look.shining } else { &look.material };
    for stick in &sticks {
        commands.entity(stick).try_insert(MeshMaterial3d(material.clone()));
    }
    let there = stays && !halos.is_empty();
    if shine && !there {
        let mut solid = MeshBuilder::new();
        shape::halo(&mut solid);
        // Without a material it is not drawn.
        let reach = (
            ThrowTarget,
            Name::new("Reach of the sticks"),
            Mesh3d(meshes.add(Cuboid::from_size(REACH))),
            Transform::default(),
        );
        let halo = (
            Halo,
            Name::new("Waiting sticks"),
            Mesh3d(meshes.add(solid.build())),
            MeshMaterial3d(look.halo.clone()),
            Transform::from_translation(layout.sticks_middle() + Vec3::Y * 0.006),
            Pickable::IGNORE,
            bevy::light::NotShadowCaster,
        );
        commands.spawn(halo).with_child(reach);
    }
}
