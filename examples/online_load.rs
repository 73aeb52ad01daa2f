//! Plays many online games at once through a server and measures how long a ply takes
//! from one player to both: `cargo run --release --no-default-features --features
//! server --example online_load -- GAMES SECONDS`.

use std::{
    collections::BTreeMap,
    env,
    io::{self, BufRead, BufReader, ErrorKind},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tabulae::{
    games::{Game, RuleSet, Turn},
    online::{
        GameLink, Hash256, OnlineEvent, OnlineGame, OnlineState, Terms, connection::create_game,
    },
};
use tungstenite::{
    Error, Message, WebSocket,
    client::{IntoClientRequest, client_with_config},
    protocol::WebSocketConfig,
};

/// A player plays this long after the last ply.
const PAUSE: Duration = Duration::from_secs(5);
/// How often the connections of a game are read in which no ply is on its way.
const IDLE: Duration = Duration::from_millis(100);

struct Player {
    game: OnlineGame,
    socket: WebSocket<TcpStream>,
}

struct Table {
    players: [Player; 2],
    /// When the next ply is played.
    next: Instant,
    /// The ply that is on its way: when it was sent, and its number.
    sent: Option<(Instant, usize)>,
    /// When its connections were last read.
    read: Instant,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u64> = env::args().skip(1).map(|arg| arg.parse()).collect::<Result<_, _>>()?;
    let games = numbers.first().copied().unwrap_or(2_000);
    let time = Duration::from_secs(numbers.get(1).copied().unwrap_or(60));
    let folder = tempfile::tempdir()?;
    let (server, page) = start(&folder.path().join("games.db"))?;
    let server = KillAtEnd(server);
    let idle = memory(server.0.id());
    let started = Instant::now();
    let mut tables = Vec::new();
    for number in 0..games {
        // Seated over the pause, so that the plies are spread.
        let rules = RuleSet::ALL[usize::try_from(number)? % RuleSet::ALL.len()];
        let [one, two, _] = create_game(&page, Terms { rules, clock: "6000".parse().ok() })?;
        let players = [Player::join(&one, started)?, Player::join(&two, started)?];
        let offset = PAUSE.mul_f64(number as f64 / games as f64);
        let (next, read) = (started + offset, started);
        tables.push(Table { players, next, sent: None, read });
        for table in tables.iter_mut().rev().take(50) {
            table.step(started, &mut Vec::new(), false)?;
        }
    }
    println!("{games} games created and joined in {:.1} s", started.elapsed().as_secs_f64());
    let full = memory(server.0.id());
    let begin = Instant::now();
    for (number, table) in tables.iter_mut().enumerate() {
        table.next = begin + PAUSE.mul_f64(number as f64 / games as f64);
    }
    let mut latencies = Vec::new();
    let used = processor_time(server.0.id());
    while begin.elapsed() < time {
        for table in &mut tables {
            table.step(started, &mut latencies, true)?;
        }
        thread::sleep(Duration::from_millis(1));
    }
    let used = processor_time(server.0.id()).saturating_sub(used);
    let share = 100.0 * used.as_secs_f64() / begin.elapsed().as_secs_f64();
    latencies.sort_unstable();
    let at = |share: f64| {
        let place = (latencies.len() as f64 * share) as usize;
        latencies
            .get(place.min(latencies.len().saturating_sub(1)))
            .map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    let after = memory(server.0.id());
    let plies = latencies.len();
    println!("{plies} plies in {:.0} s", begin.elapsed().as_secs_f64());
    println!(
        "ms: median {:.1}, 90 % {:.1}, 99 % {:.1}, most {:.1}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    println!("processor time of the server: {share:.1} % of one core");
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load of the machine: {}", load.trim());
    println!("memory of the server, KiB: {idle} idle, {full} full, {after} at the end");
    println!("KiB a game: {:.1}", (after.saturating_sub(idle)) as f64 / games as f64);
    let mut states = BTreeMap::new();
    for table in &tables {
        *states.entry(format!("{:?}", table.players[0].game.state())).or_insert(0) += 1;
    }
    println!("{states:?}");
    Ok(())
}

struct KillAtEnd(Child);

impl Drop for KillAtEnd {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// Starts the server that was built beside this program.
fn start(store: &Path) -> io::Result<(Child, String)> {
    let program = env::current_exe()?;
    let folder = program.parent().and_then(Path::parent).ok_or(ErrorKind::NotFound)?;
    let mut child = Command::new(folder.join("tabulae"))
        .args(["serve", "--listen", "127.0.0.1:0", "--per-address", "100000"])
        .args(["--max-connections", "100000"])
        .env("TABULAE_STORE", format!("sqlite:{}", store.display()))
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    if let Some(stdout) = child.stdout.take() {
        BufReader::new(stdout).read_line(&mut line)?;
    }
    let page = line.trim().strip_prefix("listening on ").unwrap_or_default().to_owned();
    Ok((child, page))
}

/// The resident memory of a process in KiB, where Linux says it.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// The processor time of a process, where Linux says it in hundredths of a second.
fn processor_time(process: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Behind the name, which may have spaces: 11 fields, then user and system time.
    let times = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
    let ticks: u64 = times.filter_map(|time| time.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

impl Player {
    fn join(link: &GameLink, started: Instant) -> Result<Self, Box<dyn std::error::Error>> {
        let address = link.socket_address();
        let host = address.trim_start_matches("ws://").split('/').next().unwrap_or_default();
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default().read_buffer_size(4096);
        let request = address.as_str().into_client_request()?;
        let (socket, _) =
            client_with_config(request, stream, Some(config)).map_err(|error| error.to_string())?;
        socket.get_ref().set_nonblocking(true)?;
        let mut game = OnlineGame::new(link.clone(), "", Hash256::random());
        game.opened(started.elapsed());
        Ok(Self { game, socket })
    }

    /// Takes in what has arrived; returns whether a ply was played.
    fn receive(&mut self, now: Duration) -> Result<bool, Error> {
        let mut played = false;
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    for event in self.game.handle(&text, now) {
                        played |= matches!(event, OnlineEvent::Played(_));
                    }
                }
                Ok(_) => {}
                Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        self.send()?;
        Ok(played)
    }

    fn send(&mut self) -> Result<(), Error> {
        for text in self.game.outgoing() {
            self.socket.send(Message::text(text))?;
        }
        Ok(())
    }
}

impl Table {
    fn step(
        &mut self,
        started: Instant,
        latencies: &mut Vec<Duration>,
        plays: bool,
    ) -> Result<(), Error> {
        if plays && self.sent.is_none() && Instant::now() < self.next && self.read.elapsed() < IDLE
        {
            return Ok(());
        }
        self.read = Instant::now();
        for player in &mut self.players {
            player.receive(started.elapsed())?;
        }
        let plies =
            |player: &Player| player.game.session().map_or(0, |session| session.history().len());
        if let Some((sent, number)) = self.sent {
            if self.players.iter().all(|player| plies(player) >= number) {
                latencies.push(sent.elapsed());
                self.sent = None;
                self.next += PAUSE;
            }
        } else if plays && Instant::now() >= self.next {
            let number = plies(&self.players[0]) + 1;
            for player in &mut self.players {
                if player.game.state() != OnlineState::Playing {
                    continue;
                }
                let side = player.game.side();
                if player.game.may_throw() {
                    _ = player.game.throw();
                } else if let Some(session) = player.game.session()
                    && session.turn() == side.map(Turn::Move)
                {
                    let history = session.history();
                    let legal = history.legal_moves();
                    let text = history.position().notation(legal[number * 7919 % legal.len()]);
                    _ = player.game.send_move(&text);
                } else {
                    continue;
                }
                self.sent = Some((Instant::now(), number));
                player.send()?;
                break;
            }
        }
        Ok(())
    }
}
