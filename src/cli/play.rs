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
    fs,
    io::{self, BufRead, StdoutLock, Write},
    path::{Path, PathBuf},
    str::FromStr,
    time::Instant,
};

use crate::{
    engines::{EngineOptions, Level, Request, StopSignal, search},
    games::{AnyMove, AnyPosition, Illegal, RuleSet, Side, Throw, Turn},
    records::{self, Record},
    table::{
        Kept, Seat, Setup, Shelf, Slot, Table, Timing, account, kept_folder, liked_language,
        lot_words, outcome_words, rules_words, seat_words, side_words, today,
    },
    words::{Language, fill, say, speak},
};

use super::{Failure, board};

mod commands;
mod keeping;
mod telling;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rules (tablut/berkeley, tablut/ashton, tablut/linnaeus, tablan,
    /// tablan/ordered or tablaaza; tablut alone means tablut/ashton)
    #[arg(
        long,
        value_name = "RULES",
        required_unless_present_any = ["record", "resume"],
        value_parser = RuleSet::asked
    )]
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
    /// Which game of that record's file, from 1; without it the first
    #[arg(long, value_name = "N", requires = "record")]
    game: Option<usize>,
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
    /// The language: en or it; without it the one of the settings
    #[arg(long, value_name = "LANGUAGE", value_parser = spoken_language)]
    language: Option<Language>,
}

fn spoken_language(text: &str) -> Result<Language, String> {
    Language::of_name(text).ok_or_else(|| "expected en or it".to_owned())
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
    speak(args.language.or_else(liked_language).unwrap_or_default());
    let shelf = kept_folder().map(Shelf::new);
    let last = if args.resume { shelf.as_ref().and_then(Shelf::last) } else { None };
    let mut others = None;
    let (table, slot) = match (&args.record, args.rules, last) {
        (_, _, Some((path, slot))) => (game_of(&path, &games_in(&path)?, 1)?, slot),
        (Some(path), _, _) => {
            let games = games_in(path)?;
            others = args.game.is_none().then_some(games.len()).filter(|all| *all > 1);
            (game_of(path, &games, args.game.unwrap_or(1))?, None)
        }
        (None, Some(rules), _) => {
            let seats = [args.first, args.second];
            let (seed, by_hand, clock) = (args.seed, args.by_hand, args.clock);
            let mut table = Table::new(Setup { seats, seed, by_hand, clock, ..Setup::of(rules) });
            table.date(today());
            (table, None)
        }
        (None, None, None) if args.resume => {
            return Err(Failure::Wrong(say("play.none-waits").to_owned()));
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
    if let (Some(all), Some(path)) = (others, &args.record) {
        let (all, file) = (all.to_string(), path.display().to_string());
        let words = fill("play.first-of", &[("games", &all), ("file", &file)]);
        writeln!(terminal.out, "{words}")?;
    }
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
        let read = input.read_until(b'\n', &mut bytes)?;
        terminal.run_clock(waits.elapsed())?;
        if read == 0 {
            terminal.keep_time()?;
            writeln!(terminal.out)?;
            return Ok(());
        }
        if !terminal.command(String::from_utf8_lossy(&bytes).trim())? {
            return Ok(());
        }
    }
}

/// The games of a file: one at least.
fn games_in(path: &Path) -> Result<Vec<Record>, Failure> {
    let file = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| {
        let error = error.to_string();
        Failure::Wrong(fill("play.cannot-read", &[("file", &file), ("error", &error)]))
    })?;
    let records =
        records::read_bytes(&bytes).map_err(|error| Failure::Wrong(error.in_file(path).words()))?;
    if records.is_empty() {
        return Err(Failure::Wrong(fill("play.no-game", &[("file", &file)])));
    }
    Ok(records)
}

/// The table of the game with this number, from 1, among those of a file.
fn game_of(path: &Path, games: &[Record], number: usize) -> Result<Table, Failure> {
    let game = number.checked_sub(1).and_then(|index| games.get(index));
    game.map(Table::from_record).ok_or_else(|| {
        let (file, all) = (path.display().to_string(), games.len().to_string());
        let names = [("file", file.as_str()), ("games", &all), ("number", &number.to_string())];
        Failure::Wrong(fill("play.no-such-game", &names))
    })
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
        let [first, second] = Side::BOTH.map(|side| side_words(rules, side));
        let [who_first, who_second] = Side::BOTH.map(|side| self.player(side));
        writeln!(
            self.out,
            "{}. {first}: {who_first}. {second}: {who_second}.",
            rules_words(rules)
        )?;
        if self.table.by_hand() {
            writeln!(self.out, "{}", say("play.by-hand"))?;
        }
        if let Some(words) = lot_words(&self.table) {
            writeln!(self.out, "{words}")?;
        }
        writeln!(self.out, "{}", say("play.say-help"))?;
        self.show()?;
        self.status()
    }

    /// Who plays a side: a name somebody gave, or the seat's.
    fn player(&self, side: Side) -> String {
        let (name, seat) = (&self.table.names()[side.index()], self.table.seats()[side.index()]);
        if *name == seat.name() { seat_words(seat) } else { name.clone() }
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
                fill("play.to-throw", &[("side", side_words(rules, side))])
            }
            (None, Some(Turn::Move(side))) => {
                let name = ("side", side_words(rules, side));
                match self.table.line().position() {
                    AnyPosition::Tablan(position) => match position.pending() {
                        Some(throw) => {
                            let score = throw.score();
                            let (whole, half) = (score.to_string(), (score / 2).to_string());
                            fill("play.to-use", &[name, ("score", &whole), ("half", &half)])
                        }
                        None => fill("play.to-move", &[name]),
                    },
                    AnyPosition::Tablut(_) => fill("play.to-move", &[name]),
                    AnyPosition::Tablaaza(_) => fill("play.to-play", &[name]),
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
        let seed = self.table.seed();
        let options = EngineOptions { level, hash_mib: 32, seed, ..EngineOptions::default() };
        let limits = level.limits().within(self.table.allowance());
        search(&Request { line, limits, options }, &StopSignal::default(), &mut |_| ())
    }

    /// Keeps the game after a ply; what the ply did, in words.
    fn did(&mut self) -> String {
        let line = self.table.line();
        let words = account(line, line.len()).join(" ");
        self.played(words)
    }

    /// Keeps the game, and says the seed where it has just ended: it would
    /// have given the throws to come away.
    fn played(&mut self, words: String) -> String {
        self.saved = false;
        self.warned = false;
        let not_kept = self.keep().err().map(|error| not_kept(&error));
        let seed = (self.table.outcome().is_some() && self.table.rules().has_sticks()).then(|| {
            if self.table.by_hand() {
                say("dice.by-hand").to_owned()
            } else {
                fill("play.seed", &[("seed", &self.table.seed().to_string())])
            }
        });
        sentences(words, seed.into_iter().chain(not_kept))
    }

    /// Plays a move and says what it did; an error leaves the game as it was.
    fn play(&mut self, mv: AnyMove) -> Result<String, Illegal> {
        self.table.play(mv)?;
        Ok(self.did())
    }

    fn throw(&mut self) -> Result<String, Illegal> {
        self.table.throw()?;
        Ok(self.did())
    }

    /// What a throw of real sticks has shown.
    fn put_throw(&mut self, throw: Throw) -> Result<String, Illegal> {
        self.table.put_throw(throw)?;
        Ok(self.did())
    }

    fn tell(&mut self, done: Result<String, Illegal>) -> io::Result<()> {
        match done {
            Ok(words) => writeln!(self.out, "{words}"),
            Err(illegal) => writeln!(self.out, "{}", cannot(&illegal)),
        }
    }
}

/// Why something cannot be done.
fn cannot(illegal: &Illegal) -> String {
    fill("play.cannot", &[("why", &illegal.why().words())])
}

fn not_kept(error: &io::Error) -> String {
    fill("play.not-kept", &[("error", &error.to_string())])
}

fn sentences(first: String, more: impl Iterator<Item = String>) -> String {
    let parts: Vec<_> =
        std::iter::once(first).chain(more).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}
