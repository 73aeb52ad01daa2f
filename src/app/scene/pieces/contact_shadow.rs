//! Contact shadows: a soft dark disc on the board under each piece. It stays on
//! the board when the piece is lifted, and shrinks.
//!
//! At low quality, which has no shadow map, the shadow that the key light casts is part
//! of the disc's picture.

use bevy::{
    light::{NotShadowCaster, NotShadowReceiver},
    prelude::*,
    render::render_resource::TextureFormat,
    transform::TransformSystems,
};

use crate::{
    app::{
        scene::{
            SceneSet,
            look::{
                MeshBuilder, Surface,
                textures::{smoothstep, texture_from_fn},
            },
        },
        settings::options::Quality,
    },
    session::PieceKind,
};

/// Height of the disc: above the board, below highlights.
const DISC_Y: f32 = 0.0055;
/// Half the disc's width.
const HALF_SIZE: f32 = 0.47;
/// How dark the disc's middle is, from 0 to 1.
const DISC_DARKNESS: f32 = 0.686;
/// How dark a cast shadow is.
const CAST_DARKNESS: f32 = 0.72;
/// The longest cast shadow, in heights of its piece.
const LONGEST: f32 = 1.4;
/// Height of a piece above which it has no contact shadow.
const FADE_HEIGHT: f32 = 0.9;

/// What casts a shadow: its radius at the foot and at the head, and its height.
#[derive(Clone, Copy)]
struct Caster {
    foot: f32,
    head: f32,
    height: f32,
}

/// Men, stones, pavilions.
const CASTERS: [Caster; 3] = [
    Caster { foot: 0.27, head: 0.13, height: 0.60 },
    Caster { foot: 0.34, head: 0.24, height: 0.16 },
    Caster { foot: 0.38, head: 0.16, height: 0.52 },
];

/// The shadows of all kinds of pieces.
#[derive(Clone)]
pub(super) struct ContactShadows([ContactShadow; 3]);

/// The child of every piece.
#[derive(Bundle, Clone)]
pub(super) struct ContactShadow {
    name: Name,
    disc: ContactDisc,
    mesh: Mesh3d,
    material: Surface,
    transform: Transform,
    pickable: Pickable,
    shadow: (NotShadowCaster, NotShadowReceiver),
}

/// Marks the disc of a contact shadow.
#[derive(Component, Clone, Copy)]
struct ContactDisc;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, follow_light.in_set(SceneSet::Surfaces))
        .add_systems(PostUpdate, update_contact_shadows.before(TransformSystems::Propagate));
}

impl ContactShadows {
    /// Its mesh and material, to warm up.
    pub(super) fn mesh_and_material(&self) -> (Handle<Mesh>, Handle<StandardMaterial>) {
        (self.0[0].mesh.0.clone(), self.0[0].material.0.clone())
    }

    /// The shadow of a kind of piece.
    pub(super) fn of(&self, kind: PieceKind) -> ContactShadow {
        let caster = match kind {
            PieceKind::King | PieceKind::Soldier { .. } | PieceKind::Runner(_) => 0,
            PieceKind::Stone(_) => 1,
            PieceKind::Pavilion(_) => 2,
        };
        self.0[caster].clone()
    }

    pub(super) fn new(world: &mut World) -> Self {
        let texture = world.resource_mut::<Assets<Image>>().add(shadow_picture(None));
        let material = StandardMaterial {
            base_color_texture: Some(texture),
            alpha_mode: AlphaMode::Blend,
            unlit: true,
            ..default()
        };
        Self(CASTERS.map(|_| {
            let mesh = world.resource_mut::<Assets<Mesh>>().add(shadow_mesh(None));
            let material = world.resource_mut::<Assets<StandardMaterial>>().add(material.clone());
            ContactShadow {
                name: Name::new("Contact shadow"),
                disc: ContactDisc,
                mesh: Mesh3d(mesh),
                material: Surface(material),
                transform: Transform::from_translation(Vec3::Y * DISC_Y),
                pickable: Pickable::IGNORE,
                shadow: (NotShadowCaster, NotShadowReceiver),
            }
        }))
    }
}

/// A cast shadow: what casts it, and how far to the right and to the front it falls for
/// each unit of height.
type Cast = (Caster, Vec2);

/// What the picture of a shadow covers.
fn bounds(cast: Option<Cast>) -> Rect {
    let disc = Rect::from_center_half_size(Vec2::ZERO, Vec2::splat(HALF_SIZE));
    cast.map_or(disc, |(caster, slope)| {
        let reach = Vec2::splat(caster.head + blur(1.0));
        disc.union(Rect::from_center_half_size(slope * caster.height, reach))
    })
}

/// The width of a cast shadow's edge at a share of its caster's height.
fn blur(up: f32) -> f32 {
    0.08 + 0.12 * up
}

/// How dark a shadow is at a place beside its piece, from 0 to 1.
fn darkness(cast: Option<Cast>, at: Vec2) -> f32 {
    let disc = DISC_DARKNESS * smoothstep((1.0 - at.length() / HALF_SIZE).clamp(0.0, 1.0));
    let Some((caster, slope)) = cast else { return disc };
    let lit = (0..=12_u8)
        .map(|step| {
            let up = f32::from(step) / 12.0;
            let radius = caster.foot + (caster.head - caster.foot) * up;
            let off = at.distance(slope * caster.height * up) - radius;
            smoothstep((0.5 + off / blur(up)).clamp(0.0, 1.0))
        })
        .fold(1.0, f32::min);
    1.0 - (1.0 - disc) * (1.0 - CAST_DARKNESS * (1.0 - lit))
}

fn shadow_picture(cast: Option<Cast>) -> Image {
    let bounds = bounds(cast);
    texture_from_fn(64, 64, TextureFormat::Rgba8UnormSrgb, |u, v| {
        let alpha = darkness(cast, bounds.min + Vec2::new(u, v) * bounds.size()) * 255.0;
        [0, 0, 0, alpha as u8]
    })
}

fn shadow_mesh(cast: Option<Cast>) -> Mesh {
    let Rect { min, max } = bounds(cast);
    let corners = [(min.x, max.y), (max.x, max.y), (max.x, min.y), (min.x, min.y)]
        .map(|(x, z)| Vec3::new(x, 0.0, z));
    let mut mesh = MeshBuilder::new();
    mesh.polygon_with_uv(&corners, |at| (at.xz() - min) / (max - min), Color::WHITE);
    mesh.build()
}

/// Draws the shadows again when the quality changes, and at low quality when the light
/// comes from another side.
fn follow_light(
    quality: Res<Quality>,
    lights: Query<&Transform, With<DirectionalLight>>,
    assets: Res<super::PieceAssets>,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut shown: Local<Option<Vec2>>,
) {
    let slope = lights.iter().next().filter(|_| *quality == Quality::Low).map(|place| {
        let from = *place.back();
        (-from.xz() / from.y.max(0.1)).clamp_length_max(LONGEST)
    });
    if std::mem::replace(&mut *shown, slope) == slope {
        return;
    }
    for (caster, shadow) in CASTERS.into_iter().zip(&assets.contact_shadows.0) {
        let cast = slope.map(|slope| (caster, slope));
        if let Some(mut mesh) = meshes.get_mut(&shadow.mesh.0) {
            *mesh = shadow_mesh(cast);
        }
        if let Some(mut material) = materials.get_mut(&shadow.material.0) {
            material.base_color_texture = Some(images.add(shadow_picture(cast)));
        }
    }
}

/// Keeps each disc flat on the board below its piece, smaller the higher the
/// piece is.
fn update_contact_shadows(
    pieces: Query<&Transform, (Changed<Transform>, Without<ContactDisc>)>,
    mut discs: Query<(&ChildOf, &mut Transform), With<ContactDisc>>,
) {
    for (child_of, mut disc) in &mut discs {
        let Ok(piece) = pieces.get(child_of.parent()) else { continue };
        // Trays lie below the board: a piece there stands on the tray's floor.
        let height = piece.translation.y.max(0.0);
        let size = (1.0 - height / FADE_HEIGHT).max(0.0);
        // The disc's transform is relative to its piece's.
        let to_local = piece.rotation.inverse();
        let offset = to_local * Vec3::Y * (DISC_Y - height);
        *disc = Transform::from_translation(offset / piece.scale.max(Vec3::splat(0.01)))
            .with_rotation(to_local)
            .with_scale(Vec3::splat(size));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Global position and scale of the disc under a piece.
    fn disc_under(piece: Transform) -> (Vec3, f32) {
        let mut app = App::new();
        app.add_plugins(bevy::transform::TransformPlugin);
        app.add_systems(PostUpdate, update_contact_shadows.before(TransformSystems::Propagate));
        let disc = app.world_mut().spawn((ContactDisc, Transform::default())).id();
        app.world_mut().spawn(piece).add_child(disc);
        app.update();
        let place = app.world().entity(disc).get::<GlobalTransform>().copied();
        place.map_or((Vec3::NAN, 0.0), |it| (it.translation(), it.scale().x))
    }

    #[test]
    fn the_disc_of_a_lifted_piece_stays_on_the_board() {
        let rotation = Quat::from_rotation_z(0.7);
        for (height, size) in [(0.0, 1.0), (0.45, 0.5), (2.0, 0.0)] {
            let piece = Transform::from_xyz(3.0, height, -2.0).with_rotation(rotation);
            let (place, found) = disc_under(piece);
            assert!(place.distance(Vec3::new(3.0, DISC_Y, -2.0)) < 1e-4, "{place}");
            assert!((found - size).abs() < 1e-4, "{found}");
        }
        let in_tray = Transform::from_xyz(1.0, -0.36, 5.0).with_scale(Vec3::splat(0.78));
        let (place, _) = disc_under(in_tray);
        assert!((place.y - (DISC_Y - 0.36)).abs() < 1e-4, "{place}");
    }

    #[test]
    fn a_shadow_is_cast_away_from_the_light_and_ends_within_its_picture() {
        for caster in CASTERS {
            let cast = Some((caster, Vec2::new(0.86, 0.32)));
            let away = Vec2::new(0.86, 0.32).normalize() * 0.4;
            let (far, near) = (darkness(cast, away), darkness(cast, -away));
            assert!(far > 0.25 && near < far - 0.1, "{far} {near}");
            let Rect { min, max } = bounds(cast);
            for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                let along = min.lerp(max, share);
                for edge in [
                    Vec2::new(along.x, min.y),
                    Vec2::new(along.x, max.y),
                    Vec2::new(min.x, along.y),
                    Vec2::new(max.x, along.y),
                ] {
                    assert!(darkness(cast, edge) < 0.02, "{edge}: {}", darkness(cast, edge));
                }
            }
        }
    }
}
