//! Procedural textures of boards: colour, height, roughness and metallic of every
//! point, computed in the background.
//!
//! The painters draw each kind of square with its own ornament, as engraving or
//! inlay. They know [`SquareKind`]s, never a rule.

mod sdf;
mod tablaaza;
mod tablan;
mod tablut;

pub(super) use tablaaza::PLOT_HALF_SIZE;

use bevy::{
    image::ImageAddressMode,
    prelude::*,
    render::render_resource::TextureFormat,
    tasks::{AsyncComputeTaskPool, ComputeTaskPool, Task, TaskPool},
};

use crate::{
    app::{
        scene::look::{
            palette::ColorScheme,
            textures::{normal_to_texel, texture_from_texels, to_unorm8},
        },
        settings::options::Palette,
    },
    games::{GameKind, RuleSet, Square},
    session::{BoardGrid, SquareKind},
};

/// Texels along a square's side: what a 4K screen resolves.
const TEXELS: u32 = 160;
/// Texels along a square's side without detail maps, for software renderers.
const COARSE_TEXELS: u32 = 96;

/// The width of a texel, in squares.
const TEXEL_SIZE: f32 = 1.0 / TEXELS as f32;

/// What to paint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PaintRequest {
    pub(super) rules: RuleSet,
    pub(super) palette: Palette,
    /// Whether to paint a normal map and a metallic-roughness map too.
    pub(super) detailed: bool,
}

/// The textures of one board.
pub(super) struct BoardTextures {
    pub(super) colour: Image,
    pub(super) normal_map: Option<Image>,
    pub(super) metallic_roughness_map: Option<Image>,
}

/// The material at one point of a board.
#[derive(Clone, Copy, Debug)]
struct SurfaceSample {
    /// sRGB-encoded colour.
    colour: Vec3,
    /// Height, in squares.
    height: f32,
    /// Perceptual roughness.
    roughness: f32,
    metallic: f32,
}

impl SurfaceSample {
    /// Mixes in a colour; `coverage` from 0 to 1.
    fn blend(&mut self, coverage: f32, colour: Vec3) {
        self.colour = self.colour.lerp(colour, coverage);
    }

    /// Engraves a groove: coloured, dull, and `depth` squares deep.
    fn engrave(&mut self, coverage: f32, colour: Vec3, depth: f32) {
        self.blend(coverage, colour);
        self.height -= depth * coverage;
        self.roughness += (0.75 - self.roughness) * coverage;
    }

    /// Inlays another material, flush with the surface.
    fn inlay(&mut self, coverage: f32, colour: Vec3, roughness: f32, metallic: f32) {
        self.blend(coverage, colour);
        self.roughness += (roughness - self.roughness) * coverage;
        self.metallic += (metallic - self.metallic) * coverage;
    }
}

/// sRGB components of a colour.
fn srgb(colour: Color) -> Vec3 {
    colour.to_srgba().to_vec3()
}

/// Where a sample is taken.
struct SamplePoint {
    /// Position in squares from the far left corner: right, towards the viewer.
    at: Vec2,
    /// The same position over the whole board, from 0 to 1.
    uv: Vec2,
    /// Position relative to the centre of its square.
    within: Vec2,
    square: Square,
    ground: SquareKind,
}

/// Colour, metallic-roughness and height of a point as they are stored.
type Texel = ([u8; 4], [u8; 4], f32);

impl PaintRequest {
    /// Texels along a square's side.
    const fn texels(self) -> u32 {
        if self.detailed { TEXELS } else { COARSE_TEXELS }
    }

    /// Paints the squares of one rank, counted from the far side.
    fn paint_rank(self, board: &BoardGrid, scheme: &ColorScheme, rank: u32) -> Vec<Texel> {
        let texels = self.texels();
        let lines = rank * texels..(rank + 1) * texels;
        lines
            .flat_map(|y| (0..u32::from(board.files) * texels).map(move |x| UVec2::new(x, y)))
            .map(|texel| (texel.as_vec2() + 0.5) / texels as f32)
            .map(|at| to_texel(sample(self.rules, scheme, board, at)))
            .collect()
    }

    /// The textures of the painted ranks.
    fn textures(self, board: &BoardGrid, ranks: &[Vec<Texel>]) -> BoardTextures {
        let texels = || ranks.iter().flatten();
        let side = self.texels();
        let (width, height) = (u32::from(board.files) * side, u32::from(board.ranks) * side);
        let texture = |format: TextureFormat, texels: Vec<[u8; 4]>| {
            texture_from_texels(width, height, format, texels, ImageAddressMode::ClampToEdge)
        };
        let colour = texture(TextureFormat::Rgba8UnormSrgb, texels().map(|it| it.0).collect());
        let normal_map = self.detailed.then(|| {
            let heights: Vec<f32> = texels().map(|it| it.2).collect();
            let normals = normals_from_heights(&heights, width as usize, height as usize);
            texture(TextureFormat::Rgba8Unorm, normals)
        });
        let metallic_roughness_map = self
            .detailed
            .then(|| texture(TextureFormat::Rgba8Unorm, texels().map(|it| it.1).collect()));
        BoardTextures { colour, normal_map, metallic_roughness_map }
    }
}

/// Paints a board in the background, with the threads of both pools.
///
/// The ranks are tasks that are awaited. A scope of `ComputeTaskPool` would run other
/// tasks of that pool while it waits; one of Bevy's render systems waits there for a
/// pipeline that `AsyncComputeTaskPool` makes, and where that pool has one thread, which
/// waits in the scope, both would wait for ever.
pub(super) fn start_painting(request: PaintRequest) -> Task<BoardTextures> {
    let background = AsyncComputeTaskPool::get_or_init(TaskPool::default);
    let other: &TaskPool = ComputeTaskPool::get_or_init(TaskPool::default);
    let board = BoardGrid::new(request.rules);
    let ranks: Vec<Task<Vec<Texel>>> = (0..u32::from(board.ranks))
        .map(|rank| {
            let pool = if rank % 2 == 0 { other } else { &**background };
            pool.spawn(async move {
                let scheme = ColorScheme::new(request.palette);
                request.paint_rank(&BoardGrid::new(request.rules), &scheme, rank)
            })
        })
        .collect();
    background.spawn(async move {
        let mut painted = Vec::with_capacity(ranks.len());
        for rank in ranks {
            painted.push(rank.await);
        }
        request.textures(&board, &painted)
    })
}

fn sample(rules: RuleSet, scheme: &ColorScheme, board: &BoardGrid, at: Vec2) -> SurfaceSample {
    let size = Vec2::new(f32::from(board.files), f32::from(board.ranks));
    let cell = at.floor();
    let square = Square::new(cell.x as u8, board.ranks - 1 - (cell.y as u8).min(board.ranks - 1));
    let point = SamplePoint {
        at,
        uv: at / size,
        within: at - cell - 0.5,
        square,
        ground: board.kind(square).unwrap_or(SquareKind::Plain),
    };
    match rules.game() {
        GameKind::Tablut => tablut::sample(&point, scheme, rules, size),
        GameKind::Tablan => tablan::sample(&point, scheme, size),
        GameKind::Tablaaza => tablaaza::sample(&point, scheme, board),
    }
}

fn to_texel(sample: SurfaceSample) -> Texel {
    let Vec3 { x, y, z } = sample.colour;
    (
        [to_unorm8(x), to_unorm8(y), to_unorm8(z), 255],
        // The glTF convention: roughness in green, metallic in blue.
        [255, to_unorm8(sample.roughness), to_unorm8(sample.metallic), 255],
        sample.height,
    )
}

/// The normal map of a height field in squares, by central differences.
fn normals_from_heights(heights: &[f32], width: usize, height: usize) -> Vec<[u8; 4]> {
    let at = |x: usize, y: usize| heights[y.min(height - 1) * width + x.min(width - 1)];
    (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| {
            let across = at(x.saturating_sub(1), y) - at(x + 1, y);
            let along = at(x, y.saturating_sub(1)) - at(x, y + 1);
            normal_to_texel(Vec3::new(across, along, 2.0 * TEXEL_SIZE).normalize())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean colour of a square.
    fn mean_colour(rules: RuleSet, palette: Palette, square: Square) -> Vec3 {
        let board = BoardGrid::new(rules);
        let scheme = ColorScheme::new(palette);
        let corner = Vec2::new(f32::from(square.file), f32::from(board.ranks - 1 - square.rank));
        let points = (0..20).flat_map(|y| (0..20).map(move |x| Vec2::new(x as f32, y as f32)));
        let colours: Vec<Vec3> = points
            .map(|at| sample(rules, &scheme, &board, corner + (at + 0.5) / 20.0).colour)
            .collect();
        colours.iter().sum::<Vec3>() / colours.len() as f32
    }

    /// A new player must see which squares are special.
    #[test]
    fn each_kind_of_square_has_a_distinct_mean_colour() {
        for rules in RuleSet::ALL {
            for palette in Palette::ALL {
                let board = BoardGrid::new(rules);
                let mut kinds: Vec<(SquareKind, Vec3)> = Vec::new();
                for &(square, ground) in &board.squares {
                    if !kinds.iter().any(|it| it.0 == ground) {
                        kinds.push((ground, mean_colour(rules, palette, square)));
                    }
                }
                for (i, (one, a)) in kinds.iter().enumerate() {
                    for (other, b) in &kinds[i + 1..] {
                        let apart = a.distance(*b);
                        assert!(apart > 0.06, "{rules} {palette:?}: {one:?} {other:?} {apart}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_groove_has_normals_towards_both_sides() {
        let heights: Vec<f32> =
            (0..8).flat_map(|_| [0.0, 0.0, -0.01, -0.02, -0.01, 0.0, 0.0, 0.0]).collect();
        let normals = normals_from_heights(&heights, 8, 8);
        assert!(normals[2][0] > 150 && normals[4][0] < 105, "{:?} {:?}", normals[2], normals[4]);
        assert_eq!(normals[6], [128, 128, 255, 255]);
    }
}
