//! The verifier of whole games: plays the winner's moves against every reply.
//!
//! Architecture invariant: it is independent of the engine. The moves come from an oracle
//! that need not be trusted: one that does not win is found out.

use std::collections::HashMap;

use foldhash::{HashSet, HashSetExt as _};

use super::{
    free_squares::{FreeSquaresGame, GraphCode, MAX_GRAPH_SQUARES, half_turn, squares},
    game_values::{Sum, Value, Values},
};
use tabulae_games::Side;

/// The largest number of positions that the exhaustive search stores.
const MAX_STORED: usize = 8 << 20;
/// The largest number of won positions that the verifier stores.
const MAX_WON: usize = 1 << 25;
/// Positions between two calls of the progress report.
const PROGRESS_INTERVAL: usize = 1 << 16;

/// What identifies a position with Green to move: the same key, the same winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// Up to symmetry, the squares of the large regions.
    Squares(u64, Value),
    /// Their graph: edges in two words, which take less room than a `u128`, and the size.
    Graph([u64; 2], [u8; 2], Value),
}

/// Names a move in a position, given by its free squares and the side to move; none if
/// it knows no winning one.
pub(super) type Oracle<'a> = dyn FnMut(u64, Side) -> Option<u32> + 'a;

/// Exhaustive search with memoization.
pub(super) struct ExhaustiveSearch {
    /// By canonical free squares and the side to move: whether it wins.
    known: HashMap<(u64, Side), bool>,
}

impl ExhaustiveSearch {
    pub(super) fn new() -> Self {
        Self { known: HashMap::new() }
    }

    /// Whether the side to move wins.
    pub(super) fn wins(&mut self, game: &FreeSquaresGame, free: u64, side: Side) -> bool {
        let key = (game.canonical(free), side);
        if let Some(wins) = self.known.get(&key) {
            return *wins;
        }
        let wins = squares(game.own(free, side))
            .any(|square| !self.wins(game, game.after(free, square, side), side.other()));
        if self.known.len() >= MAX_STORED {
            self.known.clear();
        }
        self.known.insert(key, wins);
        wins
    }
}

/// Verifies who wins, with the moves of an oracle. It plays as Red: positions that Green
/// wins are turned by half a turn, which exchanges the colours.
pub(super) struct Verifier<'a> {
    game: &'a FreeSquaresGame,
    values: Values,
    /// The keys of the positions with Green to move that were played through; of those with
    /// the same key only one was.
    lost: HashSet<Key>,
    /// The canonical free squares of those with at least `min_kept` free squares.
    pub(super) kept: HashSet<u64>,
    min_kept: u32,
    /// The free squares of positions with Red to move that were played through.
    won: HashSet<u64>,
    on_progress: &'a mut dyn FnMut(usize),
}

impl<'a> Verifier<'a> {
    /// `on_progress` is called now and then with the number of positions verified.
    pub(super) fn new(
        game: &'a FreeSquaresGame,
        min_kept: u32,
        on_progress: &'a mut dyn FnMut(usize),
    ) -> Self {
        let (lost, kept, won) = (HashSet::new(), HashSet::new(), HashSet::new());
        Self { game, values: Values::new(), lost, kept, min_kept, won, on_progress }
    }

    /// The number of different positions, by key, that are verified lost so far.
    pub(super) fn verified(&self) -> usize {
        self.lost.len()
    }

    /// Takes a position with Green to move for lost that an earlier run verified.
    pub(super) fn add_lost(&mut self, free: u64) {
        let sum = self.values.split(self.game, free);
        let key = self.key(sum);
        self.add(free, key);
    }

    fn add(&mut self, free: u64, key: Key) {
        self.lost.insert(key);
        if free.count_ones() >= self.min_kept {
            self.kept.insert(self.game.canonical(free));
        }
    }

    fn key(&self, Sum { large, small }: Sum) -> Key {
        if large.count_ones() > MAX_GRAPH_SQUARES {
            return Key::Squares(self.game.canonical(large), small);
        }
        let GraphCode { edges, size } = self.game.graph_code(large, Side::First);
        Key::Graph([edges as u64, (edges >> 64) as u64], size, small)
    }

    /// Whether Green, who is to move, is known to lose.
    fn is_verified(&mut self, free: u64) -> bool {
        let sum = self.values.split(self.game, free);
        if sum.large == 0 {
            return !self.values.wins_moving_first(sum.small, Side::Second);
        }
        self.lost.contains(&self.key(sum))
    }

    /// Verifies that the winner, who is to move, wins.
    ///
    /// # Errors
    /// The position in which the oracle's moves fail, and how. What is verified so far is
    /// worthless then.
    pub(super) fn verify_win(
        &mut self,
        free: u64,
        winner: Side,
        oracle: &mut Oracle<'_>,
    ) -> Result<(), String> {
        self.red_wins(as_red(free, winner), oracle)
    }

    /// Verifies that the opponent of the winner, who is to move, loses.
    ///
    /// # Errors
    /// As [`Verifier::verify_win`].
    pub(super) fn verify_loss(
        &mut self,
        free: u64,
        winner: Side,
        oracle: &mut Oracle<'_>,
    ) -> Result<(), String> {
        self.green_loses(as_red(free, winner), oracle)
    }

    fn red_wins(&mut self, free: u64, oracle: &mut Oracle<'_>) -> Result<(), String> {
        if self.won.contains(&free) {
            return Ok(());
        }
        let (game, own) = (self.game, self.game.own(free, Side::First));
        let after = |square| game.after(free, square, Side::First);
        if !squares(own).any(|square| self.is_verified(after(square))) {
            let square = oracle(free, Side::First);
            let square = square.ok_or_else(|| format!("no move for {free:014x}"))?;
            if own.checked_shr(square).unwrap_or(0) & 1 == 0 {
                return Err(format!("illegal move to square {square} in {free:014x}"));
            }
            self.green_loses(after(square), oracle)?;
        }
        if self.won.len() >= MAX_WON {
            self.won.clear();
        }
        self.won.insert(free);
        Ok(())
    }

    fn green_loses(&mut self, free: u64, oracle: &mut Oracle<'_>) -> Result<(), String> {
        let sum = self.values.split(self.game, free);
        if sum.large == 0 {
            let wins = self.values.wins_moving_first(sum.small, Side::Second);
            let error = || format!("{free:014x} is not lost for the side to move");
            return if wins { Err(error()) } else { Ok(()) };
        }
        let key = self.key(sum);
        if self.lost.contains(&key) {
            return Ok(());
        }
        for reply in self.undominated_replies(free) {
            self.red_wins(reply, oracle)?;
        }
        // Not before: a smaller position below this one may have the same key, and would
        // count as verified by itself.
        self.add(free, key);
        let verified = self.verified();
        if verified.is_multiple_of(PROGRESS_INTERVAL) {
            (self.on_progress)(verified);
        }
        Ok(())
    }

    /// The free squares after each reply of Green, except those that are no better for Green
    /// than another and leave the same large regions.
    fn undominated_replies(&mut self, free: u64) -> Vec<u64> {
        let mut best: Vec<(u64, Sum)> = Vec::new();
        for square in squares(self.game.own(free, Side::Second)) {
            let reply = self.game.after(free, square, Side::Second);
            let sum = self.values.split(self.game, reply);
            let values = &mut self.values;
            let mut is_no_worse = |one: Sum, other: Sum| {
                one.large == other.large && values.is_no_worse(Side::Second, one.small, other.small)
            };
            if !best.iter().any(|&(_, other)| is_no_worse(other, sum)) {
                best.retain(|&(_, other)| !is_no_worse(sum, other));
                best.push((reply, sum));
            }
        }
        best.into_iter().map(|(reply, _)| reply).collect()
    }
}

/// The free squares as Red sees them, if the winner is to be Red.
const fn as_red(free: u64, winner: Side) -> u64 {
    match winner {
        Side::First => free,
        Side::Second => half_turn(free),
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::{super::free_squares::tests::random_squares, *};
    use tabulae_games::tablaaza::LAKES;

    /// The first winning move by exhaustive search.
    fn winning_square(
        game: &FreeSquaresGame,
        search: &mut ExhaustiveSearch,
        free: u64,
        side: Side,
    ) -> Option<u32> {
        squares(game.own(free, side))
            .find(|&square| !search.wins(game, game.after(free, square, side), side.other()))
    }

    #[test]
    fn no_oracle_makes_a_lost_position_won() {
        let game = FreeSquaresGame::new(&LAKES);
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut values, mut search) = (Values::new(), ExhaustiveSearch::new());
        let mut lost = 0;
        while lost < 200 {
            let free = random_squares(&game, 18, &mut rng);
            let sum = values.split(&game, free);
            // Large and small regions, so that both sides can move in the small ones.
            if sum.large == 0 || sum.large == free || search.wins(&game, free, Side::First) {
                continue;
            }
            lost += 1;
            let mut any = |free, side| {
                let own = game.own(free, side);
                let number = own.count_ones() as usize;
                (number > 0).then(|| squares(own).nth(rng.random_range(0..number)))?
            };
            let mut ignore = |_| ();
            let result =
                Verifier::new(&game, 0, &mut ignore).verify_win(free, Side::First, &mut any);
            assert!(result.is_err(), "{free:x}");
        }
    }

    /// A smaller position with the same sum must not be taken for verified meanwhile.
    #[test]
    fn a_position_counts_only_after_the_replies_to_it() {
        let game = FreeSquaresGame::new(&LAKES);
        let free = random_squares(&game, 30, &mut ChaCha8Rng::seed_from_u64(6));
        let mut answers = 3;
        let mut silent_after_three = |free, side| {
            answers -= 1;
            if answers < 0 { None } else { squares(game.own(free, side)).next() }
        };
        let mut ignore = |_| ();
        let mut verifier = Verifier::new(&game, 0, &mut ignore);
        let error = verifier.verify_win(free, Side::First, &mut silent_after_three);
        let error = error.expect_err("no answer");
        assert!(error.contains("no move"), "{error}");
        assert_eq!(verifier.verified(), 0);
    }

    #[test]
    fn sums_are_won_by_whom_the_exhaustive_search_says() {
        let game = FreeSquaresGame::new(&LAKES);
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut values, mut search) = (Values::new(), ExhaustiveSearch::new());
        let (mut sums, mut wins) = (0, 0);
        for _ in 0..400 {
            let free = random_squares(&game, 18, &mut rng);
            let sum = values.split(&game, free);
            for side in Side::BOTH {
                if sum.large == 0 {
                    let expected = search.wins(&game, free, side);
                    assert_eq!(values.wins_moving_first(sum.small, side), expected, "{free:x}");
                    sums += u32::from(game.region(free) != free);
                    wins += u32::from(expected);
                }
            }
        }
        assert!(sums > 40 && wins > 40 && wins < 200, "{sums} {wins}");
    }

    #[test]
    fn positions_with_equal_keys_have_the_same_winner() {
        let game = FreeSquaresGame::new(&LAKES);
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut ignore = |_| ();
        let mut verifier = Verifier::new(&game, u32::MAX, &mut ignore);
        let mut search = ExhaustiveSearch::new();
        let mut known = HashMap::new();
        let mut same = 0;
        for _ in 0..3000 {
            let free = random_squares(&game, 16, &mut rng);
            let sum = verifier.values.split(&game, free);
            let wins = search.wins(&game, free, Side::Second);
            if let Some((other, expected)) = known.insert(verifier.key(sum), (free, wins)) {
                assert_eq!(wins, expected, "{free:x} {other:x}");
                same += u32::from(game.canonical(free) != game.canonical(other));
            }
        }
        assert!(same > 100, "{same}");
    }

    #[test]
    fn winning_moves_are_verified_and_a_wrong_one_is_found_out() {
        let game = FreeSquaresGame::new(&LAKES);
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let (mut verified, mut found_out, mut illegal_moves) = ([0; 2], 0, 0);
        for number in 0..60 {
            let free = random_squares(&game, 20, &mut rng);
            let side = Side::BOTH[number % 2];
            let mut search = ExhaustiveSearch::new();
            let wins = search.wins(&game, free, side);
            let mut ignore = |_| ();
            let mut result = |oracle: &mut Oracle<'_>| {
                Verifier::new(&game, 0, &mut ignore).verify_win(free, side, oracle)
            };
            let right = result(&mut |free, side| winning_square(&game, &mut search, free, side));
            assert_eq!(right.is_ok(), wins, "{free:x}");
            verified[side.index()] += u32::from(wins);
            // Plays the lowest square instead.
            let wrong = result(&mut |free, side| squares(game.own(free, side)).next());
            assert!(wins || wrong.is_err(), "{free:x}");
            found_out += u32::from(wins && wrong.is_err());
            if let Err(error) = result(&mut |_, _| Some(63)) {
                assert!(error.contains("illegal move"), "{error}");
                illegal_moves += 1;
            }
        }
        assert!(
            verified[0] > 5 && verified[1] > 5 && found_out > 5 && illegal_moves > 30,
            "{verified:?} {found_out} {illegal_moves}"
        );
    }
}
