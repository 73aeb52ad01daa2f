//! The menu: what can be done besides playing, on any screen.

use bevy::prelude::*;
use bevy_egui::{
    EguiPrimaryContextPass,
    egui::{Button, Response, RichText, Ui, vec2},
};

use super::{
    DialogWindow, ScreenContent, WindowLayout,
    confirm::{Confirm, Confirmation},
    files::FileChooser,
    settings::tutor_row,
    while_open,
};
use crate::{
    app::{
        analysis::Analysis,
        core::{
            actions::{Action, EditorAction, GameAction, ReplayAction, UiAction, ViewAction},
            states::{Dialog, Screen},
        },
        game::referee::OpenedFile,
        platform::IS_WEB,
        practice::PracticeSession,
        puzzles::PuzzleTrainer,
        settings::{
            ChangeSettings, Settings,
            key_bindings::{Chord, KeyBindings},
        },
        ui::{
            screens::{replay_bar, toolbar},
            theme::{FAINT, SMALL, space},
            widgets,
        },
    },
    games::RuleSet,
    i18n::tr,
    session::{GameSession, Seat},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, while_open(Dialog::Menu, show));
}

fn show(
    mut window: DialogWindow,
    on_screen: ScreenContent,
    opened_file: Res<OpenedFile>,
    (analysis, practice, trainer): (Res<Analysis>, Res<PracticeSession>, Res<PuzzleTrainer>),
    settings: Res<Settings>,
    mut confirmation: ResMut<Confirmation>,
    mut files: ResMut<FileChooser>,
    mut changes: MessageWriter<ChangeSettings>,
) {
    let layout = WindowLayout { width: 520.0, ..WindowLayout::default() };
    let mut wanted = settings.clone();
    window.show(&layout, |ui, actions| {
        widgets::dialog_title(ui, tr("menu.title"));
        // Two entries side by side, or one under the other without the room.
        let width = ui.available_width();
        let half = (width - ui.spacing().item_spacing.x) / 2.0;
        let mut menu = Menu {
            width: if half < 200.0 { width } else { half },
            is_done: false,
            on_screen: &on_screen,
            analysis: analysis.enabled,
            practises: practice.game().is_some(),
            diagram: settings.diagram,
            keys: &settings.key_bindings,
            wanted: &mut wanted,
            solves: trainer.current().is_some(),
            shown_analysis: (analysis.show_threats, analysis.show_evaluation),
            several_games: opened_file.games.len() > 1,
            confirmation: &mut confirmation,
            files: &mut files,
            actions,
        };
        match on_screen.screen.get() {
            Screen::Table => menu.table_entries(ui),
            Screen::Replay => menu.replay_entries(ui),
            Screen::Editor => menu.editor_entries(ui),
            Screen::Title => {}
        }
        menu.program_entries(ui);
        if menu.is_done {
            menu.actions.push(UiAction::CloseDialog.into());
        }
    });
    if wanted != *settings {
        changes.write(ChangeSettings { known: settings.clone(), wanted });
    }
}

/// How high an entry is.
const ENTRY_HEIGHT: f32 = 30.0;

struct Menu<'a> {
    /// How wide each entry is.
    width: f32,
    /// Whether a button was pressed that closes the menu.
    is_done: bool,
    on_screen: &'a ScreenContent<'a>,
    /// Whether the game is being analysed.
    analysis: bool,
    /// Whether the mistakes of a game are practised.
    practises: bool,
    /// Whether the board is drawn as a flat diagram.
    diagram: bool,
    keys: &'a KeyBindings,
    /// The settings as they are chosen.
    wanted: &'a mut Settings,
    /// Whether a puzzle is on the board.
    solves: bool,
    /// Whether threats and the evaluation are shown.
    shown_analysis: (bool, bool),
    /// Whether the game is one of several in its file.
    several_games: bool,
    confirmation: &'a mut Confirmation,
    files: &'a mut FileChooser,
    actions: &'a mut Vec<Action>,
}

/// Entries.
impl Menu<'_> {
    /// A group of entries under a heading, in as many columns as there is room for.
    fn section(&mut self, ui: &mut Ui, heading: &str, add: impl FnOnce(&mut Self, &mut Ui)) {
        ui.add_space(space(2));
        widgets::label(ui, heading);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            add(self, ui);
        });
    }

    /// An entry with its key, if it has one, which closes the menu.
    fn button(&self, ui: &mut Ui, enabled: bool, is_on: bool, text: &str, key: &str) -> Response {
        // The place of the key, even if there is none, keeps the text at the left.
        let button = Button::new(text).shortcut_text(RichText::new(key).size(SMALL).color(FAINT));
        let button = button.min_size(vec2(self.width, ENTRY_HEIGHT)).truncate();
        let response = ui.add_enabled(enabled, button.selected(is_on).frame_when_inactive(is_on));
        widgets::set_accessible_label(&response, text);
        response
    }

    /// An entry that closes the menu; whether it was chosen.
    fn entry(&mut self, ui: &mut Ui, enabled: bool, text: &str, hint: &str) -> bool {
        self.entry_with_key(ui, enabled, text, hint, "")
    }

    fn entry_with_key(
        &mut self,
        ui: &mut Ui,
        enabled: bool,
        text: &str,
        hint: &str,
        key: &str,
    ) -> bool {
        let mut response = self.button(ui, enabled, false, text, key);
        if !hint.is_empty() {
            response = response.on_hover_text(hint).on_disabled_hover_text(hint);
        }
        self.is_done |= response.clicked();
        response.clicked()
    }

    /// The key of an action on this screen.
    fn key(&self, action: &Action) -> String {
        let chord = self.keys.chord_of(*self.on_screen.screen.get(), action);
        chord.map(Chord::label).unwrap_or_default()
    }

    /// An entry that requests an action.
    fn action(&mut self, ui: &mut Ui, text: &str, hint: &str, action: impl Into<Action>) {
        self.action_if(ui, true, text, hint, action);
    }

    /// The same, which can be disabled.
    fn action_if(
        &mut self,
        ui: &mut Ui,
        enabled: bool,
        text: &str,
        hint: &str,
        action: impl Into<Action>,
    ) {
        let action = action.into();
        let key = self.key(&action);
        if self.entry_with_key(ui, enabled, text, hint, &key) {
            self.actions.push(action);
        }
    }

    /// An entry that switches something on or off.
    fn toggle(
        &mut self,
        ui: &mut Ui,
        is_on: bool,
        text: &str,
        hint: &str,
        action: impl Into<Action>,
    ) {
        let action = action.into();
        let key = self.key(&action);
        if self.button(ui, true, is_on, text, &key).on_hover_text(hint).clicked() {
            self.is_done = true;
            self.actions.push(action);
        }
    }

    /// An entry that opens another dialog: it takes the menu's place, which so
    /// is not closed.
    fn dialog(&mut self, ui: &mut Ui, text: &str, hint: &str, dialog: Dialog) {
        let before = self.is_done;
        self.action(ui, text, hint, UiAction::OpenDialog(dialog));
        self.is_done = before;
    }
}

/// What the menu holds, by screen.
impl Menu<'_> {
    fn table_entries(&mut self, ui: &mut Ui) {
        let referee = &self.on_screen.referee;
        let Some(table) = &referee.table else { return };
        if referee.is_exercise() {
            // A step of a lesson is no game to be saved, won or resigned.
            self.section(ui, tr("menu.game"), |menu, ui| {
                menu.action(ui, tr("menu.new"), tr("menu.new-hint"), UiAction::ShowTitle);
                if menu.practises {
                    menu.action(ui, tr("practice.leave"), "", GameAction::LeavePractice);
                } else if menu.solves {
                    menu.action(ui, tr("puzzles.leave"), "", GameAction::LeavePractice);
                } else {
                    menu.action(ui, tr("lesson.from-start"), "", GameAction::FirstLessonStep);
                }
            });
        } else {
            self.game_entries(ui, table);
        }
        self.view_entries(ui, table.rules().has_sticks());
    }

    fn game_entries(&mut self, ui: &mut Ui, table: &GameSession) {
        let is_over = table.outcome().is_some();
        self.section(ui, tr("menu.game"), |menu, ui| {
            menu.action(ui, tr("menu.new"), tr("menu.new-hint"), UiAction::ShowTitle);
            if table.awaits_next_game() {
                menu.action(ui, tr("popup.next-game"), "", GameAction::NextGame);
            } else if menu.entry(ui, true, tr("menu.rematch"), tr("menu.rematch-hint")) {
                let referee = &menu.on_screen.referee;
                menu.confirmation.guard(GameAction::Rematch, referee, menu.actions);
            }
            let hint = if table.knows_draws() { "" } else { tr("menu.no-draw") };
            let can_offer = table.knows_draws() && !is_over;
            menu.action_if(ui, can_offer, tr("menu.offer-draw"), hint, GameAction::OfferDraw);
            if menu.entry(ui, !is_over, tr("menu.resign"), "") {
                menu.confirmation.0 = Some(Confirm::Resign);
            }
            let hint = if table.can_undo() { "" } else { tr("bar.no-undo") };
            menu.action_if(ui, table.can_undo(), tr("bar.undo"), hint, GameAction::Undo);
            let hint = if table.can_redo() { "" } else { tr("bar.no-redo") };
            menu.action_if(ui, table.can_redo(), tr("bar.redo"), hint, GameAction::Redo);
            if table.rules().has_sticks() {
                let (text, can_undo) = (tr("bar.undo-turn"), table.can_undo());
                let hint = if can_undo { tr("bar.undo-turn-hint") } else { tr("bar.no-undo") };
                menu.action_if(ui, can_undo, text, hint, GameAction::UndoTurn);
                menu.dialog(ui, tr("popup.throws"), "", Dialog::Throws);
            } else if !is_over {
                menu.dialog(ui, tr("desk.type-move"), "", Dialog::TypeMove);
            }
            if table.is_online() {
                menu.dialog(ui, tr("friend.title"), "", Dialog::Online);
            }
        });
        self.section(ui, tr("menu.study"), |menu, ui| {
            let hint = tr("study.hint");
            menu.action(ui, tr("replay.analyse"), hint, ViewAction::ToggleAnalysis);
            let has_plies = !table.history().is_empty();
            let hint = if has_plies { tr("menu.replay-hint") } else { tr("menu.no-replay") };
            menu.action_if(ui, has_plies, tr("menu.replay"), hint, ReplayAction::WatchGame);
            menu.set_up(ui);
            if is_over {
                menu.learn_from_mistakes(ui);
            }
        });
        let has_opponent = table.seats().iter().any(|seat| seat.is_computer());
        if has_opponent && table.seats().contains(&Seat::Person) {
            tutor_row(ui, &mut self.wanted.tutor);
        }
        self.section(ui, tr("menu.files"), |menu, ui| {
            if menu.entry(ui, true, tr("menu.save"), "") {
                menu.files.save(table.rules());
            }
            menu.action(ui, tr("menu.copy"), tr("replay.copy-hint"), UiAction::Copy);
            menu.link(ui);
        });
    }

    fn editor_entries(&mut self, ui: &mut Ui) {
        let is_playable = self.on_screen.editor.draft.playable().is_ok();
        self.section(ui, tr("menu.game"), |menu, ui| {
            menu.action(ui, tr("replay.title"), tr("replay.title-hint"), UiAction::ShowTitle);
            menu.action(ui, tr("edit.done"), "", EditorAction::Leave);
            let hint = if is_playable { "" } else { tr("edit.cannot") };
            menu.action_if(ui, is_playable, tr("edit.analyse"), hint, EditorAction::Analyse);
        });
        self.section(ui, tr("menu.files"), |menu, ui| {
            menu.action(ui, tr("menu.copy"), "", UiAction::Copy);
            menu.dialog(ui, tr("edit.text"), tr("edit.text-hint"), Dialog::Position);
            menu.link(ui);
        });
        if toolbar::is_narrow(ui.ctx().content_rect().width()) {
            self.section(ui, tr("menu.view"), Self::camera_entries);
        }
    }

    fn replay_entries(&mut self, ui: &mut Ui) {
        let (replay, referee) = (&self.on_screen.replay, &self.on_screen.referee);
        let has_sticks = replay.rules().is_some_and(RuleSet::has_sticks);
        self.section(ui, tr("menu.game"), |menu, ui| {
            menu.action(ui, tr("replay.title"), tr("replay.title-hint"), UiAction::ShowTitle);
            let has_table = referee.table.is_some();
            menu.action_if(ui, has_table, tr("replay.to-table"), "", UiAction::ShowTable);
            if menu.entry(ui, true, tr("replay.play-on"), "") {
                menu.confirmation.guard(ReplayAction::PlayFromHere, referee, menu.actions);
            }
            let (text, hint) = (tr("replay.loop"), tr("replay.loop-hint"));
            menu.toggle(ui, replay.looping, text, hint, ReplayAction::ToggleLoop);
            let (text, hint) = (tr("replay.camera"), tr("replay.camera-hint"));
            menu.toggle(ui, replay.auto_camera, text, hint, ReplayAction::ToggleAutoCamera);
            if has_sticks {
                menu.dialog(ui, tr("popup.throws"), "", Dialog::Throws);
            }
            if menu.several_games {
                menu.dialog(ui, tr("menu.games"), "", Dialog::Games);
            }
        });
        if toolbar::is_tight(ui.ctx().content_rect().width()) {
            replay_bar::speed_row(ui, replay, self.actions);
        }
        self.section(ui, tr("menu.study"), |menu, ui| {
            let (text, hint) = (tr("replay.analyse"), tr("replay.analyse-hint"));
            menu.toggle(ui, menu.analysis, text, hint, ViewAction::ToggleAnalysis);
            let (text, hint) = (tr("explorer.title"), tr("explorer.hint"));
            menu.action(ui, text, hint, ViewAction::ToggleExplorer);
            menu.set_up(ui);
            if replay.ply_count() > 0 {
                menu.learn_from_mistakes(ui);
            }
        });
        let (can_undo, can_redo) = replay.can_undo_redo();
        self.section(ui, tr("menu.variations"), |menu, ui| {
            menu.dialog(ui, tr("desk.type-move"), tr("line.type-hint"), Dialog::TypeMove);
            menu.dialog(ui, tr("line.comment"), "", Dialog::Comment);
            let hint = tr("line.promote-hint");
            menu.action(ui, tr("line.promote"), hint, ReplayAction::Promote);
            menu.action(ui, tr("line.make-main"), "", ReplayAction::MakeMain);
            let hint = tr("line.delete-hint");
            menu.action(ui, tr("line.delete"), hint, ReplayAction::DeleteFromHere);
            menu.action_if(ui, can_undo, tr("line.undo"), "", GameAction::Undo);
            menu.action_if(ui, can_redo, tr("line.redo"), "", GameAction::Redo);
        });
        self.section(ui, tr("menu.files"), |menu, ui| {
            if menu.entry(ui, true, tr("menu.save"), "")
                && let Some(rules) = replay.rules()
            {
                menu.files.save_replay(rules);
            }
            menu.action(ui, tr("menu.copy"), tr("replay.copy-hint"), UiAction::Copy);
            if !IS_WEB {
                let hint = tr("replay.export-hint");
                menu.dialog(ui, tr("replay.export"), hint, Dialog::Export);
            }
            menu.link(ui);
        });
        self.view_entries(ui, has_sticks);
    }

    fn program_entries(&mut self, ui: &mut Ui) {
        self.section(ui, tr("menu.program"), |menu, ui| {
            menu.dialog(ui, tr("menu.recent"), tr("title.recent-hint"), Dialog::Recent);
            if menu.entry(ui, true, tr("menu.open"), tr("menu.open-hint")) {
                menu.files.open();
            }
            menu.dialog(ui, tr("menu.history"), tr("title.history-hint"), Dialog::History);
            let (text, hint) = (tr("puzzles.title"), tr("puzzles.hint"));
            let rules = menu.on_screen.rules();
            menu.action(ui, text, hint, GameAction::StartPuzzles(Some(rules)));
            menu.dialog(ui, tr("menu.settings"), "", Dialog::Settings);
            menu.dialog(ui, tr("bar.how-to"), "", Dialog::Help);
            if !IS_WEB {
                menu.action(ui, tr("menu.quit"), "", UiAction::Quit);
            }
        });
        ui.add_space(6.0);
    }
}

/// Rows and buttons that several screens share.
impl Menu<'_> {
    fn learn_from_mistakes(&mut self, ui: &mut Ui) {
        let (text, hint) = (tr("practice.title"), tr("practice.hint"));
        self.action(ui, text, hint, GameAction::LearnFromMistakes);
    }

    fn set_up(&mut self, ui: &mut Ui) {
        self.action(ui, tr("edit.open"), tr("edit.open-hint"), EditorAction::Enter(None));
    }

    /// Copies a link; only a page can be linked to.
    fn link(&mut self, ui: &mut Ui) {
        if IS_WEB {
            let hint = tr("menu.copy-link-hint");
            self.action(ui, tr("menu.copy-link"), hint, UiAction::CopyLink);
        }
    }

    /// What can be seen of the game, and from where.
    fn view_entries(&mut self, ui: &mut Ui, has_sticks: bool) {
        let is_table = *self.on_screen.screen.get() == Screen::Table;
        self.section(ui, tr("menu.view"), |menu, ui| {
            // They would give an exercise away.
            if is_table && !(menu.practises || menu.solves) {
                let (threats, evaluation) = menu.shown_analysis;
                let (text, hint) = (tr("bar.threats"), tr("bar.threats-hint"));
                menu.toggle(ui, threats, text, hint, ViewAction::ToggleThreats);
                let (text, hint) = (tr("bar.value"), tr("bar.value-hint"));
                menu.toggle(ui, evaluation, text, hint, ViewAction::ToggleEvaluation);
            }
            let (text, hint) = (tr("settings.diagram"), tr("settings.diagram-hint"));
            menu.toggle(ui, menu.diagram, text, hint, ViewAction::ToggleDiagram);
            let hint = tr("menu.turn-table-hint");
            menu.action(ui, tr("menu.turn-table"), hint, ViewAction::FlipBoard);
            // In a wide replay the toolbar has them.
            if is_table || toolbar::is_narrow(ui.ctx().content_rect().width()) {
                menu.camera_entries(ui);
            }
            if has_sticks {
                let hint = tr("menu.course-hint");
                menu.action(ui, tr("menu.course"), hint, ViewAction::ToggleCourse);
            }
            let hint = tr("panels.hide-hint");
            menu.action(ui, tr("panels.hide"), hint, ViewAction::TogglePanels);
            let hint = tr("photo.hint");
            menu.action(ui, tr("photo.open"), hint, ViewAction::TogglePhoto);
        });
    }

    fn camera_entries(&mut self, ui: &mut Ui) {
        self.action(ui, tr("bar.above"), tr("bar.above-hint"), ViewAction::ToggleTopView);
        self.action(ui, tr("bar.reset-view"), tr("bar.reset-hint"), ViewAction::ResetCamera);
    }
}
