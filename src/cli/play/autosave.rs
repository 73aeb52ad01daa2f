//! Autosave in the terminal: each game is saved to its own file after every ply. A
//! user who leaves a game that could not be saved is warned first.

use crate::{
    cli::prelude::*,
    session::{FinishedGame, GameSummary, ResultStore, SaveLock, SaveStore},
};

use super::{Saving, Terminal, autosave_failed, copy_of, load_games, resume_game};

/// The largest number of games listed.
const MAX_LISTED: usize = 20;

impl Terminal {
    /// Writes the game to its file. Games without a person are not saved.
    pub(super) fn autosave(&mut self) -> io::Result<()> {
        self.autosaved = false;
        let Some(store) = &self.store else { return Ok(()) };
        if !self.has_person() {
            return Ok(());
        }
        let lock = match &mut self.lock {
            Some(lock) => lock,
            none => none.insert(store.create()?),
        };
        lock.write(&self.session.saved_text(today()))?;
        self.autosaved = true;
        let id = self.session.result_id(lock.path());
        match FinishedGame::new(&id, &self.session, today()) {
            Some(game) => ResultStore::beside(store).add(&game),
            None => Ok(()),
        }
    }

    /// Saves the time spent on the move that is due, so that leaving and resuming
    /// does not restore it.
    pub(super) fn autosave_clock(&mut self) -> io::Result<()> {
        if self.lock.is_some() && self.session.clock().is_some() {
            self.autosave_or_warn()
        } else {
            Ok(())
        }
    }

    /// Saves the game and reports an error, after an undo or a redo.
    pub(super) fn autosave_or_warn(&mut self) -> io::Result<()> {
        self.saved_by_user = false;
        match self.autosave() {
            Ok(()) => Ok(()),
            Err(error) => writeln!(self.out, "{}", autosave_failed(&error)),
        }
    }

    /// Replaces the current game, which stays in its file.
    pub(super) fn switch_to(&mut self, mut session: GameSession, lock: Option<SaveLock>) {
        self.programs.prepare(&mut session);
        self.autosaved = lock.is_some();
        self.lock = lock;
        self.session = session;
        self.saving = Saving::default();
        self.saved_by_user = false;
        self.warned_of_loss = false;
    }

    /// Starts the next game of the match, in the match's file; false if none is due.
    pub(super) fn start_next_game(&mut self) -> io::Result<bool> {
        let Some(mut next) = self.session.next_game() else { return Ok(false) };
        next.date(today());
        let (lock, saving) = (self.lock.take(), std::mem::take(&mut self.saving));
        self.switch_to(next, lock);
        // The file has the whole match.
        self.saving = saving;
        if self.lock.is_some() {
            self.autosave_or_warn()?;
        }
        self.print_introduction()?;
        Ok(true)
    }

    /// Whether the game may be left. The first attempt to leave an unsaved game
    /// only warns.
    pub(super) fn confirm_leave(&mut self) -> io::Result<bool> {
        let in_progress = !self.session.history().is_empty() && self.session.outcome().is_none()
            || self.session.awaits_next_game();
        if !in_progress || self.saved_by_user || self.warned_of_loss {
            return Ok(true);
        }
        self.autosave_clock()?;
        if self.autosaved {
            writeln!(self.out, "{}", tr("play.kept"))?;
            return Ok(true);
        }
        self.warned_of_loss = true;
        writeln!(self.out, "{}", tr("play.would-be-lost"))?;
        Ok(false)
    }

    /// Lists the saved games.
    pub(super) fn list_recent(&mut self) -> io::Result<()> {
        let listed = self.store.as_ref().map(|store| store.list(MAX_LISTED).0);
        self.listed = listed.unwrap_or_default();
        if self.listed.is_empty() {
            return writeln!(self.out, "{}", tr("play.none-kept"));
        }
        for (number, saved) in (1..).zip(&self.listed) {
            let summary = match &saved.game {
                Ok(game) => summary_line(game),
                Err(reason) => tr_args("recent.damaged", &[("reason", reason)]),
            };
            writeln!(self.out, "{number}. {summary}")?;
        }
        Ok(())
    }

    /// Lists the games of a file that holds several.
    pub(super) fn list_games(&mut self, file: &str, games: &[(usize, Record)]) -> io::Result<()> {
        for (number, game) in games {
            writeln!(self.out, "{number}. {}", summary_line(&GameSummary::from(game)))?;
        }
        writeln!(self.out, "{}", tr_args("play.open-which", &[("file", file)]))
    }

    /// The file of the saved game with this number in the last listing.
    pub(super) fn listed_path(&self, text: &str) -> Option<PathBuf> {
        let number: usize = text.parse().ok()?;
        Some(self.listed.get(number.checked_sub(1)?)?.path.clone())
    }

    /// Resumes a saved game, in its own file unless another process plays it.
    pub(super) fn resume(&mut self, path: &Path) -> io::Result<()> {
        if self.lock.as_ref().is_some_and(|lock| lock.path() == path) {
            return self.print_introduction();
        }
        let session = match load_games(path).and_then(|games| resume_game(path, &games)) {
            Ok(session) => session,
            Err(error) => return self.print_error(&error),
        };
        if !self.confirm_leave()? {
            return Ok(());
        }
        let lock = match self.store.as_ref().map_or(Ok(None), |store: &SaveStore| store.lock(path))
        {
            Ok(None) => {
                writeln!(self.out, "{}", tr("play.copy"))?;
                None
            }
            Ok(lock) => lock,
            Err(error) => {
                let error = error.to_string();
                writeln!(self.out, "{}", tr_args("play.not-kept-there", &[("error", &error)]))?;
                None
            }
        };
        let session = if lock.is_none() { copy_of(session) } else { session };
        self.switch_to(session, lock);
        self.print_introduction()
    }
}

/// A saved game in one line: rules, date, players, length and result.
fn summary_line(game: &GameSummary) -> String {
    let [first, second] = &game.players;
    let round = game.standing.filter(|_| game.is_unfinished()).map(|standing| {
        let (round, games) = (standing.round.to_string(), standing.games.to_string());
        tr_args("match.round", &[("round", &round), ("games", &games)])
    });
    let end = match game.outcome {
        Some(outcome) => describe_outcome(game.rules, outcome),
        None => tr("play.going-on").to_owned(),
    };
    let date = game.date.as_deref().unwrap_or_else(|| tr("play.undated"));
    let (title, moves) = (rules_label(game.rules), game.moves.to_string());
    let names = [
        ("title", title),
        ("date", date),
        ("first", first.as_str()),
        ("second", second.as_str()),
        ("number", moves.as_str()),
        ("end", end.as_str()),
    ];
    let line = tr_args("play.listed", &names);
    round.map_or(line.clone(), |round| format!("{line} {round}."))
}
