//! The menu: what can be done besides playing, on any screen.

use super::{DialogWindow, ScreenContent, WindowLayout, request_from_dialog, settings::tutor_row};
use crate::app::{
    commands::{COMMANDS, Menu},
    ui::{
        prelude::*,
        screens::{replay_bar, toolbar},
        widgets::{self, command::CommandUi},
    },
};

pub(super) fn show(
    mut window: DialogWindow,
    on_screen: ScreenContent,
    state: CommandState,
    mut settings: ResMut<Settings>,
) {
    let layout = WindowLayout { width: WIDE + space(30), ..WindowLayout::default() };
    let mut wanted = settings.clone();
    let mut commands = CommandUi::new(&state, &settings);
    let has_tutor = !commands.context.is_exercise()
        && on_screen.shown.screen() == Screen::Table
        && on_screen.shown.referee.table.as_ref().is_some_and(|table| {
            table.seats().iter().any(|seat| seat.is_computer())
                && table.seats().contains(&Seat::Person)
        });
    window.show(&layout, |ui, actions| {
        widgets::dialog_title(ui, tr("menu.title"));
        for &menu in Menu::VARIANTS {
            section(ui, menu, &mut commands);
            match menu {
                Menu::Study if has_tutor => tutor_row(ui, &mut wanted.tutor),
                Menu::Game if commands.context.screen == Screen::Replay => {
                    let is_tight = toolbar::is_tight(ui.ctx().content_rect().width());
                    if is_tight {
                        replay_bar::speed_row(ui, &on_screen.shown.replay, &mut commands.requested);
                    }
                }
                _ => {}
            }
        }
        ui.add_space(6.0);
        request_from_dialog(&mut commands.requested, actions);
    });
    settings.set_if_neq(wanted);
}

/// From this width on the headings stand beside their commands.
const WIDE: f32 = 720.0;
/// The width of a heading there.
const HEADING_WIDTH: f32 = space(22);

/// The commands of a part of the menu under or beside its heading, in as many columns as
/// there is room for.
fn section(ui: &mut Ui, menu: Menu, commands: &mut CommandUi) {
    let context = commands.context;
    let listed = COMMANDS
        .iter()
        .filter(|command| command.menu == Some(menu) && command.is_offered(&context));
    let listed: Vec<_> = listed.collect();
    if listed.is_empty() {
        return;
    }
    ui.add_space(space(2));
    let entries = |ui: &mut Ui, columns: &[(f32, f32)], commands: &mut CommandUi| {
        let (width, gap) = (ui.available_width(), ui.spacing().item_spacing.x);
        let fitting = columns.iter().find(|(count, least)| (width + gap) / count - gap >= *least);
        let each = fitting.map_or(width, |(count, _)| (width + gap) / count - gap - 0.5);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for command in listed {
                commands.entry(ui, command, each);
            }
        });
    };
    if ui.available_width() < WIDE {
        widgets::label(ui, heading(menu));
        entries(ui, &[(2.0, 200.0)], commands);
        return;
    }
    ui.horizontal_top(|ui| {
        let size = vec2(HEADING_WIDTH, ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_size(size);
            widgets::label(ui, heading(menu));
        });
        ui.vertical(|ui| entries(ui, &[(3.0, 200.0), (2.0, 200.0)], commands));
    });
}

fn heading(menu: Menu) -> &'static str {
    match menu {
        Menu::Game => tr("menu.game"),
        Menu::Moves => tr("menu.moves"),
        Menu::Study => tr("menu.study"),
        Menu::Files => tr("menu.files"),
        Menu::View => tr("menu.view"),
        Menu::Program => tr("menu.program"),
    }
}
