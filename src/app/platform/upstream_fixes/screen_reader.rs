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
    egui::{Event, Key, accesskit::ActionRequest as Request},
};

use crate::app::{
    core::{prelude::*, states::UiFocus},
    platform::IS_WEB,
};

pub(crate) fn plugin(app: &mut App) {
    app.add_message::<ActionRequest>()
        .init_resource::<AccessibilityRequested>()
        .add_systems(
            PreUpdate,
            (forward_requests, keep_arrows)
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

/// The arrow keys are the board's while it has the focus. The filter that the board gives to
/// egui says so only from the second frame of a square on: a key before that would leave it.
fn keep_arrows(focus: Res<UiFocus>, mut inputs: Query<&mut EguiInput, With<PrimaryEguiContext>>) {
    const ARROWS: [Key; 4] = [Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown];

    if focus.board {
        for mut input in &mut inputs {
            input
                .events
                .retain(|event| !matches!(event, Event::Key { key, .. } if ARROWS.contains(key)));
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
    use bevy_egui::egui::{
        Modifiers,
        accesskit::{Action, NodeId, TreeId},
    };

    use super::*;

    #[test]
    fn arrow_keys_stay_with_the_board_that_has_the_focus() {
        let mut app = App::new();
        app.init_resource::<UiFocus>().add_systems(Update, keep_arrows);
        let panels = app.world_mut().spawn((EguiInput::default(), PrimaryEguiContext)).id();
        let pressed = |key| Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let (arrow, tab) = (pressed(Key::ArrowUp), pressed(Key::Tab));
        for (board, left) in [(false, vec![arrow.clone(), tab.clone()]), (true, vec![tab.clone()])]
        {
            app.world_mut().resource_mut::<UiFocus>().board = board;
            let mut input = app.world_mut().get_mut::<EguiInput>(panels).expect("the input");
            input.events = vec![arrow.clone(), tab.clone()];
            app.update();
            let input = app.world().get::<EguiInput>(panels).expect("the input");
            assert_eq!(input.events, left, "the board has the focus: {board}");
        }
    }

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
