//! Clients and servers that are killed at any time: no ply is lost or doubled.

use std::time::{Duration, Instant};

use serde_json::Value;
use tabulae_games::RuleSet;
use tabulae_online::OnlineState;

use super::{
    clients::{Player, Server, create},
    raw::RawClient,
};

/// Games at once.
const TABLES: usize = 10;

struct Table {
    players: [Player; 3],
}

/// Plays so many games, and kills a server or a client again and again.
fn play_with_kills(games: usize, kills: usize) {
    let store = Server::temporary_store();
    let mut server = Server::start(&store);
    let rules = |game: usize| RuleSet::ALL[game % RuleSet::ALL.len()];
    let (mut started, mut ended, mut killed) = (0, 0, 0);
    let mut tables: Vec<Table> = Vec::new();
    let mut numbers = 1_u64;
    let mut random = |below: usize| {
        // Knuth's generator.
        numbers = numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(numbers >> 33).expect("31 bits") % below
    };
    let mut last = Instant::now();
    let begun = Instant::now();
    while ended < games {
        while tables.len() < TABLES && started < games {
            let links = create(&server, rules(started), None);
            tables.push(Table { players: links.map(|link| Player::new(&link)) });
            started += 1;
        }
        for table in &mut tables {
            table.players.iter_mut().for_each(Player::step);
        }
        let pause = Duration::from_millis(20 + random(200) as u64);
        if killed < kills && last.elapsed() > pause {
            match random(8) {
                0 => server.kill_and_restart(),
                _ => {
                    let table = random(tables.len());
                    tables[table].players[random(3)].kill_and_restart();
                }
            }
            killed += 1;
            last = Instant::now();
        }
        // A game is over after its end, or after 60 plies that all have seen.
        tables.retain_mut(|table| {
            let [one, two, watch] = &mut table.players;
            let is_over = one.game.state() == OnlineState::Over || one.seen.len() >= 60;
            if !is_over {
                return true;
            }
            let all = one.seen.len().max(two.seen.len());
            let is_same = |player: &Player| player.seen.len() == all;
            if !is_same(one) || !is_same(two) || !is_same(watch) {
                return true;
            }
            // Every step has compared each ply with what the player had seen.
            assert_eq!(one.seen, two.seen);
            assert_eq!(one.seen, watch.seen);
            ended += 1;
            false
        });
        assert!(begun.elapsed() < Duration::from_secs(1_800), "{ended} games, {killed} kills");
    }
    assert!(killed >= kills.min(games / 2), "{killed} kills");
}

#[test]
fn no_ply_is_lost_or_doubled_when_clients_and_servers_are_killed() {
    play_with_kills(30, 30);
}

#[test]
#[ignore = "minutes"]
fn killed_200_times_in_200_games() {
    play_with_kills(200, 200);
}

#[test]
fn a_server_that_has_stopped_leaves_all_games_in_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let mut server = Server::start(&store("games.db"));
    let tickets = RawClient::create(server.address(), "tablaaza", Value::Null);
    // Somebody is still there.
    let mut player = RawClient::enter(server.address(), &tickets[0], 'a');
    player.next_of("welcome");
    server.stop();
    let copied = std::fs::copy(folder.path().join("games.db"), folder.path().join("copy.db"));
    copied.expect("copied");
    let server = Server::start(&store("copy.db"));
    let welcome = RawClient::enter(server.address(), &tickets[2], 'a').next_of("welcome");
    let entries: Vec<_> = welcome["entries"].as_array().expect("entries").iter().collect();
    assert!(entries.iter().any(|entry| entry["entry"] == "joined"), "{entries:?}");
}
