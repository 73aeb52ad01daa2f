//! The title screen: which game, by which rules, who plays.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts, EguiPrimaryContextPass,
    egui::{
        Button, Color32, Context, CornerRadius, CursorIcon, FontId, Frame, LayerId, Margin, Mesh,
        Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, pos2, vec2,
    },
};

use super::new_game;
use crate::{
    app::{
        commands::Command,
        core::{
            actions::{Action, GameAction, UiAction},
            schedule::AppSet,
            states::{Dialog, Screen},
        },
        game::{
            demonstration::Demonstration,
            referee::{GameResults, Referee},
        },
        input::CommandState,
        scene::api::ViewportInsets,
        settings::{ChangeSettings, Engines, NewGameChoice, Settings},
        ui::{
            UiSet,
            dialogs::confirmation::Confirmation,
            dock::{Dock, reserve_insets},
            game_texts,
            theme::{
                self, ACCENT, BODY, CARD, CARD_HOVERED, CONTROL_RADIUS, DISPLAY, MUTED,
                PRIMARY_HEIGHT, SMALL, TEXT, TITLE, space,
            },
            widgets::{
                self, board_picture,
                command::CommandUi,
                icons::{self, Icon},
            },
        },
    },
    games::{RuleSet, Side, Turn},
    i18n::{tr, tr_args},
    session::{GameSession, Seat, headline, lesson_steps, player_label, rules_label, side_label},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<SelectedGame>()
        .init_resource::<TitleScreen>()
        .add_systems(Startup, load_choice)
        .add_systems(
            Update,
            save_choice.run_if(resource_changed::<SelectedGame>).in_set(AppSet::Report),
        )
        .add_systems(
            EguiPrimaryContextPass,
            show.run_if(in_state(Screen::Title)).in_set(UiSet::Screens),
        );
}

/// What is chosen for the next game.
#[derive(Resource, Clone, Debug, Default, PartialEq, Deref, DerefMut)]
pub(crate) struct SelectedGame(pub(crate) NewGameChoice);

/// What the title screen remembers.
#[derive(Resource, Debug, Default)]
struct TitleScreen {
    /// The game that it offers to continue.
    game: Option<GameInProgress>,
    /// For how many more frames the Play button takes the focus where nothing
    /// has it: large text is laid out in the second frame.
    focus_frames: u8,
}

/// A game on the table.
#[derive(Clone, Debug)]
struct GameInProgress {
    rules: RuleSet,
    is_over: bool,
    /// Who plays, how far it is, and whose turn it is.
    state: String,
}

impl GameInProgress {
    fn of(table: &GameSession) -> Self {
        let number = table.history().move_number(table.history().len()).max(1).to_string();
        let moves = tr_args("title.move-number", &[("number", &number)]);
        let round = table.match_standing().map_or_else(String::new, |standing| {
            let (round, games) = (standing.round.to_string(), standing.games.to_string());
            tr_args("match.round", &[("round", &round), ("games", &games)])
        });
        let state = if table.outcome().is_some() { String::new() } else { moves };
        let parts = [opponent(table), round, state, turn(table)];
        let parts = parts.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>();
        let is_over = table.outcome().is_some() && !table.awaits_next_game();
        Self { rules: table.rules(), is_over, state: parts.join(" · ") }
    }
}

/// Against whom a person plays, or the two persons.
fn opponent(table: &GameSession) -> String {
    let [first, second] = table.person_names();
    let are_persons = table.seats().iter().all(|seat| !seat.is_computer());
    if are_persons && !first.is_empty() && !second.is_empty() {
        return tr_args("title.name-and-name", &[("first", &first), ("second", &second)]);
    }
    let is_engine = |side: &Side| table.seats()[side.index()].is_computer();
    let engines = Side::BOTH.into_iter().filter(is_engine);
    let names: Vec<String> = engines.map(|side| player_label(table, side)).collect();
    match &names[..] {
        [name] => tr_args("title.against", &[("opponent", name)]),
        [_, _] => tr("title.watch").to_owned(),
        _ => tr("title.two-players").to_owned(),
    }
}

/// Whose turn it is, or how the game ended.
fn turn(table: &GameSession) -> String {
    if let Some(headline) = headline(table) {
        return headline;
    }
    let persons = table.seats().iter().filter(|seat| **seat == Seat::Person).count();
    if persons == 1 && (table.person_moves() || table.person_throws()) {
        return tr("title.your-turn").to_owned();
    }
    let side = table.turn().and_then(Turn::side);
    side.map_or_else(String::new, |side| {
        tr_args("title.turn-of", &[("side", side_label(table.rules(), side))])
    })
}

fn load_choice(mut choice: ResMut<SelectedGame>, settings: Res<Settings>) {
    choice.0 = settings.new_game.clone();
}

/// Writes what is chosen to the settings, for the next run.
fn save_choice(
    choice: Res<SelectedGame>,
    settings: Res<Settings>,
    mut changes: MessageWriter<ChangeSettings>,
) {
    if choice.0 != settings.new_game {
        let wanted = Settings { new_game: choice.0.clone(), ..settings.clone() };
        changes.write(ChangeSettings { known: settings.clone(), wanted });
    }
}

fn show(
    mut contexts: EguiContexts,
    mut title: ResMut<TitleScreen>,
    mut choice: ResMut<SelectedGame>,
    (mut confirmation, state): (ResMut<Confirmation>, CommandState),
    (referee, results): (Res<Referee>, Res<GameResults>),
    (settings, engines): (Res<Settings>, Res<Engines>),
    (screen, next): (Res<State<Screen>>, Res<NextState<Screen>>),
    mut demonstration: ResMut<Demonstration>,
    mut insets: ResMut<ViewportInsets>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if screen.is_changed() {
        title.focus_frames = 4;
    }
    // A game that begins in this frame is no game to continue.
    if matches!(*next, NextState::Unchanged) {
        title.game = referee.table.as_ref().map(GameInProgress::of);
    }
    let layout = TitleLayout::new(Dock::new(context));
    reserve_insets(context, &mut insets, layout.insets);
    layout.paint_ground(context);
    let mut commands = CommandUi::new(&state, &settings);
    commands.context.rules = choice.rules;
    let mut page = Title {
        state: &mut title,
        choice: &mut choice,
        confirmation: &mut confirmation,
        referee: &referee,
        results: &results,
        settings: &settings,
        engines: &engines,
        commands: &mut commands,
    };
    let frame = Frame::new().inner_margin(layout.margin);
    widgets::panel(context, "title", layout.panel, frame, |ui| page.content(ui, &layout));
    if demonstration.rules != Some(choice.rules) {
        demonstration.rules = Some(choice.rules);
    }
    actions.write_batch(commands.requested);
}

/// Where the choices stand, beside the board or in place of it.
struct TitleLayout {
    window: Rect,
    panel: Rect,
    insets: ViewportInsets,
    margin: Margin,
    /// Whether there is no room for the board beside the choices.
    is_narrow: bool,
    /// Whether the name is written large.
    is_high: bool,
}

impl TitleLayout {
    fn new(mut dock: Dock) -> Self {
        let window = dock.window();
        let is_narrow = window.width() < NARROW;
        let width = if is_narrow {
            window.width()
        } else {
            (window.width() * PANEL_SHARE).clamp(MIN_PANEL, MAX_PANEL)
        };
        let is_high = new_game::is_high(window);
        let (x, y) = match (is_narrow, is_high) {
            (true, _) => (12, 8),
            (false, true) => (40, 24),
            (false, false) => (24, 16),
        };
        let panel = dock.left(width);
        // In a narrow window the board is behind the choices.
        let insets = if is_narrow { ViewportInsets::default() } else { dock.insets() };
        Self { window, panel, insets, margin: Margin::symmetric(x, y), is_narrow, is_high }
    }

    /// Darkens what is under the choices, fading out towards the board.
    fn paint_ground(&self, context: &Context) {
        let dark = theme::title_ground();
        let painter = context.layer_painter(LayerId::background());
        if self.is_narrow {
            painter.rect_filled(self.window, 0, dark);
            return;
        }
        let mut mesh = Mesh::default();
        let edges = [self.window.left(), self.panel.right() - space(6), self.panel.right() + FADE];
        for (index, x) in edges.into_iter().enumerate() {
            let color = if index == 2 { Color32::TRANSPARENT } else { dark };
            mesh.colored_vertex(pos2(x, self.window.top()), color);
            mesh.colored_vertex(pos2(x, self.window.bottom()), color);
        }
        for corner in [0, 2] {
            mesh.add_triangle(corner, corner + 1, corner + 2);
            mesh.add_triangle(corner + 1, corner + 2, corner + 3);
        }
        painter.add(mesh);
    }
}

/// In narrower windows the choices stand in place of the board.
const NARROW: f32 = 700.0;
/// The share of the window's width that the choices take, and its limits.
const PANEL_SHARE: f32 = 0.34;
const MIN_PANEL: f32 = 424.0;
const MAX_PANEL: f32 = 560.0;
/// How far the dark ground reaches over the board while it fades.
const FADE: f32 = space(24);

/// What the parts of the screen read and write.
struct Title<'a, 'b> {
    state: &'a mut TitleScreen,
    choice: &'a mut NewGameChoice,
    confirmation: &'a mut Confirmation,
    referee: &'a Referee,
    results: &'a GameResults,
    settings: &'a Settings,
    engines: &'a Engines,
    commands: &'a mut CommandUi<'b>,
}

impl Title<'_, '_> {
    fn content(&mut self, ui: &mut Ui, layout: &TitleLayout) {
        ui.spacing_mut().item_spacing = vec2(space(2), space(2));
        if layout.is_narrow {
            self.narrow(ui);
        } else {
            self.wide(ui, layout);
        }
    }

    /// Everything is scrolled; the games come first, then Play.
    fn narrow(&mut self, ui: &mut Ui) {
        let height = ui.available_height();
        widgets::scroll_area(ui, "title-scroll", height, |ui| {
            ui.horizontal(|ui| {
                name(ui, DISPLAY);
                widgets::wrapped(ui, tr("title.line"), SMALL, MUTED);
            });
            new_game::games(ui, self.choice);
            ui.horizontal(|ui| self.play_buttons(ui));
            self.continue_card(ui);
            self.choices(ui);
            self.links(ui);
        });
    }

    /// The choices are scrolled; the buttons are always in sight.
    fn wide(&mut self, ui: &mut Ui, layout: &TitleLayout) {
        if layout.is_high {
            name(ui, TITLE);
            widgets::wrapped(ui, tr("title.line"), SMALL, MUTED);
            ui.add_space(space(1));
        } else {
            name(ui, DISPLAY);
        }
        // Screen readers and the Tab key come to the buttons after the choices.
        let links = widgets::link_columns_height(ui, LINK_COLUMNS, &self.link_names());
        let gap = ui.spacing().item_spacing.y;
        let foot = PRIMARY_HEIGHT + links + space(3) + 3.0 * gap;
        let height = ui.available_height() - foot;
        widgets::scroll_area(ui, "title-scroll", height, |ui| {
            self.continue_card(ui);
            new_game::heading(ui, tr("title.game"));
            new_game::games(ui, self.choice);
            self.choices(ui);
            ui.set_min_height(height);
        });
        ui.add_space(space(2));
        ui.horizontal(|ui| self.play_buttons(ui));
        ui.add_space(space(1));
        self.links(ui);
    }

    fn choices(&mut self, ui: &mut Ui) {
        new_game::rule_sets(ui, self.choice);
        let requested = &mut self.commands.requested;
        new_game::opponent(ui, self.choice, self.results, self.engines, requested);
        let is_online = self.choice.is_online();
        if self.choice.rules.has_sticks() && !is_online {
            new_game::sticks(ui, self.choice);
        }
        new_game::clock(ui, self.choice);
        // Online, a rematch follows by agreement.
        if !is_online {
            new_game::games_count(ui, self.choice);
        }
    }

    /// Back to the game on the table.
    fn continue_card(&mut self, ui: &mut Ui) {
        let Some(GameInProgress { rules, is_over, state }) = &self.state.game else { return };
        let key = if *is_over { "title.back-to" } else { "title.continue" };
        let text = tr_args(key, &[("game", game_texts::name(rules.game()))]);
        let size = vec2(ui.available_width(), CARD_HEIGHT);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let label = tr_args("keys.of", &[("command", &text), ("key", state)]);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
        let is_lit = response.hovered() || response.has_focus();
        let fill = if is_lit { CARD_HOVERED } else { CARD };
        let line = Stroke::new(1.0, ACCENT);
        ui.painter().rect(rect, CONTROL_RADIUS, fill, line, StrokeKind::Inside);
        let inner = rect.shrink(space(2));
        let picture = inner.with_max_x(inner.left() + inner.height() * board_picture::ASPECT);
        board_picture::paint(ui, picture, rules.game(), CornerRadius::same(CONTROL_RADIUS / 2));
        let arrow = inner.right_center() - vec2(space(3), 0.0);
        icons::paint(ui.painter(), Icon::Open, arrow, TEXT);
        let texts = inner.with_min_x(picture.right() + space(3)).with_max_x(arrow.x - space(3));
        let lines = [
            (text, theme::strong(ui.ctx(), BODY), TEXT),
            (state.clone(), FontId::proportional(SMALL), MUTED),
        ];
        let galleys =
            lines.map(|(text, font, color)| ui.painter().layout(text, font, color, texts.width()));
        let mut top = texts.center().y - galleys.iter().map(|it| it.size().y).sum::<f32>() / 2.0;
        for galley in galleys {
            let height = galley.size().y;
            ui.painter().galley(pos2(texts.left(), top), galley, TEXT);
            top += height;
        }
        let response = response.on_hover_cursor(CursorIcon::PointingHand);
        if response.on_hover_text(rules_label(*rules)).clicked() {
            self.commands.requested.push(UiAction::ShowTable.into());
        }
    }

    /// Play, and the lesson of the game that is chosen.
    fn play_buttons(&mut self, ui: &mut Ui) {
        let game = self.choice.rules.game();
        let learn = tr_args("title.learn", &[("game", game_texts::name(game))]);
        let beside = widgets::buttons_width(ui, &[&learn]) + space(1);
        let width = (ui.available_width() - beside).clamp(MIN_PLAY, MAX_PLAY);
        let text = tr(if self.choice.is_online() { "title.invite" } else { "title.play" });
        let play = widgets::primary_button(ui, text, vec2(width, PRIMARY_HEIGHT));
        // Enter plays at once.
        if self.state.focus_frames > 0 {
            self.state.focus_frames -= 1;
            if ui.memory(|memory| memory.focused().is_none()) {
                play.request_focus();
            }
        }
        if play.clicked() {
            if self.choice.is_online() {
                self.commands.requested.push(UiAction::OpenDialog(Dialog::Online).into());
            } else {
                let action = GameAction::NewGame(self.choice.setup());
                let requested = &mut self.commands.requested;
                self.confirmation.guard(action, self.referee, requested);
            }
        }
        let hint = match self.settings.lessons.step(game) {
            0 => tr("title.learn-hint").to_owned(),
            step => {
                let (step, all) = ((step + 1).to_string(), lesson_steps(game).len().to_string());
                tr_args("title.learn-on", &[("step", &step), ("all", &all)])
            }
        };
        let rest = vec2(ui.available_width().min(MAX_PLAY), PRIMARY_HEIGHT);
        let learn = ui.add(Button::new(&learn).min_size(rest));
        if learn.on_hover_text(hint).clicked() {
            self.commands.requested.push(GameAction::StartLesson(game).into());
        }
    }

    /// Everything else: the saved games, records, positions, the program.
    fn links(&mut self, ui: &mut Ui) {
        let (names, links) = (self.link_names(), self.offered_links());
        let texts = names.iter().zip(&links).map(|(name, it)| (name.as_str(), it.hint()));
        let texts: Vec<_> = texts.collect();
        if let Some(clicked) = widgets::link_columns(ui, LINK_COLUMNS, &texts) {
            self.commands.request(links[clicked]);
        }
    }

    fn offered_links(&self) -> Vec<&'static Command> {
        let offered = LINKS.iter().filter(|id| self.commands.offers(id));
        offered.map(|id| Command::named(id)).collect()
    }

    fn link_names(&self) -> Vec<String> {
        let context = &self.commands.context;
        self.offered_links().into_iter().map(|it| it.text(context)).collect()
    }
}

/// The commands among the links.
const LINKS: [&str; 10] = [
    "recent",
    "history",
    "start-puzzles",
    "open",
    "analyse-record",
    "set-up",
    "settings",
    "help",
    "about",
    "quit",
];

/// In how many columns the links stand where there is room.
const LINK_COLUMNS: usize = 5;

/// The least and the greatest width of the Play button.
const MIN_PLAY: f32 = space(30);
const MAX_PLAY: f32 = space(80);
/// The height of the card of a game to continue.
const CARD_HEIGHT: f32 = space(18);

/// The name of the program.
fn name(ui: &mut Ui, size: f32) {
    let font = theme::serif(ui.ctx(), size);
    ui.label(RichText::new("Tabulae").font(font).color(TEXT));
}
