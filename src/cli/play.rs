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
    time::Instant,
};

use crate::{
    engines::{Level, Request, Settings, Stop, think},
    games::{AnyMove, AnyPosition, Game, GameKind, Illegal, RuleSet, Side, Throw, Turn},
    table::{
        Kept, Seat, Setup, Shelf, Slot, Table, Timing, announce, kept_folder, lot_words,
        outcome_words, today,
    },
};

use super::{Failure, board, read_records, write_file};

mod commands;
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
    /// Play with clocks: 1/30 is 30 seconds a move, 600+5 is 600 seconds for
    /// the game and 5 more with each move
    #[arg(long, value_name = "TIME", conflicts_with_all = ["record", "resume"])]
    clock: Option<Timing>,
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

/// Plays until `quit`, the end of input, or the end of a game in which no
/// person has a seat.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let shelf = kept_folder().map(Shelf::new);
    let last = if args.resume { shelf.as_ref().and_then(Shelf::last) } else { None };
    let (table, slot) = match (&args.record, args.rules, last) {
        (_, _, Some((path, slot))) => (open(&path)?, slot),
        (Some(path), _, _) => (open(path)?, None),
        (None, Some(rules), _) => {
            let seats = [args.first, args.second];
            let (seed, by_hand, clock) = (args.seed, args.by_hand, args.clock);
            let mut table = Table::new(Setup { seats, seed, by_hand, clock, ..Setup::of(rules) });
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
        let waits = Instant::now();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            writeln!(terminal.out)?;
            return Ok(());
        }
        terminal.run_clock(waits.elapsed())?;
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
        if let Some(words) = lot_words(&self.table) {
            writeln!(self.out, "{words}")?;
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
        let clock = self.clock_words().map_or_else(String::new, |words| format!(" {words}"));
        writeln!(self.out, "{line}{clock}")
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
            } else if let (begun, Some(mv)) = (Instant::now(), self.think(level)) {
                self.table.run_clock(begun.elapsed());
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
        let limits = level.limits().within(self.table.allowance());
        think(&Request { line, limits, settings }, &Stop::default(), &mut |_| ())
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
