//! What a server decides: which entries a client's message adds to the log, or why it
//! adds none.
//!
//! Architecture invariant: nothing here reads a clock or talks to anybody. The server
//! says what time it is, stores the entries, and then applies them.

use std::sync::OnceLock;

use super::{
    Chain, ClientMessage, Entry, GameLog, GameStatus, Hash256, InvalidEntry, Offer, Refusal,
    Standing, Terms,
    fair::fair_throw,
    log::{MAX_DEVICES, MAX_ROUNDS},
    message::{MAX_MOVE_LENGTH, device_code},
};
use tabulae_games::{Game, Ply, Side, Turn};
use tabulae_records::on_one_line;
use tabulae_session::clean_name;

/// How long a clock that has run out is left alone, in milliseconds: a move that was
/// heard in time may still wait for the store.
pub(crate) const TIMEOUT_GRACE: u64 = 500;
/// A longer name is cut before it is looked at.
const MOST_NAME_CHARS: usize = 200;

/// A game on a server: its log and the server's part of the throws.
#[derive(Debug)]
pub struct Referee {
    log: GameLog,
    secret: Hash256,
    /// The chain of this round, once a throw needs it: it is long to make.
    chain: OnceLock<Chain>,
    /// Times in which no server ran, which no clock counts: from and to.
    outages: Vec<(u64, u64)>,
}

/// The chain that a secret makes for a round.
fn round_chain(secret: Hash256, round: usize) -> Chain {
    let round = u64::try_from(round).unwrap_or(u64::MAX).to_be_bytes();
    Chain::new(Hash256::of(&[b"tabulae round", &round, &secret.0]))
}

/// The chain of a contributor's secret in a round; `None` in games without throws.
pub(super) fn chain_of(terms: &Terms, secret: Hash256, round: usize) -> Option<Chain> {
    terms.rules.has_sticks().then(|| round_chain(secret, round))
}

impl Referee {
    /// The first entry of a new game whose server has this secret.
    pub fn created(terms: Terms, secret: Hash256, now: u64) -> Entry {
        let commitment = chain_of(&terms, secret, 0).map(|chain| chain.commitment());
        Entry::Created { terms, commitment, at: now }
    }

    /// The game of a log.
    ///
    /// # Errors
    /// An entry is not valid.
    pub fn new(secret: Hash256, entries: &[Entry]) -> Result<Self, InvalidEntry> {
        let missing = || InvalidEntry { number: 1, why: "the log is empty".to_owned() };
        let (first, rest) = entries.split_first().ok_or_else(missing)?;
        let log = GameLog::new(first)?;
        let mut referee = Self { log, secret, chain: OnceLock::new(), outages: Vec::new() };
        for entry in rest {
            referee.apply(entry)?;
        }
        Ok(referee)
    }

    /// Sets the times in which no server ran.
    pub fn set_outages(&mut self, outages: Vec<(u64, u64)>) {
        self.outages = outages;
    }

    /// The game.
    pub const fn log(&self) -> &GameLog {
        &self.log
    }

    /// Applies an entry that has been stored.
    ///
    /// # Errors
    /// The entry is not valid.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), InvalidEntry> {
        self.log.apply(entry)?;
        if matches!(entry, Entry::Restarted { .. }) {
            self.chain = OnceLock::new();
        }
        Ok(())
    }

    /// For how long the running clock has run since its last entry; 0 if none runs.
    pub fn elapsed(&self, now: u64) -> u64 {
        if self.log.clock_runs_for().is_none() {
            return 0;
        }
        let since = self.log.running_since();
        let outage = |(from, to): &(u64, u64)| (*to).min(now).saturating_sub((*from).max(since));
        now.saturating_sub(since).saturating_sub(self.outages.iter().map(outage).sum())
    }

    /// The time left on the running clock; `None` if none runs.
    pub fn time_left(&self, now: u64) -> Option<u64> {
        let side = self.log.clock_runs_for()?;
        let left = self.log.session().clock()?.left(side);
        let left = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
        Some(left.saturating_sub(self.elapsed(now)))
    }

    /// The entry of the clock that has run out, if one has.
    pub fn time_out(&self, now: u64) -> Option<Entry> {
        let side = self.log.clock_runs_for().filter(|_| self.time_left(now) == Some(0))?;
        Some(Entry::TimedOut { side })
    }

    /// How the game stands for a player, asked by a device whose secret has this hash.
    ///
    /// # Errors
    /// Another device has the seat.
    pub fn status(&self, player: usize, device: Hash256, now: u64) -> Result<GameStatus, Refusal> {
        let (log, devices) = (&self.log, self.log.devices(player));
        if !devices.is_empty() && !devices.iter().any(|it| it.same(&device)) {
            return Err(Refusal::SeatTaken(device_code(device)));
        }
        let standing = match log.waits_for() {
            _ if log.session().outcome().is_some() => Standing::Over,
            _ if !log.has_begun() => Standing::Waiting,
            side if side == Some(log.side_of(player)) => Standing::Yours,
            _ => Standing::Theirs,
        };
        Ok(GameStatus { standing, entries: log.entries(), time_left: self.time_left(now) })
    }

    /// The entries of a player who opens a seat with a device, whose secret has this hash:
    /// none, if it has played there before.
    ///
    /// # Errors
    /// Another device has the seat.
    pub fn enter(
        &self,
        player: usize,
        device: Hash256,
        name: &str,
        now: u64,
    ) -> Result<Vec<Entry>, Refusal> {
        let mut entries = Vec::new();
        let devices = self.log.devices(player);
        if devices.is_empty() {
            entries.push(Entry::Claimed { player, device });
        } else if !devices.iter().any(|known| known.same(&device)) {
            return Err(Refusal::SeatTaken(device_code(device)));
        }
        let side = self.log.side_of(player);
        if !self.log.has_joined(side) {
            let name = clean_name(&name.chars().take(MOST_NAME_CHARS).collect::<String>());
            entries.push(Entry::Joined { side, name, at: now });
        }
        Ok(entries)
    }

    /// The entries that a player's message adds. It was heard at `heard`: until then the
    /// player's clock has run. It is answered at `now`: from then on the next clock runs.
    ///
    /// # Errors
    /// The message changes nothing, for this reason.
    pub fn answer(
        &self,
        player: usize,
        message: &ClientMessage,
        heard: u64,
        now: u64,
    ) -> Result<Vec<Entry>, Refusal> {
        let (log, side) = (&self.log, self.log.side_of(player));
        // The other player's move may have been heard in time by another server.
        let is_own = log.clock_runs_for() == Some(side);
        let grace = if is_own { 0 } else { TIMEOUT_GRACE };
        if let Some(entry) = self.time_out(heard.saturating_sub(grace)) {
            return Ok(vec![entry]);
        }
        let round = match message {
            ClientMessage::Commit { round, .. }
            | ClientMessage::Move { round, .. }
            | ClientMessage::Reveal { round, .. }
            | ClientMessage::Offer { round, .. }
            | ClientMessage::Answer { round, .. }
            | ClientMessage::Resign { round } => *round,
            ClientMessage::Admit { device } => return self.admit(player, *device),
            ClientMessage::Hello { .. }
            | ClientMessage::Create { .. }
            | ClientMessage::Status { .. }
            | ClientMessage::Ping { .. } => {
                return Err(Refusal::Malformed);
            }
        };
        if round != log.round() {
            return Err(Refusal::Late);
        }
        if !matches!(message, ClientMessage::Commit { .. }) && !log.has_begun() {
            return Err(Refusal::NotBegun);
        }
        let may_end = match message {
            ClientMessage::Offer { offer, .. } => *offer == Offer::Draw,
            ClientMessage::Answer { offer, accept, .. } => *offer == Offer::Draw || !accept,
            ClientMessage::Resign { .. } => true,
            _ => false,
        };
        if log.is_full() && !may_end {
            return Err(Refusal::GameTooLong);
        }
        match message {
            ClientMessage::Commit { commitment, .. } => self.commit(side, *commitment, now),
            ClientMessage::Move { ply, text, .. } => {
                let text = self.play(side, *ply, text)?;
                Ok(vec![Entry::Moved { text, used: self.elapsed(heard), at: now }])
            }
            ClientMessage::Reveal { throw, reveal, .. } => {
                self.reveal(side, *throw, *reveal, heard, now)
            }
            ClientMessage::Offer { ply, offer, .. } => {
                self.check_ply(*ply)?;
                self.offer(side, *offer, now)
            }
            ClientMessage::Answer { ply, offer, accept, .. } => {
                self.check_ply(*ply)?;
                self.respond(side, *offer, *accept, now)
            }
            ClientMessage::Resign { .. } if log.session().outcome().is_some() => Err(Refusal::Over),
            ClientMessage::Resign { .. } => Ok(vec![Entry::Resigned { side }]),
            ClientMessage::Hello { .. }
            | ClientMessage::Admit { .. }
            | ClientMessage::Create { .. }
            | ClientMessage::Status { .. }
            | ClientMessage::Ping { .. } => Err(Refusal::Malformed),
        }
    }

    fn check_ply(&self, ply: usize) -> Result<(), Refusal> {
        if ply == self.log.session().history().len() { Ok(()) } else { Err(Refusal::Late) }
    }

    fn admit(&self, player: usize, device: Hash256) -> Result<Vec<Entry>, Refusal> {
        let devices = self.log.devices(player);
        if devices.contains(&device) {
            return Err(Refusal::Late);
        }
        if devices.len() >= MAX_DEVICES {
            return Err(Refusal::Full);
        }
        Ok(vec![Entry::Claimed { player, device }])
    }

    fn commit(&self, side: Side, commitment: Hash256, now: u64) -> Result<Vec<Entry>, Refusal> {
        if !self.log.may_commit(side, commitment) {
            return Err(Refusal::WrongCommitment);
        }
        Ok(vec![Entry::Committed { side, commitment, at: now }])
    }

    /// A move as records write it, whatever form the player chose.
    fn play(&self, side: Side, ply: usize, text: &str) -> Result<String, Refusal> {
        let session = self.log.session();
        if ply != session.history().len() {
            return Err(Refusal::Late);
        }
        match session.turn() {
            None | Some(Turn::Over(_)) => return Err(Refusal::Over),
            Some(Turn::Move(due)) if due == side => {}
            Some(Turn::Throw(due)) if due == side => {
                let why = tabulae_games::Illegal::ThrowDue.to_string();
                return Err(Refusal::Illegal(why));
            }
            Some(Turn::Move(_) | Turn::Throw(_)) => return Err(Refusal::NotYourTurn),
        }
        if text.len() > MAX_MOVE_LENGTH {
            return Err(Refusal::Malformed);
        }
        // It repeats the player's words.
        let illegal = |why: tabulae_games::Illegal| Refusal::Illegal(on_one_line(&why.to_string()));
        let Ply::Move(mv) = session.history().parse(text).map_err(illegal)? else {
            return Err(illegal(tabulae_games::Illegal::MoveDue));
        };
        let position = session.history().position();
        position.clone().play(mv).map_err(illegal)?;
        Ok(position.notation(mv))
    }

    fn reveal(
        &self,
        side: Side,
        throw: usize,
        reveal: Hash256,
        heard: u64,
        now: u64,
    ) -> Result<Vec<Entry>, Refusal> {
        let log = &self.log;
        if log.session().outcome().is_some() {
            return Err(Refusal::Over);
        }
        // Never before the ply before the throw is final, and never twice.
        if log.throw_due() != Some(throw) || log.has_revealed(side) {
            return Err(Refusal::Late);
        }
        if log.waits_for() != Some(side) {
            return Err(Refusal::NotYourTurn);
        }
        if !log.is_next_reveal(side, reveal) {
            return Err(Refusal::WrongReveal);
        }
        let used = self.elapsed(heard);
        let mut entries = vec![Entry::Revealed { side, reveal, used, at: now }];
        if let Some(other) = log.part(side.other()) {
            let mut parts = [other; 2];
            parts[side.index()] = reveal;
            let chain = self.chain.get_or_init(|| round_chain(self.secret, log.round()));
            let own = chain.reveal(throw).ok_or(Refusal::Unavailable)?;
            let thrown = fair_throw(throw, &[parts[0], parts[1], own]);
            entries.push(Entry::Thrown { reveal: own, throw: thrown.to_string(), at: now });
        }
        Ok(entries)
    }

    fn offer(&self, side: Side, offer: Offer, now: u64) -> Result<Vec<Entry>, Refusal> {
        let session = self.log.session();
        let is_over = session.outcome().is_some();
        // Both want the same: that is an agreement.
        if self.log.offers(side.other()).contains(&offer) && offer != Offer::Undo {
            return self.respond(side, offer, true, now);
        }
        match offer {
            // Once a ply: nobody is asked the same again and again.
            _ if self.log.has_offered(side, offer) => Err(Refusal::AlreadyOffered),
            Offer::Rematch if !is_over => Err(Refusal::NotOver),
            Offer::Rematch if self.log.round() + 1 >= MAX_ROUNDS => Err(Refusal::GameTooLong),
            Offer::Draw | Offer::Undo if is_over => Err(Refusal::Over),
            Offer::Draw if !session.rules().knows_draws() => Err(Refusal::NoDraws),
            Offer::Undo if self.log.undo_target(side).is_none() => Err(Refusal::CannotUndo),
            _ => Ok(vec![Entry::Offered { side, offer }]),
        }
    }

    fn respond(
        &self,
        side: Side,
        offer: Offer,
        accept: bool,
        now: u64,
    ) -> Result<Vec<Entry>, Refusal> {
        let by_other = self.log.offers(side.other()).contains(&offer);
        if !accept {
            let by = [side.other(), side].into_iter();
            let by = by.into_iter().find(|by| self.log.offers(*by).contains(&offer));
            let by = by.ok_or(Refusal::NotOffered)?;
            return Ok(vec![Entry::Declined { side: by, offer }]);
        }
        if !by_other {
            return Err(Refusal::NotOffered);
        }
        let entry = match offer {
            Offer::Undo => {
                let plies = self.log.undo_target(side.other()).ok_or(Refusal::CannotUndo)?;
                Entry::Undone { plies, at: now }
            }
            Offer::Draw => Entry::Drawn,
            Offer::Rematch => {
                let chain = chain_of(self.log.terms(), self.secret, self.log.round() + 1);
                Entry::Restarted { commitment: chain.map(|chain| chain.commitment()), at: now }
            }
        };
        Ok(vec![entry])
    }
}
