//! The question that the game asks: which of several moves is meant, whether a
//! draw is accepted.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui::Align2};

use super::below_top;
use crate::{
    app::{
        core::{
            actions::{Action, GameAction},
            states::Screen,
        },
        game::referee::Referee,
        scene::api::ViewportInsets,
        ui::{
            UiSet, scene_rect,
            theme::{self, LARGE, TEXT},
            widgets,
        },
    },
    i18n::tr,
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        show.run_if(in_state(Screen::Table)).in_set(UiSet::Question),
    );
}

fn show(
    mut contexts: EguiContexts,
    referee: Res<Referee>,
    insets: Res<ViewportInsets>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some(question) = referee.question.as_ref().filter(|_| referee.table.is_some()) else {
        return;
    };
    let scene = scene_rect(context, &insets);
    let (top, width) = (below_top(scene, 14.0), (scene.width() - 40.0).min(440.0));
    let (align, frame) = (Align2::CENTER_TOP, theme::dialog_frame());
    widgets::floating_panel(context, "question", top, align, width, frame, |ui| {
        widgets::wrapped(ui, &question.text, LARGE, TEXT);
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            for (index, choice) in question.choices.iter().enumerate() {
                if widgets::choice_button(ui, false, choice).clicked() {
                    actions.write(GameAction::Answer(index).into());
                }
            }
            if !question.must_be_answered() && widgets::button(ui, tr("ask.let-go")).clicked() {
                actions.write(GameAction::Deselect.into());
            }
        });
    });
}
