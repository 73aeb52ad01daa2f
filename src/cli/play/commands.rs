//! Carries out the lines that the user types.

use std::{
    io::{self, Write},
    path::Path,
};

use crate::{
    engines::Level,
    games::{Game, Illegal, Ply, Turn},
    i18n::{tr, tr_args},
    session::{
        GameSession, Outcome, Seat, UnratedReason, describe_illegal, describe_outcome, today,
    },
};

use super::{
    CommandError, Saving, Terminal, adapted, board, copy_of, load_game, load_valid_games, refusal,
};

/// The commands: their English words, which are understood in any language, and
/// the text keys of their words in the current language.
pub(super) const COMMANDS: [(&str, &str); 27] = [
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
    ("next", "command.next"),
    ("save", "command.save"),
    ("open", "command.open"),
    ("move", "command.move"),
    ("accept", "command.accept"),
    ("decline", "command.decline"),
    ("rematch", "command.rematch"),
    ("exit", "command.quit"),
    ("?", "command.help"),
    ("board", "command.show"),
];

/// The English word of a command in English or in the current language, with capitals or
/// without; another word is returned unchanged.
pub(in crate::cli) fn english_word<'a>(
    commands: &[(&'static str, &'static str)],
    word: &'a str,
) -> &'a str {
    let lower = word.to_lowercase();
    // The words of the language come first, should one mean something else in English.
    let translated = commands.iter().find(|(_, key)| tr(key) == lower);
    let known = translated.or_else(|| commands.iter().find(|(command, _)| *command == lower));
    known.map_or(word, |(command, _)| command)
}

/// The word behind `new`.
const SAME: [(&str, &str); 1] = [("same", "command.same")];

impl Terminal {
    /// Carries out a line; false when it ends the program.
    pub(super) fn command(&mut self, line: &str) -> Result<bool, CommandError> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match english_word(&COMMANDS, word) {
            "" => self.print_status()?,
            "quit" | "exit" => return Ok(!self.confirm_leave()?),
            "help" | "?" => write!(self.out, "{}", tr("play.help"))?,
            "show" | "board" => {
                self.print_board()?;
                self.print_scores()?;
                self.print_status()?;
            }
            "where" => {
                write!(self.out, "{}", board::describe(self.session.history().position()))?;
                self.print_scores()?;
                self.print_status()?;
            }
            "moves" => self.print_moves(rest)?,
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
            _ => self.play_typed(line)?,
        }
        Ok(true)
    }

    /// Prints why no next game of a match can be started.
    fn print_no_next(&mut self) -> io::Result<()> {
        let is_due_later = self.session.outcome().is_none()
            && self.session.match_standing().is_some_and(|it| it.round < it.games);
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
                let outcome = describe_outcome(self.session.rules(), Outcome::Resigned(side));
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
            same if same.is_empty() || english_word(&SAME, same) == "same" => {
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

    /// Lists the legal moves whose notation starts with `from`.
    fn print_moves(&mut self, from: &str) -> io::Result<()> {
        let from = from.to_lowercase();
        let position = self.session.history().position();
        let legal = if self.session.outcome().is_some() {
            Vec::new()
        } else {
            self.session.history().legal_moves()
        };
        let mut texts: Vec<_> = legal
            .into_iter()
            .map(|mv| position.notation(mv))
            .filter(|text| text.to_lowercase().starts_with(&from))
            .collect();
        texts.sort_unstable();
        if texts.is_empty() {
            let none = if from.is_empty() {
                tr("play.no-such").to_owned()
            } else {
                tr_args("play.no-such-from", &[("from", &from)])
            };
            writeln!(self.out, "{none}")?;
            return self.print_status();
        }
        let (count, moves) = (texts.len().to_string(), texts.join(", "));
        writeln!(self.out, "{}", tr_args("play.moves", &[("count", &count), ("moves", &moves)]))
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
