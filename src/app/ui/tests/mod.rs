//! The panels laid out and pressed with the keyboard, without a window.

use bevy::{ecs::schedule::SingleThreadedExecutor, prelude::*, state::app::StatesPlugin};
use bevy_egui::{
    EguiContext, EguiPrimaryContextPass, EguiUserTextures, PrimaryEguiContext,
    egui::{
        self, Context, Id, Key, RawInput, Rect,
        accesskit::{self, ActionRequest, Node, NodeId, Role, TreeId},
        pos2,
    },
};

mod canvas;
mod clocks;
mod keys;
mod offers;
mod places;
mod scenes;
mod sheets;
mod sight;
mod study;
mod words;

use super::{dialogs::files::Files, state::UiState};
use crate::{
    app::{
        analysis::Analysis,
        capture::{clipboard::PageAddress, export::ExportJobs},
        core::{
            actions::{Action, EditorAction, GameAction, ReplayAction, UiAction, ViewAction},
            states::{Dialog, Screen},
        },
        editor::Editor,
        game::referee::{Autosave, OpenedFile, Referee},
        lesson::Lesson,
        replay::Replay,
        scene::api::{Highlights, MotionStatus, ViewportInsets},
        settings::{ChangeSettings, Settings, SettingsFile},
    },
    engines::Level,
    games::{GameKind, Ply, RuleSet},
    table::{GameSession, Seat, Setup},
};

/// The smallest window the panels are made for, a usual and a large one.
const SIZES: [(f32, f32); 3] = [(900.0, 600.0), (1280.0, 720.0), (1600.0, 900.0)];
/// The smallest window at the largest text: the room there is in points.
const LARGEST_TEXT: (f32, f32) = (450.0, 300.0);

/// More widgets than any screen of the tests has.
const WIDGETS: usize = 40;

struct Panels {
    app: App,
    context: Context,
    size: (f32, f32),
    time: f64,
    /// The nodes of the last frame, for those who hear the panels.
    heard: Vec<(NodeId, Node)>,
    /// What the last widget pressed has asked for.
    asked: Vec<Action>,
    /// The settings that were asked for since they were last taken.
    changed: Vec<Settings>,
    /// What the last frame would draw, and the letters for it.
    shapes: Vec<egui::epaint::ClippedShape>,
    letters: canvas::Letters,
    /// How many pixels a point has.
    scale: f32,
}

impl Panels {
    fn new(screen: Screen, size: (f32, f32)) -> Self {
        let mut app = App::new();
        app.add_plugins(StatesPlugin)
            .add_message::<Action>()
            .add_message::<ChangeSettings>()
            .init_resource::<Referee>()
            .init_resource::<Replay>()
            .init_resource::<Analysis>()
            .init_resource::<Lesson>()
            .init_resource::<Editor>()
            .init_resource::<Autosave>()
            .init_resource::<OpenedFile>()
            .init_resource::<PageAddress>()
            .init_resource::<ExportJobs>()
            .init_resource::<Settings>()
            .init_resource::<SettingsFile>()
            .init_resource::<MotionStatus>()
            .init_resource::<Highlights>()
            .init_resource::<ViewportInsets>()
            .init_resource::<EguiUserTextures>()
            .insert_state(screen);
        super::systems(&mut app);
        // All on this thread, which may speak a language of its own.
        app.edit_schedule(EguiPrimaryContextPass, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
        let mut shared = EguiContext::default();
        let context = shared.get_mut().clone();
        app.world_mut().spawn((shared, PrimaryEguiContext));
        context.enable_accesskit();
        Self {
            app,
            context,
            size,
            time: 0.0,
            heard: Vec::new(),
            asked: Vec::new(),
            changed: Vec::new(),
            shapes: Vec::new(),
            letters: canvas::Letters::default(),
            scale: 1.0,
        }
    }

    /// One frame with these events; what the panels asked for in it.
    fn frame(&mut self, events: Vec<egui::Event>) -> Vec<Action> {
        self.time += 0.03;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_max(pos2(0.0, 0.0), self.size.into())),
            time: Some(self.time),
            events,
            ..RawInput::default()
        };
        if let Some(window) = input.viewports.get_mut(&input.viewport_id) {
            window.native_pixels_per_point = Some(self.scale);
        }
        let world = self.app.world_mut();
        let mut output = self.context.run_ui(input, |_| world.run_schedule(EguiPrimaryContextPass));
        self.letters.take(&mut output.textures_delta);
        self.shapes = output.shapes;
        if let Some(update) = output.platform_output.accesskit_update {
            self.heard = update.nodes;
        }
        let mut changes = world.resource_mut::<Messages<ChangeSettings>>();
        self.changed.extend(changes.drain().map(|it| it.0));
        world.resource_mut::<Messages<Action>>().drain().collect()
    }

    /// What is handed to a screen reader: what each thing is, and its words.
    fn heard(&mut self) -> Vec<(Role, String)> {
        self.frame(Vec::new());
        self.frame(Vec::new());
        let told = [
            Role::Window,
            Role::ScrollView,
            Role::ScrollBar,
            Role::TextRun,
            Role::GenericContainer,
            Role::Unknown,
        ];
        let nodes = self.heard.iter().filter(|(_, node)| !told.contains(&node.role()));
        nodes
            .map(|(_, node)| {
                let words = node.label().or(node.value()).unwrap_or_default();
                (node.role(), words.to_owned())
            })
            .collect()
    }

    /// Presses the widget of these words with Enter.
    fn press(&mut self, name: &str) {
        self.frame(Vec::new());
        let find = |(_, node): &&(NodeId, Node)| {
            node.role() != Role::Label
                && node
                    .label()
                    .or(node.value())
                    .is_some_and(|it| it == name || it.ends_with(&format!(": {name}")))
        };
        let Some((target, _)) = self.heard.iter().find(find) else {
            panic!("no {name} among {:?}", self.heard)
        };
        let request = ActionRequest {
            action: accesskit::Action::Focus,
            target_tree: TreeId::ROOT,
            target_node: *target,
            data: None,
        };
        self.frame(vec![egui::Event::AccessKitActionRequest(request)]);
        self.asked = self.key(Key::Enter);
    }

    fn key(&mut self, key: Key) -> Vec<Action> {
        let event = |pressed| egui::Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: egui::Modifiers::NONE,
        };
        let mut asked = self.frame(vec![event(true)]);
        asked.extend(self.frame(vec![event(false)]));
        asked
    }

    /// Goes to each widget with Tab and presses it with Enter; what
    /// was asked for, and whether a yes or a file were asked for.
    fn press_all(&mut self) -> (Vec<Action>, [bool; 2]) {
        let (mut asked, mut opened) = (Vec::new(), [false; 2]);
        self.frame(Vec::new());
        for number in 1..=WIDGETS {
            self.context
                .memory_mut(|memory| memory.focused().map(|widget| memory.surrender_focus(widget)));
            for _ in 0..number {
                self.key(Key::Tab);
            }
            asked.extend(self.key(Key::Enter));
            let world = self.app.world_mut();
            let mut desk = world.resource_mut::<UiState>();
            opened[0] |= desk.confirm.take().is_some();
            let mut files = world.resource_mut::<Files>();
            if files.is_open() {
                opened[1] = true;
                *files = Files::default();
            }
            // A dialog keeps the keyboard to itself for a frame more.
            self.frame(Vec::new());
        }
        (asked, opened)
    }

    fn window(&self) -> Rect {
        Rect::from_min_max(pos2(0.0, 0.0), self.size.into())
    }

    /// What an eye would meet in the last frame.
    fn sight(&self) -> sight::Sight {
        let bars = self.heard.iter().filter(|(_, node)| node.role() == Role::ScrollBar);
        let bars = bars.filter_map(|(_, node)| {
            let place = node.bounds()?;
            #[expect(clippy::cast_possible_truncation, reason = "places in a window")]
            let [x0, y0, x1, y1] = [place.x0, place.y0, place.x1, place.y1].map(|it| it as f32);
            Some(Rect::from_min_max(pos2(x0, y0), pos2(x1, y1)))
        });
        sight::Sight::of(&self.shapes, self.window(), &bars.collect::<Vec<_>>())
    }

    /// The last frame, drawn.
    fn picture(&self) -> image::RgbaImage {
        canvas::draw(&self.context, self.shapes.clone(), &self.letters, self.size, self.scale)
    }

    fn place(&self, name: &str) -> Rect {
        let place = self.context.memory(|memory| memory.area_rect(Id::new(name)));
        place.unwrap_or_else(|| panic!("no panel {name}"))
    }

    fn scene(&self) -> Rect {
        let margins = self.app.world().resource::<ViewportInsets>();
        Rect::from_min_max(
            pos2(margins.left, margins.top),
            pos2(self.size.0 - margins.right, self.size.1 - margins.bottom),
        )
    }
}

/// A table of two persons after the first `plies` plies that come.
fn table(rules: RuleSet, plies: usize) -> GameSession {
    let mut table = GameSession::new(Setup { seed: Some(1), ..Setup::new(rules) });
    for _ in 0..plies {
        if table.outcome().is_some() {
            break;
        }
        let moves = table.history().legal_moves();
        let number = if plies > 20 { 7 * table.history().len() } else { 0 };
        let played = match moves.get(number % moves.len().max(1)) {
            Some(&mv) => table.play(mv).is_ok(),
            None => table.throw().is_ok(),
        };
        assert!(played);
    }
    table
}

fn at_table(rules: RuleSet, plies: usize, size: (f32, f32)) -> Panels {
    let mut panels = Panels::new(Screen::Table, size);
    panels.app.world_mut().resource_mut::<Referee>().table = Some(table(rules, plies));
    panels
}

fn in_replay(rules: RuleSet, plies: usize, at: usize, size: (f32, f32)) -> Panels {
    let mut panels = Panels::new(Screen::Replay, size);
    let mut replay = panels.app.world_mut().resource_mut::<Replay>();
    replay.record = Some(table(rules, plies).record(None));
    replay.ply = at;
    panels
}

fn asks(asked: &[Action], id: &str) -> bool {
    asked.iter().any(|act| act.id() == id)
}

/// Presses everything on a sheet; what was asked for.
fn press_sheet(panels: &mut Panels, sheet: Dialog) -> (Vec<Action>, [bool; 2]) {
    let (mut asked, mut opened) = (Vec::new(), [false; 2]);
    for number in 1..=WIDGETS {
        panels.app.world_mut().resource_mut::<UiState>().open = Some(sheet);
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        panels
            .context
            .memory_mut(|memory| memory.focused().map(|widget| memory.surrender_focus(widget)));
        for _ in 0..number {
            panels.key(Key::Tab);
        }
        let pressed = panels.key(Key::Enter);
        let shows = pressed.iter().any(|act| matches!(act, Action::Ui(UiAction::OpenDialog(_))));
        assert!(
            !shows || !pressed.contains(&Action::Ui(UiAction::CloseDialog)),
            "shut again at once: {pressed:?}"
        );
        asked.extend(pressed);
        let world = panels.app.world_mut();
        let mut desk = world.resource_mut::<UiState>();
        opened[0] |= desk.confirm.take().is_some();
        desk.open = None;
        let mut files = world.resource_mut::<Files>();
        if files.is_open() {
            opened[1] = true;
            *files = Files::default();
        }
        panels.frame(Vec::new());
    }
    (asked, opened)
}
