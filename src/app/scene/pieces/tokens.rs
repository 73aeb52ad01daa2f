//! Pieces of the flat view: drawn discs and symbols that hide nothing.

use std::collections::HashMap;

use super::assets::{KINDS, PieceAssets};
use crate::{
    app::scene::{
        look::{
            MeshBuilder, TableMaterial,
            palette::{ColorScheme, printed},
            warm_up,
        },
        prelude::*,
    },
    session::shapes::{
        CROWN, CROWN_PARTS, DOT_RADIUS, GOLD, HOUSE, HOUSE_PARTS, INK, KING_RADIUS, LINE,
        PIECE_RADIUS, RING, SQUARE, WHITE, emblem_color,
    },
};

/// Height of a token above the highlights.
const TOKEN_Y: f32 = 0.06;
/// How much higher each part of a token lies than the one before it.
const LAYER: f32 = 0.002;

/// The meshes of all tokens, upright from each side, and their material.
#[derive(Resource)]
pub(super) struct TokenAssets {
    meshes: HashMap<(PieceKind, Side), Handle<Mesh>>,
    material: Handle<TableMaterial>,
}

pub(super) fn plugin(app: &mut App) {
    let scheme = ColorScheme::new(Palette::default());
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let meshes: HashMap<_, _> = Side::BOTH
        .into_iter()
        .flat_map(|seen_from| KINDS.map(|kind| (kind, seen_from)))
        .map(|key| (key, meshes.add(token_mesh(key.0, key.1, &scheme))))
        .collect();
    let material =
        app.world_mut().resource_mut::<Assets<TableMaterial>>().add(TableMaterial::default());
    if let Some(mesh) = meshes.get(&(PieceKind::King, Side::First)) {
        warm_up(app, mesh.clone(), material.clone());
    }
    app.insert_resource(TokenAssets { meshes, material }).add_systems(
        Update,
        (
            update_token_colours.run_if(resource_exists_and_changed::<Settings>),
            show_tokens.in_set(SceneSet::Surfaces),
        )
            .chain(),
    );
}

/// Draws the tokens again when the palette setting changes.
fn update_token_colours(
    settings: Res<Settings>,
    assets: Res<TokenAssets>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut current: Local<Palette>,
) {
    if std::mem::replace(&mut *current, settings.palette) == settings.palette {
        return;
    }
    let scheme = ColorScheme::new(settings.palette);
    for (&(kind, seen_from), handle) in &assets.meshes {
        if let Some(mut mesh) = meshes.get_mut(handle) {
            *mesh = token_mesh(kind, seen_from, &scheme);
        }
    }
}

/// Gives each piece, on the board or in the hand, its token in the flat view, else its solid mesh and shadow.
pub(super) fn show_tokens(
    flat: Res<FlatView>,
    near: Res<NearSide>,
    solid: Res<PieceAssets>,
    tokens: Res<TokenAssets>,
    mut pieces: Query<(
        Ref<LooksLike>,
        &mut Mesh3d,
        &mut MeshMaterial3d<TableMaterial>,
        Option<&Children>,
    )>,
    mut visibilities: Query<&mut Visibility, Without<LooksLike>>,
) {
    let all_change = flat.is_changed() || flat.0 && near.is_changed();
    for (look, mut mesh, mut material, children) in &mut pieces {
        if !(all_change || flat.0 && look.is_added()) {
            continue;
        }
        let kind = look.0;
        let token = tokens.meshes.get(&(kind, near.0)).filter(|_| flat.0);
        (mesh.0, material.0) = match token {
            Some(token) => (token.clone(), tokens.material.clone()),
            None => (solid.mesh(kind), solid.material.clone()),
        };
        let shown = if flat.0 { Visibility::Hidden } else { Visibility::Inherited };
        for &child in children.into_iter().flatten() {
            if let Ok(mut visibility) = visibilities.get_mut(child) {
                visibility.set_if_neq(shown);
            }
        }
    }
}

/// A token that is being drawn: its parts lie one over the other.
struct Token {
    mesh: MeshBuilder,
    layer: f32,
    /// -1 to be upright from the far side.
    sign: f32,
}

impl Token {
    fn raise(&mut self) -> f32 {
        self.layer += LAYER;
        self.layer
    }

    /// A disc with a line round it.
    fn disc(&mut self, radius: f32, colour: Color) {
        for (radius, colour) in [(radius + LINE / 2.0, printed(INK)), (radius - LINE / 2.0, colour)]
        {
            let centre = Vec3::Y * self.raise();
            self.mesh.annulus(centre, 0.0, radius / SQUARE, 64, colour);
        }
    }

    /// A shape of convex parts with a line round it.
    fn shape(&mut self, outline: &[(f32, f32)], parts: &[&[usize]], colour: Color) {
        let y = self.raise();
        for pair in 0..outline.len() {
            self.line(outline[pair], outline[(pair + 1) % outline.len()], y);
        }
        let y = self.raise();
        for indices in parts {
            // The mesh's polygons wind the other way.
            let corners: Vec<Vec3> =
                indices.iter().rev().map(|&index| self.at(outline[index], y)).collect();
            self.mesh.polygon(&corners, colour);
        }
    }

    fn at(&self, (x, down): (f32, f32), y: f32) -> Vec3 {
        Vec3::new(self.sign * x / SQUARE, y, self.sign * down / SQUARE)
    }

    fn line(&mut self, from: (f32, f32), to: (f32, f32), y: f32) {
        let (from, to) = (self.at(from, y), self.at(to, y));
        let side = (to - from).cross(Vec3::Y).normalize_or(Vec3::Z) * (LINE / SQUARE);
        self.mesh.polygon(&[from + side, to + side, to - side, from - side], printed(INK));
        self.mesh.annulus(from, 0.0, LINE / SQUARE, 12, printed(INK));
    }

    /// What tells the sides apart without colours.
    fn emblem(&mut self, side: Side, ground: Color) {
        let colour = printed(emblem_color(ground.to_linear().luminance()));
        let centre = Vec3::Y * self.raise();
        let (inner, outer) = match side {
            Side::First => (0.0, DOT_RADIUS),
            Side::Second => (RING.0 - RING.1 / 2.0, RING.0 + RING.1 / 2.0),
        };
        self.mesh.annulus(centre, inner / SQUARE, outer / SQUARE, 48, colour);
    }
}

/// The token of a kind of piece.
fn token_mesh(kind: PieceKind, near: Side, scheme: &ColorScheme) -> Mesh {
    let sign = if near == Side::Second { -1.0 } else { 1.0 };
    let mut token = Token { mesh: MeshBuilder::new(), layer: TOKEN_Y, sign };
    match kind {
        PieceKind::Soldier { white } => {
            token.disc(PIECE_RADIUS, printed(if white { WHITE } else { INK }));
        }
        PieceKind::King => {
            token.disc(KING_RADIUS, printed(WHITE));
            token.shape(&CROWN, &CROWN_PARTS, printed(GOLD));
        }
        PieceKind::Runner(side) | PieceKind::Stone(side) => {
            let stones = matches!(kind, PieceKind::Stone(_));
            let colours = if stones { scheme.stones } else { scheme.runners };
            let colour = colours[side.index()];
            token.disc(PIECE_RADIUS, colour);
            token.emblem(side, colour);
        }
        PieceKind::Pavilion(side) => {
            let colour = scheme.bases[side.index()];
            token.shape(&HOUSE, &HOUSE_PARTS, colour);
            token.emblem(side, colour);
        }
    }
    token.mesh.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::components::StoneInHand;

    #[test]
    fn a_stone_in_the_hand_is_drawn_flat_as_those_on_the_board() {
        let mut app = crate::app::headless((900, 600));
        app.world_mut().resource_mut::<Settings>().diagram = true;
        let setup = Setup { seats: [Seat::Person; 2], ..Setup::new(RuleSet::Tablaaza) };
        app.world_mut().write_message(Action::from(GameAction::NewGame(setup)));
        (0..10).for_each(|_| app.update());
        let kind = PieceKind::Stone(Side::First);
        let stone = app.world_mut().spawn((StoneInHand(Side::First), LooksLike(kind))).id();
        app.update();
        let tokens = app.world().resource::<TokenAssets>();
        let mesh = app.world().get::<Mesh3d>(stone).map(|mesh| &mesh.0);
        assert_eq!(mesh, tokens.meshes.get(&(kind, Side::First)));
        let shadow = app.world().get::<Children>(stone).and_then(|children| children.first());
        let shadow = shadow.and_then(|shadow| app.world().get::<Visibility>(*shadow));
        assert_eq!(shadow, Some(&Visibility::Hidden));
    }

    #[test]
    fn every_token_is_flat_and_leaves_the_edges_of_its_square_free() {
        for &palette in Palette::VARIANTS {
            let scheme = ColorScheme::new(palette);
            for kind in KINDS {
                let mesh = token_mesh(kind, Side::Second, &scheme);
                let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION);
                let positions =
                    positions.and_then(|position| position.as_float3()).unwrap_or_default();
                assert!(!positions.is_empty(), "{kind:?}");
                for &[x, y, z] in positions {
                    assert!(x.abs().max(z.abs()) < 0.45, "{kind:?} reaches {x} {z}");
                    assert!((TOKEN_Y..TOKEN_Y + 0.02).contains(&y), "{kind:?} is at {y}");
                }
                let normals = mesh.attribute(Mesh::ATTRIBUTE_NORMAL);
                let normals = normals.and_then(|normals| normals.as_float3()).unwrap_or_default();
                assert!(
                    normals.iter().all(|normal| normal[1] > 0.99),
                    "{kind:?} is seen from above"
                );
            }
        }
        assert_eq!(INK.to_string(), "#2a2420", "as SVG writes it");
    }
}
