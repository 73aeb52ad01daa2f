//! A builder of small solids: turned profiles, slabs, prisms, flat shapes.
//!
//! Every vertex carries a colour, so one mesh can have a gold collar without
//! a second material.

use std::f32::consts::TAU;

use bevy::{asset::RenderAssetUsages, mesh::Indices, mesh::PrimitiveTopology, prelude::*};

use super::palette::vertex;

/// A solid being built.
#[derive(Default)]
pub(crate) struct MeshBuilder {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    colours: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

/// A smooth run of a turned profile: its points (radius, height) from below
/// to above, and its colour. Where two runs meet there is an edge.
pub(crate) struct Run<'a>(pub(crate) &'a [(f32, f32)], pub(crate) Color);

impl MeshBuilder {
    /// Nothing yet.
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

    /// A flat polygon, convex, its corners counter-clockwise as seen from the
    /// front.
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
        let colour = vertex(colour);
        let indices: Vec<u32> =
            corners.iter().map(|&at| self.vertex(at, normal, uv(at), colour)).collect();
        for pair in indices[1..].windows(2) {
            self.indices.extend([indices[0], pair[0], pair[1]]);
        }
        self
    }

    /// A flat polygon with texture coordinates and colours by position.
    pub(crate) fn polygon_shaded(
        &mut self,
        corners: &[Vec3],
        uv: impl Fn(Vec3) -> Vec2,
        colour: impl Fn(Vec3) -> Color,
    ) -> &mut Self {
        let first = self.colours.len();
        self.polygon_with_uv(corners, uv, Color::WHITE);
        for (own, &at) in self.colours[first..].iter_mut().zip(corners) {
            *own = vertex(colour(at));
        }
        self
    }

    /// A smooth strip between two rows of equally many points, as the sides
    /// of a turned or bent shape; `normals` go with the rows' points.
    pub(crate) fn strip(
        &mut self,
        lower: &[(Vec3, Vec3, Vec2)],
        upper: &[(Vec3, Vec3, Vec2)],
        colour: Color,
    ) -> &mut Self {
        let colour = vertex(colour);
        let row = |solid: &mut Self, points: &[(Vec3, Vec3, Vec2)]| -> Vec<u32> {
            points.iter().map(|&(at, normal, uv)| solid.vertex(at, normal, uv, colour)).collect()
        };
        let low = row(self, lower);
        let high = row(self, upper);
        for (low, high) in low.windows(2).zip(high.windows(2)) {
            self.indices.extend([low[0], high[0], high[1], low[0], high[1], low[1]]);
        }
        self
    }

    /// Turns a profile on the lathe about the y axis.
    pub(crate) fn turned(&mut self, segments: usize, runs: &[Run<'_>]) -> &mut Self {
        self.turned_at(Vec3::ZERO, segments, runs)
    }

    /// Turns a profile whose runs may leave gaps that something else fills.
    pub(crate) fn turned_apart(&mut self, segments: usize, runs: &[Run<'_>]) -> &mut Self {
        for run in runs {
            self.turned(segments, std::slice::from_ref(run));
        }
        self
    }

    /// [`Self::turned`] about an axis through `foot`.
    pub(crate) fn turned_at(&mut self, foot: Vec3, segments: usize, runs: &[Run<'_>]) -> &mut Self {
        for pair in runs.windows(2) {
            debug_assert_eq!(pair[0].0.last(), pair[1].0.first(), "a gap would show the inside");
        }
        for Run(points, colour) in runs {
            let curve = smooth(points, 3);
            let normals = profile_normals(&curve);
            let rings: Vec<Vec<(Vec3, Vec3, Vec2)>> = curve
                .iter()
                .zip(&normals)
                .map(|(&point, &normal)| ring(foot, point, normal, segments))
                .collect();
            for pair in rings.windows(2) {
                self.strip(&pair[0], &pair[1], *colour);
            }
        }
        self
    }

    /// A box whose upper edges are bevelled by `bevel`.
    pub(crate) fn slab(
        &mut self,
        min: Vec3,
        max: Vec3,
        bevel: f32,
        uv: impl Fn(Vec3) -> Vec2,
        colour: Color,
    ) -> &mut Self {
        let rim = |y: f32, inset: f32| {
            [
                Vec3::new(min.x + inset, y, max.z - inset),
                Vec3::new(max.x - inset, y, max.z - inset),
                Vec3::new(max.x - inset, y, min.z + inset),
                Vec3::new(min.x + inset, y, min.z + inset),
            ]
        };
        let foot = rim(min.y, 0.0);
        let shoulder = rim(max.y - bevel, 0.0);
        let top = rim(max.y, bevel);
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

    /// A flat ring in the plane of the table, seen from above.
    pub(crate) fn annulus(
        &mut self,
        centre: Vec3,
        inner: f32,
        outer: f32,
        segments: usize,
        colour: Color,
    ) -> &mut Self {
        let at = |radius: f32| -> Vec<(Vec3, Vec3, Vec2)> {
            (0..=segments)
                .map(|i| {
                    let (sin, cos) = (TAU * i as f32 / segments as f32).sin_cos();
                    let at = centre + Vec3::new(cos, 0.0, sin) * radius;
                    (at, Vec3::Y, Vec2::new(at.x, at.z))
                })
                .collect()
        };
        self.strip(&at(outer), &at(inner), colour)
    }

    /// A flat square rim in the plane of the table, `half` its outer half
    /// width.
    pub(crate) fn rim(&mut self, centre: Vec3, half: f32, width: f32, colour: Color) -> &mut Self {
        let corner = |i: usize, half: f32| {
            let (x, z) = [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)][i % 4];
            centre + Vec3::new(x * half, 0.0, z * half)
        };
        for i in 0..4 {
            let inner = half - width;
            self.polygon(
                &[corner(i, half), corner(i + 1, half), corner(i + 1, inner), corner(i, inner)],
                colour,
            );
        }
        self
    }

    /// The mesh, with the directions a relief on it needs.
    pub(crate) fn build_for_relief(self) -> Mesh {
        let mesh = self.build();
        // Only a mesh without triangles has none; it shows nothing anyway.
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

/// One ring of a turned shape. It goes against the clock seen from below, so
/// that strips from ring to ring face outwards.
fn ring(foot: Vec3, point: Vec2, normal: Vec2, segments: usize) -> Vec<(Vec3, Vec3, Vec2)> {
    (0..=segments)
        .map(|i| {
            let turn = i as f32 / segments as f32;
            let (sin, cos) = (turn * TAU).sin_cos();
            (
                foot + Vec3::new(cos * point.x, point.y, sin * point.x),
                Vec3::new(cos * normal.x, normal.y, sin * normal.x).normalize_or(Vec3::Y),
                Vec2::new(turn, point.y),
            )
        })
        .collect()
}

/// A Catmull-Rom curve through the points, `steps` pieces between two.
fn smooth(points: &[(f32, f32)], steps: usize) -> Vec<Vec2> {
    let at = |i: isize| {
        let last = points.len() as isize - 1;
        let (r, y) = points[i.clamp(0, last) as usize];
        Vec2::new(r, y)
    };
    if points.len() < 3 {
        return points.iter().map(|&(r, y)| Vec2::new(r, y)).collect();
    }
    let mut curve = vec![at(0)];
    for i in 0..points.len() as isize - 1 {
        let (a, b, c, d) = (at(i - 1), at(i), at(i + 1), at(i + 2));
        for step in 1..=steps {
            let t = step as f32 / steps as f32;
            let point = 0.5
                * (2.0 * b
                    + (c - a) * t
                    + (2.0 * a - 5.0 * b + 4.0 * c - d) * t * t
                    + (3.0 * b - a - 3.0 * c + d) * t * t * t);
            curve.push(point.max(Vec2::new(0.0, point.y)));
        }
    }
    curve
}

fn profile_normals(curve: &[Vec2]) -> Vec<Vec2> {
    (0..curve.len())
        .map(|i| {
            let before = curve[i.saturating_sub(1)];
            let after = curve[(i + 1).min(curve.len() - 1)];
            let along = after - before;
            Vec2::new(along.y, -along.x).normalize_or(Vec2::Y)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every triangle must face the way its normals say, or it would be
    /// culled where it should be seen.
    fn assert_faces_outwards(solid: &MeshBuilder) {
        for triangle in solid.indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from(solid.positions[triangle[i] as usize]));
            let facing = (b - a).cross(c - a);
            let normal: Vec3 =
                triangle.iter().map(|&i| Vec3::from(solid.normals[i as usize])).sum();
            assert!(facing.length() < 1e-9 || facing.dot(normal) > 0.0, "{a} {b} {c}");
        }
    }

    #[test]
    fn solids_face_outwards() {
        let mut solid = MeshBuilder::new();
        solid
            .turned(12, &[Run(&[(0.3, 0.0), (0.2, 0.5), (0.0, 0.6)], Color::WHITE)])
            .slab(Vec3::splat(-1.0), Vec3::ONE, 0.1, Vec3Swizzles::xz, Color::WHITE)
            .annulus(Vec3::ZERO, 0.2, 0.4, 12, Color::WHITE)
            .rim(Vec3::ZERO, 0.4, 0.1, Color::WHITE);
        assert_faces_outwards(&solid);
    }
}
