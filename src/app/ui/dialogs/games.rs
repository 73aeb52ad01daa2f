//! The games of a file that holds several, to choose one.

use super::{DialogWindow, WindowLayout, recent_games};
use crate::{
    app::{
        game::files::OpenedFile,
        ui::{prelude::*, widgets},
    },
    records::GameResult,
    session::GameSummary,
};

pub(super) fn show(mut window: DialogWindow, opened_file: Res<OpenedFile>) {
    window.show(&WindowLayout::default(), |ui, actions| content(ui, &opened_file, actions));
}

/// The list, in the file's order.
fn content(ui: &mut Ui, opened_file: &OpenedFile, actions: &mut Vec<Action>) {
    let count = opened_file.games.len().to_string();
    let title = tr_args("games.title", &[("file", &opened_file.file_name), ("games", &count)]);
    ui.label(RichText::new(title).size(LARGE).color(ACCENT));
    widgets::note(
        ui,
        if opened_file.resumes { tr("games.play-which") } else { tr("games.watch-which") },
    );
    let nothing_focused = ui.memory(|memory| memory.focused().is_none());
    for (number, (game, result)) in opened_file.games.iter().enumerate() {
        ui.separator();
        ui.push_id(number, |ui| {
            let is_shown = opened_file.shown_game == Some(number);
            let heading = format!(
                "{}. {} · {}",
                number + 1,
                rules_label(game.rules),
                game_texts::length(game.rules, game.plies, game.moves)
            );
            let (players, end) = (recent_games::players(game), end(game, *result));
            let color = if is_shown { ACCENT } else { TEXT };
            let size = vec2(ui.available_width() - 12.0, 30.0);
            let button = Button::new(RichText::new(&heading).color(color)).min_size(size);
            let response = ui.add(button.selected(is_shown).truncate());
            widgets::set_accessible_label(&response, &format!("{heading}. {players}. {end}"));
            if nothing_focused && (is_shown || opened_file.shown_game.is_none() && number == 0) {
                response.request_focus();
            }
            if response.has_focus() {
                response.scroll_to_me(None);
            }
            if response.clicked() {
                actions.push(ReplayAction::PickGame(number).into());
            }
            widgets::one_line(ui, &players, SMALL, MUTED);
            widgets::one_line(ui, &end, SMALL, MUTED);
        });
    }
}

/// How a game ended: in words where that is known, else as the record says.
fn end(game: &GameSummary, result: GameResult) -> String {
    match (game.outcome, result) {
        (Some(outcome), _) => describe_outcome(game.rules, outcome),
        (None, GameResult::Unknown) => tr("recent.going-on").to_owned(),
        (None, result) => result.token().to_owned(),
    }
}
