//! The games to go on with: the one on the table and the last saved ones; after them the
//! lesson of a game that has not been played yet.

use crate::{
    app::ui::{
        dialogs::recent_games::player_name,
        prelude::*,
        widgets::{
            self, board_picture,
            icons::{self, Icon},
        },
    },
    session::{GameSummary, SavedGame, headline},
};

/// The most games that are offered.
pub(super) const MOST: usize = 4;
/// So many of the newest saves are looked at.
const LOOKED_AT: usize = 12;
/// How high a card is.
pub(super) const CARD_HEIGHT: f32 = space(13);

/// The unfinished games among the newest saves.
#[derive(Resource, Debug, Default)]
pub(crate) struct UnfinishedGames(pub(super) Vec<SavedGame>);

impl UnfinishedGames {
    /// Whether one of them is of this kind.
    pub(super) fn has(&self, game: GameKind) -> bool {
        self.0.iter().filter_map(|saved| saved.game.as_ref().ok()).any(|it| it.rules.game() == game)
    }
}

/// Lists the unfinished games.
pub(crate) fn list_unfinished(mut games: ResMut<UnfinishedGames>, autosave: Res<Autosave>) {
    let (mut listed, _) = autosave.store().map(|store| store.list(LOOKED_AT)).unwrap_or_default();
    listed.retain(|saved| saved.game.as_ref().is_ok_and(GameSummary::is_unfinished));
    games.0 = listed;
}

/// What a card leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    /// The game on the table.
    Table,
    /// A saved game.
    Saved(PathBuf),
    /// The lesson of a game, for a new player.
    Lesson(GameKind),
    /// That lesson is not wanted.
    NoLesson(GameKind),
}

/// A card: what it leads to, its two lines, and the rules.
#[derive(Clone, Debug)]
pub(super) struct OfferCard {
    pub(super) offer: Offer,
    rules: RuleSet,
    name: String,
    /// What is said of it, the most telling first.
    parts: Vec<String>,
}

impl OfferCard {
    /// The game on the table.
    pub(super) fn table(table: &GameSession) -> Self {
        let number = table.history().move_number(table.history().len()).max(1).to_string();
        let moves = tr_args("title.move-number", &[("number", &number)]);
        let round = table.match_standing().map_or_else(String::new, |standing| {
            let (round, games) = (standing.round.to_string(), standing.games.to_string());
            tr_args("match.round", &[("round", &round), ("games", &games)])
        });
        let moves = if table.outcome().is_some() { String::new() } else { moves };
        let is_over = table.outcome().is_some() && !table.awaits_next_game();
        let rules = table.rules();
        let game = game_texts::name(rules.game());
        let (name, parts) = if is_over {
            // The result is the last to give way where there is little room.
            (
                tr("title.see-finished"),
                [turn(table), game.to_owned(), game_texts::opponent(table), round],
            )
        } else {
            (tr("title.continue"), [game_texts::opponent(table), round, turn(table), moves])
        };
        let name = name.replace("{game}", game);
        Self { offer: Offer::Table, rules, name, parts: told(parts) }
    }

    /// A saved game.
    pub(super) fn saved(saved: &SavedGame) -> Option<Self> {
        let game = saved.game.as_ref().ok()?;
        let moves = tr_args("title.move-number", &[("number", &game.moves.max(1).to_string())]);
        Some(Self {
            offer: Offer::Saved(saved.path.clone()),
            rules: game.rules,
            name: tr_args("title.continue", &[("game", game_texts::name(game.rules.game()))]),
            parts: told([opponent_of(game), moves]),
        })
    }

    /// The lesson for a new player.
    pub(super) fn lesson(rules: RuleSet) -> Self {
        let game = [("game", game_texts::name(rules.game()))];
        Self {
            offer: Offer::Lesson(rules.game()),
            rules,
            name: tr_args("title.lesson-offer", &game),
            parts: vec![tr("title.lesson-offer-hint").to_owned()],
        }
    }

    /// Shows the card; returns what was chosen.
    pub(super) fn show(&self, ui: &mut Ui, width: f32) -> Option<Offer> {
        let (rect, response) = ui.allocate_exact_size(vec2(width, CARD_HEIGHT), Sense::click());
        let state = self.parts.join(SEPARATOR);
        let label = tr_args("keys.of", &[("command", &self.name), ("key", &state)]);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
        if response.gained_focus() {
            response.scroll_to_me(None);
        }
        let is_lit = response.hovered() || response.has_focus();
        let fill = if is_lit { CARD_HOVERED } else { CARD };
        let edge = if is_lit || matches!(self.offer, Offer::Lesson(_)) { ACCENT } else { LINE };
        let line = Stroke::new(1.0, edge);
        ui.painter().rect(rect, CONTROL_RADIUS, fill, line, StrokeKind::Inside);
        let inner = rect.shrink(space(1));
        let picture = inner.with_max_x(inner.left() + inner.height() * board_picture::ASPECT);
        let corners = CornerRadius::same(CONTROL_RADIUS / 2);
        board_picture::paint(ui, picture, self.rules.game(), corners, 1.0);
        // A lesson that is not wanted can be put away.
        let away = match self.offer {
            Offer::Lesson(game) => Some(Offer::NoLesson(game)),
            _ => None,
        };
        let close_room = if away.is_some() { CLOSE.x } else { 0.0 };
        let arrow = inner.right_center() - vec2(space(3) + close_room, 0.0);
        icons::paint(ui.painter(), Icon::Open, arrow, TEXT);
        let room = arrow.x - space(3) - picture.right() - space(2);
        let small = FontId::proportional(SMALL);
        let strong = theme::strong(ui.ctx(), BODY);
        let line = |text: String, font: &FontId, color| {
            ui.painter().layout_no_wrap(text, font.clone(), color)
        };
        let mut shown = self.parts.len();
        let mut state_line = line(state.clone(), &small, MUTED);
        while shown > 1 && state_line.size().x > room {
            shown -= 1;
            state_line = line(self.parts[..shown].join(SEPARATOR), &small, MUTED);
        }
        let lines = [line(self.name.clone(), &strong, TEXT), state_line];
        let mut top = rect.center().y - lines.iter().map(|line| line.size().y).sum::<f32>() / 2.0;
        for line in lines {
            let height = line.size().y;
            ui.painter().galley(pos2(picture.right() + space(2), top), line, TEXT);
            top += height;
        }
        let response = response.on_hover_cursor(CursorIcon::PointingHand);
        let about = format!("{}\n{}", rules_label(self.rules), state);
        if response.on_hover_text(about).clicked() {
            return Some(self.offer.clone());
        }
        let place = Rect::from_center_size(inner.right_center() - vec2(CLOSE.x / 2.0, 0.0), CLOSE);
        away.filter(|_| {
            let close = ui.put(place, Button::new("×").frame(false));
            widgets::set_accessible_label(&close, tr("title.no-lesson"));
            close.on_hover_text(tr("title.no-lesson")).clicked()
        })
    }
}

/// The button that puts a card away.
const CLOSE: Vec2 = vec2(space(8), space(9));

/// What stands between two parts of a line.
const SEPARATOR: &str = " · ";

fn told(parts: impl IntoIterator<Item = String>) -> Vec<String> {
    parts.into_iter().filter(|part| !part.is_empty()).collect()
}

/// [`game_texts::opponent`] of a saved game, whose players are known by their names alone.
fn opponent_of(game: &GameSummary) -> String {
    let person = Seat::Person.name();
    let [first, second] = game.players.each_ref().map(|name| player_name(name));
    match game.players.each_ref().map(|name| *name == person) {
        [true, true] => tr("title.two-players").to_owned(),
        [true, false] => tr_args("title.against", &[("opponent", &second)]),
        [false, true] => tr_args("title.against", &[("opponent", &first)]),
        [false, false] => tr_args("title.name-and-name", &[("first", &first), ("second", &second)]),
    }
}

/// Whose turn it is, or how the game ended.
fn turn(table: &GameSession) -> String {
    if let Some(headline) = headline(table) {
        return headline;
    }
    let persons = table.seats().iter().filter(|seat| **seat == Seat::Person).count();
    if persons == 1 && (table.person_moves() || table.thrower() == Some(Thrower::Person)) {
        return tr("title.your-turn").to_owned();
    }
    let side = table.turn().and_then(Turn::side);
    side.map_or_else(String::new, |side| {
        tr_args("title.turn-of", &[("side", side_label(table.rules(), side))])
    })
}

/// The cards of the title: the game on the table, then the saved ones.
pub(super) fn cards(
    table: Option<&OfferCard>,
    games: &UnfinishedGames,
    referee: &Referee,
    autosave: &Autosave,
) -> Vec<OfferCard> {
    let on_table = autosave.path_of(referee);
    let saved = games.0.iter().filter(|saved| on_table != Some(&*saved.path));
    let saved = saved.filter_map(OfferCard::saved);
    table.cloned().into_iter().chain(saved).take(MOST).collect()
}
