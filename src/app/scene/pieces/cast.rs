//! Cast pieces: cut glass with flat facets, and brass with enamel.

use bevy::prelude::*;

use super::{
    PieceMeshes,
    lathe::{add_crown, add_emblem, lathe_trim, piece_meshes, torus},
};
use crate::{
    app::scene::look::{
        MeshBuilder,
        mesh_builder::{Detail, ProfileSegment},
        palette::{self, glass},
    },
    games::Side,
};

/// How opaque the glass of each side of Tablut is: light passes the Swedes.
const CLEAR: f32 = 0.46;
const DARK: f32 = 0.92;

/// Glass that is denser, and darker, towards its foot.
fn deepening(colour: Color, opacity: f32, height: f32) -> impl Fn(f32) -> Color {
    move |y| {
        let up = (y / height).clamp(0.0, 1.0);
        let shade = Color::from((colour.to_linear() * (0.72 + 0.34 * up)).with_alpha(1.0));
        glass(shade, opacity + (1.0 - opacity) * 0.45 * (1.0 - up))
    }
}

/// A Swede of clear glass: a cut ball on a slim stem.
pub(super) fn swede(detail: Detail) -> PieceMeshes {
    let ice = deepening(palette::ICE, CLEAR, 0.7);
    let stem = [
        (0.285, 0.0),
        (0.317, 0.03),
        (0.317, 0.065),
        (0.265, 0.10),
        (0.165, 0.19),
        (0.105, 0.36),
        (0.12, 0.40),
    ];
    let ball =
        [(0.07, 0.405), (0.15, 0.455), (0.192, 0.53), (0.175, 0.61), (0.10, 0.68), (0.0, 0.705)];
    let mut body = MeshBuilder::with_detail(detail);
    body.facets(Vec3::ZERO, 8, false, &stem, &ice).facets(Vec3::ZERO, 8, true, &ball, &ice);
    let trim =
        lathe_trim(detail, &[&[ProfileSegment(&torus(0.105, 0.405, 0.026), palette::PEWTER)]]);
    PieceMeshes { body: body.build(), trim: Some(trim.build()) }
}

/// A Muscovite of smoky glass: a six-sided bell with a brim and a point.
pub(super) fn muscovite(detail: Detail) -> PieceMeshes {
    let smoke = deepening(palette::SMOKE, DARK, 0.7);
    let bell = [
        (0.30, 0.0),
        (0.335, 0.03),
        (0.335, 0.065),
        (0.28, 0.10),
        (0.25, 0.20),
        (0.165, 0.42),
        (0.262, 0.455),
        (0.262, 0.475),
        (0.17, 0.52),
        (0.0, 0.74),
    ];
    let mut body = MeshBuilder::with_detail(detail);
    body.facets(Vec3::ZERO, 6, false, &bell, &smoke);
    let copper = palette::COPPER;
    let trim = lathe_trim(
        detail,
        &[
            &[ProfileSegment(&torus(0.245, 0.10, 0.024), copper)],
            &[ProfileSegment(&torus(0.165, 0.495, 0.022), copper)],
        ],
    );
    PieceMeshes { body: body.build(), trim: Some(trim.build()) }
}

/// A king of clear glass: a fluted column, a ruby, a golden crown.
pub(super) fn king(detail: Detail) -> PieceMeshes {
    let (gold, ice) = (palette::GOLD, deepening(palette::ICE, CLEAR, 0.8));
    let column = [
        (0.345, 0.0),
        (0.378, 0.035),
        (0.378, 0.075),
        (0.325, 0.12),
        (0.215, 0.22),
        (0.15, 0.36),
        (0.165, 0.45),
        (0.205, 0.58),
        (0.0, 0.59),
    ];
    let ruby = [(0.09, 0.585), (0.15, 0.615), (0.14, 0.69), (0.075, 0.765), (0.0, 0.79)];
    let mut body = MeshBuilder::with_detail(detail);
    body.facets(Vec3::ZERO, 12, false, &column, &ice).facets(
        Vec3::ZERO,
        8,
        true,
        &ruby,
        deepening(palette::CRIMSON, 0.9, 0.8),
    );
    let mut trim = lathe_trim(
        detail,
        &[
            &[ProfileSegment(&torus(0.305, 0.115, 0.022), gold)],
            &[ProfileSegment(&torus(0.155, 0.40, 0.030), gold)],
            &[ProfileSegment(&torus(0.198, 0.585, 0.026), gold)],
        ],
    );
    add_crown(&mut trim, 0.207, 0.60, 0.12, 8, gold);
    PieceMeshes { body: body.build(), trim: Some(trim.build()) }
}

/// A southern runner of enamelled brass: a bell with a pointed bud.
pub(super) fn south(red: Color, detail: Detail) -> PieceMeshes {
    let brass = palette::BRASS;
    piece_meshes(
        detail,
        &[
            ProfileSegment(&[(0.272, 0.075), (0.262, 0.15), (0.215, 0.25), (0.135, 0.32)], red),
            ProfileSegment(
                &[(0.105, 0.38), (0.185, 0.43), (0.205, 0.49), (0.145, 0.57), (0.055, 0.625)],
                red,
            ),
        ],
        &[
            &[
                ProfileSegment(&[(0.29, 0.0), (0.305, 0.02), (0.305, 0.05), (0.285, 0.08)], brass),
                ProfileSegment(&[(0.285, 0.08), (0.262, 0.085)], brass),
            ],
            &[ProfileSegment(&[(0.15, 0.305), (0.165, 0.325), (0.11, 0.35), (0.12, 0.39)], brass)],
            &[ProfileSegment(&torus(0.205, 0.49, 0.010), brass)],
            &[ProfileSegment(&[(0.066, 0.61), (0.07, 0.635), (0.03, 0.68), (0.0, 0.72)], brass)],
        ],
    )
}

/// A northern runner of enamelled brass: a drum on a bell, flat on top.
pub(super) fn north(blue: Color, detail: Detail) -> PieceMeshes {
    let brass = palette::BRASS;
    piece_meshes(
        detail,
        &[
            ProfileSegment(&[(0.272, 0.075), (0.262, 0.15), (0.215, 0.25), (0.135, 0.32)], blue),
            ProfileSegment(&[(0.15, 0.39), (0.225, 0.425), (0.25, 0.47)], blue),
            ProfileSegment(&[(0.25, 0.47), (0.25, 0.575)], blue),
            ProfileSegment(&[(0.212, 0.602), (0.12, 0.606)], blue),
        ],
        &[
            &[
                ProfileSegment(&[(0.29, 0.0), (0.305, 0.02), (0.305, 0.05), (0.285, 0.08)], brass),
                ProfileSegment(&[(0.285, 0.08), (0.262, 0.085)], brass),
            ],
            &[ProfileSegment(&[(0.15, 0.305), (0.165, 0.325), (0.11, 0.35), (0.16, 0.40)], brass)],
            &[
                ProfileSegment(&[(0.245, 0.565), (0.264, 0.578), (0.258, 0.605)], brass),
                ProfileSegment(&[(0.258, 0.605), (0.208, 0.605)], brass),
            ],
            &[ProfileSegment(&[(0.125, 0.604), (0.10, 0.63), (0.0, 0.64)], brass)],
        ],
    )
}

/// The height of a cast stone's flat top.
const TABLE_HEIGHT: f32 = 0.205;

/// A stone of coloured glass, cut like a gem, with its emblem inlaid in the top.
pub(super) fn stone(side: Side, colour: Color, detail: Detail) -> PieceMeshes {
    let cut = [
        (0.20, 0.0),
        (0.37, 0.075),
        (0.385, 0.105),
        (0.325, 0.17),
        (0.255, TABLE_HEIGHT),
        (0.0, TABLE_HEIGHT),
    ];
    let mut mesh = MeshBuilder::with_detail(detail);
    // Light gathers at the foot of a gem.
    let gem = |y: f32| {
        let light = 1.75 - 1.0 * (y / TABLE_HEIGHT).clamp(0.0, 1.0);
        let lit = Color::from((colour.to_linear() * light).with_alpha(1.0));
        glass(lit, 0.90)
    };
    mesh.facets(Vec3::ZERO, 10, true, &cut, gem);
    add_emblem(&mut mesh, side, colour, |_| TABLE_HEIGHT);
    PieceMeshes { body: mesh.build(), trim: None }
}
