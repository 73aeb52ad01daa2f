//! Questions to the player: which of two meanings, a confirmation, a draw offer.

use super::{Help, MoveOptions, OnlineRequest, Referee, Response};
use crate::{
    app::core::prelude::*,
    i18n::{tr, tr_args},
    online::Offer,
    session::side_label,
};

/// A question with its possible answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub text: String,
    /// The answers.
    pub choices: Vec<String>,
    pub(crate) subject: Subject,
}

impl Question {
    /// Whether its answers are all that can be done about it.
    pub fn must_be_answered(&self) -> bool {
        matches!(self.subject, Subject::Tutor | Subject::Offer(..))
    }

    /// Whether it is about an offer in an online game.
    pub(super) const fn is_offer(&self) -> bool {
        matches!(self.subject, Subject::Offer(..))
    }

    /// Whether it asks about help for which the game would no longer count.
    pub(crate) const fn is_about_rating(&self) -> bool {
        matches!(self.subject, Subject::Help(_))
    }

    /// Whether the tutor asks it; each answer is a choice, and there is nothing to cancel.
    pub fn is_tutors(&self) -> bool {
        self.subject == Subject::Tutor
    }
}

#[cfg(test)]
impl Question {
    /// A draw offer.
    pub(crate) const fn of_a_draw(text: String, choices: Vec<String>) -> Self {
        Self { text, choices, subject: Subject::Draw(Side::First) }
    }

    /// The tutor's question.
    pub(crate) const fn of_the_tutor(text: String, choices: Vec<String>) -> Self {
        Self { text, choices, subject: Subject::Tutor }
    }
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A click with two meanings: a destination, or another piece to move.
    Square(Square),
    /// A move to be confirmed.
    Move(AnyMove),
    /// A draw offer by this side.
    Draw(Side),
    /// Whether to take back the move that the tutor warns of.
    Tutor,
    /// Whether to get this help, although the game will not count then.
    Help(Help),
    /// An offer of the other player in an online game, who plays this side.
    Offer(Side, Offer),
}

impl Referee {
    /// Asks in the current language.
    pub(crate) fn ask(&mut self, subject: Subject) {
        let Some(table) = &self.table else { return };
        let (text, choices) = match subject {
            Subject::Move(mv) => {
                let written = table.history().position().notation(mv);
                let text = tr_args("ask.play-it", &[("move", &written)]);
                (text, vec![tr("ask.yes-play").to_owned()])
            }
            Subject::Square(square) => {
                let piece = self.selection.squares().last().copied().unwrap_or(square);
                let (piece, name) = (piece.to_string(), square.to_string());
                let names = [("piece", piece.as_str()), ("square", name.as_str())];
                let choices =
                    vec![tr_args("ask.go-there", &names), tr_args("ask.choose-it", &names)];
                (tr_args("ask.two-things", &names), choices)
            }
            Subject::Tutor => {
                let Some(question) = self.tutor_question() else { return };
                question
            }
            Subject::Help(help) => {
                let (text, choice) = match help {
                    Help::Hint => (tr("ask.hint"), tr("ask.show-hint")),
                    Help::Evaluation => (tr("ask.evaluation"), tr("ask.show-evaluation")),
                    Help::Analysis => (tr("ask.analysis"), tr("ask.show-analysis")),
                };
                (text.to_owned(), vec![choice.to_owned()])
            }
            Subject::Offer(side, offer) => {
                let name = side_label(table.rules(), side);
                let choices = vec![tr("ask.accept").to_owned(), tr("ask.decline").to_owned()];
                (tr_args(offer_text(offer), &[("side", name)]), choices)
            }
            Subject::Draw(side) => {
                let name = side_label(table.rules(), side);
                let choices = vec![tr("ask.accept").to_owned(), tr("ask.decline").to_owned()];
                (tr_args("ask.draw-offered", &[("side", name)]), choices)
            }
        };
        self.question = Some(Question { text, choices, subject });
    }

    /// Asks whether help is worth that the game does not count for a rating.
    pub(crate) fn ask_before_help(&mut self, help: Help) {
        self.ask(Subject::Help(help));
    }

    pub(in crate::app::game) fn answer(&mut self, choice: usize, options: MoveOptions) -> Response {
        let Some(question) = self.question.take() else { return Response::Done };
        match (question.subject, choice) {
            (Subject::Square(square), 0) => {
                let outcome = self.selection.extend(square, &self.legal_moves);
                return self.handle_click(outcome, options);
            }
            (Subject::Square(square), 1) => {
                let outcome = self.selection.reselect(square, &self.legal_moves);
                return self.handle_click(outcome, options);
            }
            (Subject::Help(help), 0) => {
                self.set_unrated();
                return Response::Help(help);
            }
            (Subject::Move(mv), 0) => return self.play_choice(mv, options.tutor),
            (Subject::Tutor, 0) => return self.take_back_tutored().into(),
            (Subject::Tutor, 1) => return self.keep_tutored().into(),
            (Subject::Draw(_), 0) => self.agree_draw(),
            (Subject::Draw(_), 1) => {}
            (Subject::Offer(_, offer), 0 | 1) => {
                return Response::Online(OnlineRequest::Answer(offer, choice == 0));
            }
            _ => self.question = Some(question),
        }
        Response::Done
    }

    /// Repeats the question in the current language.
    pub(in crate::app::game) fn translate(&mut self) {
        if let Some(question) = self.question.take() {
            self.ask(question.subject);
        }
    }
}

/// The key of the text that tells of an offer by a side.
const fn offer_text(offer: Offer) -> &'static str {
    match offer {
        Offer::Undo => "online.offers-undo",
        Offer::Draw => "online.offers-draw",
        Offer::Rematch => "online.offers-rematch",
    }
}
