//! The notices about the game on the table: what the referee has to say, and what the other
//! parts of the app send.

use super::{
    actions::apply_actions,
    referee::{News, Referee},
};
use crate::{app::core::prelude::*, i18n::language};

/// Repeats the notice when the language changes.
fn translate(mut notices: ResMut<Notices>, mut last_language: Local<Option<Language>>) {
    let now = language();
    if last_language.replace(now).is_some_and(|before| before != now) {
        notices.shown = notices.shown.as_ref().map(Notice::relocalized);
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
    for news in referee.bypass_change_detection().take_news() {
        notices.follow(news);
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

impl Notices {
    /// Follows what happened at the table.
    pub(in crate::app::game) fn follow(&mut self, news: News) {
        match news {
            News::Notice(notice) => self.set(notice),
            News::PutOnTable => self.clear(),
            News::TriedAgain => _ = self.shown.take_if(|shown| shown.is_refusal),
            News::Played { by_person } => {
                _ = self.shown.take_if(|shown| by_person || !shown.is_error);
            }
        }
    }
}

/// Puts away what was told on the last screen. Errors stay, and so does what was told as
/// the screen changed.
fn end_with_screen(
    screen: Res<State<Screen>>,
    mut notices: ResMut<Notices>,
    mut counts: Local<[u64; 2]>,
) {
    let is_older = counts[0] == notices.count;
    if screen.is_changed() && is_older && notices.shown.as_ref().is_some_and(|it| !it.is_error) {
        notices.clear();
    }
    *counts = [counts[1], notices.count];
}

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, end_with_screen.in_set(AppSet::Notify).after(show_notices));
    app.add_systems(Update, translate.in_set(AppSet::ApplyActions).after(apply_actions))
        .add_systems(Update, show_notices.in_set(AppSet::Notify));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        app::game::referee::{Help, MoveOptions, Question, Undo},
        engines::Level,
    };

    fn follow(referee: &mut Referee, notices: &mut Notices) {
        referee.take_news().into_iter().for_each(|news| notices.follow(news));
    }

    #[test]
    fn an_error_outlives_the_opponents_ply_and_a_refusal_does_not() {
        for refused in [false, true] {
            let seats = [Seat::Engine(Level::Novice), Seat::Person];
            let setup = Setup { seats, ..Setup::new(RuleSet::TablutAshton) };
            let mut referee = Referee::default();
            let _ = referee.set_game(GameSession::new(setup));
            let mut notices = Notices::default();
            follow(&mut referee, &mut notices);
            let message = LocalizedMessage::new("notice.no-game");
            notices.set(if refused {
                Notice::refusal(message)
            } else {
                Notice::new(message, true)
            });
            let notice = notices.shown.clone();
            // Novice's ply, then the person's.
            assert!(!referee.awaits_move());
            let _ = referee.play(referee.legal_moves()[0]).expect("played");
            follow(&mut referee, &mut notices);
            assert_eq!(notices.shown, notice.filter(|_| !refused), "{refused}");
            assert!(referee.awaits_move());
            let _ = referee.play(referee.legal_moves()[0]).expect("played");
            follow(&mut referee, &mut notices);
            assert_eq!(notices.shown, None);
        }
    }

    #[test]
    fn an_undo_in_a_rated_game_is_asked_about_once_and_help_says_that_it_no_longer_counts() {
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
            follow(referee, &mut notices);
            notices.shown.map(|shown| shown.text)
        };
        let engine = [Seat::Person, Seat::Engine(Level::Novice)];
        let mut referee = begun(engine);
        let plies = |referee: &Referee| referee.table.as_ref().map(|table| table.history().len());
        assert!(referee.undo(Undo::Ply).is_none());
        assert_eq!((referee.question, plies(&referee)), (Some(Question::Undo(Undo::Ply)), Some(4)));
        let _ = referee.answer(0, MoveOptions::default());
        assert_eq!((referee.question, plies(&referee)), (None, Some(2)));
        assert_eq!(told(&mut referee), None, "the question said it");
        assert!(referee.undo(Undo::Ply).is_some(), "it is asked once");
        // The computer's reply leaves the question open.
        let mut referee = begun(engine);
        let _ = referee.play(referee.legal_moves()[0]).expect("the person's move");
        assert!(referee.undo(Undo::Ply).is_none());
        let _ = referee.play(referee.legal_moves()[0]).expect("the computer's move");
        assert_eq!(referee.question, Some(Question::Undo(Undo::Ply)));
        let mut referee = begun(engine);
        for first in [true, false] {
            referee.set_unrated();
            assert_eq!(told(&mut referee), first.then(|| unrated.clone()));
        }
        // A game of two guests never counted.
        let mut referee = begun([Seat::Person; 2]);
        assert!(referee.undo(Undo::Ply).is_some());
        assert_eq!(told(&mut referee), None);
    }

    #[test]
    fn other_help_answers_the_question_before_a_hint() {
        let seats = [Seat::Person, Seat::Engine(Level::Novice)];
        let mut referee = Referee::default();
        let _ =
            referee.set_game(GameSession::new(Setup { seats, ..Setup::new(RuleSet::Tablaaza) }));
        for _ in 0..2 {
            let _ = referee.play(referee.legal_moves()[0]).expect("played");
        }
        referee.ask_before_help(Help::Hint);
        assert!(referee.question.is_some());
        referee.set_unrated();
        assert_eq!(referee.question, None, "the game does not count any more");
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
                app.world_mut().resource_mut::<Referee>().say_that(own.clone());
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
