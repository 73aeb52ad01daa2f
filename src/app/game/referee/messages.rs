//! The log of the game and the messages to the player.

use super::Referee;
use crate::{
    app::core::notice::{LocalizedText, Notice},
    table::{self, account, lot_words, outcome_words},
};

impl Referee {
    pub(crate) fn notify_error(&mut self, said: impl Into<LocalizedText>) {
        self.notice = Some(Notice::new(said, true));
    }

    /// Adds an error before the message that is shown already.
    pub(crate) fn notify_error_too(&mut self, said: impl Into<LocalizedText>) {
        let word = Notice::new(said, true);
        self.notice = Some(match self.notice.take() {
            Some(other) => word.and(other),
            None => word,
        });
    }

    pub(crate) fn tell(&mut self, said: impl Into<LocalizedText>) {
        self.notice = Some(Notice::new(said, false));
    }

    /// Repeats log, message and question in the current language.
    pub(crate) fn translate(&mut self) {
        self.rebuild_log();
        self.notice = self.notice.as_ref().map(Notice::again);
        if let Some(question) = self.question.take() {
            self.ask(question.subject);
        }
    }

    /// Rebuilds the log of the game in the current language.
    pub(crate) fn rebuild_log(&mut self) {
        let Some(table) = &self.table else { return };
        let line = table.line();
        let plies = (1..=line.len()).flat_map(|number| account(line, number));
        self.said = lot_words(table).into_iter().chain(plies).collect();
        self.log_outcome();
    }

    /// Logs an end that no ply made: resignation, agreement, time.
    pub(crate) fn log_outcome(&mut self) {
        let Some(table) = &self.table else { return };
        match table.outcome() {
            Some(table::Outcome::Ended(_)) | None => {}
            Some(outcome) => self.said.push(outcome_words(table.rules(), outcome)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        app::core::notice::Notice,
        engines::Level,
        games::RuleSet,
        table::{Seat, Setup, Table},
        words::Why,
    };

    #[test]
    fn an_error_outlives_the_opponents_ply_and_a_refusal_does_not() {
        for refused in [false, true] {
            let seats = [Seat::Engine(Level::Novice), Seat::Person];
            let setup = Setup { seats, ..Setup::of(RuleSet::TablutAshton) };
            let mut referee = Referee::default();
            let _ = referee.seat(Table::new(setup));
            if refused {
                referee.notify_refusal(Why::of("illegal.not-yet").with("text", "e5-e6"));
            } else {
                referee.notify_error(Why::of("notice.no-game"));
            }
            let notice = referee.notice.clone();
            // Novice's ply, then the person's.
            assert!(!referee.plays());
            let _ = referee.play(referee.legal()[0]).expect("played");
            assert_eq!(referee.notice, notice.filter(|_| !refused), "{refused}");
            assert!(referee.plays());
            let _ = referee.play(referee.legal()[0]).expect("played");
            assert_eq!(referee.notice, None);
        }
    }

    #[test]
    fn two_errors_are_joined_in_each_language() {
        use crate::words::{Language, speak_here};
        let [one, other] = ["notice.no-game", "notice.no-hint"].map(Why::of);
        let mut referee = Referee::default();
        referee.notify_error_too(other.clone());
        referee.notify_error_too(one.clone());
        let both = referee.notice.expect("both");
        assert_eq!(both.text, format!("{} {}", one.words(), other.words()));
        let first = Notice::new(one.clone(), true);
        let with_name = first.and(Notice::new("c.tab".to_owned(), false));
        assert_eq!((with_name.text.ends_with(" c.tab"), with_name.is_error), (true, true));
        speak_here(Some(Language::Italian));
        assert_eq!(both.again().text, format!("{} {}", one.words(), other.words()));
        speak_here(None);
    }
}
