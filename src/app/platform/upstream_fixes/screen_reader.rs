//! Screen readers can press buttons and move the focus.
//!
//! `bevy_egui` 0.42 with its feature `accesskit` (vladbat00/bevy_egui#238, #434)
//! gives the tree of widgets to the window's adapter, but does not send its
//! `ActionRequest`s to egui. Here they become egui's events. No upstream issue is
//! known. Delete this file, except for `look_for_requests`, when `bevy_egui` forwards
//! them.

use bevy::a11y::{AccessibilityRequested, ActionRequest};
use bevy_egui::{EguiInput, EguiPreUpdateSet, PrimaryEguiContext, egui::Event};

use crate::app::{core::prelude::*, platform::IS_WEB};

pub(crate) fn plugin(app: &mut App) {
    app.add_message::<ActionRequest>()
        .init_resource::<AccessibilityRequested>()
        .add_systems(
            PreUpdate,
            forward_requests
                .after(EguiPreUpdateSet::ProcessInput)
                .before(EguiPreUpdateSet::BeginPass),
        )
        .add_systems(Update, look_for_requests.in_set(AppSet::Report));
}

fn forward_requests(
    mut requests: MessageReader<ActionRequest>,
    mut inputs: Query<&mut EguiInput, With<PrimaryEguiContext>>,
) {
    for request in requests.read() {
        for mut input in &mut inputs {
            input.events.push(Event::AccessKitActionRequest(request.0.clone()));
        }
    }
}

/// The interval at which requests are looked for.
const REQUESTS_INTERVAL: Duration = Duration::from_millis(150);

/// Requests do not wake the app, so it has to draw often while a screen reader is
/// connected; except on the web page, where they do.
fn look_for_requests(requested: Res<AccessibilityRequested>, mut next: ResMut<NextFrame>) {
    if requested.get() && !IS_WEB {
        next.within(REQUESTS_INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::accesskit::{Action, ActionRequest as Request, NodeId, TreeId};

    use super::*;

    #[test]
    fn requests_of_a_screen_reader_reach_the_panels() {
        let mut app = App::new();
        app.add_message::<ActionRequest>().add_systems(Update, forward_requests);
        let panels = app.world_mut().spawn((EguiInput::default(), PrimaryEguiContext)).id();
        let request = Request {
            action: Action::Click,
            target_tree: TreeId::ROOT,
            target_node: NodeId(7),
            data: None,
        };
        app.world_mut().write_message(ActionRequest(request.clone()));
        app.update();
        let input = app.world().get::<EguiInput>(panels).expect("the panels' input");
        assert_eq!(input.events, [Event::AccessKitActionRequest(request)]);
    }
}
