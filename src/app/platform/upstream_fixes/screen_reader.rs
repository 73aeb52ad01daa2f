//! Screen readers can press buttons and move the focus.
//!
//! `bevy_egui` 0.42 with its feature `accesskit` (vladbat00/bevy_egui#238, #434)
//! gives the tree of widgets to the window's adapter, but does not send its
//! `ActionRequest`s to egui. Here they become egui's events. No upstream issue is
//! known. Delete this file, except for `look_for_requests`, when `bevy_egui` forwards
//! them.

use std::collections::VecDeque;

use bevy::a11y::{AccessibilityRequested, ActionRequest};
use bevy_egui::{
    EguiInput, EguiPreUpdateSet, PrimaryEguiContext,
    egui::{Event, accesskit::ActionRequest as Request},
};

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

/// Hands on one request a frame, so that each finds what the one before has done.
fn forward_requests(
    mut requests: MessageReader<ActionRequest>,
    mut waiting: Local<VecDeque<Request>>,
    mut inputs: Query<&mut EguiInput, With<PrimaryEguiContext>>,
    mut next: ResMut<NextFrame>,
) {
    waiting.extend(requests.read().map(|request| request.0.clone()));
    let Some(request) = waiting.pop_front() else { return };
    for mut input in &mut inputs {
        input.events.push(Event::AccessKitActionRequest(request.clone()));
    }
    if !waiting.is_empty() {
        next.at_once();
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
    use bevy_egui::egui::accesskit::{Action, NodeId, TreeId};

    use super::*;

    #[test]
    fn requests_of_a_screen_reader_reach_the_panels_one_in_each_frame() {
        let mut app = App::new();
        app.init_resource::<NextFrame>()
            .add_message::<ActionRequest>()
            .add_systems(Update, forward_requests);
        let panels = app.world_mut().spawn((EguiInput::default(), PrimaryEguiContext)).id();
        let of = |node, action| Request {
            action,
            target_tree: TreeId::ROOT,
            target_node: NodeId(node),
            data: None,
        };
        let asked = [of(9, Action::Focus), of(9, Action::Click), of(7, Action::Click)];
        for request in asked.clone() {
            app.world_mut().write_message(ActionRequest(request));
        }
        for (number, request) in (1..).zip(asked) {
            app.update();
            let mut input = app.world_mut().get_mut::<EguiInput>(panels).expect("the input");
            let events = std::mem::take(&mut input.events);
            assert_eq!(events, [Event::AccessKitActionRequest(request)]);
            let due = app.world_mut().resource_mut::<NextFrame>().settle();
            assert_eq!(due.is_some(), number < 3, "the next request has its frame");
        }
    }
}
