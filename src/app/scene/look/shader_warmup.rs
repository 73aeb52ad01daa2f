//! Compiles render pipelines before they are needed.
//!
//! Every mesh and material of the scene is drawn once under the table, where
//! nobody sees it, while the first screen is shown. So pipelines are compiled
//! and textures uploaded before the first move, capture or throw.
//!
//! Another look of the table, such as the diagram or another quality, needs pipelines
//! of its own. The last picture stays until they are compiled.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
};

use bevy::{
    camera::visibility::RenderLayers,
    platform::time::Instant,
    render::{
        Render, RenderApp, RenderSystems,
        render_resource::{CachedPipelineState, PipelineCache, PipelineDescriptor},
        renderer::RenderDevice,
    },
};

use super::{TableMaterial, lamps::CASTER_LAYERS};
use crate::app::scene::prelude::*;

/// The meshes and materials to draw once.
#[derive(Resource, Default)]
pub(crate) struct WarmupMeshes(pub(crate) Vec<(Handle<Mesh>, Handle<TableMaterial>)>);

/// The renderer's progress with its pipelines; shared with the render world.
#[derive(Resource, Clone, Default)]
pub(crate) struct PipelineStatus {
    compiling: Arc<AtomicBool>,
    scene_hidden: Arc<AtomicBool>,
    /// Whether the pipelines of the first screen are compiled.
    first_screen_compiled: Arc<AtomicBool>,
    complete_frames: Arc<AtomicU32>,
    requested: Arc<AtomicU32>,
}

impl PipelineStatus {
    /// Whether pipelines are being compiled, or the scene is hidden until they
    /// are.
    pub(crate) fn is_busy(&self) -> bool {
        self.compiling.load(Ordering::Relaxed) || self.scene_hidden.load(Ordering::Relaxed)
    }

    /// How many frames were drawn with all their pipelines.
    pub(crate) fn complete_frames(&self) -> u32 {
        self.complete_frames.load(Ordering::Relaxed)
    }

    /// How many pipelines were requested so far. A request during an animation
    /// makes it stutter.
    pub(crate) fn requested_pipelines(&self) -> u32 {
        self.requested.load(Ordering::Relaxed)
    }
}

/// An entity that exists only to be drawn once.
#[derive(Component)]
struct WarmupMesh;

/// For how many complete frames the warm-up meshes stay.
const WARMUP_FRAMES: u32 = 4;

/// Adds a mesh and its material to the warm-up.
pub(crate) fn warm_up(app: &mut App, mesh: Handle<Mesh>, material: Handle<TableMaterial>) {
    app.init_resource::<WarmupMeshes>();
    app.world_mut().resource_mut::<WarmupMeshes>().0.push((mesh, material));
}

/// Tracks the renderer's pipelines in [`PipelineStatus`].
pub(super) fn status_plugin(app: &mut App) {
    let status = PipelineStatus::default();
    app.insert_resource(status.clone()).init_resource::<WarmupMeshes>();
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .insert_resource(status)
            .add_systems(
                Render,
                finish_pipelines
                    .after(RenderSystems::PrepareBindGroups)
                    .before(RenderSystems::Render),
            )
            .add_systems(Render, update_pipeline_status.in_set(RenderSystems::Cleanup));
    }
}

/// How long a frame waits for pipelines at most.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Pause between two looks whether they are compiled.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Waits until the render pipelines requested so far are compiled, once those of the first
/// screen are. Bevy draws without those that still compile, and the board would be black
/// meanwhile.
fn finish_pipelines(mut cache: ResMut<PipelineCache>, status: Res<PipelineStatus>) {
    if !status.first_screen_compiled.load(Ordering::Relaxed) {
        return;
    }
    let started = Instant::now();
    loop {
        // Starts to compile what has been requested, and takes over what is compiled.
        cache.process_queue();
        let pipelines: Vec<_> = cache.pipelines().collect();
        let compiling =
            cache.waiting_pipelines().filter_map(|id| pipelines.get(id)).any(|pipeline| {
                matches!(pipeline.state, CachedPipelineState::Creating(_))
                    && matches!(
                        pipeline.descriptor,
                        PipelineDescriptor::RenderPipelineDescriptor(_)
                    )
            });
        if !compiling || started.elapsed() > LONGEST_WAIT {
            return;
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Counts pipelines. Compute pipelines are waited for only where the device
/// supports them: Bevy requests them on WebGL too, where they never compile.
fn update_pipeline_status(
    cache: Res<PipelineCache>,
    device: Res<RenderDevice>,
    status: Res<PipelineStatus>,
) {
    let has_compute = device.limits().max_compute_workgroups_per_dimension > 0;
    let pipelines: Vec<_> = cache.pipelines().collect();
    let compiling = cache.waiting_pipelines().any(|id| {
        let descriptor = pipelines.get(id).map(|pipeline| &pipeline.descriptor);
        has_compute || !matches!(descriptor, Some(PipelineDescriptor::ComputePipelineDescriptor(_)))
    });
    status.compiling.store(compiling, Ordering::Relaxed);
    let requested = u32::try_from(pipelines.len()).unwrap_or(u32::MAX);
    status.requested.store(requested, Ordering::Relaxed);
    status.complete_frames.fetch_add(u32::from(!status.is_busy()), Ordering::Relaxed);
}

/// Draws everything once, and hides the scene meanwhile.
pub(crate) fn plugin(app: &mut App) {
    app.add_systems(PostStartup, spawn_warmup_meshes)
        .add_systems(Last, (despawn_warmup_meshes, hide_scene_until_compiled));
}

fn spawn_warmup_meshes(mut commands: Commands, warmup: Res<WarmupMeshes>) {
    for (number, (mesh, material)) in warmup.0.iter().enumerate() {
        let x = (number % 8) as f32 - 3.5;
        let z = (number / 8) as f32 - 2.0;
        commands.spawn((
            WarmupMesh,
            Name::new("Warm-up mesh"),
            Mesh3d(mesh.clone()),
            MeshMaterial3d(material.clone()),
            Transform::from_xyz(x, TABLE_Y - 2.0, z),
            Pickable::IGNORE,
        ));
    }
}

fn despawn_warmup_meshes(
    mut commands: Commands,
    meshes: Query<Entity, With<WarmupMesh>>,
    status: Res<PipelineStatus>,
    mut frames: Local<u32>,
) {
    *frames = if status.is_busy() { 0 } else { *frames + 1 };
    if *frames >= WARMUP_FRAMES {
        for mesh in &meshes {
            commands.entity(mesh).despawn();
        }
    }
}

/// The stages until the first complete picture.
enum Reveal {
    /// The number of requested pipelines still grows.
    Requesting(u32),
    /// All are requested; the scene is hidden while they compile.
    Hidden,
    /// The scene is shown from now on.
    Shown,
}

impl Default for Reveal {
    fn default() -> Self {
        Self::Requesting(0)
    }
}

/// Hides the scene once all its pipelines are requested, until they are
/// compiled: drawing an incomplete scene would take CPU time from compiling.
fn hide_scene_until_compiled(
    mut commands: Commands,
    cameras: Query<Entity, With<Camera3d>>,
    status: Res<PipelineStatus>,
    mut reveal: Local<Reveal>,
) {
    let requested = status.requested_pipelines();
    let compiling = status.compiling.load(Ordering::Relaxed);
    match *reveal {
        Reveal::Requesting(before) if requested == 0 || requested != before => {
            *reveal = Reveal::Requesting(requested);
        }
        Reveal::Requesting(_) if compiling => {
            for camera in &cameras {
                commands.entity(camera).insert(RenderLayers::none());
            }
            status.scene_hidden.store(true, Ordering::Relaxed);
            *reveal = Reveal::Hidden;
        }
        Reveal::Hidden if !compiling => {
            for camera in &cameras {
                commands.entity(camera).insert(RenderLayers::from_layers(&CASTER_LAYERS));
            }
            status.scene_hidden.store(false, Ordering::Relaxed);
            *reveal = Reveal::Shown;
        }
        Reveal::Requesting(_) => *reveal = Reveal::Shown,
        Reveal::Shown => status.first_screen_compiled.store(true, Ordering::Relaxed),
        Reveal::Hidden => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scene_is_hidden_while_its_first_pipelines_compile() {
        let mut app = App::new();
        let status = PipelineStatus::default();
        app.insert_resource(status.clone()).add_systems(Last, hide_scene_until_compiled);
        let seen = RenderLayers::from_layers(&CASTER_LAYERS);
        let camera = app.world_mut().spawn((Camera3d::default(), seen.clone())).id();
        let mut visible = |requested: u32, compiling: bool| {
            status.requested.store(requested, Ordering::Relaxed);
            status.compiling.store(compiling, Ordering::Relaxed);
            app.update();
            let visible = app.world().entity(camera).get() == Some(&seen);
            assert!(visible || status.is_busy(), "engines wait while the scene is hidden");
            visible
        };
        assert!(visible(0, false));
        assert!(visible(33, true), "only a visible scene requests pipelines");
        assert!(visible(37, true));
        assert!(!visible(37, true));
        assert!(!visible(37, true));
        assert!(visible(37, false));
        assert!(visible(40, true) && visible(40, true), "later pipelines hide nothing");
    }
}
