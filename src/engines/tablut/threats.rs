//! What decides at once: the king's open ways home, and the squares from which
//! Black would take him.

use super::{
    ground::{Ground, KING},
    squares::{
        ABOVE, BELOW, BESIDE, ON_LEFT, ON_RIGHT, RIGHT, UP, bit, each, file, number, places, rank,
        window,
    },
    state::{Move, State},
};

/// The king's open ways home.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ways {
    /// How many of the four directions are open.
    pub(super) open: u32,
    /// The squares between him and home, homes included.
    pub(super) squares: u128,
    /// One home he can go to.
    pub(super) home: Option<u8>,
}

impl State {
    /// The king's open ways, if it were White's turn.
    pub(super) fn king_ways(&self, ground: &Ground) -> Ways {
        let king = self.king;
        let (file, rank) = (file(king), rank(king));
        let (row, column) = self.ways(ground, KING, king);
        let across = row & ground.home_rows[rank & 15];
        let up = column & ground.home_columns[file & 15];
        let mut ways = Ways::default();
        if across | up == 0 {
            return ways;
        }
        let mut add = |line: u16, homes: u16, at: usize, place: &dyn Fn(usize) -> u8| {
            let below = (1 << at) - 1;
            for side in [below, !below & 511] {
                if homes & side != 0 {
                    ways.open += 1;
                    places(line & side).for_each(|at| ways.squares |= bit(place(at)));
                    ways.home = places(homes & side).map(place).next().or(ways.home);
                }
            }
        };
        add(row, across, file, &|at| number(at, rank));
        add(column, up, rank, &|at| number(file, at));
        ways
    }

    /// Whether the king has an open way.
    pub(super) fn king_is_free(&self, ground: &Ground) -> bool {
        let (row, column) = self.ways(ground, KING, self.king);
        (row & ground.home_rows[rank(self.king) & 15])
            | (column & ground.home_columns[file(self.king) & 15])
            != 0
    }

    /// The empty squares from which a Black who came there would take the king.
    pub(super) fn king_targets(&self, ground: &Ground) -> u128 {
        let king = self.king;
        let black = window(self.black, king);
        let hostile = black | window(ground.hostile_to_king, king);
        let on_castle = king == ground.castle;
        let by_castle = bit(king) & ground.castle_sides != 0;
        let targets = if ground.encloses || on_castle || by_castle {
            let shut = match () {
                () if ground.encloses => hostile,
                () if on_castle => black,
                () => black | window(bit(ground.castle), king),
            };
            let open = BESIDE & !shut;
            if open.is_power_of_two() { open } else { 0 }
        } else {
            let opposite = |side: u32, other: u32| if hostile & other != 0 { side } else { 0 };
            opposite(ON_LEFT, ON_RIGHT)
                | opposite(ON_RIGHT, ON_LEFT)
                | opposite(ABOVE, BELOW)
                | opposite(BELOW, ABOVE)
        };
        if targets == 0 {
            return 0;
        }
        let square = |side: u32, at: u8| if targets & side != 0 { bit(at) } else { 0 };
        (square(ON_LEFT, king - RIGHT)
            | square(BELOW, king - UP)
            | square(ABOVE, king + UP)
            | square(ON_RIGHT, king + RIGHT))
            & super::ground::BOARD
            & !self.occupied()
    }

    /// Whether a quiet move could be the one that threatens to win on the spot:
    /// White's from the king's lines, Black's to the king's side. Black's that
    /// only make way for another are not thought of.
    pub(super) fn could_threaten(&self, mv: Move) -> bool {
        let king = self.king;
        if self.black_to_move {
            king.abs_diff(mv.to()) == UP || king.abs_diff(mv.to()) == RIGHT
        } else {
            file(mv.from()) == file(king) || rank(mv.from()) == rank(king)
        }
    }

    /// A move of Black's that takes the king, if it were his turn.
    pub(super) fn king_taker(&self, ground: &Ground) -> Option<Move> {
        let mut taker = None;
        for to in each(self.king_targets(ground)) {
            self.each_mover_to(ground, true, to, |from| taker = Some(Move::new(from, to)));
        }
        taker
    }

    /// A move that wins on the spot: the king goes home, or is taken.
    pub(super) fn winning_move(&self, ground: &Ground) -> Option<Move> {
        if self.black_to_move {
            self.king_taker(ground)
        } else if self.king_is_free(ground) {
            self.king_ways(ground).home.map(|home| Move::new(self.king, home))
        } else {
            None
        }
    }

    /// Of the squares the king can go to, those with an open way home from
    /// there and those with two, as far as the men stand now. The lines he
    /// stands on himself don't count: they are shut, or he would go home.
    pub(super) fn king_prospects(&self, ground: &Ground) -> (u128, u128) {
        let king = self.king;
        let (from_file, from_rank) = (file(king), rank(king));
        let (row, column) = self.ways(ground, KING, king);
        let (mut one, mut two) = (0, 0);
        let mut look = |to: u8, at: usize, line: u16, homes: u16| {
            let below = (1 << at) - 1;
            let down = homes & below != 0 && line & below == 0;
            let up = homes & !below != 0 && line & !below & !(1 << at) == 0;
            one |= if down || up { bit(to) } else { 0 };
            two |= if down && up { bit(to) } else { 0 };
        };
        // Along his row he comes to other columns, along his column to rows.
        for at in places(row) {
            let to = number(at, from_rank);
            let walls = ground.lanes(KING, to).column_walls;
            let line = self.columns[at & 15] | walls;
            look(to, from_rank, line, ground.home_columns[at & 15]);
        }
        for at in places(column) {
            let to = number(from_file, at);
            let walls = ground.lanes(KING, to).row_walls;
            look(to, from_file, self.rows[at & 15] | walls, ground.home_rows[at & 15]);
        }
        (one, two)
    }
}
