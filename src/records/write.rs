//! Writing `.tab` text.

use std::fmt::{self, Write as _};

use crate::games::{AnyPosition, Game, Side};

use super::{Record, record::own_tags};

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
    /// The plies, comments and result in wrapped lines.
    fn movetext(&self) -> String {
        let history = self.history();
        let mut page = WrappedText::default();
        page.comments(self.comments(0));
        let mut before = None;
        for (ply, number) in (1..).zip(history.move_numbers()) {
            let side = history.at(ply - 1).map_or(Side::First, Game::side);
            let new_turn = before != Some(side);
            let text = history.notation(ply).unwrap_or_default();
            let after_comment = !self.comments(ply - 1).is_empty();
            if self.rules().has_sticks() {
                if new_turn {
                    page.word(&format!("{number}. {text}"));
                } else {
                    page.word(&text);
                }
            } else if side == Side::First {
                page.word(&format!("{number}. {text}"));
            } else if before.is_none() || after_comment {
                page.word(&format!("{number}... {text}"));
            } else {
                page.word(&text);
            }
            page.comments(self.comments(ply));
            before = Some(side);
        }
        page.word(self.result().token());
        page.text
    }
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
}

impl WrappedText {
    fn word(&mut self, word: &str) {
        let first = word.lines().next().unwrap_or_default().chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + first <= WIDTH;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.column = match word.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + first,
        };
    }

    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            let escaped = comment.replace('\\', "\\\\").replace('}', "\\}");
            self.word(&format!("{{{escaped}}}"));
        }
    }
}
