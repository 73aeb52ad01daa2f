//! What figures look like: turned on a lathe, or built of blocks.
//!
//! Sides differ in outline as well as colour: a Swede has a round head, a
//! Muscovite a brimmed, pointed hat, the king a crown; a southern runner ends
//! in a bud, a northern one in a cup.

use bevy::prelude::*;

use super::contact::Contact;
use crate::{
    app::{
        animation::Directing,
        look::{
            Solid,
            palette::{self, Scheme},
            solid::Run,
        },
        settings::{Palette, Settings},
    },
    table::Figure,
};

const SEGMENTS: usize = 32;

/// Meshes and materials of all figures.
#[derive(Resource)]
pub(crate) struct Shapes {
    king: Handle<Mesh>,
    swede: Handle<Mesh>,
    muscovite: Handle<Mesh>,
    runners: [Handle<Mesh>; 2],
    stone: Handle<Mesh>,
    pavilions: [Handle<Mesh>; 2],
    lacquer: Handle<StandardMaterial>,
    polish: Handle<StandardMaterial>,
    plaster: Handle<StandardMaterial>,
    /// The darkness under each figure.
    pub(super) contact: Contact,
}

pub(super) fn plugin(app: &mut App) {
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let [king, swede, muscovite, stone] =
        [king(), swede(), muscovite(), stone()].map(|mesh| meshes.add(mesh));
    let [south, north, red, green] =
        coloured(&Scheme::of(Palette::default())).map(|mesh| meshes.add(mesh));
    let contact = Contact::new(app.world_mut());
    let mut materials = app.world_mut().resource_mut::<Assets<StandardMaterial>>();
    let mut finish = |roughness: f32, reflectance: f32| {
        materials.add(StandardMaterial {
            perceptual_roughness: roughness,
            reflectance,
            ..default()
        })
    };
    let shapes = Shapes {
        king,
        swede,
        muscovite,
        runners: [south, north],
        stone,
        pavilions: [red, green],
        lacquer: finish(0.30, 0.55),
        polish: finish(0.16, 0.7),
        plaster: finish(0.75, 0.3),
        contact,
    };
    app.insert_resource(shapes).add_systems(
        Update,
        repaint.in_set(Directing::Board).run_if(resource_exists_and_changed::<Settings>),
    );
}

/// The figures whose colours can be chosen: South's and North's runner, Red's
/// and Green's pavilion.
fn coloured(scheme: &Scheme) -> [Mesh; 4] {
    [
        south(scheme.runners[0]),
        north(scheme.runners[1]),
        pavilion(scheme.bases[0]),
        pavilion(scheme.bases[1]),
    ]
}

/// Gives the figures the colours of the palette a person likes.
fn repaint(
    settings: Res<Settings>,
    shapes: Res<Shapes>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut painted: Local<Palette>,
) {
    if std::mem::replace(&mut *painted, settings.palette) == settings.palette {
        return;
    }
    let handles = shapes.runners.iter().chain(&shapes.pavilions);
    for (handle, mesh) in handles.zip(coloured(&Scheme::of(settings.palette))) {
        if let Some(mut old) = meshes.get_mut(handle) {
            *old = mesh;
        }
    }
}

impl Shapes {
    /// The mesh of a figure.
    pub(crate) fn mesh(&self, figure: Figure) -> Handle<Mesh> {
        match figure {
            Figure::King => &self.king,
            Figure::Soldier { white: true } => &self.swede,
            Figure::Soldier { white: false } => &self.muscovite,
            Figure::Runner(side) => &self.runners[side.index()],
            Figure::Stone(_) => &self.stone,
            Figure::Pavilion(side) => &self.pavilions[side.index()],
        }
        .clone()
    }

    /// The material of a figure.
    pub(crate) fn material(&self, figure: Figure) -> Handle<StandardMaterial> {
        match figure {
            Figure::King | Figure::Soldier { .. } | Figure::Runner(_) => &self.lacquer,
            Figure::Stone(_) => &self.polish,
            Figure::Pavilion(_) => &self.plaster,
        }
        .clone()
    }
}

fn king() -> Mesh {
    let ivory = palette::IVORY;
    let gold = palette::GOLD;
    let mut solid = Solid::new();
    solid.turned(
        SEGMENTS,
        &[
            Run(&[(0.34, 0.0), (0.365, 0.04), (0.355, 0.09), (0.32, 0.12)], ivory),
            Run(&[(0.32, 0.12), (0.325, 0.14), (0.31, 0.16)], gold),
            Run(&[(0.31, 0.16), (0.215, 0.25), (0.155, 0.42), (0.145, 0.57)], ivory),
            Run(&[(0.145, 0.57), (0.225, 0.595), (0.23, 0.62), (0.15, 0.65)], gold),
            Run(&[(0.15, 0.65), (0.175, 0.74), (0.215, 0.82)], ivory),
            Run(&[(0.215, 0.82), (0.24, 0.825), (0.243, 0.855), (0.232, 0.865)], gold),
            Run(&[(0.232, 0.865), (0.165, 0.865)], gold),
            Run(&[(0.165, 0.865), (0.15, 0.94), (0.10, 0.99), (0.03, 1.005)], palette::CRIMSON),
            Run(&[(0.03, 1.005), (0.05, 1.02), (0.055, 1.05), (0.035, 1.08), (0.0, 1.085)], gold),
        ],
    );
    crown(&mut solid, 0.236, 0.86, 0.125, 8, gold);
    solid.build()
}

/// A ring of points that lean outwards, seen from both sides.
fn crown(solid: &mut Solid, radius: f32, foot: f32, high: f32, points: usize, colour: Color) {
    let step = std::f32::consts::TAU / points as f32;
    let at = |turn: f32, r: f32, y: f32| {
        let (sin, cos) = turn.sin_cos();
        Vec3::new(cos * r, y, sin * r)
    };
    for point in 0..points {
        let turn = point as f32 * step;
        let left = at(turn + step * 0.5, radius, foot);
        let right = at(turn - step * 0.5, radius, foot);
        let low = at(turn, radius * 1.03, foot);
        let tip = at(turn, radius * 1.17, foot + high);
        let valley_left = at(turn + step * 0.5, radius * 1.03, foot + high * 0.32);
        let valley_right = at(turn - step * 0.5, radius * 1.03, foot + high * 0.32);
        let inwards = 0.93;
        let deep = |v: Vec3| Vec3::new(v.x * inwards, v.y, v.z * inwards);
        solid.polygon(&[left, low, tip, valley_left], colour);
        solid.polygon(&[low, right, valley_right, tip], colour);
        let (l, m, r) = (deep(left), deep(low), deep(right));
        solid.polygon(&[m, l, valley_left, tip], colour);
        solid.polygon(&[r, m, tip, valley_right], colour);
    }
}

fn swede() -> Mesh {
    let ivory = palette::IVORY;
    let mut solid = Solid::new();
    solid.turned(
        SEGMENTS,
        &[
            Run(&[(0.285, 0.0), (0.305, 0.035), (0.295, 0.075), (0.265, 0.10)], ivory),
            Run(&[(0.265, 0.10), (0.185, 0.17), (0.13, 0.28), (0.115, 0.38)], ivory),
            Run(&[(0.115, 0.38), (0.175, 0.395), (0.175, 0.415), (0.11, 0.43)], palette::GOLD),
            Run(
                &[
                    (0.11, 0.43),
                    (0.145, 0.48),
                    (0.165, 0.55),
                    (0.14, 0.63),
                    (0.075, 0.685),
                    (0.0, 0.70),
                ],
                ivory,
            ),
        ],
    );
    solid.build()
}

fn muscovite() -> Mesh {
    let ebony = palette::EBONY;
    let mut solid = Solid::new();
    solid.turned(
        SEGMENTS,
        &[
            Run(&[(0.285, 0.0), (0.30, 0.02)], ebony),
            Run(&[(0.30, 0.02), (0.30, 0.09)], palette::COPPER),
            Run(&[(0.30, 0.09), (0.27, 0.115)], ebony),
            Run(&[(0.27, 0.115), (0.245, 0.22), (0.19, 0.36), (0.16, 0.43)], ebony),
            Run(&[(0.16, 0.43), (0.215, 0.45), (0.22, 0.465)], ebony),
            Run(&[(0.22, 0.465), (0.215, 0.485), (0.185, 0.495)], palette::COPPER),
            Run(&[(0.185, 0.495), (0.15, 0.56), (0.075, 0.65), (0.0, 0.72)], ebony),
        ],
    );
    solid.build()
}

fn south(clay: Color) -> Mesh {
    let cream = palette::IVORY;
    let mut solid = Solid::new();
    solid.turned(
        SEGMENTS,
        &[
            Run(&[(0.27, 0.0), (0.295, 0.03), (0.29, 0.07), (0.255, 0.095)], clay),
            Run(&[(0.255, 0.095), (0.165, 0.17), (0.115, 0.29)], clay),
            Run(&[(0.115, 0.29), (0.15, 0.305), (0.115, 0.325)], cream),
            Run(
                &[
                    (0.115, 0.325),
                    (0.175, 0.385),
                    (0.215, 0.455),
                    (0.19, 0.54),
                    (0.09, 0.62),
                    (0.0, 0.68),
                ],
                clay,
            ),
        ],
    );
    solid.build()
}

fn north(blue: Color) -> Mesh {
    let cream = palette::IVORY;
    let mut solid = Solid::new();
    solid.turned(
        SEGMENTS,
        &[
            Run(&[(0.27, 0.0), (0.295, 0.03), (0.29, 0.07), (0.255, 0.095)], blue),
            Run(&[(0.255, 0.095), (0.15, 0.19), (0.115, 0.30)], blue),
            Run(&[(0.115, 0.30), (0.14, 0.315), (0.115, 0.33)], cream),
            Run(&[(0.115, 0.33), (0.15, 0.41), (0.215, 0.50), (0.245, 0.58)], blue),
            Run(&[(0.245, 0.58), (0.24, 0.605), (0.205, 0.605)], cream),
            Run(&[(0.205, 0.605), (0.16, 0.545), (0.0, 0.50)], blue),
            Run(&[(0.0, 0.50), (0.07, 0.53), (0.08, 0.58), (0.05, 0.625), (0.0, 0.64)], cream),
        ],
    );
    solid.build()
}

fn stone() -> Mesh {
    let profile: Vec<(f32, f32)> = (0..=12)
        .map(|i| {
            let turn = std::f32::consts::PI * (i as f32 / 12.0 - 0.5);
            (0.37 * turn.cos().max(0.0), 0.115 + 0.115 * turn.sin())
        })
        .collect();
    let mut solid = Solid::new();
    solid.turned(48, &[Run(&profile, palette::BASALT)]);
    solid.build()
}

/// A small open hall: a plinth in its raiser's colour, steps, four columns
/// round a white core, and a hipped roof.
fn pavilion(base: Color) -> Mesh {
    let lime = palette::LIME;
    let mut solid = Solid::new();
    let block = |solid: &mut Solid, half: f32, low: f32, high: f32, colour: Color| {
        solid.slab(
            Vec3::new(-half, low, -half),
            Vec3::new(half, high, half),
            0.012,
            |at| Vec2::new(at.x, at.z),
            colour,
        );
    };
    block(&mut solid, 0.41, 0.0, 0.06, base);
    block(&mut solid, 0.33, 0.06, 0.10, lime);
    block(&mut solid, 0.14, 0.10, 0.36, lime);
    for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        solid.turned_at(
            Vec3::new(x * 0.235, 0.10, z * 0.235),
            14,
            &[
                Run(&[(0.06, 0.0), (0.06, 0.03)], lime),
                Run(&[(0.06, 0.03), (0.045, 0.03)], lime),
                Run(&[(0.045, 0.03), (0.038, 0.23)], lime),
                Run(&[(0.038, 0.23), (0.06, 0.26)], lime),
            ],
        );
    }
    block(&mut solid, 0.30, 0.35, 0.39, lime);
    hipped_roof(&mut solid, 0.35, 0.39, 0.58, palette::SLATE);
    solid.turned_at(
        Vec3::new(0.0, 0.56, 0.0),
        14,
        &[Run(&[(0.03, 0.0), (0.045, 0.03), (0.03, 0.07), (0.0, 0.09)], base)],
    );
    solid.build()
}

/// Four sides that curve up to a point, over a thin eave.
fn hipped_roof(solid: &mut Solid, half: f32, low: f32, high: f32, colour: Color) {
    solid.slab(
        Vec3::new(-half, low, -half),
        Vec3::new(half, low + 0.025, half),
        0.0,
        |at| Vec2::new(at.x, at.z),
        colour,
    );
    let steps = 5;
    let level = |i: usize| {
        let t = i as f32 / steps as f32;
        (half * (1.0 - t).powf(1.35), low + 0.025 + (high - low - 0.025) * t)
    };
    let corner = |i: usize, (half, y): (f32, f32)| {
        let (x, z) = [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)][i % 4];
        Vec3::new(x * half, y, z * half)
    };
    for step in 0..steps {
        for side in 0..4 {
            solid.polygon(
                &[
                    corner(side, level(step)),
                    corner(side + 1, level(step)),
                    corner(side + 1, level(step + 1)),
                    corner(side, level(step + 1)),
                ],
                colour,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Side;

    /// How far over the board a figure's top is.
    const fn height(figure: Figure) -> f32 {
        match figure {
            Figure::King => 1.08,
            Figure::Soldier { .. } => 0.70,
            Figure::Runner(_) => 0.66,
            Figure::Stone(_) => 0.22,
            Figure::Pavilion(_) => 0.64,
        }
    }

    #[test]
    fn figures_are_as_high_as_said_and_fit_their_square() {
        let scheme = Scheme::of(Palette::Clear);
        for (mesh, figure) in [
            (king(), Figure::King),
            (swede(), Figure::Soldier { white: true }),
            (muscovite(), Figure::Soldier { white: false }),
            (south(scheme.runners[0]), Figure::Runner(Side::First)),
            (north(scheme.runners[1]), Figure::Runner(Side::Second)),
            (stone(), Figure::Stone(Side::First)),
            (pavilion(scheme.bases[0]), Figure::Pavilion(Side::First)),
        ] {
            let Some(positions) =
                mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|it| it.as_float3())
            else {
                panic!("{figure:?} has no vertices");
            };
            let top = positions.iter().map(|at| at[1]).fold(0.0, f32::max);
            let wide = positions.iter().map(|at| at[0].abs().max(at[2].abs())).fold(0.0, f32::max);
            assert!((top - height(figure)).abs() < 0.08, "{figure:?} is {top} high");
            assert!(wide < 0.42, "{figure:?} is {wide} wide");
        }
    }
}
