//! A notice to the player. It stands over the board for a while, in its upper right corner,
//! where neither the sticks nor the choices of a photograph are, and under a question that is
//! asked there.

use bevy_egui::egui::Modifiers;

use crate::app::ui::{
    dialogs::{confirmation::Confirmation, files::FileChooser, keys::KeyCapture},
    overlays::question::QUESTION,
    prelude::*,
    widgets,
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
    notices: Res<Notices>,
    (open, confirmation): (Res<OpenDialog>, Res<Confirmation>),
    (files, capture): (Res<FileChooser>, Res<KeyCapture>),
    (insets, referee): (Res<ViewportInsets>, Res<Referee>),
    mut next: ResMut<NextFrame>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let scene = scene_rect(context, &insets);
    let top = scene.top().max(Dock::new(context).rest().top());
    let mut corner = pos2(scene.right(), top) + vec2(-space(1), space(1));
    let width = (scene.width() - 2.0 * space(1)).min(WIDTH);
    if let Some(question) = question_rect(context, &referee)
        && question.top() < scene.center().y
        && question.right() + space(1) > corner.x - width
    {
        corner.y = corner.y.max(question.bottom() + space(1));
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
