//! `tabulae analyse`: annotates a record with an evaluation and the best move at
//! each position; for Tablan, with luck and errors (throw and move analysis as in
//! gnubg).

use std::{
    io::{self, Write},
    path::PathBuf,
    time::Duration,
};

use crate::{
    engines::{
        EngineOptions, Info, Request, SearchLimits, StopSignal, search,
        tablan::{Review, review},
    },
    games::{Game, GameHistory, GameKind, Ply, RuleSet, Side, Turn},
    records::Record,
};

use super::{CommandError, read_records};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae analyse game.tab --movetime 500    Search half a second per position
  tabulae analyse tablan.tab --report        Print luck and errors as a table")]
pub(super) struct Args {
    /// Read this record: a .tab file, a Berkeley move list or a Bologna log
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Search each position for this time, in milliseconds; ignored in Tablan,
    /// where the search has a fixed depth
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,
    /// Print a table of luck and errors instead of the record (Tablan only)
    #[arg(long)]
    report: bool,
}

/// Prints each record with comments, or its report.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    for (index, record) in read_records(&args.file)?.into_iter().enumerate() {
        let review = review(record.history(), &StopSignal::default());
        if args.report && review.is_none() {
            return Err(CommandError::Failed(format!(
                "cannot report the luck in {} ({}): --report is for Tablan only",
                args.file.display(),
                record.rules()
            )));
        }
        if index > 0 {
            writeln!(out)?;
        }
        match review {
            Some(review) if args.report => print_report(&mut out, &record, &review)?,
            Some(review) => write!(out, "{}", annotate_review(record, &review))?,
            None => {
                let record = annotate(record, Duration::from_millis(args.movetime));
                write!(out, "{record}")?;
            }
        }
        out.flush()?;
    }
    Ok(())
}

/// Comments each position in which a move is due with the engine's evaluation.
fn annotate(mut record: Record, movetime: Duration) -> Record {
    let game = record.history().clone();
    let mut history = GameHistory::new(game.start().clone());
    for number in 0..=game.len() {
        // The plies of a record are legal, so none is refused here.
        if number > 0
            && let Some(ply) = game.ply(number)
            && history.push(ply).is_err()
        {
            break;
        }
        if !matches!(history.turn(), Turn::Move(_)) {
            continue;
        }
        let request = Request {
            history: history.clone(),
            limits: SearchLimits { movetime: Some(movetime), ..SearchLimits::default() },
            options: EngineOptions::for_analysis(16),
        };
        let mut last: Option<Info> = None;
        let best = search(&request, &StopSignal::default(), &mut |info| last = Some(info.clone()));
        if let Some(best) = best {
            let best = history.position().notation(best);
            let text = match last {
                Some(info) => format!("{}, best {best}, depth {}", info.score, info.depth),
                None => format!("best {best}"),
            };
            record.comment(number, &text);
        }
    }
    record
}

/// Formats an equity difference in hundredths: `+3.4`.
fn hundredths(equity: f32) -> String {
    // Adding zero turns a minus zero into a plain one.
    format!("{:+.1}", (1000.0 * equity).round() / 10.0 + 0.0)
}

/// Comments a record of Tablan, in hundredths of equity: the luck of each throw
/// that could be used or was a null score, the equity and the best move before
/// each choice, the error of the chosen move, and each side's totals.
fn annotate_review(mut record: Record, review: &Review) -> Record {
    let rules = record.rules();
    for throw in &review.throws {
        record.comment(throw.ply, &format!("luck {}", hundredths(throw.luck())));
    }
    for choice in &review.moves {
        let (cp, exact) = (100.0 * choice.best_equity, if choice.exact { ", exact" } else { "" });
        record.comment(choice.ply - 1, &format!("cp {cp:.0}, best {}{exact}", choice.best));
        if choice.error() > 0.0 {
            record.comment(choice.ply, &format!("error {}", hundredths(-choice.error())));
        }
    }
    let last = record.history().len();
    for side in Side::BOTH {
        record.comment(last, &totals(rules, review, side));
    }
    record
}

/// A side's total luck and errors in one line.
fn totals(rules: RuleSet, review: &Review, side: Side) -> String {
    let (name, totals) = (rules.side_name(side), review.totals(side));
    let (luck, error) = (hundredths(totals.luck), hundredths(-totals.error));
    format!("{name}: luck {luck}, errors {error} in {} choices", totals.unforced_moves)
}

/// Prints a line for each throw and its move, then the totals.
fn print_report(
    out: &mut impl Write,
    record: &Record,
    review: &Review,
) -> Result<(), CommandError> {
    let (rules, history) = (record.rules(), record.history());
    debug_assert_eq!(rules.game(), GameKind::Tablan);
    let players = Side::BOTH.map(|side| {
        let name = &record.players[side.index()];
        format!("{} ({name})", rules.side_name(side))
    });
    writeln!(out, "{rules}: {}, {}", players.join(" - "), record.result())?;
    writeln!(
        out,
        "Equity in hundredths, +100 for a win and -100 for a loss, for the side to move.\n"
    )?;
    writeln!(out, "  ply  side   throw   before    luck  move                 lost  best")?;
    let mut number = 1;
    while let Some(ply) = history.ply(number) {
        let reviewed = review.throw_at(number);
        if let (Ply::Throw(throw), Some(reviewed)) = (ply, reviewed) {
            let (side, text) = (rules.side_name(reviewed.side), throw.to_string());
            let before = hundredths(reviewed.equity_before);
            write!(
                out,
                "{number:5}  {side:5}  {text:5}  {before:>7} {:>7}",
                hundredths(reviewed.luck())
            )?;
            match review.move_at(number + 1) {
                Some(choice) => {
                    let lost = hundredths(-choice.error());
                    let best =
                        if choice.error() > 0.0 { choice.best.to_string() } else { String::new() };
                    let row = format!("  {:18} {lost:>6}  {best}", choice.played.to_string());
                    writeln!(out, "{}", row.trim_end())?;
                    number += 1;
                }
                None => writeln!(out)?,
            }
        } else if let Some(choice) = review.move_at(number) {
            let side = rules.side_name(choice.side);
            let lost = hundredths(-choice.error());
            let played = choice.played.to_string();
            writeln!(
                out,
                "{number:5}  {side:5}  {:22}  {played:18} {lost:>6}  {}",
                "", choice.best
            )?;
        }
        number += 1;
    }
    writeln!(out)?;
    for side in Side::BOTH {
        writeln!(out, "{}", totals(rules, review, side))?;
    }
    Ok(())
}
