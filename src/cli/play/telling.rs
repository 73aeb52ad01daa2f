//! What is told about the game when it is asked for: counts, threats, the last
//! plies, the throws, and whether a draw is taken.

use std::{
    io::{self, Write},
    time::Duration,
};

use crate::{
    engines::{EngineOptions, Request, Score, SearchLimits, StopSignal, search},
    games::{Game, Side, Square},
    table::{
        Outcome, Seat, account, clock_face, outcome_words, scores, side_words, threats, throws,
        warning,
    },
    words::{decimal, fill, say},
};

use super::Terminal;

impl Terminal<'_> {
    /// The counts that decide the game.
    pub(super) fn counts(&mut self) -> io::Result<()> {
        let (rules, line) = (self.table.rules(), self.table.line());
        for (label, [first, second]) in scores(line.start(), line.position()) {
            let [one, other] = Side::BOTH.map(|side| side_words(rules, side));
            writeln!(self.out, "{label}: {one} {first}, {other} {second}.")?;
        }
        match warning(self.table.line().position()) {
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
        let words = self.played(outcome_words(self.table.rules(), outcome));
        writeln!(self.out, "{words}")
    }

    /// What is left on the clock of whoever is to move.
    pub(super) fn clock_words(&self) -> Option<String> {
        let side = self.table.clock_runs_for()?;
        let face = clock_face(self.table.clock()?.left(side));
        let side = side_words(self.table.rules(), side);
        Some(fill("play.clock", &[("side", side), ("time", &face)]))
    }

    /// What can happen next.
    pub(super) fn threats(&mut self) -> io::Result<()> {
        let threats = threats(self.table.line().position());
        let names = |squares: Vec<Square>| {
            let names: Vec<String> = squares.iter().map(ToString::to_string).collect();
            names.join(", ")
        };
        if threats.is_empty() {
            return writeln!(self.out, "{}", say("play.no-threats"));
        }
        if !threats.captured.is_empty() {
            let squares = names(threats.captured.into_iter().collect());
            writeln!(self.out, "{}.", fill("desk.loses-pieces", &[("squares", &squares)]))?;
        }
        if !threats.king_ways.is_empty() {
            let squares = names(threats.king_ways.into_iter().map(|way| way.1).collect());
            writeln!(self.out, "{}.", fill("desk.king-ways", &[("squares", &squares)]))?;
        }
        if !threats.pavilions.is_empty() {
            let squares = names(threats.pavilions.into_iter().map(|way| way.1).collect());
            writeln!(self.out, "{}.", fill("desk.near-pavilions", &[("squares", &squares)]))?;
        }
        Ok(())
    }

    /// What the last plies did.
    pub(super) fn said(&mut self, plies: &str) -> io::Result<()> {
        let plies = plies.parse::<usize>().unwrap_or(1);
        let line = self.table.line().clone();
        let first = (line.len() + 1).saturating_sub(plies).max(1);
        for number in first..=line.len() {
            writeln!(self.out, "{number}. {}", account(&line, number).join(" "))?;
        }
        if line.is_empty() { writeln!(self.out, "{}", say("play.nothing-played")) } else { Ok(()) }
    }

    /// The throws so far, against what is expected of fair sticks.
    pub(super) fn throws(&mut self) -> io::Result<()> {
        let rules = self.table.rules();
        if !rules.has_sticks() {
            return writeln!(self.out, "{}", say("play.no-sticks"));
        }
        let counts = throws(self.table.line(), self.table.line().len());
        for (side, throws) in Side::BOTH.into_iter().zip(counts) {
            let each: Vec<String> = (0..5)
                .map(|plain| {
                    let seen = throws.seen[plain].to_string();
                    let expected = decimal(&format!("{:.1}", throws.expected(plain)));
                    let plain = plain.to_string();
                    let names = [("plain", plain), ("seen", seen), ("expected", expected)];
                    let names = names.each_ref().map(|(name, value)| (*name, value.as_str()));
                    fill("play.thrown", &names)
                })
                .collect();
            let name = side_words(rules, side);
            let (count, each) = (throws.count().to_string(), each.join(", "));
            let names = [("side", name), ("count", count.as_str()), ("each", each.as_str())];
            writeln!(self.out, "{}", fill("play.threw", &names))?;
        }
        writeln!(self.out, "{}", say("play.in-brackets"))
    }

    /// Offers a draw: a person at the same terminal says it for the other too.
    pub(super) fn draw(&mut self) -> io::Result<()> {
        if !self.table.knows_draws() {
            return writeln!(self.out, "{}.", say("menu.no-draw"));
        }
        if !self.table.person_moves() {
            return writeln!(self.out, "{}", say("notice.draw-not-now"));
        }
        let mover = self.table.line().position().side();
        let accepts = match self.table.seats()[mover.other().index()] {
            Seat::Person => true,
            Seat::Engine(_) => self.is_no_worse(),
        };
        if accepts && self.table.agree() {
            let words = outcome_words(self.table.rules(), Outcome::Agreed);
            let words = self.played(words);
            writeln!(self.out, "{words}")
        } else {
            let other = side_words(self.table.rules(), mover.other());
            writeln!(self.out, "{}", fill("notice.draw-declined", &[("side", other)]))
        }
    }

    /// Whether whoever is to move is not behind: then the other takes a draw.
    fn is_no_worse(&self) -> bool {
        let line = self.table.line().clone();
        let limits =
            SearchLimits { movetime: Some(Duration::from_millis(600)), ..SearchLimits::default() };
        let options = EngineOptions::for_analysis(32);
        let mut last = None;
        search(&Request { line, limits, options }, &StopSignal::default(), &mut |info| {
            last = Some(info.score);
        });
        match last {
            Some(Score::Points(points)) => points >= 0,
            Some(Score::Win(_)) => true,
            Some(Score::Loss(_)) | None => false,
        }
    }
}
