//! `tabulae analyse`: a record with the engine's opinion at each ply, and for
//! Tablan a report of luck and skill.

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
    games::{Game, GameKind, Line, Ply, RuleSet, Side, Turn},
    records::Record,
};

use super::{Failure, read_records};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record: a .tab file, a Berkeley move list or a Bologna log
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How long to think about each position, in milliseconds; Tablan's look
    /// ahead is the same whatever the time
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,
    /// For Tablan: a table of luck and skill in place of the record
    #[arg(long)]
    report: bool,
}

/// Thinks about every position and writes the records with its comments.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for (index, record) in read_records(&args.file)?.into_iter().enumerate() {
        let review = review(record.line(), &StopSignal::default());
        if args.report && review.is_none() {
            return Err(Failure::Wrong(format!(
                "{} has no luck to report: --report is for Tablan",
                record.rules()
            )));
        }
        if index > 0 {
            writeln!(out)?;
        }
        match review {
            Some(review) if args.report => report(&mut out, &record, &review)?,
            Some(review) => write!(out, "{}", with_review(record, &review))?,
            None => {
                let record = annotate(record, Duration::from_millis(args.movetime));
                write!(out, "{record}")?;
            }
        }
        out.flush()?;
    }
    Ok(())
}

fn annotate(mut record: Record, movetime: Duration) -> Record {
    let whole = record.line().clone();
    let mut line = Line::new(whole.start().clone());
    for number in 0..=whole.len() {
        // The last position of a game ended by repetition is over, too.
        if number > 0
            && let Some(ply) = whole.ply(number)
            && line.push(ply).is_err()
        {
            break;
        }
        if !matches!(line.turn(), Turn::Move(_)) {
            continue;
        }
        let request = Request {
            line: line.clone(),
            limits: SearchLimits { movetime: Some(movetime), ..SearchLimits::default() },
            options: EngineOptions::for_analysis(16),
        };
        let mut last: Option<Info> = None;
        let best = search(&request, &StopSignal::default(), &mut |info| last = Some(info.clone()));
        if let Some(best) = best {
            let best = line.position().notation(best);
            let text = match last {
                Some(info) => format!("{}, best {best}, depth {}", info.score, info.depth),
                None => format!("best {best}"),
            };
            record.comment(number, &text);
        }
    }
    record
}

/// An equity difference in hundredths, as people write it: `+3.4`.
fn hundredths(equity: f32) -> String {
    // Adding zero turns a minus zero into a plain one.
    format!("{:+.1}", (1000.0 * equity).round() / 10.0 + 0.0)
}

/// The record with what every throw and choice of Tablan was worth, in
/// hundredths of equity: luck where a throw can be used or was a null score,
/// the equity and the best move where a choice was made, and what it gave away.
fn with_review(mut record: Record, review: &Review) -> Record {
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
    let all = record.line().len();
    for side in Side::BOTH {
        record.comment(all, &sums(rules, review, side));
    }
    record
}

/// A side's sums in one line.
fn sums(rules: RuleSet, review: &Review, side: Side) -> String {
    let (name, sums) = (rules.side_name(side), review.totals(side));
    let (luck, error) = (hundredths(sums.luck), hundredths(-sums.error));
    format!("{name}: luck {luck}, errors {error} in {} choices", sums.unforced_moves)
}

/// A line for each throw and choice, then the sums.
fn report(out: &mut impl Write, record: &Record, review: &Review) -> Result<(), Failure> {
    let (rules, line) = (record.rules(), record.line());
    debug_assert_eq!(rules.game(), GameKind::Tablan);
    let players = Side::BOTH.map(|side| {
        let name = &record.players[side.index()];
        format!("{} ({name})", rules.side_name(side))
    });
    writeln!(out, "{rules}: {}, {}", players.join(" - "), record.result())?;
    writeln!(out, "Equity in hundredths, 100 won and -100 lost, for the side on turn.\n")?;
    writeln!(out, "  ply  side   throw   before    luck  move                 lost  best")?;
    let mut number = 1;
    while let Some(ply) = line.ply(number) {
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
        writeln!(out, "{}", sums(rules, review, side))?;
    }
    Ok(())
}
