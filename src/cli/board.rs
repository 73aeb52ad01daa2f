//! A position in the terminal: as a diagram, in words, and the commands about it that a
//! game, an online game and a puzzle share.

use std::io::Stdout;

use super::screen::Screen;
use crate::{
    cli::prelude::*,
    games::GameKind,
    i18n::lookup,
    session::{BoardGrid, SquareKind, pieces_on},
};

/// A terminal with a position on its board.
pub(super) trait BoardTerminal {
    /// The text key of the list of its commands.
    const HELP: &'static str;

    /// Where it prints.
    fn out(&mut self) -> &mut Screen<Stdout>;

    /// The position on the board; `None` before there is one.
    fn position(&self) -> Option<&AnyPosition>;

    /// Prints what is to be done now, or how it ended.
    fn print_status(&mut self) -> io::Result<()>;

    /// Prints the diagram of the position.
    fn print_board(&mut self) -> io::Result<()> {
        let text = self.position().map(diagram).unwrap_or_default();
        write!(self.out(), "{text}")
    }

    /// Prints where every piece stands.
    fn print_pieces(&mut self) -> io::Result<()> {
        let text = self.position().map(describe).unwrap_or_default();
        write!(self.out(), "{text}")
    }

    /// Carries out a command that all such terminals have, by its English word; false for
    /// another word.
    fn answer_common(&mut self, word: &str) -> io::Result<bool> {
        match word {
            "" => self.print_status()?,
            "help" | "?" => write!(self.out(), "{}", tr(Self::HELP))?,
            "show" | "board" => {
                self.print_board()?;
                self.print_status()?;
            }
            "where" => self.print_pieces()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Prints the legal moves of a game whose notation starts with `from`; returns
/// whether there are any.
pub(super) fn print_moves(
    out: &mut impl Write,
    session: &GameSession,
    from: &str,
) -> io::Result<bool> {
    let from = from.to_lowercase();
    let position = session.history().position();
    let is_on = session.outcome().is_none();
    let legal = if is_on { session.history().legal_moves() } else { Vec::new() };
    let texts = legal.into_iter().map(|mv| position.notation(mv));
    let mut texts: Vec<_> = texts.filter(|text| text.to_lowercase().starts_with(&from)).collect();
    texts.sort_unstable();
    let (count, moves) = (texts.len().to_string(), texts.join(", "));
    let text = if !texts.is_empty() {
        tr_args("play.moves", &[("count", &count), ("moves", &moves)])
    } else if from.is_empty() {
        tr("play.no-such").to_owned()
    } else {
        tr_args("play.no-such-from", &[("from", &from)])
    };
    writeln!(out, "{text}")?;
    Ok(!texts.is_empty())
}

/// The English words of the commands, which are understood in any language.
#[rustfmt::skip]
const COMMANDS: [&str; 30] = [
    "quit", "help", "show", "where", "moves", "hint", "threats", "said", "throws", "draw",
    "recent", "turn", "throw", "undo", "redo", "resign", "new", "same", "next", "save", "open",
    "move", "accept", "decline", "admit", "rematch", "solution",
    // Other words for some of them.
    "exit", "?", "board",
];

/// The English word of a command in English or in the current language, with capitals or
/// without; another word is returned unchanged.
pub(super) fn english_word(word: &str) -> &str {
    let lower = word.to_lowercase();
    let is_translated = |command: &&&str| lookup(&format!("command.{command}")) == Some(&lower);
    // The words of the language come first, should one mean something else in English.
    let known = COMMANDS.iter().find(is_translated);
    known.or_else(|| COMMANDS.iter().find(|command| **command == lower)).copied().unwrap_or(word)
}

/// Draws the board with coordinates on its edges and the legend below.
fn diagram(position: &AnyPosition) -> String {
    let board = BoardGrid::new(position.rules());
    let pieces = pieces_on(position);
    let symbol = |square: Square, kind| {
        let piece = pieces.iter().find(|(at, _)| *at == square);
        piece.map_or_else(|| empty_symbol(kind), |(_, piece)| piece.letter())
    };
    let mut files = "  ".to_owned();
    files.extend((b'a'..).take(board.files.into()).flat_map(|file| [' ', char::from(file)]));
    let mut text = format!("{files}\n");
    for row in board.squares.chunks(board.files.into()).rev() {
        let number = row.first().map_or(0, |(square, _)| square.rank + 1);
        text += &format!("{number:2}");
        text.extend(row.iter().flat_map(|&(square, kind)| [' ', symbol(square, kind)]));
        text += &format!(" {number}\n");
    }
    text + &files + "\n" + legend(position.rules()) + "\n"
}

/// The symbol of an empty square: Tablaaza's have two colours, and Tablut's castle is
/// marked.
const fn empty_symbol(square: SquareKind) -> char {
    match square {
        SquareKind::Castle => '+',
        SquareKind::Lake => '~',
        SquareKind::Plot(Side::Second) => ',',
        _ => '.',
    }
}

fn legend(rules: RuleSet) -> &'static str {
    match rules.game() {
        GameKind::Tablut => tr("drawing.tablut"),
        GameKind::Tablan => tr("drawing.tablan"),
        GameKind::Tablaaza => tr("drawing.tablaaza"),
    }
}

/// Lists the squares of each kind of piece, a line each, for screen readers.
fn describe(position: &AnyPosition) -> String {
    let kinds: &[(&'static str, char)] = match position.rules().game() {
        GameKind::Tablut => {
            &[("drawing.king", 'K'), ("drawing.white", 'W'), ("drawing.black", 'B')]
        }
        GameKind::Tablan => &[("side.south", 'S'), ("side.north", 'N')],
        GameKind::Tablaaza => {
            &[("drawing.red", 'r'), ("drawing.green", 'g'), ("count.pavilions", 'p')]
        }
    };
    let mut pieces = pieces_on(position);
    pieces.sort_unstable_by_key(|(square, _)| *square);
    let mut text = String::new();
    for (name, symbol) in kinds {
        let own = pieces.iter().filter(|(_, piece)| piece.letter() == *symbol);
        let names: Vec<_> = own.map(|(square, _)| square.to_string()).collect();
        let list = if names.is_empty() { tr("drawing.none").to_owned() } else { names.join(" ") };
        text += &format!("{}: {list}.\n", tr(name));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        i18n::{Language, set_thread_language},
        session::Setup,
    };

    #[test]
    fn every_command_is_known_by_its_words_in_both_languages() {
        for language in Language::ALL {
            set_thread_language(Some(language));
            let texts = language.texts().iter();
            let words: Vec<_> = texts
                .filter_map(|(key, word)| Some((key.strip_prefix("command.")?, word)))
                .collect();
            assert_eq!(words.len() + 3, COMMANDS.len(), "three have no text of their own");
            for (command, word) in words {
                assert_eq!(english_word(word), command);
                assert_eq!(english_word(&command.to_uppercase()), command);
            }
        }
        set_thread_language(None);
        assert_eq!(english_word("E4-f4"), "E4-f4");
    }

    #[test]
    fn moves_are_listed_by_any_spelling_of_a_square_and_none_after_the_end() {
        let mut session = GameSession::new(Setup::new(RuleSet::Tablaaza));
        let listed = |session: &GameSession, from| {
            let mut text = Vec::new();
            let has_moves = print_moves(&mut text, session, from).expect("written");
            (has_moves, String::from_utf8(text).expect("text"))
        };
        let (has_moves, text) = listed(&session, "C7");
        assert!(has_moves && text.contains("c7") && !text.contains("c5"), "{text}");
        assert!(!listed(&session, "z9").0);
        assert!(session.resign(Side::First));
        assert!(!listed(&session, "").0);
    }
}
