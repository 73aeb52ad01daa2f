//! Moves that decide the game: the king's open escapes, and the squares from which
//! Black would capture him.

use tabulae_games::tablut::{CASTLE, KingCapture};

use super::{
    board::{Board, Move},
    rule_tables::{KING, RuleTables},
    squares::{
        ABOVE, ADJACENT, BELOW, BOARD, Bits, NO_SQUARE, ON_LEFT, ON_RIGHT, RIGHT, UP, bit, file,
        from_square, index, line_bits, neighbours, rank, squares_in, window,
    },
};

/// The castle, and its four neighbours.
const CASTLE_AT: u8 = from_square(CASTLE);
const CASTLE_SIDES: Bits = neighbours(CASTLE_AT);

/// The directions in which the king could escape, as if it were White's turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KingEscapes {
    /// How many of the four directions are open.
    pub(super) directions: u32,
    /// The squares between the king and his escapes, these included: a piece
    /// there blocks a direction.
    pub(super) path: Bits,
    /// One escape that he can reach.
    pub(super) target: Option<u8>,
}

/// Whether the opponent threatens to win with the next move, and which moves can prevent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Threat {
    /// The opponent threatens nothing.
    None,
    /// The opponent threatens to win, and any move may prevent it.
    AnyDefence,
    /// The king has one open direction. Only a move to one of these squares blocks it.
    OneEscape(Bits),
    /// The king has two open directions, and no move blocks both.
    TwoEscapes,
}

impl Threat {
    /// Whether the opponent threatens to win with the next move.
    #[inline]
    pub(super) const fn is_any(self) -> bool {
        !matches!(self, Self::None)
    }

    /// The only squares to move to; `None` where all are allowed.
    #[inline]
    pub(super) const fn targets(self) -> Option<Bits> {
        match self {
            Self::OneEscape(squares) => Some(squares),
            _ => None,
        }
    }
}

impl Board {
    /// The king's open escapes, as if it were White's turn.
    pub(super) fn king_escapes(&self, tables: &RuleTables) -> KingEscapes {
        let king = self.king;
        let (file, rank) = (file(king), rank(king));
        let (row, column) = self.destinations(tables, KING, king);
        let row_escapes = row & tables.lines.goals.rows[rank & 15];
        let column_escapes = column & tables.lines.goals.columns[file & 15];
        let mut found = KingEscapes::default();
        if row_escapes | column_escapes == 0 {
            return found;
        }
        let mut add = |line: u16, escapes: u16, at: usize, square: &dyn Fn(usize) -> u8| {
            let below = (1 << at) - 1;
            for side in [below, !below & 511] {
                if escapes & side != 0 {
                    found.directions += 1;
                    line_bits(line & side).for_each(|at| found.path |= bit(square(at)));
                    found.target = line_bits(escapes & side).map(square).next().or(found.target);
                }
            }
        };
        add(row, row_escapes, file, &|at| index(at, rank));
        add(column, column_escapes, rank, &|at| index(file, at));
        found
    }

    /// Whether the king has an open escape.
    pub(super) fn king_can_escape(&self, tables: &RuleTables) -> bool {
        let (row, column) = self.destinations(tables, KING, self.king);
        (row & tables.lines.goals.rows[rank(self.king) & 15])
            | (column & tables.lines.goals.columns[file(self.king) & 15])
            != 0
    }

    /// The empty squares from which a black soldier that moved there would
    /// capture the king.
    fn king_capture_squares(&self, tables: &RuleTables) -> Bits {
        let king = self.king;
        let black = window(self.black, king);
        let hostile = black | window(tables.lines.hostile_to_king, king);
        let must_be_enclosed = tables.king_capture == KingCapture::Enclosed;
        let on_castle = king == CASTLE_AT;
        let beside_castle = bit(king) & CASTLE_SIDES != 0;
        let targets = if must_be_enclosed || on_castle || beside_castle {
            let closed = if must_be_enclosed {
                hostile
            } else if on_castle {
                black
            } else {
                black | window(bit(CASTLE_AT), king)
            };
            let open = ADJACENT & !closed;
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
            & BOARD
            & !self.occupied()
    }

    /// A black move that captures the king, as if it were Black's turn.
    pub(super) fn king_capture(&self, tables: &RuleTables) -> Option<Move> {
        let mut capture = None;
        for to in squares_in(self.king_capture_squares(tables)) {
            self.for_each_piece_to(tables, true, to, |from| capture = Some(Move::new(from, to)));
        }
        capture
    }

    /// An immediate win: the king escapes, or is captured.
    pub(super) fn winning_move(&self, tables: &RuleTables) -> Option<Move> {
        if self.black_to_move {
            self.king_capture(tables)
        } else if self.king_can_escape(tables) {
            self.king_escapes(tables).target.map(|to| Move::new(self.king, to))
        } else {
            None
        }
    }

    /// Whether the king is captured or has escaped.
    pub(super) fn is_king_gone(&self, tables: &RuleTables) -> bool {
        let king = self.king;
        king == NO_SQUARE || tables.lines.goals.rows[rank(king) & 15] >> file(king) & 1 != 0
    }

    /// Whether the side to move has an immediate win.
    pub(super) fn can_win(&self, tables: &RuleTables) -> bool {
        if self.black_to_move {
            self.king_capture(tables).is_some()
        } else {
            self.king_can_escape(tables)
        }
    }

    /// Whether the opponent of the side to move threatens to win with its next move.
    pub(super) fn is_threatened(&self, tables: &RuleTables) -> bool {
        if self.black_to_move {
            self.king_can_escape(tables)
        } else {
            self.king_capture(tables).is_some()
        }
    }

    /// How the side to move has to defend against such a threat.
    pub(super) fn threat(&self, tables: &RuleTables) -> Threat {
        if !self.black_to_move {
            return match self.king_capture(tables) {
                Some(_) => Threat::AnyDefence,
                None => Threat::None,
            };
        }
        let escapes = self.king_escapes(tables);
        match escapes.directions {
            0 => Threat::None,
            2.. if self.has_legal_move(tables) => Threat::TwoEscapes,
            // Without a legal move Black has lost already, which the search finds.
            _ => Threat::OneEscape(escapes.path),
        }
    }

    /// A fast test whether a quiet move may threaten to win: White's if it starts
    /// on the king's row or column, Black's if it ends next to the king. Black's moves
    /// that only clear the way for another piece are ignored.
    pub(super) fn may_threaten_win(&self, mv: Move) -> bool {
        let king = self.king;
        if self.black_to_move {
            king.abs_diff(mv.to()) == UP || king.abs_diff(mv.to()) == RIGHT
        } else {
            file(mv.from()) == file(king) || rank(mv.from()) == rank(king)
        }
    }

    /// The squares on which the king would fork: from there two directions are
    /// open, as the pieces stand now. The lines he stands on do not count: they
    /// are blocked, or he would escape.
    pub(super) fn king_forks(&self, tables: &RuleTables) -> Bits {
        let king = self.king;
        let (from_file, from_rank) = (file(king), rank(king));
        let (row, column) = self.destinations(tables, KING, king);
        let forks = |at: usize, line: u16, goals: u16| {
            let below = (1 << at) - 1;
            let down = goals & below != 0 && line & below == 0;
            let up = goals & !below != 0 && line & !below & !(1 << at) == 0;
            down && up
        };
        let mut squares = 0;
        // A move along his row changes his column, and the other way round.
        for at in line_bits(row) {
            let to = index(at, from_rank);
            let line =
                self.occupied_lines.columns[at & 15] | tables.lines.masks(KING, to).column_blockers;
            if forks(from_rank, line, tables.lines.goals.columns[at & 15]) {
                squares |= bit(to);
            }
        }
        for at in line_bits(column) {
            let to = index(from_file, at);
            let line =
                self.occupied_lines.rows[at & 15] | tables.lines.masks(KING, to).row_blockers;
            if forks(from_file, line, tables.lines.goals.rows[at & 15]) {
                squares |= bit(to);
            }
        }
        squares
    }
}
