//! The panel at the right of the table and the replay: the players, the count,
//! the moves, what was announced.

use bevy_egui::egui::{
    Align, Context, Grid, Layout, Rect, RichText, ScrollArea, Ui, UiBuilder, vec2,
};

use super::{
    clocks,
    move_list::{self, MoveList},
    toolbar,
};
use crate::{
    app::{
        analysis::{Analysis, Evaluation},
        ui::{
            theme::{self, ACCENT, BODY, ERROR, LARGE, MUTED, SMALL, TEXT},
            widgets::{self, evaluation_bar},
        },
    },
    games::{AnyPosition, GameHistory, Side, Square},
    i18n::{tr, tr_args},
    table::{describe_square, rules_label, scores, side_label, threats, warning},
};

/// What the panel shows.
pub(super) struct Game<'a> {
    /// The game.
    pub(super) history: &'a GameHistory<AnyPosition>,
    /// How many of its plies are listed.
    pub(super) listed: usize,
    /// How many of them are shown on the board.
    pub(super) current: usize,
    /// Who plays, by [`Side::index`].
    pub(super) players: [String; 2],
    /// Whose turn it is.
    pub(super) turn: Option<Side>,
    /// The clocks, where they play with clocks.
    pub(super) clocks: Option<clocks::Clocks>,
    /// Whether an engine is thinking for that side.
    pub(super) thinking: bool,
    /// A line under the title.
    pub(super) subtitle: &'a str,
    /// The comment on a ply; empty for none.
    pub(super) comment: &'a dyn Fn(usize) -> String,
    /// What was announced, newest last.
    pub(super) announced: &'a [String],
    /// The square under the keyboard's cursor.
    pub(super) cursor: Option<Square>,
    /// The result, where the last position is shown.
    pub(super) result: Option<Evaluation>,
    /// Hints, threats and evaluations.
    pub(super) analysis: &'a Analysis,
}

/// How wide the panel is in a window this wide.
pub(super) const fn width(window: f32) -> f32 {
    // Beside a board that has little room itself.
    let least = if toolbar::is_tight(window) { 208.0 } else { 262.0 };
    (window * 0.24).clamp(least, 340.0)
}

/// Shows the panel and returns the ply that was clicked.
pub(super) fn show(
    context: &Context,
    rect: Rect,
    game: &Game<'_>,
    list: &mut MoveList,
) -> Option<usize> {
    widgets::panel(context, "side", rect, theme::panel_frame(), |ui| {
        let rules = game.history.start().rules();
        let is_narrow = ui.available_width() < 220.0;
        if is_narrow {
            return scrolled(ui, game, list, true);
        }
        widgets::one_line(ui, rules_label(rules), LARGE, ACCENT);
        if !game.subtitle.is_empty() {
            widgets::one_line(ui, game.subtitle, SMALL, MUTED);
        }
        players(ui, game);
        if ui.available_height() < MIN_HEIGHT {
            return scrolled(ui, game, list, false);
        }
        counts(ui, game);
        analysis(ui, game);
        ui.separator();
        moves_and_announcements(ui, game, list)
    })
}

/// With less height than this the panel scrolls as a whole.
const MIN_HEIGHT: f32 = 260.0;

/// The whole panel scrolled, the moves in sight first.
fn scrolled(
    ui: &mut Ui,
    game: &Game<'_>,
    list: &mut MoveList,
    with_players: bool,
) -> Option<usize> {
    let height = ui.available_height();
    widgets::scroll_area(ui, "side-scroll", height, |ui| {
        let clicked = moves(ui, game, height - 26.0, list, true);
        ui.separator();
        if with_players {
            players(ui, game);
        }
        counts(ui, game);
        analysis(ui, game);
        announcements(ui, game);
        clicked
    })
}

/// The moves, and below them what was announced.
fn moves_and_announcements(ui: &mut Ui, game: &Game<'_>, list: &mut MoveList) -> Option<usize> {
    let room = ui.available_rect_before_wrap();
    let is_silent = game.announced.is_empty() && (game.comment)(game.current).is_empty();
    let below = if is_silent { 0.0 } else { (room.height() * 0.36).min(128.0) };
    let above = room.with_max_y(room.bottom() - below);
    let clicked = moves(ui, game, above.height(), list, false);
    if !is_silent {
        let below = room.with_min_y(above.bottom());
        ui.scope_builder(UiBuilder::new().max_rect(below), |ui| {
            ui.separator();
            let area = ScrollArea::vertical().id_salt("said").stick_to_bottom(true);
            let height = ui.available_height();
            widgets::scroll_area_from(ui, area, height, |ui| announcements(ui, game));
        });
    }
    clicked
}

/// The moves, in so much height; with `within` in as much as they need, where
/// the panel scrolls as a whole.
fn moves(
    ui: &mut Ui,
    game: &Game<'_>,
    height: f32,
    list: &mut MoveList,
    within: bool,
) -> Option<usize> {
    let rect = ui.available_rect_before_wrap();
    let rect = rect.with_max_y(rect.top() + height);
    ui.scope_builder(UiBuilder::new().max_rect(rect.shrink2(vec2(0.0, 2.0))), |ui| {
        let analysis = game.analysis;
        let mut mistakes =
            if analysis.enabled { analysis.mistakes(game.history) } else { Vec::new() };
        mistakes.retain(|mistake| mistake.ply <= game.listed);
        let listed = move_list::ListedGame {
            history: game.history,
            plies: game.listed,
            current: game.current,
            mistakes: &mistakes,
            comment: game.comment,
        };
        move_list::show(ui, &listed, list, within)
    })
    .inner
}

fn players(ui: &mut Ui, game: &Game<'_>) {
    let rules = game.history.start().rules();
    ui.spacing_mut().interact_size.y = 20.0;
    for side in Side::BOTH {
        let is_to_move = game.turn == Some(side);
        ui.horizontal(|ui| {
            widgets::disc(ui, theme::side_color(rules, side), 8.0);
            let color = if is_to_move { ACCENT } else { TEXT };
            ui.label(RichText::new(side_label(rules, side)).size(BODY).color(color));
            if is_to_move && game.thinking {
                widgets::thinking_dots(ui);
            }
            let name = game.players[side.index()].as_str();
            let Some(clocks) = &game.clocks else {
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

fn counts(ui: &mut Ui, game: &Game<'_>) {
    let rules = game.history.start().rules();
    let Some(position) = game.history.at(game.current) else { return };
    let gap = if ui.available_width() < 220.0 { 9.0 } else { 16.0 };
    Grid::new("counts").num_columns(3).spacing(vec2(gap, 2.0)).show(ui, |ui| {
        ui.label("");
        for side in Side::BOTH {
            ui.label(RichText::new(side_label(rules, side)).size(SMALL).color(MUTED));
        }
        ui.end_row();
        for (label, counts) in scores(game.history.start(), position) {
            ui.label(RichText::new(label).size(SMALL).color(MUTED));
            for count in counts {
                ui.label(RichText::new(count).size(BODY).color(TEXT));
            }
            ui.end_row();
        }
    });
}

/// Warnings, and what was asked for: the evaluation, a hint, threats.
fn analysis(ui: &mut Ui, game: &Game<'_>) {
    let Some(position) = game.history.at(game.current) else { return };
    let rules = position.rules();
    let line = |ui: &mut Ui, text: &str, color| {
        widgets::wrapped(ui, text, SMALL, color);
    };
    if let Some(square) = game.cursor {
        line(ui, &describe_square(position, square), TEXT);
    }
    if let Some(warning) = warning(position) {
        line(ui, warning, ERROR);
    }
    if game.analysis.show_evaluation {
        let value = game.result.or_else(|| game.analysis.value_at(game.history, game.current));
        evaluation_bar::show(ui, rules, value);
    }
    // After a resignation the position alone would go on.
    if game.result.is_some() {
        return;
    }
    if game.analysis.hint_pending {
        line(ui, tr("desk.hint-waits"), MUTED);
    } else if let Some(hint) = game.analysis.hint_for(position) {
        let written = crate::games::Game::notation(position, hint);
        line(ui, &tr_args("desk.hint-is", &[("move", &written)]), ACCENT);
    } else if let Some(text) = first_half_of_hint(game.analysis, position) {
        line(ui, &text, ACCENT);
    }
    if game.analysis.show_threats {
        for text in threat_texts(position) {
            line(ui, &text, TEXT);
        }
    }
}

/// Which piece the hint moves, or in Tablaaza which column it is in.
fn first_half_of_hint(analysis: &Analysis, position: &AnyPosition) -> Option<String> {
    let squares = analysis.hinted_piece(position);
    let first = squares.first()?.to_string();
    Some(match position {
        AnyPosition::Tablaaza(_) => {
            let column: String = first.chars().take_while(|it| it.is_alphabetic()).collect();
            tr_args("tutor.hint-column", &[("column", &column)])
        }
        AnyPosition::Tablut(_) | AnyPosition::Tablan(_) => {
            let names: Vec<String> = squares.iter().map(ToString::to_string).collect();
            tr_args("tutor.hint-piece", &[("squares", &names.join(" "))])
        }
    })
}

/// The threats in words, for screen readers.
fn threat_texts(position: &AnyPosition) -> Vec<String> {
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

/// What was announced last, and the comment on the ply shown.
fn announcements(ui: &mut Ui, game: &Game<'_>) {
    ui.spacing_mut().item_spacing.y = 3.0;
    let last = game.announced.len().saturating_sub(1);
    let start = game.announced.len().saturating_sub(50);
    for (index, line) in game.announced.iter().enumerate().skip(start) {
        widgets::wrapped(ui, line, SMALL, if index == last { TEXT } else { MUTED });
    }
    let comment = (game.comment)(game.current);
    if !comment.is_empty() {
        widgets::wrapped(ui, &comment, SMALL, ACCENT);
    }
}
