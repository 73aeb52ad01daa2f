//! The lamps of the rooms. How far each reaches is baked into the models; a room and a time
//! of day are four colours.
//!
//! At high quality, the brightest lamp that shines from one side also casts the shadows of
//! pieces and sticks, where they are and as they move. At other qualities their shadows are
//! pictures on the ground ([`super::ground_shadow`]).

use bevy::{
    camera::visibility::RenderLayers,
    light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap},
    render::renderer::RenderDevice,
};

use crate::app::{scene::prelude::*, settings::options::TimeOfDay};

/// The layers of pieces and sticks: what is seen, and what casts shadows.
pub(crate) const CASTER_LAYERS: [usize; 2] = [0, SHADOW_LAYER];
/// The layer of what casts shadows. A camera that does not see it sees no shadows.
const SHADOW_LAYER: usize = 1;
/// Texels along a side of the shadow map. More would make the edges of shadows sharper, and
/// the lamps are wide.
const SHADOW_MAP_SIZE: usize = 4096;
/// Bevy allocates shadow maps even where nothing casts shadows.
pub(super) const UNUSED_MAP_SIZE: usize = 16;
/// How far from the camera shadows are seen.
const SHADOW_DISTANCE: f32 = 65.0;
/// Where the sun and the fire stand, as in `tools/art/light.py`.
const SUN: Vec3 = Vec3::new(-1.0, 0.95, -0.55);
const FIRE: Vec3 = Vec3::new(13.0, 13.5, -6.0);

/// Has the key lamp cast shadows at high quality.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        place_key_lamp.in_set(SceneSet::Surfaces).run_if(
            resource_exists::<RenderDevice>
                .and_then(resource_changed::<Lamps>.or_else(resource_changed::<Quality>)),
        ),
    );
}

/// Casts the shadows.
#[derive(Component)]
struct KeyLamp;

fn place_key_lamp(
    mut commands: Commands,
    (lamps, quality): (Res<Lamps>, Res<Quality>),
    mut map: ResMut<DirectionalLightShadowMap>,
    old: Query<Entity, With<KeyLamp>>,
) {
    for lamp in &old {
        commands.entity(lamp).despawn();
    }
    let key = lamps.key(*quality);
    map.size = if key.is_some() { SHADOW_MAP_SIZE } else { UNUSED_MAP_SIZE };
    let Some(key) = key else { return };
    let from = if key == Lamps::SUN { SUN } else { FIRE };
    commands.spawn((
        KeyLamp,
        Name::new("Key lamp"),
        DirectionalLight {
            shadow_maps_enabled: true,
            // Stones are low: with more, they would seem to float beside their shadows.
            shadow_depth_bias: 0.012,
            shadow_normal_bias: 1.2,
            ..default()
        },
        CascadeShadowConfigBuilder {
            num_cascades: 1,
            maximum_distance: SHADOW_DISTANCE,
            ..default()
        }
        .build(),
        RenderLayers::layer(SHADOW_LAYER),
        Transform::from_translation(from).looking_at(Vec3::ZERO, Vec3::Y),
    ));
}

/// The colours of the lamps, in the order of the models' light: the window, the sun, the
/// fire, and the room, from everywhere.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lamps(pub(crate) [Vec3; 4]);

impl Lamps {
    /// The lamps of a room at a time of day.
    pub(crate) const fn new(room: Room, time: TimeOfDay) -> Self {
        let v = Vec3::new;
        let dark = Vec3::ZERO;
        Self(match (room, time) {
            (Room::Study, TimeOfDay::Usual) => {
                [v(0.27, 0.31, 0.39), v(1.12, 0.88, 0.57), dark, v(0.125, 0.13, 0.15)]
            }
            (Room::Study, TimeOfDay::Morning) => {
                [v(0.38, 0.43, 0.51), v(0.80, 0.66, 0.47), dark, v(0.16, 0.165, 0.18)]
            }
            (Room::Study, TimeOfDay::Evening) => {
                [v(0.20, 0.20, 0.28), v(0.88, 0.50, 0.23), dark, v(0.18, 0.165, 0.19)]
            }
            (Room::Cabin, TimeOfDay::Usual) => {
                [v(0.08, 0.10, 0.15), dark, v(0.96, 0.69, 0.42), v(0.175, 0.15, 0.13)]
            }
            (Room::Cabin, TimeOfDay::Morning) => {
                [v(0.50, 0.56, 0.66), dark, v(0.34, 0.21, 0.11), v(0.21, 0.205, 0.205)]
            }
            (Room::Cabin, TimeOfDay::Evening) => {
                [v(0.14, 0.22, 0.38), dark, v(0.66, 0.41, 0.21), v(0.15, 0.14, 0.15)]
            }
        })
    }

    const SUN: usize = 1;
    const FIRE: usize = 2;

    /// The lamp that casts shadows.
    pub(super) fn key(&self, quality: Quality) -> Option<usize> {
        let luminances = self.luminances();
        let key =
            if luminances[Self::SUN] > luminances[Self::FIRE] { Self::SUN } else { Self::FIRE };
        (quality == Quality::High).then_some(key)
    }

    /// The share of a lamp's light that its shadows take: a hearth is wide, and the shadows
    /// of its fire are never deep.
    pub(super) const fn shadow_depth(lamp: usize) -> f32 {
        if lamp == Self::FIRE { 0.7 } else { 1.0 }
    }

    /// How bright each is.
    fn luminances(&self) -> Vec4 {
        let luminance = |colour: Vec3| LinearRgba::from_vec3(colour).luminance();
        Vec4::from(self.0.map(luminance))
    }

    /// The share of each in all light, but 0 for the lamp whose shadows are no pictures.
    pub(super) fn shares_in_pictures(&self, quality: Quality) -> Vec4 {
        let mut shares = self.luminances();
        let sum = shares.element_sum().max(1e-6);
        if let Some(key) = self.key(quality) {
            shares[key] = 0.0;
        }
        shares / sum
    }

    /// The colour of a white, level place on an empty table.
    pub(super) fn sum(&self) -> Vec3 {
        self.0.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use bevy::render::sync_world::SyncWorldPlugin;

    use super::*;
    use crate::app::{scene::look::TableMaterial, settings::Settings};

    #[test]
    fn the_study_is_lit_by_day_and_the_cabin_by_fire() {
        let [day, fire] = [Room::Study, Room::Cabin].map(|room| Lamps::new(room, TimeOfDay::Usual));
        let warmth = |lamps: Lamps| lamps.sum().x / lamps.sum().z;
        assert!(warmth(fire) > 1.2 * warmth(day));
        assert!(day.0[2] == Vec3::ZERO && fire.0[1] == Vec3::ZERO);
        for (room, time) in Room::VARIANTS
            .iter()
            .flat_map(|&room| TimeOfDay::VARIANTS.iter().map(move |&time| (room, time)))
        {
            let bright = LinearRgba::from_vec3(Lamps::new(room, time).sum()).luminance();
            assert!((0.75..1.35).contains(&bright), "{room:?} {time:?}: {bright}");
        }
    }

    #[test]
    fn the_sides_stay_apart_in_the_light_of_every_room() {
        use crate::app::{scene::look::models::colours_of, settings::options::Palette};

        const SIDES: [(GameKind, [&str; 2]); 4] = [
            (GameKind::Tablut, ["piece_soldier_white", "piece_soldier_black"]),
            (GameKind::Tablan, ["piece_runner_south", "piece_runner_north"]),
            (GameKind::Tablaaza, ["piece_stone_red", "piece_stone_green"]),
            (GameKind::Tablaaza, ["piece_pavilion_red", "piece_pavilion_green"]),
        ];
        for (room, palette) in Room::VARIANTS
            .iter()
            .flat_map(|&room| Palette::VARIANTS.iter().map(move |&palette| (room, palette)))
        {
            let light = Lamps::new(room, TimeOfDay::Usual).sum();
            for (game, names) in SIDES {
                let known = colours_of(game, palette);
                let [one, other] = names.map(|name| known[name].to_vec3() * light);
                let bright = |colour: Vec3| LinearRgba::from_vec3(colour).luminance() + 0.05;
                let contrast = bright(one).max(bright(other)) / bright(one).min(bright(other));
                let alike = one.normalize().dot(other.normalize());
                assert!(contrast > 1.5 || alike < 0.7, "{room:?} {palette:?} {names:?}");
            }
        }
    }

    #[test]
    fn at_high_quality_alone_the_key_lamp_casts_shadows() {
        let mut app = App::new();
        app.add_plugins(SyncWorldPlugin).init_resource::<DirectionalLightShadowMap>();
        let mut side = |room: Room, quality: Quality| {
            app.insert_resource(quality).insert_resource(Lamps::new(room, TimeOfDay::Usual));
            let world = app.world_mut();
            world.run_system_cached(place_key_lamp).expect("a scene");
            let mut lamps = world.query_filtered::<&Transform, With<KeyLamp>>();
            lamps.iter(world).map(|lamp| lamp.translation.x.signum()).collect::<Vec<_>>()
        };
        assert_eq!(side(Room::Study, Quality::High), [-1.0], "the sun");
        assert_eq!(side(Room::Cabin, Quality::High), [1.0], "the fire");
        assert!(side(Room::Cabin, Quality::Low).is_empty());
    }

    #[test]
    fn the_key_lamp_casts_its_shadows_only_once() {
        let mut app = crate::app::headless((900, 600));
        for (quality, is_real) in [(Quality::Low, false), (Quality::High, true)] {
            app.world_mut().resource_mut::<Settings>().quality = Some(quality);
            (0..3).for_each(|_| app.update());
            let shares = app.world().resource::<Lamps>().shares_in_pictures(quality);
            assert_eq!(shares[Lamps::SUN] == 0.0, is_real, "in the pictures");
            let materials = app.world().resource::<Assets<TableMaterial>>();
            let mut lit = materials.iter().filter(|(_, material)| material.in_room);
            assert!(lit.all(|(_, lit)| (lit.lamps[Lamps::SUN].w == 1.0) == is_real), "{quality}");
        }
    }
}
