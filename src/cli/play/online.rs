//! `tabulae play --join`: an online game in a terminal.

use std::{
    io::Stdout,
    sync::mpsc::{Receiver, TryRecvError, sync_channel},
    thread,
};

use super::{
    Args, BoardTerminal, CommandError, Dialogue, Lines, Saving, Screen, converse, join_sentences,
    stdout,
};
use crate::{
    cli::{
        board::{english_word, print_moves},
        prelude::*,
        screen::stdout_as_file,
    },
    online::{
        GameLink, GameStatus, Incoming, Offer, OnlineEvent, OnlineGame, OnlineState, Refusal,
        SavedSeat, SeatStore, Standing, Terms, calendar,
        connection::{Connection, ask, create_game},
        describe_status, read_status, status_message,
    },
    session::format_clock,
};

/// How long it waits for the server before it looks at the input.
const TURN: Duration = Duration::from_millis(20);
/// The most messages that are taken in before the input is looked at.
const MOST_MESSAGES: usize = 64;
/// Lines that wait to be carried out; further ones are not read yet.
const WAITING_LINES: usize = 64;

/// Plays the game of a link, or a new one.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let failed = |text: String| CommandError::Failed(text);
    let mut out = stdout();
    if args.mine {
        return Ok(list_games(&mut out, &SeatStore::of_user(), args.calendar)?);
    }
    let seats = SeatStore::of_user();
    let (link, links) = match (&args.join, &args.invite, args.rules) {
        (Some(link), _, _) => {
            let link = link.parse::<GameLink>();
            let link = link.map_err(|error| failed(error.message().localized()))?;
            let links = seats.links(&link);
            (link, links)
        }
        (None, Some(page), Some(rules)) => {
            let terms = Terms { rules, clock: args.clock };
            let links = create_game(page, terms).map_err(|error| {
                let error = on_one_line(&error.to_string());
                failed(tr_args("online.cannot-create", &[("error", &error)]))
            })?;
            let [own, other, watch] = &links;
            writeln!(out, "{}\n{own}", tr("online.own-link"))?;
            writeln!(out, "{}\n{other}", tr("online.other-link"))?;
            writeln!(out, "{}\n{watch}", tr("online.watch-link"))?;
            (own.clone(), Some(links))
        }
        (None, _, _) => return Err(CommandError::usage("expected --join or --invite")),
    };
    let secret = seats.secret(&link).map_err(|error| {
        failed(tr_args("online.cannot-save-seat", &[("error", &error.to_string())]))
    })?;
    let name = args.name.as_deref().unwrap_or_default();
    let connection = Connection::open(&link);
    let mut terminal = OnlineTerminal {
        game: OnlineGame::new(link, name, secret),
        links,
        seats,
        connection,
        lines: read_lines(),
        is_input_open: true,
        out,
        saving: Saving::default(),
        started: Instant::now(),
        is_introduced: false,
        is_other_present: false,
        is_lost: false,
    };
    writeln!(terminal.out, "{}", tr("online.connecting"))?;
    converse(&mut terminal)
}

/// So many servers are asked at once.
const ASKED_AT_ONCE: usize = 16;

/// Lists the player's unfinished games as their servers have them; or, for a calendar, when
/// the player's time in them runs out.
fn list_games(out: &mut impl Write, seats: &SeatStore, is_calendar: bool) -> io::Result<()> {
    let saved = seats.seats();
    let mut listed = Vec::new();
    for some in saved.chunks(ASKED_AT_ONCE) {
        thread::scope(|scope| {
            let asked: Vec<_> =
                some.iter().map(|seat| (seat, scope.spawn(|| status(seat, seats)))).collect();
            let answered = asked.into_iter().map(|(seat, asked)| (seat, asked.join()));
            listed.extend(
                answered.map(|(seat, it)| (seat, it.unwrap_or(Err(Refusal::NotConnected)))),
            );
        });
    }
    listed.retain(|(_, status)| !matches!(status, Ok(GameStatus { standing: Standing::Over, .. })));
    if is_calendar {
        let deadlines =
            listed.iter().filter_map(|(seat, status)| seat.deadline(status.as_ref().ok()?));
        let mut out = stdout_as_file();
        write!(out, "{}", calendar(&deadlines.collect::<Vec<_>>()))?;
        return out.flush();
    }
    for (seat, status) in &listed {
        writeln!(out, "{}: {}", seat.label(), describe_status(status))?;
        writeln!(out, "  tabulae play --join '{}'", seat.link)?;
    }
    if listed.is_empty() {
        writeln!(out, "{}", tr("online.mine-none"))?;
    }
    Ok(())
}

/// How the game of a seat stands. One that is over is not listed again.
fn status(seat: &SavedSeat, seats: &SeatStore) -> Result<GameStatus, Refusal> {
    let link: GameLink = seat.link.parse().map_err(|_| Refusal::UnknownLink)?;
    let secret = seats.secret(&link).map_err(|error| Refusal::NotSaved(error.to_string()))?;
    let answer = ask(&link.socket_address(), status_message(&link, &secret));
    let status = read_status(&answer.map_err(|_| Refusal::NotConnected)?)?;
    if status.standing == Standing::Over {
        // It is asked about again next time.
        _ = seats.save(&link, secret.secret(), &SavedSeat { is_over: true, ..seat.clone() });
    }
    Ok(status)
}

/// The lines of standard input, read by a thread of their own.
fn read_lines() -> Receiver<String> {
    let (sender, receiver) = sync_channel(WAITING_LINES);
    thread::spawn(move || {
        let mut lines = Lines::of_stdin();
        while let Ok(Some(line)) = lines.next() {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

struct OnlineTerminal {
    game: OnlineGame,
    /// The links of a game that was created here.
    links: Option<[GameLink; 3]>,
    seats: SeatStore,
    connection: Connection,
    lines: Receiver<String>,
    is_input_open: bool,
    out: Screen<Stdout>,
    saving: Saving,
    started: Instant,
    is_introduced: bool,
    is_other_present: bool,
    /// Whether it was said that the connection is lost.
    is_lost: bool,
}

impl Dialogue for OnlineTerminal {
    /// Follows the game until a line can be carried out, or until it is over and the input
    /// has ended.
    fn next_line(&mut self) -> Result<Option<String>, CommandError> {
        loop {
            self.send();
            // What was typed before the answer to the last line waits for it.
            if self.is_input_open && self.is_ready() {
                match self.lines.try_recv() {
                    Ok(line) => return Ok(Some(line)),
                    Err(TryRecvError::Empty) => {}
                    Err(TryRecvError::Disconnected) => self.is_input_open = false,
                }
            }
            match self.game.state() {
                OnlineState::Refused => return Ok(None),
                OnlineState::Over if !self.is_input_open => return Ok(None),
                _ => {}
            }
            self.out.flush()?;
            let first = self.connection.wait(TURN);
            let rest = std::iter::from_fn(|| self.connection.receive());
            let all: Vec<_> = first.into_iter().chain(rest).take(MOST_MESSAGES).collect();
            for incoming in all {
                self.take_in(incoming)?;
            }
            if !self.game.tick(self.started.elapsed()) {
                self.game.closed();
                self.connection.reconnect();
            }
        }
    }

    fn answer(&mut self, line: &str) -> Result<bool, CommandError> {
        let goes_on = self.command(line)?;
        self.out.flush()?;
        Ok(goes_on)
    }
}

impl BoardTerminal for OnlineTerminal {
    const HELP: &'static str = "online.help";

    fn out(&mut self) -> &mut Screen<Stdout> {
        &mut self.out
    }

    fn position(&self) -> Option<&AnyPosition> {
        self.game.session().map(|session| session.history().position())
    }

    fn print_status(&mut self) -> io::Result<()> {
        let Some(session) = self.game.session() else { return Ok(()) };
        let rules = session.rules();
        let status = match (session.outcome(), self.game.state()) {
            (Some(outcome), _) => describe_outcome(rules, outcome),
            (None, OnlineState::Waiting) => tr("online.waiting").to_owned(),
            (None, _) => match session.turn() {
                Some(Turn::Throw(side)) => {
                    tr_args("play.to-throw", &[("side", side_label(rules, side))])
                }
                Some(Turn::Move(side)) => {
                    tr_args("play.to-move", &[("side", side_label(rules, side))])
                }
                Some(Turn::Over(_)) | None => String::new(),
            },
        };
        let now = self.started.elapsed();
        let clocks: Vec<_> = Side::BOTH
            .into_iter()
            .filter_map(|side| {
                let left = format_clock(self.game.time_left(side, now)?);
                Some(format!("{}: {left}.", side_label(rules, side)))
            })
            .collect();
        writeln!(self.out, "{}", join_sentences(status, clocks.into_iter()))
    }
}

impl OnlineTerminal {
    /// Whether a line can be carried out: while a player's move or throw is on its way,
    /// or the other player is to act, only words that need no turn can.
    fn is_ready(&self) -> bool {
        self.game.state() == OnlineState::Over
            || self.game.session().is_some() && !self.game.is_move_pending()
    }

    /// Saves the seat for the list of unfinished games.
    fn save_seat(&self) {
        let Some(seat) = self.game.saved_seat(self.links.as_ref()) else { return };
        if let Err(error) = self.seats.save(self.game.link(), self.game.secret(), &seat) {
            let error = error.to_string();
            print_error_line!("{}", tr_args("online.cannot-save-seat", &[("error", &error)]));
        }
    }

    fn send(&mut self) {
        for text in self.game.outgoing() {
            self.connection.send(text);
        }
    }

    fn take_in(&mut self, incoming: Incoming) -> io::Result<()> {
        let now = self.started.elapsed();
        match incoming {
            Incoming::Opened => self.game.opened(now),
            Incoming::Closed(why) => {
                self.game.closed();
                if !self.is_lost {
                    self.is_lost = true;
                    let why = on_one_line(&why);
                    writeln!(self.out, "{}", tr_args("online.lost", &[("error", &why)]))?;
                }
            }
            Incoming::Text(text) => {
                let events = self.game.handle(&text, now);
                let is_told = |event: &OnlineEvent| {
                    matches!(
                        event,
                        OnlineEvent::Connected | OnlineEvent::Begun | OnlineEvent::Ended
                    )
                };
                if events.iter().any(is_told) {
                    self.save_seat();
                }
                let mut is_changed = false;
                for event in events {
                    is_changed |= self.tell(event)?;
                }
                if is_changed {
                    self.print_status()?;
                }
                self.send();
            }
        }
        Ok(())
    }

    /// Says what has happened. Returns whether it may be another player's turn now.
    fn tell(&mut self, event: OnlineEvent) -> io::Result<bool> {
        let Some(rules) = self.game.session().map(GameSession::rules) else {
            let text = match &event {
                OnlineEvent::Refused(refusal) => refused(refusal),
                OnlineEvent::Untrusted(why) => untrusted(why),
                _ => return Ok(false),
            };
            writeln!(self.out, "{text}")?;
            return Ok(false);
        };
        let text = match event {
            OnlineEvent::Connected => {
                self.is_lost = false;
                if !std::mem::replace(&mut self.is_introduced, true) {
                    self.print_introduction()?;
                }
                return Ok(true);
            }
            OnlineEvent::Joined(_) | OnlineEvent::Latency(_) => return Ok(false),
            OnlineEvent::Begun => tr("online.begun").to_owned(),
            OnlineEvent::Played(ply) => {
                let session = self.game.session();
                session
                    .map(|session| describe_ply(session.history(), ply).join(" "))
                    .unwrap_or_default()
            }
            OnlineEvent::Undone(_) => tr("play.undone").to_owned(),
            OnlineEvent::Offered(side, offer) => {
                let key = match offer {
                    Offer::Undo => "online.offers-undo",
                    Offer::Draw => "online.offers-draw",
                    Offer::Rematch => "online.offers-rematch",
                };
                tr_args(key, &[("side", side_label(rules, side))])
            }
            OnlineEvent::Declined(_, _) => tr("online.declined").to_owned(),
            OnlineEvent::Ended => return Ok(true),
            OnlineEvent::Restarted => {
                self.print_introduction()?;
                return Ok(true);
            }
            OnlineEvent::Presence => {
                let Some(side) = self.game.side() else { return Ok(false) };
                let is_present = self.game.is_present(side.other());
                if std::mem::replace(&mut self.is_other_present, is_present) == is_present {
                    return Ok(false);
                }
                let key = if is_present { "online.is-here" } else { "online.is-away" };
                tr_args(key, &[("side", side_label(rules, side.other()))])
            }
            OnlineEvent::SeatAsked(code) => {
                let code = [("code", code.as_str())];
                let [asked, how] = ["online.seat-asked", "online.seat-asked-how"];
                format!("{}\n{}", tr_args(asked, &code), tr_args(how, &code))
            }
            OnlineEvent::Refused(refusal) => refused(&refusal),
            OnlineEvent::Untrusted(why) => untrusted(&why),
            OnlineEvent::OtherSecret => tr("online.other-secret").to_owned(),
        };
        writeln!(self.out, "{text}")?;
        Ok(true)
    }

    fn print_introduction(&mut self) -> io::Result<()> {
        let Some(session) = self.game.session() else { return Ok(()) };
        let rules = session.rules();
        let seat = match self.game.side() {
            Some(side) => tr_args("online.you-play", &[("side", side_label(rules, side))]),
            None => tr("online.you-watch").to_owned(),
        };
        writeln!(self.out, "{}. {seat} {}", rules_label(rules), tr("play.say-help"))?;
        self.print_board()
    }

    /// Carries out a line; false when it ends the program.
    fn command(&mut self, line: &str) -> io::Result<bool> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let result = match english_word(word) {
            "quit" | "exit" => return Ok(false),
            "moves" => {
                if let Some(session) = self.game.session() {
                    print_moves(&mut self.out, session, rest)?;
                }
                Ok(())
            }
            "save" => self.save(rest).map(Ok)?,
            "throw" => self.game.throw(),
            "undo" => self.game.offer(Offer::Undo),
            "draw" => self.game.offer(Offer::Draw),
            "rematch" | "new" => self.game.offer(Offer::Rematch),
            "resign" => self.game.resign(),
            word @ ("accept" | "decline") => self.answer(word == "accept"),
            "admit" => self.game.admit(rest),
            "move" => self.game.send_move(rest),
            word if self.answer_common(word)? => Ok(()),
            _ => self.game.send_move(line),
        };
        if let Err(refusal) = result {
            writeln!(self.out, "{}", refused(&refusal))?;
        }
        Ok(true)
    }

    /// Answers the offer of the other player, or withdraws the own one.
    fn answer(&mut self, accept: bool) -> Result<(), Refusal> {
        let answers = Offer::ALL.map(|offer| self.game.answer(offer, accept));
        if answers.iter().any(Result::is_ok) { Ok(()) } else { Err(Refusal::NotOffered) }
    }

    /// Writes the record, with the proof of its throws.
    fn save(&mut self, path: &str) -> io::Result<()> {
        let Some(log) = self.game.log() else { return Ok(()) };
        if path.is_empty() {
            return writeln!(self.out, "{}", tr("play.save-where"));
        }
        let saved = self.saving.save(path, log.record(today()).to_string());
        writeln!(self.out, "{}", saved.unwrap_or_else(|why| why))
    }
}

/// A server's words are a stranger's: no control character of them reaches the terminal.
fn refused(refusal: &Refusal) -> String {
    on_one_line(&tr_args("play.cannot", &[("why", &refusal.message().localized())]))
}

fn untrusted(why: &str) -> String {
    on_one_line(&tr_args("online.untrusted", &[("why", why)]))
}
