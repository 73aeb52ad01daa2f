//! The list against a server of this test, over real connections.

use std::{net::TcpListener, sync::mpsc, thread};

use tungstenite::{Message, accept};

use super::*;
use crate::{games::RuleSet, online::Refusal};

const ASKS: &str = "\"type\":\"status\"";

/// A server that answers each question with the next of these texts; and the questions.
fn serve(answers: &'static [&'static str]) -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let page = format!("http://{}/", listener.local_addr().expect("an address"));
    let (sender, asked) = mpsc::channel();
    thread::spawn(move || {
        for answer in answers {
            let mut socket = accept(listener.accept().expect("a client").0).expect("a socket");
            let Ok(Message::Text(text)) = socket.read() else { return };
            _ = sender.send(text.as_str().to_owned());
            _ = socket.send(Message::text(*answer));
            while socket.read().is_ok() {}
        }
    });
    (page, asked)
}

/// An app with saved seats in as many games of a server as it has answers.
fn app(folder: &std::path::Path, page: &str, games: usize, notify_turns: bool) -> App {
    let store = SeatStore::in_folder(folder);
    for game in 0..games {
        let token = format!("AAAAAAAAAAAAAAAAAAAAA{}", ["A", "Q"][game]);
        let link = format!("{page}#seat=AAAAAAAAAAAA.{token}");
        let parsed = link.parse().expect("a link");
        let secret = store.secret(&parsed).expect("saved");
        let (rules, opponent) = (RuleSet::Tablan, "Aili".to_owned());
        let seat = SavedSeat { link, rules, opponent, is_over: false, links: None };
        store.save(&parsed, secret.secret(), &seat).expect("saved");
    }
    ROUNDS.take();
    let mut app = App::new();
    app.init_resource::<OnlineTable>().init_resource::<NextFrame>().add_message::<Notify>();
    app.insert_resource(Settings { notify_turns, ..Settings::default() });
    app.insert_resource(Seats(store)).add_plugins(plugin);
    app
}

/// Runs it until no answer is awaited; returns the notices, and when it runs again.
fn settle(app: &mut App) -> (Vec<String>, Option<Duration>) {
    let (started, mut notices) = (Instant::now(), Vec::new());
    loop {
        app.update();
        let new = app.world_mut().resource_mut::<Messages<Notify>>().drain().collect::<Vec<_>>();
        notices.extend(new.into_iter().map(|it| it.0.text));
        let due = app.world_mut().resource_mut::<NextFrame>().settle();
        if due.is_none_or(|it| it > ANSWER) {
            return (notices, due);
        }
        assert!(started.elapsed() < 3 * ANSWER, "{notices:?}");
        thread::yield_now();
    }
}

#[test]
fn the_player_is_told_once_where_it_is_his_turn_and_nothing_is_drawn_until_the_next_round() {
    const YOURS: &str = r#"{"type": "status", "standing": "yours", "entries": 7}"#;
    const LATER: &str = r#"{"type": "status", "standing": "yours", "entries": 9}"#;
    const UNKNOWN: &str = r#"{"type": "refused", "refusal": {"code": "malformed"}, "reason": "?"}"#;
    let folder = tempfile::tempdir().expect("a folder");
    let (page, asked) = serve(&[YOURS, UNKNOWN, YOURS, UNKNOWN, LATER, UNKNOWN]);
    let mut app = app(folder.path(), &page, 2, true);
    let told = "It is your turn: Tablan with Aili.";
    for (round, expected) in [&[told][..], &[], &[told]].into_iter().enumerate() {
        let (notices, due) = settle(&mut app);
        assert_eq!(notices, expected, "round {round}: {:?}", app.world().resource::<MyGames>());
        assert!(due.is_some_and(|it| it > INTERVAL - 3 * ANSWER && it <= INTERVAL), "{due:?}");
        assert!(asked.try_iter().all(|it| it.contains(ASKS)));
        app.world_mut().resource_mut::<MyGames>().is_wanted = true;
    }
    let games = &app.world().resource::<MyGames>().games;
    let of_an_older_server = games.iter().filter(|it| it.status == Some(Err(Refusal::Version)));
    assert_eq!((games.len(), of_an_older_server.count()), (2, 1));
}

/// Of the game on the table the player is told only in a tab that is not seen, and only what
/// came after the last look at it.
#[test]
fn the_game_on_the_table_is_asked_about_when_it_is_not_seen() {
    const SEEN: &str = r#"{"type": "status", "standing": "yours", "entries": 7}"#;
    const LATER: &str = r#"{"type": "status", "standing": "yours", "entries": 9}"#;
    let folder = tempfile::tempdir().expect("a folder");
    let (page, asked) = serve(&[SEEN, LATER]);
    let app = app(folder.path(), &page, 1, true);
    let seats = app.world().resource::<Seats>().0.clone();
    let own = seats.seats().pop().map(|seat| (seat.link, 7));
    let start = Instant::now();
    let mut rounds =
        Rounds { seats, own, next: Some(start), is_repeated: true, ..Rounds::default() };
    rounds.step(start, false);
    assert!(rounds.games.is_empty() && asked.try_recv().is_err(), "it is seen");
    assert_eq!(rounds.next, Some(start + INTERVAL));
    for (round, news) in [(1, false), (2, true)] {
        let now = start + round * INTERVAL;
        rounds.step(now, true);
        while rounds.asked.is_some() {
            assert!(start.elapsed() < ANSWER, "no answer");
            thread::yield_now();
            rounds.step(now, true);
        }
        assert_eq!(rounds.news().is_some(), news, "round {round}");
    }
}

#[test]
fn no_server_is_asked_unless_the_player_wants_it_and_games_that_are_over_go() {
    const OVER: &str = r#"{"type": "status", "standing": "over", "entries": 9}"#;
    let folder = tempfile::tempdir().expect("a folder");
    let (page, asked) = serve(&[OVER]);
    let mut app = app(folder.path(), &page, 1, false);
    assert_eq!(settle(&mut app), (Vec::new(), None));
    assert_eq!(asked.try_iter().count(), 0);
    app.world_mut().resource_mut::<MyGames>().is_wanted = true;
    assert_eq!(settle(&mut app), (Vec::new(), None), "no further round");
    assert_eq!(asked.try_iter().count(), 1);
    assert_eq!(app.world().resource::<MyGames>().games, []);
    assert_eq!(SeatStore::in_folder(folder.path()).seats(), []);
}
