//! `tabulae-lab puzzles`: finds puzzles, and checks them.

use std::{
    fmt::Write as _,
    io::Write as _,
    path::{Path, PathBuf},
};

use tabulae_command_line::{
    CommandError,
    files::{
        check_writable, counted, is_stdio, read_records_of, read_text_file, refuse_same_file,
        refuse_stdio_twice, results_beside, write_file,
    },
    print_error_line,
    progress::Progress,
    screen::{shown, stdout},
    values,
};
use tabulae_engines::EngineState;
use tabulae_games::RuleSet;
use tabulae_session::{
    position_key,
    puzzles::{HEADER, read_puzzles},
};

use crate::puzzles::{Effort, MinePlan, Miner, verify};

/// Nodes of a search that looks for a puzzle.
const MINING_NODES: u64 = 4_000;
/// Nodes of a search that checks one.
const CHECKING_NODES: u64 = 200_000;
/// Games of self-play for each puzzle that is wanted, after which to give up.
const MAX_GAMES_PER_PUZZLE: u64 = 50;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae-lab puzzles --rules tablaaza --seed 7 --count 300 --out new.txt
  tabulae-lab puzzles --rules tablut/ashton --seed 7 --count 9 --from games.tab --out -
  tabulae-lab puzzles --check assets/puzzles/tablaaza.txt

Prints `FILE: RULES, N puzzles` for each checked file without an error. A puzzle with
a wrong solution, a second solution or a symmetric twin is reported on stderr as
`FILE:LINE: REASON`, and the exit code is 1.")]
pub(super) struct Args {
    /// Find puzzles of these rules
    #[arg(long, value_name = "RULES", value_parser = values::rule_set())]
    #[arg(required_unless_present = "check")]
    rules: Option<RuleSet>,
    /// Set the seed of the self-play games; the same seed finds the same puzzles
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Find this many puzzles
    #[arg(long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = values::above_zero::<u64>())]
    count: u64,
    /// Look for puzzles in the games of these records, not in self-play; `-` is standard
    /// input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    from: Vec<PathBuf>,
    /// Write the puzzles to this file, and rewrite it after each game with a new puzzle;
    /// `-` is standard output
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    out: Option<PathBuf>,
    /// Verify the puzzles of these files; `-` is standard input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    #[arg(conflicts_with_all = ["rules", "seed", "count", "from", "out"])]
    check: Vec<PathBuf>,
    /// Search this many nodes in a position [default: 4000, and 200000 with --check]
    #[arg(long, value_name = "N", value_parser = values::above_zero::<u64>())]
    nodes: Option<u64>,
    /// Show no progress bar
    #[arg(long)]
    quiet: bool,
}

/// Finds puzzles, or checks files of them.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    refuse_stdio_twice(args.from.iter().chain(&args.check))?;
    match (args.rules, &args.out) {
        (Some(rules), Some(out)) => mine(args, rules, out),
        _ => check(args),
    }
}

fn mine(args: &Args, rules: RuleSet, out: &Path) -> Result<(), CommandError> {
    for file in &args.from {
        refuse_same_file(("--out", out), ("--from", file))?;
    }
    let mut given = Vec::new();
    for file in &args.from {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().replace(';', "_");
        let records = read_records_of(file, rules)?.into_iter();
        given.extend(records.map(|(number, record)| (format!("{name}.{number}"), record)));
    }
    let count = usize::try_from(args.count).unwrap_or(usize::MAX);
    let nodes = args.nodes.unwrap_or(MINING_NODES);
    let mut miner = Miner::new(MinePlan { rules, seed: args.seed, count, nodes });
    let progress = Progress::bar(count, "puzzles", args.quiet);
    let mut written = None;
    let save = |miner: &Miner, written: &mut Option<usize>| {
        let found = miner.puzzles().len();
        progress.set(found);
        if *written != Some(found) && !is_stdio(out) {
            *written = Some(found);
            write_file(out, text(args, nodes, miner))
        } else {
            Ok(())
        }
    };
    // An unwritable file is an error before an hour's work.
    check_writable(out)?;
    if args.from.is_empty() {
        while !miner.is_full() && miner.games() < args.count.saturating_mul(MAX_GAMES_PER_PUZZLE) {
            miner.play_game();
            save(&miner, &mut written)?;
        }
    }
    for (source, record) in &given {
        miner.take_game(record.history(), source);
        save(&miner, &mut written)?;
    }
    progress.finish();
    if written != Some(miner.puzzles().len()) {
        write_file(out, text(args, nodes, &miner))?;
    }
    let found = miner.puzzles().len();
    let found = counted(found, "puzzle", "puzzles");
    writeln!(results_beside(Some(out)), "{}: {rules}, {found}", shown(out))?;
    Ok(())
}

/// The file: its header says how to make it again.
fn text(args: &Args, nodes: u64, miner: &Miner) -> String {
    let mut text = format!("{HEADER}\n");
    let rules = args.rules.map(RuleSet::id).unwrap_or_default();
    let (seed, count) = (args.seed, args.count);
    // Writing to a text cannot fail.
    _ = writeln!(text, "# rules {rules}");
    _ = writeln!(text, "# seed {seed}, count {count}, nodes {nodes}");
    for puzzle in miner.puzzles() {
        _ = writeln!(text, "{puzzle}");
    }
    text
}

fn check(args: &Args) -> Result<(), CommandError> {
    let effort = Effort::checking(args.nodes.unwrap_or(CHECKING_NODES));
    let state = EngineState::new();
    let mut is_valid = true;
    for file in &args.check {
        let name = shown(file);
        let text = match read_text_file(file) {
            Ok(text) => text,
            Err(CommandError::Failed(error)) => {
                print_error_line!("{error}");
                is_valid = false;
                continue;
            }
            Err(other) => return Err(other),
        };
        let (rules, puzzles) = match read_puzzles(&text) {
            Ok(read) => read,
            Err((line, error)) => {
                print_error_line!("{name}:{line}: {error}");
                is_valid = false;
                continue;
            }
        };
        let progress = Progress::bar(puzzles.len(), "puzzles", args.quiet);
        let mut seen = std::collections::HashMap::new();
        let mut is_file_valid = true;
        for (line, puzzle) in &puzzles {
            let twin = seen.insert(position_key(&puzzle.start), line);
            let flaw = match twin {
                Some(twin) => Some(format!("the same as line {twin}, but for symmetry")),
                None => verify(&state, puzzle, effort).err().map(|flaw| flaw.to_string()),
            };
            if let Some(flaw) = flaw {
                progress.suspend(|| print_error_line!("{name}:{line}: {flaw}"));
                is_file_valid = false;
            }
            progress.advance(1);
        }
        progress.finish();
        if is_file_valid {
            let found = counted(puzzles.len(), "puzzle", "puzzles");
            writeln!(stdout(), "{name}: {rules}, {found}")?;
        }
        is_valid &= is_file_valid;
    }
    if is_valid { Ok(()) } else { Err(CommandError::AlreadyReported) }
}
