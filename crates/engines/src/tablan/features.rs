//! The network's inputs: sets of bits, most of them indexed by place.
//!
//! Every bit of every set is one input, 0 or 1. A move changes few of them, so
//! the hidden layer can be updated incrementally.

use tabulae_games::tablan::{GOAL_ROW, next_entry};

use super::board::{Board, SCORES};

/// Number of sets.
pub(super) const SETS: usize = 14;
/// Inputs of each set.
pub(super) const WIDTH: usize = 48;
/// Total number of inputs.
pub(super) const INPUTS: usize = SETS * WIDTH;

/// A board's inputs.
pub(super) type Inputs = [u64; SETS];

/// The inputs of a board, from the thrower's view:
///
/// | set | bits |
/// |---|---|
/// | 0, 1 | own pieces; the opponent's, each by places of their own course |
/// | 2 to 4 | own pieces that the opponent's 2, 8, 12 may capture |
/// | 5 to 7 | the opponent's pieces that an own 2, 8, 12 may capture |
/// | 8, 9 | pieces that a 2 may capture where a 2 may recapture: own; opponent |
/// | 10 | counts (see [`counts`]) |
/// | 11 | differences (see [`differences`]) |
/// | 12, 13 | pieces in relation to the goal row (see [`entering`]): own; opponent |
pub(super) fn inputs(board: Board) -> Inputs {
    let [threatened, targets] = [board.swap_sides().capturable(), board.capturable()];
    [
        board.own,
        board.opponent,
        threatened[0],
        threatened[1],
        threatened[2],
        targets[0],
        targets[1],
        targets[2],
        threatened[0] & recapture_places(board.own),
        targets[0] & recapture_places(board.opponent),
        counts(board),
        differences(board),
        entering(board),
        entering(board.swap_sides()),
    ]
}

/// Clears the inputs for threats against own pieces.
pub(super) const fn hide_threats(inputs: &mut Inputs) {
    inputs[2] = 0;
    inputs[3] = 0;
    inputs[4] = 0;
    inputs[8] = 0;
}

/// The places one or two ahead of a travelling piece.
const fn recapture_places(places: u64) -> u64 {
    let travelling = places & !GOAL_ROW;
    travelling << 1 | travelling << 2
}

/// One bit for the number of own travelling pieces (0 to 12), one for the
/// opponent's, three for the scores the thrower can use, three for the opponent's,
/// and one of sixteen for the thrower's lead in pips, in steps of twelve.
fn counts(board: Board) -> u64 {
    let [own, opponent] = board.travelling();
    let usable = |board: Board| {
        SCORES
            .iter()
            .enumerate()
            .fold(0, |bits, (at, &(score, _))| bits | u64::from(board.can_move(score)) << at)
    };
    let lead = (pip_count(board.opponent) - pip_count(board.own)).div_euclid(12).clamp(-8, 7) + 8;
    1 << own
        | 1 << (13 + opponent)
        | usable(board) << 26
        | usable(board.swap_sides()) << 29
        | 1 << (32 + lead)
}

/// The total number of places that the travelling pieces are short of the goal row.
const fn pip_count(places: u64) -> i32 {
    let travelling = places & !GOAL_ROW;
    // Sums the place numbers bit by bit: mask k has the places whose number has bit k.
    const BIT_MASKS: [u64; 6] = [
        0xaaaa_aaaa_aaaa,
        0xcccc_cccc_cccc,
        0xf0f0_f0f0_f0f0,
        0xff00_ff00_ff00,
        0x0000_ffff_0000,
        0xffff_0000_0000,
    ];
    let (mut sum, mut bit) = (0, 0);
    while bit < 6 {
        sum += ((travelling & BIT_MASKS[bit]).count_ones() as i32) << bit;
        bit += 1;
    }
    36 * travelling.count_ones() as i32 - sum
}

/// One bit of 25 for the lead in arrived pieces, and one of 23 for the lead in
/// pieces on the board.
const fn differences(board: Board) -> u64 {
    let arrived = (board.own & GOAL_ROW).count_ones() as i32
        - (board.opponent & GOAL_ROW).count_ones() as i32;
    let left = board.own.count_ones() as i32 - board.opponent.count_ones() as i32;
    let left = if left < -11 {
        -11
    } else if left > 11 {
        11
    } else {
        left
    };
    1 << (12 + arrived) | 1 << (25 + 11 + left)
}

/// Ordered Tablan: the travelling pieces, shifted so that the one open place of
/// the goal row is place 47. Plain Tablan: the pieces that some score brings
/// onto the goal row.
const fn entering(board: Board) -> u64 {
    let travelling = board.own & !GOAL_ROW;
    if board.ordered {
        travelling << next_entry(board.own).leading_zeros().saturating_sub(16)
    } else {
        let free = GOAL_ROW & !board.own;
        travelling & (free >> 1 | free >> 2 | free >> 4 | free >> 6 | free >> 8 | free >> 12)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::tablan::{ORDERED, PLAIN, Position};

    fn board(text: &str, ordered: bool) -> Board {
        Board::from_position(&Position::parse(if ordered { ORDERED } else { PLAIN }, text).unwrap())
    }

    #[test]
    fn the_pip_count_ends_at_the_last_row() {
        for place in 0..36 {
            assert_eq!(pip_count(1 << place), 36 - place, "{place}");
        }
        assert_eq!(pip_count(GOAL_ROW | 0b11), 36 + 35);
        assert_eq!(pip_count(Board::start(false).own), 12 * 36 - 66);
    }

    #[test]
    fn no_input_bit_lies_outside_its_set() {
        for ordered in [false, true] {
            for text in [
                "NNNNNNNNNNNN/12/12/SSSSSSSSSSSS s",
                "SSSSSSSSSSS1/11S/N11/1NNNNNNNNNNN n",
                "12/5S6/12/12 s",
                "SSSSSSSSSSSS/12/12/12 s",
            ] {
                for set in inputs(board(text, ordered)) {
                    assert_eq!(set >> WIDTH, 0, "{text}");
                }
            }
        }
    }

    #[test]
    fn a_threat_is_an_input_for_both_sides() {
        // South on c3, North two ahead of it on e3, no other piece near.
        let south = inputs(board("11N/2S1N7/12/S11 s", false));
        let e3 = 1 << 16;
        assert_eq!((south[5], south[6] & e3, south[9]), (e3, 0, 0));
        let north = inputs(board("11N/2S1N7/12/S11 n", false));
        assert_eq!((north[2], north[3] & e3), (e3, 0));
    }

    #[test]
    fn ordered_entry_inputs_count_from_the_open_place() {
        // The open square is b4; the piece on k3 is twelve places from it.
        let sets = inputs(board("S11/10S1/12/N11 s", true));
        assert_eq!(sets[12], 1 << (47 - 12));
    }
}
