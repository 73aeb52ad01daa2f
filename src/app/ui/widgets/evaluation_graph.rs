//! How the game went: who was ahead after each ply, to click into.

use bevy_egui::egui::{
    Align2, FontId, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, lerp,
    pos2, vec2,
};

use crate::{
    app::{
        analysis::{Analysis, Evaluation, Mistake, Verdict},
        core::actions::Action,
        ui::{
            screens::analysis_panel::Studied,
            theme::{self, ACCENT, ALARM, CARD, LINE, MUTED, SMALL},
        },
    },
    games::{AnyPosition, Game, GameHistory, Side, Turn},
    i18n::tr,
};

/// Draws the graph in what room there is.
pub(crate) fn draw(
    ui: &mut Ui,
    studied: &Studied<'_>,
    mistakes: &[Mistake],
    asked: &mut Vec<Action>,
) {
    let Studied { line, at, told, go, .. } = *studied;
    let (whole, response) = ui.allocate_exact_size(ui.available_size(), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Slider, true, tr("replay.analyse")));
    let rules = line.start().rules();
    let place = Rect::from_min_max(whole.min + vec2(GUTTER, 0.0), whole.max - vec2(0.0, STRIP));
    let painter = ui.painter_at(whole);
    painter.rect_filled(place, 4.0, CARD);
    let last = line.len().max(1);
    #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
    let x = |ply: usize| lerp(place.x_range(), ply as f32 / last as f32);
    // The first side is above.
    let y = |share: f32| lerp(place.bottom() - 2.0..=place.top() + 2.0, share);
    scales(&painter, place, line.len(), &x, &y);
    let painter = ui.painter_at(place);
    let runs = runs(studied.advice, line, told);
    for (side, edge) in [(Side::First, place.top()), (Side::Second, place.bottom() - 3.0)] {
        let band = Rect::from_min_max(pos2(place.left(), edge), pos2(place.right(), edge + 3.0));
        painter.rect_filled(band, 0.0, theme::colour(rules, side));
    }
    if runs.is_empty() {
        let font = FontId::proportional(SMALL);
        let words = tr("study.none-judged").to_owned();
        let words = painter.layout(words, font, MUTED, place.width() - 12.0);
        let corner = place.center() - words.size() / 2.0;
        painter.rect_filled(Rect::from_min_size(corner, words.size()), 0.0, CARD);
        painter.galley(corner, words, MUTED);
    }
    for run in runs {
        let points: Vec<Pos2> =
            run.into_iter().map(|(ply, share)| pos2(x(ply), y(share))).collect();
        if let [only] = points[..] {
            painter.circle_filled(only, 2.0, ACCENT);
        } else {
            painter.add(Shape::line(points, Stroke::new(2.0, ACCENT)));
        }
    }
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

/// The room for numbers beside the graph, and under it.
const GUTTER: f32 = 24.0;
const STRIP: f32 = 14.0;
/// The size they are written in.
const FIGURE: f32 = 11.0;
/// How many pieces the lines stand for that go through the graph.
const PIECES: [i32; 3] = [3, 0, -3];

/// Lines and numbers: at the side by how many pieces somebody is ahead, below
/// the plies of the game.
fn scales(
    painter: &Painter,
    place: Rect,
    plies: usize,
    x: &dyn Fn(usize) -> f32,
    y: &dyn Fn(f32) -> f32,
) {
    let write = |at: Pos2, held: Align2, text: String| {
        painter.text(at, held, text, FontId::proportional(FIGURE), MUTED);
    };
    for pieces in PIECES {
        let level = y(Evaluation::Points(100 * pieces).share());
        painter.hline(place.x_range(), level, Stroke::new(1.0, LINE));
        let text = if pieces == 0 { "0".to_owned() } else { format!("{pieces:+}") };
        write(pos2(place.left() - 4.0, level), Align2::RIGHT_CENTER, text);
    }
    for ply in (0..=plies).step_by(step(plies, place.width())).skip(1) {
        painter.vline(x(ply), place.y_range(), Stroke::new(1.0, LINE));
        let held =
            if x(ply) > place.right() - 12.0 { Align2::RIGHT_TOP } else { Align2::CENTER_TOP };
        write(pos2(x(ply), place.bottom() + 1.0), held, ply.to_string());
    }
}

/// How many plies lie between two that are numbered, for the numbers to stand
/// apart.
fn step(plies: usize, width: f32) -> usize {
    #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
    let apart = |step: &usize| *step as f32 / plies.max(1) as f32 * width >= 34.0;
    let steps = (0..6).flat_map(|power| [1, 2, 5].map(|it| it * 10_usize.pow(power)));
    steps.into_iter().find(apart).unwrap_or(usize::MAX)
}

/// The plies that are judged, each with how the first side stood then, in
/// runs: a run ends where a position that could be judged is not. (Before a
/// throw there is nothing to judge.)
fn runs(advice: &Analysis, line: &GameHistory<AnyPosition>, told: usize) -> Vec<Vec<(usize, f32)>> {
    let mut runs: Vec<Vec<(usize, f32)>> = Vec::new();
    let mut goes_on = false;
    for ply in 0..=told.min(line.len()) {
        let Some(position) = line.at(ply) else { continue };
        let ended = ply == line.len() && matches!(line.turn(), Turn::Over(_));
        if matches!(position.turn(), Turn::Throw(_)) && !ended {
            continue;
        }
        let known = ended || advice.evaluations.contains_key(&position.key());
        match advice.value_at(line, ply).filter(|_| known) {
            None => goes_on = false,
            Some(value) => {
                match runs.last_mut().filter(|_| goes_on) {
                    Some(run) => run.push((ply, value.share())),
                    None => runs.push(vec![(ply, value.share())]),
                }
                goes_on = true;
            }
        }
    }
    runs
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
    use crate::{
        app::analysis::PositionEvaluation,
        games::{Ply, RuleSet, Throw},
    };

    fn judge(advice: &mut Analysis, line: &GameHistory<AnyPosition>, ply: usize) {
        let judgement =
            PositionEvaluation { value: Evaluation::Points(0), best: None, play: String::new() };
        let position = line.at(ply).expect("a position");
        advice.evaluations.insert(position.key(), judgement);
    }

    fn plies(advice: &Analysis, line: &GameHistory<AnyPosition>, told: usize) -> Vec<Vec<usize>> {
        let runs = runs(advice, line, told).into_iter();
        runs.map(|run| run.into_iter().map(|(ply, _)| ply).collect()).collect()
    }

    #[test]
    fn the_graph_has_gaps_where_nothing_was_judged() {
        let mut line = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
        for _ in 0..6 {
            let first = line.legal_moves()[0];
            line.push(Ply::Move(first)).expect("legal");
        }
        let mut advice = Analysis::default();
        assert_eq!(plies(&advice, &line, 6), Vec::<Vec<usize>>::new());
        for ply in [0, 1, 3, 5, 6] {
            judge(&mut advice, &line, ply);
        }
        assert_eq!(plies(&advice, &line, 6), [vec![0, 1], vec![3], vec![5, 6]]);
    }

    #[test]
    fn the_graph_does_not_tell_a_throw_that_still_tumbles() {
        let mut line = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
        let mut advice = Analysis::default();
        for plain in [1, 0, 4] {
            let throw = Throw::new(plain).expect("a throw");
            while line.push(Ply::Throw(throw)).is_err() {
                let first = line.legal_moves()[0];
                line.push(Ply::Move(first)).expect("legal");
            }
        }
        for ply in 0..=line.len() {
            let to_move = line.at(ply).is_some_and(|it| matches!(it.turn(), Turn::Move(_)));
            if to_move {
                judge(&mut advice, &line, ply);
            }
        }
        let all = plies(&advice, &line, line.len());
        assert_eq!(all.len(), 1, "throws alone make no gap: {all:?}");
        let last = *all[0].last().expect("a ply");
        assert_eq!(last, line.len(), "the last throw is to be used");
        let told = plies(&advice, &line, line.len() - 1);
        assert!(told.iter().flatten().all(|&ply| ply < last), "{told:?}");
    }

    #[test]
    fn the_numbers_under_the_graph_stand_apart_and_are_round() {
        for (plies, width, wanted) in [(10, 400.0, 1), (40, 300.0, 5), (300, 150.0, 100)] {
            assert_eq!(step(plies, width), wanted, "{plies} plies in {width}");
        }
        assert!(step(0, 300.0) > 0 && step(usize::MAX, 1.0) > 0);
    }

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
