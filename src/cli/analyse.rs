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
pub(super) struct Args {
    /// Record to analyse: a .tab file, a Berkeley move list or a Bologna log
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Search time for each position, in milliseconds; ignored in Tablan, whose
    /// search has a fixed depth
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,
    /// Print a table of luck and errors instead of the record (Tablan only)
    #[arg(long)]
    report: bool,
}

/// Prints the records with comments, or their reports.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    for (index, record) in read_records(&args.file)?.into_iter().enumerate() {
        let review = review(record.history(), &StopSignal::default());
        if args.report && review.is_none() {
            return Err(CommandError::Failed(format!(
                "{} has no luck to report: --report is for Tablan",
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
    let whole = record.history().clone();
    let mut history = GameHistory::new(whole.start().clone());
    for number in 0..=whole.len() {
        // A game that ended by repetition refuses its last ply.
        if number > 0
            && let Some(ply) = whole.ply(number)
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
        let mut deepest: Option<Info> = None;
        let best =
            search(&request, &StopSignal::default(), &mut |info| deepest = Some(info.clone()));
        if let Some(best) = best {
            let best = history.position().notation(best);
            let text = match deepest {
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
    for toss in &review.throws {
        record.comment(toss.ply, &format!("luck {}", hundredths(toss.luck())));
    }
    for choice in &review.moves {
        let (cp, proven) = (100.0 * choice.best_equity, if choice.exact { ", exact" } else { "" });
        record.comment(choice.ply - 1, &format!("cp {cp:.0}, best {}{proven}", choice.best));
        if choice.error() > 0.0 {
            record.comment(choice.ply, &format!("error {}", hundredths(-choice.error())));
        }
    }
    let all = record.history().len();
    for side in Side::BOTH {
        record.comment(all, &totals(rules, review, side));
    }
    record
}

/// A side's totals in one line.
fn totals(rules: RuleSet, review: &Review, side: Side) -> String {
    let (name, sums) = (rules.side_name(side), review.totals(side));
    let (luck, error) = (hundredths(sums.luck), hundredths(-sums.error));
    format!("{name}: luck {luck}, errors {error} in {} choices", sums.unforced_moves)
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
    writeln!(out, "Equity in hundredths, 100 won and -100 lost, for the side on turn.\n")?;
    writeln!(out, "  ply  side   throw   before    luck  move                 lost  best")?;
    let mut number = 1;
    while let Some(ply) = history.ply(number) {
        let toss = review.throw_at(number);
        if let (Ply::Throw(throw), Some(toss)) = (ply, toss) {
            let (side, text) = (rules.side_name(toss.side), throw.to_string());
            let before = hundredths(toss.equity_before);
            write!(
                out,
                "{number:5}  {side:5}  {text:5}  {before:>7} {:>7}",
                hundredths(toss.luck())
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
