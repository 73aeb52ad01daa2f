//! What the referee tells the player, and the log of the game.

use bevy::prelude::*;

use super::Referee;
use crate::{
    app::core::notice::{LocalizedText, Notice, Notices, Notify},
    games::{AnyPosition, GameHistory},
    i18n::{Language, language},
    session::{self, GameSession, describe_lot, describe_outcome, describe_ply},
};

/// What becomes of the notice that the player sees.
#[derive(Clone, Debug)]
pub(super) enum NoticeChange {
    /// This is shown.
    Show(Notice),
    /// Another game or position: it is put away.
    PutAway,
    /// The player tried something else: a refusal is put away.
    TriedAgain,
    /// A ply was played.
    Played {
        /// Whether by a person, who has seen it.
        by_person: bool,
    },
}

/// A log of the game on the table in words, newest line last.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct GameLog(pub Vec<String>);

impl GameLog {
    /// The log of a game in the current language.
    fn of(table: &GameSession) -> Self {
        let history: &GameHistory<AnyPosition> = table.history();
        let plies = (1..=history.len()).flat_map(|number| describe_ply(history, number));
        let mut lines: Vec<String> = describe_lot(table).into_iter().chain(plies).collect();
        match table.outcome() {
            Some(session::Outcome::Ended(_)) | None => {}
            // An end that no ply made: resignation, agreement, time.
            Some(outcome) => lines.push(describe_outcome(table.rules(), outcome)),
        }
        Self(lines)
    }
}

/// Writes the log of the game after a change.
pub(super) fn write_log(referee: Res<Referee>, mut log: ResMut<GameLog>) {
    log.set_if_neq(referee.table.as_ref().map(GameLog::of).unwrap_or_default());
}

/// Repeats notice and question when the language changes. The log follows.
pub(super) fn translate(
    mut referee: ResMut<Referee>,
    mut notices: ResMut<Notices>,
    mut last_language: Local<Option<Language>>,
) {
    let now = language();
    if last_language.replace(now).is_some_and(|before| before != now) {
        notices.shown = notices.shown.as_ref().map(Notice::relocalized);
        referee.translate();
    }
}

/// Shows the notices that other parts of the app have sent in this frame, after
/// the one that was set in it.
pub(crate) fn show_notices(
    mut sent: MessageReader<Notify>,
    mut referee: ResMut<Referee>,
    mut notices: ResMut<Notices>,
    mut known: Local<u64>,
) {
    if !referee.notice_changes.is_empty() {
        referee.bypass_change_detection().tell(&mut notices);
    }
    let is_new = *known != notices.count;
    if let Some(sent) = sent.read().map(|sent| sent.0.clone()).reduce(Notice::joined_with) {
        let own = notices.shown.take().filter(|_| is_new);
        notices.set(match own {
            Some(own) => own.joined_with(sent),
            None => sent,
        });
    }
    *known = notices.count;
}

impl Referee {
    /// Lets the notice follow what was told since the last time.
    pub(super) fn tell(&mut self, notices: &mut Notices) {
        for change in self.notice_changes.drain(..) {
            match change {
                NoticeChange::Show(notice) => notices.set(notice),
                NoticeChange::PutAway => notices.clear(),
                NoticeChange::TriedAgain => _ = notices.shown.take_if(|shown| shown.is_refusal),
                NoticeChange::Played { by_person } => {
                    let _ =
                        notices.shown.take_if(|shown| by_person || !shown.outlives_opponent_ply());
                }
            }
        }
    }

    /// Shows a notice in place of the last one.
    pub(crate) fn set_notice(&mut self, notice: Notice) {
        self.notice_changes.push(NoticeChange::Show(notice));
    }

    pub(crate) fn notify_error(&mut self, text: impl Into<LocalizedText>) {
        self.set_notice(Notice::new(text, true));
    }

    pub(crate) fn notify(&mut self, text: impl Into<LocalizedText>) {
        self.set_notice(Notice::new(text, false));
    }

    /// Repeats the question in the current language.
    fn translate(&mut self) {
        if let Some(question) = self.question.take() {
            self.ask(question.subject);
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
            let mut notices = Notices::default();
            referee.tell(&mut notices);
            let notice = notices.shown.clone();
            // Novice's ply, then the person's.
            assert!(!referee.awaits_move());
            let _ = referee.play(referee.legal_moves()[0]).expect("played");
            referee.tell(&mut notices);
            assert_eq!(notices.shown, notice.filter(|_| !refused), "{refused}");
            assert!(referee.awaits_move());
            let _ = referee.play(referee.legal_moves()[0]).expect("played");
            referee.tell(&mut notices);
            assert_eq!(notices.shown, None);
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
        let told = |referee: &mut Referee| {
            let mut notices = Notices::default();
            referee.tell(&mut notices);
            notices.shown.map(|shown| shown.text)
        };
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
        app.init_resource::<Referee>()
            .init_resource::<Notices>()
            .add_message::<Notify>()
            .add_systems(Update, show_notices);
        let mut shown = |sets: bool| {
            if sets {
                app.world_mut().resource_mut::<Referee>().notify(own.clone());
            }
            app.world_mut().write_message(Notify::info(sent.clone()));
            app.update();
            app.world().resource::<Notices>().shown.as_ref().map(|shown| shown.text.clone())
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
        app.init_resource::<Referee>()
            .init_resource::<Notices>()
            .add_message::<Notify>()
            .add_systems(Update, show_notices);
        for message in [&one, &other] {
            app.world_mut().write_message(Notify::error(message.clone()));
        }
        app.update();
        let both = app.world_mut().resource_mut::<Notices>().shown.take().expect("both");
        assert_eq!(both.text, format!("{} {}", one.localized(), other.localized()));
        let first = Notice::new(one.clone(), true);
        let with_name = first.joined_with(Notice::new("c.tab".to_owned(), false));
        assert_eq!((with_name.text.ends_with(" c.tab"), with_name.is_error), (true, true));
        set_thread_language(Some(Language::Italian));
        assert_eq!(both.relocalized().text, format!("{} {}", one.localized(), other.localized()));
        set_thread_language(None);
    }
}
