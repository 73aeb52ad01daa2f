//! The panels laid out and pressed with the keyboard, without a window.

use bevy::{prelude::*, state::app::StatesPlugin};
use bevy_egui::{
    EguiContext, EguiPrimaryContextPass, EguiUserTextures, PrimaryEguiContext,
    egui::{
        self, Context, Id, Key, RawInput, Rect,
        accesskit::{Action, ActionRequest, Node, NodeId, Role, TreeId},
        pos2,
    },
};

mod clocks;
mod keys;
mod places;
mod words;

use super::{desk::Desk, files::Files};
use crate::{
    app::{
        acts::{Act, Sheet},
        advice::Advice,
        editor::Editor,
        lesson::Lesson,
        referee::{Keeping, Referee},
        replay::Replay,
        settings::{Settings, SettingsFile},
        stage::{Margins, Marks, Motion, Screen},
    },
    engines::Level,
    games::{GameKind, Ply, RuleSet},
    table::{Seat, Setup, Table},
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
    asked: Vec<Act>,
}

impl Panels {
    fn new(screen: Screen, size: (f32, f32)) -> Self {
        let mut app = App::new();
        app.add_plugins(StatesPlugin)
            .add_message::<Act>()
            .init_resource::<Referee>()
            .init_resource::<Replay>()
            .init_resource::<Advice>()
            .init_resource::<Lesson>()
            .init_resource::<Editor>()
            .init_resource::<Keeping>()
            .init_resource::<Settings>()
            .init_resource::<SettingsFile>()
            .init_resource::<Motion>()
            .init_resource::<Marks>()
            .init_resource::<Margins>()
            .init_resource::<EguiUserTextures>()
            .insert_state(screen);
        super::systems(&mut app);
        let mut shared = EguiContext::default();
        let context = shared.get_mut().clone();
        app.world_mut().spawn((shared, PrimaryEguiContext));
        context.enable_accesskit();
        let (heard, asked) = (Vec::new(), Vec::new());
        Self { app, context, size, time: 0.0, heard, asked }
    }

    /// One frame with these events; what the panels asked for in it.
    fn frame(&mut self, events: Vec<egui::Event>) -> Vec<Act> {
        self.time += 0.03;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_max(pos2(0.0, 0.0), self.size.into())),
            time: Some(self.time),
            events,
            ..RawInput::default()
        };
        let world = self.app.world_mut();
        let mut output = self.context.run_ui(input, |_| world.run_schedule(EguiPrimaryContextPass));
        output.textures_delta.clear();
        if let Some(update) = output.platform_output.accesskit_update {
            self.heard = update.nodes;
        }
        world.resource_mut::<Messages<Act>>().drain().collect()
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
            action: Action::Focus,
            target_tree: TreeId::ROOT,
            target_node: *target,
            data: None,
        };
        self.frame(vec![egui::Event::AccessKitActionRequest(request)]);
        self.asked = self.key(Key::Enter);
    }

    fn key(&mut self, key: Key) -> Vec<Act> {
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
    fn press_all(&mut self) -> (Vec<Act>, [bool; 2]) {
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
            let mut desk = world.resource_mut::<Desk>();
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

    fn place(&self, name: &str) -> Rect {
        let place = self.context.memory(|memory| memory.area_rect(Id::new(name)));
        place.unwrap_or_else(|| panic!("no panel {name}"))
    }

    fn scene(&self) -> Rect {
        let margins = self.app.world().resource::<Margins>();
        Rect::from_min_max(
            pos2(margins.left, margins.top),
            pos2(self.size.0 - margins.right, self.size.1 - margins.bottom),
        )
    }
}

/// A table of two persons after the first `plies` plies that come.
fn table(rules: RuleSet, plies: usize) -> Table {
    let mut table = Table::new(Setup { seed: Some(1), ..Setup::of(rules) });
    for _ in 0..plies {
        let played = match table.line().legal_moves().first() {
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
    replay.at = at;
    panels
}

fn asks(asked: &[Act], id: &str) -> bool {
    asked.iter().any(|act| act.id() == id)
}

/// Presses everything on a sheet; what was asked for.
fn press_sheet(panels: &mut Panels, sheet: Sheet) -> (Vec<Act>, [bool; 2]) {
    let (mut asked, mut opened) = (Vec::new(), [false; 2]);
    for number in 1..=WIDGETS {
        panels.app.world_mut().resource_mut::<Desk>().open = Some(sheet);
        panels.frame(Vec::new());
        panels.frame(Vec::new());
        panels
            .context
            .memory_mut(|memory| memory.focused().map(|widget| memory.surrender_focus(widget)));
        for _ in 0..number {
            panels.key(Key::Tab);
        }
        asked.extend(panels.key(Key::Enter));
        let world = panels.app.world_mut();
        let mut desk = world.resource_mut::<Desk>();
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
