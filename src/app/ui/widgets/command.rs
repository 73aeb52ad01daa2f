//! The buttons of commands: words, icon, hint, key and state come from their table.

use bevy_egui::egui::{AtomExt, Atoms, IntoAtoms};

use super::{choice_button, icons, primary_button, segmented, set_accessible_label};
use crate::app::{
    commands::{Chord, Command, CommandContext},
    settings::key_bindings::KeyBindings,
    ui::prelude::*,
};

/// The commands as they are now. Their buttons add what is asked for to `requested`.
pub(crate) struct CommandUi<'a> {
    pub(crate) context: CommandContext,
    keys: &'a KeyBindings,
    pub(crate) requested: Vec<Action>,
}

/// From this width on, in points, a row of the palette has room for its note.
const ROOM_FOR_NOTES: f32 = 500.0;

impl<'a> CommandUi<'a> {
    pub(crate) fn new(state: &CommandState, settings: &'a Settings) -> Self {
        let (context, keys) = (state.context(settings), &settings.key_bindings);
        Self { context, keys, requested: Vec::new() }
    }

    /// Whether a button of this command has a use here.
    pub(crate) fn offers(&self, id: &str) -> bool {
        Command::named(id).is_offered(&self.context)
    }

    /// The text on its button.
    pub(crate) fn text(&self, id: &str) -> String {
        Command::named(id).text(&self.context)
    }

    /// The text beside its icon.
    fn short_text(&self, id: &str) -> String {
        Command::named(id).short_text(&self.context)
    }

    /// Its first key; empty without one.
    pub(crate) fn key(&self, command: &Command) -> String {
        self.keys.chords(command).first().copied().map(Chord::label).unwrap_or_default()
    }

    /// What it does, and its key; where it cannot be used now, why.
    fn tooltip(&self, command: &Command) -> String {
        let text = command.refusal(&self.context).unwrap_or_else(|| command.hint());
        let key = self.key(command);
        let parts = [text, &if key.is_empty() { key } else { format!("({key})") }];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Requests its action.
    pub(crate) fn request(&mut self, command: &Command) {
        self.requested.push(command.action(&self.context));
    }

    /// Adds a button by `add`, disabled where the command is. A click requests its action.
    fn add(
        &mut self,
        ui: &mut Ui,
        command: &Command,
        add: impl FnOnce(&mut Ui) -> Response,
    ) -> Response {
        // No child of its own, which would not go to the next row where it has no room.
        let response = ui.add_enabled(command.is_enabled(&self.context), add);
        let tooltip = self.tooltip(command);
        let response = if tooltip.is_empty() {
            response
        } else {
            response.on_hover_text(tooltip.as_str()).on_disabled_hover_text(tooltip.as_str())
        };
        if response.clicked() {
            self.request(command);
        }
        response
    }

    /// A button with its words; one that switches something shows whether it is on.
    pub(crate) fn button(&mut self, ui: &mut Ui, id: &str) -> Response {
        let command = Command::named(id);
        let (text, is_on) = (command.text(&self.context), command.is_on(&self.context));
        self.add(ui, command, |ui| {
            if command.is_switch() {
                choice_button(ui, is_on, &text)
            } else {
                super::button(ui, &text)
            }
        })
    }

    /// The button of the most likely choice.
    pub(crate) fn primary_button(&mut self, ui: &mut Ui, id: &str, size: Vec2) -> Response {
        let command = Command::named(id);
        let text = command.text(&self.context);
        self.add(ui, command, |ui| primary_button(ui, &text, size))
    }

    /// A square button with its icon alone.
    pub(crate) fn icon(&mut self, ui: &mut Ui, id: &str) -> Response {
        self.icon_button(ui, Command::named(id), CONTROL_HEIGHT, "")
    }

    /// A button with its icon and its words.
    pub(crate) fn icon_with_words(&mut self, ui: &mut Ui, id: &str) -> Response {
        let (width, text) = (self.width(ui, id), self.short_text(id));
        self.icon_button(ui, Command::named(id), width, &text)
    }

    /// How wide the button with its icon and its words is.
    pub(crate) fn width(&self, ui: &Ui, id: &str) -> f32 {
        icons::icon_button_width(ui, &self.short_text(id))
    }

    /// Those of the commands that are offered, side by side in the width that there is, in
    /// as many rows as their words need. The golden one is filled; a command in `icons` has
    /// its icon alone. Where none has, they are equally wide if they can be.
    pub(crate) fn rows(&mut self, ui: &mut Ui, ids: &[&str], icons: &[&str], golden: Option<&str>) {
        let buttons = self.row_layout(ui, ids, icons);
        let gap = space(1);
        let room = ui.available_width() + gap;
        ui.spacing_mut().item_spacing = vec2(gap, gap);
        for row in segmented::even_rows(&buttons.widths, room) {
            ui.horizontal(|ui| {
                let spare = room - buttons.widths[row.clone()].iter().sum::<f32>();
                #[expect(clippy::cast_precision_loss, reason = "a few buttons")]
                let equal = room / row.len() as f32;
                let fits = buttons.widths[row.clone()].iter().all(|width| *width <= equal);
                let is_equal = icons.is_empty() && fits;
                let has_words = |text: &&String| !text.is_empty();
                #[expect(clippy::cast_precision_loss, reason = "a few buttons")]
                let growing = buttons.texts[row.clone()].iter().filter(has_words).count() as f32;
                for index in row {
                    let (command, text) = (buttons.commands[index], &buttons.texts[index]);
                    let share = if text.is_empty() { 0.0 } else { spare / growing };
                    let natural = buttons.widths[index] + share;
                    let width = if is_equal { equal } else { natural } - gap;
                    if golden == Some(command.id) {
                        let (name, size) =
                            (command.text(&self.context), vec2(width, CONTROL_HEIGHT));
                        let button = self.add(ui, command, |ui| primary_button(ui, text, size));
                        set_accessible_label(&button, &name);
                    } else {
                        self.icon_button(ui, command, width, text);
                    }
                }
            });
        }
    }

    /// How high [`Self::rows`] are.
    pub(crate) fn rows_height(&self, ui: &Ui, ids: &[&str], icons: &[&str]) -> f32 {
        let gap = space(1);
        let widths = self.row_layout(ui, ids, icons).widths;
        #[expect(clippy::cast_precision_loss, reason = "a few rows")]
        let rows = segmented::even_rows(&widths, ui.available_width() + gap).len() as f32;
        rows * (CONTROL_HEIGHT + gap)
    }

    fn row_layout(&self, ui: &Ui, ids: &[&str], icons: &[&str]) -> RowLayout {
        let ids = ids.iter().chain(icons).filter(|id| self.offers(id));
        let (mut commands, mut texts, mut widths) = (Vec::new(), Vec::new(), Vec::new());
        for id in ids {
            let text = if icons.contains(id) { String::new() } else { self.short_text(id) };
            widths.push(icons::icon_button_width(ui, &text) + space(1));
            texts.push(text);
            commands.push(Command::named(id));
        }
        RowLayout { commands, texts, widths }
    }

    fn icon_button(&mut self, ui: &mut Ui, command: &Command, width: f32, text: &str) -> Response {
        let label = command.text(&self.context);
        let is_on = command.is_switch().then(|| command.is_on(&self.context));
        let icon = command.icon(&self.context);
        self.add(ui, command, |ui| icons::icon_button(ui, width, icon, text, &label, is_on))
    }

    /// An entry of the menu: its words at the left, its key at the right.
    pub(crate) fn entry(&mut self, ui: &mut Ui, command: &Command, width: f32) -> Response {
        let text = command.text(&self.context);
        let is_on = command.is_on(&self.context);
        self.add_entry(ui, command, RichText::new(text).into_atoms(), width, is_on)
    }

    /// A row of the palette: its words, what it does or why it cannot be used now, and its
    /// key.
    pub(crate) fn row(
        &mut self,
        ui: &mut Ui,
        command: &Command,
        width: f32,
        is_chosen: bool,
    ) -> Response {
        let text = command.text(&self.context);
        let note = command.refusal(&self.context).unwrap_or_else(|| command.hint());
        let note = RichText::new(note).size(SMALL).color(MUTED);
        let text = if command.is_on(&self.context) {
            RichText::new(text).color(ACCENT)
        } else {
            RichText::new(text)
        };
        let mut atoms = text.into_atoms();
        // Where there is little room, the note is shown under the pointer only.
        if width >= ROOM_FOR_NOTES {
            atoms.push_right(note.atom_shrink(true));
        }
        self.add_entry(ui, command, atoms, width, is_chosen)
    }

    fn add_entry(
        &mut self,
        ui: &mut Ui,
        command: &Command,
        words: Atoms<'_>,
        width: f32,
        is_marked: bool,
    ) -> Response {
        let (key, name) = (self.key(command), command.text(&self.context));
        self.add(ui, command, |ui| {
            // The place of the key, even if there is none, keeps the text at the left.
            let key = RichText::new(key).size(SMALL).color(FAINT);
            let button = Button::new(words).shortcut_text(key).truncate();
            let button = button.min_size(vec2(width, ENTRY_HEIGHT)).selected(is_marked);
            let response = ui.add(button.frame_when_inactive(is_marked));
            set_accessible_label(&response, &name);
            response
        })
    }
}

/// The buttons of [`CommandUi::rows`], with their widths and the gap after each.
struct RowLayout {
    commands: Vec<&'static Command>,
    texts: Vec<String>,
    widths: Vec<f32>,
}

/// How high an entry of a list is.
const ENTRY_HEIGHT: f32 = 30.0;
