//! The keys: what each command's are, to be changed one by one.

use bevy::prelude::{KeyCode, MessageWriter};
use bevy_egui::egui::{Button, Context, Event, EventFilter, Label, RichText, Ui, vec2};

use crate::{
    app::{
        settings::{
            ChangeSettings, Settings,
            key_bindings::{KEY_COMMANDS, KeyBindings, KeyCommand, KeyPress, KeyScope, MAX_KEYS},
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
    command: &'static KeyCommand,
    slot: usize,
}

/// What a place is called.
pub(crate) fn place_name(place: KeyScope) -> &'static str {
    match place {
        KeyScope::Everywhere => tr("keys.anywhere"),
        KeyScope::Board => tr("keys.board"),
        KeyScope::Table => tr("keys.table"),
        KeyScope::Replay => tr("keys.replay"),
        KeyScope::Squares => tr("keys.squares"),
        KeyScope::Editor => tr("keys.editor"),
    }
}

/// Binds the key that is pressed, while one is waited for: nothing of it
/// reaches the panels.
pub(crate) fn catch(
    context: &Context,
    presses: &[KeyPress],
    settings: &Settings,
    desk: &mut UiState,
    changes: &mut MessageWriter<'_, ChangeSettings>,
) {
    let Some(Catching { command, slot }) = desk.catching else { return };
    context.input_mut(|input| {
        input.events.retain(|event| !matches!(event, Event::Key { .. } | Event::Text(_)));
    });
    for press in presses {
        let chord = match press.key() {
            Some(KeyCode::Escape) => {
                desk.catching = None;
                return;
            }
            Some(KeyCode::Backspace | KeyCode::Delete) => None,
            _ => match press.chords().find(|chord| chord.is_bindable()) {
                Some(chord) => Some(chord),
                // A key that cannot be bound, such as Tab.
                None => continue,
            },
        };
        let mut wanted = settings.clone();
        desk.key_word = match wanted.key_bindings.set(command, slot, chord) {
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
    ui.add_enabled_ui(!settings.key_bindings.is_default(), |ui| {
        if widgets::button(ui, tr("keys.usual")).clicked() {
            desk.key_word = None;
            let keys = KeyBindings::default();
            changes.write(ChangeSettings(Settings { key_bindings: keys, ..settings.clone() }));
        }
    });
    for place in KeyScope::ALL {
        ui.add_space(4.0);
        widgets::heading(ui, place_name(place));
        for command in KEY_COMMANDS.iter().filter(|it| it.scope == place && it.is_offered()) {
            ui.push_id(command.id, |ui| row(ui, command, &settings.key_bindings, desk));
        }
    }
}

/// How wide the button of a key is.
const KEY: f32 = 116.0;

fn row(ui: &mut Ui, command: &'static KeyCommand, keys: &KeyBindings, desk: &mut UiState) {
    let own = keys.chords(command);
    let slots = |ui: &mut Ui, desk: &mut UiState| {
        for slot in 0..MAX_KEYS {
            let waits = desk.catching == Some(Catching { command, slot });
            let clash = own.get(slot).is_some_and(|chord| keys.conflict(command, *chord).is_some());
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
