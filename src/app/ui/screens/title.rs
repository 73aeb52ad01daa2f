//! The title screen: which game, by which rules, who plays.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{self, Align, Label, Layout, Rect, RichText, Ui, vec2},
};

use crate::{
    app::{
        core::{
            actions::{Action, EditorAction, GameAction, UiAction},
            schedule::AppSet,
            states::{Dialog, Screen},
        },
        game::referee::Referee,
        platform::ON_A_PAGE,
        scene::api::ViewportInsets,
        settings::{ChangeSettings, Choice, Settings},
        ui::{
            UiSet,
            dialogs::{confirm::Confirmation, files::FileChooser},
            game_texts::{self, player_choices},
            reserve_insets,
            theme::{self, BODY, HUGE, LARGE, MUTED, SMALL},
            widgets::{self, Card, board_sketch},
        },
    },
    games::{RuleSet, Side},
    table::{Timing, lesson, rules_words, side_words},
    words::{fill, say},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<SelectedGame>()
        .init_resource::<TitleScreen>()
        .add_systems(Startup, load_choice)
        .add_systems(
            Update,
            save_choice.run_if(resource_changed::<SelectedGame>).in_set(AppSet::Report),
        )
        .add_systems(
            EguiPrimaryContextPass,
            show.run_if(in_state(Screen::Title)).in_set(UiSet::Screens),
        );
}

/// What is chosen for the next game.
#[derive(Resource, Clone, Debug, Default, PartialEq, Deref, DerefMut)]
pub(crate) struct SelectedGame(pub(crate) Choice);

/// What the title screen remembers.
#[derive(Resource, Debug, Default)]
struct TitleScreen {
    /// The game that it offers to continue.
    game: Option<GameInProgress>,
    /// For how many more frames the Play button takes the focus where nothing
    /// has it: large text is laid out in the second frame.
    focus_frames: u8,
}

/// A game on the table.
#[derive(Clone, Copy, Debug)]
struct GameInProgress {
    rules: RuleSet,
    plies: usize,
    is_over: bool,
}

fn load_choice(mut choice: ResMut<SelectedGame>, settings: Res<Settings>) {
    choice.0 = settings.choice.clone();
}

/// Writes what is chosen to the settings, for the next run.
fn save_choice(
    choice: Res<SelectedGame>,
    settings: Res<Settings>,
    mut changes: MessageWriter<ChangeSettings>,
) {
    if choice.0 != settings.choice {
        changes.write(ChangeSettings(Settings { choice: choice.0.clone(), ..settings.clone() }));
    }
}

fn show(
    mut contexts: EguiContexts,
    mut title: ResMut<TitleScreen>,
    mut choice: ResMut<SelectedGame>,
    (mut confirmation, mut files): (ResMut<Confirmation>, ResMut<FileChooser>),
    (referee, settings): (Res<Referee>, Res<Settings>),
    (screen, next): (Res<State<Screen>>, Res<NextState<Screen>>),
    mut insets: ResMut<ViewportInsets>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if screen.is_changed() {
        title.focus_frames = 4;
    }
    // A game that begins in this frame is no game to continue.
    if matches!(*next, NextState::Unchanged) {
        title.game = referee.table.as_ref().map(|table| GameInProgress {
            rules: table.rules(),
            plies: table.line().len(),
            is_over: table.outcome().is_some(),
        });
    }
    reserve_insets(context, &mut insets, ViewportInsets::default());
    let window = context.content_rect();
    let size = vec2((window.width() - 40.0).min(980.0), (window.height() - 16.0).min(600.0));
    let place = Rect::from_center_size(window.center(), size);
    let mut requested = Vec::new();
    let mut page = Title {
        state: &mut title,
        choice: &mut choice,
        confirmation: &mut confirmation,
        files: &mut files,
        referee: &referee,
        settings: &settings,
        actions: &mut requested,
    };
    widgets::panel(context, "title", place, theme::dialog_frame(), |ui| page.content(ui));
    actions.write_batch(requested);
}

/// What the parts of the screen read and write.
struct Title<'a> {
    state: &'a mut TitleScreen,
    choice: &'a mut Choice,
    confirmation: &'a mut Confirmation,
    files: &'a mut FileChooser,
    referee: &'a Referee,
    settings: &'a Settings,
    actions: &'a mut Vec<Action>,
}

impl Title<'_> {
    fn content(&mut self, ui: &mut Ui) {
        let is_roomy = ui.available_height() > 560.0;
        ui.spacing_mut().item_spacing = vec2(10.0, if is_roomy { 6.0 } else { 4.0 });
        if has_room(ui) {
            self.wide(ui);
        } else {
            self.narrow(ui);
        }
    }

    /// Everything is scrolled; what is most likely wanted comes first.
    fn narrow(&mut self, ui: &mut Ui) {
        let height = ui.available_height();
        widgets::scroll_area(ui, "title-scroll", height, |ui| {
            ui.horizontal(|ui| {
                name(ui);
                widgets::wrapped(ui, say("title.line"), BODY, MUTED);
            });
            ui.horizontal(|ui| self.play_buttons(ui));
            ui.horizontal_wrapped(|ui| {
                self.record_buttons(ui);
                self.program_buttons(ui);
            });
            self.choices(ui);
        });
    }

    /// The choices are scrolled; the buttons are always in sight.
    fn wide(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            name(ui);
            let texts: Vec<_> = program_actions().map(|(text, _)| text()).collect();
            let width = ui.available_width() - widgets::buttons_width(ui, &texts);
            let line = Label::new(RichText::new(say("title.line")).size(SMALL).color(MUTED));
            ui.allocate_ui_with_layout(
                vec2(width - ui.spacing().item_spacing.x, 40.0),
                Layout::left_to_right(Align::Center),
                |ui| {
                    ui.set_min_width(ui.available_width());
                    ui.add(line.wrap());
                },
            );
            self.program_buttons(ui);
        });
        let height = (ui.available_height() - PLAY_SIZE.y - 18.0).max(80.0);
        widgets::scroll_area(ui, "title-scroll", height, |ui| self.choices(ui));
        ui.separator();
        ui.horizontal(|ui| {
            self.play_buttons(ui);
            self.record_buttons(ui);
        });
    }

    fn choices(&mut self, ui: &mut Ui) {
        games(ui, self.choice);
        rule_sets(ui, self.choice);
        players(ui, self.choice);
        // A game can begin from any position.
        let set_up = widgets::button(ui, say("edit.open"));
        if set_up.on_hover_text(say("edit.open-hint")).clicked() {
            self.actions.push(EditorAction::Enter(Some(self.choice.rules)).into());
        }
    }

    /// Play, and back to the game on the table.
    fn play_buttons(&mut self, ui: &mut Ui) {
        let size = if ui.available_width() > 880.0 { PLAY_SIZE } else { vec2(140.0, PLAY_SIZE.y) };
        let play = widgets::primary_button(ui, say("title.play"), size);
        // Enter plays at once.
        if self.state.focus_frames > 0 {
            self.state.focus_frames -= 1;
            if ui.memory(|memory| memory.focused().is_none()) {
                play.request_focus();
            }
        }
        if play.clicked() {
            let action = GameAction::NewGame(self.choice.setup());
            self.confirmation.guard(action, self.referee, self.actions);
        }
        ui.spacing_mut().interact_size.y = 36.0;
        let Some(GameInProgress { rules, plies, is_over }) = self.state.game else { return };
        let key = if is_over { "title.back-to" } else { "title.continue" };
        let text = fill(key, &[("game", game_texts::name(rules.game()))]);
        let plies = plies.to_string();
        let hint = [("rules", rules_words(rules)), ("plies", plies.as_str())];
        let hint = fill("title.continue-hint", &hint);
        if widgets::button(ui, &text).on_hover_text(hint).clicked() {
            self.actions.push(UiAction::ShowTable.into());
        }
    }

    /// The lesson of the game that is chosen, the saved games, and records to
    /// watch or to analyse.
    fn record_buttons(&mut self, ui: &mut Ui) {
        ui.spacing_mut().interact_size.y = 36.0;
        let button =
            |ui: &mut Ui, text: &str, hint| widgets::button(ui, text).on_hover_text(hint).clicked();
        let game = self.choice.rules.game();
        let hint = match self.settings.lessons.of(game) {
            0 => say("title.learn-hint").to_owned(),
            step => {
                let (step, all) = ((step + 1).to_string(), lesson(game).len().to_string());
                fill("title.learn-on", &[("step", &step), ("all", &all)])
            }
        };
        let learn = fill("title.learn", &[("game", game_texts::name(game))]);
        if widgets::button(ui, &learn).on_hover_text(hint).clicked() {
            self.actions.push(GameAction::StartLesson(game).into());
        }
        if button(ui, say("menu.recent"), say("title.recent-hint")) {
            self.actions.push(UiAction::OpenDialog(Dialog::Recent).into());
        }
        if button(ui, say("title.replay"), say("title.replay-hint")) {
            self.files.open();
        }
        if button(ui, say("title.analyse"), say("replay.analyse-hint")) {
            self.files.analyse();
        }
    }

    fn program_buttons(&mut self, ui: &mut Ui) {
        for (text, action) in program_actions() {
            if widgets::button(ui, text()).clicked() {
                self.actions.push(action);
            }
        }
    }
}

/// What concerns the program, not a game: the text, and the action.
const PROGRAM_ACTIONS: [(fn() -> &'static str, Action); 4] = [
    (|| say("menu.settings"), Action::Ui(UiAction::OpenDialog(Dialog::Settings))),
    (|| say("bar.how-to"), Action::Ui(UiAction::OpenDialog(Dialog::Help))),
    (|| say("menu.about"), Action::Ui(UiAction::OpenDialog(Dialog::About))),
    (|| say("menu.quit"), Action::Ui(UiAction::Quit)),
];

/// A page has no button to quit.
fn program_actions() -> impl Iterator<Item = (fn() -> &'static str, Action)> {
    let quits = |action: &Action| *action == Action::Ui(UiAction::Quit);
    PROGRAM_ACTIONS.into_iter().filter(move |(_, action)| !(ON_A_PAGE && quits(action)))
}

/// The size of the Play button.
const PLAY_SIZE: egui::Vec2 = vec2(190.0, 50.0);

/// The least width of a card.
const MIN_CARD_WIDTH: f32 = 220.0;

fn name(ui: &mut Ui) {
    ui.label(RichText::new("Tabulae").size(HUGE).color(theme::ACCENT));
    ui.add_space(8.0);
}

fn games(ui: &mut Ui, choice: &mut Choice) {
    row_of_cards(ui, game_texts::GAMES.len(), 150.0, |ui, index, size| {
        let game = game_texts::GAMES[index];
        let mut shown = choice.clone();
        shown.turn_to(game);
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

fn rule_sets(ui: &mut Ui, choice: &mut Choice) {
    let name = game_texts::name(choice.rules.game());
    widgets::heading(ui, &fill("title.rules-of", &[("game", name)]));
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
fn players(ui: &mut Ui, choice: &mut Choice) {
    widgets::heading(ui, say("title.who"));
    let rules = choice.rules;
    for side in Side::BOTH {
        let mut name = |ui: &mut Ui| {
            widgets::disc(ui, theme::side_color(rules, side), 8.0);
            ui.label(side_words(rules, side));
            if side == Side::First && !rules.has_sticks() {
                ui.label(RichText::new(say("title.begins")).size(SMALL).color(MUTED));
            }
        };
        row(ui, &mut name, &mut |ui| {
            for (seat, name) in player_choices() {
                let is_chosen = choice.seats[side.index()] == seat;
                if widgets::labelled_choice(ui, side_words(rules, side), is_chosen, name).clicked()
                {
                    choice.seat(side, seat);
                }
            }
        });
    }
    if rules.has_sticks() {
        sticks(ui, choice);
    }
    row(ui, &mut |ui| label(ui, say("title.clock")), &mut |ui| clock(ui, &mut choice.clock));
}

/// Who throws the sticks, and who throws first.
fn sticks(ui: &mut Ui, choice: &mut Choice) {
    let has_room = has_room(ui);
    row(ui, &mut |ui| label(ui, say("title.sticks")), &mut |ui| {
        for (by_hand, name) in
            [(false, say("title.sticks-program")), (true, say("title.sticks-hand"))]
        {
            let is_chosen = choice.by_hand == by_hand;
            if widgets::labelled_choice(ui, say("title.sticks"), is_chosen, name).clicked() {
                choice.by_hand = by_hand;
            }
        }
        if has_room {
            ui.separator();
            ui.label(RichText::new(say("title.first")).size(SMALL).color(MUTED));
            first_thrower(ui, choice);
        }
    });
    if !has_room {
        row(ui, &mut |ui| label(ui, say("title.first")), &mut |ui| first_thrower(ui, choice));
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

fn has_room(ui: &Ui) -> bool {
    ui.available_width() >= 620.0
}

fn label(ui: &mut Ui, text: &str) {
    ui.label(text);
}

/// Who throws first, where the rules draw it by lot.
fn first_thrower(ui: &mut Ui, choice: &mut Choice) {
    let of = say("title.first");
    let by_lot = widgets::labelled_choice(ui, of, choice.first.is_none(), say("title.by-lot"));
    if by_lot.on_hover_text(say("title.by-lot-hint")).clicked() {
        choice.first = None;
    }
    for side in Side::BOTH {
        let chosen = choice.first == Some(side);
        if widgets::labelled_choice(ui, of, chosen, side_words(choice.rules, side)).clicked() {
            choice.first = Some(side);
        }
    }
}

/// The kind of clock (none, for each move, for the whole game) and its time.
fn clock(ui: &mut Ui, timing: &mut Option<Timing>) {
    let each = matches!(timing, Some(Timing::PerMove(_)));
    let whole = matches!(timing, Some(Timing::PerGame { .. }));
    let of = say("title.clock");
    if widgets::labelled_choice(ui, of, timing.is_none(), say("title.no-clock")).clicked() {
        *timing = None;
    }
    if widgets::labelled_choice(ui, of, each, say("title.each-move")).clicked() && !each {
        *timing = Some(Timing::MOVES[1]);
    }
    if widgets::labelled_choice(ui, of, whole, say("title.whole-game")).clicked() && !whole {
        *timing = Some(Timing::GAMES[2]);
    }
    let presets: &[Timing] = match timing {
        None => return,
        Some(Timing::PerMove(_)) => &Timing::MOVES,
        Some(Timing::PerGame { .. }) => &Timing::GAMES,
    };
    ui.separator();
    if whole {
        ui.label(RichText::new(say("clock.unit")).size(SMALL).color(MUTED));
    }
    for &preset in presets {
        let (name, hint) = timing_words(preset);
        let choice = widgets::labelled_choice(ui, of, *timing == Some(preset), &name);
        if choice.on_hover_text(hint).clicked() {
            *timing = Some(preset);
        }
    }
}

/// A time control in short, and in full.
fn timing_words(timing: Timing) -> (String, String) {
    let (time, more) = (timing.time().as_secs(), timing.increment().as_secs());
    let (minutes, seconds) = ((time / 60).to_string(), more.to_string());
    let names = [("minutes", minutes.as_str()), ("seconds", seconds.as_str())];
    match timing {
        Timing::PerMove(_) if time < 60 => {
            let name = fill("clock.seconds", &[("seconds", &time.to_string())]);
            (name, say("clock.move-hint").to_owned())
        }
        Timing::PerMove(_) => (fill("clock.minutes", &names), say("clock.move-hint").to_owned()),
        Timing::PerGame { .. } if more == 0 => (minutes.clone(), fill("clock.game-hint", &names)),
        Timing::PerGame { .. } => {
            (fill("clock.with-more", &names), fill("clock.plus-hint", &names))
        }
    }
}
