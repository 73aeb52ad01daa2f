//! Who wins a position of Tablaaza: the exact solver.
//!
//! A depth-first search that asks only "does the side to move win?". What
//! makes it quick:
//!
//! - regions of at most [`SMALL`] squares are not searched: their values add up
//!   to one number, and a sum of numbers has a known winner;
//! - positions are the same when one is the other upside down, in the mirror
//!   with the colours exchanged, or has the same graph of free squares; moves
//!   are the same when their squares have the same neighbours left;
//! - a position that a half turn maps onto itself is lost for the side to move;
//! - all replies are looked up before the first is searched, and they are
//!   searched in the order of what has refuted positions of the same size.

use std::{mem, sync::Mutex};

use super::{
    bits::{Bits, Geometry, mix},
    regions::{Regions, encode, has_code},
    table::{Key, Table},
    values::{Value, ZERO},
};

/// Regions up to this size are valued, not searched.
const SMALL: u32 = 12;
/// Up to this many free squares positions are known by their graph.
const GRAPHS: u32 = 16;
/// The number of a move in what is valued already; no square has it.
const ELSEWHERE: usize = 62;
/// The number of no move.
const NOWHERE: usize = 63;

/// What the order of moves goes by, in hundredths of a free square.
mod weights {
    /// A free square the opponent has more than oneself.
    pub(super) const BEHIND: i32 = 80;
    /// A free square of one's own, by how many neighbours it has left.
    pub(super) const NEAR: [i32; 4] = [0, 80, 40, 20];
    /// A move that has always refuted positions of this size, of sizes one and
    /// two squares off, and of any size.
    pub(super) const BY_SIZE: [i32; 3] = [400, 200, 400];
    pub(super) const ANY_SIZE: i32 = 400;
    /// A move that has always refuted the move before.
    pub(super) const REPLY: i32 = 400;
}

/// How often a move refuted: full marks for always.
const ALWAYS: i32 = 1 << 12;
/// One over the weight of the latest trial, and of the latest at any size.
const LATEST: i32 = 4;
const LATEST_OF_ALL: i32 = 32;

/// A position: free squares, and the value of the regions already valued.
/// Every free square has a neighbour.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) free: u64,
    /// Whether Red is to move.
    pub(super) red: bool,
    rest: Value,
}

impl State {
    /// A position whose every free square shares a corridor with a free one of
    /// the other colour.
    pub(super) const fn new(free: u64, red: bool) -> Self {
        Self { free, red, rest: ZERO }
    }
}

/// A reply that must be searched.
#[derive(Clone, Copy, Debug)]
struct Reply {
    order: i32,
    by: usize,
    state: State,
    key: Key,
}

/// A position proven in passing: free squares with Red to move, and whether he
/// wins.
pub(super) type ProvenPosition = (u64, bool);

/// One thread's solver.
pub(super) struct Solver<'a> {
    regions: Regions,
    table: Table<'a>,
    /// By size, side and square: how often the move refuted.
    by_size: Vec<[[i32; 64]; 2]>,
    /// By side and square, whatever the size: likewise.
    of_all: [[i32; 64]; 2],
    /// By side, the move before, and square: likewise.
    by_reply: Vec<[[i32; 64]; 64]>,
    /// By size: room for replies, kept for its capacity.
    rooms: Vec<Vec<Reply>>,
    /// Positions searched in all, and for each of the root's moves.
    nodes: u64,
    work: [u64; 64],
    /// From how many free squares on proofs are told, and where.
    told: Option<(u32, &'a Mutex<Vec<ProvenPosition>>)>,
}

/// What a look at a position tells.
enum Fate {
    /// Whether the side to move wins.
    Known(bool),
    /// It must be searched.
    Open(State, Key),
}

impl<'a> Solver<'a> {
    /// A solver whose values take about `mib` MiB besides the table.
    pub(super) fn new(board: Geometry, table: Table<'a>, mib: usize) -> Self {
        // A region, a graph, four comparisons and a sum take 88 bytes, a value
        // less than that.
        let bits = ((mib.clamp(1, 4096) << 20) / 160).ilog2();
        Self {
            regions: Regions::new(board, bits, 1 << bits),
            table,
            by_size: vec![[[0; 64]; 2]; 67],
            of_all: [[0; 64]; 2],
            by_reply: vec![[[0; 64]; 64]; 2],
            rooms: vec![Vec::new(); 65],
            nodes: 0,
            work: [0; 64],
            told: None,
        }
    }

    /// From now on proofs of positions of so many free squares or more are
    /// told.
    pub(super) const fn tell(&mut self, from: u32, proofs: &'a Mutex<Vec<ProvenPosition>>) {
        self.told = Some((from, proofs));
    }

    /// Makes a helper go about it in another order.
    pub(super) fn disturb(&mut self, number: usize) {
        for (side, marks) in self.by_reply.iter_mut().flatten().enumerate() {
            for (at, mark) in marks.iter_mut().enumerate() {
                let noise = mix((number * 4096 + side * 64 + at) as u64);
                *mark = (noise % ALWAYS as u64) as i32 / 4;
            }
        }
    }

    pub(super) const fn board(&self) -> &Geometry {
        &self.regions.board
    }

    /// Whether the side to move wins; none when `enter`, asked before each
    /// position searched, said to stop.
    pub(super) fn wins(&mut self, state: State, enter: &mut dyn FnMut() -> bool) -> Option<bool> {
        self.work = [0; 64];
        match self.look(state) {
            Fate::Known(wins) => Some(wins),
            Fate::Open(state, key) => match self.table.recall(key) {
                Some(wins) => Some(wins),
                None => self.search(state, key, NOWHERE, enter),
            },
        }
    }

    /// Puts a proof of another day back into the table.
    pub(super) fn learn(&mut self, (free, wins): ProvenPosition) {
        if let Fate::Open(_, key) = self.look(State::new(free, true)) {
            self.table.note(key, wins);
        }
    }

    /// The position after a stone on `at`.
    pub(super) fn after(&self, state: State, at: u8) -> State {
        let closed = self.board().closed_by(state.free, usize::from(at));
        State { free: state.free & !closed, red: !state.red, ..state }
    }

    /// Whether the side to move after a stone on `at` wins, if that needs no
    /// search.
    pub(super) fn known_after(&mut self, state: State, at: u8) -> Option<bool> {
        match self.look(self.after(state, at)) {
            Fate::Known(wins) => Some(wins),
            Fate::Open(_, key) => self.table.recall(key),
        }
    }

    /// How many positions were searched for each move of the position last
    /// asked about; of moves that come to the same, for the lowest square.
    pub(super) fn work(&self, at: u8) -> u64 {
        self.work[usize::from(at) % 64]
    }

    /// Splits off what can be valued.
    fn look(&mut self, state: State) -> Fate {
        let State { mut free, red, mut rest } = state;
        let mut open = 0;
        while free != 0 {
            let region = self.regions.board.joined(free, free & free.wrapping_neg());
            free &= !region;
            let value = if region.count_ones() <= SMALL {
                let value = self.regions.value(region);
                value.and_then(|value| self.regions.values.add(rest, value))
            } else {
                None
            };
            match value {
                Some(value) => rest = value,
                None => open |= region,
            }
        }
        if open == 0 {
            return Fate::Known(self.regions.values.first_wins(rest, red));
        }
        if rest == ZERO && self.regions.board.is_mirror_loss(open) {
            return Fate::Known(false);
        }
        let state = State { free: open, red, rest };
        let key = self.key(state);
        Fate::Open(state, key)
    }

    fn key(&mut self, State { free, red, rest }: State) -> Key {
        let regions = &mut self.regions;
        let seen = if red { rest } else { regions.values.negative(rest) };
        let print = regions.values.print(seen);
        let board = &regions.board;
        let [reds, greens] = board.colours.map(|colour| colour & free);
        let (own, others) = if red { (reds, greens) } else { (greens, reds) };
        if free.count_ones() <= GRAPHS && has_code(own.count_ones(), others.count_ones()) {
            return Key::of_graph(encode(board, own, others), print);
        }
        let reds = board.lowered(reds, greens, board.colours[0]);
        let greens = board.lowered(greens, reds, board.colours[1]);
        match board.canonical(reds | greens, red) {
            Some(free) => Key::of_squares(free, print),
            // Which side is to move must be seen in the key.
            None => Key::of_squares(free, !print),
        }
    }

    /// Whether the side to move wins.
    fn search(
        &mut self,
        state: State,
        key: Key,
        before: usize,
        enter: &mut dyn FnMut() -> bool,
    ) -> Option<bool> {
        if !enter() {
            return None;
        }
        self.nodes += 1;
        let size = state.free.count_ones() as usize;
        let mut replies = mem::take(&mut self.rooms[size]);
        replies.clear();
        let mut wins = self.replies(state, before, &mut replies);
        if !wins {
            replies.sort_unstable_by_key(|reply| (reply.order, reply.by));
            for reply in &replies {
                // It may have been met since.
                let known = self.table.recall(reply.key);
                let nodes = self.nodes;
                let refuted = match known {
                    Some(wins) => !wins,
                    None => !self.search(reply.state, reply.key, reply.by, enter)?,
                };
                self.learn_order(size, state.red, before, reply.by, refuted);
                if before == NOWHERE {
                    self.work[reply.by] = self.nodes - nodes;
                }
                if refuted {
                    wins = true;
                    break;
                }
            }
        }
        self.rooms[size] = replies;
        self.table.note(key, wins);
        if let Some((from, proofs)) = self.told
            && size as u32 >= from
            && state.rest == ZERO
            && let Some(free) = self.board().canonical(state.free, state.red)
            && let Ok(mut proofs) = proofs.lock()
        {
            proofs.push((free, wins));
        }
        Some(wins)
    }

    /// Lists the replies whose outcome is not known; true when one is known to
    /// win.
    fn replies(&mut self, state: State, before: usize, replies: &mut Vec<Reply>) -> bool {
        let board = &self.regions.board;
        let [reds, greens] = board.colours.map(|colour| colour & state.free);
        let (own, others) = if state.red { (reds, greens) } else { (greens, reds) };
        for at in Bits(board.distinct(own, others)) {
            let free = state.free & !self.regions.board.closed_by(state.free, at);
            let after = State { free, red: !state.red, rest: state.rest };
            if self.reply(state, before, at, after, replies) {
                return true;
            }
        }
        for at in 0..self.regions.values.options(state.rest, state.red).len() {
            let rest = self.regions.values.options(state.rest, state.red)[at];
            let after = State { red: !state.red, rest, ..state };
            if self.reply(state, before, ELSEWHERE, after, replies) {
                return true;
            }
        }
        false
    }

    /// Looks at one reply; true when it wins.
    fn reply(
        &mut self,
        state: State,
        before: usize,
        by: usize,
        after: State,
        replies: &mut Vec<Reply>,
    ) -> bool {
        let (after, key) = match self.look(after) {
            Fate::Known(wins) => return !wins,
            Fate::Open(after, key) => (after, key),
        };
        if let Some(wins) = self.table.recall(key) {
            return !wins;
        }
        let size = state.free.count_ones() as usize;
        let side = usize::from(state.red);
        let by_size = |size: usize| self.by_size[size][side][by];
        let past = weights::BY_SIZE[0] * by_size(size)
            + weights::BY_SIZE[1] * (by_size(size + 1) + by_size(size - 1))
            + weights::BY_SIZE[2] * (by_size(size + 2) + by_size(size - 2))
            + weights::ANY_SIZE * self.of_all[side][by]
            + weights::REPLY * self.by_reply[side][before][by];
        let order = self.promise(after) - past / ALWAYS;
        replies.push(Reply { order, by, state: after, key });
        false
    }

    /// What the position seems worth for the side to move.
    fn promise(&self, state: State) -> i32 {
        let board = &self.regions.board;
        let worth = |own: u64, others: u64| {
            let near = Bits(own).map(|at| {
                let count = (board.near[at] & others).count_ones() as usize;
                weights::NEAR.get(count).copied().unwrap_or(0)
            });
            near.sum::<i32>() - weights::BEHIND * own.count_ones() as i32
        };
        let [reds, greens] = board.colours.map(|colour| colour & state.free);
        let balance = worth(reds, greens) - worth(greens, reds);
        if state.red { balance } else { -balance }
    }

    fn learn_order(&mut self, size: usize, red: bool, before: usize, by: usize, refuted: bool) {
        let goal = if refuted { ALWAYS } else { 0 };
        let side = usize::from(red);
        for (mark, latest) in [
            (&mut self.by_size[size][side][by], LATEST),
            (&mut self.by_reply[side][before][by], LATEST),
            (&mut self.of_all[side][by], LATEST_OF_ALL),
        ] {
            *mark += (goal - *mark) / latest;
        }
    }
}
