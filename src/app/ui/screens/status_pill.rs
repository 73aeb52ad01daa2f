//! The pill over the board: whose turn it is, and what to do.

use bevy_egui::egui::{TextFormat, text::TextWrapping};

use super::toolbar::Status;
use crate::app::ui::{prelude::*, theme::PILL_RADIUS, widgets};

/// How much height the pill takes over the board.
pub(crate) const HEIGHT: f32 = space(13);
/// The space around it.
const MARGIN: f32 = space(1);
/// The space before and after its text.
const PADDING: f32 = space(4);
/// The radius of the disc before its text.
const DISC: f32 = space(2);

/// How much height the score of a match takes.
pub(super) const SCORE_HEIGHT: f32 = space(8);

/// Shows the score of a match in the middle of `strip`.
pub(super) fn show_score(context: &Context, strip: Rect, score: &str) {
    let most = strip.width() - 2.0 * (MARGIN + PADDING);
    let painter = context.layer_painter(LayerId::background());
    let galley = painter.layout_no_wrap(score.to_owned(), theme::strong(context, SMALL), TEXT);
    let size = vec2(galley.size().x.min(most).ceil() + 2.0 * PADDING + 2.0, SCORE_HEIGHT - MARGIN);
    let rect = Rect::from_center_size(strip.center(), size);
    let frame = theme::panel_frame()
        .corner_radius(PILL_RADIUS)
        .stroke(Stroke::new(1.0, LINE))
        .inner_margin(Margin::ZERO);
    widgets::panel(context, "score", rect, frame, |ui| {
        ui.horizontal_centered(|ui| {
            ui.add_space(PADDING);
            ui.spacing_mut().item_spacing.x = 0.0;
            widgets::one_line(ui, score, SMALL, TEXT);
        });
    });
}

/// Shows it in the middle of the upper edge of `scene`.
pub(super) fn show(context: &Context, scene: Rect, rules: RuleSet, status: &Status<'_>) {
    let disc = if status.turn.is_some() { 2.0 * DISC + 2.0 + space(2) } else { 0.0 };
    let around = 2.0 * PADDING + disc;
    let most = scene.width() - 2.0 * MARGIN - around;
    let painter = context.layer_painter(LayerId::background());
    // Where one line has no room, two smaller ones have.
    let sizes = [LARGE, BODY, SMALL];
    let galleys = sizes.map(|size| painter.layout_job(job(context, status, size, f32::INFINITY)));
    let fits = galleys.iter().position(|galley| galley.size().x <= most);
    let (size, text) = match fits {
        Some(index) => (sizes[index], galleys[index].size()),
        None => (SMALL, painter.layout_job(job(context, status, SMALL, most)).size()),
    };
    let height = (text.y + space(3)).clamp(space(10), HEIGHT - 2.0 * MARGIN);
    let rect = Rect::from_center_size(
        pos2(scene.center().x, scene.top() + HEIGHT / 2.0),
        vec2(text.x.ceil() + 1.0 + around, height),
    );
    let frame = theme::panel_frame()
        .corner_radius(PILL_RADIUS)
        .stroke(Stroke::new(1.0, LINE))
        .inner_margin(Margin::ZERO);
    widgets::panel(context, "bar", rect, frame, |ui| content(ui, rules, status, size, most));
}

fn content(ui: &mut Ui, rules: RuleSet, status: &Status<'_>, size: f32, most: f32) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = space(2);
        ui.add_space(PADDING);
        if let Some(side) = status.turn {
            widgets::disc(ui, theme::side_color(rules, side), DISC);
        }
        let job = job(ui.ctx(), status, size, most + 1.0);
        let label = ui.add(Label::new(job).wrap());
        widgets::say_when_changed(&label);
    });
}

/// The text: what comes first stands out.
fn job(context: &Context, status: &Status<'_>, size: f32, width: f32) -> LayoutJob {
    let color = if status.awaits_player { ACCENT } else { TEXT };
    let end = status.text.find(": ").map_or(status.text.len(), |at| at + 1);
    let (first, rest) = status.text.split_at(end);
    let mut job = LayoutJob::default();
    job.append(first, 0.0, TextFormat::simple(theme::strong(context, size), color));
    job.append(rest, 0.0, TextFormat::simple(FontId::proportional(size), MUTED));
    job.wrap = TextWrapping { max_width: width, ..TextWrapping::default() };
    job
}
