//! The materials of the board and its cloth. Their pictures change with the rules, the
//! palette and the graphics quality.

use bevy::render::renderer::RenderDevice;

use super::{CurrentBoard, squares_node};
use crate::app::{
    core::prelude::*,
    scene::{
        SceneSet,
        look::{
            TableMaterial,
            pictures::{board_picture, cloth_picture},
        },
    },
    settings::{
        Settings,
        options::{Palette, Quality},
    },
};

/// The materials of every board and its cloth.
#[derive(Resource)]
pub(super) struct BoardMaterials {
    pub(super) board: Handle<TableMaterial>,
    pub(super) cloth: Handle<TableMaterial>,
}

pub(super) fn plugin(app: &mut App) {
    let mut materials = app.world_mut().resource_mut::<Assets<TableMaterial>>();
    let [board, cloth] = [(); 2]
        .map(|()| materials.add(TableMaterial { in_room: true, ..TableMaterial::pictured() }));
    app.insert_resource(BoardMaterials { board, cloth }).add_systems(
        Update,
        // Without a renderer nobody sees them.
        show_pictures.run_if(resource_exists::<RenderDevice>).in_set(SceneSet::Surfaces),
    );
}

/// Loads the pictures of the board that is shown.
fn show_pictures(
    board: Res<CurrentBoard>,
    settings: Res<Settings>,
    quality: Res<Quality>,
    own: Res<BoardMaterials>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<TableMaterial>>,
    mut shown: Local<Option<(RuleSet, Palette, Quality)>>,
) {
    let Some(rules) = board.0 else { return };
    let (palette, quality) = (settings.palette, *quality);
    if shown.replace((rules, palette, quality)) == Some((rules, palette, quality)) {
        return;
    }
    for (material, picture) in [
        (&own.board, board_picture(rules.game(), squares_node(rules), palette, quality)),
        (&own.cloth, cloth_picture(rules.game(), quality)),
    ] {
        if let Some(mut material) = materials.get_mut(material) {
            material.picture = Some(images.add(picture));
        }
    }
}
