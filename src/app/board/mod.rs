//! The board: its squares, its frame, and the marks drawn on it.
//!
//! A board stands until a [`Cue::Set`] names other rules. It knows squares
//! and kinds of ground, never a rule.

mod frame;
mod grounds;
mod layout;
mod lettering;
mod marks;

use bevy::prelude::*;

pub(crate) use layout::Layout;

use crate::{
    app::{
        animation::Directing,
        look::{
            Solid,
            grain::{Grain, Relief, Reliefs},
        },
        settings::Settings,
        stage::{Cue, Spot},
    },
    games::RuleSet,
    table::{Board, Ground},
};

/// Which board stands on the table.
#[derive(Resource, Default)]
pub(crate) struct Standing(pub(crate) Option<RuleSet>);

/// How deep the water lies under the squares, and the bed under the tiles.
const WATER_Y: f32 = -0.05;
const BED_Y: f32 = -0.085;

/// The root of everything that belongs to one board.
#[derive(Component)]
struct BoardRoot;

/// The letters and numbers on the frame.
#[derive(Component)]
struct Lettered;

/// Squares, frame and marks.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Standing>().init_resource::<Layout>();
    app.add_plugins((grounds::plugin, lettering::plugin, marks::plugin));
    app.add_systems(Update, (build, letter).chain().in_set(Directing::Board));
}

/// Shows letters and numbers only to who likes them.
fn letter(
    settings: Res<Settings>,
    fresh: Query<(), Added<Lettered>>,
    mut letters: Query<&mut Visibility, With<Lettered>>,
) {
    if settings.is_changed() || !fresh.is_empty() {
        let wanted = if settings.coordinates { Visibility::Inherited } else { Visibility::Hidden };
        for mut visibility in &mut letters {
            visibility.set_if_neq(wanted);
        }
    }
}

/// The last board a frame's cues ask for: what was set before it never shows.
fn build(
    mut commands: Commands,
    mut cues: MessageReader<Cue>,
    mut standing: ResMut<Standing>,
    mut layout: ResMut<Layout>,
    old: Query<Entity, With<BoardRoot>>,
    grain: Res<Grain>,
    mut reliefs: ResMut<Reliefs>,
    mut walnut: Local<Option<Handle<StandardMaterial>>>,
    looks: Res<grounds::Looks>,
    letters: Res<lettering::Letters>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let Some(rules) = cues
        .read()
        .filter_map(|cue| if let Cue::Set { rules, .. } = cue { Some(*rules) } else { None })
        .last()
    else {
        return;
    };
    if standing.0 == Some(rules) {
        return;
    }
    standing.0 = Some(rules);
    for root in &old {
        commands.entity(root).despawn();
    }
    let board = Board::of(rules);
    *layout = Layout::of(&board, rules.has_sticks());
    let root = commands
        .spawn((BoardRoot, Name::new("Board"), Transform::default(), Visibility::default()))
        .id();
    for &(square, ground) in &board.squares {
        let mut tile = commands.spawn((
            Name::new(format!("Square {square}")),
            Mesh3d(meshes.add(tile_mesh(square, ground, &board))),
            MeshMaterial3d(looks.of(ground, square)),
            Transform::from_translation(layout.place(square)),
            ChildOf(root),
        ));
        if ground == Ground::Lake {
            tile.insert(Pickable::IGNORE);
        } else {
            tile.insert(Spot(square));
        }
    }
    let inlays = grounds::inlays(&board, rules, &layout);
    commands.spawn((
        Name::new("Inlays"),
        Mesh3d(meshes.add(inlays)),
        MeshMaterial3d(looks.inlay()),
        Pickable::IGNORE,
        ChildOf(root),
    ));
    let walnut = walnut.get_or_insert_with(|| {
        let walnut = materials.add(StandardMaterial {
            base_color_texture: Some(grain.wood.clone()),
            perceptual_roughness: 0.38,
            reflectance: 0.42,
            ..default()
        });
        reliefs.0.push((walnut.clone(), Relief::Wood));
        walnut
    });
    commands.spawn((
        Name::new("Frame"),
        Mesh3d(meshes.add(frame::frame(&layout))),
        MeshMaterial3d(walnut.clone()),
        Pickable::IGNORE,
        ChildOf(root),
    ));
    let trays = frame::trays(&layout, captives(rules));
    commands.spawn((
        Name::new("Trays"),
        Mesh3d(meshes.add(trays)),
        MeshMaterial3d(walnut.clone()),
        Pickable::IGNORE,
        ChildOf(root),
    ));
    commands.spawn((
        Lettered,
        Name::new("Coordinates"),
        Mesh3d(meshes.add(letters.labels(&layout))),
        MeshMaterial3d(letters.material()),
        Pickable::IGNORE,
        ChildOf(root),
    ));
}

/// How many pieces of each side the trays have room for.
const fn captives(rules: RuleSet) -> [usize; 2] {
    match rules {
        RuleSet::TablutBerkeley | RuleSet::TablutAshton | RuleSet::TablutLinnaeus => [8, 16],
        RuleSet::Tablan | RuleSet::TablanOrdered => [12, 12],
        RuleSet::Tablaaza => [0, 0],
    }
}

/// A tile: bevelled, its grain cut from another part of the log than its
/// neighbours'. Water lies deeper, and without seams.
fn tile_mesh(square: crate::games::Square, ground: Ground, board: &Board) -> Mesh {
    let number = f32::from(square.rank) * f32::from(board.files) + f32::from(square.file);
    let slide = Vec2::new((number * 0.377).fract(), (number * 0.619).fract());
    let uv = move |at: Vec3| Vec2::new(at.x, at.z) * Vec2::new(0.16, 0.20) + slide;
    let mut tile = Solid::new();
    if ground == Ground::Lake {
        tile.slab(Vec3::new(-0.5, -0.2, -0.5), Vec3::new(0.5, WATER_Y, 0.5), 0.0, uv, Color::WHITE);
    } else {
        let half = 0.488;
        tile.slab(
            Vec3::new(-half, -0.12, -half),
            Vec3::new(half, 0.0, half),
            0.018,
            uv,
            Color::WHITE,
        );
    }
    tile.build_for_relief()
}
