//! Playing with a person elsewhere: two programs and a spectator at a server of this
//! test, over real connections.

use std::{
    collections::VecDeque,
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Instant,
};

use super::*;
use tabulae::{
    app::{
        core::actions::OnlineAction,
        game::{online::OnlineTable, referee::Question},
    },
    online::{
        ClientMessage, Entry, GameId, GameLink, Hash256, NewLinks, Offer, OnlineGame, OnlineState,
        Referee as ServersReferee, Refusal, ServerMessage, Terms, Ticket, Token, VERSION,
        verify_throws,
    },
    session::GameSession,
};
use tungstenite::{Message, accept};

/// A server with one game at most.
struct Server {
    page: String,
    state: Arc<Mutex<ServerState>>,
}

#[derive(Default)]
struct ServerState {
    game: Option<ServersReferee>,
    entries: Vec<Entry>,
    tickets: Vec<Ticket>,
    /// Of each connection: the player, and what it has not been sent.
    peers: Vec<(Option<usize>, VecDeque<ServerMessage>)>,
    /// Connections before this one are ended.
    first_alive: usize,
}

impl ServerState {
    fn add(&mut self, new: Vec<Entry>) {
        let from = self.entries.len();
        let game = self.game.as_mut().expect("a game");
        new.iter().for_each(|entry| game.apply(entry).expect("valid"));
        for (_, queue) in &mut self.peers {
            queue.push_back(ServerMessage::Entries { from, entries: new.clone(), elapsed: 0 });
        }
        self.entries.extend(new);
    }

    fn tell_presence(&mut self) {
        let (alive, first) = (self.peers.len(), self.first_alive);
        let is_here =
            |player: usize| self.peers[first..alive].iter().any(|(it, _)| *it == Some(player));
        let players = [0, 1].map(is_here);
        let spectators = self.peers[first..].iter().filter(|(player, _)| player.is_none()).count();
        for (_, queue) in &mut self.peers {
            queue.push_back(ServerMessage::Presence { players, spectators });
        }
    }

    /// What a connection says; returns its number once it has greeted.
    #[expect(clippy::result_large_err, reason = "it is sent at once")]
    fn take_in(
        &mut self,
        peer: Option<usize>,
        message: ClientMessage,
    ) -> Result<usize, ServerMessage> {
        match (message, peer) {
            (ClientMessage::Create { terms, .. }, None) => {
                let (secret, game) = (Hash256::random(), GameId::random());
                self.entries = vec![ServersReferee::created(terms, secret, 0)];
                self.game = Some(ServersReferee::new(secret, &self.entries).expect("a game"));
                self.tickets = (0..3).map(|_| Ticket { game, token: Token::random() }).collect();
                let texts = [0, 1, 2].map(|index: usize| self.tickets[index].to_string());
                let [one, two, watch] = texts;
                Err(ServerMessage::Created { links: NewLinks { seats: [one, two], watch } })
            }
            (ClientMessage::Hello { ticket, since, name, device, .. }, None) => {
                let place = self.tickets.iter().position(|known| known.to_string() == ticket);
                let Some(place) = place else {
                    let refusal = Refusal::UnknownLink;
                    let (reason, message) = (refusal.to_string(), None);
                    return Err(ServerMessage::Refused { refusal, reason, message });
                };
                let player = (place < 2).then_some(place);
                let game = self.game.as_ref().expect("a game");
                if let Some((player, device)) = player.zip(device) {
                    self.add(game.enter(player, device.hashed(), &name, 0).expect("its own seat"));
                }
                let (entries, from) = (self.entries[since..].to_vec(), since);
                let welcome =
                    ServerMessage::Welcome { version: VERSION, player, from, entries, elapsed: 0 };
                self.peers.push((player, [welcome].into()));
                self.tell_presence();
                Ok(self.peers.len() - 1)
            }
            (ClientMessage::Ping { id }, Some(peer)) => {
                self.peers[peer].1.push_back(ServerMessage::Pong { id });
                Ok(peer)
            }
            (message, Some(peer)) => {
                let player = self.peers[peer].0.expect("spectators ask for nothing");
                let game = self.game.as_ref().expect("a game");
                match game.answer(player, &message, 0, 0) {
                    Ok(new) => self.add(new),
                    Err(refusal) => {
                        let reason = refusal.to_string();
                        self.peers[peer].1.push_back(ServerMessage::Refused {
                            refusal,
                            reason,
                            message: None,
                        });
                    }
                }
                Ok(peer)
            }
            (message, None) => panic!("{message:?} before a greeting"),
        }
    }
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let page = format!("http://{}/", listener.local_addr().expect("an address"));
        let state = Arc::new(Mutex::new(ServerState::default()));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, shared) = (stream.expect("a connection"), Arc::clone(&shared));
                thread::spawn(move || serve(stream, &shared));
            }
        });
        Self { page, state }
    }

    fn link(&self, place: usize) -> String {
        let ticket = self.state.lock().expect("a state").tickets[place];
        GameLink::new(&self.page, ticket, place == 2).expect("a link").to_string()
    }

    /// How many connections are alive.
    fn connections(&self) -> usize {
        let state = self.state.lock().expect("a state");
        state.peers.len() - state.first_alive
    }

    /// Ends all connections.
    fn cut(&self) {
        let mut state = self.state.lock().expect("a state");
        state.first_alive = state.peers.len();
    }
}

fn serve(stream: TcpStream, state: &Mutex<ServerState>) {
    let Ok(mut socket) = accept(stream) else { return };
    // Not before: a greeting that is slow to arrive is waited for.
    socket.get_ref().set_read_timeout(Some(Duration::from_millis(2))).expect("a timeout");
    let send =
        |message: &ServerMessage| Message::text(serde_json::to_string(message).expect("text"));
    let mut peer = None;
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => {
                let message = serde_json::from_str(&text).expect("a client's message");
                let taken = state.lock().expect("a state").take_in(peer, message);
                match taken {
                    Ok(number) => peer = Some(number),
                    Err(last) => {
                        _ = socket.send(send(&last));
                        _ = socket.close(None);
                    }
                }
            }
            Err(tungstenite::Error::Io(error))
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) => {}
            Ok(_) => {}
            Err(_) => return,
        }
        let Some(peer) = peer else { continue };
        let messages = {
            let mut state = state.lock().expect("a state");
            if peer < state.first_alive {
                return;
            }
            std::mem::take(&mut state.peers[peer].1)
        };
        if messages.iter().any(|message| socket.send(send(message)).is_err()) {
            return;
        }
    }
}

/// Runs all programs until `done` is true of each.
fn wait_for(programs: &mut [&mut Headless], what: &str, done: impl Fn(&Headless) -> bool) {
    let start = Instant::now();
    while !programs.iter().all(|program| done(program)) {
        assert!(start.elapsed() < Duration::from_secs(90), "{what}");
        programs.iter_mut().for_each(|program| program.app.update());
        thread::yield_now();
    }
}

fn online(program: &Headless) -> &OnlineTable {
    program.get::<OnlineTable>()
}

fn is(state: OnlineState) -> impl Fn(&Headless) -> bool {
    move |program| online(program).state() == Some(state)
}

/// Whether a program shows so many plies, and nothing moves any more.
fn shows(plies: usize) -> impl Fn(&Headless) -> bool {
    move |program| {
        let table = program.referee().table.as_ref();
        !program.get::<MotionStatus>().is_busy()
            && table.is_some_and(|table| table.history().len() == plies)
            && online(program)
                .game()
                .and_then(OnlineGame::session)
                .map(|session| session.history().len())
                == Some(plies)
    }
}

fn program() -> Headless {
    let mut program = Headless::new(SIZE);
    speed_up(&mut program);
    program
}

fn create(program: &mut Headless, server: &Server, rules: RuleSet) {
    let terms = Terms { rules, clock: Some("600+5".parse().expect("a clock")) };
    let (page, name) = (server.page.clone(), "Aili".to_owned());
    program.act(OnlineAction::Create { page, terms, side: Side::First, name });
    wait_for(&mut [program], "the game is created", is(OnlineState::Waiting));
}

fn join(program: &mut Headless, link: String) {
    program.act(OnlineAction::Join { link, name: "Bruno".to_owned() });
}

/// The second player and the spectator come to the table of the first.
fn begin(programs: &mut [&mut Headless; 3], server: &Server) {
    join(programs[1], server.link(1));
    join(programs[2], server.link(2));
    wait_for(programs, "it begins", is(OnlineState::Playing));
    wait_for(programs, "it is shown", shows(0));
    // Each player looks from the own side; the camera needs a moment.
    programs.iter_mut().for_each(|program| program.frames(60));
}

/// Whose turn it is on the server.
fn actor(server: &Server) -> Option<Turn> {
    let state = server.state.lock().expect("a state");
    state.game.as_ref().and_then(|game| game.log().session().turn())
}

/// Plays so many plies by clicks, or to the end, and returns the number of plies.
fn play(server: &Server, programs: &mut [&mut Headless; 3], most: usize) -> usize {
    let mut plies = 0;
    while plies < most
        && let Some(turn) = actor(server)
    {
        let side = turn.side().expect("a side");
        wait_for(&mut programs[..], "it can go on", |program| {
            let own = online(program).game().and_then(OnlineGame::side) == Some(side);
            shows(plies)(program)
                && (!own || program.referee().awaits_move() || program.referee().awaits_throw())
        });
        let program = &mut programs[side.index()];
        if matches!(turn, Turn::Throw(_)) {
            program.act(GameAction::Throw);
        } else {
            // A spread choice that comes to an end in every game.
            let moves = program.referee().legal_moves().to_vec();
            click_move(program, moves[(plies * 7 + 3) % moves.len()], plies);
        }
        plies += 1;
        wait_for(&mut programs[..], "the ply arrives", shows(plies));
    }
    plies
}

#[test]
fn all_games_are_played_by_clicks_at_two_tables_with_a_spectator() {
    for rules in [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza] {
        let server = Server::start();
        let [mut one, mut two, mut watch] = [(); 3].map(|()| program());
        create(&mut one, &server, rules);
        assert_eq!(online(&one).invitation().map(ToString::to_string), Some(server.link(1)));
        assert_eq!(online(&one).spectator_link().map(ToString::to_string), Some(server.link(2)));
        wait_for(&mut [&mut one], "the table", |program| {
            program.screen() == Screen::Table && shows(0)(program)
        });
        assert!(!one.referee().awaits_move(), "nobody plays alone");
        let mut programs = [&mut one, &mut two, &mut watch];
        begin(&mut programs, &server);
        let near =
            |program: &mut Headless, square: &str| program.square_position(self::square(square)).y;
        assert!(near(programs[0], "a1") > near(programs[0], "a4"));
        assert!(near(programs[1], "a1") < near(programs[1], "a4"));
        let seats = programs.each_ref().map(|program| program.table().seats());
        let [first, second] = [[Seat::Person, Seat::Remote], [Seat::Remote, Seat::Person]];
        assert_eq!(seats, [first, second, [Seat::Remote; 2]]);
        assert_eq!(programs[1].table().names(), &["Aili".to_owned(), "Bruno".to_owned()]);
        let plies = play(&server, &mut programs, 24);
        // Nothing in between is lost when all connections are cut.
        server.cut();
        wait_for(&mut programs, "all are back", |program| {
            server.connections() == 3 && is(OnlineState::Playing)(program)
        });
        if actor(&server).is_some() {
            programs[0].act(GameAction::Resign);
        }
        wait_for(&mut programs, "it is over", |program| program.table().outcome().is_some());
        let state = server.state.lock().expect("a state");
        let record = state.game.as_ref().expect("a game").log().record(None);
        assert!(verify_throws(&record).is_ok());
        for program in programs {
            let table = program.table();
            assert_eq!(table.history().len(), plies);
            let own = table.record(None);
            assert_eq!(
                own.history().plies().collect::<Vec<_>>(),
                record.history().plies().collect::<Vec<_>>()
            );
            assert_eq!(verify_throws(&own), verify_throws(&record), "{rules}: it has the proof");
            check_scene(program, &record.history().position().clone());
        }
    }
}

#[test]
fn the_sticks_are_thrown_for_who_wants_it_in_an_online_game_too() {
    let server = Server::start();
    let [mut one, mut two] = [(); 2].map(|()| program());
    for program in [&mut one, &mut two] {
        let settings = program.get::<Settings>().clone();
        program.change_settings(Settings { automatic_throws: true, ..settings });
    }
    create(&mut one, &server, RuleSet::Tablan);
    wait_for(&mut [&mut one], "the table", shows(0));
    join(&mut two, server.link(1));
    wait_for(&mut [&mut one, &mut two], "a move is due", |program| {
        let table = program.referee().table.as_ref();
        matches!(table.and_then(GameSession::turn), Some(Turn::Move(_)))
    });
}

#[test]
fn offers_are_questions_and_their_answers_reach_both_tables() {
    let server = Server::start();
    let [mut one, mut two, mut watch] = [(); 3].map(|()| program());
    create(&mut one, &server, RuleSet::TablutAshton);
    let mut programs = [&mut one, &mut two, &mut watch];
    begin(&mut programs, &server);
    assert!(
        programs.iter().all(|program| program.table().clock_runs_for().is_none()),
        "no ply is played"
    );
    play(&server, &mut programs, 2);
    wait_for(&mut programs, "the server's clock runs", |program| {
        program.table().clock_runs_for() == Some(Side::First)
    });
    let asks = |program: &Headless| program.referee().question.is_some();
    let offer = |programs: &mut [&mut Headless; 3], from: usize, action: GameAction| {
        programs[from].act(action);
        let answers = &mut programs[1 - from];
        let start = Instant::now();
        while !asks(answers) {
            assert!(start.elapsed() < Duration::from_secs(90), "no question");
            answers.app.update();
        }
        assert!(answers.referee().question.as_ref().is_some_and(Question::must_be_answered));
    };
    // An undo, declined, then accepted.
    offer(&mut programs, 1, GameAction::Undo);
    programs[0].act(GameAction::Answer(1));
    wait_for(&mut programs, "it is declined", |program| {
        let log = online(program).game().and_then(OnlineGame::log).expect("a log");
        log.offers(Side::Second).is_empty()
    });
    assert_eq!(programs[0].table().history().len(), 2);
    let is_refused = |program: &Headless| program.notice().is_some_and(|notice| notice.is_refusal);
    programs[1].act(GameAction::Undo);
    wait_for(&mut programs[1..2], "the same cannot be asked again", is_refused);
    // A move declines an offer.
    offer(&mut programs, 1, GameAction::OfferDraw);
    let mv = programs[0].referee().legal_moves()[0];
    for square in &click_sequences(&mv)[0] {
        let at = programs[0].hover(*square);
        programs[0].click_at(at, MouseButton::Left);
    }
    wait_for(&mut programs, "the move is played", shows(3));
    wait_for(&mut programs, "nothing is asked", |program| program.referee().question.is_none());
    offer(&mut programs, 0, GameAction::Undo);
    programs[1].act(GameAction::Answer(0));
    wait_for(&mut programs, "the move is undone", shows(2));
    // A draw, then a rematch with the sides swapped.
    offer(&mut programs, 0, GameAction::OfferDraw);
    assert!(!is_refused(programs[0]), "it is offered once");
    programs[1].act(GameAction::Answer(0));
    wait_for(&mut programs, "a draw", |program| program.table().outcome() == Some(Outcome::Agreed));
    offer(&mut programs, 0, GameAction::Rematch);
    programs[1].act(GameAction::Answer(0));
    wait_for(&mut programs, "the rematch", |program| {
        is(OnlineState::Playing)(program) && shows(0)(program)
    });
    assert_eq!(programs[0].table().seats(), [Seat::Remote, Seat::Person]);
    assert_eq!(programs[0].table().names(), &["Bruno".to_owned(), "Aili".to_owned()]);
    let own = |log: Option<Side>| log == Some(Side::Second);
    assert!(own(online(programs[0]).game().and_then(OnlineGame::side)));
    let offers = online(programs[1]).game().and_then(OnlineGame::log).expect("a log");
    assert!(!offers.offers(Side::Second).contains(&Offer::Rematch));
}

#[test]
fn a_changed_replay_is_asked_about_once_before_a_game_is_joined() {
    let server = Server::start();
    let (mut one, mut two) = (program(), super::replays::changed_replay());
    create(&mut one, &server, RuleSet::Tablaaza);
    let ticket = Ticket { game: GameId::random(), token: Token::random() };
    let wrong = GameLink::new(&server.page, ticket, false).expect("a link").to_string();
    two.act(ReplayAction::DiscardChanges);
    join(&mut two, wrong);
    wait_for(&mut [&mut two], "it is refused", |program| online(program).problem().is_some());
    join(&mut two, server.link(1));
    two.frames(5);
    assert!(online(&two).game().is_none(), "the changes are still there and asked about");
    two.act(ReplayAction::DiscardChanges);
    join(&mut two, server.link(1));
    wait_for(&mut [&mut one, &mut two], "it begins", is(OnlineState::Playing));
    wait_for(&mut [&mut two], "its table", |program| {
        program.screen() == Screen::Table && shows(0)(program)
    });
    assert!(!two.get::<Replay>().is_unsaved());
}

#[test]
fn there_is_no_help_online_and_wrong_links_are_named() {
    let server = Server::start();
    let [mut one, mut two] = [(); 2].map(|()| program());
    let wrong = "https://play.example/".to_owned();
    join(&mut one, wrong);
    assert!(online(&one).problem().is_some() && online(&one).game().is_none());
    wait_for(&mut [&mut one], "it says why without the dialog", |program| {
        program.notice().is_some()
    });
    create(&mut one, &server, RuleSet::Tablaaza);
    // A seat of another game.
    let ticket = Ticket { game: GameId::random(), token: Token::random() };
    join(&mut two, GameLink::new(&server.page, ticket, false).expect("a link").to_string());
    wait_for(&mut [&mut two], "it is refused", |program| online(program).problem().is_some());
    assert!(online(&two).game().is_none() && two.referee().table.is_none());
    join(&mut two, server.link(1));
    wait_for(&mut [&mut one, &mut two], "it begins", is(OnlineState::Playing));
    wait_for(&mut [&mut one, &mut two], "it is shown", |program| {
        !program.referee().locked || program.table().seats()[0] == Seat::Remote
    });
    for action in
        [ViewAction::ToggleEvaluation, ViewAction::ToggleThreats, ViewAction::ToggleAnalysis]
    {
        one.act(action);
    }
    one.act(GameAction::Hint);
    let shown = |analysis: &Analysis| {
        [analysis.enabled, analysis.show_evaluation, analysis.show_threats, analysis.hint_pending]
    };
    assert_eq!(shown(one.analysis()), [false; 4]);
    assert!(one.notice().is_some(), "it says why");
    // Nor is there any in a replay of the game.
    one.act(GameAction::TypeMove("c7".to_owned()));
    wait_for(&mut [&mut one, &mut two], "the move", |program| program.table().history().len() == 1);
    one.perform(ReplayAction::WatchGame);
    assert_eq!(one.screen(), Screen::Replay);
    one.act(ViewAction::ToggleAnalysis);
    one.act(ViewAction::ToggleEvaluation);
    assert_eq!(shown(one.analysis()), [false; 4]);
    one.act(UiAction::ShowTable);
    // Another game takes its place; the seat can be taken again.
    one.act(GameAction::NewGame(two_people(RuleSet::Tablaaza, 1)));
    one.frames(5);
    assert!(online(&one).game().is_none() && !one.table().is_online());
    join(&mut one, server.link(0));
    wait_for(&mut [&mut one, &mut two], "it goes on", |program| {
        is(OnlineState::Playing)(program) && program.table().is_online()
    });
    assert_eq!(one.table().rules(), RuleSet::Tablaaza);
    let _: &GameSession = one.table();
}

#[test]
fn a_server_that_does_not_answer_is_named_and_an_idle_game_draws_nothing() {
    let mut one = program();
    // Nobody listens on this port any more.
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let page = format!("http://{}/", listener.local_addr().expect("an address"));
    drop(listener);
    let terms = Terms { rules: RuleSet::Tablaaza, clock: None };
    let create = OnlineAction::Create { page, terms, side: Side::First, name: String::new() };
    one.act(create);
    wait_for(&mut [&mut one], "an error", |program| online(program).problem().is_some());
    assert!(!online(&one).is_creating());
    // A game that was on the table goes on.
    one.act(GameAction::NewGame(two_people(RuleSet::Tablaaza, 1)));
    one.act(OnlineAction::Join { link: "nonsense".to_owned(), name: String::new() });
    one.act(OnlineAction::Create {
        page: "http://127.0.0.1:9/".to_owned(),
        terms,
        side: Side::First,
        name: String::new(),
    });
    wait_for(&mut [&mut one], "an error", |program| online(program).problem().is_some());
    assert!(one.referee().awaits_move());

    let server = Server::start();
    let mut two = program();
    super::online::create(&mut one, &server, RuleSet::Tablaaza);
    join(&mut two, server.link(1));
    wait_for(&mut [&mut one, &mut two], "it begins", |program| {
        is(OnlineState::Playing)(program) && shows(0)(program)
    });
    one.frames(60);
    check_rest(&mut one, "an online game");
}
