//! The title screen: which game, by which rules, who sits where.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{self, Align, Label, Layout, Rect, RichText, Ui, vec2},
};

use crate::{
    app::{
        core::{
            actions::{Action, EditorAction, GameAction, UiAction},
            states::{Dialog, Screen},
        },
        game::referee::Referee,
        platform::IS_WEB,
        scene::api::ViewportInsets,
        settings::{NewGameChoice, Settings},
        ui::{
            dialogs::files::Files,
            game_texts, send,
            state::{Offer, UiState, sitters},
            theme::{self, BODY, HUGE, LARGE, MUTED, SMALL},
            widgets::{self, Card, board_sketch},
        },
    },
    games::{RuleSet, Side},
    i18n::{tr, tr_args},
    table::{TimeControl, lesson_steps, rules_label, side_label},
};

/// Shows the title screen.
pub(crate) fn show(
    mut contexts: EguiContexts<'_, '_>,
    mut desk: ResMut<'_, UiState>,
    mut files: ResMut<'_, Files>,
    (referee, settings): (Res<'_, Referee>, Res<'_, Settings>),
    next: Res<'_, NextState<Screen>>,
    mut margins: ResMut<'_, ViewportInsets>,
    mut acts: MessageWriter<'_, Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    // A game that begins in this frame is no game to go on with.
    if matches!(*next, NextState::Unchanged) {
        desk.offered = referee.table.as_ref().map(|table| Offer {
            rules: table.rules(),
            plies: table.history().len(),
            over: table.outcome().is_some(),
        });
    }
    crate::app::ui::leave(context, &mut margins, ViewportInsets::default());
    let screen = context.content_rect();
    let size = vec2((screen.width() - 40.0).min(980.0), (screen.height() - 16.0).min(600.0));
    let place = Rect::from_center_size(screen.center(), size);
    let mut asked = Vec::new();
    widgets::pane(context, "title", place, theme::dialog(), |ui| {
        content(ui, &mut desk, &mut files, (&referee, &settings), &mut asked);
    });
    send(asked, &mut acts);
}

fn content(
    ui: &mut Ui,
    desk: &mut UiState,
    files: &mut Files,
    (referee, settings): (&Referee, &Settings),
    asked: &mut Vec<Action>,
) {
    let roomy = ui.available_height() > 560.0;
    ui.spacing_mut().item_spacing = vec2(10.0, if roomy { 6.0 } else { 4.0 });
    if ui.available_width() < 620.0 {
        // Where not all has room at once, what one most likely wants comes
        // first.
        let height = ui.available_height();
        widgets::scrolling(ui, "title-scroll", height, |ui| {
            ui.horizontal(|ui| {
                name(ui);
                ui.add(Label::new(RichText::new(tr("title.line")).size(BODY).color(MUTED)).wrap());
            });
            ui.horizontal(|ui| play_or_go_on(ui, desk, referee, asked));
            ui.horizontal_wrapped(|ui| {
                games_to_look_at(ui, desk, files, settings, asked);
                about_the_program(ui, asked);
            });
            games(ui, &mut desk.choice);
            rule_sets(ui, &mut desk.choice);
            seats(ui, &mut desk.choice);
            set_up(ui, desk, asked);
        });
        return;
    }
    ui.horizontal(|ui| {
        name(ui);
        let room = ui.available_width()
            - widgets::wide(ui, &program().map(|(text, _)| text()).collect::<Vec<_>>());
        let line = Label::new(RichText::new(tr("title.line")).size(SMALL).color(MUTED));
        ui.allocate_ui_with_layout(
            vec2(room - ui.spacing().item_spacing.x, 40.0),
            Layout::left_to_right(Align::Center),
            |ui| {
                ui.set_min_width(ui.available_width());
                ui.add(line.wrap());
            },
        );
        about_the_program(ui, asked);
    });
    // What is chosen can be scrolled; what is done with it is always there.
    let room = (ui.available_height() - PLAY.y - 18.0).max(80.0);
    widgets::scrolling(ui, "title-scroll", room, |ui| {
        games(ui, &mut desk.choice);
        rule_sets(ui, &mut desk.choice);
        seats(ui, &mut desk.choice);
        set_up(ui, desk, asked);
    });
    ui.separator();
    ui.horizontal(|ui| {
        play_or_go_on(ui, desk, referee, asked);
        games_to_look_at(ui, desk, files, settings, asked);
    });
}

fn name(ui: &mut Ui) {
    ui.label(RichText::new("Tabulae").size(HUGE).color(theme::ACCENT));
    ui.add_space(8.0);
}

fn games(ui: &mut Ui, choice: &mut NewGameChoice) {
    row_of_cards(ui, game_texts::GAMES.len(), 150.0, |ui, index, size| {
        let game = game_texts::GAMES[index];
        let mut shown = choice.clone();
        shown.set_game(game);
        let card = Card {
            heading: game_texts::name(game),
            size: LARGE + 4.0,
            kind: game_texts::kind(game),
            account: game_texts::account(game),
            picture: 76.0,
        };
        let (response, picture) = widgets::card(ui, size, shown == *choice, &card);
        board_sketch::board(ui.painter(), picture, shown.rules);
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
    let height = if sets.len() > 2 || ui.available_width() < 620.0 { 104.0 } else { 76.0 };
    row_of_cards(ui, sets.len(), height, |ui, index, size| {
        let rules = sets[index];
        let card = Card {
            heading: game_texts::variant(rules),
            size: BODY,
            kind: "",
            account: game_texts::difference(rules),
            picture: 0.0,
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
    if width < NARROWEST {
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

/// The narrowest a card can be.
const NARROWEST: f32 = 220.0;

fn seats(ui: &mut Ui, choice: &mut NewGameChoice) {
    widgets::heading(ui, tr("title.who"));
    let rules = choice.rules;
    for side in Side::BOTH {
        let mut name = |ui: &mut Ui| {
            widgets::disc(ui, theme::colour(rules, side), 8.0);
            ui.label(side_label(rules, side));
            if side == Side::First && !rules.has_sticks() {
                ui.label(RichText::new(tr("title.begins")).size(SMALL).color(MUTED));
            }
        };
        row(ui, &mut name, &mut |ui| {
            for (seat, name) in sitters() {
                let chosen = choice.seats[side.index()] == seat;
                if widgets::choice_of(ui, side_label(rules, side), chosen, name).clicked() {
                    choice.set_seat(side, seat);
                }
            }
        });
    }
    if rules.has_sticks() {
        let beside = has_room(ui);
        row(ui, &mut |ui| named(ui, tr("title.sticks")), &mut |ui| {
            for (by_hand, name) in
                [(false, tr("title.sticks-program")), (true, tr("title.sticks-hand"))]
            {
                let chosen = choice.by_hand == by_hand;
                if widgets::choice_of(ui, tr("title.sticks"), chosen, name).clicked() {
                    choice.by_hand = by_hand;
                }
            }
            if beside {
                ui.separator();
                ui.label(RichText::new(tr("title.first")).size(SMALL).color(MUTED));
                first(ui, choice);
            }
        });
        if !beside {
            row(ui, &mut |ui| named(ui, tr("title.first")), &mut |ui| first(ui, choice));
        }
    }
    row(ui, &mut |ui| named(ui, tr("title.clock")), &mut |ui| clock(ui, &mut choice.clock));
}

/// A name and what can be chosen for it; one under the other where they have
/// no room side by side.
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

fn has_room(ui: &Ui) -> bool {
    ui.available_width() >= 620.0
}

fn named(ui: &mut Ui, text: &str) {
    ui.label(text);
}

/// Who throws first, where the rules leave it to the lot.
fn first(ui: &mut Ui, choice: &mut NewGameChoice) {
    let of = tr("title.first");
    let by_lot = widgets::choice_of(ui, of, choice.first.is_none(), tr("title.by-lot"));
    if by_lot.on_hover_text(tr("title.by-lot-hint")).clicked() {
        choice.first = None;
    }
    for side in Side::BOTH {
        let chosen = choice.first == Some(side);
        if widgets::choice_of(ui, of, chosen, side_label(choice.rules, side)).clicked() {
            choice.first = Some(side);
        }
    }
}

/// How much time the players have: none, for each move, for the whole game;
/// and then how much.
fn clock(ui: &mut Ui, timing: &mut Option<TimeControl>) {
    let each = matches!(timing, Some(TimeControl::PerMove(_)));
    let whole = matches!(timing, Some(TimeControl::PerGame { .. }));
    let of = tr("title.clock");
    if widgets::choice_of(ui, of, timing.is_none(), tr("title.no-clock")).clicked() {
        *timing = None;
    }
    if widgets::choice_of(ui, of, each, tr("title.each-move")).clicked() && !each {
        *timing = Some(TimeControl::MOVES[1]);
    }
    if widgets::choice_of(ui, of, whole, tr("title.whole-game")).clicked() && !whole {
        *timing = Some(TimeControl::GAMES[2]);
    }
    let presets: &[TimeControl] = match timing {
        None => return,
        Some(TimeControl::PerMove(_)) => &TimeControl::MOVES,
        Some(TimeControl::PerGame { .. }) => &TimeControl::GAMES,
    };
    ui.separator();
    if whole {
        ui.label(RichText::new(tr("clock.unit")).size(SMALL).color(MUTED));
    }
    for &preset in presets {
        let (name, hint) = timing_words(preset);
        let choice = widgets::choice_of(ui, of, *timing == Some(preset), &name);
        if choice.on_hover_text(hint).clicked() {
            *timing = Some(preset);
        }
    }
}

/// A time in short, and in full.
fn timing_words(timing: TimeControl) -> (String, String) {
    let (time, more) = (timing.time().as_secs(), timing.increment().as_secs());
    let (minutes, seconds) = ((time / 60).to_string(), more.to_string());
    let names = [("minutes", minutes.as_str()), ("seconds", seconds.as_str())];
    match timing {
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

/// A game can begin from any position.
fn set_up(ui: &mut Ui, desk: &UiState, asked: &mut Vec<Action>) {
    if widgets::button(ui, tr("edit.open")).on_hover_text(tr("edit.open-hint")).clicked() {
        asked.push(Action::Editor(EditorAction::Enter(Some(desk.choice.rules))));
    }
}

/// The size of the button that begins a game.
const PLAY: egui::Vec2 = vec2(190.0, 50.0);

/// Playing, or going on with the game on the table.
fn play_or_go_on(ui: &mut Ui, desk: &mut UiState, referee: &Referee, asked: &mut Vec<Action>) {
    let room = ui.available_width();
    let size = if room > 880.0 { PLAY } else { vec2(140.0, PLAY.y) };
    let play = widgets::main_button(ui, tr("title.play"), size);
    // Whoever comes here can play at once, with the keyboard too.
    if desk.greeting > 0 {
        desk.greeting -= 1;
        if ui.memory(|memory| memory.focused().is_none()) {
            play.request_focus();
        }
    }
    if play.clicked() {
        let setup = desk.choice.setup();
        desk.guard(Action::Game(GameAction::NewGame(setup)), referee, asked);
    }
    ui.spacing_mut().interact_size.y = 36.0;
    if let Some(Offer { rules, plies, over }) = desk.offered {
        let key = if over { "title.back-to" } else { "title.continue" };
        let text = tr_args(key, &[("game", game_texts::name(rules.game()))]);
        let plies = plies.to_string();
        let hint = [("rules", rules_label(rules)), ("plies", plies.as_str())];
        let hint = tr_args("title.continue-hint", &hint);
        if widgets::button(ui, &text).on_hover_text(hint).clicked() {
            asked.push(Action::Ui(UiAction::ShowTable));
        }
    }
}

/// Learning the game that is chosen, the kept games, watching and analysing.
fn games_to_look_at(
    ui: &mut Ui,
    desk: &UiState,
    files: &mut Files,
    settings: &Settings,
    asked: &mut Vec<Action>,
) {
    ui.spacing_mut().interact_size.y = 36.0;
    let hinted =
        |ui: &mut Ui, text: &str, hint| widgets::button(ui, text).on_hover_text(hint).clicked();
    let game = desk.choice.rules.game();
    let hint = match settings.lessons.step(game) {
        0 => tr("title.learn-hint").to_owned(),
        step => {
            let (step, all) = ((step + 1).to_string(), lesson_steps(game).len().to_string());
            tr_args("title.learn-on", &[("step", &step), ("all", &all)])
        }
    };
    let learn = tr_args("title.learn", &[("game", game_texts::name(game))]);
    if widgets::button(ui, &learn).on_hover_text(hint).clicked() {
        asked.push(Action::Game(GameAction::StartLesson(game)));
    }
    if hinted(ui, tr("menu.recent"), tr("title.recent-hint")) {
        asked.push(Action::Ui(UiAction::OpenDialog(Dialog::Recent)));
    }
    if hinted(ui, tr("title.replay"), tr("title.replay-hint")) {
        files.open();
    }
    if hinted(ui, tr("title.analyse"), tr("replay.analyse-hint")) {
        files.analyse();
    }
}

/// What is about the program, not about a game: its words, and the act.
const PROGRAM: [(fn() -> &'static str, Action); 4] = [
    (|| tr("menu.settings"), Action::Ui(UiAction::OpenDialog(Dialog::Settings))),
    (|| tr("bar.how-to"), Action::Ui(UiAction::OpenDialog(Dialog::Help))),
    (|| tr("menu.about"), Action::Ui(UiAction::OpenDialog(Dialog::About))),
    (|| tr("menu.quit"), Action::Ui(UiAction::Quit)),
];

/// A page is left as pages are.
fn program() -> impl Iterator<Item = (fn() -> &'static str, Action)> {
    PROGRAM.into_iter().filter(|(_, act)| !(IS_WEB && *act == Action::Ui(UiAction::Quit)))
}

fn about_the_program(ui: &mut Ui, asked: &mut Vec<Action>) {
    for (text, act) in program() {
        if widgets::button(ui, text()).clicked() {
            asked.push(act);
        }
    }
}
