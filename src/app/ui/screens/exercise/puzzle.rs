//! A puzzle: the task, what the last try was worth, the rating and the streak.

use bevy_egui::egui::CollapsingHeader;

use super::{Exercise, Feedback, mistakes::refutation};
use crate::{
    app::{
        game::exercise::Attempt,
        puzzles::TrainedPuzzle,
        ui::{prelude::*, widgets},
    },
    i18n::signed,
    session::puzzles::{
        Theme, describe_task, describe_themes, describe_why, theme_label, theme_meaning,
    },
};

pub(super) fn exercise(trainer: &PuzzleTrainer, current: &TrainedPuzzle) -> Exercise {
    let mut title = tr_args("puzzles.of", &[("rules", rules_label(current.rules()))]);
    let player = trainer.training().player();
    if !player.is_empty() {
        title = format!("{title} · {player}");
    }
    Exercise {
        title,
        step: None,
        id: format!("{:?}", current.puzzle.id()),
        task: vec![describe_task(&current.puzzle)],
        wait: None,
        notes: standing(trainer, current),
        feedback: Some(feedback(current)),
        judged: None,
        status: status(current).to_owned(),
        names_squares: true,
        more: &["first-step"],
    }
}

/// The rating, the streak and the choice of a theme, folded until they are wanted.
pub(super) fn details(
    ui: &mut Ui,
    notes: &[String],
    trainer: &PuzzleTrainer,
    actions: &mut Vec<Action>,
) {
    let heading = RichText::new(tr("puzzles.details")).size(SMALL).color(MUTED);
    CollapsingHeader::new(heading).id_salt("puzzle-details").show(ui, |ui| {
        for text in notes {
            widgets::note(ui, text);
        }
        themes(ui, trainer, actions);
    });
}

/// The choice of a theme.
fn themes(ui: &mut Ui, trainer: &PuzzleTrainer, actions: &mut Vec<Action>) {
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
    if let Some(theme) = theme {
        widgets::note(ui, theme_meaning(theme));
    }
    if theme != training.theme() {
        actions.push(GameAction::FilterPuzzles(theme).into());
    }
}

/// The status line while no move is awaited.
fn status(current: &TrainedPuzzle) -> &'static str {
    match current.attempt {
        Attempt::Solved(_) if current.was_shown => tr("puzzles.shown-over"),
        Attempt::Solved(_) => tr("puzzles.over"),
        Attempt::Refuted(..) => tr("practice.refuting"),
        Attempt::Answering(_) if !current.was_shown => tr("puzzles.right"),
        Attempt::Judging(_) => tr("practice.judging"),
        Attempt::Waiting | Attempt::Missed(_) | Attempt::Answering(_) => "",
    }
}

/// A rating with a greater deviation is a guess.
const ROUGH_DEVIATION: f64 = 150.0;

/// The player's rating, the streak and what comes back.
fn standing(trainer: &PuzzleTrainer, current: &TrainedPuzzle) -> Vec<String> {
    let number = |number: u32| number.to_string();
    let rating = trainer.training().progress().rating(current.rules());
    let is_rough = rating.deviation > ROUGH_DEVIATION;
    let rating = format!("{:.0}", rating.rating);
    let key = match trainer.training().theme() {
        None if is_rough => "puzzles.rating-rough",
        None => "puzzles.rating",
        Some(_) => "puzzles.unrated",
    };
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
        Attempt::Waiting | Attempt::Answering(_) | Attempt::Solved(_) if current.was_shown => {
            let text = with_loss("", current) + "\n" + &describe_why(&current.puzzle);
            (text.trim_start().to_owned(), ACCENT)
        }
        Attempt::Waiting if before.is_empty() => (tr("lesson.try").to_owned(), ACCENT),
        Attempt::Waiting => (tr("puzzles.go-on").to_owned(), ACCENT),
        Attempt::Answering(_) => (tr("puzzles.right").to_owned(), ACCENT),
        Attempt::Judging(mv) => (tr_args("puzzles.wrong", &[("move", &written(*mv))]), ERROR),
        Attempt::Refuted(judgement, _) => (refutation(before, judgement), ERROR),
        Attempt::Missed(judgement) => {
            let why = judgement.as_ref().map(|judgement| refutation(before, judgement));
            let why = with_loss(&why.unwrap_or_default(), current);
            (format!("{why} {}", tr("practice.again")).trim_start().to_owned(), ERROR)
        }
        Attempt::Solved(_) => {
            let key = match current.result {
                Some((true, 0)) => "puzzles.solved-unrated",
                Some((true, _)) => "puzzles.solved",
                Some((false, _)) | None => "puzzles.solved-late",
            };
            let change = current.result.map_or(0, |(_, change)| change);
            let solved = tr_args(key, &[("change", &signed(change))]);
            (format!("{solved}\n{}", describe_why(&current.puzzle)), ACCENT)
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
