//! The room and the colours: chosen beside the board, which shows each choice at once.

use super::{
    DialogWindow, Place, WindowLayout,
    settings::{palette_row, volume_slider},
};
use crate::app::{
    settings::options::Room,
    ui::{
        prelude::*,
        widgets::{self, segmented::choice_row},
    },
};

pub(super) fn show(
    mut window: DialogWindow,
    mut settings: ResMut<Settings>,
    screen: Res<State<Screen>>,
) {
    // It covers the panels, never the board.
    let is_title = *screen.get() == Screen::Title;
    let place = if is_title { Place::Left } else { Place::Right };
    let layout = WindowLayout { width: 240.0, place, ..WindowLayout::default() };
    let mut wanted = settings.clone();
    window.show(&layout, |ui, _| content(ui, &mut wanted));
    settings.set_if_neq(wanted);
}

fn content(ui: &mut Ui, wanted: &mut Settings) {
    widgets::dialog_title(ui, tr("look.title"));
    let rooms = Room::VARIANTS.iter().map(|&room| match room {
        Room::Study => (room, tr("look.study")),
        Room::Cabin => (room, tr("look.cabin")),
    });
    choice_row(ui, tr("look.room"), "", &mut wanted.room, rooms);
    widgets::label(ui, tr("look.tone"));
    let width = ui.available_width();
    volume_slider(ui, tr("settings.room-volume"), width, &mut wanted.room_tone);
    palette_row(ui, wanted);
}
