//! Graphics quality: chosen from the graphics adapter, or by the user.

use bevy::{
    anti_alias::smaa::Smaa,
    core_pipeline::{
        core_3d::DEPTH_PREPASS_TEXTURE_SUPPORTED,
        prepass::{DepthPrepass, NormalPrepass},
        tonemapping::Tonemapping,
    },
    light::{DirectionalLightShadowMap, ShadowFilteringMethod},
    pbr::ScreenSpaceAmbientOcclusion,
    prelude::*,
    render::{
        renderer::RenderAdapterInfo,
        view::{ColorGrading, ColorGradingGlobal},
    },
};

use crate::app::{
    scene::{SceneSet, api::FlatView},
    settings::{Settings, options::Quality},
};

/// Brightens the picture, in stops: the filmic curve darkens it.
const EXPOSURE: f32 = 0.3;
/// Restores the colours that the filmic curve takes.
const SATURATION: f32 = 1.08;

/// Set when the quality was given on the command line; disables the selection by
/// settings and adapter.
#[derive(Resource)]
pub(crate) struct QualityOverride;

/// Set for pictures without shadows.
#[derive(Resource)]
pub(crate) struct ShadowsOff;

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
        .add_systems(PostStartup, (apply_quality, apply_tones))
        .add_systems(
            Update,
            // In the frame in which the drawn squares take the place of the solid ones.
            (apply_quality, apply_tones).in_set(SceneSet::Surfaces).run_if(
                resource_exists_and_changed::<Quality>
                    .or_else(resource_exists_and_changed::<FlatView>),
            ),
        );
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

/// Sets the camera's components and the shadow map for the quality. The flat drawing has
/// no shadows. Low quality is for software renderers: it has no shadow map either, and
/// no passes but one.
fn apply_quality(
    mut commands: Commands,
    (quality, flat, shadows_off): (Res<Quality>, Res<FlatView>, Option<Res<ShadowsOff>>),
    cameras: Query<Entity, With<Camera3d>>,
    mut lights: Query<&mut DirectionalLight>,
    mut shadows: ResMut<DirectionalLightShadowMap>,
) {
    shadows.size = match *quality {
        // Bevy allocates it anyway.
        Quality::Low => 16,
        Quality::Medium => 2048,
        Quality::High => 4096,
    };
    for mut light in &mut lights {
        light.shadow_maps_enabled = *quality != Quality::Low && !flat.0 && shadows_off.is_none();
    }
    for camera in &cameras {
        let mut camera = commands.entity(camera);
        camera.remove::<(DepthPrepass, NormalPrepass, ScreenSpaceAmbientOcclusion, Smaa)>();
        match *quality {
            Quality::Low => {
                camera.insert(Msaa::Off);
            }
            _ if flat.0 => {
                camera.insert(Msaa::Sample4);
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

/// A filmic curve for the table: light woods and metals keep their detail, shadows are
/// deep. The flat drawing keeps its colours as they are printed.
fn apply_tones(
    mut commands: Commands,
    flat: Res<FlatView>,
    cameras: Query<Entity, With<Camera3d>>,
) {
    let (curve, exposure, post_saturation) = match flat.0 {
        true => (Tonemapping::None, 0.0, 1.0),
        false => (Tonemapping::AcesFitted, EXPOSURE, SATURATION),
    };
    let global = ColorGradingGlobal { exposure, post_saturation, ..default() };
    for camera in &cameras {
        commands
            .entity(camera)
            .insert((curve, ColorGrading { global: global.clone(), ..default() }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Its colours are those of the printed page, and its edges are smooth unless a
    /// software renderer draws them.
    #[test]
    fn the_flat_drawing_has_its_own_look_at_any_quality() {
        for quality in Quality::ALL {
            let mut app = App::new();
            app.insert_resource(quality).insert_resource(FlatView(true));
            app.init_resource::<DirectionalLightShadowMap>();
            app.add_systems(Update, (apply_quality, apply_tones));
            let camera = app.world_mut().spawn(Camera3d::default()).id();
            app.update();
            let look = |app: &App| {
                let camera = app.world().entity(camera);
                (camera.get::<Tonemapping>().copied(), camera.get::<Msaa>().copied())
            };
            let smooth = if quality == Quality::Low { Msaa::Off } else { Msaa::Sample4 };
            assert_eq!(look(&app), (Some(Tonemapping::None), Some(smooth)), "{quality}");
            app.insert_resource(FlatView(false));
            app.update();
            assert_eq!(look(&app).0, Some(Tonemapping::AcesFitted), "{quality}");
        }
    }

    #[test]
    fn quality_parses_back_from_its_text() {
        for quality in Quality::ALL {
            assert_eq!(quality.to_string().parse(), Ok(quality));
        }
        assert!("ultra".parse::<Quality>().is_err());
    }
}
