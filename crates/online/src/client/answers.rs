//! What the server says, each entry of its log checked by the rules; and what is sent
//! without the player's doing.

use std::time::Duration;

use tabulae_games::Turn;
use tabulae_records::on_one_line;

use super::{Incoming, OnlineEvent, OnlineGame, RETRY};
use crate::{
    Chain, ClientMessage, Entry, GameLog, Hash256, Refusal, ServerMessage, VERSION,
    message::device_code, referee::chain_of, secrets::Given,
};

/// The most devices that are remembered as asking for the seat.
const MOST_ASKING: usize = 4;

impl OnlineGame {
    /// Takes in what the connection reports at a time of the front end's clock.
    pub fn take_in(&mut self, incoming: &Incoming, now: Duration) -> Vec<OnlineEvent> {
        match incoming {
            Incoming::Opened => self.opened(now),
            Incoming::Text(text) => return self.handle(text, now),
            Incoming::Closed(_) => self.closed(),
        }
        Vec::new()
    }

    /// Takes in a message of the server, which arrived at a time of the front end's
    /// clock.
    pub fn handle(&mut self, text: &str, now: Duration) -> Vec<OnlineEvent> {
        if self.is_refused {
            return Vec::new();
        }
        self.last_heard = Some(now);
        let message = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(error) => return self.distrust(error.to_string()),
        };
        let events = match message {
            ServerMessage::Welcome { version, player, from, entries, elapsed } => {
                if version != VERSION {
                    self.is_refused = true;
                    return vec![OnlineEvent::Refused(Refusal::Version)];
                }
                if player.is_some_and(|player| player > 1)
                    || player.is_none() != self.link.is_spectator
                    || self.log.is_some() && player != self.player
                {
                    return self.distrust("another seat than the link's".to_owned());
                }
                let known = self.log.as_ref().map_or(0, GameLog::entries);
                if from.saturating_add(entries.len()) < known {
                    // To go on from there would be another game than the player sees.
                    self.is_refused = true;
                    self.outgoing.clear();
                    return vec![OnlineEvent::Refused(Refusal::ServerBehind)];
                }
                self.player = player;
                self.is_connected = true;
                self.is_seat_taken = false;
                let is_first = self.log.is_none();
                let news = self.extend(from, &entries, elapsed, now);
                self.resend_move();
                let has_moved = self.session().is_some_and(|session| !session.history().is_empty());
                let is_news = |event: &OnlineEvent| match event {
                    OnlineEvent::Untrusted(_) | OnlineEvent::OtherSecret => true,
                    OnlineEvent::Begun => !has_moved,
                    _ => false,
                };
                let news = news.into_iter().filter(|event| !is_first || is_news(event));
                let mut events: Vec<_> = [OnlineEvent::Connected].into_iter().chain(news).collect();
                // A series of rematches has begun many times.
                events.dedup();
                events
            }
            ServerMessage::Entries { from, entries, elapsed } => {
                self.extend(from, &entries, elapsed, now)
            }
            ServerMessage::Created { .. } | ServerMessage::Status(_) => Vec::new(),
            ServerMessage::Presence { players, spectators } => {
                (self.players, self.spectators) = (players, spectators);
                vec![OnlineEvent::Presence]
            }
            ServerMessage::SeatAsked { device } => self.note_asking(device),
            // It is asked again and again, and told once.
            ServerMessage::Refused { refusal: Refusal::SeatTaken(_), .. }
                if std::mem::replace(&mut self.is_seat_taken, true) =>
            {
                Vec::new()
            }
            ServerMessage::Refused { refusal, message, .. } => {
                self.is_refused |= refusal.is_final();
                self.take_refusal(&refusal, message.as_ref(), now);
                vec![OnlineEvent::Refused(refusal)]
            }
            ServerMessage::Pong { id } => match self.ping.take() {
                Some((sent, then)) if sent == id => {
                    let latency = now.saturating_sub(then);
                    self.latency = Some(latency);
                    vec![OnlineEvent::Latency(latency)]
                }
                _ => Vec::new(),
            },
        };
        let mut events = events;
        if !self.is_refused
            && let Err(refusal) = self.send_due()
        {
            events.push(OnlineEvent::Refused(refusal));
        }
        events
    }

    /// Forgets what the server has refused, or sends it again later. Without the message
    /// anything may have been meant.
    fn take_refusal(&mut self, refusal: &Refusal, message: Option<&ClientMessage>, now: Duration) {
        // The offer can be answered again.
        match message {
            Some(ClientMessage::Answer { offer, .. }) => {
                self.answered.retain(|answered| answered != offer);
            }
            Some(_) => {}
            None => self.answered.clear(),
        }
        if matches!(refusal, Refusal::Unavailable | Refusal::TooFast) {
            self.retry = Some(now + RETRY);
            return;
        }
        // A refused move is not sent again.
        self.pending_move.take_if(|(round, ply, _)| match message {
            Some(ClientMessage::Move { round: at_round, ply: at_ply, .. }) => {
                (at_round, at_ply) == (round, ply)
            }
            Some(_) => false,
            None => true,
        });
    }

    fn note_asking(&mut self, device: Hash256) -> Vec<OnlineEvent> {
        if self.asking.contains(&device) {
            return Vec::new();
        }
        if self.asking.len() >= MOST_ASKING {
            self.asking.remove(0);
        }
        self.asking.push(device);
        vec![OnlineEvent::SeatAsked(device_code(device))]
    }

    fn distrust(&mut self, why: String) -> Vec<OnlineEvent> {
        self.is_refused = true;
        self.outgoing.clear();
        // It may quote the server.
        vec![OnlineEvent::Untrusted(on_one_line(&why))]
    }

    /// Applies new entries, each checked by the rules.
    fn extend(
        &mut self,
        from: usize,
        entries: &[Entry],
        elapsed: u64,
        now: Duration,
    ) -> Vec<OnlineEvent> {
        let known = self.log.as_ref().map_or(0, GameLog::entries);
        // What is known already is not taken again; a gap is not possible.
        if from > known {
            return self.distrust(format!("entries {known} to {from} are missing"));
        }
        let mut events = Vec::new();
        for entry in entries.iter().skip(known - from) {
            let changes = match &mut self.log {
                Some(log) => log.apply(entry),
                None => GameLog::new(entry).map(|log| {
                    self.log = Some(log);
                    Vec::new()
                }),
            };
            match changes {
                Ok(changes) => events.extend(changes),
                Err(error) => {
                    events.extend(self.distrust(error.to_string()));
                    return events;
                }
            }
            // Only the last round's chain is needed: each is long to make.
            if matches!(entry, Entry::Created { .. } | Entry::Restarted { .. }) {
                self.chain = None;
            }
        }
        if self.chain.is_none() {
            self.chain = self.own_chain();
        }
        if self.has_foreign_commitment() {
            self.is_refused = true;
            self.outgoing.clear();
            events.push(OnlineEvent::OtherSecret);
            return events;
        }
        let is_played = |event: &OnlineEvent| {
            matches!(
                event,
                OnlineEvent::Played(_) | OnlineEvent::Undone(_) | OnlineEvent::Restarted
            )
        };
        if events.iter().any(is_played) {
            self.pending_move = None;
        }
        if let (Some(log), Some(side)) = (&self.log, self.side()) {
            // An offer that is off may be made again.
            self.answered.retain(|offer| log.offers(side.other()).contains(offer));
        }
        self.elapsed = Duration::from_millis(elapsed);
        self.running_since = now;
        events
    }

    fn own_chain(&self) -> Option<Chain> {
        let log = self.log.as_ref()?;
        self.player?;
        chain_of(log.terms(), self.secret(), log.round())
    }

    /// Whether the commitment in our name is not ours: then our secret was lost, or
    /// another program holds the seat.
    fn has_foreign_commitment(&self) -> bool {
        let own = self.log.as_ref().zip(self.side()).and_then(|(log, side)| log.commitment(side));
        own.zip(self.chain.as_ref()).is_some_and(|(own, chain)| chain.commitment() != own)
    }

    pub(super) fn resend_move(&mut self) {
        let Some((round, ply, text)) = self.pending_move.clone() else { return };
        let is_current = self
            .log
            .as_ref()
            .is_some_and(|log| log.round() == round && log.session().history().len() == ply);
        if is_current {
            self.outgoing.push_back(ClientMessage::Move { round, ply, text });
        } else {
            self.pending_move = None;
        }
    }

    /// Sends what the game waits for without the player's doing: the commitment, and
    /// our part of a throw once the player wants it or, for the opponent's throw, once
    /// the opponent has given its part.
    pub(super) fn send_due(&mut self) -> Result<(), Refusal> {
        let (Some(log), Some(side), Some(chain)) = (&self.log, self.side(), &self.chain) else {
            return Ok(());
        };
        let round = log.round();
        if log.has_joined(side)
            && log.commitment(side).is_none()
            && self.sent_commitment != Some(round)
        {
            self.sent_commitment = Some(round);
            let commitment = chain.commitment();
            self.outgoing.push_back(ClientMessage::Commit { round, commitment });
        }
        let Some(throw) = log.throw_due().filter(|_| log.waits_for() == Some(side)) else {
            return Ok(());
        };
        let is_ours = log.session().turn() == Some(Turn::Throw(side));
        let key = (round, throw);
        if (is_ours && self.wanted_throw != Some(key)) || self.sent_reveal == Some(key) {
            return Ok(());
        }
        let (Some(reveal), Some(commitments)) = (chain.reveal(throw), log.all_commitments()) else {
            return Ok(());
        };
        let part = Given { round, commitments, throw, plies: log.plies_hash() };
        match self.secret.give(part) {
            Ok(()) => {
                self.sent_reveal = Some(key);
                self.outgoing.push_back(ClientMessage::Reveal { round, throw, reveal });
                Ok(())
            }
            Err(refusal) => {
                if refusal == Refusal::ThrowsKnown {
                    self.is_refused = true;
                    self.outgoing.clear();
                }
                Err(refusal)
            }
        }
    }
}
