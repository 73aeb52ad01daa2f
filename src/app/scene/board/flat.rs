//! The board of the flat view: drawn squares as in a printed book, on a dark ground or on
//! white paper.

use super::{
    CurrentBoard,
    coordinates::{Coordinates, LetterMaterials},
};
use crate::{
    app::scene::{
        look::{
            MeshBuilder, SolidOnly, TableMaterial, files::AwaitedFiles, mesh_builder::rectangle,
            palette::printed, warm_up,
        },
        prelude::*,
    },
    session::{
        BoardGrid, SquareKind,
        shapes::{INK, LINE, MARK_OPACITY, SQUARE, WHITE, square_color, square_mark},
    },
};

/// Shown in the flat view only.
#[derive(Component)]
struct FlatOnly;

/// Half the width of the paper: it covers the whole table.
const PAPER_REACH: f32 = 60.0;
/// Width of the line round the squares, in squares.
const BORDER: f32 = 0.06;

/// The materials of the ground and of the squares on it, which tint them.
#[derive(Resource)]
struct FlatMaterials {
    ground: Handle<TableMaterial>,
    squares: Handle<TableMaterial>,
}

/// How much of their light the white ground and the squares keep where they are not on
/// paper.
const DARK_GROUND: LinearRgba = LinearRgba::rgb(0.0095, 0.0070, 0.0050);
const DIM_SQUARES: LinearRgba = LinearRgba::rgb(0.52, 0.46, 0.37);

pub(super) fn plugin(app: &mut App) {
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let mut paper = MeshBuilder::new();
    paper.polygon(&rectangle(Vec3::ZERO, Vec2::splat(PAPER_REACH)), printed(WHITE));
    let paper = meshes.add(paper.build());
    let mut materials = app.world_mut().resource_mut::<Assets<TableMaterial>>();
    let [ground, squares] = [(), ()].map(|()| materials.add(TableMaterial::default()));
    warm_up(app, paper.clone(), ground.clone());
    app.world_mut().spawn((
        FlatOnly,
        Name::new("Paper"),
        Mesh3d(paper),
        MeshMaterial3d(ground.clone()),
        Transform::from_xyz(0.0, TABLE_Y - 0.002, 0.0),
        Visibility::Hidden,
        Pickable::IGNORE,
    ));
    app.insert_resource(FlatMaterials { ground, squares }).add_systems(
        Update,
        (
            show_flat_board.run_if(
                resource_changed::<FlatView>
                    .or_else(resource_changed::<CurrentBoard>)
                    .or_else(resource_changed::<Settings>)
                    .or_else(resource_changed::<AwaitedFiles>),
            ),
            draw_squares
                .run_if(resource_changed::<FlatView>.or_else(resource_changed::<CurrentBoard>)),
        )
            .in_set(SceneSet::Surfaces),
    );
}

/// Shows letters and ground in the flat view, else the board, its frame and the room.
fn show_flat_board(
    (flat, settings): (Res<FlatView>, Res<Settings>),
    board: Res<CurrentBoard>,
    (drawing, mut materials): (Res<FlatMaterials>, ResMut<Assets<TableMaterial>>),
    letters: Res<LetterMaterials>,
    mut coordinates: Query<&mut MeshMaterial3d<TableMaterial>, With<Coordinates>>,
    mut solid: Query<&mut Visibility, With<SolidOnly>>,
    mut drawn: Query<&mut Visibility, (With<FlatOnly>, Without<SolidOnly>)>,
) {
    let on_paper = settings.paper;
    if let Some(rules) = board.0 {
        for mut material in &mut coordinates {
            let shown = if flat.0 { letters.drawn(on_paper) } else { letters.of(rules.game()) };
            material.set_if_neq(MeshMaterial3d(shown));
        }
    }
    for (handle, dark) in [(&drawing.ground, DARK_GROUND), (&drawing.squares, DIM_SQUARES)] {
        let color = if on_paper { LinearRgba::WHITE } else { dark };
        if materials.get(handle).is_some_and(|material| material.color != color)
            && let Some(mut material) = materials.get_mut(handle)
        {
            material.color = color;
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

/// The squares of the flat view, and the line round them.
#[derive(Component)]
struct DrawnSquares;

/// Spawns the drawn squares of the board, and despawns them with the flat view.
fn draw_squares(
    mut commands: Commands,
    flat: Res<FlatView>,
    board: Res<CurrentBoard>,
    layout: Res<BoardLayout>,
    drawing: Res<FlatMaterials>,
    mut meshes: ResMut<Assets<Mesh>>,
    old: Query<Entity, With<DrawnSquares>>,
) {
    for entity in &old {
        commands.entity(entity).despawn();
    }
    let Some(rules) = board.0.filter(|_| flat.0) else { return };
    let mut mesh = MeshBuilder::new();
    let border = rectangle(Vec3::Y * -0.01, layout.half_size() + BORDER);
    mesh.polygon(&border, printed(INK));
    for (square, kind) in BoardGrid::new(rules).squares {
        add_square(&mut mesh, layout.square_centre(square), kind);
    }
    commands.spawn((
        DrawnSquares,
        Name::new("Drawn squares"),
        Mesh3d(meshes.add(mesh.build())),
        MeshMaterial3d(drawing.squares.clone()),
        Pickable::IGNORE,
    ));
}

/// Adds a drawn square with its mark and the line round it.
fn add_square(mesh: &mut MeshBuilder, centre: Vec3, kind: SquareKind) {
    let ground = printed(square_color(kind));
    mesh.polygon(&rectangle(centre, Vec2::splat(0.5)), printed(INK));
    let inner = 0.5 - LINE / SQUARE / 3.0;
    mesh.polygon(&rectangle(centre + Vec3::Y * 0.002, Vec2::splat(inner)), ground);
    // Opaque: the mark's colour over the square's.
    let faint = ground.mix(&printed(INK), MARK_OPACITY);
    for line in square_mark(kind) {
        for pair in line.windows(2) {
            let [from, to] = [pair[0], pair[1]]
                .map(|(x, z)| centre + Vec3::new(x / SQUARE - 0.5, 0.004, z / SQUARE - 0.5));
            let side = (to - from).cross(Vec3::Y).normalize_or(Vec3::Z) * (0.6 * LINE / SQUARE);
            mesh.polygon(&[from + side, to + side, to - side, from - side], faint);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn every_kind_of_square_is_drawn_apart_from_the_others() {
        let drawn = |kind: SquareKind| (square_color(kind), square_mark(kind));
        for (index, kind) in KINDS.into_iter().enumerate() {
            for other in &KINDS[index + 1..] {
                assert!(drawn(kind) != drawn(*other), "{kind:?} {other:?}");
            }
            let mut mesh = MeshBuilder::new();
            add_square(&mut mesh, Vec3::ZERO, kind);
            let mesh = mesh.build();
            let normals = mesh.attribute(Mesh::ATTRIBUTE_NORMAL);
            let normals = normals.and_then(|normals| normals.as_float3()).unwrap_or_default();
            assert!(normals.iter().all(|normal| normal[1] > 0.99), "{kind:?} is seen from above");
        }
    }
}
