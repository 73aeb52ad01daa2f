//! The state of a game: pieces, side on turn and state of the sticks.

use crate::{
    Announcement, End, EndReason, Event, GOLDEN_GAMMA, Game, Illegal, Repetition, Side, Square,
    Throw, Turn, splitmix64,
};

use super::{
    course::{GOAL_ROW, START_ROW, course, opposite, places, steps},
    moves::{Move, MoverBoard, PieceMove},
    rules::{OUTCOMES, Rules, SCORES},
};

/// The state of the casting sticks: what is done with them next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ThrowState {
    /// The players throw in turn until one throws a 1 and starts (rule 7).
    ThrowingOff,
    /// The side on turn throws for a score.
    #[default]
    Due,
    /// The side on turn must use this throw, which has a score and a legal use.
    ToUse(Throw),
}

impl ThrowState {
    /// Every state, the throws to use by plain sides up. A null score passes the sticks
    /// immediately, so it is never to use.
    pub fn all() -> Vec<Self> {
        let scores = Throw::ALL.into_iter().filter(|throw| throw.score() > 0).map(Self::ToUse);
        [Self::ThrowingOff, Self::Due].into_iter().chain(scores).collect()
    }
}

/// A position: the pieces, the side on turn and the state of the sticks.
///
/// `Eq` and `Hash` compare all of that and the rule set. Pieces only move forward,
/// so there is no repetition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    rules: &'static Rules,
    /// Each side's pieces in places of its own course.
    pieces: [u64; 2],
    side: Side,
    throw_state: ThrowState,
}

/// The result of a throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThrowResult {
    /// No 1 while throwing off: the opponent throws (rule 7).
    ThrownOff,
    /// A 1 while throwing off: the thrower starts, with this throw to use.
    Starts,
    /// A 1 while throwing off that has no legal use in this position: the thrower
    /// starts and throws again.
    StartsAndLost,
    /// A score the thrower must now use.
    ToUse,
    /// A null score: the opponent throws (rule 9).
    Passed,
    /// A score with no legal use: the thrower throws again (rule 13).
    Lost,
}

impl Position {
    /// The start position, with South throwing off first.
    pub const fn start(rules: &'static Rules) -> Self {
        Self::with_first_thrower(rules, Side::First)
    }

    /// The start position with `side` throwing off first.
    #[must_use]
    pub const fn with_first_thrower(rules: &'static Rules, side: Side) -> Self {
        Self { rules, pieces: [START_ROW; 2], side, throw_state: ThrowState::ThrowingOff }
    }

    /// A position from its parts, which the caller has checked. Pieces are in places
    /// of their own course.
    pub(super) const fn from_parts(
        rules: &'static Rules,
        pieces: [u64; 2],
        side: Side,
        throw_state: ThrowState,
    ) -> Self {
        Self { rules, pieces, side, throw_state }
    }

    /// The rule set.
    pub const fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The side whose piece is on a square.
    pub fn piece(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| {
            steps(side, square).is_some_and(|place| self.places(side) >> place & 1 != 0)
        })
    }

    /// All pieces: South's, then North's, each in order of their course.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Side)> + '_ {
        Side::BOTH.into_iter().flat_map(|side| {
            places(self.places(side)).map(move |place| (course(side)[usize::from(place)], side))
        })
    }

    /// A side's pieces in places of its own course, bit 0 its first square.
    /// [`super::opposite`] converts them to places of the other course.
    pub const fn places(&self, side: Side) -> u64 {
        self.pieces[side.index()]
    }

    /// The number of pieces of a side.
    pub const fn count(&self, side: Side) -> u32 {
        self.places(side).count_ones()
    }

    /// The number of a side's pieces on its goal row: its score (rule 18).
    pub const fn goal_count(&self, side: Side) -> u32 {
        (self.places(side) & GOAL_ROW).count_ones()
    }

    /// The throw to be used; `None` if a throw is due.
    pub const fn pending(&self) -> Option<Throw> {
        match self.throw_state {
            ThrowState::ToUse(throw) => Some(throw),
            ThrowState::ThrowingOff | ThrowState::Due => None,
        }
    }

    /// Whether the players still throw off for the start (rule 7).
    pub const fn throwing_off(&self) -> bool {
        matches!(self.throw_state, ThrowState::ThrowingOff)
    }

    /// The state of the casting sticks.
    pub const fn throw_state(&self) -> ThrowState {
        self.throw_state
    }

    pub(super) const fn mover_board(&self, side: Side) -> MoverBoard {
        MoverBoard {
            own: self.places(side),
            opponent: opposite(self.places(side.other())),
            ordered: self.rules.ordered_entry,
        }
    }

    /// Appends the moves that `side` would have on turn with a score of 2, 8 or 12,
    /// the furthest pieces first; none for other scores.
    pub fn append_moves(&self, side: Side, score: u8, moves: &mut Vec<Move>) {
        if SCORES.contains(&score) {
            self.mover_board(side).for_each_move(side, score, |mv| moves.push(mv));
        }
    }

    /// Whether `side` would have a legal use for a score of 2, 8 or 12.
    pub fn can_use(&self, side: Side, score: u8) -> bool {
        SCORES.contains(&score) && self.mover_board(side).can_use(score)
    }

    /// The end; `None` while the game goes on (rules 17 to 19).
    pub fn end(&self) -> Option<End> {
        let arrived = |side| {
            let places = self.places(side);
            places != 0 && places & !GOAL_ROW == 0
        };
        if Side::BOTH.into_iter().any(arrived) {
            return Some(End { winner: self.ahead(), reason: EndReason::AllHome });
        }
        if let Some(loser) = Side::BOTH.into_iter().find(|&side| self.places(side) == 0) {
            return Some(End { winner: Some(loser.other()), reason: EndReason::NoPieces });
        }
        // No throw can change a board on which no piece can ever move.
        if Side::BOTH.into_iter().all(|side| !self.mover_board(side).can_move()) {
            return Some(End { winner: self.ahead(), reason: EndReason::Deadlock });
        }
        None
    }

    /// The side with more pieces on its goal row; `None` if equal.
    fn ahead(&self) -> Option<Side> {
        let [south, north] = Side::BOTH.map(|side| self.goal_count(side));
        match south.cmp(&north) {
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(Side::Second),
        }
    }

    /// Applies a throw like [`Game::throw`], without building events.
    ///
    /// # Errors
    /// No throw is due here; the position is unchanged.
    pub fn apply_throw(&mut self, throw: Throw) -> Result<ThrowResult, Illegal> {
        match self.turn() {
            Turn::Over(_) => return Err(Illegal::GameOver),
            Turn::Move(_) => return Err(Illegal::MoveDue),
            Turn::Throw(_) => {}
        }
        let score = throw.score();
        if self.throwing_off() && throw.plain() != 1 {
            self.side = self.side.other();
            return Ok(ThrowResult::ThrownOff);
        }
        let usable = score != 0 && self.mover_board(self.side).can_use(score);
        let result = match (self.throw_state, usable) {
            (ThrowState::ThrowingOff, true) => ThrowResult::Starts,
            (ThrowState::ThrowingOff, false) => ThrowResult::StartsAndLost,
            (_, true) => ThrowResult::ToUse,
            (_, false) if score == 0 => ThrowResult::Passed,
            (_, false) => ThrowResult::Lost,
        };
        self.throw_state = if usable { ThrowState::ToUse(throw) } else { ThrowState::Due };
        if result == ThrowResult::Passed {
            self.side = self.side.other();
        }
        Ok(result)
    }

    /// Applies a legal move like [`Game::play`], without building events.
    ///
    /// # Errors
    /// The move is not legal here; the position is unchanged.
    pub fn apply(&mut self, mv: Move) -> Result<(), Illegal> {
        let squares = |part: PieceMove| (part.from, part.to);
        let legal = self.legal_move(squares(mv.leader()), mv.follower().map(squares))?;
        if legal == mv {
            self.play_unchecked(mv);
            Ok(())
        } else if mv.side() != self.side {
            Err(Illegal::NotYours(mv.leader().from))
        } else {
            Err(Illegal::WrongCaptures { expected: legal.to_string() })
        }
    }
}

impl Game for Position {
    type Move = Move;

    fn side(&self) -> Side {
        self.side
    }

    fn turn(&self) -> Turn {
        match (self.end(), self.throw_state) {
            (Some(end), _) => Turn::Over(end),
            (None, ThrowState::ToUse(_)) => Turn::Move(self.side),
            (None, ThrowState::ThrowingOff | ThrowState::Due) => Turn::Throw(self.side),
        }
    }

    fn for_each_legal_move(&self, visit: impl FnMut(Move)) {
        if let (Turn::Move(side), Some(throw)) = (self.turn(), self.pending()) {
            self.mover_board(side).for_each_move(side, throw.score(), visit);
        }
    }

    fn outcomes(&self) -> &'static [(Throw, u32)] {
        match self.turn() {
            Turn::Throw(_) => &OUTCOMES,
            Turn::Move(_) | Turn::Over(_) => &[],
        }
    }

    fn play(&mut self, mv: Move) -> Result<Vec<Event>, Illegal> {
        let victim = self.side.other();
        self.apply(mv)?;
        let mut events = Vec::with_capacity(4);
        for part in mv.piece_moves() {
            if part.captures {
                events.push(Event::Captured { at: part.to, side: victim });
            }
            events.push(Event::Slid { from: part.from, to: part.to });
        }
        events.extend(self.end().map(Event::Ended));
        Ok(events)
    }

    fn play_unchecked(&mut self, mv: Move) {
        let side = self.side;
        self.pieces[side.index()] ^= mv.origins();
        self.pieces[side.index()] |= mv.landings();
        self.pieces[side.other().index()] &= !opposite(mv.landings());
        // Rule 14: the same player throws again.
        self.throw_state = ThrowState::Due;
    }

    fn throw(&mut self, throw: Throw) -> Result<Vec<Event>, Illegal> {
        let side = self.side;
        let result = self.apply_throw(throw)?;
        let mut events = vec![Event::Thrown { side, throw }];
        if matches!(result, ThrowResult::Starts | ThrowResult::StartsAndLost) {
            events.push(Event::Announced(Announcement::Starts(side)));
        }
        match result {
            ThrowResult::Passed => events.push(Event::Passed { side }),
            ThrowResult::Lost | ThrowResult::StartsAndLost => events.push(Event::Lost { side }),
            ThrowResult::ThrownOff | ThrowResult::Starts | ThrowResult::ToUse => {}
        }
        Ok(events)
    }

    fn parse_move(&self, text: &str) -> Result<Move, Illegal> {
        self.parse_legal_move(text)
    }

    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }

    fn key(&self) -> u64 {
        let sticks = match self.throw_state {
            ThrowState::ThrowingOff => 6,
            ThrowState::Due => 5,
            ThrowState::ToUse(throw) => u64::from(throw.plain()),
        };
        let state =
            sticks | (self.side.index() as u64) << 3 | u64::from(self.rules.ordered_entry) << 4;
        // The pieces take 48 bits of each word; the rest of the state goes above.
        let mix = |word: u64| splitmix64(word.wrapping_add(GOLDEN_GAMMA));
        mix(mix(self.pieces[0]) ^ (self.pieces[1] | state << 48))
    }
}
