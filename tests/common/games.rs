//! Random games that are the same on every machine.
#![allow(dead_code)]

use tabulae_games::{
    AnyPosition, Event, GOLDEN_GAMMA, Game, GameHistory, Ply, RuleSet, Turn, splitmix64,
    tablan::throw_of,
};

/// A SplitMix64 generator.
pub(crate) struct Numbers(u64);

impl Numbers {
    /// The generator with this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        splitmix64(self.0)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    /// One of `items`.
    pub(crate) fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }
}

/// A random game of at most `plies` plies. Captures are often preferred, so that
/// games end.
pub(crate) fn random_line(
    rules: RuleSet,
    numbers: &mut Numbers,
    plies: usize,
) -> GameHistory<AnyPosition> {
    let mut game = GameHistory::new(AnyPosition::start(rules));
    while game.len() < plies && play_random(&mut game, numbers) {}
    game
}

/// Plays one random ply; returns `false` once the game is over.
pub(crate) fn play_random(game: &mut GameHistory<AnyPosition>, numbers: &mut Numbers) -> bool {
    let ply = match game.turn() {
        Turn::Over(_) => return false,
        Turn::Throw(_) => Ply::Throw(throw_of(u32::try_from(numbers.below(16)).unwrap())),
        Turn::Move(_) => {
            let moves = game.legal_moves();
            let captures: Vec<_> = moves
                .iter()
                .copied()
                .filter(|mv| {
                    let mut after = game.position().clone();
                    let events = after.play(*mv).unwrap();
                    events.iter().any(|event| matches!(event, Event::Captured { .. }))
                })
                .collect();
            let among =
                if captures.is_empty() || numbers.below(3) == 0 { &moves } else { &captures };
            Ply::Move(numbers.pick(among))
        }
    };
    game.push(ply).unwrap();
    true
}
