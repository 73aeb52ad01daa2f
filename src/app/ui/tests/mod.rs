//! The panels laid out and pressed with the keyboard, without a window.

use bevy::{
    ecs::{component::Mutable, schedule::SingleThreadedExecutor},
    state::app::StatesPlugin,
};
use bevy_egui::{
    EguiContext, EguiUserTextures, PrimaryEguiContext,
    egui::{
        RawInput,
        accesskit::{self, ActionRequest, Node, NodeId, Role, TreeId},
    },
};

mod accessibility;
mod analysis;
mod clocks;
mod dialogs;
mod engines;
mod every_screen;
mod explorer;
mod history;
mod keyboard;
mod layout;
mod names;
mod offers;
mod practice;
mod rasterizer;
mod visible_text;

use super::{
    dialogs::{
        confirmation::Confirmation, files::FileChooser, history::History, position::PositionText,
        recent_games::RecentGames,
    },
    overlays::end_banner::EndBanner,
    screens::{move_list::MoveList, title::SelectedGame},
};
use crate::{
    app::{
        capture::{clipboard::PageAddress, export::ExportJobs},
        core::states::{ExportRunning, PanelsHidden},
        editor::Editor,
        game::{exercise::Attempt, files::OpenedFile},
        lesson::Lesson,
        practice::{Exercises, MistakeSearch, PracticeSession},
        settings::SettingsFile,
        ui::prelude::*,
    },
    engines::{Judgement, Score},
    games::Game,
    session::Practice,
};

/// The smallest window the panels are made for, a usual and a large one.
const SIZES: [(f32, f32); 3] = [(900.0, 600.0), (1280.0, 720.0), (1600.0, 900.0)];
/// The smallest window at the largest text: the room there is in points.
const LARGEST_TEXT: (f32, f32) = (450.0, 300.0);

/// More widgets than any screen of the tests has.
const WIDGETS: usize = 48;

struct TestUi {
    app: App,
    context: Context,
    size: (f32, f32),
    time: f64,
    /// The accessibility nodes of the last frame.
    nodes: Vec<(NodeId, Node)>,
    /// What the last widget pressed has requested.
    requested: Vec<Action>,
    /// The settings that were chosen since they were last taken. A frame leaves them as
    /// they were: each choice is tried with the same window.
    changed: Vec<Settings>,
    /// What the last frame would draw, and the texture with the letters.
    shapes: Vec<egui::epaint::ClippedShape>,
    atlas: rasterizer::FontAtlas,
    /// How many pixels a point has.
    scale: f32,
}

impl TestUi {
    fn new(screen: Screen, size: (f32, f32)) -> Self {
        let mut app = App::new();
        app.add_plugins(StatesPlugin)
            .add_message::<Action>()
            .add_message::<Notify>()
            .init_resource::<crate::app::settings::Engines>()
            .init_resource::<Referee>()
            .init_resource::<crate::app::core::notice::Notices>()
            .init_resource::<crate::app::game::suspended::SuspendedGame>()
            .init_resource::<crate::app::game::opponent::EngineThinking>()
            .init_resource::<crate::app::input::KeyPresses>()
            .init_resource::<crate::app::game::online::OnlineTable>()
            .init_resource::<crate::app::game::my_games::MyGames>()
            .init_resource::<Replay>()
            .init_resource::<crate::app::explorer::Explorer>()
            .init_resource::<Analysis>()
            .init_resource::<Lesson>()
            .init_resource::<PracticeSession>()
            .init_resource::<crate::app::puzzles::PuzzleTrainer>()
            .init_resource::<crate::app::game::demonstration::Demonstration>()
            .init_resource::<Editor>()
            .init_resource::<Autosave>()
            .init_resource::<OpenedFile>()
            .init_resource::<GameResults>()
            .init_resource::<PageAddress>()
            .init_resource::<ExportJobs>()
            .init_resource::<ExportRunning>()
            .init_resource::<UiFocus>()
            .init_resource::<PanelsHidden>()
            .init_resource::<Photo>()
            .init_resource::<Settings>()
            .init_resource::<SettingsFile>()
            .init_resource::<MotionStatus>()
            .init_resource::<NextFrame>()
            .init_resource::<Highlights>()
            .init_resource::<Pointed>()
            .init_resource::<crate::app::scene::api::LitCorridors>()
            .init_resource::<crate::app::scene::api::SceneReady>()
            .init_resource::<crate::app::scene::board::CurrentBoard>()
            .init_resource::<crate::app::scene::layout::BoardLayout>()
            .init_resource::<ViewportInsets>()
            .init_resource::<NearSide>()
            .init_resource::<crate::app::scene::api::CourseShown>()
            .init_resource::<EguiUserTextures>()
            .insert_state(screen);
        super::panels_plugin(&mut app);
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
            nodes: Vec::new(),
            requested: Vec::new(),
            changed: Vec::new(),
            shapes: Vec::new(),
            atlas: rasterizer::FontAtlas::default(),
            scale: 1.0,
        }
    }

    /// Runs one frame with these events; returns what the panels requested.
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
        let before = world.resource::<Settings>().clone();
        let mut output = self.context.run_ui(input, |_| world.run_schedule(EguiPrimaryContextPass));
        self.atlas.take(&mut output.textures_delta);
        self.shapes = output.shapes;
        if let Some(update) = output.platform_output.accesskit_update {
            self.nodes = update.nodes;
        }
        if *world.resource::<Settings>() != before {
            self.changed.push(std::mem::replace(&mut *world.resource_mut(), before));
        }
        world.resource_mut::<Messages<Action>>().drain().collect()
    }

    /// Opens a dialog and runs a frame.
    fn open(&mut self, dialog: Dialog) {
        self.edit::<OpenDialog>().0 = Some(dialog);
        self.frame(Vec::new());
    }

    /// Runs frames until all panels have their sizes.
    fn settle(&mut self) {
        for _ in 0..5 {
            self.frame(Vec::new());
        }
    }

    /// What a screen reader gets: the role and the label of each widget.
    fn labels(&mut self) -> Vec<(Role, String)> {
        self.frame(Vec::new());
        self.frame(Vec::new());
        let skipped = [
            Role::Window,
            Role::ScrollView,
            Role::ScrollBar,
            Role::TextRun,
            Role::GenericContainer,
            Role::Unknown,
        ];
        let nodes = self.nodes.iter().filter(|(_, node)| !skipped.contains(&node.role()));
        nodes
            .map(|(_, node)| {
                let words = node.label().or(node.value()).unwrap_or_default();
                (node.role(), words.to_owned())
            })
            .collect()
    }

    /// Presses the widget of these words with Enter.
    fn press(&mut self, name: &str) {
        self.focus(name);
        self.requested = self.key(Key::Enter);
    }

    /// Opens the list of opponents on the title and chooses one.
    fn choose_opponent(&mut self, name: &str) {
        self.frame(Vec::new());
        let opens = |(_, node): &&(NodeId, Node)| {
            let of = [crate::i18n::tr("title.opponent"), crate::i18n::tr("title.watch")];
            node.label()
                .is_some_and(|label| of.iter().any(|of| label.starts_with(&format!("{of}: "))))
        };
        let field = self.nodes.iter().find(opens).and_then(|(_, node)| node.label());
        let field = field.expect("the field of the opponent").to_owned();
        self.press(&field);
        self.press(&format!("{}: {name}", crate::i18n::tr("title.opponent")));
    }

    /// Where the widget of this name stands.
    fn place(&mut self, name: &str) -> Rect {
        self.settle();
        let named =
            |(_, node): &&(NodeId, Node)| node.role() != Role::Label && node.label() == Some(name);
        let (_, node) = self.nodes.iter().find(named).expect("a widget of this name");
        let bounds = node.bounds().expect("a place");
        #[expect(clippy::cast_possible_truncation, reason = "points of a window")]
        let [left, top, right, bottom] =
            [bounds.x0, bounds.y0, bounds.x1, bounds.y1].map(|it| it as f32);
        Rect::from_min_max(pos2(left, top), pos2(right, bottom))
    }

    /// Clicks at a place; returns what was requested.
    fn click(&mut self, pos: egui::Pos2) -> Vec<Action> {
        let button = |pressed| egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        self.frame(vec![egui::Event::PointerMoved(pos)]);
        let mut requested = self.frame(vec![button(true)]);
        requested.extend(self.frame(vec![button(false)]));
        requested
    }

    /// Gives the widget of these words the focus.
    fn focus(&mut self, name: &str) {
        self.frame(Vec::new());
        let named = |is_it: &dyn Fn(&str) -> bool| {
            let is_named = |(_, node): &&(NodeId, Node)| {
                node.role() != Role::Label && node.label().or(node.value()).is_some_and(is_it)
            };
            self.nodes.iter().find(is_named)
        };
        let exactly = named(&|label| label == name);
        let found = exactly.or_else(|| named(&|label| label.ends_with(&format!(": {name}"))));
        let Some((target, _)) = found else { panic!("no {name} among {:?}", self.nodes) };
        let request = ActionRequest {
            action: accesskit::Action::Focus,
            target_tree: TreeId::ROOT,
            target_node: *target,
            data: None,
        };
        self.frame(vec![egui::Event::AccessKitActionRequest(request)]);
    }

    fn key(&mut self, key: Key) -> Vec<Action> {
        let event = |pressed| egui::Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: egui::Modifiers::NONE,
        };
        let mut requested = self.frame(vec![event(true)]);
        requested.extend(self.frame(vec![event(false)]));
        requested
    }

    /// Goes to each widget with Tab and presses it with Enter. Returns what was
    /// requested, and whether a confirmation and a file dialog were opened.
    fn press_all(&mut self) -> (Vec<Action>, [bool; 2]) {
        let (mut requested, mut opened) = (Vec::new(), [false; 2]);
        self.frame(Vec::new());
        for number in 1..=WIDGETS {
            self.context
                .memory_mut(|memory| memory.focused().map(|widget| memory.surrender_focus(widget)));
            for _ in 0..number {
                self.key(Key::Tab);
            }
            requested.extend(self.key(Key::Enter));
            let world = self.app.world_mut();
            opened[0] |= world.resource_mut::<Confirmation>().0.take().is_some();
            let mut files = world.resource_mut::<FileChooser>();
            if files.is_open() {
                opened[1] = true;
                *files = FileChooser::default();
            }
            // A list stays open until something in it is chosen.
            egui::Popup::close_all(&self.context);
            // A dialog keeps the keyboard to itself for a frame more.
            self.frame(Vec::new());
        }
        (requested, opened)
    }

    fn edit<R: Resource<Mutability = Mutable>>(&mut self) -> Mut<'_, R> {
        self.app.world_mut().resource_mut::<R>()
    }

    fn read<R: Resource>(&self) -> &R {
        self.app.world().resource::<R>()
    }

    /// Lists the saved games as the dialog does.
    fn list_recent(&mut self, store: &crate::session::SaveStore) {
        let (games, has_more) = store.list(9);
        *self.edit::<RecentGames>() = RecentGames { games, has_more, is_stale: false };
    }

    /// Lists the unfinished games as the title does.
    fn list_unfinished(&mut self) {
        let world = self.app.world_mut();
        world.run_system_cached(super::screens::title::list_unfinished).expect("a system");
    }

    fn window(&self) -> Rect {
        Rect::from_min_max(pos2(0.0, 0.0), self.size.into())
    }

    /// The visible texts of the last frame.
    fn visible_text(&self) -> visible_text::VisibleText {
        let bars = self.nodes.iter().filter(|(_, node)| node.role() == Role::ScrollBar);
        let bars = bars.filter_map(|(_, node)| {
            let rect = node.bounds()?;
            #[expect(clippy::cast_possible_truncation, reason = "places in a window")]
            let [x0, y0, x1, y1] = [rect.x0, rect.y0, rect.x1, rect.y1].map(|edge| edge as f32);
            Some(Rect::from_min_max(pos2(x0, y0), pos2(x1, y1)))
        });
        visible_text::VisibleText::new(&self.shapes, self.window(), &bars.collect::<Vec<_>>())
    }

    /// The focus rings that the last frame would draw.
    fn focus_rings(&self) -> Vec<Rect> {
        let ring = |shape: &egui::Shape| match shape {
            egui::Shape::Rect(rect) if rect.stroke == super::theme::FOCUS_RING => Some(rect.rect),
            _ => None,
        };
        self.shapes.iter().filter_map(|shape| ring(&shape.shape)).collect()
    }

    /// Where the golden buttons of the last frame stand.
    fn golden_buttons(&self) -> Vec<Rect> {
        let mut golden = Vec::new();
        for clipped in &self.shapes {
            let egui::Shape::Rect(shape) = &clipped.shape else { continue };
            if shape.rect.contains_rect(self.window()) {
                // What lies under a dialog's backdrop cannot be pressed.
                golden.clear();
            } else if shape.fill == super::theme::ACCENT {
                golden.push(shape.rect.intersect(clipped.clip_rect));
            }
        }
        // Bars and marks are golden, too.
        golden.retain(|rect| rect.height() >= 16.0 && rect.width() >= 24.0);
        golden
    }

    /// The last frame, drawn.
    fn picture(&self) -> image::RgbaImage {
        rasterizer::draw(&self.context, self.shapes.clone(), &self.atlas, self.size, self.scale)
    }

    fn panel_rect(&self, name: &str) -> Rect {
        let rect = self.context.memory(|memory| memory.area_rect(Id::new(name)));
        rect.unwrap_or_else(|| panic!("no panel {name}"))
    }

    fn scene(&self) -> Rect {
        let insets = self.app.world().resource::<ViewportInsets>();
        Rect::from_min_max(
            pos2(insets.left, insets.top),
            pos2(self.size.0 - insets.right, self.size.1 - insets.bottom),
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

fn at_table(rules: RuleSet, plies: usize, size: (f32, f32)) -> TestUi {
    let mut ui = TestUi::new(Screen::Table, size);
    ui.edit::<Referee>().table = Some(table(rules, plies));
    ui
}

fn in_replay(rules: RuleSet, plies: usize, at: usize, size: (f32, f32)) -> TestUi {
    let mut ui = TestUi::new(Screen::Replay, size);
    let mut replay = ui.edit::<Replay>();
    let _ = replay.open(table(rules, plies).record(None), String::new());
    let _ = replay.jump(at);
    ui
}

/// A judgement that the last move of the game on the table is a blunder.
fn judged_last_move(ui: &TestUi) -> Judgement {
    let table = ui.read::<Referee>().table.as_ref().expect("a game");
    let history = table.history();
    let moves = (1..=history.len()).rev().filter_map(|ply| match history.ply(ply) {
        Some(Ply::Move(mv)) => Some((ply, mv)),
        Some(Ply::Throw(_)) | None => None,
    });
    let mut found = moves.filter_map(|(ply, played)| {
        let before = history.at(ply - 1)?.clone();
        let best = before.legal_moves().into_iter().find(|mv| *mv != played)?;
        let mut after = before;
        after.play(played).ok()?;
        let reply = after.legal_moves().first().copied();
        let (best_score, played_score) = (Score::Points(120), Score::Points(-140));
        let exact = false;
        Some(Judgement { played, best, best_score, played_score, reply, loss: 0.4, exact })
    });
    found.next().expect("a choice")
}

/// Shows the practice on the last move of the game on the table, with `at` what
/// happens on the board; without, the analysis before it.
fn practise(ui: &mut TestUi, at: Option<fn(Judgement) -> Attempt>) {
    let judgement = judged_last_move(ui);
    let mut referee = ui.edit::<Referee>();
    referee.on_table = OnTable::Practice;
    let history = referee.table.as_ref().map(|table| table.history().clone()).expect("a game");
    let is_mistake = |ply: &usize| history.ply(*ply) == Some(Ply::Move(judgement.played));
    let ply = (1..=history.len()).rev().find(is_mistake).expect("a ply");
    let found = at.map(|_| (ply, judgement.clone()));
    let practice = Practice::new(history.clone(), found);
    let attempt = at.map_or(Attempt::Waiting, |at| at(judgement));
    referee.table = Some(GameSession::exercise(practice.before()));
    referee.locked = at.is_none();
    let search = MistakeSearch { is_analysed: at.is_some(), ..MistakeSearch::default() };
    let exercises = Exercises { practice, attempt };
    *ui.edit::<PracticeSession>() = PracticeSession::at(history, search, exercises);
}

/// Whether an action of this name is among those requested.
fn requests(requested: &[Action], name: &str) -> bool {
    requested.iter().any(|action| action.name().1 == name)
}

/// Presses everything in a dialog, like [`TestUi::press_all`].
fn press_dialog(ui: &mut TestUi, dialog: Dialog) -> (Vec<Action>, [bool; 2]) {
    let (mut requested, mut opened) = (Vec::new(), [false; 2]);
    for number in 1..=WIDGETS {
        ui.open(dialog);
        ui.frame(Vec::new());
        ui.context
            .memory_mut(|memory| memory.focused().map(|widget| memory.surrender_focus(widget)));
        for _ in 0..number {
            ui.key(Key::Tab);
        }
        let pressed = ui.key(Key::Enter);
        let shows = pressed.iter().any(|act| matches!(act, Action::Ui(UiAction::OpenDialog(_))));
        assert!(
            !shows || !pressed.contains(&Action::Ui(UiAction::CloseDialog)),
            "shut again at once: {pressed:?}"
        );
        requested.extend(pressed);
        let world = ui.app.world_mut();
        opened[0] |= world.resource_mut::<Confirmation>().0.take().is_some();
        world.resource_mut::<OpenDialog>().0 = None;
        let mut files = world.resource_mut::<FileChooser>();
        if files.is_open() {
            opened[1] = true;
            *files = FileChooser::default();
        }
        ui.frame(Vec::new());
    }
    (requested, opened)
}
