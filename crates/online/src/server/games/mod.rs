//! The games that this server holds: those with a connection.

mod clocks;
mod presence;
mod state;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::{Mutex as AsyncMutex, OnceCell, Semaphore, mpsc};

use self::{
    clocks::{OUTAGE, past},
    state::{Peer, State, take_in},
};
use super::{
    health::{Health, StoreClock},
    store::{Fault, News, Store, StoreError, StoredGame, beside},
};
use crate::{
    ClientMessage, Entry, GameId, GameStatus, Hash256, NewLinks, Referee, Refusal, ServerMessage,
    Terms, Ticket, Token, VERSION,
};

pub(super) use state::to_text;

/// Messages that wait for a slow client before it is disconnected.
pub(super) const QUEUE: usize = 64;
/// Times that an answer is tried again after another server was faster.
const ATTEMPTS: usize = 8;
/// A game without connections is held for so long: reading it again takes time.
const KEPT: Duration = Duration::from_secs(30);
/// The least time between two reports that another device asks for a seat.
const BETWEEN_ASKING: Duration = Duration::from_secs(5);
/// How often servers say who is connected, and for how long others believe it.
const ANNOUNCE: Duration = Duration::from_secs(15);
const BELIEVE: Duration = Duration::from_secs(40);

/// All games with a connection to this server.
pub(super) struct Games {
    store: Store,
    loaded: Mutex<HashMap<GameId, Arc<OnceCell<Arc<LoadedGame>>>>>,
    /// How many games are read at once: each takes a processor for a while.
    readers: Semaphore,
    outages: Mutex<Vec<(u64, u64)>>,
    clock: StoreClock,
    /// When the store last took this server's beat.
    last_beat: Mutex<Instant>,
    health: Health,
    /// This server's number among those of the store.
    number: u64,
    has_others: bool,
}

/// A game with a connection.
pub(super) struct LoadedGame {
    id: GameId,
    game: StoredGame,
    state: AsyncMutex<State>,
}

/// A connection's seat in its game, or its place among the spectators.
pub(super) struct SeatHandle {
    pub(super) game: Arc<LoadedGame>,
    pub(super) player: Option<usize>,
    number: u64,
}

impl Games {
    pub(super) async fn open(store: Store) -> Result<Arc<Self>, StoreError> {
        let (games, news) = Self::load(store).await?;
        let games = Arc::new(games);
        tokio::spawn(Arc::clone(&games).watch_clocks());
        tokio::spawn(Arc::clone(&games).heartbeat());
        tokio::spawn(Arc::clone(&games).tell_presence());
        if let Some(news) = news {
            tokio::spawn(Arc::clone(&games).follow_news(news));
        }
        Ok(games)
    }

    /// The games of a store, and the news of other servers, before any clock is watched.
    async fn load(store: Store) -> Result<(Self, Option<mpsc::Receiver<News>>), StoreError> {
        let now = store.heartbeat(None, OUTAGE).await?;
        let outages = past(store.outages().await?, now);
        let news = store.listen().await?;
        let games = Self {
            store,
            loaded: Mutex::default(),
            readers: Semaphore::new(std::thread::available_parallelism().map_or(1, half)),
            outages: Mutex::new(outages),
            clock: StoreClock::new(now),
            last_beat: Mutex::new(Instant::now()),
            health: Health::default(),
            number: rand::random(),
            has_others: news.is_some(),
        };
        Ok((games, news))
    }

    /// Adds nothing more to any game.
    pub(super) async fn close(&self) {
        self.store.close().await;
    }

    /// Creates a game.
    pub(super) async fn create(&self, terms: Terms) -> Result<NewLinks, Refusal> {
        let tokens = [Token::random(), Token::random(), Token::random()];
        let (id, secret) = (GameId::random(), Hash256::random());
        let game = StoredGame { secret, tokens: tokens.map(|token| token.hashed()) };
        let first = Referee::created(terms, secret, self.now());
        self.health.note(self.store.create(id, &game, &first).await)?;
        let [one, two, watch] = tokens.map(|token| Ticket { game: id, token }.to_string());
        Ok(NewLinks { seats: [one, two], watch })
    }

    fn all(&self) -> Vec<Arc<LoadedGame>> {
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.values().filter_map(|cell| cell.get().cloned()).collect()
    }

    fn find(&self, id: GameId) -> Option<Arc<LoadedGame>> {
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.get(&id)?.get().cloned()
    }

    /// The game of a ticket, and the place of its token: the players', then the
    /// spectators'. The token is checked before the entries are read: a client without one
    /// costs one row.
    async fn host(&self, ticket: &Ticket) -> Result<(Arc<LoadedGame>, usize), Refusal> {
        let (id, hash) = (ticket.game, ticket.token.hashed());
        let place_in = |game: &StoredGame| {
            // All three are compared, whichever it is.
            let same = game.tokens.map(|token| token.same(&hash));
            same.iter().position(|is_same| *is_same).ok_or(Refusal::UnknownLink)
        };
        if let Some(game) = self.find(id) {
            let place = place_in(&game.game)?;
            return Ok((game, place));
        }
        let stored = self.health.note(self.store.load(id).await)?;
        let game = stored.ok_or(Refusal::UnknownLink)?;
        let place = place_in(&game)?;
        let cell = {
            let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(loaded.entry(id).or_default())
        };
        // Others who open it meanwhile wait for the same.
        let game = cell.get_or_try_init(|| self.read(id, game)).await?;
        Ok((Arc::clone(game), place))
    }

    /// Reads a game from the store, and plays it through by the rules.
    async fn read(&self, id: GameId, game: StoredGame) -> Result<Arc<LoadedGame>, Refusal> {
        let _turn = self.readers.acquire().await.map_err(|_| Refusal::Unavailable)?;
        let entries = self.health.note(self.store.entries(id, 0).await)?;
        let secret = game.secret;
        let played = beside(move || {
            let damaged = |error| StoreError::Damaged(format!("game {id}: {error}"));
            Referee::new(secret, &entries).map_err(damaged)
        });
        let mut referee = self.health.note(played.await)?;
        let outages = self.outages.lock().unwrap_or_else(PoisonError::into_inner).clone();
        referee.set_outages(outages);
        let state = State {
            referee,
            peers: Vec::new(),
            empty_since: Instant::now(),
            is_evicted: false,
            is_unsure: false,
            others: HashMap::new(),
            is_presence_due: false,
            is_announcement_due: false,
            last_asked: [None; 2],
        };
        Ok(Arc::new(LoadedGame { id, game, state: AsyncMutex::new(state) }))
    }

    /// Gives a connection its place, and sends it what it lacks.
    pub(super) async fn enter(
        &self,
        ticket: &str,
        since: usize,
        name: &str,
        device: Option<Hash256>,
        sender: mpsc::Sender<Arc<str>>,
    ) -> Result<SeatHandle, Refusal> {
        let ticket = Ticket::parse(ticket).ok_or(Refusal::UnknownLink)?;
        loop {
            let (game, place) = self.host(&ticket).await?;
            let player = (place < 2).then_some(place);
            let mut state = game.state.lock().await;
            if state.is_evicted {
                continue;
            }
            self.bring_up_to_date(&game, &mut state).await?;
            if let Some(player) = player {
                let device = device.ok_or(Refusal::Malformed)?.hashed();
                for _ in 0..ATTEMPTS {
                    let entries = match state.referee.enter(player, device, name, self.now()) {
                        Ok(entries) => entries,
                        Err(refusal) => {
                            self.ask(&game, &mut state, player, device).await;
                            return Err(refusal);
                        }
                    };
                    if entries.is_empty() || self.add(&game, &mut state, entries).await? {
                        break;
                    }
                }
            }
            let from = since.min(state.referee.log().entries());
            let mut entries = self.health.note(self.store.entries(game.id, from).await)?;
            entries.truncate(state.referee.log().entries() - from);
            let elapsed = state.referee.elapsed(self.now());
            let welcome =
                ServerMessage::Welcome { version: VERSION, player, from, entries, elapsed };
            let welcome = self.health.note(beside(move || Ok(to_text(&welcome))).await)?;
            let number = rand::random();
            state.peers.push(Peer { number, player, sender: sender.clone() });
            state.note_presence();
            // The queue is new. The others are told soon.
            _ = sender.try_send(welcome);
            _ = sender.try_send(to_text(&state.presence()));
            drop(state);
            return Ok(SeatHandle { game, player, number });
        }
    }

    /// How a game stands for the player of a ticket, who does not sit down.
    pub(super) async fn status(
        &self,
        ticket: &str,
        device: Hash256,
    ) -> Result<GameStatus, Refusal> {
        let ticket = Ticket::parse(ticket).ok_or(Refusal::UnknownLink)?;
        loop {
            let (game, place) = self.host(&ticket).await?;
            if place > 1 {
                return Err(Refusal::Spectator);
            }
            let mut state = game.state.lock().await;
            if !state.is_evicted {
                self.bring_up_to_date(&game, &mut state).await?;
                return state.referee.status(place, device.hashed(), self.now());
            }
        }
    }

    /// Takes in what the store knows more, and ends the game if a clock has run out.
    async fn bring_up_to_date(&self, game: &LoadedGame, state: &mut State) -> Result<(), Refusal> {
        self.catch_up(game, state).await?;
        if !self.is_interrupted()
            && let Some(entry) = state.time_out(self.now())
        {
            self.add(game, state, vec![entry]).await?;
        }
        Ok(())
    }

    /// Tells a player that another device has opened the seat.
    async fn ask(&self, game: &LoadedGame, state: &mut State, player: usize, device: Hash256) {
        // Who asks meanwhile does not put off the next report.
        if state.last_asked[player].is_some_and(|at| at.elapsed() < BETWEEN_ASKING) {
            return;
        }
        state.last_asked[player] = Some(Instant::now());
        state.tell_asked(player, device);
        if self.has_others {
            // The device asks again.
            _ = self.store.announce(News::Asked { game: game.id, player, device }).await;
        }
    }

    /// A connection has ended.
    pub(super) async fn leave(&self, seat: &SeatHandle) {
        let mut state = seat.game.state.lock().await;
        state.peers.retain(|peer| peer.number != seat.number);
        state.empty_since = Instant::now();
        state.note_presence();
    }

    fn leave_if_empty(&self, game: &LoadedGame) {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(mut state) = game.state.try_lock()
            && state.peers.is_empty()
            && state.empty_since.elapsed() > KEPT
            && !state.is_evicted
            // Other servers must learn that nobody is here any more.
            && !(self.has_others && state.is_announcement_due)
        {
            state.is_evicted = true;
            loaded.remove(&game.id);
        }
    }

    /// Forgets games that could not be read.
    fn forget_unread(&self) {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.retain(|_, game| game.get().is_some() || Arc::strong_count(game) > 1);
    }

    /// Does what a player's message asks for, which was heard at this time.
    pub(super) async fn answer(
        &self,
        seat: &SeatHandle,
        message: &ClientMessage,
        heard: u64,
    ) -> Result<(), Refusal> {
        let player = seat.player.ok_or(Refusal::Spectator)?;
        if self.is_interrupted() {
            return Err(Refusal::Unavailable);
        }
        let mut state = seat.game.state.lock().await;
        if state.is_unsure {
            self.catch_up(&seat.game, &mut state).await?;
        }
        let mut has_caught_up = !self.has_others;
        for _ in 0..ATTEMPTS {
            match state.referee.answer(player, message, heard, self.now()) {
                Ok(entries) => {
                    if self.add(&seat.game, &mut state, entries).await? {
                        return Ok(());
                    }
                }
                Err(refusal) if has_caught_up => return Err(refusal),
                // Another server may know more.
                Err(_) => self.catch_up(&seat.game, &mut state).await?,
            }
            has_caught_up = true;
        }
        Err(Refusal::Unavailable)
    }

    /// Stores entries, applies them and sends them to all. Returns `false` if another
    /// server was faster; its entries are taken in instead.
    async fn add(
        &self,
        game: &LoadedGame,
        state: &mut State,
        entries: Vec<Entry>,
    ) -> Result<bool, Refusal> {
        let from = state.referee.log().entries();
        match self.store.append(game.id, from, &entries).await {
            Ok(()) => {
                take_in(game, state, entries, self.now());
                Ok(true)
            }
            Err(StoreError::Conflict) => {
                state.is_unsure = true;
                self.catch_up(game, state).await?;
                Ok(false)
            }
            failed => {
                state.is_unsure = true;
                self.health.note(failed).map(|()| false)
            }
        }
    }

    /// Takes in what the store has beyond what is known here.
    async fn catch_up(&self, game: &LoadedGame, state: &mut State) -> Result<(), Refusal> {
        if !self.has_others && !state.is_unsure {
            return Ok(());
        }
        let known = state.referee.log().entries();
        let entries = self.health.note(self.store.entries(game.id, known).await)?;
        state.is_unsure = false;
        take_in(game, state, entries, self.now());
        Ok(())
    }

    /// The time by the store's clock, in milliseconds since 1970.
    pub(super) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// Whether games can be played: the store takes what they add.
    ///
    /// # Errors
    /// It does not, for this reason.
    pub(super) fn health(&self) -> Result<(), String> {
        self.health.check()?;
        if self.is_interrupted() { Err(Fault::Unreachable.to_string()) } else { Ok(()) }
    }
}

/// Half of the processors, at least one.
fn half(processors: std::num::NonZero<usize>) -> usize {
    (processors.get() / 2).max(1)
}
