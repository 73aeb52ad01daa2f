//! A mistake of a finished game.

use super::{Exercise, Feedback};
use crate::{
    app::{
        game::exercise::Attempt,
        practice::{Exercises, PractisedGame},
        scene::api::MoveMark,
        ui::{prelude::*, widgets::evaluation_bar},
    },
    engines::{Judgement, Score, Verdict},
    session::{Exercise as Task, ExerciseResult, Practice, describe_giveaway},
};

pub(super) fn exercise(game: &PractisedGame, analysis: &Analysis) -> Exercise {
    let practice = &game.exercises.practice;
    let is_shown = practice.exercise().is_some();
    let is_answered = is_answered(&game.exercises);
    let searches = !game.search.is_over();
    let about = vec![about(game.game())];
    // The search goes on beside an exercise.
    let searched = searches.then(|| search_text(game, analysis));
    Exercise {
        title: tr("act.learn-from-mistakes").to_owned(),
        steps: is_shown.then(|| (practice.current(), practice.done().collect())),
        id: practice.current().to_string(),
        task: match practice.exercise() {
            Some(exercise) => task(practice, exercise, is_answered),
            None if searches => about.iter().cloned().chain(searched.clone()).collect(),
            None => [about.clone(), summary(game)].concat(),
        },
        task_mark: Some(MoveMark::Played),
        wait: game.progress(analysis).filter(|_| searches),
        notes: about.into_iter().chain(searched).filter(|_| is_shown).collect(),
        feedback: feedback(&game.exercises),
        judged: None,
        status: status(game).to_owned(),
        names_squares: !is_answered,
        more: &["earlier-game", "play-taught"],
    }
}

/// Which game it is: its name, the opponent and the date.
fn about(game: &GameSession) -> String {
    let date = game.record(None).date.unwrap_or_default().replace('.', "-");
    let name = game_texts::name(game.rules().game()).to_owned();
    let mut parts = vec![name, game_texts::opponent(game), date];
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}

/// The status line while no move is awaited.
fn status(game: &PractisedGame) -> &'static str {
    let exercises = &game.exercises;
    match (&exercises.attempt, exercises.practice.exercise()) {
        (_, None) if !game.search.is_over() => tr("practice.wait"),
        (_, None) if game.has_no_mistakes() => tr("practice.none"),
        (_, None) => tr("practice.over"),
        (_, Some(_)) if is_answered(exercises) => tr("practice.was-shown"),
        (Attempt::Solved(_), Some(_)) => tr("practice.passed"),
        (Attempt::Refuted(..), Some(_)) => tr("practice.refuting"),
        (Attempt::Waiting | Attempt::Missed(_), Some(_)) => "",
        (_, Some(_)) => tr("practice.judging"),
    }
}

/// How far the search for mistakes is.
fn search_text(game: &PractisedGame, analysis: &Analysis) -> String {
    match game.progress(analysis) {
        Some(_) if game.search.is_analysed => {
            let count = game.search.suspects.len().to_string();
            tr_args("practice.checking", &[("count", &count)])
        }
        Some([done, all]) => {
            let (done, all) = (done.to_string(), all.to_string());
            tr_args("desk.analysing", &[("done", &done), ("all", &all)])
        }
        None => tr("study.reviewing").to_owned(),
    }
}

/// Whether the answer was shown and is still seen.
fn is_answered(exercises: &Exercises) -> bool {
    let result = exercises.practice.exercise().and_then(|exercise| exercise.result);
    exercises.attempt == Attempt::Waiting && result == Some(ExerciseResult::Shown)
}

fn task(practice: &Practice, exercise: &Task, is_answered: bool) -> Vec<String> {
    let before = practice.before();
    let judgement = &exercise.judgement;
    let side = side_label(practice.rules(), before.position().side());
    let played = before.position().notation(judgement.played);
    let names = [("side", side), ("move", played.as_str())];
    let played = match judgement.verdict() {
        Some(Verdict::Blunder) => tr_args("practice.blunder", &names),
        Some(Verdict::Mistake) | None => tr_args("practice.mistake", &names),
    };
    if is_answered {
        return vec![played];
    }
    let what = describe_giveaway(&before, judgement).localized();
    vec![played, what, tr("practice.find").to_owned()]
}

/// How many mistakes there were, and what came of them; a line each.
fn summary(game: &PractisedGame) -> Vec<String> {
    if game.has_no_mistakes() {
        return vec![tr("practice.none").to_owned()];
    }
    let practice = &game.exercises.practice;
    let totals = practice.totals();
    let lines = [
        ("practice.total", practice.len()),
        ("practice.at-once", totals.at_once),
        ("practice.later", totals.later),
        ("practice.were-shown", totals.shown),
        ("practice.open", totals.open),
        ("practice.not-judged", game.search.unjudged),
    ];
    let lines = lines.into_iter().filter(|(_, count)| *count > 0);
    lines.map(|(key, count)| tr_args(key, &[("count", &count.to_string())])).collect()
}

fn feedback(exercises: &Exercises) -> Option<Feedback> {
    let practice = &exercises.practice;
    let exercise = practice.exercise()?;
    let before = practice.before();
    let written = |mv: AnyMove| before.position().notation(mv);
    let [right, wrong] = [MoveMark::Right, MoveMark::Wrong].map(Some);
    Some(match &exercises.attempt {
        Attempt::Waiting if is_answered(exercises) => (answer(&before, &exercise.judgement), None),
        Attempt::Waiting => (tr("lesson.try").to_owned(), None),
        Attempt::Judging(mv) => {
            (tr_args("practice.judging-move", &[("move", &written(*mv))]), None)
        }
        Attempt::Solved(Some(judgement)) if judgement.is_best() => {
            (tr_args("practice.best", &[("move", &written(judgement.played))]), right)
        }
        Attempt::Solved(Some(judgement)) => {
            let (mv, best) = (written(judgement.played), written(judgement.best));
            (tr_args("practice.good", &[("move", &mv), ("best", &best)]), right)
        }
        Attempt::Refuted(judgement, _) => (refutation(&before, judgement), wrong),
        Attempt::Missed(Some(judgement)) => {
            (format!("{} {}", refutation(&before, judgement), tr("practice.again")), wrong)
        }
        Attempt::Missed(None) => (tr("practice.unjudged").to_owned(), wrong),
        // Only puzzles are solved without a judgement.
        Attempt::Answering(_) | Attempt::Solved(None) => return None,
    })
}

/// What the best move gains, and what the played move lost.
fn answer(before: &GameHistory<AnyPosition>, judgement: &Judgement) -> String {
    let (rules, side) = (before.start().rules(), before.position().side());
    let value = |score: Score| evaluation_bar::text(rules, Evaluation::from_score(score, side));
    let (best, value_of_best) =
        (before.position().notation(judgement.best), value(judgement.best_score));
    let names = [("move", best.as_str()), ("value", &value_of_best)];
    let mut gains = vec![tr_args("practice.shown", &names)];
    let mut after = before.clone();
    if after.push(Ply::Move(judgement.best)).is_ok() {
        // The first sentence is the move itself.
        gains.extend(describe_ply(&after, after.len()).into_iter().skip(1));
    }
    let then = tr_args("practice.then", &[("value", &value(judgement.played_score))]);
    format!("{}\n{} {then}", gains.join(" "), refutation(before, judgement))
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
