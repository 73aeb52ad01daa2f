//! Everything besides a new game, in four groups of links.

use crate::app::{
    commands::Command,
    ui::{
        prelude::*,
        widgets::{self, command::CommandUi},
    },
};

/// The groups: the key of the heading, and the commands.
const GROUPS: [(&str, &[&str]); 4] = [
    ("links.play", &["online", "set-up"]),
    ("links.learn", &[LESSON, "start-puzzles", "learn-from-mistakes", "help"]),
    ("links.library", &["recent", "history", "open", "analyse-record"]),
    ("links.program", &["settings", "look", "about", "quit"]),
];

/// Stands for the lesson of the chosen game.
const LESSON: &str = "start-lesson";

/// The commands among these that are offered.
fn offered(ids: &[&str], commands: &CommandUi<'_>) -> Vec<&'static Command> {
    let context = &commands.context;
    let command = |id: &&str| match *id {
        LESSON => Command::lesson(context.rules.game()),
        id => Command::named(id),
    };
    ids.iter().map(command).filter(|command| command.is_offered(context)).collect()
}

/// How high the row of a group is.
pub(super) const ROW_HEIGHT: f32 = space(7);
/// How high all groups are where each has its row.
#[expect(clippy::cast_precision_loss, reason = "four groups")]
pub(super) const HEIGHT: f32 = GROUPS.len() as f32 * ROW_HEIGHT;
/// The space between two links, and that at both sides of a link's text.
const GAP: f32 = space(2);
const PADDING: f32 = 3.0;

fn heading_width(ui: &Ui) -> f32 {
    let widths = GROUPS.map(|(key, _)| widgets::text_width(ui, tr(key), LABEL));
    widths.into_iter().fold(0.0, f32::max) + GAP
}

/// How wide the links are where each group has its row.
pub(super) fn width(ui: &Ui, commands: &CommandUi<'_>) -> f32 {
    let link = |command: &Command| {
        let text = command.text(&commands.context);
        widgets::text_width(ui, &text, SMALL) + 2.0 * PADDING + 2.0 + GAP
    };
    let row = |ids: &[&str]| -> f32 { offered(ids, commands).into_iter().map(link).sum() };
    GROUPS.iter().map(|(_, ids)| row(ids)).fold(0.0, f32::max) + heading_width(ui) + space(1)
}

/// Shows the groups, each in a row or, without the room, in several.
pub(super) fn show(ui: &mut Ui, commands: &mut CommandUi<'_>) {
    let heading_width = heading_width(ui);
    ui.spacing_mut().item_spacing = vec2(GAP, 0.0);
    ui.spacing_mut().button_padding.x = PADDING;
    ui.spacing_mut().interact_size.y = ROW_HEIGHT;
    for (key, ids) in GROUPS {
        ui.horizontal_top(|ui| {
            let size = vec2(heading_width - GAP, ROW_HEIGHT);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_size(size);
                widgets::label(ui, tr(key));
            });
            ui.horizontal_wrapped(|ui| {
                // A link that has no room goes to the next row as a whole.
                ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
                for command in offered(ids, commands) {
                    let response = widgets::link(ui, &command.text(&commands.context), SMALL);
                    let hint = command.hint();
                    let response =
                        if hint.is_empty() { response } else { response.on_hover_text(hint) };
                    if response.clicked() {
                        commands.request(command);
                    }
                }
            });
        });
    }
}
