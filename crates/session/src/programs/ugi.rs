//! A running program that speaks UGI.

use std::{
    io,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use thiserror::Error;

use super::{
    options::{ProgramOption, RULES},
    process::ProcessSlot,
    protocol::{ProgramInfo, ProgramLimits, go_command, parse_info, position_command},
};
use tabulae_games::{AnyMove, AnyPosition, GameHistory, Ply, RuleSet};
use tabulae_records::on_one_line;

/// Characters of the program's output that a message quotes.
const MAX_QUOTE_CHARS: usize = 200;
/// The most options that are read.
const MAX_OPTIONS: usize = 200;
/// How long an answer is still read after its time is over. The program may have written
/// it in time while this one was stopped, as by Ctrl+Z.
const LATE_READING: Duration = Duration::from_millis(200);

/// What a program did wrong. The text follows the program's name: `NAME has ended`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The command cannot be run.
    #[error("cannot be started: {0}")]
    NotStarted(io::Error),
    /// The entry has no command, or the process no pipes.
    #[error("has no command")]
    NoCommand,
    /// The program has closed its output, or was killed.
    #[error("has ended")]
    Ended,
    /// The program took too long.
    #[error("does not answer {word} in {:.1} s", time.as_secs_f64())]
    TimedOut {
        /// The word that was waited for.
        word: &'static str,
        /// The time it had.
        time: Duration,
    },
    /// The program answered with an error.
    #[error("says '{0}'")]
    Refused(String),
    /// Its move is illegal.
    #[error("plays '{text}': {reason}")]
    Illegal {
        /// The move as it wrote it.
        text: String,
        /// The rule that forbids it.
        reason: String,
    },
    /// Its move is a throw.
    #[error("answers '{0}', which is a throw")]
    Throw(String),
}

/// A running program, killed when it is dropped.
///
/// ```no_run
/// use std::time::Duration;
/// use tabulae_engines::SearchLimits;
/// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
/// use tabulae_session::{ProgramError, ProgramInfo, ProgramLimits, ProgramOption, UgiProgram, OptionKind};
///
/// let words = ["tabulae".to_owned(), "engine".to_owned()];
/// let patience = Duration::from_secs(5);
/// let mut program = UgiProgram::start(&words, patience)?;
/// let threads: Option<&ProgramOption> = program.options().iter().find(|option| option.name == "Threads");
/// assert!(threads.is_some_and(|option| matches!(option.kind, OptionKind::Spin { .. })));
/// program.new_game(RuleSet::Tablaaza)?;
/// let game = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
/// let time = Duration::from_millis(100);
/// let limits = SearchLimits { movetime: Some(time), ..SearchLimits::default() };
/// let mut depth = 0;
/// let mv = program.choose_move(
///     &game,
///     &ProgramLimits::PerMove(limits),
///     time + patience,
///     &mut |info: ProgramInfo| depth = info.info.depth,
/// )?;
/// # Ok::<(), ProgramError>(())
/// ```
#[derive(Debug)]
pub struct UgiProgram {
    slot: Arc<ProcessSlot>,
    output: Receiver<String>,
    patience: Duration,
    name: Option<String>,
    options: Vec<ProgramOption>,
}

impl Drop for UgiProgram {
    fn drop(&mut self) {
        // The process is killed next, whether it has read this or not.
        _ = self.slot.send("quit");
        self.slot.close();
    }
}

impl UgiProgram {
    /// Starts a program, by the words of its command line, and reads its name and its
    /// options. `patience` is the time it has for any answer but a move.
    ///
    /// # Errors
    /// It cannot be started or does not answer.
    pub fn start(words: &[String], patience: Duration) -> Result<Self, ProgramError> {
        Self::start_in(Arc::default(), words, patience)
    }

    pub(super) fn start_in(
        slot: Arc<ProcessSlot>,
        words: &[String],
        patience: Duration,
    ) -> Result<Self, ProgramError> {
        let output = slot.start(words)?;
        let (name, options) = (None, Vec::new());
        let mut program = Self { slot, output, patience, name, options };
        program.send("ugi")?;
        let (mut name, mut options) = (None, Vec::new());
        program.wait_for("ugiok", patience, &mut |first, rest| match first {
            "id" => {
                name = name.take().or_else(|| rest.strip_prefix("name ").map(on_one_line));
            }
            "option" if options.len() < MAX_OPTIONS => options.extend(ProgramOption::parse(rest)),
            _ => {}
        })?;
        program.name = name.map(|name| name.chars().take(MAX_QUOTE_CHARS).collect());
        program.options = options;
        Ok(program)
    }

    /// The name that it reports.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The options that it reports, in its order.
    pub fn options(&self) -> &[ProgramOption] {
        &self.options
    }

    /// Sets an option. The program may ignore it; an error comes with the next answer.
    ///
    /// # Errors
    /// It has ended.
    pub fn set_option(&self, name: &str, value: &str) -> Result<(), ProgramError> {
        let [name, value] = [name, value].map(on_one_line);
        self.send(format!("setoption name {name} value {value}").trim_end())
    }

    /// Prepares it for a new game by these rules.
    ///
    /// # Errors
    /// It has ended, does not answer, or refuses the rules.
    pub fn new_game(&mut self, rules: RuleSet) -> Result<(), ProgramError> {
        self.set_option(RULES, rules.id())?;
        self.send("isready")?;
        self.wait_for("readyok", self.patience, &mut |_, _| ())?;
        self.send("uginewgame")
    }

    /// Asks for a move and waits for it up to `deadline`. `on_info` gets what the
    /// program reports meanwhile.
    ///
    /// # Errors
    /// It gives no legal move in time.
    pub fn choose_move(
        &mut self,
        history: &GameHistory<AnyPosition>,
        limits: &ProgramLimits,
        deadline: Duration,
        on_info: &mut dyn FnMut(ProgramInfo),
    ) -> Result<AnyMove, ProgramError> {
        self.start_search(history, limits)?;
        self.wait_for_move(history, deadline, on_info)
    }

    /// Begins the search of a move, without waiting.
    pub(super) fn start_search(
        &self,
        history: &GameHistory<AnyPosition>,
        limits: &ProgramLimits,
    ) -> Result<(), ProgramError> {
        self.send(&position_command(history))?;
        self.send(&go_command(limits))
    }

    /// Waits for the move of the search that has begun.
    pub(super) fn wait_for_move(
        &mut self,
        history: &GameHistory<AnyPosition>,
        deadline: Duration,
        on_info: &mut dyn FnMut(ProgramInfo),
    ) -> Result<AnyMove, ProgramError> {
        let answer = self.wait_for("bestmove", deadline, &mut |first, rest| {
            if first == "info" {
                parse_info(history, rest).into_iter().for_each(&mut *on_info);
            }
        })?;
        let text = answer.split_whitespace().next().unwrap_or_default();
        let text: String = text.chars().take(MAX_QUOTE_CHARS).collect();
        match history.parse(&text) {
            Ok(Ply::Move(mv)) => Ok(mv),
            Ok(Ply::Throw(_)) => Err(ProgramError::Throw(text)),
            Err(illegal) => Err(ProgramError::Illegal { text, reason: illegal.to_string() }),
        }
    }

    fn send(&self, line: &str) -> Result<(), ProgramError> {
        self.slot.send(line)
    }

    /// Gives `other` each line up to one that begins with `word`, and returns the rest
    /// of that line. An `error` line ends the wait.
    fn wait_for(
        &mut self,
        word: &'static str,
        time: Duration,
        other: &mut dyn FnMut(&str, &str),
    ) -> Result<String, ProgramError> {
        // An infinite wait would overflow the clock.
        let mut deadline = Instant::now().checked_add(time);
        let mut is_late = false;
        loop {
            let left = deadline.map_or(Duration::from_secs(3600), |deadline| {
                deadline.saturating_duration_since(Instant::now())
            });
            // With other lines waiting, `recv_timeout` would return them even
            // after the deadline.
            if left.is_zero() {
                if is_late {
                    return Err(ProgramError::TimedOut { word, time });
                }
                is_late = true;
                deadline = Instant::now().checked_add(LATE_READING);
                continue;
            }
            let line = match self.output.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err(ProgramError::Ended),
            };
            let line = line.trim();
            let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            if first == word {
                return Ok(rest.trim().to_owned());
            }
            if first == "error" {
                return Err(ProgramError::Refused(line.chars().take(MAX_QUOTE_CHARS).collect()));
            }
            other(first, rest.trim());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn an_answer_that_waits_is_read_after_the_time_is_over() {
        let (sender, output) = mpsc::channel();
        for line in ["info string one", "readyok\n"] {
            sender.send(line.to_owned()).expect("a reader");
        }
        let (slot, patience) = (Arc::default(), Duration::ZERO);
        let mut program = UgiProgram { slot, output, patience, name: None, options: Vec::new() };
        let mut others = 0;
        let answer = program.wait_for("readyok", patience, &mut |_, _| others += 1);
        assert_eq!((answer.expect("an answer"), others), (String::new(), 1));
        let answer = program.wait_for("readyok", patience, &mut |_, _| ());
        assert!(matches!(answer, Err(ProgramError::TimedOut { word: "readyok", .. })));
    }
}
