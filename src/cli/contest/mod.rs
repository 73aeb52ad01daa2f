//! `tabulae match`: engines against each other.

mod elo;
mod game;
mod player;

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Write},
    num::{NonZeroU64, NonZeroUsize},
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use crate::{
    games::{RuleSet, Side},
    records::GameResult,
    table::random_seed,
};

use self::{
    elo::{Score, Sprt, Verdict, signed},
    game::{Played, Terms, Thinking, side_of_first},
    player::Player,
};

use super::{Failure, bologna::wire::RULES};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rules
    #[arg(long, value_name = "RULES")]
    rules: RuleSet,
    /// A level (novice, casual, club, expert, master), cmd:COMMAND, any program
    /// that speaks UGI, or bologna:COMMAND, a client of Bologna's competition,
    /// with {role} or {ROLE}, {time}, {host} and {port} where it wants them
    #[arg(long, value_name = "PLAYER")]
    first: Player,
    /// The other one
    #[arg(long, value_name = "PLAYER")]
    second: Player,
    /// How many games
    #[arg(long, value_name = "N", default_value = "10")]
    games: NonZeroUsize,
    /// How long a player may think about a move, in milliseconds
    #[arg(long, value_name = "MS", default_value = "100")]
    movetime: NonZeroU64,
    /// How long a program may take to start, and over its time to move, in
    /// milliseconds; then it has lost the game
    #[arg(long, value_name = "MS", default_value = "10000")]
    patience: NonZeroU64,
    /// How many games at the same time
    #[arg(long, value_name = "K", default_value = "1")]
    concurrency: NonZeroUsize,
    /// Write the games' records to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// For the openings, the sticks and the levels' noise; without it a new
    /// one is drawn and said
    #[arg(long)]
    seed: Option<u64>,
    /// How many random moves each game begins with, 20 at most; 4 by default,
    /// none in Tablan, where the sticks make each game another, and none against
    /// a bologna: player, which always begins at the start
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=20))]
    openings: Option<u8>,
    /// Stop when the Elo difference of the first player is known to be rather
    /// the one or the other of these two, with 5 % of error (SPRT)
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Threads of each of our levels
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Memory of each of our levels for positions looked at, in MiB
    #[arg(long, value_name = "MIB", default_value = "64")]
    hash: NonZeroUsize,
    /// A game this long is a draw
    #[arg(long, value_name = "N", default_value = "1000")]
    plies: NonZeroUsize,
}

/// Plays the match: a line for each game, then the score.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let with_client = args.first.is_client() || args.second.is_client();
    // The sticks make every game of Tablan another, and what is played at random
    // would be taken for a player's own choice.
    let plain = with_client || args.rules.has_sticks();
    let openings = usize::from(args.openings.unwrap_or(if plain { 0 } else { 4 }));
    if with_client && args.rules != RULES {
        return Err(Failure::Usage(format!("a bologna: player plays {RULES} only")));
    }
    if with_client && openings > 0 {
        let text = "a bologna: player begins at the start: --openings must be 0";
        return Err(Failure::Usage(text.to_owned()));
    }
    if args.concurrency.get() > 1 && (args.first.is_alone() || args.second.is_alone()) {
        let text = "a bologna: player without {port} plays one game at a time: --concurrency 1";
        return Err(Failure::Usage(text.to_owned()));
    }
    let seed = args.seed.unwrap_or_else(random_seed);
    let terms = Terms {
        rules: args.rules,
        players: [args.first.clone(), args.second.clone()],
        movetime: Duration::from_millis(args.movetime.get()),
        patience: Duration::from_millis(args.patience.get()),
        seed,
        openings,
        threads: args.threads.get(),
        hash_mib: args.hash.get(),
        most_plies: args.plies.get(),
    };
    let mut report = Report::new(args, seed)?;
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let games = args.games.get();
    thread::scope(|scope| {
        let (sender, played) = mpsc::channel();
        for _ in 0..args.concurrency.get().min(games) {
            let (terms, next, stopped, sender) = (&terms, &next, &stopped, sender.clone());
            scope.spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games || sender.send(game::play(terms, number)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // Records are written in the games' order, whichever ends first.
        let mut waiting = BTreeMap::new();
        for game in played {
            waiting.insert(game.number, game);
            while let Some(game) = waiting.remove(&report.written) {
                let done = report.game(&game, &terms);
                if !matches!(done, Ok(false)) {
                    stopped.store(true, Ordering::Relaxed);
                }
                if done? {
                    return Ok(());
                }
            }
        }
        Ok::<(), Failure>(())
    })?;
    report.score(&terms)
}

/// What is said, written and counted.
struct Report {
    out: io::Stdout,
    file: Option<(PathBuf, File)>,
    games: usize,
    written: usize,
    score: Score,
    faults: [u32; 2],
    thinking: [Thinking; 2],
    sprt: Option<Sprt>,
}

impl Report {
    fn new(args: &Args, seed: u64) -> Result<Self, Failure> {
        let file = match &args.out {
            None => None,
            Some(path) => {
                let file = File::create(path).map_err(|error| {
                    Failure::Wrong(format!("cannot write {}: {error}", path.display()))
                })?;
                Some((path.clone(), file))
            }
        };
        let mut out = io::stdout();
        let games = args.games.get();
        writeln!(
            out,
            "{}: {} - {}, {games} games, {} ms a move, seed {seed}",
            args.rules, args.first, args.second, args.movetime
        )?;
        Ok(Self {
            out,
            file,
            games,
            written: 0,
            score: Score::default(),
            faults: [0; 2],
            thinking: [Thinking::default(); 2],
            sprt: args.sprt,
        })
    }

    /// Counts a game; whether enough is known now.
    fn game(&mut self, game: &Played, terms: &Terms) -> Result<bool, Failure> {
        let (record, rules) = (&game.record, terms.rules);
        let first = side_of_first(game.number);
        let player = |side: Side| {
            format!("{} ({})", terms.players[usize::from(side != first)], rules.side_name(side))
        };
        match record.result() {
            GameResult::Won(side) if side == first => self.score.wins += 1,
            GameResult::Won(_) => self.score.losses += 1,
            GameResult::Drawn | GameResult::Unknown => self.score.draws += 1,
        }
        writeln!(
            self.out,
            "game {} of {}: {} - {}: {} ({}), {} plies",
            game.number + 1,
            self.games,
            player(Side::First),
            player(Side::Second),
            record.result(),
            record.termination().unwrap_or("open"),
            record.history().len()
        )?;
        if let Some(fault) = &game.fault {
            writeln!(self.out, "game {}: {fault}", game.number + 1)?;
            if let GameResult::Won(winner) = record.result() {
                self.faults[usize::from(winner == first)] += 1;
            }
        }
        if let Some((path, file)) = &mut self.file {
            let space = if self.written > 0 { "\n" } else { "" };
            write!(file, "{space}{record}").map_err(|error| {
                Failure::Wrong(format!("cannot write {}: {error}", path.display()))
            })?;
        }
        self.written += 1;
        for (sum, game) in self.thinking.iter_mut().zip(game.thinking) {
            sum.include(game);
        }
        Ok(self.sprt.is_some_and(|sprt| sprt.verdict(self.score) != Verdict::Open))
    }

    fn score(&mut self, terms: &Terms) -> Result<(), Failure> {
        let score = self.score;
        let [first, second] = &terms.players;
        writeln!(
            self.out,
            "score of {first} against {second}: +{} ={} -{}, {} of {} ({:.1} %)",
            score.wins,
            score.draws,
            score.losses,
            score.points(),
            score.games(),
            score.mean() * 100.0
        )?;
        let difference = score.difference();
        let interval = if score.uniform() {
            "no interval, all games ended alike".to_owned()
        } else {
            format!("95 %: {} to {}", signed(difference.low), signed(difference.high))
        };
        writeln!(self.out, "Elo difference: {} ({interval})", signed(difference.elo))?;
        if let Some(sprt) = self.sprt {
            let word = match sprt.verdict(score) {
                Verdict::High => format!("rather {}", signed(sprt.high)),
                Verdict::Low => format!("rather {}", signed(sprt.low)),
                Verdict::Open => "not decided".to_owned(),
            };
            let (low, high) = (signed(sprt.low), signed(sprt.high));
            let (ratio, bound) = (sprt.ratio(score), Sprt::BOUND);
            writeln!(
                self.out,
                "SPRT {low} or {high}: {word}, log-likelihood ratio {ratio:+.2} (±{bound:.2})"
            )?;
        }
        for (player, thinking) in terms.players.iter().zip(self.thinking) {
            if let Some(mean) = thinking.mean() {
                let (mean, longest) = (mean.as_secs_f64(), thinking.longest.as_secs_f64());
                writeln!(self.out, "time of {player}: {mean:.3} s a move, {longest:.3} s at most")?;
            }
        }
        for (player, faults) in terms.players.iter().zip(self.faults) {
            if faults > 0 {
                writeln!(self.out, "forfeits of {player}: {faults}")?;
            }
        }
        Ok(())
    }
}
