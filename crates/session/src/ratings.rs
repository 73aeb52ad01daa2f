//! Glicko-2 ratings of persons, computed from the results of all their games.
//!
//! Each game is a rating period of its own. Levels have the fixed ratings of the
//! measured ladder ([`Level::rating`]); two persons are rated against each other. A
//! person has a rating for each rule set.

use std::{collections::HashMap, f64::consts::GOLDEN_RATIO, fmt};

use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, glicko2},
};

use tabulae_engines::Level;
use tabulae_games::{RuleSet, Side};

use super::{FinishedGame, Seat, Setup};

/// How sure the rating of a level is: it is measured in hundreds of games.
const LEVEL_DEVIATION: f64 = 30.0;

/// A person of whom nothing is known. Deviation, volatility and tau are those of
/// lichess: with Glicko-2's own a rating moves too slowly for a ladder this long.
const UNKNOWN: Glicko2Rating = Glicko2Rating { rating: 1500.0, deviation: 500.0, volatility: 0.09 };
/// How fast the volatility changes.
const TAU: f64 = 0.75;

/// With a greater deviation a rating is only a guess: the bound of lichess.
const GREATEST_SURE_DEVIATION: f64 = 110.0;

/// A rating and its uncertainty. `Display` writes `1523`, or `1523?` while it is a guess.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating; on the scale of [`Level::rating`].
    pub value: f64,
    /// The rating deviation (RD): one standard deviation.
    pub deviation: f64,
}

impl Rating {
    /// Two deviations: the true strength is within this distance in 95 of 100 cases.
    ///
    /// ```
    /// use tabulae_session::Rating;
    ///
    /// let rating = Rating { value: 1523.4, deviation: 70.2 };
    /// assert_eq!(rating.uncertainty(), 140.4);
    /// assert_eq!(rating.to_string(), "1523");
    /// ```
    pub fn uncertainty(&self) -> f64 {
        2.0 * self.deviation
    }

    /// Whether too few results are known for more than a guess.
    ///
    /// ```
    /// use tabulae_session::Rating;
    ///
    /// let rating = Rating { value: 784.0, deviation: 374.0 };
    /// assert!(rating.is_guess());
    /// assert_eq!(rating.to_string(), "784?");
    /// ```
    pub fn is_guess(&self) -> bool {
        self.deviation > GREATEST_SURE_DEVIATION
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0}{}", self.value, if self.is_guess() { "?" } else { "" })
    }
}

/// The ratings of all persons.
///
/// ```
/// use tabulae_engines::Level;
/// use tabulae_games::{RuleSet, Side};
/// use tabulae_session::{FinishedGame, GameSession, Ratings, Seat, Setup};
///
/// let rules = RuleSet::Tablaaza;
/// let seats = [Seat::Engine(Level::Casual), Seat::Person];
/// let mut session = GameSession::new(Setup { seats, ..Setup::new(rules) });
/// for _ in 0..2 {
///     let first = session.history().legal_moves()[0];
///     session.play(first).expect("legal");
/// }
/// session.resign(Side::Second);
/// let game = FinishedGame::new("1", &session, None).expect("a result");
/// let ratings = Ratings::new(&[game]);
/// let (_, rating) = ratings.curve("", rules)[0];
/// assert!(rating.value < 1500.0 && rating.deviation < 500.0);
/// assert_eq!(ratings.current("", rules), Some(rating));
/// assert!(ratings.fitting_level("", rules) < Level::Casual);
/// assert_eq!(ratings.current("Aili", rules), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ratings {
    curves: HashMap<(String, RuleSet), Vec<(usize, Glicko2Rating)>>,
}

impl Ratings {
    /// The ratings after these games, in the order in which they ended.
    pub fn new(games: &[FinishedGame]) -> Self {
        let mut ratings = Self::default();
        for (index, game) in games.iter().enumerate().filter(|(_, game)| game.rated) {
            let before = Side::BOTH.map(|side| ratings.before(game, side));
            let outcome = match game.points(Side::First) {
                points if points > 0.75 => Outcomes::WIN,
                points if points < 0.25 => Outcomes::LOSS,
                _ => Outcomes::DRAW,
            };
            let config = Glicko2Config { tau: TAU, ..Glicko2Config::new() };
            let (first, second) = glicko2(&before[0], &before[1], &outcome, &config);
            for (side, after) in Side::BOTH.into_iter().zip([first, second]) {
                if game.seats[side.index()] == Seat::Person {
                    let person = (game.names[side.index()].clone(), game.rules);
                    ratings.curves.entry(person).or_default().push((index, after));
                }
            }
        }
        ratings
    }

    /// The rating of a player before a game.
    fn before(&self, game: &FinishedGame, side: Side) -> Glicko2Rating {
        match game.seats[side.index()] {
            Seat::Person | Seat::Remote | Seat::Program => {
                self.latest(&game.names[side.index()], game.rules).unwrap_or(UNKNOWN)
            }
            Seat::Engine(level) => Glicko2Rating {
                rating: level.rating(game.rules),
                deviation: LEVEL_DEVIATION,
                ..Glicko2Rating::new()
            },
        }
    }

    fn latest(&self, name: &str, rules: RuleSet) -> Option<Glicko2Rating> {
        let curve = self.curves.get(&(name.to_owned(), rules))?;
        curve.last().map(|(_, rating)| *rating)
    }

    /// A person's rating; none before the first rated game by these rules. A guest's
    /// name is empty.
    pub fn current(&self, name: &str, rules: RuleSet) -> Option<Rating> {
        self.latest(name, rules).map(Rating::from)
    }

    /// The person's rating after each rated game by these rules, with the game's index.
    pub fn curve(&self, name: &str, rules: RuleSet) -> Vec<(usize, Rating)> {
        let curve = self.curves.get(&(name.to_owned(), rules));
        curve.into_iter().flatten().map(|(game, rating)| (*game, (*rating).into())).collect()
    }

    /// The level for a person's next game, so that the person should score half of the
    /// points: of the levels next below and next above the rating, each as often as
    /// its distance asks. Casual before the first rated game.
    pub fn fitting_level(&self, name: &str, rules: RuleSet) -> Level {
        let curve = self.curves.get(&(name.to_owned(), rules));
        let Some((_, rating)) = curve.and_then(|curve| curve.last()) else {
            return Level::Casual;
        };
        let is_below = |level: &Level| level.rating(rules) <= rating.rating;
        let above = Level::ALL.into_iter().find(|level| !is_below(level));
        let below = Level::ALL.into_iter().rev().find(is_below);
        let (Some(below), Some(above)) = (below, above) else {
            return above.or(below).unwrap_or_default();
        };
        let expected =
            |level: Level| 1.0 / (1.0 + 10_f64.powf((level.rating(rules) - rating.rating) / 400.0));
        let share_above = (expected(below) - 0.5) / (expected(below) - expected(above));
        // Multiples of the golden ratio spread the games evenly, without random numbers.
        let games = curve.map_or(0, Vec::len) as f64;
        let is_above = (games * GOLDEN_RATIO).fract() < share_above;
        if is_above { above } else { below }
    }

    /// The set-up with the level that fits the person, where the engine is to adapt.
    ///
    /// ```
    /// use tabulae_engines::Level;
    /// use tabulae_games::RuleSet;
    /// use tabulae_session::{Ratings, Seat, Setup};
    ///
    /// let seats = [Seat::Person, Seat::Engine(Level::Master)];
    /// let setup = Setup { seats, adaptive: true, ..Setup::new(RuleSet::Tablan) };
    /// assert_eq!(Ratings::default().adapted(setup).seats[1], Seat::Engine(Level::Casual));
    /// ```
    pub fn adapted(&self, mut setup: Setup) -> Setup {
        let person = Side::BOTH.into_iter().find(|side| setup.seats[side.index()] == Seat::Person);
        if let Some(side) = person.filter(|_| setup.adaptive)
            && let name = setup.person_name(side)
            && let Seat::Engine(level) = &mut setup.seats[side.other().index()]
        {
            *level = self.fitting_level(&name, setup.rules);
        }
        setup
    }
}

impl From<Glicko2Rating> for Rating {
    fn from(rating: Glicko2Rating) -> Self {
        Self { value: rating.rating, deviation: rating.deviation }
    }
}

/// How a person did in some games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Performance {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// The average rating of the levels played, plus 400 for the share of wins minus
    /// that of losses; none without a game against a level.
    pub rating: Option<f64>,
}

/// The performance in these games of the person who played this side in each.
///
/// ```
/// use tabulae_games::{RuleSet, Side};
/// use tabulae_session::{FinishedGame, GameSession, Performance, Seat, Setup, performance};
/// use tabulae_engines::Level;
///
/// let seats = [Seat::Person, Seat::Engine(Level::Casual)];
/// let mut session = GameSession::new(Setup { seats, ..Setup::new(RuleSet::Tablaaza) });
/// for _ in 0..2 {
///     let first = session.history().legal_moves()[0];
///     session.play(first).expect("legal");
/// }
/// session.resign(Side::First);
/// let game = FinishedGame::new("1", &session, None).expect("a result");
/// let lost = performance([(&game, Side::First)]);
/// assert_eq!(lost, Performance { losses: 1, rating: Some(1100.0), ..Performance::default() });
/// ```
pub fn performance<'a>(games: impl IntoIterator<Item = (&'a FinishedGame, Side)>) -> Performance {
    let mut performance = Performance::default();
    let (mut count, mut sum) = (0.0, 0.0);
    for (game, side) in games {
        let points = game.points(side);
        if points > 0.75 {
            performance.wins += 1;
        } else if points < 0.25 {
            performance.losses += 1;
        } else {
            performance.draws += 1;
        }
        if let Seat::Engine(level) = game.seats[side.other().index()] {
            count += 1.0;
            sum += level.rating(game.rules) + 400.0 * (2.0 * points - 1.0);
        }
    }
    performance.rating = (count > 0.0).then(|| sum / count);
    performance
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::*;
    use tabulae_records::GameResult;

    fn game(
        rules: RuleSet,
        seats: [Seat; 2],
        names: [&str; 2],
        result: GameResult,
    ) -> FinishedGame {
        FinishedGame {
            id: "1".to_owned(),
            date: None,
            rules,
            seats,
            names: names.map(str::to_owned),
            adaptive: true,
            result,
            termination: None,
            plies: 9,
            rated: true,
            opening: String::new(),
            analysis: None,
        }
    }

    /// A person of this strength plays 25 games against Adaptive: the rating after
    /// them, and the points of the last 10.
    fn play(rules: RuleSet, strength: f64, rng: &mut ChaCha8Rng) -> (Rating, f64) {
        let (mut games, mut points) = (Vec::new(), 0.0);
        for number in 0..25 {
            let level = Ratings::new(&games).fitting_level("", rules);
            let expected = 1.0 / (1.0 + 10_f64.powf((level.rating(rules) - strength) / 400.0));
            let wins = rng.random_bool(expected);
            let winner = if wins { Side::First } else { Side::Second };
            let seats = [Seat::Person, Seat::Engine(level)];
            games.push(game(rules, seats, ["", ""], GameResult::Won(winner)));
            points += if wins && number >= 15 { 1.0 } else { 0.0 };
        }
        (Ratings::new(&games).current("", rules).expect("a rating"), points)
    }

    #[test]
    fn adaptive_converges_within_25_games() {
        let mut rng = ChaCha8Rng::seed_from_u64(25);
        for rules in RuleSet::ALL {
            let weakest = Level::Beginner.rating(rules);
            // Who is still stronger than this needs more games to get there.
            let strongest = Level::Expert.rating(rules).min(Level::Casual.rating(rules) + 700.0);
            for strength in [weakest, f64::midpoint(weakest, strongest), strongest] {
                let (mut within, mut error, mut points) = (0, 0.0, 0.0);
                for _ in 0..100 {
                    let (rating, scored) = play(rules, strength, &mut rng);
                    let off = rating.value - strength;
                    within += i32::from(off.abs() <= rating.uncertainty());
                    error += off / 100.0;
                    points += scored / 1000.0;
                }
                let told = format!("{rules} {strength:.0}: {within} {error:.0} {points:.2}");
                assert!(within >= 90, "within ± 2 RD: {told}");
                assert!(error.abs() < 75.0, "off on average: {told}");
                assert!((points - 0.5).abs() < 0.1, "half of the points: {told}");
            }
        }
    }

    #[test]
    fn a_rating_is_a_guess_at_first_and_sure_after_some_games() {
        let (rules, mut games) = (RuleSet::TablutAshton, Vec::new());
        let is_guess = |games: &[FinishedGame]| {
            Ratings::new(games).current("", rules).expect("a rating").is_guess()
        };
        for number in 0..20 {
            let level = Ratings::new(&games).fitting_level("", rules);
            let winner = if number % 2 == 0 { Side::Second } else { Side::First };
            let seats = [Seat::Person, Seat::Engine(level)];
            games.push(game(rules, seats, ["", ""], GameResult::Won(winner)));
            assert!(number > 3 || is_guess(&games), "after {} games", number + 1);
        }
        assert!(!is_guess(&games));
    }

    #[test]
    fn two_persons_are_rated_against_each_other_and_unrated_games_do_not_count() {
        let (rules, seats) = (RuleSet::TablutAshton, [Seat::Person; 2]);
        let won = game(rules, seats, ["Aili", "Bruno"], GameResult::Won(Side::First));
        let unrated = FinishedGame { rated: false, ..won.clone() };
        let ratings = Ratings::new(&[unrated, won]);
        let of = |name| ratings.current(name, rules).expect("a rating").value;
        assert!((of("Aili") + of("Bruno") - 3000.0).abs() < 1e-6 && of("Aili") > 1600.0);
        assert_eq!(ratings.curve("Aili", rules).len(), 1);
        assert_eq!(ratings.curve("Aili", rules)[0].0, 1, "the index of the game");
        assert_eq!(ratings.current("Aili", RuleSet::Tablan), None);
    }
}
