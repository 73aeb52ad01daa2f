//! The material of the board's squares. Its textures are painted in the
//! background whenever the rules, the palette or the graphics quality change.

use bevy::{
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
                BoardPainting,
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
    app.insert_resource(BoardMaterial { material, shown: None, task: None })
        .add_systems(Update, (request_painting, apply_painting).chain().in_set(SceneSet::Surfaces));
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
