//! The three games as large pictures of their boards. The board of the chosen one is alive
//! where drawing costs little.

use crate::app::ui::{prelude::*, theme::PANEL_RADIUS, widgets::board_picture};

/// The space between two cards.
const GAP: f32 = space(4);
/// How long a picture fades into the board, in seconds.
const FADE: f32 = 0.3;
/// A card that is less wide has no line on the game, and a smaller name.
const NARROW: f32 = space(55);

/// The text under a picture: how high it is in a card of this width.
fn text_height(width: f32) -> f32 {
    if width < NARROW { space(8) } else { space(19) }
}

/// How high the cards are in so much room, their pictures `most` high at most.
pub(super) fn cards_height(room: f32, most: f32) -> f32 {
    let width = card_width(room);
    picture_height(width, most) + text_height(width)
}

fn card_width(room: f32) -> f32 {
    (room - 2.0 * GAP) / 3.0
}

fn picture_height(width: f32, most: f32) -> f32 {
    (width / board_picture::ASPECT).min(most).floor()
}

/// Shows the games; where `is_alive`, the picture of the chosen one gives way to the board
/// behind. Returns the place of that picture.
pub(super) fn cards(
    ui: &mut Ui,
    choice: &mut NewGameChoice,
    most: f32,
    is_alive: bool,
) -> Option<Rect> {
    let width = card_width(ui.available_width());
    let mut chosen = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        for game in game_texts::GAMES {
            let is_chosen = choice.rules.game() == game;
            let (picture, is_clicked) =
                card(ui, vec2(width, picture_height(width, most)), game, is_chosen, is_alive);
            if is_chosen {
                chosen = Some(picture);
            }
            if is_clicked {
                choice.set_game(game);
            }
        }
    });
    chosen
}

/// One game: the place of its picture, and whether it was clicked.
fn card(
    ui: &mut Ui,
    picture: Vec2,
    game: GameKind,
    is_chosen: bool,
    is_alive: bool,
) -> (Rect, bool) {
    let name = game_texts::name(game);
    let size = vec2(picture.x, picture.y + text_height(picture.x));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let label = tr_args("keys.of", &[("command", tr("title.game")), ("key", name)]);
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::SelectableLabel, ui.is_enabled(), is_chosen, &label)
    });
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    let is_lit = response.hovered() || response.has_focus();
    let place = Rect::from_min_size(rect.min, picture);
    let shown = ui.ctx().animate_bool_with_time(response.id, is_chosen && is_alive, FADE);
    let top = CornerRadius { nw: PANEL_RADIUS, ne: PANEL_RADIUS, sw: 0, se: 0 };
    board_picture::paint(ui, place, game, top, if is_chosen { 1.0 - shown } else { 1.0 });
    // The board that is seen through the card has square corners.
    if is_chosen {
        let corners = Stroke::new(0.5 * f32::from(PANEL_RADIUS), GROUND);
        ui.painter_at(place).rect_stroke(rect, PANEL_RADIUS, corners, StrokeKind::Outside);
    }
    let fill = if is_lit { CARD_HOVERED } else { CARD };
    let below = rect.with_min_y(place.bottom());
    let bottom = CornerRadius { nw: 0, ne: 0, sw: PANEL_RADIUS, se: PANEL_RADIUS };
    ui.painter().rect_filled(below, bottom, fill);
    let line = match (is_chosen, is_lit) {
        (true, _) => Stroke::new(2.5, ACCENT),
        (false, true) => Stroke::new(1.0, ACCENT),
        (false, false) => Stroke::new(1.0, LINE),
    };
    ui.painter().rect_stroke(rect, PANEL_RADIUS, line, StrokeKind::Inside);
    texts(ui, below, game, if is_chosen { ACCENT } else { TEXT });
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    (place, response.clicked())
}

/// The name of the game, and a line on it.
fn texts(ui: &Ui, below: Rect, game: GameKind, color: Color32) {
    let is_narrow = below.width() < NARROW;
    let size = if is_narrow { HEADING } else { DISPLAY };
    let inner = below.shrink2(vec2(space(if is_narrow { 2 } else { 4 }), space(1)));
    let name = game_texts::name(game).to_owned();
    let name = ui.painter().layout_no_wrap(name, theme::serif(ui.ctx(), size), color);
    let height = name.size().y;
    ui.painter().galley(inner.left_top(), name, color);
    if is_narrow {
        return;
    }
    let line = game_texts::line(game).to_owned();
    let font = FontId::proportional(SMALL);
    let mut job = LayoutJob::simple(line.clone(), font, MUTED, inner.width());
    if ui.painter().layout_job(job.clone()).rows.len() > 1 {
        let font = FontId::proportional(LABEL);
        job = LayoutJob::simple(line, font, MUTED, inner.width());
    }
    let line = ui.painter().layout_job(job);
    ui.painter().galley(inner.left_top() + vec2(0.0, height), line, MUTED);
}
