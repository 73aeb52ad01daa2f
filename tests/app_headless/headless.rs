//! A driver for the app without a window: sends the events of mouse, keyboard
//! and touch screen, and waits for their effect.

use std::time::{Duration, Instant};

use bevy::{
    a11y::{AccessibilityRequested, ActionRequest},
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput, NativeKey},
        mouse::{MouseButtonInput, MouseMotion, MouseScrollUnit, MouseWheel},
        touch::{TouchInput, TouchPhase},
    },
    prelude::*,
    window::{CursorMoved, PrimaryWindow, WindowEvent},
};
use bevy_egui::{EguiContext, EguiOutput, PrimaryEguiContext, egui::accesskit};
use tabulae::{
    app::{
        analysis::Analysis,
        core::{
            actions::Action,
            notice::{Notice, Notices},
            redraw::NextFrame,
            states::Screen,
        },
        game::{autosave::Autosave, opponent::EngineThinking, referee::Referee},
        headless,
        lesson::Lesson,
        replay::Replay,
        scene::{
            api::{MotionStatus, Pointed},
            components::{CastingStick, OnSquare, Piece, ThrowTarget},
        },
        settings::Settings,
    },
    games::Square,
    session::{GameSession, describe_ply_of},
};

/// The most frames to wait for; no animation takes so many.
const MAX_FRAMES: usize = 3_000;

/// The least time to wait for an engine's thread, which may be slow on a busy
/// machine. Any number of frames may pass in it.
const MIN_WAIT: Duration = Duration::from_secs(90);

/// The number of frames after which the camera has stopped.
const CAMERA_FRAMES: usize = 60;

/// The app and the position of its mouse pointer.
pub(crate) struct Headless {
    pub(crate) app: App,
    pointer: Vec2,
}

impl Headless {
    pub(crate) fn new(size: (u32, u32)) -> Self {
        Self::with_app(headless(size))
    }

    /// Drives this app.
    pub(crate) fn with_app(app: App) -> Self {
        let mut headless = Self { app, pointer: Vec2::ZERO };
        headless.frames(3);
        headless
    }

    /// Runs so many frames.
    pub(crate) fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.app.update();
        }
    }

    /// Runs frames until `done` returns true, and a few more for its effects.
    ///
    /// # Panics
    /// `done` stays false for [`MAX_FRAMES`] frames and [`MIN_WAIT`].
    pub(crate) fn wait_until(&mut self, what: &str, done: impl Fn(&World) -> bool) {
        let (start, mut frames) = (Instant::now(), 0);
        while frames < MAX_FRAMES || start.elapsed() < MIN_WAIT {
            if done(self.app.world()) {
                self.frames(3);
                return;
            }
            self.app.update();
            std::thread::yield_now();
            frames += 1;
        }
        panic!("not after {frames} frames: {what}");
    }

    /// Runs frames until nothing moves.
    pub(crate) fn settle(&mut self) {
        self.frames(3);
        self.wait_until("nothing moves", |world| !world.resource::<MotionStatus>().is_busy());
    }

    /// Runs frames until no piece moves, be it by a ply or by the hand.
    pub(crate) fn wait_for_rest(&mut self) {
        self.wait_until("no frame is due at once", |world| {
            world.resource::<NextFrame>().due() != Some(Duration::ZERO)
        });
    }

    /// Sends an action and runs a few frames.
    pub(crate) fn act(&mut self, action: impl Into<Action>) {
        self.app.world_mut().write_message(action.into());
        self.frames(3);
    }

    /// Sends an action and runs frames until nothing moves.
    pub(crate) fn perform(&mut self, action: impl Into<Action>) {
        self.act(action);
        self.settle();
    }

    /// A resource of the app.
    pub(crate) fn get<R: Resource>(&self) -> &R {
        self.app.world().resource::<R>()
    }

    /// Replaces the settings.
    pub(crate) fn change_settings(&mut self, wanted: Settings) {
        self.app.world_mut().insert_resource(wanted);
        self.frames(3);
    }

    /// Connects a screen reader.
    pub(crate) fn listen(&mut self) {
        let world = self.app.world_mut();
        world.resource::<AccessibilityRequested>().set(true);
        let mut panels = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
        panels.single_mut(world).expect("the panels").get_mut().enable_accesskit();
        self.frames(3);
    }

    /// Presses the node of the accessibility tree whose words begin so.
    ///
    /// # Panics
    /// There is none that can be pressed.
    pub(crate) fn press_node(&mut self, words: &str) {
        let world = self.app.world_mut();
        let mut outputs = world.query_filtered::<&EguiOutput, With<PrimaryEguiContext>>();
        let output = &outputs.single(world).expect("the panels").platform_output;
        let nodes = output.accesskit_update.iter().flat_map(|update| &update.nodes);
        let mut pressable =
            nodes.filter(|(_, node)| node.supports_action(accesskit::Action::Click));
        let named =
            pressable.find(|(_, node)| node.label().is_some_and(|it| it.starts_with(words)));
        let request = accesskit::ActionRequest {
            action: accesskit::Action::Click,
            target_tree: accesskit::TreeId::ROOT,
            target_node: named.unwrap_or_else(|| panic!("no node '{words}'")).0,
            data: None,
        };
        world.write_message(ActionRequest(request));
        self.frames(3);
    }

    pub(crate) fn screen(&self) -> Screen {
        *self.app.world().resource::<State<Screen>>().get()
    }

    pub(crate) fn referee(&self) -> &Referee {
        self.get::<Referee>()
    }

    /// The autosave, and the game that it saves.
    pub(crate) fn autosave(&self) -> (&Autosave, &Referee) {
        (self.get::<Autosave>(), self.referee())
    }

    /// The notice that the player sees.
    pub(crate) fn notice(&self) -> Option<&Notice> {
        self.get::<Notices>().shown.as_ref()
    }

    /// What the last ply of the game on the table did, in words.
    pub(crate) fn told(&self) -> Vec<String> {
        describe_ply_of(self.table(), self.table().history().len())
    }

    /// Whether an engine thinks about its move.
    pub(crate) fn is_engine_thinking(&self) -> bool {
        self.get::<EngineThinking>().0
    }

    pub(crate) fn replay(&self) -> &Replay {
        self.get::<Replay>()
    }

    pub(crate) fn analysis(&self) -> &Analysis {
        self.get::<Analysis>()
    }

    pub(crate) fn lesson(&self) -> &Lesson {
        self.get::<Lesson>()
    }

    /// The game on the table.
    pub(crate) fn table(&self) -> &GameSession {
        self.referee().table.as_ref().expect("a game is on the table")
    }

    /// Moves the mouse over the square and returns its position: the centre of
    /// the square, or a point beside it where a piece in front hides the centre.
    pub(crate) fn hover(&mut self, square: Square) -> Vec2 {
        const OFFSET: f32 = 0.36;
        let offsets = [(0.0, 0.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0), (1.0, -1.0), (-1.0, -1.0)];
        let centre = self.square_centre(square);
        for (x, z) in offsets {
            let at = self.project(centre + Vec3::new(x * OFFSET, 0.0, z * OFFSET));
            self.move_pointer(at);
            if self.get::<Pointed>().square == Some(square) {
                return at;
            }
        }
        panic!("no point of {square} is visible")
    }

    /// The window position of the centre of a square.
    pub(crate) fn square_position(&mut self, square: Square) -> Vec2 {
        let centre = self.square_centre(square);
        self.project(centre)
    }

    /// Whether an entity has this name.
    pub(crate) fn has_entity(&mut self, name: &str) -> bool {
        let world = self.app.world_mut();
        world.query::<&Name>().iter(world).any(|known| known.as_str() == name)
    }

    /// The place of the piece that stands for a square.
    pub(crate) fn piece_place(&mut self, square: Square) -> Vec3 {
        let world = self.app.world_mut();
        let mut pieces = world.query_filtered::<(&OnSquare, &Transform), With<Piece>>();
        let (_, place) =
            pieces.iter(world).find(|(at, _)| at.0 == square).expect("a piece on the square");
        place.translation
    }

    pub(crate) fn square_centre(&mut self, square: Square) -> Vec3 {
        let world = self.app.world_mut();
        let mut squares = world.query_filtered::<(&OnSquare, &GlobalTransform), Without<Piece>>();
        let found = squares.iter(world).find(|(on, _)| on.0 == square);
        let (_, place) = found.unwrap_or_else(|| panic!("no square {square} on the table"));
        place.translation()
    }

    /// The window position of the first stick.
    pub(crate) fn stick_position(&mut self) -> Vec2 {
        let world = self.app.world_mut();
        let stick = world
            .query_filtered::<&GlobalTransform, With<CastingStick>>()
            .iter(world)
            .map(GlobalTransform::translation)
            .next()
            .expect("sticks on the table");
        self.project(stick)
    }

    /// The window position of a point of the throw target (the light around the
    /// waiting sticks) that is as far from every stick as possible.
    pub(crate) fn throw_target_position(&mut self) -> Vec2 {
        let world = self.app.world_mut();
        let (mut lights, mut sticks) = (
            world.query_filtered::<&GlobalTransform, (With<ThrowTarget>, Without<CastingStick>)>(),
            world.query_filtered::<&GlobalTransform, With<CastingStick>>(),
        );
        let middle = lights.single(world).expect("the sticks wait").translation();
        let far = (-5..=5).map(|step| middle + Vec3::X * 0.5 * step as f32).max_by(|one, other| {
            let mut near = |at: &Vec3| {
                let all = sticks.iter(world).map(|stick| stick.translation().distance(*at));
                all.fold(f32::INFINITY, f32::min)
            };
            near(one).total_cmp(&near(other))
        });
        self.project(far.expect("a point"))
    }

    pub(crate) fn project(&mut self, at: Vec3) -> Vec2 {
        let world = self.app.world_mut();
        let (camera, place) = world
            .query_filtered::<(&Camera, &GlobalTransform), With<Camera3d>>()
            .single(world)
            .expect("one 3D camera");
        camera.world_to_viewport(place, at).expect("in view")
    }

    pub(crate) fn window(&mut self) -> Entity {
        let world = self.app.world_mut();
        world.query_filtered::<Entity, With<PrimaryWindow>>().single(world).expect("a window")
    }

    /// Sends the events of a mouse movement; returns the window.
    fn send_mouse_moved(&mut self, at: Vec2) -> Entity {
        let window = self.window();
        let moved = CursorMoved { window, position: at, delta: Some(at - self.pointer) };
        self.pointer = at;
        if let Some(mut window) = self.app.world_mut().get_mut::<Window>(window) {
            window.set_cursor_position(Some(at));
        }
        self.app.world_mut().write_message(WindowEvent::CursorMoved(moved.clone()));
        self.app.world_mut().write_message(moved);
        window
    }

    /// Moves the mouse to this window position.
    pub(crate) fn move_pointer(&mut self, at: Vec2) {
        self.send_mouse_moved(at);
        self.frames(2);
    }

    /// Presses or releases a button of the mouse.
    pub(crate) fn button(&mut self, button: MouseButton, state: ButtonState) {
        let window = self.window();
        let pressed = MouseButtonInput { button, state, window };
        self.app.world_mut().write_message(WindowEvent::MouseButtonInput(pressed));
        self.app.world_mut().write_message(pressed);
        self.frames(2);
    }

    /// Moves the mouse there and clicks with this button.
    pub(crate) fn click_at(&mut self, at: Vec2, button: MouseButton) {
        self.move_pointer(at);
        self.button(button, ButtonState::Pressed);
        self.button(button, ButtonState::Released);
    }

    /// Moves the mouse there and clicks within one frame, as happens at a low
    /// frame rate.
    pub(crate) fn click_within_a_frame(&mut self, at: Vec2) {
        let window = self.send_mouse_moved(at);
        for state in [ButtonState::Pressed, ButtonState::Released] {
            let pressed = MouseButtonInput { button: MouseButton::Left, state, window };
            self.app.world_mut().write_message(WindowEvent::MouseButtonInput(pressed));
            self.app.world_mut().write_message(pressed);
        }
        self.frames(3);
    }

    /// Taps there within one frame.
    pub(crate) fn tap_within_a_frame(&mut self, position: Vec2) {
        let window = self.window();
        for phase in [TouchPhase::Started, TouchPhase::Ended] {
            let touch = TouchInput { phase, position, window, force: None, id: 7 };
            self.app.world_mut().write_message(WindowEvent::TouchInput(touch));
            self.app.world_mut().write_message(touch);
        }
        self.frames(3);
    }

    /// Clicks on squares, one after the other.
    pub(crate) fn click(&mut self, squares: &str) {
        for square in squares.split_whitespace() {
            let at = self.hover(square.parse().expect("a square"));
            self.click_at(at, MouseButton::Left);
        }
    }

    /// Clicks on squares, and waits after each until nothing moves.
    pub(crate) fn play(&mut self, squares: &str) {
        for square in squares.split_whitespace() {
            self.click(square);
            self.settle();
        }
    }

    /// Presses and releases a key.
    pub(crate) fn press_key(&mut self, key: KeyCode) {
        for state in [ButtonState::Pressed, ButtonState::Released] {
            self.send_key(key, state);
            self.frames(2);
        }
    }

    /// Presses and releases keys, one after the other, within one frame.
    pub(crate) fn press_keys_within_a_frame(&mut self, keys: &[KeyCode]) {
        for key in keys {
            self.send_key(*key, ButtonState::Pressed);
            self.send_key(*key, ButtonState::Released);
        }
        self.frames(3);
    }

    /// Sends the event of a key.
    pub(crate) fn send_key(&mut self, key_code: KeyCode, state: ButtonState) {
        let input = KeyboardInput {
            key_code,
            logical_key: Key::Unidentified(NativeKey::Unidentified),
            state,
            text: None,
            repeat: false,
            window: self.window(),
        };
        self.app.world_mut().write_message(WindowEvent::KeyboardInput(input.clone()));
        self.app.world_mut().write_message(input);
    }

    /// Drags by so many pixels with this button.
    pub(crate) fn drag_by(&mut self, button: MouseButton, delta: Vec2) {
        self.button(button, ButtonState::Pressed);
        self.app.world_mut().write_message(MouseMotion { delta });
        self.move_pointer(self.pointer + delta);
        self.button(button, ButtonState::Released);
        self.frames(CAMERA_FRAMES);
    }

    /// Sends a touch event of one finger.
    pub(crate) fn touch(&mut self, id: u64, phase: TouchPhase, position: Vec2) {
        let window = self.window();
        let touch = TouchInput { phase, position, window, force: None, id };
        self.app.world_mut().write_message(WindowEvent::TouchInput(touch));
        self.app.world_mut().write_message(touch);
        self.frames(2);
    }

    /// Taps on squares, one after the other.
    pub(crate) fn tap(&mut self, squares: &str) {
        for (id, square) in squares.split_whitespace().enumerate() {
            let at = self.square_position(square.parse().expect("a square"));
            self.touch(id as u64, TouchPhase::Started, at);
            self.touch(id as u64, TouchPhase::Ended, at);
        }
    }

    /// Moves two fingers from these window positions to those.
    pub(crate) fn two_fingers(&mut self, from: [Vec2; 2], to: [Vec2; 2]) {
        for (id, at) in (0..).zip(from) {
            self.touch(id, TouchPhase::Started, at);
        }
        for part in [0.25, 0.5, 0.75, 1.0] {
            for (id, (from, to)) in (0..).zip(from.into_iter().zip(to)) {
                self.touch(id, TouchPhase::Moved, from.lerp(to, part));
            }
        }
        for (id, at) in (0..).zip(to) {
            self.touch(id, TouchPhase::Ended, at);
        }
        self.frames(CAMERA_FRAMES);
    }

    /// Turns the wheel by so many notches.
    pub(crate) fn wheel(&mut self, notches: f32) {
        let window = self.window();
        self.app.world_mut().write_message(MouseWheel {
            unit: MouseScrollUnit::Line,
            x: 0.0,
            y: notches,
            window,
            phase: TouchPhase::Moved,
        });
        self.frames(CAMERA_FRAMES);
    }

    /// The position of the camera, once it has stopped.
    pub(crate) fn camera_position(&mut self) -> Vec3 {
        self.frames(CAMERA_FRAMES);
        let world = self.app.world_mut();
        let mut cameras = world.query_filtered::<&GlobalTransform, With<Camera3d>>();
        cameras.single(world).expect("one 3D camera").translation()
    }

    /// Drags from one square to another with the left button.
    pub(crate) fn drag(&mut self, from: &str, to: &str) {
        self.drag_with(MouseButton::Left, from, to);
    }

    /// Drags from one square to another with this button.
    pub(crate) fn drag_with(&mut self, button: MouseButton, from: &str, to: &str) {
        let to = self.hover(to.parse().expect("a square"));
        let from = self.hover(from.parse().expect("a square"));
        self.move_pointer(from);
        self.button(button, ButtonState::Pressed);
        self.move_pointer(from.lerp(to, 0.5));
        self.move_pointer(to);
        self.button(button, ButtonState::Released);
    }
}
