//! Answers to commands that ask about the game: scores, threats, the last plies,
//! throws, the clock and draw offers.

use std::num::{IntErrorKind, NonZeroUsize};

use crate::{
    cli::prelude::*,
    engines::{Score, search},
    i18n::localize_decimal,
    session::{Outcome, count_throws, format_clock, scores, threats, warning},
};

use super::Terminal;

/// Search time with which an engine answers a draw offer, in milliseconds.
const DRAW_OFFER_MILLIS: u64 = 600;

impl Terminal {
    /// Prints the counts that decide the game.
    pub(super) fn print_scores(&mut self) -> io::Result<()> {
        let (rules, history) = (self.session.rules(), self.session.history());
        for (label, [first, second]) in scores(history.start(), history.position()) {
            let [one, other] = Side::BOTH.map(|side| side_label(rules, side));
            writeln!(self.out, "{label}: {one} {first}, {other} {second}.")?;
        }
        match warning(self.session.history().position()) {
            Some(warning) => writeln!(self.out, "{warning}"),
            None => Ok(()),
        }
    }

    /// Runs a person's clock, and announces the end when its time is used up.
    pub(super) fn run_clock(&mut self, elapsed: Duration) -> io::Result<()> {
        if !self.session.run_clock(elapsed) {
            return Ok(());
        }
        let Some(outcome) = self.session.outcome() else { return Ok(()) };
        let text = self.after_change(describe_outcome(self.session.rules(), outcome));
        writeln!(self.out, "{text}")
    }

    /// The time left for the side to move, as a sentence.
    pub(super) fn clock_text(&self) -> Option<String> {
        let side = self.session.clock_runs_for()?;
        let time = format_clock(self.session.clock()?.left(side));
        let side = side_label(self.session.rules(), side);
        Some(tr_args("play.clock", &[("side", side), ("time", &time)]))
    }

    /// Prints what threatens: captures, ways of the king to escape, pavilions.
    pub(super) fn print_threats(&mut self) -> io::Result<()> {
        let threats = threats(self.session.history().position());
        let names = |squares: Vec<Square>| {
            let names: Vec<String> = squares.iter().map(ToString::to_string).collect();
            names.join(", ")
        };
        if threats.is_empty() {
            return writeln!(self.out, "{}", tr("play.no-threats"));
        }
        for (side, captured) in Side::BOTH.into_iter().zip(threats.captured) {
            if captured.is_empty() {
                continue;
            }
            let (name, squares) =
                (side_label(self.session.rules(), side), names(captured.into_iter().collect()));
            let text = tr_args("desk.side-in-danger", &[("side", name), ("squares", &squares)]);
            writeln!(self.out, "{text}.")?;
        }
        if !threats.king_escapes.is_empty() {
            let squares = names(threats.king_escapes.into_iter().map(|(_, to)| to).collect());
            writeln!(self.out, "{}.", tr_args("desk.king-ways", &[("squares", &squares)]))?;
        }
        if !threats.pavilions.is_empty() {
            let squares = names(threats.pavilions.into_iter().map(|(_, at)| at).collect());
            writeln!(self.out, "{}.", tr_args("desk.near-pavilions", &[("squares", &squares)]))?;
        }
        Ok(())
    }

    /// Describes the last plies; `plies` is their number, 1 by default.
    pub(super) fn print_history(&mut self, plies: &str) -> io::Result<()> {
        let plies = match plies.parse::<NonZeroUsize>() {
            Ok(plies) => plies.get(),
            Err(error) => match error.kind() {
                IntErrorKind::Empty => 1,
                IntErrorKind::PosOverflow => usize::MAX,
                _ => {
                    let text = tr_args("play.said-how", &[("command", tr("command.said"))]);
                    return writeln!(self.out, "{text}");
                }
            },
        };
        let history = self.session.history();
        let first = (history.len() + 1).saturating_sub(plies).max(1);
        for number in first..=history.len() {
            writeln!(self.out, "{number}. {}", describe_ply(history, number).join(" "))?;
        }
        if history.is_empty() {
            writeln!(self.out, "{}", tr("play.nothing-played"))
        } else {
            Ok(())
        }
    }

    /// Prints the throws so far with the numbers expected of fair sticks.
    pub(super) fn print_throws(&mut self) -> io::Result<()> {
        let rules = self.session.rules();
        if !rules.has_sticks() {
            return writeln!(self.out, "{}", tr("play.no-sticks"));
        }
        let counts = count_throws(self.session.history(), self.session.history().len());
        for (side, throws) in Side::BOTH.into_iter().zip(counts) {
            let each: Vec<String> = (0..5)
                .map(|plain| {
                    let seen = throws.seen[plain].to_string();
                    let expected = localize_decimal(&format!("{:.1}", throws.expected(plain)));
                    let plain = plain.to_string();
                    let names = [("plain", plain), ("seen", seen), ("expected", expected)];
                    let names = names.each_ref().map(|(name, value)| (*name, value.as_str()));
                    tr_args("play.thrown", &names)
                })
                .collect();
            let name = side_label(rules, side);
            let (count, each) = (throws.count().to_string(), each.join(", "));
            let names = [("side", name), ("count", count.as_str()), ("each", each.as_str())];
            writeln!(self.out, "{}", tr_args("play.threw", &names))?;
        }
        writeln!(self.out, "{}", tr("play.in-brackets"))
    }

    /// Offers a draw. Another person at the same terminal is taken to agree; an
    /// engine decides by a search.
    pub(super) fn offer_draw(&mut self) -> io::Result<()> {
        if !self.session.rules().knows_draws() {
            return writeln!(self.out, "{}.", tr("menu.no-draw"));
        }
        if !self.session.person_moves() {
            return writeln!(self.out, "{}", tr("notice.draw-not-now"));
        }
        let mover = self.session.history().position().side();
        let accepts = match self.session.seats()[mover.other().index()] {
            Seat::Person | Seat::Remote => true,
            Seat::Program => false,
            Seat::Engine(_) => self.engine_accepts_draw(),
        };
        if accepts && self.session.agree() {
            let text = self.after_change(describe_outcome(self.session.rules(), Outcome::Agreed));
            writeln!(self.out, "{text}")
        } else {
            let other = side_label(self.session.rules(), mover.other());
            writeln!(self.out, "{}", tr_args("notice.draw-declined", &[("side", other)]))
        }
    }

    /// Whether an engine accepts a draw: when the side to move is not behind.
    fn engine_accepts_draw(&self) -> bool {
        let history = self.session.history().clone();
        let limits = SearchLimits {
            movetime: Some(Duration::from_millis(DRAW_OFFER_MILLIS)),
            ..SearchLimits::default()
        };
        let options = EngineOptions::for_analysis(32);
        let mut last = None;
        search(&Request { history, limits, options }, &StopSignal::default(), &mut |info| {
            last = Some(info.score);
        });
        match last {
            Some(Score::Points(points)) => points >= 0,
            Some(Score::Win(_)) => true,
            Some(Score::Loss(_)) | None => false,
        }
    }
}
