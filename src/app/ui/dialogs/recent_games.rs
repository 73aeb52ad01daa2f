//! The list of kept games.

use std::time::Duration;

use bevy_egui::egui::{RichText, Ui, vec2};

use super::files::Files;
use crate::{
    app::{
        core::actions::{Action, GameAction, ReplayAction, UiAction},
        game::referee::{Autosave, Referee},
        ui::{
            state::{Confirm, UiState},
            theme::{self, ACCENT, ALARM, BODY, INK, LARGE, MUTED, SMALL},
            widgets,
        },
    },
    games::Side,
    i18n::{tr, tr_args},
    table::{GameSummary, SavedGame, describe_outcome, rules_label, seat_label, side_label},
};

/// The list, the last played first.
pub(crate) fn text(
    ui: &mut Ui,
    desk: &mut UiState,
    keeping: &Autosave,
    referee: &Referee,
    files: &mut Files,
    asked: &mut Vec<Action>,
) {
    ui.label(RichText::new(tr("recent.title")).size(LARGE + 4.0).color(ACCENT));
    if widgets::button(ui, tr("recent.file")).clicked() {
        files.resume();
        asked.push(Action::Ui(UiAction::CloseDialog));
    }
    if keeping.shelf().is_none() {
        widgets::note(ui, tr("recent.unkept"));
    } else if desk.recent.0.is_empty() {
        widgets::note(ui, tr("recent.none"));
    }
    let (list, more) = std::mem::take(&mut desk.recent);
    for (number, kept) in list.iter().enumerate() {
        ui.separator();
        // By number and not by file: the library keeps something of every name
        // it has ever heard, and files go on to be made.
        ui.push_id(number, |ui| {
            let here = keeping.path() == Some(&kept.path);
            row(ui, kept, here, desk, referee, asked);
        });
    }
    if let Some(shelf) = keeping.shelf().filter(|_| more) {
        let folder = shelf.folder().display().to_string();
        widgets::note(ui, &tr_args("recent.more", &[("folder", &folder)]));
    }
    desk.recent = (list, more);
}

fn row(
    ui: &mut Ui,
    kept: &SavedGame,
    here: bool,
    desk: &mut UiState,
    referee: &Referee,
    asked: &mut Vec<Action>,
) {
    let game = match &kept.game {
        Ok(game) => game,
        Err(reason) => {
            let text = tr_args("recent.damaged", &[("reason", reason)]);
            ui.label(RichText::new(&text).size(SMALL).color(ALARM));
            remove(ui, kept, &text, desk);
            return;
        }
    };
    ui.horizontal(|ui| {
        for side in Side::BOTH {
            widgets::disc(ui, theme::colour(game.rules, side), 7.0);
        }
        let title = rules_label(game.rules);
        let date = game.date.as_deref().unwrap_or("").replace('.', "-");
        ui.label(RichText::new(title).size(BODY).color(INK));
        ui.label(RichText::new(date).size(SMALL).color(MUTED));
        if let Some(ago) = kept.age().and_then(ago) {
            ui.label(RichText::new(ago).size(SMALL).color(MUTED));
        }
        ui.label(RichText::new(plies(game)).size(SMALL).color(MUTED));
    });
    widgets::one_line(ui, &players(game), SMALL, MUTED);
    widgets::one_line(ui, &state(game, here), SMALL, if here { ACCENT } else { MUTED });
    ui.horizontal(|ui| {
        let size = vec2(100.0, 28.0);
        let date = game.date.as_deref().unwrap_or_default().replace('.', "-");
        let mut about = vec![rules_label(game.rules).to_owned(), date, plies(game)];
        about.retain(|it| !it.is_empty());
        let about = about.join(", ");
        let button = |ui: &mut Ui, text: &str| {
            let response = ui.add(bevy_egui::egui::Button::new(text).min_size(size));
            widgets::speak(&response, &tr_args("keys.of", &[("command", text), ("key", &about)]));
            response
        };
        // What is over is watched; one plays on from a ply of its replay.
        if game.outcome.is_none() && button(ui, tr("recent.play-on")).clicked() {
            desk.guard(Action::Game(GameAction::ResumeFile(kept.path.clone())), referee, asked);
        }
        if button(ui, tr("recent.watch")).clicked() {
            asked.push(Action::Replay(ReplayAction::Open(kept.path.clone())));
        }
        if !here {
            remove(ui, kept, &about, desk);
        }
    });
}

/// Throws a game away, once it was said yes to.
fn remove(ui: &mut Ui, kept: &SavedGame, about: &str, desk: &mut UiState) {
    let remove = tr("recent.remove");
    let response = widgets::button(ui, remove);
    widgets::speak(&response, &tr_args("keys.of", &[("command", remove), ("key", about)]));
    if response.clicked() {
        desk.confirm = Some(Confirm::Forget(kept.path.clone(), about.to_owned()));
    }
}

/// How long ago, within the day: after that the date says enough.
fn ago(age: Duration) -> Option<String> {
    let minutes = age.as_secs() / 60;
    match minutes {
        0 => Some(tr("recent.now").to_owned()),
        1..60 => Some(tr_args("recent.minutes", &[("minutes", &minutes.to_string())])),
        60..1440 => Some(tr_args("recent.hours", &[("hours", &(minutes / 60).to_string())])),
        _ => None,
    }
}

pub(crate) fn plies(game: &GameSummary) -> String {
    tr_args("recent.plies", &[("plies", &game.plies.to_string())])
}

/// The players as they are called at the table.
pub(crate) fn players(game: &GameSummary) -> String {
    let name = |side: Side| {
        let name = sitter(&game.players[side.index()]);
        format!("{} ({name})", side_label(game.rules, side))
    };
    let [first, second] = Side::BOTH.map(name);
    tr_args("recent.players", &[("first", &first), ("second", &second)])
}

/// A player's name as it is said at the table: records name seats in English.
pub(crate) fn sitter(name: &str) -> String {
    let known = crate::engines::Level::ALL
        .into_iter()
        .map(crate::table::Seat::Engine)
        .chain([crate::table::Seat::Person])
        .find(|seat| seat.name() == name);
    known.map_or_else(|| name.to_owned(), seat_label)
}

fn state(game: &GameSummary, here: bool) -> String {
    match (game.outcome, here) {
        (Some(outcome), _) => describe_outcome(game.rules, outcome),
        (None, true) => tr("recent.here").to_owned(),
        (None, false) => tr("recent.going-on").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_one_day_are_told_apart_by_their_hours() {
        let said = |minutes: u64| ago(Duration::from_secs(minutes * 60 + 59));
        assert_eq!(said(0).as_deref(), Some("just now"));
        assert_eq!(said(59).as_deref(), Some("59 min ago"));
        assert_eq!(said(60).as_deref(), Some("1 h ago"));
        assert_eq!(said(23 * 60 + 59).as_deref(), Some("23 h ago"));
        assert_eq!(said(24 * 60), None);
    }
}
