//! What the network is told of a board: sets of bits, most of them by places.
//!
//! Every bit of every set is one input, 0 or 1. A move changes few of them, so
//! a board's first layer is its parent's with a few rows added and taken away.

use crate::games::tablan::GOAL_ROW;

use super::state::{SCORES, State, entry};

/// How many sets.
pub(super) const SETS: usize = 14;
/// Inputs of a set.
pub(super) const WIDTH: usize = 48;
/// All inputs.
pub(super) const INPUTS: usize = SETS * WIDTH;

/// A board's inputs.
pub(super) type Inputs = [u64; SETS];

/// The inputs of a board, seen by the thrower. In order:
///
/// | set | bits |
/// |---|---|
/// | 0, 1 | own pieces; enemy pieces, each by places of their own course |
/// | 2 to 4 | own pieces that an enemy score of 2, 8, 12 may capture |
/// | 5 to 7 | enemy pieces that an own score of 2, 8, 12 may capture |
/// | 8, 9 | of the pieces a 2 may capture those that a 2 may avenge |
/// | 10 | counts (see [`counts`]) |
/// | 11 | differences (see [`differences`]) |
/// | 12, 13 | the last row's needs (see [`entering`]): own; enemy |
pub(super) fn inputs(state: State) -> Inputs {
    let [hunted, hunting] = [state.turned().prey(), state.prey()];
    [
        state.own,
        state.enemy,
        hunted[0],
        hunted[1],
        hunted[2],
        hunting[0],
        hunting[1],
        hunting[2],
        hunted[0] & backed(state.own),
        hunting[0] & backed(state.enemy),
        counts(state),
        differences(state),
        entering(state),
        entering(state.turned()),
    ]
}

/// Takes away what tells of own pieces in reach.
pub(super) const fn overlook(inputs: &mut Inputs) {
    inputs[2] = 0;
    inputs[3] = 0;
    inputs[4] = 0;
    inputs[8] = 0;
}

/// Places one or two squares ahead of a piece that still moves.
const fn backed(places: u64) -> u64 {
    let moving = places & !GOAL_ROW;
    moving << 1 | moving << 2
}

/// One bit for the number of own pieces under way (0 to 12), one for the
/// enemy's, three for the scores the thrower can use, three for the enemy's,
/// and one of sixteen for who is ahead in steps to go, by dozens.
fn counts(state: State) -> u64 {
    let [own, enemy] = state.under_way();
    let usable = |state: State| {
        SCORES
            .iter()
            .enumerate()
            .fold(0, |bits, (at, &(score, _))| bits | u64::from(state.can_use(score)) << at)
    };
    let lead = (way(state.enemy) - way(state.own)).div_euclid(12).clamp(-8, 7) + 8;
    1 << own
        | 1 << (13 + enemy)
        | usable(state) << 26
        | usable(state.turned()) << 29
        | 1 << (32 + lead)
}

/// The steps all pieces together need to the last row.
const fn way(places: u64) -> i32 {
    let moving = places & !GOAL_ROW;
    // The sum of the places, digit by digit: bit k of a place's number.
    const DIGITS: [u64; 6] = [
        0xaaaa_aaaa_aaaa,
        0xcccc_cccc_cccc,
        0xf0f0_f0f0_f0f0,
        0xff00_ff00_ff00,
        0x0000_ffff_0000,
        0xffff_0000_0000,
    ];
    let (mut sum, mut digit) = (0, 0);
    while digit < 6 {
        sum += ((moving & DIGITS[digit]).count_ones() as i32) << digit;
        digit += 1;
    }
    36 * moving.count_ones() as i32 - sum
}

/// One bit of 25 for how many more pieces have arrived than the enemy's, one of
/// 23 for how many more are left.
const fn differences(state: State) -> u64 {
    let home =
        (state.own & GOAL_ROW).count_ones() as i32 - (state.enemy & GOAL_ROW).count_ones() as i32;
    let left = state.own.count_ones() as i32 - state.enemy.count_ones() as i32;
    let left = if left < -11 {
        -11
    } else if left > 11 {
        11
    } else {
        left
    };
    1 << (12 + home) | 1 << (25 + 11 + left)
}

/// In the ordered game the pieces under way by their distance from the one
/// square that is open to them, as if it were place 47. In the plain game the
/// pieces that some score brings onto the last row.
const fn entering(state: State) -> u64 {
    let moving = state.own & !GOAL_ROW;
    if state.ordered {
        moving << entry(state.own).leading_zeros().saturating_sub(16)
    } else {
        let free = GOAL_ROW & !state.own;
        moving & (free >> 1 | free >> 2 | free >> 4 | free >> 6 | free >> 8 | free >> 12)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tablan::{ORDERED, PLAIN, Position};

    fn state(text: &str, ordered: bool) -> State {
        State::of(&Position::parse(if ordered { ORDERED } else { PLAIN }, text).unwrap())
    }

    #[test]
    fn the_way_is_counted_to_the_last_row() {
        for place in 0..36 {
            assert_eq!(way(1 << place), 36 - place, "{place}");
        }
        assert_eq!(way(GOAL_ROW | 0b11), 36 + 35);
        assert_eq!(way(State::start(false).own), 12 * 36 - 66);
    }

    #[test]
    fn inputs_stay_in_their_sets() {
        for ordered in [false, true] {
            for text in [
                "NNNNNNNNNNNN/12/12/SSSSSSSSSSSS s",
                "SSSSSSSSSSS1/11S/N11/1NNNNNNNNNNN n",
                "12/5S6/12/12 s",
                "SSSSSSSSSSSS/12/12/12 s",
            ] {
                for set in inputs(state(text, ordered)) {
                    assert_eq!(set >> WIDTH, 0, "{text}");
                }
            }
        }
    }

    #[test]
    fn a_piece_in_reach_is_seen_from_both_sides() {
        // South on c3, North two ahead of him on e3, nobody else near.
        let south = inputs(state("11N/2S1N7/12/S11 s", false));
        let e3 = 1 << 16;
        assert_eq!((south[5], south[6] & e3, south[9]), (e3, 0, 0));
        let north = inputs(state("11N/2S1N7/12/S11 n", false));
        assert_eq!((north[2], north[3] & e3), (e3, 0));
    }

    #[test]
    fn the_ordered_row_is_entered_at_its_far_end() {
        // The next square is b4; the piece on k3 needs twelve steps to it.
        let sets = inputs(state("S11/10S1/12/N11 s", true));
        assert_eq!(sets[12], 1 << (47 - 12));
    }
}
