//! Keeps the picture of the scene for the frames in which only the panels change.
//!
//! A software renderer spends most of a frame on the scene, and so would a frame for a
//! button under the pointer or a clock. Where nothing of the scene has changed, its passes
//! are left out, and the panels are drawn over the last picture of it.

use bevy::{
    camera::{CameraMainTextureUsages, visibility::RenderLayers},
    core_pipeline::{Core3d, Core3dSystems, upscaling::upscaling},
    post_process::dof::DepthOfField,
    render::{
        Render, RenderApp, RenderSystems,
        extract_resource::{ExtractResource, ExtractResourcePlugin},
        render_resource::{
            RenderPassDescriptor, Texture, TextureDescriptor, TextureDimension, TextureUsages,
        },
        renderer::{RenderContext, RenderDevice, ViewQuery},
        view::ViewTarget,
    },
};
use bevy_egui::render::egui_pass;

use super::{SceneAtRest, TableMaterial, frame_pacing};
use crate::app::scene::prelude::*;

/// What is done for the picture of the scene in a frame.
#[derive(Resource, ExtractResource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ScenePicture {
    /// The scene changes: it is drawn.
    #[default]
    Drawn,
    /// The scene has come to rest: it is drawn, and the picture kept.
    Kept,
    /// Nothing has changed since: the picture that was kept is shown.
    Reused,
}

/// For how many frames the scene is drawn after a change: what is uploaded late is seen in
/// a later frame.
const FRAMES_AFTER_CHANGE: u32 = 3;

/// How soon the next of these frames is drawn at low quality.
const FRAME_AFTER_CHANGE: Duration = Duration::from_millis(100);

/// Decides whether the scene is drawn.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ScenePicture>().add_systems(
        Last,
        choose_picture
            .after(frame_pacing::update_frame_pacing)
            .before(frame_pacing::decide_next_frame),
    );
}

/// Has the renderer follow the decision.
pub(crate) fn render_plugin(app: &mut App) {
    app.add_plugins(ExtractResourcePlugin::<ScenePicture>::default())
        .add_systems(PostStartup, make_writable);
    let Some(render) = app.get_sub_app_mut(RenderApp) else { return };
    render
        .init_resource::<KeptPicture>()
        .add_systems(Render, prepare_picture.in_set(RenderSystems::PrepareResources))
        .configure_sets(
            Core3d,
            (
                Core3dSystems::Prepass,
                Core3dSystems::MainPass,
                Core3dSystems::EarlyPostProcess,
                Core3dSystems::PostProcess,
            )
                .run_if(|kept: Res<KeptPicture>| kept.now != ScenePicture::Reused),
        )
        .add_systems(
            Core3d,
            copy_picture.after(Core3dSystems::PostProcess).before(egui_pass).before(upscaling),
        );
}

/// Everything by which the picture of the scene can change. Images are left out: the scene
/// replaces them together with the material or the light that shows them, and the panels
/// change theirs for every new letter.
#[derive(SystemParam)]
pub(super) struct SceneChanges<'w, 's> {
    places: Query<
        'w,
        's,
        (),
        Or<(Changed<GlobalTransform>, Changed<ViewVisibility>, Changed<RenderLayers>)>,
    >,
    surfaces: Query<'w, 's, (), Or<(Changed<Mesh3d>, Changed<MeshMaterial3d<TableMaterial>>)>>,
    cameras: Query<'w, 's, (), Or<(Changed<Projection>, Changed<Msaa>, Changed<DepthOfField>)>>,
    removed: (
        RemovedComponents<'w, 's, Mesh3d>,
        RemovedComponents<'w, 's, RenderLayers>,
        RemovedComponents<'w, 's, DepthOfField>,
    ),
    meshes: MessageReader<'w, 's, AssetEvent<Mesh>>,
    materials: MessageReader<'w, 's, AssetEvent<TableMaterial>>,
}

impl SceneChanges<'_, '_> {
    /// Whether there was a change since the last frame.
    fn take(&mut self) -> bool {
        let (meshes, layers, blurs) = &mut self.removed;
        // All are counted, so that none is left for the next frame.
        let events = meshes.read().count()
            + layers.read().count()
            + blurs.read().count()
            + self.meshes.read().count()
            + self.materials.read().count();
        events > 0
            || !self.places.is_empty()
            || !self.surfaces.is_empty()
            || !self.cameras.is_empty()
    }
}

pub(super) fn choose_picture(
    mut changes: SceneChanges,
    (at_rest, quality): (Res<SceneAtRest>, Res<Quality>),
    mut picture: ResMut<ScenePicture>,
    mut next: ResMut<NextFrame>,
    mut frames: Local<u32>,
) {
    // Before the first frame everything is new.
    if changes.take() || !at_rest.0 {
        *frames = FRAMES_AFTER_CHANGE;
    }
    *picture = match *frames {
        0 => ScenePicture::Reused,
        1 => ScenePicture::Kept,
        _ => ScenePicture::Drawn,
    };
    *frames = frames.saturating_sub(1);
    // At low quality only the kept picture is softened.
    if *frames > 0 && *quality == Quality::Low {
        next.within(FRAME_AFTER_CHANGE);
    }
}

/// Lets the picture be copied back to the camera's texture.
fn make_writable(mut cameras: Query<&mut CameraMainTextureUsages, With<Camera3d>>) {
    for mut usages in &mut cameras {
        *usages = usages.with(TextureUsages::COPY_DST);
    }
}

/// The picture of the scene without panels, in the render world.
#[derive(Resource, Default)]
struct KeptPicture {
    /// None until there is a picture that shows the scene as it is.
    texture: Option<Texture>,
    now: ScenePicture,
}

/// Prepares the copy of this frame. Where the picture is missing or of another size, the
/// scene is drawn whatever the frame asks for.
fn prepare_picture(
    picture: Res<ScenePicture>,
    views: Query<&ViewTarget>,
    device: Res<RenderDevice>,
    mut kept: ResMut<KeptPicture>,
) {
    kept.now = *picture;
    let Ok(view) = views.single() else {
        *kept = KeptPicture::default();
        return;
    };
    let (size, format) = (view.main_texture().size(), view.main_texture_format());
    let fits = |texture: &Texture| texture.size() == size && texture.format() == format;
    let is_known = kept.texture.as_ref().is_some_and(fits);
    match kept.now {
        ScenePicture::Drawn => kept.texture = kept.texture.take().filter(|_| is_known),
        ScenePicture::Reused if is_known => {}
        ScenePicture::Kept | ScenePicture::Reused => {
            kept.now = ScenePicture::Kept;
            if !is_known {
                kept.texture = Some(device.create_texture(&TextureDescriptor {
                    label: Some("kept picture of the scene"),
                    size,
                    mip_level_count: 1,
                    sample_count: 1,
                    dimension: TextureDimension::D2,
                    format,
                    usage: TextureUsages::COPY_SRC | TextureUsages::COPY_DST,
                    view_formats: &[],
                }));
            }
        }
    }
}

/// Keeps the picture, or shows the one that was kept.
fn copy_picture(view: ViewQuery<&ViewTarget>, kept: Res<KeptPicture>, mut context: RenderContext) {
    let target = view.into_inner();
    let (Some(texture), picture) = (&kept.texture, target.main_texture()) else { return };
    let (from, to) = match kept.now {
        ScenePicture::Drawn => return,
        ScenePicture::Kept => (picture, texture),
        ScenePicture::Reused => {
            // The first pass of a frame clears the picture: the panels' must not be it.
            drop(context.begin_tracked_render_pass(RenderPassDescriptor {
                label: Some("before the kept picture"),
                color_attachments: &[Some(target.get_unsampled_color_attachment())],
                depth_stencil_attachment: None,
                timestamp_writes: None,
                occlusion_query_set: None,
                multiview_mask: None,
            }));
            (texture, picture)
        }
    };
    context.command_encoder().copy_texture_to_texture(
        from.as_image_copy(),
        to.as_image_copy(),
        from.size(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{headless, scene::api::Pointed, settings::Settings};

    /// Draws frames until the picture is one that can be reused.
    fn come_to_rest(app: &mut App) {
        for _ in 0..300 {
            app.update();
            if *app.world().resource::<ScenePicture>() == ScenePicture::Reused {
                return;
            }
        }
        panic!("the scene does not come to rest");
    }

    /// A game of two people, at rest.
    fn game() -> App {
        let mut app = headless((900, 600));
        let setup = Setup { seats: [Seat::Person; 2], ..Setup::new(RuleSet::TablutAshton) };
        app.world_mut().write_message(Action::Game(GameAction::NewGame(setup)));
        come_to_rest(&mut app);
        app
    }

    #[test]
    fn the_mark_under_the_pointer_is_drawn_once() {
        let mut app = game();
        app.world_mut().resource_mut::<Pointed>().square = "e4".parse().ok();
        app.update();
        let mut names = app.world_mut().query::<&Name>();
        assert!(names.iter(app.world()).any(|name| name.as_str() == "Hovered e4"));
        assert_eq!(*app.world().resource::<ScenePicture>(), ScenePicture::Drawn);
        assert!(app.world().resource::<SceneAtRest>().0, "it asks for no further frame");
    }

    #[test]
    fn at_low_quality_frames_are_asked_for_until_the_picture_is_kept() {
        let mut app = game();
        app.insert_resource(Quality::Low);
        come_to_rest(&mut app);
        app.world_mut().resource_mut::<Pointed>().square = "e4".parse().ok();
        let mut pictures = Vec::new();
        while pictures.is_empty() || app.world().resource::<NextFrame>().due().is_some() {
            app.update();
            pictures.push(*app.world().resource::<ScenePicture>());
        }
        assert_eq!(pictures.first(), Some(&ScenePicture::Drawn));
        assert_eq!(pictures.last(), Some(&ScenePicture::Kept));
    }

    #[test]
    fn the_scene_is_drawn_when_it_changes_and_not_for_the_panels() {
        let mut app = game();
        app.update();
        let picture = |app: &App| *app.world().resource::<ScenePicture>();
        assert_eq!(picture(&app), ScenePicture::Reused, "nothing happens");
        app.world_mut().write_message(Action::Game(GameAction::TypeMove("e4-e4".to_owned())));
        app.update();
        app.update();
        assert_eq!(picture(&app), ScenePicture::Reused, "the refusal is shown by a panel");
        app.world_mut().resource_mut::<Settings>().volume = 10;
        app.update();
        app.update();
        assert_eq!(picture(&app), ScenePicture::Reused, "nobody sees the volume");
        app.world_mut().write_message(Action::Game(GameAction::TypeMove("e4-f4".to_owned())));
        app.update();
        assert_eq!(picture(&app), ScenePicture::Drawn, "a piece moves");
        come_to_rest(&mut app);
        app.world_mut().write_message(Action::View(ViewAction::FlipBoard));
        app.update();
        assert_eq!(picture(&app), ScenePicture::Drawn, "the camera moves");
        come_to_rest(&mut app);
        let mut materials = app.world_mut().resource_mut::<Assets<TableMaterial>>();
        let id = materials.ids().next().expect("a material");
        materials.get_mut(id).expect("a material").color = LinearRgba::BLACK;
        app.update();
        assert_eq!(picture(&app), ScenePicture::Drawn, "a colour changes");
        app.update();
        app.update();
        assert_eq!(picture(&app), ScenePicture::Kept);
        app.update();
        assert_eq!(picture(&app), ScenePicture::Reused);
    }
}
