//! A player's or spectator's side of an online game.
//!
//! Architecture invariant: no sockets and no clock. The front end connects to
//! [`GameLink::socket_address`], hands over what arrives with the time of its own
//! clock, sends what [`OnlineGame::outgoing`] returns, and shows the events.

use std::{collections::VecDeque, time::Duration};

use tabulae_session::i18n::localized;

use super::{
    Chain, Change, ClientMessage, Entry, GameLink, GameLog, Hash256, Offer, Refusal, SavedSeat,
    SeatSecret, ServerMessage, VERSION, message::device_code, referee::chain_of, secrets::Given,
};
use tabulae_games::{Game, Illegal, Ply, Side, Turn};
use tabulae_records::on_one_line;
use tabulae_session::GameSession;

/// Time between two measurements of the latency.
const PING_INTERVAL: Duration = Duration::from_secs(5);
/// Time after which what the server could not take is sent again.
const RETRY: Duration = Duration::from_secs(1);
/// A connection on which an answer is overdue for so long is taken as lost.
const SILENCE: Duration = Duration::from_secs(20);

/// The most devices that are remembered as asking for the seat.
const MOST_ASKING: usize = 4;

/// What a connection reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// It is open.
    Opened,
    /// A message has arrived.
    Text(String),
    /// It was lost, or could not be opened, for this reason. It is tried again.
    Closed(String),
}

/// What has happened, for the front end to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnlineEvent {
    /// The server has answered: the state is known, and which side is ours.
    Connected,
    /// A player has sat down for the first time.
    Joined(Side),
    /// Both players are there: the game begins.
    Begun,
    /// A ply was played: its number in the history, from 1.
    Played(usize),
    /// Plies were undone; so many are left.
    Undone(usize),
    /// A side has offered something.
    Offered(Side, Offer),
    /// The offer of a side was declined or withdrawn.
    Declined(Side, Offer),
    /// The game has ended; see [`GameSession::outcome`].
    Ended,
    /// A rematch begins: a new game, with the sides swapped.
    Restarted,
    /// Who is connected has changed.
    Presence,
    /// Another device with this code wants to play on our seat; see
    /// [`OnlineGame::admit`].
    SeatAsked(String),
    /// The latency was measured.
    Latency(Duration),
    /// The server has refused something.
    Refused(Refusal),
    /// The server has broken the rules of the game or of the throws. Nothing that it
    /// says is believed any more.
    Untrusted(String),
    /// Our seat's throws are made with another secret than ours: the seat was first
    /// opened by another program, and the game can only go on there.
    OtherSecret,
}

/// How an online game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnlineState {
    /// No answer yet, or the connection was lost; the front end connects again.
    Connecting,
    /// A player has not joined yet.
    Waiting,
    /// The game is on.
    Playing,
    /// The game is over.
    Over,
    /// The server refuses us for good, or is not trusted.
    Refused,
}

/// A player's or spectator's side of an online game.
///
/// The secret makes the player's part of all throws. Keep it, by the link's game, and
/// give the same one whenever the link is opened again: without it no throw can be
/// made, and the clock runs on.
#[derive(Debug)]
pub struct OnlineGame {
    link: GameLink,
    name: String,
    secret: SeatSecret,
    log: Option<GameLog>,
    player: Option<usize>,
    chain: Option<Chain>,
    outgoing: VecDeque<ClientMessage>,
    /// The move that the server has not confirmed, with its round and ply.
    pending_move: Option<(usize, usize, String)>,
    /// The throw that the player wants to be made: round and number.
    wanted_throw: Option<(usize, usize)>,
    /// The part of a throw that was sent on this connection.
    sent_reveal: Option<(usize, usize)>,
    sent_commitment: Option<usize>,
    /// The opponent's offers that were answered, until the log says so.
    answered: Vec<Offer>,
    /// The devices that ask for our seat: the hashes of their secrets, the latest last.
    asking: Vec<Hash256>,
    /// Whether the player knows that another device has the seat.
    is_seat_taken: bool,
    /// When to send again what the server could not take.
    retry: Option<Duration>,
    is_connected: bool,
    is_refused: bool,
    players: [bool; 2],
    spectators: usize,
    latency: Option<Duration>,
    ping: Option<(u32, Duration)>,
    pings: u32,
    last_ping: Option<Duration>,
    last_heard: Option<Duration>,
    /// The front end's time at which the running clock began to run.
    running_since: Duration,
    /// For how long it had run by then.
    elapsed: Duration,
}

impl OnlineGame {
    /// The game of a link, before connecting. `name` may be empty. The secret is the one of
    /// a [`SeatStore`](super::SeatStore), or one that is saved nowhere.
    #[must_use]
    pub fn new(link: GameLink, name: &str, secret: impl Into<SeatSecret>) -> Self {
        Self {
            link,
            name: name.to_owned(),
            secret: secret.into(),
            log: None,
            player: None,
            chain: None,
            outgoing: VecDeque::new(),
            pending_move: None,
            wanted_throw: None,
            sent_reveal: None,
            sent_commitment: None,
            answered: Vec::new(),
            asking: Vec::new(),
            is_seat_taken: false,
            retry: None,
            is_connected: false,
            is_refused: false,
            players: [false; 2],
            spectators: 0,
            latency: None,
            ping: None,
            pings: 0,
            last_ping: None,
            last_heard: None,
            running_since: Duration::ZERO,
            elapsed: Duration::ZERO,
        }
    }

    /// The link.
    #[must_use]
    pub const fn link(&self) -> &GameLink {
        &self.link
    }

    /// The secret of the player's throws.
    #[must_use]
    pub const fn secret(&self) -> Hash256 {
        self.secret.secret()
    }

    /// How the game stands.
    #[must_use]
    pub fn state(&self) -> OnlineState {
        match &self.log {
            _ if self.is_refused => OnlineState::Refused,
            Some(_) | None if !self.is_connected => OnlineState::Connecting,
            None => OnlineState::Connecting,
            Some(log) if log.session().outcome().is_some() => OnlineState::Over,
            Some(log) if log.has_begun() => OnlineState::Playing,
            Some(_) => OnlineState::Waiting,
        }
    }

    /// The game; `None` before the server's first answer.
    #[must_use]
    pub fn session(&self) -> Option<&GameSession> {
        self.log.as_ref().map(GameLog::session)
    }

    /// The log's state: offers, commitments, the round.
    #[must_use]
    pub const fn log(&self) -> Option<&GameLog> {
        self.log.as_ref()
    }

    /// Our side; `None` for a spectator, and before the server's first answer.
    #[must_use]
    pub fn side(&self) -> Option<Side> {
        Some(self.log.as_ref()?.side_of(self.player?))
    }

    /// Whether the player of a side is connected.
    #[must_use]
    pub fn is_present(&self, side: Side) -> bool {
        self.is_connected && self.log.as_ref().is_some_and(|log| self.players[log.player_of(side)])
    }

    /// The number of spectators.
    #[must_use]
    pub const fn spectators(&self) -> usize {
        self.spectators
    }

    /// The time of a message to the server and back; `None` if not measured yet.
    #[must_use]
    pub const fn latency(&self) -> Option<Duration> {
        self.latency
    }

    /// The side that the game waits for.
    #[must_use]
    pub fn waits_for(&self) -> Option<Side> {
        self.log.as_ref()?.waits_for()
    }

    /// The side whose clock runs: none before the first ply.
    #[must_use]
    pub fn clock_runs_for(&self) -> Option<Side> {
        self.log.as_ref()?.clock_runs_for()
    }

    /// The time left to a side at a time of the front end's clock; `None` in an
    /// untimed game.
    #[must_use]
    pub fn time_left(&self, side: Side, now: Duration) -> Option<Duration> {
        let log = self.log.as_ref()?;
        let left = log.session().clock()?.left(side);
        Some(if log.clock_runs_for() == Some(side) {
            left.saturating_sub(self.elapsed + now.saturating_sub(self.running_since))
        } else {
            left
        })
    }

    /// The game for a table, with our seat and the other player's; `None` before the
    /// server's first answer.
    #[must_use]
    pub fn table_session(&self) -> Option<GameSession> {
        self.log.as_ref().map(|log| log.table_session(self.player))
    }

    /// The seat for a list of games that can be joined again, with the links of a game that
    /// was created here; `None` for a spectator, and before the server's first answer.
    #[must_use]
    pub fn saved_seat(&self, links: Option<&[GameLink; 3]>) -> Option<SavedSeat> {
        let (session, side) = (self.session()?, self.side()?);
        Some(SavedSeat {
            link: self.link.to_string(),
            rules: session.rules(),
            opponent: session.person_names()[side.other().index()].clone(),
            is_over: session.outcome().is_some(),
            links: links.map(|links| links.each_ref().map(ToString::to_string)),
        })
    }

    /// Whether a move of ours is on its way to the server.
    #[must_use]
    pub const fn is_move_pending(&self) -> bool {
        self.pending_move.is_some()
    }

    /// Whether the player is to throw the sticks and has not done so.
    #[must_use]
    pub fn may_throw(&self) -> bool {
        let due = self.session().and_then(GameSession::turn);
        let (Some(log), Some(side)) = (&self.log, self.side()) else { return false };
        due == Some(Turn::Throw(side))
            && log.throw_due().is_some_and(|throw| self.wanted_throw != Some((log.round(), throw)))
            && !log.has_revealed(side)
    }

    /// A connection is open: queues the greeting.
    pub fn opened(&mut self, now: Duration) {
        self.outgoing.clear();
        (self.sent_reveal, self.sent_commitment, self.ping) = (None, None, None);
        self.answered.clear();
        self.retry = None;
        self.last_heard = Some(now);
        let since = self.log.as_ref().map_or(0, GameLog::entries);
        self.outgoing.push_back(ClientMessage::Hello {
            version: VERSION,
            ticket: self.link.ticket.to_string(),
            since,
            name: self.name.clone(),
            device: (!self.link.is_spectator).then(|| self.device_secret()),
        });
    }

    /// The connection was lost.
    pub fn closed(&mut self) {
        self.is_connected = false;
        self.players = [false; 2];
        (self.latency, self.ping, self.last_heard) = (None, None, None);
        self.outgoing.clear();
    }

    /// How soon the front end should [tick](Self::tick) again.
    #[must_use]
    pub const fn tick_interval(&self) -> Duration {
        if self.retry.is_some() { RETRY } else { PING_INTERVAL.saturating_mul(3) }
    }

    /// Measures the latency now and then, and repeats what the server could not take.
    /// Returns `false` when an answer is overdue for so long that the front end should
    /// connect again.
    pub fn tick(&mut self, now: Duration) -> bool {
        let since = |then: Option<Duration>| then.map(|then| now.saturating_sub(then));
        if self.is_connected
            && self.ping.is_none()
            && since(self.last_ping).is_none_or(|it| it >= PING_INTERVAL)
        {
            self.pings = self.pings.wrapping_add(1);
            self.last_ping = Some(now);
            self.ping = Some((self.pings, now));
            self.outgoing.push_back(ClientMessage::Ping { id: self.pings });
        }
        if self.is_connected && self.retry.is_some_and(|it| it <= now) {
            (self.retry, self.sent_reveal, self.sent_commitment) = (None, None, None);
            self.resend_move();
            // What cannot be given is said with the next message, or the next throw.
            _ = self.send_due();
        }
        let is_awaited = !self.is_connected || self.ping.is_some();
        // Nothing was asked of the server before the ping.
        let asked = self.ping.map(|(_, sent)| sent).max(self.last_heard);
        let is_alive = !is_awaited || since(asked).is_none_or(|it| it < SILENCE);
        if !is_alive {
            // The front end connects again once, not at every tick.
            self.last_heard = Some(now);
        }
        is_alive
    }

    /// The messages to send, as text.
    pub fn outgoing(&mut self) -> Vec<String> {
        let texts = self.outgoing.drain(..).map(|it| serde_json::to_string(&it));
        texts.filter_map(Result::ok).collect()
    }

    /// Plays a move. It is in the game once [`OnlineEvent::Played`] says so.
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
            Offer::Draw if !log.session().knows_draws() => return Err(Refusal::NoDraws),
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
    #[must_use]
    pub fn open_offers(&self) -> Vec<Offer> {
        let (Some(log), Some(side), true) = (&self.log, self.side(), self.is_connected) else {
            return Vec::new();
        };
        let offers = log.offers(side.other()).iter().copied();
        offers.filter(|offer| !self.answered.contains(offer)).collect()
    }

    /// The secret by which a server knows this device again on this seat.
    fn device_secret(&self) -> Hash256 {
        Hash256::of(&[b"tabulae device", &self.secret().0])
    }

    /// The codes of the devices that ask to play on our seat; each shows its own.
    #[must_use]
    pub fn asking_devices(&self) -> Vec<String> {
        self.asking.iter().map(|it| device_code(*it)).collect()
    }

    /// Lets the device with this code play on our seat, too.
    ///
    /// # Errors
    /// No such device has asked, or there is no connection.
    pub fn admit(&mut self, code: &str) -> Result<(), Refusal> {
        if !self.is_connected {
            return Err(Refusal::NotConnected);
        }
        let is_meant = |it: &Hash256| device_code(*it).eq_ignore_ascii_case(code);
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
                if player.is_some_and(|it| it > 1)
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
                let has_moved = self.session().is_some_and(|it| !it.history().is_empty());
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
            ServerMessage::Created { .. } => Vec::new(),
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
            Some(ClientMessage::Answer { offer, .. }) => self.answered.retain(|it| it != offer),
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
                Ok(changes) => events.extend(changes.into_iter().filter_map(event)),
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

    fn resend_move(&mut self) {
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
    fn send_due(&mut self) -> Result<(), Refusal> {
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

const fn event(change: Change) -> Option<OnlineEvent> {
    Some(match change {
        Change::Joined(side) => OnlineEvent::Joined(side),
        Change::Begun => OnlineEvent::Begun,
        Change::Played(ply) => OnlineEvent::Played(ply),
        Change::Revealed(_) => return None,
        Change::Offered(side, offer) => OnlineEvent::Offered(side, offer),
        Change::Declined(side, offer) => OnlineEvent::Declined(side, offer),
        Change::Undone(plies) => OnlineEvent::Undone(plies),
        Change::Ended => OnlineEvent::Ended,
        Change::Restarted => OnlineEvent::Restarted,
    })
}
