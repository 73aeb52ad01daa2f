//! Counts the sequences of legal moves from the start position, by the first move.
//!
//! `cargo run --release -p tabulae-games --example perft -- tablut/ashton 3`

use tabulae_games::{AnyPosition, RuleSet, divide};

fn count(rules: RuleSet, depth: u32) -> u64 {
    let start = AnyPosition::start(rules);
    let mut total = 0;
    for (mv, count) in divide(&start, depth) {
        println!("{mv}: {count}");
        total += count;
    }
    total
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let rules = arguments.next().as_deref().unwrap_or("tablut/ashton").parse()?;
    let depth = arguments.next().as_deref().unwrap_or("2").parse()?;
    println!("total: {}", count(rules, depth));
    Ok(())
}

#[test]
fn the_start_of_ashton_has_its_known_count() {
    let start = AnyPosition::start(RuleSet::TablutAshton);
    assert_eq!(count(RuleSet::TablutAshton, 2), tabulae_games::perft(&start, 2));
}
