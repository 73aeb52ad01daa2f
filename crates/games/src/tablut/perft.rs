//! Perft. The moves of the last ply are counted, not made: how many a piece has along
//! its row and along its column depends on what stands on that line only. So a move
//! that captures nothing changes the opponent's count on three lines, and the others
//! keep theirs.

use std::sync::LazyLock;

use super::{
    ASHTON, Army, BERKELEY, LINNAEUS, Move, Position, Rules,
    bitboard::{Bitboard, COUNT, SIZE, square},
};

impl Position {
    /// [`perft`](crate::perft).
    pub(super) fn count_sequences(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if let Some(tables) = TABLES.iter().find(|tables| tables.rules == self.rules) {
            return tables.count(self, depth);
        }
        RookTables::new(self.rules).count(self, depth)
    }
}

/// Lines have nine squares; the arrays are longer, which spares bounds checks.
const LINES: usize = 16;

fn file(at: u8) -> usize {
    usize::from(at / SIZE) & (LINES - 1)
}

fn rank(at: u8) -> usize {
    usize::from(at % SIZE)
}

/// A set of squares by rows and by columns: bit `f` of row `r` and bit `r` of column
/// `f` are the square in column `f` and row `r`.
#[derive(Clone, Copy, Default)]
struct Lines {
    rows: [u16; LINES],
    columns: [u16; LINES],
}

impl Lines {
    fn of(set: Bitboard) -> Self {
        let mut lines = Self::default();
        set.indices().for_each(|at| lines.flip(at));
        lines
    }

    /// Adds a square, or takes it out.
    fn flip(&mut self, at: u8) {
        self.rows[rank(at)] ^= 1 << file(at);
        self.columns[file(at)] ^= 1 << rank(at);
    }
}

/// What limits a piece along its row and its column, by the rules alone.
#[derive(Clone, Copy, Default)]
struct LineMasks {
    /// Squares that it may not enter or cross.
    row_blockers: u16,
    column_blockers: u16,
    /// Squares where it may stop.
    row_targets: u16,
    column_targets: u16,
}

/// The kinds of pieces as indices of [`RookTables::masks`].
const SOLDIERS: [Army; 2] = [Army::White, Army::Black];
const KING: usize = SOLDIERS.len();

/// How the pieces of a rule set move on an empty board.
struct RookTables {
    rules: &'static Rules,
    /// By kind of piece and square.
    masks: [[LineMasks; COUNT]; 3],
}

static TABLES: LazyLock<[RookTables; 3]> =
    LazyLock::new(|| [BERKELEY, ASHTON, LINNAEUS].map(RookTables::new));

impl RookTables {
    fn new(rules: &'static Rules) -> Self {
        let mut masks = [[LineMasks::default(); COUNT]; 3];
        let kinds = [Some(SOLDIERS[0]), Some(SOLDIERS[1]), None];
        for (soldier_of, masks) in kinds.into_iter().zip(&mut masks) {
            let targets = match soldier_of {
                Some(_) => !rules.king_only,
                None => !Bitboard::EMPTY,
            };
            let targets = Lines::of(targets);
            for (at, masks) in (0..).zip(masks) {
                let blockers = Lines::of(rules.blockers(soldier_of, at) - Bitboard::one(at));
                *masks = LineMasks {
                    row_blockers: blockers.rows[rank(at)],
                    column_blockers: blockers.columns[file(at)],
                    row_targets: targets.rows[rank(at)],
                    column_targets: targets.columns[file(at)],
                };
            }
        }
        Self { rules, masks }
    }

    /// The number of sequences of `depth` moves, at least 1.
    fn count(&self, position: &Position, depth: u32) -> u64 {
        if position.king_end().is_some() {
            return 0;
        }
        match depth {
            0 | 1 => u64::from(MoveCounts::new(self, position, position.to_move).total),
            2 => self.count_two(position),
            _ => {
                let mut count = 0;
                for_each_child(position, |child, _, _, _| count += self.count(child, depth - 1));
                count
            }
        }
    }

    /// The number of sequences of two moves.
    fn count_two(&self, position: &Position) -> u64 {
        let before = MoveCounts::new(self, position, position.to_move.other());
        let mut count = 0;
        for_each_child(position, |child, from, to, captured| {
            if child.king_end().is_some() {
                return;
            }
            count += u64::from(if captured.is_empty() {
                before.after_move(from, to)
            } else {
                MoveCounts::new(self, child, child.to_move).total
            });
        });
        count
    }
}

/// Calls `call` with each position after a legal move, the move's squares and what it
/// captured. The king must not have ended the game.
fn for_each_child(position: &Position, mut call: impl FnMut(&Position, u8, u8, Bitboard)) {
    for from in position.army(position.to_move).indices() {
        for to in position.destinations_of(from).indices() {
            let mut child = position.clone();
            let captured = child.apply(Move::new(square(from), square(to)));
            call(&child, from, to, captured);
        }
    }
}

/// The moves of one army, counted by lines.
struct MoveCounts<'a> {
    /// By kind of piece and square.
    masks: &'a [LineMasks; COUNT],
    king_masks: &'a [LineMasks; COUNT],
    occupied: Lines,
    army: Lines,
    /// The king's square, if he is of the army.
    king: Option<u8>,
    rows: [u32; LINES],
    columns: [u32; LINES],
    total: u32,
}

impl<'a> MoveCounts<'a> {
    /// Counts the moves of `army`, whichever is to move.
    fn new(tables: &'a RookTables, position: &Position, army: Army) -> Self {
        let mut counts = Self {
            masks: &tables.masks[usize::from(army == SOLDIERS[1])],
            king_masks: &tables.masks[KING],
            occupied: Lines::of(position.occupied()),
            army: Lines::of(position.army(army)),
            king: position.king.filter(|_| army == Army::White),
            rows: [0; LINES],
            columns: [0; LINES],
            total: 0,
        };
        for line in 0..usize::from(SIZE) {
            counts.rows[line] = counts.in_row(line, counts.occupied.rows[line]);
            counts.columns[line] = counts.in_column(line, counts.occupied.columns[line]);
        }
        counts.total = counts.rows.iter().chain(&counts.columns).sum();
        counts
    }

    /// The moves along a row on which the squares of `occupied` have pieces.
    fn in_row(&self, row: usize, occupied: u16) -> u32 {
        line_bits(self.army.rows[row & (LINES - 1)])
            .map(|file| {
                let masks = self.masks_at(file * usize::from(SIZE) + row);
                reach_count(file, occupied | masks.row_blockers, masks.row_targets)
            })
            .sum()
    }

    /// As [`Self::in_row`], for a column.
    fn in_column(&self, column: usize, occupied: u16) -> u32 {
        line_bits(self.army.columns[column & (LINES - 1)])
            .map(|rank| {
                let masks = self.masks_at(column * usize::from(SIZE) + rank);
                reach_count(rank, occupied | masks.column_blockers, masks.column_targets)
            })
            .sum()
    }

    fn masks_at(&self, at: usize) -> LineMasks {
        let is_king = self.king.is_some_and(|king| usize::from(king) == at);
        let masks = if is_king { self.king_masks } else { self.masks };
        masks[at.min(COUNT - 1)]
    }

    /// The number of moves once a piece of the other army has moved and captured
    /// nothing.
    fn after_move(&self, from: u8, to: u8) -> u32 {
        let mut occupied = self.occupied;
        occupied.flip(from);
        occupied.flip(to);
        let (mut old, mut new) = (0, 0);
        let mut recount_row = |row: usize| {
            old += self.rows[row & (LINES - 1)];
            new += self.in_row(row, occupied.rows[row & (LINES - 1)]);
        };
        recount_row(rank(from));
        if rank(to) != rank(from) {
            recount_row(rank(to));
        }
        let mut recount_column = |column: usize| {
            old += self.columns[column & (LINES - 1)];
            new += self.in_column(column, occupied.columns[column & (LINES - 1)]);
        };
        recount_column(file(from));
        if file(to) != file(from) {
            recount_column(file(to));
        }
        self.total + new - old
    }
}

/// The places of a set on a line, from the lowest.
fn line_bits(mut line: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (line != 0).then(|| {
            let next = line.trailing_zeros() as usize;
            line &= line - 1;
            next
        })
    })
}

/// By place in the line and what stands on the line: where a rook can go.
static REACH: [u16; LINES << SIZE] = {
    let mut table = [0; LINES << SIZE];
    let mut place = 0;
    while place < SIZE as usize {
        let mut line = 0;
        while line < 1 << SIZE {
            let mut set = 0;
            let mut at = place + 1;
            while at < SIZE as usize && line >> at & 1 == 0 {
                set |= 1 << at;
                at += 1;
            }
            at = place;
            while at > 0 && line >> (at - 1) & 1 == 0 {
                at -= 1;
                set |= 1 << at;
            }
            table[place << SIZE | line] = set;
            line += 1;
        }
        place += 1;
    }
    table
};

/// The size of each set on a line: a look-up is faster than counting bits on machines
/// without an instruction for it.
static SIZES: [u8; 1 << SIZE] = {
    let mut table = [0; 1 << SIZE];
    let mut line = 0;
    while line < 1 << SIZE {
        table[line] = (line as u16).count_ones() as u8;
        line += 1;
    }
    table
};

/// The number of `targets` that a rook at `place` of a line reaches.
fn reach_count(place: usize, occupied: u16, targets: u16) -> u32 {
    let reach = REACH[(place << SIZE | usize::from(occupied)) & ((LINES << SIZE) - 1)];
    u32::from(SIZES[usize::from(reach & targets) & ((1 << SIZE) - 1)])
}

#[cfg(test)]
mod tests;
