//! The frame round the squares and the trays for captured pieces.

use bevy::prelude::*;

use super::FRAME_BED_Y;
use crate::{
    app::scene::{
        layout::{BoardLayout, FRAME_WIDTH, TABLE_Y},
        look::{
            MeshBuilder,
            finishes::{Finish, Finishes},
            mesh_builder::{darkened, rectangle},
            palette,
            textures::SharedTextures,
        },
    },
    games::{GameKind, Side},
};

/// What a frame is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameStyle {
    /// Tablut's.
    Walnut,
    /// Tablan's, lacquered.
    Rosewood,
    /// Tablaaza's.
    Stone,
}

impl FrameStyle {
    pub(super) const fn new(game: GameKind) -> Self {
        match game {
            GameKind::Tablut => Self::Walnut,
            GameKind::Tablan => Self::Rosewood,
            GameKind::Tablaaza => Self::Stone,
        }
    }

    /// The colour of the bars.
    const fn colour(self) -> Color {
        match self {
            Self::Walnut => palette::WALNUT,
            Self::Rosewood => palette::ROSEWOOD,
            Self::Stone => palette::WALL,
        }
    }

    /// The scale of texture coordinates along a bar and across it.
    const fn grain(self) -> Vec2 {
        match self {
            Self::Walnut | Self::Rosewood => Vec2::new(0.13, 0.47),
            Self::Stone => Vec2::splat(0.31),
        }
    }
}

/// The materials of a frame and its trays.
#[derive(Clone)]
pub(super) struct FrameMaterial {
    pub(super) bars: Handle<StandardMaterial>,
    /// The line inlaid in them.
    pub(super) inlay: Handle<StandardMaterial>,
    /// The lining of the trays.
    pub(super) felt: Handle<StandardMaterial>,
    /// The shadow at the frame's foot.
    pub(super) shadow: Handle<StandardMaterial>,
}

/// The materials of each [`FrameStyle`].
#[derive(Resource)]
pub(super) struct FrameMaterials([FrameMaterial; 3]);

impl FrameMaterials {
    pub(super) fn get(&self, style: FrameStyle) -> FrameMaterial {
        self.0[style as usize].clone()
    }
}

pub(super) fn plugin(app: &mut App) {
    let textures = app.world().resource::<SharedTextures>().clone();
    let wood = |roughness, clearcoat| Finish {
        clearcoat,
        ..Finish::with_normal_map(&textures.wood_normal_map, roughness)
    };
    let mut add = |material: StandardMaterial| {
        app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(material)
    };
    let felt = add(StandardMaterial {
        base_color: palette::FELT,
        base_color_texture: Some(textures.felt.clone()),
        perceptual_roughness: 1.0,
        reflectance: 0.12,
        ..default()
    });
    let shadow = add(StandardMaterial { alpha_mode: AlphaMode::Blend, unlit: true, ..default() });
    let styles = [
        (&textures.wood, wood(0.42, 0.30), (palette::INLAY_LIGHT, 0.42, 0.0)),
        (&textures.wood, wood(0.36, 0.65), (palette::BRASS, 0.34, 1.0)),
        (
            &textures.stone,
            Finish { roughness: 0.82, ..Finish::default() },
            (palette::PAVING, 0.75, 0.0),
        ),
    ];
    let materials = styles.map(|(texture, finish, (colour, roughness, metallic))| {
        let bars = add(StandardMaterial {
            base_color_texture: Some(texture.clone()),
            perceptual_roughness: finish.roughness,
            reflectance: 0.42,
            ..default()
        });
        let inlay = add(StandardMaterial {
            base_color: colour,
            perceptual_roughness: roughness,
            metallic,
            ..default()
        });
        let material = FrameMaterial { bars, inlay, felt: felt.clone(), shadow: shadow.clone() };
        (material, finish)
    });
    let materials = materials.map(|(material, finish)| {
        app.world_mut().resource_mut::<Finishes>().set(&material.bars, finish);
        material
    });
    app.insert_resource(FrameMaterials(materials));
}

/// Height of the frame's top; the squares' tops lie at 0.
pub(super) const FRAME_Y: f32 = 0.035;
/// Radius of the frame's outer edge.
const EDGE_RADIUS: f32 = 0.065;
/// How far the plinth stands out, and how high it is.
const PLINTH: Vec2 = Vec2::new(0.05, 0.085);
/// Distance of the inlaid line's edges from the squares.
const INLAY: (f32, f32) = (0.055, 0.088);

/// A point of a moulding: its distance outwards from a rectangle, its height, its
/// normal (outwards, up), and the share of light that reaches it.
#[derive(Clone, Copy)]
struct MouldingPoint {
    out: f32,
    y: f32,
    normal: Vec2,
    light: f32,
}

const fn point(out: f32, y: f32, normal: Vec2, light: f32) -> MouldingPoint {
    MouldingPoint { out, y, normal, light }
}

/// A quarter of a circle about a centre (outwards, up), from one normal to another.
fn arc(centre: Vec2, radius: f32, from: Vec2, to: Vec2) -> impl Iterator<Item = MouldingPoint> {
    const STEPS: u8 = 5;
    (0..=STEPS).map(move |step| {
        let share = f32::from(step) / f32::from(STEPS) * std::f32::consts::FRAC_PI_2;
        let normal = from * share.cos() + to * share.sin();
        let at = centre + normal * radius;
        point(at.x, at.y, normal, 1.0)
    })
}

/// Four mitred bars round a rectangle.
struct Bars<'a> {
    mesh: &'a mut MeshBuilder,
    centre: Vec3,
    half_size: Vec2,
    grain: Vec2,
    colour: Color,
    /// How far across the bars the texture is used.
    across: f32,
}

impl Bars<'_> {
    /// Adds a smooth part of the moulding. The grain runs along each bar, and goes on
    /// round its edges.
    fn add(&mut self, points: &[MouldingPoint]) {
        for pair in points.windows(2) {
            let [one, other] = [pair[0], pair[1]];
            let width = Vec2::new(one.out - other.out, one.y - other.y).length();
            for bar in 0..4 {
                let row = |it: MouldingPoint, across: f32| {
                    let at = rectangle(self.centre + Vec3::Y * it.y, self.half_size + it.out);
                    let outwards = [Vec3::Z, Vec3::X, Vec3::NEG_Z, Vec3::NEG_X][bar];
                    let normal = outwards * it.normal.x + Vec3::Y * it.normal.y;
                    [(bar + 1) % 4, bar].map(|corner| {
                        let along = if bar % 2 == 0 { at[corner].x } else { at[corner].z };
                        let uv = Vec2::new(along, across) * self.grain;
                        (at[corner], normal, uv + Vec2::splat(bar as f32 * 0.31))
                    })
                };
                let (low, high) = (row(one, self.across), row(other, self.across + width));
                let colours = [one, other].map(|it| darkened(self.colour, it.light));
                self.mesh.shaded_strip(&low, &high, colours);
            }
            self.across += width;
        }
    }
}

/// Four bars with a plinth and rounded edges, and the bottom under the squares.
pub(super) fn frame_mesh(layout: &BoardLayout, style: FrameStyle) -> Mesh {
    let (out, up, inwards) = (Vec2::X, Vec2::Y, Vec2::NEG_X);
    let (outer, inner) = (FRAME_WIDTH, 0.012);
    let plinth_y = TABLE_Y + PLINTH.y;
    let mut mesh = MeshBuilder::new();
    let mut bars = Bars {
        mesh: &mut mesh,
        centre: Vec3::ZERO,
        half_size: layout.half_size(),
        grain: style.grain(),
        colour: style.colour(),
        across: 0.0,
    };
    let radius = 0.03;
    let shoulder = Vec2::new(outer + PLINTH.x - radius, plinth_y - radius);
    let plinth: Vec<_> = [point(outer + PLINTH.x, TABLE_Y, out, 0.45)]
        .into_iter()
        .chain(arc(shoulder, radius, out, up))
        .chain([point(outer, plinth_y, up, 0.55)])
        .collect();
    bars.add(&plinth);
    let edge = Vec2::new(outer - EDGE_RADIUS, FRAME_Y - EDGE_RADIUS);
    let side: Vec<_> = [point(outer, plinth_y, out, 0.6), point(outer, plinth_y + 0.06, out, 1.0)]
        .into_iter()
        .chain(arc(edge, EDGE_RADIUS, out, up))
        .chain([point(inner + INLAY.1, FRAME_Y, up, 0.9)])
        .collect();
    bars.add(&side);
    // The groove under the inlaid line, which casts no shadow: a slit would let a low
    // sun shine through the frame.
    bars.add(&[INLAY.1, INLAY.0].map(|out| point(inner + out, FRAME_Y, up, 0.5)));
    let edge = Vec2::new(inner + 0.018, FRAME_Y - 0.018);
    let inside: Vec<_> = [point(inner + INLAY.0, FRAME_Y, up, 0.9)]
        .into_iter()
        .chain(arc(edge, 0.018, up, inwards))
        .chain([point(inner, 0.0, inwards, 0.5), point(inner, FRAME_BED_Y, inwards, 0.25)])
        .collect();
    bars.add(&inside);
    mesh.polygon(&rectangle(Vec3::Y * FRAME_BED_Y, layout.half_size() + inner), palette::GROOVE);
    mesh.build_with_tangents()
}

/// The line inlaid in the frame: a low bead, which catches the light.
pub(super) fn inlay_mesh(layout: &BoardLayout) -> Mesh {
    let inner = 0.012;
    let (near, far) = (inner + INLAY.0, inner + INLAY.1);
    let (middle, half) = (f32::midpoint(near, far), (far - near) / 2.0);
    let mut mesh = MeshBuilder::new();
    let mut bars = Bars {
        mesh: &mut mesh,
        centre: Vec3::ZERO,
        half_size: layout.half_size(),
        grain: Vec2::ONE,
        colour: Color::WHITE,
        across: 0.0,
    };
    // Flatter than a half circle.
    let bead = |angle: f32| {
        let (sin, cos) = angle.sin_cos();
        let normal = Vec2::new(0.5 * cos, sin).normalize();
        point(middle + half * cos, FRAME_Y - 0.001 + 0.45 * half * sin, normal, 1.0)
    };
    let points: Vec<_> =
        (0..=8_u8).map(|step| bead(f32::from(step) / 8.0 * std::f32::consts::PI)).collect();
    bars.add(&points);
    mesh.build()
}

/// How far the shadow at the frame's foot reaches over the table.
const FOOT_SHADOW: f32 = 0.75;

/// The shadow that the frame has from all sides: ambient occlusion of the table.
pub(super) fn foot_shadow_mesh(layout: &BoardLayout) -> Mesh {
    let mut mesh = MeshBuilder::new();
    let outer = layout.half_size() + FRAME_WIDTH;
    let rings = [(-0.1, 0.62), (0.06, 0.58), (0.2, 0.28), (0.42, 0.09), (FOOT_SHADOW, 0.0)];
    for pair in rings.windows(2) {
        let [(low, dark), (high, light)] = [pair[0], pair[1]];
        let at = |reach: f32| rectangle(Vec3::Y * (TABLE_Y + 0.002), outer + reach);
        let (inside, outside) = (at(low), at(high));
        let colour = |alpha: f32| Color::srgba(0.02, 0.012, 0.006, alpha);
        for i in 0..4 {
            let j = (i + 1) % 4;
            let row = |corners: &[Vec3; 4]| [j, i].map(|k| (corners[k], Vec3::Y, Vec2::ZERO));
            mesh.shaded_strip(&row(&outside), &row(&inside), [colour(light), colour(dark)]);
        }
    }
    mesh.build()
}

/// Space round a captured piece in its tray.
const TRAY_MARGIN: f32 = 0.34;
/// Width of a tray's rim.
const TRAY_RIM_WIDTH: f32 = 0.075;
/// Height of a tray's rim above the table.
const TRAY_RIM_HEIGHT: f32 = 0.10;

/// The inside of each tray that is made for `capacity` pieces of each side.
fn tray_floors(layout: &BoardLayout, capacity: [usize; 2]) -> impl Iterator<Item = Rect> {
    Side::BOTH.into_iter().filter_map(move |side| {
        let places = (0..capacity[side.index()]).map(|n| layout.tray_position(side, n).xz());
        let bounds = places.fold(Rect::EMPTY, |bounds, place| bounds.union_point(place));
        (capacity[side.index()] > 0).then(|| bounds.inflate(TRAY_MARGIN))
    })
}

/// The rims of the trays for captured pieces.
pub(super) fn trays_mesh(layout: &BoardLayout, capacity: [usize; 2], style: FrameStyle) -> Mesh {
    let (out, up, inwards) = (Vec2::X, Vec2::Y, Vec2::NEG_X);
    let (radius, top) = (TRAY_RIM_WIDTH / 2.0, TABLE_Y + TRAY_RIM_HEIGHT);
    let edge = Vec2::new(radius, top - radius);
    let rim: Vec<_> = [point(TRAY_RIM_WIDTH, TABLE_Y, out, 0.45)]
        .into_iter()
        .chain(arc(edge, radius, out, up))
        .chain(arc(edge, radius, up, inwards))
        .chain([point(0.0, TABLE_Y, inwards, 0.4)])
        .collect();
    let mut mesh = MeshBuilder::new();
    for floor in tray_floors(layout, capacity) {
        let centre = Vec3::new(floor.center().x, 0.0, floor.center().y);
        let mut bars = Bars {
            mesh: &mut mesh,
            centre,
            half_size: floor.half_size(),
            grain: style.grain(),
            colour: style.colour(),
            across: 0.0,
        };
        bars.add(&rim);
    }
    mesh.build_with_tangents()
}

/// The lining of the trays, darker along the rims.
pub(super) fn felt_mesh(layout: &BoardLayout, capacity: [usize; 2]) -> Mesh {
    let mut mesh = MeshBuilder::new();
    let uv = |at: Vec3| at.xz() * 1.3;
    for floor in tray_floors(layout, capacity) {
        let centre = Vec3::new(floor.center().x, TABLE_Y + 0.004, floor.center().y);
        let rings = [(0.0, 0.35), (0.05, 0.6), (0.15, 0.9), (0.25, 1.0)];
        for pair in rings.windows(2) {
            let [outer, inner] =
                [pair[0], pair[1]].map(|(inset, _)| rectangle(centre, floor.half_size() - inset));
            for i in 0..4 {
                let j = (i + 1) % 4;
                let row =
                    |corners: &[Vec3; 4]| [j, i].map(|k| (corners[k], Vec3::Y, uv(corners[k])));
                let colours = [pair[0].1, pair[1].1].map(|light| darkened(Color::WHITE, light));
                mesh.shaded_strip(&row(&outer), &row(&inner), colours);
            }
        }
        mesh.polygon_with_uv(&rectangle(centre, floor.half_size() - 0.25), uv, Color::WHITE);
    }
    mesh.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::look::mesh_builder::boundary_edges;

    #[test]
    fn the_frame_is_open_at_the_table_only() {
        let layout = BoardLayout { files: 9, ranks: 9, sticks: false };
        let mesh = frame_mesh(&layout, FrameStyle::Walnut);
        let open = boundary_edges(&mesh);
        assert!(!open.is_empty(), "it stands on the table");
        for ends in open {
            assert!(ends.iter().all(|end| (end.y - TABLE_Y).abs() < 1e-3), "{ends:?}");
        }
    }
}
