//! What a quiet state is worth: a sum of named terms, see
//! [`weights`](super::weights).

use super::{
    ground::{BLACK, Ground, KING, WHITE},
    squares::{bit, count, each, file, hits, number, places, rank, reach, window},
    state::State,
    weights::{
        BLACK_MEN, FORKS, KING_REACH, LONE_GUARDS, OWN_SIDES, PROSPECTS, SHUT_SIDES, TAKERS, TEMPO,
        UNVEILED, WHITE_MEN, king_at, soldier_at,
    },
};

/// Men on a full board, the king aside.
pub(super) const FULL: i32 = 24;

impl State {
    /// The worth for the side to move, in hundredths of a white soldier.
    pub(super) fn evaluate(&self, ground: &Ground) -> i32 {
        let mut sums = self.placing;
        self.each_term(ground, |number| {
            for (sum, weight) in sums.iter_mut().zip(ground.weights.term(number)) {
                *sum += weight;
            }
        });
        let men = i32::from(self.men()).min(FULL);
        let slide = |many: i32, few: i32| (many * men + few * (FULL - men)) / FULL;
        if self.black_to_move { -slide(sums[2], sums[3]) } else { slide(sums[0], sums[1]) }
    }

    /// Calls for the number of every weight that counts here, places aside.
    fn each_term(&self, ground: &Ground, mut call: impl FnMut(usize)) {
        let king = self.king;
        call(TEMPO);
        call(WHITE_MEN + usize::from(self.whites).min(8));
        call(BLACK_MEN + usize::from(self.blacks).min(16));

        let (row, column) = self.ways(ground, KING, king);
        call(KING_REACH + count(row) + count(column));

        let zone = match bit(king) {
            here if here == bit(ground.castle) => 0,
            here if here & ground.castle_sides != 0 => 5,
            _ => 10,
        };
        let shut = window(self.black | ground.hostile_to_king, king).count_ones() as usize;
        call(SHUT_SIDES + zone + shut);
        call(OWN_SIDES + window(self.white, king).count_ones() as usize);

        let (one, two) = self.king_prospects(ground);
        call(PROSPECTS + (one.count_ones() as usize).min(8));
        if two != 0 {
            call(FORKS + (two.count_ones() as usize).min(4));
        }

        let (unveiled, guards) = self.barred_ways(ground);
        call(UNVEILED + unveiled);
        call(LONE_GUARDS + guards);

        let targets = self.king_targets(ground);
        if targets != 0 {
            let reached = if self.king_taker(ground).is_some() { 4 } else { 0 };
            call(TAKERS + reached + (targets.count_ones() as usize).min(3));
        }
    }

    /// The king's ways home that one man alone bars: a white one, a black one.
    fn barred_ways(&self, ground: &Ground) -> (usize, usize) {
        let king = self.king;
        let (file, rank) = (file(king), rank(king));
        let lanes = ground.lanes(KING, king);
        let (mut white, mut black) = (0, 0);
        let mut look =
            |at: usize, line: u16, walls: u16, homes: u16, place: &dyn Fn(usize) -> u8| {
                if homes == 0 {
                    return;
                }
                let bars = hits(at, line | walls) & line;
                let beyond = reach(at, line & !bars | walls) & homes;
                if beyond == 0 {
                    return;
                }
                let below = (1 << at) - 1;
                for side in [below, !below & 511] {
                    if beyond & side != 0 {
                        for bar in places(bars & side) {
                            let is_black = self.black & bit(place(bar)) != 0;
                            *(if is_black { &mut black } else { &mut white }) += 1;
                        }
                    }
                }
            };
        let (row, column) = (self.rows[rank & 15], self.columns[file & 15]);
        look(file, row, lanes.row_walls, ground.home_rows[rank & 15], &|at| number(at, rank));
        look(rank, column, lanes.column_walls, ground.home_columns[file & 15], &|at| {
            number(file, at)
        });
        (white, black)
    }

    /// The numbers of all weights that count here: what the weights are fitted
    /// by.
    pub(super) fn weights_that_count(&self, ground: &Ground) -> Vec<u16> {
        let mut numbers = Vec::with_capacity(40);
        self.each_term(ground, |number| numbers.push(number as u16));
        numbers.push(king_at(self.king) as u16);
        for (kind, men) in [(WHITE, self.white), (BLACK, self.black)] {
            numbers.extend(each(men).map(|at| soldier_at(kind, self.king, at) as u16));
        }
        numbers
    }
}
