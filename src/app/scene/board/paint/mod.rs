//! Boards painted by arithmetic: a colour, a height, a roughness for every
//! point, worked out in the background when a board is set.
//!
//! What a square is under the rules is drawn as ornament, cut or inlaid: the
//! painters know [`SquareKind`]s, never a rule.

mod ornament;
mod tablaaza;
mod tablan;
mod tablut;

pub(super) use tablaaza::PLOT;

use bevy::{
    image::ImageAddressMode,
    prelude::*,
    render::render_resource::TextureFormat,
    tasks::{AsyncComputeTaskPool, ComputeTaskPool, TaskPool},
};

use crate::{
    app::{
        scene::look::{palette::Scheme, textures::texture},
        settings::options::Palette,
    },
    games::{GameKind, RuleSet, Square},
    table::{BoardGrid, SquareKind},
};

/// Pixels along a square's side: as many as a 4K screen shows.
const DETAIL: u32 = 160;
/// The same where a processor draws, on smaller screens.
const COARSE: u32 = 96;

/// The width of a pixel, in squares.
const PIXEL: f32 = 1.0 / DETAIL as f32;

/// What one point of a board is like.
#[derive(Clone, Copy, Debug)]
struct Surface {
    /// Its colour, as screens count.
    colour: Vec3,
    /// Its height, in squares.
    height: f32,
    rough: f32,
    metal: f32,
}

/// A colour as painters mix it.
fn rgb(colour: Color) -> Vec3 {
    colour.to_srgba().to_vec3()
}

impl Surface {
    /// Lays a colour over it, so far as it covers the point.
    fn dye(&mut self, cover: f32, colour: Vec3) {
        self.colour = self.colour.lerp(colour, cover);
    }

    /// Cuts a groove into it: dark, dull and deep.
    fn cut(&mut self, cover: f32, colour: Vec3, deep: f32) {
        self.dye(cover, colour);
        self.height -= deep * cover;
        self.rough += (0.75 - self.rough) * cover;
    }

    /// Lets something else into it, flush.
    fn inlay(&mut self, cover: f32, colour: Vec3, rough: f32, metal: f32) {
        self.dye(cover, colour);
        self.rough += (rough - self.rough) * cover;
        self.metal += (metal - self.metal) * cover;
    }
}

/// A point of a board, as its painter meets it.
struct Point {
    /// From the far left corner, in squares: to the right, and nearer.
    at: Vec2,
    /// The same over the whole board, from 0 to 1.
    uv: Vec2,
    /// From the middle of its square.
    within: Vec2,
    square: Square,
    ground: SquareKind,
}

/// The pictures of one board.
pub(super) struct Painted {
    pub(super) colour: Image,
    /// Relief and sheen, if they were asked for.
    pub(super) fine: Option<[Image; 2]>,
}

/// Paints a board; `fine` with relief and sheen.
pub(super) fn paint(rules: RuleSet, palette: Palette, fine: bool) -> Painted {
    let board = BoardGrid::new(rules);
    let scheme = Scheme::of(palette);
    let detail = if fine { DETAIL } else { COARSE };
    let (width, height) = (u32::from(board.files) * detail, u32::from(board.ranks) * detail);
    // A row of squares is a task: rows have nothing to do with each other.
    let pool = ComputeTaskPool::get_or_init(TaskPool::default);
    let rows: Vec<Vec<([u8; 4], [u8; 4], f32)>> = pool.scope(|scope| {
        for row in 0..u32::from(board.ranks) {
            let (board, scheme) = (&board, &scheme);
            scope.spawn(async move {
                let lines = row * detail..(row + 1) * detail;
                lines
                    .flat_map(|y| (0..width).map(move |x| UVec2::new(x, y)))
                    .map(|pixel| (pixel.as_vec2() + 0.5) / detail as f32)
                    .map(|at| pack(surface(rules, scheme, board, at)))
                    .collect()
            });
        }
    });
    let mut colours = Vec::with_capacity((width * height) as usize);
    let mut sheen = Vec::new();
    let mut heights = Vec::new();
    for row in rows {
        colours.extend(row.iter().map(|it| it.0));
        if fine {
            sheen.extend(row.iter().map(|it| it.1));
            heights.extend(row.iter().map(|it| it.2));
        }
    }
    let clamp = ImageAddressMode::ClampToEdge;
    let vector = TextureFormat::Rgba8Unorm;
    let fine = fine.then(|| {
        let relief = relief(&heights, width as usize, height as usize);
        [
            texture(width, height, vector, relief, clamp),
            texture(width, height, vector, sheen, clamp),
        ]
    });
    let colour = texture(width, height, TextureFormat::Rgba8UnormSrgb, colours, clamp);
    Painted { colour, fine }
}

/// Starts painting in the background.
pub(super) fn begin(rules: RuleSet, palette: Palette, fine: bool) -> bevy::tasks::Task<Painted> {
    AsyncComputeTaskPool::get_or_init(TaskPool::default)
        .spawn(async move { paint(rules, palette, fine) })
}

fn surface(rules: RuleSet, scheme: &Scheme, board: &BoardGrid, at: Vec2) -> Surface {
    let size = Vec2::new(f32::from(board.files), f32::from(board.ranks));
    let cell = at.floor();
    let square = Square::new(cell.x as u8, board.ranks - 1 - (cell.y as u8).min(board.ranks - 1));
    let point = Point {
        at,
        uv: at / size,
        within: at - cell - 0.5,
        square,
        ground: board.kind(square).unwrap_or(SquareKind::Plain),
    };
    match rules.game() {
        GameKind::Tablut => tablut::surface(&point, scheme, rules, size),
        GameKind::Tablan => tablan::surface(&point, scheme, size),
        GameKind::Tablaaza => tablaaza::surface(&point, scheme, board),
    }
}

fn pack(surface: Surface) -> ([u8; 4], [u8; 4], f32) {
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0) as u8;
    let Vec3 { x, y, z } = surface.colour;
    (
        [byte(x), byte(y), byte(z), 255],
        // As materials read it: roughness in green, metal in blue.
        [255, byte(surface.rough), byte(surface.metal), 255],
        surface.height,
    )
}

/// The normal map of a field of heights in squares.
fn relief(heights: &[f32], width: usize, height: usize) -> Vec<[u8; 4]> {
    let at = |x: usize, y: usize| heights[y.min(height - 1) * width + x.min(width - 1)];
    let byte = |value: f32| ((value * 0.5 + 0.5).clamp(0.0, 1.0) * 255.0).round() as u8;
    (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| {
            let across = at(x.saturating_sub(1), y) - at(x + 1, y);
            let along = at(x, y.saturating_sub(1)) - at(x, y + 1);
            let way = Vec3::new(across, along, 2.0 * PIXEL).normalize();
            [byte(way.x), byte(way.y), byte(way.z), 255]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean colour of what lies round the middle of a square.
    fn mean(rules: RuleSet, palette: Palette, square: Square) -> Vec3 {
        let board = BoardGrid::new(rules);
        let scheme = Scheme::of(palette);
        let corner = Vec2::new(f32::from(square.file), f32::from(board.ranks - 1 - square.rank));
        let points = (0..20).flat_map(|y| (0..20).map(move |x| Vec2::new(x as f32, y as f32)));
        let colours: Vec<Vec3> = points
            .map(|at| surface(rules, &scheme, &board, corner + (at + 0.5) / 20.0).colour)
            .collect();
        colours.iter().sum::<Vec3>() / colours.len() as f32
    }

    /// Whoever looks for the first time must see which squares are special.
    #[test]
    fn each_kind_of_ground_looks_unlike_the_others() {
        for rules in RuleSet::ALL {
            for palette in Palette::ALL {
                let board = BoardGrid::new(rules);
                let mut kinds: Vec<(SquareKind, Vec3)> = Vec::new();
                for &(square, ground) in &board.squares {
                    if !kinds.iter().any(|it| it.0 == ground) {
                        kinds.push((ground, mean(rules, palette, square)));
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
    fn a_groove_leans_to_both_sides() {
        let heights: Vec<f32> =
            (0..8).flat_map(|_| [0.0, 0.0, -0.01, -0.02, -0.01, 0.0, 0.0, 0.0]).collect();
        let relief = relief(&heights, 8, 8);
        assert!(relief[2][0] > 150 && relief[4][0] < 105, "{:?} {:?}", relief[2], relief[4]);
        assert_eq!(relief[6], [128, 128, 255, 255]);
    }
}
