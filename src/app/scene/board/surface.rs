//! The material of the board's squares. Its textures are painted in the
//! background whenever the rules, the palette or the graphics quality change.

use bevy::{
    camera::visibility::RenderLayers,
    prelude::*,
    render::renderer::RenderDevice,
    tasks::{Task, futures::check_ready},
};

use super::{
    CurrentBoard,
    paint::{BoardTextures, PaintRequest, start_painting},
};
use crate::{
    app::{
        scene::{
            SceneSet,
            look::{
                BoardPainting, PipelineStatus, ROOM_LAYER,
                finishes::{Finish, Finishes},
                palette::ColorScheme,
            },
        },
        settings::{
            Settings,
            options::{Palette, Quality},
        },
    },
    games::{GameKind, RuleSet},
};

/// The material that all squares share, and what is painted on it.
#[derive(Resource)]
pub(super) struct BoardMaterial {
    material: Handle<StandardMaterial>,
    shown: Option<PaintRequest>,
    task: Option<(PaintRequest, Task<BoardTextures>)>,
}

pub(super) fn plugin(app: &mut App) {
    let material = app
        .world_mut()
        .resource_mut::<Assets<StandardMaterial>>()
        .add(StandardMaterial { perceptual_roughness: 0.5, reflectance: 0.4, ..default() });
    app.insert_resource(BoardMaterial { material, shown: None, task: None }).add_systems(
        Update,
        (request_painting, apply_painting, hide_unpainted).chain().in_set(SceneSet::Surfaces),
    );
}

impl BoardMaterial {
    pub(super) fn handle(&self) -> Handle<StandardMaterial> {
        self.material.clone()
    }
}

/// Colour and roughness of a board that is not painted yet.
fn unpainted(rules: RuleSet, palette: Palette) -> (Color, f32) {
    let scheme = ColorScheme::new(palette);
    match rules.game() {
        GameKind::Tablut => (scheme.plain[0], 0.52),
        GameKind::Tablan => (scheme.middle[0], 0.36),
        GameKind::Tablaaza => (scheme.plots[1], 0.8),
    }
}

/// Starts painting if what is shown or being painted is out of date. Nothing is
/// painted without a renderer.
fn request_painting(
    board: Res<CurrentBoard>,
    settings: Res<Settings>,
    quality: Res<Quality>,
    device: Option<Res<RenderDevice>>,
    mut board_material: ResMut<BoardMaterial>,
    mut painting: ResMut<BoardPainting>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let Some(rules) = board.0.filter(|_| device.is_some()) else { return };
    let palette = settings.palette;
    let wanted = PaintRequest { rules, palette, detailed: *quality != Quality::Low };
    let latest = board_material.task.as_ref().map(|it| it.0).or(board_material.shown);
    if latest == Some(wanted) {
        return;
    }
    let same_board = board_material.shown.is_some_and(|shown| shown.rules == rules);
    if !same_board && let Some(mut material) = materials.get_mut(&board_material.material) {
        let (colour, roughness) = unpainted(rules, palette);
        *material = StandardMaterial {
            base_color: colour,
            perceptual_roughness: roughness,
            reflectance: 0.4,
            ..default()
        };
        board_material.shown = None;
    }
    board_material.task = Some((wanted, start_painting(wanted)));
    painting.0 = true;
}

/// Applies the textures when they are painted.
fn apply_painting(
    mut board_material: ResMut<BoardMaterial>,
    mut painting: ResMut<BoardPainting>,
    mut finishes: ResMut<Finishes>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let Some((request, task)) = &mut board_material.bypass_change_detection().task else { return };
    let request = *request;
    let Some(textures) = check_ready(task) else { return };
    board_material.task = None;
    board_material.shown = Some(request);
    painting.0 = false;
    if let Some(mut material) = materials.get_mut(&board_material.material) {
        material.base_color = Color::WHITE;
        material.base_color_texture = Some(images.add(textures.colour));
    }
    let (_, roughness) = unpainted(request.rules, request.palette);
    let finish = Finish {
        normal_map: textures.normal_map.map(|it| images.add(it)),
        metallic_roughness_map: textures.metallic_roughness_map.map(|it| images.add(it)),
        roughness,
        metallic: 0.0,
        clearcoat: if request.rules.game() == GameKind::Tablan { 0.35 } else { 0.0 },
    };
    finishes.set(&board_material.material, finish);
}

/// Hides the board of another game, and what stands on it, until it is painted: the camera
/// sees the room only. The first board is hidden until its pipelines are compiled.
fn hide_unpainted(
    mut commands: Commands,
    board_material: Res<BoardMaterial>,
    painting: Res<BoardPainting>,
    pipelines: Res<PipelineStatus>,
    cameras: Query<(Entity, Option<&RenderLayers>), With<Camera3d>>,
) {
    let hides = painting.0 && board_material.shown.is_none() && pipelines.has_shown_scene();
    let room = RenderLayers::layer(ROOM_LAYER);
    for (camera, layers) in &cameras {
        match layers {
            None if hides => {
                commands.entity(camera).insert(room.clone());
            }
            Some(layers) if !hides && *layers == room => {
                commands.entity(camera).remove::<RenderLayers>();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::look::room_layers;

    #[test]
    fn another_board_is_hidden_until_it_is_painted() {
        let request =
            PaintRequest { rules: RuleSet::Tablan, palette: Palette::default(), detailed: false };
        let mut app = App::new();
        app.insert_resource(BoardMaterial { material: Handle::default(), shown: None, task: None })
            .insert_resource(PipelineStatus::of_shown_scene())
            .insert_resource(BoardPainting(true))
            .add_systems(Update, hide_unpainted);
        let camera = app.world_mut().spawn(Camera3d::default()).id();
        let mut sees_board = |shown, painting| {
            app.world_mut().resource_mut::<BoardMaterial>().shown = shown;
            app.world_mut().resource_mut::<BoardPainting>().0 = painting;
            app.update();
            let layers = app.world().get::<RenderLayers>(camera);
            let layers = layers.cloned().unwrap_or_default();
            assert!(layers.intersects(&room_layers()));
            layers.intersects(&RenderLayers::default())
        };
        assert!(!sees_board(None, true));
        assert!(sees_board(Some(request), false));
        assert!(sees_board(Some(request), true), "in another palette");
        assert!(!sees_board(None, true));
    }
}
