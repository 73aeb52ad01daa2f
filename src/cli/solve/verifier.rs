//! The verifier of whole games: plays the winner's moves against every reply.
//!
//! Architecture invariant: it is independent of the engine. It knows the rules alone,
//! and finds the symmetries of the corridors by itself. The moves come from an oracle
//! that need not be trusted: one that does not win is found out.

use std::{
    collections::{HashMap, HashSet},
    iter,
};

use crate::games::{Side, tablaaza::Board};

/// The largest number of positions that the exhaustive search stores.
const MAX_STORED: usize = 8 << 20;
/// Positions between two calls of the progress report.
const PROGRESS_INTERVAL: usize = 1 << 16;
/// Squares of a bitboard.
const BITS: usize = 64;

/// The squares of a bitboard, lowest first.
fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    iter::from_fn(move || {
        let square = (set != 0).then_some(set.trailing_zeros());
        set &= set.wrapping_sub(1);
        square
    })
}

/// A map of the squares that keeps the game, as a table: by byte of a bitboard and its
/// value, the squares that these become.
type SymmetryTable = Vec<[u64; 256]>;

/// The game once the neighbourly rule no longer binds: the free squares and the side to
/// move decide what is legal. Sets of squares are bitboards, bit `8 * rank + file`.
pub(super) struct FreeSquaresGame {
    board: &'static Board,
    symmetries: Vec<SymmetryTable>,
}

impl FreeSquaresGame {
    pub(super) fn new(board: &'static Board) -> Self {
        let symmetries = symmetries(board);
        let table = |images: &[usize; BITS]| {
            let mut table = vec![[0; 256]; usize::from(board.ranks())];
            for square in squares(board.playing()) {
                let square = square as usize;
                for (byte, becomes) in table[square / 8].iter_mut().enumerate() {
                    *becomes |= u64::from(byte >> (square % 8) & 1 == 1) << images[square];
                }
            }
            table
        };
        Self { board, symmetries: symmetries.iter().map(table).collect() }
    }

    /// The squares on which the side may play.
    const fn own(&self, free: u64, side: Side) -> u64 {
        free & self.board.coloured(side)
    }

    /// The free squares after a stone of the side on one of them.
    fn after(&self, free: u64, square: u32, side: Side) -> u64 {
        let left = free & !(1 << square);
        left & !self.board.raised(!left, side)
    }

    /// Equal for symmetric sets of squares: the least of all images.
    pub(super) fn canonical(&self, free: u64) -> u64 {
        let image = |table: &SymmetryTable| {
            let bytes = table.iter().zip(free.to_le_bytes());
            bytes.fold(0, |image, (becomes, byte)| image | becomes[usize::from(byte)])
        };
        self.symmetries.iter().map(image).min().unwrap_or(free)
    }
}

/// By square, the squares of the other colour that share a corridor with it. They alone
/// decide when a pavilion closes it.
fn neighbours(board: &Board) -> [u64; BITS] {
    let mut neighbours = [0; BITS];
    for side in Side::BOTH {
        for square in squares(board.coloured(side)) {
            neighbours[square as usize] = board.corridors_at(square) & board.coloured(side.other());
        }
    }
    neighbours
}

/// All maps of the squares onto themselves that keep colours and neighbours, as the image
/// of each square. So a legal move becomes a legal one and closes the images of the squares
/// that it closed. The neighbourly rule is not kept.
fn symmetries(board: &Board) -> Vec<[usize; BITS]> {
    let neighbours = neighbours(board);
    // Each square follows one of its neighbours, so that few images fit it.
    let (mut order, mut open) = (Vec::new(), Vec::new());
    for first in squares(board.playing()) {
        open.push(first);
        while let Some(square) = open.pop() {
            if !order.contains(&square) {
                order.push(square);
                open.extend(squares(neighbours[square as usize]));
            }
        }
    }
    let mut found = Vec::new();
    map_next(board, &neighbours, &order, &mut Vec::new(), &mut found);
    found
}

/// Adds all maps that begin with these images of the first squares of the order.
fn map_next(
    board: &Board,
    neighbours: &[u64; BITS],
    order: &[u32],
    images: &mut Vec<u32>,
    found: &mut Vec<[usize; BITS]>,
) {
    let Some(&square) = order.get(images.len()) else {
        let mut map = [0; BITS];
        for (&square, &image) in order.iter().zip(&*images) {
            map[square as usize] = image as usize;
        }
        found.push(map);
        return;
    };
    let sees = |one: u32, other: u32| neighbours[one as usize] >> other & 1;
    let is_red = |square: u32| board.coloured(Side::First) >> square & 1;
    for image in squares(board.playing()) {
        let fits = is_red(square) == is_red(image)
            && !images.contains(&image)
            && order.iter().zip(&*images).all(|(&earlier, &earlier_image)| {
                sees(square, earlier) == sees(image, earlier_image)
            });
        if fits {
            images.push(image);
            map_next(board, neighbours, order, images, found);
            images.pop();
        }
    }
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

/// Verifies that a side wins, with the moves of an oracle.
pub(super) struct Verifier<'a> {
    game: &'a FreeSquaresGame,
    winner: Side,
    /// Positions with at most this many free squares are searched exhaustively.
    floor: u32,
    search: ExhaustiveSearch,
    /// The positions with the loser to move that can arise, by their canonical free
    /// squares. One of each set of symmetric positions is played through.
    lost: HashSet<u64>,
    on_progress: &'a mut dyn FnMut(usize),
}

impl<'a> Verifier<'a> {
    /// `on_progress` is called now and then with the number of positions verified.
    pub(super) fn new(
        game: &'a FreeSquaresGame,
        winner: Side,
        floor: u32,
        on_progress: &'a mut dyn FnMut(usize),
    ) -> Self {
        let (search, lost) = (ExhaustiveSearch::new(), HashSet::new());
        Self { game, winner, floor, search, lost, on_progress }
    }

    /// The positions with the loser to move that are verified so far, by their canonical
    /// free squares.
    pub(super) const fn lost(&self) -> &HashSet<u64> {
        &self.lost
    }

    /// Verifies that the winner, who is to move, wins.
    ///
    /// # Errors
    /// The position in which the oracle's moves fail, and how. What is verified so far is
    /// worthless then.
    pub(super) fn verify(&mut self, free: u64, oracle: &mut Oracle<'_>) -> Result<(), String> {
        let (game, winner) = (self.game, self.winner);
        if free.count_ones() <= self.floor {
            let wins = self.search.wins(game, free, winner);
            return wins.then_some(()).ok_or_else(|| format!("the winner loses {free:014x}"));
        }
        let own = game.own(free, winner);
        let is_verified =
            |square| self.lost.contains(&game.canonical(game.after(free, square, winner)));
        if squares(own).any(is_verified) {
            return Ok(());
        }
        let square = oracle(free, winner).ok_or_else(|| format!("no move for {free:014x}"))?;
        if own.checked_shr(square).unwrap_or(0) & 1 == 0 {
            return Err(format!("illegal move to square {square} in {free:014x}"));
        }
        let free = game.after(free, square, winner);
        self.lost.insert(game.canonical(free));
        if self.lost.len().is_multiple_of(PROGRESS_INTERVAL) {
            (self.on_progress)(self.lost.len());
        }
        let loser = winner.other();
        for square in squares(game.own(free, loser)) {
            self.verify(game.after(free, square, loser), oracle)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::*;
    use crate::games::tablaaza::LAKES;

    /// Free squares after random moves, with Red to move and about this many left.
    fn random_squares(game: &FreeSquaresGame, count: u32, rng: &mut ChaCha8Rng) -> u64 {
        let mut free = LAKES.playing();
        while free.count_ones() > count {
            for side in Side::BOTH {
                let own = game.own(free, side);
                let number = own.count_ones() as usize;
                if number == 0 {
                    return free;
                }
                let square = squares(own).nth(rng.random_range(0..number)).expect("free");
                free = game.after(free, square, side);
            }
        }
        free
    }

    #[test]
    fn ninety_six_symmetries_keep_moves_and_what_they_close() {
        let symmetries = symmetries(&LAKES);
        assert_eq!(symmetries.iter().collect::<HashSet<_>>().len(), 96);
        let game = FreeSquaresGame::new(&LAKES);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for count in [40, 30, 20, 10].repeat(10) {
            let free = random_squares(&game, count, &mut rng);
            for map in &symmetries {
                let image = |set| squares(set).fold(0, |all, at| all | 1 << map[at as usize]);
                assert_eq!(game.canonical(image(free)), game.canonical(free));
                for side in Side::BOTH {
                    assert_eq!(game.own(image(free), side), image(game.own(free, side)));
                    for square in squares(game.own(free, side)) {
                        let mapped = map[square as usize] as u32;
                        let after = game.after(image(free), mapped, side);
                        assert_eq!(after, image(game.after(free, square, side)));
                    }
                }
            }
        }
    }

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
    fn winning_moves_are_verified_and_a_wrong_one_is_found_out() {
        let game = FreeSquaresGame::new(&LAKES);
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let (mut verified, mut found_out) = (0, 0);
        for _ in 0..60 {
            let free = random_squares(&game, 16, &mut rng);
            let mut search = ExhaustiveSearch::new();
            let wins = search.wins(&game, free, Side::First);
            let mut right = |free, side| winning_square(&game, &mut search, free, side);
            let mut ignore = |_| ();
            let result = Verifier::new(&game, Side::First, 4, &mut ignore).verify(free, &mut right);
            assert_eq!(result.is_ok(), wins, "{free:x}");
            verified += u32::from(wins);
            // Plays the lowest square instead.
            let mut wrong = |free, side| squares(game.own(free, side)).next();
            let result = Verifier::new(&game, Side::First, 0, &mut ignore).verify(free, &mut wrong);
            assert!(wins || result.is_err(), "{free:x}");
            found_out += u32::from(wins && result.is_err());
            let mut illegal = |_, _| Some(63);
            let verified = Verifier::new(&game, Side::First, 0, &mut ignore);
            let error = { verified }.verify(free, &mut illegal).expect_err("not a free square");
            assert!(error.contains("illegal move") || free.count_ones() == 0, "{error}");
        }
        assert!(verified > 10 && found_out > 5, "{verified} {found_out}");
    }
}
