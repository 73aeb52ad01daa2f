//! Luck and skill in a game that was played, as programs for backgammon tell
//! them apart.
//!
//! A throw's luck is the equity after it, put to its best use, less the average
//! over all throws before it. A choice's error is the equity of the best use
//! less that of the one chosen. Both are told for whoever threw or chose. Luck
//! is fair: before a throw, what it will be worth on average is nothing.

use super::{
    run_in::RunIn,
    search::{Search, Spent},
    state::{SCORES, State},
    throws::{Hopes, through_nulls},
    weights,
};
use crate::engines::{SearchLimits, StopSignal, control::SharedControl, timeman::Stopwatch};
use crate::games::{
    AnyMove, AnyPosition, Game as _, GameHistory, Ply, Side, Throw, Turn,
    tablan::{Move, Position},
};

/// Decisions looked ahead.
const DEPTH: u32 = 2;

/// A throw and what it was worth. Equity goes from -1, lost, to 1, won, for the
/// side that threw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Toss {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// Who threw.
    pub side: Side,
    /// The throw.
    pub throw: Throw,
    /// The average over all throws.
    pub before: f32,
    /// With this throw, put to its best use.
    pub after: f32,
}

impl Toss {
    /// How lucky the throw was.
    #[must_use]
    pub const fn luck(&self) -> f32 {
        self.after - self.before
    }
}

/// A choice and what it cost. Equity goes from -1, lost, to 1, won, for the
/// side that chose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// Who chose.
    pub side: Side,
    /// The move chosen.
    pub played: Move,
    /// The best one.
    pub best: Move,
    /// The equity with the best one.
    pub equity: f32,
    /// The equity with the one chosen.
    pub kept: f32,
    /// How many moves there were.
    pub among: usize,
    /// Whether all of that is proven, the game's end having been worked out.
    pub exact: bool,
}

impl Choice {
    /// The equity given away.
    #[must_use]
    pub const fn error(&self) -> f32 {
        self.equity - self.kept
    }
}

/// A side's luck and errors, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// The luck of its throws.
    pub luck: f32,
    /// The equity its choices gave away.
    pub error: f32,
    /// Its choices among several moves.
    pub choices: usize,
}

/// A game told apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// Every throw, in the game's order.
    pub tosses: Vec<Toss>,
    /// Every choice, in the game's order.
    pub choices: Vec<Choice>,
}

impl Review {
    /// A side's sums.
    #[must_use]
    pub fn sums(&self, side: Side) -> Sums {
        let tosses = self.tosses.iter().filter(|toss| toss.side == side);
        let choices = self.choices.iter().filter(|choice| choice.side == side);
        Sums {
            luck: tosses.map(Toss::luck).sum(),
            error: choices.clone().map(Choice::error).sum(),
            choices: choices.filter(|choice| choice.among > 1).count(),
        }
    }

    /// The choice that made a ply.
    #[must_use]
    pub fn choice(&self, ply: usize) -> Option<&Choice> {
        let at = self.choices.binary_search_by_key(&ply, |choice| choice.ply).ok()?;
        self.choices.get(at)
    }

    /// The throw that made a ply.
    #[must_use]
    pub fn toss(&self, ply: usize) -> Option<&Toss> {
        let at = self.tosses.binary_search_by_key(&ply, |toss| toss.ply).ok()?;
        self.tosses.get(at)
    }
}

/// Tells luck from skill in a game of Tablan: none where the game is another
/// one, or when told to stop.
#[must_use]
pub fn review(line: &GameHistory<AnyPosition>, stop: &StopSignal) -> Option<Review> {
    let AnyPosition::Tablan(start) = line.start() else { return None };
    let shared = SharedControl::new(SearchLimits::default(), Stopwatch::start(), stop);
    let mut run_in = RunIn::default();
    run_in.prepare(start.rules().ordered_entry, 64);
    let control = shared.main_thread();
    let network = weights(start.rules().ordered_entry);
    let mut reviewer =
        Reviewer { search: Search { network, control, run_in: &mut run_in, rival: None } };
    let mut review = Review::default();
    let mut options = Vec::new();
    for number in 1..=line.len() {
        let (Some(AnyPosition::Tablan(before)), Some(AnyPosition::Tablan(after))) =
            (line.at(number - 1), line.at(number))
        else {
            return None;
        };
        match line.ply(number)? {
            Ply::Throw(throw) => {
                options = reviewer.options(after).ok()?;
                let toss = reviewer.toss(number, before, throw, after, &options).ok()?;
                review.tosses.push(toss);
            }
            Ply::Move(AnyMove::Tablan(played)) => {
                // A record may begin with a throw to be used.
                if options.is_empty() {
                    options = reviewer.options(before).ok()?;
                }
                let solved = reviewer.search.run_in.known(State::of(before)).is_some();
                review.choices.extend(choice(number, before.side(), played, &options, solved));
                options.clear();
            }
            Ply::Move(_) => return None,
        }
    }
    Some(review)
}

/// A move and its worth for the mover.
type Valued = (Move, f32);

fn choice(ply: usize, side: Side, played: Move, options: &[Valued], exact: bool) -> Option<Choice> {
    let &(_, kept) = options.iter().find(|(mv, _)| *mv == played)?;
    let &(best, equity) = options.first()?;
    // Several moves may be as good as any.
    let best = if kept >= equity { played } else { best };
    Some(Choice { ply, side, played, best, equity, kept, among: options.len(), exact })
}

struct Reviewer<'a, 'g> {
    search: Search<'a, 'g>,
}

impl Reviewer<'_, '_> {
    /// Every move where one is due, with its worth, the best first.
    fn options(&mut self, position: &Position) -> Result<Vec<Valued>, Spent> {
        let mut options = Vec::new();
        if matches!(position.turn(), Turn::Move(_)) {
            self.solve(State::of(position));
        }
        for mv in position.legal_moves() {
            let mut after = position.clone();
            // The move comes from this position's own list.
            let _ = after.apply(mv);
            options.push((mv, self.search.worth(State::of(&after), DEPTH - 1)?));
        }
        options.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        Ok(options)
    }

    /// Works the end out where that can be done: then all that is asked later
    /// is known.
    fn solve(&mut self, state: State) {
        if RunIn::covers(state) {
            let control = &mut self.search.control;
            // Where it is too much, the look ahead has to do.
            let _ = self.search.run_in.solve(state, &mut || control.enter());
        }
    }

    /// The luck of a throw that led from `before` to `after`, where `options`
    /// are the moves.
    fn toss(
        &mut self,
        ply: usize,
        before: &Position,
        throw: Throw,
        after: &Position,
        options: &[Valued],
    ) -> Result<Toss, Spent> {
        let side = before.side();
        let state = State::of(before);
        let told = |before, after| Toss { ply, side, throw, before, after };
        if before.throwing_off() {
            // Who throws a 1 first starts with it. He who throws first does in
            // 4/16 : (1 - 144/256) = 4/7 of all cases, so his worth is 1/7 of
            // the start's.
            let start = self.search.prospects(state, DEPTH)?[0];
            let start = start.map_or_else(|| self.search.worth(state, DEPTH), Ok)?;
            let after = match options.first() {
                Some(&(_, best)) => best,
                None if throw.plain() == 1 => start,
                None => -start / 7.0,
            };
            return Ok(told(start / 7.0, after));
        }
        self.solve(state);
        let mut own = self.search.prospects(state, DEPTH)?;
        let used = SCORES.iter().position(|&(score, _)| score == throw.score());
        if let (Some(used), Some(&(_, best))) = (used, options.first()) {
            own[used] = Some(best);
        }
        let enemy = self.search.prospects(state.turned(), DEPTH)?;
        let [here, there] = through_nulls(Hopes::of(own), Hopes::of(enemy))
            .unwrap_or_else(|| [state.standing(), -state.standing()]);
        Ok(told(
            here,
            match used {
                None => -there,
                // A score nobody could use changes nothing.
                Some(_) if after.pending().is_none() => here,
                Some(used) => own[used].unwrap_or(here),
            },
        ))
    }
}
