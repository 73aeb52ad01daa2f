//! Colours, meshes, textures, light, graphics quality and frame pacing.
//!
//! Everything is procedural: no model or image file is loaded, so the program needs no
//! asset folder beside it.

pub(crate) mod finishes;
mod frame_pacing;
pub(crate) mod kept_picture;
pub(crate) mod lighting;
pub(crate) mod mesh_builder;
pub(crate) mod palette;
mod plain;
mod profile;
mod quality;
mod room;
pub(crate) mod shader_warmup;
mod surface;
pub(crate) mod textures;

use bevy::{
    camera::visibility::RenderLayers,
    pbr::PbrPlugin,
    prelude::*,
    render::{
        RenderApp, RenderStartup,
        batching::gpu_preprocessing::{GpuPreprocessingMode, GpuPreprocessingSupport},
        init_gpu_resource,
        settings::{MemoryHints, WgpuSettings},
    },
};

pub(crate) use frame_pacing::{
    BoardPainting, CameraMoving, SceneAtRest, motion_step, update_frame_pacing,
};
pub(crate) use mesh_builder::MeshBuilder;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use quality::{QualityOverride, ShadowsOff};
pub(crate) use shader_warmup::{PipelineStatus, warm_up};
pub(crate) use surface::Surface;

/// What is seen while a new board is not painted yet: the table, the room and their light.
pub(crate) const ROOM_LAYER: usize = 1;

/// The layers of the room: it is seen with the board and without.
pub(crate) fn room_layers() -> RenderLayers {
    RenderLayers::default().with(ROOM_LAYER)
}

/// Marks what the flat view hides: the board's frame, water, the table, the room.
#[derive(Component)]
pub(crate) struct SolidOnly;

/// Textures, light, the table and its room, graphics quality, frame pacing.
pub(crate) fn plugin(app: &mut App) {
    app.add_plugins((
        textures::plugin,
        finishes::plugin,
        lighting::plugin,
        room::plugin,
        quality::plugin,
        surface::plugin,
        frame_pacing::plugin,
        kept_picture::plugin,
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
