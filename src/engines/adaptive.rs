//! The choice of a level for a person, from the results so far: an Elo rating on the
//! ladder of levels.

use serde::{Deserialize, Serialize};

use super::Level;

/// What one level more is worth, in Elo: measured steps are 60 to 80 % of the points.
const ELO_PER_LEVEL: f64 = 150.0;
/// How far the first game can move the estimate, in levels.
const FIRST_GAIN: f64 = 2.0;
/// How far a later game can move it at most, in levels.
const LEAST_GAIN: f64 = 0.6;

/// How a game ended for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameScore {
    /// The person won.
    Win,
    /// Nobody won.
    Draw,
    /// The engine won.
    Loss,
}

impl GameScore {
    const fn points(self) -> f64 {
        match self {
            Self::Win => 1.0,
            Self::Draw => 0.5,
            Self::Loss => 0.0,
        }
    }
}

/// A person's estimated strength on the ladder of levels. It proposes the level
/// against which the person should win about half of the games.
///
/// ```
/// use tabulae::engines::{Adaptive, GameScore, Level};
///
/// let mut person = Adaptive::starting_at(Level::Novice);
/// assert_eq!(person.level(), Level::Novice);
/// person.record(Level::Novice, GameScore::Win);
/// assert!(person.level() > Level::Novice);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adaptive {
    /// The strength as the number of a level, with fractions.
    strength: f64,
    games: u32,
}

impl Adaptive {
    /// A person of whom nothing is known but the level that they begin with.
    #[must_use]
    pub fn starting_at(level: Level) -> Self {
        Self { strength: f64::from(level.number()), games: 0 }
    }

    /// Counts the result of a game against a level.
    pub fn record(&mut self, level: Level, score: GameScore) {
        let gain = (FIRST_GAIN / f64::from(self.games + 1).sqrt()).max(LEAST_GAIN);
        self.games += 1;
        let surprise = score.points() - self.expected_points(level);
        self.strength = (self.strength + gain * surprise).clamp(1.0, Self::strongest());
    }

    /// The points that the person should get in a game against a level, from 0 to 1.
    #[must_use]
    pub fn expected_points(&self, level: Level) -> f64 {
        let elo = ELO_PER_LEVEL * (self.strength - f64::from(level.number()));
        1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
    }

    /// The level to play next: the one whose games should be the most even.
    #[must_use]
    pub fn level(&self) -> Level {
        let distance = |level: &Level| (self.strength - f64::from(level.number())).abs();
        Level::ALL
            .into_iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
            .unwrap_or_default()
    }

    fn strongest() -> f64 {
        f64::from(Level::Master.number())
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::*;

    /// Points of the last games, of a person of a known strength.
    fn play(strength: f64, start: Level, games: u32, seed: u64) -> (f64, Adaptive) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let person = Adaptive { strength, games: 0 };
        let (mut adaptive, mut points) = (Adaptive::starting_at(start), 0.0);
        for game in 0..2 * games {
            let level = adaptive.level();
            let wins = rng.random_bool(person.expected_points(level));
            let score = if wins { GameScore::Win } else { GameScore::Loss };
            adaptive.record(level, score);
            points += if game >= games { score.points() } else { 0.0 };
        }
        (points / f64::from(games), adaptive)
    }

    #[test]
    fn a_person_comes_to_win_about_half_of_the_games() {
        for number in 2..10 {
            for start in [Level::Newcomer, Level::Casual, Level::Master] {
                let (share, adaptive) = play(f64::from(number), start, 200, 7);
                assert!((share - 0.5).abs() < 0.1, "{number} from {start}: {share}");
                let level = i32::from(adaptive.level().number());
                assert!((level - number).abs() <= 2, "{number} from {start}: {level}");
            }
        }
    }

    #[test]
    fn the_ladder_has_two_ends() {
        let mut adaptive = Adaptive::starting_at(Level::Beginner);
        for _ in 0..20 {
            adaptive.record(adaptive.level(), GameScore::Loss);
        }
        assert_eq!(adaptive.level(), Level::Newcomer);
        for _ in 0..60 {
            adaptive.record(adaptive.level(), GameScore::Win);
        }
        assert_eq!(adaptive.level(), Level::Master);
    }

    #[test]
    fn a_draw_between_equals_changes_nothing() {
        let mut adaptive = Adaptive::starting_at(Level::Club);
        adaptive.record(Level::Club, GameScore::Draw);
        assert_eq!(adaptive.level(), Level::Club);
        adaptive.record(Level::Master, GameScore::Draw);
        assert!(adaptive.level() > Level::Club);
    }
}
