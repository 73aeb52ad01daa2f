//! The button that brings hidden panels back, for mouse, touch and screen readers.

use crate::app::ui::{
    prelude::*,
    widgets::{self, command::CommandUi},
};

pub(super) fn plugin(app: &mut App) {
    let is_needed = |hidden: Res<PanelsHidden>, photo: Res<Photo>, screen: Res<State<Screen>>| {
        hidden.0 && photo.0.is_none() && *screen.get() != Screen::Title
    };
    app.add_systems(EguiPrimaryContextPass, show.run_if(is_needed).in_set(UiSet::FlipButton));
}

/// Shows it in the lower right corner.
fn show(
    mut contexts: EguiContexts,
    (state, settings): (CommandState, Res<Settings>),
    mut actions: MessageWriter<Action>,
) {
    let mut commands = CommandUi::new(&state, &settings);
    let Ok(context) = contexts.ctx_mut() else { return };
    let corner = context.content_rect().right_bottom() - vec2(space(3), space(3));
    let (align, width) = (Align2::RIGHT_BOTTOM, CONTROL_HEIGHT);
    widgets::floating_panel(context, "show-panels", corner, align, width, Frame::new(), |ui| {
        commands.icon(ui, "toggle-panels");
    });
    actions.write_batch(commands.requested);
}
