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
    words::{Language, decimal, fill, say},
};

/// The settings, each changed at once.
pub(crate) fn text(
    ui: &mut Ui,
    settings: &Settings,
    file: &SettingsFile,
    changes: &mut MessageWriter<'_, ChangeSettings>,
    asked: &mut Vec<Action>,
) {
    ui.label(RichText::new(say("settings.title")).size(LARGE + 4.0).color(ACCENT));
    let mut wanted = settings.clone();
    let row = |ui: &mut Ui, label: &str, add: &mut dyn FnMut(&mut Ui)| {
        widgets::labelled(ui, label, 172.0, add);
        ui.add_space(2.0);
    };
    row(ui, say("settings.language"), &mut |ui| language(ui, &mut wanted));
    row(ui, say("settings.text-size"), &mut |ui| {
        for size in TEXT_SIZES {
            let chosen = wanted.text_size == size;
            if widgets::choice_of(ui, say("settings.text-size"), chosen, &format!("{size} %"))
                .clicked()
            {
                wanted.text_size = size;
            }
        }
    });
    row(ui, say("settings.palette"), &mut |ui| {
        for palette in Palette::ALL {
            let name = match palette {
                Palette::Wood => say("settings.wood"),
                Palette::Clear => say("settings.clear"),
                Palette::BlueOrange => say("settings.blue-orange"),
            };
            let choice =
                widgets::choice_of(ui, say("settings.palette"), wanted.palette == palette, name);
            if choice.on_hover_text(say("settings.palette-hint")).clicked() {
                wanted.palette = palette;
            }
        }
    });
    row(ui, say("settings.speed"), &mut |ui| {
        for speed in SPEEDS {
            let chosen = (wanted.animation_speed - speed).abs() < 0.01;
            if widgets::choice_of(ui, say("settings.speed"), chosen, &decimal(&format!("{speed}×")))
                .clicked()
            {
                wanted.animation_speed = speed;
            }
        }
    });
    row(ui, say("settings.motion"), &mut |ui| {
        check(ui, &mut wanted.reduced_motion, say("settings.reduced"));
    });
    row(ui, say("settings.sound"), &mut |ui| {
        for volume in VOLUMES {
            let percent = format!("{volume} %");
            let name = if volume == 0 { say("settings.silent") } else { &percent };
            if widgets::choice_of(ui, say("settings.sound"), wanted.volume == volume, name)
                .clicked()
            {
                wanted.volume = volume;
            }
        }
    });
    row(ui, say("settings.picture"), &mut |ui| {
        if widgets::choice_of(
            ui,
            say("settings.picture"),
            wanted.quality.is_none(),
            say("settings.automatic"),
        )
        .clicked()
        {
            wanted.quality = None;
        }
        for quality in Quality::ALL {
            let name = match quality {
                Quality::Light => say("settings.light"),
                Quality::Fine => say("settings.fine"),
                Quality::Best => say("settings.best"),
            };
            if widgets::choice_of(
                ui,
                say("settings.picture"),
                wanted.quality == Some(quality),
                name,
            )
            .clicked()
            {
                wanted.quality = Some(quality);
            }
        }
    });
    row(ui, say("settings.board"), &mut |ui| {
        check(ui, &mut wanted.coordinates, say("settings.coordinates"));
        if !IS_WEB {
            check(ui, &mut wanted.full_screen, say("settings.full-screen"));
        }
    });
    row(ui, say("settings.turning"), &mut |ui| {
        for turning in BoardFlip::ALL {
            let name = match turning {
                BoardFlip::Never => say("settings.turn-never"),
                BoardFlip::Ask => say("settings.turn-ask"),
                BoardFlip::Always => say("settings.turn-always"),
            };
            let choice = widgets::choice(ui, wanted.board_flip == turning, name);
            if choice.on_hover_text(say("settings.turning-hint")).clicked() {
                wanted.board_flip = turning;
            }
        }
    });
    row(ui, say("settings.moves"), &mut |ui| {
        for means in MoveInput::ALL {
            let name = match means {
                MoveInput::Click => say("settings.click"),
                MoveInput::Drag => say("settings.drag"),
                MoveInput::Both => say("settings.both"),
            };
            if widgets::choice_of(ui, say("settings.moves"), wanted.move_input == means, name)
                .clicked()
            {
                wanted.move_input = means;
            }
        }
        check(ui, &mut wanted.confirm_moves, say("settings.confirm"));
    });
    row(ui, say("keys.title"), &mut |ui| {
        if widgets::button(ui, say("keys.open")).clicked() {
            asked.push(Action::Ui(UiAction::OpenDialog(Dialog::Keys)));
        }
    });
    ui.add_space(6.0);
    if widgets::button(ui, say("settings.defaults")).clicked() {
        wanted = Settings::default();
    }
    if let Some(path) = &file.path {
        let path = path.display().to_string();
        widgets::note(ui, &fill("settings.kept-in", &[("file", &path)]));
    }
    if wanted != *settings {
        changes.write(ChangeSettings(wanted));
    }
}

fn language(ui: &mut Ui, wanted: &mut Settings) {
    if widgets::choice_of(
        ui,
        say("settings.language"),
        wanted.language.is_none(),
        say("settings.automatic"),
    )
    .clicked()
    {
        wanted.language = None;
    }
    for language in Language::ALL {
        let chosen = wanted.language == Some(language);
        if widgets::choice_of(ui, say("settings.language"), chosen, language.name()).clicked() {
            wanted.language = Some(language);
        }
    }
}

fn check(ui: &mut Ui, on: &mut bool, text: &str) {
    ui.add(Checkbox::new(on, RichText::new(text).color(INK)));
}
