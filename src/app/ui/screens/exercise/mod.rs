//! The panel of an exercise, in place of the players and their moves: a step of a lesson,
//! a mistake or a puzzle. It has a task, what the last try was worth, and buttons.

mod lesson;
mod mistakes;
mod puzzle;

use std::collections::BTreeSet;

use bevy_egui::egui::{TextStyle, WidgetText};

use crate::app::{
    highlights::NamedSquares,
    lesson::Lesson,
    practice::PracticeSession,
    scene::api::MoveMark,
    ui::{
        game_texts::mark_label,
        overlays::toast,
        prelude::*,
        widgets::{self, command::CommandUi},
    },
};

/// What an exercise shows, of whatever kind it is.
pub(super) struct Exercise {
    /// What is learned.
    title: String,
    /// Which step it is, counted from 0, and which ones are done; none where they are not
    /// counted.
    steps: Option<(usize, Vec<bool>)>,
    /// Names the step: another one is shown from its first line.
    id: String,
    /// What is to be done, in paragraphs.
    task: Vec<String>,
    /// What the task says of the move that it names.
    task_mark: Option<MoveMark>,
    /// How much of what the player waits for is done, of how much; none where it is not known.
    wait: Option<[usize; 2]>,
    /// What is told below the task, in small letters.
    notes: Vec<String>,
    /// What the last try was worth.
    feedback: Option<Feedback>,
    /// How much of the judgement of the last try is done, while it is judged.
    judged: Option<f32>,
    /// The status line while no move is awaited; empty while what was played is still seen.
    pub(super) status: String,
    /// Whether the board shows the squares that the texts name: not once the answer is shown.
    names_squares: bool,
    /// Buttons besides those that every exercise has.
    more: &'static [&'static str],
}

impl Exercise {
    /// The texts that name squares for the board to show, and what they say of a move.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, Option<MoveMark>)> {
        let task = self.task.iter().map(|text| (text.as_str(), self.task_mark));
        let feedback = self.feedback.iter().map(|(text, mark)| (text.as_str(), *mark));
        task.chain(feedback).filter(|_| self.names_squares)
    }
}

/// A text about a try, and what it says of the move.
type Feedback = (String, Option<MoveMark>);

/// The exercise that is on the table.
pub(super) fn of(
    (on_table, table): (OnTable, &GameSession),
    lesson: &Lesson,
    practice: &PracticeSession,
    trainer: &PuzzleTrainer,
    analysis: &Analysis,
) -> Option<Exercise> {
    match on_table {
        OnTable::Game | OnTable::OnlineGame => None,
        OnTable::Practice => practice.game().map(|game| {
            let exercise = mistakes::exercise(game, analysis);
            Exercise { judged: practice.judged(), ..exercise }
        }),
        OnTable::Puzzle => trainer.current().map(|current| {
            let exercise = puzzle::exercise(trainer, current);
            Exercise { judged: trainer.judged(), ..exercise }
        }),
        OnTable::Lesson => lesson
            .current_step()
            .map(|step| lesson::exercise(lesson, step, table.history(), analysis)),
    }
}

/// Shows the panel.
pub(super) fn show(
    context: &Context,
    rect: Rect,
    (exercise, NamedSquares(named)): (&Exercise, &NamedSquares),
    trainer: &PuzzleTrainer,
    commands: &mut CommandUi,
) {
    let (rect, frame) = theme::side_frame(rect);
    widgets::panel(context, "exercise", rect, frame, |ui| {
        ui.spacing_mut().item_spacing.y = space(1);
        let back = if commands.offers("previous-step") { "previous-step" } else { "first-step" };
        let steps = vec![back, "next-step", "hint"];
        let others: Vec<_> = exercise.more.iter().chain(&["leave-exercise"]).copied().collect();
        // What every exercise has stands lowest, so that its buttons keep their places. Where
        // there is little room, all buttons share their rows.
        let is_tight = ui.available_height() < TIGHT_HEIGHT;
        let rows = if is_tight { vec![[steps, others].concat()] } else { vec![others, steps] };
        let icons = [&["undo", "menu"][..], &[]];
        let golden = commands.context.golden;
        let font = theme::serif(ui.ctx(), HEADING);
        ui.add(Label::new(RichText::new(&exercise.title).font(font).color(ACCENT)).wrap());
        if let Some((step, done)) = &exercise.steps {
            progress(ui, *step, done);
        }
        let rows_height: f32 =
            rows.iter().zip(icons).map(|(row, icons)| commands.rows_height(ui, row, icons)).sum();
        let kept = toast::keep_room(ui, rows_height);
        let height = ui.available_height() - rows_height - kept;
        // What is new comes first where there is little room.
        let is_low = height + kept < ROOMY_HEIGHT;
        let id = (&exercise.id, is_low.then_some(&exercise.feedback));
        widgets::scroll_area(ui, ("exercise-scroll", id), height, |ui| {
            // From the top on: after the content it would come on top of it.
            ui.set_min_height(height - space(1));
            let feedback = |ui: &mut Ui| {
                if let Some((text, mark)) = &exercise.feedback {
                    let color = if *mark == Some(MoveMark::Wrong) { ERROR } else { ACCENT };
                    widgets::say_when_changed(&widgets::wrapped(ui, text, BODY, color));
                }
                legend(ui, named.values());
                if let Some(judged) = exercise.judged {
                    widgets::share_bar(ui, judged);
                }
            };
            if is_low {
                feedback(ui);
            }
            for text in &exercise.task {
                widgets::say_when_changed(&widgets::wrapped(ui, text, BODY, TEXT));
                ui.add_space(space(1));
            }
            // The wait is for what the task says, or else for what the notes say.
            let wait = exercise.wait.map(|wait| move |ui: &mut Ui| widgets::wait_bar(ui, wait));
            let is_noted = !exercise.notes.is_empty();
            if let Some(bar) = wait.filter(|_| !is_noted) {
                bar(ui);
            }
            if !is_low {
                ui.add_space(space(1));
                feedback(ui);
                ui.add_space(space(1));
            }
            if trainer.current().is_some() {
                puzzle::details(ui, &exercise.notes, trainer, &mut commands.requested);
                return;
            }
            for text in &exercise.notes {
                widgets::wrapped(ui, text, SMALL, MUTED);
            }
            if let Some(bar) = wait.filter(|_| is_noted) {
                bar(ui);
            }
        });
        ui.add_space(kept);
        for (row, icons) in rows.iter().zip(icons) {
            commands.rows(ui, row, icons, golden);
        }
    });
}

/// The signs on the board, each with what it says. Squares that are only named need none.
fn legend<'a>(ui: &mut Ui, marks: impl Iterator<Item = &'a Option<MoveMark>>) {
    let marks: BTreeSet<MoveMark> = marks.flatten().copied().collect();
    if marks.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for mark in marks {
            ui.horizontal(|ui| {
                widgets::sign(ui, mark);
                widgets::one_line(ui, mark_label(mark), SMALL, MUTED);
            });
        }
    });
}

/// A dot for each step, a full one where it is done, a ring round this one, and the numbers.
fn progress(ui: &mut Ui, step: usize, done: &[bool]) {
    let steps = done.len();
    ui.horizontal(|ui| {
        #[expect(clippy::cast_precision_loss, reason = "a few steps")]
        let count = steps as f32;
        let numbers = format!("{} / {steps}", step + 1);
        // The numbers take what they need, the dots what is left.
        let text = WidgetText::from(RichText::new(&numbers).size(SMALL));
        let extend = Some(TextWrapMode::Extend);
        let width = text.into_galley(ui, extend, f32::INFINITY, TextStyle::Body).size().x;
        let left = ui.available_width() - width - 2.0 * ui.spacing().item_spacing.x;
        let gap = (left / count).min(space(4));
        let (rect, _) = ui.allocate_exact_size(vec2(gap * count, space(4)), Sense::hover());
        let mut x = rect.left() + DOT;
        for (index, is_done) in done.iter().enumerate() {
            let at = pos2(x, rect.center().y);
            ui.painter().circle_filled(at, DOT, if *is_done { ACCENT } else { LINE });
            if index == step {
                ui.painter().circle_stroke(at, DOT + 2.0, Stroke::new(1.0, TEXT));
            }
            x += gap;
        }
        widgets::one_line(ui, &numbers, SMALL, MUTED);
    });
}

/// The radius of a dot.
const DOT: f32 = 3.0;

/// Below this height of the panel its buttons share their rows (points).
const TIGHT_HEIGHT: f32 = 320.0;

/// From this height on the task and the last try's feedback have room (points).
const ROOMY_HEIGHT: f32 = 220.0;
