//! A notice to the player, for a while. It stands in the panel at the right of the board,
//! where the list of moves or what else is scrolled there makes room for it and nothing else
//! moves; without one in the board's upper right corner, where neither the sticks nor the
//! choices of a photograph are, and under a question that is asked there.

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
    app.init_resource::<Toast>()
        .add_systems(EguiPrimaryContextPass, follow.in_set(UiSet::Prepare))
        .add_systems(EguiPrimaryContextPass, show.in_set(UiSet::Toast));
}

/// The notice on the screen, and the room that a panel keeps for it.
const NOTICE: &str = "notice-text";
const ROOM: &str = "notice-room";
/// So high is at least what a panel keeps for its own content.
const LEAST_CONTENT: f32 = 90.0;

/// Keeps room for the notice, if one is shown, at the foot of what is left of a panel, so far
/// above its end; how high that room is. Nothing else in the panel moves for it.
pub(crate) fn keep_room(ui: &Ui, above_end: f32) -> f32 {
    let context = ui.ctx();
    let text = context.data(|data| data.get_temp::<String>(Id::new(NOTICE)));
    let Some(text) = text else { return 0.0 };
    let free = ui.available_rect_before_wrap();
    let free = free.with_max_y(free.bottom() - above_end);
    let height = height(context, &text, free.width());
    if free.height() - height < LEAST_CONTENT {
        return 0.0;
    }
    let room = free.with_min_y(free.bottom() - height);
    context.data_mut(|data| data.insert_temp(Id::new(ROOM), room));
    height
}

/// How high a notice of this width is, with the space around it.
fn height(context: &Context, text: &str, width: f32) -> f32 {
    let style = context.global_style();
    let font = FontId::proportional(SMALL);
    let width = width - frame(ACCENT).total_margin().sum().x;
    let (rows, button) = context.fonts_mut(|fonts| {
        let close =
            fonts.layout_no_wrap(tr("popup.close").to_owned(), FontId::proportional(BODY), TEXT);
        let around = 2.0 * style.spacing.button_padding.x + style.spacing.item_spacing.x + 2.0;
        let room = width - close.size().x - around - 4.0;
        (fonts.layout(text.to_owned(), font, TEXT, room).size().y, close.size().y)
    });
    let button = (button + 2.0 * style.spacing.button_padding.y).max(style.spacing.interact_size.y);
    rows.max(button) + frame(ACCENT).total_margin().sum().y + 2.0 * space(1)
}

fn frame(edge: Color32) -> Frame {
    theme::dialog_frame().stroke((1.5, edge)).inner_margin(Margin::symmetric(12, 6))
}

/// Takes over the notice of this frame before the panels are laid out.
fn follow(mut contexts: EguiContexts, mut toast: ResMut<Toast>, notices: Res<Notices>) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let now = context.input(|input| input.time);
    toast.update(notices.shown.as_ref(), notices.count, now);
    let text = notices.shown.as_ref().filter(|_| toast.is_visible).map(|it| it.text.clone());
    context.data_mut(|data| {
        data.remove::<Rect>(Id::new(ROOM));
        match text {
            Some(text) => _ = data.insert_temp(Id::new(NOTICE), text),
            None => data.remove::<String>(Id::new(NOTICE)),
        }
    });
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
    /// Whether a dialog is open.
    has_dialog: bool,
    /// Whether that dialog was opened after it, and lies over it.
    is_covered: bool,
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
            let (notice, has_dialog) = (notice.cloned(), self.has_dialog);
            *self = Self { notice, count, since: now, has_dialog, ..Self::default() };
        }
        let stays = |notice: &Notice| notice.is_error || self.time_left(now) > 0.0;
        self.is_visible = notice.is_some_and(stays) && !self.is_closed;
    }

    /// Takes over whether a dialog is open. One that opens covers it.
    const fn follow_dialog(&mut self, is_open: bool) {
        let opens = is_open && !self.has_dialog;
        self.is_covered = is_open && (self.is_covered || opens && self.is_visible);
        self.has_dialog = is_open;
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
    (insets, referee, screen): (Res<ViewportInsets>, Res<Referee>, Res<State<Screen>>),
    mut next: ResMut<NextFrame>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    // On the title it stands beside the name, and not over a picture of a game.
    let scene = match screen.get() {
        Screen::Title => context.content_rect(),
        _ => scene_rect(context, &insets),
    };
    let top = scene.top().max(Dock::new(context).rest().top());
    let mut corner = pos2(scene.right(), top) + vec2(-space(1), space(1));
    let mut width = (scene.width() - 2.0 * space(1)).min(WIDTH);
    let room = context.data(|data| data.get_temp::<Rect>(Id::new(ROOM)));
    if let Some(room) = room {
        (corner, width) = (room.right_top() + vec2(0.0, space(1)), room.width());
    } else if let Some(question) = question_rect(context, &referee)
        && question.top() < scene.center().y
        && question.right() + space(1) > corner.x - width
    {
        corner.y = corner.y.max(question.bottom() + space(1));
    }
    let now = context.input(|input| input.time);
    // Over a dialog Escape closes the toast first, unless the dialog lies over it, or a
    // key or a file is being chosen. Where no dialog is open, the board's keys do it.
    let is_over_dialog = open.0.is_some() || confirmation.0.is_some();
    toast.follow_dialog(is_over_dialog);
    let takes_escape =
        is_over_dialog && !toast.is_covered && !capture.is_active() && !files.is_open();
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
    let frame = frame(edge);
    let align = Align2::RIGHT_TOP;
    widgets::floating_panel(context, "notice", corner, align, width, frame, |ui| {
        ui.horizontal(|ui| {
            let button = widgets::buttons_width(ui, &[tr("popup.close")]);
            ui.scope(|ui| {
                ui.set_width(ui.available_width() - button - 4.0);
                let text = widgets::wrapped(ui, &notice.text, SMALL, ink);
                widgets::say_when_changed(&text);
                if let Some(file) = &notice.file {
                    text.on_hover_text(file);
                }
            });
            widgets::button(ui, tr("popup.close")).clicked()
        })
        .inner
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialog_that_opens_lies_over_the_notice_and_a_later_notice_over_the_dialog() {
        let notice = |text: &str| Notice::new(text.to_owned(), true);
        let mut toast = Toast::default();
        toast.update(Some(&notice("one")), 1, 0.0);
        toast.follow_dialog(true);
        toast.update(Some(&notice("one")), 1, 1.0);
        assert!(toast.is_visible && toast.is_covered, "Escape closes the dialog");
        toast.follow_dialog(true);
        toast.update(Some(&notice("another")), 2, 2.0);
        toast.follow_dialog(true);
        assert!(toast.is_visible && !toast.is_covered, "Escape closes the notice");
        toast.follow_dialog(false);
        assert!(!toast.is_covered);
    }
}
