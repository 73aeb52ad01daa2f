//! Undo, redo, and playing on from an earlier ply.

use super::{
    GameSession, UnratedReason,
    record::{kind_tag, level_tag},
};
use crate::Seat;
use tabulae_games::{AnyPosition, Game, Side, Turn};

impl GameSession {
    /// Whether [`Self::undo`] would do anything.
    pub fn can_undo(&self) -> bool {
        self.ended_early.is_some() || self.undo_target().is_some()
    }

    /// Whether [`Self::redo`] would do anything.
    pub fn can_redo(&self) -> bool {
        self.ended_early.is_none() && !self.undone.is_empty()
    }

    /// Undoes a resignation, an agreed draw or a loss on time, or else the plies
    /// back to the last one that a person decided. Returns whether it did anything.
    ///
    /// Between two engines it undoes a single ply. Where only the engine has
    /// played against a person it does nothing, since the engine would play the
    /// same again. A throw is never undone alone, since the same throw would follow.
    pub fn undo(&mut self) -> bool {
        if self.ended_early.take().is_some() {
            self.unrated.get_or_insert(UnratedReason::Undo);
            self.restore_clock();
            return true;
        }
        let target = self.undo_target();
        if let Some(target) = target {
            self.undo_to(target);
        }
        target.is_some()
    }

    /// The number of plies that [`Self::undo`] leaves.
    fn undo_target(&self) -> Option<usize> {
        let free = self.undo_floor..self.history.len();
        let own = free.clone().rev().find(|&n| self.decided_by_person(n));
        let has = |person| self.seats.iter().any(|seat| (*seat == Seat::Person) == person);
        let mixed = has(true) && has(false);
        own.or_else(|| free.last().filter(|_| !mixed))
    }

    /// Undoes a whole turn: in a game with sticks all the moves that a player
    /// made since getting the sticks, elsewhere the same as [`Self::undo`].
    pub fn undo_turn(&mut self) -> bool {
        let ended_early = self.ended_early.is_some();
        let done = self.undo();
        if !done || ended_early || !self.rules().has_sticks() {
            return done;
        }
        let actor = |n: usize| self.history.at(n).map(Game::side);
        let mut target = self.history.len();
        let turn = actor(target);
        for n in (self.undo_floor..self.history.len()).rev() {
            if actor(n) != turn || self.is_throwing_off(n) {
                break;
            }
            if self.decided_by_person(n) {
                target = n;
            }
        }
        self.undo_to(target);
        true
    }

    /// A new game that goes on after `plies` plies of this one, with the same
    /// seats, seed and comments. It belongs to no match.
    pub fn branch(&self, plies: usize) -> Self {
        let mut branch = self.clone();
        branch.history.truncate(plies);
        (branch.undo_floor, branch.drawn_throws) = (0, 0);
        // What comes after is known from the game that it leaves.
        (branch.unrated, branch.adaptive) = (Some(UnratedReason::Other), false);
        branch.undone.clear();
        branch.ended_early = None;
        branch.notes.stopped = None;
        branch.leave_match();
        if let Some(clock) = &mut branch.clock {
            clock.truncate(branch.history.len());
        }
        if let Some(node) = branch.notes.tree.find(branch.history.plies()) {
            for child in branch.notes.tree.children(node).to_vec() {
                branch.notes.tree.remove(child);
            }
        }
        branch
    }

    /// The same game with a person in it: between two engines, the side on turn
    /// (or the first side) becomes a person.
    #[must_use]
    pub fn with_person(mut self) -> Self {
        if !self.seats.contains(&Seat::Person) {
            let side = self.turn().and_then(Turn::side).unwrap_or(Side::First);
            self.names[side.index()] = Seat::Person.name();
            self.take_over(side);
        }
        self
    }

    /// Lets a person at this table play a side from now on. Its name stays.
    ///
    /// ```
    /// use tabulae_games::{RuleSet, Side};
    /// use tabulae_session::{GameSession, Seat, Setup};
    ///
    /// let names = [String::new(), "Mine".to_owned()];
    /// let seats = [Seat::Person, Seat::Program];
    /// let setup = Setup { seats, names, ..Setup::new(RuleSet::Tablan) };
    /// let mut session = GameSession::new(setup);
    /// session.take_over(Side::Second);
    /// assert_eq!(session.seats(), [Seat::Person; 2]);
    /// assert_eq!(session.names()[1], "Mine");
    /// ```
    pub fn take_over(&mut self, side: Side) {
        self.seats[side.index()] = Seat::Person;
        let gone = [level_tag(self.rules(), side), kind_tag(self.rules(), side)];
        self.notes.tags.retain(|(name, _)| !gone.contains(name));
        self.unrated.get_or_insert(UnratedReason::Other);
    }

    fn is_throwing_off(&self, plies: usize) -> bool {
        matches!(self.history.at(plies), Some(AnyPosition::Tablan(it)) if it.throwing_off())
    }

    /// Undoes plies until `target` are left, and sets the clocks to their times then.
    pub fn undo_to(&mut self, target: usize) {
        self.unrated.get_or_insert(UnratedReason::Undo);
        self.notes.stopped = None;
        while self.history.len() > target {
            match self.history.undo() {
                Some(ply) => self.undone.push(ply),
                None => break,
            }
        }
        self.restore_clock();
    }

    /// Sets the clocks to their times after the last ply.
    fn restore_clock(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.restore(self.history.len());
        }
    }

    /// Whether a person decided the ply after `plies` plies: a move, or a throw
    /// that was entered.
    fn decided_by_person(&self, plies: usize) -> bool {
        match self.history.at(plies).map(Game::turn) {
            Some(Turn::Move(side)) => self.seats[side.index()] == Seat::Person,
            // A throw that was entered wrongly must be correctable.
            Some(Turn::Throw(_)) => self.by_hand,
            Some(Turn::Over(_)) | None => false,
        }
    }

    /// Plays undone plies again, up to a person's next move. Returns whether it
    /// did anything.
    pub fn redo(&mut self) -> bool {
        if self.ended_early.is_some() {
            return false;
        }
        let mut done = false;
        self.notes.stopped = None;
        while let Some(&ply) = self.undone.last() {
            if self.history.push(ply).is_err() {
                self.undone.clear();
                break;
            }
            self.undone.pop();
            done = true;
            if self.person_moves() {
                break;
            }
        }
        self.restore_clock();
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use tabulae_engines::Level;
    use tabulae_games::RuleSet;

    /// The plies left by an undo after 1 + `more` plies; `None` where nothing can
    /// be undone.
    fn plies_after_undo(seats: [Seat; 2], more: usize) -> Option<usize> {
        let setup = Setup { seats, seed: Some(1), ..Setup::new(RuleSet::Tablaaza) };
        let mut session = GameSession::new(setup);
        for _ in 0..=more {
            let first = session.history().legal_moves()[0];
            session.play(first).expect("legal");
        }
        let can = session.can_undo();
        assert_eq!(session.clone().undo_turn(), can);
        assert_eq!(session.undo(), can);
        // Plies that can be played again make no difference.
        assert_eq!(session.clone().undo_turn(), session.can_undo());
        can.then(|| session.history().len())
    }

    #[test]
    fn plies_of_the_engine_alone_are_not_undone() {
        let (person, engine) = (Seat::Person, Seat::Engine(Level::Novice));
        assert_eq!(plies_after_undo([engine, person], 0), None, "it would only play it again");
        assert_eq!(plies_after_undo([engine, person], 1), Some(1));
        assert_eq!(plies_after_undo([engine, person], 2), Some(1));
        assert_eq!(plies_after_undo([person, engine], 0), Some(0));
        assert_eq!(plies_after_undo([engine, engine], 1), Some(1));
        assert_eq!(plies_after_undo([person, person], 1), Some(1));
    }
}
