//! The panel at the right: the game, who plays, how it stands, its moves, what
//! was said. The table and the replay share it.

use bevy_egui::egui::{
    Align, Context, Grid, Label, Layout, Rect, RichText, ScrollArea, Ui, UiBuilder, vec2,
};

use super::{clocks, move_list, toolbar};
use crate::{
    app::{
        analysis::{Analysis, Evaluation},
        ui::{
            theme::{self, ACCENT, ALARM, BODY, INK, LARGE, MUTED, SMALL},
            widgets::{self, evaluation_bar},
        },
    },
    games::{AnyPosition, GameHistory, Side, Square},
    i18n::{tr, tr_args},
    table::{describe_square, rules_label, scores, side_label, threats, warning},
};

/// What the panel shows.
pub(crate) struct Dialog<'a> {
    /// The game.
    pub(crate) line: &'a GameHistory<AnyPosition>,
    /// How many of its plies are listed.
    pub(crate) listed: usize,
    /// How many of them have been shown on the board.
    pub(crate) shown: usize,
    /// Who plays, by [`Side::index`].
    pub(crate) players: [String; 2],
    /// Whose turn it is.
    pub(crate) turn: Option<Side>,
    /// What is left of their time, where they play with clocks.
    pub(crate) clocks: Option<clocks::Clocks>,
    /// Whether an engine is thinking for that side.
    pub(crate) thinking: bool,
    /// A line under the title.
    pub(crate) subtitle: &'a str,
    /// What was written about each ply; nothing is empty.
    pub(crate) comment: &'a dyn Fn(usize) -> String,
    /// What was said, newest last.
    pub(crate) said: &'a [String],
    /// The square under the keyboard's cursor.
    pub(crate) cursor: Option<Square>,
    /// How the game ended, where its last position is shown.
    pub(crate) end: Option<Evaluation>,
    /// What an engine was asked.
    pub(crate) advice: &'a Analysis,
}

/// How wide the panel is in a window this wide.
pub(crate) const fn width(window: f32) -> f32 {
    // Beside a board that has little room itself.
    let least = if toolbar::is_tight(window) { 208.0 } else { 262.0 };
    (window * 0.24).clamp(least, 340.0)
}

/// Shows the panel and returns the ply that was clicked.
pub(crate) fn show(
    context: &Context,
    place: Rect,
    sheet: &Dialog<'_>,
    scrolled: &mut Option<usize>,
) -> Option<usize> {
    widgets::pane(context, "side", place, theme::pane(), |ui| {
        let rules = sheet.line.start().rules();
        let narrow = ui.available_width() < 220.0;
        if narrow {
            // The moves, and what else there is when it is scrolled to.
            let height = ui.available_height();
            return widgets::scrolling(ui, "side-scroll", height, |ui| {
                let clicked = listed(ui, sheet, height - 26.0, scrolled, true);
                ui.separator();
                players(ui, sheet);
                counts(ui, sheet);
                advices(ui, sheet);
                said(ui, sheet);
                clicked
            });
        }
        widgets::one_line(ui, rules_label(rules), LARGE, ACCENT);
        if !sheet.subtitle.is_empty() {
            widgets::one_line(ui, sheet.subtitle, SMALL, MUTED);
        }
        players(ui, sheet);
        if ui.available_height() < LEAST {
            // Too little room for all at once: it is scrolled through.
            let height = ui.available_height();
            return widgets::scrolling(ui, "side-scroll", height, |ui| {
                let clicked = listed(ui, sheet, height - 26.0, scrolled, true);
                ui.separator();
                counts(ui, sheet);
                advices(ui, sheet);
                said(ui, sheet);
                clicked
            });
        }
        counts(ui, sheet);
        advices(ui, sheet);
        ui.separator();
        let height = ui.available_height();
        lists(ui, sheet, height, scrolled)
    })
}

/// With less height than this the panel scrolls as a whole.
const LEAST: f32 = 260.0;

/// The moves and what was said, one over the other in so much height.
fn lists(
    ui: &mut Ui,
    sheet: &Dialog<'_>,
    height: f32,
    scrolled: &mut Option<usize>,
) -> Option<usize> {
    let room = ui.available_rect_before_wrap();
    let room = room.with_max_y(room.top() + height);
    let nothing = sheet.said.is_empty() && (sheet.comment)(sheet.shown).is_empty();
    let said = if nothing { 0.0 } else { (room.height() * 0.36).min(128.0) };
    let list = room.with_max_y(room.bottom() - said);
    let clicked = listed(ui, sheet, list.height(), scrolled, false);
    if said > 0.0 {
        let below = room.with_min_y(list.bottom());
        ui.scope_builder(UiBuilder::new().max_rect(below), |ui| spoken(ui, sheet));
    }
    clicked
}

/// The moves, in so much height; with `within` in as much as they need, where
/// the panel scrolls as a whole.
fn listed(
    ui: &mut Ui,
    sheet: &Dialog<'_>,
    height: f32,
    scrolled: &mut Option<usize>,
    within: bool,
) -> Option<usize> {
    let place = ui.available_rect_before_wrap();
    let place = place.with_max_y(place.top() + height);
    ui.scope_builder(UiBuilder::new().max_rect(place.shrink2(vec2(0.0, 2.0))), |ui| {
        let advice = sheet.advice;
        let mut mistakes = if advice.enabled { advice.mistakes(sheet.line) } else { Vec::new() };
        mistakes.retain(|mistake| mistake.ply <= sheet.listed);
        let listed = move_list::Listed {
            line: sheet.line,
            plies: sheet.listed,
            current: sheet.shown,
            mistakes: &mistakes,
            comment: sheet.comment,
        };
        move_list::list(ui, &listed, scrolled, within)
    })
    .inner
}

fn players(ui: &mut Ui, sheet: &Dialog<'_>) {
    let rules = sheet.line.start().rules();
    ui.spacing_mut().interact_size.y = 20.0;
    for side in Side::BOTH {
        let on_turn = sheet.turn == Some(side);
        ui.horizontal(|ui| {
            widgets::disc(ui, theme::colour(rules, side), 8.0);
            let ink = if on_turn { ACCENT } else { INK };
            ui.label(RichText::new(side_label(rules, side)).size(BODY).color(ink));
            if on_turn && sheet.thinking {
                widgets::pondering(ui);
            }
            let name = sheet.players[side.index()].as_str();
            let Some(clocks) = &sheet.clocks else {
                widgets::one_line(ui, name, BODY, MUTED);
                return;
            };
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                clocks::show(ui, rules, side, clocks);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    widgets::one_line(ui, name, BODY, MUTED);
                });
            });
        });
    }
}

fn counts(ui: &mut Ui, sheet: &Dialog<'_>) {
    let rules = sheet.line.start().rules();
    let Some(position) = sheet.line.at(sheet.shown) else { return };
    let gap = if ui.available_width() < 220.0 { 9.0 } else { 16.0 };
    Grid::new("counts").num_columns(3).spacing(vec2(gap, 2.0)).show(ui, |ui| {
        ui.label("");
        for side in Side::BOTH {
            ui.label(RichText::new(side_label(rules, side)).size(SMALL).color(MUTED));
        }
        ui.end_row();
        for (label, figures) in scores(sheet.line.start(), position) {
            ui.label(RichText::new(label).size(SMALL).color(MUTED));
            for figure in figures {
                ui.label(RichText::new(figure).size(BODY).color(INK));
            }
            ui.end_row();
        }
    });
}

/// Warnings, and what was asked for: who is ahead, a hint, threats.
fn advices(ui: &mut Ui, sheet: &Dialog<'_>) {
    let Some(position) = sheet.line.at(sheet.shown) else { return };
    let rules = position.rules();
    let line = |ui: &mut Ui, text: &str, ink| {
        ui.add(Label::new(RichText::new(text).size(SMALL).color(ink)).wrap());
    };
    if let Some(square) = sheet.cursor {
        line(ui, &describe_square(position, square), INK);
    }
    if let Some(warning) = warning(position) {
        line(ui, warning, ALARM);
    }
    if sheet.advice.show_evaluation {
        let value = sheet.end.or_else(|| sheet.advice.value_at(sheet.line, sheet.shown));
        evaluation_bar::show(ui, rules, value);
    }
    // Where somebody has given up, the board alone would go on.
    if sheet.end.is_some() {
        return;
    }
    if sheet.advice.hint_pending {
        line(ui, tr("desk.hint-waits"), MUTED);
    } else if let Some(hint) = sheet.advice.hint_for(position) {
        let written = crate::games::Game::notation(position, hint);
        line(ui, &tr_args("desk.hint-is", &[("move", &written)]), ACCENT);
    }
    if sheet.advice.show_threats {
        for text in threat_words(position) {
            line(ui, &text, INK);
        }
    }
}

/// What threatens, in words, for those who hear the board.
fn threat_words(position: &AnyPosition) -> Vec<String> {
    let threats = threats(position);
    let names = |squares: Vec<Square>| {
        let names: Vec<String> = squares.iter().map(ToString::to_string).collect();
        names.join(" ")
    };
    let mut words = Vec::new();
    if !threats.captured.is_empty() {
        let squares = names(threats.captured.into_iter().collect());
        words.push(tr_args("desk.loses-pieces", &[("squares", &squares)]));
    } else if matches!(position, AnyPosition::Tablut(_) | AnyPosition::Tablan(_)) {
        words.push(tr("desk.no-threats").to_owned());
    }
    if !threats.king_escapes.is_empty() {
        let squares = names(threats.king_escapes.into_iter().map(|way| way.1).collect());
        words.push(tr_args("desk.king-ways", &[("squares", &squares)]));
    }
    if !threats.pavilions.is_empty() {
        let squares = names(threats.pavilions.into_iter().map(|way| way.1).collect());
        words.push(tr_args("desk.near-pavilions", &[("squares", &squares)]));
    } else if matches!(position, AnyPosition::Tablaaza(_)) {
        words.push(tr("desk.no-pavilions").to_owned());
    }
    words
}

fn spoken(ui: &mut Ui, sheet: &Dialog<'_>) {
    ui.separator();
    let area = ScrollArea::vertical().id_salt("said").stick_to_bottom(true);
    let height = ui.available_height();
    widgets::scrolling_from(ui, area, height, |ui| said(ui, sheet));
}

/// What was said last, and what somebody has noted on the ply shown.
fn said(ui: &mut Ui, sheet: &Dialog<'_>) {
    ui.spacing_mut().item_spacing.y = 3.0;
    let last = sheet.said.len().saturating_sub(1);
    let start = sheet.said.len().saturating_sub(50);
    for (index, line) in sheet.said.iter().enumerate().skip(start) {
        widgets::wrapped(ui, line, SMALL, if index == last { INK } else { MUTED });
    }
    let comment = (sheet.comment)(sheet.shown);
    if !comment.is_empty() {
        widgets::wrapped(ui, &comment, SMALL, ACCENT);
    }
}
