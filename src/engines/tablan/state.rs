//! The board as the engine sees it: two words, from the view of whoever throws
//! next, and every use of a score as the board after it.
//!
//! Both sides travel alike (rules 5 and 6), so "South throws" and "North
//! throws" need no telling apart: a board is turned around when the sticks are
//! passed. That this agrees with the rules' own code is held by tests.

use crate::games::tablan::{GOAL_ROW, Position, START_ROW, opposite};

/// Every place of a course.
const BOARD: u64 = (1 << 48) - 1;

/// The scores that move pieces, with their weights of sixteen (rule 8).
pub(super) const SCORES: [(u8, f32); 3] = [(2, 4.0), (8, 1.0), (12, 1.0)];

/// The weight of a null score, of sixteen.
pub(super) const NULL: f32 = 10.0;

/// A board, seen by the side that throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The thrower's pieces, by places of his course.
    pub(super) own: u64,
    /// The other side's pieces, by places of theirs.
    pub(super) enemy: u64,
    /// Whether the last row fills in order (rules 20 and 21).
    pub(super) ordered: bool,
}

impl State {
    /// The board of a position, as the side on turn sees it.
    pub(super) fn of(position: &Position) -> Self {
        use crate::games::Game as _;
        let side = position.side();
        Self {
            own: position.places(side),
            enemy: position.places(side.other()),
            ordered: position.rules().ordered_entry,
        }
    }

    /// The start, for both sides the same.
    pub(super) const fn start(ordered: bool) -> Self {
        Self { own: START_ROW, enemy: START_ROW, ordered }
    }

    /// The same board, the other side throwing.
    pub(super) const fn turned(self) -> Self {
        Self { own: self.enemy, enemy: self.own, ordered: self.ordered }
    }

    /// How the game has ended, for the thrower: 1, 0 or -1; none if it has not,
    /// or only because nobody can ever move again, which shows when all uses
    /// are listed.
    pub(super) const fn result(self) -> Option<f32> {
        if has_arrived(self.own) || has_arrived(self.enemy) {
            return Some(self.standing());
        }
        if self.own == 0 {
            return Some(-1.0);
        }
        if self.enemy == 0 {
            return Some(1.0);
        }
        None
    }

    /// The result if the game ended here: who has more pieces on the last row.
    pub(super) const fn standing(self) -> f32 {
        let (own, enemy) =
            ((self.own & GOAL_ROW).count_ones(), (self.enemy & GOAL_ROW).count_ones());
        if own > enemy {
            1.0
        } else if own < enemy {
            -1.0
        } else {
            0.0
        }
    }

    /// What a greedy player sees in a use that led here: captures, arrivals,
    /// and the furthest square a piece has reached by it.
    pub(super) const fn greed(self, before: Self) -> (u32, u32, u32) {
        (
            before.enemy.count_ones() - self.enemy.count_ones(),
            (self.own & GOAL_ROW & !before.own).count_ones(),
            64 - (self.own & !before.own).leading_zeros(),
        )
    }

    /// Pieces still under way: the thrower's and the other side's.
    pub(super) const fn under_way(self) -> [u32; 2] {
        [(self.own & !GOAL_ROW).count_ones(), (self.enemy & !GOAL_ROW).count_ones()]
    }

    /// Shows every board that a use of the score leads to, each once; the same
    /// player throws again there (rule 14). Says whether there was any.
    pub(super) fn each_use(self, score: u8, mut visit: impl FnMut(Self)) -> bool {
        let theirs = opposite(self.enemy);
        let view = View { own: self.own, theirs, ordered: self.ordered };
        let mut any = false;
        let mut single = view.landings(score);
        while single != 0 {
            let landing = single & single.wrapping_neg();
            single ^= landing;
            any = true;
            visit(self.with(view.stepped(landing, score), landing, theirs));
        }
        let half = score / 2;
        let mut leaders = view.landings(half);
        while leaders != 0 {
            let landing = leaders & leaders.wrapping_neg();
            leaders ^= landing;
            let between = view.stepped(landing, half);
            // Where the follower takes the leader's old place, the follower
            // alone going the full score makes the same board.
            let mut followers =
                between.landings(half) & landing.wrapping_sub(1) & !(landing >> half);
            while followers != 0 {
                let second = followers & followers.wrapping_neg();
                followers ^= second;
                any = true;
                visit(self.with(between.stepped(second, half), landing | second, theirs));
            }
        }
        any
    }

    /// All those boards.
    pub(super) fn uses(self, score: u8) -> Vec<Self> {
        let mut uses = Vec::new();
        self.each_use(score, |after| uses.push(after));
        uses
    }

    /// Whether the thrower has any use for the score (rule 13).
    pub(super) fn can_use(self, score: u8) -> bool {
        let view = View { own: self.own, theirs: opposite(self.enemy), ordered: self.ordered };
        if view.landings(score) != 0 {
            return true;
        }
        let half = score / 2;
        let mut leaders = view.landings(half);
        while leaders != 0 {
            let landing = leaders & leaders.wrapping_neg();
            leaders ^= landing;
            let followers = view.stepped(landing, half).landings(half) & landing.wrapping_sub(1);
            if followers != 0 {
                return true;
            }
        }
        false
    }

    const fn with(self, view: View, landings: u64, theirs: u64) -> Self {
        let hit = landings & theirs;
        let enemy = if hit == 0 { self.enemy } else { self.enemy & !opposite(hit) };
        Self { own: view.own, enemy, ordered: self.ordered }
    }

    /// The pieces of the other side that the thrower's next score may capture,
    /// by score, on the other side's course. Whether a pair finds its second
    /// piece is not looked at.
    pub(super) const fn prey(self) -> [u64; 3] {
        let hunters = self.own & !GOAL_ROW;
        // Rule 16, and rules 20 and 21.
        let closed = if self.ordered { START_ROW | GOAL_ROW & !entry(self.own) } else { START_ROW };
        let open = BOARD & !closed;
        let reach = [
            (hunters << 1 | hunters << 2) & open,
            (hunters << 4 | hunters << 8) & open,
            (hunters << 6 | hunters << 12) & open,
        ];
        [
            opposite(reach[0]) & self.enemy,
            opposite(reach[1]) & self.enemy,
            opposite(reach[2]) & self.enemy,
        ]
    }
}

/// Whether all of a side's remaining pieces are on the last row.
const fn has_arrived(places: u64) -> bool {
    places != 0 && places & !GOAL_ROW == 0
}

/// In the ordered game, the square of the last row that is filled next; none
/// when it is full.
pub(super) const fn entry(own: u64) -> u64 {
    let free = GOAL_ROW & !own;
    if free == 0 { 0 } else { 1 << (63 - free.leading_zeros()) }
}

/// Both sides on the mover's course.
#[derive(Clone, Copy)]
struct View {
    own: u64,
    theirs: u64,
    ordered: bool,
}

impl View {
    /// Where some piece can land after `step` squares.
    const fn landings(self, step: u8) -> u64 {
        let ahead = (self.own & !GOAL_ROW) << step & BOARD;
        let open = ahead & !self.own & !(self.theirs & START_ROW);
        if self.ordered { open & (!GOAL_ROW | entry(self.own)) } else { open }
    }

    const fn stepped(self, landing: u64, step: u8) -> Self {
        Self {
            own: self.own & !(landing >> step) | landing,
            theirs: self.theirs & !landing,
            ordered: self.ordered,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
    use serde_json::Value;

    use super::*;
    use crate::games::{
        Game as _, Side, Throw, Turn,
        tablan::{ORDERED, PLAIN, Rules},
    };

    fn uses(state: State, score: u8) -> BTreeSet<(u64, u64)> {
        let (mut boards, mut shown) = (BTreeSet::new(), 0);
        let any = state.each_use(score, |after| {
            shown += 1;
            boards.insert((after.own, after.enemy));
        });
        assert_eq!(boards.len(), shown, "a board is shown twice: {state:?} {score}");
        assert_eq!((any, state.can_use(score)), (shown > 0, shown > 0), "{state:?} {score}");
        boards
    }

    /// Every use of every score, and the result, as the rules have them.
    fn check(position: &Position) {
        let state = State::of(position);
        for (score, plain) in [(2, 1), (8, 4), (12, 0)] {
            let mut expected = BTreeSet::new();
            let mut thrown = position.clone();
            thrown.apply_throw(Throw::new(plain).unwrap()).unwrap();
            for mv in thrown.legal_moves() {
                let mut after = thrown.clone();
                after.apply(mv).unwrap();
                let board = State::of(&after);
                expected.insert((board.own, board.enemy));
                check_result(&after);
            }
            assert_eq!(uses(state, score), expected, "{position} {score}");
        }
    }

    fn check_result(position: &Position) {
        let state = State::of(position);
        let stuck = |state: State| SCORES.iter().all(|&(score, _)| !state.can_use(score));
        let result = state
            .result()
            .or_else(|| (stuck(state) && stuck(state.turned())).then(|| state.standing()));
        let expected = position.end().map(|end| match end.winner {
            None => 0.0,
            Some(winner) if winner == position.side() => 1.0,
            Some(_) => -1.0,
        });
        assert_eq!(result, expected, "{position}");
        assert_eq!(state.turned().turned(), state);
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
    fn the_vectors_positions_have_the_rules_moves_and_results() {
        let mut checked = 0;
        for text in [
            include_str!("../../../tests/vectors/tablan-basic-legal.jsonl"),
            include_str!("../../../tests/vectors/tablan-ordered-legal.jsonl"),
            include_str!("../../../tests/vectors/tablan-tricky.jsonl"),
            include_str!("../../../tests/vectors/tablan-outcomes.jsonl"),
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
    fn the_positions_of_random_games_have_the_rules_moves_and_results() {
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
    fn both_sides_see_the_same_start() {
        for rules in [PLAIN, ORDERED] {
            for side in Side::BOTH {
                let state = State::of(&Position::with_first_thrower(rules, side));
                assert_eq!(state, State::start(rules.ordered_entry));
            }
        }
    }
}
