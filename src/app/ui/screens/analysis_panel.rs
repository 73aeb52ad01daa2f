//! The analysis under the board: the best lines of the position, the judgement
//! of the last ply, luck and skill in Tablan, and the graph of the whole game.

use bevy_egui::egui::{CollapsingHeader, Context, Rect, RichText, Ui, UiBuilder, Vec2};

use super::evaluation_graph;
use crate::{
    app::{
        analysis::{Analysis, Candidate, Mistake, Verdict},
        core::actions::{Action, ViewAction},
        ui::{
            theme::{self, ACCENT, ERROR, MUTED, SCROLL_BAR, SMALL, TEXT},
            widgets::{self, evaluation_bar},
        },
    },
    engines::tablan::Review,
    games::{AnyPosition, Game, GameHistory, GameKind, RuleSet, Side, Turn},
    i18n::{localize_decimal, tr, tr_args},
    table::side_label,
};

/// How high the analysis is in a window of this size.
pub(super) const fn height(window: Vec2) -> f32 {
    match (window.x < ROOMY_WIDTH || is_low(window.y), window.y < HIGH) {
        (true, _) => 94.0,
        (false, true) => 142.0,
        (false, false) => 168.0,
    }
}

/// Whether a window is so low that the analysis takes the sticks' place.
pub(super) const fn is_low(height: f32) -> bool {
    height < 480.0
}

/// From this width on there is room for all texts (points).
const ROOMY_WIDTH: f32 = 560.0;

/// From this height on there is room for lines that are wrapped (points).
const HIGH: f32 = 640.0;

/// The game that is analysed, and how it is shown.
pub(super) struct AnalysedGame<'a> {
    /// The game.
    pub(super) history: &'a GameHistory<AnyPosition>,
    /// How many of its plies are shown.
    pub(super) current: usize,
    /// How many of its plies the panel may reveal: not a throw that still
    /// tumbles.
    pub(super) revealed: usize,
    /// What is known of it.
    pub(super) analysis: &'a Analysis,
    /// Whether luck is told apart from skill here.
    pub(super) reviews: bool,
    /// A text shown first, where it has no other place; empty for none.
    pub(super) first_text: &'a str,
    /// The action that goes to a ply.
    pub(super) go_to: fn(usize) -> Action,
}

/// Shows the analysis.
pub(super) fn show(
    context: &Context,
    rect: Rect,
    game: &AnalysedGame<'_>,
    actions: &mut Vec<Action>,
) {
    widgets::panel(context, "analysis", rect, theme::panel_frame(), |ui| {
        let mut mistakes = game.analysis.mistakes(game.history);
        mistakes.retain(|mistake| mistake.ply <= game.revealed);
        let room = ui.available_rect_before_wrap();
        let (left, right) = room.split_left_right_at_fraction(0.6);
        let right = right.with_min_x(right.left() + SCROLL_BAR + 4.0);
        ui.scope_builder(UiBuilder::new().max_rect(right), |ui| {
            evaluation_graph::show(ui, game, &mistakes, actions);
        });
        ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
            // Another first text is scrolled to at once.
            let id = ("analysis-scroll", game.first_text);
            widgets::scroll_area(ui, id, left.height(), |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.spacing_mut().interact_size.y = 18.0;
                texts(ui, game, &mistakes, actions);
            });
        });
    });
}

fn texts(ui: &mut Ui, game: &AnalysedGame<'_>, mistakes: &[Mistake], actions: &mut Vec<Action>) {
    let AnalysedGame { history, current, .. } = *game;
    let Some(position) = history.at(current) else { return };
    if !game.first_text.is_empty() {
        widgets::wrapped(ui, game.first_text, SMALL, ACCENT);
    }
    if let Some(text) = ply_text(game, mistakes) {
        let is_mistake = mistakes.iter().any(|mistake| mistake.ply == current);
        widgets::wrapped(ui, &text, SMALL, if is_mistake { ERROR } else { TEXT });
    }
    best_lines(ui, game, position);
    second_opinion(ui, game, position, actions);
    review_texts(ui, game, position);
    if let Some(text) = progress(game) {
        widgets::note(ui, &text);
    }
    // Where nothing is captured, the scale is not one of pieces.
    let rules = position.rules();
    let (colors, graph) = match rules.game() {
        GameKind::Tablut | GameKind::Tablan => ("study.colours", "study.graph"),
        GameKind::Tablaaza => ("study.colours-city", "study.graph-city"),
    };
    let [first, second] = Side::BOTH.map(|side| side_label(rules, side));
    // The lines need the room.
    let heading = RichText::new(tr("study.legend")).size(SMALL).color(MUTED);
    CollapsingHeader::new(heading).id_salt("legend").show(ui, |ui| {
        widgets::note(ui, tr(colors));
        widgets::note(ui, &tr_args(graph, &[("first", first), ("second", second)]));
    });
}

/// The best lines of the position, or why there are none.
fn best_lines(ui: &mut Ui, game: &AnalysedGame<'_>, position: &AnyPosition) {
    let AnalysedGame { history, current, analysis, .. } = *game;
    let rules = position.rules();
    let is_over = current == history.len() && matches!(history.turn(), Turn::Over(_));
    let candidates = analysis.lines_of(position);
    if is_over || matches!(position.turn(), Turn::Over(_)) {
        let value = analysis.value_at(history, current);
        let text = value.map(|value| evaluation_bar::text(rules, value));
        widgets::note(ui, &text.unwrap_or_default());
    } else if let Turn::Throw(side) = position.turn() {
        widgets::note(ui, &tr_args("study.throw-due", &[("side", side_label(rules, side))]));
    } else if candidates.is_empty() {
        widgets::note(ui, tr("study.looking"));
    }
    for (index, candidate) in candidates.iter().enumerate() {
        best_line(ui, rules, index + 1, candidate);
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
    let depth = tr_args("study.depth", &[("depth", &line.depth.to_string())]);
    format!("{name}  {value}  ·  {depth}  ·  {}", line.variation)
}

/// Luck and skill of both sides in Tablan.
fn review_texts(ui: &mut Ui, game: &AnalysedGame<'_>, position: &AnyPosition) {
    if let Some(review) = game.analysis.review_of(game.history) {
        for side in Side::BOTH {
            widgets::wrapped(ui, &luck_and_skill(position.rules(), review, side), SMALL, TEXT);
        }
        widgets::note(ui, tr("study.equity"));
    } else if game.reviews && matches!(position, AnyPosition::Tablan(_)) && !game.history.is_empty()
    {
        widgets::note(ui, tr("study.reviewing"));
    }
}

/// One of the best lines.
fn best_line(ui: &mut Ui, rules: RuleSet, number: usize, candidate: &Candidate) {
    let depth = candidate.depth.to_string();
    let certainty = if candidate.exact {
        tr("study.proven").to_owned()
    } else {
        tr_args("study.depth", &[("depth", &depth)])
    };
    let value = evaluation_bar::text(rules, candidate.value);
    let whole = format!("{number}.  {value}  ·  {certainty}  ·  {}", candidate.variation);
    let short = format!("{number}.  {value}  ·  {}", candidate.variation);
    let text = if ui.available_width() < ROOMY_WIDTH / 2.0 { &short } else { &whole };
    let color = if number == 1 { ACCENT } else { TEXT };
    widgets::wrapped(ui, text, SMALL, color).on_hover_text(&whole);
}

/// The judgement of the last ply: a throw's luck, or what a move gave away.
fn ply_text(game: &AnalysedGame<'_>, mistakes: &[Mistake]) -> Option<String> {
    let AnalysedGame { history, current: at, analysis, .. } = *game;
    let played = history.notation(at);
    if let Some(mistake) = mistakes.iter().find(|mistake| mistake.ply == at) {
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

/// How many of the game's positions are judged, until all are.
fn progress(game: &AnalysedGame<'_>) -> Option<String> {
    let [done, all] = game.analysis.progress(game.history);
    (done < all).then(|| {
        let (done, all) = (done.to_string(), all.to_string());
        tr_args("desk.analysing", &[("done", &done), ("all", &all)])
    })
}

/// The sign behind a mistake in the list of moves: `?` or `??`.
pub(super) fn sign(mistakes: &[Mistake], ply: usize) -> Option<&'static str> {
    mistakes.iter().find(|mistake| mistake.ply == ply).map(|mistake| mistake.verdict.sign())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::core::actions::ReplayAction;
    use crate::{engines::StopSignal, games::Ply};

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
        assert!(
            said.starts_with("South: luck ") && said.contains("(1 choices)")
                || said.contains(": 1"),
            "{said}"
        );
        assert_eq!([hundredths(-0.004, true), hundredths(-0.001, false)], ["+0.00", "0.00"]);
        let analysis = Analysis { review: Some((history.clone(), review)), ..Analysis::default() };
        let game = AnalysedGame {
            history: &history,
            current: 2,
            revealed: 2,
            analysis: &analysis,
            reviews: true,
            first_text: "",
            go_to: |ply| ReplayAction::Jump(ply).into(),
        };
        let luck = localize_decimal(&format!("{:+.2}", toss.luck()));
        let told = ply_text(&game, &[]).expect("a text about the throw");
        assert!(told.contains(&luck), "{told} tells {luck}");
        let chosen = AnalysedGame { current: 1, ..game };
        assert!(
            ply_text(&chosen, &analysis.mistakes(&history)).is_some(),
            "a text about the choice"
        );
    }
}
