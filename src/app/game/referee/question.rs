//! Questions to the player: which of two meanings, a confirmation, a draw offer.

use super::{Help, MoveOptions, OnlineRequest, Referee, Response, Undo};
use crate::{
    app::core::prelude::*,
    i18n::{tr, tr_args},
    online::Offer,
    session::{UnratedReason, side_label},
};

/// What the player is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// What a click with two meanings means: a destination, or another piece to move.
    Square(Square),
    /// To confirm a move.
    Move(AnyMove),
    /// Whether to accept a draw that this side offers.
    Draw(Side),
    /// Whether to take back the move that the tutor warns of.
    Tutor,
    /// Whether to get this help, although the game will not count then.
    Help(Help),
    /// Whether to undo, although the game will not count then.
    Undo(Undo),
    /// Whether to accept an offer of the other player in an online game, who plays this side.
    Offer(Side, Offer),
}

impl Question {
    /// Whether its answers are all that can be done about it.
    pub const fn must_be_answered(&self) -> bool {
        matches!(self, Self::Tutor | Self::Offer(..))
    }

    /// Whether it is about help for which the game would no longer count.
    pub(crate) const fn is_about_rating(&self) -> bool {
        matches!(self, Self::Help(_))
    }
}

/// A question in words, with its possible answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionText {
    /// The question.
    pub text: String,
    /// The answers.
    pub choices: Vec<String>,
}

impl Referee {
    /// Asks this, unless there is nothing to say about it.
    pub(crate) fn ask(&mut self, question: Question) {
        if self.text_of(question).is_some() {
            self.question = Some(question);
        }
    }

    /// The open question in the current language.
    pub fn question_text(&self) -> Option<QuestionText> {
        self.text_of(self.question?)
    }

    fn text_of(&self, question: Question) -> Option<QuestionText> {
        let table = self.table.as_ref()?;
        let offer = |key, side| {
            let text = tr_args(key, &[("side", side_label(table.rules(), side))]);
            (text, vec![tr("ask.accept").to_owned(), tr("ask.decline").to_owned()])
        };
        let (text, choices) = match question {
            Question::Move(mv) => {
                let written = table.history().position().notation(mv);
                let text = tr_args("ask.play-it", &[("move", &written)]);
                (text, vec![tr("ask.yes-play").to_owned()])
            }
            Question::Square(square) => {
                let piece = self.selection.squares().last().copied().unwrap_or(square);
                let (piece, name) = (piece.to_string(), square.to_string());
                let names = [("piece", piece.as_str()), ("square", name.as_str())];
                let choices =
                    vec![tr_args("ask.go-there", &names), tr_args("ask.choose-it", &names)];
                (tr_args("ask.two-things", &names), choices)
            }
            Question::Tutor => self.tutor_question()?,
            Question::Help(help) => {
                let (text, choice) = match help {
                    Help::Hint => (tr("ask.hint"), tr("ask.show-hint")),
                    Help::Evaluation => (tr("ask.evaluation"), tr("ask.show-evaluation")),
                    Help::Analysis => (tr("ask.analysis"), tr("ask.show-analysis")),
                };
                (text.to_owned(), vec![choice.to_owned()])
            }
            Question::Undo(_) => (tr("ask.undo").to_owned(), vec![tr("act.undo").to_owned()]),
            Question::Offer(side, what) => offer(offer_text(what), side),
            Question::Draw(side) => offer("ask.draw-offered", side),
        };
        Some(QuestionText { text, choices })
    }

    /// Asks whether help is worth that the game does not count for a rating.
    pub(crate) fn ask_before_help(&mut self, help: Help) {
        self.ask(Question::Help(help));
    }

    pub(in crate::app::game) fn answer(&mut self, choice: usize, options: MoveOptions) -> Response {
        let Some(question) = self.question.take() else { return Response::Done };
        match (question, choice) {
            (Question::Square(square), 0) => {
                let outcome = self.choose(|selection, legal| selection.extend(square, legal));
                return self.handle_click(outcome, options);
            }
            (Question::Square(square), 1) => {
                let outcome = self.choose(|selection, legal| selection.reselect(square, legal));
                return self.handle_click(outcome, options);
            }
            (Question::Help(help), 0) => {
                self.accept_unrated(UnratedReason::Help);
                return Response::Help(help);
            }
            (Question::Undo(what), 0) => {
                self.accept_unrated(UnratedReason::Undo);
                return self.undo(what).into();
            }
            (Question::Move(mv), 0) => return self.play_choice(mv, options.tutor),
            (Question::Tutor, 0) => return self.take_back_tutored().into(),
            (Question::Tutor, 1) => return self.keep_tutored().into(),
            (Question::Draw(_), 0) => self.agree_draw(),
            (Question::Draw(_), 1) => {}
            (Question::Offer(_, offer), 0 | 1) => {
                return Response::Online(OnlineRequest::Answer(offer, choice == 0));
            }
            _ => self.question = Some(question),
        }
        Response::Done
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
