//! `tabulae analyse`: annotates a record with an evaluation and the best move at
//! each position; for Tablan, with luck and errors (throw and move analysis as in
//! gnubg).

use std::{
    io::{self, Write},
    path::PathBuf,
    time::Duration,
};

use serde::Serialize;

use crate::{
    engines::{
        EngineOptions, Info, Request, Score, SearchLimits, StopSignal, search,
        tablan::{MoveReview, MoveRollout, Review, rank_moves, review, roll_out_moves},
    },
    games::{
        AnyMove, AnyPosition, Game, GameHistory, GameKind, Ply, RuleSet, Side, Turn, tablan::Move,
    },
    records::Record,
};

use super::{CommandError, files::read_records, json, progress::Progress};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae analyse game.tab --movetime 500    Search half a second per position
  tabulae analyse tablan.tab --report        Print luck and errors as a table
  tabulae analyse tablan.tab --rollout 300   Measure the moves by playing on")]
pub(super) struct Args {
    /// Read this record: a .tab or .otg file, a Berkeley move list or a Bologna log; - is
    /// standard input
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
    /// Measure the move played and the best moves of each choice by this many rollouts
    /// (Tablan only): games played on, with the luck of their throws subtracted
    #[arg(long, value_name = "N", conflicts_with = "report")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    rollout: Option<u32>,
    /// Show no progress bar
    #[arg(long)]
    quiet: bool,
}

/// The best moves by look-ahead that a rollout measures beside the move played.
const ROLLOUT_MOVES: usize = 3;
/// The seed of the rollouts' throws, so that an analysis can be repeated.
const ROLLOUT_SEED: u64 = 1;

/// Prints each record with comments, its report, or its evaluations as JSON.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    let records = read_records(&args.file)?;
    let positions = records.iter().map(|record| record.history().len() + 1).sum();
    let progress = Progress::bar(positions, "positions", args.quiet || args.json);
    let movetime = Duration::from_millis(args.movetime);
    for (index, record) in records.into_iter().enumerate() {
        let place = Place {
            file: args.file.display().to_string(),
            game: index + 1,
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
                    args.file.display(),
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

/// Where an object of JSON comes from.
#[derive(Clone, Serialize)]
struct Place {
    file: String,
    game: usize,
    rules: &'static str,
}

/// An object of JSON: an evaluated position, a throw, or a side's totals.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line {
    Position {
        #[serde(flatten)]
        place: Place,
        ply: usize,
        side: &'static str,
        position: String,
        played: Option<String>,
        best: String,
        cp: Option<i32>,
        mate: Option<i32>,
        depth: Option<u32>,
        exact: bool,
        error: Option<f64>,
    },
    Throw {
        #[serde(flatten)]
        place: Place,
        ply: usize,
        side: &'static str,
        throw: String,
        before: f64,
        luck: f64,
    },
    Rollout {
        #[serde(flatten)]
        place: Place,
        ply: usize,
        side: &'static str,
        r#move: String,
        games: u32,
        equity: f64,
        standard_error: f64,
        is_played: bool,
    },
    Totals {
        #[serde(flatten)]
        place: Place,
        side: &'static str,
        luck: f64,
        error: f64,
        choices: usize,
    },
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
        let (cp, mate) = match self.info.as_ref().map(|info| info.score) {
            Some(Score::Points(points)) => (Some(points), None),
            Some(Score::Win(plies)) => (None, i32::try_from(plies.div_ceil(2)).ok()),
            Some(Score::Loss(plies)) => {
                (None, i32::try_from(plies.div_ceil(2)).ok().map(|moves| -moves))
            }
            None => (None, None),
        };
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
            cp,
            mate,
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

/// The review of a game of Tablan.
struct GameReview {
    review: Review,
    /// The evaluation of the last position, if a move is due there.
    last: Option<MoveReview>,
}

impl GameReview {
    /// Reviews a game; `None` if it is not of Tablan.
    fn of(game: &GameHistory<AnyPosition>) -> Option<Self> {
        // A review evaluates the positions before moves. With one more move, it
        // also evaluates the last position; that move is not of the game.
        let mut longer = game.clone();
        let added = matches!(game.turn(), Turn::Move(_))
            && game.legal_moves().first().is_some_and(|mv| longer.push(Ply::Move(*mv)).is_ok());
        let mut review = review(&longer, &StopSignal::default())?;
        let last = if added { review.moves.pop() } else { None };
        Some(Self { review, last })
    }
}

/// The rollouts of a choice in a game.
struct RolledChoice {
    /// The number of the move among the plies, from 1.
    ply: usize,
    side: Side,
    played: Move,
    games: u32,
    /// Best first.
    moves: Vec<MoveRollout>,
}

impl RolledChoice {
    /// `rollout of 300: best a1-a2 +12.3 ± 0.8, played b1-b2 +10.1 ± 0.9`.
    fn comment(&self) -> String {
        let text = |it: &MoveRollout| {
            let (equity, error) = (hundredths(it.equity), json_hundredths(it.error));
            format!("{} {equity} ± {error:.1}", it.mv)
        };
        let mut comment = format!("rollout of {}: ", self.games);
        if let Some(best) = self.moves.first().filter(|best| best.mv != self.played) {
            comment += &format!("best {}, ", text(best));
        }
        if let Some(played) = self.moves.iter().find(|it| it.mv == self.played) {
            comment += &format!("played {}", text(played));
        }
        comment
    }

    /// As JSON, an object for each move.
    fn lines<'a>(&'a self, place: &'a Place, rules: RuleSet) -> impl Iterator<Item = Line> + 'a {
        self.moves.iter().map(move |rolled| Line::Rollout {
            place: place.clone(),
            ply: self.ply - 1,
            side: rules.side_name(self.side),
            r#move: rolled.mv.to_string(),
            games: self.games,
            equity: json_hundredths(rolled.equity),
            standard_error: json_hundredths(rolled.error),
            is_played: rolled.mv == self.played,
        })
    }
}

/// Rolls out each choice of a game: the move played, and the best ones by look-ahead.
fn roll_out_choices(
    history: &GameHistory<AnyPosition>,
    review: &Review,
    games: u32,
) -> Vec<RolledChoice> {
    let mut rolled = Vec::new();
    for choice in review.moves.iter().filter(|choice| choice.move_count > 1) {
        let Some(AnyPosition::Tablan(position)) = history.at(choice.ply - 1) else { continue };
        let ranked = rank_moves(position).into_iter().map(|(mv, _)| mv);
        let mut moves: Vec<_> = ranked.filter(|mv| *mv != choice.played).collect();
        moves.truncate(ROLLOUT_MOVES);
        moves.push(choice.played);
        rolled.push(RolledChoice {
            ply: choice.ply,
            side: choice.side,
            played: choice.played,
            games,
            moves: roll_out_moves(position, &moves, games, ROLLOUT_SEED),
        });
    }
    rolled
}

/// Formats an equity difference in hundredths: `+3.4`.
fn hundredths(equity: f32) -> String {
    // Adding zero turns a minus zero into a plain one.
    format!("{:+.1}", (1000.0 * equity).round() / 10.0 + 0.0)
}

/// Comments a record of Tablan, in hundredths of equity: the luck of each throw
/// that could be used or was a null score, the equity and the best move before
/// each choice, the error of the chosen move, and each side's totals.
fn annotate_review(mut record: Record, reviewed: &GameReview) -> Record {
    let GameReview { review, last } = reviewed;
    let rules = record.rules();
    for throw in &review.throws {
        record.comment(throw.ply, &format!("luck {}", hundredths(throw.luck())));
    }
    for choice in review.moves.iter().chain(last) {
        let (cp, exact) = (100.0 * choice.best_equity, if choice.exact { ", exact" } else { "" });
        record.comment(choice.ply - 1, &format!("cp {cp:.0}, best {}{exact}", choice.best));
    }
    for choice in &review.moves {
        if choice.error() > 0.0 {
            record.comment(choice.ply, &format!("error {}", hundredths(-choice.error())));
        }
    }
    let end = record.history().len();
    for side in Side::BOTH {
        record.comment(end, &totals(rules, review, side));
    }
    record
}

/// A side's total luck and errors in one line.
fn totals(rules: RuleSet, review: &Review, side: Side) -> String {
    let (name, totals) = (rules.side_name(side), review.totals(side));
    let (luck, error) = (hundredths(totals.luck), hundredths(-totals.error));
    format!("{name}: luck {luck}, errors {error} in {} choices", totals.unforced_moves)
}

/// An equity in hundredths, to one decimal place.
fn json_hundredths(equity: f32) -> f64 {
    json::rounded(100.0 * f64::from(equity), 1)
}

/// Prints the throws and positions of a review as JSON, then the totals.
fn print_review(
    out: &mut impl Write,
    place: &Place,
    record: &Record,
    reviewed: &GameReview,
) -> Result<(), CommandError> {
    let (rules, history) = (record.rules(), record.history());
    let GameReview { review, last } = reviewed;
    for ply in 1..=history.len() + 1 {
        if let Some(throw) = review.throw_at(ply) {
            let line = Line::Throw {
                place: place.clone(),
                ply,
                side: rules.side_name(throw.side),
                throw: throw.throw.to_string(),
                before: json_hundredths(throw.equity_before),
                luck: json_hundredths(throw.luck()),
            };
            json::print_line(out, &line)?;
        }
        let played = review.move_at(ply);
        let due = last.as_ref().filter(|due| due.ply == ply);
        if let (Some(choice), Some(position)) = (played.or(due), history.at(ply - 1)) {
            let line = Line::Position {
                place: place.clone(),
                ply: ply - 1,
                side: rules.side_name(choice.side),
                position: position.to_string(),
                played: played.map(|choice| choice.played.to_string()),
                best: choice.best.to_string(),
                cp: Some((100.0 * choice.best_equity).round() as i32),
                mate: None,
                depth: None,
                exact: choice.exact,
                error: played.map(|choice| json_hundredths(choice.error())),
            };
            json::print_line(out, &line)?;
        }
    }
    for side in Side::BOTH {
        let totals = review.totals(side);
        let line = Line::Totals {
            place: place.clone(),
            side: rules.side_name(side),
            luck: json_hundredths(totals.luck),
            error: json_hundredths(totals.error),
            choices: totals.unforced_moves,
        };
        json::print_line(out, &line)?;
    }
    Ok(())
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
