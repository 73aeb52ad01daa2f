//! Icons, drawn as lines, and the buttons that have one beside their word.

pub(crate) use crate::app::commands::Icon;
use crate::app::ui::prelude::*;

/// The side of an icon.
const SIDE: f32 = space(4);

/// Paints an icon around a point.
pub(crate) fn paint(painter: &Painter, icon: Icon, middle: Pos2, color: Color32) {
    let rect = Rect::from_center_size(middle, Vec2::splat(SIDE));
    let at = |x: f32, y: f32| pos2(rect.left() + x * SIDE, rect.top() + y * SIDE);
    let stroke = Stroke::new(1.6, color);
    let line = |points: Vec<Pos2>| painter.add(egui::Shape::line(points, stroke));
    match icon {
        Icon::Undo => {
            line(vec![at(0.34, 0.08), at(0.08, 0.34), at(0.34, 0.6)]);
            let turn = (0..=10_u8).map(|step| {
                let angle =
                    -std::f32::consts::FRAC_PI_2 + std::f32::consts::PI * f32::from(step) / 10.0;
                at(0.64 + 0.28 * angle.cos(), 0.62 + 0.28 * angle.sin())
            });
            let points = [at(0.08, 0.34)].into_iter().chain(turn).chain([at(0.3, 0.9)]);
            line(points.collect());
        }
        Icon::Hint => {
            let bulb = (0..=14_u8).map(|step| {
                let angle = 2.3 + 4.8 * f32::from(step) / 14.0 - 0.33;
                at(0.5 + 0.33 * angle.cos(), 0.37 + 0.33 * angle.sin())
            });
            let foot = [at(0.62, 0.76), at(0.38, 0.76)];
            let points: Vec<Pos2> = bulb.chain(foot).collect();
            painter.add(egui::Shape::closed_line(points, stroke));
            line(vec![at(0.4, 0.94), at(0.6, 0.94)]);
        }
        Icon::Evaluation => {
            line(vec![at(0.02, 0.82), at(0.34, 0.46), at(0.56, 0.66), at(0.98, 0.16)]);
        }
        Icon::More => {
            for x in [0.15, 0.5, 0.85] {
                painter.circle_filled(at(x, 0.5), 1.8, color);
            }
        }
        Icon::Panels => {
            let window = Rect::from_min_max(at(0.02, 0.12), at(0.98, 0.88));
            painter.rect_stroke(window, 2, stroke, StrokeKind::Inside);
            line(vec![at(0.64, 0.14), at(0.64, 0.86)]);
        }
        Icon::Open | Icon::Next => {
            line(vec![at(0.35, 0.1), at(0.75, 0.5), at(0.35, 0.9)]);
        }
        Icon::Previous => {
            line(vec![at(0.65, 0.1), at(0.25, 0.5), at(0.65, 0.9)]);
        }
        Icon::First => {
            line(vec![at(0.85, 0.1), at(0.45, 0.5), at(0.85, 0.9)]);
            line(vec![at(0.2, 0.1), at(0.2, 0.9)]);
        }
        Icon::Last => {
            line(vec![at(0.15, 0.1), at(0.55, 0.5), at(0.15, 0.9)]);
            line(vec![at(0.8, 0.1), at(0.8, 0.9)]);
        }
        Icon::Play => {
            let triangle = vec![at(0.2, 0.06), at(0.92, 0.5), at(0.2, 0.94)];
            painter.add(egui::Shape::convex_polygon(triangle, color, Stroke::NONE));
        }
        Icon::Pause => {
            for x in [0.22, 0.6] {
                let bar = Rect::from_min_max(at(x, 0.1), at(x + 0.2, 0.9));
                painter.rect_filled(bar, 1.0, color);
            }
        }
        Icon::Loop => {
            for arc in 0..2 {
                half_ring_arrow(painter, rect, arc, stroke);
            }
        }
        Icon::Frame => {
            for (x, y) in [(0.04, 0.1), (0.96, 0.1), (0.96, 0.9), (0.04, 0.9)] {
                let inward = |from: f32| if from < 0.5 { from + 0.26 } else { from - 0.26 };
                line(vec![at(inward(x), y), at(x, y), at(x, inward(y))]);
            }
        }
        Icon::Book => {
            for outer in [0.04, 0.96] {
                let points =
                    [at(0.5, 0.24), at(outer, 0.12), at(outer, 0.78), at(0.5, 0.9), at(0.5, 0.24)];
                line(points.to_vec());
            }
        }
        Icon::Target => {
            painter.circle_stroke(rect.center(), 0.44 * SIDE, stroke);
            painter.circle_stroke(rect.center(), 0.2 * SIDE, stroke);
            painter.circle_filled(rect.center(), 1.4, color);
        }
        Icon::Export => {
            line(vec![at(0.5, 0.66), at(0.5, 0.06)]);
            line(vec![at(0.26, 0.28), at(0.5, 0.06), at(0.74, 0.28)]);
            line(vec![at(0.08, 0.56), at(0.08, 0.92), at(0.92, 0.92), at(0.92, 0.56)]);
        }
        Icon::Board => {
            let board = Rect::from_min_max(at(0.06, 0.06), at(0.94, 0.94));
            painter.rect_stroke(board, 2, stroke, StrokeKind::Inside);
            line(vec![at(0.5, 0.1), at(0.5, 0.9)]);
            line(vec![at(0.1, 0.5), at(0.9, 0.5)]);
        }
    }
}

/// One of the two halves of a ring, with an arrow head at its end.
fn half_ring_arrow(painter: &Painter, rect: Rect, half: u8, stroke: Stroke) {
    use std::f32::consts::PI;
    let (radius, middle) = (0.4 * rect.width(), rect.center());
    let point = |angle: f32| middle + radius * Vec2::angled(angle);
    let start = PI * f32::from(half) - 0.6;
    let end = start + PI - 0.75;
    let points = (0..=12_u8).map(|step| point(start + (end - start) * f32::from(step) / 12.0));
    painter.add(egui::Shape::line(points.collect(), stroke));
    let tip = point(end + 0.12);
    let along = Vec2::angled(end + PI / 2.0);
    let side = 0.22 * rect.width();
    let barb = |turn: Vec2| tip - side * along + 0.8 * side * turn;
    painter.add(egui::Shape::line(vec![barb(along.rot90()), tip, barb(-along.rot90())], stroke));
}

/// A button with an icon, if there is one, and its word; `label` is what screen readers
/// hear. A switch says whether it `is_on`.
pub(crate) fn icon_button(
    ui: &mut Ui,
    width: f32,
    icon: impl Into<Option<Icon>>,
    text: &str,
    label: &str,
    is_on: Option<bool>,
) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, CONTROL_HEIGHT), Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo {
        selected: is_on,
        ..WidgetInfo::labeled(WidgetType::Button, enabled, label)
    });
    let is_on = is_on == Some(true);
    let is_lit = enabled && (response.hovered() || response.has_focus());
    let fill = match (is_on, is_lit) {
        (true, _) => CARD_CHOSEN,
        (false, true) => CARD_HOVERED,
        (false, false) => CARD,
    };
    let edge = if is_on || is_lit { ACCENT } else { LINE };
    let painter = ui.painter();
    painter.rect(rect, CONTROL_RADIUS, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    // Without the room for both, the word goes without the icon.
    let galley = painter.layout_no_wrap(text.to_owned(), font(), TEXT);
    let both = SIDE + space(2) + galley.size().x;
    let icon = icon.into();
    if let (Some(icon), true) = (icon, text.is_empty()) {
        paint(painter, icon, rect.center(), TEXT);
    } else if let Some(icon) = icon.filter(|_| both + space(2) <= rect.width()) {
        let left = rect.center().x - both / 2.0;
        paint(painter, icon, pos2(left + SIDE / 2.0, rect.center().y), TEXT);
        let corner = pos2(left + SIDE + space(2), rect.center().y - galley.size().y / 2.0);
        painter.galley(corner, galley, TEXT);
    } else {
        painter.text(rect.center(), Align2::CENTER_CENTER, text, font(), TEXT);
    }
    response.on_hover_cursor(CursorIcon::PointingHand)
}

/// How wide the button needs to be for icon and word.
pub(crate) fn icon_button_width(ui: &Ui, text: &str) -> f32 {
    if text.is_empty() {
        return CONTROL_HEIGHT;
    }
    super::text_width(ui, text, SMALL) + SIDE + space(5)
}

fn font() -> FontId {
    FontId::proportional(theme::SMALL)
}
