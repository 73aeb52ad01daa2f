//! The history: all finished games of a player with filters, the rating and its
//! curve, and statistics.

mod filter;
mod list;
mod statistics;

use std::collections::HashSet;

use bevy::prelude::*;
use bevy_egui::{
    EguiPrimaryContextPass,
    egui::{ComboBox, Ui, vec2},
};

use self::filter::{Filter, Opponent, Period, Score};
use super::{DialogWindow, WindowLayout, dialog_opened, while_open};
use crate::{
    app::{
        core::{schedule::AppSet, states::Dialog},
        game::referee::{Autosave, GameResults},
        ui::{
            theme::{CONTROL_HEIGHT, space},
            widgets,
        },
    },
    games::{RuleSet, Side},
    i18n::{tr, tr_args},
    table::{FinishedGame, SaveStore, Seat, rules_label, seat_label, today},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<History>()
        .add_systems(
            Update,
            find_saves.run_if(dialog_opened(Dialog::History)).in_set(AppSet::Report),
        )
        .add_systems(EguiPrimaryContextPass, while_open(Dialog::History, show));
}

/// What the dialog remembers.
#[derive(Resource, Debug, Default)]
pub(crate) struct History {
    pub(crate) filter: Filter,
    /// The ids of the games that are still saved.
    pub(crate) saved: HashSet<String>,
}

/// Which games can be opened: saves may have been deleted.
fn find_saves(mut history: ResMut<History>, autosave: Res<Autosave>) {
    history.saved = autosave.store().map(SaveStore::ids).unwrap_or_default();
}

fn show(
    mut window: DialogWindow,
    mut history: ResMut<History>,
    results: Res<GameResults>,
    autosave: Res<Autosave>,
) {
    let layout = WindowLayout { width: 860.0, ..WindowLayout::default() };
    window.show(&layout, |ui, actions| {
        widgets::dialog_title(ui, tr("history.title"));
        if results.games().is_empty() {
            widgets::note(ui, tr("history.none"));
            return;
        }
        let History { filter, saved } = &mut *history;
        let players = players(results.games());
        let player = filter.player.clone().filter(|name| players.contains(name));
        let player = player.or_else(|| players.first().cloned()).unwrap_or_default();
        filters(ui, filter, &players, &player, results.games());
        let today = today();
        let found = filter.games(results.games(), &player, today.as_deref());
        statistics::show(ui, &found, &player, filter.rules, &results);
        let folder = autosave.store().map(SaveStore::folder);
        list::show(ui, &found, saved, folder, actions);
    });
}

/// A game and the side that the player had in it.
type PlayedGame<'a> = (usize, &'a FinishedGame, Side);

/// The persons' names, the last player first; a guest's is empty.
fn players(games: &[FinishedGame]) -> Vec<String> {
    let mut players: Vec<String> = Vec::new();
    for game in games.iter().rev() {
        for side in Side::BOTH {
            let name = &game.names[side.index()];
            if game.seats[side.index()] == Seat::Person && !players.contains(name) {
                players.push(name.clone());
            }
        }
    }
    players
}

/// The name that is shown for a person.
fn shown_name(name: &str) -> String {
    if name.is_empty() { seat_label(Seat::Person) } else { name.to_owned() }
}

/// Which games are shown.
fn filters(
    ui: &mut Ui,
    filter: &mut Filter,
    players: &[String],
    player: &str,
    games: &[FinishedGame],
) {
    ui.horizontal_wrapped(|ui| {
        if players.len() > 1 {
            let names = players.iter().map(|name| (name.clone(), shown_name(name)));
            let mut chosen = player.to_owned();
            choice(ui, tr("history.player"), &mut chosen, names.collect());
            filter.player = Some(chosen);
        }
        let played =
            RuleSet::ALL.into_iter().filter(|rules| games.iter().any(|it| it.rules == *rules));
        let rules = played.map(|rules| (rules, rules_label(rules).to_owned())).collect();
        choice_or_all(ui, tr("history.rules"), &mut filter.rules, rules);
        let opponents = Opponent::of(games, player).into_iter().map(|it| (it.clone(), it.label()));
        choice_or_all(ui, tr("history.opponent"), &mut filter.opponent, opponents.collect());
        let scores = Score::ALL.map(|score| (score, score.label().to_owned()));
        choice_or_all(ui, tr("history.result"), &mut filter.score, scores.into());
        let periods = Period::ALL.map(|period| (period, period.label().to_owned()));
        choice_or_all(ui, tr("history.date"), &mut filter.period, periods.into());
    });
}

/// A drop-down list with all of them as its first choice.
fn choice_or_all<T: Clone + PartialEq>(
    ui: &mut Ui,
    of: &str,
    chosen: &mut Option<T>,
    choices: Vec<(T, String)>,
) {
    let all = (None, tr("history.all").to_owned());
    let choices = choices.into_iter().map(|(value, name)| (Some(value), name));
    choice(ui, of, chosen, [all].into_iter().chain(choices).collect());
}

/// A drop-down list is at least so wide.
const LEAST_WIDTH: f32 = space(64);

/// A drop-down list that says what is chosen of what.
fn choice<T: Clone + PartialEq>(ui: &mut Ui, of: &str, chosen: &mut T, choices: Vec<(T, String)>) {
    let name = choices.iter().find(|(value, _)| value == chosen).map(|(_, name)| name.as_str());
    let text = tr_args("keys.of", &[("command", of), ("key", name.unwrap_or_default())]);
    // As many in a row as there is room for.
    let columns = (ui.max_rect().width() / LEAST_WIDTH).floor().max(1.0);
    let gaps = (columns - 1.0) * ui.spacing().item_spacing.x;
    let width = (ui.max_rect().width() - gaps) / columns - 1.0;
    ui.allocate_ui(vec2(width, CONTROL_HEIGHT), |ui| {
        let list = ComboBox::from_id_salt(of).width(width).truncate().selected_text(text);
        list.show_ui(ui, |ui| {
            for (value, name) in choices {
                if widgets::choice_button(ui, value == *chosen, &name).clicked() {
                    *chosen = value;
                    ui.close();
                }
            }
        });
    });
}
