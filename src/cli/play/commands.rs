//! What a line that was typed does.

use std::{
    io::{self, Write},
    path::Path,
};

use crate::{
    engines::Level,
    games::{Game, Illegal, Ply, Turn},
    records::Record,
    table::{Outcome, Seat, Table, outcome_words, today},
};

use super::{Failure, Terminal, board, open, write_file};

const HELP: &str = "\
move M      play a move; `move` itself may be left out
throw       throw the sticks
moves       the legal moves; `moves e4` those that begin on e4
hint        what the strongest level would do
threats     what can happen next
show        draw the board
where       say where everything stands
said        what the last ply did; `said 5` the last five
undo, redo  take back, play again
turn        take the whole turn back (Tablan)
throws      the throws so far, against what is expected
draw        offer a draw, where the rules know one
resign      give the game up
new         begin the same game again
save FILE   write the record; open FILE reads one and goes on with it
recent      the games that are kept; open N goes on with the N-th
help, quit
";

impl Terminal<'_> {
    /// Carries out a line; false when it says to quit.
    pub(super) fn command(&mut self, line: &str) -> Result<bool, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => self.status()?,
            "quit" | "exit" => return self.leaves().map(|leaves| !leaves).map_err(Failure::from),
            "help" | "?" => write!(self.out, "{HELP}")?,
            "show" | "board" => {
                self.show()?;
                self.counts()?;
                self.status()?;
            }
            "where" => {
                let words = board::words(self.table.line().position());
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
                let text =
                    if self.table.undo_turn() { "Taken back." } else { "Nothing to take back." };
                writeln!(self.out, "{text}")?;
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
                let text = if self.table.undo() { "Taken back." } else { "Nothing to take back." };
                writeln!(self.out, "{text}")?;
                self.changed()?;
                self.status()?;
            }
            "redo" => {
                let text = if self.table.redo() { "Played again." } else { "Nothing to redo." };
                writeln!(self.out, "{text}")?;
                self.changed()?;
                self.status()?;
            }
            "resign" => {
                let side = self.table.line().position().side();
                if !self.table.resign(side) {
                    writeln!(self.out, "The game is over already.")?;
                    self.status()?;
                } else {
                    let words = outcome_words(self.table.rules(), Outcome::Resigned(side));
                    let words = self.played(words);
                    writeln!(self.out, "{words}")?;
                }
            }
            "new" => {
                if self.leaves()? {
                    let mut table = Table::new(self.table.rematch());
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
            return writeln!(self.out, "Which move? Say moves for the legal ones.");
        }
        if self.table.outcome().is_some() {
            return writeln!(self.out, "That cannot be done: {}.", Illegal::GameOver);
        }
        match self.table.line().parse(text) {
            Ok(Ply::Move(mv)) => {
                let done = self.play(mv);
                self.done(done)
            }
            Ok(Ply::Throw(throw)) if self.table.by_hand() => {
                let done = self.put_throw(throw);
                self.done(done)
            }
            // Nobody chooses how the sticks fall.
            Ok(Ply::Throw(_)) => writeln!(self.out, "Say throw to throw the sticks."),
            Err(illegal @ Illegal::Unreadable(_)) => {
                writeln!(self.out, "{illegal}. Say help for the commands.")
            }
            Err(illegal) => writeln!(self.out, "That cannot be done: {illegal}."),
        }
    }

    fn moves(&mut self, from: &str) -> io::Result<()> {
        let position = self.table.line().position();
        let legal = if self.table.outcome().is_some() {
            Vec::new()
        } else {
            self.table.line().legal_moves()
        };
        let mut texts: Vec<_> = legal
            .into_iter()
            .map(|mv| position.notation(mv))
            .filter(|text| text.starts_with(from))
            .collect();
        texts.sort_unstable();
        if texts.is_empty() {
            writeln!(self.out, "There is no such move now.")?;
            return self.status();
        }
        writeln!(self.out, "{} moves: {}.", texts.len(), texts.join(", "))
    }

    fn hint(&mut self) -> io::Result<()> {
        let best = match self.table.turn() {
            Some(Turn::Move(_)) => self.think(Level::Master),
            _ => None,
        };
        match best {
            Some(mv) => {
                let text = self.table.line().position().notation(mv);
                writeln!(self.out, "The strongest level would play {text}.")
            }
            None => self.status(),
        }
    }

    fn save(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            return writeln!(self.out, "Save where? Say save FILE.");
        }
        let record: Record = self.table.record(today());
        match write_file(Path::new(path), &record.to_string()) {
            Ok(()) => {
                self.saved = true;
                writeln!(self.out, "Saved to {path}.")
            }
            Err(error) => self.refuse(&error),
        }
    }

    fn open(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            return writeln!(self.out, "Open what? Say open FILE.");
        }
        if let Some(path) = self.nth(path) {
            return self.go_on_with(&path);
        }
        match open(Path::new(path)) {
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
