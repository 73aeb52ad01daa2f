//! A person's move that waits for the tutor's verdict: played already, or held back.
//!
//! While it waits, the opponent does not answer and no clock runs. A held move is in no
//! record; a played one is saved like any other, and undo takes it back.

use super::{News, Question, Referee, Response};
use crate::{
    app::{core::prelude::*, scene::api::SceneCommand, settings::options::TutorMode},
    i18n::{tr, tr_args},
};

/// A person's move that waits for the tutor's verdict.
#[derive(Clone, Debug)]
pub(super) struct TutoredMove {
    mv: AnyMove,
    /// How many plies were played before it.
    plies: usize,
    /// Whether it is held back until the verdict.
    is_held: bool,
    /// What it gives away, once the verdict says so.
    warning: Option<LocalizedMessage>,
}

impl Referee {
    /// Plays a move that a person chose, holds it back for the tutor, or asks the
    /// server of an online game for it.
    pub(crate) fn play_choice(&mut self, mv: AnyMove, tutor: TutorMode) -> Response {
        if self.is_online() {
            return self.request_move(mv);
        }
        let Some(table) = self.table.as_ref().filter(|_| self.is_tutored(tutor)) else {
            return self.play(mv).into();
        };
        let plies = table.history().len();
        let is_held = tutor == TutorMode::BeforeMove;
        let waits = TutoredMove { mv, plies, is_held, warning: None };
        let is_legal = self.legal_moves.contains(&mv);
        if is_held && is_legal {
            self.end_choice();
            self.news.push(News::TriedAgain);
            self.tutored = Some(waits);
            return Response::Done;
        }
        let command = self.play(mv);
        let goes_on = self.table.as_ref().is_some_and(|table| table.outcome().is_none());
        self.tutored = (is_legal && goes_on).then_some(waits);
        command.into()
    }

    /// Whether the tutor judges the moves of the person to move.
    pub(crate) fn is_tutored(&self, tutor: TutorMode) -> bool {
        let Some(table) = &self.table else { return false };
        // Where there is one move only, nothing can be given away.
        let has_choice = self.legal_moves.len() > 1;
        tutor != TutorMode::Off
            && !self.is_exercise()
            && has_choice
            && table.person_moves()
            && table.seats().iter().any(|seat| seat.is_computer())
    }

    /// Whether a move waits for the tutor's verdict, or for the answer to it.
    pub const fn awaits_verdict(&self) -> bool {
        self.tutored.is_some()
    }

    /// The move that is held back for the tutor.
    pub(crate) fn held_move(&self) -> Option<AnyMove> {
        self.tutored.as_ref().filter(|tutored| tutored.is_held).map(|tutored| tutored.mv)
    }

    /// The move to judge and the game before it; none once there is a verdict. A move
    /// that is gone (undone, or the game ended) waits no longer.
    pub(crate) fn move_to_judge(&mut self) -> Option<(GameHistory<AnyPosition>, AnyMove)> {
        let tutored = self.tutored.as_ref()?;
        let table = self.table.as_ref().filter(|table| table.outcome().is_none());
        let is_there = table.is_some_and(|table| {
            let (history, plies) = (table.history(), tutored.plies);
            let played =
                history.len() == plies + 1 && history.ply(plies + 1) == Some(Ply::Move(tutored.mv));
            if tutored.is_held { history.len() == plies } else { played }
        });
        let Some(table) = table.filter(|_| is_there) else {
            self.tutored = None;
            return None;
        };
        if tutored.warning.is_some() {
            return None;
        }
        let mut before = table.history().clone();
        before.truncate(tutored.plies);
        Some((before, tutored.mv))
    }

    /// Asks whether to take back a move that gives away this much.
    pub(crate) fn warn(&mut self, what: LocalizedMessage) {
        if let Some(tutored) = &mut self.tutored {
            tutored.warning = Some(what);
            self.ask_for_tutor();
        }
    }

    /// Asks the tutor's question, unless it stands or an earlier position is viewed.
    pub(crate) fn ask_for_tutor(&mut self) {
        let warned = self.tutored.as_ref().is_some_and(|tutored| tutored.warning.is_some());
        if warned && self.question.is_none() && self.viewed_ply.is_none() {
            self.ask(Question::Tutor);
        }
    }

    /// The tutor's question in the current language.
    pub(super) fn tutor_question(&self) -> Option<(String, Vec<String>)> {
        let tutored = self.tutored.as_ref()?;
        let what = tutored.warning.as_ref()?.localized();
        let before = self.table.as_ref()?.history().at(tutored.plies)?;
        let mv = before.notation(tutored.mv);
        let text = tr_args("tutor.asks", &[("move", &mv), ("what", &what)]);
        Some((text, vec![tr("tutor.take-back").to_owned(), tr("tutor.keep").to_owned()]))
    }

    /// Warns of the last move, as a verdict does.
    #[cfg(test)]
    pub(crate) fn warn_of_last_move(&mut self, what: LocalizedMessage) {
        let history = self.table.as_ref().expect("a game").history();
        let last_move = (1..=history.len()).rev().find_map(|ply| match history.ply(ply) {
            Some(Ply::Move(mv)) => Some((ply - 1, mv)),
            Some(Ply::Throw(_)) | None => None,
        });
        let (plies, mv) = last_move.expect("a move");
        self.tutored = Some(TutoredMove { mv, plies, is_held: false, warning: None });
        self.warn(what);
    }

    /// Lets the move count, and play go on.
    pub(crate) fn keep_tutored(&mut self) -> Option<SceneCommand> {
        let tutored = self.tutored.take()?;
        self.question.take_if(|question| *question == Question::Tutor);
        if tutored.is_held { self.play(tutored.mv) } else { None }
    }

    /// Takes the move back.
    pub(super) fn take_back_tutored(&mut self) -> Option<SceneCommand> {
        let tutored = self.tutored.take()?;
        self.question.take_if(|question| *question == Question::Tutor);
        if !tutored.is_held {
            return self.rewind(GameSession::undo);
        }
        self.placed_step = None;
        None
    }

    /// Drops a move that is held back; false if none is.
    pub(in crate::app::game) fn drop_held_move(&mut self) -> bool {
        let is_held = self.tutored.as_ref().is_some_and(|tutored| tutored.is_held);
        if is_held {
            let _ = self.take_back_tutored();
        }
        is_held
    }

    /// Clears the selection. The tutor's question is left with the game as it is: a
    /// played move counts, a held one does not.
    pub(in crate::app::game) fn deselect(&mut self) {
        if self.question == Some(Question::Tutor) && !self.drop_held_move() {
            let _ = self.keep_tutored();
        }
        self.clear_selection();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::Level;

    /// A person's first move against an engine, under this tutor.
    fn after_first_move(tutor: TutorMode) -> Referee {
        let seats = [Seat::Person, Seat::Engine(Level::Novice)];
        let setup = Setup { seats, seed: Some(1), ..Setup::new(RuleSet::TablutAshton) };
        let mut referee = Referee::default();
        let _ = referee.set_game(GameSession::new(setup));
        let first = referee.legal_moves()[0];
        let _ = referee.play_choice(first, tutor);
        referee
    }

    fn saved_plies(referee: &Referee) -> usize {
        referee.table.as_ref().map_or(0, |table| table.saved_game(None).history().len())
    }

    #[test]
    fn a_held_move_is_in_no_save_and_a_played_one_is() {
        for (tutor, saved) in
            [(TutorMode::Off, 1), (TutorMode::AfterMove, 1), (TutorMode::BeforeMove, 0)]
        {
            let mut referee = after_first_move(tutor);
            assert_eq!(saved_plies(&referee), saved, "{tutor:?}");
            assert_eq!(referee.awaits_verdict(), tutor != TutorMode::Off);
            let is_judged = referee.move_to_judge().is_some_and(|(before, _)| before.is_empty());
            assert_eq!(is_judged, tutor != TutorMode::Off, "the game before the move");
            assert_eq!(referee.held_move().is_some(), tutor == TutorMode::BeforeMove);
            let _ = referee.keep_tutored();
            assert_eq!(saved_plies(&referee), 1, "{tutor:?}: it counts");
            assert_eq!(referee.held_move(), None);
        }
    }

    #[test]
    fn a_move_that_is_taken_back_or_resigned_waits_no_longer() {
        for tutor in [TutorMode::AfterMove, TutorMode::BeforeMove] {
            let mut referee = after_first_move(tutor);
            referee.warn(LocalizedMessage::new("tutor.gives-game"));
            assert!(referee.question == Some(Question::Tutor));
            assert!(referee.move_to_judge().is_none(), "the verdict is there");
            let _ = referee.take_back_tutored();
            assert_eq!((saved_plies(&referee), referee.question), (0, None));
            assert!(referee.awaits_move());

            let mut referee = after_first_move(tutor);
            referee.warn(LocalizedMessage::new("tutor.gives-game"));
            referee.resign();
            assert!(referee.move_to_judge().is_none() && !referee.awaits_verdict());
            assert!(referee.table.as_ref().is_some_and(|table| table.outcome().is_some()));
        }
    }
}
