//! One of several choices as segments of one control, side by side.

use super::labelled;
use crate::app::ui::prelude::*;

/// A choice: its text, and an explanation shown under the pointer.
pub(crate) type Segment<'a> = (&'a str, &'a str);

/// Shows the choices in the width that there is, in as many rows as they need;
/// screen readers hear `of` before each. Returns the choice that was clicked.
pub(crate) fn segmented(
    ui: &mut Ui,
    of: &str,
    chosen: Option<usize>,
    segments: &[Segment<'_>],
) -> Option<usize> {
    let font = theme::strong(ui.ctx(), SMALL);
    let width = |text: &str| {
        let galley = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), TEXT);
        galley.size().x + 2.0 * PADDING
    };
    let widths: Vec<f32> = segments.iter().map(|(text, _)| width(text)).collect();
    let room = ui.available_width();
    let rows = rows(&widths, room);
    let mut clicked = None;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(0.0, space(1));
        for row in rows {
            let (rect, _) = ui.allocate_exact_size(vec2(room, CONTROL_HEIGHT), Sense::hover());
            ui.painter().rect_filled(rect, CONTROL_RADIUS, CARD);
            let rects = spread(rect, &widths[row.clone()]);
            for (index, rect) in row.zip(rects) {
                let is_chosen = chosen == Some(index);
                if segment(ui, rect, of, is_chosen, segments[index], &font) {
                    clicked = Some(index);
                    // An idle table would not draw the choice.
                    ui.ctx().request_repaint();
                }
            }
            let line = Stroke::new(1.0, LINE);
            ui.painter().rect_stroke(rect, CONTROL_RADIUS, line, StrokeKind::Inside);
        }
    });
    clicked
}

/// A row that chooses a value: `of` before it, each choice with its name; all have the
/// same explanation under the pointer, if it is not empty.
pub(crate) fn choice_row<T: PartialEq>(
    ui: &mut Ui,
    of: &str,
    hint: &str,
    value: &mut T,
    choices: impl IntoIterator<Item = (T, impl AsRef<str>)>,
) {
    let mut choices: Vec<_> = choices.into_iter().collect();
    labelled(ui, of, |ui| {
        let segments: Vec<_> = choices.iter().map(|(_, name)| (name.as_ref(), hint)).collect();
        let chosen = choices.iter().position(|(choice, _)| choice == value);
        if let Some(index) = segmented(ui, of, chosen, &segments) {
            *value = choices.swap_remove(index).0;
        }
    });
}

/// The space at both sides of a text.
const PADDING: f32 = space(2);

/// Which choices stand in which row.
pub(crate) fn rows(widths: &[f32], room: f32) -> Vec<std::ops::Range<usize>> {
    let mut rows: Vec<std::ops::Range<usize>> = Vec::new();
    let mut used = 0.0;
    for (index, width) in widths.iter().enumerate() {
        match rows.last_mut() {
            Some(row) if used + width <= room => {
                row.end = index + 1;
                used += width;
            }
            _ => {
                rows.push(index..index + 1);
                used = *width;
            }
        }
    }
    rows
}

/// The same in as few rows, filled as evenly as can be.
pub(crate) fn even_rows(widths: &[f32], room: f32) -> Vec<std::ops::Range<usize>> {
    let count = rows(widths, room).len();
    let (mut too_narrow, mut enough) = (0.0, room);
    while enough - too_narrow > 1.0 {
        let middle = f32::midpoint(too_narrow, enough);
        if rows(widths, middle).len() == count {
            enough = middle;
        } else {
            too_narrow = middle;
        }
    }
    rows(widths, enough)
}

/// The place of each choice of a row: equally wide, or else each as wide as its
/// text and an equal share of what is left.
pub(crate) fn spread(row: Rect, widths: &[f32]) -> Vec<Rect> {
    #[expect(clippy::cast_precision_loss, reason = "a handful of choices")]
    let count = widths.len() as f32;
    let equal = row.width() / count;
    let is_equal = widths.iter().all(|width| *width <= equal);
    let share = (row.width() - widths.iter().sum::<f32>()) / count;
    let mut left = row.left();
    let place = |width: &f32| {
        let width = if is_equal { equal } else { width + share };
        let rect = Rect::from_min_max(pos2(left, row.top()), pos2(left + width, row.bottom()));
        left += width;
        rect
    };
    widths.iter().map(place).collect()
}

/// Shows one choice; whether it was clicked.
fn segment(
    ui: &Ui,
    rect: Rect,
    of: &str,
    is_chosen: bool,
    (text, hint): Segment<'_>,
    strong: &FontId,
) -> bool {
    let mut response = ui.interact(rect, ui.id().with((of, text)), Sense::click());
    let label = tr_args("keys.of", &[("command", of), ("key", text)]);
    let enabled = response.enabled();
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, enabled, is_chosen, &label));
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    let is_lit = response.hovered() || response.has_focus();
    let painter = ui.painter();
    if is_chosen {
        let edge = Stroke::new(1.5, ACCENT);
        painter.rect(rect, CONTROL_RADIUS, CARD_CHOSEN, edge, StrokeKind::Inside);
    } else if is_lit {
        painter.rect_filled(rect, CONTROL_RADIUS, CARD_HOVERED);
    }
    let color = if is_chosen || is_lit { TEXT } else { MUTED };
    let font = if is_chosen { strong.clone() } else { FontId::proportional(SMALL) };
    painter.text(rect.center(), Align2::CENTER_CENTER, text, font, color);
    if !hint.is_empty() {
        response = response.on_hover_text(hint);
    }
    response.on_hover_cursor(CursorIcon::PointingHand).clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_without_room_go_to_the_next_row() {
        assert_eq!(rows(&[40.0, 40.0, 40.0], 120.0), vec![0..3]);
        assert_eq!(rows(&[40.0, 40.0, 40.0], 100.0), vec![0..2, 2..3]);
        assert_eq!(rows(&[140.0, 40.0], 100.0), vec![0..1, 1..2], "wider than the room");
    }

    #[test]
    fn even_rows_leave_no_single_choice_in_the_last_row() {
        assert_eq!(even_rows(&[40.0, 40.0, 40.0, 20.0], 130.0), vec![0..2, 2..4]);
        assert_eq!(even_rows(&[40.0, 40.0], 130.0), vec![0..2]);
        assert_eq!(even_rows(&[140.0, 40.0], 100.0), vec![0..1, 1..2], "wider than the room");
        assert!(even_rows(&[], 100.0).is_empty());
    }

    #[test]
    fn choices_fill_their_row_and_have_room_for_their_texts() {
        let row = Rect::from_min_max(pos2(10.0, 0.0), pos2(130.0, 20.0));
        for widths in [[40.0, 20.0, 30.0], [80.0, 10.0, 20.0]] {
            let rects = spread(row, &widths);
            assert!((rects[0].left() - 10.0).abs() < 0.1 && (rects[2].right() - 130.0).abs() < 0.1);
            for (rect, width) in rects.iter().zip(widths) {
                assert!(rect.width() >= width, "{rects:?}");
            }
        }
    }
}
