//! The list of other engines: trying and adding one, its options, removing it.

use bevy_egui::egui::{Checkbox, ComboBox, DragValue};

use super::{DialogWindow, WindowLayout, dialog_opened, reset, while_open};
use crate::{
    app::ui::{prelude::*, widgets},
    session::{
        EngineEntry, EngineList, OptionKind, PROGRAM_PATIENCE, ProgramEvent, ProgramOption,
        ProgramWorker, clean_name, split_command,
    },
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<EnginesDialog>()
        .add_systems(
            Update,
            reset::<EnginesDialog>.run_if(dialog_opened(Dialog::Engines)).in_set(AppSet::Report),
        )
        .add_systems(EguiPrimaryContextPass, while_open(Dialog::Engines, show));
}

/// What is typed in the dialog, and the engine that it tries.
#[derive(Resource, Debug, Default)]
pub(crate) struct EnginesDialog {
    /// The name of a new engine.
    pub(crate) name: String,
    /// Its command.
    pub(crate) command: String,
    trial: Option<Trial>,
}

/// An engine that is started to learn its options.
#[derive(Debug)]
struct Trial {
    entry: EngineEntry,
    /// Whether it is added to the list once it has started.
    is_new: bool,
    state: TrialState,
}

#[derive(Debug)]
enum TrialState {
    Starting(ProgramWorker),
    /// The name that it reports, and its options.
    Started(Option<String>, Vec<ProgramOption>),
    /// Why it cannot be used.
    Failed(String),
}

impl Trial {
    fn start(entry: EngineEntry, is_new: bool) -> Self {
        let state = TrialState::Starting(ProgramWorker::start(entry.clone(), PROGRAM_PATIENCE));
        Self { entry, is_new, state }
    }

    fn failed(entry: EngineEntry, why: String) -> Self {
        Self { entry, is_new: true, state: TrialState::Failed(why) }
    }

    /// Takes in what the program says; true when it has just started.
    fn update(&mut self) -> bool {
        let TrialState::Starting(worker) = &self.state else { return false };
        match worker.poll() {
            Some(ProgramEvent::Ready(name, options)) => {
                self.state = TrialState::Started(name, options);
                true
            }
            Some(ProgramEvent::Failed(error)) => {
                let names = [("name", self.entry.name.as_str()), ("fault", &error.to_string())];
                self.state = TrialState::Failed(tr_args("engines.fault", &names));
                false
            }
            Some(ProgramEvent::Info(..) | ProgramEvent::Move(..)) | None => false,
        }
    }
}

fn show(
    mut window: DialogWindow,
    mut dialog: ResMut<EnginesDialog>,
    mut engines: ResMut<Engines>,
    mut notices: MessageWriter<Notify>,
) {
    let dialog = &mut *dialog;
    let mut list = engines.list().clone();
    if let Some(trial) = &mut dialog.trial
        && trial.update()
        && trial.is_new
    {
        list.add(trial.entry.clone());
        trial.is_new = false;
        (dialog.name, dialog.command) = (String::new(), String::new());
    }
    let layout = WindowLayout { width: 640.0, ..WindowLayout::default() };
    let is_closed = window.show(&layout, |ui, _| {
        widgets::dialog_title(ui, tr("engines.title"));
        if IS_WEB {
            widgets::wrapped(ui, tr("engines.not-here"), BODY, TEXT);
            return;
        }
        widgets::note(ui, tr("engines.about"));
        for entry in engines.list().engines.clone() {
            listed(ui, &mut dialog.trial, &entry, &mut list);
        }
        ui.separator();
        new_engine(ui, dialog, &list);
    });
    if list != *engines.list()
        && let Err(message) = engines.replace(list)
    {
        notices.write(Notify::error(message));
    }
    if is_closed {
        dialog.trial = None;
    }
}

/// An engine of the list, with its options if they are asked for.
fn listed(ui: &mut Ui, trial: &mut Option<Trial>, entry: &EngineEntry, list: &mut EngineList) {
    ui.add_space(space(1));
    widgets::heading(ui, &entry.name);
    widgets::one_line(ui, &entry.command, SMALL, TEXT).on_hover_text(&entry.command);
    let is_tried =
        trial.as_ref().is_some_and(|trial| !trial.is_new && trial.entry.name == entry.name);
    ui.horizontal_wrapped(|ui| {
        let of = |text: &str| tr_args("keys.of", &[("command", &entry.name), ("key", text)]);
        let options = widgets::choice_button(ui, is_tried, tr("engines.options"));
        widgets::set_accessible_label(&options, &of(tr("engines.options")));
        if options.clicked() {
            *trial = (!is_tried).then(|| Trial::start(entry.clone(), false));
        }
        let remove = widgets::danger_button(ui, tr("engines.remove"));
        widgets::set_accessible_label(&remove, &of(tr("engines.remove")));
        if remove.clicked() {
            list.remove(&entry.name);
            trial.take_if(|_| is_tried);
        }
    });
    let Some(trial) = trial.as_mut().filter(|_| is_tried) else { return };
    match &trial.state {
        TrialState::Starting(_) => {
            widgets::note(ui, tr("engines.starting"));
        }
        TrialState::Failed(why) => {
            widgets::wrapped(ui, why, BODY, ERROR);
        }
        TrialState::Started(name, reported) => {
            if let Some(name) = name {
                widgets::note(ui, &tr_args("engines.reports", &[("name", name)]));
            }
            for option in reported {
                option_row(ui, option, &mut trial.entry);
            }
            // A number that is dragged changes many times.
            let is_dragging = ui.input(|input| input.pointer.any_down());
            if trial.entry != *entry && !is_dragging {
                list.add(trial.entry.clone());
            }
        }
    }
}

/// An option with its value, which can be changed.
fn option_row(ui: &mut Ui, option: &ProgramOption, entry: &mut EngineEntry) {
    if option.is_rule_set() || option.kind == OptionKind::Button {
        return;
    }
    let default = option.default.clone().unwrap_or_default();
    let value = entry.options.get(&option.name).cloned().unwrap_or_else(|| default.clone());
    let mut wanted = value.clone();
    widgets::labelled(ui, &option.name, |ui| {
        ui.horizontal(|ui| {
            ui.set_min_height(CONTROL_HEIGHT);
            option_value(ui, option, &mut wanted);
        });
    });
    if wanted == value || !option.allows(&wanted) {
        return;
    }
    if wanted == default {
        entry.options.remove(&option.name);
    } else {
        entry.options.insert(option.name.clone(), wanted);
    }
}

fn option_value(ui: &mut Ui, option: &ProgramOption, value: &mut String) {
    let enabled = ui.is_enabled();
    let name = option.name.as_str();
    match &option.kind {
        OptionKind::Check => {
            let mut checked = value == "true";
            let response = ui.add(Checkbox::without_text(&mut checked));
            response
                .widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, enabled, checked, name));
            if response.changed() {
                *value = checked.to_string();
            }
        }
        OptionKind::Spin { min, max } => {
            let mut number = value.parse::<i64>().unwrap_or_else(|_| min.unwrap_or_default());
            let range = min.unwrap_or(i64::MIN)..=max.unwrap_or(i64::MAX);
            let response = ui.add(DragValue::new(&mut number).range(range));
            if response.changed() {
                *value = number.to_string();
            }
        }
        OptionKind::Combo(values) => {
            ComboBox::from_id_salt(name).selected_text(value.as_str()).show_ui(ui, |ui| {
                for text in values {
                    ui.selectable_value(value, text.clone(), text);
                }
            });
        }
        OptionKind::Button | OptionKind::Text => {
            let response = ui.add(
                TextEdit::singleline(value)
                    .min_size(vec2(0.0, CONTROL_HEIGHT))
                    .vertical_align(Align::Center),
            );
            response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, enabled, name));
        }
    }
}

/// The name and the command of a new engine.
fn new_engine(ui: &mut Ui, dialog: &mut EnginesDialog, list: &EngineList) {
    widgets::heading(ui, tr("engines.new"));
    widgets::text_field(ui, tr("engines.name"), &mut dialog.name, "");
    let hint = tr("engines.command-hint");
    let line = widgets::text_field(ui, tr("engines.command"), &mut dialog.command, hint);
    let is_entered = line.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let is_starting = match &dialog.trial {
        Some(Trial { is_new: true, state: TrialState::Starting(_), .. }) => true,
        Some(Trial { is_new: true, state: TrialState::Failed(why), .. }) => {
            widgets::wrapped(ui, why, BODY, ERROR);
            false
        }
        _ => false,
    };
    if is_starting {
        widgets::note(ui, tr("engines.starting"));
        return;
    }
    if !(widgets::button(ui, tr("engines.add")).clicked() || is_entered) {
        return;
    }
    let (name, command) = (clean_name(&dialog.name), dialog.command.trim().to_owned());
    let entry = EngineEntry { name, command, ..EngineEntry::default() };
    let problem = if entry.name.is_empty() {
        Some(tr("engines.no-name").to_owned())
    } else if list.find(&entry.name).is_some() {
        Some(tr_args("engines.name-taken", &[("name", &entry.name)]))
    } else if split_command(&entry.command).is_none() {
        Some(tr("engines.no-command").to_owned())
    } else {
        None
    };
    dialog.trial = Some(match problem {
        Some(problem) => Trial::failed(entry, problem),
        None => Trial::start(entry, true),
    });
}
