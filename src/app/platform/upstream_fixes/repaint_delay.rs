//! Frames that egui wants later are drawn later.
//!
//! `bevy_egui` 0.42 (`process_output_system`) requests a frame at once whenever egui wants
//! one at any time: the delay before a tooltip, or a notice that stays for seconds, draws
//! without pause. Here the frame is asked for when it is wanted. No upstream issue is known.
//! Delete this file, except for asking [`NextFrame`], when `bevy_egui` waits for
//! `ViewportOutput::repaint_delay`.

use bevy::{prelude::*, window::RequestRedraw};
use bevy_egui::{EguiFullOutput, EguiPostUpdateSet, egui::ViewportId};

use crate::app::core::redraw::NextFrame;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PostUpdate,
        (
            ask_for_frames
                .after(EguiPostUpdateSet::EndPass)
                .before(EguiPostUpdateSet::ProcessOutput),
            withdraw_requests.after(EguiPostUpdateSet::ProcessOutput),
        ),
    );
}

/// Asks for what egui wants, and keeps what others have requested in this frame.
fn ask_for_frames(
    outputs: Query<&EguiFullOutput>,
    mut requests: ResMut<Messages<RequestRedraw>>,
    mut next: ResMut<NextFrame>,
) {
    if requests.drain().count() > 0 {
        next.at_once();
    }
    for output in outputs.iter().filter_map(|output| output.0.as_ref()) {
        if let Some(viewport) = output.viewport_output.get(&ViewportId::ROOT) {
            next.within(viewport.repaint_delay);
        }
    }
}

/// What is left are the requests of `bevy_egui`.
fn withdraw_requests(mut requests: ResMut<Messages<RequestRedraw>>) {
    requests.clear();
}
