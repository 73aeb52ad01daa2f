//! The material of a software renderer: light by the vertex, and one texture by the
//! pixel.
//!
//! `StandardMaterial` has a shader so large that a software renderer takes half a second
//! for a frame of it, even without light. This one takes the same inputs and the same
//! lights, and leaves out shadows, and all maps but the colours.

use bevy::{
    asset::{load_internal_asset, uuid_handle},
    mesh::MeshVertexBufferLayoutRef,
    pbr::{MaterialPipeline, MaterialPipelineKey},
    prelude::*,
    render::render_resource::{
        AsBindGroup, Face, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError,
    },
    shader::ShaderRef,
};

/// The shader, which is part of the program.
const SHADER: Handle<Shader> = uuid_handle!("6f0d4b5e-6c0e-4b57-9d3a-2f5d3f7f4a10");

pub(super) fn plugin(app: &mut App) {
    load_internal_asset!(app, SHADER, "plain.wgsl", Shader::from_wgsl);
    app.add_plugins(MaterialPlugin::<PlainMaterial>::default());
}

/// A [`StandardMaterial`] in the light of the table, for a software renderer.
#[derive(Asset, AsBindGroup, TypePath, Clone)]
#[bind_group_data(PlainKey)]
pub(crate) struct PlainMaterial {
    #[uniform(0)]
    uniform: PlainUniform,
    #[texture(1)]
    #[sampler(2)]
    colors: Option<Handle<Image>>,
    #[texture(3, dimension = "cube", visibility(vertex))]
    #[sampler(4, visibility(vertex))]
    irradiance: Handle<Image>,
    #[texture(5, dimension = "cube", visibility(vertex))]
    room: Handle<Image>,
    alpha_mode: AlphaMode,
    depth_bias: f32,
    is_lit: bool,
    is_two_sided: bool,
}

/// The shader's inputs, described there.
#[derive(ShaderType, Clone)]
struct PlainUniform {
    base_color: Vec4,
    emissive: Vec4,
    key: Vec4,
    towards_key: Vec4,
    ambient: Vec4,
    finish: Vec4,
}

/// What needs a pipeline of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PlainKey {
    is_lit: bool,
    is_textured: bool,
    is_two_sided: bool,
}

impl From<&PlainMaterial> for PlainKey {
    fn from(material: &PlainMaterial) -> Self {
        Self {
            is_lit: material.is_lit,
            is_textured: material.colors.is_some(),
            is_two_sided: material.is_two_sided,
        }
    }
}

/// All lights over the table.
#[derive(Clone)]
pub(super) struct TableLights {
    /// The light that casts shadows, in lux.
    pub(super) key: LinearRgba,
    /// Where it comes from.
    pub(super) towards_key: Vec3,
    /// In candela per square metre.
    pub(super) ambient: LinearRgba,
    /// What surfaces reflect.
    pub(super) room: EnvironmentMapLight,
}

/// The last mip level of [`TableLights::room`].
const LAST_LEVEL: f32 = super::lighting::ROOM_LEVELS as f32 - 1.0;

impl PlainMaterial {
    /// The same surface in these lights.
    pub(super) fn new(of: &StandardMaterial, lights: &TableLights) -> Self {
        let vec4 = |colour: LinearRgba| Vec4::from_array(colour.to_f32_array());
        let is_tinted = f32::from(u8::from(of.emissive_texture.is_some()));
        let reflectance = 0.16 * of.reflectance * of.reflectance;
        Self {
            uniform: PlainUniform {
                base_color: vec4(of.base_color.to_linear()),
                emissive: vec4(of.emissive).with_w(is_tinted),
                key: vec4(lights.key),
                towards_key: lights.towards_key.extend(lights.room.intensity),
                ambient: vec4(lights.ambient),
                finish: Vec4::new(
                    reflectance,
                    of.metallic,
                    of.perceptual_roughness.clamp(0.089, 1.0),
                    LAST_LEVEL,
                ),
            },
            colors: of.base_color_texture.clone(),
            irradiance: lights.room.diffuse_map.clone(),
            room: lights.room.specular_map.clone(),
            alpha_mode: of.alpha_mode,
            depth_bias: of.depth_bias,
            is_lit: !of.unlit,
            is_two_sided: of.cull_mode != Some(Face::Back),
        }
    }
}

impl Material for PlainMaterial {
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

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let PlainKey { is_lit, is_textured, is_two_sided } = key.bind_group_data;
        let fragment = descriptor.fragment.iter_mut().map(|it| &mut it.shader_defs);
        for defs in fragment.chain([&mut descriptor.vertex.shader_defs]) {
            defs.extend(is_lit.then(|| "LIT".into()));
            defs.extend(is_textured.then(|| "TEXTURED".into()));
        }
        if is_two_sided {
            descriptor.primitive.cull_mode = None;
        }
        Ok(())
    }
}
