//! Where there is little room: what was written about the ply that is shown,
//! and how the game ended, above the board.

use bevy_egui::egui::{Align2, Context, FontId, Margin, Rect, vec2};

use crate::app::ui::{
    theme::{self, ACCENT, SMALL},
    widgets,
};

/// What is left free above and below it.
const AIR: f32 = 6.0;
/// Its inner margin.
const MARGIN: (i8, i8) = (10, 5);
/// The share of the room above the bars that it may take; longer words are
/// scrolled.
const SHARE: f32 = 0.25;
/// The height of its words at most.
const MOST: f32 = 56.0;

/// The room that these words need at the top of `place`, in points; nothing
/// for none.
pub(crate) fn height(context: &Context, place: Rect, words: &str) -> f32 {
    if words.is_empty() {
        return 0.0;
    }
    let margin = theme::dialog_frame().inner_margin(margin()).total_margin().sum();
    let width = place.width() - 2.0 * AIR - margin.x;
    let words = words.to_owned();
    let font = FontId::proportional(SMALL);
    let high = context.fonts_mut(|fonts| fonts.layout(words, font, ACCENT, width).size().y);
    high.min(most(place)) + margin.y + 2.0 * AIR
}

/// Shows the words at the top of `place`.
pub(crate) fn show(context: &Context, place: Rect, words: &str) {
    if words.is_empty() {
        return;
    }
    // Held at its corner it stands right in the frame in which its width changes.
    let corner = place.left_top() + vec2(AIR, AIR);
    let frame = theme::dialog_frame().inner_margin(margin());
    let width = place.width() - 2.0 * AIR;
    widgets::floating_panel(context, "caption", corner, Align2::LEFT_TOP, width, frame, |ui| {
        widgets::scroll_area(ui, "caption", most(place), |ui| {
            widgets::wrapped(ui, words, SMALL, ACCENT);
        });
    });
}

const fn margin() -> Margin {
    Margin::symmetric(MARGIN.0, MARGIN.1)
}

fn most(place: Rect) -> f32 {
    (place.height() * SHARE).min(MOST)
}
