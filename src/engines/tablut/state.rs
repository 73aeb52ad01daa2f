//! A position as the search sees it: sets of squares, the rows and columns as
//! bits, a key and the network's hidden sums kept up to date move by move.
//!
//! A move makes a new state from the old one, which stays: it is less than two
//! hundred bytes, and nothing has to be taken back.

use crate::games::tablut::{Army, Move as RulesMove, Position};

use super::{
    ground::{BLACK, Ground, KING, WHITE, set},
    network::{HIDDEN, Sums, add, shift, subtract},
    squares::{
        ABOVE, BELOW, NOWHERE, NUMBERS, ON_LEFT, ON_RIGHT, RIGHT, UP, beside, bit, each, file, of,
        rank, square, window,
    },
};

/// A move by the numbers of its squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Move(pub(super) u16);

impl Move {
    /// No move.
    pub(super) const NONE: Self = Self(0);
    /// Codes are below this.
    pub(super) const CODES: usize = NUMBERS * 32;

    pub(super) const fn new(from: u8, to: u8) -> Self {
        Self((from as u16) << 7 | to as u16)
    }

    pub(super) const fn from(self) -> u8 {
        (self.0 >> 7) as u8 & 127
    }

    pub(super) const fn to(self) -> u8 {
        self.0 as u8 & 127
    }

    /// A number of the move, so small that tables by it stay in the cache: the
    /// square it begins on and the place on its row or column where it ends.
    pub(super) fn code(self) -> usize {
        let (from, to) = (self.from(), self.to());
        let place = if file(from) == file(to) { rank(to) } else { 16 + file(to) };
        (usize::from(from) << 5 | place) & (Self::CODES - 1)
    }

    /// How many squares it goes.
    pub(super) fn length(self) -> usize {
        let (from, to) = (self.from(), self.to());
        file(from).abs_diff(file(to)) + rank(from).abs_diff(rank(to))
    }

    pub(super) fn of(mv: RulesMove) -> Self {
        Self::new(of(mv.from()), of(mv.to()))
    }

    pub(super) const fn to_rules(self) -> RulesMove {
        RulesMove::new(square(self.from()), square(self.to()))
    }
}

/// The keys of what stands where.
static KEYS: [[u64; NUMBERS]; 3] = {
    let mut keys = [[0; NUMBERS]; 3];
    let mut kind = 0;
    while kind < 3 {
        let mut at = 0;
        while at < NUMBERS {
            keys[kind][at] = mixed((kind * NUMBERS + at) as u64);
            at += 1;
        }
        kind += 1;
    }
    keys
};

/// In the key when Black is to move.
pub(super) const TURN_KEY: u64 = mixed(1_001);

/// SplitMix64: a well mixed number for every counter.
const fn mixed(counter: u64) -> u64 {
    let mut z = counter.wrapping_add(0x7ab1_0000).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// White's soldiers.
    pub(super) white: u128,
    pub(super) black: u128,
    pub(super) key: u64,
    /// What is not empty, by row and by column.
    pub(super) rows: [u16; 16],
    pub(super) columns: [u16; 16],
    /// What the men's places add up to in the network, see
    /// [`Network`](super::network::Network).
    pub(super) sums: Sums,
    /// The king's square, [`NOWHERE`] once he is taken.
    pub(super) king: u8,
    pub(super) black_to_move: bool,
    /// Soldiers of each side.
    pub(super) whites: u8,
    pub(super) blacks: u8,
}

impl State {
    pub(super) fn of(position: &Position, ground: &Ground) -> Self {
        let (white, black) = (position.white_soldiers(), position.black_soldiers());
        let king = position.king().map_or(NOWHERE, of);
        let black_to_move = position.to_move() == Army::Black;
        Self::new(ground, set(white), set(black), king, black_to_move)
    }

    /// The position with these soldiers, and the king where he is or nowhere.
    pub(super) fn new(
        ground: &Ground,
        white: u128,
        black: u128,
        king: u8,
        black_to_move: bool,
    ) -> Self {
        let mut state = Self {
            white,
            black,
            key: mixed(2_000 + ground.rules.set as u64),
            rows: [0; 16],
            columns: [0; 16],
            sums: [0; HIDDEN],
            king,
            black_to_move,
            whites: white.count_ones() as u8,
            blacks: black.count_ones() as u8,
        };
        for (kind, men) in state.armies() {
            for at in each(men) {
                state.flip(at);
                state.key ^= KEYS[kind][usize::from(at)];
            }
        }
        if state.black_to_move {
            state.key ^= TURN_KEY;
        }
        state.rejudged(ground)
    }

    pub(super) const fn king_bit(&self) -> u128 {
        if self.king == NOWHERE { 0 } else { bit(self.king) }
    }

    pub(super) const fn occupied(&self) -> u128 {
        self.white | self.black | self.king_bit()
    }

    /// The men of the side to move.
    pub(super) const fn movers(&self) -> u128 {
        if self.black_to_move { self.black } else { self.white | self.king_bit() }
    }

    pub(super) const fn men(&self) -> u8 {
        self.whites + self.blacks
    }

    /// What kind of piece of the side to move stands there.
    pub(super) const fn kind(&self, at: u8) -> usize {
        if self.black_to_move {
            BLACK
        } else if at == self.king {
            KING
        } else {
            WHITE
        }
    }

    fn flip(&mut self, at: u8) {
        self.rows[rank(at) & 15] ^= 1 << file(at);
        self.columns[file(at) & 15] ^= 1 << rank(at);
    }

    /// All men, by their kind.
    const fn armies(&self) -> [(usize, u128); 3] {
        [(WHITE, self.white), (BLACK, self.black), (KING, self.king_bit())]
    }

    /// The same position judged by another ground's network.
    pub(super) fn rejudged(mut self, ground: &Ground) -> Self {
        self.sums = [0; HIDDEN];
        for (kind, men) in self.armies() {
            each(men).for_each(|at| add(&mut self.sums, ground.network.row(kind, at)));
        }
        self
    }

    /// The position when nobody moves and the other side is on turn.
    pub(super) const fn passed(&self) -> Self {
        let mut after = *self;
        after.black_to_move = !self.black_to_move;
        after.key ^= TURN_KEY;
        after
    }

    /// The position after a legal move. A king who is taken leaves the board.
    pub(super) fn after(&self, ground: &Ground, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let mut after = self.passed();
        after.flip(from);
        after.flip(to);
        let kind = self.kind(from);
        let keys = &KEYS[kind % 3];
        after.key ^= keys[usize::from(from)] ^ keys[usize::from(to)];
        let network = &ground.network;
        shift(&mut after.sums, network.row(kind, from), network.row(kind, to));
        if kind == KING {
            after.king = to;
            if ground.armed_king {
                after.take_black(ground, to);
            }
            return after;
        }
        let hop = bit(from) | bit(to);
        if kind == BLACK {
            after.black ^= hop;
            after.take_white(ground, to);
            if after.king.abs_diff(to) == UP || after.king.abs_diff(to) == RIGHT {
                after.take_king(ground, to);
            }
        } else {
            after.white ^= hop;
            after.take_black(ground, to);
        }
        after
    }

    fn remove(&mut self, ground: &Ground, kind: usize, at: u8) {
        self.flip(at);
        self.key ^= KEYS[kind % 3][usize::from(at & 127)];
        subtract(&mut self.sums, ground.network.row(kind, at));
        if kind == BLACK {
            self.black ^= bit(at);
            self.blacks -= 1;
        } else {
            self.white ^= bit(at);
            self.whites -= 1;
        }
    }

    /// What backs White when he takes a black soldier.
    pub(super) fn white_anvils(&self, ground: &Ground) -> u128 {
        let mut anvils = self.white | ground.hostile_to_black;
        if ground.armed_king {
            anvils |= self.king_bit();
        }
        if ground.castle_turns_hostile && self.king != ground.castle {
            anvils |= bit(ground.castle);
        }
        anvils
    }

    /// What backs Black when he takes a white soldier.
    pub(super) fn black_anvils(&self, ground: &Ground) -> u128 {
        let mut anvils = self.black | ground.hostile_to_white;
        if ground.castle_turns_hostile
            && (self.king != ground.castle || (ground.castle_sides & !self.black).count_ones() == 1)
        {
            anvils |= bit(ground.castle);
        }
        anvils
    }

    fn take_black(&mut self, ground: &Ground, to: u8) {
        let near = window(self.black, to);
        if near == 0 {
            return;
        }
        let anvils = self.white_anvils(ground);
        for_each_side(near, to, |at, beyond| {
            if anvils & bit(beyond) != 0 {
                self.remove(ground, BLACK, at);
            }
        });
    }

    fn take_white(&mut self, ground: &Ground, to: u8) {
        let near = window(self.white, to);
        if near == 0 {
            return;
        }
        let anvils = self.black_anvils(ground);
        for_each_side(near, to, |at, beyond| {
            if anvils & bit(beyond) != 0 {
                self.remove(ground, WHITE, at);
            }
        });
    }

    /// Takes the king if the Black who has come to `to`, next to him, does.
    fn take_king(&mut self, ground: &Ground, to: u8) {
        let king = self.king;
        let sides = beside(king);
        let falls = if ground.encloses {
            sides & !(self.black | ground.hostile_to_king) == 0
        } else if king == ground.castle {
            sides & !self.black == 0
        } else if bit(king) & ground.castle_sides != 0 {
            sides & !self.black & !bit(ground.castle) == 0 && self.white & bit(ground.castle) == 0
        } else {
            let beyond = king.wrapping_add(king.wrapping_sub(to));
            (self.black | ground.hostile_to_king) & bit(beyond) != 0
        };
        if falls {
            self.flip(king);
            self.key ^= KEYS[KING][usize::from(king & 127)];
            subtract(&mut self.sums, ground.network.row(KING, king));
            self.king = NOWHERE;
        }
    }

    /// The white soldiers, black soldiers and king, as the rules name squares.
    #[cfg(test)]
    pub(super) fn squares(&self) -> [Vec<crate::games::Square>; 3] {
        [self.white, self.black, self.king_bit()].map(|set| each(set).map(square).collect())
    }
}

/// Calls for each square of a window with the square beyond it.
fn for_each_side(near: u32, to: u8, mut call: impl FnMut(u8, u8)) {
    if near & ON_LEFT != 0 {
        call(to - RIGHT, to.wrapping_sub(2 * RIGHT) & 127);
    }
    if near & BELOW != 0 {
        call(to - UP, to - 2 * UP);
    }
    if near & ABOVE != 0 {
        call(to + UP, to + 2 * UP);
    }
    if near & ON_RIGHT != 0 {
        call(to + RIGHT, to.wrapping_add(2 * RIGHT) & 127);
    }
}
