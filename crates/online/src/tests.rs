//! Whole games between two clients by way of a referee, without a network.

use std::time::Duration;

use super::*;
use tabulae_games::{Game, RuleSet, Side, Turn};
use tabulae_records::Record;
use tabulae_session::{Outcome, TimeControls};

/// A server with one game, and its clients: two players and a spectator.
struct Harness {
    referee: Referee,
    entries: Vec<Entry>,
    clients: [OnlineGame; 3],
    now: u64,
    refusals: Vec<Refusal>,
}

const NOW: u64 = 1_800_000_000_000;

fn link(is_spectator: bool) -> GameLink {
    let ticket = Ticket { game: GameId::random(), token: Token::random() };
    GameLink::new("http://localhost", ticket, is_spectator).expect("a page")
}

impl Harness {
    fn new(rules: RuleSet, clock: Option<&str>) -> Self {
        let clock = clock.map(|text| text.parse::<TimeControls>().expect("a clock"));
        let secret = Hash256([9; 32]);
        let entries = vec![Referee::created(Terms { rules, clock }, secret, NOW)];
        let referee = Referee::new(secret, &entries).expect("a game");
        let client = |n: u8| OnlineGame::new(link(n == 2), "Aili", Hash256([n; 32]));
        let clients = [0, 1, 2].map(client);
        Self { referee, entries, clients, now: NOW, refusals: Vec::new() }
    }

    fn joined(rules: RuleSet, clock: Option<&str>) -> Self {
        let mut harness = Self::new(rules, clock);
        (0..3).for_each(|player| harness.open(player));
        harness
    }

    fn time(&self) -> Duration {
        Duration::from_millis(self.now - NOW)
    }

    /// Opens a client's connection, and lets all answer.
    fn open(&mut self, player: usize) {
        let time = self.time();
        self.clients[player].opened(time);
        self.deliver_all();
    }

    fn store(&mut self, entries: Vec<Entry>) {
        let from = self.entries.len();
        for entry in &entries {
            self.referee.apply(entry).expect("the referee's own entry");
        }
        self.entries.extend(entries.clone());
        let elapsed = self.referee.elapsed(self.now);
        let text = serde_json::to_string(&ServerMessage::Entries { from, entries, elapsed });
        let (text, time) = (text.expect("text"), self.time());
        for client in &mut self.clients {
            if client.state() != OnlineState::Connecting {
                assert!(!client.handle(&text, time).iter().any(is_untrusted));
            }
        }
    }

    /// Delivers messages until nobody has one to send.
    fn deliver_all(&mut self) {
        while self.step() {}
    }

    fn step(&mut self) -> bool {
        let mut any = false;
        for player in 0..3 {
            for text in self.clients[player].outgoing() {
                any = true;
                assert!(text.len() <= MAX_CLIENT_MESSAGE);
                let message = serde_json::from_str(&text).expect("a message");
                self.receive(player, &message);
            }
        }
        any
    }

    fn receive(&mut self, player: usize, message: &ClientMessage) {
        if let ClientMessage::Hello { since, name, device, .. } = message {
            let entered = device.filter(|_| player < 2).map(|device| {
                let entered = self.referee.enter(player, device.hashed(), name, self.now);
                entered.expect("its own seat")
            });
            let reply = ServerMessage::Welcome {
                version: VERSION,
                player: (player < 2).then_some(player),
                from: *since,
                entries: self.entries[*since..].to_vec(),
                elapsed: self.referee.elapsed(self.now),
            };
            self.tell(player, &reply);
            self.store(entered.unwrap_or_default());
            return;
        }
        let answer = if player == 2 {
            Err(Refusal::Spectator)
        } else {
            self.referee.answer(player, message, self.now, self.now)
        };
        match answer {
            Ok(entries) => self.store(entries),
            Err(refusal) => {
                self.refusals.push(refusal.clone());
                let reason = refusal.to_string();
                let message = Some(message.clone());
                self.tell(player, &ServerMessage::Refused { refusal, reason, message });
            }
        }
    }

    fn tell(&mut self, player: usize, message: &ServerMessage) {
        let (text, time) = (serde_json::to_string(message).expect("text"), self.time());
        let events = self.clients[player].handle(&text, time);
        assert!(!events.iter().any(is_untrusted), "{events:?}");
    }

    /// The player whose turn it is.
    fn player_to_act(&self) -> Option<usize> {
        let side = self.referee.log().session().turn()?.side()?;
        Some(self.referee.log().player_of(side))
    }

    /// Lets the player whose turn it is act; `number` chooses the move.
    fn act(&mut self, number: usize) {
        let Some(player) = self.player_to_act() else { return };
        let client = &mut self.clients[player];
        if client.may_throw() {
            client.throw().expect("a throw is due");
        } else {
            let history = client.session().expect("a game").history();
            let legal = history.legal_moves();
            let text = history.position().notation(legal[number % legal.len()]);
            client.send_move(&text).expect("a legal move");
        }
        self.deliver_all();
    }

    fn play_to_the_end(&mut self) -> Record {
        for number in 0..20_000 {
            if self.player_to_act().is_none() {
                break;
            }
            self.now += 1;
            self.act(number * 7919);
        }
        assert!(self.referee.log().session().outcome().is_some());
        for client in &self.clients {
            let game = client.log().expect("a game");
            assert_eq!(client.state(), OnlineState::Over);
            assert_eq!(game.session().history(), self.referee.log().session().history());
        }
        self.clients[0].log().expect("a game").record(None)
    }
}

/// What a server tells a player who opens a link and has the entries before `from`.
fn welcome(player: usize, from: usize, entries: &[Entry]) -> String {
    let (player, entries, elapsed) = (Some(player), entries.to_vec(), 0);
    let welcome = ServerMessage::Welcome { version: VERSION, player, from, entries, elapsed };
    serde_json::to_string(&welcome).expect("text")
}

/// Plays the first legal move; returns its text.
fn send_first_move(client: &mut OnlineGame) -> String {
    let history = client.session().expect("a game").history();
    let text = history.position().notation(history.legal_moves()[0]);
    client.send_move(&text).expect("a legal move");
    text
}

fn is_untrusted(event: &OnlineEvent) -> bool {
    matches!(event, OnlineEvent::Untrusted(_))
}

#[test]
fn all_games_are_played_to_their_end_with_proven_throws() {
    for rules in RuleSet::ALL {
        let record = Harness::joined(rules, Some("600+5")).play_to_the_end();
        let text = record.to_string();
        let read = tabulae_records::read(&text).expect("a record").remove(0);
        assert_eq!(read, record, "{text}");
        let proven = verify_throws(&read).expect("a proof");
        assert_eq!(proven.is_some(), rules.has_sticks());
        assert!(!rules.has_sticks() || proven > Some(20), "{proven:?}");
        // The record is that of a game that can be opened and saved again.
        let again = tabulae_session::GameSession::from_record(&read).record(None).to_string();
        assert_eq!(again.contains("ThrowReveals"), rules.has_sticks());
    }
}

#[test]
fn a_changed_throw_commitment_or_reveal_is_named() {
    let record = Harness::joined(RuleSet::Tablan, None).play_to_the_end();
    let check = |record: &Record| verify_throws(record).map_err(|error| error.to_string());
    let tag = |name: &str| record.tag(name).expect("a tag").to_owned();
    let mut swapped = record.clone();
    let mut words: Vec<_> = tag(REVEALS_TAG).split(' ').map(str::to_owned).collect();
    words.swap(0, 1);
    swapped.set_tag(REVEALS_TAG, &words.join(" "));
    assert!(check(&swapped).expect_err("wrong").contains("the commitment of South"));
    let mut server = record.clone();
    let mut words: Vec<_> = tag(COMMITMENTS_TAG).split(' ').map(str::to_owned).collect();
    words[2] = Hash256([0; 32]).to_string();
    server.set_tag(COMMITMENTS_TAG, &words.join(" "));
    assert!(check(&server).expect_err("wrong").contains("the server"));
    server.set_tag(COMMITMENTS_TAG, "none");
    assert!(check(&server).expect_err("wrong").contains(COMMITMENTS_TAG));
    // Another first throw: t0, t2 and t3 all pass the sticks while throwing off.
    let text = record.to_string();
    let at = text.find("1. t").expect("a throw") + 4;
    let other = match &text[at..=at] {
        "0" => "2",
        "2" => "3",
        _ => "0",
    };
    let forged = format!("{}{other}{}", &text[..at], &text[at + 1..]);
    if let Ok(mut records) = tabulae_records::read(&forged) {
        let error = check(&records.remove(0)).expect_err("another throw");
        assert!(error.starts_with("throw 1 (ply 1) is"), "{error}");
    }
}

#[test]
fn clients_that_reconnect_lose_and_double_nothing() {
    let mut harness = Harness::joined(RuleSet::Tablan, Some("600+5"));
    for number in 0..300 {
        if harness.player_to_act().is_none() {
            break;
        }
        harness.now += 10;
        match number % 5 {
            // A message is lost on its way.
            0 => {
                let player = harness.player_to_act().expect("a player");
                let client = &mut harness.clients[player];
                if client.may_throw() {
                    client.throw().expect("a throw is due");
                } else {
                    send_first_move(client);
                }
                drop(client.outgoing());
                client.closed();
                harness.open(player);
            }
            // A client starts again, with its secret.
            1 => {
                let player = number % 2;
                let secret = Hash256([u8::try_from(player).expect("0 or 1"); 32]);
                harness.clients[player] = OnlineGame::new(link(false), "", secret);
                harness.open(player);
            }
            _ => harness.act(number),
        }
        let plies = harness.referee.log().session().history().len();
        for client in &harness.clients {
            assert_eq!(client.session().expect("a game").history().len(), plies);
        }
    }
    assert!(harness.referee.log().session().history().len() > 150);
}

#[test]
fn messages_that_are_foreign_late_or_illegal_change_nothing() {
    let mut harness = Harness::new(RuleSet::TablutAshton, Some("60"));
    let a_move = |round, ply, text: &str| ClientMessage::Move { round, ply, text: text.to_owned() };
    harness.open(0);
    harness.receive(0, &a_move(0, 0, "e4-f4"));
    harness.open(1);
    harness.open(2);
    harness.receive(1, &a_move(0, 0, "e4-f4"));
    harness.receive(2, &a_move(0, 0, "e4-f4"));
    harness.receive(0, &a_move(1, 0, "e4-f4"));
    harness.receive(0, &a_move(0, 1, "e4-f4"));
    harness.receive(0, &a_move(0, 0, "e4-e9"));
    harness.receive(0, &a_move(0, 0, "t1"));
    harness.receive(0, &a_move(0, 0, &"e4".repeat(200)));
    harness.receive(0, &ClientMessage::Reveal { round: 0, throw: 1, reveal: Hash256([0; 32]) });
    let commitment = Hash256([0; 32]);
    harness.receive(0, &ClientMessage::Commit { round: 0, commitment });
    harness.receive(0, &ClientMessage::Offer { round: 0, ply: 0, offer: Offer::Undo });
    harness.receive(0, &ClientMessage::Offer { round: 0, ply: 0, offer: Offer::Rematch });
    let accept = ClientMessage::Answer { round: 0, ply: 0, offer: Offer::Draw, accept: true };
    harness.receive(0, &accept);
    assert!(harness.referee.log().session().history().is_empty());
    use Refusal::{
        CannotUndo, Illegal, Late, Malformed, NotBegun, NotOffered, NotOver, NotYourTurn,
        Spectator, WrongCommitment,
    };
    let mut refusals = std::mem::take(&mut harness.refusals);
    refusals.iter_mut().for_each(|refusal| {
        if let Illegal(_) = refusal {
            *refusal = Illegal(String::new());
        }
    });
    let illegal = || Illegal(String::new());
    assert_eq!(
        refusals,
        [
            NotBegun,
            NotYourTurn,
            Spectator,
            Late,
            Late,
            illegal(),
            illegal(),
            Malformed,
            Late,
            WrongCommitment,
            CannotUndo,
            NotOver,
            NotOffered
        ]
    );
    // The same move twice is played once.
    harness.receive(0, &a_move(0, 0, "e4-f4"));
    harness.receive(0, &a_move(0, 0, "e4-f4"));
    assert_eq!(harness.refusals, [Late]);
    assert_eq!(harness.referee.log().session().history().len(), 1);
    // Late by the clock.
    harness.now += 60_000;
    harness.receive(1, &a_move(0, 1, "d1-d4"));
    let outcome = harness.referee.log().session().outcome();
    assert_eq!(outcome, Some(Outcome::TimedOut(Side::Second)));
}

#[test]
fn a_player_that_withholds_its_part_loses_on_time_and_gets_no_other_throw() {
    let mut harness = Harness::joined(RuleSet::Tablan, Some("60"));
    let log = harness.referee.log();
    assert_eq!(
        (log.session().turn(), log.waits_for()),
        (Some(Turn::Throw(Side::First)), Some(Side::First))
    );
    // The clocks run from the first throw on.
    harness.act(0);
    let mut number = 0;
    while harness.referee.log().throw_due().is_none() {
        harness.act(number);
        number += 1;
    }
    let thrower = harness.player_to_act().expect("a throw is due");
    let other = 1 - thrower;
    let [throwing, withholding] =
        [thrower, other].map(|player| harness.referee.log().side_of(player));
    assert_eq!(harness.referee.log().waits_for(), Some(throwing));
    let throw = harness.referee.log().throw_due().expect("a throw is due");
    // The thrower gives its part; the other player does not answer.
    harness.clients[other].closed();
    harness.clients[thrower].throw().expect("a throw is due");
    let text = harness.clients[thrower].outgoing().remove(0);
    let message = serde_json::from_str(&text).expect("a message");
    harness.receive(thrower, &message);
    harness.receive(thrower, &message);
    assert_eq!(harness.refusals, [Refusal::Late], "the part of a throw is given once");
    assert_eq!(harness.referee.log().waits_for(), Some(withholding));
    harness.now += 59_000;
    assert_eq!(harness.referee.time_out(harness.now), None);
    // Another reveal than the committed one is no way out.
    let reveal = Hash256([3; 32]);
    harness.receive(other, &ClientMessage::Reveal { round: 0, throw, reveal });
    assert_eq!(harness.refusals[1..], [Refusal::WrongReveal]);
    harness.now += 1_000;
    assert_eq!(harness.referee.time_out(harness.now), Some(Entry::TimedOut { side: withholding }));
}

#[test]
fn no_clock_runs_before_the_first_ply() {
    const DAY: u64 = 86_400_000;
    let minute = Some(Duration::from_secs(60));
    for rules in [RuleSet::Tablaaza, RuleSet::Tablan] {
        let mut harness = Harness::new(rules, Some("60"));
        // The first player sends the link and leaves; the other comes on the next day.
        harness.open(0);
        harness.clients[0].closed();
        harness.now += DAY;
        (1..3).for_each(|player| harness.open(player));
        harness.now += DAY;
        assert_eq!(harness.referee.time_out(harness.now), None, "{rules}");
        assert_eq!(harness.referee.time_left(harness.now), None, "{rules}");
        harness.open(0);
        harness.now += DAY;
        for client in &harness.clients {
            assert_eq!(client.state(), OnlineState::Playing, "{rules}");
            assert_eq!(client.clock_runs_for(), None, "{rules}");
            for side in Side::BOTH {
                assert_eq!(client.time_left(side, harness.time()), minute, "{rules}");
            }
        }
        // The first ply costs no time, and then a clock runs.
        harness.act(0);
        let log = harness.referee.log();
        assert_eq!(log.session().history().len(), 1, "{rules}");
        assert_eq!(log.session().clock().map(|clock| clock.left(Side::First)), minute, "{rules}");
        let waits = log.waits_for().expect("the game goes on");
        harness.now += 20_000;
        for client in &harness.clients {
            assert_eq!(client.clock_runs_for(), Some(waits), "{rules}");
            let left = client.time_left(waits, harness.time());
            assert_eq!(left, Some(Duration::from_secs(40)), "{rules}");
        }
        harness.now += 40_000;
        let time_out = Entry::TimedOut { side: waits };
        assert_eq!(harness.referee.time_out(harness.now), Some(time_out), "{rules}");
    }
}

#[test]
fn a_dishonest_server_is_not_believed() {
    let mut harness = Harness::joined(RuleSet::Tablan, None);
    harness.act(0);
    let honest = harness.entries.clone();
    let forged = |change: &dyn Fn(&mut Vec<Entry>)| {
        let mut entries = honest.clone();
        change(&mut entries);
        let mut client = OnlineGame::new(link(false), "", Hash256([0; 32]));
        client.opened(Duration::ZERO);
        let events = client.handle(&welcome(0, 0, &entries), Duration::ZERO);
        let is_stopped =
            events.iter().any(|event| is_untrusted(event) || *event == OnlineEvent::OtherSecret);
        assert_eq!(is_stopped, client.state() == OnlineState::Refused);
        is_stopped
    };
    assert!(!forged(&|_| ()));
    let thrown =
        honest.iter().position(|entry| matches!(entry, Entry::Thrown { .. })).expect("a throw");
    // Another throw than that of the reveals, another reveal, a throw without parts.
    assert!(forged(&|entries| {
        let Entry::Thrown { throw, .. } = &mut entries[thrown] else { return };
        *throw = if throw == "t0" { "t1" } else { "t0" }.to_owned();
    }));
    assert!(forged(&|entries| {
        let Entry::Thrown { reveal, .. } = &mut entries[thrown] else { return };
        *reveal = Hash256([5; 32]);
    }));
    assert!(forged(&|entries| drop(entries.remove(thrown - 1))));
    // A commitment in the player's name, or the other's copied.
    let committed = |side| {
        let is_it =
            move |entry: &Entry| matches!(entry, Entry::Committed { side: by, .. } if *by == side);
        honest.iter().position(is_it).expect("a commitment")
    };
    assert!(forged(&|entries| {
        let Entry::Committed { commitment, .. } = &mut entries[committed(Side::First)] else {
            return;
        };
        *commitment = Hash256([6; 32]);
    }));
    // A ply that was never played, and an undo that nobody asked for.
    let at = NOW;
    assert!(forged(&|entries| entries.push(Entry::Moved {
        text: "a1-a2".to_owned(),
        used: 0,
        at
    })));
    assert!(forged(&|entries| entries.push(Entry::Undone { plies: 0, at })));
    assert!(forged(&|entries| entries.push(Entry::Drawn)));
    // The client does not reveal its part of a later throw.
    let client = &mut harness.clients[0];
    drop(client.outgoing());
    let ask = ServerMessage::Presence { players: [true; 2], spectators: 0 };
    client.handle(&serde_json::to_string(&ask).expect("text"), Duration::ZERO);
    assert!(client.outgoing().is_empty());
}

#[test]
fn undo_draw_resignation_and_rematch_are_offered_and_answered() {
    let mut harness = Harness::joined(RuleSet::TablutAshton, Some("60,30"));
    harness.now += 1_000;
    harness.act(0);
    harness.act(0);
    harness.clients[0].offer(Offer::Undo).expect("a move to undo");
    harness.deliver_all();
    assert_eq!(harness.clients[1].log().expect("a game").offers(Side::First), [Offer::Undo]);
    harness.clients[1].answer(Offer::Undo, true).expect("an offer");
    harness.deliver_all();
    let log = harness.referee.log();
    assert!(log.session().history().is_empty() && log.offers(Side::First).is_empty());
    assert_eq!(log.session().clock().expect("a clock").left(Side::First).as_secs(), 60);
    harness.act(0);
    harness.act(0);
    harness.clients[0].offer(Offer::Undo).expect("a move to undo");
    harness.deliver_all();
    assert_eq!(harness.clients[1].open_offers(), [Offer::Undo]);
    harness.clients[1].answer(Offer::Undo, false).expect("an offer");
    assert!(harness.clients[1].open_offers().is_empty(), "it is answered, if not yet declined");
    harness.deliver_all();
    assert_eq!(harness.referee.log().session().history().len(), 2);
    harness.clients[0].offer(Offer::Undo).expect("a move to undo");
    harness.deliver_all();
    assert_eq!(std::mem::take(&mut harness.refusals), [Refusal::AlreadyOffered], "once a ply");
    harness.clients[1].offer(Offer::Draw).expect("a draw");
    harness.deliver_all();
    // A ply answers the offer.
    harness.act(3);
    harness.clients[0].answer(Offer::Draw, true).expect_err("the offer is off");
    harness.clients[1].offer(Offer::Draw).expect("a draw");
    harness.clients[0].offer(Offer::Draw).expect("a draw");
    harness.deliver_all();
    assert_eq!(harness.referee.log().session().outcome(), Some(Outcome::Agreed));
    harness.clients[1].offer(Offer::Rematch).expect("the game is over");
    harness.deliver_all();
    harness.clients[0].answer(Offer::Rematch, true).expect("an offer");
    harness.deliver_all();
    assert_eq!(harness.clients[0].side(), Some(Side::Second));
    let session = harness.clients[2].session().expect("a game");
    let clock = session.clock().expect("a clock");
    // The sides are swapped, and each player has its own time.
    assert_eq!(Side::BOTH.map(|side| clock.left(side).as_secs()), [30, 60]);
    assert_eq!(harness.player_to_act(), Some(1));
    harness.clients[1].resign().expect("a game");
    harness.deliver_all();
    let outcome = harness.referee.log().session().outcome();
    assert_eq!(outcome, Some(Outcome::Resigned(Side::First)));
    assert!(harness.refusals.is_empty(), "{:?}", harness.refusals);
}

#[test]
fn a_throw_is_never_undone_and_a_rematch_has_throws_of_its_own() {
    let mut harness = Harness::joined(RuleSet::Tablan, None);
    for number in 0..60 {
        harness.act(number);
    }
    let log = harness.referee.log();
    for side in Side::BOTH {
        let last_is_throw =
            matches!(log.session().history().plies().last(), Some(tabulae_games::Ply::Throw(_)));
        assert!(!last_is_throw || log.undo_target(side).is_none());
    }
    let first = log.commitment(Side::First);
    harness.clients[0].resign().expect("a game");
    harness.deliver_all();
    harness.clients[0].offer(Offer::Rematch).expect("over");
    harness.clients[1].offer(Offer::Rematch).expect("over");
    harness.deliver_all();
    let log = harness.referee.log();
    assert!(log.has_begun() && log.round() == 1);
    assert!(Side::BOTH.iter().all(|side| log.commitment(*side) != first));
    let record = harness.play_to_the_end();
    assert!(verify_throws(&record).expect("a proof") > Some(0));
}

#[test]
fn a_game_that_is_too_long_can_only_be_ended() {
    let mut harness = Harness::joined(RuleSet::TablutAshton, Some("60"));
    let referee = &mut harness.referee;
    let a_move = |ply, text: &str| ClientMessage::Move { round: 0, ply, text: text.to_owned() };
    let (round, offer) = (0, Offer::Undo);
    // Two players who undo their moves again and again.
    let ask = ClientMessage::Offer { round, ply: 1, offer };
    let accept = ClientMessage::Answer { round, ply: 1, offer, accept: true };
    let messages = [(0, a_move(0, "e4-f4")), (0, ask), (1, accept)];
    let mut refusal = None;
    for number in 0..100_000 {
        let (player, message) = &messages[number % messages.len()];
        match referee.answer(*player, message, NOW, NOW) {
            Ok(entries) => entries.iter().for_each(|entry| referee.apply(entry).expect("valid")),
            Err(why) => {
                refusal = Some((number % messages.len(), why));
                break;
            }
        }
    }
    let (next, refusal) = refusal.expect("refused");
    assert_eq!(refusal, Refusal::GameTooLong);
    assert_eq!(referee.log().entries(), log::MAX_ENTRIES);
    // Nobody loses on time who cannot move.
    assert_eq!(referee.time_out(NOW + 100_000), None);
    for (player, message) in messages {
        assert_ne!(referee.answer(player, &message, NOW, NOW).map(drop), Ok(()), "{message:?}");
    }
    let ply = usize::from(next > 0);
    let offer = ClientMessage::Offer { round, ply, offer: Offer::Draw };
    let accept = ClientMessage::Answer { round, ply, offer: Offer::Draw, accept: true };
    for (player, message) in [(0, offer), (1, accept)] {
        let entries = referee.answer(player, &message, NOW, NOW).expect("an end");
        entries.iter().for_each(|entry| referee.apply(entry).expect("valid"));
    }
    assert_eq!(referee.log().session().outcome(), Some(Outcome::Agreed));
    let again = ClientMessage::Offer { round, ply, offer: Offer::Rematch };
    assert_eq!(referee.answer(0, &again, NOW, NOW), Err(Refusal::GameTooLong));
}

#[test]
fn no_clock_runs_while_no_server_does() {
    let mut harness = Harness::joined(RuleSet::Tablaaza, Some("60"));
    harness.act(0);
    harness.now += 5_000;
    assert_eq!(harness.referee.elapsed(harness.now), 5_000);
    harness.referee.set_outages(vec![(NOW - 9_000, NOW + 1_000), (NOW + 2_000, NOW + 4_000)]);
    assert_eq!(harness.referee.elapsed(harness.now), 2_000);
    assert_eq!(harness.referee.time_left(harness.now), Some(58_000));
}

/// The side that has made the last ply, if that was a throw.
fn last_throw(harness: &Harness) -> Option<Side> {
    let history = harness.referee.log().session().history();
    let ply = history.len().checked_sub(1)?;
    let is_throw = matches!(history.ply(ply + 1), Some(tabulae_games::Ply::Throw(_)));
    history.at(ply).map(Game::side).filter(|_| is_throw)
}

/// A server and South let North give the parts of some throws, and then "lose" the game, as
/// after a restored backup. With other commitments, or with other plies before a throw,
/// North's known parts would make the throws that they want.
#[test]
fn after_a_lost_game_no_part_is_given_for_another_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SeatStore::in_folder(folder.path());
    let mut harness = Harness::new(RuleSet::Tablan, None);
    let own = link(false);
    let program = || {
        let secret = store.secret(&own).expect("saved");
        OnlineGame::new(own.clone(), "", secret)
    };
    harness.clients[1] = program();
    (0..3).for_each(|player| harness.open(player));
    // So long that the last throw is one of South's.
    let mut number = 0;
    while number < 12 || !matches!(last_throw(&harness), Some(Side::First)) {
        harness.act(number);
        number += 1;
    }
    let honest = harness.entries.clone();
    // What a program answers that opens the link and gets this log.
    let answers = |entries: &[Entry]| {
        let mut client = program();
        client.opened(Duration::ZERO);
        drop(client.outgoing());
        let events = client.handle(&welcome(1, 0, entries), Duration::ZERO);
        let sent = client.outgoing().join(" ");
        (events.contains(&OnlineEvent::Refused(Refusal::ThrowsKnown)), sent.contains("reveal"))
    };
    // South's throws, for which North's program gives its part by itself.
    let is_given = |entry: &usize| {
        matches!(honest[*entry], Entry::Revealed { side: Side::Second, .. })
            && matches!(honest[*entry - 1], Entry::Revealed { side: Side::First, .. })
    };
    let given: Vec<_> = (1..honest.len()).filter(is_given).collect();
    let [first, .., last] = given[..] else { panic!("two throws: {given:?}") };
    // North's program gives its last part again for the same throw: nothing new is known.
    assert_eq!(answers(&honest[..last]), (false, true));
    // The game of an earlier throw: all later ones are known.
    assert_eq!(answers(&honest[..first]), (true, false));
    // The same plies under another commitment of South's.
    let mut other = honest[..first].to_vec();
    let forged = Chain::new(Hash256([77; 32]));
    for entry in &mut other {
        match entry {
            Entry::Committed { side: Side::First, commitment, .. } => {
                *commitment = forged.commitment();
            }
            Entry::Revealed { side: Side::First, reveal, .. } => {
                *reveal = forged.reveal(1).expect("a part");
            }
            _ => {}
        }
    }
    assert_eq!(answers(&other), (true, false));
    // Another commitment of the server's.
    let Entry::Created { commitment, .. } = &mut other[0] else { panic!("no game") };
    *commitment = Some(Hash256([78; 32]));
    assert_eq!(answers(&other), (true, false));
}

/// A person who has both links, as the creator of a game has, cannot play for the other player.
#[test]
fn a_seat_belongs_to_the_device_that_has_opened_it_first_and_those_that_it_lets_in() {
    let mut harness = Harness::joined(RuleSet::TablutAshton, None);
    let devices = [1, 2, 3].map(|number| Hash256([number; 32]));
    let own = harness.referee.log().devices(1).to_vec();
    assert_eq!(own.len(), 1);
    let enter = |harness: &Harness, device| harness.referee.enter(1, device, "", NOW);
    let taken = Err(Refusal::SeatTaken(device_code(devices[0])));
    assert_eq!(enter(&harness, devices[0]), taken);
    assert_eq!(enter(&harness, own[0]), Ok(Vec::new()));
    // The player is told, and lets one of two devices in.
    for device in &devices[..2] {
        let asked = serde_json::to_string(&ServerMessage::SeatAsked { device: *device });
        let events = harness.clients[1].handle(&asked.expect("text"), Duration::ZERO);
        assert_eq!(events, [OnlineEvent::SeatAsked(device_code(*device))]);
    }
    let client = &mut harness.clients[1];
    assert_eq!(client.asking_devices(), [devices[0], devices[1]].map(device_code));
    assert_eq!(client.admit("0000"), Err(Refusal::NotOffered));
    client.admit(&device_code(devices[0]).to_lowercase()).expect("it has asked");
    harness.deliver_all();
    assert_eq!(harness.referee.log().devices(1), [own[0], devices[0]]);
    assert_eq!(enter(&harness, devices[0]), Ok(Vec::new()));
    assert!(enter(&harness, devices[1]).is_err());
    // Nobody lets a device in on the other seat, and not too many on the own one.
    assert_eq!(harness.referee.log().devices(0).len(), 1);
    for number in 10..100 {
        let admit = ClientMessage::Admit { device: Hash256([number; 32]) };
        match harness.referee.answer(1, &admit, NOW, NOW) {
            Ok(entries) => harness.store(entries),
            Err(refusal) => assert_eq!(refusal, Refusal::Full),
        }
    }
    assert_eq!(harness.referee.log().devices(1).len(), log::MAX_DEVICES);
    // A device that is refused again and again is told once.
    let taken = refusal(Refusal::SeatTaken("ABCD".to_owned()), None);
    let mut other = OnlineGame::new(link(false), "", devices[2]);
    other.opened(Duration::ZERO);
    assert_eq!(other.handle(&taken, Duration::ZERO).len(), 1);
    other.opened(Duration::ZERO);
    assert_eq!(other.handle(&taken, Duration::ZERO), []);
}

/// Somebody has prepared a game with very many rematches.
#[test]
fn a_long_series_is_limited_and_only_its_last_chain_is_made() {
    let mut harness = Harness::joined(RuleSet::Tablan, None);
    for _ in 1..log::MAX_ROUNDS {
        harness.clients[0].resign().expect("a game");
        harness.deliver_all();
        harness.clients[0].offer(Offer::Rematch).expect("over");
        harness.clients[1].offer(Offer::Rematch).expect("over");
        harness.deliver_all();
    }
    harness.clients[0].resign().expect("a game");
    harness.deliver_all();
    assert!(harness.refusals.is_empty(), "{:?}", harness.refusals);
    harness.clients[0].offer(Offer::Rematch).expect("over");
    harness.deliver_all();
    assert_eq!(harness.refusals, [Refusal::GameTooLong]);
    let before = fair::chains_made();
    Referee::new(Hash256([9; 32]), &harness.entries).expect("its own log");
    assert_eq!(fair::chains_made(), before, "a server needs none before a throw");
    let mut again = OnlineGame::new(link(false), "", Hash256([0; 32]));
    again.opened(Duration::ZERO);
    let events = again.handle(&welcome(0, 0, &harness.entries), Duration::ZERO);
    assert_eq!(events, [OnlineEvent::Connected, OnlineEvent::Begun]);
    assert_eq!(fair::chains_made(), before + 1);
}

#[test]
fn a_proof_that_was_taken_out_of_a_record_is_missed() {
    let mut harness = Harness::joined(RuleSet::Tablan, None);
    let record = harness.play_to_the_end();
    let text = record.to_string();
    let without = |tags: &[&str]| {
        let is_kept = |line: &&str| !tags.iter().any(|tag| line.starts_with(&format!("[{tag} ")));
        let text = text.lines().filter(is_kept).collect::<Vec<_>>().join("\n");
        tabulae_records::read(&text).expect("a record").remove(0)
    };
    assert!(verify_throws(&without(&[])).expect("a proof") > Some(0));
    for tags in [&[COMMITMENTS_TAG, REVEALS_TAG][..], &[COMMITMENTS_TAG], &[REVEALS_TAG]] {
        assert!(matches!(verify_throws(&without(tags)), Err(ProofError::Tag(_))), "{tags:?}");
    }
    // A record that claims nothing.
    let plain = without(&[COMMITMENTS_TAG, REVEALS_TAG, "Sticks"]);
    assert_eq!(verify_throws(&plain), Ok(None));
}

#[test]
fn a_silent_or_closed_connection_is_opened_again_once() {
    let mut game = Harness::joined(RuleSet::Tablaaza, None);
    let client = &mut game.clients[0];
    let at = Duration::from_secs;
    assert!(client.tick(at(10)));
    assert!(!client.tick(at(100)), "nothing was heard for long");
    assert!(client.tick(at(101)), "not at every tick");
    client.closed();
    assert!(client.tick(at(500)), "the connection tries again by itself");
}

#[test]
fn a_program_that_sleeps_does_not_take_its_connection_as_lost() {
    let mut game = Harness::joined(RuleSet::Tablaaza, None);
    let client = &mut game.clients[0];
    for minute in 1..5 {
        assert!(client.tick(Duration::from_mins(minute)));
        let pong = format!(r#"{{"type":"pong","id":{minute}}}"#);
        let answered = Duration::from_mins(minute) + Duration::from_millis(30);
        let events = client.handle(&pong, answered);
        assert_eq!(events, [OnlineEvent::Latency(Duration::from_millis(30))]);
    }
}

#[test]
fn without_a_connection_offers_and_resignations_are_refused_and_moves_wait() {
    let mut harness = Harness::joined(RuleSet::TablutAshton, None);
    harness.clients[0].closed();
    let client = &mut harness.clients[0];
    assert_eq!(client.offer(Offer::Draw), Err(Refusal::NotConnected));
    assert_eq!(client.resign(), Err(Refusal::NotConnected));
    send_first_move(client);
    drop(client.outgoing());
    harness.open(0);
    assert_eq!(harness.referee.log().session().history().len(), 1);
}

/// A server's refusal of a message, as text.
fn refusal(refusal: Refusal, message: Option<&ClientMessage>) -> String {
    let (reason, message) = (refusal.to_string(), message.cloned());
    let message = ServerMessage::Refused { refusal, reason, message };
    serde_json::to_string(&message).expect("text")
}

#[test]
fn an_offer_whose_answer_was_refused_can_be_answered_again() {
    let is_named = [true, false];
    let passing = [Refusal::Unavailable, Refusal::TooFast, Refusal::Late];
    for (is_named, why) in
        is_named.into_iter().flat_map(|named| passing.clone().map(|why| (named, why)))
    {
        let mut harness = Harness::joined(RuleSet::TablutAshton, None);
        harness.act(0);
        harness.clients[0].offer(Offer::Draw).expect("a draw");
        harness.deliver_all();
        let client = &mut harness.clients[1];
        client.answer(Offer::Draw, true).expect("an offer");
        let sent = client.outgoing().remove(0);
        assert!(client.open_offers().is_empty());
        // Servers of earlier versions do not say which message they have refused.
        let message = serde_json::from_str(&sent).expect("a message");
        let text = refusal(why.clone(), is_named.then_some(&message));
        client.handle(&text, Duration::ZERO);
        assert_eq!(client.open_offers(), [Offer::Draw], "{why}");
        client.answer(Offer::Draw, true).expect("the offer still stands");
        harness.deliver_all();
        let outcome = harness.referee.log().session().outcome();
        assert_eq!(outcome, Some(Outcome::Agreed), "{why}");
    }
}

#[test]
fn a_refusal_of_something_else_leaves_the_move_and_other_answers_alone() {
    let mut harness = Harness::joined(RuleSet::TablutAshton, None);
    harness.act(0);
    harness.clients[0].offer(Offer::Draw).expect("a draw");
    harness.deliver_all();
    let client = &mut harness.clients[1];
    client.answer(Offer::Draw, false).expect("an offer");
    let text = send_first_move(client);
    let (round, ply) = (0, 1);
    let accept = ClientMessage::Answer { round, ply, offer: Offer::Undo, accept: true };
    let earlier = ClientMessage::Move { round, ply: 0, text: text.clone() };
    for other in [&accept, &earlier] {
        client.handle(&refusal(Refusal::Late, Some(other)), Duration::ZERO);
        assert!(client.is_move_pending(), "{other:?}");
        assert!(client.open_offers().is_empty(), "{other:?}");
    }
    let own = ClientMessage::Move { round, ply, text };
    client.handle(&refusal(Refusal::Late, Some(&own)), Duration::ZERO);
    assert!(!client.is_move_pending());
}

#[test]
fn a_server_that_has_lost_entries_is_named() {
    let mut harness = Harness::joined(RuleSet::TablutAshton, None);
    harness.act(0);
    harness.act(0);
    let kept = harness.entries[..harness.entries.len() - 1].to_vec();
    let client = &mut harness.clients[0];
    client.closed();
    client.opened(Duration::ZERO);
    // A server sends what it has behind the client's last entry: nothing.
    let events = client.handle(&welcome(0, kept.len(), &[]), Duration::ZERO);
    assert_eq!(events, [OnlineEvent::Refused(Refusal::ServerBehind)]);
    assert_eq!(client.state(), OnlineState::Refused);
    assert!(Refusal::ServerBehind.message().localized().contains("open the link again"));
    // The link opened again shows the game that the server has.
    let mut again = OnlineGame::new(link(false), "", Hash256([0; 32]));
    again.opened(Duration::ZERO);
    assert_eq!(again.handle(&welcome(0, 0, &kept), Duration::ZERO), [OnlineEvent::Connected]);
    assert_eq!(again.session().expect("a game").history().len(), 1);
}

#[test]
fn the_words_of_a_server_are_shown_on_one_line_without_control_characters() {
    let mut harness = Harness::joined(RuleSet::TablutAshton, None);
    let client = &mut harness.clients[0];
    let escape = "\u{1b}[2J\nno";
    let events = client.handle(&refusal(Refusal::Illegal(escape.to_owned()), None), Duration::ZERO);
    let [OnlineEvent::Refused(refusal)] = &events[..] else { panic!("{events:?}") };
    let shown = refusal.message().localized();
    assert!(shown.contains("[2J") && !shown.contains(char::is_control), "{shown:?}");
    let text = r#"{"type":"\u001b[2J\n"}"#;
    let events = client.handle(text, Duration::ZERO);
    let [OnlineEvent::Untrusted(why)] = &events[..] else { panic!("{events:?}") };
    assert!(why.contains("[2J") && !why.contains(char::is_control), "{why:?}");
}

#[test]
fn a_refused_move_is_repeated_on_one_line_without_control_characters() {
    let harness = Harness::joined(RuleSet::TablutAshton, None);
    let text = "e4\u{85}\u{1b}-f4".to_owned();
    let refused = harness.referee.answer(0, &ClientMessage::Move { round: 0, ply: 0, text }, 5, 5);
    let Err(refusal) = refused else { panic!("{refused:?}") };
    assert!(!refusal.to_string().contains(char::is_control), "{refusal:?}");
}

#[test]
fn what_happened_before_is_no_news_to_a_program_that_joins() {
    let mut harness = Harness::joined(RuleSet::TablutAshton, None);
    harness.act(0);
    harness.clients[0] = OnlineGame::new(link(false), "", Hash256([0; 32]));
    harness.clients[0].opened(harness.time());
    let (text, time) = (welcome(0, 0, &harness.entries), harness.time());
    assert_eq!(harness.clients[0].handle(&text, time), [OnlineEvent::Connected]);
    assert_eq!(harness.clients[0].session().expect("a game").history().len(), 1);
}
