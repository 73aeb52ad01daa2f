//! What follows from a rule set for each row and column: what blocks a piece there, where
//! it may stop, and where the king wins.

use super::mailbox::{Bits, MAILBOX_SIZE, file, rank};

/// The kind of a white soldier, as an index of tables.
pub const WHITE: usize = 0;
/// The kind of a black soldier, as an index of tables.
pub const BLACK: usize = 1;
/// The kind of the king, as an index of tables.
pub const KING: usize = 2;

/// The row and the column through a square, for one kind of piece there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LineMasks {
    /// Squares of the row that the piece may not enter or cross.
    pub row_blockers: u16,
    /// Squares of the column that the piece may not enter or cross.
    pub column_blockers: u16,
    /// Squares of the row that the piece may stop on.
    pub row_targets: u16,
    /// Squares of the column that the piece may stop on.
    pub column_targets: u16,
}

/// A set of squares by rows and by columns: bit `f` of row `r` and bit `r` of column `f`
/// are the square in column `f` and row `r`. The arrays are longer than nine, which spares
/// bounds checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lines {
    /// The squares of each row, by column.
    pub rows: [u16; 16],
    /// The squares of each column, by row.
    pub columns: [u16; 16],
}

impl Lines {
    /// The set without any square.
    pub(super) const EMPTY: Self = Self { rows: [0; 16], columns: [0; 16] };

    /// The lines of a set.
    pub(super) const fn of(set: Bits) -> Self {
        let mut lines = Self::EMPTY;
        let mut rest = set;
        while rest != 0 {
            let at = rest.trailing_zeros() as u8;
            lines.rows[rank(at)] |= 1 << file(at);
            lines.columns[file(at)] |= 1 << rank(at);
            rest &= rest - 1;
        }
        lines
    }

    /// Adds a square, or takes it out.
    #[inline]
    pub(super) fn flip(&mut self, at: u8) {
        self.rows[rank(at) & 15] ^= 1 << file(at);
        self.columns[file(at) & 15] ^= 1 << rank(at);
    }
}

/// The tables of a rule set, which move generation reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineTables {
    /// By kind of piece and its square.
    pub(super) masks: [[LineMasks; MAILBOX_SIZE]; 3],
    /// Squares that no piece may enter or cross.
    pub closed: Lines,
    /// Where the king wins.
    pub goals: Lines,
    /// Squares that count as a black soldier when the king is captured.
    pub hostile_to_king: Bits,
}

impl LineTables {
    /// Tables that are not made yet.
    pub(super) const EMPTY: Self = Self {
        masks: [[LineMasks {
            row_blockers: 0,
            column_blockers: 0,
            row_targets: 0,
            column_targets: 0,
        }; MAILBOX_SIZE]; 3],
        closed: Lines::EMPTY,
        goals: Lines::EMPTY,
        hostile_to_king: 0,
    };

    /// What limits a piece of `kind` on the row and the column through `at`.
    #[inline]
    pub const fn masks(&self, kind: usize, at: u8) -> LineMasks {
        self.masks[kind % 3][at as usize & 127]
    }
}
