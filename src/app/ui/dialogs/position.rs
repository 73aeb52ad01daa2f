//! The position being set up as text: to copy, to type or to paste.

use super::{CloseButton, DialogWindow, ScreenContent, WindowLayout, dialog_opened, while_open};
use crate::app::{
    editor::{self, Editor},
    ui::{game_texts::sentence, prelude::*, widgets},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PositionText>()
        .add_systems(
            Update,
            take_position.run_if(dialog_opened(Dialog::Position)).in_set(AppSet::Report),
        )
        .add_systems(EguiPrimaryContextPass, while_open(Dialog::Position, show));
}

/// The position being typed.
#[derive(Resource, Debug, Default)]
pub(crate) struct PositionText {
    /// The text, right or wrong.
    pub(crate) text: String,
    /// What is wrong with the text that was entered last.
    pub(crate) error: Option<String>,
}

fn take_position(mut typed: ResMut<PositionText>, editor: Res<Editor>) {
    *typed = PositionText { text: editor.draft.to_string(), error: None };
}

fn show(mut window: DialogWindow, mut typed: ResMut<PositionText>, screen: ScreenContent) {
    let layout = WindowLayout { width: 560.0, close: CloseButton::None, ..WindowLayout::default() };
    let rules = screen.rules();
    window.show_until(&layout, |ui, actions| content(ui, rules, &mut typed, actions));
}

/// The line and its buttons; whether the dialog closes.
fn content(
    ui: &mut Ui,
    rules: RuleSet,
    typed: &mut PositionText,
    actions: &mut Vec<Action>,
) -> bool {
    widgets::heading(ui, tr("edit.as-text"));
    widgets::note(ui, tr("edit.text-hint"));
    let line = ui.add(TextEdit::singleline(&mut typed.text).desired_width(f32::INFINITY));
    if line.changed() {
        typed.error = None;
    }
    if let Some(error) = &typed.error {
        widgets::wrapped(ui, error, theme::BODY, theme::ERROR);
    }
    let label = tr("edit.as-text");
    line.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, label));
    let mut is_entered = line.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if ui.memory(|memory| memory.focused().is_none()) && !is_entered {
        line.request_focus();
    }
    let mut is_closed = false;
    ui.horizontal_wrapped(|ui| {
        is_entered |= widgets::button(ui, tr("edit.take-over")).clicked();
        if widgets::button(ui, tr("edit.copy")).clicked() {
            actions.push(UiAction::Copy.into());
        }
        is_closed = widgets::button(ui, tr("popup.close")).clicked();
    });
    if is_entered {
        let text = typed.text.trim().to_owned();
        // A text that cannot be read stays, to be corrected.
        match editor::read(rules, &text) {
            Ok(_) => {
                actions.push(EditorAction::SetText(text).into());
                is_closed = true;
            }
            Err(error) => typed.error = Some(sentence(&error.localized())),
        }
    }
    is_closed
}
