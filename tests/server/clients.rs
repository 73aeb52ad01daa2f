//! Servers as processes, and scripted clients.

use std::{
    fmt,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use tabulae_games::{Game, RuleSet, Turn};
use tabulae_online::{
    GameLink, Hash256, Incoming, OnlineEvent, OnlineGame, OnlineState, Terms,
    connection::{Connection, create_game},
};

/// After so many plies a player resigns: random moves in Tablut lead nowhere.
const LONGEST: usize = 400;

/// A server's process, killed at the end.
pub(crate) struct Server {
    child: Child,
    pub(crate) page: String,
    store: String,
}

impl Server {
    pub(crate) fn start(store: &str) -> Self {
        Self::start_at("127.0.0.1:0", store, None)
    }

    /// Starts one with more arguments.
    pub(crate) fn start_with(store: &str, more: impl IntoIterator<Item = PathBuf>) -> Self {
        Self::start_at("127.0.0.1:0", store, more)
    }

    fn start_at(address: &str, store: &str, more: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut command = Self::command(address);
        command.args(["--per-address", "5000"]).args(more);
        Self::run(command, store)
    }

    /// The command of a server that keeps to its usual limits.
    pub(crate) fn command(address: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tabulae"));
        command.args(["serve", "--listen", address]);
        command
    }

    /// Runs the command of a server until it is ready.
    pub(crate) fn run(mut command: Command, store: &str) -> Self {
        let command = command.env("TABULAE_STORE", store).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("stdout");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let page = line.trim().strip_prefix("listening on ").expect("an address");
        Self { child, page: format!("{page}/"), store: store.to_owned() }
    }

    /// A new file, removed by the system one day.
    pub(crate) fn temporary_store() -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let file = folder.join(format!("online-{}-{number}.db", std::process::id()));
        format!("sqlite:{}", file.display())
    }

    /// The address and port of its socket.
    pub(crate) fn address(&self) -> &str {
        let (_, address) = self.page.split_once("://").expect("a page");
        address.trim_end_matches('/')
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills the process as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Tells the process to stop, and waits until it has.
    pub(crate) fn stop(&mut self) {
        let told = Command::new("kill").arg(self.id().to_string()).status();
        assert!(told.is_ok_and(|status| status.success()));
        assert!(self.child.wait().expect("it ends").success());
    }

    /// Kills it and starts another at the same address.
    pub(crate) fn kill_and_restart(&mut self) {
        self.kill();
        let address = self.address().to_owned();
        let again = Self::start_at(&address, &self.store, None);
        // The old process is gone; its file stays.
        let mut old = std::mem::replace(self, again);
        old.store.clear();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
        if let Some(file) = self.store.strip_prefix("sqlite:") {
            for ending in ["", "-wal", "-shm", ".lock"] {
                _ = std::fs::remove_file(format!("{file}{ending}"));
            }
        }
    }
}

pub(crate) fn create(server: &Server, rules: RuleSet, clock: Option<&str>) -> [GameLink; 3] {
    let clock = clock.map(|text| text.parse().expect("a clock"));
    create_game(&server.page, Terms { rules, clock }).expect("a game")
}

/// A player or spectator who plays whatever is legal.
pub(crate) struct Player {
    link: GameLink,
    secret: Hash256,
    connection: Option<Connection>,
    pub(crate) game: OnlineGame,
    started: Instant,
    plays: bool,
    /// The number of moves tried, which chooses them.
    tried: usize,
    /// Every ply that was shown, in order.
    pub(crate) seen: Vec<String>,
    /// How many of the plies of this start have been compared with them.
    compared: usize,
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.game.session().map(|session| session.history().len());
        write!(f, "{:?} {:?} {plies:?}", self.game.side(), self.game.state())
    }
}

impl Player {
    pub(crate) fn new(link: &GameLink) -> Self {
        let secret = Hash256::random();
        Self {
            link: link.clone(),
            secret,
            connection: Some(Connection::open(link)),
            game: OnlineGame::new(link.clone(), "", secret),
            started: Instant::now(),
            plays: true,
            tried: 0,
            seen: Vec::new(),
            compared: 0,
        }
    }

    /// One that only watches what happens.
    pub(crate) fn idle(link: &GameLink) -> Self {
        Self { plays: false, ..Self::new(link) }
    }

    pub(crate) fn disconnect(&mut self) {
        self.connection = None;
    }

    pub(crate) fn is_disconnected(&self) -> bool {
        self.connection.is_none()
    }

    /// Goes on with nothing but the link and the secret, as a program that was killed.
    pub(crate) fn kill_and_restart(&mut self) {
        self.connection = Some(Connection::open(&self.link));
        self.game = OnlineGame::new(self.link.clone(), "", self.secret);
        self.compared = 0;
    }

    /// Goes on at another server.
    pub(crate) fn move_to(&mut self, page: &str) {
        let ticket = self.link.ticket;
        self.link = GameLink::new(page, ticket, self.link.is_spectator).expect("a page");
        self.connection = Some(Connection::open(&self.link));
        self.game.closed();
    }

    /// Takes in what has arrived, and plays if it is its turn.
    pub(crate) fn step(&mut self) {
        let now = self.started.elapsed();
        let Some(connection) = self.connection.take() else { return };
        let mut next = connection.wait(Duration::from_millis(1));
        while let Some(incoming) = next {
            match incoming {
                Incoming::Opened => self.game.opened(now),
                Incoming::Closed(_) => self.game.closed(),
                Incoming::Text(text) => {
                    for event in self.game.handle(&text, now) {
                        let untrusted = matches!(event, OnlineEvent::Untrusted(_));
                        assert!(!untrusted, "{event:?}");
                    }
                }
            }
            next = connection.receive();
        }
        self.game.tick(now);
        if self.game.state() == OnlineState::Playing && self.plays && !self.game.is_move_pending() {
            self.play();
        }
        for text in self.game.outgoing() {
            connection.send(text);
        }
        self.connection = Some(connection);
        self.note();
    }

    fn play(&mut self) {
        let Some(side) = self.game.side() else { return };
        if self.game.may_throw() {
            self.game.throw().expect("a throw is due");
            return;
        }
        let session = self.game.session().expect("a game");
        if session.turn() == Some(Turn::Move(side)) {
            let history = session.history();
            if history.len() >= LONGEST {
                self.game.resign().expect("a game");
                return;
            }
            let legal = history.legal_moves();
            let mv = legal[(self.tried * 7919) % legal.len()];
            let text = history.position().notation(mv);
            self.tried += 1;
            self.game.send_move(&text).expect("a legal move");
        }
    }

    /// Notes what is shown: what was once seen may never change.
    fn note(&mut self) {
        let Some(session) = self.game.session() else { return };
        let history = session.history();
        for number in self.compared + 1..=history.len() {
            let text = history.notation(number).expect("a ply");
            match self.seen.get(number - 1) {
                Some(seen) => assert_eq!(*seen, text, "ply {number} has changed"),
                None => self.seen.push(text),
            }
        }
        self.compared = history.len();
    }
}
