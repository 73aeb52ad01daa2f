//! The creator of a game has the links of both seats, and may not play for the other player.

use serde_json::{Value, json};

use super::{clients::Server, raw::RawClient};

#[test]
fn the_creator_of_a_game_cannot_act_on_the_seat_that_a_friend_has_opened() {
    let server = Server::start(&Server::temporary_store());
    let address = server.address();
    let tickets = RawClient::create(address, "tablut/ashton", Value::Null);
    let mut creator = RawClient::enter(address, &tickets[0], 'c');
    creator.next_of("welcome");
    let mut friend = RawClient::enter(address, &tickets[1], 'f');
    friend.next_of("welcome");
    // The creator opens the friend's link.
    let mut thief = RawClient::enter(address, &tickets[1], 'c');
    let refused = thief.next_of("refused");
    assert_eq!(refused["refusal"]["code"], "seat-taken", "{refused}");
    assert_eq!(thief.next(), None, "the connection ends");
    let asked = friend.next_of("seat-asked");
    // A second device of the friend's asks, too, and is let in.
    let mut telephone = RawClient::enter(address, &tickets[1], 't');
    assert_eq!(telephone.next_of("refused")["refusal"]["code"], "seat-taken");
    friend.send(&json!({"type": "admit", "device": asked["device"]}));
    friend.next_of("entries");
    let mut admitted = RawClient::enter(address, &tickets[1], 'c');
    assert_eq!(admitted.next_of("welcome")["player"], 1);
    // Without a device nobody sits down.
    let mut nobody = RawClient::open(address).expect("a server");
    nobody.send(&json!({"type": "hello", "version": 2, "ticket": tickets[0]}));
    assert_eq!(nobody.next_of("refused")["refusal"]["code"], "malformed");
    // A spectator needs none.
    let mut spectator = RawClient::open(address).expect("a server");
    spectator.send(&json!({"type": "hello", "version": 2, "ticket": tickets[2]}));
    assert_eq!(spectator.next_of("welcome")["player"], Value::Null);
}

#[test]
fn a_claim_outlasts_the_server() {
    let mut server = Server::start(&Server::temporary_store());
    let tickets = RawClient::create(server.address(), "tablaaza", Value::Null);
    RawClient::enter(server.address(), &tickets[1], 'f').next_of("welcome");
    server.kill_and_restart();
    let mut thief = RawClient::enter(server.address(), &tickets[1], 'c');
    assert_eq!(thief.next_of("refused")["refusal"]["code"], "seat-taken");
    RawClient::enter(server.address(), &tickets[1], 'f').next_of("welcome");
}
