//! The menu: what can be done besides playing, on any screen.

use bevy::prelude::*;
use bevy_egui::{
    EguiPrimaryContextPass,
    egui::{self, Ui, vec2},
};

use super::{
    DialogWindow, ScreenContent, WindowLayout,
    confirm::{Confirm, Confirmation},
    files::FileChooser,
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
        settings::Settings,
        ui::{
            screens::{replay_bar, toolbar},
            widgets,
        },
    },
    games::RuleSet,
    i18n::tr,
    table::GameSession,
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
) {
    let layout = WindowLayout { width: 440.0, ..WindowLayout::default() };
    window.show(&layout, |ui, actions| {
        widgets::dialog_title(ui, tr("menu.title"));
        ui.add_space(4.0);
        // Two buttons side by side, or one under the other without the room.
        let width = ui.available_width();
        let half = (width - ui.spacing().item_spacing.x) / 2.0;
        let mut menu = Menu {
            width: if half < 200.0 { width } else { half },
            is_done: false,
            on_screen: &on_screen,
            analysis: analysis.enabled,
            practises: practice.game().is_some(),
            diagram: settings.diagram,
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
}

struct Menu<'a> {
    /// How wide each button is.
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
    fn row(&mut self, ui: &mut Ui, add: impl FnOnce(&mut Self, &mut Ui)) {
        ui.horizontal_wrapped(|ui| add(self, ui));
    }

    /// A button, which closes the menu; whether it was pressed.
    fn entry(&mut self, ui: &mut Ui, enabled: bool, text: &str, hint: &str) -> bool {
        let button = egui::Button::new(text).min_size(vec2(self.width, 34.0)).truncate();
        let mut response = ui.add_enabled(enabled, button);
        if !hint.is_empty() {
            response = response.on_hover_text(hint).on_disabled_hover_text(hint);
        }
        self.is_done |= response.clicked();
        response.clicked()
    }

    /// A button that requests an action.
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
        if self.entry(ui, enabled, text, hint) {
            self.actions.push(action.into());
        }
    }

    /// A button that switches something on or off.
    fn toggle(
        &mut self,
        ui: &mut Ui,
        is_on: bool,
        text: &str,
        hint: &str,
        action: impl Into<Action>,
    ) {
        let button = egui::Button::new(text).min_size(vec2(self.width, 34.0)).truncate();
        if ui.add(button.selected(is_on)).on_hover_text(hint).clicked() {
            self.is_done = true;
            self.actions.push(action.into());
        }
    }

    /// A button that opens another dialog: it takes the menu's place, which so
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
        if referee.lesson {
            // A step of a lesson is no game to be saved, won or resigned.
            self.row(ui, |menu, ui| {
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
        self.board_entries(ui, table.rules().has_sticks());
        self.view_entries(ui);
        ui.separator();
    }

    /// What the tools of the table have no room for.
    fn undo_entries(&mut self, ui: &mut Ui, table: &GameSession) {
        self.row(ui, |menu, ui| {
            let hint = if table.can_redo() { "" } else { tr("bar.no-redo") };
            menu.action_if(ui, table.can_redo(), tr("bar.redo"), hint, GameAction::Redo);
            if table.rules().has_sticks() {
                let (text, can_undo) = (tr("bar.undo-turn"), table.can_undo());
                let hint = if can_undo { tr("bar.undo-turn-hint") } else { tr("bar.no-undo") };
                menu.action_if(ui, can_undo, text, hint, GameAction::UndoTurn);
            }
        });
    }

    fn game_entries(&mut self, ui: &mut Ui, table: &GameSession) {
        let is_over = table.outcome().is_some();
        self.undo_entries(ui, table);
        self.row(ui, |menu, ui| {
            menu.action(ui, tr("menu.new"), tr("menu.new-hint"), UiAction::ShowTitle);
            if table.awaits_next_game() {
                menu.action(ui, tr("popup.next-game"), "", GameAction::NextGame);
            } else if menu.entry(ui, true, tr("menu.rematch"), tr("menu.rematch-hint")) {
                let referee = &menu.on_screen.referee;
                menu.confirmation.guard(GameAction::Rematch, referee, menu.actions);
            }
        });
        self.row(ui, |menu, ui| {
            if menu.entry(ui, true, tr("menu.save"), "") {
                menu.files.save(table.rules());
            }
            menu.action(ui, tr("menu.copy"), tr("replay.copy-hint"), UiAction::Copy);
        });
        self.link(ui);
        if table.is_online() {
            self.row(ui, |menu, ui| menu.dialog(ui, tr("friend.title"), "", Dialog::Online));
        }
        self.row(ui, |menu, ui| {
            let has_plies = !table.history().is_empty();
            let hint = if has_plies { tr("menu.replay-hint") } else { tr("menu.no-replay") };
            menu.action_if(ui, has_plies, tr("menu.replay"), hint, ReplayAction::WatchGame);
            if table.rules().has_sticks() {
                menu.dialog(ui, tr("popup.throws"), "", Dialog::Throws);
            } else if !is_over {
                menu.dialog(ui, tr("desk.type-move"), "", Dialog::TypeMove);
            }
        });
        self.row(ui, |menu, ui| {
            let hint = if table.knows_draws() { "" } else { tr("menu.no-draw") };
            let can_offer = table.knows_draws() && !is_over;
            menu.action_if(ui, can_offer, tr("menu.offer-draw"), hint, GameAction::OfferDraw);
            if menu.entry(ui, !is_over, tr("menu.resign"), "") {
                menu.confirmation.0 = Some(Confirm::Resign);
            }
        });
        self.row(ui, |menu, ui| {
            let hint = tr("study.hint");
            menu.action(ui, tr("replay.analyse"), hint, ViewAction::ToggleAnalysis);
            menu.set_up(ui);
        });
        if is_over {
            self.row(ui, Self::learn_from_mistakes);
        }
    }

    fn editor_entries(&mut self, ui: &mut Ui) {
        let is_playable = self.on_screen.editor.draft.playable().is_ok();
        self.row(ui, |menu, ui| {
            menu.action(ui, tr("edit.done"), "", EditorAction::Leave);
            let hint = if is_playable { "" } else { tr("edit.cannot") };
            menu.action_if(ui, is_playable, tr("edit.analyse"), hint, EditorAction::Analyse);
        });
        self.row(ui, |menu, ui| {
            menu.action(ui, tr("menu.copy"), "", UiAction::Copy);
            menu.dialog(ui, tr("edit.text"), tr("edit.text-hint"), Dialog::Position);
        });
        self.link(ui);
        self.view_entries(ui);
        self.row(ui, |menu, ui| {
            menu.action(ui, tr("replay.title"), tr("replay.title-hint"), UiAction::ShowTitle);
        });
        ui.separator();
    }

    fn replay_entries(&mut self, ui: &mut Ui) {
        let (replay, referee) = (&self.on_screen.replay, &self.on_screen.referee);
        let has_sticks = replay.rules().is_some_and(RuleSet::has_sticks);
        self.row(ui, |menu, ui| {
            menu.action(ui, tr("replay.title"), tr("replay.title-hint"), UiAction::ShowTitle);
            let has_table = referee.table.is_some();
            menu.action_if(ui, has_table, tr("replay.to-table"), "", UiAction::ShowTable);
        });
        self.row(ui, |menu, ui| {
            if menu.entry(ui, true, tr("replay.play-on"), "") {
                menu.confirmation.guard(ReplayAction::PlayFromHere, referee, menu.actions);
            }
            let (text, hint) = (tr("replay.loop"), tr("replay.loop-hint"));
            menu.toggle(ui, replay.looping, text, hint, ReplayAction::ToggleLoop);
        });
        self.row(ui, |menu, ui| {
            let (text, hint) = (tr("replay.analyse"), tr("replay.analyse-hint"));
            menu.toggle(ui, menu.analysis, text, hint, ViewAction::ToggleAnalysis);
            menu.set_up(ui);
        });
        let has_plies = replay.ply_count() > 0;
        self.row(ui, |menu, ui| {
            let (text, hint) = (tr("explorer.title"), tr("explorer.hint"));
            menu.action(ui, text, hint, ViewAction::ToggleExplorer);
            if has_plies {
                menu.learn_from_mistakes(ui);
            }
        });
        let (can_undo, can_redo) = replay.can_undo_redo();
        self.row(ui, |menu, ui| {
            menu.dialog(ui, tr("desk.type-move"), tr("line.type-hint"), Dialog::TypeMove);
            menu.dialog(ui, tr("line.comment"), "", Dialog::Comment);
        });
        self.row(ui, |menu, ui| {
            let hint = tr("line.promote-hint");
            menu.action(ui, tr("line.promote"), hint, ReplayAction::Promote);
            menu.action(ui, tr("line.make-main"), "", ReplayAction::MakeMain);
        });
        self.row(ui, |menu, ui| {
            let hint = tr("line.delete-hint");
            menu.action(ui, tr("line.delete"), hint, ReplayAction::DeleteFromHere);
            if menu.entry(ui, true, tr("menu.save"), "")
                && let Some(rules) = replay.rules()
            {
                menu.files.save(rules);
            }
        });
        self.row(ui, |menu, ui| {
            menu.action_if(ui, can_undo, tr("line.undo"), "", GameAction::Undo);
            menu.action_if(ui, can_redo, tr("line.redo"), "", GameAction::Redo);
        });
        self.row(ui, |menu, ui| {
            let (text, hint) = (tr("replay.camera"), tr("replay.camera-hint"));
            menu.toggle(ui, replay.auto_camera, text, hint, ReplayAction::ToggleAutoCamera);
            menu.action(ui, tr("menu.copy"), tr("replay.copy-hint"), UiAction::Copy);
            if has_sticks {
                menu.dialog(ui, tr("popup.throws"), "", Dialog::Throws);
            }
        });
        self.row(ui, |menu, ui| {
            if !IS_WEB {
                let hint = tr("replay.export-hint");
                menu.dialog(ui, tr("replay.export"), hint, Dialog::Export);
            }
        });
        self.link(ui);
        if toolbar::is_tight(ui.ctx().content_rect().width()) {
            widgets::labelled_row(ui, tr("replay.speed"), 150.0, &mut |ui| {
                replay_bar::speed_buttons(ui, replay, self.actions);
            });
        }
        if self.several_games {
            ui.horizontal(|ui| self.dialog(ui, tr("menu.games"), "", Dialog::Games));
        }
        self.board_entries(ui, has_sticks);
        self.view_entries(ui);
        ui.separator();
    }

    fn program_entries(&mut self, ui: &mut Ui) {
        self.row(ui, |menu, ui| {
            menu.dialog(ui, tr("menu.recent"), tr("title.recent-hint"), Dialog::Recent);
            if menu.entry(ui, true, tr("menu.open"), tr("menu.open-hint")) {
                menu.files.open();
            }
            menu.dialog(ui, tr("menu.history"), tr("title.history-hint"), Dialog::History);
        });
        self.row(ui, |menu, ui| {
            menu.dialog(ui, tr("menu.settings"), "", Dialog::Settings);
            menu.dialog(ui, tr("bar.how-to"), "", Dialog::Help);
        });
        self.row(ui, |menu, ui| {
            let (text, hint) = (tr("puzzles.title"), tr("puzzles.hint"));
            let rules = menu.on_screen.rules();
            menu.action(ui, text, hint, GameAction::StartPuzzles(Some(rules)));
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
            self.row(ui, |menu, ui| {
                let hint = tr("menu.copy-link-hint");
                menu.action(ui, tr("menu.copy-link"), hint, UiAction::CopyLink);
            });
        }
    }

    /// Panels out of sight, the board from the other seat, and the course of Tablan's pieces.
    fn board_entries(&mut self, ui: &mut Ui, has_sticks: bool) {
        self.row(ui, |menu, ui| {
            let hint = tr("menu.turn-table-hint");
            menu.action(ui, tr("menu.turn-table"), hint, ViewAction::FlipBoard);
            let hint = tr("panels.hide-hint");
            menu.action(ui, tr("panels.hide"), hint, ViewAction::TogglePanels);
            let hint = tr("photo.hint");
            menu.action(ui, tr("photo.open"), hint, ViewAction::TogglePhoto);
            let (text, hint) = (tr("settings.diagram"), tr("settings.diagram-hint"));
            menu.toggle(ui, menu.diagram, text, hint, ViewAction::ToggleDiagram);
            if has_sticks {
                let hint = tr("menu.course-hint");
                menu.action(ui, tr("menu.course"), hint, ViewAction::ToggleCourse);
            }
        });
    }

    /// What the tools of the table, and in a narrow window the toolbar, have no
    /// room for.
    fn view_entries(&mut self, ui: &mut Ui) {
        let is_table = *self.on_screen.screen.get() == Screen::Table;
        if !is_table && !toolbar::is_narrow(ui.ctx().content_rect().width()) {
            return;
        }
        // They would give an exercise away.
        if !(is_table && (self.practises || self.solves)) {
            let (threats, evaluation) = self.shown_analysis;
            self.row(ui, |menu, ui| {
                let (text, hint) = (tr("bar.threats"), tr("bar.threats-hint"));
                menu.toggle(ui, threats, text, hint, ViewAction::ToggleThreats);
                let (text, hint) = (tr("bar.value"), tr("bar.value-hint"));
                menu.toggle(ui, evaluation, text, hint, ViewAction::ToggleEvaluation);
            });
        }
        self.row(ui, |menu, ui| {
            menu.action(ui, tr("bar.above"), tr("bar.above-hint"), ViewAction::ToggleTopView);
            menu.action(ui, tr("bar.reset-view"), tr("bar.reset-hint"), ViewAction::ResetCamera);
        });
    }
}
