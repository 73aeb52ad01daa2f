//! The keys of a frame, each with what was held while it was pressed.
//!
//! Where frames are slow a whole chord, or half of one, falls into a single
//! frame; so they are heard in the order in which they came.

use bevy::{
    input::{
        ButtonState,
        keyboard::{KeyboardFocusLost, KeyboardInput},
    },
    prelude::*,
};

use crate::app::settings::key_bindings::Chord;

/// What was pressed in this frame, in order.
#[derive(Resource, Default)]
pub(crate) struct Chords(pub(crate) Vec<Chord>);

/// The keys that make a chord of another one.
#[derive(Default)]
pub(crate) struct Held(Vec<KeyCode>);

pub(crate) fn hear(
    mut keys: MessageReader<KeyboardInput>,
    mut lost: MessageReader<KeyboardFocusLost>,
    mut chords: ResMut<Chords>,
    mut held: Local<Held>,
) {
    chords.0.clear();
    for event in keys.read() {
        let key = event.key_code;
        match event.state {
            ButtonState::Released => held.0.retain(|it| *it != key),
            ButtonState::Pressed if event.repeat => {}
            ButtonState::Pressed if is_command(key) || is_shift(key) => held.0.push(key),
            ButtonState::Pressed => {
                let holds = |kind: fn(KeyCode) -> bool| held.0.iter().any(|it| kind(*it));
                let (command, shift) = (holds(is_command), holds(is_shift));
                chords.0.push(Chord { key, command, shift });
            }
        }
    }
    // What is let go in another window is not heard here.
    if lost.read().count() > 0 {
        held.0.clear();
    }
}

const fn is_command(key: KeyCode) -> bool {
    matches!(
        key,
        KeyCode::ControlLeft | KeyCode::ControlRight | KeyCode::SuperLeft | KeyCode::SuperRight
    )
}

const fn is_shift(key: KeyCode) -> bool {
    matches!(key, KeyCode::ShiftLeft | KeyCode::ShiftRight)
}

#[cfg(test)]
mod tests {
    use bevy::input::keyboard::{Key, NativeKey};

    use super::*;

    /// What is heard in one frame of these keys, `true` where one is pressed.
    fn frame(app: &mut App, keys: &[(KeyCode, bool)]) -> Vec<(KeyCode, bool)> {
        for &(key_code, pressed) in keys {
            app.world_mut().write_message(KeyboardInput {
                key_code,
                logical_key: Key::Unidentified(NativeKey::Unidentified),
                state: if pressed { ButtonState::Pressed } else { ButtonState::Released },
                text: None,
                repeat: false,
                window: Entity::PLACEHOLDER,
            });
        }
        app.update();
        app.world().resource::<Chords>().0.iter().map(|it| (it.key, it.command)).collect()
    }

    #[test]
    fn a_chord_is_heard_however_it_falls_into_frames() {
        use KeyCode::{ControlLeft as Control, KeyE as E};
        let mut app = App::new();
        app.add_message::<KeyboardInput>()
            .add_message::<KeyboardFocusLost>()
            .init_resource::<Chords>()
            .add_systems(Update, hear);
        let (down, press, lift, up) = ((Control, true), (E, true), (E, false), (Control, false));
        let chord = [(E, true)];
        assert_eq!(frame(&mut app, &[down, press, lift, up]), chord);
        assert_eq!(frame(&mut app, &[down]), []);
        assert_eq!(frame(&mut app, &[press, lift, up]), chord);
        assert_eq!(frame(&mut app, &[down, press]), chord);
        assert_eq!(
            frame(&mut app, &[lift, up, press, lift]),
            [(E, false)],
            "and then the key alone"
        );
        frame(&mut app, &[down]);
        app.world_mut().write_message(KeyboardFocusLost);
        frame(&mut app, &[]);
        assert_eq!(frame(&mut app, &[press]), [(E, false)], "let go elsewhere");
    }
}
