//! The games of a file that holds several, to choose one.

use bevy_egui::egui::style::ScrollAnimation;

use super::{DialogWindow, WindowLayout, recent_games};
use crate::{
    app::{
        game::files::OpenedFile,
        ui::{prelude::*, widgets},
    },
    records::GameResult,
    session::GameSummary,
};

/// How high a game is in the list.
const ROW_HEIGHT: f32 = 88.0;

pub(super) fn show(mut window: DialogWindow, opened_file: Res<OpenedFile>) {
    let is_new = window.shown.is_new;
    window.show(&WindowLayout::default(), |ui, actions| content(ui, &opened_file, is_new, actions));
}

/// The list, in the file's order. A file may hold thousands of games: only those in sight
/// are laid out.
fn content(ui: &mut Ui, opened_file: &OpenedFile, is_new: bool, actions: &mut Vec<Action>) {
    let games = &opened_file.games;
    let title = tr_args(
        "games.title",
        &[("file", &opened_file.file_name), ("games", &games.len().to_string())],
    );
    ui.label(RichText::new(title).size(LARGE).color(ACCENT));
    widgets::note(
        ui,
        if opened_file.resumes { tr("games.play-which") } else { tr("games.watch-which") },
    );
    // It opens at the game that is shown, which has the focus.
    let begins = ui.id().with("begins");
    let begin_at = opened_file.shown_game.unwrap_or(0);
    let (corner, width) = (ui.cursor().min, ui.available_width());
    let row = |number: usize| {
        let left_top = corner + vec2(0.0, rows_height(number));
        Rect::from_min_size(left_top, vec2(width, ROW_HEIGHT))
    };
    if is_new && ui.ctx().current_pass_index() == 0 {
        // Once: egui adds up the requests that it has not carried out yet.
        ui.scroll_to_rect_animation(row(begin_at), None, ScrollAnimation::none());
        ui.data_mut(|data| data.insert_temp(begins, true));
    }
    // Some more at each end, so that the focus can go there.
    let sight = ui.clip_rect().expand2(vec2(0.0, rows_height(4)));
    let in_sight = |number: &usize| row(*number).intersects(sight);
    let first = (0..games.len()).find(in_sight).unwrap_or(games.len());
    let count = (first..games.len()).take_while(in_sight).count();
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.add_space(rows_height(first));
    for (number, (game, result)) in games.iter().enumerate().skip(first).take(count) {
        // Named by the game, so that the focus stays with it while the list is scrolled.
        let builder = UiBuilder::new().id(begins.with(number));
        let response = ui
            .scope_builder(builder, |ui| {
                ui.set_min_height(ROW_HEIGHT);
                let is_shown = opened_file.shown_game == Some(number);
                game_row(ui, number, game, *result, is_shown)
            })
            .inner;
        if number == begin_at && ui.data_mut(|data| data.remove_temp(begins)) == Some(true) {
            response.request_focus();
        }
        if response.gained_focus() {
            response.scroll_to_me(None);
        }
        if response.clicked() {
            actions.push(ReplayAction::PickGame(number).into());
        }
    }
    ui.add_space(rows_height(games.len() - first - count));
}

/// How high so many games are.
#[expect(clippy::cast_precision_loss, reason = "a place in a list")]
fn rows_height(games: usize) -> f32 {
    games as f32 * ROW_HEIGHT
}

/// A game: a button, and who played and how it ended.
fn game_row(
    ui: &mut Ui,
    number: usize,
    game: &GameSummary,
    result: GameResult,
    is_shown: bool,
) -> Response {
    ui.spacing_mut().item_spacing.y = space(1);
    ui.separator();
    let heading = format!(
        "{}. {} · {}",
        number + 1,
        rules_label(game.rules),
        game_texts::length(game.rules, game.plies, game.moves)
    );
    let (players, end) = (recent_games::players(game), end(game, result));
    let color = if is_shown { ACCENT } else { TEXT };
    let size = vec2(ui.available_width() - 12.0, 30.0);
    let button = Button::new(RichText::new(&heading).color(color)).min_size(size);
    let response = ui.add(button.selected(is_shown).truncate());
    widgets::set_accessible_label(&response, &format!("{heading}. {players}. {end}"));
    widgets::one_line(ui, &players, SMALL, MUTED);
    widgets::one_line(ui, &end, SMALL, MUTED);
    response
}

/// How a game ended: in words where that is known, else as the record says.
fn end(game: &GameSummary, result: GameResult) -> String {
    match (game.outcome, result) {
        (Some(outcome), _) => describe_outcome(game.rules, outcome),
        (None, GameResult::Unknown) => tr("recent.going-on").to_owned(),
        (None, result) => result.token().to_owned(),
    }
}
