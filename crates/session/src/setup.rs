//! How a game is set up, and how it can end.

use std::str::FromStr;

use thiserror::Error;

use tabulae_engines::Level;
use tabulae_games::{AnyPosition, End, RuleSet, Side};

use super::time_control::TimeControls;

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// A person at this screen.
    Person,
    /// An engine of this level.
    Engine(Level),
    /// A person at another screen, in an online game.
    Remote,
    /// A program of the user's list of engines: the one with the player's name.
    Program,
}

impl Seat {
    /// The player's name in records.
    pub fn name(self) -> String {
        match self {
            Self::Person | Self::Remote => "Person".to_owned(),
            Self::Engine(level) => format!("Tabulae {}", level.title()),
            Self::Program => "Program".to_owned(),
        }
    }

    /// Whether nobody decides this side's moves but a computer: a level or another
    /// program.
    ///
    /// ```
    /// use tabulae_engines::Level;
    /// use tabulae_session::Seat;
    ///
    /// assert!(Seat::Program.is_computer() && Seat::Engine(Level::Club).is_computer());
    /// assert!(!Seat::Person.is_computer() && !Seat::Remote.is_computer());
    /// ```
    pub const fn is_computer(self) -> bool {
        matches!(self, Self::Engine(_) | Self::Program)
    }
}

/// The error of parsing a [`Seat`]: the text.
///
/// ```
/// use tabulae_session::{ParseSeatError, Seat};
///
/// assert_eq!("person".parse(), Ok(Seat::Person));
/// assert_eq!("cat".parse::<Seat>(), Err(ParseSeatError("cat".to_owned())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown player '{0}' (person or one of {names})", names = Level::names())]
pub struct ParseSeatError(pub String);

impl FromStr for Seat {
    type Err = ParseSeatError;

    /// Parses `person` or the name of a level.
    fn from_str(text: &str) -> Result<Self, ParseSeatError> {
        if text == "person" {
            return Ok(Self::Person);
        }
        text.parse().map(Self::Engine).map_err(|_| ParseSeatError(text.to_owned()))
    }
}

/// The most characters of a person's name.
///
/// ```
/// use tabulae_session::{MAX_NAME_LENGTH, clean_name};
///
/// assert_eq!(clean_name(&"Aili".repeat(40)).chars().count(), MAX_NAME_LENGTH);
/// ```
pub const MAX_NAME_LENGTH: usize = 40;

/// A typed name as records write it: words with one space between them, without
/// control characters, in at most [`MAX_NAME_LENGTH`] characters. Empty for a guest.
///
/// ```
/// use tabulae_session::clean_name;
///
/// assert_eq!(clean_name("  Carl  von\tLinné\n"), "Carl von Linné");
/// // What records write for a player without a name is no name.
/// assert_eq!(["Person", "?", " "].map(clean_name), ["", "", ""]);
/// // Nor what would turn the text around it, or what nobody sees.
/// assert_eq!(clean_name("A\u{202e}i\u{200b}l\u{feff}i\u{2066}"), "Aili");
/// ```
pub fn clean_name(typed: &str) -> String {
    let seen: String = typed.chars().filter(|symbol| !is_invisible(*symbol)).collect();
    let words = seen.split(|symbol: char| symbol.is_whitespace() || symbol.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let name: String = words.join(" ").chars().take(MAX_NAME_LENGTH).collect();
    let is_nobody = name == "?" || name == Seat::Person.name();
    if is_nobody { String::new() } else { name.trim_end().to_owned() }
}

/// Whether a character is not seen, and may change how its neighbours are shown: soft
/// hyphens, joiners, directions of writing, tags and variation selectors (Unicode's
/// format characters and its default ignorable ones).
const fn is_invisible(symbol: char) -> bool {
    matches!(symbol,
        '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
        | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// The settings of a new game. Start from [`Setup::new`] and change fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The rule set.
    pub rules: RuleSet,
    /// The players, by [`Side::index`].
    pub seats: [Seat; 2],
    /// The names of persons and programs, by [`Side::index`]; a guest's is empty, and
    /// an engine has the name of its [`Seat`].
    pub names: [String; 2],
    /// Whether the engine's level follows the person's rating. The level in the seats
    /// is the one that this game begins with.
    pub adaptive: bool,
    /// The seed of the throws; `None` draws one from the system's randomness.
    pub seed: Option<u64>,
    /// The first position; `None` is the rules' start.
    pub start: Option<AnyPosition>,
    /// Whether real sticks are thrown and their throws entered.
    pub by_hand: bool,
    /// The time controls; `None` plays without clocks.
    pub clock: Option<TimeControls>,
    /// The side that throws off first in Tablan; `None` draws a lot from the seed.
    pub first: Option<Side>,
    /// Whether Tablan's throws for the start are made at once, so that the game begins
    /// with the first move. Not with real sticks, nor where a server throws.
    pub draws_start: bool,
    /// How many games the match has; 1 is a single game.
    pub games: usize,
}

impl Setup {
    /// The name of a side's person as results know it; empty for a guest.
    ///
    /// ```
    /// use tabulae_games::{RuleSet, Side};
    /// use tabulae_session::Setup;
    ///
    /// let names = [" Aili ".to_owned(), "?".to_owned()];
    /// let setup = Setup { names, ..Setup::new(RuleSet::Tablan) };
    /// assert_eq!(Side::BOTH.map(|side| setup.person_name(side)), ["Aili", ""]);
    /// ```
    pub fn person_name(&self, side: Side) -> String {
        clean_name(&self.names[side.index()])
    }

    /// Whether a person plays a level.
    pub(super) const fn is_against_engine(&self) -> bool {
        matches!(self.seats, [Seat::Person, Seat::Engine(_)] | [Seat::Engine(_), Seat::Person])
    }

    /// The names in the record: those of persons and programs that have one, else their
    /// seats'.
    pub(super) fn record_names(&self) -> [String; 2] {
        Side::BOTH.map(|side| {
            let seat = self.seats[side.index()];
            let name = clean_name(&self.names[side.index()]);
            let is_named = matches!(seat, Seat::Person | Seat::Program) && !name.is_empty();
            if is_named { name } else { seat.name() }
        })
    }

    /// The set-up with the players in each other's seats, and each with its own clock.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        self.seats.reverse();
        self.names.reverse();
        if let Some(clock) = self.clock {
            self.clock = Some(clock.swapped());
        }
        self
    }

    /// A single game of two persons from the rules' start, with a random seed and without clocks.
    pub const fn new(rules: RuleSet) -> Self {
        Self {
            rules,
            seats: [Seat::Person; 2],
            names: [String::new(), String::new()],
            adaptive: false,
            seed: None,
            start: None,
            by_hand: false,
            clock: None,
            first: None,
            draws_start: false,
            games: 1,
        }
    }
}

/// How a game ended: by the rules, by the players or by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The rules ended it.
    Ended(End),
    /// This side resigned.
    Resigned(Side),
    /// Both sides agreed on a draw.
    Agreed,
    /// This side lost on time.
    TimedOut(Side),
}

impl Outcome {
    /// The winner; `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Ended(end) => end.winner,
            Self::Resigned(side) | Self::TimedOut(side) => Some(side.other()),
            Self::Agreed => None,
        }
    }
}
