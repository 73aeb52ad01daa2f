//! Text of several lines that is pasted into a single-line field becomes one
//! line.
//!
//! `bevy_egui` 0.42 reports pasted text as typed text, and egui joins the lines
//! of pasted text only (see also emilk/egui#7389).

use bevy::prelude::*;
use bevy_egui::{EguiInput, EguiPreUpdateSet, egui::Event};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        mark_as_pasted.after(EguiPreUpdateSet::ProcessInput).before(EguiPreUpdateSet::BeginPass),
    );
}

fn mark_as_pasted(mut inputs: Query<&mut EguiInput>) {
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
    fn text_of_several_lines_is_pasted_not_typed() {
        let mut app = App::new();
        app.add_systems(PreUpdate, mark_as_pasted);
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
