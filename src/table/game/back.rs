//! Taking back, playing again, and going on from an earlier ply.

use super::GameSession;
use crate::{
    games::{AnyPosition, Game, Side, Turn},
    table::{Seat, record::level_tag},
};

impl GameSession {
    /// Whether [`Self::undo`] would do anything.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        self.settled.is_some() || self.target().is_some()
    }

    /// Whether [`Self::redo`] would do anything.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.settled.is_none() && !self.undone.is_empty()
    }

    /// Takes back: a resignation or an agreed draw, or else plies up to the last one that a
    /// person decided. With two engines it is a single one; where an engine has
    /// played all there is against a person, there is nothing: it would only play
    /// it again. A throw alone is never what is taken back: the sticks would fall
    /// the same again.
    pub fn undo(&mut self) -> bool {
        if self.settled.take().is_some() {
            // Time that was used up is given back.
            self.set_clock();
            return true;
        }
        let target = self.target();
        if let Some(target) = target {
            self.back_to(target);
        }
        target.is_some()
    }

    /// How many plies are left when the last is taken back.
    fn target(&self) -> Option<usize> {
        let own = (0..self.line.len()).rev().find(|&n| self.decided_by_person(n));
        let has = |person| self.seats.iter().any(|seat| (*seat == Seat::Person) == person);
        let mixed = has(true) && has(false);
        own.or_else(|| self.line.len().checked_sub(1).filter(|_| !mixed))
    }

    /// Takes a whole turn back: in a game with sticks all the moves a player
    /// made since the sticks came to him, elsewhere the same as
    /// [`Self::undo`].
    pub fn undo_turn(&mut self) -> bool {
        let settled = self.settled.is_some();
        let done = self.undo();
        if !done || settled || !self.rules.has_sticks() {
            return done;
        }
        let actor = |n: usize| self.line.at(n).map(Game::side);
        let mut target = self.line.len();
        let turn = actor(target);
        for n in (0..self.line.len()).rev() {
            if actor(n) != turn || self.is_throwing_off(n) {
                break;
            }
            if self.decided_by_person(n) {
                target = n;
            }
        }
        self.back_to(target);
        true
    }

    /// Goes on from ply `plies` as a game of its own: the same seats, sticks
    /// and words, nothing that came after.
    #[must_use]
    pub fn branch(&self, plies: usize) -> Self {
        let mut branch = self.clone();
        branch.line.truncate(plies);
        branch.undone.clear();
        branch.settled = None;
        branch.said.stopped = None;
        if let Some(clock) = &mut branch.clock {
            clock.cut(branch.line.len());
        }
        let _ = branch.said.comments.split_off(&(branch.line.len() + 1));
        branch
    }

    /// The same game for a person who goes on with it: where nobody but engines
    /// played, whoever acts next (or the first side) is a person now.
    #[must_use]
    pub fn taken_over(mut self) -> Self {
        if !self.seats.contains(&Seat::Person) {
            let side = self.turn().and_then(Turn::side).unwrap_or(Side::First);
            self.seats[side.index()] = Seat::Person;
            self.names[side.index()] = Seat::Person.name();
            let level = level_tag(self.rules, side);
            self.said.tags.retain(|(name, _)| *name != level);
        }
        self
    }

    fn is_throwing_off(&self, plies: usize) -> bool {
        matches!(self.line.at(plies), Some(AnyPosition::Tablan(it)) if it.throwing_off())
    }

    fn back_to(&mut self, target: usize) {
        self.said.stopped = None;
        while self.line.len() > target {
            match self.line.undo() {
                Some(ply) => self.undone.push(ply),
                None => break,
            }
        }
        self.set_clock();
    }

    /// Puts the clocks to what stood on them after the last ply.
    fn set_clock(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.set(self.line.len());
        }
    }

    /// Whether the ply after `plies` plies was a person's: a move that one
    /// chose, or a throw that was told.
    fn decided_by_person(&self, plies: usize) -> bool {
        match self.line.at(plies).map(Game::turn) {
            Some(Turn::Move(side)) => self.seats[side.index()] == Seat::Person,
            // What was told wrongly must be put right.
            Some(Turn::Throw(_)) => self.by_hand,
            Some(Turn::Over(_)) | None => false,
        }
    }

    /// Plays again what was taken back, up to a person's next choice.
    pub fn redo(&mut self) -> bool {
        if self.settled.is_some() {
            return false;
        }
        let mut done = false;
        self.said.stopped = None;
        while let Some(&ply) = self.undone.last() {
            if self.line.push(ply).is_err() {
                self.undone.clear();
                break;
            }
            self.undone.pop();
            done = true;
            if self.person_moves() {
                break;
            }
        }
        self.set_clock();
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engines::Level, games::RuleSet, table::Setup};

    /// How many plies are left when one is taken back, after the first and so
    /// many more; none where none can be.
    fn left(seats: [Seat; 2], more: usize) -> Option<usize> {
        let setup = Setup { seats, seed: Some(1), ..Setup::new(RuleSet::Tablaaza) };
        let mut table = GameSession::new(setup);
        for _ in 0..=more {
            let first = table.history().legal_moves()[0];
            table.play(first).expect("legal");
        }
        let can = table.can_undo();
        assert_eq!(table.clone().undo_turn(), can);
        assert_eq!(table.undo(), can);
        // What can be played again makes no difference.
        assert_eq!(table.clone().undo_turn(), table.can_undo());
        can.then(|| table.history().len())
    }

    #[test]
    fn what_only_an_engine_played_against_a_person_stays() {
        let (person, engine) = (Seat::Person, Seat::Engine(Level::Novice));
        assert_eq!(left([engine, person], 0), None, "it would only play it again");
        assert_eq!(left([engine, person], 1), Some(1));
        assert_eq!(left([engine, person], 2), Some(1));
        assert_eq!(left([person, engine], 0), Some(0));
        assert_eq!(left([engine, engine], 1), Some(1));
        assert_eq!(left([person, person], 1), Some(1));
    }
}
