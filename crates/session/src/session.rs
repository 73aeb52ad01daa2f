//! A game in progress: its history, seats, sticks, clocks and outcome.

mod record;
mod undo;

use std::{collections::BTreeSet, time::Duration};

use tabulae_games::{
    AnyMove, AnyPosition, AnyRules, Event, Game, GameHistory, Illegal, Ply, RuleSet, Side, Square,
    Throw, Turn, tablan,
};

use tabulae_records::{GameResult, GameTree};

pub use record::{date_at, days_between, today};

use super::{
    clock::{Clock, mover},
    describe::throws_off,
    dice::{Dice, random_seed},
    matches::Match,
    setup::{Outcome, Seat, Setup, clean_name},
};

/// A game in progress.
///
/// ```
/// use tabulae_engines::Level;
/// use tabulae_games::{Ply, RuleSet, Side};
/// use tabulae_session::{Outcome, Seat, Setup, GameSession};
///
/// let seats = [Seat::Person, Seat::Engine(Level::Club)];
/// let (rules, seed) = (RuleSet::Tablaaza, Some(1));
/// let mut session = GameSession::new(Setup { seats, seed, ..Setup::new(rules) });
/// assert!(session.person_moves());
/// let Ply::Move(c7) = session.history().parse("c7")? else { unreachable!("a stone's square") };
/// session.play(c7)?;
/// assert_eq!(session.seat_to_act(), Some(Seat::Engine(Level::Club)));
/// assert!(session.undo() && session.redo());
/// assert!(session.resign(Side::First));
/// assert_eq!(session.outcome().and_then(Outcome::winner), Some(Side::Second));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameSession {
    seats: [Seat; 2],
    pub(super) names: [String; 2],
    dice: Dice,
    history: GameHistory<AnyPosition>,
    /// The plies that [`Self::redo`] plays again, the next one last.
    undone: Vec<Ply<AnyMove>>,
    /// A resignation, an agreed draw or a loss on time. The ends by the rules are in the
    /// history.
    ended_early: Option<Outcome>,
    /// Whether real sticks are thrown and their throws entered.
    by_hand: bool,
    clock: Option<Clock>,
    /// The side that the set-up chose to throw off first.
    chosen_first: Option<Side>,
    /// The side whose clock runs on the server of an online game.
    running_online: Option<Side>,
    /// The side that a lot, drawn here, made throw off first.
    drawn_first: Option<Side>,
    /// How many throws were made at once to draw who starts; 0 if they are thrown one by
    /// one.
    drawn_throws: usize,
    /// The number of plies at the start that cannot be undone.
    undo_floor: usize,
    /// The plies that are pairs of which a person moved the follower first.
    follower_first: BTreeSet<usize>,
    /// The match that this game belongs to.
    pub(super) match_played: Option<Match>,
    pub(super) notes: RecordNotes,
    /// Why the game does not count for ratings; none if it does: a whole game without
    /// help.
    unrated: Option<UnratedReason>,
    /// Whether the engine's level was chosen by the person's rating.
    adaptive: bool,
}

/// Why a game does not count for ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnratedReason {
    /// A hint, the evaluation or the best moves were shown.
    Help,
    /// A move was taken back.
    Undo,
    /// The game goes on from a copy in a file, which could be played again and again.
    Copy,
    /// The game was given up before both sides had moved.
    Aborted,
    /// Both players have the same name, or none.
    SamePlayer,
    /// The game is not a whole one between persons and levels, or nothing more is known.
    Other,
}

/// Who makes the throw that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thrower {
    /// A person at this table, by [`GameSession::throw`] or by asking the server.
    Person,
    /// Whoever shows the game throws for an engine or another program.
    Computer,
    /// A person with real sticks, also for an engine: [`GameSession::enter_throw`] takes
    /// what they show.
    Hand,
    /// A person elsewhere.
    Remote,
}

/// What a record says beyond plies, seats and clocks, kept to be written again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RecordNotes {
    date: Option<String>,
    pub(super) tags: Vec<(String, String)>,
    /// The variations, comments, glyphs and shapes, also those of undone plies. Plies
    /// that were played since are not in it, nor is what the clock writes.
    tree: GameTree,
    /// The result and termination of a record that was ended by other means than
    /// this session knows. The next change of the game removes it.
    stopped: Option<(GameResult, Option<String>)>,
}

impl GameSession {
    /// A new game.
    pub fn new(setup: Setup) -> Self {
        let seed = setup.seed.unwrap_or_else(random_seed);
        let first = setup.first.filter(|_| setup.rules.has_sticks() && setup.start.is_none());
        let drawn = (setup.rules.has_sticks() && setup.start.is_none() && first.is_none())
            .then(|| Dice::lot(seed));
        let names = setup.record_names();
        let adaptive = setup.adaptive && setup.is_against_engine();
        // The strength of another program is not known.
        let is_rateable =
            setup.seats.contains(&Seat::Person) && !setup.seats.contains(&Seat::Program);
        let is_rated = setup.start.is_none() && is_rateable;
        let start = setup.start.unwrap_or_else(|| opening(setup.rules, first.or(drawn)));
        let mut session = Self::at(GameHistory::new(start), setup.seats, names, seed);
        session.by_hand = setup.by_hand && setup.rules.has_sticks();
        session.clock = setup.clock.map(Clock::new);
        (session.chosen_first, session.drawn_first) = (first, drawn);
        session.match_played = Match::new(setup.games);
        session.unrated = (!is_rated).then_some(UnratedReason::Other);
        session.adaptive = adaptive;
        if setup.draws_start && !session.is_online() {
            while throws_off(session.history.position()) && session.throw().is_ok() {}
            session.keep_start();
        }
        session
    }

    /// Takes the throws that decided who starts as drawn at once: they are not undone.
    fn keep_start(&mut self) {
        let throws_off = |ply: &usize| self.history.at(*ply).is_some_and(throws_off);
        self.drawn_throws = (0..self.history.len()).take_while(throws_off).count();
        self.undo_floor = self.drawn_throws;
    }

    /// A session that goes on with a game.
    pub fn at(
        history: GameHistory<AnyPosition>,
        seats: [Seat; 2],
        names: [String; 2],
        seed: u64,
    ) -> Self {
        Self {
            seats,
            names,
            dice: Dice::new(seed),
            history,
            undone: Vec::new(),
            ended_early: None,
            by_hand: false,
            clock: None,
            chosen_first: None,
            running_online: None,
            drawn_first: None,
            drawn_throws: 0,
            undo_floor: 0,
            follower_first: BTreeSet::new(),
            match_played: None,
            unrated: Some(UnratedReason::Other),
            adaptive: false,
            notes: RecordNotes::default(),
        }
    }

    /// A session of two persons for an exercise: what was played so far cannot be
    /// undone.
    pub fn exercise(history: GameHistory<AnyPosition>) -> Self {
        let seats = [Seat::Person; 2];
        let undo_floor = history.len();
        Self { undo_floor, ..Self::at(history, seats, seats.map(Seat::name), 0) }
    }

    /// Sets whether the sticks are thrown by hand, for games that have sticks.
    #[must_use]
    pub fn with_hand_throws(mut self, by_hand: bool) -> Self {
        self.by_hand = by_hand && self.rules().has_sticks();
        self
    }

    /// Whether real sticks are thrown: then [`Self::throw`] is refused and
    /// [`Self::enter_throw`] takes what they show.
    pub const fn by_hand(&self) -> bool {
        self.by_hand
    }

    /// Whether a player sits elsewhere: then a server is the referee, its clocks count,
    /// and it makes the throws together with the players.
    ///
    /// ```
    /// use tabulae_games::RuleSet;
    /// use tabulae_session::{GameSession, Seat, Setup};
    ///
    /// let seats = [Seat::Person, Seat::Remote];
    /// let session = GameSession::new(Setup { seats, ..Setup::new(RuleSet::Tablan) });
    /// assert!(session.is_online());
    /// ```
    pub fn is_online(&self) -> bool {
        self.seats.contains(&Seat::Remote)
    }

    /// The same game with these players, and with these tags in its record.
    pub fn seated(mut self, seats: [Seat; 2], tags: Vec<(String, String)>) -> Self {
        self.seats = seats;
        self.notes.tags = tags;
        self
    }

    /// Takes over all but the plies from another session of the same game.
    pub fn update_from(&mut self, other: &Self) {
        self.ended_early = other.ended_early;
        self.names.clone_from(&other.names);
        self.notes.tags.clone_from(&other.notes.tags);
        self.clock.clone_from(&other.clock);
    }

    /// Shows these times, but none that is longer than the time left.
    /// `running` is the side whose clock runs.
    pub fn show_clocks(&mut self, left: [Duration; 2], running: Option<Side>) {
        if let Some(clock) = &mut self.clock {
            clock.show(left);
            self.running_online = running;
        }
    }

    /// Sets the clocks.
    #[must_use]
    fn timed(mut self, clock: Option<Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// The clocks; `None` in an untimed game.
    pub const fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// The side whose clock runs: the side to move. A throw costs no time, except in an
    /// online game, whose server says for whom it waits.
    pub fn clock_runs_for(&self) -> Option<Side> {
        self.clock.as_ref()?;
        match self.turn()? {
            Turn::Over(_) => None,
            Turn::Move(_) | Turn::Throw(_) if self.is_online() => self.running_online,
            Turn::Move(side) => Some(side),
            Turn::Throw(_) => None,
        }
    }

    /// Takes `elapsed` off the running clock. Returns whether it ran out, which
    /// loses the game. In an online game the server's clocks count, and nothing happens.
    pub fn run_clock(&mut self, elapsed: Duration) -> bool {
        let Some(side) = self.clock_runs_for().filter(|_| !self.is_online()) else { return false };
        let is_engine = matches!(self.seats[side.index()], Seat::Engine(_));
        self.take_time(side, elapsed, is_engine)
    }

    /// Takes `elapsed` off a side's clock, also while a throw is due. Returns whether it
    /// ran out, which loses the game. Without clocks nothing happens.
    pub fn run_clock_of(&mut self, side: Side, elapsed: Duration) -> bool {
        self.outcome().is_none() && self.take_time(side, elapsed, false)
    }

    fn take_time(&mut self, side: Side, elapsed: Duration, is_engine: bool) -> bool {
        let plies = self.history.len();
        let over =
            self.clock.as_mut().is_some_and(|clock| clock.run(side, plies, elapsed, is_engine));
        if over {
            self.ended_early = Some(Outcome::TimedOut(side));
        }
        over
    }

    /// The time an engine may think about the next move; `None` without a
    /// running clock.
    pub fn allowance(&self) -> Option<Duration> {
        let side = self.clock_runs_for()?;
        self.clock.as_ref().map(|clock| clock.allowance(side))
    }

    /// The side that the lot made throw off first; `None` if none was drawn here.
    pub const fn lot(&self) -> Option<Side> {
        self.drawn_first
    }

    /// How many throws at the start of the game were made at once to draw who starts; 0 if
    /// the players throw for it.
    ///
    /// ```
    /// use tabulae_games::{RuleSet, Turn};
    /// use tabulae_session::{GameSession, Setup};
    ///
    /// let setup = Setup { draws_start: true, seed: Some(1), ..Setup::new(RuleSet::Tablan) };
    /// let session = GameSession::new(setup);
    /// assert_eq!(session.drawn_throws(), session.history().len());
    /// assert!(matches!(session.turn(), Some(Turn::Move(_))), "a move of 2 squares is due");
    /// ```
    #[must_use]
    pub const fn drawn_throws(&self) -> usize {
        self.drawn_throws
    }

    /// The game so far.
    pub const fn history(&self) -> &GameHistory<AnyPosition> {
        &self.history
    }

    /// The rule set.
    pub fn rules(&self) -> RuleSet {
        self.history.start().rules()
    }

    /// The players, by [`Side::index`].
    pub const fn seats(&self) -> [Seat; 2] {
        self.seats
    }

    /// The players' names, by [`Side::index`].
    pub const fn names(&self) -> &[String; 2] {
        &self.names
    }

    /// The persons' names, by [`Side::index`]; empty for a guest and for an engine.
    ///
    /// ```
    /// use tabulae_games::RuleSet;
    /// use tabulae_session::{GameSession, Setup};
    ///
    /// let names = ["Aili".to_owned(), String::new()];
    /// let setup = Setup { names: names.clone(), ..Setup::new(RuleSet::Tablaaza) };
    /// let session = GameSession::new(setup);
    /// assert_eq!(session.names(), &["Aili".to_owned(), "Person".to_owned()]);
    /// assert_eq!(session.person_names(), names);
    /// assert_eq!(session.rematch_same_sides().names, names);
    /// ```
    pub fn person_names(&self) -> [String; 2] {
        Side::BOTH.map(|side| match self.seats[side.index()] {
            Seat::Person | Seat::Remote | Seat::Program => clean_name(&self.names[side.index()]),
            Seat::Engine(_) => String::new(),
        })
    }

    /// Whether the game counts for ratings: a whole game with at least one person,
    /// without a move taken back and without help.
    ///
    /// ```
    /// use tabulae_games::RuleSet;
    /// use tabulae_session::{GameSession, Setup, UnratedReason};
    ///
    /// let mut session = GameSession::new(Setup::new(RuleSet::Tablaaza));
    /// assert!(session.is_rated());
    /// assert!(session.set_unrated(UnratedReason::Help));
    /// assert!(!session.set_unrated(UnratedReason::Help));
    /// assert!(!session.is_rated());
    /// ```
    pub const fn is_rated(&self) -> bool {
        self.unrated.is_none()
    }

    /// Why the result does not count for ratings; none if it does.
    ///
    /// ```
    /// use tabulae_engines::Level;
    /// use tabulae_games::RuleSet;
    /// use tabulae_session::{GameSession, Seat, Setup, UnratedReason};
    ///
    /// // A player has no rating against himself.
    /// let guests = GameSession::new(Setup::new(RuleSet::Tablaaza));
    /// assert_eq!(guests.unrated_reason(), Some(UnratedReason::SamePlayer));
    /// let seats = [Seat::Person, Seat::Engine(Level::Club)];
    /// let mut session = GameSession::new(Setup { seats, ..Setup::new(RuleSet::Tablaaza) });
    /// assert_eq!(session.unrated_reason(), None);
    /// session.set_unrated(UnratedReason::Help);
    /// assert_eq!(session.unrated_reason(), Some(UnratedReason::Help));
    /// ```
    pub fn unrated_reason(&self) -> Option<UnratedReason> {
        // Afterwards it does not matter where a person sat.
        let seats = self.seats.map(|seat| if seat == Seat::Remote { Seat::Person } else { seat });
        let [one, other] = self.person_names();
        let is_same = seats[0] == seats[1] && one == other;
        self.unrated
            .or_else(|| self.is_aborted().then_some(UnratedReason::Aborted))
            .or_else(|| is_same.then_some(UnratedReason::SamePlayer))
    }

    /// Whether giving up now aborts the game: not both sides have moved. A game of a match
    /// or on a server is lost instead.
    ///
    /// ```
    /// use tabulae_engines::Level;
    /// use tabulae_games::{RuleSet, Side};
    /// use tabulae_session::{GameSession, Seat, Setup, UnratedReason};
    ///
    /// let seats = [Seat::Person, Seat::Engine(Level::Club)];
    /// let mut session = GameSession::new(Setup { seats, ..Setup::new(RuleSet::Tablaaza) });
    /// assert!(session.can_abort());
    /// session.resign(Side::First);
    /// assert!(session.is_aborted());
    /// assert_eq!(session.unrated_reason(), Some(UnratedReason::Aborted));
    /// ```
    pub fn can_abort(&self) -> bool {
        let has_moved =
            |side| (1..=self.history.len()).any(|ply| mover(&self.history, ply) == Some(side));
        !self.is_online()
            && self.match_standing().is_none()
            && !Side::BOTH.into_iter().all(has_moved)
    }

    /// Whether the game was given up before both sides had moved: it has no result.
    pub fn is_aborted(&self) -> bool {
        matches!(self.ended_early, Some(Outcome::Resigned(_))) && self.can_abort()
    }

    /// Takes the game out of the ratings for this reason. Returns whether it counted until
    /// now. A game that has ended keeps counting.
    pub fn set_unrated(&mut self, reason: UnratedReason) -> bool {
        let counted = self.outcome().is_none() && self.is_rated();
        if counted {
            self.unrated = Some(reason);
        }
        counted
    }

    /// Takes the game out of the ratings as a copy of a saved one, even if it has ended.
    ///
    /// ```
    /// use tabulae_engines::Level;
    /// use tabulae_games::RuleSet;
    /// use tabulae_session::{GameSession, Seat, Setup, UnratedReason};
    ///
    /// let seats = [Seat::Person, Seat::Engine(Level::Club)];
    /// let mut session = GameSession::new(Setup { seats, ..Setup::new(RuleSet::Tablaaza) });
    /// session.mark_as_copy();
    /// assert_eq!(session.unrated_reason(), Some(UnratedReason::Copy));
    /// ```
    pub fn mark_as_copy(&mut self) {
        self.unrated.get_or_insert(UnratedReason::Copy);
    }

    /// Whether the engine's level was chosen by the person's rating.
    pub const fn is_adaptive(&self) -> bool {
        self.adaptive
    }

    /// The sticks' seed.
    pub const fn seed(&self) -> u64 {
        self.dice.seed()
    }

    /// The set-up of another game like this one with the same seats and a new seed.
    pub(super) fn same_again(&self) -> Setup {
        let start = self.history.start();
        let usual = *start == AnyPosition::start(self.rules()) || is_opening_throw_off(start);
        Setup {
            rules: self.rules(),
            seats: self.seats,
            names: self.person_names(),
            adaptive: self.adaptive,
            seed: None,
            start: if usual { None } else { Some(start.clone()) },
            by_hand: self.by_hand,
            clock: self.clock.as_ref().map(Clock::time_controls),
            first: self.chosen_first,
            draws_start: self.drawn_throws > 0,
            games: self.match_standing().map_or(1, |standing| standing.games),
        }
    }

    /// The outcome; `None` while the game goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.history.turn() {
            Turn::Over(end) => Some(Outcome::Ended(end)),
            Turn::Move(_) | Turn::Throw(_) => self.ended_early,
        }
    }

    /// Whose turn it is to move or to throw; `None` once the game has an outcome.
    pub fn turn(&self) -> Option<Turn> {
        match self.outcome() {
            Some(_) => None,
            None => Some(self.history.turn()),
        }
    }

    /// The seat whose turn it is.
    pub fn seat_to_act(&self) -> Option<Seat> {
        let side = self.turn()?.side()?;
        Some(self.seats[side.index()])
    }

    /// The person who resigns or offers a draw: the side to act, or the only person
    /// at the table. `None` without persons, or once the game has an outcome.
    pub fn resigning_side(&self) -> Option<Side> {
        let side = self.turn()?.side()?;
        [side, side.other()].into_iter().find(|side| self.seats[side.index()] == Seat::Person)
    }

    /// The side of the only person at this table; `None` for two, or none.
    pub fn only_person(&self) -> Option<Side> {
        match self.seats {
            [Seat::Person, other] if other != Seat::Person => Some(Side::First),
            [other, Seat::Person] if other != Seat::Person => Some(Side::Second),
            _ => None,
        }
    }

    /// Whether a person has moved in this game.
    pub fn has_moves_by_person(&self) -> bool {
        (1..=self.history.len()).any(|ply| {
            let side = self.history.at(ply - 1).map(Game::side);
            matches!(self.history.ply(ply), Some(Ply::Move(_)))
                && side.is_some_and(|side| self.seats[side.index()] == Seat::Person)
        })
    }

    /// Whether a person is to move.
    pub fn person_moves(&self) -> bool {
        matches!(self.turn(), Some(Turn::Move(_))) && self.seat_to_act() == Some(Seat::Person)
    }

    /// Who makes the throw that is due; `None` where none is.
    ///
    /// ```
    /// use tabulae_games::RuleSet;
    /// use tabulae_session::{GameSession, Setup, Thrower};
    ///
    /// let session = GameSession::new(Setup::new(RuleSet::Tablan));
    /// assert_eq!(session.thrower(), Some(Thrower::Person));
    /// assert_eq!(session.with_hand_throws(true).thrower(), Some(Thrower::Hand));
    /// ```
    pub fn thrower(&self) -> Option<Thrower> {
        let Turn::Throw(side) = self.turn()? else { return None };
        Some(match self.seats[side.index()] {
            _ if self.by_hand && !self.is_online() => Thrower::Hand,
            Seat::Person => Thrower::Person,
            Seat::Remote => Thrower::Remote,
            Seat::Engine(_) | Seat::Program => Thrower::Computer,
        })
    }

    /// Plays a move for the side to move.
    ///
    /// # Errors
    /// The move is not legal; the game is unchanged.
    pub fn play(&mut self, mv: AnyMove) -> Result<&[Event], Illegal> {
        self.push(Ply::Move(mv))
    }

    /// Remembers which piece of the pair just played a person moved first. Records write the
    /// leader first, and do not tell.
    ///
    /// ```
    /// use tabulae_games::{AnyPosition, Game, RuleSet};
    /// use tabulae_session::{GameSession, Setup};
    ///
    /// let start = AnyPosition::parse(RuleSet::Tablan, "N11/12/12/S3S7 s t1")?;
    /// let pair = start.parse_move("e1-f1+a1-b1")?;
    /// let mut session = GameSession::new(Setup { start: Some(start), ..Setup::new(RuleSet::Tablan) });
    /// session.play(pair)?;
    /// session.note_first_step("a1".parse()?);
    /// assert!(session.moved_follower_first(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn note_first_step(&mut self, from: Square) {
        let ply = self.history.len();
        if let Some(Ply::Move(AnyMove::Tablan(mv))) = self.history.ply(ply)
            && mv.follower().is_some_and(|step| step.from == from)
        {
            self.follower_first.insert(ply);
        }
    }

    /// Whether ply `number` is a pair of which a person moved the follower first.
    pub fn moved_follower_first(&self, number: usize) -> bool {
        self.follower_first.contains(&number)
    }

    /// Throws the sticks for the side whose throw is due.
    ///
    /// # Errors
    /// No throw is due, or the sticks are thrown by hand; the game is unchanged.
    pub fn throw(&mut self) -> Result<&[Event], Illegal> {
        if self.by_hand && matches!(self.turn(), Some(Turn::Throw(_))) {
            return Err(Illegal::ThrowDue);
        }
        let throw = self.dice.throw(self.history.throws());
        self.push(Ply::Throw(throw))
    }

    /// Plays a throw of real sticks.
    ///
    /// # Errors
    /// No throw is due, or the program throws; the game is unchanged.
    pub fn enter_throw(&mut self, throw: Throw) -> Result<&[Event], Illegal> {
        if !self.by_hand {
            return Err(if self.rules().has_sticks() {
                Illegal::MoveDue
            } else {
                Illegal::NoSticks
            });
        }
        self.push(Ply::Throw(throw))
    }

    fn push(&mut self, ply: Ply<AnyMove>) -> Result<&[Event], Illegal> {
        if self.ended_early.is_some() {
            return Err(Illegal::GameOver);
        }
        self.history.push(ply)?;
        self.notes.stopped = None;
        let is_redo = self.undone.last() == Some(&ply);
        if !is_redo {
            self.follower_first.split_off(&self.history.len());
        }
        if let Some(clock) = &mut self.clock {
            let plies = self.history.len();
            clock.ply_played(plies, mover(&self.history, plies), is_redo);
        }
        if is_redo {
            self.undone.pop();
        } else {
            // What was said of the undone plies is gone with them.
            if let Some(&undone) = self.undone.last() {
                let before = self.history.plies().take(self.history.len() - 1);
                let gone = self.notes.tree.find(before.chain([undone]));
                gone.map(|node| self.notes.tree.remove(node));
            }
            self.undone.clear();
        }
        Ok(self.history.events(self.history.len()))
    }

    /// Resigns for `side`. Returns `false` once the game has ended.
    pub fn resign(&mut self, side: Side) -> bool {
        if self.outcome().is_some() {
            return false;
        }
        self.ended_early = Some(Outcome::Resigned(side));
        true
    }

    /// Ends the game that `side` lost on time elsewhere.
    fn forfeit(&mut self, side: Side) {
        if self.outcome().is_none() {
            self.ended_early = Some(Outcome::TimedOut(side));
        }
    }

    /// Ends the game as an agreed draw. Returns `false` once the game has ended
    /// and where the rules have no draws.
    pub fn agree(&mut self) -> bool {
        if self.outcome().is_some() || !self.rules().knows_draws() {
            return false;
        }
        self.ended_early = Some(Outcome::Agreed);
        true
    }
}

/// The rules' start position; in Tablan `first` throws off first.
fn opening(rules: RuleSet, first: Option<Side>) -> AnyPosition {
    match (rules.rules(), first) {
        (AnyRules::Tablan(rules), Some(first)) => {
            AnyPosition::Tablan(tablan::Position::with_first_thrower(rules, first))
        }
        _ => AnyPosition::start(rules),
    }
}

/// Whether this is Tablan's start, whichever side throws off first.
fn is_opening_throw_off(position: &AnyPosition) -> bool {
    match position {
        AnyPosition::Tablan(position) => {
            let other = position.side();
            *position == tablan::Position::with_first_thrower(position.rules(), other)
        }
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => false,
    }
}
