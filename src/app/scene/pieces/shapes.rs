//! What figures look like and what they are made of.
//!
//! Sides differ in outline as well as colour: a Swede has a round head, a
//! Muscovite a brimmed, pointed hat, the king a crown; a southern runner ends
//! in a bud, a northern one in a cup.

use bevy::prelude::*;

use super::{
    contact_shadow::Contact,
    lathe::{king, muscovite, north, south, stone, swede},
    pavilion::pavilion,
};
use crate::{
    app::{
        scene::{
            animation::SceneSet,
            look::{
                palette::Scheme,
                textures::{Finish, Finishes, Grain},
                warm_up,
            },
        },
        settings::{Settings, options::Palette},
    },
    table::PieceKind,
};

/// The meshes of a figure: what it is made of, and the metal on it.
pub(super) struct Sculpture {
    pub(super) body: Mesh,
    pub(super) trim: Option<Mesh>,
}

/// A figure's meshes where they are kept.
#[derive(Clone)]
struct ShapeAssets {
    body: Handle<Mesh>,
    trim: Option<Handle<Mesh>>,
}

/// Meshes and materials of all figures.
#[derive(Resource)]
pub(crate) struct Shapes {
    king: ShapeAssets,
    swede: ShapeAssets,
    muscovite: ShapeAssets,
    runners: [ShapeAssets; 2],
    stone: ShapeAssets,
    pavilions: [ShapeAssets; 2],
    bone: Handle<StandardMaterial>,
    ebony: Handle<StandardMaterial>,
    lacquer: Handle<StandardMaterial>,
    slate: Handle<StandardMaterial>,
    plaster: Handle<StandardMaterial>,
    metal: Handle<StandardMaterial>,
    /// The darkness under each figure.
    pub(super) contact: Contact,
}

pub(super) fn plugin(app: &mut App) {
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let mut cast = |it: Sculpture| ShapeAssets {
        body: meshes.add(it.body),
        trim: it.trim.map(|trim| meshes.add(trim)),
    };
    let [king, swede, muscovite, stone] = [king(), swede(), muscovite(), stone()].map(&mut cast);
    let [south, north, red, green] = coloured(&Scheme::of(Palette::default())).map(&mut cast);
    let contact = Contact::new(app.world_mut());
    let turned = app.world().resource::<Grain>().turned.clone();
    let mut of = |grained: bool, reflectance: f32, finish: Finish| {
        let material = StandardMaterial {
            base_color_texture: grained.then(|| turned.clone()),
            perceptual_roughness: finish.even.0,
            metallic: finish.even.1,
            reflectance,
            ..default()
        };
        let material = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(material);
        app.world_mut().resource_mut::<Finishes>().give(&material, finish);
        material
    };
    let shapes = Shapes {
        king,
        swede,
        muscovite,
        runners: [south, north],
        stone,
        pavilions: [red, green],
        bone: of(true, 0.5, Finish::lacquered(0.42, 0.12)),
        ebony: of(true, 0.5, Finish::lacquered(0.36, 0.35)),
        lacquer: of(true, 0.5, Finish::lacquered(0.34, 1.0)),
        slate: of(true, 0.45, Finish::lacquered(0.36, 0.10)),
        plaster: of(false, 0.3, Finish::lacquered(0.78, 0.0)),
        metal: of(false, 0.5, Finish { even: (0.30, 1.0), ..Finish::default() }),
        contact,
    };
    for (cast, material) in [
        (&shapes.king, &shapes.bone),
        (&shapes.swede, &shapes.bone),
        (&shapes.muscovite, &shapes.ebony),
        (&shapes.runners[0], &shapes.lacquer),
        (&shapes.runners[1], &shapes.lacquer),
        (&shapes.stone, &shapes.slate),
        (&shapes.pavilions[0], &shapes.plaster),
        (&shapes.pavilions[1], &shapes.plaster),
    ] {
        warm_up(app, cast.body.clone(), material.clone());
        if let Some(trim) = &cast.trim {
            warm_up(app, trim.clone(), shapes.metal.clone());
        }
    }
    let (mesh, material) = shapes.contact.drawn();
    warm_up(app, mesh, material);
    app.insert_resource(shapes).add_systems(
        Update,
        repaint.in_set(SceneSet::Board).run_if(resource_exists_and_changed::<Settings>),
    );
}

/// The figures whose colours can be chosen: South's and North's runner, Red's
/// and Green's pavilion.
fn coloured(scheme: &Scheme) -> [Sculpture; 4] {
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
    let casts = shapes.runners.iter().chain(&shapes.pavilions);
    for (cast, sculpture) in casts.zip(coloured(&Scheme::of(settings.palette))) {
        if let Some(mut old) = meshes.get_mut(&cast.body) {
            *old = sculpture.body;
        }
    }
}

impl Shapes {
    const fn cast(&self, figure: PieceKind) -> &ShapeAssets {
        match figure {
            PieceKind::King => &self.king,
            PieceKind::Soldier { white: true } => &self.swede,
            PieceKind::Soldier { white: false } => &self.muscovite,
            PieceKind::Runner(side) => &self.runners[side.index()],
            PieceKind::Stone(_) => &self.stone,
            PieceKind::Pavilion(side) => &self.pavilions[side.index()],
        }
    }

    /// The mesh of a figure.
    pub(crate) fn mesh(&self, figure: PieceKind) -> Handle<Mesh> {
        self.cast(figure).body.clone()
    }

    /// The material of a figure.
    pub(crate) fn material(&self, figure: PieceKind) -> Handle<StandardMaterial> {
        match figure {
            PieceKind::King | PieceKind::Soldier { white: true } => &self.bone,
            PieceKind::Soldier { white: false } => &self.ebony,
            PieceKind::Runner(_) => &self.lacquer,
            PieceKind::Stone(_) => &self.slate,
            PieceKind::Pavilion(_) => &self.plaster,
        }
        .clone()
    }

    /// The metal on a figure, if it has some.
    pub(super) fn trim(&self, figure: PieceKind) -> Option<impl Bundle + use<>> {
        let mesh = self.cast(figure).trim.clone()?;
        Some((Name::new("Trim"), Mesh3d(mesh), MeshMaterial3d(self.metal.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Side;

    /// How far over the board a figure's top is.
    const fn height(figure: PieceKind) -> f32 {
        match figure {
            PieceKind::King => 1.08,
            PieceKind::Soldier { .. } => 0.70,
            PieceKind::Runner(_) => 0.66,
            PieceKind::Stone(_) => 0.22,
            PieceKind::Pavilion(_) => 0.68,
        }
    }

    #[test]
    fn figures_are_as_high_as_said_and_fit_their_square() {
        let scheme = Scheme::of(Palette::Clear);
        for (sculpture, figure) in [
            (king(), PieceKind::King),
            (swede(), PieceKind::Soldier { white: true }),
            (muscovite(), PieceKind::Soldier { white: false }),
            (south(scheme.runners[0]), PieceKind::Runner(Side::First)),
            (north(scheme.runners[1]), PieceKind::Runner(Side::Second)),
            (stone(), PieceKind::Stone(Side::First)),
            (pavilion(scheme.bases[0]), PieceKind::Pavilion(Side::First)),
        ] {
            let meshes = [Some(sculpture.body), sculpture.trim];
            let places: Vec<[f32; 3]> = meshes
                .iter()
                .flatten()
                .filter_map(|mesh| mesh.attribute(Mesh::ATTRIBUTE_POSITION)?.as_float3())
                .flatten()
                .copied()
                .collect();
            assert!(!places.is_empty(), "{figure:?} has no vertices");
            let top = places.iter().map(|at| at[1]).fold(0.0, f32::max);
            let wide = places.iter().map(|at| at[0].abs().max(at[2].abs())).fold(0.0, f32::max);
            assert!((top - height(figure)).abs() < 0.08, "{figure:?} is {top} high");
            assert!(wide < 0.44, "{figure:?} is {wide} wide");
        }
    }
}
