//! The history: all finished games of a player with filters, the rating and its
//! curve, and statistics.

mod filter;
mod list;
mod statistics;

use std::collections::HashSet;

use self::filter::{Filter, Opponent, Period, Score};
use super::{DialogWindow, WindowLayout, dialog_opened, while_open};
use crate::{
    app::ui::{prelude::*, widgets},
    session::SaveStore,
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

/// The dialog is at most so wide, in points.
const WIDTH: f32 = 1160.0;
/// The same while there is no game.
const EMPTY_WIDTH: f32 = 640.0;
/// The width of the statistics where they stand beside the list of games, and the
/// least width of the list.
const STATISTICS_WIDTH: f32 = 400.0;
const LIST_WIDTH: f32 = 560.0;

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
    let is_empty = results.games().is_empty();
    let width = if is_empty { EMPTY_WIDTH } else { WIDTH };
    // It keeps its size whatever the filters leave.
    let layout = WindowLayout { width, is_full_height: !is_empty, ..WindowLayout::default() };
    window.show(&layout, |ui, actions| {
        widgets::dialog_title(ui, tr("history.title"));
        if is_empty {
            widgets::note(ui, tr("history.none"));
            return;
        }
        let History { filter, saved } = &mut *history;
        let players = results.person_names();
        filters(ui, filter, &players, results.games());
        let player = filter.player(&players);
        let player = player.as_deref();
        let today = today();
        let found = filter.games(results.games(), player, today.as_deref());
        let rules = filter.rules;
        let folder = autosave.store().map(SaveStore::folder);
        if ui.available_width() < STATISTICS_WIDTH + LIST_WIDTH {
            statistics::show(ui, &found, player, rules, &results);
            list::show(ui, &found, player, saved, folder, actions);
            return;
        }
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(STATISTICS_WIDTH);
                statistics::show(ui, &found, player, rules, &results);
            });
            ui.add_space(space(4));
            ui.vertical(|ui| list::show(ui, &found, player, saved, folder, actions));
        });
    });
}

/// The heading of a part, set off from the one above.
fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(space(2));
    widgets::heading(ui, text);
}

/// A game and the side that the player had in it.
type PlayedGame<'a> = (usize, &'a FinishedGame, Side);

/// The name that is shown for a person.
fn shown_name(name: &str) -> String {
    if name.is_empty() { tr("seat.you").to_owned() } else { name.to_owned() }
}

/// Which games are shown.
fn filters(ui: &mut Ui, filter: &mut Filter, players: &[String], games: &[FinishedGame]) {
    ui.horizontal_wrapped(|ui| {
        if players.len() > 1 {
            let names = players.iter().map(|name| (name.clone(), shown_name(name)));
            let all = tr("history.all-players");
            let (before, mut chosen) = (filter.player(players), filter.player(players));
            choice_or_all(ui, tr("history.player"), all, &mut chosen, names.collect());
            if chosen != before {
                (filter.all_players, filter.player) = (chosen.is_none(), chosen);
            }
        }
        let player = filter.player(players);
        let (player, all) = (player.as_deref(), tr("history.all"));
        let played =
            RuleSet::ALL.into_iter().filter(|rules| games.iter().any(|game| game.rules == *rules));
        let rules = played.map(|rules| (rules, rules_label(rules).to_owned())).collect();
        choice_or_all(ui, tr("history.rules"), all, &mut filter.rules, rules);
        let opponents = Opponent::of(games, player)
            .into_iter()
            .map(|opponent| (opponent.clone(), opponent.label()));
        choice_or_all(ui, tr("history.opponent"), all, &mut filter.opponent, opponents.collect());
        let scores = Score::VARIANTS.iter().map(|&score| (score, score.label().to_owned()));
        choice_or_all(ui, tr("history.result"), all, &mut filter.score, scores.collect());
        let periods = Period::VARIANTS.iter().map(|&period| (period, period.label().to_owned()));
        choice_or_all(ui, tr("history.date"), all, &mut filter.period, periods.collect());
        let is_set = *filter != Filter::default();
        let clear = ui.add_enabled(is_set, Button::new(tr("history.clear")));
        if clear.clicked() {
            *filter = Filter::default();
        }
    });
}

/// A drop-down list with all of them as its first choice.
fn choice_or_all<T: Clone + PartialEq>(
    ui: &mut Ui,
    of: &str,
    all: &str,
    chosen: &mut Option<T>,
    choices: Vec<(T, String)>,
) {
    let all = (None, all.to_owned());
    let choices = choices.into_iter().map(|(value, name)| (Some(value), name));
    let choices = [all].into_iter().chain(choices).collect();
    // As many in a row as there is room for.
    let columns = (ui.max_rect().width() / LEAST_WIDTH).floor().max(1.0);
    let gaps = (columns - 1.0) * ui.spacing().item_spacing.x;
    let width = (ui.max_rect().width() - gaps) / columns - 1.0;
    ui.allocate_ui(vec2(width, CONTROL_HEIGHT), |ui| {
        widgets::drop_down(ui, of, width, chosen, choices);
    });
}

/// A drop-down list is at least so wide.
const LEAST_WIDTH: f32 = space(64);
