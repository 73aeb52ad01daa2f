//! The analysis: the best lines of the position, the judgement of the last ply, luck
//! and skill in Tablan, and the graph of the whole game.
//!
//! With room the lines stand beside the board, over the moves, and only the graph
//! under it; else both stand in one panel under the board.

use std::sync::Arc;

use bevy_egui::egui::{CollapsingHeader, Galley, Popup, PopupCloseBehavior, text::TextFormat};

use super::{analysed_game::AnalysedGame, evaluation_graph};
use crate::{
    app::{
        analysis::{Candidate, Mistake, Verdict},
        ui::{
            prelude::*,
            theme::SCROLL_BAR,
            widgets::{self, evaluation_bar},
        },
    },
    engines::{favoured_side, tablan::Review},
};

/// How high the panel under the board is in a window of this size.
pub(super) const fn height(window: Vec2) -> f32 {
    if stands_beside(window) {
        return if window.y < HIGH { 72.0 } else { 0.13 * window.y };
    }
    if window.x < ROOMY_WIDTH || is_low(window.y) { 94.0 } else { 142.0 }
}

/// Whether a window has room for the lines beside the board.
pub(super) const fn stands_beside(window: Vec2) -> bool {
    window.x >= 760.0 && window.y >= 540.0
}

/// Whether a window is so low that the analysis takes the sticks' place.
pub(super) const fn is_low(height: f32) -> bool {
    height < 480.0
}

/// From this width on there is room for all texts (points).
const ROOMY_WIDTH: f32 = 560.0;

/// From this height on the graph is higher (points).
const HIGH: f32 = 640.0;

/// Shows the panel under the board: the graph, and where there is no room beside the
/// board the texts.
pub(super) fn show(
    context: &Context,
    rect: Rect,
    game: &AnalysedGame<'_>,
    actions: &mut Vec<Action>,
) {
    widgets::panel(context, "analysis", rect, theme::panel_frame(), |ui| {
        let room = ui.available_rect_before_wrap();
        if stands_beside(context.content_rect().size()) {
            evaluation_graph::show(ui, game, actions);
            return;
        }
        let (left, right) = room.split_left_right_at_fraction(0.6);
        let right = right.with_min_x(right.left() + SCROLL_BAR + 4.0);
        ui.scope_builder(UiBuilder::new().max_rect(right), |ui| {
            evaluation_graph::show(ui, game, actions);
        });
        ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
            // Another first text is scrolled to at once.
            let id = ("analysis-scroll", game.first_text);
            widgets::scroll_area(ui, id, left.height(), |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.spacing_mut().interact_size.y = 18.0;
                texts(ui, game, actions);
            });
        });
    });
}

fn texts(ui: &mut Ui, game: &AnalysedGame<'_>, actions: &mut Vec<Action>) {
    if !game.first_text.is_empty() {
        widgets::wrapped(ui, game.first_text, SMALL, ACCENT);
    }
    if let Some(text) = ply_text(game) {
        let is_mistake = game.mistake(game.current).is_some();
        widgets::wrapped(ui, &text, SMALL, if is_mistake { ERROR } else { TEXT });
    }
    for (side, summary) in Side::BOTH.map(|side| (side, game.summary(side))) {
        if !summary.is_empty() {
            let names = [("command", side_label(game.rules(), side)), ("key", &summary)];
            widgets::wrapped(ui, &tr_args("keys.of", &names), SMALL, TEXT);
        }
    }
    check(ui, game, actions);
    lines(ui, game, actions);
}

/// The part of the panel beside the board that stands over the moves, at most so high.
pub(super) fn show_beside(
    ui: &mut Ui,
    game: &AnalysedGame<'_>,
    height: f32,
    actions: &mut Vec<Action>,
) {
    widgets::scroll_area(ui, "analysis-lines", height, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.spacing_mut().interact_size.y = 18.0;
        // The moves below stay where they are while lines come and go.
        if height > LINES_HEIGHT {
            ui.set_min_height(LINES_HEIGHT);
        }
        lines(ui, game, actions);
    });
}

/// How much height three lines of two rows take, with what stands below them.
const LINES_HEIGHT: f32 = space(36);

/// The judgement of the ply that is shown, and the way to the mistakes. In a replay a mistake
/// has a card of its own, which does not tell the better move.
pub(super) fn judgement(ui: &mut Ui, game: &AnalysedGame<'_>, actions: &mut Vec<Action>) {
    match game.mistake(game.current) {
        Some(mistake) if game.usage.has_cards => mistake_card(ui, game, mistake, actions),
        mistake => {
            if let Some(text) = ply_text(game) {
                let color = if mistake.is_some() { ERROR } else { TEXT };
                widgets::wrapped(ui, &text, SMALL, color);
            }
            check(ui, game, actions);
        }
    }
}

/// How far the check of the game is, and the way to its first mistake or the next one.
fn check(ui: &mut Ui, game: &AnalysedGame<'_>, actions: &mut Vec<Action>) {
    let wait @ [done, all] = game.analysis.progress(game.history);
    if done < all {
        let (done, all) = (done.to_string(), all.to_string());
        widgets::note(ui, &tr_args("desk.analysing", &[("done", &done), ("all", &all)]));
        widgets::wait_bar(ui, wait);
    }
    if let Some((text, ply)) = game.next_mistake() {
        if widgets::small_primary_button(ui, text).clicked() {
            actions.push((game.go_to)(ply));
        }
    } else if game.mistakes.is_empty() && !game.summary(Side::First).is_empty() {
        widgets::note(ui, tr("study.no-mistakes"));
    }
}

/// A mistake, and what can be done with it.
fn mistake_card(
    ui: &mut Ui,
    game: &AnalysedGame<'_>,
    mistake: &Mistake,
    actions: &mut Vec<Action>,
) {
    let frame = Frame::new()
        .fill(CARD)
        .stroke(Stroke::new(1.0, ERROR))
        .corner_radius(CONTROL_RADIUS)
        .inner_margin(Margin::symmetric(10, 8));
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = space(1);
        let played = game.history.notation(mistake.ply).unwrap_or_default();
        let key = match mistake.verdict {
            Verdict::Mistake => "study.was-mistake",
            Verdict::Blunder => "study.was-blunder",
        };
        let font = theme::strong(ui.ctx(), SMALL);
        let text = RichText::new(tr_args(key, &[("move", &played)])).font(font).color(ERROR);
        ui.horizontal_wrapped(|ui| {
            ui.label(text);
            ui.label(RichText::new(change(game, mistake)).size(SMALL).color(MUTED));
        });
        ui.horizontal_wrapped(|ui| {
            if game.usage.practises {
                let find = widgets::small_primary_button(ui, tr("study.find-better"));
                if find.on_hover_text(tr("study.find-better-hint")).clicked() {
                    actions.push(GameAction::LearnFromMistakes.into());
                }
            }
            let best = widgets::button(ui, tr("study.show-best"));
            if best.on_hover_text(tr("study.show-best-hint")).clicked() {
                actions.push((game.go_to)(mistake.ply - 1));
            }
            if let Some((text, ply)) = game.next_mistake()
                && widgets::button(ui, text).clicked()
            {
                actions.push((game.go_to)(ply));
            }
        });
    });
}

/// What a mistake changed: the values before and after it, or in Tablan the lost equity.
fn change(game: &AnalysedGame<'_>, mistake: &Mistake) -> String {
    let AnalysedGame { history, analysis, .. } = *game;
    if let Some(choice) = analysis.review_of(history).and_then(|review| review.move_at(mistake.ply))
    {
        let error = localize_decimal(&format!("{:.2}", choice.error()));
        return tr_args("study.gave", &[("error", &error)]).trim().to_owned();
    }
    let rules = history.start().rules();
    let value = |ply| Some(evaluation_bar::text(rules, analysis.value_at(history, ply)?));
    match (value(mistake.ply - 1), value(mistake.ply)) {
        (Some(before), Some(after)) => format!("({before} → {after})"),
        _ => String::new(),
    }
}

/// The best lines, and what belongs to them.
fn lines(ui: &mut Ui, game: &AnalysedGame<'_>, actions: &mut Vec<Action>) {
    let Some(position) = game.history.at(game.current) else { return };
    standing(ui, game, position);
    best_lines(ui, game, position, actions);
    ui.horizontal(|ui| {
        legend(ui, game);
        if let Some(best) = game.analysis.lines_of(position).first() {
            widgets::one_line(ui, &certainty(best), SMALL, MUTED);
        }
    });
    second_opinion(ui, game, position, actions);
    review_texts(ui, game, position);
}

/// Who is ahead, in words; and that the start of these rules is not even.
fn standing(ui: &mut Ui, game: &AnalysedGame<'_>, position: &AnyPosition) {
    let rules = position.rules();
    if let Some(value) = game.analysis.deepest_value(game.history, game.current) {
        widgets::wrapped(ui, &evaluation_bar::text(rules, value), SMALL, TEXT);
    }
    let is_start = *position == AnyPosition::start(rules);
    if let Some(side) = favoured_side(rules).filter(|_| is_start) {
        widgets::note(ui, &tr_args("study.favours", &[("side", side_label(rules, side))]));
    }
}

/// The button that explains the panel.
fn legend(ui: &mut Ui, game: &AnalysedGame<'_>) {
    // The scale of Tablan is equity, and in Tablaaza nothing is captured.
    let rules = game.rules();
    let keys: &[&str] = match rules.game() {
        GameKind::Tablut => &["study.numbers", "study.foresight", "study.graph", "study.colours"],
        GameKind::Tablan => &["study.equity", "study.graph-city", "study.colours"],
        GameKind::Tablaaza => &[
            "study.numbers",
            "study.foresight",
            "study.graph-city",
            "study.colours-city",
            "study.signs-city",
        ],
    };
    let [first, second] = Side::BOTH.map(|side| side_label(rules, side));
    // The lines need the room, so it opens over them.
    let button = widgets::button(ui, tr("study.legend"));
    let window = ui.ctx().content_rect().size();
    let popup = Popup::from_toggle_button_response(&button)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    popup.show(|ui| {
        ui.set_width(LEGEND_WIDTH.min(window.x - space(8)));
        ui.set_max_height(window.y - space(8));
        ScrollArea::vertical().max_height(window.y - space(8)).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = space(2);
            for key in keys {
                let text = tr_args(key, &[("first", first), ("second", second)]);
                widgets::wrapped(ui, &text, SMALL, TEXT);
            }
        });
    });
}

/// How wide the legend is.
const LEGEND_WIDTH: f32 = space(90);

/// The best lines of the position, or why there are none.
fn best_lines(
    ui: &mut Ui,
    game: &AnalysedGame<'_>,
    position: &AnyPosition,
    actions: &mut Vec<Action>,
) {
    let AnalysedGame { history, current, analysis, .. } = *game;
    let rules = position.rules();
    let is_over = current == history.len() && matches!(history.turn(), Turn::Over(_));
    let candidates = analysis.lines_of(position);
    if is_over || matches!(position.turn(), Turn::Over(_)) {
        return;
    }
    if let Turn::Throw(side) = position.turn() {
        widgets::note(ui, &tr_args("study.throw-due", &[("side", side_label(rules, side))]));
    } else if candidates.is_empty() {
        widgets::note(ui, tr("study.looking"));
    }
    for (index, candidate) in candidates.iter().enumerate() {
        let played = best_line(ui, rules, index + 1, candidate, game.usage.plays_lines);
        let moves = candidate.variation.split(' ').take(played);
        actions.extend(moves.map(|mv| GameAction::TypeMove(mv.to_owned()).into()));
    }
}

/// What another engine says, and which one is asked.
fn second_opinion(
    ui: &mut Ui,
    game: &AnalysedGame<'_>,
    position: &AnyPosition,
    actions: &mut Vec<Action>,
) {
    let opinion = &game.analysis.second_opinion;
    if opinion.available.is_empty() {
        return;
    }
    if let Some(name) = &opinion.engine {
        let text = match opinion.line_of(position) {
            Some(line) if line.depth > 0 => line_text(position.rules(), name, line),
            Some(line) => format!("{name}  ·  {}", line.variation),
            None => tr_args("study.second-none", &[("name", name)]),
        };
        widgets::wrapped(ui, &text, SMALL, TEXT);
    }
    let of = tr("study.second");
    let heading = RichText::new(of).size(SMALL).color(MUTED);
    CollapsingHeader::new(heading).id_salt("second-opinion").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            let none = opinion.engine.is_none();
            if widgets::labelled_choice(ui, of, none, tr("study.second-off")).clicked() {
                actions.push(ViewAction::AskEngine(None).into());
            }
            for name in &opinion.available {
                let is_asked = opinion.engine.as_ref() == Some(name);
                if widgets::labelled_choice(ui, of, is_asked, name).clicked() {
                    actions.push(ViewAction::AskEngine(Some(name.clone())).into());
                }
            }
        });
    });
}

/// `NAME  +0.50 · depth 7 · …`.
fn line_text(rules: RuleSet, name: &str, line: &Candidate) -> String {
    let value = evaluation_bar::text(rules, line.value);
    format!("{name}  {value}  ·  {}  ·  {}", certainty(line), line.variation)
}

/// Luck and skill of both sides in Tablan.
fn review_texts(ui: &mut Ui, game: &AnalysedGame<'_>, position: &AnyPosition) {
    if let Some(review) = game.analysis.review_of(game.history) {
        for side in Side::BOTH {
            widgets::wrapped(ui, &luck_and_skill(position.rules(), review, side), SMALL, TEXT);
        }
    } else if game.reviews && matches!(position, AnyPosition::Tablan(_)) && !game.history.is_empty()
    {
        widgets::note(ui, tr("study.reviewing"));
    }
}

/// The depth of a line, or that it is proven.
fn certainty(candidate: &Candidate) -> String {
    if candidate.exact {
        tr("study.proven").to_owned()
    } else {
        tr_args("study.depth", &[("depth", &candidate.depth.to_string())])
    }
}

/// How much width the value before a line takes.
const VALUE_WIDTH: f32 = space(16);
/// A line has at most so many rows; all of it is in its tooltip.
const MAX_ROWS: usize = 2;

/// One of the best lines: its value, its move, and how it goes on. Returns how many of its moves
/// to play: those up to the one that was clicked.
fn best_line(
    ui: &mut Ui,
    rules: RuleSet,
    number: usize,
    candidate: &Candidate,
    is_clickable: bool,
) -> usize {
    let value = evaluation_bar::text(rules, candidate.value);
    let whole =
        format!("{number}.  {value}  ·  {}  ·  {}", certainty(candidate), candidate.variation);
    let hint = if is_clickable { tr("study.line-hint") } else { "" };
    let color = if number == 1 { ACCENT } else { TEXT };
    let width = ui.available_width();
    let galley = variation_galley(ui, &candidate.variation, color, width - VALUE_WIDTH - space(1));
    let height = galley.size().y + space(1);
    let sense = if is_clickable { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), sense);
    let role = if is_clickable { WidgetType::Button } else { WidgetType::Label };
    response.widget_info(|| WidgetInfo::labeled(role, true, &whole));
    if is_clickable && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect.expand2(vec2(4.0, 0.0)), 4.0, CARD_HOVERED);
    }
    let row = rect.top() + space(1) / 2.0 + SMALL * 0.6;
    paint_value(ui, rules, pos2(rect.left(), row), candidate);
    let corner = rect.left_top() + vec2(VALUE_WIDTH, space(1) / 2.0);
    ui.painter().galley(corner, Arc::clone(&galley), TEXT);
    let response = response.on_hover_text(format!("{whole}\n{hint}").trim_end());
    if !response.clicked() {
        return 0;
    }
    // By the keyboard, only the first move is played.
    response.interact_pointer_pos().map_or(1, |at| moves_until(&galley, at - corner))
}

/// How many moves of a line there are up to this place in its text.
fn moves_until(galley: &Galley, place: Vec2) -> usize {
    let index = galley.cursor_from_pos(place).index;
    1 + galley.text().chars().take(index.into()).filter(|it| *it == ' ').count()
}

/// The moves of a variation that have room in [`MAX_ROWS`], the first one in this colour.
fn variation_galley(ui: &Ui, variation: &str, color: Color32, width: f32) -> Arc<Galley> {
    let strong = theme::strong(ui.ctx(), SMALL);
    let moves: Vec<&str> = variation.split(' ').collect();
    let lay_out = |count: usize| {
        let mut rest = moves[1..count].join(" ");
        if count < moves.len() {
            rest += " …";
        }
        let format = |font_id, color| TextFormat { font_id, color, ..TextFormat::default() };
        let mut job = LayoutJob::default();
        job.append(moves[0], 0.0, format(strong.clone(), color));
        job.append(&format!(" {rest}"), space(1), format(FontId::proportional(SMALL), MUTED));
        job.wrap.max_width = width;
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let fits = |galley: &Arc<Galley>| galley.rows.len() <= MAX_ROWS;
    (1..=moves.len()).rev().map(lay_out).find(fits).unwrap_or_else(|| lay_out(1))
}

/// The value of a line: a disc in the colour of the side that is ahead, and by how much.
fn paint_value(ui: &Ui, rules: RuleSet, at: Pos2, candidate: &Candidate) {
    let leader = evaluation_bar::leader(rules, candidate.value);
    let text = evaluation_bar::figure(rules, Some(candidate.value));
    let radius = 4.5;
    let fill = leader.map_or(MUTED, |side| theme::side_color(rules, side));
    let square = widgets::paint_disc(ui.painter(), at + vec2(radius + 2.0, 0.0), radius, fill);
    let font = theme::strong(ui.ctx(), SMALL);
    let left = square.right_center() + vec2(space(1), 0.0);
    ui.painter().text(left, Align2::LEFT_CENTER, text, font, TEXT);
}

/// The judgement of the last ply: a throw's luck, or what a move gave away.
fn ply_text(game: &AnalysedGame<'_>) -> Option<String> {
    let AnalysedGame { history, current: at, analysis, .. } = *game;
    let played = history.notation(at);
    if let Some(mistake) = game.mistake(at) {
        let best = history.at(at.checked_sub(1)?)?.notation(mistake.best);
        let names = [("move", played.as_deref()?), ("best", best.as_str())];
        let mut text = match mistake.verdict {
            Verdict::Mistake => tr_args("study.mistake", &names),
            Verdict::Blunder => tr_args("study.blunder", &names),
        };
        if let Some(choice) = analysis.review_of(history).and_then(|review| review.move_at(at)) {
            text += &tr_args(
                "study.gave",
                &[("error", &localize_decimal(&format!("{:.2}", choice.error())))],
            );
        }
        return Some(text);
    }
    let review = analysis.review_of(history)?;
    if let Some(toss) = review.throw_at(at) {
        let side = side_label(history.start().rules(), toss.side);
        let (throw, luck) = (toss.throw.to_string(), hundredths(toss.luck(), true));
        return Some(tr_args("study.toss", &[("side", side), ("throw", &throw), ("luck", &luck)]));
    }
    let choice = review.move_at(at)?;
    let error = localize_decimal(&format!("{:.2}", choice.error()));
    let name = ("move", played.as_deref()?);
    Some(if choice.error() < 0.005 {
        tr_args("study.best-chosen", &[name])
    } else {
        let best = history.at(at.checked_sub(1)?)?;
        let best = best.notation(crate::games::AnyMove::Tablan(choice.best));
        tr_args("study.small", &[name, ("error", &error), ("best", &best)])
    })
}

/// The sums of a side's luck and errors.
fn luck_and_skill(rules: RuleSet, review: &Review, side: Side) -> String {
    let sums = review.totals(side);
    tr_args(
        "study.sums",
        &[
            ("side", side_label(rules, side)),
            ("luck", &hundredths(sums.luck, true)),
            ("error", &hundredths(sums.error, false)),
            ("choices", &sums.unforced_moves.to_string()),
        ],
    )
}

/// A number with two decimals, with a sign if `signed`; never a negative zero.
fn hundredths(number: f32, signed: bool) -> String {
    let number = if number.abs() < 0.005 { 0.0 } else { number };
    localize_decimal(&if signed { format!("{number:+.2}") } else { format!("{number:.2}") })
}

#[cfg(test)]
mod tests {
    use super::{super::analysed_game::Usage, *};
    use crate::{
        app::{analysis::Analysis, core::actions::ReplayAction},
        engines::StopSignal,
        games::{GameHistory, Ply},
    };

    #[test]
    fn luck_and_skill_are_put_in_words() {
        let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1").expect("a position");
        let mut history = GameHistory::new(start);
        for text in ["e1-f1+a1-b1", "t4"] {
            let ply = history.parse(text).expect("a ply");
            history.push(ply).expect("legal");
        }
        assert!(matches!(history.ply(2), Some(Ply::Throw(_))));
        let review =
            crate::engines::tablan::review(&history, &StopSignal::default()).expect("Tablan");
        let toss = *review.throw_at(2).expect("a throw");
        let said = luck_and_skill(RuleSet::Tablan, &review, Side::First);
        assert!(said.starts_with("South: luck ") && said.ends_with(" in 1 choices"), "{said}");
        assert_eq!([hundredths(-0.004, true), hundredths(-0.001, false)], ["+0.00", "0.00"]);
        let analysis = Analysis { review: Some((history.clone(), review)), ..Analysis::default() };
        let game = AnalysedGame {
            history: &history,
            current: 2,
            revealed: 2,
            analysis: &analysis,
            mistakes: analysis.mistakes(&history),
            reviews: true,
            first_text: "",
            go_to: |ply| ReplayAction::Jump(ply).into(),
            usage: Usage::default(),
        };
        let luck = localize_decimal(&format!("{:+.2}", toss.luck()));
        let told = ply_text(&game).expect("a text about the throw");
        assert!(told.contains(&luck), "{told} tells {luck}");
        let chosen = AnalysedGame { current: 1, ..game };
        assert!(ply_text(&chosen).is_some(), "a text about the choice");
    }
}
