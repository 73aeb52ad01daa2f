//! The puzzle trainer, in place of the list of moves: the task, what the last try was
//! worth, the rating and the streak.

use bevy_egui::egui::{Color32, Context, FontId, Rect, Ui, UiBuilder, vec2};

use super::practice_panel::refutation;
use crate::{
    app::{
        core::actions::{Action, GameAction},
        puzzles::{PuzzleAttempt, PuzzleTrainer, TrainedPuzzle},
        ui::{
            theme::{self, ACCENT, BODY, ERROR, MUTED, SMALL, TEXT},
            widgets,
        },
    },
    games::{AnyMove, Game},
    i18n::{lookup, tr, tr_args},
    table::{
        puzzles::{Goal, Theme},
        rules_label, side_label,
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
    widgets::panel(context, "puzzles", rect, theme::panel_frame(), |ui| {
        let rules = rules_label(current.rules());
        widgets::heading(ui, &tr_args("puzzles.of", &[("rules", rules)]));
        if ui.available_width() < 220.0 {
            ui.spacing_mut().button_padding.x = 6.0;
            ui.spacing_mut().item_spacing.x = 4.0;
        }
        let buttons = if ui.available_width() < 420.0 { 84.0 } else { 46.0 };
        let feedback = feedback(current);
        let free = ui.available_height() - buttons;
        // Where there is little room, what is new comes first and all is scrolled.
        let (first, last) =
            if free < ROOMY_HEIGHT { (Some(feedback), None) } else { (None, Some(feedback)) };
        let feedback_height = last.as_ref().map_or(0.0, |(text, color)| {
            let (font, width) = (FontId::proportional(BODY), ui.available_width());
            ui.painter().layout(text.clone(), font, *color, width).size().y + 12.0
        });
        let new_text = first.as_ref().map(|(text, _)| text.clone());
        let id = ("puzzles-scroll", current.puzzle.id(), new_text);
        let room = (free - feedback_height).max(40.0);
        widgets::scroll_area(ui, id, room, |ui| {
            if let Some((text, color)) = first {
                widgets::wrapped(ui, &text, BODY, color);
            }
            widgets::wrapped(ui, &task(current), BODY + 1.0, TEXT);
            for text in standing(trainer, current) {
                widgets::wrapped(ui, &text, SMALL, MUTED);
            }
            let theme = trainer.theme().map_or(tr("puzzles.all-themes"), theme_name);
            let button = widgets::button(ui, &tr_args("puzzles.theme", &[("theme", theme)]));
            if button.on_hover_text(tr("puzzles.theme-hint")).clicked() {
                actions.push(GameAction::FilterPuzzles(trainer.next_theme()).into());
            }
        });
        if let Some((text, color)) = last {
            ui.add_space(6.0);
            widgets::wrapped(ui, &text, BODY, color);
        }
        // The buttons stay in place from puzzle to puzzle.
        let foot = ui.max_rect();
        let foot = foot.with_min_y(foot.bottom() - buttons + 6.0);
        ui.scope_builder(UiBuilder::new().max_rect(foot), |ui| {
            ui.horizontal_wrapped(|ui| step_buttons(ui, current, actions));
        });
    });
}

/// From this height on the task and the last try's feedback have room (points).
const ROOMY_HEIGHT: f32 = 220.0;

/// The status line while no move is awaited.
pub(super) fn status(current: &TrainedPuzzle) -> &'static str {
    match current.attempt {
        PuzzleAttempt::Solved => tr("status.step"),
        PuzzleAttempt::Refuted(..) => tr("practice.refuting"),
        PuzzleAttempt::Answering(_) => tr("puzzles.right"),
        PuzzleAttempt::Waiting | PuzzleAttempt::Judging(_) | PuzzleAttempt::Missed(_) => {
            tr("practice.judging")
        }
    }
}

/// What is to be found.
fn task(current: &TrainedPuzzle) -> String {
    let side = side_label(current.rules(), current.side());
    let (key, moves) = match current.puzzle.goal {
        Goal::Win(1) => ("puzzles.win-now", 1),
        Goal::Win(plies) => ("puzzles.win", plies.div_ceil(2)),
        Goal::Defend => ("puzzles.defend", 1),
        Goal::OnlyWin => ("puzzles.only-win", 1),
        Goal::Gain(_) => ("puzzles.gain", 1),
    };
    tr_args(key, &[("side", side), ("moves", &moves.to_string())])
}

/// The player's rating, the streak and what comes back.
fn standing(trainer: &PuzzleTrainer, current: &TrainedPuzzle) -> Vec<String> {
    let number = |number: u32| number.to_string();
    let rating = trainer.progress().rating(current.rules()).rating;
    let rating = format!("{rating:.0}");
    let key = if trainer.theme().is_none() { "puzzles.rating" } else { "puzzles.unrated" };
    let (streak, best) = (trainer.progress().streak(), trainer.progress().best_streak());
    let mut lines = vec![
        tr_args(key, &[("rating", &rating)]),
        tr_args("puzzles.streak", &[("streak", &number(streak)), ("best", &number(best))]),
    ];
    if current.came_back {
        lines.push(tr("puzzles.came-back").to_owned());
    }
    let due = trainer.due();
    if due > 0 {
        lines.push(tr_args("puzzles.due", &[("count", &due.to_string())]));
    }
    if current.result.is_some() {
        let names = current.puzzle.themes.iter().map(|theme| theme_name(*theme));
        let themes = names.collect::<Vec<_>>().join(", ");
        let rating = number(current.puzzle.rating);
        lines.push(tr_args("puzzles.about", &[("themes", &themes), ("rating", &rating)]));
    }
    lines
}

fn theme_name(theme: Theme) -> &'static str {
    lookup(&format!("puzzles.theme-{}", theme.id())).unwrap_or_else(|| theme.id())
}

/// What the last try was worth, and its colour.
fn feedback(current: &TrainedPuzzle) -> (String, Color32) {
    let before = &current.played;
    let written = |mv: AnyMove| before.position().notation(mv);
    match &current.attempt {
        PuzzleAttempt::Waiting if current.was_shown => {
            let solution = current.solution().map(written).unwrap_or_default();
            (tr_args("puzzles.shown", &[("move", &solution)]), ACCENT)
        }
        PuzzleAttempt::Waiting if before.is_empty() => (tr("lesson.try").to_owned(), ACCENT),
        PuzzleAttempt::Waiting => (tr("puzzles.go-on").to_owned(), ACCENT),
        PuzzleAttempt::Answering(_) => (tr("puzzles.right").to_owned(), ACCENT),
        PuzzleAttempt::Judging(mv) => (tr_args("puzzles.wrong", &[("move", &written(*mv))]), ERROR),
        PuzzleAttempt::Refuted(judgement, _) => (refutation(before, judgement), ERROR),
        PuzzleAttempt::Missed(judgement) => {
            let why = judgement.as_ref().map(|it| refutation(before, it));
            let again = tr("practice.again");
            (why.map_or_else(|| again.to_owned(), |why| format!("{why} {again}")), ERROR)
        }
        PuzzleAttempt::Solved => {
            let key = match current.result {
                Some((true, 0)) => "puzzles.solved-unrated",
                Some((true, _)) => "puzzles.solved",
                Some((false, _)) | None => "puzzles.solved-late",
            };
            let change = current.result.map_or(0, |(_, change)| change);
            (tr_args(key, &[("change", &format!("{change:+}"))]), ACCENT)
        }
    }
}

fn step_buttons(ui: &mut Ui, current: &TrainedPuzzle, actions: &mut Vec<Action>) {
    let size = vec2(76.0, 32.0);
    let next = if current.result.is_some() {
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
