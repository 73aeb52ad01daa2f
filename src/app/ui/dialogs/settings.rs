//! The settings screen.

use bevy::prelude::*;
use bevy_egui::egui::{Checkbox, RichText, Ui};

use crate::{
    app::{
        core::{
            actions::{Action, UiAction},
            states::Dialog,
        },
        platform::IS_WEB,
        settings::{
            ChangeSettings, SPEEDS, Settings, SettingsFile, TEXT_SIZES, VOLUMES,
            options::{BoardFlip, MoveInput, Palette, Quality},
        },
        ui::{
            theme::{ACCENT, INK, LARGE},
            widgets,
        },
    },
    i18n::{Language, localize_decimal, tr, tr_args},
};

/// The settings, each changed at once.
pub(crate) fn text(
    ui: &mut Ui,
    settings: &Settings,
    file: &SettingsFile,
    changes: &mut MessageWriter<'_, ChangeSettings>,
    asked: &mut Vec<Action>,
) {
    ui.label(RichText::new(tr("settings.title")).size(LARGE + 4.0).color(ACCENT));
    let mut wanted = settings.clone();
    let row = |ui: &mut Ui, label: &str, add: &mut dyn FnMut(&mut Ui)| {
        widgets::labelled(ui, label, 172.0, add);
        ui.add_space(2.0);
    };
    row(ui, tr("settings.language"), &mut |ui| language(ui, &mut wanted));
    row(ui, tr("settings.text-size"), &mut |ui| {
        for size in TEXT_SIZES {
            let chosen = wanted.text_size == size;
            if widgets::choice_of(ui, tr("settings.text-size"), chosen, &format!("{size} %"))
                .clicked()
            {
                wanted.text_size = size;
            }
        }
    });
    row(ui, tr("settings.palette"), &mut |ui| {
        for palette in Palette::ALL {
            let name = match palette {
                Palette::Wood => tr("settings.wood"),
                Palette::Clear => tr("settings.clear"),
                Palette::BlueOrange => tr("settings.blue-orange"),
            };
            let choice =
                widgets::choice_of(ui, tr("settings.palette"), wanted.palette == palette, name);
            if choice.on_hover_text(tr("settings.palette-hint")).clicked() {
                wanted.palette = palette;
            }
        }
    });
    row(ui, tr("settings.speed"), &mut |ui| {
        for speed in SPEEDS {
            let chosen = (wanted.animation_speed - speed).abs() < 0.01;
            if widgets::choice_of(
                ui,
                tr("settings.speed"),
                chosen,
                &localize_decimal(&format!("{speed}×")),
            )
            .clicked()
            {
                wanted.animation_speed = speed;
            }
        }
    });
    row(ui, tr("settings.motion"), &mut |ui| {
        check(ui, &mut wanted.reduced_motion, tr("settings.reduced"));
    });
    row(ui, tr("settings.sound"), &mut |ui| {
        for volume in VOLUMES {
            let percent = format!("{volume} %");
            let name = if volume == 0 { tr("settings.silent") } else { &percent };
            if widgets::choice_of(ui, tr("settings.sound"), wanted.volume == volume, name).clicked()
            {
                wanted.volume = volume;
            }
        }
    });
    row(ui, tr("settings.picture"), &mut |ui| {
        if widgets::choice_of(
            ui,
            tr("settings.picture"),
            wanted.quality.is_none(),
            tr("settings.automatic"),
        )
        .clicked()
        {
            wanted.quality = None;
        }
        for quality in Quality::ALL {
            let name = match quality {
                Quality::Light => tr("settings.light"),
                Quality::Fine => tr("settings.fine"),
                Quality::Best => tr("settings.best"),
            };
            if widgets::choice_of(ui, tr("settings.picture"), wanted.quality == Some(quality), name)
                .clicked()
            {
                wanted.quality = Some(quality);
            }
        }
    });
    row(ui, tr("settings.board"), &mut |ui| {
        check(ui, &mut wanted.coordinates, tr("settings.coordinates"));
        if !IS_WEB {
            check(ui, &mut wanted.full_screen, tr("settings.full-screen"));
        }
    });
    row(ui, tr("settings.turning"), &mut |ui| {
        for turning in BoardFlip::ALL {
            let name = match turning {
                BoardFlip::Never => tr("settings.turn-never"),
                BoardFlip::Ask => tr("settings.turn-ask"),
                BoardFlip::Always => tr("settings.turn-always"),
            };
            let choice = widgets::choice(ui, wanted.board_flip == turning, name);
            if choice.on_hover_text(tr("settings.turning-hint")).clicked() {
                wanted.board_flip = turning;
            }
        }
    });
    row(ui, tr("settings.moves"), &mut |ui| {
        for means in MoveInput::ALL {
            let name = match means {
                MoveInput::Click => tr("settings.click"),
                MoveInput::Drag => tr("settings.drag"),
                MoveInput::Both => tr("settings.both"),
            };
            if widgets::choice_of(ui, tr("settings.moves"), wanted.move_input == means, name)
                .clicked()
            {
                wanted.move_input = means;
            }
        }
        check(ui, &mut wanted.confirm_moves, tr("settings.confirm"));
    });
    row(ui, tr("keys.title"), &mut |ui| {
        if widgets::button(ui, tr("keys.open")).clicked() {
            asked.push(Action::Ui(UiAction::OpenDialog(Dialog::Keys)));
        }
    });
    ui.add_space(6.0);
    if widgets::button(ui, tr("settings.defaults")).clicked() {
        wanted = Settings::default();
    }
    if let Some(path) = &file.path {
        let path = path.display().to_string();
        widgets::note(ui, &tr_args("settings.kept-in", &[("file", &path)]));
    }
    if wanted != *settings {
        changes.write(ChangeSettings(wanted));
    }
}

fn language(ui: &mut Ui, wanted: &mut Settings) {
    if widgets::choice_of(
        ui,
        tr("settings.language"),
        wanted.language.is_none(),
        tr("settings.automatic"),
    )
    .clicked()
    {
        wanted.language = None;
    }
    for language in Language::ALL {
        let chosen = wanted.language == Some(language);
        if widgets::choice_of(ui, tr("settings.language"), chosen, language.name()).clicked() {
            wanted.language = Some(language);
        }
    }
}

fn check(ui: &mut Ui, on: &mut bool, text: &str) {
    ui.add(Checkbox::new(on, RichText::new(text).color(INK)));
}
