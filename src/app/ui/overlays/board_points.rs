//! Points of the table, and where they are seen in the window.

use crate::app::{
    scene::{
        layout::{BoardLayout, FRAME_WIDTH},
        sticks::throw_animation::throw_volume,
    },
    ui::prelude::*,
};

/// The radius of a disc beside the board, and the room round it, in squares.
const DISC: f32 = 0.3;

/// Where points of the table are seen.
#[derive(SystemParam)]
pub(super) struct BoardPoints<'w, 's> {
    cameras: Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<Camera3d>>,
    layout: Res<'w, BoardLayout>,
}

impl BoardPoints<'_, '_> {
    /// The middle of a square.
    pub(super) fn square(&self, context: &Context, square: Square) -> Option<Pos2> {
        self.point(context, self.layout.square_centre(square))
    }

    /// The place where thrown sticks come to rest.
    pub(super) fn sticks(&self, context: &Context) -> Option<Rect> {
        let [a, b, c, d, ..] = throw_volume(&self.layout);
        let corners: Option<Vec<Pos2>> =
            [a, b, c, d].into_iter().map(|at| self.point(context, at)).collect();
        Some(Rect::from_points(&corners?))
    }

    /// A place at the right of the board, at the row nearest to the player or farthest, and
    /// the radius of a disc there.
    pub(super) fn beside(
        &self,
        context: &Context,
        near: NearSide,
        is_near: bool,
    ) -> Option<(Pos2, f32)> {
        let half = self.layout.half_size();
        let at = vec3(half.x + FRAME_WIDTH + DISC, 0.0, if is_near { half.y } else { -half.y });
        let edge = at - Vec3::X * DISC;
        let seen = |at: Vec3| self.point(context, near.seen_from_seat(at));
        let (middle, edge) = (seen(at)?, seen(edge)?);
        Some((middle, 0.8 * middle.distance(edge)))
    }

    /// Where a point is seen, in points of the panels; none behind the camera or without one.
    fn point(&self, context: &Context, at: Vec3) -> Option<Pos2> {
        let (camera, transform) = self.cameras.iter().next()?;
        let pixel = camera.world_to_viewport(transform, at).ok()?;
        let zoom = context.zoom_factor();
        Some(pos2(pixel.x / zoom, pixel.y / zoom))
    }
}
