//! Meshes and materials of the pieces.
//!
//! The sides differ in outline as well as in colour: a Swede has a round head, a Muscovite a
//! pointed hat with a brim, the king a crown; a southern runner ends in a bud, a northern one
//! is open; stones have a diamond or a ring.
//!
//! Handles stay when another palette is chosen: what they hold is replaced.

use crate::app::scene::{
    look::{
        TableMaterial,
        files::AwaitedFiles,
        models::{ModelFile, model_mesh},
        warm_up,
    },
    prelude::*,
};

/// All kinds of pieces, by [`index`].
pub(super) const KINDS: [PieceKind; 9] = [
    PieceKind::King,
    PieceKind::Soldier { white: true },
    PieceKind::Soldier { white: false },
    PieceKind::Runner(Side::First),
    PieceKind::Runner(Side::Second),
    PieceKind::Stone(Side::First),
    PieceKind::Stone(Side::Second),
    PieceKind::Pavilion(Side::First),
    PieceKind::Pavilion(Side::Second),
];

/// The place of a kind in [`KINDS`].
const fn index(kind: PieceKind) -> usize {
    match kind {
        PieceKind::King => 0,
        PieceKind::Soldier { white: true } => 1,
        PieceKind::Soldier { white: false } => 2,
        PieceKind::Runner(side) => 3 + side.index(),
        PieceKind::Stone(side) => 5 + side.index(),
        PieceKind::Pavilion(side) => 7 + side.index(),
    }
}

/// The game that a kind of piece belongs to, and its place among the shadows there.
pub(super) const fn game_of(kind: PieceKind) -> (GameKind, usize) {
    match index(kind) {
        place @ 0..=2 => (GameKind::Tablut, place),
        place @ 3..=4 => (GameKind::Tablan, place - 3),
        place => (GameKind::Tablaaza, place - 5),
    }
}

/// The model of a kind of piece.
const fn node(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::King => "piece_king",
        PieceKind::Soldier { white: true } => "piece_soldier_white",
        PieceKind::Soldier { white: false } => "piece_soldier_black",
        PieceKind::Runner(Side::First) => "piece_runner_south",
        PieceKind::Runner(Side::Second) => "piece_runner_north",
        PieceKind::Stone(Side::First) => "piece_stone_red",
        PieceKind::Stone(Side::Second) => "piece_stone_green",
        PieceKind::Pavilion(Side::First) => "piece_pavilion_red",
        PieceKind::Pavilion(Side::Second) => "piece_pavilion_green",
    }
}

/// The mesh of a kind of piece.
fn piece_mesh(kind: PieceKind, palette: Palette) -> Mesh {
    model_mesh(ModelFile::Game(game_of(kind).0), &[node(kind)], palette)
}

/// The bowl with a side's stones.
fn bowl_mesh(side: Side, palette: Palette) -> Mesh {
    let name = ["bowl_red", "bowl_green"][side.index()];
    model_mesh(ModelFile::Game(GameKind::Tablaaza), &[name], palette)
}

/// Meshes of all kinds of pieces and of the bowls, and the materials that they share.
#[derive(Resource)]
pub(crate) struct PieceAssets {
    meshes: [Handle<Mesh>; 9],
    bowls: [Handle<Mesh>; 2],
    pub(super) material: Handle<TableMaterial>,
    /// Of the ghost of a piece that is in the hand.
    pub(super) ghost: Handle<TableMaterial>,
    /// The palette of the meshes.
    shown: Palette,
}

/// How much is seen of a ghost.
const GHOST_OPACITY: f32 = 0.35;
/// How much lighter a ghost is than its piece: by this factor, and by the light that it gives
/// by itself. It keeps its colour.
const GHOST_LIGHTNESS: f32 = 1.6;
const GHOST_GLOW: Vec4 = Vec4::new(0.03, 0.03, 0.028, 0.0);

pub(super) fn plugin(app: &mut App) {
    let shown = Palette::default();
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let bowls = Side::BOTH.map(|side| meshes.add(bowl_mesh(side, shown)));
    let meshes = KINDS.map(|kind| meshes.add(piece_mesh(kind, shown)));
    let mut materials = app.world_mut().resource_mut::<Assets<TableMaterial>>();
    let material = materials.add(TableMaterial { in_room: true, ..default() });
    let ghost = materials.add(TableMaterial {
        color: (LinearRgba::WHITE * GHOST_LIGHTNESS).with_alpha(GHOST_OPACITY),
        glow: GHOST_GLOW,
        alpha_mode: AlphaMode::Blend,
        in_room: true,
        ..default()
    });
    warm_up(app, meshes[0].clone(), material.clone());
    warm_up(app, meshes[0].clone(), ghost.clone());
    app.insert_resource(PieceAssets { meshes, bowls, material, ghost, shown }).add_systems(
        Update,
        update_pieces.in_set(SceneSet::Board).run_if(
            resource_exists_and_changed::<Settings>.or_else(resource_changed::<AwaitedFiles>),
        ),
    );
}

/// Replaces the meshes when the palette changes, or models have come.
fn update_pieces(
    settings: Res<Settings>,
    awaited: Res<AwaitedFiles>,
    mut assets: ResMut<PieceAssets>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let wanted = settings.palette;
    let is_shown = std::mem::replace(&mut assets.shown, wanted) == wanted;
    if is_shown && (awaited.is_added() || !awaited.is_changed()) {
        return;
    }
    for kind in KINDS {
        if let Some(mut mesh) = meshes.get_mut(&assets.meshes[index(kind)]) {
            *mesh = piece_mesh(kind, wanted);
        }
    }
    for side in Side::BOTH {
        if let Some(mut mesh) = meshes.get_mut(&assets.bowls[side.index()]) {
            *mesh = bowl_mesh(side, wanted);
        }
    }
}

impl PieceAssets {
    /// The mesh of a kind of piece.
    pub(super) fn mesh(&self, kind: PieceKind) -> Handle<Mesh> {
        self.meshes[index(kind)].clone()
    }

    /// The mesh of the bowl with a side's stones.
    pub(super) fn bowl(&self, side: Side) -> Handle<Mesh> {
        self.bowls[side.index()].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All kinds of pieces with the places of their vertices.
    fn all() -> [(PieceKind, Vec<Vec3>); 9] {
        KINDS.map(|kind| {
            let mesh = piece_mesh(kind, Palette::default());
            let places = mesh
                .attribute(Mesh::ATTRIBUTE_POSITION)
                .and_then(|attribute| attribute.as_float3());
            (kind, places.unwrap_or_default().iter().map(|&at| at.into()).collect())
        })
    }

    #[test]
    fn every_piece_fits_its_square_and_the_king_is_the_highest() {
        let mut tops = [0.0_f32; 9];
        for (kind, places) in all() {
            assert!(places.len() > 50, "{kind:?}");
            let top = places.iter().map(|at| at.y).fold(0.0, f32::max);
            let reach = places.iter().map(|at| at.x.abs().max(at.z.abs())).fold(0.0, f32::max);
            assert!(reach < 0.44, "{kind:?} reaches {reach} from its centre");
            tops[index(kind)] = top;
        }
        assert!(tops[0] > tops[1].max(tops[2]) + 0.04, "{tops:?}");
    }

    /// From the seat, a piece covers the square behind it up to where its highest and
    /// farthest parts are seen: half of it stays free, and a piece there is seen whole.
    #[test]
    fn no_piece_of_tablut_hides_more_than_half_of_the_half_square_behind_it() {
        // The cotangent of the pitch, see `SEAT_PITCH`.
        let back = 1.0 / 0.95_f32.tan();
        for (kind, places) in all().iter().filter(|piece| game_of(piece.0).0 == GameKind::Tablut) {
            let hidden = places.iter().map(|at| back * at.y - at.z).fold(0.0, f32::max);
            assert!(hidden < 0.85, "{kind:?} covers {hidden} behind its middle");
        }
    }

    /// The widest radius in each of ten slices of a piece.
    fn outline(places: &[Vec3]) -> [f32; 10] {
        let mut outline = [0.0_f32; 10];
        for at in places {
            let slice = ((at.y / 0.75 * 10.0).max(0.0) as usize).min(9);
            outline[slice] = outline[slice].max(at.xz().length());
        }
        outline
    }

    #[test]
    fn sides_differ_in_outline() {
        let pieces = all();
        for (one, other) in [(1, 2), (3, 4)] {
            let [one, other] = [one, other].map(|number| outline(&pieces[number].1));
            let apart = one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(apart > 0.05, "{apart}");
        }
    }
}
