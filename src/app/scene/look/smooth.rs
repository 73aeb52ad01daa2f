//! Softens the edges in the picture of the scene.
//!
//! At low quality only the picture that is kept in a window is softened: it stays in view, and
//! a frame of something that moves costs no more.

use bevy::{
    asset::{load_internal_asset, uuid_handle},
    core_pipeline::fullscreen_material::{FullscreenMaterial, FullscreenMaterialPlugin},
    render::{RenderApp, extract_component::ExtractComponent, render_resource::ShaderType},
    shader::ShaderRef,
};

use super::kept_picture::{self, ScenePicture};
use crate::app::scene::prelude::*;

/// The shader, which is part of the program.
const SHADER: Handle<Shader> = uuid_handle!("2b7d4a0c-93f1-4c55-8a8e-6f0f5d6f7c21");

/// Where pictures are drawn for files, every frame is softened at low quality, too.
#[derive(Resource)]
pub(crate) struct SoftenEveryFrame;

/// On a camera: the edges in its picture are softened.
#[derive(Component, ExtractComponent, ShaderType, Clone, Copy, Debug, Default)]
struct Smooth {
    /// The first is how many pixels along an edge are mixed.
    reach: Vec4,
}

impl FullscreenMaterial for Smooth {
    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }
}

pub(super) fn plugin(app: &mut App) {
    load_internal_asset!(app, SHADER, "smooth.wgsl", Shader::from_wgsl);
    app.add_systems(Last, soften.after(kept_picture::choose_picture));
    // Without a renderer, removing the component would fail.
    if app.get_sub_app(RenderApp).is_some() {
        app.add_plugins(FullscreenMaterialPlugin::<Smooth>::default());
    }
}

fn soften(
    mut commands: Commands,
    (quality, picture, ready): (Res<Quality>, Res<ScenePicture>, Res<SceneReady>),
    every_frame: Option<Res<SoftenEveryFrame>>,
    cameras: Query<(Entity, Option<&Smooth>), With<Camera3d>>,
) {
    // While the scene is prepared, its pipeline is, too.
    let is_kept = *picture != ScenePicture::Drawn || !ready.0 || every_frame.is_some();
    let reach = match *quality {
        Quality::Low if !is_kept => None,
        Quality::Low => Some(8.0),
        // Such edges have several samples: they need less.
        Quality::Medium | Quality::High => Some(2.5),
    };
    for (camera, smooth) in &cameras {
        if smooth.map(|smooth| smooth.reach.x) == reach {
            continue;
        }
        match reach {
            Some(reach) => commands.entity(camera).insert(Smooth { reach: Vec4::splat(reach) }),
            None => commands.entity(camera).remove::<Smooth>(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moving_scene_is_not_softened_at_low_quality() {
        let mut app = App::new();
        app.add_systems(Last, soften);
        app.insert_resource(SceneReady(true));
        let camera = app.world_mut().spawn(Camera3d::default()).id();
        let mut reach = |quality: Quality, picture: ScenePicture| {
            app.insert_resource(quality).insert_resource(picture).update();
            app.world().get::<Smooth>(camera).map(|smooth| smooth.reach.x)
        };
        assert_eq!(reach(Quality::Low, ScenePicture::Drawn), None);
        let at_rest = reach(Quality::Low, ScenePicture::Kept);
        assert!(at_rest > reach(Quality::High, ScenePicture::Drawn));
        assert_eq!(reach(Quality::Low, ScenePicture::Reused), at_rest);
        assert_eq!(reach(Quality::Low, ScenePicture::Drawn), None);
        app.insert_resource(SoftenEveryFrame).update();
        assert!(app.world().get::<Smooth>(camera).is_some(), "in a file");
    }
}
