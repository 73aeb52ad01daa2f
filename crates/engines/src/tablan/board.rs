//! The position as two bitboards, from the view of the side that throws next, and
//! move generation.
//!
//! Both sides travel the same course (rules 5 and 6), so the engine does not
//! distinguish South from North: it swaps the sides when the sticks are passed.
//! Tests compare moves and results with the rules' own code.

use std::convert::Infallible;

use tabulae_games::{
    Game as _,
    tablan::{
        self, COURSE, GOAL_ROW, Move, MoverBoard, Position, START_ROW, next_entry, opposite,
        score_weight,
    },
};

/// The scores that move pieces, with their weights in sixteenths.
pub(super) const SCORES: [(u8, f32); 3] = {
    let [two, eight, twelve] = tablan::SCORES;
    [weighted(two), weighted(eight), weighted(twelve)]
};

const fn weighted(score: u8) -> (u8, f32) {
    (score, score_weight(score) as f32)
}

/// The weight of a null score, which passes the sticks, in sixteenths.
pub(super) const PASS_WEIGHT: f32 = score_weight(0) as f32;

/// A board from the view of the side that throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Board {
    /// The thrower's pieces, by places of its own course.
    pub(super) own: u64,
    /// The opponent's pieces, by places of the opponent's course.
    pub(super) opponent: u64,
    /// Whether the goal row fills in order (rules 20 and 21).
    pub(super) ordered: bool,
}

impl Board {
    /// The board of a position, from the view of the side on turn.
    pub(super) fn from_position(position: &Position) -> Self {
        let side = position.side();
        Self {
            own: position.places(side),
            opponent: position.places(side.other()),
            ordered: position.rules().ordered_entry,
        }
    }

    /// The board after a legal move of a position, seen by the mover, who throws again.
    pub(super) fn after_move(position: &Position, mv: Move) -> Self {
        let mut after = position.clone();
        after.play_unchecked(mv);
        Self::from_position(&after)
    }

    /// The start position, the same for both sides.
    pub(super) const fn start(ordered: bool) -> Self {
        Self { own: START_ROW, opponent: START_ROW, ordered }
    }

    /// The same board with the opponent to throw.
    pub(super) const fn swap_sides(self) -> Self {
        Self { own: self.opponent, opponent: self.own, ordered: self.ordered }
    }

    /// The result for the thrower if the game is over: 1, 0 or -1.
    ///
    /// Does not detect a deadlock, where neither side has a successor for any score.
    pub(super) const fn result(self) -> Option<f32> {
        if all_arrived(self.own) || all_arrived(self.opponent) {
            return Some(self.arrivals_result());
        }
        if self.own == 0 {
            return Some(-1.0);
        }
        if self.opponent == 0 {
            return Some(1.0);
        }
        None
    }

    /// The result if the game ended here: the side with more pieces on its last
    /// row wins.
    pub(super) const fn arrivals_result(self) -> f32 {
        let (own, opponent) =
            ((self.own & GOAL_ROW).count_ones(), (self.opponent & GOAL_ROW).count_ones());
        if own > opponent {
            1.0
        } else if own < opponent {
            -1.0
        } else {
            0.0
        }
    }

    /// What a greedy player maximises, compared in this order: captures, arrivals and
    /// the furthest place that a piece reached with the move from `before`.
    pub(super) const fn greedy_key(self, before: Self) -> (u32, u32, u32) {
        (
            before.opponent.count_ones() - self.opponent.count_ones(),
            (self.own & GOAL_ROW & !before.own).count_ones(),
            64 - (self.own & !before.own).leading_zeros(),
        )
    }

    /// The numbers of pieces not yet on their goal row: the thrower's and the
    /// opponent's.
    pub(super) const fn travelling(self) -> [u32; 2] {
        [(self.own & !GOAL_ROW).count_ones(), (self.opponent & !GOAL_ROW).count_ones()]
    }

    /// Visits the board after every move with this score, each board once. The same
    /// side throws again there (rule 14). Returns whether there was one.
    pub(super) fn for_each_successor(self, score: u8, mut visit: impl FnMut(Self)) -> bool {
        let Ok(any) = self.try_for_each_successor(score, |after| {
            visit(after);
            Ok::<_, Infallible>(())
        });
        any
    }

    /// As [`Board::for_each_successor`], but stops at the first error.
    pub(super) fn try_for_each_successor<E>(
        self,
        score: u8,
        mut visit: impl FnMut(Self) -> Result<(), E>,
    ) -> Result<bool, E> {
        let opponent = opposite(self.opponent);
        let pieces = MoverBoard { own: self.own, opponent, ordered: self.ordered };
        let mut any = false;
        // One piece moves the full score.
        let mut single = pieces.landings(score);
        while single != 0 {
            let landing = take_lowest(&mut single);
            any = true;
            visit(self.after(pieces.stepped(landing, score), landing & opponent))?;
        }
        // Two pieces move half the score each: a leader, then a piece behind it.
        let half = score / 2;
        let mut leaders = pieces.landings(half);
        while leaders != 0 {
            let landing = take_lowest(&mut leaders);
            let between = pieces.stepped(landing, half);
            // A follower that takes the leader's old place gives the same board as
            // moving the follower alone by the full score.
            let mut followers =
                between.landings(half) & landing.wrapping_sub(1) & !(landing >> half);
            while followers != 0 {
                let second = take_lowest(&mut followers);
                any = true;
                let captured = (landing | second) & opponent;
                visit(self.after(between.stepped(second, half), captured))?;
            }
        }
        Ok(any)
    }

    /// The boards after every move with this score.
    pub(super) fn successors(self, score: u8) -> Vec<Self> {
        let mut successors = Vec::new();
        self.for_each_successor(score, |after| successors.push(after));
        successors
    }

    /// Whether the thrower has a move with this score (rule 13).
    pub(super) fn can_move(self, score: u8) -> bool {
        self.try_for_each_successor(score, |_| Err(())).is_err()
    }

    /// The board after a move that led to these pieces and made these captures, by
    /// places of the thrower's course.
    const fn after(self, pieces: MoverBoard, captured: u64) -> Self {
        let opponent =
            if captured == 0 { self.opponent } else { self.opponent & !opposite(captured) };
        Self { own: pieces.own, opponent, ordered: self.ordered }
    }

    /// The opponent's pieces that each score of the thrower may capture, by places of
    /// the opponent's course. Does not check whether a move of two pieces has a second
    /// piece.
    pub(super) const fn capturable(self) -> [u64; 3] {
        let attackers = self.own & !GOAL_ROW;
        // Rule 16, and rules 20 and 21.
        let closed =
            if self.ordered { START_ROW | GOAL_ROW & !next_entry(self.own) } else { START_ROW };
        let open = ((1 << COURSE) - 1) & !closed;
        let reach = [
            (attackers << 1 | attackers << 2) & open,
            (attackers << 4 | attackers << 8) & open,
            (attackers << 6 | attackers << 12) & open,
        ];
        [
            opposite(reach[0]) & self.opponent,
            opposite(reach[1]) & self.opponent,
            opposite(reach[2]) & self.opponent,
        ]
    }
}

/// Whether all of a side's remaining pieces are on their goal row.
const fn all_arrived(places: u64) -> bool {
    places != 0 && places & !GOAL_ROW == 0
}

/// Removes the lowest bit and returns it.
const fn take_lowest(bits: &mut u64) -> u64 {
    let lowest = *bits & bits.wrapping_neg();
    *bits ^= lowest;
    lowest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
    use serde_json::Value;

    use super::*;
    use tabulae_games::{
        Side, Throw, Turn,
        tablan::{ORDERED, PLAIN, Rules},
    };

    /// The boards after every move with this score; also checks that each is
    /// visited once and that `can_move` agrees.
    fn successors(board: Board, score: u8) -> BTreeSet<(u64, u64)> {
        let (mut boards, mut visited) = (BTreeSet::new(), 0);
        let any = board.for_each_successor(score, |after| {
            visited += 1;
            boards.insert((after.own, after.opponent));
        });
        assert_eq!(boards.len(), visited, "visited twice: {board:?} {score}");
        assert_eq!((any, board.can_move(score)), (visited > 0, visited > 0), "{board:?} {score}");
        boards
    }

    /// Compares the moves of every score, and the result, with the rules' code.
    fn check(position: &Position) {
        let board = Board::from_position(position);
        for (score, plain) in [(2, 1), (8, 4), (12, 0)] {
            let mut expected = BTreeSet::new();
            let mut thrown = position.clone();
            thrown.apply_throw(Throw::new(plain).unwrap()).unwrap();
            for mv in thrown.legal_moves() {
                let mut after = thrown.clone();
                after.apply(mv).unwrap();
                let after_board = Board::from_position(&after);
                expected.insert((after_board.own, after_board.opponent));
                check_result(&after);
            }
            assert_eq!(successors(board, score), expected, "{position} {score}");
        }
    }

    fn check_result(position: &Position) {
        let board = Board::from_position(position);
        let stuck = |board: Board| SCORES.iter().all(|&(score, _)| !board.can_move(score));
        let result = board.result().or_else(|| {
            (stuck(board) && stuck(board.swap_sides())).then(|| board.arrivals_result())
        });
        let expected = position.end().map(|end| match end.winner {
            None => 0.0,
            Some(winner) if winner == position.side() => 1.0,
            Some(_) => -1.0,
        });
        assert_eq!(result, expected, "{position}");
        assert_eq!(board.swap_sides().swap_sides(), board);
    }

    fn vector(case: &Value) -> Position {
        let rules: &'static Rules = if case["variant"] == "ordered" { ORDERED } else { PLAIN };
        let text = case["pos"].as_str().unwrap();
        let (rows, side) = text.split_once(' ').unwrap();
        let rows: Vec<_> = rows
            .split('/')
            .map(|row| {
                (1..=12).rev().fold(row.to_owned(), |row, run| {
                    row.replace(&".".repeat(run), &run.to_string())
                })
            })
            .collect();
        Position::parse(rules, &format!("{} {}", rows.join("/"), side.to_lowercase())).unwrap()
    }

    #[test]
    fn moves_and_results_match_the_rules_in_the_test_vectors() {
        let mut checked = 0;
        for text in [
            include_str!("../../../../tests/vectors/tablan-basic-legal.jsonl"),
            include_str!("../../../../tests/vectors/tablan-ordered-legal.jsonl"),
            include_str!("../../../../tests/vectors/tablan-tricky.jsonl"),
            include_str!("../../../../tests/vectors/tablan-outcomes.jsonl"),
        ] {
            for line in text.lines() {
                let position = vector(&serde_json::from_str(line).unwrap());
                check_result(&position);
                if position.end().is_none() {
                    check(&position);
                    checked += 1;
                }
            }
        }
        assert!(checked > 100, "{checked}");
    }

    #[test]
    fn moves_and_results_match_the_rules_in_random_games() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let mut checked = 0;
        for game in 0..40 {
            let rules = if game % 2 == 0 { PLAIN } else { ORDERED };
            let mut position = Position::start(rules);
            loop {
                match position.turn() {
                    Turn::Over(_) => break,
                    Turn::Throw(_) => {
                        if !position.throwing_off() {
                            check(&position);
                            checked += 1;
                        }
                        let throw = Throw::ALL[rng.random_range(0..Throw::ALL.len())];
                        position.apply_throw(throw).unwrap();
                    }
                    Turn::Move(_) => {
                        let moves = position.legal_moves();
                        position.apply(moves[rng.random_range(0..moves.len())]).unwrap();
                    }
                }
            }
            check_result(&position);
        }
        assert!(checked > 4000, "{checked}");
    }

    #[test]
    fn both_sides_start_with_the_same_board() {
        for rules in [PLAIN, ORDERED] {
            for side in Side::BOTH {
                let board = Board::from_position(&Position::with_first_thrower(rules, side));
                assert_eq!(board, Board::start(rules.ordered_entry));
            }
        }
    }
}
