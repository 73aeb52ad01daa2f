//! What stands at the foot of the board for a while: a notice, and how far what
//! is being written has come.

use bevy_egui::egui::{
    Align2, Context, Id, Key, Margin, Modifiers, Pos2, ProgressBar, Rect, Ui, pos2, vec2,
};

use crate::{
    app::{
        capture::export::ExportJobs,
        core::{
            actions::{Action, UiAction},
            notice::Notice,
        },
        ui::{
            state::Shown,
            theme::{self, ACCENT, ALARM, BODY, INK, SMALL},
            widgets,
        },
    },
    i18n::{tr, tr_args},
};

/// A key alone.
const NONE: Modifiers = Modifiers::NONE;
/// How long a notice of something done stays (seconds); an error stays until
/// it is closed, or settled by what happens.
const GOOD_NEWS: f64 = 6.0;

/// How wide something at the foot of the board is, where its foot stands, and
/// the size of its text. Where there is little room it is small, and covers
/// what stands under the board rather than the board.
fn at_the_foot([scene, window]: [Rect; 2]) -> (f32, Pos2, f32) {
    if crate::app::ui::screens::toolbar::is_tight(window.width()) {
        (window.width() - 12.0, window.center_bottom() - vec2(0.0, 6.0), SMALL)
    } else if is_low(scene) {
        (scene.width() - 12.0, pos2(scene.center().x, window.bottom() - 6.0), SMALL)
    } else {
        ((scene.width() - 40.0).min(560.0), scene.center_bottom() - vec2(0.0, 14.0), BODY)
    }
}

fn is_low(scene: Rect) -> bool {
    scene.height() < 320.0 || scene.width() < 480.0
}

/// How far what is being written has come, and a way to stop it; how high that
/// is.
pub(crate) fn exporting(
    context: &Context,
    rooms: [Rect; 2],
    drawings: &ExportJobs,
    asked: &mut Vec<Action>,
) -> f32 {
    let progress = drawings.progress();
    if progress.is_empty() {
        return 0.0;
    }
    let (width, foot, size) = at_the_foot(rooms);
    let frame = theme::dialog().inner_margin(Margin::symmetric(12, 6));
    widgets::float(context, "exporting", foot, Align2::CENTER_BOTTOM, width, frame, |ui| {
        // Low, for it stands over the board's edge.
        ui.horizontal(|ui| {
            let button = widgets::wide(ui, &[tr("popup.stop-export")]);
            ui.vertical(|ui| {
                ui.set_width(ui.available_width() - button - 4.0);
                for drawing in &progress {
                    one_export(ui, drawing, size);
                }
            });
            if widgets::button(ui, tr("popup.stop-export")).clicked() {
                asked.push(Action::Ui(UiAction::StopExport));
            }
        });
    });
    let place = context.memory(|memory| memory.area_rect(Id::new("exporting")));
    place.map_or(0.0, |place| place.height() + 6.0)
}

/// A file that is being written: its name, the ply of so many.
fn one_export(ui: &mut Ui, (file, ply, plies): &(String, usize, usize), size: f32) {
    let (done, all) = (ply.to_string(), plies.to_string());
    let names = [("file", file.as_str()), ("ply", &done), ("plies", &all)];
    let key = if *plies == 0 { "popup.exporting" } else { "popup.exporting-ply" };
    widgets::wrapped(ui, &tr_args(key, &names), size, INK);
    #[expect(clippy::cast_precision_loss, reason = "plies of a game")]
    let share = *ply as f32 / (*plies).max(1) as f32;
    ui.add(ProgressBar::new(share).desired_height(6.0).fill(ACCENT));
}

/// A word to the person.
pub(crate) fn notice(
    context: &Context,
    [scene, window]: [Rect; 2],
    notice: Option<&Notice>,
    anew: bool,
    takes_escape: bool,
    shown: &mut Shown,
) {
    let now = context.input(|input| input.time);
    let repeats = shown.notice.as_ref().zip(notice).is_some_and(|(old, new)| old.repeats(new));
    if anew || !repeats && shown.notice.as_ref() != notice {
        *shown = Shown { notice: notice.cloned(), since: now, closed: false, visible: false };
    }
    let Some(notice) = notice else {
        shown.visible = false;
        return;
    };
    let stays = notice.is_error || now - shown.since < GOOD_NEWS;
    shown.visible = !shown.closed && stays;
    // Over a sheet it is the first to go. Where none is, the board's keys say
    // so: see `KeyContext::covered`.
    if shown.visible && takes_escape && context.input_mut(|it| it.consume_key(NONE, Key::Escape)) {
        (shown.visible, shown.closed) = (false, true);
    }
    if !shown.visible {
        return;
    }
    let low = is_low(scene);
    let (width, foot, size) = at_the_foot([scene, window]);
    let edge = if notice.is_error { ALARM } else { ACCENT };
    let margin = if low { Margin::symmetric(10, 5) } else { Margin::symmetric(14, 10) };
    let frame = theme::dialog().stroke((1.5, edge)).inner_margin(margin);
    shown.closed =
        widgets::float(context, "notice", foot, Align2::CENTER_BOTTOM, width, frame, |ui| {
            ui.horizontal(|ui| {
                let button = widgets::wide(ui, &[tr("popup.close")]);
                ui.scope(|ui| {
                    ui.set_width(ui.available_width() - button - 4.0);
                    let ink = if notice.is_error { ALARM } else { INK };
                    widgets::wrapped(ui, &notice.text, size, ink);
                });
                widgets::button(ui, tr("popup.close")).clicked()
            })
            .inner
        });
}
