//! The app without a window, driven by the mouse's own events.

use std::time::{Duration, Instant};

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput, NativeKey},
        mouse::{MouseButtonInput, MouseMotion, MouseScrollUnit, MouseWheel},
        touch::{TouchInput, TouchPhase},
    },
    prelude::*,
    window::{CursorMoved, PrimaryWindow, WindowEvent},
};
use tabulae::{
    app::{
        core::{actions::Action, states::Screen},
        game::referee::Referee,
        headless,
        replay::Replay,
        scene::api::{Highlights, MotionStatus, OnSquare, Stick, ThrowTarget},
        settings::{ChangeSettings, Settings},
    },
    games::Square,
    table::GameSession,
};

/// More frames than anything on the table takes.
const PATIENCE: usize = 3_000;

/// Longer than an engine's thread takes to answer, whatever else runs; on a
/// fast machine any number of frames may pass in that time.
const ANSWER: Duration = Duration::from_secs(90);

/// More frames than the camera takes to ease anywhere.
const EASE: usize = 60;

/// The app, and a hand on its mouse.
pub(crate) struct Headless {
    pub(crate) app: App,
    pointer: Vec2,
}

impl Headless {
    pub(crate) fn new(size: (u32, u32)) -> Self {
        Self::over(headless(size))
    }

    /// A hand on the mouse of this app.
    pub(crate) fn over(app: App) -> Self {
        let mut headless = Self { app, pointer: Vec2::ZERO };
        headless.frames(3);
        headless
    }

    pub(crate) fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.app.update();
        }
    }

    /// Frames until `done`, and a few more for what follows from it.
    pub(crate) fn until(&mut self, what: &str, done: impl Fn(&World) -> bool) {
        let (begun, mut frames) = (Instant::now(), 0);
        while frames < PATIENCE || begun.elapsed() < ANSWER {
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

    /// Frames until nothing moves.
    pub(crate) fn settle(&mut self) {
        self.frames(3);
        self.until("nothing moves", |world| !world.resource::<MotionStatus>().is_busy());
    }

    pub(crate) fn act(&mut self, act: Action) {
        self.app.world_mut().write_message(act);
        self.frames(3);
    }

    pub(crate) fn change_settings(&mut self, settings: Settings) {
        self.app.world_mut().write_message(ChangeSettings(settings));
        self.frames(3);
    }

    pub(crate) fn screen(&self) -> Screen {
        *self.app.world().resource::<State<Screen>>().get()
    }

    pub(crate) fn referee(&self) -> &Referee {
        self.app.world().resource::<Referee>()
    }

    pub(crate) fn replay(&self) -> &Replay {
        self.app.world().resource::<Replay>()
    }

    pub(crate) fn table(&self) -> &GameSession {
        self.referee().table.as_ref().expect("a game is on the table")
    }

    /// Moves the mouse to where it touches the square: its middle, or beside it
    /// where a figure in front hides the middle.
    pub(crate) fn aim(&mut self, square: Square) -> Vec2 {
        const ASIDE: f32 = 0.36;
        let tries = [(0.0, 0.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0), (1.0, -1.0), (-1.0, -1.0)];
        let plot = self.plot(square);
        for (x, z) in tries {
            let at = self.project(plot + Vec3::new(x * ASIDE, 0.0, z * ASIDE));
            self.point(at);
            if self.app.world().resource::<Highlights>().hovered == Some(square) {
                return at;
            }
        }
        panic!("no point of {square} can be touched")
    }

    /// Where the middle of a square is in the window.
    pub(crate) fn place(&mut self, square: Square) -> Vec2 {
        let plot = self.plot(square);
        self.project(plot)
    }

    fn plot(&mut self, square: Square) -> Vec3 {
        let world = self.app.world_mut();
        world
            .query::<(&OnSquare, &GlobalTransform)>()
            .iter(world)
            .filter(|(spot, _)| spot.0 == square)
            .map(|(_, place)| place.translation())
            .min_by(|a, b| a.y.total_cmp(&b.y))
            .unwrap_or_else(|| panic!("no square {square} on the table"))
    }

    /// Where the first stick is in the window.
    pub(crate) fn stick(&mut self) -> Vec2 {
        let world = self.app.world_mut();
        let stick = world
            .query_filtered::<&GlobalTransform, With<Stick>>()
            .iter(world)
            .map(GlobalTransform::translation)
            .next()
            .expect("sticks on the table");
        self.project(stick)
    }

    /// Where the light that the sticks wait on is, far from any stick.
    pub(crate) fn light_of_the_sticks(&mut self) -> Vec2 {
        let world = self.app.world_mut();
        let (mut lights, mut sticks) = (
            world.query_filtered::<&GlobalTransform, (With<ThrowTarget>, Without<Stick>)>(),
            world.query_filtered::<&GlobalTransform, With<Stick>>(),
        );
        let middle = lights.single(world).expect("they wait").translation();
        let far = (-5..=5).map(|step| middle + Vec3::X * 0.5 * step as f32).max_by(|one, other| {
            let mut near = |at: &Vec3| {
                let all = sticks.iter(world).map(|stick| stick.translation().distance(*at));
                all.fold(f32::INFINITY, f32::min)
            };
            near(one).total_cmp(&near(other))
        });
        self.project(far.expect("a point"))
    }

    fn project(&mut self, at: Vec3) -> Vec2 {
        let world = self.app.world_mut();
        let (camera, place) = world
            .query_filtered::<(&Camera, &GlobalTransform), With<Camera3d>>()
            .single(world)
            .expect("one 3D camera");
        camera.world_to_viewport(place, at).expect("in view")
    }

    fn window(&mut self) -> Entity {
        let world = self.app.world_mut();
        world.query_filtered::<Entity, With<PrimaryWindow>>().single(world).expect("a window")
    }

    /// The mouse has moved there, in this window.
    fn moved(&mut self, at: Vec2) -> Entity {
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

    /// Moves the mouse there.
    pub(crate) fn point(&mut self, at: Vec2) {
        self.moved(at);
        self.frames(2);
    }

    fn button(&mut self, button: MouseButton, state: ButtonState) {
        let window = self.window();
        let pressed = MouseButtonInput { button, state, window };
        self.app.world_mut().write_message(WindowEvent::MouseButtonInput(pressed));
        self.app.world_mut().write_message(pressed);
        self.frames(2);
    }

    pub(crate) fn click_at(&mut self, at: Vec2, button: MouseButton) {
        self.point(at);
        self.button(button, ButtonState::Pressed);
        self.button(button, ButtonState::Released);
    }

    /// Moves the mouse there and clicks, all within one frame, as it is where
    /// frames are slow.
    pub(crate) fn click_at_once(&mut self, at: Vec2) {
        let window = self.moved(at);
        for state in [ButtonState::Pressed, ButtonState::Released] {
            let pressed = MouseButtonInput { button: MouseButton::Left, state, window };
            self.app.world_mut().write_message(WindowEvent::MouseButtonInput(pressed));
            self.app.world_mut().write_message(pressed);
        }
        self.frames(3);
    }

    /// Taps there with a finger, all within one frame.
    pub(crate) fn tap_at_once(&mut self, position: Vec2) {
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
            let at = self.aim(square.parse().expect("a square"));
            self.click_at(at, MouseButton::Left);
        }
    }

    /// Presses a key and lets it go.
    pub(crate) fn key(&mut self, key: KeyCode) {
        let window = self.window();
        for state in [ButtonState::Pressed, ButtonState::Released] {
            self.app.world_mut().write_message(KeyboardInput {
                key_code: key,
                logical_key: Key::Unidentified(NativeKey::Unidentified),
                state,
                text: None,
                repeat: false,
                window,
            });
            self.frames(2);
        }
    }

    /// Drags by so many pixels with a button held.
    pub(crate) fn drag_by(&mut self, button: MouseButton, delta: Vec2) {
        self.button(button, ButtonState::Pressed);
        self.app.world_mut().write_message(MouseMotion { delta });
        self.point(self.pointer + delta);
        self.button(button, ButtonState::Released);
        self.frames(EASE);
    }

    /// A finger comes, goes on or is lifted, there.
    pub(crate) fn finger(&mut self, id: u64, phase: TouchPhase, position: Vec2) {
        let window = self.window();
        let touch = TouchInput { phase, position, window, force: None, id };
        self.app.world_mut().write_message(WindowEvent::TouchInput(touch));
        self.app.world_mut().write_message(touch);
        self.frames(2);
    }

    /// Puts a finger on each of these squares and lifts it again.
    pub(crate) fn tap(&mut self, squares: &str) {
        for (id, square) in squares.split_whitespace().enumerate() {
            let at = self.place(square.parse().expect("a square"));
            self.finger(id as u64, TouchPhase::Started, at);
            self.finger(id as u64, TouchPhase::Ended, at);
        }
    }

    /// Two fingers go from these places to those.
    pub(crate) fn two_fingers(&mut self, from: [Vec2; 2], to: [Vec2; 2]) {
        for (id, at) in (0..).zip(from) {
            self.finger(id, TouchPhase::Started, at);
        }
        for part in [0.25, 0.5, 0.75, 1.0] {
            for (id, (from, to)) in (0..).zip(from.into_iter().zip(to)) {
                self.finger(id, TouchPhase::Moved, from.lerp(to, part));
            }
        }
        for (id, at) in (0..).zip(to) {
            self.finger(id, TouchPhase::Ended, at);
        }
        self.frames(EASE);
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
        self.frames(EASE);
    }

    /// Where the camera is.
    pub(crate) fn eye(&mut self) -> Vec3 {
        self.frames(EASE);
        let world = self.app.world_mut();
        let mut cameras = world.query_filtered::<&GlobalTransform, With<Camera3d>>();
        cameras.single(world).expect("one 3D camera").translation()
    }

    /// Presses on one square, moves to the other, lets go there.
    pub(crate) fn drag(&mut self, from: &str, to: &str) {
        let to = self.aim(to.parse().expect("a square"));
        let from = self.aim(from.parse().expect("a square"));
        self.point(from);
        self.button(MouseButton::Left, ButtonState::Pressed);
        self.point(from.lerp(to, 0.5));
        self.point(to);
        self.button(MouseButton::Left, ButtonState::Released);
    }
}
