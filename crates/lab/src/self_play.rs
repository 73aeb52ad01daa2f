//! Games of self-play.

use rand::{SeedableRng as _, rngs::ChaCha8Rng};

use tabulae_games::{AnyMove, AnyPosition, GOLDEN_GAMMA, GameHistory, Ply, RuleSet, Turn};
use tabulae_session::Dice;

/// The random numbers of a game, by the seed of all games and its number.
pub(crate) fn random_numbers(seed: u64, number: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed ^ number.wrapping_mul(GOLDEN_GAMMA))
}

/// Plays a game to its end, or to `max_plies` plies, with the moves of `choose`, which may
/// end it, too.
pub(crate) fn play_game(
    rules: RuleSet,
    dice: Dice,
    max_plies: usize,
    mut choose: impl FnMut(&GameHistory<AnyPosition>) -> Option<AnyMove>,
) -> GameHistory<AnyPosition> {
    let mut history = GameHistory::new(AnyPosition::start(rules));
    while history.len() < max_plies {
        let ply = match history.turn() {
            Turn::Over(_) => break,
            Turn::Throw(_) => Some(Ply::Throw(dice.throw(history.throws()))),
            Turn::Move(_) => choose(&history).map(Ply::Move),
        };
        if ply.is_none_or(|ply| history.push(ply).is_err()) {
            break;
        }
    }
    history
}
