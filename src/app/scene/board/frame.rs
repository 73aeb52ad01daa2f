//! The frame round the squares, the bed under them, and the trays: of walnut,
//! of rosewood, or of a city wall's stone.

use bevy::prelude::*;

use crate::{
    app::scene::{
        layout::{FRAME, Layout},
        look::{
            MeshBuilder, palette,
            room::TABLE_Y,
            textures::{Finish, Finishes, Grain},
        },
    },
    games::{GameKind, Side},
};

/// What a frame is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Tablut's.
    Walnut,
    /// Tablan's, under lacquer.
    Rosewood,
    /// Tablaaza's.
    Stone,
}

impl Style {
    pub(super) const fn of(game: GameKind) -> Self {
        match game {
            GameKind::Tablut => Self::Walnut,
            GameKind::Tablan => Self::Rosewood,
            GameKind::Tablaaza => Self::Stone,
        }
    }

    /// The bars, and the line let into them.
    const fn colours(self) -> (Color, Color) {
        match self {
            Self::Walnut => (palette::WALNUT, palette::INLAY_LIGHT),
            Self::Rosewood => (palette::ROSEWOOD, palette::BRASS),
            Self::Stone => (palette::WALL, palette::PAVING),
        }
    }
}

/// The materials of frames.
#[derive(Resource)]
pub(super) struct Bars([Handle<StandardMaterial>; 3]);

impl Bars {
    pub(super) fn of(&self, style: Style) -> Handle<StandardMaterial> {
        self.0[style as usize].clone()
    }
}

pub(super) fn plugin(app: &mut App) {
    let grain = app.world().resource::<Grain>().clone();
    let looks = [
        (&grain.wood, Finish::with_relief(&grain.fibres, 0.40)),
        (&grain.wood, Finish { lacquer: 0.5, ..Finish::with_relief(&grain.fibres, 0.34) }),
        (&grain.stone, Finish { even: (0.82, 0.0), ..Finish::default() }),
    ];
    let bars = looks.map(|(picture, finish)| {
        let material =
            app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(StandardMaterial {
                base_color_texture: Some(picture.clone()),
                perceptual_roughness: finish.even.0,
                reflectance: 0.42,
                ..default()
            });
        app.world_mut().resource_mut::<Finishes>().give(&material, finish);
        material
    });
    app.insert_resource(Bars(bars));
}

/// How high the frame stands over the squares.
pub(super) const FRAME_Y: f32 = 0.035;

/// Four mitred bars with a bevel and a thin light line, and the dark bed.
pub(super) fn frame(layout: &Layout, style: Style) -> Mesh {
    let (timber, inlay) = style.colours();
    let inner = layout.half() + 0.012;
    let outer = layout.half() + FRAME;
    let bevel = 0.06;
    let mut solid = MeshBuilder::new();
    let corner = |i: usize, half: Vec2, y: f32| {
        let (x, z) = [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)][i % 4];
        Vec3::new(x * half.x, y, z * half.y)
    };
    for i in 0..4 {
        // Grain runs along each bar.
        let along = move |at: Vec3| {
            let at = if i % 2 == 0 { Vec2::new(at.x, at.z) } else { Vec2::new(at.z, at.x) };
            let scale =
                if style == Style::Stone { Vec2::splat(0.31) } else { Vec2::new(0.11, 0.5) };
            at * scale + Vec2::splat(i as f32 * 0.31)
        };
        let mut bar = |from: (Vec2, f32), to: (Vec2, f32), colour: Color| {
            solid.polygon_with_uv(
                &[
                    corner(i, from.0, from.1),
                    corner(i + 1, from.0, from.1),
                    corner(i + 1, to.0, to.1),
                    corner(i, to.0, to.1),
                ],
                along,
                colour,
            );
        };
        let line_out = inner + 0.085;
        let line_in = inner + 0.055;
        bar((outer, TABLE_Y), (outer, FRAME_Y - bevel), timber);
        bar((outer, FRAME_Y - bevel), (outer - bevel, FRAME_Y), timber);
        bar((outer - bevel, FRAME_Y), (line_out, FRAME_Y), timber);
        bar((line_out, FRAME_Y), (line_in, FRAME_Y), inlay);
        bar((line_in, FRAME_Y), (inner, FRAME_Y), timber);
        bar((inner, FRAME_Y), (inner, -0.2), palette::GROOVE);
    }
    let bed: Vec<Vec3> = (0..4).map(|i| corner(i, inner, super::BED_Y)).collect();
    solid.polygon(&bed, palette::GROOVE);
    solid.build_for_relief()
}

/// Room round a captured piece in its tray.
const ROOM: f32 = 0.34;
/// How thick a tray's rim is, and how high over the table.
const RIM: (f32, f32) = (0.07, 0.08);

/// A shallow tray for the captured pieces of each side, as long as `captives`
/// of them need.
pub(super) fn trays(layout: &Layout, captives: [usize; 2], style: Style) -> Mesh {
    let (timber, _) = style.colours();
    let mut solid = MeshBuilder::new();
    for side in Side::BOTH {
        let places = (0..captives[side.index()]).map(|n| layout.tray(side, n).xz());
        let mut bounds = Rect::EMPTY;
        for place in places {
            bounds = bounds.union_point(place);
        }
        if bounds.is_empty() && captives[side.index()] < 2 {
            continue;
        }
        let inner = bounds.inflate(ROOM);
        let outer = inner.inflate(RIM.0);
        let floor = TABLE_Y + 0.004;
        let flat = |rect: Rect, y: f32| {
            [
                Vec3::new(rect.min.x, y, rect.max.y),
                Vec3::new(rect.max.x, y, rect.max.y),
                Vec3::new(rect.max.x, y, rect.min.y),
                Vec3::new(rect.min.x, y, rect.min.y),
            ]
        };
        let along = |at: Vec3| Vec2::new(at.x * 0.09, at.z * 0.4);
        solid.polygon_with_uv(&flat(inner, floor), along, palette::FELT);
        let top = TABLE_Y + RIM.1;
        let rings = [flat(outer, TABLE_Y), flat(outer, top), flat(inner, top), flat(inner, floor)];
        for pair in rings.windows(2) {
            for i in 0..4 {
                let j = (i + 1) % 4;
                let bar = [pair[0][i], pair[0][j], pair[1][j], pair[1][i]];
                solid.polygon_with_uv(&bar, along, timber);
            }
        }
    }
    solid.build_for_relief()
}
