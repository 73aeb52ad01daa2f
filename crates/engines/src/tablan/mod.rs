//! The Tablan engine: a neural network, an expectation search over the throws,
//! and an exact solver for the endgame.
//!
//! An *equity* is the average result of a position: -1 is lost, 0 is even or a
//! draw, 1 is won. [`Score::Points`](super::Score::Points) reports it in
//! hundredths.
//!
//! - `board`: the position as two bitboards, and move generation.
//! - `features`, `network`: the evaluation network and its inputs. The weights
//!   are built in, one set for each rule set (`assets/engines`).
//! - `throws`: the look-ahead of one throw, with null scores solved.
//! - `search`: the look-ahead of several decisions; `root` runs it, move by move.
//! - `bearoff`: exact equities for positions with few travelling pieces.
//! - `skill`: the limits of each level.
//! - `training`, `learner`: TD(λ) self-play training ([`Training`]).
//! - `review`: luck and errors of a finished game ([`review()`]).
//! - `rollout`: moves measured and compared by playing on ([`roll_out_moves`],
//!   [`roll_out`]).

mod bearoff;
mod board;
mod features;
mod learner;
mod network;
mod review;
mod rollout;
mod root;
mod search;
mod skill;
mod throws;
mod training;

pub use review::{MoveReview, Review, ReviewTotals, ThrowReview, review};
pub use rollout::{MoveRollout, RolloutDifference, equity, rank_moves, roll_out, roll_out_moves};
pub(super) use root::search_position;
pub use training::Training;

use std::sync::LazyLock;

use tabulae_games::RuleSet;

use super::rule_sets::tablan_data;
use network::Network;

/// The built-in network of a rule set.
fn builtin_network(ordered: bool) -> &'static Network {
    static PLAIN: LazyLock<Network> = LazyLock::new(|| read_network(RuleSet::Tablan));
    static ORDERED: LazyLock<Network> = LazyLock::new(|| read_network(RuleSet::TablanOrdered));
    if ordered { &ORDERED } else { &PLAIN }
}

fn read_network(rules: RuleSet) -> Network {
    parse_builtin(tablan_data(rules).map_or(&[], |data| data.network))
}

/// Loads the built-in network of a rule set, which its first search needs.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn load_network(ordered: bool) {
    builtin_network(ordered);
}

/// Parses a built-in network. A test ensures that all of them parse; the
/// fallback evaluates every board as even.
fn parse_builtin(bytes: &[u8]) -> Network {
    Network::from_bytes(bytes).unwrap_or_else(Network::zeroed)
}

#[cfg(test)]
mod tests {
    use super::{board::Board, features::inputs, *};

    #[test]
    fn built_in_networks_parse() {
        for ordered in [false, true] {
            assert_ne!(*builtin_network(ordered), Network::zeroed());
        }
        assert_ne!(builtin_network(false), builtin_network(true));
    }

    #[test]
    fn built_in_networks_value_material_and_arrivals() {
        for ordered in [false, true] {
            let network = builtin_network(ordered);
            let equity = |own, opponent| network.equity(inputs(Board { own, opponent, ordered }));
            let row = Board::start(ordered).own;
            // Even, except for the right to throw.
            assert!(equity(row, row).abs() < 0.1);
            // Three more travelling pieces.
            let (all, some) = (0b1101_1011_0110 << 20, 0b1100_0010_0010 << 20);
            assert!(equity(all, some) > 0.3 && equity(some, all) < -0.3);
            // Ten arrived pieces against six, with two still travelling.
            let (many, few) = (0xffc << 36 | 3 << 30, 0xfc0 << 36 | 3 << 30);
            assert!(equity(many, few) > 0.5 && equity(few, many) < -0.5);
        }
    }
}
