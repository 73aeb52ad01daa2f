//! Writing `.tab` text.

use std::fmt::{self, Write as _};

use tabulae_games::{AnyPosition, Game, MoveNumbering, Ply, Side};

use super::{NodeId, Record, record::own_tags};

/// The longest line of moves, in characters.
const WIDTH: usize = 80;

impl fmt::Display for Record {
    /// Writes the record as `.tab` text. Several with an empty line between make a
    /// file of several games.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.history().start();
        let position = (*start != AnyPosition::start(self.rules())).then(|| start.to_string());
        let [rules, date, first, second, seed, from, result, termination] = own_tags(self.rules());
        tag(f, rules, Some(self.rules().id()))?;
        tag(f, date, self.date.as_deref())?;
        tag(f, first, Some(&self.players[Side::First.index()]))?;
        tag(f, second, Some(&self.players[Side::Second.index()]))?;
        tag(f, seed, self.seed.map(|seed| seed.to_string()).as_deref())?;
        tag(f, from, position.as_deref())?;
        tag(f, result, Some(self.result().token()))?;
        tag(f, termination, self.termination())?;
        for (name, value) in self.tags() {
            tag(f, name, Some(value))?;
        }
        f.write_char('\n')?;
        f.write_str(&self.movetext())?;
        f.write_char('\n')
    }
}

impl Record {
    /// The plies, variations, comments and result in wrapped lines.
    fn movetext(&self) -> String {
        let mut page = WrappedText::default();
        let root = self.tree().annotation(NodeId::ROOT);
        page.comments(&root.shape_commands(), root.comments());
        let mut left = Vec::new();
        left.extend(self.tree().children(NodeId::ROOT).first().map(|&node| {
            Unwritten::Line(Line {
                node,
                position: self.history().start().clone(),
                numbering: MoveNumbering::default(),
                continues: false,
                is_interrupted: false,
            })
        }));
        while let Some(next) = left.pop() {
            match next {
                Unwritten::Close => page.close(),
                Unwritten::Line(line) => self.write_line(line, &mut page, &mut left),
            }
        }
        page.word(self.result().token());
        page.finish()
    }

    /// Writes a line up to its first variations. Those, and the rest of the line,
    /// come into `left`, with what is written first at the end.
    fn write_line(&self, line: Line, page: &mut WrappedText, left: &mut Vec<Unwritten>) {
        let tree = self.tree();
        let Line { node: first, mut position, mut numbering, mut continues, mut is_interrupted } =
            line;
        for node in tree.line(first) {
            let Some(ply) = tree.ply(node) else { return };
            let (before, numbering_before) = (position.clone(), numbering);
            let note = tree.annotation(node);
            let (rules, side) = (self.rules(), before.side());
            let new_turn = numbering.advance(rules, side);
            let is_first = rules.has_sticks() || side == Side::First;
            let (notation, played) = match ply {
                Ply::Move(mv) => (before.notation(mv), position.play(mv)),
                Ply::Throw(throw) => (throw.to_string(), position.throw(throw)),
            };
            if played.is_err() {
                return; // No ply of a record is illegal.
            }
            let number = numbering.number();
            let mut text = if is_first && new_turn {
                format!("{number}. {notation}")
            } else if !continues && !rules.has_sticks() || is_interrupted {
                format!("{number}... {notation}")
            } else {
                notation
            };
            let mut glyphs: Vec<_> = note.glyphs().collect();
            if let Some(at) = glyphs.iter().position(|glyph| glyph.suffix().is_some()) {
                text += &glyphs.remove(at).to_string();
            }
            if !tree.continues_line(node) {
                page.open();
            }
            page.comments("", note.comments_before());
            page.word(&text);
            for glyph in glyphs {
                page.word(&format!("${}", glyph.0));
            }
            let commands = note.shape_commands();
            page.comments(&commands, note.comments());
            // A number stands again behind a comment, but not in Tablan.
            continues = commands.is_empty() && note.comments().is_empty();
            is_interrupted = false;
            let variations = match tree.parent(node) {
                Some(parent) if tree.continues_line(node) => &tree.children(parent)[1..],
                _ => &[],
            };
            if variations.is_empty() {
                continue;
            }
            left.extend(tree.children(node).first().map(|&node| {
                Unwritten::Line(Line { node, position, numbering, continues, is_interrupted: true })
            }));
            for &node in variations.iter().rev() {
                left.push(Unwritten::Close);
                left.push(Unwritten::Line(Line {
                    node,
                    position: before.clone(),
                    numbering: numbering_before,
                    continues: false,
                    is_interrupted: true,
                }));
            }
            return;
        }
    }
}

/// What is still to be written.
enum Unwritten {
    /// The end of a variation.
    Close,
    Line(Line),
}

/// A line from a node to its end.
struct Line {
    node: NodeId,
    /// The position before the node.
    position: AnyPosition,
    /// The numbering before the node.
    numbering: MoveNumbering,
    /// Whether the ply before the node is the last thing written.
    continues: bool,
    /// Whether a variation begins, or has just ended.
    is_interrupted: bool,
}

fn tag(f: &mut fmt::Formatter<'_>, name: &str, value: Option<&str>) -> fmt::Result {
    let Some(value) = value else { return Ok(()) };
    write!(f, "[{name} \"")?;
    for symbol in value.chars() {
        match symbol {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            other => f.write_char(other)?,
        }
    }
    f.write_str("\"]\n")
}

/// Words in lines of at most [`WIDTH`] characters. Comments keep their own line
/// ends and get no others, so that they parse back equal.
#[derive(Default)]
struct WrappedText {
    text: String,
    column: usize,
    /// The last word, to which a parenthesis may still be added.
    last: String,
    /// Whether a parenthesis stands before the next word.
    opens: bool,
}

impl WrappedText {
    fn word(&mut self, word: &str) {
        self.flush();
        if std::mem::take(&mut self.opens) {
            self.last.push('(');
        }
        self.last.push_str(word);
    }

    const fn open(&mut self) {
        self.opens = true;
    }

    fn close(&mut self) {
        self.last.push(')');
    }

    fn flush(&mut self) {
        let word = std::mem::take(&mut self.last);
        if word.is_empty() {
            return;
        }
        let first = word.lines().next().unwrap_or_default().chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + first <= WIDTH;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(&word);
        self.column = match word.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + first,
        };
    }

    /// Writes the commands that draw shapes, which are a comment of their own, and
    /// the other comments.
    fn comments(&mut self, commands: &str, comments: &[String]) {
        if !commands.is_empty() {
            self.word(&format!("{{{commands}}}"));
        }
        for comment in comments {
            let escaped = comment.replace('\\', "\\\\").replace('}', "\\}");
            self.word(&format!("{{{escaped}}}"));
        }
    }

    fn finish(mut self) -> String {
        self.flush();
        self.text
    }
}
