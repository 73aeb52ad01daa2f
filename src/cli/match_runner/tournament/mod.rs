//! `tabulae tournament`: plays engines against each other, each pairing as a match.
//!
//! `schedule` says who plays whom, `state` keeps the results, `report` tells them, and this
//! module plays.

mod report;
mod schedule;
mod state;

use std::{mem, num::NonZeroUsize};

use crate::cli::{files::refuse_same_file, prelude::*, signals::end_programs_too};

use self::{
    report::TournamentReport,
    schedule::Schedule,
    state::{Settings, StateFile},
};

pub(super) use self::{report::Table, schedule::Format};
use super::{
    args::{GameArgs, PLAYERS_HELP, check_programs},
    config::MatchConfig,
    game::play_game,
    play_games,
    player_spec::PlayerSpec,
    report::ReportOptions,
    server_log,
};

const EXAMPLES: &str = "\
Examples:
  tabulae tournament --rules tablan --player club --player expert --player master --games 20
  tabulae tournament --rules tablut/ashton --format gauntlet --player 'new=cmd:./engine -x' --player expert --player master --tc 60+0.5 --concurrency 2 --out games.tab --state games.state";

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{PLAYERS_HELP}\n\n{EXAMPLES}"))]
pub(in crate::cli) struct Args {
    /// Play by these rules
    #[arg(long, value_name = "RULES", value_parser = values::rule_set())]
    pub(super) rules: RuleSet,
    /// Add a player: a level, greedy, random, cmd:COMMAND or bologna:COMMAND, which may
    /// have a name, as in NAME=club (see below); give --player at least twice
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    pub(super) players: Vec<PlayerSpec>,
    /// Choose who plays whom: in a round robin all players play each other, in a
    /// gauntlet the first player plays each of the others
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "round-robin")]
    pub(super) format: Format,
    /// Play this many games for each pairing, an even number: each opening is played
    /// with both sides
    #[arg(long, value_name = "GAMES", default_value = "2", value_parser = values::above_zero::<NonZeroUsize>())]
    pub(super) games: NonZeroUsize,
    #[command(flatten)]
    pub(super) game: GameArgs,
    /// Write the records of the games to this file in the order in which the games end,
    /// or each to a file of its own in this folder; `-` is standard output, and all other
    /// output goes to standard error
    #[arg(long, value_name = "FILE|DIR")]
    pub(super) out: Option<PathBuf>,
    /// Save the results to this file after each game, and continue from it if it
    /// exists
    #[arg(long, value_name = "FILE")]
    pub(super) state: Option<PathBuf>,
    /// Print a JSON object for each game, then one for each pairing and each player
    #[arg(long)]
    pub(super) json: bool,
    /// Show no progress bar, and print no line for each game
    #[arg(long)]
    pub(super) quiet: bool,
    /// The folder of the logs of Bologna's referee.
    #[arg(skip)]
    pub(super) logs: Option<PathBuf>,
}

/// A tournament ready to be played.
struct Tournament {
    schedule: Schedule,
    /// The settings of each pairing's match.
    matches: Vec<MatchConfig>,
    settings: Settings,
}

impl Tournament {
    /// Checks the arguments.
    fn new(args: &Args) -> Result<Self, CommandError> {
        let usage = |text: String| Err(CommandError::Usage(text));
        let players = &args.players;
        let [first, second, ..] = &players[..] else {
            return usage("cannot play a tournament of one player: give --player again".to_owned());
        };
        let names: Vec<_> = players.iter().map(ToString::to_string).collect();
        for (place, name) in names.iter().enumerate() {
            if names[..place].contains(name) {
                return usage(format!(
                    "two players are named '{name}': give one another name, as in --player \
                     NAME=PLAYER"
                ));
            }
        }
        let games = args.games.get();
        if !games.is_multiple_of(2) {
            return usage(format!(
                "cannot play {games} games for each pairing: --games must be even, since each \
                 opening is played with both sides"
            ));
        }
        let Some(schedule) = Schedule::new(args.format, players.len(), games) else {
            return usage(format!(
                "cannot play so many games: expected at most {} in all",
                Schedule::MAX_GAMES
            ));
        };
        let base = args.game.config(args.rules, players, [first, second])?;
        let settings = Settings::new(&base, args, &schedule);
        let matches = schedule
            .pairings
            .iter()
            .map(|pairing| {
                let players = pairing.map(|player| players[player].clone());
                MatchConfig { players, ..base.clone() }
            })
            .collect();
        Ok(Self { schedule, matches, settings })
    }

    /// Sets the seed of all matches. They have the same openings and throws.
    fn set_seed(&mut self, seed: u64) {
        self.settings.seed = seed;
        for config in &mut self.matches {
            config.seed = seed;
        }
    }
}

/// Plays the tournament: prints a line for each game, then the table. A program that
/// cannot be started ends it before the first game.
pub(in crate::cli) fn run(args: &Args) -> Result<(), CommandError> {
    let mut tournament = Tournament::new(args)?;
    if args.json {
        refuse_stdio("--out", args.out.as_deref(), "--json prints to stdout")?;
    }
    refuse_stdio("--state", args.state.as_deref(), "the state is read and written")?;
    if let (Some(state), Some(out)) = (&args.state, &args.out) {
        refuse_same_file(("--state", state), ("--out", out))?;
    }
    check_programs(args.players.iter().map(|player| ("--player", player)))?;
    end_programs_too(true);
    let mut state = match &args.state {
        None => None,
        Some(path) => {
            let games = tournament.schedule.games();
            let state = StateFile::open(path, &tournament.settings, args.game.seed, games)?;
            tournament.set_seed(state.seed);
            Some(state)
        }
    };
    let options = ReportOptions {
        games: tournament.schedule.games(),
        path: args.out.as_deref(),
        json: args.json,
        quiet: args.quiet,
    };
    let names = args.players.iter().map(ToString::to_string).collect();
    let ends = state.as_ref().map_or(&[][..], |state| &state.record_ends);
    let mut report = TournamentReport::new(&tournament, names, options, ends)?;
    let known = state.as_mut().map(|state| mem::take(&mut state.results)).unwrap_or_default();
    let left: Vec<_> =
        (0..tournament.schedule.games()).filter(|game| !known.contains_key(game)).collect();
    report.continue_from(known)?;
    let threads = args.game.concurrency.get().min(left.len());
    play_games(
        left.into_iter(),
        threads,
        |game, stopped| {
            let slot = tournament.schedule.slot(game);
            let mut finished = play_game(&tournament.matches[slot.pairing], slot.number, stopped)?;
            finished.record.set_tag("Round", &(game + 1).to_string());
            if let Some(folder) = &args.logs {
                server_log::write(folder, &finished)?;
            }
            Ok(finished)
        },
        |game, finished| {
            let result = report.add_game(game, &finished)?;
            if let Some(state) = &mut state {
                state.add(game, result, report.sync_records()?)?;
            }
            Ok(false)
        },
    )?;
    report.finish()
}
