//! The settings, each applied at once.

use bevy::prelude::*;
use bevy_egui::{
    EguiPrimaryContextPass,
    egui::{Checkbox, CornerRadius, RichText, Ui},
};

use super::{DialogWindow, WindowLayout, while_open};
use crate::{
    app::{
        core::{
            actions::{Action, UiAction},
            states::Dialog,
        },
        platform::IS_WEB,
        settings::{
            ChangeSettings, SPEEDS, Settings, SettingsFile, TEXT_SIZES, VOLUMES,
            options::{BoardFlip, MoveInput, Palette, Quality, TutorMode},
        },
        ui::{theme::TEXT, widgets},
    },
    i18n::{Language, localize_decimal, tr, tr_args},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, while_open(Dialog::Settings, show));
}

fn show(
    mut window: DialogWindow,
    settings: Res<Settings>,
    file: Res<SettingsFile>,
    mut changes: MessageWriter<ChangeSettings>,
) {
    let layout = WindowLayout { width: 720.0, ..WindowLayout::default() };
    let mut wanted = settings.clone();
    window.show(&layout, |ui, actions| content(ui, &mut wanted, &file, actions));
    if wanted != *settings {
        changes.write(ChangeSettings(wanted));
    }
}

fn content(ui: &mut Ui, wanted: &mut Settings, file: &SettingsFile, actions: &mut Vec<Action>) {
    widgets::dialog_title(ui, tr("settings.title"));
    appearance(ui, wanted);
    motion_and_sound(ui, wanted);
    board(ui, wanted);
    ui.horizontal_wrapped(|ui| {
        for (text, hint, dialog) in [
            (tr("look.open"), tr("look.hint"), Dialog::Look),
            (tr("keys.open"), "", Dialog::Keys),
            (tr("engines.open"), tr("engines.about"), Dialog::Engines),
        ] {
            if IS_WEB && dialog == Dialog::Engines {
                continue;
            }
            let button = widgets::button(ui, text);
            let button = if hint.is_empty() { button } else { button.on_hover_text(hint) };
            if button.clicked() {
                actions.push(UiAction::OpenDialog(dialog).into());
            }
        }
        if widgets::button(ui, tr("settings.defaults")).clicked() {
            *wanted = Settings::default();
        }
    });
    if let Some(path) = &file.path {
        let path = path.display().to_string();
        widgets::note(ui, &tr_args("settings.kept-in", &[("file", &path)]));
    }
}

fn appearance(ui: &mut Ui, wanted: &mut Settings) {
    row(ui, "settings.language", |ui, label| {
        let languages = Language::ALL.map(|it| (Some(it), it.name()));
        let automatic = [(None, tr("settings.automatic"))];
        choose(ui, label, &mut wanted.language, automatic.into_iter().chain(languages));
    });
    row(ui, "settings.text-size", |ui, label| {
        let sizes = TEXT_SIZES.map(|size| (size, format!("{size} %")));
        choose(ui, label, &mut wanted.text_size, sizes);
    });
    palette_row(ui, wanted);
}

/// The colours of the board and the pieces.
pub(super) fn palette_row(ui: &mut Ui, wanted: &mut Settings) {
    row(ui, "settings.palette", |ui, label| {
        for palette in Palette::ALL {
            let name = match palette {
                Palette::Wood => tr("settings.wood"),
                Palette::Clear => tr("settings.clear"),
                Palette::BlueOrange => tr("settings.blue-orange"),
            };
            let choice = widgets::labelled_choice(ui, label, wanted.palette == palette, name);
            if choice.on_hover_text(tr("settings.palette-hint")).clicked() {
                wanted.palette = palette;
            }
        }
    });
}

fn motion_and_sound(ui: &mut Ui, wanted: &mut Settings) {
    row(ui, "settings.speed", |ui, label| {
        for speed in SPEEDS {
            let is_chosen = (wanted.animation_speed - speed).abs() < 0.01;
            let name = localize_decimal(&format!("{speed}×"));
            if widgets::labelled_choice(ui, label, is_chosen, &name).clicked() {
                wanted.animation_speed = speed;
            }
        }
        check(ui, &mut wanted.reduced_motion, tr("settings.reduced"));
    });
    row(ui, "settings.sound", |ui, label| {
        let volumes = VOLUMES.map(|volume| match volume {
            0 => (volume, tr("settings.silent").to_owned()),
            percent => (volume, format!("{percent} %")),
        });
        choose(ui, label, &mut wanted.volume, volumes);
    });
    row(ui, "settings.picture", |ui, label| {
        let qualities = Quality::ALL.map(|quality| match quality {
            Quality::Low => (Some(quality), tr("settings.low")),
            Quality::Medium => (Some(quality), tr("settings.medium")),
            Quality::High => (Some(quality), tr("settings.high")),
        });
        let automatic = [(None, tr("settings.automatic"))];
        choose(ui, label, &mut wanted.quality, automatic.into_iter().chain(qualities));
    });
}

fn board(ui: &mut Ui, wanted: &mut Settings) {
    row(ui, "settings.board", |ui, _| {
        check(ui, &mut wanted.coordinates, tr("settings.coordinates"));
        check(ui, &mut wanted.diagram, tr("settings.diagram"));
        if !IS_WEB {
            check(ui, &mut wanted.full_screen, tr("settings.full-screen"));
        }
    });
    row(ui, "settings.turning", |ui, _| {
        for board_flip in BoardFlip::ALL {
            let name = match board_flip {
                BoardFlip::Never => tr("settings.turn-never"),
                BoardFlip::Ask => tr("settings.turn-ask"),
                BoardFlip::Always => tr("settings.turn-always"),
            };
            let choice = widgets::choice_button(ui, wanted.board_flip == board_flip, name);
            if choice.on_hover_text(tr("settings.turning-hint")).clicked() {
                wanted.board_flip = board_flip;
            }
        }
    });
    row(ui, "settings.moves", |ui, label| {
        let move_input = MoveInput::ALL.map(|move_input| match move_input {
            MoveInput::Click => (move_input, tr("settings.click")),
            MoveInput::Drag => (move_input, tr("settings.drag")),
            MoveInput::Both => (move_input, tr("settings.both")),
        });
        choose(ui, label, &mut wanted.move_input, move_input);
        check(ui, &mut wanted.confirm_moves, tr("settings.confirm"));
    });
    row(ui, "tutor.title", |ui, label| {
        for mode in TutorMode::ALL {
            let name = match mode {
                TutorMode::Off => tr("tutor.off"),
                TutorMode::AfterMove => tr("tutor.after"),
                TutorMode::BeforeMove => tr("tutor.before"),
            };
            let choice = widgets::labelled_choice(ui, label, wanted.tutor == mode, name);
            if choice.on_hover_text(tr("tutor.hint")).clicked() {
                wanted.tutor = mode;
            }
        }
    });
}

/// A row of the text with this key and of what is set there.
pub(super) fn row(ui: &mut Ui, key: &'static str, mut add: impl FnMut(&mut Ui, &str)) {
    let label = tr(key);
    widgets::labelled_row(ui, label, 172.0, &mut |ui| add(ui, label));
    ui.add_space(2.0);
}

/// Buttons that choose one of several values.
pub(super) fn choose<T: PartialEq>(
    ui: &mut Ui,
    label: &str,
    value: &mut T,
    options: impl IntoIterator<Item = (T, impl AsRef<str>)>,
) {
    for (option, name) in options {
        if widgets::labelled_choice(ui, label, *value == option, name.as_ref()).clicked() {
            *value = option;
        }
    }
}

pub(super) fn check(ui: &mut Ui, is_on: &mut bool, text: &str) {
    ui.scope(|ui| {
        // As round as buttons, a small box would look like one of several choices.
        let widgets = &mut ui.visuals_mut().widgets;
        for state in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
            state.corner_radius = CornerRadius::same(3);
        }
        ui.add(Checkbox::new(is_on, RichText::new(text).color(TEXT)));
    });
}
