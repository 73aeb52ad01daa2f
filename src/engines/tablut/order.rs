//! Which moves to look at first: the remembered one, what ends or nearly ends
//! the game, captures, what refuted a neighbour, and the rest by how often it
//! did well.

use super::{
    ground::Ground,
    search::Search,
    squares::bit,
    state::{Move, State},
};

/// A move and what it promises, in one number so that the best of many is
/// found fast: the rank above, the move below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ranked(i32);

impl Ranked {
    /// A move and its rank, which is cut to 16 bits.
    pub(super) fn new(mv: Move, rank: i32) -> Self {
        let rank = rank.clamp(i32::from(i16::MIN), i32::from(i16::MAX));
        Self(rank << 16 | i32::from(mv.0))
    }

    pub(super) const fn mv(self) -> Move {
        Move(self.0 as u16)
    }
}

/// Brings the most promising of the moves to the front.
pub(super) fn bring_best(moves: &mut [Ranked]) -> Option<Move> {
    let mut best = (*moves.first()?, 0);
    for (at, &ranked) in moves.iter().enumerate() {
        best = if ranked > best.0 { (ranked, at) } else { best };
    }
    moves.swap(0, best.1);
    Some(best.0.mv())
}

/// Values of the history stay within this, either way.
const MOST: i32 = 16_000;
/// Quiet moves beyond this many are taken as they come once none stands out.
const SORTED: usize = 16;

/// What quiet moves have done so far in this search.
#[derive(Debug)]
pub(super) struct History {
    /// By side and code.
    moves: Vec<i16>,
    /// By side and code of the move before: what refuted it.
    counters: Vec<Move>,
    /// By ply.
    killers: Vec<[Move; 2]>,
}

impl History {
    pub(super) fn new(plies: usize) -> Self {
        Self {
            moves: vec![0; 2 * Move::CODES],
            counters: vec![Move::NONE; 2 * Move::CODES],
            killers: vec![[Move::NONE; 2]; plies],
        }
    }

    fn at(black: bool, mv: Move) -> usize {
        (black as usize) * Move::CODES + mv.code()
    }

    pub(super) fn value(&self, black: bool, mv: Move) -> i32 {
        i32::from(self.moves[Self::at(black, mv)])
    }

    fn change(&mut self, black: bool, mv: Move, by: i32) {
        let value = &mut self.moves[Self::at(black, mv)];
        let old = i32::from(*value);
        *value = (old + by - old * by.abs() / MOST) as i16;
    }

    /// `mv` refuted the move before; those `tried` before it did not.
    pub(super) fn reward(
        &mut self,
        black: bool,
        mv: Move,
        before: Move,
        tried: &[Move],
        depth: i32,
        ply: usize,
    ) {
        let bonus = (depth * depth * 12).min(1600);
        self.change(black, mv, bonus);
        for &other in tried {
            self.change(black, other, -bonus);
        }
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != mv
        {
            *killers = [mv, killers[0]];
        }
        self.counters[Self::at(black, before)] = mv;
    }

    pub(super) fn forget_killers(&mut self, ply: usize) {
        if let Some(killers) = self.killers.get_mut(ply) {
            *killers = [Move::NONE; 2];
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Remembered,
    MakeLoud,
    Loud,
    Refuters(u8),
    MakeQuiet,
    Quiet,
    Done,
}

/// Hands out a state's moves one by one, the most promising first, making them
/// only as they are needed.
#[derive(Debug)]
pub(super) struct Picker {
    stage: Stage,
    remembered: Move,
    refuters: [Move; 3],
    /// Where moves that capture or fork go.
    loud: u128,
    forks: u128,
    /// The only squares to move to, when an open way has to be shut.
    only: Option<u128>,
    /// This picker's part of the shared list: the next move, and where it began.
    next: usize,
    first: usize,
    handed: usize,
}

impl Picker {
    pub(super) fn new(
        search: &Search<'_>,
        state: &State,
        remembered: Move,
        before: Move,
        ply: usize,
        only: Option<u128>,
    ) -> Self {
        let history = &search.history;
        let killers = history.killers.get(ply).copied().unwrap_or_default();
        let counter = history.counters[History::at(state.black_to_move, before)];
        let first = search.moves.len();
        Self {
            stage: Stage::Remembered,
            remembered,
            refuters: [killers[0], killers[1], counter],
            loud: 0,
            forks: 0,
            only,
            next: first,
            first,
            handed: 0,
        }
    }

    /// The next move, and whether it is quiet.
    pub(super) fn next(
        &mut self,
        search: &mut Search<'_>,
        ground: &Ground,
        state: &State,
    ) -> Option<(Move, bool)> {
        loop {
            match self.stage {
                Stage::Remembered => {
                    self.stage = Stage::MakeLoud;
                    let mv = self.remembered;
                    if mv != Move::NONE && state.is_legal(ground, mv) && self.may(mv) {
                        let quiet = state.capture_squares(ground) & bit(mv.to()) == 0;
                        return Some((mv, quiet));
                    }
                    self.remembered = Move::NONE;
                }
                Stage::MakeLoud => {
                    self.make_loud(search, ground, state);
                    self.stage = Stage::Loud;
                }
                Stage::Loud => match self.best(search) {
                    Some(mv) => return Some((mv, false)),
                    None => self.stage = Stage::Refuters(0),
                },
                Stage::Refuters(at) => {
                    let Some(&mv) = self.refuters.get(usize::from(at)) else {
                        self.stage = Stage::MakeQuiet;
                        continue;
                    };
                    self.stage = Stage::Refuters(at + 1);
                    let again = self.refuters[..usize::from(at)].contains(&mv);
                    if mv != Move::NONE
                        && !again
                        && mv != self.remembered
                        && !self.is_loud(state, mv)
                        && self.may(mv)
                        && state.is_legal(ground, mv)
                    {
                        return Some((mv, true));
                    }
                }
                Stage::MakeQuiet => {
                    self.make_quiet(search, ground, state);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.best(search) {
                    Some(mv) => return Some((mv, true)),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => {
                    search.moves.truncate(self.first);
                    return None;
                }
            }
        }
    }

    /// Gives the shared list back; to be called when no more moves are wanted.
    pub(super) fn end(&self, search: &mut Search<'_>) {
        search.moves.truncate(self.first);
    }

    const fn may(&self, mv: Move) -> bool {
        match self.only {
            Some(only) => only & bit(mv.to()) != 0,
            None => true,
        }
    }

    const fn is_loud(&self, state: &State, mv: Move) -> bool {
        self.loud & bit(mv.to()) != 0 || (mv.from() == state.king && self.forks & bit(mv.to()) != 0)
    }

    fn make_loud(&mut self, search: &mut Search<'_>, ground: &Ground, state: &State) {
        self.loud = state.capture_squares(ground);
        if let Some(only) = self.only {
            self.loud &= only;
        } else if !state.black_to_move {
            self.forks = state.king_prospects(ground).1;
            let king = state.king;
            super::squares::each(self.forks).for_each(|to| {
                search.moves.push(Ranked::new(Move::new(king, to), 2 * MOST));
            });
        }
        let black = state.black_to_move;
        let (history, moves) = (&search.history, &mut search.moves);
        state.each_move_to(ground, self.loud, |mv| {
            if mv.from() != state.king || self.forks & bit(mv.to()) == 0 {
                moves.push(Ranked::new(mv, history.value(black, mv)));
            }
        });
    }

    fn make_quiet(&mut self, search: &mut Search<'_>, ground: &Ground, state: &State) {
        search.moves.truncate(self.first);
        self.next = self.first;
        self.handed = 0;
        let black = state.black_to_move;
        let (history, moves) = (&search.history, &mut search.moves);
        let (remembered, refuters) = (self.remembered, self.refuters);
        let call = |mv: Move| {
            if !self.is_loud(state, mv) && mv != remembered && !refuters.contains(&mv) {
                moves.push(Ranked::new(mv, history.value(black, mv)));
            }
        };
        match self.only {
            Some(only) => state.each_move_to(ground, only, call),
            None => state.each_move(ground, call),
        }
    }

    fn best(&mut self, search: &mut Search<'_>) -> Option<Move> {
        loop {
            let rest = search.moves.get_mut(self.next..)?;
            let mv = if self.handed < SORTED { bring_best(rest)? } else { rest.first()?.mv() };
            self.next += 1;
            self.handed += 1;
            if mv != self.remembered {
                return Some(mv);
            }
        }
    }
}
