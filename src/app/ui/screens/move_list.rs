//! The list of moves: rows of plies, in the side panel of the table and the replay.

use bevy::prelude::Resource;
use bevy_egui::egui::{
    Align, Align2, Color32, FontId, Rect, Response, ScrollArea, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, WidgetInfo, WidgetType, style::ScrollAnimation, vec2,
};

use super::{analysis_panel, move_tree::ListedTree};
use crate::{
    app::{
        analysis::Mistake,
        core::actions::Action,
        ui::{
            theme::{self, ACCENT, CARD_CHOSEN, CARD_HOVERED, ERROR, MUTED, SMALL, TEXT, space},
            widgets,
        },
    },
    games::{AnyPosition, Event, Game, GameHistory, Ply, Side},
    i18n::tr,
    records::NodeId,
    session::{describe_ply, side_label},
};

pub(super) const ROW_HEIGHT: f32 = theme::space(7);
const ROW_GAP: f32 = 2.0;
/// The least size that text is written in.
const MIN_TEXT_SIZE: f32 = 10.0;

/// What the list of moves remembers.
#[derive(Resource, Debug, Default)]
pub(crate) struct MoveList {
    /// Whether it is shown where there is room only for the board or the list.
    pub(crate) is_open: bool,
    /// The ply that it was last scrolled to.
    scrolled_to: Option<usize>,
    /// The node that the tree was last scrolled to.
    scrolled_to_node: Option<NodeId>,
    /// Whether the game was analysed in the last frame.
    was_analysed: bool,
    /// What was asked for in the tree of a replay.
    pub(super) requested: Vec<Action>,
}

impl MoveList {
    /// Closes the list when an analysis starts where there is little room, so
    /// that the analysis is seen.
    pub(crate) const fn close_for_analysis(&mut self, is_analysed: bool, is_tight: bool) {
        if is_tight && is_analysed && !self.was_analysed {
            self.is_open = false;
        }
        self.was_analysed = is_analysed;
    }
}

/// A row: the plies in it by number (1 is the first of the game). Without
/// sticks the cells are the moves of the first and the second side; with sticks
/// they are a throw and the move made with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    cells: [Option<usize>; 2],
}

/// The rows of the first `plies` plies of a game.
fn rows(history: &GameHistory<AnyPosition>, plies: usize) -> Vec<Row> {
    let sticks = history.start().rules().has_sticks();
    let mut rows: Vec<Row> = Vec::with_capacity(plies / 2 + 1);
    for (index, ply) in history.plies().enumerate().take(plies) {
        let column = match ply {
            Ply::Throw(_) => 0,
            Ply::Move(_) if sticks => 1,
            Ply::Move(_) => history.at(index).map_or(0, |before| before.side().index()),
        };
        match rows.last_mut() {
            Some(row) if column == 1 && row.cells[1].is_none() => row.cells[1] = Some(index + 1),
            _ => {
                let mut row = Row::default();
                row.cells[column] = Some(index + 1);
                rows.push(row);
            }
        }
    }
    rows
}

/// What the list shows.
pub(super) struct ListedGame<'a> {
    /// The game.
    pub(super) history: &'a GameHistory<AnyPosition>,
    /// How many of its plies.
    pub(super) plies: usize,
    /// Which of them is marked, and brought into view when it changes.
    pub(super) current: usize,
    /// The plies marked as mistakes.
    pub(super) mistakes: &'a [Mistake],
    /// The comment on a ply, which a dot stands for; empty for none.
    pub(super) comment: &'a dyn Fn(usize) -> String,
    /// The main line with its variations, which is shown instead in a replay.
    pub(super) tree: Option<ListedTree<'a>>,
}

/// Shows the plies of a game; returns the one that was clicked. With `within`
/// the whole panel scrolls, and the list has no scroll bar of its own.
pub(super) fn show(
    ui: &mut Ui,
    game: &ListedGame<'_>,
    list: &mut MoveList,
    within: bool,
) -> Option<usize> {
    let ListedGame { history, plies, current, .. } = *game;
    if let Some(tree) = game.tree.filter(|tree| !tree.rows.is_empty()) {
        show_tree(ui, &tree, history.start().rules().has_sticks(), list, within);
        return None;
    }
    let rows = rows(history, plies);
    if rows.is_empty() {
        widgets::note(ui, tr("desk.no-move-yet"));
        return None;
    }
    ui.spacing_mut().item_spacing.y = ROW_GAP;
    ui.spacing_mut().interact_size.y = ROW_HEIGHT;
    // The row stays in view when the panel gets another size, too.
    let is_resized = is_resized(ui);
    let scrolls = list.scrolled_to != Some(current) || is_resized;
    list.scrolled_to = Some(current);
    if within {
        show_all(ui, game, &rows, scrolls)
    } else {
        show_scrolled(ui, game, &rows, scrolls)
    }
}

/// Shows the main line and its variations.
fn show_tree(
    ui: &mut Ui,
    tree: &ListedTree<'_>,
    has_sticks: bool,
    list: &mut MoveList,
    within: bool,
) {
    ui.spacing_mut().item_spacing.y = ROW_GAP;
    ui.spacing_mut().interact_size.y = ROW_HEIGHT;
    let is_resized = is_resized(ui);
    let scrolls = list.scrolled_to_node != Some(tree.current) || is_resized;
    list.scrolled_to_node = Some(tree.current);
    let (row, count) = (tree.current_row(), tree.rows.len());
    let requested = &mut list.requested;
    if within {
        for index in 0..count {
            let shown = ui.scope(|ui| tree.show_row(ui, index, has_sticks, requested));
            if scrolls && index == row {
                let (rect, at_once) = (shown.response.rect, ScrollAnimation::none());
                ui.scroll_to_rect_animation(rect, Some(Align::Center), at_once);
            }
        }
        return;
    }
    let mut area = ScrollArea::vertical().id_salt("moves").auto_shrink([false, false]);
    if scrolls {
        area = area.vertical_scroll_offset(offset_of(row, count, ui.available_height()));
    }
    let room = ui.available_rect_before_wrap();
    let with_bar = room.with_max_x(room.right() + theme::SCROLL_BAR);
    let mut inner = ui.new_child(UiBuilder::new().max_rect(with_bar));
    area.show_rows(&mut inner, ROW_HEIGHT, count, |ui, range| {
        ui.set_max_width(room.width());
        for index in range {
            tree.show_row(ui, index, has_sticks, requested);
        }
    });
    ui.allocate_rect(room, Sense::hover());
}

/// Whether the height changed since the last frame.
fn is_resized(ui: &Ui) -> bool {
    let (height, key) = (ui.available_height(), ui.id().with("moves-height"));
    let before = ui.data_mut(|data| {
        let before = data.get_temp::<f32>(key);
        data.insert_temp(key, height);
        before
    });
    before.is_none_or(|before| (before - height).abs() > 0.5)
}

/// Shows all rows, in a panel that scrolls as a whole.
fn show_all(ui: &mut Ui, game: &ListedGame<'_>, rows: &[Row], scrolls: bool) -> Option<usize> {
    let mut clicked = None;
    for (index, row) in rows.iter().enumerate() {
        let shown = ui.scope(|ui| show_row(ui, game, index + 1, *row));
        clicked = shown.inner.or(clicked);
        if scrolls && index == row_of(rows, game.current) {
            let (rect, at_once) = (shown.response.rect, ScrollAnimation::none());
            ui.scroll_to_rect_animation(rect, Some(Align::Center), at_once);
        }
    }
    clicked
}

/// Shows the rows in sight, with a scroll bar in the panel's margin.
fn show_scrolled(ui: &mut Ui, game: &ListedGame<'_>, rows: &[Row], scrolls: bool) -> Option<usize> {
    let mut area = ScrollArea::vertical().id_salt("moves").auto_shrink([false, false]);
    if scrolls {
        area = area.vertical_scroll_offset(offset(rows, game.current, ui.available_height()));
    }
    let room = ui.available_rect_before_wrap();
    let with_bar = room.with_max_x(room.right() + theme::SCROLL_BAR);
    let mut inner = ui.new_child(UiBuilder::new().max_rect(with_bar));
    let mut clicked = None;
    area.show_rows(&mut inner, ROW_HEIGHT, rows.len(), |ui, range| {
        ui.set_max_width(room.width());
        for index in range {
            clicked = show_row(ui, game, index + 1, rows[index]).or(clicked);
        }
    });
    ui.allocate_rect(room, Sense::hover());
    clicked
}

/// How far to scroll for the row of `current` to stand in the middle, in points.
fn offset(rows: &[Row], current: usize, height: f32) -> f32 {
    offset_of(row_of(rows, current), rows.len(), height)
}

/// How far to scroll for a row to stand in the middle, in points.
fn offset_of(row: usize, count: usize, height: f32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "rows of a game")]
    let (top, all) = (row as f32 * (ROW_HEIGHT + ROW_GAP), count as f32 * (ROW_HEIGHT + ROW_GAP));
    (top - (height - ROW_HEIGHT) / 2.0).clamp(0.0, (all - height).max(0.0))
}

/// The row of `current`; the first before anything was played.
fn row_of(rows: &[Row], current: usize) -> usize {
    let row = rows.iter().position(|row| row.cells.contains(&Some(current)));
    row.unwrap_or(if current == 0 { 0 } else { rows.len().saturating_sub(1) })
}

fn show_row(ui: &mut Ui, game: &ListedGame<'_>, number: usize, row: Row) -> Option<usize> {
    let has_sticks = game.history.start().rules().has_sticks();
    let mut clicked = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let narrow = ui.available_width() < 262.0;
        row_label(ui, game.history, number, row, narrow);
        let room = ui.available_width() - 4.0;
        let widths = if has_sticks {
            let throws = (room * 0.42).min(126.0);
            [throws, room - throws]
        } else {
            [room / 2.0; 2]
        };
        for (ply, width) in row.cells.into_iter().zip(widths) {
            match ply {
                Some(ply) => {
                    if cell(ui, game, ply, width).clicked() {
                        clicked = Some(ply);
                    }
                }
                None => {
                    ui.allocate_exact_size(vec2(width, ROW_HEIGHT), Sense::hover());
                }
            }
        }
    });
    clicked
}

/// Before a row: its number, or with sticks the side that throws.
fn row_label(
    ui: &mut Ui,
    history: &GameHistory<AnyPosition>,
    number: usize,
    row: Row,
    narrow: bool,
) {
    let rules = history.start().rules();
    let label = if rules.has_sticks() {
        let side = row.cells.iter().flatten().next().and_then(|&ply| mover(history, ply));
        let name = side.map_or("", |side| side_label(rules, side));
        name.chars().take(if narrow { 1 } else { usize::MAX }).collect()
    } else {
        format!("{number}.")
    };
    self::label(ui, &label, label_width(rules.has_sticks(), narrow));
}

/// How wide the label of a row is.
pub(super) const fn label_width(has_sticks: bool, narrow: bool) -> f32 {
    match (has_sticks, narrow) {
        (true, false) => 48.0,
        (false, false) => 34.0,
        (true, true) => 14.0,
        (false, true) => 26.0,
    }
}

/// The label at the begin of a row.
pub(super) fn label(ui: &mut Ui, label: &str, width: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(width, ROW_HEIGHT), Sense::hover());
    let font = FontId::proportional(SMALL);
    ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, label, font, MUTED);
}

/// One ply, with its comment and what happened under the pointer.
fn cell(ui: &mut Ui, game: &ListedGame<'_>, ply: usize, width: f32) -> Response {
    let sign = analysis_panel::sign(game.mistakes, ply);
    let comment = (game.comment)(ply);
    let look = CellLook {
        plain_sides: plain_sides(game.history, ply),
        text: text(game.history, ply) + sign.unwrap_or(""),
        color: if sign.is_some() { ERROR } else { text_color(game.history, ply) },
        is_current: ply == game.current,
        has_dot: !comment.is_empty(),
        comment,
        description: describe_ply(game.history, ply),
    };
    paint_cell(ui, &look, width)
}

/// What the cell of a ply shows.
pub(super) struct CellLook {
    /// How many plain sides a throw showed: drawn as sticks before the text.
    pub(super) plain_sides: Option<u8>,
    pub(super) text: String,
    pub(super) color: Color32,
    pub(super) is_current: bool,
    /// The comment; empty for none.
    pub(super) comment: String,
    /// Whether a dot says that there is more.
    pub(super) has_dot: bool,
    /// What happened, in words.
    pub(super) description: Vec<String>,
}

/// A cell that can be clicked.
pub(super) fn paint_cell(ui: &mut Ui, look: &CellLook, width: f32) -> Response {
    let CellLook { plain_sides: plain, text, color, is_current, comment, has_dot, description } =
        look;
    let is_current = *is_current;
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW_HEIGHT), Sense::click());
    response.widget_info(|| {
        let text = plain.map_or_else(|| text.clone(), |plain| format!("t{plain} · {text}"));
        let parts = [text.as_str(), comment.as_str()].into_iter().filter(|it| !it.is_empty());
        let label = parts.collect::<Vec<_>>().join(": ");
        WidgetInfo::selected(WidgetType::SelectableLabel, ui.is_enabled(), is_current, label)
    });
    if is_current {
        let edge = Stroke::new(1.0, ACCENT);
        ui.painter().rect(rect, 4.0, CARD_CHOSEN, edge, StrokeKind::Inside);
    } else if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4.0, CARD_HOVERED);
    }
    match *plain {
        Some(plain) if width >= MIN_WIDTH_WITH_STICKS => {
            let corner = rect.left_center() + vec2(4.0, -STICKS_HEIGHT / 2.0);
            widgets::paint_casting_sticks(ui.painter(), corner, plain, STICKS_HEIGHT);
            let left = rect.left() + widgets::casting_sticks_width(STICKS_HEIGHT) + space(2);
            paint_fitting(ui, rect.with_min_x(left), text.clone(), *color);
        }
        Some(plain) => paint_fitting(ui, rect, format!("t{plain} {text}"), *color),
        None => paint_fitting(ui, rect, text.clone(), *color),
    }
    let mut tooltip = description.clone();
    if *has_dot {
        ui.painter().circle_filled(rect.right_center() - vec2(5.0, 0.0), 2.5, ACCENT);
    }
    if !comment.is_empty() {
        tooltip.push(comment.clone());
    }
    let tooltip = tooltip.join("\n");
    if tooltip.is_empty() { response } else { response.on_hover_text(tooltip) }
}

/// Captures, pavilions and the end stand out; throws stand back.
fn text_color(history: &GameHistory<AnyPosition>, ply: usize) -> Color32 {
    if stands_out(history, ply) {
        ACCENT
    } else if matches!(history.ply(ply), Some(Ply::Throw(_))) {
        MUTED
    } else {
        TEXT
    }
}

/// Whether a ply captures, raises a pavilion or ends the game.
pub(super) fn stands_out(history: &GameHistory<AnyPosition>, ply: usize) -> bool {
    let stands_out = |event: &Event| {
        matches!(event, Event::Captured { .. } | Event::PavilionRaised { .. } | Event::Ended(_))
    };
    history.events(ply).iter().any(stands_out)
}

/// Writes a text in one line, smaller where it is wider than its cell.
fn paint_fitting(ui: &Ui, cell: Rect, text: String, color: Color32) {
    let room = cell.shrink2(vec2(4.0, 0.0));
    let usual = theme::BODY;
    let painter = ui.painter_at(cell);
    let lay_out = |size| painter.layout_no_wrap(text.clone(), FontId::proportional(size), color);
    let mut galley = lay_out(usual);
    if galley.size().x > room.width() {
        let size = usual * room.width() / galley.size().x;
        galley = lay_out(size.max(MIN_TEXT_SIZE).floor());
    }
    let corner = room.left_center() - vec2(0.0, galley.size().y / 2.0);
    painter.galley(corner, galley, color);
}

/// Narrower cells have no room for sticks, and name the throw instead.
const MIN_WIDTH_WITH_STICKS: f32 = space(20);
/// How high the sticks of a throw are.
const STICKS_HEIGHT: f32 = 16.0;

/// How many plain sides a throw showed.
pub(super) fn plain_sides(history: &GameHistory<AnyPosition>, ply: usize) -> Option<u8> {
    match history.ply(ply)? {
        Ply::Throw(throw) => Some(throw.plain()),
        Ply::Move(_) => None,
    }
}

/// A ply as the list writes it: moves as in records, of throws what they brought.
pub(super) fn text(history: &GameHistory<AnyPosition>, ply: usize) -> String {
    let events = history.events(ply);
    match history.ply(ply) {
        Some(Ply::Throw(throw)) => {
            if events.iter().any(|event| matches!(event, Event::Lost { .. })) {
                tr("desk.lost").to_owned()
            } else if throws_off(history, ply) {
                let starts = throw.score() == 2;
                tr(if starts { "desk.starts" } else { "desk.no-start" }).to_owned()
            } else {
                throw.score().to_string()
            }
        }
        Some(Ply::Move(_)) => {
            let mark = events.iter().find_map(|event| match event {
                Event::Announced(crate::games::Announcement::Raichi) => Some(" R!"),
                Event::Announced(crate::games::Announcement::Tuichi) => Some(" T!"),
                Event::Ended(_) => Some(" #"),
                _ => None,
            });
            history.notation(ply).unwrap_or_default() + mark.unwrap_or("")
        }
        None => String::new(),
    }
}

/// Whether a ply is a throw that only decides who starts.
pub(super) fn throws_off(history: &GameHistory<AnyPosition>, ply: usize) -> bool {
    match ply.checked_sub(1).and_then(|before| history.at(before)) {
        Some(AnyPosition::Tablan(position)) => position.throwing_off(),
        _ => false,
    }
}

/// Who made a ply.
pub(super) fn mover(history: &GameHistory<AnyPosition>, ply: usize) -> Option<Side> {
    history
        .events(ply)
        .iter()
        .find_map(|event| match event {
            Event::Thrown { side, .. } => Some(*side),
            _ => None,
        })
        .or_else(|| Some(history.at(ply.checked_sub(1)?)?.side()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{RuleSet, Throw};

    fn history(rules: RuleSet, plies: &str) -> GameHistory<AnyPosition> {
        let mut history = GameHistory::new(AnyPosition::start(rules));
        for text in plies.split_whitespace() {
            let ply = history.parse(text).unwrap();
            history.push(ply).unwrap();
        }
        history
    }

    #[test]
    fn without_sticks_a_row_holds_a_move_of_each_side() {
        let history = history(RuleSet::TablutAshton, "e4-f4 e2-f2 c5-c4");
        let cells: Vec<_> = rows(&history, 3).iter().map(|row| row.cells).collect();
        assert_eq!(cells, [[Some(1), Some(2)], [Some(3), None]]);
        assert_eq!(rows(&history, 1).len(), 1, "only what has been shown");
    }

    #[test]
    fn with_sticks_a_row_holds_a_throw_and_its_move() {
        let history = history(RuleSet::Tablan, "t2 t1 a4-b3 t2");
        let cells: Vec<_> = rows(&history, 4).iter().map(|row| row.cells).collect();
        assert_eq!(cells, [[Some(1), None], [Some(2), Some(3)], [Some(4), None]]);
        assert_eq!((plain_sides(&history, 1), plain_sides(&history, 3)), (Some(2), None));
        assert_eq!(text(&history, 1), "no start");
        assert_eq!(text(&history, 2), "starts");
        assert_eq!(text(&history, 4), "0", "it scores nothing");
        assert!(throws_off(&history, 2) && !throws_off(&history, 4));
        assert_eq!(mover(&history, 1), Some(Side::First));
        assert_eq!(mover(&history, 3), Some(Side::Second));
        assert_eq!(history.ply(4), Throw::new(2).map(Ply::Throw));
    }

    #[test]
    fn the_row_of_the_current_ply_is_scrolled_to_the_middle() {
        let rows: Vec<Row> =
            (0..100).map(|row| Row { cells: [Some(2 * row + 1), Some(2 * row + 2)] }).collect();
        let height = 10.0 * (ROW_HEIGHT + ROW_GAP);
        assert_eq!(offset(&rows, 0, height), 0.0);
        assert_eq!(offset(&rows, 1, height), 0.0);
        assert_eq!(offset(&rows, 200, height), 90.0 * (ROW_HEIGHT + ROW_GAP));
        let middle = offset(&rows, 101, height);
        assert!((45.0..46.0).contains(&(middle / (ROW_HEIGHT + ROW_GAP))), "{middle}");
    }
}
