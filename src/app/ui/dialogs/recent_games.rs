//! The list of saved games.

use super::{
    DialogWindow, WindowLayout,
    confirmation::{Confirm, Confirmation},
    dialog_opened,
    files::FileChooser,
    while_open,
};
use crate::{
    app::{
        platform::shown_path,
        ui::{prelude::*, widgets},
    },
    session::{GameSummary, SavedGame},
};

/// Most games that the list shows.
const MAX_GAMES: usize = 40;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<RecentGames>()
        .add_systems(
            Update,
            mark_stale
                .run_if(dialog_opened(Dialog::Recent).or_eager(deletes_a_save))
                .in_set(AppSet::Report),
        )
        .add_systems(EguiPrimaryContextPass, while_open(Dialog::Recent, show));
}

/// The saved games as they were when they were listed last.
#[derive(Resource, Debug, Default)]
pub(crate) struct RecentGames {
    /// The last played first.
    pub(crate) games: Vec<SavedGame>,
    /// Whether there are more than are listed.
    pub(crate) has_more: bool,
    /// Whether the list has to be read again.
    pub(crate) is_stale: bool,
}

fn mark_stale(mut recent: ResMut<RecentGames>) {
    recent.is_stale = true;
}

/// Run condition: a save was deleted.
pub(crate) fn deletes_a_save(mut actions: MessageReader<GameAction>) -> bool {
    let deletes = |action: &&GameAction| matches!(action, GameAction::DeleteSave(_));
    actions.read().filter(deletes).count() > 0
}

fn show(
    mut window: DialogWindow,
    mut recent: ResMut<RecentGames>,
    mut confirmation: ResMut<Confirmation>,
    mut files: ResMut<FileChooser>,
    autosave: Res<Autosave>,
    referee: Res<Referee>,
) {
    if std::mem::take(&mut recent.is_stale) {
        let (games, has_more) =
            autosave.store().map(|store| store.list(MAX_GAMES)).unwrap_or_default();
        (recent.games, recent.has_more) = (games, has_more);
    }
    window.show(&WindowLayout::default(), |ui, actions| {
        content(ui, &recent, &autosave, &mut files, actions, |ui, saved, is_here, actions| {
            row(ui, saved, is_here, &mut confirmation, (&referee, &autosave), actions);
        });
    });
}

/// The list; `row` shows a game, and says whether it is the one on the table.
fn content(
    ui: &mut Ui,
    recent: &RecentGames,
    autosave: &Autosave,
    files: &mut FileChooser,
    actions: &mut Vec<Action>,
    mut row: impl FnMut(&mut Ui, &SavedGame, bool, &mut Vec<Action>),
) {
    widgets::dialog_title(ui, tr("recent.title"));
    if widgets::button(ui, tr("recent.file")).clicked() {
        files.resume();
        actions.push(UiAction::CloseDialog.into());
    }
    if autosave.store().is_none() {
        widgets::note(ui, tr("recent.unkept"));
    } else if recent.games.is_empty() {
        widgets::note(ui, tr("recent.none"));
    }
    for (number, saved) in recent.games.iter().enumerate() {
        ui.separator();
        // By number and not by file: egui remembers something for every id it
        // has ever seen, and new files keep coming.
        ui.push_id(number, |ui| {
            row(ui, saved, autosave.path() == Some(&saved.path), actions);
        });
    }
    if let Some(shelf) = autosave.store().filter(|_| recent.has_more) {
        widgets::note(ui, &tr_args("recent.more", &[("folder", &shown_path(shelf.folder()))]));
    }
}

fn row(
    ui: &mut Ui,
    saved: &SavedGame,
    is_here: bool,
    confirmation: &mut Confirmation,
    (referee, autosave): (&Referee, &Autosave),
    actions: &mut Vec<Action>,
) {
    let game = match &saved.game {
        Ok(game) => game,
        Err(reason) => {
            let text = tr_args("recent.damaged", &[("reason", reason)]);
            ui.label(RichText::new(&text).size(SMALL).color(ERROR));
            delete_button(ui, saved, &text, confirmation);
            return;
        }
    };
    ui.horizontal(|ui| {
        for side in Side::BOTH {
            widgets::disc(ui, theme::side_color(game.rules, side), 7.0);
        }
        let title = rules_label(game.rules);
        let date = game.date.as_deref().unwrap_or("").replace('.', "-");
        ui.label(RichText::new(title).size(BODY).color(TEXT));
        ui.label(RichText::new(date).size(SMALL).color(MUTED));
        if let Some(ago) = saved.age().and_then(ago) {
            ui.label(RichText::new(ago).size(SMALL).color(MUTED));
        }
        ui.label(
            RichText::new(game_texts::length(game.rules, game.plies, game.moves))
                .size(SMALL)
                .color(MUTED),
        );
    });
    widgets::one_line(ui, &players(game), SMALL, MUTED);
    widgets::one_line(ui, &state(game, is_here), SMALL, if is_here { ACCENT } else { MUTED });
    ui.horizontal(|ui| {
        let size = vec2(100.0, 28.0);
        let date = game.date.as_deref().unwrap_or_default().replace('.', "-");
        let mut about = vec![
            rules_label(game.rules).to_owned(),
            date,
            game_texts::length(game.rules, game.plies, game.moves),
        ];
        about.retain(|part| !part.is_empty());
        let about = about.join(", ");
        let button = |ui: &mut Ui, text: &str| {
            let response = ui.add(Button::new(text).min_size(size));
            widgets::set_accessible_label(
                &response,
                &tr_args("keys.of", &[("command", text), ("key", &about)]),
            );
            response
        };
        // A finished game is only watched; its replay can be played on from.
        if game.is_unfinished() && button(ui, tr("recent.play-on")).clicked() {
            confirmation.guard(
                GameAction::ResumeFile(saved.path.clone()),
                referee,
                autosave,
                actions,
            );
        }
        if button(ui, tr("recent.watch")).clicked() {
            actions.push(ReplayAction::open(saved.path.clone()).into());
        }
        let learn = tr("act.learn-from-mistakes-short");
        if !game.is_unfinished()
            && button(ui, learn).on_hover_text(tr("act.learn-from-mistakes-hint")).clicked()
        {
            actions.push(GameAction::LearnFromSaved(saved.path.clone()).into());
        }
        if !is_here {
            delete_button(ui, saved, &about, confirmation);
        }
    });
}

/// Asks for confirmation and deletes a game.
fn delete_button(ui: &mut Ui, saved: &SavedGame, about: &str, confirmation: &mut Confirmation) {
    let remove = tr("recent.remove");
    let response = widgets::button(ui, remove);
    widgets::set_accessible_label(
        &response,
        &tr_args("keys.of", &[("command", remove), ("key", about)]),
    );
    if response.clicked() {
        confirmation.0 = Some(Confirm::DeleteSave(saved.path.clone(), about.to_owned()));
    }
}

/// How long ago, within the last day: after that the date says enough.
fn ago(age: Duration) -> Option<String> {
    let minutes = age.as_secs() / 60;
    match minutes {
        0 => Some(tr("recent.now").to_owned()),
        1..60 => Some(tr_args("recent.minutes", &[("minutes", &minutes.to_string())])),
        60..1440 => Some(tr_args("recent.hours", &[("hours", &(minutes / 60).to_string())])),
        _ => None,
    }
}

/// Who played which side.
pub(super) fn players(game: &GameSummary) -> String {
    let person = Seat::Person.name();
    let name = |side: Side| {
        let [name, other] = [side, side.other()].map(|side| &game.players[side.index()]);
        let is_you = *name == person && *other != person;
        let name = if is_you { tr("seat.you").to_owned() } else { player_name(name) };
        format!("{} ({name})", side_label(game.rules, side))
    };
    let [first, second] = Side::BOTH.map(name);
    tr_args("recent.players", &[("first", &first), ("second", &second)])
}

/// A player's name in the language of the program: records name seats in
/// English.
pub(crate) fn player_name(name: &str) -> String {
    let known = crate::engines::Level::ALL
        .into_iter()
        .map(crate::session::Seat::Engine)
        .chain([crate::session::Seat::Person])
        .find(|seat| seat.name() == name);
    known.map_or_else(|| name.to_owned(), seat_label)
}

fn state(game: &GameSummary, is_here: bool) -> String {
    let state = match (game.outcome, is_here) {
        (Some(outcome), _) => describe_outcome(game.rules, outcome),
        (None, true) => tr("recent.here").to_owned(),
        (None, false) => tr("recent.going-on").to_owned(),
    };
    let Some(standing) = game.standing else { return state };
    let (round, games) = (standing.round.to_string(), standing.games.to_string());
    let round = tr_args("match.round", &[("round", &round), ("games", &games)]);
    format!("{round} · {state}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_the_last_day_are_shown_with_their_age() {
        let said = |minutes: u64| ago(Duration::from_secs(minutes * 60 + 59));
        assert_eq!(said(0).as_deref(), Some("just now"));
        assert_eq!(said(59).as_deref(), Some("59 min ago"));
        assert_eq!(said(60).as_deref(), Some("1 h ago"));
        assert_eq!(said(23 * 60 + 59).as_deref(), Some("23 h ago"));
        assert_eq!(said(24 * 60), None);
    }
}
