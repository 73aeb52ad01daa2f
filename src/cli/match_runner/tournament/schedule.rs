//! Who plays whom, and in which order.

/// How the pairings of a tournament are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(in super::super) enum Format {
    /// All play all
    RoundRobin,
    /// The first player plays each of the others
    Gauntlet,
}

impl Format {
    /// Its name on the command line.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
        }
    }
}

/// The games of a tournament in the order in which they begin: first the two games of
/// every pairing with the first opening, then those with the second, and so on. So the
/// table is balanced at any time.
#[derive(Debug)]
pub(super) struct Schedule {
    pub(super) pairings: Vec<[usize; 2]>,
    /// Games of each pairing, an even number.
    pub(super) games_per_pairing: usize,
}

/// A game's place in its pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slot {
    pub(super) pairing: usize,
    /// The game's number in the match of the pairing, from 0.
    pub(super) number: usize,
}

impl Schedule {
    /// The most games of a tournament.
    pub(super) const MAX_GAMES: usize = 10_000_000;

    /// Schedules so many games for each pairing; `None` if they are too many in all.
    pub(super) fn new(format: Format, players: usize, games: usize) -> Option<Self> {
        let last_first = match format {
            Format::RoundRobin => players,
            Format::Gauntlet => 1,
        };
        let pairings: Vec<_> = (0..last_first)
            .flat_map(|first| (first + 1..players).map(move |second| [first, second]))
            .collect();
        let all = pairings.len().checked_mul(games)?;
        (all <= Self::MAX_GAMES).then_some(Self { pairings, games_per_pairing: games })
    }

    /// The number of games in all.
    pub(super) fn games(&self) -> usize {
        self.pairings.len() * self.games_per_pairing
    }

    /// The place of game `index` of the tournament, counted from 0.
    pub(super) fn slot(&self, index: usize) -> Slot {
        let round = 2 * self.pairings.len();
        Slot { pairing: index % round / 2, number: index / round * 2 + index % 2 }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_pairing_plays_all_its_games_in_rounds_of_two() {
        for (format, players, pairings) in
            [(Format::RoundRobin, 4, 6), (Format::Gauntlet, 4, 3), (Format::RoundRobin, 2, 1)]
        {
            let schedule = Schedule::new(format, players, 6).expect("few games");
            assert_eq!((schedule.pairings.len(), schedule.games()), (pairings, 6 * pairings));
            let slots: Vec<_> = (0..schedule.games()).map(|game| schedule.slot(game)).collect();
            assert_eq!(slots.iter().collect::<BTreeSet<_>>().len(), slots.len());
            for (game, slot) in slots.iter().enumerate() {
                assert!(slot.pairing < pairings && slot.number < 6, "{slot:?}");
                assert_eq!(slot.number / 2, game / (2 * pairings), "its round");
                assert_eq!(slot.number % 2, game % 2, "its side");
            }
        }
        let gauntlet = Schedule::new(Format::Gauntlet, 3, 2).expect("few games");
        assert_eq!(gauntlet.pairings, [[0, 1], [0, 2]]);
    }

    #[test]
    fn too_many_games_are_refused() {
        assert!(Schedule::new(Format::RoundRobin, 3, usize::MAX - 1).is_none());
        assert!(Schedule::new(Format::Gauntlet, 2, Schedule::MAX_GAMES).is_some());
        assert!(Schedule::new(Format::Gauntlet, 2, Schedule::MAX_GAMES + 2).is_none());
    }
}
