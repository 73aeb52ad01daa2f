//! The settings, each applied at once.

use bevy_egui::egui::{Checkbox, Slider};

use super::{DialogWindow, WindowLayout};
use crate::app::{
    platform::shown_path,
    settings::{
        SPEEDS, SettingsFile, TEXT_SIZES,
        options::{BoardFlip, MoveInput, Palette, Quality, TutorMode},
    },
    ui::{
        prelude::*,
        widgets::{self, command::CommandUi, segmented::choice_row},
    },
};

pub(super) fn show(
    mut window: DialogWindow,
    state: CommandState,
    mut settings: ResMut<Settings>,
    file: Res<SettingsFile>,
) {
    let layout = WindowLayout { width: 700.0, ..WindowLayout::default() };
    let mut wanted = settings.clone();
    let mut commands = CommandUi::new(&state, &settings);
    window.show(&layout, |ui, actions| {
        content(ui, &mut wanted, &file, &mut commands);
        actions.append(&mut commands.requested);
    });
    settings.set_if_neq(wanted);
}

fn content(ui: &mut Ui, wanted: &mut Settings, file: &SettingsFile, commands: &mut CommandUi) {
    widgets::dialog_title(ui, tr("settings.title"));
    ui.spacing_mut().item_spacing.y = space(1);
    interface(ui, wanted);
    picture_and_sound(ui, wanted);
    play(ui, wanted);
    ui.add_space(space(1));
    ui.horizontal_wrapped(|ui| {
        for id in ["look", "keys", "engines"] {
            if commands.offers(id) {
                commands.button(ui, id);
            }
        }
        if widgets::button(ui, tr("settings.defaults")).clicked() {
            *wanted = wanted.with_defaults();
        }
    });
    // A page keeps them in its browser, where they have no name to look for.
    if let Some(path) = file.path.as_ref().filter(|_| cfg!(not(target_arch = "wasm32"))) {
        widgets::note(ui, &tr_args("settings.kept-in", &[("file", &shown_path(path))]));
    }
}

fn interface(ui: &mut Ui, wanted: &mut Settings) {
    let languages = Language::ALL.map(|language| (Some(language), language.name()));
    let languages = [(None, tr("settings.automatic"))].into_iter().chain(languages);
    choice_row(ui, tr("settings.language"), "", &mut wanted.language, languages);
    let sizes = TEXT_SIZES.map(|size| (size, format!("{size} %")));
    choice_row(ui, tr("settings.text-size"), "", &mut wanted.text_size, sizes);
}

/// The colours of the board and the pieces.
pub(super) fn palette_row(ui: &mut Ui, wanted: &mut Settings) {
    let palettes = Palette::VARIANTS.iter().map(|&palette| match palette {
        Palette::Wood => (palette, tr("settings.wood")),
        Palette::Clear => (palette, tr("settings.clear")),
        Palette::BlueOrange => (palette, tr("settings.blue-orange")),
    });
    let hint = tr("settings.palette-hint");
    choice_row(ui, tr("settings.palette"), hint, &mut wanted.palette, palettes);
}

fn picture_and_sound(ui: &mut Ui, wanted: &mut Settings) {
    palette_row(ui, wanted);
    check_box_row(ui, tr("settings.board"), |ui| {
        check_box(ui, &mut wanted.coordinates, tr("settings.coordinates"));
        check_box(ui, &mut wanted.diagram, tr("settings.diagram"));
        if wanted.diagram {
            check_box(ui, &mut wanted.paper, tr("settings.paper"));
        }
        if !IS_WEB {
            check_box(ui, &mut wanted.full_screen, tr("settings.full-screen"));
        }
    });
    let qualities = Quality::VARIANTS.iter().map(|&quality| match quality {
        Quality::Low => (Some(quality), tr("settings.low")),
        Quality::Medium => (Some(quality), tr("settings.medium")),
        Quality::High => (Some(quality), tr("settings.high")),
    });
    let qualities = [(None, tr("settings.automatic"))].into_iter().chain(qualities);
    choice_row(ui, tr("settings.picture"), "", &mut wanted.quality, qualities);
    // A file may hold another speed: none is chosen then.
    let speeds = SPEEDS.map(|speed| (speed, localize_decimal(&format!("{speed}×"))));
    let reduced = (&mut wanted.reduced_motion, tr("settings.reduced"));
    choice_row_with_check_box(
        ui,
        tr("settings.speed"),
        &mut wanted.animation_speed,
        speeds,
        reduced,
    );
    widgets::labelled(ui, tr("settings.sound"), |ui| {
        let gap = ui.spacing().item_spacing.x;
        let columns = if ui.available_width() < space(120) { 2.0 } else { 4.0 };
        let width = (ui.available_width() - gap * (columns - 1.0)) / columns;
        ui.horizontal_wrapped(|ui| {
            let volumes = [
                (tr("settings.all-sounds"), &mut wanted.volume),
                (tr("settings.pieces-volume"), &mut wanted.pieces_volume),
                (tr("settings.sticks-volume"), &mut wanted.sticks_volume),
                (tr("settings.room-volume"), &mut wanted.room_tone),
            ];
            for (of, percent) in volumes {
                volume_slider(ui, of, width.floor(), percent);
            }
        });
    });
}

/// A volume in percent; the change of one is heard.
pub(super) fn volume_slider(ui: &mut Ui, of: &str, width: f32, percent: &mut u16) {
    let size = vec2(width, CONTROL_HEIGHT);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(size);
        ui.spacing_mut().item_spacing.x = space(1);
        ui.label(RichText::new(of).size(SMALL).color(MUTED));
        ui.spacing_mut().slider_width = (ui.available_width() - space(2)).max(space(8));
        let slider = ui.add(Slider::new(percent, 0..=100).step_by(5.0).show_value(false));
        let (value, enabled) = (f64::from(*percent), ui.is_enabled());
        let label = tr_args("keys.of", &[("command", tr("settings.sound")), ("key", of)]);
        slider.widget_info(|| WidgetInfo::slider(enabled, value, &label));
        slider.on_hover_text(format!("{percent} %"));
    });
}

fn play(ui: &mut Ui, wanted: &mut Settings) {
    let move_input = MoveInput::VARIANTS.iter().map(|&move_input| match move_input {
        MoveInput::Click => (move_input, tr("settings.click")),
        MoveInput::Drag => (move_input, tr("settings.drag")),
        MoveInput::Both => (move_input, tr("settings.both")),
    });
    let confirm = (&mut wanted.confirm_moves, tr("settings.confirm"));
    choice_row_with_check_box(
        ui,
        tr("settings.moves"),
        &mut wanted.move_input,
        move_input,
        confirm,
    );
    let flips = BoardFlip::VARIANTS.iter().map(|&flip| match flip {
        BoardFlip::Never => (flip, tr("settings.turn-never")),
        BoardFlip::Ask => (flip, tr("settings.turn-ask")),
        BoardFlip::Always => (flip, tr("settings.turn-always")),
    });
    let hint = tr("settings.turning-hint");
    choice_row(ui, tr("settings.turning"), hint, &mut wanted.board_flip, flips);
    tutor_row(ui, &mut wanted.tutor);
}

/// When the tutor judges moves.
pub(crate) fn tutor_row(ui: &mut Ui, tutor: &mut TutorMode) {
    let modes = TutorMode::VARIANTS.iter().map(|&mode| match mode {
        TutorMode::Off => (mode, tr("tutor.off")),
        TutorMode::AfterMove => (mode, tr("tutor.after")),
        TutorMode::BeforeMove => (mode, tr("tutor.before")),
    });
    choice_row(ui, tr("tutor.title"), tr("tutor.hint"), tutor, modes);
}

/// A row of check boxes.
fn check_box_row(ui: &mut Ui, of: &str, add: impl FnOnce(&mut Ui)) {
    widgets::labelled(ui, of, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.set_min_height(CONTROL_HEIGHT);
            ui.spacing_mut().item_spacing.x = space(4);
            add(ui);
        });
    });
}

/// A row that chooses a value and, beside it where there is room, what can be checked.
fn choice_row_with_check_box<T: PartialEq>(
    ui: &mut Ui,
    of: &str,
    value: &mut T,
    choices: impl IntoIterator<Item = (T, impl AsRef<str>)>,
    (is_on, text): (&mut bool, &str),
) {
    let check_width = widgets::text_width(ui, text, BODY) + space(10);
    if ui.available_width() < 3.0 * check_width {
        choice_row(ui, of, "", value, choices);
        check_box(ui, is_on, text);
        return;
    }
    ui.horizontal(|ui| {
        let size = vec2(ui.available_width() - check_width, CONTROL_HEIGHT);
        ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
            choice_row(ui, of, "", value, choices);
        });
        ui.add_space(space(2));
        check_box(ui, is_on, text);
    });
}

pub(super) fn check_box(ui: &mut Ui, is_on: &mut bool, text: &str) {
    ui.scope(|ui| {
        // As round as buttons, a small box would look like one of several choices.
        let widgets = &mut ui.visuals_mut().widgets;
        for state in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
            state.corner_radius = CornerRadius::same(3);
        }
        ui.add(Checkbox::new(is_on, RichText::new(text).color(TEXT)));
    });
}
