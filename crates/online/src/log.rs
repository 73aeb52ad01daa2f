//! The state of an online game: what its log of entries makes of it.
//!
//! Servers and clients apply the same entries, and each checks every one of them by
//! the rules and by the commitments. What a client cannot check is what only the server
//! knows: the time, and who resigned, offered or answered.

use std::time::Duration;

use thiserror::Error;

use super::{
    Entry, Hash256, Offer, OnlineEvent, Terms,
    fair::{CHAIN_LENGTH, COMMITMENTS_TAG, REVEALS_TAG, STICKS},
    fair_throws::FairThrows,
    message::MAX_MOVE_LENGTH,
};
use tabulae_games::{Game, Ply, Side, Throw, Turn};
use tabulae_records::Record;
use tabulae_session::{GameSession, Seat, Setup, clean_name};

/// The most plies of a game: far more than anybody plays, and fewer than
/// [`CHAIN_LENGTH`], so that each throw has its parts.
pub(super) const MAX_PLIES: usize = 4_000;
const _: () = assert!(MAX_PLIES < CHAIN_LENGTH);
/// The most entries of a log, with all its rematches. Every player who joins reads and
/// checks all of them.
pub(super) const MAX_ENTRIES: usize = 20_000;

/// The most entries that may still end a full game.
const ENDING: usize = 100;
/// The most games of a series of rematches. Every player who joins reads and checks all of
/// them.
pub(super) const MAX_ROUNDS: usize = 100;
/// The most devices of a seat.
pub(super) const MAX_DEVICES: usize = 8;

/// The server's place among commitments and reveals.
const SERVER: usize = 2;

/// An entry that cannot follow the log. A server that sends one is broken or
/// dishonest.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("entry {number} of the game's log is not valid: {why}")]
pub struct InvalidEntry {
    /// The entry's number, from 1.
    pub number: usize,
    /// What is wrong, in English.
    pub why: String,
}

/// An online game: its log's state.
#[derive(Clone, Debug)]
pub struct GameLog {
    entries: usize,
    terms: Terms,
    round: usize,
    session: GameSession,
    /// The players' names, by side; `None` before the player has joined.
    names: [Option<String>; 2],
    /// The devices that may play, by player.
    devices: [Vec<Hash256>; 2],
    /// Between the two sides and the server, which gives its part with the throw.
    throws: FairThrows<3>,
    /// What each side offers now, by side.
    offers: [Vec<Offer>; 2],
    /// What each side has offered since the last ply, answered or not.
    offered: [Vec<Offer>; 2],
    /// When the running clock began to run.
    running_since: u64,
}

impl GameLog {
    /// The state after the first entry.
    ///
    /// # Errors
    /// It does not create a game.
    pub fn new(first: &Entry) -> Result<Self, InvalidEntry> {
        let Entry::Created { terms, commitment, at } = first else {
            return Err(InvalidEntry { number: 1, why: "it creates no game".to_owned() });
        };
        let mut log = Self {
            entries: 1,
            terms: *terms,
            round: 0,
            session: new_session(terms, [String::new(), String::new()]),
            names: [None, None],
            devices: [Vec::new(), Vec::new()],
            throws: FairThrows::NEW,
            offers: [Vec::new(), Vec::new()],
            offered: [Vec::new(), Vec::new()],
            running_since: *at,
        };
        log.set_server_commitment(*commitment)
            .map_err(|why| InvalidEntry { number: 1, why: why.into_owned() })?;
        Ok(log)
    }

    /// The number of entries applied.
    pub const fn entries(&self) -> usize {
        self.entries
    }

    /// Rules and clocks, those of the first side first.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The number of games before this one; after each the sides are swapped.
    pub const fn round(&self) -> usize {
        self.round
    }

    /// The side of a player in this round.
    pub const fn side_of(&self, player: usize) -> Side {
        if (player + self.round).is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// The player of a side in this round.
    pub const fn player_of(&self, side: Side) -> usize {
        (side.index() + self.round) % 2
    }

    /// The game. Its clocks stand as they did after the last entry.
    pub const fn session(&self) -> &GameSession {
        &self.session
    }

    /// Whether a side's player has joined.
    pub const fn has_joined(&self, side: Side) -> bool {
        self.names[side.index()].is_some()
    }

    /// The devices that may play on a player's seat: the hashes of their secrets. The first
    /// has opened it first.
    pub fn devices(&self, player: usize) -> &[Hash256] {
        self.devices.get(player).map_or(&[], Vec::as_slice)
    }

    /// Whether both players are there and, in games with throws, committed.
    pub fn has_begun(&self) -> bool {
        self.names.iter().all(Option::is_some)
            && (!self.terms.rules.has_sticks()
                || self.throws.commitments.iter().all(Option::is_some))
    }

    /// Whether nobody else has this commitment.
    fn is_new_commitment(&self, commitment: Hash256) -> bool {
        !self.throws.commitments.contains(&Some(commitment))
    }

    /// Whether a side may commit to this now.
    pub(super) fn may_commit(&self, side: Side, commitment: Hash256) -> bool {
        self.terms.rules.has_sticks()
            && self.has_joined(side)
            && self.commitment(side).is_none()
            && self.is_new_commitment(commitment)
    }

    /// The commitment of a side; `None` before it is known.
    pub const fn commitment(&self, side: Side) -> Option<Hash256> {
        self.throws.commitments[side.index()]
    }

    /// The commitments of the sides and the server, once all are known.
    pub(super) fn all_commitments(&self) -> Option<[Hash256; 3]> {
        let [Some(first), Some(second), Some(server)] = self.throws.commitments else {
            return None;
        };
        Some([first, second, server])
    }

    /// The hash of the plies so far.
    pub(super) fn plies_hash(&self) -> Hash256 {
        let history = self.session.history();
        let plies: Vec<_> = (1..=history.len()).filter_map(|ply| history.notation(ply)).collect();
        Hash256::of(&[plies.join(" ").as_bytes()])
    }

    /// The number of the throw that is due, from 1; `None` if none is.
    pub fn throw_due(&self) -> Option<usize> {
        let is_due = self.has_begun() && matches!(self.session.turn(), Some(Turn::Throw(_)));
        is_due.then_some(self.throws.next_number())
    }

    /// Whether a side has given its part of the throw that is due.
    pub const fn has_revealed(&self, side: Side) -> bool {
        self.part(side).is_some()
    }

    /// A side's part of the throw that is due.
    pub(super) const fn part(&self, side: Side) -> Option<Hash256> {
        self.throws.parts[side.index()]
    }

    /// The side that the game waits for. For a throw that is first the thrower, then the
    /// other side, until they have given their parts.
    pub fn waits_for(&self) -> Option<Side> {
        if !self.has_begun() {
            return None;
        }
        match self.session.turn()? {
            Turn::Move(side) => Some(side),
            Turn::Throw(side) => {
                [side, side.other()].into_iter().find(|side| !self.has_revealed(*side))
            }
            Turn::Over(_) => None,
        }
    }

    /// The side whose clock runs: the one that the game waits for, once the first ply has
    /// been played. Before that the player who begins may not know yet that the other has
    /// joined. In a [full](Self::is_full) game nobody can play, so none runs.
    pub fn clock_runs_for(&self) -> Option<Side> {
        self.waits_for().filter(|_| !self.session.history().is_empty() && !self.is_full())
    }

    /// Whether the game or its log has reached the longest length. Then it can only be
    /// resigned or drawn.
    pub fn is_full(&self) -> bool {
        self.session.history().len() >= MAX_PLIES || self.entries >= MAX_ENTRIES
    }

    /// The offers of a side that wait for an answer.
    pub fn offers(&self, side: Side) -> &[Offer] {
        &self.offers[side.index()]
    }

    /// Whether a side has offered something since the last ply, even if that offer was
    /// answered.
    pub(super) fn has_offered(&self, side: Side, offer: Offer) -> bool {
        self.offered[side.index()].contains(&offer)
    }

    /// When the running clock began to run, in milliseconds since 1970.
    pub const fn running_since(&self) -> u64 {
        self.running_since
    }

    /// The number of plies that an undo asked for by `side` leaves: those before its
    /// last move. `None` if it has no move since the last throw: a throw that is known
    /// cannot become unknown, so it is never undone.
    pub fn undo_target(&self, side: Side) -> Option<usize> {
        let history = self.session.history();
        // What is over stays over.
        if self.session.outcome().is_some()
            || !self.has_begun()
            || self.throws.parts.iter().any(Option::is_some)
        {
            return None;
        }
        let moves = (0..history.len())
            .rev()
            .take_while(|ply| matches!(history.ply(ply + 1), Some(Ply::Move(_))));
        moves.into_iter().find(|ply| history.at(*ply).map(Game::side) == Some(side))
    }

    /// The game for a table at which this player sits, or only spectators. Its record has
    /// the proof of the throws.
    pub fn table_session(&self, player: Option<usize>) -> GameSession {
        let own = player.map(|player| self.side_of(player));
        let seat = |side| if Some(side) == own { Seat::Person } else { Seat::Remote };
        let record = self.record(None);
        let proof = record
            .tags()
            .iter()
            .filter(|(name, _)| [STICKS.0, COMMITMENTS_TAG, REVEALS_TAG].contains(&name.as_str()));
        self.session.clone().seated(Side::BOTH.map(seat), proof.cloned().collect())
    }

    /// The game as a record, with the proof of its throws.
    pub fn record(&self, date: Option<String>) -> Record {
        let mut record = self.session.record(date);
        if self.terms.rules.has_sticks() {
            self.throws.write_proof(&mut record);
        }
        record
    }

    /// Applies the next entry, and tells what it has changed.
    ///
    /// # Errors
    /// The entry cannot follow; the log is unchanged.
    pub fn apply(&mut self, entry: &Entry) -> Result<Vec<OnlineEvent>, InvalidEntry> {
        let number = self.entries + 1;
        if number > MAX_ENTRIES + ENDING {
            return Err(InvalidEntry { number, why: "the log is too long".to_owned() });
        }
        let begun = self.has_begun();
        // Entries are checked before anything is changed.
        let mut changes =
            self.change(entry).map_err(|why| InvalidEntry { number, why: why.into_owned() })?;
        self.entries = number;
        if !begun && self.has_begun() {
            changes.push(OnlineEvent::Begun);
        }
        let is_ended = self.session.outcome().is_some();
        if is_ended && matches!(entry, Entry::Moved { .. } | Entry::Thrown { .. }) {
            changes.push(OnlineEvent::Ended);
        }
        if is_ended && !matches!(entry, Entry::Offered { .. } | Entry::Declined { .. }) {
            self.offers.iter_mut().for_each(|open| open.retain(|offer| *offer == Offer::Rematch));
        }
        Ok(changes)
    }

    fn change(&mut self, entry: &Entry) -> Result<Vec<OnlineEvent>, Cause> {
        match entry {
            Entry::Created { .. } => refuse("the game exists already"),
            Entry::Claimed { player, device } => {
                let Some(devices) = self.devices.get_mut(*player) else {
                    return refuse("there is no such seat");
                };
                if devices.len() >= MAX_DEVICES || devices.contains(device) {
                    return refuse("the device has the seat already, or too many have it");
                }
                devices.push(*device);
                Ok(Vec::new())
            }
            Entry::Joined { side, name, at } => {
                if self.has_joined(*side) {
                    return refuse("the player has joined already");
                }
                self.names[side.index()] = Some(clean_name(name));
                self.running_since = *at;
                let names = self.known_names();
                self.session = new_session(&self.round_terms(), names);
                Ok(vec![OnlineEvent::Joined(*side)])
            }
            Entry::Committed { side, commitment, at } => {
                if !self.terms.rules.has_sticks() || self.commitment(*side).is_some() {
                    return refuse("no commitment is due");
                }
                if !self.is_new_commitment(*commitment) {
                    return refuse("it copies another commitment");
                }
                self.throws.commit(side.index(), Some(*commitment));
                self.running_since = *at;
                Ok(Vec::new())
            }
            Entry::Moved { text, used, at } => self.play(text, *used, *at),
            Entry::Revealed { side, reveal, used, at } => {
                if self.throw_due().is_none() || self.has_revealed(*side) {
                    return refuse("no reveal is due");
                }
                self.check_reveal(side.index(), *reveal)?;
                self.run_clock(*side, *used)?;
                self.throws.parts[side.index()] = Some(*reveal);
                self.drop_undo_offers();
                self.running_since = *at;
                Ok(Vec::new())
            }
            Entry::Thrown { reveal, throw, at } => self.throw(*reveal, throw, *at),
            Entry::Offered { side, offer } => {
                self.check_offer(*side, *offer)?;
                self.offers[side.index()].push(*offer);
                if !self.has_offered(*side, *offer) {
                    self.offered[side.index()].push(*offer);
                }
                Ok(vec![OnlineEvent::Offered(*side, *offer)])
            }
            Entry::Declined { side, offer } => {
                self.take_offer(*side, *offer)?;
                Ok(vec![OnlineEvent::Declined(*side, *offer)])
            }
            Entry::Undone { plies, at } => {
                let offered = Side::BOTH.into_iter().any(|side| {
                    self.offers(side).contains(&Offer::Undo)
                        && self.undo_target(side) == Some(*plies)
                });
                if !offered {
                    return refuse("no such undo was offered");
                }
                self.session.undo_to(*plies);
                self.drop_offers();
                self.running_since = *at;
                Ok(vec![OnlineEvent::Undone(*plies)])
            }
            Entry::Drawn => {
                if !self.is_offered(Offer::Draw) || !self.session.agree() {
                    return refuse("no draw was offered");
                }
                Ok(vec![OnlineEvent::Ended])
            }
            Entry::Resigned { side } => {
                if !self.has_begun() || !self.session.resign(*side) {
                    return refuse("there is no game to resign");
                }
                Ok(vec![OnlineEvent::Ended])
            }
            Entry::TimedOut { side } => {
                if self.waits_for() != Some(*side)
                    || !self.session.run_clock_of(*side, Duration::MAX)
                {
                    return refuse("that clock does not run");
                }
                Ok(vec![OnlineEvent::Ended])
            }
            Entry::Restarted { commitment, at } => {
                if !self.is_offered(Offer::Rematch) || self.session.outcome().is_none() {
                    return refuse("no rematch was offered");
                }
                self.restart(*commitment, *at)
            }
        }
    }

    fn play(&mut self, text: &str, used: u64, at: u64) -> Result<Vec<OnlineEvent>, Cause> {
        let Some(Turn::Move(side)) = self.session.turn().filter(|_| self.has_begun()) else {
            return refuse("no move is due");
        };
        if text.len() > MAX_MOVE_LENGTH {
            return refuse("the move is too long");
        }
        let mv = match self.session.history().parse(text) {
            Ok(Ply::Move(mv)) => mv,
            Ok(Ply::Throw(_)) => return refuse("a move is due, not a throw"),
            Err(illegal) => return Err(illegal.to_string().into()),
        };
        // Tried on the position alone: the history of a long game is large.
        let mut after = self.session.history().position().clone();
        after.play(mv).map_err(|illegal| illegal.to_string())?;
        self.run_clock(side, used)?;
        self.session.play(mv).map_err(|illegal| illegal.to_string())?;
        self.drop_offers();
        self.running_since = at;
        Ok(vec![OnlineEvent::Played(self.session.history().len())])
    }

    fn throw(&mut self, reveal: Hash256, stated: &str, at: u64) -> Result<Vec<OnlineEvent>, Cause> {
        let Some(number) = self.throw_due() else { return refuse("no throw is due") };
        let mut throws = self.throws.clone();
        throws.parts[SERVER] = Some(reveal);
        let Some(throw) = throws.throw() else { return refuse("a part of the throw is missing") };
        self.check_reveal(SERVER, reveal)?;
        if number >= CHAIN_LENGTH {
            return refuse("the game has too many throws");
        }
        if Throw::parse(stated) != Some(throw) {
            return Err(format!("the throw is {throw}, not {stated:.8}").into());
        }
        self.session.enter_throw(throw).map_err(|illegal| illegal.to_string())?;
        throws.advance();
        self.throws = throws;
        self.drop_offers();
        self.running_since = at;
        Ok(vec![OnlineEvent::Played(self.session.history().len())])
    }

    /// Whether the hash of a reveal is the last one of its contributor.
    fn check_reveal(&self, place: usize, reveal: Hash256) -> Result<(), Cause> {
        if self.throws.is_next(place, reveal) {
            Ok(())
        } else {
            refuse("the reveal does not lead to the commitment")
        }
    }

    /// Whether a side's part of a throw leads to its commitment.
    pub(super) fn is_next_reveal(&self, side: Side, reveal: Hash256) -> bool {
        self.throws.is_next(side.index(), reveal)
    }

    fn run_clock(&mut self, side: Side, used: u64) -> Result<(), Cause> {
        let used = Duration::from_millis(used);
        if self.session.clock().is_some_and(|clock| clock.left(side) <= used) {
            return refuse("the clock has run out");
        }
        self.session.run_clock_of(side, used);
        Ok(())
    }

    fn check_offer(&self, side: Side, offer: Offer) -> Result<(), Cause> {
        if self.offers(side).contains(&offer) {
            return refuse("it was offered already");
        }
        let is_possible = match offer {
            Offer::Undo => self.undo_target(side).is_some(),
            Offer::Draw => {
                self.has_begun()
                    && self.session.outcome().is_none()
                    && self.session.rules().knows_draws()
            }
            Offer::Rematch => self.session.outcome().is_some(),
        };
        if is_possible { Ok(()) } else { refuse("this cannot be offered now") }
    }

    fn take_offer(&mut self, side: Side, offer: Offer) -> Result<(), Cause> {
        let offers = &mut self.offers[side.index()];
        let Some(place) = offers.iter().position(|other| *other == offer) else {
            return refuse("there is no such offer");
        };
        offers.remove(place);
        Ok(())
    }

    fn is_offered(&self, offer: Offer) -> bool {
        self.offers.iter().any(|offers| offers.contains(&offer))
    }

    /// A ply answers all offers.
    fn drop_offers(&mut self) {
        self.offers = [Vec::new(), Vec::new()];
        self.offered = [Vec::new(), Vec::new()];
    }

    fn drop_undo_offers(&mut self) {
        self.offers.iter_mut().for_each(|open| open.retain(|offer| *offer != Offer::Undo));
    }

    fn restart(&mut self, commitment: Option<Hash256>, at: u64) -> Result<Vec<OnlineEvent>, Cause> {
        if self.round + 1 >= MAX_ROUNDS {
            return refuse("there are too many rematches");
        }
        let mut next = self.clone();
        next.round += 1;
        next.names.reverse();
        next.session = new_session(&next.round_terms(), next.known_names());
        next.throws = FairThrows::NEW;
        next.drop_offers();
        next.running_since = at;
        next.set_server_commitment(commitment)?;
        *self = next;
        Ok(vec![OnlineEvent::Restarted])
    }

    fn set_server_commitment(&mut self, commitment: Option<Hash256>) -> Result<(), Cause> {
        if commitment.is_some() != self.terms.rules.has_sticks() {
            return refuse("the server's commitment is missing, or there are no throws");
        }
        self.throws.commit(SERVER, commitment);
        Ok(())
    }

    /// The terms of this round: each player keeps the own clock.
    fn round_terms(&self) -> Terms {
        let is_swapped = !self.round.is_multiple_of(2);
        let clock = self.terms.clock.map(|clock| if is_swapped { clock.swapped() } else { clock });
        Terms { clock, ..self.terms }
    }

    fn known_names(&self) -> [String; 2] {
        self.names.clone().map(Option::unwrap_or_default)
    }
}

/// What is wrong with an entry, in English.
type Cause = std::borrow::Cow<'static, str>;

fn refuse<T>(why: &'static str) -> Result<T, Cause> {
    Err(why.into())
}

/// A session whose throws are entered, since they are made by all together. South
/// throws off first.
pub(super) fn new_session(terms: &Terms, names: [String; 2]) -> GameSession {
    let first = terms.rules.has_sticks().then_some(Side::First);
    let setup = Setup {
        names,
        first,
        by_hand: terms.rules.has_sticks(),
        clock: terms.clock,
        seed: Some(0),
        ..Setup::new(terms.rules)
    };
    GameSession::new(setup)
}
