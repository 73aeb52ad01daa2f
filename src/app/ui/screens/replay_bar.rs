//! The bar at the bottom of a replay: the timeline, the steps, the speed.

use bevy_egui::egui::{
    Align, Button, Context, Layout, Rangef, Rect, Response, RichText, Slider, Stroke, Ui,
    WidgetInfo, lerp, remap_clamp,
};

use super::{move_list::MoveList, toolbar};
use crate::{
    app::{
        analysis::Analysis,
        core::{
            actions::{Action, EditorAction, GameAction, ReplayAction, UiAction, ViewAction},
            states::Dialog,
        },
        game::referee::Referee,
        platform::IS_WEB,
        replay::Replay,
        ui::{
            dialogs::confirm::Confirmation,
            theme::{self, ACCENT, BODY, LARGE, MUTED},
            widgets,
        },
    },
    games::{Event, Ply},
    i18n::{localize_decimal, tr},
};

/// How high the bar is in a wide window.
const WIDE_HEIGHT: f32 = 96.0;
/// How high the bar is in a narrow window.
pub(crate) const LOW_HEIGHT: f32 = 84.0;
/// The speeds to choose from, as multiples of the usual one.
const SPEEDS: [f32; 4] = [0.5, 1.0, 2.0, 4.0];

/// How high the bar is in a window this wide.
pub(super) const fn height(window: f32) -> f32 {
    if toolbar::is_narrow(window) { LOW_HEIGHT } else { WIDE_HEIGHT }
}

/// The bar at the bottom: the slider, the steps, and what else can be done.
pub(super) struct ReplayBar<'a> {
    pub(super) replay: &'a Replay,
    pub(super) referee: &'a Referee,
    pub(super) analysis: &'a Analysis,
    pub(super) list: &'a mut MoveList,
    pub(super) confirmation: &'a mut Confirmation,
    pub(super) actions: &'a mut Vec<Action>,
    /// Whether the opening explorer is open.
    pub(super) is_explored: bool,
}

impl ReplayBar<'_> {
    pub(super) fn show(&mut self, context: &Context, rect: Rect) {
        widgets::panel(context, "replay-bar", rect, theme::panel_frame(), |ui| {
            let width = rect.width();
            ui.horizontal(|ui| self.timeline(ui, toolbar::is_narrow(width)));
            ui.horizontal(|ui| self.buttons(ui, width));
        });
    }

    fn timeline(&mut self, ui: &mut Ui, narrow: bool) {
        let (at, last) = (self.replay.ply, self.replay.ply_count());
        let besides = if narrow { 80.0 } else { 90.0 + toolbar::view_buttons_width(ui) };
        ui.spacing_mut().slider_width = (ui.available_width() - besides).max(80.0);
        let mut ply = at;
        let slider = Slider::new(&mut ply, 0..=last.max(1)).show_value(false);
        let response = ui.add_enabled(last > 0, slider);
        response.widget_info(|| WidgetInfo::slider(last > 0, f64_of(at), tr("replay.ply")));
        paint_ticks(ui, &response, self.replay, self.analysis);
        let wanted = clicked_ply(ui, &response, last).unwrap_or(ply);
        if wanted != at && last > 0 {
            self.actions.push(ReplayAction::Jump(wanted.min(last)).into());
        }
        ui.label(RichText::new(format!("{at} / {last}")).size(BODY).color(MUTED));
        if !narrow {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                toolbar::view_buttons(ui, self.actions);
            });
        }
    }

    fn buttons(&mut self, ui: &mut Ui, width: f32) {
        toolbar::narrow_spacing(ui, width);
        // All are as high as the step buttons.
        ui.spacing_mut().interact_size.y = 32.0;
        if widgets::button(ui, tr("bar.menu")).clicked() {
            self.actions.push(UiAction::OpenDialog(Dialog::Menu).into());
        }
        ui.separator();
        step_buttons(ui, self.replay, self.actions);
        if toolbar::is_tight(width) {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                toolbar::list_button(ui, self.list);
            });
            return;
        }
        ui.separator();
        speed_buttons(ui, self.replay, self.actions);
        if !toolbar::is_narrow(width) {
            self.more_buttons(ui, width > 1100.0);
        }
    }

    /// What the menu has where there is less room.
    fn more_buttons(&mut self, ui: &mut Ui, is_wide: bool) {
        let analyse = widgets::choice_button(ui, self.analysis.enabled, tr("replay.analyse"));
        if analyse.on_hover_text(tr("replay.analyse-hint")).clicked() {
            self.actions.push(ViewAction::ToggleAnalysis.into());
        }
        if is_wide {
            let explore = widgets::choice_button(ui, self.is_explored, tr("explorer.title"));
            if explore.on_hover_text(tr("explorer.hint")).clicked() {
                self.actions.push(ViewAction::ToggleExplorer.into());
            }
            let learn = widgets::button(ui, tr("practice.short"));
            widgets::set_accessible_label(&learn, tr("practice.title"));
            if learn.on_hover_text(tr("practice.hint")).clicked() {
                self.actions.push(GameAction::LearnFromMistakes.into());
            }
            let repeat = widgets::choice_button(ui, self.replay.looping, tr("replay.loop"));
            if repeat.on_hover_text(tr("replay.loop-hint")).clicked() {
                self.actions.push(ReplayAction::ToggleLoop.into());
            }
        }
        ui.separator();
        if widgets::button(ui, tr("replay.play-on")).clicked() {
            self.confirmation.guard(ReplayAction::PlayFromHere, self.referee, self.actions);
        }
        if self.replay.from_editor {
            if widgets::button(ui, tr("replay.to-set-up")).clicked() {
                self.actions.push(EditorAction::Enter(None).into());
            }
        } else if self.referee.table.is_some()
            && widgets::button(ui, tr("replay.to-table")).clicked()
        {
            self.actions.push(UiAction::ShowTable.into());
        }
        if is_wide && !IS_WEB {
            let export = widgets::button(ui, tr("replay.export"));
            if export.on_hover_text(tr("replay.export-hint")).clicked() {
                self.actions.push(UiAction::OpenDialog(Dialog::Export).into());
            }
        }
    }
}

/// The number of a ply as sliders take it.
#[expect(clippy::cast_precision_loss, reason = "plies of a game")]
const fn f64_of(ply: usize) -> f64 {
    ply as f64
}

/// How fast the replay plays.
pub(crate) fn speed_buttons(ui: &mut Ui, replay: &Replay, actions: &mut Vec<Action>) {
    for speed in SPEEDS {
        let is_chosen = (replay.speed - speed).abs() < 0.01;
        let name = localize_decimal(&format!("{speed}×"));
        if widgets::labelled_choice(ui, tr("settings.speed"), is_chosen, &name).clicked() {
            actions.push(ReplayAction::SetSpeed(speed).into());
        }
    }
}

fn step_buttons(ui: &mut Ui, replay: &Replay, actions: &mut Vec<Action>) {
    let (at, last) = (replay.ply, replay.ply_count());
    let mut step = |ui: &mut Ui, enabled: bool, sign: &str, label: &str, action: ReplayAction| {
        let button = Button::new(RichText::new(sign).size(LARGE)).min_size([40.0, 32.0].into());
        let response = ui.add_enabled(enabled, button);
        widgets::set_accessible_label(&response, label);
        if response.on_hover_text(label).on_disabled_hover_text(label).clicked() {
            actions.push(action.into());
        }
    };
    step(ui, at > 0, "⏮", tr("replay.beginning"), ReplayAction::Jump(0));
    step(ui, at > 0, "⏴", tr("replay.back"), ReplayAction::StepBack);
    let (sign, label) =
        if replay.playing { ("⏸", tr("replay.pause")) } else { ("▶", tr("replay.play")) };
    step(ui, replay.playing || last > 0, sign, label, ReplayAction::TogglePlay);
    step(ui, at < last, "⏵", tr("replay.on"), ReplayAction::StepForward);
    step(ui, at < last, "⏭", tr("replay.end"), ReplayAction::Jump(last));
}

/// The slider's rail: half its handle's width is free at both ends.
fn rail(slider: &Response) -> Rangef {
    slider.rect.x_range().shrink(slider.rect.height() / 2.5)
}

/// The ply on the rail where the button was released: the slider itself misses a
/// click whose press and release come in one slow frame.
fn clicked_ply(ui: &Ui, slider: &Response, last: usize) -> Option<usize> {
    let at = ui.input(|input| {
        let pointer = &input.pointer;
        pointer.interact_pos().filter(|at| pointer.primary_released() && slider.rect.contains(*at))
    })?;
    let (rail, plies) = (rail(slider), 0.0..=f64_of(last));
    let rail = f64::from(rail.min)..=f64::from(rail.max);
    let ply = remap_clamp(f64::from(at.x), rail, plies).round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a ply")]
    Some(ply as usize)
}

/// Marks on the slider's rail: below the plies that capture or raise a pavilion,
/// above the throws, and across the rail mistakes where the game is analysed.
fn paint_ticks(ui: &Ui, slider: &Response, replay: &Replay, analysis: &Analysis) {
    let Some(history) = replay.history() else { return };
    let last = history.len();
    let (rect, rail) = (slider.rect, rail(slider));
    let mistakes = if analysis.enabled { analysis.mistakes(history) } else { Vec::new() };
    for ply in 1..=last {
        #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
        let x = lerp(rail.min..=rail.max, ply as f32 / last as f32);
        if mistakes.iter().any(|mistake| mistake.ply == ply) {
            ui.painter().vline(x, rect.y_range(), Stroke::new(2.0, theme::ERROR));
        } else if matches!(history.ply(ply), Some(Ply::Throw(_))) {
            ui.painter().vline(x, rect.top()..=rect.top() + 3.0, Stroke::new(1.0, MUTED));
        } else if stands_out(history.events(ply)) {
            let y = rect.bottom() - 5.0..=rect.bottom();
            ui.painter().vline(x, y, Stroke::new(2.0, ACCENT));
        }
    }
}

fn stands_out(events: &[Event]) -> bool {
    let stands_out =
        |event: &Event| matches!(event, Event::Captured { .. } | Event::PavilionRaised { .. });
    events.iter().any(stands_out)
}
