//! `tabulae play`: the whole game in a terminal.
//!
//! Everything is said in words and whole lines, so that a screen reader can
//! follow: what each ply did, whose turn it is, what can be done. The drawing
//! of the board is shown at the beginning and when it is asked for.
//!
//! Every game is kept after each ply, as at the 3D table, and both find each
//! other's games.
//!
//! Architecture invariant: no rule here. The [`Table`] says what may be done;
//! this turns lines into its calls and its events into words.

use std::{
    io::{self, BufRead, StdoutLock, Write},
    path::{Path, PathBuf},
    str::FromStr,
};

use crate::{
    engines::{Level, Request, Settings, Stop, think},
    games::{AnyMove, AnyPosition, Game, GameKind, Illegal, Ply, RuleSet, Side, Throw, Turn},
    records::Record,
    table::{
        Kept, Outcome, Seat, Setup, Shelf, Slot, Table, announce, kept_folder, outcome_words, today,
    },
};

use super::{Failure, board, read_records, write_file};

mod keeping;
mod telling;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rules (tablut/berkeley, tablut/ashton, tablut/linnaeus, tablan,
    /// tablan/ordered or tablaaza)
    #[arg(long, value_name = "RULES", required_unless_present_any = ["record", "resume"])]
    rules: Option<RuleSet>,
    /// Who plays the side that moves first: person, or a level (novice, casual,
    /// club, expert, master)
    #[arg(long, value_name = "SEAT", default_value = "person", value_parser = seat)]
    first: Seat,
    /// Who plays the other side
    #[arg(long, value_name = "SEAT", default_value = "club", value_parser = seat)]
    second: Seat,
    /// For the sticks; without it a new one is drawn
    #[arg(long)]
    seed: Option<u64>,
    /// Go on with this record
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "seed"])]
    record: Option<PathBuf>,
    /// Go on with the game that was played last
    #[arg(long = "continue", conflicts_with_all = ["rules", "seed", "record"])]
    resume: bool,
    /// Throw real sticks and say what they show (t0 to t4)
    #[arg(long)]
    by_hand: bool,
}

fn seat(text: &str) -> Result<Seat, String> {
    if text == "person" {
        return Ok(Seat::Person);
    }
    Level::from_str(text).map(Seat::Engine).map_err(|_| {
        let names = Level::ALL.map(|level| level.to_string()).join(", ");
        format!("expected person or a level: {names}")
    })
}

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

/// Plays until `quit`, the end of input, or the end of a game in which no
/// person has a seat.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let shelf = kept_folder().map(Shelf::new);
    let last = if args.resume { shelf.as_ref().and_then(Shelf::last) } else { None };
    let (table, slot) = match (&args.record, args.rules, last) {
        (_, _, Some((path, slot))) => (open(&path)?, Some(slot)),
        (Some(path), _, _) => (open(path)?, None),
        (None, Some(rules), _) => {
            let seats = [args.first, args.second];
            let by_hand = args.by_hand;
            let mut table =
                Table::new(Setup { rules, seats, seed: args.seed, start: None, by_hand });
            table.date(today());
            (table, None)
        }
        (None, None, None) if args.resume => {
            return Err(Failure::Wrong("no game waits to be gone on with".to_owned()));
        }
        (None, None, None) => {
            return Err(Failure::Usage("--rules, --record or --continue is needed".to_owned()));
        }
    };
    let mut terminal = Terminal {
        table,
        out: io::stdout().lock(),
        shelf,
        slot,
        kept: true,
        saved: false,
        warned: false,
        listed: Vec::new(),
    };
    terminal.begin()?;
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    loop {
        terminal.engines()?;
        if terminal.table.outcome().is_some() && !terminal.has_person() {
            return Ok(());
        }
        write!(terminal.out, "> ")?;
        terminal.out.flush()?;
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            writeln!(terminal.out)?;
            return Ok(());
        }
        if !terminal.command(String::from_utf8_lossy(&bytes).trim())? {
            return Ok(());
        }
    }
}

fn open(path: &Path) -> Result<Table, Failure> {
    let records = read_records(path)?;
    let first = records.first().map(Table::from_record);
    first.ok_or_else(|| Failure::Wrong(format!("{} has no game", path.display())))
}

/// A table and whoever is told about it.
struct Terminal<'a> {
    table: Table,
    out: StdoutLock<'a>,
    shelf: Option<Shelf>,
    slot: Option<Slot>,
    /// Whether the game is in its file as it stands.
    kept: bool,
    /// Whether the person has written it to a file of his own.
    saved: bool,
    /// Whether it was said that the game would be lost.
    warned: bool,
    /// The kept games as they were listed last.
    listed: Vec<Kept>,
}

impl Terminal<'_> {
    fn begin(&mut self) -> io::Result<()> {
        let rules = self.table.rules();
        let [first, second] = Side::BOTH.map(|side| rules.side_name(side));
        let [who_first, who_second] = self.table.names();
        writeln!(self.out, "{}. {first}: {who_first}. {second}: {who_second}.", rules.title())?;
        if self.table.by_hand() {
            writeln!(self.out, "You throw the sticks and say what they show, t0 to t4.")?;
        }
        writeln!(self.out, "Say help for the commands.")?;
        self.show()?;
        self.status()
    }

    fn has_person(&self) -> bool {
        self.table.seats().contains(&Seat::Person)
    }

    fn show(&mut self) -> io::Result<()> {
        write!(self.out, "{}", board::drawing(self.table.line().position()))
    }

    /// Whose turn it is and what is to be done, or how the game ended.
    fn status(&mut self) -> io::Result<()> {
        let rules = self.table.rules();
        let line = match (self.table.outcome(), self.table.turn()) {
            (Some(outcome), _) => outcome_words(rules, outcome),
            (None, Some(Turn::Throw(side))) => {
                format!("{} is to throw the sticks.", rules.side_name(side))
            }
            (None, Some(Turn::Move(side))) => {
                let name = rules.side_name(side);
                match self.table.line().position() {
                    AnyPosition::Tablan(position) => match position.pending() {
                        Some(throw) => {
                            let (whole, half) = (throw.score(), throw.score() / 2);
                            format!(
                                "{name} is to move one piece {whole} squares, \
                                 or two pieces {half} each."
                            )
                        }
                        None => format!("{name} is to move."),
                    },
                    AnyPosition::Tablut(_) => format!("{name} is to move."),
                    AnyPosition::Tablaaza(_) => format!("{name} is to play a stone."),
                }
            }
            (None, Some(Turn::Over(_)) | None) => return Ok(()),
        };
        writeln!(self.out, "{line}")
    }

    /// Lets engines act until a person's turn or the end.
    fn engines(&mut self) -> io::Result<()> {
        let mut acted = false;
        while let Some(Seat::Engine(level)) = self.table.seat_to_act() {
            if self.table.hand_throws() {
                break;
            }
            acted = true;
            if matches!(self.table.turn(), Some(Turn::Throw(_))) {
                let done = self.throw();
                self.tell(done)?;
            } else if let Some(mv) = self.think(level) {
                let done = self.play(mv);
                self.tell(done)?;
            } else {
                break;
            }
        }
        // The end was announced with the ply that made it.
        if acted && self.table.outcome().is_none() { self.status() } else { Ok(()) }
    }

    fn think(&self, level: Level) -> Option<AnyMove> {
        let line = self.table.line().clone();
        let settings = Settings { level, threads: 1, hash_mib: 32, seed: self.table.seed() };
        think(&Request { line, limits: level.limits(), settings }, &Stop::default(), &mut |_| ())
    }

    /// Keeps the game, and says the seed where it has just ended: it would
    /// have given the throws to come away.
    fn played(&mut self, words: String) -> String {
        self.saved = false;
        self.warned = false;
        let not_kept = self.keep().err().map(|error| format!("The game is not kept: {error}."));
        let seed = (self.table.outcome().is_some() && self.table.rules().has_sticks()).then(|| {
            if self.table.by_hand() {
                "The sticks were thrown by hand.".to_owned()
            } else {
                format!("The sticks' seed was {}.", self.table.seed())
            }
        });
        sentences(words, seed.into_iter().chain(not_kept))
    }

    /// Plays a move and says what it did; an error leaves the game as it was.
    fn play(&mut self, mv: AnyMove) -> Result<String, Illegal> {
        let rules = self.table.rules();
        let before = self.table.line().position();
        let name = rules.side_name(before.side());
        let done = match rules.game() {
            GameKind::Tablaaza => format!("{name} plays {mv}."),
            GameKind::Tablut | GameKind::Tablan => format!("{name} moves {}.", spoken(mv)),
        };
        let events = self.table.play(mv)?;
        let words = sentences(done, events.iter().filter_map(|event| announce(rules, event)));
        Ok(self.played(words))
    }

    fn throw(&mut self) -> Result<String, Illegal> {
        let rules = self.table.rules();
        let events = self.table.throw()?;
        let words = sentences(String::new(), events.iter().filter_map(|it| announce(rules, it)));
        Ok(self.played(words))
    }

    /// What a throw of real sticks has shown.
    fn put_throw(&mut self, throw: Throw) -> Result<String, Illegal> {
        let rules = self.table.rules();
        let events = self.table.put_throw(throw)?;
        let words = sentences(String::new(), events.iter().filter_map(|it| announce(rules, it)));
        Ok(self.played(words))
    }

    fn tell(&mut self, done: Result<String, Illegal>) -> io::Result<()> {
        match done {
            Ok(words) => writeln!(self.out, "{words}"),
            Err(illegal) => writeln!(self.out, "That cannot be done: {illegal}."),
        }
    }

    /// Carries out a line; false when it says to quit.
    fn command(&mut self, line: &str) -> Result<bool, Failure> {
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
    fn refuse(&mut self, error: &Failure) -> io::Result<()> {
        match error {
            Failure::Wrong(text) | Failure::Usage(text) => writeln!(self.out, "{text}"),
            Failure::Said | Failure::Unread => Ok(()),
        }
    }
}

/// A move to be heard: `e4 to f4`, `l1 to l2 and k1 to l1`.
fn spoken(mv: AnyMove) -> String {
    mv.to_string().replace('+', " and ").replace(['-', 'x'], " to ")
}

fn sentences(first: String, more: impl Iterator<Item = String>) -> String {
    let parts: Vec<_> =
        std::iter::once(first).chain(more).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}
