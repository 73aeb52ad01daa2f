//! The evaluation as a bar in the two sides' colours, and in words.

use crate::app::ui::{prelude::*, widgets};

/// The bar, with `…` while no value is known; `is_old` marks the value of an earlier
/// position.
pub(crate) fn show(ui: &mut Ui, rules: RuleSet, value: Option<Evaluation>, is_old: bool) {
    let text = aged_text(rules, value, is_old);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 14.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::ProgressIndicator, true, &text));
    let share = value.map_or(0.5, |value| value.share(rules.game()));
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

/// How much width the bar beside the board takes.
pub(crate) const WIDTH: f32 = space(11);

/// A slim bar at the left of the board, the share of the side `near` at its foot. The
/// figure stands at the end of the side that is ahead.
pub(crate) fn show_beside(
    context: &Context,
    rect: Rect,
    rules: RuleSet,
    near: Side,
    value: Option<Evaluation>,
    is_old: bool,
) {
    let text = aged_text(rules, value, is_old);
    widgets::panel(context, "evaluation", rect, Frame::new(), |ui| {
        let (rect, response) = ui.allocate_exact_size(rect.size(), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(WidgetType::ProgressIndicator, true, &text));
        response.on_hover_text(&text);
        let inner = rect.shrink2(vec2(0.0, space(4)));
        let bar = Rect::from_center_size(
            inner.center(),
            vec2(space(3), (inner.height() - 2.0 * FIGURE_HEIGHT).max(0.0)),
        );
        let share = value.map_or(0.5, |value| value.share(rules.game()));
        let of_near = if near == Side::First { share } else { 1.0 - share };
        let middle = egui::lerp(bar.bottom()..=bar.top(), of_near);
        let painter = ui.painter_at(rect);
        let far = theme::side_color(rules, near.other());
        painter.rect_filled(bar.with_max_y(middle), BAR_RADIUS, far);
        let color = theme::side_color(rules, near);
        painter.rect_filled(bar.with_min_y(middle), BAR_RADIUS, color);
        painter.rect_stroke(bar, BAR_RADIUS, Stroke::new(1.0, MUTED), StrokeKind::Outside);
        painter.hline(bar.x_range(), bar.center().y, Stroke::new(1.0, theme::ACCENT));
        let (y, align) = if value.and_then(|value| leader(rules, value)) == Some(near.other()) {
            (inner.top(), Align2::CENTER_TOP)
        } else {
            (inner.bottom(), Align2::CENTER_BOTTOM)
        };
        // The value of an earlier position stands back.
        let (figure, color) = (figure(rules, value), if is_old { FAINT } else { TEXT });
        // On the table alone it could not be read.
        let figure = painter.layout_no_wrap(figure, FontId::proportional(LABEL), color);
        let place = align.anchor_size(pos2(rect.center().x, y), figure.size());
        painter.rect_filled(place.expand2(vec2(FIGURE_MARGIN, 1.0)), BAR_RADIUS, GROUND);
        painter.galley(place.min, figure, color);
    });
}

/// The room for the figure at each end of the bar.
const FIGURE_HEIGHT: f32 = space(6);
/// The ground beside the figure.
const FIGURE_MARGIN: f32 = 3.0;
/// The corners of the bar.
const BAR_RADIUS: f32 = 3.0;

/// A value in words, `…` for none, and whether it is that of an earlier position.
fn aged_text(rules: RuleSet, value: Option<Evaluation>, is_old: bool) -> String {
    match value {
        None => "…".to_owned(),
        Some(value) if is_old => tr_args("desk.old-value", &[("value", &text(rules, value))]),
        Some(value) => text(rules, value),
    }
}

/// A value as a short figure, as the first side sees it: `+` where it is ahead, `-` where
/// the second side is, and `#` with the number of moves where one wins.
pub(crate) fn figure(rules: RuleSet, value: Option<Evaluation>) -> String {
    match value {
        None => "…".to_owned(),
        Some(value @ Evaluation::Points(points)) => match leader(rules, value) {
            Some(_) => advantage(rules, points),
            None => localize_decimal(&format!("{:.*}", decimals(rules), 0.0)),
        },
        Some(Evaluation::Wins(_, 0)) => "#".to_owned(),
        Some(Evaluation::Wins(side, plies)) => {
            let sign = if side == Side::First { "" } else { "-" };
            format!("#{sign}{}", plies.div_ceil(2))
        }
    }
}

/// The decimals of a figure: equity has two, pieces have one.
fn decimals(rules: RuleSet) -> usize {
    if rules.game() == GameKind::Tablan { 2 } else { 1 }
}

/// An advantage in pieces, in Tablan in equity, with its sign.
pub(crate) fn advantage(rules: RuleSet, points: i32) -> String {
    localize_decimal(&format!("{:+.*}", decimals(rules), f64::from(points) / 100.0))
}

/// The side that is ahead; none where both are nearly even.
pub(crate) fn leader(rules: RuleSet, value: Evaluation) -> Option<Side> {
    let even = if rules.game() == GameKind::Tablan { EVEN_EQUITY } else { EVEN_PIECES };
    match value {
        Evaluation::Points(points) if points.abs() < even => None,
        Evaluation::Points(points) => Some(if points > 0 { Side::First } else { Side::Second }),
        Evaluation::Wins(side, _) => Some(side),
    }
}

/// With less of an advantage (in hundredths of a piece), neither side is ahead.
const EVEN_PIECES: i32 = 15;
/// The same in hundredths of equity, in Tablan.
const EVEN_EQUITY: i32 = 3;

/// A value in words: who is ahead, and the figure.
pub(crate) fn text(rules: RuleSet, value: Evaluation) -> String {
    match value {
        Evaluation::Points(_) if leader(rules, value).is_none() => tr("desk.even").to_owned(),
        Evaluation::Points(points) => {
            let side = if points > 0 { Side::First } else { Side::Second };
            // The words name the side, so the number needs no sign.
            let points = advantage(rules, points.saturating_abs()).replacen('+', "", 1);
            let key = match rules.game() {
                GameKind::Tablut => "desk.better-soldiers",
                GameKind::Tablan => "desk.better",
                GameKind::Tablaaza => "desk.better-squares",
            };
            tr_args(key, &[("side", side_label(rules, side)), ("points", &points)])
        }
        Evaluation::Wins(side, 0) => {
            tr_args("desk.side-wins", &[("side", side_label(rules, side))])
        }
        Evaluation::Wins(side, plies) => {
            let moves = plies.div_ceil(2);
            let key = if moves == 1 { "desk.wins-in-one" } else { "desk.wins-in" };
            tr_args(key, &[("side", side_label(rules, side)), ("moves", &moves.to_string())])
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
        assert_eq!(said(Evaluation::Points(120)), "Black ahead by 1.2 soldiers");
        assert_eq!(said(Evaluation::Points(-250)), "White ahead by 2.5 soldiers");
        assert_eq!(said(Evaluation::Wins(Side::Second, 5)), "White wins in 3 moves");
        assert_eq!(said(Evaluation::Wins(Side::Second, 1)), "White wins in one move");
        let said = |value| text(RuleSet::Tablan, value);
        assert_eq!(said(Evaluation::Points(2)), "even");
        assert_eq!(said(Evaluation::Points(7)), "South ahead by 0.07", "equity");
        let figure = |points| figure(RuleSet::Tablan, Some(Evaluation::Points(points)));
        assert_eq!([-7, -2].map(figure), ["-0.07", "0.00"], "no side leads by so little");
        let figure = |side| super::figure(RuleSet::Tablaaza, Some(Evaluation::Wins(side, 9)));
        assert_eq!(Side::BOTH.map(figure), ["#5", "#-5"], "in moves, as the words say");
    }
}
