//! The button that turns the board to the other player, where two people have
//! chosen to be asked.

use crate::app::{
    game::board_flip::FlipOffered,
    ui::{prelude::*, widgets},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        show.run_if(resource_exists::<FlipOffered>).in_set(UiSet::FlipButton),
    );
}

/// Shows it at the foot of the scene.
fn show(
    mut contexts: EguiContexts,
    offered: Res<FlipOffered>,
    insets: Res<ViewportInsets>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if !offered.0 {
        return;
    }
    let scene = scene_rect(context, &insets);
    let foot = pos2(scene.center().x, scene.bottom() - 12.0);
    let width = (scene.width() - 40.0).min(240.0);
    let (align, frame) = (Align2::CENTER_BOTTOM, theme::dialog_frame());
    widgets::floating_panel(context, "turn", foot, align, width, frame, |ui| {
        ui.vertical_centered(|ui| {
            let size = vec2(width - 24.0, 34.0);
            if widgets::primary_button(ui, tr("act.flip-board"), size).clicked() {
                actions.write(ViewAction::FlipBoard.into());
            }
        });
    });
}
