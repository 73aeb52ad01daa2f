//! A rule set as the engine's tables: what blocks whom on every line, what is
//! hostile to whom, where the king is home.
//!
//! Everything is read from the [`Rules`]; no rule set is asked for by name.

use crate::games::{
    Repetition, Square,
    tablut::{Bitboard, CASTLE, CORNERS, KingCapture, Rules},
};

use super::{
    network::Network,
    squares::{NUMBERS, beside, bit, each, file, number, of, rank, square},
};

/// Who moves, as far as the ways over the board differ.
pub(super) const WHITE: usize = 0;
pub(super) const BLACK: usize = 1;
pub(super) const KING: usize = 2;

/// The row and the column through a square, for one kind of piece there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lanes {
    /// Squares of the row it never enters or crosses.
    pub(super) row_walls: u16,
    pub(super) column_walls: u16,
    /// Squares of the row it may stop on.
    pub(super) row_stops: u16,
    pub(super) column_stops: u16,
}

/// A rule set made ready, and the network by which its positions are judged.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) rules: &'static Rules,
    /// By kind of piece and its square.
    pub(super) lanes: [[Lanes; NUMBERS]; 3],
    /// What stops everybody, by row and by column.
    pub(super) closed_rows: [u16; 16],
    pub(super) closed_columns: [u16; 16],
    /// The king's homes.
    pub(super) homes: u128,
    pub(super) home_rows: [u16; 16],
    pub(super) home_columns: [u16; 16],
    /// What stands for a white man when a black soldier is taken.
    pub(super) hostile_to_black: u128,
    /// What stands for a black man when a white soldier is taken.
    pub(super) hostile_to_white: u128,
    /// What stands for a black man when the king is taken.
    pub(super) hostile_to_king: u128,
    pub(super) castle: u8,
    pub(super) castle_sides: u128,
    pub(super) armed_king: bool,
    pub(super) castle_turns_hostile: bool,
    pub(super) encloses: bool,
    pub(super) repetition: Repetition,
    pub(super) network: Network,
}

/// A set of the rules as one of the engine.
pub(super) fn set(bits: Bitboard) -> u128 {
    bits.squares().fold(0, |set, square| set | bit(of(square)))
}

fn rows(set: u128) -> [u16; 16] {
    let mut rows = [0; 16];
    each(set).for_each(|at| rows[rank(at)] |= 1 << file(at));
    rows
}

fn columns(set: u128) -> [u16; 16] {
    let mut columns = [0; 16];
    each(set).for_each(|at| columns[file(at)] |= 1 << rank(at));
    columns
}

/// The camp squares joined to a camp square.
fn camp_around(camps: u128, from: u8) -> u128 {
    let mut camp = bit(from) & camps;
    loop {
        let grown = each(camp).fold(camp, |camp, at| camp | beside(at) & camps);
        if grown == camp {
            return camp;
        }
        camp = grown;
    }
}

impl Ground {
    pub(super) fn new(rules: &'static Rules, network: Network) -> Self {
        let camps = set(rules.camps);
        let closed = set(rules.closed);
        let king_only = set(rules.king_only);
        let homes = set(rules.goals);
        let castle = of(CASTLE);
        let (rows_closed, columns_closed) = (rows(closed), columns(closed));
        let mut lanes = [[Lanes::default(); NUMBERS]; 3];
        for (kind, lanes) in lanes.iter_mut().enumerate() {
            for at in (0..9).flat_map(|file| (0..9).map(move |rank| number(file, rank))) {
                let own = if kind == BLACK { camp_around(camps, at) } else { 0 };
                let walls = closed | camps & !own;
                let stops = if kind == KING { u128::MAX } else { !king_only };
                let line = |lines: [u16; 16], at: usize| lines[at] & 511;
                lanes[usize::from(at)] = Lanes {
                    row_walls: line(rows(walls), rank(at)),
                    column_walls: line(columns(walls), file(at)),
                    row_stops: line(rows(stops & BOARD), rank(at)),
                    column_stops: line(columns(stops & BOARD), file(at)),
                };
            }
        }
        Self {
            rules,
            lanes,
            closed_rows: rows_closed,
            closed_columns: columns_closed,
            homes,
            home_rows: rows(homes),
            home_columns: columns(homes),
            hostile_to_black: set(rules.hostile_to_black),
            hostile_to_white: set(rules.hostile_to_white),
            hostile_to_king: match rules.king_capture {
                KingCapture::Flanked => set(rules.hostile_to_king),
                KingCapture::Enclosed => super::squares::FRAME | bit(castle) | set(CORNERS),
            },
            castle,
            castle_sides: beside(castle),
            armed_king: rules.armed_king,
            castle_turns_hostile: rules.castle_turns_hostile,
            encloses: rules.king_capture == KingCapture::Enclosed,
            repetition: rules.repetition,
            network,
        }
    }

    pub(super) fn lanes(&self, kind: usize, at: u8) -> Lanes {
        self.lanes[kind % 3][usize::from(at & 127)]
    }

    /// The squares a soldier can be on.
    pub(super) fn squares() -> impl Iterator<Item = (u8, Square)> {
        each(BOARD).map(|at| (at, square(at)))
    }
}

/// All squares of the board.
pub(super) const BOARD: u128 = !super::squares::FRAME & ((1 << 121) - 1);
