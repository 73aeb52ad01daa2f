//! Move ordering: the move of the transposition table, captures and forks,
//! killers and the countermove, then the other quiet moves by their history.

use super::{
    board::{Board, Move},
    history::History,
    node::NodeContext,
    params::{FORK_SCORE, SORTED_MOVES},
    rule_tables::RuleTables,
    squares::{Bits, bit, squares_in},
};

/// A move and its score packed in one number, score above, so that the best of
/// many is found fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ScoredMove(i32);

impl ScoredMove {
    /// The score is clamped to 16 bits.
    #[inline]
    pub(super) fn new(mv: Move, score: i32) -> Self {
        let score = score.clamp(i32::from(i16::MIN), i32::from(i16::MAX));
        Self(score << 16 | i32::from(mv.0))
    }

    #[inline]
    pub(super) const fn mv(self) -> Move {
        Move(self.0 as u16)
    }
}

/// Swaps the best of the moves to the front: one step of a selection sort.
pub(super) fn select_best(moves: &mut [ScoredMove]) -> Option<Move> {
    let mut best = (*moves.first()?, 0);
    for (at, &scored) in moves.iter().enumerate() {
        best = if scored > best.0 { (scored, at) } else { best };
    }
    moves.swap(0, best.1);
    Some(best.0.mv())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateNoisy,
    Noisy,
    Refutation(u8),
    GenerateQuiet,
    Quiet,
    Done,
}

/// What orders the moves of one thread's search, and the moves themselves.
#[derive(Debug)]
pub(super) struct MoveOrdering {
    pub(super) history: History,
    /// The generated moves of all nodes on the path.
    pub(super) moves: Vec<ScoredMove>,
}

impl MoveOrdering {
    /// Adds the king's moves to `forks` and the captures on `captures`, each move once.
    pub(super) fn push_noisy(
        &mut self,
        tables: &RuleTables,
        board: &Board,
        captures: Bits,
        forks: Bits,
    ) {
        let black = board.black_to_move;
        let Self { history, moves } = self;
        for to in squares_in(forks) {
            moves.push(ScoredMove::new(Move::new(board.king, to), FORK_SCORE));
        }
        board.for_each_move_to(tables, captures, |mv| {
            if board.is_capture(tables, captures, mv) && !board.is_king_move(mv, forks) {
                moves.push(ScoredMove::new(mv, history.value(black, mv)));
            }
        });
    }
}

/// Yields a node's moves one by one, the most promising first, and generates
/// them only as they are needed.
#[derive(Debug)]
pub(super) struct MovePicker {
    stage: Stage,
    tt_move: Move,
    /// Killers and the countermove.
    refutations: [Move; 3],
    /// Where moves that capture go.
    capture_squares: Bits,
    /// Where the king's moves fork.
    fork_squares: Bits,
    /// The only squares to move to, if an escape has to be blocked.
    targets: Option<Bits>,
    /// Indices in [`MoveOrdering::moves`]: of the next move, and of this picker's
    /// first move.
    next: usize,
    first: usize,
    /// Moves yielded since the last generation.
    yielded: usize,
}

impl MovePicker {
    pub(super) fn new(ordering: &MoveOrdering, node: &NodeContext<'_>) -> Self {
        let first = ordering.moves.len();
        Self {
            stage: Stage::TtMove,
            tt_move: node.tt_move,
            refutations: ordering.history.refutations(node),
            capture_squares: 0,
            fork_squares: 0,
            targets: node.threat.targets(),
            next: first,
            first,
            yielded: 0,
        }
    }

    /// The next move, and whether it is quiet.
    // Without the hint, whether it is inlined depends on how the crate is divided for the
    // compiler's threads; a call takes 2.5 % more instructions for a search.
    #[inline]
    pub(super) fn next(
        &mut self,
        ordering: &mut MoveOrdering,
        tables: &RuleTables,
        board: &Board,
    ) -> Option<(Move, bool)> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    let mv = self.tt_move;
                    if mv != Move::NONE && board.is_legal(tables, mv) && self.is_allowed(mv) {
                        let captures = board.capture_squares(tables);
                        let is_quiet = !board.is_capture(tables, captures, mv);
                        return Some((mv, is_quiet));
                    }
                    self.tt_move = Move::NONE;
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(ordering, tables, board);
                    self.stage = Stage::Noisy;
                }
                Stage::Noisy => match self.select(ordering) {
                    Some(mv) => return Some((mv, false)),
                    None => self.stage = Stage::Refutation(0),
                },
                Stage::Refutation(at) => {
                    let Some(&mv) = self.refutations.get(usize::from(at)) else {
                        self.stage = Stage::GenerateQuiet;
                        continue;
                    };
                    self.stage = Stage::Refutation(at + 1);
                    let is_repeated = self.refutations[..usize::from(at)].contains(&mv);
                    if mv != Move::NONE
                        && !is_repeated
                        && mv != self.tt_move
                        && !self.is_noisy(board, tables, mv)
                        && self.is_allowed(mv)
                        && board.is_legal(tables, mv)
                    {
                        return Some((mv, true));
                    }
                }
                Stage::GenerateQuiet => {
                    self.generate_quiet(ordering, tables, board);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.select(ordering) {
                    Some(mv) => return Some((mv, true)),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => {
                    self.release(ordering);
                    return None;
                }
            }
        }
    }

    /// Frees the picker's part of the move stack, when no more moves are needed.
    pub(super) fn release(&self, ordering: &mut MoveOrdering) {
        ordering.moves.truncate(self.first);
    }

    const fn is_allowed(&self, mv: Move) -> bool {
        match self.targets {
            Some(targets) => targets & bit(mv.to()) != 0,
            None => true,
        }
    }

    fn is_noisy(&self, board: &Board, tables: &RuleTables, mv: Move) -> bool {
        board.is_capture(tables, self.capture_squares, mv)
            || board.is_king_move(mv, self.fork_squares)
    }

    fn generate_noisy(&mut self, ordering: &mut MoveOrdering, tables: &RuleTables, board: &Board) {
        self.capture_squares = board.capture_squares(tables);
        if let Some(targets) = self.targets {
            self.capture_squares &= targets;
        } else if !board.black_to_move {
            self.fork_squares = board.king_forks(tables);
        }
        ordering.push_noisy(tables, board, self.capture_squares, self.fork_squares);
    }

    fn generate_quiet(&mut self, ordering: &mut MoveOrdering, tables: &RuleTables, board: &Board) {
        self.release(ordering);
        self.next = self.first;
        self.yielded = 0;
        let black = board.black_to_move;
        let MoveOrdering { history, moves } = ordering;
        let (tt_move, refutations) = (self.tt_move, self.refutations);
        let push = |mv: Move| {
            if !self.is_noisy(board, tables, mv) && mv != tt_move && !refutations.contains(&mv) {
                moves.push(ScoredMove::new(mv, history.value(black, mv)));
            }
        };
        match self.targets {
            Some(targets) => board.for_each_move_to(tables, targets, push),
            None => board.for_each_move(tables, push),
        }
    }

    fn select(&mut self, ordering: &mut MoveOrdering) -> Option<Move> {
        loop {
            let rest = ordering.moves.get_mut(self.next..)?;
            let mv =
                if self.yielded < SORTED_MOVES { select_best(rest)? } else { rest.first()?.mv() };
            self.next += 1;
            self.yielded += 1;
            if mv != self.tt_move {
                return Some(mv);
            }
        }
    }
}
