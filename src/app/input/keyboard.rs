//! Keys become actions, by the player's key bindings.
//!
//! Where frames are slow, a whole chord or a part of one falls into a single
//! frame. So each key gets the modifiers held when it was pressed, not those
//! held at the end of the frame.

use std::collections::VecDeque;

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput, NativeKey},
    },
    window::WindowEvent,
};
use bevy_egui::input::EguiWantsInput;

use super::CommandState;
use crate::app::{
    commands::{KeyPress, is_letter_key},
    core::{actions::Direction, prelude::*},
    platform::is_mac,
    scene::{
        api::{NearSide, Pointed},
        layout::BoardLayout,
    },
    settings::Settings,
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
    Alt,
    /// One whose keys belong to the system (Super) or type letters (AltGr): with it, no key
    /// is a command.
    Foreign,
}

/// The modifier of a key. The layout may swap it with another key.
fn modifier(key: &KeyboardInput) -> Option<Modifier> {
    let by_place = matches!(key.logical_key, Key::Unidentified(_));
    Some(match (&key.logical_key, key.key_code) {
        (Key::Control, _) => Modifier::Command,
        (Key::Shift, _) => Modifier::Shift,
        (Key::Alt, _) => Modifier::Alt,
        (Key::AltGraph | Key::Hyper, _) => Modifier::Foreign,
        (_, KeyCode::ControlLeft | KeyCode::ControlRight) if by_place => Modifier::Command,
        (_, KeyCode::ShiftLeft | KeyCode::ShiftRight) if by_place => Modifier::Shift,
        // With Shift, Alt is Meta on X11.
        (Key::Meta | Key::Unidentified(_), KeyCode::AltLeft | KeyCode::AltRight) => Modifier::Alt,
        (Key::Super | Key::Meta, _)
        | (Key::Unidentified(_), KeyCode::SuperLeft | KeyCode::SuperRight) => {
            if is_mac() {
                Modifier::Command
            } else {
                Modifier::Foreign
            }
        }
        _ => return None,
    })
}

pub(super) fn collect_key_presses(
    mut events: MessageReader<WindowEvent>,
    mut presses: ResMut<KeyPresses>,
    mut held: Local<Vec<(KeyCode, Modifier)>>,
    mut is_non_latin: Local<bool>,
) {
    presses.0.clear();
    for event in events.read() {
        let key = match event {
            WindowEvent::KeyboardInput(key) => key,
            // The release of a key in another window is not reported here.
            WindowEvent::WindowFocused(_) | WindowEvent::KeyboardFocusLost(_) => {
                held.clear();
                continue;
            }
            _ => continue,
        };
        if let Key::Character(text) = &key.logical_key
            && let Some(letter) = text.chars().next().filter(|symbol| symbol.is_alphabetic())
        {
            *is_non_latin = letter > LAST_LATIN_LETTER;
        }
        match (key.state, modifier(key)) {
            (ButtonState::Released, _) => held.retain(|(code, _)| *code != key.key_code),
            (ButtonState::Pressed, _) if key.repeat => {}
            (ButtonState::Pressed, Some(modifier)) => held.push((key.key_code, modifier)),
            (ButtonState::Pressed, None) => {
                let holds = |wanted| held.iter().any(|(_, modifier)| *modifier == wanted);
                if holds(Modifier::Foreign) {
                    continue;
                }
                let (command, shift) = (holds(Modifier::Command), holds(Modifier::Shift));
                // A layout of other letters may type a symbol at the place of a Latin
                // letter (Greek and Hebrew Q): there, too, the place is meant.
                let by_place = *is_non_latin && is_letter_key(key.key_code);
                let unknown = Key::Unidentified(NativeKey::Unidentified);
                let logical = if by_place { &unknown } else { &key.logical_key };
                let press = KeyPress::new(key.key_code, logical, command, shift);
                presses.0.push(press.with_alt(holds(Modifier::Alt)));
            }
        }
    }
}

pub(super) fn run_key_commands(
    presses: Res<KeyPresses>,
    egui: Option<Res<EguiWantsInput>>,
    state: CommandState,
    settings: Res<Settings>,
    focus: Res<UiFocus>,
    mut actions: MessageWriter<Action>,
    mut waiting: Local<VecDeque<KeyPress>>,
    mut next: ResMut<NextFrame>,
) {
    if focus.keyboard && !focus.menu {
        waiting.clear();
        return;
    }
    // A button that was clicked keeps the keys that press or leave it, and no
    // others. While a text field has the focus this system does not run.
    let button_has_focus = !focus.board && egui.is_some_and(|egui| egui.wants_keyboard_input());
    let context = state.context(&settings);
    waiting.extend(presses.0.iter().cloned());
    let (mut has_acted, mut may_be_elsewhere) = (false, false);
    while let Some(press) = waiting.pop_front() {
        if may_be_elsewhere {
            waiting.push_front(press);
            next.at_once();
            return;
        }
        let command =
            press.chords().find_map(|chord| settings.key_bindings.command(context.screen, chord));
        let Some(command) = command else { continue };
        if focus.menu {
            if !command.is_in_menu(&context) || !command.is_enabled(&context) {
                continue;
            }
            actions.write(UiAction::CloseDialog.into());
        } else if button_has_focus && press.key().is_some_and(belongs_to_buttons) {
            continue;
        }
        // What this key does depends on what the one before it has done.
        if has_acted && command.depends_on_context() {
            waiting.push_front(press);
            next.at_once();
            return;
        }
        let action = command.action(&context);
        may_be_elsewhere = focus.menu || may_lead_elsewhere(&action);
        actions.write(action);
        has_acted = true;
    }
}

/// Whether an action may show another screen or open a dialog, where keys are other commands
/// or none.
const fn may_lead_elsewhere(action: &Action) -> bool {
    matches!(
        action,
        Action::Ui(
            UiAction::ShowTitle
                | UiAction::ShowTable
                | UiAction::OpenDialog(_)
                | UiAction::Prompt(_)
        ) | Action::Replay(
            ReplayAction::WatchGame | ReplayAction::AnalyseGame | ReplayAction::PlayFromHere
        ) | Action::Editor(EditorAction::Enter(_) | EditorAction::Analyse | EditorAction::Leave)
            | Action::Game(
                GameAction::LearnFromMistakes
                    | GameAction::LearnFromSaved(_)
                    | GameAction::LearnFromEarlier
                    | GameAction::LeavePractice
                    | GameAction::PlayTaught
                    | GameAction::StartPuzzles(_)
                    | GameAction::NextLessonStep
            )
    )
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
    mut actions: MessageReader<GameAction>,
    screen: Res<State<Screen>>,
    (layout, near): (Res<BoardLayout>, Res<NearSide>),
    mut pointer: ResMut<Pointed>,
) {
    let (files, ranks) = (layout.files, layout.ranks);
    for action in actions.read() {
        if !matches!(screen.get(), Screen::Table | Screen::Editor) {
            continue;
        }
        let on_board = pointer.cursor.filter(|at| at.file < files && at.rank < ranks);
        pointer.cursor = Some(match (action, on_board) {
            (GameAction::PlaceCursor(at), _) if at.file < files && at.rank < ranks => *at,
            (GameAction::MoveCursor(_), None) => Square::new(files / 2, ranks / 2),
            (GameAction::MoveCursor(direction), Some(at)) => {
                neighbour(at, seen_from(near.0, *direction), files, ranks)
            }
            _ => continue,
        });
    }
    if screen.is_changed() && *screen.get() != Screen::Table && pointer.cursor.is_some() {
        pointer.cursor = None;
    }
}

/// A direction on the screen as one on the board, which may be seen from the far side.
const fn seen_from(near: Side, direction: Direction) -> Direction {
    match (near, direction) {
        (Side::First, direction) => direction,
        (Side::Second, Direction::Left) => Direction::Right,
        (Side::Second, Direction::Right) => Direction::Left,
        (Side::Second, Direction::Up) => Direction::Down,
        (Side::Second, Direction::Down) => Direction::Up,
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
    use bevy::{input::keyboard::NativeKey, window::WindowFocused};

    use super::*;

    fn app() -> App {
        let mut app = App::new();
        app.add_message::<WindowEvent>()
            .init_resource::<KeyPresses>()
            .add_systems(Update, collect_key_presses);
        app
    }

    fn send(app: &mut App, key_code: KeyCode, logical_key: Key, pressed: bool) {
        app.world_mut().write_message(WindowEvent::KeyboardInput(KeyboardInput {
            key_code,
            logical_key,
            state: if pressed { ButtonState::Pressed } else { ButtonState::Released },
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        }));
    }

    fn change_focus(app: &mut App, focused: bool) {
        let change = WindowFocused { window: Entity::PLACEHOLDER, focused };
        app.world_mut().write_message(WindowEvent::WindowFocused(change));
    }

    /// Each key pressed in this frame, with its chords.
    fn chords(app: &mut App) -> Vec<String> {
        app.update();
        let presses = &app.world().resource::<KeyPresses>().0;
        presses
            .iter()
            .filter_map(|press| press.chords().next())
            .map(|press| press.to_string())
            .collect()
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
        change_focus(&mut app, false);
        frame(&mut app, &[]);
        assert_eq!(frame(&mut app, &[press]), ["E"], "released in another window");
        frame(&mut app, &[down]);
        change_focus(&mut app, false);
        change_focus(&mut app, true);
        assert_eq!(frame(&mut app, &[press]), ["E"], "all within a frame");
    }

    #[test]
    fn alt_is_a_modifier_and_keys_of_the_system_are_no_commands() {
        use KeyCode::{AltLeft, AltRight, KeyE, ShiftLeft, SuperLeft};
        let chord = |held: &[(KeyCode, Key)]| {
            let mut app = app();
            for (code, key) in held {
                send(&mut app, *code, key.clone(), true);
            }
            send(&mut app, KeyE, Key::Character("e".into()), true);
            chords(&mut app)
        };
        let shift = (ShiftLeft, Key::Shift);
        assert_eq!(chord(&[(AltLeft, Key::Alt)]), ["Alt+E"]);
        assert_eq!(chord(&[shift, (AltLeft, Key::Meta)]), ["Alt+Shift+E"], "as X11 names it");
        assert!(chord(&[(AltRight, Key::AltGraph)]).is_empty());
        let with_super = chord(&[(SuperLeft, Key::Super)]);
        assert_eq!(with_super, if is_mac() { vec!["Ctrl+E"] } else { vec![] });
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
