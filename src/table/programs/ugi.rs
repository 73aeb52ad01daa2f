//! A running program that speaks UGI.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use thiserror::Error;

use crate::{
    engines::{Info, PlayerClock, Score, SearchLimits},
    games::{AnyMove, AnyPosition, GameHistory, Ply, RuleSet},
    records::on_one_line,
};

/// Unread lines to buffer; further ones wait in the program's pipe.
const LINE_BUFFER: usize = 256;
/// Bytes after which a line is cut.
const MAX_LINE_BYTES: u64 = 1 << 16;
/// Characters of the program's output that a message quotes.
const MAX_QUOTE_CHARS: usize = 200;
/// The most options that are read.
const MAX_OPTIONS: usize = 200;

/// The option of the rule set.
const RULES: &str = "Rules";

/// What a program did wrong. The text follows the program's name: `NAME has ended`.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// The command cannot be run.
    #[error("cannot be started: {0}")]
    NotStarted(io::Error),
    /// It has no command, or no pipes.
    #[error("has no command")]
    NoCommand,
    /// It has closed its output, or was killed.
    #[error("has ended")]
    Ended,
    /// It took too long.
    #[error("does not answer {word} in {:.1} s", time.as_secs_f64())]
    TimedOut {
        /// The word that was waited for.
        word: &'static str,
        /// The time it had.
        time: Duration,
    },
    /// It answered with an error.
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

/// What kind of values an option has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A whole number in a range.
    Spin {
        /// The least value.
        min: Option<i64>,
        /// The greatest value.
        max: Option<i64>,
    },
    /// One of these values.
    Combo(Vec<String>),
    /// Something to do, without a value.
    Button,
    /// Any text.
    Text,
}

/// An option as the program reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramOption {
    /// Its name.
    pub name: String,
    /// Its values.
    pub kind: OptionKind,
    /// Its value at the start.
    pub default: Option<String>,
}

impl ProgramOption {
    /// Whether a value is one of the option's.
    #[must_use]
    pub fn allows(&self, value: &str) -> bool {
        let is_line = !value.contains(char::is_control);
        is_line
            && match &self.kind {
                OptionKind::Check => value == "true" || value == "false",
                OptionKind::Spin { min, max } => value.parse::<i64>().is_ok_and(|number| {
                    min.is_none_or(|min| min <= number) && max.is_none_or(|max| number <= max)
                }),
                OptionKind::Combo(values) => values.iter().any(|it| it == value),
                OptionKind::Button => value.is_empty(),
                OptionKind::Text => true,
            }
    }

    /// Whether it is the option of the rule set, which each game sets
    /// ([`UgiProgram::new_game`]).
    #[must_use]
    pub fn is_rule_set(&self) -> bool {
        self.name == RULES
    }

    /// Parses what follows `option`: `name N type T default D min A max B var V`.
    fn parse(text: &str) -> Option<Self> {
        let (mut field, mut fields) = ("", Vec::<(&str, String)>::new());
        for word in text.split_whitespace() {
            if ["name", "type", "default", "min", "max", "var"].contains(&word) {
                field = word;
                fields.push((word, String::new()));
            } else if let Some((_, value)) = fields.last_mut().filter(|_| !field.is_empty()) {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(word);
            }
        }
        let of = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, it)| it);
        let number = |name| of(name).and_then(|value| value.parse().ok());
        let kind = match of("type").map_or("string", String::as_str) {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin { min: number("min"), max: number("max") },
            "combo" => {
                let values = fields.iter().filter(|(field, _)| *field == "var");
                OptionKind::Combo(values.map(|(_, value)| value.clone()).collect())
            }
            "button" => OptionKind::Button,
            _ => OptionKind::Text,
        };
        let name = of("name").filter(|name| !name.is_empty())?.clone();
        Some(Self { name, kind, default: of("default").cloned() })
    }
}

/// How long a program may think.
#[derive(Clone, Copy, Debug)]
pub enum ProgramLimits {
    /// The limits of this move.
    PerMove(SearchLimits),
    /// The clocks of both sides, the first side's first.
    Clocks([PlayerClock; 2]),
    /// Until it is told to stop.
    Infinite,
}

/// What a program reports while it searches.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramInfo {
    /// The number of the line, from 1 (`multipv`).
    pub line: usize,
    /// Depth, score and moves. Moves that are not legal are left out.
    pub info: Info,
}

/// A program's process and its input, shared with the code that stops or kills it.
#[derive(Debug, Default)]
pub(super) struct ProcessSlot(Mutex<Process>);

#[derive(Debug, Default)]
struct Process {
    is_closed: bool,
    child: Option<Child>,
    input: Option<Sender<String>>,
}

impl ProcessSlot {
    fn with<T>(&self, work: impl FnOnce(&mut Process) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Sends a line, if the program runs.
    pub(super) fn send(&self, line: &str) -> Result<(), ProgramError> {
        let sent = self.with(|process| Some(process.input.as_ref()?.send(line.to_owned()).is_ok()));
        if sent == Some(true) { Ok(()) } else { Err(ProgramError::Ended) }
    }

    /// Kills the program, and any that would be started here later.
    pub(super) fn close(&self) {
        self.with(|process| {
            process.is_closed = true;
            process.input = None;
            if let Some(mut child) = process.child.take() {
                // Errors mean that it has ended already.
                _ = child.kill();
                _ = child.wait();
            }
        });
    }
}

/// A running program, killed when it is dropped.
///
/// ```no_run
/// use std::time::Duration;
/// use tabulae::{
///     engines::SearchLimits,
///     games::{AnyPosition, GameHistory, RuleSet},
///     table::{ProgramError, ProgramInfo, ProgramLimits, ProgramOption, UgiProgram, OptionKind},
/// };
///
/// let words = ["tabulae".to_owned(), "engine".to_owned()];
/// let patience = Duration::from_secs(5);
/// let mut program = UgiProgram::start(&words, patience)?;
/// let threads: Option<&ProgramOption> = program.options().iter().find(|it| it.name == "Threads");
/// assert!(threads.is_some_and(|it| matches!(it.kind, OptionKind::Spin { .. })));
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
        let (name, arguments) = words.split_first().ok_or(ProgramError::NoCommand)?;
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(ProgramError::NotStarted)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (input, lines) = mpsc::channel();
        let is_closed = slot.with(|process| {
            process.child = Some(child);
            process.input = Some(input);
            process.is_closed
        });
        let (sender, output) = mpsc::sync_channel(LINE_BUFFER);
        let (name, options) = (None, Vec::new());
        let mut program = Self { slot, output, patience, name, options };
        if is_closed {
            return Err(ProgramError::Ended);
        }
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(ProgramError::NoCommand);
        };
        thread::spawn(move || read_lines(stdout, &sender));
        thread::spawn(move || write_lines(stdin, &lines));
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
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The options that it reports, in its order.
    #[must_use]
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
        let start = history.start();
        let mut position = if *start == AnyPosition::start(start.rules()) {
            "position startpos".to_owned()
        } else {
            format!("position fen {start}")
        };
        if !history.is_empty() {
            position += " moves";
        }
        for ply in history.plies() {
            position += &format!(" {ply}");
        }
        self.send(&position)?;
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
        let deadline = Instant::now().checked_add(time);
        let timed_out = || ProgramError::TimedOut { word, time };
        loop {
            let left = deadline.map_or(Duration::from_secs(3600), |deadline| {
                deadline.saturating_duration_since(Instant::now())
            });
            // With other lines waiting, `recv_timeout` would return them even
            // after the deadline.
            if left.is_zero() {
                return Err(timed_out());
            }
            let line = match self.output.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) if deadline.is_none() => continue,
                Err(RecvTimeoutError::Timeout) => return Err(timed_out()),
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

/// Forwards the program's lines until it closes its output or the receiver is
/// dropped.
fn read_lines(stdout: ChildStdout, sender: &SyncSender<String>) {
    let mut output = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match (&mut output).take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() => return,
            Ok(_) => {}
        }
    }
}

/// Writes lines to the program as fast as it reads them.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// The `go` command of a move.
fn go_command(limits: &ProgramLimits) -> String {
    let mut go = "go".to_owned();
    match limits {
        ProgramLimits::Infinite => go += " infinite",
        ProgramLimits::PerMove(limits) => {
            let time = limits.movetime.map(|time| format!(" movetime {}", time.as_millis()));
            let depth = limits.depth.map(|depth| format!(" depth {depth}"));
            let nodes = limits.nodes.map(|nodes| format!(" nodes {nodes}"));
            go.extend([time, depth, nodes].into_iter().flatten());
        }
        ProgramLimits::Clocks(clocks) => {
            for (number, clock) in (1..).zip(clocks) {
                let (time, increment) = (clock.remaining.as_millis(), clock.increment.as_millis());
                go += &format!(" p{number}time {time} p{number}inc {increment}");
            }
        }
    }
    go
}

/// Parses what follows `info`; `None` without a score.
fn parse_info(history: &GameHistory<AnyPosition>, text: &str) -> Option<ProgramInfo> {
    let mut words = text.split_whitespace();
    let (mut line, mut depth, mut nodes, mut time) = (1, 0, 0, 0);
    let (mut score, mut pv) = (None, Vec::new());
    let number = |word: Option<&str>| word.and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    while let Some(word) = words.next() {
        match word {
            "depth" => depth = number(words.next()).min(1000) as u32,
            "multipv" => line = number(words.next()).clamp(1, 1000) as usize,
            "nodes" => nodes = number(words.next()),
            "time" => time = number(words.next()),
            "score" => {
                let (kind, value) = (words.next(), words.next());
                let value: i32 = value.and_then(|value| value.parse().ok())?;
                score = match kind {
                    Some("cp") => Some(Score::Points(value)),
                    // Own moves to the win; plies are twice as many, less one.
                    Some("mate") if value > 0 => {
                        Some(Score::Win(value.unsigned_abs().saturating_mul(2) - 1))
                    }
                    Some("mate") => Some(Score::Loss(value.unsigned_abs().saturating_mul(2))),
                    _ => None,
                };
            }
            "pv" => {
                let mut line = history.clone();
                for text in words.by_ref() {
                    let Ok(Ply::Move(mv)) = line.parse(text) else { break };
                    if line.push(Ply::Move(mv)).is_err() {
                        break;
                    }
                    pv.push(mv);
                }
            }
            _ => {}
        }
    }
    let time = Duration::from_millis(time);
    let info = Info { depth, score: score?, nodes, time, pv, exact: false };
    Some(ProgramInfo { line, info })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_names_every_limit() {
        let limits = SearchLimits {
            movetime: Some(Duration::from_millis(20)),
            depth: Some(3),
            nodes: Some(400),
            ..SearchLimits::default()
        };
        let go = go_command(&ProgramLimits::PerMove(limits));
        assert_eq!(go, "go movetime 20 depth 3 nodes 400");
        let clock = |seconds| PlayerClock {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_millis(500),
            moves_to_go: None,
        };
        let clocks = ProgramLimits::Clocks([clock(60), clock(30)]);
        assert_eq!(go_command(&clocks), "go p1time 60000 p1inc 500 p2time 30000 p2inc 500");
    }

    #[test]
    fn options_are_read_with_their_values() {
        let option = |text| ProgramOption::parse(text).expect("an option");
        let level = option("name Play Level type combo default club var club var grand master");
        assert_eq!(level.name, "Play Level");
        assert!(level.allows("grand master") && !level.allows("master"));
        assert_eq!(level.default.as_deref(), Some("club"));
        let threads = option("name Threads type spin default 1 min 1 max 64");
        assert!(threads.allows("64") && !threads.allows("65") && !threads.allows("many"));
        let adapt = option("name Adapt type check default true");
        assert!(adapt.allows("false") && !adapt.allows("no"));
        assert!(!option("name File type string").allows("two\nlines"));
        assert_eq!(ProgramOption::parse("type spin"), None);
    }

    #[test]
    fn what_a_program_reports_is_read_leniently() {
        let history = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
        let read = |text| parse_info(&history, text);
        let info = read("depth 5 multipv 2 score cp -35 nodes 900 time 12 nps x pv c7 c6 nonsense");
        let ProgramInfo { line, info } = info.expect("a score");
        assert_eq!((line, info.depth, info.score), (2, 5, Score::Points(-35)));
        assert_eq!((info.nodes, info.time, info.pv.len()), (900, Duration::from_millis(12), 2));
        let score = |text| read(text).map(|it| it.info.score);
        assert_eq!(score("score mate 2"), Some(Score::Win(3)));
        assert_eq!(score("score mate -1"), Some(Score::Loss(2)));
        assert_eq!(score("score mate 2147483647"), Some(Score::Win(4_294_967_293)));
        for nothing in ["", "depth", "score", "score cp", "score cp many", "string score cp"] {
            assert_eq!(score(nothing), None, "{nothing}");
        }
    }
}
