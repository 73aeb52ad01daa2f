//! What a person is asked before something is done.

use super::Referee;
use crate::{
    app::scene::api::SceneCommand,
    games::{AnyMove, Game, Side, Square},
    i18n::{tr, tr_args},
    table::side_label,
};

/// Something a person must choose between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub text: String,
    /// What can be answered.
    pub choices: Vec<String>,
    pub(crate) about: About,
}

#[cfg(test)]
impl Question {
    /// A draw that is offered.
    pub(crate) const fn of_a_draw(text: String, choices: Vec<String>) -> Self {
        Self { text, choices, about: About::Draw(Side::First) }
    }
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// A touch that can mean two things.
    Square(Square),
    /// A move to be played once it is meant.
    Move(AnyMove),
    /// A draw that this side offers.
    Draw(Side),
}

impl Referee {
    /// Puts a question, in the language spoken now.
    pub(crate) fn ask(&mut self, about: About) {
        let Some(table) = &self.table else { return };
        let (text, choices) = match about {
            About::Move(mv) => {
                let written = table.history().position().notation(mv);
                let text = tr_args("ask.play-it", &[("move", &written)]);
                (text, vec![tr("ask.yes-play").to_owned()])
            }
            About::Square(square) => {
                let piece = self.selection.squares().last().copied().unwrap_or(square);
                let (piece, name) = (piece.to_string(), square.to_string());
                let names = [("piece", piece.as_str()), ("square", name.as_str())];
                let choices =
                    vec![tr_args("ask.go-there", &names), tr_args("ask.choose-it", &names)];
                (tr_args("ask.two-things", &names), choices)
            }
            About::Draw(side) => {
                let name = side_label(table.rules(), side);
                let choices = vec![tr("ask.accept").to_owned(), tr("ask.decline").to_owned()];
                (tr_args("ask.draw-offered", &[("side", name)]), choices)
            }
        };
        self.question = Some(Question { text, choices, about });
    }

    pub(crate) fn answer(&mut self, choice: usize, asks: bool) -> Option<SceneCommand> {
        let question = self.question.take()?;
        match (question.about, choice) {
            (About::Square(square), 0) => {
                let touched = self.selection.extend(square, &self.legal);
                self.touched(touched, asks)
            }
            (About::Square(square), 1) => {
                let touched = self.selection.reselect(square, &self.legal);
                self.touched(touched, asks)
            }
            (About::Move(mv), 0) => self.play(mv),
            (About::Draw(_), 0) => {
                self.agree();
                None
            }
            (About::Draw(_), 1) => None,
            _ => {
                self.question = Some(question);
                None
            }
        }
    }
}
