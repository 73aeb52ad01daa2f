//! A builder of small, mostly flat meshes.
//!
//! Vertices carry colours, so that one mesh can have parts of several colours
//! with a single material.

use std::f32::consts::TAU;

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
};

use super::palette::vertex_color;
use crate::app::scene::prelude::*;

/// A triangle mesh under construction.
#[derive(Default)]
pub(crate) struct MeshBuilder {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    colours: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

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

    /// Adds a smooth strip of quads between two rows of equally many vertices.
    pub(crate) fn strip(
        &mut self,
        lower: &[StripVertex],
        upper: &[StripVertex],
        colour: Color,
    ) -> &mut Self {
        let colour = vertex_color(colour);
        let row = |mesh: &mut Self, points: &[StripVertex]| -> Vec<u32> {
            points.iter().map(|&(at, normal, uv)| mesh.vertex(at, normal, uv, colour)).collect()
        };
        let low = row(self, lower);
        let high = row(self, upper);
        for (low, high) in low.windows(2).zip(high.windows(2)) {
            self.indices.extend([low[0], high[0], high[1], low[0], high[1], low[1]]);
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
        let mut mesh = MeshBuilder::new();
        mesh.annulus(Vec3::ZERO, 0.2, 0.4, 12, Color::WHITE)
            .square_outline(Vec3::ZERO, 0.4, 0.1, Color::WHITE)
            .polygon(&rectangle(Vec3::ZERO, Vec2::splat(0.5)), Color::WHITE);
        assert_winding_matches_normals(&mesh);
    }
}
