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
    records::Outcome,
    table::fresh_seed,
};

use self::{
    elo::{Score, signed},
    game::{Played, Terms, side_of_first},
    player::Player,
};

use super::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rules
    #[arg(long, value_name = "RULES")]
    rules: RuleSet,
    /// A level (novice, casual, club, expert, master), or cmd:COMMAND, any
    /// program that speaks UGI
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
    /// How many random moves each game begins with
    #[arg(long, value_name = "N", default_value_t = 4)]
    openings: usize,
    /// A game this long is a draw
    #[arg(long, value_name = "N", default_value = "1000")]
    plies: NonZeroUsize,
}

/// Plays the match: a line for each game, then the score.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let terms = Terms {
        rules: args.rules,
        players: [args.first.clone(), args.second.clone()],
        movetime: Duration::from_millis(args.movetime.get()),
        seed,
        openings: args.openings,
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
                report.game(&game, &terms).inspect_err(|_| {
                    stopped.store(true, Ordering::Relaxed);
                })?;
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
        Ok(Self { out, file, games, written: 0, score: Score::default(), faults: [0; 2] })
    }

    fn game(&mut self, game: &Played, terms: &Terms) -> Result<(), Failure> {
        let (record, rules) = (&game.record, terms.rules);
        let first = side_of_first(game.number);
        let player = |side: Side| {
            format!("{} ({})", terms.players[usize::from(side != first)], rules.side_name(side))
        };
        match record.result() {
            Outcome::Won(side) if side == first => self.score.wins += 1,
            Outcome::Won(_) => self.score.losses += 1,
            Outcome::Drawn | Outcome::Open => self.score.draws += 1,
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
            record.line().len()
        )?;
        if let Some(fault) = &game.fault {
            writeln!(self.out, "game {}: {fault}", game.number + 1)?;
            if let Outcome::Won(winner) = record.result() {
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
        Ok(())
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
        for (player, faults) in terms.players.iter().zip(self.faults) {
            if faults > 0 {
                writeln!(self.out, "forfeits of {player}: {faults}")?;
            }
        }
        Ok(())
    }
}
