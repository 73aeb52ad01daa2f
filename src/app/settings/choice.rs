//! The game that was chosen last.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{
    engines::Level,
    games::{GameKind, RuleSet, Side},
    table::{Seat, Setup, TimeControl},
};

/// What the title screen would start: what was chosen there last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Choice {
    /// By which rules.
    pub rules: RuleSet,
    /// Who plays which side, by [`Side::index`].
    pub seats: [Seat; 2],
    /// Whether the sticks are thrown by hand.
    pub by_hand: bool,
    /// Who throws off first; none for the lot.
    pub first: Option<Side>,
    /// How much time the players have.
    pub clock: Option<TimeControl>,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            rules: GameKind::Tablut.usual(),
            seats: [Seat::Person, Seat::Engine(Level::Casual)],
            by_hand: false,
            first: None,
            clock: None,
        }
    }
}

impl Choice {
    /// Turns to another game, by the rules a newcomer meets best.
    pub fn turn_to(&mut self, game: GameKind) {
        if self.rules.game() != game {
            self.rules = game.usual();
        }
    }

    /// Seats somebody.
    pub const fn seat(&mut self, side: Side, seat: Seat) {
        self.seats[side.index()] = seat;
    }

    /// The game it would start.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let by_hand = self.by_hand && self.rules.has_sticks();
        let (seats, clock) = (self.seats, self.clock);
        let first = self.first.filter(|_| self.rules.has_sticks());
        Setup { seats, by_hand, clock, first, ..Setup::new(self.rules) }
    }
}

/// The same in a file, in the words of records and commands. What cannot be
/// read there is as at first, and damages nothing else.
#[derive(Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
struct Written {
    rules: String,
    seats: [String; 2],
    by_hand: bool,
    first: String,
    clock: String,
}

impl Default for Written {
    fn default() -> Self {
        Choice::default().into()
    }
}

/// Who throws off first in Tablan, where it is not left to the lot.
const FIRST: [(&str, Option<Side>); 3] =
    [("lot", None), ("south", Some(Side::First)), ("north", Some(Side::Second))];

impl From<Choice> for Written {
    fn from(choice: Choice) -> Self {
        let seat = |seat| match seat {
            Seat::Person => "person".to_owned(),
            Seat::Engine(level) => level.to_string(),
        };
        let first = FIRST.iter().find(|(_, side)| *side == choice.first);
        Self {
            rules: choice.rules.to_string(),
            seats: choice.seats.map(seat),
            by_hand: choice.by_hand,
            first: first.map_or("lot", |(word, _)| word).to_owned(),
            clock: choice.clock.map_or_else(|| "none".to_owned(), |timing| timing.to_string()),
        }
    }
}

impl From<Written> for Choice {
    fn from(written: Written) -> Self {
        let usual = Self::default();
        let seat = |side: usize| Seat::from_str(&written.seats[side]).unwrap_or(usual.seats[side]);
        let first = FIRST.iter().find(|(word, _)| *word == written.first);
        Self {
            rules: written.rules.parse().unwrap_or(usual.rules),
            seats: [seat(0), seat(1)],
            by_hand: written.by_hand,
            first: first.and_then(|(_, side)| *side),
            clock: written.clock.parse().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_start_is_a_person_against_a_casual_engine() {
        let setup = Choice::default().setup();
        assert_eq!(setup.seats, [Seat::Person, Seat::Engine(Level::Casual)]);
        assert_eq!((setup.seed, setup.start), (None, None));
    }

    #[test]
    fn turning_to_the_game_already_chosen_keeps_its_rules() {
        let mut choice = Choice { rules: RuleSet::TablutLinnaeus, ..Choice::default() };
        choice.turn_to(GameKind::Tablut);
        assert_eq!(choice.rules, RuleSet::TablutLinnaeus);
        choice.turn_to(GameKind::Tablan);
        assert_eq!(choice.rules, RuleSet::Tablan);
    }

    #[test]
    fn what_was_chosen_reads_back_and_an_unknown_word_is_as_at_first() {
        let seats = [Seat::Engine(Level::Master), Seat::Person];
        for (first, clock) in [(None, None), (Some(Side::Second), "600+5".parse().ok())] {
            let rules = RuleSet::TablanOrdered;
            let choice = Choice { rules, seats, by_hand: true, first, clock };
            let text = toml::to_string(&choice).expect("a text");
            assert_eq!(toml::from_str::<Choice>(&text).as_ref(), Ok(&choice), "{text}");
        }
        let odd = "rules = \"chess\"\nseats = [\"cat\", \"master\"]\nclock = \"soon\"";
        let seats = [Seat::Person, Seat::Engine(Level::Master)];
        let expected = Choice { seats, ..Choice::default() };
        assert_eq!(toml::from_str::<Choice>(odd), Ok(expected));
    }
}
