//! The board: its squares, frame, coordinates, water, and highlights.
//!
//! A board stays until a [`SceneCommand::SetPosition`](super::api::SceneCommand::SetPosition) names other rules. It
//! knows squares and their kinds, never a rule.

mod coordinates;
mod course;
mod flat;
mod marks;
mod surface;
mod water;

use bevy::{asset::AssetEventSystems, camera::visibility::VisibilitySystems};

use super::{
    camera::update_camera,
    look::{
        MeshBuilder, SolidOnly, TableMaterial,
        files::is_here,
        mesh_builder::rectangle,
        models::{ModelFile, model_mesh},
    },
};
use crate::{
    app::scene::prelude::*,
    games::AnyRules,
    session::{BoardGrid, SquareKind},
};

/// The rules whose board is shown.
#[derive(Resource, Default)]
pub(crate) struct CurrentBoard(pub(crate) Option<RuleSet>);

/// The parent of all entities of one board.
#[derive(Component)]
struct BoardRoot;

/// Squares, frame, coordinates, water and highlights.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<CurrentBoard>();
    app.add_plugins((
        course::plugin,
        surface::plugin,
        coordinates::plugin,
        flat::plugin,
        marks::plugin,
        water::plugin,
    ));
    app.add_systems(Update, (spawn_board, spawn_models).chain().in_set(SceneSet::Board))
        .add_systems(
            PostUpdate,
            // How large letters have to be is known once the camera sees the board, and what
            // changes in a mesh then is drawn in the same frame.
            coordinates::update_coordinates
                .after(update_camera)
                .before(AssetEventSystems)
                .before(VisibilitySystems::CalculateBounds)
                .before(VisibilitySystems::VisibilityPropagate),
        );
}

/// Replaces the board if the frame's last [`SceneCommand::SetPosition`](super::api::SceneCommand::SetPosition) names
/// other rules.
fn spawn_board(
    mut commands: Commands,
    mut position: NewPosition,
    mut current: ResMut<CurrentBoard>,
    mut layout: ResMut<BoardLayout>,
    old: Query<Entity, With<BoardRoot>>,
    water: Res<water::WaterMaterial>,
    letter_materials: Res<coordinates::LetterMaterials>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let Some(rules) = position.read().map(|position| position.rules) else { return };
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
    water::spawn_lakes(&mut commands, &mut meshes, &water, &board, &layout, root);
    let letters = letter_materials.of(rules.game());
    for near in Side::BOTH {
        let mesh = meshes.add(coordinates::coordinates_mesh(&layout, near, 1.0));
        let part = part("Coordinates", mesh, &letters, root);
        commands.spawn((part, coordinates::Coordinates { near, scale: 1.0 }));
    }
}

/// Lays the models of the board and its cloth, once they are here.
fn spawn_models(
    mut commands: Commands,
    current: Res<CurrentBoard>,
    root: Option<Single<Entity, With<BoardRoot>>>,
    materials: Res<surface::BoardMaterials>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut laid: Local<Option<Entity>>,
) {
    let (Some(rules), Some(root)) = (current.0, root) else { return };
    if *laid == Some(*root) || !is_here(rules.game()) {
        return;
    }
    *laid = Some(*root);
    let model =
        |names: &[&str]| model_mesh(ModelFile::Game(rules.game()), names, Palette::default());
    let cloth = model(&["cloth"]);
    for (name, mesh, material) in [
        ("Board", model(&["frame", squares_node(rules)]), &materials.board),
        ("Shade", surface::shade_mesh(&cloth), &materials.shade),
        ("Cloth", cloth, &materials.cloth),
    ] {
        commands.spawn((part(name, meshes.add(mesh), material, *root), SolidOnly));
    }
}

/// A part of the board that is only seen.
fn part(
    name: &'static str,
    mesh: Handle<Mesh>,
    material: &Handle<TableMaterial>,
    root: Entity,
) -> impl Bundle {
    (
        Name::new(name),
        Mesh3d(mesh),
        MeshMaterial3d(material.clone()),
        Pickable::IGNORE,
        ChildOf(root),
    )
}

/// The squares of a rule set in its game's file.
const fn squares_node(rules: RuleSet) -> &'static str {
    match rules.rules() {
        AnyRules::Tablut(rules) if !rules.camps.is_empty() => "squares_ashton",
        AnyRules::Tablut(rules) if rules.has_corner_goals() => "squares_linnaeus",
        AnyRules::Tablut(_) => "squares_berkeley",
        AnyRules::Tablan(_) => "squares_tablan",
        AnyRules::Tablaaza => "squares_tablaaza",
    }
}

/// Spawns an entity for each square that can be clicked: all but lakes. A mesh without a
/// surface is invisible, but can be picked; all squares are drawn with the board.
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
