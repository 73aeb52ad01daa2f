//! The puzzle trainer, in place of the list of moves: the task, what the last try was
//! worth, the rating and the streak.

use bevy_egui::egui::{Context, Rect, Ui, vec2};

use super::{
    exercise_panel::{ExercisePanel, Feedback},
    practice_panel::refutation,
};
use crate::{
    app::{
        core::actions::{Action, GameAction},
        puzzles::{PuzzleAttempt, PuzzleTrainer, TrainedPuzzle},
        ui::{
            theme::{ACCENT, BODY, ERROR, MUTED, SMALL, TEXT},
            widgets,
        },
    },
    games::{AnyMove, Game},
    i18n::{signed, tr, tr_args},
    session::{
        puzzles::{Theme, describe_task, describe_themes, theme_label},
        rules_label,
    },
};

/// Shows the puzzle on the board.
pub(super) fn show(
    context: &Context,
    rect: Rect,
    trainer: &PuzzleTrainer,
    current: &TrainedPuzzle,
    actions: &mut Vec<Action>,
) {
    let mut heading = tr_args("puzzles.of", &[("rules", rules_label(current.rules()))]);
    let player = trainer.training().player();
    if !player.is_empty() {
        heading = format!("{heading} · {player}");
    }
    let panel = ExercisePanel {
        id: "puzzles",
        heading: &heading,
        step: current.puzzle.id(),
        feedback: Some(feedback(current)),
    };
    // Task and buttons both request actions.
    let mut filter = None;
    let add_task = |ui: &mut Ui| {
        widgets::wrapped(ui, &describe_task(&current.puzzle), BODY + 1.0, TEXT);
        for text in standing(trainer, current) {
            widgets::wrapped(ui, &text, SMALL, MUTED);
        }
        let training = trainer.training();
        let label = |theme: Option<Theme>| {
            let name = theme.map_or(tr("puzzles.all-themes"), theme_label);
            format!("{name} ({})", training.count(theme))
        };
        let themes = [None].into_iter().chain(training.themes().map(Some));
        let themes = themes.map(|theme| (theme, label(theme))).collect();
        let (mut theme, width) = (training.theme(), ui.available_width());
        widgets::drop_down(ui, tr("puzzles.theme"), width, &mut theme, themes)
            .on_hover_text(tr("puzzles.theme-hint"));
        if theme != training.theme() {
            filter = Some(GameAction::FilterPuzzles(theme).into());
        }
    };
    panel.show(context, rect, add_task, |ui| step_buttons(ui, current, actions));
    actions.extend(filter);
}

/// The status line while no move is awaited.
pub(super) fn status(current: &TrainedPuzzle) -> &'static str {
    match current.attempt {
        PuzzleAttempt::Solved => tr("puzzles.over"),
        PuzzleAttempt::Refuted(..) => tr("practice.refuting"),
        PuzzleAttempt::Answering(_) => tr("puzzles.right"),
        PuzzleAttempt::Waiting | PuzzleAttempt::Judging(_) | PuzzleAttempt::Missed(_) => {
            tr("practice.judging")
        }
    }
}

/// The player's rating, the streak and what comes back.
fn standing(trainer: &PuzzleTrainer, current: &TrainedPuzzle) -> Vec<String> {
    let number = |number: u32| number.to_string();
    let rating = trainer.training().progress().rating(current.rules()).rating;
    let rating = format!("{rating:.0}");
    let key =
        if trainer.training().theme().is_none() { "puzzles.rating" } else { "puzzles.unrated" };
    let (streak, best) =
        (trainer.training().progress().streak(), trainer.training().progress().best_streak());
    let mut lines = vec![
        tr_args(key, &[("rating", &rating)]),
        tr_args("puzzles.streak", &[("streak", &number(streak)), ("best", &number(best))]),
    ];
    if current.came_back {
        lines.push(tr("puzzles.came-back").to_owned());
    }
    let due = trainer.training().due();
    match due {
        0 => {}
        1 => lines.push(tr("puzzles.one-due").to_owned()),
        _ => lines.push(tr_args("puzzles.due", &[("count", &due.to_string())])),
    }
    if current.result.is_some() {
        lines.push(describe_themes(&current.puzzle));
    }
    lines
}

fn feedback(current: &TrainedPuzzle) -> Feedback {
    let before = &current.played;
    let written = |mv: AnyMove| before.position().notation(mv);
    match &current.attempt {
        PuzzleAttempt::Waiting if current.was_shown => {
            let solution = current.solution().map(written).unwrap_or_default();
            let shown = tr_args("puzzles.shown", &[("move", &solution)]);
            (with_loss(&shown, current), ACCENT)
        }
        PuzzleAttempt::Waiting if before.is_empty() => (tr("lesson.try").to_owned(), ACCENT),
        PuzzleAttempt::Waiting => (tr("puzzles.go-on").to_owned(), ACCENT),
        PuzzleAttempt::Answering(_) => (tr("puzzles.right").to_owned(), ACCENT),
        PuzzleAttempt::Judging(mv) => (tr_args("puzzles.wrong", &[("move", &written(*mv))]), ERROR),
        PuzzleAttempt::Refuted(judgement, _) => (refutation(before, judgement), ERROR),
        PuzzleAttempt::Missed(judgement) => {
            let why = judgement.as_ref().map(|it| refutation(before, it));
            let why = with_loss(&why.unwrap_or_default(), current);
            (format!("{why} {}", tr("practice.again")).trim_start().to_owned(), ERROR)
        }
        PuzzleAttempt::Solved => {
            let key = match current.result {
                Some((true, 0)) => "puzzles.solved-unrated",
                Some((true, _)) => "puzzles.solved",
                Some((false, _)) | None => "puzzles.solved-late",
            };
            let change = current.result.map_or(0, |(_, change)| change);
            (tr_args(key, &[("change", &signed(change))]), ACCENT)
        }
    }
}

/// A text with what the miss has cost, if it was rated.
fn with_loss(text: &str, current: &TrainedPuzzle) -> String {
    match current.result {
        Some((false, change)) if change != 0 => {
            let loss = tr_args("puzzles.missed", &[("change", &signed(change))]);
            format!("{text} {loss}").trim_start().to_owned()
        }
        _ => text.to_owned(),
    }
}

fn step_buttons(ui: &mut Ui, current: &TrainedPuzzle, actions: &mut Vec<Action>) {
    let size = vec2(76.0, 32.0);
    let is_done = current.attempt == PuzzleAttempt::Solved || current.was_shown;
    let next = if is_done {
        widgets::primary_button(ui, tr("lesson.next"), size)
    } else {
        widgets::button(ui, tr("lesson.next"))
    };
    if next.clicked() {
        actions.push(GameAction::NextLessonStep.into());
    }
    let show = widgets::button(ui, tr("practice.show"));
    widgets::set_accessible_label(&show, tr("puzzles.show"));
    if show.on_hover_text(tr("puzzles.show")).clicked() {
        actions.push(GameAction::Hint.into());
    }
    let leave = widgets::button(ui, tr("practice.exit"));
    widgets::set_accessible_label(&leave, tr("puzzles.leave"));
    if leave.on_hover_text(tr("puzzles.leave")).clicked() {
        actions.push(GameAction::LeavePractice.into());
    }
}
