//! The player's games at servers that are not on the table, and whose turn it is in each.
//!
//! One server is asked after the other: when the list is opened, and every few minutes if the
//! player wants to be told. A browser draws nothing in a tab that is not seen, so there its
//! own events drive this, too.

use std::cell::RefCell;

use bevy::{ecs::system::NonSendMarker, platform::time::Instant, window::PrimaryWindow};

use super::online::{OnlineTable, Seats};
use crate::{
    app::{core::prelude::*, platform::notification, settings::Settings},
    online::{
        Deadline, GameLink, GameStatus, Incoming, OnlineState, Refusal, SavedSeat, SeatStore,
        Standing, connection::Connection, read_status, status_message,
    },
};

/// Time between two rounds of questions.
const INTERVAL: Duration = Duration::from_secs(300);
/// The time for a server to answer.
const ANSWER: Duration = Duration::from_secs(10);
/// The most games that are asked about, the latest first.
const MOST_GAMES: usize = 20;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<MyGames>().add_systems(Update, follow.in_set(AppSet::Engines));
}

/// The games of the list.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct MyGames {
    pub(crate) games: Vec<MyGame>,
    /// Whether the player looks at the list, so that all are asked about now.
    pub(crate) is_wanted: bool,
}

/// A game of the list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MyGame {
    pub(crate) seat: SavedSeat,
    /// What the server has answered last, if it was asked.
    pub(crate) status: Option<Result<GameStatus, Refusal>>,
    pub(crate) deadline: Option<Deadline>,
    /// The number of entries that the player knows of, if any.
    told: Option<usize>,
}

impl MyGame {
    pub(crate) const fn new(seat: SavedSeat, status: Option<Result<GameStatus, Refusal>>) -> Self {
        Self { seat, status, deadline: None, told: None }
    }
}

thread_local! {
    /// Those of the thread with the window.
    static ROUNDS: RefCell<Rounds> = RefCell::default();
}

/// The rounds of questions.
#[derive(Default)]
struct Rounds {
    seats: SeatStore,
    /// The link of the game on the table, and how many entries of it have been seen there.
    own: Option<(String, usize)>,
    games: Vec<MyGame>,
    asked: Option<Asked>,
    /// When the next round begins.
    next: Option<Instant>,
    is_repeated: bool,
    is_changed: bool,
    /// Whether a round has begun since the program was started.
    has_begun: bool,
}

/// A question on its way.
struct Asked {
    /// The number of the game in the list.
    game: usize,
    connection: Connection,
    message: String,
    since: Instant,
}

impl Asked {
    /// The answer; `None` while it is awaited.
    fn answer(&self, now: Instant) -> Option<Result<GameStatus, Refusal>> {
        while let Some(incoming) = self.connection.receive() {
            match incoming {
                Incoming::Opened => self.connection.send(self.message.clone()),
                Incoming::Text(text) => return Some(read_status(&text)),
                Incoming::Closed(_) => return Some(Err(Refusal::NotConnected)),
            }
        }
        (now >= self.since + ANSWER).then_some(Err(Refusal::NotConnected))
    }
}

impl Rounds {
    /// Takes in answers, and asks what is to be asked next.
    fn step(&mut self, now: Instant, is_hidden: bool) {
        if self.asked.is_none() && self.next.is_some_and(|at| at <= now) {
            self.begin(is_hidden);
            self.ask(0, now);
        }
        while let Some(asked) = &self.asked
            && let Some(answer) = asked.answer(now)
        {
            let number = asked.game;
            self.take_in(number, answer);
            self.ask(number + 1, now);
        }
    }

    /// Lists the games of a new round; what is known of them stays.
    fn begin(&mut self, is_hidden: bool) {
        let mut seats = self.seats.seats();
        let seen = |link: &str| self.own.as_ref().filter(|own| own.0 == link).map(|own| own.1);
        seats.retain(|seat| seen(&seat.link).is_none() || is_hidden);
        seats.truncate(MOST_GAMES);
        let known = std::mem::take(&mut self.games);
        let game = |seat: SavedSeat| {
            let known = known.iter().find(|it| it.seat.link == seat.link);
            match known {
                Some(known) => {
                    MyGame { told: known.told.max(seen(&seat.link)), seat, ..known.clone() }
                }
                // A game that comes later is on the table, or was left just now.
                None => {
                    let told = seen(&seat.link).or((!self.has_begun).then_some(0));
                    MyGame { told, ..MyGame::new(seat, None) }
                }
            }
        };
        self.games = seats.into_iter().map(game).collect();
        (self.is_changed, self.has_begun) = (true, true);
    }

    /// Asks about this game of the list, or else ends the round.
    fn ask(&mut self, number: usize, now: Instant) {
        self.asked = None;
        let Some(game) = self.games.get(number) else {
            let is_over = |it: &MyGame| {
                matches!(it.status, Some(Ok(GameStatus { standing: Standing::Over, .. })))
            };
            self.games.retain(|it| !is_over(it));
            self.is_changed = true;
            // The game on the table is asked about once it is not seen.
            let is_any = !self.games.is_empty() || self.own.is_some();
            self.next = (self.is_repeated && is_any).then(|| now + INTERVAL);
            return;
        };
        let link = game.seat.link.parse::<GameLink>().ok();
        let Some((secret, link)) = link.and_then(|it| Some((self.seats.secret(&it).ok()?, it)))
        else {
            return self.ask(number + 1, now);
        };
        let connection = Connection::to(link.socket_address(), wake);
        let message = status_message(&link, &secret);
        self.asked = Some(Asked { game: number, connection, message, since: now });
    }

    fn take_in(&mut self, number: usize, answer: Result<GameStatus, Refusal>) {
        let game = &mut self.games[number];
        game.deadline = answer.as_ref().ok().and_then(|status| game.seat.deadline(status));
        if matches!(answer, Ok(GameStatus { standing: Standing::Over, .. }))
            && let Ok(link) = game.seat.link.parse()
            && let Ok(secret) = self.seats.secret(&link)
        {
            game.seat.is_over = true;
            // It is asked about again next time.
            _ = self.seats.save(&link, secret.secret(), &game.seat);
        }
        if let Ok(status) = &answer {
            game.told.get_or_insert(status.entries);
        }
        game.status = Some(answer);
        self.is_changed = true;
    }

    /// The games in which it is the player's turn and the player does not know it yet, once
    /// all have answered.
    fn news(&mut self) -> Option<LocalizedMessage> {
        if self.asked.is_some() || !self.is_repeated {
            return None;
        }
        let mut labels = Vec::new();
        for game in &mut self.games {
            if let Some(Ok(GameStatus { standing: Standing::Yours, entries, .. })) = game.status
                && game.told.replace(entries) < Some(entries)
            {
                labels.push(game.seat.label());
            }
        }
        (!labels.is_empty()).then(|| your_turn(&labels.join(", ")))
    }
}

fn your_turn(game: &str) -> LocalizedMessage {
    LocalizedMessage::new("online.your-turn").with("game", game)
}

/// Something has arrived.
fn wake() {
    step_unseen();
    crate::engines::wake();
}

/// Goes on in a tab that is not seen, and tells the player there.
#[cfg(target_arch = "wasm32")]
fn step_unseen() {
    ROUNDS.with(|rounds| {
        // It may be at work already.
        if let (true, Ok(mut rounds)) = (notification::is_hidden(), rounds.try_borrow_mut()) {
            rounds.step(Instant::now(), true);
            if let Some(news) = rounds.news() {
                notification::notify(&news.localized());
            }
        }
    });
}

/// A window is woken also when it is not seen.
#[cfg(not(target_arch = "wasm32"))]
const fn step_unseen() {}

/// Asks about the games, and tells the player where it is his turn.
fn follow(
    mut list: ResMut<MyGames>,
    (online, seats, settings): (Res<OnlineTable>, Res<Seats>, Res<Settings>),
    windows: Query<&Window, With<PrimaryWindow>>,
    mut told: Local<Option<usize>>,
    (mut next, mut notices): (ResMut<NextFrame>, MessageWriter<Notify>),
    _window: NonSendMarker,
) {
    let now = Instant::now();
    let is_away = !windows.iter().any(|window| window.focused);
    let own = online.game().map(|game| {
        (game.link().to_string(), game.log().map_or(0, crate::online::GameLog::entries))
    });
    let turn = online.game().filter(|game| game.state() == OnlineState::Playing).and_then(|game| {
        let turn = game.session()?.turn().and_then(Turn::side);
        (turn.is_some() && turn == game.side()).then_some(game)
    });
    // On the table it is seen, unless the player is elsewhere.
    let entries = turn.and_then(|game| Some(game.log()?.entries()));
    if std::mem::replace(&mut *told, entries) != entries
        && let Some(seat) = turn.and_then(|game| game.saved_seat(None))
        && is_away
        && settings.notify_turns
    {
        notification::notify(&your_turn(&seat.label()).localized());
    }
    ROUNDS.with_borrow_mut(|rounds| {
        #[cfg(target_arch = "wasm32")]
        if !rounds.has_begun {
            notification::every_minute(step_unseen);
        }
        let link = |own: &Option<(String, usize)>| own.as_ref().map(|own| own.0.clone());
        let is_new = link(&rounds.own) != link(&own) || !rounds.is_repeated;
        if list.is_wanted || is_new && settings.notify_turns {
            list.is_wanted = false;
            rounds.seats = seats.0.clone();
            rounds.next = Some(now);
        }
        rounds.own = own;
        rounds.is_repeated = settings.notify_turns;
        rounds.step(now, notification::is_hidden());
        if let Some(news) = rounds.news() {
            if is_away {
                notification::notify(&news.localized());
            }
            notices.write(Notify::info(news));
        }
        if std::mem::take(&mut rounds.is_changed) {
            list.games.clone_from(&rounds.games);
        }
        let asked = rounds.asked.as_ref().map(|asked| asked.since + ANSWER);
        if let Some(at) = asked.or(rounds.next) {
            next.within(at.saturating_duration_since(now));
        }
    });
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
