//! Never losing a game at the terminal: each is kept in a file of its own after
//! every ply, and what is in no file is not left without being asked.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    i18n::{tr, tr_args},
    records::Record,
    table::{GameSession, GameSummary, SaveLock, SaveStore, describe_outcome, rules_label, today},
};

use super::{Terminal, game_of, games_in};

/// Most games that are listed.
const LISTED: usize = 20;

impl Terminal<'_> {
    /// Writes the game to its file.
    pub(super) fn keep(&mut self) -> io::Result<()> {
        self.kept = false;
        let Some(shelf) = &self.shelf else { return Ok(()) };
        if !self.has_person() {
            return Ok(());
        }
        let slot = match &mut self.slot {
            Some(slot) => slot,
            none => none.insert(shelf.create()?),
        };
        slot.write(&self.table.record(today()).to_string())?;
        self.kept = true;
        Ok(())
    }

    /// What went into the move that is due is not given back: it is kept with
    /// the game.
    pub(super) fn keep_time(&mut self) -> io::Result<()> {
        if self.slot.is_some() && self.table.clock().is_some() { self.changed() } else { Ok(()) }
    }

    /// Keeps the game after something was taken back or played again.
    pub(super) fn changed(&mut self) -> io::Result<()> {
        self.saved = false;
        match self.keep() {
            Ok(()) => Ok(()),
            Err(error) => writeln!(self.out, "{}", super::not_kept(&error)),
        }
    }

    /// Puts another game on the table; the one there stays in its file.
    pub(super) fn take(&mut self, table: GameSession, slot: Option<SaveLock>) {
        self.kept = slot.is_some();
        self.slot = slot;
        self.table = table;
        self.saved = false;
        self.warned = false;
    }

    /// Whether the game may be left: not the first time where it would be
    /// lost.
    pub(super) fn leaves(&mut self) -> io::Result<bool> {
        let going_on = !self.table.history().is_empty() && self.table.outcome().is_none();
        if !going_on || self.saved || self.warned {
            return Ok(true);
        }
        self.keep_time()?;
        if self.kept {
            writeln!(self.out, "{}", tr("play.kept"))?;
            return Ok(true);
        }
        self.warned = true;
        writeln!(self.out, "{}", tr("play.would-be-lost"))?;
        Ok(false)
    }

    /// Lists the kept games.
    pub(super) fn recent(&mut self) -> io::Result<()> {
        let listed = self.shelf.as_ref().map(|shelf| shelf.list(LISTED).0);
        self.listed = listed.unwrap_or_default();
        if self.listed.is_empty() {
            return writeln!(self.out, "{}", tr("play.none-kept"));
        }
        for (number, kept) in self.listed.iter().enumerate() {
            let words = match &kept.game {
                Ok(game) => in_short(game),
                Err(reason) => tr_args("recent.damaged", &[("reason", reason)]),
            };
            writeln!(self.out, "{}. {words}", number + 1)?;
        }
        Ok(())
    }

    /// Lists the games of a file that holds several.
    pub(super) fn list(&mut self, file: &str, games: &[Record]) -> io::Result<()> {
        for (number, game) in (1..).zip(games) {
            writeln!(self.out, "{number}. {}", in_short(&GameSummary::from(game)))?;
        }
        writeln!(self.out, "{}", tr_args("play.open-which", &[("file", file)]))
    }

    /// The file of the game that was listed under this number.
    pub(super) fn nth(&self, text: &str) -> Option<PathBuf> {
        let number: usize = text.parse().ok()?;
        Some(self.listed.get(number.checked_sub(1)?)?.path.clone())
    }

    /// Goes on with a kept game, in its own file unless somebody else plays it.
    pub(super) fn go_on_with(&mut self, path: &Path) -> io::Result<()> {
        if self.slot.as_ref().is_some_and(|slot| slot.path() == path) {
            return self.begin();
        }
        let table = match games_in(path).and_then(|games| game_of(path, &games, 1)) {
            Ok(table) => table,
            Err(error) => return self.refuse(&error),
        };
        if !self.leaves()? {
            return Ok(());
        }
        let slot = match self.shelf.as_ref().map_or(Ok(None), |shelf: &SaveStore| shelf.lock(path))
        {
            Ok(None) => {
                writeln!(self.out, "{}", tr("play.copy"))?;
                None
            }
            Ok(slot) => slot,
            Err(error) => {
                let error = error.to_string();
                writeln!(self.out, "{}", tr_args("play.not-kept-there", &[("error", &error)]))?;
                None
            }
        };
        self.take(table, slot);
        self.begin()
    }
}

/// A game in one line: which, when, whose, how long, how it ended.
fn in_short(game: &GameSummary) -> String {
    let [first, second] = &game.players;
    let end = match game.outcome {
        Some(outcome) => describe_outcome(game.rules, outcome),
        None => tr("play.going-on").to_owned(),
    };
    let date = game.date.as_deref().unwrap_or_else(|| tr("play.undated"));
    let (title, plies) = (rules_label(game.rules), game.plies.to_string());
    let names = [
        ("title", title),
        ("date", date),
        ("first", first.as_str()),
        ("second", second.as_str()),
        ("plies", plies.as_str()),
        ("end", end.as_str()),
    ];
    tr_args("play.listed", &names)
}
