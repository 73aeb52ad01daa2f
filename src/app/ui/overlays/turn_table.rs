//! The button that turns the table to the other player, where two people have
//! asked to be asked.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{Align2, pos2, vec2},
};

use crate::{
    app::{
        core::actions::{Action, ViewAction},
        scene::api::{FlipOffered, ViewportInsets},
        ui::{send, theme, widgets},
    },
    i18n::tr,
};

/// Shows it at the foot of the scene.
pub(crate) fn show(
    mut contexts: EguiContexts<'_, '_>,
    asked: Res<'_, FlipOffered>,
    margins: Res<'_, ViewportInsets>,
    mut acts: MessageWriter<'_, Action>,
) {
    if !asked.0 {
        return;
    }
    let Ok(context) = contexts.ctx_mut() else { return };
    let scene = crate::app::ui::left_free(context, &margins);
    let foot = pos2(scene.center().x, scene.bottom() - 12.0);
    let width = (scene.width() - 40.0).min(240.0);
    let mut wanted = Vec::new();
    widgets::float(context, "turn", foot, Align2::CENTER_BOTTOM, width, theme::dialog(), |ui| {
        ui.vertical_centered(|ui| {
            if widgets::main_button(ui, tr("popup.turn-table"), vec2(width - 24.0, 34.0)).clicked()
            {
                wanted.push(Action::View(ViewAction::FlipBoard));
            }
        });
    });
    send(wanted, &mut acts);
}
