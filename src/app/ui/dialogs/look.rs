//! The room and the pieces: chosen beside the board, which shows each choice at once.

use bevy::prelude::*;
use bevy_egui::{EguiPrimaryContextPass, egui::Ui};

use super::{
    DialogWindow, Place, ScreenContent, WindowLayout,
    settings::{check_box, palette_row},
    while_open,
};
use crate::{
    app::{
        core::states::{Dialog, Screen},
        settings::{
            ChangeSettings, Settings,
            options::{PieceSet, Room},
        },
        ui::{
            game_texts::GAMES,
            screens::title::SelectedGame,
            widgets::{self, segmented::choice_row},
        },
    },
    games::GameKind,
    i18n::tr,
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, while_open(Dialog::Look, show));
}

fn show(
    mut window: DialogWindow,
    settings: Res<Settings>,
    mut screen: ParamSet<(ScreenContent, ResMut<SelectedGame>)>,
    mut changes: MessageWriter<ChangeSettings>,
) {
    // It covers the panels, never the board.
    let on_screen = screen.p0();
    let is_title = *on_screen.screen.get() == Screen::Title;
    let place = if is_title { Place::Left } else { Place::Right };
    let layout = WindowLayout { width: 240.0, place, ..WindowLayout::default() };
    let games = if is_title { GAMES } else { shown_first(on_screen.rules().game()) };
    let mut wanted = settings.clone();
    window.show(&layout, |ui, _| content(ui, &mut wanted, games));
    if wanted == *settings {
        return;
    }
    // On the title any board can be shown.
    let changed = |game: &GameKind| wanted.sets.of(*game) != settings.sets.of(*game);
    if is_title && let Some(game) = GAMES.into_iter().find(changed) {
        screen.p1().0.set_game(game);
    }
    changes.write(ChangeSettings { known: settings.clone(), wanted });
}

/// All games, the one on the table first: its pieces are seen.
fn shown_first(shown: GameKind) -> [GameKind; 3] {
    let mut games = GAMES;
    games.sort_by_key(|game| *game != shown);
    games
}

fn content(ui: &mut Ui, wanted: &mut Settings, games: [GameKind; 3]) {
    widgets::dialog_title(ui, tr("look.title"));
    let rooms = Room::ALL.map(|room| match room {
        Room::Study => (room, tr("look.study")),
        Room::Cabin => (room, tr("look.cabin")),
    });
    choice_row(ui, tr("look.room"), "", &mut wanted.room, rooms);
    check_box(ui, &mut wanted.room_tone, tr("look.tone"));
    for game in games {
        set_row(ui, wanted, game);
    }
    palette_row(ui, wanted);
}

/// The sets of a game.
fn set_row(ui: &mut Ui, wanted: &mut Settings, game: GameKind) {
    let (key, value, names) = match game {
        GameKind::Tablut => (
            "look.tablut",
            &mut wanted.sets.tablut,
            ["look.tablut-turned", "look.tablut-carved", "look.tablut-cast"],
        ),
        GameKind::Tablan => (
            "look.tablan",
            &mut wanted.sets.tablan,
            ["look.tablan-turned", "look.tablan-carved", "look.tablan-cast"],
        ),
        GameKind::Tablaaza => (
            "look.tablaaza",
            &mut wanted.sets.tablaaza,
            ["look.tablaaza-turned", "look.tablaaza-carved", "look.tablaaza-cast"],
        ),
    };
    let sets = PieceSet::ALL.into_iter().zip(names.map(tr));
    choice_row(ui, tr(key), "", value, sets);
}
