//! The menu: what can be done besides playing, on any screen.

use bevy_egui::egui::{Ui, vec2};

use super::files::Files;
use crate::{
    app::{
        core::{
            actions::{Action, EditorAction, GameAction, ReplayAction, UiAction, ViewAction},
            states::{Dialog, Screen},
        },
        game::referee::Referee,
        platform::IS_WEB,
        replay::Replay,
        ui::{
            screens::{replay, toolbar},
            state::{Confirm, UiState},
            theme::{self, LARGE},
            widgets,
        },
    },
    games::RuleSet,
    i18n::tr,
};

/// What the menu is about.
pub(crate) struct About<'a> {
    /// Where the program is.
    pub(crate) screen: Screen,
    /// The game on the table.
    pub(crate) referee: &'a Referee,
    /// The game being watched.
    pub(crate) replay: &'a Replay,
    /// Whether it is one of several in its file.
    pub(crate) several: bool,
    /// Whether the engine judges the game being watched.
    pub(crate) analysis: bool,
    /// Whether what is being set up can be played on from.
    pub(crate) playable: bool,
}

/// The menu's buttons.
pub(crate) fn text(
    ui: &mut Ui,
    about: &About<'_>,
    desk: &mut UiState,
    files: &mut Files,
    asked: &mut Vec<Action>,
) {
    widgets::one_line(ui, tr("menu.title"), LARGE + 4.0, theme::ACCENT);
    ui.add_space(4.0);
    let mut done = false;
    // Two beside each other, or one under another where they have no room.
    let whole = ui.available_width();
    let half = (whole - ui.spacing().item_spacing.x) / 2.0;
    let width = if half < 200.0 { whole } else { half };
    let mut entries = Entries { width, done: &mut done, asked };
    match about.screen {
        Screen::Table => entries.of_the_table(ui, about.referee, desk, files),
        Screen::Replay => entries.of_the_replay(ui, about, desk, files),
        Screen::Editor => entries.of_the_editor(ui, about.playable),
        Screen::Title => {}
    }
    entries.of_the_program(ui, files);
    if done {
        asked.push(Action::Ui(UiAction::CloseDialog));
    }
}

struct Entries<'a> {
    width: f32,
    done: &'a mut bool,
    asked: &'a mut Vec<Action>,
}

impl Entries<'_> {
    /// A button; whether it was pressed. The menu closes with it.
    fn entry(&mut self, ui: &mut Ui, enabled: bool, text: &str, hint: &str) -> bool {
        let size = vec2(self.width, 34.0);
        let button = bevy_egui::egui::Button::new(text).min_size(size).truncate();
        let mut response = ui.add_enabled(enabled, button);
        if !hint.is_empty() {
            response = response.on_hover_text(hint).on_disabled_hover_text(hint);
        }
        *self.done |= response.clicked();
        response.clicked()
    }

    fn act(&mut self, ui: &mut Ui, text: &str, hint: &str, act: Action) {
        if self.entry(ui, true, text, hint) {
            self.asked.push(act);
        }
    }

    /// Something that is on or off.
    fn toggle(&mut self, ui: &mut Ui, on: bool, text: &str, hint: &str, act: Action) {
        let size = vec2(self.width, 34.0);
        let button = bevy_egui::egui::Button::new(text).min_size(size).truncate().selected(on);
        if ui.add(button).on_hover_text(hint).clicked() {
            *self.done = true;
            self.asked.push(act);
        }
    }

    fn of_the_table(
        &mut self,
        ui: &mut Ui,
        referee: &Referee,
        desk: &mut UiState,
        files: &mut Files,
    ) {
        let Some(table) = &referee.table else { return };
        let over = table.outcome().is_some();
        if referee.lesson {
            // A step of a lesson is no game to be kept, won or given up.
            ui.horizontal_wrapped(|ui| {
                self.act(ui, tr("menu.new"), tr("menu.new-hint"), Action::Ui(UiAction::ShowTitle));
                self.act(
                    ui,
                    tr("lesson.from-start"),
                    "",
                    Action::Game(GameAction::FirstLessonStep),
                );
            });
            self.sides(ui, table.rules().has_sticks());
            self.views(ui);
            ui.separator();
            return;
        }
        ui.horizontal_wrapped(|ui| {
            self.act(ui, tr("menu.new"), tr("menu.new-hint"), Action::Ui(UiAction::ShowTitle));
            if self.entry(ui, true, tr("menu.rematch"), tr("menu.rematch-hint")) {
                desk.guard(Action::Game(GameAction::Rematch), referee, self.asked);
            }
        });
        ui.horizontal_wrapped(|ui| {
            if self.entry(ui, true, tr("menu.save"), "") {
                files.save(table.rules());
            }
            self.act(ui, tr("menu.copy"), tr("replay.copy-hint"), Action::Ui(UiAction::Copy));
        });
        self.link(ui);
        ui.horizontal_wrapped(|ui| {
            let played = !table.history().is_empty();
            let hint = if played { tr("menu.replay-hint") } else { tr("menu.no-replay") };
            if self.entry(ui, played, tr("menu.replay"), hint) {
                self.asked.push(Action::Replay(ReplayAction::WatchGame));
            }
            if table.rules().has_sticks() {
                self.show(ui, tr("popup.throws"), "", Dialog::Throws);
            } else if !over {
                self.show(ui, tr("desk.type-move"), "", Dialog::TypeMove);
            }
        });
        ui.horizontal_wrapped(|ui| {
            let hint = if table.knows_draws() { "" } else { tr("menu.no-draw") };
            let can = table.knows_draws() && !over;
            if self.entry(ui, can, tr("menu.offer-draw"), hint) {
                self.asked.push(Action::Game(GameAction::OfferDraw));
            }
            if self.entry(ui, !over, tr("menu.resign"), "") {
                desk.confirm = Some(Confirm::Resign);
            }
        });
        ui.horizontal_wrapped(|ui| {
            self.act(
                ui,
                tr("replay.analyse"),
                tr("study.hint"),
                Action::View(ViewAction::ToggleAnalysis),
            );
            self.act(
                ui,
                tr("edit.open"),
                tr("edit.open-hint"),
                Action::Editor(EditorAction::Enter(None)),
            );
        });
        self.sides(ui, table.rules().has_sticks());
        self.views(ui);
        ui.separator();
    }

    fn of_the_editor(&mut self, ui: &mut Ui, playable: bool) {
        ui.horizontal_wrapped(|ui| {
            self.act(ui, tr("edit.done"), "", Action::Editor(EditorAction::Leave));
            let hint = if playable { "" } else { tr("edit.cannot") };
            if self.entry(ui, playable, tr("edit.analyse"), hint) {
                self.asked.push(Action::Editor(EditorAction::Analyse));
            }
        });
        ui.horizontal_wrapped(|ui| {
            self.act(ui, tr("menu.copy"), "", Action::Ui(UiAction::Copy));
            self.show(ui, tr("edit.text"), tr("edit.text-hint"), Dialog::Position);
        });
        self.link(ui);
        self.views(ui);
        ui.horizontal_wrapped(|ui| {
            self.act(
                ui,
                tr("replay.title"),
                tr("replay.title-hint"),
                Action::Ui(UiAction::ShowTitle),
            );
        });
        ui.separator();
    }

    /// A page can be linked to, with the game or the position.
    fn link(&mut self, ui: &mut Ui) {
        if IS_WEB {
            ui.horizontal_wrapped(|ui| {
                self.act(
                    ui,
                    tr("menu.copy-link"),
                    tr("menu.copy-link-hint"),
                    Action::Ui(UiAction::CopyLink),
                );
            });
        }
    }

    /// How the table is seen: from the other seat, with Tablan's course.
    fn sides(&mut self, ui: &mut Ui, sticks: bool) {
        ui.horizontal_wrapped(|ui| {
            self.act(
                ui,
                tr("menu.turn-table"),
                tr("menu.turn-table-hint"),
                Action::View(ViewAction::FlipBoard),
            );
            if sticks {
                self.act(
                    ui,
                    tr("menu.course"),
                    tr("menu.course-hint"),
                    Action::View(ViewAction::ToggleCourse),
                );
            }
        });
    }

    fn of_the_replay(
        &mut self,
        ui: &mut Ui,
        about: &About<'_>,
        desk: &mut UiState,
        files: &mut Files,
    ) {
        ui.horizontal_wrapped(|ui| {
            self.act(
                ui,
                tr("replay.title"),
                tr("replay.title-hint"),
                Action::Ui(UiAction::ShowTitle),
            );
            let table = about.referee.table.is_some();
            if self.entry(ui, table, tr("replay.to-table"), "") {
                self.asked.push(Action::Ui(UiAction::ShowTable));
            }
        });
        ui.horizontal_wrapped(|ui| {
            if self.entry(ui, true, tr("replay.play-on"), "") {
                desk.guard(Action::Replay(ReplayAction::PlayFromHere), about.referee, self.asked);
            }
            let (loops, hint) = (about.replay.looping, tr("replay.loop-hint"));
            self.toggle(
                ui,
                loops,
                tr("replay.loop"),
                hint,
                Action::Replay(ReplayAction::ToggleLoop),
            );
        });
        ui.horizontal_wrapped(|ui| {
            let (text, hint) = (tr("replay.analyse"), tr("replay.analyse-hint"));
            self.toggle(ui, about.analysis, text, hint, Action::View(ViewAction::ToggleAnalysis));
            self.act(
                ui,
                tr("edit.open"),
                tr("edit.open-hint"),
                Action::Editor(EditorAction::Enter(None)),
            );
        });
        ui.horizontal_wrapped(|ui| {
            let follows = about.replay.auto_camera;
            let (text, hint) = (tr("replay.camera"), tr("replay.camera-hint"));
            self.toggle(ui, follows, text, hint, Action::Replay(ReplayAction::ToggleAutoCamera));
            self.act(ui, tr("menu.copy"), tr("replay.copy-hint"), Action::Ui(UiAction::Copy));
            if about.replay.rules().is_some_and(RuleSet::has_sticks) {
                self.show(ui, tr("popup.throws"), "", Dialog::Throws);
            }
        });
        ui.horizontal_wrapped(|ui| {
            if !IS_WEB
                && self.entry(ui, true, tr("replay.export"), tr("replay.export-hint"))
                && let Some(rules) = about.replay.rules()
            {
                files.export(rules);
            }
        });
        self.link(ui);
        if toolbar::is_tight(ui.ctx().content_rect().width()) {
            widgets::labelled(ui, tr("replay.speed"), 150.0, &mut |ui| {
                replay::speeds(ui, about.replay, self.asked);
            });
        }
        if about.several {
            ui.horizontal(|ui| self.show(ui, tr("menu.games"), "", Dialog::Games));
        }
        self.sides(ui, about.replay.rules().is_some_and(crate::games::RuleSet::has_sticks));
        self.views(ui);
        ui.separator();
    }

    /// What the bar has no room for in a narrow window.
    fn views(&mut self, ui: &mut Ui) {
        if !toolbar::is_narrow(ui.ctx().content_rect().width()) {
            return;
        }
        ui.horizontal_wrapped(|ui| {
            self.act(
                ui,
                tr("bar.threats"),
                tr("bar.threats-hint"),
                Action::View(ViewAction::ToggleThreats),
            );
            self.act(
                ui,
                tr("bar.value"),
                tr("bar.value-hint"),
                Action::View(ViewAction::ToggleEvaluation),
            );
        });
        ui.horizontal_wrapped(|ui| {
            self.act(
                ui,
                tr("bar.above"),
                tr("bar.above-hint"),
                Action::View(ViewAction::ToggleTopView),
            );
            self.act(
                ui,
                tr("bar.reset-view"),
                tr("bar.reset-hint"),
                Action::View(ViewAction::ResetCamera),
            );
        });
    }

    fn of_the_program(&mut self, ui: &mut Ui, files: &mut Files) {
        ui.horizontal_wrapped(|ui| {
            self.show(ui, tr("menu.recent"), tr("title.recent-hint"), Dialog::Recent);
            if self.entry(ui, true, tr("menu.open"), tr("menu.open-hint")) {
                files.open();
            }
        });
        ui.horizontal_wrapped(|ui| {
            self.show(ui, tr("menu.settings"), "", Dialog::Settings);
            self.show(ui, tr("bar.how-to"), "", Dialog::Help);
        });
        ui.horizontal_wrapped(|ui| {
            if !IS_WEB {
                self.act(ui, tr("menu.quit"), "", Action::Ui(UiAction::Quit));
            }
        });
        ui.add_space(6.0);
    }

    /// Another sheet takes the menu's place: nothing is left to close.
    fn show(&mut self, ui: &mut Ui, text: &str, hint: &str, sheet: Dialog) {
        let before = *self.done;
        self.act(ui, text, hint, Action::Ui(UiAction::OpenDialog(sheet)));
        *self.done = before;
    }
}
