//! The throws of a game against what sticks are expected to show, and the
//! seed they were drawn from.

use bevy_egui::egui::{Grid, RichText, Ui, vec2};

use crate::{
    app::ui::{
        theme::{ACCENT, BODY, INK, LARGE, MUTED, SMALL},
        widgets,
    },
    games::{AnyPosition, GameHistory, Side},
    i18n::{localize_decimal, tr, tr_args},
    table::{GameSession, ThrowCounts, count_throws, side_label},
};

/// The statistics of a game. The seed would give the throws to come away: it
/// is said once the game on the table has ended.
pub(crate) fn text(ui: &mut Ui, line: &GameHistory<AnyPosition>, table: Option<&GameSession>) {
    ui.label(RichText::new(tr("dice.title")).size(LARGE + 4.0).color(ACCENT));
    let rules = line.start().rules();
    let counts = count_throws(line, line.len());
    for (side, throws) in Side::BOTH.into_iter().zip(counts) {
        widgets::heading(ui, &count(&throws, side_label(rules, side)));
        grid(ui, side_label(rules, side), &throws);
    }
    if let Some(chance) = counts[0].with(counts[1]).p_value() {
        let percent = format!("{:.0}", chance * 100.0);
        widgets::note(ui, &tr_args("dice.fair", &[("percent", &percent)]));
    }
    if let Some(seed) = table.filter(|table| table.history() == line).and_then(seed) {
        ui.label(RichText::new(seed).size(BODY).color(INK));
    }
}

/// What there is to say of where a game's throws came from, once it has ended.
pub(crate) fn seed(table: &GameSession) -> Option<String> {
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
            cell(ui, seen.to_string(), INK);
        }
        ui.end_row();
        ui.label(RichText::new(tr("dice.expected")).size(SMALL).color(MUTED));
        for plain in 0..5 {
            cell(ui, localize_decimal(&format!("{:.2}", throws.expected(plain))), MUTED);
        }
        ui.end_row();
    });
}
