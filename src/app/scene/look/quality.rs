//! Graphics quality: chosen from the graphics adapter, or by the user.

use bevy::{
    core_pipeline::tonemapping::{DebandDither, Tonemapping},
    render::renderer::RenderAdapterInfo,
};

use crate::app::scene::prelude::*;

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
        .add_systems(
            Update,
            apply_quality.in_set(SceneSet::Surfaces).run_if(resource_exists_and_changed::<Quality>),
        );
}

/// Takes the quality from the settings, or else from the kind of adapter.
fn choose_quality(
    settings: Res<Settings>,
    adapter: Option<Res<RenderAdapterInfo>>,
    mut quality: ResMut<Quality>,
) {
    if let Some(wanted) = settings.quality {
        quality.set_if_neq(wanted);
        return;
    }
    // The field's type belongs to wgpu, which is no direct dependency: only its
    // Debug text can be matched here.
    let kind = adapter.map(|adapter| format!("{:?}", adapter.device_type)).unwrap_or_default();
    quality.set_if_neq(match kind.as_str() {
        "Cpu" => Quality::Low,
        "DiscreteGpu" => Quality::High,
        _ => Quality::Medium,
    });
}

/// Sets how smooth edges are. What the room lights has its curve from its material, and the
/// printed page has none: no other curve changes them.
fn apply_quality(
    mut commands: Commands,
    quality: Res<Quality>,
    cameras: Query<Entity, With<Camera3d>>,
) {
    let edges = match *quality {
        Quality::Low => Msaa::Off,
        Quality::Medium | Quality::High => Msaa::Sample4,
    };
    for camera in &cameras {
        commands.entity(camera).insert((edges, Tonemapping::None, DebandDither::Disabled));
    }
}
