//! The list of moves: rows of plies, in the table's panel and in the replay's.

use bevy_egui::egui::{
    Align, Align2, FontId, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo,
    WidgetType, style::ScrollAnimation, vec2,
};

use super::analysis_panel;
use crate::{
    app::{
        analysis::Mistake,
        ui::{
            theme::{self, ACCENT, ALARM, CARD_CHOSEN, CARD_HOVERED, INK, MUTED, SMALL},
            widgets,
        },
    },
    games::{AnyPosition, Event, Game, GameHistory, Ply, Side},
    i18n::tr,
    table::{describe_ply, side_label},
};

const ROW: f32 = 24.0;
const GAP: f32 = 2.0;
/// The least size that text is written in.
const LEAST: f32 = 10.0;

/// A row: the plies in it by number (1 is the first of the game). Without
/// sticks the first cell is the first side's and the second the other's; with
/// sticks the first is a throw and the second the move made with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    cells: [Option<usize>; 2],
}

/// The rows of the first `plies` plies of a game.
fn rows(line: &GameHistory<AnyPosition>, plies: usize) -> Vec<Row> {
    let sticks = line.start().rules().has_sticks();
    let mut rows: Vec<Row> = Vec::with_capacity(plies / 2 + 1);
    for (index, ply) in line.plies().enumerate().take(plies) {
        let column = match ply {
            Ply::Throw(_) => 0,
            Ply::Move(_) if sticks => 1,
            Ply::Move(_) => line.at(index).map_or(0, |before| before.side().index()),
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
pub(crate) struct Listed<'a> {
    /// The game.
    pub(crate) line: &'a GameHistory<AnyPosition>,
    /// How many of its plies.
    pub(crate) plies: usize,
    /// Which of them is marked, and brought into view when it changes.
    pub(crate) current: usize,
    /// What has a sign.
    pub(crate) mistakes: &'a [Mistake],
    /// What was written about a ply: a dot stands beside it.
    pub(crate) comment: &'a dyn Fn(usize) -> String,
}

/// Shows the plies of a game; returns the one that was clicked. With `within`
/// the panel scrolls as a whole, and the list has no bar of its own.
pub(crate) fn list(
    ui: &mut Ui,
    listed: &Listed<'_>,
    scrolled: &mut Option<usize>,
    within: bool,
) -> Option<usize> {
    let Listed { line, plies, current, .. } = *listed;
    let rows = rows(line, plies);
    if rows.is_empty() {
        widgets::note(ui, tr("desk.no-move-yet"));
        return None;
    }
    ui.spacing_mut().item_spacing.y = GAP;
    ui.spacing_mut().interact_size.y = ROW;
    let height = ui.available_height();
    let mut area = ScrollArea::vertical().id_salt("moves").auto_shrink([false, false]);
    let room = ui.available_rect_before_wrap();
    let wide = room.with_max_x(room.right() + theme::BAR);
    // The row stays in view when the panel gets another size.
    let size = ui.id().with("moves-height");
    let before = ui.data_mut(|data| {
        let before = data.get_temp::<f32>(size);
        data.insert_temp(size, height);
        before
    });
    let resized = before.is_none_or(|before| (before - height).abs() > 0.5);
    let moves = *scrolled != Some(current) || resized;
    *scrolled = Some(current);
    let mut clicked = None;
    if within {
        for (index, row) in rows.iter().enumerate() {
            let shown = ui.scope(|ui| show_row(ui, listed, index + 1, *row));
            clicked = shown.inner.or(clicked);
            if moves && index == row_of(&rows, current) {
                let (place, still) = (shown.response.rect, ScrollAnimation::none());
                ui.scroll_to_rect_animation(place, Some(Align::Center), still);
            }
        }
        return clicked;
    }
    if moves {
        area = area.vertical_scroll_offset(offset(&rows, current, height));
    }
    // Its bar stands in the panel's margin.
    let mut inner = ui.new_child(UiBuilder::new().max_rect(wide));
    area.show_rows(&mut inner, ROW, rows.len(), |ui, range| {
        ui.set_max_width(room.width());
        for index in range {
            clicked = show_row(ui, listed, index + 1, rows[index]).or(clicked);
        }
    });
    ui.allocate_rect(room, Sense::hover());
    clicked
}

/// How far to scroll for the row of `current` to stand in the middle.
fn offset(rows: &[Row], current: usize, height: f32) -> f32 {
    let row = row_of(rows, current);
    #[expect(clippy::cast_precision_loss, reason = "rows of a game")]
    let (top, all) = (row as f32 * (ROW + GAP), rows.len() as f32 * (ROW + GAP));
    (top - (height - ROW) / 2.0).clamp(0.0, (all - height).max(0.0))
}

/// The row that `current` stands in; the first before anything was played.
fn row_of(rows: &[Row], current: usize) -> usize {
    let row = rows.iter().position(|row| row.cells.contains(&Some(current)));
    row.unwrap_or(if current == 0 { 0 } else { rows.len().saturating_sub(1) })
}

fn show_row(ui: &mut Ui, listed: &Listed<'_>, number: usize, row: Row) -> Option<usize> {
    let line = listed.line;
    let rules = line.start().rules();
    let mut clicked = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let narrow = ui.available_width() < 262.0;
        let label = if rules.has_sticks() {
            let side = row.cells.iter().flatten().next().and_then(|&ply| mover(line, ply));
            let name = side.map_or("", |side| side_label(rules, side));
            // Its first letter says enough where there is little room.
            name.chars().take(if narrow { 1 } else { usize::MAX }).collect()
        } else {
            format!("{number}.")
        };
        let lead = match (rules.has_sticks(), narrow) {
            (true, false) => 48.0,
            (false, false) => 34.0,
            (true, true) => 14.0,
            (false, true) => 26.0,
        };
        let (place, _) = ui.allocate_exact_size(vec2(lead, ROW), Sense::hover());
        let font = FontId::proportional(SMALL);
        ui.painter().text(place.left_center(), Align2::LEFT_CENTER, label, font, MUTED);
        let room = ui.available_width() - 4.0;
        let widths = if rules.has_sticks() {
            let throws = (room * 0.42).min(126.0);
            [throws, room - throws]
        } else {
            [room / 2.0; 2]
        };
        for (ply, width) in row.cells.into_iter().zip(widths) {
            match ply {
                Some(ply) => {
                    if cell(ui, listed, ply, width) {
                        clicked = Some(ply);
                    }
                }
                None => {
                    ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
                }
            }
        }
    });
    clicked
}

/// One ply; says whether it was clicked.
fn cell(ui: &mut Ui, listed: &Listed<'_>, ply: usize, width: f32) -> bool {
    let line = listed.line;
    let is_current = ply == listed.current;
    let sign = analysis_panel::sign(listed.mistakes, ply);
    let comment = (listed.comment)(ply);
    let events = line.events(ply);
    let text = text(line, ply) + sign.unwrap_or("");
    let (place, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::click());
    response.widget_info(|| {
        let words = [text.as_str(), comment.as_str()];
        let words = words.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(": ");
        WidgetInfo::selected(WidgetType::SelectableLabel, ui.is_enabled(), is_current, words)
    });
    let lit = response.hovered() || response.has_focus();
    if is_current {
        let edge = Stroke::new(1.0, ACCENT);
        ui.painter().rect(place, 4.0, CARD_CHOSEN, edge, StrokeKind::Inside);
    } else if lit {
        ui.painter().rect_filled(place, 4.0, CARD_HOVERED);
    }
    let telling = events.iter().any(|event| {
        matches!(event, Event::Captured { .. } | Event::PavilionRaised { .. } | Event::Ended(_))
    });
    let quiet = matches!(line.ply(ply), Some(Ply::Throw(_)));
    let ink = match (telling, quiet) {
        _ if sign.is_some() => ALARM,
        (true, _) => ACCENT,
        (false, true) => MUTED,
        (false, false) => INK,
    };
    let inner = place.shrink2(vec2(4.0, 0.0));
    // What is wider than its cell is written smaller.
    let usual = theme::BODY - 1.0;
    let written = |size| ui.painter().layout_no_wrap(text.clone(), FontId::proportional(size), ink);
    let mut galley = written(usual);
    if galley.size().x > inner.width() {
        let size = usual * inner.width() / galley.size().x;
        galley = written(size.max(LEAST).floor());
    }
    let corner = inner.left_center() - vec2(0.0, galley.size().y / 2.0);
    ui.painter_at(place).galley(corner, galley, ink);
    let mut words = describe_ply(line, ply);
    if !comment.is_empty() {
        ui.painter().circle_filled(place.right_center() - vec2(5.0, 0.0), 2.5, ACCENT);
        words.push(comment);
    }
    let words = words.join("\n");
    let response = if words.is_empty() { response } else { response.on_hover_text(words) };
    response.clicked()
}

/// A ply as the list writes it: moves as records do, throws with their score.
fn text(line: &GameHistory<AnyPosition>, ply: usize) -> String {
    let events = line.events(ply);
    match line.ply(ply) {
        Some(Ply::Throw(throw)) => {
            let after = if events.iter().any(|event| matches!(event, Event::Lost { .. })) {
                format!(" {}", tr("desk.lost"))
            } else if throws_off(line, ply) {
                let word = if throw.score() == 2 { tr("desk.starts") } else { "–" };
                format!(" {word}")
            } else if throw.score() == 0 {
                " –".to_owned()
            } else {
                format!(" · {}", throw.score())
            };
            format!("{throw}{after}")
        }
        Some(Ply::Move(_)) => {
            let mark = events.iter().find_map(|event| match event {
                Event::Announced(crate::games::Announcement::Raichi) => Some(" R!"),
                Event::Announced(crate::games::Announcement::Tuichi) => Some(" T!"),
                Event::Ended(_) => Some(" #"),
                _ => None,
            });
            line.notation(ply).unwrap_or_default() + mark.unwrap_or("")
        }
        None => String::new(),
    }
}

/// Whether a ply is a throw for who starts, worth nothing but the start.
pub(crate) fn throws_off(line: &GameHistory<AnyPosition>, ply: usize) -> bool {
    match ply.checked_sub(1).and_then(|before| line.at(before)) {
        Some(AnyPosition::Tablan(position)) => position.throwing_off(),
        _ => false,
    }
}

/// Who made a ply.
pub(crate) fn mover(line: &GameHistory<AnyPosition>, ply: usize) -> Option<Side> {
    line.events(ply)
        .iter()
        .find_map(|event| match event {
            Event::Thrown { side, .. } => Some(*side),
            _ => None,
        })
        .or_else(|| Some(line.at(ply.checked_sub(1)?)?.side()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{RuleSet, Throw};

    fn line(rules: RuleSet, plies: &str) -> GameHistory<AnyPosition> {
        let mut line = GameHistory::new(AnyPosition::start(rules));
        for text in plies.split_whitespace() {
            let ply = line.parse(text).unwrap();
            line.push(ply).unwrap();
        }
        line
    }

    #[test]
    fn without_sticks_a_row_holds_a_move_of_each_side() {
        let line = line(RuleSet::TablutAshton, "e4-f4 e2-f2 c5-c4");
        let cells: Vec<_> = rows(&line, 3).iter().map(|row| row.cells).collect();
        assert_eq!(cells, [[Some(1), Some(2)], [Some(3), None]]);
        assert_eq!(rows(&line, 1).len(), 1, "only what has been shown");
    }

    #[test]
    fn with_sticks_a_row_holds_a_throw_and_what_was_done_with_it() {
        let line = line(RuleSet::Tablan, "t2 t1 a4-b3 t2");
        let cells: Vec<_> = rows(&line, 4).iter().map(|row| row.cells).collect();
        assert_eq!(cells, [[Some(1), None], [Some(2), Some(3)], [Some(4), None]]);
        assert_eq!(text(&line, 1), "t2 –");
        assert_eq!(text(&line, 2), "t1 starts");
        assert!(throws_off(&line, 2) && !throws_off(&line, 4));
        assert_eq!(mover(&line, 1), Some(Side::First));
        assert_eq!(mover(&line, 3), Some(Side::Second));
        assert_eq!(line.ply(4), Throw::new(2).map(Ply::Throw));
    }

    #[test]
    fn the_row_of_the_ply_shown_is_scrolled_to_the_middle_where_there_is_room() {
        let rows: Vec<Row> =
            (0..100).map(|row| Row { cells: [Some(2 * row + 1), Some(2 * row + 2)] }).collect();
        let height = 10.0 * (ROW + GAP);
        assert_eq!(offset(&rows, 0, height), 0.0);
        assert_eq!(offset(&rows, 1, height), 0.0);
        assert_eq!(offset(&rows, 200, height), 90.0 * (ROW + GAP));
        let middle = offset(&rows, 101, height);
        assert!((45.0..46.0).contains(&(middle / (ROW + GAP))), "{middle}");
    }
}
