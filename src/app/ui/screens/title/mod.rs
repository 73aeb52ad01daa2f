//! The title screen: which game, against whom, and Play. Everything else about a new game
//! is a dialog (`dialogs/new_game.rs`).

mod cards;
mod links;
pub(crate) mod opponent;
mod unfinished;

use bevy_egui::egui::Mesh;

pub(crate) use self::unfinished::list_unfinished;
use self::unfinished::{Offer, OfferCard, UnfinishedGames};
use crate::app::{
    game::demonstration::Demonstration,
    ui::{
        dialogs::{confirmation::Confirmation, recent_games::deletes_a_save},
        prelude::*,
        theme::{ON_ACCENT, PRIMARY_HEIGHT, TITLE},
        widgets::{
            self, board_picture,
            command::CommandUi,
            field::{field, field_width},
            segmented,
        },
    },
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<SelectedGame>()
        .init_resource::<TitleScreen>()
        .init_resource::<UnfinishedGames>()
        .add_systems(Startup, load_choice)
        .add_systems(
            Update,
            (
                save_choice.run_if(resource_changed::<SelectedGame>),
                list_unfinished.run_if(
                    state_changed::<Screen>
                        .or_eager(deletes_a_save)
                        .and_then(in_state(Screen::Title)),
                ),
            )
                .in_set(AppSet::Report),
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
    /// The game on the table.
    on_table: Option<OfferCard>,
    /// For how many more frames the Play button takes the focus where nothing
    /// has it: large text is laid out in the second frame.
    focus_frames: u8,
    /// Whether Play was pressed, and the board is being set up.
    is_setting_up: bool,
}

fn load_choice(mut choice: ResMut<SelectedGame>, settings: Res<Settings>) {
    choice.0 = settings.new_game.clone();
}

/// Writes what is chosen to the settings, for the next run.
fn save_choice(choice: Res<SelectedGame>, settings: ResMut<Settings>) {
    settings.map_unchanged(|settings| &mut settings.new_game).set_if_neq(choice.0.clone());
}

fn show(
    mut contexts: EguiContexts,
    mut title: ResMut<TitleScreen>,
    mut choice: ResMut<SelectedGame>,
    (mut confirmation, state): (ResMut<Confirmation>, CommandState),
    (referee, results): (Res<Referee>, Res<GameResults>),
    (mut settings, engines): (ResMut<Settings>, Res<Engines>),
    (screen, next, open): (Res<State<Screen>>, Res<NextState<Screen>>, Res<OpenDialog>),
    (unfinished, autosave): (Res<UnfinishedGames>, Res<Autosave>),
    mut demonstration: ResMut<Demonstration>,
    mut insets: ResMut<ViewportInsets>,
    mut actions: MessageWriter<Action>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if screen.is_changed() {
        title.focus_frames = 4;
        title.is_setting_up = false;
    }
    // A game that begins in this frame is no game to continue.
    if matches!(*next, NextState::Unchanged) {
        title.on_table = referee.table.as_ref().map(OfferCard::table);
    }
    if demonstration.rules != Some(choice.rules) {
        demonstration.rules = Some(choice.rules);
    }
    // The dialog of room and pieces shows them on the whole board.
    if open.0 == Some(Dialog::Look) {
        reserve_insets(context, &mut insets, ViewportInsets { left: LOOK_ROOM, ..default() });
        return;
    }
    let layout = TitleLayout::new(&Dock::new(context));
    let mut commands = CommandUi::new(&state, &settings);
    commands.context.rules = choice.rules;
    let mut offers = unfinished::cards(title.on_table.as_ref(), &unfinished, &referee, &autosave);
    let game = choice.rules.game();
    // Beside a game to go on with it is not offered.
    let goes_on = |table: &GameSession| table.outcome().is_none() && table.rules().game() == game;
    let is_begun = referee.table.as_ref().is_some_and(goes_on) || unfinished.has(game);
    if !settings.lessons.is_answered(game) && !is_begun {
        offers.push(OfferCard::lesson(choice.rules));
    }
    let mut page = Title {
        state: &mut title,
        choice: &mut choice,
        confirmation: &mut confirmation,
        referee: &referee,
        autosave: &autosave,
        results: &results,
        engines: &engines,
        commands: &mut commands,
        offers,
        no_lesson: None,
        is_alive: demonstration.is_alive,
    };
    let frame = Frame::new().inner_margin(layout.margin);
    let game = page.choice.rules.game();
    let picture =
        widgets::panel(context, "title", layout.panel, frame, |ui| page.content(ui, &layout));
    let hole = picture.filter(|_| layout.is_roomy);
    paint_ground(context, layout.window, game, hole);
    let free = hole.map_or_else(ViewportInsets::default, |hole| ViewportInsets {
        left: hole.left(),
        right: layout.window.right() - hole.right(),
        top: hole.top(),
        bottom: layout.window.bottom() - hole.bottom(),
    });
    reserve_insets(context, &mut insets, free);
    let no_lesson = page.no_lesson;
    actions.write_batch(commands.requested);
    if let Some(game) = no_lesson {
        settings.lessons.answer(game);
    }
}

/// What the dialog of room and pieces takes from the board.
const LOOK_ROOM: f32 = space(75);

/// A soft picture of the chosen game behind everything, except where the board is seen.
fn paint_ground(context: &Context, window: Rect, game: GameKind, hole: Option<Rect>) {
    let painter = context.layer_painter(LayerId::background());
    let hole = hole.unwrap_or(Rect::from_center_size(window.center(), Vec2::ZERO));
    let [above, below] = [window.with_max_y(hole.top()), window.with_min_y(hole.bottom())];
    let beside = window.with_min_y(hole.top()).with_max_y(hole.bottom());
    let parts = [above, below, beside.with_max_x(hole.left()), beside.with_min_x(hole.right())];
    let Some(texture) = board_picture::blurred(context, game) else { return };
    let mut mesh = Mesh::with_texture(texture.id());
    let share = |at: f32, from: f32, length: f32| (at - from) / length;
    for part in parts {
        let uv = |x: f32, y: f32| {
            pos2(share(x, window.left(), window.width()), share(y, window.top(), window.height()))
        };
        let uv = Rect::from_min_max(uv(part.left(), part.top()), uv(part.right(), part.bottom()));
        mesh.add_rect_with_uv(part, uv, theme::GROUND_TINT);
    }
    painter.add(mesh);
}

/// Where the parts of the screen stand.
struct TitleLayout {
    window: Rect,
    /// The part of the window with the content.
    panel: Rect,
    margin: Margin,
    /// Whether all parts have room without scrolling.
    is_roomy: bool,
    /// Whether the name is written large.
    is_high: bool,
}

impl TitleLayout {
    fn new(dock: &Dock) -> Self {
        let (window, rest) = (dock.window(), dock.rest());
        let is_roomy = rest.width() >= ROOMY.x && rest.height() >= ROOMY.y;
        let is_high = rest.height() >= HIGH;
        let margin = match (is_roomy, is_high) {
            (true, true) => Margin::symmetric(48, 20),
            (true, false) => Margin::symmetric(24, 8),
            (false, _) => Margin::symmetric(12, 8),
        };
        let size = vec2(rest.width().min(WIDEST), rest.height());
        let panel = Rect::from_center_size(rest.center(), size);
        Self { window, panel, margin, is_roomy, is_high }
    }
}

/// From this size on nothing is scrolled.
const ROOMY: Vec2 = vec2(780.0, 440.0);
/// From this height on the name is large.
const HIGH: f32 = 660.0;
/// The content is no wider.
const WIDEST: f32 = 1500.0;
/// The least space between two parts.
const LEAST_GAP: f32 = space(3);
/// The least height of a picture.
const LEAST_PICTURE: f32 = space(20);

/// What the parts of the screen read and write.
struct Title<'a, 'b> {
    state: &'a mut TitleScreen,
    choice: &'a mut NewGameChoice,
    confirmation: &'a mut Confirmation,
    referee: &'a Referee,
    autosave: &'a Autosave,
    results: &'a GameResults,
    engines: &'a Engines,
    commands: &'a mut CommandUi<'b>,
    offers: Vec<OfferCard>,
    /// The lesson that is not wanted.
    no_lesson: Option<GameKind>,
    is_alive: bool,
}

impl Title<'_, '_> {
    /// All parts; the place of the chosen game's picture.
    fn content(&mut self, ui: &mut Ui, layout: &TitleLayout) -> Option<Rect> {
        ui.spacing_mut().item_spacing = vec2(space(2), space(2));
        if layout.is_roomy {
            return self.roomy(ui, layout);
        }
        let height = ui.available_height();
        widgets::scroll_area(ui, "title-scroll", height, |ui| {
            name(ui, DISPLAY, self.choice.rules.game());
            cards::cards(ui, self.choice, f32::INFINITY, false);
            self.fields(ui);
            self.offers(ui, 1);
            links::show(ui, self.commands);
        });
        None
    }

    /// Everything in sight: what is left of the height stands between the parts.
    fn roomy(&mut self, ui: &mut Ui, layout: &TitleLayout) -> Option<Rect> {
        ui.spacing_mut().item_spacing.y = 0.0;
        let (top, height, width) = (ui.cursor().top(), ui.available_height(), ui.available_width());
        name(ui, if layout.is_high { TITLE } else { DISPLAY }, self.choice.rules.game());
        let head = ui.cursor().top() - top;
        let below = self.fields_height(ui) + links::HEIGHT;
        let free = height - head - below - 3.0 * LEAST_GAP;
        let most = free - cards::cards_height(width, 0.0);
        let most = most.max(LEAST_PICTURE);
        let spare = (free - cards::cards_height(width, most)).max(0.0);
        let gap = LEAST_GAP + spare / 4.0;
        ui.add_space(gap);
        let picture = cards::cards(ui, self.choice, most, self.is_alive);
        ui.add_space(gap);
        self.fields(ui);
        ui.add_space(gap);
        let links_width = links::width(ui, self.commands).min(width);
        ui.horizontal_top(|ui| {
            let room = width - links_width - space(4);
            if !self.offers.is_empty() {
                let size = vec2(room, links::HEIGHT);
                let layout = Layout::top_down(Align::Min);
                ui.allocate_ui_with_layout(size, layout, |ui| {
                    ui.set_min_size(size);
                    ui.spacing_mut().item_spacing = vec2(space(2), space(2));
                    self.offers(ui, if room > 2.0 * OFFER_WIDTH { 2 } else { 1 });
                });
            }
            ui.vertical(|ui| {
                ui.set_max_width(links_width);
                links::show(ui, self.commands);
            });
        });
        picture
    }

    /// The unfinished games or the lesson, in so many columns and two rows at most.
    fn offers(&mut self, ui: &mut Ui, columns: usize) {
        let offers: Vec<OfferCard> = self.offers.drain(..).take(2 * columns).collect();
        let gap = ui.spacing().item_spacing.x;
        #[expect(clippy::cast_precision_loss, reason = "one or two columns")]
        let width = (ui.available_width() + gap) / columns as f32 - gap;
        for row in offers.chunks(columns) {
            ui.horizontal(|ui| {
                for card in row {
                    if let Some(offer) = card.show(ui, width) {
                        self.follow(&offer);
                    }
                }
            });
        }
    }

    fn follow(&mut self, offer: &Offer) {
        let requested = &mut self.commands.requested;
        match offer {
            Offer::Table => requested.push(UiAction::ShowTable.into()),
            Offer::Saved(path) => {
                let action = GameAction::ResumeFile(path.clone());
                self.confirmation.guard(action, self.referee, self.autosave, requested);
            }
            Offer::Lesson(game) => requested.push(GameAction::StartLesson(*game).into()),
            Offer::NoLesson(game) => self.no_lesson = Some(*game),
        }
    }

    /// Play, the opponent, the own side, and everything else about the game.
    fn fields(&mut self, ui: &mut Ui) {
        let fields = self.field_widths(ui);
        let gap = ui.spacing().item_spacing.x;
        let widths: Vec<f32> = fields.iter().map(|(_, width)| width + gap).collect();
        let room = ui.available_width() + gap;
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = gap;
            for row in segmented::even_rows(&widths, room) {
                ui.horizontal(|ui| {
                    let row_rect = Rect::from_min_size(Pos2::ZERO, vec2(room, PRIMARY_HEIGHT));
                    let places = segmented::spread(row_rect, &widths[row.clone()]);
                    for (index, place) in row.zip(places) {
                        self.field(ui, fields[index].0, place.width() - gap);
                    }
                });
            }
        });
    }

    fn fields_height(&self, ui: &Ui) -> f32 {
        let gap = ui.spacing().item_spacing.x;
        let widths: Vec<f32> = self.field_widths(ui).iter().map(|(_, width)| width + gap).collect();
        let rows = segmented::even_rows(&widths, ui.available_width() + gap).len();
        #[expect(clippy::cast_precision_loss, reason = "a few rows")]
        let height = rows as f32 * (PRIMARY_HEIGHT + gap) - gap;
        height
    }

    /// The fields that there are, with the widths that they need.
    fn field_widths(&self, ui: &Ui) -> Vec<(TitleField, f32)> {
        let (against, opponent) = opponent::opponent_texts(self.choice, self.results);
        let mut fields = vec![
            (TitleField::Play, MIN_PLAY),
            (TitleField::Opponent, field_width(ui, against, &opponent)),
        ];
        if let Some(own) = self.choice.own_side() {
            let side = opponent::side_text(self.choice, own);
            fields.push((TitleField::Side, field_width(ui, tr("title.your-side"), &side)));
        }
        fields.push((TitleField::More, MIN_MORE));
        fields
    }

    fn field(&mut self, ui: &mut Ui, which: TitleField, width: f32) {
        let requested = &mut self.commands.requested;
        match which {
            TitleField::Play => self.play(ui, width),
            TitleField::Opponent => opponent::opponent_field(
                ui,
                width,
                self.choice,
                self.results,
                self.engines,
                requested,
            ),
            TitleField::Side => {
                if let Some(own) = self.choice.own_side() {
                    opponent::side_field(ui, width, self.choice, own);
                }
            }
            TitleField::More => {
                let text = more_text(ui, self.choice, width);
                if field(ui, width, tr("title.more"), &text).clicked() {
                    requested.push(UiAction::OpenDialog(Dialog::NewGame).into());
                }
            }
        }
    }

    fn play(&mut self, ui: &mut Ui, width: f32) {
        let is_online = self.choice.is_online();
        let key = if self.state.is_setting_up {
            tr("title.setting-up")
        } else if is_online {
            tr("title.invite")
        } else {
            tr("title.play")
        };
        let play = widgets::primary_button(ui, key, vec2(width, PRIMARY_HEIGHT));
        // Enter plays at once.
        if self.state.focus_frames > 0 {
            self.state.focus_frames -= 1;
            if ui.memory(|memory| memory.focused().is_none()) {
                play.request_focus();
            }
        }
        if !play.clicked() || self.state.is_setting_up {
            return;
        }
        let requested = &mut self.commands.requested;
        if is_online {
            requested.push(UiAction::OpenDialog(Dialog::Online).into());
            return;
        }
        let action = GameAction::NewGame(self.choice.setup());
        self.confirmation.guard(action, self.referee, self.autosave, requested);
        // The next frame comes when the board is set up: this one tells that it is.
        if !requested.is_empty() {
            self.state.is_setting_up = true;
            let font = theme::strong(ui.ctx(), theme::LARGE);
            let painter = ui.painter();
            painter.rect_filled(play.rect, theme::CONTROL_RADIUS, theme::ACCENT);
            let middle = Align2::CENTER_CENTER;
            painter.text(play.rect.center(), middle, tr("title.setting-up"), font, ON_ACCENT);
        }
    }
}

/// What stands beside Play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TitleField {
    Play,
    Opponent,
    Side,
    More,
}

/// The least width of the Play button.
const MIN_PLAY: f32 = space(38);
/// With so much room for each, the unfinished games stand in two columns.
const OFFER_WIDTH: f32 = space(64);

/// The rules, the clock and what else is not as usual, the most telling first.
fn more_parts(choice: &NewGameChoice) -> Vec<String> {
    let game = choice.rules.game();
    let sets = RuleSet::ALL.into_iter().filter(|rules| rules.game() == game).count();
    let variant = (sets > 1)
        .then(|| tr_args("title.rules-called", &[("rules", game_texts::variant(choice.rules))]));
    let clock = choice.clock.map_or_else(
        || tr("title.without-clock").to_owned(),
        |clock| tr_args("title.with-clock", &[("clock", &game_texts::clock(clock))]),
    );
    let games = (choice.games > 1 && !choice.is_online())
        .then(|| tr_args("title.match-of", &[("games", &choice.games.to_string())]));
    variant.into_iter().chain([clock]).chain(games).collect()
}

/// As many of the parts as have room in a field of this width.
fn more_text(ui: &Ui, choice: &NewGameChoice, width: f32) -> String {
    let mut parts = more_parts(choice);
    let joined = |parts: &[String]| game_texts::sentence(&parts.join(", "));
    let fits = |text: &str| field_width(ui, "", text) <= width;
    while parts.len() > 1 && !fits(&joined(&parts)) {
        parts.pop();
    }
    joined(&parts)
}

/// The least width of the field of everything else.
const MIN_MORE: f32 = space(48);

/// The name of the program, and what the chosen game is about if that has room beside it.
fn name(ui: &mut Ui, size: f32, game: GameKind) {
    ui.horizontal(|ui| {
        let font = theme::serif(ui.ctx(), size);
        let name = ui.label(RichText::new("Tabulae").font(font).color(TEXT));
        ui.add_space(space(2));
        let about = format!("{}. {}", game_texts::kind(game), game_texts::summary(game));
        let font = FontId::proportional(SMALL);
        let about = ui.painter().layout(about, font, MUTED, ui.available_width());
        if about.size().y < name.rect.height() {
            ui.label(about);
        }
    });
}
