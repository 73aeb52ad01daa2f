//! The keys: what each command's are, to be changed one by one.

use bevy::prelude::{ButtonInput, KeyCode, MessageWriter};
use bevy_egui::egui::{Button, Context, Event, EventFilter, Label, RichText, Ui, vec2};

use crate::{
    app::{
        settings::{
            ChangeSettings, Settings,
            key_bindings::{COMMANDS, Chord, Command, Keys, Place, SLOTS},
        },
        ui::{
            state::UiState,
            theme::{ACCENT, ALARM, BODY, CARD, CARD_CHOSEN, INK, LARGE, MUTED, SMALL},
            widgets,
        },
    },
    i18n::{tr, tr_args},
};

/// A key of a command that waits to be pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Catching {
    command: &'static Command,
    slot: usize,
}

/// What a place is called.
pub(crate) fn place_name(place: Place) -> &'static str {
    match place {
        Place::Anywhere => tr("keys.anywhere"),
        Place::Board => tr("keys.board"),
        Place::Table => tr("keys.table"),
        Place::Replay => tr("keys.replay"),
        Place::Squares => tr("keys.squares"),
        Place::Editor => tr("keys.editor"),
    }
}

/// Takes the key that is pressed, while one is waited for: nothing else of it
/// reaches the panels.
pub(crate) fn catch(
    context: &Context,
    pressed: Option<&ButtonInput<KeyCode>>,
    settings: &Settings,
    desk: &mut UiState,
    changes: &mut MessageWriter<'_, ChangeSettings>,
) {
    let Some(Catching { command, slot }) = desk.catching else { return };
    context.input_mut(|input| {
        input.events.retain(|event| !matches!(event, Event::Key { .. } | Event::Text(_)));
    });
    let Some(pressed) = pressed else { return };
    let held = |codes: [KeyCode; 2]| pressed.any_pressed(codes) || pressed.any_just_pressed(codes);
    for &key in pressed.get_just_pressed() {
        let chord = match key {
            KeyCode::Escape => {
                desk.catching = None;
                return;
            }
            KeyCode::Backspace | KeyCode::Delete => None,
            key => Some(Chord {
                key,
                command: held([KeyCode::ControlLeft, KeyCode::ControlRight])
                    || held([KeyCode::SuperLeft, KeyCode::SuperRight]),
                shift: held([KeyCode::ShiftLeft, KeyCode::ShiftRight]),
            }),
        };
        if chord.is_some_and(|chord| !chord.is_named()) {
            // What is only held besides, or walks through the buttons.
            continue;
        }
        let mut wanted = settings.clone();
        desk.key_word = match wanted.keys.set(command, slot, chord) {
            Ok(()) => {
                changes.write(ChangeSettings(wanted));
                None
            }
            Err(other) => {
                let written = chord.map(|chord| chord.to_string()).unwrap_or_default();
                let names = [("key", written.as_str()), ("command", &other.name())];
                Some((command.id, tr_args("keys.taken", &names)))
            }
        };
        desk.catching = None;
        return;
    }
}

/// The list.
pub(crate) fn text(
    ui: &mut Ui,
    settings: &Settings,
    desk: &mut UiState,
    changes: &mut MessageWriter<'_, ChangeSettings>,
) {
    ui.label(RichText::new(tr("keys.title")).size(LARGE + 4.0).color(ACCENT));
    widgets::note(ui, tr("keys.how"));
    ui.add_enabled_ui(!settings.keys.are_usual(), |ui| {
        if widgets::button(ui, tr("keys.usual")).clicked() {
            desk.key_word = None;
            let keys = Keys::default();
            changes.write(ChangeSettings(Settings { keys, ..settings.clone() }));
        }
    });
    for place in Place::ALL {
        ui.add_space(4.0);
        widgets::heading(ui, place_name(place));
        for command in COMMANDS.iter().filter(|it| it.place == place && it.is_offered()) {
            ui.push_id(command.id, |ui| row(ui, command, &settings.keys, desk));
        }
    }
}

/// How wide the button of a key is.
const KEY: f32 = 116.0;

fn row(ui: &mut Ui, command: &'static Command, keys: &Keys, desk: &mut UiState) {
    let own = keys.of(command);
    let slots = |ui: &mut Ui, desk: &mut UiState| {
        for slot in 0..SLOTS {
            let waits = desk.catching == Some(Catching { command, slot });
            let clash = own.get(slot).is_some_and(|chord| keys.taken(command, *chord).is_some());
            let text = match own.get(slot) {
                _ if waits => tr("keys.press").to_owned(),
                Some(chord) => chord.to_string(),
                None => "–".to_owned(),
            };
            let ink = match (clash, waits || slot < own.len()) {
                (true, _) => ALARM,
                (false, true) => INK,
                (false, false) => MUTED,
            };
            let button = Button::new(RichText::new(&text).size(BODY).color(ink))
                .fill(if waits { CARD_CHOSEN } else { CARD })
                .min_size(vec2(KEY, 28.0))
                .truncate();
            let response = ui.add(button);
            // The second key of a command is told apart from the first.
            let name = command.name();
            let of = if slot == 0 { name } else { format!("{name} ({})", slot + 1) };
            let names = [("command", of), ("key", text)];
            let names = names.each_ref().map(|(name, text)| (*name, text.as_str()));
            let spoken = tr_args("keys.of", &names);
            widgets::speak(&response, &spoken);
            if waits {
                // Arrows and the like are waited for too.
                let all = EventFilter {
                    tab: true,
                    horizontal_arrows: true,
                    vertical_arrows: true,
                    escape: true,
                };
                ui.memory_mut(|memory| {
                    memory.request_focus(response.id);
                    memory.set_focus_lock_filter(response.id, all);
                });
            }
            if response.clicked() {
                desk.catching = if waits { None } else { Some(Catching { command, slot }) };
                desk.key_word = None;
            }
        }
    };
    let both = 2.0 * KEY + 2.0 * ui.spacing().item_spacing.x + 12.0;
    let name = RichText::new(command.name()).size(BODY).color(INK);
    if ui.available_width() < both + 150.0 {
        ui.add(Label::new(name).wrap());
        ui.horizontal(|ui| slots(ui, desk));
    } else {
        ui.horizontal(|ui| {
            let wide = ui.available_width() - both;
            ui.scope(|ui| {
                ui.set_width(wide);
                ui.add(Label::new(name).wrap());
            });
            slots(ui, desk);
        });
    }
    if let Some((_, word)) = desk.key_word.as_ref().filter(|(id, _)| *id == command.id) {
        ui.add(Label::new(RichText::new(word).size(SMALL).color(ALARM)).wrap());
    }
}
