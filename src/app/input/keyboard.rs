//! Keys become actions, by the player's key bindings.
//!
//! Where frames are slow, a whole chord or a part of one falls into a single
//! frame. So each key gets the modifiers held when it was pressed, not those
//! held at the end of the frame.

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key, KeyboardFocusLost, KeyboardInput, NativeKey},
    },
    prelude::*,
};
use bevy_egui::input::EguiWantsInput;

use crate::{
    app::{
        core::{
            actions::{Action, Direction, GameAction},
            states::{PanelsHidden, Screen, UiFocus},
        },
        editor::Editor,
        game::referee::Referee,
        replay::Replay,
        scene::{
            api::{BoardOrientation, Highlights, Photo},
            layout::Layout,
        },
        settings::{
            Settings,
            key_bindings::{KeyContext, KeyPress, is_letter_key},
        },
    },
    games::Square,
};

/// The keys pressed in this frame, in order, without modifiers and repeats.
#[derive(Resource, Default)]
pub(crate) struct KeyPresses(pub(crate) Vec<KeyPress>);

/// The end of Unicode's block Latin Extended-B: accented letters are Latin, too.
const LAST_LATIN_LETTER: char = '\u{24f}';

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Modifier {
    Command,
    Shift,
}

/// The modifier of a key. The layout may swap it with another key.
const fn modifier(key: &KeyboardInput) -> Option<Modifier> {
    match (&key.logical_key, key.key_code) {
        (Key::Control | Key::Super | Key::Meta, _)
        | (
            Key::Unidentified(_),
            KeyCode::ControlLeft | KeyCode::ControlRight | KeyCode::SuperLeft | KeyCode::SuperRight,
        ) => Some(Modifier::Command),
        (Key::Shift, _) | (Key::Unidentified(_), KeyCode::ShiftLeft | KeyCode::ShiftRight) => {
            Some(Modifier::Shift)
        }
        _ => None,
    }
}

pub(super) fn collect_key_presses(
    mut keys: MessageReader<KeyboardInput>,
    mut focus_losses: MessageReader<KeyboardFocusLost>,
    mut presses: ResMut<KeyPresses>,
    mut held: Local<Vec<(KeyCode, Modifier)>>,
    mut is_non_latin: Local<bool>,
) {
    presses.0.clear();
    for key in keys.read() {
        if let Key::Character(text) = &key.logical_key
            && let Some(letter) = text.chars().next().filter(|it| it.is_alphabetic())
        {
            *is_non_latin = letter > LAST_LATIN_LETTER;
        }
        match (key.state, modifier(key)) {
            (ButtonState::Released, _) => held.retain(|(code, _)| *code != key.key_code),
            (ButtonState::Pressed, _) if key.repeat => {}
            (ButtonState::Pressed, Some(modifier)) => held.push((key.key_code, modifier)),
            (ButtonState::Pressed, None) => {
                let holds = |wanted| held.iter().any(|(_, modifier)| *modifier == wanted);
                let (command, shift) = (holds(Modifier::Command), holds(Modifier::Shift));
                // A layout of other letters may type a symbol at the place of a Latin
                // letter (Greek and Hebrew Q): there, too, the place is meant.
                let by_place = *is_non_latin && is_letter_key(key.key_code);
                let unknown = Key::Unidentified(NativeKey::Unidentified);
                let logical = if by_place { &unknown } else { &key.logical_key };
                presses.0.push(KeyPress::new(key.key_code, logical, command, shift));
            }
        }
    }
    // The release of a key in another window is not reported here.
    if focus_losses.read().count() > 0 {
        held.clear();
    }
}

pub(super) fn run_key_commands(
    presses: Res<KeyPresses>,
    egui: Option<Res<EguiWantsInput>>,
    screen: Res<State<Screen>>,
    (replay, editor, referee): (Res<Replay>, Res<Editor>, Res<Referee>),
    (settings, focus): (Res<Settings>, Res<UiFocus>),
    (panels, photo): (Res<PanelsHidden>, Res<Photo>),
    mut actions: MessageWriter<Action>,
) {
    // A button that was clicked keeps the keys that press or leave it, and no
    // others. While a text field has the focus this system does not run.
    let button_has_focus = egui.is_some_and(|egui| egui.wants_keyboard_input());
    let at_table = *screen.get() == Screen::Table;
    let context = KeyContext {
        dismissible: focus.dismissible,
        panels_hidden: panels.0 && *screen.get() != Screen::Title,
        photographing: photo.0.is_some(),
        views_earlier_ply: at_table && referee.viewed_ply.is_some(),
        has_selection: at_table && (!referee.selection.is_empty() || referee.question.is_some())
            || *screen.get() == Screen::Replay && !replay.selection.is_empty(),
        replay_plies: replay.ply_count(),
        replay_speed: replay.speed,
        in_editor: *screen.get() == Screen::Editor,
        editor_pieces: [0, 1, 2].map(|number| editor.draft.piece_kinds().get(number).copied()),
        editor_other_side: Some(editor.draft.side.other()),
    };
    for press in &presses.0 {
        if button_has_focus && press.key().is_some_and(belongs_to_buttons) {
            continue;
        }
        let command =
            press.chords().find_map(|chord| settings.key_bindings.command(*screen.get(), chord));
        if let Some(command) = command {
            actions.write(command.action(&context));
        }
    }
}

/// Whether a key presses the focused button, or moves the focus away from it.
const fn belongs_to_buttons(key: KeyCode) -> bool {
    matches!(
        key,
        KeyCode::Enter
            | KeyCode::NumpadEnter
            | KeyCode::Space
            | KeyCode::ArrowLeft
            | KeyCode::ArrowRight
            | KeyCode::ArrowUp
            | KeyCode::ArrowDown
    )
}

/// Moves the cursor on the board. It first appears in the middle.
pub(super) fn move_cursor(
    mut actions: MessageReader<Action>,
    screen: Res<State<Screen>>,
    (layout, orientation): (Res<Layout>, Res<BoardOrientation>),
    mut highlights: ResMut<Highlights>,
) {
    let (files, ranks) = (layout.files, layout.ranks);
    for action in actions.read() {
        let Action::Game(GameAction::MoveCursor(direction)) = action else { continue };
        if !matches!(screen.get(), Screen::Table | Screen::Editor) {
            continue;
        }
        let on_board = highlights.cursor.filter(|at| at.file < files && at.rank < ranks);
        highlights.cursor = Some(match on_board {
            None => Square::new(files / 2, ranks / 2),
            Some(at) => neighbour(at, seen_from(*orientation, *direction), files, ranks),
        });
    }
    if screen.is_changed() && *screen.get() != Screen::Table && highlights.cursor.is_some() {
        highlights.cursor = None;
    }
}

/// A direction on the screen as one on the board, which may be seen from the far side.
const fn seen_from(orientation: BoardOrientation, direction: Direction) -> Direction {
    match (orientation, direction) {
        (BoardOrientation::Near, direction) => direction,
        (BoardOrientation::Far, Direction::Left) => Direction::Right,
        (BoardOrientation::Far, Direction::Right) => Direction::Left,
        (BoardOrientation::Far, Direction::Up) => Direction::Down,
        (BoardOrientation::Far, Direction::Down) => Direction::Up,
    }
}

/// The next square in a direction; at the board's edge, the same one.
fn neighbour(at: Square, direction: Direction, files: u8, ranks: u8) -> Square {
    let (file, rank) = (at.file, at.rank);
    match direction {
        Direction::Left => Square::new(file.saturating_sub(1), rank),
        Direction::Right => Square::new((file + 1).min(files - 1), rank),
        Direction::Up => Square::new(file, (rank + 1).min(ranks - 1)),
        Direction::Down => Square::new(file, rank.saturating_sub(1)),
    }
}

#[cfg(test)]
mod tests {
    use bevy::input::keyboard::NativeKey;

    use super::*;

    fn app() -> App {
        let mut app = App::new();
        app.add_message::<KeyboardInput>()
            .add_message::<KeyboardFocusLost>()
            .init_resource::<KeyPresses>()
            .add_systems(Update, collect_key_presses);
        app
    }

    fn send(app: &mut App, key_code: KeyCode, logical_key: Key, pressed: bool) {
        app.world_mut().write_message(KeyboardInput {
            key_code,
            logical_key,
            state: if pressed { ButtonState::Pressed } else { ButtonState::Released },
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        });
    }

    /// Each key pressed in this frame, with its chords.
    fn chords(app: &mut App) -> Vec<String> {
        app.update();
        let presses = &app.world().resource::<KeyPresses>().0;
        presses.iter().filter_map(|it| it.chords().next()).map(|it| it.to_string()).collect()
    }

    /// The chords of one frame with these keys, `true` where one is pressed.
    fn frame(app: &mut App, keys: &[(KeyCode, bool)]) -> Vec<String> {
        for &(key, pressed) in keys {
            send(app, key, Key::Unidentified(NativeKey::Unidentified), pressed);
        }
        chords(app)
    }

    #[test]
    fn a_chord_is_found_however_it_falls_into_frames() {
        use KeyCode::{ControlLeft as Control, KeyE as E};
        let mut app = app();
        let (down, press, lift, up) = ((Control, true), (E, true), (E, false), (Control, false));
        assert_eq!(frame(&mut app, &[down, press, lift, up]), ["Ctrl+E"]);
        assert!(frame(&mut app, &[down]).is_empty());
        assert_eq!(frame(&mut app, &[press, lift, up]), ["Ctrl+E"]);
        assert_eq!(frame(&mut app, &[down, press]), ["Ctrl+E"]);
        assert_eq!(frame(&mut app, &[lift, up, press, lift]), ["E"], "and then the key alone");
        frame(&mut app, &[down]);
        app.world_mut().write_message(KeyboardFocusLost);
        frame(&mut app, &[]);
        assert_eq!(frame(&mut app, &[press]), ["E"], "released in another window");
    }

    /// Greek types `;` at the place of Q, as Dvorak types `'` there.
    #[test]
    fn a_symbol_at_the_place_of_a_letter_means_the_letter_only_on_a_layout_of_other_letters() {
        let letter = |text: &str| Key::Character(text.into());
        for (before, chord) in [("α", "Ctrl+Q"), ("é", "Ctrl+;"), ("a", "Ctrl+;")] {
            let mut app = app();
            send(&mut app, KeyCode::KeyA, letter(before), true);
            send(&mut app, KeyCode::KeyA, letter(before), false);
            chords(&mut app);
            send(&mut app, KeyCode::ControlLeft, Key::Control, true);
            send(&mut app, KeyCode::KeyQ, letter(";"), true);
            assert_eq!(chords(&mut app), [chord], "{before}");
        }
    }

    #[test]
    fn shortcuts_are_the_letters_of_the_keyboard_layout() {
        let mut app = app();
        let letter = |text: &str| Key::Character(text.into());
        send(&mut app, KeyCode::ControlLeft, Key::Control, true);
        send(&mut app, KeyCode::KeyQ, letter("a"), true);
        send(&mut app, KeyCode::KeyY, letter("z"), true);
        assert_eq!(chords(&mut app), ["Ctrl+A", "Ctrl+Z"], "AZERTY, then QWERTZ");
        send(&mut app, KeyCode::ControlLeft, Key::Control, false);
        send(&mut app, KeyCode::CapsLock, Key::Control, true);
        send(&mut app, KeyCode::KeyS, letter("s"), true);
        assert_eq!(chords(&mut app), ["Ctrl+S"], "Control at the place of Caps Lock");
    }

    #[test]
    fn the_cursor_stays_on_the_board() {
        let corner = Square::new(0, 0);
        assert_eq!(neighbour(corner, Direction::Left, 9, 9), corner);
        assert_eq!(neighbour(corner, Direction::Down, 9, 9), corner);
        assert_eq!(neighbour(corner, Direction::Up, 12, 4), Square::new(0, 1));
        assert_eq!(neighbour(Square::new(11, 3), Direction::Right, 12, 4), Square::new(11, 3));
    }
}
