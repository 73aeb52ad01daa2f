//! Thinking about Tablan: a learned judgement, a look ahead over the throws,
//! and the end worked out.
//!
//! Equity is what a position is worth on average, from -1 (lost) over 0 (even,
//! or a draw) to 1 (won); scores are told in hundredths of it.
//!
//! - `state` is the board as two words, and every use of a score.
//! - `features` and `network` are the judgement: a small network, whose weights
//!   come with the program, one set for each rule set (`assets/engines`).
//! - `throws` is one throw ahead, the null scores solved; `search` goes deeper
//!   and `run_in` to the end, where few pieces are under way.
//! - `rival` reads how the other side plays, and `replies` learns what pays
//!   against it.
//! - `skill` is what the levels lack.
//! - `learning` and `learner` make the weights ([`Training`]), `review` tells
//!   luck from skill in a game that was played ([`review`]).

mod features;
mod learner;
mod learning;
mod network;
mod replies;
mod review;
mod rival;
mod run_in;
mod search;
mod skill;
mod state;
mod thought;
mod throws;

pub use learning::Training;
pub use review::{Choice, Review, Sums, Toss, review};
pub use rival::{ParseStyleError, Style};
pub(super) use thought::think;

use std::sync::{LazyLock, Mutex};

use network::Network;
use run_in::RunIn;

/// The weights that come with the program.
fn weights(ordered: bool) -> &'static Network {
    static PLAIN: LazyLock<Network> =
        LazyLock::new(|| unpack(include_bytes!("../../../assets/engines/tablan-plain.net")));
    static ORDERED: LazyLock<Network> =
        LazyLock::new(|| unpack(include_bytes!("../../../assets/engines/tablan-ordered.net")));
    if ordered { &ORDERED } else { &PLAIN }
}

/// Reads weights. That those shipped can be read is held by a test; a network
/// that finds everything equal plays on where they could not.
fn unpack(bytes: &[u8]) -> Network {
    Network::read(bytes).unwrap_or_else(Network::blank)
}

/// Boards of the run-in solved for earlier moves; a game comes back to them.
static SOLVED: LazyLock<Mutex<RunIn>> = LazyLock::new(Mutex::default);

#[cfg(test)]
mod tests {
    use super::{features::inputs, state::State, *};

    #[test]
    fn the_weights_that_ship_can_be_read() {
        for ordered in [false, true] {
            assert_ne!(*weights(ordered), Network::blank());
        }
        assert_ne!(weights(false), weights(true));
    }

    #[test]
    fn the_weights_that_ship_know_what_matters() {
        for ordered in [false, true] {
            let network = weights(ordered);
            let judge = |own, enemy| {
                network.sum(&network.layer(inputs(State { own, enemy, ordered })).sums).tanh()
            };
            let row = State::start(ordered).own;
            // Even, but for the right to throw.
            assert!(judge(row, row).abs() < 0.1);
            // Three pieces more, under way.
            let (all, some) = (0b1101_1011_0110 << 20, 0b1100_0010_0010 << 20);
            assert!(judge(all, some) > 0.3 && judge(some, all) < -0.3);
            // Ten home against six, with two to come.
            let (many, few) = (0xffc << 36 | 3 << 30, 0xfc0 << 36 | 3 << 30);
            assert!(judge(many, few) > 0.5 && judge(few, many) < -0.5);
        }
    }
}
