//! Material details that only medium and high graphics quality show: normal maps,
//! roughness maps and clearcoat.

use bevy::prelude::*;

use crate::app::settings::options::Quality;

/// Perceptual roughness of a clearcoat.
const CLEARCOAT_ROUGHNESS: f32 = 0.12;

/// A material's PBR inputs besides its colour.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finish {
    /// A tangent-space normal map.
    pub(crate) normal_map: Option<Handle<Image>>,
    /// Roughness in its green channel, metallic in its blue one.
    pub(crate) metallic_roughness_map: Option<Handle<Image>>,
    /// Perceptual roughness without that map.
    pub(crate) roughness: f32,
    /// Metallic without that map.
    pub(crate) metallic: f32,
    /// Strength of the clearcoat, from 0 to 1.
    pub(crate) clearcoat: f32,
}

impl Finish {
    /// Uniform roughness with a normal map.
    pub(crate) fn with_normal_map(normal_map: &Handle<Image>, roughness: f32) -> Self {
        Self { normal_map: Some(normal_map.clone()), roughness, ..Self::default() }
    }

    /// Uniform roughness under a clearcoat.
    pub(crate) fn with_clearcoat(roughness: f32, clearcoat: f32) -> Self {
        Self { roughness, clearcoat, ..Self::default() }
    }
}

/// The finish of each material that has one.
#[derive(Resource, Default)]
pub(crate) struct Finishes(Vec<(Handle<StandardMaterial>, Finish)>);

impl Finishes {
    /// Sets a material's finish and replaces the one it had.
    pub(crate) fn set(&mut self, material: &Handle<StandardMaterial>, finish: Finish) {
        self.0.retain(|(known, _)| known != material);
        self.0.push((material.clone(), finish));
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Finishes>().add_systems(PostStartup, apply_finishes).add_systems(
        PostUpdate,
        apply_finishes.run_if(
            resource_exists_and_changed::<Quality>.or_else(resource_exists_and_changed::<Finishes>),
        ),
    );
}

/// Applies the finishes to their materials; at low quality without maps and
/// clearcoat.
fn apply_finishes(
    quality: Res<Quality>,
    finishes: Res<Finishes>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let detailed = *quality != Quality::Low;
    for (handle, finish) in &finishes.0 {
        let Some(mut material) = materials.get_mut(handle) else { continue };
        material.normal_map_texture = finish.normal_map.clone().filter(|_| detailed);
        let map = finish.metallic_roughness_map.clone().filter(|_| detailed);
        // The map is multiplied with these.
        (material.perceptual_roughness, material.metallic) =
            if map.is_some() { (1.0, 1.0) } else { (finish.roughness, finish.metallic) };
        material.metallic_roughness_texture = map;
        material.clearcoat = if detailed { finish.clearcoat } else { 0.0 };
        material.clearcoat_perceptual_roughness = CLEARCOAT_ROUGHNESS;
    }
}
