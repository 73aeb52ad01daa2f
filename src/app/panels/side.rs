//! The panel at the right: the game, who plays, how it stands, its moves, what
//! was said. The table and the replay share it.

use bevy_egui::egui::{Context, Grid, Label, Rect, RichText, ScrollArea, Ui, UiBuilder, vec2};

use super::{
    moves, theme,
    theme::{ACCENT, BODY, INK, LARGE, MUTED, SMALL},
    widgets,
};
use crate::{
    games::{AnyPosition, Line, Side},
    table::scores,
};

/// What the panel shows.
pub(super) struct Sheet<'a> {
    /// The game.
    pub(super) line: &'a Line<AnyPosition>,
    /// How many of its plies are listed.
    pub(super) listed: usize,
    /// How many of them have been shown on the board.
    pub(super) shown: usize,
    /// Who plays, by [`Side::index`].
    pub(super) players: [String; 2],
    /// Whose turn it is.
    pub(super) turn: Option<Side>,
    /// Whether an engine is thinking for that side.
    pub(super) thinking: bool,
    /// A line under the title.
    pub(super) subtitle: &'a str,
    /// A comment on the ply shown.
    pub(super) comment: Option<&'a str>,
    /// What was said, newest last.
    pub(super) said: &'a [String],
}

/// How wide the panel is in a window this wide.
pub(super) const fn width(window: f32) -> f32 {
    (window * 0.24).clamp(262.0, 340.0)
}

/// Shows the panel and returns the ply that was clicked.
pub(super) fn show(
    context: &Context,
    place: Rect,
    sheet: &Sheet<'_>,
    scrolled: &mut Option<usize>,
) -> Option<usize> {
    widgets::pane(context, "side", place, theme::pane(), |ui| {
        let rules = sheet.line.start().rules();
        widgets::one_line(ui, rules.title(), LARGE, ACCENT);
        if !sheet.subtitle.is_empty() {
            widgets::one_line(ui, sheet.subtitle, SMALL, MUTED).on_hover_text(sheet.subtitle);
        }
        players(ui, sheet);
        counts(ui, sheet);
        ui.separator();
        let said = if sheet.said.is_empty() && sheet.comment.is_none() { 0.0 } else { 128.0 };
        let room = ui.available_rect_before_wrap();
        let list = room.with_max_y((room.bottom() - said).max(room.top() + 60.0));
        let clicked = ui
            .scope_builder(UiBuilder::new().max_rect(list.shrink2(vec2(0.0, 2.0))), |ui| {
                moves::list(ui, sheet.line, sheet.listed, sheet.shown, scrolled)
            })
            .inner;
        if said > 0.0 {
            let below = room.with_min_y(list.bottom());
            ui.scope_builder(UiBuilder::new().max_rect(below), |ui| spoken(ui, sheet));
        }
        clicked
    })
}

fn players(ui: &mut Ui, sheet: &Sheet<'_>) {
    let rules = sheet.line.start().rules();
    ui.spacing_mut().interact_size.y = 20.0;
    for side in Side::BOTH {
        let on_turn = sheet.turn == Some(side);
        ui.horizontal(|ui| {
            widgets::disc(ui, theme::colour(rules, side), 8.0);
            let ink = if on_turn { ACCENT } else { INK };
            ui.label(RichText::new(rules.side_name(side)).size(BODY).color(ink));
            if on_turn && sheet.thinking {
                widgets::pondering(ui);
            }
            widgets::one_line(ui, &sheet.players[side.index()], BODY, MUTED);
        });
    }
}

fn counts(ui: &mut Ui, sheet: &Sheet<'_>) {
    let rules = sheet.line.start().rules();
    let Some(position) = sheet.line.at(sheet.shown) else { return };
    Grid::new("counts").num_columns(3).spacing(vec2(16.0, 2.0)).show(ui, |ui| {
        ui.label("");
        for side in Side::BOTH {
            ui.label(RichText::new(rules.side_name(side)).size(SMALL).color(MUTED));
        }
        ui.end_row();
        for (label, figures) in scores(position) {
            ui.label(RichText::new(label).size(SMALL).color(MUTED));
            for figure in figures {
                ui.label(RichText::new(figure).size(BODY).color(INK));
            }
            ui.end_row();
        }
    });
}

fn spoken(ui: &mut Ui, sheet: &Sheet<'_>) {
    ui.separator();
    ScrollArea::vertical().id_salt("said").auto_shrink([false, false]).stick_to_bottom(true).show(
        ui,
        |ui| {
            ui.spacing_mut().item_spacing.y = 3.0;
            let last = sheet.said.len().saturating_sub(1);
            let start = sheet.said.len().saturating_sub(50);
            for (index, line) in sheet.said.iter().enumerate().skip(start) {
                let ink = if index == last { INK } else { MUTED };
                ui.add(Label::new(RichText::new(line).size(SMALL).color(ink)).wrap());
            }
            if let Some(comment) = sheet.comment {
                ui.add(Label::new(RichText::new(comment).size(SMALL).color(ACCENT)).wrap());
            }
        },
    );
}
