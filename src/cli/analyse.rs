//! `tabulae analyse`: annotates a record with an evaluation and the best move at
//! each position; for Tablan, with luck and errors (throw and move analysis as in
//! gnubg).

mod lines;
mod tablan;

use crate::{
    cli::prelude::*,
    engines::{Info, search},
};

use self::{
    lines::{Line, Place},
    tablan::{GameReview, annotate_review, print_report, print_review, roll_out_choices},
};
use super::{files::read_records, progress::Progress, screen::stdout_as_file};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae analyse game.tab --movetime 500    Search half a second per position
  tabulae analyse tablan.tab --report        Print luck and errors as a table
  tabulae analyse tablan.tab --rollout 300   Measure the moves by rollouts")]
pub(super) struct Args {
    /// Read this record: a .tab or .otg file, a Berkeley move list or a Bologna log; `-`
    /// is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Search each position for this time, in milliseconds; ignored in Tablan,
    /// where the search has a fixed depth
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,
    /// Print a table of luck and errors instead of the record (Tablan only)
    #[arg(long)]
    report: bool,
    /// Print a JSON object for each position, and in Tablan for each throw and
    /// each side's totals, instead of the record
    #[arg(long, conflicts_with = "report")]
    json: bool,
    /// For each choice, measure the move played and the best moves by this many rollouts
    /// (Tablan only): games played to the end, with the luck of their throws subtracted
    #[arg(long, value_name = "N", conflicts_with = "report")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    rollout: Option<u32>,
    /// Show no progress bar
    #[arg(long)]
    quiet: bool,
}

/// Prints each record with comments, its report, or its evaluations as JSON.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let mut out: Box<dyn Write> =
        if args.json || args.report { Box::new(stdout()) } else { stdout_as_file() };
    let records = read_records(&args.file)?;
    let positions = records.iter().map(|(_, record)| record.history().len() + 1).sum();
    let progress = Progress::bar(positions, "positions", args.quiet || args.json);
    let movetime = Duration::from_millis(args.movetime);
    for (index, (number, record)) in records.into_iter().enumerate() {
        let place = Place {
            file: args.file.display().to_string(),
            game: number,
            rules: record.rules().id(),
        };
        let Some(reviewed) = GameReview::of(record.history()) else {
            let refused = [
                (args.report, "report the luck in", "--report"),
                (args.rollout.is_some(), "play on from", "--rollout"),
            ];
            if let Some((_, what, flag)) = refused.into_iter().find(|(asked, ..)| *asked) {
                return Err(CommandError::Failed(format!(
                    "cannot {what} {} ({}): {flag} is for Tablan only",
                    shown(&args.file),
                    record.rules()
                )));
            }
            if args.json {
                evaluate(record.history(), movetime, &progress, |evaluation| {
                    json::print_line(&mut out, &evaluation.line(&place, record.history()))
                })?;
            } else {
                let text = annotate(record, movetime, &progress)?.to_string();
                progress.suspend(|| print_game(&mut out, index, &text))?;
            }
            continue;
        };
        let rolled = match args.rollout {
            Some(games) => roll_out_choices(record.history(), &reviewed.review, games),
            None => Vec::new(),
        };
        progress.advance(record.history().len() + 1);
        if args.json {
            print_review(&mut out, &place, &record, &reviewed)?;
            for choice in &rolled {
                for line in choice.lines(&place, record.rules()) {
                    json::print_line(&mut out, &line)?;
                }
            }
        } else if args.report {
            let mut text = Vec::new();
            print_report(&mut text, &record, &reviewed.review)?;
            progress.suspend(|| print_game(&mut out, index, &String::from_utf8_lossy(&text)))?;
        } else {
            let mut record = annotate_review(record, &reviewed);
            for choice in &rolled {
                record.comment(choice.ply, &choice.comment());
            }
            let text = record.to_string();
            progress.suspend(|| print_game(&mut out, index, &text))?;
        }
    }
    Ok(())
}

/// Prints the text of a game, with an empty line before all but the first.
fn print_game(out: &mut impl Write, index: usize, text: &str) -> io::Result<()> {
    write!(out, "{}{text}", if index > 0 { "\n" } else { "" })?;
    out.flush()
}

/// The engine's evaluation of a position with a move due.
struct Evaluation<'a> {
    /// The history up to the position.
    history: &'a GameHistory<AnyPosition>,
    best: AnyMove,
    info: Option<Info>,
}

impl Evaluation<'_> {
    /// As JSON; `game` is the whole game.
    fn line(&self, place: &Place, game: &GameHistory<AnyPosition>) -> Line {
        let (ply, position) = (self.history.len(), self.history.position());
        let played = match game.ply(ply + 1) {
            Some(Ply::Move(mv)) => Some(position.notation(mv)),
            _ => None,
        };
        Line::Position {
            place: place.clone(),
            ply,
            side: position.rules().side_name(position.side()),
            position: position.to_string(),
            played,
            best: position.notation(self.best),
            score: self.info.as_ref().map(|info| info.score).into(),
            depth: self.info.as_ref().map(|info| info.depth),
            exact: self.info.as_ref().is_some_and(|info| info.exact),
            error: None,
        }
    }
}

/// Evaluates each position of a game in which a move is due.
fn evaluate(
    game: &GameHistory<AnyPosition>,
    movetime: Duration,
    progress: &Progress,
    mut each: impl FnMut(&Evaluation<'_>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let mut history = GameHistory::new(game.start().clone());
    for number in 0..=game.len() {
        // The plies of a record are legal, so none is refused here.
        if number > 0
            && let Some(ply) = game.ply(number)
            && history.push(ply).is_err()
        {
            break;
        }
        if matches!(history.turn(), Turn::Move(_)) {
            let request = Request {
                history: history.clone(),
                limits: SearchLimits { movetime: Some(movetime), ..SearchLimits::default() },
                options: EngineOptions::for_analysis(16),
            };
            let mut info = None;
            let best =
                search(&request, &StopSignal::default(), &mut |last| info = Some(last.clone()));
            if let Some(best) = best {
                each(&Evaluation { history: &history, best, info })?;
            }
        }
        progress.advance(1);
    }
    Ok(())
}

/// Comments each position in which a move is due with the engine's evaluation.
fn annotate(
    mut record: Record,
    movetime: Duration,
    progress: &Progress,
) -> Result<Record, CommandError> {
    let game = record.history().clone();
    evaluate(&game, movetime, progress, |evaluation| {
        let best = evaluation.history.position().notation(evaluation.best);
        let text = match &evaluation.info {
            Some(info) => format!("{}, best {best}, depth {}", info.score, info.depth),
            None => format!("best {best}"),
        };
        record.comment(evaluation.history.len(), &text);
        Ok(())
    })?;
    Ok(record)
}
