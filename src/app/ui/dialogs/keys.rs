//! The keys of each command, to be changed one by one.

use bevy_egui::egui::{Event, EventFilter};

use super::{DialogWindow, WindowLayout, dialog_opened, reset, while_open};
use crate::app::{
    commands::{COMMANDS, Command, KeyPress, Scope},
    input::KeyPresses,
    settings::key_bindings::{KeyBindings, MAX_KEYS},
    ui::{prelude::*, widgets},
};

/// How wide the button of a key is.
const KEY_WIDTH: f32 = 116.0;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<KeyCapture>()
        .add_systems(
            Update,
            reset::<KeyCapture>.run_if(dialog_opened(Dialog::Keys)).in_set(AppSet::Report),
        )
        .add_systems(EguiPrimaryContextPass, (end_capture, while_open(Dialog::Keys, show)).chain());
}

/// The key that is being changed.
#[derive(Resource, Debug, Default)]
pub(crate) struct KeyCapture {
    /// The slot that waits for a key.
    target: Option<KeySlot>,
    /// A conflict, and the id of the command it is shown at.
    conflict: Option<(&'static str, String)>,
}

impl KeyCapture {
    /// Whether a key is waited for.
    pub(crate) const fn is_active(&self) -> bool {
        self.target.is_some()
    }
}

/// One of a command's keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KeySlot {
    command: &'static Command,
    slot: usize,
}

/// Waits for no key any more once the dialog is closed, whatever closed it.
fn end_capture(open: Res<OpenDialog>, mut capture: ResMut<KeyCapture>) {
    if open.0 != Some(Dialog::Keys) && capture.is_active() {
        capture.target = None;
    }
}

fn show(
    mut window: DialogWindow,
    mut capture: ResMut<KeyCapture>,
    presses: Res<KeyPresses>,
    settings: ResMut<Settings>,
) {
    let mut keys = settings.key_bindings.clone();
    if capture.is_active()
        && let Ok(context) = window.contexts.ctx_mut()
    {
        consume_keys(context);
        take_key(&presses.0, &mut capture, &mut keys);
    }
    window.show(&WindowLayout::default(), |ui, _| {
        content(ui, &settings.key_bindings, &mut capture, &mut keys);
    });
    settings.map_unchanged(|settings| &mut settings.key_bindings).set_if_neq(keys);
}

/// The name of a key scope.
pub(super) fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Everywhere => tr("keys.anywhere"),
        Scope::Board => tr("keys.board"),
        Scope::Game => tr("keys.game"),
        Scope::Table => tr("keys.table"),
        Scope::Replay => tr("keys.replay"),
        Scope::Squares => tr("keys.squares"),
        Scope::Editor => tr("keys.editor"),
    }
}

/// Keeps the key that is waited for from the widgets.
fn consume_keys(context: &Context) {
    context.input_mut(|input| {
        input.events.retain(|event| !matches!(event, Event::Key { .. } | Event::Text(_)));
    });
}

/// Binds the key that was just pressed to the slot that waits for one. Escape
/// cancels, Backspace and Delete leave the slot empty.
fn take_key(presses: &[KeyPress], capture: &mut KeyCapture, keys: &mut KeyBindings) {
    let Some(KeySlot { command, slot }) = capture.target else { return };
    for press in presses {
        let chord = match press.key() {
            Some(KeyCode::Escape) => {
                capture.target = None;
                return;
            }
            Some(KeyCode::Backspace | KeyCode::Delete) => None,
            _ => match press.chords().find(|chord| chord.is_bindable()) {
                Some(chord) => Some(chord),
                // A key that moves the focus, such as Tab.
                None => continue,
            },
        };
        capture.conflict = keys.set(command, slot, chord).err().map(|other| {
            let written = chord.map(|chord| chord.to_string()).unwrap_or_default();
            let names = [("key", written.as_str()), ("command", &other.name())];
            (command.id, tr_args("keys.taken", &names))
        });
        capture.target = None;
        return;
    }
}

fn content(ui: &mut Ui, keys: &KeyBindings, capture: &mut KeyCapture, wanted: &mut KeyBindings) {
    widgets::dialog_title(ui, tr("keys.title"));
    widgets::note(ui, tr("keys.how"));
    ui.add_enabled_ui(!keys.is_default(), |ui| {
        if widgets::button(ui, tr("keys.usual")).clicked() {
            capture.conflict = None;
            *wanted = KeyBindings::default();
        }
    });
    for &scope in Scope::VARIANTS {
        ui.add_space(4.0);
        widgets::heading(ui, scope_name(scope));
        for command in COMMANDS.iter().filter(|command| command.scope == scope && command.exists())
        {
            ui.push_id(command.id, |ui| row(ui, command, keys, capture));
        }
    }
}

/// A command's name and its keys, under each other where there is little room.
fn row(ui: &mut Ui, command: &'static Command, keys: &KeyBindings, capture: &mut KeyCapture) {
    let slots_width = 2.0 * KEY_WIDTH + 2.0 * ui.spacing().item_spacing.x + 12.0;
    let slots = |ui: &mut Ui, capture: &mut KeyCapture| {
        for slot in 0..MAX_KEYS {
            key_button(ui, KeySlot { command, slot }, keys, capture);
        }
    };
    let name = RichText::new(command.name()).size(BODY).color(TEXT);
    if ui.available_width() < slots_width + 150.0 {
        ui.add(Label::new(name).wrap());
        ui.horizontal(|ui| slots(ui, capture));
    } else {
        ui.horizontal(|ui| {
            let width = ui.available_width() - slots_width;
            ui.scope(|ui| {
                ui.set_width(width);
                ui.add(Label::new(name).wrap());
            });
            slots(ui, capture);
        });
    }
    if let Some((_, text)) = capture.conflict.as_ref().filter(|(id, _)| *id == command.id) {
        widgets::wrapped(ui, text, SMALL, ERROR);
    }
}

/// The button of one of a command's keys, which waits for another one when it
/// is pressed.
fn key_button(ui: &mut Ui, target: KeySlot, keys: &KeyBindings, capture: &mut KeyCapture) {
    let KeySlot { command, slot } = target;
    let own = keys.chords(command);
    let waits = capture.target == Some(target);
    let clashes = own.get(slot).is_some_and(|chord| keys.conflict(command, *chord).is_some());
    let text = match own.get(slot) {
        _ if waits => tr("keys.press").to_owned(),
        Some(chord) => chord.to_string(),
        None => "–".to_owned(),
    };
    let color = match (clashes, waits || slot < own.len()) {
        (true, _) => ERROR,
        (false, true) => TEXT,
        (false, false) => MUTED,
    };
    let button = egui::Button::new(RichText::new(&text).size(BODY).color(color))
        .fill(if waits { CARD_CHOSEN } else { CARD })
        .min_size(vec2(KEY_WIDTH, 28.0))
        .truncate();
    let response = ui.add(button);
    // The accessible label tells the second key of a command from the first.
    let name = command.name();
    let of = if slot == 0 { name } else { format!("{name} ({})", slot + 1) };
    let label = tr_args("keys.of", &[("command", &of), ("key", &text)]);
    widgets::set_accessible_label(&response, &label);
    if waits {
        // Keys that move the focus can be chosen, too.
        let all =
            EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
        ui.memory_mut(|memory| {
            memory.request_focus(response.id);
            memory.set_focus_lock_filter(response.id, all);
        });
    }
    if response.clicked() {
        capture.target = (!waits).then_some(target);
        capture.conflict = None;
    }
}
