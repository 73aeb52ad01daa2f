//! What is said of the game on the table, and to whoever sits at it.

use super::{Notice, Referee, notice::Wording};
use crate::table::{self, describe_lot, describe_outcome, describe_ply};

impl Referee {
    pub(in crate::app) fn complain(&mut self, said: impl Into<Wording>) {
        self.notice = Some(Notice::new(said, true));
    }

    /// Complains, and says after it what was said already.
    pub(in crate::app) fn complain_too(&mut self, said: impl Into<Wording>) {
        let word = Notice::new(said, true);
        self.notice = Some(match self.notice.take() {
            Some(other) => word.and(other),
            None => word,
        });
    }

    pub(in crate::app) fn tell(&mut self, said: impl Into<Wording>) {
        self.notice = Some(Notice::new(said, false));
    }

    /// Everything said so far, in the language spoken now.
    pub(super) fn translate(&mut self) {
        self.say_again();
        self.notice = self.notice.as_ref().map(Notice::again);
        if let Some(question) = self.question.take() {
            self.ask(question.about);
        }
    }

    /// What happened in the game as it now stands, in the language spoken now.
    pub(in crate::app) fn say_again(&mut self) {
        let Some(table) = &self.table else { return };
        let line = table.history();
        let plies = (1..=line.len()).flat_map(|number| describe_ply(line, number));
        self.said = describe_lot(table).into_iter().chain(plies).collect();
        self.say_outcome();
    }

    /// An end that no ply made is said too.
    pub(super) fn say_outcome(&mut self) {
        let Some(table) = &self.table else { return };
        match table.outcome() {
            Some(table::Outcome::Ended(_)) | None => {}
            Some(outcome) => self.said.push(describe_outcome(table.rules(), outcome)),
        }
    }
}
