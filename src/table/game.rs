//! The table itself.

mod back;

use std::{collections::BTreeMap, time::Duration};

use crate::games::{
    AnyMove, AnyPosition, Event, Game, GameHistory, GameKind, Illegal, Ply, RuleSet, Side, Throw,
    Turn, tablan,
};

use crate::records::GameResult;

use super::{
    clock::{Clock, mover},
    dice::{Dice, random_seed},
    setup::{Outcome, Seat, Setup},
};

/// One game being played.
///
/// ```
/// use tabulae::engines::Level;
/// use tabulae::games::{Ply, RuleSet, Side};
/// use tabulae::table::{Outcome, Seat, Setup, GameSession};
///
/// let seats = [Seat::Person, Seat::Engine(Level::Club)];
/// let (rules, seed) = (RuleSet::Tablaaza, Some(1));
/// let mut table = GameSession::new(Setup { seats, seed, ..Setup::new(rules) });
/// assert!(table.person_moves());
/// let Ply::Move(c7) = table.history().parse("c7")? else { unreachable!("it is a stone's place") };
/// table.play(c7)?;
/// assert_eq!(table.seat_to_act(), Some(Seat::Engine(Level::Club)));
/// assert!(table.undo() && table.redo());
/// assert!(table.resign(Side::First));
/// assert_eq!(table.outcome().and_then(Outcome::winner), Some(Side::Second));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameSession {
    rules: RuleSet,
    seats: [Seat; 2],
    names: [String; 2],
    dice: Dice,
    line: GameHistory<AnyPosition>,
    undone: Vec<Ply<AnyMove>>,
    /// What the players, not the rules, ended the game with.
    settled: Option<Outcome>,
    by_hand: bool,
    clock: Option<Clock>,
    /// Who was chosen to throw off first.
    first: Option<Side>,
    /// Whom the lot made throw off first, where it was drawn at this table.
    lot: Option<Side>,
    pub(super) said: Said,
}

/// What a record said about the game beyond its plies, to be said again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) date: Option<String>,
    pub(super) tags: Vec<(String, String)>,
    /// By the number of plies before; those past the game's end belong to
    /// plies taken back.
    pub(super) comments: BTreeMap<usize, Vec<String>>,
    /// How it was left, where no player of this table ended it: the result
    /// and its reason. The next change takes it back.
    pub(super) stopped: Option<(GameResult, Option<String>)>,
}

impl GameSession {
    /// A table set for a new game.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let seed = setup.seed.unwrap_or_else(random_seed);
        let first = setup.first.filter(|_| setup.rules.has_sticks() && setup.start.is_none());
        let drawn = (setup.rules.has_sticks() && setup.start.is_none() && first.is_none())
            .then(|| Dice::lot(seed));
        let start = setup.start.unwrap_or_else(|| opening(setup.rules, first.or(drawn)));
        let mut table =
            Self::at(GameHistory::new(start), setup.seats, setup.seats.map(Seat::name), seed);
        table.by_hand = setup.by_hand && setup.rules.has_sticks();
        table.clock = setup.clock.map(Clock::new);
        (table.first, table.lot) = (first, drawn);
        table
    }

    /// A table where a game already stands.
    #[must_use]
    pub fn at(
        line: GameHistory<AnyPosition>,
        seats: [Seat; 2],
        names: [String; 2],
        seed: u64,
    ) -> Self {
        let rules = line.start().rules();
        let dice = Dice::new(seed);
        Self {
            rules,
            seats,
            names,
            dice,
            line,
            undone: Vec::new(),
            settled: None,
            by_hand: false,
            clock: None,
            first: None,
            lot: None,
            said: Said::default(),
        }
    }

    /// The same game with the sticks thrown by hand, or not.
    #[must_use]
    pub const fn thrown_by_hand(mut self, by_hand: bool) -> Self {
        self.by_hand = by_hand && self.rules.has_sticks();
        self
    }

    /// Whether the sticks are thrown off the screen: then [`Self::throw`] is
    /// refused and [`Self::enter_throw`] tells what they show.
    #[must_use]
    pub const fn by_hand(&self) -> bool {
        self.by_hand
    }

    /// The same game with these clocks.
    #[must_use]
    pub(super) fn timed(mut self, clock: Option<Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// The clocks, where it is played with some.
    #[must_use]
    pub const fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Whose clock runs: that of whoever is to move. A throw costs no time.
    #[must_use]
    pub fn clock_runs_for(&self) -> Option<Side> {
        match self.turn() {
            Some(Turn::Move(side)) if self.clock.is_some() => Some(side),
            _ => None,
        }
    }

    /// Says that so much time has gone by while somebody was to move. True
    /// when that was the last of it: the game is lost.
    pub fn run_clock(&mut self, elapsed: Duration) -> bool {
        let Some(side) = self.clock_runs_for() else { return false };
        let is_engine = matches!(self.seats[side.index()], Seat::Engine(_));
        let plies = self.line.len();
        let over = self.clock.as_mut().is_some_and(|it| it.run(side, plies, elapsed, is_engine));
        if over {
            self.settled = Some(Outcome::TimedOut(side));
        }
        over
    }

    /// How long an engine may think about the move that is due now; none where
    /// no clock says so.
    #[must_use]
    pub fn allowance(&self) -> Option<Duration> {
        let side = self.clock_runs_for()?;
        self.clock.as_ref().map(|clock| clock.allowance(side))
    }

    /// Whom the lot made throw off first, where it was drawn at this table.
    #[must_use]
    pub const fn lot(&self) -> Option<Side> {
        self.lot
    }

    /// The game so far.
    #[must_use]
    pub const fn history(&self) -> &GameHistory<AnyPosition> {
        &self.line
    }

    /// The rules played by.
    #[must_use]
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Who plays which side, by [`Side::index`].
    #[must_use]
    pub const fn seats(&self) -> [Seat; 2] {
        self.seats
    }

    /// The players' names, by [`Side::index`].
    #[must_use]
    pub const fn names(&self) -> &[String; 2] {
        &self.names
    }

    /// The sticks' seed.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.dice.seed()
    }

    /// The set-up to play the same game again; the sticks get a new seed.
    #[must_use]
    pub fn rematch(&self) -> Setup {
        let start = self.line.start();
        let usual = *start == AnyPosition::start(self.rules) || is_throwing_off(start);
        Setup {
            rules: self.rules,
            seats: self.seats,
            seed: None,
            start: if usual { None } else { Some(start.clone()) },
            by_hand: self.by_hand,
            clock: self.clock.as_ref().map(Clock::time_control),
            first: self.first,
        }
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self.line.turn() {
            Turn::Over(end) => Some(Outcome::Ended(end)),
            Turn::Move(_) | Turn::Throw(_) => self.settled,
        }
    }

    /// Who acts next; nobody once the game has ended or a side gave up.
    #[must_use]
    pub fn turn(&self) -> Option<Turn> {
        match self.outcome() {
            Some(_) => None,
            None => Some(self.line.turn()),
        }
    }

    /// The seat that acts next.
    #[must_use]
    pub fn seat_to_act(&self) -> Option<Seat> {
        let side = self.turn()?.side()?;
        Some(self.seats[side.index()])
    }

    /// Whether a person may choose a move now.
    #[must_use]
    pub fn person_moves(&self) -> bool {
        matches!(self.turn(), Some(Turn::Move(_))) && self.seat_to_act() == Some(Seat::Person)
    }

    /// Whether a person may throw now.
    #[must_use]
    pub fn person_throws(&self) -> bool {
        matches!(self.turn(), Some(Turn::Throw(_)))
            && self.seat_to_act() == Some(Seat::Person)
            && !self.by_hand
    }

    /// Whether somebody must say now what the sticks in a hand have shown.
    #[must_use]
    pub fn hand_throws(&self) -> bool {
        matches!(self.turn(), Some(Turn::Throw(_))) && self.by_hand
    }

    /// Plays a move for the side to move.
    ///
    /// # Errors
    /// The move is not legal; the game is unchanged.
    pub fn play(&mut self, mv: AnyMove) -> Result<&[Event], Illegal> {
        self.push(Ply::Move(mv))
    }

    /// Throws the sticks for the side whose throw is due.
    ///
    /// # Errors
    /// No throw is due, or the sticks are thrown by hand; the game is unchanged.
    pub fn throw(&mut self) -> Result<&[Event], Illegal> {
        if self.by_hand && matches!(self.turn(), Some(Turn::Throw(_))) {
            return Err(Illegal::ThrowDue);
        }
        let thrown = self.line.plies().filter(|ply| matches!(ply, Ply::Throw(_))).count();
        let throw = self.dice.throw(thrown);
        self.push(Ply::Throw(throw))
    }

    /// Says what the sticks thrown by hand have shown.
    ///
    /// # Errors
    /// No throw is due, or the program throws; the game is unchanged.
    pub fn enter_throw(&mut self, throw: Throw) -> Result<&[Event], Illegal> {
        if !self.by_hand {
            return Err(if self.rules.has_sticks() { Illegal::MoveDue } else { Illegal::NoSticks });
        }
        self.push(Ply::Throw(throw))
    }

    fn push(&mut self, ply: Ply<AnyMove>) -> Result<&[Event], Illegal> {
        if self.settled.is_some() {
            return Err(Illegal::GameOver);
        }
        self.line.push(ply)?;
        self.said.stopped = None;
        let again = self.undone.last() == Some(&ply);
        if let Some(clock) = &mut self.clock {
            let plies = self.line.len();
            clock.played(plies, mover(&self.line, plies), !again);
        }
        if again {
            self.undone.pop();
        } else {
            self.undone.clear();
            // What was said about plies taken back goes with them.
            let _ = self.said.comments.split_off(&self.line.len());
        }
        Ok(self.line.events(self.line.len()))
    }

    /// Gives the game up for `side`; nothing once it has ended.
    pub fn resign(&mut self, side: Side) -> bool {
        if self.outcome().is_some() {
            return false;
        }
        self.settled = Some(Outcome::Resigned(side));
        true
    }

    /// Ends the game for a side whose time was used up elsewhere.
    pub(super) fn forfeit(&mut self, side: Side) {
        if self.outcome().is_none() {
            self.settled = Some(Outcome::TimedOut(side));
        }
    }

    /// Whether the rules know a draw, so that one can be offered.
    #[must_use]
    pub const fn knows_draws(&self) -> bool {
        knows_draws(self.rules)
    }

    /// Ends the game as a draw both sides agreed on; nothing once it has ended
    /// or where the rules know no draw.
    pub fn agree(&mut self) -> bool {
        if self.outcome().is_some() || !self.knows_draws() {
            return false;
        }
        self.settled = Some(Outcome::Agreed);
        true
    }
}

/// Whether a game by these rules can end in a draw.
///
/// ```
/// use tabulae::{games::RuleSet, table::knows_draws};
///
/// assert!(knows_draws(RuleSet::TablutAshton));
/// // Somebody has to be left without a move.
/// assert!(!knows_draws(RuleSet::Tablaaza));
/// ```
#[must_use]
pub const fn knows_draws(rules: RuleSet) -> bool {
    match rules {
        RuleSet::TablutBerkeley | RuleSet::Tablaaza => false,
        RuleSet::TablutAshton
        | RuleSet::TablutLinnaeus
        | RuleSet::Tablan
        | RuleSet::TablanOrdered => true,
    }
}

/// The start by the rules; `first` throws off first where one throws off.
fn opening(rules: RuleSet, first: Option<Side>) -> AnyPosition {
    match (rules.game(), first) {
        (GameKind::Tablan, Some(first)) => {
            let data = if rules == RuleSet::Tablan { tablan::PLAIN } else { tablan::ORDERED };
            AnyPosition::Tablan(tablan::Position::with_first_thrower(data, first))
        }
        (GameKind::Tablan | GameKind::Tablut | GameKind::Tablaaza, _) => AnyPosition::start(rules),
    }
}

fn is_throwing_off(position: &AnyPosition) -> bool {
    match position {
        AnyPosition::Tablan(position) => {
            let other = position.side();
            *position == tablan::Position::with_first_thrower(position.rules(), other)
        }
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => false,
    }
}
