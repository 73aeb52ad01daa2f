//! A rule set as tables for the engine: what blocks a piece on each line, which
//! squares are hostile to it, and where the king wins.
//!
//! Everything is read from the [`Rules`]; no code depends on a rule set by name.

use tabulae_games::{
    Repetition,
    tablut::{Bitboard as RulesBitboard, CASTLE, CORNERS, KingCapture, Rules},
};

use super::{
    network::Network,
    squares::{
        BOARD, Bitboard, FRAME, MAILBOX_SIZE, bit, file, from_square, index, neighbours, rank,
        squares_in,
    },
};

/// Kinds of pieces, as indices of tables.
pub(super) const WHITE: usize = 0;
pub(super) const BLACK: usize = 1;
pub(super) const KING: usize = 2;

/// The row and the column through a square, for one kind of piece there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineMasks {
    /// Squares that the piece may not enter or cross.
    pub(super) row_blockers: u16,
    pub(super) column_blockers: u16,
    /// Squares that the piece may stop on.
    pub(super) row_targets: u16,
    pub(super) column_targets: u16,
}

/// The tables of a rule set, and the network that evaluates its positions.
#[derive(Debug)]
pub(super) struct RuleTables {
    pub(super) rules: &'static Rules,
    /// By kind of piece and its square.
    line_masks: [[LineMasks; MAILBOX_SIZE]; 3],
    /// Squares that no piece may enter or cross, by row and by column.
    pub(super) closed_rows: [u16; 16],
    pub(super) closed_columns: [u16; 16],
    /// Where the king wins.
    pub(super) goals: Bitboard,
    pub(super) goal_rows: [u16; 16],
    pub(super) goal_columns: [u16; 16],
    /// Squares that a black soldier can be captured against.
    pub(super) hostile_to_black: Bitboard,
    /// Squares that a white soldier can be captured against.
    pub(super) hostile_to_white: Bitboard,
    /// Squares that count as a black soldier when the king is captured.
    pub(super) hostile_to_king: Bitboard,
    pub(super) castle: u8,
    pub(super) castle_sides: Bitboard,
    pub(super) armed_king: bool,
    pub(super) castle_turns_hostile: bool,
    /// Whether the king is captured only by enclosing him on all four sides.
    pub(super) king_must_be_enclosed: bool,
    pub(super) repetition: Repetition,
    pub(super) network: Network,
}

/// A set of the rules as a bitboard.
pub(super) fn bitboard(bits: RulesBitboard) -> Bitboard {
    bits.squares().fold(0, |set, square| set | bit(from_square(square)))
}

fn rows(set: Bitboard) -> [u16; 16] {
    let mut rows = [0; 16];
    squares_in(set).for_each(|at| rows[rank(at)] |= 1 << file(at));
    rows
}

fn columns(set: Bitboard) -> [u16; 16] {
    let mut columns = [0; 16];
    squares_in(set).for_each(|at| columns[file(at)] |= 1 << rank(at));
    columns
}

/// The camp that a square belongs to, by a flood fill; empty outside the camps.
fn camp_around(camps: Bitboard, from: u8) -> Bitboard {
    let mut camp = bit(from) & camps;
    loop {
        let grown = squares_in(camp).fold(camp, |camp, at| camp | neighbours(at) & camps);
        if grown == camp {
            return camp;
        }
        camp = grown;
    }
}

impl RuleTables {
    pub(super) fn new(rules: &'static Rules, network: Network) -> Self {
        let closed = bitboard(rules.closed);
        let goals = bitboard(rules.goals);
        let castle = from_square(CASTLE);
        Self {
            rules,
            line_masks: line_masks(rules),
            closed_rows: rows(closed),
            closed_columns: columns(closed),
            goals,
            goal_rows: rows(goals),
            goal_columns: columns(goals),
            hostile_to_black: bitboard(rules.hostile_to_black),
            hostile_to_white: bitboard(rules.hostile_to_white),
            hostile_to_king: match rules.king_capture {
                KingCapture::Flanked => bitboard(rules.hostile_to_king),
                KingCapture::Enclosed => FRAME | bit(castle) | bitboard(CORNERS),
            },
            castle,
            castle_sides: neighbours(castle),
            armed_king: rules.armed_king,
            castle_turns_hostile: rules.castle_turns_hostile,
            king_must_be_enclosed: rules.king_capture == KingCapture::Enclosed,
            repetition: rules.repetition,
            network,
        }
    }

    pub(super) fn line_masks(&self, kind: usize, at: u8) -> LineMasks {
        self.line_masks[kind % 3][usize::from(at & 127)]
    }
}

fn line_masks(rules: &Rules) -> [[LineMasks; MAILBOX_SIZE]; 3] {
    let (camps, closed) = (bitboard(rules.camps), bitboard(rules.closed));
    let king_only = bitboard(rules.king_only);
    let mut masks = [[LineMasks::default(); MAILBOX_SIZE]; 3];
    for (kind, masks) in masks.iter_mut().enumerate() {
        for at in (0..9).flat_map(|file| (0..9).map(move |rank| index(file, rank))) {
            // A black soldier may leave its own camp, and move within it.
            let own = if kind == BLACK { camp_around(camps, at) } else { 0 };
            let blockers = closed | camps & !own;
            let targets = if kind == KING { Bitboard::MAX } else { !king_only };
            let line = |lines: [u16; 16], at: usize| lines[at] & 511;
            masks[usize::from(at)] = LineMasks {
                row_blockers: line(rows(blockers), rank(at)),
                column_blockers: line(columns(blockers), file(at)),
                row_targets: line(rows(targets & BOARD), rank(at)),
                column_targets: line(columns(targets & BOARD), file(at)),
            };
        }
    }
    masks
}
