//! The games that this server holds: those with a connection.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::{
    sync::{Mutex as AsyncMutex, OnceCell, Semaphore, mpsc},
    time::MissedTickBehavior,
};

use super::{
    health::{Health, StoreClock},
    store::{Fault, News, Store, StoreError, StoredGame, beside},
};
use crate::{
    ClientMessage, Entry, GameId, Hash256, NewLinks, Referee, Refusal, ServerMessage,
    TIMEOUT_GRACE, Terms, Ticket, Token, VERSION,
};

/// Messages that wait for a slow client before it is disconnected.
pub(super) const QUEUE: usize = 64;
/// Times that an answer is tried again after another server was faster.
const ATTEMPTS: usize = 8;
/// Without a beat for so long, no server ran.
const OUTAGE: u64 = 3_000;
/// A game without connections is held for so long: reading it again takes time.
const KEPT: Duration = Duration::from_secs(30);
/// The least time between two reports that another device asks for a seat.
const BETWEEN_ASKING: Duration = Duration::from_secs(5);
/// How often servers say who is connected, and for how long others believe it.
const ANNOUNCE: Duration = Duration::from_secs(15);
const BELIEVE: Duration = Duration::from_secs(40);

/// All games with a connection to this server.
pub(super) struct Games {
    store: Arc<dyn Store>,
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

struct State {
    referee: Referee,
    peers: Vec<Peer>,
    /// When the last one has left, if none is there.
    empty_since: Instant,
    /// Whether this server holds the game no longer.
    is_evicted: bool,
    /// Whether the last append may have been stored without our knowing.
    is_unsure: bool,
    others: HashMap<u64, RemotePresence>,
    /// Whether the clients have yet to be told who is connected.
    is_presence_due: bool,
    /// Whether other servers have yet to be told who is connected here.
    is_announcement_due: bool,
    /// When another device has last asked for the seat, by player.
    last_asked: [Option<Instant>; 2],
}

/// Who is connected elsewhere.
struct RemotePresence {
    players: [bool; 2],
    spectators: usize,
    heard: Instant,
}

/// A connection.
struct Peer {
    number: u64,
    player: Option<usize>,
    sender: mpsc::Sender<Arc<str>>,
}

/// A connection's seat in its game, or its place among the spectators.
pub(super) struct SeatHandle {
    pub(super) game: Arc<LoadedGame>,
    pub(super) player: Option<usize>,
    number: u64,
}

pub(super) fn to_text(message: &ServerMessage) -> Arc<str> {
    serde_json::to_string(message).unwrap_or_default().into()
}

impl Games {
    pub(super) async fn open(store: Arc<dyn Store>) -> Result<Arc<Self>, StoreError> {
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
    async fn load(
        store: Arc<dyn Store>,
    ) -> Result<(Self, Option<mpsc::Receiver<News>>), StoreError> {
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

    /// Creates a game.
    pub(super) async fn create(&self, terms: Terms) -> Result<NewLinks, Refusal> {
        let tokens = [Token::random(), Token::random(), Token::random()];
        let (id, secret) = (GameId::random(), Hash256::random());
        let game = StoredGame { secret, tokens: tokens.map(|it| it.hashed()) };
        let first = Referee::created(terms, secret, self.now());
        self.health.note(self.store.create(id, &game, &first).await)?;
        let [one, two, watch] = tokens.map(|token| Ticket { game: id, token }.to_string());
        Ok(NewLinks { seats: [one, two], watch })
    }

    fn all(&self) -> Vec<Arc<LoadedGame>> {
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.values().filter_map(|it| it.get().cloned()).collect()
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
            let same = game.tokens.map(|it| it.same(&hash));
            same.iter().position(|it| *it).ok_or(Refusal::UnknownLink)
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
            self.catch_up(&game, &mut state).await?;
            if !self.is_interrupted()
                && let Some(entry) = state.time_out(self.now())
            {
                self.add(&game, &mut state, vec![entry]).await?;
            }
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

    /// Tells a player that another device has opened the seat.
    async fn ask(&self, game: &LoadedGame, state: &mut State, player: usize, device: Hash256) {
        let is_soon = |at: Instant| at.elapsed() < BETWEEN_ASKING;
        if state.last_asked[player].replace(Instant::now()).is_some_and(is_soon) {
            return;
        }
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

    /// Says who is connected, here and to other servers, where that has changed: once a
    /// second, however often players come and go. These messages share a client's queue
    /// with the moves.
    async fn tell_presence(self: Arc<Self>) {
        let mut ticks = tokio::time::interval(Duration::from_secs(1));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.tell_due_presence().await;
        }
    }

    async fn tell_due_presence(&self) {
        for game in self.all() {
            // A game that is busy is told at the next tick.
            let Ok(mut state) = game.state.try_lock() else { continue };
            if std::mem::take(&mut state.is_presence_due) {
                let text = to_text(&state.presence());
                state.send(&text);
            }
            if !std::mem::take(&mut state.is_announcement_due) || !self.has_others {
                continue;
            }
            let (players, spectators) = state.here();
            drop(state);
            let news = News::Presence { game: game.id, server: self.number, players, spectators };
            // Repeated soon.
            _ = self.store.announce(news).await;
        }
    }

    /// Ends the games whose clocks have run out.
    async fn watch_clocks(self: Arc<Self>) {
        let mut ticks = tokio::time::interval(Duration::from_millis(100));
        loop {
            ticks.tick().await;
            if self.is_interrupted() {
                continue;
            }
            for game in self.all() {
                // A game that is busy will see to its clock itself.
                let Ok(mut state) = game.state.try_lock() else { continue };
                if let Some(entry) = state.time_out(self.now()) {
                    // Tried again at the next tick.
                    _ = self.add(&game, &mut state, vec![entry]).await;
                }
            }
        }
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

    /// Whether the store has not taken this server's beats for so long that the players'
    /// clocks stand until it does.
    fn is_interrupted(&self) -> bool {
        let last = *self.last_beat.lock().unwrap_or_else(PoisonError::into_inner);
        last.elapsed() > Duration::from_millis(OUTAGE)
    }

    /// Tells the store that a server runs, and follows its clock. If no server could run for
    /// a while, no clock counts that time.
    async fn note_heartbeat(&self) -> Result<(), Refusal> {
        let sent = Instant::now();
        let time = self.health.note(self.store.heartbeat(Some(self.now()), OUTAGE).await)?;
        let outages = past(self.health.note(self.store.outages().await)?, time);
        let is_new = {
            let mut known = self.outages.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *known, outages.clone()) != outages
        };
        if is_new {
            for game in self.all() {
                game.state.lock().await.referee.set_outages(outages.clone());
            }
        }
        self.clock.advance_to(time, Instant::now());
        *self.last_beat.lock().unwrap_or_else(PoisonError::into_inner) = sent;
        Ok(())
    }

    async fn heartbeat(self: Arc<Self>) {
        let mut ticks = tokio::time::interval(Duration::from_secs(1));
        let mut announced = Instant::now();
        loop {
            ticks.tick().await;
            // Tried again at the next tick.
            _ = self.note_heartbeat().await;
            // Games that nobody has entered after all.
            self.all().iter().for_each(|game| self.leave_if_empty(game));
            self.forget_unread();
            if !self.has_others || announced.elapsed() < ANNOUNCE {
                continue;
            }
            announced = Instant::now();
            for game in self.all() {
                let mut state = game.state.lock().await;
                state.others.retain(|_, others| others.heard.elapsed() < BELIEVE);
                state.note_presence();
            }
        }
    }

    /// Takes in the news of other servers.
    async fn follow_news(self: Arc<Self>, mut news: mpsc::Receiver<News>) {
        while let Some(news) = news.recv().await {
            match news {
                News::Entries(id) => {
                    if let Some(game) = self.find(id) {
                        self.refresh(&game).await;
                    }
                }
                News::Missed => {
                    for game in self.all() {
                        self.refresh(&game).await;
                    }
                }
                News::Asked { game, player, device } => {
                    let Some(game) = self.find(game).filter(|_| player < 2) else { continue };
                    game.state.lock().await.tell_asked(player, device);
                }
                News::Presence { server, .. } if server == self.number => {}
                News::Presence { game, server, players, spectators } => {
                    let Some(game) = self.find(game) else { continue };
                    let mut state = game.state.lock().await;
                    let others = RemotePresence { players, spectators, heard: Instant::now() };
                    let is_new = state.others.insert(server, others).is_none();
                    state.is_presence_due = true;
                    // A server that is new to us does not know who is here.
                    state.is_announcement_due |= is_new;
                }
            }
        }
    }

    async fn refresh(&self, game: &LoadedGame) {
        let mut state = game.state.lock().await;
        if let Err(refusal) = self.catch_up(game, &mut state).await {
            state.is_unsure = true;
            eprintln!("tabulae: game {}: {refusal}", game.id);
        }
    }
}

impl State {
    /// The entry of the clock that has run out, after the [`TIMEOUT_GRACE`].
    fn time_out(&self, now: u64) -> Option<Entry> {
        self.referee.time_out(now.saturating_sub(TIMEOUT_GRACE))
    }

    /// Who is connected here.
    fn here(&self) -> ([bool; 2], usize) {
        let players = [0, 1].map(|player| self.peers.iter().any(|it| it.player == Some(player)));
        (players, self.peers.iter().filter(|it| it.player.is_none()).count())
    }

    /// Who is connected, here and elsewhere.
    fn presence(&self) -> ServerMessage {
        let (mut players, mut spectators) = self.here();
        for others in self.others.values() {
            for (player, is_there) in players.iter_mut().zip(others.players) {
                *player |= is_there;
            }
            spectators += others.spectators;
        }
        ServerMessage::Presence { players, spectators }
    }

    /// Notes that who is connected here has changed.
    const fn note_presence(&mut self) {
        (self.is_presence_due, self.is_announcement_due) = (true, true);
    }

    /// Tells the programs of a player that another device has opened the seat.
    fn tell_asked(&mut self, player: usize, device: Hash256) {
        let text = to_text(&ServerMessage::SeatAsked { device });
        self.peers.retain(|peer| {
            peer.player != Some(player) || peer.sender.try_send(Arc::clone(&text)).is_ok()
        });
    }

    fn send(&mut self, text: &Arc<str>) {
        // A client that does not read is disconnected: its sender is dropped.
        self.peers.retain(|peer| peer.sender.try_send(Arc::clone(text)).is_ok());
    }
}

/// Applies stored entries and sends them to all.
fn take_in(game: &LoadedGame, state: &mut State, entries: Vec<Entry>, now: u64) {
    if entries.is_empty() {
        return;
    }
    let from = state.referee.log().entries();
    for entry in &entries {
        if let Err(error) = state.referee.apply(entry) {
            eprintln!("tabulae: game {}: {error}", game.id);
            return;
        }
    }
    let elapsed = state.referee.elapsed(now);
    let text = to_text(&ServerMessage::Entries { from, entries, elapsed });
    state.send(&text);
}

/// Half of the processors, at least one.
fn half(processors: std::num::NonZero<usize>) -> usize {
    (processors.get() / 2).max(1)
}

/// Times without overlaps, since each is taken off the clocks.
fn merged(mut times: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    times.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (from, to) in times {
        match merged.last_mut() {
            Some((_, end)) if from <= *end => *end = to.max(*end),
            _ => merged.push((from, to)),
        }
    }
    merged
}

/// The outages that have ended. A server whose clock was wrong may have noted others.
fn past(times: Vec<(u64, u64)>, now: u64) -> Vec<(u64, u64)> {
    merged(times.into_iter().filter(|(_, to)| *to <= now).collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::server::store;
    use tabulae_games::{RuleSet, Side};

    /// The games of a server with its store in this folder.
    async fn games_in(folder: &Path) -> Games {
        let address = format!("sqlite:{}", folder.join("games.db").display());
        let store = store::open(&address).await.expect("a store");
        Games::load(store).await.expect("no games").0
    }

    #[tokio::test]
    async fn clocks_stand_while_the_store_is_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let address = format!("sqlite:{}", folder.path().join("games.db").display());
        let store = store::open(&address).await.expect("a store");
        let (games, _) = Games::load(store).await.expect("no games");
        let clock = "60".parse().ok();
        let links = games.create(Terms { rules: RuleSet::Tablaaza, clock }).await.expect("made");
        let ticket = Ticket::parse(&links.watch).expect("a ticket");
        let (game, _) = games.host(&ticket).await.expect("the game");
        assert!(!games.is_interrupted());
        // As if the store had taken no beat for ten seconds.
        let lost = games.now() - 10_000;
        let file = sqlx::SqlitePool::connect(&address).await.expect("the file");
        let back = sqlx::query("UPDATE beats SET at = $1").bind(i64::try_from(lost).expect("ms"));
        back.execute(&file).await.expect("written");
        let then = Instant::now().checked_sub(Duration::from_secs(10)).expect("an uptime");
        *games.last_beat.lock().expect("a beat") = then;
        let seat = SeatHandle { game, player: Some(0), number: 1 };
        let resign = ClientMessage::Resign { round: 0 };
        assert!(games.is_interrupted());
        assert_eq!(games.answer(&seat, &resign, games.now()).await, Err(Refusal::Unavailable));
        games.note_heartbeat().await.expect("a store");
        assert!(!games.is_interrupted());
        assert_eq!(games.answer(&seat, &resign, games.now()).await, Err(Refusal::NotBegun));
        let outages = games.outages.lock().expect("outages").clone();
        assert!(matches!(outages[..], [(from, to)] if from == lost && to >= lost + 10_000));
        assert_eq!(games.store.outages().await.expect("a store"), outages);
    }

    /// A server of an earlier version whose clock was wrong has noted an outage that lies
    /// ahead.
    #[tokio::test]
    async fn an_outage_that_has_not_ended_stops_no_clock() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = games_in(folder.path()).await;
        let address = format!("sqlite:{}", folder.path().join("games.db").display());
        let file = sqlx::SqlitePool::connect(&address).await.expect("the file");
        let ahead = i64::try_from(games.now() + 3_600_000).expect("ms");
        let note = sqlx::query("INSERT INTO outages VALUES ($1, $2)").bind(ahead - 3_600_000);
        note.bind(ahead).execute(&file).await.expect("written");
        games.note_heartbeat().await.expect("a store");
        assert_eq!(*games.outages.lock().expect("outages"), []);
    }

    /// Somebody sets the system's clock an hour back: this server's time goes on.
    #[tokio::test]
    async fn a_clock_that_was_ahead_gives_nobody_a_free_move() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = games_in(folder.path()).await;
        let ahead = games.now() + 3_600_000;
        games.store.heartbeat(Some(ahead), OUTAGE).await.expect("a store");
        drop(games);
        let games = games_in(folder.path()).await;
        assert!(games.now() >= ahead);
    }

    #[tokio::test]
    async fn health_names_what_is_wrong_with_the_store_until_it_answers_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = games_in(folder.path()).await;
        assert_eq!(games.health(), Ok(()));
        let full = StoreError::Failed(Fault::Full, "database or disk is full".to_owned());
        assert_eq!(games.health.note::<()>(Err(full)), Err(Refusal::Unavailable));
        assert_eq!(games.health(), Err("the disk is full".to_owned()));
        let then = Instant::now().checked_sub(Duration::from_secs(10)).expect("an uptime");
        let games = games_in(tempfile::tempdir().expect("a folder").path()).await;
        *games.last_beat.lock().expect("a beat") = then;
        assert_eq!(games.health(), Err("the database does not answer".to_owned()));
        games.note_heartbeat().await.expect("a store");
        assert_eq!(games.health(), Ok(()));
    }

    #[tokio::test]
    async fn a_move_that_was_heard_in_time_is_not_late_when_the_store_is_slow() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = games_in(folder.path()).await;
        let terms = Terms { rules: RuleSet::Tablaaza, clock: "1".parse().ok() };
        let links = games.create(terms).await.expect("made");
        let ticket = Ticket::parse(&links.seats[1]).expect("a ticket");
        // The second player has been on move for 10 s, and has moved after half a second.
        let at = games.now() - 10_000;
        let joined = |side| Entry::Joined { side, name: String::new(), at };
        let moved = Entry::Moved { text: "c7".to_owned(), used: 0, at };
        let entries = [joined(Side::First), joined(Side::Second), moved];
        games.store.append(ticket.game, 1, &entries).await.expect("stored");
        let (game, _) = games.host(&ticket).await.expect("the game");
        let seat = SeatHandle { game: Arc::clone(&game), player: Some(1), number: 1 };
        let message = ClientMessage::Move { round: 0, ply: 1, text: "c6".to_owned() };
        games.answer(&seat, &message, at + 500).await.expect("in time");
        let state = game.state.lock().await;
        let session = state.referee.log().session();
        assert_eq!((session.history().len(), session.outcome()), (2, None));
        let stored = games.store.entries(ticket.game, 4).await.expect("a store");
        // The other clock runs from the answer on.
        let [Entry::Moved { used: 500, at: answered, .. }] = stored[..] else {
            panic!("{stored:?}")
        };
        assert!(answered >= at + 10_000);
        // A clock is left alone for a moment.
        assert_eq!(state.time_out(answered + 1_000 + TIMEOUT_GRACE - 1), None);
        let time_out = Some(Entry::TimedOut { side: Side::First });
        assert_eq!(state.time_out(answered + 1_000 + TIMEOUT_GRACE), time_out);
    }

    #[tokio::test]
    async fn players_who_come_and_go_do_not_fill_the_queue_of_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = games_in(folder.path()).await;
        let terms = Terms { rules: RuleSet::Tablaaza, clock: None };
        let links = games.create(terms).await.expect("made");
        let enter = async |ticket: &str| {
            let (sender, queue) = mpsc::channel(QUEUE);
            let device = Some(Hash256([7; 32]));
            (games.enter(ticket, 0, "", device, sender).await.expect("a place"), queue)
        };
        let presence = |queue: &mut mpsc::Receiver<Arc<str>>| {
            let mut all = Vec::new();
            while let Ok(text) = queue.try_recv() {
                if let ServerMessage::Presence { players, spectators } =
                    serde_json::from_str(&text).expect("a message")
                {
                    all.push((players, spectators));
                }
            }
            all
        };
        let (_seat, mut queue) = enter(&links.seats[0]).await;
        // A new client knows at once who is there.
        assert_eq!(presence(&mut queue), [([true, false], 0)]);
        for _ in 0..2 * QUEUE {
            let (seat, _queue) = enter(&links.watch).await;
            games.leave(&seat).await;
        }
        let (_watching, mut other) = enter(&links.watch).await;
        assert_eq!(presence(&mut other), [([true, false], 1)]);
        games.tell_due_presence().await;
        assert_eq!(presence(&mut queue), [([true, false], 1)]);
        games.tell_due_presence().await;
        assert!(presence(&mut queue).is_empty() && !queue.is_closed(), "nothing has changed");
    }

    #[tokio::test]
    async fn a_foreign_token_does_not_make_the_server_read_the_game() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = games_in(folder.path()).await;
        let terms = Terms { rules: RuleSet::Tablaaza, clock: None };
        let links = games.create(terms).await.expect("made");
        let own = Ticket::parse(&links.watch).expect("a ticket");
        // A reader of the entries finds them damaged.
        games.store.append(own.game, 1, &[Entry::Drawn]).await.expect("stored");
        let foreign = Ticket { token: Token::random(), ..own };
        let refusal = async |ticket| games.host(&ticket).await.map(drop).expect_err("refused");
        assert_eq!(refusal(foreign).await, Refusal::UnknownLink);
        assert_eq!(refusal(own).await, Refusal::Unavailable);
    }

    #[test]
    fn outages_of_several_servers_count_once() {
        let times = vec![(50, 60), (10, 20), (15, 30), (30, 40)];
        assert_eq!(merged(times), [(10, 40), (50, 60)]);
    }
}
