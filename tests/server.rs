//! The server of online games, by its program, over real connections.

#[path = "server/clients.rs"]
mod clients;
#[path = "common/mod.rs"]
mod common;
#[path = "server/connections.rs"]
mod connections;
#[path = "server/dishonest.rs"]
mod dishonest;
#[path = "server/full_disk.rs"]
mod full_disk;
#[path = "server/fuzz.rs"]
mod fuzz;
#[path = "server/hostile.rs"]
mod hostile;
#[path = "server/kills.rs"]
mod kills;
#[path = "server/mine.rs"]
mod mine;
#[path = "fuzz/mutate.rs"]
mod mutate;
#[path = "server/proxies.rs"]
mod proxies;
#[path = "server/raw.rs"]
mod raw;
#[path = "fuzz/runner.rs"]
#[allow(dead_code, reason = "tests/fuzz uses the rest")]
mod runner;
#[path = "server/seats.rs"]
mod seats;
#[path = "server/several.rs"]
mod several;
#[path = "server/tls.rs"]
mod tls;

use std::time::{Duration, Instant};

use tabulae_games::{RuleSet, Side};
use tabulae_online::{Offer, OnlineState, verify_throws};

use clients::{Player, Server, create};

#[test]
fn all_games_are_played_to_their_end_with_a_spectator() {
    let server = Server::start(&Server::temporary_store());
    for rules in RuleSet::ALL {
        let mut players = create(&server, rules, Some("600+5")).map(|link| Player::new(&link));
        let started = Instant::now();
        while players.iter().any(|player| player.game.state() != OnlineState::Over) {
            players.iter_mut().for_each(Player::step);
            assert!(started.elapsed() < Duration::from_secs(120), "{rules}: {players:?}");
        }
        let record = players[2].game.log().expect("a game").record(None);
        for player in &players {
            assert_eq!(player.game.log().expect("a game").record(None), record, "{rules}");
        }
        assert_eq!(verify_throws(&record).expect("a proof").is_some(), rules.has_sticks());
    }
}

#[test]
fn presence_latency_offers_and_a_rematch_reach_everybody() {
    let server = Server::start(&Server::temporary_store());
    let mut players = create(&server, RuleSet::Tablan, None).map(|link| Player::idle(&link));
    let everybody = |players: &mut [Player; 3], wanted: &dyn Fn(&Player) -> bool| {
        let started = Instant::now();
        while !players.iter().all(wanted) {
            players.iter_mut().for_each(Player::step);
            assert!(started.elapsed() < Duration::from_secs(30), "{players:?}");
        }
    };
    everybody(&mut players, &|player| {
        player.game.state() == OnlineState::Playing
            && Side::BOTH.iter().all(|side| player.game.is_present(*side))
            && player.game.spectators() == 1
            && player.game.latency().is_some()
    });
    players[0].game.resign().expect("a game");
    everybody(&mut players, &|player| player.game.state() == OnlineState::Over);
    players[1].game.offer(Offer::Rematch).expect("over");
    everybody(&mut players, &|player| {
        player.game.log().expect("a game").offers(Side::Second) == [Offer::Rematch]
    });
    players[0].game.answer(Offer::Rematch, true).expect("an offer");
    everybody(&mut players, &|player| player.game.state() == OnlineState::Playing);
    assert_eq!(players[0].game.side(), Some(Side::Second));
    // Away, and nobody is left behind.
    players[1].disconnect();
    everybody(&mut players, &|player| {
        player.is_disconnected()
            || !player.game.is_present(player.game.log().expect("a game").side_of(1))
    });
}

#[test]
fn the_clock_of_a_player_who_has_left_runs_out() {
    let server = Server::start(&Server::temporary_store());
    let mut players = create(&server, RuleSet::Tablan, Some("1")).map(|link| Player::idle(&link));
    let started = Instant::now();
    while players[2].game.state() != OnlineState::Playing {
        players.iter_mut().for_each(Player::step);
        assert!(started.elapsed() < Duration::from_secs(30), "{players:?}");
    }
    // The clocks run after the first ply.
    while !players[0].game.may_throw() {
        players.iter_mut().for_each(Player::step);
        assert!(started.elapsed() < Duration::from_secs(30), "{players:?}");
    }
    players[0].game.throw().expect("a throw is due");
    while players[2].game.session().is_none_or(|session| session.history().is_empty()) {
        players.iter_mut().for_each(Player::step);
        assert!(started.elapsed() < Duration::from_secs(30), "{players:?}");
    }
    let side = players[2].game.waits_for().expect("the game goes on");
    let player = players[2].game.log().expect("a game").player_of(side);
    players[player].disconnect();
    while players[2].game.state() != OnlineState::Over {
        players.iter_mut().for_each(Player::step);
        assert!(started.elapsed() < Duration::from_secs(30), "{players:?}");
    }
    let outcome = players[2].game.session().expect("a game").outcome();
    assert_eq!(outcome, Some(tabulae_session::Outcome::TimedOut(side)));
}
