//! A game with a person elsewhere: its server is the referee.
//!
//! What the player does is asked of the server by the message [`OnlineRequest`]; what the
//! server's log says is played here, and so checked by the rules once more.

use super::{Question, Referee, Refused, Response};
use crate::{
    app::{core::prelude::*, scene::api::SceneCommand},
    online::Offer,
};

/// What the player wants of the server.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub(crate) enum OnlineRequest {
    /// Play this move.
    Move(String),
    /// Throw the sticks.
    Throw,
    /// Offer this.
    Offer(Offer),
    /// Accept or decline this offer.
    Answer(Offer, bool),
    /// Resign.
    Resign,
}

impl Referee {
    /// Whether the game on the table is played with a person elsewhere.
    pub fn is_online(&self) -> bool {
        self.on_table == OnTable::OnlineGame
    }

    /// Whether an engine's help would be unfair to a person elsewhere.
    pub fn forbids_help(&self) -> bool {
        let is_player = |table: &GameSession| table.seats().contains(&Seat::Person);
        self.is_online()
            && self
                .table
                .as_ref()
                .is_some_and(|table| table.outcome().is_none() && is_player(table))
    }

    /// Asks the server for what an action does at a table here; none for an action that
    /// concerns this table alone.
    pub(in crate::app::game) fn request_action(&mut self, action: &GameAction) -> Option<Response> {
        if !self.is_online() {
            return None;
        }
        let request = match action {
            GameAction::Undo | GameAction::UndoTurn => OnlineRequest::Offer(Offer::Undo),
            GameAction::Rematch | GameAction::RematchSameSides => {
                OnlineRequest::Offer(Offer::Rematch)
            }
            GameAction::OfferDraw if self.knows_draws() => OnlineRequest::Offer(Offer::Draw),
            GameAction::Resign => OnlineRequest::Resign,
            // The log is the same at both tables.
            GameAction::Redo | GameAction::Branch | GameAction::NextGame => {
                self.say_refusal(LocalizedMessage::new("online.not-possible"));
                return Some(Response::Done);
            }
            _ => return None,
        };
        Some(Response::Online(request))
    }

    /// Asks the server to play a move.
    pub(super) fn request_move(&mut self, mv: AnyMove) -> Response {
        self.end_choice();
        let Some(table) = &self.table else { return Response::Done };
        let text = table.history().position().notation(mv);
        // Until the answer, which unlocks the board.
        self.locked = true;
        Response::Online(OnlineRequest::Move(text))
    }

    /// Asks the server to throw.
    pub(super) fn request_throw(&mut self) -> Response {
        self.locked = true;
        Response::Online(OnlineRequest::Throw)
    }

    /// Plays the next ply of the server's log.
    pub(crate) fn play_online(&mut self, ply: Ply<AnyMove>) -> Option<SceneCommand> {
        match ply {
            Ply::Move(mv) => self.play(mv),
            Ply::Throw(throw) => self.apply(Refused::Throw, |table| table.enter_throw(throw)),
        }
    }

    /// Puts another state of the same game on the table.
    pub(crate) fn replace_online(&mut self, table: GameSession) -> SceneCommand {
        self.table = Some(table);
        self.reset()
    }

    /// Takes over all but the plies from the server's game.
    pub(crate) fn update_online(&mut self, game: &GameSession) {
        let Some(table) = &mut self.table else { return };
        let was_over = table.outcome().is_some();
        table.update_from(game);
        if !was_over && table.outcome().is_some() {
            self.clear_selection();
        }
    }

    /// Shows the server's clocks.
    pub(crate) fn show_online_clocks(&mut self, left: [Duration; 2], running: Option<Side>) {
        if let Some(table) = &mut self.table {
            table.show_clocks(left, running);
        }
    }

    /// Asks about the offers of the other player, and no longer about those that are off.
    pub(crate) fn ask_about_offers(&mut self, by: Side, offers: &[Offer]) {
        let is_off = |question: &mut Question| match question {
            Question::Offer(_, offer) => !offers.contains(offer),
            _ => false,
        };
        self.question.take_if(is_off);
        if let Some(&offer) = offers.first()
            && self.question.is_none()
            && self.viewed_ply.is_none()
        {
            self.ask(Question::Offer(by, offer));
        }
    }

    /// Whether [`Self::ask_about_offers`] would change anything.
    pub(crate) fn has_asked_about(&self, offers: &[Offer]) -> bool {
        match self.question {
            Some(Question::Offer(_, offer)) => offers.contains(&offer),
            Some(_) => true,
            None => offers.is_empty() || self.viewed_ply.is_some(),
        }
    }
}
