//! The analysis under the board: the best lines of the position shown, what
//! the ply shown was worth, luck and skill in Tablan, and the graph of the
//! whole game.

use bevy_egui::egui::{Context, Label, Rect, RichText, Ui, UiBuilder, Vec2};

use crate::{
    app::{
        analysis::{Analysis, Candidate, Mistake, Verdict},
        core::actions::Action,
        ui::{
            theme::{self, ACCENT, ALARM, BAR, INK, SMALL},
            widgets::{self, evaluation_bar, evaluation_graph},
        },
    },
    engines::tablan::Review,
    games::{AnyPosition, Game, GameHistory, GameKind, RuleSet, Side, Turn},
    i18n::{localize_decimal, tr, tr_args},
    table::side_label,
};

/// How high the analysis is in a window of this size.
pub(crate) const fn height(window: Vec2) -> f32 {
    if window.x < ROOMY || is_low(window.y) { 94.0 } else { 142.0 }
}

/// Whether a window is so low that the analysis takes the sticks' place.
pub(crate) const fn is_low(height: f32) -> bool {
    height < 480.0
}

/// From this width on there is room for all words.
const ROOMY: f32 = 560.0;

/// What is analysed.
pub(crate) struct Studied<'a> {
    /// The game.
    pub(crate) line: &'a GameHistory<AnyPosition>,
    /// How many of its plies are shown.
    pub(crate) at: usize,
    /// How many of them may be told of: a throw that still tumbles is not
    /// given away.
    pub(crate) told: usize,
    /// What is known of it.
    pub(crate) advice: &'a Analysis,
    /// Whether luck and skill are told apart here.
    pub(crate) reviews: bool,
    /// What is told first, where it has no other place.
    pub(crate) told_first: &'a str,
    /// What goes to a ply.
    pub(crate) go: fn(usize) -> Action,
}

/// Shows the analysis.
pub(crate) fn show(context: &Context, place: Rect, studied: &Studied<'_>, asked: &mut Vec<Action>) {
    widgets::pane(context, "study", place, theme::pane(), |ui| {
        let mut mistakes = studied.advice.mistakes(studied.line);
        mistakes.retain(|mistake| mistake.ply <= studied.told);
        let room = ui.available_rect_before_wrap();
        let (left, right) = room.split_left_right_at_fraction(0.6);
        let right = right.with_min_x(right.left() + BAR + 4.0);
        ui.scope_builder(UiBuilder::new().max_rect(right), |ui| {
            evaluation_graph::draw(ui, studied, &mistakes, asked);
        });
        ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
            // What is told first is in sight at once.
            let scroll = ("study-scroll", studied.told_first);
            widgets::scrolling(ui, scroll, left.height(), |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.spacing_mut().interact_size.y = 18.0;
                words(ui, studied, &mistakes);
            });
        });
    });
}

fn words(ui: &mut Ui, studied: &Studied<'_>, mistakes: &[Mistake]) {
    let Studied { line, at, advice, .. } = *studied;
    let Some(position) = line.at(at) else { return };
    let rules = position.rules();
    if !studied.told_first.is_empty() {
        widgets::wrapped(ui, studied.told_first, SMALL, ACCENT);
    }
    if let Some(text) = of_the_ply(studied, mistakes) {
        let bad = mistakes.iter().any(|mistake| mistake.ply == at);
        widgets::wrapped(ui, &text, SMALL, if bad { ALARM } else { INK });
    }
    let over = at == line.len() && matches!(line.turn(), Turn::Over(_));
    let lines = advice.lines_of(position);
    if over || matches!(position.turn(), Turn::Over(_)) {
        let value = advice.value_at(line, at).map(|value| evaluation_bar::words(rules, value));
        widgets::note(ui, &value.unwrap_or_default());
    } else if let Turn::Throw(side) = position.turn() {
        widgets::note(ui, &tr_args("study.throw-due", &[("side", side_label(rules, side))]));
    } else if lines.is_empty() {
        widgets::note(ui, tr("study.looking"));
    }
    for (number, candidate) in lines.iter().enumerate() {
        row(ui, rules, number, candidate);
    }
    if let Some(review) = advice.review_of(line) {
        for side in Side::BOTH {
            let text = sums(rules, review, side);
            widgets::wrapped(ui, &text, SMALL, INK);
        }
        widgets::note(ui, tr("study.equity"));
    } else if studied.reviews && matches!(position, AnyPosition::Tablan(_)) && !line.is_empty() {
        widgets::note(ui, tr("study.reviewing"));
    }
    if let Some(text) = progress(studied) {
        widgets::note(ui, &text);
    }
    // Where nothing is captured, pieces measure nothing.
    let (colours, graph) = match rules.game() {
        GameKind::Tablut | GameKind::Tablan => ("study.colours", "study.graph"),
        GameKind::Tablaaza => ("study.colours-city", "study.graph-city"),
    };
    widgets::note(ui, tr(colours));
    let [first, second] = Side::BOTH.map(|side| side_label(rules, side));
    widgets::note(ui, &tr_args(graph, &[("first", first), ("second", second)]));
}

/// One of the best lines.
fn row(ui: &mut Ui, rules: RuleSet, number: usize, candidate: &Candidate) {
    let depth = candidate.depth.to_string();
    let how = if candidate.exact {
        tr("study.proven").to_owned()
    } else {
        tr_args("study.depth", &[("depth", &depth)])
    };
    let worth = evaluation_bar::words(rules, candidate.value);
    let number = number + 1;
    let whole = format!("{number}.  {worth}  ·  {how}  ·  {}", candidate.play);
    let short = format!("{number}.  {worth}  ·  {}", candidate.play);
    let text = if ui.available_width() < ROOMY / 2.0 { &short } else { &whole };
    let ink = if number == 1 { ACCENT } else { INK };
    // A line of moves may be long: it ends where the room does.
    let line = RichText::new(text).size(SMALL).color(ink);
    let line = Label::new(line).truncate().show_tooltip_when_elided(false);
    ui.add(line).on_hover_text(&whole);
}

/// What the ply shown was worth: a throw's luck, or what a move gave away.
fn of_the_ply(studied: &Studied<'_>, mistakes: &[Mistake]) -> Option<String> {
    let Studied { line, at, advice, .. } = *studied;
    let played = line.notation(at);
    if let Some(mistake) = mistakes.iter().find(|mistake| mistake.ply == at) {
        let best = line.at(at.checked_sub(1)?)?.notation(mistake.best);
        let names = [("move", played.as_deref()?), ("best", best.as_str())];
        let mut text = match mistake.verdict {
            Verdict::Mistake => tr_args("study.mistake", &names),
            Verdict::Blunder => tr_args("study.blunder", &names),
        };
        if let Some(choice) = advice.review_of(line).and_then(|review| review.move_at(at)) {
            text += &tr_args(
                "study.gave",
                &[("error", &localize_decimal(&format!("{:.2}", choice.error())))],
            );
        }
        return Some(text);
    }
    let review = advice.review_of(line)?;
    if let Some(toss) = review.throw_at(at) {
        let side = side_label(line.start().rules(), toss.side);
        let (throw, luck) = (toss.throw.to_string(), hundredths(toss.luck(), true));
        return Some(tr_args("study.toss", &[("side", side), ("throw", &throw), ("luck", &luck)]));
    }
    let choice = review.move_at(at)?;
    let error = localize_decimal(&format!("{:.2}", choice.error()));
    let name = ("move", played.as_deref()?);
    Some(if choice.error() < 0.005 {
        tr_args("study.best-chosen", &[name])
    } else {
        let best = line.at(at.checked_sub(1)?)?;
        let best = best.notation(crate::games::AnyMove::Tablan(choice.best));
        tr_args("study.small", &[name, ("error", &error), ("best", &best)])
    })
}

/// A side's luck and skill, added up.
fn sums(rules: RuleSet, review: &Review, side: Side) -> String {
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

/// A number with two decimals, and its sign where it is `signed`; nothing is
/// less than no hundredth.
fn hundredths(number: f32, signed: bool) -> String {
    let number = if number.abs() < 0.005 { 0.0 } else { number };
    localize_decimal(&if signed { format!("{number:+.2}") } else { format!("{number:.2}") })
}

/// How many of the game's positions are judged, until all are.
fn progress(studied: &Studied<'_>) -> Option<String> {
    let Studied { line, advice, .. } = *studied;
    let due = |ply: &usize| {
        let over = *ply == line.len() && matches!(line.turn(), Turn::Over(_));
        !over && line.at(*ply).is_some_and(|it| matches!(it.turn(), Turn::Move(_)))
    };
    let all = (0..=line.len()).filter(due).count();
    let known =
        |ply: &usize| line.at(*ply).is_some_and(|it| advice.evaluations.contains_key(&it.key()));
    let done = (0..=line.len()).filter(due).filter(known).count();
    (done < all).then(|| {
        let (done, all) = (done.to_string(), all.to_string());
        tr_args("desk.analysing", &[("done", &done), ("all", &all)])
    })
}

/// The sign behind a move of the list that gave something away.
pub(crate) fn sign(mistakes: &[Mistake], ply: usize) -> Option<&'static str> {
    mistakes.iter().find(|mistake| mistake.ply == ply).map(|mistake| mistake.verdict.sign())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::core::actions::ReplayAction;
    use crate::{engines::StopSignal, games::Ply};

    #[test]
    fn luck_and_skill_are_told_in_words() {
        let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1").expect("a position");
        let mut line = GameHistory::new(start);
        for text in ["e1-f1+a1-b1", "t4"] {
            let ply = line.parse(text).expect("a ply");
            line.push(ply).expect("legal");
        }
        assert!(matches!(line.ply(2), Some(Ply::Throw(_))));
        let review = crate::engines::tablan::review(&line, &StopSignal::default()).expect("Tablan");
        let toss = *review.throw_at(2).expect("a throw");
        let said = sums(RuleSet::Tablan, &review, Side::First);
        assert!(
            said.starts_with("South: luck ") && said.contains("(1 choices)")
                || said.contains(": 1"),
            "{said}"
        );
        assert_eq!([hundredths(-0.004, true), hundredths(-0.001, false)], ["+0.00", "0.00"]);
        let advice = Analysis { review: Some((line.clone(), review)), ..Analysis::default() };
        let studied = Studied {
            line: &line,
            at: 2,
            told: 2,
            advice: &advice,
            reviews: true,
            told_first: "",
            go: |ply| ReplayAction::Jump(ply).into(),
        };
        let luck = localize_decimal(&format!("{:+.2}", toss.luck()));
        let told = of_the_ply(&studied, &[]).expect("a word on the throw");
        assert!(told.contains(&luck), "{told} tells {luck}");
        let chosen = Studied { at: 1, ..studied };
        assert!(of_the_ply(&chosen, &advice.mistakes(&line)).is_some(), "a word on the choice");
    }
}
