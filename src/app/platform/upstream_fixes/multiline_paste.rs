//! Pasting several lines into a text field of one line joins them.
//!
//! Outside the browser `bevy_egui` 0.42 sends pasted text as `Event::Text`
//! (`write_keyboard_input_messages_system`), and egui joins the lines of
//! `Event::Paste` only. No upstream issue is known. Delete this file when
//! `bevy_egui` sends `Event::Paste` on every platform.

use bevy::prelude::*;
use bevy_egui::{EguiInput, EguiPreUpdateSet, egui::Event};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        mark_pastes.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass),
    );
}

/// Typed text has no line breaks, so text that has some was pasted.
fn mark_pastes(mut inputs: Query<&mut EguiInput>) {
    for mut input in &mut inputs {
        for event in &mut input.events {
            if let Event::Text(text) = event
                && text.contains(['\r', '\n'])
            {
                *event = Event::Paste(std::mem::take(text));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::RawInput;

    use super::*;

    #[test]
    fn text_of_several_lines_becomes_a_paste_event() {
        let mut app = App::new();
        app.add_systems(PreUpdate, mark_pastes);
        let events =
            ["a", "[Rules \"tablaaza\"]\r\n\r\nb6"].map(|text| Event::Text(text.to_owned())).into();
        let input = EguiInput(RawInput { events, ..RawInput::default() });
        let entity = app.world_mut().spawn(input).id();
        app.update();
        let input = app.world().get::<EguiInput>(entity).expect("there");
        let [Event::Text(typed), Event::Paste(pasted)] = &input.events[..] else {
            panic!("{:?}", input.events)
        };
        assert_eq!((typed.as_str(), pasted.as_str()), ("a", "[Rules \"tablaaza\"]\r\n\r\nb6"));
    }
}
