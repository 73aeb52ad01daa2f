//! Prints the best move of a position.
//!
//! `cargo run --release -p tabulae-engines --example best_move -- tablut/ashton 'POSITION'`

use tabulae_engines::{EngineOptions, Request, SearchLimits, StopSignal, search};
use tabulae_games::{AnyMove, AnyPosition, GameHistory, RuleSet};

fn best_move(position: AnyPosition) -> Option<AnyMove> {
    let request = Request {
        history: GameHistory::new(position),
        limits: SearchLimits { nodes: Some(20_000), ..SearchLimits::default() },
        options: EngineOptions::for_analysis(16),
    };
    search(&request, &StopSignal::default(), &mut |info| {
        println!("depth {} score {:?}", info.depth, info.score);
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let rules: RuleSet = arguments.next().as_deref().unwrap_or("tablut/ashton").parse()?;
    let position = match arguments.next() {
        Some(text) => AnyPosition::parse(rules, &text)?,
        None => AnyPosition::start(rules),
    };
    match best_move(position) {
        Some(mv) => println!("best move: {mv}"),
        None => println!("no move to choose"),
    }
    Ok(())
}

#[test]
fn the_king_takes_the_open_way() {
    let position = AnyPosition::parse(RuleSet::TablutBerkeley, "4B4/9/9/9/9/9/4K4/9/9 w");
    let mv = best_move(position.expect("a position")).expect("a move");
    assert!(["e3-a3", "e3-i3", "e3-e1"].contains(&mv.to_string().as_str()), "{mv}");
}
