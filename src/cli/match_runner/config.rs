//! The settings that all games of a match share.

use std::time::Duration;

use crate::games::{RuleSet, Side};

use super::player::Player;

/// The settings of a match.
#[derive(Clone, Debug)]
pub(super) struct MatchConfig {
    pub(super) rules: RuleSet,
    pub(super) players: [Player; 2],
    pub(super) movetime: Duration,
    /// How long a program may take to start, and by how much it may overrun its
    /// time for a move.
    pub(super) patience: Duration,
    /// Search threads of each built-in level.
    pub(super) threads: usize,
    /// Transposition table of each built-in level, in MiB.
    pub(super) hash_mib: usize,
    pub(super) seed: u64,
    /// Number of random opening moves.
    pub(super) opening_moves: usize,
    /// A game that reaches this length is a draw.
    pub(super) max_plies: usize,
}

impl MatchConfig {
    /// The player of a side in game `number`, counted from 0.
    pub(super) fn player(&self, number: usize, side: Side) -> &Player {
        &self.players[usize::from(side != side_of_first(number))]
    }

    /// The seed of a game's opening and sticks, the same for both games of a pair.
    pub(super) const fn pair_seed(&self, number: usize) -> u64 {
        self.seed.wrapping_add((number / 2) as u64)
    }

    /// A player and its side for messages: `club (White)`.
    pub(super) fn describe_player(&self, number: usize, side: Side) -> String {
        format!("{} ({})", self.player(number, side), self.rules.side_name(side))
    }
}

/// The side of the match's first player in game `number`: the players swap
/// sides after each game.
pub(super) const fn side_of_first(number: usize) -> Side {
    if number.is_multiple_of(2) { Side::First } else { Side::Second }
}
