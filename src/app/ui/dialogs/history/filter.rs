//! Which games of the history are shown.

use super::{PlayedGame, shown_name};
use crate::{app::ui::prelude::*, session::days_between};

/// What is wanted; nothing means all, except of the player.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Filter {
    /// The player whose games are wanted, unless `all_players`; none means the last one.
    pub(super) player: Option<String>,
    pub(super) all_players: bool,
    pub(crate) rules: Option<RuleSet>,
    pub(crate) opponent: Option<Opponent>,
    pub(super) score: Option<Score>,
    pub(super) period: Option<Period>,
}

/// Against whom a game was played.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Opponent {
    Level(Level),
    Person(String),
}

impl Opponent {
    /// The opponent of this side.
    pub(super) fn in_game(game: &FinishedGame, side: Side) -> Self {
        let other = side.other().index();
        match game.seats[other] {
            Seat::Engine(level) => Self::Level(level),
            Seat::Person | Seat::Remote | Seat::Program => Self::Person(game.names[other].clone()),
        }
    }

    /// All opponents of a player, or of all: levels from the weakest, then persons.
    pub(super) fn of(games: &[FinishedGame], player: Option<&str>) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for game in games {
            for side in game.sides_of(player) {
                let opponent = Self::in_game(game, side);
                if !found.contains(&opponent) {
                    found.push(opponent);
                }
            }
        }
        found.sort_by_key(|opponent| match opponent {
            Self::Level(level) => (level.number(), String::new()),
            Self::Person(name) => (u8::MAX, name.clone()),
        });
        found
    }

    pub(super) fn label(&self) -> String {
        match self {
            Self::Level(level) => seat_label(Seat::Engine(*level)),
            Self::Person(name) => shown_name(name),
        }
    }
}

/// How a game ended for the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub(super) enum Score {
    Win,
    Draw,
    Loss,
}

impl Score {
    pub(super) fn of(game: &FinishedGame, side: Side) -> Self {
        match game.points(side) {
            points if points > 0.75 => Self::Win,
            points if points < 0.25 => Self::Loss,
            _ => Self::Draw,
        }
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Win => tr("history.won"),
            Self::Draw => tr("history.drawn"),
            Self::Loss => tr("history.lost"),
        }
    }
}

/// How long ago a game began at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub(super) enum Period {
    Week,
    Month,
    Year,
}

impl Period {
    const fn days(self) -> i64 {
        match self {
            Self::Week => 7,
            Self::Month => 30,
            Self::Year => 365,
        }
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Week => tr("history.week"),
            Self::Month => tr("history.month"),
            Self::Year => tr("history.year"),
        }
    }

    /// Whether this date is within the period until today.
    fn has(self, date: Option<&str>, today: Option<&str>) -> bool {
        let days = date.zip(today).and_then(|(date, today)| days_between(date, today));
        days.is_some_and(|days| days < self.days())
    }
}

impl Filter {
    /// The player whose games are shown; none for all.
    pub(super) fn player(&self, players: &[String]) -> Option<String> {
        let chosen = self.player.as_ref().filter(|name| players.contains(name));
        chosen.or(players.first()).filter(|_| !self.all_players).cloned()
    }

    /// The games of a player, or of all, that are wanted, the last one first.
    pub(super) fn games<'a>(
        &self,
        games: &'a [FinishedGame],
        player: Option<&str>,
        today: Option<&str>,
    ) -> Vec<PlayedGame<'a>> {
        let mut found = Vec::new();
        for (index, game) in games.iter().enumerate().rev() {
            for side in game.sides_of(player) {
                let is_wanted = self.rules.is_none_or(|rules| rules == game.rules)
                    && (self.opponent.as_ref())
                        .is_none_or(|chosen| *chosen == Opponent::in_game(game, side))
                    && self.score.is_none_or(|score| score == Score::of(game, side))
                    && self.period.is_none_or(|period| period.has(game.date.as_deref(), today));
                if is_wanted {
                    found.push((index, game, side));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(rules: RuleSet, level: Level, loser: Side, date: &str) -> FinishedGame {
        let seats = [Seat::Person, Seat::Engine(level)];
        let mut session = GameSession::new(Setup { seats, ..Setup::new(rules) });
        while session.can_abort() {
            let played = match session.history().legal_moves().first() {
                Some(mv) => session.play(*mv).is_ok(),
                None => session.throw().is_ok(),
            };
            assert!(played);
        }
        session.resign(loser);
        FinishedGame::new(date, &session, Some(date.to_owned())).expect("a result")
    }

    #[test]
    fn each_filter_leaves_the_games_that_are_wanted() {
        let games = [
            game(RuleSet::Tablan, Level::Casual, Side::First, "2025.11.20"),
            game(RuleSet::Tablan, Level::Novice, Side::Second, "2026.11.10"),
            game(RuleSet::Tablaaza, Level::Casual, Side::First, "2026.11.23"),
        ];
        let found = |filter: Filter| {
            let found = filter.games(&games, Some(""), Some("2026.11.23"));
            found.into_iter().map(|(index, _, _)| index).collect::<Vec<_>>()
        };
        let all = Filter::default;
        assert_eq!(found(all()), [2, 1, 0]);
        assert_eq!(found(Filter { rules: Some(RuleSet::Tablan), ..all() }), [1, 0]);
        let casual = Some(Opponent::Level(Level::Casual));
        assert_eq!(found(Filter { opponent: casual, ..all() }), [2, 0]);
        assert_eq!(found(Filter { score: Some(Score::Win), ..all() }), [1]);
        assert_eq!(found(Filter { period: Some(Period::Week), ..all() }), [2]);
        assert_eq!(found(Filter { period: Some(Period::Month), ..all() }), [2, 1]);
        assert!(all().games(&games, Some("Aili"), None).is_empty());
        assert_eq!(all().games(&games, None, None).len(), 3, "all players");
        let opponents = Opponent::of(&games, Some(""));
        assert_eq!(opponents, [Level::Novice, Level::Casual].map(Opponent::Level));
    }
}
