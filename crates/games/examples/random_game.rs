//! Plays a random game of each rule set and prints how it ended.
//!
//! `cargo run -p tabulae-games --example random_game -- SEED`

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use tabulae_games::{AnyPosition, GameHistory, Illegal, Ply, RuleSet, Turn, tablan::throw_of};

/// Longer random games are cut off.
const MAX_PLIES: usize = 2_000;

fn play(rules: RuleSet, rng: &mut impl rand::Rng) -> Result<GameHistory<AnyPosition>, Illegal> {
    let mut game = GameHistory::new(AnyPosition::start(rules));
    while game.len() < MAX_PLIES {
        let ply = match game.turn() {
            Turn::Over(_) => break,
            Turn::Move(_) => {
                let moves = game.legal_moves();
                Ply::Move(moves[rng.random_range(0..moves.len())])
            }
            // The rules list the throws with their weights; the caller draws one.
            Turn::Throw(_) => Ply::Throw(throw_of(rng.random_range(0..16))),
        };
        game.push(ply)?;
    }
    Ok(game)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = std::env::args().nth(1).and_then(|argument| argument.parse().ok()).unwrap_or(1);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for rules in RuleSet::ALL {
        let game = play(rules, &mut rng)?;
        match game.turn() {
            Turn::Over(end) => {
                println!("{rules}: {} plies, {} ({})", game.len(), end.result(), end.reason);
            }
            _ => println!("{rules}: {} plies, not over", game.len()),
        }
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("legal games");
}
