//! Arrows that show the course of Tablan's pieces: on request, and in a player's first games.
//!
//! Both sides travel each row in the same direction, so those arrows are shared.
//! They take the rows in opposite order, so each turn into the next row has the
//! colour of its side.

use super::CurrentBoard;
use crate::{
    app::scene::{
        look::{
            MeshBuilder, TableMaterial,
            palette::{self, ColorScheme},
        },
        prelude::*,
    },
    games::tablan,
};

/// Height of the arrows: above highlights, below hint arrows.
const COURSE_Y: f32 = 0.026;

/// The mesh of all arrows.
#[derive(Component)]
struct CourseArrows;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CourseShown>().add_systems(
        Update,
        (
            toggle_course,
            update_course_arrows.run_if(
                resource_changed::<CourseShown>
                    .or_else(resource_changed::<Photo>)
                    .or_else(resource_changed::<CurrentBoard>)
                    .or_else(resource_changed::<Settings>),
            ),
        )
            .chain()
            .in_set(SceneSet::Highlights),
    );
}

fn toggle_course(mut actions: MessageReader<ViewAction>, mut shown: ResMut<CourseShown>) {
    for action in actions.read() {
        if *action == ViewAction::ToggleCourse {
            shown.chosen = Some(!shown.is_on());
        }
    }
}

fn update_course_arrows(
    mut commands: Commands,
    (shown, photo): (Res<CourseShown>, Res<Photo>),
    board: Res<CurrentBoard>,
    layout: Res<BoardLayout>,
    settings: Res<Settings>,
    old: Query<Entity, With<CourseArrows>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<TableMaterial>>,
    mut material: Local<Option<Handle<TableMaterial>>>,
) {
    for entity in &old {
        commands.entity(entity).despawn();
    }
    if !shown.is_on() || photo.0.is_some() || !board.0.is_some_and(RuleSet::has_sticks) {
        return;
    }
    let material = material.get_or_insert_with(|| {
        materials.add(TableMaterial { alpha_mode: AlphaMode::Blend, ..default() })
    });
    commands.spawn((
        CourseArrows,
        Name::new("Course"),
        Mesh3d(meshes.add(course_mesh(&layout, &ColorScheme::new(settings.palette)))),
        MeshMaterial3d(material.clone()),
        Transform::from_translation(Vec3::Y * COURSE_Y),
        Pickable::IGNORE,
    ));
}

/// An arrow for each step of the course.
fn course_mesh(layout: &BoardLayout, scheme: &ColorScheme) -> Mesh {
    let mut mesh = MeshBuilder::new();
    let centre = |square: Square| layout.square_centre(square);
    for side in Side::BOTH {
        let course = tablan::course(side);
        for pair in course.windows(2) {
            let (from, to) = (centre(pair[0]), centre(pair[1]));
            if pair[0].rank != pair[1].rank {
                add_turn(&mut mesh, from, to, scheme.runners[side.index()]);
            } else if side == Side::First {
                let direction = (to - from).normalize_or(Vec3::X);
                let tip = from.midpoint(to) + direction * 0.13;
                add_line(&mut mesh, from, to, palette::COURSE);
                add_arrowhead(&mut mesh, tip, direction, 0.24, palette::COURSE);
            }
        }
    }
    mesh.build()
}

/// Adds a straight line.
fn add_line(mesh: &mut MeshBuilder, from: Vec3, to: Vec3, colour: Color) {
    let side = (to - from).cross(Vec3::Y).normalize_or(Vec3::Z) * 0.026;
    mesh.polygon(&[from + side, to + side, to - side, from - side], colour);
}

/// Adds a triangle that points to `tip`.
fn add_arrowhead(mesh: &mut MeshBuilder, tip: Vec3, direction: Vec3, length: f32, colour: Color) {
    let side = direction.cross(Vec3::Y) * length * 0.55;
    let base = tip - direction * length;
    mesh.polygon(&[base + side, tip, base - side], colour);
}

/// Adds an arrow into the next row, a parabola that bulges beyond the board's
/// end.
fn add_turn(mesh: &mut MeshBuilder, from: Vec3, to: Vec3, colour: Color) {
    let bulge = Vec3::X * from.x.signum() * 0.36;
    let curve = |t: f32| from.lerp(to, t) + bulge * (4.0 * t * (1.0 - t));
    let (steps, up) = (12, Vec3::Y * 0.002);
    for step in 0..steps - 2 {
        let at = |n: usize| curve(n as f32 / steps as f32) + up;
        let (a, b) = (at(step), at(step + 1));
        let side = |a: Vec3, b: Vec3| (b - a).cross(Vec3::Y).normalize_or(Vec3::X) * 0.042;
        let (start, end) = (side(a, b), side(b, at(step + 2)));
        mesh.polygon(&[a + start, b + end, b - end, a - start], colour);
    }
    let tip = curve(1.0) + up;
    let direction = (tip - curve(0.8)).with_y(0.0).normalize_or(Vec3::Z);
    add_arrowhead(mesh, tip, direction, 0.30, colour);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::settings::options::Palette;

    #[test]
    fn course_arrows_face_upwards() {
        let layout = BoardLayout { files: 12, ranks: 4, sticks: true };
        let mesh = course_mesh(&layout, &ColorScheme::new(Palette::Wood));
        let normals =
            mesh.attribute(Mesh::ATTRIBUTE_NORMAL).and_then(|attribute| attribute.as_float3());
        let normals = normals.unwrap_or_default();
        // Eleven steps in each of four rows, three turns for each side.
        assert_eq!(normals.len(), 4 * 11 * 7 + 6 * (10 * 4 + 3));
        assert!(normals.iter().all(|normal| normal[1] > 0.99), "seen from above");
    }
}
