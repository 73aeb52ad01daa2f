//! `tabulae-lab corpus`: writes games of self-play with the engine's values.

use std::{io::Write, num::NonZeroUsize, path::PathBuf, thread};

use tabulae_command_line::{
    CommandError,
    files::{counted, refuse_terminal, results_beside, write_file},
    json::print_line,
    progress::Progress,
    screen::shown,
    values,
};
use tabulae_games::RuleSet;

use crate::{CorpusPlan, play_corpus_game};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  tabulae-lab corpus --rules tablut/saami --games 1000 --nodes 2000 --threads 4 --out games.jsonl")]
pub(super) struct Args {
    /// Play by these rules
    #[arg(long, value_name = "RULES", value_parser = values::rule_set())]
    rules: RuleSet,
    /// Set the seed of the games; the same seed gives the same games
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Play this many games
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Search this many nodes for each move
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = values::above_zero::<u64>())]
    nodes: u64,
    /// Begin each game with this many random moves
    #[arg(long, value_name = "N", default_value_t = 4)]
    random_moves: usize,
    /// End a game as a draw at this length, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 1000)]
    plies: usize,
    /// Play this many games at a time; the file does not depend on it
    #[arg(long, value_name = "THREADS", default_value = "1")]
    #[arg(value_parser = values::at_most::<NonZeroUsize>(256))]
    threads: NonZeroUsize,
    /// Write the games to this file, one JSON object per line; `-` is standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Show no progress bar
    #[arg(long)]
    quiet: bool,
}

/// Plays the games and writes them in their order.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    refuse_terminal("--out", &args.out)?;
    let plan = CorpusPlan {
        rules: args.rules,
        seed: args.seed,
        nodes: args.nodes,
        random_moves: args.random_moves,
        max_plies: args.plies,
    };
    let progress = Progress::bar(args.games as usize, "games", args.quiet);
    let mut lines = Vec::new();
    let numbers: Vec<_> = (1..=args.games).collect();
    for chunk in numbers.chunks(args.threads.get()) {
        let games: Vec<_> = thread::scope(|scope| {
            let started: Vec<_> = chunk
                .iter()
                .map(|&number| scope.spawn(move || play_corpus_game(plan, number)))
                .collect();
            started.into_iter().map(thread::ScopedJoinHandle::join).collect()
        });
        for game in games {
            let game =
                game.map_err(|_| CommandError::Failed("a game of self-play failed".to_owned()))?;
            print_line(&mut lines, &game)?;
            progress.advance(1);
        }
    }
    progress.finish();
    let size = lines.len();
    write_file(&args.out, lines)?;
    let games = counted(numbers.len(), "game", "games");
    let mut results = results_beside(Some(&args.out));
    writeln!(results, "{}: {}, {games}, {size} bytes", shown(&args.out), args.rules)?;
    Ok(())
}
