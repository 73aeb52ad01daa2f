//! How things look: colours, shapes, textures, light, and how often the
//! window is drawn.
//!
//! Everything is made here, at the start, from numbers: no model or picture
//! is loaded, so the program needs no folder beside it.

mod frame_pacing;
pub(crate) mod lighting;
pub(crate) mod mesh_builder;
pub(crate) mod palette;
mod quality;
pub(crate) mod room;
pub(crate) mod shader_warmup;
pub(crate) mod textures;

use bevy::{
    pbr::PbrPlugin,
    prelude::*,
    render::{
        RenderApp, RenderStartup,
        batching::gpu_preprocessing::{GpuPreprocessingMode, GpuPreprocessingSupport},
        init_gpu_resource,
        settings::{MemoryHints, WgpuSettings},
    },
};

pub(crate) use frame_pacing::{BoardPainting, CameraMoving, SceneAtRest, WaterRedraw, pace};
pub(crate) use mesh_builder::MeshBuilder;
pub(crate) use quality::QualityOverride;
pub(crate) use shader_warmup::{PipelineStatus, warm_up};

/// The light, the table top and the window's pace.
pub(crate) fn plugin(app: &mut App) {
    app.add_plugins((
        textures::plugin,
        lighting::plugin,
        room::plugin,
        quality::plugin,
        frame_pacing::plugin,
        shader_warmup::watch,
        list_by_processor,
    ));
}

/// How a renderer is asked for. By itself it would take memory in blocks for
/// whole worlds, most of which a table leaves empty.
pub(crate) fn drawing() -> WgpuSettings {
    WgpuSettings { memory_hints: MemoryHints::MemoryUsage, ..default() }
}

/// How surfaces are drawn. A table has some hundred things, all of which the
/// processor can list: pipelines that have a card do it, and those that would
/// light them later, are not made. They cost time and memory at the start.
pub(crate) fn surfaces() -> PbrPlugin {
    PbrPlugin {
        use_gpu_instance_buffer_builder: false,
        add_default_deferred_lighting_plugin: false,
        ..default()
    }
}

/// Tells the rest of the renderer that the processor lists what is drawn: it
/// would go by what the card could do, and draw nothing of it.
fn list_by_processor(app: &mut App) {
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
