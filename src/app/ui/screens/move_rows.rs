//! The rows of the list of moves: a main line, and in a replay below its moves the
//! variations, indented.

use std::ops::RangeInclusive;

use bevy::prelude::Resource;

use super::plies;
use crate::{
    app::ui::prelude::*,
    i18n::language,
    records::{Annotation, Glyph, NodeId},
    session::{describe_ply_of, strip_clock_command},
};

/// Variations deeper than this are indented no further.
pub(super) const MAX_INDENT: usize = 5;

/// The rows of the game or the record that is shown, kept until it changes.
#[derive(Resource, Debug, Default)]
pub(crate) struct MoveRows {
    key: Option<(Source, Language)>,
    rows: Vec<MoveRow>,
}

/// What the rows are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// The record that is replayed, at this revision.
    Replay(u64),
    /// The game of this number, with so many plies, and the key of its last position.
    Game(u64, usize, u64),
}

/// A row: without sticks a move of the first side and one of the second; with sticks a
/// throw and the move made with it.
#[derive(Debug)]
pub(super) struct MoveRow {
    /// How many variations it is in.
    pub(super) level: usize,
    /// The number of the move, or with sticks whose turn it was.
    pub(super) label: String,
    pub(super) cells: [Option<MoveCell>; 2],
    /// Instead of a throw and its move, throws after one another that brought nothing.
    pub(super) passes: Vec<MoveCell>,
    /// Instead of moves, the comment on the position after this node.
    pub(super) comment: Option<(NodeId, String)>,
}

/// A ply.
#[derive(Debug)]
pub(super) struct MoveCell {
    /// Its node in the record that is replayed.
    pub(super) node: Option<NodeId>,
    /// Its number in its line.
    pub(super) ply: usize,
    pub(super) text: String,
    /// The comment; empty for none.
    pub(super) comment: String,
    /// Who made it.
    pub(super) side: Option<Side>,
    /// What happened, in words.
    pub(super) description: Vec<String>,
    /// Whether it captures, raises a pavilion or ends the game.
    pub(super) stands_out: bool,
    /// How many plain sides a throw showed: drawn as sticks before the text.
    pub(super) plain_sides: Option<u8>,
    /// Whether it is a throw that brought nothing and passed the sticks.
    pub(super) passes: bool,
    /// Whether a dot says that there is more.
    pub(super) is_marked: bool,
}

/// So many throws that brought nothing share a row.
const MOST_PASSES: usize = 4;

impl MoveRow {
    /// What can be clicked in it.
    pub(super) fn plies(&self) -> impl Iterator<Item = &MoveCell> {
        self.cells.iter().flatten().chain(&self.passes)
    }

    /// Adds a throw that brought nothing to a row that has such throws only; gives it back
    /// where that is not possible.
    fn add_pass(&mut self, name: &str, mut cell: MoveCell) -> Option<MoveCell> {
        let named = |name: &str, cell: &mut MoveCell| {
            cell.text = tr_args("keys.of", &[("command", name), ("key", &cell.text)]);
        };
        if let [Some(only), None] = &self.cells
            && only.passes
        {
            let mut first = self.cells[0].take();
            first.iter_mut().for_each(|first| named(&self.label, first));
            self.passes.extend(first);
            self.label.clear();
        }
        if self.passes.is_empty() || self.passes.len() == MOST_PASSES {
            return Some(cell);
        }
        named(name, &mut cell);
        self.passes.push(cell);
        None
    }
}

impl MoveCell {
    fn of(history: &GameHistory<AnyPosition>, ply: usize) -> Self {
        Self {
            node: None,
            ply,
            text: plies::text(history, ply),
            comment: String::new(),
            side: plies::mover(history, ply),
            description: describe_ply(history, ply),
            stands_out: plies::stands_out(history, ply),
            plain_sides: plies::plain_sides(history, ply),
            passes: plies::passes(history, ply),
            is_marked: false,
        }
    }
}

impl MoveRows {
    /// The rows of the record that is replayed.
    pub(super) fn of_replay(&mut self, replay: &Replay) -> &[MoveRow] {
        let record = replay.record.as_ref();
        self.update(Source::Replay(replay.revision), || record.map_or_else(Vec::new, of_record))
    }

    /// The rows of the first `plies` plies of the game of this number; of the throws that drew
    /// who starts only the last is listed.
    pub(super) fn of_game(
        &mut self,
        number: u64,
        table: &GameSession,
        plies: usize,
        comment: &dyn Fn(usize) -> String,
    ) -> &[MoveRow] {
        let (history, first) = (table.history(), table.drawn_throws().max(1));
        let key = history.at(plies).map_or(0, Game::key);
        self.update(Source::Game(number, plies, key), || {
            let mut rows = of_game(history, first..=plies, comment);
            for cell in rows.iter_mut().flat_map(|row| row.cells.iter_mut().flatten()) {
                cell.description = describe_ply_of(table, cell.ply);
                if table.moved_follower_first(cell.ply) {
                    cell.text = plies::follower_first(&cell.text);
                }
            }
            rows
        })
    }

    fn update(&mut self, source: Source, rows: impl FnOnce() -> Vec<MoveRow>) -> &[MoveRow] {
        let key = (source, language());
        if self.key != Some(key) {
            self.key = Some(key);
            self.rows = rows();
        }
        &self.rows
    }
}

/// The rows of these plies of a game; a dot stands for a comment.
fn of_game(
    history: &GameHistory<AnyPosition>,
    plies: RangeInclusive<usize>,
    comment: &dyn Fn(usize) -> String,
) -> Vec<MoveRow> {
    let mut rows = Vec::with_capacity(plies.end() / 2 + 1);
    for ply in *plies.start()..=(*plies.end()).min(history.len()) {
        let comment = comment(ply);
        let is_marked = !comment.is_empty();
        add(
            &mut rows,
            history,
            MoveCell { comment, is_marked, ..MoveCell::of(history, ply) },
            0,
            false,
        );
    }
    rows
}

/// The rows of a record, in the order in which they are shown.
fn of_record(record: &Record) -> Vec<MoveRow> {
    let tree = record.tree();
    let mut rows: Vec<MoveRow> = Vec::new();
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
            let glyphs: String = note.glyphs().map(glyph_text).collect();
            let cell = MoveCell::of(&history, history.len());
            let cell = MoveCell {
                node: Some(node),
                text: cell.text.clone() + &glyphs,
                comment: comment(note),
                is_marked: note.shapes().next().is_some(),
                ..cell
            };
            add(&mut rows, &history, cell, level, is_new_row);
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
    let comments: Vec<_> = comments.filter_map(|comment| strip_clock_command(comment)).collect();
    comments.join("\n")
}

/// A row of a comment has about so many letters: rows are of one height.
const COMMENT_WIDTH: usize = 30;

/// Adds the rows of comments on a node, without clock times; whether there are any.
fn add_comment(rows: &mut Vec<MoveRow>, node: NodeId, comments: &[String], level: usize) -> bool {
    let comments: Vec<_> =
        comments.iter().filter_map(|comment| strip_clock_command(comment)).collect();
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
        MoveRow { level, label, cells, passes: Vec::new(), comment: Some((node, line)) }
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

/// Adds a ply to the last row, or in a new one.
fn add(
    rows: &mut Vec<MoveRow>,
    history: &GameHistory<AnyPosition>,
    cell: MoveCell,
    level: usize,
    is_new_row: bool,
) {
    let (rules, ply) = (history.start().rules(), cell.ply);
    let has_sticks = rules.has_sticks();
    let side = history.at(ply - 1).map_or(0, |before| before.side().index());
    let column = if has_sticks { usize::from(cell.plain_sides.is_none()) } else { side };
    let name = || plies::mover(history, ply).map_or("", |side| side_label(rules, side));
    let cell = match rows.last_mut().filter(|_| !is_new_row && cell.passes) {
        Some(row) => match row.add_pass(name(), cell) {
            Some(cell) => cell,
            None => return,
        },
        None => cell,
    };
    let has_room = |row: &&mut MoveRow| row.cells[1].is_none() && row.passes.is_empty();
    match rows.last_mut().filter(|row| !is_new_row && column == 1 && has_room(row)) {
        Some(row) => row.cells[1] = Some(cell),
        None => {
            let label = if has_sticks {
                name().to_owned()
            } else {
                let offset = history.start().side().index();
                let number = (ply - 1 + offset) / 2 + 1;
                format!("{number}{}", if column == 0 { "." } else { "…" })
            };
            let cells = [None, None];
            let mut row = MoveRow { level, label, cells, passes: Vec::new(), comment: None };
            row.cells[column] = Some(cell);
            rows.push(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::read;

    fn shown(text: &str) -> Vec<String> {
        let record = read(text).expect("a record").remove(0);
        let shown = of_record(&record);
        let cell = |cell: &Option<MoveCell>| {
            cell.as_ref().map_or("-".to_owned(), |cell| cell.text.clone())
        };
        shown
            .iter()
            .map(|row| {
                let indent = ">".repeat(row.level);
                if let Some((_, comment)) = &row.comment {
                    return format!("{indent}{{{comment}}}");
                }
                if !row.passes.is_empty() {
                    let texts: Vec<_> = row.passes.iter().map(|cell| &*cell.text).collect();
                    return format!("{indent}{}", texts.join(" "));
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

    fn played(rules: RuleSet, plies: &str) -> GameHistory<AnyPosition> {
        let mut history = GameHistory::new(AnyPosition::start(rules));
        for text in plies.split_whitespace() {
            let ply = history.parse(text).unwrap();
            history.push(ply).unwrap();
        }
        history
    }

    fn cells(history: &GameHistory<AnyPosition>, plies: usize) -> Vec<[Option<usize>; 2]> {
        let rows = of_game(history, 1..=plies, &|_| String::new());
        rows.iter()
            .map(|row| row.cells.each_ref().map(|cell| cell.as_ref().map(|cell| cell.ply)))
            .collect()
    }

    #[test]
    fn without_sticks_a_row_holds_a_move_of_each_side() {
        let history = played(RuleSet::TablutAshton, "e4-f4 e2-f2 c5-c4");
        assert_eq!(cells(&history, 3), [[Some(1), Some(2)], [Some(3), None]]);
        assert_eq!(cells(&history, 1).len(), 1, "only what has been shown");
    }

    #[test]
    fn with_sticks_a_row_holds_a_throw_and_its_move() {
        let history = played(RuleSet::Tablan, "t2 t1 a4-b3 t2");
        assert_eq!(cells(&history, 4), [[Some(1), None], [Some(2), Some(3)], [Some(4), None]]);
    }

    #[test]
    fn throws_after_one_another_that_bring_nothing_share_a_row() {
        let text = "[Rules \"tablan\"]\n\nt1 l1-k2 t2 t3 t2 t3 t2 t4 *";
        let passed = "South: no score North: no score South: no score North: no score";
        let rows = ["South starts l1-k2", passed, "South no score -", "North 8 -"];
        assert_eq!(shown(text), rows);
        let history = played(RuleSet::Tablan, "t1 l1-k2 t2 t3 t2");
        let rows = of_game(&history, 1..=5, &|_| String::new());
        assert_eq!(rows.len(), 2);
        assert!(rows[1].plies().map(|cell| cell.ply).eq(3..=5));
        let rows = of_game(&history, 1..=3, &|_| String::new());
        assert_eq!(rows[1].label, "South", "one alone has a row of its own");
    }

    #[test]
    fn the_rows_of_a_game_follow_its_plies() {
        let mut rows = MoveRows::default();
        let history = played(RuleSet::TablutAshton, "e4-f4 e2-f2");
        let comment = |ply: usize| if ply == 2 { "why".to_owned() } else { String::new() };
        let table = GameSession::exercise(history);
        assert_eq!(rows.of_game(1, &table, 1, &comment).len(), 1);
        let shown = rows.of_game(1, &table, 2, &comment);
        let last = shown[0].cells[1].as_ref().expect("a move");
        assert!(last.is_marked && last.comment == "why");
    }

    #[test]
    fn a_pair_is_listed_as_it_was_moved() {
        let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1").unwrap();
        let mut table = GameSession::exercise(GameHistory::new(start.clone()));
        table.play(start.parse_move("e1-f1+a1-b1").unwrap()).unwrap();
        for (first, text, told) in [
            ("e1", "e1-f1+a1-b1", "South moves e1 to f1 and a1 to b1."),
            ("a1", "a1-b1+e1-f1", "South moves a1 to b1 and e1 to f1."),
        ] {
            table.note_first_step(first.parse().unwrap());
            let mut rows = MoveRows::default();
            let rows = rows.of_game(1, &table, 1, &|_| String::new());
            let cell = rows[0].plies().next().expect("a move");
            assert_eq!((cell.text.as_str(), cell.description[0].as_str()), (text, told));
        }
    }

    #[test]
    fn of_the_throws_that_drew_who_starts_only_the_last_is_listed() {
        let drawn = |seed: &u64| {
            let setup =
                Setup { draws_start: true, seed: Some(*seed), ..Setup::new(RuleSet::Tablan) };
            Some(GameSession::new(setup)).filter(|table| table.drawn_throws() > 2)
        };
        let table = (0..).find_map(|seed| drawn(&seed)).expect("several throws");
        let plies = table.history().len();
        let mut rows = MoveRows::default();
        let rows = rows.of_game(1, &table, plies, &|_| String::new());
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].cells[0].as_ref().map(|cell| cell.ply), Some(plies));
    }
}
