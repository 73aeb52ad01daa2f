//! Where the panels of a screen stand: each takes its room at an edge of what the ones
//! before it have left, and the scene gets the rest.

use bevy::prelude::{DetectChangesMut as _, ResMut};
use bevy_egui::egui::{Context, Id, Rect, vec2};

use crate::app::scene::api::ViewportInsets;

/// The height that stays free at the top of every screen.
const TOP: &str = "dock-top";

/// The window while panels take their room in it, in points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dock {
    window: Rect,
    rest: Rect,
}

impl Dock {
    /// The window under what stands at its top on every screen.
    pub(crate) fn new(context: &Context) -> Self {
        let window = context.content_rect();
        let mut dock = Self { window, rest: window };
        dock.top(context.data(|data| data.get_temp(Id::new(TOP))).unwrap_or_default());
        dock
    }

    /// Keeps so much height free at the top of every screen.
    pub(crate) fn reserve_top(context: &Context, height: f32) {
        context.data_mut(|data| data.insert_temp(Id::new(TOP), height));
    }

    /// The size of the window.
    pub(crate) fn window(&self) -> Rect {
        self.window
    }

    /// What is left.
    pub(crate) fn rest(&self) -> Rect {
        self.rest
    }

    pub(crate) fn left(&mut self, width: f32) -> Rect {
        let (taken, rest) = self.rest.split_left_right_at_x(self.rest.left() + width);
        self.rest = rest;
        taken
    }

    pub(crate) fn right(&mut self, width: f32) -> Rect {
        let (rest, taken) = self.rest.split_left_right_at_x(self.rest.right() - width);
        self.rest = rest;
        taken
    }

    pub(crate) fn top(&mut self, height: f32) -> Rect {
        let height = height.min(self.rest.height());
        let (taken, rest) = self.rest.split_top_bottom_at_y(self.rest.top() + height);
        self.rest = rest;
        taken
    }

    pub(crate) fn bottom(&mut self, height: f32) -> Rect {
        let height = height.min(self.rest.height());
        let (rest, taken) = self.rest.split_top_bottom_at_y(self.rest.bottom() - height);
        self.rest = rest;
        taken
    }

    /// What the panels take from the scene.
    pub(crate) fn insets(&self) -> ViewportInsets {
        ViewportInsets {
            left: self.rest.left() - self.window.left(),
            right: self.window.right() - self.rest.right(),
            top: self.rest.top() - self.window.top(),
            bottom: self.window.bottom() - self.rest.bottom(),
        }
    }
}

/// Keeps the scene clear of panels that take so much at each edge (in the
/// panels' own points).
pub(super) fn reserve_insets(
    context: &Context,
    insets: &mut ResMut<ViewportInsets>,
    points: ViewportInsets,
) {
    let zoom = context.zoom_factor();
    insets.set_if_neq(ViewportInsets {
        left: points.left * zoom,
        right: points.right * zoom,
        top: points.top * zoom,
        bottom: points.bottom * zoom,
    });
}

/// The part of the window that the panels leave to the scene, in points.
pub(super) fn scene_rect(context: &Context, insets: &ViewportInsets) -> Rect {
    let (window, zoom) = (context.content_rect(), context.zoom_factor());
    Rect::from_min_max(
        window.min + vec2(insets.left, insets.top) / zoom,
        window.max - vec2(insets.right, insets.bottom) / zoom,
    )
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::pos2;

    use super::*;

    #[test]
    fn what_panels_leave_is_the_scenes() {
        let window = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
        let mut dock = Dock { window, rest: window };
        let side = dock.right(200.0);
        let bar = dock.top(50.0);
        let foot = dock.bottom(900.0);
        assert_eq!((side.size(), bar.size()), (vec2(200.0, 600.0), vec2(600.0, 50.0)));
        assert_eq!(foot.size(), vec2(600.0, 550.0), "no more than there is");
        let insets = dock.insets();
        assert_eq!((insets.left, insets.right), (0.0, 200.0));
        assert_eq!((insets.top, insets.bottom), (50.0, 550.0));
    }
}
