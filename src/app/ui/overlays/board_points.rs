//! Points of the table, and where they are seen in the window.

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_egui::egui::{Context, Pos2, pos2};

use crate::{app::scene::layout::BoardLayout, games::Square};

/// Where points of the table are seen.
#[derive(SystemParam)]
pub(super) struct BoardPoints<'w, 's> {
    cameras: Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<Camera3d>>,
    layout: Option<Res<'w, BoardLayout>>,
}

impl BoardPoints<'_, '_> {
    /// The middle of a square.
    pub(super) fn square(&self, context: &Context, square: Square) -> Option<Pos2> {
        self.point(context, self.layout.as_ref()?.square_centre(square))
    }

    /// The middle of the place where the sticks lie.
    pub(super) fn sticks(&self, context: &Context) -> Option<Pos2> {
        self.point(context, self.layout.as_ref()?.sticks_centre())
    }

    /// Where a point is seen, in points of the panels; none behind the camera or without one.
    fn point(&self, context: &Context, at: Vec3) -> Option<Pos2> {
        let (camera, transform) = self.cameras.iter().next()?;
        let pixel = camera.world_to_viewport(transform, at).ok()?;
        let zoom = context.zoom_factor();
        Some(pos2(pixel.x / zoom, pixel.y / zoom))
    }
}
