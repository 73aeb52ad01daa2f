//! Everything is drawn once before it is needed, under the table where nobody
//! sees it: so pipelines are made, textures sent and meshes laid out while the
//! first screen is read, and the first move, capture or throw finds all ready.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

use bevy::{
    camera::visibility::RenderLayers,
    prelude::*,
    render::{
        Render, RenderApp, RenderSystems,
        render_resource::{PipelineCache, PipelineDescriptor},
        renderer::RenderDevice,
    },
};

use super::room::TABLE_Y;

/// What will be drawn at some time.
#[derive(Resource, Default)]
pub(crate) struct WarmupMeshes(Vec<(Handle<Mesh>, Handle<StandardMaterial>)>);

/// Whether the renderer is still making pipelines.
#[derive(Resource, Clone, Default)]
pub(crate) struct PipelineStatus {
    busy: Arc<AtomicBool>,
    veiled: Arc<AtomicBool>,
    whole: Arc<AtomicU32>,
    pipelines: Arc<AtomicU32>,
}

impl PipelineStatus {
    /// Whether something is still to be made, or kept out of sight until then.
    pub(crate) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed) || self.veiled.load(Ordering::Relaxed)
    }

    /// How many frames were drawn with all their pipelines.
    pub(crate) fn whole_frames(&self) -> u32 {
        self.whole.load(Ordering::Relaxed)
    }

    /// How many pipelines were asked for so far. One that is asked for while
    /// something moves is a hitch.
    pub(crate) fn pipelines(&self) -> u32 {
        self.pipelines.load(Ordering::Relaxed)
    }
}

/// What is only there to be drawn once.
#[derive(Component)]
struct Extra;

/// Frames that extras stay at least: they must have been drawn.
const FRAMES: u32 = 4;

/// Notes that this will be drawn.
pub(crate) fn warm_up(app: &mut App, mesh: Handle<Mesh>, material: Handle<StandardMaterial>) {
    app.init_resource::<WarmupMeshes>();
    app.world_mut().resource_mut::<WarmupMeshes>().0.push((mesh, material));
}

/// Watches the renderer's pipelines.
pub(super) fn watch(app: &mut App) {
    let compiling = PipelineStatus::default();
    app.insert_resource(compiling.clone()).init_resource::<WarmupMeshes>();
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render.insert_resource(compiling).add_systems(Render, note.in_set(RenderSystems::Cleanup));
    }
}

/// Notes how far the pipelines are. One that computes is waited for only where
/// something can compute: Bevy asks for it in a browser too, and never gets it.
fn note(cache: Res<PipelineCache>, device: Res<RenderDevice>, compiling: Res<PipelineStatus>) {
    let computes = device.limits().max_compute_workgroups_per_dimension > 0;
    let all: Vec<_> = cache.pipelines().collect();
    let busy = cache.waiting_pipelines().any(|id| {
        let asked = all.get(id).map(|it| &it.descriptor);
        computes || !matches!(asked, Some(PipelineDescriptor::ComputePipelineDescriptor(_)))
    });
    compiling.busy.store(busy, Ordering::Relaxed);
    let all = u32::try_from(all.len()).unwrap_or(u32::MAX);
    compiling.pipelines.store(all, Ordering::Relaxed);
    compiling.whole.fetch_add(u32::from(!compiling.is_busy()), Ordering::Relaxed);
}

/// Draws it all once.
pub(crate) fn plugin(app: &mut App) {
    app.add_systems(PostStartup, enter).add_systems(Last, (leave, veil));
}

fn enter(mut commands: Commands, rehearsal: Res<WarmupMeshes>) {
    for (number, (mesh, material)) in rehearsal.0.iter().enumerate() {
        let x = (number % 8) as f32 - 3.5;
        let z = (number / 8) as f32 - 2.0;
        commands.spawn((
            Extra,
            Name::new("Extra"),
            Mesh3d(mesh.clone()),
            MeshMaterial3d(material.clone()),
            Transform::from_xyz(x, TABLE_Y - 2.0, z),
            Pickable::IGNORE,
        ));
    }
}

/// How far the first picture is.
enum First {
    /// So many pipelines were asked for.
    Prompt(u32),
    /// They are being made.
    Veiled,
    /// It can be drawn whole.
    Shown,
}

impl Default for First {
    fn default() -> Self {
        Self::Prompt(0)
    }
}

/// Once its pipelines are asked for, the scene stays out of sight until they
/// are made: to draw half of it again and again takes the processor from that.
fn veil(
    mut commands: Commands,
    cameras: Query<Entity, With<Camera3d>>,
    compiling: Res<PipelineStatus>,
    mut first: Local<First>,
) {
    let (asked, waits) = (compiling.pipelines(), compiling.busy.load(Ordering::Relaxed));
    match *first {
        First::Prompt(before) if asked == 0 || asked != before => *first = First::Prompt(asked),
        First::Prompt(_) if waits => {
            for camera in &cameras {
                commands.entity(camera).insert(RenderLayers::none());
            }
            compiling.veiled.store(true, Ordering::Relaxed);
            *first = First::Veiled;
        }
        First::Veiled if !waits => {
            for camera in &cameras {
                commands.entity(camera).remove::<RenderLayers>();
            }
            compiling.veiled.store(false, Ordering::Relaxed);
            *first = First::Shown;
        }
        First::Prompt(_) => *first = First::Shown,
        First::Veiled | First::Shown => {}
    }
}

fn leave(
    mut commands: Commands,
    extras: Query<Entity, With<Extra>>,
    compiling: Res<PipelineStatus>,
    mut frames: Local<u32>,
) {
    *frames = if compiling.is_busy() { 0 } else { *frames + 1 };
    if *frames >= FRAMES {
        for extra in &extras {
            commands.entity(extra).despawn();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scene_is_out_of_sight_while_its_first_pipelines_are_made() {
        let mut app = App::new();
        let compiling = PipelineStatus::default();
        app.insert_resource(compiling.clone()).add_systems(Last, veil);
        let camera = app.world_mut().spawn(Camera3d::default()).id();
        let mut seen = |pipelines: u32, busy: bool| {
            compiling.pipelines.store(pipelines, Ordering::Relaxed);
            compiling.busy.store(busy, Ordering::Relaxed);
            app.update();
            let seen = !app.world().entity(camera).contains::<RenderLayers>();
            assert!(seen || compiling.is_busy(), "nobody plays what is not seen");
            seen
        };
        assert!(seen(0, false));
        assert!(seen(33, true), "what is seen asks for them");
        assert!(seen(37, true));
        assert!(!seen(37, true));
        assert!(!seen(37, true));
        assert!(seen(37, false));
        assert!(seen(40, true) && seen(40, true), "later ones hide nothing");
    }
}
