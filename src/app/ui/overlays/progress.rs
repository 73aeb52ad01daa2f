//! The progress of files being written: a strip at the top of the window, which every screen
//! leaves free.

use crate::app::{
    capture::export::ExportJobs,
    ui::{prelude::*, widgets},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(EguiPrimaryContextPass, show.in_set(UiSet::Progress));
}

/// The name of the strip.
pub(crate) const PROGRESS: &str = "exporting";

/// How high the line of one file is.
const LINE_HEIGHT: f32 = space(5);

fn show(mut contexts: EguiContexts, jobs: Res<ExportJobs>, mut actions: MessageWriter<Action>) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let progress = jobs.progress();
    if progress.is_empty() {
        Dock::reserve_top(context, 0.0);
        return;
    }
    let frame = theme::panel_frame().inner_margin(Margin::symmetric(12, 4));
    let lines = LINE_HEIGHT * progress.iter().map(|_| 1.0).sum::<f32>();
    let height = lines.max(CONTROL_HEIGHT) + frame.total_margin().sum().y;
    Dock::reserve_top(context, height);
    let window = context.content_rect();
    let strip = window.with_max_y(window.top() + height);
    let is_stopped = widgets::panel(context, PROGRESS, strip, frame, |ui| {
        ui.horizontal_centered(|ui| {
            let button = widgets::buttons_width(ui, &[tr("popup.stop-export")]);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                ui.set_width(ui.available_width() - button - space(1));
                ui.add_space((ui.available_height() - lines).max(0.0) / 2.0);
                for job in &progress {
                    show_job(ui, job);
                }
            });
            widgets::button(ui, tr("popup.stop-export")).clicked()
        })
        .inner
    });
    if is_stopped {
        actions.write(UiAction::StopExport.into());
    }
}

/// The progress of one file: its name, the ply being drawn, the number of plies.
fn show_job(ui: &mut Ui, (file, ply, plies): &(String, usize, usize)) {
    let (done, all) = (ply.to_string(), plies.to_string());
    let names = [("file", file.as_str()), ("ply", &done), ("plies", &all)];
    let key = if *plies == 0 { "popup.exporting" } else { "popup.exporting-ply" };
    let size = vec2(ui.available_width(), LINE_HEIGHT);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        let bar = (ui.available_width() * 0.3).min(space(60));
        ui.scope(|ui| {
            ui.set_max_width(ui.available_width() - bar - space(2));
            widgets::one_line(ui, &tr_args(key, &names), SMALL, TEXT);
        });
        widgets::wait_bar(ui, [*ply, *plies]);
    });
}
