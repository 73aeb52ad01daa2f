//! The screen of a replay: the bar that steps through it and the panel of its
//! moves.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{
        Align, Button, Context, Layout, Rangef, Rect, Response, RichText, Slider, Stroke, Ui,
        WidgetInfo, lerp, pos2, remap_clamp, vec2,
    },
};

use super::{analysis_panel, clocks::Clocks, side_panel, table, throw_panel, toolbar};
use crate::{
    app::{
        analysis::{Analysis, Evaluation},
        core::{
            actions::{Action, EditorAction, ReplayAction, UiAction, ViewAction},
            states::Dialog,
        },
        game::referee::Referee,
        platform::IS_WEB,
        replay::Replay,
        scene::api::{MotionStatus, ViewportInsets},
        ui::{
            dialogs::{files::Files, recent_games::sitter},
            overlays::caption,
            send,
            state::UiState,
            theme::{self, ACCENT, BODY, LARGE, MUTED},
            widgets,
        },
    },
    games::{AnyPosition, Event, Game, GameHistory, Ply, Side},
    i18n::{localize_decimal, tr},
    table::strip_clock_command,
};

/// How high the bar is, and how high where there is little room.
const HEIGHT: f32 = 96.0;
pub(crate) const LOW: f32 = 84.0;
/// How many times the usual speed one can choose.
const SPEEDS: [f32; 4] = [0.5, 1.0, 2.0, 4.0];

/// Shows the panels of a replay.
pub(crate) fn show(
    mut contexts: EguiContexts<'_, '_>,
    mut desk: ResMut<'_, UiState>,
    mut files: ResMut<'_, Files>,
    advice: Res<'_, Analysis>,
    replay: Res<'_, Replay>,
    referee: Res<'_, Referee>,
    motion: Res<'_, MotionStatus>,
    mut margins: ResMut<'_, ViewportInsets>,
    mut acts: MessageWriter<'_, Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some(record) = &replay.record else { return };
    let (desk, line) = (&mut *desk, record.history());
    let screen = context.content_rect();
    let sticks = record.rules().has_sticks();
    let tight = toolbar::is_tight(screen.width());
    desk.make_room(advice.enabled, tight);
    let listed = !tight || desk.list;
    let right = if listed { side_panel::width(screen.width()) } else { 0.0 };
    let high = if toolbar::is_narrow(screen.width()) { LOW } else { HEIGHT };
    let floor = screen.bottom() - high;
    // Where there is little room the analysis takes the sticks' place, and the
    // list the place of both.
    let studied = advice.enabled && !(tight && desk.list);
    let low = tight || analysis_panel::is_low(screen.height());
    let docked = sticks && !(tight && desk.list) && !(low && advice.enabled);
    let dock_height = if docked { throw_panel::HEIGHT } else { 0.0 };
    let study_height = if studied { analysis_panel::height(screen.size()) } else { 0.0 };
    let below = high + dock_height + study_height;
    let shown = replay.ply.saturating_sub(motion.pending);
    let comment = |ply: usize| {
        let comments = record.comments(ply).iter();
        let comments: Vec<String> = match &replay.clock {
            Some(_) => comments.filter_map(|it| strip_clock_command(it)).collect(),
            None => comments.cloned().collect(),
        };
        comments.join("\n")
    };
    let bottom = below.min(screen.height() * 0.8);
    let above = Rect::from_min_max(screen.min, screen.max - vec2(right, bottom));
    let words = if tight { told(&replay, &comment(shown), shown) } else { String::new() };
    let mut top = 0.0;
    if tight && !studied {
        // The board stays where it is while words come and go.
        let high = |ply| caption::height(context, above, &told(&replay, &comment(ply), ply));
        top = (0..=line.len()).map(high).fold(0.0, f32::max);
    }
    crate::app::ui::leave(context, &mut margins, ViewportInsets { left: 0.0, right, top, bottom });

    let mut asked = Vec::new();
    if std::mem::take(&mut desk.analyse) && !advice.enabled {
        asked.push(Action::View(ViewAction::ToggleAnalysis));
    }
    let place =
        Rect::from_min_max(pos2(screen.right() - right, screen.top()), pos2(screen.right(), floor));
    let clocks =
        replay.clock.as_ref().map(|it| Clocks { left: it.after_ply(shown), running: None });
    let sheet = side_panel::Dialog {
        line,
        listed: line.len(),
        shown,
        players: record.players.each_ref().map(|name| match name.as_str() {
            "?" => String::new(),
            name => sitter(name),
        }),
        turn: turn(line, shown),
        clocks,
        thinking: false,
        subtitle: &replay.title,
        comment: &comment,
        said: &replay.log,
        cursor: None,
        end: Evaluation::of_result(record.result()).filter(|_| shown == line.len()),
        advice: &advice,
    };
    if listed && let Some(ply) = side_panel::show(context, place, &sheet, &mut desk.scrolled) {
        asked.push(Action::Replay(ReplayAction::Jump(ply)));
    }
    if !studied {
        caption::show(context, above, &words);
    }
    let bar = screen.with_min_y(floor);
    if studied {
        let left = screen.right() - right;
        let top = floor - dock_height - study_height;
        let place = Rect::from_min_max(pos2(screen.left(), top), pos2(left, floor - dock_height));
        // The whole game is known; but what a throw brought is told when it
        // lies.
        let studied = analysis_panel::Studied {
            line,
            at: shown,
            told: line.len(),
            advice: &advice,
            reviews: true,
            told_first: &words,
            go: |ply| ReplayAction::Jump(ply).into(),
        };
        analysis_panel::show(context, place, &studied, &mut asked);
    }
    show_bar(context, bar, &replay, &referee, &advice, desk, &mut files, &mut asked);
    if docked {
        let left = screen.right() - right;
        let place = Rect::from_min_max(pos2(screen.left(), floor - dock_height), pos2(left, floor));
        throw_panel::show(context, place, line, shown, throw_panel::Hands::None, None, &mut asked);
    }
    table::listen(&mut desk.call, line, shown, true, context.input(|input| input.time));
    send(asked, &mut acts);
}

/// What is told above a small board after `shown` plies: what was written
/// about the last, and how the game ended.
fn told(replay: &Replay, comment: &str, shown: usize) -> String {
    let end = replay.ending.as_deref().filter(|_| shown == replay.line_len()).unwrap_or_default();
    let words = [comment, end].into_iter().filter(|it| !it.is_empty());
    words.collect::<Vec<_>>().join("\n")
}

/// Whose turn it is after `shown` plies.
fn turn(line: &GameHistory<AnyPosition>, shown: usize) -> Option<Side> {
    if shown >= line.len() { line.turn().side() } else { line.at(shown)?.turn().side() }
}

fn show_bar(
    context: &Context,
    place: Rect,
    replay: &Replay,
    referee: &Referee,
    advice: &Analysis,
    desk: &mut UiState,
    files: &mut Files,
    asked: &mut Vec<Action>,
) {
    let narrow = toolbar::is_narrow(place.width());
    widgets::pane(context, "replay-bar", place, theme::pane(), |ui| {
        let (at, last) = (replay.ply, replay.line_len());
        ui.horizontal(|ui| {
            let aside = if narrow { 80.0 } else { 90.0 + toolbar::views_width(ui) };
            ui.spacing_mut().slider_width = (ui.available_width() - aside).max(80.0);
            let mut ply = at;
            let slider = Slider::new(&mut ply, 0..=last.max(1)).show_value(false);
            let response = ui.add_enabled(last > 0, slider);
            response.widget_info(|| WidgetInfo::slider(last > 0, f64_of(at), tr("replay.ply")));
            ticks(ui, &response, replay, advice);
            let wanted = touched(ui, &response, last).unwrap_or(ply);
            if wanted != at && last > 0 {
                asked.push(Action::Replay(ReplayAction::Jump(wanted.min(last))));
            }
            ui.label(RichText::new(format!("{at} / {last}")).size(BODY).color(MUTED));
            if !narrow {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    toolbar::views(ui, asked)
                });
            }
        });
        ui.horizontal(|ui| {
            if place.width() < 1100.0 {
                ui.spacing_mut().item_spacing.x = 5.0;
                ui.spacing_mut().button_padding.x = 7.0;
            }
            // All as high as the steps.
            ui.spacing_mut().interact_size.y = 32.0;
            if widgets::button(ui, tr("bar.menu")).clicked() {
                asked.push(Action::Ui(UiAction::OpenDialog(Dialog::Menu)));
            }
            ui.separator();
            steps(ui, replay, asked);
            if toolbar::is_tight(place.width()) {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if widgets::choice(ui, desk.list, tr("bar.list")).clicked() {
                        desk.list = !desk.list;
                        ui.ctx().request_repaint();
                    }
                });
                return;
            }
            ui.separator();
            speeds(ui, replay, asked);
            if narrow {
                return;
            }
            if widgets::choice(ui, advice.enabled, tr("replay.analyse"))
                .on_hover_text(tr("replay.analyse-hint"))
                .clicked()
            {
                asked.push(Action::View(ViewAction::ToggleAnalysis));
            }
            if place.width() > 1100.0
                && widgets::choice(ui, replay.looping, tr("replay.loop"))
                    .on_hover_text(tr("replay.loop-hint"))
                    .clicked()
            {
                asked.push(Action::Replay(ReplayAction::ToggleLoop));
            }
            ui.separator();
            if widgets::button(ui, tr("replay.play-on")).clicked() {
                desk.guard(Action::Replay(ReplayAction::PlayFromHere), referee, asked);
            }
            if replay.from_editor {
                if widgets::button(ui, tr("replay.to-set-up")).clicked() {
                    asked.push(Action::Editor(EditorAction::Enter(None)));
                }
            } else if referee.table.is_some()
                && widgets::button(ui, tr("replay.to-table")).clicked()
            {
                asked.push(Action::Ui(UiAction::ShowTable));
            }
            if !IS_WEB
                && place.width() > 1100.0
                && widgets::button(ui, tr("replay.export"))
                    .on_hover_text(tr("replay.export-hint"))
                    .clicked()
                && let Some(rules) = replay.rules()
            {
                files.export(rules);
            }
        });
    });
}

/// The number of a ply as a slider tells it.
#[expect(clippy::cast_precision_loss, reason = "plies of a game")]
const fn f64_of(ply: usize) -> f64 {
    ply as f64
}

/// How fast it goes on by itself.
pub(crate) fn speeds(ui: &mut Ui, replay: &Replay, asked: &mut Vec<Action>) {
    for speed in SPEEDS {
        let chosen = (replay.speed - speed).abs() < 0.01;
        let name = localize_decimal(&format!("{speed}×"));
        if widgets::choice_of(ui, tr("settings.speed"), chosen, &name).clicked() {
            asked.push(Action::Replay(ReplayAction::SetSpeed(speed)));
        }
    }
}

fn steps(ui: &mut Ui, replay: &Replay, asked: &mut Vec<Action>) {
    let (at, last) = (replay.ply, replay.line_len());
    let mut step = |ui: &mut Ui, enabled: bool, sign: &str, words: &str, act: Action| {
        let button = Button::new(RichText::new(sign).size(LARGE)).min_size([40.0, 32.0].into());
        let response = ui.add_enabled(enabled, button);
        widgets::speak(&response, words);
        if response.on_hover_text(words).on_disabled_hover_text(words).clicked() {
            asked.push(act);
        }
    };
    step(ui, at > 0, "⏮", tr("replay.beginning"), Action::Replay(ReplayAction::Jump(0)));
    step(ui, at > 0, "⏴", tr("replay.back"), Action::Replay(ReplayAction::StepBack));
    let (sign, words) =
        if replay.playing { ("⏸", tr("replay.pause")) } else { ("▶", tr("replay.play")) };
    step(ui, replay.playing || last > 0, sign, words, Action::Replay(ReplayAction::TogglePlay));
    step(ui, at < last, "⏵", tr("replay.on"), Action::Replay(ReplayAction::StepForward));
    step(ui, at < last, "⏭", tr("replay.end"), Action::Replay(ReplayAction::Jump(last)));
}

/// The slider's rail: half its handle's width is free at both ends.
fn rail(slider: &Response) -> Rangef {
    slider.rect.x_range().shrink(slider.rect.height() / 2.5)
}

/// The ply of the rail over which the button was let go: of a click that a slow
/// frame brings whole the slider itself does not hear.
fn touched(ui: &Ui, slider: &Response, last: usize) -> Option<usize> {
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

/// Highlights on the slider's rail: below, the plies that capture or raise a
/// pavilion; above, throws; mistakes on the whole rail, where the game is
/// analysed.
fn ticks(ui: &Ui, slider: &Response, replay: &Replay, advice: &Analysis) {
    let Some(line) = replay.history() else { return };
    let last = line.len();
    let (place, rail) = (slider.rect, rail(slider));
    let mistakes = if advice.enabled { advice.mistakes(line) } else { Vec::new() };
    for ply in 1..=last {
        #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
        let x = lerp(rail.min..=rail.max, ply as f32 / last as f32);
        if mistakes.iter().any(|mistake| mistake.ply == ply) {
            ui.painter().vline(x, place.y_range(), Stroke::new(2.0, theme::ALARM));
        } else if matches!(line.ply(ply), Some(Ply::Throw(_))) {
            ui.painter().vline(x, place.top()..=place.top() + 3.0, Stroke::new(1.0, MUTED));
        } else if is_telling(line.events(ply)) {
            let y = place.bottom() - 5.0..=place.bottom();
            ui.painter().vline(x, y, Stroke::new(2.0, ACCENT));
        }
    }
}

fn is_telling(events: &[Event]) -> bool {
    let telling =
        |event: &Event| matches!(event, Event::Captured { .. } | Event::PavilionRaised { .. });
    events.iter().any(telling)
}
