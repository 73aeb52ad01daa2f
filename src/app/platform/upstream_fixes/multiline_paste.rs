//! A text of several lines, pasted into a line of text, becomes one line.
//!
//! `bevy_egui` 0.42 hands on what is pasted as if it was typed, and egui makes
//! one line only of what it knows to be pasted.

use bevy::prelude::*;
use bevy_egui::{EguiInput, EguiPreUpdateSet, egui::Event};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        join.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass),
    );
}

fn join(mut inputs: Query<'_, '_, &mut EguiInput>) {
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
    fn what_is_pasted_is_told_from_what_is_typed() {
        let mut app = App::new();
        app.add_systems(PreUpdate, join);
        let events =
            ["a", "[Rules \"tablaaza\"]\r\n\r\nb6"].map(|it| Event::Text(it.to_owned())).into();
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
