//! A line to type a move in.

use super::{
    CloseButton, DialogWindow, Place, ScreenContent, WindowLayout, dialog_opened, reset, while_open,
};
use crate::app::ui::{prelude::*, widgets};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<TypedMove>()
        .add_systems(
            Update,
            reset::<TypedMove>.run_if(dialog_opened(Dialog::TypeMove)).in_set(AppSet::Report),
        )
        .add_systems(EguiPrimaryContextPass, while_open(Dialog::TypeMove, show));
}

/// The move being typed.
#[derive(Resource, Debug, Default)]
struct TypedMove(String);

fn show(mut window: DialogWindow, mut typed: ResMut<TypedMove>, screen: ScreenContent) {
    // The board stays in sight.
    let layout = WindowLayout {
        width: 380.0,
        close: CloseButton::None,
        place: Place::Beside,
        ..WindowLayout::default()
    };
    let game = screen.rules().game();
    window.show_until(&layout, |ui, actions| content(ui, game, &mut typed.0, actions));
}

/// The line and its buttons; whether the dialog closes.
fn content(ui: &mut Ui, game: GameKind, typed: &mut String, actions: &mut Vec<Action>) -> bool {
    widgets::heading(ui, tr("desk.type-move"));
    let example = match game {
        GameKind::Tablut => "e4-f4",
        GameKind::Tablan => "a1-c1, k1-l1+a1-b1",
        GameKind::Tablaaza => "c7",
    };
    widgets::note(ui, &tr_args("desk.type-hint", &[("move", example)]));
    let line = ui.add(TextEdit::singleline(typed).desired_width(f32::INFINITY));
    let label = tr("desk.type-move");
    line.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, label));
    let mut is_entered = line.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let mut is_closed = false;
    ui.horizontal_wrapped(|ui| {
        is_entered |= widgets::button(ui, tr("ask.yes-play")).clicked();
        is_closed = widgets::button(ui, tr("popup.close")).clicked();
    });
    if ui.memory(|memory| memory.focused().is_none()) && !is_entered {
        line.request_focus();
    }
    let text = typed.trim();
    if is_entered && !text.is_empty() {
        actions.push(GameAction::TypeMove(with_dashes(text)).into());
    }
    is_entered || is_closed
}

/// Squares that are typed without anything between them get the dash that they have in
/// records: `c5c8` means `c5-c8`.
fn with_dashes(text: &str) -> String {
    let mut letters = text.chars().peekable();
    let mut dashed = String::new();
    while let Some(letter) = letters.next() {
        dashed.push(letter);
        let is_next_square = letters.peek().is_some_and(|next| ('a'..='l').contains(next));
        if letter.is_ascii_digit() && is_next_square {
            dashed.push('-');
        }
    }
    dashed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_without_a_dash_are_understood() {
        for (typed, meant) in [
            ("c5c8", "c5-c8"),
            ("c5-c8", "c5-c8"),
            ("d5d4xe4", "d5-d4xe4"),
            ("c7", "c7"),
            ("nonsense", "nonsense"),
        ] {
            assert_eq!(with_dashes(typed), meant);
        }
    }
}
