//! Carries out the lines that the user types.

use crate::{
    cli::{
        board::{BoardTerminal, english_word, print_moves},
        prelude::*,
    },
    session::{Outcome, UnratedReason},
};

use super::{
    CommandError, Saving, Terminal, adapted, copy_of, load_game, load_valid_games, refusal,
};

impl Terminal {
    /// Carries out a line; false when it ends the program.
    pub(super) fn command(&mut self, line: &str) -> Result<bool, CommandError> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match english_word(word) {
            "quit" | "exit" => return Ok(!self.confirm_leave()?),
            "show" | "board" => {
                self.print_board()?;
                self.print_scores()?;
                self.print_status()?;
            }
            "where" => {
                self.print_pieces()?;
                self.print_scores()?;
                self.print_status()?;
            }
            "moves" => self.list_moves(rest)?,
            "hint" => self.print_hint()?,
            "threats" => self.print_threats()?,
            "said" => self.print_history(rest)?,
            "throws" => self.print_throws()?,
            "draw" => self.offer_draw()?,
            "recent" => self.list_recent()?,
            "turn" => self.step(GameSession::undo_turn, "play.undone", "play.no-undo")?,
            "undo" => self.step(GameSession::undo, "play.undone", "play.no-undo")?,
            "redo" => self.step(GameSession::redo, "play.redone", "play.no-redo")?,
            "throw" => {
                let over = self.session.outcome().is_some();
                let result = if over { Err(Illegal::GameOver) } else { self.throw() };
                self.report_ply(result)?;
            }
            "resign" => self.resign()?,
            "new" => self.rematch(rest)?,
            "next" => {
                if !self.start_next_game()? {
                    self.print_no_next()?;
                }
            }
            "save" => self.save(rest)?,
            "open" => self.open(rest)?,
            "move" => self.play_typed(rest)?,
            word if self.answer_common(word)? => {}
            _ => self.play_typed(line)?,
        }
        Ok(true)
    }

    /// Prints why no next game of a match can be started.
    fn print_no_next(&mut self) -> io::Result<()> {
        let is_due_later = self.session.outcome().is_none()
            && self
                .session
                .match_standing()
                .is_some_and(|standing| standing.round < standing.games);
        if is_due_later {
            let text = tr_args("play.next-later", &[("command", tr("command.next"))]);
            writeln!(self.out, "{text}")
        } else {
            writeln!(self.out, "{}", tr("play.no-next"))
        }
    }

    /// Steps back or forward in the game. Prints `done`, or `impossible` when there
    /// is nothing to undo or redo; both are text keys.
    fn step(
        &mut self,
        step: impl FnOnce(&mut GameSession) -> bool,
        done: &'static str,
        impossible: &'static str,
    ) -> io::Result<()> {
        let was_rated = self.session.is_rated();
        let stepped = step(&mut self.session);
        let key = if stepped { done } else { impossible };
        writeln!(self.out, "{}", tr(key))?;
        if was_rated && !self.session.is_rated() {
            writeln!(self.out, "{}", tr("play.unrated"))?;
        }
        self.autosave_or_warn()?;
        self.print_status()
    }

    /// Resigns for a person.
    fn resign(&mut self) -> io::Result<()> {
        if self.session.outcome().is_some() {
            writeln!(self.out, "{}", tr("play.over"))?;
            return self.print_status();
        }
        match self.session.resigning_side() {
            Some(side) if self.session.resign(side) => {
                let outcome = match self.session.is_aborted() {
                    true => tr("play.aborted").to_owned(),
                    false => describe_outcome(self.session.rules(), Outcome::Resigned(side)),
                };
                let text = self.after_change(outcome);
                writeln!(self.out, "{text}")
            }
            _ => self.print_status(),
        }
    }

    /// Starts another game, or match, with the same players: on each other's sides, but
    /// on the same with the word `same` or while this game is unfinished.
    fn rematch(&mut self, sides: &str) -> io::Result<()> {
        let setup = match sides {
            "" if self.session.outcome().is_some() => self.session.rematch(),
            same if same.is_empty() || english_word(same) == "same" => {
                self.session.rematch_same_sides()
            }
            _ => return writeln!(self.out, "{}", tr("play.say-help")),
        };
        if !self.confirm_leave()? {
            return Ok(());
        }
        let mut session = GameSession::new(adapted(setup, self.store.as_ref()));
        session.date(today());
        self.switch_to(session, None);
        self.print_introduction()
    }

    /// Prints the result of a person's ply, and whose turn it is unless an
    /// engine's.
    fn report_ply(&mut self, result: Result<String, Illegal>) -> io::Result<()> {
        self.print_result(result)?;
        match self.session.seat_to_act() {
            Some(Seat::Person) => self.print_status(),
            // The last ply has announced the end.
            Some(_) | None => Ok(()),
        }
    }

    /// Plays a typed move, or a typed throw of real sticks.
    fn play_typed(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return writeln!(self.out, "{}", tr("play.which"));
        }
        if self.session.outcome().is_some() {
            return writeln!(self.out, "{}", refusal(&Illegal::GameOver));
        }
        match self.session.history().parse(text) {
            Ok(Ply::Move(mv)) => {
                let result = self.play(mv);
                self.report_ply(result)
            }
            Ok(Ply::Throw(throw)) if self.session.by_hand() => {
                let result = self.enter_throw(throw);
                self.report_ply(result)
            }
            // The program throws; a throw cannot be chosen.
            Ok(Ply::Throw(_)) => writeln!(self.out, "{}", tr("play.say-throw")),
            Err(illegal @ Illegal::Unreadable(_)) => {
                writeln!(self.out, "{}. {}", describe_illegal(&illegal), tr("play.say-help"))
            }
            Err(illegal) => writeln!(self.out, "{}", refusal(&illegal)),
        }
    }

    /// Lists the legal moves whose notation starts with `from`, or says whose turn it is.
    fn list_moves(&mut self, from: &str) -> io::Result<()> {
        if print_moves(&mut self.out, &self.session, from)? { Ok(()) } else { self.print_status() }
    }

    /// Prints the strongest level's move.
    fn print_hint(&mut self) -> io::Result<()> {
        let best = match self.session.turn() {
            Some(Turn::Move(_)) => self.search(Level::Master),
            _ => None,
        };
        match best {
            Some(mv) => {
                let text = self.session.history().position().notation(mv);
                let was_rated = self.session.set_unrated(UnratedReason::Help);
                if was_rated {
                    self.autosave_or_warn()?;
                }
                writeln!(self.out, "{}", tr_args("play.hint", &[("move", &text)]))?;
                if was_rated { writeln!(self.out, "{}", tr("play.unrated")) } else { Ok(()) }
            }
            None => self.print_status(),
        }
    }

    /// Writes the record to a file of the user's choice.
    fn save(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            return writeln!(self.out, "{}", tr("play.save-where"));
        }
        let saved = self.saving.save(path, self.session.file_text(today()));
        self.saved_by_user |= saved.is_ok();
        writeln!(self.out, "{}", saved.unwrap_or_else(|why| why))
    }

    /// Opens a listed game by its number, or a file, with the number of a game after
    /// it if it holds several.
    fn open(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            return writeln!(self.out, "{}", tr("play.open-what"));
        }
        if let Some(path) = self.listed_path(path) {
            return self.resume(&path);
        }
        let (file, number) = split_game_number(path);
        let path = Path::new(file);
        let games = match load_valid_games(path) {
            Ok(games) => games,
            Err(error) => return self.print_error(&error),
        };
        if games.len() > 1 && number.is_none() {
            return self.list_games(file, &games);
        }
        let first = games.first().map(|(number, _)| *number);
        match load_game(path, &games, number.or(first).unwrap_or(1)) {
            Ok(session) => {
                if self.confirm_leave()? {
                    self.switch_to(copy_of(session), None);
                    if games.len() == 1 {
                        self.saving = Saving::in_file(path);
                    }
                    self.print_introduction()?;
                }
                Ok(())
            }
            Err(error) => self.print_error(&error),
        }
    }

    /// Prints an error; the game goes on.
    pub(super) fn print_error(&mut self, error: &CommandError) -> io::Result<()> {
        match error {
            CommandError::Failed(text) | CommandError::Usage(text) => writeln!(self.out, "{text}"),
            CommandError::AlreadyReported | CommandError::OutputClosed => Ok(()),
        }
    }
}

/// Splits a file name and the number of one of its games: `games.tab 2`. The whole
/// text is the name if such a file exists.
fn split_game_number(text: &str) -> (&str, Option<usize>) {
    match text.rsplit_once(char::is_whitespace) {
        Some((file, number)) if !Path::new(text).exists() => match number.parse() {
            Ok(number) => (file.trim_end(), Some(number)),
            Err(_) => (text, None),
        },
        _ => (text, None),
    }
}
