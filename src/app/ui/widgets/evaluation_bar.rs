//! The evaluation as a bar in the two sides' colours, and in words.

use bevy_egui::egui::{Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, vec2};

use crate::{
    app::{
        analysis::Evaluation,
        ui::{
            theme::{self, LINE},
            widgets,
        },
    },
    games::{RuleSet, Side},
    i18n::{localize_decimal, tr, tr_args},
    table::side_label,
};

/// The bar, with `…` while no value is known.
pub(crate) fn show(ui: &mut Ui, rules: RuleSet, value: Option<Evaluation>) {
    let text = value.map_or_else(|| "…".to_owned(), |value| self::text(rules, value));
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 14.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::ProgressIndicator, true, &text));
    let share = value.map_or(0.5, Evaluation::share);
    let middle = rect.left() + share * rect.width();
    let painter = ui.painter_at(rect);
    painter.rect_filled(
        Rect::from_min_max(rect.min, (middle, rect.bottom()).into()),
        3.0,
        theme::side_color(rules, Side::First),
    );
    painter.rect_filled(
        Rect::from_min_max((middle, rect.top()).into(), rect.max),
        3.0,
        theme::side_color(rules, Side::Second),
    );
    painter.rect_stroke(rect, 3.0, Stroke::new(1.0, LINE), StrokeKind::Inside);
    painter.vline(rect.center().x, rect.y_range(), Stroke::new(1.0, theme::ACCENT));
    widgets::note(ui, &text);
}

/// A value in words: who is ahead and by how much.
pub(crate) fn text(rules: RuleSet, value: Evaluation) -> String {
    match value {
        Evaluation::Points(points) if points.abs() < 15 => tr("desk.even").to_owned(),
        Evaluation::Points(points) => {
            let side = if points > 0 { Side::First } else { Side::Second };
            let ahead = localize_decimal(&format!("+{:.1}", f64::from(points.abs()) / 100.0));
            tr_args("desk.better", &[("side", side_label(rules, side)), ("points", &ahead)])
        }
        Evaluation::Wins(side, 0) => {
            tr_args("desk.side-wins", &[("side", side_label(rules, side))])
        }
        Evaluation::Wins(side, plies) => {
            let plies = plies.to_string();
            tr_args("desk.wins-in", &[("side", side_label(rules, side)), ("plies", &plies)])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_names_the_side_that_is_ahead() {
        let said = |value| text(RuleSet::TablutBerkeley, value);
        assert_eq!(said(Evaluation::Points(3)), "even");
        assert_eq!(said(Evaluation::Points(120)), "Black +1.2");
        assert_eq!(said(Evaluation::Points(-250)), "White +2.5");
        assert_eq!(said(Evaluation::Wins(Side::Second, 5)), "White wins in 5");
    }
}
