//! The sheets that open over a screen, one at a time: menu, help, recent
//! games, settings, keys, throws, a line to type in, about.

pub(crate) mod about;
pub(crate) mod files;
pub(crate) mod games;
pub(crate) mod help;
pub(crate) mod keys;
pub(crate) mod menu;
pub(crate) mod recent_games;
pub(crate) mod settings;
pub(crate) mod throws;
pub(crate) mod typing;

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{Align2, Context, Id, Key, Modal, ScrollArea, Ui, vec2},
};

use self::files::Files;
use super::{send, state::UiState, theme, widgets};
use crate::{
    app::{
        analysis::Analysis,
        core::{
            actions::{Action, EditorAction, GameAction, ReplayAction, UiAction},
            states::{Dialog, Screen},
        },
        editor::Editor,
        game::referee::{Autosave, OpenedFile, Referee},
        input::KeyPresses,
        replay::Replay,
        settings::{ChangeSettings, Settings, SettingsFile},
    },
    i18n::tr,
    table::GameSession,
};

/// Most games the list of recent ones shows.
const RECENT: usize = 40;

/// Opens and closes sheets as acts say.
pub(crate) fn follow(
    mut acts: MessageReader<'_, '_, Action>,
    mut desk: ResMut<'_, UiState>,
    editor: Res<'_, Editor>,
    mut games: ResMut<'_, OpenedFile>,
) {
    for act in acts.read() {
        match act {
            Action::Ui(UiAction::OpenDialog(sheet)) => {
                desk.open = Some(*sheet);
                match sheet {
                    Dialog::Recent => desk.stale = true,
                    Dialog::TypeMove => desk.typed.clear(),
                    Dialog::Keys => (desk.catching, desk.key_word) = (None, None),
                    Dialog::Position => {
                        (desk.typed, desk.mistyped) = (editor.draft.to_string(), None);
                    }
                    Dialog::Menu
                    | Dialog::Help
                    | Dialog::Settings
                    | Dialog::Throws
                    | Dialog::About
                    | Dialog::Games => {}
                }
            }
            Action::Game(GameAction::DeleteSave(_)) => desk.stale = true,
            Action::Ui(UiAction::CloseDialog) => desk.open = None,
            Action::Ui(UiAction::Dismiss) => desk.dismiss(),
            // Where one goes, no sheet stays in the way.
            Action::Game(GameAction::NewGame(_))
            | Action::Game(GameAction::Rematch)
            | Action::Game(GameAction::ResumeFile(_))
            | Action::Replay(ReplayAction::Open(_))
            | Action::Replay(ReplayAction::PickGame(_))
            | Action::Replay(ReplayAction::WatchGame)
            | Action::Editor(EditorAction::Enter(_))
            | Action::Editor(EditorAction::Analyse)
            | Action::Game(GameAction::StartLesson(_)) => {
                desk.open = None;
            }
            _ => {}
        }
    }
    if games.asking {
        games.asking = false;
        desk.open = Some(Dialog::Games);
    }
}

/// Shows the open sheet.
pub(crate) fn show(
    mut contexts: EguiContexts<'_, '_>,
    screen: Res<'_, State<Screen>>,
    mut desk: ResMut<'_, UiState>,
    mut files: ResMut<'_, Files>,
    (referee, replay, advice): (Res<'_, Referee>, Res<'_, Replay>, Res<'_, Analysis>),
    (settings, file): (Res<'_, Settings>, Res<'_, SettingsFile>),
    (keeping, games, editor): (Res<'_, Autosave>, Res<'_, OpenedFile>, Res<'_, Editor>),
    presses: Option<Res<'_, KeyPresses>>,
    (mut acts, mut changes): (MessageWriter<'_, Action>, MessageWriter<'_, ChangeSettings>),
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let typing = context.text_edit_focused();
    let asks_help = context.input(|input| !typing && input.key_pressed(Key::Questionmark));
    if asks_help && desk.catching.is_none() && !files.is_open() {
        let open = desk.open == Some(Dialog::Help);
        desk.open = if open { None } else { Some(Dialog::Help) };
        context.request_repaint();
    }
    let before = desk.shown;
    if before != desk.open {
        desk.shown = desk.open;
    }
    let Some(sheet) = desk.open else { return };
    let desk = &mut *desk;
    let line = match screen.get() {
        Screen::Title | Screen::Editor => None,
        Screen::Table => referee.table.as_ref().map(GameSession::history),
        Screen::Replay => replay.history(),
    };
    let here = help::Here {
        screen: *screen.get(),
        rules: match screen.get() {
            Screen::Editor => editor.draft.rules(),
            _ => line.map_or(desk.choice.rules, |line| line.start().rules()),
        },
        by_hand: referee.table.as_ref().is_some_and(GameSession::by_hand),
        lesson: referee.lesson,
        several: games.list.len() > 1,
    };
    let room = context.content_rect().size();
    let mut asked = Vec::new();
    if sheet == Dialog::Recent && std::mem::take(&mut desk.stale) {
        desk.recent = keeping.shelf().map(|it| it.list(RECENT)).unwrap_or_default();
    }
    if sheet == Dialog::Keys {
        let presses = presses.as_deref().map_or(&[][..], |it| &it.0);
        keys::catch(context, presses, &settings, desk, &mut changes);
    }
    let id = Id::new("sheet");
    let mut area = Modal::default_area(id);
    if sheet == Dialog::TypeMove {
        // The board is looked at while a move is written.
        area = area.anchor(Align2::CENTER_BOTTOM, vec2(0.0, -12.0));
    }
    let modal = Modal::new(id).area(area).frame(theme::dialog()).show(context, |ui| {
        let most = match sheet {
            Dialog::Menu => 440.0,
            Dialog::TypeMove => 380.0,
            Dialog::Position => 560.0,
            Dialog::Settings => 720.0,
            Dialog::Help
            | Dialog::Recent
            | Dialog::Throws
            | Dialog::About
            | Dialog::Keys
            | Dialog::Games => 640.0,
        };
        ui.set_width((room.x - 70.0).min(most));
        // Not only as high as egui's areas begin.
        ui.set_max_height(room.y - 60.0);
        let mut shut = false;
        let own_button = matches!(sheet, Dialog::TypeMove | Dialog::Position);
        let below = if own_button { 0.0 } else { 46.0 };
        let mut scroll = ScrollArea::vertical().id_salt(sheet);
        if before != Some(sheet) {
            // It opens at its top, wherever it was left.
            scroll = scroll.vertical_scroll_offset(0.0);
        }
        widgets::scrolling_from(ui, scroll, room.y - 60.0 - below, |ui| match sheet {
            Dialog::Menu => {
                let (screen, several) = (*screen.get(), games.list.len() > 1);
                let about = menu::About {
                    screen,
                    referee: &referee,
                    replay: &replay,
                    several,
                    analysis: advice.enabled,
                    playable: editor.draft.playable().is_ok(),
                };
                menu::text(ui, &about, desk, &mut files, &mut asked);
            }
            Dialog::Help => help::text(ui, &here, &settings.key_bindings),
            Dialog::About => about::text(ui),
            Dialog::Keys => keys::text(ui, &settings, desk, &mut changes),
            Dialog::Recent => {
                recent_games::text(ui, desk, &keeping, &referee, &mut files, &mut asked)
            }
            Dialog::Settings => settings::text(ui, &settings, &file, &mut changes, &mut asked),
            Dialog::Throws => {
                if let Some(line) = line {
                    throws::text(ui, line, referee.table.as_ref());
                }
            }
            Dialog::TypeMove => shut = typing::text(ui, here.rules.game(), desk, &mut asked),
            Dialog::Position => shut = typing::position(ui, here.rules, desk, &mut asked),
            Dialog::Games => games::text(ui, &games, &mut asked),
        });
        if !own_button {
            ui.add_space(6.0);
            shut |= ui.horizontal(|ui| close_button(ui, 100.0)).inner;
        }
        shut
    });
    if modal.inner || modal.should_close() {
        desk.open = None;
        desk.catching = None;
        release(context);
    }
    send(asked, &mut acts);
}

/// Gives the keyboard back to the board when a dialog closes: its button would
/// keep it for some frames, and an idle table draws none.
pub(crate) fn release(context: &Context) {
    context.memory_mut(|memory| {
        if let Some(widget) = memory.focused() {
            memory.surrender_focus(widget);
        }
    });
}

/// The button that closes a sheet; it has the keyboard until another gets it.
pub(crate) fn close_button(ui: &mut Ui, width: f32) -> bool {
    let close = widgets::main_button(ui, tr("popup.close"), vec2(width, 34.0));
    if ui.memory(|memory| memory.focused().is_none()) {
        close.request_focus();
    }
    close.clicked()
}
