//! A puzzle: the task, what the last try was worth, the rating and the streak.

use bevy_egui::egui::CollapsingHeader;

use super::{Exercise, Feedback, mistakes::refutation};
use crate::{
    app::{
        game::exercise::Attempt,
        puzzles::TrainedPuzzle,
        scene::api::MoveMark,
        ui::{game_texts::rating_after, prelude::*, widgets},
    },
    session::{
        Rating,
        puzzles::{
            Theme, describe_task, describe_themes, describe_why, theme_label, theme_meaning,
        },
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
        steps: None,
        id: format!("{:?}", current.puzzle.id()),
        task: vec![describe_task(&current.puzzle)],
        task_mark: None,
        wait: None,
        notes: standing(trainer, current),
        feedback: Some(feedback(trainer, current)),
        judged: None,
        status: status(current).to_owned(),
        names_squares: true,
        more: &[],
    }
}

/// What the puzzle has made of the rating; and the rating, the streak and the choice of a theme,
/// folded until they are wanted.
pub(super) fn details(
    ui: &mut Ui,
    notes: &[String],
    trainer: &PuzzleTrainer,
    actions: &mut Vec<Action>,
) {
    if let Some(news) = trainer.current().and_then(|current| rating_news(trainer, current)) {
        widgets::say_when_changed(&widgets::note(ui, &news));
    }
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

/// The player's rating, the streak and what comes back.
fn standing(trainer: &PuzzleTrainer, current: &TrainedPuzzle) -> Vec<String> {
    let number = |number: u32| number.to_string();
    let rating = rating(trainer, current);
    let key = match trainer.training().theme() {
        None if rating.is_guess() => "popup.rating-guess",
        None => "puzzles.rating",
        Some(_) => "puzzles.unrated",
    };
    let rating = rating.to_string();
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

/// The player's rating now.
fn rating(trainer: &PuzzleTrainer, current: &TrainedPuzzle) -> Rating {
    trainer.training().progress().rating(current.rules()).into()
}

fn feedback(trainer: &PuzzleTrainer, current: &TrainedPuzzle) -> Feedback {
    let before = &current.played;
    let written = |mv: AnyMove| before.position().notation(mv);
    let [right, wrong] = [MoveMark::Right, MoveMark::Wrong].map(Some);
    match &current.attempt {
        Attempt::Waiting | Attempt::Answering(_) | Attempt::Solved(_) if current.was_shown => {
            (describe_why(&current.puzzle), right)
        }
        Attempt::Waiting if before.is_empty() => {
            let counts = trainer.training().theme().is_none()
                && !current.came_back
                && current.result.is_none();
            let first = if counts { tr("puzzles.first-try") } else { "" };
            (format!("{} {first}", tr("lesson.try")).trim_end().to_owned(), None)
        }
        Attempt::Waiting => (tr("puzzles.go-on").to_owned(), None),
        Attempt::Answering(_) => (tr("puzzles.right").to_owned(), None),
        Attempt::Judging(mv) => (tr_args("puzzles.wrong", &[("move", &written(*mv))]), wrong),
        Attempt::Refuted(judgement, _) => (refutation(before, judgement), wrong),
        Attempt::Missed(judgement) => {
            let why = judgement.as_ref().map(|judgement| refutation(before, judgement));
            let again = format!("{} {}", why.unwrap_or_default(), tr("practice.again"));
            (again.trim_start().to_owned(), wrong)
        }
        Attempt::Solved(_) => {
            let is_first = matches!(current.result, Some((true, _)));
            let solved = tr(if is_first { "puzzles.solved" } else { "puzzles.solved-late" });
            (format!("{solved}\n{}", describe_why(&current.puzzle)), right)
        }
    }
}

/// What the result has made of the rating, if it was rated. A miss is told once.
fn rating_news(trainer: &PuzzleTrainer, current: &TrainedPuzzle) -> Option<String> {
    let (solved, change) = current.result.filter(|(_, change)| *change != 0)?;
    let is_first_miss = current.wrong_tries + usize::from(current.was_shown) == 1
        && (current.was_shown || !current.is_solved());
    let rating = rating_after(rating(trainer, current), change);
    match solved {
        true => Some(rating),
        false => is_first_miss.then(|| format!("{} {rating}", tr("puzzles.missed"))),
    }
}
