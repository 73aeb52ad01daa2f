//! Who plays a side: a person, or the computer at one of its levels.

use crate::{app::ui::prelude::*, session::level_label};

use super::{button_if, segmented::segmented, set_accessible_label};

/// The level offered when the computer takes a seat.
const FIRST_LEVEL: Level = Level::Casual;

/// Shows who plays the side called `of`; returns another choice.
pub(crate) fn seat_choice(ui: &mut Ui, of: &str, seat: Seat) -> Option<Seat> {
    let program = seat_label(Seat::Program);
    let mut segments = vec![(tr("seat.person"), ""), (tr("seat.computer"), "")];
    let chosen = match seat {
        Seat::Person | Seat::Remote => 0,
        Seat::Engine(_) => 1,
        Seat::Program => {
            segments.push((&program, ""));
            2
        }
    };
    let mut choice = match segmented(ui, of, Some(chosen), &segments) {
        Some(0) => Some(Seat::Person),
        Some(1) if chosen != 1 => Some(Seat::Engine(FIRST_LEVEL)),
        _ => None,
    };
    if let Seat::Engine(level) = seat {
        // It wraps where the level does not fit in one row.
        ui.horizontal_wrapped(|ui| {
            choice = level_choice(ui, of, level).map(Seat::Engine).or(choice);
        });
    }
    choice
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
    let label = Label::new(RichText::new(tr_args("seat.level", &names)).size(BODY));
    ui.add(label.wrap_mode(TextWrapMode::Extend));
    let weaker = step(ui, "–", tr("seat.weaker"), Level::from_number(number - 1));
    let stronger = step(ui, "+", tr("seat.stronger"), Level::from_number(number + 1));
    weaker.or(stronger)
}
