//! The bar at the bottom of a replay: the timeline, the steps, the speed.

use bevy_egui::egui::{Rangef, Slider, lerp, remap_clamp};

use super::{move_list::MoveList, toolbar};
use crate::app::{
    analysis::Mistake,
    ui::{
        prelude::*,
        widgets::{self, command::CommandUi, segmented::choice_row},
    },
};

/// How high the bar is in a wide window.
const WIDE_HEIGHT: f32 = 96.0;
/// How high the bar is in a narrow window.
pub(crate) const LOW_HEIGHT: f32 = 84.0;
/// The speeds to choose from, as multiples of the usual one.
const SPEEDS: [f32; 4] = [0.5, 1.0, 2.0, 4.0];

/// How high the bar is where the graph of the analysis is the timeline.
const BUTTONS_HEIGHT: f32 = 52.0;

/// How high the bar is in a window this wide, with or without the graph over it.
pub(super) const fn height(window: f32, has_graph: bool) -> f32 {
    match (has_graph, toolbar::is_narrow(window)) {
        (true, _) => BUTTONS_HEIGHT,
        (false, true) => LOW_HEIGHT,
        (false, false) => WIDE_HEIGHT,
    }
}

/// The bar at the bottom: the slider, the steps, and what else can be done.
pub(super) struct ReplayBar<'a, 'b> {
    pub(super) replay: &'a Replay,
    /// The mistakes, where the game is analysed.
    pub(super) mistakes: &'a [Mistake],
    pub(super) list: &'a mut MoveList,
    pub(super) commands: &'a mut CommandUi<'b>,
    /// Whether the graph of the analysis, over the bar, is the timeline.
    pub(super) has_graph: bool,
}

impl ReplayBar<'_, '_> {
    pub(super) fn show(&mut self, context: &Context, rect: Rect) {
        widgets::panel(context, "replay-bar", rect, theme::panel_frame(), |ui| {
            let width = rect.width();
            if !self.has_graph {
                ui.horizontal(|ui| self.timeline(ui, toolbar::is_narrow(width)));
            }
            ui.horizontal(|ui| self.buttons(ui, width));
        });
    }

    fn timeline(&mut self, ui: &mut Ui, narrow: bool) {
        let (at, last) = (self.replay.ply, self.replay.ply_count());
        ui.spacing_mut().slider_width =
            (ui.available_width() - if narrow { 80.0 } else { 0.0 }).max(80.0);
        let mut ply = at;
        let slider = Slider::new(&mut ply, 0..=last.max(1)).show_value(false);
        let response = ui.add_enabled(last > 0, slider);
        response.widget_info(|| WidgetInfo::slider(last > 0, f64_of(at), tr("replay.ply")));
        paint_ticks(ui, &response, self.replay, self.mistakes);
        let wanted = clicked_ply(ui, &response, last).unwrap_or(ply);
        if wanted != at && last > 0 {
            self.commands.requested.push(ReplayAction::Jump(wanted.min(last)).into());
        }
        if narrow {
            self.count(ui);
        }
    }

    /// How many plies are shown of how many.
    fn count(&self, ui: &mut Ui) {
        let (at, last) = (self.replay.ply, self.replay.ply_count());
        ui.label(RichText::new(format!("{at} / {last}")).size(BODY).color(MUTED));
    }

    fn buttons(&mut self, ui: &mut Ui, width: f32) {
        toolbar::narrow_spacing(ui, width);
        // All are as high as the step buttons.
        ui.spacing_mut().interact_size.y = CONTROL_HEIGHT;
        let is_narrow = toolbar::is_narrow(width);
        if is_narrow {
            self.commands.button(ui, "menu");
            ui.separator();
        }
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.x = space(1);
            for id in STEPS {
                self.commands.icon(ui, id);
            }
        });
        if toolbar::is_tight(width) {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                toolbar::list_button(ui, self.list);
            });
        } else if is_narrow {
            ui.separator();
            speed_buttons(ui, self.replay, &mut self.commands.requested);
        } else {
            self.count(ui);
            self.speed(ui);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                self.right_buttons(ui, width);
            });
        }
    }

    /// The speed in one button: a click chooses the next one.
    fn speed(&mut self, ui: &mut Ui) {
        let speed = self.replay.speed.0;
        let next = SPEEDS.into_iter().find(|faster| *faster > speed + 0.01).unwrap_or(SPEEDS[0]);
        let name = localize_decimal(&format!("{speed}×"));
        let button = Button::new(name.clone()).min_size(vec2(space(12), CONTROL_HEIGHT));
        let response = ui.add(button);
        let label = tr_args("keys.of", &[("command", tr("replay.speed")), ("key", &name)]);
        widgets::set_accessible_label(&response, &label);
        if response.on_hover_text(tr("replay.speed-hint")).clicked() {
            self.commands.requested.push(ReplayAction::SetSpeed(next).into());
        }
    }

    /// From the right: the menu, the views, the ways to other screens, and the tools, which
    /// lose their words where there is no room for all.
    fn right_buttons(&mut self, ui: &mut Ui, width: f32) {
        for id in ["menu", "reset-camera", "toggle-top-view", "toggle-loop"] {
            self.commands.icon(ui, id);
        }
        ui.add_space(space(1));
        if self.replay.from_editor {
            self.commands.button(ui, "set-up");
        } else if self.commands.context.has_game {
            self.commands.button(ui, "show-table");
        }
        self.commands.button(ui, "play-from-here");
        ui.add_space(space(1));
        let tools = if width >= WIDE { &TOOLS[..] } else { &TOOLS[..1] };
        let tools: Vec<_> = tools.iter().filter(|tool| self.commands.offers(tool)).collect();
        let gap = ui.spacing().item_spacing.x;
        let widths = tools.iter().map(|id| self.commands.width(ui, id) + gap);
        let has_words = widths.sum::<f32>() <= ui.available_width();
        for id in tools.into_iter().rev() {
            if has_words {
                self.commands.icon_with_words(ui, id);
            } else {
                self.commands.icon(ui, id);
            }
        }
    }
}

/// The buttons that step through the replay.
const STEPS: [&str; 5] =
    ["jump-to-start", "step-back", "toggle-play", "step-forward", "jump-to-end"];

/// The tools of the bar; the menu has those for which there is no room.
const TOOLS: [&str; 4] = ["toggle-analysis", "toggle-explorer", "learn-from-mistakes", "export"];

/// From this width on the bar has all its tools.
const WIDE: f32 = 1000.0;

/// The number of a ply as sliders take it.
#[expect(clippy::cast_precision_loss, reason = "plies of a game")]
const fn f64_of(ply: usize) -> f64 {
    ply as f64
}

/// How fast the replay plays, in a dialog.
pub(crate) fn speed_row(ui: &mut Ui, replay: &Replay, actions: &mut Vec<Action>) {
    let speeds = SPEEDS.map(|speed| (speed, localize_decimal(&format!("{speed}×"))));
    let mut chosen = replay.speed.0;
    choice_row(ui, tr("replay.speed"), "", &mut chosen, speeds);
    if chosen.to_bits() != replay.speed.0.to_bits() {
        actions.push(ReplayAction::SetSpeed(chosen).into());
    }
}

/// How fast the replay plays.
fn speed_buttons(ui: &mut Ui, replay: &Replay, actions: &mut Vec<Action>) {
    for speed in SPEEDS {
        let is_chosen = (replay.speed.0 - speed).abs() < 0.01;
        let name = localize_decimal(&format!("{speed}×"));
        if widgets::labelled_choice(ui, tr("settings.speed"), is_chosen, &name).clicked() {
            actions.push(ReplayAction::SetSpeed(speed).into());
        }
    }
}

/// The slider's rail: half its handle's width is free at both ends.
fn rail(slider: &Response) -> Rangef {
    slider.rect.x_range().shrink(slider.rect.height() / 2.5)
}

/// The ply on the rail where the button was released: the slider itself misses a
/// click whose press and release come in one slow frame. A click on what lies over the
/// slider, such as a dialog, is none on the slider.
fn clicked_ply(ui: &Ui, slider: &Response, last: usize) -> Option<usize> {
    let at = ui.input(|input| {
        let pointer = &input.pointer;
        pointer.interact_pos().filter(|at| pointer.primary_released() && slider.rect.contains(*at))
    })?;
    let on_top = ui.ctx().layer_id_at(at);
    if on_top.is_some_and(|layer| layer != ui.layer_id()) {
        return None;
    }
    let (rail, plies) = (rail(slider), 0.0..=f64_of(last));
    let rail = f64::from(rail.min)..=f64::from(rail.max);
    let ply = remap_clamp(f64::from(at.x), rail, plies).round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a ply")]
    Some(ply as usize)
}

/// Marks on the slider's rail: below the plies that capture or raise a pavilion,
/// above the throws, and across the rail mistakes where the game is analysed.
fn paint_ticks(ui: &Ui, slider: &Response, replay: &Replay, mistakes: &[Mistake]) {
    let Some(history) = replay.history() else { return };
    let last = history.len();
    let (rect, rail) = (slider.rect, rail(slider));
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
