//! The board of the flat view: drawn squares on paper, as in a printed book.

use std::collections::HashMap;

use bevy::{light::NotShadowCaster, prelude::*};

use super::{
    CurrentBoard,
    coordinates::{Coordinates, LetterMaterials},
    frame::FrameStyle,
    surface::BoardMaterial,
};
use crate::{
    app::scene::{
        SceneSet,
        api::FlatView,
        layout::{Layout, TABLE_Y},
        look::{MeshBuilder, SolidOnly, mesh_builder::rectangle, palette::printed, warm_up},
    },
    games::Side,
    table::{
        SquareKind,
        shapes::{INK, LINE, MARK_OPACITY, SQUARE, WHITE, square_color, square_mark},
    },
};

/// A square of the board: its kind, and its mesh outside the flat view.
#[derive(Component)]
pub(super) struct Tile {
    pub(super) kind: SquareKind,
    pub(super) solid: Handle<Mesh>,
}

/// Shown in the flat view only.
#[derive(Component)]
struct FlatOnly;

/// Half the width of the paper: it covers the whole table.
const PAPER_REACH: f32 = 60.0;
/// Width of the line round the squares, in squares.
const BORDER: f32 = 0.06;

/// All kinds of squares.
const KINDS: [SquareKind; 9] = [
    SquareKind::Plain,
    SquareKind::Castle,
    SquareKind::Camp,
    SquareKind::Goal,
    SquareKind::StartRow(Side::First),
    SquareKind::StartRow(Side::Second),
    SquareKind::Plot(Side::First),
    SquareKind::Plot(Side::Second),
    SquareKind::Lake,
];

/// The meshes of drawn squares, and the material of everything drawn.
#[derive(Resource)]
struct FlatAssets {
    squares: HashMap<SquareKind, Handle<Mesh>>,
    material: Handle<StandardMaterial>,
}

pub(super) fn plugin(app: &mut App) {
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let squares: HashMap<_, _> =
        KINDS.into_iter().map(|kind| (kind, meshes.add(square_mesh(kind)))).collect();
    let mut paper = MeshBuilder::new();
    paper.polygon(&rectangle(Vec3::ZERO, Vec2::splat(PAPER_REACH)), printed(WHITE));
    let paper = meshes.add(paper.build());
    let material = app
        .world_mut()
        .resource_mut::<Assets<StandardMaterial>>()
        .add(StandardMaterial { unlit: true, ..default() });
    warm_up(app, paper.clone(), material.clone());
    app.world_mut().spawn((
        FlatOnly,
        Name::new("Paper"),
        Mesh3d(paper),
        MeshMaterial3d(material.clone()),
        Transform::from_xyz(0.0, TABLE_Y - 0.002, 0.0),
        Visibility::Hidden,
        Pickable::IGNORE,
        NotShadowCaster,
    ));
    app.insert_resource(FlatAssets { squares, material })
        .add_systems(Update, (show_flat_board, show_border).in_set(SceneSet::Surfaces));
}

/// Shows drawn squares, letters in ink and paper in the flat view, else the board,
/// its frame and the room.
fn show_flat_board(
    flat: Res<FlatView>,
    board: Res<CurrentBoard>,
    assets: Res<FlatAssets>,
    (board_material, letters): (Res<BoardMaterial>, Res<LetterMaterials>),
    mut tiles: Query<
        (&Tile, &mut Mesh3d, &mut MeshMaterial3d<StandardMaterial>),
        Without<Coordinates>,
    >,
    mut coordinates: Query<&mut MeshMaterial3d<StandardMaterial>, With<Coordinates>>,
    mut solid: Query<&mut Visibility, With<SolidOnly>>,
    mut drawn: Query<&mut Visibility, (With<FlatOnly>, Without<SolidOnly>)>,
) {
    if !(flat.is_changed() || board.is_changed()) {
        return;
    }
    for (tile, mut mesh, mut material) in &mut tiles {
        let square = assets.squares.get(&tile.kind).filter(|_| flat.0);
        (mesh.0, material.0) = match square {
            Some(square) => (square.clone(), assets.material.clone()),
            None => (tile.solid.clone(), board_material.handle()),
        };
    }
    if let Some(rules) = board.0 {
        let style = FrameStyle::new(rules.game());
        for mut material in &mut coordinates {
            material.0 = if flat.0 { letters.ink() } else { letters.get(style) };
        }
    }
    let when = |is_shown| if is_shown { Visibility::Inherited } else { Visibility::Hidden };
    for mut visibility in &mut solid {
        visibility.set_if_neq(when(!flat.0));
    }
    for mut visibility in &mut drawn {
        visibility.set_if_neq(when(flat.0));
    }
}

/// The line round the squares of the flat view.
#[derive(Component)]
struct Border;

/// Spawns the border that fits the board, and despawns it with the flat view.
fn show_border(
    mut commands: Commands,
    flat: Res<FlatView>,
    layout: Res<Layout>,
    assets: Res<FlatAssets>,
    mut meshes: ResMut<Assets<Mesh>>,
    old: Query<Entity, With<Border>>,
) {
    if !(flat.is_changed() || layout.is_changed()) {
        return;
    }
    for entity in &old {
        commands.entity(entity).despawn();
    }
    if !flat.0 {
        return;
    }
    let mut mesh = MeshBuilder::new();
    mesh.polygon(&rectangle(Vec3::ZERO, layout.half_size() + BORDER), printed(INK));
    commands.spawn((
        Border,
        Name::new("Border"),
        Mesh3d(meshes.add(mesh.build())),
        MeshMaterial3d(assets.material.clone()),
        Transform::from_xyz(0.0, -0.01, 0.0),
        Pickable::IGNORE,
        NotShadowCaster,
    ));
}

/// A drawn square about its centre, with its mark and the line round it.
fn square_mesh(kind: SquareKind) -> Mesh {
    let mut mesh = MeshBuilder::new();
    let ground = printed(square_color(kind));
    mesh.polygon(&rectangle(Vec3::ZERO, Vec2::splat(0.5)), printed(INK));
    let inner = 0.5 - LINE / SQUARE / 3.0;
    mesh.polygon(&rectangle(Vec3::Y * 0.002, Vec2::splat(inner)), ground);
    // Opaque: the mark's colour over the square's.
    let faint = ground.mix(&printed(INK), MARK_OPACITY);
    for line in square_mark(kind) {
        for pair in line.windows(2) {
            let [from, to] = [pair[0], pair[1]]
                .map(|(x, z)| Vec3::new(x / SQUARE - 0.5, 0.004, z / SQUARE - 0.5));
            let side = (to - from).cross(Vec3::Y).normalize_or(Vec3::Z) * (0.6 * LINE / SQUARE);
            mesh.polygon(&[from + side, to + side, to - side, from - side], faint);
        }
    }
    mesh.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_square_is_drawn_apart_from_the_others() {
        let drawn = |kind: SquareKind| (square_color(kind), square_mark(kind));
        for (index, kind) in KINDS.into_iter().enumerate() {
            for other in &KINDS[index + 1..] {
                assert!(drawn(kind) != drawn(*other), "{kind:?} {other:?}");
            }
            let mesh = square_mesh(kind);
            let normals = mesh.attribute(Mesh::ATTRIBUTE_NORMAL);
            let normals = normals.and_then(|it| it.as_float3()).unwrap_or_default();
            assert!(normals.iter().all(|it| it[1] > 0.99), "{kind:?} is seen from above");
        }
    }
}
