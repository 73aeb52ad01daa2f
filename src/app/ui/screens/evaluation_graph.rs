//! The graph of a game's evaluation, ply by ply, numbered by moves as the list is; a click
//! goes to a ply.

use bevy_egui::egui::{
    EventFilter, Mesh,
    accesskit::{Action, ActionData},
    lerp,
};

use super::{analysed_game::AnalysedGame, plies};
use crate::app::{analysis::Verdict, core::actions, ui::prelude::*};

/// Shows the graph in all the room there is. The first side is above.
pub(super) fn show(ui: &mut Ui, game: &AnalysedGame<'_>, actions: &mut Vec<actions::Action>) {
    let AnalysedGame { history, current, revealed, .. } = *game;
    let (whole, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    let rect = Rect::from_min_max(
        whole.min + vec2(LEFT_MARGIN, 0.0),
        whole.max - vec2(0.0, BOTTOM_MARGIN),
    );
    let painter = ui.painter_at(whole);
    painter.rect_filled(rect, 4.0, CARD);
    let last = history.len().max(1);
    #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
    let x = |ply: usize| lerp(rect.x_range(), ply as f32 / last as f32);
    let rules = history.start().rules();
    let runs = runs(game.analysis, history, revealed);
    let scale = Scale::of(rules.game(), runs.iter().flatten().map(|&(_, value)| value));
    let y = |value| lerp(rect.bottom() - 2.0..=rect.top() + 2.0, scale.height(value));
    let inner = ui.painter_at(rect);
    for run in &runs {
        let points: Vec<Pos2> = run.iter().map(|&(ply, value)| pos2(x(ply), y(value))).collect();
        paint_areas(&inner, rect, rules, &points);
    }
    paint_scales(
        &painter,
        rect,
        history,
        &x,
        &scale.levels().map(|(text, value)| (text, y(value))),
    );
    if runs.is_empty() {
        paint_note(&inner, rect, tr("study.none-judged"));
    }
    for run in &runs {
        let points: Vec<Pos2> = run.iter().map(|&(ply, value)| pos2(x(ply), y(value))).collect();
        if let [only] = points[..] {
            inner.circle_filled(only, 2.0, ACCENT);
        } else {
            inner.add(Shape::line(points, Stroke::new(2.0, ACCENT)));
        }
    }
    for ply in (1..=revealed).filter(|&ply| plies::stands_out(history, ply)) {
        let foot = rect.bottom() - 4.0..=rect.bottom();
        inner.vline(x(ply), foot, Stroke::new(1.5, ACCENT));
    }
    for mistake in &game.mistakes {
        let radius = if mistake.verdict == Verdict::Blunder { 5.0 } else { 3.5 };
        let value = game.analysis.value_at(history, mistake.ply).unwrap_or(Evaluation::Points(0));
        // Not `clamp`, which panics where the graph is lower than the dot.
        let height = y(value).max(rect.top() + radius).min(rect.bottom() - radius);
        inner.circle(pos2(x(mistake.ply), height), radius, ERROR, Stroke::new(1.0, CARD));
    }
    inner.vline(x(current), rect.y_range(), Stroke::new(1.5, theme::TEXT));
    if let Some(ply) = wanted_ply(ui, &response, rect, game) {
        actions.push((game.go_to)(ply));
    }
    response.on_hover_text(tr("replay.analyse-hint"));
}

/// The ply that the pointer, the arrow keys or a screen reader ask for: the graph is a
/// slider.
fn wanted_ply(ui: &Ui, response: &Response, rect: Rect, game: &AnalysedGame<'_>) -> Option<usize> {
    let (current, last) = (game.current, game.history.len());
    #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
    let [value, most] = [current, last].map(|ply| ply as f64);
    response.widget_info(|| WidgetInfo::slider(last > 0, value, tr("replay.ply")));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(most);
        node.set_numeric_value_step(1.0);
        for action in [Action::Increment, Action::Decrement, Action::SetValue] {
            node.add_action(action);
        }
    });
    if response.has_focus() {
        let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let presses = |key| ui.input(|input| input.num_presses(key));
        if presses(Key::ArrowLeft) > presses(Key::ArrowRight) {
            return Some(current.saturating_sub(1));
        } else if presses(Key::ArrowRight) > 0 {
            return Some((current + 1).min(last));
        }
    }
    let asks =
        |action| ui.input(|input| input.num_accesskit_action_requests(response.id, action)) > 0;
    if asks(Action::Decrement) {
        return Some(current.saturating_sub(1));
    } else if asks(Action::Increment) {
        return Some((current + 1).min(last));
    }
    let set = ui.input(|input| {
        let requests = input.accesskit_action_requests(response.id, Action::SetValue);
        requests.into_iter().find_map(|request| match request.data {
            Some(ActionData::NumericValue(value)) => Some(value.clamp(0.0, most).round()),
            _ => None,
        })
    });
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a ply")]
    if let Some(value) = set {
        return Some(value as usize);
    }
    let ply = ply_at(response.interact_pointer_pos()?.x, rect, last);
    (response.clicked() || response.dragged() && ply != current).then_some(ply)
}

/// How opaque the sides' colours are in the graph.
const AREA_OPACITY: f32 = 0.3;

/// Paints below and above a run the colours of the first and the second side.
fn paint_areas(painter: &Painter, rect: Rect, rules: RuleSet, points: &[Pos2]) {
    for (side, edge) in [(Side::First, rect.bottom()), (Side::Second, rect.top())] {
        let color = theme::side_color(rules, side).gamma_multiply(AREA_OPACITY);
        let mut mesh = Mesh::default();
        for pair in points.windows(2) {
            let first = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
            for at in [pair[0], pair[1], pos2(pair[1].x, edge), pos2(pair[0].x, edge)] {
                mesh.colored_vertex(at, color);
            }
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first, first + 2, first + 3);
        }
        painter.add(Shape::mesh(mesh));
    }
}

/// Writes a text into the middle of the graph.
fn paint_note(painter: &Painter, rect: Rect, text: &str) {
    let font = FontId::proportional(SMALL);
    let galley = painter.layout(text.to_owned(), font, MUTED, rect.width() - 12.0);
    let corner = rect.center() - galley.size() / 2.0;
    painter.rect_filled(Rect::from_min_size(corner, galley.size()), 0.0, CARD);
    painter.galley(corner, galley, MUTED);
}

/// The room for numbers beside the graph, and under it.
const LEFT_MARGIN: f32 = 30.0;
const BOTTOM_MARGIN: f32 = 14.0;
/// The text size of the numbers.
const NUMBER_SIZE: f32 = 11.0;

/// How high an advantage stands in the graph: so that the greatest one of the game, up to ten
/// pieces, stands clear of the edge. A win stands at the edge.
struct Scale {
    /// The advantage at the edge, in hundredths of a piece, in Tablan of equity.
    limit: f32,
    /// The advantage that has a line.
    level: i32,
}

impl Scale {
    fn of(game: GameKind, values: impl Iterator<Item = Evaluation>) -> Self {
        if game == GameKind::Tablan {
            return Self { limit: 100.0, level: 50 };
        }
        let greatest = values.filter_map(|value| match value {
            Evaluation::Points(points) => Some(points.saturating_abs()),
            Evaluation::Wins(..) => None,
        });
        let greatest = greatest.max().unwrap_or_default().clamp(300, 1_000);
        let level = [500, 300, 200].into_iter().find(|level| *level <= greatest).unwrap_or(200);
        #[expect(clippy::cast_precision_loss, reason = "at most a thousand")]
        let limit = 1.25 * greatest as f32;
        Self { limit, level }
    }

    /// From 0, where the second side has won, to 1, where the first side has.
    fn height(&self, value: Evaluation) -> f32 {
        match value {
            #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
            Evaluation::Points(points) => {
                0.5 + 0.5 * (points as f32 / self.limit).clamp(-MOST_HEIGHT, MOST_HEIGHT)
            }
            Evaluation::Wins(Side::First, _) => 1.0,
            Evaluation::Wins(Side::Second, _) => 0.0,
        }
    }

    /// The advantages that have a line through the graph, the middle one in it, as texts.
    fn levels(&self) -> [(String, Evaluation); 3] {
        [self.level, 0, -self.level].map(|level| {
            let number = format!("{:+}", f64::from(level) / 100.0);
            let text = if level == 0 { "0".to_owned() } else { localize_decimal(&number) };
            (text, Evaluation::Points(level))
        })
    }
}

/// No advantage short of a win stands nearer to the edge.
const MOST_HEIGHT: f32 = 0.94;

/// With less height than this only the middle has a number.
const LOW_GRAPH: f32 = 56.0;

/// Lines and numbers: at the side the advantage, below the moves.
fn paint_scales(
    painter: &Painter,
    rect: Rect,
    history: &GameHistory<AnyPosition>,
    x: &dyn Fn(usize) -> f32,
    levels: &[(String, f32); 3],
) {
    let write = |at: Pos2, align: Align2, text: String| {
        painter.text(at, align, text, FontId::proportional(NUMBER_SIZE), MUTED);
    };
    let levels = if rect.height() < LOW_GRAPH { &levels[1..2] } else { &levels[..] };
    for (text, level) in levels {
        painter.hline(rect.x_range(), *level, Stroke::new(1.0, LINE));
        write(pos2(rect.left() - 4.0, *level), Align2::RIGHT_CENTER, text.clone());
    }
    for (number, ply) in numbered_plies(history, rect.width()) {
        painter.vline(x(ply), rect.y_range(), Stroke::new(1.0, LINE));
        let align =
            if x(ply) > rect.right() - 12.0 { Align2::RIGHT_TOP } else { Align2::CENTER_TOP };
        write(pos2(x(ply), rect.bottom() + 1.0), align, number.to_string());
    }
}

/// The numbers of moves under a graph of this width, each with the first ply of its move.
/// With sticks, moves have no numbers.
fn numbered_plies(
    history: &GameHistory<AnyPosition>,
    width: f32,
) -> impl Iterator<Item = (usize, usize)> {
    let offset = history.start().side().index();
    let plies = if history.start().rules().has_sticks() { 0 } else { history.len() };
    let moves = (plies + offset).div_ceil(2);
    let step = step(moves, width);
    (step..=moves)
        .step_by(step)
        .map(move |number| (number, (2 * number - 1).saturating_sub(offset)))
}

/// The distance between numbered moves, so that the numbers do not overlap.
fn step(moves: usize, width: f32) -> usize {
    #[expect(clippy::cast_precision_loss, reason = "moves of a game")]
    let is_apart = |step: &usize| *step as f32 / moves.max(1) as f32 * width >= 34.0;
    let steps = (0..6).flat_map(|power| [1, 2, 5].map(|it| it * 10_usize.pow(power)));
    steps.into_iter().find(is_apart).unwrap_or(usize::MAX)
}

/// The plies that are judged, with their evaluations, in runs: a run ends at a position that is not judged yet. Positions before a
/// throw are left out.
fn runs(
    analysis: &Analysis,
    history: &GameHistory<AnyPosition>,
    revealed: usize,
) -> Vec<Vec<(usize, Evaluation)>> {
    let mut runs: Vec<Vec<(usize, Evaluation)>> = Vec::new();
    let mut continues = false;
    for ply in 0..=revealed.min(history.len()) {
        let Some(position) = history.at(ply) else { continue };
        let is_end = ply == history.len() && matches!(history.turn(), Turn::Over(_));
        if matches!(position.turn(), Turn::Throw(_)) && !is_end {
            continue;
        }
        let known = is_end || analysis.evaluations.contains_key(&position.key());
        match analysis.value_at(history, ply).filter(|_| known) {
            None => continues = false,
            Some(value) => {
                match runs.last_mut().filter(|_| continues) {
                    Some(run) => run.push((ply, value)),
                    None => runs.push(vec![(ply, value)]),
                }
                continues = true;
            }
        }
    }
    runs
}

/// The ply that is shown at this x.
fn ply_at(x: f32, rect: Rect, last: usize) -> usize {
    let share = ((x - rect.left()) / rect.width()).clamp(0.0, 1.0);
    #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the game")]
    let ply = (share * last as f32).round() as usize;
    ply.min(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::analysis::PositionEvaluation;

    fn judge(advice: &mut Analysis, history: &GameHistory<AnyPosition>, ply: usize) {
        let judgement = PositionEvaluation {
            value: Evaluation::Points(0),
            best: None,
            variation: String::new(),
            depth: 9,
        };
        let position = history.at(ply).expect("a position");
        advice.evaluations.insert(position.key(), judgement);
    }

    fn plies(
        advice: &Analysis,
        history: &GameHistory<AnyPosition>,
        told: usize,
    ) -> Vec<Vec<usize>> {
        let runs = runs(advice, history, told).into_iter();
        runs.map(|run| run.into_iter().map(|(ply, _)| ply).collect()).collect()
    }

    #[test]
    fn the_graph_has_gaps_where_nothing_was_judged() {
        let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
        for _ in 0..6 {
            let first = history.legal_moves()[0];
            history.push(Ply::Move(first)).expect("legal");
        }
        let mut advice = Analysis::default();
        assert_eq!(plies(&advice, &history, 6), Vec::<Vec<usize>>::new());
        for ply in [0, 1, 3, 5, 6] {
            judge(&mut advice, &history, ply);
        }
        assert_eq!(plies(&advice, &history, 6), [vec![0, 1], vec![3], vec![5, 6]]);
    }

    #[test]
    fn the_greatest_advantage_of_a_game_stands_clear_of_the_edge_and_of_the_lines() {
        for (game, greatest) in [
            (GameKind::Tablut, 440),
            (GameKind::Tablut, 20),
            (GameKind::Tablut, 900),
            (GameKind::Tablaaza, 320),
            (GameKind::Tablan, 80),
        ] {
            let values = [Evaluation::Points(-greatest), Evaluation::Wins(Side::First, 3)];
            let scale = Scale::of(game, values.into_iter());
            let [lowest, won] = values.map(|value| scale.height(value));
            assert!(lowest > 0.08 && won > 0.999, "{game:?} {greatest}: {lowest} {won}");
            let [upper, middle, lower] = scale.levels().map(|(_, value)| scale.height(value));
            assert!((0.6..0.95).contains(&upper) && (lower + upper - 1.0).abs() < 1e-6);
            assert!((middle - 0.5).abs() < 1e-6);
        }
        let scale = Scale::of(GameKind::Tablut, [Evaluation::Points(440)].into_iter());
        assert_eq!(scale.levels().map(|(text, _)| text), ["+3", "0", "-3"]);
    }

    #[test]
    fn the_graph_does_not_reveal_a_throw_that_still_tumbles() {
        let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
        let mut advice = Analysis::default();
        for plain in [1, 0, 4] {
            let throw = Throw::new(plain).expect("a throw");
            while history.push(Ply::Throw(throw)).is_err() {
                let first = history.legal_moves()[0];
                history.push(Ply::Move(first)).expect("legal");
            }
        }
        for ply in 0..=history.len() {
            let to_move =
                history.at(ply).is_some_and(|position| matches!(position.turn(), Turn::Move(_)));
            if to_move {
                judge(&mut advice, &history, ply);
            }
        }
        let all = plies(&advice, &history, history.len());
        assert_eq!(all.len(), 1, "throws alone make no gap: {all:?}");
        let last = *all[0].last().expect("a ply");
        assert_eq!(last, history.len(), "the last throw is to be used");
        let told = plies(&advice, &history, history.len() - 1);
        assert!(told.iter().flatten().all(|&ply| ply < last), "{told:?}");
    }

    #[test]
    fn the_numbers_under_the_graph_are_round_and_do_not_overlap() {
        for (moves, width, wanted) in [(10, 400.0, 1), (40, 300.0, 5), (300, 150.0, 100)] {
            assert_eq!(step(moves, width), wanted, "{moves} moves in {width}");
        }
        assert!(step(0, 300.0) > 0 && step(usize::MAX, 1.0) > 0);
    }

    #[test]
    fn the_graph_counts_moves_as_the_list_does() {
        let numbers = |start: AnyPosition, plies: usize| {
            let mut history = GameHistory::new(start);
            for _ in 0..plies {
                let ply = match history.turn() {
                    Turn::Throw(_) => Ply::Throw(Throw::new(1).expect("a throw")),
                    _ => Ply::Move(history.legal_moves()[0]),
                };
                history.push(ply).expect("legal");
            }
            numbered_plies(&history, 400.0).collect::<Vec<_>>()
        };
        let start = AnyPosition::start(RuleSet::Tablaaza);
        assert_eq!(numbers(start.clone(), 5), [(1, 1), (2, 3), (3, 5)]);
        let mut second = GameHistory::new(start);
        let first = second.legal_moves()[0];
        second.push(Ply::Move(first)).expect("legal");
        let second = second.position().clone();
        assert_eq!(numbers(second, 4), [(1, 0), (2, 2), (3, 4)], "the other side begins");
        assert_eq!(numbers(AnyPosition::start(RuleSet::Tablan), 4), []);
    }

    #[test]
    fn a_click_into_the_graph_goes_to_its_ply() {
        let rect = Rect::from_min_max(pos2(100.0, 0.0), pos2(300.0, 50.0));
        assert_eq!(ply_at(100.0, rect, 40), 0);
        assert_eq!(ply_at(200.0, rect, 40), 20);
        assert_eq!(ply_at(999.0, rect, 40), 40);
        assert_eq!(ply_at(202.0, rect, 40), 20, "the nearest");
        assert_eq!(ply_at(150.0, rect, 0), 0);
    }
}
