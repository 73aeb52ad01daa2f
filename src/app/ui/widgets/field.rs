//! A choice as a button, its name small above what is chosen, and the list that it opens.

use bevy_egui::egui::{Popup, PopupCloseBehavior};

use super::text_width;
use crate::app::ui::{prelude::*, theme::PRIMARY_HEIGHT};

/// The space at the left and the right of the texts.
const PADDING: f32 = space(3);
/// The room of the arrow at the right.
const ARROW_ROOM: f32 = space(5);

/// How wide a field has to be for its texts.
pub(crate) fn field_width(ui: &Ui, name: &str, value: &str) -> f32 {
    let value = ui.painter().layout_no_wrap(value.to_owned(), theme::strong(ui.ctx(), BODY), TEXT);
    text_width(ui, name, LABEL).max(value.size().x) + 2.0 * PADDING + ARROW_ROOM
}

/// A choice as a button: `name` above, `value` below, cut where it is too long.
pub(crate) fn field(ui: &mut Ui, width: f32, name: &str, value: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, PRIMARY_HEIGHT), Sense::click());
    let label = tr_args("keys.of", &[("command", name), ("key", value)]);
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, enabled, &label));
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    let is_lit = response.hovered() || response.has_focus();
    let (fill, edge) = if is_lit { (CARD_HOVERED, ACCENT) } else { (CARD, LINE) };
    let painter = ui.painter();
    painter.rect(rect, CONTROL_RADIUS, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    let room = width - 2.0 * PADDING - ARROW_ROOM;
    let left = rect.left() + PADDING;
    let lines = [
        (name, FontId::proportional(LABEL), FAINT, rect.top() + space(2)),
        (value, theme::strong(ui.ctx(), BODY), TEXT, rect.center().y - 1.0),
    ];
    for (text, font, color, top) in lines {
        let mut line = LayoutJob::simple_singleline(text.to_owned(), font, color);
        line.wrap.max_width = room;
        line.wrap.max_rows = 1;
        line.wrap.break_anywhere = true;
        painter.galley(pos2(left, top), painter.layout_job(line), color);
    }
    let tip = pos2(rect.right() - PADDING - 4.0, rect.center().y + 3.0);
    let arrow = vec![tip, tip + vec2(-5.0, -6.0), tip + vec2(5.0, -6.0)];
    painter.add(Shape::convex_polygon(arrow, MUTED, Stroke::NONE));
    response.on_hover_cursor(CursorIcon::PointingHand)
}

/// A row of a list: a name, what it means, and a figure at the right. The last two may be
/// empty.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) note: String,
    pub(crate) figure: String,
}

impl Entry {
    pub(crate) fn new(name: impl Into<String>, note: impl Into<String>) -> Self {
        Self { name: name.into(), note: note.into(), figure: String::new() }
    }
}

/// The list that a field opens, as wide as this at most; `heading` stands above the rows if
/// it is not empty. Screen readers hear `of` before each row. Returns the row that was
/// chosen.
pub(crate) fn list(
    field: &Response,
    width: f32,
    of: &str,
    heading: &str,
    chosen: Option<usize>,
    entries: &[Entry],
) -> Option<usize> {
    let window = field.ctx.content_rect().size();
    let popup = Popup::from_toggle_button_response(field)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .width(width.min(window.x - space(6)));
    let has_opened = field.clicked();
    let shown = popup.show(|ui| {
        ui.set_width(width.min(window.x - space(8)));
        // Else it is only as high as egui's areas begin.
        ui.set_max_height(window.y - space(8));
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        ScrollArea::vertical().max_height(window.y - space(8)).show(ui, |ui| {
            if !heading.is_empty() {
                super::note(ui, heading);
                ui.add_space(space(1));
            }
            let clicked = rows(ui, of, chosen, entries, has_opened);
            if clicked.is_some() {
                ui.close();
            }
            clicked
        })
    });
    shown.and_then(|shown| shown.inner.inner)
}

/// How high a row of a list is: in a window of 1280x720, the longest list leaves the
/// title's text free.
const ROW_HEIGHT: f32 = space(6);

fn rows(
    ui: &mut Ui,
    of: &str,
    chosen: Option<usize>,
    entries: &[Entry],
    takes_focus: bool,
) -> Option<usize> {
    let widest = |text: fn(&Entry) -> &str, size: f32| {
        entries.iter().map(|entry| text_width(ui, text(entry), size)).fold(0.0, f32::max)
    };
    let name_room = widest(|entry| &entry.name, BODY) + space(4);
    let figure_room = widest(|entry| &entry.figure, SMALL) + space(2);
    let note_room = widest(|entry| &entry.note, SMALL);
    let has_notes = name_room + note_room + figure_room + space(4) <= ui.available_width();
    let mut clicked = None;
    for (index, entry) in entries.iter().enumerate() {
        let size = vec2(ui.available_width(), ROW_HEIGHT);
        let (rect, mut response) = ui.allocate_exact_size(size, Sense::click());
        let is_chosen = chosen == Some(index);
        let label = tr_args("keys.of", &[("command", of), ("key", &entry.name)]);
        response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, is_chosen, &label));
        if response.gained_focus() {
            response.scroll_to_me(None);
        }
        if takes_focus && (is_chosen || (chosen.is_none() && index == 0)) {
            response.request_focus();
            response.scroll_to_me(None);
        }
        let is_lit = response.hovered() || response.has_focus();
        let fill = match (is_chosen, is_lit) {
            (true, _) => CARD_CHOSEN,
            (false, true) => CARD_HOVERED,
            (false, false) => theme::GROUND,
        };
        let painter = ui.painter();
        painter.rect_filled(rect, CONTROL_RADIUS / 2, fill);
        let left = rect.left_center() + vec2(space(2), 0.0);
        let color = if is_chosen { ACCENT } else { TEXT };
        painter.text(left, Align2::LEFT_CENTER, &entry.name, FontId::proportional(BODY), color);
        let small = FontId::proportional(SMALL);
        if has_notes {
            let place = left + vec2(name_room, 0.0);
            painter.text(place, Align2::LEFT_CENTER, &entry.note, small.clone(), MUTED);
        } else if !entry.note.is_empty() {
            response = response.on_hover_text(&entry.note);
        }
        let right = rect.right_center() - vec2(space(2), 0.0);
        painter.text(right, Align2::RIGHT_CENTER, &entry.figure, small, FAINT);
        if response.on_hover_cursor(CursorIcon::PointingHand).clicked() {
            clicked = Some(index);
            // An idle table would not draw the choice.
            ui.ctx().request_repaint();
        }
    }
    clicked
}

/// How wide a list with notes may be.
pub(crate) const LIST_WIDTH: f32 = space(145);
