// Softens the steps of edges in a finished picture: across an edge, each pixel becomes the
// mean of what lies along it. All is done in the values that are shown, not in those of
// light: there the steps of a bright edge on a dark ground stay coarse, however many
// samples it has.

#import bevy_core_pipeline::fullscreen_vertex_shader::FullscreenVertexOutput

@group(0) @binding(0) var picture: texture_2d<f32>;
// How many pixels along an edge are mixed; the others keep the place that WebGL wants.
@group(0) @binding(2) var<uniform> reach: vec4<f32>;

fn pixel(at: vec2<i32>) -> vec3<f32> {
    let last = vec2<i32>(textureDimensions(picture)) - 1;
    return sqrt(textureLoad(picture, clamp(at, vec2(0), last), 0).rgb);
}

// The picture at a place between its pixels.
fn seen(place: vec2<f32>) -> vec3<f32> {
    let corner = place - 0.5;
    let at = vec2<i32>(floor(corner));
    let part = fract(corner);
    let above = mix(pixel(at), pixel(at + vec2(1, 0)), part.x);
    let below = mix(pixel(at + vec2(0, 1)), pixel(at + vec2(1, 1)), part.x);
    return mix(above, below, part.y);
}

fn bright(color: vec3<f32>) -> f32 {
    return dot(color.rg, vec2(0.35, 0.65));
}

// How bright a pixel is, nearly.
fn level(at: vec2<i32>) -> f32 {
    let last = vec2<i32>(textureDimensions(picture)) - 1;
    return sqrt(bright(textureLoad(picture, clamp(at, vec2(0), last), 0).rgb));
}

@fragment
fn fragment(in: FullscreenVertexOutput) -> @location(0) vec4<f32> {
    let place = in.uv * vec2<f32>(textureDimensions(picture));
    let at = vec2<i32>(place);
    let here = pixel(at);
    // How bright the pixel and its neighbours are, row by row.
    let middle = level(at);
    let north = level(at + vec2(0, -1));
    let west = level(at + vec2(-1, 0));
    let east = level(at + vec2(1, 0));
    let south = level(at + vec2(0, 1));
    // The corners of the pixel: means of four each.
    let a = 0.25 * (level(at + vec2(-1, -1)) + north + west + middle);
    let b = 0.25 * (level(at + vec2(1, -1)) + north + east + middle);
    let c = 0.25 * (level(at + vec2(-1, 1)) + south + west + middle);
    let d = 0.25 * (level(at + vec2(1, 1)) + south + east + middle);
    let low = min(middle, min(min(a, b), min(c, d)));
    let high = max(middle, max(max(a, b), max(c, d)));
    if high - low < max(0.05, 0.10 * high) {
        return vec4(here * here, 1.0);
    }
    let along = vec2(c + d - a - b, a + c - b - d);
    let least = min(abs(along.x), abs(along.y)) + max(0.03 * (a + b + c + d), 0.008);
    let way = clamp(along / least, vec2(-reach.x), vec2(reach.x));
    let near = 0.5 * (seen(place - way / 6.0) + seen(place + way / 6.0));
    let wide = 0.5 * near + 0.25 * (seen(place - 0.5 * way) + seen(place + 0.5 * way));
    // Where the edge ends sooner, the wide mean takes in something else.
    let is_within = bright(wide) >= low && bright(wide) <= high;
    let color = select(near, wide, is_within);
    return vec4(color * color, 1.0);
}
