//! The one material of the scene: a picture times colours and baked light, and what polish
//! mirrors.
//!
//! `StandardMaterial` has a shader so large that a software renderer takes half a second
//! for a frame of it, even without light. This one has its light from `tools/art`, and
//! looks the same at every quality but for the finer mirroring.

use bevy::{
    asset::{load_internal_asset, uuid_handle},
    mesh::MeshVertexBufferLayoutRef,
    pbr::{MaterialPipeline, MaterialPipelineKey, MeshPipelineKey},
    render::render_resource::{
        AsBindGroup, RenderPipelineDescriptor, SpecializedMeshPipelineError,
    },
    shader::ShaderRef,
};

use super::models::ATTRIBUTE_LIGHT;
use crate::app::scene::prelude::*;

/// The shader, which is part of the program.
const SHADER: Handle<Shader> = uuid_handle!("6f0d4b5e-6c0e-4b57-9d3a-2f5d3f7f4a10");

pub(super) fn plugin(app: &mut App) {
    load_internal_asset!(app, SHADER, "material.wgsl", Shader::from_wgsl);
    app.add_plugins(MaterialPlugin::<TableMaterial>::default());
}

/// What a mesh is like. One with [`ATTRIBUTE_LIGHT`] is lit by the lamps; the alpha of its
/// vertices is its gloss. Another shows its colours as they are.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
#[bind_group_data(MaterialKey)]
pub(crate) struct TableMaterial {
    /// Multiplied with the colours of the vertices.
    #[uniform(0)]
    pub(crate) color: LinearRgba,
    /// The light that it gives by itself.
    #[uniform(0)]
    pub(crate) glow: Vec4,
    /// The colour of each lamp, and 1 for the one that casts shadows.
    #[uniform(0)]
    pub(crate) lamps: [Vec4; 4],
    /// Multiplied with the colours, too. Whether there is one never changes: the pipelines of
    /// what is drawn depend on it, and are chosen before a late picture is there.
    #[texture(1)]
    #[sampler(2)]
    pub(crate) picture: Option<Handle<Image>>,
    /// What polish mirrors.
    #[texture(3, visibility(vertex, fragment))]
    #[sampler(4, visibility(vertex, fragment))]
    pub(crate) sheen: Option<Handle<Image>>,
    pub(crate) alpha_mode: AlphaMode,
    pub(crate) depth_bias: f32,
    /// Whether its lamps are those of the room.
    pub(crate) in_room: bool,
}

impl Default for TableMaterial {
    fn default() -> Self {
        Self {
            color: LinearRgba::WHITE,
            glow: Vec4::ZERO,
            lamps: [Vec4::splat(0.25); 4],
            picture: None,
            sheen: None,
            alpha_mode: AlphaMode::Opaque,
            depth_bias: 0.0,
            in_room: false,
        }
    }
}

impl TableMaterial {
    /// With a white picture, which another will replace.
    pub(crate) fn pictured() -> Self {
        Self { picture: Some(Handle::default()), ..Self::default() }
    }
}

/// What needs a pipeline of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct MaterialKey {
    has_picture: bool,
    is_opaque: bool,
}

impl From<&TableMaterial> for MaterialKey {
    fn from(material: &TableMaterial) -> Self {
        Self {
            has_picture: material.picture.is_some(),
            is_opaque: material.alpha_mode == AlphaMode::Opaque,
        }
    }
}

impl Material for TableMaterial {
    fn vertex_shader() -> ShaderRef {
        SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        SHADER.into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        self.alpha_mode
    }

    fn depth_bias(&self) -> f32 {
        self.depth_bias
    }

    fn enable_prepass() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        // The shadow map is drawn by Bevy's own shader.
        if key.mesh_key.contains(MeshPipelineKey::DEPTH_PREPASS) {
            return Ok(());
        }
        let mut attributes = vec![
            Mesh::ATTRIBUTE_POSITION.at_shader_location(0),
            Mesh::ATTRIBUTE_NORMAL.at_shader_location(1),
            Mesh::ATTRIBUTE_UV_0.at_shader_location(2),
            Mesh::ATTRIBUTE_COLOR.at_shader_location(3),
        ];
        let is_lit = layout.0.contains(ATTRIBUTE_LIGHT);
        if is_lit {
            attributes.push(ATTRIBUTE_LIGHT.at_shader_location(4));
        }
        descriptor.vertex.buffers = vec![layout.0.get_layout(&attributes)?];
        let MaterialKey { has_picture, is_opaque } = key.bind_group_data;
        // Where edges are smooth, there is time for fine reflections.
        let is_fine = key.mesh_key.msaa_samples() > 1;
        let fragment = descriptor.fragment.iter_mut().map(|fragment| &mut fragment.shader_defs);
        for defs in fragment.chain([&mut descriptor.vertex.shader_defs]) {
            for (is_wanted, name) in [
                (is_lit, "LIT"),
                (has_picture, "PICTURE"),
                (is_opaque, "OPAQUE"),
                (is_lit && is_fine, "MIRROR_BY_PIXEL"),
            ] {
                defs.extend(is_wanted.then(|| name.into()));
            }
        }
        Ok(())
    }
}
