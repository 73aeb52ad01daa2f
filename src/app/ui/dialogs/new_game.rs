//! Everything about a new game that the title does not ask: its rules, the side, names,
//! the sticks, the clock, the match.

use std::cell::RefCell;

use bevy_egui::egui::Slider;

use super::{DialogWindow, WindowLayout, confirmation::Confirmation};
use crate::{
    app::ui::{
        prelude::*,
        screens::title::{SelectedGame, opponent::level_text},
        widgets::{
            self,
            segmented::{Segment, segmented},
        },
    },
    session::{TimeControl, TimeControls},
};

pub(super) fn show(
    mut window: DialogWindow,
    mut choice: ResMut<SelectedGame>,
    results: Res<GameResults>,
    engines: Res<Engines>,
    (referee, autosave): (Res<Referee>, Res<Autosave>),
    mut confirmation: ResMut<Confirmation>,
) {
    let layout = WindowLayout { width: 560.0, ..WindowLayout::default() };
    let wanted = RefCell::new(choice.clone());
    window.show_with(
        &layout,
        |ui, _| {
            content(ui, &mut wanted.borrow_mut(), &results, &engines);
            false
        },
        |ui, actions| {
            let is_online = wanted.borrow().is_online();
            let text = tr(if is_online { "title.invite" } else { "title.play" });
            let play = widgets::primary_button(ui, text, vec2(140.0, CONTROL_HEIGHT));
            if ui.memory(|memory| memory.focused().is_none()) {
                play.request_focus();
            }
            if play.clicked() && is_online {
                actions.push(UiAction::OpenDialog(Dialog::Online).into());
            } else if play.clicked() {
                let action = GameAction::NewGame(wanted.borrow().setup());
                confirmation.guard(action, &referee, &autosave, actions);
            }
            widgets::button(ui, tr("popup.close")).clicked()
        },
    );
    choice.set_if_neq(wanted.into_inner());
}

fn content(ui: &mut Ui, choice: &mut NewGameChoice, results: &GameResults, engines: &Engines) {
    let game = game_texts::name(choice.rules.game());
    widgets::dialog_title(ui, &tr_args("title.new-game", &[("game", game)]));
    ui.add_space(space(1));
    rule_sets(ui, choice);
    players(ui, choice, results, engines);
    let is_online = choice.is_online();
    if choice.rules.has_sticks() && !is_online {
        sticks(ui, choice);
    }
    clock(ui, choice);
    // Online, a rematch follows by agreement.
    if !is_online {
        games_count(ui, choice);
    }
}

/// The rules of the game: its rule sets where it has several, and what the chosen
/// one is.
fn rule_sets(ui: &mut Ui, choice: &mut NewGameChoice) {
    let of = tr("title.rules");
    let game = choice.rules.game();
    let sets: Vec<RuleSet> =
        RuleSet::ALL.into_iter().filter(|rules| rules.game() == game).collect();
    widgets::labelled(ui, of, |ui| {
        if sets.len() > 1 {
            let segments: Vec<Segment<'_>> =
                sets.iter().map(|&rules| (game_texts::variant(rules), "")).collect();
            let chosen = sets.iter().position(|&rules| rules == choice.rules);
            if let Some(index) = segmented(ui, of, chosen, &segments) {
                choice.set_rules(sets[index]);
            }
        }
        widgets::note(ui, game_texts::difference(choice.rules));
    });
}

/// The names of the players at this screen, or who plays each side while nobody does.
fn players(ui: &mut Ui, choice: &mut NewGameChoice, results: &GameResults, engines: &Engines) {
    let known = results.known_names();
    if let Some(own) = choice.own_side() {
        let name = &mut choice.names[own.index()];
        widgets::name_field(ui, tr("title.your-name"), name, &known);
        return;
    }
    for side in Side::BOTH {
        let name = side_label(choice.rules, side);
        if choice.seats[side.index()] == Seat::Person {
            let of = tr_args("title.name-of", &[("side", name)]);
            widgets::name_field(ui, &of, &mut choice.names[side.index()], &known);
        } else {
            engine(ui, name, choice, side, engines);
        }
    }
}

/// Which level or other engine plays a side.
fn engine(ui: &mut Ui, of: &str, choice: &mut NewGameChoice, side: Side, engines: &Engines) {
    let players = Level::ALL.map(|level| ((Seat::Engine(level), None), level_text(level)));
    let mut players = players.to_vec();
    if !IS_WEB {
        let programs = engines.list().engines.iter();
        players
            .extend(programs.map(|program| {
                ((Seat::Program, Some(program.name.clone())), program.name.clone())
            }));
    }
    let seat = choice.seats[side.index()];
    let name = (seat == Seat::Program).then(|| choice.names[side.index()].clone());
    let before = (seat, name);
    let mut chosen = before.clone();
    widgets::labelled(ui, of, |ui| {
        widgets::drop_down(ui, of, space(60), &mut chosen, players);
    });
    if chosen != before {
        match chosen {
            (_, Some(name)) => choice.set_program(side, &name),
            (seat, None) => choice.set_seat(side, seat),
        }
    }
}

/// Who throws the sticks, and whether who starts is drawn or thrown for.
fn sticks(ui: &mut Ui, choice: &mut NewGameChoice) {
    let of = tr("title.sticks");
    widgets::labelled(ui, of, |ui| {
        let segments = [(tr("title.sticks-program"), ""), (tr("title.sticks-hand"), "")];
        if let Some(index) = segmented(ui, of, Some(usize::from(choice.by_hand)), &segments) {
            choice.by_hand = index == 1;
        }
    });
    if !choice.by_hand {
        let of = tr("title.starts");
        widgets::labelled(ui, of, |ui| {
            let segments = [
                (tr("title.drawn"), tr("title.drawn-hint")),
                (tr("title.thrown-for"), tr("title.thrown-for-hint")),
            ];
            let chosen = usize::from(choice.throws_for_start);
            if let Some(index) = segmented(ui, of, Some(chosen), &segments) {
                choice.throws_for_start = index == 1;
            }
        });
    }
    if choice.draws_start() {
        return;
    }
    let of = tr("title.first");
    widgets::labelled(ui, of, |ui| {
        let [first, second] = Side::BOTH.map(|side| (side_label(choice.rules, side), ""));
        let segments = [(tr("title.by-lot"), tr("title.by-lot-hint")), first, second];
        let chosen = choice.first.map_or(0, |side| side.index() + 1);
        if let Some(index) = segmented(ui, of, Some(chosen), &segments) {
            choice.first = index.checked_sub(1).map(|side| Side::BOTH[side]);
        }
    });
}

/// The kind of clock (none, for each move, for the whole game), whether both sides
/// have the same, and the times.
fn clock(ui: &mut Ui, choice: &mut NewGameChoice) {
    let of = tr("title.clock");
    widgets::labelled(ui, of, |ui| {
        let segments =
            [(tr("title.no-clock"), ""), (tr("title.each-move"), ""), (tr("title.whole-game"), "")];
        let chosen = match choice.clock.map(|clock| clock.of(Side::First)) {
            None => 0,
            Some(TimeControl::PerMove(_)) => 1,
            Some(TimeControl::PerGame { .. }) => 2,
        };
        match segmented(ui, of, Some(chosen), &segments).filter(|index| *index != chosen) {
            Some(0) => choice.clock = None,
            Some(1) => choice.clock = Some(TimeControls::both(TimeControl::MOVES[1])),
            Some(_) => choice.clock = Some(TimeControls::both(TimeControl::GAMES[2])),
            None => {}
        }
    });
    let Some(clock) = choice.clock else { return };
    let presets: &[TimeControl] = match clock.of(Side::First) {
        TimeControl::PerMove(_) => &PER_MOVE,
        TimeControl::PerGame { .. } => &TimeControl::GAMES,
    };
    let of = tr("title.odds");
    widgets::labelled(ui, of, |ui| {
        let segments =
            [(tr("title.odds-none"), ""), (tr("title.odds-each"), tr("title.odds-hint"))];
        let chosen = usize::from(!clock.is_even());
        match segmented(ui, of, Some(chosen), &segments).filter(|index| *index != chosen) {
            Some(0) => choice.clock = Some(TimeControls::both(clock.of(Side::First))),
            Some(_) => {
                let own = clock.of(Side::First);
                let other = presets.iter().copied().find(|preset| *preset != own).unwrap_or(own);
                choice.clock = Some(TimeControls::each([own, other]));
            }
            None => {}
        }
    });
    if clock.is_even() {
        let of = match clock.of(Side::First) {
            TimeControl::PerMove(_) => tr("title.time"),
            TimeControl::PerGame { .. } => tr("clock.unit"),
        };
        if let Some(time) = times(ui, of, presets, clock.of(Side::First)) {
            choice.clock = Some(TimeControls::both(time));
        }
        return;
    }
    let mut each = Side::BOTH.map(|side| clock.of(side));
    for side in Side::BOTH {
        if let Some(time) = times(ui, side_label(choice.rules, side), presets, clock.of(side)) {
            each[side.index()] = time;
            choice.clock = Some(TimeControls::each(each));
        }
    }
}

/// The times per move to choose from, from seconds to days.
const PER_MOVE: [TimeControl; 6] = [
    TimeControl::MOVES[0],
    TimeControl::MOVES[1],
    TimeControl::MOVES[2],
    TimeControl::MOVES[3],
    TimeControl::DAYS[0],
    TimeControl::DAYS[1],
];

/// The times to choose from; the one that was clicked.
fn times(
    ui: &mut Ui,
    of: &str,
    presets: &[TimeControl],
    chosen: TimeControl,
) -> Option<TimeControl> {
    widgets::labelled(ui, of, |ui| {
        let texts: Vec<(String, String)> =
            presets.iter().map(|&preset| game_texts::time_control(preset)).collect();
        let segments: Vec<Segment<'_>> =
            texts.iter().map(|(name, hint)| (name.as_str(), hint.as_str())).collect();
        let chosen = presets.iter().position(|preset| *preset == chosen);
        segmented(ui, of, chosen, &segments).map(|index| presets[index])
    })
}

/// The usual numbers of games.
const GAMES: [usize; 4] = [1, 2, 4, 6];
/// The most games that the slider offers.
const MOST_GAMES: usize = 20;

/// A single game, or a match of so many games.
fn games_count(ui: &mut Ui, choice: &mut NewGameChoice) {
    let of = tr("match.games");
    let id = ui.id().with("own-number-of-games");
    let usual = GAMES.iter().position(|games| *games == choice.games);
    // The slider stays while it passes one of the usual numbers.
    let is_own = usual.is_none() || ui.data(|data| data.get_temp(id)).unwrap_or(false);
    widgets::labelled(ui, of, |ui| {
        let texts = GAMES.map(|games| games.to_string());
        let mut segments: Vec<Segment<'_>> = texts.iter().map(|text| (text.as_str(), "")).collect();
        segments[0] = (tr("match.single"), "");
        segments.push((tr("match.own"), tr("match.own-hint")));
        let chosen = if is_own { Some(GAMES.len()) } else { usual };
        if let Some(index) = segmented(ui, of, chosen, &segments) {
            let is_own = index == GAMES.len();
            choice.games = if is_own { choice.games.max(3) } else { GAMES[index] };
            ui.data_mut(|data| data.insert_temp(id, is_own));
        }
    });
    if !is_own {
        return;
    }
    let of = tr("match.number");
    widgets::labelled(ui, of, |ui| {
        ui.horizontal(|ui| {
            ui.set_min_height(CONTROL_HEIGHT);
            ui.spacing_mut().slider_width = (ui.available_width() - space(12)).max(space(16));
            let most = MOST_GAMES.max(choice.games);
            let slider = ui.add(Slider::new(&mut choice.games, 2..=most).show_value(false));
            let (games, enabled) = (choice.games.to_string(), ui.is_enabled());
            let text = tr_args("keys.of", &[("command", of), ("key", &games)]);
            #[expect(clippy::cast_precision_loss, reason = "at most a hundred games")]
            let value = choice.games as f64;
            slider.widget_info(|| WidgetInfo::slider(enabled, value, &text));
            ui.label(games);
        });
    });
}
