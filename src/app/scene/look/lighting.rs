//! One directional light with shadows, and image-based light from a room.
//!
//! The environment map is a small procedural cube map: a window with four panes
//! at the left; a lamp or a fire at the right; a warmer tone below. Its mip levels
//! are computed for increasing roughness, as a prefiltered specular map. One
//! shadow-casting light and one map are cheap enough for a software renderer.

use std::f32::consts::PI;

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    light::{
        CascadeShadowConfig, CascadeShadowConfigBuilder, DirectionalLightShadowMap,
        PointLightShadowMap,
    },
    prelude::*,
    render::render_resource::{
        Extent3d, TextureDimension, TextureFormat, TextureViewDescriptor, TextureViewDimension,
    },
};

use super::{palette, room_layers};
use crate::app::{
    scene::{SceneSet, api::Photo},
    settings::{
        Settings,
        options::{Room, TimeOfDay},
    },
};

/// How far from the middle of the board a photograph shows shadows.
const PHOTO_REACH: f32 = 24.0;

/// The mip levels of what surfaces reflect.
pub(super) const ROOM_LEVELS: u32 = 7;

/// Image-based light; a component of the camera.
#[derive(Resource, Clone)]
pub(crate) struct EnvironmentLight(pub(crate) EnvironmentMapLight);

/// The light of a room, besides the image-based one.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoomLight {
    /// The colour of the light that casts shadows.
    pub(super) key: Color,
    /// Its strength, in lux.
    illuminance: f32,
    /// Where it comes from.
    from: Vec3,
    /// The light from everywhere, and its strength in candela per square metre.
    ambient: (Color, f32),
    /// The strength of what surfaces reflect, in candela per square metre.
    reflected: f32,
    /// What is seen beyond the table.
    background: Color,
}

impl RoomLight {
    pub(super) const fn new(room: Room) -> Self {
        match room {
            Room::Study => Self {
                key: Color::srgb(1.0, 0.965, 0.91),
                illuminance: 6800.0,
                from: Vec3::new(-8.6, 10.0, -3.2),
                ambient: (Color::srgb(1.0, 0.96, 0.9), 30.0),
                reflected: 720.0,
                background: palette::DUSK,
            },
            // The fire is at the right; the light of the snow outside is blue.
            Room::Cabin => Self {
                key: Color::srgb(1.0, 0.825, 0.635),
                illuminance: 6200.0,
                from: Vec3::new(8.8, 9.2, -3.9),
                ambient: (Color::srgb(0.70, 0.80, 1.0), 34.0),
                reflected: 720.0,
                background: palette::NIGHT,
            },
        }
    }

    /// The same at another time of day.
    const fn at(self, room: Room, time: TimeOfDay) -> Self {
        match (room, time) {
            (_, TimeOfDay::Usual) => self,
            (Room::Study, TimeOfDay::Morning) => Self {
                key: Color::srgb(1.0, 0.92, 0.80),
                illuminance: 10_500.0,
                from: Vec3::new(-10.0, 5.4, -4.6),
                ambient: (Color::srgb(0.82, 0.90, 1.0), 46.0),
                reflected: 640.0,
                ..self
            },
            (Room::Study, TimeOfDay::Evening) => Self {
                key: Color::srgb(1.0, 0.68, 0.40),
                illuminance: 12_500.0,
                from: Vec3::new(-10.5, 4.6, 1.5),
                ambient: (Color::srgb(0.80, 0.76, 1.0), 90.0),
                reflected: 560.0,
                ..self
            },
            (Room::Cabin, TimeOfDay::Morning) => Self {
                key: Color::srgb(0.84, 0.92, 1.0),
                illuminance: 6800.0,
                from: Vec3::new(-9.0, 7.4, -4.0),
                ambient: (Color::srgb(1.0, 0.84, 0.66), 60.0),
                reflected: 620.0,
                ..self
            },
            (Room::Cabin, TimeOfDay::Evening) => {
                Self { illuminance: 4800.0, ambient: (Color::srgb(0.50, 0.66, 1.0), 190.0), ..self }
            }
        }
    }

    fn ambient(&self) -> GlobalAmbientLight {
        let (color, brightness) = self.ambient;
        GlobalAmbientLight { color, brightness, ..default() }
    }

    fn directional(&self, shadow_maps_enabled: bool) -> DirectionalLight {
        let (color, illuminance) = (self.key, self.illuminance);
        DirectionalLight { color, illuminance, shadow_maps_enabled, ..default() }
    }

    fn transform(&self) -> Transform {
        Transform::from_translation(self.from).looking_at(Vec3::ZERO, Vec3::Y)
    }
}

/// The cube maps of a room.
fn environment_light(
    room: Room,
    intensity: f32,
    images: &mut Assets<Image>,
) -> EnvironmentMapLight {
    EnvironmentMapLight {
        diffuse_map: images.add(environment_cube_map(room, 8, 1, |_| 1.0)),
        specular_map: images.add(environment_cube_map(room, 64, ROOM_LEVELS, |level| {
            level / (ROOM_LEVELS - 1) as f32
        })),
        intensity,
        ..default()
    }
}

pub(crate) fn plugin(app: &mut App) {
    let room = Room::default();
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    let light = environment_light(room, RoomLight::new(room).reflected, &mut images);
    app.insert_resource(EnvironmentLight(light))
        .insert_resource(ClearColor(RoomLight::new(room).background))
        .insert_resource(DirectionalLightShadowMap { size: 2048 })
        // No point light casts shadows, but Bevy allocates their map anyway.
        .insert_resource(PointLightShadowMap { size: 16 })
        .insert_resource(RoomLight::new(room).ambient())
        .add_systems(Startup, spawn_lights)
        .add_systems(
            Update,
            follow_room.in_set(SceneSet::Board).run_if(
                resource_exists_and_changed::<Settings>
                    .or_else(resource_exists_and_changed::<Photo>),
            ),
        );
}

fn spawn_lights(mut commands: Commands) {
    let light = RoomLight::new(Room::default());
    commands.spawn((
        Name::new("Key light"),
        room_layers(),
        light.directional(true),
        shadow_range(None),
        light.transform(),
    ));
}

/// Where the key light casts shadows: over the whole table seen from the seat, or about
/// the board, of which a photograph is taken from this distance.
pub(crate) fn shadow_range(photographed_from: Option<f32>) -> CascadeShadowConfig {
    let (minimum_distance, maximum_distance) = match photographed_from {
        None => (1.0, 46.0),
        Some(distance) => ((distance - PHOTO_REACH).max(1.0), distance + PHOTO_REACH),
    };
    let range = CascadeShadowConfigBuilder {
        num_cascades: 1,
        minimum_distance,
        maximum_distance,
        ..default()
    };
    range.build()
}

/// Lights the table as the room of the settings does, a photograph at its time.
fn follow_room(
    (settings, photo): (Res<Settings>, Res<Photo>),
    mut lights: Query<(&mut DirectionalLight, &mut Transform)>,
    mut cameras: Query<&mut EnvironmentMapLight, With<Camera3d>>,
    (mut images, mut shared): (ResMut<Assets<Image>>, ResMut<EnvironmentLight>),
    (mut ambient, mut background): (ResMut<GlobalAmbientLight>, ResMut<ClearColor>),
    mut current: Local<(Room, TimeOfDay)>,
) {
    let (room, time) = (settings.room, photo.0.map_or_else(TimeOfDay::default, |it| it.time));
    let before = std::mem::replace(&mut *current, (room, time));
    if before == (room, time) {
        return;
    }
    let light = RoomLight::new(room).at(room, time);
    *ambient = light.ambient();
    background.0 = light.background;
    for (mut directional, mut transform) in &mut lights {
        *directional = light.directional(directional.shadow_maps_enabled);
        *transform = light.transform();
    }
    // The cube maps are those of the room at any time.
    if before.0 == room {
        shared.0.intensity = light.reflected;
    } else {
        shared.0 = environment_light(room, light.reflected, &mut images);
    }
    for mut environment in &mut cameras {
        environment.clone_from(&shared.0);
    }
}

/// Direction of the window: to the left, over the far edge of the table.
const WINDOW: Vec3 = Vec3::new(-0.62, 0.62, -0.48);

/// Linear RGB radiance from a direction, blurred for a surface's roughness.
fn radiance(room: Room, direction: Vec3, roughness: f32) -> [f32; 3] {
    match room {
        Room::Study => study_radiance(direction, roughness),
        Room::Cabin => cabin_radiance(direction, roughness),
    }
}

/// A round light from a direction. Rough surfaces reflect a wider and weaker highlight.
fn lobe(direction: Vec3, roughness: f32, towards: Vec3, size: f32, strength: f32) -> f32 {
    let angle = direction.angle_between(towards.normalize());
    let width = size + roughness * 1.1;
    let share = (size / width).powi(2).max(0.05);
    strength * share * (1.0 - (angle / width).min(1.0)).powi(2) * 2.0
}

/// A fire at the right, a lantern over the table, a window at the left with the blue
/// of snow by night.
fn cabin_radiance(direction: Vec3, roughness: f32) -> [f32; 3] {
    let up = 0.5 + 0.5 * direction.y;
    let walls = Vec3::new(1.0, 0.76, 0.56) * (0.045 + 0.14 * up * up);
    let lobe = |towards, size, strength| lobe(direction, roughness, towards, size, strength);
    let fire = Vec3::new(1.0, 0.50, 0.17) * lobe(Vec3::new(0.86, 0.34, -0.38), 0.46, 2.6);
    let lantern = Vec3::new(1.0, 0.74, 0.45) * lobe(Vec3::new(0.15, 0.9, 0.30), 0.36, 1.1);
    let wall = Vec3::new(1.0, 0.66, 0.40) * lobe(Vec3::new(0.15, 0.45, -0.9), 0.8, 0.28);
    let snow = Vec3::new(0.42, 0.62, 1.0) * (0.13 * window_radiance(direction, roughness));
    (walls + fire + lantern + wall + snow).to_array()
}

/// Daylight through a window at the left, a lamp at the right.
fn study_radiance(direction: Vec3, roughness: f32) -> [f32; 3] {
    let lamp = Vec3::new(0.75, 0.62, 0.25).normalize();
    let lobe = |towards, size, strength| lobe(direction, roughness, towards, size, strength);
    let up = 0.5 + 0.5 * direction.y;
    let room = 0.05 + 0.22 * up * up;
    let warmth = 1.0 - up;
    // A bright far wall gives flat surfaces in front of it a sheen.
    let wall = lobe(Vec3::new(0.0, 0.45, -0.9).normalize(), 0.8, 0.45);
    let glow = lobe(lamp, 0.35, 0.5) + wall;
    let day = window_radiance(direction, roughness);
    [
        (room + glow) * 0.97 + day * 0.90,
        (room + glow) * (0.95 - 0.07 * warmth) + day * 0.97,
        (room + glow * 0.85) * (0.93 - 0.17 * warmth) + day,
    ]
}

/// Radiance of the window: four panes whose edges blur with roughness.
fn window_radiance(direction: Vec3, roughness: f32) -> f32 {
    let middle = WINDOW.normalize();
    let right = Vec3::Y.cross(middle).normalize();
    let above = middle.cross(right);
    let depth = direction.dot(middle);
    if depth <= 0.0 {
        return 0.0;
    }
    let (x, y) = (direction.dot(right) / depth, direction.dot(above) / depth);
    let (half_width, half_height) = (0.22, 0.30);
    let blur = 0.02 + roughness * 0.9;
    let edge = |distance: f32| (distance / blur * 0.5 + 0.5).clamp(0.0, 1.0);
    let bar = |at: f32| 1.0 - (1.0 - roughness * 3.0).max(0.0) * (1.0 - edge(at.abs() - 0.016));
    let panes = edge(half_width - x.abs()) * edge(half_height - y.abs()) * bar(x) * bar(y - 0.04);
    // A blurred window spreads the same energy over a larger area.
    let spread =
        (half_width * half_height) / ((half_width + blur * 0.6) * (half_height + blur * 0.6));
    // Daylight is many times brighter than the room.
    15.0 * panes * spread
}

/// The bits of an IEEE 754 half-precision float. Clamps to 0..=65504, truncates
/// the mantissa and flushes subnormals to zero.
fn f16_bits(value: f32) -> u16 {
    let bits = value.clamp(0.0, 65504.0).to_bits();
    let exponent = (bits >> 23) as i32 - 127 + 15;
    if exponent <= 0 { 0 } else { ((exponent as u32) << 10 | (bits >> 13 & 0x3ff)) as u16 }
}

/// A room's cube map with `levels` mip levels; `roughness` gives each level's roughness.
fn environment_cube_map(
    room: Room,
    size: u32,
    levels: u32,
    roughness: impl Fn(f32) -> f32,
) -> Image {
    let mut data = Vec::new();
    for face in 0..6 {
        for level in 0..levels {
            let side = (size >> level).max(1);
            let rough = roughness(level as f32);
            for y in 0..side {
                for x in 0..side {
                    let s = 2.0 * (x as f32 + 0.5) / side as f32 - 1.0;
                    let t = 2.0 * (y as f32 + 0.5) / side as f32 - 1.0;
                    let direction = match face {
                        0 => Vec3::new(1.0, -t, -s),
                        1 => Vec3::new(-1.0, -t, s),
                        2 => Vec3::new(s, 1.0, t),
                        3 => Vec3::new(s, -1.0, -t),
                        4 => Vec3::new(s, -t, 1.0),
                        _ => Vec3::new(-s, -t, -1.0),
                    };
                    let [r, g, b] = radiance(room, direction.normalize(), rough.min(PI));
                    // HDR: the window is brighter than white.
                    for value in [r, g, b, 1.0] {
                        data.extend(f16_bits(value).to_le_bytes());
                    }
                }
            }
        }
    }
    let mut image = Image::new_uninit(
        Extent3d { width: size, height: size, depth_or_array_layers: 6 },
        TextureDimension::D2,
        TextureFormat::Rgba16Float,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.texture_descriptor.mip_level_count = levels;
    image.data = Some(data);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        ..default()
    });
    image.texture_view_descriptor =
        Some(TextureViewDescriptor { dimension: Some(TextureViewDimension::Cube), ..default() });
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{scene::look::palette::ColorScheme, settings::options::Palette};

    /// A colour as the key light of a room shows it.
    fn lit(room: Room, colour: Color) -> LinearRgba {
        let (light, own) = (RoomLight::new(room).key.to_linear(), colour.to_linear());
        LinearRgba::rgb(light.red * own.red, light.green * own.green, light.blue * own.blue)
    }

    #[test]
    fn the_sides_stay_apart_in_the_light_of_every_room() {
        for room in Room::ALL {
            for palette in Palette::ALL {
                let scheme = ColorScheme::new(palette);
                for [red, green] in [scheme.bases, scheme.stones] {
                    let (red, green) = (lit(room, red), lit(room, green));
                    assert!(red.red > 2.0 * red.green, "{room} {palette:?}: {red:?}");
                    assert!(green.green > 1.1 * green.red, "{room} {palette:?}: {green:?}");
                }
            }
            let scheme = ColorScheme::new(Palette::BlueOrange);
            for sides in [scheme.runners, scheme.bases, scheme.stones, scheme.plots] {
                let [one, other] = sides.map(|it| lit(room, it).luminance() + 0.05);
                let contrast = one.max(other) / one.min(other);
                assert!(contrast > 1.6, "{room}: {contrast}");
            }
        }
    }

    #[test]
    fn the_study_is_lit_by_day_and_the_cabin_by_fire() {
        let [day, fire] = Room::ALL.map(|room| RoomLight::new(room).key.to_linear());
        assert!(fire.blue / fire.red < 0.5 * day.blue / day.red);
        // A pane, beside the bars.
        let pane = (WINDOW.normalize() + Vec3::new(0.08, -0.08, -0.08)).normalize();
        let window = |room| radiance(room, pane, 0.0);
        let ([_, _, sky], [red, _, snow]) = (window(Room::Study), window(Room::Cabin));
        assert!(sky > 4.0 * snow && snow > 1.5 * red, "a window by night: {sky} {snow} {red}");
    }
}
