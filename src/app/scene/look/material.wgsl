// Light and, at low quality, reflections are for each vertex, so that a pixel costs one
// picture: a software renderer pays for every line here by the pixel, and hardly by the
// vertex.

#import bevy_pbr::{
    mesh_functions,
    mesh_view_bindings::view,
    view_transformations::position_world_to_clip,
}
#ifdef MIRROR_BY_PIXEL
#import bevy_pbr::{mesh_view_bindings::lights, shadows}
#endif

struct Material {
    color: vec4<f32>,
    glow: vec4<f32>,
    lamps: array<vec4<f32>, 4>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> material: Material;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var picture: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var picture_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var sheen: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(4) var sheen_sampler: sampler;

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    // If it is lit, the fourth is its gloss; metal has -1.
    @location(3) color: vec4<f32>,
#ifdef LIT
    // What reaches it of each lamp.
    @location(4) light: vec4<f32>,
#endif
}

struct Shaded {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) color: vec4<f32>,
#ifdef LIT
#ifdef MIRROR_BY_PIXEL
    // Centroid: beyond an edge they would point anywhere, and white dots run along it.
    @location(2) @interpolate(perspective, centroid) normal: vec3<f32>,
    @location(3) @interpolate(perspective, centroid) eye: vec3<f32>,
    @location(4) @interpolate(perspective, centroid) shine: vec4<f32>,
    // The part of its colour that the lamp gives that casts shadows.
    @location(5) keyed: vec3<f32>,
    @location(6) place: vec3<f32>,
#else
    @location(2) mirrored: vec3<f32>,
#endif
#endif
}

// The brightest that the picture of what is mirrored stands for.
const BRIGHTEST: f32 = 12.0;
// How soft a mirrored room is: boards, frames and the table are waxed, and only pieces and
// water are polished. A level of the picture.
#ifdef PICTURE
const SOFTNESS: f32 = 2.6;
// The most that it mirrors: from a low camera, wax would bleach what it covers.
const MOST: f32 = 0.11;
#else
const SOFTNESS: f32 = 0.0;
const MOST: f32 = 0.5;
#endif
// Where the sun comes from, as in `tools/art/light.py`.
const SUN: vec3<f32> = vec3(-1.0, 0.95, -0.55);

// How much of the sun and of the fire comes to a place: the sun through a window with bars,
// the fire from one side.
fn key_light(at: vec3<f32>) -> vec2<f32> {
    let foot = at.xz - SUN.xz * (at.y / SUN.y);
    // Across the window, and towards it.
    let across = dot(foot, vec2(0.482, -0.876));
    let along = dot(foot, vec2(-0.876, -0.482));
    let bars = (vec3(across + 4.4, across - 1.6, along + 1.2)) / 0.75;
    let bar = exp(-bars * bars);
    let panes = 1.0 - 0.38 * max(max(bar.x, bar.y), bar.z);
    let beyond = smoothstep(vec2(4.5), vec2(8.5), abs(vec2(across + 1.4, along)));
    let sun = panes * mix(0.15, 1.0, (1.0 - beyond.x) * (1.0 - beyond.y));
    return vec2(sun * (1.05 + 0.045 * along), exp(0.05 * dot(at.xz, vec2(0.9, -0.42))));
}

// As a photograph shows light: the dark is deep, and the brightest becomes soft.
fn photographed(light: vec3<f32>) -> vec3<f32> {
    return 1.06 * light * (light + 0.02) / (light * (1.0 + 0.08 * light) + 0.045);
}

// What is mirrored towards the eye. The fourth of `shine` is 0 for metal, which mirrors as
// much from every side, else 1.
fn mirrored(normal: vec3<f32>, eye: vec3<f32>, shine: vec4<f32>) -> vec3<f32> {
    let towards = reflect(-eye, normal);
    let place = 0.5 + 0.5 * towards.xz / (1.0 + max(towards.y, 0.0));
    // What points down mirrors the board, which is dark.
    let fade = clamp(0.6 + 2.5 * towards.y, 0.3, 1.0);
    // Less than all of it: an edge that is thinner than a pixel would sparkle.
#ifdef MIRROR_BY_PIXEL
    let most = MOST / (1.0 + 6.0 * length(fwidth(normal)));
    // Where a surface bends within a pixel, it mirrors the mean.
#ifdef PICTURE
    let seen = textureSampleLevel(sheen, sheen_sampler, place, SOFTNESS).rgb;
#else
    let seen = textureSample(sheen, sheen_sampler, place).rgb;
#endif
#else
    let most = MOST;
    let seen = textureSampleLevel(sheen, sheen_sampler, place, SOFTNESS).rgb;
#endif
    let fresnel = min(0.05 + 0.95 * pow(1.0 - saturate(dot(normal, eye)), 4.0), most);
    return seen * shine.rgb * BRIGHTEST * fade * mix(1.0, fresnel, shine.a);
}

@vertex
fn vertex(in: Vertex) -> Shaded {
    var out: Shaded;
    let place = mesh_functions::get_world_from_local(in.instance_index);
    let at = mesh_functions::mesh_position_local_to_world(place, vec4(in.position, 1.0)).xyz;
    out.position = position_world_to_clip(at);
    out.uv = in.uv;
    out.color = material.color * in.color;
#ifdef LIT
    var reach = 2.0 * in.light * in.light;
    reach = vec4(reach.x, reach.yz * key_light(at), reach.w);
    let lamps = material.lamps;
    let light = lamps[0].rgb * reach.x + lamps[1].rgb * reach.y
        + lamps[2].rgb * reach.z + lamps[3].rgb * reach.w;
    let base = out.color.rgb;
    let gloss = in.color.a;
    let mean = clamp((light.r + light.g + light.b) / 3.0, 0.2, 1.0);
    var shine = vec4(vec3(gloss * mean), 1.0);
    var dull = 1.0;
    if gloss < 0.0 {
        shine = vec4(base, 0.0);
        dull = 0.75;
    }
    out.color = vec4(base * light * dull + material.glow.rgb, material.color.a);
    let normal = normalize(mesh_functions::mesh_normal_local_to_world(in.normal, in.instance_index));
    let is_parallel = view.clip_from_view[3].w == 1.0;
    let eye = select(view.world_position - at, view.world_from_view[2].xyz, is_parallel);
#ifdef MIRROR_BY_PIXEL
    out.normal = normal;
    out.eye = eye;
    out.shine = shine;
    let key = lamps[1].rgb * reach.y * lamps[1].w + lamps[2].rgb * reach.z * lamps[2].w;
    out.keyed = base * key * dull;
    out.place = at;
#else
    out.mirrored = mirrored(normal, normalize(eye), shine);
#endif
#endif
    return out;
}

@fragment
fn fragment(in: Shaded) -> @location(0) vec4<f32> {
    var color = in.color;
#ifdef PICTURE
    color *= textureSample(picture, picture_sampler, in.uv);
#endif
#ifdef LIT
#ifdef MIRROR_BY_PIXEL
    var keyed = in.keyed;
#ifdef PICTURE
    keyed *= textureSample(picture, picture_sampler, in.uv).rgb;
#endif
    if any(keyed > vec3(0.0)) && lights.n_directional_lights > 0u {
        let depth = (view.view_from_world * vec4(in.place, 1.0)).z;
        let reached = shadows::fetch_directional_shadow(
            0u, vec4(in.place, 1.0), normalize(in.normal), depth, in.position.xy);
        color -= vec4(keyed * (1.0 - reached), 0.0);
    }
    color += vec4(mirrored(normalize(in.normal), normalize(in.eye), in.shine), 0.0);
#else
    color += vec4(in.mirrored, 0.0);
#endif
    color = vec4(photographed(color.rgb), color.a);
#endif
#ifdef OPAQUE
#ifdef PICTURE
#ifndef LIT
    // The room, out of focus: without grain its soft light would show steps.
    let grain = fract(52.98 * fract(dot(in.position.xy, vec2(0.0671, 0.00584)))) - 0.5;
    color += vec4(0.01 * grain * sqrt(color.rgb), 0.0);
#endif
#endif
    color.a = 1.0;
#endif
    return color;
}
