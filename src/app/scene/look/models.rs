//! The models in `assets/scenes`, which `tools/art` makes: boards, pieces, sticks, rooms.
//!
//! They are read where they are first needed.

use std::sync::LazyLock;

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, MeshVertexAttribute, PrimitiveTopology, VertexAttributeValues, VertexFormat},
};
use gltf::{Semantic, accessor::Iter, mesh::Reader};
use serde::Deserialize;

use super::{
    files::{DamagedFile, GameFile, SceneFile, game_file, is_here, scene_file},
    palette,
};
use crate::app::scene::prelude::*;

/// How much light of each lamp reaches a vertex: of 1, twice the square.
pub(crate) const ATTRIBUTE_LIGHT: MeshVertexAttribute =
    MeshVertexAttribute::new("Light", 0x7AB1_AE00, VertexFormat::Unorm8x4);

/// A light of 1 from each lamp.
const EVEN_LIGHT: [u8; 4] = [180; 4];

/// A file with models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModelFile {
    /// The board and the pieces of a game.
    Game(GameKind),
    /// The tables, and what is seen beyond them.
    Rooms,
}

type Models = LazyLock<Result<Vec<Model>, DamagedFile>>;

static TABLUT: Models = LazyLock::new(|| read(model_of(GameKind::Tablut)));
static TABLAN: Models = LazyLock::new(|| read(model_of(GameKind::Tablan)));
static TABLAAZA: Models = LazyLock::new(|| read(model_of(GameKind::Tablaaza)));
static ROOMS: Models = LazyLock::new(|| read(scene_file!("room.glb")));

fn model_of(game: GameKind) -> SceneFile {
    game_file(game, GameFile::Model)
}

/// A named node of a file: its parts have a material each.
struct Model {
    name: String,
    parts: Vec<Part>,
}

/// What is of one material.
pub(super) struct Part {
    material: String,
    /// How strongly it mirrors; metal mirrors in its own colour and has -1.
    gloss: f32,
    /// Its mean colour, from which a palette's tint starts.
    pub(super) colour: Option<LinearRgba>,
    has_picture: bool,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    pub(super) uvs: Vec<[f32; 2]>,
    /// The alpha is the share of a palette's tint.
    colours: Vec<[f32; 4]>,
    light: Vec<[u8; 4]>,
    pub(super) indices: Vec<u32>,
}

/// What `tools/art` says of a material beyond glTF's own.
#[derive(Default, Deserialize)]
struct Extras {
    texture: Option<String>,
    #[serde(default)]
    clearcoat: f32,
    colour: Option<[f32; 3]>,
}

impl Part {
    /// The colour that a palette wants in place of its own.
    pub(super) fn wanted(&self, palette: Palette) -> Option<(LinearRgba, LinearRgba)> {
        Some((palette::tint(palette, &self.material)?.to_linear(), self.colour?))
    }

    /// The colours of its vertices in a palette, with the gloss as their alpha.
    fn painted(&self, palette: Palette) -> impl Iterator<Item = [f32; 4]> {
        let tint = self.wanted(palette).filter(|_| !self.has_picture);
        let tint = tint.map_or(Vec3::ONE, |(wanted, own)| wanted.to_vec3() / own.to_vec3());
        self.colours.iter().map(move |&colour| {
            let [red, green, blue, share] = colour;
            let painted = Vec3::new(red, green, blue) * Vec3::ONE.lerp(tint, share);
            painted.extend(self.gloss).to_array()
        })
    }
}

fn read(file: SceneFile) -> Result<Vec<Model>, DamagedFile> {
    let gltf = gltf::Gltf::from_slice(file.1).map_err(|error| file.damaged(error))?;
    let blob = gltf.blob.as_deref().ok_or_else(|| file.damaged("it has no data"))?;
    let nodes = gltf.nodes().filter_map(|node| Some((node.name()?.to_owned(), node.mesh()?)));
    let models = nodes.map(|(name, mesh)| {
        let parts = mesh
            .primitives()
            .map(|primitive| part(file, &primitive, blob))
            .collect::<Result<_, _>>()?;
        Ok(Model { name, parts })
    });
    models.collect()
}

fn part(
    file: SceneFile,
    primitive: &gltf::Primitive<'_>,
    blob: &[u8],
) -> Result<Part, DamagedFile> {
    let material = primitive.material();
    let name = material.name().unwrap_or_default().to_owned();
    let missing = |what: &str| file.damaged(format!("{name} has no {what}"));
    let extras: Extras = match material.extras() {
        Some(extras) => serde_json::from_str(extras.get()).map_err(|error| file.damaged(error))?,
        None => Extras::default(),
    };
    let reader: Reader<'_, '_, _> = primitive.reader(|_| Some(blob));
    let positions: Vec<_> = reader.read_positions().ok_or_else(|| missing("place"))?.collect();
    let count = positions.len();
    let colours = reader.read_colors(0).map(|colors| colors.into_rgba_f32().collect());
    let light = primitive
        .get(&Semantic::Extras("LIGHT".to_owned()))
        .and_then(|accessor| Iter::<[u8; 4]>::new(accessor, |_| Some(blob)))
        .map(Iterator::collect);
    let gloss = match name.as_str() {
        _ if material.pbr_metallic_roughness().metallic_factor() > 0.5 => -1.0,
        "frame" => 0.5,
        "stick" => 1.1,
        "table" => 0.4,
        // The water above it mirrors.
        "lake" => 0.0,
        "quay" | "street" => 0.2,
        _ if name.starts_with("square") => 0.35,
        _ if name.starts_with("plot") => 0.5,
        // Of the stones that lie there, one would mirror the window with its whole table.
        "bowl_red" | "bowl_green" => 0.03,
        "dome" => 0.0,
        _ if extras.texture.is_none() => 0.35 + 0.9 * extras.clearcoat,
        _ => 0.0,
    };
    let part = Part {
        gloss,
        colour: extras.colour.map(LinearRgba::from_f32_array_no_alpha),
        has_picture: extras.texture.is_some(),
        normals: reader.read_normals().ok_or_else(|| missing("normals"))?.collect(),
        uvs: reader.read_tex_coords(0).ok_or_else(|| missing("UVs"))?.into_f32().collect(),
        colours: colours.unwrap_or_else(|| vec![[1.0; 4]; count]),
        light: light.unwrap_or_else(|| vec![EVEN_LIGHT; count]),
        indices: reader.read_indices().ok_or_else(|| missing("faces"))?.into_u32().collect(),
        material: name.clone(),
        positions,
    };
    let counts = [part.normals.len(), part.uvs.len(), part.colours.len(), part.light.len()];
    if counts.iter().any(|other| *other != count)
        || part.indices.iter().any(|index| *index as usize >= count)
    {
        return Err(missing("vertex for each index"));
    }
    Ok(part)
}

/// What is wrong with the models of a game.
#[cfg(target_arch = "wasm32")]
pub(super) fn check(game: GameKind) -> Option<DamagedFile> {
    models_of(ModelFile::Game(game)).0.as_ref().err().cloned()
}

/// The models of a file, and its name.
fn models_of(file: ModelFile) -> (&'static Models, &'static str) {
    match file {
        ModelFile::Game(GameKind::Tablut) => (&TABLUT, "tablut.glb"),
        ModelFile::Game(GameKind::Tablan) => (&TABLAN, "tablan.glb"),
        ModelFile::Game(GameKind::Tablaaza) => (&TABLAAZA, "tablaaza.glb"),
        ModelFile::Rooms => (&ROOMS, "room.glb"),
    }
}

/// The parts of a node; none of a game whose files have not come.
pub(super) fn parts(file: ModelFile, name: &str) -> Result<&'static [Part], DamagedFile> {
    if matches!(file, ModelFile::Game(game) if !is_here(game)) {
        return Ok(&[]);
    }
    let (models, known) = models_of(file);
    let models = models.as_ref().map_err(Clone::clone)?;
    let model = models.iter().find(|model| model.name == name);
    let missing = || DamagedFile { file: known, problem: format!("{name} is missing") };
    Ok(&model.ok_or_else(missing)?.parts)
}

/// These nodes of a file as one mesh, in the colours of a palette. What cannot be read is
/// left out, and said in the log.
pub(crate) fn model_mesh(file: ModelFile, names: &[&str], palette: Palette) -> Mesh {
    let parts = names.iter().flat_map(|name| {
        parts(file, name).unwrap_or_else(|damaged| {
            error!("{damaged}");
            &[]
        })
    });
    let mut indices: Vec<u32> = Vec::new();
    let (mut positions, mut normals, mut uvs) = (Vec::new(), Vec::new(), Vec::new());
    let (mut colours, mut light) = (Vec::new(), Vec::new());
    for part in parts {
        let first = u32::try_from(positions.len()).unwrap_or(u32::MAX);
        indices.extend(part.indices.iter().map(|index| first + index));
        positions.extend_from_slice(&part.positions);
        normals.extend_from_slice(&part.normals);
        uvs.extend_from_slice(&part.uvs);
        colours.extend(part.painted(palette));
        light.extend_from_slice(&part.light);
    }
    if positions.is_empty() {
        // Bevy's renderer reports an error for a mesh without vertices, and a model whose file
        // is still to come has none.
        positions.push([0.0; 3]);
        normals.push([0.0, 1.0, 0.0]);
        uvs.push([0.0; 2]);
        colours.push([1.0; 4]);
        light.push([0; 4]);
        indices.extend([0; 3]);
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
        .with_inserted_attribute(ATTRIBUTE_LIGHT, VertexAttributeValues::Unorm8x4(light))
        .with_inserted_indices(Indices::U32(indices))
}

/// A mesh that every lamp reaches as it does a level place on an empty table, and which
/// mirrors this strongly.
pub(crate) fn evenly_lit(mut mesh: Mesh, gloss: f32) -> Mesh {
    if let Some(VertexAttributeValues::Float32x4(colours)) =
        mesh.attribute_mut(Mesh::ATTRIBUTE_COLOR)
    {
        colours.iter_mut().for_each(|colour| colour[3] = gloss);
    }
    let light = vec![EVEN_LIGHT; mesh.count_vertices()];
    mesh.with_inserted_attribute(ATTRIBUTE_LIGHT, VertexAttributeValues::Unorm8x4(light))
}

/// The colour of each material of a game that has one, in a palette.
#[cfg(test)]
pub(crate) fn colours_of(
    game: GameKind,
    palette: Palette,
) -> std::collections::BTreeMap<&'static str, LinearRgba> {
    let (models, _) = models_of(ModelFile::Game(game));
    let parts = models.as_ref().expect("models").iter().flat_map(|model| &model.parts);
    let colour = |part: &'static Part| {
        let wanted = part.wanted(palette).map(|wanted| wanted.0);
        Some((part.material.as_str(), wanted.or(part.colour)?))
    };
    parts.filter_map(colour).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_named() {
        let SceneFile(name, whole) = model_of(GameKind::Tablan);
        for length in [0, 3, 40, 4_000, whole.len() - 40] {
            let error = read(SceneFile(name, &whole[..length])).err().expect("an error");
            assert!(error.to_string().starts_with("assets/scenes/tablan.glb is damaged: "));
        }
        let error = parts(ModelFile::Rooms, "piano").err().expect("an error");
        assert_eq!(error.to_string(), "assets/scenes/room.glb is damaged: piano is missing");
    }

    #[test]
    fn metal_and_lacquer_mirror_and_cloth_does_not() {
        let gloss = |game, node: &str| -> Vec<f32> {
            let parts = parts(ModelFile::Game(game), node).expect("a model");
            parts.iter().map(|part| part.gloss).collect()
        };
        assert_eq!(gloss(GameKind::Tablan, "piece_runner_south"), [1.25, -1.0]);
        assert_eq!(gloss(GameKind::Tablut, "cloth"), [0.0]);
        assert_eq!(gloss(GameKind::Tablut, "frame"), [0.5]);
    }

    #[test]
    fn the_room_is_seen_from_inside() {
        let mesh = model_mesh(ModelFile::Rooms, &["dome"], Palette::default());
        for triangle in mesh.triangles().expect("triangles") {
            let [a, b, c] = triangle.vertices;
            assert!((b - a).cross(c - a).dot(a) <= 1e-3, "{a} faces outwards");
        }
    }

    #[test]
    fn a_palette_paints_lacquer_and_leaves_bone() {
        let file = ModelFile::Game(GameKind::Tablan);
        let colours = |palette| -> Vec<[f32; 4]> {
            let mesh = model_mesh(file, &["piece_runner_south"], palette);
            match mesh.attribute(Mesh::ATTRIBUTE_COLOR) {
                Some(VertexAttributeValues::Float32x4(colours)) => colours.clone(),
                other => panic!("{other:?}"),
            }
        };
        let (usual, other) = (colours(Palette::Wood), colours(Palette::BlueOrange));
        let changed = usual.iter().zip(&other).filter(|(a, b)| a != b).count();
        assert!(changed > usual.len() / 3 && changed < usual.len(), "{changed}");
    }
}
