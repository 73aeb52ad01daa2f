//! The throws of a game against those expected of fair sticks, and the seed they
//! were drawn from.

use bevy_egui::egui::Grid;

use super::{DialogWindow, ScreenContent, WindowLayout};
use crate::{
    app::ui::{prelude::*, widgets},
    session::{ThrowCounts, count_throws},
};

pub(super) fn show(mut window: DialogWindow, screen: ScreenContent) {
    window.show(&WindowLayout::default(), |ui, _| {
        if let Some(history) = screen.history() {
            content(ui, history, screen.shown.referee.table.as_ref());
        }
    });
}

/// The statistics of a game. The seed foretells later throws, so it is shown
/// only once the game on the table has ended.
fn content(ui: &mut Ui, history: &GameHistory<AnyPosition>, table: Option<&GameSession>) {
    widgets::dialog_title(ui, tr("dice.title"));
    let rules = history.start().rules();
    let counts = count_throws(history, history.len());
    for (side, throws) in Side::BOTH.into_iter().zip(counts) {
        widgets::heading(ui, &count(&throws, side_label(rules, side)));
        grid(ui, side_label(rules, side), &throws);
    }
    if let Some(chance) = counts[0].with(counts[1]).p_value() {
        let percent = format!("{:.0}", chance * 100.0);
        widgets::note(ui, &tr_args("dice.fair", &[("percent", &percent)]));
    }
    if let Some(origin) = table.filter(|table| table.history() == history).and_then(origin) {
        ui.label(RichText::new(origin).size(BODY).color(TEXT));
    }
}

/// Where a game's throws came from, in words, once it has ended.
fn origin(table: &GameSession) -> Option<String> {
    if !table.rules().has_sticks() || table.outcome().is_none() {
        None
    } else if table.by_hand() {
        Some(tr("dice.by-hand").to_owned())
    } else {
        Some(tr_args("dice.seed", &[("seed", &table.seed().to_string())]))
    }
}

fn count(throws: &ThrowCounts, side: &str) -> String {
    tr_args("dice.count", &[("count", &throws.count().to_string()), ("side", side)])
}

fn grid(ui: &mut Ui, id: &str, throws: &ThrowCounts) {
    let cell = |ui: &mut Ui, text: String, ink| {
        ui.label(RichText::new(text).size(BODY).color(ink));
    };
    Grid::new(id).num_columns(6).spacing(vec2(18.0, 2.0)).show(ui, |ui| {
        ui.label(RichText::new(tr("dice.plain")).size(SMALL).color(MUTED));
        for plain in 0..5 {
            cell(ui, plain.to_string(), MUTED);
        }
        ui.end_row();
        ui.label(RichText::new(tr("dice.seen")).size(SMALL).color(MUTED));
        for seen in throws.seen {
            cell(ui, seen.to_string(), TEXT);
        }
        ui.end_row();
        ui.label(RichText::new(tr("dice.expected")).size(SMALL).color(MUTED));
        for plain in 0..5 {
            cell(ui, localize_decimal(&format!("{:.2}", throws.expected(plain))), MUTED);
        }
        ui.end_row();
    });
}
