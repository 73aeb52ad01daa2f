use std::path::Path;

use super::{clocks::merged, *};
use crate::TIMEOUT_GRACE;
use tabulae_games::{RuleSet, Side};

/// The games of a server with its store in this folder.
async fn games_in(folder: &Path) -> Games {
    let address = format!("sqlite:{}", folder.join("games.db").display());
    let store = Store::open(&address).await.expect("a store");
    Games::load(store).await.expect("no games").0
}

#[tokio::test]
async fn clocks_stand_while_the_store_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let address = format!("sqlite:{}", folder.path().join("games.db").display());
    let store = Store::open(&address).await.expect("a store");
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
    let folder = tempfile::tempdir().expect("a folder");
    let games = games_in(folder.path()).await;
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
    let [Entry::Moved { used: 500, at: answered, .. }] = stored[..] else { panic!("{stored:?}") };
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

/// A device that asks again and again is told of now and then, and keeps no other one from
/// being told of.
#[tokio::test]
async fn a_player_is_told_of_a_device_however_often_another_one_asks() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = games_in(folder.path()).await;
    let terms = Terms { rules: RuleSet::Tablaaza, clock: None };
    let links = games.create(terms).await.expect("made");
    let enter = async |number| {
        let (sender, queue) = mpsc::channel(QUEUE);
        let device = Some(Hash256([number; 32]));
        (games.enter(&links.seats[0], 0, "", device, sender).await, queue)
    };
    let (seat, mut queue) = enter(1).await;
    let game = seat.expect("the first device").game;
    let asked = |queue: &mut mpsc::Receiver<Arc<str>>| {
        let texts = std::iter::from_fn(|| queue.try_recv().ok());
        texts.filter(|text| text.contains("seat-asked")).count()
    };
    for number in [2, 3, 2, 2] {
        assert!(enter(number).await.0.is_err());
    }
    assert_eq!(asked(&mut queue), 1);
    // Just before the next one may be told of, the second device asks once more.
    let mut state = game.state.lock().await;
    let then = state.last_asked[0].expect("asked");
    let then = then.checked_sub(BETWEEN_ASKING).expect("an uptime") + Duration::from_secs(1);
    state.last_asked[0] = Some(then);
    drop(state);
    assert!(enter(2).await.0.is_err());
    assert_eq!(game.state.lock().await.last_asked[0], Some(then));
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
