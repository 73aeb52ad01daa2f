//! The choices for a new game on the title screen: the game and its rules, who
//! plays, the sticks, the clock.

use bevy_egui::egui::{self, Align, Layout, RichText, Ui, vec2};

use crate::{
    app::{
        settings::NewGameChoice,
        ui::{
            game_texts,
            theme::{self, BODY, LARGE, MUTED, SMALL},
            widgets::{self, Card, board_sketch},
        },
    },
    games::{RuleSet, Side},
    i18n::{tr, tr_args},
    table::{TimeControl, side_label},
};

/// The least width of a card.
const MIN_CARD_WIDTH: f32 = 220.0;

/// Shows all choices.
pub(super) fn show(ui: &mut Ui, choice: &mut NewGameChoice) {
    games(ui, choice);
    rule_sets(ui, choice);
    players(ui, choice);
}

fn games(ui: &mut Ui, choice: &mut NewGameChoice) {
    row_of_cards(ui, game_texts::GAMES.len(), 150.0, |ui, index, size| {
        let game = game_texts::GAMES[index];
        let mut shown = choice.clone();
        shown.set_game(game);
        let card = Card {
            heading: game_texts::name(game),
            heading_size: LARGE + 4.0,
            kind: game_texts::kind(game),
            summary: game_texts::summary(game),
            picture_height: 76.0,
        };
        let (response, picture) = widgets::card(ui, size, shown == *choice, &card);
        board_sketch::paint(ui.painter(), picture, shown.rules);
        if response.clicked() {
            *choice = shown;
        }
    });
}

fn rule_sets(ui: &mut Ui, choice: &mut NewGameChoice) {
    let name = game_texts::name(choice.rules.game());
    widgets::heading(ui, &tr_args("title.rules-of", &[("game", name)]));
    let game = choice.rules.game();
    let sets: Vec<RuleSet> =
        RuleSet::ALL.into_iter().filter(|rules| rules.game() == game).collect();
    // Two lines where a card is wide.
    let height = if sets.len() > 2 || !has_room(ui) { 104.0 } else { 76.0 };
    row_of_cards(ui, sets.len(), height, |ui, index, size| {
        let rules = sets[index];
        let card = Card {
            heading: game_texts::variant(rules),
            heading_size: BODY,
            kind: "",
            summary: game_texts::difference(rules),
            picture_height: 0.0,
        };
        if widgets::card(ui, size, choice.rules == rules, &card).0.clicked() {
            choice.rules = rules;
        }
    });
}

/// Cards side by side, as wide as there is room; one under another where each
/// would be too narrow to read.
fn row_of_cards(
    ui: &mut Ui,
    count: usize,
    height: f32,
    mut add: impl FnMut(&mut Ui, usize, egui::Vec2),
) {
    let gap = ui.spacing().item_spacing.x;
    #[expect(clippy::cast_precision_loss, reason = "a handful of cards")]
    let width = (ui.available_width() - gap * (count - 1) as f32) / count as f32;
    if width < MIN_CARD_WIDTH {
        for index in 0..count {
            let size = vec2(ui.available_width(), height);
            ui.push_id(index, |ui| add(ui, index, size));
        }
        return;
    }
    ui.horizontal(|ui| {
        for index in 0..count {
            ui.push_id(index, |ui| add(ui, index, vec2(width, height)));
        }
    });
}

/// Who plays each side, how sticks are thrown, and the clock.
fn players(ui: &mut Ui, choice: &mut NewGameChoice) {
    widgets::heading(ui, tr("title.who"));
    let rules = choice.rules;
    for side in Side::BOTH {
        let mut name = |ui: &mut Ui| {
            widgets::disc(ui, theme::side_color(rules, side), 8.0);
            ui.label(side_label(rules, side));
            if side == Side::First && !rules.has_sticks() {
                ui.label(RichText::new(tr("title.begins")).size(SMALL).color(MUTED));
            }
        };
        row(ui, &mut name, &mut |ui| {
            let seat = choice.seats[side.index()];
            if let Some(seat) = widgets::seat_choice(ui, side_label(rules, side), seat) {
                choice.set_seat(side, seat);
            }
        });
    }
    if rules.has_sticks() {
        sticks(ui, choice);
    }
    row(ui, &mut |ui| label(ui, tr("title.clock")), &mut |ui| clock(ui, &mut choice.clock));
}

/// Who throws the sticks, and who throws first.
fn sticks(ui: &mut Ui, choice: &mut NewGameChoice) {
    let has_room = has_room(ui);
    row(ui, &mut |ui| label(ui, tr("title.sticks")), &mut |ui| {
        for (by_hand, name) in
            [(false, tr("title.sticks-program")), (true, tr("title.sticks-hand"))]
        {
            let is_chosen = choice.by_hand == by_hand;
            if widgets::labelled_choice(ui, tr("title.sticks"), is_chosen, name).clicked() {
                choice.by_hand = by_hand;
            }
        }
        if has_room {
            ui.separator();
            ui.label(RichText::new(tr("title.first")).size(SMALL).color(MUTED));
            first_thrower(ui, choice);
        }
    });
    if !has_room {
        row(ui, &mut |ui| label(ui, tr("title.first")), &mut |ui| first_thrower(ui, choice));
    }
}

/// A name and what can be chosen for it, one under the other where there is
/// little room.
fn row(ui: &mut Ui, name: &mut dyn FnMut(&mut Ui), add: &mut dyn FnMut(&mut Ui)) {
    if !has_room(ui) {
        ui.horizontal(|ui| name(ui));
        ui.horizontal_wrapped(|ui| add(ui));
        return;
    }
    ui.horizontal(|ui| {
        let size = vec2(132.0, 28.0);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(size.x);
            name(ui);
        });
        add(ui);
    });
}

/// Whether things that belong together have room side by side.
pub(super) fn has_room(ui: &Ui) -> bool {
    ui.available_width() >= 620.0
}

fn label(ui: &mut Ui, text: &str) {
    ui.label(text);
}

/// The side that throws first, if the rules draw it at random.
fn first_thrower(ui: &mut Ui, choice: &mut NewGameChoice) {
    let of = tr("title.first");
    let by_lot = widgets::labelled_choice(ui, of, choice.first.is_none(), tr("title.by-lot"));
    if by_lot.on_hover_text(tr("title.by-lot-hint")).clicked() {
        choice.first = None;
    }
    for side in Side::BOTH {
        let chosen = choice.first == Some(side);
        if widgets::labelled_choice(ui, of, chosen, side_label(choice.rules, side)).clicked() {
            choice.first = Some(side);
        }
    }
}

/// The kind of clock (none, for each move, for the whole game) and its time.
fn clock(ui: &mut Ui, time_control: &mut Option<TimeControl>) {
    let each = matches!(time_control, Some(TimeControl::PerMove(_)));
    let whole = matches!(time_control, Some(TimeControl::PerGame { .. }));
    let of = tr("title.clock");
    if widgets::labelled_choice(ui, of, time_control.is_none(), tr("title.no-clock")).clicked() {
        *time_control = None;
    }
    if widgets::labelled_choice(ui, of, each, tr("title.each-move")).clicked() && !each {
        *time_control = Some(TimeControl::MOVES[1]);
    }
    if widgets::labelled_choice(ui, of, whole, tr("title.whole-game")).clicked() && !whole {
        *time_control = Some(TimeControl::GAMES[2]);
    }
    let presets: &[TimeControl] = match time_control {
        None => return,
        Some(TimeControl::PerMove(_)) => &TimeControl::MOVES,
        Some(TimeControl::PerGame { .. }) => &TimeControl::GAMES,
    };
    ui.separator();
    if whole {
        ui.label(RichText::new(tr("clock.unit")).size(SMALL).color(MUTED));
    }
    for &preset in presets {
        let (name, hint) = time_control_text(preset);
        let choice = widgets::labelled_choice(ui, of, *time_control == Some(preset), &name);
        if choice.on_hover_text(hint).clicked() {
            *time_control = Some(preset);
        }
    }
}

/// A time control in short, and in full.
fn time_control_text(time_control: TimeControl) -> (String, String) {
    let (time, more) = (time_control.time().as_secs(), time_control.increment().as_secs());
    let (minutes, seconds) = ((time / 60).to_string(), more.to_string());
    let names = [("minutes", minutes.as_str()), ("seconds", seconds.as_str())];
    match time_control {
        TimeControl::PerMove(_) if time < 60 => {
            let name = tr_args("clock.seconds", &[("seconds", &time.to_string())]);
            (name, tr("clock.move-hint").to_owned())
        }
        TimeControl::PerMove(_) => {
            (tr_args("clock.minutes", &names), tr("clock.move-hint").to_owned())
        }
        TimeControl::PerGame { .. } if more == 0 => {
            (minutes.clone(), tr_args("clock.game-hint", &names))
        }
        TimeControl::PerGame { .. } => {
            (tr_args("clock.with-more", &names), tr_args("clock.plus-hint", &names))
        }
    }
}
