//! Meshes and materials of the pieces.
//!
//! The sides differ in outline as well as in colour: a Swede has a round head, a
//! Muscovite a pointed hat with a brim, the king a crown; a southern runner ends
//! in a bud, a northern one in a cup; stones have a diamond or a ring.

use bevy::prelude::*;

use super::{
    PieceMeshes,
    contact_shadow::ContactShadow,
    lathe::{king, muscovite, north, south, stone, swede},
    pavilion::pavilion,
};
use crate::{
    app::{
        scene::{
            SceneSet,
            look::{
                finishes::{Finish, Finishes},
                palette::ColorScheme,
                textures::SharedTextures,
                warm_up,
            },
        },
        settings::{Settings, options::Palette},
    },
    games::Side,
    table::PieceKind,
};

/// The handles of [`PieceMeshes`].
#[derive(Clone)]
struct MeshHandles {
    body: Handle<Mesh>,
    trim: Option<Handle<Mesh>>,
}

/// Meshes and materials of all kinds of pieces.
#[derive(Resource)]
pub(crate) struct PieceAssets {
    king: MeshHandles,
    swede: MeshHandles,
    muscovite: MeshHandles,
    runners: [MeshHandles; 2],
    stones: [MeshHandles; 2],
    pavilions: [MeshHandles; 2],
    bone: Handle<StandardMaterial>,
    ebony: Handle<StandardMaterial>,
    lacquer: Handle<StandardMaterial>,
    glaze: Handle<StandardMaterial>,
    plaster: Handle<StandardMaterial>,
    metal: Handle<StandardMaterial>,
    pub(super) contact_shadow: ContactShadow,
}

pub(super) fn plugin(app: &mut App) {
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let mut add = |it: PieceMeshes| MeshHandles {
        body: meshes.add(it.body),
        trim: it.trim.map(|trim| meshes.add(trim)),
    };
    let [king, swede, muscovite] = [king(), swede(), muscovite()].map(&mut add);
    let scheme = ColorScheme::new(Palette::default());
    let [south, north, red, green, red_stone, green_stone] = coloured_meshes(&scheme).map(&mut add);
    let contact_shadow = ContactShadow::new(app.world_mut());
    let turned = app.world().resource::<SharedTextures>().turned.clone();
    let mut material = |textured: bool, reflectance: f32, finish: Finish| {
        let material = StandardMaterial {
            base_color_texture: textured.then(|| turned.clone()),
            perceptual_roughness: finish.roughness,
            metallic: finish.metallic,
            reflectance,
            ..default()
        };
        let material = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(material);
        app.world_mut().resource_mut::<Finishes>().set(&material, finish);
        material
    };
    let assets = PieceAssets {
        king,
        swede,
        muscovite,
        runners: [south, north],
        stones: [red_stone, green_stone],
        pavilions: [red, green],
        bone: material(true, 0.5, Finish::with_clearcoat(0.42, 0.12)),
        ebony: material(true, 0.5, Finish::with_clearcoat(0.36, 0.35)),
        lacquer: material(true, 0.5, Finish::with_clearcoat(0.34, 1.0)),
        glaze: material(true, 0.5, Finish::with_clearcoat(0.32, 0.8)),
        plaster: material(false, 0.3, Finish::with_clearcoat(0.78, 0.0)),
        metal: material(false, 0.5, Finish { roughness: 0.30, metallic: 1.0, ..Finish::default() }),
        contact_shadow,
    };
    for (meshes, material) in [
        (&assets.king, &assets.bone),
        (&assets.swede, &assets.bone),
        (&assets.muscovite, &assets.ebony),
        (&assets.runners[0], &assets.lacquer),
        (&assets.runners[1], &assets.lacquer),
        (&assets.stones[0], &assets.glaze),
        (&assets.stones[1], &assets.glaze),
        (&assets.pavilions[0], &assets.plaster),
        (&assets.pavilions[1], &assets.plaster),
    ] {
        warm_up(app, meshes.body.clone(), material.clone());
        if let Some(trim) = &meshes.trim {
            warm_up(app, trim.clone(), assets.metal.clone());
        }
    }
    let (mesh, material) = assets.contact_shadow.mesh_and_material();
    warm_up(app, mesh, material);
    app.insert_resource(assets).add_systems(
        Update,
        update_piece_colours
            .in_set(SceneSet::Board)
            .run_if(resource_exists_and_changed::<Settings>),
    );
}

/// The meshes whose colours depend on the palette: South's and North's runner,
/// Red's and Green's pavilion, their stones.
fn coloured_meshes(scheme: &ColorScheme) -> [PieceMeshes; 6] {
    [
        south(scheme.runners[0]),
        north(scheme.runners[1]),
        pavilion(scheme.bases[0]),
        pavilion(scheme.bases[1]),
        stone(Side::First, scheme.stones[0]),
        stone(Side::Second, scheme.stones[1]),
    ]
}

/// Replaces the coloured meshes when the palette setting changes.
fn update_piece_colours(
    settings: Res<Settings>,
    assets: Res<PieceAssets>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut current: Local<Palette>,
) {
    if std::mem::replace(&mut *current, settings.palette) == settings.palette {
        return;
    }
    let handles = assets.runners.iter().chain(&assets.pavilions).chain(&assets.stones);
    for (handles, new) in handles.zip(coloured_meshes(&ColorScheme::new(settings.palette))) {
        if let Some(mut mesh) = meshes.get_mut(&handles.body) {
            *mesh = new.body;
        }
    }
}

impl PieceAssets {
    const fn meshes(&self, kind: PieceKind) -> &MeshHandles {
        match kind {
            PieceKind::King => &self.king,
            PieceKind::Soldier { white: true } => &self.swede,
            PieceKind::Soldier { white: false } => &self.muscovite,
            PieceKind::Runner(side) => &self.runners[side.index()],
            PieceKind::Stone(side) => &self.stones[side.index()],
            PieceKind::Pavilion(side) => &self.pavilions[side.index()],
        }
    }

    /// The mesh of a kind of piece.
    pub(super) fn mesh(&self, kind: PieceKind) -> Handle<Mesh> {
        self.meshes(kind).body.clone()
    }

    /// The material of a kind of piece.
    pub(super) fn material(&self, kind: PieceKind) -> Handle<StandardMaterial> {
        match kind {
            PieceKind::King | PieceKind::Soldier { white: true } => &self.bone,
            PieceKind::Soldier { white: false } => &self.ebony,
            PieceKind::Runner(_) => &self.lacquer,
            PieceKind::Stone(_) => &self.glaze,
            PieceKind::Pavilion(_) => &self.plaster,
        }
        .clone()
    }

    /// The metal trim of a kind of piece, if it has any.
    pub(super) fn trim(&self, kind: PieceKind) -> Option<impl Bundle + use<>> {
        let mesh = self.meshes(kind).trim.clone()?;
        Some((Name::new("Trim"), Mesh3d(mesh), MeshMaterial3d(self.metal.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected height of a kind of piece.
    const fn height(kind: PieceKind) -> f32 {
        match kind {
            PieceKind::King => 0.91,
            PieceKind::Soldier { .. } => 0.70,
            PieceKind::Runner(_) => 0.66,
            PieceKind::Stone(_) => 0.22,
            PieceKind::Pavilion(_) => 0.68,
        }
    }

    #[test]
    fn pieces_have_their_expected_height_and_fit_their_square() {
        let scheme = ColorScheme::new(Palette::Clear);
        for (meshes, kind) in [
            (king(), PieceKind::King),
            (swede(), PieceKind::Soldier { white: true }),
            (muscovite(), PieceKind::Soldier { white: false }),
            (south(scheme.runners[0]), PieceKind::Runner(Side::First)),
            (north(scheme.runners[1]), PieceKind::Runner(Side::Second)),
            (stone(Side::First, scheme.stones[0]), PieceKind::Stone(Side::First)),
            (stone(Side::Second, scheme.stones[1]), PieceKind::Stone(Side::Second)),
            (pavilion(scheme.bases[0]), PieceKind::Pavilion(Side::First)),
        ] {
            let meshes = [Some(meshes.body), meshes.trim];
            let positions: Vec<[f32; 3]> = meshes
                .iter()
                .flatten()
                .filter_map(|mesh| mesh.attribute(Mesh::ATTRIBUTE_POSITION)?.as_float3())
                .flatten()
                .copied()
                .collect();
            assert!(!positions.is_empty(), "{kind:?} has no vertices");
            let top = positions.iter().map(|at| at[1]).fold(0.0, f32::max);
            let reach = positions.iter().map(|at| at[0].abs().max(at[2].abs())).fold(0.0, f32::max);
            assert!((top - height(kind)).abs() < 0.08, "{kind:?} is {top} high");
            assert!(reach < 0.44, "{kind:?} reaches {reach} from its centre");
        }
    }
}
