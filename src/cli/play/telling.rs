//! What is told about the game when it is asked for: counts, threats, the last
//! plies, the throws, and whether a draw is taken.

use std::{
    io::{self, Write},
    time::Duration,
};

use crate::{
    engines::{Limits, Request, Score, Settings, Stop, think},
    games::{Game, Side, Square},
    i18n::{localize_decimal, tr, tr_args},
    table::{
        Outcome, Seat, count_throws, describe_outcome, describe_ply, format_clock, scores,
        side_label, threats, warning,
    },
};

use super::Terminal;

impl Terminal<'_> {
    /// The counts that decide the game.
    pub(super) fn counts(&mut self) -> io::Result<()> {
        let (rules, line) = (self.table.rules(), self.table.history());
        for (label, [first, second]) in scores(line.start(), line.position()) {
            let [one, other] = Side::BOTH.map(|side| side_label(rules, side));
            writeln!(self.out, "{label}: {one} {first}, {other} {second}.")?;
        }
        match warning(self.table.history().position()) {
            Some(warning) => writeln!(self.out, "{warning}"),
            None => Ok(()),
        }
    }

    /// Takes the time that a person needed from his clock, and says so when
    /// it was the last of it.
    pub(super) fn run_clock(&mut self, elapsed: Duration) -> io::Result<()> {
        if !self.table.run_clock(elapsed) {
            return Ok(());
        }
        let Some(outcome) = self.table.outcome() else { return Ok(()) };
        let words = self.played(describe_outcome(self.table.rules(), outcome));
        writeln!(self.out, "{words}")
    }

    /// What is left on the clock of whoever is to move.
    pub(super) fn clock_words(&self) -> Option<String> {
        let side = self.table.clock_runs_for()?;
        let face = format_clock(self.table.clock()?.left(side));
        let side = side_label(self.table.rules(), side);
        Some(tr_args("play.clock", &[("side", side), ("time", &face)]))
    }

    /// What can happen next.
    pub(super) fn threats(&mut self) -> io::Result<()> {
        let threats = threats(self.table.history().position());
        let names = |squares: Vec<Square>| {
            let names: Vec<String> = squares.iter().map(ToString::to_string).collect();
            names.join(", ")
        };
        if threats.is_empty() {
            return writeln!(self.out, "{}", tr("play.no-threats"));
        }
        if !threats.captured.is_empty() {
            let squares = names(threats.captured.into_iter().collect());
            writeln!(self.out, "{}.", tr_args("desk.loses-pieces", &[("squares", &squares)]))?;
        }
        if !threats.king_escapes.is_empty() {
            let squares = names(threats.king_escapes.into_iter().map(|way| way.1).collect());
            writeln!(self.out, "{}.", tr_args("desk.king-ways", &[("squares", &squares)]))?;
        }
        if !threats.pavilions.is_empty() {
            let squares = names(threats.pavilions.into_iter().map(|way| way.1).collect());
            writeln!(self.out, "{}.", tr_args("desk.near-pavilions", &[("squares", &squares)]))?;
        }
        Ok(())
    }

    /// What the last plies did.
    pub(super) fn said(&mut self, plies: &str) -> io::Result<()> {
        let plies = plies.parse::<usize>().unwrap_or(1);
        let line = self.table.history().clone();
        let first = (line.len() + 1).saturating_sub(plies).max(1);
        for number in first..=line.len() {
            writeln!(self.out, "{number}. {}", describe_ply(&line, number).join(" "))?;
        }
        if line.is_empty() { writeln!(self.out, "{}", tr("play.nothing-played")) } else { Ok(()) }
    }

    /// The throws so far, against what is expected of fair sticks.
    pub(super) fn throws(&mut self) -> io::Result<()> {
        let rules = self.table.rules();
        if !rules.has_sticks() {
            return writeln!(self.out, "{}", tr("play.no-sticks"));
        }
        let counts = count_throws(self.table.history(), self.table.history().len());
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

    /// Offers a draw: a person at the same terminal says it for the other too.
    pub(super) fn draw(&mut self) -> io::Result<()> {
        if !self.table.knows_draws() {
            return writeln!(self.out, "{}.", tr("menu.no-draw"));
        }
        if !self.table.person_moves() {
            return writeln!(self.out, "{}", tr("notice.draw-not-now"));
        }
        let mover = self.table.history().position().side();
        let accepts = match self.table.seats()[mover.other().index()] {
            Seat::Person => true,
            Seat::Engine(_) => self.is_no_worse(),
        };
        if accepts && self.table.agree() {
            let words = describe_outcome(self.table.rules(), Outcome::Agreed);
            let words = self.played(words);
            writeln!(self.out, "{words}")
        } else {
            let other = side_label(self.table.rules(), mover.other());
            writeln!(self.out, "{}", tr_args("notice.draw-declined", &[("side", other)]))
        }
    }

    /// Whether whoever is to move is not behind: then the other takes a draw.
    fn is_no_worse(&self) -> bool {
        let line = self.table.history().clone();
        let limits = Limits { movetime: Some(Duration::from_millis(600)), ..Limits::default() };
        let settings = Settings::judge(32);
        let mut last = None;
        think(&Request { line, limits, settings }, &Stop::default(), &mut |info| {
            last = Some(info.score);
        });
        match last {
            Some(Score::Points(points)) => points >= 0,
            Some(Score::Win(_)) => true,
            Some(Score::Loss(_)) | None => false,
        }
    }
}
