//! The screen of a replay: the bar that steps through it, and the panels of its
//! moves and its analysis.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{
        Align, Button, Context, Layout, Rangef, Rect, Response, RichText, Slider, Stroke, Ui,
        WidgetInfo, lerp, pos2, remap_clamp, vec2,
    },
};

use super::{
    analysis_panel, clocks::Clocks, move_list::MoveList, side_panel, throw_panel, toolbar,
};
use crate::{
    app::{
        analysis::{Analysis, Value},
        core::{
            actions::{Action, EditorAction, ReplayAction, UiAction, ViewAction},
            states::{Dialog, Screen},
        },
        game::referee::Referee,
        platform::ON_A_PAGE,
        replay::Replay,
        scene::api::{MotionStatus, ViewportInsets},
        ui::{
            UiSet,
            dialogs::{confirm::Confirmation, files::FileChooser, recent_games::player_name},
            overlays::{callout::Callout, caption},
            reserve_insets,
            theme::{self, ACCENT, BODY, LARGE, MUTED},
            widgets,
        },
    },
    games::{Event, Game, Ply, Side},
    records::Record,
    table::plain_comment,
    words::{decimal, say},
};

/// How high the bar is.
const BAR_HEIGHT: f32 = 96.0;
/// How high the bar is in a narrow window.
pub(crate) const LOW_BAR_HEIGHT: f32 = 84.0;
/// The speeds to choose from, as multiples of the usual one.
const SPEEDS: [f32; 4] = [0.5, 1.0, 2.0, 4.0];

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        show.run_if(in_state(Screen::Replay)).in_set(UiSet::Screens),
    );
}

fn show(
    mut contexts: EguiContexts,
    (mut list, mut callout): (ResMut<MoveList>, ResMut<Callout>),
    (mut confirmation, mut files): (ResMut<Confirmation>, ResMut<FileChooser>),
    (analysis, replay, referee): (Res<Analysis>, Res<Replay>, Res<Referee>),
    motion: Res<MotionStatus>,
    mut insets: ResMut<ViewportInsets>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some(record) = &replay.record else { return };
    let window = context.content_rect();
    list.give_way(analysis.analysis, toolbar::is_tight(window.width()));
    let screen = ReplayScreen {
        replay: &replay,
        record,
        analysis: &analysis,
        shown: replay.at.saturating_sub(motion.waiting),
    };
    let layout = Places::of(window, record, analysis.analysis, list.is_open);
    let caption = if layout.is_tight { screen.caption(screen.shown) } else { String::new() };
    let top = screen.caption_height(context, &layout);
    reserve_insets(context, &mut insets, layout.insets(top));

    let mut requested = Vec::new();
    if let Some(place) = layout.side {
        screen.show_side(context, place, &mut list, &mut requested);
    }
    match layout.analysis {
        Some(place) => screen.show_analysis(context, place, &caption, &mut requested),
        None => caption::show(context, layout.scene, &caption),
    }
    let mut bar = Bar {
        replay: &replay,
        referee: &referee,
        analysis: &analysis,
        list: &mut list,
        confirmation: &mut confirmation,
        files: &mut files,
        actions: &mut requested,
    };
    bar.show(context, layout.bar);
    if let Some(place) = layout.dock {
        let (line, control) = (record.line(), throw_panel::Control::None);
        throw_panel::show(context, place, line, screen.shown, control, None, &mut requested);
    }
    callout.follow(record.line(), screen.shown, true, context.input(|input| input.time));
    actions.write_batch(requested);
}

/// Where the panels of a replay stand.
struct Places {
    is_tight: bool,
    /// What the panels leave to the board and the caption above it.
    scene: Rect,
    side: Option<Rect>,
    analysis: Option<Rect>,
    dock: Option<Rect>,
    bar: Rect,
    right: f32,
    bottom: f32,
}

impl Places {
    /// Where there is little room, the analysis takes the place of the sticks,
    /// and the list of moves that of both.
    fn of(window: Rect, record: &Record, is_analysed: bool, list: bool) -> Self {
        let is_tight = toolbar::is_tight(window.width());
        let is_listed = !is_tight || list;
        let right = if is_listed { side_panel::width(window.width()) } else { 0.0 };
        let bar_height =
            if toolbar::is_narrow(window.width()) { LOW_BAR_HEIGHT } else { BAR_HEIGHT };
        let floor = window.bottom() - bar_height;
        let has_analysis = is_analysed && !(is_tight && list);
        let is_low = is_tight || analysis_panel::is_low(window.height());
        let has_dock =
            record.rules().has_sticks() && !(is_tight && list) && !(is_low && is_analysed);
        let dock = if has_dock { throw_panel::HEIGHT } else { 0.0 };
        let analysis = if has_analysis { analysis_panel::height(window.size()) } else { 0.0 };
        let bottom = (bar_height + dock + analysis).min(window.height() * 0.8);
        let left = window.right() - right;
        let strip = |top: f32, bottom: f32| {
            Rect::from_min_max(pos2(window.left(), top), pos2(left, bottom))
        };
        Self {
            is_tight,
            scene: Rect::from_min_max(window.min, window.max - vec2(right, bottom)),
            side: is_listed
                .then(|| Rect::from_min_max(pos2(left, window.top()), pos2(window.right(), floor))),
            analysis: has_analysis.then(|| strip(floor - dock - analysis, floor - dock)),
            dock: has_dock.then(|| strip(floor - dock, floor)),
            bar: window.with_min_y(floor),
            right,
            bottom,
        }
    }

    const fn insets(&self, top: f32) -> ViewportInsets {
        ViewportInsets { left: 0.0, right: self.right, top, bottom: self.bottom }
    }
}

/// What the panels of a replay are about.
struct ReplayScreen<'a> {
    replay: &'a Replay,
    record: &'a Record,
    analysis: &'a Analysis,
    /// How many plies have been shown to their end.
    shown: usize,
}

impl ReplayScreen<'_> {
    /// The comment on a ply, without clock times where clocks show them.
    fn comment(&self, ply: usize) -> String {
        let comments = self.record.comments(ply).iter();
        let comments: Vec<String> = match &self.replay.clock {
            Some(_) => comments.filter_map(|it| plain_comment(it)).collect(),
            None => comments.cloned().collect(),
        };
        comments.join("\n")
    }

    /// The text above a small board after `shown` plies: the comment, and at
    /// the end how the game ended.
    fn caption(&self, shown: usize) -> String {
        let ending = self.replay.ending.as_deref().filter(|_| shown == self.replay.line_len());
        let comment = self.comment(shown);
        let parts = [comment.as_str(), ending.unwrap_or_default()];
        parts.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// The room for the highest caption of the game, so that the board stays in
    /// place while captions come and go.
    fn caption_height(&self, context: &Context, layout: &Places) -> f32 {
        if !layout.is_tight || layout.analysis.is_some() {
            return 0.0;
        }
        let height = |ply| caption::height(context, layout.scene, &self.caption(ply));
        (0..=self.record.line().len()).map(height).fold(0.0, f32::max)
    }

    /// Whose turn it is after the plies that are shown.
    fn turn(&self) -> Option<Side> {
        let line = self.record.line();
        if self.shown >= line.len() {
            line.turn().side()
        } else {
            line.at(self.shown)?.turn().side()
        }
    }

    fn show_side(
        &self,
        context: &Context,
        place: Rect,
        list: &mut MoveList,
        actions: &mut Vec<Action>,
    ) {
        let (record, replay, shown) = (self.record, self.replay, self.shown);
        let clock = replay.clock.as_ref();
        let result = Value::of_result(record.result()).filter(|_| shown == record.line().len());
        let comment = |ply| self.comment(ply);
        let game = side_panel::Game {
            line: record.line(),
            listed: record.line().len(),
            current: shown,
            players: record.players.each_ref().map(|name| match name.as_str() {
                "?" => String::new(),
                name => player_name(name),
            }),
            turn: self.turn(),
            clocks: clock.map(|it| Clocks { left: it.stood(shown), running: None }),
            thinking: false,
            subtitle: &replay.title,
            comment: &comment,
            announced: &replay.said,
            cursor: None,
            result,
            analysis: self.analysis,
        };
        if let Some(ply) = side_panel::show(context, place, &game, list) {
            actions.push(ReplayAction::Jump(ply).into());
        }
    }

    fn show_analysis(
        &self,
        context: &Context,
        place: Rect,
        caption: &str,
        actions: &mut Vec<Action>,
    ) {
        let game = analysis_panel::AnalysedGame {
            line: self.record.line(),
            current: self.shown,
            // The graph shows the whole game from the start.
            revealed: self.record.line().len(),
            analysis: self.analysis,
            reviews: true,
            first_text: caption,
            go_to: |ply| ReplayAction::Jump(ply).into(),
        };
        analysis_panel::show(context, place, &game, actions);
    }
}

/// The bar at the bottom: the slider, the steps, and what else can be done.
struct Bar<'a> {
    replay: &'a Replay,
    referee: &'a Referee,
    analysis: &'a Analysis,
    list: &'a mut MoveList,
    confirmation: &'a mut Confirmation,
    files: &'a mut FileChooser,
    actions: &'a mut Vec<Action>,
}

impl Bar<'_> {
    fn show(&mut self, context: &Context, place: Rect) {
        widgets::panel(context, "replay-bar", place, theme::panel_frame(), |ui| {
            let width = place.width();
            ui.horizontal(|ui| self.timeline(ui, toolbar::is_narrow(width)));
            ui.horizontal(|ui| self.buttons(ui, width));
        });
    }

    fn timeline(&mut self, ui: &mut Ui, narrow: bool) {
        let (at, last) = (self.replay.at, self.replay.line_len());
        let besides = if narrow { 80.0 } else { 90.0 + toolbar::view_buttons_width(ui) };
        ui.spacing_mut().slider_width = (ui.available_width() - besides).max(80.0);
        let mut ply = at;
        let slider = Slider::new(&mut ply, 0..=last.max(1)).show_value(false);
        let response = ui.add_enabled(last > 0, slider);
        response.widget_info(|| WidgetInfo::slider(last > 0, f64_of(at), say("replay.ply")));
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
        if widgets::button(ui, say("bar.menu")).clicked() {
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
        let analyse = widgets::choice_button(ui, self.analysis.analysis, say("replay.analyse"));
        if analyse.on_hover_text(say("replay.analyse-hint")).clicked() {
            self.actions.push(ViewAction::ToggleAnalysis.into());
        }
        if is_wide {
            let repeat = widgets::choice_button(ui, self.replay.looping, say("replay.loop"));
            if repeat.on_hover_text(say("replay.loop-hint")).clicked() {
                self.actions.push(ReplayAction::ToggleLoop.into());
            }
        }
        ui.separator();
        if widgets::button(ui, say("replay.play-on")).clicked() {
            self.confirmation.guard(ReplayAction::PlayFromHere, self.referee, self.actions);
        }
        if self.replay.set_up {
            if widgets::button(ui, say("replay.to-set-up")).clicked() {
                self.actions.push(EditorAction::Enter(None).into());
            }
        } else if self.referee.table.is_some()
            && widgets::button(ui, say("replay.to-table")).clicked()
        {
            self.actions.push(UiAction::ShowTable.into());
        }
        if is_wide && !ON_A_PAGE {
            let export = widgets::button(ui, say("replay.export"));
            if export.on_hover_text(say("replay.export-hint")).clicked()
                && let Some(rules) = self.replay.rules()
            {
                self.files.export(rules);
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
        let name = decimal(&format!("{speed}×"));
        if widgets::labelled_choice(ui, say("settings.speed"), is_chosen, &name).clicked() {
            actions.push(ReplayAction::SetSpeed(speed).into());
        }
    }
}

fn step_buttons(ui: &mut Ui, replay: &Replay, actions: &mut Vec<Action>) {
    let (at, last) = (replay.at, replay.line_len());
    let mut step = |ui: &mut Ui, enabled: bool, sign: &str, label: &str, action: ReplayAction| {
        let button = Button::new(RichText::new(sign).size(LARGE)).min_size([40.0, 32.0].into());
        let response = ui.add_enabled(enabled, button);
        widgets::set_accessible_label(&response, label);
        if response.on_hover_text(label).on_disabled_hover_text(label).clicked() {
            actions.push(action.into());
        }
    };
    step(ui, at > 0, "⏮", say("replay.beginning"), ReplayAction::Jump(0));
    step(ui, at > 0, "⏴", say("replay.back"), ReplayAction::StepBack);
    let (sign, label) =
        if replay.playing { ("⏸", say("replay.pause")) } else { ("▶", say("replay.play")) };
    step(ui, replay.playing || last > 0, sign, label, ReplayAction::TogglePlay);
    step(ui, at < last, "⏵", say("replay.on"), ReplayAction::StepForward);
    step(ui, at < last, "⏭", say("replay.end"), ReplayAction::Jump(last));
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
    let Some(line) = replay.line() else { return };
    let last = line.len();
    let (place, rail) = (slider.rect, rail(slider));
    let mistakes = if analysis.analysis { analysis.mistakes(line) } else { Vec::new() };
    for ply in 1..=last {
        #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
        let x = lerp(rail.min..=rail.max, ply as f32 / last as f32);
        if mistakes.iter().any(|mistake| mistake.ply == ply) {
            ui.painter().vline(x, place.y_range(), Stroke::new(2.0, theme::ERROR));
        } else if matches!(line.ply(ply), Some(Ply::Throw(_))) {
            ui.painter().vline(x, place.top()..=place.top() + 3.0, Stroke::new(1.0, MUTED));
        } else if stands_out(line.events(ply)) {
            let y = place.bottom() - 5.0..=place.bottom();
            ui.painter().vline(x, y, Stroke::new(2.0, ACCENT));
        }
    }
}

fn stands_out(events: &[Event]) -> bool {
    let stands_out =
        |event: &Event| matches!(event, Event::Captured { .. } | Event::PavilionRaised { .. });
    events.iter().any(stands_out)
}
