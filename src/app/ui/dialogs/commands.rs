//! The command palette: every command of this screen, found by typing words of its
//! name in any of the game's languages.

use std::cmp::Reverse;

use bevy_egui::egui::Modifiers;

use super::{
    CloseButton, DialogWindow, WindowLayout, dialog_opened, request_from_dialog, reset, while_open,
};
use crate::app::{
    commands::{COMMANDS, Command, CommandContext, Scope},
    ui::{
        prelude::*,
        widgets::{self, command::CommandUi},
    },
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Palette>()
        .add_systems(
            Update,
            reset::<Palette>.run_if(dialog_opened(Dialog::Commands)).in_set(AppSet::Report),
        )
        .add_systems(EguiPrimaryContextPass, while_open(Dialog::Commands, show));
}

/// What is typed, and which of the commands found is chosen.
#[derive(Resource, Debug, Default)]
struct Palette {
    typed: String,
    chosen: usize,
}

fn show(
    mut window: DialogWindow,
    mut palette: ResMut<Palette>,
    state: CommandState,
    settings: Res<Settings>,
) {
    // It keeps its height while words are typed.
    let layout = WindowLayout { width: 600.0, close: CloseButton::None, ..WindowLayout::default() };
    let mut commands = CommandUi::new(&state, &settings);
    window.show(&layout, |ui, actions| {
        content(ui, &mut palette, &mut commands);
        request_from_dialog(&mut commands.requested, actions);
    });
}

fn content(ui: &mut Ui, palette: &mut Palette, commands: &mut CommandUi) {
    // The field would take these keys for its cursor.
    let presses =
        |ui: &Ui, key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
    let (down, up) = (presses(ui, Key::ArrowDown), presses(ui, Key::ArrowUp));
    let is_entered = ui.input(|input| input.key_pressed(Key::Enter));
    let line = TextEdit::singleline(&mut palette.typed)
        .hint_text(tr("commands.type"))
        .desired_width(f32::INFINITY)
        .margin(Margin::symmetric(10, 6))
        .min_size(vec2(0.0, CONTROL_HEIGHT));
    let line = ui.add(line);
    line.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, tr("commands.type")));
    line.request_focus();
    if line.changed() {
        palette.chosen = 0;
    }
    let found = found(&palette.typed, &commands.context);
    let last = found.len().saturating_sub(1);
    palette.chosen = (palette.chosen.min(last) + down).min(last).saturating_sub(up);
    ui.add_space(space(1));
    let height = LIST_HEIGHT.min(ui.ctx().content_rect().height() - AROUND_LIST);
    let area = ScrollArea::vertical().id_salt("commands").auto_shrink([false, false]);
    widgets::scroll_area_from(ui, area, height, |ui| {
        ui.set_min_height(height);
        ui.spacing_mut().item_spacing.y = 0.0;
        if found.is_empty() {
            widgets::note(ui, tr("commands.none"));
        }
        let width = ui.available_width();
        for (index, command) in found.iter().enumerate() {
            let is_chosen = index == palette.chosen;
            let response = commands.row(ui, command, width, is_chosen);
            if is_chosen && (down > 0 || up > 0 || line.changed()) {
                response.scroll_to_me(None);
            }
        }
    });
    let chosen = found.get(palette.chosen).filter(|command| command.is_enabled(&commands.context));
    if let Some(command) = chosen.filter(|_| is_entered) {
        commands.request(command);
    }
}

/// How high the list is where there is room, and how much of the window is around it.
const LIST_HEIGHT: f32 = space(105);
const AROUND_LIST: f32 = space(35);

/// The commands that have all words typed, the best first: those whose name begins with
/// them, then those whose name has them. Of equally good ones those of this screen come
/// before those that every screen has, and those that can be used now before the others.
fn found(typed: &str, context: &CommandContext) -> Vec<&'static Command> {
    let typed = typed.trim().to_lowercase();
    let listed = |command: &&Command| command.is_in_palette(context) && command.matches(&typed);
    let mut found: Vec<_> = COMMANDS.iter().filter(listed).collect();
    found.sort_by_key(|command| {
        let name = command.text(context).to_lowercase();
        let fit = (name.starts_with(&typed), name.contains(&typed));
        Reverse((fit, command.scope != Scope::Everywhere, command.is_enabled(context)))
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_whose_name_begins_with_the_words_comes_first() {
        let context = CommandContext { screen: Screen::Replay, ..CommandContext::default() };
        let ids = |typed: &str| -> Vec<_> {
            found(typed, &context).into_iter().map(|command| command.id).collect()
        };
        assert_eq!(ids("undo").first(), Some(&"undo"));
        assert_eq!(ids(" MAIN  menu ").first(), Some(&"show-title"));
        assert!(ids("promuovi").contains(&"promote"), "by a word of the other language");
        assert!(!ids("").contains(&"commands") && !ids("").contains(&"press-cursor"));
        assert!(ids("nothing like this").is_empty());
        let title = CommandContext::default();
        let table = CommandContext { screen: Screen::Table, ..CommandContext::default() };
        for (typed, id, context) in [
            ("prac", "learn-from-mistakes", &title),
            ("rules", "help", &title),
            ("sound", "settings", &title),
            ("music", "settings", &title),
            ("volume", "settings", &title),
            ("mute", "settings", &title),
            ("lingua", "settings", &title),
            ("language", "settings", &title),
            ("dark", "look", &title),
            ("dark", "toggle-diagram", &table),
            ("undo", "undo", &table),
            ("hint", "hint", &table),
            ("flip", "flip-board", &table),
        ] {
            let found = found(typed, context);
            assert!(found.iter().any(|command| command.id == id), "{typed} means {id}");
        }
    }
}
