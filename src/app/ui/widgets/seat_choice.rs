//! Who plays a side: a person, or the computer at one of its levels.

use bevy_egui::egui::{Label, RichText, TextWrapMode, Ui};

use crate::{
    app::ui::theme::BODY,
    engines::Level,
    i18n::{tr, tr_args},
    table::{Seat, level_label, seat_label},
};

use super::{button_if, labelled_choice, set_accessible_label};

/// The level offered when the computer takes a seat.
const FIRST_LEVEL: Level = Level::Casual;

/// Shows who plays the side called `of`; returns another choice.
pub(crate) fn seat_choice(ui: &mut Ui, of: &str, seat: Seat) -> Option<Seat> {
    let mut chosen = None;
    if labelled_choice(ui, of, seat == Seat::Person, tr("seat.person")).clicked() {
        chosen = Some(Seat::Person);
    }
    let is_engine = matches!(seat, Seat::Engine(_));
    if labelled_choice(ui, of, is_engine, tr("seat.computer")).clicked() && !is_engine {
        chosen = Some(Seat::Engine(FIRST_LEVEL));
    }
    if seat == Seat::Program {
        labelled_choice(ui, of, true, &seat_label(seat));
    }
    if let Seat::Engine(level) = seat {
        chosen = level_choice(ui, of, level).map(Seat::Engine).or(chosen);
    }
    chosen
}

/// Shows the level, and two buttons that change it by one.
fn level_choice(ui: &mut Ui, of: &str, level: Level) -> Option<Level> {
    let number = level.number();
    let step = |ui: &mut Ui, sign: &str, hint: &str, to: Option<Level>| {
        let response = button_if(ui, to.is_some(), sign, hint).on_hover_text(hint);
        set_accessible_label(&response, &tr_args("keys.of", &[("command", of), ("key", hint)]));
        to.filter(|_| response.clicked())
    };
    let names = [("number", number.to_string()), ("name", level_label(level).to_owned())];
    let names = names.each_ref().map(|(key, value)| (*key, value.as_str()));
    // Whole in the next row where this one has no room.
    let label = Label::new(RichText::new(tr_args("seat.level", &names)).size(BODY));
    ui.add(label.wrap_mode(TextWrapMode::Extend));
    let weaker = step(ui, "–", tr("seat.weaker"), Level::from_number(number - 1));
    let stronger = step(ui, "+", tr("seat.stronger"), Level::from_number(number + 1));
    weaker.or(stronger)
}
