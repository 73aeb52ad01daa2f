//! Graphics quality: chosen from the graphics adapter, or by the user.

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

use crate::app::settings::{Settings, options::Quality};

/// Set when the quality was given on the command line; disables the selection by
/// settings and adapter.
#[derive(Resource)]
pub(crate) struct QualityOverride;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Quality>();
    let no_override = not(resource_exists::<QualityOverride>);
    app.add_systems(PreStartup, choose_quality.run_if(no_override.clone()))
        .add_systems(
            Update,
            choose_quality
                .before(apply_quality)
                .run_if(no_override.and_then(resource_exists_and_changed::<Settings>)),
        )
        .add_systems(PostStartup, apply_quality)
        .add_systems(Update, apply_quality.run_if(resource_exists_and_changed::<Quality>));
}

/// Takes the quality from the settings, or else from the kind of adapter.
fn choose_quality(
    settings: Option<Res<Settings>>,
    adapter: Option<Res<RenderAdapterInfo>>,
    mut quality: ResMut<Quality>,
) {
    if let Some(wanted) = settings.and_then(|settings| settings.quality) {
        quality.set_if_neq(wanted);
        return;
    }
    // The field's type belongs to wgpu, which is no direct dependency: only its
    // Debug text can be matched here.
    let kind = adapter.map(|it| format!("{:?}", it.device_type)).unwrap_or_default();
    quality.set_if_neq(match kind.as_str() {
        "Cpu" => Quality::Low,
        "DiscreteGpu" => Quality::High,
        _ => Quality::Medium,
    });
}

/// Sets the camera's components and the shadow map's size for the quality.
fn apply_quality(
    mut commands: Commands,
    quality: Res<Quality>,
    cameras: Query<Entity, With<Camera3d>>,
    mut shadows: ResMut<DirectionalLightShadowMap>,
) {
    shadows.size = if *quality == Quality::High { 4096 } else { 2048 };
    for camera in &cameras {
        let mut camera = commands.entity(camera);
        camera.remove::<(DepthPrepass, NormalPrepass, ScreenSpaceAmbientOcclusion, Smaa)>();
        match *quality {
            Quality::Low => {
                camera.insert((Msaa::Off, ShadowFilteringMethod::Hardware2x2));
                if DEPTH_PREPASS_TEXTURE_SUPPORTED {
                    camera.insert(DepthPrepass);
                }
            }
            // WebGL has no depth texture for ambient occlusion to read.
            Quality::High if DEPTH_PREPASS_TEXTURE_SUPPORTED => {
                camera.insert((
                    Msaa::Off,
                    Smaa::default(),
                    ScreenSpaceAmbientOcclusion::default(),
                    ShadowFilteringMethod::Gaussian,
                ));
            }
            Quality::Medium | Quality::High => {
                camera.insert((Msaa::Sample4, ShadowFilteringMethod::Gaussian));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quality_parses_back_from_its_text() {
        for quality in Quality::ALL {
            assert_eq!(quality.to_string().parse(), Ok(quality));
        }
        assert!("ultra".parse::<Quality>().is_err());
    }
}
