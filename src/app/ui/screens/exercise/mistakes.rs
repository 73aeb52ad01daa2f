//! A mistake of a finished game.

use super::{Exercise, Feedback};
use crate::{
    app::{
        practice::{PracticeAttempt, PracticePhase, PractisedGame},
        ui::prelude::*,
    },
    engines::{Judgement, Verdict},
    session::{Exercise as Task, ExerciseResult, Practice, describe_giveaway},
};

pub(super) fn exercise(game: &PractisedGame, analysis: &Analysis) -> Exercise {
    let practice = game.practice().filter(|practice| practice.exercise().is_some());
    Exercise {
        title: tr("act.learn-from-mistakes").to_owned(),
        step: practice.map(|practice| [practice.current(), practice.len()]),
        id: format!("{:?}", game.practice().map(Practice::current)),
        task: texts(game, analysis),
        notes: Vec::new(),
        feedback: feedback(game),
        status: status(game).to_owned(),
        more: &[],
    }
}

/// The status line while no move is awaited.
fn status(game: &PractisedGame) -> &'static str {
    match (game.attempt(), game.practice().and_then(Practice::exercise)) {
        (None, _) => tr("practice.wait"),
        (Some(_), None) if has_no_mistakes(game) => tr("practice.none"),
        (Some(_), None) => tr("practice.over"),
        (Some(PracticeAttempt::Passed(_)), Some(_)) => tr("practice.passed"),
        (Some(PracticeAttempt::Refuted(..)), Some(_)) => tr("practice.refuting"),
        (Some(_), Some(_)) => tr("practice.judging"),
    }
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

fn task(practice: &Practice, exercise: &Task) -> Vec<String> {
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
