//! The log of the game and the messages to the player.

use bevy::prelude::*;

use super::Referee;
use crate::{
    app::core::notice::{LocalizedText, Notice, Notify},
    session::{self, describe_lot, describe_outcome, describe_ply},
};

/// Shows the notices that other parts of the app have sent in this frame, after
/// the one that the referee itself has set in it.
pub(crate) fn show_notices(
    mut sent: MessageReader<Notify>,
    mut referee: ResMut<Referee>,
    mut known: Local<u64>,
) {
    let is_new = *known != referee.notices_set;
    let notices = sent.read().map(|Notify(notice)| notice.clone());
    if let Some(sent) = notices.reduce(Notice::joined_with) {
        let own = referee.notice.take().filter(|_| is_new);
        referee.set_notice(match own {
            Some(own) => own.joined_with(sent),
            None => sent,
        });
    }
    *known = referee.notices_set;
}

impl Referee {
    /// Shows a notice in place of the last one.
    pub(crate) fn set_notice(&mut self, notice: Notice) {
        self.notice = Some(notice);
        self.notices_set += 1;
    }

    pub(crate) fn notify_error(&mut self, text: impl Into<LocalizedText>) {
        self.set_notice(Notice::new(text, true));
    }

    pub(crate) fn notify(&mut self, text: impl Into<LocalizedText>) {
        self.set_notice(Notice::new(text, false));
    }

    /// Repeats log, message and question in the current language.
    pub(crate) fn translate(&mut self) {
        self.rebuild_log();
        self.notice = self.notice.as_ref().map(Notice::relocalized);
        if let Some(question) = self.question.take() {
            self.ask(question.subject);
        }
    }

    /// Rebuilds the log of the game in the current language.
    pub(crate) fn rebuild_log(&mut self) {
        let Some(table) = &self.table else { return };
        let history = table.history();
        let plies = (1..=history.len()).flat_map(|number| describe_ply(history, number));
        self.log = describe_lot(table).into_iter().chain(plies).collect();
        self.log_outcome();
    }

    /// Logs an end that no ply made: resignation, agreement, time.
    pub(crate) fn log_outcome(&mut self) {
        let Some(table) = &self.table else { return };
        match table.outcome() {
            Some(session::Outcome::Ended(_)) | None => {}
            Some(outcome) => self.log.push(describe_outcome(table.rules(), outcome)),
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
        i18n::LocalizedMessage,
        session::{GameSession, Seat, Setup},
    };

    #[test]
    fn an_error_outlives_the_opponents_ply_and_a_refusal_does_not() {
        for refused in [false, true] {
            let seats = [Seat::Engine(Level::Novice), Seat::Person];
            let setup = Setup { seats, ..Setup::new(RuleSet::TablutAshton) };
            let mut referee = Referee::default();
            let _ = referee.set_game(GameSession::new(setup));
            if refused {
                referee
                    .notify_refusal(LocalizedMessage::new("illegal.not-yet").with("text", "e5-e6"));
            } else {
                referee.notify_error(LocalizedMessage::new("notice.no-game"));
            }
            let notice = referee.notice.clone();
            // Novice's ply, then the person's.
            assert!(!referee.awaits_move());
            let _ = referee.play(referee.legal_moves()[0]).expect("played");
            assert_eq!(referee.notice, notice.filter(|_| !refused), "{refused}");
            assert!(referee.awaits_move());
            let _ = referee.play(referee.legal_moves()[0]).expect("played");
            assert_eq!(referee.notice, None);
        }
    }

    #[test]
    fn the_first_undo_or_help_in_a_rated_game_says_that_it_no_longer_counts() {
        let unrated = LocalizedMessage::new("play.unrated").localized();
        let begun = |seats: [Seat; 2]| {
            let mut referee = Referee::default();
            let _ = referee
                .set_game(GameSession::new(Setup { seats, ..Setup::new(RuleSet::Tablaaza) }));
            for _ in 0..4 {
                let _ = referee.play(referee.legal_moves()[0]).expect("played");
            }
            referee
        };
        let told = |referee: &mut Referee| referee.notice.take().map(|it| it.text);
        let engine = [Seat::Person, Seat::Engine(Level::Novice)];
        let mut referee = begun(engine);
        let _ = referee.rewind(GameSession::undo).expect("undone");
        assert_eq!(told(&mut referee).as_ref(), Some(&unrated));
        let _ = referee.rewind(GameSession::undo).expect("undone");
        assert_eq!(told(&mut referee), None, "once");
        let mut referee = begun(engine);
        for first in [true, false] {
            referee.set_unrated();
            assert_eq!(told(&mut referee), first.then(|| unrated.clone()));
        }
        // A game of two guests never counted.
        let mut referee = begun([Seat::Person; 2]);
        let _ = referee.rewind(GameSession::undo).expect("undone");
        assert_eq!(told(&mut referee), None);
    }

    #[test]
    fn a_notice_that_is_sent_joins_the_one_set_in_the_same_frame() {
        let [own, sent] = ["own", "sent"].map(str::to_owned);
        let mut app = App::new();
        app.init_resource::<Referee>().add_message::<Notify>().add_systems(Update, show_notices);
        let mut shown = |sets: bool| {
            if sets {
                app.world_mut().resource_mut::<Referee>().notify(own.clone());
            }
            app.world_mut().write_message(Notify::info(sent.clone()));
            app.update();
            app.world().resource::<Referee>().notice.as_ref().map(|it| it.text.clone())
        };
        assert_eq!(shown(true).as_deref(), Some("own sent"));
        assert_eq!(
            shown(true).as_deref(),
            Some("own sent"),
            "the notice of the frame before is gone"
        );
        assert_eq!(shown(false).as_deref(), Some("sent"));
    }

    #[test]
    fn two_errors_are_joined_in_each_language() {
        use crate::i18n::{Language, set_thread_language};
        let [one, other] = ["notice.no-game", "notice.no-hint"].map(LocalizedMessage::new);
        let mut app = App::new();
        app.init_resource::<Referee>().add_message::<Notify>().add_systems(Update, show_notices);
        for message in [&one, &other] {
            app.world_mut().write_message(Notify::error(message.clone()));
        }
        app.update();
        let both = app.world_mut().resource_mut::<Referee>().notice.take().expect("both");
        assert_eq!(both.text, format!("{} {}", one.localized(), other.localized()));
        let first = Notice::new(one.clone(), true);
        let with_name = first.joined_with(Notice::new("c.tab".to_owned(), false));
        assert_eq!((with_name.text.ends_with(" c.tab"), with_name.is_error), (true, true));
        set_thread_language(Some(Language::Italian));
        assert_eq!(both.relocalized().text, format!("{} {}", one.localized(), other.localized()));
        set_thread_language(None);
    }
}
