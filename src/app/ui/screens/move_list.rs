//! The list of moves in the side panel: the game on the table, or a replay with its
//! variations. A click goes to a move; in a replay a right click or the key of a menu opens
//! what can be done with it.

use bevy::prelude::Resource;
use bevy_egui::egui::{Direction, Popup, style::ScrollAnimation};

use super::move_rows::{MAX_INDENT, MoveCell, MoveRow};
use crate::{
    app::ui::{
        prelude::*,
        widgets::{self, command::CommandUi},
    },
    records::{Annotation, Glyph, NodeId},
};

const ROW_HEIGHT: f32 = theme::space(7);
const ROW_GAP: f32 = 2.0;
/// How far each level of variations is indented, in points.
const INDENT: f32 = 12.0;
/// The least size that text is written in.
const MIN_TEXT_SIZE: f32 = 10.0;

/// What the list of moves remembers.
#[derive(Resource, Debug, Default)]
pub(crate) struct MoveList {
    /// Whether it is shown where there is room only for the board or the list.
    pub(crate) is_open: bool,
    /// What it was last scrolled to.
    scrolled_to: Option<(Option<NodeId>, usize)>,
    /// Whether the game was analysed in the last frame.
    was_analysed: bool,
}

impl MoveList {
    /// Closes the list when an analysis starts where there is little room, so
    /// that the analysis is seen.
    pub(crate) const fn close_for_analysis(&mut self, is_analysed: bool, is_tight: bool) {
        if is_tight && is_analysed && !self.was_analysed {
            self.is_open = false;
        }
        self.was_analysed = is_analysed;
    }
}

/// The list's content for one frame.
#[derive(Clone, Copy)]
pub(super) struct ListedMoves<'a> {
    pub(super) rows: &'a [MoveRow],
    pub(super) rules: RuleSet,
    /// How many plies are shown on the board.
    pub(super) current: usize,
    /// The sign of a mistake on the line that is shown, where it was analysed.
    pub(super) sign: &'a dyn Fn(usize) -> Option<&'static str>,
    /// What there is more in a replay.
    pub(super) replay: Option<ListedReplay<'a>>,
}

/// What the list shows of a replay.
#[derive(Clone, Copy)]
pub(super) struct ListedReplay<'a> {
    /// The node that is shown on the board.
    pub(super) current: NodeId,
    /// The nodes of the plies on the line that is shown.
    pub(super) on_line: &'a dyn Fn(usize) -> NodeId,
    /// What is written on the node that is shown.
    pub(super) note: &'a Annotation,
    /// Whether there are changes that are in no file.
    pub(super) is_unsaved: bool,
}

impl ListedMoves<'_> {
    /// Shows the rows; returns the ply of the game that was clicked. With `within` the whole
    /// panel scrolls, and the list has no scroll bar of its own.
    pub(super) fn show(
        &self,
        ui: &mut Ui,
        list: &mut MoveList,
        within: bool,
        commands: &mut CommandUi,
    ) -> Option<usize> {
        if self.rows.is_empty() {
            widgets::note(ui, tr("desk.no-move-yet"));
            return None;
        }
        ui.spacing_mut().item_spacing.y = ROW_GAP;
        ui.spacing_mut().interact_size.y = ROW_HEIGHT;
        // The row stays in view when the panel gets another size, too.
        let is_resized = is_resized(ui);
        let current = Some((self.replay.map(|replay| replay.current), self.current));
        let scrolls = list.scrolled_to != current || is_resized;
        list.scrolled_to = current;
        let (row, mut clicked) = (self.current_row(), None);
        if within {
            for index in 0..self.rows.len() {
                let shown = ui.scope(|ui| self.show_row(ui, index, commands));
                clicked = shown.inner.or(clicked);
                if scrolls && index == row {
                    let (rect, at_once) = (shown.response.rect, ScrollAnimation::none());
                    ui.scroll_to_rect_animation(rect, Some(Align::Center), at_once);
                }
            }
            return clicked;
        }
        let mut area = ScrollArea::vertical().id_salt("moves").auto_shrink([false, false]);
        if scrolls {
            let offset = offset_of(row, self.rows.len(), ui.available_height());
            area = area.vertical_scroll_offset(offset);
        }
        // The scroll bar stands in the panel's margin.
        let room = ui.available_rect_before_wrap();
        let with_bar = room.with_max_x(room.right() + theme::SCROLL_BAR);
        let mut inner = ui.new_child(UiBuilder::new().max_rect(with_bar));
        area.show_rows(&mut inner, ROW_HEIGHT, self.rows.len(), |ui, range| {
            ui.set_max_width(room.width());
            for index in range {
                clicked = self.show_row(ui, index, commands).or(clicked);
            }
        });
        ui.allocate_rect(room, Sense::hover());
        clicked
    }

    /// The row of what is shown on the board; the first before anything was played.
    fn current_row(&self) -> usize {
        let has_current = |row: &MoveRow| row.plies().any(|cell| self.is_current(cell));
        let row = self.rows.iter().position(has_current);
        row.unwrap_or(if self.current == 0 { 0 } else { self.rows.len().saturating_sub(1) })
    }

    fn is_current(&self, cell: &MoveCell) -> bool {
        match &self.replay {
            Some(replay) => cell.node == Some(replay.current),
            None => cell.ply == self.current,
        }
    }

    fn show_row(&self, ui: &mut Ui, index: usize, commands: &mut CommandUi) -> Option<usize> {
        let row = &self.rows[index];
        let mut clicked = None;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            #[expect(clippy::cast_precision_loss, reason = "a few levels")]
            let indent = row.level.min(MAX_INDENT) as f32 * INDENT;
            if indent > 0.0 {
                let (rect, _) = ui.allocate_exact_size(vec2(indent, ROW_HEIGHT), Sense::hover());
                let x = rect.right() - 2.0;
                let line = [pos2(x, rect.top()), pos2(x, rect.bottom())];
                ui.painter().line_segment(line, (1.0, MUTED));
            }
            if let Some((node, text)) = &row.comment {
                let font = FontId::proportional(SMALL);
                let label = Label::new(RichText::new(text).font(font).italics().color(MUTED));
                let label = label.wrap_mode(TextWrapMode::Truncate).sense(Sense::click());
                if ui.add(label).clicked() {
                    commands.requested.push(ReplayAction::GoTo(*node).into());
                }
                return;
            }
            let is_narrow = ui.available_width() < 262.0;
            // With sticks a row holds a throw and its move.
            let has_sticks = self.rules.has_sticks();
            let letters = if has_sticks && is_narrow { 1 } else { usize::MAX };
            let text: String = row.label.chars().take(letters).collect();
            label(ui, &text, label_width(has_sticks, is_narrow));
            if !row.passes.is_empty() {
                for cell in &row.passes {
                    let disc = cell.side.map(|side| theme::side_color(self.rules, side));
                    if self.show_cell(ui, row.level, (cell, disc), PASS_WIDTH, commands) {
                        clicked = Some(cell.ply);
                    }
                }
                label(ui, tr("desk.no-score"), ui.available_width());
                return;
            }
            let room = ui.available_width() - 4.0;
            let widths = if has_sticks {
                let throws = (room * 0.42).min(126.0);
                [throws, room - throws]
            } else {
                [room / 2.0; 2]
            };
            for (cell, width) in row.cells.iter().zip(widths) {
                match cell {
                    Some(cell) => {
                        if self.show_cell(ui, row.level, (cell, None), width, commands) {
                            clicked = Some(cell.ply);
                        }
                    }
                    None => _ = ui.allocate_exact_size(vec2(width, ROW_HEIGHT), Sense::hover()),
                }
            }
        });
        clicked
    }

    /// Shows a ply, a throw that brought nothing by the thrower's disc alone where it shares
    /// its row; whether one of the game on the table was clicked.
    fn show_cell(
        &self,
        ui: &mut Ui,
        level: usize,
        (cell, disc): (&MoveCell, Option<Color32>),
        width: f32,
        commands: &mut CommandUi,
    ) -> bool {
        let on_line = |replay: &ListedReplay| Some((replay.on_line)(cell.ply)) == cell.node;
        let is_on_line = self.replay.as_ref().is_none_or(on_line);
        let sign = if is_on_line { (self.sign)(cell.ply) } else { None };
        // Captures, pavilions and the end stand out; throws and other variations stand back.
        let color = match (sign, cell.stands_out) {
            (Some(_), _) => ERROR,
            (None, true) => ACCENT,
            (None, false) if cell.plain_sides.is_some() || level > 0 && !is_on_line => MUTED,
            (None, false) => TEXT,
        };
        let text = cell.text.clone() + sign.unwrap_or_default();
        let is_current = self.is_current(cell);
        let response = paint_cell(ui, (cell, disc), &text, color, is_current, width);
        let Some(node) = cell.node else { return response.clicked() };
        if response.clicked() || response.secondary_clicked() {
            commands.requested.push(ReplayAction::GoTo(node).into());
        }
        Popup::context_menu(&response).show(|ui| edit_menu(ui, commands));
        false
    }
}

impl ListedReplay<'_> {
    /// The buttons that annotate the move that is shown, and those that edit its line
    /// where there is something to edit: the menus have them all.
    pub(super) fn tools(&self, ui: &mut Ui, commands: &mut CommandUi) {
        let is_move = self.current != NodeId::ROOT;
        ui.spacing_mut().item_spacing = vec2(space(1), space(1));
        ui.add_space(space(1));
        ui.horizontal_wrapped(|ui| {
            // So narrow that the comment's button has room beside them.
            let beside = widgets::buttons_width(ui, &[&commands.text("comment")]);
            #[expect(clippy::cast_precision_loss, reason = "six glyphs")]
            let count = Glyph::WITH_SUFFIX.len() as f32;
            let room = (ui.available_width() - beside) / count;
            let width = (room - space(1)).clamp(MIN_GLYPH_WIDTH, MAX_GLYPH_WIDTH);
            ui.add_enabled_ui(is_move, |ui| {
                let chosen = |glyph| self.note.glyphs().any(|other| other == glyph);
                glyph_buttons(ui, width, &chosen, &mut commands.requested);
            });
            commands.button(ui, "comment");
            if commands.context.in_variation {
                commands.button(ui, "promote");
                commands.button(ui, "delete-from-here");
            }
            if self.is_unsaved {
                commands.button(ui, "save");
            }
        });
    }
}

/// A cell that can be clicked.
fn paint_cell(
    ui: &mut Ui,
    (cell, disc): (&MoveCell, Option<Color32>),
    text: &str,
    color: Color32,
    is_current: bool,
    width: f32,
) -> Response {
    let MoveCell { plain_sides: plain, comment, description, is_marked, .. } = cell;
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW_HEIGHT), Sense::click());
    response.widget_info(|| {
        let text = plain.map_or_else(|| text.to_owned(), |plain| format!("t{plain} · {text}"));
        let parts = [text.as_str(), comment.as_str()].into_iter().filter(|part| !part.is_empty());
        let label = parts.collect::<Vec<_>>().join(": ");
        WidgetInfo::selected(WidgetType::SelectableLabel, ui.is_enabled(), is_current, label)
    });
    if is_current {
        let edge = Stroke::new(1.0, ACCENT);
        ui.painter().rect(rect, 4.0, CARD_CHOSEN, edge, StrokeKind::Inside);
    } else if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4.0, CARD_HOVERED);
    }
    match (*plain, disc) {
        (_, Some(disc)) => _ = widgets::paint_disc(ui.painter(), rect.center(), 4.0, disc),
        (Some(plain), None) if width >= MIN_WIDTH_WITH_STICKS => {
            let corner = rect.left_center() + vec2(4.0, -STICKS_HEIGHT / 2.0);
            widgets::paint_casting_sticks(ui.painter(), corner, plain, STICKS_HEIGHT);
            let left = rect.left() + widgets::casting_sticks_width(STICKS_HEIGHT) + space(2);
            paint_fitting(ui, rect.with_min_x(left), text.to_owned(), color);
        }
        (Some(plain), None) if !cell.passes => {
            paint_fitting(ui, rect, format!("t{plain} {text}"), color);
        }
        _ => paint_fitting(ui, rect, text.to_owned(), color),
    }
    let mut tooltip = description.clone();
    if *is_marked {
        ui.painter().circle_filled(rect.right_center() - vec2(5.0, 0.0), 2.5, ACCENT);
    }
    if !comment.is_empty() {
        tooltip.push(comment.clone());
    }
    let tooltip = tooltip.join("\n");
    if tooltip.is_empty() { response } else { response.on_hover_text(tooltip) }
}

/// How wide a throw that brought nothing is where several share a row.
const PASS_WIDTH: f32 = space(5);

/// How wide the label of a row is.
const fn label_width(has_sticks: bool, narrow: bool) -> f32 {
    match (has_sticks, narrow) {
        (true, false) => 48.0,
        (false, false) => 34.0,
        (true, true) => 14.0,
        (false, true) => 26.0,
    }
}

/// The label at the begin of a row.
fn label(ui: &mut Ui, label: &str, width: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(width, ROW_HEIGHT), Sense::hover());
    let font = FontId::proportional(SMALL);
    ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, label, font, MUTED);
}

/// Whether the height changed since the last frame.
fn is_resized(ui: &Ui) -> bool {
    let (height, key) = (ui.available_height(), ui.id().with("moves-height"));
    let before = ui.data_mut(|data| {
        let before = data.get_temp::<f32>(key);
        data.insert_temp(key, height);
        before
    });
    before.is_none_or(|before| (before - height).abs() > 0.5)
}

/// How far to scroll for a row to stand in the middle, in points.
fn offset_of(row: usize, count: usize, height: f32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "rows of a game")]
    let (top, all) = (row as f32 * (ROW_HEIGHT + ROW_GAP), count as f32 * (ROW_HEIGHT + ROW_GAP));
    (top - (height - ROW_HEIGHT) / 2.0).clamp(0.0, (all - height).max(0.0))
}

/// Writes a text in one line, smaller where it is wider than its cell.
fn paint_fitting(ui: &Ui, cell: Rect, text: String, color: Color32) {
    let room = cell.shrink2(vec2(4.0, 0.0));
    let usual = theme::BODY;
    let painter = ui.painter_at(cell);
    let lay_out = |size| painter.layout_no_wrap(text.clone(), FontId::proportional(size), color);
    let mut galley = lay_out(usual);
    if galley.size().x > room.width() {
        let size = usual * room.width() / galley.size().x;
        galley = lay_out(size.max(MIN_TEXT_SIZE).floor());
    }
    let corner = room.left_center() - vec2(0.0, galley.size().y / 2.0);
    painter.galley(corner, galley, color);
}

/// Narrower cells have no room for sticks, and name the throw instead.
const MIN_WIDTH_WITH_STICKS: f32 = space(20);
/// How high the sticks of a throw are.
const STICKS_HEIGHT: f32 = 16.0;

/// What can be done with the move that is shown.
fn edit_menu(ui: &mut Ui, commands: &mut CommandUi) {
    ui.horizontal(|ui| glyph_buttons(ui, MAX_GLYPH_WIDTH, &|_| false, &mut commands.requested));
    for id in ["comment", "promote", "make-main", "clear-shapes", "delete-from-here"] {
        if commands.button(ui, id).clicked() {
            ui.close();
        }
    }
}

/// The least and the greatest width of a glyph's button; the least has room for "??".
const MIN_GLYPH_WIDTH: f32 = 18.0;
const MAX_GLYPH_WIDTH: f32 = space(9);

/// A button of this width for each glyph; those of the move are marked.
fn glyph_buttons(
    ui: &mut Ui,
    width: f32,
    is_chosen: &dyn Fn(Glyph) -> bool,
    actions: &mut Vec<Action>,
) {
    let size = vec2(width, ui.spacing().interact_size.y);
    let fill = Layout::centered_and_justified(Direction::TopDown);
    for glyph in Glyph::WITH_SUFFIX {
        let text = glyph.suffix().unwrap_or_default();
        let button = |ui: &mut Ui| {
            ui.spacing_mut().button_padding.x = 0.0;
            widgets::choice_button(ui, is_chosen(glyph), text)
        };
        let response = ui.allocate_ui_with_layout(size, fill, button).inner;
        widgets::set_accessible_label(&response, glyph_name(glyph));
        if response.on_hover_text(glyph_name(glyph)).clicked() {
            actions.push(ReplayAction::SetGlyph(Some(glyph.0)).into());
        }
    }
}

/// What a glyph says about a move.
fn glyph_name(glyph: Glyph) -> &'static str {
    match glyph.0 {
        1 => tr("line.good"),
        2 => tr("line.poor"),
        3 => tr("line.very-good"),
        4 => tr("line.very-poor"),
        5 => tr("line.speculative"),
        _ => tr("line.questionable"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_row_that_is_shown_is_scrolled_to_the_middle() {
        let row = ROW_HEIGHT + ROW_GAP;
        let height = 10.0 * row;
        assert_eq!(offset_of(0, 100, height), 0.0);
        assert_eq!(offset_of(99, 100, height), 90.0 * row);
        let middle = offset_of(50, 100, height);
        assert!((45.0..46.0).contains(&(middle / row)), "{middle}");
    }
}
