//! Learn from your mistakes, in place of the list of moves: the exercise, what the last
//! try was worth, and at the end a summary.

use bevy_egui::egui::{Context, Rect, Ui, vec2};

use super::exercise_panel::{ExercisePanel, Feedback};
use crate::{
    app::{
        analysis::Analysis,
        core::actions::{Action, GameAction},
        practice::{PracticeAttempt, PracticePhase, PractisedGame},
        ui::{
            theme::{ACCENT, BODY, ERROR, TEXT},
            widgets,
        },
    },
    engines::{Judgement, Verdict},
    games::{AnyMove, AnyPosition, Game, GameHistory},
    i18n::{tr, tr_args},
    session::{Exercise, ExerciseResult, Practice, describe_giveaway, side_label},
};

/// Shows the practice.
pub(super) fn show(
    context: &Context,
    rect: Rect,
    game: &PractisedGame,
    analysis: &Analysis,
    actions: &mut Vec<Action>,
) {
    let panel = ExercisePanel {
        id: "practice",
        heading: &title(game),
        step: game.practice().map(Practice::current),
        feedback: feedback(game),
    };
    let add_task = |ui: &mut Ui| {
        for text in texts(game, analysis) {
            widgets::wrapped(ui, &text, BODY + 1.0, TEXT);
        }
    };
    panel.show(context, rect, add_task, |ui| step_buttons(ui, game, actions));
}

/// The status line while no move is awaited.
pub(super) fn status(game: &PractisedGame) -> &'static str {
    match (game.attempt(), game.practice().and_then(Practice::exercise)) {
        (None, _) => tr("practice.wait"),
        (Some(_), None) if has_no_mistakes(game) => tr("practice.none"),
        (Some(_), None) => tr("practice.over"),
        (Some(PracticeAttempt::Passed(_)), Some(_)) => tr("practice.passed"),
        (Some(PracticeAttempt::Refuted(..)), Some(_)) => tr("practice.refuting"),
        (Some(_), Some(_)) => tr("practice.judging"),
    }
}

/// The heading: which exercise of how many.
fn title(game: &PractisedGame) -> String {
    let place = game.practice().filter(|practice| practice.exercise().is_some());
    place.map_or_else(
        || tr("practice.title").to_owned(),
        |practice| {
            let (number, all) = (practice.current() + 1, practice.len());
            let (number, all) = (number.to_string(), all.to_string());
            tr_args("practice.of", &[("number", &number), ("all", &all)])
        },
    )
}

/// The task, or how far the analysis is, or the summary.
fn texts(game: &PractisedGame, analysis: &Analysis) -> Vec<String> {
    match &game.phase {
        PracticePhase::Analysing => vec![match game.progress(analysis) {
            Some([done, all]) => {
                let (done, all) = (done.to_string(), all.to_string());
                tr_args("desk.analysing", &[("done", &done), ("all", &all)])
            }
            None => tr("study.reviewing").to_owned(),
        }],
        PracticePhase::Checking { suspects, .. } => {
            vec![tr_args("practice.checking", &[("count", &suspects.len().to_string())])]
        }
        PracticePhase::Exercises { practice, .. } => match practice.exercise() {
            Some(exercise) => task(practice, exercise),
            None => summary(game, practice),
        },
    }
}

fn task(practice: &Practice, exercise: &Exercise) -> Vec<String> {
    let before = practice.before();
    let judgement = &exercise.judgement;
    let side = side_label(practice.rules(), before.position().side());
    let played = before.position().notation(judgement.played);
    let names = [("side", side), ("move", played.as_str())];
    let played = match judgement.verdict() {
        Some(Verdict::Blunder) => tr_args("practice.blunder", &names),
        Some(Verdict::Mistake) | None => tr_args("practice.mistake", &names),
    };
    let what = describe_giveaway(&before, judgement).localized();
    vec![played, what, tr("practice.find").to_owned()]
}

/// Whether all moves are judged, and none is a mistake.
fn has_no_mistakes(game: &PractisedGame) -> bool {
    game.practice().is_some_and(Practice::is_empty) && game.unjudged() == 0
}

/// How many mistakes there were, and what came of them; a line each.
fn summary(game: &PractisedGame, practice: &Practice) -> Vec<String> {
    if has_no_mistakes(game) {
        return vec![tr("practice.none").to_owned()];
    }
    let totals = practice.totals();
    let lines = [
        ("practice.total", practice.len()),
        ("practice.at-once", totals.at_once),
        ("practice.later", totals.later),
        ("practice.were-shown", totals.shown),
        ("practice.open", totals.open),
        ("practice.not-judged", game.unjudged()),
    ];
    let lines = lines.into_iter().filter(|(_, count)| *count > 0);
    lines.map(|(key, count)| tr_args(key, &[("count", &count.to_string())])).collect()
}

fn feedback(game: &PractisedGame) -> Option<Feedback> {
    let (practice, attempt) = game.practice().zip(game.attempt())?;
    let exercise = practice.exercise()?;
    let before = practice.before();
    let written = |mv: AnyMove| before.position().notation(mv);
    Some(match attempt {
        PracticeAttempt::Waiting if exercise.result == Some(ExerciseResult::Shown) => {
            let best = written(exercise.judgement.best);
            (tr_args("practice.shown", &[("move", &best)]), ACCENT)
        }
        PracticeAttempt::Waiting => (tr("lesson.try").to_owned(), ACCENT),
        PracticeAttempt::Judging(mv) => {
            (tr_args("practice.judging-move", &[("move", &written(*mv))]), TEXT)
        }
        PracticeAttempt::Passed(judgement) if judgement.is_best() => {
            (tr_args("practice.best", &[("move", &written(judgement.played))]), ACCENT)
        }
        PracticeAttempt::Passed(judgement) => {
            let (mv, best) = (written(judgement.played), written(judgement.best));
            (tr_args("practice.good", &[("move", &mv), ("best", &best)]), ACCENT)
        }
        PracticeAttempt::Refuted(judgement, _) => (refutation(&before, judgement), ERROR),
        PracticeAttempt::Missed(judgement) => {
            (format!("{} {}", refutation(&before, judgement), tr("practice.again")), ERROR)
        }
        PracticeAttempt::Unjudged => (tr("practice.unjudged").to_owned(), ERROR),
    })
}

/// Why a try does not pass, with the engine's answer.
pub(super) fn refutation(before: &GameHistory<AnyPosition>, judgement: &Judgement) -> String {
    let mv = before.position().notation(judgement.played);
    let what = describe_giveaway(before, judgement).localized();
    let mut after = before.position().clone();
    let reply = judgement.reply.filter(|_| after.play(judgement.played).is_ok());
    match reply {
        Some(reply) => {
            let answer = after.notation(reply);
            let names = [("move", mv.as_str()), ("what", &what), ("answer", &answer)];
            tr_args("practice.answered", &names)
        }
        None => tr_args("practice.wrong", &[("move", &mv), ("what", &what)]),
    }
}

fn step_buttons(ui: &mut Ui, game: &PractisedGame, actions: &mut Vec<Action>) {
    let Some(practice) = game.practice() else {
        if widgets::button(ui, tr("practice.leave")).clicked() {
            actions.push(GameAction::LeavePractice.into());
        }
        return;
    };
    let size = vec2(76.0, 32.0);
    let Some(exercise) = practice.exercise() else {
        if widgets::primary_button(ui, tr("practice.leave"), size).clicked() {
            actions.push(GameAction::LeavePractice.into());
        }
        if !practice.is_empty() && widgets::button(ui, tr("practice.restart")).clicked() {
            actions.push(GameAction::FirstLessonStep.into());
        }
        return;
    };
    ui.add_enabled_ui(practice.current() > 0, |ui| {
        if widgets::button(ui, tr("lesson.back")).clicked() {
            actions.push(GameAction::PreviousLessonStep.into());
        }
    });
    let next = if exercise.result.is_some() {
        widgets::primary_button(ui, tr("lesson.next"), size)
    } else {
        widgets::button(ui, tr("lesson.next"))
    };
    if next.clicked() {
        actions.push(GameAction::NextLessonStep.into());
    }
    let show = widgets::button(ui, tr("practice.show"));
    if show.on_hover_text(tr("practice.show-hint")).clicked() {
        actions.push(GameAction::Hint.into());
    }
    let leave = widgets::button(ui, tr("practice.exit"));
    widgets::set_accessible_label(&leave, tr("practice.leave"));
    if leave.on_hover_text(tr("practice.leave")).clicked() {
        actions.push(GameAction::LeavePractice.into());
    }
}
