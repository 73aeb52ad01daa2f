//! What each kind of ground is made of, and the ornaments inlaid in it.

use bevy::prelude::*;

use super::Layout;
use crate::{
    app::{
        animation::Directing,
        look::{
            Solid,
            grain::{Grain, Relief, Reliefs},
            palette::{self, Scheme},
        },
        settings::{Palette, Settings},
    },
    games::{RuleSet, Side, Square},
    table::{Board, Ground},
};

/// Height of inlays over the squares: too little to see, enough not to
/// flicker.
const INLAY_Y: f32 = 0.004;

/// Materials of the grounds.
#[derive(Resource)]
pub(super) struct Looks {
    plain: [Handle<StandardMaterial>; 2],
    castle: Handle<StandardMaterial>,
    camp: Handle<StandardMaterial>,
    home: Handle<StandardMaterial>,
    rows: [Handle<StandardMaterial>; 2],
    plots: [Handle<StandardMaterial>; 2],
    lake: Handle<StandardMaterial>,
    inlay: Handle<StandardMaterial>,
}

pub(super) fn plugin(app: &mut App) {
    let grain = app.world().resource::<Grain>().wood.clone();
    let mut materials = app.world_mut().resource_mut::<Assets<StandardMaterial>>();
    let mut wood = |tint: Color| {
        materials.add(StandardMaterial {
            base_color: tint,
            base_color_texture: Some(grain.clone()),
            perceptual_roughness: 0.46,
            reflectance: 0.38,
            ..default()
        })
    };
    let scheme = Scheme::of(Palette::default());
    let looks = Looks {
        plain: scheme.plain.map(&mut wood),
        castle: wood(palette::CASTLE),
        camp: wood(scheme.camp),
        home: wood(palette::HOME),
        rows: scheme.rows.map(&mut wood),
        plots: scheme.plots.map(&mut wood),
        inlay: materials.add(StandardMaterial {
            perceptual_roughness: 0.55,
            reflectance: 0.3,
            ..default()
        }),
        lake: materials.add(StandardMaterial {
            base_color: palette::WATER,
            perceptual_roughness: 0.06,
            reflectance: 0.75,
            ..default()
        }),
    };
    let wooden = [&looks.castle, &looks.camp, &looks.home]
        .into_iter()
        .chain(&looks.plain)
        .chain(&looks.rows)
        .chain(&looks.plots)
        .map(|handle| (handle.clone(), Relief::Wood));
    let mut all: Vec<_> = wooden.collect();
    all.push((looks.lake.clone(), Relief::Waves));
    app.world_mut().resource_mut::<Reliefs>().0.extend(all);
    app.insert_resource(looks).add_systems(
        Update,
        repaint.in_set(Directing::Board).run_if(resource_exists_and_changed::<Settings>),
    );
}

/// Gives the grounds the colours of the palette a person likes.
fn repaint(
    settings: Res<Settings>,
    looks: Res<Looks>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut painted: Local<Palette>,
) {
    if std::mem::replace(&mut *painted, settings.palette) == settings.palette {
        return;
    }
    let scheme = Scheme::of(settings.palette);
    let pairs =
        [(&looks.plain, scheme.plain), (&looks.rows, scheme.rows), (&looks.plots, scheme.plots)];
    let all = pairs.into_iter().flat_map(|(of, colours)| of.iter().zip(colours));
    for (of, colour) in all.chain([(&looks.camp, scheme.camp)]) {
        if let Some(mut material) = materials.get_mut(of) {
            material.base_color = colour;
        }
    }
}

impl Looks {
    /// The material of a square.
    pub(super) fn of(&self, ground: Ground, square: Square) -> Handle<StandardMaterial> {
        match ground {
            Ground::Plain => &self.plain[usize::from((square.file + square.rank) % 2)],
            Ground::Castle => &self.castle,
            Ground::Camp => &self.camp,
            Ground::Home => &self.home,
            Ground::HomeRow(side) => &self.rows[side.index()],
            Ground::Plot(side) => &self.plots[side.index()],
            Ground::Lake => &self.lake,
        }
        .clone()
    }

    /// The material of the inlays; their colours are in the mesh.
    pub(super) fn inlay(&self) -> Handle<StandardMaterial> {
        self.inlay.clone()
    }
}

/// All ornaments of a board, in one mesh.
pub(super) fn inlays(board: &Board, rules: RuleSet, layout: &Layout) -> Mesh {
    let mut solid = Solid::new();
    for &(square, ground) in &board.squares {
        let middle = layout.place(square) + Vec3::Y * INLAY_Y;
        match ground {
            Ground::Castle => castle(&mut solid, middle),
            Ground::Camp => camp(&mut solid, middle),
            Ground::Home => home(&mut solid, middle),
            Ground::Plot(Side::First) => {
                diamond(&mut solid, middle, 0.17, Color::srgb(0.64, 0.36, 0.26));
            }
            Ground::Plot(Side::Second) => {
                solid.annulus(middle, 0.10, 0.15, 32, Color::srgb(0.30, 0.38, 0.24));
            }
            Ground::Lake => ripples(&mut solid, middle),
            Ground::Plain | Ground::HomeRow(_) => {}
        }
    }
    if rules.has_sticks() {
        course(&mut solid, layout);
    }
    solid.build()
}

/// A cross with open ends in a double rim.
fn castle(solid: &mut Solid, middle: Vec3) {
    solid.rim(middle, 0.44, 0.035, palette::INLAY_LIGHT);
    solid.rim(middle, 0.37, 0.015, palette::INLAY_LIGHT);
    for turn in 0..4 {
        let rotate = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2 * turn as f32);
        let petal = [
            Vec3::new(0.0, 0.0, 0.05),
            Vec3::new(0.11, 0.0, 0.17),
            Vec3::new(0.0, 0.0, 0.31),
            Vec3::new(-0.11, 0.0, 0.17),
        ]
        .map(|at| middle + rotate * at);
        solid.polygon(&[petal[0], petal[3], petal[2], petal[1]], palette::INLAY_LIGHT);
    }
}

/// Three short waves on the water, which lies deeper than the wood.
fn ripples(solid: &mut Solid, middle: Vec3) {
    let water = middle + Vec3::Y * super::WATER_Y;
    for (x, z, long) in [(-0.12, -0.24, 0.26), (0.14, 0.02, 0.30), (-0.08, 0.27, 0.22)] {
        let steps = 16;
        let row = |side: f32| -> Vec<(Vec3, Vec3, Vec2)> {
            (0..=steps)
                .map(|i| {
                    let t = i as f32 / steps as f32;
                    // Thin towards both ends.
                    let half = 0.011 * (t * (1.0 - t) * 4.0).sqrt() * side;
                    let crest = 0.028 * (t * 2.5 * std::f32::consts::TAU).sin();
                    let at = Vec3::new(x + long * (2.0 * t - 1.0), 0.0, z + crest + half);
                    (water + at, Vec3::Y, Vec2::ZERO)
                })
                .collect()
        };
        solid.strip(&row(-1.0), &row(1.0), palette::FOAM);
    }
}

/// Crossed tent poles.
fn camp(solid: &mut Solid, middle: Vec3) {
    for angle in [0.25, 0.75] {
        let rotate = Quat::from_rotation_y(std::f32::consts::PI * angle);
        let (long, wide) = (0.36, 0.022);
        let bar = [(-long, wide), (long, wide), (long, -wide), (-long, -wide)]
            .map(|(x, z)| middle + rotate * Vec3::new(x, 0.0, z));
        solid.polygon(&bar, palette::INLAY_DARK);
    }
    diamond(solid, middle + Vec3::Y * 0.001, 0.12, palette::INLAY_DARK);
}

/// A quiet open ring: a gate.
fn home(solid: &mut Solid, middle: Vec3) {
    solid.rim(middle, 0.43, 0.025, Color::srgb(0.30, 0.34, 0.20));
    diamond(solid, middle, 0.09, Color::srgb(0.30, 0.34, 0.20));
}

fn diamond(solid: &mut Solid, middle: Vec3, half: f32, colour: Color) {
    let corners = [Vec3::Z, Vec3::X, Vec3::NEG_Z, Vec3::NEG_X].map(|way| middle + way * half);
    solid.polygon(&corners, colour);
}

/// Arrowheads between the squares of Tablan's middle rows: row 2 is run
/// towards `a`, row 3 towards `l`, and the home rows the way they are left.
fn course(solid: &mut Solid, layout: &Layout) {
    for rank in 0..layout.ranks {
        let towards = if rank % 2 == 0 { 1.0 } else { -1.0 };
        let colour = palette::INLAY_DARK.mix(&Scheme::of(Palette::Wood).plain[0], 0.35);
        for file in 0..layout.files.saturating_sub(1) {
            let left = layout.place(Square::new(file, rank));
            let middle = left + Vec3::new(0.5, INLAY_Y, 0.0);
            let tip = 0.09 * towards;
            let head = [
                middle + Vec3::new(tip, 0.0, 0.0),
                middle + Vec3::new(-tip * 0.6, 0.0, -0.085 * towards),
                middle + Vec3::new(-tip * 0.6, 0.0, 0.085 * towards),
            ];
            solid.polygon(&head, colour);
        }
    }
}
