//! `tabulae play`: the whole game in a terminal.
//!
//! All output is whole lines of words that a screen reader can follow: what each
//! ply did, whose turn it is, what can be done. The board is drawn at the start and
//! on request.
//!
//! Every game is saved after each ply, in the same folder as the games of the 3D
//! table, so that either can resume the other's games.
//!
//! Architecture invariant: no rule here. The [`GameSession`] decides what may be done;
//! this module turns lines into its calls and its events into words.

use std::{
    fs,
    io::{StdinLock, Stdout},
};

use crate::{
    cli::prelude::*,
    engines::{preload, search},
    i18n::{Language, localized, set_language},
    records::RecordError,
    session::{
        Ratings, ResultStore, Results, SaveLock, SaveStore, SavedGame, Setup, Thrower,
        TimeControls, autosave_folder, describe_lot, describe_match_result, describe_standing,
        is_match_length, player_label, preferred_language,
    },
};

use self::{
    programs::{Player, Programs, parse_player},
    saving::Saving,
    stopwatch::Stopwatch,
};
use super::{
    board::BoardTerminal,
    files::{self, Games},
    lines::{Dialogue, Lines, converse},
    screen::Screen,
    signals::end_programs_too,
};

mod autosave;
mod commands;
#[cfg(feature = "online")]
mod online;
mod output;
mod programs;
mod saving;
mod stopwatch;

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae play --rules tablut                Play against the level club
  tabulae play --rules tablan --second person --clock 600+5
  tabulae play --rules tablaaza --games 4    Play a match of 4 games
  tabulae play --rules tablut --second adaptive
                                             Play against the level that fits you
  tabulae play --rules tablaaza --second 'cmd:./engine -x'
  tabulae play --continue                    Continue the last game
  tabulae play --invite https://play.example --rules tablan
                                             Create an online game and its links

Type `help` in the game for its commands.")]
pub(super) struct Args {
    /// Play by these rules; `tablut` means tablut/ashton
    #[arg(
        long,
        value_name = "RULES",
        required_unless_present_any = ["record", "resume", "join", "mine"],
        value_parser = values::rule_set_or_game()
    )]
    rules: Option<RuleSet>,
    /// Choose the player of the side that moves first: person, a level, adaptive for the
    /// level that fits the person's rating, cmd:COMMAND for any UGI program, or
    /// engine:NAME for one of `tabulae engines`; not with --record or --continue, since a
    /// saved game names its players
    #[arg(
        long,
        value_name = "PLAYER",
        default_value = "person",
        conflicts_with_all = ["record", "resume"],
        value_parser = parse_player
    )]
    first: Player,
    /// Choose the player of the side that moves second; not with --record or --continue
    #[arg(
        long,
        value_name = "PLAYER",
        default_value = "club",
        conflicts_with_all = ["record", "resume"],
        value_parser = parse_player
    )]
    second: Player,
    /// Name the person who plays the side that moves first; not with --record or
    /// --continue
    #[arg(long, value_name = "NAME", conflicts_with_all = ["record", "resume"])]
    first_name: Option<String>,
    /// Name the person who plays the side that moves second; not with --record or
    /// --continue
    #[arg(long, value_name = "NAME", conflicts_with_all = ["record", "resume"])]
    second_name: Option<String>,
    /// Set the seed of the casting sticks; the same seed gives the same throws [default:
    /// random]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Continue the game of a record
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "seed"])]
    record: Option<PathBuf>,
    /// Continue this game of the file, counted from 1 [default: 1]
    #[arg(long, value_name = "GAME", requires = "record")]
    game: Option<usize>,
    /// Continue the unfinished game that was played last
    #[arg(long = "continue", conflicts_with_all = ["rules", "seed", "record"])]
    resume: bool,
    /// Throw real sticks and type the plain sides (t0 to t4); not with --record or
    /// --continue, since a saved game says how it is thrown
    #[arg(long, conflicts_with_all = ["record", "resume"])]
    by_hand: bool,
    /// Play with clocks, in seconds: 600+5 is 600 for the game and 5 more with each
    /// move, 1/30 is 30 for each move, 1/3d is 3 days for each move; with 600+5,180 the
    /// side that moves first has 600+5 and the other side has 180 [default: no clocks]
    #[arg(long, value_name = "TIME", conflicts_with_all = ["record", "resume"], value_parser = parse_clock)]
    clock: Option<TimeControls>,
    /// Play a match of this many games (at most 100); the players swap sides after each
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        conflicts_with_all = ["record", "resume"],
        value_parser = parse_games
    )]
    games: usize,
    /// Play the online game of this link, or watch it
    #[arg(
        long,
        value_name = "LINK",
        conflicts_with_all = ["rules", "record", "resume", "seed", "by_hand", "clock", "games"]
    )]
    join: Option<String>,
    /// Create an online game on the server at this address, print its links, and play
    /// the side that moves first
    #[arg(
        long,
        value_name = "URL",
        requires = "rules",
        conflicts_with_all = ["record", "resume", "seed", "by_hand", "games", "join"]
    )]
    invite: Option<String>,
    /// For each of your unfinished online games, print whose turn it is and how to join
    /// the game
    #[arg(
        long,
        conflicts_with_all = ["rules", "record", "resume", "seed", "by_hand", "clock", "games", "join"]
    )]
    mine: bool,
    /// With --mine, print when your time runs out in each game, as a calendar file
    #[arg(long, requires = "mine")]
    calendar: bool,
    /// Set your name in an online game
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Set the language [default: that of the settings]
    #[arg(long, value_name = "LANGUAGE", ignore_case = true, value_parser = values::language())]
    language: Option<Language>,
}

/// Parses a time control; the error does not repeat the text, which clap quotes.
fn parse_clock(text: &str) -> Result<TimeControls, &'static str> {
    text.parse().map_err(|_| {
        "expected seconds, like 600 or 600+5 for a game, or 1/30 for a move; or two of them, \
         like 600+5,180"
    })
}

/// Reports that this build cannot connect to a server.
#[cfg(not(feature = "online"))]
mod online {
    use super::{Args, CommandError};

    pub(super) fn run(_: &Args) -> Result<(), CommandError> {
        let text = "cannot connect: this build has no online games; build with \
                    `--features online`";
        Err(CommandError::failed(text))
    }
}

/// Parses the number of games of a match.
fn parse_games(text: &str) -> Result<usize, &'static str> {
    let games = text.parse().ok().filter(|games| is_match_length(*games));
    games.ok_or("expected a number from 1 to 100")
}

/// Plays until `quit`, the end of input, or the end of a game without a person.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let reason = "standard input is for your commands";
    refuse_stdio("--record", args.record.as_deref(), reason)?;
    refuse_unusable(args)?;
    end_programs_too(true);
    set_language(args.language.or_else(preferred_language).unwrap_or_default());
    if args.join.is_some() || args.invite.is_some() || args.mine {
        return online::run(args);
    }
    let [first, second] = [args.first.looked_up()?, args.second.looked_up()?];
    let args = &Args { first, second, ..args.clone() };
    let store = autosave_folder().map(SaveStore::new);
    if let Some(store) = &store {
        warn_of_results(store);
    }
    let (session, lock, games_in_file) =
        match store.as_ref().filter(|_| args.resume).and_then(SaveStore::wait_for_unfinished) {
            Some((path, lock)) => {
                let session = resume_game(&path, &load_games(&path)?)?;
                (if lock.is_none() { copy_of(session) } else { session }, lock, 1)
            }
            None => {
                let (session, games) = requested_game(args, store.as_ref())?;
                (session, None, games)
            }
        };
    let mut session = session;
    let saving = match &args.record {
        Some(path) if games_in_file == 1 => Saving::in_file(path),
        _ => Saving::default(),
    };
    let mut programs = Programs::new([&args.first, &args.second]);
    programs.prepare(&mut session);
    let mut terminal = Terminal {
        session,
        programs,
        lines: Lines::of_stdin(),
        out: stdout(),
        stopwatch: Stopwatch::start(),
        store,
        lock,
        autosaved: true,
        saving,
        saved_by_user: false,
        warned_of_loss: false,
        listed: Vec::new(),
    };
    terminal.print_introduction()?;
    if let (Some(path), None, 2..) = (&args.record, args.game, games_in_file) {
        let (count, file) = (games_in_file.to_string(), shown(path));
        let text = tr_args("play.first-of", &[("games", &count), ("file", &file)]);
        writeln!(terminal.out, "{text}")?;
    }
    converse(&mut terminal)
}

/// Refuses flags that would have no effect.
fn refuse_unusable(args: &Args) -> Result<(), CommandError> {
    // The parser wants no --record where another flag conflicts with it.
    if args.game.is_some() && args.record.is_none() {
        return Err(CommandError::usage("cannot use --game without --record"));
    }
    match args.rules {
        Some(rules) if args.by_hand && !rules.has_sticks() => {
            Err(CommandError::Usage(format!("cannot use --by-hand with {rules}: it has no sticks")))
        }
        _ => Ok(()),
    }
}

/// Names the lines of the file of results that cannot be read.
fn warn_of_results(store: &SaveStore) {
    let results = ResultStore::beside(store);
    let file = shown(results.path());
    let warning = match results.load() {
        Ok(Results { damaged, .. }) if damaged.is_empty() => return,
        Ok(Results { damaged, .. }) => {
            let lines: Vec<String> = damaged.iter().map(usize::to_string).collect();
            let lines = lines.join(", ");
            tr_args("notice.results-damaged", &[("file", &file), ("lines", &lines)])
        }
        Err(error) => {
            let error = error.to_string();
            tr_args("notice.results-unread", &[("file", &file), ("error", &error)])
        }
    };
    print_error_line!("{warning}");
}

/// The game that the arguments other than `--continue` ask for, and the number
/// of games in its file.
fn requested_game(
    args: &Args,
    store: Option<&SaveStore>,
) -> Result<(GameSession, usize), CommandError> {
    match (&args.record, args.rules) {
        (Some(path), _) => {
            let games = load_valid_games(path)?;
            let records: Vec<_> = games.iter().map(|(_, record)| record.clone()).collect();
            // A match goes on where it stands.
            if args.game.is_none() && GameSession::is_match(&records) {
                return Ok((copy_of(resume_game(path, &records)?), 1));
            }
            let first = games.first().map(|(number, _)| *number);
            let game = load_game(path, &games, args.game.or(first).unwrap_or(1))?;
            Ok((copy_of(game), games.len()))
        }
        (None, Some(rules)) => {
            let players = [&args.first, &args.second];
            let adaptive = players.iter().any(|player| matches!(player, Player::Adaptive));
            let is_person = |player: &&Player| matches!(player, Player::Seat(Seat::Person));
            if adaptive && !players.iter().any(is_person) {
                let text = "adaptive follows a person's rating: the other player must be person";
                return Err(CommandError::usage(text));
            }
            let seats = players.map(Player::seat);
            let (seed, by_hand, clock, games) = (args.seed, args.by_hand, args.clock, args.games);
            let names = [
                args.first.name(args.first_name.as_ref()),
                args.second.name(args.second_name.as_ref()),
            ];
            let new = Setup::new(rules);
            let setup = Setup { seats, names, adaptive, seed, by_hand, clock, games, ..new };
            let mut session = GameSession::new(adapted(setup, store));
            session.date(today());
            Ok((session, 1))
        }
        (None, None) if args.resume => Err(CommandError::Failed(tr("play.none-waits").to_owned())),
        (None, None) => Err(CommandError::usage("expected --rules, --record or --continue")),
    }
}

/// The set-up with the level that fits the person's rating, where it is to follow it.
fn adapted(setup: Setup, store: Option<&SaveStore>) -> Setup {
    if !setup.adaptive {
        return setup;
    }
    // Without results that can be read the person has no rating.
    let results = store.and_then(|store| ResultStore::beside(store).load().ok());
    Ratings::new(&results.unwrap_or_default().games).adapted(setup)
}

/// Reads the games of a file, each with its error if it has one.
///
/// # Errors
/// The file cannot be read.
fn read_games(path: &Path) -> Result<Games, CommandError> {
    let bytes = fs::read(path).map_err(|error| {
        let (file, error) = (shown(path), error.to_string());
        CommandError::Failed(tr_args("play.cannot-read", &[("file", &file), ("error", &error)]))
    })?;
    Ok(files::parse_games(path, &bytes))
}

/// Reads the games of a file, at least one.
///
/// # Errors
/// The file cannot be read, or one of its games.
fn load_games(path: &Path) -> Result<Vec<Record>, CommandError> {
    let games = read_games(path)?.into_iter().collect::<Result<_, _>>();
    games.map_err(|error: RecordError| CommandError::Failed(localized(&error.located_message())))
}

/// Reads the valid games of a file, at least one, with their numbers in it from 1. A line
/// on stderr names each of the others.
///
/// # Errors
/// The file cannot be read or holds no valid game.
fn load_valid_games(path: &Path) -> Result<Vec<(usize, Record)>, CommandError> {
    let games = read_games(path)?;
    let mut valid = Vec::new();
    let mut errors: Vec<String> = Vec::new();
    for (number, game) in (1..).zip(games) {
        match game {
            Ok(record) => valid.push((number, record)),
            Err(error) => errors.push(localized(&error.located_message())),
        }
    }
    if valid.is_empty() && !errors.is_empty() {
        return Err(CommandError::Failed(errors.swap_remove(0)));
    }
    for error in errors {
        print_error_line!("{}", tr_args("play.left-out", &[("error", &error)]));
    }
    Ok(valid)
}

/// Sets up the game with this number of a file's games.
///
/// # Errors
/// There is no such game.
fn load_game(
    path: &Path,
    games: &[(usize, Record)],
    number: usize,
) -> Result<GameSession, CommandError> {
    let game = games.iter().find(|(at, _)| *at == number);
    game.map(|(_, record)| GameSession::from_record(record)).ok_or_else(|| {
        let (file, all) = (shown(path), games.len().to_string());
        let names = [("file", file.as_str()), ("games", &all), ("number", &number.to_string())];
        CommandError::Failed(tr_args("play.no-such-game", &names))
    })
}

/// The game of a file that is not continued in that file.
fn copy_of(mut session: GameSession) -> GameSession {
    session.mark_as_copy();
    session
}

/// Sets up the match of a file, or its first game.
///
/// # Errors
/// There is no game.
fn resume_game(path: &Path, games: &[Record]) -> Result<GameSession, CommandError> {
    GameSession::from_records(games)
        .ok_or_else(|| CommandError::Failed(tr_args("play.no-game", &[("file", &shown(path))])))
}

/// A game and the terminal that it is played in.
struct Terminal {
    session: GameSession,
    programs: Programs,
    lines: Lines<StdinLock<'static>>,
    out: Screen<Stdout>,
    stopwatch: Stopwatch,
    store: Option<SaveStore>,
    lock: Option<SaveLock>,
    /// Whether the autosave file holds the current state.
    autosaved: bool,
    saving: Saving,
    /// Whether the `save` command has written the current state.
    saved_by_user: bool,
    /// Whether the warning that leaving loses the game was given.
    warned_of_loss: bool,
    /// The saved games in the order of the last listing.
    listed: Vec<SavedGame>,
}

impl Dialogue for Terminal {
    /// Plays the engines' plies before the next line.
    fn next_line(&mut self) -> Result<Option<String>, CommandError> {
        self.play_engines()?;
        while self.session.outcome().is_some() && !self.has_person() {
            if !self.start_next_game()? {
                return Ok(None);
            }
            self.play_engines()?;
        }
        let started = self.stopwatch.time();
        let line = self.lines.next_at_prompt(&mut self.out)?;
        self.run_clock(self.stopwatch.time() - started)?;
        if line.is_none() {
            self.autosave_clock()?;
            writeln!(self.out)?;
        }
        Ok(line)
    }

    fn answer(&mut self, line: &str) -> Result<bool, CommandError> {
        self.command(line)
    }
}

impl BoardTerminal for Terminal {
    const HELP: &'static str = "play.help";

    fn out(&mut self) -> &mut Screen<Stdout> {
        &mut self.out
    }

    fn position(&self) -> Option<&AnyPosition> {
        Some(self.session.history().position())
    }

    /// Prints whose turn it is and what is due, or how the game ended.
    fn print_status(&mut self) -> io::Result<()> {
        let rules = self.session.rules();
        let status = match (self.session.outcome(), self.session.turn()) {
            (Some(outcome), _) => describe_outcome(rules, outcome),
            (None, Some(Turn::Throw(side))) => {
                tr_args("play.to-throw", &[("side", side_label(rules, side))])
            }
            (None, Some(Turn::Move(side))) => {
                let name = ("side", side_label(rules, side));
                match self.session.history().position() {
                    AnyPosition::Tablan(position) => match position.pending() {
                        Some(throw) => {
                            let score = throw.score();
                            let (whole, half) = (score.to_string(), (score / 2).to_string());
                            tr_args("play.to-use", &[name, ("score", &whole), ("half", &half)])
                        }
                        None => tr_args("play.to-move", &[name]),
                    },
                    AnyPosition::Tablut(_) => tr_args("play.to-move", &[name]),
                    AnyPosition::Tablaaza(_) => tr_args("play.to-play", &[name]),
                }
            }
            (None, Some(Turn::Over(_)) | None) => return Ok(()),
        };
        let status = join_sentences(status, self.clock_text().into_iter());
        writeln!(self.out, "{status}")
    }
}

impl Terminal {
    /// Prints the players, the board and whose turn it is.
    fn print_introduction(&mut self) -> io::Result<()> {
        let rules = self.session.rules();
        let [first, second] = Side::BOTH.map(|side| {
            format!("{}: {}", side_label(rules, side), player_label(&self.session, side))
        });
        writeln!(self.out, "{}. {first}. {second}.", rules_label(rules))?;
        if let Some(standing) = describe_standing(&self.session) {
            writeln!(self.out, "{standing}")?;
        }
        if self.session.by_hand() {
            writeln!(self.out, "{}", tr("play.by-hand"))?;
        }
        if let Some(sentence) = describe_lot(&self.session) {
            writeln!(self.out, "{sentence}")?;
        }
        writeln!(self.out, "{}", tr("play.say-help"))?;
        self.print_board()?;
        self.print_status()
    }

    fn has_person(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.session.seats()[side.index()] == Seat::Person)
    }

    /// Plays for the levels and programs until a person's turn or the end of the game.
    fn play_engines(&mut self) -> io::Result<()> {
        let mut acted = false;
        while let Some(seat) = self.session.seat_to_act() {
            if matches!(seat, Seat::Person | Seat::Remote) {
                break;
            }
            match self.session.thrower() {
                None => acted = true,
                Some(Thrower::Computer) => {
                    acted = true;
                    let result = self.throw();
                    self.print_result(result)?;
                    continue;
                }
                Some(_) => break,
            }
            let chosen = match seat {
                Seat::Engine(level) => {
                    // The loading takes nothing from the clock.
                    preload(self.session.rules());
                    let started = self.stopwatch.time();
                    let chosen = self.search(level);
                    self.session.run_clock(self.stopwatch.time() - started);
                    chosen.map(Ok)
                }
                _ => self.programs.choose_move(&mut self.session, &self.stopwatch),
            };
            match chosen {
                Some(Ok(mv)) => {
                    let result = self.play(mv);
                    self.print_result(result)?;
                }
                Some(Err(fault)) => writeln!(self.out, "{fault}")?,
                None => break,
            }
        }
        // The last ply has announced the end.
        if acted && self.session.outcome().is_none() { self.print_status() } else { Ok(()) }
    }

    /// Searches for a move; `None` when none is due.
    fn search(&self, level: Level) -> Option<AnyMove> {
        let history = self.session.history().clone();
        let seed = self.session.seed();
        let options =
            EngineOptions { level, hash_mib: 32, seed, book: true, ..EngineOptions::default() };
        let limits = level.limits().within(self.session.allowance());
        search(&Request { history, limits, options }, &StopSignal::default(), &mut |_| ())
    }

    /// Saves the game after a ply, and describes the ply.
    fn after_ply(&mut self) -> String {
        let history = self.session.history();
        let description = describe_ply(history, history.len()).join(" ");
        self.after_change(description)
    }

    /// Saves the game after a change, and returns the change's description with an
    /// error of saving. At the end of the game adds the seed of the sticks, which
    /// would reveal the throws to come before that.
    fn after_change(&mut self, description: String) -> String {
        self.saved_by_user = false;
        self.warned_of_loss = false;
        let failure = self.autosave().err().map(|error| autosave_failed(&error));
        let seed =
            (self.session.outcome().is_some() && self.session.rules().has_sticks()).then(|| {
                if self.session.by_hand() {
                    tr("dice.by-hand").to_owned()
                } else {
                    tr_args("play.seed", &[("seed", &self.session.seed().to_string())])
                }
            });
        join_sentences(description, seed.into_iter().chain(self.match_text()).chain(failure))
    }

    /// At the end of a game of a match: the score, and how the match ended or goes on.
    fn match_text(&self) -> Option<String> {
        self.session.outcome()?;
        let standing = describe_standing(&self.session)?;
        let next = tr_args("play.say-next", &[("command", tr("command.next"))]);
        let more =
            describe_match_result(&self.session).or_else(|| self.has_person().then_some(next));
        Some(join_sentences(format!("{standing}."), more.into_iter()))
    }

    /// Plays a move and describes it; an error leaves the game unchanged.
    fn play(&mut self, mv: AnyMove) -> Result<String, Illegal> {
        self.session.play(mv)?;
        Ok(self.after_ply())
    }

    fn throw(&mut self) -> Result<String, Illegal> {
        self.session.throw()?;
        Ok(self.after_ply())
    }

    /// Enters a throw of real sticks.
    fn enter_throw(&mut self, throw: Throw) -> Result<String, Illegal> {
        self.session.enter_throw(throw)?;
        Ok(self.after_ply())
    }

    fn print_result(&mut self, result: Result<String, Illegal>) -> io::Result<()> {
        match result {
            Ok(description) => writeln!(self.out, "{description}"),
            Err(illegal) => writeln!(self.out, "{}", refusal(&illegal)),
        }
    }
}

/// The text that says why something cannot be done.
fn refusal(illegal: &Illegal) -> String {
    tr_args("play.cannot", &[("why", &describe_illegal(illegal))])
}

fn autosave_failed(error: &io::Error) -> String {
    tr_args("play.not-kept", &[("error", &error.to_string())])
}

fn join_sentences(first: String, more: impl Iterator<Item = String>) -> String {
    let parts: Vec<_> =
        std::iter::once(first).chain(more).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}
