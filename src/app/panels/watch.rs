//! The screen of a replay: the bar that steps through it and the panel of its
//! moves.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{Align, Button, Context, Layout, Rect, Response, RichText, Slider, Stroke, Ui, pos2},
};

use super::{
    bar,
    desk::Desk,
    dock,
    files::Files,
    send, side, table, theme,
    theme::{ACCENT, BODY, LARGE, MUTED},
    widgets,
};
use crate::{
    app::{
        acts::Act,
        referee::Referee,
        replay::Replay,
        stage::{Margins, Motion},
    },
    games::{AnyPosition, Event, Game, Line, Side},
};

/// How high the bar is.
const HEIGHT: f32 = 96.0;
/// How many times the usual speed one can choose.
const SPEEDS: [f32; 4] = [0.5, 1.0, 2.0, 4.0];

/// Shows the panels of a replay.
pub(super) fn show(
    mut contexts: EguiContexts<'_, '_>,
    mut desk: ResMut<'_, Desk>,
    mut files: ResMut<'_, Files>,
    replay: Res<'_, Replay>,
    referee: Res<'_, Referee>,
    motion: Res<'_, Motion>,
    mut margins: ResMut<'_, Margins>,
    mut acts: MessageWriter<'_, Act>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let Some(record) = &replay.record else { return };
    let (desk, line) = (&mut *desk, record.line());
    let screen = context.content_rect();
    let sticks = record.rules().has_sticks();
    let right = side::width(screen.width());
    let floor = screen.bottom() - HEIGHT;
    let dock_height = if sticks { dock::HEIGHT } else { 0.0 };
    margins.set_if_neq(Margins { left: 0.0, right, top: 0.0, bottom: HEIGHT + dock_height });

    let shown = replay.at.saturating_sub(motion.waiting);
    let mut asked = Vec::new();
    let place =
        Rect::from_min_max(pos2(screen.right() - right, screen.top()), pos2(screen.right(), floor));
    let comment = record.comments(shown).join("\n");
    let sheet = side::Sheet {
        line,
        listed: line.len(),
        shown,
        players: record.players.clone().map(|name| if name == "?" { String::new() } else { name }),
        turn: turn(line, shown),
        thinking: false,
        subtitle: &replay.title,
        comment: Some(comment.as_str()).filter(|comment| !comment.is_empty()),
        said: &replay.said,
    };
    if let Some(ply) = side::show(context, place, &sheet, &mut desk.scrolled) {
        asked.push(Act::Jump(ply));
    }
    let bar = screen.with_min_y(floor);
    show_bar(context, bar, &replay, &referee, desk, &mut files, &mut asked);
    if sticks {
        let left = screen.right() - right;
        let place = Rect::from_min_max(pos2(screen.left(), floor - dock_height), pos2(left, floor));
        dock::show(context, place, line, shown, None, &mut asked);
    }
    table::listen(&mut desk.call, line, shown, true, context.input(|input| input.time));
    send(asked, &mut acts);
}

/// Whose turn it is after `shown` plies.
fn turn(line: &Line<AnyPosition>, shown: usize) -> Option<Side> {
    if shown >= line.len() { line.turn().side() } else { line.at(shown)?.turn().side() }
}

fn show_bar(
    context: &Context,
    place: Rect,
    replay: &Replay,
    referee: &Referee,
    desk: &mut Desk,
    files: &mut Files,
    asked: &mut Vec<Act>,
) {
    widgets::pane(context, "replay-bar", place, theme::pane(), |ui| {
        let (at, last) = (replay.at, replay.line_len());
        ui.horizontal(|ui| {
            ui.spacing_mut().slider_width = ui.available_width() - 420.0;
            let mut ply = at;
            let slider = Slider::new(&mut ply, 0..=last.max(1)).show_value(false);
            let response = ui.add_enabled(last > 0, slider);
            ticks(ui, &response, replay);
            if response.changed() && ply != at {
                asked.push(Act::Jump(ply.min(last)));
            }
            ui.label(RichText::new(format!("{at} / {last}")).size(BODY).color(MUTED));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| bar::views(ui, desk, asked));
        });
        ui.horizontal(|ui| {
            steps(ui, replay, asked);
            ui.separator();
            for speed in SPEEDS {
                let chosen = (replay.speed - speed).abs() < 0.01;
                if widgets::choice(ui, chosen, &format!("{speed}×")).clicked() {
                    asked.push(Act::Speed(speed));
                }
            }
            ui.separator();
            if widgets::button(ui, "Play on from here").clicked() {
                desk.guard(Act::PlayOn, referee, asked);
            }
            if referee.table.is_some() && widgets::button(ui, "Back to table").clicked() {
                asked.push(Act::Table);
            }
            if widgets::button(ui, "Title").on_hover_text("Back to the title screen").clicked() {
                asked.push(Act::Title);
            }
            if widgets::button(ui, "Open…").on_hover_text("Watch another record").clicked() {
                files.open();
            }
        });
    });
}

fn steps(ui: &mut Ui, replay: &Replay, asked: &mut Vec<Act>) {
    let (at, last) = (replay.at, replay.line_len());
    let mut step = |ui: &mut Ui, enabled: bool, sign: &str, words: &str, act: Act| {
        let button = Button::new(RichText::new(sign).size(LARGE)).min_size([40.0, 32.0].into());
        if ui
            .add_enabled(enabled, button)
            .on_hover_text(words)
            .on_disabled_hover_text(words)
            .clicked()
        {
            asked.push(act);
        }
    };
    step(ui, at > 0, "⏮", "To the beginning", Act::Jump(0));
    step(ui, at > 0, "⏴", "One ply back", Act::StepBack);
    let (sign, words) = if replay.playing { ("⏸", "Pause") } else { ("▶", "Play") };
    step(ui, replay.playing || last > 0, sign, words, Act::TogglePlay);
    step(ui, at < last, "⏵", "One ply on", Act::StepForward);
    step(ui, at < last, "⏭", "To the end", Act::Jump(last));
}

/// Marks the plies that capture or raise a pavilion on the slider's rail.
fn ticks(ui: &Ui, slider: &Response, replay: &Replay) {
    let Some(line) = replay.line() else { return };
    let last = line.len();
    let place = slider.rect;
    // The slider keeps half its handle's width free at both ends.
    let rail = place.x_range().shrink(place.height() / 2.5);
    for ply in 1..=last {
        let telling = line
            .events(ply)
            .iter()
            .any(|event| matches!(event, Event::Captured { .. } | Event::PavilionRaised { .. }));
        if telling {
            #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
            let x = bevy_egui::egui::lerp(rail.min..=rail.max, ply as f32 / last as f32);
            let y = place.bottom() - 5.0..=place.bottom();
            ui.painter().vline(x, y, Stroke::new(2.0, ACCENT));
        }
    }
}
