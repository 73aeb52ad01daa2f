//! A builder of small meshes: surfaces of revolution, boxes, flat shapes.
//!
//! Vertices carry colours, so that one mesh can have parts of several colours
//! with a single material.

use std::f32::consts::TAU;

use bevy::{asset::RenderAssetUsages, mesh::Indices, mesh::PrimitiveTopology, prelude::*};

use super::{
    palette::vertex_color,
    profile::{catmull_rom, kept, openness, profile_normals},
};

pub(crate) use super::profile::Detail;

/// A triangle mesh under construction.
#[derive(Default)]
pub(crate) struct MeshBuilder {
    detail: Detail,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    colours: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

/// A smooth part of a lathe profile: its points (radius, height) from bottom to
/// top, and its colour. Two segments meet in a hard edge.
pub(crate) struct ProfileSegment<'a>(pub(crate) &'a [(f32, f32)], pub(crate) Color);

/// A vertex of [`MeshBuilder::strip`]: position, normal, texture coordinates.
pub(crate) type StripVertex = (Vec3, Vec3, Vec2);

/// The corners of a horizontal rectangle, counter-clockwise seen from above from
/// the near left one.
pub(crate) fn rectangle(centre: Vec3, half_size: Vec2) -> [Vec3; 4] {
    [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]
        .map(|(x, z)| centre + Vec3::new(x * half_size.x, 0.0, z * half_size.y))
}

impl MeshBuilder {
    /// An empty mesh.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// An empty mesh whose round shapes are this finely divided.
    pub(crate) fn with_detail(detail: Detail) -> Self {
        Self { detail, ..Self::default() }
    }

    fn vertex(&mut self, at: Vec3, normal: Vec3, uv: Vec2, colour: [f32; 4]) -> u32 {
        let index = u32::try_from(self.positions.len()).unwrap_or(u32::MAX);
        self.positions.push(at.to_array());
        self.normals.push(normal.to_array());
        self.uvs.push(uv.to_array());
        self.colours.push(colour);
        index
    }

    /// Adds a flat convex polygon; its corners are counter-clockwise seen from
    /// the front. Texture coordinates are (x, z).
    pub(crate) fn polygon(&mut self, corners: &[Vec3], colour: Color) -> &mut Self {
        self.polygon_with_uv(corners, |at| Vec2::new(at.x, at.z), colour)
    }

    /// [`Self::polygon`] with texture coordinates by position.
    pub(crate) fn polygon_with_uv(
        &mut self,
        corners: &[Vec3],
        uv: impl Fn(Vec3) -> Vec2,
        colour: Color,
    ) -> &mut Self {
        let [first, second, .., last] = corners else { return self };
        let normal = (*second - *first).cross(*last - *first).normalize_or(Vec3::Y);
        let colour = vertex_color(colour);
        let indices: Vec<u32> =
            corners.iter().map(|&at| self.vertex(at, normal, uv(at), colour)).collect();
        for pair in indices[1..].windows(2) {
            self.indices.extend([indices[0], pair[0], pair[1]]);
        }
        self
    }

    /// [`Self::polygon`] with texture coordinates and colours by position.
    pub(crate) fn polygon_with_colours(
        &mut self,
        corners: &[Vec3],
        uv: impl Fn(Vec3) -> Vec2,
        colour: impl Fn(Vec3) -> Color,
    ) -> &mut Self {
        let first = self.colours.len();
        self.polygon_with_uv(corners, uv, Color::WHITE);
        for (own, &at) in self.colours[first..].iter_mut().zip(corners) {
            *own = vertex_color(colour(at));
        }
        self
    }

    /// Adds a smooth strip of quads between two rows of equally many vertices.
    pub(crate) fn strip(
        &mut self,
        lower: &[StripVertex],
        upper: &[StripVertex],
        colour: Color,
    ) -> &mut Self {
        self.shaded_strip(lower, upper, [colour; 2])
    }

    /// [`Self::strip`] whose colour changes from the lower row to the upper one.
    pub(crate) fn shaded_strip(
        &mut self,
        lower: &[StripVertex],
        upper: &[StripVertex],
        colours: [Color; 2],
    ) -> &mut Self {
        let row = |mesh: &mut Self, points: &[StripVertex], colour: Color| -> Vec<u32> {
            let colour = vertex_color(colour);
            points.iter().map(|&(at, normal, uv)| mesh.vertex(at, normal, uv, colour)).collect()
        };
        let low = row(self, lower, colours[0]);
        let high = row(self, upper, colours[1]);
        for (low, high) in low.windows(2).zip(high.windows(2)) {
            self.indices.extend([low[0], high[0], high[1], low[0], high[1], low[1]]);
        }
        self
    }

    /// Adds a lathe: the surface of revolution of a profile about the y axis, in
    /// `sides` faces. Ambient occlusion by the profile itself is baked into its
    /// colours.
    pub(crate) fn lathe(&mut self, sides: usize, profile: &[ProfileSegment<'_>]) -> &mut Self {
        self.lathe_at(Vec3::ZERO, sides, profile)
    }

    /// [`Self::lathe`] with gaps allowed between the segments.
    pub(crate) fn lathe_with_gaps(
        &mut self,
        sides: usize,
        profile: &[ProfileSegment<'_>],
    ) -> &mut Self {
        self.revolve(Vec3::ZERO, sides, profile)
    }

    /// [`Self::lathe`] about a vertical axis through `foot`.
    pub(crate) fn lathe_at(
        &mut self,
        foot: Vec3,
        sides: usize,
        profile: &[ProfileSegment<'_>],
    ) -> &mut Self {
        for pair in profile.windows(2) {
            debug_assert_eq!(pair[0].0.last(), pair[1].0.first(), "a gap would show the inside");
        }
        self.revolve(foot, sides, profile)
    }

    fn revolve(&mut self, foot: Vec3, sides: usize, profile: &[ProfileSegment<'_>]) -> &mut Self {
        let curves: Vec<Vec<Vec2>> = profile.iter().map(|it| catmull_rom(it.0, 3)).collect();
        let radius = curves.iter().flatten().map(|it| it.x).fold(0.0, f32::max);
        // Four make a square, or a diamond.
        let sides = if sides > 4 { self.detail.sides(sides, radius) } else { sides };
        for (ProfileSegment(_, colour), curve) in profile.iter().zip(&curves) {
            let normals = profile_normals(curve);
            let lights: Vec<f32> = curve
                .iter()
                .zip(&normals)
                .map(|(&point, &normal)| openness(point, normal, &curves))
                .collect();
            let rings: Vec<(Vec<StripVertex>, Color)> = kept(curve, &lights, self.detail)
                .into_iter()
                .map(|i| (ring(foot, curve[i], normals[i], sides), darkened(*colour, lights[i])))
                .collect();
            for pair in rings.windows(2) {
                self.shaded_strip(&pair[0].0, &pair[1].0, [pair[0].1, pair[1].1]);
            }
        }
        self
    }

    /// Adds a closed, smooth surface about the y axis: `at` maps a turn and a height,
    /// both from 0 to 1, to a point and its colour. Seen from above, turns run
    /// clockwise from the right.
    pub(crate) fn moulded(
        &mut self,
        sides: usize,
        rows: usize,
        at: impl Fn(f32, f32) -> (Vec3, Color),
    ) -> &mut Self {
        const STEP: f32 = 1e-3;
        let slope = |turn: f32, up: f32, by: Vec2| -> Vec3 {
            let [low, high] = [-1.0, 1.0].map(|sign| {
                let up = (up + sign * by.y).clamp(0.0, 1.0);
                at((turn + sign * by.x).rem_euclid(1.0), up).0
            });
            high - low
        };
        let rows = if self.detail == Detail::Coarse { rows.div_ceil(2) } else { rows };
        let first = u32::try_from(self.positions.len()).unwrap_or(u32::MAX);
        for row in 0..=rows {
            for side in 0..=sides {
                let (turn, up) = (side as f32 / sides as f32, row as f32 / rows as f32);
                let (point, colour) = at(turn.rem_euclid(1.0), up);
                // At a pole, the surface around it tells the normal.
                let level = up.clamp(STEP, 1.0 - STEP);
                let along = slope(turn, level, Vec2::X * STEP);
                let rise = slope(turn, level, Vec2::Y * STEP);
                let normal = rise.cross(along).normalize_or(Vec3::Y);
                self.vertex(point, normal, Vec2::new(turn, point.y), vertex_color(colour));
            }
        }
        let width = sides as u32 + 1;
        for row in 0..rows as u32 {
            for side in 0..sides as u32 {
                let low = first + row * width + side;
                let high = low + width;
                self.indices.extend([low, high, high + 1, low, high + 1, low + 1]);
            }
        }
        self
    }

    /// Adds flat facets about the y axis through `foot`: a cut lathe of few sides, whose
    /// points (radius, height) run from bottom to top. Every other ring is turned by
    /// half a side if `twisted`, which makes triangles.
    pub(crate) fn facets(
        &mut self,
        foot: Vec3,
        sides: usize,
        twisted: bool,
        profile: &[(f32, f32)],
        colour: impl Fn(f32) -> Color,
    ) -> &mut Self {
        let point = |ring: usize, side: f32| {
            let (radius, y) = profile[ring];
            let shift = if twisted && ring % 2 == 1 { 0.5 } else { 0.0 };
            let (sin, cos) = (TAU * (side + shift) / sides as f32).sin_cos();
            foot + Vec3::new(cos * radius, y, sin * radius)
        };
        let uv = |at: Vec3| Vec2::new(at.x, at.y);
        let shade = |at: Vec3| colour(at.y);
        for ring in 0..profile.len().saturating_sub(1) {
            for side in 0..sides {
                let [a, b, c] = [0.0, 1.0, 2.0].map(|step| side as f32 + step);
                let (low, high) = (ring, ring + 1);
                let corners: Vec<Vec<Vec3>> = match (twisted, ring % 2) {
                    (false, _) => {
                        vec![vec![point(low, b), point(low, a), point(high, a), point(high, b)]]
                    }
                    (true, 0) => vec![
                        vec![point(low, b), point(low, a), point(high, a)],
                        vec![point(low, b), point(high, a), point(high, b)],
                    ],
                    (true, _) => vec![
                        vec![point(low, b), point(low, a), point(high, b)],
                        vec![point(low, b), point(high, b), point(high, c)],
                    ],
                };
                for face in corners {
                    let mut face = face;
                    face.dedup_by(|one, other| one.distance(*other) < 1e-5);
                    if face.len() > 2 && face[0].distance(face[face.len() - 1]) > 1e-5 {
                        self.polygon_with_colours(&face, uv, shade);
                    }
                }
            }
        }
        self
    }

    /// Adds an axis-aligned box without a bottom; its upper edges are bevelled.
    pub(crate) fn bevelled_box(
        &mut self,
        min: Vec3,
        max: Vec3,
        bevel: f32,
        uv: impl Fn(Vec3) -> Vec2,
        colour: Color,
    ) -> &mut Self {
        let outline = |y: f32, inset: f32| {
            [
                Vec3::new(min.x + inset, y, max.z - inset),
                Vec3::new(max.x - inset, y, max.z - inset),
                Vec3::new(max.x - inset, y, min.z + inset),
                Vec3::new(min.x + inset, y, min.z + inset),
            ]
        };
        let foot = outline(min.y, 0.0);
        let shoulder = outline(max.y - bevel, 0.0);
        let top = outline(max.y, bevel);
        self.polygon_with_uv(&top, &uv, colour);
        for i in 0..4 {
            let j = (i + 1) % 4;
            self.polygon_with_uv(&[foot[i], foot[j], shoulder[j], shoulder[i]], &uv, colour);
            if bevel > 0.0 {
                self.polygon_with_uv(&[shoulder[i], shoulder[j], top[j], top[i]], &uv, colour);
            }
        }
        self
    }

    /// Adds a horizontal ring, seen from above.
    pub(crate) fn annulus(
        &mut self,
        centre: Vec3,
        inner: f32,
        outer: f32,
        sides: usize,
        colour: Color,
    ) -> &mut Self {
        let circle = |radius: f32| -> Vec<StripVertex> {
            (0..=sides)
                .map(|i| {
                    let (sin, cos) = (TAU * i as f32 / sides as f32).sin_cos();
                    let at = centre + Vec3::new(cos, 0.0, sin) * radius;
                    (at, Vec3::Y, Vec2::new(at.x, at.z))
                })
                .collect()
        };
        self.strip(&circle(outer), &circle(inner), colour)
    }

    /// Adds a horizontal square outline; `half_size` is measured to its outer
    /// edge.
    pub(crate) fn square_outline(
        &mut self,
        centre: Vec3,
        half_size: f32,
        width: f32,
        colour: Color,
    ) -> &mut Self {
        let outer = rectangle(centre, Vec2::splat(half_size));
        let inner = rectangle(centre, Vec2::splat(half_size - width));
        for i in 0..4 {
            let j = (i + 1) % 4;
            self.polygon(&[outer[i], outer[j], inner[j], inner[i]], colour);
        }
        self
    }

    /// The mesh with tangents, which a normal map needs.
    pub(crate) fn build_with_tangents(self) -> Mesh {
        let mesh = self.build();
        // This fails only for a mesh without triangles, which needs none.
        mesh.clone().with_generated_tangents().unwrap_or(mesh)
    }

    /// The mesh.
    pub(crate) fn build(self) -> Mesh {
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, self.uvs)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colours)
            .with_inserted_indices(Indices::U32(self.indices))
    }
}

/// One ring of a lathe. Its vertices run counter-clockwise seen from below, so
/// that strips from ring to ring face outwards.
fn ring(foot: Vec3, point: Vec2, normal: Vec2, sides: usize) -> Vec<StripVertex> {
    (0..=sides)
        .map(|i| {
            let turn = i as f32 / sides as f32;
            let (sin, cos) = (turn * TAU).sin_cos();
            (
                foot + Vec3::new(cos * point.x, point.y, sin * point.x),
                Vec3::new(cos * normal.x, normal.y, sin * normal.x).normalize_or(Vec3::Y),
                Vec2::new(turn, point.y),
            )
        })
        .collect()
}

/// A colour of which only this share of the light is left.
pub(crate) fn darkened(colour: Color, light: f32) -> Color {
    Color::from((colour.to_linear() * light).with_alpha(colour.alpha()))
}

/// The edges of a mesh that only one triangle has: where two should meet, there is a gap.
#[cfg(test)]
pub(crate) fn boundary_edges(mesh: &Mesh) -> Vec<[Vec3; 2]> {
    use bevy::platform::collections::HashMap;

    // Vertices of one place, which differ by their normals or colours, are one.
    let place = |at: Vec3| (at * 1e4).round().as_ivec3().to_array();
    let mut edges: HashMap<[[i32; 3]; 2], (u32, [Vec3; 2])> = HashMap::default();
    for triangle in mesh.triangles().expect("a list of triangles") {
        let [a, b, c] = triangle.vertices;
        for ends in [[a, b], [b, c], [c, a]] {
            let mut key = ends.map(place);
            key.sort_unstable();
            if key[0] != key[1] {
                edges.entry(key).or_insert((0, ends)).0 += 1;
            }
        }
    }
    edges.into_values().filter(|(count, _)| *count == 1).map(|(_, ends)| ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle whose winding disagrees with its normals would be culled.
    fn assert_winding_matches_normals(mesh: &MeshBuilder) {
        for triangle in mesh.indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from(mesh.positions[triangle[i] as usize]));
            let facing = (b - a).cross(c - a);
            let normal: Vec3 = triangle.iter().map(|&i| Vec3::from(mesh.normals[i as usize])).sum();
            assert!(facing.length() < 1e-9 || facing.dot(normal) > 0.0, "{a} {b} {c}");
        }
    }

    #[test]
    fn all_shapes_face_outwards() {
        all_shapes_face_outwards_in(Detail::Fine);
        all_shapes_face_outwards_in(Detail::Coarse);
    }

    fn all_shapes_face_outwards_in(detail: Detail) {
        let mut mesh = MeshBuilder::with_detail(detail);
        mesh.lathe(12, &[ProfileSegment(&[(0.3, 0.0), (0.2, 0.5), (0.0, 0.6)], Color::WHITE)])
            .bevelled_box(Vec3::splat(-1.0), Vec3::ONE, 0.1, Vec3Swizzles::xz, Color::WHITE)
            .annulus(Vec3::ZERO, 0.2, 0.4, 12, Color::WHITE)
            .moulded(24, 12, |turn, up| {
                let (sin, cos) = (turn * TAU).sin_cos();
                let radius = 0.3 * (1.0 - up * up) * (1.0 + 0.2 * (5.0 * turn * TAU).cos());
                (Vec3::new(cos * radius, up, sin * radius), Color::WHITE)
            })
            .facets(Vec3::ZERO, 8, false, &[(0.3, 0.0), (0.2, 0.5), (0.0, 0.6)], |_| Color::WHITE)
            .facets(Vec3::ZERO, 6, true, &[(0.3, 0.0), (0.4, 0.2), (0.2, 0.5), (0.0, 0.6)], |_| {
                Color::WHITE
            })
            .square_outline(Vec3::ZERO, 0.4, 0.1, Color::WHITE);
        assert_winding_matches_normals(&mesh);
    }
}
