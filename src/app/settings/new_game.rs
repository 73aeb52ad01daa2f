//! The setup that the title screen offers: the last one chosen there.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{
    app::core::prelude::*,
    engines::favoured_side,
    session::{TimeControls, clean_name, is_match_length},
};

/// The game that the title screen would start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "FileFormat", into = "FileFormat")]
pub struct NewGameChoice {
    /// The rules.
    pub rules: RuleSet,
    /// Who plays each side, by [`Side::index`].
    pub seats: [Seat; 2],
    /// Whether the player chose a side. Until then a player against the computer gets the
    /// side that has it easier.
    pub has_chosen_side: bool,
    /// The names of persons and programs, by [`Side::index`]; a guest's is empty. A
    /// person's name stays while a level plays the side.
    pub names: [String; 2],
    /// The level that the computer had last; its own while it plays.
    pub level: Level,
    /// Whether the engine's level follows the person's rating.
    pub adaptive: bool,
    /// Whether the player throws real sticks and enters the result.
    pub by_hand: bool,
    /// Whether the players throw for the start, which is drawn at once otherwise.
    pub throws_for_start: bool,
    /// The side that throws off first; none lets the lot decide.
    pub first: Option<Side>,
    /// The time controls; none plays without clocks.
    pub clock: Option<TimeControls>,
    /// How many games the match has; 1 is a single game.
    pub games: usize,
}

impl Default for NewGameChoice {
    fn default() -> Self {
        let mut choice = Self {
            rules: GameKind::Tablut.default_rules(),
            seats: [Seat::Person, Seat::Engine(Level::Casual)],
            has_chosen_side: false,
            names: [String::new(), String::new()],
            level: Level::Casual,
            adaptive: false,
            by_hand: false,
            throws_for_start: false,
            first: None,
            clock: None,
            games: 1,
        };
        choice.sit_on_easier_side();
        choice
    }
}

impl NewGameChoice {
    /// Switches to another game, with the rules best for a beginner.
    pub fn set_game(&mut self, game: GameKind) {
        if self.rules.game() != game {
            self.set_rules(game.default_rules());
        }
    }

    /// Switches to other rules.
    pub fn set_rules(&mut self, rules: RuleSet) {
        self.rules = rules;
        self.sit_on_easier_side();
    }

    /// Lets the computer play the other side.
    pub fn play_computer(&mut self) {
        let engine = Seat::Engine(self.engine_level());
        let person = self.own_side().unwrap_or(Side::First);
        self.set_seat(person, Seat::Person);
        self.set_seat(person.other(), engine);
        self.sit_on_easier_side();
    }

    /// The side of the person who plays against the computer or another program.
    pub fn computers_opponent(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| {
            let other = self.seats[side.other().index()];
            self.seats[side.index()] == Seat::Person
                && matches!(other, Seat::Engine(_) | Seat::Program)
        })
    }

    /// The side of the player at this screen against one opponent, elsewhere or not.
    pub fn own_side(&self) -> Option<Side> {
        let mut sides =
            Side::BOTH.into_iter().filter(|side| self.seats[side.index()] == Seat::Person);
        sides.next().filter(|_| sides.next().is_none())
    }

    /// Gives the player this side.
    pub fn choose_side(&mut self, side: Side) {
        self.has_chosen_side = true;
        if self.own_side() == Some(side.other()) {
            self.swap_seats();
        }
    }

    /// Gives a player who chose no side the one that has it easier against the computer.
    fn sit_on_easier_side(&mut self) {
        let easier = favoured_side(self.rules).unwrap_or(Side::First);
        if !self.has_chosen_side && self.computers_opponent() == Some(easier.other()) {
            self.swap_seats();
        }
    }

    /// Whether a person elsewhere plays.
    pub fn is_online(&self) -> bool {
        self.seats.contains(&Seat::Remote)
    }

    /// The level of the engine among the players, or the one that it had last.
    pub fn engine_level(&self) -> Level {
        let mut levels = self.seats.iter().filter_map(|seat| match seat {
            Seat::Engine(level) => Some(*level),
            Seat::Person | Seat::Remote | Seat::Program => None,
        });
        levels.next().unwrap_or(self.level)
    }

    /// Sets who plays a side. A program takes its name with it; a level is remembered.
    pub fn set_seat(&mut self, side: Side, seat: Seat) {
        self.level = self.engine_level();
        let old = std::mem::replace(&mut self.seats[side.index()], seat);
        if old == Seat::Program && seat != Seat::Program {
            self.names[side.index()].clear();
        }
    }

    /// Lets this program of the list of engines play a side.
    pub fn set_program(&mut self, side: Side, name: &str) {
        self.level = self.engine_level();
        self.seats[side.index()] = Seat::Program;
        self.names[side.index()] = name.to_owned();
    }

    /// Lets the players change seats; each keeps its name and its clock.
    pub fn swap_seats(&mut self) {
        self.seats.swap(0, 1);
        self.names.swap(0, 1);
        self.clock = self.clock.map(TimeControls::swapped);
    }

    /// The name of the person at this screen, the first side's of two; empty for a guest.
    pub fn person_name(&self) -> String {
        let person = self.seats.iter().position(|seat| *seat == Seat::Person);
        person.map_or_else(String::new, |side| clean_name(&self.names[side]))
    }

    /// Whether who starts is drawn at once: real sticks are thrown by the players, those of
    /// an online game by all.
    pub fn draws_start(&self) -> bool {
        self.rules.has_sticks() && !self.throws_for_start && !self.by_hand && !self.is_online()
    }

    /// The setup of the game. What the rules have no use for is left out.
    pub fn setup(&self) -> Setup {
        let by_hand = self.by_hand && self.rules.has_sticks();
        let (seats, clock) = (self.seats, self.clock);
        let draws_start = self.draws_start();
        let first = self.first.filter(|_| self.rules.has_sticks() && !draws_start);
        let (names, adaptive, games) = (self.names.clone(), self.adaptive, self.games);
        Setup {
            seats,
            names,
            adaptive,
            by_hand,
            clock,
            first,
            draws_start,
            games,
            ..Setup::new(self.rules)
        }
    }
}

/// The choice in the settings file, in the words of records and commands. A
/// value that cannot be read gets its default and leaves the others alone.
#[derive(Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
struct FileFormat {
    rules: String,
    seats: [String; 2],
    #[serde(rename = "side-chosen", skip_serializing_if = "std::ops::Not::not")]
    has_chosen_side: bool,
    #[serde(skip_serializing_if = "super::is_default")]
    names: [String; 2],
    #[serde(skip_serializing_if = "is_usual_level")]
    level: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    adaptive: bool,
    by_hand: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    throws_for_start: bool,
    first: String,
    clock: String,
    #[serde(skip_serializing_if = "is_single")]
    games: usize,
}

/// Whether it is the level of the default, which older files do not tell.
fn is_usual_level(level: &str) -> bool {
    level == Level::Casual.to_string()
}

/// Whether it is a single game, which older files do not tell.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_single(games: &usize) -> bool {
    *games == 1
}

impl Default for FileFormat {
    fn default() -> Self {
        NewGameChoice::default().into()
    }
}

/// The name of a player elsewhere, which no command knows.
const REMOTE: &str = "remote";
/// The name of another program, which has its own in [`NewGameChoice::names`].
const PROGRAM: &str = "program";

/// The names of [`NewGameChoice::first`].
const FIRST: [(&str, Option<Side>); 3] =
    [("lot", None), ("south", Some(Side::First)), ("north", Some(Side::Second))];

impl From<NewGameChoice> for FileFormat {
    fn from(choice: NewGameChoice) -> Self {
        let seat = |seat| match seat {
            Seat::Person => "person".to_owned(),
            Seat::Remote => REMOTE.to_owned(),
            Seat::Program => PROGRAM.to_owned(),
            Seat::Engine(level) => level.to_string(),
        };
        let first = FIRST.iter().find(|(_, side)| *side == choice.first);
        Self {
            rules: choice.rules.to_string(),
            seats: choice.seats.map(seat),
            has_chosen_side: choice.has_chosen_side,
            names: choice.names,
            level: choice.level.to_string(),
            adaptive: choice.adaptive,
            by_hand: choice.by_hand,
            throws_for_start: choice.throws_for_start,
            first: first.map_or("lot", |(name, _)| name).to_owned(),
            clock: choice.clock.map_or_else(|| "none".to_owned(), |clock| clock.to_string()),
            games: choice.games,
        }
    }
}

impl From<FileFormat> for NewGameChoice {
    fn from(file: FileFormat) -> Self {
        let default = Self::default();
        let seat = |side: usize| match file.seats[side].as_str() {
            REMOTE => Seat::Remote,
            PROGRAM => Seat::Program,
            text => Seat::from_str(text).unwrap_or(default.seats[side]),
        };
        let first = FIRST.iter().find(|(name, _)| *name == file.first);
        Self {
            rules: file.rules.parse().unwrap_or(default.rules),
            seats: [seat(0), seat(1)],
            has_chosen_side: file.has_chosen_side,
            names: file.names.map(|name| clean_name(&name)),
            level: file.level.parse().unwrap_or(default.level),
            adaptive: file.adaptive,
            by_hand: file.by_hand,
            throws_for_start: file.throws_for_start,
            first: first.and_then(|(_, side)| *side),
            clock: file.clock.parse().ok(),
            games: if is_match_length(file.games) { file.games } else { default.games },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_game_is_a_person_against_a_casual_engine() {
        let setup = NewGameChoice::default().setup();
        assert_eq!(setup.seats, [Seat::Engine(Level::Casual), Seat::Person]);
        assert_eq!((setup.seed, setup.start), (None, None));
    }

    #[test]
    fn names_follow_the_players_to_the_other_side() {
        let mut choice = NewGameChoice::default();
        choice.names[1] = " Åsa ".to_owned();
        choice.choose_side(Side::First);
        let setup = choice.setup();
        assert_eq!(setup.seats, [Seat::Person, Seat::Engine(Level::Casual)]);
        assert_eq!(GameSession::new(setup).names()[0], "Åsa");
    }

    #[test]
    fn a_player_who_chose_no_side_gets_the_easier_one() {
        let mut choice = NewGameChoice::default();
        for rules in RuleSet::ALL {
            choice.set_rules(rules);
            let easier = favoured_side(rules).unwrap_or(Side::First);
            assert_eq!(choice.own_side(), Some(easier), "{rules}");
        }
        choice.choose_side(Side::First);
        choice.set_game(GameKind::Tablut);
        assert_eq!(choice.own_side(), Some(Side::First), "a choice stays");
        choice.seats = [Seat::Person; 2];
        choice.play_computer();
        assert_eq!(choice.own_side(), Some(Side::First));
        choice.has_chosen_side = false;
        choice.seats = [Seat::Person; 2];
        choice.play_computer();
        assert_eq!(choice.own_side(), Some(Side::Second), "Black has it easier");
    }

    #[test]
    fn a_program_takes_its_name_with_it() {
        let mut choice = NewGameChoice::default();
        choice.choose_side(Side::First);
        choice.set_program(Side::Second, "Mine");
        let text = toml::to_string(&choice).expect("a text");
        assert_eq!(toml::from_str::<NewGameChoice>(&text).as_ref(), Ok(&choice), "{text}");
        let session = GameSession::new(choice.setup());
        assert_eq!((session.seats()[1], session.names()[1].as_str()), (Seat::Program, "Mine"));
        assert!(!session.is_rated(), "nobody knows how strong it is");
        choice.set_seat(Side::Second, Seat::Person);
        assert_eq!(choice.names, [String::new(), String::new()]);
    }

    #[test]
    fn the_level_is_remembered_while_no_computer_plays() {
        let mut choice = NewGameChoice::default();
        choice.set_seat(Side::First, Seat::Engine(Level::Newcomer));
        choice.set_seat(Side::First, Seat::Person);
        let text = toml::to_string(&choice).expect("a text");
        let read: NewGameChoice = toml::from_str(&text).expect("a choice");
        assert_eq!((&read, read.engine_level()), (&choice, Level::Newcomer), "{text}");
    }

    #[test]
    fn choosing_the_same_game_again_keeps_its_rules() {
        let mut choice =
            NewGameChoice { rules: RuleSet::TablutLinnaeus, ..NewGameChoice::default() };
        choice.set_game(GameKind::Tablut);
        assert_eq!(choice.rules, RuleSet::TablutLinnaeus);
        choice.set_game(GameKind::Tablan);
        assert_eq!(choice.rules, RuleSet::Tablan);
    }

    #[test]
    fn a_choice_reads_back_and_an_unknown_word_means_the_default() {
        let seats = [Seat::Engine(Level::Master), Seat::Person];
        for (first, clock) in [(None, None), (Some(Side::Second), "600+5,180".parse().ok())] {
            let rules = RuleSet::TablanOrdered;
            let names = ["Åsa \"von\" Ek".to_owned(), String::new()];
            let choice = NewGameChoice {
                rules,
                seats,
                has_chosen_side: true,
                names,
                level: Level::Club,
                adaptive: true,
                by_hand: true,
                throws_for_start: first.is_some(),
                first,
                clock,
                games: 4,
            };
            let text = toml::to_string(&choice).expect("a text");
            assert_eq!(toml::from_str::<NewGameChoice>(&text).as_ref(), Ok(&choice), "{text}");
        }
        let odd = "rules = \"chess\"\nseats = [\"cat\", \"master\"]\nclock = \"soon\"\ngames = 0";
        // The word of the other seat is the default's.
        let seats = [Seat::Engine(Level::Casual), Seat::Engine(Level::Master)];
        let expected = NewGameChoice { seats, ..NewGameChoice::default() };
        assert_eq!(toml::from_str::<NewGameChoice>(odd), Ok(expected));
    }
}
