//! The materials of the board and its cloth. Their pictures change with the rules, the
//! palette and the graphics quality.

use bevy::render::renderer::RenderDevice;

use super::{CurrentBoard, squares_node};
use crate::app::scene::{
    look::{
        MeshBuilder, TableMaterial,
        files::is_here,
        pictures::{board_picture, cloth_picture},
    },
    prelude::*,
    sticks::StickAssets,
};

/// The materials of every board and its cloth.
#[derive(Resource)]
pub(super) struct BoardMaterials {
    pub(super) board: Handle<TableMaterial>,
    pub(super) cloth: Handle<TableMaterial>,
    pub(super) shade: Handle<TableMaterial>,
}

pub(super) fn plugin(app: &mut App) {
    let mut materials = app.world_mut().resource_mut::<Assets<TableMaterial>>();
    let [board, cloth] = [(); 2]
        .map(|()| materials.add(TableMaterial { in_room: true, ..TableMaterial::pictured() }));
    let shade = materials.add(TableMaterial { alpha_mode: AlphaMode::Blend, ..default() });
    app.insert_resource(BoardMaterials { board, cloth, shade }).add_systems(
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
    (own, sticks): (Res<BoardMaterials>, Res<StickAssets>),
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<TableMaterial>>,
    mut shown: Local<Option<(RuleSet, Palette, Quality)>>,
) {
    let Some(rules) = board.0.filter(|rules| is_here(rules.game())) else { return };
    let (palette, quality) = (settings.palette, *quality);
    if shown.replace((rules, palette, quality)) == Some((rules, palette, quality)) {
        return;
    }
    let board = images.add(board_picture(rules.game(), squares_node(rules), palette, quality));
    let cloth = images.add(cloth_picture(rules.game(), quality));
    let sticks = sticks.painted().into_iter().filter(|_| rules.has_sticks());
    let painted = sticks.chain([&own.board]).map(|material| (material, &board));
    for (material, picture) in painted.chain([(&own.cloth, &cloth)]) {
        if let Some(mut material) = materials.get_mut(material) {
            material.picture = Some(picture.clone());
        }
    }
}

/// How far the shade of a cloth reaches beyond its edge.
const SHADE: f32 = 0.2;
/// Height of the shade: as low as the cloth's foot.
const SHADE_Y: f32 = TABLE_Y - 0.031;

/// The soft shade that a cloth casts round it on the table.
pub(super) fn shade_mesh(cloth: &Mesh) -> Mesh {
    let places =
        cloth.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|attribute| attribute.as_float3());
    let places = places.unwrap_or_default().iter().map(|at| Vec3::from(*at).xz());
    let edge = places.fold(Rect::EMPTY, |edge, at| edge.union_point(at));
    let ring = |out: f32| {
        let Rect { min, max } = edge.inflate(out);
        [min, Vec2::new(min.x, max.y), max, Vec2::new(max.x, min.y)]
            .map(|at| Vec3::new(at.x, SHADE_Y, at.y))
    };
    let mut mesh = MeshBuilder::new();
    let steps = 8;
    for step in 0..steps {
        let out = |step: i32| SHADE * step as f32 / steps as f32 - 0.02;
        let (inner, outer) = (ring(out(step)), ring(out(step + 1)));
        let alpha = 0.34 * (1.0 - step as f32 / steps as f32).powi(2);
        for (side, next) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
            let corners = [inner[side], outer[side], outer[next], inner[next]];
            mesh.polygon(&corners, Color::BLACK.with_alpha(alpha));
        }
    }
    mesh.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::look::models::{ModelFile, model_mesh};

    #[test]
    fn the_shade_lies_round_the_cloth_and_is_seen_from_above() {
        let cloth = model_mesh(ModelFile::Game(GameKind::Tablut), &["cloth"], Palette::default());
        let (shade, edge) = (shade_mesh(&cloth), 6.62);
        let read = |attribute| shade.attribute(attribute).and_then(|read| read.as_float3());
        let places = read(Mesh::ATTRIBUTE_POSITION).unwrap_or_default();
        let widths = places.iter().map(|at| at[0].abs());
        assert!((widths.fold(0.0, f32::max) - edge - SHADE).abs() < 0.05);
        let normals = read(Mesh::ATTRIBUTE_NORMAL).unwrap_or_default();
        assert!(normals.len() > 100 && normals.iter().all(|normal| normal[1] > 0.99));
    }
}
