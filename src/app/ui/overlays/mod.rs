//! What lies over a screen for a while, one file each.

mod board_points;
pub(crate) mod board_tree;
pub(crate) mod callout;
pub(crate) mod caption;
mod corridors;
pub(crate) mod curtain;
pub(crate) mod end_banner;
mod flip_button;
mod photo;
pub(crate) mod progress;
pub(crate) mod question;
mod show_panels;
pub(crate) mod toast;
mod turn_mark;

use self::{end_banner::EndBanner, toast::Toast};
use crate::app::ui::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, dismiss.in_set(AppSet::Report)).add_plugins((
        board_tree::plugin,
        callout::plugin,
        corridors::plugin,
        curtain::plugin,
        end_banner::plugin,
        flip_button::plugin,
        photo::plugin,
        progress::plugin,
        question::plugin,
        show_panels::plugin,
        toast::plugin,
        turn_mark::plugin,
    ));
}

/// Closes what lies on top: the toast, else the banner.
pub(super) fn dismiss(
    mut actions: MessageReader<UiAction>,
    mut toast: ResMut<Toast>,
    mut banner: ResMut<EndBanner>,
) {
    for action in actions.read() {
        if *action != UiAction::Dismiss {
            continue;
        }
        if toast.is_visible {
            toast.close();
        } else {
            banner.close();
        }
    }
}

/// The point so far below the middle of the scene's top edge.
fn below_top(scene: Rect, distance: f32) -> Pos2 {
    pos2(scene.center().x, scene.top() + distance)
}
