//! A word to the person, which follows the language spoken.

use crate::i18n::LocalizedMessage;

/// A text, and what it is made of where it can be said in another language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::app) struct Wording {
    text: String,
    why: Option<LocalizedMessage>,
}

impl Wording {
    /// The text, as it was said last.
    pub(in crate::app) fn text(&self) -> &str {
        &self.text
    }

    /// The same in the language spoken now.
    pub(in crate::app) fn again(&self) -> Self {
        self.why.clone().map_or_else(|| self.clone(), Self::from)
    }

    /// Both words, one after the other; they follow the language where both do.
    fn and(self, other: Self) -> Self {
        match (self.why, other.why) {
            (Some(one), Some(other)) => LocalizedMessage::new("notice.both")
                .with_message("one", one)
                .with_message("other", other)
                .into(),
            _ => format!("{} {}", self.text, other.text).into(),
        }
    }
}

impl From<LocalizedMessage> for Wording {
    fn from(why: LocalizedMessage) -> Self {
        Self { text: why.localized(), why: Some(why) }
    }
}

/// A name, or what another program said.
impl From<String> for Wording {
    fn from(text: String) -> Self {
        Self { text, why: None }
    }
}

/// A word to the person about something that went wrong, or was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The word.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
    /// Whether it is about what was just tried at the table, so that the next
    /// ply settles it, whoever makes it, and the next touch too.
    pub is_refusal: bool,
    wording: Wording,
}

impl Notice {
    pub(in crate::app) fn new(said: impl Into<Wording>, is_error: bool) -> Self {
        let wording = said.into();
        Self { text: wording.text.clone(), is_error, is_refusal: false, wording }
    }

    /// A word about what was asked for at the table and cannot be.
    pub(super) fn refusal(said: impl Into<Wording>) -> Self {
        Self { is_refusal: true, ..Self::new(said, true) }
    }

    /// Why a touch did nothing: it may have been meant to.
    pub(in crate::app) fn of_a_touch(why: LocalizedMessage) -> Self {
        Self { is_refusal: true, ..Self::new(why, false) }
    }

    /// Both words, one after the other, as a word of its own.
    pub(super) fn and(self, other: Self) -> Self {
        Self::new(self.wording.and(other.wording), self.is_error || other.is_error)
    }

    /// Whether it stays until somebody has read it: the opponent's ply does not
    /// put it away.
    pub(super) const fn stays(&self) -> bool {
        self.is_error && !self.is_refusal
    }

    /// Whether it is the same word, be it in another language.
    pub(in crate::app) fn repeats(&self, other: &Self) -> bool {
        let why = self.wording.why.is_some() && self.wording.why == other.wording.why;
        self == other || why
    }

    /// The same in the language spoken now.
    pub(super) fn again(&self) -> Self {
        Self { is_refusal: self.is_refusal, ..Self::new(self.wording.again(), self.is_error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        app::referee::Referee,
        engines::Level,
        games::RuleSet,
        table::{GameSession, Seat, Setup},
    };

    #[test]
    fn what_went_wrong_outlives_the_opponents_ply_and_a_refusal_does_not() {
        for refused in [false, true] {
            let seats = [Seat::Engine(Level::Novice), Seat::Person];
            let setup = Setup { seats, ..Setup::new(RuleSet::TablutAshton) };
            let mut referee = Referee::default();
            let _ = referee.seat(GameSession::new(setup));
            if refused {
                referee.decline(LocalizedMessage::new("illegal.not-yet").with("text", "e5-e6"));
            } else {
                referee.complain(LocalizedMessage::new("notice.no-game"));
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
    fn two_words_are_said_together_in_each_language() {
        use crate::i18n::{Language, set_thread_language};
        let [one, other] = ["notice.no-game", "notice.no-hint"].map(LocalizedMessage::new);
        let mut referee = Referee::default();
        referee.complain_too(other.clone());
        referee.complain_too(one.clone());
        let both = referee.notice.expect("both");
        assert_eq!(both.text, format!("{} {}", one.localized(), other.localized()));
        let first = Notice::new(one.clone(), true);
        let with_name = first.and(Notice::new("c.tab".to_owned(), false));
        assert_eq!((with_name.text.ends_with(" c.tab"), with_name.is_error), (true, true));
        set_thread_language(Some(Language::Italian));
        assert_eq!(both.again().text, format!("{} {}", one.localized(), other.localized()));
        set_thread_language(None);
    }

    #[test]
    fn a_refusal_said_in_another_language_is_one_still() {
        let refusal = Notice::refusal(LocalizedMessage::new("notice.no-game"));
        assert!(!refusal.stays() && !refusal.again().stays());
        let failure = Notice::new(LocalizedMessage::new("notice.no-game"), true);
        assert!(failure.stays() && failure.again().stays());
        assert!(!Notice::new(LocalizedMessage::new("notice.no-game"), false).stays());
    }
}
