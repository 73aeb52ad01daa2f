//! The dialogs, one file each, and the window that all share.
//!
//! One dialog is open at a time ([`OpenDialog`]). The rules for opening and
//! closing stand here; what a dialog remembers is a resource of its own file.

pub(crate) mod about;
pub(crate) mod commands;
pub(crate) mod comment;
mod confirm;
pub(crate) mod confirmation;
pub(crate) mod engines;
pub(crate) mod export;
pub(crate) mod files;
pub(crate) mod games;
pub(crate) mod help;
pub(crate) mod history;
pub(crate) mod keys;
pub(crate) mod look;
pub(crate) mod menu;
pub(crate) mod new_game;
pub(crate) mod online;
pub(crate) mod position;
pub(crate) mod recent_games;
pub(crate) mod settings;
pub(crate) mod throws;
pub(crate) mod type_move;

use bevy::ecs::{
    component::Mutable,
    schedule::{IntoScheduleConfigs, ScheduleConfigs},
    system::ScheduleSystem,
};
use bevy_egui::egui::Modal;

use self::{files::FileChooser, keys::KeyCapture};
use super::{screens::title::SelectedGame, widgets};
use crate::app::{core::states::dialog_is, on_screen::OnScreen, ui::prelude::*};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OpenDialog>()
        .init_resource::<ShownDialog>()
        .add_systems(Update, open_and_close.in_set(AppSet::ApplyActions))
        .add_systems(
            EguiPrimaryContextPass,
            (toggle_help, track_shown_dialog).chain().in_set(UiSet::DialogState),
        )
        .add_plugins((commands::plugin, comment::plugin, confirm::plugin, engines::plugin))
        .add_plugins((export::plugin, files::plugin, history::plugin, keys::plugin))
        .add_plugins((online::plugin, position::plugin, recent_games::plugin, type_move::plugin))
        // Those that remember nothing.
        .add_systems(
            EguiPrimaryContextPass,
            (
                while_open(Dialog::About, about::show),
                while_open(Dialog::Games, games::show),
                while_open(Dialog::Help, help::show),
                while_open(Dialog::Look, look::show),
                while_open(Dialog::Menu, menu::show),
                while_open(Dialog::NewGame, new_game::show),
                while_open(Dialog::Settings, settings::show),
                while_open(Dialog::Throws, throws::show),
            ),
        );
}

/// The dialog that was shown in the last frame.
#[derive(Resource, Debug, Default)]
struct ShownDialog {
    dialog: Option<Dialog>,
    /// Whether the open dialog was not shown in the last frame.
    is_new: bool,
}

/// Opens and closes dialogs as actions say.
pub(super) fn open_and_close(mut actions: MessageReader<Action>, mut open: ResMut<OpenDialog>) {
    for action in actions.read() {
        match action {
            Action::Ui(UiAction::OpenDialog(dialog)) => open.0 = Some(*dialog),
            Action::Ui(UiAction::CloseDialog) => open.0 = None,
            action if leaves_screen(action) => open.0 = None,
            _ => {}
        }
    }
}

/// Whether an action leads to another screen, where no dialog stays open.
const fn leaves_screen(action: &Action) -> bool {
    action.starts_game()
        || action.opens_replay()
        || matches!(
            action,
            Action::Game(
                GameAction::LearnFromMistakes
                    | GameAction::LearnFromSaved(_)
                    | GameAction::LearnFromEarlier
                    | GameAction::LeavePractice
                    | GameAction::PlayTaught
            ) | Action::Editor(EditorAction::Enter(_) | EditorAction::Analyse)
        )
}

/// Run condition: an action opens this dialog.
fn dialog_opened(dialog: Dialog) -> impl FnMut(MessageReader<Action>) -> bool + Clone {
    move |mut actions: MessageReader<Action>| {
        let wanted = Action::Ui(UiAction::OpenDialog(dialog));
        actions.read().filter(|action| **action == wanted).count() > 0
    }
}

/// Forgets what was chosen in a dialog when it was open before.
fn reset<R: Resource<Mutability = Mutable> + Default>(mut remembered: ResMut<R>) {
    *remembered = R::default();
}

/// A question mark opens and closes the help wherever no text is typed.
fn toggle_help(
    mut contexts: EguiContexts,
    mut open: ResMut<OpenDialog>,
    capture: Res<KeyCapture>,
    files: Res<FileChooser>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let is_typing = context.text_edit_focused();
    let is_pressed = context.input(|input| !is_typing && input.key_pressed(Key::Questionmark));
    if is_pressed && !capture.is_active() && !files.is_open() {
        open.0 = if open.0 == Some(Dialog::Help) { None } else { Some(Dialog::Help) };
        context.request_repaint();
    }
}

fn track_shown_dialog(open: Res<OpenDialog>, mut shown: ResMut<ShownDialog>) {
    shown.is_new = shown.dialog != open.0;
    shown.dialog = open.0;
}

/// A dialog's system, which runs while the dialog is open.
fn while_open<M>(
    dialog: Dialog,
    system: impl IntoScheduleConfigs<ScheduleSystem, M>,
) -> ScheduleConfigs<ScheduleSystem> {
    system.run_if(dialog_is(dialog)).in_set(UiSet::Dialogs)
}

/// Where a dialog's window stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Centre,
    /// Over the panel at the right, so that the board is seen as it is; where there is none, at
    /// the foot of the window.
    Beside,
    /// At an edge, over the panels there: the board is seen as it is, not darkened.
    Left,
    Right,
}

/// How a dialog's window is laid out.
struct WindowLayout {
    /// Its width at most, in points.
    width: f32,
    /// Whether it is as high as the window, however little is in it.
    is_full_height: bool,
    close: CloseButton,
    place: Place,
}

/// The button that closes a dialog at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CloseButton {
    /// It is the likely choice.
    #[default]
    Golden,
    /// The dialog has another likely choice.
    Plain,
    /// The dialog has a button of its own.
    None,
}

impl Default for WindowLayout {
    fn default() -> Self {
        Self {
            width: 640.0,
            is_full_height: false,
            close: CloseButton::Golden,
            place: Place::Centre,
        }
    }
}

/// The window of the dialog that is open: modal, scrolled where its content has
/// no room, closed with its button, Escape or a click beside it.
#[derive(SystemParam)]
struct DialogWindow<'w, 's> {
    contexts: EguiContexts<'w, 's>,
    open: ResMut<'w, OpenDialog>,
    shown: Res<'w, ShownDialog>,
    insets: Res<'w, ViewportInsets>,
    actions: MessageWriter<'w, Action>,
}

impl DialogWindow<'_, '_> {
    /// Shows the window with this content, which requests actions. Returns
    /// whether it was closed.
    fn show(&mut self, layout: &WindowLayout, add: impl FnOnce(&mut Ui, &mut Vec<Action>)) -> bool {
        self.show_until(layout, |ui, actions| {
            add(ui, actions);
            false
        })
    }

    /// The same with a content that says itself when the dialog closes.
    fn show_until(
        &mut self,
        layout: &WindowLayout,
        add: impl FnOnce(&mut Ui, &mut Vec<Action>) -> bool,
    ) -> bool {
        self.show_with(layout, add, |ui, _| match layout.close {
            CloseButton::Golden => close_button(ui, 100.0),
            CloseButton::Plain => widgets::button(ui, tr("popup.close")).clicked(),
            CloseButton::None => false,
        })
    }

    /// The same with these buttons under the content, in place of the one that closes it.
    fn show_with(
        &mut self,
        layout: &WindowLayout,
        add: impl FnOnce(&mut Ui, &mut Vec<Action>) -> bool,
        buttons: impl FnOnce(&mut Ui, &mut Vec<Action>) -> bool,
    ) -> bool {
        let Ok(context) = self.contexts.ctx_mut() else { return false };
        let (mut actions, mut pressed) = (Vec::new(), Vec::new());
        let is_closed = dialog_window(
            context,
            layout,
            (&self.shown, self.insets.right),
            |ui| add(ui, &mut actions),
            |ui| buttons(ui, &mut pressed),
        );
        actions.append(&mut pressed);
        if is_closed {
            self.open.0 = None;
            release_focus(context);
        }
        self.actions.write_batch(actions);
        is_closed
    }
}

/// Shows a modal window; whether it is to be closed. The panels at the right are so wide.
fn dialog_window(
    context: &Context,
    layout: &WindowLayout,
    (shown, side): (&ShownDialog, f32),
    add: impl FnOnce(&mut Ui) -> bool,
    buttons: impl FnOnce(&mut Ui) -> bool,
) -> bool {
    let id = Id::new("dialog");
    let room = context.content_rect().size();
    widgets::show_at_once(context, id);
    // A slow renderer would show a frame in which it is hardly seen.
    let mut area = Modal::default_area(id).fade_in(false);
    let frame = theme::dialog_frame();
    let mut width = (room.x - 70.0).min(layout.width);
    let is_over_side = layout.place == Place::Beside && side >= MIN_SIDE;
    if is_over_side {
        width = width.min(side - 8.0 - frame.total_margin().sum().x);
    }
    let anchor = match layout.place {
        Place::Centre => None,
        Place::Beside if is_over_side => Some((Align2::RIGHT_CENTER, vec2(-4.0, 0.0))),
        Place::Beside => Some((Align2::CENTER_BOTTOM, vec2(0.0, -12.0))),
        Place::Left => Some((Align2::LEFT_CENTER, vec2(4.0, 0.0))),
        Place::Right => Some((Align2::RIGHT_CENTER, vec2(-4.0, 0.0))),
    };
    if let Some((align, offset)) = anchor {
        area = area.anchor(align, offset);
    }
    let mut modal = Modal::new(id).area(area).frame(frame);
    if layout.place != Place::Centre {
        modal = modal.backdrop_color(Color32::from_black_alpha(6));
    }
    let modal = modal.show(context, |ui| {
        ui.set_width(width);
        // Else it is only as high as egui's areas begin.
        ui.set_max_height(room.y - 60.0);
        let footer = if layout.close == CloseButton::None { 0.0 } else { 46.0 };
        let mut scroll = ScrollArea::vertical().id_salt(shown.dialog);
        if shown.is_new {
            // It opens at its top, wherever it was left.
            scroll = scroll.vertical_scroll_offset(0.0);
        }
        let height = room.y - 60.0 - footer;
        let mut close = widgets::scroll_area_from(ui, scroll, height, |ui| {
            if layout.is_full_height {
                ui.set_min_height(height);
            }
            add(ui)
        });
        if layout.close != CloseButton::None {
            ui.add_space(6.0);
            close |= ui.horizontal(|ui| buttons(ui)).inner;
        }
        close
    });
    if shown.is_new {
        // Its place depends on its size, which is known from now on.
        context.request_repaint();
    }
    modal.inner || modal.should_close()
}

/// A panel that is narrower has no room for a dialog.
const MIN_SIDE: f32 = 200.0;

/// Passes on what a dialog of commands has `requested`, and closes it; another dialog takes
/// its place, and what changes a setting leaves it open.
fn request_from_dialog(requested: &mut Vec<Action>, actions: &mut Vec<Action>) {
    let stays = |action: &Action| {
        matches!(
            action,
            Action::Ui(UiAction::OpenDialog(_)) | Action::Replay(ReplayAction::SetSpeed(_))
        )
    };
    if !requested.is_empty() && !requested.iter().any(stays) {
        actions.push(UiAction::CloseDialog.into());
    }
    actions.append(requested);
}

/// Gives the keyboard back to the board when a dialog closes: its button would
/// keep it for some frames, and an idle table draws none.
pub(super) fn release_focus(context: &Context) {
    context.memory_mut(|memory| {
        if let Some(widget) = memory.focused() {
            memory.surrender_focus(widget);
        }
    });
}

/// The button that closes a dialog; it has the focus until another gets it.
fn close_button(ui: &mut Ui, width: f32) -> bool {
    let close = widgets::primary_button(ui, tr("popup.close"), vec2(width, 34.0));
    if ui.memory(|memory| memory.focused().is_none()) {
        close.request_focus();
    }
    close.clicked()
}

/// What is on the screen under a dialog.
#[derive(SystemParam)]
struct ScreenContent<'w> {
    shown: OnScreen<'w>,
    choice: Res<'w, SelectedGame>,
}

impl ScreenContent<'_> {
    /// The game that is played or watched.
    fn history(&self) -> Option<&GameHistory<AnyPosition>> {
        self.shown.history()
    }

    /// Its rules, those of the position being set up, or those chosen on the
    /// title screen.
    fn rules(&self) -> RuleSet {
        self.shown.rules().unwrap_or(self.choice.rules)
    }
}
