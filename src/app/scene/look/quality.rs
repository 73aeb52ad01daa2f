//! How much work a picture may be: chosen from what draws it, or by hand.

use bevy::{
    anti_alias::smaa::Smaa,
    core_pipeline::{
        core_3d::DEPTH_PREPASS_TEXTURE_SUPPORTED,
        prepass::{DepthPrepass, NormalPrepass},
    },
    light::{DirectionalLightShadowMap, ShadowFilteringMethod},
    pbr::ScreenSpaceAmbientOcclusion,
    prelude::*,
    render::renderer::RenderAdapterInfo,
};

use super::textures::Finishes;
use crate::app::settings::{Settings, options::Quality};

/// How rough fresh lacquer is.
const LACQUER: f32 = 0.12;

/// Somebody chose the quality: what draws the picture is not asked.
#[derive(Resource)]
pub(crate) struct QualityOverride;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Quality>();
    let free = not(resource_exists::<QualityOverride>);
    app.add_systems(PreStartup, choose.run_if(free.clone()))
        .add_systems(
            Update,
            choose
                .before(apply_quality)
                .run_if(free.and_then(resource_exists_and_changed::<Settings>)),
        )
        .add_systems(PostStartup, (apply_quality, apply_finishes))
        .add_systems(Update, apply_quality.run_if(resource_exists_and_changed::<Quality>))
        .add_systems(
            PostUpdate,
            apply_finishes.run_if(
                resource_exists_and_changed::<Quality>
                    .or_else(resource_exists_and_changed::<Finishes>),
            ),
        );
}

/// What the person wants; else what suits what will draw the picture.
fn choose(
    settings: Option<Res<Settings>>,
    adapter: Option<Res<RenderAdapterInfo>>,
    mut quality: ResMut<Quality>,
) {
    if let Some(wanted) = settings.and_then(|settings| settings.quality) {
        quality.set_if_neq(wanted);
        return;
    }
    // The type of the field is the drawing library's own and has no name here.
    let kind = adapter.map(|it| format!("{:?}", it.device_type)).unwrap_or_default();
    quality.set_if_neq(match kind.as_str() {
        "Cpu" => Quality::Light,
        "DiscreteGpu" => Quality::Best,
        _ => Quality::Fine,
    });
}

/// Gives the camera what the quality asks for.
fn apply_quality(
    mut commands: Commands,
    quality: Res<Quality>,
    cameras: Query<Entity, With<Camera3d>>,
    mut shadows: ResMut<DirectionalLightShadowMap>,
) {
    shadows.size = if *quality == Quality::Best { 4096 } else { 2048 };
    for camera in &cameras {
        let mut camera = commands.entity(camera);
        camera.remove::<(DepthPrepass, NormalPrepass, ScreenSpaceAmbientOcclusion, Smaa)>();
        match *quality {
            Quality::Light => {
                camera.insert((Msaa::Off, ShadowFilteringMethod::Hardware2x2));
                if DEPTH_PREPASS_TEXTURE_SUPPORTED {
                    camera.insert(DepthPrepass);
                }
            }
            // WebGL cannot hand on the depths that the best needs.
            Quality::Best if DEPTH_PREPASS_TEXTURE_SUPPORTED => {
                camera.insert((
                    Msaa::Off,
                    Smaa::default(),
                    ScreenSpaceAmbientOcclusion::default(),
                    ShadowFilteringMethod::Gaussian,
                ));
            }
            Quality::Fine | Quality::Best => {
                camera.insert((Msaa::Sample4, ShadowFilteringMethod::Gaussian));
            }
        }
    }
}

/// Gives the materials their apply_finishes, or takes it away.
fn apply_finishes(
    quality: Res<Quality>,
    finishes: Res<Finishes>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let shown = *quality != Quality::Light;
    for (handle, apply_finishes) in finishes.iter() {
        let Some(mut material) = materials.get_mut(handle) else { continue };
        material.normal_map_texture = apply_finishes.relief.clone().filter(|_| shown);
        let sheen = apply_finishes.sheen.clone().filter(|_| shown);
        // A picture of the sheen is multiplied with these.
        (material.perceptual_roughness, material.metallic) =
            if sheen.is_some() { (1.0, 1.0) } else { apply_finishes.even };
        material.metallic_roughness_texture = sheen;
        material.clearcoat = if shown { apply_finishes.lacquer } else { 0.0 };
        material.clearcoat_perceptual_roughness = LACQUER;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualities_read_back() {
        for quality in Quality::ALL {
            assert_eq!(quality.to_string().parse(), Ok(quality));
        }
        assert!("ultra".parse::<Quality>().is_err());
    }
}
