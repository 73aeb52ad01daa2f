// The light of the table for each vertex, so that a pixel costs one texture and a curve.
// A software renderer pays for every line here by the pixel, and hardly by the vertex.

#import bevy_pbr::{
    forward_io::Vertex,
    mesh_functions,
    mesh_view_bindings::view,
    view_transformations::position_world_to_clip,
}
#ifdef TONEMAP_METHOD_ACES_FITTED
#import bevy_core_pipeline::tonemapping::{ACESFitted, saturation}
#endif

struct Plain {
    base_color: vec4<f32>,
    // The fourth is 1 if the texture tints it.
    emissive: vec4<f32>,
    // The light that casts shadows, in lux.
    key: vec4<f32>,
    // Where it comes from; the fourth is the strength of what surfaces reflect.
    towards_key: vec4<f32>,
    ambient: vec4<f32>,
    // Reflectance of the surface at right angles, metallic, perceptual roughness, the
    // last mip level of what it reflects.
    finish: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> plain: Plain;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var colors: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var colors_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var irradiance: texture_cube<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(4) var room_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(5) var room: texture_cube<f32>;

struct Lit {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    // What the texture tints.
    @location(1) color: vec4<f32>,
    // What it does not.
    @location(2) sheen: vec3<f32>,
}

const PI: f32 = 3.14159265;

// The share of a mirrored light that a rough surface shows (GGX, by Kelemen).
fn glint(roughness: f32, normal: vec3<f32>, half_way: vec3<f32>, towards: vec3<f32>) -> f32 {
    let width = roughness * roughness;
    let facing = saturate(dot(normal, half_way));
    let spread = facing * facing * (width * width - 1.0) + 1.0;
    let depth = max(dot(towards, half_way), 0.1);
    return width * width / (PI * spread * spread) * 0.25 / (depth * depth);
}

// What a surface of this roughness reflects of all directions: scale and offset of its
// reflectance (Karis, "Physically based shading on mobile").
fn reflected(roughness: f32, facing: f32) -> vec2<f32> {
    let r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    let edge = min(r.x * r.x, exp2(-9.28 * facing)) * r.x + r.y;
    return vec2(-1.04, 1.04) * edge + r.zw;
}

@vertex
fn vertex(in: Vertex) -> Lit {
    var out: Lit;
    let place = mesh_functions::get_world_from_local(in.instance_index);
    let at = mesh_functions::mesh_position_local_to_world(place, vec4(in.position, 1.0)).xyz;
    out.position = position_world_to_clip(at);
    out.uv = in.uv;
    let base = plain.base_color * in.color;
    out.color = base;
    out.sheen = vec3(0.0);
#ifdef LIT
    let normal = normalize(mesh_functions::mesh_normal_local_to_world(in.normal, in.instance_index));
    let is_parallel = view.clip_from_view[3].w == 1.0;
    let eye = normalize(select(view.world_position - at, view.world_from_view[2].xyz, is_parallel));
    let metallic = plain.finish.y;
    let roughness = plain.finish.z;
    let width = roughness * roughness;
    let facing = max(dot(normal, eye), 0.0001);

    let f0 = mix(vec3(plain.finish.x), base.rgb, metallic);
    let share = reflected(roughness, facing);
    let mirrored = f0 * share.x + share.y;
    let towards = reflect(-eye, normal);
    let bend = (1.0 - width) * (sqrt(1.0 - width) + width);
    // Cube maps are left-handed.
    let flip = vec3(1.0, 1.0, -1.0);
    let strength = plain.towards_key.w;
    let around = textureSampleLevel(irradiance, room_sampler, normal * flip, 0.0).rgb * strength;
    let level = roughness * plain.finish.w;
    let seen = mix(normal, towards, bend) * flip;
    let mirror = textureSampleLevel(room, room_sampler, seen, level).rgb * strength;

    let key = plain.key.rgb * saturate(dot(normal, plain.towards_key.xyz));
    let half_way = normalize(eye + plain.towards_key.xyz);
    let fresnel = f0 + (1.0 - f0) * pow(1.0 - saturate(dot(eye, half_way)), 5.0);
    let sparkle = fresnel * glint(roughness, normal, half_way, plain.towards_key.xyz);

    let diffuse = key / PI + (around * (1.0 - mirrored)) + plain.ambient.rgb;
    out.color = vec4(base.rgb * (1.0 - metallic) * diffuse * view.exposure, base.a);
    out.sheen = (mirrored * (mirror + plain.ambient.rgb) + sparkle * key) * view.exposure;
    let glow = plain.emissive.rgb * base.a;
    out.color += vec4(glow * plain.emissive.a, 0.0);
    out.sheen += glow * (1.0 - plain.emissive.a);
#endif
    let exposure = exp2(view.color_grading.exposure);
    out.color = vec4(out.color.rgb * exposure, out.color.a);
    out.sheen *= exposure;
    return out;
}

@fragment
fn fragment(in: Lit) -> @location(0) vec4<f32> {
    var color = in.color;
#ifdef TEXTURED
    color *= textureSample(colors, colors_sampler, in.uv);
#endif
#ifdef LIT
    color = vec4(color.rgb + in.sheen, color.a);
#endif
#ifdef TONEMAP_METHOD_ACES_FITTED
    color = vec4(saturation(ACESFitted(color.rgb), view.color_grading.post_saturation), color.a);
#endif
    return color;
}
