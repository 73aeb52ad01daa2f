//! Prints puzzles found in self-play.
//!
//! `cargo run --release -p tabulae-lab --example mine_puzzles -- tablaaza 3`

use tabulae_games::RuleSet;
use tabulae_lab::puzzles::{MinePlan, Miner};
use tabulae_session::puzzles::Puzzle;

fn mine(rules: RuleSet, count: usize) -> Vec<Puzzle> {
    let mut miner = Miner::new(MinePlan { rules, seed: 1, count, nodes: 1_000 });
    while !miner.is_full() {
        miner.play_game();
    }
    miner.puzzles().to_vec()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let rules = arguments.next().as_deref().unwrap_or("tablaaza").parse()?;
    let count = arguments.next().as_deref().unwrap_or("1").parse()?;
    for puzzle in mine(rules, count) {
        println!("{puzzle}");
    }
    Ok(())
}

#[test]
fn a_puzzle_of_tablaaza_is_found() {
    let puzzles = mine(RuleSet::Tablaaza, 1);
    assert_eq!(puzzles.len(), 1);
    assert_eq!(puzzles[0].rules(), RuleSet::Tablaaza);
}
