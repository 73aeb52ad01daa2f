//! The letters and numbers on the frame, drawn from a glyph atlas of the bundled
//! font.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use bevy::{
    asset::RenderAssetUsages,
    image::{ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};

use crate::{
    app::scene::{
        camera::CameraRig,
        look::{MeshBuilder, TableMaterial, mesh_builder::rectangle, models::evenly_lit, palette},
        prelude::*,
    },
    session::shapes,
};

/// Cabin SemiBold, see `assets/CREDITS.md`.
static FONT: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/Cabin-SemiBold.otf"));

/// The glyphs of the atlas, in the order of its cells.
const GLYPHS: &str = "abcdefghijkl123456789";

/// Height of the frame's top.
const FRAME_Y: f32 = 0.035;
/// Half the size of a glyph's cell on the frame, at scale 1.
const GLYPH_HALF_SIZE: f32 = 0.19;
/// The least size of a glyph's cell in the window, in logical pixels, where the frame has
/// the room.
const LEGIBLE_CELL: f32 = 25.0;
/// How much longer a letter of the far side is than one of the near side.
const FAR_LENGTH: f32 = 1.3;
/// The most that the frame has room for, at scale 1.
const MAX_LENGTH: f32 = 1.65;
/// Distance of a glyph's centre from the frame's outer edge, at scale 1.
const EDGE_DISTANCE: f32 = 0.215;

/// Size of an atlas cell, in pixels.
const CELL: u32 = 96;
/// Cells in a row of the atlas.
const COLUMNS: u32 = 7;

/// A mesh of all letters and numbers, readable from one side.
#[derive(Component)]
pub(super) struct Coordinates {
    pub(super) near: Side,
    pub(super) scale: f32,
}

/// The materials of letters, with the glyph atlas as their texture.
#[derive(Resource)]
pub(super) struct LetterMaterials {
    pale: Handle<TableMaterial>,
    dark: Handle<TableMaterial>,
    ink: Handle<TableMaterial>,
    chalk: Handle<TableMaterial>,
}

pub(super) fn plugin(app: &mut App) {
    let atlas = app.world_mut().resource_mut::<Assets<Image>>().add(glyph_atlas());
    let mut materials = app.world_mut().resource_mut::<Assets<TableMaterial>>();
    let mut add = |colour: Color, in_room| {
        materials.add(TableMaterial {
            color: colour.to_linear(),
            picture: Some(atlas.clone()),
            alpha_mode: AlphaMode::Blend,
            in_room,
            ..default()
        })
    };
    let (pale, dark) = (add(palette::LETTER, true), add(palette::LETTER_DARK, true));
    let ink = add(palette::printed(shapes::INK), false);
    let chalk = add(palette::LETTER, false);
    app.insert_resource(LetterMaterials { pale, dark, ink, chalk });
}

impl LetterMaterials {
    /// The material of letters beside a diagram.
    pub(super) fn drawn(&self, on_paper: bool) -> Handle<TableMaterial> {
        if on_paper { self.ink.clone() } else { self.chalk.clone() }
    }

    /// The material of letters on a game's frame.
    pub(super) fn of(&self, game: GameKind) -> Handle<TableMaterial> {
        match game {
            GameKind::Tablut | GameKind::Tablan => self.pale.clone(),
            GameKind::Tablaaza => self.dark.clone(),
        }
    }
}

/// Shows the coordinates that are upright from the current side, if the settings
/// ask for them, and scales them with the text size and so that they can be read.
pub(super) fn update_coordinates(
    settings: Res<Settings>,
    rig: Res<CameraRig>,
    near: Res<NearSide>,
    layout: Res<BoardLayout>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut coordinates: Query<(&mut Coordinates, &Mesh3d, &mut Visibility)>,
) {
    let scale = glyph_scale(settings.text_size, rig.pixel_size);
    for (mut own, mesh, mut visibility) in &mut coordinates {
        let visible = settings.coordinates && own.near == near.0;
        visibility.set_if_neq(if visible { Visibility::Inherited } else { Visibility::Hidden });
        if own.scale != scale
            && let Some(mut mesh) = meshes.get_mut(mesh)
        {
            own.scale = scale;
            *mesh = coordinates_mesh(&layout, own.near, scale);
        }
    }
}

/// The scale of glyphs for a text size in percent and the size of a pixel on the table,
/// limited by the frame's width.
fn glyph_scale(text_percent: u16, pixel_size: f32) -> f32 {
    let legible = LEGIBLE_CELL * pixel_size / (2.0 * GLYPH_HALF_SIZE);
    // In steps: while the camera moves, the letters do not grow in every frame.
    let legible = (legible * 10.0).ceil() / 10.0;
    (f32::from(text_percent) / 100.0).max(legible).clamp(1.0, 1.6)
}

/// A mesh of the coordinates on all four sides of the frame, upright when seen
/// from the seat of `near`.
pub(super) fn coordinates_mesh(layout: &BoardLayout, near: Side, scale: f32) -> Mesh {
    let mut mesh = MeshBuilder::new();
    let half = layout.half_size();
    // Large letters stand further out, so that the pieces before them hide no foot.
    let out = FRAME_WIDTH - EDGE_DISTANCE + 0.04 * (scale - 1.0);
    let mut add = |glyph: char, x: f32, z: f32, long: f32| {
        let size = GLYPH_HALF_SIZE * scale * Vec2::new(1.0, long);
        add_glyph(&mut mesh, glyph, Vec3::new(x, FRAME_Y + 0.003, z), size, near);
    };
    // Seen from the seat, letters on the far side are short.
    let far = FAR_LENGTH.min(MAX_LENGTH / scale);
    for file in 0..layout.files {
        let x = layout.square_centre(Square::new(file, 0)).x;
        for (z, side) in [(half.y + out, Side::First), (-half.y - out, Side::Second)] {
            add(char::from(b'a' + file), x, z, if side == near { 1.0 } else { far });
        }
    }
    for rank in 0..layout.ranks {
        let z = layout.square_centre(Square::new(0, rank)).z;
        for x in [half.x + out, -half.x - out] {
            add(char::from(b'1' + rank), x, z, 1.0);
        }
    }
    evenly_lit(mesh.build(), 0.0)
}

/// Adds a textured quad; nothing for a glyph outside the atlas.
fn add_glyph(mesh: &mut MeshBuilder, glyph: char, centre: Vec3, half_size: Vec2, near: Side) {
    let Some(index) = GLYPHS.chars().position(|other| other == glyph) else { return };
    let index = u32::try_from(index).unwrap_or_default();
    let (column, row) = ((index % COLUMNS) as f32, (index / COLUMNS) as f32);
    let uv = move |at: Vec3| {
        let sign = if near == Side::Second { -1.0 } else { 1.0 };
        let within = sign * (at - centre).xz() / (2.0 * half_size) + 0.5;
        Vec2::new((column + within.x) / COLUMNS as f32, (row + within.y) / rows() as f32)
    };
    mesh.polygon_with_uv(&rectangle(centre, half_size), uv, Color::WHITE);
}

/// Rows of the atlas.
fn rows() -> u32 {
    u32::try_from(GLYPHS.len()).unwrap_or_default().div_ceil(COLUMNS)
}

/// All glyphs, white on a transparent background, each centred in its cell.
fn glyph_atlas() -> Image {
    let (width, height) = (CELL * COLUMNS, CELL * rows());
    let mut data = [255, 255, 255, 0].repeat((width * height) as usize);
    // The font is embedded; were it invalid, the frame would only lack letters.
    if let Ok(font) = FontRef::try_from_slice(FONT) {
        let scale = PxScale::from(CELL as f32 * 0.72);
        let scaled = font.as_scaled(scale);
        for (index, character) in (0..).zip(GLYPHS.chars()) {
            let id = scaled.glyph_id(character);
            let advance = scaled.h_advance(id);
            let baseline = CELL as f32 * 0.70;
            let origin = point((CELL as f32 - advance) / 2.0, baseline);
            let glyph = id.with_scale_and_position(scale, origin);
            let Some(outline) = font.outline_glyph(glyph) else { continue };
            let bounds = outline.px_bounds();
            let (left, top) = (index % COLUMNS * CELL, index / COLUMNS * CELL);
            let mut ink = |x: f32, y: f32, coverage: f32| {
                let cell = 0.0..CELL as f32;
                if cell.contains(&x) && cell.contains(&y) {
                    let pixel = (top + y as u32) * width + left + x as u32;
                    data[pixel as usize * 4 + 3] = (coverage.clamp(0.0, 1.0) * 255.0) as u8;
                }
            };
            outline.draw(|x, y, coverage| {
                ink(x as f32 + bounds.min.x, y as f32 + bounds.min.y, coverage);
            });
            if character == 'l' {
                // A foot: from the seat, an l would look like an i.
                let stem = bounds.width();
                for (x, y) in (0..(0.55 * stem) as u32)
                    .flat_map(|x| (0..(0.75 * stem) as u32).map(move |y| (x, y)))
                {
                    ink(bounds.max.x - 1.0 + x as f32, bounds.max.y - 1.0 - y as f32, 1.0);
                }
            }
        }
    }
    let mut image = Image::new(
        Extent3d { width, height, depth_or_array_layers: 1 },
        TextureDimension::D2,
        data,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_grow_with_the_text_and_where_the_board_is_small() {
        assert_eq!(glyph_scale(100, 0.012), 1.0, "a large board");
        assert_eq!(glyph_scale(200, 0.012), 1.6, "as far as the frame has room");
        let pixel_size = 0.022;
        let cell = 2.0 * GLYPH_HALF_SIZE * glyph_scale(100, pixel_size) / pixel_size;
        assert!((LEGIBLE_CELL..1.1 * LEGIBLE_CELL).contains(&cell), "{cell} pixels");
        assert_eq!(glyph_scale(100, 0.1), 1.6);
    }

    #[test]
    fn letters_have_their_size_in_the_first_frame_of_a_board() {
        let mut app = crate::app::headless((900, 600));
        let mut boards = 0;
        for rules in [RuleSet::Tablaaza, RuleSet::TablutAshton, RuleSet::Tablan] {
            app.world_mut().write_message(Action::from(GameAction::NewGame(Setup::new(rules))));
            for _ in 0..8 {
                app.update();
                let size = app.world().resource::<CameraRig>().pixel_size;
                let mut letters = app.world_mut().query::<&Coordinates>();
                for own in letters.iter(app.world()) {
                    assert_eq!(own.scale, glyph_scale(100, size), "{rules}");
                    boards += 1;
                }
            }
        }
        assert!(boards > 0, "letters were seen");
    }

    #[test]
    fn every_glyph_fills_its_atlas_cell() {
        let image = glyph_atlas();
        let data = image.data.unwrap_or_default();
        let width = (CELL * COLUMNS) as usize;
        for (index, glyph) in GLYPHS.chars().enumerate() {
            let (left, top) = (index % COLUMNS as usize, index / COLUMNS as usize);
            let ink = (0..CELL as usize)
                .flat_map(|y| (0..CELL as usize).map(move |x| (x, y)))
                .filter(|(x, y)| {
                    let pixel = (top * CELL as usize + y) * width + left * CELL as usize + x;
                    data[pixel * 4 + 3] > 128
                })
                .count();
            assert!(ink > 100, "{glyph}: {ink} pixels");
        }
    }
}
