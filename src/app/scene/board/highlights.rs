//! What is marked on squares: drawn shapes a little above the wood.
//!
//! Each kind of mark has its own shape, so that none is told by colour alone:
//! a thin rim or small corners can be touched, a bold rim is under the pointer, a filled rim
//! is chosen, a dot or ring can be reached, corners bracket the last move,
//! four inward triangles warn, a broad ring or an arrow advises, a thin arrow
//! shows what could come, and bold corners are the keyboard's cursor.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use bevy::{light::NotShadowCaster, prelude::*};

use crate::{
    app::scene::{
        animation::SceneSet,
        api::{Arrow, Highlights, OnSquare, Piece},
        layout::Layout,
        look::{MeshBuilder, palette, warm_up},
    },
    games::Square,
};

/// A kind of mark, one mesh each. The order is the height over the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mark {
    Last,
    Touchable,
    TouchableFree,
    ReachableFree,
    ReachableTaken,
    Noted,
    Third,
    Second,
    Advised,
    Chosen,
    Hovered,
    Cursor,
}

impl Mark {
    const ALL: [Self; 12] = [
        Self::Last,
        Self::Touchable,
        Self::TouchableFree,
        Self::ReachableFree,
        Self::ReachableTaken,
        Self::Noted,
        Self::Third,
        Self::Second,
        Self::Advised,
        Self::Chosen,
        Self::Hovered,
        Self::Cursor,
    ];

    /// Over inlays, and each kind over the one before.
    const fn height(self) -> f32 {
        0.009 + 0.0015 * self as usize as f32
    }

    fn mesh(self) -> Mesh {
        let mut solid = MeshBuilder::new();
        let o = Vec3::ZERO;
        match self {
            Self::Last => {
                solid.polygon(&square(0.47), palette::MARK_LAST);
                // Dark enough round it for light squares.
                brackets(&mut solid, 0.495, 0.245, 0.11, palette::MARK_SHADE);
                brackets(&mut solid, 0.465, 0.185, 0.05, palette::MARK_LAST_EDGE);
            }
            Self::Touchable => {
                shaded_rim(&mut solid, 0.465, 0.03, palette::MARK_TOUCHABLE);
            }
            Self::TouchableFree => {
                // Light on dark squares, dark on light ones.
                brackets(&mut solid, 0.455, 0.21, 0.10, palette::MARK_SHADE);
                brackets(&mut solid, 0.42, 0.155, 0.045, palette::MARK_TOUCHABLE);
            }
            Self::ReachableFree => {
                solid.annulus(o, 0.0, 0.15, 32, palette::MARK_REACHABLE);
                solid.annulus(o, 0.15, 0.185, 32, palette::MARK_REACHABLE_EDGE);
            }
            Self::ReachableTaken => {
                solid.annulus(o, 0.385, 0.455, 48, palette::MARK_REACHABLE);
                solid.annulus(o, 0.455, 0.48, 48, palette::MARK_REACHABLE_EDGE);
                solid.annulus(o, 0.36, 0.385, 48, palette::MARK_REACHABLE_EDGE);
            }
            Self::Noted => {
                for turn in 0..4 {
                    let rotate = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2 * turn as f32);
                    for (triangle, colour) in [
                        ([(-0.24, 0.498), (0.24, 0.498), (0.0, 0.28)], palette::MARK_SHADE),
                        (
                            [(-0.21, 0.485), (0.21, 0.485), (0.0, 0.30)],
                            palette::MARK_REACHABLE_EDGE,
                        ),
                        ([(-0.16, 0.47), (0.16, 0.47), (0.0, 0.33)], palette::MARK_NOTED),
                    ] {
                        let triangle = triangle.map(|(x, z)| rotate * Vec3::new(x, 0.0, z));
                        solid.polygon(&triangle, colour);
                    }
                }
            }
            Self::Chosen => {
                solid.polygon(&square(0.47), palette::MARK_CHOSEN.with_alpha(0.30));
                shaded_rim(&mut solid, 0.475, 0.075, palette::MARK_CHOSEN);
            }
            Self::Hovered => {
                shaded_rim(&mut solid, 0.475, 0.055, palette::MARK_HOVERED);
            }
            Self::Advised => {
                solid.annulus(o, 0.27, 0.40, 48, palette::MARK_ADVICE);
                solid.annulus(o, 0.40, 0.43, 48, palette::MARK_REACHABLE_EDGE);
                solid.annulus(o, 0.24, 0.27, 48, palette::MARK_REACHABLE_EDGE);
                solid.annulus(o, 0.43, 0.43 + SHADE, 48, palette::MARK_SHADE);
                solid.annulus(o, 0.24 - SHADE, 0.24, 48, palette::MARK_SHADE);
            }
            // Thinner and paler than the best.
            Self::Second | Self::Third => {
                let (wide, alpha) = if self == Self::Second { (0.07, 0.75) } else { (0.04, 0.5) };
                let colour = palette::MARK_ADVICE.with_alpha(alpha);
                solid.annulus(o, 0.38 - wide, 0.38, 48, colour);
                let edge = palette::MARK_REACHABLE_EDGE.with_alpha(alpha);
                solid.annulus(o, 0.38, 0.40, 48, edge);
                solid.annulus(o, 0.40, 0.40 + SHADE, 48, palette::MARK_SHADE);
            }
            Self::Cursor => {
                shaded_brackets(&mut solid, 0.50, 0.24, 0.085, palette::MARK_CURSOR_EDGE);
                brackets(&mut solid, 0.485, 0.21, 0.055, palette::MARK_CURSOR);
            }
        }
        solid.build()
    }
}

fn square(half: f32) -> [Vec3; 4] {
    [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]
        .map(|(x, z)| Vec3::new(x * half, 0.0, z * half))
}

/// How wide the dark line round a light mark is.
const SHADE: f32 = 0.014;

/// A rim with a dark line on both sides.
fn shaded_rim(solid: &mut MeshBuilder, half: f32, wide: f32, colour: Color) {
    solid.rim(Vec3::ZERO, half + SHADE, wide + 2.0 * SHADE, palette::MARK_SHADE);
    solid.rim(Vec3::ZERO, half, wide, colour);
}

/// Four corner pieces with a dark line round them.
fn shaded_brackets(solid: &mut MeshBuilder, half: f32, long: f32, wide: f32, colour: Color) {
    let (more, round) = (2.0 * SHADE, palette::MARK_SHADE);
    brackets(solid, half + SHADE, long + more, wide + more, round);
    brackets(solid, half, long, wide, colour);
}

/// Four corner pieces of a rim.
fn brackets(solid: &mut MeshBuilder, half: f32, long: f32, wide: f32, colour: Color) {
    for turn in 0..4 {
        let rotate = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2 * turn as f32);
        for (min, max) in [
            (Vec2::new(-half, half - wide), Vec2::new(-half + long, half)),
            (Vec2::new(-half, half - long), Vec2::new(-half + wide, half - wide)),
        ] {
            let bar = [(min.x, max.y), (max.x, max.y), (max.x, min.y), (min.x, min.y)]
                .map(|(x, z)| rotate * Vec3::new(x, 0.0, z));
            solid.polygon(&bar, colour);
        }
    }
}

/// How high arrows lie, over every mark.
const ARROW_Y: f32 = 0.03;
/// How much higher a better move's lies than the next one's.
const OVER: f32 = 0.003;

/// How high an arrow lies: the best move over those after it.
fn height(arrow: Arrow) -> f32 {
    let after = match arrow {
        Arrow::Analysis(..) => 0,
        Arrow::Lesser(_, _, rank) => rank.min(3),
        Arrow::Way(..) => 4,
    };
    ARROW_Y + OVER * f32::from(4 - after)
}

/// An arrow along the board from the middle of one square to another's; it
/// begins and ends short of both, so that what stands there is seen.
fn arrow(from: Vec3, to: Vec3, arrow: Arrow) -> Mesh {
    let (wide, colour, edge) = match arrow {
        Arrow::Analysis(..) => (0.085, palette::MARK_ADVICE, palette::MARK_REACHABLE_EDGE),
        Arrow::Lesser(_, _, rank) => {
            let (wide, alpha) = if rank < 2 { (0.06, 0.8) } else { (0.045, 0.65) };
            let edge = palette::MARK_REACHABLE_EDGE.with_alpha(alpha);
            (wide, palette::MARK_ADVICE.with_alpha(alpha), edge)
        }
        Arrow::Way(..) => (0.04, palette::MARK_NOTED, palette::MARK_REACHABLE_EDGE),
    };
    let way = to - from;
    let along = way.normalize_or(Vec3::X);
    let across = along.cross(Vec3::Y);
    let head = 5.0 * wide;
    let length = way.length();
    let begin = 0.18_f32.min(length / 4.0);
    let tip = length - 0.06;
    let neck = (tip - head).max(begin);
    let at = |forth: f32, aside: f32, up: f32| along * forth + across * aside + Vec3::Y * up;
    let mut solid = MeshBuilder::new();
    for (more, up, colour) in [(0.025, 0.0, edge), (0.0, 0.002, colour)] {
        let half = wide + more;
        let shaft = [
            at(begin - more, half, up),
            at(neck, half, up),
            at(neck, -half, up),
            at(begin - more, -half, up),
        ];
        solid.polygon(&shaft, colour);
        let wing = head * 0.6 + 1.6 * more;
        let point =
            [at(neck - more, wing, up), at(tip + 2.0 * more, 0.0, up), at(neck - more, -wing, up)];
        solid.polygon(&point, colour);
    }
    solid.build()
}

/// The meshes and the one material of all marks.
#[derive(Resource)]
struct Chalk {
    meshes: HashMap<Mark, Handle<Mesh>>,
    material: Handle<StandardMaterial>,
}

/// The marks that are drawn now.
#[derive(Resource, Default)]
struct Drawn {
    marks: HashMap<(Square, Mark), Entity>,
    arrows: HashMap<Arrow, Entity>,
}

pub(super) fn plugin(app: &mut App) {
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let meshes = Mark::ALL.into_iter().map(|mark| (mark, meshes.add(mark.mesh()))).collect();
    let material = app
        .world_mut()
        .resource_mut::<Assets<StandardMaterial>>()
        .add(StandardMaterial { alpha_mode: AlphaMode::Blend, unlit: true, ..default() });
    let meshes: HashMap<Mark, Handle<Mesh>> = meshes;
    for mesh in meshes.values() {
        warm_up(app, mesh.clone(), material.clone());
    }
    app.insert_resource(Chalk { meshes, material })
        .init_resource::<Drawn>()
        .add_systems(Update, draw.in_set(SceneSet::Highlights));
}

/// What should be drawn, from the marks and what stands where.
fn wanted(marks: &Highlights, taken: &HashSet<Square>) -> HashSet<(Square, Mark)> {
    let mut wanted = HashSet::new();
    wanted.extend(marks.last.iter().map(|&at| (at, Mark::Last)));
    wanted.extend(marks.noted.iter().map(|&at| (at, Mark::Noted)));
    wanted.extend(marks.advised.iter().map(|&at| (at, Mark::Advised)));
    wanted.extend(
        marks
            .lesser
            .iter()
            .map(|&(at, rank)| (at, if rank < 2 { Mark::Second } else { Mark::Third })),
    );
    wanted.extend(marks.cursor.map(|at| (at, Mark::Cursor)));
    wanted.extend(marks.chosen.iter().map(|&at| (at, Mark::Chosen)));
    for &at in marks.touchable.difference(&marks.reachable) {
        let mark = if taken.contains(&at) { Mark::Touchable } else { Mark::TouchableFree };
        wanted.insert((at, mark));
    }
    for &at in &marks.reachable {
        let mark = if taken.contains(&at) { Mark::ReachableTaken } else { Mark::ReachableFree };
        wanted.insert((at, mark));
    }
    // The pointer is answered only where a touch would do something.
    let answers = |at: &Square| {
        marks.touchable.contains(at) || marks.reachable.contains(at) || marks.chosen.contains(at)
    };
    wanted.extend(marks.hovered.filter(answers).map(|at| (at, Mark::Hovered)));
    wanted
}

fn draw(
    mut commands: Commands,
    marks: Res<Highlights>,
    layout: Res<Layout>,
    chalk: Res<Chalk>,
    mut meshes: ResMut<Assets<Mesh>>,
    figures: Query<&OnSquare, With<Piece>>,
    moved: Query<(), (Changed<OnSquare>, With<Piece>)>,
    mut gone: RemovedComponents<Piece>,
    mut drawn: ResMut<Drawn>,
) {
    let changed =
        marks.is_changed() || layout.is_changed() || !moved.is_empty() || gone.read().count() > 0;
    if !changed {
        return;
    }
    let drawn = &mut *drawn;
    if layout.is_changed() {
        let arrows = drawn.arrows.drain().map(|it| it.1);
        for entity in drawn.marks.drain().map(|it| it.1).chain(arrows) {
            commands.entity(entity).despawn();
        }
    }
    draw_arrows(&mut commands, &marks, &layout, &chalk, &mut meshes, &mut drawn.arrows);
    let taken = figures.iter().map(|spot| spot.0).collect();
    let wanted = wanted(&marks, &taken);
    drawn.marks.retain(|key, entity| {
        let keep = wanted.contains(key);
        if !keep {
            commands.entity(*entity).despawn();
        }
        keep
    });
    for (square, mark) in wanted {
        let Some(mesh) = chalk.meshes.get(&mark) else { continue };
        drawn.marks.entry((square, mark)).or_insert_with(|| {
            commands
                .spawn((
                    Name::new(format!("{mark:?} {square}")),
                    Mesh3d(mesh.clone()),
                    MeshMaterial3d(chalk.material.clone()),
                    Transform::from_translation(layout.place(square) + Vec3::Y * mark.height()),
                    Pickable::IGNORE,
                    NotShadowCaster,
                ))
                .id()
        });
    }
}

fn draw_arrows(
    commands: &mut Commands,
    marks: &Highlights,
    layout: &Layout,
    chalk: &Chalk,
    meshes: &mut Assets<Mesh>,
    drawn: &mut HashMap<Arrow, Entity>,
) {
    drawn.retain(|arrow, entity| {
        let keep = marks.arrows.contains(arrow);
        if !keep {
            commands.entity(*entity).despawn();
        }
        keep
    });
    for &wanted in &marks.arrows {
        drawn.entry(wanted).or_insert_with(|| {
            let (Arrow::Analysis(from, to) | Arrow::Way(from, to) | Arrow::Lesser(from, to, _)) =
                wanted;
            let (from, to) = (layout.place(from), layout.place(to));
            commands
                .spawn((
                    Name::new(format!("{wanted:?}")),
                    Mesh3d(meshes.add(arrow(from, to, wanted))),
                    MeshMaterial3d(chalk.material.clone()),
                    Transform::from_translation(from + Vec3::Y * height(wanted)),
                    Pickable::IGNORE,
                    NotShadowCaster,
                ))
                .id()
        });
    }
}
