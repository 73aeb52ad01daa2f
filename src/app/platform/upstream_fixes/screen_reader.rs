//! What a screen reader asks for.
//!
//! `bevy_egui` with its feature `accesskit` hands the panels' tree to the
//! window's adapter, but not back what is asked of it: to press a button, to
//! move the focus. Those requests become egui's events here. Without the
//! feature nobody asks.

use bevy::{
    a11y::{AccessibilityRequested, ActionRequest},
    prelude::*,
};
use bevy_egui::{EguiInput, EguiPreUpdateSet, PrimaryEguiContext, egui::Event};

use crate::app::scene::api::ScreenReaderActive;

pub(crate) fn plugin(app: &mut App) {
    app.add_message::<ActionRequest>()
        .init_resource::<AccessibilityRequested>()
        .add_systems(
            PreUpdate,
            hand_on.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass),
        )
        .add_systems(Update, listen.in_set(crate::app::core::schedule::AppSet::Report));
}

fn hand_on(
    mut requests: MessageReader<'_, '_, ActionRequest>,
    mut inputs: Query<'_, '_, &mut EguiInput, With<PrimaryEguiContext>>,
) {
    for request in requests.read() {
        for mut input in &mut inputs {
            input.events.push(Event::AccessKitActionRequest(request.0.clone()));
        }
    }
}

/// Requests come without waking anybody: whoever is listened to looks often.
fn listen(requested: Res<'_, AccessibilityRequested>, mut heard: ResMut<'_, ScreenReaderActive>) {
    heard.set_if_neq(ScreenReaderActive(requested.get()));
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::accesskit::{Action, ActionRequest as Request, NodeId, TreeId};

    use super::*;

    #[test]
    fn what_a_screen_reader_asks_for_reaches_the_panels() {
        let mut app = App::new();
        app.add_message::<ActionRequest>().add_systems(Update, hand_on);
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
