//! The comment on the position of a replay, to be edited.

use super::{CloseButton, DialogWindow, Place, WindowLayout, dialog_opened, while_open};
use crate::{
    app::ui::{prelude::*, widgets},
    records::Annotation,
    session::strip_clock_command,
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<EditedComment>()
        .add_systems(Update, fill.run_if(dialog_opened(Dialog::Comment)).in_set(AppSet::Report))
        .add_systems(EguiPrimaryContextPass, while_open(Dialog::Comment, show));
}

/// The comment being edited.
#[derive(Resource, Debug, Default)]
struct EditedComment(String);

fn fill(mut edited: ResMut<EditedComment>, replay: Res<Replay>) {
    let note = replay.record.as_ref().map(|record| record.tree().annotation(replay.node()));
    let comments = note.into_iter().flat_map(Annotation::comments);
    let comments: Vec<_> = comments.filter_map(|comment| strip_clock_command(comment)).collect();
    edited.0 = comments.join("\n");
}

fn show(mut window: DialogWindow, mut edited: ResMut<EditedComment>) {
    // The board stays in sight.
    let layout = WindowLayout {
        width: 460.0,
        close: CloseButton::None,
        place: Place::Beside,
        ..WindowLayout::default()
    };
    window.show_until(&layout, |ui, actions| content(ui, &mut edited.0, actions));
}

/// The text and its buttons; whether the dialog closes.
fn content(ui: &mut Ui, text: &mut String, actions: &mut Vec<Action>) -> bool {
    widgets::heading(ui, tr("line.comment-title"));
    widgets::note(ui, tr("line.comment-hint"));
    let field = ui.add(TextEdit::multiline(text).desired_rows(3).desired_width(f32::INFINITY));
    let label = tr("line.comment-title");
    field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, label));
    let (mut is_saved, mut is_closed) = (false, false);
    ui.horizontal_wrapped(|ui| {
        is_saved = widgets::button(ui, tr("line.save-comment")).clicked();
        is_closed = widgets::button(ui, tr("popup.cancel")).clicked();
    });
    // Enter begins a new line.
    is_saved |= ui.input(|input| input.modifiers.command && input.key_pressed(Key::Enter));
    if ui.memory(|memory| memory.focused().is_none()) && !is_saved {
        field.request_focus();
    }
    if is_saved {
        actions.push(ReplayAction::SetComment(text.trim().to_owned()).into());
    }
    is_saved || is_closed
}
