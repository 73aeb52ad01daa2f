//! The luck and errors of a game of Tablan, and its rollouts.

use super::lines::{Line, Place};
use crate::{
    cli::{json::ScoreFields, prelude::*},
    engines::tablan::{MoveReview, MoveRollout, Review, rank_moves, review, roll_out_moves},
    games::{GameKind, tablan::Move},
};

/// The best moves by look-ahead that a rollout measures beside the move played.
const ROLLOUT_MOVES: usize = 3;
/// The seed of the rollouts' throws, so that an analysis can be repeated.
const ROLLOUT_SEED: u64 = 1;

/// The review of a game of Tablan.
pub(super) struct GameReview {
    pub(super) review: Review,
    /// The evaluation of the last position, if a move is due there.
    last: Option<MoveReview>,
}

impl GameReview {
    /// Reviews a game; `None` if it is not of Tablan.
    pub(super) fn of(game: &GameHistory<AnyPosition>) -> Option<Self> {
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
pub(super) struct RolledChoice {
    /// The number of the move among the plies, from 1.
    pub(super) ply: usize,
    side: Side,
    played: Move,
    games: u32,
    /// The rolled-out moves, the best first.
    moves: Vec<MoveRollout>,
}

impl RolledChoice {
    /// `rollout of 300: best a1-a2 +12.3 ± 0.8, played b1-b2 +10.1 ± 0.9`.
    pub(super) fn comment(&self) -> String {
        let text = |rolled: &MoveRollout| {
            let (equity, error) = (hundredths(rolled.equity), json_hundredths(rolled.error));
            format!("{} {equity} ± {error:.1}", rolled.mv)
        };
        let mut comment = format!("rollout of {}: ", self.games);
        if let Some(best) = self.moves.first().filter(|best| best.mv != self.played) {
            comment += &format!("best {}, ", text(best));
        }
        if let Some(played) = self.moves.iter().find(|rolled| rolled.mv == self.played) {
            comment += &format!("played {}", text(played));
        }
        comment
    }

    /// As JSON, an object for each move.
    pub(super) fn lines<'a>(
        &'a self,
        place: &'a Place,
        rules: RuleSet,
    ) -> impl Iterator<Item = Line> + 'a {
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
pub(super) fn roll_out_choices(
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
pub(super) fn annotate_review(mut record: Record, reviewed: &GameReview) -> Record {
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
pub(super) fn print_review(
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
                score: ScoreFields {
                    cp: Some((100.0 * choice.best_equity).round() as i32),
                    mate: None,
                },
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
pub(super) fn print_report(
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
