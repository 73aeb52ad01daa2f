//! The way Tablan's pieces go, as arrows over the board, for who asks.
//!
//! Both sides travel each row the same way: those arrows are common. From row
//! to row they turn in opposite order, each in its own colour.

use bevy::{light::NotShadowCaster, prelude::*};

use super::Standing;
use crate::{
    app::{
        core::actions::{Action, ViewAction},
        scene::{
            animation::SceneSet,
            api::CourseShown,
            layout::Layout,
            look::{
                MeshBuilder,
                palette::{self, Scheme},
            },
        },
        settings::Settings,
    },
    games::{RuleSet, Side, Square, tablan},
};

/// Over marks, under arrows of advice.
const OVER: f32 = 0.026;

/// What shows the course.
#[derive(Component)]
struct CourseArrows;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CourseShown>()
        .add_systems(Update, (listen, draw).chain().in_set(SceneSet::Highlights));
}

fn listen(mut acts: MessageReader<Action>, mut shown: ResMut<CourseShown>) {
    for act in acts.read() {
        if matches!(act, Action::View(ViewAction::ToggleCourse)) {
            shown.0 = !shown.0;
        }
    }
}

fn draw(
    mut commands: Commands,
    shown: Res<CourseShown>,
    standing: Res<Standing>,
    layout: Res<Layout>,
    settings: Res<Settings>,
    old: Query<Entity, With<CourseArrows>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut ink: Local<Option<Handle<StandardMaterial>>>,
) {
    if !(shown.is_changed() || standing.is_changed() || settings.is_changed()) {
        return;
    }
    for entity in &old {
        commands.entity(entity).despawn();
    }
    if !shown.0 || !standing.0.is_some_and(RuleSet::has_sticks) {
        return;
    }
    let ink = ink.get_or_insert_with(|| {
        materials.add(StandardMaterial { alpha_mode: AlphaMode::Blend, unlit: true, ..default() })
    });
    commands.spawn((
        CourseArrows,
        Name::new("Course"),
        Mesh3d(meshes.add(arrows(&layout, &Scheme::of(settings.palette)))),
        MeshMaterial3d(ink.clone()),
        Transform::from_translation(Vec3::Y * OVER),
        Pickable::IGNORE,
        NotShadowCaster,
    ));
}

fn arrows(layout: &Layout, scheme: &Scheme) -> Mesh {
    let mut solid = MeshBuilder::new();
    let place = |square: Square| layout.place(square);
    for side in Side::BOTH {
        let course = tablan::course(side);
        for pair in course.windows(2) {
            let (from, to) = (place(pair[0]), place(pair[1]));
            if pair[0].rank != pair[1].rank {
                let colour = scheme.runners[side.index()];
                turn(&mut solid, from, to, colour);
            } else if side == Side::First {
                let way = (to - from).normalize_or(Vec3::X);
                let middle = from.midpoint(to);
                bar(&mut solid, from, to, palette::COURSE);
                head(&mut solid, middle + way * 0.13, way, 0.24, palette::COURSE);
            }
        }
    }
    solid.build()
}

/// A straight line on the table.
fn bar(solid: &mut MeshBuilder, from: Vec3, to: Vec3, colour: Color) {
    let aside = (to - from).cross(Vec3::Y).normalize_or(Vec3::Z) * 0.026;
    solid.polygon(&[from + aside, to + aside, to - aside, from - aside], colour);
}

/// An arrow's head, its point there.
fn head(solid: &mut MeshBuilder, point: Vec3, way: Vec3, long: f32, colour: Color) {
    let aside = way.cross(Vec3::Y) * long * 0.55;
    let foot = point - way * long;
    solid.polygon(&[foot + aside, point, foot - aside], colour);
}

/// A turn into the next row, bent outwards over the board's end.
fn turn(solid: &mut MeshBuilder, from: Vec3, to: Vec3, colour: Color) {
    let out = Vec3::X * from.x.signum() * 0.36;
    let curve = |t: f32| from.lerp(to, t) + out * (4.0 * t * (1.0 - t));
    let (steps, up) = (12, Vec3::Y * 0.002);
    for step in 0..steps - 2 {
        let at = |n: usize| curve(n as f32 / steps as f32) + up;
        let (a, b) = (at(step), at(step + 1));
        let aside = |a: Vec3, b: Vec3| (b - a).cross(Vec3::Y).normalize_or(Vec3::X) * 0.042;
        let (one, other) = (aside(a, b), aside(b, at(step + 2)));
        solid.polygon(&[a + one, b + other, b - other, a - one], colour);
    }
    let tip = curve(1.0) + up;
    let way = (tip - curve(0.8)).with_y(0.0).normalize_or(Vec3::Z);
    head(solid, tip, way, 0.30, colour);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_face_upwards() {
        let layout = Layout { files: 12, ranks: 4, sticks: true };
        let mesh = arrows(&layout, &Scheme::of(crate::app::settings::options::Palette::Wood));
        let normals = mesh.attribute(Mesh::ATTRIBUTE_NORMAL).and_then(|it| it.as_float3());
        let normals = normals.unwrap_or_default();
        // Eleven steps in each of four rows, three turns of each side.
        assert_eq!(normals.len(), 4 * 11 * 7 + 6 * (10 * 4 + 3));
        assert!(normals.iter().all(|normal| normal[1] > 0.99), "seen from above");
    }
}
