//! Meshes and materials of the pieces.
//!
//! The sides differ in outline as well as in colour, in every set: a turned Swede has a
//! round head, a Muscovite a pointed hat with a brim, the king a crown; a southern runner
//! ends in a bud, a northern one is open or flat; stones have a diamond or a ring.
//!
//! Handles stay when another set or palette is chosen: what they hold is replaced.

use bevy::prelude::*;

use super::{
    PieceMeshes, carved, cast,
    contact_shadow::ContactShadows,
    lathe,
    pavilion::{carved_pavilion, cast_pavilion, pavilion},
};
use crate::{
    app::{
        scene::{
            SceneSet,
            api::FlatView,
            components::Piece,
            look::{
                Surface,
                finishes::{Finish, Finishes},
                mesh_builder::Detail,
                palette::ColorScheme,
                textures::SharedTextures,
                warm_up,
            },
        },
        settings::{
            Settings,
            options::{Palette, PieceSet, PieceSets, Quality},
        },
    },
    games::{GameKind, Side},
    session::PieceKind,
};

/// All kinds of pieces, by [`index`].
const KINDS: [PieceKind; 9] = [
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

/// The game that a kind of piece belongs to.
const fn game_of(kind: PieceKind) -> GameKind {
    match kind {
        PieceKind::King | PieceKind::Soldier { .. } => GameKind::Tablut,
        PieceKind::Runner(_) => GameKind::Tablan,
        PieceKind::Stone(_) | PieceKind::Pavilion(_) => GameKind::Tablaaza,
    }
}

/// The meshes of a kind of piece in a set.
fn meshes_of(kind: PieceKind, set: PieceSet, scheme: &ColorScheme, detail: Detail) -> PieceMeshes {
    match (kind, set) {
        (PieceKind::King, PieceSet::Turned) => lathe::king(detail),
        (PieceKind::King, PieceSet::Carved) => carved::king(detail),
        (PieceKind::King, PieceSet::Cast) => cast::king(detail),
        (PieceKind::Soldier { white: true }, PieceSet::Turned) => lathe::swede(detail),
        (PieceKind::Soldier { white: true }, PieceSet::Carved) => carved::swede(detail),
        (PieceKind::Soldier { white: true }, PieceSet::Cast) => cast::swede(detail),
        (PieceKind::Soldier { white: false }, PieceSet::Turned) => lathe::muscovite(detail),
        (PieceKind::Soldier { white: false }, PieceSet::Carved) => carved::muscovite(detail),
        (PieceKind::Soldier { white: false }, PieceSet::Cast) => cast::muscovite(detail),
        (PieceKind::Runner(side), _) => {
            let [south, north]: [fn(Color, Detail) -> PieceMeshes; 2] = match set {
                PieceSet::Turned => [lathe::south, lathe::north],
                PieceSet::Carved => [carved::south, carved::north],
                PieceSet::Cast => [cast::south, cast::north],
            };
            let make = if side == Side::First { south } else { north };
            make(scheme.runners[side.index()], detail)
        }
        (PieceKind::Stone(side), _) => {
            let make = match set {
                PieceSet::Turned => lathe::stone,
                PieceSet::Carved => carved::stone,
                PieceSet::Cast => cast::stone,
            };
            make(side, scheme.stones[side.index()], detail)
        }
        (PieceKind::Pavilion(side), _) => {
            let make = match set {
                PieceSet::Turned => pavilion,
                PieceSet::Carved => carved_pavilion,
                PieceSet::Cast => cast_pavilion,
            };
            make(scheme.bases[side.index()], detail)
        }
    }
}

/// The material of a kind of piece in a set, and its finish.
fn material_of(
    kind: PieceKind,
    set: PieceSet,
    texture: &Handle<Image>,
) -> (StandardMaterial, Finish) {
    let finish = Finish::with_clearcoat;
    let is_pavilion = matches!(kind, PieceKind::Pavilion(_));
    let finish = match (kind, set) {
        (PieceKind::King | PieceKind::Soldier { white: true }, PieceSet::Turned) => {
            finish(0.42, 0.12)
        }
        (PieceKind::Soldier { white: false }, PieceSet::Turned) => finish(0.36, 0.35),
        (PieceKind::King | PieceKind::Soldier { .. }, PieceSet::Carved) => finish(0.52, 0.0),
        (PieceKind::Runner(_), PieceSet::Turned) => finish(0.34, 1.0),
        (PieceKind::Runner(_), PieceSet::Carved) => finish(0.58, 0.0),
        (PieceKind::Runner(_), PieceSet::Cast) => finish(0.20, 1.0),
        (PieceKind::Stone(_), PieceSet::Turned) => finish(0.32, 0.8),
        (PieceKind::Stone(_), PieceSet::Carved) => finish(0.26, 0.4),
        (PieceKind::King | PieceKind::Soldier { .. } | PieceKind::Stone(_), PieceSet::Cast) => {
            finish(0.07, 0.0)
        }
        (PieceKind::Pavilion(_), PieceSet::Turned) => finish(0.78, 0.0),
        (PieceKind::Pavilion(_), PieceSet::Carved) => finish(0.62, 0.0),
        (PieceKind::Pavilion(_), PieceSet::Cast) => finish(0.34, 0.6),
    };
    let is_glass = set == PieceSet::Cast && !is_pavilion && !matches!(kind, PieceKind::Runner(_));
    let mut material = StandardMaterial {
        base_color_texture: (!is_pavilion && !is_glass).then(|| texture.clone()),
        perceptual_roughness: finish.roughness,
        metallic: finish.metallic,
        reflectance: if is_pavilion && set == PieceSet::Turned { 0.3 } else { 0.5 },
        ..default()
    };
    if is_glass {
        material.reflectance = 0.72;
        // Its reflections are as strong as those of opaque things.
        material.alpha_mode = AlphaMode::Premultiplied;
        // It is drawn over what lies on the squares.
        material.depth_bias = 50.0;
    }
    (material, finish)
}

/// The finish of the metal on a game's pieces.
fn metal_finish(set: PieceSet) -> Finish {
    let roughness = match set {
        PieceSet::Turned => 0.30,
        PieceSet::Carved => 0.40,
        PieceSet::Cast => 0.24,
    };
    Finish { roughness, metallic: 1.0, ..Finish::default() }
}

/// The meshes and the material of a kind of piece.
#[derive(Clone)]
struct KindAssets {
    body: Handle<Mesh>,
    trim: Option<Handle<Mesh>>,
    material: Handle<StandardMaterial>,
}

/// Meshes and materials of all kinds of pieces.
#[derive(Resource)]
pub(crate) struct PieceAssets {
    kinds: [KindAssets; 9],
    /// The metal on the pieces of each game.
    metals: [Handle<StandardMaterial>; 3],
    pub(super) contact_shadows: ContactShadows,
    /// What the assets show.
    shown: (Palette, PieceSets, Detail),
}

/// The metal on a piece.
#[derive(Component)]
pub(crate) struct Trim;

pub(super) fn plugin(app: &mut App) {
    let contact_shadows = ContactShadows::new(app.world_mut());
    let texture = app.world().resource::<SharedTextures>().turned.clone();
    let scheme = ColorScheme::new(Palette::default());
    let set = PieceSet::default();
    let kinds = KINDS.map(|kind| {
        let made = meshes_of(kind, set, &scheme, Detail::Coarse);
        let (material, finish) = material_of(kind, set, &texture);
        let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
        let (body, trim) = (meshes.add(made.body), made.trim.map(|it| meshes.add(it)));
        let material = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(material);
        app.world_mut().resource_mut::<Finishes>().set(&material, finish);
        KindAssets { body, trim, material }
    });
    let metals = [(); 3].map(|()| {
        let finish = metal_finish(set);
        let metal = StandardMaterial {
            perceptual_roughness: finish.roughness,
            metallic: finish.metallic,
            ..default()
        };
        let metal = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(metal);
        app.world_mut().resource_mut::<Finishes>().set(&metal, finish);
        metal
    });
    for (kind, assets) in KINDS.into_iter().zip(&kinds) {
        warm_up(app, assets.body.clone(), assets.material.clone());
        if let Some(trim) = &assets.trim {
            warm_up(app, trim.clone(), metals[game_of(kind) as usize].clone());
        }
    }
    let (mesh, material) = contact_shadows.mesh_and_material();
    warm_up(app, mesh, material);
    let shown = (Palette::default(), PieceSets::default(), Detail::Coarse);
    app.insert_resource(PieceAssets { kinds, metals, contact_shadows, shown }).add_systems(
        Update,
        (update_pieces, update_trims).chain().in_set(SceneSet::Board).run_if(
            resource_exists_and_changed::<Settings>.or_else(resource_exists_and_changed::<Quality>),
        ),
    );
}

/// Replaces meshes and materials when the palette, a set or the quality changes.
fn update_pieces(
    (settings, quality): (Res<Settings>, Res<Quality>),
    textures: Res<SharedTextures>,
    mut assets: ResMut<PieceAssets>,
    mut finishes: ResMut<Finishes>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let (palette, sets) = (settings.palette, settings.sets);
    let detail = if *quality == Quality::Low { Detail::Coarse } else { Detail::Fine };
    if assets.shown == (palette, sets, detail) {
        return;
    }
    let before = std::mem::replace(&mut assets.shown, (palette, sets, detail));
    let scheme = ColorScheme::new(palette);
    for kind in KINDS {
        let game = game_of(kind);
        let set = sets.of(game);
        let is_other_set = set != before.1.of(game);
        let has_palette = game != GameKind::Tablut;
        if !(is_other_set || detail != before.2 || has_palette && palette != before.0) {
            continue;
        }
        let made = meshes_of(kind, set, &scheme, detail);
        let own = &mut assets.kinds[index(kind)];
        if let Some(mut body) = meshes.get_mut(&own.body) {
            *body = made.body;
        }
        own.trim = match (own.trim.take(), made.trim) {
            (Some(handle), Some(trim)) => {
                if let Some(mut mesh) = meshes.get_mut(&handle) {
                    *mesh = trim;
                }
                Some(handle)
            }
            (_, trim) => trim.map(|it| meshes.add(it)),
        };
        if !is_other_set {
            continue;
        }
        let (material, finish) = material_of(kind, set, &textures.turned);
        finishes.set(&own.material, finish);
        if let Some(mut shown) = materials.get_mut(&own.material) {
            *shown = material;
        }
        finishes.set(&assets.metals[game as usize], metal_finish(set));
    }
}

/// Gives the pieces on the table the metal of another set.
fn update_trims(
    mut commands: Commands,
    assets: Res<PieceAssets>,
    flat: Res<FlatView>,
    pieces: Query<(Entity, &Piece)>,
    trims: Query<(Entity, &ChildOf), With<Trim>>,
    mut last: Local<PieceSets>,
) {
    let sets = assets.shown.1;
    let before = std::mem::replace(&mut *last, sets);
    if before == sets {
        return;
    }
    let changed = |kind| before.of(game_of(kind)) != sets.of(game_of(kind));
    for (trim, parent) in &trims {
        if pieces.get(parent.0).is_ok_and(|(_, piece)| changed(piece.kind)) {
            commands.entity(trim).despawn();
        }
    }
    let shown = if flat.0 { Visibility::Hidden } else { Visibility::Inherited };
    for (entity, piece) in &pieces {
        if changed(piece.kind)
            && let Some(trim) = assets.trim(piece.kind)
        {
            commands.entity(entity).with_child((trim, shown));
        }
    }
}

impl PieceAssets {
    const fn assets(&self, kind: PieceKind) -> &KindAssets {
        &self.kinds[index(kind)]
    }

    /// The mesh of a kind of piece.
    pub(super) fn mesh(&self, kind: PieceKind) -> Handle<Mesh> {
        self.assets(kind).body.clone()
    }

    /// The material of a kind of piece.
    pub(super) fn material(&self, kind: PieceKind) -> Handle<StandardMaterial> {
        self.assets(kind).material.clone()
    }

    /// The metal trim of a kind of piece, if it has any.
    pub(super) fn trim(&self, kind: PieceKind) -> Option<impl Bundle + use<>> {
        let mesh = self.assets(kind).trim.clone()?;
        let metal = self.metals[game_of(kind) as usize].clone();
        Some((Trim, Name::new("Trim"), Mesh3d(mesh), Surface(metal)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected height of a kind of piece.
    const fn height(kind: PieceKind) -> f32 {
        match kind {
            PieceKind::King => 0.84,
            PieceKind::Soldier { .. } => 0.70,
            PieceKind::Runner(_) => 0.66,
            PieceKind::Stone(_) => 0.22,
            PieceKind::Pavilion(_) => 0.68,
        }
    }

    /// The vertices of a mesh with this attribute.
    fn positions(meshes: &PieceMeshes) -> Vec<Vec3> {
        let meshes = [Some(&meshes.body), meshes.trim.as_ref()];
        let positions = meshes
            .iter()
            .flatten()
            .filter_map(|mesh| mesh.attribute(Mesh::ATTRIBUTE_POSITION)?.as_float3());
        positions.flatten().map(|&at| at.into()).collect()
    }

    /// All sets with all kinds of pieces, in this detail.
    fn all_in(detail: Detail) -> impl Iterator<Item = (PieceSet, PieceKind, PieceMeshes)> {
        let scheme = ColorScheme::new(Palette::BlueOrange);
        let kinds = PieceSet::ALL.into_iter().flat_map(|set| KINDS.map(|kind| (set, kind)));
        kinds.map(move |(set, kind)| (set, kind, meshes_of(kind, set, &scheme, detail)))
    }

    /// All sets with all kinds of pieces.
    fn all() -> impl Iterator<Item = (PieceSet, PieceKind, PieceMeshes)> {
        all_in(Detail::Fine)
    }

    #[test]
    fn pieces_have_their_expected_height_and_fit_their_square() {
        for (set, kind, meshes) in all().chain(all_in(Detail::Coarse)) {
            let positions = positions(&meshes);
            assert!(!positions.is_empty(), "{set} {kind:?} has no vertices");
            assert!(positions.iter().all(|at| at.is_finite()), "{set} {kind:?}");
            let top = positions.iter().map(|at| at.y).fold(0.0, f32::max);
            let reach = positions.iter().map(|at| at.x.abs().max(at.z.abs())).fold(0.0, f32::max);
            assert!((top - height(kind)).abs() < 0.08, "{set} {kind:?} is {top} high");
            assert!(reach < 0.44, "{set} {kind:?} reaches {reach} from its centre");
        }
    }

    /// From the seat, a piece covers the square behind it up to where its highest and
    /// farthest parts are seen: half of it stays free, and a piece there is seen whole.
    #[test]
    fn no_piece_of_tablut_hides_more_than_half_of_the_half_square_behind_it() {
        // The cotangent of the pitch, see `SEAT_PITCH`.
        let back = 1.0 / 0.95_f32.tan();
        for (set, kind, meshes) in all().filter(|it| game_of(it.1) == GameKind::Tablut) {
            let hidden = positions(&meshes).iter().map(|at| back * at.y - at.z).fold(0.0, f32::max);
            assert!(hidden < 0.81, "{set} {kind:?} covers {hidden} behind its middle");
        }
    }

    #[test]
    fn the_king_is_the_highest_piece() {
        for set in PieceSet::ALL {
            let scheme = ColorScheme::new(Palette::default());
            let top = |kind| {
                let positions = positions(&meshes_of(kind, set, &scheme, Detail::Fine));
                positions.iter().map(|at| at.y).fold(0.0, f32::max)
            };
            for white in [false, true] {
                assert!(top(PieceKind::King) > top(PieceKind::Soldier { white }) + 0.04, "{set}");
            }
        }
    }

    fn triangles(meshes: &PieceMeshes) -> usize {
        let meshes = [Some(&meshes.body), meshes.trim.as_ref()];
        let indices = meshes.into_iter().flatten().filter_map(Mesh::indices);
        indices.map(bevy::mesh::Indices::len).sum::<usize>() / 3
    }

    /// On a software renderer each triangle takes its time.
    #[test]
    fn no_piece_has_more_triangles_than_are_seen() {
        for (detail, most) in [(Detail::Fine, 9_500), (Detail::Coarse, 3_500)] {
            for (set, kind, meshes) in all_in(detail) {
                let count = triangles(&meshes);
                assert!(count <= most, "{detail:?} {set} {kind:?}: {count}");
            }
        }
    }

    /// The widest radius in each of ten slices of a piece.
    fn outline(meshes: &PieceMeshes) -> [f32; 10] {
        let mut outline = [0.0_f32; 10];
        for at in positions(meshes) {
            let slice = ((at.y / 0.75 * 10.0).max(0.0) as usize).min(9);
            outline[slice] = outline[slice].max(at.xz().length());
        }
        outline
    }

    #[test]
    fn sides_differ_in_outline_in_every_set() {
        let scheme = ColorScheme::new(Palette::BlueOrange);
        for set in PieceSet::ALL {
            for [one, other] in [[KINDS[1], KINDS[2]], [KINDS[3], KINDS[4]]] {
                let [one, other] =
                    [one, other].map(|it| outline(&meshes_of(it, set, &scheme, Detail::Coarse)));
                let apart = one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(apart > 0.05, "{set}: {apart}");
            }
        }
    }

    /// The mean luminance of a body, by area.
    fn luminance(mesh: &Mesh) -> f32 {
        let floats = |it| mesh.attribute(it).and_then(|it| it.as_float3()).unwrap_or_default();
        let at = floats(Mesh::ATTRIBUTE_POSITION);
        let Some(bevy::mesh::VertexAttributeValues::Float32x4(colours)) =
            mesh.attribute(Mesh::ATTRIBUTE_COLOR)
        else {
            return 0.0;
        };
        let indices: Vec<usize> =
            mesh.indices().into_iter().flat_map(bevy::mesh::Indices::iter).collect();
        let (mut sum, mut area) = (0.0, 0.0);
        for triangle in indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| Vec3::from(at[triangle[corner]]));
            let size = (b - a).cross(c - a).length();
            let [red, green, blue, alpha] = colours[triangle[0]];
            let colour = LinearRgba::new(red, green, blue, alpha);
            sum += size * colour.luminance() / alpha.max(0.1);
            area += size;
        }
        sum / area
    }

    #[test]
    fn sides_differ_in_luminance_in_every_set_for_colour_blind_players() {
        let scheme = ColorScheme::new(Palette::BlueOrange);
        for set in PieceSet::ALL {
            for pair in [1, 3, 5, 7] {
                let [one, other] = [KINDS[pair], KINDS[pair + 1]].map(|kind| {
                    luminance(&meshes_of(kind, set, &scheme, Detail::Fine).body) + 0.05
                });
                let contrast = one.max(other) / one.min(other);
                let least = if pair == 7 { 1.1 } else { 1.5 };
                assert!(contrast > least, "{set} {:?}: {contrast}", KINDS[pair]);
            }
        }
    }

    #[test]
    fn sets_have_shapes_of_their_own() {
        let all: Vec<_> = all().collect();
        for (set, kind, meshes) in &all {
            for (other_set, other_kind, other) in &all {
                if kind == other_kind && set != other_set {
                    assert_ne!(positions(meshes), positions(other), "{set} {other_set} {kind:?}");
                }
            }
        }
    }
}
