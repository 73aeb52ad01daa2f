//! The title screen: which game, by which rules, who plays.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{self, Align, Label, Layout, Rect, RichText, Ui, vec2},
};

use super::new_game;
use crate::{
    app::{
        core::{
            actions::{Action, EditorAction, GameAction, UiAction},
            schedule::AppSet,
            states::{Dialog, Screen},
        },
        game::referee::Referee,
        platform::IS_WEB,
        scene::api::ViewportInsets,
        settings::{ChangeSettings, NewGameChoice, Settings},
        ui::{
            UiSet,
            dialogs::{confirm::Confirmation, files::FileChooser},
            game_texts, reserve_insets,
            theme::{self, BODY, DISPLAY, MUTED, SMALL},
            widgets,
        },
    },
    games::RuleSet,
    i18n::{tr, tr_args},
    table::{lesson_steps, rules_label},
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
pub(crate) struct SelectedGame(pub(crate) NewGameChoice);

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
    choice.0 = settings.new_game.clone();
}

/// Writes what is chosen to the settings, for the next run.
fn save_choice(
    choice: Res<SelectedGame>,
    settings: Res<Settings>,
    mut changes: MessageWriter<ChangeSettings>,
) {
    if choice.0 != settings.new_game {
        changes.write(ChangeSettings(Settings { new_game: choice.0.clone(), ..settings.clone() }));
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
            plies: table.history().len(),
            is_over: table.outcome().is_some(),
        });
    }
    reserve_insets(context, &mut insets, ViewportInsets::default());
    let window = context.content_rect();
    let size = vec2((window.width() - 40.0).min(980.0), (window.height() - 16.0).min(600.0));
    let rect = Rect::from_center_size(window.center(), size);
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
    widgets::panel(context, "title", rect, theme::dialog_frame(), |ui| page.content(ui));
    actions.write_batch(requested);
}

/// What the parts of the screen read and write.
struct Title<'a> {
    state: &'a mut TitleScreen,
    choice: &'a mut NewGameChoice,
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
        if new_game::has_room(ui) {
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
                widgets::wrapped(ui, tr("title.line"), BODY, MUTED);
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
            let line = Label::new(RichText::new(tr("title.line")).size(SMALL).color(MUTED));
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
        new_game::show(ui, self.choice);
        // A game can begin from any position.
        let set_up = widgets::button(ui, tr("edit.open"));
        if set_up.on_hover_text(tr("edit.open-hint")).clicked() {
            self.actions.push(EditorAction::Enter(Some(self.choice.rules)).into());
        }
    }

    /// Play, and back to the game on the table.
    fn play_buttons(&mut self, ui: &mut Ui) {
        let size = if ui.available_width() > 880.0 { PLAY_SIZE } else { vec2(140.0, PLAY_SIZE.y) };
        let play = widgets::primary_button(ui, tr("title.play"), size);
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
        let text = tr_args(key, &[("game", game_texts::name(rules.game()))]);
        let plies = plies.to_string();
        let hint = [("rules", rules_label(rules)), ("plies", plies.as_str())];
        let hint = tr_args("title.continue-hint", &hint);
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
        let hint = match self.settings.lessons.step(game) {
            0 => tr("title.learn-hint").to_owned(),
            step => {
                let (step, all) = ((step + 1).to_string(), lesson_steps(game).len().to_string());
                tr_args("title.learn-on", &[("step", &step), ("all", &all)])
            }
        };
        let learn = tr_args("title.learn", &[("game", game_texts::name(game))]);
        if widgets::button(ui, &learn).on_hover_text(hint).clicked() {
            self.actions.push(GameAction::StartLesson(game).into());
        }
        if button(ui, tr("menu.recent"), tr("title.recent-hint")) {
            self.actions.push(UiAction::OpenDialog(Dialog::Recent).into());
        }
        if button(ui, tr("title.replay"), tr("title.replay-hint")) {
            self.files.open();
        }
        if button(ui, tr("title.analyse"), tr("replay.analyse-hint")) {
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
    (|| tr("menu.settings"), Action::Ui(UiAction::OpenDialog(Dialog::Settings))),
    (|| tr("bar.how-to"), Action::Ui(UiAction::OpenDialog(Dialog::Help))),
    (|| tr("menu.about"), Action::Ui(UiAction::OpenDialog(Dialog::About))),
    (|| tr("menu.quit"), Action::Ui(UiAction::Quit)),
];

/// A page has no button to quit.
fn program_actions() -> impl Iterator<Item = (fn() -> &'static str, Action)> {
    let quits = |action: &Action| *action == Action::Ui(UiAction::Quit);
    PROGRAM_ACTIONS.into_iter().filter(move |(_, action)| !(IS_WEB && quits(action)))
}

/// The size of the Play button.
const PLAY_SIZE: egui::Vec2 = vec2(190.0, 50.0);

fn name(ui: &mut Ui) {
    ui.label(RichText::new("Tabulae").size(DISPLAY).color(theme::ACCENT));
    ui.add_space(8.0);
}
