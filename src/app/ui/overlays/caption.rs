//! Where there is little room: the comment on the ply that is shown,
//! and how the game ended, above the board.

use crate::app::ui::{prelude::*, widgets};

/// The space around it.
const OUTER_MARGIN: f32 = 6.0;
/// Its inner margin.
const INNER_MARGIN: (i8, i8) = (10, 5);
/// The share of the height above the bars that it may take; a longer text is
/// scrolled.
const MAX_HEIGHT_SHARE: f32 = 0.25;
/// The largest height of its text.
const MAX_TEXT_HEIGHT: f32 = 56.0;

/// The height that this text needs at the top of `rect`, in points; 0
/// if it is empty.
pub(crate) fn height(context: &Context, rect: Rect, text: &str) -> f32 {
    if text.is_empty() {
        return 0.0;
    }
    let margin = theme::dialog_frame().inner_margin(margin()).total_margin().sum();
    let width = rect.width() - 2.0 * OUTER_MARGIN - margin.x;
    let text = text.to_owned();
    let font = FontId::proportional(SMALL);
    let height = context.fonts_mut(|fonts| fonts.layout(text, font, ACCENT, width).size().y);
    height.min(max_text_height(rect)) + margin.y + 2.0 * OUTER_MARGIN
}

/// Shows the text at the top of `rect`.
pub(crate) fn show(context: &Context, rect: Rect, text: &str) {
    if text.is_empty() {
        return;
    }
    // Held at its corner it stands right in the frame in which its width changes.
    let corner = rect.left_top() + vec2(OUTER_MARGIN, OUTER_MARGIN);
    let frame = theme::dialog_frame().inner_margin(margin());
    let width = rect.width() - 2.0 * OUTER_MARGIN;
    widgets::floating_panel(context, "caption", corner, Align2::LEFT_TOP, width, frame, |ui| {
        widgets::scroll_area(ui, "caption", max_text_height(rect), |ui| {
            widgets::wrapped(ui, text, SMALL, ACCENT);
        });
    });
}

const fn margin() -> Margin {
    Margin::symmetric(INNER_MARGIN.0, INNER_MARGIN.1)
}

fn max_text_height(rect: Rect) -> f32 {
    (rect.height() * MAX_HEIGHT_SHARE).min(MAX_TEXT_HEIGHT)
}
