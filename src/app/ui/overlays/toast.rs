//! What stands over the board for a while, in its upper right corner, where neither the sticks
//! nor the choices of a photograph are: the progress of files being written, and under it a
//! notice to the player. Both stand under a question that is asked there.

use bevy_egui::egui::Modifiers;

use crate::app::{
    capture::export::ExportJobs,
    ui::{
        dialogs::{confirmation::Confirmation, files::FileChooser, keys::KeyCapture},
        overlays::question::QUESTION,
        prelude::*,
        widgets,
    },
};

/// How long a notice of something done is shown (seconds). An error is shown
/// until it is closed, or until the game puts it away.
const DURATION: f64 = 6.0;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Toast>().add_systems(EguiPrimaryContextPass, show.in_set(UiSet::Toast));
}

/// The notice being shown.
#[derive(Resource, Debug, Default)]
pub(crate) struct Toast {
    notice: Option<Notice>,
    /// The count of notices ([`Notices::count`]) with it.
    count: u64,
    /// Since when (seconds).
    since: f64,
    /// Whether it was closed.
    is_closed: bool,
    /// Whether it is on the screen.
    pub(crate) is_visible: bool,
}

impl Toast {
    /// Closes the notice that is on the screen.
    pub(super) const fn close(&mut self) {
        (self.is_visible, self.is_closed) = (false, true);
    }

    /// Takes over the notice of this frame. One that is set again is shown again.
    fn update(&mut self, notice: Option<&Notice>, count: u64, now: f64) {
        let is_same = self.notice.as_ref().zip(notice).is_some_and(|(old, new)| old.repeats(new));
        if count != self.count || !is_same && self.notice.as_ref() != notice {
            *self = Self { notice: notice.cloned(), count, since: now, ..Self::default() };
        }
        let stays = |notice: &Notice| notice.is_error || self.time_left(now) > 0.0;
        self.is_visible = notice.is_some_and(stays) && !self.is_closed;
    }

    /// How long a notice of something done is still shown (seconds).
    fn time_left(&self, now: f64) -> f64 {
        self.since + DURATION - now
    }
}

fn show(
    mut contexts: EguiContexts,
    mut toast: ResMut<Toast>,
    (notices, jobs): (Res<Notices>, Res<ExportJobs>),
    (open, confirmation): (Res<OpenDialog>, Res<Confirmation>),
    (files, capture): (Res<FileChooser>, Res<KeyCapture>),
    (insets, referee): (Res<ViewportInsets>, Res<Referee>),
    (mut actions, mut next): (MessageWriter<Action>, ResMut<NextFrame>),
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let scene = scene_rect(context, &insets);
    let mut corner = scene.right_top() + vec2(-space(1), space(1));
    let width = (scene.width() - 2.0 * space(1)).min(WIDTH);
    if let Some(question) = question_rect(context, &referee)
        && question.top() < scene.center().y
        && question.right() + space(1) > corner.x - width
    {
        corner.y = corner.y.max(question.bottom() + space(1));
    }
    if !jobs.progress().is_empty() {
        let shown = show_progress(context, corner, width, &jobs);
        corner.y += shown.height + space(1);
        if shown.is_stopped {
            actions.write(UiAction::StopExport.into());
        }
    }
    let now = context.input(|input| input.time);
    toast.update(notices.shown.as_ref(), notices.count, now);
    // Over a dialog Escape closes the toast first, unless a key or a file is
    // being chosen. Where no dialog is open, the board's keys do it.
    let is_over_dialog = open.0.is_some() || confirmation.0.is_some();
    let takes_escape = is_over_dialog && !capture.is_active() && !files.is_open();
    if toast.is_visible
        && takes_escape
        && context.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
    {
        toast.close();
    }
    if let Some(notice) = notices.shown.as_ref().filter(|_| toast.is_visible) {
        if !notice.is_error {
            next.within(Duration::from_secs_f64(toast.time_left(now)));
        }
        toast.is_closed = show_notice(context, corner, width, notice);
    }
}

/// Where the question on the table stands.
fn question_rect(context: &Context, referee: &Referee) -> Option<Rect> {
    referee.table.as_ref().and(referee.question.as_ref())?;
    context.memory(|memory| memory.area_rect(Id::new(QUESTION)))
}

/// How wide what stands there is.
const WIDTH: f32 = 340.0;

/// The progress that was shown.
struct ShownProgress {
    height: f32,
    is_stopped: bool,
}

/// Shows the progress of files being written.
fn show_progress(context: &Context, corner: Pos2, width: f32, jobs: &ExportJobs) -> ShownProgress {
    let progress = jobs.progress();
    let frame = theme::dialog_frame().inner_margin(Margin::symmetric(12, 6));
    let align = Align2::RIGHT_TOP;
    let is_stopped =
        widgets::floating_panel(context, "exporting", corner, align, width, frame, |ui| {
            ui.horizontal(|ui| {
                let button = widgets::buttons_width(ui, &[tr("popup.stop-export")]);
                ui.vertical(|ui| {
                    ui.set_width(ui.available_width() - button - 4.0);
                    for job in &progress {
                        show_job(ui, job);
                    }
                });
                widgets::button(ui, tr("popup.stop-export")).clicked()
            })
            .inner
        });
    let shown = context.memory(|memory| memory.area_rect(Id::new("exporting")));
    ShownProgress { height: shown.map_or(0.0, |rect| rect.height()), is_stopped }
}

/// The progress of one file: its name, the ply being drawn, the number of plies.
fn show_job(ui: &mut Ui, (file, ply, plies): &(String, usize, usize)) {
    let (done, all) = (ply.to_string(), plies.to_string());
    let names = [("file", file.as_str()), ("ply", &done), ("plies", &all)];
    let key = if *plies == 0 { "popup.exporting" } else { "popup.exporting-ply" };
    widgets::wrapped(ui, &tr_args(key, &names), SMALL, TEXT);
    widgets::wait_bar(ui, [*ply, *plies]);
}

/// Shows the notice; whether it is closed.
fn show_notice(context: &Context, corner: Pos2, width: f32, notice: &Notice) -> bool {
    let (edge, ink) = if notice.is_error { (ERROR, ERROR) } else { (ACCENT, TEXT) };
    let frame = theme::dialog_frame().stroke((1.5, edge)).inner_margin(Margin::symmetric(12, 6));
    let align = Align2::RIGHT_TOP;
    widgets::floating_panel(context, "notice", corner, align, width, frame, |ui| {
        ui.horizontal(|ui| {
            let button = widgets::buttons_width(ui, &[tr("popup.close")]);
            ui.scope(|ui| {
                ui.set_width(ui.available_width() - button - 4.0);
                widgets::say_when_changed(&widgets::wrapped(ui, &notice.text, SMALL, ink));
            });
            widgets::button(ui, tr("popup.close")).clicked()
        })
        .inner
    })
}
