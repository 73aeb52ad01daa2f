//! The frame round the squares and the trays for captured pieces.

use bevy::prelude::*;

use super::FRAME_BED_Y;
use crate::{
    app::scene::{
        layout::{FRAME_WIDTH, Layout, TABLE_Y},
        look::{
            MeshBuilder,
            finishes::{Finish, Finishes},
            mesh_builder::rectangle,
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

    /// The colours of the bars and of the line inlaid in them.
    const fn colours(self) -> (Color, Color) {
        match self {
            Self::Walnut => (palette::WALNUT, palette::INLAY_LIGHT),
            Self::Rosewood => (palette::ROSEWOOD, palette::BRASS),
            Self::Stone => (palette::WALL, palette::PAVING),
        }
    }
}

/// The material of each [`FrameStyle`].
#[derive(Resource)]
pub(super) struct FrameMaterials([Handle<StandardMaterial>; 3]);

impl FrameMaterials {
    pub(super) fn get(&self, style: FrameStyle) -> Handle<StandardMaterial> {
        self.0[style as usize].clone()
    }
}

pub(super) fn plugin(app: &mut App) {
    let textures = app.world().resource::<SharedTextures>().clone();
    let wood = |roughness| Finish::with_normal_map(&textures.wood_normal_map, roughness);
    let styles = [
        (&textures.wood, wood(0.40)),
        (&textures.wood, Finish { clearcoat: 0.5, ..wood(0.34) }),
        (&textures.stone, Finish { roughness: 0.82, ..Finish::default() }),
    ];
    let materials = styles.map(|(texture, finish)| {
        let material =
            app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(StandardMaterial {
                base_color_texture: Some(texture.clone()),
                perceptual_roughness: finish.roughness,
                reflectance: 0.42,
                ..default()
            });
        app.world_mut().resource_mut::<Finishes>().set(&material, finish);
        material
    });
    app.insert_resource(FrameMaterials(materials));
}

/// Height of the frame's top; the squares' tops lie at 0.
pub(super) const FRAME_Y: f32 = 0.035;

/// Four mitred and bevelled bars with a thin inlaid line, and the bottom under
/// the squares.
pub(super) fn frame_mesh(layout: &Layout, style: FrameStyle) -> Mesh {
    let (timber, inlay) = style.colours();
    let inner = layout.half_size() + 0.012;
    let outer = layout.half_size() + FRAME_WIDTH;
    let bevel = 0.06;
    let mut mesh = MeshBuilder::new();
    for i in 0..4 {
        let j = (i + 1) % 4;
        // The grain runs along each bar.
        let uv = move |at: Vec3| {
            let at = if i % 2 == 0 { Vec2::new(at.x, at.z) } else { Vec2::new(at.z, at.x) };
            let scale =
                if style == FrameStyle::Stone { Vec2::splat(0.31) } else { Vec2::new(0.11, 0.5) };
            at * scale + Vec2::splat(i as f32 * 0.31)
        };
        let mut bar = |from: (Vec2, f32), to: (Vec2, f32), colour: Color| {
            let from = rectangle(Vec3::Y * from.1, from.0);
            let to = rectangle(Vec3::Y * to.1, to.0);
            mesh.polygon_with_uv(&[from[i], from[j], to[j], to[i]], uv, colour);
        };
        let line_outer = inner + 0.085;
        let line_inner = inner + 0.055;
        bar((outer, TABLE_Y), (outer, FRAME_Y - bevel), timber);
        bar((outer, FRAME_Y - bevel), (outer - bevel, FRAME_Y), timber);
        bar((outer - bevel, FRAME_Y), (line_outer, FRAME_Y), timber);
        bar((line_outer, FRAME_Y), (line_inner, FRAME_Y), inlay);
        bar((line_inner, FRAME_Y), (inner, FRAME_Y), timber);
        bar((inner, FRAME_Y), (inner, -0.2), palette::GROOVE);
    }
    mesh.polygon(&rectangle(Vec3::Y * FRAME_BED_Y, inner), palette::GROOVE);
    mesh.build_with_tangents()
}

/// Space round a captured piece in its tray.
const TRAY_MARGIN: f32 = 0.34;
/// Width of a tray's rim.
const TRAY_RIM_WIDTH: f32 = 0.07;
/// Height of a tray's rim above the table.
const TRAY_RIM_HEIGHT: f32 = 0.08;

/// A shallow tray for the captured pieces of each side, large enough for
/// `capacity` of them.
pub(super) fn trays_mesh(layout: &Layout, capacity: [usize; 2], style: FrameStyle) -> Mesh {
    let (timber, _) = style.colours();
    let mut mesh = MeshBuilder::new();
    for side in Side::BOTH {
        let count = capacity[side.index()];
        let mut bounds = Rect::EMPTY;
        for n in 0..count {
            bounds = bounds.union_point(layout.tray_position(side, n).xz());
        }
        if bounds.is_empty() && count < 2 {
            continue;
        }
        let inner = bounds.inflate(TRAY_MARGIN);
        let outer = inner.inflate(TRAY_RIM_WIDTH);
        let flat = |rect: Rect, y: f32| {
            [
                Vec3::new(rect.min.x, y, rect.max.y),
                Vec3::new(rect.max.x, y, rect.max.y),
                Vec3::new(rect.max.x, y, rect.min.y),
                Vec3::new(rect.min.x, y, rect.min.y),
            ]
        };
        let uv = |at: Vec3| Vec2::new(at.x * 0.09, at.z * 0.4);
        let floor = TABLE_Y + 0.004;
        let top = TABLE_Y + TRAY_RIM_HEIGHT;
        mesh.polygon_with_uv(&flat(inner, floor), uv, palette::FELT);
        let rings = [flat(outer, TABLE_Y), flat(outer, top), flat(inner, top), flat(inner, floor)];
        for pair in rings.windows(2) {
            for i in 0..4 {
                let j = (i + 1) % 4;
                let bar = [pair[0][i], pair[0][j], pair[1][j], pair[1][i]];
                mesh.polygon_with_uv(&bar, uv, timber);
            }
        }
    }
    mesh.build_with_tangents()
}
