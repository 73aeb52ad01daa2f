//! Softens the edges in the picture of the scene, at medium and high quality: without a graphics
//! card it would more than double the time of a frame.

use bevy::{
    asset::{load_internal_asset, uuid_handle},
    core_pipeline::fullscreen_material::{FullscreenMaterial, FullscreenMaterialPlugin},
    render::{extract_component::ExtractComponent, render_resource::ShaderType},
    shader::ShaderRef,
};

use crate::app::{core::prelude::*, scene::SceneSet, settings::options::Quality};

/// The shader, which is part of the program.
const SHADER: Handle<Shader> = uuid_handle!("2b7d4a0c-93f1-4c55-8a8e-6f0f5d6f7c21");

/// On a camera: the edges in its picture are softened.
#[derive(Component, ExtractComponent, ShaderType, Clone, Copy, Debug, Default)]
struct Smooth {
    /// The first is how many pixels along an edge are mixed. Edges with several samples need
    /// few.
    reach: Vec4,
}

impl FullscreenMaterial for Smooth {
    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }
}

pub(super) fn plugin(app: &mut App) {
    load_internal_asset!(app, SHADER, "smooth.wgsl", Shader::from_wgsl);
    app.add_plugins(FullscreenMaterialPlugin::<Smooth>::default()).add_systems(
        Update,
        soften.in_set(SceneSet::Surfaces).run_if(resource_exists_and_changed::<Quality>),
    );
}

fn soften(mut commands: Commands, quality: Res<Quality>, cameras: Query<Entity, With<Camera3d>>) {
    for camera in &cameras {
        let mut camera = commands.entity(camera);
        match *quality {
            Quality::Low => camera.remove::<Smooth>(),
            Quality::Medium | Quality::High => camera.insert(Smooth { reach: Vec4::splat(2.5) }),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_softened_but_not_at_low_quality() {
        let mut app = App::new();
        app.add_systems(Update, soften);
        let camera = app.world_mut().spawn(Camera3d::default()).id();
        for quality in [Quality::High, Quality::Low, Quality::Medium] {
            app.insert_resource(quality).update();
            assert_eq!(app.world().get::<Smooth>(camera).is_some(), quality != Quality::Low);
        }
    }
}
