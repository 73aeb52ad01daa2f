//! Profiles of lathes: smooth curves through a few points, the points of them that are
//! worth a triangle, and the light that reaches them.

use bevy::prelude::*;

/// How finely round shapes are divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Detail {
    /// No edge is seen up close.
    #[default]
    Fine,
    /// For software renderers, where each triangle takes its time.
    Coarse,
}

impl Detail {
    /// How far a polygon may lie from the curve that it stands for, in squares.
    const fn tolerance(self) -> f32 {
        match self {
            Self::Fine => 0.0008,
            Self::Coarse => 0.004,
        }
    }

    /// How many of `sides` are wanted round a circle of this radius.
    pub(super) fn sides(self, sides: usize, radius: f32) -> usize {
        match self {
            Self::Fine => sides,
            Self::Coarse => {
                let angle = (1.0 - self.tolerance() / radius.max(2.0 * self.tolerance())).acos();
                ((std::f32::consts::PI / angle).ceil() as usize).max(8).min(sides)
            }
        }
    }
}

/// A uniform Catmull-Rom spline through the points with `steps` pieces between
/// two of them. Radii are clamped to 0.
pub(super) fn catmull_rom(points: &[(f32, f32)], steps: usize) -> Vec<Vec2> {
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

/// By how much of the tolerance a change of the light counts.
const LIGHT_WEIGHT: f32 = 0.1;

/// The points of a curve without which its shape or its shading would be another
/// (Ramer, Douglas and Peucker), as indices.
pub(super) fn kept(curve: &[Vec2], lights: &[f32], detail: Detail) -> Vec<usize> {
    let at = |i: usize| curve[i].extend(lights[i] * LIGHT_WEIGHT);
    let mut kept = vec![0];
    let mut open = vec![(0, curve.len() - 1)];
    while let Some((from, to)) = open.pop() {
        let along = at(to) - at(from);
        let off = |i: usize| {
            let t = (at(i) - at(from)).dot(along) / along.length_squared().max(1e-12);
            (at(i) - at(from) - along * t.clamp(0.0, 1.0)).length()
        };
        match (from + 1..to).max_by(|&a, &b| off(a).total_cmp(&off(b))) {
            Some(farthest) if off(farthest) > detail.tolerance() => {
                open.extend([(farthest, to), (from, farthest)]);
            }
            _ => kept.push(to),
        }
    }
    kept
}

/// How far other parts of a profile darken a point of it.
const OCCLUSION_REACH: f32 = 0.22;
/// How dark a point is that other parts enclose.
const OCCLUSION: f32 = 0.8;

/// The share of the light that reaches a point of a profile, from the horizon on
/// both sides of its normal (ambient occlusion). The floor lies at height 0.
pub(super) fn openness(point: Vec2, normal: Vec2, curves: &[Vec<Vec2>]) -> f32 {
    let tangent = normal.perp();
    let floor = [0.03, 0.08, 0.15].map(|distance| Vec2::new(point.x + distance, 0.0));
    let mut horizon = [0.0_f32; 2];
    for &other in curves.iter().flatten().chain(&floor) {
        let offset = other - point;
        let distance = offset.length();
        if !(1e-3..=OCCLUSION_REACH).contains(&distance) {
            continue;
        }
        let sine = (offset.dot(normal) / distance).max(0.0);
        let side = &mut horizon[usize::from(offset.dot(tangent) > 0.0)];
        *side = side.max(sine * (1.0 - distance / OCCLUSION_REACH));
    }
    1.0 - OCCLUSION * (horizon[0] + horizon[1]) / 2.0
}

/// The normals of a profile curve, by central differences.
pub(super) fn profile_normals(curve: &[Vec2]) -> Vec<Vec2> {
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

    #[test]
    fn a_groove_and_a_foot_are_darker_than_a_ridge() {
        let profile = [(0.3, 0.0), (0.3, 0.1), (0.2, 0.14), (0.3, 0.2), (0.3, 0.4)]
            .map(|(x, y)| Vec2::new(x, y));
        let light = |index: usize| openness(profile[index], Vec2::X, &[profile.to_vec()]);
        assert!(light(2) < 0.7, "the groove: {}", light(2));
        assert!(light(0) < light(4), "the foot: {}, the top: {}", light(0), light(4));
        assert!((light(4) - 1.0).abs() < 1e-3, "nothing is over the top: {}", light(4));
    }

    #[test]
    fn a_curve_keeps_the_points_that_make_its_shape() {
        let curve: Vec<Vec2> = (0..=40)
            .map(|i| {
                let (sin, cos) = (i as f32 / 40.0 * std::f32::consts::PI).sin_cos();
                Vec2::new(cos, sin) * 0.03
            })
            .collect();
        let lights = vec![1.0; curve.len()];
        for (detail, fewest, most) in [(Detail::Fine, 6, 14), (Detail::Coarse, 3, 6)] {
            let kept = kept(&curve, &lights, detail);
            assert!((fewest..=most).contains(&kept.len()), "{detail:?}: {kept:?}");
            assert!(kept.is_sorted() && kept[0] == 0 && kept[kept.len() - 1] == 40, "{kept:?}");
        }
        let straight: Vec<Vec2> = (0..=9).map(|i| Vec2::new(0.2, i as f32 * 0.05)).collect();
        assert_eq!(kept(&straight, &[1.0; 10], Detail::Fine), [0, 9]);
        let mut shaded = [1.0; 10];
        shaded[5] = 0.5;
        assert!(kept(&straight, &shaded, Detail::Fine).contains(&5), "a groove is dark");
    }
}
