//! The board: its squares, frame, coordinates, water, and highlights.
//!
//! A board stays until a [`SceneCommand::SetPosition`] names other rules. It
//! knows squares and their kinds, never a rule.

mod coordinates;
mod course;
mod flat;
mod frame;
mod marks;
mod paint;
mod surface;
mod water;

use bevy::{light::NotShadowCaster, prelude::*};

use super::{
    SceneSet,
    api::{BoardOrientation, SceneCommand},
    components::OnSquare,
    layout::BoardLayout,
    look::{MeshBuilder, SolidOnly, Surface, mesh_builder::rectangle},
};
use crate::{
    games::{GameKind, RuleSet, Square},
    session::{BoardGrid, SquareKind},
};

/// The rules whose board is shown.
#[derive(Resource, Default)]
pub(crate) struct CurrentBoard(pub(crate) Option<RuleSet>);

/// Height of the streets between Tablaaza's plots.
const STREET_Y: f32 = -0.024;
/// Mean height of a lake's surface.
const WATER_Y: f32 = -0.070;
/// Height of a lake's bed.
const LAKE_BED_Y: f32 = STREET_Y - 0.13;
/// Height of the frame's bottom, under all squares.
const FRAME_BED_Y: f32 = -0.19;

/// The parent of all entities of one board.
#[derive(Component)]
struct BoardRoot;

/// Squares, frame, coordinates, water and highlights.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<CurrentBoard>();
    app.add_plugins((
        course::plugin,
        frame::plugin,
        surface::plugin,
        coordinates::plugin,
        flat::plugin,
        marks::plugin,
        water::plugin,
    ));
    app.add_systems(
        Update,
        (spawn_board, coordinates::update_coordinates).chain().in_set(SceneSet::Board),
    );
}

/// Replaces the board if the frame's last [`SceneCommand::SetPosition`] names
/// other rules.
fn spawn_board(
    mut commands: Commands,
    mut scene_commands: MessageReader<SceneCommand>,
    mut current: ResMut<CurrentBoard>,
    mut layout: ResMut<BoardLayout>,
    old: Query<Entity, With<BoardRoot>>,
    board_material: Res<surface::BoardMaterial>,
    frame_materials: Res<frame::FrameMaterials>,
    lake_materials: Res<water::LakeMaterials>,
    letter_materials: Res<coordinates::LetterMaterials>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let rules = scene_commands.read().filter_map(|command| match command {
        SceneCommand::SetPosition { rules, .. } => Some(*rules),
        SceneCommand::PlayPly { .. } | SceneCommand::SkipAnimations => None,
    });
    let Some(rules) = rules.last() else { return };
    if current.0 == Some(rules) {
        return;
    }
    current.0 = Some(rules);
    for root in &old {
        commands.entity(root).despawn();
    }
    let board = BoardGrid::new(rules);
    *layout = BoardLayout::new(&board, rules.has_sticks());
    let root = commands
        .spawn((BoardRoot, Name::new("Board"), Transform::default(), Visibility::default()))
        .id();
    spawn_squares(&mut commands, &mut meshes, &board, &layout, root);
    water::spawn_lakes(&mut commands, &mut meshes, &lake_materials, &board, &layout, root);
    let mut spawn_part = |name: &'static str, mesh: Mesh, material: Handle<StandardMaterial>| {
        commands
            .spawn((
                Name::new(name),
                Mesh3d(meshes.add(mesh)),
                Surface(material),
                Pickable::IGNORE,
                ChildOf(root),
            ))
            .id()
    };
    let style = frame::FrameStyle::new(rules.game());
    let materials = frame_materials.get(style);
    let frame = spawn_part("Frame", frame::frame_mesh(&layout, style), materials.bars.clone());
    let mut solid = [Some(frame), None, None];
    let flat = [
        spawn_part("Squares", squares_mesh(&board, &layout), board_material.handle()),
        spawn_part("Inlay", frame::inlay_mesh(&layout), materials.inlay),
        spawn_part("Foot shadow", frame::foot_shadow_mesh(&layout), materials.shadow),
    ];
    let capacity = tray_capacity(rules);
    if capacity != [0, 0] {
        let trays = frame::trays_mesh(&layout, capacity, style);
        solid[1] = Some(spawn_part("Trays", trays, materials.bars));
        solid[2] = Some(spawn_part("Felt", frame::felt_mesh(&layout, capacity), materials.felt));
    }
    let coordinates = [BoardOrientation::Near, BoardOrientation::Far].map(|orientation| {
        let mesh = coordinates::coordinates_mesh(&layout, orientation, 1.0);
        (spawn_part("Coordinates", mesh, letter_materials.get(style)), orientation)
    });
    for entity in flat {
        commands.entity(entity).insert(NotShadowCaster);
    }
    for entity in solid.into_iter().flatten().chain(flat) {
        commands.entity(entity).insert(SolidOnly);
    }
    for (entity, orientation) in coordinates {
        let coordinates = coordinates::Coordinates { orientation, scale: 1.0 };
        commands.entity(entity).insert((coordinates, NotShadowCaster));
    }
}

/// Spawns an entity for each square that can be clicked: all but lakes. A mesh without a
/// surface is invisible, but can be picked; all squares are drawn at once.
fn spawn_squares(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    board: &BoardGrid,
    layout: &BoardLayout,
    root: Entity,
) {
    let mut square_mesh = MeshBuilder::new();
    square_mesh.polygon(&rectangle(Vec3::ZERO, Vec2::splat(0.5)), Color::WHITE);
    let square_mesh = meshes.add(square_mesh.build());
    for &(square, kind) in &board.squares {
        if kind != SquareKind::Lake {
            commands.spawn((
                Name::new(format!("Square {square}")),
                OnSquare(square),
                Mesh3d(square_mesh.clone()),
                Transform::from_translation(layout.square_centre(square)),
                ChildOf(root),
            ));
        }
    }
}

/// Whether the neighbour of a square in a direction (file, rank) is a lake.
fn is_lake_beside(board: &BoardGrid, square: Square, [file, rank]: [i8; 2]) -> bool {
    let neighbour = square.file.checked_add_signed(file).zip(square.rank.checked_add_signed(rank));
    neighbour.and_then(|(file, rank)| board.kind(Square::new(file, rank))) == Some(SquareKind::Lake)
}

/// For how many pieces of each side the trays are made: they are alike.
const fn tray_capacity(rules: RuleSet) -> [usize; 2] {
    match rules.game() {
        GameKind::Tablut => [16, 16],
        GameKind::Tablan => [12, 12],
        GameKind::Tablaaza => [0, 0],
    }
}

/// All squares, with the board's texture.
fn squares_mesh(board: &BoardGrid, layout: &BoardLayout) -> Mesh {
    let mut mesh = MeshBuilder::new();
    for &(square, kind) in &board.squares {
        add_square(&mut mesh, layout.square_centre(square), kind, layout);
    }
    mesh.build_with_tangents()
}

/// Adds a square with its part of the board's texture. Plots of Tablaaza's city stand a
/// little above their streets; the bed of a lake lies below.
fn add_square(mesh: &mut MeshBuilder, centre: Vec3, kind: SquareKind, layout: &BoardLayout) {
    let half = layout.half_size();
    let uv = |at: Vec3| (at.xz() + half) / (2.0 * half);
    let flat = |y: f32| rectangle(centre.with_y(y), Vec2::splat(0.5));
    match kind {
        SquareKind::Lake => {
            mesh.polygon_with_uv(&flat(LAKE_BED_Y), uv, Color::WHITE);
        }
        SquareKind::Plot(_) => {
            mesh.polygon_with_uv(&flat(STREET_Y), uv, Color::WHITE);
            let half = Vec3::new(paint::PLOT_HALF_SIZE, 0.0, paint::PLOT_HALF_SIZE);
            let (min, max) = ((centre - half).with_y(STREET_Y), (centre + half).with_y(0.0));
            mesh.bevelled_box(min, max, 0.016, uv, Color::WHITE);
        }
        _ => {
            mesh.polygon_with_uv(&flat(0.0), uv, Color::WHITE);
        }
    }
}
