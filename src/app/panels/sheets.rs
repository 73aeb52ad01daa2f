//! The sheets that open over a screen, one at a time: menu, help, recent
//! games, settings, keys, throws, a line to type in, about.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{Align2, Context, Id, Key, Modal, ScrollArea, Ui, vec2},
};

use super::{
    about, desk::Desk, files::Files, games, help, keys, liked, menu, recent, send, theme, throws,
    typing, widgets,
};
use crate::{
    app::{
        acts::{Act, Sheet},
        advice::Advice,
        editor::Editor,
        referee::{Games, Keeping, Referee},
        replay::Replay,
        settings::{Settings, SettingsFile},
        stage::Screen,
    },
    i18n::tr,
    table::GameSession,
};

/// Most games the list of recent ones shows.
const RECENT: usize = 40;

/// Opens and closes sheets as acts say.
pub(super) fn follow(
    mut acts: MessageReader<'_, '_, Act>,
    mut desk: ResMut<'_, Desk>,
    editor: Res<'_, Editor>,
    mut games: ResMut<'_, Games>,
) {
    for act in acts.read() {
        match act {
            Act::Show(sheet) => {
                desk.open = Some(*sheet);
                match sheet {
                    Sheet::Recent => desk.stale = true,
                    Sheet::TypeMove => desk.typed.clear(),
                    Sheet::Keys => (desk.catching, desk.key_word) = (None, None),
                    Sheet::Position => {
                        (desk.typed, desk.mistyped) = (editor.draft.to_string(), None);
                    }
                    Sheet::Menu
                    | Sheet::Help
                    | Sheet::Settings
                    | Sheet::Throws
                    | Sheet::About
                    | Sheet::Games => {}
                }
            }
            Act::Forget(_) => desk.stale = true,
            Act::Close => desk.open = None,
            Act::Dismiss => desk.dismiss(),
            // Where one goes, no sheet stays in the way.
            Act::NewGame(_)
            | Act::Rematch
            | Act::Resume(_)
            | Act::Open(_)
            | Act::Pick(_)
            | Act::Watch
            | Act::SetUp(_)
            | Act::EditAnalyse
            | Act::Learn(_) => {
                desk.open = None;
            }
            _ => {}
        }
    }
    if games.asking {
        games.asking = false;
        desk.open = Some(Sheet::Games);
    }
}

/// Shows the open sheet.
pub(super) fn show(
    mut contexts: EguiContexts<'_, '_>,
    screen: Res<'_, State<Screen>>,
    mut desk: ResMut<'_, Desk>,
    mut files: ResMut<'_, Files>,
    (referee, replay, advice): (Res<'_, Referee>, Res<'_, Replay>, Res<'_, Advice>),
    (settings, file): (Res<'_, Settings>, Res<'_, SettingsFile>),
    (keeping, games, editor): (Res<'_, Keeping>, Res<'_, Games>, Res<'_, Editor>),
    pressed: Option<Res<'_, ButtonInput<KeyCode>>>,
    mut acts: MessageWriter<'_, Act>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let typing = context.text_edit_focused();
    let asks_help = context.input(|input| !typing && input.key_pressed(Key::Questionmark));
    if asks_help && desk.catching.is_none() && !files.is_open() {
        let open = desk.open == Some(Sheet::Help);
        desk.open = if open { None } else { Some(Sheet::Help) };
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
    if sheet == Sheet::Recent && std::mem::take(&mut desk.stale) {
        desk.recent = keeping.shelf().map(|it| it.list(RECENT)).unwrap_or_default();
    }
    if sheet == Sheet::Keys {
        keys::catch(context, pressed.as_deref(), &settings, desk, &mut asked);
    }
    let id = Id::new("sheet");
    let mut area = Modal::default_area(id);
    if sheet == Sheet::TypeMove {
        // The board is looked at while a move is written.
        area = area.anchor(Align2::CENTER_BOTTOM, vec2(0.0, -12.0));
    }
    let modal = Modal::new(id).area(area).frame(theme::dialog()).show(context, |ui| {
        let most = match sheet {
            Sheet::Menu => 440.0,
            Sheet::TypeMove => 380.0,
            Sheet::Position => 560.0,
            Sheet::Settings => 720.0,
            Sheet::Help
            | Sheet::Recent
            | Sheet::Throws
            | Sheet::About
            | Sheet::Keys
            | Sheet::Games => 640.0,
        };
        ui.set_width((room.x - 70.0).min(most));
        // Not only as high as egui's areas begin.
        ui.set_max_height(room.y - 60.0);
        let mut shut = false;
        let own_button = matches!(sheet, Sheet::TypeMove | Sheet::Position);
        let below = if own_button { 0.0 } else { 46.0 };
        let mut scroll = ScrollArea::vertical().id_salt(sheet);
        if before != Some(sheet) {
            // It opens at its top, wherever it was left.
            scroll = scroll.vertical_scroll_offset(0.0);
        }
        widgets::scrolling_from(ui, scroll, room.y - 60.0 - below, |ui| match sheet {
            Sheet::Menu => {
                let (screen, several) = (*screen.get(), games.list.len() > 1);
                let about = menu::About {
                    screen,
                    referee: &referee,
                    replay: &replay,
                    several,
                    analysis: advice.analysis,
                    playable: editor.draft.playable().is_ok(),
                };
                menu::text(ui, &about, desk, &mut files, &mut asked);
            }
            Sheet::Help => help::text(ui, &here, &settings.keys),
            Sheet::About => about::text(ui),
            Sheet::Keys => keys::text(ui, &settings, desk, &mut asked),
            Sheet::Recent => recent::text(ui, desk, &keeping, &referee, &mut files, &mut asked),
            Sheet::Settings => liked::text(ui, &settings, &file, &mut asked),
            Sheet::Throws => {
                if let Some(line) = line {
                    throws::text(ui, line, referee.table.as_ref());
                }
            }
            Sheet::TypeMove => shut = typing::text(ui, here.rules.game(), desk, &mut asked),
            Sheet::Position => shut = typing::position(ui, here.rules, desk, &mut asked),
            Sheet::Games => games::text(ui, &games, &mut asked),
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
pub(super) fn release(context: &Context) {
    context.memory_mut(|memory| {
        if let Some(widget) = memory.focused() {
            memory.surrender_focus(widget);
        }
    });
}

/// The button that closes a sheet; it has the keyboard until another gets it.
pub(super) fn close_button(ui: &mut Ui, width: f32) -> bool {
    let close = widgets::main_button(ui, tr("popup.close"), vec2(width, 34.0));
    if ui.memory(|memory| memory.focused().is_none()) {
        close.request_focus();
    }
    close.clicked()
}
