//! What a line that was typed does.

use std::{
    io::{self, Write},
    path::Path,
};

use crate::{
    engines::Level,
    games::{Game, Illegal, Ply, Turn},
    i18n::{tr, tr_args},
    records::Record,
    table::{GameSession, Outcome, Seat, describe_outcome, today, write_atomic},
};

use super::{Failure, Terminal, board, cannot, game_of, games_in};

/// The commands, by their English words, which are understood in any language;
/// each language has its own besides.
const COMMANDS: [(&str, &str); 23] = [
    ("quit", "command.quit"),
    ("help", "command.help"),
    ("show", "command.show"),
    ("where", "command.where"),
    ("moves", "command.moves"),
    ("hint", "command.hint"),
    ("threats", "command.threats"),
    ("said", "command.said"),
    ("throws", "command.throws"),
    ("draw", "command.draw"),
    ("recent", "command.recent"),
    ("turn", "command.turn"),
    ("throw", "command.throw"),
    ("undo", "command.undo"),
    ("redo", "command.redo"),
    ("resign", "command.resign"),
    ("new", "command.new"),
    ("save", "command.save"),
    ("open", "command.open"),
    ("move", "command.move"),
    ("exit", "command.quit"),
    ("?", "command.help"),
    ("board", "command.show"),
];

/// The English word for a command that was typed, if it is one.
fn command_of(word: &str) -> &str {
    let own = COMMANDS.iter().find(|(_, key)| tr(key) == word);
    own.map_or(word, |(command, _)| command)
}

impl Terminal<'_> {
    /// Carries out a line; false when it says to quit.
    pub(super) fn command(&mut self, line: &str) -> Result<bool, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command_of(word) {
            "" => self.status()?,
            "quit" | "exit" => return self.leaves().map(|leaves| !leaves).map_err(Failure::from),
            "help" | "?" => write!(self.out, "{}", tr("play.help"))?,
            "show" | "board" => {
                self.show()?;
                self.counts()?;
                self.status()?;
            }
            "where" => {
                let words = board::words(self.table.history().position());
                write!(self.out, "{words}")?;
                self.counts()?;
                self.status()?;
            }
            "moves" => self.moves(rest)?,
            "hint" => self.hint()?,
            "threats" => self.threats()?,
            "said" => self.said(rest)?,
            "throws" => self.throws()?,
            "draw" => self.draw()?,
            "recent" => self.recent()?,
            "turn" => {
                let done = self.table.undo_turn();
                writeln!(self.out, "{}", tr(if done { "play.undone" } else { "play.no-undo" }))?;
                self.changed()?;
                self.status()?;
            }
            "throw" => {
                let done = if self.table.outcome().is_some() {
                    Err(Illegal::GameOver)
                } else {
                    self.throw()
                };
                self.done(done)?;
            }
            "undo" => {
                let done = self.table.undo();
                writeln!(self.out, "{}", tr(if done { "play.undone" } else { "play.no-undo" }))?;
                self.changed()?;
                self.status()?;
            }
            "redo" => {
                let done = self.table.redo();
                writeln!(self.out, "{}", tr(if done { "play.redone" } else { "play.no-redo" }))?;
                self.changed()?;
                self.status()?;
            }
            "resign" => {
                let side = self.table.history().position().side();
                if !self.table.resign(side) {
                    writeln!(self.out, "{}", tr("play.over"))?;
                    self.status()?;
                } else {
                    let words = describe_outcome(self.table.rules(), Outcome::Resigned(side));
                    let words = self.played(words);
                    writeln!(self.out, "{words}")?;
                }
            }
            "new" => {
                if self.leaves()? {
                    let mut table = GameSession::new(self.table.rematch());
                    table.date(today());
                    self.take(table, None);
                    self.begin()?;
                }
            }
            "save" => self.save(rest)?,
            "open" => self.open(rest)?,
            "move" => self.typed_move(rest)?,
            _ => self.typed_move(line)?,
        }
        Ok(true)
    }

    /// Says what a ply did, and whose turn it is now unless an engine's.
    fn done(&mut self, done: Result<String, Illegal>) -> io::Result<()> {
        self.tell(done)?;
        match self.table.seat_to_act() {
            Some(Seat::Person) => self.status(),
            // The end was announced with the ply that made it.
            Some(Seat::Engine(_)) | None => Ok(()),
        }
    }

    fn typed_move(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return writeln!(self.out, "{}", tr("play.which"));
        }
        if self.table.outcome().is_some() {
            return writeln!(self.out, "{}", cannot(&Illegal::GameOver));
        }
        match self.table.history().parse(text) {
            Ok(Ply::Move(mv)) => {
                let done = self.play(mv);
                self.done(done)
            }
            Ok(Ply::Throw(throw)) if self.table.by_hand() => {
                let done = self.put_throw(throw);
                self.done(done)
            }
            // Nobody chooses how the sticks fall.
            Ok(Ply::Throw(_)) => writeln!(self.out, "{}", tr("play.say-throw")),
            Err(illegal @ Illegal::Unreadable(_)) => {
                writeln!(self.out, "{}. {}", illegal.message().localized(), tr("play.say-help"))
            }
            Err(illegal) => writeln!(self.out, "{}", cannot(&illegal)),
        }
    }

    fn moves(&mut self, from: &str) -> io::Result<()> {
        let position = self.table.history().position();
        let legal = if self.table.outcome().is_some() {
            Vec::new()
        } else {
            self.table.history().legal_moves()
        };
        let mut texts: Vec<_> = legal
            .into_iter()
            .map(|mv| position.notation(mv))
            .filter(|text| text.starts_with(from))
            .collect();
        texts.sort_unstable();
        if texts.is_empty() {
            writeln!(self.out, "{}", tr("play.no-such"))?;
            return self.status();
        }
        let (count, moves) = (texts.len().to_string(), texts.join(", "));
        writeln!(self.out, "{}", tr_args("play.moves", &[("count", &count), ("moves", &moves)]))
    }

    fn hint(&mut self) -> io::Result<()> {
        let best = match self.table.turn() {
            Some(Turn::Move(_)) => self.think(Level::Master),
            _ => None,
        };
        match best {
            Some(mv) => {
                let text = self.table.history().position().notation(mv);
                writeln!(self.out, "{}", tr_args("play.hint", &[("move", &text)]))
            }
            None => self.status(),
        }
    }

    fn save(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            return writeln!(self.out, "{}", tr("play.save-where"));
        }
        let record: Record = self.table.record(today());
        match write_atomic(Path::new(path), record.to_string()) {
            Ok(()) => {
                self.saved = true;
                writeln!(self.out, "{}", tr_args("play.saved", &[("file", path)]))
            }
            Err(error) => {
                let error = error.to_string();
                let names = [("file", path), ("error", error.as_str())];
                writeln!(self.out, "{}", tr_args("play.cannot-write", &names))
            }
        }
    }

    fn open(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            return writeln!(self.out, "{}", tr("play.open-what"));
        }
        if let Some(path) = self.nth(path) {
            return self.go_on_with(&path);
        }
        let (file, number) = numbered(path);
        let path = Path::new(file);
        let games = match games_in(path) {
            Ok(games) => games,
            Err(error) => return self.refuse(&error),
        };
        if games.len() > 1 && number.is_none() {
            return self.list(file, &games);
        }
        match game_of(path, &games, number.unwrap_or(1)) {
            Ok(table) => {
                if self.leaves()? {
                    self.take(table, None);
                    self.begin()?;
                }
                Ok(())
            }
            Err(error) => self.refuse(&error),
        }
    }

    /// A file that cannot be had loses nothing: the game goes on.
    pub(super) fn refuse(&mut self, error: &Failure) -> io::Result<()> {
        match error {
            Failure::Wrong(text) | Failure::Usage(text) => writeln!(self.out, "{text}"),
            Failure::Said | Failure::Unread => Ok(()),
        }
    }
}

/// A file's name and the number of one of its games, where one is said: `games.tab 2`.
/// A file that is called so is meant itself.
fn numbered(text: &str) -> (&str, Option<usize>) {
    match text.rsplit_once(char::is_whitespace) {
        Some((file, number)) if !Path::new(text).exists() => match number.parse() {
            Ok(number) => (file.trim_end(), Some(number)),
            Err(_) => (text, None),
        },
        _ => (text, None),
    }
}
