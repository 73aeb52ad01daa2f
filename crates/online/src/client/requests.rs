//! What the player asks of the server.

use tabulae_games::{Game, Illegal, Ply, Side, Turn};
use tabulae_session::i18n::localized;

use super::OnlineGame;
use crate::{ClientMessage, GameLog, Hash256, Offer, Refusal, message::device_code};

impl OnlineGame {
    /// Plays a move. It is in the game once [`OnlineEvent::Played`](super::OnlineEvent::Played)
    /// says so.
    ///
    /// # Errors
    /// The move is not legal, or it is not our turn; nothing is sent.
    pub fn send_move(&mut self, text: &str) -> Result<(), Refusal> {
        let (log, side) = self.acting()?;
        let session = log.session();
        match session.turn() {
            None | Some(Turn::Over(_)) => return Err(Refusal::Over),
            Some(Turn::Move(due)) if due == side => {}
            Some(Turn::Throw(due)) if due == side => {
                return Err(Refusal::Illegal(localized(&Illegal::ThrowDue.message())));
            }
            Some(Turn::Move(_) | Turn::Throw(_)) => return Err(Refusal::NotYourTurn),
        }
        let illegal = |why: Illegal| Refusal::Illegal(localized(&why.message()));
        let Ply::Move(mv) = session.history().parse(text).map_err(illegal)? else {
            return Err(illegal(Illegal::MoveDue));
        };
        let position = session.history().position();
        position.clone().play(mv).map_err(illegal)?;
        let (plies, text) = (session.history().len(), position.notation(mv));
        let round = log.round();
        self.outgoing.push_back(ClientMessage::Move { round, ply: plies, text: text.clone() });
        self.pending_move = Some((round, plies, text));
        Ok(())
    }

    /// Throws the sticks: gives our part of the throw.
    ///
    /// # Errors
    /// We are not to throw.
    pub fn throw(&mut self) -> Result<(), Refusal> {
        let (log, side) = self.acting()?;
        match (log.session().turn(), log.throw_due()) {
            (Some(Turn::Throw(due)), Some(throw)) if due == side => {
                self.wanted_throw = Some((log.round(), throw));
                let sent = self.send_due();
                if sent.is_err() {
                    self.wanted_throw = None;
                }
                sent
            }
            (None, _) => Err(Refusal::Over),
            (Some(Turn::Move(due)), _) if due == side => {
                Err(Refusal::Illegal(localized(&Illegal::MoveDue.message())))
            }
            _ => Err(Refusal::NotYourTurn),
        }
    }

    /// Offers something. An offer of the opponent's of the same kind is accepted.
    ///
    /// # Errors
    /// Spectators cannot, nor players before the game has begun or without a connection.
    pub fn offer(&mut self, offer: Offer) -> Result<(), Refusal> {
        let (log, side) = self.acting_online()?;
        match offer {
            Offer::Undo if log.undo_target(side).is_none() => return Err(Refusal::CannotUndo),
            Offer::Draw if !log.session().rules().knows_draws() => return Err(Refusal::NoDraws),
            Offer::Rematch if log.session().outcome().is_none() => return Err(Refusal::NotOver),
            Offer::Undo | Offer::Draw | Offer::Rematch => {}
        }
        let (round, ply) = (log.round(), log.session().history().len());
        self.outgoing.push_back(ClientMessage::Offer { round, ply, offer });
        Ok(())
    }

    /// Accepts or declines the opponent's offer, or withdraws the own one.
    ///
    /// # Errors
    /// There is no such offer, or no connection.
    pub fn answer(&mut self, offer: Offer, accept: bool) -> Result<(), Refusal> {
        let (log, side) = self.acting_online()?;
        let by_other = log.offers(side.other()).contains(&offer);
        let is_own = !accept && log.offers(side).contains(&offer);
        if !by_other && !is_own {
            return Err(Refusal::NotOffered);
        }
        let (round, ply) = (log.round(), log.session().history().len());
        self.outgoing.push_back(ClientMessage::Answer { round, ply, offer, accept });
        if by_other {
            self.answered.push(offer);
        }
        Ok(())
    }

    /// The opponent's offers that wait for our answer.
    pub fn open_offers(&self) -> Vec<Offer> {
        let (Some(log), Some(side), true) = (&self.log, self.side(), self.is_connected) else {
            return Vec::new();
        };
        let offers = log.offers(side.other()).iter().copied();
        offers.filter(|offer| !self.answered.contains(offer)).collect()
    }

    /// The codes of the devices that ask to play on our seat; each shows its own.
    pub fn asking_devices(&self) -> Vec<String> {
        self.asking.iter().map(|device| device_code(*device)).collect()
    }

    /// Lets the device with this code play on our seat, too.
    ///
    /// # Errors
    /// No such device has asked, or there is no connection.
    pub fn admit(&mut self, code: &str) -> Result<(), Refusal> {
        if !self.is_connected {
            return Err(Refusal::NotConnected);
        }
        let is_meant = |device: &Hash256| device_code(*device).eq_ignore_ascii_case(code);
        let place = self.asking.iter().position(is_meant).ok_or(Refusal::NotOffered)?;
        let device = self.asking.remove(place);
        self.outgoing.push_back(ClientMessage::Admit { device });
        Ok(())
    }

    /// Resigns.
    ///
    /// # Errors
    /// The game has not begun or is over, or there is no connection.
    pub fn resign(&mut self) -> Result<(), Refusal> {
        let (log, _) = self.acting_online()?;
        if log.session().outcome().is_some() {
            return Err(Refusal::Over);
        }
        let round = log.round();
        self.outgoing.push_back(ClientMessage::Resign { round });
        Ok(())
    }

    fn acting(&self) -> Result<(&GameLog, Side), Refusal> {
        let log = self.log.as_ref().filter(|log| log.has_begun()).ok_or(Refusal::NotBegun)?;
        let side = self.side().ok_or(Refusal::Spectator)?;
        Ok((log, side))
    }

    /// What is not sent again after a lost connection needs one now.
    fn acting_online(&self) -> Result<(&GameLog, Side), Refusal> {
        if self.is_connected { self.acting() } else { Err(Refusal::NotConnected) }
    }
}
