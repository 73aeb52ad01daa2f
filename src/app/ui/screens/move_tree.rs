//! The list of moves of a replay: the main line, and below its moves the variations,
//! indented. A click goes to a move, and a right click or the key of a menu opens what
//! can be done with it.

use bevy::prelude::Resource;
use bevy_egui::egui::{
    Direction, FontId, Label, Layout, Popup, RichText, Sense, TextWrapMode, Ui, pos2, vec2,
};

use super::move_list::{self, CellLook, ROW_HEIGHT};
use crate::{
    app::{
        core::{
            actions::{Action, ReplayAction, UiAction},
            states::{Dialog, Prompt},
        },
        replay::Replay,
        ui::{
            theme::{ACCENT, ERROR, MUTED, SMALL, TEXT, space},
            widgets,
        },
    },
    games::{AnyPosition, Game, GameHistory},
    i18n::{Language, language, tr},
    records::{Annotation, Glyph, NodeId, Record},
    session::{describe_ply, side_label, strip_clock_command},
};

/// How far each level of variations is indented, in points.
const INDENT: f32 = 12.0;
/// Deeper levels are indented no further.
const MAX_INDENT: usize = 5;

/// The rows of the record that is shown, kept until it changes.
#[derive(Resource, Debug, Default)]
pub(crate) struct MoveTree {
    key: Option<(u64, Language)>,
    rows: Vec<TreeRow>,
}

/// A row of the main line or of a variation.
#[derive(Debug)]
pub(super) struct TreeRow {
    /// How many variations it is in.
    level: usize,
    label: String,
    cells: [Option<TreeCell>; 2],
    /// Instead of moves, the comment on the position after this node.
    comment: Option<(NodeId, String)>,
}

#[derive(Debug)]
struct TreeCell {
    node: NodeId,
    /// Its number in its line.
    ply: usize,
    text: String,
    comment: String,
    description: Vec<String>,
    stands_out: bool,
    /// How many plain sides a throw showed.
    plain_sides: Option<u8>,
    is_marked: bool,
}

impl MoveTree {
    /// The rows of the record that is replayed.
    pub(super) fn rows(&mut self, replay: &Replay) -> &[TreeRow] {
        let key = (replay.revision, language());
        if self.key != Some(key) {
            self.key = Some(key);
            self.rows = replay.record.as_ref().map_or_else(Vec::new, rows);
        }
        &self.rows
    }
}

/// The rows of a record, in the order in which they are shown.
fn rows(record: &Record) -> Vec<TreeRow> {
    let tree = record.tree();
    let mut rows: Vec<TreeRow> = Vec::new();
    let first = comment(tree.annotation(NodeId::ROOT));
    add_comment(&mut rows, NodeId::ROOT, &[first], 0);
    // Lines that are still to be shown: the first node and the level.
    let mut left: Vec<_> =
        tree.children(NodeId::ROOT).first().map(|&node| (node, 0)).into_iter().collect();
    while let Some((first, level)) = left.pop() {
        let mut history = record.line_to(tree.parent(first).unwrap_or(NodeId::ROOT));
        let mut is_new_row = true;
        for node in tree.line(first) {
            if tree.ply(node).is_none_or(|ply| history.push(ply).is_err()) {
                break;
            }
            let note = tree.annotation(node);
            is_new_row |= add_comment(&mut rows, node, note.comments_before(), level);
            add(&mut rows, record, &history, node, level, is_new_row);
            is_new_row = add_comment(&mut rows, node, note.comments(), level);
            let parent = tree.parent(node).filter(|_| tree.continues_line(node));
            let variations = parent.map_or(&[][..], |parent| &tree.children(parent)[1..]);
            if variations.is_empty() {
                continue;
            }
            left.extend(tree.children(node).first().map(|&next| (next, level)));
            left.extend(variations.iter().rev().map(|&other| (other, level + 1)));
            break;
        }
    }
    rows
}

/// The comments on a node, without clock times.
fn comment(note: &Annotation) -> String {
    let comments = note.comments_before().iter().chain(note.comments());
    let comments: Vec<_> = comments.filter_map(|it| strip_clock_command(it)).collect();
    comments.join("\n")
}

/// A row of a comment has about so many letters: rows are of one height.
const COMMENT_WIDTH: usize = 30;

/// Adds the rows of comments on a node, without clock times; whether there are any.
fn add_comment(rows: &mut Vec<TreeRow>, node: NodeId, comments: &[String], level: usize) -> bool {
    let comments: Vec<_> = comments.iter().filter_map(|it| strip_clock_command(it)).collect();
    let text = comments.join("\n");
    let room = COMMENT_WIDTH - 2 * level.min(MAX_INDENT);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let has_comment = !lines.is_empty();
    rows.extend(lines.into_iter().map(|line| {
        let (label, cells) = (String::new(), [None, None]);
        TreeRow { level, label, cells, comment: Some((node, line)) }
    }));
    has_comment
}

/// A glyph behind its move: a suffix directly, others after a space.
fn glyph_text(glyph: Glyph) -> String {
    match (glyph.suffix(), glyph.symbol()) {
        (Some(suffix), _) => suffix.to_owned(),
        (None, Some(symbol)) => format!(" {symbol}"),
        (None, None) => format!(" {glyph}"),
    }
}

/// Adds the last ply of a line to the last row, or in a new one.
fn add(
    rows: &mut Vec<TreeRow>,
    record: &Record,
    history: &GameHistory<AnyPosition>,
    node: NodeId,
    level: usize,
    is_new_row: bool,
) {
    let has_sticks = record.rules().has_sticks();
    let ply = history.len();
    let side = history.at(ply - 1).map_or(0, |before| before.side().index());
    let plain_sides = move_list::plain_sides(history, ply);
    let column = if has_sticks { usize::from(plain_sides.is_none()) } else { side };
    let note = record.tree().annotation(node);
    let glyphs: String = note.glyphs().map(glyph_text).collect();
    let cell = TreeCell {
        node,
        ply,
        plain_sides,
        text: move_list::text(history, ply) + &glyphs,
        comment: comment(note),
        description: describe_ply(history, ply),
        stands_out: move_list::stands_out(history, ply),
        is_marked: note.shapes().next().is_some(),
    };
    match rows.last_mut().filter(|row| !is_new_row && column == 1 && row.cells[1].is_none()) {
        Some(row) => row.cells[1] = Some(cell),
        None => {
            let label = if has_sticks {
                let name = move_list::mover(history, ply).map(|it| side_label(record.rules(), it));
                name.unwrap_or_default().to_owned()
            } else {
                let offset = history.start().side().index();
                let number = (ply - 1 + offset) / 2 + 1;
                format!("{number}{}", if column == 0 { "." } else { "…" })
            };
            let mut row = TreeRow { level, label, cells: [None, None], comment: None };
            row.cells[column] = Some(cell);
            rows.push(row);
        }
    }
}

/// The list's content for one frame.
#[derive(Clone, Copy)]
pub(super) struct ListedTree<'a> {
    pub(super) rows: &'a [TreeRow],
    /// The node that is shown on the board.
    pub(super) current: NodeId,
    /// The nodes of the plies on the line that is shown.
    pub(super) on_line: &'a dyn Fn(usize) -> NodeId,
    /// The sign of a mistake on that line, where it was analysed.
    pub(super) sign: &'a dyn Fn(usize) -> Option<&'static str>,
    /// What is written on the node that is shown.
    pub(super) note: &'a Annotation,
    /// Whether the node that is shown is in a variation.
    pub(super) in_variation: bool,
    /// Whether there are changes that are in no file.
    pub(super) is_unsaved: bool,
}

impl ListedTree<'_> {
    /// The index of the row with the node that is shown.
    pub(super) fn current_row(&self) -> usize {
        let has_current =
            |row: &TreeRow| row.cells.iter().flatten().any(|cell| cell.node == self.current);
        self.rows.iter().position(has_current).unwrap_or(0)
    }

    /// The buttons that annotate the move that is shown, and those that edit its line
    /// where there is something to edit: the menus have them all.
    pub(super) fn tools(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let is_move = self.current != NodeId::ROOT;
        ui.spacing_mut().item_spacing = vec2(space(1), space(1));
        ui.add_space(space(1));
        ui.horizontal_wrapped(|ui| {
            // So narrow that the comment's button has room beside them.
            let beside = widgets::buttons_width(ui, &[tr("line.comment")]);
            #[expect(clippy::cast_precision_loss, reason = "six glyphs")]
            let count = Glyph::WITH_SUFFIX.len() as f32;
            let room = (ui.available_width() - beside) / count;
            let width = (room - space(1)).clamp(MIN_GLYPH_WIDTH, MAX_GLYPH_WIDTH);
            ui.add_enabled_ui(is_move, |ui| {
                let chosen = |glyph| self.note.glyphs().any(|it| it == glyph);
                glyph_buttons(ui, width, &chosen, actions);
            });
            for (is_shown, text, label, action) in [
                (true, tr("line.comment"), tr("line.comment-title"), open_comment()),
                (self.in_variation, tr("line.up"), tr("line.promote"), promote()),
                (self.in_variation, tr("line.remove"), tr("line.delete"), delete()),
                (self.is_unsaved, tr("menu.save"), tr("key.line-save"), save()),
            ] {
                if !is_shown {
                    continue;
                }
                let button = widgets::button(ui, text);
                widgets::set_accessible_label(&button, label);
                if button.on_hover_text(label).clicked() {
                    actions.push(action);
                }
            }
        });
    }

    pub(super) fn show_row(
        &self,
        ui: &mut Ui,
        index: usize,
        has_sticks: bool,
        actions: &mut Vec<Action>,
    ) {
        let row = &self.rows[index];
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            #[expect(clippy::cast_precision_loss, reason = "a few levels")]
            let indent = row.level.min(MAX_INDENT) as f32 * INDENT;
            if indent > 0.0 {
                let (rect, _) = ui.allocate_exact_size(vec2(indent, ROW_HEIGHT), Sense::hover());
                let x = rect.right() - 2.0;
                let line = [pos2(x, rect.top()), pos2(x, rect.bottom())];
                ui.painter().line_segment(line, (1.0, MUTED));
            }
            if let Some((node, text)) = &row.comment {
                let font = FontId::proportional(SMALL);
                let label = Label::new(RichText::new(text).font(font).italics().color(MUTED));
                let label = label.wrap_mode(TextWrapMode::Truncate).sense(Sense::click());
                if ui.add(label).clicked() {
                    actions.push(ReplayAction::GoTo(*node).into());
                }
                return;
            }
            let is_narrow = ui.available_width() < 262.0;
            let first = if has_sticks && is_narrow { 1 } else { usize::MAX };
            let label: String = row.label.chars().take(first).collect();
            move_list::label(ui, &label, move_list::label_width(has_sticks, is_narrow));
            let room = ui.available_width() - 4.0;
            let widths = if has_sticks {
                let throws = (room * 0.42).min(126.0);
                [throws, room - throws]
            } else {
                [room / 2.0; 2]
            };
            for (cell, width) in row.cells.iter().zip(widths) {
                match cell {
                    Some(cell) => self.show_cell(ui, row.level, cell, width, actions),
                    None => _ = ui.allocate_exact_size(vec2(width, ROW_HEIGHT), Sense::hover()),
                }
            }
        });
    }

    fn show_cell(
        &self,
        ui: &mut Ui,
        level: usize,
        cell: &TreeCell,
        width: f32,
        actions: &mut Vec<Action>,
    ) {
        let is_on_line = (self.on_line)(cell.ply) == cell.node;
        let sign = if is_on_line { (self.sign)(cell.ply) } else { None };
        let color = match (sign, cell.stands_out) {
            (Some(_), _) => ERROR,
            (None, true) => ACCENT,
            (None, false) if cell.plain_sides.is_some() || level > 0 && !is_on_line => MUTED,
            (None, false) => TEXT,
        };
        let look = CellLook {
            plain_sides: cell.plain_sides,
            text: cell.text.clone() + sign.unwrap_or(""),
            color,
            is_current: cell.node == self.current,
            comment: cell.comment.clone(),
            has_dot: cell.is_marked,
            description: cell.description.clone(),
        };
        let response = move_list::paint_cell(ui, &look, width);
        if response.clicked() {
            actions.push(ReplayAction::GoTo(cell.node).into());
        }
        if response.secondary_clicked() {
            actions.push(ReplayAction::GoTo(cell.node).into());
        }
        Popup::context_menu(&response).show(|ui| edit_menu(ui, actions));
    }
}

/// What can be done with the move that is shown.
pub(crate) fn edit_menu(ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| glyph_buttons(ui, MAX_GLYPH_WIDTH, &|_| false, actions));
    for (text, action) in [
        (tr("line.comment"), open_comment()),
        (tr("line.promote"), promote()),
        (tr("line.make-main"), ReplayAction::MakeMain.into()),
        (tr("line.clear-drawing"), ReplayAction::ClearShapes.into()),
        (tr("line.delete"), delete()),
    ] {
        if widgets::button(ui, text).clicked() {
            actions.push(action);
            ui.close();
        }
    }
}

fn open_comment() -> Action {
    UiAction::OpenDialog(Dialog::Comment).into()
}

fn promote() -> Action {
    ReplayAction::Promote.into()
}

fn delete() -> Action {
    ReplayAction::DeleteFromHere.into()
}

fn save() -> Action {
    UiAction::Prompt(Prompt::Save).into()
}

/// The least and the greatest width of a glyph's button; the least has room for "??".
const MIN_GLYPH_WIDTH: f32 = 18.0;
const MAX_GLYPH_WIDTH: f32 = space(9);

/// A button of this width for each glyph; those of the move are marked.
fn glyph_buttons(
    ui: &mut Ui,
    width: f32,
    is_chosen: &dyn Fn(Glyph) -> bool,
    actions: &mut Vec<Action>,
) {
    let size = vec2(width, ui.spacing().interact_size.y);
    let fill = Layout::centered_and_justified(Direction::TopDown);
    for glyph in Glyph::WITH_SUFFIX {
        let text = glyph.suffix().unwrap_or_default();
        let button = |ui: &mut Ui| {
            ui.spacing_mut().button_padding.x = 0.0;
            widgets::choice_button(ui, is_chosen(glyph), text)
        };
        let response = ui.allocate_ui_with_layout(size, fill, button).inner;
        widgets::set_accessible_label(&response, glyph_name(glyph));
        if response.on_hover_text(glyph_name(glyph)).clicked() {
            actions.push(ReplayAction::SetGlyph(Some(glyph.0)).into());
        }
    }
}

/// What a glyph says about a move.
fn glyph_name(glyph: Glyph) -> &'static str {
    match glyph.0 {
        1 => tr("line.good"),
        2 => tr("line.poor"),
        3 => tr("line.very-good"),
        4 => tr("line.very-poor"),
        5 => tr("line.speculative"),
        _ => tr("line.questionable"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::read;

    fn shown(text: &str) -> Vec<String> {
        let record = read(text).expect("a record").remove(0);
        let shown = rows(&record);
        let cell =
            |cell: &Option<TreeCell>| cell.as_ref().map_or("-".to_owned(), |it| it.text.clone());
        shown
            .iter()
            .map(|row| {
                let indent = ">".repeat(row.level);
                if let Some((_, comment)) = &row.comment {
                    return format!("{indent}{{{comment}}}");
                }
                format!("{indent}{} {} {}", row.label, cell(&row.cells[0]), cell(&row.cells[1]))
            })
            .collect()
    }

    #[test]
    fn variations_are_indented_below_the_move_that_they_replace() {
        let text = "[Rules \"tablaaza\"]\n\n1. c7! (1. c1 d1 (1... b1 2. a1)) (1. e1) c6 2. a1 (2. e1 $14) *";
        assert_eq!(
            shown(text),
            [
                "1. c7! -",
                ">1. c1 d1",
                ">>1… - b1",
                ">>2. a1 -",
                ">1. e1 -",
                "1… - c6",
                "2. a1 -",
                ">2. e1 += -",
            ]
        );
    }

    #[test]
    fn comments_stand_below_their_moves() {
        let text = "[Rules \"tablaaza\"]\n\n{At first} 1. c7 {far\naway} (1. c1 {near}) c6 *";
        let rows = ["{At first}", "1. c7 -", "{far away}", ">1. c1 -", ">{near}", "1… - c6"];
        assert_eq!(shown(text), rows);
        let text = "[Rules \"tablaaza\"]\n\n1. c7 ({Slower} 1. c1 $13 d1 $8) c6 *";
        assert_eq!(shown(text), ["1. c7 -", ">{Slower}", ">1. c1 ∞ d1 $8", "1… - c6"]);
        let text = "[Rules \"tablaaza\"]\n\n1. c7 {It keeps the pair, swaps the others and wins} *";
        let rows = ["1. c7 -", "{It keeps the pair, swaps the}", "{others and wins}"];
        assert_eq!(shown(text), rows);
    }

    #[test]
    fn a_game_without_variations_has_a_row_for_each_pair() {
        let text = "[Rules \"tablut/ashton\"]\n\n1. e4-f4 d1-d4 2. e3-f3 *";
        assert_eq!(shown(text), ["1. e4-f4 d1-d4", "2. e3-f3 -"]);
    }
}
