//! A game with a person elsewhere: its connection, and what the server's log says.
//!
//! Architecture invariant: the server's log is the game. Plies reach the table one after
//! the other, so that each is animated, and the [`Referee`] checks them again.

use super::referee::{OnlineRequest, Referee};
use crate::{
    app::{
        core::prelude::*,
        scene::api::{MotionStatus, SceneCommand},
    },
    engines::wake,
    online::{
        CreateError, GameLink, GameLog, Incoming, OnlineEvent, OnlineGame, OnlineState, Refusal,
        SeatStore, Terms, connection::Connection, create_message, created_links, socket_of_page,
    },
    session::side_label,
};

/// How long a server may take to create a game.
const CREATION_TIMEOUT: Duration = Duration::from_secs(20);
/// The most messages that are taken in at once.
const MOST_MESSAGES: usize = 64;
/// Of so many new plies each is animated; more are shown at once.
const MOST_ANIMATED: usize = 3;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<OnlineTable>()
        .init_resource::<Seats>()
        .insert_non_send(Connections::default())
        .add_systems(Update, apply_actions.in_set(AppSet::ApplyActions))
        .add_systems(Update, run.run_if(is_on).in_set(AppSet::Engines))
        .add_systems(
            Update,
            report_problem.run_if(resource_changed::<OnlineTable>).in_set(AppSet::Report),
        );
}

/// The connections, which belong to the thread that opened them.
#[derive(Default)]
struct Connections {
    /// To the server that is to create a game.
    creation: Option<Creation>,
    /// To the server of the game.
    game: Option<Connection>,
}

/// A game that a server is asked for.
struct Creation {
    connection: Connection,
    page: String,
    terms: Terms,
    side: Side,
    name: String,
}

impl Creation {
    /// The links of the new game, or why there is none; `None` while it is awaited.
    fn poll(&self, is_late: bool) -> Option<Result<[GameLink; 3], CreateError>> {
        while let Some(incoming) = self.connection.receive() {
            match incoming {
                Incoming::Opened => self.connection.send(create_message(self.terms)),
                Incoming::Text(text) => return Some(created_links(&self.page, &text)),
                Incoming::Closed(why) => return Some(Err(CreateError::Network(why))),
            }
        }
        is_late.then(|| Err(CreateError::Network(String::new())))
    }
}

/// Where the player's seats are kept; in tests, nowhere.
#[derive(Resource, Debug, Default)]
pub(crate) struct Seats(pub(crate) SeatStore);

/// A game with a person elsewhere.
#[derive(Resource, Debug, Default)]
pub struct OnlineTable {
    game: Option<OnlineGame>,
    /// The links of a game that was created here: the first side's, the second side's,
    /// and the spectators'.
    links: Option<[GameLink; 3]>,
    /// Since when a server is asked for a game.
    creating_since: Option<Duration>,
    /// Why no game was created or joined.
    problem: Option<LocalizedMessage>,
    /// The round that is on the table.
    round: Option<usize>,
    /// Whether the log may be ahead of the table.
    is_ahead: bool,
    /// Whether the player knows that the connection is lost.
    is_lost: bool,
    /// Whether the other player was connected when that was last told.
    is_other_present: bool,
}

impl OnlineTable {
    /// The game; `None` while none is created or joined.
    pub const fn game(&self) -> Option<&OnlineGame> {
        self.game.as_ref()
    }

    /// How the game stands; `None` without one.
    pub fn state(&self) -> Option<OnlineState> {
        self.game.as_ref().map(OnlineGame::state)
    }

    /// Whether a server is asked for a game.
    pub const fn is_creating(&self) -> bool {
        self.creating_since.is_some()
    }

    /// Whether there is a game, or a server is asked for one.
    pub(crate) const fn is_on(&self) -> bool {
        self.game.is_some() || self.is_creating()
    }

    /// The link for the other player of a game that was created here.
    pub fn invitation(&self) -> Option<&GameLink> {
        let own = self.game.as_ref()?.link();
        self.links.as_ref()?.iter().find(|link| !link.is_spectator && *link != own)
    }

    /// The link for spectators of a game that was created here.
    pub fn spectator_link(&self) -> Option<&GameLink> {
        self.links.as_ref()?.iter().find(|link| link.is_spectator)
    }

    /// Why no game was created or joined.
    pub const fn problem(&self) -> Option<&LocalizedMessage> {
        self.problem.as_ref()
    }

    /// Whether the player may ask for an undo.
    pub fn can_undo(&self) -> bool {
        let game = self.game.as_ref();
        game.is_some_and(|game| {
            let target = game.log().zip(game.side()).and_then(|(log, side)| log.undo_target(side));
            target.is_some()
        })
    }

    /// How soon the game must be looked after, even if nothing happens.
    pub(super) fn next_look(&self, now: Duration) -> Option<Duration> {
        let game = self.game.as_ref().map(OnlineGame::tick_interval);
        game.or_else(|| self.creation_time_left(now))
    }

    /// How long the server may still take to create the game that it is asked for.
    fn creation_time_left(&self, now: Duration) -> Option<Duration> {
        self.creating_since.map(|began| (began + CREATION_TIMEOUT).saturating_sub(now))
    }

    /// Whether the player could act now if it is the player's turn.
    fn is_free(&self) -> bool {
        self.game.as_ref().is_some_and(|game| {
            let throws = matches!(game.session().and_then(GameSession::turn), Some(Turn::Throw(_)));
            game.state() == OnlineState::Playing
                && !self.is_ahead
                && !game.is_move_pending()
                && (!throws || game.may_throw())
        })
    }

    /// Leaves the game, if there is one.
    fn leave(&mut self, connections: &mut Connections) {
        *connections = Connections::default();
        *self = Self::default();
    }

    /// Joins the game of a link.
    fn join(&mut self, link: GameLink, name: &str, seats: &Seats, connections: &mut Connections) {
        match seats.0.secret(&link) {
            Ok(secret) => {
                connections.game = Some(Connection::to(link.socket_address(), wake));
                self.links = self.links.take().or_else(|| seats.0.links(&link));
                self.game = Some(OnlineGame::new(link, name, secret));
            }
            Err(error) => {
                let message = LocalizedMessage::new("online.cannot-save-seat").with("error", error);
                self.problem = Some(message);
            }
        }
    }

    /// Saves the seat for a list of games that can be joined again.
    fn save(&self, seats: &Seats) {
        let Some(game) = &self.game else { return };
        let Some(seat) = game.saved_seat(self.links.as_ref()) else { return };
        if let Err(error) = seats.0.save(game.link(), game.secret(), &seat) {
            warn!("the link of the online game cannot be saved: {error}");
        }
    }
}

/// Run condition: an online game is on, or one that was left stands on the table.
fn is_on(online: Res<OnlineTable>, referee: Res<Referee>) -> bool {
    online.is_on() || referee.is_online()
}

/// Creates, joins and leaves games.
fn apply_actions(
    mut actions: MessageReader<OnlineAction>,
    mut online: ResMut<OnlineTable>,
    mut connections: NonSendMut<Connections>,
    (time, seats): (Res<Time<Real>>, Res<Seats>),
    mut notices: MessageWriter<Notify>,
) {
    for action in actions.read() {
        if let OnlineAction::Admit { code } = action {
            if let Some(Err(refusal)) = online.game.as_mut().map(|game| game.admit(code)) {
                notices.write(Notify(refused(&refusal)));
            }
            continue;
        }
        online.leave(&mut connections);
        match action {
            OnlineAction::Create { page, terms, side, name } => match socket_of_page(page) {
                Ok(address) => {
                    online.creating_since = Some(time.elapsed());
                    connections.creation = Some(Creation {
                        connection: Connection::to(address, wake),
                        page: page.clone(),
                        terms: *terms,
                        side: *side,
                        name: name.clone(),
                    });
                }
                Err(problem) => online.problem = Some(problem.message()),
            },
            OnlineAction::Join { link, name } => match link.parse() {
                Ok(link) => online.join(link, name, &seats, &mut connections),
                Err(problem) => online.problem = Some(problem.message()),
            },
            OnlineAction::Admit { .. } | OnlineAction::Leave => {}
        }
    }
}

/// Says why no game was joined, unless the dialog does.
fn report_problem(
    online: Res<OnlineTable>,
    open: Res<OpenDialog>,
    mut reported: Local<Option<LocalizedMessage>>,
    mut notices: MessageWriter<Notify>,
) {
    if *reported == online.problem {
        return;
    }
    reported.clone_from(&online.problem);
    if let Some(problem) = reported.clone().filter(|_| open.0 != Some(Dialog::Online)) {
        notices.write(Notify(Notice::new(problem, true)));
    }
}

/// Talks to the server, and plays what its log says.
fn run(
    mut online: ResMut<OnlineTable>,
    mut connections: NonSendMut<Connections>,
    mut referee: ResMut<Referee>,
    (time, motion, seats): (Res<Time<Real>>, Res<MotionStatus>, Res<Seats>),
    screen: Res<State<Screen>>,
    mut next: ResMut<NextState<Screen>>,
    (mut notices, mut actions): (MessageWriter<Notify>, MessageWriter<Action>),
    (mut requests, mut commands): (MessageReader<OnlineRequest>, MessageWriter<SceneCommand>),
) {
    let now = time.elapsed();
    let is_late = online.creation_time_left(now).is_some_and(|left| left.is_zero());
    if let Some(created) = connections.creation.as_ref().and_then(|creation| creation.poll(is_late))
    {
        online.finish_creation(created, &seats, &mut connections);
    }
    if let Some(connection) = &connections.game {
        // The rest waits for the next frame.
        for (incoming, age) in
            std::iter::from_fn(|| connection.receive_with_age()).take(MOST_MESSAGES)
        {
            let arrived = now.saturating_sub(age);
            notices.write_batch(online.take_in(&incoming, &seats, arrived).into_iter().map(Notify));
        }
        if online.bypass_change_detection().game.as_mut().is_some_and(|game| !game.tick(now)) {
            connection.reconnect();
        }
    }
    for request in requests.read() {
        if let Err(refusal) = online.request(request) {
            notices.write(Notify(refused(&refusal)));
        }
    }
    match (&connections.game, &mut online.bypass_change_detection().game) {
        // A server that refuses us, or is not trusted, is not asked again.
        (Some(_), Some(game)) if game.state() == OnlineState::Refused => connections.game = None,
        (Some(connection), Some(game)) => {
            game.outgoing().into_iter().for_each(|text| connection.send(text));
        }
        (_, None) => connections.game = None,
        (None, Some(_)) => {}
    }
    if referee.is_exercise() {
        return;
    }
    if online.round.is_some() && !referee.is_online() {
        // Another game has taken its place.
        online.leave(&mut connections);
        notices.write(Notify::info(LocalizedMessage::new("online.left")));
        return;
    }
    // Elsewhere the scene shows something else.
    let is_first = online.round.is_none();
    if online.is_ahead && !motion.is_busy() && (is_first || *screen.get() == Screen::Table) {
        let followed = online.follow(&mut referee);
        let begins = is_first && online.round.is_some();
        if begins && matches!(screen.get(), Screen::Replay | Screen::Editor) {
            // A changed replay is asked about first. The table is set up when it is shown.
            actions.write(UiAction::ShowTable.into());
        } else {
            commands.write_batch(followed);
            if begins {
                next.set(Screen::Table);
            }
        }
    }
    online.show_on(&mut referee, now);
}

impl OnlineTable {
    /// Sits down in the game that was created.
    fn finish_creation(
        &mut self,
        created: Result<[GameLink; 3], CreateError>,
        seats: &Seats,
        connections: &mut Connections,
    ) {
        self.creating_since = None;
        let Some(creation) = connections.creation.take() else { return };
        match created {
            Ok(links) => {
                let own = links[creation.side.index()].clone();
                self.links = Some(links);
                self.join(own, &creation.name, seats, connections);
            }
            Err(error) => {
                let message = LocalizedMessage::new("online.cannot-create");
                self.problem = Some(match error {
                    CreateError::Address(problem) => {
                        message.with_message("error", problem.message())
                    }
                    CreateError::Refused(refusal) => {
                        message.with_message("error", refusal.message())
                    }
                    CreateError::Network(why) if why.is_empty() => {
                        message.with_message("error", LocalizedMessage::new("online.no-answer"))
                    }
                    CreateError::Network(why) => message.with("error", why),
                });
            }
        }
    }

    /// Takes in what the connection reports; returns what the player must know.
    fn take_in(&mut self, incoming: &Incoming, seats: &Seats, now: Duration) -> Vec<Notice> {
        let Some(game) = &mut self.game else { return Vec::new() };
        let events = game.take_in(incoming, now);
        let mut notices = Vec::new();
        if let Incoming::Closed(why) = incoming
            && !std::mem::replace(&mut self.is_lost, true)
        {
            let message = if why.is_empty() {
                LocalizedMessage::new("online.lost-again")
            } else {
                LocalizedMessage::new("online.lost").with("error", why)
            };
            notices.push(Notice::new(message, true));
        }
        notices.extend(events.into_iter().filter_map(|event| self.tell(event, seats)));
        notices
    }

    /// Notes an event; returns what the player must know of it.
    fn tell(&mut self, event: OnlineEvent, seats: &Seats) -> Option<Notice> {
        let info = |key| Some(Notice::new(LocalizedMessage::new(key), false));
        match event {
            OnlineEvent::Connected => {
                self.is_ahead = true;
                self.save(seats);
                let was_lost = std::mem::take(&mut self.is_lost);
                if was_lost { info("online.back") } else { None }
            }
            OnlineEvent::Joined(_) | OnlineEvent::Played(_) => {
                self.is_ahead = true;
                None
            }
            OnlineEvent::Begun => {
                self.save(seats);
                self.is_ahead = true;
                self.is_other_present = true;
                info("online.begun")
            }
            OnlineEvent::Undone(_) => {
                self.is_ahead = true;
                info("online.undone")
            }
            OnlineEvent::Ended | OnlineEvent::Restarted => {
                self.is_ahead = true;
                self.save(seats);
                None
            }
            OnlineEvent::Offered(side, _) => {
                let is_own = self.game.as_ref().and_then(OnlineGame::side) == Some(side);
                if is_own { info("online.offered") } else { None }
            }
            OnlineEvent::Declined(_, _) => info("online.declined"),
            OnlineEvent::Presence => self.tell_presence(),
            OnlineEvent::Latency(_) => None,
            OnlineEvent::SeatAsked(code) => {
                let message = LocalizedMessage::new("online.seat-asked").with("code", code);
                let where_to = LocalizedMessage::new("online.seat-asked-menu");
                Some(Notice::new(message, true).joined_with(Notice::new(where_to, true)))
            }
            OnlineEvent::Refused(refusal) => {
                // A link that leads nowhere.
                if self.game.as_ref().is_some_and(|game| {
                    game.state() == OnlineState::Refused && game.session().is_none()
                }) {
                    *self = Self { problem: Some(refusal.message()), ..Self::default() };
                    return None;
                }
                Some(refused(&refusal))
            }
            OnlineEvent::Untrusted(why) => {
                let message = LocalizedMessage::new("online.untrusted").with("why", why);
                Some(Notice::new(message, true))
            }
            OnlineEvent::OtherSecret => {
                Some(Notice::new(LocalizedMessage::new("online.other-secret"), true))
            }
        }
    }

    /// Tells when the other player comes or goes.
    fn tell_presence(&mut self) -> Option<Notice> {
        let game = self.game.as_ref()?;
        let (session, other) = (game.session()?, game.side()?.other());
        let is_present = game.is_present(other);
        let has_begun = game.log().is_some_and(GameLog::has_begun);
        let was_present = std::mem::replace(&mut self.is_other_present, is_present);
        let key = if is_present { "online.is-here" } else { "online.is-away" };
        let message = LocalizedMessage::new(key).with("side", side_label(session.rules(), other));
        (has_begun && was_present != is_present).then(|| Notice::new(message, false))
    }

    /// Asks the server for something.
    fn request(&mut self, request: &OnlineRequest) -> Result<(), Refusal> {
        let game = self.game.as_mut().ok_or(Refusal::NotConnected)?;
        match request {
            OnlineRequest::Move(text) => game.send_move(text),
            OnlineRequest::Throw => game.throw(),
            OnlineRequest::Offer(offer) => game.offer(*offer),
            OnlineRequest::Answer(offer, accept) => game.answer(*offer, *accept),
            OnlineRequest::Resign => game.resign(),
        }
    }

    /// Brings the table one step nearer to the server's log.
    fn follow(&mut self, referee: &mut Referee) -> Option<SceneCommand> {
        let game = self.game.as_ref()?;
        let (log, mut theirs) = (game.log()?, game.table_session()?);
        let ours = referee.table.as_ref().filter(|_| self.round == Some(log.round()));
        let Some(ours) = ours.map(GameSession::history) else {
            self.round = Some(log.round());
            self.is_ahead = false;
            theirs.date(today());
            return Some(referee.set_game(theirs));
        };
        let both = ours.plies().zip(theirs.history().plies());
        let (common, own, all) = (
            both.take_while(|(own, other)| own == other).count(),
            ours.len(),
            theirs.history().len(),
        );
        if common < own || all > own + MOST_ANIMATED {
            self.is_ahead = false;
            return Some(referee.replace_online(theirs));
        }
        if let Some(ply) = theirs.history().ply(own + 1) {
            return referee.play_online(ply);
        }
        self.is_ahead = false;
        referee.update_online(&theirs);
        None
    }

    /// Shows on the table whether the player can act, what is offered, and the clocks.
    fn show_on(&self, referee: &mut ResMut<Referee>, now: Duration) {
        // A local game stays as it is until the online one is on the table.
        if referee.is_online() && referee.locked == self.is_free() {
            referee.locked = !self.is_free();
        }
        let Some(game) = &self.game else { return };
        if let Some(other) = game.side().map(Side::other) {
            let offers = game.open_offers();
            if !referee.has_asked_about(&offers) {
                referee.ask_about_offers(other, &offers);
            }
        }
        if !self.is_ahead
            && let [Some(first), Some(second)] = Side::BOTH.map(|side| game.time_left(side, now))
        {
            let running = game.clock_runs_for();
            referee.bypass_change_detection().show_online_clocks([first, second], running);
        }
    }
}

fn refused(refusal: &Refusal) -> Notice {
    Notice::refusal(LocalizedMessage::new("play.cannot").with_message("why", refusal.message()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::online::{GameId, Hash256, Referee, ServerMessage, Ticket, Token, VERSION};

    impl OnlineTable {
        /// A game without throws that was created here, before or after the
        /// other player has joined; spectators watch.
        pub(crate) fn with_game(rules: RuleSet, has_begun: bool) -> Self {
            let link = |is_spectator| {
                let ticket = Ticket { game: GameId::random(), token: Token::random() };
                let page = "https://boards.example.org/tabulae/";
                GameLink::new(page, ticket, is_spectator).expect("a page")
            };
            let links = [link(false), link(false), link(true)];
            let terms = Terms { rules, clock: "600+5".parse().ok() };
            let secret = Hash256([1; 32]);
            let mut entries = vec![Referee::created(terms, secret, 0)];
            let mut server = Referee::new(secret, &entries).expect("a game");
            for player in 0..=usize::from(has_begun) {
                let device = Hash256([4; 32]);
                for entry in server.enter(player, device, "Aili", 0).expect("a new player") {
                    server.apply(&entry).expect("valid");
                    entries.push(entry);
                }
            }
            let mut game = OnlineGame::new(links[0].clone(), "", Hash256([3; 32]));
            let messages = [
                ServerMessage::Welcome {
                    version: VERSION,
                    player: Some(0),
                    from: 0,
                    entries,
                    elapsed: 0,
                },
                ServerMessage::Presence { players: [true, has_begun], spectators: 12 },
            ];
            for message in messages {
                let text = serde_json::to_string(&message).expect("text");
                game.handle(&text, Duration::ZERO);
            }
            Self { game: Some(game), links: Some(links), ..Self::default() }
        }
    }

    #[test]
    fn a_server_is_waited_for_until_its_time_is_up() {
        let began = Duration::from_secs(7);
        let online = OnlineTable { creating_since: Some(began), ..OnlineTable::default() };
        let second = Duration::from_secs(1);
        assert_eq!(online.next_look(began + second), Some(CREATION_TIMEOUT - second));
        assert_eq!(online.next_look(began + CREATION_TIMEOUT), Some(Duration::ZERO));
        let left = online.creation_time_left(began + 2 * CREATION_TIMEOUT);
        assert_eq!(left, Some(Duration::ZERO));
        assert_eq!(OnlineTable::default().next_look(began), None);
    }
}
