//! Colours, meshes, textures, light, graphics quality and frame pacing.

pub(crate) mod files;
mod frame_pacing;
mod ground_shadow;
pub(crate) mod kept_picture;
mod lamps;
mod material;
pub(crate) mod mesh_builder;
pub(crate) mod models;
#[cfg(target_arch = "wasm32")]
mod page_files;
pub(crate) mod palette;
pub(crate) mod pictures;
mod quality;
mod room;
pub(crate) mod shader_warmup;
mod smooth;
pub(crate) mod textures;

use bevy::{
    pbr::PbrPlugin,
    render::{
        RenderApp, RenderStartup,
        batching::gpu_preprocessing::{GpuPreprocessingMode, GpuPreprocessingSupport},
        init_gpu_resource,
        settings::{MemoryHints, WgpuSettings},
    },
};

use crate::app::scene::prelude::*;

pub(crate) use frame_pacing::{CameraMoving, SceneAtRest, motion_step, update_frame_pacing};
pub(crate) use ground_shadow::{GroundShadows, ShadowOf};
pub(crate) use lamps::CASTER_LAYERS;
pub(crate) use material::TableMaterial;
pub(crate) use mesh_builder::MeshBuilder;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use quality::QualityOverride;
pub(crate) use shader_warmup::{PipelineStatus, warm_up};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use smooth::SoftenEveryFrame;

/// Marks what the flat view hides: the board's frame, water, the table, the room.
#[derive(Component)]
pub(crate) struct SolidOnly;

/// Textures, light, the table and its room, graphics quality, frame pacing.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<files::AwaitedFiles>();
    #[cfg(target_arch = "wasm32")]
    app.add_plugins(page_files::plugin);
    app.add_plugins((
        material::plugin,
        lamps::plugin,
        room::plugin,
        ground_shadow::plugin,
        quality::plugin,
        frame_pacing::plugin,
        kept_picture::plugin,
        smooth::plugin,
        shader_warmup::status_plugin,
        disable_gpu_preprocessing,
    ));
}

/// How to create the renderer: with small memory blocks. The default reserves
/// blocks for large scenes, most of which this one leaves empty.
pub(crate) fn renderer_settings() -> WgpuSettings {
    WgpuSettings { memory_hints: MemoryHints::MemoryUsage, ..default() }
}

/// The PBR plugin without GPU instance buffers and without deferred lighting.
/// The scene has a few hundred meshes, which the CPU can list; the pipelines of
/// both features cost time and memory at startup.
pub(crate) fn pbr_plugin() -> PbrPlugin {
    PbrPlugin {
        use_gpu_instance_buffer_builder: false,
        add_default_deferred_lighting_plugin: false,
        ..default()
    }
}

/// Turns GPU preprocessing off for the rest of the renderer as well. It would
/// otherwise follow the GPU's abilities and draw nothing, since
/// [`pbr_plugin`] leaves the instance buffers to the CPU.
fn disable_gpu_preprocessing(app: &mut App) {
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render.add_systems(
            RenderStartup,
            (|mut support: ResMut<GpuPreprocessingSupport>| {
                support.max_supported_mode = GpuPreprocessingMode::None;
            })
            .after(init_gpu_resource::<GpuPreprocessingSupport>),
        );
    }
}
