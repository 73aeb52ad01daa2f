//! How the game went: who was ahead after each ply, to click into.

use bevy_egui::egui::{Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, lerp, pos2};

use super::{
    study::Studied,
    theme,
    theme::{ACCENT, ALARM, CARD, LINE},
};
use crate::{
    app::{
        acts::Act,
        advice::{Mistake, Verdict},
    },
    games::{Game, Side, Turn},
    words::say,
};

/// Draws the graph in what room there is.
pub(super) fn draw(ui: &mut Ui, studied: &Studied<'_>, mistakes: &[Mistake], asked: &mut Vec<Act>) {
    let Studied { line, at, advice, go, .. } = *studied;
    let (place, response) = ui.allocate_exact_size(ui.available_size(), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Slider, true, say("replay.analyse")));
    let rules = line.start().rules();
    let painter = ui.painter_at(place);
    painter.rect_filled(place, 4.0, CARD);
    painter.hline(place.x_range(), place.center().y, Stroke::new(1.0, LINE));
    let last = line.len().max(1);
    #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
    let x = |ply: usize| lerp(place.x_range(), ply as f32 / last as f32);
    // The first side is above.
    let y = |share: f32| lerp(place.bottom() - 2.0..=place.top() + 2.0, share);
    let points: Vec<Pos2> = (0..=line.len())
        .filter_map(|ply| {
            let known = line.at(ply).is_some_and(|it| advice.known.contains_key(&it.key()));
            let ended = ply == line.len() && matches!(line.turn(), Turn::Over(_));
            let share = advice.value_at(line, ply).filter(|_| known || ended)?.share();
            Some(pos2(x(ply), y(share)))
        })
        .collect();
    for (side, edge) in [(Side::First, place.top()), (Side::Second, place.bottom() - 3.0)] {
        let band = Rect::from_min_max(pos2(place.left(), edge), pos2(place.right(), edge + 3.0));
        painter.rect_filled(band, 0.0, theme::colour(rules, side));
    }
    painter.add(Shape::line(points, Stroke::new(2.0, ACCENT)));
    for mistake in mistakes {
        let bad = mistake.verdict == Verdict::Blunder;
        let middle = pos2(x(mistake.ply), place.bottom() - 9.0);
        painter.circle_filled(middle, if bad { 5.0 } else { 3.5 }, ALARM);
    }
    painter.vline(x(at), place.y_range(), Stroke::new(1.5, theme::INK));
    if response.clicked()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        asked.push(go(ply_at(pointer.x, place, line.len())));
    }
}

/// The ply that is shown at this x.
fn ply_at(x: f32, place: Rect, last: usize) -> usize {
    let share = ((x - place.left()) / place.width()).clamp(0.0, 1.0);
    #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the game")]
    let ply = (share * last as f32).round() as usize;
    ply.min(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_into_the_graph_goes_to_its_ply() {
        let place = Rect::from_min_max(pos2(100.0, 0.0), pos2(300.0, 50.0));
        assert_eq!(ply_at(100.0, place, 40), 0);
        assert_eq!(ply_at(200.0, place, 40), 20);
        assert_eq!(ply_at(999.0, place, 40), 40);
        assert_eq!(ply_at(202.0, place, 40), 20, "the nearest");
        assert_eq!(ply_at(150.0, place, 0), 0);
    }
}
